/* referee/play.c: cards that come into play, are won, set aside or lost, and what follows. Pure. */
#include "referee/play.h"

#include <string.h>

#define NS_PER_US 1000
#define NS_PER_MS 1000000
#define NS_PER_S 1000000000

/* Piles are fewer than eight, so that an attempt's number holds both. */
#define ATTEMPT_PILES 8
_Static_assert(PILES_MAX <= ATTEMPT_PILES, "the number of an attempt holds its pile");

static bool own_stacks(const struct match_state *state)
{
    return state->rules.value[OPTION_OWN_STACKS] != 0;
}

struct decision *referee_play_say(struct step *step, enum decision_kind kind, int pile)
{
    const struct match_state *state = step->state;
    const struct pile *from = &state->pile[pile];
    struct decision *said = referee_say(step, kind);
    said->attempt = from->attempt;
    said->slot = from->slot;
    if (from->owner >= 0)
        said->seat = state->player[from->owner].seat;
    if (from->top >= 0) {
        const struct card *card = &state->card[from->top].card;
        said->level = (int8_t)card->level;
        memcpy(said->card, card->id, sizeof said->card);
    }
    return said;
}

/* --- Into play ---------------------------------------------------------------------------------
 */

void referee_play_open(struct step *step, int pile, int card)
{
    struct match_state *state = step->state;
    struct pile *on = &state->pile[pile];
    on->attempt = step->event->seq * ATTEMPT_PILES + (unsigned)pile;
    on->top = (int16_t)card;
    on->left--;
    on->opened_t_ns = state->t_ns;
    on->opened_clock_ns = referee_state_clock_ns(state);
    on->out = on->gave_up = 0;
    on->differs = false;
    state->card[card].place = CARD_IN_PLAY;
    state->card[card].attempt = on->attempt;
    referee_play_say(step, DECISION_CARD, pile);
}

void referee_pile_turn(struct step *step, int pile)
{
    const struct match_state *state = step->state;
    const struct pile *on = &state->pile[pile];
    /* In a pause nobody shall study the next card; it comes when play goes on. And an event opens a
     * pile once, or two attempts would have one number: the card after that comes with the next. */
    if (on->top >= 0 || on->left == 0 || !referee_in_play(state) ||
        on->last_attempt / ATTEMPT_PILES == state->seq)
        return;
    for (int i = 0; i < state->cards; i++)
        if (state->card[i].pile == pile && state->card[i].place == CARD_IN_STACK) {
            referee_play_open(step, pile, i);
            return;
        }
}

void referee_cards_turn(struct step *step)
{
    for (int i = 0; i < step->state->piles; i++)
        referee_pile_turn(step, i);
}

/* --- Who may -----------------------------------------------------------------------------------
 */

static bool level_allows(const struct match_state *state, int player, int pile)
{
    const struct pile *on = &state->pile[pile];
    return on->top >= 0 && (on->owner < 0 || on->owner == player) &&
           state->card[on->top].card.level >= state->rules.handicap[player].min_level;
}

/* A bar keeps the first card for those who did not start early. Where none of them could win any
 * card in play it keeps it for nobody, and falls. */
static bool bar_holds(const struct match_state *state)
{
    for (int p = 0; p < state->players; p++)
        for (int i = 0; i < state->piles && !state->player[p].barred; i++)
            if (level_allows(state, p, i))
                return true;
    return false;
}

enum why referee_may_win(const struct match_state *state, int player, int pile)
{
    const struct pile *on = &state->pile[pile];
    if (on->top < 0 || (on->owner >= 0 && on->owner != player))
        return WHY_NO_CARD_IN_PLAY;
    if (on->out >> player & 1)
        return WHY_OUT;
    if (state->player[player].barred && bar_holds(state))
        return WHY_BARRED;
    return level_allows(state, player, pile) ? WHY_NONE : WHY_BELOW_LEVEL;
}

unsigned referee_play_hopeful(const struct match_state *state, int pile)
{
    unsigned hopeful = 0;
    for (int p = 0; p < state->players; p++)
        if (referee_may_win(state, p, pile) == WHY_NONE)
            hopeful |= 1U << p;
    return hopeful;
}

int referee_play_pile_at(const struct match_state *state, int slot, int player)
{
    if (slot == 0 && own_stacks(state) && player >= 0)
        return player;
    if (slot == 0)
        return state->piles == 1 ? 0 : -1;
    for (int i = 0; i < state->piles; i++)
        if (state->pile[i].slot == slot)
            return i;
    return -1;
}

