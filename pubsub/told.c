/* pubsub/told.c: which decisions a follower has told. */
#include "pubsub/told.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a of 64 bits. It only tells two texts of one name apart, which nobody gains by forging. */
static uint64_t text_digest(const char *text)
{
    uint64_t digest = 0xcbf29ce484222325u;

    for (const char *c = text; *c; c++)
        digest = (digest ^ (unsigned char)*c) * 0x100000001b3u;
    return digest;
}

bool pubsub_told_name(const json_t *decision, struct told_decision *out)
{
    const json_t *seq = json_object_get(decision, "seq");
    const json_t *index = json_object_get(decision, "index");

    if (!json_is_integer(seq) || !json_is_integer(index))
        return false;
    char *text = json_dumps(decision, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text)
        return false;
    *out = (struct told_decision){json_integer_value(seq), json_integer_value(index),
                                  text_digest(text)};
    free(text);
    return true;
}

int pubsub_told_order(const struct told_decision *one, const struct told_decision *other)
{
    if (one->seq != other->seq)
        return one->seq < other->seq ? -1 : 1;
    return (one->index > other->index) - (one->index < other->index);
}

/* The first place whose name is not below that one. */
static size_t place_find(const struct told_list *told, const struct told_decision *wanted)
{
    size_t low = 0, high = told->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pubsub_told_order(&told->decision[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool place_holds(const struct told_list *told, size_t place,
                        const struct told_decision *wanted)
{
    return place < told->count && pubsub_told_order(&told->decision[place], wanted) == 0;
}

const struct told_decision *pubsub_told_find(const struct told_list *told, int64_t seq,
                                             int64_t index)
{
    struct told_decision wanted = {.seq = seq, .index = index};
    size_t place = place_find(told, &wanted);

    return place_holds(told, place, &wanted) ? &told->decision[place] : NULL;
}

static void place_drop(struct told_list *told, size_t place)
{
    told->count--;
    memmove(&told->decision[place], &told->decision[place + 1],
            (told->count - place) * sizeof *told->decision);
}

static bool room_make(struct told_list *told)
{
    size_t room = told->room ? 2 * told->room : 64;

    if (told->count < told->room)
        return true;
    struct told_decision *grown = realloc(told->decision, room * sizeof *grown);
    if (!grown)
        return false;
    told->decision = grown;
    told->room = room;
    return true;
}

bool pubsub_told_put(struct told_list *told, const struct told_decision *decision)
{
    if (told->count == TOLD_MOST)
        place_drop(told, 0);
    size_t place = place_find(told, decision);
    if (!place_holds(told, place, decision)) {
        if (!room_make(told))
            return false;
        memmove(&told->decision[place + 1], &told->decision[place],
                (told->count - place) * sizeof *told->decision);
        told->count++;
    }
    told->decision[place] = *decision;
    return true;
}

void pubsub_told_drop(struct told_list *told, int64_t seq, int64_t index)
{
    struct told_decision wanted = {.seq = seq, .index = index};
    size_t place = place_find(told, &wanted);

    if (place_holds(told, place, &wanted))
        place_drop(told, place);
}

void pubsub_told_clear(struct told_list *told)
{
    told->count = 0;
}

void pubsub_told_free(struct told_list *told)
{
    free(told->decision);
    *told = (struct told_list){.decision = NULL};
}
