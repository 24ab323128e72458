/* The final table: for people, as JSON, and as CSV that no spreadsheet takes for a formula. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/match_sample.h"

#include "referee/cmd_results.h"
#include "referee/step.h"

#include <jansson.h>

static struct match_state match;

static char *table(enum results_format format, const char *name, const char *head)
{
    struct json_text out;

    vision_json_init(&out);
    cmd_results(&match, name, head, format, &out);
    assert_false(out.failed);
    return out.bytes; /* a json_text is its bytes */
}

static bool holds(enum results_format format, const char *text)
{
    char *bytes = table(format, "final", SAMPLE_DIGEST);
    bool found = strstr(bytes, text) != NULL;

    if (!found)
        print_message("# no \"%s\" in\n%s\n", text, bytes);
    free(bytes);
    return found;
}

static json_t *table_json(void)
{
    char *bytes = table(RESULTS_JSON, "final", SAMPLE_DIGEST);
    json_t *root = json_loads(bytes, JSON_REJECT_DUPLICATES, NULL);

    assert_non_null(root);
    assert_null(strchr(bytes, '\n'));
    free(bytes);
    return root;
}

static const char *player_text(json_t *root, size_t place, const char *key)
{
    return json_string_value(
        json_object_get(json_array_get(json_object_get(root, "players"), place), key));
}

static int64_t player_number(json_t *root, size_t place, const char *key)
{
    return json_integer_value(
        json_object_get(json_array_get(json_object_get(root, "players"), place), key));
}

/* The match of match_sample.h, over, with a shared card and one set aside. */
static void match_over(void)
{
    sample_match(&match);
    match.phase = PHASE_OVER;
    match.card[1].place = CARD_SET_ASIDE;
    match.card[1].took_ns = 61000500000;
    match.card[2].place = CARD_WON;
    match.card[2].holders = 3;
    match.card[2].attempt = 24;
    match.card[2].took_ns = 1;
    match.pile[0].attempt = 0;
    match.pile[0].top = -1;
    match.player[0].rank = 1;
    match.player[1].rank = 2;
}

static void players_should_stand_by_rank_then_points_then_seat(void **state)
{
    int order[PLAYERS_MAX];

    (void)state;
    match_over();
    match.players = 4;
    for (int p = 0; p < 4; p++)
        match.player[p] =
            (struct player){.seat = (int8_t)(4 - p), .rank = (int8_t)(p == 2 ? 1 : 2)};
    match.player[3].points = 5;
    assert_int_equal(referee_results_order(&match, order), 4);
    const int expected[] = {2, 3, 1, 0};
    assert_memory_equal(order, expected, sizeof expected);
    /* While the match is on nobody has a rank. */
    match.player[2].rank = match.player[3].rank = match.player[0].rank = match.player[1].rank = 0;
    referee_results_order(&match, order);
    const int going[] = {3, 2, 1, 0};
    assert_memory_equal(order, going, sizeof going);
}

static void cards_should_stand_in_the_order_in_which_they_came_into_play(void **state)
{
    int order[MATCH_CARDS_MAX];

    (void)state;
    match_over();
    assert_int_equal(referee_results_cards(&match, order), 3);
    assert_int_equal(order[0], 0);
    assert_int_equal(order[1], 2);
    assert_int_equal(order[2], 1);
    sample_match(&match); /* one in play, one in the stack */
    assert_int_equal(referee_results_cards(&match, order), 1);
}

static void json_should_hold_players_and_cards(void **state)
{
    (void)state;
    match_over();
    json_t *root = table_json();
    assert_string_equal(json_string_value(json_object_get(root, "match")), "final");
    assert_string_equal(json_string_value(json_object_get(root, "head")), SAMPLE_DIGEST);
    assert_string_equal(json_string_value(json_object_get(root, "game")), "quick-play");
    assert_string_equal(json_string_value(json_object_get(root, "phase")), "over");
    assert_string_equal(player_text(root, 0, "name"), "Ada");
    assert_int_equal(player_number(root, 0, "rank"), 1);
    assert_int_equal(player_number(root, 1, "errors"), 1);
    json_t *cards = json_object_get(root, "cards");
    assert_int_equal(json_array_size(cards), 3);
    json_t *shared = json_array_get(cards, 1);
    assert_string_equal(json_string_value(json_object_get(shared, "place")), "won");
    assert_int_equal(json_array_size(json_object_get(shared, "seats")), 2);
    json_t *aside = json_array_get(cards, 2);
    assert_string_equal(json_string_value(json_object_get(aside, "place")), "set_aside");
    assert_int_equal(json_array_size(json_object_get(aside, "seats")), 0);
    assert_int_equal(json_integer_value(json_object_get(aside, "took_ns")), 61000500000);
    json_decref(root);
    /* What is not known is null; nor has anybody a rank while the match is on. */
    sample_match(&match);
    char *bytes = table(RESULTS_JSON, NULL, NULL);
    assert_non_null(strstr(bytes, "\"match\":null,\"head\":null"));
    assert_non_null(strstr(bytes, "\"rank\":null"));
    free(bytes);
}

static void json_should_hold_any_name(void **state)
{
    (void)state;
    match_over();
    sample_text(match.player[0].name, "\"\\/<b>\xC4\x8C\"");
    json_t *root = table_json();
    assert_string_equal(player_text(root, 0, "name"), "\"\\/<b>\xC4\x8C\"");
    json_decref(root);
}

