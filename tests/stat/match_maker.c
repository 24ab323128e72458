/* tests/stat/match_maker.c: random matches. */
#include "tests/stat/match_maker.h"

#include <stdio.h>
#include <string.h>

#define NS_PER_MS 1000000
#define LABELS "x*#o+"

static uint64_t dice_roll(struct match_maker *maker)
{
    uint64_t x = maker->dice;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return maker->dice = x;
}

int maker_dice(struct match_maker *maker, int below)
{
    return (int)((dice_roll(maker) >> 16) % (uint64_t)below);
}

static bool one_in(struct match_maker *maker, int n)
{
    return maker_dice(maker, n) == 0;
}

/* Ten cells on 4 by 3: two holes. */
static void grid_random(struct match_maker *maker, struct grid *out)
{
    calib_grid_clear(out, 3, 4);
    for (int cell = 0; cell < 12; cell++)
        out->cell[cell / 4][cell % 4] = LABELS[maker_dice(maker, 5)];
    out->cell[0][1 + maker_dice(maker, 3)] = GRID_HOLE;
    out->cell[2][maker_dice(maker, 3)] = GRID_HOLE;
}

void maker_begin(struct match_maker *maker, uint64_t seed)
{
    memset(maker, 0, sizeof *maker);
    maker->dice = seed * 0x9E3779B97F4A7C15u + 1;
    for (int i = 0; i < 8; i++)
        dice_roll(maker);
    for (int c = 0; c < MAKER_CARDS; c++) {
        maker->card[c].level = 1 + c % CARD_LEVELS;
        snprintf(maker->card[c].id, sizeof maker->card[c].id, "L%d-%02d", 1 + c % CARD_LEVELS,
                 c / CARD_LEVELS + 1);
        grid_random(maker, &maker->card[c].grid);
    }
}

void maker_hear(struct match_maker *maker, const struct decisions *decisions)
{
    for (int i = 0; i < decisions->count; i++)
        maker->cause[maker->causes++ % 64] = decisions->item[i].cause;
}

void maker_layout(const struct grid *grid, int seat, int permille, struct layout_seat *out)
{
    memset(out, 0, sizeof *out);
    out->seat = (int8_t)seat;
    out->state = SEAT_COMPLETE;
    out->grid = *grid;
    out->confidence = (int16_t)permille;
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->cols; c++)
            if (grid->cell[r][c] != GRID_HOLE && out->cells < LAYOUT_CELLS_MAX)
                out->cell[out->cells++] = (struct layout_cell){
                    .row = (int8_t)r,
                    .col = (int8_t)c,
                    .symbol = grid->cell[r][c],
                    .second = 'x',
                    .confidence = (int16_t)permille,
                };
}

/* ---- set-up ---- */

static void options_random(struct match_maker *maker, struct rules *rules)
{
    referee_rules_default(rules);
    for (int option = 0; option < OPTION_COUNT; option++) {
        const struct rule_option *line = referee_option((enum option)option);
        if (line->words && !one_in(maker, 3))
            rules->value[option] = maker_dice(maker, line->most + 1);
    }
    rules->value[OPTION_ROUNDS] = 1 + maker_dice(maker, 6);
    if (one_in(maker, 4))
        rules->value[OPTION_COUNTDOWN] = 0;
    if (one_in(maker, 4))
        rules->value[OPTION_CARD_TIME] = 5 + maker_dice(maker, 60);
    for (int p = 0; p < PLAYERS_MAX; p++)
        if (one_in(maker, 8)) {
            rules->handicap[p].min_level = (int8_t)maker_dice(maker, 6);
            rules->handicap[p].delay_ms = maker_dice(maker, 3000);
        }
}

static void setup_random(struct match_maker *maker, struct event *out)
{
    struct event_setup *setup = &out->setup;

    out->kind = EVENT_SETUP;
    setup->game = (enum game)maker_dice(maker, GAME_COUNT);
    setup->players = (int8_t)(setup->game == GAME_MAKE5 ? 2 : 1 + maker_dice(maker, PLAYERS_MAX));
    for (int p = 0; p < setup->players; p++) {
        setup->seat[p] = (int8_t)(p + 1);
        snprintf(setup->name[p], sizeof setup->name[p], "Player %d", p + 1);
    }
    options_random(maker, &setup->rules);
    if (setup->game != GAME_QUICK_PLAY)
        setup->rules.value[OPTION_OWN_STACKS] = 0;
    for (int i = 0; i < PILES_MAX; i++)
        setup->slot[i] = (int8_t)(setup->game == GAME_QUICK_PLAY ? 3 + i : i + 1);
    setup->seed = dice_roll(maker);
    setup->cards = maker->card;
    setup->card_count = MAKER_CARDS;
    memcpy(setup->colours, "rygbw", 6);
}

/* ---- events of a match ---- */

