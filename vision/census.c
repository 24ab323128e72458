/* vision/census.c: see census.h. */
#include "vision/census.h"

#include <math.h>
#include <stdlib.h>

/* A shape is sure when its template leaves little and every other's half as much again. */
#define SURE_LEFT_MOST 0.3f
#define SURE_RATIO 1.5f
/* A colour is another symbol's when that one's lies nearer by this, in squared standard errors: one
 * in seven against it. Symbols that share a colour never differ by so much. */
#define ASTRAY_LEAST 4.0f
/* None of the cells does in fair pictures, whatever their lamp, white balance or exposure; one in
 * twenty where white is burnt out. With hues turned by 60 degrees, or a quarter of the saturation,
 * it is a third to all. One cell alone may be a misprint. */
#define ASTRAY_SHARE 0.2
#define ASTRAY_CELLS 2
/* A lamp that lacks one part of the light, as a warm bulb does blue, makes one symbol's colour look
 * like another's (purple like red) while the others' stay apart: what was learnt of that symbol
 * from its shapes then tells it. Hues that were turned turn for all. */
#define ASTRAY_SYMBOLS 2
/* Less than this share of the print's colour is called grey. */
#define GREY_SHARE 0.5f
/* Median of the squared distances up to which they are as supposed: three channels give 2.4, fair
 * pictures up to 3.6. */
#define OFF_USUAL 4.0f

static float tone(float linear)
{
    return sqrtf(linear > 0 ? linear : 0); /* near enough to what a display shows */
}

static float strength(const float rgb[3])
{
    float most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])), least = fminf(rgb[0], fminf(rgb[1], rgb[2]));
    return tone(most) - tone(least);
}

void vision_census_add(struct colour_census *census, const struct palette *palette, int symbols,
                       const struct cell_fit *fit)
{
    int best = 0;
    float second = 1, nearest = INFINITY;
    for (int k = 1; k < symbols; k++)
        best = fit->left[k] < fit->left[best] ? k : best;
    for (int k = 0; k < symbols; k++) {
        second = k != best && fit->left[k] < second ? fit->left[k] : second;
        nearest = fit->off[k] < nearest ? fit->off[k] : nearest;
    }
    if (!fit->seen || fit->through_glare || fit->left[best] > SURE_LEFT_MOST ||
        second < SURE_RATIO * fit->left[best] || census->cells == CENSUS_CELLS_MAX)
        return;
    census->off[census->cells++] = fit->off[best];
    if (fit->off[best] - nearest > ASTRAY_LEAST) {
        census->astray++;
        census->astray_symbols |= 1u << best;
    }
    census->shown += strength(fit->ratio[best]);
    census->printed += strength(palette->printed[best]);
}

enum reason vision_census_refuse(const struct colour_census *census)
{
    if (census->astray < ASTRAY_CELLS || census->astray < ASTRAY_SHARE * census->cells ||
        __builtin_popcount(census->astray_symbols) < ASTRAY_SYMBOLS)
        return REASON_COUNT;
    return census->shown < GREY_SHARE * census->printed ? REASON_NO_COLOUR : REASON_FALSE_COLOUR;
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

float vision_census_spread(struct colour_census *census)
{
    if (census->cells == 0)
        return 1;
    qsort(census->off, (size_t)census->cells, sizeof *census->off, compare_floats);
    return fmaxf(census->off[census->cells / 2] / OFF_USUAL, 1);
}
