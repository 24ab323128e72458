#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/deck.h"
#include "calib/solve.h"
#include "tests/unit/kit_text.h"

#include <stdio.h>

static const char deck_text[] = "{\"format\": \"tableref-deck/1\",\n"
                                " \"name\": \"mine\", \"set\": \"match-madness\",\n"
                                " \"cards\": [\n"
                                "  {\"id\": \"A\", \"level\": 4, \"grid\": \"x*#/x#*/o../++*\"},\n"
                                "  {\"id\": \"B\", \"level\": 1, \"grid\": \"*+x./#x#./++x*\"}\n"
                                " ]}\n";

static int parse(const char *text, struct deck **deck, struct calib_fault *fault)
{
    return calib_deck_parse(text, strlen(text), "my-deck.json", NULL, deck, fault);
}

static void should_read_a_deck(void **state)
{
    struct deck *deck;

    (void)state;
    assert_int_equal(parse(deck_text, &deck, NULL), 0);
    assert_string_equal(deck->name, "mine");
    assert_string_equal(deck->set, "match-madness");
    assert_int_equal(deck->cards, 2);
    assert_int_equal(deck->card[0].level, 4);
    assert_ptr_equal(calib_deck_find(deck, "B"), &deck->card[1]);
    assert_null(calib_deck_find(deck, "C"));
    calib_deck_destroy(&deck);
    assert_null(deck);
    calib_deck_destroy(&deck);
}

static void should_find_a_card_in_any_turn_but_not_in_the_mirror(void **state)
{
    struct deck *deck;
    struct grid grid, none;
    int quarters = -1;

    (void)state;
    assert_int_equal(parse(deck_text, &deck, NULL), 0);
    for (int turn = 0; turn < 4; turn++) {
        grid = calib_grid_turn(&deck->card[1].grid, turn);
        assert_ptr_equal(calib_deck_find_grid(deck, &grid, &quarters), &deck->card[1]);
        assert_int_equal(quarters, turn);
    }
    grid = calib_grid_mirror(&deck->card[1].grid);
    assert_null(calib_deck_find_grid(deck, &grid, NULL));
    calib_grid_clear(&none, 3, 3);
    assert_null(calib_deck_find_grid(deck, &none, NULL));
    calib_deck_destroy(&deck);
}