int referee_pile_meant(const struct match_state *state, int slot, int player, enum why *why)
{
    int meant = referee_play_pile_at(state, slot, player), open = 0;
    for (int i = 0; i < state->piles && slot == 0 && !own_stacks(state); i++)
        if (state->pile[i].top >= 0) {
            meant = i;
            open++;
        }
    if (meant < 0 || open > 1) {
        *why =
            slot == 0 && open == 0 && !own_stacks(state) ? WHY_NO_CARD_IN_PLAY : WHY_UNKNOWN_SLOT;
        return -1;
    }
    *why = state->pile[meant].top >= 0 ? WHY_NONE : WHY_NO_CARD_IN_PLAY;
    return *why == WHY_NONE ? meant : -1;
}

/* --- The end -----------------------------------------------------------------------------------
 */

static bool pile_gone(const struct match_state *state, int pile)
{
    return state->pile[pile].top < 0 && state->pile[pile].left == 0;
}

/* Own stacks: this player has won every card of their pile. */
static bool pile_won(const struct match_state *state, int pile)
{
    if (!pile_gone(state, pile))
        return false;
    for (int i = 0; i < state->cards; i++)
        if (state->card[i].pile == pile && state->card[i].place != CARD_WON)
            return false;
    return true;
}

/* Another player's last card is being ruled on: whoever claimed first has finished first, so the
 * match waits for that verdict. */
static bool finish_disputed(const struct match_state *state)
{
    for (int i = 0; i < state->piles; i++)
        if (state->pile[i].top >= 0 && state->pile[i].left == 0 &&
            state->claim[i].stage != CLAIM_NONE)
            return true;
    return false;
}

static bool match_done(const struct match_state *state)
{
    bool gone = true, won = false;
    for (int i = 0; i < state->piles; i++) {
        gone &= pile_gone(state, i);
        won |= own_stacks(state) && pile_won(state, i);
    }
    return gone || (won && !finish_disputed(state));
}

/* --- Out of play -------------------------------------------------------------------------------
 */

/* The card of a pile has left it: who was through at what time, the claims on it, the next card,
 * the end. */
static void pile_next(struct step *step, int pile, int64_t clock_ns)
{
    struct match_state *state = step->state;
    struct pile *on = &state->pile[pile];
    uint64_t attempt = on->attempt;
    on->last_attempt = attempt;
    on->attempt = 0;
    on->top = -1;
    on->out = on->gave_up = 0;
    on->differs = false;
    referee_claims_close(step, attempt);
    if (on->owner >= 0 && on->left == 0)
        state->player[on->owner].finished_clock_ns = clock_ns;
    referee_score(state);
    if (match_done(state))
        referee_match_end(step);
    else
        referee_pile_turn(step, pile);
}

static int64_t took_ns(const struct match_state *state, int pile, int64_t clock_ns)
{
    int64_t took = clock_ns - state->pile[pile].opened_clock_ns;
    return took > 0 ? took : 0;
}

/* One holder less; a card that nobody holds any more is set aside. */
static void holder_drop(struct match_state *state, struct match_card *card, int player)
{
    card->holders &= (uint8_t) ~(1U << player);
    state->player[player].lost++;
    if (card->holders == 0) {
        card->place = CARD_SET_ASIDE;
        card->won_order = 0;
    }
}

/* A card that was owed is given as soon as one is won. */
static void owed_pay(struct step *step, int pile, uint8_t players, uint64_t cause)
{
    struct match_state *state = step->state;
    struct match_card *card = &state->card[state->pile[pile].top];
    for (int p = 0; p < state->players; p++) {
        if (!(players >> p & 1) || !state->player[p].owes)
            continue;
        state->player[p].owes = false;
        holder_drop(state, card, p);
        struct decision *said = referee_play_say(step, DECISION_PENALTY, pile);
        said->seat = state->player[p].seat;
        said->why = WHY_OWED;
        said->cause = cause;
    }
}

