/* pubsub/told.h: which decisions a follower has told and that stand, so that none is told twice. No
 * I/O. */
#ifndef PUBSUB_TOLD_H
#define PUBSUB_TOLD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A snapshot lists 1,000; beyond this the oldest are forgotten. */
#define TOLD_MOST 4096

/* A decision's name, and what it says. */
struct told_decision {
    int64_t seq, index;
    uint64_t digest; /* of its text: another one under the same name is another decision */
};

/* Sorted by name. Zeroed at first; pubsub_told_free at last. */
struct told_list {
    struct told_decision *decision;
    size_t count, room;
};

/* False when it is no decision (an object with seq and index). */
bool pubsub_told_name(const json_t *decision, struct told_decision *out);

/* The one of that name; NULL when there is none. Lent until the next change. */
const struct told_decision *pubsub_told_find(const struct told_list *told, int64_t seq,
                                             int64_t index);

/* Puts it in, in place of one of the same name. False without memory. */
bool pubsub_told_put(struct told_list *told, const struct told_decision *decision);
void pubsub_told_drop(struct told_list *told, int64_t seq, int64_t index);
void pubsub_told_clear(struct told_list *told);
void pubsub_told_free(struct told_list *told);

/* Below 0, 0, above 0: as the first stands to the second by name. */
int pubsub_told_order(const struct told_decision *one, const struct told_decision *other);

#endif
