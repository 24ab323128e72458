/* vision/white.c: see white.h. */
#include "vision/white.h"

#include "vision/four.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COARSE_MM 8.0      /* pixel of the coarse picture: smaller than a cell's ink */
#define NODE_MM 40.0       /* light changes slowly: about a cell between nodes */
#define REACH_MM 90.0      /* more than a layout of ten blocks can cover in full */
#define NODES_MAX 64       /* a side; 2.5 m of mat */
#define WHITE_LEAST 0.004f /* darker than this a channel holds noise only */

/* Luma in steps that are finer than the noise from dusk to full light: by its square root. */
#define LUMA_STEPS 512
#define LUMA_OUTSIDE LUMA_STEPS

struct white_map {
    struct patch coarse;
    uint16_t *luma; /* of the coarse picture, LUMA_STEPS or LUMA_OUTSIDE */
    int capacity;   /* of luma */
    int cols, rows;
    double step_mm;
    float node[NODES_MAX * NODES_MAX][3];
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
    free((*map)->luma);
    free(*map);
    *map = NULL;
}

static float luma_of(const float *rgb)
{
    return 0.2126f * rgb[0] + 0.7152f * rgb[1] + 0.0722f * rgb[2];
}

static int luma_take(struct white_map *map)
{
    const struct patch *p = &map->coarse;
    int pixels = p->width * p->height;
    if (map->capacity < pixels) {
        uint16_t *luma = realloc(map->luma, (size_t)pixels * sizeof *luma);
        if (!luma)
            return VISION_E_MEMORY;
        map->luma = luma;
        map->capacity = pixels;
    }
    for (int i = 0; i < pixels; i++) {
        float root = sqrtf(luma_of(p->rgb + i * 3));
        int step = (int)(root * (LUMA_STEPS - 1) + 0.5f);
        map->luma[i] = p->flag[i] & PATCH_OUTSIDE
                           ? LUMA_OUTSIDE
                           : (uint16_t)(step < LUMA_STEPS ? step : LUMA_STEPS - 1);
    }
    return VISION_OK;
}

/* The part of the coarse picture around a node. */
struct reach {
    int left, top, right, bottom; /* right and bottom not included */
};

static struct reach reach_of(const struct patch *p, int cx, int cy)
{
    int reach = (int)(REACH_MM / COARSE_MM);
    return (struct reach){cx > reach ? cx - reach : 0, cy > reach ? cy - reach : 0,
                          cx + reach < p->width ? cx + reach + 1 : p->width,
                          cy + reach < p->height ? cy + reach + 1 : p->height};
}

/* Steps of luma below which the 70th and the 90th hundredth of the reach's pixels lie. */
static bool steps_find(const struct white_map *map, const struct reach *r, int *low, int *high)
{
    int count[LUMA_STEPS + 1] = {0}, below = 0, step = 0;
    int all = (r->bottom - r->top) * (r->right - r->left);
    for (int y = r->top; y < r->bottom; y++) {
        const uint16_t *luma = map->luma + y * map->coarse.width;
        for (int x = r->left; x < r->right; x++)
            count[luma[x]]++;
    }
    all -= count[LUMA_OUTSIDE];
    if (all < 8)
        return false;
    while (below + count[step] <= all * 70 / 100)
        below += count[step++];
    *low = step;
    while (below + count[step] <= all * 90 / 100)
        below += count[step++];
    *high = step;
    return true;
}

