/* make5.c: a match of Make 5: rounds, whose turn it is, what is said of what is seen. */
#include "referee/make5.h"
#include "referee/match.h"

#include <string.h>

#define ROUNDS_USUAL 6 /* the sheets' proposal: each player is MAKER three times */
#define S_NS INT64_C(1000000000)
#define US_NS INT64_C(1000)

/* What the kit's ramp has, where a set-up names no colours. */
static const char colours_usual[RAMP_SIDE + 1] = "rygbw";

static int rounds_of(const struct match_state *state)
{
    int32_t rounds = state->rules.value[OPTION_ROUNDS];
    if (rounds <= 0)
        return ROUNDS_USUAL;
    return rounds < MAKE5_ROUNDS_MAX ? rounds : MAKE5_ROUNDS_MAX;
}

static struct make5_rules rules_of(const struct match_state *state)
{
    return (struct make5_rules){
        .one_per_track = state->rules.value[OPTION_OPENING] == OPENING_ONE_PER_TRACK,
        .same_track = state->rules.value[OPTION_SAME_TRACK] == SAME_TRACK_ALLOWED,
        .advanced = state->rules.value[OPTION_ADVANCED] != 0,
    };
}

static struct make5_position position_of(const struct ramp_state *ramp)
{
    struct make5_position position;
    memset(&position, 0, sizeof position);
    memcpy(&position.grid, ramp->disc, sizeof position.grid);
    position.turn = ramp->turn;
    position.discs = ramp->discs;
    memcpy(position.last, ramp->last, sizeof position.last);
    position.last_tracks = ramp->last_tracks;
    return position;
}

static void position_keep(struct ramp_state *ramp, const struct make5_position *position)
{
    memcpy(ramp->disc, &position->grid, sizeof ramp->disc);
    ramp->turn = position->turn;
    ramp->discs = position->discs;
    memcpy(ramp->last, position->last, sizeof ramp->last);
    ramp->last_tracks = position->last_tracks;
}

static int8_t seat_of(const struct match_state *state, int turn)
{
    int maker = state->ramp.maker;
    return state->player[turn == MAKE5_MAKER ? maker : 1 - maker].seat;
}

/* All discs lie, and MAKER has the last word. */
static bool last_move(const struct ramp_state *ramp)
{
    return ramp->open && ramp->discs == MAKE5_DISCS && ramp->turn == MAKE5_MAKER;
}

/* --- Rounds -------------------------------------------------------------------------------------
 */

static void round_say(struct step *step, enum why why, int points)
{
    struct decision *said = referee_say(step, DECISION_ROUND);
    said->why = why;
    said->seat = seat_of(step->state, MAKE5_MAKER);
    said->round = step->state->ramp.round;
    said->points = (int8_t)points;
}

/* What lay there is legal again, or another thing lies there. */
static void illegal_end(struct match_state *state)
{
    struct ramp_state *ramp = &state->ramp;
    if (ramp->illegal)
        ramp->move_clock_ns += referee_state_clock_ns(state) - ramp->illegal_clock_ns;
    ramp->illegal = false;
    ramp->illegal_clock_ns = 0;
    ramp->why = WHY_NONE;
    memset(ramp->seen, 0, sizeof ramp->seen);
}

static void round_open(struct step *step)
{
    struct ramp_state *ramp = &step->state->ramp;
    struct make5_position empty;
    referee_make5_empty(&empty);
    position_keep(ramp, &empty);
    ramp->maker = (int8_t)(ramp->round % 2); /* the first player set up begins as MAKER */
    ramp->round++;
    ramp->open = true;
    ramp->clearing = false;
    ramp->move_clock_ns = 0;
    round_say(step, WHY_ROUND_OPENED, 0);
}

static void round_over(struct step *step, enum why why)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    struct make5_position position = position_of(ramp);
    int points = referee_make5_points(&position.grid);

    illegal_end(state);
    ramp->points[ramp->round - 1] = (int8_t)points;
    ramp->makers[ramp->round - 1] = ramp->maker;
    ramp->open = false;
    ramp->turn = MAKE5_BREAKER;
    ramp->last[0] = ramp->last[1] = -1;
    ramp->last_tracks = 0;
    ramp->move_clock_ns = 0;
    referee_score(state);
    round_say(step, why, points);
    if (ramp->round >= rounds_of(state))
        referee_match_end(step);
}

/* --- The last move's time -----------------------------------------------------------------------
 */

