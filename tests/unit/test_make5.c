/* A match of Make 5, by its events: what is said, whose turn it is, what is scored. */
#include "tests/unit/make5_table.h"

#include <string.h>

#define FULL "rrrrr/yybyy/gbgwg/bgwbw/wwybg" /* 5, 4, 3, 0, 0 */
#define NEARLY "rrrrr/yybyy/gbgwg/bgwbw/wwyb."

/* All discs lie and MAKER has the last move. */
static void last_disc(int64_t t_ms)
{
    send_set(NEARLY, B, t_ms);
    send_discs(FULL, t_ms);
    check_move(0, WHY_DROP, 'g', 0, 55, M);
    assert_int_equal(table.out.count, 1);
}

static void the_first_round_should_open_at_the_start(void **context)
{
    (void)context;
    set_up(NULL, NULL);
    send_discs("rygbw", 0);
    check_quiet();
    assert_int_equal(table.state.ramp.round, 0);
    send_plain(EVENT_START, 1000);
    assert_int_equal(said(0, DECISION_PHASE)->phase, PHASE_PLAY);
    check_said(1, DECISION_ROUND, WHY_ROUND_OPENED);
    assert_int_equal(said(1, DECISION_ROUND)->round, 1);
    assert_int_equal(said(1, DECISION_ROUND)->seat, 1);
    assert_int_equal(table.out.count, 2);
    send_discs("", 1100);
    check_quiet();
    send_discs("ry...", 1200);
    check_move(0, WHY_DROP, 'r', 0, 11, B);
    check_move(1, WHY_DROP, 'y', 0, 12, B);
    assert_int_equal(said(0, DECISION_MOVE)->seat, 2);
    send_discs("rygbw", 1300);
    check_move(2, WHY_DROP, 'w', 0, 15, M);
    assert_int_equal(table.state.ramp.discs, 5);
    send_plain(EVENT_START, 1400);
    check_alone(DECISION_REFUSED, WHY_ALREADY_STARTED);
}

static void moves_drops_and_passes_should_be_told(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("rygbw", 100);
    send_discs("ry.bw/....g", 200);
    check_move(0, WHY_MOVE, 'g', 13, 25, B);
    assert_int_equal(said(0, DECISION_MOVE)->seat, 1);
    send_discs("ryrbw/....g", 300);
    check_move(0, WHY_DROP, 'r', 0, 13, M);
    send_discs("ryrbw/.y..g", 400);
    check_move(0, WHY_PASS, 0, 0, 0, B);
    check_move(1, WHY_DROP, 'y', 0, 22, M);
    assert_int_equal(said(0, DECISION_MOVE)->seat, 1);
    assert_int_equal(said(1, DECISION_MOVE)->seat, 2);
}

static void a_hand_should_be_no_position(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("rygbw", 100);
    send_hand(200);
    check_quiet();
    assert_true(table.state.ramp.covered);
    send_discs("rygbw", 300);
    check_quiet();
    assert_false(table.state.ramp.covered);
}

static void an_illegal_position_should_be_said_once_and_rest_the_game(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("rygbw", 100);
    send_discs("ry.bw/....g", 200);
    send_discs("r..bw/y...g", 300);
    check_alone(DECISION_ILLEGAL, WHY_OUT_OF_TURN);
    const struct decision *illegal = said(0, DECISION_ILLEGAL);
    assert_memory_equal(illegal->seen[1], "y...g", RAMP_SIDE);
    assert_int_equal(illegal->legal_tracks, 0x1f);
    assert_int_equal(illegal->turn, B);
    assert_int_equal(illegal->seat, 2);
    assert_true(table.state.ramp.illegal);
    send_hand(350);
    send_discs("r..bw/y...g", 400);
    check_quiet();
    send_discs("r..bw/y....", 500); /* another one */
    check_alone(DECISION_ILLEGAL, WHY_DISC_TAKEN);
    send_plain(EVENT_PASS, 550);
    check_alone(DECISION_REFUSED, WHY_DISC_TAKEN);
    send_discs("ry.bw/....g", 600); /* the last legal one */
    check_quiet();
    assert_false(table.state.ramp.illegal);
    send_discs("r..bw/y...g", 700); /* and again */
    check_alone(DECISION_ILLEGAL, WHY_OUT_OF_TURN);
    send_discs("ryrbw/....g", 800); /* one that explains */
    check_move(0, WHY_DROP, 'r', 0, 13, M);
    assert_false(table.state.ramp.illegal);
    send_discs("ryrb.", 900);
    check_alone(DECISION_ILLEGAL, WHY_DISC_TAKEN);
    assert_int_equal(said(0, DECISION_ILLEGAL)->legal_tracks, 0);
    assert_int_equal(said(0, DECISION_ILLEGAL)->seat, 1);
}

