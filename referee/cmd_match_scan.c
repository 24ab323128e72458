/* referee/cmd_match_scan.c: what a match is, from its journal; and the journal's seal. */
#include "referee/cmd_match_scan.h"

#include "calib/file.h"
#include "referee/cmd_match_files.h"
#include "referee/digest.h"
#include "referee/record_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEAL_FORMAT "tableref-seal/1"
#define SMALL_MAX ((size_t)64 << 10)

struct scanning {
    struct match_scan *out;
    bool rewritten; /* a person changed the past: only judging it again says how it stands */
};

/* ---- the scan ---- */

static void players_take(struct match_scan *out, const json_t *event)
{
    const json_t *players = json_object_get(event, "players");

    out->players = 0;
    for (size_t i = 0; i < json_array_size(players) && i < PLAYERS_MAX; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(players, i), "name"));
        snprintf(out->player[out->players++], PLAYER_NAME_MAX, "%s", name ? name : "");
    }
}

static enum phase phase_find(const char *word, enum phase otherwise)
{
    for (int p = PHASE_NONE; word && p <= PHASE_ABANDONED; p++)
        if (strcmp(word, referee_phase_name((enum phase)p)) == 0)
            return (enum phase)p;
    return otherwise;
}

/* Is `word` in the first bytes of the body, where a line's kind stands? */
static bool begins_with(const struct journal_line *line, const char *word)
{
    char head[129];
    size_t length = line->length < sizeof head - 1 ? line->length : sizeof head - 1;

    memcpy(head, line->body, length);
    head[length] = 0;
    return strstr(head, word) != NULL;
}

static void line_take(struct scanning *scanning, const struct journal_line *line)
{
    struct match_scan *out = scanning->out;
    json_t *body = json_loadb(line->body, line->length, 0, NULL);

    if (line->kind == JOURNAL_DECISION)
        out->phase = phase_find(json_string_value(json_object_get(body, "phase")), out->phase);
    else
        players_take(out, body);
    json_decref(body);
}

static int line_scan(void *context, const struct journal_line *line)
{
    struct scanning *scanning = context;

    scanning->out->lines = line->number;
    switch (line->kind) {
    case JOURNAL_HEADER:
        return referee_header_parse(line->body, line->length, &scanning->out->header, NULL) == 0
                   ? 0
                   : REFEREE_E_SYNTAX;
    case JOURNAL_EVENT:
        if (begins_with(line, "\"event\":\"setup\""))
            line_take(scanning, line);
        return 0;
    case JOURNAL_DECISION:
        if (begins_with(line, "\"decision\":\"phase\""))
            line_take(scanning, line);
        return 0;
    case JOURNAL_UNDO:
    case JOURNAL_REDO:
    case JOURNAL_OVERRULE:
        scanning->rewritten = true;
        return 0;
    default:
        return 0;
    }
}

static int phase_judge(const char *journal, struct match_scan *out, struct calib_fault *fault)
{
    struct record *record = NULL;
    int error = referee_record_read(journal, NULL, &record, fault);

    if (error == REFEREE_OK)
        out->phase = referee_record_state(record)->phase;
    referee_record_close(&record);
    return error;
}

static void torn_note(void *context, const struct calib_fault *fault)
{
    struct match_scan *out = context;

    (void)fault;
    out->torn = true;
}

int cmd_match_scan(const char *journal, struct match_scan *out, struct calib_fault *fault)
{
    struct scanning scanning = {.out = out};
    const struct calib_sink sink = {.warn = torn_note, .context = out};

    memset(out, 0, sizeof *out);
    memset(fault, 0, sizeof *fault);
    int error = referee_journal_read(journal, line_scan, &scanning, &sink, out->head, fault);
    if (error == REFEREE_OK && out->lines == 0)
        error = REFEREE_E_SYNTAX;
    if (error == REFEREE_OK && scanning.rewritten)
        error = phase_judge(journal, out, fault);
    return error;
}

/* ---- the seal ---- */

