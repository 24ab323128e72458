/* vision/white.c: see white.h. */
#include "vision/white.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COARSE_MM 8.0  /* pixel of the coarse picture: smaller than a cell's ink */
#define NODE_MM 40.0   /* light changes slowly: about a cell between nodes */
#define REACH_MM 90.0  /* more than a layout of ten blocks can cover in full */
#define NODES_MAX 64   /* a side; 2.5 m of mat */
#define WHITE_LEAST 0.004f /* darker than this a channel holds noise only */

struct white_map {
    struct patch coarse;
    int cols, rows;
    double step_mm;
    float node[NODES_MAX * NODES_MAX][3];
    float luma[4096];
    int order[4096];
};

struct white_map *vision_white_create(void)
{
    return calloc(1, sizeof(struct white_map));
}

void vision_white_destroy(struct white_map **map)
{
    if (!map || !*map)
        return;
    vision_patch_free(&(*map)->coarse);
    free(*map);
    *map = NULL;
}

/* Value that `rank` of the `count` numbers lie below (Hoare's selection; reorders them). */
static float select_rank(float *value, int count, int rank)
{
    int low = 0, high = count - 1;
    while (low < high) {
        float pivot = value[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (value[i] < pivot)
                i++;
            while (pivot < value[j])
                j--;
            if (i <= j) {
                float swap = value[i];
                value[i++] = value[j];
                value[j--] = swap;
            }
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break;
    }
    return value[rank];
}

static float luma_of(const float *rgb)
{
    return 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
}

/* Mean colour of the pixels around a node whose luma lies in the 70th to 90th hundredth. */
static bool node_measure(struct white_map *map, int cx, int cy, float out[3])
{
    const struct patch *p = &map->coarse;
    int reach = (int)(REACH_MM / COARSE_MM), count = 0;
    for (int y = cy - reach; y <= cy + reach; y++)
        for (int x = cx - reach; x <= cx + reach; x++) {
            if (x < 0 || y < 0 || x >= p->width || y >= p->height)
                continue;
            int at = y * p->width + x;
            if (!(p->flag[at] & PATCH_OUTSIDE) && count < 4096) {
                map->order[count] = at;
                map->luma[count++] = luma_of(p->rgb + at * 3);
            }
        }
    if (count < 8)
        return false;
    float low = select_rank(map->luma, count, count * 70 / 100);
    float high = select_rank(map->luma, count, count * 90 / 100);
    double sum[3] = {0, 0, 0};
    int used = 0;
    for (int i = 0; i < count; i++) {
        const float *rgb = p->rgb + map->order[i] * 3;
        float luma = luma_of(rgb);
        if (luma < low || luma > high)
            continue;
        for (int c = 0; c < 3; c++)
            sum[c] += (double)rgb[c];
        used++;
    }
    for (int c = 0; c < 3; c++)
        out[c] = fmaxf((float)(sum[c] / (used ? used : 1)), WHITE_LEAST);
    return used > 0;
}

/* Nodes that saw nothing take the mean of those that did. */
static void nodes_fill(struct white_map *map, const bool *seen)
{
    double sum[3] = {0, 0, 0};
    int count = 0, nodes = map->cols * map->rows;
    for (int i = 0; i < nodes; i++)
        if (seen[i]) {
            for (int c = 0; c < 3; c++)
                sum[c] += (double)map->node[i][c];
            count++;
        }
    for (int i = 0; i < nodes; i++)
        if (!seen[i])
            for (int c = 0; c < 3; c++)
                map->node[i][c] = count ? (float)(sum[c] / count) : 1.0f;
}

int vision_white_build(struct white_map *map, const struct pyramid *pyramid,
                       const struct mat_pose *pose, const struct mat *mat)
{
    const double rect[4] = {0, 0, mat->size_mm[0], mat->size_mm[1]};
    int error = vision_patch_sample(&map->coarse, pyramid, pose, rect, 0, 1 / COARSE_MM);
    if (error)
        return error;
    double longest = mat->size_mm[0] > mat->size_mm[1] ? mat->size_mm[0] : mat->size_mm[1];
    map->step_mm = fmax(NODE_MM, longest / (NODES_MAX - 2));
    map->cols = (int)(mat->size_mm[0] / map->step_mm) + 2;
    map->rows = (int)(mat->size_mm[1] / map->step_mm) + 2;
    bool seen[NODES_MAX * NODES_MAX];
    for (int j = 0; j < map->rows; j++)
        for (int i = 0; i < map->cols; i++) {
            int at = j * map->cols + i;
            seen[at] = node_measure(map, (int)(i * map->step_mm / COARSE_MM),
                                    (int)(j * map->step_mm / COARSE_MM), map->node[at]);
        }
    nodes_fill(map, seen);
    return VISION_OK;
}

void vision_white_at(const struct white_map *map, double x_mm, double y_mm, float rgb[3])
{
    double x = fmin(fmax(x_mm / map->step_mm, 0), map->cols - 1.001);
    double y = fmin(fmax(y_mm / map->step_mm, 0), map->rows - 1.001);
    int i = (int)x, j = (int)y;
    float fx = (float)(x - i), fy = (float)(y - j);
    const float(*a)[3] = &map->node[j * map->cols + i], (*b)[3] = a + map->cols;
    for (int c = 0; c < 3; c++) {
        float top = a[0][c] + fx * (a[1][c] - a[0][c]);
        float low = b[0][c] + fx * (b[1][c] - b[0][c]);
        rgb[c] = top + fy * (low - top);
    }
}

/* Mean of the channels, each relative to white, above which a pixel mirrors a lamp: the map is
 * right within some ten per cent, and print is never brighter than white. */
#define GLARE_LEVEL 1.25f
/* Light spills this far from a mirrored lamp's edge, in patch px: the eye of the blur that a
 * lens and resampling make, at the patches' 24 px to a cell. */
#define GLARE_SPILL_PX 2

/* Marks pixels within GLARE_SPILL_PX of a burnt-in mark, along rows and then along columns. */
static void glare_spread(struct patch *patch)
{
    enum { SEED = 8, ROW = 16 };
    int w = patch->width, h = patch->height;
    for (int y = 0; y < h; y++) {
        uint8_t *row = patch->flag + (size_t)y * (size_t)w;
        for (int x = 0, left = 0; x < w; x++) { /* to the right of a seed, then to the left */
            left = row[x] & SEED ? GLARE_SPILL_PX + 1 : left - (left > 0);
            if (left)
                row[x] |= ROW;
        }
        for (int x = w - 1, left = 0; x >= 0; x--) {
            left = row[x] & SEED ? GLARE_SPILL_PX + 1 : left - (left > 0);
            if (left)
                row[x] |= ROW;
        }
    }
    for (int x = 0; x < w; x++) {
        uint8_t *col = patch->flag + x;
        for (int y = 0, left = 0; y < h; y++) {
            uint8_t *p = col + (size_t)y * (size_t)w;
            left = *p & ROW ? GLARE_SPILL_PX + 1 : left - (left > 0);
            if (left)
                *p |= PATCH_GLARE;
        }
        for (int y = h - 1, left = 0; y >= 0; y--) {
            uint8_t *p = col + (size_t)y * (size_t)w;
            left = *p & ROW ? GLARE_SPILL_PX + 1 : left - (left > 0);
            if (left)
                *p |= PATCH_GLARE;
        }
    }
}

/* Whiteness of a tile under one white; returns how many of its pixels mirror a lamp. */
static int tile_measure(struct patch *patch, int x0, int y0, int size, const float white[3],
                        float *out)
{
    enum { SEED = 8 };
    const float inverse[3] = {1 / white[0], 1 / white[1], 1 / white[2]};
    int glare = 0;
    for (int y = y0; y < y0 + size && y < patch->height; y++)
        for (int x = x0; x < x0 + size && x < patch->width; x++) {
            int at = y * patch->width + x;
            const float *p = patch->rgb + at * 3;
            float r = p[0] * inverse[0], g = p[1] * inverse[1], b = p[2] * inverse[2];
            float least = r < g ? r : g;
            out[at] = least < b ? least : b;
            if (r + g + b > 3 * GLARE_LEVEL) {
                patch->flag[at] |= SEED;
                glare++;
            }
        }
    return glare;
}

void vision_whiteness(const struct white_map *map, struct patch *patch, float *out)
{
    enum { TILE = 8 }; /* light is even over 8 px, about a third of a cell */
    int glare = 0;
    for (int y = 0; y < patch->height; y += TILE)
        for (int x = 0; x < patch->width; x += TILE) {
            double mm[2];
            float white[3];
            vision_patch_to_mm(patch, x + TILE / 2, y + TILE / 2, mm);
            vision_white_at(map, mm[0], mm[1], white);
            glare += tile_measure(patch, x, y, TILE, white, out);
        }
    if (glare)
        glare_spread(patch);
}
