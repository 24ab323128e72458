/* vision/pips.c: see pips.h. */
#include "vision/pips.h"

#include <math.h>
#include <string.h>

const signed char vision_pip_place[PIPS_MOST][PIPS_MOST][2] = {
    {{0, 0}},
    {{-1, -1}, {1, 1}},
    {{-1, -1}, {0, 0}, {1, 1}},
    {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}},
    {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}},
    {{-1, -1}, {-1, 0}, {-1, 1}, {1, -1}, {1, 0}, {1, 1}}};

#define SITES 9
#define APART 0.24f  /* of pips, in sides of the end */
#define INNER 0.045f /* radius of the points on a pip: 0.08 is its own */
#define AROUND 0.13f /* and of those around it: half way to the next */
#define RING 8
#define RIM_AT 0.47f
#define FIELD_AT 0.39f
#define EDGE_POINTS 5 /* along each side */

/* Light at a place of the end, in sides from its centre. */
static float light_at(const struct patch *patch, const struct cell_place *place, float u, float v)
{
    float c = cosf(place->turn_rad) * place->side_px, s = sinf(place->turn_rad) * place->side_px;
    float x = place->x + u * c - v * s, y = place->y + u * s + v * c, sum = 0;
    x = fminf(fmaxf(x, 0), (float)patch->width - 1.001f);
    y = fminf(fmaxf(y, 0), (float)patch->height - 1.001f);
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    const float *a = patch->rgb + ((size_t)iy * (size_t)patch->width + (size_t)ix) * 3;
    const float *b = a + (size_t)patch->width * 3;
    for (int k = 0; k < 3; k++)
        sum += (1 - fy) * (a[k] + fx * (a[k + 3] - a[k])) + fy * (b[k] + fx * (b[k + 3] - b[k]));
    return sum / 3;
}

static float ring_mean(const struct patch *patch, const struct cell_place *place, float u, float v,
                       float radius)
{
    float sum = 0;
    for (int k = 0; k < RING; k++) {
        float way = (float)(2 * M_PI) * (float)k / RING;
        sum += light_at(patch, place, u + radius * cosf(way), v + radius * sinf(way));
    }
    return sum / RING;
}

/* How much lighter the rim is than the field just inside it. */
static float rim_over_field(const struct patch *patch, const struct cell_place *place)
{
    float sum = 0;
    for (int side = 0; side < 4; side++)
        for (int i = 0; i < EDGE_POINTS; i++) {
            float along = 0.7f * ((float)i / (EDGE_POINTS - 1) - 0.5f), c = side & 2 ? -1 : 1;
            float u[2] = {c * RIM_AT, along}, w[2] = {c * FIELD_AT, along};
            sum += side & 1
                       ? light_at(patch, place, u[1], u[0]) - light_at(patch, place, w[1], w[0])
                       : light_at(patch, place, u[0], u[1]) - light_at(patch, place, w[0], w[1]);
        }
    return sum / (4 * EDGE_POINTS);
}

/* The share of the squares that pips of a number explain, in the better of two quarter turns, and
 * how strong they are. */
static float number_share(const float site[SITES], int number, float *strength)
{
    float all = 0, best = 0;
    *strength = 0;
    for (int k = 0; k < SITES; k++)
        all += site[k] * site[k];
    for (int turned = 0; turned < 2; turned++) {
        float sum = 0;
        for (int i = 0; i < number; i++) {
            int x = vision_pip_place[number - 1][i][0], y = vision_pip_place[number - 1][i][1];
            sum += turned ? site[(1 + x) * 3 + 1 - y] : site[(1 + y) * 3 + 1 + x];
        }
        float share = sum > 0 && all > 0 ? sum * sum / ((float)number * all) : 0;
        if (share > best) {
            best = share;
            *strength = sum / (float)number;
        }
    }
    return best;
}

void vision_pips_measure(const struct patch *patch, const struct cell_place *place,
                         struct pips *out)
{
    float site[SITES], all = 0;
    float depth = rim_over_field(patch, place);
    memset(out, 0, sizeof *out);
    if (depth <= 0)
        return;
    for (int k = 0; k < SITES; k++) {
        int column = k % 3 - 1, row = k / 3 - 1;
        float u = APART * (float)column, v = APART * (float)row;
        float pip = (light_at(patch, place, u, v) + RING * ring_mean(patch, place, u, v, INNER)) /
                    (RING + 1);
        site[k] = (pip - ring_mean(patch, place, u, v, AROUND)) / depth;
        all += site[k] * site[k];
    }
    for (int n = 1; n <= PIPS_MOST; n++) {
        float strength;
        out->share[n] = number_share(site, n, &strength);
        if (out->share[n] > out->share[out->best]) {
            out->best = n;
            out->strength = strength;
        }
    }
    out->spread = sqrtf(all * (1 - out->share[out->best]) / SITES);
}
