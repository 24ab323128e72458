/* vision/census.h: do a picture's colours tell the set's symbols? Private to vision.
 *
 * Neither shape nor colour alone is safe, so each is the other's witness. Where many cells of a
 * picture are beyond doubt by their shapes alone and their colours speak for other symbols, it is
 * the colours that lie: the picture is nearly grey, or its hues were turned, or the blocks are not
 * this set's. Then no small or half hidden cell may be read by its colour. */
#ifndef VISION_CENSUS_H
#define VISION_CENSUS_H

#include "vision/cellmodel.h"
#include "vision/reason.h"

#include <stdint.h>

#define CENSUS_CELLS_MAX 512

struct colour_census {
    int cells;                   /* that are sure by shape */
    int astray;                  /* of them, whose colour is another symbol's */
    uint32_t astray_symbols;     /* bits of what those are by their shapes */
    float off[CENSUS_CELLS_MAX]; /* squared distance from print, in standard errors */
    float shown, printed;        /* sums of how strongly coloured the cells are and ought to be */
};

/* Takes in a cell that was fitted with the palette of the print. */
void vision_census_add(struct colour_census *census, const struct palette *palette, int symbols,
                       const struct cell_fit *fit);

/* REASON_COUNT, or why the picture's colours are not to be trusted. */
enum reason vision_census_refuse(const struct colour_census *census);

/* How many times larger than usual the squared distances of right colours are: 1 or more. */
float vision_census_spread(struct colour_census *census);

#endif
