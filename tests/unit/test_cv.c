/* tests/unit/test_cv.c: the wrapper over OpenCV. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/cv.h"

#include <math.h>
#include <string.h>

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

/* A chessboard of 4 x 3 corners, 40 px a square, its first square black, at 20 px. */
static unsigned char chess_at(int x, int y)
{
    int col = (x - 20) / 40, row = (y - 20) / 40;
    return x >= 20 && y >= 20 && col < 5 && row < 4 && (col + row) % 2 == 0 ? 20 : 230;
}

static void should_find_the_corners_of_a_chessboard(void **state)
{
    (void)state;
    static unsigned char bytes[200][240];
    double corner[12][2];
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 240; x++)
            bytes[y][x] = chess_at(x, y);
    const struct cv_grey grey = {&bytes[0][0], 240, 200, 240};
    assert_int_equal(calib_cv_chessboard(&grey, 4, 3, true, corner), CALIB_OK);
    for (int i = 0; i < 12; i++) { /* row by row, from one end or the other */
        int at = corner[0][0] < corner[3][0] ? i : 11 - i;
        assert_true(fabs(corner[i][0] - (59.5 + 40 * (at % 4))) < 0.1);
        assert_true(fabs(corner[i][1] - (59.5 + 40 * (at / 4))) < 0.1);
    }
    assert_int_equal(calib_cv_chessboard(&grey, 6, 5, true, corner), CALIB_E_GEOMETRY);
    memset(bytes, 128, sizeof bytes);
    assert_int_equal(calib_cv_chessboard(&grey, 4, 3, true, corner), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_chessboard(&grey, 4, 3, false, corner), CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_chessboard(&grey, 2, 3, false, corner), CALIB_E_ARGUMENT);
    assert_int_equal(calib_cv_chessboard(NULL, 4, 3, false, corner), CALIB_E_ARGUMENT);
}

static void should_calibrate_nothing_from_nothing(void **state)
{
    (void)state;
    const double square[4][2] = {{0, 0}, {100, 0}, {100, 100}, {0, 100}};
    const double none[4][2] = {{NAN, 0}, {1, 0}, {1, 1}, {0, 1}};
    const struct cv_view good = {square, square, 4}, bad = {square, none, 4}, few = {square, square, 3};
    struct camera camera;
    struct pose pose[1];
    double sigma[CALIB_CV_LENS], each[1], rms;
    assert_int_equal(calib_cv_calibrate(&good, 0, 640, 480, 0, &camera, sigma, pose, each, &rms),
                     CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_calibrate(&bad, 1, 640, 480, 0, &camera, sigma, pose, each, &rms),
                     CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_calibrate(&few, 1, 640, 480, 0, &camera, sigma, pose, each, &rms),
                     CALIB_E_GEOMETRY);
    assert_int_equal(calib_cv_calibrate(&good, 1, 0, 480, 0, &camera, sigma, pose, each, &rms),
                     CALIB_E_ARGUMENT);
    assert_int_equal(calib_cv_calibrate(NULL, 1, 640, 480, 0, &camera, sigma, pose, each, &rms),
                     CALIB_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_the_homography_of_four_points),
        cmocka_unit_test(should_refuse_points_that_determine_nothing),
        cmocka_unit_test(should_refuse_a_broken_contract),
        cmocka_unit_test(should_find_the_pose_of_a_plane),
        cmocka_unit_test(should_find_the_corners_of_a_chessboard),
        cmocka_unit_test(should_calibrate_nothing_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
