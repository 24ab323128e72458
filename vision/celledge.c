/* vision/celledge.c: see celledge.h. */
#include "vision/celledge.h"

#include "vision/four.h"

#include <stddef.h>

/* The square around a sample: 7 by 7, a third of a cell, wider than a symbol's points and the blur
 * of small pictures, narrower than what lamps mirror. Where it reaches over the cell's edge, what
 * lies inside counts. */
#define REACH 3

/* Sums of columns, with room on either side that counts nothing. */
#define ROOM 4
struct line {
    float at[ROOM + EDGE_SIDE + ROOM];
};

static inline void line_change(struct line *line, const float *row, bool comes)
{
    for (int i = 0; i < EDGE_SIDE; i += 4) {
        four sum = four_load(line->at + ROOM + i), value = four_load(row + i);
        four_store(line->at + ROOM + i, comes ? sum + value : sum - value);
    }
}

/* Sums over the square around each sample: down the columns, from row to row by what comes and
 * what goes, and across. */
static void square_sum(const float in[EDGE_SAMPLES], float out[EDGE_SAMPLES])
{
    struct line line = {{0}};
    for (int j = 0; j < REACH; j++)
        line_change(&line, in + j * EDGE_SIDE, true);
    for (int j = 0; j < EDGE_SIDE; j++) {
        if (j + REACH < EDGE_SIDE)
            line_change(&line, in + (j + REACH) * EDGE_SIDE, true);
        if (j > REACH)
            line_change(&line, in + (j - REACH - 1) * EDGE_SIDE, false);
        for (int i = 0; i < EDGE_SIDE; i += 4) {
            const float *around = line.at + ROOM + i;
            four sum = four_load(around);
            for (int d = 1; d <= REACH; d++)
                sum += four_load(around - d) + four_load(around + d);
            four_store(out + j * EDGE_SIDE + i, sum);
        }
    }
}

void vision_edge_frame(const float *weight, struct edge_frame *out)
{
    float one[EDGE_SAMPLES], count[EDGE_SAMPLES];
    for (int i = 0; i < EDGE_SAMPLES && !weight; i++)
        one[i] = 1;
    square_sum(weight ? weight : one, count);
    out->total = 0;
    for (int i = 0; i < EDGE_SAMPLES; i++) {
        out->weight[i] = weight ? weight[i] : 1;
        out->total += out->weight[i];
        out->share[i] = out->weight[i] > 0 ? 1 / count[i] : 0;
    }
}

/* Each sample that counts less the mean of those around it; 0 where it does not count. Returns
 * the mean of all that count. */
static float edges_take(const float in[EDGE_SAMPLES], const struct edge_frame *frame,
                        float out[EDGE_SAMPLES])
{
    float weighed[EDGE_SAMPLES], around[EDGE_SAMPLES];
    four sum = {0};
    for (int i = 0; i < EDGE_SAMPLES; i += 4) {
        four value = four_load(in + i) * four_load(frame->weight + i);
        four_store(weighed + i, value);
        sum += value;
    }
    square_sum(weighed, around);
    for (int i = 0; i < EDGE_SAMPLES; i += 4) {
        /* of what does not count, both are 0 */
        four mean = four_load(around + i) * four_load(frame->share + i);
        four_store(out + i, four_load(weighed + i) - mean);
    }
    return frame->total > 0 ? four_sum(sum) / frame->total : 0;
}

static float sum_two(const float *a, const float *b)
{
    four sum = {0};
    for (int i = 0; i < EDGE_SAMPLES; i += 4)
        sum += four_load(a + i) * four_load(b + i);
    return four_sum(sum);
}

void vision_edge_template(const float field[EDGE_SAMPLES], const float ink[EDGE_SAMPLES],
                          const struct edge_frame *frame, bool white_ink, struct edge_template *out)
{
    out->field_mean = edges_take(field, frame, out->field);
    out->field_field = sum_two(out->field, out->field);
    out->ink_mean = out->field_ink = out->ink_ink = 0;
    if (white_ink)
        return;
    out->ink_mean = edges_take(ink, frame, out->ink);
    out->field_ink = sum_two(out->field, out->ink);
    out->ink_ink = sum_two(out->ink, out->ink);
}

void vision_edge_cell(const float *const channel[3], const struct edge_frame *frame,
                      struct edge_cell *out)
{
    out->variance = 0;
    for (int c = 0; c < 3; c++) {
        out->mean[c] = edges_take(channel[c], frame, out->channel[c]);
        out->square[c] = sum_two(out->channel[c], out->channel[c]);
        out->variance += out->square[c];
    }
}

/* A template's edges with those of the three channels. */
static void sum_channels(const float *edges, const struct edge_cell *cell, float out[3])
{
    four red = {0}, green = {0}, blue = {0};
    for (int i = 0; i < EDGE_SAMPLES; i += 4) {
        four edge = four_load(edges + i);
        red += edge * four_load(cell->channel[0] + i);
        green += edge * four_load(cell->channel[1] + i);
        blue += edge * four_load(cell->channel[2] + i);
    }
    out[0] = four_sum(red);
    out[1] = four_sum(green);
    out[2] = four_sum(blue);
}

/* Dark ink shows the veil over a cell: white without it follows from the step between them.
 * Believed as far as it is possible: no more than the white that is seen, and some of it. */
#define WHITE_SHARE_LEAST 0.15f

static float veil_of(float white, float ink_step, float ink_share)
{
    float clear = ink_step / (1 - ink_share);
    clear = clear > white ? white : clear;
    return white - (clear < WHITE_SHARE_LEAST * white ? WHITE_SHARE_LEAST * white : clear);
}

#define INK_DARK_MOST 0.7f /* of white: lighter ink tells no veil from noise */

float vision_edge_solve(const struct edge_cell *cell, const struct edge_template *t, bool white_ink,
                        const float ink_share[3], float white[3], float level[3])
{
    float rest = 0, ff = t->field_field, fi = t->field_ink, ii = t->ink_ink;
    float det = ff * ii - fi * fi, fx[3], ix[3] = {0, 0, 0};
    if (ff < 1e-6f || cell->variance < 1e-9f || (!white_ink && det < 1e-6f * ff * ii + 1e-12f))
        return 1;
    sum_channels(t->field, cell, fx);
    if (!white_ink)
        sum_channels(t->ink, cell, ix);
    for (int c = 0; c < 3; c++) {
        float ink_step = 0, field_step = -fx[c] / ff;
        if (!white_ink) {
            field_step = -(fx[c] * ii - ix[c] * fi) / det;
            ink_step = -(ix[c] * ff - fx[c] * fi) / det;
        }
        rest += cell->square[c] + field_step * fx[c] + ink_step * ix[c];
        white[c] = cell->mean[c] + field_step * t->field_mean + ink_step * t->ink_mean;
        level[c] = white[c] - field_step;
        if (!white_ink && ink_share[c] < INK_DARK_MOST) {
            float veil = veil_of(white[c], ink_step, ink_share[c]);
            white[c] -= veil;
            level[c] -= veil;
        }
    }
    return rest > 0 ? rest / cell->variance : 0;
}
