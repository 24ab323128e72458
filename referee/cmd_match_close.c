/* referee/cmd_match_close.c: `tableref match close`: ends a match whose process is gone. */
#include "referee/cmd_match.h"
#include "referee/cmd_match_scan.h"
#include "referee/cmd_record.h"

#include <stdio.h>
#include <string.h>

enum { KEY_BY = CMD_KEY_OWN, KEY_WHY };

static const struct cmd_option options[] = {
    {"by", "NAME", KEY_BY, "who says so"},
    {"why", "TEXT", KEY_WHY, "the reason, for the record"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "match close",
    .arguments = "MATCH",
    .about =
        "Ends an unfinished match, whose process is gone, without a result: that it was abandoned\n"
        "goes on record, with the reason. What was decided before stands. MATCH is a match's\n"
        "folder or its journal.",
    .options = options,
};

static void decision_print(void *context, enum journal_kind kind, const struct decision *decision,
                           const char *body, size_t length, const struct match_state *after)
{
    (void)context;
    (void)kind;
    (void)after;
    if (decision)
        printf("%.*s\n", (int)length, body);
}

/* Why there is nothing to close; NULL: there is. */
static const char *closed_already(const struct match_state *state)
{
    if (state->phase == PHASE_NONE)
        return N_("nothing was set up in it; see tableref match delete");
    if (state->phase == PHASE_OVER)
        return "the match is over";
    return state->phase == PHASE_ABANDONED ? N_("the match was ended before") : NULL;
}

static bool match_end(const char *journal, const struct event_act *word)
{
    const struct record_output output = {.say = decision_print};
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct record_header header;
    struct record *record = NULL;
    const char *nothing = NULL;
    struct event event;

    memset(&event, 0, sizeof event);
    cmd_record_header(journal, &header);
    /* One that is not there must not come to be; one that is over must stay as it is. */
    int error = referee_record_read(journal, NULL, &record, &fault);
    if (error == REFEREE_OK)
        nothing = closed_already(referee_record_state(record));
    referee_record_close(&record);
    if (error == REFEREE_OK && !nothing)
        error = referee_record_open(journal, &header, &output, &sink, &record, &fault);
    if (error == REFEREE_OK && !nothing) {
        event.kind = EVENT_ABANDON;
        event.t_ns = referee_record_state(record)->t_ns;
        event.act = *word;
        error = referee_record_event(record, &event, &fault);
    }
    referee_record_close(&record);
    if (nothing)
        cmd_error("%s: there is nothing to close: %s", journal, nothing);
    else if (error == REFEREE_E_LOCKED)
        cmd_error("%s: the match is on: its own process ends it, by an interrupt or the operator's "
                  "page",
                  journal);
    else if (error != REFEREE_OK)
        cmd_record_fault(journal, error, &fault);
    else
        cmd_match_seal(journal);
    return error == REFEREE_OK && !nothing;
}

static int close_match(int argc, char **argv)
{
    struct event_act word;
    char journal[PATH_MAX];
    const char *value;
    int first = 0, key;

    memset(&word, 0, sizeof word);
    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0) {
        bool taken = key == KEY_BY ? cmd_match_text(&verb, "by", value, word.by, sizeof word.by)
                                   : cmd_match_text(&verb, "why", value, word.why, sizeof word.why);
        if (!taken)
            return CMD_WRONG_USE;
    }
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_END && argc - first != 1)
        cmd_error("%s: one MATCH is needed; see tableref %s --help", verb.name, verb.name);
    if (key == CMD_OPTION_WRONG || argc - first != 1)
        return CMD_WRONG_USE;
    if (!cmd_journal_path(argv[first], journal, sizeof journal))
        return CMD_UNUSABLE;
    return match_end(journal, &word) && cmd_output_arrived() ? CMD_DONE : CMD_UNUSABLE;
}

const struct cmd_match_word cmd_match_close = {&verb, close_match};
