/* tests/unit/match_table.h: a table to play the engine at: events by short calls, and after each of
 * them what must always hold is looked at. */
#ifndef TESTS_MATCH_TABLE_H
#define TESTS_MATCH_TABLE_H

#include "referee/step.h"

#include <stdio.h>
#include <string.h>

#define TABLE_CARDS 60
#define MS ((int64_t)1000000)
#define S (1000 * MS)

struct table {
    struct match_state state;
    struct decisions out;
    struct event event; /* the next one; what is not set is 0 */
    uint64_t seq;
    int64_t t_ns;
    struct card deck[TABLE_CARDS];
};

/* Twelve cards of each level, no two alike in any turn: the second row counts, the first one's ends
 * say where it begins. */
static inline void table_deck(struct card *deck)
{
    static const char symbols[] = "x+*o#";
    memset(deck, 0, TABLE_CARDS * sizeof *deck);
    for (int i = 0; i < TABLE_CARDS; i++) {
        struct card *card = &deck[i];
        card->level = i / 12 + 1;
        snprintf(card->id, sizeof card->id, "L%d-%02d", card->level, i % 12 + 1);
        calib_grid_clear(&card->grid, 2, 5);
        memcpy(card->grid.cell[0], "x+++o", 5);
        for (int col = 0, number = i; col < 5; col++, number /= 5)
            card->grid.cell[1][col] = symbols[number % 5];
    }
}

/* A set-up with default rules, players at seats 1.., slot 3 (Total Madness 1..5), not yet sent. */
static inline void table_prepare(struct table *table, enum game game, int players)
{
    memset(table, 0, sizeof *table);
    referee_state_clear(&table->state);
    table_deck(table->deck);
    struct event_setup *setup = &table->event.setup;
    table->event.kind = EVENT_SETUP;
    setup->game = game;
    setup->players = (int8_t)players;
    for (int p = 0; p < players; p++) {
        setup->seat[p] = (int8_t)(p + 1);
        snprintf(setup->name[p], sizeof setup->name[p], "Player %d", p + 1);
    }
    referee_rules_default(&setup->rules);
    for (int i = 0; i < PILES_MAX; i++)
        setup->slot[i] = (int8_t)(game == GAME_TOTAL_MADNESS ? i + 1 : (i + 2) % 5 + 1);
    setup->cards = table->deck;
    setup->card_count = TABLE_CARDS;
    memcpy(setup->colours, "rygbw", 6);
    setup->seed = 7;
}

static inline void table_option(struct table *table, enum option option, int32_t value)
{
    table->event.setup.rules.value[option] = value;
}

/* Sends the event that was prepared, at the table's time. */
static inline void table_send(struct table *table)
{
    table->event.seq = ++table->seq;
    table->event.t_ns = table->t_ns;
    referee_step(&table->state, &table->event, &table->out);
    const char *fault = referee_state_check(&table->state);
    if (fault)
        fail_msg("after event %d: %s", (int)table->seq, fault);
    memset(&table->event, 0, sizeof table->event);
}

static inline void table_kind(struct table *table, enum event_kind kind)
{
    table->event.kind = kind;
    table_send(table);
}

/* Time passes, and every frame is looked at. */
static inline void table_tick(struct table *table, int64_t ns)
{
    table->t_ns += ns;
    table->event.kind = EVENT_TICK;
    table->event.seen_t_ns = table->t_ns;
    table_send(table);
}

static inline void table_start(struct table *table, int32_t countdown_ms)
{
    table->event.kind = EVENT_START;
    table->event.countdown_ms = countdown_ms;
    table_send(table);
}

/* Set up as prepared, and started at once. */
static inline void table_begin(struct table *table)
{
    table_send(table);
    assert_int_equal(table->out.count, 1);
    assert_int_equal(table->state.phase, PHASE_READY);
    table_start(table, 0);
    assert_int_equal(table->state.phase, PHASE_PLAY);
}

static inline void table_act(struct table *table, enum event_kind kind, int seat, int slot)
{
    table->t_ns += MS;
    table->event.kind = kind;
    table->event.act.seat = (int8_t)seat;
    table->event.act.slot = (int8_t)slot;
    table_send(table);
}

/* The nth (from 0) decision of that kind; NULL when there are fewer. */
static inline const struct decision *table_nth(const struct table *table, enum decision_kind kind,
                                               int nth)
{
    for (int i = 0; i < table->out.count; i++)
        if (table->out.item[i].kind == kind && nth-- == 0)
            return &table->out.item[i];
    return NULL;
}

/* The only decision of that kind. */
static inline const struct decision *table_said(const struct table *table, enum decision_kind kind)
{
    const struct decision *said = table_nth(table, kind, 0);
    if (!said || table_nth(table, kind, 1))
        fail_msg("%s should be said once: \"%s\"", referee_decision_name(kind),
                 said ? "said twice or more" : "not said");
    return said;
}

/* Nothing but a refusal for that reason. */
static inline void table_refused(const struct table *table, enum why why)
{
    if (table->out.count != 1 || table->out.item[0].kind != DECISION_REFUSED ||
        table->out.item[0].why != why)
        fail_msg("should be refused: %s; first of %d is %s, %s", referee_why_name(why),
                 table->out.count,
                 table->out.count ? referee_decision_name(table->out.item[0].kind) : "nothing",
                 table->out.count ? referee_why_name(table->out.item[0].why) : "-");
}

/* The card in play of a pile. */
static inline const struct card *table_card(const struct table *table, int pile)
{
    assert_true(table->state.pile[pile].top >= 0);
    return &table->state.card[table->state.pile[pile].top].card;
}

/* A seat's layout has settled with that grid, first seen and last moved at the table's time. */
static inline void table_layout(struct table *table, int seat, const struct grid *grid)
{
    struct event_layout *layout = &table->event.layout;
    table->event.kind = EVENT_LAYOUT;
    layout->first_t_ns = layout->moved_t_ns = table->t_ns;
    layout->frame = table->seq + 1;
    layout->seat.seat = (int8_t)seat;
    layout->seat.state = SEAT_COMPLETE;
    layout->seat.grid = *grid;
    layout->seat.confidence = 990;
    for (int row = 0; row < grid->rows; row++)
        for (int col = 0; col < grid->cols; col++) {
            if (grid->cell[row][col] == GRID_HOLE)
                continue;
            struct layout_cell *cell = &layout->seat.cell[layout->seat.cells++];
            cell->row = (int8_t)row;
            cell->col = (int8_t)col;
            cell->symbol = grid->cell[row][col];
            cell->second = cell->symbol == 'x' ? 'o' : 'x';
            cell->confidence = 990;
        }
    table_send(table);
}

static inline void table_claim(struct table *table, int seat, int slot)
{
    table->event.kind = EVENT_CLAIM;
    table->event.claim.seat = (int8_t)seat;
    table->event.claim.slot = (int8_t)slot;
    table->event.claim.claimed_t_ns = table->t_ns;
    table_send(table);
}

/* A printed card lies face up in a slot. */
static inline void table_see_card(struct table *table, int slot, const struct card *card)
{
    struct layout_card *seen = &table->event.card.card;
    table->event.kind = EVENT_CARD;
    table->event.card.first_t_ns = table->t_ns;
    seen->slot = (int8_t)slot;
    seen->state = SLOT_FACE_UP;
    memcpy(seen->id, card->id, sizeof seen->id);
    seen->level = (int8_t)card->level;
    seen->grid = card->grid;
    seen->confidence = 990;
    table_send(table);
}

#endif
