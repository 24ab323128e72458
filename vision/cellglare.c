/* vision/cellglare.c: see cellglare.h. */
#include "vision/cellglare.h"

#include "vision/four.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define UNKNOWNS (GLARE_BASIS + 2)
/* Pulls the surface towards nothing, as a share of the samples: without it, a symbol in the middle
 * of a cell could be taken for a lamp's halo, and a veil be told from white nowhere. */
#define SURFACE_RIDGE 0.004f

/* Sum of the products of two or three rasters. */
static float sum_two(const float *a, const float *b)
{
    four sum = {0};
    for (int i = 0; i < GLARE_SAMPLES; i += 4)
        sum += four_load(a + i) * four_load(b + i);
    return four_sum(sum);
}

static float sum_three(const float *a, const float *b, const float *c)
{
    four sum = {0};
    for (int i = 0; i < GLARE_SAMPLES; i += 4)
        sum += four_load(a + i) * four_load(b + i) * four_load(c + i);
    return four_sum(sum);
}

/* The surface's terms at four samples of a row; the squares are without mean over a whole cell. */
static inline void basis_at(four u, float v, four basis[GLARE_BASIS])
{
    basis[0] = u;
    basis[1] = u * 0 + v;
    basis[2] = u * u - 1.0f / 3;
    basis[3] = u * v;
    basis[4] = u * 0 + (v * v - 1.0f / 3);
    basis[5] = u * 0 + 1;
}

static float coordinate(int i)
{
    return (2 * (float)i + 1) / GLARE_SIDE - 1;
}

/* The surface's terms times the weight, and their sums among themselves. */
static void basis_take(struct glare_sums *sums)
{
    four one[GLARE_BASIS] = {{0}}, product[GLARE_BASIS][GLARE_BASIS] = {{{0}}}, total = {0};
    for (int j = 0, at = 0; j < GLARE_SIDE; j++)
        for (int i = 0; i < GLARE_SIDE; i += 4, at += 4) {
            four u = {coordinate(i), coordinate(i + 1), coordinate(i + 2), coordinate(i + 3)};
            four w = four_load(sums->weight + at), basis[GLARE_BASIS];
            basis_at(u, coordinate(j), basis);
            total += w;
            for (int a = 0; a < GLARE_BASIS; a++) {
                four weighed = w * basis[a];
                memcpy(sums->basis[a] + at, &weighed, sizeof weighed);
                one[a] += weighed;
                for (int b = 0; b <= a; b++)
                    product[a][b] += weighed * basis[b];
            }
        }
    memset(sums->basis_basis, 0, sizeof sums->basis_basis);
    sums->total = four_sum(total);
    for (int a = 0; a < GLARE_BASIS; a++) {
        sums->basis_one[a] = four_sum(one[a]);
        for (int b = 0; b <= a; b++)
            sums->basis_basis[a][b] = four_sum(product[a][b]);
    }
}

/* Cholesky's way to the least squares: m is symmetric, its lower half given, and becomes its own
 * root. False when the unknowns can't be told apart. */
