#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/match_table.h"

static void quick_play(struct table *table, int players)
{
    table_prepare(table, GAME_QUICK_PLAY, players);
    table_begin(table);
}

static void total_madness(struct table *table, int players)
{
    table_prepare(table, GAME_TOTAL_MADNESS, players);
    table_begin(table);
}

/* --- Cards that are won ------------------------------------------------------------------------
 */

static void a_start_should_turn_one_card_in_quick_play_and_five_in_total_madness(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 2);
    const struct decision *said = table_said(&table, DECISION_CARD);
    assert_int_equal(said->attempt, 2 * 8);
    assert_int_equal(said->slot, 3);
    assert_string_equal(said->card, table_card(&table, 0)->id);
    total_madness(&table, 2);
    for (int i = 0; i < 5; i++) {
        said = table_nth(&table, DECISION_CARD, i);
        assert_int_equal(said->attempt, 2 * 8 + i);
        assert_int_equal(said->slot, i + 1);
        assert_int_equal(said->level, i + 1);
    }
}

static void a_card_won_should_be_kept_and_the_next_one_turned(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 2);
    table.t_ns = 5 * S - MS;
    char first[CARD_ID_MAX];
    memcpy(first, table_card(&table, 0)->id, sizeof first);
    table_act(&table, EVENT_AWARD, 2, 0);
    const struct decision *won = table_said(&table, DECISION_WIN);
    assert_int_equal(won->seat, 2);
    assert_int_equal(won->seats, 0);
    assert_string_equal(won->card, first);
    assert_int_equal(won->took_ns, 5 * S);
    assert_int_equal(won->margin_ns, -1);
    assert_int_equal(won->why, WHY_PERSON);
    assert_int_equal(won->cause, 3);
    assert_string_not_equal(table_said(&table, DECISION_CARD)->card, first);
    assert_int_equal(table.state.player[1].cards, 1);
    assert_int_equal(table.state.player[1].points, 1);
    assert_int_equal(table.state.pile[0].last_attempt, 2 * 8);
    assert_int_equal(table.state.pile[0].attempt, 3 * 8);
}

static void a_claim_that_matches_should_win_and_a_wrong_one_should_cost(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_CLAIMS, CLAIMS_CALLED);
    table_begin(&table);
    table.t_ns = S;
    struct grid wrong = table_card(&table, 0)->grid, right = wrong;
    wrong.cell[1][2] = wrong.cell[1][2] == 'x' ? 'o' : 'x';
    table_layout(&table, 1, &wrong);
    table_layout(&table, 2, &right);
    table.t_ns = 2 * S;
    table_claim(&table, 1, 0);
    table_tick(&table, 100 * MS);
    assert_int_equal(table_said(&table, DECISION_OUT)->seat, 1);
    assert_int_equal(table.state.player[0].errors, 1);
    table_claim(&table, 1, 0);
    table_refused(&table, WHY_OUT);
    table.t_ns = 3 * S;
    table_claim(&table, 2, 0);
    table_tick(&table, S);
    const struct decision *won = table_said(&table, DECISION_WIN);
    assert_int_equal(won->seat, 2);
    assert_int_equal(won->took_ns, 3 * S); /* until the claim, not until the verdict */
    assert_int_equal(table.state.pile[0].out, 0);
}

static void the_match_should_end_with_its_last_card(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 3);
    for (int i = 0; i < 9; i++)
        table_act(&table, EVENT_AWARD, i < 5 ? 3 : 1, 0);
    assert_int_equal(table.state.phase, PHASE_PLAY);
    table_act(&table, EVENT_AWARD, 1, 0);
    assert_int_equal(table.state.phase, PHASE_OVER);
    assert_int_equal(table_said(&table, DECISION_PHASE)->phase, PHASE_OVER);
    assert_int_equal(table.state.ended_t_ns, table.t_ns);
    assert_int_equal(table.out.item[table.out.count - 1].kind, DECISION_END);
    assert_null(table_nth(&table, DECISION_CARD, 0));
    assert_int_equal(table.state.player[1].rank, 3);
}

