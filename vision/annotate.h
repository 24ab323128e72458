/* vision/annotate.h: a picture with what was read drawn over it, for people.
 *
 * Colour never says anything alone: a doubtful cell's outline is dashed and names the runner-up,
 * a wrong one is crossed, a verdict is written out. */
#ifndef VISION_ANNOTATE_H
#define VISION_ANNOTATE_H

#include "calib/mat.h"
#include "capture/frame.h"
#include "vision/layout.h"
#include "vision/pose.h"
#include "vision/ramp_layout.h"

#include <stdbool.h>
#include <stddef.h>

#define ANNOTATE_LINES_MAX 4
#define ANNOTATE_TEXT_MAX 128

enum annotate_mark { ANNOTATE_PLAIN, ANNOTATE_RIGHT, ANNOTATE_WRONG, ANNOTATE_DOUBT };

/* What is written beside a seat, besides its state; and cells to be crossed. */
struct annotate_note {
    int seat;
    enum annotate_mark mark;
    int lines;
    char line[ANNOTATE_LINES_MAX][ANNOTATE_TEXT_MAX];
    int crossed;
    int8_t cross[LAYOUT_CELLS_MAX][2]; /* row, col in the seat's grid */
};

struct annotate_picture {
    const struct frame *frame;   /* as given */
    const struct layout *layout; /* places on that frame */
    const struct mat_pose *pose; /* of the frame, flipped first if layout->mirrored */
    const struct mat *mat;
    const struct annotate_note *notes; /* may be NULL */
    int note_count;
    /* Of a ramp: what was read there, places on that frame. Then only this and the frame count. */
    const struct ramp_layout *ramp;
};

/* Takes the PNG's bytes as they come; false ends it. */
typedef bool annotate_write(void *context, const unsigned char *bytes, size_t length);

/* 0, VISION_E_MEMORY, or VISION_E_ARGUMENT when `write` gave up. */
int vision_annotate(const struct annotate_picture *picture, annotate_write *write, void *context);

#endif
