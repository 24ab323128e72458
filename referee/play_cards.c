/* referee/play_cards.c: printed cards, as the camera or a person tells which one lies where. Pure.
 *
 * A card that is seen while it cannot come into play yet (before the start, in a pause, under the
 * card in play that its winner took away early) waits in the stack: one to a pile, the one that was
 * seen there last. It comes into play as soon as it can. */
#include "referee/play.h"

#include <string.h>

/* --- The card that waits -----------------------------------------------------------------------
 */

static int waiting_at(const struct match_state *state, int pile)
{
    for (int i = 0; i < state->cards; i++)
        if (state->card[i].pile == pile && state->card[i].place == CARD_IN_STACK)
            return i;
    return -1;
}

/* The last card takes the place of the one that goes; their order means nothing. */
static void waiting_drop(struct match_state *state, int pile)
{
    int at = waiting_at(state, pile);
    if (at < 0)
        return;
    int last = --state->cards;
    if (at != last) {
        state->card[at] = state->card[last];
        struct pile *moved = &state->pile[state->card[at].pile];
        if (moved->top == last)
            moved->top = (int16_t)at;
    }
    memset(&state->card[last], 0, sizeof state->card[last]);
}

void referee_cards_forget(struct match_state *state)
{
    if (state->rules.value[OPTION_CARDS] != CARDS_PRINTED || state->game == GAME_MAKE5)
        return;
    for (int i = 0; i < state->piles; i++)
        waiting_drop(state, i);
}

static void waiting_set(struct match_state *state, int pile, const struct card *card)
{
    waiting_drop(state, pile);
    if (state->pile[pile].left == 0 || state->cards >= MATCH_CARDS_MAX)
        return;
    struct match_card *next = &state->card[state->cards++];
    memset(next, 0, sizeof *next);
    referee_card_copy(&next->card, card);
    next->pile = (int8_t)pile;
    next->place = CARD_IN_STACK;
}

/* --- Which card it is --------------------------------------------------------------------------
 */

static bool card_sound(const struct card *card)
{
    return card->level >= 1 && card->level <= CARD_LEVELS && card->grid.rows > 0 &&
           card->grid.rows <= GRID_SIDE_MAX && card->grid.cols > 0 &&
           card->grid.cols <= GRID_SIDE_MAX;
}

static bool card_same(const struct card *a, const struct card *b)
{
    if (a->id[0] && b->id[0])
        return strncmp(a->id, b->id, sizeof a->id) == 0;
    return calib_grid_quarters(&a->grid, &b->grid) >= 0;
}

/* Index of that card among those that came into the match, or -1. */
static int card_known(const struct match_state *state, const struct card *card)
{
    for (int i = 0; i < state->cards; i++)
        if (card_same(&state->card[i].card, card))
            return i;
    return -1;
}

/* A sure reading of a whole card. */
static bool card_read(const struct layout_card *seen, struct card *card)
{
    memset(card, 0, sizeof *card);
    referee_text_copy(card->id, sizeof card->id, seen->id);
    card->level = seen->level;
    card->grid = seen->grid;
    return seen->state == SLOT_FACE_UP && seen->confidence >= LAYOUT_SURE_PERMILLE &&
           card_sound(card);
}

/* --- Seen, or said -----------------------------------------------------------------------------
 */

static void card_differs(struct step *step, int pile, const struct card *card)
{
    struct pile *on = &step->state->pile[pile];
    if (on->differs)
        return;
    on->differs = true;
    struct decision *said = referee_refuse(step, 0, WHY_CARD_DIFFERS);
    said->attempt = on->attempt;
    said->slot = on->slot;
    said->level = (int8_t)card->level;
    memcpy(said->card, card->id, sizeof said->card);
}

void referee_card_seen(struct step *step)
{
    struct match_state *state = step->state;
    const struct layout_card *seen = &step->event->card.card;
    struct card card;
    int pile = seen->slot > 0 ? referee_play_pile_at(state, seen->slot, -1) : -1;
    if (state->rules.value[OPTION_CARDS] != CARDS_PRINTED || pile < 0 || state->health != 0)
        return;
    struct pile *on = &state->pile[pile];
    bool sure = card_read(seen, &card);
    int known = sure ? card_known(state, &card) : -1;
    if (sure && on->top >= 0 && known == on->top)
        on->differs = false;
    else if (sure && on->top >= 0)
        card_differs(step, pile, &card);
    /* Hands over it, a doubt, or a card that was used (its winner may not have taken it yet). */
    if (!sure || (known >= 0 && state->card[known].place != CARD_IN_STACK)) {
        waiting_drop(state, pile);
        return;
    }
    if (known >= 0 && state->card[known].pile != pile)
        waiting_drop(state, state->card[known].pile);
    waiting_set(state, pile, &card);
    referee_pile_turn(step, pile);
}

/* The card in play was taken for another: it is changed, and the attempt begins anew, so that
 * nothing that was claimed or ruled on the wrong card falls on this one. */
static void card_change(struct step *step, int pile, const struct card *card)
{
    struct match_state *state = step->state;
    struct pile *on = &state->pile[pile];
    int top = on->top;
    uint64_t attempt = on->attempt;
    if (attempt / 8 != state->seq)
        on->last_attempt = attempt;
    on->attempt = 0;
    on->top = -1;
    on->left++;
    referee_claims_close(step, attempt);
    referee_card_copy(&state->card[top].card, card);
    referee_play_open(step, pile, top);
}

void referee_card_set(struct step *step)
{
    struct match_state *state = step->state;
    const struct event_act *act = &step->event->act;
    struct card card;
    referee_card_copy(&card, &act->card);
    int pile = referee_play_pile_at(state, act->slot, referee_player_at(state, act->seat));
    enum why why = WHY_NONE;
    int known = card_known(state, &card);
    if (state->rules.value[OPTION_CARDS] != CARDS_PRINTED)
        why = WHY_NOT_IN_THIS_GAME;
    else if (pile < 0)
        why = WHY_UNKNOWN_SLOT;
    else if (card.grid.rows == 0 || card.grid.cols == 0)
        why = WHY_NOT_IN_DECK;
    else if (!card_sound(&card))
        why = WHY_BAD_VALUE;
    else if (known >= 0 && state->card[known].place != CARD_IN_STACK)
        why = WHY_CARD_USED;
    else if (state->pile[pile].top < 0 && state->pile[pile].left == 0)
        why = WHY_DECK_EMPTY;
    if (why != WHY_NONE) {
        struct decision *said = referee_refuse(step, act->seat, why);
        said->slot = act->slot;
        memcpy(said->card, card.id, sizeof said->card);
        return;
    }
    if (known >= 0)
        waiting_drop(state, state->card[known].pile);
    if (state->pile[pile].top >= 0) {
        card_change(step, pile, &card);
        return;
    }
    waiting_set(state, pile, &card);
    referee_pile_turn(step, pile);
}
