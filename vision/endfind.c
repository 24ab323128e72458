/* vision/endfind.c: see endfind.h. */
#include "vision/endfind.h"

#include "vision/error.h"
#include "vision/four.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRIDE 2 /* px between places tried: a rim of a soft picture is as wide */
#define TURNS 12 /* over a quarter: 4 degrees off at most, which moves a corner by half a rim */
#define LINE 8
#define POINTS (LINE * LINE)
#define RIM_POINTS (4 * LINE - 4)
#define FIELD_POINTS (POINTS - RIM_POINTS)
#define EDGE_POINTS (4 * (LINE - 2))
/* Half of what explains an end that lies half a stride and half a turn beside the place tried. */
#define SCORE_LEAST 0.25f
/* Of a place at whose best turn the score is enough, one that is half as far off again shows more
 * than this. */
#define SCORE_NEAR 0.15f
/* The field is at least this much darker than the rim, which is seldom darker than half of white:
 * noise and the mat's own shading stay below. */
#define DARKER_LEAST 0.06f
/* An inner part lighter than this against white belongs to no end, but under mirrored light. */
#define FIELD_WHITE_MOST 0.85f
#define WHITE_MOST 1.1f /* a lamp's image counts as no more than white */
#define APART                                                                                      \
    0.3f /* of a side: a corner of something else may look better than the end beside it */

/* Places of the points along an axis, in sides: the outermost on the rim, the others on the
 * field. */
static const float line[LINE] = {-0.47f, -0.39f, -0.23f, -0.08f, 0.08f, 0.23f, 0.39f, 0.47f};

/* Four neighbouring places, STRIDE apart, are scored at once. */
#define LANES 4

struct scan {
    float *light; /* whiteness up to WHITE_MOST: even columns of all rows, then the odd ones,
                     so that what four places see at one offset lies side by side */
    int width, height;
    int half; /* length of a row of even or odd columns */
    int odd;  /* from the even columns to the odd ones */
    int margin;
    int rim[TURNS][RIM_POINTS], field[TURNS][FIELD_POINTS]; /* from a place to the points */
    int edge[TURNS][EDGE_POINTS][2]; /* points on the rim, and on the field beside them */
};

/* From a place (less the margin, as scan->light is entered) to a point beside it. */
static int offset_of(const struct scan *s, float u, float v, float c, float w)
{
    int x = (int)lrintf(u * c - v * w) + s->margin, y = (int)lrintf(u * w + v * c) + s->margin;
    return y * s->half + x / 2 + (x & 1 ? s->odd : 0);
}

static void scan_plan(struct scan *s, float side_px)
{
    for (int t = 0; t < TURNS; t++) {
        float turn = (float)t * (float)M_PI_2 / TURNS;
        float c = cosf(turn) * side_px, w = sinf(turn) * side_px;
        int rims = 0, fields = 0;
        for (int k = 0; k < POINTS; k++) {
            int i = k % LINE, j = k / LINE;
            bool edge = i == 0 || j == 0 || i == LINE - 1 || j == LINE - 1;
            *(edge ? &s->rim[t][rims++] : &s->field[t][fields++]) =
                offset_of(s, line[i], line[j], c, w);
        }
        for (int k = 0; k < EDGE_POINTS; k++) {
            float along = line[1 + k / 4], out = k & 1 ? line[0] : line[LINE - 1];
            float in = k & 1 ? line[1] : line[LINE - 2];
            bool upright = k & 2;
            s->edge[t][k][0] = offset_of(s, upright ? along : out, upright ? out : along, c, w);
            s->edge[t][k][1] = offset_of(s, upright ? along : in, upright ? in : along, c, w);
        }
    }
}

static void light_take(struct scan *s, const float *whiteness)
{
    for (int y = 0; y < s->height; y++) {
        const float *row = whiteness + (size_t)y * (size_t)s->width;
        float *even = s->light + (size_t)y * (size_t)s->half, *odd = even + s->odd;
        for (int x = 0; x < s->width; x++) {
            float value = row[x] < 0 ? 0 : row[x] > WHITE_MOST ? WHITE_MOST : row[x];
            *(x & 1 ? &odd[x / 2] : &even[x / 2]) = value;
        }
    }
    /* four places at once may look a little beyond the last row's end */
    memset(s->light + 2 * (size_t)s->odd, 0, LANES * sizeof *s->light);
}

/* Share of the variance over a square's points that a lighter edge explains, at four places;
 * `light` belongs to the first of them. */
static inline four places_score(const struct scan *s, const float *light, int turn)
{
    four rim = {0}, field = {0}, square = {0};
    for (int k = 0; k < FIELD_POINTS; k++) {
        four value = four_load(light + s->field[turn][k]);
        field += value;
        square += value * value;
    }
    field /= FIELD_POINTS;
    four_whole dark = field <= FIELD_WHITE_MOST;
    if (!four_any(dark))
        return (four){0};
    for (int k = 0; k < RIM_POINTS; k++) {
        four value = four_load(light + s->rim[turn][k]);
        rim += value;
        square += value * value;
    }
    rim /= RIM_POINTS;
    four mean = (rim * RIM_POINTS + field * FIELD_POINTS) / POINTS;
    four all = square - POINTS * mean * mean, darker = rim - field;
    four score = darker * darker * RIM_POINTS * FIELD_POINTS / POINTS / all;
    return four_where(dark & (darker >= DARKER_LEAST) & (all > 0), score, (four){0});
}

