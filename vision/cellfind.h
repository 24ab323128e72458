/* vision/cellfind.h: places of a patch where a cell may lie.
 *
 * All cells share one thing whatever their symbol: a square of field edged by a white rim.
 * Every place and turn is scored by how much whiter the rim's ring is than the field's ring just
 * inside it, on average over the four sides, so that one lost to glare does not lose the cell.
 * Cells touching each other, soft pictures and small ones are no harder: nothing is segmented. */
#ifndef VISION_CELLFIND_H
#define VISION_CELLFIND_H

#include "vision/cellmodel.h"

#define CANDIDATES_MAX 48

struct candidate {
    struct cell_place place;
    float score; /* 0..1: rim over field */
};

struct cell_finder;
struct cell_finder *vision_cell_finder_create(const struct blockset *set);
void vision_cell_finder_destroy(struct cell_finder **finder);

/* Candidates in a patch of `width` x `height` whiteness, cells `side_px` wide, best first, no two
 * nearer than about half a cell. Returns how many, at most CANDIDATES_MAX, or VISION_E_MEMORY. */
int vision_cells_find(struct cell_finder *finder, const float *whiteness, int width, int height,
                      float side_px, struct candidate out[CANDIDATES_MAX]);

#endif
