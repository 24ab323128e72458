/* referee/cmd_referee.c: `tableref referee`: events in, decisions out, a line of JSON each. */
#include "referee/cmd_common.h"
#include "referee/cmd_record.h"
#include "referee/cmd_table.h"
#include "referee/record_json.h"
#include "referee/state_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_EVENTS = CMD_KEY_OWN, KEY_JOURNAL, KEY_STATE };

static const struct cmd_option options[] = {
    {"events", "FILE", KEY_EVENTS, "the events, a line of JSON each; - for standard input"},
    {"journal", "FILE", KEY_JOURNAL, "keep the match on record there; take it up again if it is"},
    {"state", "WHEN", KEY_STATE, "print the state: end (the usual), each, or never"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "referee",
    .arguments = "--events FILE",
    .about = "Judges a match from its events and prints a line for each decision, then the state.\n"
             "Lines that begin with # and empty lines are passed over. Their format is in\n"
             "referee/EVENTS.md.",
    .options = options,
};

enum state_when { STATE_END, STATE_EACH, STATE_NEVER };

struct referee_options {
    const char *events, *journal;
    enum state_when when;
};

/* What goes on while events are read. */
struct referee_run {
    const struct referee_options *options;
    struct record *record;
    const char *name; /* of the events file */
    long line;
    uint64_t next_seq; /* for a line without one */
    uint64_t last_seq; /* on record before */
    size_t words;      /* on record before, and passed over so far */
    bool printed;      /* something was said about this event */
    bool failed;       /* standard output is gone */
};

static void line_print(struct referee_run *run, const char *before, const char *body, size_t length,
                       const char *after)
{
    printf("%s%.*s%s\n", before, (int)length, body, after);
    run->printed = true;
}

static void decision_print(void *context, enum journal_kind kind, const struct decision *decision,
                           const char *body, size_t length, const struct match_state *after)
{
    (void)decision;
    (void)after;
    if (kind == JOURNAL_VOID)
        line_print(context, "{\"void\":", body, length, "}");
    else
        line_print(context, "", body, length, "");
}

static bool state_print(const struct referee_run *run)
{
    struct json_text json;

    vision_json_init(&json);
    referee_state_json(referee_record_state(run->record), &json);
    return cmd_print(&json);
}

/* Says what is wrong with a line. */
static bool line_refuse(const struct referee_run *run, const struct calib_fault *fault)
{
    cmd_error("%s:%ld: %s", run->name, run->line, fault->text);
    return false;
}

/* Reading a file from its start again: does this act of it stand on record already? Others may
 * stand between, from `tableref match`. */
static bool act_known(struct referee_run *run, enum journal_kind kind, const struct record_act *act)
{
    size_t count;
    const struct record_word *word = referee_record_words(run->record, &count);

    for (size_t i = run->words; i < count; i++)
        if (word[i].after == run->next_seq - 1 && word[i].kind == kind &&
            word[i].act.event == act->event && word[i].act.ruling == act->ruling &&
            strcmp(word[i].act.by, act->by) == 0 && strcmp(word[i].act.why, act->why) == 0) {
            run->words = i + 1;
            return true;
        }
    return false;
}

static bool act_run(struct referee_run *run, enum journal_kind kind, const struct record_act *act)
{
    struct calib_fault fault = {.line = 0};

    if (act_known(run, kind, act))
        return true;
    int error = kind == JOURNAL_OVERRULE
                    ? referee_record_overrule(run->record, act, &fault)
                    : referee_record_undo(run->record, act, kind == JOURNAL_UNDO, &fault);
    size_t count;
    (void)referee_record_words(run->record, &count);
    run->words = count;
    return error == REFEREE_OK || line_refuse(run, &fault);
}

/* An event that should stand on record already: does it, as it is? */
static bool event_known(const struct referee_run *run, struct event *event)
{
    struct json_text here, there;
    struct event before;
    bool known = referee_history_event(referee_record_history(run->record), event->seq, &before);

    if (known && event->kind == EVENT_SETUP && before.kind == EVENT_SETUP && !event->setup.cards) {
        /* The deck that was looked up at that time is on record. */
        event->setup.cards = before.setup.cards;
        event->setup.card_count = before.setup.card_count;
        memcpy(event->setup.digest, before.setup.digest, sizeof event->setup.digest);
    }
    vision_json_init(&here);
    vision_json_init(&there);
    if (known) {
        referee_event_json(event, &here);
        referee_event_json(&before, &there);
        known = !here.failed && !there.failed && here.length == there.length &&
                memcmp(here.bytes, there.bytes, here.length) == 0;
    }
    vision_json_free(&here);
    vision_json_free(&there);
    if (!known)
        cmd_error("%s:%ld: not what stands on record as event %llu; is %s another match's journal?",
                  run->name, run->line, (unsigned long long)event->seq, run->options->journal);
    return known;
}

static bool event_run(struct referee_run *run, struct event *event)
{
    struct calib_fault fault = {.line = 0};
    struct deck *deck = NULL;
    bool done = false;

    if (event->kind == EVENT_SETUP && !cmd_setup_deck(event, &deck, &fault))
        return line_refuse(run, &fault);
    if (referee_record_event(run->record, event, &fault) == REFEREE_OK)
        done = true;
    else
        line_refuse(run, &fault);
    calib_deck_destroy(&deck);
    return done;
}

static bool event_take(struct referee_run *run, const char *text, size_t length)
{
    struct calib_fault fault = {.line = 0};
    struct referee_cards *cards = NULL;
    struct event event;
    bool done;

    if (referee_event_parse(text, length, run->next_seq, &event, &cards, &fault) < 0)
        return line_refuse(run, &fault);
    if (event.seq > run->last_seq)
        done = event_run(run, &event);
    else
        done = event_known(run, &event);
    run->next_seq = event.seq + 1;
    referee_cards_destroy(&cards);
    return done;
}

static const char journal_begins[] = "{\"prev\":\"";

static bool line_run(struct referee_run *run, const char *text, size_t length)
{
    struct calib_fault fault = {.line = 0};
    enum journal_kind kind;
    struct record_act act;

    if (length == 0 || text[0] == '#')
        return true;
    if (length > sizeof journal_begins &&
        memcmp(text, journal_begins, strlen(journal_begins)) == 0) {
        cmd_error(
            "%s:%ld: this is a match's journal, not its events: give it by --journal to go on "
            "with the match, or to tableref match to look at it",
            run->name, run->line);
        return false;
    }
    run->printed = false;
    int is_act = referee_act_line_parse(text, length, &kind, &act, &fault);
    if (is_act < 0)
        return line_refuse(run, &fault);
    if (is_act ? !act_run(run, kind, &act) : !event_take(run, text, length))
        return false;
    /* Who reads along at the other end of a pipe shall not wait for a full buffer. */
    run->failed = !cmd_output_arrived();
    if (!run->failed && run->options->when == STATE_EACH && run->printed)
        run->failed = !state_print(run);
    return !run->failed;
}

static bool lines_run(struct referee_run *run, FILE *stream)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    bool well = true;

    while (well && (errno = 0, length = getline(&text, &room, stream)) >= 0) {
        run->line++;
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
            length--;
        if ((size_t)length > JOURNAL_LINE_MAX) {
            cmd_error("%s:%ld: a line longer than %zu bytes", run->name, run->line,
                      JOURNAL_LINE_MAX);
            well = false;
        } else {
            well = line_run(run, text, (size_t)length);
        }
    }
    if (well && ferror(stream)) {
        cmd_error("%s: %s", run->name, strerror(errno));
        well = false;
    }
    free(text);
    return well;
}