static bool system_split(float m[UNKNOWNS][UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; i++)
        for (int j = 0; j <= i; j++) {
            float sum = m[i][j];
            for (int k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            if (i == j && sum <= 1e-6f)
                return false;
            m[i][j] = i == j ? sqrtf(sum) : sum / m[j][j];
        }
    return true;
}

static void system_solve(float m[UNKNOWNS][UNKNOWNS], const float right[UNKNOWNS],
                         float out[UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; i++) {
        float sum = right[i];
        for (int k = 0; k < i; k++)
            sum -= m[i][k] * out[k];
        out[i] = sum / m[i][i];
    }
    for (int i = UNKNOWNS - 1; i >= 0; i--) {
        float sum = out[i];
        for (int k = i + 1; k < UNKNOWNS; k++)
            sum -= m[k][i] * out[k];
        out[i] = sum / m[i][i];
    }
}

/* Sum of squares that the surface alone leaves. */
static float surface_leaves(const struct glare_sums *s)
{
    float m[UNKNOWNS][UNKNOWNS] = {{0}}, rest = 0;
    for (int a = 0; a < GLARE_BASIS; a++) {
        memcpy(m[a], s->basis_basis[a], sizeof s->basis_basis[a]);
        m[a][a] += SURFACE_RIDGE * s->total;
    }
    for (int a = GLARE_BASIS; a < UNKNOWNS; a++)
        m[a][a] = 1; /* white and field take no part */
    if (!system_split(m))
        return s->variance;
    for (int c = 0; c < 3; c++) {
        float right[UNKNOWNS] = {0}, x[UNKNOWNS], explained = 0;
        memcpy(right, s->basis_channel[c], sizeof s->basis_channel[c]);
        system_solve(m, right, x);
        for (int a = 0; a < GLARE_BASIS; a++)
            explained += x[a] * right[a];
        rest += s->square[c] - explained > 0 ? s->square[c] - explained : 0;
    }
    return rest < s->variance ? rest : s->variance;
}

void vision_glare_prepare(const float *weight, const float *const channel[3],
                          struct glare_sums *sums)
{
    sums->weight = weight;
    sums->variance = 0;
    basis_take(sums);
    for (int c = 0; c < 3; c++) {
        sums->channel[c] = channel[c];
        sums->one[c] = sum_two(weight, channel[c]);
        sums->square[c] = sum_three(weight, channel[c], channel[c]);
        for (int a = 0; a < GLARE_BASIS; a++)
            sums->basis_channel[c][a] = sum_two(sums->basis[a], channel[c]);
        if (sums->total > 0)
            sums->variance += sums->square[c] - sums->one[c] * sums->one[c] / sums->total;
    }
    sums->rough = surface_leaves(sums);
}

/* Weighted sums of a coverage (by field, or by ink) with everything else. */
struct coverage_sums {
    float one, self, basis[GLARE_BASIS], channel[3];
};

static void coverage_take(const struct glare_sums *s, const float *cover, struct coverage_sums *out)
{
    four one = {0}, self = {0}, basis[GLARE_BASIS] = {{0}}, channel[3] = {{0}};
    for (int i = 0; i < GLARE_SAMPLES; i += 4) {
        four plain = four_load(cover + i), weighed = plain * four_load(s->weight + i);
        one += weighed;
        self += weighed * plain;
        for (int a = 0; a < GLARE_BASIS; a++)
            basis[a] += plain * four_load(s->basis[a] + i);
        for (int c = 0; c < 3; c++)
            channel[c] += weighed * four_load(s->channel[c] + i);
    }
    out->one = four_sum(one);
    out->self = four_sum(self);
    for (int a = 0; a < GLARE_BASIS; a++)
        out->basis[a] = four_sum(basis[a]);
    for (int c = 0; c < 3; c++)
        out->channel[c] = four_sum(channel[c]);
}

/* All that a template decides. */
struct template_sums {
    struct coverage_sums field, ink;
    float field_ink;
};

/* The equations of one channel. White covers what field and ink leave, and of the ink its share:
 * 1 - field - lack * ink. */
static void system_fill(const struct glare_sums *s, const struct template_sums *t, float lack,
                        float m[UNKNOWNS][UNKNOWNS])
{
    float *white = m[GLARE_BASIS], *field = m[GLARE_BASIS + 1];
    for (int a = 0; a < GLARE_BASIS; a++) {
        memcpy(m[a], s->basis_basis[a], sizeof s->basis_basis[a]);
        m[a][a] += SURFACE_RIDGE * s->total;
        white[a] = s->basis_one[a] - t->field.basis[a] - lack * t->ink.basis[a];
        field[a] = t->field.basis[a];
    }
    white[GLARE_BASIS] = s->total - 2 * (t->field.one + lack * t->ink.one) + t->field.self +
                         lack * (2 * t->field_ink + lack * t->ink.self);
    field[GLARE_BASIS] = t->field.one - t->field.self - lack * t->field_ink;
    field[GLARE_BASIS + 1] = t->field.self;
}

float vision_glare_solve(const struct glare_sums *sums, const float *field, const float *ink,
                         const float ink_share[3], float white[3], float level[3])
{
    struct template_sums t;
    float rest = 0, m[UNKNOWNS][UNKNOWNS] = {{0}}, last_lack = 0;
    memset(&t, 0, sizeof t);
    coverage_take(sums, field, &t.field);
    if (ink_share[0] < 1 || ink_share[1] < 1 || ink_share[2] < 1) {
        coverage_take(sums, ink, &t.ink);
        t.field_ink = sum_three(sums->weight, field, ink);
    }
    for (int c = 0; c < 3; c++) {
        float lack = 1 - ink_share[c], right[UNKNOWNS], x[UNKNOWNS], explained = 0;
        if (c == 0 || lack != last_lack) { /* white ink: the same equations for all channels */
            system_fill(sums, &t, lack, m);
            if (!system_split(m))
                return 1;
            last_lack = lack;
        }
        memcpy(right, sums->basis_channel[c], sizeof sums->basis_channel[c]);
        right[GLARE_BASIS] = sums->one[c] - t.field.channel[c] - lack * t.ink.channel[c];
        right[GLARE_BASIS + 1] = t.field.channel[c];
        system_solve(m, right, x);
        for (int i = 0; i < UNKNOWNS; i++)
            explained += x[i] * right[i];
        rest += sums->square[c] - explained > 0 ? sums->square[c] - explained : 0;
        white[c] = x[GLARE_BASIS];
        level[c] = x[GLARE_BASIS + 1];
    }
    return sums->variance > 1e-9f ? rest / sums->variance : 1;
}
