/* tests/unit/test_camera.c: projection, its inverse and rays on planes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/camera.h"

#include <math.h>

static const struct pose straight = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-100, -50, 1000}};

static struct camera lens(double k1, double k2, double p1, double p2, double k3)
{
    struct camera camera = {1920, 1080, 1400, 1410, 950, 530, {k1, k2, p1, p2, k3}};
    return camera;
}

static void should_project_by_the_pinhole_when_there_is_no_distortion(void **state)
{
    (void)state;
    struct camera camera = lens(0, 0, 0, 0, 0);
    double point[3] = {200, 150, -100}, pixel[2];
    assert_true(calib_camera_project(&camera, &straight, point, pixel));
    assert_true(fabs(pixel[0] - (950 + 1400 * 100 / 900.0)) < 1e-9);
    assert_true(fabs(pixel[1] - (530 + 1410 * 100 / 900.0)) < 1e-9);
}

static void should_follow_the_five_coefficients(void **state)
{
    (void)state;
    struct camera camera = lens(-0.2, 0.1, 0.01, -0.02, 0.05);
    double point[3] = {400, 250, 0}, pixel[2];
    double x = 0.3, y = 0.2, s = x * x + y * y;
    double radial = 1 - 0.2 * s + 0.1 * s * s + 0.05 * s * s * s;
    double u = x * radial + 2 * 0.01 * x * y - 0.02 * (s + 2 * x * x);
    double v = y * radial + 0.01 * (s + 2 * y * y) - 2 * 0.02 * x * y;
    assert_true(calib_camera_project(&camera, &straight, point, pixel));
    assert_true(fabs(pixel[0] - (950 + 1400 * u)) < 1e-9);
    assert_true(fabs(pixel[1] - (530 + 1410 * v)) < 1e-9);
}

static void should_come_back_to_the_same_point(void **state)
{
    (void)state;
    static const double dist[][5] = {{0, 0, 0, 0, 0},
                                     {-0.35, 0.15, 0.001, -0.002, -0.02},
                                     {0.1, -0.02, 0, 0, 0},
                                     {-0.21, 0.06, 0.0006, 0.0005, 0},
                                     {-0.45, 0.25, 0, 0, -0.05}};
    for (size_t i = 0; i < sizeof dist / sizeof *dist; i++) {
        struct camera camera = lens(dist[i][0], dist[i][1], dist[i][2], dist[i][3], dist[i][4]);
        for (int x = -400; x <= 600; x += 50)
            for (int y = -350; y <= 450; y += 50) {
                double point[3] = {x, y, -35}, pixel[2], back[2];
                assert_true(calib_camera_project(&camera, &straight, point, pixel));
                assert_true(calib_camera_unproject(&camera, &straight, pixel, -35, back));
                assert_true(hypot(back[0] - x, back[1] - y) < 1e-6);
            }
    }
}

static void should_refuse_what_lies_behind(void **state)
{
    (void)state;
    struct camera camera = lens(0, 0, 0, 0, 0);
    double pixel[2], point[2];
    double behind[3] = {0, 0, -1500}, in_the_lens[3] = {100, 50, -1000};
    assert_false(calib_camera_project(&camera, &straight, behind, pixel));
    assert_false(calib_camera_project(&camera, &straight, in_the_lens, pixel));
    double center[2] = {950, 530};
    assert_false(calib_camera_unproject(&camera, &straight, center, -1500, point));
}

static void should_refuse_a_ray_along_the_plane(void **state)
{
    (void)state;
    struct camera camera = lens(0, 0, 0, 0, 0);
    struct pose sideways = {{1, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 0}};
    double center[2] = {950, 530}, point[2];
    assert_false(calib_camera_unproject(&camera, &sideways, center, 10, point));
}

static void should_refuse_points_beyond_the_fold_of_the_lens(void **state)
{
    (void)state;
    /* 1 - 0.9 s = 0 at s = 1.11: further out the picture folds back. */
    struct camera camera = lens(-0.3, 0, 0, 0, 0);
    double inside[3] = {100 + 900, 50, 0}, beyond[3] = {100 + 1200, 50, 0}, pixel[2], ray[2];
    assert_true(calib_camera_project(&camera, &straight, inside, pixel));
    assert_false(calib_camera_project(&camera, &straight, beyond, pixel));
    /* Nor has a pixel out there a ray: the largest radius drawn is 0.703. */
    double outside[2] = {950 + 1400 * 0.72, 530};
    assert_false(calib_camera_undistort(&camera, outside, ray));
    double nearly[2] = {950 + 1400 * 0.70, 530};
    assert_true(calib_camera_undistort(&camera, nearly, ray));
    assert_true(ray[0] * ray[0] < 1.12);
}

static void should_refuse_a_fold_that_later_turns_back(void **state)
{
    (void)state;
    /* The slope 1 - 3 s + 2.1 s^2 is below 0 for s from 0.53 to 0.9 and positive again after. */
    struct camera camera = lens(-1.0, 0.42, 0, 0, 0);
    double beyond[3] = {100 + 1200, 50, 0}, pixel[2];
    assert_false(calib_camera_project(&camera, &straight, beyond, pixel));
}

static void should_refuse_numbers_that_are_none(void **state)
{
    (void)state;
    struct camera camera = lens(-0.1, 0, 0, 0, 0);
    double bad[3] = {NAN, 0, 0}, pixel[2], ray[2], nowhere[2] = {NAN, INFINITY};
    assert_false(calib_camera_project(&camera, &straight, bad, pixel));
    assert_false(calib_camera_undistort(&camera, nowhere, ray));
}

static void should_know_where_the_camera_stands(void **state)
{
    (void)state;
    double center[3];
    calib_pose_center(&straight, center);
    assert_true(fabs(center[0] - 100) < 1e-12 && fabs(center[1] - 50) < 1e-12);
    assert_true(fabs(center[2] + 1000) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_project_by_the_pinhole_when_there_is_no_distortion),
        cmocka_unit_test(should_follow_the_five_coefficients),
        cmocka_unit_test(should_come_back_to_the_same_point),
        cmocka_unit_test(should_refuse_what_lies_behind),
        cmocka_unit_test(should_refuse_a_ray_along_the_plane),
        cmocka_unit_test(should_refuse_points_beyond_the_fold_of_the_lens),
        cmocka_unit_test(should_refuse_a_fold_that_later_turns_back),
        cmocka_unit_test(should_refuse_numbers_that_are_none),
        cmocka_unit_test(should_know_where_the_camera_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
