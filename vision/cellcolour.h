/* vision/cellcolour.h: how symbols' colours look in a picture, and how far a measured one lies off.
 *
 * Distances are taken between colours as a display shows them (gamma 1/2.2), in standard errors.
 * Shared inside the cell model; what others use of palettes is in cellmodel.h. */
#ifndef VISION_CELLCOLOUR_H
#define VISION_CELLCOLOUR_H

#include "vision/cellmodel.h"

/* The palette of printed fields (relative to white), before anything was learnt. */
void vision_palette_print(const float (*field)[3], int symbols, struct palette *palette);

/* Share by which a symbol's distance counts: less in a picture whose colours lie far off print
 * anyway, and the fewer of its cells were seen in one whose colours drift. */
float vision_palette_width(const struct palette *palette, int symbol);

/* Squared distance, in standard errors, between a measured ratio and a palette's, after the veil
 * (light scattered or mirrored off the surface, alike on field and white) that fits best.
 * white: its level, linear; glare: share of the cell's samples that mirror a lamp. */
float vision_colour_distance(const float ratio[3], const float white[3], const float field[3],
                             float glare);

#endif
