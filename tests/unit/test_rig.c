#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/rig.h"
#include "tests/unit/kit_text.h"

#include <math.h>

static const char rig_text[] = "{\"format\": \"tableref-rig/1\",\n"
                               " \"size\": [1920, 1080],\n"
                               " \"K\": [[1559.5, 0, 959.5], [0, 1560.5, 539.5], [0, 0, 1]],\n"
                               " \"dist\": [-0.06, 0.003, 0.0005, 0.0006, 0.01],\n"
                               " \"R\": [[0, 1, 0],\n"
                               "       [-1, 0, 0],\n"
                               "       [0, 0, 1]],\n"
                               " \"t_mm\": [-436.5, 286.25, 911],\n"
                               " \"camera\": \"usb-1.2\", \"made\": \"2024-05-01\"\n"
                               "}\n";

static int parse(const char *text, struct rig **rig, struct calib_fault *fault)
{
    return calib_rig_parse(text, strlen(text), "rig.json", NULL, rig, fault);
}

static void should_read_a_rig(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    struct rig *rig;

    (void)state;
    assert_int_equal(calib_rig_parse(rig_text, strlen(rig_text), "rig.json", &sink, &rig, NULL), 0);
    assert_int_equal(warned.count, 0);
    assert_string_equal(rig->name, "rig.json");
    assert_int_equal(rig->camera.width, 1920);
    assert_int_equal(rig->camera.height, 1080);
    assert_true(fabs(rig->camera.fy - 1560.5) < 1e-9 && fabs(rig->camera.cx - 959.5) < 1e-9);
    assert_true(fabs(rig->camera.dist[4] - 0.01) < 1e-12);
    assert_true(rig->has_pose);
    assert_true(fabs(rig->pose.r[1] - 1.0) < 1e-12 && fabs(rig->pose.t_mm[1] - 286.25) < 1e-12);
    assert_string_equal(rig->identity, "usb-1.2");
    assert_string_equal(rig->made, "2024-05-01");
    calib_rig_destroy(&rig);
    assert_null(rig);
    calib_rig_destroy(&rig);
}

static void should_do_without_pose_and_names(void **state)
{
    static const char text[] = "{\"format\":\"tableref-rig/1\",\"size\":[640,480],"
                               "\"K\":[[600,0,320],[0,600,240],[0,0,1]],\"dist\":[0,0,0,0,0]}";
    struct rig *rig;

    (void)state;
    assert_int_equal(parse(text, &rig, NULL), 0);
    assert_false(rig->has_pose);
    assert_string_equal(rig->identity, "");
    calib_rig_destroy(&rig);
}

static void should_read_the_camera_of_a_truth(void **state)
{
    static const char camera[] = "{\"size\":[640,480],\"K\":[[600,0,320],[0,600,240],[0,0,1]],"
                                 "\"dist\":[0.1,0,0,0,0]}";
    char *truth = text_change("{\"format\":\"tableref-truth/1\",\"camera\":X}", "X", camera);
    const char *const texts[] = {camera, truth};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig *rig;
        assert_int_equal(parse(texts[i], &rig, NULL), 0);
        assert_int_equal(rig->camera.width, 640);
        assert_true(fabs(rig->camera.dist[0] - 0.1) < 1e-12);
        calib_rig_destroy(&rig);
    }
    free(truth);
}

static void should_square_a_rotation_that_was_written_short(void **state)
{
    char *text = text_change(rig_text, "[0, 1, 0],\n       [-1, 0, 0]",
                             "[0.7071, 0.7071, 0],\n       [-0.7071, 0.7071, 0]");
    struct rig *rig;

    (void)state;
    assert_int_equal(parse(text, &rig, NULL), 0);
    assert_true(fabs(rig->pose.r[0] - sqrt(0.5)) < 1e-8);
    calib_rig_destroy(&rig);
    free(text);
}

