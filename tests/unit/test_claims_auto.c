/* Claims auto: layouts that claim by themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/claims_scene.h"

static struct scene s;

static void auto_setup(enum game game, int players)
{
    scene_setup(&s, game, players);
    *scene_option(&s, OPTION_CLAIMS) = CLAIMS_AUTO;
}

static void auto_play(enum game game, int players)
{
    auto_setup(game, players);
    scene_begin(&s);
}

static void should_give_the_card_to_the_first_layout_that_matches(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    uint64_t cause = s.state.seq;
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 2000 + SCENE_AUTO_MS - 1);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 2000 + SCENE_AUTO_MS);
    const struct decision *said = scene_ruled(&s, 1, RULING_MATCH);
    assert_int_equal(said->cause, cause);
    assert_int_equal(said->at_t_ns, 2000 * MS);
    assert_int_equal(said->frame, 100);
    said = scene_won(&s, 1);
    assert_int_equal(said->cause, cause);
    assert_int_equal(said->at_t_ns, 2000 * MS);
    assert_int_equal(s.state.player[0].claims, 0);
}

static void should_let_nobody_err(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    scene_wrong(&s, 1, &scene_card(&s, 0)->grid, 2000);
    scene_tick(&s, 9000);
    assert_int_equal(s.out.count, 0);
    assert_int_equal(s.state.player[0].errors, 0);
}

/* Seat 1 is put on record first, but seat 2 was seen before it. */
static void should_wait_until_nobody_earlier_can_settle(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2040);
    scene_tick(&s, 2040 + SCENE_AUTO_MS - 1);
    assert_int_equal(s.out.count, 0);
    scene_layout_event(&s, 2, &card.grid, false, 2000);
    scene_step(&s, 2110); /* settled late: frames were lost */
    scene_won(&s, 2);
    assert_int_equal(scene_find(&s, DECISION_WIN)->margin_ns, 40 * MS);
    assert_int_equal(scene_said(&s, DECISION_REFUSED), 0); /* nobody claimed */
    assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
}

static void should_tie_layouts_of_one_frame_interval(void **state)
{
    (void)state;
    auto_setup(GAME_QUICK_PLAY, 2);
    *scene_option(&s, OPTION_TIE) = TIE_SHARE;
    scene_begin(&s);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_layout(&s, 2, &card.grid, 2020);
    scene_tick(&s, 2200);
    assert_int_equal(scene_the(&s, DECISION_TIE)->seats, 3);
    assert_int_equal(scene_the(&s, DECISION_WIN)->seats, 3);
}

static void should_let_a_win_count_only_after_the_handicaps_delay(void **state)
{
    (void)state;
    auto_setup(GAME_QUICK_PLAY, 2);
    s.event.setup.rules.handicap[0].delay_ms = 1000;
    scene_begin(&s);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_tick(&s, 2900);
    assert_int_equal(s.out.count, 0);
    scene_layout(&s, 2, &card.grid, 2950);
    scene_tick(&s, 3050);
    scene_won(&s, 2);
}

static void should_rule_on_what_lies_there_when_a_card_comes(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card first = *scene_card(&s, 0), second = s.state.card[1].card;
    scene_layout(&s, 2, &second.grid, 1500);
    scene_layout(&s, 1, &first.grid, 2000);
    scene_tick(&s, 2100);
    scene_won(&s, 1);
    assert_string_equal(scene_card(&s, 0)->id, second.id);
    assert_int_equal(s.state.claim[1].stage, CLAIM_MATCHED);
    scene_tick(&s, 2100 + SCENE_AUTO_MS - 1);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 2100 + SCENE_AUTO_MS);
    const struct decision *said = scene_won(&s, 2);
    assert_int_equal(said->at_t_ns, 2100 * MS); /* not before the card came */
    assert_int_equal(said->took_ns, 0);
}

