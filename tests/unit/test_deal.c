#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/match_table.h"

/* The ids of the cards dealt, in order, with a space after each. */
static void dealt_ids(const struct match_state *state, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; i < state->cards; i++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s ", state->card[i].card.id);
    }
}

/* No card twice, spares included. */
static void assert_no_card_twice(const struct match_state *state)
{
    for (int i = 0; i < state->cards + state->spares; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(state->card[i].card.id, state->card[j].card.id);
}

static void quick_play_should_deal_ten_cards_or_as_many_as_the_rounds(void **unused)
{
    (void)unused;
    static const int rounds[][2] = {{0, 10}, {1, 1}, {7, 7}, {60, 60}};
    for (int i = 0; i < 4; i++) {
        struct table table;
        table_prepare(&table, GAME_QUICK_PLAY, 3);
        table_option(&table, OPTION_ROUNDS, rounds[i][0]);
        table_send(&table);
        assert_int_equal(table.state.phase, PHASE_READY);
        assert_int_equal(table.state.piles, 1);
        assert_int_equal(table.state.cards, rounds[i][1]);
        assert_int_equal(table.state.dealt, rounds[i][1]);
        assert_no_card_twice(&table.state);
    }
}

static void total_madness_should_deal_a_card_of_each_level_for_each_player(void **unused)
{
    (void)unused;
    for (int players = 1; players <= PLAYERS_MAX; players++) {
        struct table table;
        table_prepare(&table, GAME_TOTAL_MADNESS, players);
        table_send(&table);
        assert_int_equal(table.state.piles, 5);
        assert_int_equal(table.state.cards, 5 * players);
        for (int i = 0; i < table.state.cards; i++)
            assert_int_equal(table.state.card[i].card.level, table.state.card[i].pile + 1);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(table.state.pile[i].left, players);
            assert_int_equal(table.state.pile[i].slot, i + 1);
        }
        assert_no_card_twice(&table.state);
    }
}

static void own_stacks_should_be_equal_piles(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 4);
    table_option(&table, OPTION_OWN_STACKS, 1);
    table_option(&table, OPTION_ROUNDS, 15);
    table_send(&table);
    assert_int_equal(table.state.piles, 4);
    assert_int_equal(table.state.cards, 60);
    assert_int_equal(table.state.spares, 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(table.state.pile[i].owner, i);
        assert_int_equal(table.state.pile[i].left, 15);
    }
    assert_no_card_twice(&table.state);
}

static void a_deck_too_small_should_be_refused_by_name(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 61);
    table_send(&table);
    table_refused(&table, WHY_DECK_TOO_SMALL);
    assert_int_equal(table.state.phase, PHASE_NONE);

    table_prepare(&table, GAME_TOTAL_MADNESS, 4);
    table.event.setup.card_count = 51; /* three of level 5 */
    table_send(&table);
    table_refused(&table, WHY_DECK_TOO_SMALL);

    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table.event.setup.cards = NULL;
    table_send(&table);
    table_refused(&table, WHY_DECK_TOO_SMALL);

    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table.event.setup.card_count = DECK_CARDS_MAX + 1;
    table_send(&table);
    table_refused(&table, WHY_BAD_SETUP);
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_send(&table); /* and a better one is taken */
    assert_int_equal(table.state.phase, PHASE_READY);
}

static void a_refused_set_up_should_leave_no_trace(void **unused)
{
    (void)unused;
    struct table table;
    struct match_state clear;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 61);
    table_send(&table);
    referee_state_clear(&clear);
    clear.seq = table.state.seq;
    assert_memory_equal(&table.state, &clear, sizeof clear);
}

static void the_same_seed_should_deal_the_same_cards_and_another_others(void **unused)
{
    (void)unused;
    struct table a, b;
    char first[1000], second[1000];
    table_prepare(&a, GAME_QUICK_PLAY, 2);
    table_send(&a);
    table_prepare(&b, GAME_QUICK_PLAY, 2);
    table_send(&b);
    assert_memory_equal(&a.state, &b.state, sizeof a.state);
    dealt_ids(&a.state, first, sizeof first);
    table_prepare(&b, GAME_QUICK_PLAY, 2);
    b.event.setup.seed = 8;
    table_send(&b);
    dealt_ids(&b.state, second, sizeof second);
    assert_string_not_equal(first, second);
}

/* These orders are part of RULES_VERSION: a recorded match must be dealt alike for ever. */
static void a_seed_should_deal_what_it_always_has(void **unused)
{
    (void)unused;
    struct table table;
    char text[1000];
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_send(&table);
    dealt_ids(&table.state, text, sizeof text);
    assert_string_equal(text, "L4-12 L1-10 L3-06 L2-12 L3-12 L1-08 L5-11 L2-10 L3-10 L3-02 ");
    table_prepare(&table, GAME_TOTAL_MADNESS, 2);
    table.event.setup.seed = UINT64_MAX;
    table_send(&table);
    dealt_ids(&table.state, text, sizeof text);
    assert_string_equal(text, "L1-04 L1-03 L2-08 L2-07 L3-01 L3-04 L4-07 L4-06 L5-09 L5-04 ");
}

/* Over 6000 deals each of 60 cards should come at each of 10 places about 100 times: the chi-square
 * of 599 degrees of freedom is below 717 with 999 in 1000 draws; the seeds are fixed. */
