/* When two readings are the same, and when one has settled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vision/settle.h"

#include <string.h>

#define MS 1000000LL

/* Two cells side by side, one grid. */
static struct layout_seat pair(void)
{
    struct layout_seat seat;
    memset(&seat, 0, sizeof seat);
    seat.seat = 1;
    seat.state = SEAT_COMPLETE;
    assert_int_equal(calib_grid_parse("xo", 2, &seat.grid), 0);
    seat.cells = 2;
    for (int i = 0; i < 2; i++) {
        seat.cell[i].symbol = "xo"[i];
        seat.cell[i].col = (int8_t)i;
        seat.cell[i].center_mm10[0] = 1000 + 350 * i;
        seat.cell[i].center_mm10[1] = 500;
    }
    return seat;
}

static void assert_same(const struct layout_seat *a, const struct layout_seat *b, bool same)
{
    assert_int_equal(vision_settle_same_seat(a, b), same);
    assert_int_equal(vision_settle_same_seat(b, a), same);
}

static void should_call_readings_of_lying_blocks_the_same(void **state)
{
    struct layout_seat a = pair(), b = pair();
    (void)state;
    assert_same(&a, &b, true);
    b.cell[0].center_mm10[0] += SETTLE_SAME_MM10;
    b.cell[1].center_mm10[1] -= SETTLE_SAME_MM10;
    b.turned_deg10 = SETTLE_SAME_DEG10;
    b.confidence = 7;
    assert_same(&a, &b, true);
    b.cell[1].center_mm10[1]--;
    assert_same(&a, &b, false);
}

static void should_not_heed_the_order_of_cells(void **state)
{
    struct layout_seat a = pair(), b = pair();
    struct layout_cell kept = b.cell[0];
    (void)state;
    b.cell[0] = b.cell[1];
    b.cell[1] = kept;
    assert_same(&a, &b, true);
}

static void should_see_another_symbol_grid_turn_or_number(void **state)
{
    struct layout_seat a = pair(), b = pair();
    (void)state;
    b.cell[1].symbol = '+';
    assert_same(&a, &b, false);
    b = pair();
    assert_int_equal(calib_grid_parse("ox", 2, &b.grid), 0);
    assert_same(&a, &b, false);
    b = pair();
    b.turned_deg10 = SETTLE_SAME_DEG10 + 1;
    assert_same(&a, &b, false);
    b = pair();
    b.cells = 1;
    assert_same(&a, &b, false);
    b = pair();
    b.state = SEAT_INCOMPLETE;
    assert_same(&a, &b, false);
}

/* Both ends of a turn of 45 degrees are the same turn of a layout that lies askew; its grid is
 * another then, so it does not settle, and nothing is ruled. */
static void should_not_settle_on_a_layout_between_two_uprights(void **state)
{
    struct layout_seat a = pair(), b = pair();
    (void)state;
    a.turned_deg10 = 450;
    b.turned_deg10 = -449;
    assert_same(&a, &b, false);
}

static void should_say_nothing_of_what_is_hidden(void **state)
{
    struct layout_seat a = pair(), b = pair();
    (void)state;
    a.state = b.state = SEAT_OCCLUDED;
    b.cells = 0;
    assert_same(&a, &b, true);
    assert_false(vision_settle_same_blocks(&a, &b));
    a.state = b.state = SEAT_UNREADABLE;
    assert_same(&a, &b, true);
    assert_false(vision_settle_same_blocks(&a, &b));
}

static void should_compare_cards_by_what_they_show(void **state)
{
    struct layout_card a, b;
    (void)state;
    memset(&a, 0, sizeof a);
    a.state = SLOT_FACE_UP;
    strcpy(a.id, "L1-01");
    a.level = 1;
    assert_int_equal(calib_grid_parse("xo", 2, &a.grid), 0);
    b = a;
    b.turn_deg = 90;
    b.confidence = 3;
    assert_true(vision_settle_same_card(&a, &b));
    strcpy(b.id, "L1-02");
    assert_false(vision_settle_same_card(&a, &b));
    b = a;
    b.level = 2;
    assert_false(vision_settle_same_card(&a, &b));
    b = a;
    assert_int_equal(calib_grid_parse("ox", 2, &b.grid), 0);
    assert_false(vision_settle_same_card(&a, &b));
    a.state = b.state = SLOT_FACE_DOWN;
    assert_true(vision_settle_same_card(&a, &b));
    b.state = SLOT_EMPTY;
    assert_false(vision_settle_same_card(&a, &b));
}

static void should_settle_on_the_nth_of_a_row_with_the_time_of_its_first(void **state)
{
    struct settle settle = {.count = 0};
    (void)state;
    assert_false(vision_settle_add(&settle, true, 3, 10 * MS, 1));
    assert_false(vision_settle_add(&settle, true, 3, 20 * MS, 2));
    assert_false(vision_settle_add(&settle, false, 3, 30 * MS, 3));
    assert_false(vision_settle_add(&settle, true, 3, 40 * MS, 4));
    assert_true(vision_settle_add(&settle, true, 3, 50 * MS, 5));
    assert_true(settle.first_t_ns == 30 * MS && settle.frame == 3);
    assert_true(vision_settle_add(&settle, true, 3, 60 * MS, 6));
    assert_true(settle.first_t_ns == 30 * MS && settle.frame == 3);
    assert_false(vision_settle_add(&settle, false, 3, 70 * MS, 7));
}

static void should_settle_at_once_where_one_is_enough(void **state)
{
    struct settle settle = {.count = 0};
    (void)state;
    assert_true(vision_settle_add(&settle, false, 1, 10 * MS, 1));
    assert_true(vision_settle_add(&settle, false, 1, 20 * MS, 2));
    assert_true(settle.first_t_ns == 20 * MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_call_readings_of_lying_blocks_the_same),
        cmocka_unit_test(should_not_heed_the_order_of_cells),
        cmocka_unit_test(should_see_another_symbol_grid_turn_or_number),
        cmocka_unit_test(should_not_settle_on_a_layout_between_two_uprights),
        cmocka_unit_test(should_say_nothing_of_what_is_hidden),
        cmocka_unit_test(should_compare_cards_by_what_they_show),
        cmocka_unit_test(should_settle_on_the_nth_of_a_row_with_the_time_of_its_first),
        cmocka_unit_test(should_settle_at_once_where_one_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