static void should_tie_all_who_had_the_next_card_by_chance(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 3);
    struct card first = *scene_card(&s, 0), second = s.state.card[1].card;
    scene_layout(&s, 2, &second.grid, 1500);
    scene_layout(&s, 3, &second.grid, 1700);
    scene_layout(&s, 1, &first.grid, 2000);
    scene_tick(&s, 2100);
    scene_tick(&s, 2200);
    assert_int_equal(scene_the(&s, DECISION_TIE)->seats, 6);
}

static void should_not_rule_on_what_has_moved_since(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card first = *scene_card(&s, 0), second = s.state.card[1].card;
    scene_layout(&s, 2, &second.grid, 1500);
    scene_motion(&s, 2, false, 1600);
    scene_layout(&s, 1, &first.grid, 2000);
    scene_tick(&s, 2100);
    scene_tick(&s, 2500);
    assert_int_equal(s.out.count, 0);
    assert_int_equal(s.state.claim[1].stage, CLAIM_NONE);
}

/* The eye is behind: the card came at 2100, the frame that shows a hand is of 2090. */
static void should_take_back_what_had_moved_before_the_card_came(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card first = *scene_card(&s, 0), second = s.state.card[1].card;
    scene_layout(&s, 2, &second.grid, 1500);
    scene_layout(&s, 1, &first.grid, 1900);
    scene_event(&s, EVENT_TICK)->seen_t_ns = 2080 * MS;
    scene_step(&s, 2100);
    scene_won(&s, 1);
    assert_int_equal(s.state.claim[1].stage, CLAIM_MATCHED);
    scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){2, false, 2090 * MS, 0};
    scene_step(&s, 2110);
    assert_int_equal(s.state.claim[1].stage, CLAIM_NONE);
    scene_layout_event(&s, 2, &second.grid, false, 2400)->layout.moved_t_ns = 1480 * MS;
    scene_step(&s, 2440);
    scene_tick(&s, 2500);
    assert_int_equal(scene_won(&s, 2)->at_t_ns, 2400 * MS);
}

static void should_keep_a_win_that_a_hand_covers_while_it_is_held(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_motion(&s, 1, false, 2050);
    scene_hidden(&s, 1, SEAT_OCCLUDED, REASON_BIT(REASON_HAND), 2060);
    scene_tick(&s, 2080);
    scene_won(&s, 1);
}

static void should_match_any_card_of_the_table(void **state)
{
    (void)state;
    auto_play(GAME_TOTAL_MADNESS, 2);
    struct card card = *scene_card(&s, 4);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_tick(&s, 2100);
    assert_int_equal(scene_won(&s, 1)->level, 5);
    assert_int_equal(s.state.player[0].points, 3);
}

static void should_not_match_a_card_that_the_player_may_not_win(void **state)
{
    (void)state;
    auto_setup(GAME_TOTAL_MADNESS, 2);
    s.event.setup.rules.handicap[0].min_level = 3;
    scene_begin(&s);
    scene_layout(&s, 1, &scene_card(&s, 1)->grid, 2000);
    scene_tick(&s, 3000);
    assert_int_equal(s.out.count, 0);
}

/* The bar falls with the first card that is won; then a layout counts that lay there before. */
static void should_match_a_barred_players_layout_when_the_bar_falls(void **state)
{
    (void)state;
    auto_setup(GAME_TOTAL_MADNESS, 2);
    *scene_option(&s, OPTION_FALSE_START) = FALSE_START_BAR_FIRST_CARD;
    scene_step(&s, 0);
    scene_event(&s, EVENT_START)->countdown_ms = -1;
    scene_step(&s, 0);
    scene_motion(&s, 1, true, 500);
    scene_tick(&s, 1000);
    struct card two = *scene_card(&s, 1), four = *scene_card(&s, 3);
    scene_layout(&s, 1, &four.grid, 2000);
    scene_tick(&s, 2500);
    assert_int_equal(s.out.count, 0);
    scene_layout(&s, 2, &two.grid, 3000);
    scene_tick(&s, 3100);
    scene_won(&s, 2);
    scene_tick(&s, 3200);
    assert_int_equal(scene_won(&s, 1)->level, 4);
}

