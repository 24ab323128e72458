/* vision/card_level.c: see card_level.h. */
#include "vision/card_level.h"

#include <math.h>
#include <string.h>

#define TICK_STEP_MM 0.5
#define TICK_SAMPLES 48      /* along the middle of a side: 24 mm */
#define TICK_DEPTHS 4
#define TICK_SHIFTS 5        /* of TICK_SHIFT_MM: the square's own error */
#define TICK_SHIFT_MM 0.3
#define TICK_NEWS_MOST 24.0  /* independent pixels along a profile of 24 mm at best */
#define TICK_FLOOR 0.0004f   /* mean square that a perfect template still misses */
#define TICK_WORST 12.0f     /* of one side: one covered side must not outvote three */
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

/* Brightness across the ticks of a side, from the patch itself; false when out of it. */
static bool tick_profile(const struct cardstyle *style, const struct patch *patch,
                         const struct card_square *square, int side, double step_mm,
                         float profile[TICK_SAMPLES])
{
    static const double normal[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const double *n = normal[side];
    double print = square->size_mm / style->size_mm, half = style->size_mm / 2;
    double shallow = fmax(style->tick_inset_mm + 0.4, 0.25 * style->border_mm);
    double deep = style->border_mm - shallow;
    for (int i = 0; i < TICK_SAMPLES; i++) {
        float sum = 0;
        for (int d = 0; d < TICK_DEPTHS; d++) {
            double along = (i - (TICK_SAMPLES - 1) / 2.0) * step_mm * print, mm[2], x, y;
            double across = print * (half - shallow - (deep - shallow) * d / (TICK_DEPTHS - 1));
            vision_card_square_to_mm(square, n[0] * across - n[1] * along,
                                     n[1] * across + n[0] * along, mm);
            vision_patch_from_mm(patch, mm, &x, &y);
            if (!(x >= 0 && y >= 0 && x < patch->width - 1 && y < patch->height - 1))
                return false;
            int ix = (int)x, iy = (int)y, at = iy * patch->width + ix;
            float fx = (float)(x - ix), fy = (float)(y - iy);
            const float *a = patch->rgb + 3 * at, *b = a + 3 * patch->width;
            float value[4];
            for (int k = 0; k < 4; k++) {
                const float *p = k < 2 ? a + 3 * k : b + 3 * (k - 2);
                value[k] = 0.3f * p[0] + 0.5f * p[1] + 0.2f * p[2];
            }
            float top = value[0] + fx * (value[1] - value[0]);
            sum += top + fy * (value[2] + fx * (value[3] - value[2]) - top);
        }
        profile[i] = sum / TICK_DEPTHS;
    }
    return true;
}

/* Ticks as a soft profile: the middle of a blurred box, summed over the level's ticks. */
static float tick_at(const struct cardstyle *style, int level, double x_mm, double sigma_mm)
{
    double sum = 0;
    for (int k = 0; k < level; k++) {
        double u = x_mm - (k - (level - 1) / 2.0) * style->tick_pitch_mm;
        double half = style->tick_width_mm / 2, scale = 1 / (sigma_mm * M_SQRT2);
        if (fabs(u) < half + 4 * sigma_mm)
            sum += 0.5 * (erf((u + half) * scale) - erf((u - half) * scale));
    }
    return (float)sum;
}

struct sums {
    double n, x, xx, p, px, pp, t, tt, tx, tp;
};

/* What a level's ticks leave of a profile, after level, slope and the ticks' strength are fitted;
 * `strength` is set. */
static double tick_left(const float *profile, const float *ticks, double *strength)
{
    double mean_p = 0, mean_t = 0, xx = 0, xp = 0, xt = 0, tt = 0, tp = 0, pp = 0;
    for (int i = 0; i < TICK_SAMPLES; i++) {
        mean_p += (double)profile[i] / TICK_SAMPLES;
        mean_t += (double)ticks[i] / TICK_SAMPLES;
    }
    for (int i = 0; i < TICK_SAMPLES; i++) {
        double x = i - (TICK_SAMPLES - 1) / 2.0, p = (double)profile[i] - mean_p;
        double t = (double)ticks[i] - mean_t;
        xx += x * x;
        xp += x * p;
        xt += x * t;
        tt += t * t;
        tp += t * p;
        pp += p * p;
    }
    /* take the slope out of both, then regress one on the other */
    pp -= xp * xp / xx;
    tt -= xt * xt / xx;
    tp -= xt * xp / xx;
    *strength = tt > 1e-9 ? tp / tt : 0;
    return *strength > 0 ? fmax(pp - tp * tp / tt, 0) : pp;
}

/* Adds one side's log likelihood of every level. */
static void side_score(const struct cardstyle *style, const float *profile, double step_mm,
                       double sigma_mm, float news, float score[CARD_LEVELS + 1])
{
    double left[CARD_LEVELS + 1], best = INFINITY, mean = 0;
    for (int i = 0; i < TICK_SAMPLES; i++)
        mean += (double)profile[i] / TICK_SAMPLES;
    for (int level = 1; level <= CARD_LEVELS; level++) {
        left[level] = INFINITY;
        for (int k = 0; k < TICK_SHIFTS; k++) {
            float ticks[TICK_SAMPLES];
            double shift = (k - TICK_SHIFTS / 2) * TICK_SHIFT_MM, strength;
            for (int i = 0; i < TICK_SAMPLES; i++)
                ticks[i] = tick_at(style, level,
                                   (i - (TICK_SAMPLES - 1) / 2.0) * step_mm - shift, sigma_mm);
            left[level] = fmin(left[level], tick_left(profile, ticks, &strength));
        }
        best = fmin(best, left[level]);
    }
    double floor = TICK_FLOOR * TICK_SAMPLES * mean * mean + 1e-12;
    for (int level = 1; level <= CARD_LEVELS; level++) {
        double lost = news / 2 * (float)log((left[level] + floor) / (best + floor));
        score[level] -= fminf((float)lost, TICK_WORST);
    }
}

static void ticks_score(const struct cardstyle *style, const struct patch *patch,
                        const struct card_square *square, double px_per_mm,
                        float score[CARD_LEVELS + 1])
{
    /* the widest level and half a pitch of bare border to either side */
    double step = (CARD_LEVELS + 1.5) * style->tick_pitch_mm / TICK_SAMPLES;
    double print = square->size_mm / style->size_mm;
    double patch_px = 0.3 / (patch->px_per_mm * print), picture_px = 0.6 / px_per_mm;
    double sigma = hypot(patch_px, picture_px);
    float news = (float)fmin(TICK_NEWS_MOST, step * TICK_SAMPLES * px_per_mm * 0.7);
    memset(score, 0, (CARD_LEVELS + 1) * sizeof *score);
    for (int side = 0; side < 4; side++) {
        float profile[TICK_SAMPLES];
        if (tick_profile(style, patch, square, side, step, profile))
            side_score(style, profile, step, sigma, news, score);
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
                       const struct face *face, const struct patch *patch,
                       const struct card_square *square, const struct face_frame *frame,
                       const float white[3], double px_per_mm, struct level_reading *out)
{
    float ticks[CARD_LEVELS + 1], colour[CARD_LEVELS + 1], ratio[3];
    (void)face;
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
    if (out->margin < LEVEL_MARGIN ||
        ticks[out->by_ticks] - ticks[out->level] > LEVEL_AGAINST ||
        colour[out->by_colour] - colour[out->level] > LEVEL_AGAINST)
        out->level = 0;
}
