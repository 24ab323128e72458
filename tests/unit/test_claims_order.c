/* Claims: who was first, ties, what a person has the word on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/claims_scene.h"

static struct scene s;

/* Everybody has the card in play before them, but those whose bit is in `wrong` have a cell wrong.
 */
static void all_built(unsigned wrong)
{
    struct card card = *scene_card(&s, 0);
    for (int p = 0; p < s.state.players; p++)
        if (wrong >> p & 1)
            scene_wrong(&s, p + 1, &card.grid, 1900);
        else
            scene_layout(&s, p + 1, &card.grid, 1900);
    scene_tick(&s, 1990);
}

static const struct decisions *claim_heard(int seat, int64_t claimed_ms, int64_t heard_ms,
                                           int64_t error_ms)
{
    scene_claim_event(&s, seat, 0, claimed_ms)->claim.error_ns = error_ms * MS;
    return scene_step(&s, heard_ms);
}

/* --- Order --------------------------------------------------------------------------------------
 */

static void should_give_the_card_to_the_earlier_claim_that_is_heard_later(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    all_built(0);
    uint64_t attempt = s.state.pile[0].attempt;
    claim_heard(1, 2030, 2030, 0);
    claim_heard(2, 2000, 2050, 0);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 2000 + SCENE_HOLD_MS);
    scene_ruled(&s, 2, RULING_MATCH);
    const struct decision *said = scene_won(&s, 2);
    assert_int_equal(said->margin_ns, 30 * MS);
    assert_int_equal(said->error_ns, 20 * MS);
    said = scene_refused(&s, WHY_LATE);
    assert_int_equal(said->seat, 1);
    assert_int_equal(said->attempt, attempt);
    assert_int_equal(s.state.player[0].errors, 0);
}

static void should_not_charge_an_error_for_a_card_that_was_won_before(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    all_built(2); /* the second is wrong */
    claim_heard(1, 2000, 2000, 0);
    claim_heard(2, 2030, 2030, 0);
    assert_int_equal(s.out.count, 0); /* the first is settled first */
    scene_tick(&s, 2100);
    scene_won(&s, 1);
    scene_refused(&s, WHY_LATE);
    assert_int_equal(s.state.player[1].errors, 0);
}

static void should_go_on_to_the_next_claim_when_the_first_was_wrong(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 3);
    all_built(1);
    claim_heard(1, 2000, 2000, 0);
    scene_ruled(&s, 1, RULING_NO_MATCH);
    claim_heard(2, 2010, 2010, 0);
    scene_tick(&s, 2200);
    scene_won(&s, 2);
}

static void should_judge_each_claim_by_what_lay_there_though_its_turn_comes_later(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 2, &card.grid, 1900);
    scene_tick(&s, 1990);
    claim_heard(1, 2000, 2000, 0); /* nothing settled there */
    claim_heard(2, 2050, 2050, 0);
    scene_motion(&s, 2, true, 2500); /* plays on */
    scene_layout_event(&s, 1, &card.grid, true, 2600)->layout.moved_t_ns = 1900 * MS;
    scene_step(&s, 2640);
    assert_int_equal(scene_said(&s, DECISION_VERDICT), 2);
    assert_int_equal(scene_the(&s, DECISION_OUT)->seat, 1);
    scene_won(&s, 2);
}

static void should_let_a_win_count_only_after_the_handicaps_delay(void **state)
{
    (void)state;
    scene_setup(&s, GAME_QUICK_PLAY, 2);
    s.event.setup.rules.handicap[0].delay_ms = 1000;
    scene_begin(&s);
    all_built(0);
    claim_heard(1, 2000, 2000, 0);
    scene_tick(&s, 2900);
    assert_int_equal(s.out.count, 0);
    claim_heard(2, 2950, 2950, 0);
    scene_tick(&s, 2950 + SCENE_HOLD_MS);
    const struct decision *said = scene_won(&s, 2);
    assert_int_equal(said->margin_ns, 50 * MS);
    scene_refused(&s, WHY_LATE);

    scene_setup(&s, GAME_QUICK_PLAY, 2);
    s.event.setup.rules.handicap[0].delay_ms = 1000;
    scene_begin(&s);
    all_built(0);
    claim_heard(1, 2000, 2000, 0);
    scene_tick(&s, 2999 + SCENE_HOLD_MS);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 3000 + SCENE_HOLD_MS);
    said = scene_won(&s, 1);
    assert_int_equal(said->at_t_ns, 2000 * MS);
}

