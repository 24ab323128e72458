/* vision/plane.c: see plane.h. */
#include "vision/plane.h"

#include "calib/symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A channel at or above this is near the sensor's limit: JPEG ringing and the highlights'
 * roll-off reach some bytes below 255. */
#define BURNT_LEVEL 249.0f
/* Projections are exact on nodes this far apart and linear between them: over 8 patch pixels
 * lens and perspective bend by far less than a tenth of a pixel. */
#define NODE_PX 8

struct level {
    int width, height, cwidth, cheight;
    size_t y_stride, c_stride;
    uint8_t *y, *cb, *cr;
    size_t capacity; /* bytes of `memory` */
    uint8_t *memory; /* NULL for level 0, which is lent */
};

struct pyramid {
    struct level level[PYRAMID_LEVELS];
    int levels;
    bool has_colour;
    int cx_shift, cy_shift;
    float linear[257]; /* sRGB byte to linear light; one more for interpolation */
};

struct pyramid *vision_pyramid_create(void)
{
    struct pyramid *pyramid = calloc(1, sizeof *pyramid);
    if (!pyramid)
        return NULL;
    for (int i = 0; i < 257; i++)
        pyramid->linear[i] = (float)calib_srgb_to_linear((unsigned char)(i < 255 ? i : 255));
    return pyramid;
}

void vision_pyramid_destroy(struct pyramid **pyramid)
{
    if (!pyramid || !*pyramid)
        return;
    for (int i = 1; i < PYRAMID_LEVELS; i++)
        free((*pyramid)->level[i].memory);
    free(*pyramid);
    *pyramid = NULL;
}

static void plane_halve(const uint8_t *from, size_t from_stride, int from_w, int from_h,
                        uint8_t *to, size_t to_stride)
{
    int w = from_w / 2, h = from_h / 2;
    for (int y = 0; y < h; y++) {
        const uint8_t *a = from + (size_t)(2 * y) * from_stride, *b = a + from_stride;
        uint8_t *out = to + (size_t)y * to_stride;
        for (int x = 0; x < w; x++)
            out[x] = (uint8_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] + 2) / 4);
    }
}

static int level_build(struct level *level, const struct level *from, bool has_colour)
{
    level->width = from->width / 2;
    level->height = from->height / 2;
    level->cwidth = has_colour ? from->cwidth / 2 : 0;
    level->cheight = has_colour ? from->cheight / 2 : 0;
    level->y_stride = (size_t)level->width;
    level->c_stride = (size_t)level->cwidth;
    size_t y_size = level->y_stride * (size_t)level->height;
    size_t c_size = level->c_stride * (size_t)level->cheight;
    if (level->capacity < y_size + 2 * c_size) {
        uint8_t *memory = realloc(level->memory, y_size + 2 * c_size);
        if (!memory)
            return VISION_E_MEMORY;
        level->memory = memory;
        level->capacity = y_size + 2 * c_size;
    }
    level->y = level->memory;
    level->cb = level->memory + y_size;
    level->cr = level->cb + c_size;
    plane_halve(from->y, from->y_stride, from->width, from->height, level->y, level->y_stride);
    if (has_colour) {
        plane_halve(from->cb, from->c_stride, from->cwidth, from->cheight, level->cb,
                    level->c_stride);
        plane_halve(from->cr, from->c_stride, from->cwidth, from->cheight, level->cr,
                    level->c_stride);
    }
    return VISION_OK;
}

int vision_pyramid_build(struct pyramid *pyramid, const struct frame *frame)
{
    struct level *base = &pyramid->level[0];
    base->width = frame->width;
    base->height = frame->height;
    base->cwidth = frame->has_colour ? (frame->width + (1 << frame->cx_shift) - 1) >> frame->cx_shift : 0;
    base->cheight = frame->has_colour ? (frame->height + (1 << frame->cy_shift) - 1) >> frame->cy_shift : 0;
    base->y = frame->y;
    base->cb = frame->cb;
    base->cr = frame->cr;
    base->y_stride = frame->y_stride;
    base->c_stride = frame->c_stride;
    pyramid->has_colour = frame->has_colour;
    pyramid->cx_shift = frame->cx_shift;
    pyramid->cy_shift = frame->cy_shift;
    pyramid->levels = 1;
    for (int i = 1; i < PYRAMID_LEVELS; i++) {
        const struct level *from = &pyramid->level[i - 1];
        if (from->width < 16 || from->height < 16 ||
            (frame->has_colour && (from->cwidth < 8 || from->cheight < 8)))
            break;
        int error = level_build(&pyramid->level[i], from, frame->has_colour);
        if (error)
            return error;
        pyramid->levels++;
    }
    return VISION_OK;
}

