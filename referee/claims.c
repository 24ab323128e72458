/* referee/claims.c: claims, and layouts that claim by themselves, until they are settled.
 *
 * Each claim goes its own way to a verdict (claims_judge.c): what is judged is what lay there when
 * it was made. What follows from the verdicts is said in the order in which the claims were made,
 * one after the other: who was quicker is known before anybody pays for an error. */
#include "referee/claims.h"

#include <string.h>

static int player_count(const struct match_state *state)
{
    return state->players < PLAYERS_MAX ? state->players : PLAYERS_MAX;
}

static uint8_t player_bit(int player)
{
    return (uint8_t)(1U << player);
}

static uint8_t seat_bit(const struct match_state *state, int player)
{
    int seat = state->player[player].seat;
    if (seat < 1 || seat > 8)
        return 0;
    return (uint8_t)(1U << (seat - 1));
}

static void claim_clear(struct claim *claim)
{
    memset(claim, 0, sizeof *claim);
}

/* --- What is said -------------------------------------------------------------------------------
 */

/* Seat, card and attempt of a claim. */
static void say_card(const struct match_state *state, int player, struct decision *said)
{
    const struct claim *claim = &state->claim[player];
    said->seat = state->player[player].seat;
    said->cause = claim->seq;
    said->attempt = claim->attempt;
    if (claim->pile < 0 || claim->pile >= PILES_MAX)
        return;
    const struct pile *pile = &state->pile[claim->pile];
    said->slot = pile->slot;
    if (pile->attempt == claim->attempt && pile->top >= 0 && pile->top < MATCH_CARDS_MAX) {
        const struct card *card = &state->card[pile->top].card;
        said->level = (int8_t)card->level;
        memcpy(said->card, card->id, sizeof said->card);
    }
}

static void say_verdict(struct step *step, int player, enum decision_kind kind, int policy)
{
    const struct claim *claim = &step->state->claim[player];
    struct decision *said = referee_say(step, kind);
    say_card(step->state, player, said);
    said->verdict = claim->verdict;
    said->forced = claim->was_forced;
    if (claim->was_forced)
        said->was = (enum ruling)claim->was;
    said->policy = (int8_t)policy;
    said->frame = claim->frame;
    memcpy(said->digest, claim->digest, sizeof said->digest);
    said->at_t_ns = claim->claimed_t_ns;
    memcpy(said->source, claim->source, sizeof said->source);
    said->claim_error_ns = claim->error_ns;
    if (claim->verdict.reasons & REASON_BIT(REASON_MOVED_AFTER_CLAIM))
        said->why = WHY_MOVED_AFTER_CLAIM;
    else if (claim->verdict.reasons & REASON_BIT(REASON_NOT_SETTLED))
        said->why = WHY_NOT_SETTLED;
}

void referee_claim_drop(struct step *step, int player, enum why why)
{
    struct claim *claim = &step->state->claim[player];
    if (!claim->automatic)
        say_card(step->state, player, referee_refuse(step, step->state->player[player].seat, why));
    claim_clear(claim);
}

/* A ruling that a person made themselves needs no second consent. */
static int policy_of(const struct match_state *state, const struct claim *claim)
{
    if (claim->was_forced || claim->verdict.ruling == RULING_CANNOT_TELL)
        return POLICY_ACCEPT;
    return claim->verdict.ruling == RULING_MATCH ? state->rules.value[OPTION_POLICY_MATCH]
                                                 : state->rules.value[OPTION_POLICY_ERROR];
}

/* --- Who was first ------------------------------------------------------------------------------
 */

/* Two claims closer than this may have been made the other way round. */
static int64_t doubt_ns(const struct match_state *state, const struct claim *a,
                        const struct claim *b)
{
    return time_add(frame_interval_ns(state), time_add(a->error_ns, b->error_ns));
}

static bool surely_before(const struct match_state *state, const struct claim *a,
                          const struct claim *b)
{
    return time_since(b->order_t_ns, a->order_t_ns) > doubt_ns(state, a, b);
}

static bool comes_before(const struct claim *a, const struct claim *b)
{
    return a->order_t_ns != b->order_t_ns ? a->order_t_ns < b->order_t_ns : a->seq < b->seq;
}

/* A match on the head's card that waits for its turn and would have an effect. */
static bool same_match(const struct match_state *state, int head, int player)
{
    const struct claim *first = &state->claim[head], *claim = &state->claim[player];
    return claim->stage == CLAIM_MATCHED && claim->attempt == first->attempt &&
           policy_of(state, claim) != POLICY_LOG &&
           referee_may_win(state, player, first->pile) == WHY_NONE;
}

/* The players whose claims may have been the first of the matches on the head's card: those before
 * which no other surely was. The head is one of them. */
