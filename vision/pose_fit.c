/* vision/pose_fit.c: see pose_fit.h. */
#include "vision/pose_fit.h"

#include <math.h>
#include <string.h>

#define N POSE_FIT_PARAMS

/* What is expected of a lens that nobody calibrated. The horizontal field of view of webcams,
 * phones and capture cameras runs from 40 to 110 degrees: 1.37 to 0.35 widths of focal length,
 * taken as the two-sigma range of a logarithm. k1: webcams bend slightly inwards, -0.25 to +0.05.
 * k2 stands for what k1 leaves over in wide lenses. */
#define FOCAL_LOG_MEAN (-0.37)
#define FOCAL_LOG_SIGMA 0.34
#define K1_MEAN (-0.10)
#define K1_SIGMA 0.15
#define K2_MEAN 0.02
#define K2_SIGMA 0.06
/* The corners' own error, px, against which the expectations are weighed, and the least error
 * that standard errors assume: paper and lens are never better. */
#define NOISE_PX 0.2

#define FIT_STEPS 60
#define FIT_DONE 1e-7 /* relative gain of a step that ends the fit */
#define FIT_DAMPING_MAX 1e10

struct camera vision_pose_fit_camera(int width, int height, double focal_share)
{
    struct camera camera = {.width = width, .height = height};
    camera.fx = camera.fy = focal_share * (width > height ? width : height);
    camera.cx = 0.5 * (width - 1);
    camera.cy = 0.5 * (height - 1);
    camera.dist[0] = K1_MEAN;
    camera.dist[1] = K2_MEAN;
    return camera;
}

static int fit_params(const struct pose_fit *fit)
{
    return fit->free_lens ? POSE_FIT_PARAMS : POSE_FIT_RIGID;
}

/* exp of the skew matrix of w, row by row (Rodrigues). */
static void turn_matrix(const double w[3], double r[9])
{
    double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double a = angle < 1e-8 ? 1 : sin(angle) / angle;
    double b = angle < 1e-8 ? 0.5 : (1 - cos(angle)) / (angle * angle);
    double c = 1 - b * angle * angle;
    r[0] = c + b * w[0] * w[0];
    r[1] = b * w[0] * w[1] - a * w[2];
    r[2] = b * w[0] * w[2] + a * w[1];
    r[3] = b * w[0] * w[1] + a * w[2];
    r[4] = c + b * w[1] * w[1];
    r[5] = b * w[1] * w[2] - a * w[0];
    r[6] = b * w[0] * w[2] - a * w[1];
    r[7] = b * w[1] * w[2] + a * w[0];
    r[8] = c + b * w[2] * w[2];
}

/* *to = *from moved by a step: the turn multiplies from the left, the rest adds. */
static void fit_move(const struct pose_fit *from, const double *step, struct pose_fit *to)
{
    double turn[9];
    *to = *from;
    turn_matrix(step, turn);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to->pose.r[3 * i + j] = turn[3 * i] * from->pose.r[j] +
                                    turn[3 * i + 1] * from->pose.r[3 + j] +
                                    turn[3 * i + 2] * from->pose.r[6 + j];
    for (int i = 0; i < 3; i++)
        to->pose.t_mm[i] += step[3 + i];
    if (from->free_lens) {
        to->camera.fx *= exp(step[6]);
        to->camera.fy = to->camera.fx;
        to->camera.dist[0] += step[7];
        to->camera.dist[1] += step[8];
    }
}

/* Small steps for derivatives: about a hundredth of a pixel each with usual cameras. */
static double param_delta(const struct pose_fit *fit, int param)
{
    if (param < 3)
        return 1e-5;
    if (param < 6)
        return 1e-5 * (fabs(fit->pose.t_mm[2]) + 1);
    return param == 6 ? 1e-5 : 1e-4;
}

