/* vision/survey_picture.c: how sharp and how bright a picture is, and what is mirrored in it. */
#include "vision/bands.h"
#include "vision/survey_parts.h"

#include "calib/symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sharpness ---- */

#define PROFILES 5       /* across each side of a tag */
#define PROFILE_STEP 0.25 /* px */
#define PROFILE_MODULES 1.0 /* how far to both sides: the tag's black and white edges are a module */
#define PROFILE_POINTS_MAX 128
#define CONTRAST_LEAST 30.0 /* levels; less is a shadow's edge or noise */
#define EDGES_MAX (MAT_TAGS_MAX * 4 * PROFILES)

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_of(double *list, int count)
{
    qsort(list, (size_t)count, sizeof *list, by_size);
    return count > 0 ? list[count / 2] : 0.0;
}

/* Luma between pixels. False outside the picture. */
static bool luma_at(const struct frame *frame, double x, double y, double *out)
{
    int left = (int)floor(x), top = (int)floor(y);

    if (left < 0 || top < 0 || left + 1 >= frame->width || top + 1 >= frame->height)
        return false;
    const uint8_t *at = frame->y + (size_t)top * frame->y_stride + left;
    const uint8_t *below = at + frame->y_stride;
    double u = x - left, v = y - top;
    *out = (at[0] * (1 - u) + at[1] * u) * (1 - v) + (below[0] * (1 - u) + below[1] * u) * v;
    return true;
}

/* The way from a tenth to nine tenths of the step along a profile, px; 0 when there is no step. */
static double step_width(const double *value, int points)
{
    double low = INFINITY, high = -INFINITY, first = NAN, last = NAN;
    bool rises = value[points - 1] > value[0];

    for (int i = 0; i < points; i++) {
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    if (high - low < CONTRAST_LEAST)
        return 0.0;
    for (int i = 1; i < points; i++) {
        /* along the rising direction, with its crossings between two points */
        double a = (value[rises ? i - 1 : points - i] - low) / (high - low);
        double b = (value[rises ? i : points - 1 - i] - low) / (high - low);
        if (a < 0.1 && b >= 0.1)
            first = i - 1 + (0.1 - a) / (b - a);
        if (isnan(last) && !isnan(first) && a < 0.9 && b >= 0.9)
            last = i - 1 + (0.9 - a) / (b - a);
    }
    return isnan(first) || isnan(last) || last < first ? 0.0 : (last - first) * PROFILE_STEP;
}

/* Profiles across the side from a to b. */
static int side_measure(const struct frame *frame, const double a[2], const double b[2],
                        double *width)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], side = hypot(dx, dy);
    double reach = PROFILE_MODULES * side / 8;
    int points = (int)(2 * reach / PROFILE_STEP) + 1, count = 0;

    if (points < 8 || points > PROFILE_POINTS_MAX)
        return 0;
    for (int i = 0; i < PROFILES; i++) {
        double along = (i + 1.0) / (PROFILES + 1), value[PROFILE_POINTS_MAX];
        bool inside = true;
        for (int k = 0; k < points && inside; k++) {
            double off = (k * PROFILE_STEP - reach) / side;
            inside = luma_at(frame, a[0] + along * dx - off * dy, a[1] + along * dy + off * dx,
                             &value[k]);
        }
        double found = inside ? step_width(value, points) : 0.0;
        if (found > 0)
            width[count++] = found;
    }
    return count;
}

double vision_survey_edge(const struct frame *frame, const struct mat_pose *pose)
{
    double width[EDGES_MAX];
    int count = 0;

    for (int i = 0; i < pose->sightings; i++) {
        const struct sighting *s = &pose->sighting[i];
        for (int j = 0; j < 4; j++)
            if (s->firm[j] && s->firm[(j + 1) % 4])
                count += side_measure(frame, s->corner[j], s->corner[(j + 1) % 4], width + count);
    }
    return median_of(width, count);
}

/* ---- the tags' size ---- */

/* The mean side of a tag as the pose puts its corners onto the sheet. */
static bool tag_side_mm(const struct mat_pose *pose, const struct sighting *sighting, double *out)
{
    double mm[4][2];

    *out = 0;
    for (int i = 0; i < 4; i++)
        if (!sighting->firm[i] || !calib_camera_unproject(&pose->camera, &pose->pose,
                                                          sighting->corner[i], 0.0, mm[i]))
            return false;
    for (int i = 0; i < 4; i++)
        *out += hypot(mm[i][0] - mm[(i + 1) % 4][0], mm[i][1] - mm[(i + 1) % 4][1]) / 4;
    return true;
}

