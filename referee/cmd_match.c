/* referee/cmd_match.c: `tableref match`: looks at a recorded match and corrects it. */
#include "referee/cmd_match.h"
#include "referee/cmd_match_archive.h"
#include "referee/cmd_match_import.h"
#include "referee/cmd_match_scan.h"
#include "referee/cmd_match_verify.h"
#include "referee/cmd_record.h"
#include "referee/cmd_timeline.h"
#include "referee/record_json.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_FORMAT = CMD_KEY_OWN, KEY_BY, KEY_WHY, KEY_ARCHIVE };

#define OPTION_FORMAT                                                                              \
    {                                                                                              \
        "format", "WORD", KEY_FORMAT, "text, json or csv"                                          \
    }
#define OPTION_BY                                                                                  \
    {                                                                                              \
        "by", "NAME", KEY_BY, "who says so"                                                        \
    }
#define OPTION_WHY                                                                                 \
    {                                                                                              \
        "why", "TEXT", KEY_WHY, "the reason, for the record"                                       \
    }
#define OPTION_LAST                                                                                \
    {                                                                                              \
        NULL, NULL, 0, NULL                                                                        \
    }

static const struct cmd_option show_options[] = {OPTION_FORMAT, OPTION_LAST};
static const struct cmd_option export_options[] = {
    OPTION_FORMAT,
    {"archive", "FILE", KEY_ARCHIVE, "write the whole match into one new file, a tar archive"},
    OPTION_LAST,
};
static const struct cmd_option no_options[] = {OPTION_LAST};
static const struct cmd_option act_options[] = {OPTION_BY, OPTION_WHY, OPTION_LAST};

#define MATCH_IS "MATCH is a match's folder or its journal.\n"
#define EVENT_IS                                                                                   \
    "EVENT is the number of the claim, layout or act that a decision goes back to: the cause in\n" \
    "`tableref match show`. What later events lose by it becomes void and stays on record.\n"

static const struct cmd_verb verbs[] = {
    {"match show", "MATCH",
     MATCH_IS
     "Prints the table and what was decided, in the order of time (text), or every line of\n"
     "the record but the events (json), or the table alone (csv).",
     show_options},
    {"match export", "MATCH",
     MATCH_IS
     "Prints the table with the times of every card, as JSON unless --format says other. With\n"
     "--archive the match's folder becomes one file, the same bytes whenever that is done; its\n"
     "digest is printed, after the file was read again.",
     export_options},
    {"match verify", "MATCH",
     "MATCH is a match's folder, or an archive of export, which is unpacked for as long as it\n"
     "takes below TMPDIR (/var/tmp).\n"
     "Is everything in it what was put there? Prints a line of JSON for each part: the journal,\n"
     "the kit's files, evidence, pictures. Exit status 1 when one was changed or is missing.",
     no_options},
    {"match undo", "MATCH EVENT", MATCH_IS EVENT_IS "Takes it back, as if it had never come.",
     act_options},
    {"match redo", "MATCH EVENT", MATCH_IS EVENT_IS "Puts back what was undone.", act_options},
    {"match overrule", "MATCH EVENT RULING",
     MATCH_IS EVENT_IS "RULING is match, no_match or cannot_tell; both rulings stay on record.",
     act_options},
};

enum { SHOW, EXPORT, VERIFY, UNDO, REDO, OVERRULE, ACTS };

/* Those with files of their own. */
static const struct cmd_match_word *const words[] = {
    &cmd_match_evidence, &cmd_match_finish, &cmd_match_list,  &cmd_match_close,
    &cmd_match_delete,   &cmd_match_keep,   &cmd_match_import};

#define WORDS (sizeof words / sizeof words[0])

struct match_options {
    int act;
    const struct cmd_verb *verb;
    const char *match, *archive;
    char journal[PATH_MAX];
    bool formatted;
    enum results_format format;
    struct record_act word;
};

