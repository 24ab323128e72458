/* referee/cmd_record.h: what the verbs on matches share. Program layer: no library includes this.
 */
#ifndef REFEREE_CMD_RECORD_H
#define REFEREE_CMD_RECORD_H

#include "referee/cmd_common.h"
#include "referee/event_json.h"
#include "referee/record.h"
#include "referee/cmd_results.h"

/* The path of a match's journal: `match` itself, or journal.jsonl in the folder of that name. False
 * when it is too long. */
bool cmd_journal_path(const char *match, char *path, size_t size);

/* Prints notices as lines on stderr. */
struct calib_sink cmd_record_sink(void);

/* Says what went wrong with a match. `where` is used when the fault names no file. */
void cmd_record_fault(const char *where, int error, const struct calib_fault *fault);

/* Did all that was printed arrive so far? False after saying that it did not. */
bool cmd_output_arrived(void);

/* A set-up event without cards gets those of the deck that it names (of the kit, or a file), and
 * the file's digest. *deck is what the event then borrows from; the caller destroys it. False, and
 * a fault, when there is none such. */
bool cmd_setup_deck(struct event *event, struct deck **deck, struct calib_fault *fault);

/* A header for a match that begins now, named after the path of its journal ("": no name). */
void cmd_record_header(const char *path, struct record_header *out);

/* "text", "json", "csv"; false after saying what is wrong. */
bool cmd_results_format(const struct cmd_verb *verb, const char *word, enum results_format *out);

#endif
