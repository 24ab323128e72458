/* vision/survey.c: see survey.h. */
#include "vision/survey_parts.h"
#include "vision/tag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9
/* Cells farther apart than this many widths are no neighbours of one layout. */
#define NEIGHBOUR_WIDTHS 1.3
/* A cell's place is read to about 0.3 mm; blocks that are pushed together stand some tenths
 * apart. So many distances make the median good to half a per cent. */
#define NEIGHBOURS_LEAST 8
#define SCALE_SYSTEMATIC 0.004
#define SCALE_MAD_SIGMA 1.4826 /* of normal errors */

struct survey *vision_survey_create(const struct table_kit *kit)
{
    struct alignment alignment = vision_alignment_defaults();
    struct survey *survey = calloc(1, sizeof *survey);

    if (survey == NULL)
        return NULL;
    survey->kit = *kit;
    survey->reader = vision_table_create(kit, &alignment);
    survey->pyramid = vision_pyramid_create();
    survey->white = vision_white_create();
    if (survey->reader == NULL || survey->pyramid == NULL || survey->white == NULL)
        vision_survey_destroy(&survey);
    return survey;
}

void vision_survey_destroy(struct survey **survey)
{
    if (survey == NULL || *survey == NULL)
        return;
    vision_table_destroy(&(*survey)->reader);
    vision_pyramid_destroy(&(*survey)->pyramid);
    vision_white_destroy(&(*survey)->white);
    vision_patch_free(&(*survey)->patch);
    vision_small_free(&(*survey)->small);
    free((*survey)->whiteness);
    free(*survey);
    *survey = NULL;
}

/* ---- one picture ---- */

static uint32_t fault_of(int error)
{
    switch (error) {
    case VISION_E_RIG_SIZE:
        return CERTIFICATE_BIT(CERTIFICATE_RIG_SIZE);
    case VISION_E_RIG_LENS:
        return CERTIFICATE_BIT(CERTIFICATE_RIG_LENS);
    case VISION_E_MIRRORED:
        return CERTIFICATE_BIT(CERTIFICATE_MIRRORED);
    case VISION_E_TWO_MATS:
        return CERTIFICATE_BIT(CERTIFICATE_SECOND_MAT);
    case VISION_E_POSE:
        return CERTIFICATE_BIT(CERTIFICATE_BAD_POSE);
    default:
        return CERTIFICATE_BIT(CERTIFICATE_NO_MAT);
    }
}

/* The nearest neighbour of each cell: within a block, or in the block beside it. */
static void neighbours_add(struct survey *survey, const struct layout_seat *seat)
{
    double most = NEIGHBOUR_WIDTHS * survey->kit.set->width_mm;

    for (int i = 0; i < seat->cells && survey->neighbours < SURVEY_NEIGHBOURS_MAX; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < seat->cells; j++) {
            if (i == j)
                continue;
            const int32_t *a = seat->cell[i].center_mm10, *b = seat->cell[j].center_mm10;
            nearest = fmin(nearest, hypot(a[0] - b[0], a[1] - b[1]) / 10.0);
        }
        if (nearest < most)
            survey->neighbour_mm[survey->neighbours++] = nearest;
    }
}

static int picture_measure(struct survey *survey, const struct frame *frame)
{
    int error = vision_survey_light(survey, frame);
    int banded = error ? error : vision_survey_bands(survey, frame);

    if (banded < 0)
        return banded;
    survey->banded += banded;
    survey->edge_px = vision_survey_edge(frame, &survey->pose);
    survey->tag_scale = vision_survey_tag_scale(survey->kit.mat, &survey->pose);
    for (int i = 0; i < survey->layout.seats; i++)
        neighbours_add(survey, &survey->layout.seat[i]);
    survey->placed++;
    return VISION_OK;
}

int vision_survey_add(struct survey *survey, const struct frame *frame, int64_t time_ns,
                      uint64_t lost)
{
    struct layout layout;
    struct mat_pose pose;

    if (survey == NULL || frame == NULL)
        return VISION_E_ARGUMENT;
    /* What was lost before the first picture is none of ours. */
    survey->lost += survey->pictures > 0 ? lost : 0;
    survey->pictures++;
    if (time_ns >= 0 && survey->times < SURVEY_TIMES_MAX)
        survey->time_ns[survey->times++] = time_ns;
    int error = vision_table_read(survey->reader, frame, false, &layout, &pose);
    if (error == VISION_E_MEMORY || error == VISION_E_ARGUMENT)
        return error;
    if (error) {
        survey->found |= fault_of(error);
        return error;
    }
    survey->pose = pose;
    survey->layout = layout;
    return picture_measure(survey, frame);
}

const struct mat_pose *vision_survey_pose(const struct survey *survey)
{
    return survey->placed > 0 ? &survey->pose : NULL;
}

const struct layout *vision_survey_layout(const struct survey *survey)
{
    return survey->placed > 0 ? &survey->layout : NULL;
}

bool vision_survey_white(const struct survey *survey, double rgb[3])
{
    if (survey->placed > 0)
        memcpy(rgb, survey->paper, sizeof survey->paper);
    return survey->placed > 0;
}

