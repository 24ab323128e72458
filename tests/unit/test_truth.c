#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vision/truth.h"

#include <stdio.h>
#include <string.h>

#define CAMERA                                                                                     \
    "\"camera\":{\"size\":[640,480],\"K\":[[500,0,319.5],[0,500,239.5],[0,0,1]],"                  \
    "\"dist\":[-0.1,0,0,0,0],\"R\":[[1,0,0],[0,1,0],[0,0,1]],\"t_mm\":[0,0,900]}"
#define CELL                                                                                       \
    "{\"symbol\":\"x\",\"block\":1,\"center_mm\":[1,2],\"center_px\":[100.5,50],"                  \
    "\"corners_px\":[[90,40],[110,40],[110,60],[90,60]],\"visible\":0.97,\"bleached\":0.1}"
#define SEAT_HEAD                                                                                  \
    "\"scene\":\"match\",\"change\":null,\"hand\":false,\"turned_deg\":3.86,\"standing\":[],"      \
    "\"least_visible\":0.97,\"most_bleached\":0.1"
#define SEAT                                                                                       \
    "{\"seat\":2," SEAT_HEAD ",\"grid\":\"x*/+o\",\"cells\":[" CELL "],"                           \
    "\"allowed\":{\"L1-01\":[\"match\",\"cannot_tell\"],\"L2-02\":[\"no_match\"]}}"
#define CARDS                                                                                      \
    "[{\"slot\":3,\"card\":\"L1-01\",\"level\":1,\"grid\":\"x\",\"visible\":0.99},"                \
    "{\"slot\":1,\"card\":null,\"level\":null,\"grid\":null,\"visible\":1}]"
#define HEAD                                                                                       \
    "\"format\":\"tableref-truth/1\",\"mat\":\"a1-four\",\"set\":\"match-madness\","               \
    "\"deck\":\"fixture\"," CAMERA
#define GOOD "{" HEAD ",\"seats\":[" SEAT "],\"cards\":" CARDS "}"

static int parse(const char *text, struct truth **truth, struct calib_fault *fault)
{
    memset(fault, 0, sizeof *fault);
    return vision_truth_parse(text, strlen(text), "t.json", truth, fault);
}

static void should_read_all_that_is_known_of_a_picture(void **state)
{
    (void)state;
    struct truth *truth;
    struct calib_fault fault;
    assert_int_equal(parse(GOOD, &truth, &fault), 0);
    assert_false(truth->ramp);
    assert_string_equal(truth->mat, "a1-four");
    assert_string_equal(truth->set, "match-madness");
    assert_string_equal(truth->deck, "fixture");
    assert_int_equal(truth->rig->camera.width, 640);
    assert_true(truth->rig->has_pose);
    assert_int_equal(truth->seats, 1);
    const struct truth_seat *seat = &truth->seat[0];
    assert_int_equal(seat->seat, 2);
    assert_string_equal(seat->scene, "match");
    assert_int_equal(seat->grid.rows, 2);
    assert_int_equal(seat->cells, 1);
    assert_int_equal(seat->cell[0].symbol, 'x');
    assert_true(seat->cell[0].side_px > 19.99 && seat->cell[0].side_px < 20.01);
    assert_int_equal(seat->allowed_count, 2);
    assert_string_equal(seat->allowed[0].card, "L1-01");
    assert_true(seat->allowed[0].match && seat->allowed[0].cannot_tell);
    assert_false(seat->allowed[0].no_match);
    assert_true(seat->allowed[1].no_match && !seat->allowed[1].match);
    assert_int_equal(truth->cards, 2);
    assert_true(truth->card[0].face_up);
    assert_int_equal(truth->card[0].level, 1);
    assert_false(truth->card[1].face_up);
    vision_truth_destroy(&truth);
    assert_null(truth);
    vision_truth_destroy(&truth);
    vision_truth_destroy(NULL);
}

static void should_know_a_picture_of_a_ramp(void **state)
{
    (void)state;
    struct truth *truth;
    struct calib_fault fault;
    assert_int_equal(parse("{\"format\":\"tableref-truth/1\",\"ramp\":\"make5\"}", &truth, &fault),
                     0);
    assert_true(truth->ramp);
    vision_truth_destroy(&truth);
}

