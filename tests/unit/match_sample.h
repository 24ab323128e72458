/* tests/unit/match_sample.h: two matches as they might stand, and one decision of every kind: what
 * the examples in EVENTS.md show. */
#ifndef TESTS_MATCH_SAMPLE_H
#define TESTS_MATCH_SAMPLE_H

#include "referee/state.h"

#include <string.h>

#define SAMPLE_DIGEST "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
#define SAMPLE_GRID "x*#/x#*/o../++*"
#define SAMPLE_HIDDEN "L2-05" /* still in the stack */

static inline void sample_text(char *out, const char *text)
{
    memcpy(out, text, strlen(text) + 1);
}

static inline void sample_card(struct match_card *out, const char *id, int level, const char *grid,
                               enum card_place place)
{
    sample_text(out->card.id, id);
    out->card.level = level;
    assert_int_equal(calib_grid_parse(grid, strlen(grid), &out->card.grid), 0);
    out->place = (int8_t)place;
}

/* A layout of ten cells, each 35 mm from the next. */
static inline void sample_seat(struct layout_seat *out)
{
    out->seat = 1;
    out->state = SEAT_COMPLETE;
    out->turned_deg10 = 31;
    out->confidence = 997;
    assert_int_equal(calib_grid_parse(SAMPLE_GRID, strlen(SAMPLE_GRID), &out->grid), 0);
    for (int row = 0; row < out->grid.rows; row++)
        for (int col = 0; col < out->grid.cols; col++)
            if (out->grid.cell[row][col] != GRID_HOLE)
                out->cell[out->cells++] =
                    (struct layout_cell){.row = (int8_t)row,
                                         .col = (int8_t)col,
                                         .symbol = out->grid.cell[row][col],
                                         .second = out->grid.cell[row][col] == 'x' ? '+' : 'x',
                                         .confidence = 997,
                                         .center_px10 = {6121 + 380 * col, 1489 + 380 * row},
                                         .center_mm10 = {2124 + 350 * col, 802 + 350 * row}};
}

