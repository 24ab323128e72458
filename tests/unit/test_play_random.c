/* Matches of random set-ups and random events, sensible and not: what must always hold does after
 * each of them, and the same events give the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/match_table.h"

#define MATCHES 1500
#define EVENTS 800

static uint32_t draw(uint64_t *dice, uint32_t below)
{
    *dice = *dice * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*dice >> 33) % below;
}

static bool chance(uint64_t *dice, int percent)
{
    return draw(dice, 100) < (uint32_t)percent;
}

static void random_rules(struct event_setup *setup, uint64_t *dice)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct rule_option *option = referee_option((enum option)i);
        if (option->words)
            setup->rules.value[i] = (int32_t)draw(dice, (uint32_t)option->most + 1);
    }
    if (setup->game != GAME_QUICK_PLAY || chance(dice, 60))
        setup->rules.value[OPTION_OWN_STACKS] = 0;
    setup->rules.value[OPTION_ROUNDS] = (int32_t)draw(dice, 14);
    setup->rules.value[OPTION_CARD_TIME] = chance(dice, 30) ? (int32_t)draw(dice, 20) : 0;
    setup->rules.value[OPTION_COUNTDOWN] = (int32_t)draw(dice, 3) * 1500;
    if (chance(dice, 20))
        setup->rules.value[OPTION_LAST_MOVE_TIME] = 0;
    for (int p = 0; p < setup->players && chance(dice, 30); p++) {
        setup->rules.handicap[p].min_level = (int8_t)draw(dice, 6);
        setup->rules.handicap[p].delay_ms = (int32_t)draw(dice, 3) * 700;
    }
}

static void random_setup(struct table *table, uint64_t *dice)
{
    enum game game = (enum game)draw(dice, GAME_COUNT);
    int players = game == GAME_MAKE5 ? 2 : 1 + (int)draw(dice, PLAYERS_MAX);
    table_prepare(table, game, players);
    random_rules(&table->event.setup, dice);
    table->event.setup.seed = draw(dice, 1000);
}

static const struct card *random_card(const struct table *table, uint64_t *dice)
{
    const struct match_state *state = &table->state;
    int pile = state->piles > 0 ? (int)draw(dice, (uint32_t)state->piles) : 0;
    if (state->piles > 0 && state->pile[pile].top >= 0 && chance(dice, 75))
        return &state->card[state->pile[pile].top].card;
    return &table->deck[draw(dice, TABLE_CARDS)];
}

/* What lies before a seat: often a card in play, sometimes nearly, sometimes nothing to be read. */
static void random_layout(struct table *table, uint64_t *dice)
{
    struct event_layout *layout = &table->event.layout;
    struct grid grid = random_card(table, dice)->grid;
    if (chance(dice, 25))
        grid.cell[1][draw(dice, 5)] = 'x';
    layout->seat.seat = (int8_t)draw(dice, 6);
    layout->seat.state = chance(dice, 85) ? SEAT_COMPLETE : (enum seat_state)draw(dice, 6);
    layout->seat.grid = calib_grid_turn(&grid, (int)draw(dice, 4));
    grid = layout->seat.grid;
    for (int row = 0; row < grid.rows; row++)
        for (int col = 0; col < grid.cols; col++) {
            struct layout_cell *cell = &layout->seat.cell[layout->seat.cells++];
            cell->row = (int8_t)row;
            cell->col = (int8_t)col;
            cell->symbol = grid.cell[row][col];
            cell->second = 'x';
            cell->confidence = (int16_t)(chance(dice, 95) ? 990 : 500);
        }
    layout->first_t_ns = table->t_ns - (int64_t)draw(dice, 200) * MS;
    layout->moved_t_ns = layout->first_t_ns - (int64_t)draw(dice, 500) * MS;
    layout->frame = draw(dice, 1000);
}

