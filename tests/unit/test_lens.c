/* tests/unit/test_lens.c: a lens from points whose camera is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/lens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLS 8
#define ROWS 6
#define POINTS (COLS * ROWS)
#define SQUARE_MM 25.0

static const struct camera truth = {1280, 720, 1050, 1051, 648, 352, {-0.15, 0.04, 0.0005, 0, 0}};

/* Uniform noise of unit variance that is the same everywhere. */
static double noise(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return ((double)(*state >> 8) / (1 << 24) - 0.5) * 3.4641;
}

/* A board tilted by tilt_deg about an axis at azimuth, its middle in the direction (x, y). */
static struct pose board_pose(double tilt_deg, double azimuth, double x, double y, double distance)
{
    double t = tilt_deg * M_PI / 180, c = cos(azimuth), s = sin(azimuth), k = 1 - cos(t);
    struct pose pose = {.r = {cos(t) + c * c * k, c * s * k, s * sin(t), c * s * k,
                              cos(t) + s * s * k, -c * sin(t), -s * sin(t), c * sin(t), cos(t)}};
    const double at[3] = {x * distance, y * distance, distance};
    const double middle[2] = {(COLS - 1) * SQUARE_MM / 2, (ROWS - 1) * SQUARE_MM / 2};
    for (int i = 0; i < 3; i++)
        pose.t_mm[i] = at[i] - pose.r[3 * i] * middle[0] - pose.r[3 * i + 1] * middle[1];
    return pose;
}

static void board_see(const struct pose *pose, double noise_px, unsigned *state, double mm[][2],
                      double px[][2])
{
    for (int i = 0; i < POINTS; i++) {
        mm[i][0] = i % COLS * SQUARE_MM;
        mm[i][1] = i / COLS * SQUARE_MM;
        double point[3] = {mm[i][0], mm[i][1], 0};
        assert_true(calib_camera_project(&truth, pose, point, px[i]));
        px[i][0] += noise_px * noise(state);
        px[i][1] += noise_px * noise(state);
    }
}

/* Views all over the picture. */
static struct lens *lens_of(int views, double tilt_deg, double noise_px)
{
    struct lens *lens = calib_lens_create(truth.width, truth.height);
    double mm[POINTS][2], px[POINTS][2];
    unsigned state = 7;
    char name[32];
    assert_non_null(lens);
    for (int i = 0; i < views; i++) {
        double round = 2 * M_PI * i / views, out = i % 3 == 0 ? 0.4 : 1;
        struct pose pose = board_pose(tilt_deg, 3 * round, 0.42 * out * cos(round),
                                      0.2 * out * sin(round), 420 + 40 * (i % 4));
        board_see(&pose, noise_px, &state, mm, px);
        snprintf(name, sizeof name, "view %d", i);
        assert_int_equal(calib_lens_add(lens, name, (const double(*)[2])mm,
                                        (const double(*)[2])px, POINTS),
                         i);
    }
    return lens;
}

static bool warns(const struct lens_result *result, enum lens_warning warning)
{
    return (result->warnings & LENS_WARNING_BIT(warning)) != 0;
}

static struct lens_result *result_new(void)
{
    struct lens_result *result = calloc(1, sizeof *result);
    assert_non_null(result);
    return result;
}

static void should_find_the_lens_and_how_well_it_is_known(void **state)
{
    (void)state;
    struct lens *lens = lens_of(14, 28, 0.15);
    struct lens_result *r = result_new();
    assert_int_equal(calib_lens_solve(lens, r), CALIB_OK);
    assert_int_equal(r->used, 14);
    assert_true(fabs(r->camera.fx / truth.fx - 1) < 0.003);
    assert_true(fabs(r->camera.fx - truth.fx) < 4 * r->sigma[0]);
    assert_true(fabs(r->camera.cx - truth.cx) < 4 * r->sigma[2]);
    assert_true(fabs(r->camera.dist[0] - truth.dist[0]) < 4 * r->sigma[4]);
    assert_true(r->rms_px > 0.1 && r->rms_px < 0.3);
    assert_true(r->focal_sigma > 0 && r->focal_sigma < 0.003);
    assert_true(fabs(r->tilt_most_deg - 28) < 1 && fabs(r->tilt_least_deg - 28) < 1);
    assert_false(warns(r, LENS_FEW_PICTURES));
    assert_false(warns(r, LENS_ALL_FRONTAL));
    assert_false(warns(r, LENS_PICTURE_DROPPED));
    assert_false(warns(r, LENS_FOCAL_OPEN));
    assert_false(warns(r, LENS_RESIDUAL_LARGE));
    free(r);
    calib_lens_destroy(&lens);
}

static void should_leave_out_a_picture_that_fits_far_worse(void **state)
{
    (void)state;
    struct lens *lens = lens_of(12, 28, 0.1);
    struct lens_result *r = result_new();
    double mm[POINTS][2], px[POINTS][2];
    unsigned noisy = 3;
    struct pose pose = board_pose(25, 1, 0.1, 0, 450);
    board_see(&pose, 4, &noisy, mm, px);
    assert_int_equal(calib_lens_add(lens, "bent", (const double(*)[2])mm, (const double(*)[2])px,
                                    POINTS),
                     12);
    assert_int_equal(calib_lens_solve(lens, r), CALIB_OK);
    assert_int_equal(r->used, 12);
    assert_false(r->view[12].used);
    assert_string_equal(r->view[12].name, "bent");
    assert_true(r->view[12].rms_px > 2);
    assert_true(warns(r, LENS_PICTURE_DROPPED));
    assert_true(fabs(r->camera.fx / truth.fx - 1) < 0.003);
    free(r);
    calib_lens_destroy(&lens);
}

