/* referee/claims_judge.c: which layout a claim is judged by, against which card, and how. */
#include "referee/claims.h"

#include <string.h>

/* Nobody sees a card turned, compares their layout with it and calls in less: what is called so
 * soon after was meant for the card before. Seeing a light and pressing a key alone takes as long.
 */
#define REACTION_NS (250 * (int64_t)NS_PER_MS)

/* Without ticks nothing tells how far the frames were looked at; then the event's own time ends a
 * claim after twice its window, and at least so long after everything should have settled. */
#define NO_TICK_NS (2000 * (int64_t)NS_PER_MS)

/* No block gets to its place and no hand away from it in less: so much of what came before a claim
 * need not have been seen. */
#define UNSEEN_NS (50 * (int64_t)NS_PER_MS)

static int64_t window_ns(const struct match_state *state)
{
    return (int64_t)state->rules.value[OPTION_CLAIM_WINDOW] * NS_PER_MS;
}

/* Is the time over in which a layout for the claim can still settle? */
static bool window_over(const struct match_state *state, const struct claim *claim)
{
    int64_t window = window_ns(state);
    int64_t seen_until = time_add(claim->claimed_t_ns, window + settle_time_ns(state));
    int64_t patience = 2 * window < NO_TICK_NS ? NO_TICK_NS : 2 * window;
    return state->seen_t_ns >= seen_until || state->t_ns >= time_add(claim->claimed_t_ns, patience);
}

/* The last time at which blocks of the seat moved, as far as that is known. */
static int64_t blocks_moved_ns(const struct seat_view *view)
{
    int64_t moved = view->motion_t_ns;
    return view->known && view->moved_t_ns > moved ? view->moved_t_ns : moved;
}

/* What moved within a frame interval of the claim may have moved before it. */
static bool moved_after(const struct match_state *state, const struct claim *claim)
{
    return blocks_moved_ns(&state->view[claim - state->claim]) >
           time_add(claim->claimed_t_ns, frame_interval_ns(state));
}

/* A claim is quicker than the frames: as long as those of its time were not looked at, a last block
 * may be on its way to its place. A settled layout was looked at for as long as that takes. */
static bool seen_enough(const struct match_state *state, const struct claim *claim,
                        int64_t seen_t_ns)
{
    const struct seat_view *view = &state->view[claim - state->claim];
    int64_t unseen = frame_interval_ns(state);
    int64_t seen = time_add(view->first_t_ns, settle_time_ns(state) - unseen);
    if (seen_t_ns > seen)
        seen = seen_t_ns;
    return time_add(seen, unseen < UNSEEN_NS ? unseen : UNSEEN_NS) >= claim->claimed_t_ns;
}

/* Nothing hides the layout. */
static bool view_open(const struct seat_view *view)
{
    return view->known &&
           (view->layout.state == SEAT_COMPLETE || view->layout.state == SEAT_INCOMPLETE ||
            view->layout.state == SEAT_EMPTY);
}

static void card_judge(const struct match_state *state, const struct seat_view *view,
                       const struct match_card *card, struct verdict *out)
{
    enum rotation rotation =
        state->rules.value[OPTION_ROTATION] == ROTATE_SEAT ? ROTATION_SEAT : ROTATION_ANY;
    referee_judge(&view->layout, card->card.id, &card->card.grid, rotation, out);
}

static bool pile_open(const struct match_state *state, int pile)
{
    const struct pile *p = &state->pile[pile];
    return p->attempt != 0 && p->top >= 0 && p->top < MATCH_CARDS_MAX;
}

static void pile_judge(const struct match_state *state, const struct seat_view *view, int pile,
                       struct verdict *out)
{
    card_judge(state, view, &state->card[state->pile[pile].top], out);
}

/* --- Late ---------------------------------------------------------------------------------------
 */

/* Does the layout show the card that lay on the pile before? */
static bool shows_last_card(const struct match_state *state, const struct seat_view *view, int pile)
{
    uint64_t last = state->pile[pile].last_attempt;
    struct verdict verdict;
    if (last == 0)
        return false;
    for (int i = 0; i < state->cards && i < MATCH_CARDS_MAX; i++)
        if (state->card[i].attempt == last) {
            card_judge(state, view, &state->card[i], &verdict);
            if (verdict.ruling == RULING_MATCH)
                return true;
        }
    return false;
}

