/* vision/body.c: see body.h. */
#include "vision/body.h"

#include <math.h>

struct camera_view vision_view_from_pose(const struct mat_pose *pose)
{
    double center[3];
    calib_pose_center(&pose->pose, center);
    return (struct camera_view){{center[0], center[1]}, -center[2]};
}

void vision_view_shift(const struct camera_view *view, const double at_mm[2], double from_height_mm,
                       double to_height_mm, double out_mm[2])
{
    double k = (view->height_mm - to_height_mm) / (view->height_mm - from_height_mm);
    for (int i = 0; i < 2; i++)
        out_mm[i] = view->nadir_mm[i] + (at_mm[i] - view->nadir_mm[i]) * k;
}

/* Clips a line a..b (parameters *low..*high) to |coordinate| <= half. */
static bool slab_clip(double a, double b, double half, double *low, double *high)
{
    double d = b - a;
    if (fabs(d) < 1e-12)
        return fabs(a) <= half;
    double t0 = (-half - a) / d, t1 = (half - a) / d;
    if (t0 > t1) {
        double swap = t0;
        t0 = t1;
        t1 = swap;
    }
    *low = t0 > *low ? t0 : *low;
    *high = t1 < *high ? t1 : *high;
    return *low <= *high;
}

bool vision_body_covers(const struct camera_view *view, const struct body_top *top,
                        double plane_height_mm, const double q_mm[2], double grow_mm)
{
    /* The sight line through q crosses heights 0 .. top: its places there, seen from above. */
    double low_mm[2], high_mm[2], u[2], v[2];
    vision_view_shift(view, q_mm, plane_height_mm, 0, low_mm);
    vision_view_shift(view, q_mm, plane_height_mm, top->height_mm, high_mm);
    double c = cos(top->turn_rad), s = sin(top->turn_rad), half = top->side_mm / 2 + grow_mm;
    const double *end[2] = {low_mm, high_mm};
    for (int i = 0; i < 2; i++) {
        double dx = end[i][0] - top->center_mm[0], dy = end[i][1] - top->center_mm[1];
        u[i] = c * dx + s * dy;
        v[i] = c * dy - s * dx;
    }
    double low = 0, high = 1;
    return slab_clip(u[0], u[1], half, &low, &high) && slab_clip(v[0], v[1], half, &low, &high);
}