/* ---- all of them ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_of(double *list, int count)
{
    qsort(list, (size_t)count, sizeof *list, by_size);
    return list[count / 2];
}

/* The sheet's true size, of what it should be, from blocks whose size is known. Seen as on a plane
 * h mm over a sheet of the right size, cells lie d apart in place of w. On a sheet that is s times
 * as large everything else is 1/s as large against it, the blocks' height too, so d / w differs
 * from 1/s by what the tops' wrong height does: with the camera at C over the sheet,
 * s = (w (C - h) + d h) / (d C). */
static void scale_measure(const struct survey *survey, struct certificate *out)
{
    const double w = survey->kit.set->width_mm, h = survey->kit.set->height_mm;
    const double camera = out->height_mm;
    double list[SURVEY_NEIGHBOURS_MAX];
    int n = survey->neighbours;

    if (n < NEIGHBOURS_LEAST)
        return;
    memcpy(list, survey->neighbour_mm, (size_t)n * sizeof *list);
    double d = median_of(list, n);
    for (int i = 0; i < n; i++)
        list[i] = fabs(list[i] - d);
    double spread = SCALE_MAD_SIGMA * median_of(list, n) / d / sqrt((double)n);
    out->size_by = CERTIFICATE_SIZE_BLOCKS;
    out->print_scale = (w * (camera - h) + d * h) / (d * camera);
    out->print_sigma = hypot(spread, SCALE_SYSTEMATIC);
}

static bool seat_visible(const struct survey *survey, const struct mat_seat *seat)
{
    const struct mat_pose *pose = &survey->pose;
    const double *r = seat->rect_mm;

    for (int i = 0; i < 8; i++) {
        const double z = i & 4 ? -survey->kit.set->height_mm : 0.0;
        const double point[3] = {r[0] + (i & 1 ? r[2] : 0), r[1] + (i & 2 ? r[3] : 0), z};
        double px[2];
        if (!calib_camera_project(&pose->camera, &pose->pose, point, px) || px[0] < 0 ||
            px[1] < 0 || px[0] > pose->camera.width - 1 || px[1] > pose->camera.height - 1)
            return false;
    }
    return true;
}

static void seat_measure(const struct survey *survey, int index, struct certificate_seat *out)
{
    const struct mat_seat *seat = &survey->kit.mat->seat[index];
    const double *r = seat->rect_mm;
    double least = INFINITY;

    for (int i = 0; i < 4; i++) {
        double scale = vision_plane_scale(&survey->pose, r[0] + (i & 1 ? r[2] : 0),
                                          r[1] + (i & 2 ? r[3] : 0), -survey->kit.set->height_mm);
        least = fmin(least, scale);
    }
    out->seat = seat->seat;
    out->in_view = seat_visible(survey, seat);
    out->sigma_mm = survey->pose.seat_sigma_mm[index];
    out->cell_px = least * survey->kit.set->width_mm;
}

/* The smallest tag's module, px. */
static double module_measure(const struct mat_pose *pose)
{
    double least = INFINITY;

    for (int i = 0; i < pose->sightings; i++) {
        const double(*c)[2] = pose->sighting[i].corner;
        double side = 0;
        for (int j = 0; j < 4; j++)
            side += hypot(c[j][0] - c[(j + 1) % 4][0], c[j][1] - c[(j + 1) % 4][1]) / 4;
        least = fmin(least, side / TAG_MODULES);
    }
    return isfinite(least) ? least : 0.0;
}

static void place_measure(const struct survey *survey, struct certificate *out)
{
    const struct mat_pose *pose = &survey->pose;
    double center[3];

    calib_pose_center(&pose->pose, center);
    out->tags_seen = pose->tags;
    out->rms_px = pose->rms_px;
    out->module_px = module_measure(pose);
    out->height_mm = -center[2];
    out->tilt_deg = acos(fmin(fabs(pose->pose.r[8]), 1.0)) * (180.0 / M_PI);
    out->seats = survey->kit.mat->seats;
    for (int i = 0; i < out->seats; i++)
        seat_measure(survey, i, &out->seat[i]);
    if (pose->coarse)
        out->found |= CERTIFICATE_BIT(CERTIFICATE_COARSE);
}

void vision_survey_result(const struct survey *survey, struct certificate *out)
{
    int last = survey->times - 1;

    out->has_rig = survey->kit.rig != NULL;
    out->pictures = survey->pictures;
    out->placed = survey->placed;
    out->lost = survey->lost;
    out->tags = survey->kit.mat->tags;
    if (last > 0 && survey->time_ns[last] > survey->time_ns[0])
        out->rate = last * NS_PER_S / (double)(survey->time_ns[last] - survey->time_ns[0]);
    /* A picture or two in which somebody bent over the table is no fault of the table. */
    if (survey->placed * 2 < survey->pictures)
        out->found |= survey->found;
    if (survey->placed == 0)
        return;
    place_measure(survey, out);
    scale_measure(survey, out);
    out->edge_px = survey->edge_px;
    out->tag_scale = survey->tag_scale;
    out->white_least = survey->white_least;
    out->white_most = survey->white_most;
    out->burnt_share = survey->burnt_share;
    out->banded_share = (double)survey->banded / survey->placed;
    out->glares = survey->glares;
    memcpy(out->glare_mm, survey->glare_mm, sizeof out->glare_mm);
}
