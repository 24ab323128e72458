/* tests/unit/patch_scene.h: prints cells of a set straight into a patch, as a lens without faults
 * would show them from above, for the tests of what is read on patches. */
#ifndef TESTS_UNIT_PATCH_SCENE_H
#define TESTS_UNIT_PATCH_SCENE_H

#include "calib/symbol.h"
#include "tests/draw/random.h"
#include "vision/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATCH_CELLS_MAX 16

struct patch_cell {
    int symbol; /* index in the set */
    double x, y, turn_rad, side_px;
};

struct patch_scene {
    const struct blockset *set;
    int width, height;
    float lamp[3];  /* light that white sends back */
    float paper[3]; /* between the cells, as a share of white */
    double soft_px; /* side of the box that a pixel sees */
    float noise;    /* standard deviation, linear */
    uint64_t seed;
    int cells;
    struct patch_cell cell[PATCH_CELLS_MAX];
};

static inline struct patch_scene patch_scene_start(const struct blockset *set, int width,
                                                   int height)
{
    struct patch_scene s = {.set = set,
                            .width = width,
                            .height = height,
                            .lamp = {0.7f, 0.7f, 0.7f},
                            .paper = {0.95f, 0.95f, 0.95f},
                            .soft_px = 1.5,
                            .noise = 0.004f};
    return s;
}

static inline void patch_print(const struct patch_scene *s, double x, double y, float rgb[3])
{
    memcpy(rgb, s->paper, sizeof s->paper);
    for (int i = 0; i < s->cells; i++) {
        const struct patch_cell *cell = &s->cell[i];
        double c = cos(cell->turn_rad), n = sin(cell->turn_rad);
        double dx = (x - cell->x) / cell->side_px, dy = (y - cell->y) / cell->side_px;
        double u = c * dx + n * dy, v = c * dy - n * dx;
        if (fabs(u) > 0.5 || fabs(v) > 0.5)
            continue;
        const struct symbol *symbol = &s->set->symbol[cell->symbol];
        int what = calib_symbol_at(symbol, s->set->rim, u, v);
        const struct rgb8 white = {255, 255, 255};
        struct rgb8 ink = what == 0 ? white : what == 1 ? symbol->field : symbol->ink;
        rgb[0] = (float)calib_srgb_to_linear(ink.r);
        rgb[1] = (float)calib_srgb_to_linear(ink.g);
        rgb[2] = (float)calib_srgb_to_linear(ink.b);
    }
}

/* Fills the patch (all zero, or one of these before); vision_patch_free at the end. Half a
 * millimetre to a px. False for no memory. */
static inline bool patch_scene_draw(const struct patch_scene *s, struct patch *patch)
{
    enum { SUB = 3 };
    struct draw_random random = draw_random_seed(s->seed, 1);
    size_t pixels = (size_t)s->width * (size_t)s->height;
    vision_patch_free(patch);
    patch->width = s->width;
    patch->height = s->height;
    patch->px_per_mm = 2;
    patch->rgb = calloc(pixels * 3 + 1, sizeof *patch->rgb);
    patch->flag = calloc(pixels, 1);
    patch->capacity = (int)pixels;
    if (patch->rgb == NULL || patch->flag == NULL)
        return false;
    for (size_t i = 0; i < pixels; i++) {
        float *out = patch->rgb + 3 * i;
        for (int k = 0; k < SUB * SUB; k++) {
            float rgb[3];
            patch_print(
                s, (double)(i % (size_t)s->width) + ((k % SUB + 0.5) / SUB - 0.5) * s->soft_px,
                (double)(i / (size_t)s->width) + ((k / SUB + 0.5) / SUB - 0.5) * s->soft_px, rgb);
            for (int c = 0; c < 3; c++)
                out[c] += rgb[c] * s->lamp[c] / (SUB * SUB);
        }
        for (int c = 0; c < 3; c++)
            out[c] = fmaxf(0, out[c] + s->noise * (float)draw_random_normal(&random));
    }
    return true;
}

/* The whiteness that vision_whiteness gives under that lamp, into width * height floats. */
static inline void patch_scene_whiteness(const struct patch_scene *s, const struct patch *patch,
                                         float *out)
{
    for (int i = 0; i < patch->width * patch->height; i++) {
        const float *rgb = patch->rgb + 3 * i;
        out[i] = fminf(rgb[0] / s->lamp[0], fminf(rgb[1] / s->lamp[1], rgb[2] / s->lamp[2]));
    }
}

#endif
