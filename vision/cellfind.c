/* vision/cellfind.c: see cellfind.h. */
#include "vision/cellfind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 9        /* over a quarter: steps of 10 degrees, 5 at most from the truth, which
                          moves a corner by a twentieth of a cell */
#define STRIDE 2       /* px between places tried; places are refined afterwards */
#define SIDE_POINTS 4  /* samples along each side of a ring */
#define RING_POINTS (4 * SIDE_POINTS)
#define GATE_LEAST 0.12f /* mean darkness over a cell under which no field can lie there */
#define SCORE_LEAST 0.10f /* rim over field: half of what a cell shows under heavy veil */
#define APART 0.55f    /* cells: two tops can't be nearer than one, two faces of one block can */

struct cell_finder {
    float rim_at, field_at; /* half sides of the rings, in cells */
    float *darkness;        /* integral image, (width + 1) * (height + 1) */
    float *score;           /* best of the turns, by place */
    uint8_t *turn;
    size_t capacity;
};

struct cell_finder *vision_cell_finder_create(const struct blockset *set)
{
    struct cell_finder *finder = calloc(1, sizeof *finder);
    if (!finder)
        return NULL;
    /* The rim's ring runs along the middle of the rim. The field's ring runs as far inside the
     * field's edge as the ink's reach allows: printed inks stay within 0.42 of the field. */
    finder->rim_at = 0.5f - (float)set->rim * 0.5f;
    finder->field_at = 0.5f - (float)set->rim - 0.035f;
    return finder;
}

void vision_cell_finder_destroy(struct cell_finder **finder)
{
    if (!finder || !*finder)
        return;
    free((*finder)->darkness);
    free((*finder)->score);
    free((*finder)->turn);
    free(*finder);
    *finder = NULL;
}

static int finder_reserve(struct cell_finder *finder, int width, int height)
{
    size_t need = (size_t)(width + 1) * (size_t)(height + 1);
    if (finder->capacity >= need)
        return VISION_OK;
    float *darkness = realloc(finder->darkness, need * sizeof *darkness);
    if (darkness)
        finder->darkness = darkness;
    float *score = realloc(finder->score, need * sizeof *score);
    if (score)
        finder->score = score;
    uint8_t *turn = realloc(finder->turn, need);
    if (turn)
        finder->turn = turn;
    if (!darkness || !score || !turn)
        return VISION_E_MEMORY;
    finder->capacity = need;
    return VISION_OK;
}

