/* referee/loop_acts.c: acts of people, and claims, by request. */
#include "calib/error.h"
#include "referee/cmd_record.h"
#include "referee/event_json.h"
#include "referee/loop_service.h"
#include "referee/record_json.h"
#include "referee/value_json.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000
/* A claim whose sender says nothing of its clock: that of a phone over a poor wireless network. */
#define ERROR_USUAL_NS (50 * (int64_t)NS_PER_MS)

void loop_reply_refuse(struct reply *reply, enum request_error error, const char *format, ...)
{
    va_list arguments;

    reply->error = error;
    va_start(arguments, format);
    vsnprintf(reply->text, sizeof reply->text, format, arguments);
    va_end(arguments);
}

/* ---- what an act brings out ---- */

static void brought_begin(struct brought *brought)
{
    memset(brought, 0, sizeof *brought);
    brought->open = true;
    vision_json_init(&brought->decisions);
    vision_json_init(&brought->voids);
}

static void brought_end(struct brought *brought)
{
    brought->open = false;
    vision_json_free(&brought->decisions);
    vision_json_free(&brought->voids);
}

/* What the record says while an act is done. */
void loop_act_brings(struct brought *brought, const struct decision *decision, const char *body)
{
    struct json_text *list = decision ? &brought->decisions : &brought->voids;

    if (!brought->open)
        return;
    if (list->length > 0)
        vision_json_raw(list, ",");
    vision_json_raw(list, body);
    if (decision && decision->kind == DECISION_REFUSED && decision->cause == decision->seq) {
        brought->refused_seq = decision->seq;
        brought->why = decision->why;
    }
}

static void list_put(struct json_text *out, const char *key, const struct json_text *list)
{
    if (list->failed)
        out->failed = true;
    vision_json_open(out, key, '[');
    if (list->bytes)
        vision_json_raw(out, list->bytes);
    vision_json_close(out, ']');
}

/* ---- events ---- */

/* A time or a span that the format can hold. */
static bool span_fits(int64_t ns)
{
    return ns >= -JSON_EXACT_MAX && ns <= JSON_EXACT_MAX;
}

/* When it was claimed, in the match's time, never after t_ns. False after refusing. */
static bool claim_time(const struct request *request, int64_t t_ns, int64_t *claimed_t_ns,
                       struct reply *reply)
{
    int64_t error_ns = pubsub_request_whole(request, "error_ns", ERROR_USUAL_NS);
    int64_t ago_ns = pubsub_request_whole(request, "ago_ns", 0);
    int64_t claimed = pubsub_request_whole(request, "claimed_t_ns", t_ns);

    if (error_ns < 0 || !span_fits(error_ns))
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "\"error_ns\" makes no sense");
    else if (ago_ns < 0 || !span_fits(ago_ns))
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "\"ago_ns\" makes no sense");
    else if (!span_fits(claimed) || claimed - t_ns > error_ns)
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST,
                          "\"claimed_t_ns\" lies in the future by more than \"error_ns\"");
    else if (pubsub_request_given(request, "claimed_t_ns") &&
             pubsub_request_given(request, "ago_ns"))
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "either \"claimed_t_ns\" or \"ago_ns\"");
    claimed -= ago_ns;
    *claimed_t_ns = claimed < t_ns ? claimed : t_ns;
    return reply->error == REQUEST_OK;
}

/* The members that a request has of its own become the event's. */
static json_t *event_members(const struct request *request)
{
    static const char *const own[] = {"v", "id", "key", "do", "epoch", "ago_ns"};
    json_t *event = json_copy(request->body);

    for (size_t i = 0; event && i < sizeof own / sizeof own[0]; i++)
        json_object_del(event, own[i]);
    /* A request's "id" is its own; the card's is "card" in it. */
    if (event && request->what == REQUEST_SET_CARD && json_object_get(event, "card")) {
        json_object_set(event, "id", json_object_get(event, "card"));
        json_object_del(event, "card");
    }
    return event;
}

static bool claim_members(const struct request *request, int64_t t_ns, json_t *event,
                          struct reply *reply)
{
    int64_t claimed_t_ns;
    const char *by = pubsub_request_text(request, "by");

    /* These are the recording's own. */
    if (by && (strcmp(by, "file") == 0 || strcmp(by, "journal") == 0)) {
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "\"by\" may not be \"%s\"", by);
        return false;
    }
    if (!claim_time(request, t_ns, &claimed_t_ns, reply))
        return false;
    json_object_del(event, "by");
    json_object_set_new(event, "source", json_string(by && by[0] ? by : "request"));
    json_object_set_new(event, "claimed_t_ns", json_integer(claimed_t_ns));
    if (!pubsub_request_given(request, "error_ns"))
        json_object_set_new(event, "error_ns", json_integer(ERROR_USUAL_NS));
    return true;
}

/* The event of a request, as its line reads. False after refusing. */
static bool event_make(const struct request *request, int64_t t_ns, struct event *out,
                       struct reply *reply)
{
    struct calib_fault fault = {.line = 0};
    struct referee_cards *cards = NULL;
    json_t *event = event_members(request);
    char *text = NULL;

