/* referee/journal.h: a match's record as lines of JSON, each bound to the one before it.
 *
 * A line is {"prev":"<64 hex>","kind":"<word>","body":<JSON object>} and a newline, byte for byte
 * in this form; prev is the SHA-256 of the line before it (without its newline), 64 zeros for the
 * first. So no line can be changed, taken out or put in without every later one showing it; the
 * chain's head, shown with a match's result, betrays a chain that was written anew.
 *
 * Lines are added to a batch in memory and committed together: all of them come to stand, or, after
 * an error, none. What a reader finds behind the last newline was never committed (the process or
 * the machine died in the middle): it is dropped, with a notice. The journal knows nothing of what
 * its bodies say; record.h does. One writer at a time, held by a lock on the file. */
#ifndef REFEREE_JOURNAL_H
#define REFEREE_JOURNAL_H

#include "calib/error.h"
#include "referee/error.h"
#include "referee/event.h"

#include <stdbool.h>
#include <stddef.h>

/* A set-up line holds a deck of DECK_CARDS_MAX cards; nothing is longer. */
#define JOURNAL_LINE_MAX ((size_t)8 << 20)

enum journal_kind {
    JOURNAL_HEADER,   /* what the match was played with: the first line, and only it */
    JOURNAL_EVENT,    /* an event, see EVENTS.md */
    JOURNAL_DECISION, /* what it brought out */
    JOURNAL_VOID,     /* a decision that no longer stands */
    JOURNAL_UNDO,     /* a decision's cause is taken back */
    JOURNAL_REDO,     /* ... or put back */
    JOURNAL_OVERRULE, /* a person rules otherwise */
    JOURNAL_RESTART,  /* a process took the match up again */
    JOURNAL_KINDS
};

/* A line as it was read; lent during the call. */
struct journal_line {
    enum journal_kind kind;
    const char *body; /* not closed by a 0 */
    size_t length;
    long number; /* from 1 */
};

/* Called for each line in order; a negative value ends the reading, which then returns it. */
typedef int (*journal_visit)(void *context, const struct journal_line *line);

struct journal;

/* Opens a journal for writing; makes an empty one when there is none. Visits what it holds, then
 * cuts off a torn tail, which `sink` is told. Errors: _OPEN, _LOCKED, _SYNTAX, _CHAIN, _MEMORY, or
 * the visitor's; `fault` (may be NULL) names file and line. The caller gives *out to
 * referee_journal_close. */
int referee_journal_open(const char *path, journal_visit visit, void *context,
                         const struct calib_sink *sink, struct journal **out,
                         struct calib_fault *fault);

/* Only visits; neither locks nor cuts. *head (may be NULL) gets the chain's head. */
int referee_journal_read(const char *path, journal_visit visit, void *context,
                         const struct calib_sink *sink, char head[DIGEST_TEXT_MAX],
                         struct calib_fault *fault);

/* Adds a line to the batch. `body` must be one JSON object on one line. _MEMORY, or
 * _ARGUMENT for a body that is too long or holds a control character; the batch is then as before.
 */
int referee_journal_add(struct journal *journal, enum journal_kind kind, const char *body,
                        size_t length);

/* Writes the batch; with `sync` it, and all before it, lies on the disk when this returns 0. After
 * REFEREE_E_WRITE nothing of the batch stands, the file is cut back to what it was, and a later
 * commit may try again. `fault` says what the system said. */
int referee_journal_commit(struct journal *journal, bool sync, struct calib_fault *fault);

/* Forgets the batch. */
void referee_journal_drop(struct journal *journal);

/* The digest of the last committed line: what a result is shown with. Lent. */
const char *referee_journal_head(const struct journal *journal);
/* Lines committed. */
long referee_journal_lines(const struct journal *journal);

/* Closes without writing what was not committed. NULL and pointer to NULL are allowed. */
void referee_journal_close(struct journal **journal);

/* "event" and so on; NULL outside. */
const char *referee_journal_kind_name(enum journal_kind kind);

#endif