/* A layout that is not the card's may have been right for the card that has just gone, whose winner
 * was quicker, or whose winner pressed twice. Then nobody erred. `named`: the pile, or -1. */
static bool meant_other_card(const struct match_state *state, const struct claim *claim,
                             const struct seat_view *view, int named)
{
    int64_t earliest = time_since(claim->claimed_t_ns, claim->error_ns);
    struct verdict verdict;
    for (int i = 0; i < state->piles && i < PILES_MAX; i++) {
        const struct pile *pile = &state->pile[i];
        if (named >= 0 && i != named)
            continue;
        if (pile->last_attempt != 0 && time_since(earliest, pile->opened_t_ns) < REACTION_NS)
            return true;
        if (shows_last_card(state, view, i))
            return true;
        if (pile->opened_t_ns <= claim->claimed_t_ns || !pile_open(state, i))
            continue;
        pile_judge(state, view, i, &verdict);
        if (verdict.ruling == RULING_MATCH)
            return true;
    }
    return false;
}

/* --- One claim ----------------------------------------------------------------------------------
 */

/* The claim's verdict is reached. A person's ruling takes its place; both stand in the record. */
static void claim_judge(struct match_state *state, int player, int pile,
                        const struct verdict *verdict)
{
    struct claim *claim = &state->claim[player];
    claim->verdict = *verdict;
    claim->verdict.seat = state->player[player].seat;
    if (pile >= 0) {
        claim->pile = (int8_t)pile;
        claim->attempt = state->pile[pile].attempt;
    }
    if (claim->forced.set) {
        claim->was_forced = true;
        claim->was = (int8_t)verdict->ruling;
        claim->verdict.ruling = claim->forced.ruling;
        if (claim->verdict.ruling != verdict->ruling) {
            claim->verdict.reasons = 0;
            claim->verdict.wrong_cells = 0;
            memset(claim->verdict.wrong, 0, sizeof claim->verdict.wrong);
        }
    }
    if (claim->verdict.ruling == RULING_MATCH)
        claim->stage = CLAIM_MATCHED;
}

/* Cannot tell: no layout is there to be judged. */
static void claim_give_up(struct match_state *state, int player, uint64_t reasons)
{
    const struct claim *claim = &state->claim[player];
    struct verdict verdict;
    int pile = claim->pile;
    referee_judge_nothing(&state->view[player].layout, reasons, &verdict);
    /* Forced to a match by a person it needs a card; only one that is alone is meant beyond doubt,
     * else the first. */
    for (int i = 0; pile < 0 && i < state->piles && i < PILES_MAX; i++)
        if (claim->forced.set && pile_open(state, i) &&
            referee_may_win(state, player, i) == WHY_NONE)
            pile = i;
    if (pile >= 0 && pile_open(state, pile))
        memcpy(verdict.card, state->card[state->pile[pile].top].card.id, sizeof verdict.card);
    claim_judge(state, player, pile, &verdict);
}

/* Which of two verdicts on one layout counts, when no card was named? A match; else a doubt, which
 * may hide one; else the card that it comes nearest to. */
static bool verdict_before(const struct verdict *a, const struct verdict *b)
{
    static const int8_t rank[] = {
        [RULING_MATCH] = 0, [RULING_CANNOT_TELL] = 1, [RULING_NO_MATCH] = 2};
    if (a->ruling != b->ruling)
        return rank[a->ruling] < rank[b->ruling];
    return a->ruling == RULING_NO_MATCH && a->wrong_cells < b->wrong_cells;
}

/* No card named: any that was in play when the claim was made, and that this player may win. The
 * pile, or -1 when there is none. */
static int any_judge(const struct match_state *state, int player, struct verdict *best)
{
    const struct claim *claim = &state->claim[player];
    struct verdict verdict;
    int found = -1;
    for (int i = 0; i < state->piles && i < PILES_MAX; i++) {
        if (!pile_open(state, i) || state->pile[i].opened_t_ns > claim->claimed_t_ns ||
            referee_card_over(state, i, claim->claimed_t_ns, claim->error_ns) ||
            referee_may_win(state, player, i) != WHY_NONE)
            continue;
        pile_judge(state, &state->view[player], i, &verdict);
        if (found < 0 || verdict_before(&verdict, best)) {
            *best = verdict;
            found = i;
        }
    }
    return found;
}

