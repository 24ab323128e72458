/* referee/record.c: the engine and the journal, bound together. */
#include "referee/record.h"

#include "calib/mark.h"
#include "referee/decision_json.h"
#include "referee/event_json.h"
#include "referee/journal_read.h"
#include "referee/record_json.h"
#include "vision/json_text.h"

#include <stdlib.h>
#include <string.h>

/* Something that the engine said: on the way into the journal, or expected to stand in it. */
struct saying {
    enum journal_kind kind;
    struct decision decision;
    struct json_text body;
};

struct record {
    struct journal *journal; /* NULL: in memory, or only looked at */
    bool closed;             /* only looked at */
    bool alarm;              /* the last event could not be written */
    struct record_word *word;
    size_t words, word_room;
    struct history *history;
    struct record_header header;
    struct record_output output;
    int epoch;
    char head[DIGEST_TEXT_MAX]; /* of a journal that is only looked at */
    struct saying *saying;
    size_t sayings, room;
    size_t heard; /* while a journal is read: how many of them stood in it so far */
    struct decisions decisions;
    /* while a journal is read */
    const char *path;
    struct calib_fault *fault;
    bool headed;
};

static void sayings_clear(struct record *record)
{
    for (size_t i = 0; i < record->sayings; i++)
        vision_json_free(&record->saying[i].body);
    record->sayings = record->heard = 0;
}

static struct saying *saying_add(struct record *record, enum journal_kind kind)
{
    if (record->sayings == record->room) {
        size_t room = record->room ? 2 * record->room : 16;
        struct saying *grown = realloc(record->saying, room * sizeof *grown);
        if (!grown)
            return NULL;
        record->saying = grown;
        record->room = room;
    }
    struct saying *saying = &record->saying[record->sayings++];
    memset(saying, 0, sizeof *saying);
    saying->kind = kind;
    vision_json_init(&saying->body);
    return saying;
}

static int saying_put(struct record *record, enum journal_kind kind,
                      const struct decision *decision, const struct match_state *after)
{
    struct saying *saying = saying_add(record, kind);

    if (!saying)
        return REFEREE_E_MEMORY;
    saying->decision = *decision;
    if (kind == JOURNAL_VOID)
        referee_void_json(decision, &saying->body);
    else
        referee_decision_json(decision, after, &saying->body);
    return saying->body.failed ? REFEREE_E_MEMORY : REFEREE_OK;
}

static int sayings_take(struct record *record)
{
    const struct match_state *after = referee_history_state(record->history);
    int error = REFEREE_OK;

    for (int i = 0; i < record->decisions.count && error == REFEREE_OK; i++)
        error = saying_put(record, JOURNAL_DECISION, &record->decisions.item[i], after);
    return error;
}

/* What a set of decisions is as text: names and points in it come from the state, so that two equal
 * decisions may read differently. */
static int bodies_make(const struct decisions *decisions, const struct match_state *after,
                       struct json_text body[DECISIONS_MAX])
{
    bool failed = false;

    for (int i = 0; i < decisions->count; i++) {
        vision_json_init(&body[i]);
        referee_decision_json(&decisions->item[i], after, &body[i]);
        failed = failed || body[i].failed;
    }
    return failed ? REFEREE_E_MEMORY : REFEREE_OK;
}

static void bodies_free(struct json_text body[DECISIONS_MAX], int count)
{
    for (int i = 0; i < count; i++)
        vision_json_free(&body[i]);
}

static bool body_in(const struct json_text *one, const struct json_text *all, int count)
{
    for (int i = 0; i < count; i++)
        if (one->length == all[i].length && memcmp(one->bytes, all[i].bytes, one->length) == 0)
            return true;
    return false;
}

