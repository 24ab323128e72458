/* Claims: what is judged, when, and on which card. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/claims_scene.h"

static struct scene s;

/* --- Which layout -------------------------------------------------------------------------------
 */

static void should_judge_what_had_settled_when_the_claim_was_made(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    uint64_t attempt = s.state.pile[0].attempt;
    scene_layout(&s, 1, &card.grid, 2000);
    scene_tick(&s, 3000);
    scene_claim(&s, 1, 0, 3000);
    assert_int_equal(s.out.count, 0); /* a match is held: an earlier claim may be on its way */
    assert_int_equal(s.state.claim[0].stage, CLAIM_MATCHED);
    scene_tick(&s, 3000 + SCENE_HOLD_MS - 1);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 3000 + SCENE_HOLD_MS);
    const struct decision *said = scene_ruled(&s, 1, RULING_MATCH);
    assert_int_equal(said->attempt, attempt);
    assert_int_equal(said->slot, 3);
    assert_int_equal(said->level, card.level);
    assert_string_equal(said->card, card.id);
    assert_string_equal(said->verdict.card, card.id);
    assert_int_equal(said->at_t_ns, 3000 * MS);
    assert_int_equal(said->frame, 100);
    assert_int_equal(said->policy, POLICY_ACCEPT);
    assert_false(said->forced);
    said = scene_won(&s, 1);
    assert_int_equal(said->at_t_ns, 3000 * MS);
    assert_int_equal(said->margin_ns, -1);
    assert_int_equal(s.state.player[0].cards, 1);
    assert_int_equal(s.state.player[0].claims, 1);
    assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
}

static void should_say_an_error_at_once(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_wrong(&s, 1, &scene_card(&s, 0)->grid, 2000);
    scene_tick(&s, 3000);
    scene_claim(&s, 1, 0, 3000);
    const struct decision *said = scene_ruled(&s, 1, RULING_NO_MATCH);
    assert_true(said->verdict.reasons & REASON_BIT(REASON_WRONG_SYMBOL));
    assert_int_equal(said->verdict.wrong_cells, 1);
    uint64_t cause = said->cause;
    assert_int_equal(cause, s.state.seq);
    said = scene_the(&s, DECISION_OUT);
    assert_int_equal(said->cause, cause);
    assert_int_equal(s.state.player[0].errors, 1);
    scene_claim(&s, 1, 0, 3500);
    scene_refused(&s, WHY_OUT);
}

/* The eye is 300 ms behind: a block is turned at 2800, the key pressed at 3000. */
static void should_not_judge_before_the_frames_reach_the_claim(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_wrong(&s, 1, &card.grid, 2000);
    scene_tick(&s, 2700);
    scene_claim(&s, 1, 0, 3000);
    scene_event(&s, EVENT_MOTION)->motion = (struct event_motion){1, true, 2800 * MS, 0};
    scene_step(&s, 3100);
    assert_int_equal(s.out.count, 0);
    scene_layout_event(&s, 1, &card.grid, false, 2900);
    scene_step(&s, 3200);
    scene_tick(&s, 3300);
    scene_ruled(&s, 1, RULING_MATCH);
}

/* What moves after the claim shows that all was still until then. */
static void should_judge_what_lay_there_though_it_moves_afterwards(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_claim(&s, 1, 0, 3000);
    assert_int_equal(s.state.claim[0].stage, CLAIM_WAITING);
    scene_motion(&s, 1, true, 3060);
    assert_int_equal(s.state.claim[0].stage, CLAIM_MATCHED);
    scene_tick(&s, 3100);
    scene_won(&s, 1);
}

/* The eyes passed over what was between 2800 and 3060: a last block may have come before the claim.
 */
