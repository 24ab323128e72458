/* pubsub/web_hub.h: what the pages are told: a ring of events, what a late comer must know, and a
 * cursor for each client.
 *
 * One thread tells, another reads for its clients; every call takes the hub's lock. A client never
 * holds up the hub or another client: what it has not read lies in the ring once for all, and one
 * that falls behind the ring is given a snapshot again. An event is a server-sent event, framed
 * here. */
#ifndef PUBSUB_WEB_HUB_H
#define PUBSUB_WEB_HUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the ring holds, at most: some ten seconds of a busy table, so that a client which stumbles
 * goes on where it was. */
#define WEB_RING_EVENTS 512
#define WEB_RING_BYTES ((size_t)4 << 20)
/* Decisions in a snapshot. A page shows the last few; the score is in the state, and the operator's
 * page has the history. */
#define WEB_KEPT_DECISIONS 100

struct web_hub;
struct web_client;

/* How an event is kept for those who come later. */
enum web_keep {
    WEB_PASSING,  /* not at all */
    WEB_HELLO,    /* the first words to each client; the newest one counts */
    WEB_KIT,      /* the second */
    WEB_STATE,    /* the newest */
    WEB_HEALTH,   /* the newest */
    WEB_LAYOUT,   /* the newest of each `number` */
    WEB_DECISION, /* the last ones, each once by its seq and index */
    WEB_VOID,     /* takes the decision of that seq and index out of those */
    WEB_LINK      /* the newest; `number` 1: it is well, and nobody needs to be told later */
};

struct web_news {
    const char *event; /* the event's name: letters and '_' */
    const char *data;  /* one JSON object; what lines it has are kept together */
    bool late;         /* from a snapshot: it is told with "late":true at once */
    enum web_keep keep;
    int number;  /* WEB_LAYOUT: 0 to 127 */
    int64_t seq; /* of the decision */
    int index;
    int64_t epoch;
};

/* NULL: no memory. */
struct web_hub *pubsub_web_hub_create(void);
/* All clients are closed before. */
void pubsub_web_hub_destroy(struct web_hub **hub);

/* Tells all clients. PUBSUB_E_ARGUMENT: `data` is no JSON object by its first and last byte, or a
 * number out of its range; PUBSUB_E_MEMORY: nobody was told. */
int pubsub_web_hub_tell(struct web_hub *hub, const struct web_news *news);
/* Another match begins: states, layouts and decisions of the one before are forgotten. */
void pubsub_web_hub_forget(struct web_hub *hub);
/* From now on every client is at its end. */
void pubsub_web_hub_stop(struct web_hub *hub);

struct web_hub_counts {
    int clients;
    uint64_t events;    /* told in all */
    uint64_t snapshots; /* given, to new clients and to those that fell behind */
    uint64_t behind;    /* of these: to those that fell behind */
    size_t ring_bytes;
};
void pubsub_web_hub_counts(struct web_hub *hub, struct web_hub_counts *out);

/* What the hub asks of a client's connection; both are called under the hub's lock, so that no
 * wake can fall between a read that found nothing and the rest that follows it. */
struct web_client_calls {
    void (*rest)(void *context); /* nothing to read: sleep until wake */
    void (*wake)(void *context);
    void *context;
};

/* A new client: it will read hello, kit, what is kept, `joined`, then what is told. NULL: no
 * memory. */
struct web_client *pubsub_web_client_open(struct web_hub *hub,
                                          const struct web_client_calls *calls);
void pubsub_web_client_close(struct web_client **client);

/* Up to `size` bytes of what is next: their number; 0: nothing now, `rest` was called; -1: the hub
 * stopped, and this is the end (also when there is no memory: the client comes again). */
int64_t pubsub_web_client_read(struct web_client *client, char *out, size_t size);

#endif