/* Queues as void what no longer comes out with the same bytes, and then what comes out instead. */
static int change_take(void *context, const struct history_pair *pair)
{
    struct json_text gone[DECISIONS_MAX], come[DECISIONS_MAX];
    int goes = pair->gone->count, comes = pair->come->count;
    int error = bodies_make(pair->gone, pair->before, gone);
    int other = bodies_make(pair->come, pair->after, come);

    if (error == REFEREE_OK)
        error = other;
    for (int i = 0; i < goes && error == REFEREE_OK; i++)
        if (!body_in(&gone[i], come, comes))
            error = saying_put(context, JOURNAL_VOID, &pair->gone->item[i], pair->before);
    for (int i = 0; i < comes && error == REFEREE_OK; i++)
        if (!body_in(&come[i], gone, goes))
            error = saying_put(context, JOURNAL_DECISION, &pair->come->item[i], pair->after);
    bodies_free(gone, goes);
    bodies_free(come, comes);
    return error;
}

static int word_add(struct record *record, enum journal_kind kind, const struct record_act *act)
{
    if (record->words == record->word_room) {
        size_t room = record->word_room ? 2 * record->word_room : 16;
        struct record_word *grown = realloc(record->word, room * sizeof *grown);
        if (!grown)
            return REFEREE_E_MEMORY;
        record->word = grown;
        record->word_room = room;
    }
    struct record_word *word = &record->word[record->words++];
    memset(word, 0, sizeof *word);
    word->kind = kind;
    word->act = *act;
    word->after = referee_history_last(record->history);
    return REFEREE_OK;
}

/* Writes what is queued behind the lines that are in the batch already, and only then says it. */
static int sayings_commit(struct record *record, bool sync, struct calib_fault *fault)
{
    int error = REFEREE_OK;

    if (!record->journal)
        return REFEREE_OK;
    for (size_t i = record->heard; i < record->sayings && error == REFEREE_OK; i++)
        error = referee_journal_add(record->journal, record->saying[i].kind,
                                    record->saying[i].body.bytes, record->saying[i].body.length);
    if (error == REFEREE_OK)
        return referee_journal_commit(record->journal, sync || record->sayings > record->heard,
                                      fault);
    referee_journal_drop(record->journal);
    return referee_journal_fault(fault, "", 0, error, "%s", referee_strerror(error));
}

static void sayings_say(struct record *record)
{
    const struct match_state *after = referee_history_state(record->history);

    for (size_t i = record->heard; record->output.say && i < record->sayings; i++) {
        const struct saying *saying = &record->saying[i];
        record->output.say(record->output.context, saying->kind,
                           saying->kind == JOURNAL_VOID ? NULL : &saying->decision,
                           saying->body.bytes, saying->body.length, after);
    }
    sayings_clear(record);
}

/* --- Reading ------------------------------------------------------------------------------------
 */

static int line_fault(const struct record *record, const struct journal_line *line, int error,
                      const char *what)
{
    return referee_journal_fault(record->fault, record->path, line->number, error, "%s", what);
}

/* A parser's fault gets the journal's name and line. */
static int line_refuse(const struct record *record, const struct journal_line *line,
                       const struct calib_fault *inner)
{
    return line_fault(record, line, REFEREE_E_SYNTAX, inner->text);
}

static int read_header(struct record *record, const struct journal_line *line)
{
    struct calib_fault inner = {.line = 0};

    if (referee_header_parse(line->body, line->length, &record->header, &inner) < 0)
        return line_refuse(record, line, &inner);
    if (record->header.rules != RULES_VERSION)
        return line_fault(
            record, line, REFEREE_E_VERSION,
            N_("recorded under another version of the rules; judge it with the program "
               "that recorded it"));
    record->headed = true;
    return REFEREE_OK;
}

static int read_event(struct record *record, const struct journal_line *line)
{
    struct calib_fault inner = {.line = 0};
    struct referee_cards *cards = NULL;
    struct event event;

    if (referee_event_parse(line->body, line->length, 0, &event, &cards, &inner) < 0)
        return line_refuse(record, line, &inner);
    int error = referee_history_step(record->history, &event, &record->decisions);
    referee_cards_destroy(&cards);
    if (error == REFEREE_E_ARGUMENT)
        return line_fault(record, line, REFEREE_E_SYNTAX,
                          N_("its seq is not above the one before"));
    return error == REFEREE_OK ? sayings_take(record) : error;
}