static void a_person_should_say_what_lies_there(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("rygbw", 100);
    send_discs("ry.bw/..g..", 200);
    check_alone(DECISION_ILLEGAL, WHY_FLOATING);
    send_set("rygb.", M, 250);
    check_alone(DECISION_REFUSED, WHY_BAD_VALUE);
    send_set("rygbx", B, 260);
    check_alone(DECISION_REFUSED, WHY_BAD_VALUE);
    send_set("ry.bw/..g..", B, 270);
    check_alone(DECISION_REFUSED, WHY_FLOATING);
    assert_true(table.state.ramp.illegal);
    send_set("rygbw/..w..", M, 300);
    check_alone(DECISION_MOVE, WHY_PERSON);
    assert_int_equal(said(0, DECISION_MOVE)->seat, 1);
    assert_false(table.state.ramp.illegal);
    assert_int_equal(table.state.ramp.discs, 6);
    send_discs("rygbw/..w..", 400);
    check_quiet();
    send_discs("rygb./..w../..w..", 500);
    check_move(0, WHY_MOVE, 'w', 15, 33, B);
}

static void a_person_who_confirms_should_take_no_knowledge_away(void **context)
{
    (void)context;
    start("advanced", "yes");
    send_discs("rygbw", 100);
    send_discs("rygbw/r....", 200);
    send_set("rygbw/r....", M, 300);
    assert_int_equal(table.state.ramp.last[0], 1);
    assert_int_equal(table.state.ramp.last_tracks, 1);
    send_set("rygbw/ry...", M, 400); /* either may have been the last */
    assert_int_equal(table.state.ramp.last[0], -1);
    send_discs("rygbw/r.y..", 500);
    check_move(0, WHY_MOVE, 'y', 22, 23, B);
}

static void advanced_should_bind_maker_to_the_last_disc_or_the_bottom_row(void **context)
{
    (void)context;
    start("advanced", "yes");
    send_discs("rygbw", 100);
    send_discs("rygbw/g....", 200);
    send_discs("rygbw/gy...", 300);
    send_discs("rygbw/.yg..", 400);
    check_alone(DECISION_ILLEGAL, WHY_NOT_THAT_DISC);
    send_discs("rygbw/g.y..", 500);
    check_move(0, WHY_MOVE, 'y', 22, 23, B);
    send_discs("rygbw/gby..", 600);
    send_discs("rygb./gbyw.", 700);
    check_move(0, WHY_MOVE, 'w', 15, 24, B);
}

static void what_comes_to_rest_in_a_pause_should_count_when_play_goes_on(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("rygbw", 100);
    send_plain(EVENT_PAUSE, 200);
    send_discs("r.gbw/..y..", 300);
    check_quiet();
    send_plain(EVENT_PASS, 350);
    check_alone(DECISION_REFUSED, WHY_PAUSED);
    send_plain(EVENT_START, 360);
    check_alone(DECISION_REFUSED, WHY_PAUSED);
    send_plain(EVENT_RESUME, 400);
    check_said(0, DECISION_PHASE, WHY_NONE);
    check_move(1, WHY_MOVE, 'y', 12, 23, B);
    send_plain(EVENT_PAUSE, 600);
    send_discs("r.gbw/..y../r....", 620);
    send_set("rygbw", M, 650); /* a person can always step on */
    check_alone(DECISION_MOVE, WHY_PERSON);
    send_plain(EVENT_RESUME, 700);
    check_alone(DECISION_PHASE, WHY_NONE);
}

