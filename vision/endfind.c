/* vision/endfind.c: see endfind.h. */
#include "vision/endfind.h"

#include <math.h>
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

struct scan {
    const float *whiteness;
    int width, height, margin;
    int rim[TURNS][RIM_POINTS], field[TURNS][FIELD_POINTS]; /* from a place to the points */
    int edge[TURNS][EDGE_POINTS][2]; /* points on the rim, and on the field beside them */
};

static int offset_of(const struct scan *s, float u, float v, float c, float w)
{
    return (int)lrintf(u * w + v * c) * s->width + (int)lrintf(u * c - v * w);
}

static void scan_plan(struct scan *s, float side_px)
{
    s->margin = (int)ceilf(side_px * 0.72f); /* half of a diagonal */
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

static inline float white_at(const float *at)
{
    return *at < 0 ? 0 : *at > WHITE_MOST ? WHITE_MOST : *at;
}

/* Share of the variance over a square's points that a lighter edge explains. */
static float place_score(const struct scan *s, const float *at, int turn)
{
    float rim = 0, field = 0, square = 0;
    for (int k = 0; k < FIELD_POINTS; k++) {
        float value = white_at(at + s->field[turn][k]);
        field += value;
        square += value * value;
    }
    field /= FIELD_POINTS;
    if (field > FIELD_WHITE_MOST)
        return 0;
    for (int k = 0; k < RIM_POINTS; k++) {
        float value = white_at(at + s->rim[turn][k]);
        rim += value;
        square += value * value;
    }
    rim /= RIM_POINTS;
    float mean = (rim * RIM_POINTS + field * FIELD_POINTS) / POINTS;
    float all = square - POINTS * mean * mean, darker = rim - field;
    if (darker < DARKER_LEAST || all <= 0)
        return 0;
    return darker * darker * RIM_POINTS * FIELD_POINTS / POINTS / all;
}

/* Under mirrored light a field is no longer dark, nor even, but its rim is still lighter than the
 * field beside it, all round: the share that this explains of the steps across the edge. */
static float edge_score(const struct scan *s, const float *at, int turn)
{
    float sum = 0, square = 0;
    for (int k = 0; k < EDGE_POINTS; k++) {
        float step = white_at(at + s->edge[turn][k][0]) - white_at(at + s->edge[turn][k][1]);
        sum += step;
        square += step * step;
    }
    if (sum < DARKER_LEAST * EDGE_POINTS)
        return 0;
    return sum * sum / (EDGE_POINTS * square);
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

int vision_ends_scan(const float *whiteness, int width, int height, float side_px, end_may *may,
                     const void *context, struct candidate *out, int most)
{
    struct scan scan = {.whiteness = whiteness, .width = width, .height = height};
    int count = 0;
    scan_plan(&scan, side_px);
    for (int y = scan.margin; y < height - scan.margin; y += STRIDE)
        for (int x = scan.margin; x < width - scan.margin; x += STRIDE) {
            struct candidate c = {{(float)x, (float)y, 0, side_px}, SCORE_LEAST};
            if (!may(context, (float)x, (float)y))
                continue;
            for (int t = 0; t < TURNS; t++) {
                const float *at = whiteness + y * width + x;
                float score = fmaxf(place_score(&scan, at, t), edge_score(&scan, at, t));
                if (score > c.score) {
                    c.score = score;
                    c.place.turn_rad = (float)t * (float)M_PI_2 / TURNS;
                }
            }
            if (c.score > SCORE_LEAST)
                count = find_keep(out, count, &c, most);
        }
    return count;
}
