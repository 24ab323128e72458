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
/* Half of what explains an end that lies half a stride and half a turn beside the place tried. */
#define SCORE_LEAST 0.25f
/* The field is at least this much darker than the rim, which is seldom darker than half of white:
 * noise and the mat's own shading stay below. */
#define DARKER_LEAST 0.06f
/* An inner part lighter than this against white belongs to no end, but under mirrored light. */
#define FIELD_WHITE_MOST 0.85f
#define WHITE_MOST 1.1f /* a lamp's image counts as no more than white */
#define APART 0.5f      /* of a side */

/* Places of the points along an axis, in sides: the outermost on the rim, the others on the
 * field. */
static const float line[LINE] = {-0.47f, -0.39f, -0.23f, -0.08f, 0.08f, 0.23f, 0.39f, 0.47f};

struct scan {
    const float *whiteness;
    int width, height, margin;
    int rim[TURNS][RIM_POINTS], field[TURNS][FIELD_POINTS]; /* from a place to the points */
};

static void scan_plan(struct scan *s, float side_px)
{
    s->margin = (int)ceilf(side_px * 0.72f); /* half of a diagonal */
    for (int t = 0; t < TURNS; t++) {
        float turn = (float)t * (float)M_PI_2 / TURNS;
        float c = cosf(turn) * side_px, w = sinf(turn) * side_px;
        int rims = 0, fields = 0;
        for (int k = 0; k < POINTS; k++) {
            int i = k % LINE, j = k / LINE;
            int x = (int)lrintf(line[i] * c - line[j] * w);
            int y = (int)lrintf(line[i] * w + line[j] * c);
            bool edge = i == 0 || j == 0 || i == LINE - 1 || j == LINE - 1;
            *(edge ? &s->rim[t][rims++] : &s->field[t][fields++]) = y * s->width + x;
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
                float score = place_score(&scan, whiteness + y * width + x, t);
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
