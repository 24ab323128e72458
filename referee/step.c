/* referee/step.c: one event after the other: which may be, and who deals with it. Pure.
 *
 * An event goes through the same stations each time: its time must not run backward; the start
 * signal may be due; the phase and the game must suit it; its own file deals with it; then whatever
 * has become due is ruled on. */
#include "referee/step.h"

#include "referee/match.h"

#include <string.h>

/* Times and numbers far beyond any match (73 years, as many events), so that sums stay whole. */
#define TIME_MAX_NS (INT64_MAX / 4)
#define SEQ_MAX (UINT64_MAX / 64)

/* What a kind of event asks for. */
enum {
    SAID = 1,       /* a claim or an act: when it falls on nothing, that is said */
    IN_PLAY = 2,    /* only once the match has started */
    CARD_GAME = 4,  /* only with cards */
    DISC_GAME = 8,  /* only in Make 5 */
    AFTERWARDS = 16 /* also when the match is over */
};

static const uint8_t needs[EVENT_KINDS] = {
    [EVENT_SETUP] = SAID,
    [EVENT_START] = SAID,
    [EVENT_LAYOUT] = CARD_GAME,
    [EVENT_MOTION] = CARD_GAME,
    [EVENT_CARD] = CARD_GAME,
    [EVENT_CLAIM] = SAID | IN_PLAY | CARD_GAME,
    [EVENT_TICK] = 0,
    [EVENT_PAUSE] = SAID,
    [EVENT_RESUME] = SAID,
    [EVENT_HEALTH] = 0,
    [EVENT_GIVE_UP] = SAID | IN_PLAY | CARD_GAME,
    [EVENT_CONFIRM] = SAID | IN_PLAY | CARD_GAME,
    [EVENT_DECIDE] = SAID | IN_PLAY | CARD_GAME,
    [EVENT_SET_CARD] = SAID | CARD_GAME,
    [EVENT_AWARD] = SAID | IN_PLAY | CARD_GAME,
    [EVENT_PENALISE] = SAID | IN_PLAY | CARD_GAME,
    [EVENT_SET_ASIDE] = SAID | IN_PLAY | CARD_GAME,
    [EVENT_ABANDON] = SAID,
    [EVENT_NAME] = SAID | AFTERWARDS,
    [EVENT_DISCS] = DISC_GAME,
    [EVENT_PASS] = SAID | IN_PLAY | DISC_GAME,
    [EVENT_SET_DISCS] = SAID | IN_PLAY | DISC_GAME,
};

void referee_state_clear(struct match_state *state)
{
    memset(state, 0, sizeof *state);
    state->stopped_since_t_ns = -1;
}

struct decision *referee_say(struct step *step, enum decision_kind kind)
{
    struct decisions *out = step->out;
    if (out->count < DECISIONS_MAX)
        out->count++;
    struct decision *said = &out->item[out->count - 1];
    memset(said, 0, sizeof *said);
    said->seq = step->event->seq;
    said->index = (int8_t)(out->count - 1);
    said->t_ns = step->event->t_ns;
    said->kind = kind;
    said->cause = step->event->seq;
    return said;
}

struct decision *referee_refuse(struct step *step, int seat, enum why why)
{
    struct decision *said = referee_say(step, DECISION_REFUSED);
    said->seat = (int8_t)seat;
    said->why = why;
    return said;
}

int referee_player_at(const struct match_state *state, int seat)
{
    for (int p = 0; p < state->players; p++)
        if (state->player[p].seat == seat)
            return p;
    return -1;
}

void referee_text_copy(char *to, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    memset(to, 0, size);
    memcpy(to, from, length);
}

void referee_card_copy(struct card *to, const struct card *from)
{
    memset(to, 0, sizeof *to);
    referee_text_copy(to->id, sizeof to->id, from->id);
    to->level = from->level;
    to->grid = from->grid;
}

bool referee_in_play(const struct match_state *state)
{
    return state->phase == PHASE_PLAY && !state->paused;
}

/* The clock stands still while the match is paused or the picture is bad. A pause before the start
 * signal puts that off; a bad picture does not. */
