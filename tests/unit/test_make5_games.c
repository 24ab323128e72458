/* Whole matches of Make 5 at random, played by the rules: every action should be understood, every
 * point counted. */
#include "tests/unit/make5_table.h"

#include <string.h>

static uint64_t dice;

static int throw(int sides)
{
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice >> 33) % (uint64_t)sides);
}

/* The ramp as its players know it. */
struct ramp {
    char disc[RAMP_SIDE][RAMP_SIDE];
    char bag[RAMP_SIDE * RAMP_SIDE];
    int left;
};

static void ramp_begin(struct ramp *ramp)
{
    memset(ramp->disc, '.', sizeof ramp->disc);
    for (int i = 0; i < RAMP_SIDE * RAMP_SIDE; i++)
        ramp->bag[i] = COLOURS[i % RAMP_SIDE];
    ramp->left = RAMP_SIDE * RAMP_SIDE;
}

static int ramp_height(const struct ramp *ramp, int track)
{
    int height = 0;
    while (height < RAMP_SIDE && ramp->disc[height][track] != '.')
        height++;
    return height;
}

static char ramp_draw(struct ramp *ramp)
{
    int at = throw(ramp->left);
    char disc = ramp->bag[at];
    ramp->bag[at] = ramp->bag[--ramp->left];
    return disc;
}

static void ramp_show(const struct ramp *ramp, int64_t t_ms)
{
    begin_event(EVENT_DISCS);
    memcpy(table.event.discs.disc, ramp->disc, sizeof ramp->disc);
    table.event.discs.complete = true;
    table.event.discs.first_t_ns = t_ms * MS_NS;
    send_event(t_ms);
    assert_false(table.state.ramp.illegal);
    assert_memory_equal(table.state.ramp.disc, ramp->disc, sizeof ramp->disc);
}

/* One that changes what is seen. */
static void play_move(struct ramp *ramp, int64_t t_ms)
{
    struct ramp before = *ramp;
    int row, from, to;
    char disc;
    do {
        *ramp = before;
        from = throw(RAMP_SIDE);
        row = throw(RAMP_SIDE);
        to = throw(RAMP_SIDE);
        disc = ramp->disc[row][from];
        if (disc == '.')
            continue;
        for (int r = row; r + 1 < RAMP_SIDE; r++)
            ramp->disc[r][from] = ramp->disc[r + 1][from];
        ramp->disc[RAMP_SIDE - 1][from] = '.';
        if (ramp_height(ramp, to) < RAMP_SIDE)
            ramp->disc[ramp_height(ramp, to)][to] = disc;
        else
            *ramp = before;
    } while (memcmp(ramp, &before, sizeof before) == 0);
    ramp_show(ramp, t_ms);
    const struct decision *move = said(0, DECISION_MOVE);
    assert_int_equal(move->why, WHY_MOVE);
    assert_int_equal(move->disc, disc);
    assert_int_equal(move->to[1] - 1, to);
    assert_int_equal(move->from[1] - 1, from);
}

static bool play_can_move(const struct ramp *ramp)
{
    for (int track = 0; track < RAMP_SIDE; track++)
        for (int row = 1; row < ramp_height(ramp, track); row++)
            if (ramp->disc[row][track] != ramp->disc[0][track] || ramp->left > 0)
                return true;
    return ramp->left > 0;
}

static void play_drop(struct ramp *ramp, bool passed, int64_t t_ms)
{
    int track;
    do
        track = throw(RAMP_SIDE);
    while (ramp_height(ramp, track) == RAMP_SIDE);
    int row = ramp_height(ramp, track);
    char disc = ramp_draw(ramp);
    ramp->disc[row][track] = disc;
    ramp_show(ramp, t_ms);
    if (passed)
        check_move(0, WHY_PASS, 0, 0, 0, B);
    check_move(passed, WHY_DROP, disc, 0, (row + 1) * 10 + track + 1, M);
    assert_int_equal(table.out.count, passed ? 2 : 1);
}

static int play_points(const struct ramp *ramp)
{
    int points = 0;
    for (int row = 0; row < RAMP_SIDE; row++)
        for (const char *colour = COLOURS; *colour != '\0'; colour++) {
            int alike = 0;
            for (int track = 0; track < RAMP_SIDE; track++)
                alike += ramp->disc[row][track] == *colour;
            points += alike >= 3 ? alike : 0;
        }
    return points;
}

static int play_round(int64_t *t_ms)
{
    struct ramp ramp;
    ramp_begin(&ramp);
    ramp_show(&ramp, *t_ms += 500);
    while (ramp_height(&ramp, 0) * ramp_height(&ramp, 1) * ramp_height(&ramp, 2) *
               ramp_height(&ramp, 3) * ramp_height(&ramp, 4) ==
           0) {
        for (int n = 1 + throw(3); n > 0; n--) {
            int track = throw(RAMP_SIDE);
            if (ramp_height(&ramp, track) == 0)
                ramp.disc[0][track] = ramp_draw(&ramp);
        }
        ramp_show(&ramp, *t_ms += 500);
    }
    while (ramp.left > 0) {
        int choice = throw(3);
        if (choice == 0)
            play_move(&ramp, *t_ms += 500);
        if (choice == 1)
            send_plain(EVENT_PASS, *t_ms += 500);
        assert_int_equal(table.state.ramp.turn, choice == 2 ? M : B);
        play_drop(&ramp, choice == 2, *t_ms += 500);
    }
    if (throw(2) && play_can_move(&ramp))
        play_move(&ramp, *t_ms += 500);
    else
        send_plain(EVENT_PASS, *t_ms += 500);
    assert_false(table.state.ramp.open);
    return play_points(&ramp);
}

