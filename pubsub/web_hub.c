/* pubsub/web_hub.c: the ring, what is kept, and the clients' cursors. */
#include "pubsub/web_hub.h"

#include "pubsub/error.h"
#include "pubsub/web_event.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUTS 128
/* hello, kit, state, health, link and joined stand besides layouts and decisions. */
#define SNAPSHOT_MAX (6 + LAYOUTS + WEB_KEPT_DECISIONS)

/* What a late comer is told, made once for all who come before anything changes. */
struct snapshot {
    int holders;
    uint64_t next; /* the ring's event that follows it */
    int count, greeting;
    struct web_event *event[SNAPSHOT_MAX];
};

struct web_client {
    struct web_hub *hub;
    struct web_client_calls calls;
    struct web_client *before, *after;
    bool resting;
    struct snapshot *snapshot; /* NULL: it reads the ring */
    int at;                    /* in the snapshot */
    uint64_t next;             /* in the ring */
    struct web_event *event;   /* half sent, from `sent` on */
    size_t sent;
};

struct web_hub {
    pthread_mutex_t lock;
    bool stopped;
    uint64_t next; /* number of the event that is told next */
    struct web_event *ring[WEB_RING_EVENTS];
    uint64_t first; /* the oldest that the ring holds */
    size_t ring_bytes;
    int64_t epoch;
    struct web_event *hello, *kit, *state, *health, *link;
    struct web_event *layout[LAYOUTS];
    struct web_event *decision[WEB_KEPT_DECISIONS];
    int decisions;
    struct snapshot *snapshot; /* NULL: to be made */
    struct web_client *clients;
    struct web_hub_counts counts;
};

struct web_hub *pubsub_web_hub_create(void)
{
    struct web_hub *hub = calloc(1, sizeof *hub);

    if (hub && pthread_mutex_init(&hub->lock, NULL) != 0) {
        free(hub);
        hub = NULL;
    }
    return hub;
}

static void snapshot_drop(struct snapshot **snapshot)
{
    if (*snapshot && --(*snapshot)->holders == 0) {
        for (int i = 0; i < (*snapshot)->count; i++)
            pubsub_web_event_drop(&(*snapshot)->event[i]);
        free(*snapshot);
    }
    *snapshot = NULL;
}

static void ring_shrink(struct web_hub *hub)
{
    struct web_event **oldest = &hub->ring[hub->first++ % WEB_RING_EVENTS];

    hub->ring_bytes -= (*oldest)->length;
    pubsub_web_event_drop(oldest);
}

static void match_drop(struct web_hub *hub)
{
    pubsub_web_event_drop(&hub->state);
    pubsub_web_event_drop(&hub->health);
    for (int i = 0; i < LAYOUTS; i++)
        pubsub_web_event_drop(&hub->layout[i]);
    while (hub->decisions > 0)
        pubsub_web_event_drop(&hub->decision[--hub->decisions]);
    snapshot_drop(&hub->snapshot);
}

void pubsub_web_hub_destroy(struct web_hub **hub)
{
    if (!hub || !*hub)
        return;
    while ((*hub)->first < (*hub)->next)
        ring_shrink(*hub);
    match_drop(*hub);
    pubsub_web_event_drop(&(*hub)->hello);
    pubsub_web_event_drop(&(*hub)->kit);
    pubsub_web_event_drop(&(*hub)->link);
    pthread_mutex_destroy(&(*hub)->lock);
    free(*hub);
    *hub = NULL;
}

/* ---- telling ---- */

static void wake_all(struct web_hub *hub)
{
    for (struct web_client *client = hub->clients; client; client = client->after)
        if (client->resting) {
            client->resting = false;
            client->calls.wake(client->calls.context);
        }
}

static void ring_put(struct web_hub *hub, struct web_event *event)
{
    while (hub->first < hub->next && (hub->next - hub->first >= WEB_RING_EVENTS ||
                                      hub->ring_bytes + event->length > WEB_RING_BYTES))
        ring_shrink(hub);
    hub->ring[hub->next++ % WEB_RING_EVENTS] = event;
    hub->ring_bytes += event->length;
}

/* The place of a decision among those kept, or -1. */
static int decision_find(const struct web_hub *hub, int64_t seq, int index)
{
    for (int i = 0; i < hub->decisions; i++)
        if (hub->decision[i]->seq == seq && hub->decision[i]->index == index)
            return i;
    return -1;
}

