/* pubsub/web_event.h: one server-sent event, ready to be sent, shared by all who send it. Not
 * locked: web_hub.c alone holds events, under its lock. */
#ifndef PUBSUB_WEB_EVENT_H
#define PUBSUB_WEB_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct web_event {
    int holders;
    uint64_t number;
    int64_t seq; /* of a decision */
    int index;
    size_t length;
    char bytes[]; /* "id: 1-7\nevent: state\ndata: {..}\n\n" */
};

/* "<epoch>-<number>" as its id; a `data` of several lines is sent as several lines. With `late`,
 * "late":true is the object's first member. Held once by the caller. NULL: no memory. */
struct web_event *pubsub_web_event_make(const char *name, const char *data, bool late,
                                        int64_t epoch, uint64_t number);
struct web_event *pubsub_web_event_hold(struct web_event *event);
/* Frees it when nobody else holds it; nulls *event. NULL is passed over. */
void pubsub_web_event_drop(struct web_event **event);

#endif
