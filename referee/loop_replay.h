/* referee/loop_replay.h: a match on record, shown again to displays as if it were played, but said
 * to be a replay in every message (see pubsub/PROTOCOL.md, "A replay"). Program layer.
 *
 * Nothing of the record is changed: its events are ruled on once more, in memory. To wind is to
 * begin a new epoch, so displays take the match as it stood then from a snapshot. */
#ifndef REFEREE_LOOP_REPLAY_H
#define REFEREE_LOOP_REPLAY_H

#include "referee/record.h"

/* In thousandths; 0 is as fast as can be. */
#define REPLAY_SPEED_LEAST 250
#define REPLAY_SPEED_MOST 16000

struct replay_service {
    const char *rundir;             /* held by who calls, with its file of keys */
    const char *table;              /* its name, for displays */
    const char *publish, *requests; /* addresses besides the run's own; NULL for none */
    const char *keys;               /* the folder of keys for those; NULL for none */
    const struct record *record;    /* the match; lent */
    int64_t from_t_ns, to_t_ns;     /* the part to be shown */
    int speed_permille;
    bool paused;  /* begin at a standstill */
    bool what_if; /* it was not played so */
    bool text;    /* decisions as lines for people, else JSON */
    bool once;    /* end at the end; else wait there to be wound back */
    /* Called between whiles, several times a second at least; may be NULL. */
    void (*look)(void *context);
    void *context;
};

/* Shows it until it is over, or *stop becomes true. An exit status; what goes wrong is said on
 * stderr, once. */
int loop_replay_run(const struct replay_service *asked, const volatile bool *stop);

#endif