static int64_t last_move_limit_ns(const struct match_state *state)
{
    return (int64_t)state->rules.value[OPTION_LAST_MOVE_TIME] * S_NS;
}

/* It runs only while a move would be seen. */
static bool last_move_runs(const struct match_state *state)
{
    return last_move(&state->ramp) && !state->ramp.illegal && !state->paused &&
           state->health == 0 && last_move_limit_ns(state) > 0;
}

/* Time since the last disc was seen, at that time. */
static int64_t last_move_took_ns(const struct match_state *state, int64_t t_ns)
{
    int64_t at_ns = t_ns < state->t_ns ? t_ns : state->t_ns;
    return referee_state_clock_at_ns(state, at_ns) - state->ramp.move_clock_ns;
}

/* Ends the round when the time is over and all frames in which a move made in time would have come
 * to rest have been looked at. Ticks are not waited for for ever, for they may not come; a hand
 * that lies over the ramp is, for nobody knows what it leaves there: a person can always end the
 * round. Whether it did. */
static bool last_move_limit(struct step *step)
{
    struct match_state *state = step->state;
    if (!last_move_runs(state) || state->ramp.covered)
        return false;
    int64_t limit_ns = last_move_limit_ns(state);
    int64_t settle_ns = ((int64_t)state->rules.value[OPTION_SETTLE_FRAMES] + 1) *
                        state->rules.value[OPTION_FRAME_INTERVAL] * US_NS;
    bool seen = last_move_took_ns(state, state->seen_t_ns) >= limit_ns + settle_ns;
    if (!seen && last_move_took_ns(state, state->t_ns) < 2 * limit_ns + settle_ns)
        return false;
    round_over(step, WHY_TIME);
    return true;
}

/* What came to rest, or a hand that came, after the time was over comes too late. */
static void last_move_late(struct step *step, int64_t first_t_ns)
{
    const struct match_state *state = step->state;
    if (last_move_runs(state) && !state->ramp.covered &&
        last_move_took_ns(state, first_t_ns) > last_move_limit_ns(state))
        round_over(step, WHY_TIME);
}

static void rest_forget(struct ramp_state *ramp)
{
    ramp->rested = false;
    memset(ramp->rest, 0, sizeof ramp->rest);
}

void referee_make5_tick(struct step *step)
{
    if (step->state->health != 0) { /* a lost picture is never rebuilt from memory */
        step->state->ramp.covered = true;
        rest_forget(&step->state->ramp);
    }
    last_move_limit(step);
}

/* --- Positions ----------------------------------------------------------------------------------
 */

static void action_say(struct step *step, const struct make5_action *action)
{
    bool drop = action->kind == WHY_DROP;
    struct decision *said = referee_say(step, DECISION_MOVE);
    said->why = action->kind;
    said->seat = seat_of(step->state, drop ? MAKE5_BREAKER : MAKE5_MAKER);
    said->round = step->state->ramp.round;
    said->disc = action->disc;
    for (int i = 0; i < 2; i++) {
        said->from[i] = (int8_t)(action->from[i] + 1);
        said->to[i] = (int8_t)(action->to[i] + 1);
    }
    said->turn = action->turn;
}

/* Once for each: a hand that comes and goes over the same fault does not make it another. */
static void illegal_say(struct step *step, const struct make5_grid *seen, enum why why)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    if (ramp->illegal && memcmp(ramp->seen, seen, sizeof ramp->seen) == 0)
        return;
    if (!ramp->illegal)
        ramp->illegal_clock_ns = referee_state_clock_ns(state);
    ramp->illegal = true;
    ramp->why = (int16_t)why;
    memcpy(ramp->seen, seen, sizeof ramp->seen);

    struct make5_position position = position_of(ramp);
    struct make5_rules rules = rules_of(state);
    struct decision *said = referee_say(step, DECISION_ILLEGAL);
    said->why = why;
    said->seat = seat_of(state, ramp->turn);
    said->round = ramp->round;
    if (step->event->kind == EVENT_DISCS)
        said->reasons = step->event->discs.reasons;
    memcpy(said->seen, seen, sizeof said->seen);
    said->legal_tracks = referee_make5_legal(&position, &rules);
    said->turn = ramp->turn;
}

/* Are these what is left of the discs that lay there, none new? */
static bool grid_is_left_of(const struct make5_grid *seen, const char (*before)[RAMP_SIDE])
{
    for (int track = 0; track < RAMP_SIDE; track++) {
        int row = 0;
        for (int r = 0; r < RAMP_SIDE && row < RAMP_SIDE; r++)
            row += seen->disc[row][track] == before[r][track];
        if (row < referee_make5_height(seen, track))
            return false;
    }
    return true;
}

