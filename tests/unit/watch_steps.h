/* tests/unit/watch_steps.h: what the tests of the watch do with the drawn table of watch_scene.h,
 * and what they ask of it. Include after cmocka. */
#ifndef TESTS_UNIT_WATCH_STEPS_H
#define TESTS_UNIT_WATCH_STEPS_H

#include "tests/unit/watch_scene.h"

/* So many frames are more than enough to find the mat and read what lies still. */
#define ENOUGH 9

static inline int setup(void **state)
{
    *state = world_open();
    return *state ? 0 : -1;
}

static inline int teardown(void **state)
{
    struct watch_world *w = *state;
    world_close(&w);
    return 0;
}

static inline struct watch_world *start(void **state)
{
    struct watch_world *w = *state;
    assert_int_equal(world_watch(w, world_options(), true), 0);
    return w;
}

static inline int64_t see(struct watch_world *w, enum watch_base base, int frames)
{
    int64_t first = show(w, base, frames);
    assert_true(first >= 0);
    return first;
}

/* Exactly one layout since `from`, of that state. */
static inline const struct told *one_layout(const struct watch_world *w, int from,
                                            enum seat_state state)
{
    const struct told *last = NULL;
    assert_int_equal(told_count(w, from, TOLD_LAYOUT, &last), 1);
    assert_int_equal(last->state, state);
    return last;
}

/* The health went bad for `reason`, among others perhaps, and well again, since `from`. */
static inline void assert_ill_and_well(const struct watch_world *w, int from, enum reason reason)
{
    const struct told *last = NULL;
    bool ill = false;
    assert_true(told_count(w, from, TOLD_HEALTH, &last) >= 2);
    for (int i = from; i < w->count; i++)
        if (w->told[i].kind == TOLD_HEALTH)
            ill = ill || (w->told[i].health & REASON_BIT(reason));
    assert_true(ill);
    assert_true(last->health == 0);
}

#endif