static void should_not_take_for_still_what_nobody_looked_at(void **state)
{
    (void)state;
    for (int unseen_ms = 20; unseen_ms <= 260; unseen_ms += 240) {
        scene_play(&s, GAME_QUICK_PLAY, 2);
        struct card card = *scene_card(&s, 0);
        scene_wrong(&s, 1, &card.grid, 2000);
        scene_tick(&s, 2800);
        scene_claim(&s, 1, 0, 3000);
        scene_event(&s, EVENT_MOTION)->motion =
            (struct event_motion){1, true, 3060 * MS, unseen_ms * MS};
        scene_step(&s, 3060);
        scene_layout_event(&s, 1, &card.grid, false, 3060);
        scene_step(&s, 3200);
        /* Until 3040 it was seen to be still; else it moved before or after, nobody knows. */
        if (unseen_ms > 20)
            scene_ruled(&s, 1, RULING_CANNOT_TELL);
        scene_tick(&s, 3300);
        assert_int_equal(s.state.player[0].errors, unseen_ms == 20);
    }
}

static void should_judge_what_settles_after_only_hands_moved(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_tick(&s, 2900);
    scene_motion(&s, 1, false, 2950);
    scene_claim(&s, 1, 0, 3000);
    scene_tick(&s, 3300);
    assert_int_equal(s.out.count, 0);
    scene_layout_event(&s, 1, &card.grid, false, 3500)->layout.moved_t_ns = 1980 * MS;
    scene_step(&s, 3540);
    scene_ruled(&s, 1, RULING_MATCH);
    scene_won(&s, 1);
}

static void should_let_blocks_move_within_a_frame_of_the_claim(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_claim(&s, 1, 0, 3000);
    scene_layout_event(&s, 1, &card.grid, false, 3100)->layout.moved_t_ns = 3020 * MS;
    scene_step(&s, 3140);
    scene_ruled(&s, 1, RULING_MATCH);
}

static void should_not_tell_when_blocks_moved_after_the_claim(void **state)
{
    (void)state;
    for (int by_motion = 0; by_motion <= 1; by_motion++) {
        scene_play(&s, GAME_QUICK_PLAY, 2);
        struct card card = *scene_card(&s, 0);
        scene_claim(&s, 1, 0, 3000);
        if (by_motion)
            scene_motion(&s, 1, true, 3021);
        scene_wrong(&s, 1, &card.grid, 3040);
        if (!by_motion) {
            /* The layout's own word: last moved at 3020, which is in time. */
            scene_ruled(&s, 1, RULING_NO_MATCH);
            continue;
        }
        const struct decision *said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
        assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_MOVED_AFTER_CLAIM));
        assert_int_equal(said->why, WHY_MOVED_AFTER_CLAIM);
        assert_string_equal(said->verdict.card, card.id);
        assert_int_equal(said->frame, 0);
        assert_int_equal(s.out.count, 1); /* no cost */
        assert_int_equal(s.state.player[0].errors, 0);
        assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
    }
}

static void should_not_tell_when_nothing_settles_in_the_window(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_claim(&s, 1, 0, 3000);
    scene_tick(&s, 6059);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 6060); /* the window and three frames more, in which it would have settled */
    const struct decision *said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
    assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_NOT_SETTLED));
    assert_int_equal(said->why, WHY_NOT_SETTLED);

    scene_claim(&s, 1, 0, 7000);
    scene_layout_event(&s, 1, &card.grid, false, 10001)->layout.moved_t_ns = 6000 * MS;
    scene_step(&s, 10050);
    said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
    assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_NOT_SETTLED));

    scene_motion(&s, 1, false, 10990);
    scene_claim(&s, 1, 0, 11000);
    scene_motion(&s, 1, true, 12000);
    scene_tick(&s, 15000);
    said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
    assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_MOVED_AFTER_CLAIM));
}

static void should_end_a_claim_without_ticks_too(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_claim(&s, 1, 0, 3000);
    scene_motion(&s, 2, false, 8999);
    assert_int_equal(s.out.count, 0);
    scene_motion(&s, 2, false, 9000);
    scene_ruled(&s, 1, RULING_CANNOT_TELL);
    /* Still, but not looked at for seconds. */
    scene_wrong(&s, 1, &scene_card(&s, 0)->grid, 10000);
    scene_claim(&s, 1, 0, 20000);
    scene_motion(&s, 2, false, 26000);
    const struct decision *said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
    assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_STALE));
}

