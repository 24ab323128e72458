/* referee/deal.c: cards from a deck, by its seed. Pure.
 *
 * The same seed and deck give the same cards in the same order on every machine:
 * - numbers come from splitmix64: a counter that goes on by 0x9e3779b97f4a7c15, its bits mixed;
 * - a number below n is drawn without bias: draws at or above the largest multiple of n are thrown
 *   away and drawn anew;
 * - each pile takes its cards from those that are left in one pass over the deck, in the deck's
 *   order: a card is taken with the chance that it would have in a whole shuffle (those still
 *   wanted / those still to pass). What was taken is then shuffled (Fisher and Yates, from the last
 *   card down). A deck may have many more cards than a match, and no list of it is kept.
 * - Piles are dealt in order, but with own stacks those with the strictest handicap first, so that
 *   they find the cards that they need; last come the spares, pile by pile.
 * A card below the level from which every player of a pile may win would never be won: it is not
 * dealt. */
#include "referee/match.h"

#include <string.h>

#define QUICK_PLAY_CARDS 10 /* when the players have not said how many rounds */

/* A deal on its way. */
struct deal {
    struct match_state *state;
    const struct card *cards; /* the deck's */
    int count;
    uint64_t dice;
    uint64_t taken[(DECK_CARDS_MAX + 63) / 64]; /* bits by place in the deck */
};

static uint64_t dice_next(uint64_t *dice)
{
    *dice += 0x9e3779b97f4a7c15U;
    uint64_t mixed = *dice;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
}

static int dice_below(uint64_t *dice, int below)
{
    uint64_t range = (uint64_t)below;
    uint64_t limit = UINT64_MAX - UINT64_MAX % range;
    uint64_t drawn;
    do
        drawn = dice_next(dice);
    while (drawn >= limit);
    return (int)(drawn % range);
}

/* May the card at that place in the deck still be dealt to a pile of those levels? */
static bool card_open(const struct deal *deal, int at, int least, int most)
{
    const struct card *card = &deal->cards[at];
    return !(deal->taken[at / 64] >> at % 64 & 1) && card->level >= least && card->level <= most &&
           card->grid.rows > 0 && card->grid.rows <= GRID_SIDE_MAX && card->grid.cols > 0 &&
           card->grid.cols <= GRID_SIDE_MAX;
}

static int cards_open(const struct deal *deal, int least, int most)
{
    int open = 0;
    for (int at = 0; at < deal->count; at++)
        open += card_open(deal, at, least, most);
    return open;
}

/* Takes `want` of the `open` cards of those levels into `out`, shuffled. */
static void cards_draw(struct deal *deal, int least, int most, int open, int want,
                       struct match_card *out)
{
    int got = 0;
    for (int at = 0; at < deal->count && got < want; at++) {
        if (!card_open(deal, at, least, most))
            continue;
        if (dice_below(&deal->dice, open--) < want - got) {
            memset(&out[got], 0, sizeof out[got]);
            referee_card_copy(&out[got++].card, &deal->cards[at]);
            deal->taken[at / 64] |= (uint64_t)1 << at % 64;
        }
    }
    for (int last = got - 1; last > 0; last--) {
        int other = dice_below(&deal->dice, last + 1);
        struct match_card held = out[last];
        out[last] = out[other];
        out[other] = held;
    }
}

/* The levels that a pile may have: its own in Total Madness, else those that somebody may win. */
static void pile_levels(const struct match_state *state, int pile, int *least, int *most)
{
    int owner = state->pile[pile].owner;
    *least = CARD_LEVELS;
    *most = CARD_LEVELS;
    if (state->game == GAME_TOTAL_MADNESS) {
        *least = *most = pile + 1;
        return;
    }
    for (int p = 0; p < state->players; p++) {
        int level = state->rules.handicap[p].min_level;
        if ((owner < 0 || owner == p) && level < *least)
            *least = level;
    }
    if (*least < 1)
        *least = 1;
}

