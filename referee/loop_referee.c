/* referee/loop_referee.c: the referee as a process. */
#include "referee/loop_service.h"

#include "pubsub/rundir.h"
#include "referee/cmd_match_scan.h"
#include "referee/cmd_record.h"
#include "referee/cmd_timeline.h"
#include "referee/event_json.h"
#include "referee/event_shift.h"

#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
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

int64_t loop_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t loop_epoch(const struct service *service)
{
    return service->replay ? loop_replay_epoch(service->replay)
                           : referee_record_epoch(service->record) + 1;
}

int64_t loop_match_ns(const struct service *service)
{
    if (service->replay)
        return loop_replay_ns(service->replay);
    int64_t t_ns = service->timed ? loop_now_ns() - service->clock_ns : 0;
    int64_t state_t_ns = service->record ? referee_record_state(service->record)->t_ns : 0;

    if (t_ns < service->t_ns)
        t_ns = service->t_ns;
    return t_ns > state_t_ns ? t_ns : state_t_ns;
}

/* ---- what the recording is told ---- */

static void eyes_tell(struct service *service, const char *word, json_t *body)
{
    char *json = body ? json_dumps(body, JSON_COMPACT) : NULL;
    char text[2048];

    if (json && service->peer.length > 0 &&
        snprintf(text, sizeof text, "%s %s", word, json) < (int)sizeof text)
        pubsub_wire_send(service->eyes, &service->peer, text, strlen(text), 0);
    free(json);
    json_decref(body);
}

/* A verdict's frame becomes evidence; what is decided is a line beneath the pictures; a card or a
 * round that begins is a chapter. */
static void recording_tell(struct service *service, const struct decision *decision,
                           const struct match_state *after)
{
    json_int_t t_ns = decision->t_ns + service->base_ns;
    struct json_text line;

    if (decision->kind == DECISION_VERDICT && decision->frame > 0)
        eyes_tell(service, "keep",
                  json_pack("{s:i,s:I}", "seat", (int)decision->seat, "frame",
                            (json_int_t)decision->frame));
    vision_json_init(&line);
    cmd_timeline_words(after, decision, &line);
    if (!line.failed)
        eyes_tell(service, "text", json_pack("{s:I,s:s}", "t_ns", t_ns, "text", line.bytes));
    vision_json_free(&line);
    if (decision->kind == DECISION_CARD)
        eyes_tell(service, "chapter",
                  json_pack("{s:I,s:o}", "t_ns", t_ns, "text",
                            json_sprintf(cmd_text("Card %s, level %d"),
                                         decision->card[0] ? decision->card : "-",
                                         (int)decision->level)));
    if (decision->kind == DECISION_ROUND && decision->why == WHY_ROUND_OPENED)
        eyes_tell(service, "chapter",
                  json_pack("{s:I,s:o}", "t_ns", t_ns, "text",
                            json_sprintf(cmd_text("Round %d"), (int)decision->round)));
}

/* ---- what is decided ---- */

void loop_decision_print(const struct service *service, enum journal_kind kind,
                         const struct decision *decision, const char *body, size_t length,
                         const struct match_state *after)
{
    struct json_text line;

    if (!service->asked->text) {
        printf(kind == JOURNAL_VOID ? "{\"void\":%.*s}\n" : "%.*s\n", (int)length, body);
    } else if (decision) {
        vision_json_init(&line);
        cmd_timeline_decision(after, decision, &line);
        if (!line.failed)
            fputs(line.bytes, stdout);
        vision_json_free(&line);
    }
    fflush(stdout);
}

static void memory_say(struct service *service, bool well)
{
    if (!well && service->status == CMD_DONE) {
        cmd_error("out of memory");
        service->status = CMD_UNUSABLE;
    }
}

/* What a dying process left unsaid is heard while the record is opened: it is published once the
 * epoch is known. */
static void left_keep(struct service *service, bool stands, const char *body)
{
    struct left *grown = realloc(service->left, (service->lefts + 1) * sizeof *grown);

    if (grown)
        service->left = grown;
    char *copy = grown ? strdup(body) : NULL;
    memory_say(service, copy != NULL);
    if (copy)
        service->left[service->lefts++] = (struct left){.stands = stands, .body = copy};
}

static void left_publish(struct service *service)
{
    for (size_t i = 0; i < service->lefts; i++) {
        loop_publish_decision(service->publisher, service->left[i].stands, service->left[i].body,
                              loop_match_ns(service));
        free(service->left[i].body);
    }
    free(service->left);
    service->left = NULL;
    service->lefts = 0;
}

