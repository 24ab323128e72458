/* tests/draw/footprint.h: the rectangles that blocks cover on the mat. */
#ifndef DRAW_FOOTPRINT_H
#define DRAW_FOOTPRINT_H

#include "tests/draw/scene.h"

struct draw_footprint {
    double center[2];
    double axis[2][2]; /* unit vectors along its length and across */
    double half[2];    /* half sizes along them */
};

struct draw_footprint draw_footprint_of(const struct blockset *set, const struct draw_block *block);

/* Corners in order around. */
void draw_footprint_corners(const struct draw_footprint *print, double xy[4][2]);

/* How deep two footprints overlap, and along which unit vector b must be moved by that much to be
 * free of a. 0 or less when they are apart (the vector then separates them). */
double draw_footprint_overlap(const struct draw_footprint *a, const struct draw_footprint *b,
                              double away[2]);

/* Distance from edge to edge; 0 when they touch or overlap. */
double draw_footprint_distance(const struct draw_footprint *a, const struct draw_footprint *b);

/* Height of the block as it stands, mm. */
double draw_block_height(const struct blockset *set, const struct draw_block *block);

#endif