static void what_is_hidden_when_play_goes_on_should_be_waited_for(void **context)
{
    (void)context;
    start("last_move_time", "10");
    last_disc(1000);
    send_plain(EVENT_PAUSE, 2000);
    send_discs("rrrrr/yybyy/gbgwg/bgybw/wwwbg", 2500);
    send_hand(3000); /* over it, when play goes on */
    send_plain(EVENT_RESUME, 4000);
    check_alone(DECISION_PHASE, WHY_NONE);
    send_tick(60000);
    check_quiet();
    send_discs("rrrrr/yybyy/gbgwg/bgybw/wwwbg", 61000);
    check_said(1, DECISION_ROUND, WHY_MOVE);

    start("last_move_time", "10");
    last_disc(1000);
    send_plain(EVENT_PAUSE, 2000);
    send_discs("rrrrr/yybyy/gbgwg/bgybw/wwwbg", 2500);
    send_health(REASON_BIT(REASON_MAT_MOVED), 3000); /* nor is it known after a bad picture */
    send_health(0, 3500);
    send_plain(EVENT_RESUME, 4000);
    check_alone(DECISION_PHASE, WHY_NONE);
    send_tick(60000);
    check_quiet();
}

static void a_pass_should_stand_after_a_pause_in_which_nothing_changed(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("rygbw", 100);
    send_plain(EVENT_PAUSE, 200);
    send_discs("rygbw", 300);
    send_plain(EVENT_RESUME, 400);
    send_plain(EVENT_PASS, 500);
    check_move(0, WHY_PASS, 0, 0, 0, B);
}

static void what_a_bad_picture_shows_should_not_count(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("rygbw", 100);
    send_health(REASON_BIT(REASON_MAT_MOVED), 200);
    send_discs(".....", 300);
    check_quiet();
    send_health(0, 400);
    send_plain(EVENT_PASS, 450);
    check_alone(DECISION_REFUSED, WHY_NOT_SETTLED);
    send_discs("rygbw/r....", 500);
    check_move(0, WHY_PASS, 0, 0, 0, B);
    check_move(1, WHY_DROP, 'r', 0, 21, M);
}

static void a_pass_should_be_makers_in_their_turn(void **context)
{
    (void)context;
    set_up(NULL, NULL);
    send_plain(EVENT_PASS, 0);
    check_alone(DECISION_REFUSED, WHY_NOT_STARTED);
    send_plain(EVENT_START, 0);
    send_plain(EVENT_PASS, 10);
    check_alone(DECISION_REFUSED, WHY_OUT_OF_TURN);
    send_discs("rygbw", 100);
    send_hand(150);
    send_plain(EVENT_PASS, 160);
    check_alone(DECISION_REFUSED, WHY_NOT_SETTLED);
    send_discs("rygbw", 170);
    send_plain(EVENT_PASS, 200);
    check_move(0, WHY_PASS, 0, 0, 0, B);
    send_plain(EVENT_PASS, 300);
    check_alone(DECISION_REFUSED, WHY_OUT_OF_TURN);
    send_discs("rygb./....w", 350);
    check_alone(DECISION_ILLEGAL, WHY_FLOATING);
    send_discs("rygb./...w.", 360);
    check_alone(DECISION_ILLEGAL, WHY_OUT_OF_TURN); /* they have passed */
    send_discs("rygbw/r....", 400);
    check_move(0, WHY_DROP, 'r', 0, 21, M);
}