static int read_act(struct record *record, const struct journal_line *line)
{
    struct calib_fault inner = {.line = 0};
    struct record_act act;
    int error;

    if (referee_record_act_parse(line->body, line->length, line->kind == JOURNAL_OVERRULE, &act,
                                 &inner) < 0)
        return line_refuse(record, line, &inner);
    if (line->kind == JOURNAL_OVERRULE) {
        struct event_forced forced = {.set = true, .ruling = act.ruling};
        error = referee_history_overrule(record->history, act.event, &forced, change_take, record);
    } else {
        error = referee_history_undo(record->history, act.event, line->kind == JOURNAL_UNDO,
                                     change_take, record);
    }
    if (error == REFEREE_E_UNKNOWN)
        return line_fault(record, line, error, N_("takes back an event that brought nothing out"));
    return error == REFEREE_OK ? word_add(record, line->kind, &act) : error;
}

static int read_saying(struct record *record, const struct journal_line *line)
{
    if (record->heard == record->sayings)
        return line_fault(record, line, REFEREE_E_DIFFERS,
                          N_("judged again, this decision does not come out"));
    const struct saying *expected = &record->saying[record->heard];
    if (expected->kind != line->kind || expected->body.length != line->length ||
        memcmp(expected->body.bytes, line->body, line->length) != 0)
        return line_fault(record, line, REFEREE_E_DIFFERS,
                          N_("judged again, this decision comes out otherwise"));
    record->heard++;
    return REFEREE_OK;
}

static int read_line(void *context, const struct journal_line *line)
{
    struct record *record = context;

    if (line->kind == JOURNAL_DECISION || line->kind == JOURNAL_VOID)
        return read_saying(record, line);
    if (record->heard < record->sayings)
        return line_fault(
            record, line, REFEREE_E_DIFFERS,
            N_("judged again, a decision comes out that is not on record before this"));
    sayings_clear(record);
    switch (line->kind) {
    case JOURNAL_HEADER:
        return read_header(record, line);
    case JOURNAL_EVENT:
        return read_event(record, line);
    case JOURNAL_RESTART:
        record->epoch++;
        return REFEREE_OK;
    default:
        return read_act(record, line);
    }
}

static struct record *record_create(const char *path, const struct record_output *output,
                                    struct calib_fault *fault)
{
    struct record *record = calloc(1, sizeof *record);

    if (record && (record->history = referee_history_create())) {
        record->path = path;
        record->fault = fault;
        if (output)
            record->output = *output;
        return record;
    }
    free(record);
    referee_journal_fault(fault, path, 0, REFEREE_E_MEMORY, "out of memory");
    return NULL;
}

void referee_record_close(struct record **record)
{
    if (!record || !*record)
        return;
    sayings_clear(*record);
    free((*record)->saying);
    free((*record)->word);
    referee_history_destroy(&(*record)->history);
    referee_journal_close(&(*record)->journal);
    free(*record);
    *record = NULL;
}

/* A line of the record's own, made by one of the functions of record_json.h. */
static int body_add(struct record *record, enum journal_kind kind, struct json_text *body)
{
    int error = body->failed ? REFEREE_E_MEMORY : REFEREE_OK;

    if (error == REFEREE_OK && record->journal)
        error = referee_journal_add(record->journal, kind, body->bytes, body->length);
    vision_json_free(body);
    return error;
}

/* What could not be read again must not be written: the whole match would be lost with it. The same
 * holds for events and acts. */
static int record_begin(struct record *record, const struct record_header *header,
                        struct calib_fault *fault)
{
    struct calib_fault inner = {.line = 0};
    struct record_header again;
    struct json_text body;

