#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/mat.h"
#include "tests/unit/kit_text.h"

#include <math.h>

static int parse(const char *text, struct mat **mat, struct calib_fault *fault)
{
    return calib_mat_parse(text, strlen(text), "my-mat.json", NULL, mat, fault);
}

static void should_read_a_mat(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    struct mat *mat;

    (void)state;
    assert_int_equal(calib_mat_load("a1-four", &sink, &mat, NULL), 0);
    assert_int_equal(warned.count, 0);
    assert_string_equal(mat->name, "a1-four");
    assert_int_equal(mat->tags, 6);
    assert_int_equal(mat->tag[5].id, 5);
    assert_true(fabs(mat->tag[5].center_mm[1] - 297.0) < 1e-9);
    assert_int_equal(mat->seats, 4);
    assert_int_equal(mat->seat[2].seat, 3);
    assert_true(fabs(mat->seat[2].up[1] + 1.0) < 1e-9);
    assert_int_equal(mat->slots, 5);
    assert_int_equal(mat->quick_play_slot, 3);
    calib_mat_destroy(&mat);
    assert_null(mat);
    calib_mat_destroy(&mat);
}

static void should_take_any_direction_as_up(void **state)
{
    char *text = kit_text("mats/a2-two.json");
    char *turned = text_change(text, "\"up\": [0, 1]", "\"up\": [-30, 40.0]");
    struct mat *mat;

    (void)state;
    assert_int_equal(parse(turned, &mat, NULL), 0);
    assert_true(fabs(mat->seat[0].up[0] + 0.6) < 1e-12 && fabs(mat->seat[0].up[1] - 0.8) < 1e-12);
    calib_mat_destroy(&mat);
    free(turned);
    free(text);
}

static void should_take_another_quick_play_slot(void **state)
{
    char *text = kit_text("mats/a2-two.json");
    char *other = text_change(text, "\"seats\"", "\"quick_play_slot\": 5, \"seats\"");
    char *none = text_change(text, "\"seats\"", "\"quick_play_slot\": 6, \"seats\"");
    struct calib_fault fault;
    struct mat *mat;

    (void)state;
    assert_int_equal(parse(other, &mat, NULL), 0);
    assert_int_equal(mat->quick_play_slot, 5);
    calib_mat_destroy(&mat);
    fault_expect(&fault, parse(none, &mat, &fault), CALIB_E_VALUE, 13, "6 is no slot");
    free(none);
    free(other);
    free(text);
}

static void should_do_without_card_slots(void **state)
{
    static const char text[] =
        "{\"format\":\"tableref-mat/1\",\"name\":\"m\",\"size_mm\":[300,200],"
        "\"tags\":[{\"id\":586,\"family\":\"tag36h11\",\"center_mm\":[20,20],\"size_mm\":40}],"
        "\"seats\":[{\"seat\":7,\"rect_mm\":[-10,50,100,50],\"up\":[1,0]}]}";
    struct mat *mat;

    (void)state;
    assert_int_equal(parse(text, &mat, NULL), 0);
    assert_int_equal(mat->slots, 0);
    assert_int_equal(mat->seat[0].seat, 7);
    assert_true(fabs(mat->tag[0].turn_deg) < 1e-9);
    calib_mat_destroy(&mat);
}

