/* referee/claims.h: what claims.c, claims_judge.c and sight.c ask of each other. */
#ifndef REFEREE_CLAIMS_H
#define REFEREE_CLAIMS_H

#include "referee/match.h"

#define NS_PER_MS 1000000
#define NS_PER_US 1000

/* Sums of times, cut at what int64_t holds: sources may send any number. */
static inline int64_t time_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return b > 0 ? INT64_MAX : INT64_MIN;
    return sum;
}

/* From `b` to `a`. */
static inline int64_t time_since(int64_t a, int64_t b)
{
    int64_t gap;
    if (__builtin_sub_overflow(a, b, &gap))
        return b < 0 ? INT64_MAX : INT64_MIN;
    return gap;
}

static inline int64_t frame_interval_ns(const struct match_state *state)
{
    return (int64_t)state->rules.value[OPTION_FRAME_INTERVAL] * NS_PER_US;
}

/* For how long a layout reads the same before it counts as settled. */
static inline int64_t settle_time_ns(const struct match_state *state)
{
    return frame_interval_ns(state) * state->rules.value[OPTION_SETTLE_FRAMES];
}

/* --- claims_judge.c ----------------------------------------------------------------------------
 */

static inline bool claim_judged(const struct claim *claim)
{
    return claim->verdict.seat != 0;
}

/* A claim that is not judged yet is, if what was seen of its seat allows it; its verdict is kept in
 * it and not said. A claim that turns out to be made for a card that has left play is refused. */
void referee_claim_look(struct step *step, int player);

/* Claims auto: makes a claim of the player's layout, when it matches a card that they may win. */
void referee_claim_scan(struct step *step, int player);

/* Something moved in the player's seat at that time, which is news: before the view takes note.
 * Until still_t_ns nothing did. */
void referee_claim_motion(struct step *step, int player, int64_t at_t_ns, int64_t still_t_ns);

/* The picture was not to be trusted for as long as the claim could wait: judged cannot_tell. */
void referee_claim_blind(struct step *step, int player);

/* --- claims.c ----------------------------------------------------------------------------------
 */

/* The claim is refused (a layout that nobody claimed with goes without a word), and gone. */
void referee_claim_drop(struct step *step, int player, enum why why);

#endif