static void should_wait_out_what_hides_a_layout(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_hidden(&s, 1, SEAT_OCCLUDED, REASON_BIT(REASON_HAND), 2900);
    scene_tick(&s, 2950);
    scene_claim(&s, 1, 0, 3000);
    scene_tick(&s, 3500);
    assert_int_equal(s.out.count, 0);
    scene_layout_event(&s, 1, &card.grid, false, 4000)->layout.moved_t_ns = 2800 * MS;
    scene_step(&s, 4040);
    scene_ruled(&s, 1, RULING_MATCH);
}

static void should_not_tell_what_stays_hidden(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        enum seat_state hidden = i ? SEAT_UNREADABLE : SEAT_OCCLUDED;
        uint64_t reasons = i ? REASON_BIT(REASON_GLARE) : REASON_BIT(REASON_HAND);
        scene_play(&s, GAME_QUICK_PLAY, 2);
        scene_hidden(&s, 1, hidden, reasons, 2900);
        scene_claim(&s, 1, 0, 3000);
        scene_tick(&s, 6060);
        const struct decision *said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
        assert_int_equal(said->verdict.reasons, reasons);
        assert_int_equal(s.out.count, 1);
    }
}

static void should_rule_on_an_empty_seat(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_hidden(&s, 1, SEAT_EMPTY, 0, 2900);
    scene_tick(&s, 2990);
    scene_claim(&s, 1, 0, 3000);
    const struct decision *said = scene_ruled(&s, 1, RULING_NO_MATCH);
    assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_MISSING_BLOCK));
}

static void should_cut_times_that_lie_ahead(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_tick(&s, 3000);
    scene_claim_event(&s, 1, 0, 0)->claim.claimed_t_ns = INT64_MAX;
    scene_step(&s, 3000);
    assert_int_equal(s.state.claim[0].claimed_t_ns, 3000 * MS);
    scene_claim_event(&s, 2, 0, 0)->claim.claimed_t_ns = INT64_MIN;
    s.event.claim.error_ns = INT64_MAX;
    scene_step(&s, 3001);
    scene_refused(&s, WHY_LATE);
    scene_claim_event(&s, 2, 0, 3001)->claim.error_ns = INT64_MAX;
    scene_step(&s, 3001);
    scene_layout_event(&s, 2, &card.grid, false, 0)->layout.first_t_ns = INT64_MAX;
    s.event.layout.moved_t_ns = INT64_MAX;
    scene_step(&s, 3002);
    scene_tick(&s, 3100);
}

/* --- Which card ---------------------------------------------------------------------------------
 */

/* Player 1 wins the card in play at `t_ms` and a hold. The attempt that ended. */
static uint64_t win_card(int64_t t_ms)
{
    uint64_t attempt = s.state.pile[0].attempt;
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, t_ms - 100);
    scene_claim(&s, 1, 0, t_ms);
    scene_tick(&s, t_ms + SCENE_HOLD_MS);
    scene_won(&s, 1);
    return attempt;
}

static void should_refuse_a_claim_on_an_attempt_that_is_over(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    uint64_t first = win_card(2000), second = s.state.pile[0].attempt;
    assert_true(first != second);
    scene_wrong(&s, 2, &scene_card(&s, 0)->grid, 3000);
    for (int i = 0; i < 2; i++) {
        scene_claim_event(&s, 2, 0, 3500 + 1000 * i)->claim.attempt = first;
        scene_step(&s, 3500 + 1000 * i);
        const struct decision *said = scene_refused(&s, WHY_LATE);
        assert_int_equal(said->attempt, first);
        assert_int_equal(said->seat, 2);
        assert_int_equal(s.out.count, 1);
    }
    win_card(6000);
    scene_claim_event(&s, 2, 0, 7000)->claim.attempt = first; /* two cards ago */
    scene_step(&s, 7000);
    scene_refused(&s, WHY_LATE);
    assert_int_equal(s.state.player[1].errors, 0);
    assert_int_equal(s.state.player[1].claims, 0);
}