static void decision_remove(struct web_hub *hub, int at)
{
    pubsub_web_event_drop(&hub->decision[at]);
    hub->decisions--;
    memmove(&hub->decision[at], &hub->decision[at + 1],
            (size_t)(hub->decisions - at) * sizeof *hub->decision);
}

static void decision_keep(struct web_hub *hub, struct web_event *event)
{
    int known = decision_find(hub, event->seq, event->index);

    if (known >= 0)
        decision_remove(hub, known);
    else if (hub->decisions == WEB_KEPT_DECISIONS)
        decision_remove(hub, 0);
    hub->decision[hub->decisions++] = event;
}

static void replace(struct web_event **kept, struct web_event *event)
{
    pubsub_web_event_drop(kept);
    *kept = event;
}

/* Takes the event over. */
static void event_keep(struct web_hub *hub, const struct web_news *news, struct web_event *event)
{
    switch (news->keep) {
    case WEB_HELLO:
        replace(&hub->hello, event);
        return;
    case WEB_KIT:
        replace(&hub->kit, event);
        return;
    case WEB_STATE:
        replace(&hub->state, event);
        return;
    case WEB_HEALTH:
        replace(&hub->health, event);
        return;
    case WEB_LAYOUT:
        replace(&hub->layout[news->number], event);
        return;
    case WEB_DECISION:
        decision_keep(hub, event);
        return;
    case WEB_LINK:
        if (news->number == 0) {
            replace(&hub->link, event);
            return;
        }
        pubsub_web_event_drop(&hub->link);
        break;
    case WEB_VOID: {
        int known = decision_find(hub, news->seq, news->index);
        if (known >= 0)
            decision_remove(hub, known);
        break;
    }
    case WEB_PASSING:
        break;
    }
    pubsub_web_event_drop(&event);
}

/* An event of a snapshot is told with `late`; greetings and the link's are the same then as now. */
static bool late_differs(enum web_keep keep)
{
    return keep == WEB_STATE || keep == WEB_HEALTH || keep == WEB_LAYOUT || keep == WEB_DECISION;
}

static bool news_fits(const struct web_news *news)
{
    size_t length = strlen(news->data);

    return length >= 2 && news->data[0] == '{' && news->data[length - 1] == '}' &&
           strlen(news->event) <= 32 && news->number >= 0 && news->number < LAYOUTS;
}

int pubsub_web_hub_tell(struct web_hub *hub, const struct web_news *news)
{
    struct web_event *now, *late;
    int error = PUBSUB_E_MEMORY;

    if (!news_fits(news))
        return PUBSUB_E_ARGUMENT;
    pthread_mutex_lock(&hub->lock);
    hub->epoch = news->epoch;
    now = pubsub_web_event_make(news->event, news->data, news->late, news->epoch, hub->next);
    late = late_differs(news->keep) && !news->late
               ? pubsub_web_event_make(news->event, news->data, true, news->epoch, hub->next)
           : now ? pubsub_web_event_hold(now)
                 : NULL;
    if (now && late) {
        late->seq = news->seq;
        late->index = news->index;
        event_keep(hub, news, late);
        ring_put(hub, now);
        snapshot_drop(&hub->snapshot);
        hub->counts.events++;
        wake_all(hub);
        error = PUBSUB_OK;
    } else {
        pubsub_web_event_drop(&now);
        pubsub_web_event_drop(&late);
    }
    pthread_mutex_unlock(&hub->lock);
    return error;
}

void pubsub_web_hub_forget(struct web_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    match_drop(hub);
    pthread_mutex_unlock(&hub->lock);
}

void pubsub_web_hub_stop(struct web_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    hub->stopped = true;
    wake_all(hub);
    pthread_mutex_unlock(&hub->lock);
}

void pubsub_web_hub_counts(struct web_hub *hub, struct web_hub_counts *out)
{
    pthread_mutex_lock(&hub->lock);
    *out = hub->counts;
    out->ring_bytes = hub->ring_bytes;
    pthread_mutex_unlock(&hub->lock);
}

/* ---- reading ---- */

static void snapshot_add(struct snapshot *snapshot, struct web_event *event)
{
    if (event)
        snapshot->event[snapshot->count++] = pubsub_web_event_hold(event);
}

/* The hub's snapshot of now; NULL: no memory. */
static struct snapshot *snapshot_get(struct web_hub *hub)
{
    struct web_event *joined;

