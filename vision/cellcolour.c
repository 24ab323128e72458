/* vision/cellcolour.c: see cellcolour.h. */
#include "vision/cellcolour.h"

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

static float display_unit(float linear)
{
    float toed = linear + DISPLAY_TOE;
    return powf(toed < 0 ? 0 : toed > 1.5f ? 1.5f : toed, 1 / 2.2f);
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
        for (int c = 0; c < 3; c++) {
            float d = display_unit(palette->field[s][c]) - display_unit(palette->printed[s][c]);
            sum += d * d / (COLOUR_SIGMA * COLOUR_SIGMA);
        }
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
    float sigma = VEIL_SIGMA + VEIL_SIGMA_GLARE * glare, best = 1e9f, shown[3], least[3];
    for (int c = 0; c < 3; c++) {
        shown[c] = display_unit(ratio[c]);
        least[c] = white[c] > WHITE_CUT ? display_unit(ratio[c] * CUT_SHARE_LEAST) : shown[c];
    }
    for (int step = 0; step <= 6; step++) {
        float veil = 0.025f * (float)(step * step); /* 0 .. 0.9 of white */
        float sum = veil * veil / (sigma * sigma);
        if (sum >= best)
            break; /* and larger veils cost more still */
        for (int c = 0; c < 3; c++) {
            float expected = display_unit((field[c] + veil) / (1 + veil)), d = shown[c] - expected;
            if (d > 0)
                d = least[c] > expected ? least[c] - expected : 0;
            sum += d * d / (COLOUR_SIGMA * COLOUR_SIGMA);
        }
        best = sum < best ? sum : best;
    }
    return best;
}