/* A round that a person opened while the old discs lay there: they are taken off in any number of
 * steps, and whoever is quick has new ones in before the ramp is ever seen empty. */
static bool ramp_clearing(struct ramp_state *ramp, const struct make5_grid *seen)
{
    if (!ramp->clearing)
        return false;
    bool empty = referee_make5_count(seen, MAKE5_EMPTY) == MAKE5_DISCS;
    if (!empty && grid_is_left_of(seen, (const char(*)[RAMP_SIDE])ramp->seen))
        return true;
    ramp->clearing = false;
    memset(ramp->seen, 0, sizeof ramp->seen);
    return false;
}

static void position_seen(struct step *step, const struct make5_grid *seen, int64_t first_t_ns)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    struct make5_position before = position_of(ramp);
    struct make5_rules rules = rules_of(state);
    struct make5_story story;
    referee_make5_explain(&before, seen, &rules, ramp->colours, &story);
    if (story.why != WHY_NONE) {
        illegal_say(step, seen, story.why);
        return;
    }
    illegal_end(state);
    if (story.count == 0)
        return;
    for (int i = 0; i < story.count; i++)
        action_say(step, &story.action[i]);
    position_keep(ramp, &story.after);
    if (ramp->discs < MAKE5_DISCS)
        return;
    if (ramp->turn == MAKE5_BREAKER)
        round_over(step, WHY_MOVE);
    else
        ramp->move_clock_ns = referee_state_clock_at_ns(state, first_t_ns);
}

/* A position that can be trusted, while play is on. */
static void ramp_take(struct step *step, const struct make5_grid *seen, int64_t first_t_ns)
{
    struct ramp_state *ramp = &step->state->ramp;
    if (ramp->open) {
        if (!ramp_clearing(ramp, seen))
            position_seen(step, seen, first_t_ns);
    } else if (referee_make5_count(seen, MAKE5_EMPTY) == MAKE5_DISCS) {
        round_open(step);
    }
}

/* Play rests, and so does what lies there (NULL: not known). It is told once, so it is kept for
 * when play goes on. */
static void ramp_wait(struct match_state *state, const struct make5_grid *seen)
{
    struct ramp_state *ramp = &state->ramp;
    if (!seen || memcmp(ramp->disc, seen, sizeof *seen) != 0)
        ramp->covered = true;
    rest_forget(ramp);
    if (!seen || state->health != 0)
        return;
    ramp->rested = true;
    memcpy(ramp->rest, seen, sizeof ramp->rest);
}

void referee_make5_discs(struct step *step)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    const struct event_discs *discs = &step->event->discs;
    int64_t first_t_ns = discs->first_t_ns < state->t_ns ? discs->first_t_ns : state->t_ns;
    first_t_ns = first_t_ns > 0 ? first_t_ns : 0; /* the record begins at 0 */
    struct make5_grid seen;
    memcpy(&seen, discs->disc, sizeof seen);

    if (state->phase != PHASE_PLAY)
        return;
    if (discs->complete && !referee_make5_known(&seen, ramp->colours)) {
        referee_refuse(step, 0, WHY_BAD_VALUE);
        return;
    }
    if (state->paused || state->health != 0) {
        ramp_wait(state, discs->complete ? &seen : NULL);
        return;
    }
    last_move_late(step, first_t_ns);
    ramp->covered = !discs->complete;
    if (discs->complete && state->phase == PHASE_PLAY) /* the last round may be over by now */
        ramp_take(step, &seen, first_t_ns);
}

void referee_make5_resume(struct step *step)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    struct make5_grid seen;
    if (!ramp->rested || state->phase != PHASE_PLAY || state->health != 0)
        return;
    memcpy(&seen, ramp->rest, sizeof seen);
    rest_forget(ramp);
    ramp->covered = false;
    ramp_take(step, &seen, state->t_ns);
}

/* --- What people say (step.c refuses what comes before the match or after it) --------------------
 */

void referee_make5_start(struct step *step)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    if (ramp->round == 0) {
        round_open(step);
    } else if (state->paused) {
        referee_refuse(step, 0, WHY_PAUSED);
    } else if (last_move(ramp)) {
        round_over(step, WHY_PERSON);
    } else if (ramp->open) {
        referee_refuse(step, 0, WHY_ALREADY_STARTED);
    } else {
        char old[RAMP_SIDE][RAMP_SIDE];
        memcpy(old, ramp->disc, sizeof old);
        round_open(step);
        ramp->clearing = true;
        memcpy(ramp->seen, old, sizeof ramp->seen);
    }
}