static void clock_update(struct match_state *state)
{
    bool counting = state->phase == PHASE_COUNTDOWN;
    bool stands = state->paused || (state->health != 0 && !counting);
    if (!counting && state->phase != PHASE_PLAY)
        return;
    if (stands && state->stopped_since_t_ns < 0)
        state->stopped_since_t_ns = state->t_ns;
    if (stands || state->stopped_since_t_ns < 0)
        return;
    int64_t stood = state->t_ns - state->stopped_since_t_ns;
    if (counting) {
        state->started_t_ns += stood;
        state->countdown_ns += stood;
    } else if (stood > 0) {
        state->stopped_ns += stood;
        state->stop_t_ns[0] = state->stopped_since_t_ns;
        state->stop_t_ns[1] = state->t_ns;
    }
    state->stopped_since_t_ns = -1;
}

static void phase_say(struct step *step, enum phase phase)
{
    step->state->phase = phase;
    struct decision *said = referee_say(step, DECISION_PHASE);
    said->phase = phase;
    said->paused = step->state->paused;
}

/* Ends the match in that phase: nothing is paused any more, no card is in play, no claim open. */
static void phase_end(struct step *step, enum phase phase)
{
    struct match_state *state = step->state;
    referee_cards_forget(state);
    for (int i = 0; i < state->piles; i++) {
        struct pile *pile = &state->pile[i];
        uint64_t attempt = pile->attempt;
        if (pile->top < 0)
            continue;
        state->card[pile->top].place = CARD_IN_STACK;
        pile->left++;
        pile->top = -1;
        pile->last_attempt = attempt;
        pile->attempt = 0;
        pile->out = pile->gave_up = 0;
        referee_claims_close(step, attempt);
    }
    uint64_t health = state->health;
    state->paused = false;
    state->health = 0;
    clock_update(state);
    state->health = health;
    state->ended_t_ns = state->t_ns;
    phase_say(step, phase);
}

void referee_match_end(struct step *step)
{
    struct match_state *state = step->state;
    phase_end(step, PHASE_OVER);
    referee_score(state);
    referee_rank(state);
    struct decision *said = referee_say(step, DECISION_END);
    said->phase = PHASE_OVER;
    for (int p = 0; p < state->players; p++)
        if (state->player[p].rank == 1)
            said->seats |= (uint8_t)(1U << (state->player[p].seat - 1));
}

/* The start signal: the cards are turned at that moment, however late the event that tells. */
static void play_begin(struct step *step)
{
    struct match_state *state = step->state;
    phase_say(step, PHASE_PLAY);
    if (state->health != 0)
        state->stopped_since_t_ns = state->started_t_ns;
    referee_cards_turn(step);
    for (int i = 0; i < state->piles; i++)
        if (state->pile[i].top >= 0) {
            state->pile[i].opened_t_ns = state->started_t_ns;
            state->pile[i].opened_clock_ns = 0;
        }
}

/* Seats are the mat's and different; so are the slots that are named, and printed cards need one
 * for each pile. */
static bool places_fit(const struct event_setup *setup)
{
    bool own = setup->rules.value[OPTION_OWN_STACKS] != 0;
    int piles = setup->game == GAME_TOTAL_MADNESS ? CARD_LEVELS : own ? setup->players : 1;
    for (int i = 0; i < setup->players; i++) {
        if (setup->seat[i] < 1 || setup->seat[i] > MAT_SEATS_MAX)
            return false;
        for (int j = 0; j < i; j++)
            if (setup->seat[j] == setup->seat[i])
                return false;
    }
    if (setup->game == GAME_MAKE5)
        return true;
    for (int i = 0; i < piles; i++) {
        if (setup->slot[i] < 0 || setup->slot[i] > MAT_SLOTS_MAX)
            return false;
        if (setup->slot[i] == 0 && setup->rules.value[OPTION_CARDS] == CARDS_PRINTED)
            return false;
        for (int j = 0; j < i; j++)
            if (setup->slot[i] != 0 && setup->slot[j] == setup->slot[i])
                return false;
    }
    return true;
}

