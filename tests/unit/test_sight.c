/* What is known of the seats: rest and motion, false starts, pictures that are not to be trusted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/claims_scene.h"

static struct scene s;

/* --- Views --------------------------------------------------------------------------------------
 */

static void should_remember_what_settled(void **state)
{
    (void)state;
    scene_setup(&s, GAME_QUICK_PLAY, 2);
    scene_step(&s, 0);
    struct grid grid = s.deck[0].grid;
    struct event *event = scene_layout_event(&s, 2, &grid, false, 100);
    memcpy(event->layout.digest, "abc", 3);
    scene_step(&s, 140);
    const struct seat_view *view = &s.state.view[1];
    assert_true(view->known && view->still);
    assert_int_equal(view->seq, s.state.seq);
    assert_int_equal(view->first_t_ns, 100 * MS);
    assert_int_equal(view->moved_t_ns, 80 * MS);
    assert_int_equal(view->frame, 5);
    assert_string_equal(view->digest, "abc");
    assert_true(calib_grid_equal(&view->layout.grid, &grid));
    assert_false(s.state.view[0].known);
}

static void should_take_a_seat_for_unsettled_when_anything_moves(void **state)
{
    (void)state;
    for (int blocks = 0; blocks <= 1; blocks++) {
        scene_play(&s, GAME_QUICK_PLAY, 2);
        scene_layout(&s, 1, &s.deck[0].grid, 2000);
        scene_layout(&s, 2, &s.deck[0].grid, 2000);
        scene_motion(&s, 1, blocks, 2100);
        assert_false(s.state.view[0].still);
        assert_true(s.state.view[0].known);
        assert_true(s.state.view[1].still);
        assert_int_equal(s.state.view[0].motion_t_ns, blocks ? 2100 * MS : -1);
    }
}

static void should_not_heed_motion_from_before_the_layout(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_layout(&s, 1, &s.deck[0].grid, 2000);
    scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){1, true, 1999 * MS, 0};
    scene_step(&s, 2100);
    assert_true(s.state.view[0].still);
    assert_int_equal(s.state.view[0].motion_t_ns, 1999 * MS);
}

static void should_pass_over_seats_where_nobody_plays(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct match_state before = s.state;
    static const int8_t seats[] = {3, 0, -1, 127};
    for (size_t i = 0; i < sizeof seats / sizeof *seats; i++) {
        scene_layout_event(&s, seats[i], &s.deck[0].grid, false, 2000);
        scene_step(&s, 2040);
        assert_int_equal(s.out.count, 0);
        scene_motion(&s, seats[i], true, 2040);
        assert_int_equal(s.out.count, 0);
    }
    assert_memory_equal(before.view, s.state.view, sizeof before.view);
}

static void should_not_trust_a_layouts_numbers(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        scene_play(&s, GAME_QUICK_PLAY, 2);
        struct layout_seat *seat =
            &scene_layout_event(&s, 1, &scene_card(&s, 0)->grid, false, 2000)->layout.seat;
        switch (i) {
        case 0:
            seat->cells = 127;
            break;
        case 1:
            seat->cells = -1;
            break;
        case 2:
            seat->grid.rows = 200;
            break;
        case 3:
            seat->grid.cols = 11;
            break;
        case 4:
            seat->state = (enum seat_state)77;
            break;
        case 5:
            seat->cell[3].row = 100;
            break;
        default:
            seat->cell[3].col = -2;
        }
        scene_step(&s, 2040);
        assert_int_equal(s.state.view[0].layout.state, SEAT_UNREADABLE);
        assert_int_equal(s.state.view[0].layout.cells, 0);
        scene_claim(&s, 1, 0, 2050);
        scene_tick(&s, 5200);
        const struct decision *said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
        assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_INTERNAL));
    }
}

/* --- Health -------------------------------------------------------------------------------------
 */

static void should_forget_the_seats_while_the_picture_is_bad(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_layout(&s, 1, &s.deck[0].grid, 2000);
    scene_health(&s, REASON_BIT(REASON_DARK), 2100);
    assert_int_equal(scene_the(&s, DECISION_HEALTH)->reasons, REASON_BIT(REASON_DARK));
    assert_false(s.state.view[0].known);
    scene_layout(&s, 1, &s.deck[0].grid, 2200);
    assert_false(s.state.view[0].known);
    scene_health(&s, REASON_BIT(REASON_DARK), 2300);
    assert_int_equal(s.out.count, 0); /* nothing new */
    scene_health(&s, REASON_BIT(REASON_STALE), 2400);
    assert_int_equal(scene_the(&s, DECISION_HEALTH)->reasons, REASON_BIT(REASON_STALE));
    scene_health(&s, 0, 2500);
    assert_int_equal(scene_the(&s, DECISION_HEALTH)->reasons, 0);
    assert_false(s.state.view[0].known);
    /* A reading does not reach back over the gap. */
    scene_layout_event(&s, 1, &s.deck[0].grid, false, 2000);
    scene_step(&s, 2600);
    assert_true(s.state.view[0].known);
    assert_int_equal(s.state.view[0].first_t_ns, 2500 * MS);
}