static void total_madness_should_end_when_all_piles_are_empty(void **unused)
{
    (void)unused;
    struct table table;
    total_madness(&table, 2);
    for (int i = 0; i < 9; i++)
        table_act(&table, i == 3 ? EVENT_SET_ASIDE : EVENT_AWARD, i == 3 ? 0 : 1 + i % 2,
                  i / 2 + 1);
    assert_int_equal(table.state.phase, PHASE_PLAY);
    table_act(&table, EVENT_AWARD, 2, 0); /* the only one left */
    assert_int_equal(table.state.phase, PHASE_OVER);
    assert_int_equal(table.state.player[0].cards + table.state.player[1].cards, 9);
}

/* --- Errors in Quick-Play ----------------------------------------------------------------------
 */

static void an_error_should_keep_its_player_from_this_card_only(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 3);
    table_act(&table, EVENT_PENALISE, 1, 0);
    const struct decision *said = table_said(&table, DECISION_OUT);
    assert_int_equal(said->seat, 1);
    assert_int_equal(said->attempt, table.state.pile[0].attempt);
    assert_int_equal(table.state.pile[0].out, 1);
    table_act(&table, EVENT_PENALISE, 1, 0);
    table_refused(&table, WHY_OUT);
    assert_int_equal(table.state.player[0].errors, 1);
    table_act(&table, EVENT_AWARD, 2, 0);
    assert_int_equal(table.state.pile[0].out, 0);
}

static void all_out_should_set_the_card_aside(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 2);
    table_act(&table, EVENT_PENALISE, 1, 0);
    uint64_t attempt = table.state.pile[0].attempt;
    table_act(&table, EVENT_PENALISE, 2, 0);
    const struct decision *said = table_said(&table, DECISION_SET_ASIDE);
    assert_int_equal(said->why, WHY_ALL_OUT);
    assert_int_equal(said->attempt, attempt);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    assert_int_equal(table.state.player[0].cards + table.state.player[1].cards, 0);
}

static void all_out_should_let_all_in_again_with_reopen(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ALL_OUT, ALL_OUT_REOPEN);
    table_begin(&table);
    uint64_t attempt = table.state.pile[0].attempt;
    table_act(&table, EVENT_PENALISE, 1, 0);
    table_act(&table, EVENT_PENALISE, 2, 0);
    assert_null(table_nth(&table, DECISION_SET_ASIDE, 0));
    const struct decision *said = table_said(&table, DECISION_CARD);
    assert_int_equal(said->why, WHY_ALL_OUT);
    assert_int_equal(said->attempt, attempt);
    assert_int_equal(table.state.pile[0].out, 0);
}

static void a_player_below_the_level_should_count_as_out(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table.event.setup.rules.handicap[1].min_level = 5;
    table_begin(&table);
    while (table_card(&table, 0)->level == 5)
        table_act(&table, EVENT_SET_ASIDE, 0, 0);
    table_act(&table, EVENT_PENALISE, 1, 0);
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_ALL_OUT);
}

/* --- Errors in Total Madness -------------------------------------------------------------------
 */

static void an_error_should_cost_the_last_card_won(void **unused)
{
    (void)unused;
    struct table table;
    total_madness(&table, 2);
    table_act(&table, EVENT_AWARD, 1, 5);
    table_act(&table, EVENT_AWARD, 1, 2);
    char last[CARD_ID_MAX];
    memcpy(last, table_nth(&table, DECISION_WIN, 0)->card, sizeof last);
    table_act(&table, EVENT_AWARD, 2, 4);
    table_act(&table, EVENT_PENALISE, 1, 3);
    const struct decision *said = table_said(&table, DECISION_PENALTY);
    assert_int_equal(said->why, WHY_LOST);
    assert_int_equal(said->seat, 1);
    assert_int_equal(said->level, 2);
    assert_string_equal(said->card, last);
    assert_int_equal(table.state.player[0].cards, 1);
    assert_int_equal(table.state.player[0].points, 3);
    assert_int_equal(table.state.player[0].lost, 1);
    assert_false(table.state.player[0].owes);
    assert_int_equal(table.state.player[1].cards, 1);
    /* The card that the error was made on is still to be won, by the same player too. */
    assert_true(table.state.pile[2].top >= 0);
    table_act(&table, EVENT_AWARD, 1, 3);
    assert_int_equal(table.state.player[0].points, 5);
}