bool cmd_match_text(const struct cmd_verb *verb, const char *option, const char *text, char *out,
                    size_t size)
{
    size_t length = strlen(text);
    json_t *string = json_stringn(text, length); /* NULL for what is no UTF-8 */
    bool well = string != NULL;

    json_decref(string);
    for (size_t i = 0; i < length; i++)
        well = well && (unsigned char)text[i] >= 0x20 && text[i] != 0x7f;
    if (!well)
        cmd_error("%s: --%s: UTF-8 on one line is needed", verb->name, option);
    else if (length >= size)
        cmd_error("%s: --%s: at most %zu bytes", verb->name, option, size - 1);
    else
        memcpy(out, text, length + 1);
    return well && length < size;
}

static bool option_take(struct match_options *chosen, int key, const char *value)
{
    chosen->formatted = chosen->formatted || key == KEY_FORMAT;
    if (key == KEY_FORMAT)
        return cmd_results_format(chosen->verb, value, &chosen->format);
    if (key == KEY_ARCHIVE) {
        chosen->archive = value;
        return true;
    }
    if (key == KEY_BY)
        return cmd_match_text(chosen->verb, "by", value, chosen->word.by, sizeof chosen->word.by);
    return cmd_match_text(chosen->verb, "why", value, chosen->word.why, sizeof chosen->word.why);
}

bool cmd_match_event(const struct cmd_verb *verb, const char *text, uint64_t *out)
{
    char *end;

    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || number == 0) {
        cmd_error("%s: EVENT %s: a whole number above 0 is needed", verb->name, text);
        return false;
    }
    *out = number;
    return true;
}

bool cmd_match_folder(const char *match, char out[PATH_MAX])
{
    static const char journal[] = "/journal.jsonl";
    struct stat info;
    size_t length = strlen(match);

    if (length + sizeof journal > PATH_MAX) {
        cmd_error("%s: the path is too long", match);
        return false;
    }
    memcpy(out, match, length + 1);
    if (stat(match, &info) == 0 && !S_ISDIR(info.st_mode)) {
        if (strcmp(match, journal + 1) == 0) {
            memcpy(out, ".", 2);
        } else if (length >= sizeof journal &&
                   strcmp(match + length - (sizeof journal - 1), journal) == 0) {
            out[length - (sizeof journal - 1)] = 0;
        } else {
            cmd_error("%s: the folder of a match is needed", match);
            return false;
        }
    }
    return true;
}

static bool ruling_take(struct match_options *chosen, const char *text)
{
    for (int r = RULING_MATCH; r <= RULING_CANNOT_TELL; r++)
        if (strcmp(text, referee_ruling_name((enum ruling)r)) == 0) {
            chosen->word.ruling = (enum ruling)r;
            return true;
        }
    cmd_error("%s: RULING %s: match, no_match or cannot_tell is needed", chosen->verb->name, text);
    return false;
}

static bool arguments_take(struct match_options *chosen, int count, char **argument)
{
    int needed = chosen->act == OVERRULE ? 3 : chosen->act >= UNDO ? 2 : 1;

    if (count != needed) {
        cmd_error("%s: %s is needed, and nothing more; see tableref %s --help", chosen->verb->name,
                  chosen->verb->arguments, chosen->verb->name);
        return false;
    }
    chosen->match = argument[0];
    return (needed < 2 || cmd_match_event(chosen->verb, argument[1], &chosen->word.event)) &&
           (needed < 3 || ruling_take(chosen, argument[2]));
}

/* ---- showing ---- */

static int line_print(void *context, const struct journal_line *line)
{
    (void)context;
    if (line->kind != JOURNAL_EVENT)
        printf("{\"kind\":\"%s\",\"body\":%.*s}\n", referee_journal_kind_name(line->kind),
               (int)line->length, line->body);
    return 0;
}

static int act_print(void *context, const struct journal_line *line)
{
    struct json_text *out = context;
    struct record_act act;

    if (line->kind != JOURNAL_UNDO && line->kind != JOURNAL_REDO && line->kind != JOURNAL_OVERRULE)
        return 0;
    if (referee_record_act_parse(line->body, line->length, line->kind == JOURNAL_OVERRULE, &act,
                                 NULL) == 0)
        cmd_timeline_act(line->kind, &act, out);
    return 0;
}

