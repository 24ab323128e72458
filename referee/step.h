/* referee/step.h: the engine: referee_step(state, event) gives the next state and what is to be
 * said. Pure: no I/O, clock, allocation, randomness, floats or globals; the same events give the
 * same bytes on every machine. It never fails: an event that falls on nothing leaves the game as it
 * was and is refused by name (DECISION_REFUSED). */
#ifndef REFEREE_STEP_H
#define REFEREE_STEP_H

#include "referee/state.h"

/* A state before any event. */
void referee_state_clear(struct match_state *state);

/* Steps over one event. *out is overwritten. `event` is lent, with the cards it points to; strings
 * in it must be closed, counts and enums may hold anything. */
void referee_step(struct match_state *state, const struct event *event, struct decisions *out);

#endif