/* Another card lies where the claimed one should: nobody knows which one was meant. */
static bool meant_unclear(const struct match_state *state, int named)
{
    bool unclear = false;
    for (int i = 0; i < state->piles && i < PILES_MAX; i++)
        unclear = unclear || (state->pile[i].differs && (named < 0 || named == i));
    return unclear;
}

/* Why a layout that is not the card's costs nothing; WHY_NONE when it is an error. */
static enum why no_error(const struct match_state *state, const struct claim *claim,
                         const struct seat_view *view, int named)
{
    if (meant_other_card(state, claim, view, named))
        return WHY_LATE;
    return meant_unclear(state, named) ? WHY_CARD_DIFFERS : WHY_NONE;
}

/* The claim is judged by what is seen of its seat now. */
static void claim_judge_view(struct step *step, int player)
{
    struct match_state *state = step->state;
    struct claim *claim = &state->claim[player];
    const struct seat_view *view = &state->view[player];
    struct verdict verdict = {0};
    int named = claim->pile, pile = named;
    if (named >= 0 && (!pile_open(state, named) || state->pile[named].attempt != claim->attempt))
        pile = -1;
    else if (named >= 0)
        pile_judge(state, view, named, &verdict);
    else
        pile = any_judge(state, player, &verdict);
    enum why why = pile < 0 ? WHY_LATE : WHY_NONE;
    if (why == WHY_NONE && verdict.ruling == RULING_NO_MATCH && !claim->forced.set)
        why = no_error(state, claim, view, named);
    if (why != WHY_NONE) {
        referee_claim_drop(step, player, why);
        return;
    }
    claim->frame = view->frame;
    memcpy(claim->digest, view->digest, sizeof claim->digest);
    claim_judge(state, player, pile, &verdict);
}

/* Why nothing could be judged within the window. */
static uint64_t unsettled_reasons(const struct match_state *state, const struct claim *claim)
{
    const struct seat_view *view = &state->view[claim - state->claim];
    if (view->known && !view_open(view) && view->layout.reasons)
        return view->layout.reasons;
    return moved_after(state, claim) ? REASON_BIT(REASON_MOVED_AFTER_CLAIM)
                                     : REASON_BIT(REASON_NOT_SETTLED);
}

/* A layout that settled only after the claim: it is the claimed one if only hands moved since. */
static void look_at_later(struct step *step, int player)
{
    struct match_state *state = step->state;
    const struct claim *claim = &state->claim[player];
    if (moved_after(state, claim))
        claim_give_up(state, player, REASON_BIT(REASON_MOVED_AFTER_CLAIM));
    else if (state->view[player].first_t_ns > time_add(claim->claimed_t_ns, window_ns(state)))
        claim_give_up(state, player, REASON_BIT(REASON_NOT_SETTLED));
    else
        claim_judge_view(step, player);
}

void referee_claim_look(struct step *step, int player)
{
    struct match_state *state = step->state;
    const struct claim *claim = &state->claim[player];
    const struct seat_view *view = &state->view[player];
    if (claim->stage != CLAIM_WAITING || claim_judged(claim))
        return;
    if (view_open(view) && view->still && view->first_t_ns > claim->claimed_t_ns)
        look_at_later(step, player);
    else if (view_open(view) && view->still && seen_enough(state, claim, state->seen_t_ns))
        claim_judge_view(step, player);
    else if (window_over(state, claim))
        claim_give_up(state, player,
                      view_open(view) && view->still ? REASON_BIT(REASON_STALE)
                                                     : unsettled_reasons(state, claim));
}

void referee_claim_motion(struct step *step, int player, int64_t at_t_ns, int64_t still_t_ns)
{
    struct match_state *state = step->state;
    struct claim *claim = &state->claim[player];
    struct seat_view *view = &state->view[player];
    if (claim->automatic && claim->stage <= CLAIM_MATCHED && at_t_ns < claim->claimed_t_ns) {
        /* It did not lie there any more when it would have begun to count. */
        view->taken &= (uint8_t) ~(1U << claim->pile);
        memset(claim, 0, sizeof *claim);
        return;
    }
    if (claim->stage == CLAIM_WAITING && !claim_judged(claim) && view_open(view) && view->still &&
        view->first_t_ns <= claim->claimed_t_ns && at_t_ns > claim->claimed_t_ns &&
        seen_enough(state, claim, still_t_ns))
        claim_judge_view(step, player);
}

void referee_claim_blind(struct step *step, int player)
{
    const struct claim *claim = &step->state->claim[player];
    if (claim->stage == CLAIM_WAITING && !claim_judged(claim) && window_over(step->state, claim))
        claim_give_up(step->state, player, step->state->health);
}