static void an_error_without_a_card_should_be_owed_and_paid_with_the_next(void **unused)
{
    (void)unused;
    struct table table;
    total_madness(&table, 2);
    table_act(&table, EVENT_PENALISE, 1, 0);
    assert_int_equal(table_said(&table, DECISION_PENALTY)->why, WHY_OWED);
    assert_true(table.state.player[0].owes);
    table_act(&table, EVENT_AWARD, 1, 5);
    assert_non_null(table_nth(&table, DECISION_WIN, 0));
    const struct decision *paid = table_said(&table, DECISION_PENALTY);
    assert_int_equal(paid->why, WHY_OWED);
    assert_int_equal(paid->level, 5);
    assert_false(table.state.player[0].owes);
    assert_int_equal(table.state.player[0].cards, 0);
    assert_int_equal(table.state.player[0].points, 0);
    assert_int_equal(table.state.player[0].lost, 1);
    table_act(&table, EVENT_AWARD, 1, 5);
    assert_null(table_nth(&table, DECISION_PENALTY, 0));
    assert_int_equal(table.state.player[0].points, 3);
}

static void at_most_one_card_should_be_owed(void **unused)
{
    (void)unused;
    struct table table;
    total_madness(&table, 2);
    for (int i = 0; i < 4; i++) {
        table_act(&table, EVENT_PENALISE, 1, 0);
        assert_int_equal(table.out.count, i == 0 ? 1 : 0);
    }
    assert_int_equal(table.state.player[0].errors, 4);
    table_act(&table, EVENT_AWARD, 1, 1);
    table_act(&table, EVENT_AWARD, 1, 1);
    assert_int_equal(table.state.player[0].cards, 1);
    assert_int_equal(table.state.player[0].lost, 1);
}

static void a_card_set_aside_should_not_come_back(void **unused)
{
    (void)unused;
    struct table table;
    total_madness(&table, 1);
    table_act(&table, EVENT_AWARD, 1, 1);
    table_act(&table, EVENT_PENALISE, 1, 2);
    assert_int_equal(table.state.pile[0].top, -1);
    assert_int_equal(table.state.pile[0].left, 0);
    table_act(&table, EVENT_AWARD, 1, 1);
    table_refused(&table, WHY_NO_CARD_IN_PLAY);
    assert_int_equal(table.state.wins, 1);
}

/* --- Ties --------------------------------------------------------------------------------------
 */

/* Two seats match the same card in the same frame. */
static void tie_on_first_card(struct table *table)
{
    struct grid grid = table_card(table, 0)->grid;
    table->t_ns += S;
    table_layout(table, 1, &grid);
    table_layout(table, 2, &grid);
    table_tick(table, 200 * MS);
}

static void a_shared_card_should_be_credited_to_each_and_lost_by_one(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_TOTAL_MADNESS, 2);
    table_option(&table, OPTION_TIE, TIE_SHARE);
    table_begin(&table);
    tie_on_first_card(&table);
    const struct decision *won = table_said(&table, DECISION_WIN);
    assert_int_equal(won->seat, 0);
    assert_int_equal(won->seats, 3);
    assert_int_equal(table.state.wins, 1);
    assert_int_equal(table.state.player[0].points, 1);
    assert_int_equal(table.state.player[1].points, 1);
    table_act(&table, EVENT_PENALISE, 1, 0);
    assert_int_equal(table.state.player[0].cards, 0);
    assert_int_equal(table.state.player[1].cards, 1);
    table_act(&table, EVENT_PENALISE, 2, 0);
    assert_int_equal(table.state.player[1].cards, 0);
    assert_int_equal(table.state.player[0].lost, 1);
    assert_int_equal(table.state.player[1].lost, 1);
}

