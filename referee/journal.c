/* referee/journal.c: writing a journal: whole batches or nothing. */
#include "referee/journal.h"

#include "referee/digest.h"
#include "referee/journal_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* {"prev":"<64>","kind":"<word>","body":} and a newline around a body. */
#define FRAME_MAX 128

/* What was committed without a sync is kept in memory up to this much, then synced unasked. */
#define UNSYNCED_MAX ((size_t)4 << 20)

/* The buffer holds, from its start: what was committed and not yet synced, then the batch. The
 * first part is kept because a failed sync leaves unknown what of it arrived: it is then written
 * again. */
struct journal {
    int file;
    char *path;
    off_t synced; /* bytes of the file that lie on the disk */
    bool longer;  /* the file may hold more than synced + written: cut it first */
    long lines;
    char head[DIGEST_TEXT_MAX];
    char *buffer;
    size_t committed, written, used, room; /* written <= committed <= used, but while it writes */
    long batch_lines;
    char batch_head[DIGEST_TEXT_MAX];
};

/* A new file's name lies on the disk only when its folder was synced. */
static int folder_sync(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;

    if (length >= sizeof folder)
        return -1;
    memcpy(folder, path, length);
    folder[length] = 0;
    int file = open(!slash ? "." : length ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int result = fsync(file);
    int number = errno;
    close(file);
    errno = number;
    return result;
}

static int file_open(struct journal *journal, struct calib_fault *fault)
{
    struct stat info;

    journal->file = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (journal->file < 0)
        return referee_journal_fault(fault, journal->path, 0, REFEREE_E_OPEN, "%s",
                                     strerror(errno));
    if (flock(journal->file, LOCK_EX | LOCK_NB) != 0)
        return referee_journal_fault(fault, journal->path, 0, REFEREE_E_LOCKED,
                                     "another process writes this journal; end it first");
    if (fstat(journal->file, &info) != 0 || !S_ISREG(info.st_mode))
        return referee_journal_fault(fault, journal->path, 0, REFEREE_E_OPEN,
                                     "not an ordinary file");
    if (info.st_size == 0 && folder_sync(journal->path) != 0)
        return referee_journal_fault(fault, journal->path, 0, REFEREE_E_OPEN,
                                     "its folder cannot be synced: %s", strerror(errno));
    return REFEREE_OK;
}

/* Back to what counts: what a failed write or a dead writer left is cut off. */
static int file_cut(struct journal *journal)
{
    journal->longer = ftruncate(journal->file, journal->synced + (off_t)journal->written) != 0;
    return journal->longer ? -1 : 0;
}

static int file_take(struct journal *journal, journal_visit visit, void *context,
                     const struct calib_sink *sink, struct calib_fault *fault)
{
    struct journal_end end;
    int error = referee_journal_scan(journal->file, journal->path, visit, context, &end, fault);

    if (error != REFEREE_OK)
        return error;
    journal->synced = end.good;
    journal->lines = end.lines;
    memcpy(journal->head, end.head, sizeof journal->head);
    memcpy(journal->batch_head, end.head, sizeof journal->batch_head);
    if (end.torn == 0)
        return REFEREE_OK;
    referee_journal_tell_torn(sink, journal->path, &end);
    if (file_cut(journal) != 0 || fdatasync(journal->file) != 0)
        return referee_journal_fault(fault, journal->path, end.lines + 1, REFEREE_E_WRITE,
                                     "the torn line cannot be cut off: %s", strerror(errno));
    return REFEREE_OK;
}

int referee_journal_open(const char *path, journal_visit visit, void *context,
                         const struct calib_sink *sink, struct journal **out,
                         struct calib_fault *fault)
{
    struct journal *journal = calloc(1, sizeof *journal);

    *out = NULL;
    if (!journal || !(journal->path = strdup(path))) {
        free(journal);
        return referee_journal_fault(fault, path, 0, REFEREE_E_MEMORY, "out of memory");
    }
    int error = file_open(journal, fault);
    if (error == REFEREE_OK)
        error = file_take(journal, visit, context, sink, fault);
    if (error == REFEREE_OK)
        *out = journal;
    else
        referee_journal_close(&journal);
    return error;
}

void referee_journal_close(struct journal **journal)
{
    if (!journal || !*journal)
        return;
    if ((*journal)->file >= 0)
        close((*journal)->file);
    free((*journal)->buffer);
    free((*journal)->path);
    free(*journal);
    *journal = NULL;
}

static int buffer_grow(struct journal *journal, size_t more)
{
    if (journal->room - journal->used >= more)
        return REFEREE_OK;
    size_t room = 2 * journal->room + more;
    char *grown = realloc(journal->buffer, room);
    if (!grown)
        return REFEREE_E_MEMORY;
    journal->buffer = grown;
    journal->room = room;
    return REFEREE_OK;
}

/* What the reader would take for damage. */
static bool body_printable(const char *body, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)body[i] < 0x20)
            return false;
    return true;
}