static char *small_read(const char *path, size_t *length)
{
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rbe") : NULL;
    char *bytes = file ? malloc(SMALL_MAX + 1) : NULL;

    if (bytes)
        *length = fread(bytes, 1, SMALL_MAX + 1, file);
    if (file)
        fclose(file);
    if (bytes && *length > SMALL_MAX) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

void cmd_match_about_digest(const char *folder, char out[DIGEST_TEXT_MAX])
{
    char path[PATH_MAX + 16];
    size_t length = 0;

    snprintf(path, sizeof path, "%s/match.json", folder);
    char *bytes = small_read(path, &length);
    out[0] = 0;
    if (bytes)
        referee_digest(bytes, length, out);
    free(bytes);
}

/* Reads on to the end of line `lines`; its digest in `head`. The bytes up to there, or -1. */
static int64_t lines_measure(const char *journal, long lines, char head[DIGEST_TEXT_MAX])
{
    FILE *file = fopen(journal, "rbe");
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    int64_t bytes = 0;

    head[0] = 0;
    for (long i = 0; file && i < lines && (length = getline(&line, &room, file)) > 0; i++)
        bytes += length;
    bool well = file && lines > 0 && length > 0 && line[length - 1] == '\n';
    if (well)
        referee_digest(line, (size_t)length - 1, head);
    free(line);
    if (file)
        fclose(file);
    return well ? bytes : -1;
}

static bool folder_of(const char *journal, char out[PATH_MAX])
{
    static const char name[] = "/" MATCH_JOURNAL;
    size_t length = strlen(journal), tail = sizeof name - 1;

    if (length <= tail || length - tail >= PATH_MAX - 32 ||
        strcmp(journal + length - tail, name) != 0)
        return false;
    memcpy(out, journal, length - tail);
    out[length - tail] = 0;
    return true;
}

bool cmd_match_seal(const char *journal)
{
    char folder[PATH_MAX], path[PATH_MAX + 16], about[DIGEST_TEXT_MAX], head[DIGEST_TEXT_MAX];
    struct calib_fault fault;
    struct match_scan scan;

    if (!folder_of(journal, folder) || cmd_match_scan(journal, &scan, &fault) != REFEREE_OK)
        return false;
    scan.bytes = lines_measure(journal, scan.lines, head);
    cmd_match_about_digest(folder, about);
    bool over = scan.phase == PHASE_OVER || scan.phase == PHASE_ABANDONED;
    json_t *seal = json_pack("{s:s,s:I,s:I,s:s,s:s?,s:b}", "format", SEAL_FORMAT, "bytes",
                             (json_int_t)scan.bytes, "lines", (json_int_t)scan.lines, "head",
                             scan.head, "about", about[0] ? about : NULL, "over", over);
    char *text = seal ? json_dumps(seal, JSON_COMPACT) : NULL;
    snprintf(path, sizeof path, "%s/" MATCH_SEAL, folder);
    bool well = text && scan.bytes > 0 && calib_file_put(path, text, strlen(text), 0644, true) == 0;
    free(text);
    json_decref(seal);
    return well;
}

static bool digest_take(const json_t *value, char out[DIGEST_TEXT_MAX])
{
    const char *text = json_string_value(value);

    if (!text || strlen(text) != DIGEST_TEXT_MAX - 1)
        return false;
    memcpy(out, text, DIGEST_TEXT_MAX);
    return true;
}

static bool seal_take(json_t *seal, struct match_seal *out)
{
    json_int_t bytes = 0, lines = 0;
    const char *format = NULL;
    json_t *head = NULL, *about = NULL;
    int over = 0;

    if (json_unpack_ex(seal, NULL, JSON_STRICT, "{s:s,s:I,s:I,s:o,s:o,s:b}", "format", &format,
                       "bytes", &bytes, "lines", &lines, "head", &head, "about", &about, "over",
                       &over) != 0 ||
        strcmp(format, SEAL_FORMAT) != 0 || lines <= 0 || lines > LONG_MAX)
        return false;
    out->bytes = bytes;
    out->lines = (long)lines;
    out->over = over;
    return digest_take(head, out->head) && (json_is_null(about) || digest_take(about, out->about));
}

int cmd_match_seal_read(const char *folder, struct match_seal *out)
{
    char path[PATH_MAX + 16];
    size_t length = 0;

    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "%s/" MATCH_SEAL, folder);
    char *text = small_read(path, &length);
    if (!text)
        return access(path, F_OK) == 0 ? -1 : 0;
    json_t *seal = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    bool well = seal && seal_take(seal, out);
    json_decref(seal);
    free(text);
    return well ? 1 : -1;
}

bool cmd_match_seal_fits(const char *folder, const struct match_seal *seal)
{
    char path[PATH_MAX + 16], head[DIGEST_TEXT_MAX];

    snprintf(path, sizeof path, "%s/" MATCH_JOURNAL, folder);
    return lines_measure(path, seal->lines, head) == seal->bytes && strcmp(head, seal->head) == 0;
}