static bool pile_deal(struct deal *deal, int pile)
{
    struct match_state *state = deal->state;
    struct match_card *out = &state->card[state->cards];
    int want = state->pile[pile].left;
    int least, most;
    pile_levels(state, pile, &least, &most);
    int open = cards_open(deal, least, most);
    if (open < want)
        return false;
    cards_draw(deal, least, most, open, want, out);
    for (int i = 0; i < want; i++)
        out[i].pile = (int8_t)pile;
    state->cards = (int16_t)(state->cards + want);
    return true;
}

/* As many again as the pile has, where the deck and the state have room: a card more for each that
 * is replayed. A player's own stack knows no ties. */
static void pile_spare(struct deal *deal, int pile)
{
    struct match_state *state = deal->state;
    int from = state->cards + state->spares;
    int want = state->pile[pile].left;
    int least, most;
    pile_levels(state, pile, &least, &most);
    int open = cards_open(deal, least, most);
    if (want > open)
        want = open;
    if (want > MATCH_CARDS_MAX - from)
        want = MATCH_CARDS_MAX - from;
    cards_draw(deal, least, most, open, want, &state->card[from]);
    for (int i = 0; i < want; i++) {
        state->card[from + i].pile = (int8_t)pile;
        state->card[from + i].place = CARD_SPARE;
    }
    state->spares = (int16_t)(state->spares + want);
}

/* How many piles there are, and how many cards will come from each. */
static void piles_make(struct match_state *state, const struct event_setup *setup)
{
    bool own = state->rules.value[OPTION_OWN_STACKS] != 0;
    int left = state->rules.value[OPTION_ROUNDS];
    state->piles = 1;
    if (state->game == GAME_TOTAL_MADNESS) {
        state->piles = CARD_LEVELS;
        left = state->players;
    } else if (left == 0) {
        left = QUICK_PLAY_CARDS;
    }
    if (own)
        state->piles = state->players;
    for (int i = 0; i < state->piles; i++) {
        struct pile *pile = &state->pile[i];
        pile->slot = setup->slot[i];
        pile->owner = (int8_t)(own ? i : -1);
        pile->top = -1;
        pile->left = (int16_t)left;
        state->dealt = (int16_t)(state->dealt + left);
    }
}

/* Piles in the order of dealing: by falling handicap where piles have owners. */
static void piles_order(const struct match_state *state, int order[PILES_MAX])
{
    for (int i = 0; i < state->piles; i++) {
        int at = i;
        for (; at > 0 && state->pile[i].owner >= 0; at--) {
            int before = order[at - 1];
            if (state->rules.handicap[before].min_level >= state->rules.handicap[i].min_level)
                break;
            order[at] = before;
        }
        order[at] = i;
    }
}

enum why referee_deal(struct match_state *state, const struct event_setup *setup)
{
    int order[PILES_MAX] = {0};
    piles_make(state, setup);
    if (state->rules.value[OPTION_CARDS] == CARDS_PRINTED)
        return WHY_NONE;
    struct deal deal;
    memset(&deal, 0, sizeof deal);
    deal.state = state;
    deal.cards = setup->cards;
    deal.count = setup->cards ? setup->card_count : 0;
    deal.dice = state->seed;
    if (deal.count < 0 || deal.count > DECK_CARDS_MAX)
        return WHY_BAD_SETUP;
    piles_order(state, order);
    for (int i = 0; i < state->piles; i++)
        if (!pile_deal(&deal, order[i]))
            return WHY_DECK_TOO_SMALL;
    for (int i = 0; i < state->piles; i++)
        if (state->pile[i].owner < 0)
            pile_spare(&deal, i);
    return WHY_NONE;
}

void referee_deal_more(struct match_state *state, int pile)
{
    if (state->rules.value[OPTION_CARDS] == CARDS_PRINTED) {
        if (state->dealt < MATCH_CARDS_MAX) {
            state->dealt++;
            state->pile[pile].left++;
        }
        return;
    }
    struct match_card *next = &state->card[state->cards];
    for (int i = 0; i < state->spares; i++) {
        if (next[i].pile != pile)
            continue;
        struct match_card spare = next[i];
        memmove(&next[1], &next[0], (size_t)i * sizeof next[0]);
        spare.place = CARD_IN_STACK;
        next[0] = spare;
        state->cards++;
        state->spares--;
        state->dealt++;
        state->pile[pile].left++;
        return;
    }
}
