#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void shape_of(struct shape *shape, const char *path, bool even_odd)
{
    const char *why = NULL;
    int error = calib_shape_parse(path, strlen(path), even_odd, shape, &why);

    if (error) {
        fail_msg("%s: %s", path, why);
    }
}

/* Area from the spans of many lines. */
static double area_of(const struct shape *shape)
{
    static float span[SHAPE_POINTS_MAX];
    const int lines = 4000;
    double area = 0.0;

    for (int i = 0; i < lines; i++) {
        int spans = calib_shape_spans(shape, (i + 0.5) / lines - 0.5, span);
        for (int j = 0; j < spans; j++) {
            area += (double)(span[2 * j + 1] - span[2 * j]) / lines;
        }
    }
    return area;
}

static void area_is(const char *path, bool even_odd, double area)
{
    struct shape shape;

    shape_of(&shape, path, even_odd);
    assert_true(fabs(area_of(&shape) - area) <
                1e-3); /* flattening takes up to 0.0006 of a circle */
}

static void should_read_every_command(void **state)
{
    (void)state;
    area_is("M-.2-.2h.4v.4h-.4z", false, 0.16);
    area_is("M-0.2,-0.2 H0.2 V0.2 H-0.2 Z", false, 0.16);
    area_is("m -0.2 -0.2 0.4 0 0 0.4 -0.4 0 z", false, 0.16);
    area_is("M-0.2-0.2L0.2-0.2 0.2 0.2l-0.4 0", false, 0.16);
    area_is("M -2e-1 -2E-1 l 4e-1 0 0 +.4 -.4 0", false, 0.16);
    area_is("M-0.2 0a0.2 0.2 0 1 1 0.4 0a.2.2 0 1 1-.4 0", false, M_PI * 0.04);
    area_is("M-0.2 0a.2.2 0 11.4 0a.2.2 0 11-.4 0", false, M_PI * 0.04); /* flags stand close */
    area_is("M-.3 0A.3 .1 0 0 0 .3 0A.3 .1 0 0 0 -.3 0Z", false, M_PI * 0.03);
    area_is("M0-.3A.3 .1 90 0 0 0 .3A.3 .1 90 0 0 0-.3Z", false, M_PI * 0.03);
    area_is("M-.2 0A.1 .1 0 0 1 .2 0Z", false, M_PI * 0.02); /* too small a radius grows */
    area_is("M-.2 0A0 .1 0 0 1 .2 0L0 .2Z", false, 0.04);    /* none at all: a line */
    area_is("M-.3 .2Q0-.4 .3 .2Z", false, 0.12);             /* 2/3 of 0.6 x 0.3 */
    area_is("M-.3 .2q.3-.6 .6 0z", false, 0.12);
    area_is("M-.3 .2C-.3-.2 .3-.2 .3 .2Z", false, 0.6 * 0.4 * 0.6 + 0.0);
    area_is("M-.3 .2c0-.4 .6-.4 .6 0z", false, 0.144);
    area_is("M-.4-.4h.2v.2h-.2zm.4.4h.2v.2h-.2z", false,
            0.08);                                       /* m after z counts from the start */
    area_is("M-.4-.4h.2v.2zl-.0 .2 .2 0z", false, 0.04); /* a contour may begin where one closed */
}

static void should_follow_both_fill_rules(void **state)
{
    static const char nested[] = "M-.4-.4h.8v.8h-.8zM-.2-.2h.4v.4h-.4z";
    static const char hole[] = "M-.4-.4h.8v.8h-.8zM-.2-.2v.4h.4v-.4z";

    (void)state;
    area_is(nested, false, 0.64);
    area_is(nested, true, 0.48);
    area_is(hole, false, 0.48);
    area_is(hole, true, 0.48);
}

static void bad_is(const char *path, int error, const char *says)
{
    struct shape shape;
    const char *why = NULL;

    assert_int_equal(calib_shape_parse(path, strlen(path), false, &shape, &why), error);
    assert_non_null(why);
    assert_non_null(strstr(why, says));
    assert_int_equal(shape.contours, 0);
}