static void should_not_trust_pictures_from_straight_ahead(void **state)
{
    (void)state;
    struct lens *lens = lens_of(12, 3, 0.15);
    struct lens_result *r = result_new();
    assert_int_equal(calib_lens_solve(lens, r), CALIB_OK);
    assert_true(warns(r, LENS_ALL_FRONTAL));
    assert_true(warns(r, LENS_FOCAL_OPEN));
    assert_true(isinf(r->focal_sigma) != 0);
    free(r);
    calib_lens_destroy(&lens);
}

static void should_say_where_the_picture_was_empty(void **state)
{
    (void)state;
    struct lens *lens = calib_lens_create(truth.width, truth.height);
    struct lens_result *r = result_new();
    double mm[POINTS][2], px[POINTS][2];
    unsigned quiet = 1;
    for (int i = 0; i < 5; i++) {
        struct pose pose = board_pose(25, i, -0.3, 0.02 * i, 700);
        board_see(&pose, 0.1, &quiet, mm, px);
        assert_int_equal(calib_lens_add(lens, "left", (const double(*)[2])mm,
                                        (const double(*)[2])px, POINTS),
                         i);
    }
    assert_int_equal(calib_lens_solve(lens, r), CALIB_OK);
    assert_true(warns(r, LENS_CORNERS_EMPTY));
    assert_true(warns(r, LENS_AREA_EMPTY));
    assert_true(warns(r, LENS_FEW_PICTURES));
    assert_true(r->covered > 0.05 && r->covered < 0.4);
    int right = 0;
    for (int row = 0; row < LENS_FIELD_ROWS; row++)
        right += r->field[row][LENS_FIELD_COLS - 1];
    assert_int_equal(right, 0);
    free(r);
    calib_lens_destroy(&lens);
}

static void should_tell_a_new_place_from_a_board_held_still(void **state)
{
    (void)state;
    struct lens *lens = calib_lens_create(truth.width, truth.height);
    double mm[POINTS][2], px[POINTS][2];
    unsigned quiet = 1;
    struct pose pose = board_pose(20, 0, 0, 0, 500);
    board_see(&pose, 0, &quiet, mm, px);
    assert_true(calib_lens_new(lens, (const double(*)[2])px, POINTS));
    assert_int_equal(
        calib_lens_add(lens, "a", (const double(*)[2])mm, (const double(*)[2])px, POINTS), 0);
    board_see(&pose, 0.3, &quiet, mm, px);
    assert_false(calib_lens_new(lens, (const double(*)[2])px, POINTS));
    struct pose tilted = board_pose(40, 1.5, 0, 0, 500);
    board_see(&tilted, 0, &quiet, mm, px);
    assert_true(calib_lens_new(lens, (const double(*)[2])px, POINTS));
    struct pose moved = board_pose(20, 0, 0.3, 0, 500);
    board_see(&moved, 0, &quiet, mm, px);
    assert_true(calib_lens_new(lens, (const double(*)[2])px, POINTS));
    calib_lens_destroy(&lens);
}

static void should_refuse_what_determines_nothing(void **state)
{
    (void)state;
    struct lens *lens = lens_of(2, 25, 0.1);
    struct lens_result *r = result_new();
    const double line[5][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}};
    assert_int_equal(calib_lens_solve(lens, r), CALIB_E_GEOMETRY);
    assert_int_equal(calib_lens_add(lens, "line", line, line, 5), CALIB_E_GEOMETRY);
    assert_int_equal(calib_lens_add(lens, "three", line, line, 3), CALIB_E_GEOMETRY);
    assert_int_equal(calib_lens_views(lens), 2);
    assert_null(calib_lens_create(0, 10));
    calib_lens_destroy(&lens);
    assert_null(lens);
    calib_lens_destroy(&lens);
    free(r);
}

static void should_have_a_word_and_a_sentence_for_each_warning(void **state)
{
    (void)state;
    for (int i = 0; i < LENS_WARNINGS; i++) {
        assert_true(strlen(calib_lens_warning_word((enum lens_warning)i)) > 4);
        assert_true(strlen(calib_lens_warning_text((enum lens_warning)i)) > 20);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(calib_lens_warning_word((enum lens_warning)i),
                                    calib_lens_warning_word((enum lens_warning)j));
    }
    assert_string_equal(calib_lens_warning_word(LENS_WARNINGS), "unknown");
    assert_string_equal(calib_lens_model_word(LENS_PLAIN), "plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_the_lens_and_how_well_it_is_known),
        cmocka_unit_test(should_leave_out_a_picture_that_fits_far_worse),
        cmocka_unit_test(should_not_trust_pictures_from_straight_ahead),
        cmocka_unit_test(should_say_where_the_picture_was_empty),
        cmocka_unit_test(should_tell_a_new_place_from_a_board_held_still),
        cmocka_unit_test(should_refuse_what_determines_nothing),
        cmocka_unit_test(should_have_a_word_and_a_sentence_for_each_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
