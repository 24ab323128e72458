/* vision/bands.h: bands of light that stand still in the picture. Pure.
 *
 * Lamps on the mains flicker; under a shutter that runs down the picture this makes bright and dark
 * bands along the rows. Where the camera's rate goes evenly into the mains frequency they do not
 * run, so that no two pictures tell: one picture must. On paper, which is white all over, such bands
 * are a wave over the rows that multiplies the light, the same over the whole width. What is printed
 * or lies there, and shadows, are not: they end somewhere, or lie at a slant. */
#ifndef VISION_BANDS_H
#define VISION_BANDS_H

#include "vision/motion.h"

struct bands {
    int height_permille; /* of the wave above its mean, of the paper's light; 0: there is none */
    int rows_px;         /* of the small picture, from band to band; 0: there is none */
};

/* Looks for bands on the paper that lies in `paper`'s pixels of a small picture (the whole sheet:
 * what lies on it is left out as far as paper shows beside it). None are found where too little
 * paper is in view to tell. */
struct bands vision_bands_find(const struct region *paper, const struct small *small);

#endif