static float clamp01(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void darkness_integrate(struct cell_finder *finder, const float *whiteness, int width,
                               int height)
{
    float *sum = finder->darkness;
    int stride = width + 1;
    memset(sum, 0, (size_t)stride * sizeof *sum);
    for (int y = 0; y < height; y++) {
        float row = 0;
        sum[(y + 1) * stride] = 0;
        for (int x = 0; x < width; x++) {
            row += 1 - clamp01(whiteness[y * width + x]);
            sum[(y + 1) * stride + x + 1] = sum[y * stride + x + 1] + row;
        }
    }
}

static float darkness_mean(const struct cell_finder *finder, int width, int x0, int y0, int x1,
                           int y1)
{
    const float *sum = finder->darkness;
    int stride = width + 1;
    float total = sum[y1 * stride + x1] - sum[y0 * stride + x1] - sum[y1 * stride + x0] +
                  sum[y0 * stride + x0];
    return total / (float)((x1 - x0) * (y1 - y0));
}

struct ring_offsets {
    int rim[TURNS][RING_POINTS], field[TURNS][RING_POINTS];
};

/* Point `i` of side `side` of a ring, in cells before turning. */
static void ring_point(float half, int side, int i, float *u, float *v)
{
    float along = (((float)i + 0.5f) / SIDE_POINTS - 0.5f) * 2 * half * 0.85f;
    *u = side == 0 ? along : side == 1 ? half : side == 2 ? -along : -half;
    *v = side == 0 ? -half : side == 1 ? along : side == 2 ? half : -along;
}

static int ring_offset(float half, int side, int i, float turn, float side_px, int width)
{
    float u, v;
    ring_point(half, side, i, &u, &v);
    float x = (u * cosf(turn) - v * sinf(turn)) * side_px;
    float y = (u * sinf(turn) + v * cosf(turn)) * side_px;
    return (int)lrintf(y) * width + (int)lrintf(x);
}

static void offsets_fill(const struct cell_finder *finder, float side_px, int width,
                         struct ring_offsets *offsets)
{
    for (int t = 0; t < TURNS; t++)
        for (int k = 0; k < RING_POINTS; k++) {
            float turn = (float)t * (float)M_PI_2 / TURNS;
            offsets->rim[t][k] =
                ring_offset(finder->rim_at, k / SIDE_POINTS, k % SIDE_POINTS, turn, side_px, width);
            offsets->field[t][k] = ring_offset(finder->field_at, k / SIDE_POINTS, k % SIDE_POINTS,
                                               turn, side_px, width);
        }
}

/* Three sides carry the score; the worst counts little, as glare or a neighbour may have it. */
static float sides_weigh(const float side[4])
{
    float total = 0, worst = 9;
    for (int s = 0; s < 4; s++) {
        total += side[s];
        worst = side[s] < worst ? side[s] : worst;
    }
    return (total - worst) / 3 * 0.75f + worst * 0.25f;
}

static float place_score(const float *at, const int *rim, const int *field)
{
    float side[4];
    for (int s = 0; s < 4; s++) {
        float sum = 0;
        for (int i = s * SIDE_POINTS; i < (s + 1) * SIDE_POINTS; i++)
            sum += clamp01(at[rim[i]]) - clamp01(at[field[i]]);
        side[s] = sum / SIDE_POINTS;
    }
    return sides_weigh(side);
}

static void places_score(struct cell_finder *finder, const float *whiteness, int width,
                         int height, float side_px)
{
    struct ring_offsets offsets;
    offsets_fill(finder, side_px, width, &offsets);
    int margin = (int)ceilf(side_px * 0.72f), gate = (int)(side_px * 0.4f);
    memset(finder->score, 0, (size_t)width * (size_t)height * sizeof *finder->score);
    for (int y = margin; y < height - margin; y += STRIDE)
        for (int x = margin; x < width - margin; x += STRIDE) {
            if (darkness_mean(finder, width, x - gate, y - gate, x + gate, y + gate) < GATE_LEAST)
                continue;
            int at = y * width + x;
            for (int t = 0; t < TURNS; t++) {
                float score = place_score(whiteness + at, offsets.rim[t], offsets.field[t]);
                if (score > finder->score[at]) {
                    finder->score[at] = score;
                    finder->turn[at] = (uint8_t)t;
                }
            }
        }
}

static bool place_peaks(const struct cell_finder *finder, int width, int x, int y)
{
    float own = finder->score[y * width + x];
    for (int j = -STRIDE; j <= STRIDE; j += STRIDE)
        for (int i = -STRIDE; i <= STRIDE; i += STRIDE) {
            float other = finder->score[(y + j) * width + x + i];
            if (other > own || (other == own && (j < 0 || (j == 0 && i < 0))))
                return false;
        }
    return true;
}

/* Inserts into the list, best first; the worst falls off a full one. */
static int candidate_insert(struct candidate *list, int count, const struct candidate *c, int most)
{
    int at = count;
    while (at > 0 && list[at - 1].score < c->score)
        at--;
    if (at >= most)
        return count;
    int last = count < most ? count : most - 1;
    memmove(list + at + 1, list + at, (size_t)(last - at) * sizeof *list);
    list[at] = *c;
    return count < most ? count + 1 : most;
}

#define PEAKS_MAX 256

int vision_cells_find(struct cell_finder *finder, const float *whiteness, int width, int height,
                      float side_px, struct candidate out[CANDIDATES_MAX])
{
    struct candidate peak[PEAKS_MAX];
    int peaks = 0, count = 0;
    if (finder_reserve(finder, width, height))
        return VISION_E_MEMORY;
    darkness_integrate(finder, whiteness, width, height);
    places_score(finder, whiteness, width, height, side_px);
    int margin = (int)ceilf(side_px * 0.72f);
    for (int y = margin; y < height - margin; y += STRIDE)
        for (int x = margin; x < width - margin; x += STRIDE) {
            float score = finder->score[y * width + x];
            if (score < SCORE_LEAST || !place_peaks(finder, width, x, y))
                continue;
            float turn = (float)finder->turn[y * width + x] * (float)M_PI_2 / TURNS;
            const struct candidate c = {{(float)x, (float)y, turn, side_px}, score};
            peaks = candidate_insert(peak, peaks, &c, PEAKS_MAX);
        }
    for (int i = 0; i < peaks && count < CANDIDATES_MAX; i++) {
        bool free = true;
        for (int k = 0; k < count && free; k++)
            free = hypotf(peak[i].place.x - out[k].place.x, peak[i].place.y - out[k].place.y) >
                   APART * side_px;
        if (free)
            out[count++] = peak[i];
    }
    return count;
}

static float value_at(const float *map, int width, int height, float x, float y)
{
    x = x < 0 ? 0 : x > (float)width - 1.001f ? (float)width - 1.001f : x;
    y = y < 0 ? 0 : y > (float)height - 1.001f ? (float)height - 1.001f : y;
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    const float *p = map + iy * width + ix;
    float a = p[0] + fx * (p[1] - p[0]), b = p[width] + fx * (p[width + 1] - p[width]);
    return clamp01(a + fy * (b - a));
}

float vision_rim_measure(const struct cell_finder *finder, const float *whiteness, int width,
                         int height, const struct cell_place *place)
{
    float c = cosf(place->turn_rad) * place->side_px, s = sinf(place->turn_rad) * place->side_px;
    float side[4];
    for (int k = 0; k < 4; k++) {
        float sum = 0;
        for (int i = 0; i < SIDE_POINTS; i++) {
            float u, v, p, q;
            ring_point(finder->rim_at, k, i, &u, &v);
            ring_point(finder->field_at, k, i, &p, &q);
            sum += value_at(whiteness, width, height, place->x + u * c - v * s,
                            place->y + u * s + v * c) -
                   value_at(whiteness, width, height, place->x + p * c - q * s,
                            place->y + p * s + q * c);
        }
        side[k] = sum / SIDE_POINTS;
    }
    return sides_weigh(side);
}
