#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/match_table.h"

static void nothing_should_happen_before_a_set_up(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        struct table table;
        table_prepare(&table, GAME_QUICK_PLAY, 2);
        memset(&table.event, 0, sizeof table.event);
        if (kind == EVENT_SETUP)
            continue;
        table_kind(&table, (enum event_kind)kind);
        table_refused(&table, WHY_NO_MATCH);
        assert_int_equal(table.state.phase, PHASE_NONE);
    }
}

static void a_match_should_be_set_up_once(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    struct event again = table.event;
    table_send(&table);
    assert_int_equal(table_said(&table, DECISION_PHASE)->phase, PHASE_READY);
    assert_string_equal(table.state.player[1].name, "Player 2");
    table.event = again;
    table_send(&table);
    table_refused(&table, WHY_ALREADY_SET_UP);
}

/* Each changes a good set-up of two players into a bad one. */
static void spoil(struct table *table, int how)
{
    struct event_setup *setup = &table->event.setup;
    switch (how) {
    case 0:
        setup->players = 0;
        break;
    case 1:
        setup->players = PLAYERS_MAX + 1;
        break;
    case 2:
        setup->seat[1] = setup->seat[0];
        break;
    case 3:
        setup->seat[0] = 0;
        break;
    case 4:
        setup->seat[0] = MAT_SEATS_MAX + 1;
        break;
    case 5:
        setup->game = GAME_COUNT;
        break;
    case 6:
        setup->rules.value[OPTION_COUNTDOWN] = -1;
        break;
    case 7:
        setup->slot[0] = MAT_SLOTS_MAX + 1;
        break;
    case 8:
        setup->slot[0] = 0;
        setup->rules.value[OPTION_CARDS] = CARDS_PRINTED;
        break;
    case 9:
        setup->game = GAME_TOTAL_MADNESS;
        setup->slot[1] = setup->slot[0];
        break;
    case 10:
        setup->game = (enum game) - 1;
        break;
    default:
        setup->game = GAME_MAKE5;
        setup->players = 3;
        break;
    }
}

static void a_set_up_that_does_not_fit_should_be_refused(void **unused)
{
    (void)unused;
    for (int how = 0; how <= 11; how++) {
        struct table table;
        table_prepare(&table, GAME_QUICK_PLAY, 2);
        spoil(&table, how);
        table_send(&table);
        table_refused(&table, WHY_BAD_SETUP);
        assert_int_equal(table.state.phase, PHASE_NONE);
    }
}

static void what_needs_play_should_wait_for_the_start(void **unused)
{
    (void)unused;
    static const enum event_kind kinds[] = {EVENT_CLAIM,     EVENT_GIVE_UP, EVENT_CONFIRM,
                                            EVENT_DECIDE,    EVENT_AWARD,   EVENT_PENALISE,
                                            EVENT_SET_ASIDE, EVENT_PAUSE,   EVENT_RESUME};
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_send(&table);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        table_kind(&table, kinds[i]);
        table_refused(&table, WHY_NOT_STARTED);
    }
}

static void a_start_should_count_down_to_its_signal(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_send(&table);
    table.t_ns = S;
    table_start(&table, -1);
    assert_int_equal(table_said(&table, DECISION_PHASE)->phase, PHASE_COUNTDOWN);
    assert_int_equal(table.state.started_t_ns, 4 * S);
    table_start(&table, -1);
    table_refused(&table, WHY_ALREADY_STARTED);
    table_tick(&table, 2999 * MS);
    assert_int_equal(table.out.count, 0);
    table_tick(&table, 50 * MS);
    assert_int_equal(table_said(&table, DECISION_PHASE)->phase, PHASE_PLAY);
    assert_non_null(table_nth(&table, DECISION_CARD, 0));
    /* The card counts from the signal, not from the event that told of it. */
    assert_int_equal(table.state.pile[0].opened_t_ns, 4 * S);
    assert_int_equal(table.state.pile[0].opened_clock_ns, 0);
    assert_int_equal(table.state.pile[0].attempt, table.seq * 8);
    table_start(&table, -1);
    table_refused(&table, WHY_ALREADY_STARTED);
}

static void a_countdown_out_of_its_bounds_should_be_refused(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_send(&table);
    table_start(&table, 60001);
    table_refused(&table, WHY_BAD_VALUE);
    table_start(&table, -2);
    table_refused(&table, WHY_BAD_VALUE);
    table_start(&table, 60000);
    assert_int_equal(table.state.phase, PHASE_COUNTDOWN);
}