static void decision_say(void *context, enum journal_kind kind, const struct decision *decision,
                         const char *body, size_t length, const struct match_state *after)
{
    struct service *service = context;

    loop_decision_print(service, kind, decision, body, length, after);
    if (!service->record) {
        left_keep(service, decision != NULL, body);
        return;
    }
    service->said = true;
    if (decision)
        recording_tell(service, decision, after);
    memory_say(service, loop_told_say(service->told, decision, body, length));
    loop_act_brings(&service->brought, decision, body);
    loop_publish_decision(service->publisher, decision != NULL, body, loop_match_ns(service));
}

/* ---- what happens ---- */

static bool is_over(const struct match_state *state)
{
    return state->phase == PHASE_OVER || state->phase == PHASE_ABANDONED;
}

/* What is said at once, and what may wait for a moment: time alone is no change. */
void loop_event_done(struct service *service, const struct event *event)
{
    const struct match_state *state = referee_record_state(service->record);
    bool said = service->said;

    service->said = false;
    service->t_ns = event->t_ns;
    if (event->kind == EVENT_START)
        service->start_t_ns = -1;
    memory_say(service, loop_told_event(service->told, event));
    if (event->kind == EVENT_LAYOUT || event->kind == EVENT_CARD)
        loop_publish_layout(service->publisher, event, true, loop_match_ns(service));
    if (event->kind != EVENT_TICK)
        loop_publish_changed(service->publisher);
    loop_publish_health(service->publisher, state->health,
                        service->recorder[0] ? service->recorder : NULL, loop_match_ns(service));
    loop_publish_record(service->publisher,
                        is_over(state) && !service->replay ? referee_record_head(service->record)
                                                           : NULL,
                        loop_match_ns(service));
    if (said)
        loop_publish_state(service->publisher, state, loop_match_ns(service));
}

/* The state, when it is due. */
static bool beat(struct service *service)
{
    if (!loop_publish_due(service->publisher, loop_now_ns()))
        return false;
    loop_publish_state(service->publisher, referee_record_state(service->record),
                       loop_match_ns(service));
    return true;
}

/* While the journal cannot be written, play stands still here; displays are told, and questions
 * answered. */
static void stuck_wait(struct service *service)
{
    int64_t until_ns = loop_now_ns() + RETRY_MS * (int64_t)NS_PER_MS, left_ns;
    struct wire_socket *sockets[] = {service->desk.near, service->desk.far};

    service->stuck = true;
    loop_publish_health(service->publisher, referee_record_state(service->record)->health,
                        "the journal cannot be written", loop_match_ns(service));
    while ((left_ns = until_ns - loop_now_ns()) > 0 && !*service->stop) {
        if (pubsub_wire_wait(sockets, 2, NULL, 0, (int)(left_ns / NS_PER_MS) + 1) > 0)
            loop_desk_serve(service);
        beat(service);
    }
    service->stuck = false;
}

/* A recording that is read again: this event is on record already. What people did since lies
 * behind it on record, so time goes on from there. */
static void known_pass(struct service *service, const struct event *event)
{
    int64_t record_t_ns = referee_record_state(service->record)->t_ns;

    service->t_ns = event->t_ns;
    service->known--;
    if (service->known == 0 && service->t_ns < record_t_ns)
        service->t_ns = record_t_ns;
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
        known_pass(service, event);
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
        stuck_wait(service);
    }
    if (alarmed)
        cmd_error("%s: can be written again; play is paused until a person resumes it",
                  service->asked->journal);
    loop_event_done(service, event);
    return service->status == CMD_DONE;
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

/* How many of the events on record a recording gives by itself, when it is read again: not those of
 * people, nor what the record put in itself. */
static uint64_t recording_events(const struct history *history)
{
    struct event event;
    uint64_t count = 0;
    bool started = false;

    for (uint64_t seq = 1; seq <= referee_history_last(history); seq++) {
        if (!referee_history_event(history, seq, &event))
            continue;
        switch (event.kind) {
        case EVENT_START: /* the first is the recording's own */
            count += !started;
            started = true;
            break;
        case EVENT_CLAIM:
            count += strcmp(event.claim.source, "file") == 0;
            break;
        default:
            count += !loop_told_by_people(event.kind);
        }
    }
    return count;
}

/* When 0 of the match's time was, on the machine's clock: known of what is live, or paced. */
static void clock_begin(struct service *service, const json_t *hello)
{
    const json_t *paced = json_object_get(hello, "paced_ns");

    service->timed = service->live || json_is_integer(paced);
    service->clock_ns = service->live ? service->base_ns : json_integer_value(paced);
}

/* A live match goes on where its record ended. A recording begins anew, and gives the same events
 * in the same order: those on record are passed over. */