static void should_refuse_what_is_broken_and_say_where(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "",
        "[]",
        "{}",
        "{\"format\":\"tableref-rig/1\"}",
        "{" HEAD "}", /* no seats */
        "{" HEAD ",\"seats\":{},\"cards\":[]}",
        "{" HEAD ",\"seats\":[1],\"cards\":[]}",
        "{" HEAD ",\"seats\":[" SEAT "," SEAT "],\"cards\":[]}", /* twice */
        "{" HEAD ",\"seats\":[],\"cards\":[{\"slot\":0,\"card\":null,\"visible\":1}]}",
        "{" HEAD ",\"seats\":[],\"cards\":[{\"slot\":1,\"visible\":1}]}",
        "{" HEAD ",\"seats\":[],\"cards\":[{\"slot\":1,\"card\":null,\"visible\":1.5}]}",
        "{" HEAD ",\"seats\":[],\"cards\":[{\"slot\":1,\"card\":\"a\",\"level\":9,\"visible\":1}]}",
        "{\"format\":\"tableref-truth/1\",\"mat\":\"m\",\"set\":\"s\",\"deck\":\"d\",\"seats\":[],"
        "\"cards\":[]}", /* no camera */
        "{\"format\":\"tableref-truth/1\",\"mat\":\"m\",\"set\":\"s\",\"deck\":\"d\","
        "\"camera\":{\"size\":[0,0]},\"seats\":[],\"cards\":[]}",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct truth *truth = (struct truth *)1;
        struct calib_fault fault;
        assert_true(parse(broken[i], &truth, &fault) < 0);
        assert_null(truth);
        assert_true(fault.text[0] != 0);
        assert_string_equal(fault.file, "t.json");
    }
}

/* The seat with one of its fields replaced. */
static int parse_seat_with(const char *field, const char *value)
{
    char text[4096], seat[2048] = SEAT;
    struct truth *truth;
    struct calib_fault fault;
    char *at = strstr(seat, field);
    assert_non_null(at);
    at += strlen(field);
    size_t old = strcspn(at, ",}");
    char rest[2048];
    snprintf(rest, sizeof rest, "%s", at + old);
    snprintf(at, sizeof seat - (size_t)(at - seat), "%s%s", value, rest);
    snprintf(text, sizeof text, "{" HEAD ",\"seats\":[%s],\"cards\":[]}", seat);
    int error = parse(text, &truth, &fault);
    vision_truth_destroy(&truth);
    return error;
}

static void should_check_the_bounds_of_a_seat(void **state)
{
    (void)state;
    assert_int_equal(parse_seat_with("\"seat\":", "4"), 0);
    assert_true(parse_seat_with("\"seat\":", "400") < 0);
    assert_true(parse_seat_with("\"seat\":", "-1") < 0);
    assert_true(parse_seat_with("\"hand\":", "0") < 0);
    assert_true(parse_seat_with("\"scene\":", "\"a-scene-whose-name-is-longer-than-any\"") < 0);
    assert_true(parse_seat_with("\"grid\":", "\"xx/x\"") < 0);
    assert_int_equal(parse_seat_with("\"grid\":", "null"), 0);
    assert_true(parse_seat_with("\"turned_deg\":", "1e9") < 0);
    assert_true(parse_seat_with("\"least_visible\":", "-0.1") < 0);
    assert_true(parse_seat_with("\"symbol\":", "\"xy\"") < 0);
    assert_true(parse_seat_with("\"symbol\":", "\"\xC3\xA9\"") < 0);
    assert_true(parse_seat_with("\"visible\":", "2") < 0);
    assert_true(parse_seat_with("\"bleached\":", "\"a\"") < 0);
    assert_true(parse_seat_with("\"L2-02\":", "[]") < 0);
    assert_true(parse_seat_with("\"L2-02\":", "[\"won\"]") < 0);
    assert_true(parse_seat_with("\"L2-02\":", "\"match\"") < 0);
}

static void should_refuse_more_cells_than_a_seat_holds(void **state)
{
    (void)state;
    static char text[64 * 1024];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "{" HEAD ",\"cards\":[],\"seats\":[{\"seat\":1," SEAT_HEAD
                                   ",\"grid\":null,\"allowed\":{},\"cells\":[");
    for (int i = 0; i <= LAYOUT_CELLS_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s" CELL, i ? "," : "");
    snprintf(text + used, sizeof text - used, "]}]}");
    struct truth *truth;
    struct calib_fault fault;
    assert_true(parse(text, &truth, &fault) < 0);
}

static void should_take_a_seat_in_full_view_as_the_pictures_note_says(void **state)
{
    (void)state;
    struct truth_seat seat = {.scene = "near", .least_visible = 0.85, .most_bleached = 0.349};
    assert_true(vision_truth_full_view(&seat));
    seat.hand = true;
    assert_false(vision_truth_full_view(&seat));
    seat.hand = false;
    seat.least_visible = 0.849;
    assert_false(vision_truth_full_view(&seat));
    seat.least_visible = 1;
    seat.most_bleached = 0.35;
    assert_false(vision_truth_full_view(&seat));
    seat.most_bleached = 0;
    memcpy(seat.scene, "sloppy", sizeof "sloppy");
    assert_false(vision_truth_full_view(&seat));
    struct truth_cell cell = {.visible = 0.85, .bleached = 0.349};
    assert_true(vision_truth_in_view(&cell));
    cell.bleached = 0.35;
    assert_false(vision_truth_in_view(&cell));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_all_that_is_known_of_a_picture),
        cmocka_unit_test(should_know_a_picture_of_a_ramp),
        cmocka_unit_test(should_refuse_what_is_broken_and_say_where),
        cmocka_unit_test(should_check_the_bounds_of_a_seat),
        cmocka_unit_test(should_refuse_more_cells_than_a_seat_holds),
        cmocka_unit_test(should_take_a_seat_in_full_view_as_the_pictures_note_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