static void a_pause_in_the_countdown_should_put_the_signal_off(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_send(&table);
    table_start(&table, 3000);
    table_tick(&table, S);
    table_kind(&table, EVENT_PAUSE);
    assert_true(table_said(&table, DECISION_PHASE)->paused);
    table_tick(&table, 10 * S);
    assert_int_equal(table.state.phase, PHASE_COUNTDOWN);
    table_kind(&table, EVENT_RESUME);
    assert_int_equal(table.state.countdown_ns, 13 * S);
    table_tick(&table, 1999 * MS);
    assert_int_equal(table.state.phase, PHASE_COUNTDOWN);
    table_tick(&table, MS);
    assert_int_equal(table.state.phase, PHASE_PLAY);
    assert_int_equal(referee_state_clock_ns(&table.state), 0);
}

static void time_should_not_run_backward(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_begin(&table);
    table_tick(&table, 5 * S);
    static struct match_state before;
    before = table.state;
    table_tick(&table, -S);
    table_refused(&table, WHY_CLOCK_BACKWARD);
    assert_memory_equal(&table.state, &before, sizeof before);
    table.t_ns = INT64_MAX;
    table_kind(&table, EVENT_TICK);
    table_refused(&table, WHY_BAD_VALUE);
    table.t_ns = 5 * S;
    table.seq = 0; /* a number that was before */
    table_kind(&table, EVENT_TICK);
    table_refused(&table, WHY_BAD_VALUE);
    table.seq = 100;
    table_kind(&table, EVENT_KINDS);
    table_refused(&table, WHY_BAD_VALUE);
    assert_memory_equal(&table.state, &before, sizeof before);
}

static void frames_should_not_be_seen_before_they_were_taken(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_begin(&table);
    table.t_ns = S;
    table.event.seen_t_ns = 9 * S;
    table_kind(&table, EVENT_TICK);
    assert_int_equal(table.state.seen_t_ns, S);
    table.event.seen_t_ns = S / 2;
    table_kind(&table, EVENT_TICK);
    assert_int_equal(table.state.seen_t_ns, S);
}

static void the_clock_should_stand_still_in_a_pause_and_without_a_picture(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_begin(&table);
    table_tick(&table, 10 * S);
    table_kind(&table, EVENT_PAUSE);
    table_tick(&table, 5 * S);
    assert_int_equal(referee_state_clock_ns(&table.state), 10 * S);
    /* The picture goes bad in the pause, and stays so for a while. */
    table.event.health = REASON_BIT(REASON_STALE);
    table_kind(&table, EVENT_HEALTH);
    table_kind(&table, EVENT_RESUME);
    table_tick(&table, 5 * S);
    assert_int_equal(referee_state_clock_ns(&table.state), 10 * S);
    table_kind(&table, EVENT_HEALTH);
    table_tick(&table, 7 * S);
    assert_int_equal(referee_state_clock_ns(&table.state), 17 * S);
    assert_int_equal(table.state.stopped_ns, 10 * S);
    /* Back over the time that it stood still. */
    assert_int_equal(referee_state_clock_at_ns(&table.state, 22 * S), 12 * S);
    assert_int_equal(referee_state_clock_at_ns(&table.state, 15 * S), 10 * S);
    assert_int_equal(referee_state_clock_at_ns(&table.state, 9 * S), 9 * S);
    table_kind(&table, EVENT_RESUME);
    table_refused(&table, WHY_NOT_PAUSED);
    table_kind(&table, EVENT_PAUSE);
    table_kind(&table, EVENT_PAUSE);
    table_refused(&table, WHY_PAUSED);
    table_kind(&table, EVENT_ABANDON);
    table.t_ns += 100 * S;
    assert_int_equal(referee_state_clock_ns(&table.state), 17 * S);
}

