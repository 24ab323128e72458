/* referee/sight.c: what is known of the seats from what was seen of them. */
#include "referee/claims.h"

#include <string.h>

/* Blocks cannot be lifted, put elsewhere and let go of in less: a longer time in which nothing
 * could be seen may hide it. */
#define BLIND_NS (200 * (int64_t)NS_PER_MS)

static int64_t not_after(int64_t t_ns, int64_t limit_ns)
{
    return t_ns < limit_ns ? t_ns : limit_ns;
}

/* Is every number in it one that the reader can have meant? Nothing is trusted: the journal may
 * have been written by anybody. */
static bool layout_sound(const struct layout_seat *seat)
{
    if ((unsigned)seat->state > SEAT_UNREADABLE || seat->cells < 0 ||
        seat->cells > LAYOUT_CELLS_MAX || seat->grid.rows > GRID_SIDE_MAX ||
        seat->grid.cols > GRID_SIDE_MAX)
        return false;
    for (int i = 0; i < seat->cells; i++) {
        const struct layout_cell *cell = &seat->cell[i];
        if (cell->row < -1 || cell->col < -1 || cell->row >= GRID_SIDE_MAX ||
            cell->col >= GRID_SIDE_MAX)
            return false;
    }
    return true;
}

/* The same blocks in the same places, over which only a hand went: whatever was ruled on them
 * stands. */
static bool layout_stayed(const struct seat_view *before, const struct seat_view *now)
{
    return before->known && before->layout.state == SEAT_COMPLETE &&
           now->layout.state == SEAT_COMPLETE &&
           calib_grid_equal(&before->layout.grid, &now->layout.grid) &&
           now->moved_t_ns <= before->first_t_ns && before->motion_t_ns <= before->first_t_ns;
}

static void view_take(struct seat_view *view, const struct event *event)
{
    const struct event_layout *from = &event->layout;
    struct seat_view now;
    memset(&now, 0, sizeof now);
    now.known = true;
    now.seq = event->seq;
    now.forced = event->forced;
    now.layout = from->seat;
    if (!layout_sound(&now.layout)) {
        memset(&now.layout, 0, sizeof now.layout);
        now.layout.seat = from->seat.seat;
        now.layout.state = SEAT_UNREADABLE;
        now.layout.reasons = REASON_BIT(REASON_INTERNAL);
    }
    now.first_t_ns = not_after(from->first_t_ns, event->t_ns);
    if (!view->known && now.first_t_ns < view->first_t_ns)
        now.first_t_ns = view->first_t_ns; /* a reading does not reach back over a gap */
    now.moved_t_ns = not_after(from->moved_t_ns, event->t_ns);
    now.motion_t_ns = view->motion_t_ns;
    /* Told late: its blocks were seen to move since. */
    now.still = now.motion_t_ns <= now.first_t_ns;
    now.stirred_t_ns = now.first_t_ns;
    now.frame = from->frame;
    referee_text_copy(now.digest, sizeof now.digest, from->digest);
    if (layout_stayed(view, &now)) {
        now.taken = view->taken;
        for (int i = 0; i < PILES_MAX; i++)
            if (now.taken & (1U << i))
                now.tried[i] = view->tried[i];
    }
    *view = now;
}

void referee_sight_layout(struct step *step)
{
    struct match_state *state = step->state;
    int player = referee_player_at(state, step->event->layout.seat.seat);
    /* At a seat where nobody plays nothing is at stake. A picture that is not to be trusted shows
     * nothing; what it shows comes anew when it is. */
    if (player >= 0 && !state->health)
        view_take(&state->view[player], step->event);
}

/* Blocks moved in the count before the start signal. Frames are looked at a little later than they
 * were taken, so it may be heard of when play is already on. Said once. */
