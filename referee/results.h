/* referee/results.h: the final table of a match, and how its cards went, for other programs; for
 * people it is written by referee/cmd_results.h. While a match is on it is the table as it stands. */
#ifndef REFEREE_RESULTS_H
#define REFEREE_RESULTS_H

#include "referee/state.h"
#include "vision/json_text.h"

/* One object without a newline: "players" in order of rank, "cards" or "rounds" in order of time.
 * `match` and `head` (the journal's chain, which proves it) are printed with it; either may be NULL.
 */
void referee_results_json(const struct match_state *state, const char *match, const char *head,
                          struct json_text *out);

/* RFC 4180 with a head line; a table of players, then, after an empty line, one of cards or rounds.
 * A name that a spreadsheet would take for a formula gets an apostrophe. */
void referee_results_csv(const struct match_state *state, struct json_text *out);

/* Players' indexes in order of rank (of points while ranks are not given), seats deciding the order
 * of equals. Returns their number. */
int referee_results_order(const struct match_state *state, int order[PLAYERS_MAX]);

/* Make 5: rounds that are over. */
int referee_results_rounds(const struct match_state *state);

/* Indexes of the cards that were won or set aside, in the order in which they came into play.
 * Returns their number. */
int referee_results_cards(const struct match_state *state, int order[MATCH_CARDS_MAX]);

#endif