static bool point_error(const struct pose_fit *fit, const struct pose_point *point, double e[2])
{
    double at[3] = {point->mat_mm[0], point->mat_mm[1], 0}, pixel[2];
    if (!calib_camera_project(&fit->camera, &fit->pose, at, pixel))
        return false;
    e[0] = point->pixel[0] - pixel[0];
    e[1] = point->pixel[1] - pixel[1];
    return true;
}

/* Distances from the expectations, in px of the corners' error. */
static void lens_errors(const struct pose_fit *fit, double e[3])
{
    double long_side =
        fit->camera.width > fit->camera.height ? fit->camera.width : fit->camera.height;
    e[0] = NOISE_PX * (log(fit->camera.fx / long_side) - FOCAL_LOG_MEAN) / FOCAL_LOG_SIGMA;
    e[1] = NOISE_PX * (fit->camera.dist[0] - K1_MEAN) / K1_SIGMA;
    e[2] = NOISE_PX * (fit->camera.dist[1] - K2_MEAN) / K2_SIGMA;
}

/* Squared px; infinite when a point can't be seen. *points_only leaves the expectations out. */
static double fit_cost(const struct pose_fit *fit, const struct pose_point *point, int points,
                       double *points_only)
{
    double sum = 0, e[3];
    *points_only = INFINITY;
    for (int i = 0; i < points; i++) {
        if (!point_error(fit, &point[i], e))
            return INFINITY;
        sum += e[0] * e[0] + e[1] * e[1];
    }
    *points_only = sum;
    if (fit->free_lens) {
        lens_errors(fit, e);
        sum += e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    }
    return isfinite(sum) ? sum : INFINITY;
}

/* Adds to the lower half, the only one that is looked at. */
static void row_add(const double *row, double error, int params, double a[N * N], double b[N])
{
    for (int i = 0; i < params; i++) {
        b[i] += row[i] * error;
        for (int j = 0; j <= i; j++)
            a[i * N + j] += row[i] * row[j];
    }
}

/* How a bent ray moves with the straight one at (x, y): see calib/camera.h for the lens. */
static void bend_slopes(const double dist[5], double x, double y, double j[2][2])
{
    double k1 = dist[0], k2 = dist[1], p1 = dist[2], p2 = dist[3], k3 = dist[4];
    double s = x * x + y * y, radial = 1 + s * (k1 + s * (k2 + s * k3));
    double slope = 2 * (k1 + s * (2 * k2 + s * 3 * k3));
    j[0][0] = radial + x * x * slope + 2 * p1 * y + 6 * p2 * x;
    j[0][1] = j[1][0] = x * y * slope + 2 * p1 * x + 2 * p2 * y;
    j[1][1] = radial + y * y * slope + 6 * p1 * y + 2 * p2 * x;
}

/* How a point's pixel moves with each parameter. The point is seen. */
static void point_slopes(const struct pose_fit *fit, const struct pose_point *point,
                         double row[2][N])
{
    const double *r = fit->pose.r, *t = fit->pose.t_mm, *m = point->mat_mm;
    const double focal[2] = {fit->camera.fx, fit->camera.fy};
    const double v[3] = {r[0] * m[0] + r[1] * m[1], r[3] * m[0] + r[4] * m[1],
                         r[6] * m[0] + r[7] * m[1]}; /* turned, but not yet moved */
    double z = v[2] + t[2], x = (v[0] + t[0]) / z, y = (v[1] + t[1]) / z, s = x * x + y * y;
    const double ray[2] = {x, y};
    double j[2][2];
    bend_slopes(fit->camera.dist, x, y, j);
    for (int i = 0; i < 2; i++) {
        /* by the point's place before the camera */
        double g[3] = {focal[i] * j[i][0] / z, focal[i] * j[i][1] / z, 0};
        g[2] = -(g[0] * x + g[1] * y);
        row[i][0] = v[1] * g[2] - v[2] * g[1];
        row[i][1] = v[2] * g[0] - v[0] * g[2];
        row[i][2] = v[0] * g[1] - v[1] * g[0];
        memcpy(row[i] + 3, g, sizeof g);
        row[i][7] = focal[i] * ray[i] * s;
        row[i][8] = row[i][7] * s;
    }
}

