/* The search for dark squares edged with white. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/end_picture.h"
#include "vision/endfind.h"

#define MOST 8

static struct end_picture picture;

static bool anywhere(const void *context, float x, float y)
{
    (void)context;
    (void)x;
    (void)y;
    return true;
}

static bool right_of(const void *context, float x, float y)
{
    (void)y;
    return x > *(const float *)context;
}

static int scan(const struct end_paint *paint, struct candidate out[MOST])
{
    end_picture_paint(&picture, paint);
    return vision_ends_scan(picture.whiteness, PICTURE_SIDE, PICTURE_SIDE, END_SIDE_PX, anywhere,
                            NULL, out, MOST);
}

static void assert_found(const struct end_paint *paint)
{
    struct candidate found[MOST];
    int count = scan(paint, found);
    assert_true(count >= 1);
    assert_true(fabsf(found[0].place.x - paint->x) < 2);
    assert_true(fabsf(found[0].place.y - paint->y) < 2);
    float off = (found[0].place.turn_rad - paint->turn_rad) / (float)M_PI_2;
    assert_true(fabsf(off - roundf(off)) * 90 < 11); /* what is found is moved by as much */
    for (int i = 1; i < count; i++) {
        assert_true(found[i].score <= found[i - 1].score);
        assert_true(hypotf(found[i].place.x - found[0].place.x,
                           found[i].place.y - found[0].place.y) >= END_SIDE_PX * 0.3f);
    }
}

static void should_find_an_end_at_any_place_and_turn(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        const struct end_paint paint = {40 + (float)(i % 5) * 2.7f,
                                        44 + (float)(i % 7) * 1.3f,
                                        (float)i * 0.13f,
                                        i % 7,
                                        0.15f + 0.04f * (float)i,
                                        0.9f,
                                        0.95f,
                                        0};
        assert_found(&paint);
    }
}

static void should_find_an_end_before_something_dark(void **state)
{
    (void)state;
    const struct end_paint paint = {47, 50, 0.35f, 4, 0.25f, 0.8f, 0.3f, 0};
    assert_found(&paint);
}

static void should_find_nothing_on_bare_mat(void **state)
{
    (void)state;
    const struct end_paint even = {48, 48, 0, 0, 1, 1, 1, 0},
                           slope = {48, 48, 0, 0, 1, 1, 1, -0.9f};
    struct candidate found[MOST];
    assert_int_equal(scan(&even, found), 0);
    assert_int_equal(scan(&slope, found), 0);
}

static void should_look_only_where_an_end_may_be(void **state)
{
    (void)state;
    const struct end_paint paint = {44, 48, 0.1f, 3, 0.2f, 0.9f, 0.95f, 0};
    const float limit = 60;
    struct candidate found[MOST];
    end_picture_paint(&picture, &paint);
    int count = vision_ends_scan(picture.whiteness, PICTURE_SIDE, PICTURE_SIDE, END_SIDE_PX,
                                 right_of, &limit, found, MOST);
    for (int i = 0; i < count; i++)
        assert_true(found[i].place.x > limit);
}

static void should_keep_no_more_than_asked_for(void **state)
{
    (void)state;
    const struct end_paint paint = {48, 48, 0.1f, 3, 0.2f, 0.9f, 0.95f, 0};
    struct candidate found[2] = {{{0, 0, 0, 0}, 0}, {{0, 0, 0, 0}, -1}};
    end_picture_paint(&picture, &paint);
    assert_int_equal(vision_ends_scan(picture.whiteness, PICTURE_SIDE, PICTURE_SIDE, END_SIDE_PX,
                                      anywhere, NULL, found, 1),
                     1);
    assert_true(found[1].score == -1);
}

static void should_find_nothing_in_a_patch_smaller_than_an_end(void **state)
{
    (void)state;
    struct candidate found[MOST];
    const struct end_paint paint = {8, 8, 0, 0, 0.2f, 1, 1, 0};
    end_picture_paint(&picture, &paint);
    assert_int_equal(
        vision_ends_scan(picture.whiteness, 20, 20, END_SIDE_PX, anywhere, NULL, found, MOST), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_an_end_at_any_place_and_turn),
        cmocka_unit_test(should_find_an_end_before_something_dark),
        cmocka_unit_test(should_find_nothing_on_bare_mat),
        cmocka_unit_test(should_look_only_where_an_end_may_be),
        cmocka_unit_test(should_keep_no_more_than_asked_for),
        cmocka_unit_test(should_find_nothing_in_a_patch_smaller_than_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
