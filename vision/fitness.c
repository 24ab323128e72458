/* vision/fitness.c: see fitness.h. */
#include "vision/fitness.h"

#include "calib/symbol.h"
#include "vision/tag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Around a tag's black square lies a module of white, within it one of black. */
#define PLACES 6 /* along each side */

static double luma_at(const struct frame *frame, double x, double y)
{
    long column = lround(x), row = lround(y);
    if (column < 0 || row < 0 || column >= frame->width || row >= frame->height)
        return -1;
    return calib_srgb_to_linear(frame->y[(size_t)row * frame->y_stride + (size_t)column]);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare_doubles);
    return count ? (value[(count - 1) / 2] + value[count / 2]) / 2 : 0;
}

/* Median over the middle of a ring one module wide; `out` modules outward of the square's edge.
 * Medians, as fingers and glints lie over some of it. */
static double ring_luma(const struct frame *frame, const double corner[4][2], double out)
{
    double value[4 * PLACES], margin = out / TAG_MODULES;
    int count = 0;
    for (int side = 0; side < 4; side++)
        for (int i = 0; i < PLACES; i++) {
            double along = (i + 0.5) / PLACES, u, v;
            u = side == 0 ? -margin : side == 1 ? 1 + margin : along;
            v = side == 2 ? -margin : side == 3 ? 1 + margin : along;
            double px[2];
            for (int k = 0; k < 2; k++) /* near enough: a tag is small against its distance */
                px[k] = (1 - v) * ((1 - u) * corner[0][k] + u * corner[1][k]) +
                        v * ((1 - u) * corner[3][k] + u * corner[2][k]);
            double luma = luma_at(frame, px[0], px[1]);
            if (luma >= 0)
                value[count++] = luma;
        }
    return count ? median(value, count) : -1;
}

void vision_fitness_measure(const struct frame *frame, const struct mat_pose *pose,
                            struct fitness *out)
{
    double black[MAT_TAGS_MAX], white[MAT_TAGS_MAX];
    memset(out, 0, sizeof *out);
    for (int i = 0; i < pose->sightings; i++) {
        const double(*corner)[2] = pose->sighting[i].corner;
        double in = ring_luma(frame, corner, -0.5), around = ring_luma(frame, corner, 0.5);
        if (in < 0 || around <= 0)
            continue;
        black[out->tags] = in / around;
        white[out->tags++] = around;
    }
    out->black = median(black, out->tags);
    out->white = median(white, out->tags);
}
