#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/match.h"

#include <string.h>

static void clear(struct match_state *state, enum game game, int players)
{
    referee_state_clear(state);
    state->game = game;
    state->players = (int8_t)players;
    for (int p = 0; p < players; p++)
        state->player[p].finished_clock_ns = -1;
}

/* These players (bits) won a card of that level. */
static void won(struct match_state *state, unsigned players, int level)
{
    struct match_card *card = &state->card[state->cards++];
    card->card.level = level;
    card->place = CARD_WON;
    card->holders = (uint8_t)players;
    card->won_order = ++state->wins;
}

static void assert_ranks(struct match_state *state, const int8_t *ranks)
{
    referee_score(state);
    referee_rank(state);
    for (int p = 0; p < state->players; p++)
        assert_int_equal(state->player[p].rank, ranks[p]);
}

static void quick_play_should_count_cards(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_QUICK_PLAY, 2);
    for (int level = 1; level <= 5; level++)
        won(&state, 1, level);
    won(&state, 2, 5);
    referee_score(&state);
    assert_int_equal(state.player[0].points, 5);
    assert_int_equal(state.player[0].cards, 5);
    assert_int_equal(state.player[1].points, 1);
    assert_int_equal(state.player[1].by_level[5], 1);
}

static void total_madness_should_weigh_levels(void **unused)
{
    (void)unused;
    static const int worth[] = {1, 1, 2, 3, 3};
    for (int level = 1; level <= 5; level++) {
        struct match_state state;
        clear(&state, GAME_TOTAL_MADNESS, 1);
        won(&state, 1, level);
        referee_score(&state);
        assert_int_equal(state.player[0].points, worth[level - 1]);
        assert_int_equal(state.player[0].cards, 1);
    }
}

static void a_card_that_is_not_held_should_count_for_nobody(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_QUICK_PLAY, 2);
    won(&state, 1, 3);
    won(&state, 1, 3);
    state.card[0].place = CARD_SET_ASIDE;
    state.card[0].holders = 0;
    referee_score(&state);
    assert_int_equal(state.player[0].points, 1);
}

static void a_shared_card_should_count_for_each(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_TOTAL_MADNESS, 3);
    won(&state, 5, 4);
    assert_ranks(&state, (int8_t[]){1, 3, 1});
    assert_int_equal(state.player[0].points, 3);
    assert_int_equal(state.player[2].points, 3);
}

static void equal_cards_should_be_told_by_levels_from_the_highest(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_QUICK_PLAY, 4);
    /* Three cards each. */
    static const int levels[4][3] = {{5, 1, 1}, {4, 4, 4}, {5, 2, 1}, {5, 1, 2}};
    for (int p = 0; p < 4; p++)
        for (int i = 0; i < 3; i++)
            won(&state, 1U << p, levels[p][i]);
    assert_ranks(&state, (int8_t[]){3, 4, 1, 1});
}

static void equal_points_should_be_told_by_levels_too(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_TOTAL_MADNESS, 3);
    won(&state, 1, 4); /* three points: a card of level 4 */
    won(&state, 2, 5); /* of level 5 */
    for (int i = 0; i < 3; i++)
        won(&state, 4, 2); /* three cards, three points */
    assert_ranks(&state, (int8_t[]){2, 1, 3});
}

static void most_points_should_beat_most_cards(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_TOTAL_MADNESS, 2);
    won(&state, 1, 1);
    won(&state, 1, 2);
    won(&state, 2, 5);
    assert_ranks(&state, (int8_t[]){2, 1});
}

static void players_alike_in_all_should_share_a_place(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_QUICK_PLAY, 4);
    won(&state, 1, 3);
    won(&state, 2, 3);
    won(&state, 4, 2);
    assert_ranks(&state, (int8_t[]){1, 1, 3, 4});
}

static void own_stacks_should_be_placed_by_cards_then_time_then_levels(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_QUICK_PLAY, 4);
    state.rules.value[OPTION_OWN_STACKS] = 1;
    for (int p = 0; p < 4; p++) {
        won(&state, 1U << p, p == 2 ? 5 : 1);
        won(&state, 1U << p, 2);
    }
    won(&state, 8, 1); /* one more, but never finished */
    state.player[0].finished_clock_ns = 70;
    state.player[1].finished_clock_ns = 50;
    assert_ranks(&state, (int8_t[]){3, 2, 4, 1});
    state.player[0].finished_clock_ns = -1;
    assert_ranks(&state, (int8_t[]){4, 2, 3, 1});
}

static void make5_should_count_the_rounds_as_maker(void **unused)
{
    (void)unused;
    struct match_state state;
    clear(&state, GAME_MAKE5, 2);
    static const int8_t points[] = {9, 12, 8, 3};
    for (int i = 0; i < 4; i++) {
        state.ramp.points[i] = points[i];
        state.ramp.makers[i] = (int8_t)(i % 2);
    }
    assert_ranks(&state, (int8_t[]){1, 2});
    assert_int_equal(state.player[0].points, 17);
    assert_int_equal(state.player[1].points, 15);
    state.ramp.points[3] = 5;
    assert_ranks(&state, (int8_t[]){1, 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quick_play_should_count_cards),
        cmocka_unit_test(total_madness_should_weigh_levels),
        cmocka_unit_test(a_card_that_is_not_held_should_count_for_nobody),
        cmocka_unit_test(a_shared_card_should_count_for_each),
        cmocka_unit_test(equal_cards_should_be_told_by_levels_from_the_highest),
        cmocka_unit_test(equal_points_should_be_told_by_levels_too),
        cmocka_unit_test(most_points_should_beat_most_cards),
        cmocka_unit_test(players_alike_in_all_should_share_a_place),
        cmocka_unit_test(own_stacks_should_be_placed_by_cards_then_time_then_levels),
        cmocka_unit_test(make5_should_count_the_rounds_as_maker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