static void a_shared_card_should_pay_what_one_of_them_owes(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_TOTAL_MADNESS, 2);
    table_option(&table, OPTION_TIE, TIE_SHARE);
    table_begin(&table);
    table_act(&table, EVENT_PENALISE, 2, 0);
    tie_on_first_card(&table);
    assert_int_equal(table_said(&table, DECISION_PENALTY)->seat, 2);
    assert_int_equal(table.state.player[0].cards, 1);
    assert_int_equal(table.state.player[1].cards, 0);
    assert_false(table.state.player[1].owes);
}

static void a_replayed_card_should_be_set_aside_and_another_dealt(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_TOTAL_MADNESS, 2);
    table_option(&table, OPTION_TIE, TIE_REPLAY_CARD);
    table_begin(&table);
    for (int i = 0; i < 3; i++) {
        tie_on_first_card(&table);
        assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_TIED);
        /* Two spares of that level; the third tie finds none. */
        assert_int_equal(table.state.dealt, i < 2 ? 11 + i : 12);
        assert_int_equal(table_card(&table, 0)->level, 1);
    }
    assert_int_equal(table.state.spares, 8);
    assert_int_equal(table.state.player[0].cards + table.state.player[1].cards, 0);
}

static void a_replay_of_the_last_card_should_keep_the_match_going(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_TIE, TIE_REPLAY_CARD);
    table_option(&table, OPTION_ROUNDS, 1);
    table_begin(&table);
    tie_on_first_card(&table);
    assert_int_equal(table.state.phase, PHASE_PLAY);
    table_act(&table, EVENT_AWARD, 1, 0);
    assert_int_equal(table.state.phase, PHASE_OVER);
}

/* --- Given up, out of time ---------------------------------------------------------------------
 */

static void a_card_should_be_given_up_when_all_agree(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 3);
    table_act(&table, EVENT_GIVE_UP, 1, 0);
    table_act(&table, EVENT_GIVE_UP, 1, 0);
    table_act(&table, EVENT_GIVE_UP, 3, 0);
    assert_int_equal(table.out.count, 0);
    assert_int_equal(table.state.pile[0].gave_up, 5);
    table_act(&table, EVENT_GIVE_UP, 2, 0);
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_GIVEN_UP);
    assert_int_equal(table.state.pile[0].gave_up, 0);
    table_act(&table, EVENT_GIVE_UP, 0, 0); /* a person, for all */
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_GIVEN_UP);
    table_act(&table, EVENT_GIVE_UP, 4, 0);
    table_refused(&table, WHY_UNKNOWN_SEAT);
}

static void who_is_out_should_not_be_asked_to_give_up(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 2);
    table_act(&table, EVENT_PENALISE, 1, 0);
    table_act(&table, EVENT_GIVE_UP, 2, 0);
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_GIVEN_UP);
    table_act(&table, EVENT_GIVE_UP, 2, 0);
    table_act(&table, EVENT_PENALISE, 1, 0);
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_GIVEN_UP);
}

static void a_cards_time_should_set_it_aside(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 1);
    table_option(&table, OPTION_CARD_TIME, 20);
    table_begin(&table);
    table_tick(&table, 20 * S);
    assert_int_equal(table.out.count, 0); /* what was in time may still be settling */
    table_tick(&table, 200 * MS);
    const struct decision *said = table_said(&table, DECISION_SET_ASIDE);
    assert_int_equal(said->why, WHY_TIME);
    assert_int_equal(said->cause, table.seq); /* nothing that undo should take */
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    table_tick(&table, 20 * S);
    assert_int_equal(table.out.count, 0);
}