double vision_survey_tag_scale(const struct mat *mat, const struct mat_pose *pose)
{
    double scale[MAT_TAGS_MAX], side;
    int count = 0;

    for (int i = 0; i < pose->sightings; i++)
        for (int j = 0; j < mat->tags; j++)
            if (mat->tag[j].id == pose->sighting[i].id &&
                tag_side_mm(pose, &pose->sighting[i], &side))
                scale[count++] = side / mat->tag[j].size_mm;
    return median_of(scale, count);
}

/* ---- light ---- */

#define LOOK_PX_PER_MM 1.0
#define PAPER_LEAST 0.75 /* whiteness: print and blocks are darker */
/* Where a lamp is mirrored: fields of this size of which so much is burnt though white there is well
 * below the limit. Blocks are often whiter than paper, so brighter than white alone says nothing. */
#define GLARE_FIELD_MM 12.0
#define GLARE_SHARE 0.3
#define GLARE_WHITE_LEVEL 225.0
#define WHITE_GRID 7

/* The level that white has at a place, as the picture's bytes have it. */
static double white_level(const struct white_map *map, double x_mm, double y_mm)
{
    float rgb[3];

    vision_white_at(map, x_mm, y_mm, rgb);
    return calib_linear_to_srgb(0.299 * (double)rgb[0] + 0.587 * (double)rgb[1] +
                                0.114 * (double)rgb[2]);
}

static void white_measure(struct survey *survey)
{
    const struct mat *mat = survey->kit.mat;

    survey->white_least = 255;
    survey->white_most = 0;
    for (int i = 0; i < mat->seats; i++) {
        const double *r = mat->seat[i].rect_mm;
        for (int k = 0; k < 5; k++) {
            double x = r[0] + r[2] * (k == 4 ? 0.5 : k & 1 ? 0.9 : 0.1);
            double y = r[1] + r[3] * (k == 4 ? 0.5 : k & 2 ? 0.9 : 0.1);
            double level = white_level(survey->white, x, y);
            survey->white_least = fmin(survey->white_least, level);
            survey->white_most = fmax(survey->white_most, level);
        }
    }
}

/* The medians over the tags, each of its channel. */
static void paper_measure(struct survey *survey)
{
    const struct mat *mat = survey->kit.mat;
    double list[MAT_TAGS_MAX];
    float rgb[3];

    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < mat->tags; i++) {
            const double *at = mat->tag[i].center_mm;
            vision_white_at(survey->white, at[0], at[1], rgb);
            list[i] = (double)rgb[k];
        }
        survey->paper[k] = median_of(list, mat->tags);
    }
}

static void burnt_measure(struct survey *survey)
{
    const struct patch *p = &survey->patch;
    int paper = 0, burnt = 0;

    for (int i = 0; i < p->width * p->height; i++) {
        if ((p->flag[i] & PATCH_OUTSIDE) || survey->whiteness[i] < (float)PAPER_LEAST)
            continue;
        paper++;
        burnt += (p->flag[i] & PATCH_BURNT) != 0;
    }
    survey->burnt_share = paper > 0 ? (double)burnt / paper : 0.0;
}

/* Share of a field of the patch that mirrors a lamp. */
static double field_share(const struct patch *p, int left, int top, int side)
{
    int all = 0, glare = 0;

    for (int y = top; y < top + side && y < p->height; y++)
        for (int x = left; x < left + side && x < p->width; x++) {
            const uint8_t flag = p->flag[y * p->width + x];
            all += (flag & PATCH_OUTSIDE) == 0;
            glare += (flag & PATCH_OUTSIDE) == 0 && (flag & PATCH_BURNT) != 0;
        }
    return all > side * side / 4 ? (double)glare / all : 0.0;
}

/* Adds a field to a place of glare that is near, or begins one. */
static void glare_add(struct survey *survey, double x_mm, double y_mm)
{
    for (int i = 0; i < survey->glares; i++) {
        double *g = survey->glare_mm[i];
        double apart = hypot(g[0] - x_mm, g[1] - y_mm);
        if (apart < g[2] / 2 + 1.5 * GLARE_FIELD_MM) {
            g[2] = fmax(g[2], apart + GLARE_FIELD_MM);
            g[0] += (x_mm - g[0]) / 2;
            g[1] += (y_mm - g[1]) / 2;
            return;
        }
    }
    if (survey->glares < CERTIFICATE_GLARES_MAX) {
        double *g = survey->glare_mm[survey->glares++];
        g[0] = x_mm;
        g[1] = y_mm;
        g[2] = GLARE_FIELD_MM;
    }
}

