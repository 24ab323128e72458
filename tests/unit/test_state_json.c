#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/state_json.h"
#include "tests/unit/match_sample.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static char *written(const struct match_state *match)
{
    struct json_text json;
    vision_json_init(&json);
    referee_state_json(match, &json);
    assert_false(json.failed);
    assert_null(strchr(json.bytes, '\n'));
    return json.bytes;
}

static json_t *state_object(const struct match_state *match)
{
    char *text = written(match);
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_true(json_is_object(object));
    free(text);
    return object;
}

static void should_write_a_state_before_any_event(void **state)
{
    static struct match_state match;
    (void)state;
    memset(&match, 0, sizeof match);
    json_t *object = state_object(&match);
    assert_string_equal(json_string_value(json_object_get(object, "phase")), "none");
    assert_true(json_is_null(json_object_get(object, "game")));
    assert_int_equal(json_array_size(json_object_get(object, "players")), 0);
    json_decref(object);
}

static void should_not_tell_a_card_that_is_still_to_come(void **state)
{
    static struct match_state match;
    (void)state;
    sample_match(&match);
    char *text = written(&match);
    assert_null(strstr(text, SAMPLE_HIDDEN));
    free(text);
    match.card[2].place = CARD_SPARE;
    text = written(&match);
    assert_null(strstr(text, SAMPLE_HIDDEN));
    free(text);
    match.card[2].place = CARD_SET_ASIDE;
    text = written(&match);
    assert_non_null(strstr(text, SAMPLE_HIDDEN));
    free(text);
}

static void should_tell_the_seed_only_when_all_is_over(void **state)
{
    static const enum phase phases[] = {PHASE_READY, PHASE_COUNTDOWN, PHASE_PLAY, PHASE_OVER,
                                        PHASE_ABANDONED};
    static struct match_state match;
    (void)state;
    sample_match(&match);
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        match.phase = phases[i];
        json_t *object = state_object(&match);
        assert_int_equal(json_is_integer(json_object_get(object, "seed")),
                         phases[i] == PHASE_OVER || phases[i] == PHASE_ABANDONED);
        json_decref(object);
    }
}

static void should_list_won_cards_in_the_order_they_were_won(void **state)
{
    static struct match_state match;
    (void)state;
    sample_match(&match);
    match.card[0].won_order = 2;
    match.card[1].place = CARD_WON;
    match.card[1].won_order = 1;
    match.card[1].holders = 3;
    match.pile[0].top = -1;
    json_t *object = state_object(&match);
    const json_t *won = json_object_get(object, "won");
    assert_int_equal(json_array_size(won), 2);
    const json_t *first = json_array_get(won, 0);
    assert_string_equal(json_string_value(json_object_get(first, "id")), "L4-01");
    assert_int_equal(json_array_size(json_object_get(first, "seats")), 2);
    assert_true(
        json_is_null(json_object_get(json_array_get(json_object_get(object, "piles"), 0), "card")));
    json_decref(object);
}

static void should_say_what_each_row_of_the_ramp_scores(void **state)
{
    static const int wanted[RAMP_SIDE] = {5, 4, 3, 0, 0};
    static struct match_state match;
    (void)state;
    sample_make5(&match);
    memcpy(match.ramp.disc[0], "rrrrr", RAMP_SIDE);
    memcpy(match.ramp.disc[1], "gwggg", RAMP_SIDE);
    memcpy(match.ramp.disc[2], "b.byb", RAMP_SIDE);
    memcpy(match.ramp.disc[3], "y..yw", RAMP_SIDE);
    json_t *object = state_object(&match);
    const json_t *ramp = json_object_get(object, "make5");
    const json_t *rows = json_object_get(ramp, "points_by_row");
    for (size_t row = 0; row < RAMP_SIDE; row++)
        assert_int_equal(json_integer_value(json_array_get(rows, row)), wanted[row]);
    assert_int_equal(json_integer_value(json_object_get(ramp, "points")), 12);
    json_decref(object);
}

static void should_stop_the_clock_it_shows_while_play_rests(void **state)
{
    static struct match_state match;
    (void)state;
    sample_match(&match);
    match.paused = true;
    match.stopped_since_t_ns = match.t_ns;
    json_t *object = state_object(&match);
    assert_true(json_is_false(json_object_get(object, "clock_runs")));
    assert_true(json_is_true(json_object_get(object, "paused")));
    json_decref(object);
}

/* Numbers that no engine of ours makes: nothing may be read past its array. */
static void should_bear_any_numbers(void **state)
{
    static const int fill[] = {0x7f, 0x80, 0xff, 0x01};
    static struct match_state match;
    (void)state;
    for (size_t i = 0; i < sizeof fill / sizeof fill[0]; i++) {
        memset(&match, fill[i], sizeof match);
        match.paused = false;
        memset(match.deck, 0, sizeof match.deck);
        memset(match.digest, 0, sizeof match.digest);
        memset(match.player, 0, sizeof match.player);
        memset(match.view, 0, sizeof match.view);
        memset(match.claim, 0, sizeof match.claim);
        memset(match.card, 0, sizeof match.card);
        memset(match.ramp.colours, 0, sizeof match.ramp.colours);
        match.ramp.open = match.ramp.illegal = true;
        match.ramp.clearing = match.ramp.covered = false;
        match.pile[0].differs = false;
        match.game = i % 2 ? GAME_MAKE5 : GAME_QUICK_PLAY;
        for (int p = 0; p < PLAYERS_MAX; p++)
            match.claim[p].stage = match.claim[p].pile = (int8_t)fill[i];
        for (int c = 0; c < MATCH_CARDS_MAX; c++) {
            match.card[c].place = CARD_WON;
            match.card[c].won_order = (int16_t)(c * 3 - 9);
        }
        json_decref(state_object(&match));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_write_a_state_before_any_event),
        cmocka_unit_test(should_not_tell_a_card_that_is_still_to_come),
        cmocka_unit_test(should_tell_the_seed_only_when_all_is_over),
        cmocka_unit_test(should_list_won_cards_in_the_order_they_were_won),
        cmocka_unit_test(should_say_what_each_row_of_the_ramp_scores),
        cmocka_unit_test(should_stop_the_clock_it_shows_while_play_rests),
        cmocka_unit_test(should_bear_any_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
