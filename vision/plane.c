/* vision/plane.c: see plane.h. */
#include "vision/plane.h"

#include "calib/symbol.h"
#include "vision/eight.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A channel at or above this is near the sensor's limit: JPEG ringing and the highlights'
 * roll-off reach some bytes below 255. */
#define BURNT_VALUE VALUE_OF(249)
/* Projections are exact on nodes this far apart and linear between them: over 8 patch pixels
 * lens and perspective bend by far less than a tenth of a pixel. */
#define NODE_PX 8
#define PATCH_SIDE_MAX 4096

/* Sampled values are bytes with this many bits behind the point: with chroma added to luma they
 * still fit into 16 bits. */
#define VALUE_BITS 6
_Static_assert(VALUE_BITS == 6, "run_sample counts on it");
#define VALUE_OF(byte) ((int)((byte) * (1 << VALUE_BITS)))
/* An eighth of a byte is a thirtieth of the noise of a good picture. */
#define LINEAR_BITS 3
#define LINEAR_PER_BYTE (1 << LINEAR_BITS)
/* Chroma takes a channel up to 1.772 * 128 bytes beyond 0 and 255: the table goes on there, so
 * that nothing need be clamped. */
#define LINEAR_BEYOND (228 * LINEAR_PER_BYTE)
#define LINEAR_STEPS (255 * LINEAR_PER_BYTE + 1 + 2 * LINEAR_BEYOND)
/* Places in the picture, inside a block, have this many bits behind the point: 17 are left for
 * the widest picture, and eight steps add up to an error of a two-thousandth of a pixel. */
#define PLACE_BITS 14

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
    /* sRGB byte, in steps of 1 / LINEAR_PER_BYTE from LINEAR_BEYOND on, to linear light */
    float linear[LINEAR_STEPS];
};

struct pyramid *vision_pyramid_create(void)
{
    struct pyramid *pyramid = calloc(1, sizeof *pyramid);
    if (!pyramid)
        return NULL;
    for (int i = 0; i < LINEAR_STEPS; i++) {
        int step = i < LINEAR_BEYOND ? 0 : i - LINEAR_BEYOND;
        step = step < 255 * LINEAR_PER_BYTE ? step : 255 * LINEAR_PER_BYTE;
        int byte = step / LINEAR_PER_BYTE, next = byte < 255 ? byte + 1 : 255;
        double from = calib_srgb_to_linear((unsigned char)byte);
        double to = calib_srgb_to_linear((unsigned char)next);
        pyramid->linear[i] =
            (float)(from + (to - from) * (step % LINEAR_PER_BYTE) / LINEAR_PER_BYTE);
    }
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

typedef uint16_t pairs __attribute__((vector_size(16))); /* eight pairs of bytes */

/* Both bytes of each pair added: which comes first does not matter. */
static inline pairs pairs_add(const uint8_t *from)
{
    pairs both;
    memcpy(&both, from, sizeof both);
    return (both & 255) + (both >> 8);
}

static void row_halve(const uint8_t *a, const uint8_t *b, int width, uint8_t *out)
{
    int x = 0;
    for (; x + 8 <= width; x += 8) {
        pairs sum = (pairs_add(a + 2 * x) + pairs_add(b + 2 * x) + 2) >> 2;
        eight_bytes mean = __builtin_convertvector(sum, eight_bytes);
        memcpy(out + x, &mean, sizeof mean);
    }
    for (; x < width; x++)
        out[x] = (uint8_t)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] + 2) / 4);
}

