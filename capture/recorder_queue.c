/* capture/recorder_queue.c: what waits to be written. */
#include "capture/recorder_queue.h"

#include <stdlib.h>
#include <string.h>

#include "capture/jpeg.h"

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

static struct record_item *item_mjpeg(const struct picture *picture, int *error)
{
    struct jpeg_info info;

    *error = capture_jpeg_inspect(picture->bytes, picture->length, &info, NULL);
    if (*error != CAPTURE_OK)
        return NULL;
    size_t room = info.end + CAPTURE_JPEG_TABLES_BYTES;
    struct record_item *item = capture_record_item(RECORD_PICTURE, room);
    *error = CAPTURE_E_MEMORY;
    if (!item)
        return NULL;
    *error = capture_jpeg_with_tables(picture->bytes, &info, item->bytes, room, &item->length);
    if (*error == CAPTURE_OK)
        return item;
    free(item);
    return NULL;
}

/* Raw pictures are encoded later, by the thread that writes. */
static struct record_item *item_raw(const struct picture *picture, int *error)
{
    struct record_item *item =
        capture_record_item(RECORD_PICTURE, picture->length + picture->chroma_length);

    *error = item ? CAPTURE_OK : CAPTURE_E_MEMORY;
    if (!item)
        return NULL;
    memcpy(item->bytes, picture->bytes, picture->length);
    if (picture->chroma)
        memcpy(item->bytes + picture->length, picture->chroma, picture->chroma_length);
    return item;
}

struct record_item *capture_record_item_picture(const struct picture *picture, bool keep,
                                                int *error)
{
    struct record_item *item = NULL;

    *error = CAPTURE_E_UNSUPPORTED;
    if (picture->damaged || picture->length == 0)
        *error = CAPTURE_E_DAMAGED;
    else if (picture->format == PICTURE_MJPEG)
        item = item_mjpeg(picture, error);
    else if (picture->format != PICTURE_STILL)
        item = item_raw(picture, error);
    if (!item)
        return NULL;
    item->keep = keep;
    item->t_ns = picture->time_ns;
    item->picture = *picture;
    item->picture.bytes = item->bytes;
    if (picture->format == PICTURE_MJPEG)
        item->picture.length = item->length;
    if (picture->chroma)
        item->picture.chroma = item->bytes + picture->length;
    return item;
}

static size_t weight(const struct record_item *item)
{
    return sizeof *item + item->length;
}

static bool droppable(const struct record_item *item)
{
    return item->kind == RECORD_PICTURE && !item->keep;
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

bool capture_record_queue_put(struct record_queue *queue, struct record_item *item,
                              uint64_t *dropped)
{
    /* What was read from has half as much room again: a ruling may rest on it. */
    size_t most = droppable(item) ? queue->most : queue->most + queue->most / 2;

    while (queue->bytes + weight(item) > most && queue_drop(queue))
        (*dropped)++;
    if (queue->bytes + weight(item) > most) {
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
