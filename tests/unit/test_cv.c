/* tests/unit/test_cv.c: the wrapper over OpenCV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/cv.h"

#include <math.h>

static void should_find_the_homography_of_four_points(void **state)
{
    (void)state;
    const double from[4][2] = {{0, 0}, {100, 0}, {100, 50}, {0, 50}};
    const double to[4][2] = {{10, 20}, {210, 30}, {190, 140}, {5, 120}};
    double h[9];
    assert_int_equal(calib_cv_homography(from, to, 4, h), CALIB_OK);
    for (int i = 0; i < 4; i++) {
        double w = h[6] * from[i][0] + h[7] * from[i][1] + h[8];
        assert_true(fabs((h[0] * from[i][0] + h[1] * from[i][1] + h[2]) / w - to[i][0]) < 1e-6);
        assert_true(fabs((h[3] * from[i][0] + h[4] * from[i][1] + h[5]) / w - to[i][1]) < 1e-6);
    }
}

static void should_refuse_points_that_determine_nothing(void **state)
{
    (void)state;
    const double line[4][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
    const double one[4][2] = {{5, 5}, {5, 5}, {5, 5}, {5, 5}};
    const double none[4][2] = {{NAN, 0}, {1, 0}, {1, 1}, {0, INFINITY}};
    const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    struct camera camera = {640, 480, 500, 500, 320, 240, {0}};
    struct pose poses[2];
    double h[9];
    assert_int_equal(calib_cv_homography(square, square, 3, h), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_homography(line, square, 4, h), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_homography(square, one, 4, h), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_homography(square, none, 4, h), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_plane_poses(&camera, square, none, 4, poses), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_plane_poses(&camera, square, square, 3, poses), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_plane_poses(&camera, line, square, 4, poses), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_plane_poses(&camera, square, one, 4, poses), CALIB_E_GEOMETRY);
}

static void should_refuse_a_broken_contract(void **state)
{
    (void)state;
    const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    struct camera flat = {640, 480, 0, 500, 320, 240, {0}};
    struct pose poses[2];
    double h[9];
    assert_int_equal(calib_cv_homography(NULL, square, 4, h), CALIB_E_ARGUMENT);
    assert_int_equal(calib_cv_homography(square, square, CALIB_CV_POINTS_MAX + 1, h),
                     CALIB_E_ARGUMENT);
    assert_int_equal(calib_cv_plane_poses(&flat, square, square, 4, poses), CALIB_E_ARGUMENT);
}

static void should_find_the_pose_of_a_plane(void **state)
{
    (void)state;
    const double c = cos(0.3), s = sin(0.3);
    const struct pose truth = {{1, 0, 0, 0, c, -s, 0, s, c}, {-40, -30, 500}};
    struct camera camera = {1280, 720, 900, 900, 639.5, 359.5, {-0.1, 0.01, 0, 0, 0}};
    const double xy[5][2] = {{0, 0}, {80, 0}, {80, 60}, {0, 60}, {40, 20}};
    double pixel[5][2];
    struct pose poses[2];
    for (int i = 0; i < 5; i++) {
        double at[3] = {xy[i][0], xy[i][1], 0};
        assert_true(calib_camera_project(&camera, &truth, at, pixel[i]));
    }
    assert_true(calib_cv_plane_poses(&camera, xy, (const double(*)[2])pixel, 5, poses) >= 1);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(poses[0].r[i] - truth.r[i]) < 1e-3);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(poses[0].t_mm[i] - truth.t_mm[i]) < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_the_homography_of_four_points),
        cmocka_unit_test(should_refuse_points_that_determine_nothing),
        cmocka_unit_test(should_refuse_a_broken_contract),
        cmocka_unit_test(should_find_the_pose_of_a_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
