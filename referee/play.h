/* referee/play.h: what play.c, play_cards.c and play_acts.c ask of each other. */
#ifndef REFEREE_PLAY_H
#define REFEREE_PLAY_H

#include "referee/match.h"

/* A decision on the card of a pile: attempt, slot, level and id filled, with own stacks the seat.
 */
struct decision *referee_play_say(struct step *step, enum decision_kind kind, int pile);

/* The card at that index comes into play on its pile, as a new attempt. */
void referee_play_open(struct step *step, int pile, int card);

/* Players (bits) who may win the card in play of a pile. */
unsigned referee_play_hopeful(const struct match_state *state, int pile);

/* Sets the card of a pile aside when all who may still win it have given it up, and no claim on it
 * is being checked. */
void referee_play_given_up(struct step *step, int pile, uint64_t cause);

/* The pile of that slot, whether a card is in play there or not; for slot 0 the only pile, or with
 * own stacks that player's. -1 when there is none. */
int referee_play_pile_at(const struct match_state *state, int slot, int player);

#endif
