/* referee/loop_replay.c: a match on record, shown again. */
#include "referee/loop_replay.h"

#include "referee/cmd_record.h"
#include "referee/loop_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000
/* Requests are answered between so many events, however fast it goes. */
#define EVENTS_MOST 64
#define LOOK_MS 100
/* Whoever winds to a ruling wants to see how it came. */
#define LEAD_NS (3 * (int64_t)1000000000)
/* Nearer than this it is the one that one looks at already. */
#define NEAR_NS (LEAD_NS / 6)

struct replay {
    const struct replay_service *asked;
    struct referee_service referee;
    struct cmd_game game; /* its set-up alone */
    struct service service;
    uint64_t next; /* the seq to be looked for next */
    int64_t epoch;
    int64_t at_t_ns, at_ns; /* the match's time at that of the machine */
    int speed_permille;
    bool paused, winding;
    int64_t *ruling; /* times of verdicts, rising */
    size_t rulings, room;
};

/* ---- where it is ---- */

int64_t loop_replay_epoch(const struct replay *replay)
{
    return replay->epoch;
}

int64_t loop_replay_ns(const struct replay *replay)
{
    int64_t t_ns = replay->at_t_ns;

    if (!replay->paused)
        t_ns += (loop_now_ns() - replay->at_ns) / 1000 * replay->speed_permille;
    return t_ns < replay->asked->to_t_ns ? t_ns : replay->asked->to_t_ns;
}

static void place_set(struct replay *replay, int64_t t_ns)
{
    replay->at_t_ns = t_ns;
    replay->at_ns = loop_now_ns();
}

static void replay_tell(struct replay *replay)
{
    const struct publish_replay told = {.from_t_ns = replay->asked->from_t_ns,
                                        .to_t_ns = replay->asked->to_t_ns,
                                        .speed_permille = replay->speed_permille,
                                        .paused = replay->paused,
                                        .what_if = replay->asked->what_if};

    loop_publish_replay(replay->service.publisher, &told);
    loop_publish_changed(replay->service.publisher);
}

static void pause_set(struct replay *replay, bool paused)
{
    place_set(replay, loop_replay_ns(replay));
    replay->paused = paused;
    replay_tell(replay);
}

/* ---- events ---- */

static void say(void *context, enum journal_kind kind, const struct decision *decision,
                const char *body, size_t length, const struct match_state *after)
{
    struct replay *replay = context;
    struct service *service = &replay->service;

    service->said = true;
    if (!replay->winding)
        loop_decision_print(service, kind, decision, body, length, after);
    if (!loop_told_say(service->told, decision, body, length))
        service->status = CMD_UNUSABLE;
    loop_publish_decision(service->publisher, decision != NULL, body, loop_match_ns(service));
}

static bool fail(struct replay *replay, int error, const struct calib_fault *fault)
{
    cmd_record_fault("the replay", error, fault);
    replay->service.status = CMD_UNUSABLE;
    return false;
}

/* What people said of the past behind this event. What a what-if has made another thing of has
 * nothing to say. */
static void words_feed(struct replay *replay, uint64_t seq)
{
    struct service *service = &replay->service;
    size_t count = 0;
    const struct record_word *word = referee_record_words(replay->asked->record, &count);

    for (size_t i = 0; i < count; i++) {
        const struct record_act *act = &word[i].act;
        if (word[i].after != seq)
            continue;
        if (!loop_told_word(service->told, act->event))
            service->status = CMD_UNUSABLE;
        if (word[i].kind == JOURNAL_OVERRULE)
            referee_record_overrule(service->record, act, NULL);
        else
            referee_record_undo(service->record, act, word[i].kind == JOURNAL_UNDO, NULL);
        loop_publish_changed(service->publisher);
    }
}

/* The next event, if it has come by then. */
static bool event_find(struct replay *replay, int64_t t_ns, struct event *out)
{
    const struct history *history = referee_record_history(replay->asked->record);

    while (replay->next <= referee_history_last(history)) {
        if (referee_history_event(history, replay->next, out))
            return out->t_ns <= t_ns;
        replay->next++;
    }
    return false;
}

static bool event_feed(struct replay *replay, struct event *event)
{
    struct calib_fault fault = {.line = 0};

    event->seq = replay->next++;
    int error = referee_record_event(replay->service.record, event, &fault);
    if (error != REFEREE_OK)
        return fail(replay, error, &fault);
    loop_event_done(&replay->service, event);
    words_feed(replay, event->seq);
    return replay->service.status == CMD_DONE;
}

/* ---- winding ---- */

/* The match as it stood then is what everybody sees from now on: a new epoch. What happened in that
 * very moment belongs to it while the replay is held; else it happens now. */
