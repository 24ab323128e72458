/* referee/loop_publish.c: what a referee publishes. */
#include "referee/loop_publish.h"

#include "pubsub/rundir.h"
#include "referee/cmd_common.h"
#include "referee/state_json.h"
#include "vision/layout_json.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#define FILES_FAR 4096
#define NS_PER_MS 1000000
#define HEALTH_EVERY 10 /* states */
#define NUMBER_MOST 99  /* of seats and slots, as events hold them */
#define ADDRESS_SIZE 160
#define RECORDER_SIZE 256

struct publisher {
    struct wire_socket *near, *far; /* ipc; tcp or NULL */
    char near_address[ADDRESS_SIZE];
    const char *far_address;
    struct message_head head; /* but for kind, seq and times */
    bool begun, failed;
    uint64_t seq[MESSAGE_KINDS];
    char *seat[NUMBER_MOST + 1], *slot[NUMBER_MOST + 1]; /* the last settled layouts, as text */
    uint64_t reasons;
    char recorder[RECORDER_SIZE]; /* empty: all is kept */
    char record[DIGEST_TEXT_MAX]; /* "" while the match is on */
    bool health_known;
    bool replays;
    struct publish_replay replay;
    unsigned states;
    bool changed;
    int64_t changed_ns, state_ns; /* the machine's */
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool near_open(struct publisher *publisher, const struct publisher_options *options,
                      struct wire_fault *fault)
{
    return pubsub_rundir_address(options->rundir, "publish", publisher->near_address,
                                 sizeof publisher->near_address) == 0 &&
           pubsub_wire_bind(options->wire, WIRE_PUB, publisher->near_address, &publisher->near,
                            fault) == 0;
}

static void source_draw(char out[MESSAGE_SOURCE_MAX])
{
    unsigned char bytes[(MESSAGE_SOURCE_MAX - 1) / 2];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(out, MESSAGE_SOURCE_MAX, bytes, sizeof bytes);
}

/* A display is two open files, and one that says nothing holds its own for some seconds; most
 * systems allow a thousand at first, and without one more a picture could not be kept as evidence.
 */
static void files_allow(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= FILES_FAR)
        return;
    limit.rlim_cur =
        limit.rlim_max == RLIM_INFINITY || limit.rlim_max > FILES_FAR ? FILES_FAR : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

bool loop_publish_open(const struct publisher_options *options, struct publisher **out)
{
    struct wire_fault fault = {.text = ""};
    struct publisher *publisher = *out = calloc(1, sizeof *publisher);

    if (!publisher || sodium_init() < 0) {
        cmd_error("out of memory");
        return false;
    }
    source_draw(publisher->head.source);
    snprintf(publisher->head.table, sizeof publisher->head.table, "%s", options->table);
    publisher->far_address = options->address;
    if (!near_open(publisher, options, &fault)) {
        cmd_error("%s: %s", options->rundir,
                  fault.text[0] ? fault.text : N_("a full path of a folder is needed"));
        return false;
    }
    if (options->address)
        files_allow();
    if (options->address &&
        pubsub_wire_bind_keys(options->wire, WIRE_PUB, options->address, options->keys,
                              &publisher->far, &fault) != PUBSUB_OK) {
        cmd_error("--publish %s", fault.text);
        return false;
    }
    return true;
}

void loop_publish_close(struct publisher **publisher)
{
    if (!publisher || !*publisher)
        return;
    for (int i = 0; i <= NUMBER_MOST; i++) {
        free((*publisher)->seat[i]);
        free((*publisher)->slot[i]);
    }
    pubsub_wire_close(&(*publisher)->near);
    pubsub_wire_close(&(*publisher)->far);
    free(*publisher);
    *publisher = NULL;
}

struct wire_socket *loop_publish_far(const struct publisher *publisher)
{
    return publisher->far;
}

void loop_publish_begin(struct publisher *publisher, const char *match, int64_t epoch)
{
    snprintf(publisher->head.match, sizeof publisher->head.match, "%s", match);
    publisher->head.epoch = epoch;
    publisher->begun = true;
}

void loop_publish_rewind(struct publisher *publisher)
{
    for (int i = 0; i <= NUMBER_MOST; i++) {
        free(publisher->seat[i]);
        free(publisher->slot[i]);
        publisher->seat[i] = publisher->slot[i] = NULL;
    }
    memset(publisher->seq, 0, sizeof publisher->seq);
    publisher->reasons = 0;
    publisher->record[0] = 0;
    publisher->begun = publisher->health_known = false;
}

void loop_publish_replay(struct publisher *publisher, const struct publish_replay *replay)
{
    publisher->replay = *replay;
    publisher->replays = true;
}

/* Says once what cannot be published: the match goes on without. */
static void trouble_say(struct publisher *publisher, const char *what, const char *why)
{
    if (!publisher->failed)
        cmd_error("%s cannot be published: %s", what, why);
    publisher->failed = true;
}

/* A member that is JSON already. */
static void member_put(struct json_text *out, const char *key, const char *body)
{
    if (out->comma)
        vision_json_raw(out, ",");
    if (key) {
        vision_json_raw(out, "\"");
        vision_json_raw(out, key);
        vision_json_raw(out, "\":");
    }
    vision_json_raw(out, body);
    out->comma = true;
}

/* Nothing of a live match. */
static void replay_put(const struct publisher *publisher, struct json_text *out)
{
    const struct publish_replay *replay = &publisher->replay;

    if (!publisher->replays)
        return;
    vision_json_open(out, "replay", '{');
    vision_json_int(out, "from_t_ns", replay->from_t_ns);
    vision_json_int(out, "to_t_ns", replay->to_t_ns);
    vision_json_int(out, "speed_permille", replay->speed_permille);
    vision_json_bool(out, "paused", replay->paused);
    vision_json_bool(out, "what_if", replay->what_if);
    vision_json_close(out, '}');
}

static void message_send(struct publisher *publisher, enum message_kind kind, int64_t t_ns,
                         struct json_text *members)
{
    struct message_head *head = &publisher->head;
    char *text = NULL;
    size_t length = 0;

