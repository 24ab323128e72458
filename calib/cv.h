/* calib/cv.h: the few things that are taken from OpenCV, in C.
 *
 * Points are pairs of doubles, lent for the call. No exception leaves; every function returns 0
 * (or a count) or a negative number of calib/error.h. */
#ifndef CALIB_CV_H
#define CALIB_CV_H

#include "calib/camera.h"
#include "calib/error.h"

#include <stdbool.h>
#include <stddef.h>

#define CALIB_CV_POINTS_MAX 65536
#define CALIB_CV_VIEWS_MAX 1024
#define CALIB_CV_LENS 9 /* fx fy cx cy k1 k2 p1 p2 k3: their order in a list of the lens's numbers */

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

/* A picture's luma, lent. */
struct cv_grey {
    const unsigned char *bytes;
    int width, height; /* px */
    size_t stride;     /* bytes from row to row */
};

/* The cols x rows inner corners (3 to 64 each) of the chessboard in the picture, row by row, or
 * from the other end: a half turn is not told. Found on a reduced picture, refined on the full one.
 * corner[] has room for all. `thorough`: looks again by another method, which takes longer, where
 * the first finds none. CALIB_E_GEOMETRY when they are not all seen. */
int calib_cv_chessboard(const struct cv_grey *grey, int cols, int rows, bool thorough,
                        double (*corner)[2]);

/* A plane in one picture: point_mm[i] of it is seen at pixel[i]. Lent. */
struct cv_view {
    const double (*point_mm)[2];
    const double (*pixel)[2];
    size_t points;
};

/* What of the lens is not fitted. */
enum {
    CALIB_CV_HOLD_K3 = 1,      /* at 0 */
    CALIB_CV_HOLD_K2 = 2,      /* at 0 */
    CALIB_CV_HOLD_SKEWED = 4,  /* p1 and p2 at 0 */
    CALIB_CV_HOLD_CENTRE = 8,  /* in the middle of the picture */
    CALIB_CV_HOLD_ASPECT = 16, /* fy is fx */
};

/* The lens that all views agree best about, by OpenCV's calibrateCamera: its numbers, their
 * standard errors in sigma[] (0 for what was held), for each view its pose (of the camera against
 * the plane) and the root of its mean squared distances in px, and that over all points in
 * *rms_px. CALIB_E_GEOMETRY where the views determine no lens: one view that is seen straight from
 * ahead, or points that lie on a line. */
int calib_cv_calibrate(const struct cv_view *view, size_t views, int width, int height,
                       unsigned hold, struct camera *camera, double sigma[CALIB_CV_LENS],
                       struct pose *pose, double *view_rms_px, double *rms_px);

#ifdef __cplusplus
}
#endif

#endif
