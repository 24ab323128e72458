/* referee/state.c: the match's clock, and what must always hold. Pure. */
#include "referee/state.h"

int64_t referee_state_clock_ns(const struct match_state *state)
{
    int64_t now = state->t_ns;
    if (state->phase < PHASE_PLAY)
        return 0;
    if (state->stopped_since_t_ns >= 0)
        now = state->stopped_since_t_ns;
    else if (state->phase >= PHASE_OVER)
        now = state->ended_t_ns;
    int64_t clock = now - state->started_t_ns - state->stopped_ns;
    return clock > 0 ? clock : 0;
}

int64_t referee_state_clock_at_ns(const struct match_state *state, int64_t t_ns)
{
    int64_t clock = referee_state_clock_ns(state);
    int64_t now = state->t_ns;
    if (state->stopped_since_t_ns >= 0)
        now = state->stopped_since_t_ns;
    else if (state->phase >= PHASE_OVER)
        now = state->ended_t_ns;
    if (t_ns >= now)
        return clock;
    /* Back over the time that it last stood still, which counts for nothing. */
    const int64_t *stop = state->stop_t_ns;
    if (stop[1] > stop[0] && t_ns < stop[1])
        now -= stop[1] - (t_ns > stop[0] ? t_ns : stop[0]);
    clock -= now - t_ns;
    return clock > 0 ? clock : 0;
}

static bool printed(const struct match_state *state)
{
    return state->rules.value[OPTION_CARDS] == CARDS_PRINTED;
}

static const char *check_card(const struct match_state *state, int at)
{
    const struct match_card *card = &state->card[at];
    unsigned everyone = (1U << state->players) - 1;
    if (card->place < CARD_IN_STACK || card->place > CARD_SET_ASIDE)
        return "a dealt card is nowhere";
    if (card->pile < 0 || card->pile >= state->piles)
        return "a card is of no pile";
    if (card->card.level < 1 || card->card.level > CARD_LEVELS)
        return "a card has no level";
    if (card->place == CARD_IN_PLAY && state->pile[card->pile].top != at)
        return "a card is in play, but not on its pile";
    if ((card->place == CARD_WON) != (card->holders != 0) || (card->holders & ~everyone) != 0)
        return "a card is held by nobody who won it";
    if ((card->place == CARD_WON) != (card->won_order != 0) || card->won_order > state->wins)
        return "a card's place in the order of wins is wrong";
    for (int i = 0; i < at && card->won_order; i++)
        if (state->card[i].won_order == card->won_order)
            return "two cards were won at the same place";
    return NULL;
}

static const char *check_pile(const struct match_state *state, int at)
{
    const struct pile *pile = &state->pile[at];
    int stack = 0;
    for (int i = 0; i < state->cards; i++)
        stack += state->card[i].pile == at && state->card[i].place == CARD_IN_STACK;
    if (printed(state) ? stack > 1 || stack > pile->left : stack != pile->left)
        return "a pile's cards are not those still to come";
    if ((pile->top >= 0) != (pile->attempt != 0))
        return "an attempt without a card, or a card without one";
    if (pile->top >= state->cards ||
        (pile->top >= 0 &&
         (state->card[pile->top].place != CARD_IN_PLAY || state->card[pile->top].pile != at ||
          state->card[pile->top].attempt != pile->attempt)))
        return "a pile shows a card that is not in play";
    if (pile->top < 0 && (pile->out || pile->gave_up))
        return "somebody is out for no card";
    if (pile->out && (state->game != GAME_QUICK_PLAY || pile->owner >= 0))
        return "somebody is out in a game without it";
    return NULL;
}

static const char *check_cards(const struct match_state *state)
{
    int still = 0;
    const char *fault = NULL;
    if (state->cards < 0 || state->spares < 0 || state->cards + state->spares > MATCH_CARDS_MAX)
        return "more cards than there is room for";
    for (int i = 0; i < state->cards && !fault; i++)
        fault = check_card(state, i);
    for (int i = 0; i < state->piles && !fault; i++) {
        fault = check_pile(state, i);
        still += state->pile[i].left;
    }
    if (fault)
        return fault;
    for (int i = 0; i < state->spares; i++)
        if (state->card[state->cards + i].place != CARD_SPARE)
            return "a spare card is in the game";
    int gone = 0; /* from the stack */
    for (int i = 0; i < state->cards; i++)
        gone += state->card[i].place != CARD_IN_STACK;
    return gone + still == state->dealt ? NULL : "the cards do not add up to those of the match";
}

static const char *check_player(const struct match_state *state, int at)
{
    const struct player *player = &state->player[at];
    int cards = 0, levels = 0;
    for (int i = 0; i < state->cards; i++)
        cards += state->card[i].place == CARD_WON && (state->card[i].holders >> at & 1);
    for (int level = 1; level <= CARD_LEVELS; level++)
        levels += player->by_level[level];
    if (player->cards != cards || levels != cards)
        return "a player's cards are not counted right";
    if (player->owes && (state->game != GAME_TOTAL_MADNESS || cards > 0))
        return "a card is owed by one who could have paid";
    if ((player->rank != 0) != (state->phase == PHASE_OVER) || player->rank > state->players)
        return "ranks before the end, or none after it";
    for (int i = 0; i < at; i++)
        if (state->player[i].seat == player->seat)
            return "two players at one seat";
    return NULL;
}

/* A claim that is being checked falls on a card in play, or names none yet. */
static const char *check_claim(const struct match_state *state, int at)
{
    const struct claim *claim = &state->claim[at];
    if (claim->stage == CLAIM_NONE)
        return NULL;
    if (claim->stage < CLAIM_NONE || claim->stage > CLAIM_TIED || at >= state->players)
        return "a claim is nowhere";
    if (claim->attempt && (claim->pile < 0 || claim->pile >= state->piles ||
                           state->pile[claim->pile].attempt != claim->attempt))
        return "a claim is on a card that is not in play";
    return NULL;
}

static const char *check_times(const struct match_state *state)
{
    if (state->seen_t_ns > state->t_ns || state->stopped_since_t_ns > state->t_ns)
        return "a time lies after the state's own";
    if (state->stopped_ns < 0 || state->stop_t_ns[0] > state->stop_t_ns[1])
        return "the clock stood still for less than no time";
    if (state->phase == PHASE_PLAY &&
        (state->paused || state->health != 0) != (state->stopped_since_t_ns >= 0))
        return "the clock runs in a pause, or stands in play";
    return NULL;
}

const char *referee_state_check(const struct match_state *state)
{
    if (state->phase == PHASE_NONE)
        return NULL;
    if ((unsigned)state->phase > PHASE_ABANDONED || (unsigned)state->game >= GAME_COUNT)
        return "no such phase or game";
    if (state->players < 1 || state->players > PLAYERS_MAX || state->piles < 0 ||
        state->piles > PILES_MAX)
        return "more players or piles than there are";
    const char *fault = check_cards(state);
    for (int i = 0; i < PLAYERS_MAX && !fault; i++) {
        if (i < state->players)
            fault = check_player(state, i);
        if (!fault)
            fault = check_claim(state, i);
    }
    return fault ? fault : check_times(state);
}
