#include "calib/symbol.h"

#include <math.h>
#include <string.h>

/* How far the field reaches left and right of the cell's centre at height v; below 0 outside. */
static double field_reach(double rim, double v)
{
    double half = 0.5 - rim;
    double over = fabs(v) - (half - SYMBOL_FIELD_CORNER_CELLS); /* into the rows of the corners */

    if (!(fabs(v) <= half)) {
        return -1.0;
    }
    if (over <= 0.0) {
        return half;
    }
    return half - SYMBOL_FIELD_CORNER_CELLS + sqrt(SYMBOL_FIELD_CORNER_CELLS * SYMBOL_FIELD_CORNER_CELLS - over * over);
}

int calib_symbol_at(const struct symbol *symbol, double rim, double u, double v)
{
    double side = 1.0 - 2.0 * rim;

    if (!(fabs(u) <= field_reach(rim, v)) || !(side > 0.0)) {
        return 0;
    }
    return calib_shape_covers(&symbol->shape, u / side, v / side) ? 2 : 1;
}

/* Adds one line of sample points at height v, `side` x `samples` of them, to a row of pixels. */
static void line_draw(const struct symbol *symbol, double rim, double v, int side, int samples,
                      float *field, float *ink)
{
    float span[SHAPE_POINTS_MAX];
    double reach = field_reach(rim, v), scale = 1.0 - 2.0 * rim;
    const float share = 1.0f / (float)(samples * samples);
    int points = side * samples, spans, at = 0;

    if (reach < 0.0) {
        return;
    }
    spans = calib_shape_spans(&symbol->shape, v / scale, span);
    for (int i = 0; i < points; i++) {
        double u = (i + 0.5) / points - 0.5, x = u / scale;
        if (!(fabs(u) <= reach)) {
            continue;
        }
        field[i / samples] += share;
        while (at < spans && x >= (double)span[2 * at + 1]) {
            at++;
        }
        if (at < spans && x >= (double)span[2 * at]) {
            ink[i / samples] += share;
        }
    }
}

void calib_symbol_draw(const struct symbol *symbol, double rim, int side, int samples, float *field,
                       float *ink)
{
    if (side <= 0) {
        return;
    }
    samples = samples < 1 ? 1 : samples > 8 ? 8 : samples;
    size_t count = (size_t)side * (size_t)side;
    memset(field, 0, count * sizeof *field);
    memset(ink, 0, count * sizeof *ink);
    if (!(rim >= 0.0 && rim < 0.5)) {
        return;
    }
    for (int line = 0; line < side * samples; line++) {
        size_t row = (size_t)(line / samples) * (size_t)side;
        double v = (line + 0.5) / (side * samples) - 0.5;
        line_draw(symbol, rim, v, side, samples, field + row, ink + row);
    }
    for (size_t i = 0; i < count; i++) { /* 1 may come out a rounding above */
        field[i] = fminf(field[i], 1.0f);
        ink[i] = fminf(ink[i], 1.0f);
    }
}
