#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/match_table.h"

static void printed(struct table *table, enum game game, int players)
{
    table_prepare(table, game, players);
    table_option(table, OPTION_CARDS, CARDS_PRINTED);
    table->event.setup.cards = NULL;
}

static void quick_play(struct table *table)
{
    printed(table, GAME_QUICK_PLAY, 2);
    table_begin(table);
    assert_null(table_nth(table, DECISION_CARD, 0));
}

static void a_card_that_is_seen_should_come_into_play(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table.t_ns = 2 * S;
    table_see_card(&table, 3, &table.deck[30]);
    const struct decision *said = table_said(&table, DECISION_CARD);
    assert_string_equal(said->card, "L3-07");
    assert_int_equal(said->level, 3);
    assert_int_equal(said->slot, 3);
    assert_int_equal(table.state.pile[0].opened_t_ns, 2 * S);
    table_see_card(&table, 3, &table.deck[30]);
    assert_int_equal(table.out.count, 0);
}

static void a_card_elsewhere_should_mean_nothing(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table_see_card(&table, 2, &table.deck[30]);
    table_see_card(&table, 0, &table.deck[30]);
    table_see_card(&table, -3, &table.deck[30]);
    assert_int_equal(table.out.count, 0);
    assert_int_equal(table.state.cards, 0);
    /* Nor on a table where the engine deals. */
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_begin(&table);
    table_see_card(&table, 3, &table.deck[30]);
    assert_int_equal(table.out.count, 0);
}

static void only_a_sure_reading_should_count(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    for (int how = 0; how < 6; how++) {
        struct layout_card *seen = &table.event.card.card;
        table.event.kind = EVENT_CARD;
        seen->slot = 3;
        seen->state = how == 0 ? SLOT_OCCLUDED : how == 1 ? SLOT_FACE_DOWN : SLOT_FACE_UP;
        seen->level = how == 2 ? 0 : how == 3 ? 6 : 2;
        seen->confidence = how == 4 ? LAYOUT_SURE_PERMILLE - 1 : LAYOUT_SURE_PERMILLE;
        seen->grid = table.deck[20].grid;
        if (how == 5)
            seen->grid.rows = 0;
        table_send(&table);
        assert_int_equal(table.out.count, 0);
        assert_int_equal(table.state.cards, 0);
    }
}

static void a_card_not_in_the_deck_should_be_known_by_its_grid(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    struct card card = table.deck[30];
    card.id[0] = 0;
    table_see_card(&table, 3, &card);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    table_act(&table, EVENT_AWARD, 1, 0);
    card.grid = calib_grid_turn(&card.grid, 1);
    table_see_card(&table, 3, &card);
    table_see_card(&table, 3, &table.deck[30]); /* the same card, now read with its name */
    assert_int_equal(table.out.count, 0);
    table_see_card(&table, 3, &table.deck[31]);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
}

static void a_card_that_was_used_should_not_come_back(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table_see_card(&table, 3, &table.deck[30]);
    table_act(&table, EVENT_AWARD, 1, 0);
    table_see_card(&table, 3, &table.deck[30]); /* its winner has not taken it yet */
    assert_int_equal(table.out.count, 0);
    table_see_card(&table, 3, &table.deck[31]);
    table_act(&table, EVENT_SET_ASIDE, 0, 0);
    table_see_card(&table, 3, &table.deck[30]);
    table_see_card(&table, 3, &table.deck[31]);
    assert_int_equal(table.out.count, 0);
    assert_int_equal(table.state.cards, 2);
}

static void another_card_should_change_nothing_and_be_said_once(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table_see_card(&table, 3, &table.deck[30]);
    table_see_card(&table, 3, &table.deck[31]);
    table_refused(&table, WHY_CARD_DIFFERS);
    assert_string_equal(table.out.item[0].card, "L3-08");
    assert_string_equal(table_card(&table, 0)->id, "L3-07");
    table_see_card(&table, 3, &table.deck[32]);
    assert_int_equal(table.out.count, 0);
    assert_string_equal(table_card(&table, 0)->id, "L3-07");
}

static void the_card_beneath_should_come_when_the_one_above_is_won(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_TOTAL_MADNESS, 2);
    table_begin(&table);
    for (int i = 0; i < 5; i++)
        table_see_card(&table, i + 1, &table.deck[i * 12]);
    /* The player takes the card before it was ruled on, and the next one lies there. */
    table_see_card(&table, 2, &table.deck[13]);
    table_refused(&table, WHY_CARD_DIFFERS);
    table_act(&table, EVENT_AWARD, 1, 2);
    assert_string_equal(table_said(&table, DECISION_CARD)->card, "L2-02");
    assert_int_equal(table_card(&table, 1)->level, 2);
    table_act(&table, EVENT_AWARD, 2, 2);
    assert_null(table_nth(&table, DECISION_CARD, 0));
}

