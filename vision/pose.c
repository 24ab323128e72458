/* vision/pose.c: from sightings of the mat's tags to the place of the camera. */
#include "vision/pose.h"

#include "calib/cv.h"
#include "vision/pose_fit.h"

#include <math.h>
#include <string.h>

/* Starts for an unknown focal length, in widths: from a wide webcam to a phone's long lens. A
 * nearly frontal view determines it so weakly that one start may end in the wrong valley. */
static const double focal_start[] = {0.45, 0.7, 1.0, 1.4};
#define FOCAL_STARTS 4

/* A tag whose corners, on average, miss by more than this is suspected of having been moved, bent
 * or misread: five times the corners' usual error at 1080p, where 1 px is about 0.6 mm. Small
 * pictures have the same error in pixels. */
#define TAG_MISS_PX 1.0
/* It is dropped only if the others then agree this much better. */
#define TAG_DROP_GAIN 0.5
/* RMS that no paper explains, in tag sides (48 mm in the kit): 4 mm. */
#define POSE_MISS_SIDES (1.0 / 12)
/* Rougher than this, mm, on the plane of the tops a reading is refused: a third of a cell. Cells
 * are found where they show, not where a pose says, and lie on a grid of their own, so what an
 * error of this size can do is shift a seat's edge or a body's shadow by as much; a side's symbol
 * lies half a cell from its top. Seen from straight above the lens is all but unknown, and what is
 * expected of lenses leaves a quarter. */
#define PLACE_SIGMA_MAX_MM 11.5
#define TOPS_Z_MM (-35.0)
/* A rig is refused when its RMS is above this and the tags fit another lens four times better:
 * then it is another camera's, or the lens was zoomed. */
#define RIG_MISS_PX 2.0
#define RIG_MISS_GAIN 4.0
/* Two poses of a plane that fit within this ratio of squared errors can't be told apart. */
#define TWIN_RATIO 1.5
#define CORNER_NOISE_PX 0.2

/* The points of a problem and which tags take part. */
struct problem {
    int tags;
    const struct sighting *tag[MAT_TAGS_MAX];
    bool used[MAT_TAGS_MAX];
    double corner_mm[MAT_TAGS_MAX][4][2];
    const struct rig *rig;
    int width, height;
};

static int problem_points(const struct problem *problem, int without, struct pose_point *point)
{
    int points = 0;
    for (int i = 0; i < problem->tags; i++) {
        if (!problem->used[i] || i == without)
            continue;
        for (int j = 0; j < 4; j++) {
            if (!problem->tag[i]->firm[j])
                continue;
            memcpy(point[points].mat_mm, problem->corner_mm[i][j], sizeof point[points].mat_mm);
            memcpy(point[points].pixel, problem->tag[i]->corner[j], sizeof point[points].pixel);
            point[points++].tag = i;
        }
    }
    return points;
}

static int problem_tags(const struct problem *problem)
{
    int tags = 0;
    for (int i = 0; i < problem->tags; i++)
        tags += problem->used[i];
    return tags;
}

/* All starts of one camera, refined; the better one goes to *best when it beats its cost.
 * *second keeps the best cost of a pose that differs from *best. */
static void start_from(const struct pose_point *point, int points, const struct camera *camera,
                       bool free_lens, struct pose_fit *best, double *second)
{
    double xy[POSE_FIT_POINTS_MAX][2], pixel[POSE_FIT_POINTS_MAX][2];
    struct pose poses[2];
    for (int i = 0; i < points; i++) {
        memcpy(xy[i], point[i].mat_mm, sizeof xy[i]);
        memcpy(pixel[i], point[i].pixel, sizeof pixel[i]);
    }
    int found = calib_cv_plane_poses(camera, (const double(*)[2])xy, (const double(*)[2])pixel,
                                     (size_t)points, poses);
    for (int i = 0; i < found; i++) {
        struct pose_fit fit = {.camera = *camera, .pose = poses[i], .free_lens = free_lens};
        if (!vision_pose_fit(point, points, &fit))
            continue;
        double center[3];
        calib_pose_center(&fit.pose, center);
        if (!(center[2] < 0))
            continue; /* from below the table nobody looks */
        /* Two fits whose optical axes agree within two degrees are one and the same. */
        double axes = fit.pose.r[6] * best->pose.r[6] + fit.pose.r[7] * best->pose.r[7] +
                      fit.pose.r[8] * best->pose.r[8];
        bool same = isfinite(best->cost) && axes > 0.9994;
        if (fit.cost < best->cost) {
            if (!same)
                *second = best->cost;
            *best = fit;
        } else if (!same && fit.cost < *second) {
            *second = fit.cost;
        }
    }
}

