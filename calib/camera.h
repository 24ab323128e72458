/* calib/camera.h: OpenCV's five-coefficient lens model, and where the camera stands.
 *
 * Pixel centres are at whole numbers. A pose maps a point of the mat frame (mm) to the camera's:
 * c = R p + t; it projects to x = c0/c2, y = c1/c2, is distorted by k1 k2 p1 p2 k3 and scaled by
 * fx fy cx cy. */
#ifndef CALIB_CAMERA_H
#define CALIB_CAMERA_H

#include <stdbool.h>

struct camera {
    int width, height; /* px, of the pictures it belongs to */
    double fx, fy, cx, cy;
    double dist[5]; /* k1 k2 p1 p2 k3 */
};

struct pose {
    double r[9]; /* rotation, row by row */
    double t_mm[3];
};

/* Mat point (mm) to picture (px). False when it lies behind the camera or so far out that the
 * lens model has folded over. */
bool calib_camera_project(const struct camera *camera, const struct pose *pose,
                          const double point_mm[3], double pixel[2]);

/* Undistorted, normalised direction (x/z, y/z) of a pixel. False when the model cannot be
 * inverted there. */
bool calib_camera_undistort(const struct camera *camera, const double pixel[2], double ray[2]);

/* Where the ray of a pixel meets the plane z = z_mm of the mat frame. False when it does not. */
bool calib_camera_unproject(const struct camera *camera, const struct pose *pose,
                            const double pixel[2], double z_mm, double point_mm[2]);

/* The camera's own place in the mat frame, mm. */
void calib_pose_center(const struct pose *pose, double center_mm[3]);

#endif
