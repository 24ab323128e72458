/* referee/cmd_results.h: the final table of a match in the format that was asked for; for people in
 * the language that is spoken. Program layer. */
#ifndef REFEREE_CMD_RESULTS_H
#define REFEREE_CMD_RESULTS_H

#include "referee/results.h"

enum results_format { RESULTS_TEXT, RESULTS_JSON, RESULTS_CSV };

/* Appends the table in that format; text are lines for a terminal, ended by a newline, the others
 * are referee/results.h's. `match` and `head` (the journal's chain, which proves it) are printed
 * with it; either may be NULL. */
void cmd_results(const struct match_state *state, const char *match, const char *head,
                 enum results_format format, struct json_text *out);

#endif