static bool match_begin(struct service *service, const json_t *hello)
{
    const struct history *history = referee_record_history(service->record);
    bool resumed = service->live && referee_history_last(history) > 0;

    service->t_ns = resumed ? referee_record_state(service->record)->t_ns : 0;
    service->base_ns = resumed ? loop_now_ns() - service->t_ns : member_ns(hello, "base_ns");
    clock_begin(service, hello);
    service->start_t_ns = -1;
    if (referee_history_last(history) > 0 && !setup_same(service, member_ns(hello, "interval_ns")))
        return false;
    if (resumed)
        return true;
    service->known = service->live ? 0 : recording_events(history);
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
    event.t_ns = loop_now_ns() - service->base_ns;
    event.health = REASON_BIT(REASON_STALE);
    pubsub_wire_send(service->eyes, &service->peer, "retell {}", 9, 0);
    return event_put(service, &event);
}

/* For who started us: until then nothing is told but what is wrong. */
static void begun_mark(const struct service *service)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/" REFEREE_BEGUN_FILE, service->asked->rundir);
    int fd = length < (int)sizeof path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;

    if (fd >= 0)
        close(fd);
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
        if (well)
            begun_mark(service);
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

/* What was read on the way to a settled layout: for displays alone. */
static void partial_take(struct service *service, const char *text, size_t length)
{
    struct referee_cards *cards = NULL;
    struct event event;

    if (service->greeted && service->known == 0 &&
        referee_event_parse(text, length, 1, &event, &cards, NULL) == CALIB_OK)
        loop_publish_layout(service->publisher, &event, false, loop_match_ns(service));
    referee_cards_destroy(&cards);
}

/* How the recording fares. */
static void recorder_take(struct service *service, const char *text, size_t length)
{
    json_t *word = json_loadb(text, length, 0, NULL);
    const char *said = json_string_value(json_object_get(word, "text"));

    snprintf(service->recorder, sizeof service->recorder, "%s", said ? said : "");
    json_decref(word);
    if (service->greeted)
        loop_publish_health(service->publisher, referee_record_state(service->record)->health,
                            service->recorder[0] ? service->recorder : NULL,
                            loop_match_ns(service));
}

static bool message_take(struct service *service, const char *text, size_t length)
{
    static const char hello[] = "hello ", event[] = "event ", end[] = "end ",
                      partial[] = "partial ", recorder[] = "recorder ";

    if (length > sizeof event && memcmp(text, event, sizeof event - 1) == 0)
        return seen_take(service, text + sizeof event - 1, length - sizeof event + 1);
    if (length > sizeof hello && memcmp(text, hello, sizeof hello - 1) == 0)
        return hello_take(service, text + sizeof hello - 1, length - sizeof hello + 1);
    if (length > sizeof partial && memcmp(text, partial, sizeof partial - 1) == 0)
        partial_take(service, text + sizeof partial - 1, length - sizeof partial + 1);
    if (length > sizeof recorder && memcmp(text, recorder, sizeof recorder - 1) == 0)
        recorder_take(service, text + sizeof recorder - 1, length - sizeof recorder + 1);
    if (length >= sizeof end && memcmp(text, end, sizeof end - 1) == 0)
        service->over = true;
    return true;
}

/* ---- the process ---- */

/* The eyes are silent: time goes on all the same. */
static bool silence_tick(struct service *service)
{
    struct event event;
    int64_t t_ns = loop_now_ns() - service->base_ns;

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

    if (loop_now_ns() - service->synced_ns < SYNC_NS)
        return true;
    service->synced_ns = loop_now_ns();
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
    return start_put(service, loop_now_ns() - service->base_ns);
}

/* Until something is due. */
static int wait_ms(const struct service *service)
{
    int64_t left_ms = (loop_publish_due_ns(service->publisher) - loop_now_ns()) / NS_PER_MS + 1;

    return left_ms < 0 ? 0 : left_ms < SILENCE_MS ? (int)left_ms : SILENCE_MS;
}

/* Who was kept out is said: a display with an old key must be told from one that is not there. */
static void strangers_say(struct service *service)
{
    struct wire_socket *sockets[] = {loop_publish_far(service->publisher), service->desk.far};
    struct wire_fault fault = {.text = ""};

    while (service->keys && pubsub_wire_refused(service->wire, &fault))
        cmd_error("%s", fault.text);
    for (int i = 0; i < 2; i++)
        if (sockets[i] && pubsub_wire_trouble(sockets[i], &fault) != WIRE_QUIET)
            cmd_error("%s", fault.text);
}

