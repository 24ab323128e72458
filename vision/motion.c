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
/* More than that is no noise, tenths of a level: of a sensor's noise of 30 levels, in which nothing
 * could be read, the mean of 64 pixels leaves four. Where all of a picture differs by more, all of
 * it moves: a camera that shakes is not to be taken for a noisy one. */
#define NOISE_MOST_LEVEL10 40
/* Pixels of the small picture, and share of a region, that must differ. */
#define PIXELS_LEAST 3
#define SHARE_LEAST 400 /* one in so many */

/* A row of a tile that is darker says nothing about a ratio, level. */
#define BRIGHT_LEAST 24
/* From here on a sensor cuts off, level. */
#define CUT_OFF 250
/* Of CAPTURE_SIDE_MAX_PX at MOTION_SCALE. */
#define SMALL_ROWS_MAX 8192

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
        box[2] = (int)fmax(box[2], ceil(outline->x[i]) + 1);
        box[3] = (int)fmax(box[3], ceil(outline->y[i]) + 1);
    }
}

/* Part of the rectangle cannot be seen by this camera as its lens is known; something may lie in
 * the rest of it all the same. */
static int region_all(struct region *region, int pixels)
{
    region->pixel = malloc((size_t)pixels * sizeof *region->pixel);
    if (!region->pixel)
        return VISION_E_MEMORY;
    for (int i = 0; i < pixels; i++)
        region->pixel[i] = (uint32_t)i;
    region->pixels = pixels;
    return VISION_OK;
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
        return region_all(region, width * height);
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

/* Sums of both pictures and of their differences at a gain. */
struct sums {
    int64_t before, now, difference;
    int pixels;
};

static struct sums strip_sum(const uint8_t *before, const uint8_t *now, int pixels)
{
    uint32_t a = 0, b = 0, difference = 0;
    for (int x = 0; x < pixels; x++) {
        a += before[x];
        b += now[x];
        difference += (uint32_t)abs(before[x] - now[x]);
    }
    return (struct sums){a, b, difference, pixels};
}

/* The same with `before` multiplied first: `scaled` holds what becomes of each level. */
static int64_t strip_difference(const uint8_t *before, const uint8_t *now, int pixels,
                                const int16_t scaled[256])
{
    int64_t difference = 0;
    for (int x = 0; x < pixels; x++)
        difference += abs(scaled[before[x]] - now[x]);
    return difference;
}

static void scaled_make(int gain_ppm, int16_t scaled[256])
{
    for (int i = 0; i < 256; i++)
        scaled[i] = (int16_t)(((int64_t)i * gain_ppm + SMALL_SAME_PPM / 2) / SMALL_SAME_PPM);
}

/* Rounded, not cut: over thousands of pictures a bias of half a millionth counts. */
static int ratio_ppm(int64_t before, int64_t now)
{
    int64_t ppm = before > 0 ? (SMALL_SAME_PPM * now + before / 2) / before : SMALL_SAME_PPM;
    if (ppm < SMALL_SAME_PPM / 8)
        return SMALL_SAME_PPM / 8;
    return ppm > 8 * SMALL_SAME_PPM ? 8 * SMALL_SAME_PPM : (int)ppm;
}

static int tile_left(const struct small *small, int tile_x)
{
    return tile_x * small->width / TILES_X;
}

/* Sums of every tile, and of each row the median of its tiles' ratios: how many rows are bright
 * enough to have one. */
static int tiles_sum(const struct small *before, const struct small *now,
                     struct sums tile[TILES_Y][TILES_X], int *row_ppm)
{
    int rows = 0;
    memset(tile, 0, TILES_Y * sizeof *tile);
    for (int y = 0; y < now->height; y++) {
        int ratio[TILES_X], bright = 0;
        /* so that the rows of tile t are those from t * height / TILES_Y on */
        struct sums *in = tile[((y + 1) * TILES_Y - 1) / now->height];
        size_t at = (size_t)y * (size_t)now->width;
        for (int t = 0; t < TILES_X; t++) {
            int left = tile_left(now, t), pixels = tile_left(now, t + 1) - left;
            struct sums strip = strip_sum(before->y + at + left, now->y + at + left, pixels);
            in[t].before += strip.before;
            in[t].now += strip.now;
            in[t].difference += strip.difference;
            in[t].pixels += pixels;
            if (strip.before > (int64_t)BRIGHT_LEAST * pixels)
                ratio[bright++] = ratio_ppm(strip.before, strip.now);
        }
        if (2 * bright > TILES_X)
            row_ppm[rows++] = median(ratio, bright);
    }
    return rows;
}

/* The differences of all tiles anew, at a gain. */
static void tiles_scale(const struct small *before, const struct small *now, int gain_ppm,
                        struct sums tile[TILES_Y][TILES_X])
{
    int16_t scaled[256];
    scaled_make(gain_ppm, scaled);
    for (int y = 0; y < TILES_Y; y++)
        for (int x = 0; x < TILES_X; x++)
            tile[y][x].difference = 0;
    for (int y = 0; y < now->height; y++) {
        struct sums *in = tile[((y + 1) * TILES_Y - 1) / now->height];
        size_t at = (size_t)y * (size_t)now->width;
        for (int t = 0; t < TILES_X; t++) {
            int left = tile_left(now, t);
            in[t].difference += strip_difference(before->y + at + left, now->y + at + left,
                                                 tile_left(now, t + 1) - left, scaled);
        }
    }
}

/* Between the quarters of the rows' ratios, which are put in order. */
static int spread_permille(int *row_ppm, int rows, int all)
{
    if (2 * rows < all)
        return 0;
    qsort(row_ppm, (size_t)rows, sizeof *row_ppm, compare_int);
    return (row_ppm[3 * (rows - 1) / 4] - row_ppm[(rows - 1) / 4]) / 1000;
}

struct small_change vision_small_compare(const struct small *before, const struct small *now)
{
    struct sums tile[TILES_Y][TILES_X];
    int gain[TILES_X * TILES_Y], noise[TILES_X * TILES_Y], row_ppm[SMALL_ROWS_MAX];
    struct small_change change = {.gain_ppm = SMALL_SAME_PPM};
    int tiles = TILES_X * TILES_Y;
    if (now->height > SMALL_ROWS_MAX)
        return change;
    int rows = tiles_sum(before, now, tile, row_ppm);
    for (int i = 0; i < tiles; i++)
        gain[i] =
            ratio_ppm(tile[i / TILES_X][i % TILES_X].before, tile[i / TILES_X][i % TILES_X].now);
    change.gain_ppm = median(gain, tiles);
    change.bands_permille = spread_permille(row_ppm, rows, now->height);
    /* At a gain of one the sums are what is wanted already: the usual case costs one pass. */
    if (abs(change.gain_ppm - SMALL_SAME_PPM) > 4000)
        tiles_scale(before, now, change.gain_ppm, tile);
    for (int i = 0; i < tiles; i++) {
        const struct sums *sums = &tile[i / TILES_X][i % TILES_X];
        noise[i] = sums->pixels > 0 ? (int)(10 * sums->difference / sums->pixels) : 0;
    }
    change.noise_level10 = median(noise, tiles);
    if (change.noise_level10 > NOISE_MOST_LEVEL10)
        change.noise_level10 = NOISE_MOST_LEVEL10;
    return change;
}

int vision_small_level(const struct small *small, int permille)
{
    int count[256] = {0}, level = 0;
    int64_t pixels = (int64_t)small->width * small->height, below = 0;
    for (int64_t i = 0; i < pixels; i++)
        count[small->y[i]]++;
    while (level < 255 && 1000 * (below += count[level]) < permille * pixels)
        level++;
    return level;
}

/* What each level may become without having changed. */
struct expected {
    int16_t low[256], high[256];
};

static void expected_make(struct small_change change, struct expected *out)
{
    int threshold = LEVELS_LEAST + NOISE_TIMES * change.noise_level10 / 10;
    int16_t scaled[256];
    scaled_make(change.gain_ppm, scaled);
    for (int i = 0; i < 256; i++) {
        /* What the sensor cut off says nothing about how bright it was, or should be. */
        int expected = scaled[i] > CUT_OFF ? CUT_OFF : scaled[i];
        out->low[i] = (int16_t)(expected - threshold);
        out->high[i] = (int16_t)(i > CUT_OFF || scaled[i] > CUT_OFF ? 255 : expected + threshold);
    }
}

int vision_region_changed(const struct region *region, const struct small *before,
                          const struct small *now, struct small_change change)
{
    struct expected expected;
    int changed = 0;
    expected_make(change, &expected);
    for (int i = 0; i < region->pixels; i++) {
        uint32_t at = region->pixel[i];
        uint8_t was = before->y[at], is = now->y[at];
        changed += is < expected.low[was] || is > expected.high[was];
    }
    return changed;
}

int vision_region_changed_from(const struct region *region, const uint8_t *before,
                               const struct small *now, struct small_change change)
{
    struct expected expected;
    int changed = 0;
    expected_make(change, &expected);
    for (int i = 0; i < region->pixels; i++) {
        uint8_t is = now->y[region->pixel[i]];
        changed += is < expected.low[before[i]] || is > expected.high[before[i]];
    }
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
