/* vision/white.h: what white looks like, everywhere on the mat.
 *
 * Lamps differ in colour and fall off over a table, so nothing is compared with fixed numbers:
 * every colour is taken relative to the white near it. The map is made from the picture itself
 * (the mat's paper, the rims of blocks): near each node the bright part of what is seen, without
 * its brightest tenth (glare). It need only be right within some ten per cent: the last word on
 * a cell's colour is the white of the same cell (see cellmodel.h). */
#ifndef VISION_WHITE_H
#define VISION_WHITE_H

#include "calib/mat.h"
#include "vision/plane.h"

struct white_map;

struct white_map *vision_white_create(void);
void vision_white_destroy(struct white_map **map);

/* Makes the map for a frame. Errors: VISION_E_MEMORY, VISION_E_POSE. */
int vision_white_build(struct white_map *map, const struct pyramid *pyramid,
                       const struct mat_pose *pose, const struct mat *mat);

/* White at a place of the mat, linear light, each channel above 0. */
void vision_white_at(const struct white_map *map, double x_mm, double y_mm, float rgb[3]);

/* Whiteness of every pixel of a patch: the least of its channels, each relative to white: near 1
 * on white in full light, near 0 on any saturated or dark colour. `out` holds patch->width *
 * patch->height floats.
 * Also marks glare in the patch's flags: no print is brighter than white, so what is brighter
 * mirrors a lamp; pixels close by are marked too, as they hold some of the same light. A sensor's
 * noise makes single pixels brighter than white as well: for a cell's colour they are as little
 * worth, so they are marked as glare, but only spots that hold together are marked as lamps, under
 * which something may lie. */
void vision_whiteness(const struct white_map *map, struct patch *patch, float *out);

#endif
