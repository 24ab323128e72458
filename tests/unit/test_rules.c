#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/rules.h"

#include <stdio.h>
#include <string.h>

/* The options as the rules' page gives them, with the default. */
static const struct expected {
    enum option option;
    const char *name, *usual;
    const char *words; /* "" for a number */
} expected[] = {
    {OPTION_ROTATION, "rotation", "any", "any seat"},
    {OPTION_CARDS, "cards", "virtual", "virtual printed"},
    {OPTION_ROUNDS, "rounds", "0", ""},
    {OPTION_CLAIMS, "claims", "auto", "auto called"},
    {OPTION_CLAIM_WINDOW, "claim_window", "3000", ""},
    {OPTION_CLAIM_ERROR, "claim_error", "20", ""},
    {OPTION_FRAME_INTERVAL, "frame_interval", "33333", ""},
    {OPTION_SETTLE_FRAMES, "settle_frames", "3", ""},
    {OPTION_ALL_OUT, "all_out", "set_aside", "set_aside reopen"},
    {OPTION_TIE, "tie", "review", "review replay_card share"},
    {OPTION_PAUSE_ON_CLAIM, "pause_on_claim", "clock", "clock freeze"},
    {OPTION_FALSE_START, "false_start", "warn", "warn bar_first_card ignore"},
    {OPTION_COUNTDOWN, "countdown", "3000", ""},
    {OPTION_CARD_TIME, "card_time", "0", ""},
    {OPTION_OWN_STACKS, "own_stacks", "no", "no yes"},
    {OPTION_POLICY_MATCH, "policy_match", "accept", "accept confirm log"},
    {OPTION_POLICY_ERROR, "policy_error", "accept", "accept confirm log"},
    {OPTION_OPENING, "opening", "one_per_track", "one_per_track free"},
    {OPTION_SAME_TRACK, "same_track", "allowed", "allowed forbidden"},
    {OPTION_ADVANCED, "advanced", "no", "no yes"},
    {OPTION_LAST_MOVE_TIME, "last_move_time", "30", ""},
    {OPTION_ALIGN_FREE, "align_free", "300", ""},
    {OPTION_ALIGN_DOUBT, "align_doubt", "450", ""},
    {OPTION_TURN_FREE, "turn_free", "12", ""},
    {OPTION_TURN_DOUBT, "turn_doubt", "20", ""},
    {OPTION_APART, "apart", "500", ""},
};

static void words_join(const struct rule_option *option, char *text, size_t size)
{
    text[0] = 0;
    for (int i = 0; option->words && option->words[i]; i++) {
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", i ? " " : "", option->words[i]);
    }
}

static void every_option_should_have_its_name_words_and_default(void **unused)
{
    (void)unused;
    assert_int_equal(sizeof expected / sizeof expected[0], OPTION_COUNT);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct rule_option *option = referee_option(expected[i].option);
        char text[100];
        assert_int_equal(expected[i].option, i);
        assert_string_equal(option->name, expected[i].name);
        words_join(option, text, sizeof text);
        assert_string_equal(text, expected[i].words);
        if (option->words)
            snprintf(text, sizeof text, "%s", option->words[option->usual]);
        else
            snprintf(text, sizeof text, "%d", option->usual);
        assert_string_equal(text, expected[i].usual);
        assert_in_range(option->usual, option->least, option->most);
        assert_int_equal(referee_option_find(option->name), i);
    }
}

static void a_number_outside_the_list_should_be_no_option(void **unused)
{
    (void)unused;
    assert_null(referee_option(OPTION_COUNT));
    assert_null(referee_option((enum option) - 1));
    assert_int_equal(referee_option_find("nothing"), OPTION_COUNT);
    assert_int_equal(referee_option_find(""), OPTION_COUNT);
}

static void every_word_should_set_its_place(void **unused)
{
    (void)unused;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct rule_option *option = referee_option((enum option)i);
        struct rules rules;
        referee_rules_default(&rules);
        for (int word = 0; option->words && option->words[word]; word++) {
            assert_int_equal(referee_rules_set(&rules, (enum option)i, option->words[word]), 1);
            assert_int_equal(rules.value[i], word);
        }
        assert_int_equal(referee_rules_set(&rules, (enum option)i, "nonsense"), 0);
        assert_int_equal(referee_rules_set(&rules, (enum option)i, ""), 0);
        if (option->words)
            assert_int_equal(referee_rules_set(&rules, (enum option)i, "0"), 0);
    }
}

static void a_number_should_be_set_within_its_bounds_only(void **unused)
{
    (void)unused;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct rule_option *option = referee_option((enum option)i);
        struct rules rules, before;
        char text[32];
        referee_rules_default(&rules);
        if (option->words)
            continue;
        snprintf(text, sizeof text, "%d", option->most);
        assert_int_equal(referee_rules_set(&rules, (enum option)i, text), 1);
        assert_int_equal(rules.value[i], option->most);
        snprintf(text, sizeof text, "%d", option->least);
        assert_int_equal(referee_rules_set(&rules, (enum option)i, text), 1);
        assert_int_equal(rules.value[i], option->least);
        before = rules;
        snprintf(text, sizeof text, "%d", option->most + 1);
        assert_int_equal(referee_rules_set(&rules, (enum option)i, text), 0);
        snprintf(text, sizeof text, "%d", option->least - 1);
        assert_int_equal(referee_rules_set(&rules, (enum option)i, text), 0);
        assert_memory_equal(&rules, &before, sizeof rules);
    }
}