static bool show_text(const struct match_options *chosen, const struct record *record)
{
    struct json_text out;

    vision_json_init(&out);
    cmd_results(referee_record_state(record), referee_record_header(record)->match,
                referee_record_head(record), RESULTS_TEXT, &out);
    vision_json_raw(&out, "\n");
    cmd_timeline_text(referee_record_history(record), &out);
    referee_journal_read(chosen->journal, act_print, &out, NULL, NULL, NULL);
    if (out.failed)
        cmd_error("out of memory");
    else
        fputs(out.bytes, stdout);
    bool well = !out.failed;
    vision_json_free(&out);
    return well;
}

static bool table_print(const struct match_options *chosen, const struct record *record,
                        enum results_format format)
{
    struct json_text out;

    (void)chosen;
    vision_json_init(&out);
    cmd_results(referee_record_state(record), referee_record_header(record)->match,
                referee_record_head(record), format, &out);
    if (format == RESULTS_JSON)
        return cmd_print(&out);
    bool well = !out.failed;
    if (out.failed)
        cmd_error("out of memory");
    else
        fputs(out.bytes, stdout);
    vision_json_free(&out);
    return well;
}

static int match_show(const struct match_options *chosen)
{
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    bool well;

    int error = referee_record_read(chosen->journal, &sink, &record, &fault);
    if (error != REFEREE_OK) {
        cmd_record_fault(chosen->journal, error, &fault);
        return CMD_UNUSABLE;
    }
    if (chosen->act == EXPORT)
        well = table_print(chosen, record, chosen->formatted ? chosen->format : RESULTS_JSON);
    else if (chosen->formatted && chosen->format == RESULTS_CSV)
        well = table_print(chosen, record, RESULTS_CSV);
    else if (chosen->formatted && chosen->format == RESULTS_JSON)
        well = referee_journal_read(chosen->journal, line_print, NULL, NULL, NULL, NULL) == 0;
    else
        well = show_text(chosen, record);
    referee_record_close(&record);
    return well && cmd_output_arrived() ? CMD_DONE : CMD_UNUSABLE;
}

/* ---- correcting ---- */

static void change_print(void *context, enum journal_kind kind, const struct decision *decision,
                         const char *body, size_t length, const struct match_state *after)
{
    (void)context;
    (void)decision;
    (void)after;
    printf("%s%.*s%s\n", kind == JOURNAL_VOID ? "{\"void\":" : "", (int)length, body,
           kind == JOURNAL_VOID ? "}" : "");
}

/* The number is not that of anything this act can change: says where the right ones stand. */
static void nothing_there(const struct match_options *chosen)
{
    static const char *const to[ACTS] = {[UNDO] = N_("to take back"),
                                         [REDO] = N_("that was taken back"),
                                         [OVERRULE] = "with a verdict"};

    cmd_error("%s: there is nothing of that number (%llu) %s; see %s of tableref match show %s",
              chosen->match, (unsigned long long)chosen->word.event, to[chosen->act],
              chosen->act == REDO ? N_("the last lines") : N_("the column cause"), chosen->match);
}

static int match_correct(const struct match_options *chosen)
{
    const struct record_output output = {.say = change_print};
    const struct calib_sink sink = cmd_record_sink();
    struct calib_fault fault = {.line = 0};
    struct record_header header;
    struct record *record = NULL;

    /* A journal that is not there, or is empty, must not come to be by being corrected. */
    int error = referee_record_read(chosen->journal, NULL, &record, &fault);
    referee_record_close(&record);
    cmd_record_header(chosen->journal, &header);
    if (error == REFEREE_OK)
        error = referee_record_open(chosen->journal, &header, &output, &sink, &record, &fault);
    if (error == REFEREE_OK)
        error = chosen->act == OVERRULE
                    ? referee_record_overrule(record, &chosen->word, &fault)
                    : referee_record_undo(record, &chosen->word, chosen->act == UNDO, &fault);
    if (error == REFEREE_E_LOCKED)
        cmd_error("%s: the match is on, and its process alone writes its record: end it first, or "
                  "send it {\"act\":\"%s\",\"event\":%llu,..} as one of its events",
                  chosen->journal, chosen->verb->name + strlen("match "),
                  (unsigned long long)chosen->word.event);
    else if (error == REFEREE_E_UNKNOWN && fault.line == 0)
        nothing_there(chosen);
    else if (error != REFEREE_OK)
        cmd_record_fault(chosen->journal, error, &fault);
    referee_record_close(&record);
    if (error == REFEREE_OK)
        cmd_match_seal(chosen->journal);
    return error == REFEREE_OK && cmd_output_arrived() ? CMD_DONE : CMD_UNUSABLE;
}

