/* vision/loop_vision.h: the eyes as a process: takes pictures from a source, watches the table, and
 * tells the referee's process what it sees (see referee/loop_referee.h). Program layer. */
#ifndef VISION_LOOP_VISION_H
#define VISION_LOOP_VISION_H

#include "capture/recorder.h"
#include "capture/source.h"
#include "vision/table.h"
#include "vision/watch.h"

/* The exit status of eyes that must begin their recording anew, because the referee was started
 * again: EX_TEMPFAIL of sysexits.h. */
#define VISION_AGAIN 75

struct vision_service {
    const char *rundir;
    const struct table_kit *kit;
    struct source *source;
    int settle_frames;
    bool mirrored;
    bool paced; /* a recorded source is read no faster than it was recorded */
    const struct recorder_options *recorder; /* what is seen is kept so; NULL: it is not */
};

/* Runs until the source ends, the referee says stop, or *stop becomes true. An exit status; what
 * goes wrong is said on stderr, once. */
int loop_vision_run(const struct vision_service *asked, const volatile bool *stop);

#endif
