/* vision/pose_fit.h: Levenberg-Marquardt over a camera's pose and, where no rig is given, its
 * lens, from points of the mat seen in the picture. Private to vision.
 *
 * Without a rig the lens has three unknowns: the focal length (as its logarithm), k1 and k2. Each
 * carries a weak expectation, so that what the points do not determine stays at what usual
 * cameras have instead of running away; see pose_fit.c for the numbers and their reasons. */
#ifndef VISION_POSE_FIT_H
#define VISION_POSE_FIT_H

#include "calib/camera.h"

#include <stdbool.h>

#define POSE_FIT_PARAMS 9    /* turn 3, place 3, log focal length, k1, k2 */
#define POSE_FIT_RIGID 6     /* those of a given lens */
#define POSE_FIT_POINTS_MAX 128

struct pose_point {
    double mat_mm[2]; /* on the sheet, z = 0 */
    double pixel[2];
    int tag;          /* whose corner it is: an index of the caller's */
};

struct pose_fit {
    struct camera camera;
    struct pose pose;
    bool free_lens;   /* also fit focal length, k1, k2 */
    double cost;      /* squared px, expectations included */
    double rms_px;    /* of the points alone: root of the mean squared distance */
    double covariance[POSE_FIT_PARAMS * POSE_FIT_PARAMS]; /* of the parameters, row by row */
};

/* Refines *fit in place from its camera and pose. False when the start does not see the points or
 * the points determine nothing. */
bool vision_pose_fit(const struct pose_point *point, int points, struct pose_fit *fit);

/* Fills fit->covariance at fit's place. False when the points leave something undetermined. */
bool vision_pose_fit_covariance(const struct pose_point *point, int points, struct pose_fit *fit);

/* Distance in px of a point from where the fit expects it; infinite when it can't be seen. */
double vision_pose_fit_miss(const struct pose_fit *fit, const struct pose_point *point);

/* Standard error (mm, the larger axis's) of the place on the plane z = z_mm that the fit gives
 * for the pixel of mat point xy_mm; infinite when it can't be seen. Needs the covariance. */
double vision_pose_fit_place_sigma(const struct pose_fit *fit, const double xy_mm[2], double z_mm);

/* Standard error of the camera's height over the mat, mm. Needs the covariance. */
double vision_pose_fit_height_sigma(const struct pose_fit *fit);

/* A camera with square pixels, its centre in the middle, and the lens that is expected before
 * anything is known, with a focal length of `focal_share` widths. */
struct camera vision_pose_fit_camera(int width, int height, double focal_share);

#endif