/* --- Ties ---------------------------------------------------------------------------------------
 */

static void tie_of_two(enum game game, int32_t policy)
{
    scene_setup(&s, game, 3);
    *scene_option(&s, OPTION_TIE) = policy;
    scene_begin(&s);
    all_built(0);
    claim_heard(2, 2000, 2000, 0);
    claim_heard(1, 2020, 2020, 0);
    scene_tick(&s, 2000 + SCENE_HOLD_MS);
}

static void should_call_it_a_tie_when_clocks_cannot_tell(void **state)
{
    (void)state;
    tie_of_two(GAME_QUICK_PLAY, TIE_REVIEW);
    assert_int_equal(scene_said(&s, DECISION_VERDICT), 2);
    const struct decision *said = scene_the(&s, DECISION_TIE);
    assert_int_equal(said->seats, 3);
    assert_int_equal(said->seat, 0);
    assert_int_equal(said->margin_ns, 20 * MS);
    assert_int_equal(said->error_ns, 20 * MS);
    assert_int_equal(said->attempt, s.state.pile[0].attempt);
    assert_int_equal(scene_said(&s, DECISION_WIN), 0);

    /* One millisecond more is no tie, unless the clocks are worse. */
    scene_play(&s, GAME_QUICK_PLAY, 2);
    all_built(0);
    claim_heard(2, 2000, 2000, 0);
    claim_heard(1, 2021, 2021, 0);
    scene_tick(&s, 2100);
    scene_won(&s, 2);

    scene_play(&s, GAME_QUICK_PLAY, 2);
    all_built(0);
    claim_heard(2, 2000, 2000, 10);
    claim_heard(1, 2021, 2021, 5);
    scene_tick(&s, 2100);
    assert_int_equal(scene_the(&s, DECISION_TIE)->error_ns, 35 * MS);
}

static void should_wait_for_a_tied_claim_that_is_not_judged_yet(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 1900);
    scene_tick(&s, 1990);
    claim_heard(1, 2000, 2000, 0);
    claim_heard(2, 2010, 2010, 0);
    scene_tick(&s, 2500);
    assert_int_equal(s.out.count, 0);
    scene_layout_event(&s, 2, &card.grid, false, 2600)->layout.moved_t_ns = 1900 * MS;
    scene_step(&s, 2640);
    assert_int_equal(scene_the(&s, DECISION_TIE)->seats, 3);
}

/* A phone claims at 2000, give or take 100 ms; a button at 2010 and another at 2060. Either of the
 * first two may have been first, the third was not. */
static void should_tie_only_those_who_may_have_been_first(void **state)
{
    (void)state;
    scene_setup(&s, GAME_QUICK_PLAY, 3);
    *scene_option(&s, OPTION_CLAIM_ERROR) = 100;
    scene_begin(&s);
    all_built(0);
    claim_heard(1, 2000, 2000, 100);
    claim_heard(2, 2010, 2010, 1);
    claim_heard(3, 2060, 2060, 1);
    scene_tick(&s, 2300);
    assert_int_equal(scene_the(&s, DECISION_TIE)->seats, 3);
    assert_int_equal(s.state.claim[2].stage, CLAIM_MATCHED);
    scene_event(&s, EVENT_DECIDE)->act = (struct event_act){
        .cause = s.state.pile[0].attempt,
        .seats = 2,
    };
    scene_step(&s, 2400);
    const struct decision *said = scene_won(&s, 2);
    assert_int_equal(said->margin_ns, 50 * MS);
    assert_int_equal(scene_refused(&s, WHY_LATE)->seat, 3);
}

static void decide(uint8_t seats, int64_t t_ms)
{
    struct event *event = scene_event(&s, EVENT_DECIDE);
    event->act.cause = s.state.pile[0].attempt;
    event->act.seats = seats;
    scene_step(&s, t_ms);
}

