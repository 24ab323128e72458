/* referee/cmd_match_verify.c: `tableref match verify`. */
#include "referee/cmd_match_verify.h"

#include "capture/playback.h"
#include "referee/cmd_folder.h"
#include "referee/cmd_record.h"
#include "referee/digest.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A picture, or a file of the kit. */
#define FILE_MAX_BYTES ((size_t)64 << 20)
/* The attachments lie behind a video's head; the kit's files are a few kilobytes each. */
#define HEAD_BYTES ((size_t)8 << 20)

struct check {
    const char *folder;
    bool wrong, failed;
    struct record_header header;
    int last_segment;
};

static void part_print(struct check *check, const char *part, const char *state, const char *text)
{
    json_t *line = json_pack("{s:s,s:s,s:s*}", "part", part, "state", state, "text", text);
    char *json = line ? json_dumps(line, JSON_COMPACT) : NULL;

    check->wrong = check->wrong || (strcmp(state, "sound") != 0 && strcmp(state, "absent") != 0 &&
                                    strcmp(state, "torn") != 0);
    check->failed = check->failed || !json;
    if (json)
        printf("%s\n", json);
    free(json);
    json_decref(line);
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

static struct record *journal_check(struct check *check, const char *journal)
{
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    char text[PATH_MAX + 300];
    int error = referee_record_read(journal, NULL, &record, &fault);

    if (error != REFEREE_OK) {
        snprintf(text, sizeof text, "line %d: %s", fault.line,
                 fault.text[0] ? fault.text : referee_strerror(error));
        part_print(check, "journal.jsonl", "changed", text);
        return NULL;
    }
    check->header = *referee_record_header(record);
    snprintf(text, sizeof text, "%llu events, every decision comes out of them; head %s",
             (unsigned long long)referee_history_last(referee_record_history(record)),
             referee_record_head(record));
    part_print(check, "journal.jsonl", "sound", text);
    return record;
}

static void kit_check(struct check *check, int file, const char *digest)
{
    char now[DIGEST_TEXT_MAX];
    size_t length = 0;
    char *bytes = bytes_read(check, cmd_folder_file(file), FILE_MAX_BYTES, false, &length);

    if (!bytes) {
        part_print(check, cmd_folder_file(file), digest[0] ? "missing" : "absent", NULL);
        return;
    }
    referee_digest(bytes, length, now);
    free(bytes);
    if (!digest[0])
        part_print(check, cmd_folder_file(file), "changed", "the journal knows of no such file");
    else
        part_print(check, cmd_folder_file(file), strcmp(now, digest) == 0 ? "sound" : "changed",
                   NULL);
}

static void kits_check(struct check *check)
{
    struct cmd_folder_about about;

    kit_check(check, FOLDER_SET, check->header.set);
    kit_check(check, FOLDER_MAT, check->header.mat);
    kit_check(check, FOLDER_DECK, check->header.deck);
    kit_check(check, FOLDER_RIG, check->header.rig);
    part_print(check, "match.json",
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
    part_print(check, part, "changed", text);
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
        part_print(check, "frames.idx", "absent", fault.text);
        return;
    }
    while ((got = capture_playback_next(playback, &item, &fault)) == CAPTURE_PICTURE) {
        if (item.line.kind == FRAME_LINE_FRAME)
            frame_check(check, &item, counts);
        lost += item.line.kind == FRAME_LINE_LOST ? item.line.lost : 0;
    }
    if (got != CAPTURE_END)
        part_print(check, "frames.idx", "changed", fault.text);
    else
        part_print(check, "frames.idx", capture_playback_torn(playback) ? "torn" : "sound",
                   capture_playback_torn(playback) ? "its last line breaks off: a process died"
                                                   : NULL);
    snprintf(text, sizeof text, "%llu sound, %llu changed, %llu missing; %llu were not kept",
             (unsigned long long)counts[PLAYBACK_SOUND],
             (unsigned long long)counts[PLAYBACK_CHANGED],
             (unsigned long long)counts[PLAYBACK_MISSING], (unsigned long long)lost);
    part_print(check, "pictures",
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
            part_print(check, name, "missing", NULL);
            continue;
        }
        for (int file = 0; file < FOLDER_FILES; file++) {
            char *kit =
                bytes_read(check, cmd_folder_file(file), FILE_MAX_BYTES, false, &kit_length);
            if (kit && !bytes_hold(head, length, kit, kit_length)) {
                snprintf(text, sizeof text, "the attachment is not %s", cmd_folder_file(file));
                part_print(check, name, "changed", text);
            }
            free(kit);
        }
        free(head);
    }
}

/* ---- evidence ---- */

static int decision_check(void *context, const struct event *event,
                          const struct decisions *decisions, const struct match_state *after)
{
    struct check *check = context;
    char name[64], now[DIGEST_TEXT_MAX];
    size_t length = 0;

    (void)event;
    (void)after;
    for (int i = 0; i < decisions->count; i++) {
        const struct decision *decision = &decisions->item[i];
        if (decision->kind != DECISION_VERDICT || !decision->digest[0])
            continue;
        snprintf(name, sizeof name, "evidence/%06llu-seat%d.jpg",
                 (unsigned long long)decision->frame, decision->seat);
        char *bytes = bytes_read(check, name, FILE_MAX_BYTES, false, &length);
        if (bytes)
            referee_digest(bytes, length, now);
        part_print(check, name,
                   !bytes                               ? "missing"
                   : strcmp(now, decision->digest) == 0 ? "sound"
                                                        : "changed",
                   NULL);
        free(bytes);
    }
    return 0;
}

int cmd_match_verify(const char *folder, const char *journal)
{
    struct check check = {.folder = folder};
    struct record *record = journal_check(&check, journal);

    if (record) {
        kits_check(&check);
        if (referee_history_replay(referee_record_history(record), decision_check, &check) < 0)
            check.failed = true;
    }
    pictures_check(&check);
    attachments_check(&check);
    referee_record_close(&record);
    if (check.failed)
        cmd_error("out of memory");
    return cmd_finish(check.wrong || check.failed ? CMD_UNUSABLE : CMD_DONE);
}
