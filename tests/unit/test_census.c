/* tests/unit/test_census.c: when a picture's colours are believed (vision/census.h). */
#include "vision/census.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SYMBOLS 5

/* Adds cells that are sure by shape to be `symbol`, whose colour lies nearest to `looks_like`'s. */
static void cells_add(struct colour_census *census, int cells, int symbol, int looks_like)
{
    struct palette palette;
    struct cell_fit fit;
    memset(&palette, 0, sizeof palette);
    memset(&fit, 0, sizeof fit);
    fit.seen = true;
    for (int k = 0; k < SYMBOLS; k++) {
        const float colour[3] = {0.7f, 0.1f, 0.1f};
        fit.left[k] = k == symbol ? 0.1f : 0.6f;
        fit.off[k] = k == looks_like ? 1 : 20;
        memcpy(fit.ratio[k], colour, sizeof colour);
        memcpy(palette.printed[k], colour, sizeof colour);
    }
    for (int i = 0; i < cells; i++)
        vision_census_add(census, &palette, SYMBOLS, &fit);
}

static void should_believe_colours_that_go_with_the_shapes(void **state)
{
    (void)state;
    struct colour_census census = {.cells = 0};
    for (int k = 0; k < SYMBOLS; k++)
        cells_add(&census, 2, k, k);
    assert_int_equal(census.cells, 2 * SYMBOLS);
    assert_int_equal(vision_census_refuse(&census), REASON_COUNT);
}

static void should_refuse_where_the_colours_of_several_symbols_are_others(void **state)
{
    (void)state;
    struct colour_census census = {.cells = 0};
    cells_add(&census, 2, 0, 0);
    cells_add(&census, 1, 1, 2);
    cells_add(&census, 1, 2, 1);
    assert_int_equal(vision_census_refuse(&census), REASON_FALSE_COLOUR);
}

static void should_bear_a_lamp_in_which_one_symbol_looks_like_another(void **state)
{
    (void)state;
    struct colour_census census = {.cells = 0};
    for (int k = 0; k < SYMBOLS - 1; k++)
        cells_add(&census, 2, k, k);
    cells_add(&census, 3, SYMBOLS - 1, 0);
    assert_int_equal(vision_census_refuse(&census), REASON_COUNT);
}

static void should_bear_one_cell_astray(void **state)
{
    (void)state;
    struct colour_census census = {.cells = 0};
    cells_add(&census, 1, 0, 0);
    cells_add(&census, 1, 1, 2);
    assert_int_equal(vision_census_refuse(&census), REASON_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_believe_colours_that_go_with_the_shapes),
        cmocka_unit_test(should_refuse_where_the_colours_of_several_symbols_are_others),
        cmocka_unit_test(should_bear_a_lamp_in_which_one_symbol_looks_like_another),
        cmocka_unit_test(should_bear_one_cell_astray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
