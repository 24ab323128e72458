/* vision/motion.c: did anything change in a part of the picture? */
#include "vision/motion.h"

#include "vision/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points along each side of a rectangle: enough for a lens's bend. */
#define SIDE_POINTS 6
#define OUTLINE_POINTS (4 * SIDE_POINTS)
#define TILES_X 16
#define TILES_Y 9
/* What differs by less than this many times the noise, or by less than JPEG's own steps of a mean
 * leave, is none. */
#define NOISE_TIMES 6
#define LEVELS_LEAST 5
/* Pixels of the small picture, and share of a region, that must differ. */
#define PIXELS_LEAST 3
#define SHARE_LEAST 400 /* one in so many */

struct outline {
    double x[OUTLINE_POINTS], y[OUTLINE_POINTS];
};

/* The rectangle's edge at a height, in pixels of the small picture. False when part of it cannot be
 * seen by this camera at all. */
static bool outline_make(const struct mat_pose *pose, const double rect_mm[4], double z_mm,
                         struct outline *out)
{
    const double corner[5][2] = {{rect_mm[0], rect_mm[1]},
                                 {rect_mm[0] + rect_mm[2], rect_mm[1]},
                                 {rect_mm[0] + rect_mm[2], rect_mm[1] + rect_mm[3]},
                                 {rect_mm[0], rect_mm[1] + rect_mm[3]},
                                 {rect_mm[0], rect_mm[1]}};
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        const double *from = corner[i / SIDE_POINTS], *to = corner[i / SIDE_POINTS + 1];
        double share = (double)(i % SIDE_POINTS) / SIDE_POINTS, pixel[2];
        double point[3] = {from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
                           z_mm};
        if (!calib_camera_project(&pose->camera, &pose->pose, point, pixel))
            return false;
        /* The centre of small pixel i lies at 8 i + 3.5. */
        out->x[i] = (pixel[0] - (MOTION_SCALE - 1) / 2.0) / MOTION_SCALE;
        out->y[i] = (pixel[1] - (MOTION_SCALE - 1) / 2.0) / MOTION_SCALE;
    }
    return true;
}

static bool inside(const struct outline *outline, double x, double y)
{
    bool in = false;
    for (int i = 0, j = OUTLINE_POINTS - 1; i < OUTLINE_POINTS; j = i++)
        if ((outline->y[i] > y) != (outline->y[j] > y) &&
            x < (outline->x[j] - outline->x[i]) * (y - outline->y[i]) /
                        (outline->y[j] - outline->y[i]) +
                    outline->x[i])
            in = !in;
    return in;
}

static void bounds_grow(const struct outline *outline, int box[4])
{
    for (int i = 0; i < OUTLINE_POINTS; i++) {
        box[0] = (int)fmin(box[0], floor(outline->x[i]));
        box[1] = (int)fmin(box[1], floor(outline->y[i]));
        box[2] = (int)fmax(box[2], ceil(outline->x[i]));
        box[3] = (int)fmax(box[3], ceil(outline->y[i]));
    }
}

int vision_region_make(struct region *region, const struct mat_pose *pose, const double rect_mm[4],
                       double height_mm, double margin_mm)
{
    const double rect[4] = {rect_mm[0] - margin_mm, rect_mm[1] - margin_mm,
                            rect_mm[2] + 2 * margin_mm, rect_mm[3] + 2 * margin_mm};
    int width = (pose->camera.width + MOTION_SCALE - 1) / MOTION_SCALE;
    int height = (pose->camera.height + MOTION_SCALE - 1) / MOTION_SCALE;
    int box[4] = {width, height, 0, 0};
    struct outline low, high;
    memset(region, 0, sizeof *region);
    if (!outline_make(pose, rect, 0, &low) || !outline_make(pose, rect, -height_mm, &high))
        return VISION_OK;
    bounds_grow(&low, box);
    bounds_grow(&high, box);
    for (int i = 0; i < 4; i++)
        box[i] = box[i] < 0                          ? 0
                 : box[i] > (i % 2 ? height : width) ? (i % 2 ? height : width)
                                                     : box[i];
    if (box[2] <= box[0] || box[3] <= box[1])
        return VISION_OK;
    size_t most = (size_t)(box[2] - box[0]) * (size_t)(box[3] - box[1]);
    region->pixel = malloc(most * sizeof *region->pixel);
    if (!region->pixel)
        return VISION_E_MEMORY;
    for (int y = box[1]; y < box[3]; y++)
        for (int x = box[0]; x < box[2]; x++)
            if (inside(&low, x, y) || inside(&high, x, y))
                region->pixel[region->pixels++] = (uint32_t)(y * width + x);
    return VISION_OK;
}

