/* vision/cellsteer.c: see cellsteer.h. */
#include "vision/cellsteer.h"

#include "vision/four.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Every second sample, as on a chessboard, is enough to steer by. */
enum { STEER_ROW = CELL_SIDE / 2, STEER_SAMPLES = CELL_SIDE * STEER_ROW };

/* What a place is steered by: a template and the whiteness around. */
struct steering {
    const struct patch *patch;
    const float *whiteness;
    float u[STEER_SAMPLES], v[STEER_SAMPLES]; /* samples' places, in cells from the centre */
    float tone[STEER_SAMPLES];
    float tones, squares; /* sums of tone and of its squares */
    uint8_t shun;         /* samples with these flags are left out */
    bool clear;           /* no px within reach has such a flag */
};

/* Sums over the samples that count. */
struct steer_sums {
    float n, tones, squares, white, cross, whites;
};

static inline float white_between(const float *a, int width, float fx, float fy)
{
    const float *b = a + width;
    float top = a[0] + fx * (a[1] - a[0]), low = b[0] + fx * (b[1] - b[0]);
    return top + fy * (low - top);
}

/* Four samples: the px left of and above each, and how far beyond it the sample lies. */
struct four_places {
    four_whole at;
    four fx, fy;
};

static inline struct four_places places_of(int width, four x, four y)
{
    four left = __builtin_convertvector(__builtin_convertvector(x, four_whole), four);
    four top = __builtin_convertvector(__builtin_convertvector(y, four_whole), four);
    /* a patch has few enough px for floats to count them */
    return (struct four_places){__builtin_convertvector(top * (float)width + left, four_whole),
                                x - left, y - top};
}

static inline four whites_at(const float *whiteness, int width, const struct four_places *p)
{
    const float *a = whiteness + p->at[0], *b = whiteness + p->at[1];
    const float *c = whiteness + p->at[2], *d = whiteness + p->at[3];
    four left = {a[0], b[0], c[0], d[0]}, right = {a[1], b[1], c[1], d[1]};
    four top = left + p->fx * (right - left);
    left = (four){a[width], b[width], c[width], d[width]};
    right = (four){a[width + 1], b[width + 1], c[width + 1], d[width + 1]};
    return top + p->fy * (left + p->fx * (right - left) - top);
}

/* 1 for each sample that is not marked, else 0. */
static inline four weights_at(const uint8_t *flag, uint8_t shun, const struct four_places *p)
{
    return (four){flag[p->at[0]] & shun ? 0 : 1, flag[p->at[1]] & shun ? 0 : 1,
                  flag[p->at[2]] & shun ? 0 : 1, flag[p->at[3]] & shun ? 0 : 1};
}

/* Where all samples lie in the patch, which is nearly always. */
static void steer_sum(const struct steering *s, const struct cell_place *place, float ax, float ay,
                      struct steer_sums *sums)
{
    four n = {0}, tones = {0}, squares = {0}, white = {0}, cross = {0}, whites = {0};
    for (int k = 0; k < STEER_SAMPLES; k += 4) {
        four u = four_load(s->u + k), v = four_load(s->v + k), tone = four_load(s->tone + k);
        struct four_places p =
            places_of(s->patch->width, place->x + u * ax - v * ay, place->y + u * ay + v * ax);
        four value = whites_at(s->whiteness, s->patch->width, &p), counted = value;
        if (!s->clear) {
            four weight = weights_at(s->patch->flag, s->shun, &p);
            n += weight;
            tones += weight * tone;
            squares += weight * tone * tone;
            counted *= weight;
        }
        white += counted;
        cross += tone * counted;
        whites += value * counted;
    }
    *sums = (struct steer_sums){STEER_SAMPLES,   s->tones,        s->squares,
                                four_sum(white), four_sum(cross), four_sum(whites)};
    if (!s->clear) {
        sums->n = four_sum(n);
        sums->tones = four_sum(tones);
        sums->squares = four_sum(squares);
    }
}

static void steer_sum_careful(const struct steering *s, const struct cell_place *place, float ax,
                              float ay, struct steer_sums *sums)
{
    const struct patch *patch = s->patch;
    memset(sums, 0, sizeof *sums);
    for (int k = 0; k < STEER_SAMPLES; k++) {
        float u = s->u[k], v = s->v[k], tone = s->tone[k];
        float x = place->x + u * ax - v * ay, y = place->y + u * ay + v * ax;
        if (!(x >= 0 && y >= 0 && x < (float)patch->width - 1 && y < (float)patch->height - 1))
            continue;
        int ix = (int)x, iy = (int)y, at = iy * patch->width + ix;
        if (patch->flag[at] & s->shun)
            continue;
        float value = white_between(s->whiteness + at, patch->width, x - (float)ix, y - (float)iy);
        sums->n += 1;
        sums->tones += tone;
        sums->squares += tone * tone;
        sums->white += value;
        sums->cross += tone * value;
        sums->whites += value * value;
    }
}

static float magnitude(float value)
{
    return value < 0 ? -value : value;
}