/* Best fit of the used tags but `without` (-1 for all). False when there is none. */
static bool problem_fit(const struct problem *problem, int without, bool free_lens,
                        struct pose_fit *best, bool *twin)
{
    struct pose_point point[POSE_FIT_POINTS_MAX];
    double second = INFINITY;
    int points = problem_points(problem, without, point);
    memset(best, 0, sizeof *best);
    best->cost = INFINITY;
    if (points < 4)
        return false;
    if (free_lens) {
        for (int i = 0; i < FOCAL_STARTS; i++) {
            struct camera camera =
                vision_pose_fit_camera(problem->width, problem->height, focal_start[i]);
            start_from(point, points, &camera, true, best, &second);
        }
    } else {
        start_from(point, points, &problem->rig->camera, false, best, &second);
    }
    /* Where both fit to within the corners' error the ratio alone says nothing. */
    double noise = 2.0 * points * CORNER_NOISE_PX * CORNER_NOISE_PX;
    *twin = isfinite(second) && second + noise < TWIN_RATIO * (best->cost + noise);
    return isfinite(best->cost);
}

/* Largest mean miss of a tag. */
static double problem_worst(const struct problem *problem, const struct pose_fit *fit)
{
    struct pose_point point[POSE_FIT_POINTS_MAX];
    double sum[MAT_TAGS_MAX] = {0}, worst = 0;
    int count[MAT_TAGS_MAX] = {0};
    int points = problem_points(problem, -1, point);
    for (int i = 0; i < points; i++) {
        sum[point[i].tag] += vision_pose_fit_miss(fit, &point[i]);
        count[point[i].tag]++;
    }
    for (int i = 0; i < problem->tags; i++)
        if (count[i] > 0 && sum[i] / count[i] > worst)
            worst = sum[i] / count[i];
    return worst;
}

/* Leaves out the tag without which the others agree best, again and again, as long as one tag
 * misses by far and leaving it out helps. A tag that was moved pulls the pose towards itself, so
 * its own miss is not the one to trust: each is left out in turn. */
static void problem_prune(struct problem *problem, bool free_lens, struct pose_fit *fit, bool *twin)
{
    while (problem_tags(problem) > 2 && problem_worst(problem, fit) > TAG_MISS_PX) {
        struct pose_fit best = *fit;
        bool best_twin = *twin;
        int drop = -1;
        for (int i = 0; i < problem->tags; i++) {
            struct pose_fit other;
            bool other_twin;
            if (!problem->used[i] || !problem_fit(problem, i, free_lens, &other, &other_twin))
                continue;
            if (other.rms_px < best.rms_px) {
                best = other;
                best_twin = other_twin;
                drop = i;
            }
        }
        if (drop < 0 || best.rms_px > TAG_DROP_GAIN * fit->rms_px)
            return;
        problem->used[drop] = false;
        *fit = best;
        *twin = best_twin;
    }
}

/* The mean side of the used tags, px. */
static double problem_side(const struct problem *problem)
{
    double sum = 0;
    int tags = 0;
    for (int i = 0; i < problem->tags; i++) {
        if (!problem->used[i])
            continue;
        const double(*c)[2] = problem->tag[i]->corner;
        for (int j = 0; j < 4; j++)
            sum += hypot(c[(j + 1) % 4][0] - c[j][0], c[(j + 1) % 4][1] - c[j][1]) / 4;
        tags++;
    }
    return tags > 0 ? sum / tags : 0;
}

/* Does another lens fit the tags so much better that the rig can't be this camera's? */
static bool rig_foreign(struct problem *problem, const struct pose_fit *fit)
{
    if (fit->rms_px < RIG_MISS_PX || problem_tags(problem) < 3)
        return false;
    struct problem all = *problem;
    struct pose_fit other;
    bool twin;
    for (int i = 0; i < all.tags; i++)
        all.used[i] = true;
    if (!problem_fit(&all, -1, true, &other, &twin))
        return false;
    problem_prune(&all, true, &other, &twin);
    return problem_tags(&all) >= problem_tags(problem) &&
           other.rms_px * RIG_MISS_GAIN < fit->rms_px;
}

/* Worst standard error on the tops' plane over the corners of a seat, mm. */
static double seat_sigma(const struct pose_fit *fit, const struct mat_seat *seat)
{
    double worst = 0;
    const double *r = seat->rect_mm;
    for (int j = 0; j < 4; j++) {
        double at[2] = {r[0] + (j & 1 ? r[2] : 0), r[1] + (j & 2 ? r[3] : 0)};
        double sigma = vision_pose_fit_place_sigma(fit, at, TOPS_Z_MM);
        if (isfinite(sigma) && sigma > worst)
            worst = sigma; /* what is out of view is refused elsewhere */
    }
    return worst;
}