/* The expectations' share of the normal equations. */
static void lens_rows(const struct pose_fit *fit, double a[N * N], double b[N])
{
    static const double slope[3] = {NOISE_PX / FOCAL_LOG_SIGMA, NOISE_PX / K1_SIGMA,
                                    NOISE_PX / K2_SIGMA};
    double e[3];
    lens_errors(fit, e);
    for (int i = 0; i < 3; i++) {
        double row[N] = {0};
        row[POSE_FIT_RIGID + i] = -slope[i]; /* these errors grow with the parameter */
        row_add(row, e[i], POSE_FIT_PARAMS, a, b);
    }
}

/* Normal equations a x = b of a step, the lower half of a. False when a point is not seen. */
static bool fit_normal(const struct pose_fit *fit, const struct pose_point *point, int points,
                       double a[N * N], double b[N])
{
    const struct camera *camera = &fit->camera;
    int params = fit_params(fit);
    memset(a, 0, sizeof(double) * N * N);
    memset(b, 0, sizeof(double) * N);
    for (int i = 0; i < points; i++) {
        double e[2], row[2][N];
        if (!point_error(fit, &point[i], e))
            return false;
        point_slopes(fit, &point[i], row);
        /* the logarithm of the focal length scales the pixel about the middle */
        row[0][6] = point[i].pixel[0] - e[0] - camera->cx;
        row[1][6] = point[i].pixel[1] - e[1] - camera->cy;
        row_add(row[0], e[0], params, a, b);
        row_add(row[1], e[1], params, a, b);
    }
    if (fit->free_lens)
        lens_rows(fit, a, b);
    return true;
}

/* Cholesky factor of the leading n x n part, in place in the lower triangle. */
static bool cholesky(double a[N * N], int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i * N + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * N + k] * a[j * N + k];
            if (i != j)
                a[i * N + j] = sum / a[j * N + j];
            else if (sum > 1e-14 * fabs(a[i * N + i]) && isfinite(sum))
                a[i * N + i] = sqrt(sum);
            else
                return false;
        }
    return true;
}

static void cholesky_solve(const double l[N * N], int n, double x[N])
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i * N + k] * x[k];
        x[i] /= l[i * N + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= l[k * N + i] * x[k];
        x[i] /= l[i * N + i];
    }
}

/* Tries damped steps until one gains. Returns the relative gain, or -1 when none does. */
static double fit_step(struct pose_fit *fit, const struct pose_point *point, int points,
                       double *damping)
{
    double a[N * N], b[N], l[N * N], step[N], only;
    int params = fit_params(fit);
    if (!fit_normal(fit, point, points, a, b))
        return -1;
    for (; *damping < FIT_DAMPING_MAX; *damping *= 10) {
        struct pose_fit moved;
        memcpy(l, a, sizeof l);
        memcpy(step, b, sizeof step);
        for (int i = 0; i < params; i++)
            l[i * N + i] *= 1 + *damping;
        if (!cholesky(l, params))
            continue;
        cholesky_solve(l, params, step);
        fit_move(fit, step, &moved);
        moved.cost = fit_cost(&moved, point, points, &only);
        if (moved.cost <= fit->cost) {
            double gain = (fit->cost - moved.cost) / (fit->cost + 1e-12);
            moved.rms_px = sqrt(only / points);
            *fit = moved;
            *damping = fmax(*damping * 0.1, 1e-9);
            return gain;
        }
    }
    return -1;
}