static void random_claim(struct table *table, uint64_t *dice)
{
    struct event_claim *claim = &table->event.claim;
    claim->seat = (int8_t)draw(dice, 6);
    claim->slot = (int8_t)draw(dice, 7);
    claim->claimed_t_ns = table->t_ns - (int64_t)draw(dice, 300) * MS;
    claim->error_ns = (int64_t)draw(dice, 100) * MS;
    if (chance(dice, 20))
        claim->attempt = draw(dice, (uint32_t)table->seq * 8 + 8);
}

static void random_act(struct table *table, uint64_t *dice)
{
    struct event_act *act = &table->event.act;
    act->seat = (int8_t)draw(dice, 6);
    act->slot = (int8_t)(chance(dice, 40) ? 0 : draw(dice, 7));
    act->seats = (uint8_t)draw(dice, 16);
    act->agree = chance(dice, 50);
    act->cause = draw(dice, (uint32_t)table->seq * 8 + 8);
    for (int p = 0; p < PLAYERS_MAX; p++) {
        const struct claim *claim = &table->state.claim[p];
        if (claim->stage == CLAIM_ASKING || claim->stage == CLAIM_TIED)
            act->cause = claim->stage == CLAIM_TIED ? claim->attempt : claim->seq;
    }
    act->card = *random_card(table, dice);
    memcpy(act->name, "Ada", 4);
}

static void random_discs(struct table *table, uint64_t *dice)
{
    struct event_discs *discs = &table->event.discs;
    memcpy(discs->disc, table->state.ramp.disc, sizeof discs->disc);
    discs->complete = chance(dice, 90);
    int changes = 1 + (int)draw(dice, 2);
    for (int i = 0; i < changes; i++) {
        int track = (int)draw(dice, RAMP_SIDE), row = 0;
        while (row < RAMP_SIDE && discs->disc[row][track] != '.' && discs->disc[row][track])
            row++;
        if (row < RAMP_SIDE)
            discs->disc[row][track] = "rygbw."[draw(dice, 6)];
    }
    for (int i = 0; i < RAMP_SIDE * RAMP_SIDE; i++)
        if (!discs->disc[i / RAMP_SIDE][i % RAMP_SIDE])
            discs->disc[i / RAMP_SIDE][i % RAMP_SIDE] = '.';
    discs->first_t_ns = table->t_ns;
    discs->turn = (int8_t)draw(dice, 2);
}

/* Mostly ticks, layouts and claims; people act now and then; the match is seldom given up. */
static enum event_kind random_kind(const struct table *table, uint64_t *dice)
{
    if (table->state.phase == PHASE_READY && chance(dice, 40))
        return EVENT_START;
    if ((table->state.paused || table->state.health) && chance(dice, 60))
        return table->state.paused ? EVENT_RESUME : EVENT_HEALTH;
    if (chance(dice, 30))
        return EVENT_TICK;
    if (chance(dice, 60)) {
        static const enum event_kind often[] = {EVENT_LAYOUT, EVENT_LAYOUT, EVENT_MOTION,
                                                EVENT_CLAIM,  EVENT_CARD,   EVENT_DISCS};
        return often[draw(dice, 6)];
    }
    enum event_kind kind = (enum event_kind)draw(dice, EVENT_KINDS);
    return kind == EVENT_ABANDON && chance(dice, 99) ? EVENT_TICK : kind;
}

