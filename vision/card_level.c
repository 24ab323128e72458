/* vision/card_level.c: see card_level.h. */
#include "vision/card_level.h"

#include <math.h>
#include <string.h>

#define TICK_SAMPLES 48 /* along the middle of a side: 24 mm */
#define TICK_DEPTHS 4
#define TICK_FINE 20   /* entries to a mm */
#define TICK_TABLE 128 /* 6.4 mm: farther than any blur that can be read reaches */
#define TICK_SHIFTS 5  /* of TICK_SHIFT_MM: the square's own error */
#define TICK_MIDDLE 2  /* the one that shifts nothing */
#define TICK_SHIFT_MM 0.3
#define TICK_NEWS_MOST 24.0 /* independent pixels along a profile of 24 mm at best */
#define TICK_FLOOR 0.0004f  /* mean square that a perfect template still misses */
#define TICK_WORST 12.0f    /* of one side: one covered side must not outvote three */
/* A level must lead the next by this much in log likelihood, and neither ticks nor colour may
 * speak against it by more than the second: both must agree. */
#define LEVEL_MARGIN 4.0f
#define LEVEL_AGAINST 2.5f

void vision_level_init(struct level_reader *reader, const struct cardstyle *style)
{
    const struct rgb8 white = {0xFA, 0xF9, 0xF6};
    for (int level = 1; level <= CARD_LEVELS; level++)
        vision_card_colour_init(&reader->colour[level], style->border[level], white);
}

/* Soft profiles of every level's ticks at every shift, free of mean and slope. */
struct tick_set {
    double step_mm;
    float slope[TICK_SAMPLES], slope_square; /* the samples' places from the middle */
    float shape[CARD_LEVELS + 1][TICK_SHIFTS][TICK_SAMPLES];
    float square[CARD_LEVELS + 1][TICK_SHIFTS];
};

/* Takes mean and slope out of a profile; returns the sum of squares that is left. */
static float profile_level(const struct tick_set *set, float profile[TICK_SAMPLES])
{
    float mean = 0, slope = 0, square = 0;
    for (int i = 0; i < TICK_SAMPLES; i++) {
        mean += profile[i];
        slope += profile[i] * set->slope[i];
    }
    mean /= TICK_SAMPLES;
    slope /= set->slope_square;
    for (int i = 0; i < TICK_SAMPLES; i++) {
        profile[i] -= mean + slope * set->slope[i];
        square += profile[i] * profile[i];
    }
    return square;
}

/* A tick's blurred profile by distance from its middle, in TICK_FINE parts of a mm. */
static void tick_soften(const struct cardstyle *style, double sigma_mm, float soft[TICK_TABLE])
{
    double half = style->tick_width_mm / 2, scale = 1 / (sigma_mm * M_SQRT2);
    for (int i = 0; i < TICK_TABLE; i++) {
        double u = (double)i / TICK_FINE;
        soft[i] = (float)(0.5 * (erf((u + half) * scale) - erf((u - half) * scale)));
    }
}

static void tick_set_init(const struct cardstyle *style, double sigma_mm, struct tick_set *set)
{
    float soft[TICK_TABLE];
    tick_soften(style, sigma_mm, soft);
    /* the widest level and half a pitch and more of bare border to either side */
    set->step_mm = (CARD_LEVELS + 1.5) * style->tick_pitch_mm / TICK_SAMPLES;
    set->slope_square = 0;
    for (int i = 0; i < TICK_SAMPLES; i++) {
        set->slope[i] = (float)i - (TICK_SAMPLES - 1) / 2.0f;
        set->slope_square += set->slope[i] * set->slope[i];
    }
    for (int level = 1; level <= CARD_LEVELS; level++)
        for (int k = 0; k < TICK_SHIFTS; k++) {
            float *shape = set->shape[level][k];
            memset(shape, 0, sizeof set->shape[level][k]);
            for (int t = 0; t < level; t++) {
                double at = (t - (level - 1) / 2.0) * style->tick_pitch_mm +
                            (k - TICK_MIDDLE) * TICK_SHIFT_MM;
                for (int i = 0; i < TICK_SAMPLES; i++) {
                    double u = fabs((double)set->slope[i] * set->step_mm - at) * TICK_FINE;
                    if (u < TICK_TABLE - 1)
                        shape[i] += soft[(int)(u + 0.5)];
                }
            }
            set->square[level][k] = profile_level(set, shape) + 1e-6f;
        }
}

static float patch_luma(const struct patch *patch, float x, float y)
{
    int ix = (int)x, iy = (int)y, at = iy * patch->width + ix;
    float fx = x - (float)ix, fy = y - (float)iy, value[2];
    for (int row = 0; row < 2; row++) {
        const float *p = patch->rgb + 3 * (at + row * patch->width);
        float near = 0.3f * p[0] + 0.5f * p[1] + 0.2f * p[2];
        float next = 0.3f * p[3] + 0.5f * p[4] + 0.2f * p[5];
        value[row] = near + fx * (next - near);
    }
    return value[0] + fy * (value[1] - value[0]);
}