static int seat_random(struct match_maker *maker, const struct match_state *state)
{
    if (one_in(maker, 40))
        return maker_dice(maker, 12) - 1;
    return 1 + maker_dice(maker, state->players > 0 ? state->players : 4);
}

static const struct pile *pile_random(struct match_maker *maker, const struct match_state *state)
{
    return &state->pile[maker_dice(maker, state->piles > 0 ? state->piles : 1)];
}

/* The grid of a card in play, mostly; sometimes one cell off, sometimes any. */
static void grid_for(struct match_maker *maker, const struct match_state *state, struct grid *out)
{
    const struct pile *pile = pile_random(maker, state);

    if (state->piles == 0 || pile->top < 0 || one_in(maker, 8)) {
        *out = maker->card[maker_dice(maker, MAKER_CARDS)].grid;
    } else {
        *out = state->card[pile->top].card.grid;
        *out = calib_grid_turn(out, maker_dice(maker, 4));
    }
    if (one_in(maker, 3))
        for (int cell = 0; cell < 12; cell++) {
            char *place = &out->cell[cell % out->rows][cell % out->cols];
            if (*place != GRID_HOLE) {
                *place = *place == 'x' ? 'o' : 'x';
                break;
            }
        }
}

static int64_t back(struct match_maker *maker, int64_t most_ms)
{
    return maker->t_ns - (int64_t)maker_dice(maker, (int)most_ms) * NS_PER_MS;
}

static void layout_random(struct match_maker *maker, const struct match_state *state,
                          struct event *out)
{
    struct grid grid;

    out->kind = EVENT_LAYOUT;
    grid_for(maker, state, &grid);
    /* One roll to a statement: the order within one is the compiler's. */
    int seat = seat_random(maker, state), permille = one_in(maker, 12) ? 700 : 999;
    maker_layout(&grid, seat, permille, &out->layout.seat);
    if (one_in(maker, 6)) {
        memset(&out->layout.seat.grid, 0, sizeof out->layout.seat.grid);
        out->layout.seat.state = (enum seat_state)maker_dice(maker, SEAT_UNREADABLE + 1);
        out->layout.seat.reasons = REASON_BIT(maker_dice(maker, REASON_COUNT));
        out->layout.seat.cells = 0;
    }
    out->layout.first_t_ns = back(maker, 400);
    out->layout.moved_t_ns = out->layout.first_t_ns - NS_PER_MS * maker_dice(maker, 500);
    out->layout.frame = (uint64_t)maker_dice(maker, 100000);
}

static void claim_random(struct match_maker *maker, const struct match_state *state,
                         struct event *out)
{
    const struct pile *pile = pile_random(maker, state);

    out->kind = EVENT_CLAIM;
    out->claim.seat = (int8_t)seat_random(maker, state);
    if (one_in(maker, 3))
        out->claim.slot = pile->slot;
    if (one_in(maker, 3))
        out->claim.attempt = one_in(maker, 4) ? pile->last_attempt : pile->attempt;
    if (one_in(maker, 50))
        out->claim.attempt = (uint64_t)maker_dice(maker, 100000);
    out->claim.claimed_t_ns = one_in(maker, 2) ? maker->t_ns : back(maker, 600);
    out->claim.error_ns = (int64_t)maker_dice(maker, 60) * NS_PER_MS;
    snprintf(out->claim.source, sizeof out->claim.source, "key");
}

static void card_random(struct match_maker *maker, const struct match_state *state,
                        struct event *out)
{
    const struct card *card = &maker->card[maker_dice(maker, MAKER_CARDS)];

    out->kind = EVENT_CARD;
    out->card.card.slot =
        one_in(maker, 20) ? (int8_t)maker_dice(maker, 13) : pile_random(maker, state)->slot;
    out->card.card.state = one_in(maker, 5) ? (enum slot_state)maker_dice(maker, 5) : SLOT_FACE_UP;
    if (out->card.card.state == SLOT_FACE_UP) {
        memcpy(out->card.card.id, card->id, sizeof card->id);
        out->card.card.level = (int8_t)card->level;
        out->card.card.grid = card->grid;
        out->card.card.confidence = one_in(maker, 6) ? 500 : 998;
    }
    out->card.first_t_ns = back(maker, 300);
}

static void act_random(struct match_maker *maker, const struct match_state *state,
                       struct event *out)
{
    static const enum event_kind acts[] = {
        EVENT_PAUSE,   EVENT_RESUME,   EVENT_RESUME,    EVENT_GIVE_UP,  EVENT_CONFIRM,
        EVENT_CONFIRM, EVENT_DECIDE,   EVENT_DECIDE,    EVENT_RESUME,   EVENT_AWARD,
        EVENT_GIVE_UP, EVENT_PENALISE, EVENT_SET_ASIDE, EVENT_SET_CARD, EVENT_NAME,
    };

