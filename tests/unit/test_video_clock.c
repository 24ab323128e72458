/* A recording's own time: whatever its stamps are, times rise and the right ones are trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/video_clock.h"

#define MS ((int64_t)1000000)
#define NONE CLOCK_NO_STAMP

static struct video_clock start(int64_t nominal_ns)
{
    struct video_clock clock;

    capture_clock_start(&clock, nominal_ns);
    return clock;
}

static void expect(struct video_clock *clock, int64_t stamp_ns, int64_t time_ns, bool doubtful)
{
    bool was;

    assert_int_equal(capture_clock_next(clock, stamp_ns, &was), time_ns);
    assert_int_equal(was, doubtful);
}

static void should_count_from_the_first_stamp(void **state)
{
    struct video_clock clock = start(0);

    (void)state;
    assert_int_equal(capture_clock_interval(&clock), 0);
    expect(&clock, 5000 * MS, 0, false);
    expect(&clock, 5033 * MS, 33 * MS, false);
    expect(&clock, 5066 * MS, 66 * MS, false);
    expect(&clock, 9066 * MS, 4066 * MS, false); /* a gap is a gap */
    assert_int_equal(capture_clock_interval(&clock), 33 * MS);
}

static void should_go_on_at_the_recordings_rate_without_stamps(void **state)
{
    struct video_clock clock = start(40 * MS);

    (void)state;
    for (int i = 0; i < 5; i++)
        expect(&clock, NONE, i * 40 * MS, true);
    expect(&clock, 7000 * MS, 200 * MS, true); /* stamps begin: time counts on from here */
    expect(&clock, 7040 * MS, 240 * MS, false);
    expect(&clock, NONE, 280 * MS, true);
    expect(&clock, 7120 * MS, 320 * MS, false);
}

static void should_assume_thirty_a_second_when_nothing_is_known(void **state)
{
    struct video_clock clock = start(-1);

    (void)state;
    expect(&clock, NONE, 0, true);
    expect(&clock, NONE, 33333333, true);
}

static void should_share_the_time_of_equal_stamps(void **state)
{
    struct video_clock clock = start(40 * MS);

    (void)state;
    expect(&clock, 0, 0, false);
    expect(&clock, 40 * MS, 40 * MS, false);
    expect(&clock, 40 * MS, 60 * MS, true);
    expect(&clock, 80 * MS, 80 * MS, false);
    /* Many under one stamp: those that follow are doubtful until time has caught up. */
    for (int i = 1; i <= 4; i++)
        expect(&clock, 80 * MS, (80 + 20 * i) * MS, true);
    expect(&clock, 120 * MS, 180 * MS, true);
    expect(&clock, 160 * MS, 200 * MS, true);
    expect(&clock, 240 * MS, 240 * MS, false);
}

static void should_forget_a_single_stamp_that_ran_back(void **state)
{
    struct video_clock clock = start(40 * MS);

    (void)state;
    expect(&clock, 1000 * MS, 0, false);
    expect(&clock, 1040 * MS, 40 * MS, false);
    expect(&clock, 3 * MS, 80 * MS, true);
    expect(&clock, 1120 * MS, 120 * MS, false);
    expect(&clock, 1160 * MS, 160 * MS, false);
    assert_int_equal(capture_clock_interval(&clock), 40 * MS);
}

static void should_follow_stamps_that_start_anew(void **state)
{
    struct video_clock clock = start(40 * MS);

    (void)state;
    expect(&clock, 1000 * MS, 0, false);
    expect(&clock, 1040 * MS, 40 * MS, false);
    expect(&clock, 0, 80 * MS, true);
    expect(&clock, 40 * MS, 120 * MS, false);
    expect(&clock, 80 * MS, 160 * MS, false);
}

static void should_take_the_median_for_the_interval(void **state)
{
    struct video_clock clock = start(20 * MS);
    bool doubtful;
    int64_t stamp = 0;

    (void)state;
    assert_int_equal(capture_clock_interval(&clock), 20 * MS);
    for (int i = 0; i < 60; i++) {
        (void)capture_clock_next(&clock, stamp, &doubtful);
        stamp += (i % 5 == 4 ? 500 : 33 + i % 2) * MS;
    }
    assert_in_range(capture_clock_interval(&clock), 33 * MS, 34 * MS);
}

static void should_rise_whatever_the_stamps_are(void **state)
{
    static const int64_t stamps[] = {
        INT64_MAX, INT64_MIN + 1, 3155760000000000000, 0, -3155760000000000000, 1, -1, NONE};
    struct video_clock clock = start(INT64_MAX);
    int64_t last = -1;
    unsigned pick = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        bool doubtful;
        int64_t time_ns;

        pick = pick * 1103515245u + 12345u;
        time_ns = i % 7 == 6 ? capture_clock_share(&clock, (int)(pick >> 28))
                             : capture_clock_next(&clock, stamps[pick >> 16 & 7], &doubtful);
        assert_true(time_ns > last);
        last = time_ns;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_count_from_the_first_stamp),
        cmocka_unit_test(should_go_on_at_the_recordings_rate_without_stamps),
        cmocka_unit_test(should_assume_thirty_a_second_when_nothing_is_known),
        cmocka_unit_test(should_share_the_time_of_equal_stamps),
        cmocka_unit_test(should_forget_a_single_stamp_that_ran_back),
        cmocka_unit_test(should_follow_stamps_that_start_anew),
        cmocka_unit_test(should_take_the_median_for_the_interval),
        cmocka_unit_test(should_rise_whatever_the_stamps_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
