/* referee/loop_told.c: what was said in a match. */
#include "referee/loop_told.h"

#include "referee/decision_json.h"
#include "referee/event_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* One decision. */
struct said {
    uint64_t seq;
    int index;
    uint64_t cause;
    char *body;
    size_t length;
};

struct told {
    struct said *said; /* by (seq, index) */
    size_t count, room;
    uint64_t *act; /* numbers of events of people and claims, and of what was ruled on; rising */
    size_t acts, act_room;
    bool failed;
};

struct told *loop_told_create(void)
{
    return calloc(1, sizeof(struct told));
}

void loop_told_destroy(struct told **told)
{
    if (!told || !*told)
        return;
    for (size_t i = 0; i < (*told)->count; i++)
        free((*told)->said[i].body);
    free((*told)->said);
    free((*told)->act);
    free(*told);
    *told = NULL;
}

/* The first place that is not before (seq, index). */
static size_t place_of(const struct told *told, uint64_t seq, int index)
{
    size_t low = 0, high = told->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct said *said = &told->said[middle];
        if (said->seq < seq || (said->seq == seq && said->index < index))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool at_place(const struct told *told, size_t place, uint64_t seq, int index)
{
    return place < told->count && told->said[place].seq == seq && told->said[place].index == index;
}

static bool room_make(struct told *told)
{
    if (told->count < told->room)
        return true;
    size_t room = told->room ? 2 * told->room : 64;
    struct said *grown = realloc(told->said, room * sizeof *grown);
    if (!grown)
        return false;
    told->said = grown;
    told->room = room;
    return true;
}

static bool act_add(struct told *told, uint64_t seq)
{
    size_t place = told->acts;

    while (place > 0 && told->act[place - 1] > seq)
        place--;
    if (place > 0 && told->act[place - 1] == seq)
        return true;
    if (told->acts == told->act_room) {
        size_t room = told->act_room ? 2 * told->act_room : 64;
        uint64_t *grown = realloc(told->act, room * sizeof *grown);
        if (!grown)
            return false;
        told->act = grown;
        told->act_room = room;
    }
    memmove(told->act + place + 1, told->act + place, (told->acts - place) * sizeof *told->act);
    told->act[place] = seq;
    told->acts++;
    return true;
}

static void said_remove(struct told *told, size_t place)
{
    free(told->said[place].body);
    told->count--;
    memmove(told->said + place, told->said + place + 1, (told->count - place) * sizeof *told->said);
}

static bool said_add(struct told *told, const struct decision *decision, const char *body,
                     size_t length)
{
    struct said said = {
        .seq = decision->seq, .index = decision->index, .cause = decision->cause, .length = length};
    size_t place = place_of(told, said.seq, said.index);

    if (at_place(told, place, said.seq, said.index))
        said_remove(told, place);
    if (!room_make(told) || !(said.body = malloc(length + 1)))
        return false;
    memcpy(said.body, body, length);
    said.body[length] = 0;
    memmove(told->said + place + 1, told->said + place, (told->count - place) * sizeof *told->said);
    told->said[place] = said;
    told->count++;
    return decision->kind != DECISION_VERDICT || act_add(told, said.cause);
}

static bool said_void(struct told *told, const char *body, size_t length)
{
    json_t *gone = json_loadb(body, length, 0, NULL);
    uint64_t seq = (uint64_t)json_integer_value(json_object_get(gone, "seq"));
    int index = (int)json_integer_value(json_object_get(gone, "index"));
    size_t place = place_of(told, seq, index);

    if (gone && at_place(told, place, seq, index))
        said_remove(told, place);
    json_decref(gone);
    return gone != NULL;
}

bool loop_told_say(struct told *told, const struct decision *decision, const char *body,
                   size_t length)
{
    return decision ? said_add(told, decision, body, length) : said_void(told, body, length);
}

bool loop_told_by_people(enum event_kind kind)
{
    switch (kind) {
    case EVENT_SETUP:
    case EVENT_LAYOUT:
    case EVENT_MOTION:
    case EVENT_CARD:
    case EVENT_TICK:
    case EVENT_HEALTH:
    case EVENT_DISCS:
        return false;
    default:
        return true;
    }
}

bool loop_told_event(struct told *told, const struct event *event)
{
    return !loop_told_by_people(event->kind) || act_add(told, event->seq);
}

bool loop_told_word(struct told *told, uint64_t event)
{
    return act_add(told, event);
}

static int past_visit(void *context, const struct event *event, const struct decisions *decisions,
                      const struct match_state *after)
{
    struct told *told = context;

    (void)event;
    for (int i = 0; i < decisions->count && !told->failed; i++) {
        struct json_text body;
        vision_json_init(&body);
        referee_decision_json(&decisions->item[i], after, &body);
        told->failed = body.failed || !said_add(told, &decisions->item[i], body.bytes, body.length);
        vision_json_free(&body);
    }
    return told->failed ? -1 : 0;
}

/* Those that were undone, too: a person may put them back. */
bool loop_told_fill(struct told *told, const struct record *record)
{
    const struct history *history = referee_record_history(record);
    size_t words = 0;
    const struct record_word *word = referee_record_words(record, &words);
    struct event event;

    if (referee_history_replay(history, past_visit, told) < 0)
        return false;
    for (uint64_t seq = 1; seq <= referee_history_last(history); seq++)
        if (referee_history_event(history, seq, &event) && !loop_told_event(told, &event))
            return false;
    for (size_t i = 0; i < words; i++)
        if (!act_add(told, word[i].act.event))
            return false;
    return true;
}

/* ---- as text ---- */

/* A value that is JSON already. */
static void value_put(struct json_text *out, const char *body)
{
    if (out->comma)
        vision_json_raw(out, ",");
    vision_json_raw(out, body);
    out->comma = true;
}

void loop_told_decisions(const struct told *told, const struct told_range *range,
                         struct json_text *out)
{
    size_t least = place_of(told, range->from, 0), first = least, last, size = 0, count = 0;

    if (range->newest) {
        for (first = told->count; first > least && count < range->most; first--, count++)
            if ((size += told->said[first - 1].length + 1) > range->most_size)
                break;
        last = told->count;
    } else {
        for (last = first; last < told->count && count < range->most; last++, count++)
            if ((size += told->said[last].length + 1) > range->most_size)
                break;
    }
    vision_json_open(out, "decisions", '[');
    for (size_t i = first; i < last; i++)
        value_put(out, told->said[i].body);
    vision_json_close(out, ']');
    vision_json_bool(out, "more", range->newest ? first > least : last < told->count);
}

static void by_put(const struct event *event, struct json_text *out)
{
    const char *by = "", *why = "";
    int seat = 0, slot = 0;

    if (event->kind == EVENT_CLAIM) {
        by = event->claim.source;
        seat = event->claim.seat;
        slot = event->claim.slot;
    } else if (event->kind == EVENT_LAYOUT) {
        seat = event->layout.seat.seat;
    } else if (event->kind == EVENT_SET_DISCS) {
        by = event->discs.by;
        why = event->discs.why;
    } else if (event->kind != EVENT_START) {
        by = event->act.by;
        why = event->act.why;
        seat = event->act.seat;
        slot = event->act.slot;
    }
    vision_json_string(out, "by", by[0] ? by : NULL);
    vision_json_string(out, "why", why[0] ? why : NULL);
    if (seat)
        vision_json_int(out, "seat", seat);
    else
        vision_json_null(out, "seat");
    if (slot)
        vision_json_int(out, "slot", slot);
    else
        vision_json_null(out, "slot");
}

/* What people said about it later. */
static void words_put(const struct record *record, uint64_t seq, struct json_text *out)
{
    size_t count = 0;
    const struct record_word *word = referee_record_words(record, &count);

    vision_json_open(out, "words", '[');
    for (size_t i = 0; i < count; i++) {
        if (word[i].act.event != seq)
            continue;
        vision_json_open(out, NULL, '{');
        vision_json_string(out, "do", referee_journal_kind_name(word[i].kind));
        if (word[i].kind == JOURNAL_OVERRULE)
            vision_json_string(out, "ruling", referee_ruling_name(word[i].act.ruling));
        vision_json_string(out, "by", word[i].act.by[0] ? word[i].act.by : NULL);
        vision_json_string(out, "why", word[i].act.why[0] ? word[i].act.why : NULL);
        vision_json_int(out, "after", (int64_t)word[i].after);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}

/* What goes back to an event came with it or after it. */
static void brought_put(const struct told *told, uint64_t seq, struct json_text *out)
{
    vision_json_open(out, "decisions", '[');
    for (size_t i = place_of(told, seq, 0); i < told->count; i++)
        if (told->said[i].cause == seq)
            value_put(out, told->said[i].body);
    vision_json_close(out, ']');
}

static void entry_put(const struct told *told, const struct record *record,
                      const struct event *event, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "event", (int64_t)event->seq);
    vision_json_int(out, "t_ns", event->t_ns);
    vision_json_string(out, "kind", referee_event_name(event->kind));
    vision_json_bool(out, "undone",
                     referee_history_undone(referee_record_history(record), event->seq));
    by_put(event, out);
    words_put(record, event->seq, out);
    brought_put(told, event->seq, out);
    vision_json_close(out, '}');
}

void loop_told_history(const struct told *told, const struct record *record,
                       const struct told_range *range, struct json_text *out)
{
    size_t place = 0, count = 0, begun = out->length;
    struct event event;

    while (place < told->acts && told->act[place] < range->from)
        place++;
    vision_json_open(out, "entries", '[');
    for (; place < told->acts && count < range->most; place++) {
        if (out->length - begun > range->most_size)
            break;
        if (!referee_history_event(referee_record_history(record), told->act[place], &event))
            continue;
        entry_put(told, record, &event, out);
        count++;
    }
    vision_json_close(out, ']');
    vision_json_bool(out, "more", place < told->acts);
}