/* Share of the whiteness' variance that the template leaves unexplained at a place. */
static float place_measure(const struct steering *s, const struct cell_place *place)
{
    float ax = cosf(place->turn_rad) * place->side_px, ay = sinf(place->turn_rad) * place->side_px;
    float reach = (magnitude(ax) + magnitude(ay)) / 2;
    struct steer_sums m;
    if (place->x >= reach && place->y >= reach && place->x + reach < (float)s->patch->width - 1 &&
        place->y + reach < (float)s->patch->height - 1)
        steer_sum(s, place, ax, ay, &m);
    else
        steer_sum_careful(s, place, ax, ay, &m);
    if (m.n < 16)
        return 1;
    float cxx = m.squares - m.tones * m.tones / m.n, cxy = m.cross - m.tones * m.white / m.n;
    float cyy = m.whites - m.white * m.white / m.n;
    if (cxx <= 0 || cyy <= 1e-9f || cxy <= 0)
        return 1;
    return 1 - cxy * cxy / (cxx * cyy);
}

/* Has no px within `reach` of a place any of the flags? */
static bool flags_clear(const struct patch *patch, const struct cell_place *place, int reach,
                        uint8_t flags)
{
    int left = (int)place->x - reach, right = (int)place->x + reach;
    int top = (int)place->y - reach, bottom = (int)place->y + reach;
    uint8_t seen = 0;
    left = left < 0 ? 0 : left;
    right = right < patch->width ? right : patch->width - 1;
    for (int y = top < 0 ? 0 : top; y <= bottom && y < patch->height; y++)
        for (int x = left; x <= right; x++)
            seen |= patch->flag[y * patch->width + x];
    return !(seen & flags);
}

static void steering_init(struct steering *s, const float offset[CELL_SIDE],
                          const float tones[CELL_SAMPLES])
{
    s->tones = s->squares = 0;
    for (int k = 0; k < STEER_SAMPLES; k++) {
        int j = k / STEER_ROW, i = 2 * (k % STEER_ROW) + (j & 1);
        float tone = tones[j * CELL_SIDE + i];
        s->u[k] = offset[i];
        s->v[k] = offset[j];
        s->tone[k] = tone;
        s->tones += tone;
        s->squares += tone * tone;
    }
}

/* Share of a square around a place that is marked as glare. */
static float glare_share(const struct patch *patch, const struct cell_place *place)
{
    int reach = (int)(place->side_px * 0.4f), count = 0, all = 0;
    for (int y = (int)place->y - reach; y <= (int)place->y + reach; y += 2)
        for (int x = (int)place->x - reach; x <= (int)place->x + reach; x += 2) {
            if (x < 0 || y < 0 || x >= patch->width || y >= patch->height)
                continue;
            count += (patch->flag[y * patch->width + x] & PATCH_GLARE) != 0;
            all++;
        }
    return all ? (float)count / (float)all : 0;
}

/* With a larger share marked than this, it is a veil over the whole cell, and nothing is left out:
 * the rest would not count as seen (see cellmodel.c). */
#define VEIL_LEAST 0.55f

/* Once near, a place that still leaves more than this of the whiteness is no cell, and the last
 * tenths of a pixel are not worth looking for. */
#define STEER_HOPELESS 0.8f

/* Where to go, and how far from the start at most. */
struct steer_reach {
    struct cell_place start;
    float px, rad;
};

/* A step to one of six sides: right, left, down, up, and both turns. False where that is too far. */
static bool place_step(const struct steer_reach *reach, int side, float step, float turn,
                       struct cell_place *place)
{
    float sign = side & 1 ? -1 : 1;
    place->x += side / 2 == 0 ? sign * step : 0;
    place->y += side / 2 == 1 ? sign * step : 0;
    place->turn_rad += side / 2 == 2 ? sign * turn : 0;
    return magnitude(place->x - reach->start.x) <= reach->px &&
           magnitude(place->y - reach->start.y) <= reach->px &&
           magnitude(place->turn_rad - reach->start.turn_rad) <= reach->rad;
}

/* Steps to all sides in turn for as long as one of them gains; returns what is left in the end. */
static float steps_take(const struct steering *steering, const struct steer_reach *reach,
                        float step, float turn, float best, struct cell_place *place)
{
    enum { SIDES = 6, ALL = (1 << SIDES) - 1 };
    unsigned poor = 0; /* sides to which no step gains from where the place is now */
    for (int side = 0; poor != ALL; side = (side + 1) % SIDES) {
        struct cell_place trial = *place;
        if (poor >> side & 1)
            continue;
        poor |= 1u << side;
        if (!place_step(reach, side, step, turn, &trial))
            continue;
        float value = place_measure(steering, &trial);
        if (value < best) {
            best = value;
            *place = trial;
            poor = 1u << (side ^ 1); /* that is where it comes from */
        }
    }
    return best;
}

float vision_cell_steer(const float offset[CELL_SIDE], const float tone[CELL_SAMPLES],
                        const struct patch *patch, const float *whiteness, float reach_px,
                        float reach_rad, struct cell_place *place)
{
    const struct steer_reach reach = {*place, reach_px, reach_rad};
    struct steering steering = {.patch = patch, .whiteness = whiteness};
    steering_init(&steering, offset, tone);
    steering.shun = glare_share(patch, place) > VEIL_LEAST ? 0 : PATCH_GLARE;
    /* a cell's half diagonal */
    steering.clear =
        flags_clear(patch, place, (int)(0.71f * place->side_px + reach_px) + 1, steering.shun);
    float best = place_measure(&steering, place);
    float turn = reach_rad / 2;
    /* down to an eighth of a patch pixel: a two-hundredth of a cell */
    for (float step = reach_px / 2; step > 0.12f; step /= 2, turn /= 2) {
        best = steps_take(&steering, &reach, step, turn, best, place);
        if (best > STEER_HOPELESS && step < reach_px / 2)
            break;
    }
    return best;
}
