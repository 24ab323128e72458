/* vision/cellcolour.c: see cellcolour.h. */
#include "vision/cellcolour.h"

#include "vision/four.h"

#include <math.h>
#include <string.h>

/* Standard error of a field's colour over white's, in display units (gamma 1/2.2): cameras'
 * saturation and contrast curves move colours by this much from the printed ones. */
#define COLOUR_SIGMA 0.07f

/* The print counts as much as this many cells of the picture. */
#define PALETTE_PRIOR 2.0f

/* Beyond this a cell took another's colours, rather than a camera having turned them. */
#define DRIFT_MOST 2.0f

/* Ringing and noise move a dark channel by some hundredths of white, which gamma would blow up. */
#define DISPLAY_TOE 0.02f

#define DISPLAY_MOST 1.5f
#define DISPLAY_LEAST 0.015625f /* less than the toe: only what is below 0 comes to it */

/* The toed channels' roots, to 2e-6 of them: a polynomial over the mantissa (Chebyshev's, of fifth
 * degree), times the root of the power of two. The library's power takes several times as long, and
 * each fit of a cell asks for a hundred. */
static four display_units(four linear)
{
    static const float power[] = {1,           0.72974005f, 0.53252054f, 0.38860157f,
                                  0.28357813f, 0.20693832f, 0.15101118f}; /* 2^(-i / 2.2) */
    four x = linear + DISPLAY_TOE;
    x = four_where(x < DISPLAY_MOST, x, (four){0} + DISPLAY_MOST);
    x = four_where(x > DISPLAY_LEAST, x, (four){0} + DISPLAY_LEAST);
    four_whole bits = (four_whole)x, halvings = 127 - (bits >> 23);
    four m = (four)((bits & 0x7fffff) | 0x3f800000);
    four root = 0.33768878f +
                m * (0.98935885f +
                     m * (-0.48514615f + m * (0.2021896f + m * (-0.04924247f + m * 0.0051529f))));
    return root * (four){power[halvings[0]], power[halvings[1]], power[halvings[2]],
                         power[halvings[3]]};
}

static four four_of(const float channel[3])
{
    return (four){channel[0], channel[1], channel[2], 0};
}

void vision_palette_print(const float (*field)[3], int symbols, struct palette *palette)
{
    memset(palette, 0, sizeof *palette);
    for (int s = 0; s < symbols; s++)
        memcpy(palette->field[s], field[s], sizeof palette->field[s]);
    memcpy(palette->printed, palette->field, sizeof palette->printed);
    palette->spread = 1;
}

static float palette_drift(const struct palette *palette)
{
    float sum = 0;
    int learnt = 0;
    for (int s = 0; s < CELL_SYMBOLS_MAX; s++) {
        if (palette->weight[s] <= 0)
            continue;
        learnt++;
        four d = display_units(four_of(palette->field[s])) -
                 display_units(four_of(palette->printed[s]));
        sum += four_sum(d * d) / (COLOUR_SIGMA * COLOUR_SIGMA);
    }
    float drift = learnt ? sum / (float)learnt : 0;
    return drift < DRIFT_MOST ? drift : DRIFT_MOST;
}

void vision_palette_learn(struct palette *palette, const struct cell_fit *fit)
{
    int s = fit->best;
    float held = PALETTE_PRIOR + palette->weight[s];
    for (int c = 0; c < 3; c++)
        palette->field[s][c] =
            (palette->field[s][c] * held + fmaxf(fit->ratio[s][c], 0)) / (held + 1);
    palette->weight[s] += 1;
    palette->drift = palette_drift(palette);
}

float vision_palette_width(const struct palette *palette, int symbol)
{
    float unseen = PALETTE_PRIOR / (PALETTE_PRIOR + palette->weight[symbol]);
    return 1 / ((1 + palette->drift * unseen) * palette->spread);
}

/* A veil this large, as a share of white, is worth one standard error: most cells have none, but
 * where a lamp or window is mirrored nearby (samples marked as glare) large ones are common. */
#define VEIL_SIGMA 0.12f
#define VEIL_SIGMA_GLARE 0.6f /* more, for a cell that is all glare */

/* White at or above this (linear) is being cut off or bent down by the sensor: it may have been
 * brighter, and the field's true share of it smaller, down to the second number times. */
#define WHITE_CUT 0.8f
#define CUT_SHARE_LEAST 0.6f

float vision_colour_distance(const float ratio[3], const float white[3], const float field[3],
                             float glare)
{
    float sigma = VEIL_SIGMA + VEIL_SIGMA_GLARE * glare, best = 1e9f;
    four measured = four_of(ratio), print = four_of(field), shown = display_units(measured);
    four_whole cut = four_of(white) > WHITE_CUT;
    four least = shown;
    if (four_any(cut))
        least = four_where(cut, display_units(measured * CUT_SHARE_LEAST), shown);
    for (int step = 0; step <= 6; step++) {
        float veil = 0.025f * (float)(step * step); /* 0 .. 0.9 of white */
        float sum = veil * veil / (sigma * sigma);
        if (sum >= best)
            break; /* and larger veils cost more still */
        four expected = display_units((print + veil) / (1 + veil));
        four above = four_where(least > expected, least - expected, (four){0});
        four d = four_where(shown > expected, above, shown - expected);
        sum += (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (COLOUR_SIGMA * COLOUR_SIGMA);
        best = sum < best ? sum : best;
    }
    return best;
}
