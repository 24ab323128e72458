/* pubsub/follow.h: follows a table's messages so that nothing is missed or told twice: subscribes,
 * asks for a snapshot, takes what came since by epoch and seq, notices gaps and heals them, notices
 * a stale link and a second publisher (see PROTOCOL.md). What `tableref watch` and every scoreboard
 * stand on.
 *
 * A follower belongs to one thread. */
#ifndef PUBSUB_FOLLOW_H
#define PUBSUB_FOLLOW_H

#include "pubsub/message.h"
#include "pubsub/wire.h"

/* The link is stale after this without a state: two heartbeats, as displays are told. */
#define FOLLOW_STALE_MS 2000

enum follow_note {
    FOLLOW_JOINED, /* a snapshot was taken: what is told from now on stands */
    FOLLOW_GAP,    /* messages were missed; a snapshot is asked for */
    FOLLOW_STALE,  /* nothing was heard for FOLLOW_STALE_MS; told once */
    FOLLOW_BACK,   /* it is heard again */
    FOLLOW_TWO,    /* two processes publish for this table; told once for each */
    FOLLOW_KEY     /* the other end refused our key, or we its; told once for each end */
};

/* Who hears. Arguments are lent. Each may be NULL. */
struct follow_sink {
    /* A message, in order and once each; decisions of a snapshot that were not told before come as
     * verdict messages with `late` true, and those told before that stand no longer as void ones;
     * its state, health and layouts as such messages, too. Of a replay each has its "replay". All these follow FOLLOW_JOINED, and
     * their sent_ns is 0. */
    void (*message)(void *context, const struct message_head *head, const json_t *body, bool late);
    void (*note)(void *context, enum follow_note note, const char *text);
    void *context;
};

struct follow_options {
    const char *publish;  /* the address to subscribe to */
    const char *requests; /* the address to ask at */
    const char *table;    /* NULL: whatever table is heard there (one) */
    const char *keys;     /* a display's key for CURVE (pubsub/keys.h); NULL: none */
    unsigned kinds;       /* bits (1u << enum message_kind) that are wanted; state always is */
};

struct follow;

/* Begins; connects in its own time, and again for ever. PUBSUB_E_ADDRESS, _MEMORY, _SYSTEM,
 * _ARGUMENT (a table's name or a key that does not fit) with `fault`. The caller gives *out to
 * pubsub_follow_close. `wire` is lent for its life. */
int pubsub_follow_open(struct wire *wire, const struct follow_options *options,
                       const struct follow_sink *sink, struct follow **out,
                       struct wire_fault *fault);
void pubsub_follow_close(struct follow **follow);

/* Waits up to timeout_ms for what comes and tells it. `files` (may be NULL) are watched besides:
 * the bits of those that can be read (file i is bit i) are returned; negative: pubsub_error. */
int pubsub_follow_turn(struct follow *follow, const int *files, int file_count, int timeout_ms);

/* Asks at the table's request socket, on a socket of the follower's own, and waits up to
 * timeout_ms; the answer's text is lent until the next call. Asked again with the same id when no
 * answer came. PUBSUB_E_AGAIN: no answer. */
int pubsub_follow_ask(struct follow *follow, const char *request, size_t length, int timeout_ms,
                      const char **answer, size_t *answer_length);

#endif