static void should_name_line_and_place_of_a_fault(void **state)
{
    static const struct bad_text bad[] = {
        {"[594, 420]", "[594]", CALIB_E_VALUE, 4, "size_mm: a list of 2 numbers"},
        {"[594, 420]", "[594, 0]", CALIB_E_VALUE, 4, "size_mm[1]: 0 is not in"},
        {"[594, 420]", "[594, 5001]", CALIB_E_VALUE, 4, "size_mm[1]"},
        {"[594, 420]", "[594, \"a\"]", CALIB_E_VALUE, 4, "size_mm[1]: a number is wanted"},
        {"\"id\": 11", "\"id\": 587", CALIB_E_VALUE, 7, "tags[1].id: 587 is not in 0 to 586"},
        {"\"id\": 11", "\"id\": -1", CALIB_E_VALUE, 7, "tags[1].id"},
        {"\"id\": 11", "\"id\": 99999999999999999999", CALIB_E_SYNTAX, 7, "not JSON"},
        {"\"id\": 11", "\"id\": 10", CALIB_E_VALUE, 7, "tags[1]: a second tag of id 10"},
        {"[564, 30]", "[580, 30]", CALIB_E_VALUE, 7, "tags[1]: tag 11 does not lie whole"},
        {"[564, 30]", "[564, 17]", CALIB_E_VALUE, 7, "does not lie whole"},
        {"36h11\", \"center_mm\": [564", "25h9\", \"center_mm\": [564", CALIB_E_VALUE, 7,
         "only tag36h11"},
        {"\"size_mm\": 36", "\"size_mm\": 0", CALIB_E_VALUE, 6, "tags[0].size_mm: 0 mm is no size"},
        {"\"turn_deg\": 180", "\"turn_deg\": 361", CALIB_E_VALUE, 6, "tags[0].turn_deg"},
        {"\"seat\": 2", "\"seat\": 1", CALIB_E_VALUE, 15, "seats[1]: a second seat of number 1"},
        {"\"seat\": 2", "\"seat\": 0", CALIB_E_VALUE, 15, "seats[1].seat"},
        {"[60, 256, 474, 150]", "[60, 256, 474, 0]", CALIB_E_VALUE, 15, "seats[1].rect_mm: x, y"},
        {"[60, 256, 474, 150]", "[60, 256, 474, -5]", CALIB_E_VALUE, 15, "must be 5 mm or more"},
        {"[60, 256, 474, 150]", "[60, 256, 2001, 150]", CALIB_E_VALUE, 15, "2000 mm or less"},
        {"[256.0, 169, 82, 82]", "[256, 169, 82, 501]", CALIB_E_VALUE, 20, "500 mm or less"},
        {"[60, 256, 474, 150]", "[60, 100, 474, 150]", CALIB_E_VALUE, 15, "overlaps seat 1"},
        {"[256.0, 169, 82, 82]", "[241.0, 169, 82, 82]", CALIB_E_VALUE, 20, "overlaps slot 2"},
        {"[60, 256, 474, 150]", "[60, 256, 474]", CALIB_E_VALUE, 15, "seats[1].rect_mm: a list"},
        {"\"up\": [0, -1]", "\"up\": [0, 0]", CALIB_E_VALUE, 15, "seats[1].up: [0, 0] is no"},
        {", \"up\": [0, -1]", "", CALIB_E_VALUE, 15, "seats[1]: \"up\" is missing"},
        {"\"slot\": 4", "\"slot\": 1", CALIB_E_VALUE, 21, "card_slots[3]: a second slot"},
        {"\"card_slots\": [", "\"card_slots\": 5, \"x\": [", CALIB_E_VALUE, 17,
         "card_slots: a list"},
    };
    char *good = kit_text("mats/a2-two.json");

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = text_change(good, bad[i].from, bad[i].to);
        struct calib_fault fault = {.line = -1};
        struct mat *mat;
        fault_expect(&fault, parse(text, &mat, &fault), bad[i].error, bad[i].line, bad[i].says);
        assert_null(mat);
        free(text);
    }
    free(good);
}

static void should_refuse_seats_too_large_for_the_blocks(void **state)
{
    char *text = kit_text("mats/a2-two.json");
    struct blockset set = {.name = "tiny", .width_mm = 474.0 / MAT_SEAT_WIDTHS_MAX};
    struct calib_fault fault = {.line = -1};
    struct mat *mat;
    (void)state;
    assert_int_equal(parse(text, &mat, &fault), CALIB_OK);
    assert_int_equal(calib_mat_check(mat, &set, &fault), CALIB_OK);
    set.width_mm *= 0.99;
    assert_int_equal(calib_mat_check(mat, &set, &fault), CALIB_E_VALUE);
    assert_non_null(strstr(fault.text, "seat 1: rect_mm is 474 mm long"));
    assert_int_equal(calib_mat_check(mat, &set, NULL), CALIB_E_VALUE);
    calib_mat_destroy(&mat);
    free(text);
}

static void corners_are(const struct mat_tag *tag, const double wanted[4][2])
{
    double xy[4][2];

    calib_mat_tag_corners(tag, xy);
    for (int i = 0; i < 4; i++) {
        assert_true(fabs(xy[i][0] - wanted[i][0]) < 1e-9 && fabs(xy[i][1] - wanted[i][1]) < 1e-9);
    }
}

static void should_turn_the_corners_with_the_tag(void **state)
{
    struct mat_tag tag = {.center_mm = {100, 50}, .size_mm = 20, .turn_deg = 180};
    static const double kit[4][2] = {{90, 40}, {110, 40}, {110, 60}, {90, 60}};
    static const double quarter[4][2] = {{90, 60}, {90, 40}, {110, 40}, {110, 60}};
    static const double own[4][2] = {{110, 60}, {90, 60}, {90, 40}, {110, 40}};
    const double reach = 10 * sqrt(2.0);
    const double eighth[4][2] = {
        {100, 50 - reach}, {100 + reach, 50}, {100, 50 + reach}, {100 - reach, 50}};

    (void)state;
    corners_are(&tag, kit);
    tag.turn_deg = 90;
    corners_are(&tag, quarter);
    tag.turn_deg = 0;
    corners_are(&tag, own);
    tag.turn_deg = 225;
    corners_are(&tag, eighth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_a_mat),
        cmocka_unit_test(should_take_any_direction_as_up),
        cmocka_unit_test(should_take_another_quick_play_slot),
        cmocka_unit_test(should_do_without_card_slots),
        cmocka_unit_test(should_name_line_and_place_of_a_fault),
        cmocka_unit_test(should_refuse_seats_too_large_for_the_blocks),
        cmocka_unit_test(should_turn_the_corners_with_the_tag),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