static void win_say(struct step *step, int pile, uint8_t players, const struct decision *won)
{
    const struct match_state *state = step->state;
    struct decision *said = referee_play_say(step, DECISION_WIN, pile);
    said->seat = 0;
    said->margin_ns = won ? won->margin_ns : -1;
    said->took_ns = state->card[state->pile[pile].top].took_ns;
    said->at_t_ns = won ? won->at_t_ns : state->t_ns;
    if (won) {
        said->error_ns = won->error_ns;
        said->cause = won->cause;
        said->why = won->why;
    }
    for (int p = 0; p < state->players; p++)
        if (players >> p & 1)
            said->seats |= (uint8_t)(1U << (state->player[p].seat - 1));
    if ((said->seats & (said->seats - 1)) != 0)
        return;
    for (int p = 0; p < state->players; p++) /* one alone */
        if (players >> p & 1)
            said->seat = state->player[p].seat;
    said->seats = 0;
}

void referee_card_win(struct step *step, int pile, uint8_t players, const struct decision *won)
{
    struct match_state *state = step->state;
    players &= (uint8_t)((1U << state->players) - 1);
    if (pile < 0 || pile >= state->piles || state->pile[pile].top < 0 || players == 0)
        return;
    struct match_card *card = &state->card[state->pile[pile].top];
    int64_t clock_ns = referee_state_clock_at_ns(state, won ? won->at_t_ns : state->t_ns);
    card->took_ns = took_ns(state, pile, clock_ns);
    card->place = CARD_WON;
    card->holders = players;
    card->won_order = ++state->wins;
    win_say(step, pile, players, won);
    for (int p = 0; p < state->players; p++)
        state->player[p].barred = false;
    owed_pay(step, pile, players, won ? won->cause : step->event->seq);
    pile_next(step, pile, clock_ns);
}

void referee_card_set_aside(struct step *step, int pile, enum why why, uint64_t cause)
{
    struct match_state *state = step->state;
    if (pile < 0 || pile >= state->piles || state->pile[pile].top < 0)
        return;
    struct match_card *card = &state->card[state->pile[pile].top];
    int64_t clock_ns = referee_state_clock_ns(state);
    card->took_ns = took_ns(state, pile, clock_ns);
    card->place = CARD_SET_ASIDE;
    struct decision *said = referee_play_say(step, DECISION_SET_ASIDE, pile);
    said->why = why;
    said->cause = cause;
    said->took_ns = card->took_ns;
    pile_next(step, pile, clock_ns);
}

void referee_card_replay(struct step *step, int pile, uint64_t cause)
{
    struct match_state *state = step->state;
    if (pile < 0 || pile >= state->piles || state->pile[pile].top < 0)
        return;
    referee_deal_more(state, pile);
    referee_card_set_aside(step, pile, WHY_TIED, cause);
}

/* --- Errors ------------------------------------------------------------------------------------
 */

/* A claim that this card may still be won by. */
static bool card_claimed(const struct match_state *state, int pile)
{
    for (int p = 0; p < state->players; p++)
        if (state->claim[p].stage != CLAIM_NONE &&
            (state->claim[p].attempt == 0 || state->claim[p].attempt == state->pile[pile].attempt))
            return true;
    return false;
}

void referee_play_given_up(struct step *step, int pile, uint64_t cause)
{
    const struct pile *on = &step->state->pile[pile];
    if (on->gave_up && !card_claimed(step->state, pile) &&
        (referee_play_hopeful(step->state, pile) & ~(unsigned)on->gave_up) == 0)
        referee_card_set_aside(step, pile, WHY_GIVEN_UP, cause);
}

/* Quick-Play: out for this card. */
static void err_out(struct step *step, int player, int pile, uint64_t cause)
{
    struct match_state *state = step->state;
    struct pile *on = &state->pile[pile];
    on->out |= (uint8_t)(1U << player);
    struct decision *said = referee_play_say(step, DECISION_OUT, pile);
    said->seat = state->player[player].seat;
    said->cause = cause;
    if (referee_play_hopeful(state, pile) != 0) {
        referee_play_given_up(step, pile, cause);
        return;
    }
    if (state->rules.value[OPTION_ALL_OUT] == ALL_OUT_REOPEN) {
        on->out = on->gave_up = 0;
        if (referee_play_hopeful(state, pile) != 0) {
            said = referee_play_say(step, DECISION_CARD, pile);
            said->why = WHY_ALL_OUT;
            said->cause = cause;
            return;
        }
    }
    referee_card_set_aside(step, pile, WHY_ALL_OUT, cause);
}