/* Brightness across the ticks of a side, from the patch itself; false when out of it. */
static bool tick_profile(const struct cardstyle *style, const struct patch *patch,
                         const struct square_axes *axes, int side, double step_mm,
                         float profile[TICK_SAMPLES])
{
    static const float normal[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const float *n = normal[side];
    double half = style->size_mm / 2;
    double shallow = fmax(style->tick_inset_mm + 0.4, 0.25 * style->border_mm);
    double deep = style->border_mm - shallow;
    for (int i = 0; i < TICK_SAMPLES; i++) {
        profile[i] = 0;
        for (int d = 0; d < TICK_DEPTHS; d++) {
            float along = (float)((i - (TICK_SAMPLES - 1) / 2.0) * step_mm), x, y;
            float across = (float)(half - shallow - (deep - shallow) * d / (TICK_DEPTHS - 1));
            vision_square_axes_at(axes, n[0] * across - n[1] * along, n[1] * across + n[0] * along,
                                  &x, &y);
            if (!(x >= 0 && y >= 0 && x < (float)(patch->width - 1) &&
                  y < (float)(patch->height - 1)))
                return false;
            profile[i] += patch_luma(patch, x, y) / TICK_DEPTHS;
        }
    }
    return true;
}

/* Adds one side's log likelihood of every level: what its ticks, of any strength, leave of the
 * profile, whose mean and slope are taken out. */
static void side_score(const struct tick_set *set, float profile[TICK_SAMPLES], float news,
                       float score[CARD_LEVELS + 1])
{
    float left[CARD_LEVELS + 1], best = INFINITY, mean = 0;
    for (int i = 0; i < TICK_SAMPLES; i++)
        mean += profile[i] / TICK_SAMPLES;
    float square = profile_level(set, profile);
    for (int level = 1; level <= CARD_LEVELS; level++) {
        left[level] = square;
        for (int k = 0; k < TICK_SHIFTS; k++) {
            float along = 0;
            for (int i = 0; i < TICK_SAMPLES; i++)
                along += set->shape[level][k][i] * profile[i];
            if (along > 0) /* ticks are lighter than their border */
                left[level] = fminf(left[level], square - along * along / set->square[level][k]);
        }
        left[level] = fmaxf(left[level], 0);
        best = fminf(best, left[level]);
    }
    float floor = TICK_FLOOR * TICK_SAMPLES * mean * mean + 1e-12f;
    for (int level = 1; level <= CARD_LEVELS; level++)
        score[level] -= fminf(news / 2 * logf((left[level] + floor) / (best + floor)), TICK_WORST);
}

static void ticks_score(const struct cardstyle *style, const struct patch *patch,
                        const struct card_square *square, double px_per_mm,
                        float score[CARD_LEVELS + 1])
{
    double print = square->size_mm / style->size_mm;
    double patch_px = 0.3 / (patch->px_per_mm * print), picture_px = 0.6 / px_per_mm;
    struct tick_set set;
    struct square_axes axes;
    tick_set_init(style, hypot(patch_px, picture_px), &set);
    vision_square_axes(square, patch, print, &axes);
    float news = (float)fmin(TICK_NEWS_MOST, set.step_mm * TICK_SAMPLES * px_per_mm * 0.7);
    memset(score, 0, (CARD_LEVELS + 1) * sizeof *score);
    for (int side = 0; side < 4; side++) {
        float profile[TICK_SAMPLES];
        if (tick_profile(style, patch, &axes, side, set.step_mm, profile))
            side_score(&set, profile, news, score);
    }
}

/* Best of the scores, and its lead. */
static int score_best(const float score[CARD_LEVELS + 1], float *margin)
{
    int best = 1;
    float next = -INFINITY;
    for (int level = 2; level <= CARD_LEVELS; level++)
        if (score[level] > score[best])
            best = level;
    for (int level = 1; level <= CARD_LEVELS; level++)
        if (level != best)
            next = fmaxf(next, score[level]);
    *margin = score[best] - next;
    return best;
}

void vision_level_read(const struct level_reader *reader, const struct cardstyle *style,
                       const struct patch *patch, const struct card_square *square,
                       const struct face_frame *frame, const float white[3], double px_per_mm,
                       struct level_reading *out)
{
    float ticks[CARD_LEVELS + 1], colour[CARD_LEVELS + 1], ratio[3];
    ticks_score(style, patch, square, px_per_mm, ticks);
    for (int c = 0; c < 3; c++)
        ratio[c] = white[c] > 0 ? fminf(frame->border_rgb[c] / white[c], 1.2f) : 1;
    for (int level = 1; level <= CARD_LEVELS; level++) {
        colour[level] = vision_card_colour_score(&reader->colour[level], ratio);
        out->score[level] = ticks[level] + colour[level];
    }
    out->by_ticks = score_best(ticks, &out->ticks_margin);
    out->by_colour = score_best(colour, &out->colour_margin);
    out->level = score_best(out->score, &out->margin);
    if (out->margin < LEVEL_MARGIN || ticks[out->by_ticks] - ticks[out->level] > LEVEL_AGAINST ||
        colour[out->by_colour] - colour[out->level] > LEVEL_AGAINST)
        out->level = 0;
}
