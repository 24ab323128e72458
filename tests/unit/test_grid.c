#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/error.h"
#include "calib/grid.h"

#include <string.h>

static struct grid grid_of(const char *text)
{
    struct grid grid;

    assert_int_equal(calib_grid_parse(text, strlen(text), &grid), 0);
    return grid;
}

static void grid_is(const struct grid *grid, const char *text)
{
    char got[GRID_TEXT_MAX];

    assert_int_equal(calib_grid_format(grid, got), strlen(text));
    assert_string_equal(got, text);
}

static void should_format_what_it_parses(void **state)
{
    static const char *const texts[] = {"x", ".", "x*#/x#*/o../++*", "abcdefghij",
                                        "a/b/c/d/e/f/g/h/i/j"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct grid grid = grid_of(texts[i]);
        grid_is(&grid, texts[i]);
    }
}

static void should_format_the_largest_grid(void **state)
{
    struct grid grid;
    char text[GRID_TEXT_MAX];

    (void)state;
    calib_grid_clear(&grid, 99, 99);
    assert_int_equal(calib_grid_format(&grid, text), GRID_TEXT_MAX - 2);
    assert_int_equal(calib_grid_parse(text, GRID_TEXT_MAX - 2, &grid), 0);
    assert_int_equal(calib_grid_count(&grid), 0);
}

static void should_refuse_what_is_no_grid(void **state)
{
    static const char *const texts[] = {"",
                                        "/",
                                        "x/",
                                        "/x",
                                        "x//x",
                                        "xx/x",
                                        "x/xx",
                                        "x x",
                                        "x\n",
                                        "\xc3\xa4",
                                        "abcdefghijk",
                                        "\x7f",
                                        "a/b/c/d/e/f/g/h/i/j/k"};
    struct grid grid;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(calib_grid_parse(texts[i], strlen(texts[i]), &grid), CALIB_E_VALUE);
        assert_int_equal(grid.rows, 0);
    }
    assert_int_equal(calib_grid_parse("x\0x", 3, &grid), CALIB_E_VALUE);
}

static void should_turn_clockwise(void **state)
{
    struct grid grid = grid_of("ab/cd/e."), turned;

    (void)state;
    turned = calib_grid_turn(&grid, 1);
    grid_is(&turned, "eca/.db");
    turned = calib_grid_turn(&grid, 2);
    grid_is(&turned, ".e/dc/ba");
    turned = calib_grid_turn(&grid, -1);
    grid_is(&turned, "bd./ace");
    turned = calib_grid_turn(&grid, -8);
    assert_true(calib_grid_equal(&turned, &grid));
    turned = calib_grid_turn(&grid, 7);
    grid_is(&turned, "bd./ace");
}

static void should_mirror_left_and_right(void **state)
{
    struct grid grid = grid_of("ab./c.."), mirrored = calib_grid_mirror(&grid);

    (void)state;
    grid_is(&mirrored, ".ba/..c");
}

static void should_trim_holes_at_the_edges_only(void **state)
{
    struct grid grid = grid_of("...../.a.b./...../.c.d./.....");

    (void)state;
    calib_grid_trim(&grid);
    grid_is(&grid, "a.b/.../c.d");
    grid = grid_of("../..");
    calib_grid_trim(&grid);
    grid_is(&grid, "");
    assert_int_equal(grid.cols, 0);
}

static void should_count_cells(void **state)
{
    struct grid grid = grid_of("x*#/x#*/o../++*");

    (void)state;
    assert_int_equal(calib_grid_count(&grid), 10);
}

static void should_find_the_least_turn(void **state)
{
    struct grid from = grid_of("x*#/x#*/o../++*"), to, mirrored;

    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        to = calib_grid_turn(&from, turn);
        assert_int_equal(calib_grid_quarters(&from, &to), turn);
    }
    mirrored = calib_grid_mirror(&from);
    assert_int_equal(calib_grid_quarters(&from, &mirrored), -1);
    from = grid_of("ab/ba");
    to = calib_grid_turn(&from, 3);
    assert_int_equal(calib_grid_quarters(&from, &to), 1);
    to = grid_of("..../.ab./.ba.");
    assert_int_equal(calib_grid_quarters(&from, &to), 0);
}

static void should_tell_grids_of_other_sizes_apart(void **state)
{
    struct grid a = grid_of("ab"), b = grid_of("a/b"), c = grid_of("ab.");

    (void)state;
    assert_false(calib_grid_equal(&a, &b));
    assert_false(calib_grid_equal(&a, &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_format_what_it_parses),
        cmocka_unit_test(should_format_the_largest_grid),
        cmocka_unit_test(should_refuse_what_is_no_grid),
        cmocka_unit_test(should_turn_clockwise),
        cmocka_unit_test(should_mirror_left_and_right),
        cmocka_unit_test(should_trim_holes_at_the_edges_only),
        cmocka_unit_test(should_count_cells),
        cmocka_unit_test(should_find_the_least_turn),
        cmocka_unit_test(should_tell_grids_of_other_sizes_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
