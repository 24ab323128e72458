/* vision/foreign.h: what lies in a seat besides the blocks that were read.
 *
 * Fewer cells than a whole layout prove nothing unless the rest of the seat is seen to be bare
 * mat: a hand, a sleeve, a cup or a cell drowned in glare could hide the others. Mat paper is
 * near white whatever the light; a shadow darkens it, seldom to black, and tints it little.
 * What is strongly coloured or nearly black, covers more than print does and is not the body of
 * a block that was read, is foreign. */
#ifndef VISION_FOREIGN_H
#define VISION_FOREIGN_H

#include "vision/body.h"
#include "vision/seat_sight.h"

#define FOREIGN_PLACES_MAX 12

struct foreign {
    double largest_mm2;   /* of one connected thing, on the plane of the tops */
    double total_mm2;     /* of all things that are large enough to count */
    double glare_mm2;     /* of the largest mirrored light outside the bodies */
    bool touches;         /* one of them lies on a body or so near that it may hide a cell beside it */
    bool reaches_edge;    /* the largest runs out of the seat: an arm rather than a block */
    double center_mm[2];  /* of the largest */
    int places;           /* where things and mirrored light of a cell's size or so lie: centres */
    double place_mm[FOREIGN_PLACES_MAX][2];
};

/* Looks for what the bodies under `top` do not explain. Errors: VISION_E_MEMORY. */
int vision_foreign_find(const struct seat_sight *sight, const struct white_map *white,
                        const struct body_top *top, int tops, struct foreign *out);

#endif
