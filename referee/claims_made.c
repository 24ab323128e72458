/* referee/claims_made.c: a claim is made: on which card, and does it count? */
#include "referee/claims.h"

#include <string.h>

/* Was there ever such an attempt in this history? */
static bool attempt_known(const struct match_state *state, uint64_t attempt)
{
    for (int i = 0; i < state->piles && i < PILES_MAX; i++)
        if (state->pile[i].attempt == attempt || state->pile[i].last_attempt == attempt)
            return true;
    for (int i = 0; i < state->cards && i < MATCH_CARDS_MAX; i++)
        if (state->card[i].attempt == attempt)
            return true;
    return false;
}

/* The pile of the attempt that the claim's source showed. */
static enum why pile_of_attempt(const struct match_state *state, const struct event_claim *claim,
                                int *pile)
{
    for (int i = 0; i < state->piles && i < PILES_MAX; i++)
        if (state->pile[i].attempt == claim->attempt) {
            *pile = i;
            return claim->slot == 0 || claim->slot == state->pile[i].slot ? WHY_NONE
                                                                          : WHY_BAD_VALUE;
        }
    return attempt_known(state, claim->attempt) ? WHY_LATE : WHY_VOID;
}

/* No card named where several lie: any that is in play. */
static enum why pile_any(const struct match_state *state, int64_t claimed_t_ns)
{
    enum why why = WHY_NO_CARD_IN_PLAY;
    for (int i = 0; i < state->piles && i < PILES_MAX; i++) {
        if (state->pile[i].attempt != 0 && state->pile[i].opened_t_ns <= claimed_t_ns)
            return WHY_NONE;
        if (state->pile[i].attempt != 0)
            why = WHY_LATE;
    }
    return why;
}

/* What the claim was made for: a pile, or -1 for any. */
static enum why pile_claimed(const struct match_state *state, const struct event_claim *claim,
                             int player, int64_t claimed_t_ns, int *pile)
{
    enum why why = WHY_NONE;
    *pile = -1;
    if (claim->attempt != 0)
        return pile_of_attempt(state, claim, pile);
    if (state->game == GAME_TOTAL_MADNESS && claim->slot == 0)
        return pile_any(state, claimed_t_ns);
    *pile = referee_pile_meant(state, claim->slot, player, &why);
    if (*pile < 0)
        return why;
    return claimed_t_ns < state->pile[*pile].opened_t_ns ? WHY_LATE : WHY_NONE;
}

/* Made while play was paused, or for a card whose time was over by then, though whoever sent it did
 * not know yet? */
static enum why made_fault(const struct match_state *state, const struct event_claim *claim,
                           int64_t claimed_t_ns, int pile)
{
    /* A clock that is worse than any the rules allow would keep everybody else waiting. */
    if (claim->error_ns > (int64_t)referee_option(OPTION_CLAIM_ERROR)->most * NS_PER_MS)
        return WHY_BAD_VALUE;
    if (claimed_t_ns >= state->paused_t_ns[0] && claimed_t_ns < state->paused_t_ns[1])
        return WHY_PAUSED;
    bool over = pile >= 0 && referee_card_over(state, pile, claimed_t_ns, claim->error_ns);
    return over ? WHY_LATE : WHY_NONE;
}

/* May this player win the card, or, of several, any? */
static enum why player_may(const struct match_state *state, int player, int pile)
{
    if (pile >= 0)
        return referee_may_win(state, player, pile);
    enum why first = WHY_NONE;
    for (int i = 0; i < state->piles && i < PILES_MAX; i++) {
        enum why why = referee_may_win(state, player, i);
        if (why == WHY_NONE)
            return WHY_NONE;
        if (first == WHY_NONE && state->pile[i].attempt != 0)
            first = why;
    }
    return first;
}

/* Phase and game are step.c's matter. */
static enum why claim_fault(struct match_state *state, const struct event_claim *claim,
                            int64_t claimed_t_ns, int *player, int *pile)
{
    if (state->paused)
        return WHY_PAUSED;
    *player = referee_player_at(state, claim->seat);
    if (*player < 0)
        return WHY_UNKNOWN_SEAT;
    if (state->rules.value[OPTION_CLAIMS] == CLAIMS_AUTO)
        return WHY_CLAIMS_AUTO;
    enum why why = pile_claimed(state, claim, *player, claimed_t_ns, pile);
    if (why == WHY_NONE)
        why = made_fault(state, claim, claimed_t_ns, *pile);
    if (why != WHY_NONE)
        return why;
    if (state->claim[*player].stage != CLAIM_NONE)
        return WHY_ALREADY_CLAIMED;
    if (state->player[*player].void_claim) {
        state->player[*player].void_claim = false;
        return WHY_MOVED_DURING_CHECK;
    }
    return player_may(state, *player, *pile);
}

void referee_claim_made(struct step *step)
{
    struct match_state *state = step->state;
    const struct event *event = step->event;
    const struct event_claim *made = &event->claim;
    int64_t claimed_t_ns = made->claimed_t_ns < event->t_ns ? made->claimed_t_ns : event->t_ns;
    int player = -1, pile = -1;
    enum why why = claim_fault(state, made, claimed_t_ns, &player, &pile);
    if (why != WHY_NONE) {
        struct decision *said = referee_refuse(step, made->seat, why);
        said->attempt = made->attempt;
        said->slot = made->slot;
        return;
    }
    struct claim *claim = &state->claim[player];
    memset(claim, 0, sizeof *claim);
    claim->stage = CLAIM_WAITING;
    claim->pile = (int8_t)pile;
    claim->seq = event->seq;
    claim->attempt = pile < 0 ? 0 : state->pile[pile].attempt;
    claim->claimed_t_ns = claimed_t_ns;
    claim->order_t_ns =
        time_add(claimed_t_ns, (int64_t)state->rules.handicap[player].delay_ms * NS_PER_MS);
    claim->error_ns = made->error_ns > 0 ? made->error_ns : 0;
    memcpy(claim->source, made->source, sizeof claim->source);
    claim->forced = event->forced;
    state->player[player].claims++;
}
