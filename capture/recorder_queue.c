/* capture/recorder_queue.c: what waits to be written. */
#include "capture/recorder_queue.h"

#include <stdlib.h>
#include <string.h>

struct record_item *capture_record_item(enum record_kind kind, size_t length)
{
    struct record_item *item = malloc(sizeof *item + length);

    if (!item)
        return NULL;
    memset(item, 0, sizeof *item);
    item->kind = kind;
    item->length = length;
    return item;
}

struct record_item *capture_record_item_picture(const struct picture *picture,
                                                enum recorder_use use)
{
    struct record_item *item = capture_record_item(RECORD_PICTURE, picture->length);

    if (!item)
        return NULL;
    memcpy(item->bytes, picture->bytes, picture->length);
    item->use = use;
    item->t_ns = picture->time_ns;
    item->sequence = picture->sequence;
    return item;
}

static size_t weight(const struct record_item *item)
{
    return sizeof *item + item->length;
}

static bool droppable(const struct record_item *item)
{
    return item->kind == RECORD_PICTURE && item->use != RECORDER_KEEP;
}

/* Drops the oldest picture that is not to be kept. */
static bool queue_drop(struct record_queue *queue)
{
    struct record_item **at = &queue->first, *before = NULL;

    while (*at && !droppable(*at)) {
        before = *at;
        at = &(*at)->next;
    }
    struct record_item *gone = *at;
    if (!gone)
        return false;
    *at = gone->next;
    if (queue->last == gone)
        queue->last = before;
    queue->bytes -= weight(gone);
    free(gone);
    return true;
}

/* What was read from has half as much room again: a ruling may rest on it. */
bool capture_record_queue_fits(const struct record_queue *queue, const struct record_item *item)
{
    size_t most = droppable(item) ? queue->most : queue->most + queue->most / 2;

    return queue->bytes + weight(item) <= most;
}

bool capture_record_queue_put(struct record_queue *queue, struct record_item *item,
                              uint64_t *dropped)
{
    while (!capture_record_queue_fits(queue, item) && queue_drop(queue))
        (*dropped)++;
    if (!capture_record_queue_fits(queue, item)) {
        *dropped += item->kind == RECORD_PICTURE;
        free(item);
        return false;
    }
    queue->bytes += weight(item);
    if (item->kind == RECORD_EVIDENCE) {
        item->next = queue->first;
        queue->first = item;
        queue->last = queue->last ? queue->last : item;
    } else if (queue->last) {
        queue->last->next = item;
        queue->last = item;
    } else {
        queue->first = queue->last = item;
    }
    return true;
}

struct record_item *capture_record_queue_take(struct record_queue *queue)
{
    struct record_item *item = queue->first;

    if (!item)
        return NULL;
    queue->first = item->next;
    if (!queue->first)
        queue->last = NULL;
    queue->bytes -= weight(item);
    item->next = NULL;
    return item;
}
