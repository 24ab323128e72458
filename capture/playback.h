/* capture/playback.h: plays a recording (capture/recorder.h) again: what was kept, in its order and
 * with its exact times, each picture checked against its digest. */
#ifndef CAPTURE_PLAYBACK_H
#define CAPTURE_PLAYBACK_H

#include "capture/frame_index.h"
#include "capture/source.h"

struct playback;

enum playback_state {
    PLAYBACK_SOUND,   /* `picture` is what was kept */
    PLAYBACK_MISSING, /* its video file ends before it, or is not there: a recording that broke off
                       */
    PLAYBACK_CHANGED  /* what lies there is not what was kept */
};

/* A line of the index. `picture` has the numbers and times of the line; lent until the next call.
 */
struct playback_item {
    struct frame_line line;
    long number; /* of the line in the file, from 1 */
    enum playback_state state;
    struct picture picture; /* frames that are sound */
};

/* Opens a match's folder. CAPTURE_E_OPEN when it has no index, _SIZE for one beyond all measure,
 * _MEMORY. The caller gives *out to capture_playback_close. */
int capture_playback_open(const char *folder, struct playback **out, struct capture_fault *fault);
void capture_playback_close(struct playback **playback);

/* The next line: CAPTURE_PICTURE with *out filled (of whatever kind the line is), CAPTURE_END, or
 * CAPTURE_E_DAMAGED with the line named: the index cannot be trusted from there on. A last line
 * that breaks off counts as not there; `torn` then says so. */
int capture_playback_next(struct playback *playback, struct playback_item *out,
                          struct capture_fault *fault);
bool capture_playback_torn(const struct playback *playback);

/* The two halves of it, for who wants few of many pictures: the next line, with no picture (its
 * `state` is PLAYBACK_MISSING), and the picture of a frame's line, in `item`; lent until the next
 * call of either. Lines whose pictures are wanted come in their order; those between are passed
 * over without being opened. */
int capture_playback_line(struct playback *playback, struct playback_item *out,
                          struct capture_fault *fault);
void capture_playback_picture(struct playback *playback, struct playback_item *item);

#endif
