#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/deck_make.h"
#include "calib/deck_proof.h"
#include "calib/solve.h"

#include <stdlib.h>
#include <string.h>

static int set_setup(void **state)
{
    struct blockset *set = NULL;
    int error = calib_blockset_load("match-madness", NULL, &set, NULL);

    *state = set;
    return error;
}

static int set_teardown(void **state)
{
    struct blockset *set = *state;

    calib_blockset_destroy(&set);
    return 0;
}

static struct deck *make(const struct blockset *set, int each, int side, uint64_t seed,
                         struct deck_bounds *bounds)
{
    const struct deck_plan plan = {.name = "made", .each = each, .side = side, .seed = seed};
    struct deck *deck = NULL;

    assert_int_equal(calib_deck_make(set, &plan, &deck, bounds, NULL), 0);
    return deck;
}

static void should_make_decks_without_a_fault(void **state)
{
    static const char *const sets[] = {"match-madness", "matching-talent", "harbour"};
    struct deck_bounds bounds;

    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        struct blockset *set;
        assert_int_equal(calib_blockset_load(sets[i], NULL, &set, NULL), 0);
        for (uint64_t seed = 0; seed < 3; seed++) {
            struct deck *deck = make(set, 12, 4, seed, &bounds);
            struct card_proof proof[60];
            assert_int_equal(deck->cards, 60);
            assert_string_equal(deck->set, sets[i]);
            assert_int_equal(calib_deck_check(deck, set, NULL), 0);
            assert_int_equal(calib_deck_prove(deck, set, proof), 0);
            for (int c = 0; c < 60; c++) {
                const struct card *card = &deck->card[c];
                assert_int_equal(card->level, c / 12 + 1);
                assert_true(card->grid.rows <= 4 && card->grid.cols <= 4);
                assert_true(calib_solve_count(set, &card->grid, 1) == 1);
                /* the level is where the points say */
                assert_true(proof[c].difficulty.points >= bounds.least[card->level]);
                assert_true(card->level == CARD_LEVELS ||
                            proof[c].difficulty.points < bounds.least[card->level + 1]);
            }
            calib_deck_destroy(&deck);
        }
        calib_blockset_destroy(&set);
    }
}

static void should_make_the_same_deck_of_the_same_seed_only(void **state)
{
    const struct blockset *set = *state;
    struct deck_bounds bounds;
    struct deck *a = make(set, 12, 4, 7, &bounds), *b = make(set, 12, 4, 7, &bounds);
    struct deck *c = make(set, 12, 4, 8, &bounds);
    size_t length[3];
    char *text[3] = {calib_deck_text(a, &length[0]), calib_deck_text(b, &length[1]),
                     calib_deck_text(c, &length[2])};

    assert_string_equal(text[0], text[1]);
    assert_string_not_equal(text[0], text[2]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(length[i], strlen(text[i]));
        free(text[i]);
    }
    calib_deck_destroy(&a);
    calib_deck_destroy(&b);
    calib_deck_destroy(&c);
}

/* The first card of seed 1, on every machine: a deck that was announced by its seed stays that. */
static void should_make_the_deck_that_it_made_before(void **state)
{
    const struct blockset *set = *state;
    struct deck_bounds bounds;
    struct deck *deck = make(set, 12, 4, 1, &bounds);
    char text[GRID_TEXT_MAX];

    calib_grid_format(&deck->card[0].grid, text);
    assert_string_equal(text, ".##./#+#x/*#**");
    calib_grid_format(&deck->card[59].grid, text);
    assert_string_equal(text, "xx./.x+/#oo/#+x");
    calib_deck_destroy(&deck);
}

static void should_write_what_is_read_again(void **state)
{
    const struct blockset *set = *state;
    struct deck_bounds bounds;
    struct deck *deck = make(set, 3, 4, 1, &bounds), *again;
    size_t length;
    char *text = calib_deck_text(deck, &length);

    assert_int_equal(calib_deck_parse(text, length, "made", NULL, &again, NULL), 0);
    assert_int_equal(again->cards, 15);
    assert_string_equal(again->name, "made");
    for (int i = 0; i < 15; i++) {
        assert_string_equal(again->card[i].id, deck->card[i].id);
        assert_true(calib_grid_equal(&again->card[i].grid, &deck->card[i].grid));
    }
    free(text);
    calib_deck_destroy(&again);
    calib_deck_destroy(&deck);
}

static void should_make_decks_of_thousands(void **state)
{
    const struct blockset *set = *state;
    struct deck_bounds bounds;
    struct deck *deck = make(set, 400, 4, 1, &bounds);

    assert_int_equal(deck->cards, 2000);
    assert_int_equal(calib_deck_check(deck, set, NULL), 0);
    assert_string_equal(deck->card[0].id, "L1-001");
    calib_deck_destroy(&deck);
}

