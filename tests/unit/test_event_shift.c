/* Events from one clock to another: every time in them, and nothing else. */
#include "referee/event_shift.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void shift_should_move_every_time_of_a_layout(void **state)
{
    struct event event;
    (void)state;
    memset(&event, 0, sizeof event);
    event.kind = EVENT_LAYOUT;
    event.t_ns = 1000;
    event.layout.first_t_ns = 900;
    event.layout.moved_t_ns = 800;
    event.layout.frame = 7;
    referee_event_shift(&event, -500);
    assert_int_equal(event.t_ns, 500);
    assert_int_equal(event.layout.first_t_ns, 400);
    assert_int_equal(event.layout.moved_t_ns, 300);
    assert_int_equal(event.layout.frame, 7);
}

static void shift_should_move_the_times_of_other_kinds(void **state)
{
    struct event event;
    (void)state;
    memset(&event, 0, sizeof event);
    event.kind = EVENT_TICK;
    event.seen_t_ns = 10;
    referee_event_shift(&event, 5);
    assert_int_equal(event.seen_t_ns, 15);
    memset(&event, 0, sizeof event);
    event.kind = EVENT_CLAIM;
    event.claim.claimed_t_ns = 10;
    event.claim.error_ns = 3;
    referee_event_shift(&event, 5);
    assert_int_equal(event.claim.claimed_t_ns, 15);
    assert_int_equal(event.claim.error_ns, 3);
    memset(&event, 0, sizeof event);
    event.kind = EVENT_MOTION;
    event.motion.at_t_ns = 10;
    referee_event_shift(&event, 5);
    assert_int_equal(event.motion.at_t_ns, 15);
    memset(&event, 0, sizeof event);
    event.kind = EVENT_CARD;
    event.card.first_t_ns = 10;
    referee_event_shift(&event, 5);
    assert_int_equal(event.card.first_t_ns, 15);
    memset(&event, 0, sizeof event);
    event.kind = EVENT_DISCS;
    event.discs.first_t_ns = 10;
    referee_event_shift(&event, 5);
    assert_int_equal(event.discs.first_t_ns, 15);
}

static void shift_should_stay_at_the_bounds_of_time(void **state)
{
    struct event event;
    (void)state;
    memset(&event, 0, sizeof event);
    event.kind = EVENT_TICK;
    event.t_ns = INT64_MAX - 1;
    event.seen_t_ns = INT64_MIN + 1;
    referee_event_shift(&event, 5);
    assert_true(event.t_ns == INT64_MAX);
    event.seen_t_ns = INT64_MIN + 1;
    referee_event_shift(&event, -5);
    assert_true(event.seen_t_ns == INT64_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shift_should_move_every_time_of_a_layout),
        cmocka_unit_test(shift_should_move_the_times_of_other_kinds),
        cmocka_unit_test(shift_should_stay_at_the_bounds_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