static void should_name_line_and_place_of_a_fault(void **state)
{
    static const struct bad_text bad[] = {
        {"rig/1", "rig/2", CALIB_E_SYNTAX, 1, "format"},
        {"[1920, 1080]", "[1920, 0]", CALIB_E_VALUE, 2, "size[1]: 0 is not in"},
        {"[1920, 1080]", "[1920, 1080.5]", CALIB_E_VALUE, 2, "whole pixels"},
        {"[1920, 1080]", "[1920, 100000]", CALIB_E_VALUE, 2, "size[1]"},
        {"1559.5, 0,", "1559.5, 1,", CALIB_E_VALUE, 3, "K: [[fx,0,cx]"},
        {"1559.5, 0,", "-1559.5, 0,", CALIB_E_VALUE, 3, "must be 1 px or more"},
        {", [0, 0, 1]],\n \"dist\"", "],\n \"dist\"", CALIB_E_VALUE, 3, "K: 2 entries"},
        {"[0, 1560.5, 539.5]", "[0, 1560.5]", CALIB_E_VALUE, 3, "K[1]: a list of 3 numbers"},
        {"[0, 1560.5, 539.5]", "7", CALIB_E_VALUE, 3, "K[1]: a list of 3 numbers"},
        {", 0.01]", "]", CALIB_E_VALUE, 4, "dist: a list of 5"},
        {" \"dist\": [-0.06, 0.003, 0.0005, 0.0006, 0.01],\n", "", CALIB_E_VALUE, 1,
         "\"dist\" is missing"},
        {"[-1, 0, 0]", "[1, 0, 0]", CALIB_E_VALUE, 5, "R: no rotation"},    /* a mirror */
        {"[-1, 0, 0]", "[-0.9, 0, 0]", CALIB_E_VALUE, 5, "R: no rotation"}, /* not square */
        {"[-1, 0, 0]", "[-1, 0, 3]", CALIB_E_VALUE, 6, "R[1][2]: 3 is not in"},
        {" \"t_mm\": [-436.5, 286.25, 911],\n", "", CALIB_E_VALUE, 5, "R: \"t_mm\" is missing"},
        {"\"usb-1.2\"", "5", CALIB_E_VALUE, 9, "camera: a text"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = text_change(rig_text, bad[i].from, bad[i].to);
        struct calib_fault fault = {.line = -1};
        struct rig *rig;
        fault_expect(&fault, parse(text, &rig, &fault), bad[i].error, bad[i].line, bad[i].says);
        assert_null(rig);
        free(text);
    }
}

static void should_say_which_file_cannot_be_read(void **state)
{
    struct calib_fault fault;
    struct rig *rig;

    (void)state;
    int error = calib_rig_load("no-such-rig", NULL, &rig, &fault);
    fault_expect(&fault, error, CALIB_E_OPEN, 0, "No such file");
    assert_string_equal(fault.file, "no-such-rig");
}

static void should_write_what_it_reads(void **state)
{
    struct rig *rig, *again;
    char *text = NULL;

    (void)state;
    assert_int_equal(parse(rig_text, &rig, NULL), 0);
    snprintf(rig->identity, sizeof rig->identity, "a \"camera\" at usb-1.2");
    assert_int_equal(calib_rig_write(rig, &text), 0);
    assert_int_equal(parse(text, &again, NULL), 0);
    assert_memory_equal(&again->camera, &rig->camera, sizeof rig->camera);
    assert_true(again->has_pose);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(again->pose.r[i] - rig->pose.r[i]) < 1e-8);
    assert_string_equal(again->identity, rig->identity);
    assert_string_equal(again->made, "2024-05-01");
    free(text);
    snprintf(rig->identity, sizeof rig->identity, "\xff");
    assert_int_equal(calib_rig_write(rig, &text), CALIB_E_MEMORY);
    assert_null(text);
    calib_rig_destroy(&rig);
    calib_rig_destroy(&again);
}

static struct rig_colours colours_sample(void)
{
    struct rig_colours colours = {.known = true,
                                  .set = "s",
                                  .made = "2024-05-01",
                                  .from = "blocks",
                                  .white = {0.4, 0.35, 0.3},
                                  .symbols = 3,
                                  .symbol = {{'x', {0.2, 0.05, 0.1}},
                                             {'o', {0.6, 0.06, 0.08}},
                                             {'+', {0.05, 0.15, 0.45}}}};
    return colours;
}

static void should_keep_colours(void **state)
{
    struct rig *rig, *again;
    struct calib_fault fault = {.line = -1};
    char *text = NULL, *bad;

    (void)state;
    assert_int_equal(parse(rig_text, &rig, NULL), 0);
    rig->colours = colours_sample();
    assert_int_equal(calib_rig_write(rig, &text), 0);
    assert_int_equal(parse(text, &again, NULL), 0);
    assert_true(again->colours.known);
    assert_int_equal(again->colours.symbols, 3);
    assert_int_equal(again->colours.symbol[1].label, 'o');
    assert_true(fabs(again->colours.symbol[2].ratio[2] - 0.45) < 1e-9);
    assert_true(fabs(again->colours.white[1] - 0.35) < 1e-9);
    assert_string_equal(again->colours.from, "blocks");
    calib_rig_destroy(&again);
    bad = text_change(text, "\"symbol\":\"o\"", "\"symbol\":\"oo\"");
    fault_expect(&fault, parse(bad, &again, &fault), CALIB_E_SIZE, 1, "colours.symbols[1].symbol");
    free(bad);
    bad = text_change(text, "\"from\":\"blocks\"", "\"from\":\"a place that is far too long\"");
    fault_expect(&fault, parse(bad, &again, &fault), CALIB_E_SIZE, 1, "colours.from");
    free(bad);
    free(text);
    calib_rig_destroy(&rig);
}

static void should_tell_colours_and_lights_apart(void **state)
{
    struct rig_colours colours = colours_sample(), none = {.known = false};
    const double same[3] = {0.4, 0.35, 0.3}, brighter[3] = {0.6, 0.52, 0.45};
    const double far_brighter[3] = {0.9, 0.8, 0.68}, bulb[3] = {0.55, 0.35, 0.2};
    const double black[3] = {0, 0, 0};
    char pair[2];

    (void)state;
    assert_true(calib_rig_colours_apart(&colours, pair) > RIG_COLOURS_APART);
    assert_memory_equal(pair, "xo", 2);
    colours.symbol[2] = colours.symbol[0];
    assert_true(calib_rig_colours_apart(&colours, NULL) < RIG_COLOURS_APART);
    assert_true(calib_rig_colours_apart(&none, pair) == 1.0);
    assert_false(calib_rig_light_differs(&colours, same));
    assert_false(calib_rig_light_differs(&colours, brighter)); /* another exposure */
    assert_true(calib_rig_light_differs(&colours, far_brighter));
    assert_true(calib_rig_light_differs(&colours, bulb));
    assert_true(calib_rig_light_differs(&colours, black));
    assert_false(calib_rig_light_differs(&none, bulb));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_a_rig),
        cmocka_unit_test(should_do_without_pose_and_names),
        cmocka_unit_test(should_read_the_camera_of_a_truth),
        cmocka_unit_test(should_square_a_rotation_that_was_written_short),
        cmocka_unit_test(should_name_line_and_place_of_a_fault),
        cmocka_unit_test(should_write_what_it_reads),
        cmocka_unit_test(should_keep_colours),
        cmocka_unit_test(should_tell_colours_and_lights_apart),
        cmocka_unit_test(should_say_which_file_cannot_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
