/* referee/journal_read.c: reading a journal: whole lines, in their chain. */
#include "referee/journal_read.h"

#include "referee/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_STEP ((size_t)1 << 16)

static const char *const kind_names[JOURNAL_KINDS] = {
    [JOURNAL_HEADER] = "header",     [JOURNAL_EVENT] = "event",     [JOURNAL_DECISION] = "decision",
    [JOURNAL_VOID] = "void",         [JOURNAL_UNDO] = "undo",       [JOURNAL_REDO] = "redo",
    [JOURNAL_OVERRULE] = "overrule", [JOURNAL_RESTART] = "restart",
};

const char *referee_journal_kind_name(enum journal_kind kind)
{
    return (unsigned)kind < JOURNAL_KINDS ? kind_names[kind] : NULL;
}

int referee_journal_fault(struct calib_fault *fault, const char *path, long line, int error,
                          const char *format, ...)
{
    va_list arguments;

    if (!fault)
        return error;
    memset(fault, 0, sizeof *fault);
    snprintf(fault->file, sizeof fault->file, "%s", path);
    fault->line = (int)line;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return error;
}

void referee_journal_tell_torn(const struct calib_sink *sink, const char *path,
                               const struct journal_end *end)
{
    struct calib_fault notice;

    if (end->torn == 0 || !sink || !sink->warn)
        return;
    referee_journal_fault(&notice, path, end->lines + 1, 0,
                          "the last line was torn while it was written (%lld bytes); it never "
                          "counted and is dropped",
                          (long long)end->torn);
    sink->warn(sink->context, &notice);
}

/* Bytes read and not yet visited. */
struct reader {
    int file;
    const char *path;
    char *bytes;
    size_t length, room;
    bool ended;
    struct journal_end *end;
    struct calib_fault *fault;
};

static int reader_fill(struct reader *reader)
{
    if (reader->room - reader->length < READ_STEP) {
        size_t room = 2 * reader->room + READ_STEP;
        char *grown = realloc(reader->bytes, room);
        if (!grown)
            return referee_journal_fault(reader->fault, reader->path, 0, REFEREE_E_MEMORY,
                                         "out of memory");
        reader->bytes = grown;
        reader->room = room;
    }
    ssize_t got;
    do
        got = read(reader->file, reader->bytes + reader->length, READ_STEP);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return referee_journal_fault(reader->fault, reader->path, 0, REFEREE_E_OPEN, "%s",
                                     strerror(errno));
    reader->length += (size_t)got;
    reader->ended = got == 0;
    return REFEREE_OK;
}

/* Takes `text` off the front of the line; false when the line begins otherwise. */
static bool line_take(const char **at, size_t *left, const char *text)
{
    size_t length = strlen(text);

    if (*left < length || memcmp(*at, text, length) != 0)
        return false;
    *at += length;
    *left -= length;
    return true;
}

static bool line_take_kind(const char **at, size_t *left, enum journal_kind *kind)
{
    for (unsigned k = 0; k < JOURNAL_KINDS; k++)
        if (line_take(at, left, kind_names[k])) {
            *kind = (enum journal_kind)k;
            return true;
        }
    return false;
}

/* JSON escapes control characters: one that stands there bare is damage. */
static bool line_printable(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < 0x20)
            return false;
    return true;
}

/* The line's parts, for which its form leaves no choice. */
static int line_parse(const char *line, size_t length, const char *head, struct journal_line *out)
{
    const char *at = line;
    size_t left = length;

    if (!line_printable(line, length) || !line_take(&at, &left, "{\"prev\":\"") ||
        left < DIGEST_TEXT_MAX)
        return REFEREE_E_SYNTAX;
    const char *prev = at;
    at += DIGEST_TEXT_MAX - 1;
    left -= DIGEST_TEXT_MAX - 1;
    if (!line_take(&at, &left, "\",\"kind\":\"") || !line_take_kind(&at, &left, &out->kind) ||
        !line_take(&at, &left, "\",\"body\":{") || left < 2 || at[left - 1] != '}' ||
        at[left - 2] != '}')
        return REFEREE_E_SYNTAX;
    if (memcmp(prev, head, DIGEST_TEXT_MAX - 1) != 0)
        return REFEREE_E_CHAIN;
    out->body = at - 1;
    out->length = left;
    return REFEREE_OK;
}

