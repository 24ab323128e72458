#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vision/cmd_verify.h"

#include <stdlib.h>
#include <string.h>

#define GRID "x*+/x+o/o../++x"

static struct card cards[1] = {{.id = "L1-01", .level = 1}};
static const struct deck deck = {.name = "own", .set = "own", .cards = 1, .card = cards};

static void put_cells(struct truth_seat *truth, struct layout_seat *seat)
{
    for (int r = 0; r < seat->grid.rows; r++)
        for (int c = 0; c < seat->grid.cols; c++) {
            if (seat->grid.cell[r][c] == GRID_HOLE)
                continue;
            truth->cell[truth->cells++] =
                (struct truth_cell){.symbol = seat->grid.cell[r][c],
                                    .visible = 1,
                                    .side_px = 40,
                                    .center_px = {100 + 40 * c, 100 + 40 * r}};
            seat->cell[seat->cells++] =
                (struct layout_cell){.row = (int8_t)r,
                                     .col = (int8_t)c,
                                     .confidence = 990,
                                     .symbol = seat->grid.cell[r][c],
                                     .center_px10 = {1000 + 400 * c, 1000 + 400 * r}};
        }
}

/* A seat with the card's layout, a face-up card and an empty slot, read as they are. */
static void all_right(struct truth *truth, struct layout *layout)
{
    memset(truth, 0, sizeof *truth);
    memset(layout, 0, sizeof *layout);
    assert_int_equal(calib_grid_parse(GRID, strlen(GRID), &cards[0].grid), 0);
    truth->seats = truth->cards = layout->seats = 1;
    truth->seat[0] = (struct truth_seat){.seat = 1,
                                         .scene = "match",
                                         .grid = cards[0].grid,
                                         .least_visible = 1,
                                         .allowed_count = 1,
                                         .allowed = {{.card = "L1-01", .match = true}}};
    layout->seat[0] = (struct layout_seat){
        .seat = 1, .state = SEAT_COMPLETE, .grid = cards[0].grid, .confidence = 990};
    put_cells(&truth->seat[0], &layout->seat[0]);
    truth->card[0] =
        (struct truth_card){.slot = 3, .face_up = true, .id = "L1-01", .level = 1, .visible = 1};
    layout->slots = 2;
    layout->card[0] = (struct layout_card){
        .slot = 3, .state = SLOT_FACE_UP, .id = "L1-01", .level = 1, .confidence = 990};
    layout->card[1] = (struct layout_card){.slot = 4, .state = SLOT_EMPTY};
}

static struct verify_tally score(const struct truth *truth, const struct layout *layout)
{
    struct verify_result result = {.image = "t-000.jpg", .reason = REASON_NO_MAT};
    verify_score(truth, &deck, layout, &result);
    verify_result_free(&result);
    return result.tally;
}

static void should_find_nothing_when_all_is_right(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    struct verify_tally tally = score(&truth, &layout);
    assert_int_equal(tally.differences, 0);
    assert_int_equal(tally.full, 1);
    assert_int_equal(tally.decided, 1);
    assert_int_equal(tally.verdicts.right, 1);
    assert_int_equal(tally.cells.right, 10);
    assert_int_equal(tally.face_up.right, 1);
    assert_int_equal(tally.empty.right, 1);
    assert_int_equal(tally.confusion['x' - ' ']['x' - ' '], 3);
}

static void should_count_a_verdict_outside_of_what_is_allowed(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    truth.seat[0].allowed[0] = (struct truth_allowed){.card = "L1-01", .no_match = true};
    struct verify_tally tally = score(&truth, &layout);
    assert_int_equal(tally.verdicts.wrong, 1);
    assert_int_equal(tally.differences, 1);
}