/* A seat that lies far from the tags says nothing about the others. True when all are rough. */
static bool seats_measure(const struct pose_fit *fit, const struct mat *mat, struct mat_pose *out)
{
    bool all = mat->seats > 0;
    for (int i = 0; i < mat->seats; i++) {
        double sigma = seat_sigma(fit, &mat->seat[i]);
        out->seat_coarse[i] = sigma > PLACE_SIGMA_MAX_MM;
        out->seat_sigma_mm[i] = sigma;
        out->place_sigma_mm = fmax(out->place_sigma_mm, sigma);
        all = all && out->seat_coarse[i];
    }
    return all;
}

static bool problem_add(struct problem *problem, const struct sighting *sighting,
                        const struct mat *mat)
{
    for (int i = 0; i < mat->tags; i++) {
        if (mat->tag[i].id != sighting->id)
            continue;
        if (problem->tags == MAT_TAGS_MAX)
            return false;
        calib_mat_tag_corners(&mat->tag[i], problem->corner_mm[problem->tags]);
        problem->used[problem->tags] = true;
        problem->tag[problem->tags++] = sighting;
        return true;
    }
    return false;
}

static void result_fill(const struct problem *problem, const struct mat *mat, bool twin,
                        struct pose_fit *fit, struct mat_pose *out)
{
    struct pose_point point[POSE_FIT_POINTS_MAX];
    int points = problem_points(problem, -1, point);
    out->camera = fit->camera;
    out->pose = fit->pose;
    out->estimated = fit->free_lens;
    out->tags = problem_tags(problem);
    out->rms_px = fit->rms_px;
    bool rough = false, known = vision_pose_fit_covariance(point, points, fit);
    if (known) {
        out->height_sigma_mm = vision_pose_fit_height_sigma(fit);
        if (fit->free_lens)
            out->focal_sigma = sqrt(fit->covariance[6 * POSE_FIT_PARAMS + 6]);
        rough = seats_measure(fit, mat, out);
    }
    /* Two tags always nearly agree, so nothing would show that one was moved; without a rig the
     * same holds for three, which leave the lens to guesswork. */
    int enough = fit->free_lens ? 4 : 3;
    out->twin = twin;
    out->coarse = twin || !known || out->tags < enough || rough;
}

int vision_pose_solve(const struct sighting *sighting, int sightings, const struct mat *mat,
                      const struct rig *rig, int width, int height, struct mat_pose *out)
{
    struct problem problem = {.rig = rig, .width = width, .height = height};
    struct pose_fit fit;
    bool twin;
    if (mat == NULL || out == NULL || width <= 0 || height <= 0 || sightings < 0 ||
        sightings > MAT_TAGS_MAX || (sightings > 0 && sighting == NULL))
        return VISION_E_ARGUMENT;
    memset(out, 0, sizeof *out);
    if (rig != NULL && (rig->camera.width != width || rig->camera.height != height))
        return VISION_E_RIG_SIZE;
    for (int i = 0; i < sightings; i++) {
        out->sighting[out->sightings++] = sighting[i];
        problem_add(&problem, &sighting[i], mat);
    }
    if (problem_tags(&problem) < 2)
        return VISION_E_NO_MAT;
    if (!problem_fit(&problem, -1, rig == NULL, &fit, &twin))
        return VISION_E_POSE;
    problem_prune(&problem, rig == NULL, &fit, &twin);
    if (rig != NULL && rig_foreign(&problem, &fit))
        return VISION_E_RIG_LENS;
    if (fit.rms_px > fmax(TAG_MISS_PX, POSE_MISS_SIDES * problem_side(&problem)))
        return VISION_E_POSE;
    result_fill(&problem, mat, twin, &fit, out);
    return VISION_OK;
}

int vision_pose_find(struct tag_finder *finder, const struct frame *frame, const struct mat *mat,
                     const struct rig *rig, struct mat_pose *out)
{
    struct sighting sighting[MAT_TAGS_MAX];
    bool mirrored = false;
    if (finder == NULL || frame == NULL || mat == NULL || out == NULL)
        return VISION_E_ARGUMENT;
    memset(out, 0, sizeof *out);
    if (rig != NULL && (rig->camera.width != frame->width || rig->camera.height != frame->height))
        return VISION_E_RIG_SIZE;
    int found = vision_tags_find(finder, frame, mat, sighting, &mirrored);
    if (found < 0)
        return found;
    if (mirrored)
        return VISION_E_MIRRORED;
    if (found == 0 && vision_tags_second(finder))
        return VISION_E_TWO_MATS;
    int error = vision_pose_solve(sighting, found, mat, rig, frame->width, frame->height, out);
    out->second_mat = vision_tags_second(finder);
    return error;
}
