/* calib/shape.h: the outline of a symbol, from an SVG path.
 *
 * A path lives on a field of side 1 with its origin at the centre, x right, y down.
 * Read: M m L l H h V v A a C c Q q Z z, flattened to polygons on reading. */
#ifndef CALIB_SHAPE_H
#define CALIB_SHAPE_H

#include "calib/error.h"

#include <stdbool.h>
#include <stddef.h>

#define SHAPE_POINTS_MAX 2048
#define SHAPE_CONTOURS_MAX 64

struct shape {
    bool even_odd; /* else nonzero */
    int contours;
    int start[SHAPE_CONTOURS_MAX + 1]; /* contour i is points start[i] .. start[i+1]-1, closed */
    float x[SHAPE_POINTS_MAX], y[SHAPE_POINTS_MAX];
};

/* Path text of `length` bytes to polygons. CALIB_E_VALUE for a bad path (`why`, if not NULL,
 * gets a short sentence), CALIB_E_SIZE for too many points. */
int calib_shape_parse(const char *path, size_t length, bool even_odd, struct shape *shape,
                      const char **why);

/* The stretches of the line at height y that the shape covers: x from span[2i] up to but without
 * span[2i+1], from left to right. Returns their number, at most SHAPE_POINTS_MAX / 2. */
int calib_shape_spans(const struct shape *shape, double y, float span[SHAPE_POINTS_MAX]);

/* Is the point inside by the shape's fill rule? */
bool calib_shape_covers(const struct shape *shape, double x, double y);

/* Smallest turn in degrees (90, 180 or 360) after which the shape looks the same, by comparing
 * coverage on a raster; 90 for all of the published games' symbols. */
int calib_shape_symmetry(const struct shape *shape);

#endif
