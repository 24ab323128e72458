/* tests/unit/record_scene.h: a folder with a journal in it, and what its record says, for the tests
 * of records. */
#ifndef TESTS_UNIT_RECORD_SCENE_H
#define TESTS_UNIT_RECORD_SCENE_H

#include "tests/unit/history_scene.h"

#include "referee/record.h"
#include "referee/record_json.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct scene {
    char folder[64], path[96], other[96];
    struct record_header header;
    struct record_output output;
    char *said; /* every body that was said, a line each */
    size_t said_length;
    int count, voids;
    bool check_disk; /* what is said must lie in the file */
};

static inline char *file_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    struct stat info;

    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &info), 0);
    char *bytes = malloc((size_t)info.st_size + 1);
    assert_non_null(bytes);
    *length = fread(bytes, 1, (size_t)info.st_size, file);
    bytes[*length] = 0;
    fclose(file);
    return bytes;
}

static inline void file_put(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline void note_said(void *context, enum journal_kind kind, const struct decision *decision,
                             const char *body, size_t length, const struct match_state *after)
{
    struct scene *s = context;

    assert_non_null(after);
    assert_int_equal(decision == NULL, kind == JOURNAL_VOID);
    if (s->check_disk) {
        size_t all;
        char *bytes = file_bytes(s->path, &all);
        char *line = malloc(length + 3);
        assert_non_null(line);
        snprintf(line, length + 3, "%.*s}\n", (int)length, body);
        assert_non_null(strstr(bytes, line));
        free(line);
        free(bytes);
    }
    s->said = realloc(s->said, s->said_length + length + 2);
    assert_non_null(s->said);
    memcpy(s->said + s->said_length, body, length);
    s->said_length += length + 1;
    s->said[s->said_length - 1] = '\n';
    s->said[s->said_length] = 0;
    s->count++;
    s->voids += kind == JOURNAL_VOID;
}

static inline void said_clear(struct scene *s)
{
    free(s->said);
    s->said = NULL;
    s->said_length = 0;
    s->count = s->voids = 0;
}

static inline int scene_open(void **state)
{
    struct scene *s = calloc(1, sizeof *s);

    if (!s)
        return -1;
    snprintf(s->folder, sizeof s->folder, "/tmp/test_record.XXXXXX");
    if (!mkdtemp(s->folder))
        return -1;
    snprintf(s->path, sizeof s->path, "%s/journal.jsonl", s->folder);
    snprintf(s->other, sizeof s->other, "%s/other.jsonl", s->folder);
    snprintf(s->header.match, sizeof s->header.match, "final");
    snprintf(s->header.made, sizeof s->header.made, "2026-11-30T18:05:09Z");
    s->output = (struct record_output){.say = note_said, .context = s};
    signal(SIGXFSZ, SIG_IGN);
    *state = s;
    return 0;
}

static inline int scene_close(void **state)
{
    struct scene *s = *state;

    unlink(s->path);
    unlink(s->other);
    rmdir(s->folder);
    free(s->said);
    free(s);
    return 0;
}

static inline struct record *record_at(struct scene *s, const char *path)
{
    struct record *record = NULL;
    struct calib_fault fault = {.line = 0};

    int error = referee_record_open(path, &s->header, &s->output, NULL, &record, &fault);
    assert_string_equal(fault.text, "");
    assert_int_equal(error, REFEREE_OK);
    return record;
}

static inline int put(struct record *record, const char *text, uint64_t seq)
{
    struct referee_cards *cards;
    struct event event;
    struct calib_fault fault;

    scene_event(text, seq, &event, &cards);
    int error = referee_record_event(record, &event, &fault);
    referee_cards_destroy(&cards);
    return error;
}

static inline struct record *quick_record(struct scene *s)
{
    struct record *record = record_at(s, s->path);

    for (size_t i = 0; i < QUICK_EVENTS; i++)
        assert_int_equal(put(record, quick_match[i], 0), REFEREE_OK);
    return record;
}

/* The error of reading a journal, and the line that is named. */
static inline int read_error(const char *path, int *line)
{
    struct record *record = NULL;
    struct calib_fault fault = {.line = 0};

    int error = referee_record_read(path, NULL, &record, &fault);
    *line = fault.line;
    assert_int_equal(error == REFEREE_OK, record != NULL);
    if (error != REFEREE_OK)
        assert_true(fault.text[0] != 0);
    referee_record_close(&record);
    return error;
}

static inline int undo(struct record *record, uint64_t event, bool undone)
{
    const struct record_act act = {.event = event, .by = "desk", .why = "wrong table"};
    struct calib_fault fault;

    return referee_record_undo(record, &act, undone, &fault);
}

static inline int overrule(struct record *record, uint64_t event, enum ruling ruling)
{
    const struct record_act act = {.event = event, .ruling = ruling, .by = "desk"};
    struct calib_fault fault;

    return referee_record_overrule(record, &act, &fault);
}

#endif