static void a_cards_time_should_stand_still_in_a_pause(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 1);
    table_option(&table, OPTION_CARD_TIME, 20);
    table_begin(&table);
    table_tick(&table, 15 * S);
    table_kind(&table, EVENT_PAUSE);
    table_tick(&table, 100 * S);
    assert_int_equal(table.out.count, 0);
    table_kind(&table, EVENT_RESUME);
    table_tick(&table, 5 * S);
    assert_int_equal(table.out.count, 0);
    table_tick(&table, S);
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->took_ns, 21 * S);
}

static void a_claim_made_in_time_should_be_ruled_on_before_the_time_is_up(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_CARD_TIME, 20);
    table_option(&table, OPTION_CLAIMS, CLAIMS_CALLED);
    table_begin(&table);
    struct grid grid = table_card(&table, 0)->grid;
    table.t_ns = 19800 * MS;
    table_layout(&table, 1, &grid);
    table_tick(&table, 100 * MS);
    /* Its source's clock is so unsure that the verdict is held beyond the card's time. */
    table.event.claim.error_ns = S;
    table_claim(&table, 1, 0);
    table_tick(&table, 900 * MS);
    assert_int_equal(table.out.count, 0);
    table_tick(&table, S);
    assert_int_equal(table_said(&table, DECISION_WIN)->took_ns, 19900 * MS);
}

/* --- False starts ------------------------------------------------------------------------------
 */

static void move_blocks(struct table *table, int seat)
{
    table->event.kind = EVENT_MOTION;
    table->event.motion.seat = (int8_t)seat;
    table->event.motion.blocks = true;
    table->event.motion.at_t_ns = table->t_ns;
    table_send(table);
}

static void count_with_false_start(struct table *table, int option, int players, int early)
{
    table_prepare(table, GAME_TOTAL_MADNESS, players);
    table_option(table, OPTION_FALSE_START, option);
    table_send(table);
    table_start(table, -1);
    assert_int_equal(table->state.phase, PHASE_COUNTDOWN);
    table_tick(table, S);
    for (int seat = 1; seat <= early; seat++)
        move_blocks(table, seat);
    table_tick(table, 2 * S);
    assert_int_equal(table->state.phase, PHASE_PLAY);
}

static void a_false_start_should_bar_from_the_first_card(void **unused)
{
    (void)unused;
    struct table table;
    count_with_false_start(&table, FALSE_START_BAR_FIRST_CARD, 2, 1);
    assert_true(table.state.player[0].barred);
    struct grid grid = table_card(&table, 0)->grid;
    table_layout(&table, 1, &grid);
    table_tick(&table, S);
    assert_null(table_nth(&table, DECISION_WIN, 0));
    table_act(&table, EVENT_AWARD, 2, 3);
    assert_false(table.state.player[0].barred);
    table_tick(&table, S);
    table_tick(&table, S);
    assert_int_equal(table.state.player[0].cards, 1);
}

static void a_bar_on_everybody_should_keep_nobody_from_playing(void **unused)
{
    (void)unused;
    struct table table;
    count_with_false_start(&table, FALSE_START_BAR_FIRST_CARD, 2, 2);
    struct grid grid = table_card(&table, 0)->grid;
    table_layout(&table, 1, &grid);
    table_tick(&table, S);
    assert_int_equal(table.state.player[0].cards, 1);
}

static void a_false_start_should_only_be_warned_of_by_default(void **unused)
{
    (void)unused;
    struct table table;
    count_with_false_start(&table, FALSE_START_WARN, 2, 1);
    assert_int_equal(table.state.player[0].false_starts, 1);
    assert_false(table.state.player[0].barred);
    count_with_false_start(&table, FALSE_START_IGNORE, 2, 1);
    assert_int_equal(table.state.player[0].false_starts, 0);
}

/* --- Own stacks --------------------------------------------------------------------------------
 */

