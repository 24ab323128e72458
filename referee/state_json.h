/* referee/state_json.h: the whole state of a match as JSON, for displays; EVENTS.md is the format.
 * Displays compute nothing: points, ranks, whose turn it is and what is being checked stand in it.
 *
 * It may be published while the match is on, so it tells neither the cards that are still to come
 * nor, before the end, the seed that they follow from. */
#ifndef REFEREE_STATE_JSON_H
#define REFEREE_STATE_JSON_H

#include "referee/state.h"
#include "vision/json_text.h"

/* One object, without a newline; the same bytes for the same state. */
void referee_state_json(const struct match_state *state, struct json_text *out);

#endif