static void plane_halve(const uint8_t *from, size_t from_stride, int from_w, int from_h,
                        uint8_t *to, size_t to_stride)
{
    int w = from_w / 2, h = from_h / 2;
    for (int y = 0; y < h; y++) {
        const uint8_t *a = from + (size_t)(2 * y) * from_stride;
        row_halve(a, a + from_stride, w, to + (size_t)y * to_stride);
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
    base->cwidth =
        frame->has_colour ? (frame->width + (1 << frame->cx_shift) - 1) >> frame->cx_shift : 0;
    base->cheight =
        frame->has_colour ? (frame->height + (1 << frame->cy_shift) - 1) >> frame->cy_shift : 0;
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

/* Bilinear sample of a byte plane at a place with PLACE_BITS behind the point, which lies at
 * least a pixel inside its right and lower edges. */
static inline int byte_sample(const uint8_t *plane, size_t stride, int x, int y)
{
    const uint8_t *p = plane + (size_t)(y >> PLACE_BITS) * stride + (size_t)(x >> PLACE_BITS);
    int fx = (x >> (PLACE_BITS - 8)) & 255, fy = (y >> (PLACE_BITS - 8)) & 255;
    int a = p[0] * (256 - fx) + p[1] * fx;
    int b = p[stride] * (256 - fx) + p[stride + 1] * fx;
    return (a * (256 - fy) + b * fy) >> (16 - VALUE_BITS);
}

/* `table` points at the step of value 0. */
static inline float linear_light(const float *table, int value)
{
    int step = (value + (1 << (VALUE_BITS - LINEAR_BITS - 1))) >> (VALUE_BITS - LINEAR_BITS);
    return table[step];
}

struct sampler {
    const struct pyramid *pyramid;
    const struct level *level;
    float scale, shift; /* level 0 px to level px: x * scale - shift */
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

/* A place on the level's luma and chroma, PLACE_BITS behind the point. */
struct place {
    int x, y, cx, cy;
};

static inline int place_clamp(float value, int size)
{
    float top = (float)size - 1.001f;
    float inside = value < 0 ? 0 : value > top ? top : value;
    return (int)(inside * (1 << PLACE_BITS));
}

/* Where level-0 pixel (x, y) lies, moved inside the planes. */
static struct place place_at(const struct sampler *s, float x, float y)
{
    const struct level *l = s->level;
    struct place at = {place_clamp(x * s->scale - s->shift, l->width),
                       place_clamp(y * s->scale - s->shift, l->height), 0, 0};
    if (s->pyramid->has_colour) {
        at.cx = place_clamp(x * s->c_scale[0] - s->c_shift[0], l->cwidth);
        at.cy = place_clamp(y * s->c_scale[1] - s->c_shift[1], l->cheight);
    }
    return at;
}

static inline bool in_picture(const struct sampler *s, float x, float y)
{
    const struct level *base = &s->pyramid->level[0];
    return x >= -0.5f && y >= -0.5f && x <= (float)base->width - 0.5f &&
           y <= (float)base->height - 0.5f;
}

/* Colour of a picture's value. Returns the patch's flag. cb and cr are 0 for grey. */
static inline uint8_t colour_take(const float *table, int luma, int cb, int cr, float rgb[3])
{
    /* ITU-R BT.601, full range, as in JFIF: 1.402, 0.344136, 0.714136, 1.772 in 2^-14 */
    int r = luma + ((22970 * cr) >> 14), b = luma + ((29032 * cb) >> 14);
    int g = luma - ((5638 * cb + 11700 * cr) >> 14);
    rgb[0] = linear_light(table, r);
    rgb[1] = linear_light(table, g);
    rgb[2] = linear_light(table, b);
    /* negative where one of them is below */
    return ((r - BURNT_VALUE) | (g - BURNT_VALUE) | (b - BURNT_VALUE)) < 0 ? 0 : PATCH_BURNT;
}

static uint8_t sampler_read(const struct sampler *s, struct place at, float rgb[3])
{
    const struct level *l = s->level;
    int luma = byte_sample(l->y, l->y_stride, at.x, at.y), cb = 0, cr = 0;
    if (s->pyramid->has_colour) {
        cb = byte_sample(l->cb, l->c_stride, at.cx, at.cy) - VALUE_OF(128);
        cr = byte_sample(l->cr, l->c_stride, at.cx, at.cy) - VALUE_OF(128);
    }
    return colour_take(s->pyramid->linear + LINEAR_BEYOND, luma, cb, cr, rgb);
}

static int patch_reserve(struct patch *patch, int width, int height)
{
    int pixels = width * height;
    patch->width = width;
    patch->height = height;
    if (patch->capacity >= pixels)
        return VISION_OK;
    /* one more, so that a px may be read as four floats */
    float *rgb = realloc(patch->rgb, ((size_t)pixels * 3 + 1) * sizeof *rgb);
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

/* Corner of blocks: where it is seen. */
struct node {
    bool seen;   /* in front of the lens */
    bool inside; /* in the picture, clear of its edges: `at` holds */
    float x, y;  /* level-0 px */
    struct place at;
};

/* Does it lie so far from the picture's edges that whatever is sampled there lies inside? Also what
 * a level lost when it was halved is less than a px of its chroma. */
static bool node_inside(const struct sampler *sampler, const struct node *node)
{
    const struct level *base = &sampler->pyramid->level[0];
    float least = fminf(sampler->scale, fminf(sampler->c_scale[0], sampler->c_scale[1]));
    float margin = 2 / least + 1;
    return node->x >= margin && node->y >= margin && node->x <= (float)base->width - margin &&
           node->y <= (float)base->height - margin;
}

static void nodes_project(const struct patch *patch, const struct sampler *sampler,
                          const struct mat_pose *pose, int y, struct node *row)
{
    for (int x = 0; x < patch->width + NODE_PX; x += NODE_PX, row++) {
        double mm[2], px[2];
        vision_patch_to_mm(patch, x, y, mm);
        const double at[3] = {mm[0], mm[1], patch->z_mm};
        row->seen = calib_camera_project(&pose->camera, &pose->pose, at, px);
        row->x = row->seen ? (float)px[0] : 0;
        row->y = row->seen ? (float)px[1] : 0;
        row->inside = row->seen && node_inside(sampler, row);
        if (row->inside)
            row->at = place_at(sampler, row->x, row->y);
    }
}

/* A row of a block that may reach out of the picture, from (x, y) on in steps of (dx, dy). */
static void row_careful(struct patch *patch, const struct sampler *sampler, size_t at, int count,
                        float x, float y, float dx, float dy)
{
    for (int i = 0; i < count; i++, at++, x += dx, y += dy) {
        if (in_picture(sampler, x, y)) {
            patch->flag[at] = sampler_read(sampler, place_at(sampler, x, y), patch->rgb + at * 3);
        } else {
            patch->flag[at] = PATCH_OUTSIDE;
            memset(patch->rgb + at * 3, 0, 3 * sizeof(float));
        }
    }
}

/* Where a row of a block begins, and its steps to the next px. */
struct run {
    int x, y, dx, dy;
};

/* Row `j` of a block between the places of its corners, along one axis of one plane. */
static inline void run_axis(int upper0, int upper1, int lower0, int lower1, int j, int *from,
                            int *step)
{
    int left = upper0 + (lower0 - upper0) * j / NODE_PX;
    int right = upper1 + (lower1 - upper1) * j / NODE_PX;
    *from = left;
    *step = (right - left) / NODE_PX;
}

static inline struct run luma_run(const struct node *upper, const struct node *lower, int j)
{
    struct run run;
    run_axis(upper[0].at.x, upper[1].at.x, lower[0].at.x, lower[1].at.x, j, &run.x, &run.dx);
    run_axis(upper[0].at.y, upper[1].at.y, lower[0].at.y, lower[1].at.y, j, &run.y, &run.dy);
    return run;
}

static inline struct run chroma_run(const struct node *upper, const struct node *lower, int j)
{
    struct run run;
    run_axis(upper[0].at.cx, upper[1].at.cx, lower[0].at.cx, lower[1].at.cx, j, &run.x, &run.dx);
    run_axis(upper[0].at.cy, upper[1].at.cy, lower[0].at.cy, lower[1].at.cy, j, &run.y, &run.dy);
    return run;
}

/* Of a run's eight places, which px each lies in (counted from the plane's first), and how far to
 * the right of and below it, in 256ths. */
struct run_places {
    size_t at[NODE_PX];
    eight_unsigned fx, fy;
};

/* Eight steps from `from`: the bits behind the point, 8 of them. What runs over does not matter. */
static inline eight_unsigned run_fractions(int from, int step)
{
    const eight_unsigned count = {0, 1, 2, 3, 4, 5, 6, 7};
    eight_unsigned place = count * (uint16_t)step + (uint16_t)from;
    return place >> (PLACE_BITS - 8) & 255;
}

/* The px of step `i`, counted from the plane's first. */
static inline size_t run_px(const struct run *run, size_t stride, int i)
{
    uint32_t x = (uint32_t)(run->x + i * run->dx), y = (uint32_t)(run->y + i * run->dy);
    return (size_t)(y >> PLACE_BITS) * stride + (x >> PLACE_BITS);
}

static inline struct run_places run_places(const struct run *run, size_t stride)
{
    return (struct run_places){{run_px(run, stride, 0), run_px(run, stride, 1),
                                run_px(run, stride, 2), run_px(run, stride, 3),
                                run_px(run, stride, 4), run_px(run, stride, 5),
                                run_px(run, stride, 6), run_px(run, stride, 7)},
                               run_fractions(run->x, run->dx),
                               run_fractions(run->y, run->dy)};
}

/* Two px side by side, the left one in the low byte. */
static inline uint16_t two_px(const uint8_t *plane, size_t at)
{
    uint16_t two;
    memcpy(&two, plane + at, sizeof two);
    return le16toh(two);
}

static inline eight_unsigned two_px_each(const uint8_t *plane, const size_t at[NODE_PX])
{
    return (eight_unsigned){two_px(plane, at[0]), two_px(plane, at[1]), two_px(plane, at[2]),
                            two_px(plane, at[3]), two_px(plane, at[4]), two_px(plane, at[5]),
                            two_px(plane, at[6]), two_px(plane, at[7])};
}

/* Bilinear samples of a byte plane at the places of a run, as values. */
static inline eight run_sample(const uint8_t *plane, size_t stride, const struct run_places *places)
{
    eight_unsigned upper = two_px_each(plane, places->at);
    eight_unsigned lower = two_px_each(plane + stride, places->at);
    /* between left and right: bytes with eight bits behind the point, in all 16 */
    upper = ((upper & 255) << 8) + ((upper >> 8) - (upper & 255)) * places->fx;
    lower = ((lower & 255) << 8) + ((lower >> 8) - (lower & 255)) * places->fx;
    /* between above and below, with one bit given up for the sign: of the product go the 8 bits
     * of fy and one more, as values have 6 behind the point */
    eight down = (eight)(lower >> 1) - (eight)(upper >> 1);
    return (eight)(upper >> 2) + eight_multiply_high(down, (eight)(places->fy << 7));
}

/* Kept apart from each other: in one function the compiler runs out of registers. */
#define APART __attribute__((noinline))

/* Chroma of every other row of a block and of the row after its last. What lies between rows, and
 * between px within them, takes the mean: it is no sharper in the picture either, and noisier. */
struct chroma {
    eight cb[NODE_PX / 2 + 1], cr[NODE_PX / 2 + 1];
};

/* About 0, and every other px as the mean of its neighbours. */
static inline eight chroma_soften(eight value)
{
    value -= VALUE_OF(128);
    eight left = __builtin_shufflevector(value, value, 0, 0, 2, 2, 4, 4, 6, 7);
    eight right = __builtin_shufflevector(value, value, 0, 2, 2, 4, 4, 6, 6, 7);
    return (left + right) >> 1;
}

APART static void chroma_sample(const struct level *level, const struct node *upper,
                                const struct node *lower, struct chroma *chroma)
{
    for (int k = 0; k <= NODE_PX / 2; k++) {
        struct run run = chroma_run(upper, lower, 2 * k);
        struct run_places places = run_places(&run, level->c_stride);
        chroma->cb[k] = chroma_soften(run_sample(level->cb, level->c_stride, &places));
        chroma->cr[k] = chroma_soften(run_sample(level->cr, level->c_stride, &places));
    }
}

static inline eight chroma_row(const eight rows[NODE_PX / 2 + 1], int j)
{
    return j & 1 ? (rows[j / 2] + rows[j / 2 + 1]) >> 1 : rows[j / 2];
}

/* A share of each value, in 65536ths below a half. */
static inline eight share_of(eight value, int share)
{
    const eight none = {0};
    return eight_multiply_high(value, none + (int16_t)share);
}

/* Colours and flags of a row of `count` px; see colour_take. */
APART static void row_take(const float *table, eight luma, eight cb, eight cr, int count,
                           float *rgb, uint8_t *flag)
{
    const int half = 1 << (VALUE_BITS - LINEAR_BITS - 1), shift = VALUE_BITS - LINEAR_BITS;
    eight r = luma + cr + share_of(cr, 26345);                       /* 1.402 */
    eight g = luma - share_of(cb, 22553) - cr + share_of(cr, 18734); /* 0.344136, 0.714136 */
    eight b = luma + cb + cb - share_of(cb, 14942);                  /* 1.772 */
    eight burnt = (r >= BURNT_VALUE) & (g >= BURNT_VALUE) & (b >= BURNT_VALUE) & PATCH_BURNT;
    eight_bytes flags = __builtin_convertvector(burnt, eight_bytes);
    int16_t red[NODE_PX], green[NODE_PX], blue[NODE_PX];
    r = (r + (int16_t)half) >> shift;
    g = (g + (int16_t)half) >> shift;
    b = (b + (int16_t)half) >> shift;
    memcpy(red, &r, sizeof r);
    memcpy(green, &g, sizeof g);
    memcpy(blue, &b, sizeof b);
    memcpy(flag, &flags, (size_t)count);
    for (int i = 0; i < count; i++, rgb += 3) {
        rgb[0] = table[red[i]];
        rgb[1] = table[green[i]];
        rgb[2] = table[blue[i]];
    }
}

APART static eight luma_sample(const struct level *level, const struct node *upper,
                               const struct node *lower, int j)
{
    struct run run = luma_run(upper, lower, j);
    struct run_places places = run_places(&run, level->y_stride);
    return run_sample(level->y, level->y_stride, &places);
}

/* A block that lies in the picture as a whole. */
static void block_inside(struct patch *patch, const struct sampler *sampler, int bx, int by,
                         const struct node *upper, const struct node *lower)
{
    const struct level *level = sampler->level;
    const float *table = sampler->pyramid->linear + LINEAR_BEYOND;
    struct chroma chroma;
    int count = patch->width - bx < NODE_PX ? patch->width - bx : NODE_PX;
    if (sampler->pyramid->has_colour)
        chroma_sample(level, upper, lower, &chroma);
    else
        memset(&chroma, 0, sizeof chroma);
    for (int j = 0; j < NODE_PX && by + j < patch->height; j++) {
        size_t at = (size_t)(by + j) * (size_t)patch->width + (size_t)bx;
        row_take(table, luma_sample(level, upper, lower, j), chroma_row(chroma.cb, j),
                 chroma_row(chroma.cr, j), count, patch->rgb + at * 3, patch->flag + at);
    }
}

/* A block at the picture's edge. */
static void block_careful(struct patch *patch, const struct sampler *sampler, int bx, int by,
                          const struct node *upper, const struct node *lower)
{
    int count = patch->width - bx < NODE_PX ? patch->width - bx : NODE_PX;
    for (int j = 0; j < NODE_PX && by + j < patch->height; j++) {
        float v = (float)j / NODE_PX;
        float x0 = upper[0].x + v * (lower[0].x - upper[0].x);
        float y0 = upper[0].y + v * (lower[0].y - upper[0].y);
        float x1 = upper[1].x + v * (lower[1].x - upper[1].x);
        float y1 = upper[1].y + v * (lower[1].y - upper[1].y);
        size_t at = (size_t)(by + j) * (size_t)patch->width + (size_t)bx;
        row_careful(patch, sampler, at, count, x0, y0, (x1 - x0) / NODE_PX, (y1 - y0) / NODE_PX);
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

static void blocks_sample(struct patch *patch, const struct sampler *sampler,
                          const struct mat_pose *pose)
{
    struct node rows[2][PATCH_SIDE_MAX / NODE_PX + 2] = {{{.seen = false}}};
    struct node *upper = rows[0], *lower = rows[1];
    nodes_project(patch, sampler, pose, 0, lower);
    for (int y = 0; y < patch->height; y += NODE_PX) {
        struct node *swap = upper;
        upper = lower;
        lower = swap;
        nodes_project(patch, sampler, pose, y + NODE_PX, lower);
        for (int x = 0; x < patch->width; x += NODE_PX) {
            const struct node *a = upper + x / NODE_PX, *b = lower + x / NODE_PX;
            if (a[0].inside && a[1].inside && b[0].inside && b[1].inside)
                block_inside(patch, sampler, x, y, a, b);
            else if (a[0].seen && a[1].seen && b[0].seen && b[1].seen)
                block_careful(patch, sampler, x, y, a, b);
            else
                block_outside(patch, x, y);
        }
    }
}

int vision_patch_sample(struct patch *patch, const struct pyramid *pyramid,
                        const struct mat_pose *pose, const double rect_mm[4], double z_mm,
                        double px_per_mm)
{
    int width = (int)ceil(rect_mm[2] * px_per_mm), height = (int)ceil(rect_mm[3] * px_per_mm);
    if (width < 1 || height < 1 || width > PATCH_SIDE_MAX || height > PATCH_SIDE_MAX)
        return VISION_E_ARGUMENT;
    int error = patch_reserve(patch, width, height);
    if (error)
        return error;
    patch->px_per_mm = px_per_mm;
    patch->z_mm = z_mm;
    patch->origin_mm[0] = rect_mm[0] + 0.5 / px_per_mm;
    patch->origin_mm[1] = rect_mm[1] + 0.5 / px_per_mm;
    double scale =
        vision_plane_scale(pose, rect_mm[0] + rect_mm[2] / 2, rect_mm[1] + rect_mm[3] / 2, z_mm);
    struct sampler sampler;
    sampler_init(&sampler, pyramid, level_choose(pyramid, scale / px_per_mm));
    blocks_sample(patch, &sampler, pose);
    return VISION_OK;
}
