/* vision/endfind.h: dark squares edged with white, as blocks that stand on end show them.
 *
 * An end's rim is half as wide as a cell's and often worn or bevelled, so what tells an end is the
 * whole square: dark inside and lighter all round its edge, whatever lies beyond. A place's score
 * is the share of the variance that this explains; neither lamp nor shadow matters to it. Pure. */
#ifndef VISION_ENDFIND_H
#define VISION_ENDFIND_H

#include "vision/cellfind.h"

/* May an end have its centre at this place (px)? What is ruled out is not looked at. */
typedef bool end_may(const void *context, float x, float y);

/* Squares in width x height whiteness, side_px wide, best first, no two nearer than a third of
 * a side.
 * Returns how many, at most `most` (up to CANDIDATES_MAX), or VISION_E_MEMORY. */
int vision_ends_scan(const float *whiteness, int width, int height, float side_px, end_may *may,
                     const void *context, struct candidate *out, int most);

#endif