static void own_stacks(struct table *table, int players, int rounds)
{
    table_prepare(table, GAME_QUICK_PLAY, players);
    table_option(table, OPTION_OWN_STACKS, 1);
    table_option(table, OPTION_ROUNDS, rounds);
    for (int i = 0; i < players; i++)
        table->event.setup.slot[i] = 0;
    table_begin(table);
}

static void each_player_should_work_through_their_own_stack(void **unused)
{
    (void)unused;
    struct table table;
    own_stacks(&table, 3, 2);
    assert_int_equal(table_nth(&table, DECISION_CARD, 2)->seat, 3);
    table_act(&table, EVENT_AWARD, 3, 0);
    assert_int_equal(table.state.pile[2].left, 0);
    assert_int_equal(table.state.pile[0].left, 1);
    assert_int_equal(table.state.player[2].finished_clock_ns, -1);
    table_act(&table, EVENT_PENALISE, 1, 0); /* an error costs the count alone */
    assert_int_equal(table.out.count, 0);
    assert_int_equal(table.state.player[0].errors, 1);
    assert_true(table.state.pile[0].top >= 0);
    table_act(&table, EVENT_AWARD, 3, 0);
    assert_int_equal(table.state.phase, PHASE_OVER);
    assert_int_equal(table.state.player[2].rank, 1);
    assert_int_equal(table.state.player[2].finished_clock_ns, 3 * MS);
    assert_int_equal(table.state.player[0].rank, 2);
    assert_int_equal(table.state.player[1].rank, 2);
}

static void an_own_stack_with_a_card_set_aside_should_not_end_the_match(void **unused)
{
    (void)unused;
    struct table table;
    own_stacks(&table, 2, 2);
    table_act(&table, EVENT_GIVE_UP, 1, 0); /* alone */
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_GIVEN_UP);
    table_act(&table, EVENT_AWARD, 1, 0);
    assert_int_equal(table.state.phase, PHASE_PLAY);
    table_act(&table, EVENT_AWARD, 2, 0);
    table_act(&table, EVENT_SET_ASIDE, 2, 0);
    assert_int_equal(table.state.phase, PHASE_OVER);
    /* A card each: who was through first. */
    assert_int_equal(table.state.player[0].rank, 1);
    assert_int_equal(table.state.player[1].rank, 2);
}

static void an_own_stack_should_match_only_its_owners_layout(void **unused)
{
    (void)unused;
    struct table table;
    own_stacks(&table, 2, 3);
    struct grid grid = table_card(&table, 0)->grid;
    table_layout(&table, 2, &grid);
    table_tick(&table, S);
    assert_null(table_nth(&table, DECISION_WIN, 0));
    table_layout(&table, 1, &grid);
    table_tick(&table, S);
    assert_int_equal(table_said(&table, DECISION_WIN)->seat, 1);
}

static void who_claimed_the_last_card_first_should_finish_first(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_OWN_STACKS, 1);
    table_option(&table, OPTION_ROUNDS, 1);
    table_option(&table, OPTION_CLAIMS, CLAIMS_CALLED);
    memset(table.event.setup.slot, 0, sizeof table.event.setup.slot);
    table_begin(&table);
    struct grid first = table_card(&table, 0)->grid, second = table_card(&table, 1)->grid;
    table.t_ns = S;
    table_layout(&table, 1, &first);
    table_layout(&table, 2, &second);
    /* Seat 1 is quicker by a clock that is less sure, so that its verdict takes longer. */
    table.t_ns = 2 * S;
    table.event.claim.error_ns = 500 * MS;
    table_claim(&table, 1, 0);
    table.t_ns += 10 * MS;
    table_claim(&table, 2, 0);
    for (int i = 0; i < 20 && table.state.phase == PHASE_PLAY; i++)
        table_tick(&table, 100 * MS);
    assert_int_equal(table.state.phase, PHASE_OVER);
    assert_int_equal(table.state.player[0].cards, 1);
    assert_int_equal(table.state.player[1].cards, 1);
    assert_int_equal(table.state.player[0].rank, 1);
    assert_int_equal(table.state.player[1].rank, 2);
}

