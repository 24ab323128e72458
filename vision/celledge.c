/* vision/celledge.c: see celledge.h. */
#include "vision/celledge.h"

#include "vision/four.h"

#include <stddef.h>

/* The square around a sample: 7 by 7, a third of a cell, wider than a symbol's points and the blur
 * of small pictures, narrower than what lamps mirror. Where it reaches over the cell's edge, what
 * lies inside counts. */
#define REACH 3

/* Sums of up to 2 * REACH + 1 values around each of a line's, and how many they are. */
static void line_sum(const float *in, int stride, float *out)
{
    float sum = 0;
    for (int i = 0; i < REACH; i++)
        sum += in[i * stride];
    for (int i = 0; i < EDGE_SIDE; i++) {
        if (i + REACH < EDGE_SIDE)
            sum += in[(i + REACH) * stride];
        if (i > REACH)
            sum -= in[(i - REACH - 1) * stride];
        out[i * stride] = sum;
    }
}

/* Sums over the square around each sample. */
static void square_sum(const float in[EDGE_SAMPLES], float out[EDGE_SAMPLES])
{
    float across[EDGE_SAMPLES];
    for (int j = 0; j < EDGE_SIDE; j++)
        line_sum(in + j * EDGE_SIDE, 1, across + j * EDGE_SIDE);
    for (int i = 0; i < EDGE_SIDE; i++)
        line_sum(across + i, EDGE_SIDE, out + i);
}

static float line_count(int i)
{
    int first = i > REACH ? i - REACH : 0, last = i + REACH < EDGE_SIDE ? i + REACH : EDGE_SIDE - 1;
    return (float)(last - first + 1);
}

/* How many of the square around each sample count. */
static void square_count(const float *weight, float out[EDGE_SAMPLES])
{
    if (weight) {
        square_sum(weight, out);
        return;
    }
    for (int j = 0, at = 0; j < EDGE_SIDE; j++)
        for (int i = 0; i < EDGE_SIDE; i++, at++)
            out[at] = line_count(i) * line_count(j);
}

/* Each sample that counts less the mean of those around it; 0 where it does not count. Returns
 * the mean of all that count. */
static float edges_take(const float in[EDGE_SAMPLES], const float *weight, float out[EDGE_SAMPLES])
{
    float weighed[EDGE_SAMPLES], around[EDGE_SAMPLES], count[EDGE_SAMPLES], sum = 0, all = 0;
    for (int i = 0; i < EDGE_SAMPLES; i++) {
        float w = weight ? weight[i] : 1;
        weighed[i] = w * in[i];
        sum += weighed[i];
        all += w;
    }
    square_sum(weighed, around);
    square_count(weight, count);
    for (int i = 0; i < EDGE_SAMPLES; i++)
        out[i] = weight && !(weight[i] > 0) ? 0 : in[i] - around[i] / count[i];
    return all > 0 ? sum / all : 0;
}

static float sum_two(const float *a, const float *b)
{
    four sum = {0};
    for (int i = 0; i < EDGE_SAMPLES; i += 4)
        sum += four_load(a + i) * four_load(b + i);
    return four_sum(sum);
}

void vision_edge_template(const float field[EDGE_SAMPLES], const float ink[EDGE_SAMPLES],
                          const float *weight, struct edge_template *out)
{
    out->field_mean = edges_take(field, weight, out->field);
    out->ink_mean = edges_take(ink, weight, out->ink);
    out->field_field = sum_two(out->field, out->field);
    out->field_ink = sum_two(out->field, out->ink);
    out->ink_ink = sum_two(out->ink, out->ink);
}

void vision_edge_cell(const float *const channel[3], const float *weight, struct edge_cell *out)
{
    out->variance = 0;
    for (int c = 0; c < 3; c++) {
        out->mean[c] = edges_take(channel[c], weight, out->channel[c]);
        out->square[c] = sum_two(out->channel[c], out->channel[c]);
        out->variance += out->square[c];
    }
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
    float det = ff * ii - fi * fi;
    if (ff < 1e-6f || cell->variance < 1e-9f || (!white_ink && det < 1e-6f * ff * ii + 1e-12f))
        return 1;
    for (int c = 0; c < 3; c++) {
        float fx = sum_two(t->field, cell->channel[c]), ix = 0, ink_step = 0;
        float field_step = -fx / ff;
        if (!white_ink) {
            ix = sum_two(t->ink, cell->channel[c]);
            field_step = -(fx * ii - ix * fi) / det;
            ink_step = -(ix * ff - fx * fi) / det;
        }
        rest += cell->square[c] + field_step * fx + ink_step * ix;
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
