/* vision/watch_pose.c: where the camera stands over the mat, and whether it still does. */
#include "vision/watch_parts.h"

#include "vision/error.h"

#include <math.h>
#include <string.h>

#define NS_PER_S 1000000000
/* A knock that matters: a tag by more than this, and by more than what a shadow on its edge does to
 * its place, px; more where its place is only known from the others. */
#define MOVED_MM 1.0
#define MOVED_PX 0.5
#define MOVED_UNSEEN_PX 1.0
/* With so many tags in view one of them may be bent up by a hand. */
#define TAGS_BENT_LEAST 4
/* Where no tag is in both pictures: by more than this, and by what an estimated camera's places
 * wander by their own error, up to a tenth of a block. */
#define MOVED_SEAT_MM 0.5
#define MOVED_SEAT_MOST_MM 3.5
/* A slow slip is found within this. */
#define SEARCH_EVERY_NS (5 * (int64_t)NS_PER_S)
/* Without a mat in view a search a picture would keep the machine busy for nothing. */
#define SEARCH_AGAIN_NS (NS_PER_S / 4)
/* Hands that lay over tags at the start go away: nothing is ruled until then. */
#define SEARCH_COARSE_NS NS_PER_S
/* A pose on more tags is worth reading everything again where it is so much surer. */
#define SURER_SHARE 0.6
/* Whoever reaches over the table hides its tags for less; meanwhile nothing is read. */
#define LOST_NS (NS_PER_S / 2)
/* A tag is disturbed when this share of it has changed: a knock of a pixel moves all its edges. */
#define TAG_SHARE 6
/* A tag's picture has so many modules along its black square, around which one is white. */
#define TAG_WHITE 0.0625 /* of its side: half of a module */

/* The farthest that a seat's corner, at the blocks' tops, lies by one pose from where it lies by
 * the other, mm. */
static double pose_distance_mm(const struct watch *watch, const struct mat_pose *a,
                               const struct mat_pose *b)
{
    double farthest = 0;
    for (int i = 0; i < watch->kit.mat->seats; i++)
        for (int corner = 0; corner < 4; corner++) {
            const double *rect = watch->kit.mat->seat[i].rect_mm;
            double point[3] = {rect[0] + (corner & 1 ? rect[2] : 0),
                               rect[1] + (corner & 2 ? rect[3] : 0), -watch->kit.set->height_mm};
            double pixel[2], other[2];
            if (!calib_camera_project(&a->camera, &a->pose, point, pixel) ||
                !calib_camera_unproject(&b->camera, &b->pose, pixel, point[2], other))
                return INFINITY;
            farthest = fmax(farthest, hypot(other[0] - point[0], other[1] - point[1]));
        }
    return farthest;
}

static double tolerance_mm(const struct mat_pose *pose)
{
    if (!pose->estimated)
        return MOVED_SEAT_MM;
    return fmin(MOVED_SEAT_MM + 2 * pose->place_sigma_mm, MOVED_SEAT_MOST_MM);
}

static int tag_index(const struct mat *mat, int id)
{
    for (int i = 0; i < mat->tags; i++)
        if (mat->tag[i].id == id)
            return i;
    return -1;
}

/* Where a pose has the corners of a tag: where they were seen, else where they must lie. */
static bool corners_expected(const struct mat *mat, const struct mat_pose *pose, int id,
                             struct sighting *out, bool *seen)
{
    double mm[4][2];
    int index = tag_index(mat, id);
    for (int i = 0; i < pose->sightings; i++)
        if (pose->sighting[i].id == id) {
            *out = pose->sighting[i];
            *seen = true;
            return true;
        }
    *seen = false;
    if (index < 0)
        return false;
    calib_mat_tag_corners(&mat->tag[index], mm);
    for (int k = 0; k < 4; k++) {
        const double point[3] = {mm[k][0], mm[k][1], 0};
        out->firm[k] = calib_camera_project(&pose->camera, &pose->pose, point, out->corner[k]);
    }
    return true;
}

/* Does a tag lie where the pose has it? 1, 0, or -1: it cannot be told. */
static int tag_stayed(const struct mat *mat, const struct mat_pose *pose,
                      const struct sighting *found)
{
    struct sighting expected;
    double sum[2] = {0, 0}, side_px;
    bool seen;
    int count = 0, index = tag_index(mat, found->id);
    if (index < 0 || !corners_expected(mat, pose, found->id, &expected, &seen))
        return -1;
    for (int k = 0; k < 4; k++)
        if (found->firm[k] && expected.firm[k]) {
            sum[0] += found->corner[k][0] - expected.corner[k][0];
            sum[1] += found->corner[k][1] - expected.corner[k][1];
            count++;
        }
    if (count < 2)
        return -1;
    side_px = hypot(found->corner[0][0] - found->corner[2][0],
                    found->corner[0][1] - found->corner[2][1]) /
              M_SQRT2;
    double least_px = seen ? MOVED_PX : MOVED_UNSEEN_PX;
    double limit_px = fmax(least_px, MOVED_MM * side_px / mat->tag[index].size_mm);
    return hypot(sum[0], sum[1]) / count <= limit_px;
}