/* Mean colour of the pixels around a node whose luma lies in the 70th to 90th hundredth. */
static bool node_measure(const struct white_map *map, int cx, int cy, float out[3])
{
    const struct patch *p = &map->coarse;
    struct reach r = reach_of(p, cx, cy);
    float sum[3] = {0, 0, 0};
    int used = 0, low, high;
    if (!steps_find(map, &r, &low, &high))
        return false;
    for (int y = r.top; y < r.bottom; y++) {
        const uint16_t *luma = map->luma + y * p->width;
        const float *rgb = p->rgb + (size_t)y * (size_t)p->width * 3;
        for (int x = r.left; x < r.right; x++) {
            if (luma[x] < low || luma[x] > high)
                continue;
            for (int c = 0; c < 3; c++)
                sum[c] += rgb[3 * x + c];
            used++;
        }
    }
    for (int c = 0; c < 3; c++) {
        float mean = sum[c] / (float)used;
        out[c] = mean > WHITE_LEAST ? mean : WHITE_LEAST;
    }
    return true;
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
    error = luma_take(map);
    if (error)
        return error;
    double longest = mat->size_mm[0] > mat->size_mm[1] ? mat->size_mm[0] : mat->size_mm[1];
    map->step_mm = fmax(NODE_MM, longest / (NODES_MAX - 2));
    map->cols = (int)(mat->size_mm[0] / map->step_mm) + 2;
    map->rows = (int)(mat->size_mm[1] / map->step_mm) + 2;
    bool seen[NODES_MAX * NODES_MAX] = {false};
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
/* Of a seed's eight neighbours: a lamp's image is a spot of some px, and noise seldom lights half.
 */
#define LAMP_AROUND_LEAST 4

/* Private marks of a patch's pixels: mirrors a lamp; lies in a row near one that does. */
enum { SEED = 32, ROW = 64 };

/* Sixteen flags at once. */
#define FLAGS 16
typedef uint8_t flags __attribute__((vector_size(FLAGS)));

static inline flags flags_load(const uint8_t *from)
{
    flags value;
    memcpy(&value, from, sizeof value);
    return value;
}

static void px_spread(uint8_t *row, int width, int from, int to)
{
    for (int x = from; x < to; x++)
        for (int d = -GLARE_SPILL_PX; d <= GLARE_SPILL_PX; d++)
            if (x + d >= 0 && x + d < width && row[x + d] & SEED)
                row[x] |= ROW;
}

/* Marks what lies in a row within GLARE_SPILL_PX of a seed. */
static void row_spread(uint8_t *row, int width)
{
    int x = width < GLARE_SPILL_PX ? width : GLARE_SPILL_PX;
    px_spread(row, width, 0, x);
    for (; x + GLARE_SPILL_PX + FLAGS <= width; x += FLAGS) {
        flags near = {0};
        for (int d = -GLARE_SPILL_PX; d <= GLARE_SPILL_PX; d++)
            near |= flags_load(row + x + d);
        near = flags_load(row + x) | (near & SEED) * (ROW / SEED);
        memcpy(row + x, &near, sizeof near);
    }
    px_spread(row, width, x, width);
}

/* Marks as glare what lies below or above ROW marks within GLARE_SPILL_PX. */
static void columns_spread(struct patch *patch, int y)
{
    int first = y > GLARE_SPILL_PX ? y - GLARE_SPILL_PX : 0, x = 0;
    int last = y + GLARE_SPILL_PX < patch->height ? y + GLARE_SPILL_PX : patch->height - 1;
    size_t width = (size_t)patch->width;
    uint8_t *row = patch->flag + (size_t)y * width;
    for (; x + FLAGS <= patch->width; x += FLAGS) {
        flags near = {0};
        for (int j = first; j <= last; j++)
            near |= flags_load(patch->flag + (size_t)j * width + x);
        near = flags_load(row + x) | (near & ROW) / (ROW / PATCH_GLARE);
        memcpy(row + x, &near, sizeof near);
    }
    for (; x < patch->width; x++)
        for (int j = first; j <= last; j++)
            if (patch->flag[(size_t)j * width + (size_t)x] & ROW)
                row[x] |= PATCH_GLARE;
}

/* Has a seed so many others around it that noise has not made it? */
static bool seed_firm(const struct patch *patch, int x, int y)
{
    int around = 0;
    for (int k = 0; k < 9; k++) {
        int nx = x + k % 3 - 1, ny = y + k / 3 - 1;
        around += k != 4 && nx >= 0 && nx < patch->width && ny >= 0 && ny < patch->height &&
                  patch->flag[(size_t)ny * (size_t)patch->width + (size_t)nx] & SEED;
    }
    return around >= LAMP_AROUND_LEAST;
}

/* Marks pixels within GLARE_SPILL_PX of a firm seed. */
static void lamps_mark(struct patch *patch)
{
    for (int y = 0; y < patch->height; y++)
        for (int x = 0; x < patch->width; x++) {
            if (!(patch->flag[(size_t)y * (size_t)patch->width + (size_t)x] & SEED) ||
                !seed_firm(patch, x, y))
                continue;
            for (int j = y - GLARE_SPILL_PX; j <= y + GLARE_SPILL_PX; j++)
                for (int i = x - GLARE_SPILL_PX; i <= x + GLARE_SPILL_PX; i++)
                    if (i >= 0 && i < patch->width && j >= 0 && j < patch->height)
                        patch->flag[(size_t)j * (size_t)patch->width + (size_t)i] |= PATCH_LAMP;
        }
}

/* Marks pixels within GLARE_SPILL_PX of a seed, along rows and then along columns. */
static void glare_spread(struct patch *patch)
{
    for (int y = 0; y < patch->height; y++)
        row_spread(patch->flag + (size_t)y * (size_t)patch->width, patch->width);
    for (int y = 0; y < patch->height; y++)
        columns_spread(patch, y);
}

/* Whiteness of `count` px of a row under one white; returns how many of them mirror a lamp. */
static int px_measure(const float *restrict rgb, int count, const float inverse[3],
                      float *restrict out, uint8_t *restrict flag)
{
    int glare = 0;
    for (int x = 0; x < count; x++, rgb += 3) {
        float r = rgb[0] * inverse[0], g = rgb[1] * inverse[1], b = rgb[2] * inverse[2];
        float least = r < g ? r : g;
        bool bright = r + g + b > 3 * GLARE_LEVEL;
        out[x] = least < b ? least : b;
        flag[x] = (uint8_t)(flag[x] | (bright ? SEED : 0));
        glare += bright;
    }
    return glare;
}

/* The same by fours: where one of them mirrors a lamp, which is rare, they are looked at one by
 * one. */
static int row_measure(const float *restrict rgb, int count, const float inverse[3],
                       float *restrict out, uint8_t *restrict flag)
{
    int glare = 0, x = 0;
    for (; x + 4 <= count; x += 4) {
        four r, g, b;
        uint64_t bright[2];
        four_channels(rgb + 3 * x, &r, &g, &b);
        r *= inverse[0];
        g *= inverse[1];
        b *= inverse[2];
        four least = four_least(four_least(r, g), b);
        memcpy(out + x, &least, sizeof least);
        four_whole over = r + g + b > 3 * GLARE_LEVEL;
        memcpy(bright, &over, sizeof bright);
        if (bright[0] | bright[1])
            glare += px_measure(rgb + 3 * x, 4, inverse, out + x, flag + x);
    }
    return glare + px_measure(rgb + 3 * x, count - x, inverse, out + x, flag + x);
}

/* Whiteness of a tile under one white; returns how many of its pixels mirror a lamp. */
static int tile_measure(struct patch *patch, int x0, int y0, int size, const float white[3],
                        float *out)
{
    const float inverse[3] = {1 / white[0], 1 / white[1], 1 / white[2]};
    int count = patch->width - x0 < size ? patch->width - x0 : size, glare = 0;
    for (int y = y0; y < y0 + size && y < patch->height; y++) {
        size_t at = (size_t)y * (size_t)patch->width + (size_t)x0;
        glare += row_measure(patch->rgb + at * 3, count, inverse, out + at, patch->flag + at);
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
            vision_patch_to_mm(patch, x + TILE / 2.0, y + TILE / 2.0, mm);
            vision_white_at(map, mm[0], mm[1], white);
            glare += tile_measure(patch, x, y, TILE, white, out);
        }
    if (glare) {
        glare_spread(patch);
        lamps_mark(patch);
    }
}
