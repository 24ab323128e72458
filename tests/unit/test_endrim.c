/* The rim of an end under mirrored light. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/end_picture.h"
#include "vision/endrim.h"

static struct end_picture picture;

static void settle(const struct end_paint *paint, float dx, float dy, struct cell_place *place,
                   struct end_rim *rim)
{
    *place =
        (struct cell_place){paint->x + dx, paint->y + dy, paint->turn_rad + 0.05f, END_SIDE_PX};
    end_picture_paint(&picture, paint);
    vision_end_rim_settle(picture.whiteness, PICTURE_SIDE, PICTURE_SIDE, place, rim);
}

static void should_settle_on_an_end_under_sloping_light(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const struct end_paint paint = {47.4f, 49.2f, 0.3f * (float)k, 3, 0.6f, 0.95f, 0.9f, 0.8f};
        struct cell_place place;
        struct end_rim rim;
        settle(&paint, k & 1 ? 1.5f : -1.5f, k & 2 ? 1.2f : -1.2f, &place, &rim);
        assert_true(fabsf(place.x - paint.x) < 0.8f && fabsf(place.y - paint.y) < 0.8f);
        assert_true(fabsf(place.turn_rad - paint.turn_rad) < 0.08f);
        assert_true(rim.share > 0.8f);
        assert_true(rim.depth > 0.15f && rim.depth < 0.45f);
        assert_true(rim.least > 0.5f * rim.depth);
        assert_true(rim.rough < 0.1f);
    }
}

static void should_find_what_is_drawn_inside_rough(void **state)
{
    (void)state;
    const struct end_paint paint = {48, 48, 0.2f, 0, 0.3f, 0.9f, 0.9f, 0};
    struct cell_place place;
    struct end_rim rim;
    end_picture_paint(&picture, &paint);
    for (int y = 44; y < 52; y++) /* a bar where a symbol may have one */
        for (int x = 41; x < 55; x++)
            picture.whiteness[y * PICTURE_SIDE + x] = 1;
    place = (struct cell_place){paint.x, paint.y, paint.turn_rad, END_SIDE_PX};
    vision_end_rim_settle(picture.whiteness, PICTURE_SIDE, PICTURE_SIDE, &place, &rim);
    assert_true(rim.rough > 0.2f);
}

static void should_see_no_rim_on_bare_mat_or_at_a_mere_edge(void **state)
{
    (void)state;
    const struct end_paint bare = {48, 48, 0, 0, 1, 1, 1, 0.8f};
    struct cell_place place;
    struct end_rim rim;
    settle(&bare, 0, 0, &place, &rim);
    assert_true(rim.depth < 0.02f);
    for (int at = 0; at < PICTURE_SIDE * PICTURE_SIDE; at++)
        picture.whiteness[at] = at % PICTURE_SIDE < 37 ? 1 : 0.3f;
    place = (struct cell_place){48, 48, 0, END_SIDE_PX};
    vision_end_rim_settle(picture.whiteness, PICTURE_SIDE, PICTURE_SIDE, &place, &rim);
    assert_true(rim.least < 0.05f);
    assert_true(rim.share < 0.5f);
}

static void should_stay_inside_the_patch(void **state)
{
    (void)state;
    const struct end_paint paint = {2, 1, 0.4f, 0, 0.3f, 1, 0.9f, 0};
    struct cell_place place;
    struct end_rim rim;
    settle(&paint, 0, 0, &place, &rim);
    assert_true(isfinite(rim.depth) && isfinite(rim.share) && isfinite(rim.rough));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_settle_on_an_end_under_sloping_light),
        cmocka_unit_test(should_find_what_is_drawn_inside_rough),
        cmocka_unit_test(should_see_no_rim_on_bare_mat_or_at_a_mere_edge),
        cmocka_unit_test(should_stay_inside_the_patch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
