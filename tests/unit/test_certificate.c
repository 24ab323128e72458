/* tests/unit/test_certificate.c: what of a table's measures is a fault; the certificate as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/certificate.h"
#include "tests/unit/kit_text.h"

#include <math.h>

/* A table with which nothing is wrong. */
static struct certificate good(void)
{
    struct certificate c = {.made = "2024-05-01T18:30:00Z",
                            .camera = "cam \"1\" at usb-1.2",
                            .mat = "a1-four",
                            .set = "match-madness",
                            .rig_made = "2024-04-01",
                            .has_rig = true,
                            .width = 1920,
                            .height = 1080,
                            .pictures = 8,
                            .placed = 8,
                            .tags_seen = 6,
                            .tags = 6,
                            .rms_px = 0.2,
                            .module_px = 8,
                            .height_mm = 900,
                            .seats = 2,
                            .seat = {{1, true, 0.3, 40}, {2, true, 0.4, 38}},
                            .edge_px = 2.5,
                            .white_least = 150,
                            .white_most = 180,
                            .rate = 30,
                            .size_by = CERTIFICATE_SIZE_BLOCKS,
                            .print_scale = 1.003,
                            .print_sigma = 0.004,
                            .tag_scale = 1.001};
    return c;
}

static uint32_t ruled(struct certificate *c)
{
    calib_certificate_rule(c);
    return c->faults;
}

static void should_find_nothing_wrong_with_a_good_table(void **state)
{
    (void)state;
    struct certificate c = good();
    assert_int_equal(ruled(&c), 0);
    assert_true(c.ready);
}

static void should_find_each_fault_by_itself(void **state)
{
    (void)state;
    struct certificate c[19];
    for (int i = 0; i < 19; i++)
        c[i] = good();
    c[0].placed = 0;
    c[1].seat[1].in_view = false;
    c[2].seat[0].cell_px = 19;
    c[3].edge_px = 7;
    c[4].white_least = 40, c[4].white_most = 50;
    c[5].burnt_share = 0.3;
    c[6].banded_share = 0.6;
    c[7].print_scale = 32.0 / 30.0;
    c[8].tag_scale = 32.0 / 30.0;
    c[9].rate = 6;
    c[10].seat[0].sigma_mm = 7;
    c[11].tags_seen = 5;
    c[12].has_rig = false;
    c[13].glares = 1;
    c[14].white_least = 90, c[14].white_most = 200;
    c[15].size_by = CERTIFICATE_SIZE_NOT;
    c[16].lost = 3;
    c[17].print_scale = 0.96;
    c[18].module_px = 2.5;
    static const enum certificate_fault fault[19] = {
        CERTIFICATE_NO_MAT,     CERTIFICATE_OUT_OF_VIEW, CERTIFICATE_CELLS_SMALL,
        CERTIFICATE_BLURRED,    CERTIFICATE_DARK,        CERTIFICATE_BURNT,
        CERTIFICATE_BANDING,    CERTIFICATE_PRINT_SIZE,  CERTIFICATE_TAG_SIZE,
        CERTIFICATE_RATE_LOW,   CERTIFICATE_COARSE,      CERTIFICATE_TAGS_HIDDEN,
        CERTIFICATE_NO_RIG,     CERTIFICATE_GLARE,       CERTIFICATE_UNEVEN,
        CERTIFICATE_SIZE_UNKNOWN, CERTIFICATE_LOST,      CERTIFICATE_PRINT_SIZE,
        CERTIFICATE_TAGS_SMALL};
    for (int i = 0; i < 19; i++) {
        assert_int_equal(ruled(&c[i]), CERTIFICATE_BIT(fault[i]));
        assert_int_equal(c[i].ready, !calib_certificate_blocks(fault[i]));
    }
}

static void should_be_strict_where_a_number_is_none(void **state)
{
    (void)state;
    struct certificate c = good();
    c.seat[0].cell_px = NAN;
    c.print_scale = NAN;
    assert_int_equal(ruled(&c) & CERTIFICATE_BIT(CERTIFICATE_CELLS_SMALL),
                     CERTIFICATE_BIT(CERTIFICATE_CELLS_SMALL));
    assert_int_equal(c.faults & CERTIFICATE_BIT(CERTIFICATE_PRINT_SIZE),
                     CERTIFICATE_BIT(CERTIFICATE_PRINT_SIZE));
    assert_false(c.ready);
}

