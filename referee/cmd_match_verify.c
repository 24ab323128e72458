/* referee/cmd_match_verify.c: `tableref match verify`. */
#include "referee/cmd_match_verify.h"

#include "capture/playback.h"
#include "referee/cmd_folder.h"
#include "referee/cmd_match_case.h"
#include "referee/cmd_match_files.h"
#include "referee/cmd_match_scan.h"
#include "referee/cmd_record.h"
#include "referee/digest.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A picture, or a file of the kit. */
#define FILE_MAX_BYTES ((size_t)64 << 20)
/* The attachments lie behind a video's head; the kit's files are a few kilobytes each. */
#define HEAD_BYTES ((size_t)8 << 20)

struct check {
    const char *folder;
    cmd_match_part *say;
    void *context;
    bool wrong, failed;
    bool recorded; /* rulings rest on pictures that were kept */
    struct record_header header;
    int last_segment;
    long rulings, by_recording, by_nothing;
};

static void part_say(struct check *check, const char *part, const char *state, const char *text)
{
    check->wrong = check->wrong || (strcmp(state, "sound") != 0 && strcmp(state, "absent") != 0 &&
                                    strcmp(state, "torn") != 0);
    check->say(check->context, part, state, text);
}

/* Up to `most` bytes of a file. NULL when it is not there (or larger, unless `cut`). */
static char *bytes_read(const struct check *check, const char *name, size_t most, bool cut,
                        size_t *length)
{
    char path[PATH_MAX];
    struct stat about;

    if (snprintf(path, sizeof path, "%s/%s", check->folder, name) >= PATH_MAX)
        return NULL;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rbe") : NULL;
    if (!file)
        return NULL;
    size_t size = (size_t)about.st_size;
    char *bytes = size <= most || cut ? malloc((size < most ? size : most) + 1) : NULL;
    if (bytes)
        *length = fread(bytes, 1, size < most ? size : most, file);
    fclose(file);
    return bytes;
}

/* ---- journal, kit ---- */

static void torn_note(void *context, const struct calib_fault *fault)
{
    (void)fault;
    *(bool *)context = true;
}

static struct record *journal_check(struct check *check)
{
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    char path[PATH_MAX + 16], text[PATH_MAX + 300];
    bool torn = false;
    const struct calib_sink sink = {.warn = torn_note, .context = &torn};

    snprintf(path, sizeof path, "%s/" MATCH_JOURNAL, check->folder);
    int error = referee_record_read(path, &sink, &record, &fault);
    if (error != REFEREE_OK) {
        snprintf(text, sizeof text, fault.line > 0 ? "line %d: %s" : "%.0d%s", fault.line,
                 fault.text[0] ? fault.text : referee_strerror(error));
        part_say(check, MATCH_JOURNAL, access(path, F_OK) == 0 ? "changed" : "missing", text);
        return NULL;
    }
    check->header = *referee_record_header(record);
    snprintf(text, sizeof text, "%s%llu events, every decision comes out of them; head %s",
             torn ? "its last line breaks off; before it: " : "",
             (unsigned long long)referee_history_last(referee_record_history(record)),
             referee_record_head(record));
    part_say(check, MATCH_JOURNAL, torn ? "torn" : "sound", text);
    return record;
}

/* The chain covers every line but its last one; that, and match.json, a seal covers. */
static void seal_check(struct check *check)
{
    char text[160], about[DIGEST_TEXT_MAX];
    struct match_seal seal;
    int got = cmd_match_seal_read(check->folder, &seal);

    cmd_match_about_digest(check->folder, about);
    if (got == 0) {
        part_say(check, MATCH_SEAL, "absent", "the match did not end in good order");
    } else if (got < 0) {
        part_say(check, MATCH_SEAL, "changed", "this is no seal");
    } else if (!cmd_match_seal_fits(check->folder, &seal)) {
        snprintf(text, sizeof text,
                 "its first %ld lines do not end as " MATCH_SEAL
                 " says: one of the two was changed",
                 seal.lines);
        part_say(check, MATCH_JOURNAL, "changed", text);
    } else {
        snprintf(text, sizeof text, "of %ld lines", seal.lines);
        part_say(check, MATCH_SEAL, "sound", text);
    }
    /* A run that was ended while it began was sealed before its eyes wrote match.json. */
    if (got == 1 && seal.about[0] && strcmp(about, seal.about) != 0)
        part_say(check, "match.json", about[0] ? "changed" : "missing",
                 "it is not as " MATCH_SEAL " says: one of the two was changed");
}

