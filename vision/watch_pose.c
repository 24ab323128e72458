/* vision/watch_pose.c: where the camera stands over the mat, and whether it still does. */
#include "vision/watch_parts.h"

#include "vision/error.h"

#include <math.h>
#include <string.h>

#define NS_PER_S 1000000000
/* What moves a cell by less moves no reading; and a pose is measured to no better. */
#define MOVED_MM 0.5
/* An estimated camera's places wander from picture to picture by their own error, up to this: more
 * would hide a knock that matters (a tenth of a block). */
#define MOVED_MOST_MM 3.5
/* A slow slip is found within this. */
#define SEARCH_EVERY_NS (5 * (int64_t)NS_PER_S)
/* Without a mat in view a search a picture would keep the machine busy for nothing. */
#define SEARCH_AGAIN_NS (NS_PER_S / 4)
/* A tag is disturbed when this share of it has changed: a knock of a pixel moves all its edges. */
#define TAG_SHARE 6

/* The farthest that a seat's corner, at the blocks' tops, lies by one pose from where it lies by
 * the other, mm. */
static double pose_distance_mm(const struct watch *watch, const struct mat_pose *a,
                               const struct mat_pose *b)
{
    double farthest = 0;
    for (int i = 0; i < watch->kit.mat->seats; i++)
        for (int corner = 0; corner < 4; corner++) {
            const double *rect = watch->kit.mat->seat[i].rect_mm;
            double point[3] = {rect[0] + (corner % 2) * rect[2], rect[1] + (corner / 2) * rect[3],
                               -watch->kit.set->height_mm};
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
        return MOVED_MM;
    return fmin(MOVED_MM + 2 * pose->place_sigma_mm, MOVED_MOST_MM);
}

static bool pose_same(const struct watch *watch, const struct mat_pose *a, const struct mat_pose *b)
{
    return pose_distance_mm(watch, a, b) <= fmax(tolerance_mm(a), tolerance_mm(b));
}

/* Tags that were in view and look otherwise now, and all that were in view. */
static void tags_count(struct watch *watch, int *disturbed, int *all)
{
    for (int i = 0; i < watch->kit.mat->tags; i++) {
        struct part *tag = &watch->at.tag[i];
        struct small_change since = watch->change;
        if (!tag->told || tag->region.pixels == 0)
            continue;
        tag->gain_ppm = tag->gain_ppm * watch->change.gain_permille / 1000;
        since.gain_permille = (int)(tag->gain_ppm / 1000);
        int changed = vision_region_changed_from(&tag->region, tag->reference, &watch->now, since);
        *disturbed += changed * TAG_SHARE > tag->region.pixels;
        ++*all;
    }
}

/* Is there reason to look for the tags in full? */
static bool search_due(struct watch *watch)
{
    int disturbed = 0, all = 0;
    int64_t since_ns = watch->t_ns - watch->at.searched_t_ns;
    if (!watch->at.known || watch->at.rested > 0 || (watch->health & REASON_BIT(REASON_MAT_MOVED)))
        return watch->at.rested > 0 || since_ns >= SEARCH_AGAIN_NS || since_ns < 0 ||
               watch->at.searched_t_ns < 0;
    tags_count(watch, &disturbed, &all);
    if (disturbed >= 2 && 2 * disturbed > all)
        return since_ns >= SEARCH_AGAIN_NS || since_ns < 0 || disturbed == all;
    return since_ns >= SEARCH_EVERY_NS || since_ns < 0;
}

/* The tags look as they do now from here on: the light moves on over the day. */
static void tags_refresh(struct watch *watch)
{
    for (int i = 0; i < watch->kit.mat->tags; i++) {
        struct part *tag = &watch->at.tag[i];
        for (int s = 0; s < watch->at.next.sightings; s++)
            if (watch->at.next.sighting[s].id == watch->kit.mat->tag[i].id) {
                tag->told = true;
                tag->gain_ppm = 1000000;
                vision_region_values(&tag->region, &watch->now, tag->reference);
            }
    }
}

/* Another pose counts once it has rested. */
static int pose_take(struct watch *watch, const struct mat_pose *found)
{
    struct watched_pose *at = &watch->at;
    bool rests = at->rested > 0 && pose_same(watch, &at->next, found);
    at->next = *found;
    at->rested = rests ? at->rested + 1 : 1;
    if (at->rested < watch->options.settle_frames)
        return VISION_OK;
    at->rested = 0;
    at->known = true;
    at->pose = *found;
    watch->health &= ~(REASON_BIT(REASON_MAT_MOVED) | REASON_BIT(REASON_NO_MAT));
    return vision_watch_regions(watch);
}

static int pose_found(struct watch *watch, const struct mat_pose *found)
{
    if (watch->at.known && pose_same(watch, &watch->at.pose, found)) {
        watch->at.rested = 0;
        watch->at.next = *found;
        watch->health &= ~(REASON_BIT(REASON_MAT_MOVED) | REASON_BIT(REASON_NO_MAT));
        tags_refresh(watch);
        return VISION_OK;
    }
    if (watch->at.known)
        watch->health |= REASON_BIT(REASON_MAT_MOVED);
    return pose_take(watch, found);
}

int vision_watch_pose(struct watch *watch)
{
    struct mat_pose found;
    if (!search_due(watch))
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
    watch->at.rested = 0;
    /* A table that is being set up shows its mat in time; one that had it has lost it. */
    if (watch->at.known || watch->t_ns - watch->first_t_ns > NS_PER_S)
        watch->health |= REASON_BIT(REASON_NO_MAT);
    return VISION_OK;
}