static void an_end_should_refuse_all_but_names(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < EVENT_KINDS; kind++) {
        struct table table;
        table_prepare(&table, GAME_QUICK_PLAY, 2);
        table_begin(&table);
        table_kind(&table, EVENT_ABANDON);
        assert_int_equal(table_said(&table, DECISION_PHASE)->phase, PHASE_ABANDONED);
        static struct match_state before;
        before = table.state;
        table_kind(&table, (enum event_kind)kind);
        before.seq = table.state.seq;
        assert_memory_equal(&table.state, &before, sizeof before);
        bool seen = kind == EVENT_LAYOUT || kind == EVENT_MOTION || kind == EVENT_CARD ||
                    kind == EVENT_TICK || kind == EVENT_HEALTH || kind == EVENT_DISCS;
        if (seen) /* is no demand */
            assert_int_equal(table.out.count, 0);
        else if (kind != EVENT_NAME)
            table_refused(&table, WHY_MATCH_OVER);
    }
}

static void acts_of_another_game_should_be_refused(void **unused)
{
    (void)unused;
    static const enum event_kind cards[] = {EVENT_CLAIM,    EVENT_GIVE_UP,  EVENT_CONFIRM,
                                            EVENT_DECIDE,   EVENT_SET_CARD, EVENT_AWARD,
                                            EVENT_PENALISE, EVENT_SET_ASIDE};
    static const enum event_kind discs[] = {EVENT_PASS, EVENT_SET_DISCS};
    struct table table;
    table_prepare(&table, GAME_MAKE5, 2);
    table_begin(&table);
    for (size_t i = 0; i < sizeof cards / sizeof cards[0]; i++) {
        table_kind(&table, cards[i]);
        table_refused(&table, WHY_NOT_IN_THIS_GAME);
    }
    table_prepare(&table, GAME_QUICK_PLAY, 2);
    table_begin(&table);
    for (size_t i = 0; i < sizeof discs / sizeof discs[0]; i++) {
        table_kind(&table, discs[i]);
        table_refused(&table, WHY_NOT_IN_THIS_GAME);
    }
}

static void make5_should_start_without_a_count(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_MAKE5, 2);
    table_send(&table);
    table_start(&table, -1);
    assert_int_equal(table.state.phase, PHASE_PLAY);
    assert_int_equal(table_said(&table, DECISION_PHASE)->phase, PHASE_PLAY);
}

static void decisions_should_be_numbered_within_their_event(void **unused)
{
    (void)unused;
    struct table table;
    table_prepare(&table, GAME_TOTAL_MADNESS, 2);
    table_begin(&table);
    assert_int_equal(table.out.count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(table.out.item[i].index, i);
        assert_int_equal(table.out.item[i].seq, 2);
        assert_int_equal(table.out.item[i].cause, 2);
    }
}

static void text_behind_a_closing_0_should_not_be_kept(void **unused)
{
    (void)unused;
    struct table a, b;
    table_prepare(&a, GAME_QUICK_PLAY, 2);
    table_prepare(&b, GAME_QUICK_PLAY, 2);
    memcpy(a.event.setup.name[0], "Ada\0rest", 9);
    memcpy(b.event.setup.name[0], "Ada\0tser", 9);
    memset(a.event.setup.name[0] + 100, 1, 50);
    memcpy(a.event.setup.deck, "deck\0x", 7);
    memcpy(b.event.setup.deck, "deck\0y", 7);
    for (int i = 0; i < TABLE_CARDS; i++)
        a.deck[i].id[CARD_ID_MAX - 1] = 'x';
    table_send(&a);
    table_send(&b);
    assert_memory_equal(&a.state, &b.state, sizeof a.state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_should_happen_before_a_set_up),
        cmocka_unit_test(a_match_should_be_set_up_once),
        cmocka_unit_test(a_set_up_that_does_not_fit_should_be_refused),
        cmocka_unit_test(what_needs_play_should_wait_for_the_start),
        cmocka_unit_test(a_start_should_count_down_to_its_signal),
        cmocka_unit_test(a_countdown_out_of_its_bounds_should_be_refused),
        cmocka_unit_test(a_pause_in_the_countdown_should_put_the_signal_off),
        cmocka_unit_test(time_should_not_run_backward),
        cmocka_unit_test(frames_should_not_be_seen_before_they_were_taken),
        cmocka_unit_test(the_clock_should_stand_still_in_a_pause_and_without_a_picture),
        cmocka_unit_test(an_end_should_refuse_all_but_names),
        cmocka_unit_test(acts_of_another_game_should_be_refused),
        cmocka_unit_test(make5_should_start_without_a_count),
        cmocka_unit_test(decisions_should_be_numbered_within_their_event),
        cmocka_unit_test(text_behind_a_closing_0_should_not_be_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
