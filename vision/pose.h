/* vision/pose.h: from a frame to the place of the camera over the mat.
 *
 * Tags are found by libapriltag on a reduced picture and their corners refined at full
 * resolution. Sightings are trusted only when their id is on the mat, stands once in the
 * picture, is decoded with margin, is large enough, and agrees with the others about one plane. */
#ifndef VISION_POSE_H
#define VISION_POSE_H

#include "calib/camera.h"
#include "calib/mat.h"
#include "calib/rig.h"
#include "capture/frame.h"
#include "vision/error.h"

#include <stdbool.h>

struct sighting {
    int id;
    int hamming;
    double margin;       /* libapriltag's decision margin */
    double corner[4][2]; /* px, our convention, in the order of calib_mat_tag_corners */
    bool firm[4];        /* the corner was measured; false where a side of the tag is covered and
                          * only libapriltag's rough place is known: the pose leaves it out */
};

struct mat_pose {
    struct camera camera; /* the rig's, or estimated: focal length and k1 */
    struct pose pose;
    bool estimated;       /* no rig: the camera was estimated from the tags */
    bool coarse;          /* places are rough, a full reading is refused: two tags, three without a
                           * rig, or every seat is */
    bool seat_coarse[MAT_SEATS_MAX]; /* places in that seat are rough: it lies so far from the tags
                                      * that were seen that their errors grow too large there */
    bool twin;            /* another pose fits the tags as well */
    double seat_sigma_mm[MAT_SEATS_MAX]; /* largest standard error over the seat, on the plane of the
                                          * tops; 0 where it is not known */
    bool second_mat;      /* a smaller copy of the mat is in view, too */
    int tags;             /* inliers it rests on */
    double rms_px;        /* of their corners */
    double focal_sigma;   /* estimated: standard error of the focal length, as a share of it */
    double height_sigma_mm; /* standard error of the camera's height over the mat */
    double place_sigma_mm;  /* largest standard error over the seats, on the plane of the tops */
    int sightings;
    struct sighting sighting[MAT_TAGS_MAX];
};

/* A detector and its buffers; one for each thread. NULL when there is no memory. */
struct tag_finder;
struct tag_finder *vision_tag_finder_create(void);
void vision_tag_finder_destroy(struct tag_finder **finder);

/* Trusted sightings of the mat's tags in a frame, at most MAT_TAGS_MAX, into `out`. Returns how
 * many, or VISION_E_MEMORY. A mirrored picture shows none: *mirrored (may be NULL) is set when
 * the flipped picture shows at least two of the mat's tags where this one shows none. */
int vision_tags_find(struct tag_finder *finder, const struct frame *frame, const struct mat *mat,
                     struct sighting out[MAT_TAGS_MAX], bool *mirrored);

/* Did the last picture show the mat twice? When neither was clearly the larger none was trusted. */
bool vision_tags_second(const struct tag_finder *finder);

/* The pose from sightings. rig may be NULL. Needs two tags at least.
 * Errors: VISION_E_NO_MAT (fewer), VISION_E_RIG_SIZE, VISION_E_RIG_LENS, VISION_E_POSE,
 * VISION_E_ARGUMENT. */
int vision_pose_solve(const struct sighting *sighting, int sightings, const struct mat *mat,
                      const struct rig *rig, int width, int height, struct mat_pose *out);

/* Both in turn; VISION_E_MIRRORED for a picture seen in a mirror, VISION_E_TWO_MATS where the mat
 * is seen twice and neither is clearly the larger. */
int vision_pose_find(struct tag_finder *finder, const struct frame *frame, const struct mat *mat,
                     const struct rig *rig, struct mat_pose *out);

#endif