/* Rounding makes a product of many turns drift: back to a rotation by Gram-Schmidt. */
static void turn_tidy(double r[9])
{
    double n = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (int i = 0; i < 3; i++)
        r[i] /= n;
    double dot = r[0] * r[3] + r[1] * r[4] + r[2] * r[5];
    for (int i = 0; i < 3; i++)
        r[3 + i] -= dot * r[i];
    n = sqrt(r[3] * r[3] + r[4] * r[4] + r[5] * r[5]);
    for (int i = 0; i < 3; i++)
        r[3 + i] /= n;
    r[6] = r[1] * r[5] - r[2] * r[4];
    r[7] = r[2] * r[3] - r[0] * r[5];
    r[8] = r[0] * r[4] - r[1] * r[3];
}

bool vision_pose_fit(const struct pose_point *point, int points, struct pose_fit *fit)
{
    double only, damping = 1e-3;
    if (points < 4)
        return false;
    fit->cost = fit_cost(fit, point, points, &only);
    if (!isfinite(fit->cost))
        return false;
    fit->rms_px = sqrt(only / points);
    for (int i = 0; i < FIT_STEPS; i++)
        if (fit_step(fit, point, points, &damping) < FIT_DONE)
            break;
    turn_tidy(fit->pose.r);
    return isfinite(fit->cost);
}

bool vision_pose_fit_covariance(const struct pose_point *point, int points, struct pose_fit *fit)
{
    double l[N * N], b[N];
    int params = fit_params(fit);
    memset(fit->covariance, 0, sizeof fit->covariance);
    if (!fit_normal(fit, point, points, l, b) || !cholesky(l, params))
        return false;
    /* rms_px is of distances, two axes each; unknowns take their share of freedom. */
    double freedom = 2.0 * points - POSE_FIT_RIGID;
    double variance = fit->rms_px * fit->rms_px * points / fmax(freedom, 1);
    variance = fmax(variance, NOISE_PX * NOISE_PX);
    for (int i = 0; i < params; i++) {
        double x[N] = {0};
        x[i] = 1;
        cholesky_solve(l, params, x);
        for (int j = 0; j < params; j++)
            fit->covariance[j * N + i] = x[j] * variance;
    }
    return true;
}

double vision_pose_fit_miss(const struct pose_fit *fit, const struct pose_point *point)
{
    double e[2];
    return point_error(fit, point, e) ? hypot(e[0], e[1]) : INFINITY;
}

/* Root of g' C g. */
static double sigma_along(const struct pose_fit *fit, const double g[N])
{
    double sum = 0;
    int params = fit_params(fit);
    for (int i = 0; i < params; i++)
        for (int j = 0; j < params; j++)
            sum += g[i] * fit->covariance[i * N + j] * g[j];
    return sum > 0 ? sqrt(sum) : 0;
}

double vision_pose_fit_place_sigma(const struct pose_fit *fit, const double xy_mm[2], double z_mm)
{
    double at[3] = {xy_mm[0], xy_mm[1], z_mm}, pixel[2], gx[N], gy[N];
    if (!calib_camera_project(&fit->camera, &fit->pose, at, pixel))
        return INFINITY;
    for (int p = 0; p < fit_params(fit); p++) {
        double step[N] = {0}, place[2];
        struct pose_fit moved;
        step[p] = param_delta(fit, p);
        fit_move(fit, step, &moved);
        if (!calib_camera_unproject(&moved.camera, &moved.pose, pixel, z_mm, place))
            return INFINITY;
        gx[p] = (place[0] - xy_mm[0]) / step[p];
        gy[p] = (place[1] - xy_mm[1]) / step[p];
    }
    return fmax(sigma_along(fit, gx), sigma_along(fit, gy));
}

double vision_pose_fit_height_sigma(const struct pose_fit *fit)
{
    double center[3], g[N];
    calib_pose_center(&fit->pose, center);
    for (int p = 0; p < fit_params(fit); p++) {
        double step[N] = {0}, other[3];
        struct pose_fit moved;
        step[p] = param_delta(fit, p);
        fit_move(fit, step, &moved);
        calib_pose_center(&moved.pose, other);
        g[p] = (other[2] - center[2]) / step[p];
    }
    return sigma_along(fit, g);
}