/* Quick-Play with claims: Ada holds a card and has claimed the next. */
static inline void sample_match(struct match_state *out)
{
    memset(out, 0, sizeof *out);
    out->seq = 12;
    out->t_ns = 9800000000;
    out->seen_t_ns = 9767000000;
    out->phase = PHASE_PLAY;
    out->game = GAME_QUICK_PLAY;
    out->players = 2;
    out->piles = 1;
    referee_rules_default(&out->rules);
    out->rules.value[OPTION_CLAIMS] = CLAIMS_CALLED;
    out->rules.value[OPTION_ROUNDS] = 3;
    out->rules.handicap[1].min_level = 3;
    sample_text(out->deck, "match-madness");
    sample_text(out->digest, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
    out->seed = 7;
    out->started_t_ns = 3500000000;
    out->stopped_since_t_ns = -1;
    out->player[0] = (struct player){.seat = 1,
                                     .name = "Ada",
                                     .claims = 2,
                                     .cards = 1,
                                     .by_level = {0, 1},
                                     .points = 1,
                                     .finished_clock_ns = -1};
    out->player[1] =
        (struct player){.seat = 2, .name = "Bo", .claims = 1, .errors = 1, .finished_clock_ns = -1};
    out->pile[0] = (struct pile){.slot = 3,
                                 .owner = -1,
                                 .top = 1,
                                 .left = 1,
                                 .attempt = 56,
                                 .last_attempt = 16,
                                 .opened_t_ns = 6100000000,
                                 .opened_clock_ns = 2600000000,
                                 .out = 2};
    out->cards = out->dealt = 3;
    out->wins = 1;
    sample_card(&out->card[0], "L1-02", 1, "xx/oo/++/##/**", CARD_WON);
    out->card[0].holders = 1;
    out->card[0].won_order = 1;
    out->card[0].took_ns = 2600000000;
    out->card[0].attempt = 16;
    sample_card(&out->card[1], "L4-01", 4, SAMPLE_GRID, CARD_IN_PLAY);
    out->card[1].attempt = 56;
    sample_card(&out->card[2], SAMPLE_HIDDEN, 2, "x+x/+o+/##*/*..", CARD_IN_STACK);
    struct seat_view *view = &out->view[0];
    view->known = view->still = true;
    view->seq = 10;
    view->first_t_ns = 9267000000;
    view->moved_t_ns = 9100000000;
    view->motion_t_ns = 9100000000;
    view->frame = 139;
    sample_text(view->digest, SAMPLE_DIGEST);
    sample_seat(&view->layout);
    struct claim *claim = &out->claim[0];
    claim->stage = CLAIM_MATCHED;
    claim->pile = 0;
    claim->seq = 11;
    claim->attempt = 56;
    claim->claimed_t_ns = claim->order_t_ns = 9650000000;
    claim->error_ns = 5000000;
    claim->frame = 139;
    claim->verdict.seat = 1;
    sample_text(claim->verdict.card, "L4-01");
    sample_text(claim->digest, SAMPLE_DIGEST);
}

/* Make 5 in its second round. */
static inline void sample_make5(struct match_state *out)
{
    struct ramp_state *ramp = &out->ramp;

    memset(out, 0, sizeof *out);
    out->seq = 40;
    out->t_ns = out->seen_t_ns = 90000000000;
    out->phase = PHASE_PLAY;
    out->game = GAME_MAKE5;
    out->players = 2;
    referee_rules_default(&out->rules);
    out->started_t_ns = 1000000000;
    out->stopped_since_t_ns = -1;
    out->player[0] =
        (struct player){.seat = 1, .name = "Ada", .points = 11, .finished_clock_ns = -1};
    out->player[1] = (struct player){.seat = 2, .name = "Bo", .finished_clock_ns = -1};
    memset(ramp->disc, '.', sizeof ramp->disc);
    memcpy(ramp->disc[0], "rrrgb", RAMP_SIDE);
    memcpy(ramp->disc[1], ".w...", RAMP_SIDE);
    ramp->round = 2;
    ramp->maker = 1;
    ramp->turn = 1;
    ramp->open = true;
    ramp->discs = 6;
    ramp->last[0] = 1;
    ramp->last[1] = 1;
    ramp->points[0] = 11;
    sample_text(ramp->colours, "rygbw");
}

/* A decision on the seat's claim of the first match. */
static inline void sample_ruling(struct decision *out)
{
    out->cause = 11;
    out->seat = 1;
    out->attempt = 56;
    out->slot = 3;
    out->level = 4;
    sample_text(out->card, "L4-01");
    out->verdict.seat = 1;
    out->verdict.confidence = 997;
    sample_text(out->verdict.card, "L4-01");
    out->frame = 139;
    sample_text(out->digest, SAMPLE_DIGEST);
    out->at_t_ns = 9650000000;
    sample_text(out->source, "button");
    out->claim_error_ns = 15000000;
}

static inline void sample_error(struct decision *out)
{
    sample_ruling(out);
    out->verdict.ruling = RULING_NO_MATCH;
    out->verdict.reasons = REASON_BIT(REASON_WRONG_SYMBOL);
    out->verdict.wrong_cells = 1;
    out->verdict.wrong[0][0] = 2;
}

static inline void sample_make5_decision(enum decision_kind kind, struct decision *out)
{
    out->seq = 40;
    out->t_ns = 90000000000;
    out->cause = 40;
    out->round = 2;
    switch (kind) {
    case DECISION_MOVE:
        out->why = WHY_DROP;
        out->seat = 1;
        out->disc = 'w';
        out->to[0] = out->to[1] = 2;
        out->turn = 1;
        break;
    case DECISION_ILLEGAL:
        out->why = WHY_FLOATING;
        memset(out->seen, '.', sizeof out->seen);
        memcpy(out->seen[0], "rrrgb", RAMP_SIDE);
        out->seen[2][1] = 'w';
        out->legal_tracks = 0x1f;
        break;
    default:
        out->why = WHY_PASS;
        out->round = 1;
        out->seat = 1;
        out->points = 11;
    }
}

static inline void sample_card_decision(enum decision_kind kind, struct decision *out)
{
    switch (kind) {
    case DECISION_VERDICT:
        sample_error(out);
        out->policy = POLICY_CONFIRM;
        out->forced = true;
        out->was = RULING_MATCH;
        break;
    case DECISION_ASKED:
        sample_error(out);
        break;
    case DECISION_WIN:
        sample_ruling(out);
        out->margin_ns = 240000000;
        out->error_ns = 63333000;
        out->took_ns = 3550000000;
        break;
    case DECISION_PENALTY:
        out->seat = 2;
        out->why = WHY_OWED;
        break;
    case DECISION_SET_ASIDE:
        sample_ruling(out);
        out->seat = 0;
        out->why = WHY_ALL_OUT;
        out->took_ns = 3550000000;
        break;
    case DECISION_TIE:
        sample_ruling(out);
        out->seat = 0;
        out->seats = 3;
        out->error_ns = 63333000;
        break;
    default: /* card, out */
        sample_ruling(out);
        out->seat = kind == DECISION_OUT ? 2 : 0;
    }
}

/* The decision of that kind which EVENTS.md shows. */
static inline void sample_decision(enum decision_kind kind, struct decision *out)
{
    memset(out, 0, sizeof *out);
    if (kind == DECISION_MOVE || kind == DECISION_ILLEGAL || kind == DECISION_ROUND) {
        sample_make5_decision(kind, out);
        out->kind = kind;
        return;
    }
    out->seq = out->cause = 12;
    out->t_ns = 9800000000;
    switch (kind) {
    case DECISION_PHASE:
        out->phase = PHASE_PLAY;
        out->paused = true;
        break;
    case DECISION_REFUSED:
        out->seat = 2;
        out->why = WHY_LATE;
        out->attempt = 16;
        out->slot = 3;
        break;
    case DECISION_FALSE_START:
        out->seat = 2;
        out->at_t_ns = 3100000000;
        break;
    case DECISION_HEALTH:
        out->reasons = REASON_BIT(REASON_MAT_MOVED);
        break;
    case DECISION_END:
        out->seats = 1;
        break;
    default:
        sample_card_decision(kind, out);
    }
    out->kind = kind;
}

/* Is that kind said of a match of Make 5? */
static inline bool sample_is_make5(enum decision_kind kind)
{
    return kind == DECISION_MOVE || kind == DECISION_ILLEGAL || kind == DECISION_ROUND;
}

#endif