static void options_print(const struct cmd_option *option)
{
    for (; option->name; option++)
        printf("  --%s%s%s  %s\n", option->name, option->value ? " " : "",
               option->value ? option->value : "", cmd_text(option->help));
}

/* The words, with `between` between them. */
static void words_text(const char *between, char *out, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < ACTS + WORDS && used < size; i++) {
        const struct cmd_verb *verb = i < ACTS ? &verbs[i] : words[i - ACTS]->verb;
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? between : "",
                                 verb->name + strlen("match "));
    }
}

static int match_usage(const char *word)
{
    char all[256];

    if (word && strcmp(word, "--help") == 0) {
        words_text("|", all, sizeof all);
        printf(cmd_text("Usage: tableref match %s MATCH ...\n"
                        "Looks at recorded matches, corrects and keeps them.\n\n"
                        "`tableref match WORD --help` says more of each.\n\n"),
               all);
        printf("show, export:\n");
        options_print(export_options);
        printf("undo, redo, overrule:\n");
        options_print(act_options);
        for (size_t i = 0; i < WORDS; i++) {
            if (words[i]->verb->options->name)
                printf("%s:\n", words[i]->verb->name + strlen("match "));
            options_print(words[i]->verb->options);
        }
        return CMD_DONE;
    }
    words_text(", ", all, sizeof all);
    cmd_error("match: %s: one of %s is needed; see tableref match --help",
              word ? word : N_("nothing was asked"), all);
    return CMD_WRONG_USE;
}

static int match_act(struct match_options *chosen)
{
    if (chosen->act == VERIFY && cmd_archive_is(chosen->match))
        return cmd_match_verify_archive(chosen->match);
    /* These take a folder, the others a journal alone, too. */
    if (chosen->act == VERIFY || chosen->archive) {
        if (!cmd_match_folder(chosen->match, chosen->journal))
            return CMD_UNUSABLE;
        return chosen->archive ? cmd_match_archive(chosen->journal, chosen->archive)
                               : cmd_match_verify(chosen->journal);
    }
    if (!cmd_journal_path(chosen->match, chosen->journal, sizeof chosen->journal))
        return CMD_UNUSABLE;
    return chosen->act < UNDO ? match_show(chosen) : match_correct(chosen);
}

int cmd_match(int argc, char **argv)
{
    struct match_options chosen = {.act = 0};
    const char *value;
    int first = 0, key;

    for (size_t i = 0; argc > 1 && i < WORDS; i++)
        if (strcmp(argv[1], words[i]->verb->name + strlen("match ")) == 0)
            return words[i]->run(argc - 1, argv + 1);
    while (chosen.act < ACTS && (argc < 2 || strcmp(argv[1], verbs[chosen.act].name + 6) != 0))
        chosen.act++;
    if (chosen.act == ACTS)
        return match_usage(argc < 2 ? NULL : argv[1]);
    chosen.verb = &verbs[chosen.act];
    while ((key = cmd_options_next(chosen.verb, argc - 1, argv + 1, &first, &value)) !=
           CMD_OPTION_END) {
        if (key == CMD_OPTION_HELP)
            return CMD_DONE;
        if (key == CMD_OPTION_WRONG || !option_take(&chosen, key, value))
            return CMD_WRONG_USE;
    }
    if (!arguments_take(&chosen, argc - 1 - first, argv + 1 + first))
        return CMD_WRONG_USE;
    return match_act(&chosen);
}
