/* vision/cellglare.c: see cellglare.h. */
#include "vision/cellglare.h"

#include <math.h>
#include <string.h>

#define UNKNOWNS (GLARE_BASIS + 2)
/* Pulls the surface towards flat, as a share of the samples: without it, a symbol in the middle of
 * a cell could be taken for a lamp's halo. */
#define SURFACE_RIDGE 0.004f

static void basis_at(int side, int i, int j, float basis[GLARE_BASIS])
{
    float u = (2 * (float)i + 1) / (float)side - 1, v = (2 * (float)j + 1) / (float)side - 1;
    basis[0] = u;
    basis[1] = v;
    basis[2] = u * u - 1.0f / 3; /* without mean over a whole cell */
    basis[3] = u * v;
    basis[4] = v * v - 1.0f / 3;
}

void vision_glare_prepare(int side, const float *weight, const float *const channel[3],
                          struct glare_sums *sums)
{
    float mean[3] = {0, 0, 0};
    memset(sums, 0, sizeof *sums);
    sums->side = side;
    sums->weight = weight;
    for (int c = 0; c < 3; c++)
        sums->channel[c] = channel[c];
    for (int j = 0, at = 0; j < side; j++)
        for (int i = 0; i < side; i++, at++) {
            float basis[GLARE_BASIS], w = weight[at];
            if (w <= 0)
                continue;
            basis_at(side, i, j, basis);
            sums->total += w;
            for (int a = 0; a < GLARE_BASIS; a++)
                for (int b = 0; b <= a; b++)
                    sums->basis_basis[a][b] += w * basis[a] * basis[b];
            for (int c = 0; c < 3; c++) {
                float x = w * channel[c][at];
                mean[c] += x;
                sums->square[c] += x * channel[c][at];
                for (int a = 0; a < GLARE_BASIS; a++)
                    sums->basis_channel[c][a] += x * basis[a];
            }
        }
    for (int c = 0; c < 3 && sums->total > 0; c++)
        sums->variance += sums->square[c] - mean[c] * mean[c] / sums->total;
}

/* Cholesky's way to the least squares: m is symmetric, its lower half given. False when the
 * unknowns can't be told apart. */
static int system_solve(float m[UNKNOWNS][UNKNOWNS], const float right[UNKNOWNS],
                        float out[UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; i++)
        for (int j = 0; j <= i; j++) {
            float sum = m[i][j];
            for (int k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            if (i == j && sum <= 1e-6f)
                return 0;
            m[i][j] = i == j ? sqrtf(sum) : sum / m[j][j];
        }
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
    return 1;
}

/* Fills the rows of white and field, which the template decides. */
static void template_rows(const struct glare_sums *s, int c, const float *field, const float *ink,
                          float ink_share, float m[UNKNOWNS][UNKNOWNS], float right[UNKNOWNS])
{
    float *white_row = m[GLARE_BASIS], *field_row = m[GLARE_BASIS + 1];
    for (int j = 0, at = 0; j < s->side; j++)
        for (int i = 0; i < s->side; i++, at++) {
            float basis[GLARE_BASIS], w = s->weight[at];
            if (w <= 0)
                continue;
            basis_at(s->side, i, j, basis);
            float f = w * field[at], a = w * (1 - field[at] - ink[at] * (1 - ink_share));
            for (int k = 0; k < GLARE_BASIS; k++) {
                white_row[k] += a * basis[k];
                field_row[k] += f * basis[k];
            }
            white_row[GLARE_BASIS] += a * a / w;
            field_row[GLARE_BASIS] += a * f / w;
            field_row[GLARE_BASIS + 1] += f * f / w;
            right[GLARE_BASIS] += a * s->channel[c][at];
            right[GLARE_BASIS + 1] += f * s->channel[c][at];
        }
}

float vision_glare_solve(const struct glare_sums *sums, const float *field, const float *ink,
                         const float ink_share[3], float white[3], float level[3])
{
    float rest = 0;
    for (int c = 0; c < 3; c++) {
        float m[UNKNOWNS][UNKNOWNS] = {{0}}, right[UNKNOWNS] = {0}, x[UNKNOWNS];
        for (int a = 0; a < GLARE_BASIS; a++) {
            memcpy(m[a], sums->basis_basis[a], sizeof sums->basis_basis[a]);
            m[a][a] += SURFACE_RIDGE * sums->total;
            right[a] = sums->basis_channel[c][a];
        }
        template_rows(sums, c, field, ink, ink_share[c], m, right);
        if (!system_solve(m, right, x))
            return 1;
        float explained = 0;
        for (int i = 0; i < UNKNOWNS; i++)
            explained += x[i] * right[i];
        rest += sums->square[c] - explained > 0 ? sums->square[c] - explained : 0;
        white[c] = x[GLARE_BASIS];
        level[c] = x[GLARE_BASIS + 1];
    }
    return sums->variance > 1e-9f ? rest / sums->variance : 1;
}