static void should_say_when_there_are_no_so_many_cards(void **state)
{
    struct blockset set = *(const struct blockset *)*state;
    struct deck_plan plan = {.name = "made", .each = 100, .side = 2, .seed = 1};
    struct deck *deck = NULL;
    struct deck_bounds bounds;
    struct calib_fault fault = {.line = 0};

    set.blocks = 1; /* two cells: a handful of cards */
    assert_int_equal(calib_deck_make(&set, &plan, &deck, &bounds, &fault), CALIB_E_GEOMETRY);
    assert_null(deck);
    assert_non_null(strstr(fault.text, "fewer cards"));
    set.blocks = 5; /* ten cells into four */
    assert_int_equal(calib_deck_make(&set, &plan, &deck, &bounds, &fault), CALIB_E_GEOMETRY);
    plan.each = 0;
    assert_int_equal(calib_deck_make(&set, &plan, &deck, &bounds, &fault), CALIB_E_VALUE);
    plan.each = DECK_EACH_MAX + 1;
    assert_int_equal(calib_deck_make(&set, &plan, &deck, &bounds, &fault), CALIB_E_VALUE);
}

static struct grid grid_of(const char *text)
{
    struct grid grid;

    assert_int_equal(calib_grid_parse(text, strlen(text), &grid), 0);
    return grid;
}

static void should_find_each_kind_of_fault(void **state)
{
    const struct blockset *set = *state;
    struct card card[6] = {
        {"good", 1, grid_of("x*#/x#*/o../++*")},
        {"turned", 1, grid_of("+ox*")}, /* replaced below */
        {"impossible", 1, grid_of("xxx/xxx/x../xxx")},
        {"short", 1, grid_of("xx/oo")},
        {"strange", 1, grid_of("x*?/x#*/o../++*")},
        {"mirrored", 1, grid_of("x*#/x#*/o../++*")},
    };
    const struct deck deck = {.name = "bad", .set = "match-madness", .cards = 6, .card = card};
    static const enum card_fault wanted[6] = {CARD_SOUND, CARD_DOUBLED,        CARD_IMPOSSIBLE,
                                              CARD_CELLS, CARD_STRANGE_SYMBOL, CARD_SOUND};
    struct card_proof proof[6];

    card[1].grid = calib_grid_turn(&card[0].grid, 3);
    card[5].grid = calib_grid_mirror(&card[0].grid);
    assert_int_equal(calib_deck_prove(&deck, set, proof), 4);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(proof[i].fault, wanted[i]);
        assert_int_equal(proof[i].same_as, i == 1 ? 0 : i);
    }
    assert_string_equal(calib_card_fault_name(CARD_DOUBLED), "doubled");
}

static void should_know_which_symbols_look_alike(void **state)
{
    const struct blockset *set = *state;
    struct alikes alikes;

    calib_alikes_find(set, &alikes);
    int petals = calib_blockset_find(set, '+'), saltire = calib_blockset_find(set, 'x');
    int ring = calib_blockset_find(set, 'o'), square = calib_blockset_find(set, '#');
    int star = calib_blockset_find(set, '*');
    assert_true(alikes.alike[petals][saltire] && alikes.alike[saltire][petals]); /* shape */
    assert_true(alikes.alike[ring][square] && alikes.alike[ring][saltire]);      /* colour */
    assert_false(alikes.alike[petals][square]);
    for (int i = 0; i < set->symbols; i++) {
        assert_false(alikes.alike[i][i]);
        assert_false(alikes.alike[star][i]);
    }
}

static void should_measure_a_card_as_the_header_says(void **state)
{
    const struct blockset *set = *state;
    const struct grid grid = grid_of("x*#/x#*/o../++*");
    struct difficulty d;
    struct alikes alikes;

    calib_alikes_find(set, &alikes);
    calib_difficulty(set, &alikes, &grid, &d);
    assert_int_equal(d.solutions, calib_solve_count(set, &grid, 1000));
    assert_int_equal(d.tilings, calib_solve_tilings(&grid));
    assert_int_equal(d.neighbours, 11); /* six side by side, five one above the other */
    assert_int_equal(d.alike, 7);       /* all but three stars */
    assert_int_equal(d.points, 2 * d.tilings + 4 * d.misleading + 2 * d.alike +
                                   2 * (d.neighbours - 9) - 3 * (d.solutions - 1));
    const struct grid wrong = grid_of("xxx/xxx/x../xxx");
    calib_difficulty(set, &alikes, &wrong, &d);
    assert_int_equal(d.solutions, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_make_decks_without_a_fault),
        cmocka_unit_test(should_make_the_same_deck_of_the_same_seed_only),
        cmocka_unit_test(should_make_the_deck_that_it_made_before),
        cmocka_unit_test(should_write_what_is_read_again),
        cmocka_unit_test(should_make_decks_of_thousands),
        cmocka_unit_test(should_say_when_there_are_no_so_many_cards),
        cmocka_unit_test(should_find_each_kind_of_fault),
        cmocka_unit_test(should_know_which_symbols_look_alike),
        cmocka_unit_test(should_measure_a_card_as_the_header_says),
    };
    return cmocka_run_group_tests(tests, set_setup, set_teardown);
}
