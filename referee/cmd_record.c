/* referee/cmd_record.c: what the verbs on matches share. */
#include "referee/cmd_record.h"

#include "calib/kit.h"
#include "referee/digest.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

bool cmd_journal_path(const char *match, char *path, size_t size)
{
    struct stat info;
    bool folder = stat(match, &info) == 0 && S_ISDIR(info.st_mode);
    int length = snprintf(path, size, "%s%s", match, folder ? "/journal.jsonl" : "");

    if (length >= 0 && (size_t)length < size)
        return true;
    cmd_error("%s: the path is too long", match);
    return false;
}

static void notice_print(void *context, const struct calib_fault *fault)
{
    (void)context;
    cmd_error("%s:%d: notice: %s", fault->file, fault->line, fault->text);
}

struct calib_sink cmd_record_sink(void)
{
    return (struct calib_sink){.warn = notice_print};
}

void cmd_record_fault(const char *where, int error, const struct calib_fault *fault)
{
    const char *file = fault->file[0] ? fault->file : where;
    const char *text = fault->text[0] ? fault->text : referee_strerror(error);

    if (fault->line > 0)
        cmd_error("%s:%d: %s", file, fault->line, text);
    else
        cmd_error("%s: %s", file, text);
}

bool cmd_output_arrived(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    cmd_error("standard output: cannot write: %s; what was printed is not complete",
              strerror(errno ? errno : EIO));
    return false;
}

bool cmd_setup_deck(struct event *event, struct deck **deck, struct calib_fault *fault)
{
    struct event_setup *setup = &event->setup;
    struct calib_fault inner = {.line = 0};
    char *bytes = NULL;
    size_t length = 0;

    *deck = NULL;
    if (setup->cards || setup->deck[0] == 0 || setup->game == GAME_MAKE5)
        return true;
    int error = calib_kit_read("decks", setup->deck, &bytes, &length, &inner);
    if (error == CALIB_OK)
        error = calib_deck_parse(bytes, length, setup->deck, NULL, deck, &inner);
    if (error == CALIB_OK) {
        referee_digest(bytes, length, setup->digest);
        setup->cards = (*deck)->card;
        setup->card_count = (*deck)->cards;
    } else {
        memset(fault, 0, sizeof *fault);
        snprintf(fault->text, sizeof fault->text, "deck %.60s: %.170s", setup->deck,
                 inner.text[0] ? inner.text : calib_strerror(error));
    }
    free(bytes);
    return error == CALIB_OK;
}

/* What a match is called when nobody says: its folder, or its journal's name. Bytes that the record
 * could not hold (control characters, what is no UTF-8) become question marks. */
static void match_name(const char *path, char *out, size_t size)
{
    size_t length = strlen(path), start;
    json_t *text;

    if (length > 14 && strcmp(path + length - 14, "/journal.jsonl") == 0)
        length -= 14;
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (start = length; start > 0 && path[start - 1] != '/';)
        start--;
    length -= start;
    if (length >= size)
        for (length = size - 1; length > 0 && ((unsigned char)path[start + length] & 0xc0) == 0x80;)
            length--;
    memcpy(out, path + start, length);
    out[length] = 0;
    bool utf8 = (text = json_stringn(out, length)) != NULL;
    json_decref(text);
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f || (!utf8 && (unsigned char)*c >= 0x80))
            *c = '?';
}

void cmd_record_header(const char *path, struct record_header *out)
{
    time_t now = time(NULL);
    struct tm parts;

    memset(out, 0, sizeof *out);
    match_name(path, out->match, sizeof out->match);
    snprintf(out->program, sizeof out->program, "%s", TABLEREF_VERSION);
    if (gmtime_r(&now, &parts))
        strftime(out->made, sizeof out->made, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

bool cmd_results_format(const struct cmd_verb *verb, const char *word, enum results_format *out)
{
    static const char *const words[] = {
        [RESULTS_TEXT] = "text", [RESULTS_JSON] = "json", [RESULTS_CSV] = "csv"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (enum results_format)i;
            return true;
        }
    cmd_error("%s: --format %s: text, json or csv is needed", verb->name, word);
    return false;
}
