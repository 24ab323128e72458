/* calib/loop_calibrate.h: the page of a calibration: the live picture with what was found in it, what
 * is still missing, and a person's answer. Program layer.
 *
 * The web server is the scoreboard's (pubsub/web_server.h), with a page and a key of its own. Its
 * thread hands in errands; they are done in loop_calibrate_turn, by the thread that looks at the
 * pictures. The page asks for the picture and its outline (/api/picture, /api/outline) and sends
 * acts (/api/command): {"do":"done"}, {"do":"right"}, {"do":"again"},
 * {"do":"corners","px":[[x,y],[x,y],[x,y],[x,y]]}. */
#ifndef CALIB_LOOP_CALIBRATE_H
#define CALIB_LOOP_CALIBRATE_H

#include "capture/frame.h"

#include <stdbool.h>
#include <stdint.h>

enum calibrate_word {
    CALIBRATE_NOTHING,
    CALIBRATE_DONE,   /* enough: make what can be made of it */
    CALIBRATE_RIGHT,  /* the grid over the picture is right */
    CALIBRATE_AGAIN,  /* forget corners that were moved by hand, and look again */
    CALIBRATE_CORNERS /* the mat's corners are there */
};

struct calibrate_act {
    enum calibrate_word word;
    double px[4][2]; /* CALIBRATE_CORNERS: top-left, top-right, bottom-right, bottom-left of the mat */
};

struct calibrate_page;

/* Serves the page from now on and says where, with its key; NULL after saying why not. `listen` is
 * "127.0.0.1:8080" and the like; NULL: that, or a free port above. */
struct calibrate_page *loop_calibrate_open(const char *listen);
void loop_calibrate_close(struct calibrate_page **page);

/* Does somebody look, so that it is worth making a picture? */
bool loop_calibrate_watched(const struct calibrate_page *page);

/* The picture and its outline (one JSON object, copied) that the page shows from now on. False when
 * there is no memory. */
bool loop_calibrate_give(struct calibrate_page *page, const struct frame *frame,
                         const char *outline);

/* Answers what was asked meanwhile, waiting up to wait_ms for the first. True when there is an act.
 */
bool loop_calibrate_turn(struct calibrate_page *page, int wait_ms, struct calibrate_act *act);

#endif