static bool wind(struct replay *replay, int64_t t_ns)
{
    const struct record_output output = {.say = say, .context = replay};
    const struct record_header *header = referee_record_header(replay->asked->record);
    struct service *service = &replay->service;
    struct calib_fault fault = {.line = 0};
    struct event event;

    if (t_ns < replay->asked->from_t_ns)
        t_ns = replay->asked->from_t_ns;
    if (t_ns > replay->asked->to_t_ns)
        t_ns = replay->asked->to_t_ns;
    struct told *told = loop_told_create();
    struct record *record = NULL;
    int error =
        told ? referee_record_open(NULL, header, &output, NULL, &record, &fault) : REFEREE_E_MEMORY;
    if (error != REFEREE_OK) {
        loop_told_destroy(&told);
        return fail(replay, error, &fault);
    }
    loop_publish_rewind(service->publisher);
    loop_told_destroy(&service->told);
    referee_record_close(&service->record);
    service->told = told;
    service->record = record;
    replay->next = 1;
    replay->winding = true;
    place_set(replay, t_ns);
    while (event_find(replay, replay->paused ? t_ns : t_ns - 1, &event) &&
           event_feed(replay, &event))
        ;
    replay->winding = false;
    place_set(replay, t_ns);
    loop_publish_begin(service->publisher, header->match, ++replay->epoch);
    replay_tell(replay);
    return service->status == CMD_DONE;
}

static int rulings_collect(void *context, const struct event *event,
                           const struct decisions *decisions, const struct match_state *after)
{
    struct replay *replay = context;
    bool ruled = false;

    (void)after;
    for (int i = 0; i < decisions->count; i++)
        ruled = ruled || decisions->item[i].kind == DECISION_VERDICT;
    if (!ruled)
        return 0;
    if (replay->rulings == replay->room) {
        size_t room = replay->room ? 2 * replay->room : 64;
        int64_t *grown = realloc(replay->ruling, room * sizeof *grown);
        if (!grown)
            return REFEREE_E_MEMORY;
        replay->ruling = grown;
        replay->room = room;
    }
    replay->ruling[replay->rulings++] = event->t_ns;
    return 0;
}

/* A little before the count-th ruling from here, back or forth, or at one that is so near; an end
 * when there are fewer. */
static int64_t ruling_place(const struct replay *replay, int64_t count)
{
    int64_t here = loop_replay_ns(replay);

    if (count > 0) {
        for (size_t i = 0; i < replay->rulings; i++) {
            int64_t t_ns = replay->ruling[i], before = t_ns - LEAD_NS;
            if (t_ns > here + NEAR_NS && --count == 0)
                return before > here + NEAR_NS ? before : t_ns;
        }
        return replay->asked->to_t_ns;
    }
    for (size_t i = replay->rulings; i-- > 0;)
        if (replay->ruling[i] - LEAD_NS < here - NEAR_NS && ++count == 0)
            return replay->ruling[i] - LEAD_NS;
    return replay->asked->from_t_ns;
}

/* ---- acts ---- */

/* False after refusing. */
static bool seek_place(const struct replay *replay, const struct request *request, int64_t *t_ns,
                       struct reply *reply)
{
    const struct history *history = referee_record_history(replay->asked->record);
    bool time = pubsub_request_given(request, "t_ns"),
         number = pubsub_request_given(request, "event"),
         rulings = pubsub_request_given(request, "rulings");
    int64_t seq = pubsub_request_whole(request, "event", 0),
            count = pubsub_request_whole(request, "rulings", 0);
    struct event event = {.t_ns = 0};

    if (time + number + rulings != 1 || (rulings && count == 0))
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST,
                          "one of \"t_ns\", \"event\" and \"rulings\" (not 0) is needed");
    else if (number && (seq < 1 || !referee_history_event(history, (uint64_t)seq, &event)))
        loop_reply_refuse(reply, REQUEST_E_UNKNOWN_EVENT, "there is no such event");
    *t_ns = time     ? pubsub_request_whole(request, "t_ns", 0)
            : number ? event.t_ns
            : count  ? ruling_place(replay, count)
                     : 0;
    return reply->error == REQUEST_OK;
}

static bool speed_set(struct replay *replay, const struct request *request, struct reply *reply)
{
    int64_t speed = pubsub_request_whole(request, "speed_permille", 0);

    if (speed != 0 && (speed < REPLAY_SPEED_LEAST || speed > REPLAY_SPEED_MOST)) {
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "\"speed_permille\" is 0, or %d to %d",
                          REPLAY_SPEED_LEAST, REPLAY_SPEED_MOST);
        return false;
    }
    place_set(replay, loop_replay_ns(replay));
    replay->speed_permille = (int)speed;
    replay_tell(replay);
    return true;
}

void loop_replay_act(struct service *service, const struct request *request, struct reply *reply)
{
    struct replay *replay = service->replay;
    int64_t t_ns = 0;

    switch (request->what) {
    case REQUEST_SEEK:
        if (seek_place(replay, request, &t_ns, reply))
            wind(replay, t_ns);
        break;
    case REQUEST_SPEED:
        speed_set(replay, request, reply);
        break;
    case REQUEST_PAUSE:
    case REQUEST_RESUME: {
        /* Going on at the end is going on from the beginning. */
        bool at_end = loop_replay_ns(replay) >= replay->asked->to_t_ns;
        pause_set(replay, request->what == REQUEST_PAUSE);
        if (request->what == REQUEST_RESUME && at_end)
            wind(replay, replay->asked->from_t_ns);
        break;
    }
    default:
        loop_reply_refuse(reply, REQUEST_E_REPLAY,
                          "this is a replay: what was played is not changed here");
        return;
    }
    if (reply->error == REQUEST_OK)
        vision_json_int(&reply->members, "t_ns", loop_replay_ns(replay));
}