static void should_count_a_long_gap_as_motion_that_was_not_seen(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_health(&s, REASON_BIT(REASON_STALE), 2000);
    scene_health(&s, 0, 2200);
    assert_int_equal(s.state.view[0].motion_t_ns, -1);
    scene_health(&s, REASON_BIT(REASON_STALE), 3000);
    scene_health(&s, REASON_BIT(REASON_DARK), 3150);
    scene_health(&s, 0, 3201);
    assert_int_equal(s.state.view[0].motion_t_ns, 3201 * MS);
}

/* --- False starts -------------------------------------------------------------------------------
 */

static void count_begins(int32_t policy)
{
    scene_setup(&s, GAME_TOTAL_MADNESS, 2);
    *scene_option(&s, OPTION_FALSE_START) = policy;
    scene_step(&s, 0);
    scene_motion(&s, 1, true, 100); /* blocks are put in place */
    assert_int_equal(s.out.count, 0);
    scene_event(&s, EVENT_START)->countdown_ms = -1;
    scene_step(&s, 200);
}

static void should_warn_who_starts_early_once(void **state)
{
    (void)state;
    count_begins(FALSE_START_WARN);
    scene_motion(&s, 2, false, 300);
    assert_int_equal(s.out.count, 0);
    scene_motion(&s, 2, true, 400);
    const struct decision *said = scene_the(&s, DECISION_FALSE_START);
    assert_int_equal(said->seat, 2);
    assert_int_equal(said->at_t_ns, 400 * MS);
    scene_motion(&s, 2, true, 500);
    assert_int_equal(s.out.count, 0);
    assert_int_equal(s.state.player[1].false_starts, 1);
    assert_int_equal(s.state.player[0].false_starts, 0);
    assert_false(s.state.player[1].barred);
}

static void should_not_mind_a_false_start_that_the_rules_ignore(void **state)
{
    (void)state;
    count_begins(FALSE_START_IGNORE);
    scene_motion(&s, 2, true, 400);
    assert_int_equal(s.out.count, 0);
    assert_int_equal(s.state.player[1].false_starts, 0);
}

static void should_tell_by_the_frame_that_shows_it(void **state)
{
    (void)state;
    /* Seen after the signal, of before it. */
    count_begins(FALSE_START_WARN);
    scene_tick(&s, 1200);
    assert_int_equal(s.state.phase, PHASE_PLAY);
    scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){1, true, 1199 * MS, 0};
    scene_step(&s, 1250);
    assert_int_equal(scene_the(&s, DECISION_FALSE_START)->seat, 1);
    scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){2, true, 1200 * MS, 0};
    scene_step(&s, 1260);
    assert_int_equal(s.out.count, 0);
    /* Seen in the count, of before it. */
    count_begins(FALSE_START_WARN);
    scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){1, true, 199 * MS, 0};
    scene_step(&s, 250);
    assert_int_equal(s.out.count, 0);
}

static void should_bar_who_started_early_from_the_first_card(void **state)
{
    (void)state;
    count_begins(FALSE_START_BAR_FIRST_CARD);
    scene_motion(&s, 2, true, 400);
    scene_the(&s, DECISION_FALSE_START);
    scene_tick(&s, 1200);
    scene_claim(&s, 2, 1, 1500);
    scene_refused(&s, WHY_BARRED);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_claim(&s, 1, 1, 2050);
    scene_tick(&s, 2200);
    scene_won(&s, 1);
    scene_claim(&s, 2, 2, 3000);
    assert_int_equal(s.out.count, 0);
    /* A false start that is heard of when a card was won already bars from nothing. */
    count_begins(FALSE_START_BAR_FIRST_CARD);
    scene_tick(&s, 1200);
    scene_event(&s, EVENT_AWARD)->act = (struct event_act){.seat = 1, .slot = 1};
    scene_step(&s, 1210);
    scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){2, true, 1190 * MS, 0};
    scene_step(&s, 1220);
    scene_the(&s, DECISION_FALSE_START);
    assert_false(s.state.player[1].barred);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_remember_what_settled),
        cmocka_unit_test(should_take_a_seat_for_unsettled_when_anything_moves),
        cmocka_unit_test(should_not_heed_motion_from_before_the_layout),
        cmocka_unit_test(should_pass_over_seats_where_nobody_plays),
        cmocka_unit_test(should_not_trust_a_layouts_numbers),
        cmocka_unit_test(should_forget_the_seats_while_the_picture_is_bad),
        cmocka_unit_test(should_count_a_long_gap_as_motion_that_was_not_seen),
        cmocka_unit_test(should_warn_who_starts_early_once),
        cmocka_unit_test(should_not_mind_a_false_start_that_the_rules_ignore),
        cmocka_unit_test(should_tell_by_the_frame_that_shows_it),
        cmocka_unit_test(should_bar_who_started_early_from_the_first_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
