#include "tests/draw/footprint.h"

#include "tests/draw/vec.h"

#include <float.h>

struct draw_footprint draw_footprint_of(const struct blockset *set, const struct draw_block *block)
{
    double c = cos(block->turn_deg * DRAW_DEG), s = sin(block->turn_deg * DRAW_DEG);
    double length = block->standing ? set->height_mm : set->length_mm;
    struct draw_footprint print = {
        .center = {block->center_mm[0], block->center_mm[1]},
        .axis = {{c, s}, {-s, c}},
        .half = {length / 2.0, set->width_mm / 2.0},
    };
    return print;
}

void draw_footprint_corners(const struct draw_footprint *print, double xy[4][2])
{
    static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            xy[i][k] = print->center[k] + sign[i][0] * print->half[0] * print->axis[0][k] +
                       sign[i][1] * print->half[1] * print->axis[1][k];
        }
    }
}

static double reach(const struct draw_footprint *print, const double axis[2])
{
    double along = print->axis[0][0] * axis[0] + print->axis[0][1] * axis[1];
    double across = print->axis[1][0] * axis[0] + print->axis[1][1] * axis[1];
    return fabs(along) * print->half[0] + fabs(across) * print->half[1];
}

double draw_footprint_overlap(const struct draw_footprint *a, const struct draw_footprint *b,
                              double away[2])
{
    double least = DBL_MAX;
    for (int i = 0; i < 4; i++) {
        const double *axis = i < 2 ? a->axis[i] : b->axis[i - 2];
        double gap =
            (b->center[0] - a->center[0]) * axis[0] + (b->center[1] - a->center[1]) * axis[1];
        double depth = reach(a, axis) + reach(b, axis) - fabs(gap);
        if (depth < least) {
            least = depth;
            away[0] = gap < 0.0 ? -axis[0] : axis[0];
            away[1] = gap < 0.0 ? -axis[1] : axis[1];
        }
    }
    return least;
}

static double point_to_edge(const double p[2], const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    double t = square > 0.0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square : 0.0;
    t = draw_clamp(t, 0.0, 1.0);
    return hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

double draw_footprint_distance(const struct draw_footprint *a, const struct draw_footprint *b)
{
    double away[2], least = DBL_MAX, corner[2][4][2];
    if (draw_footprint_overlap(a, b, away) >= 0.0) {
        return 0.0;
    }
    draw_footprint_corners(a, corner[0]);
    draw_footprint_corners(b, corner[1]);
    /* Two convex shapes that are apart are nearest at a corner of one of them. */
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 16; i++) {
            const double *from = corner[1 - side][i % 4], *to = corner[1 - side][(i + 1) % 4];
            double distance = point_to_edge(corner[side][i / 4], from, to);
            least = distance < least ? distance : least;
        }
    }
    return least;
}

double draw_block_height(const struct blockset *set, const struct draw_block *block)
{
    return block->standing ? set->length_mm : set->height_mm;
}