    json_object_set_new(event, "t_ns", json_integer(t_ns));
    json_object_set_new(event, "event", json_string(pubsub_request_name(request->what)));
    if (request->what == REQUEST_START)
        json_object_del(event, "by");
    if (request->what != REQUEST_CLAIM || claim_members(request, t_ns, event, reply))
        text = json_dumps(event, JSON_COMPACT);
    json_decref(event);
    if (!text && reply->error == REQUEST_OK)
        loop_reply_refuse(reply, REQUEST_E_NOT_WRITTEN, "out of memory");
    if (text && referee_event_parse(text, strlen(text), 1, out, &cards, &fault) < 0)
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "%s", fault.text);
    referee_cards_destroy(&cards);
    free(text);
    out->seq = 0;
    return reply->error == REQUEST_OK;
}

/* Why the record did not take it. */
static void record_refuse(struct service *service, int error, const struct calib_fault *fault,
                          struct reply *reply)
{
    const char *text = fault->text[0] ? fault->text : referee_strerror(error);

    if (error == REFEREE_E_ARGUMENT)
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "%s", text);
    else if (error == REFEREE_E_UNKNOWN)
        loop_reply_refuse(reply, REQUEST_E_UNKNOWN_EVENT, "%s", text);
    else
        loop_reply_refuse(reply, REQUEST_E_NOT_WRITTEN,
                          "the record cannot be written, so it has not happened: %s", text);
    if (error == REFEREE_E_WRITE)
        cmd_record_fault(service->asked->journal, error, fault);
}

static void event_reply(const struct brought *brought, const struct event *event,
                        struct reply *reply)
{
    struct json_text *out = &reply->members;

    if (brought->refused_seq == event->seq) {
        const char *why = referee_why_name(brought->why);
        loop_reply_refuse(reply, REQUEST_E_REFUSED, "the %s falls on nothing: %s",
                          event->kind == EVENT_CLAIM ? "claim" : "act", why);
        vision_json_string(out, "why", why);
    }
    vision_json_int(out, "seq", (int64_t)event->seq);
    list_put(out, "decisions", &brought->decisions);
}

static void event_act(struct service *service, const struct request *request, struct reply *reply)
{
    struct calib_fault fault = {.line = 0};
    struct event event;

    if (!event_make(request, loop_match_ns(service), &event, reply))
        return;
    brought_begin(&service->brought);
    int error = referee_record_event(service->record, &event, &fault);
    if (error == REFEREE_OK) {
        loop_event_done(service, &event);
        event_reply(&service->brought, &event, reply);
    } else {
        record_refuse(service, error, &fault, reply);
    }
    brought_end(&service->brought);
}

/* ---- words on the past ---- */

static bool word_make(const struct request *request, struct record_act *out, struct reply *reply)
{
    struct calib_fault fault = {.line = 0};
    json_t *body = event_members(request);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;

    json_decref(body);
    if (!text)
        loop_reply_refuse(reply, REQUEST_E_NOT_WRITTEN, "out of memory");
    else if (referee_record_act_parse(text, strlen(text), request->what == REQUEST_OVERRULE, out,
                                      &fault) < 0)
        loop_reply_refuse(reply, REQUEST_E_BAD_REQUEST, "%s", fault.text);
    free(text);
    return reply->error == REQUEST_OK;
}

static void word_act(struct service *service, const struct request *request, struct reply *reply)
{
    struct calib_fault fault = {.line = 0};
    struct record_act act;
    int error;

    if (!word_make(request, &act, reply))
        return;
    brought_begin(&service->brought);
    if (request->what == REQUEST_OVERRULE)
        error = referee_record_overrule(service->record, &act, &fault);
    else
        error = referee_record_undo(service->record, &act, request->what == REQUEST_UNDO, &fault);
    if (error == REFEREE_OK) {
        loop_told_word(service->told, act.event);
        vision_json_int(&reply->members, "seq", (int64_t)act.event);
        list_put(&reply->members, "decisions", &service->brought.decisions);
        list_put(&reply->members, "void", &service->brought.voids);
    } else {
        record_refuse(service, error, &fault, reply);
    }
    brought_end(&service->brought);
}

/* Is this a time at which an act has its place? */
static bool act_possible(const struct service *service, struct reply *reply)
{
    if (!service->greeted)
        loop_reply_refuse(reply, REQUEST_E_NOT_READY, "the eyes have not begun");
    else if (!service->timed)
        loop_reply_refuse(reply, REQUEST_E_NOT_READY,
                          "a recording that is read as fast as can be takes no acts; give --paced");
    else if (service->known > 0 || (!service->live && service->start_t_ns >= 0))
        loop_reply_refuse(reply, REQUEST_E_NOT_READY,
                          "the recording is not yet where the match's record ends");
    else if (service->stuck)
        loop_reply_refuse(reply, REQUEST_E_NOT_WRITTEN,
                          "the record cannot be written now, so it has not happened");
    return reply->error == REQUEST_OK;
}

void loop_act(struct service *service, const struct request *request, struct reply *reply)
{
    if (service->replay) {
        loop_replay_act(service, request, reply);
        return;
    }
    if (pubsub_request_sort(request->what) == REQUEST_PLAYBACK) {
        loop_reply_refuse(reply, REQUEST_E_REPLAY,
                          "this match is played now: only a replay is wound");
        return;
    }
    if (!act_possible(service, reply))
        return;
    if (pubsub_request_sort(request->what) == REQUEST_WORD)
        word_act(service, request, reply);
    else
        event_act(service, request, reply);
    loop_publish_changed(service->publisher);
}
