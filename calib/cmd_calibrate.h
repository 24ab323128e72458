/* calib/cmd_calibrate.h: what the parts of `tableref calibrate` share: options, and pictures from
 * wherever they come. Program layer. */
#ifndef CALIB_CMD_CALIBRATE_H
#define CALIB_CMD_CALIBRATE_H

#include "calib/board.h"
#include "capture/picture.h"
#include "capture/source.h"
#include "referee/cmd_common.h"

#include <time.h>

struct calibrate {
    const struct cmd_verb *verb;
    struct cmd_source kit; /* mat, set, rig, mirrored */
    const char *camera, *video, *images;
    struct camera_wish wish;
    const char *board, *out, *certificate, *identity, *listen;
    double ruler_mm; /* what the sheet's ruler of 100 mm measures; 0: not said */
    bool text, page;
    char **paths; /* pictures given one by one */
    int count;
};

/* Pictures, decoded, from files, a recording or a camera. */
struct calibrate_pictures {
    const struct calibrate *asked;
    struct source *source; /* NULL: files one by one */
    struct decoder *decoder;
    struct picture lent;
    bool any_lent;
    struct frame *owned; /* a still, or a flipped picture */
    int at;              /* of the files */
    uint64_t number;     /* of the picture, from 1 */
    int status;          /* CMD_UNUSABLE once one could not be used */
    /* of the picture that was given last */
    const struct frame *frame;
    const struct picture *picture; /* as it came; NULL of a file */
    char name[256];                /* its file, or "picture N" */
};

/* False after saying what is wrong; calibrate_pictures_close in both cases. */
bool cmd_calibrate_open(const struct calibrate *asked, struct calibrate_pictures *out);
void cmd_calibrate_close(struct calibrate_pictures *pictures);
/* The next picture into pictures->frame, lent until the next one: 1; 0 at the end; -1 when none
 * came for a moment (live), so that the caller can look at something else. Pictures that cannot be
 * used are said and passed over. */
int cmd_calibrate_next(struct calibrate_pictures *pictures);
/* The camera's identity, as a rig has it: what was given, or name and place of the camera; "" when
 * not known. */
void cmd_calibrate_identity(const struct calibrate_pictures *pictures, char *out, size_t size);
bool cmd_calibrate_live(const struct calibrate_pictures *pictures);

/* "2024-05-01T18:30:00Z" */
void cmd_calibrate_now(char *out, size_t size);
/* Writes a text and a newline to a file; says what is wrong. */
bool cmd_calibrate_put(const char *path, const char *text);

/* An outline's first members, for the page (loop_calibrate.h): version, kind, the picture's number and
 * size; the object stays open. */
void cmd_calibrate_outline(struct json_text *json, const char *kind,
                           const struct calibrate_pictures *pictures);
/* A point of a picture, tenths of a pixel. */
void cmd_calibrate_point(struct json_text *json, const double px[2]);

/* The three, each an exit status. */
int cmd_calibrate_camera(const struct calibrate *asked);
int cmd_calibrate_table(const struct calibrate *asked);
int cmd_calibrate_colours(const struct calibrate *asked);

#endif