/* The level of white over most of the sheet: near a mirrored lamp the map takes its light for
 * white. */
static double white_usual(const struct survey *survey)
{
    const double *size = survey->kit.mat->size_mm;
    double level[WHITE_GRID * WHITE_GRID];

    for (int i = 0; i < WHITE_GRID * WHITE_GRID; i++) {
        const int col = i % WHITE_GRID, row = i / WHITE_GRID;
        level[i] = white_level(survey->white, size[0] * (col + 0.5) / WHITE_GRID,
                               size[1] * (row + 0.5) / WHITE_GRID);
    }
    return median_of(level, WHITE_GRID * WHITE_GRID);
}

static void glare_measure(struct survey *survey)
{
    const struct patch *p = &survey->patch;
    int side = (int)(GLARE_FIELD_MM * p->px_per_mm);

    survey->glares = 0;
    if (white_usual(survey) > GLARE_WHITE_LEVEL)
        return;
    for (int y = 0; y + side / 2 < p->height; y += side)
        for (int x = 0; x + side / 2 < p->width; x += side) {
            double x_mm = p->origin_mm[0] + (x + side / 2.0) / p->px_per_mm;
            double y_mm = p->origin_mm[1] + (y + side / 2.0) / p->px_per_mm;
            if (field_share(p, x, y, side) > GLARE_SHARE)
                glare_add(survey, x_mm, y_mm);
        }
}

int vision_survey_light(struct survey *survey, const struct frame *frame)
{
    const struct mat *mat = survey->kit.mat;
    const double sheet[4] = {0, 0, mat->size_mm[0], mat->size_mm[1]};
    int error = vision_pyramid_build(survey->pyramid, frame);

    if (error == VISION_OK)
        error = vision_white_build(survey->white, survey->pyramid, &survey->pose, mat);
    if (error == VISION_OK)
        error = vision_patch_sample(&survey->patch, survey->pyramid, &survey->pose, sheet, 0.0,
                                    LOOK_PX_PER_MM);
    if (error != VISION_OK)
        return error;
    size_t pixels = (size_t)survey->patch.width * (size_t)survey->patch.height;
    if (pixels > survey->whiteness_room) {
        float *grown = realloc(survey->whiteness, pixels * sizeof *grown);
        if (grown == NULL)
            return VISION_E_MEMORY;
        survey->whiteness = grown;
        survey->whiteness_room = pixels;
    }
    vision_whiteness(survey->white, &survey->patch, survey->whiteness);
    white_measure(survey);
    paper_measure(survey);
    burnt_measure(survey);
    glare_measure(survey);
    return VISION_OK;
}

/* ---- bands ---- */

#define PAPER_MARGIN_MM (-8.0) /* the sheet's edge is not quite where it should be */

/* Mean of a box of MOTION_SCALE px to a side, as far as it lies in the picture. */
static uint8_t box_mean(const struct frame *frame, int left, int top)
{
    unsigned sum = 0, count = 0;

    for (int y = top; y < top + MOTION_SCALE && y < frame->height; y++)
        for (int x = left; x < left + MOTION_SCALE && x < frame->width; x++) {
            sum += frame->y[(size_t)y * frame->y_stride + (size_t)x];
            count++;
        }
    return count > 0 ? (uint8_t)((sum + count / 2) / count) : 0;
}

static struct frame *small_make(const struct frame *frame)
{
    int width = (frame->width + MOTION_SCALE - 1) / MOTION_SCALE;
    int height = (frame->height + MOTION_SCALE - 1) / MOTION_SCALE;
    struct frame *small = capture_frame_create_bare(width, height, false, 0, 0);

    for (int y = 0; small != NULL && y < height; y++)
        for (int x = 0; x < width; x++)
            small->y[(size_t)y * small->y_stride + (size_t)x] =
                box_mean(frame, x * MOTION_SCALE, y * MOTION_SCALE);
    return small;
}

int vision_survey_bands(struct survey *survey, const struct frame *frame)
{
    const struct mat *mat = survey->kit.mat;
    const double sheet[4] = {0, 0, mat->size_mm[0], mat->size_mm[1]};
    struct region paper = {0};
    struct frame *small = small_make(frame);
    int result = small == NULL ? VISION_E_MEMORY : vision_small_take(&survey->small, small);

    if (result == VISION_OK)
        result = vision_region_make(&paper, &survey->pose, sheet, 0, PAPER_MARGIN_MM);
    if (result == VISION_OK)
        result = vision_bands_find(&paper, &survey->small).height_permille > 0;
    vision_region_free(&paper);
    capture_frame_destroy(&small);
    return result;
}
