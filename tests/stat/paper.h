/* tests/stat/paper.h: paper as white as the mat, laid over parts of layouts in pictures with truth. */
#ifndef STAT_PAPER_H
#define STAT_PAPER_H

#include "calib/mat.h"
#include "tests/stat/degrade.h"
#include "vision/truth.h"

/* Covers in every seat that has four cells or more what the step says (half of the layout, two
 * cells that lie side by side, or a strip of it), with the light and grain of the white around, and
 * notes in the truth which cells and cards it hides. The step's value and the seed choose where. */
void paper_lay(struct degrade_picture *picture, struct degrade_step step, uint32_t seed,
               const struct mat *mat, struct truth *truth);

#endif