static uint8_t first_players(const struct match_state *state, int head)
{
    const struct claim *claim = state->claim;
    uint8_t first = 0;
    for (int i = 0; i < player_count(state); i++) {
        bool beaten = !same_match(state, head, i);
        for (int j = 0; j < player_count(state) && !beaten; j++)
            beaten =
                j != i && same_match(state, head, j) && surely_before(state, &claim[j], &claim[i]);
        if (!beaten)
            first |= player_bit(i);
    }
    return first;
}

/* A claim that is not judged yet may turn out to be on the head's card, and first. */
static bool rival_unjudged(const struct match_state *state, int head)
{
    const struct claim *first = &state->claim[head];
    for (int i = 0; i < player_count(state); i++) {
        const struct claim *claim = &state->claim[i];
        if (i != head && claim->stage == CLAIM_WAITING && !claim_judged(claim) &&
            (claim->attempt == first->attempt || claim->attempt == 0) &&
            !surely_before(state, first, claim))
            return true;
    }
    return false;
}

/* Is it sure that no earlier claim can still come, nor one that ties? Of claims, when the slowest
 * clock's error is over. Of layouts, when what was first seen one frame later, the last that ties,
 * has settled: that is settled in the settle_frames'th frame after this one's first, which was
 * looked at when a time half a frame before it was (frames do not come to the microsecond). */
static bool hold_over(const struct match_state *state, const struct claim *claim)
{
    int64_t frame_ns = frame_interval_ns(state);
    if (claim->automatic)
        return state->seen_t_ns >=
               time_add(claim->order_t_ns, settle_time_ns(state) - frame_ns / 2);
    int64_t error_ns = (int64_t)state->rules.value[OPTION_CLAIM_ERROR] * NS_PER_MS;
    return state->t_ns >=
           time_add(time_add(claim->order_t_ns, claim->error_ns), frame_ns + error_ns);
}

/* --- What follows -------------------------------------------------------------------------------
 */

/* The claim that came next on the same card, unless it was wrong; -1 when there was none. */
static int next_claim(const struct match_state *state, int winner, uint8_t winners)
{
    const struct claim *won = &state->claim[winner];
    int next = -1;
    for (int i = 0; i < player_count(state); i++) {
        const struct claim *claim = &state->claim[i];
        bool wrong = claim_judged(claim) && claim->verdict.ruling != RULING_MATCH;
        if ((winners & player_bit(i)) || claim->stage == CLAIM_NONE || wrong ||
            claim->attempt != won->attempt || comes_before(claim, won))
            continue;
        if (next < 0 || comes_before(claim, &state->claim[next]))
            next = i;
    }
    return next;
}

/* The claims of these players (bits) win their card together; `first` is the earliest. */
static void claims_win(struct step *step, int first, uint8_t players)
{
    struct match_state *state = step->state;
    const struct claim claim = state->claim[first];
    int next = next_claim(state, first, players);
    struct decision won;
    memset(&won, 0, sizeof won);
    won.cause = claim.seq;
    won.forced = claim.was_forced;
    won.at_t_ns = claim.claimed_t_ns;
    won.margin_ns = -1;
    won.error_ns = time_add(frame_interval_ns(state), claim.error_ns);
    if (next >= 0) {
        won.margin_ns = time_since(state->claim[next].order_t_ns, claim.order_t_ns);
        won.error_ns = doubt_ns(state, &claim, &state->claim[next]);
    }
    for (int i = 0; i < player_count(state); i++)
        if (players & player_bit(i))
            claim_clear(&state->claim[i]);
    referee_card_win(step, claim.pile, players, &won);
}

static void claim_err(struct step *step, int player)
{
    const struct claim claim = step->state->claim[player];
    /* While the ruling waited for a person, that person made them pay already. */
    if (claim.pile >= 0 && step->state->pile[claim.pile].out & player_bit(player)) {
        referee_claim_drop(step, player, WHY_OUT);
        return;
    }
    claim_clear(&step->state->claim[player]);
    referee_player_err(step, player, claim.pile, claim.seq);
}

static void claim_effect(struct step *step, int player)
{
    switch (step->state->claim[player].verdict.ruling) {
    case RULING_MATCH:
        claims_win(step, player, player_bit(player));
        break;
    case RULING_NO_MATCH:
        /* A layout of which nobody said that it matches is no error. */
        if (!step->state->claim[player].automatic) {
            claim_err(step, player);
            break;
        }
        claim_clear(&step->state->claim[player]);
        break;
    case RULING_CANNOT_TELL:
        claim_clear(&step->state->claim[player]);
        break;
    }
}