void vision_region_free(struct region *region)
{
    free(region->pixel);
    memset(region, 0, sizeof *region);
}

int vision_small_take(struct small *small, const struct frame *frame)
{
    if (small->width != frame->width || small->height != frame->height) {
        uint8_t *grown = realloc(small->y, (size_t)frame->width * (size_t)frame->height);
        if (!grown)
            return VISION_E_MEMORY;
        small->y = grown;
        small->width = frame->width;
        small->height = frame->height;
    }
    for (int y = 0; y < frame->height; y++)
        memcpy(small->y + (size_t)y * (size_t)frame->width, frame->y + (size_t)y * frame->y_stride,
               (size_t)frame->width);
    return VISION_OK;
}

void vision_small_free(struct small *small)
{
    free(small->y);
    memset(small, 0, sizeof *small);
}

static int compare_int(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int median(int *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_int);
    return values[count / 2];
}

/* Sums of both pictures and of their differences at a gain, over one tile. */
struct tile_sums {
    int64_t before, now, difference;
    int pixels;
};

static struct tile_sums tile_sum(const struct small *before, const struct small *now, int tile,
                                 int gain_permille)
{
    int left = tile % TILES_X * now->width / TILES_X;
    int right = (tile % TILES_X + 1) * now->width / TILES_X;
    int top = tile / TILES_X * now->height / TILES_Y;
    int bottom = (tile / TILES_X + 1) * now->height / TILES_Y;
    struct tile_sums sums = {.pixels = (right - left) * (bottom - top)};
    for (int y = top; y < bottom; y++) {
        const uint8_t *a = before->y + (size_t)y * (size_t)before->width;
        const uint8_t *b = now->y + (size_t)y * (size_t)now->width;
        for (int x = left; x < right; x++) {
            sums.before += a[x];
            sums.now += b[x];
            sums.difference += abs(a[x] * gain_permille / 1000 - b[x]);
        }
    }
    return sums;
}

struct small_change vision_small_compare(const struct small *before, const struct small *now)
{
    int gain[TILES_X * TILES_Y], noise[TILES_X * TILES_Y];
    struct small_change change = {.gain_permille = 1000};
    int tiles = TILES_X * TILES_Y;
    for (int i = 0; i < tiles; i++) {
        struct tile_sums sums = tile_sum(before, now, i, 1000);
        gain[i] = sums.before > 0 ? (int)(1000 * sums.now / sums.before) : 1000;
        noise[i] = sums.pixels > 0 ? (int)(10 * sums.difference / sums.pixels) : 0;
    }
    change.gain_permille = median(gain, tiles);
    /* At a gain of one the sums are what is wanted already: the usual case costs one pass. */
    if (abs(change.gain_permille - 1000) > 4)
        for (int i = 0; i < tiles; i++) {
            struct tile_sums sums = tile_sum(before, now, i, change.gain_permille);
            noise[i] = sums.pixels > 0 ? (int)(10 * sums.difference / sums.pixels) : 0;
        }
    change.noise_level10 = median(noise, tiles);
    return change;
}

static int threshold_level(struct small_change change)
{
    return LEVELS_LEAST + NOISE_TIMES * change.noise_level10 / 10;
}

static bool differs(int before, int now, int gain_permille, int threshold)
{
    int expected = before * gain_permille / 1000;
    /* What the sensor cut off says nothing about how much brighter it should be. */
    if (expected > 250 && now > 250)
        return false;
    return abs(expected - now) > threshold;
}

int vision_region_changed(const struct region *region, const struct small *before,
                          const struct small *now, struct small_change change)
{
    int threshold = threshold_level(change), changed = 0;
    for (int i = 0; i < region->pixels; i++) {
        uint32_t at = region->pixel[i];
        changed += differs(before->y[at], now->y[at], change.gain_permille, threshold);
    }
    return changed;
}

int vision_region_changed_from(const struct region *region, const uint8_t *before,
                               const struct small *now, struct small_change change)
{
    int threshold = threshold_level(change), changed = 0;
    for (int i = 0; i < region->pixels; i++)
        changed += differs(before[i], now->y[region->pixel[i]], change.gain_permille, threshold);
    return changed;
}

void vision_region_values(const struct region *region, const struct small *small, uint8_t *out)
{
    for (int i = 0; i < region->pixels; i++)
        out[i] = small->y[region->pixel[i]];
}

bool vision_region_moved(const struct region *region, int changed)
{
    return changed >= PIXELS_LEAST && changed * SHARE_LEAST >= region->pixels;
}