/* Total Madness: the last card won, or the next one. */
static void err_lose(struct step *step, int player, int pile, uint64_t cause)
{
    struct match_state *state = step->state;
    struct match_card *last = NULL;
    for (int i = 0; i < state->cards; i++) {
        struct match_card *card = &state->card[i];
        if (card->place == CARD_WON && (card->holders >> player & 1) &&
            (!last || card->won_order > last->won_order))
            last = card;
    }
    if (!last && state->player[player].owes)
        return;
    struct decision *said = referee_say(step, DECISION_PENALTY);
    said->seat = state->player[player].seat;
    said->cause = cause;
    if (pile >= 0)
        said->attempt = state->pile[pile].attempt;
    if (!last) {
        state->player[player].owes = true;
        said->why = WHY_OWED;
        return;
    }
    said->why = WHY_LOST;
    said->slot = state->pile[last->pile].slot;
    said->level = (int8_t)last->card.level;
    memcpy(said->card, last->card.id, sizeof said->card);
    holder_drop(state, last, player);
    referee_score(state);
}

void referee_player_err(struct step *step, int player, int pile, uint64_t cause)
{
    struct match_state *state = step->state;
    state->player[player].errors++;
    if (state->game == GAME_TOTAL_MADNESS)
        err_lose(step, player, pile, cause);
    else if (!own_stacks(state) && pile >= 0 && state->pile[pile].top >= 0)
        err_out(step, player, pile, cause);
}

/* --- Time --------------------------------------------------------------------------------------
 */

/* How long after a card's time is up a claim that was made in time may still come: until its layout
 * has settled, or its source has told. */
static int64_t late_ns(const struct match_state *state)
{
    const int32_t *value = state->rules.value;
    return (int64_t)value[OPTION_FRAME_INTERVAL] * NS_PER_US * (value[OPTION_SETTLE_FRAMES] + 1) +
           (int64_t)value[OPTION_CLAIM_ERROR] * NS_PER_MS;
}

bool referee_card_over(const struct match_state *state, int pile, int64_t t_ns, int64_t error_ns)
{
    int64_t time_ns = (int64_t)state->rules.value[OPTION_CARD_TIME] * NS_PER_S;
    const struct pile *on = &state->pile[pile];
    return time_ns > 0 && on->top >= 0 &&
           referee_state_clock_at_ns(state, t_ns) - on->opened_clock_ns - error_ns > time_ns;
}

/* A printed card of a level that the handicaps keep from everybody would lie there for ever. */
static bool card_hopeless(const struct match_state *state, int pile)
{
    if (state->pile[pile].attempt / ATTEMPT_PILES != state->seq)
        return false; /* looked at when it was opened */
    for (int p = 0; p < state->players; p++)
        if (level_allows(state, p, pile))
            return false;
    return true;
}

/* Does a card wait for a pile that shows none? Cards that left the stack and those still to come
 * make up the match, so what is over is in the stack and known. */
static bool card_waits(const struct match_state *state)
{
    int still = 0;
    bool free = false;
    for (int i = 0; i < state->piles; i++) {
        still += state->pile[i].left;
        free |= state->pile[i].top < 0 && state->pile[i].left > 0;
    }
    return free && state->cards + still > state->dealt;
}

static void card_limits(struct step *step)
{
    struct match_state *state = step->state;
    int64_t time_ns = (int64_t)state->rules.value[OPTION_CARD_TIME] * NS_PER_S;
    int64_t clock_ns = time_ns ? referee_state_clock_ns(state) - time_ns - late_ns(state) : -1;
    for (int i = 0; i < state->piles && state->phase == PHASE_PLAY; i++) {
        const struct pile *on = &state->pile[i];
        if (on->top < 0)
            continue;
        if (card_hopeless(state, i))
            referee_card_set_aside(step, i, WHY_BELOW_LEVEL, state->seq);
        else if (clock_ns >= on->opened_clock_ns && !card_claimed(state, i))
            referee_card_set_aside(step, i, WHY_TIME, state->seq);
        else
            referee_play_given_up(step, i, on->gave_up_seq);
    }
}

void referee_limits(struct step *step)
{
    struct match_state *state = step->state;
    card_limits(step);
    if (state->phase != PHASE_PLAY)
        return;
    if (own_stacks(state) && match_done(state))
        referee_match_end(step);
    else if (card_waits(state))
        referee_cards_turn(step);
}