static void should_let_a_person_decide_a_tie(void **state)
{
    (void)state;
    tie_of_two(GAME_QUICK_PLAY, TIE_REVIEW);
    uint64_t attempt = s.state.pile[0].attempt;
    claim_heard(3, 2500, 2500, 0);
    assert_int_equal(s.out.count, 0); /* queues while a person has the word */
    decide(4, 3000);
    scene_refused(&s, WHY_BAD_VALUE);
    scene_event(&s, EVENT_DECIDE)->act.cause = attempt + 1;
    scene_step(&s, 3000);
    scene_refused(&s, WHY_NOTHING_ASKED);
    decide(1, 3100);
    scene_won(&s, 1);
    assert_int_equal(scene_refused(&s, WHY_LATE)->seat, 3);
    assert_int_equal(s.state.player[0].cards, 1);
    assert_int_equal(s.state.claim[1].stage, CLAIM_NONE);

    tie_of_two(GAME_QUICK_PLAY, TIE_REVIEW);
    decide(3, 3000);
    const struct decision *said = scene_the(&s, DECISION_WIN);
    assert_int_equal(said->seats, 3);
    assert_int_equal(s.state.player[0].cards + s.state.player[1].cards, 2);

    tie_of_two(GAME_QUICK_PLAY, TIE_REVIEW);
    attempt = s.state.pile[0].attempt;
    decide(0, 3000);
    assert_int_equal(s.out.count, 0);
    assert_int_equal(s.state.pile[0].attempt, attempt); /* play goes on */
    assert_int_equal(s.state.claim[0].stage + s.state.claim[1].stage, CLAIM_NONE);
    decide(1, 3100);
    scene_refused(&s, WHY_NOTHING_ASKED);
}

static void should_share_a_tied_card(void **state)
{
    (void)state;
    tie_of_two(GAME_TOTAL_MADNESS, TIE_SHARE);
    const struct decision *said = scene_the(&s, DECISION_WIN);
    assert_int_equal(said->seats, 3);
    assert_int_equal(s.state.player[0].points, 1);
    assert_int_equal(s.state.player[1].points, 1);
    assert_int_equal(s.state.wins, 1);
}

static void should_replay_a_tied_card(void **state)
{
    (void)state;
    tie_of_two(GAME_QUICK_PLAY, TIE_REPLAY_CARD);
    const struct decision *said = scene_the(&s, DECISION_SET_ASIDE);
    assert_int_equal(said->why, WHY_TIED);
    scene_the(&s, DECISION_CARD);
    assert_int_equal(scene_said(&s, DECISION_REFUSED), 0);
    assert_int_equal(s.state.wins, 0);
    assert_int_equal(s.state.claim[0].stage + s.state.claim[1].stage, CLAIM_NONE);
}

static void should_close_a_tie_that_a_person_steps_over(void **state)
{
    (void)state;
    tie_of_two(GAME_QUICK_PLAY, TIE_REVIEW);
    scene_event(&s, EVENT_AWARD)->act.seat = 3;
    scene_step(&s, 3000);
    scene_won(&s, 3);
    assert_int_equal(scene_said(&s, DECISION_REFUSED), 0);
    assert_int_equal(s.state.claim[0].stage + s.state.claim[1].stage, CLAIM_NONE);
}

/* --- Policies -----------------------------------------------------------------------------------
 */

static uint64_t ask(enum option option, int32_t policy, unsigned wrong)
{
    scene_setup(&s, GAME_QUICK_PLAY, 2);
    *scene_option(&s, option) = policy;
    scene_begin(&s);
    all_built(wrong);
    claim_heard(1, 2000, 2000, 0);
    uint64_t cause = s.state.seq;
    if (!(wrong & 1))
        scene_tick(&s, 2000 + SCENE_HOLD_MS);
    return cause;
}

static void confirm(uint64_t cause, bool agree, int64_t t_ms)
{
    struct event *event = scene_event(&s, EVENT_CONFIRM);
    event->act.cause = cause;
    event->act.agree = agree;
    scene_step(&s, t_ms);
}