static void should_take_cannot_tell_as_never_wrong_and_never_decided(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    layout.seat[0].state = SEAT_UNREADABLE;
    struct verify_tally tally = score(&truth, &layout);
    assert_int_equal(tally.differences, 0);
    assert_int_equal(tally.verdicts.unread, 1);
    assert_int_equal(tally.decided, 0);
    assert_int_equal(tally.full, 1);
}

static void should_tell_sure_mistakes_from_doubtful_ones(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    layout.seat[0].state = SEAT_INCOMPLETE;
    layout.seat[0].cell[0].symbol = 'o';
    layout.seat[0].cell[0].confidence = 900;
    struct verify_tally tally = score(&truth, &layout);
    assert_int_equal(tally.cells.wrong, 1);
    assert_int_equal(tally.cells_sure_wrong, 0);
    assert_int_equal(tally.differences, 0);
    layout.seat[0].cell[0].confidence = 901;
    tally = score(&truth, &layout);
    assert_int_equal(tally.cells_sure_wrong, 1);
    assert_int_equal(tally.differences, 1);
    assert_int_equal(tally.confusion['x' - ' ']['o' - ' '], 1);
}

static void should_pair_cells_only_within_half_a_cell(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    layout.seat[0].cell[0].center_px10[0] -= 195;
    assert_int_equal(score(&truth, &layout).cells.right, 10);
    layout.seat[0].cell[0].center_px10[0] -= 10;
    struct verify_tally tally = score(&truth, &layout);
    assert_int_equal(tally.cells.right, 9);
    assert_int_equal(tally.cells.unread, 1);
    assert_int_equal(tally.cells_extra, 1);
    assert_int_equal(tally.differences, 1); /* a complete seat with a cell where there is none */
}

static void should_not_ask_for_cells_out_of_view_or_under_a_hand(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    layout.seat[0].state = SEAT_OCCLUDED;
    layout.seat[0].cells = 0;
    truth.seat[0].cell[0].visible = 0.5;
    truth.seat[0].cell[1].bleached = 0.5;
    assert_int_equal(score(&truth, &layout).cells.unread, 8);
    truth.seat[0].hand = true;
    struct verify_tally tally = score(&truth, &layout);
    assert_int_equal(tally.cells.unread, 0);
    assert_int_equal(tally.cells_under_hand, 8);
    assert_int_equal(tally.full, 0);
}

static void should_notice_seats_and_slots_on_one_side_only(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    layout.seat[0].seat = 2;
    assert_int_equal(score(&truth, &layout).differences, 2);
    all_right(&truth, &layout);
    truth.card[0].slot = 9;
    assert_int_equal(score(&truth, &layout).differences, 2); /* 9 is nowhere, 3 should be empty */
    all_right(&truth, &layout);
    truth.seat[0].allowed_count = 0;
    assert_int_equal(score(&truth, &layout).differences, 1);
}

static void should_tell_cards_wrong_from_cards_not_read(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    layout.card[0].level = 2;
    assert_int_equal(score(&truth, &layout).face_up.wrong, 1);
    layout.card[0].state = SLOT_FACE_DOWN;
    assert_int_equal(score(&truth, &layout).face_up.wrong, 1);
    layout.card[0].state = SLOT_UNREADABLE;
    struct verify_tally tally = score(&truth, &layout);
    assert_int_equal(tally.face_up.unread, 1);
    assert_int_equal(tally.differences, 0);
    truth.card[0].visible = 0.94;
    tally = score(&truth, &layout);
    assert_int_equal(tally.face_up.unread + tally.face_up.wrong + tally.face_up.right, 0);
}

static void should_fail_a_picture_of_which_nothing_was_read(void **state)
{
    (void)state;
    struct truth truth;
    struct layout layout;
    all_right(&truth, &layout);
    struct verify_tally tally = score(&truth, NULL);
    assert_int_equal(tally.unusable, 1);
    assert_int_equal(tally.differences, 1);
    assert_int_equal(tally.cells.unread, 10);
    truth.seat[0].hand = true; /* nothing in it can be asked for */
    truth.card[0].visible = 0.3;
    assert_int_equal(score(&truth, NULL).differences, 0);
    all_right(&truth, &layout);
    layout.seat[0].state = SEAT_UNREADABLE;
    layout.seat[0].cells = 0;
    layout.card[0].state = SLOT_UNREADABLE;
    assert_int_equal(score(&truth, &layout).differences, 1);
}