static bool service_turn(struct service *service, int *input)
{
    struct wire_socket *sockets[] = {service->eyes, service->desk.near, service->desk.far};
    int ready = pubsub_wire_wait(sockets, 3, input, 1, wait_ms(service));

    if (ready > 0 && (ready & (1 << 8)) && !word_take(service, input))
        return false;
    if (ready > 0 && (ready & 1)) {
        int64_t length = pubsub_wire_receive(service->eyes, &service->peer, service->room,
                                             WIRE_MESSAGE_MAX + 1, 0);
        if (length > 0 && !message_take(service, service->room, (size_t)length))
            return false;
    }
    if (ready > 0 && (ready & 6))
        loop_desk_serve(service);
    if (beat(service))
        strangers_say(service);
    return silence_tick(service) && sync_due(service) && service->status == CMD_DONE;
}

static bool eyes_open(struct service *service)
{
    struct wire_fault fault = {.text = ""};
    char address[160];

    if (pubsub_rundir_address(service->asked->rundir, "eyes", address, sizeof address) == 0 &&
        pubsub_wire_bind(service->wire, WIRE_ROUTER, address, &service->eyes, &fault) == 0)
        return true;
    cmd_error("%s: %s", service->asked->rundir,
              fault.text[0] ? fault.text : N_("a full path of a folder is needed"));
    return false;
}

/* What was seen last, of a match that is taken up again. */
static void layouts_keep(struct service *service)
{
    const struct history *history = referee_record_history(service->record);
    struct event event;

    for (uint64_t seq = 1; seq <= referee_history_last(history); seq++)
        if (referee_history_event(history, seq, &event))
            loop_publish_keep(service->publisher, &event);
}

/* The record, and what late comers are told of it. */
static bool record_open(struct service *service)
{
    const struct record_output output = {.say = decision_say, .context = service};
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;

    int error = referee_record_open(service->asked->journal, &service->asked->header, &output,
                                    &sink, &record, &fault);
    if (error != REFEREE_OK) {
        cmd_record_fault(service->asked->journal, error, &fault);
        return false;
    }
    service->record = record;
    service->said = false;
    if (!loop_told_fill(service->told, record)) {
        cmd_error("out of memory");
        return false;
    }
    layouts_keep(service);
    loop_publish_begin(service->publisher, referee_record_header(record)->match,
                       referee_record_epoch(record) + 1);
    left_publish(service);
    return service->status == CMD_DONE;
}

/* The table's own keys, where they were given. */
static bool keys_open(struct service *service)
{
    struct wire_fault fault = {.text = ""};

    if (!service->asked->keys ||
        pubsub_keys_table(service->asked->keys, &service->keys, &fault) == PUBSUB_OK)
        return true;
    cmd_error("--keys %s", fault.text);
    return false;
}

static bool service_open(struct service *service)
{
    const struct referee_service *asked = service->asked;

    service->room = malloc(WIRE_MESSAGE_MAX + 1);
    service->wire = pubsub_wire_create();
    service->told = loop_told_create();
    if (!service->room || !service->wire || !service->told) {
        cmd_error("out of memory");
        return false;
    }
    if (!keys_open(service))
        return false;
    const struct publisher_options options = {.wire = service->wire,
                                              .rundir = asked->rundir,
                                              .address = asked->publish,
                                              .keys = service->keys,
                                              .table = asked->table};
    return eyes_open(service) && loop_publish_open(&options, &service->publisher) &&
           loop_desk_open(service) && record_open(service);
}

/* Everything that was heard is on record before we say that we are done. */
static void service_close(struct service *service)
{
    struct calib_fault fault = {.line = 0};

    if (service->record && referee_record_sync(service->record, &fault) != REFEREE_OK) {
        cmd_record_fault(service->asked->journal, REFEREE_E_WRITE, &fault);
        service->status = CMD_UNUSABLE;
    }
    if (service->record)
        loop_publish_state(service->publisher, referee_record_state(service->record),
                           loop_match_ns(service));
    if (service->eyes && service->peer.length > 0)
        pubsub_wire_send(service->eyes, &service->peer, "stop {}", 7, 0);
    left_publish(service);
    loop_desk_close(service);
    loop_publish_close(&service->publisher);
    loop_told_destroy(&service->told);
    if (service->record) {
        referee_record_close(&service->record);
        cmd_match_seal(service->asked->journal);
    }
    pubsub_wire_close(&service->eyes);
    pubsub_wire_destroy(&service->wire);
    pubsub_keys_destroy(&service->keys);
    free(service->room);
}

int loop_referee_run(const struct referee_service *asked, const volatile bool *stop)
{
    struct service service = {.asked = asked, .stop = stop, .start_t_ns = -1, .status = CMD_DONE};
    int input = asked->start_after < 0 && !asked->no_word ? STDIN_FILENO : -1;

    if (!service_open(&service))
        service.status = CMD_UNUSABLE;
    while (service.status == CMD_DONE && !service.over && !*stop)
        if (!service_turn(&service, &input))
            service.status = CMD_UNUSABLE;
    service_close(&service);
    return service.status;
}
