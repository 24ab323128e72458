/* pubsub/follow.c: follows a table's messages: the sockets and the clock around pubsub/track.h. */
#include "pubsub/follow.h"

#include "calib/mark.h"
#include "pubsub/track.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* So many messages at once, then the files are looked at. */
#define TURN_MOST 500
/* A request that got no answer is sent again. */
#define AGAIN_MS 1000
/* Libzmq gives a connection up for good when its other end sent what it does not take, refused our
 * key, or said nothing sensible; so a link that stays stale is begun anew. */
#define ANEW_MS 4000

struct follow {
    struct track *track;
    struct wire *wire;      /* lent */
    struct wire_keys *keys; /* NULL: none */
    struct wire_fault key_said;
    struct follow_sink sink;
    struct wire_socket *heard, *snapshots, *asked;
    char *publish, *requests, *table;
    unsigned kinds;
    char *room;    /* for what is heard */
    char *answer;  /* for what the caller asked */
    bool awaiting; /* a snapshot was asked for, and no answer came */
    int64_t anew_ms;
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int fail(struct wire_fault *fault, int error)
{
    if (fault)
        snprintf(fault->text, sizeof fault->text, "%s", pubsub_strerror(error));
    return error;
}

/* One table's topic to its end, or all tables'. */
static int topic_subscribe(const struct follow *follow, enum message_kind kind, const char *table)
{
    char topic[MESSAGE_TOPIC_MAX + 2];

    if (table)
        snprintf(topic, sizeof topic, "%s.%s ", pubsub_message_kind_name(kind), table);
    else
        snprintf(topic, sizeof topic, "%s.", pubsub_message_kind_name(kind));
    return pubsub_wire_subscribe(follow->heard, topic);
}

/* The states come last: when one is heard, the other topics are. */
static int topics_subscribe(const struct follow *follow)
{
    int error = PUBSUB_OK;

    for (int k = 0; k < MESSAGE_KINDS && error == PUBSUB_OK; k++)
        if (k != MESSAGE_STATE && (follow->kinds & (1u << k)))
            error = topic_subscribe(follow, (enum message_kind)k, follow->table);
    return error == PUBSUB_OK ? topic_subscribe(follow, MESSAGE_STATE, follow->table) : error;
}

static int requests_connect(const struct follow *follow, struct wire_socket **out,
                            struct wire_fault *fault)
{
    return pubsub_wire_connect_keys(follow->wire, WIRE_REQ, follow->requests, follow->keys, out,
                                    fault);
}

static int publish_connect(struct follow *follow, struct wire_fault *fault)
{
    int error = pubsub_wire_connect(follow->wire, WIRE_SUB, follow->publish, &follow->heard, fault);

    follow->anew_ms = now_ms() + ANEW_MS;
    if (error == PUBSUB_OK && topics_subscribe(follow) != PUBSUB_OK)
        error = fail(fault, PUBSUB_E_SYSTEM);
    return error;
}

/* NULL stays NULL; false without memory. */
static bool text_keep(const char *text, char **out)
{
    *out = text ? strdup(text) : NULL;
    return !text || *out;
}

static struct follow *follow_make(struct wire *wire, const struct follow_options *options,
                                  const struct follow_sink *sink)
{
    struct track_options track = {.table = options->table, .kinds = options->kinds, .sink = *sink};
    struct follow *follow = calloc(1, sizeof *follow);

    if (!follow || sodium_init() < 0) {
        free(follow);
        return NULL;
    }
    track.seed = randombytes_random();
    follow->wire = wire;
    follow->sink = *sink;
    follow->kinds = options->kinds;
    follow->track = pubsub_track_create(&track, now_ms());
    follow->room = malloc(WIRE_MESSAGE_MAX + 1);
    if (!follow->track || !follow->room || !text_keep(options->publish, &follow->publish) ||
        !text_keep(options->requests, &follow->requests) ||
        !text_keep(options->table, &follow->table))
        pubsub_follow_close(&follow);
    return follow;
}

int pubsub_follow_open(struct wire *wire, const struct follow_options *options,
                       const struct follow_sink *sink, struct follow **out,
                       struct wire_fault *fault)
{
    *out = NULL;
    if (options->table && !pubsub_message_table_fits(options->table))
        return fail(fault, PUBSUB_E_ARGUMENT);
    struct follow *follow = follow_make(wire, options, sink);
    if (!follow)
        return fail(fault, PUBSUB_E_MEMORY);
    int error =
        options->keys ? pubsub_keys_display(options->keys, &follow->keys, fault) : PUBSUB_OK;
    if (error == PUBSUB_OK)
        error = publish_connect(follow, fault);
    if (error == PUBSUB_OK)
        error = requests_connect(follow, &follow->snapshots, fault);
    if (error != PUBSUB_OK) {
        pubsub_follow_close(&follow);
        return error;
    }
    *out = follow;
    return PUBSUB_OK;
}

void pubsub_follow_close(struct follow **follow)
{
    if (!follow || !*follow)
        return;
    pubsub_wire_close(&(*follow)->heard);
    pubsub_wire_close(&(*follow)->snapshots);
    pubsub_wire_close(&(*follow)->asked);
    pubsub_track_destroy(&(*follow)->track);
    pubsub_keys_destroy(&(*follow)->keys);
    free((*follow)->publish);
    free((*follow)->requests);
    free((*follow)->table);
    free((*follow)->room);
    free((*follow)->answer);
    free(*follow);
    *follow = NULL;
}

/* ---- a turn ---- */

static void snapshot_ask(struct follow *follow)
{
    char request[TRACK_REQUEST_MAX];
    size_t length = pubsub_track_ask(follow->track, now_ms(), request);

    if (length == 0)
        return;
    if (follow->awaiting) {
        pubsub_wire_close(&follow->snapshots);
        requests_connect(follow, &follow->snapshots, NULL);
    }
    follow->awaiting = true;
    /* One that cannot be sent is one that is not answered. */
    if (follow->snapshots)
        pubsub_wire_send(follow->snapshots, NULL, request, length, 0);
}

static void trouble_tell(struct follow *follow, struct wire_socket *socket)
{
    struct wire_fault text;
    enum wire_trouble trouble = socket ? pubsub_wire_trouble(socket, &text) : WIRE_QUIET;

    if (trouble == WIRE_QUIET)
        return;
    pubsub_track_trouble(follow->track, text.text);
    if (trouble != WIRE_TROUBLE_KEY || strcmp(text.text, follow->key_said.text) == 0)
        return;
    follow->key_said = text;
    if (follow->sink.note)
        follow->sink.note(follow->sink.context, FOLLOW_KEY, text.text);
}

static void link_mend(struct follow *follow)
{
    if (!pubsub_track_stale(follow->track) || now_ms() < follow->anew_ms)
        return;
    pubsub_wire_close(&follow->heard);
    publish_connect(follow, NULL);
}

static void snapshots_take(struct follow *follow)
{
    int64_t length;

    while ((length = pubsub_wire_receive(follow->snapshots, NULL, follow->room,
                                         WIRE_MESSAGE_MAX + 1, 0)) >= 0) {
        follow->awaiting = false;
        pubsub_track_answer(follow->track, follow->room, (size_t)length, now_ms());
    }
    if (length == PUBSUB_E_SIZE)
        pubsub_track_trouble(follow->track, N_("its answer is larger than is taken"));
}

static void messages_take(struct follow *follow)
{
    for (int i = 0; i < TURN_MOST; i++) {
        int64_t length =
            pubsub_wire_receive(follow->heard, NULL, follow->room, WIRE_MESSAGE_MAX + 1, 0);
        if (length >= 0)
            pubsub_track_message(follow->track, follow->room, (size_t)length, now_ms());
        else if (length != PUBSUB_E_SIZE)
            return;
    }
}

int pubsub_follow_turn(struct follow *follow, const int *files, int file_count, int timeout_ms)
{
    struct wire_socket *const sockets[] = {follow->heard, follow->snapshots};

    snapshot_ask(follow);
    int due_ms = pubsub_track_due_ms(follow->track, now_ms());
    int ready = pubsub_wire_wait(sockets, 2, files, file_count,
                                 timeout_ms >= 0 && timeout_ms < due_ms ? timeout_ms : due_ms);
    if (ready < 0)
        return ready;
    if (ready & 2)
        snapshots_take(follow);
    if (ready & 1)
        messages_take(follow);
    trouble_tell(follow, follow->heard);
    trouble_tell(follow, follow->snapshots);
    pubsub_track_tick(follow->track, now_ms());
    link_mend(follow);
    snapshot_ask(follow);
    return ready >> WIRE_WAIT_MOST;
}

/* ---- asking ---- */

static int ask_open(struct follow *follow)
{
    if (!follow->answer)
        follow->answer = malloc(WIRE_MESSAGE_MAX + 1);
    if (!follow->answer)
        return PUBSUB_E_MEMORY;
    return follow->asked ? PUBSUB_OK : requests_connect(follow, &follow->asked, NULL);
}

/* The answer's length. A socket that got no answer is of no use any longer. */
static int64_t ask_once(struct follow *follow, const char *request, size_t length, int wait_ms)
{
    int64_t got = ask_open(follow);

    if (got == PUBSUB_OK)
        got = pubsub_wire_send(follow->asked, NULL, request, length, wait_ms);
    if (got == PUBSUB_OK)
        got =
            pubsub_wire_receive(follow->asked, NULL, follow->answer, WIRE_MESSAGE_MAX + 1, wait_ms);
    if (got < 0)
        pubsub_wire_close(&follow->asked);
    return got;
}

int pubsub_follow_ask(struct follow *follow, const char *request, size_t length, int timeout_ms,
                      const char **answer, size_t *answer_length)
{
    int64_t until_ms = now_ms() + timeout_ms, got = PUBSUB_E_AGAIN;

    *answer = NULL;
    *answer_length = 0;
    for (int64_t left_ms = timeout_ms; left_ms > 0 && got == PUBSUB_E_AGAIN;
         left_ms = until_ms - now_ms())
        got = ask_once(follow, request, length, left_ms < AGAIN_MS ? (int)left_ms : AGAIN_MS);
    if (got < 0)
        return (int)got;
    *answer = follow->answer;
    *answer_length = (size_t)got;
    return PUBSUB_OK;
}