    out->kind = acts[maker_dice(maker, (int)(sizeof acts / sizeof acts[0]))];
    out->act.seat = (int8_t)seat_random(maker, state);
    out->act.slot = one_in(maker, 2) ? 0 : pile_random(maker, state)->slot;
    out->act.cause = maker->cause[maker_dice(maker, 64)];
    for (int p = 0; p < state->players; p++)
        if (state->claim[p].stage == CLAIM_ASKING && one_in(maker, 2))
            out->act.cause = state->claim[p].seq;
        else if (state->claim[p].stage == CLAIM_TIED && one_in(maker, 2))
            out->act.cause = state->claim[p].attempt;
    out->act.agree = one_in(maker, 2);
    out->act.seats = (uint8_t)maker_dice(maker, 16);
    out->act.card = maker->card[maker_dice(maker, MAKER_CARDS)];
    snprintf(out->act.by, sizeof out->act.by, "judge");
    if (out->kind == EVENT_NAME)
        snprintf(out->act.name, sizeof out->act.name, "Name %d", maker_dice(maker, 9));
    if (out->kind == EVENT_GIVE_UP && one_in(maker, 8))
        out->act.seat = 0;
    if (one_in(maker, 200))
        out->kind = EVENT_ABANDON;
}

/* The last position with a disc more, one moved, or something that cannot be. */
static void discs_random(struct match_maker *maker, const struct match_state *state,
                         struct event *out)
{
    int track = maker_dice(maker, RAMP_SIDE), row = 0;

    out->kind = one_in(maker, 60) ? EVENT_SET_DISCS : EVENT_DISCS;
    memcpy(out->discs.disc, state->ramp.disc, sizeof out->discs.disc);
    out->discs.complete = !one_in(maker, 15);
    out->discs.first_t_ns = back(maker, 300);
    out->discs.turn = (int8_t)maker_dice(maker, 2);
    for (int r = 0; r < RAMP_SIDE; r++)
        for (int t = 0; t < RAMP_SIDE; t++)
            if (out->discs.disc[r][t] == 0)
                out->discs.disc[r][t] = '.';
    if (!state->ramp.open)
        memset(out->discs.disc, '.', sizeof out->discs.disc);
    while (row < RAMP_SIDE && out->discs.disc[row][track] != '.')
        row++;
    if (row < RAMP_SIDE && !one_in(maker, 5))
        out->discs.disc[row][track] = "rygbw"[maker_dice(maker, 5)];
    if (row > 0 && one_in(maker, 3))
        out->discs.disc[row - 1][track] = '.';
    if (one_in(maker, 10)) {
        row = maker_dice(maker, 5);
        track = maker_dice(maker, 5);
        out->discs.disc[row][track] = "rygbw."[maker_dice(maker, 6)];
    }
}

static void other_random(struct match_maker *maker, const struct match_state *state,
                         struct event *out)
{
    switch (maker_dice(maker, 8)) {
    case 0:
        out->kind = EVENT_HEALTH;
        out->health = one_in(maker, 3) ? REASON_BIT(REASON_STALE) : 0;
        break;
    case 1:
    case 2:
    case 3:
        out->kind = EVENT_MOTION;
        out->motion.seat = (int8_t)seat_random(maker, state);
        out->motion.blocks = one_in(maker, 2);
        out->motion.at_t_ns = back(maker, 200);
        break;
    case 4:
        out->kind = state->game == GAME_MAKE5 ? EVENT_PASS : EVENT_START;
        if (out->kind == EVENT_START)
            out->countdown_ms = -1;
        break;
    default:
        out->kind = EVENT_TICK;
        out->seen_t_ns = back(maker, 60);
    }
}

void maker_event(struct match_maker *maker, const struct match_state *state, struct event *out)
{
    memset(out, 0, sizeof *out);
    maker->t_ns += (int64_t)maker_dice(maker, one_in(maker, 12) ? 4000 : 250) * NS_PER_MS;
    int kind = maker_dice(maker, 100);
    if (state->phase == PHASE_NONE || one_in(maker, 500)) {
        setup_random(maker, out);
    } else if (state->phase == PHASE_READY || (state->game == GAME_MAKE5 && !state->ramp.open)) {
        out->kind = EVENT_START;
        out->countdown_ms = -1;
    } else if (state->game == GAME_MAKE5 && kind < 70) {
        discs_random(maker, state, out);
    } else if (kind < 30) {
        layout_random(maker, state, out);
    } else if (kind < 55) {
        claim_random(maker, state, out);
    } else if (kind < 65 && state->rules.value[OPTION_CARDS] == CARDS_PRINTED) {
        card_random(maker, state, out);
    } else if (kind < 75) {
        act_random(maker, state, out);
    } else {
        other_random(maker, state, out);
    }
    out->seq = ++maker->seq;
    out->t_ns = one_in(maker, 300) ? maker->t_ns - 9 * (int64_t)NS_PER_MS : maker->t_ns;
}