static void setup_players(struct match_state *state, const struct event_setup *setup)
{
    for (int p = 0; p < setup->players; p++) {
        struct player *player = &state->player[p];
        player->seat = setup->seat[p];
        referee_text_copy(player->name, sizeof player->name, setup->name[p]);
        player->finished_clock_ns = -1;
        state->view[p].motion_t_ns = -1;
        state->rules.handicap[p].min_level = setup->rules.handicap[p].min_level;
        state->rules.handicap[p].delay_ms = setup->rules.handicap[p].delay_ms;
    }
}

static void setup(struct step *step)
{
    struct match_state *state = step->state;
    const struct event_setup *setup = &step->event->setup;
    if ((unsigned)setup->game >= GAME_COUNT ||
        referee_rules_check(&setup->rules, setup->game, setup->players) || !places_fit(setup)) {
        referee_refuse(step, 0, WHY_BAD_SETUP);
        return;
    }
    state->game = setup->game;
    state->players = setup->players;
    memcpy(state->rules.value, setup->rules.value, sizeof state->rules.value);
    referee_text_copy(state->deck, sizeof state->deck, setup->deck);
    referee_text_copy(state->digest, sizeof state->digest, setup->digest);
    state->seed = setup->seed;
    setup_players(state, setup);
    enum why why = WHY_NONE;
    if (setup->game == GAME_MAKE5)
        referee_make5_setup(step);
    else
        why = referee_deal(state, setup);
    if (why == WHY_NONE) {
        phase_say(step, PHASE_READY);
        return;
    }
    referee_state_clear(state);
    state->seq = step->event->seq;
    state->t_ns = step->event->t_ns;
    referee_refuse(step, 0, why);
}

static void start(struct step *step)
{
    struct match_state *state = step->state;
    int32_t countdown_ms = step->event->countdown_ms;
    bool discs = state->game == GAME_MAKE5;
    if (state->phase != PHASE_READY && !(discs && state->phase == PHASE_PLAY)) {
        referee_refuse(step, 0, WHY_ALREADY_STARTED);
        return;
    }
    if (countdown_ms < -1 || countdown_ms > referee_option(OPTION_COUNTDOWN)->most) {
        referee_refuse(step, 0, WHY_BAD_VALUE);
        return;
    }
    if (discs && state->phase == PHASE_PLAY) {
        referee_make5_start(step);
        return;
    }
    if (countdown_ms < 0)
        countdown_ms = state->rules.value[OPTION_COUNTDOWN];
    if (discs) /* nobody races */
        countdown_ms = 0;
    state->countdown_ns = (int64_t)countdown_ms * 1000000;
    state->started_t_ns = state->t_ns + state->countdown_ns;
    if (countdown_ms > 0)
        phase_say(step, PHASE_COUNTDOWN);
    else
        play_begin(step);
    if (discs)
        referee_make5_start(step);
}

static void pause_or_resume(struct step *step)
{
    struct match_state *state = step->state;
    bool pause = step->event->kind == EVENT_PAUSE;
    if (state->phase != PHASE_COUNTDOWN && state->phase != PHASE_PLAY) {
        referee_refuse(step, 0, WHY_NOT_STARTED);
        return;
    }
    if (pause == state->paused) {
        referee_refuse(step, 0, pause ? WHY_PAUSED : WHY_NOT_PAUSED);
        return;
    }
    state->paused = pause;
    state->paused_t_ns[pause ? 0 : 1] = state->t_ns;
    clock_update(state);
    phase_say(step, state->phase);
    if (!pause && state->game == GAME_MAKE5)
        referee_make5_resume(step);
}

static void layout(struct step *step)
{
    referee_sight_layout(step);
    if (step->state->phase == PHASE_PLAY)
        referee_claim_layout(step);
}

static void health(struct step *step)
{
    referee_sight_health(step);
    if (step->state->health != 0)
        referee_cards_forget(step->state);
    clock_update(step->state);
}

static void tick(struct step *step)
{
    struct match_state *state = step->state;
    int64_t seen_t_ns = step->event->seen_t_ns;
    if (seen_t_ns > state->t_ns)
        seen_t_ns = state->t_ns;
    if (seen_t_ns > state->seen_t_ns)
        state->seen_t_ns = seen_t_ns;
}

static void abandon(struct step *step)
{
    phase_end(step, PHASE_ABANDONED);
    step->out->item[step->out->count - 1].why = WHY_PERSON;
}

