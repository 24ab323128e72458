/* capture/video_clock.c: a recording's own time. */
#include "capture/video_clock.h"

#include <string.h>

#define ASSUMED_NS 33333333 /* 30 a second, what most cameras do */
/* A hundred years, as some writers count from 1970; thirty of recording. With these bounds no sum
 * below leaves 64 bits. Pictures an hour apart are no moving picture: no measure of its rate. */
#define STAMP_MAX_NS ((int64_t)100 * 366 * 24 * 3600 * 1000000000)
#define TIME_MAX_NS ((int64_t)1000000000 * 1000000000)
#define INTERVAL_MAX_NS ((int64_t)3600 * 1000000000)
/* So far ahead the stamps before a jump back may go on afterwards. */
#define RETURN_MAX_INTERVALS 10

void capture_clock_start(struct video_clock *clock, int64_t nominal_ns)
{
    memset(clock, 0, sizeof *clock);
    clock->nominal_ns = nominal_ns > 0 && nominal_ns < INTERVAL_MAX_NS ? nominal_ns : 0;
}

int64_t capture_clock_interval(const struct video_clock *clock)
{
    int64_t sorted[CLOCK_INTERVALS];
    int count = clock->interval_count;

    if (count == 0)
        return clock->nominal_ns;
    for (int i = 0; i < count; i++) {
        int at = i;

        for (; at > 0 && sorted[at - 1] > clock->intervals[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = clock->intervals[i];
    }
    return sorted[count / 2];
}

static int64_t step_of(const struct video_clock *clock)
{
    int64_t interval = capture_clock_interval(clock);

    return interval > 0 ? interval : ASSUMED_NS;
}

static void note_interval(struct video_clock *clock, int64_t interval_ns)
{
    if (interval_ns > INTERVAL_MAX_NS)
        return;
    clock->intervals[clock->interval_next] = interval_ns;
    clock->interval_next = (clock->interval_next + 1) % CLOCK_INTERVALS;
    if (clock->interval_count < CLOCK_INTERVALS)
        clock->interval_count++;
}

/* Were the stamp that ran back the only one that did, this one would go on from those before it. */
static bool returns(const struct video_clock *clock, int64_t stamp_ns)
{
    return clock->may_return && stamp_ns > clock->old_stamp_ns &&
           stamp_ns - clock->old_stamp_ns <= RETURN_MAX_INTERVALS * step_of(clock) &&
           stamp_ns + clock->old_offset_ns > clock->given_ns;
}

static void set_base(struct video_clock *clock, int64_t stamp_ns, int64_t time_ns)
{
    clock->stamp_ns = stamp_ns;
    clock->offset_ns = time_ns - stamp_ns;
    clock->has_stamp = true;
}

/* A stamp that ran back, or the first one after pictures without: time goes on, and counts from
 * here. */
static int64_t rebase(struct video_clock *clock, int64_t stamp_ns)
{
    clock->may_return = clock->has_stamp;
    clock->old_stamp_ns = clock->stamp_ns;
    clock->old_offset_ns = clock->offset_ns;
    clock->given_ns += step_of(clock);
    set_base(clock, stamp_ns, clock->given_ns);
    return clock->given_ns;
}

/* No stamp, or the same once more, or one that time has already passed. Half a step, so that the
 * stamps that follow catch up where several pictures share one. */
static int64_t creep(struct video_clock *clock, int64_t step_ns)
{
    clock->given_ns += step_ns > 1 ? step_ns : 1;
    return clock->given_ns;
}

static int64_t follow(struct video_clock *clock, int64_t stamp_ns, bool *doubtful)
{
    int64_t time_ns;

    if (returns(clock, stamp_ns))
        clock->offset_ns = clock->old_offset_ns;
    else if (stamp_ns > clock->stamp_ns && !clock->may_return)
        note_interval(clock, stamp_ns - clock->stamp_ns);
    clock->may_return = false;
    clock->stamp_ns = stamp_ns;
    time_ns = stamp_ns + clock->offset_ns;
    if (time_ns <= clock->given_ns || time_ns > TIME_MAX_NS) {
        *doubtful = true;
        return creep(clock, step_of(clock) / 2);
    }
    clock->given_ns = time_ns;
    return time_ns;
}

int64_t capture_clock_next(struct video_clock *clock, int64_t stamp_ns, bool *doubtful)
{
    bool usable = stamp_ns > -STAMP_MAX_NS && stamp_ns < STAMP_MAX_NS;

    *doubtful = !usable;
    if (!clock->started) {
        clock->started = true;
        clock->given_ns = 0;
        if (usable)
            set_base(clock, stamp_ns, 0);
        return 0;
    }
    if (!usable)
        return creep(clock, step_of(clock));
    if (clock->has_stamp && stamp_ns > clock->stamp_ns)
        return follow(clock, stamp_ns, doubtful);
    *doubtful = true;
    if (clock->has_stamp && stamp_ns == clock->stamp_ns)
        return creep(clock, step_of(clock) / 2);
    return rebase(clock, stamp_ns);
}

int64_t capture_clock_share(struct video_clock *clock, int parts)
{
    return creep(clock, step_of(clock) / (parts > 0 ? parts : 1));
}