static void kit_check(struct check *check, int file, const char *digest)
{
    char now[DIGEST_TEXT_MAX];
    size_t length = 0;
    char *bytes = bytes_read(check, cmd_folder_file(file), FILE_MAX_BYTES, false, &length);

    if (!bytes) {
        part_say(check, cmd_folder_file(file), digest[0] ? "missing" : "absent", NULL);
        return;
    }
    referee_digest(bytes, length, now);
    free(bytes);
    if (!digest[0])
        part_say(check, cmd_folder_file(file), "changed", "the journal knows of no such file");
    else
        part_say(check, cmd_folder_file(file), strcmp(now, digest) == 0 ? "sound" : "changed",
                 NULL);
}

static void kits_check(struct check *check)
{
    struct cmd_folder_about about;

    kit_check(check, FOLDER_SET, check->header.set);
    kit_check(check, FOLDER_MAT, check->header.mat);
    kit_check(check, FOLDER_DECK, check->header.deck);
    kit_check(check, FOLDER_RIG, check->header.rig);
    part_say(check, "match.json",
             cmd_folder_about_read(check->folder, &about) ? "sound" : "changed", NULL);
}

/* ---- videos ---- */

static void frame_check(struct check *check, const struct playback_item *item, uint64_t counts[3])
{
    char part[64], text[96];

    counts[item->state]++;
    if (item->line.segment > check->last_segment)
        check->last_segment = item->line.segment;
    if (item->state != PLAYBACK_CHANGED)
        return;
    snprintf(part, sizeof part, "video-%04d.mkv", item->line.segment);
    snprintf(text, sizeof text, "picture %lld (frame %llu) is not what was kept",
             (long long)item->line.place, (unsigned long long)item->line.sequence);
    part_say(check, part, "changed", text);
}

/* A match of which pictures were kept has an index of them, unless it was removed on purpose. */
static void index_absent(struct check *check, const char *why)
{
    size_t length = 0;
    char *gone = bytes_read(check, MATCH_GONE, 64, false, &length), text[128];

    if (gone) {
        snprintf(text, sizeof text, "the video was removed on %.*s",
                 (int)strcspn(gone, "\n") < (int)length ? (int)strcspn(gone, "\n") : (int)length,
                 gone);
        part_say(check, "frames.idx", "absent", text);
    } else {
        part_say(check, "frames.idx", check->recorded ? "missing" : "absent", why);
    }
    free(gone);
}

/* Frames that are missing at the very end of a video were in memory when its process died. */
static void pictures_check(struct check *check)
{
    struct capture_fault fault = {.text = ""};
    struct playback *playback = NULL;
    struct playback_item item;
    uint64_t counts[3] = {0, 0, 0}, lost = 0;
    char text[160];
    int got;

    if (capture_playback_open(check->folder, &playback, &fault) != CAPTURE_OK) {
        index_absent(check, fault.text);
        return;
    }
    while ((got = capture_playback_next(playback, &item, &fault)) == CAPTURE_PICTURE) {
        if (item.line.kind == FRAME_LINE_FRAME)
            frame_check(check, &item, counts);
        lost += item.line.kind == FRAME_LINE_LOST ? item.line.lost : 0;
    }
    if (got != CAPTURE_END)
        part_say(check, "frames.idx", "changed", fault.text);
    else
        part_say(check, "frames.idx", capture_playback_torn(playback) ? "torn" : "sound",
                 capture_playback_torn(playback) ? "its last line breaks off: a process died"
                                                 : NULL);
    snprintf(text, sizeof text, "%llu sound, %llu changed, %llu missing; %llu were not kept",
             (unsigned long long)counts[PLAYBACK_SOUND],
             (unsigned long long)counts[PLAYBACK_CHANGED],
             (unsigned long long)counts[PLAYBACK_MISSING], (unsigned long long)lost);
    part_say(check, "pictures",
             counts[PLAYBACK_CHANGED]   ? "changed"
             : counts[PLAYBACK_MISSING] ? "torn"
                                        : "sound",
             text);
    capture_playback_close(&playback);
}

static bool bytes_hold(const char *bytes, size_t length, const char *part, size_t part_length)
{
    const char *at = bytes, *end = bytes + length;

    while (part_length > 0 && (size_t)(end - at) >= part_length) {
        at = memchr(at, part[0], (size_t)(end - at) - part_length + 1);
        if (!at || memcmp(at, part, part_length) == 0)
            return at != NULL;
        at++;
    }
    return part_length == 0;
}

