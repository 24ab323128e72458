/* vision/seat_sight.h: shared inside the seat reader; see seat.h for the outside. */
#ifndef VISION_SEAT_SIGHT_H
#define VISION_SEAT_SIGHT_H

#include "vision/body.h"
#include "vision/cellfind.h"
#include "vision/inventory.h"
#include "vision/lattice.h"
#include "vision/seat.h"

#define SIGHT_CELL_PX 24    /* patch px to a cell: symbols' points are some 2 px there */
/* Round the seat, in cells: a cell's centre may lie on the seat's line, and the finder needs 0.72
 * of a cell around it. */
#define SIGHT_MARGIN_CELLS 0.85
#define SIGHT_CELLS_MAX 80 /* the finder's candidates and what the grid adds */

struct sight_cell {
    struct cell_place place;
    struct cell_fit fit;
    double mm[2];       /* centre on the plane of the tops */
    bool top;           /* taken for the top of a block */
    bool weak;          /* something like a cell, but not surely */
};

struct seat_reader {
    const struct blockset *set;
    struct alignment alignment;
    struct cell_model *model;
    struct cell_finder *finder;
    struct blockset *ends;          /* the blocks' ends with their pips, as a set of its own */
    struct cell_model *end_model;
};

struct seat_sight {
    const struct mat_seat *seat;
    struct patch patch;
    float *whiteness;
    int capacity;                   /* floats in whiteness */
    double px_per_cell;             /* picture px, in the middle of the seat */
    int blur;
    struct camera_view view;
    int cells;
    struct sight_cell cell[SIGHT_CELLS_MAX];
    double outside;                 /* share of the seat's patch that lies outside the picture */
};

/* Fits at a place after moving it to the best spot within reach. */
void vision_sight_fit(const struct seat_reader *reader, const struct palette *palette,
                      const struct seat_sight *sight, struct cell_place *place, float reach_px,
                      float reach_rad, struct cell_fit *fit);

/* How far off its palette a cell's colour may be, in standard errors, for it to count. */
float vision_fit_colour_bound(const struct cell_fit *fit);

/* Is a fit good enough for a top, on its own evidence? */
bool vision_fit_convinces(const struct cell_fit *fit);

#endif
