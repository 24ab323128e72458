/* The watch of eyes that are late: pictures are passed over, and nothing untrue is told for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/watch_steps.h"

/* So many pictures come that are passed over. */
static void pass(struct watch_world *w, int pictures)
{
    for (int i = 0; i < pictures; i++) {
        const struct picture picture = {.sequence = w->sequence++, .time_ns = w->t_ns};
        vision_watch_passed(w->watch, &picture);
        w->t_ns += WATCH_INTERVAL_NS;
    }
}

/* Eyes that are late look at every fifth picture: nothing is stale, and what lies there is told
 * with the times of pictures that were looked at. */
static void should_pass_over_pictures_that_came(void **state)
{
    struct watch_world *w = *state;
    struct watch_options options = world_options();
    const struct told *motion = NULL;
    options.live = true;
    assert_int_equal(world_watch(w, options, true), 0);
    for (int i = 0; i < ENOUGH; i++) {
        see(w, BASE_EMPTY, 1);
        pass(w, 4);
    }
    one_layout(w, 0, SEAT_EMPTY);
    int from = w->count;
    int64_t first = see(w, BASE_BUILT, 1);
    for (int i = 1; i < ENOUGH; i++) {
        pass(w, 4);
        see(w, BASE_BUILT, 1);
    }
    assert_int_equal(told_count(w, 0, TOLD_HEALTH, NULL), 0);
    const struct told *layout = one_layout(w, from, SEAT_COMPLETE);
    assert_string_equal(layout->id, SEAT_GRID);
    assert_true(layout->t_ns == first);
    assert_int_equal(told_count(w, from, TOLD_MOTION, &motion), 2);
    assert_true(motion->t_ns == first && motion->unseen_ns == 5 * WATCH_INTERVAL_NS);
    assert_int_equal(told_count(w, 0, TOLD_SEEN, NULL), 2 * ENOUGH);
}

static void should_count_what_is_passed_over_as_it_came(void **state)
{
    struct watch_world *w = start(state);
    see(w, BASE_BUILT, ENOUGH);
    int from = w->count;
    const struct picture bad = {.sequence = w->sequence, .time_ns = w->t_ns, .damaged = true};
    vision_watch_passed(w->watch, &bad);
    assert_int_equal(w->count, from);
    vision_watch_passed(w->watch, &bad);
    see(w, BASE_BUILT, ENOUGH);
    assert_ill_and_well(w, from, REASON_DAMAGED_FRAME);
    from = w->count;
    w->t_ns += 5 * WATCH_INTERVAL_NS;
    pass(w, 1);
    see(w, BASE_BUILT, ENOUGH);
    assert_ill_and_well(w, from, REASON_STALE);
}

/* The layout began before pictures were passed over, and settles later than it would have: until it
 * is told, nobody may take it that all of its time was told. */
static void should_not_say_that_all_was_seen_before_it_is_told(void **state)
{
    for (int gap = 0; gap <= 4; gap++) {
        struct watch_world *w = start(state);
        const struct told *seen = NULL, *layout = NULL;
        see(w, BASE_EMPTY, ENOUGH);
        int from = w->count;
        int64_t first = see(w, BASE_BUILT, 1);
        int64_t ends = first + 2 * WATCH_INTERVAL_NS;
        for (int i = 0; i < ENOUGH && told_count(w, from, TOLD_LAYOUT, &layout) == 0; i++) {
            told_count(w, from, TOLD_SEEN, &seen);
            assert_non_null(seen);
            assert_true(seen->t_ns >= first && seen->t_ns < ends);
            pass(w, i % 2 ? 0 : gap);
            see(w, BASE_BUILT, 1);
        }
        assert_non_null(layout);
        assert_true(layout->t_ns == first);
        told_count(w, from, TOLD_SEEN, &seen);
        assert_non_null(seen);
        assert_true(seen->t_ns == w->t_ns - WATCH_INTERVAL_NS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_pass_over_pictures_that_came),
        cmocka_unit_test(should_count_what_is_passed_over_as_it_came),
        cmocka_unit_test(should_not_say_that_all_was_seen_before_it_is_told),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
