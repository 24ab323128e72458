/* referee/results.h: the final table of a match, and how its cards went, for people and for other
 * programs. While a match is on it is the table as it stands. */
#ifndef REFEREE_RESULTS_H
#define REFEREE_RESULTS_H

#include "referee/state.h"
#include "vision/json_text.h"

enum results_format { RESULTS_TEXT, RESULTS_JSON, RESULTS_CSV };

/* Appends the table in that format. `match` and `head` (the journal's chain, which proves it) are
 * printed with it; either may be NULL.
 *   text  lines for a terminal, ended by a newline
 *   json  one object without a newline: "players" in order of rank, "cards" or "rounds" in order
 *         of time
 *   csv   RFC 4180 with a head line; a table of players, then, after an empty line, one of cards
 *         or rounds. A name that a spreadsheet would take for a formula gets an apostrophe. */
void referee_results(const struct match_state *state, const char *match, const char *head,
                     enum results_format format, struct json_text *out);

/* Players' indexes in order of rank (of points while ranks are not given), seats deciding the order
 * of equals. Returns their number. */
int referee_results_order(const struct match_state *state, int order[PLAYERS_MAX]);

/* Indexes of the cards that were won or set aside, in the order in which they came into play.
 * Returns their number. */
int referee_results_cards(const struct match_state *state, int order[MATCH_CARDS_MAX]);

#endif
