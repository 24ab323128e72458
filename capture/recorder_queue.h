/* capture/recorder_queue.h: what waits to be written by the recorder's thread; for the recorder. */
#ifndef CAPTURE_RECORDER_QUEUE_H
#define CAPTURE_RECORDER_QUEUE_H

#include "capture/recorder.h"

enum record_kind { RECORD_PICTURE, RECORD_RESTART, RECORD_TEXT, RECORD_CHAPTER, RECORD_EVIDENCE };

/* One thing to be written; `bytes` follow it in memory. */
struct record_item {
    struct record_item *next;
    enum record_kind kind;
    enum recorder_use use; /* pictures */
    uint64_t sequence;     /* pictures */
    int64_t t_ns, length_ns;
    char name[64]; /* evidence */
    size_t length;
    uint8_t bytes[];
};

/* Not safe for threads by itself: the recorder locks. */
struct record_queue {
    struct record_item *first, *last;
    size_t bytes; /* that they take */
    size_t most;  /* of pictures that nothing was read from */
};

/* A new item of that size, its texts empty. NULL for no memory. The caller frees it, or puts it. */
struct record_item *capture_record_item(enum record_kind kind, size_t length);

/* A copy of a picture. NULL for no memory. */
struct record_item *capture_record_item_picture(const struct picture *picture,
                                                enum recorder_use use);

/* Is there room for it, so that nothing would be dropped? */
bool capture_record_queue_fits(const struct record_queue *queue, const struct record_item *item);

/* Puts an item last; evidence before all else. When there is no room, pictures that are not to be
 * kept are dropped, the oldest first, and then what comes is refused. Returns false when `item` was
 * refused (and freed); *dropped is raised by the number of pictures dropped. */
bool capture_record_queue_put(struct record_queue *queue, struct record_item *item,
                              uint64_t *dropped);

/* The first one, which the caller frees; NULL for none. */
struct record_item *capture_record_queue_take(struct record_queue *queue);

#endif