    record->header = *header;
    record->header.rules = RULES_VERSION;
    vision_json_init(&body);
    referee_header_json(&record->header, &body);
    if (!body.failed && referee_header_parse(body.bytes, body.length, &again, &inner) < 0) {
        vision_json_free(&body);
        return referee_journal_fault(fault, record->path, 1, REFEREE_E_ARGUMENT, "%s", inner.text);
    }
    return body_add(record, JOURNAL_HEADER, &body);
}

static int record_resume(struct record *record)
{
    struct json_text body;
    int error = REFEREE_OK;

    for (; record->heard < record->sayings && error == REFEREE_OK; record->heard++) {
        const struct json_text *left = &record->saying[record->heard].body;
        error = referee_journal_add(record->journal, record->saying[record->heard].kind,
                                    left->bytes, left->length);
    }
    if (error != REFEREE_OK)
        return error;
    vision_json_init(&body);
    vision_json_open(&body, NULL, '{');
    vision_json_int(&body, "epoch", ++record->epoch);
    vision_json_close(&body, '}');
    return body_add(record, JOURNAL_RESTART, &body);
}

int referee_record_open(const char *path, const struct record_header *header,
                        const struct record_output *output, const struct calib_sink *sink,
                        struct record **out, struct calib_fault *fault)
{
    struct record *record = record_create(path, output, fault);

    *out = NULL;
    if (!record)
        return REFEREE_E_MEMORY;
    if (!path) {
        record->header = *header;
        record->header.rules = RULES_VERSION;
        *out = record;
        return REFEREE_OK;
    }
    int error = referee_journal_open(path, read_line, record, sink, &record->journal, fault);
    if (error == REFEREE_OK) {
        size_t left = record->heard;
        error = record->headed ? record_resume(record) : record_begin(record, header, fault);
        if (error == REFEREE_OK)
            error = referee_journal_commit(record->journal, true, fault);
        record->heard = left;
    }
    if (error != REFEREE_OK) {
        referee_record_close(&record);
        return error;
    }
    sayings_say(record);
    record->fault = NULL;
    record->path = NULL;
    *out = record;
    return REFEREE_OK;
}

int referee_record_read(const char *path, const struct calib_sink *sink, struct record **out,
                        struct calib_fault *fault)
{
    struct record *record = record_create(path, NULL, fault);

    *out = NULL;
    if (!record)
        return REFEREE_E_MEMORY;
    int error = referee_journal_read(path, read_line, record, sink, record->head, fault);
    if (error == REFEREE_OK && !record->headed)
        error = referee_journal_fault(fault, path, 1, REFEREE_E_SYNTAX,
                                      "an empty journal: there is no match in it");
    if (error != REFEREE_OK) {
        referee_record_close(&record);
        return error;
    }
    record->fault = NULL;
    record->path = NULL;
    record->closed = true;
    *out = record;
    return REFEREE_OK;
}

/* --- Writing ------------------------------------------------------------------------------------
 */

static void batch_drop(struct record *record)
{
    if (record->journal)
        referee_journal_drop(record->journal);
}

/* The event as it will be read again: what its line does not hold must not be ruled on. The caller
 * gives *cards to referee_cards_destroy. */
static int event_reread(const struct json_text *body, struct event *out,
                        struct referee_cards **cards, struct calib_fault *fault)
{
    struct calib_fault inner = {.line = 0};

    *cards = NULL;
    if (body->failed)
        return referee_journal_fault(fault, "", 0, REFEREE_E_MEMORY, "out of memory");
    if (referee_event_parse(body->bytes, body->length, 0, out, cards, &inner) == CALIB_OK)
        return REFEREE_OK;
    return referee_journal_fault(fault, "", 0, REFEREE_E_ARGUMENT,
                                 "the record cannot hold this event: %.160s", inner.text);
}

