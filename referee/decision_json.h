/* referee/decision_json.h: what the engine says, as lines of JSON; EVENTS.md is the format. */
#ifndef REFEREE_DECISION_JSON_H
#define REFEREE_DECISION_JSON_H

#include "referee/state.h"
#include "vision/json_text.h"

/* One object on one line, without the newline; the same bytes for the same decision and state.
 * `after` is the state that the event led to: from it come names, the pattern of a card that comes
 * into play, the layout that a verdict rests on, and ranks. NULL: these are null. */
void referee_decision_json(const struct decision *decision, const struct match_state *after,
                           struct json_text *out);

/* {"verdict":..,"reasons":..,"wrong_cells":..,"turn":..,"confidence":..}: the members alone, as
 * `judge` prints them. */
void referee_verdict_members(const struct verdict *verdict, struct json_text *out);

#endif