static void whole_games_should_be_understood_move_by_move(void **context)
{
    (void)context;
    dice = 11;
    for (int game = 0; game < 40; game++) {
        int points[2] = {0, 0};
        int64_t t_ms = 0;
        start(NULL, NULL);
        for (int round = 0; round < 6; round++)
            points[round % 2] += play_round(&t_ms);
        assert_int_equal(table.state.phase, PHASE_OVER);
        assert_int_equal(table.state.player[0].points, points[0]);
        assert_int_equal(table.state.player[1].points, points[1]);
        assert_int_equal(table.state.player[0].rank, points[0] >= points[1] ? 1 : 2);
        assert_int_equal(table.state.player[1].rank, points[1] >= points[0] ? 1 : 2);
    }
}

/* --- Anything at all ----------------------------------------------------------------------------
 */

/* What lies there, with a few places changed; now and then nothing. */
static void chaos_discs(void)
{
    struct event_discs *discs = &table.event.discs;
    memcpy(discs->disc, table.state.ramp.disc, sizeof discs->disc);
    for (int n = throw(3); n > 0; n--) {
        int track = throw(RAMP_SIDE), row = 0;
        while (row < RAMP_SIDE && discs->disc[row][track] != '.')
            row++;
        if (row < RAMP_SIDE)
            discs->disc[row][track] = COLOURS[throw(RAMP_SIDE)];
        if (throw(8) == 0)
            discs->disc[throw(RAMP_SIDE)][throw(RAMP_SIDE)] = (COLOURS ".?")[throw(7)];
    }
    if (throw(20) == 0)
        memset(discs->disc, '.', sizeof discs->disc);
    discs->complete = throw(10) != 0;
    discs->first_t_ns = table.state.t_ns + (throw(2000) - 1000) * MS_NS;
    if (throw(50) == 0)
        discs->first_t_ns = throw(2) ? INT64_MIN : INT64_MAX;
    discs->turn = (int8_t)(throw(4) - 1);
}

static void chaos_event(int64_t t_ms)
{
    static const enum event_kind kinds[] = {EVENT_START,  EVENT_TICK,   EVENT_PAUSE,
                                            EVENT_RESUME, EVENT_HEALTH, EVENT_PASS};
    begin_event(throw(3) ? EVENT_DISCS : kinds[throw(6)]);
    if (throw(30) == 0)
        table.event.kind = EVENT_SET_DISCS;
    if (table.event.kind == EVENT_DISCS || table.event.kind == EVENT_SET_DISCS)
        chaos_discs();
    if (table.event.kind == EVENT_HEALTH && throw(3) == 0)
        table.event.health = REASON_BIT(REASON_NO_MAT);
    if (table.event.kind == EVENT_TICK)
        table.event.seen_t_ns = (t_ms - throw(300)) * MS_NS;
    send_event(t_ms);
}

/* The position that counts can be built, and every step said what it changed. */
static void check_possible(const struct ramp_state *before)
{
    const struct ramp_state *ramp = &table.state.ramp;
    int discs = 0;
    for (int track = 0; track < RAMP_SIDE; track++)
        for (int row = 0; row < RAMP_SIDE; row++) {
            bool there = ramp->disc[row][track] != '.';
            discs += there;
            if (there && row > 0)
                assert_int_not_equal(ramp->disc[row - 1][track], '.');
        }
    assert_int_equal(discs, ramp->discs);
    for (const char *colour = COLOURS; *colour != '\0'; colour++) {
        int alike = 0;
        for (int place = 0; place < RAMP_SIDE * RAMP_SIDE; place++)
            alike += ramp->disc[place / RAMP_SIDE][place % RAMP_SIDE] == *colour;
        assert_true(alike <= RAMP_SIDE);
    }
    assert_true(discs >= RAMP_SIDE || ramp->turn == B);
    assert_true(!ramp->illegal || ramp->open);
    assert_true(table.out.count < DECISIONS_MAX);
    if (table.out.count == 0)
        assert_memory_equal(ramp->disc, before->disc, sizeof ramp->disc);
    if (ramp->last[0] >= 0)
        assert_int_not_equal(ramp->disc[ramp->last[0]][ramp->last[1]], '.');
}

static void any_events_should_leave_a_possible_position(void **context)
{
    (void)context;
    static const char *const options[][2] = {
        {"rounds", "2"}, {"advanced", "yes"}, {"same_track", "forbidden"}, {"opening", "free"}};
    int ended = 0, rounds = 0;
    dice = 3;
    for (int game = 0; game < 40; game++) {
        int64_t t_ms = 0;
        start(options[game % 4][0], options[game % 4][1]);
        for (int n = 0; n < 2000; n++) {
            struct ramp_state before = table.state.ramp;
            chaos_event(t_ms += throw(2500));
            check_possible(&before);
        }
        rounds += table.state.ramp.round;
        ended += table.state.phase == PHASE_OVER;
    }
    assert_true(rounds > 80); /* the test gets somewhere */
    assert_true(ended > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_games_should_be_understood_move_by_move),
        cmocka_unit_test(any_events_should_leave_a_possible_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