static void should_name_line_and_place_of_a_fault(void **state)
{
    static const struct bad_text bad[] = {
        {"\"id\": \"B\"", "\"id\": \"A\"", CALIB_E_VALUE, 5, "cards[1]: a second card of id \"A\""},
        {"\"id\": \"B\"", "\"id\": 7", CALIB_E_VALUE, 5, "cards[1].id: a text"},
        {"\"id\": \"B\"", "\"id\": \"12345678901234567890123456789012\"", CALIB_E_SIZE, 5,
         "longer than 31"},
        {"\"level\": 1", "\"level\": 6", CALIB_E_VALUE, 5, "cards[1].level: 6 is not in 1 to 5"},
        {"\"level\": 4", "\"level\": 0", CALIB_E_VALUE, 4, "cards[0].level"},
        {"*+x./", "*+x/", CALIB_E_VALUE, 5, "cards[1].grid: \"*+x/#x#./++x*\" is no grid"},
        {"*+x./", "*+ ./", CALIB_E_VALUE, 5, "is no grid"},
        {"*+x./#x#./++x*", "../..", CALIB_E_VALUE, 5, "cards[1].grid: holes only"},
        {"*+x./#x#./++x*", "", CALIB_E_VALUE, 5, "cards[1].grid: empty"},
        {"\"cards\"", "\"card\"", CALIB_E_VALUE, 1, "\"cards\" is missing"},
        {"\"set\": \"match-madness\",", "", CALIB_E_VALUE, 1, "\"set\" is missing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = text_change(deck_text, bad[i].from, bad[i].to);
        struct calib_fault fault = {.line = -1};
        struct deck *deck;
        fault_expect(&fault, parse(text, &deck, &fault), bad[i].error, bad[i].line, bad[i].says);
        assert_null(deck);
        free(text);
    }
}

static void should_leave_out_empty_rows_with_a_warning(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    char *text = text_change(deck_text, "*+x./#x#./++x*", "..../*+x./#x#./++x*");
    struct deck *deck;

    (void)state;
    assert_int_equal(calib_deck_parse(text, strlen(text), "d", &sink, &deck, NULL), 0);
    assert_int_equal(deck->card[1].grid.rows, 3);
    assert_int_equal(warned.count, 1);
    assert_int_equal(warned.last.line, 5);
    calib_deck_destroy(&deck);
    free(text);
}

static void check_says(const char *from, const char *to, const char *says)
{
    char *text = text_change(deck_text, from, to);
    struct calib_fault fault;
    struct blockset *set;
    struct deck *deck;

    assert_int_equal(calib_blockset_load("match-madness", NULL, &set, NULL), 0);
    assert_int_equal(parse(text, &deck, NULL), 0);
    fault_expect(&fault, calib_deck_check(deck, set, &fault), CALIB_E_VALUE, 0, says);
    assert_int_equal(calib_deck_check(deck, set, NULL), CALIB_E_VALUE);
    calib_deck_destroy(&deck);
    calib_blockset_destroy(&set);
    free(text);
}

static void should_check_a_deck_against_its_set(void **state)
{
    (void)state;
    check_says("#x#.", "#xq.", "card B: \"q\" is no symbol of set match-madness");
    check_says("#x#.", "#x..", "card B has 9 cells, a layout of set match-madness has 10");
    check_says("#x#.", "#x##", "card B has 11 cells");
    check_says("*+x./#x#./++x*", "+oxx/+.#*/*.*#", "card B has the grid of card A");
}

/* All decks that come with the program: right for their set, every card can be built. */
static void should_build_every_card_that_is_built_in(void **state)
{
    static const char *const names[] = {"fixture", "harbour"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        int levels[CARD_LEVELS + 1] = {0};
        struct calib_fault fault;
        struct blockset *set;
        struct deck *deck;
        assert_int_equal(calib_deck_load(names[i], NULL, &deck, &fault), 0);
        assert_int_equal(calib_blockset_load(deck->set, NULL, &set, &fault), 0);
        if (calib_deck_check(deck, set, &fault)) {
            fail_msg("%s", fault.text);
        }
        assert_int_equal(deck->cards, 15);
        for (int c = 0; c < deck->cards; c++) {
            if (calib_solve_count(set, &deck->card[c].grid, 1) != 1) {
                fail_msg("%s: card %s cannot be built", names[i], deck->card[c].id);
            }
            assert_true(deck->card[c].grid.rows <= 4 && deck->card[c].grid.cols <= 4);
            levels[deck->card[c].level]++;
        }
        for (int level = 1; level <= CARD_LEVELS; level++) {
            assert_int_equal(levels[level], 3);
        }
        calib_deck_destroy(&deck);
        calib_blockset_destroy(&set);
    }
}

static void should_know_cards_that_cannot_be_built(void **state)
{
    static const struct {
        const char *grid;
        int ways;
    } cases[] = {
        {"+++++/+++++", 0},         /* too many petals */
        {"x*#/x#*/o../++.", 0},     /* nine cells */
        {"xxoo++##**", 1},          /* the five doubles, each on one block, in a line */
        {"x.x.x.x.x/o.o.o.o.o", 0}, /* five blocks stand: more x over o than there are */
    };
    struct blockset *set;
    struct grid grid;

    (void)state;
    assert_int_equal(calib_blockset_load("match-madness", NULL, &set, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(calib_grid_parse(cases[i].grid, strlen(cases[i].grid), &grid), 0);
        assert_int_equal(calib_solve_count(set, &grid, 100), cases[i].ways);
        assert_int_equal(calib_solve_count(set, &grid, 0), 0);
    }
    calib_blockset_destroy(&set);
}

static void should_take_a_deck_of_thousands(void **state)
{
    const int cards = 5000;
    size_t room = (size_t)cards * 64 + 128, at;
    char *text = malloc(room);
    struct calib_fault fault;
    struct deck *deck;

    (void)state;
    assert_non_null(text);
    at = (size_t)snprintf(text, room,
                          "{\"format\":\"tableref-deck/1\",\"name\":\"n\",\"set\":\"s\","
                          "\"cards\":[");
    for (int i = 0; i < cards; i++) {
        at += (size_t)snprintf(text + at, room - at,
                               "%s{\"id\":\"%d\",\"level\":1,\"grid\":\"ab\"}", i ? ",\n" : "", i);
    }
    at += (size_t)snprintf(text + at, room - at, "]}");
    assert_int_equal(calib_deck_parse(text, at, "many", NULL, &deck, NULL), 0);
    assert_int_equal(deck->cards, cards);
    calib_deck_destroy(&deck);
    memcpy(strstr(text, "\"4999\""), "\"2500\"", 6);
    int error = calib_deck_parse(text, at, "many", NULL, &deck, &fault);
    fault_expect(&fault, error, CALIB_E_VALUE, cards, "cards[4999]: a second card");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_a_deck),
        cmocka_unit_test(should_find_a_card_in_any_turn_but_not_in_the_mirror),
        cmocka_unit_test(should_name_line_and_place_of_a_fault),
        cmocka_unit_test(should_leave_out_empty_rows_with_a_warning),
        cmocka_unit_test(should_check_a_deck_against_its_set),
        cmocka_unit_test(should_build_every_card_that_is_built_in),
        cmocka_unit_test(should_know_cards_that_cannot_be_built),
        cmocka_unit_test(should_take_a_deck_of_thousands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
