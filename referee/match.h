/* referee/match.h: what the engine's own files ask of each other. Only step.c, play*.[ch],
 * deal.c, claims*.[ch], sight.c, score.c and make5*.c of this room include it. */
#ifndef REFEREE_MATCH_H
#define REFEREE_MATCH_H

#include "referee/state.h"
#include "referee/step.h"

#include <stddef.h>

/* A step on its way: the state that changes, the event, what has been said so far. */
struct step {
    struct match_state *state;
    const struct event *event;
    struct decisions *out;
};

/* --- step.c ------------------------------------------------------------------------------------
 */

/* Adds a decision of that kind with seq, index, t_ns and cause (the event's own seq) filled; the
 * caller fills the rest. Never NULL: beyond DECISIONS_MAX the last one is overwritten (and
 * DECISIONS_MAX is proven to be enough by the property tests). */
struct decision *referee_say(struct step *step, enum decision_kind kind);

/* Adds DECISION_REFUSED with the seat (0: none) and the reason. */
struct decision *referee_refuse(struct step *step, int seat, enum why why);

/* Index of the player at a seat, or -1. */
int referee_player_at(const struct match_state *state, int seat);

/* Text and cards as their bytes alone: what stands behind a closing 0, and between fields, is
 * cleared, so that equal states are equal bytes. */
void referee_text_copy(char *to, size_t size, const char *from);
void referee_card_copy(struct card *to, const struct card *from);

/* Play is on: started, not paused, not over. (Frozen pictures are the claims' matter.) */
bool referee_in_play(const struct match_state *state);

/* The match is over: ranks, DECISION_PHASE over, DECISION_END with the seats ranked first. Make 5's
 * last round ends by this too. */
void referee_match_end(struct step *step);

/* --- deal.c: cards from a deck, by its seed ------------------------------------------------------
 */

/* Deals what the match needs into state->card and the piles (all in the stack, in the order in
 * which they will come); with printed cards only counts. WHY_NONE, or WHY_DECK_TOO_SMALL. */
enum why referee_deal(struct match_state *state, const struct event_setup *setup);

/* One card more at the end of a pile: the next spare that fits, or a printed one still to be seen.
 * Nothing when there is none. */
void referee_deal_more(struct match_state *state, int pile);

/* --- play.c: cards coming into play, won, lost ---------------------------------------------------
 */

/* Was the time of the card in play of a pile over at that time, beyond what the time may be off? */
bool referee_card_over(const struct match_state *state, int pile, int64_t t_ns, int64_t error_ns);

/* The next card of a pile comes into play (virtual), as DECISION_CARD; nothing when none is left.
 */
void referee_pile_turn(struct step *step, int pile);

/* Printed cards that were seen while they could not come into play yet, now do. */
void referee_cards_turn(struct step *step);
/* Such cards are forgotten: the picture is not to be trusted. */
void referee_cards_forget(struct match_state *state);

/* A printed card was seen in a slot, or a person says which one lies there. */
void referee_card_seen(struct step *step);
void referee_card_set(struct step *step);

/* May this player win the card of this pile now? WHY_NONE, or WHY_OUT, WHY_BARRED, WHY_BELOW_LEVEL,
 * WHY_NO_CARD_IN_PLAY (also: another player's own stack). */
enum why referee_may_win(const struct match_state *state, int player, int pile);

/* Players (bits) win the card in play of a pile. Says DECISION_WIN, and what follows: an owed card
 * set aside, barred players let in, the claims on that card refused as late
 * (referee_claims_close), the next card turned, the end of the match. `won` may hold times and
 * margins (at_t_ns, margin_ns, error_ns, cause), else NULL. */
void referee_card_win(struct step *step, int pile, uint8_t players, const struct decision *won);

/* The card in play of a pile leaves it with no winner; what follows is as for a win. */
void referee_card_set_aside(struct step *step, int pile, enum why why, uint64_t cause);

/* replay_card: set aside, and one card more is dealt from what the deck still has (printed: the
 * match gets one card longer), so that no card is missing. */
void referee_card_replay(struct step *step, int pile, uint64_t cause);

/* What an error costs: Quick-Play out for the card (and what all_out says when nobody is left);
 * with own stacks nothing but the count; Total Madness the last card won, or one owed. */
void referee_player_err(struct step *step, int player, int pile, uint64_t cause);

/* give_up, award, penalise, set_aside, name, by their events. */
void referee_give_up(struct step *step);
void referee_act(struct step *step);

/* Time limits of the cards in play, and the end of a match with own stacks that waits for a claim
 * on the last card of another. Called on every event while play is on. */
void referee_limits(struct step *step);

/* The pile that an act or a claim means by its slot (0: the only one in play; with own stacks that
 * player's), or -1 with *why filled (WHY_UNKNOWN_SLOT, WHY_NO_CARD_IN_PLAY). */
int referee_pile_meant(const struct match_state *state, int slot, int player, enum why *why);

/* --- claims.c: claims and matching layouts, until they are settled
 * -------------------------------- */

void referee_claim_made(struct step *step);   /* EVENT_CLAIM */
void referee_claim_layout(struct step *step); /* EVENT_LAYOUT, after sight.c took it */
void referee_claim_confirm(struct step *step);
void referee_claim_decide(struct step *step);
/* Rules on whatever can be ruled on now. Called at the end of every event. */
void referee_claims_run(struct step *step);
/* An attempt is over: claims on it are refused as late. Called by play.c before the next card
 * comes. */
void referee_claims_close(struct step *step, uint64_t attempt);

/* --- sight.c: what is seen of the seats
 * ----------------------------------------------------------- */

void referee_sight_layout(struct step *step); /* takes EVENT_LAYOUT into its seat's view */
void referee_sight_motion(struct step *step); /* EVENT_MOTION: false starts, freeze, stillness */
/* EVENT_HEALTH, in Make 5 too: state->health; views are forgotten when it is bad. The clock is
 * step.c's. */
void referee_sight_health(struct step *step);

/* --- score.c
 * -------------------------------------------------------------------------------------- */

/* Cards, levels and points of every player, anew from state->card (Make 5: from the rounds). */
void referee_score(struct match_state *state);
/* Ranks at the end. */
void referee_rank(struct match_state *state);

/* --- make5.c
 * -------------------------------------------------------------------------------------- */

void referee_make5_setup(struct step *step); /* after the common part, before it is said */
/* EVENT_START: the match (after step.c has said that play is on; no countdown: nobody races), or
 * the next round. */
void referee_make5_start(struct step *step);
void referee_make5_discs(struct step *step);  /* EVENT_DISCS */
void referee_make5_resume(struct step *step); /* EVENT_RESUME */
void referee_make5_pass(struct step *step);
void referee_make5_set(struct step *step);  /* EVENT_SET_DISCS */
void referee_make5_tick(struct step *step); /* the last move's time */

#endif