static int event_step(struct record *record, const struct event *event, struct calib_fault *fault)
{
    int error = referee_history_step(record->history, event, &record->decisions);

    if (error == REFEREE_E_ARGUMENT)
        return referee_journal_fault(fault, "", 0, error,
                                     "its seq is not above that of the event before it, %llu",
                                     (unsigned long long)referee_history_last(record->history));
    if (error != REFEREE_OK)
        return referee_journal_fault(fault, "", 0, error, "%s", referee_strerror(error));
    return REFEREE_OK;
}

/* Writes an event that the history took, with what it brought out. */
static int event_write(struct record *record, const struct json_text *body,
                       struct calib_fault *fault)
{
    int error = sayings_take(record);

    if (error == REFEREE_OK && record->journal)
        error = referee_journal_add(record->journal, JOURNAL_EVENT, body->bytes, body->length);
    if (error == REFEREE_OK)
        return sayings_commit(record, false, fault);
    batch_drop(record);
    return referee_journal_fault(fault, "", 0, error, "%s", referee_strerror(error));
}

static int event_put(struct record *record, const struct event *event, struct calib_fault *fault)
{
    struct referee_cards *cards;
    struct event again;
    struct json_text body;

    sayings_clear(record);
    vision_json_init(&body);
    referee_event_json(event, &body);
    int error = event_reread(&body, &again, &cards, fault);
    if (error == REFEREE_OK)
        error = event_step(record, &again, fault);
    if (error == REFEREE_OK) {
        error = event_write(record, &body, fault);
        if (error == REFEREE_OK) {
            sayings_say(record);
        } else {
            record->alarm = record->alarm || error == REFEREE_E_WRITE;
            referee_history_unstep(record->history);
            sayings_clear(record);
        }
    }
    referee_cards_destroy(&cards);
    vision_json_free(&body);
    return error;
}

/* What could not be written was not ruled on: nobody may play on unaware of it. */
static int pause_put(struct record *record, const struct event *next, struct calib_fault *fault)
{
    const struct match_state *state = referee_history_state(record->history);
    struct event pause = {.seq = referee_history_last(record->history) + 1,
                          .t_ns = next->t_ns > state->t_ns ? next->t_ns : state->t_ns,
                          .kind = EVENT_PAUSE,
                          .act = {.by = "journal", .why = N_("the journal could not be written")}};

    if (state->paused || (state->phase != PHASE_COUNTDOWN && state->phase != PHASE_PLAY))
        return REFEREE_OK;
    return event_put(record, &pause, fault);
}

/* Looks for a card by its id in the deck of the set-up, the one that was not refused. */
static int card_visit(void *context, const struct event *event, const struct decisions *decisions,
                      const struct match_state *after)
{
    struct card *card = context;

    (void)after;
    if (event->kind != EVENT_SETUP || decisions->count == 0 ||
        decisions->item[0].kind != DECISION_PHASE)
        return 0;
    for (int32_t i = 0; event->setup.cards && i < event->setup.card_count; i++)
        if (strncmp(event->setup.cards[i].id, card->id, sizeof card->id) == 0) {
            *card = event->setup.cards[i];
            break;
        }
    return 0;
}

/* A person names a card of the deck by its id alone; on record it has its level and pattern, too,
 * for the rules do not keep the deck. One that is not in it stays as it came, and they refuse it.
 */
static int card_complete(const struct record *record, struct event *event)
{
    struct card *card = &event->act.card;

    if (event->kind != EVENT_SET_CARD || card->id[0] == 0 || card->grid.rows > 0)
        return REFEREE_OK;
    return referee_history_replay(record->history, card_visit, card);
}

int referee_record_event(struct record *record, struct event *event, struct calib_fault *fault)
{
    if (record->closed)
        return REFEREE_E_ARGUMENT;
    if (event->seq == 0 && record->alarm) {
        int error = pause_put(record, event, fault);
        if (error != REFEREE_OK)
            return error;
        record->alarm = false;
    }
    int error = card_complete(record, event);
    if (error != REFEREE_OK)
        return referee_journal_fault(fault, "", 0, error, "%s", referee_strerror(error));
    uint64_t given = event->seq;
    if (given == 0)
        event->seq = referee_history_last(record->history) + 1;
    error = event_put(record, event, fault);
    if (error != REFEREE_OK)
        event->seq = given;
    return error;
}