static void a_card_that_is_put_back_should_not_be_followed_by_another(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table_see_card(&table, 3, &table.deck[30]);
    table_see_card(&table, 3, &table.deck[31]);
    table_see_card(&table, 3, &table.deck[30]);
    table_act(&table, EVENT_AWARD, 1, 0);
    assert_null(table_nth(&table, DECISION_CARD, 0));
    table_see_card(&table, 3, &table.deck[31]); /* it was not used */
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
}

static void a_card_under_a_hand_should_not_wait(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table_see_card(&table, 3, &table.deck[30]);
    table_see_card(&table, 3, &table.deck[31]);
    table.event.card.card.slot = 3;
    table.event.card.card.state = SLOT_OCCLUDED;
    table_kind(&table, EVENT_CARD);
    table_act(&table, EVENT_AWARD, 1, 0);
    assert_null(table_nth(&table, DECISION_CARD, 0));
}

static void cards_that_lie_there_before_the_start_should_come_at_the_signal(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_TOTAL_MADNESS, 2);
    table_send(&table);
    for (int i = 0; i < 5; i++)
        table_see_card(&table, i + 1, &table.deck[i * 12]);
    table_see_card(&table, 1, &table.deck[5]); /* the one seen last */
    assert_int_equal(table.state.cards, 5);
    table_start(&table, 3000);
    table_tick(&table, 3 * S);
    assert_non_null(table_nth(&table, DECISION_CARD, 4));
    assert_string_equal(table_card(&table, 0)->id, "L1-06");
    for (int i = 0; i < 5; i++)
        assert_int_equal(table.state.pile[i].opened_t_ns, 3 * S);
}

static void a_card_should_be_in_one_place_only(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_TOTAL_MADNESS, 2);
    table_send(&table);
    table_see_card(&table, 1, &table.deck[5]);
    table_see_card(&table, 2, &table.deck[5]); /* somebody moved it */
    assert_int_equal(table.state.cards, 1);
    table_start(&table, 0);
    assert_int_equal(table_said(&table, DECISION_CARD)->slot, 2);
}

static void a_bad_picture_should_show_no_cards(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_QUICK_PLAY, 2);
    table_send(&table);
    table_see_card(&table, 3, &table.deck[30]);
    table.event.health = REASON_BIT(REASON_MAT_MOVED);
    table_kind(&table, EVENT_HEALTH);
    assert_int_equal(table.state.cards, 0); /* it comes anew */
    table_see_card(&table, 3, &table.deck[31]);
    table_kind(&table, EVENT_HEALTH);
    table_start(&table, 0);
    assert_null(table_nth(&table, DECISION_CARD, 0));
    table_see_card(&table, 3, &table.deck[30]);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
}

static void a_card_in_a_pause_should_wait_for_its_end(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table_kind(&table, EVENT_PAUSE);
    table_see_card(&table, 3, &table.deck[30]);
    assert_int_equal(table.out.count, 0);
    table_tick(&table, S);
    table_kind(&table, EVENT_RESUME);
    assert_string_equal(table_said(&table, DECISION_CARD)->card, "L3-07");
    assert_int_equal(table.state.pile[0].opened_t_ns, S);
}

static void a_printed_match_should_end_after_its_number_of_cards(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 3);
    table_begin(&table);
    for (int i = 0; i < 3; i++) {
        table_see_card(&table, 3, &table.deck[i * 7]);
        table_act(&table, EVENT_AWARD, 1 + i % 2, 0);
    }
    assert_int_equal(table.state.phase, PHASE_OVER);
    assert_int_equal(table.state.cards, 3);
}

static void a_tie_on_a_printed_card_should_make_the_match_a_card_longer(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_TIE, TIE_REPLAY_CARD);
    table_option(&table, OPTION_ROUNDS, 1);
    table_begin(&table);
    table_see_card(&table, 3, &table.deck[0]);
    table.t_ns = S;
    table_layout(&table, 1, &table.deck[0].grid);
    table_layout(&table, 2, &table.deck[0].grid);
    table_tick(&table, S);
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_TIED);
    assert_int_equal(table.state.phase, PHASE_PLAY);
    table_see_card(&table, 3, &table.deck[1]);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
}

static void a_card_that_nobody_may_win_should_be_set_aside(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_QUICK_PLAY, 2);
    table.event.setup.rules.handicap[0].min_level = 3;
    table.event.setup.rules.handicap[1].min_level = 4;
    table_begin(&table);
    table_see_card(&table, 3, &table.deck[20]);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    assert_int_equal(table_said(&table, DECISION_SET_ASIDE)->why, WHY_BELOW_LEVEL);
    table_see_card(&table, 3, &table.deck[30]);
    assert_null(table_nth(&table, DECISION_SET_ASIDE, 0));
}