static void every_card_should_come_at_every_place_alike(void **unused)
{
    (void)unused;
    static int count[TABLE_CARDS][10];
    struct table table;
    for (uint64_t seed = 0; seed < 6000; seed++) {
        table_prepare(&table, GAME_QUICK_PLAY, 2);
        table.event.setup.seed = seed;
        table_send(&table);
        for (int i = 0; i < 10; i++) {
            const struct card *card = &table.state.card[i].card;
            count[(card->level - 1) * 12 + (card->id[3] - '0') * 10 + card->id[4] - '1'][i]++;
        }
    }
    double chi = 0;
    for (int card = 0; card < TABLE_CARDS; card++)
        for (int i = 0; i < 10; i++)
            chi += (count[card][i] - 100) * (count[card][i] - 100) / 100.0;
    assert_true(chi > 480 && chi < 717);
}

static void cards_below_everybodys_level_should_not_be_dealt(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 36);
    table.event.setup.rules.handicap[0].min_level = 3;
    table.event.setup.rules.handicap[1].min_level = 4;
    table_send(&table);
    assert_int_equal(table.state.cards, 36);
    for (int i = 0; i < table.state.cards; i++)
        assert_true(table.state.card[i].card.level >= 3);
}

static void own_stacks_should_find_the_cards_of_the_strictest_handicap(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct table table;
        table_prepare(&table, GAME_QUICK_PLAY, 3);
        table_option(&table, OPTION_OWN_STACKS, 1);
        table_option(&table, OPTION_ROUNDS, 12);
        table.event.setup.rules.handicap[1].min_level = 4;
        table.event.setup.rules.handicap[2].min_level = 5;
        table.event.setup.seed = seed;
        table_send(&table);
        assert_int_equal(table.state.cards, 36);
        for (int i = 0; i < 36; i++) {
            const struct match_card *card = &table.state.card[i];
            if (card->pile > 0)
                assert_true(card->card.level >= card->pile + 3);
        }
        assert_no_card_twice(&table.state);
    }
}

static void a_card_without_level_or_grid_should_not_be_dealt(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 57);
    table.deck[3].level = 0;
    table.deck[4].level = 6;
    table.deck[5].grid.rows = 0;
    table_send(&table);
    assert_int_equal(table.state.cards, 57);
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 58);
    table.deck[3].level = -1;
    table.deck[4].grid.cols = 200;
    table.deck[5].grid.rows = 0;
    table_send(&table);
    table_refused(&table, WHY_DECK_TOO_SMALL);
}

static void spares_should_be_kept_for_cards_that_are_replayed(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_TOTAL_MADNESS, 2);
    table_send(&table);
    assert_int_equal(table.state.spares, 10);
    for (int i = 0; i < 10; i++)
        assert_int_equal(table.state.card[10 + i].card.level, table.state.card[10 + i].pile + 1);
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 59);
    table_send(&table);
    assert_int_equal(table.state.spares, 1);
}

static void printed_cards_should_only_be_counted(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_TOTAL_MADNESS, 3);
    table_option(&table, OPTION_CARDS, CARDS_PRINTED);
    table.event.setup.cards = NULL;
    table_send(&table);
    assert_int_equal(table.state.cards, 0);
    assert_int_equal(table.state.dealt, 15);
}

static void a_large_deck_should_be_dealt_from(void **unused)
{
    (void)unused;
    static struct card deck[DECK_CARDS_MAX];
    struct table table;
    int last = 0;
    table_deck(table.deck);
    for (int i = 0; i < DECK_CARDS_MAX; i++) {
        deck[i] = table.deck[0];
        snprintf(deck[i].id, sizeof deck[i].id, "%d", i);
    }
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_option(&table, OPTION_ROUNDS, 200);
    table.event.setup.cards = deck;
    table.event.setup.card_count = DECK_CARDS_MAX;
    table_send(&table);
    assert_int_equal(table.state.cards, 200);
    assert_no_card_twice(&table.state);
    for (int i = 0; i < 200; i++)
        last += table.state.card[i].card.id[0] == '1';
    assert_in_range(last, 80, 135); /* half of the numbers below 20,000 begin with 1 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick_play_should_deal_ten_cards_or_as_many_as_the_rounds),
        cmocka_unit_test(total_madness_should_deal_a_card_of_each_level_for_each_player),
        cmocka_unit_test(own_stacks_should_be_equal_piles),
        cmocka_unit_test(a_deck_too_small_should_be_refused_by_name),
        cmocka_unit_test(a_refused_set_up_should_leave_no_trace),
        cmocka_unit_test(the_same_seed_should_deal_the_same_cards_and_another_others),
        cmocka_unit_test(a_seed_should_deal_what_it_always_has),
        cmocka_unit_test(every_card_should_come_at_every_place_alike),
        cmocka_unit_test(cards_below_everybodys_level_should_not_be_dealt),
        cmocka_unit_test(own_stacks_should_find_the_cards_of_the_strictest_handicap),
        cmocka_unit_test(a_card_without_level_or_grid_should_not_be_dealt),
        cmocka_unit_test(spares_should_be_kept_for_cards_that_are_replayed),
        cmocka_unit_test(printed_cards_should_only_be_counted),
        cmocka_unit_test(a_large_deck_should_be_dealt_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