static void should_refuse_by_time_a_claim_for_the_card_before(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    win_card(2000);
    int64_t opened = s.state.pile[0].opened_t_ns;
    scene_wrong(&s, 2, &scene_card(&s, 0)->grid, 2040);
    scene_claim_event(&s, 2, 0, 0)->claim.claimed_t_ns = opened - 1;
    scene_step(&s, 2200);
    scene_refused(&s, WHY_LATE);
    assert_int_equal(s.state.player[1].errors, 0);
}

static void should_refuse_an_attempt_that_never_was(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_claim_event(&s, 2, 0, 3000)->claim.attempt = 7777;
    scene_step(&s, 3000);
    scene_refused(&s, WHY_VOID);
}

static void should_not_punish_who_was_just_beaten(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card first = *scene_card(&s, 0);
    /* The winner presses once more, with the layout that has just won. */
    win_card(2000);
    scene_tick(&s, 5000);
    scene_claim(&s, 1, 0, 5000);
    scene_refused(&s, WHY_LATE);
    /* Another finishes the card that is gone. */
    scene_layout(&s, 2, &first.grid, 5100);
    scene_tick(&s, 5200);
    scene_claim(&s, 2, 0, 5200);
    scene_refused(&s, WHY_LATE);
    assert_int_equal(s.state.player[0].errors + s.state.player[1].errors, 0);
}

static void should_not_take_a_claim_within_reaction_for_the_next_card(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_wrong(&s, 2, &scene_card(&s, 0)->grid, 1800);
    win_card(2000); /* the next card comes at 2070 */
    scene_tick(&s, 2150);
    scene_claim(&s, 2, 0, 2150);
    scene_refused(&s, WHY_LATE);
    scene_tick(&s, 2400);
    scene_claim(&s, 2, 0, 2400);
    scene_ruled(&s, 2, RULING_NO_MATCH);
}

static void should_refuse_claims_that_fall_on_nothing(void **state)
{
    (void)state;
    scene_setup(&s, GAME_QUICK_PLAY, 2);
    scene_step(&s, 0);
    scene_claim(&s, 1, 0, 100);
    scene_refused(&s, WHY_NOT_STARTED);
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_claim(&s, 3, 0, 2000);
    scene_refused(&s, WHY_UNKNOWN_SEAT);
    scene_claim(&s, 1, 5, 2000);
    scene_refused(&s, WHY_UNKNOWN_SLOT);
    scene_claim(&s, 1, 3, 2000);
    assert_int_equal(s.out.count, 0);
    scene_claim(&s, 1, 3, 2001);
    scene_refused(&s, WHY_ALREADY_CLAIMED);
    scene_plain(&s, EVENT_PAUSE, 2100);
    scene_claim(&s, 2, 3, 2200);
    scene_refused(&s, WHY_PAUSED);
    scene_plain(&s, EVENT_ABANDON, 2300);
    scene_claim(&s, 2, 3, 2400);
    scene_refused(&s, WHY_MATCH_OVER);
}

static void should_take_no_claims_in_auto(void **state)
{
    (void)state;
    scene_setup(&s, GAME_QUICK_PLAY, 2);
    *scene_option(&s, OPTION_CLAIMS) = CLAIMS_AUTO;
    scene_begin(&s);
    scene_claim(&s, 1, 0, 2000);
    scene_refused(&s, WHY_CLAIMS_AUTO);
}

static void should_refuse_whom_a_handicap_keeps_from_the_card(void **state)
{
    (void)state;
    scene_setup(&s, GAME_TOTAL_MADNESS, 2);
    s.event.setup.rules.handicap[0].min_level = 3;
    scene_begin(&s);
    scene_claim(&s, 1, 2, 2000);
    scene_refused(&s, WHY_BELOW_LEVEL);
    scene_claim(&s, 1, 3, 2000);
    assert_int_equal(s.out.count, 0);
}

/* --- Total Madness: several cards ---------------------------------------------------------------
 */