static bool record_begin(struct referee_run *run)
{
    const struct record_output output = {.say = decision_print, .context = run};
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct record_header header;
    const char *journal = run->options->journal;

    cmd_record_header(journal ? journal : "", &header);
    int error = referee_record_open(journal, &header, &output, &sink, &run->record, &fault);
    if (error != REFEREE_OK) {
        cmd_record_fault(journal ? journal : "match", error, &fault);
        return false;
    }
    /* A file is read from its start again, and what is on record passed over; a stream goes on. */
    run->last_seq = referee_history_last(referee_record_history(run->record));
    run->next_seq = 1;
    if (strcmp(run->options->events, "-") == 0) {
        run->next_seq = run->last_seq + 1;
        (void)referee_record_words(run->record, &run->words);
    }
    return true;
}

static int referee_run(const struct referee_options *chosen)
{
    struct referee_run run = {.options = chosen, .name = chosen->events};
    struct calib_fault fault = {.line = 0};
    bool input = strcmp(chosen->events, "-") == 0;
    FILE *stream = input ? stdin : fopen(chosen->events, "re");

    if (!stream) {
        cmd_error("%s: %s", chosen->events, strerror(errno));
        return CMD_UNUSABLE;
    }
    if (input)
        run.name = N_("standard input");
    bool well = record_begin(&run);
    if (well)
        well = lines_run(&run, stream);
    if (run.record && referee_record_sync(run.record, &fault) != REFEREE_OK && well) {
        cmd_record_fault(chosen->journal ? chosen->journal : "match", REFEREE_E_WRITE, &fault);
        well = false;
    }
    if (run.record && chosen->when != STATE_NEVER && !run.failed && (well || run.line > 0))
        well = state_print(&run) && well;
    referee_record_close(&run.record);
    if (!input)
        fclose(stream);
    return well ? CMD_DONE : CMD_UNUSABLE;
}

static bool state_when(const char *word, enum state_when *out)
{
    static const char *const words[] = {
        [STATE_END] = "end", [STATE_EACH] = "each", [STATE_NEVER] = "never"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (enum state_when)i;
            return true;
        }
    cmd_error("%s: --state %s: end, each or never is needed", verb.name, word);
    return false;
}

/* The process of a run has options of its own. */
static bool serves(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "--rundir", 8) == 0)
            return true;
    return false;
}

int cmd_referee(int argc, char **argv)
{
    if (serves(argc, argv))
        return cmd_referee_serve(argc, argv);
    struct referee_options chosen = {.when = STATE_END};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) != CMD_OPTION_END) {
        if (key == CMD_OPTION_HELP)
            return CMD_DONE;
        if (key == CMD_OPTION_WRONG)
            return CMD_WRONG_USE;
        if (key == KEY_EVENTS)
            chosen.events = value;
        else if (key == KEY_JOURNAL)
            chosen.journal = value;
        else if (key == KEY_STATE && !state_when(value, &chosen.when))
            return CMD_WRONG_USE;
    }
    if (first < argc) {
        cmd_error("%s: %s: events are given by --events", verb.name, argv[first]);
        return CMD_WRONG_USE;
    }
    if (!chosen.events) {
        cmd_error("%s: --events is needed; see tableref %s --help", verb.name, verb.name);
        return CMD_WRONG_USE;
    }
    return referee_run(&chosen);
}