static int act_unreadable(const struct json_text *body, bool overrule, struct calib_fault *fault)
{
    struct calib_fault inner = {.line = 0};
    struct record_act again;

    if (body->failed ||
        referee_record_act_parse(body->bytes, body->length, overrule, &again, &inner) == CALIB_OK)
        return REFEREE_OK;
    return referee_journal_fault(fault, "", 0, REFEREE_E_ARGUMENT, "%s", inner.text);
}

/* Writes an act after the history took it. */
static int act_write(struct record *record, enum journal_kind kind, const struct record_act *act,
                     struct calib_fault *fault)
{
    struct json_text body;

    vision_json_init(&body);
    referee_record_act_json(act, kind == JOURNAL_OVERRULE, &body);
    if (act_unreadable(&body, kind == JOURNAL_OVERRULE, fault) != REFEREE_OK) {
        vision_json_free(&body);
        return REFEREE_E_ARGUMENT;
    }
    int error = body_add(record, kind, &body);
    if (error == REFEREE_OK)
        error = word_add(record, kind, act);
    if (error != REFEREE_OK) {
        batch_drop(record);
        return referee_journal_fault(fault, "", 0, error, "%s", referee_strerror(error));
    }
    error = sayings_commit(record, true, fault);
    if (error != REFEREE_OK)
        record->words--;
    return error;
}

static int act_put(struct record *record, enum journal_kind kind, const struct record_act *act,
                   struct calib_fault *fault)
{
    const struct event_forced forced = {.set = true, .ruling = act->ruling};
    struct event before;
    int error = REFEREE_E_UNKNOWN;

    if (record->closed)
        return REFEREE_E_ARGUMENT;
    sayings_clear(record);
    bool there = referee_history_event(record->history, act->event, &before);
    bool undone = referee_history_undone(record->history, act->event);
    if (there && kind == JOURNAL_OVERRULE)
        error = referee_history_overrule(record->history, act->event, &forced, change_take, record);
    else if (there)
        error = referee_history_undo(record->history, act->event, kind == JOURNAL_UNDO, change_take,
                                     record);
    if (error == REFEREE_E_UNKNOWN)
        return referee_journal_fault(fault, "", 0, error, "%s", referee_strerror(error));
    if (error == REFEREE_OK)
        error = act_write(record, kind, act, fault);
    if (error != REFEREE_OK) {
        referee_history_restore(record->history, act->event, undone, &before.forced);
        sayings_clear(record);
        return error;
    }
    sayings_say(record);
    return REFEREE_OK;
}

int referee_record_undo(struct record *record, const struct record_act *act, bool undone,
                        struct calib_fault *fault)
{
    return act_put(record, undone ? JOURNAL_UNDO : JOURNAL_REDO, act, fault);
}

int referee_record_overrule(struct record *record, const struct record_act *act,
                            struct calib_fault *fault)
{
    return act_put(record, JOURNAL_OVERRULE, act, fault);
}

int referee_record_sync(struct record *record, struct calib_fault *fault)
{
    if (record->closed)
        return REFEREE_E_ARGUMENT;
    return record->journal ? referee_journal_commit(record->journal, true, fault) : REFEREE_OK;
}

const struct record_header *referee_record_header(const struct record *record)
{
    return &record->header;
}

const struct history *referee_record_history(const struct record *record)
{
    return record->history;
}

const struct match_state *referee_record_state(const struct record *record)
{
    return referee_history_state(record->history);
}

const char *referee_record_head(const struct record *record)
{
    return record->journal ? referee_journal_head(record->journal) : record->head;
}

int referee_record_epoch(const struct record *record)
{
    return record->epoch;
}

const struct record_word *referee_record_words(const struct record *record, size_t *count)
{
    *count = record->words;
    return record->word;
}