static void text_that_is_no_number_should_be_refused(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"-1", "+5", " 5", "5 ", "5s", "0x5", "99999999999", "1e3"};
    struct rules rules;
    referee_rules_default(&rules);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(referee_rules_set(&rules, OPTION_COUNTDOWN, texts[i]), 0);
    assert_int_equal(rules.value[OPTION_COUNTDOWN], 3000);
    assert_int_equal(referee_rules_set(&rules, OPTION_COUNT, "5"), 0);
}

static void defaults_should_fit_every_game_and_number_of_players(void **unused)
{
    (void)unused;
    struct rules rules;
    referee_rules_default(&rules);
    for (int players = 1; players <= PLAYERS_MAX; players++) {
        assert_null(referee_rules_check(&rules, GAME_QUICK_PLAY, players));
        assert_null(referee_rules_check(&rules, GAME_TOTAL_MADNESS, players));
    }
    assert_null(referee_rules_check(&rules, GAME_MAKE5, 2));
    assert_string_equal(referee_rules_check(&rules, GAME_MAKE5, 3), "players");
    assert_string_equal(referee_rules_check(&rules, GAME_QUICK_PLAY, 0), "players");
    assert_string_equal(referee_rules_check(&rules, GAME_QUICK_PLAY, 5), "players");
}

static void an_option_out_of_its_bounds_should_be_named(void **unused)
{
    (void)unused;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct rule_option *option = referee_option((enum option)i);
        struct rules rules;
        referee_rules_default(&rules);
        rules.value[i] = option->most + 1;
        assert_string_equal(referee_rules_check(&rules, GAME_QUICK_PLAY, 2), option->name);
        rules.value[i] = option->least - 1;
        assert_string_equal(referee_rules_check(&rules, GAME_QUICK_PLAY, 2), option->name);
    }
}

static const char *check_with(enum option option, int32_t value, enum game game, int players)
{
    struct rules rules;
    referee_rules_default(&rules);
    rules.value[option] = value;
    return referee_rules_check(&rules, game, players);
}

static void options_that_clash_should_be_named(void **unused)
{
    (void)unused;
    assert_null(check_with(OPTION_OWN_STACKS, 1, GAME_QUICK_PLAY, 2));
    assert_string_equal(check_with(OPTION_OWN_STACKS, 1, GAME_TOTAL_MADNESS, 2), "own_stacks");
    assert_string_equal(check_with(OPTION_OWN_STACKS, 1, GAME_MAKE5, 2), "own_stacks");
    assert_string_equal(check_with(OPTION_ALIGN_FREE, 451, GAME_QUICK_PLAY, 2), "align_free");
    assert_string_equal(check_with(OPTION_TURN_FREE, 21, GAME_QUICK_PLAY, 2), "turn_free");
    assert_null(check_with(OPTION_ROUNDS, 200, GAME_QUICK_PLAY, 4));
    assert_null(check_with(OPTION_ROUNDS, 30, GAME_MAKE5, 2));
    assert_string_equal(check_with(OPTION_ROUNDS, 31, GAME_MAKE5, 2), "rounds");
}

static void own_stacks_should_not_hold_more_cards_than_a_match(void **unused)
{
    (void)unused;
    struct rules rules;
    referee_rules_default(&rules);
    rules.value[OPTION_OWN_STACKS] = 1;
    rules.value[OPTION_ROUNDS] = 50;
    assert_null(referee_rules_check(&rules, GAME_QUICK_PLAY, 4));
    rules.value[OPTION_ROUNDS] = 51;
    assert_string_equal(referee_rules_check(&rules, GAME_QUICK_PLAY, 4), "rounds");
    assert_null(referee_rules_check(&rules, GAME_QUICK_PLAY, 3));
}

static void a_handicap_should_be_possible(void **unused)
{
    (void)unused;
    struct rules rules;
    referee_rules_default(&rules);
    rules.handicap[0].min_level = 5;
    rules.handicap[1].delay_ms = 3000;
    assert_null(referee_rules_check(&rules, GAME_TOTAL_MADNESS, 2));
    /* Nobody left for the piles of the lower levels. */
    assert_string_equal(referee_rules_check(&rules, GAME_TOTAL_MADNESS, 1), "handicap");
    assert_null(referee_rules_check(&rules, GAME_QUICK_PLAY, 1));
    rules.handicap[1].delay_ms = -1;
    assert_string_equal(referee_rules_check(&rules, GAME_QUICK_PLAY, 2), "handicap");
    assert_null(referee_rules_check(&rules, GAME_QUICK_PLAY, 1));
    rules.handicap[0].min_level = 6;
    assert_string_equal(referee_rules_check(&rules, GAME_QUICK_PLAY, 1), "handicap");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_should_have_its_name_words_and_default),
        cmocka_unit_test(a_number_outside_the_list_should_be_no_option),
        cmocka_unit_test(every_word_should_set_its_place),
        cmocka_unit_test(a_number_should_be_set_within_its_bounds_only),
        cmocka_unit_test(text_that_is_no_number_should_be_refused),
        cmocka_unit_test(defaults_should_fit_every_game_and_number_of_players),
        cmocka_unit_test(an_option_out_of_its_bounds_should_be_named),
        cmocka_unit_test(options_that_clash_should_be_named),
        cmocka_unit_test(own_stacks_should_not_hold_more_cards_than_a_match),
        cmocka_unit_test(a_handicap_should_be_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