static void should_ask_a_person_before_a_match_counts(void **state)
{
    (void)state;
    for (int agree = 0; agree <= 1; agree++) {
        uint64_t cause = ask(OPTION_POLICY_MATCH, POLICY_CONFIRM, 0);
        assert_int_equal(scene_ruled(&s, 1, RULING_MATCH)->policy, POLICY_CONFIRM);
        assert_int_equal(scene_the(&s, DECISION_ASKED)->cause, cause);
        assert_int_equal(scene_said(&s, DECISION_WIN), 0);
        assert_int_equal(s.state.claim[0].stage, CLAIM_ASKING);
        claim_heard(2, 2500, 2500, 0);
        scene_tick(&s, 2700);
        assert_int_equal(s.out.count, 0);
        confirm(cause + 1, true, 3000);
        scene_refused(&s, WHY_NOTHING_ASKED);
        confirm(cause, agree, 3000);
        if (agree) {
            scene_won(&s, 1);
            assert_int_equal(scene_refused(&s, WHY_LATE)->seat, 2);
        } else {
            /* The next in the queue has their turn, and is asked about as well. */
            scene_ruled(&s, 2, RULING_MATCH);
            assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
            assert_int_equal(s.state.claim[1].stage, CLAIM_ASKING);
        }
        confirm(cause, agree, 3100);
        scene_refused(&s, WHY_NOTHING_ASKED);
    }
}

static void should_ask_a_person_before_an_error_costs(void **state)
{
    (void)state;
    for (int agree = 0; agree <= 1; agree++) {
        uint64_t cause = ask(OPTION_POLICY_ERROR, POLICY_CONFIRM, 1);
        scene_ruled(&s, 1, RULING_NO_MATCH);
        scene_the(&s, DECISION_ASKED);
        assert_int_equal(scene_said(&s, DECISION_OUT), 0);
        confirm(cause, agree, 3000);
        assert_int_equal(scene_said(&s, DECISION_OUT), agree);
        assert_int_equal(s.state.player[0].errors, agree);
        assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
    }
}

static void should_only_log_where_the_policy_says_so(void **state)
{
    (void)state;
    ask(OPTION_POLICY_MATCH, POLICY_LOG, 0);
    assert_int_equal(scene_ruled(&s, 1, RULING_MATCH)->policy, POLICY_LOG);
    assert_int_equal(s.out.count, 1);
    assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
    ask(OPTION_POLICY_ERROR, POLICY_LOG, 1);
    assert_int_equal(scene_ruled(&s, 1, RULING_NO_MATCH)->policy, POLICY_LOG);
    assert_int_equal(s.out.count, 1);
    assert_int_equal(s.state.player[0].errors, 0);
}

static void should_not_ask_about_what_a_person_ruled(void **state)
{
    (void)state;
    scene_setup(&s, GAME_QUICK_PLAY, 2);
    *scene_option(&s, OPTION_POLICY_MATCH) = POLICY_CONFIRM;
    scene_begin(&s);
    all_built(1);
    struct event *event = scene_claim_event(&s, 1, 0, 2000);
    event->forced.set = true;
    event->forced.ruling = RULING_MATCH;
    scene_step(&s, 2000);
    scene_tick(&s, 2100);
    assert_int_equal(scene_said(&s, DECISION_ASKED), 0);
    scene_won(&s, 1);
}

static void should_have_a_tie_reviewed_where_matches_are_confirmed(void **state)
{
    (void)state;
    scene_setup(&s, GAME_QUICK_PLAY, 2);
    *scene_option(&s, OPTION_POLICY_MATCH) = POLICY_CONFIRM;
    *scene_option(&s, OPTION_TIE) = TIE_SHARE;
    scene_begin(&s);
    all_built(0);
    claim_heard(1, 2000, 2000, 0);
    claim_heard(2, 2000, 2000, 0);
    scene_tick(&s, 2100);
    scene_the(&s, DECISION_TIE);
    assert_int_equal(scene_said(&s, DECISION_WIN), 0);
    decide(3, 3000);
    assert_int_equal(scene_the(&s, DECISION_WIN)->seats, 3);
}

static void should_close_a_question_that_a_person_steps_over(void **state)
{
    (void)state;
    uint64_t cause = ask(OPTION_POLICY_MATCH, POLICY_CONFIRM, 0);
    scene_plain(&s, EVENT_SET_ASIDE, 3000);
    scene_the(&s, DECISION_SET_ASIDE);
    assert_int_equal(scene_said(&s, DECISION_REFUSED), 0);
    assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
    confirm(cause, true, 3100);
    scene_refused(&s, WHY_NOTHING_ASKED);
}