    if (!publisher->begun)
        return;
    replay_put(publisher, members);
    head->kind = kind;
    head->seq = publisher->seq[kind] + 1;
    head->t_ns = t_ns;
    head->sent_ns = now_ns();
    int error = members->failed ? PUBSUB_E_MEMORY
                                : pubsub_message_make(head, members->bytes, &text, &length);
    if (error == PUBSUB_OK) {
        publisher->seq[kind]++;
        error = pubsub_wire_send(publisher->near, NULL, text, length, 0);
        if (publisher->far)
            pubsub_wire_send(publisher->far, NULL, text, length, 0);
    }
    if (error != PUBSUB_OK)
        trouble_say(publisher, pubsub_message_kind_name(kind), pubsub_strerror(error));
    free(text);
}

void loop_publish_decision(struct publisher *publisher, bool stands, const char *body, int64_t t_ns)
{
    struct json_text members;

    vision_json_init(&members);
    member_put(&members, "decision", body);
    message_send(publisher, stands ? MESSAGE_VERDICT : MESSAGE_VOID, t_ns, &members);
    vision_json_free(&members);
}

/* ---- layouts ---- */

static void layout_put(const struct event *event, bool settled, struct json_text *out)
{
    bool seat = event->kind == EVENT_LAYOUT;

    vision_json_open(out, NULL, '{');
    vision_json_bool(out, "settled", settled);
    if (seat) {
        vision_json_open(out, "seat", '{');
        vision_layout_seat_members(&event->layout.seat, out);
        vision_json_close(out, '}');
        vision_json_null(out, "slot");
    } else {
        vision_json_null(out, "seat");
        vision_json_open(out, "slot", '{');
        vision_layout_card_members(&event->card.card, out);
        vision_json_close(out, '}');
    }
    vision_json_close(out, '}');
}

static void layout_keep(struct publisher *publisher, const struct event *event, const char *text)
{
    bool seat = event->kind == EVENT_LAYOUT;
    int number = seat ? event->layout.seat.seat : event->card.card.slot;

    if (number < 0 || number > NUMBER_MOST)
        return;
    char **place = seat ? &publisher->seat[number] : &publisher->slot[number];
    free(*place);
    *place = strdup(text);
}

void loop_publish_keep(struct publisher *publisher, const struct event *event)
{
    struct json_text layout;

    if (event->kind != EVENT_LAYOUT && event->kind != EVENT_CARD)
        return;
    vision_json_init(&layout);
    layout_put(event, true, &layout);
    if (!layout.failed)
        layout_keep(publisher, event, layout.bytes);
    vision_json_free(&layout);
}

void loop_publish_layout(struct publisher *publisher, const struct event *event, bool settled,
                         int64_t t_ns)
{
    struct json_text layout, members;

    if (event->kind != EVENT_LAYOUT && event->kind != EVENT_CARD)
        return;
    vision_json_init(&layout);
    vision_json_init(&members);
    layout_put(event, settled, &layout);
    if (!layout.failed) {
        if (settled)
            layout_keep(publisher, event, layout.bytes);
        member_put(&members, "layout", layout.bytes);
        message_send(publisher, MESSAGE_LAYOUT, t_ns, &members);
    }
    vision_json_free(&layout);
    vision_json_free(&members);
}

/* ---- state and health ---- */

static void health_put(const struct publisher *publisher, struct json_text *out)
{
    vision_json_open(out, "health", '{');
    vision_json_reasons(out, "reasons", publisher->reasons);
    vision_json_string(out, "recorder", publisher->recorder[0] ? publisher->recorder : NULL);
    vision_json_string(out, "record", publisher->record[0] ? publisher->record : NULL);
    vision_json_close(out, '}');
}

static void health_send(struct publisher *publisher, int64_t t_ns)
{
    struct json_text members;

    vision_json_init(&members);
    health_put(publisher, &members);
    message_send(publisher, MESSAGE_HEALTH, t_ns, &members);
    vision_json_free(&members);
}

void loop_publish_health(struct publisher *publisher, uint64_t reasons, const char *recorder,
                         int64_t t_ns)
{
    const char *said = recorder ? recorder : "";
    bool same = publisher->health_known && publisher->reasons == reasons &&
                strcmp(publisher->recorder, said) == 0;

    publisher->reasons = reasons;
    snprintf(publisher->recorder, sizeof publisher->recorder, "%s", said);
    publisher->health_known = true;
    if (!same)
        health_send(publisher, t_ns);
}

void loop_publish_record(struct publisher *publisher, const char *digest, int64_t t_ns)
{
    /* What was told of an end stays: later lines are of what came after it. */
    if ((digest != NULL) == (publisher->record[0] != 0))
        return;
    snprintf(publisher->record, sizeof publisher->record, "%s", digest ? digest : "");
    health_send(publisher, t_ns);
}

/* What a display may count on by itself. */
static void clocks_put(const struct publisher *publisher, const struct match_state *state,
                       int64_t t_ns, struct json_text *out)
{
    bool play = state->phase == PHASE_PLAY;
    bool runs = play && state->stopped_since_t_ns < 0;
    int64_t clock_ns = referee_state_clock_ns(state);

    if (runs && t_ns > state->t_ns)
        clock_ns += t_ns - state->t_ns;
    runs = runs && !(publisher->replays && publisher->replay.paused);
    vision_json_open(out, "clocks", '{');
    vision_json_int(out, "t_ns", t_ns);
    vision_json_int(out, "clock_ns", clock_ns);
    vision_json_bool(out, "clock_runs", runs);
    if (state->phase == PHASE_COUNTDOWN)
        vision_json_int(out, "start_t_ns", state->started_t_ns);
    else
        vision_json_null(out, "start_t_ns");
    vision_json_close(out, '}');
}

void loop_publish_state_members(const struct publisher *publisher, const struct match_state *state,
                                int64_t t_ns, struct json_text *out)
{
    struct json_text body;

    vision_json_init(&body);
    referee_state_json(state, &body);
    if (body.failed)
        out->failed = true;
    else
        member_put(out, "state", body.bytes);
    vision_json_free(&body);
    clocks_put(publisher, state, t_ns, out);
}

/* How far each kind is. */
static void heads_put(const struct publisher *publisher, struct json_text *out)
{
    vision_json_open(out, "heads", '{');
    for (int k = 0; k < MESSAGE_KINDS; k++)
        vision_json_int(out, pubsub_message_kind_name((enum message_kind)k),
                        (int64_t)publisher->seq[k]);
    vision_json_close(out, '}');
}

void loop_publish_state(struct publisher *publisher, const struct match_state *state, int64_t t_ns)
{
    struct json_text members;

    vision_json_init(&members);
    loop_publish_state_members(publisher, state, t_ns, &members);
    heads_put(publisher, &members);
    message_send(publisher, MESSAGE_STATE, t_ns, &members);
    vision_json_free(&members);
    publisher->changed = false;
    publisher->state_ns = now_ns();
    publisher->states++;
    if (publisher->states % HEALTH_EVERY == 0)
        health_send(publisher, t_ns);
}

void loop_publish_changed(struct publisher *publisher)
{
    if (!publisher->changed)
        publisher->changed_ns = now_ns();
    publisher->changed = true;
}

int64_t loop_publish_due_ns(const struct publisher *publisher)
{
    int64_t beat_ns = publisher->state_ns + PUBLISH_STATE_MS * (int64_t)NS_PER_MS;
    int64_t change_ns = publisher->changed_ns + PUBLISH_CHANGE_MS * (int64_t)NS_PER_MS;

    return publisher->changed && change_ns < beat_ns ? change_ns : beat_ns;
}

bool loop_publish_due(const struct publisher *publisher, int64_t at_ns)
{
    return at_ns >= loop_publish_due_ns(publisher);
}

/* ---- for those who ask ---- */

void loop_publish_names(const struct publisher *publisher, struct json_text *out)
{
    vision_json_string(out, "table", publisher->head.table);
    vision_json_string(out, "match", publisher->head.match);
    vision_json_string(out, "source", publisher->head.source);
    vision_json_int(out, "epoch", publisher->head.epoch);
}

void loop_publish_addresses(const struct publisher *publisher, struct json_text *out)
{
    vision_json_open(out, "publish", '[');
    vision_json_string(out, NULL, publisher->near_address);
    if (publisher->far)
        vision_json_string(out, NULL, publisher->far_address);
    vision_json_close(out, ']');
}

void loop_publish_snapshot(const struct publisher *publisher, struct json_text *out)
{
    heads_put(publisher, out);
    health_put(publisher, out);
    replay_put(publisher, out);
    vision_json_open(out, "layouts", '[');
    for (int i = 0; i <= NUMBER_MOST; i++)
        if (publisher->seat[i])
            member_put(out, NULL, publisher->seat[i]);
    for (int i = 0; i <= NUMBER_MOST; i++)
        if (publisher->slot[i])
            member_put(out, NULL, publisher->slot[i]);
    vision_json_close(out, ']');
}