/* The head's verdict is said, and has its effect or waits for a person. */
static void claim_rule(struct step *step, int player)
{
    struct claim *claim = &step->state->claim[player];
    int policy = policy_of(step->state, claim);
    say_verdict(step, player, DECISION_VERDICT, policy);
    if (policy == POLICY_CONFIRM) {
        claim->stage = CLAIM_ASKING;
        say_verdict(step, player, DECISION_ASKED, policy);
    } else if (policy == POLICY_LOG) {
        claim_clear(claim);
    } else {
        claim_effect(step, player);
    }
}

static void say_tie(struct step *step, int head, uint8_t players)
{
    const struct match_state *state = step->state;
    const struct claim *first = &state->claim[head];
    struct decision *said = referee_say(step, DECISION_TIE);
    say_card(state, head, said);
    said->seat = 0;
    said->at_t_ns = first->claimed_t_ns;
    for (int i = 0; i < player_count(state); i++) {
        const struct claim *claim = &state->claim[i];
        if (!(players & player_bit(i)))
            continue;
        said->seats |= seat_bit(state, i);
        int64_t margin_ns = time_since(claim->order_t_ns, first->order_t_ns);
        if (margin_ns > said->margin_ns)
            said->margin_ns = margin_ns;
        for (int j = 0; j < i; j++)
            if ((players & player_bit(j)) &&
                doubt_ns(state, claim, &state->claim[j]) > said->error_ns)
                said->error_ns = doubt_ns(state, claim, &state->claim[j]);
    }
}

/* Several may have been first. A person decides when the rules say so, and also where a person has
 * the last word on matches anyway. */
static void claims_tie(struct step *step, int head, uint8_t players)
{
    struct match_state *state = step->state;
    const struct claim first = state->claim[head];
    int tie = state->rules.value[OPTION_TIE];
    for (int i = 0; i < player_count(state); i++) {
        if (!(players & player_bit(i)))
            continue;
        int policy = policy_of(state, &state->claim[i]);
        tie = policy == POLICY_CONFIRM ? TIE_REVIEW : tie;
        say_verdict(step, i, DECISION_VERDICT, policy);
    }
    say_tie(step, head, players);
    if (tie == TIE_SHARE) {
        claims_win(step, head, players);
        return;
    }
    for (int i = 0; i < player_count(state); i++) {
        if (!(players & player_bit(i)))
            continue;
        if (tie == TIE_REPLAY_CARD)
            claim_clear(&state->claim[i]);
        else
            state->claim[i].stage = CLAIM_TIED;
    }
    if (tie == TIE_REPLAY_CARD)
        referee_card_replay(step, first.pile, first.seq);
}

/* --- The queue ----------------------------------------------------------------------------------
 */

/* The earliest claim; -1 when there is none, or when a person has the word. */
static int queue_head(const struct match_state *state)
{
    int head = -1;
    for (int i = 0; i < player_count(state); i++) {
        const struct claim *claim = &state->claim[i];
        if (claim->stage == CLAIM_ASKING || claim->stage == CLAIM_TIED)
            return -1;
        if (claim->stage != CLAIM_NONE && (head < 0 || comes_before(claim, &state->claim[head])))
            head = i;
    }
    return head;
}

/* Why the head cannot be ruled on any more; WHY_NONE when it can. A verdict that changes nothing
 * needs no card. */
static enum why head_fault(const struct match_state *state, int head)
{
    const struct claim *claim = &state->claim[head];
    if (claim->pile < 0)
        return claim->verdict.ruling == RULING_CANNOT_TELL ? WHY_NONE : WHY_LATE;
    if (state->pile[claim->pile].attempt != claim->attempt)
        return WHY_LATE;
    return referee_may_win(state, head, claim->pile);
}

/* Rules on the head of the queue, if that can be. False when it must wait. */
static bool queue_step(struct step *step)
{
    const struct match_state *state = step->state;
    int head = queue_head(state);
    if (head < 0 || !claim_judged(&state->claim[head]))
        return false;
    const struct claim *claim = &state->claim[head];
    bool match = claim->verdict.ruling == RULING_MATCH;
    if ((match || claim->automatic) && !hold_over(state, claim))
        return false;
    enum why fault = head_fault(state, head);
    if (fault != WHY_NONE) {
        referee_claim_drop(step, head, fault);
        return true;
    }
    if (!match || policy_of(state, claim) == POLICY_LOG) {
        claim_rule(step, head);
        return true;
    }
    if (rival_unjudged(state, head))
        return false;
    uint8_t first = first_players(state, head);
    if (first == player_bit(head))
        claim_rule(step, head);
    else
        claims_tie(step, head, first);
    return true;
}

/* The picture is not to be trusted: nothing is ruled. A layout that waited for whoever was earlier
 * waits for what cannot be seen any more: it comes anew, as all do, when the picture is back. */