static void a_round_should_end_by_the_last_move(void **context)
{
    (void)context;
    start(NULL, NULL);
    last_disc(100);
    send_discs("rrrrr/yybyy/gbgww/bgwbb/wwygg", 200); /* more than one was taken */
    check_alone(DECISION_ILLEGAL, WHY_OUT_OF_TURN);
    send_discs("rrrrr/yybyy/gbgwg/bgybw/wwwbg", 300);
    check_move(0, WHY_MOVE, 'w', 43, 53, B);
    check_said(1, DECISION_ROUND, WHY_MOVE);
    assert_int_equal(said(1, DECISION_ROUND)->points, 15);
    assert_int_equal(said(1, DECISION_ROUND)->seat, 1);
    assert_int_equal(table.state.player[0].points, 15);
    assert_int_equal(table.state.player[1].points, 0);
    assert_false(table.state.ramp.open);
    send_plain(EVENT_PASS, 400);
    check_alone(DECISION_REFUSED, WHY_NOT_STARTED);
    send_discs("rrrrr/yybyy/gbgwg", 500); /* being cleared */
    check_quiet();
}

static void a_round_should_end_by_a_pass_or_a_person(void **context)
{
    (void)context;
    start(NULL, NULL);
    last_disc(100);
    send_plain(EVENT_PASS, 200);
    check_move(0, WHY_PASS, 0, 0, 0, B);
    check_said(1, DECISION_ROUND, WHY_PASS);
    assert_int_equal(said(1, DECISION_ROUND)->points, 12);
    send_discs("", 300);
    check_alone(DECISION_ROUND, WHY_ROUND_OPENED);
    assert_int_equal(said(0, DECISION_ROUND)->round, 2);
    assert_int_equal(said(0, DECISION_ROUND)->seat, 2);
    last_disc(400);
    send_plain(EVENT_START, 500);
    check_alone(DECISION_ROUND, WHY_PERSON);
    assert_int_equal(table.state.player[1].points, 12);
    send_set(FULL, B, 600); /* opens the third and ends it */
    check_said(0, DECISION_ROUND, WHY_ROUND_OPENED);
    check_said(1, DECISION_MOVE, WHY_PERSON);
    check_said(2, DECISION_ROUND, WHY_PERSON);
    assert_int_equal(table.state.player[0].points, 24);
}

static void a_round_should_end_when_the_last_moves_time_is_over(void **context)
{
    (void)context;
    start("last_move_time", "10");
    last_disc(1000);
    send_tick(10900);
    check_quiet();
    send_tick(11000); /* what settled in time may not have been told yet */
    check_quiet();
    send_tick(13000);
    check_alone(DECISION_ROUND, WHY_TIME);
    assert_int_equal(said(0, DECISION_ROUND)->points, 12);

    start("last_move_time", "10"); /* a tick that has seen less than it is late */
    last_disc(1000);
    begin_event(EVENT_TICK);
    table.event.seen_t_ns = 10900 * MS_NS;
    send_event(13000);
    check_quiet();
    begin_event(EVENT_DISCS);
    fill_discs("rrrrr/yybyy/gbgwg/bgybw/wwwbg");
    table.event.discs.first_t_ns = 10990 * MS_NS;
    send_event(13100);
    check_said(1, DECISION_ROUND, WHY_MOVE);

    start("last_move_time", "0");
    last_disc(1000);
    send_tick(100000000);
    check_quiet();
}

static void a_move_after_the_time_should_be_too_late(void **context)
{
    (void)context;
    start("last_move_time", "10");
    last_disc(1000);
    send_discs("rrrrr/yybyy/gbgwg/bgybw/wwwbg", 11500); /* no tick came */
    check_alone(DECISION_ROUND, WHY_TIME);
    assert_int_equal(said(0, DECISION_ROUND)->points, 12);

    start("last_move_time", "10");
    last_disc(1000);
    send_plain(EVENT_PASS, 100000);
    check_said(0, DECISION_ROUND, WHY_TIME);
    check_said(1, DECISION_REFUSED, WHY_LATE);
}