/* --- Solo --------------------------------------------------------------------------------------
 */

static void one_player_should_play_against_the_clock(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 1);
    table_option(&table, OPTION_CARD_TIME, 10);
    table_option(&table, OPTION_ROUNDS, 3);
    table_begin(&table);
    for (int i = 0; i < 2; i++) {
        struct grid grid = table_card(&table, 0)->grid;
        table_tick(&table, 4 * S);
        table_layout(&table, 1, &grid);
        table_tick(&table, 200 * MS);
        assert_int_equal(table_said(&table, DECISION_WIN)->took_ns, 4 * S);
    }
    table_tick(&table, 11 * S);
    assert_int_equal(table.state.phase, PHASE_OVER);
    assert_int_equal(table.state.player[0].points, 2);
    assert_int_equal(table.state.player[0].rank, 1);
}

/* --- People ------------------------------------------------------------------------------------
 */

static void people_should_be_able_to_act_in_a_pause_and_without_a_picture(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 2);
    table_kind(&table, EVENT_PAUSE);
    table_act(&table, EVENT_AWARD, 1, 0);
    assert_non_null(table_nth(&table, DECISION_WIN, 0));
    assert_null(table_nth(&table, DECISION_CARD, 0)); /* nobody studies it in a pause */
    assert_int_equal(table.state.pile[0].top, -1);
    table_act(&table, EVENT_GIVE_UP, 1, 0);
    table_refused(&table, WHY_PAUSED);
    table_act(&table, EVENT_AWARD, 1, 0);
    table_refused(&table, WHY_NO_CARD_IN_PLAY);
    table_kind(&table, EVENT_RESUME);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    table.event.health = REASON_BIT(REASON_MAT_MOVED);
    table_kind(&table, EVENT_HEALTH);
    table_act(&table, EVENT_PENALISE, 1, 0);
    assert_non_null(table_nth(&table, DECISION_OUT, 0));
    table_act(&table, EVENT_AWARD, 2, 0);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    table_act(&table, EVENT_SET_ASIDE, 0, 0);
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_PERSON);
}

static void a_person_may_give_a_card_to_one_who_is_out(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 2);
    table_act(&table, EVENT_PENALISE, 1, 0);
    table_act(&table, EVENT_AWARD, 1, 0);
    assert_int_equal(table_said(&table, DECISION_WIN)->seat, 1);
}

static void an_act_should_name_its_card_where_several_lie(void **unused)
{
    (void)unused;
    struct table table;
    total_madness(&table, 2);
    table_act(&table, EVENT_AWARD, 1, 0);
    table_refused(&table, WHY_UNKNOWN_SLOT);
    table_act(&table, EVENT_AWARD, 1, 9);
    table_refused(&table, WHY_UNKNOWN_SLOT);
    table_act(&table, EVENT_AWARD, 5, 1);
    table_refused(&table, WHY_UNKNOWN_SEAT);
    table_act(&table, EVENT_AWARD, 1, 4);
    table_act(&table, EVENT_AWARD, 1, 4);
    table_act(&table, EVENT_AWARD, 1, 4);
    table_refused(&table, WHY_NO_CARD_IN_PLAY);
}

static void an_act_should_close_the_claims_on_its_card(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_CLAIMS, CLAIMS_CALLED);
    table_begin(&table);
    table.t_ns = S;
    table_claim(&table, 1, 0);
    assert_int_equal(table.state.claim[0].stage, CLAIM_WAITING);
    table_act(&table, EVENT_SET_ASIDE, 0, 0);
    const struct decision *said = table_said(&table, DECISION_REFUSED);
    assert_int_equal(said->why, WHY_LATE);
    assert_int_equal(said->seat, 1);
    assert_int_equal(table.state.claim[0].stage, CLAIM_NONE);
}