/* ---- the process ---- */

static int wait_ms(struct replay *replay)
{
    struct service *service = &replay->service;
    int64_t left_ms = (loop_publish_due_ns(service->publisher) - loop_now_ns()) / NS_PER_MS + 1;
    struct event event;

    if (!replay->paused && replay->speed_permille == 0)
        return 0;
    if (!replay->paused && event_find(replay, replay->asked->to_t_ns, &event)) {
        int64_t event_ms =
            (event.t_ns - loop_replay_ns(replay)) * 1000 / replay->speed_permille / NS_PER_MS + 1;
        left_ms = event_ms < left_ms ? event_ms : left_ms;
    }
    return left_ms < 0 ? 0 : left_ms < LOOK_MS ? (int)left_ms : LOOK_MS;
}

/* False at the end. */
static bool events_turn(struct replay *replay)
{
    struct event event;
    bool fast = replay->speed_permille == 0;

    for (int i = 0; i < EVENTS_MOST && !replay->paused; i++) {
        int64_t until = fast ? replay->asked->to_t_ns : loop_replay_ns(replay);
        if (!event_find(replay, until, &event)) {
            if (until < replay->asked->to_t_ns)
                return true;
            place_set(replay, replay->asked->to_t_ns);
            pause_set(replay, true);
            return !replay->asked->once;
        }
        if (fast)
            place_set(replay, event.t_ns);
        if (!event_feed(replay, &event))
            return false;
    }
    return true;
}

static bool replay_turn(struct replay *replay)
{
    struct service *service = &replay->service;
    struct wire_socket *sockets[] = {service->desk.near, service->desk.far};

    if (pubsub_wire_wait(sockets, 2, NULL, 0, wait_ms(replay)) > 0)
        loop_desk_serve(service);
    bool on = events_turn(replay);
    if (!on || loop_publish_due(service->publisher, loop_now_ns()))
        loop_publish_state(service->publisher, referee_record_state(service->record),
                           loop_match_ns(service));
    if (replay->asked->look)
        replay->asked->look(replay->asked->context);
    return on && service->status == CMD_DONE;
}

static bool keys_open(struct service *service)
{
    struct wire_fault fault = {.text = ""};

    if (!service->asked->keys ||
        pubsub_keys_table(service->asked->keys, &service->keys, &fault) == PUBSUB_OK)
        return true;
    cmd_error("--keys %s", fault.text);
    return false;
}

static bool replay_open(struct replay *replay)
{
    const struct history *history = referee_record_history(replay->asked->record);
    struct service *service = &replay->service;

    if (!service->wire ||
        referee_history_replay(history, rulings_collect, replay) == REFEREE_E_MEMORY) {
        cmd_error("out of memory");
        return false;
    }
    if (!keys_open(service))
        return false;
    const struct publisher_options options = {.wire = service->wire,
                                              .rundir = replay->asked->rundir,
                                              .address = replay->asked->publish,
                                              .keys = service->keys,
                                              .table = replay->asked->table};
    return loop_publish_open(&options, &service->publisher) && loop_desk_open(service) &&
           wind(replay, replay->asked->from_t_ns);
}

static void replay_close(struct replay *replay)
{
    struct service *service = &replay->service;

    loop_desk_close(service);
    loop_publish_close(&service->publisher);
    loop_told_destroy(&service->told);
    referee_record_close(&service->record);
    pubsub_wire_destroy(&service->wire);
    pubsub_keys_destroy(&service->keys);
    free(replay->ruling);
}

int loop_replay_run(const struct replay_service *asked, const volatile bool *stop)
{
    struct replay replay = {
        .asked = asked,
        .referee = {.rundir = asked->rundir,
                    .table = asked->table,
                    .publish = asked->publish,
                    .requests = asked->requests,
                    .keys = asked->keys,
                    .text = asked->text},
        .speed_permille = asked->speed_permille,
        .paused = asked->paused,
    };

    referee_history_event(referee_record_history(asked->record), 1, &replay.game.setup);
    replay.referee.game = &replay.game;
    replay.service = (struct service){.asked = &replay.referee,
                                      .replay = &replay,
                                      .stop = stop,
                                      .wire = pubsub_wire_create(),
                                      .greeted = true,
                                      .status = CMD_DONE};
    if (!replay_open(&replay))
        replay.service.status = CMD_UNUSABLE;
    while (replay.service.status == CMD_DONE && !*stop && replay_turn(&replay))
        ;
    replay_close(&replay);
    return replay.service.status;
}