static void should_keep_what_the_eyes_found(void **state)
{
    (void)state;
    struct certificate c = good();
    c.placed = 0;
    c.found = CERTIFICATE_BIT(CERTIFICATE_MIRRORED);
    assert_int_equal(ruled(&c), CERTIFICATE_BIT(CERTIFICATE_MIRRORED));
    assert_false(c.ready);
}

static void should_write_what_it_reads(void **state)
{
    (void)state;
    struct certificate c = good(), again;
    struct calib_fault fault;
    char *text = NULL;
    c.edge_px = 9;
    c.tags_seen = 5;
    c.glares = 1;
    ruled(&c);
    assert_int_equal(calib_certificate_write(&c, &text), CALIB_OK);
    assert_non_null(strstr(text, "\"because\":[\"blurred\"]"));
    assert_non_null(strstr(text, "\"by\":\"blocks\""));
    assert_null(strchr(text, '\n'));
    assert_int_equal(calib_certificate_parse(text, strlen(text), "c.json", &again, &fault), 0);
    assert_string_equal(again.made, c.made);
    assert_string_equal(again.camera, c.camera);
    assert_string_equal(again.mat, c.mat);
    assert_int_equal(again.width, 1920);
    assert_int_equal(again.faults, c.faults);
    assert_false(again.ready);
    free(text);
    c.camera[0] = (char)0xff;
    assert_int_equal(calib_certificate_write(&c, &text), CALIB_E_MEMORY);
}

static const char certificate_text[] =
    "{\"format\":\"tableref-certificate/1\",\"made\":\"2024\",\n"
    " \"camera\":null,\"size\":[640,480],\"mat\":\"m\",\"set\":\"s\",\n"
    " \"ready\":true,\n"
    " \"because\":[],\"warnings\":[\"no_rig\",\"word_of_tomorrow\"]}";

static void should_name_line_and_place_of_a_fault(void **state)
{
    static const struct bad_text bad[] = {
        {"certificate/1", "certificate/2", CALIB_E_SYNTAX, 1, "format"},
        {"\"made\":\"2024\"", "\"made\":5", CALIB_E_VALUE, 1, "made: a text"},
        {"\"camera\":null", "\"camera\":7", CALIB_E_VALUE, 2, "camera: a text"},
        {"[640,480]", "[640]", CALIB_E_VALUE, 2, "size"},
        {"\"set\":\"s\",", "", CALIB_E_VALUE, 1, "\"set\" is missing"},
        {"\"ready\":true", "\"ready\":1", CALIB_E_VALUE, 1, "ready"},
        {"[\"no_rig\"", "[7", CALIB_E_VALUE, 4, "warnings[0]: a text"},
        {"\"because\":[]", "\"because\":{}", CALIB_E_VALUE, 4, "because"},
    };
    struct certificate c;

    (void)state;
    assert_int_equal(
        calib_certificate_parse(certificate_text, strlen(certificate_text), "c", &c, NULL), 0);
    assert_int_equal(c.faults, CERTIFICATE_BIT(CERTIFICATE_NO_RIG));
    assert_string_equal(c.camera, "");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = text_change(certificate_text, bad[i].from, bad[i].to);
        struct calib_fault fault = {.line = -1};
        int error = calib_certificate_parse(text, strlen(text), "c", &c, &fault);
        fault_expect(&fault, error, bad[i].error, bad[i].line, bad[i].says);
        free(text);
    }
}

static void should_have_a_word_and_a_sentence_for_each_fault(void **state)
{
    (void)state;
    for (int i = 0; i < CERTIFICATE_FAULTS; i++) {
        assert_true(strlen(calib_certificate_word((enum certificate_fault)i)) >= 4);
        assert_true(strlen(calib_certificate_text((enum certificate_fault)i)) > 15);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(calib_certificate_word((enum certificate_fault)i),
                                    calib_certificate_word((enum certificate_fault)j));
    }
    assert_string_equal(calib_certificate_word(CERTIFICATE_FAULTS), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_nothing_wrong_with_a_good_table),
        cmocka_unit_test(should_find_each_fault_by_itself),
        cmocka_unit_test(should_be_strict_where_a_number_is_none),
        cmocka_unit_test(should_keep_what_the_eyes_found),
        cmocka_unit_test(should_write_what_it_reads),
        cmocka_unit_test(should_name_line_and_place_of_a_fault),
        cmocka_unit_test(should_have_a_word_and_a_sentence_for_each_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