static void run_frozen(struct step *step)
{
    struct match_state *state = step->state;
    for (int i = 0; i < player_count(state); i++) {
        struct claim *claim = &state->claim[i];
        if (claim->automatic && (claim->stage == CLAIM_WAITING || claim->stage == CLAIM_MATCHED) &&
            !hold_over(state, claim))
            claim_clear(claim);
        if (state->paused)
            continue;
        referee_claim_blind(step, i);
        if (claim->stage == CLAIM_WAITING && claim_judged(claim) &&
            claim->verdict.ruling == RULING_CANNOT_TELL && (claim->verdict.reasons & state->health))
            claim_rule(step, i);
    }
}

static void scan_all(struct step *step)
{
    const struct match_state *state = step->state;
    if (state->rules.value[OPTION_CLAIMS] != CLAIMS_AUTO || state->phase != PHASE_PLAY)
        return;
    for (int i = 0; i < player_count(state); i++)
        referee_claim_scan(step, i);
}

static void run_play(struct step *step)
{
    struct match_state *state = step->state;
    bool any = false;
    for (int i = 0; i < player_count(state); i++)
        referee_claim_look(step, i);
    if (state->paused)
        return;
    scan_all(step);
    for (int i = 0; i < player_count(state); i++)
        any = any || state->claim[i].stage != CLAIM_NONE;
    /* Each round settles at least one claim. */
    for (int round = 0; any && round < PLAYERS_MAX && state->phase == PHASE_PLAY; round++)
        any = queue_step(step);
    /* What lies there may be what the next card shows; it counts from when that came. */
    scan_all(step);
}

void referee_claims_run(struct step *step)
{
    if (step->state->phase != PHASE_PLAY)
        return;
    if (step->state->health)
        run_frozen(step);
    else
        run_play(step);
}

/* Is any card in play but that of this attempt? */
static bool other_open(const struct match_state *state, uint64_t attempt)
{
    for (int i = 0; i < state->piles && i < PILES_MAX; i++)
        if (state->pile[i].attempt != 0 && state->pile[i].attempt != attempt)
            return true;
    return false;
}

void referee_claims_close(struct step *step, uint64_t attempt)
{
    const struct match_state *state = step->state;
    for (int i = 0; i < player_count(state); i++) {
        struct claim *claim = &step->state->claim[i];
        /* A claim on any card goes with the last of those that lay there when it was made. */
        bool closed =
            claim->attempt == attempt || (claim->attempt == 0 && !other_open(state, attempt));
        if (claim->stage == CLAIM_NONE || !closed)
            continue;
        /* What was said of a claim that a person had the word on stands; only its card is gone. */
        if (claim->stage == CLAIM_ASKING || claim->stage == CLAIM_TIED)
            claim_clear(claim);
        else
            referee_claim_drop(step, i, WHY_LATE);
    }
}

/* --- What a layout or a person says -------------------------------------------------------------
 */

void referee_claim_layout(struct step *step)
{
    struct match_state *state = step->state;
    int player = referee_player_at(state, step->event->layout.seat.seat);
    if (player >= 0 && state->phase == PHASE_PLAY && !state->health)
        referee_claim_look(step, player);
}

void referee_claim_confirm(struct step *step)
{
    struct match_state *state = step->state;
    const struct event_act *act = &step->event->act;
    for (int i = 0; i < player_count(state); i++) {
        if (state->claim[i].stage != CLAIM_ASKING || state->claim[i].seq != act->cause)
            continue;
        if (act->agree)
            claim_effect(step, i);
        else
            claim_clear(&state->claim[i]);
        return;
    }
    referee_refuse(step, 0, WHY_NOTHING_ASKED);
}

/* The players of a set of seats. */
static uint8_t players_at(const struct match_state *state, uint8_t seats)
{
    uint8_t players = 0;
    for (int i = 0; i < player_count(state); i++)
        if (seats & seat_bit(state, i))
            players |= player_bit(i);
    return players;
}

void referee_claim_decide(struct step *step)
{
    struct match_state *state = step->state;
    const struct event_act *act = &step->event->act;
    uint8_t tied = 0, seats = 0, winners = players_at(state, act->seats);
    int first = -1;
    for (int i = 0; i < player_count(state); i++) {
        if (state->claim[i].stage != CLAIM_TIED || state->claim[i].attempt != act->cause)
            continue;
        tied |= player_bit(i);
        seats |= seat_bit(state, i);
        if ((winners & player_bit(i)) &&
            (first < 0 || comes_before(&state->claim[i], &state->claim[first])))
            first = i;
    }
    if (!tied || (act->seats & ~seats)) {
        referee_refuse(step, 0, tied ? WHY_BAD_VALUE : WHY_NOTHING_ASKED);
        return;
    }
    for (int i = 0; i < player_count(state); i++)
        if ((tied & player_bit(i)) && !(winners & player_bit(i)))
            claim_clear(&state->claim[i]);
    if (first >= 0)
        claims_win(step, first, winners);
}
