/* Pips on the ends of blocks: which number is seen, and when none is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/end_picture.h"

static struct end_picture picture;

static void measure(const struct end_paint *paint, struct pips *pips)
{
    const struct patch patch = {.width = PICTURE_SIDE,
                                .height = PICTURE_SIDE,
                                .px_per_mm = 1,
                                .rgb = picture.rgb,
                                .flag = picture.flag};
    const struct cell_place place = {paint->x, paint->y, paint->turn_rad, END_SIDE_PX};
    end_picture_paint(&picture, paint);
    vision_pips_measure(&patch, &place, pips);
}

static void should_read_every_number_at_any_turn(void **state)
{
    (void)state;
    for (int n = 1; n <= PIPS_MOST; n++)
        for (int turn = 0; turn < 6; turn++) {
            const struct end_paint paint = {47.3f, 50.6f, (float)turn * 0.3f, n, 0.2f, 1, 0.9f, 0};
            struct pips pips;
            measure(&paint, &pips);
            assert_int_equal(pips.best, n);
            assert_true(pips.share[n] > 0.9f);
            assert_true(pips.strength > 0.3f);
        }
}

static void should_read_dim_pips_under_mirrored_light(void **state)
{
    (void)state;
    for (int n = 1; n <= PIPS_MOST; n++) {
        const struct end_paint paint = {46, 49, 0.2f, n, 0.2f, 0.5f, 0.4f, 0.8f};
        struct pips pips;
        measure(&paint, &pips);
        assert_int_equal(pips.best, n);
        assert_true(pips.share[n] > 0.9f);
    }
}

static void should_see_no_pips_on_a_plain_end(void **state)
{
    (void)state;
    const struct end_paint paint = {48, 48, 0.4f, 0, 0.2f, 1, 0.9f, 0.5f};
    struct pips pips;
    measure(&paint, &pips);
    assert_true(pips.strength < 0.05f);
    assert_true(pips.spread < 0.05f);
}

static void should_measure_nothing_where_the_rim_is_no_lighter(void **state)
{
    (void)state;
    const struct end_paint paint = {48, 48, 0, 0, 1, 1, 1, 0};
    struct pips pips;
    measure(&paint, &pips);
    assert_int_equal(pips.best, 0);
    assert_true(pips.strength == 0);
}

static void should_stay_inside_the_patch_at_its_edge(void **state)
{
    (void)state;
    const struct end_paint paint = {1, PICTURE_SIDE - 2, 0.7f, 5, 0.2f, 1, 0.9f, 0};
    struct pips pips;
    measure(&paint, &pips);
    assert_in_range(pips.best, 0, PIPS_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_every_number_at_any_turn),
        cmocka_unit_test(should_read_dim_pips_under_mirrored_light),
        cmocka_unit_test(should_see_no_pips_on_a_plain_end),
        cmocka_unit_test(should_measure_nothing_where_the_rim_is_no_lighter),
        cmocka_unit_test(should_stay_inside_the_patch_at_its_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