    if (hub->snapshot)
        return hub->snapshot;
    struct snapshot *made = calloc(1, sizeof *made);
    joined = pubsub_web_event_make("joined", "{}", false, hub->epoch, hub->next);
    if (!made || !joined) {
        free(made);
        pubsub_web_event_drop(&joined);
        return NULL;
    }
    made->holders = 1;
    made->next = hub->next;
    snapshot_add(made, hub->hello);
    snapshot_add(made, hub->kit);
    made->greeting = made->count;
    snapshot_add(made, hub->state);
    snapshot_add(made, hub->health);
    for (int i = 0; i < LAYOUTS; i++)
        snapshot_add(made, hub->layout[i]);
    for (int i = 0; i < hub->decisions; i++)
        snapshot_add(made, hub->decision[i]);
    snapshot_add(made, hub->link);
    made->event[made->count++] = joined;
    return hub->snapshot = made;
}

/* From now on the client reads the hub's snapshot. */
static bool snapshot_begin(struct web_client *client, bool greeted)
{
    struct snapshot *snapshot = snapshot_get(client->hub);

    if (!snapshot)
        return false;
    snapshot->holders++;
    client->snapshot = snapshot;
    client->at = greeted ? snapshot->greeting : 0;
    client->hub->counts.snapshots++;
    client->hub->counts.behind += greeted;
    return true;
}

struct web_client *pubsub_web_client_open(struct web_hub *hub, const struct web_client_calls *calls)
{
    struct web_client *client = calloc(1, sizeof *client);

    if (!client)
        return NULL;
    client->hub = hub;
    client->calls = *calls;
    pthread_mutex_lock(&hub->lock);
    if (snapshot_begin(client, false)) {
        client->after = hub->clients;
        if (hub->clients)
            hub->clients->before = client;
        hub->clients = client;
        hub->counts.clients++;
    } else {
        free(client);
        client = NULL;
    }
    pthread_mutex_unlock(&hub->lock);
    return client;
}

void pubsub_web_client_close(struct web_client **client)
{
    if (!client || !*client)
        return;
    struct web_client *closed = *client;
    struct web_hub *hub = closed->hub;
    pthread_mutex_lock(&hub->lock);
    if (closed->before)
        closed->before->after = closed->after;
    else
        hub->clients = closed->after;
    if (closed->after)
        closed->after->before = closed->before;
    hub->counts.clients--;
    snapshot_drop(&closed->snapshot);
    pubsub_web_event_drop(&closed->event);
    pthread_mutex_unlock(&hub->lock);
    free(closed);
    *client = NULL;
}

/* Takes the next event up. 1; 0: there is none; -1: no memory. */
static int event_take(struct web_client *client)
{
    struct web_hub *hub = client->hub;

    if (client->snapshot && client->at >= client->snapshot->count) {
        client->next = client->snapshot->next;
        snapshot_drop(&client->snapshot);
    }
    if (!client->snapshot && client->next < hub->first && !snapshot_begin(client, true))
        return -1;
    if (client->snapshot)
        client->event = pubsub_web_event_hold(client->snapshot->event[client->at++]);
    else if (client->next < hub->next)
        client->event = pubsub_web_event_hold(hub->ring[client->next++ % WEB_RING_EVENTS]);
    client->sent = 0;
    return client->event != NULL;
}

static size_t event_copy(struct web_client *client, char *out, size_t size)
{
    size_t left = client->event->length - client->sent;
    size_t part = left < size ? left : size;

    memcpy(out, client->event->bytes + client->sent, part);
    client->sent += part;
    if (part == left)
        pubsub_web_event_drop(&client->event);
    return part;
}

int64_t pubsub_web_client_read(struct web_client *client, char *out, size_t size)
{
    struct web_hub *hub = client->hub;
    size_t got = 0;
    int more = 1;

    pthread_mutex_lock(&hub->lock);
    while (!hub->stopped && got < size && more > 0) {
        if (!client->event)
            more = event_take(client);
        if (client->event)
            got += event_copy(client, out + got, size - got);
    }
    bool ended = hub->stopped || (more < 0 && got == 0);
    if (!ended && got == 0) {
        client->resting = true;
        client->calls.rest(client->calls.context);
    }
    pthread_mutex_unlock(&hub->lock);
    return ended ? -1 : (int64_t)got;
}