/* Under mirrored light a field is no longer dark, nor even, but its rim is still lighter than the
 * field beside it, all round: the share that this explains of the steps across the edge. */
static inline four edges_score(const struct scan *s, const float *light, int turn)
{
    four sum = {0}, square = {0};
    for (int k = 0; k < EDGE_POINTS; k++) {
        const int *at = s->edge[turn][k];
        four step = four_load(light + at[0]) - four_load(light + at[1]);
        sum += step;
        square += step * step;
    }
    return four_where(sum >= DARKER_LEAST * EDGE_POINTS, sum * sum / (EDGE_POINTS * square),
                      (four){0});
}

static void turn_try(const struct scan *s, const float *light, int t, four *best, four_whole *turn)
{
    four whole = places_score(s, light, t), edge = edges_score(s, light, t);
    four score = four_where(whole > edge, whole, edge);
    four_whole better = score > *best;
    *best = four_where(better, score, *best);
    *turn = (t & better) | (*turn & ~better);
}

/* Of each of four places the best turn's score, where that is more than `best`, and the turn: of
 * every second turn first, then of those beside the best of these. */
static void turns_score(const struct scan *s, const float *light, four *best, four_whole *turn)
{
    for (int t = 0; t < TURNS; t += 2)
        turn_try(s, light, t, best, turn);
    four_whole coarse = *turn, promising = *best > SCORE_NEAR;
    for (int t = 1; t < TURNS; t += 2)
        if (four_any(promising & ((coarse == t - 1) | (coarse == (t + 1) % TURNS))))
            turn_try(s, light, t, best, turn);
}

/* Puts a find among the others, best first: of those that lie close the best is kept. */
static int find_keep(struct candidate *list, int count, const struct candidate *c, int most)
{
    float apart = APART * c->place.side_px;
    for (int k = 0; k < count; k++) {
        float dx = list[k].place.x - c->place.x, dy = list[k].place.y - c->place.y;
        if (dx * dx + dy * dy >= apart * apart)
            continue;
        if (list[k].score >= c->score)
            return count;
        memmove(list + k, list + k + 1, (size_t)(--count - k) * sizeof *list);
        k--;
    }
    int at = count < most ? count : most - 1;
    if (count == most && list[at].score >= c->score)
        return count;
    while (at > 0 && list[at - 1].score < c->score) {
        list[at] = list[at - 1];
        at--;
    }
    list[at] = *c;
    return count < most ? count + 1 : most;
}

/* Which of four places from (x, y) on may be an end's: a bit for each. */
static unsigned places_may(const struct scan *s, int x, int y, end_may *may, const void *context)
{
    unsigned open = 0;
    for (int i = 0; i < LANES && x + i * STRIDE < s->width - s->margin; i++)
        open |= may(context, (float)(x + i * STRIDE), (float)y) ? 1u << i : 0;
    return open;
}

static int row_scan(const struct scan *s, int y, float side_px, end_may *may, const void *context,
                    struct candidate *out, int count, int most)
{
    const float *light = s->light + (size_t)(y - s->margin) * (size_t)s->half;
    for (int x = s->margin; x < s->width - s->margin; x += LANES * STRIDE, light += LANES) {
        unsigned open = places_may(s, x, y, may, context);
        four best = (four){0} + SCORE_NEAR;
        four_whole turn = {0};
        if (open)
            turns_score(s, light, &best, &turn);
        for (int i = 0; open >> i; i++) {
            const struct candidate c = {{(float)(x + i * STRIDE), (float)y,
                                         (float)turn[i] * (float)M_PI_2 / TURNS, side_px},
                                        best[i]};
            if ((open >> i & 1) && c.score > SCORE_LEAST)
                count = find_keep(out, count, &c, most);
        }
    }
    return count;
}

int vision_ends_scan(const float *whiteness, int width, int height, float side_px, end_may *may,
                     const void *context, struct candidate *out, int most)
{
    struct scan scan = {.width = width, .height = height, .half = (width + 1) / 2};
    int count = 0;
    scan.odd = scan.half * height;
    scan.margin = (int)ceilf(side_px * 0.72f); /* half of a diagonal */
    scan.light = malloc((2 * (size_t)scan.odd + LANES) * sizeof *scan.light);
    if (!scan.light)
        return VISION_E_MEMORY;
    scan_plan(&scan, side_px);
    light_take(&scan, whiteness);
    for (int y = scan.margin; y < height - scan.margin; y += STRIDE)
        count = row_scan(&scan, y, side_px, may, context, out, count, most);
    free(scan.light);
    return count;
}
