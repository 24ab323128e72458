/* tests/draw/align.h: the one square grid that cells lie on, by the rules' "alignment". */
#ifndef DRAW_ALIGN_H
#define DRAW_ALIGN_H

#include <stdbool.h>

#define DRAW_SEAT_BLOCKS_MAX 12
#define ALIGN_CELLS_MAX (2 * DRAW_SEAT_BLOCKS_MAX)

/* Bounds of the rules. */
#define ALIGN_PITCH_MAX 1.25 /* block widths; at least 1.0 */
#define ALIGN_CENTER_ON 0.30 /* pitches */
#define ALIGN_CENTER_OFF 0.45
#define ALIGN_TURN_ON_DEG 12.0
#define ALIGN_TURN_OFF_DEG 20.0
#define ALIGN_APART 0.5 /* block widths, edge to edge */

/* How a layout lies: bits, as honest fits may differ. */
enum draw_align { ALIGN_ON = 1, ALIGN_DOUBTFUL = 2, ALIGN_OFF = 4 };

struct align_block {
    double cell[2][2]; /* centres of its cells, mm */
    double turn_deg;
};

struct align_fit {
    bool found;      /* every cell has a place of its own */
    double turn_deg; /* of the rows, in the mat frame */
    double pitch_mm;
    double origin[2];                  /* of place (0, 0) */
    int place[ALIGN_CELLS_MAX][2];     /* row, column; block i has cells 2 i and 2 i + 1 */
    double offset[ALIGN_CELLS_MAX][2]; /* pitches, along rows and along columns */
    double block_deg[DRAW_SEAT_BLOCKS_MAX];
    double off_pitch, off_deg; /* the largest of them */
};

/* Fits a grid. `power` 2 is least squares; nearer 1 heeds outliers less, above 2 more. The best
 * of many starts, the one with the smallest share of the bounds used up. */
void draw_align_fit(const struct align_block *block, int blocks, double width_mm, double power,
                    struct align_fit *fit);

/* The classes of a fit whose bounds are only known to a tolerance. */
unsigned draw_align_classes(const struct align_fit *fit, double tolerance_pitch,
                            double tolerance_deg);

#endif
