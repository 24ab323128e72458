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

static inline four whites_at(const float *whiteness, int width, const struct four_places *p)
{
    const float *a = whiteness + p->at[0], *b = whiteness + p->at[1];
    const float *c = whiteness + p->at[2], *d = whiteness + p->at[3];
    four ab = four_pairs(a, b), cd = four_pairs(c, d);
    four left = __builtin_shufflevector(ab, cd, 0, 2, 4, 6);
    four top = left + p->fx * (__builtin_shufflevector(ab, cd, 1, 3, 5, 7) - left);
    ab = four_pairs(a + width, b + width);
    cd = four_pairs(c + width, d + width);
    left = __builtin_shufflevector(ab, cd, 0, 2, 4, 6);
    four low = left + p->fx * (__builtin_shufflevector(ab, cd, 1, 3, 5, 7) - left);
    return top + p->fy * (low - top);
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
            four_places_of(s->patch->width, place->x + u * ax - v * ay, place->y + u * ay + v * ax);
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

/* A step to one of six sides: right, left, down, up, and both turns. False where that is too far.
 */
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

enum { SIDES = 6, ALL_SIDES = (1 << SIDES) - 1 };

/* What is left at a place, and a step to each side of it. */
struct surroundings {
    float here, side[SIDES];
    unsigned known; /* sides: a bit for each */
};

/* Steps to all sides in turn for as long as one of them gains. */
static void steps_take(const struct steering *steering, const struct steer_reach *reach, float step,
                       float turn, struct surroundings *left, struct cell_place *place)
{
    unsigned poor = 0; /* sides to which no step gains from where the place is now */
    left->known = 0;
    for (int side = 0; poor != ALL_SIDES; side = (side + 1) % SIDES) {
        struct cell_place trial = *place;
        if (poor >> side & 1)
            continue;
        poor |= 1u << side;
        if (!place_step(reach, side, step, turn, &trial))
            continue;
        left->side[side] = place_measure(steering, &trial);
        left->known |= 1u << side;
        if (left->side[side] < left->here) {
            float before = left->here;
            left->here = left->side[side];
            *place = trial;
            poor = left->known = 1u << (side ^ 1); /* that is where it comes from */
            left->side[side ^ 1] = before;
        }
    }
}

/* Where between two steps to either side least is left, in steps: by the parabola through what is
 * left at the three places. */
static float valley_of(const struct surroundings *left, int axis)
{
    const float *side = left->side + 2 * axis;
    float bend = side[0] + side[1] - 2 * left->here;
    if ((left->known >> (2 * axis) & 3) != 3 || bend <= 1e-9f)
        return 0;
    return (side[1] - side[0]) / (2 * bend);
}

/* The last part of a step, along all three ways at once; taken if it gains. */
static void valley_take(const struct steering *steering, float step, float turn,
                        struct surroundings *left, struct cell_place *place)
{
    struct cell_place trial = *place;
    trial.x += valley_of(left, 0) * step;
    trial.y += valley_of(left, 1) * step;
    trial.turn_rad += valley_of(left, 2) * turn;
    float value = place_measure(steering, &trial);
    if (value < left->here) {
        left->here = value;
        *place = trial;
    }
}

/* From steps of half a patch px on what is left bends evenly, and its valley is told to some
 * hundredths of a px by the places around. */
#define STEP_LEAST_PX 0.2f

float vision_cell_steer(const float offset[CELL_SIDE], const float tone[CELL_SAMPLES],
                        const struct patch *patch, const float *whiteness, float reach_px,
                        float reach_rad, struct cell_place *place)
{
    const struct steer_reach reach = {*place, reach_px, reach_rad};
    struct steering steering = {.patch = patch, .whiteness = whiteness};
    struct surroundings left = {.known = 0};
    steering_init(&steering, offset, tone);
    steering.shun = glare_share(patch, place) > VEIL_LEAST ? 0 : PATCH_GLARE;
    /* a cell's half diagonal */
    steering.clear =
        flags_clear(patch, place, (int)(0.71f * place->side_px + reach_px) + 1, steering.shun);
    left.here = place_measure(&steering, place);
    float step = reach_px / 2, turn = reach_rad / 2;
    steps_take(&steering, &reach, step, turn, &left, place);
    while (step / 2 > STEP_LEAST_PX) {
        step /= 2;
        turn /= 2;
        steps_take(&steering, &reach, step, turn, &left, place);
        if (left.here > STEER_HOPELESS)
            return left.here;
    }
    valley_take(&steering, step, turn, &left, place);
    return left.here;
}