static void (*const deals[EVENT_KINDS])(struct step *step) = {
    [EVENT_SETUP] = setup,
    [EVENT_START] = start,
    [EVENT_LAYOUT] = layout,
    [EVENT_MOTION] = referee_sight_motion,
    [EVENT_CARD] = referee_card_seen,
    [EVENT_CLAIM] = referee_claim_made,
    [EVENT_TICK] = tick,
    [EVENT_PAUSE] = pause_or_resume,
    [EVENT_RESUME] = pause_or_resume,
    [EVENT_HEALTH] = health,
    [EVENT_GIVE_UP] = referee_give_up,
    [EVENT_CONFIRM] = referee_claim_confirm,
    [EVENT_DECIDE] = referee_claim_decide,
    [EVENT_SET_CARD] = referee_card_set,
    [EVENT_AWARD] = referee_act,
    [EVENT_PENALISE] = referee_act,
    [EVENT_SET_ASIDE] = referee_act,
    [EVENT_ABANDON] = abandon,
    [EVENT_NAME] = referee_act,
    [EVENT_DISCS] = referee_make5_discs,
    [EVENT_PASS] = referee_make5_pass,
    [EVENT_SET_DISCS] = referee_make5_set,
};

/* Why this event cannot be stepped over at all. */
static enum why event_fault(const struct match_state *state, const struct event *event)
{
    if ((unsigned)event->kind >= EVENT_KINDS || event->seq <= state->seq || event->seq > SEQ_MAX ||
        event->t_ns > TIME_MAX_NS)
        return WHY_BAD_VALUE;
    return event->t_ns < state->t_ns ? WHY_CLOCK_BACKWARD : WHY_NONE;
}

/* Why it falls on nothing in this phase and game. */
static enum why phase_fault(const struct match_state *state, enum event_kind kind)
{
    if (state->phase == PHASE_NONE)
        return kind == EVENT_SETUP ? WHY_NONE : WHY_NO_MATCH;
    if (state->phase >= PHASE_OVER)
        return needs[kind] & AFTERWARDS ? WHY_NONE : WHY_MATCH_OVER;
    if (kind == EVENT_SETUP)
        return WHY_ALREADY_SET_UP;
    if (needs[kind] & (state->game == GAME_MAKE5 ? CARD_GAME : DISC_GAME))
        return WHY_NOT_IN_THIS_GAME;
    return needs[kind] & IN_PLAY && state->phase != PHASE_PLAY ? WHY_NOT_STARTED : WHY_NONE;
}

static int seat_of(const struct event *event)
{
    if (event->kind == EVENT_CLAIM)
        return event->claim.seat;
    bool act = event->kind == EVENT_GIVE_UP || event->kind == EVENT_AWARD ||
               event->kind == EVENT_PENALISE || event->kind == EVENT_NAME;
    return act ? event->act.seat : 0;
}

/* What has become due by now. */
static void rule_on_due(struct step *step)
{
    struct match_state *state = step->state;
    if (state->game == GAME_MAKE5) {
        if (state->phase == PHASE_PLAY)
            referee_make5_tick(step);
        return;
    }
    referee_claims_run(step);
    if (referee_in_play(state))
        referee_limits(step);
}

void referee_step(struct match_state *state, const struct event *event, struct decisions *out)
{
    struct step step = {state, event, out};
    out->count = 0;
    enum why why = event_fault(state, event);
    if (why != WHY_NONE) {
        referee_refuse(&step, 0, why);
        return;
    }
    state->seq = event->seq;
    state->t_ns = event->t_ns;
    if (state->phase == PHASE_COUNTDOWN && !state->paused && event->t_ns >= state->started_t_ns)
        play_begin(&step);
    why = phase_fault(state, event->kind);
    /* What is seen is no demand: after the end, or in another game, it is passed over. Before the
     * set-up something is wrong with whoever sends it. */
    if (why == WHY_NONE)
        deals[event->kind](&step);
    else if (needs[event->kind] & SAID || why == WHY_NO_MATCH)
        referee_refuse(&step, seat_of(event), why);
    if (state->phase >= PHASE_COUNTDOWN)
        rule_on_due(&step);
}