/* --- Freeze -------------------------------------------------------------------------------------
 */

/* A hand that laid its block when the claim came, and only left after it. */
static void should_not_void_who_only_finished_what_was_begun(void **state)
{
    (void)state;
    for (int begun_ms = 1960; begun_ms <= 2100; begun_ms += 140) {
        scene_setup(&s, GAME_TOTAL_MADNESS, 3);
        *scene_option(&s, OPTION_PAUSE_ON_CLAIM) = PAUSE_FREEZE;
        scene_begin(&s);
        struct grid grid = scene_card(&s, 0)->grid;
        scene_layout(&s, 2, &grid, 1500);
        if (begun_ms < 2000)
            scene_motion(&s, 2, false, begun_ms);
        claim_heard(1, 2000, 2000, 0);
        if (begun_ms > 2000)
            scene_motion(&s, 2, false, begun_ms);
        scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){2, true, 2240 * MS, 0};
        scene_step(&s, 2300);
        assert_int_equal(s.state.player[1].void_claim, begun_ms > 2000);
    }
}

static void should_void_the_next_claim_of_who_moves_during_a_check(void **state)
{
    (void)state;
    for (int freeze = 0; freeze <= 1; freeze++) {
        scene_setup(&s, GAME_TOTAL_MADNESS, 3);
        *scene_option(&s, OPTION_PAUSE_ON_CLAIM) = freeze ? PAUSE_FREEZE : PAUSE_CLOCK;
        scene_begin(&s);
        scene_motion(&s, 2, true, 1900);
        assert_false(s.state.player[1].void_claim);
        claim_heard(1, 2000, 2000, 0);
        scene_motion(&s, 1, true, 2100); /* who claims is not meant */
        scene_motion(&s, 2, false, 2100);
        scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){2, true, 1990 * MS, 0};
        scene_step(&s, 2110); /* before the claim */
        assert_false(s.state.player[1].void_claim);
        scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){2, true, 2115 * MS, 120 * MS};
        scene_step(&s, 2115); /* nobody looked between 1995 and then */
        assert_false(s.state.player[1].void_claim);
        scene_motion(&s, 2, true, 2120);
        assert_int_equal(s.state.player[1].void_claim, freeze);
        assert_false(s.state.player[0].void_claim || s.state.player[2].void_claim);
        scene_claim(&s, 2, 0, 2200);
        if (!freeze) {
            assert_int_equal(s.out.count, 0);
            continue;
        }
        scene_refused(&s, WHY_MOVED_DURING_CHECK);
        scene_claim(&s, 2, 0, 2300); /* that one only */
        assert_int_equal(s.out.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_give_the_card_to_the_earlier_claim_that_is_heard_later),
        cmocka_unit_test(should_not_charge_an_error_for_a_card_that_was_won_before),
        cmocka_unit_test(should_go_on_to_the_next_claim_when_the_first_was_wrong),
        cmocka_unit_test(should_judge_each_claim_by_what_lay_there_though_its_turn_comes_later),
        cmocka_unit_test(should_let_a_win_count_only_after_the_handicaps_delay),
        cmocka_unit_test(should_call_it_a_tie_when_clocks_cannot_tell),
        cmocka_unit_test(should_wait_for_a_tied_claim_that_is_not_judged_yet),
        cmocka_unit_test(should_tie_only_those_who_may_have_been_first),
        cmocka_unit_test(should_let_a_person_decide_a_tie),
        cmocka_unit_test(should_share_a_tied_card),
        cmocka_unit_test(should_replay_a_tied_card),
        cmocka_unit_test(should_close_a_tie_that_a_person_steps_over),
        cmocka_unit_test(should_ask_a_person_before_a_match_counts),
        cmocka_unit_test(should_ask_a_person_before_an_error_costs),
        cmocka_unit_test(should_only_log_where_the_policy_says_so),
        cmocka_unit_test(should_not_ask_about_what_a_person_ruled),
        cmocka_unit_test(should_have_a_tie_reviewed_where_matches_are_confirmed),
        cmocka_unit_test(should_close_a_question_that_a_person_steps_over),
        cmocka_unit_test(should_not_void_who_only_finished_what_was_begun),
        cmocka_unit_test(should_void_the_next_claim_of_who_moves_during_a_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