int referee_journal_add(struct journal *journal, enum journal_kind kind, const char *body,
                        size_t length)
{
    const char *word = referee_journal_kind_name(kind);

    if (!word || length < 2 || length > JOURNAL_LINE_MAX - FRAME_MAX || body[0] != '{' ||
        body[length - 1] != '}' || !body_printable(body, length))
        return REFEREE_E_ARGUMENT;
    if (buffer_grow(journal, length + FRAME_MAX) != REFEREE_OK)
        return REFEREE_E_MEMORY;
    char *line = journal->buffer + journal->used;
    int front = snprintf(line, FRAME_MAX,
                         "{\"prev\":\"%s\",\"kind\":\"%s\",\"body\":", journal->batch_head, word);
    memcpy(line + front, body, length);
    size_t all = (size_t)front + length;
    line[all++] = '}';
    referee_digest(line, all, journal->batch_head);
    line[all++] = '\n';
    journal->used += all;
    journal->batch_lines++;
    return REFEREE_OK;
}

void referee_journal_drop(struct journal *journal)
{
    journal->used = journal->committed;
    journal->batch_lines = 0;
    memcpy(journal->batch_head, journal->head, sizeof journal->head);
}

/* A short write is a full disk (or a bound on files): what follows says which. */
static int buffer_write(const struct journal *journal)
{
    for (size_t done = journal->written; done < journal->used;) {
        ssize_t wrote = write(journal->file, journal->buffer + done, journal->used - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return -1;
        done += (size_t)wrote;
    }
    return 0;
}

/* Writes and, if asked, syncs; on failure the file is as long as it counts. */
static int buffer_put(struct journal *journal, bool sync)
{
    if (journal->longer && file_cut(journal) != 0)
        return -1;
    if (buffer_write(journal) == 0) {
        if (!sync || fdatasync(journal->file) == 0)
            return 0;
        /* What the kernel could not sync it may have thrown away. */
        journal->written = 0;
    }
    int number = errno;
    (void)file_cut(journal);
    errno = number;
    return -1;
}

int referee_journal_commit(struct journal *journal, bool sync, struct calib_fault *fault)
{
    sync = sync || journal->used > UNSYNCED_MAX;
    if (buffer_put(journal, sync) != 0) {
        referee_journal_fault(fault, journal->path, journal->lines + 1, 0,
                              "the journal cannot be written: %s", strerror(errno));
        referee_journal_drop(journal);
        return REFEREE_E_WRITE;
    }
    journal->lines += journal->batch_lines;
    memcpy(journal->head, journal->batch_head, sizeof journal->head);
    journal->committed = journal->written = journal->used;
    if (sync) {
        journal->synced += (off_t)journal->used;
        journal->committed = journal->written = journal->used = 0;
    }
    referee_journal_drop(journal);
    return REFEREE_OK;
}

const char *referee_journal_head(const struct journal *journal)
{
    return journal->head;
}

long referee_journal_lines(const struct journal *journal)
{
    return journal->lines;
}