/* --- Policies -----------------------------------------------------------------------------------
 */

/* The same layout again, after a hand went over it. */
static void hand_passes(const struct grid *grid, int64_t built_ms, int64_t t_ms)
{
    scene_motion(&s, 1, false, t_ms);
    scene_layout_event(&s, 1, grid, false, t_ms + 100)->layout.moved_t_ns =
        (built_ms - SCENE_FRAME_MS) * MS;
    scene_step(&s, t_ms + 140);
}

static void should_log_a_layout_once(void **state)
{
    (void)state;
    auto_setup(GAME_QUICK_PLAY, 2);
    *scene_option(&s, OPTION_POLICY_MATCH) = POLICY_LOG;
    scene_begin(&s);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_tick(&s, 2100);
    assert_int_equal(scene_ruled(&s, 1, RULING_MATCH)->policy, POLICY_LOG);
    assert_int_equal(s.out.count, 1);
    scene_tick(&s, 2500);
    assert_int_equal(s.out.count, 0);
    hand_passes(&card.grid, 2000, 3000);
    scene_tick(&s, 3500);
    assert_int_equal(s.out.count, 0);
    scene_layout(&s, 1, &card.grid, 4000); /* built anew */
    scene_tick(&s, 4100);
    scene_ruled(&s, 1, RULING_MATCH);
}

static void should_ask_about_a_layout_once(void **state)
{
    (void)state;
    auto_setup(GAME_QUICK_PLAY, 2);
    *scene_option(&s, OPTION_POLICY_MATCH) = POLICY_CONFIRM;
    scene_begin(&s);
    struct card card = *scene_card(&s, 0);
    for (int agree = 0; agree <= 1; agree++) {
        int64_t t_ms = 2000 + 3000 * agree;
        scene_layout(&s, 1, &card.grid, t_ms);
        uint64_t cause = s.state.seq;
        scene_tick(&s, t_ms + 100);
        assert_int_equal(scene_the(&s, DECISION_ASKED)->cause, cause);
        struct event *event = scene_event(&s, EVENT_CONFIRM);
        event->act.cause = cause;
        event->act.agree = agree;
        scene_step(&s, t_ms + 1000);
        assert_int_equal(scene_said(&s, DECISION_WIN), agree);
        scene_tick(&s, t_ms + 1200);
        assert_int_equal(s.out.count, 0);
        if (!agree)
            hand_passes(&card.grid, t_ms, t_ms + 1300);
        scene_tick(&s, t_ms + 2000);
        assert_int_equal(s.out.count, 0);
    }
}

/* --- Paused, frozen, forced ---------------------------------------------------------------------
 */

static void should_count_what_is_built_in_a_pause_from_its_end(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_plain(&s, EVENT_PAUSE, 2000);
    scene_layout(&s, 1, &card.grid, 2500);
    scene_layout(&s, 2, &card.grid, 2900);
    scene_tick(&s, 3500);
    assert_int_equal(s.out.count, 0);
    scene_plain(&s, EVENT_RESUME, 4000);
    scene_tick(&s, 4100);
    const struct decision *said = scene_the(&s, DECISION_TIE);
    assert_int_equal(said->at_t_ns, 4000 * MS);
    assert_int_equal(said->margin_ns, 0);
}

/* Whoever was earlier may have settled unseen. */
static void should_start_anew_when_the_picture_was_lost_before_it_was_sure(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_health(&s, REASON_BIT(REASON_STALE), 2050);
    assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
    scene_layout(&s, 2, &card.grid, 2100); /* not to be trusted */
    assert_false(s.state.view[1].known);
    scene_tick(&s, 2500);
    assert_int_equal(s.out.count, 0);
    scene_health(&s, 0, 3000);
    scene_tick(&s, 3100);
    assert_int_equal(s.out.count, 0);
    scene_layout(&s, 1, &card.grid, 3100);
    scene_layout(&s, 2, &card.grid, 3100);
    scene_tick(&s, 3300);
    assert_int_equal(scene_the(&s, DECISION_TIE)->seats, 3);
}