/* --- Said by a person --------------------------------------------------------------------------
 */

static void set_card(struct table *table, int slot, const struct card *card)
{
    table->event.act.card = *card;
    table_act(table, EVENT_SET_CARD, 0, slot);
}

static void a_person_should_say_which_card_lies_there(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    set_card(&table, 0, &table.deck[30]);
    assert_string_equal(table_said(&table, DECISION_CARD)->card, "L3-07");
    table_act(&table, EVENT_AWARD, 1, 0);
    set_card(&table, 3, &table.deck[30]);
    table_refused(&table, WHY_CARD_USED);
    struct card none = table.deck[31];
    none.grid.rows = 0;
    set_card(&table, 3, &none);
    table_refused(&table, WHY_NOT_IN_DECK);
    none = table.deck[31];
    none.level = 9;
    set_card(&table, 3, &none);
    table_refused(&table, WHY_BAD_VALUE);
    set_card(&table, 4, &table.deck[31]);
    table_refused(&table, WHY_UNKNOWN_SLOT);
}

static void a_person_should_put_a_misread_card_right(void **unused)
{
    (void)unused;
    struct table table;
    quick_play(&table);
    table_see_card(&table, 3, &table.deck[30]);
    uint64_t attempt = table.state.pile[0].attempt;
    table_act(&table, EVENT_PENALISE, 1, 0);
    set_card(&table, 3, &table.deck[31]);
    assert_string_equal(table_said(&table, DECISION_CARD)->card, "L3-08");
    assert_int_equal(table.state.pile[0].last_attempt, attempt);
    assert_int_not_equal(table.state.pile[0].attempt, attempt);
    assert_int_equal(table.state.pile[0].out, 0); /* the error was made on the wrong card */
    assert_int_equal(table.state.cards, 1);
    set_card(&table, 3, &table.deck[31]);
    table_refused(&table, WHY_CARD_USED);
    table_see_card(&table, 3, &table.deck[30]); /* the camera still thinks otherwise */
    table_refused(&table, WHY_CARD_DIFFERS);
}

static void a_person_should_not_set_cards_that_the_engine_deals(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_begin(&table);
    set_card(&table, 3, &table.deck[30]);
    table_refused(&table, WHY_NOT_IN_THIS_GAME);
}

static void a_pile_that_is_gone_should_take_no_card(void **unused)
{
    (void)unused;
    struct table table;
    printed(&table, GAME_TOTAL_MADNESS, 1);
    table_begin(&table);
    table_see_card(&table, 1, &table.deck[0]);
    table_act(&table, EVENT_AWARD, 1, 1);
    table_see_card(&table, 1, &table.deck[1]);
    assert_int_equal(table.out.count, 0);
    set_card(&table, 1, &table.deck[1]);
    table_refused(&table, WHY_DECK_EMPTY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_that_is_seen_should_come_into_play),
        cmocka_unit_test(a_card_elsewhere_should_mean_nothing),
        cmocka_unit_test(only_a_sure_reading_should_count),
        cmocka_unit_test(a_card_not_in_the_deck_should_be_known_by_its_grid),
        cmocka_unit_test(a_card_that_was_used_should_not_come_back),
        cmocka_unit_test(another_card_should_change_nothing_and_be_said_once),
        cmocka_unit_test(the_card_beneath_should_come_when_the_one_above_is_won),
        cmocka_unit_test(a_card_that_is_put_back_should_not_be_followed_by_another),
        cmocka_unit_test(a_card_under_a_hand_should_not_wait),
        cmocka_unit_test(cards_that_lie_there_before_the_start_should_come_at_the_signal),
        cmocka_unit_test(a_card_should_be_in_one_place_only),
        cmocka_unit_test(a_bad_picture_should_show_no_cards),
        cmocka_unit_test(a_card_in_a_pause_should_wait_for_its_end),
        cmocka_unit_test(a_printed_match_should_end_after_its_number_of_cards),
        cmocka_unit_test(a_tie_on_a_printed_card_should_make_the_match_a_card_longer),
        cmocka_unit_test(a_card_that_nobody_may_win_should_be_set_aside),
        cmocka_unit_test(a_person_should_say_which_card_lies_there),
        cmocka_unit_test(a_person_should_put_a_misread_card_right),
        cmocka_unit_test(a_person_should_not_set_cards_that_the_engine_deals),
        cmocka_unit_test(a_pile_that_is_gone_should_take_no_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
