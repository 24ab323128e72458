/* pubsub/guard.h: who is let in, and who was kept out: the part of ZAP (RFC 27) without sockets. */
#ifndef PUBSUB_GUARD_H
#define PUBSUB_GUARD_H

#include "pubsub/keys.h"

/* What a table's addresses with keys are called to the guard. */
#define GUARD_DOMAIN "tableref"
#define GUARD_PART_MAX 256

/* The parts of a question in their order. Each is closed by a 0 that its length does not count. */
enum guard_part {
    GUARD_VERSION,
    GUARD_ID,
    GUARD_OF, /* the domain */
    GUARD_FROM,
    GUARD_PEER,
    GUARD_MECHANISM,
    GUARD_KEY,
    GUARD_PARTS
};

struct guard_question {
    char part[GUARD_PARTS][GUARD_PART_MAX];
    int length[GUARD_PARTS];
    int parts; /* how many came */
};

struct guard;

/* NULL without memory. `keys` are a table's and are not kept. */
struct guard *pubsub_guard_create(const struct wire_keys *keys);
void pubsub_guard_destroy(struct guard **guard);

/* Of which folder. Lent. */
const char *pubsub_guard_path(const struct guard *guard);

/* Is that one let in? Its name, else "". One thread at a time; the next may be called by another.
 */
bool pubsub_guard_allows(struct guard *guard, const struct guard_question *question,
                         char name[KEYS_NAME_MAX]);

/* As pubsub_wire_refused. */
bool pubsub_guard_refused(struct guard *guard, struct wire_fault *out);

#endif