static void a_hand_that_came_in_time_should_be_waited_for(void **context)
{
    (void)context;
    start("last_move_time", "10");
    last_disc(1000);
    send_hand(10800);
    send_tick(13000);
    check_quiet();
    send_discs("rrrrr/yybyy/gbgwg/bgybw/wwwbg", 13500);
    check_said(0, DECISION_MOVE, WHY_MOVE);
    check_said(1, DECISION_ROUND, WHY_MOVE);

    start("last_move_time", "10"); /* as long as it lies there: what it leaves is not known */
    last_disc(1000);
    send_hand(10800);
    send_tick(230000);
    check_quiet();
    send_plain(EVENT_START, 230100); /* but for a person */
    check_said(0, DECISION_ROUND, WHY_PERSON);

    start("last_move_time", "10"); /* it went, and nothing had changed */
    last_disc(1000);
    send_hand(10800);
    send_tick(13000);
    send_discs(FULL, 14000);
    check_alone(DECISION_ROUND, WHY_TIME);
}

static void the_last_moves_time_should_rest_with_the_game(void **context)
{
    (void)context;
    start("last_move_time", "10");
    last_disc(1000);
    send_plain(EVENT_PAUSE, 2000);
    send_tick(50000);
    send_plain(EVENT_RESUME, 100000); /* 1 s is over */
    send_tick(108000);
    check_quiet();
    send_discs("rrrrr/yybyy/gbgww/bgwbb/wwygg", 108500); /* 9.5 s */
    check_alone(DECISION_ILLEGAL, WHY_OUT_OF_TURN);
    send_tick(200000);
    check_quiet();
    send_discs(FULL, 200000);
    send_tick(200400);
    check_quiet();
    send_tick(201500);
    check_alone(DECISION_ROUND, WHY_TIME);
}

static void the_next_round_should_wait_until_the_old_discs_are_gone(void **context)
{
    (void)context;
    start(NULL, NULL);
    last_disc(100);
    send_plain(EVENT_PASS, 200);
    send_plain(EVENT_START, 300);
    check_alone(DECISION_ROUND, WHY_ROUND_OPENED);
    assert_int_equal(table.state.ramp.discs, 0);
    send_discs(FULL, 350);
    check_quiet();
    send_discs("rrrrr/yybyy/gb...", 400);
    check_quiet();
    send_discs("rrrrr/y...y", 450);
    check_quiet();
    send_discs("", 500);
    check_quiet();
    assert_false(table.state.ramp.clearing);
    send_discs("rrrrr", 600);
    assert_int_equal(table.out.count, 5);

    start(NULL, NULL); /* new discs before it was ever seen empty */
    last_disc(100);
    send_plain(EVENT_PASS, 200);
    send_plain(EVENT_START, 300);
    send_discs("wrrrr", 400); /* might be what is left of the old */
    check_quiet();
    send_discs("bgrgr", 500); /* cannot be: no green in the fourth */
    assert_int_equal(table.out.count, 5);
    check_move(4, WHY_DROP, 'r', 0, 15, M);
}

static void a_disc_that_is_none_should_be_refused(void **context)
{
    (void)context;
    start(NULL, NULL);
    send_discs("ryg?w", 100);
    check_alone(DECISION_REFUSED, WHY_BAD_VALUE);
    send_discs("rygbw", 200);
    assert_int_equal(table.out.count, 5);
}

static void make5_should_be_for_two(void **context)
{
    (void)context;
    for (int players = 0; players <= PLAYERS_MAX; players++) {
        if (players == 2)
            continue;
        set_up(NULL, NULL);
        struct event_setup *setup = &table.event.setup;
        setup->players = (int8_t)players;
        for (int p = 0; p < PLAYERS_MAX; p++)
            setup->seat[p] = (int8_t)(p + 1);
        referee_state_clear(&table.state);
        send_event(0);
        check_alone(DECISION_REFUSED, WHY_BAD_SETUP);
    }
}

