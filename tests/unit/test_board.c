#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/board.h"

#include <math.h>
#include <string.h>

static void assert_near(double is, double wanted)
{
    assert_true(fabs(is - wanted) < 1e-9);
}

static void should_describe_a_chessboard(void **state)
{
    struct board board;
    double xy_mm[2];

    (void)state;
    assert_int_equal(calib_board_named("chess", &board), 0);
    assert_string_equal(board.name, "chess:9x6x25");
    assert_int_equal(board.kind, BOARD_CHESS);
    assert_int_equal(board.tags, 0);
    assert_near(board.size_mm[0], 250.0);
    assert_near(board.size_mm[1], 175.0);
    calib_board_corner(&board, 8, 5, xy_mm);
    assert_near(xy_mm[0], 225.0);
    assert_near(xy_mm[1], 150.0);
}

static void should_refuse_a_chessboard_that_looks_the_same_after_a_half_turn(void **state)
{
    struct board board;

    (void)state;
    assert_int_equal(calib_board_chess(8, 6, 25.0, &board), CALIB_E_VALUE);
    assert_int_equal(calib_board_chess(7, 7, 25.0, &board), CALIB_E_VALUE);
    assert_int_equal(calib_board_chess(8, 7, 25.0, &board), 0);
}

static void should_lay_tags_apart_and_whole_on_the_board(void **state)
{
    struct board board;

    (void)state;
    assert_int_equal(calib_board_named("tags", &board), 0);
    assert_string_equal(board.name, "tags:6x4x32");
    assert_int_equal(board.tags, 24);
    for (int i = 0; i < board.tags; i++) {
        const struct mat_tag *tag = &board.tag[i];
        assert_int_equal(tag->id, BOARD_TAG_FIRST + i);
        for (int k = 0; k < 2; k++) {
            assert_true(tag->center_mm[k] - 20.0 >= -1e-9); /* 16 and a module of white */
            assert_true(tag->center_mm[k] + 20.0 <= board.size_mm[k] + 1e-9);
        }
    }
    assert_near(board.tag[1].center_mm[0] - board.tag[0].center_mm[0], 42.0);
    assert_near(board.tag[6].center_mm[1] - board.tag[0].center_mm[1], 42.0);
    /* the default boards are to go on A4 and Letter */
    assert_true(board.size_mm[0] <= 260.0 && board.size_mm[1] <= 180.0);
}

static void should_know_a_board_by_the_words_printed_on_it(void **state)
{
    static const char *const good[] = {"chess:9x6x25", "chess:4x3x30.5", "tags:6x4x32",
                                       "tags:3x3x20.25", "tags:2x1x40:7"};
    struct board board, again;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(calib_board_named(good[i], &board), 0);
        assert_string_equal(board.name, good[i]);
        assert_int_equal(calib_board_named(board.name, &again), 0);
        assert_memory_equal(&board, &again, sizeof board);
    }
    assert_int_equal(calib_board_named("tags:2x1x40:7", &board), 0);
    assert_int_equal(board.tag[1].id, 8);
}

static void should_refuse_words_that_mean_no_board(void **state)
{
    static const char *const syntax[] = {"",
                                         "chest",
                                         "chess:",
                                         "chess:9x6",
                                         "chess:9x6x",
                                         "chess:9x6x25x",
                                         "chess:-9x6x25",
                                         "chess:9.5x6x25",
                                         "chess:9x6x25:1",
                                         "tags:6x4x32:",
                                         "tags:6x4x32:1.5",
                                         "tags:6x4x32:1:2",
                                         "chess: 9x6x25",
                                         "tags:6x4xinf",
                                         "tags:0x6x4x32",
                                         "chess:9x6x0x19"};
    static const char *const value[] = {"chess:2x3x25",    "chess:99x6x25",        "chess:9x6x1",
                                        "tags:0x4x32",     "tags:33x1x10",         "tags:16x9x10",
                                        "tags:6x4x32:564", "tags:6x4x32:99999999", "tags:6x4x300"};
    struct board board;

    (void)state;
    for (size_t i = 0; i < sizeof syntax / sizeof syntax[0]; i++) {
        assert_int_equal(calib_board_named(syntax[i], &board), CALIB_E_SYNTAX);
    }
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
        int error = calib_board_named(value[i], &board);
        assert_true(error == CALIB_E_VALUE || error == CALIB_E_SYNTAX);
    }
}

static bool apart(const double a[4], const double b[4])
{
    return a[0] + a[2] <= b[0] + 1e-9 || b[0] + b[2] <= a[0] + 1e-9 || a[1] + a[3] <= b[1] + 1e-9 ||
           b[1] + b[3] <= a[1] + 1e-9;
}

static void colours_checked(const struct blockset *set)
{
    struct board board;

    assert_int_equal(calib_board_colours(set, &board), 0);
    assert_int_equal(board.patches, 6 + 2 * set->symbols);
    assert_int_equal(board.tags, 4);
    assert_true(board.size_mm[0] <= 260.0 && board.size_mm[1] <= 180.0);
    for (int i = 0; i < board.patches; i++) {
        const struct board_patch *patch = &board.patch[i];
        assert_true(patch->rect_mm[0] >= 0.0 && patch->rect_mm[1] >= 0.0 &&
                    patch->rect_mm[0] + patch->rect_mm[2] <= board.size_mm[0] &&
                    patch->rect_mm[1] + patch->rect_mm[3] <= board.size_mm[1]);
        for (int j = 0; j < i; j++) {
            assert_true(apart(patch->rect_mm, board.patch[j].rect_mm));
        }
        for (int j = 0; j < board.tags; j++) {
            const double tag_mm[4] = {board.tag[j].center_mm[0] - 20.0,
                                      board.tag[j].center_mm[1] - 20.0, 40.0, 40.0};
            assert_true(apart(patch->rect_mm, tag_mm));
        }
    }
    int plain = 0, drawn = 0;
    for (int i = 0; i < board.patches; i++) {
        plain += board.patch[i].symbol >= 0 && !board.patch[i].drawn;
        drawn += board.patch[i].symbol >= 0 && board.patch[i].drawn;
    }
    assert_int_equal(plain, set->symbols);
    assert_int_equal(drawn, set->symbols);
}

static void should_put_every_colour_of_a_set_on_a_card(void **state)
{
    struct blockset *set;

    (void)state;
    assert_int_equal(calib_blockset_load("match-madness", NULL, &set, NULL), 0);
    colours_checked(set);
    for (int i = set->symbols; i < BLOCKSET_SYMBOLS_MAX; i++) {
        set->symbol[i] = set->symbol[0];
    }
    set->symbols = BLOCKSET_SYMBOLS_MAX;
    colours_checked(set);
    set->symbols = 1;
    colours_checked(set);
    calib_blockset_destroy(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_describe_a_chessboard),
        cmocka_unit_test(should_refuse_a_chessboard_that_looks_the_same_after_a_half_turn),
        cmocka_unit_test(should_lay_tags_apart_and_whole_on_the_board),
        cmocka_unit_test(should_know_a_board_by_the_words_printed_on_it),
        cmocka_unit_test(should_refuse_words_that_mean_no_board),
        cmocka_unit_test(should_put_every_colour_of_a_set_on_a_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