static void csv_should_follow_rfc_4180(void **state)
{
    (void)state;
    match_over();
    sample_text(match.player[0].name, "Ada \"the\" first, she");
    char *bytes = table(RESULTS_CSV, "final", NULL);
    static const char *const expected =
        "rank,seat,name,points,cards,level1,level2,level3,level4,level5,claims,errors,lost\r\n"
        "1,1,\"Ada \"\"the\"\" first, she\",1,1,1,0,0,0,0,2,0,0\r\n"
        "2,2,\"Bo\",0,0,0,0,0,0,0,1,1,0\r\n"
        "\r\n"
        "round,card,level,place,seats,seconds\r\n"
        "1,\"L1-02\",1,won,\"1\",2.600\r\n"
        "2,\"L2-05\",2,won,\"1 2\",0.000\r\n"
        "3,\"L4-01\",4,set_aside,\"\",61.000\r\n";
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void csv_should_keep_names_from_being_formulas(void **state)
{
    static const char *const names[] = {
        "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(\"x\")"};
    char expected[64];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        match_over();
        sample_text(match.player[0].name, names[i]);
        snprintf(expected, sizeof expected, "1,1,\"'%.4s", names[i]);
        assert_true(holds(RESULTS_CSV, expected));
    }
    sample_text(match.player[0].name, "A=1");
    assert_true(holds(RESULTS_CSV, "1,1,\"A=1\","));
    sample_text(match.player[0].name, "");
    assert_true(holds(RESULTS_CSV, "1,1,\"\","));
}

static void text_should_show_the_table(void **state)
{
    (void)state;
    match_over();
    assert_true(holds(RESULTS_TEXT, "Quick-Play Game, Match over: final\n"));
    assert_true(holds(RESULTS_TEXT, "   1  Ada "));
    assert_true(holds(RESULTS_TEXT, "level 1  L1-02      2.600 s  Ada\n"));
    assert_true(holds(RESULTS_TEXT, "s  Ada, Bo\n"));
    assert_true(holds(RESULTS_TEXT, "61.000 s  set aside\n"));
    assert_true(holds(RESULTS_TEXT, "record " SAMPLE_DIGEST "\n"));
    match.player[1].owes = true;
    assert_true(holds(RESULTS_TEXT, "owes a card"));
}

/* A name of other bytes than characters must not push its line's columns. */
static void text_columns_should_not_depend_on_the_alphabet(void **state)
{
    (void)state;
    match_over();
    sample_text(match.player[0].name, "\xC4\x8C\xC3\xA1\xC5\x99"); /* three letters, six bytes */
    sample_text(match.player[1].name, "Bob");
    char *bytes = table(RESULTS_TEXT, NULL, NULL);
    assert_non_null(strstr(bytes, "   1  \xC4\x8C\xC3\xA1\xC5\x99      1       1"));
    assert_non_null(strstr(bytes, "   2  Bob      2       0"));
    free(bytes);
}

static void longest_names_should_not_be_cut(void **state)
{
    (void)state;
    match_over();
    char *name = match.player[0].name;
    memset(name, 0, PLAYER_NAME_MAX);
    for (int i = 0; i < 60; i++)
        memcpy(name + (ptrdiff_t)4 * i, "\xF0\x9F\x8E\xB2", 4);
    assert_true(holds(RESULTS_TEXT, name));
    assert_true(holds(RESULTS_JSON, name));
    assert_true(holds(RESULTS_CSV, name));
}

static void make5_should_show_its_rounds(void **state)
{
    (void)state;
    sample_make5(&match); /* the second round is being played */
    assert_true(holds(RESULTS_TEXT, "round 1: 11 points for Ada\n"));
    assert_true(holds(RESULTS_CSV, "round,maker,points\r\n1,1,11\r\n"));
    json_t *root = table_json();
    json_t *rounds = json_object_get(root, "rounds");
    assert_int_equal(json_array_size(rounds), 1);
    assert_null(json_object_get(root, "cards"));
    json_decref(root);
    /* A round that was broken off is none that is over. */
    match.phase = PHASE_ABANDONED;
    root = table_json();
    assert_int_equal(json_array_size(json_object_get(root, "rounds")), 1);
    json_decref(root);
    match.ramp.open = false;
    match.phase = PHASE_OVER;
    match.ramp.makers[1] = 1;
    match.ramp.points[1] = 9;
    assert_true(holds(RESULTS_CSV, "1,1,11\r\n2,2,9\r\n"));
}

static void nothing_set_up_should_give_an_empty_table(void **state)
{
    (void)state;
    referee_state_clear(&match);
    json_t *root = table_json();
    assert_int_equal(json_array_size(json_object_get(root, "players")), 0);
    json_decref(root);
    assert_true(holds(RESULTS_TEXT, "rank  name"));
    assert_true(holds(RESULTS_CSV, "rank,seat"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(players_should_stand_by_rank_then_points_then_seat),
        cmocka_unit_test(cards_should_stand_in_the_order_in_which_they_came_into_play),
        cmocka_unit_test(json_should_hold_players_and_cards),
        cmocka_unit_test(json_should_hold_any_name),
        cmocka_unit_test(csv_should_follow_rfc_4180),
        cmocka_unit_test(csv_should_keep_names_from_being_formulas),
        cmocka_unit_test(text_should_show_the_table),
        cmocka_unit_test(text_columns_should_not_depend_on_the_alphabet),
        cmocka_unit_test(longest_names_should_not_be_cut),
        cmocka_unit_test(make5_should_show_its_rounds),
        cmocka_unit_test(nothing_set_up_should_give_an_empty_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
