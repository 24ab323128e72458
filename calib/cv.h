/* calib/cv.h: the few things that are taken from OpenCV, in C.
 *
 * Points are pairs of doubles, lent for the call. No exception leaves; every function returns 0
 * (or a count) or a negative number of calib/error.h. */
#ifndef CALIB_CV_H
#define CALIB_CV_H

#include "calib/camera.h"
#include "calib/error.h"

#include <stddef.h>

#define CALIB_CV_POINTS_MAX 65536

#ifdef __cplusplus
extern "C" {
#endif

/* Homography, row by row with h[8] = 1, that maps from[i] to to[i] in the least-squares sense.
 * Four points at least. CALIB_E_GEOMETRY when they determine none. */
int calib_cv_homography(const double (*from)[2], const double (*to)[2], size_t points, double h[9]);

/* The one or two poses in which the camera may see points xy_mm[i] of the plane z = 0 at pixel[i]
 * (a plane seen from afar has two that look alike), best first. Returns how many, or
 * CALIB_E_GEOMETRY. Four points at least. */
int calib_cv_plane_poses(const struct camera *camera, const double (*xy_mm)[2],
                         const double (*pixel)[2], size_t points, struct pose poses[2]);

#ifdef __cplusplus
}
#endif

#endif