static void random_event(struct table *table, uint64_t *dice)
{
    struct event *event = &table->event;
    table->t_ns += (int64_t)draw(dice, 4) * (int64_t)draw(dice, 300) * MS;
    event->kind = random_kind(table, dice);
    switch ((int)event->kind) {
    case EVENT_SETUP:
        event->setup.game = (enum game)draw(dice, 5);
        event->setup.players = (int8_t)draw(dice, 6);
        break;
    case EVENT_START:
        event->countdown_ms = (int32_t)draw(dice, 3) - 1;
        break;
    case EVENT_LAYOUT:
        random_layout(table, dice);
        break;
    case EVENT_MOTION:
        event->motion.seat = (int8_t)draw(dice, 6);
        event->motion.blocks = chance(dice, 50);
        event->motion.at_t_ns = table->t_ns - (int64_t)draw(dice, 100) * MS;
        break;
    case EVENT_CARD: {
        const struct card *card = random_card(table, dice);
        struct layout_card *seen = &event->card.card;
        seen->slot = (int8_t)draw(dice, 7);
        seen->state = chance(dice, 80) ? SLOT_FACE_UP : (enum slot_state)draw(dice, 6);
        seen->level = (int8_t)card->level;
        seen->grid = card->grid;
        if (chance(dice, 80))
            memcpy(seen->id, card->id, sizeof seen->id);
        seen->confidence = (int16_t)(chance(dice, 90) ? 990 : 800);
        break;
    }
    case EVENT_CLAIM:
        random_claim(table, dice);
        break;
    case EVENT_TICK:
        event->seen_t_ns = table->t_ns - (int64_t)draw(dice, 60) * MS;
        break;
    case EVENT_HEALTH:
        event->health = chance(dice, 60) ? 0 : REASON_BIT(REASON_MAT_MOVED);
        break;
    case EVENT_DISCS:
    case EVENT_SET_DISCS:
        random_discs(table, dice);
        break;
    default:
        random_act(table, dice);
        break;
    }
    if (chance(dice, 5)) {
        event->forced.set = true;
        event->forced.ruling = (enum ruling)draw(dice, 3);
    }
}

/* What a decision says must be so. */
static void assert_sensible(const struct table *table)
{
    const struct match_state *state = &table->state;
    assert_true(table->out.count < DECISIONS_MAX);
    for (int i = 0; i < table->out.count; i++) {
        const struct decision *said = &table->out.item[i];
        assert_int_equal(said->index, i);
        assert_int_equal(said->seq, table->seq);
        assert_true(said->cause <= said->seq);
        assert_true(said->took_ns >= 0);
        assert_string_not_equal(referee_decision_name(said->kind), "unknown");
        assert_string_not_equal(referee_why_name(said->why), "unknown");
        if (said->kind == DECISION_WIN)
            assert_true((said->seat != 0) != (said->seats != 0));
        if (said->kind == DECISION_END)
            assert_int_equal(state->phase, PHASE_OVER);
    }
    for (int i = 0; i < state->piles; i++)
        assert_true(state->pile[i].attempt == 0 ||
                    state->pile[i].attempt > state->pile[i].last_attempt);
}

/* Plays a match; how many cards were won in it. */
static int play(struct table *table, uint64_t seed, int phases[PHASE_ABANDONED + 1])
{
    uint64_t dice = seed;
    random_setup(table, &dice);
    table_send(table);
    for (int i = 0; i < EVENTS; i++) {
        random_event(table, &dice);
        table_send(table);
        assert_sensible(table);
    }
    phases[table->state.phase]++;
    return table->state.wins;
}

static void what_must_always_hold_should_hold_in_random_matches(void **unused)
{
    (void)unused;
    static struct table table;
    int phases[PHASE_ABANDONED + 1] = {0}, wins = 0;
    for (uint64_t seed = 1; seed <= MATCHES; seed++)
        wins += play(&table, seed, phases);
    /* The matches are no empty ones. */
    assert_true(wins > MATCHES);
    assert_true(phases[PHASE_OVER] > MATCHES / 20);
    assert_true(phases[PHASE_PLAY] > MATCHES / 20);
}

static void the_same_events_should_give_the_same_bytes(void **unused)
{
    (void)unused;
    static struct table a, b;
    int phases[PHASE_ABANDONED + 1] = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        memset(&a, 0, sizeof a);
        memset(&b, 0xa5, sizeof b); /* nothing of what was there before shows through */
        play(&a, seed, phases);
        play(&b, seed, phases);
        assert_memory_equal(&a.state, &b.state, sizeof a.state);
        assert_int_equal(a.out.count, b.out.count);
        assert_memory_equal(a.out.item, b.out.item, (size_t)a.out.count * sizeof a.out.item[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_must_always_hold_should_hold_in_random_matches),
        cmocka_unit_test(the_same_events_should_give_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
