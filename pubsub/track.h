/* pubsub/track.h: what a follower knows of a table, and what it tells of what comes: the part of
 * pubsub/follow.h without sockets and without a clock. Times are given, in milliseconds that never
 * run backward.
 *
 * It tells messages only while it is joined: while the snapshot that it stands on and all that was
 * heard since leave no gap. Otherwise it keeps what comes, asks for a snapshot, tells what that one
 * has beyond what was told before, and goes on with what was kept. What a snapshot says of who
 * publishes is believed; another source that is heard is followed once a snapshot comes from it. */
#ifndef PUBSUB_TRACK_H
#define PUBSUB_TRACK_H

#include "pubsub/follow.h"

/* A request for a snapshot, with its 0. */
#define TRACK_REQUEST_MAX 96

struct track;

struct track_options {
    const char *table; /* NULL: that of the first snapshot */
    unsigned kinds;    /* as in follow.h */
    struct follow_sink sink;
    uint32_t seed; /* spreads the times at which many followers ask again */
};

/* NULL without memory, or when the table's name does not fit. */
struct track *pubsub_track_create(const struct track_options *options, int64_t now_ms);
void pubsub_track_destroy(struct track **track);

/* A message was heard. Whatever is no message of this table is passed over. */
void pubsub_track_message(struct track *track, const char *bytes, size_t length, int64_t now_ms);

/* Is a snapshot to be asked for now? The request's length, 0: no. */
size_t pubsub_track_ask(struct track *track, int64_t now_ms, char out[TRACK_REQUEST_MAX]);

/* An answer came. It is passed over unless it is that to the last request. */
void pubsub_track_answer(struct track *track, const char *bytes, size_t length, int64_t now_ms);

/* Time has passed. pubsub_track_due_ms: when pubsub_track_ask or this want to be called next,
 * counted from now; never negative. */
void pubsub_track_tick(struct track *track, int64_t now_ms);
int pubsub_track_due_ms(const struct track *track, int64_t now_ms);

/* Was FOLLOW_STALE told, and not FOLLOW_BACK since? */
bool pubsub_track_stale(const struct track *track);

/* Why nothing comes, for the next FOLLOW_STALE; copied. */
void pubsub_track_trouble(struct track *track, const char *text);

#endif
