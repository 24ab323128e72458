/* pubsub/message.h: what is published: topics and envelopes, made and read (see PROTOCOL.md).
 *
 * The JSON inside is carried as text: who publishes has made it, who shows it reads it. No I/O. */
#ifndef PUBSUB_MESSAGE_H
#define PUBSUB_MESSAGE_H

#include "pubsub/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MESSAGE_VERSION 1
#define MESSAGE_NAME_MAX 64   /* of a table (32 characters at most) or match, with its 0 */
#define MESSAGE_SOURCE_MAX 17 /* 16 hexadecimal digits and a 0 */
#define MESSAGE_TOPIC_MAX 48

enum message_kind {
    MESSAGE_VERDICT,
    MESSAGE_VOID,
    MESSAGE_STATE,
    MESSAGE_LAYOUT,
    MESSAGE_HEALTH,
    MESSAGE_KINDS
};

/* What stands in every message besides its own member. */
struct message_head {
    enum message_kind kind;
    char table[MESSAGE_NAME_MAX];
    char match[MESSAGE_NAME_MAX];
    char source[MESSAGE_SOURCE_MAX];
    int64_t epoch;
    uint64_t seq;
    int64_t t_ns, sent_ns;
};

/* "verdict", "void", ..; NULL outside. The kind of such a word, or -1. */
const char *pubsub_message_kind_name(enum message_kind kind);
int pubsub_message_kind(const char *word, size_t length);

/* Whether a table may be called so: 1 to 32 letters, digits, '-' and '_'. */
bool pubsub_message_table_fits(const char *name);

/* "verdict.4": what a display subscribes to. False when it does not fit. */
bool pubsub_message_topic(enum message_kind kind, const char *table, char out[MESSAGE_TOPIC_MAX]);

/* A whole message: topic, space, object. `members` is the JSON text of the kind's own members without
 * braces, as in "\"decision\":{..}". The caller frees *out; *length without the closing 0.
 * PUBSUB_E_ARGUMENT (a name or text that does not fit), PUBSUB_E_MEMORY. */
int pubsub_message_make(const struct message_head *head, const char *members, char **out,
                        size_t *length);

/* Reads one. *body gets the object, which the caller gives to json_decref; the topic and the object
 * must agree on the table. PUBSUB_E_ARGUMENT with `fault` saying what is wrong; PUBSUB_E_MEMORY. */
int pubsub_message_read(const char *bytes, size_t length, struct message_head *head, json_t **body,
                        struct wire_fault *fault);

#endif
