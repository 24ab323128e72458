/* Any bytes to the reader of SVG paths: its polygons must lie within bounds, and their spans must
 * say the same as point after point. The first byte chooses the fill rule. */
#include "calib/shape.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void contours_check(const struct shape *shape)
{
    if (shape->contours < 1 || shape->contours > SHAPE_CONTOURS_MAX || shape->start[0] != 0 ||
        shape->start[shape->contours] > SHAPE_POINTS_MAX) {
        abort();
    }
    for (int i = 0; i < shape->contours; i++) {
        if (shape->start[i + 1] - shape->start[i] < 3) {
            abort();
        }
    }
    for (int i = 0; i < shape->start[shape->contours]; i++) {
        float x = shape->x[i], y = shape->y[i];
        if (!(x >= -0.51f && x <= 0.51f && y >= -0.51f && y <= 0.51f)) {
            abort();
        }
    }
}

static void line_check(const struct shape *shape, double y)
{
    float span[SHAPE_POINTS_MAX];
    int spans = calib_shape_spans(shape, y, span);

    for (int col = 0; col < 16; col++) {
        double x = (col + 0.5) / 16 - 0.5;
        bool inside = false;
        for (int i = 0; i < spans; i++) {
            inside = inside || (x >= (double)span[2 * i] && x < (double)span[2 * i + 1]);
        }
        if (inside != calib_shape_covers(shape, x, y)) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct shape shape;
    const char *why = NULL;

    if (size < 1) {
        return 0;
    }
    int error = calib_shape_parse((const char *)data + 1, size - 1, data[0] & 1, &shape, &why);
    if (!why || (error && shape.contours != 0)) {
        abort();
    }
    if (error) {
        return 0;
    }
    contours_check(&shape);
    for (int row = 0; row < 16; row++) {
        line_check(&shape, (row + 0.5) / 16 - 0.5);
    }
    (void)calib_shape_symmetry(&shape);
    return 0;
}