static int line_visit(struct reader *reader, const char *line, size_t length, journal_visit visit,
                      void *context)
{
    struct journal_line parsed = {.number = reader->end->lines + 1};
    int error = line_parse(line, length, reader->end->head, &parsed);

    if (error == REFEREE_OK && (parsed.kind == JOURNAL_HEADER) != (parsed.number == 1))
        error = REFEREE_E_SYNTAX;
    if (error == REFEREE_E_CHAIN)
        return referee_journal_fault(
            reader->fault, reader->path, parsed.number, error,
            "the chain is broken here: this line or the one before it was changed, lost or added; "
            "what stands before it is sound");
    if (error != REFEREE_OK)
        return referee_journal_fault(reader->fault, reader->path, parsed.number, error,
                                     "this is no line of a journal");
    if (visit && (error = visit(context, &parsed)) < 0)
        return error;
    referee_digest(line, length, reader->end->head);
    reader->end->lines++;
    reader->end->good += (off_t)length + 1;
    return REFEREE_OK;
}

/* Visits all whole lines that were read, and keeps the rest. */
static int reader_drain(struct reader *reader, size_t searched, journal_visit visit, void *context)
{
    size_t start = 0;

    if (reader->length == 0)
        return REFEREE_OK;
    for (;;) {
        size_t from = searched > start ? searched : start;
        if (from >= reader->length)
            break;
        char *newline = memchr(reader->bytes + from, '\n', reader->length - from);
        if (!newline)
            break;
        size_t length = (size_t)(newline - (reader->bytes + start));
        int error = line_visit(reader, reader->bytes + start, length, visit, context);
        if (error < 0)
            return error;
        start += length + 1;
    }
    memmove(reader->bytes, reader->bytes + start, reader->length - start);
    reader->length -= start;
    if (reader->length > JOURNAL_LINE_MAX)
        return referee_journal_fault(reader->fault, reader->path, reader->end->lines + 1,
                                     REFEREE_E_SYNTAX, "a line longer than %zu bytes",
                                     JOURNAL_LINE_MAX);
    return REFEREE_OK;
}

int referee_journal_scan(int file, const char *path, journal_visit visit, void *context,
                         struct journal_end *end, struct calib_fault *fault)
{
    struct reader reader = {.file = file, .path = path, .end = end, .fault = fault};
    int error = REFEREE_OK;

    *end = (struct journal_end){.head = JOURNAL_FIRST};
    while (error == REFEREE_OK && !reader.ended) {
        size_t searched = reader.length;
        error = reader_fill(&reader);
        if (error == REFEREE_OK)
            error = reader_drain(&reader, searched, visit, context);
    }
    end->torn = (off_t)reader.length;
    free(reader.bytes);
    return error;
}

int referee_journal_read(const char *path, journal_visit visit, void *context,
                         const struct calib_sink *sink, char head[DIGEST_TEXT_MAX],
                         struct calib_fault *fault)
{
    struct journal_end end;
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe would wait for a writer */

    if (file < 0)
        return referee_journal_fault(fault, path, 0, REFEREE_E_OPEN, "%s", strerror(errno));
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        return referee_journal_fault(fault, path, 0, REFEREE_E_OPEN, "not an ordinary file");
    }
    int error = referee_journal_scan(file, path, visit, context, &end, fault);
    close(file);
    if (error == REFEREE_OK)
        referee_journal_tell_torn(sink, path, &end);
    if (head)
        memcpy(head, end.head, sizeof end.head);
    return error;
}
