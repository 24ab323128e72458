/* referee/journal_read.h: between the journal's reader and its writer. */
#ifndef REFEREE_JOURNAL_READ_H
#define REFEREE_JOURNAL_READ_H

#include "referee/journal.h"

#include <sys/types.h>

#define JOURNAL_FIRST "0000000000000000000000000000000000000000000000000000000000000000"

/* Where a reading came to. */
struct journal_end {
    off_t good; /* bytes of whole lines */
    off_t torn; /* bytes behind them */
    long lines;
    char head[DIGEST_TEXT_MAX];
};

/* Reads an open file from its start to its end. */
int referee_journal_scan(int file, const char *path, journal_visit visit, void *context,
                         struct journal_end *end, struct calib_fault *fault);

/* Fills a fault (may be NULL); returns `error`. */
int referee_journal_fault(struct calib_fault *fault, const char *path, long line, int error,
                          const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Tells the sink that a tail was dropped. */
void referee_journal_tell_torn(const struct calib_sink *sink, const char *path,
                               const struct journal_end *end);

#endif
