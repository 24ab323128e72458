/* capture/video_clock.h: from a recording's stamps to times that always rise; pure. */
#ifndef CAPTURE_VIDEO_CLOCK_H
#define CAPTURE_VIDEO_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_NO_STAMP INT64_MIN
#define CLOCK_INTERVALS 15 /* whose median is the measured one: half a second of most cameras */

struct video_clock {
    int64_t nominal_ns; /* between pictures, as the recording says; 0: it does not */
    int64_t given_ns;   /* time of the picture before */
    int64_t stamp_ns;   /* the stamp of the last picture that had one */
    int64_t offset_ns;  /* from stamp to time */
    bool started, has_stamp;
    /* Before the last stamp that ran back, in case that was the only one. */
    bool may_return;
    int64_t old_stamp_ns, old_offset_ns;
    int64_t intervals[CLOCK_INTERVALS]; /* of rising stamps, a ring */
    int interval_count, interval_next;
};

void capture_clock_start(struct video_clock *clock, int64_t nominal_ns);

/* The time of the next picture, 0 at the first, above the one before. *doubtful: not by its own
 * stamp, because that is missing, stands still or runs back. A stamp that ran back is followed when
 * the next ones go on from it (two recordings joined), and forgotten when they do not. */
int64_t capture_clock_next(struct video_clock *clock, int64_t stamp_ns, bool *doubtful);

/* The time of a further picture under the same stamp, of `parts` that share it. */
int64_t capture_clock_share(struct video_clock *clock, int parts);

/* Between pictures: the median of the last ones, else what the recording says; 0: not known. */
int64_t capture_clock_interval(const struct video_clock *clock);

#endif