static void six_rounds_should_end_the_match(void **context)
{
    (void)context;
    static const char *const full[] = {FULL, "rrrrr/yyyyy/ggggg/bbbbb/wwwww",
                                       "rygbw/ygbwr/gbwry/bwryg/wrygb"};
    start(NULL, NULL);
    for (int round = 1; round <= 6; round++) {
        send_set(full[round % 3], B, round * 1000);
        if (round == 6)
            break;
        assert_int_equal(table.state.ramp.makers[round - 1], (round + 1) % 2);
        send_discs("", round * 1000 + 500);
        check_alone(DECISION_ROUND, WHY_ROUND_OPENED);
    }
    /* 25, 0, 12 for rounds 1, 2, 3 and again: Ada has 25 + 12 + 0, Ben 0 + 25 + 12 */
    check_said(1, DECISION_ROUND, WHY_PERSON);
    assert_int_equal(said(2, DECISION_PHASE)->phase, PHASE_OVER);
    assert_int_equal(said(3, DECISION_END)->seats, 3);
    assert_int_equal(table.state.player[0].points, 37);
    assert_int_equal(table.state.player[1].points, 37);
    assert_int_equal(table.state.player[0].rank, 1);
    assert_int_equal(table.state.player[1].rank, 1);
    send_discs("", 10000);
    check_quiet();
    send_plain(EVENT_START, 10000);
    check_alone(DECISION_REFUSED, WHY_MATCH_OVER);
}

static void the_options_rounds_should_be_played(void **context)
{
    (void)context;
    start("rounds", "2");
    send_set(FULL, B, 1000);
    send_discs("", 1500);
    last_disc(2000);
    send_tick(40000); /* the last round's end is the match's, by whatever it comes */
    check_said(0, DECISION_ROUND, WHY_TIME);
    assert_int_equal(said(1, DECISION_PHASE)->phase, PHASE_OVER);
    assert_int_equal(table.state.phase, PHASE_OVER);
    assert_int_equal(table.state.player[1].points, 12);
}

static void colours_that_are_not_given_should_be_the_kits(void **context)
{
    (void)context;
    static const char *const given[] = {"", "ryg", "rygbr", "ryg.w"};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        set_up(NULL, NULL);
        begin_event(EVENT_SETUP);
        fill_setup(given[i]);
        referee_state_clear(&table.state);
        send_event(0);
        assert_string_equal(table.state.ramp.colours, COLOURS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_round_should_open_at_the_start),
        cmocka_unit_test(moves_drops_and_passes_should_be_told),
        cmocka_unit_test(a_hand_should_be_no_position),
        cmocka_unit_test(an_illegal_position_should_be_said_once_and_rest_the_game),
        cmocka_unit_test(a_person_should_say_what_lies_there),
        cmocka_unit_test(a_person_who_confirms_should_take_no_knowledge_away),
        cmocka_unit_test(advanced_should_bind_maker_to_the_last_disc_or_the_bottom_row),
        cmocka_unit_test(what_comes_to_rest_in_a_pause_should_count_when_play_goes_on),
        cmocka_unit_test(what_is_hidden_when_play_goes_on_should_be_waited_for),
        cmocka_unit_test(a_pass_should_stand_after_a_pause_in_which_nothing_changed),
        cmocka_unit_test(what_a_bad_picture_shows_should_not_count),
        cmocka_unit_test(a_pass_should_be_makers_in_their_turn),
        cmocka_unit_test(a_round_should_end_by_the_last_move),
        cmocka_unit_test(a_round_should_end_by_a_pass_or_a_person),
        cmocka_unit_test(a_round_should_end_when_the_last_moves_time_is_over),
        cmocka_unit_test(a_move_after_the_time_should_be_too_late),
        cmocka_unit_test(a_hand_that_came_in_time_should_be_waited_for),
        cmocka_unit_test(the_last_moves_time_should_rest_with_the_game),
        cmocka_unit_test(the_next_round_should_wait_until_the_old_discs_are_gone),
        cmocka_unit_test(a_disc_that_is_none_should_be_refused),
        cmocka_unit_test(make5_should_be_for_two),
        cmocka_unit_test(six_rounds_should_end_the_match),
        cmocka_unit_test(the_options_rounds_should_be_played),
        cmocka_unit_test(colours_that_are_not_given_should_be_the_kits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