static void false_start(struct step *step, int player, int64_t at_t_ns)
{
    struct match_state *state = step->state;
    struct player *who = &state->player[player];
    int64_t early_ns = time_since(state->started_t_ns, at_t_ns);
    if ((state->phase != PHASE_COUNTDOWN && state->phase != PHASE_PLAY) || early_ns <= 0 ||
        early_ns > state->countdown_ns || who->started_early ||
        state->rules.value[OPTION_FALSE_START] == FALSE_START_IGNORE)
        return;
    who->started_early = true;
    who->false_starts++;
    if (state->rules.value[OPTION_FALSE_START] == FALSE_START_BAR_FIRST_CARD && state->wins == 0)
        who->barred = true;
    struct decision *said = referee_say(step, DECISION_FALSE_START);
    said->seat = who->seat;
    said->at_t_ns = at_t_ns;
}

/* What is reported first shows that until the frame before it all was still: one interval earlier,
 * or more when frames between them were not looked at. */
static int64_t still_until_ns(const struct match_state *state, int64_t at_t_ns, int64_t unseen_ns)
{
    int64_t interval_ns = frame_interval_ns(state);
    return time_since(at_t_ns, unseen_ns > interval_ns ? unseen_ns : interval_ns);
}

/* Freeze: blocks of this player moved while a claim of another was being checked. What a frame
 * shows happened since the one before it, so it is certain only if that was not before the claim;
 * nor is it where a hand that was there before the claim only finished what it did. */
static bool moved_in_check(const struct match_state *state, int player, int64_t still_t_ns)
{
    const struct seat_view *view = &state->view[player];
    if (view->known && !view->still && view->stirred_t_ns < still_t_ns)
        still_t_ns = view->stirred_t_ns;
    if (state->rules.value[OPTION_PAUSE_ON_CLAIM] != PAUSE_FREEZE ||
        state->rules.value[OPTION_CLAIMS] != CLAIMS_CALLED)
        return false;
    for (int i = 0; i < state->players && i < PLAYERS_MAX; i++)
        if (i != player && state->claim[i].stage != CLAIM_NONE &&
            still_t_ns >= state->claim[i].claimed_t_ns)
            return true;
    return false;
}

void referee_sight_motion(struct step *step)
{
    struct match_state *state = step->state;
    const struct event_motion *motion = &step->event->motion;
    int player = referee_player_at(state, motion->seat);
    if (player < 0)
        return;
    struct seat_view *view = &state->view[player];
    int64_t at_t_ns = not_after(motion->at_t_ns, step->event->t_ns);
    int64_t still_t_ns = still_until_ns(state, at_t_ns, motion->unseen_ns);
    /* What moved before the layout was first seen is no longer news. */
    if (view->known && at_t_ns >= view->first_t_ns) {
        referee_claim_motion(step, player, at_t_ns, still_t_ns);
        if (view->still)
            view->stirred_t_ns = still_t_ns;
        view->still = false;
    }
    if (!motion->blocks)
        return;
    if (at_t_ns > view->motion_t_ns)
        view->motion_t_ns = at_t_ns;
    false_start(step, player, at_t_ns);
    if (moved_in_check(state, player, still_t_ns))
        state->player[player].void_claim = true;
}

/* A lost reading is never rebuilt from memory. */
static void view_forget(struct seat_view *view, int64_t t_ns)
{
    int64_t motion_t_ns = view->motion_t_ns;
    memset(view, 0, sizeof *view);
    view->motion_t_ns = motion_t_ns;
    view->moved_t_ns = t_ns;
}

static void view_again(struct seat_view *view, int64_t t_ns)
{
    view->first_t_ns = t_ns;
    if (time_since(t_ns, view->moved_t_ns) > BLIND_NS)
        view->motion_t_ns = t_ns;
}

void referee_sight_health(struct step *step)
{
    struct match_state *state = step->state;
    uint64_t before = state->health, now = step->event->health;
    if (now == before)
        return;
    state->health = now;
    for (int i = 0; i < PLAYERS_MAX; i++) {
        if (!before)
            view_forget(&state->view[i], step->event->t_ns);
        else if (!now)
            view_again(&state->view[i], step->event->t_ns);
    }
    referee_say(step, DECISION_HEALTH)->reasons = now;
}
