/* vision/body.h: what a block's body hides and shows, on the plane of the tops.
 *
 * Seen from the camera, the base of a block lies, on the plane of its top, nearer to the point
 * under the camera: P -> n + (P - n) k, with k = (c - h) / c for a camera at height c. So the
 * body covers the top's square swept towards n: a place q is covered when the line from q to
 * n + (q - n) / k meets the square. All in mm on the plane of the tops. */
#ifndef VISION_BODY_H
#define VISION_BODY_H

#include "vision/pose.h"

#include <stdbool.h>

struct camera_view {
    double nadir_mm[2]; /* the point under the camera */
    double height_mm;   /* of the camera over the sheet */
};

/* A square top, or the end of a standing block. */
struct body_top {
    double center_mm[2]; /* on its own plane */
    double turn_rad;
    double side_mm;
    double height_mm; /* of the top over the sheet */
};

struct camera_view vision_view_from_pose(const struct mat_pose *pose);

/* Where a point at one height appears on the plane of another. */
void vision_view_shift(const struct camera_view *view, const double at_mm[2], double from_height_mm,
                       double to_height_mm, double out_mm[2]);

/* Does the body under a top cover the place q of the plane at plane_height_mm? The square is
 * taken `grow_mm` larger on each side. */
bool vision_body_covers(const struct camera_view *view, const struct body_top *top,
                        double plane_height_mm, const double q_mm[2], double grow_mm);

#endif