double vision_plane_scale(const struct mat_pose *pose, double x_mm, double y_mm, double z_mm)
{
    double p[3][2];
    const double at[3][3] = {{x_mm, y_mm, z_mm}, {x_mm + 1, y_mm, z_mm}, {x_mm, y_mm + 1, z_mm}};
    for (int i = 0; i < 3; i++)
        if (!calib_camera_project(&pose->camera, &pose->pose, at[i], p[i]))
            return 0;
    double a = hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]);
    double b = hypot(p[2][0] - p[0][0], p[2][1] - p[0][1]);
    return a < b ? a : b;
}

/* Bilinear sample of a byte plane; the place must be checked by the caller. */
static inline float byte_sample(const uint8_t *plane, size_t stride, float x, float y)
{
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    const uint8_t *p = plane + (size_t)iy * stride + (size_t)ix;
    float a = (float)p[0] + fx * (float)(p[1] - p[0]);
    float b = (float)p[stride] + fx * (float)(p[stride + 1] - p[stride]);
    return a + fy * (b - a);
}

static inline float clamp_coordinate(float value, int size)
{
    float top = (float)size - 1.001f;
    return value < 0 ? 0 : value > top ? top : value;
}

static inline float linear_light(const float *table, float value)
{
    if (value <= 0)
        return table[0];
    if (value >= 255)
        return table[255];
    int i = (int)value;
    return table[i] + (value - (float)i) * (table[i + 1] - table[i]);
}

struct sampler {
    const struct pyramid *pyramid;
    const struct level *level;
    float scale, shift;       /* level 0 px to level px: x * scale - shift */
    float c_scale[2], c_shift[2];
};

static void sampler_init(struct sampler *s, const struct pyramid *pyramid, int level)
{
    float step = (float)(1 << level);
    s->pyramid = pyramid;
    s->level = &pyramid->level[level];
    s->scale = 1 / step;
    s->shift = 0.5f - 0.5f / step;
    const int shifts[2] = {pyramid->cx_shift, pyramid->cy_shift};
    for (int i = 0; i < 2; i++) {
        float c = step * (float)(1 << shifts[i]);
        s->c_scale[i] = 1 / c;
        s->c_shift[i] = 0.5f - 0.5f / c;
    }
}

/* Colour of the picture at level-0 pixel (x, y). Returns the patch's flag. */
static inline uint8_t sampler_read(const struct sampler *s, float x, float y, float rgb[3])
{
    const struct level *base = &s->pyramid->level[0], *l = s->level;
    if (!(x >= -0.5f && y >= -0.5f && x <= (float)base->width - 0.5f &&
          y <= (float)base->height - 0.5f)) {
        rgb[0] = rgb[1] = rgb[2] = 0;
        return PATCH_OUTSIDE;
    }
    float luma = byte_sample(l->y, l->y_stride, clamp_coordinate(x * s->scale - s->shift, l->width),
                             clamp_coordinate(y * s->scale - s->shift, l->height));
    float r = luma, g = luma, b = luma;
    if (s->pyramid->has_colour) {
        float cx = clamp_coordinate(x * s->c_scale[0] - s->c_shift[0], l->cwidth);
        float cy = clamp_coordinate(y * s->c_scale[1] - s->c_shift[1], l->cheight);
        float cb = byte_sample(l->cb, l->c_stride, cx, cy) - 128;
        float cr = byte_sample(l->cr, l->c_stride, cx, cy) - 128;
        r += 1.402f * cr; /* ITU-R BT.601, full range, as in JFIF */
        g -= 0.344136f * cb + 0.714136f * cr;
        b += 1.772f * cb;
    }
    const float *table = s->pyramid->linear;
    rgb[0] = linear_light(table, r);
    rgb[1] = linear_light(table, g);
    rgb[2] = linear_light(table, b);
    return r >= BURNT_LEVEL && g >= BURNT_LEVEL && b >= BURNT_LEVEL ? PATCH_BURNT : 0;
}