static void should_refuse_bad_paths(void **state)
{
    (void)state;
    bad_is("", CALIB_E_VALUE, "begins with M");
    bad_is("L0 0", CALIB_E_VALUE, "begins with M");
    bad_is("M", CALIB_E_VALUE, "number");
    bad_is("M0", CALIB_E_VALUE, "number");
    bad_is("M0 0", CALIB_E_VALUE, "nothing");
    bad_is("M0 0L.1 .1Z", CALIB_E_VALUE, "nothing");
    bad_is("M0 0L.1", CALIB_E_VALUE, "number");
    bad_is("M0 0S.1 .1 .2 .2", CALIB_E_VALUE, "unknown command");
    bad_is("M0 0L.1 0,,.1 .1", CALIB_E_VALUE, "unknown command");
    bad_is("M0 0A.1 .1 0 2 0 .1 .1", CALIB_E_VALUE, "flag");
    bad_is("M0 0L.6 0 .6 .3Z", CALIB_E_VALUE, "leaves");
    bad_is("M0 0L1e400 0Z", CALIB_E_VALUE, "large");
    bad_is("M0 0LNaN 0Z", CALIB_E_VALUE, "number");
    bad_is("M0 0L.1 0 .1 .1Z\x01", CALIB_E_VALUE, "unknown command");
}

static void should_bound_points_and_contours(void **state)
{
    enum { MANY = 2100 };
    static char path[MANY * 16];
    size_t at;

    (void)state;
    at = (size_t)snprintf(path, sizeof path, "M0 0");
    for (int i = 0; i < MANY; i++) {
        at += (size_t)snprintf(path + at, sizeof path - at, i & 1 ? "L.1 .1" : "L.1 0 ");
    }
    bad_is(path, CALIB_E_SIZE, "points");
    at = 0;
    for (int i = 0; i < SHAPE_CONTOURS_MAX + 1; i++) {
        at += (size_t)snprintf(path + at, sizeof path - at, "M0 0h.1v.1z");
    }
    bad_is(path, CALIB_E_SIZE, "contours");
}

static void should_cover_the_same_points_as_its_spans(void **state)
{
    static float span[SHAPE_POINTS_MAX];
    struct shape shape;

    (void)state;
    shape_of(&shape, "M-.3-.4L.4-.1L-.1 .4zM-.4 0a.3.3 0 1 1 .6 0a.3.3 0 1 1-.6 0z", true);
    for (int row = -50; row <= 50; row++) {
        int spans = calib_shape_spans(&shape, row / 100.0, span);
        for (int col = -50; col <= 50; col++) {
            bool inside = false;
            for (int i = 0; i < spans; i++) {
                inside = inside || (col / 100.0 >= (double)span[2 * i] &&
                                    col / 100.0 < (double)span[2 * i + 1]);
            }
            assert_int_equal(calib_shape_covers(&shape, col / 100.0, row / 100.0), inside);
        }
    }
}

static void should_count_a_shared_edge_once(void **state)
{
    struct shape left, right;

    (void)state;
    shape_of(&left, "M-.25-.25h.25v.5h-.25z", false);
    shape_of(&right, "M0-.25h.25v.5h-.25z", false);
    for (int i = -8; i <= 8; i++) {
        for (int j = -4; j < 4; j++) {
            int times = calib_shape_covers(&left, i / 16.0, j / 16.0) +
                        calib_shape_covers(&right, i / 16.0, j / 16.0);
            assert_int_equal(times, i >= -4 && i < 4);
        }
    }
}

static void should_know_the_turns_that_change_nothing(void **state)
{
    static const struct {
        const char *path;
        int turn_deg;
    } cases[] = {
        {"M-.3-.3h.6v.6h-.6z", 90},
        {"M-.4 0a.4.4 0 1 1 .8 0a.4.4 0 1 1-.8 0z", 90},
        {"M-.36-.3h.72v.12h-.72zM-.36 .18h.72v.12h-.72z", 180},
        {"M-.36-.36h.36v.36h-.36zM0 0h.36v.36h-.36z", 180},
        {"M0-.36L.38 .3h-.76z", 360},
        {"M-.3-.3h.6v.45l-.15 .15h-.45z", 360}, /* a square with one corner cut */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shape shape;
        shape_of(&shape, cases[i].path, false);
        assert_int_equal(calib_shape_symmetry(&shape), cases[i].turn_deg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_every_command),
        cmocka_unit_test(should_follow_both_fill_rules),
        cmocka_unit_test(should_refuse_bad_paths),
        cmocka_unit_test(should_bound_points_and_contours),
        cmocka_unit_test(should_cover_the_same_points_as_its_spans),
        cmocka_unit_test(should_count_a_shared_edge_once),
        cmocka_unit_test(should_know_the_turns_that_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