static void layout_forced(const struct grid *grid, bool wrong, enum ruling ruling, int64_t t_ms)
{
    struct event *event = scene_layout_event(&s, 1, grid, wrong, t_ms);
    event->forced.set = true;
    event->forced.ruling = ruling;
    scene_step(&s, t_ms + SCENE_SETTLE_MS);
}

static void should_keep_a_layout_from_winning_that_a_person_ruled_out(void **state)
{
    (void)state;
    auto_play(GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    layout_forced(&card.grid, false, RULING_NO_MATCH, 2000);
    scene_layout(&s, 2, &card.grid, 2040);
    scene_tick(&s, 2080);
    const struct decision *said = scene_ruled(&s, 1, RULING_NO_MATCH);
    assert_true(said->forced);
    assert_int_equal(said->was, RULING_MATCH);
    assert_int_equal(s.state.player[0].errors, 0);
    hand_passes(&card.grid, 2000, 2085);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 2300);
    scene_ruled(&s, 2, RULING_MATCH);
    scene_won(&s, 2);
}

static void should_let_a_layout_win_that_a_person_ruled_a_match(void **state)
{
    (void)state;
    auto_play(GAME_TOTAL_MADNESS, 2);
    struct card card = *scene_card(&s, 2);
    layout_forced(&card.grid, true, RULING_MATCH, 2000);
    scene_tick(&s, 2100);
    const struct decision *said = scene_ruled(&s, 1, RULING_MATCH);
    assert_true(said->forced);
    assert_int_equal(said->was, RULING_NO_MATCH);
    assert_int_equal(said->slot, 1); /* the first, as none is meant beyond doubt */
    scene_won(&s, 1);
    scene_tick(&s, 2500); /* once: the same layout does not win the cards that come */
    assert_int_equal(s.out.count, 0);

    auto_play(GAME_TOTAL_MADNESS, 2);
    card = *scene_card(&s, 2);
    layout_forced(&card.grid, false, RULING_MATCH, 2000);
    scene_tick(&s, 2100);
    assert_int_equal(scene_won(&s, 1)->slot, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_give_the_card_to_the_first_layout_that_matches),
        cmocka_unit_test(should_let_nobody_err),
        cmocka_unit_test(should_wait_until_nobody_earlier_can_settle),
        cmocka_unit_test(should_tie_layouts_of_one_frame_interval),
        cmocka_unit_test(should_let_a_win_count_only_after_the_handicaps_delay),
        cmocka_unit_test(should_rule_on_what_lies_there_when_a_card_comes),
        cmocka_unit_test(should_tie_all_who_had_the_next_card_by_chance),
        cmocka_unit_test(should_not_rule_on_what_has_moved_since),
        cmocka_unit_test(should_take_back_what_had_moved_before_the_card_came),
        cmocka_unit_test(should_keep_a_win_that_a_hand_covers_while_it_is_held),
        cmocka_unit_test(should_match_any_card_of_the_table),
        cmocka_unit_test(should_not_match_a_card_that_the_player_may_not_win),
        cmocka_unit_test(should_match_a_barred_players_layout_when_the_bar_falls),
        cmocka_unit_test(should_log_a_layout_once),
        cmocka_unit_test(should_ask_about_a_layout_once),
        cmocka_unit_test(should_count_what_is_built_in_a_pause_from_its_end),
        cmocka_unit_test(should_start_anew_when_the_picture_was_lost_before_it_was_sure),
        cmocka_unit_test(should_keep_a_layout_from_winning_that_a_person_ruled_out),
        cmocka_unit_test(should_let_a_layout_win_that_a_person_ruled_a_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