static void should_find_the_card_that_no_slot_names(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 2);
    struct card card = *scene_card(&s, 3);
    scene_layout(&s, 2, &card.grid, 2000);
    scene_claim(&s, 2, 0, 2050);
    assert_int_equal(s.state.claim[1].attempt, s.state.pile[3].attempt);
    scene_tick(&s, 2050 + SCENE_HOLD_MS);
    const struct decision *said = scene_ruled(&s, 2, RULING_MATCH);
    assert_int_equal(said->level, 4);
    assert_int_equal(said->slot, 4);
    assert_int_equal(s.state.player[1].by_level[4], 1);
}

static void should_err_only_when_no_card_on_the_table_fits(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 2);
    scene_wrong(&s, 2, &scene_card(&s, 3)->grid, 2000);
    scene_claim(&s, 2, 0, 2050);
    const struct decision *said = scene_ruled(&s, 2, RULING_NO_MATCH);
    assert_int_equal(said->verdict.wrong_cells, 1);
    assert_true(s.state.player[1].owes);
}

static void should_not_tell_when_any_card_may_fit(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 2);
    struct event *event = scene_layout_event(&s, 2, &scene_card(&s, 3)->grid, false, 2000);
    event->layout.seat.cell[4].confidence = 500;
    scene_step(&s, 2040);
    scene_claim(&s, 2, 0, 2050);
    const struct decision *said = scene_ruled(&s, 2, RULING_CANNOT_TELL);
    assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_UNSURE_SYMBOL));
    assert_int_equal(s.out.count, 1);
}

static void should_judge_against_the_named_card_only(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 2);
    scene_layout(&s, 2, &scene_card(&s, 3)->grid, 2000);
    scene_claim(&s, 2, 1, 2050);
    const struct decision *said = scene_ruled(&s, 2, RULING_NO_MATCH);
    assert_int_equal(said->slot, 1);
}

static void should_refuse_a_slot_that_is_not_the_attempts(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 2);
    scene_claim_event(&s, 2, 1, 2050)->claim.attempt = s.state.pile[3].attempt;
    scene_step(&s, 2050);
    scene_refused(&s, WHY_BAD_VALUE);
    scene_claim_event(&s, 2, 4, 2050)->claim.attempt = s.state.pile[3].attempt;
    scene_step(&s, 2050);
    assert_int_equal(s.out.count, 0);
    assert_int_equal(s.state.claim[1].pile, 3);
}

/* A claim without a slot, made while another won the card that was meant, is late, and so is one
 * that the eye sees only afterwards. */
static void should_not_punish_a_claim_on_any_card_for_one_that_went(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 2);
    struct card card = *scene_card(&s, 3);
    scene_layout(&s, 1, &card.grid, 2000);
    scene_layout(&s, 2, &card.grid, 2100);
    scene_tick(&s, 2140);
    scene_claim(&s, 1, 4, 2150);
    scene_claim(&s, 2, 0, 2200); /* judged: on the same card */
    scene_tick(&s, 2150 + SCENE_HOLD_MS);
    scene_won(&s, 1);
    const struct decision *said = scene_refused(&s, WHY_LATE);
    assert_int_equal(said->seat, 2);
    scene_tick(&s, 2600);
    scene_claim(&s, 2, 0, 2600); /* once more */
    scene_refused(&s, WHY_LATE);
    assert_false(s.state.player[1].owes);
}

static void should_close_claims_on_any_card_with_the_last_that_was_in_play(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 1);
    for (int slot = 1; slot <= 4; slot++) {
        scene_event(&s, EVENT_SET_ASIDE)->act.slot = (int8_t)slot;
        scene_step(&s, 1900);
        scene_the(&s, DECISION_SET_ASIDE);
    }
    scene_claim(&s, 1, 0, 2000);
    scene_event(&s, EVENT_SET_ASIDE)->act.slot = 5;
    scene_step(&s, 2100);
    scene_refused(&s, WHY_LATE);
    assert_int_equal(s.state.phase, PHASE_OVER);
    assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
}

