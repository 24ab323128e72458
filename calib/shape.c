/* What a shape covers. An edge counts from its upper end down to, but without, its lower one, and
 * for points left of it: so every point lies in exactly one of two shapes that share an edge. */
#include "calib/shape.h"

#include <math.h>
#include <stdlib.h>

struct crossing {
    float x;
    int way; /* +1 where the edge runs down, -1 where it runs up */
};

/* Where the edge from point i to point j meets the line at y; false where it does not. */
static bool edge_cross(const struct shape *shape, int i, int j, double y, struct crossing *out)
{
    double y0 = shape->y[i], y1 = shape->y[j];

    if ((y0 <= y) == (y1 <= y)) {
        return false;
    }
    double x0 = shape->x[i], x1 = shape->x[j];
    out->x = (float)(x0 + (x1 - x0) * ((y - y0) / (y1 - y0)));
    out->way = y1 > y0 ? 1 : -1;
    return true;
}

bool calib_shape_covers(const struct shape *shape, double x, double y)
{
    int winding = 0, crossings = 0;

    for (int c = 0; c < shape->contours; c++) {
        int last = shape->start[c + 1] - 1;
        for (int i = shape->start[c]; i <= last; i++) {
            struct crossing crossing;
            int next = i == last ? shape->start[c] : i + 1;
            if (edge_cross(shape, i, next, y, &crossing) && x < (double)crossing.x) {
                winding += crossing.way;
                crossings++;
            }
        }
    }
    return shape->even_odd ? (crossings & 1) != 0 : winding != 0;
}

static int crossing_order(const void *a, const void *b)
{
    const struct crossing *p = a, *q = b;

    return (p->x > q->x) - (p->x < q->x);
}

int calib_shape_spans(const struct shape *shape, double y, float span[SHAPE_POINTS_MAX])
{
    struct crossing crossing[SHAPE_POINTS_MAX];
    int crossings = 0, spans = 0, winding = 0;

    for (int c = 0; c < shape->contours; c++) {
        int last = shape->start[c + 1] - 1;
        for (int i = shape->start[c]; i <= last; i++) {
            int next = i == last ? shape->start[c] : i + 1;
            crossings += edge_cross(shape, i, next, y, &crossing[crossings]);
        }
    }
    if (crossings < 2) {
        return 0;
    }
    qsort(crossing, (size_t)crossings, sizeof crossing[0], crossing_order);
    for (int i = 0; i + 1 < crossings; i++) {
        winding += crossing[i].way;
        bool inside = shape->even_odd ? (i & 1) == 0 : winding != 0;
        if (!inside || !(crossing[i].x < crossing[i + 1].x)) {
            continue;
        }
        if (spans > 0 && !(span[2 * spans - 1] < crossing[i].x)) {
            span[2 * spans - 1] = crossing[i + 1].x; /* the stretch goes on */
        } else {
            span[2 * spans] = crossing[i].x;
            span[2 * spans + 1] = crossing[i + 1].x;
            spans++;
        }
    }
    return spans;
}

enum { SYMMETRY_SIDE = 128 };

/* Points of a raster over the field where a quarter turn (or a half) changes the coverage, as a
 * share of the points covered. */
static double turn_change(const bool *covered, bool half)
{
    int changed = 0, count = 0;

    for (int row = 0; row < SYMMETRY_SIDE; row++) {
        for (int col = 0; col < SYMMETRY_SIDE; col++) {
            int turned_row = half ? SYMMETRY_SIDE - 1 - row : col;
            int turned_col = half ? SYMMETRY_SIDE - 1 - col : SYMMETRY_SIDE - 1 - row;
            bool here = covered[row * SYMMETRY_SIDE + col];
            changed += here != covered[turned_row * SYMMETRY_SIDE + turned_col];
            count += here;
        }
    }
    return count > 0 ? (double)changed / count : 0.0;
}

/* What calib_shape_covers says of the points of a row, all at once. */
static void row_cover(const struct shape *shape, double y, bool covered[SYMMETRY_SIDE])
{
    float span[SHAPE_POINTS_MAX];
    int spans = calib_shape_spans(shape, y, span);

    for (int col = 0, at = 0; col < SYMMETRY_SIDE; col++) {
        double x = (col + 0.5) / SYMMETRY_SIDE - 0.5;
        while (at < spans && x >= (double)span[2 * at + 1]) {
            at++;
        }
        covered[col] = at < spans && x >= (double)span[2 * at];
    }
}

int calib_shape_symmetry(const struct shape *shape)
{
    /* Rounded coordinates and flattened curves move an outline by some 0.0003 of the field: on
     * an outline as long as four fields that is under 1 part in 100 of the area. The least turn
     * that a reader could see (a corner of 1/8 of the field missing) is 4 parts. */
    const double same = 0.02;
    bool covered[SYMMETRY_SIDE * SYMMETRY_SIDE];

    for (int row = 0; row < SYMMETRY_SIDE; row++) {
        row_cover(shape, (row + 0.5) / SYMMETRY_SIDE - 0.5, covered + row * SYMMETRY_SIDE);
    }
    if (turn_change(covered, true) > same) {
        return 360;
    }
    return turn_change(covered, false) > same ? 180 : 90;
}