/* --- Layouts that claim by themselves -----------------------------------------------------------
 */

/* When the layout counts from: from its first frame, but not from before its card came into play,
 * nor from within a time in which the game stood still. */
static int64_t layout_since_ns(const struct match_state *state, const struct seat_view *view,
                               const struct pile *pile)
{
    int64_t since = view->first_t_ns > pile->opened_t_ns ? view->first_t_ns : pile->opened_t_ns;
    if (since >= state->stop_t_ns[0] && since < state->stop_t_ns[1])
        since = state->stop_t_ns[1];
    return since;
}

static void layout_claims(struct match_state *state, int player, int pile,
                          const struct verdict *verdict)
{
    struct seat_view *view = &state->view[player];
    struct claim *claim = &state->claim[player];
    int64_t delay_ns = (int64_t)state->rules.handicap[player].delay_ms * NS_PER_MS;
    memset(claim, 0, sizeof *claim);
    claim->stage = CLAIM_WAITING;
    claim->automatic = true;
    claim->seq = view->seq;
    claim->claimed_t_ns = layout_since_ns(state, view, &state->pile[pile]);
    claim->order_t_ns = time_add(claim->claimed_t_ns, delay_ns);
    claim->forced = view->forced;
    claim->frame = view->frame;
    memcpy(claim->digest, view->digest, sizeof claim->digest);
    view->taken |= (uint8_t)(1U << pile);
    /* A person overruled one verdict, not all that this layout may still get. */
    memset(&view->forced, 0, sizeof view->forced);
    claim_judge(state, player, pile, verdict);
}

/* The same for all grids that are equal in some turn: sums of what the cells hold. */
static uint32_t grid_sum(const struct grid *grid)
{
    uint32_t sum = 0;
    for (int r = 0; r < grid->rows && r < GRID_SIDE_MAX; r++)
        for (int c = 0; c < grid->cols && c < GRID_SIDE_MAX; c++) {
            uint32_t symbol = (unsigned char)grid->cell[r][c];
            if (symbol != GRID_HOLE)
                sum += symbol * symbol * symbol;
        }
    return sum;
}

/* A card that this layout was not compared with yet and that matches it; -1 when there is none.
 * Nearly all that settles is no card at all: the sums say so in a fraction of a judgement's time.
 */
static int matching_pile(struct match_state *state, int player, struct verdict *out)
{
    struct seat_view *view = &state->view[player];
    uint32_t sum = grid_sum(&view->layout.grid);
    for (int i = 0; i < state->piles && i < PILES_MAX; i++) {
        const struct pile *pile = &state->pile[i];
        if (!pile_open(state, i) || view->tried[i] == pile->attempt ||
            referee_card_over(state, i, layout_since_ns(state, view, pile),
                              frame_interval_ns(state)) ||
            referee_may_win(state, player, i) != WHY_NONE)
            continue;
        view->tried[i] = pile->attempt;
        view->taken &= (uint8_t) ~(1U << i);
        if (grid_sum(&state->card[state->pile[i].top].card.grid) != sum)
            continue;
        pile_judge(state, view, i, out);
        if (out->ruling == RULING_MATCH)
            return i;
    }
    return -1;
}

static void layout_scan(struct match_state *state, int player)
{
    const struct seat_view *view = &state->view[player];
    struct verdict verdict;
    int pile = -1;
    if (view->layout.state == SEAT_COMPLETE)
        pile = matching_pile(state, player, &verdict);
    /* A person's match needs a card: the first that the player may win, when it shows none. */
    bool forced = view->forced.set && view->forced.ruling == RULING_MATCH;
    for (int i = 0; pile < 0 && forced && i < state->piles && i < PILES_MAX; i++)
        if (pile_open(state, i) && referee_may_win(state, player, i) == WHY_NONE) {
            pile_judge(state, view, i, &verdict);
            state->view[player].tried[i] = state->pile[i].attempt;
            pile = i;
        }
    if (pile >= 0)
        layout_claims(state, player, pile, &verdict);
}

void referee_claim_scan(struct step *step, int player)
{
    const struct seat_view *view = &step->state->view[player];
    if (view->known && view->still && step->state->claim[player].stage == CLAIM_NONE &&
        (view->layout.state == SEAT_COMPLETE || view->forced.set))
        layout_scan(step->state, player);
}