/* Floors that a report with one family misses. */
static int floors_missed(const char *image, const struct verify_tally *tally)
{
    struct verify_report report = {.families = 0};
    struct verify_result result = {.image = image, .rig = true, .tally = *tally};
    struct json_text text;
    vision_json_init(&text);
    assert_true(verify_report_add(&report, &result));
    int missed = verify_floors(&report, &text);
    assert_int_equal(missed > 0, text.length > 0);
    vision_json_free(&text);
    verify_report_free(&report);
    return missed;
}

static void should_ask_more_of_ordinary_pictures_than_of_hard_ones(void **state)
{
    (void)state;
    struct verify_tally tally = {.pictures = 10, .full = 20, .decided = 20};
    tally.cells = (struct verify_count){.right = 998, .unread = 2};
    tally.face_up.right = 10;
    assert_int_equal(floors_missed("a1-000.jpg", &tally), 0);
    tally.decided = 19;
    assert_int_equal(floors_missed("a1-000.jpg", &tally), 1);
    assert_int_equal(floors_missed("x-000.jpg", &tally), 0);
    tally.decided = 17;
    assert_int_equal(floors_missed("x-000.jpg", &tally), 1);
    tally.decided = 20;
    tally.cells = (struct verify_count){.right = 997, .unread = 3};
    assert_int_equal(floors_missed("mt-000.jpg", &tally), 1);
    assert_int_equal(floors_missed("x-000.jpg", &tally), 0);
    tally.cells.right = 1000;
    tally.cells_sure_wrong = 1;
    tally.cells_extra = 1;
    assert_int_equal(floors_missed("x-000.jpg", &tally), 2);
}

static void should_sum_by_family_and_lens(void **state)
{
    (void)state;
    struct verify_report report = {.families = 0};
    const char *const images[] = {"a1-000.jpg", "a1-001.jpg", "my-own-7.png", "lonely.jpg"};
    for (size_t i = 0; i < 4; i++) {
        struct verify_result result = {
            .image = images[i], .rig = i == 1, .tally = {.pictures = 1, .differences = (int)i}};
        assert_true(verify_report_add(&report, &result));
    }
    assert_int_equal(report.families, 3);
    assert_string_equal(report.family[0].name, "a1");
    assert_int_equal(report.family[0].tally[0].pictures, 1);
    assert_int_equal(report.family[0].tally[1].pictures, 1);
    assert_string_equal(report.family[1].name, "my-own");
    assert_string_equal(report.family[2].name, "lonely");
    assert_int_equal(verify_report_differences(&report), 6);
    verify_report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_nothing_when_all_is_right),
        cmocka_unit_test(should_count_a_verdict_outside_of_what_is_allowed),
        cmocka_unit_test(should_take_cannot_tell_as_never_wrong_and_never_decided),
        cmocka_unit_test(should_tell_sure_mistakes_from_doubtful_ones),
        cmocka_unit_test(should_pair_cells_only_within_half_a_cell),
        cmocka_unit_test(should_not_ask_for_cells_out_of_view_or_under_a_hand),
        cmocka_unit_test(should_notice_seats_and_slots_on_one_side_only),
        cmocka_unit_test(should_tell_cards_wrong_from_cards_not_read),
        cmocka_unit_test(should_fail_a_picture_of_which_nothing_was_read),
        cmocka_unit_test(should_ask_more_of_ordinary_pictures_than_of_hard_ones),
        cmocka_unit_test(should_sum_by_family_and_lens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