/* Is `found` the pose that `known` is? The tags themselves tell, without what solving adds. */
static bool pose_same(const struct watch *watch, const struct mat_pose *known,
                      const struct mat_pose *found)
{
    int judged = 0, moved = 0;
    for (int i = 0; i < found->sightings; i++) {
        int stayed = tag_stayed(watch->kit.mat, known, &found->sighting[i]);
        judged += stayed >= 0;
        moved += stayed == 0;
    }
    if (judged >= 2)
        return moved == 0 || (judged >= TAGS_BENT_LEAST && moved == 1);
    return pose_distance_mm(watch, known, found) <= fmax(tolerance_mm(known), tolerance_mm(found));
}

/* Tags that were in view and look otherwise now, and all that were in view. */
static void tags_count(struct watch *watch, int *disturbed, int *all)
{
    for (int i = 0; i < watch->kit.mat->tags; i++) {
        struct part *tag = &watch->at.tag[i];
        watch->at.disturbed[i] = false;
        if (!tag->told || tag->region.pixels == 0)
            continue;
        struct small_change since = vision_watch_since(watch, tag);
        int changed = vision_region_changed_from(&tag->region, tag->reference, &watch->now, since);
        watch->at.disturbed[i] = changed * TAG_SHARE > tag->region.pixels;
        *disturbed += watch->at.disturbed[i];
        ++*all;
    }
}

/* Is there reason to look for the tags in full? */
static bool search_due(struct watch *watch)
{
    int disturbed = 0, all = 0;
    int64_t since_ns = watch->t_ns - watch->at.searched_t_ns;
    if (watch->at.known)
        tags_count(watch, &disturbed, &all);
    if (!watch->at.known || watch->at.rested > 0 || (watch->health & REASON_BIT(REASON_MAT_MOVED)))
        return watch->at.rested > 0 || since_ns >= SEARCH_AGAIN_NS || since_ns < 0 ||
               watch->at.searched_t_ns < 0;
    if (watch->at.lost_t_ns >= 0 || (disturbed >= 2 && 2 * disturbed > all))
        return since_ns >= SEARCH_AGAIN_NS || since_ns < 0 || (all > 0 && disturbed == all);
    return since_ns >= (watch->at.pose.coarse ? SEARCH_COARSE_NS : SEARCH_EVERY_NS) || since_ns < 0;
}

/* The tags look as they do now from here on: the light moves on over the day. */
static void tags_refresh(struct watch *watch, const struct mat_pose *found)
{
    for (int i = 0; i < watch->kit.mat->tags; i++) {
        struct part *tag = &watch->at.tag[i];
        for (int s = 0; s < found->sightings; s++)
            if (found->sighting[s].id == watch->kit.mat->tag[i].id) {
                tag->told = true;
                tag->light = watch->light;
                vision_region_values(&tag->region, &watch->now, tag->reference);
            }
    }
}

/* ---- finding it ---- */

/* What else stands in the way of a pose. */
static uint64_t pose_reasons(void)
{
    return REASON_BIT(REASON_MAT_MOVED) | REASON_BIT(REASON_NO_MAT) | REASON_BIT(REASON_MIRRORED) |
           REASON_BIT(REASON_RIG_SIZE) | REASON_BIT(REASON_RIG_LENS) | REASON_BIT(REASON_BAD_POSE);
}

static enum reason pose_reason(int error)
{
    switch (error) {
    case VISION_E_MIRRORED:
        return REASON_MIRRORED;
    case VISION_E_RIG_SIZE:
        return REASON_RIG_SIZE;
    case VISION_E_RIG_LENS:
        return REASON_RIG_LENS;
    case VISION_E_POSE:
        return REASON_BAD_POSE;
    default:
        return REASON_NO_MAT;
    }
}

void vision_watch_pose_forget(struct watch *watch)
{
    watch->at.known = false;
    watch->at.rested = 0;
    watch->at.searched_t_ns = watch->at.lost_t_ns = -1;
}

/* What was old because the source began again is so no longer: the table was found, or it is known
 * why it is not. */
