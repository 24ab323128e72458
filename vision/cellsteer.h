/* vision/cellsteer.h: moves a place to where a template fits best. Shared inside the cell model. */
#ifndef VISION_CELLSTEER_H
#define VISION_CELLSTEER_H

#include "vision/cellmodel.h"

/* As vision_cell_refine, with the whiteness that a print should show: `tone` at samples that lie
 * at offset[column], offset[row], in cells from the centre. */
float vision_cell_steer(const float offset[CELL_SIDE], const float tone[CELL_SAMPLES],
                        const struct patch *patch, const float *whiteness, float reach_px,
                        float reach_rad, struct cell_place *place);

#endif
