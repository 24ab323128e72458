/* vision/ramp_layout.h: what was read from one frame of a ramp: its discs, and what is not known.
 *
 * Whole numbers only, as in layout.h. A plain value of bounded size. Rows are counted from the
 * bottom and tracks from the left as seen from the ramp's foot, both from 0. */
#ifndef VISION_RAMP_LAYOUT_H
#define VISION_RAMP_LAYOUT_H

#include "calib/ramp.h"
#include "vision/reason.h"

#include <stdbool.h>
#include <stdint.h>

#define RAMP_DISCS_MAX (RAMP_ROWS_MAX * RAMP_TRACKS_MAX)
#define RAMP_BARE '.'  /* a place that was seen to hold nothing */
#define RAMP_UNTOLD '?' /* a place of which nothing is said */

enum ramp_seen_state {
    RAMP_COMPLETE,   /* every place is known, and the discs lie as discs can */
    RAMP_INCOMPLETE, /* discs are seen that do not lie in rows: rolling, between rows, afloat */
    RAMP_OCCLUDED,   /* something foreign over the ramp */
    RAMP_UNREADABLE  /* glare, blur, a rough pose: see the reasons */
};

struct ramp_disc {
    int8_t row, track;
    char colour, second;    /* a label of the ramp, and the runner-up's */
    int16_t confidence;     /* permille: that this colour lies in this place */
    int32_t center_px10[2]; /* of what is seen of it, tenths of a pixel */
    int32_t radius_px10;    /* of a circle around it, for who marks it */
    uint8_t rgb[3];         /* its colour in white light, as the ramp's file would give it */
};

struct ramp_layout {
    char ramp[KIT_NAME_MAX];
    bool mirrored;
    bool rig;
    int16_t pose_error_px100;
    int8_t tags;
    enum ramp_seen seen; /* faces or rims, as they lie here; the ramp's own when none lies there */
    enum ramp_seen_state state;
    int16_t confidence; /* permille: that all of `place` is right; 0 unless complete */
    int8_t rows, tracks;
    char place[RAMP_ROWS_MAX][RAMP_TRACKS_MAX]; /* a label, RAMP_BARE or RAMP_UNTOLD */
    int16_t discs;                              /* those of `place`, row by row */
    struct ramp_disc disc[RAMP_DISCS_MAX];
    uint64_t reasons; /* REASON_BIT()s: why it is not complete, and what else was noticed */
};

/* "complete" and so on. Never NULL. */
const char *vision_ramp_state_name(enum ramp_seen_state state);

/* As vision_layout_mirror_px. */
void vision_ramp_mirror_px(struct ramp_layout *layout, int width);

#endif