/* --- Paused, frozen, forced ---------------------------------------------------------------------
 */

static void should_rest_claims_in_a_pause(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_claim(&s, 1, 0, 2000);
    scene_plain(&s, EVENT_PAUSE, 2020);
    scene_layout_event(&s, 1, &card.grid, false, 2030)->layout.moved_t_ns = 1990 * MS;
    scene_step(&s, 2070);
    scene_tick(&s, 9000);
    assert_int_equal(s.out.count, 0);
    scene_motion(&s, 1, true, 9010); /* what lay there at the claim was seen before */
    scene_plain(&s, EVENT_RESUME, 10000);
    scene_ruled(&s, 1, RULING_MATCH);
    scene_won(&s, 1);
}

static void should_rule_nothing_while_the_picture_is_bad(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    struct card card = *scene_card(&s, 0);
    scene_layout(&s, 1, &card.grid, 1900);
    scene_claim(&s, 1, 0, 1950); /* judged before */
    scene_health(&s, REASON_BIT(REASON_MAT_MOVED), 1960);
    assert_int_equal(scene_the(&s, DECISION_HEALTH)->reasons, REASON_BIT(REASON_MAT_MOVED));
    scene_tick(&s, 5000);
    assert_int_equal(s.out.count, 0);
    scene_health(&s, 0, 5100);
    scene_ruled(&s, 1, RULING_MATCH);
}

static void should_end_claims_whose_window_ran_out_unseen(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    scene_health(&s, REASON_BIT(REASON_DAMAGED_FRAME), 1900);
    scene_claim(&s, 1, 0, 2000);
    assert_int_equal(s.out.count, 0);
    scene_tick(&s, 5060);
    const struct decision *said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
    assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_DAMAGED_FRAME));
    assert_int_equal(s.out.count, 1);
    assert_int_equal(s.state.claim[0].stage, CLAIM_NONE);
}

static void should_judge_after_a_blink_but_not_after_a_gap(void **state)
{
    (void)state;
    for (int gap = 0; gap <= 1; gap++) {
        scene_play(&s, GAME_QUICK_PLAY, 2);
        struct card card = *scene_card(&s, 0);
        scene_claim(&s, 1, 0, 2000);
        scene_health(&s, REASON_BIT(REASON_DAMAGED_FRAME), 2050);
        scene_health(&s, 0, gap ? 2300 : 2200);
        scene_layout_event(&s, 1, &card.grid, true, 2400)->layout.moved_t_ns = 1900 * MS;
        scene_step(&s, 2440);
        const struct decision *said =
            scene_ruled(&s, 1, gap ? RULING_CANNOT_TELL : RULING_NO_MATCH);
        if (gap)
            assert_int_equal(said->verdict.reasons, REASON_BIT(REASON_MOVED_AFTER_CLAIM));
    }
}

/* A wrong layout is claimed; a person's ruling stands in for the engine's. */
static void claim_forced(enum ruling ruling, bool wrong)
{
    struct card card = *scene_card(&s, 0);
    if (wrong)
        scene_wrong(&s, 1, &card.grid, 2000);
    else
        scene_layout(&s, 1, &card.grid, 2000);
    struct event *event = scene_claim_event(&s, 1, 0, 2050);
    event->forced.set = true;
    event->forced.ruling = ruling;
    scene_step(&s, 2050);
}

static void should_take_a_persons_ruling_for_its_own(void **state)
{
    (void)state;
    scene_play(&s, GAME_QUICK_PLAY, 2);
    claim_forced(RULING_MATCH, true);
    assert_int_equal(s.out.count, 0); /* at its usual moment */
    scene_tick(&s, 2050 + SCENE_HOLD_MS);
    const struct decision *said = scene_ruled(&s, 1, RULING_MATCH);
    assert_true(said->forced);
    assert_int_equal(said->was, RULING_NO_MATCH);
    assert_int_equal(said->verdict.reasons, 0);
    assert_int_equal(said->verdict.wrong_cells, 0);
    scene_won(&s, 1);

    scene_play(&s, GAME_QUICK_PLAY, 2);
    claim_forced(RULING_NO_MATCH, false);
    said = scene_ruled(&s, 1, RULING_NO_MATCH);
    assert_int_equal(said->was, RULING_MATCH);
    scene_the(&s, DECISION_OUT);

    scene_play(&s, GAME_QUICK_PLAY, 2);
    claim_forced(RULING_CANNOT_TELL, true);
    said = scene_ruled(&s, 1, RULING_CANNOT_TELL);
    assert_int_equal(said->was, RULING_NO_MATCH);
    assert_int_equal(s.out.count, 1);
}

