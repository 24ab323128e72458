/* referee/loop_publish.h: what a referee publishes (see pubsub/PROTOCOL.md). Program layer.
 *
 * Nothing here waits: a PUB socket drops what a slow reader does not take. */
#ifndef REFEREE_LOOP_PUBLISH_H
#define REFEREE_LOOP_PUBLISH_H

#include "pubsub/message.h"
#include "pubsub/wire.h"
#include "referee/event.h"
#include "referee/state.h"
#include "vision/json_text.h"

/* At least this often a state is sent. */
#define PUBLISH_STATE_MS 1000
/* What changes without a decision is sent within this. */
#define PUBLISH_CHANGE_MS 40

struct publisher_options {
    struct wire *wire;
    const char *rundir;
    const char *address;          /* besides; NULL for none */
    const struct wire_keys *keys; /* the table's, for that address; NULL for none */
    const char *table;
};

/* What a replay says of itself, in every message. */
struct publish_replay {
    int64_t from_t_ns, to_t_ns; /* the part of the match that is shown */
    int speed_permille;         /* 0: as fast as can be */
    bool paused, what_if;       /* what_if: by other rules, cards or blocks than were played */
};

struct publisher;

/* False after saying what is wrong. The caller gives *out to loop_publish_close in any case. */
bool loop_publish_open(const struct publisher_options *options, struct publisher **out);
void loop_publish_close(struct publisher **publisher);

/* The socket at the address besides; NULL for none. */
struct wire_socket *loop_publish_far(const struct publisher *publisher);

/* From now on messages are sent, for this match in this epoch. */
void loop_publish_begin(struct publisher *publisher, const char *match, int64_t epoch);

/* Nothing is sent any more until the next loop_publish_begin, and late comers are told nothing of
 * what was before: a replay is wound. */
void loop_publish_rewind(struct publisher *publisher);

/* From now on every message says that it is of a replay, and how that stands. */
void loop_publish_replay(struct publisher *publisher, const struct publish_replay *replay);

/* All times are the match's. `body` is the decision, or the name of one that is void. */
void loop_publish_decision(struct publisher *publisher, bool stands, const char *body,
                           int64_t t_ns);
/* A settled layout or card (events of these kinds), or one on the way there. */
void loop_publish_layout(struct publisher *publisher, const struct event *event, bool settled,
                         int64_t t_ns);
/* A settled one of before: for late comers only. Other events are passed over. */
void loop_publish_keep(struct publisher *publisher, const struct event *event);
/* The state, and with every tenth the health. */
void loop_publish_state(struct publisher *publisher, const struct match_state *state, int64_t t_ns);
/* The health, if it has changed. `recorder`: what is lost; NULL for nothing. */
void loop_publish_health(struct publisher *publisher, uint64_t reasons, const char *recorder,
                         int64_t t_ns);
/* Once the match is over: the digest of its record's last line, which goes into the health; NULL
 * while it is on. */
void loop_publish_record(struct publisher *publisher, const char *digest, int64_t t_ns);

/* The state has changed; is it due now_ns (the machine's)? When it will be, at the latest. */
void loop_publish_changed(struct publisher *publisher);
bool loop_publish_due(const struct publisher *publisher, int64_t now_ns);
int64_t loop_publish_due_ns(const struct publisher *publisher);

/* Members of an open object: table, match, source, epoch. */
void loop_publish_names(const struct publisher *publisher, struct json_text *out);
/* heads, health, layouts, and of a replay that member: of a snapshot. */
void loop_publish_snapshot(const struct publisher *publisher, struct json_text *out);
/* state, clocks. */
void loop_publish_state_members(const struct publisher *publisher, const struct match_state *state,
                                int64_t t_ns, struct json_text *out);
/* "publish": [the addresses]. */
void loop_publish_addresses(const struct publisher *publisher, struct json_text *out);

#endif
