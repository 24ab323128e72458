/* referee/loop_referee.c: the referee as a process. */
#include "referee/loop_referee.h"

#include "pubsub/rundir.h"
#include "pubsub/wire.h"
#include "referee/cmd_record.h"
#include "referee/event_shift.h"
#include "referee/timeline.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000
#define NS_PER_S 1000000000
/* Observations that brought nothing out are synced this often. */
#define SYNC_NS (NS_PER_S / 2)
/* Without a word from the eyes for this long a live match is ticked on. */
#define SILENCE_MS 250
/* A new try when the journal cannot be written: often enough to go on at once when there is room.
 */
#define RETRY_MS 500

struct service {
    const struct referee_service *asked;
    const volatile bool *stop;
    struct wire *wire;
    struct wire_socket *eyes;
    struct wire_peer peer;
    struct record *record;
    char *room; /* WIRE_MESSAGE_MAX bytes and one */
    bool live, greeted, over;
    int64_t base_ns; /* of the eyes' time: 0 of the match's */
    int64_t t_ns;    /* of the newest event */
    int64_t seen_t_ns;
    int64_t synced_ns;
    int64_t start_t_ns; /* when the start event is due; -1: at a word, or it is done */
    int claim;          /* the next one of the file */
    uint64_t known;     /* recorded: events still to come that are on record already */
    int status;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void decision_say(void *context, enum journal_kind kind, const struct decision *decision,
                         const char *body, size_t length, const struct match_state *after)
{
    const struct service *service = context;
    struct json_text line;

    if (!service->asked->text) {
        printf(kind == JOURNAL_VOID ? "{\"void\":%.*s}\n" : "%.*s\n", (int)length, body);
    } else if (decision) {
        vision_json_init(&line);
        referee_timeline_decision(after, decision, &line);
        if (!line.failed)
            fputs(line.bytes, stdout);
        vision_json_free(&line);
    }
    fflush(stdout);
}

/* Puts an event on record, in the order of time. While the journal cannot be written, play stands
 * still here, with the alarm raised; a person who ends us loses nothing that was said. */
static bool event_put(struct service *service, struct event *event)
{
    struct calib_fault fault = {.line = 0};
    bool alarmed = false;

    if (event->t_ns < service->t_ns)
        event->t_ns = service->t_ns;
    if (service->known > 0) {
        service->known--;
        service->t_ns = event->t_ns;
        return true;
    }
    for (;;) {
        int error = referee_record_event(service->record, event, &fault);
        if (error == REFEREE_OK)
            break;
        if (!alarmed)
            cmd_record_fault(service->asked->journal, error, &fault);
        alarmed = true;
        if (error != REFEREE_E_WRITE || *service->stop) {
            service->status = CMD_UNUSABLE;
            return false;
        }
        usleep(RETRY_MS * 1000);
    }
    if (alarmed)
        cmd_error("%s: can be written again; play is paused until a person resumes it",
                  service->asked->journal);
    service->t_ns = event->t_ns;
    return true;
}

static bool start_put(struct service *service, int64_t t_ns)
{
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_START;
    event.t_ns = t_ns;
    /* A recording begins when play is on already. */
    event.countdown_ms = service->live ? -1 : 0;
    service->start_t_ns = -1;
    return event_put(service, &event);
}

/* The claims of the file that were made by then. */
static bool claims_put(struct service *service, int64_t t_ns)
{
    const struct cmd_game *game = service->asked->game;
    struct event event;

    while (service->claim < game->claims && game->claim[service->claim].t_ms * NS_PER_MS <= t_ns) {
        const struct game_claim *claim = &game->claim[service->claim++];
        memset(&event, 0, sizeof event);
        event.kind = EVENT_CLAIM;
        event.t_ns = claim->t_ms * NS_PER_MS;
        event.claim.seat = (int8_t)claim->seat;
        event.claim.slot = (int8_t)claim->slot;
        event.claim.claimed_t_ns = event.t_ns;
        memcpy(event.claim.source, "file", sizeof "file");
        if (!event_put(service, &event))
            return false;
    }
    return true;
}

/* What was due before something that the eyes saw. */
static bool due_put(struct service *service, int64_t t_ns)
{
    if (service->start_t_ns >= 0 && service->start_t_ns <= t_ns &&
        !start_put(service, service->start_t_ns))
        return false;
    return claims_put(service, t_ns);
}

/* ---- what the eyes say ---- */

static int64_t member_ns(const json_t *root, const char *key)
{
    return json_integer_value(json_object_get(root, key));
}

static struct event setup_make(const struct service *service, int64_t interval_ns)
{
    struct event event = service->asked->game->setup;

