#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/ramp.h"
#include "tests/unit/kit_text.h"

#include <math.h>

static int parse(const char *text, struct ramp **ramp, struct calib_fault *fault)
{
    return calib_ramp_parse(text, strlen(text), "ramp.json", NULL, ramp, fault);
}

static void should_read_the_ramp_that_is_built_in(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    struct ramp *ramp;

    (void)state;
    assert_int_equal(calib_ramp_load("make5", &sink, &ramp, NULL), 0);
    assert_int_equal(warned.count, 0);
    assert_string_equal(ramp->name, "make5");
    assert_int_equal(ramp->tracks, 5);
    assert_int_equal(ramp->rows, 5);
    assert_true(fabs(ramp->board_mm[1] - 340.0) < 1e-9 && fabs(ramp->tilt_deg - 15.0) < 1e-9);
    assert_true(fabs(ramp->track_x_mm[4] - 216.0) < 1e-9);
    assert_true(fabs(ramp->row_y_mm[0] - 286.0) < 1e-9);
    assert_true(fabs(ramp->disc_diameter_mm - 32.0) < 1e-9);
    assert_int_equal(ramp->seen, RAMP_SEEN_FACE);
    assert_int_equal(ramp->colours, 5);
    assert_int_equal(ramp->colour[1].label, 'y');
    assert_string_equal(ramp->colour[1].name, "yellow");
    assert_int_equal(ramp->colour[1].rgb.g, 0xc1);
    assert_int_equal(ramp->tags, 4);
    assert_int_equal(ramp->tag[3].id, 23);
    calib_ramp_destroy(&ramp);
    assert_null(ramp);
    calib_ramp_destroy(&ramp);
}

static void should_read_discs_seen_as_rims(void **state)
{
    char *good = kit_text("ramps/make5.json");
    char *text = text_change(good, "\"face\"", "\"rim\"");
    struct ramp *ramp;

    (void)state;
    assert_int_equal(parse(text, &ramp, NULL), 0);
    assert_int_equal(ramp->seen, RAMP_SEEN_RIM);
    calib_ramp_destroy(&ramp);
    free(text);
    free(good);
}

static void should_name_line_and_place_of_a_fault(void **state)
{
    static const struct bad_text bad[] = {
        {"\"tracks\": 5", "\"tracks\": 6", CALIB_E_VALUE, 8, "track_x_mm: a list of 6 numbers"},
        {"\"tracks\": 5", "\"tracks\": 13", CALIB_E_VALUE, 6, "tracks: 13 is not in 1 to 12"},
        {"\"rows\": 5", "\"rows\": 0", CALIB_E_VALUE, 7, "rows: 0 is not in"},
        {"\"tilt_deg\": 15", "\"tilt_deg\": 90", CALIB_E_VALUE, 5, "tilt_deg"},
        {"[280, 340]", "[280, -340]", CALIB_E_VALUE, 4, "board_mm[1]"},
        {"64, 102", "102, 64", CALIB_E_VALUE, 8,
         "track_x_mm[1]: 64 after 102: the places must rise"},
        {"286, 250", "250, 286", CALIB_E_VALUE, 9,
         "row_y_mm[1]: 286 after 250: the places must fall"},
        {"216]", "281]", CALIB_E_VALUE, 8, "track_x_mm[4]: 281 is not in 0 to 280"},
        {"\"face\"", "\"side\"", CALIB_E_VALUE, 13, "disc.seen: \"face\" or \"rim\""},
        {"\"thickness_mm\": 10", "\"thickness_mm\": 0", CALIB_E_VALUE, 12, "disc.thickness_mm"},
        {"#F2C100", "F2C100", CALIB_E_VALUE, 17, "colours.y.rgb"},
        {"\"y\": {", "\"yy\": {", CALIB_E_VALUE, 17, "colours.yy: a label"},
        {"\"id\": 21", "\"id\": 20", CALIB_E_VALUE, 24, "tags[1]: a second tag of id 20"},
        {"[256, 316]", "[256, 336]", CALIB_E_VALUE, 25, "tags[2]: tag 22 does not lie whole"},
        {"ramp/1", "mat/1", CALIB_E_SYNTAX, 2, "format"},
    };
    char *good = kit_text("ramps/make5.json");

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = text_change(good, bad[i].from, bad[i].to);
        struct calib_fault fault = {.line = -1};
        struct ramp *ramp;
        fault_expect(&fault, parse(text, &ramp, &fault), bad[i].error, bad[i].line, bad[i].says);
        assert_null(ramp);
        free(text);
    }
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_the_ramp_that_is_built_in),
        cmocka_unit_test(should_read_discs_seen_as_rims),
        cmocka_unit_test(should_name_line_and_place_of_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