static void a_name_should_be_corrected_even_afterwards(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table, 2);
    table_kind(&table, EVENT_ABANDON);
    memcpy(table.event.act.name, "Ada", 4);
    table_act(&table, EVENT_NAME, 2, 0);
    assert_int_equal(table.out.count, 0);
    assert_string_equal(table.state.player[1].name, "Ada");
    table_act(&table, EVENT_NAME, 2, 0);
    table_refused(&table, WHY_BAD_VALUE);
}

static void an_event_should_open_a_pile_only_once(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_send(&table);
    table_start(&table, 1000);
    /* The first event after the start signal sets the card aside that it brings. */
    table.t_ns = 2 * S;
    table_act(&table, EVENT_SET_ASIDE, 0, 0);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    assert_null(table_nth(&table, DECISION_CARD, 1));
    assert_int_equal(table.state.pile[0].attempt, 0);
    table_tick(&table, MS);
    assert_int_equal(table.state.pile[0].attempt, 4 * 8);
    assert_int_equal(table.state.pile[0].last_attempt, 3 * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_should_turn_one_card_in_quick_play_and_five_in_total_madness),
        cmocka_unit_test(a_card_won_should_be_kept_and_the_next_one_turned),
        cmocka_unit_test(a_claim_that_matches_should_win_and_a_wrong_one_should_cost),
        cmocka_unit_test(the_match_should_end_with_its_last_card),
        cmocka_unit_test(total_madness_should_end_when_all_piles_are_empty),
        cmocka_unit_test(an_error_should_keep_its_player_from_this_card_only),
        cmocka_unit_test(all_out_should_set_the_card_aside),
        cmocka_unit_test(all_out_should_let_all_in_again_with_reopen),
        cmocka_unit_test(a_player_below_the_level_should_count_as_out),
        cmocka_unit_test(an_error_should_cost_the_last_card_won),
        cmocka_unit_test(an_error_without_a_card_should_be_owed_and_paid_with_the_next),
        cmocka_unit_test(at_most_one_card_should_be_owed),
        cmocka_unit_test(a_card_set_aside_should_not_come_back),
        cmocka_unit_test(a_shared_card_should_be_credited_to_each_and_lost_by_one),
        cmocka_unit_test(a_shared_card_should_pay_what_one_of_them_owes),
        cmocka_unit_test(a_replayed_card_should_be_set_aside_and_another_dealt),
        cmocka_unit_test(a_replay_of_the_last_card_should_keep_the_match_going),
        cmocka_unit_test(a_card_should_be_given_up_when_all_agree),
        cmocka_unit_test(who_is_out_should_not_be_asked_to_give_up),
        cmocka_unit_test(a_cards_time_should_set_it_aside),
        cmocka_unit_test(a_cards_time_should_stand_still_in_a_pause),
        cmocka_unit_test(a_claim_made_in_time_should_be_ruled_on_before_the_time_is_up),
        cmocka_unit_test(a_false_start_should_bar_from_the_first_card),
        cmocka_unit_test(a_bar_on_everybody_should_keep_nobody_from_playing),
        cmocka_unit_test(a_false_start_should_only_be_warned_of_by_default),
        cmocka_unit_test(each_player_should_work_through_their_own_stack),
        cmocka_unit_test(an_own_stack_with_a_card_set_aside_should_not_end_the_match),
        cmocka_unit_test(an_own_stack_should_match_only_its_owners_layout),
        cmocka_unit_test(who_claimed_the_last_card_first_should_finish_first),
        cmocka_unit_test(one_player_should_play_against_the_clock),
        cmocka_unit_test(people_should_be_able_to_act_in_a_pause_and_without_a_picture),
        cmocka_unit_test(a_person_may_give_a_card_to_one_who_is_out),
        cmocka_unit_test(an_act_should_name_its_card_where_several_lie),
        cmocka_unit_test(an_act_should_close_the_claims_on_its_card),
        cmocka_unit_test(a_name_should_be_corrected_even_afterwards),
        cmocka_unit_test(an_event_should_open_a_pile_only_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