static void should_let_a_person_rule_on_what_never_settled(void **state)
{
    (void)state;
    scene_play(&s, GAME_TOTAL_MADNESS, 2);
    struct event *event = scene_claim_event(&s, 1, 0, 2000);
    event->forced.set = true;
    event->forced.ruling = RULING_MATCH;
    scene_step(&s, 2000);
    scene_tick(&s, 5060);
    const struct decision *said = scene_ruled(&s, 1, RULING_MATCH);
    assert_int_equal(said->was, RULING_CANNOT_TELL);
    assert_int_equal(said->slot, 1);
    scene_won(&s, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_judge_what_had_settled_when_the_claim_was_made),
        cmocka_unit_test(should_say_an_error_at_once),
        cmocka_unit_test(should_not_judge_before_the_frames_reach_the_claim),
        cmocka_unit_test(should_judge_what_lay_there_though_it_moves_afterwards),
        cmocka_unit_test(should_not_take_for_still_what_nobody_looked_at),
        cmocka_unit_test(should_judge_what_settles_after_only_hands_moved),
        cmocka_unit_test(should_let_blocks_move_within_a_frame_of_the_claim),
        cmocka_unit_test(should_not_tell_when_blocks_moved_after_the_claim),
        cmocka_unit_test(should_not_tell_when_nothing_settles_in_the_window),
        cmocka_unit_test(should_end_a_claim_without_ticks_too),
        cmocka_unit_test(should_wait_out_what_hides_a_layout),
        cmocka_unit_test(should_not_tell_what_stays_hidden),
        cmocka_unit_test(should_rule_on_an_empty_seat),
        cmocka_unit_test(should_cut_times_that_lie_ahead),
        cmocka_unit_test(should_refuse_a_claim_on_an_attempt_that_is_over),
        cmocka_unit_test(should_refuse_by_time_a_claim_for_the_card_before),
        cmocka_unit_test(should_refuse_an_attempt_that_never_was),
        cmocka_unit_test(should_not_punish_who_was_just_beaten),
        cmocka_unit_test(should_not_take_a_claim_within_reaction_for_the_next_card),
        cmocka_unit_test(should_refuse_claims_that_fall_on_nothing),
        cmocka_unit_test(should_take_no_claims_in_auto),
        cmocka_unit_test(should_refuse_whom_a_handicap_keeps_from_the_card),
        cmocka_unit_test(should_find_the_card_that_no_slot_names),
        cmocka_unit_test(should_err_only_when_no_card_on_the_table_fits),
        cmocka_unit_test(should_not_tell_when_any_card_may_fit),
        cmocka_unit_test(should_judge_against_the_named_card_only),
        cmocka_unit_test(should_refuse_a_slot_that_is_not_the_attempts),
        cmocka_unit_test(should_not_punish_a_claim_on_any_card_for_one_that_went),
        cmocka_unit_test(should_close_claims_on_any_card_with_the_last_that_was_in_play),
        cmocka_unit_test(should_rest_claims_in_a_pause),
        cmocka_unit_test(should_rule_nothing_while_the_picture_is_bad),
        cmocka_unit_test(should_end_claims_whose_window_ran_out_unseen),
        cmocka_unit_test(should_judge_after_a_blink_but_not_after_a_gap),
        cmocka_unit_test(should_take_a_persons_ruling_for_its_own),
        cmocka_unit_test(should_let_a_person_rule_on_what_never_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
