/* Any bytes as a match's journal, and as a line that may be an act: refused with words, or taken;
 * and the state that a journal leads to must be a valid one. */
#define _GNU_SOURCE /* memfd_create */
#include "referee/digest.h"
#include "referee/record.h"
#include "referee/record_json.h"
#include "tests/fuzz/fuzz_kit.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_act(const char *text, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    enum journal_kind kind;
    struct record_act act;

    int result = referee_act_line_parse(text, size, &kind, &act, &fault);
    if (result < 0)
        fuzz_fault_check(NULL, &fault);
    if (result > 0)
        check(act.event > 0 && referee_journal_kind_name(kind) != NULL);
}

static void check_record(const char *path)
{
    struct calib_fault fault = {.line = 0};
    struct record *record;

    int error = referee_record_read(path, &fuzz_sink, &record, &fault);
    check((error == 0) == (record != NULL));
    if (error == 0)
        check(referee_state_check(referee_record_state(record)) == NULL);
    else if (error != REFEREE_E_MEMORY)
        fuzz_fault_check(NULL, &fault);
    referee_record_close(&record);
}

static void file_put(int file, const void *bytes, size_t size)
{
    check(write(file, bytes, size) == (ssize_t)size);
}

/* Lines of a letter for the kind ("a" for the first) and a body, put into a sound chain: else every
 * change would only be a broken one. */
static void file_chain(int file, const char *at, size_t left)
{
    char head[DIGEST_TEXT_MAX] = "";

    memset(head, '0', DIGEST_TEXT_MAX - 1);
    while (left > 0) {
        const char *end = memchr(at, '\n', left);
        size_t length = end ? (size_t)(end - at) : left;
        const char *kind =
            length > 1 ? referee_journal_kind_name((enum journal_kind)(at[0] - 'a')) : NULL;
        char *line = malloc(length + 200);
        check(line != NULL);
        if (kind) {
            int front = sprintf(line, "{\"prev\":\"%s\",\"kind\":\"%s\",\"body\":", head, kind);
            memcpy(line + front, at + 1, length - 1);
            size_t all = (size_t)front + length - 1;
            line[all++] = '}';
            referee_digest(line, all, head);
            line[all++] = '\n';
            file_put(file, line, all);
        }
        free(line);
        at += length + (end ? 1 : 0);
        left -= length + (end ? 1 : 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    char path[64];

    check_act(text, size);
    int file = memfd_create("journal", 0);
    check(file >= 0);
    if (size > 0 && text[0] == 'a')
        file_chain(file, text, size);
    else
        file_put(file, data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    check_record(path);
    close(file);
    return 0;
}
