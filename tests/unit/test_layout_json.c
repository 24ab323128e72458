#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vision/layout_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static struct layout layout_of_one_seat(void)
{
    struct layout layout;
    memset(&layout, 0, sizeof layout);
    memcpy(layout.mat, "a1-four", sizeof "a1-four");
    layout.seats = layout.slots = 1;
    struct layout_seat *seat = &layout.seat[0];
    seat->seat = 1;
    seat->state = SEAT_COMPLETE;
    calib_grid_parse("x*/.o", 5, &seat->grid);
    seat->turned_deg10 = -31;
    seat->confidence = 997;
    seat->cells = 2;
    seat->cell[0] = (struct layout_cell){.row = 0,
                                         .col = 0,
                                         .symbol = 'x',
                                         .second = '+',
                                         .confidence = 1000,
                                         .center_px10 = {6121, 1489},
                                         .center_mm10 = {2124, -8}};
    seat->cell[1] = (struct layout_cell){.row = -1,
                                         .col = -1,
                                         .symbol = 'o',
                                         .second = 0,
                                         .confidence = 5,
                                         .center_px10 = {-3, 10},
                                         .center_mm10 = {0, 5}};
    seat->reasons = REASON_BIT(REASON_BLOCK_APART) | REASON_BIT(REASON_GLARE);
    layout.card[0].slot = 3;
    layout.card[0].state = SLOT_FACE_UP;
    layout.card[0].level = 4;
    layout.card[0].turn_deg = 270;
    layout.card[0].confidence = 90;
    memcpy(layout.card[0].id, "L4-01", sizeof "L4-01");
    layout.card[0].grid = seat->grid;
    return layout;
}

static void should_write_the_fixed_format_to_the_byte(void **state)
{
    (void)state;
    struct layout layout = layout_of_one_seat();
    struct json_text json;
    vision_json_init(&json);
    vision_layout_json(&layout, "x.jpg", &json);
    assert_false(json.failed);
    assert_string_equal(
        json.bytes,
        "{\"image\":\"x.jpg\",\"ok\":true,\"warnings\":[],\"mat\":\"a1-four\",\"mirrored\":false,"
        "\"seats\":[{\"seat\":1,\"state\":\"complete\",\"grid\":\"x*/.o\",\"turned_deg\":-3.1,"
        "\"confidence\":0.997,\"cells\":["
        "{\"row\":0,\"col\":0,\"symbol\":\"x\",\"confidence\":1.000,\"second\":\"+\","
        "\"center_px\":[612.1,148.9],\"center_mm\":[212.4,-0.8]},"
        "{\"row\":null,\"col\":null,\"symbol\":\"o\",\"confidence\":0.005,\"second\":null,"
        "\"center_px\":[-0.3,1.0],\"center_mm\":[0.0,0.5]}],"
        "\"reasons\":[\"glare\",\"block_apart\"]}],"
        "\"cards\":[{\"slot\":3,\"state\":\"face_up\",\"id\":\"L4-01\",\"level\":4,"
        "\"grid\":\"x*/.o\",\"turn\":270,\"confidence\":0.090,\"reasons\":[]}]}");
    vision_json_free(&json);
}

static void should_write_null_for_what_is_not_there(void **state)
{
    (void)state;
    struct layout layout = layout_of_one_seat();
    struct json_text json;
    layout.seats = 0;
    memset(&layout.card[0], 0, sizeof layout.card[0]);
    layout.card[0].slot = 1;
    layout.warnings = REASON_BIT(REASON_COARSE_POSE);
    layout.mirrored = true;
    vision_json_init(&json);
    vision_layout_json(&layout, "x.jpg", &json);
    assert_string_equal(json.bytes,
                        "{\"image\":\"x.jpg\",\"ok\":true,\"warnings\":[\"coarse_pose\"],"
                        "\"mat\":\"a1-four\",\"mirrored\":true,\"seats\":[],"
                        "\"cards\":[{\"slot\":1,\"state\":\"empty\",\"id\":null,\"level\":null,"
                        "\"grid\":null,\"turn\":0,\"confidence\":0.000,\"reasons\":[]}]}");
    vision_json_free(&json);
}

static void should_not_read_past_a_layout_with_wrong_counts(void **state)
{
    (void)state;
    struct layout layout = layout_of_one_seat();
    struct json_text json;
    layout.seats = layout.slots = 127;
    layout.seat[0].cells = 127;
    vision_json_init(&json);
    vision_layout_json(&layout, "x", &json);
    json_t *root = json_loads(json.bytes, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "seats")), MAT_SEATS_MAX);
    assert_int_equal(json_array_size(json_object_get(root, "cards")), MAT_SLOTS_MAX);
    json_decref(root);
    vision_json_free(&json);
}