static void restart_end(struct watch *watch)
{
    if (watch->restarted)
        watch->health &= ~REASON_BIT(REASON_STALE);
    watch->restarted = false;
}

/* Another pose counts once it has rested. One of its pictures is as good as the mean of them all:
 * where the lens is not known its errors are those of the lens, not of noise. */
static int pose_take(struct watch *watch, const struct mat_pose *found)
{
    struct watched_pose *at = &watch->at;
    if (at->rested > 0 && !pose_same(watch, &at->next, found))
        at->rested = 0;
    at->rested++;
    at->next = *found;
    if (at->rested < watch->options.settle_frames)
        return VISION_OK;
    at->rested = 0;
    at->known = true;
    at->pose = *found;
    restart_end(watch);
    watch->health &= ~pose_reasons();
    watch->stood_t_ns = -1;
    return vision_watch_regions(watch);
}

/* The same place, but known much better: the first one had to do with few tags. */
static bool pose_better(const struct mat_pose *known, const struct mat_pose *found)
{
    if (known->coarse != found->coarse)
        return known->coarse;
    return found->estimated && found->tags > known->tags &&
           found->place_sigma_mm < SURER_SHARE * known->place_sigma_mm;
}

static int pose_found(struct watch *watch, const struct mat_pose *found)
{
    watch->at.lost_t_ns = -1;
    if (watch->at.known && pose_same(watch, &watch->at.pose, found)) {
        watch->health &= ~pose_reasons();
        tags_refresh(watch, found);
        if (pose_better(&watch->at.pose, found))
            return pose_take(watch, found);
        watch->at.rested = 0;
        return VISION_OK;
    }
    if (watch->at.known)
        watch->health |= REASON_BIT(REASON_MAT_MOVED);
    return pose_take(watch, found);
}

/* A table that is being set up shows its mat in time; hands that reach over one hide its tags for a
 * moment. */
static void pose_lost(struct watch *watch, int error)
{
    watch->at.rested = 0;
    if (watch->at.lost_t_ns < 0)
        watch->at.lost_t_ns = watch->at.known ? watch->t_ns : watch->first_t_ns;
    if (watch->t_ns - watch->at.lost_t_ns <= LOST_NS)
        return;
    watch->health &= ~pose_reasons() | REASON_BIT(REASON_MAT_MOVED);
    watch->health |= REASON_BIT(pose_reason(error));
    restart_end(watch);
}

int vision_watch_pose(struct watch *watch)
{
    struct mat_pose found;
    /* In the dark there is nothing to be found. */
    if (!search_due(watch) || (watch->health & REASON_BIT(REASON_DARK)))
        return VISION_OK;
    int error = vision_watch_full(watch);
    if (error)
        return error;
    watch->at.searched_t_ns = watch->t_ns;
    watch->counts.poses++;
    error = vision_table_pose(watch->reader, watch->full, &found);
    if (error == VISION_E_MEMORY)
        return error;
    if (!error)
        return pose_found(watch, &found);
    pose_lost(watch, error);
    return VISION_OK;
}

/* ---- white paper ---- */

void vision_watch_white_place(struct watch *watch)
{
    const struct mat_pose *pose = &watch->at.pose;
    for (int i = 0; i < watch->kit.mat->tags; i++) {
        const struct mat_tag *tag = &watch->kit.mat->tag[i];
        struct white_points *white = &watch->at.white[i];
        double mm[4][2];
        calib_mat_tag_corners(tag, mm);
        white->count = 0;
        for (int k = 0; k < WHITE_POINTS; k++) {
            const double *from = mm[k % 4], *to = mm[(k + 1) % 4];
            const int place = k / 4 + 1; /* along its side, in quarters */
            double share = place / 4.0, pixel[2], point[3] = {0, 0, 0};
            for (int c = 0; c < 2; c++) {
                point[c] = from[c] + share * (to[c] - from[c]);
                /* from the middle outward, by half a module at the middle of a side */
                point[c] += 2 * TAG_WHITE * (point[c] - tag->center_mm[c]);
            }
            if (!calib_camera_project(&pose->camera, &pose->pose, point, pixel) || pixel[0] < 0 ||
                pixel[1] < 0 || pixel[0] > pose->camera.width - 1 ||
                pixel[1] > pose->camera.height - 1 || pixel[0] > INT16_MAX || pixel[1] > INT16_MAX)
                continue;
            white->px[white->count][0] = (int16_t)lrint(pixel[0]);
            white->px[white->count++][1] = (int16_t)lrint(pixel[1]);
        }
    }
}
