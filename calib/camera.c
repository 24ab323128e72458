/* calib/camera.c: projection, its inverse, and rays on planes. */
#include "calib/camera.h"

#include <math.h>
#include <stddef.h>

#define DEPTH_MIN_MM 1e-6 /* nearer than this counts as in or behind the lens */
/* Where the model is sound some five steps do, each squaring the miss; more is for wide lenses
 * near their fold, where steps are halved. */
#define NEWTON_STEPS 30
#define NEWTON_HALVINGS 8
#define RAY_TOLERANCE 1e-10  /* normalised units: 1e-7 px with any real focal length */
#define RAY_GOAL 1e-13       /* where the steps end: as near as doubles come */
#define JACOBIAN_LEAST 1e-12 /* below, the model is folding and a step leads anywhere */
/* Drawing the start in by a fifth at a time, 60 times: to a millionth, where every model holds. */
#define DRAWN_IN 0.8
#define DRAWN_IN_MOST 60

/* Slope of the distorted radius by the true one, with s the true radius squared. */
static double radial_slope(const double dist[5], double s)
{
    return 1 + s * (3 * dist[0] + s * (5 * dist[1] + s * 7 * dist[4]));
}

/* Does the distorted radius grow all the way out to s? Where it once stops growing the picture
 * folds over, and points beyond would be drawn on top of nearer ones. The slope is a cubic in s:
 * its least value lies at the end or where its own derivative is 0. */
static bool radial_grows(const double dist[5], double s)
{
    if (!(radial_slope(dist, s) > 0))
        return false;
    if (dist[0] >= 0 && dist[1] >= 0 && dist[4] >= 0)
        return true;
    double a = 21 * dist[4], b = 10 * dist[1], c = 3 * dist[0];
    double root[2] = {-1, -1};
    if (a == 0) {
        if (b != 0)
            root[0] = -c / b;
    } else {
        double square = b * b - 4 * a * c;
        if (square >= 0) {
            /* the form that does not cancel when a is tiny */
            double q = -0.5 * (b + copysign(sqrt(square), b));
            root[0] = q / a;
            if (q != 0)
                root[1] = c / q;
        }
    }
    for (int i = 0; i < 2; i++)
        if (root[i] > 0 && root[i] < s && !(radial_slope(dist, root[i]) > 0))
            return false;
    return true;
}

/* Distorted point `out` of the normalised point (x, y), and its Jacobian when `jacobian` is not
 * NULL. */
static void ray_distort(const double dist[5], double x, double y, double out[2], double jacobian[4])
{
    double p1 = dist[2], p2 = dist[3];
    double s = x * x + y * y;
    double radial = 1 + s * (dist[0] + s * (dist[1] + s * dist[4]));
    out[0] = x * radial + 2 * p1 * x * y + p2 * (s + 2 * x * x);
    out[1] = y * radial + p1 * (s + 2 * y * y) + 2 * p2 * x * y;
    if (jacobian == NULL)
        return;
    double slope = 2 * (dist[0] + s * (2 * dist[1] + s * 3 * dist[4]));
    double cross = x * y * slope + 2 * p1 * x + 2 * p2 * y;
    jacobian[0] = radial + x * x * slope + 2 * p1 * y + 6 * p2 * x;
    jacobian[1] = cross;
    jacobian[2] = cross;
    jacobian[3] = radial + y * y * slope + 6 * p1 * y + 2 * p2 * x;
}

bool calib_camera_project(const struct camera *camera, const struct pose *pose,
                          const double point_mm[3], double pixel[2])
{
    const double *r = pose->r, *p = point_mm;
    double z = r[6] * p[0] + r[7] * p[1] + r[8] * p[2] + pose->t_mm[2];
    if (!(z > DEPTH_MIN_MM))
        return false;
    double x = (r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + pose->t_mm[0]) / z;
    double y = (r[3] * p[0] + r[4] * p[1] + r[5] * p[2] + pose->t_mm[1]) / z;
    if (!radial_grows(camera->dist, x * x + y * y))
        return false;
    double bent[2];
    ray_distort(camera->dist, x, y, bent, NULL);
    pixel[0] = camera->fx * bent[0] + camera->cx;
    pixel[1] = camera->fy * bent[1] + camera->cy;
    return isfinite(pixel[0]) && isfinite(pixel[1]);
}

/* One damped Newton step of `ray` towards `aim`; false when no step brings it nearer. */
static bool ray_step(const double dist[5], const double aim[2], double ray[2], double *miss)
{
    double at[2], j[4];
    ray_distort(dist, ray[0], ray[1], at, j);
    double ex = aim[0] - at[0], ey = aim[1] - at[1];
    double det = j[0] * j[3] - j[1] * j[2];
    if (!(fabs(det) > JACOBIAN_LEAST))
        return false;
    double dx = (j[3] * ex - j[1] * ey) / det, dy = (j[0] * ey - j[2] * ex) / det;
    for (int i = 0; i < NEWTON_HALVINGS; i++, dx *= 0.5, dy *= 0.5) {
        double x = ray[0] + dx, y = ray[1] + dy;
        ray_distort(dist, x, y, at, NULL);
        double now = hypot(aim[0] - at[0], aim[1] - at[1]);
        if (now < *miss && radial_grows(dist, x * x + y * y)) {
            ray[0] = x;
            ray[1] = y;
            *miss = now;
            return true;
        }
    }
    return false;
}

bool calib_camera_undistort(const struct camera *camera, const double pixel[2], double ray[2])
{
    const double *dist = camera->dist;
    double aim[2] = {(pixel[0] - camera->cx) / camera->fx, (pixel[1] - camera->cy) / camera->fy};
    if (!isfinite(aim[0]) || !isfinite(aim[1]))
        return false;
    /* Start at the pixel itself, drawn in until the lens model holds there. */
    ray[0] = aim[0];
    ray[1] = aim[1];
    for (int i = 0; !radial_grows(dist, ray[0] * ray[0] + ray[1] * ray[1]); i++) {
        if (i == DRAWN_IN_MOST)
            return false;
        ray[0] *= DRAWN_IN;
        ray[1] *= DRAWN_IN;
    }
    double at[2];
    ray_distort(dist, ray[0], ray[1], at, NULL);
    double miss = hypot(aim[0] - at[0], aim[1] - at[1]);
    for (int i = 0; i < NEWTON_STEPS && miss > RAY_GOAL; i++)
        if (!ray_step(dist, aim, ray, &miss))
            break;
    return miss <= RAY_TOLERANCE * (1 + hypot(aim[0], aim[1]));
}

bool calib_camera_unproject(const struct camera *camera, const struct pose *pose,
                            const double pixel[2], double z_mm, double point_mm[2])
{
    double ray[2], center[3];
    if (!calib_camera_undistort(camera, pixel, ray))
        return false;
    const double *r = pose->r;
    double dx = r[0] * ray[0] + r[3] * ray[1] + r[6];
    double dy = r[1] * ray[0] + r[4] * ray[1] + r[7];
    double dz = r[2] * ray[0] + r[5] * ray[1] + r[8];
    calib_pose_center(pose, center);
    double along = (z_mm - center[2]) / dz;
    if (!(along > DEPTH_MIN_MM) || !isfinite(along))
        return false;
    point_mm[0] = center[0] + along * dx;
    point_mm[1] = center[1] + along * dy;
    return true;
}

void calib_pose_center(const struct pose *pose, double center_mm[3])
{
    const double *r = pose->r, *t = pose->t_mm;
    for (int i = 0; i < 3; i++)
        center_mm[i] = -(r[i] * t[0] + r[3 + i] * t[1] + r[6 + i] * t[2]);
}