static void should_say_why_a_picture_was_refused(void **state)
{
    (void)state;
    struct json_text json;
    vision_json_init(&json);
    vision_refusal_json("bad.jpg", REASON_MIRRORED, &json);
    assert_string_equal(json.bytes, "{\"image\":\"bad.jpg\",\"ok\":false,\"reason\":\"mirrored\"}");
    vision_json_free(&json);
}

static void text_becomes(const char *text, const char *expected)
{
    struct json_text json;
    vision_json_init(&json);
    vision_json_string(&json, NULL, text);
    assert_string_equal(json.bytes, expected);
    vision_json_free(&json);
}

static void should_write_any_bytes_as_valid_json(void **state)
{
    (void)state;
    text_becomes("a\"b\\c\n\t\x01\x7f", "\"a\\\"b\\\\c\\u000a\\u0009\\u0001\\u007f\"");
    text_becomes("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
                 "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    text_becomes("\xFF", "\"\xEF\xBF\xBD\"");
    text_becomes("a\xC3", "\"a\xEF\xBF\xBD\"");               /* cut off */
    text_becomes("\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""); /* overlong */
    text_becomes("\xE0\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    text_becomes("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""); /* a surrogate */
    text_becomes("\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    text_becomes("\xF0\x8F\xBF\xBF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    text_becomes("", "\"\"");
}

/* Every string of up to three bytes out of a set that holds all kinds of lead and follow bytes. */
static void should_give_text_that_a_strict_parser_takes(void **state)
{
    (void)state;
    static const unsigned char kinds[] = {0x01, 0x41, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2,
                                          0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF};
    const size_t n = sizeof kinds;
    for (size_t i = 0; i < n * n * n; i++) {
        const char text[4] = {(char)kinds[i % n], (char)kinds[i / n % n], (char)kinds[i / n / n],
                              0};
        struct json_text json;
        vision_json_init(&json);
        vision_json_string(&json, NULL, text);
        json_t *parsed = json_loads(json.bytes, JSON_DECODE_ANY, NULL);
        assert_non_null(parsed);
        json_decref(parsed);
        vision_json_free(&json);
    }
}

static void number_becomes(int64_t value, int decimals, const char *expected)
{
    struct json_text json;
    vision_json_init(&json);
    vision_json_fixed(&json, NULL, value, decimals);
    assert_string_equal(json.bytes, expected);
    vision_json_free(&json);
}

static void should_write_numbers_with_exactly_their_decimals(void **state)
{
    (void)state;
    number_becomes(0, 3, "0.000");
    number_becomes(7, 3, "0.007");
    number_becomes(1000, 3, "1.000");
    number_becomes(-1, 1, "-0.1");
    number_becomes(-450, 1, "-45.0");
    number_becomes(42, 0, "42");
    number_becomes(INT64_MIN, 0, "-9223372036854775808");
    number_becomes(INT64_MIN, 6, "-9223372036854.775808");
}

static void should_set_commas_by_itself(void **state)
{
    (void)state;
    struct json_text json;
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_open(&json, "a", '[');
    vision_json_close(&json, ']');
    vision_json_open(&json, "b", '[');
    vision_json_int(&json, NULL, 1);
    vision_json_null(&json, NULL);
    vision_json_open(&json, NULL, '{');
    vision_json_bool(&json, "t", true);
    vision_json_close(&json, '}');
    vision_json_close(&json, ']');
    vision_json_string(&json, "c", NULL);
    vision_json_close(&json, '}');
    assert_string_equal(json.bytes, "{\"a\":[],\"b\":[1,null,{\"t\":true}],\"c\":null}");
    vision_json_free(&json);
}

static void should_give_places_on_the_picture_as_it_was_before_mirroring(void **state)
{
    (void)state;
    struct layout layout = layout_of_one_seat();
    layout.card[0].corner_px10[2][0] = 100;
    vision_layout_mirror_px(&layout, 1920);
    assert_int_equal(layout.seat[0].cell[0].center_px10[0], 19190 - 6121);
    assert_int_equal(layout.seat[0].cell[0].center_px10[1], 1489);
    assert_int_equal(layout.seat[0].cell[0].center_mm10[0], 2124);
    assert_int_equal(layout.card[0].corner_px10[2][0], 19090);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_write_the_fixed_format_to_the_byte),
        cmocka_unit_test(should_write_null_for_what_is_not_there),
        cmocka_unit_test(should_not_read_past_a_layout_with_wrong_counts),
        cmocka_unit_test(should_say_why_a_picture_was_refused),
        cmocka_unit_test(should_write_any_bytes_as_valid_json),
        cmocka_unit_test(should_give_text_that_a_strict_parser_takes),
        cmocka_unit_test(should_write_numbers_with_exactly_their_decimals),
        cmocka_unit_test(should_set_commas_by_itself),
        cmocka_unit_test(should_give_places_on_the_picture_as_it_was_before_mirroring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