    event.t_ns = 0;
    if (interval_ns >= 1000)
        event.setup.rules.value[OPTION_FRAME_INTERVAL] = (int32_t)(interval_ns / 1000);
    return event;
}

static bool setup_put(struct service *service, int64_t interval_ns)
{
    struct event event = setup_make(service, interval_ns);

    return event_put(service, &event);
}

/* A match that is taken up again is the one that was begun: the same game, players, options and
 * cards. A seed that nobody gave is the record's. */
static bool setup_same(const struct service *service, int64_t interval_ns)
{
    struct event ours = setup_make(service, interval_ns), begun;
    struct json_text one, other;
    bool same = false;

    if (!referee_history_event(referee_record_history(service->record), 1, &begun) ||
        begun.kind != EVENT_SETUP)
        return true; /* a record by other means; its own events decide */
    ours.seq = begun.seq;
    if (!service->asked->game->seeded)
        ours.setup.seed = begun.setup.seed;
    if (service->live)
        ours.setup.rules.value[OPTION_FRAME_INTERVAL] =
            begun.setup.rules.value[OPTION_FRAME_INTERVAL];
    vision_json_init(&one);
    vision_json_init(&other);
    referee_event_json(&ours, &one);
    referee_event_json(&begun, &other);
    if (!one.failed && !other.failed)
        same = strcmp(one.bytes, other.bytes) == 0;
    vision_json_free(&one);
    vision_json_free(&other);
    if (!same)
        cmd_error("%s: there another match is on record (players, options or cards differ); give "
                  "another --record",
                  service->asked->journal);
    return same;
}

/* A live match goes on where its record ended. A recording begins anew, and gives the same events
 * in the same order: those on record are passed over. */
static bool match_begin(struct service *service, const json_t *hello)
{
    const struct history *history = referee_record_history(service->record);
    bool resumed = service->live && referee_history_last(history) > 0;

    service->t_ns = resumed ? referee_record_state(service->record)->t_ns : 0;
    service->base_ns = resumed ? now_ns() - service->t_ns : member_ns(hello, "base_ns");
    service->start_t_ns = -1;
    if (referee_history_last(history) > 0 && !setup_same(service, member_ns(hello, "interval_ns")))
        return false;
    if (resumed)
        return true;
    service->known = service->live ? 0 : referee_history_last(history);
    service->claim = 0;
    if (!setup_put(service, member_ns(hello, "interval_ns")))
        return false;
    if (!service->live)
        service->start_t_ns = 0;
    else if (service->asked->start_after >= 0)
        service->start_t_ns = (int64_t)service->asked->start_after * NS_PER_S;
    return true;
}

/* Live eyes that begin again, or for the second time, have seen nothing of what was between. */
static bool blind_put(struct service *service)
{
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_HEALTH;
    event.t_ns = now_ns() - service->base_ns;
    event.health = REASON_BIT(REASON_STALE);
    pubsub_wire_send(service->eyes, &service->peer, "retell {}", 9, 0);
    return event_put(service, &event);
}

static bool hello_take(struct service *service, const char *text, size_t length)
{
    json_t *hello = json_loadb(text, length, 0, NULL);
    bool well = true, first = !service->greeted;

    if (!json_is_object(hello)) {
        cmd_error("the eyes' first word is not what it should be");
    } else {
        service->live = json_is_true(json_object_get(hello, "live"));
        if (first || !service->live)
            well = match_begin(service, hello);
        service->greeted = true;
        if (well && service->live)
            well = blind_put(service);
    }
    json_decref(hello);
    return well;
}

static bool seen_take(struct service *service, const char *text, size_t length)
{
    struct calib_fault fault = {.line = 0};
    struct referee_cards *cards = NULL;
    struct event event;

    if (!service->greeted) {
        /* We were started again; they were not. */
        pubsub_wire_send(service->eyes, &service->peer, "who {}", 6, 0);
        return true;
    }
    if (referee_event_parse(text, length, 1, &event, &cards, &fault) < 0) {
        cmd_error("the eyes said what is no event: %s", fault.text);
        return true;
    }
    referee_cards_destroy(&cards);
    event.seq = 0;
    referee_event_shift(&event, -service->base_ns);
    if (event.kind == EVENT_TICK)
        service->seen_t_ns = event.seen_t_ns;
    return due_put(service, event.t_ns) && event_put(service, &event);
}

static bool message_take(struct service *service, const char *text, size_t length)
{
    static const char hello[] = "hello ", event[] = "event ", end[] = "end ";

    if (length > sizeof event && memcmp(text, event, sizeof event - 1) == 0)
        return seen_take(service, text + sizeof event - 1, length - sizeof event + 1);
    if (length > sizeof hello && memcmp(text, hello, sizeof hello - 1) == 0)
        return hello_take(service, text + sizeof hello - 1, length - sizeof hello + 1);
    if (length >= sizeof end && memcmp(text, end, sizeof end - 1) == 0)
        service->over = true;
    return true;
}

/* ---- the process ---- */

/* The eyes are silent: time goes on all the same. */
static bool silence_tick(struct service *service)
{
    struct event event;
    int64_t t_ns = now_ns() - service->base_ns;

    if (!service->live || !service->greeted ||
        t_ns - service->t_ns < SILENCE_MS * (int64_t)NS_PER_MS)
        return true;
    memset(&event, 0, sizeof event);
    event.kind = EVENT_TICK;
    event.t_ns = t_ns;
    event.seen_t_ns = service->seen_t_ns;
    return due_put(service, t_ns) && event_put(service, &event);
}

static bool sync_due(struct service *service)
{
    struct calib_fault fault = {.line = 0};

    if (now_ns() - service->synced_ns < SYNC_NS)
        return true;
    service->synced_ns = now_ns();
    if (referee_record_sync(service->record, &fault) != REFEREE_OK)
        cmd_record_fault(service->asked->journal, REFEREE_E_WRITE, &fault);
    return true;
}

/* A word on standard input begins the count. */
static bool word_take(struct service *service, int *input)
{
    char words[256];
    ssize_t got = read(*input, words, sizeof words);

    if (got <= 0)
        *input = -1;
    if (got <= 0 || !service->live || !service->greeted ||
        referee_record_state(service->record)->phase != PHASE_READY)
        return true;
    return start_put(service, now_ns() - service->base_ns);
}

static bool service_turn(struct service *service, int *input)
{
    int ready = pubsub_wire_wait(&service->eyes, 1, input, 1, SILENCE_MS);

    if (ready > 0 && (ready & (1 << 8)) && !word_take(service, input))
        return false;
    if (ready > 0 && (ready & 1)) {
        int64_t length = pubsub_wire_receive(service->eyes, &service->peer, service->room,
                                             WIRE_MESSAGE_MAX + 1, 0);
        if (length > 0 && !message_take(service, service->room, (size_t)length))
            return false;
    }
    return silence_tick(service) && sync_due(service);
}

static bool service_open(struct service *service)
{
    const struct record_output output = {.say = decision_say, .context = service};
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct wire_fault wire_fault = {.text = ""};
    char address[160];

    service->room = malloc(WIRE_MESSAGE_MAX + 1);
    service->wire = pubsub_wire_create();
    if (!service->room || !service->wire) {
        cmd_error("out of memory");
        return false;
    }
    if (pubsub_rundir_address(service->asked->rundir, "eyes", address, sizeof address) != 0 ||
        pubsub_wire_bind(service->wire, WIRE_ROUTER, address, &service->eyes, &wire_fault) != 0) {
        cmd_error("%s: %s", service->asked->rundir,
                  wire_fault.text[0] ? wire_fault.text : "a full path of a folder is needed");
        return false;
    }
    int error = referee_record_open(service->asked->journal, &service->asked->header, &output,
                                    &sink, &service->record, &fault);
    if (error != REFEREE_OK)
        cmd_record_fault(service->asked->journal, error, &fault);
    return error == REFEREE_OK;
}

/* Everything that was heard is on record before we say that we are done. */
static void service_close(struct service *service)
{
    struct calib_fault fault = {.line = 0};

    if (service->record && referee_record_sync(service->record, &fault) != REFEREE_OK) {
        cmd_record_fault(service->asked->journal, REFEREE_E_WRITE, &fault);
        service->status = CMD_UNUSABLE;
    }
    if (service->eyes && service->peer.length > 0)
        pubsub_wire_send(service->eyes, &service->peer, "stop {}", 7, 0);
    referee_record_close(&service->record);
    pubsub_wire_close(&service->eyes);
    pubsub_wire_destroy(&service->wire);
    free(service->room);
}

int loop_referee_run(const struct referee_service *asked, const volatile bool *stop)
{
    struct service service = {.asked = asked, .stop = stop, .start_t_ns = -1, .status = CMD_DONE};
    int input = asked->start_after < 0 ? STDIN_FILENO : -1;

    if (!service_open(&service))
        service.status = CMD_UNUSABLE;
    while (service.status == CMD_DONE && !service.over && !*stop)
        if (!service_turn(&service, &input))
            service.status = CMD_UNUSABLE;
    service_close(&service);
    return service.status;
}