static int patch_reserve(struct patch *patch, int width, int height)
{
    int pixels = width * height;
    patch->width = width;
    patch->height = height;
    if (patch->capacity >= pixels)
        return VISION_OK;
    float *rgb = realloc(patch->rgb, (size_t)pixels * 3 * sizeof *rgb);
    if (rgb)
        patch->rgb = rgb;
    uint8_t *flag = realloc(patch->flag, (size_t)pixels);
    if (flag)
        patch->flag = flag;
    if (!rgb || !flag)
        return VISION_E_MEMORY;
    patch->capacity = pixels;
    return VISION_OK;
}

void vision_patch_free(struct patch *patch)
{
    free(patch->rgb);
    free(patch->flag);
    memset(patch, 0, sizeof *patch);
}

/* The pyramid's level whose pixels are just finer than the patch's. */
static int level_choose(const struct pyramid *pyramid, double picture_per_patch)
{
    int level = 0;
    while (level + 1 < pyramid->levels && picture_per_patch > 1.5) {
        picture_per_patch /= 2;
        level++;
    }
    return level;
}

/* Projects the four corners of a block of nodes; false when one is not in front of the lens. */
static bool node_project(const struct patch *patch, const struct mat_pose *pose, int x, int y,
                         float out[2])
{
    double mm[2], px[2];
    vision_patch_to_mm(patch, x, y, mm);
    const double at[3] = {mm[0], mm[1], patch->z_mm};
    if (!calib_camera_project(&pose->camera, &pose->pose, at, px))
        return false;
    out[0] = (float)px[0];
    out[1] = (float)px[1];
    return true;
}

static void block_sample(struct patch *patch, const struct sampler *sampler, int bx, int by,
                         float corner[4][2])
{
    for (int j = 0; j < NODE_PX && by + j < patch->height; j++) {
        float v = (float)j / NODE_PX;
        float x0 = corner[0][0] + v * (corner[2][0] - corner[0][0]);
        float y0 = corner[0][1] + v * (corner[2][1] - corner[0][1]);
        float dx = (corner[1][0] + v * (corner[3][0] - corner[1][0]) - x0) / NODE_PX;
        float dy = (corner[1][1] + v * (corner[3][1] - corner[1][1]) - y0) / NODE_PX;
        for (int i = 0; i < NODE_PX && bx + i < patch->width; i++) {
            size_t at = (size_t)(by + j) * (size_t)patch->width + (size_t)(bx + i);
            patch->flag[at] = sampler_read(sampler, x0 + dx * (float)i, y0 + dy * (float)i,
                                           patch->rgb + at * 3);
        }
    }
}

static void block_outside(struct patch *patch, int bx, int by)
{
    for (int j = by; j < by + NODE_PX && j < patch->height; j++)
        for (int i = bx; i < bx + NODE_PX && i < patch->width; i++) {
            size_t at = (size_t)j * (size_t)patch->width + (size_t)i;
            patch->flag[at] = PATCH_OUTSIDE;
            memset(patch->rgb + at * 3, 0, 3 * sizeof(float));
        }
}

int vision_patch_sample(struct patch *patch, const struct pyramid *pyramid,
                        const struct mat_pose *pose, const double rect_mm[4], double z_mm,
                        double px_per_mm)
{
    int width = (int)ceil(rect_mm[2] * px_per_mm), height = (int)ceil(rect_mm[3] * px_per_mm);
    if (width < 1 || height < 1 || width > 4096 || height > 4096)
        return VISION_E_ARGUMENT;
    int error = patch_reserve(patch, width, height);
    if (error)
        return error;
    patch->px_per_mm = px_per_mm;
    patch->z_mm = z_mm;
    patch->origin_mm[0] = rect_mm[0] + 0.5 / px_per_mm;
    patch->origin_mm[1] = rect_mm[1] + 0.5 / px_per_mm;
    double scale = vision_plane_scale(pose, rect_mm[0] + rect_mm[2] / 2,
                                      rect_mm[1] + rect_mm[3] / 2, z_mm);
    struct sampler sampler;
    sampler_init(&sampler, pyramid, level_choose(pyramid, scale / px_per_mm));
    for (int y = 0; y < height; y += NODE_PX)
        for (int x = 0; x < width; x += NODE_PX) {
            float corner[4][2];
            bool seen = true;
            for (int k = 0; k < 4 && seen; k++)
                seen = node_project(patch, pose, x + (k & 1 ? NODE_PX : 0),
                                    y + (k & 2 ? NODE_PX : 0), corner[k]);
            if (seen)
                block_sample(patch, &sampler, x, y, corner);
            else
                block_outside(patch, x, y);
        }
    return VISION_OK;
}