/* Each video carries the kit's files as they are. */
static void attachments_check(struct check *check)
{
    char name[32], text[64];
    size_t length = 0, kit_length = 0;

    for (int segment = 1; segment <= check->last_segment; segment++) {
        snprintf(name, sizeof name, "video-%04d.mkv", segment);
        char *head = bytes_read(check, name, HEAD_BYTES, true, &length);
        if (!head) {
            part_say(check, name, "missing", NULL);
            continue;
        }
        for (int file = 0; file < FOLDER_FILES; file++) {
            char *kit =
                bytes_read(check, cmd_folder_file(file), FILE_MAX_BYTES, false, &kit_length);
            if (kit && !bytes_hold(head, length, kit, kit_length)) {
                snprintf(text, sizeof text, "the attachment is not %s", cmd_folder_file(file));
                part_say(check, name, "changed", text);
            }
            free(kit);
        }
        free(head);
    }
}

/* ---- evidence ---- */

/* A file that is lost is none of the match's losses while the recording has the very same bytes. */
static void evidence_check(struct check *check, const struct decision *decision)
{
    char name[64], now[DIGEST_TEXT_MAX] = "", text[160];
    size_t length = 0, recorded_length = 0;

    cmd_case_evidence(decision, name);
    char *bytes = bytes_read(check, name, FILE_MAX_BYTES, false, &length);
    if (bytes)
        referee_digest(bytes, length, now);
    check->rulings++;
    if (strcmp(now, decision->digest) == 0) {
        part_say(check, name, "sound", NULL);
        free(bytes);
        return;
    }
    uint8_t *recorded =
        cmd_case_recorded(check->folder, decision->frame, decision->digest, &recorded_length);
    check->by_recording += recorded != NULL;
    check->by_nothing += recorded == NULL;
    snprintf(text, sizeof text, "the ruling of event %llu: the recording %s",
             (unsigned long long)decision->cause,
             recorded ? "has that picture, so it can be shown all the same"
                      : "does not have that picture either: only the journal says what was read");
    part_say(check, name, bytes ? "changed" : "missing", text);
    free(recorded);
    free(bytes);
}

static int decision_check(void *context, const struct event *event,
                          const struct decisions *decisions, const struct match_state *after)
{
    struct check *check = context;

    (void)event;
    (void)after;
    for (int i = 0; i < decisions->count; i++)
        if (decisions->item[i].kind == DECISION_VERDICT && decisions->item[i].digest[0]) {
            check->recorded = true;
            evidence_check(check, &decisions->item[i]);
        }
    return 0;
}

/* What can still be shown, whatever was lost. */
static void rulings_say(struct check *check)
{
    char text[160];

    snprintf(
        text, sizeof text,
        "%ld rulings on pictures: %ld shown by their evidence, %ld by the recording alone, %ld "
        "by the journal alone",
        check->rulings, check->rulings - check->by_recording - check->by_nothing,
        check->by_recording, check->by_nothing);
    part_say(check, "rulings", check->by_nothing > 0 ? "changed" : "sound", text);
}

int cmd_match_check(const char *folder, cmd_match_part *say, void *context)
{
    struct check check = {.folder = folder, .say = say, .context = context};
    struct record *record = journal_check(&check);

    seal_check(&check);
    if (record) {
        kits_check(&check);
        if (referee_history_replay(referee_record_history(record), decision_check, &check) < 0)
            check.failed = true;
        rulings_say(&check);
    }
    pictures_check(&check);
    attachments_check(&check);
    referee_record_close(&record);
    return check.failed ? -1 : check.wrong;
}

/* ---- the verb ---- */

static void part_print(void *context, const char *part, const char *state, const char *text)
{
    bool *failed = context;
    json_t *line = json_pack("{s:s,s:s,s:s*}", "part", part, "state", state, "text", text);
    char *json = line ? json_dumps(line, JSON_COMPACT) : NULL;

    *failed = *failed || !json;
    if (json)
        printf("%s\n", json);
    free(json);
    json_decref(line);
}

int cmd_match_verify(const char *folder)
{
    bool failed = false;
    int wrong = cmd_match_check(folder, part_print, &failed);

    if (wrong < 0 || failed)
        cmd_error("out of memory");
    return cmd_finish(wrong != 0 || failed ? CMD_UNUSABLE : CMD_DONE);
}