/* Why MAKER cannot pass; WHY_NONE. While something may have moved that has not been seen, nobody
 * knows what is passed on. */
static enum why pass_why(const struct match_state *state)
{
    const struct ramp_state *ramp = &state->ramp;
    if (state->paused)
        return WHY_PAUSED;
    if (!ramp->open)
        return WHY_NOT_STARTED;
    if (ramp->illegal)
        return (enum why)ramp->why;
    if (ramp->turn != MAKE5_MAKER)
        return WHY_OUT_OF_TURN;
    return ramp->covered || state->health != 0 ? WHY_NOT_SETTLED : WHY_NONE;
}

void referee_make5_pass(struct step *step)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    bool late = last_move_limit(step);
    enum why why = late ? WHY_LATE : pass_why(state);
    if (why != WHY_NONE) {
        referee_refuse(step, seat_of(state, MAKE5_MAKER), why);
        return;
    }
    const struct make5_action pass = {WHY_PASS, 0, {-1, -1}, {-1, -1}, MAKE5_BREAKER};
    action_say(step, &pass);
    ramp->turn = MAKE5_BREAKER;
    ramp->last_tracks = 0;
    if (ramp->discs == MAKE5_DISCS)
        round_over(step, WHY_PASS);
}

/* Which disc was placed last is not told: any that has none above it may be it. */
static void position_set(struct ramp_state *ramp, const struct make5_grid *grid, int turn)
{
    struct make5_position position;
    referee_make5_empty(&position);
    position.grid = *grid;
    position.turn = (int8_t)turn;
    position.discs = (int8_t)(MAKE5_DISCS - referee_make5_count(grid, MAKE5_EMPTY));
    for (int track = 0; turn == MAKE5_MAKER && track < RAMP_SIDE; track++)
        if (referee_make5_height(grid, track) > 0)
            position.last_tracks = (uint8_t)(position.last_tracks | 1U << track);
    position_keep(ramp, &position);
}

void referee_make5_set(struct step *step)
{
    struct match_state *state = step->state;
    struct ramp_state *ramp = &state->ramp;
    int turn = step->event->discs.turn;
    struct make5_rules rules = rules_of(state);
    struct make5_grid grid;
    memcpy(&grid, step->event->discs.disc, sizeof grid);
    enum why why = referee_make5_check(&grid, turn, &rules, ramp->colours);
    if (why != WHY_NONE) {
        referee_refuse(step, 0, why);
        return;
    }
    if (!ramp->open)
        round_open(step);
    illegal_end(state);
    ramp->clearing = false;
    ramp->covered = false;
    rest_forget(ramp);
    ramp->move_clock_ns = referee_state_clock_ns(state);
    /* Said of what was known already, it takes nothing from it. */
    if (ramp->turn != turn || memcmp(ramp->disc, &grid, sizeof grid) != 0)
        position_set(ramp, &grid, turn);
    struct decision *said = referee_say(step, DECISION_MOVE);
    said->why = WHY_PERSON;
    said->seat = seat_of(state, turn);
    said->round = ramp->round;
    said->turn = (int8_t)turn;
    if (ramp->discs == MAKE5_DISCS && turn == MAKE5_BREAKER)
        round_over(step, WHY_PERSON);
}

/* --- Set-up -------------------------------------------------------------------------------------
 */

/* Five different characters that can stand for a disc. */
static bool colours_good(const char *colours)
{
    if (strnlen(colours, RAMP_SIDE + 1) != RAMP_SIDE)
        return false;
    for (int i = 0; i < RAMP_SIDE; i++)
        if (colours[i] <= ' ' || colours[i] > '~' || colours[i] == MAKE5_EMPTY ||
            memchr(colours, colours[i], (size_t)i) != NULL)
            return false;
    return true;
}

void referee_make5_setup(struct step *step)
{
    struct ramp_state *ramp = &step->state->ramp;
    struct make5_position empty;
    const char *colours = step->event->setup.colours;
    memset(ramp, 0, sizeof *ramp);
    referee_make5_empty(&empty);
    position_keep(ramp, &empty);
    memcpy(ramp->colours, colours_good(colours) ? colours : colours_usual, sizeof ramp->colours);
}
