/* pubsub/web_desk.h: errands between two threads: the web server's hands one in and lets its
 * connection sleep, another does it (it owns the sockets that are asked) and wakes the connection.
 */
#ifndef PUBSUB_WEB_DESK_H
#define PUBSUB_WEB_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Errands that wait; more are refused. A person touches a button, a hall of phones claims: no more
 * than this in the second or two that an answer may take. */
#define WEB_DESK_MAX 64

enum web_errand_kind {
    WEB_ERRAND_ASK,  /* `request` goes to the referee's socket, `answer` is what it said */
    WEB_ERRAND_LOOK, /* the eyes' picture: `answer` is its outline, `picture` the JPEG */
    WEB_ERRAND_SHOW  /* from the record: `request` is "evidence SEQ INDEX", "finish EVENT" or
                        "finishes"; `picture` is a PNG, or there is only an `answer` */
};

/* Made and freed by who hands it in; between put and wake it belongs to the other side. */
struct web_errand {
    struct web_errand *next;
    enum web_errand_kind kind;
    char *request; /* of the errand; freed with it */
    size_t request_length;
    int64_t put_ns; /* CLOCK_MONOTONIC */
    void (*wake)(void *context);
    void *context;
    bool done;
    char *answer; /* NULL: there was none */
    size_t answer_length;
    unsigned char *picture;
    size_t picture_length;
};

struct web_desk;

struct web_desk *pubsub_web_desk_create(void);
void pubsub_web_desk_destroy(struct web_desk **desk);

/* False when too many wait, or the desk is closed: the errand stays the caller's. */
bool pubsub_web_desk_put(struct web_desk *desk, struct web_errand *errand);
/* The next errand, or NULL when none comes within timeout_ms or the desk is closed. */
struct web_errand *pubsub_web_desk_take(struct web_desk *desk, int timeout_ms);
/* Done, with or without an answer: the other side is woken, and the errand is its again. */
void pubsub_web_errand_finish(struct web_errand *errand);
/* Whether it waited for longer than that. */
bool pubsub_web_errand_late(const struct web_errand *errand, int most_ms);
/* What the errand holds; not the errand itself. */
void pubsub_web_errand_clear(struct web_errand *errand);

/* Nothing is taken in any more, and what waited is done without an answer. */
void pubsub_web_desk_close(struct web_desk *desk);

#endif
