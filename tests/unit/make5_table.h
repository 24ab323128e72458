/* tests/unit/make5_table.h: a table at which Make 5 is played: sends events, looks at what is said.
 */
#ifndef TESTS_MAKE5_TABLE_H
#define TESTS_MAKE5_TABLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/step.h"

#include <string.h>

#define MS_NS INT64_C(1000000)
#define S_NS INT64_C(1000000000)
#define COLOURS "rygbw"

enum { B = 0, M = 1 };

/* A match under way, and what its last event brought out. */
struct table {
    struct match_state state;
    struct event event;
    struct decisions out;
};

static struct table table;

/* Sends table.event at that many ms. */
static inline void send_event(int64_t t_ms)
{
    table.event.seq = table.state.seq + 1;
    table.event.t_ns = t_ms * MS_NS;
    referee_step(&table.state, &table.event, &table.out);
    assert_null(referee_state_check(&table.state));
}

static inline void begin_event(enum event_kind kind)
{
    memset(&table.event, 0, sizeof table.event);
    table.event.kind = kind;
}

static inline void send_plain(enum event_kind kind, int64_t t_ms)
{
    begin_event(kind);
    if (kind == EVENT_START)
        table.event.countdown_ms = -1;
    send_event(t_ms);
}

static inline void send_tick(int64_t t_ms)
{
    begin_event(EVENT_TICK);
    table.event.seen_t_ns = t_ms * MS_NS;
    send_event(t_ms);
}

static inline void send_health(uint64_t reasons, int64_t t_ms)
{
    begin_event(EVENT_HEALTH);
    table.event.health = reasons;
    send_event(t_ms);
}

/* Rows from the bottom, divided by '/'; rows that are not given are empty. */
static inline void fill_discs(const char *text)
{
    struct event_discs *discs = &table.event.discs;
    memset(discs->disc, '.', sizeof discs->disc);
    for (int row = 0; *text != '\0'; row++) {
        memcpy(discs->disc[row], text, RAMP_SIDE);
        text += RAMP_SIDE;
        if (*text == '/')
            text++;
    }
    discs->complete = true;
}

static inline void send_discs(const char *text, int64_t t_ms)
{
    begin_event(EVENT_DISCS);
    fill_discs(text);
    table.event.discs.first_t_ns = t_ms * MS_NS;
    send_event(t_ms);
}

static inline void send_hand(int64_t t_ms)
{
    begin_event(EVENT_DISCS);
    fill_discs("");
    table.event.discs.complete = false;
    table.event.discs.first_t_ns = t_ms * MS_NS;
    send_event(t_ms);
}

static inline void send_set(const char *text, int turn, int64_t t_ms)
{
    begin_event(EVENT_SET_DISCS);
    fill_discs(text);
    table.event.discs.turn = (int8_t)turn;
    send_event(t_ms);
}

static inline void fill_setup(const char *colours)
{
    struct event_setup *setup = &table.event.setup;
    setup->game = GAME_MAKE5;
    setup->players = 2;
    setup->seat[0] = 1;
    setup->seat[1] = 2;
    strcpy(setup->name[0], "Ada");
    strcpy(setup->name[1], "Ben");
    strcpy(setup->colours, colours);
    referee_rules_default(&setup->rules);
}

static inline void set_up(const char *option, const char *word)
{
    referee_state_clear(&table.state);
    begin_event(EVENT_SETUP);
    fill_setup(COLOURS);
    struct rules *rules = &table.event.setup.rules;
    if (option)
        assert_int_equal(referee_rules_set(rules, referee_option_find(option), word), 1);
    send_event(0);
    assert_int_equal(table.state.phase, PHASE_READY);
}

static inline void start(const char *option, const char *word)
{
    set_up(option, word);
    send_plain(EVENT_START, 0);
    assert_int_equal(table.state.phase, PHASE_PLAY);
}

/* The n-th decision of the last event, which must be of that kind. */
static inline const struct decision *said(int index, enum decision_kind kind)
{
    if (index >= table.out.count || table.out.item[index].kind != kind)
        fail_msg("decision %d of %d should be %s", index, table.out.count,
                 referee_decision_name(kind));
    return &table.out.item[index];
}

static inline void check_said(int index, enum decision_kind kind, enum why why)
{
    const char *word = referee_why_name(said(index, kind)->why);
    assert_string_equal(word, referee_why_name(why));
}

static inline void check_alone(enum decision_kind kind, enum why why)
{
    check_said(0, kind, why);
    assert_int_equal(table.out.count, 1);
}

static inline void check_move(int index, enum why why, char disc, int from, int to, int turn)
{
    const struct decision *move = said(index, DECISION_MOVE);
    assert_string_equal(referee_why_name(move->why), referee_why_name(why));
    assert_int_equal(move->disc, disc);
    assert_int_equal(move->from[0] * 10 + move->from[1], from);
    assert_int_equal(move->to[0] * 10 + move->to[1], to);
    assert_int_equal(move->turn, turn);
    assert_int_equal(move->round, table.state.ramp.round);
}

static inline void check_quiet(void)
{
    if (table.out.count != 0)
        fail_msg("nothing should be said, but %s (%s)",
                 referee_decision_name(table.out.item[0].kind),
                 referee_why_name(table.out.item[0].why));
}

#endif
