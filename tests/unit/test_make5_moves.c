/* Positions of Make 5: what explains a change, and the name of what does not. Against tables, and
 * against a second, slow generator of all that may follow, written another way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/make5.h"

#include <stdio.h>
#include <string.h>

#define COLOURS "rygbw"

static const struct make5_rules usual = {.one_per_track = true, .same_track = true};
static const struct make5_rules french = {.one_per_track = true, .same_track = false};
static const struct make5_rules advanced = {
    .one_per_track = true, .same_track = true, .advanced = true};
static const struct make5_rules stacked = {.one_per_track = false, .same_track = true};

/* Rows from the bottom, divided by '/'; rows that are not given are empty. */
static struct make5_grid grid_of(const char *text)
{
    struct make5_grid grid;
    memset(&grid, MAKE5_EMPTY, sizeof grid);
    for (int row = 0; *text != '\0'; row++) {
        assert_true(row < RAMP_SIDE);
        for (int track = 0; track < RAMP_SIDE; track++)
            grid.disc[row][track] = *text++;
        if (*text == '/')
            text++;
    }
    return grid;
}

/* With BREAKER's last disc on top of that track (from 0; -1: of any). */
static struct make5_position position_of(const char *text, int turn, int last)
{
    struct make5_position position;
    referee_make5_empty(&position);
    position.grid = grid_of(text);
    position.turn = (int8_t)turn;
    position.discs = (int8_t)(MAKE5_DISCS - referee_make5_count(&position.grid, MAKE5_EMPTY));
    if (last >= 0) {
        position.last[0] = (int8_t)(referee_make5_height(&position.grid, last) - 1);
        position.last[1] = (int8_t)last;
    }
    if (turn == MAKE5_MAKER)
        position.last_tracks = (uint8_t)(last >= 0 ? 1 << last : 31);
    return position;
}

static const char *why_text(enum why why)
{
    static const struct {
        enum why why;
        const char *text;
    } words[] = {{WHY_NONE, "legal"},
                 {WHY_TOO_MANY_NEW, "too_many_new"},
                 {WHY_DISC_TAKEN, "disc_taken"},
                 {WHY_DISC_CHANGED, "disc_changed"},
                 {WHY_COLOUR_USED_UP, "colour_used_up"},
                 {WHY_FLOATING, "floating"},
                 {WHY_NOT_FROM_TOP, "not_from_top"},
                 {WHY_OUT_OF_TURN, "out_of_turn"},
                 {WHY_NOT_THAT_DISC, "not_that_disc"},
                 {WHY_SAME_TRACK, "same_track"},
                 {WHY_SECOND_IN_TRACK, "second_in_track"},
                 {WHY_TURN_UNCLEAR, "turn_unclear"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].why == why)
            return words[i].text;
    return "?";
}

/* "drop r 2,1; move g 1,3 2,3; pass" with rows and tracks from 1; or what is wrong. */
static void story_text(const struct make5_story *story, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    if (story->why != WHY_NONE)
        snprintf(text, size, "%s", why_text(story->why));
    for (int i = 0; i < story->count; i++) {
        const struct make5_action *action = &story->action[i];
        const char *comma = i > 0 ? "; " : "";
        int wrote = 0;
        if (action->kind == WHY_PASS)
            wrote = snprintf(text + at, size - at, "%spass", comma);
        else if (action->kind == WHY_DROP)
            wrote = snprintf(text + at, size - at, "%sdrop %c %d,%d", comma, action->disc,
                             action->to[0] + 1, action->to[1] + 1);
        else
            wrote = snprintf(text + at, size - at, "%smove %c %d,%d %d,%d", comma, action->disc,
                             action->from[0] + 1, action->from[1] + 1, action->to[0] + 1,
                             action->to[1] + 1);
        at += (size_t)wrote;
        assert_true(at < size);
    }
}

struct change {
    const struct make5_rules *rules;
    const char *before;
    int turn, last;
    const char *seen, *story;
    int turn_after;
};

static void check_changes(const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct change *change = &changes[i];
        struct make5_position before = position_of(change->before, change->turn, change->last);
        struct make5_grid seen = grid_of(change->seen);
        struct make5_story story;
        char text[160];
        referee_make5_explain(&before, &seen, change->rules, COLOURS, &story);
        story_text(&story, text, sizeof text);
        if (strcmp(text, change->story) != 0)
            fail_msg("%s (%s to move) -> %s: %s, should be %s", change->before,
                     change->turn == MAKE5_MAKER ? "MAKER" : "BREAKER", change->seen, text,
                     change->story);
        assert_int_equal(story.after.turn, change->turn_after);
        if (story.why == WHY_NONE)
            assert_true(referee_make5_same(&story.after.grid, &seen));
        else
            assert_memory_equal(&story.after, &before, sizeof before);
    }
}
#define CHECK(changes) check_changes(changes, sizeof(changes) / sizeof(changes)[0])

enum { B = MAKE5_BREAKER, M = MAKE5_MAKER };

static void one_action_should_be_understood(void **context)
{
    (void)context;
    const struct change changes[] = {
        {&usual, "rygbw", M, -1, "rygbw", "", M},
        /* MAKER moves, and discs above the one taken roll down */
        {&usual, "rygbw", M, -1, ".ygbw/r....", "floating", M},
        {&usual, "rygbw", M, -1, ".ygbw/.r...", "move r 1,1 2,2", B},
        {&usual, "rygbw", M, -1, "ry.bw/....g", "move g 1,3 2,5", B},
        {&usual, "rygbw/r..../g....", M, -1, "rygbw/g..../w....", "disc_changed", M},
        {&usual, "rygbw/b..../g....", M, -1, "rygbw/g..../b....", "move b 2,1 3,1", B},
        {&usual, "rygbw/b..../g....", M, -1, "bygbw/g..../r....", "move r 1,1 3,1", B},
        {&usual, "rygbw/b..../g....", M, -1, "bygbw/g...r", "move r 1,1 2,5", B},
        {&usual, "rygbw/b..../g....", M, -1, "rygbw/b...g", "move g 3,1 2,5", B},
        /* from a full track, and back on top of it */
        {&usual, "rygbw/y..../g..../b..../w....", M, -1, "rygbw/g..../b..../w..../y....",
         "move y 2,1 5,1", B},
        {&usual, "rygbw/y..../g..../b..../w....", M, -1, "rygbw/g.y../b..../w....",
         "move y 2,1 2,3", B},
        /* of two that look alike, the upper one */
        {&usual, "rygbw/r....", M, -1, "rygbw/....r", "move r 2,1 2,5", B},
        /* BREAKER drops */
        {&usual, "rygbw", B, -1, "rygbw/..r..", "drop r 2,3", M},
        {&usual, "rygbw/r..../g..../b....", B, -1, "rygbw/r..../g..../b..../w....", "drop w 5,1",
         M},
        /* a pass shows when BREAKER's disc comes */
        {&usual, "rygbw", M, -1, "rygbw/..r..", "pass; drop r 2,3", M},
        {&advanced, "rygbw", M, 2, "rygbw/..r..", "pass; drop r 2,3", M},
    };
    CHECK(changes);
}

static void two_actions_should_be_understood_when_only_one_order_explains_them(void **context)
{
    (void)context;
    const struct change changes[] = {
        {&usual, "rygbw", B, -1, "ryg.w/..r../..b..", "drop r 2,3; move b 1,4 3,3", B},
        {&usual, "rygbw", B, -1, "wygbw/..r..", "drop w 2,1; move r 1,1 2,3", B},
        /* the moved disc lies under the new one: MAKER moved first */
        {&usual, "rygbw", M, -1, "ryg.w/..b../..r..", "move b 1,4 2,3; drop r 3,3", M},
        /* and above it: MAKER had passed */
        {&usual, "rygbw", M, -1, "ryg.w/..r../..b..", "pass; drop r 2,3; move b 1,4 3,3", B},
        /* advanced: only before the new disc came was the other one BREAKER's last */
        {&advanced, "rygbw/gb...", M, 0, "rygbw/.bgy.", "move g 2,1 2,3; drop y 2,4", M},
        {&advanced, "rygbw/gb...", M, 0, "rygbw/.bg../.y...", "move g 2,1 2,3; drop y 3,2", M},
        {&advanced, "rygbw", B, -1, "rygb./..r../..w..", "drop r 2,3; move w 1,5 3,3", B},
        /* the last one of all, before and after it */
        {&usual, "rrrrr/yyyyy/ggggg/bbbbb/www..", B, -1, "rrrrr/yyyyy/ggggg/bbbbb/wwww.",
         "drop w 5,4", M},
        {&usual, "rrrrr/yyyyy/ggggg/bbbbb/wwww.", B, -1, "rrrrr/yyyyy/ggggg/bbbwb/wwwbw",
         "drop w 5,5; move b 4,4 5,4", B},
    };
    CHECK(changes);
}

static void a_change_that_leaves_the_turn_open_should_be_unclear(void **context)
{
    (void)context;
    const struct change changes[] = {
        {&usual, "rygbw", M, -1, "ryg.w/b.r..", "turn_unclear", M},
        {&advanced, "rygbw/rb...", M, 0, "rygb./rbyw.", "turn_unclear", M},
        /* BREAKER's last is one of two that look alike */
        {&advanced, "rygbw/rb...", M, 0, "rygbw/.brr.", "turn_unclear", M},
    };
    CHECK(changes);
}

static void an_illegal_change_should_be_named(void **context)
{
    (void)context;
    const struct change changes[] = {
        {&usual, "rygbw", M, -1, "ry.bw/..g..", "floating", M},
        {&usual, "rygbw", B, -1, "rygbw/...../r....", "floating", B},
        {&usual, "rygbw", M, -1, "ryg.w", "disc_taken", M},
        {&usual, "rygbw", B, -1, "ryg.w", "disc_taken", B},
        {&usual, "rygbw", B, -1, "", "disc_taken", B},
        {&usual, "rygbw", M, -1, "rygbr", "disc_changed", M},
        {&usual, "rygbw", B, -1, "rygbr/b....", "disc_changed", B},
        {&usual, "rygbw", B, -1, "rygbw/rr...", "too_many_new", B},
        {&usual, "rygbw", M, -1, "rygbw/rrw..", "too_many_new", M},
        {&usual, "rrrrr", B, -1, "rrrrr/r....", "colour_used_up", B},
        {&usual, "rrrrr", M, -1, "rrrrr/r....", "colour_used_up", M},
        {&usual, "rygbw/b..../g....", B, -1, "rygbw/w..../b..../g....", "not_from_top", B},
        {&usual, "rygbw/b..../g....", M, -1, "rygb./w..../b..../g....", "not_from_top", M},
        {&usual, "rygbw/b..../g....", M, -1, "rygbw/w..../b..../g....", "not_from_top", M},
        {&usual, "rygbw", B, -1, "ry.bw/....g", "out_of_turn", B},
        {&usual, "rygbw", B, -1, "ryg.w/..b../..r..", "out_of_turn", B},
        {&usual, "rygbw", M, -1, "..gbw/..ry.", "out_of_turn", M},
        {&french, "rygbw/b..../g....", M, -1, "rygbw/g..../b....", "same_track", M},
        {&french, "rygbw/b..../g....", M, -1, "rygbw/b...g", "move g 3,1 2,5", B},
        {&french, "rygbw/b..../g....", B, -1, "rygbw/g..w./b....", "same_track", B},
        {&advanced, "rygbw/rb...", M, 0, "rygbw/r.b..", "not_that_disc", M},
        {&advanced, "rygbw/rb...", M, 1, "rygbw/r.b..", "move b 2,2 2,3", B},
        {&advanced, "rygbw/rb...", M, 1, "rygb./rb.w.", "move w 1,5 2,4", B},
        {&advanced, "rygbw/y..../b....", M, 0, "rygbw/b.y..", "not_that_disc", M},
    };
    CHECK(changes);
}

static void the_opening_should_fill_the_tracks_in_any_order(void **context)
{
    (void)context;
    const struct change changes[] = {
        {&usual, "", B, -1, "..r..", "drop r 1,3", B},
        {&usual, "", B, -1, "r.y..", "drop r 1,1; drop y 1,3", B},
        {&usual, "r.y..", B, -1, "rgybw", "drop g 1,2; drop b 1,4; drop w 1,5", M},
        {&usual, "", B, -1, "rrrrr", "drop r 1,1; drop r 1,2; drop r 1,3; drop r 1,4; drop r 1,5",
         M},
        {&usual, "rgyb.", B, -1, "rgybw", "drop w 1,5", M},
        {&usual, "r....", B, -1, "r..../y....", "second_in_track", B},
        {&usual, "r....", B, -1, "y..../r....", "not_from_top", B},
        {&usual, "r....", B, -1, ".r...", "out_of_turn", B},
        {&usual, "r....", B, -1, ".....", "disc_taken", B},
        {&usual, "r....", B, -1, "y....", "disc_changed", B},
        {&usual, "r....", B, -1, "r..../...../y....", "floating", B},
        {&usual, "rgyb.", B, -1, "rgybw/r....", "too_many_new", B},
        {&stacked, "r....", B, -1, "r..../y....", "drop y 2,1", B},
        {&stacked, "", B, -1, "r..../y..../g..../b..../w....",
         "drop r 1,1; drop y 2,1; drop g 3,1; drop b 4,1; drop w 5,1", M},
        {&stacked, "r....", B, -1, "y..../r....", "not_from_top", B},
    };
    CHECK(changes);
}

static void opening_last_should_be_the_disc_seen_last_or_any_that_came_with_it(void **context)
{
    (void)context;
    struct make5_rules rules = {.one_per_track = false, .same_track = true, .advanced = true};
    struct make5_position before = position_of("rgy../b....", B, -1);
    struct make5_grid seen = grid_of("rgy../bw...");
    struct make5_story story;
    referee_make5_explain(&before, &seen, &rules, COLOURS, &story);
    assert_int_equal(story.after.last[0], 1);
    assert_int_equal(story.after.last[1], 1);
    assert_int_equal(story.after.last_tracks, 1 << 1);

    before = position_of("rg.../b....", B, -1);
    referee_make5_explain(&before, &seen, &rules, COLOURS, &story);
    assert_int_equal(story.after.last[0], -1);
    assert_int_equal(story.after.last_tracks, 1 << 1 | 1 << 2);
    before = story.after;
    seen = grid_of("rgy../.w.b.");
    referee_make5_explain(&before, &seen, &rules, COLOURS, &story);
    assert_int_equal(story.why, WHY_FLOATING);
    seen = grid_of("rgyb./.w...");
    referee_make5_explain(&before, &seen, &rules, COLOURS, &story);
    assert_int_equal(story.why, WHY_NOT_THAT_DISC); /* it came before them */
    seen = grid_of("rgyw./b....");
    referee_make5_explain(&before, &seen, &rules, COLOURS, &story);
    assert_int_equal(story.why, WHY_NONE);
}

static void last_should_follow_the_disc_that_breaker_placed(void **context)
{
    (void)context;
    struct make5_position before = position_of("rygbw/br...", M, 0);
    struct make5_grid seen = grid_of("bygbw/.r..r");
    struct make5_story story;
    referee_make5_explain(&before, &seen, &usual, COLOURS, &story);
    assert_int_equal(story.why, WHY_NONE);
    assert_int_equal(story.after.last[0], 0); /* it rolled down */
    assert_int_equal(story.after.last[1], 0);
    seen = grid_of("rygbw/.r..b");
    referee_make5_explain(&before, &seen, &usual, COLOURS, &story);
    assert_int_equal(story.after.last[0], 1);
    assert_int_equal(story.after.last[1], 4);
    assert_int_equal(story.after.last_tracks, 0);
}

static void a_row_should_score_by_its_commonest_colour(void **context)
{
    (void)context;
    const struct {
        const char *grid;
        int points;
    } cases[] = {{"rrrrr", 5},
                 {"rrrrr/ybyyy", 9},
                 {"rrrrr/ybyyy/gwgwg", 12},
                 {"rrrrr/ybyyy/gwgwg/wbwby", 12},
                 {"rrrrr/ybyyy/gwgwg/wbwby/ggbbw", 12}, /* the sheets' 5, 4, 3, 0, 0 */
                 {"rrrrr/yyyyy/ggggg/bbbbb/wwwww", 25},
                 {"rygbw/ygbwr/gbwry/bwryg/wrygb", 0},
                 {"rryyg", 0},
                 {"r.r.r", 3}, /* holes are no colour */
                 {"", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct make5_grid grid = grid_of(cases[i].grid);
        assert_int_equal(referee_make5_points(&grid), cases[i].points);
    }
}

static void legal_tracks_should_be_those_with_room(void **context)
{
    (void)context;
    struct make5_position position = position_of("r.g..", B, -1);
    assert_int_equal(referee_make5_legal(&position, &usual), 0x1a);
    assert_int_equal(referee_make5_legal(&position, &stacked), 0x1f);
    position = position_of("rygbw/y..../y..../y..../b....", B, -1);
    assert_int_equal(referee_make5_legal(&position, &usual), 0x1e);
    position.turn = M;
    assert_int_equal(referee_make5_legal(&position, &usual), 0);
}

static void a_set_position_should_be_checked(void **context)
{
    (void)context;
    const struct {
        const struct make5_rules *rules;
        const char *grid;
        int turn;
        enum why why;
    } cases[] = {
        {&usual, "", B, WHY_NONE},
        {&usual, "rygbw", B, WHY_NONE},
        {&usual, "rygbw", M, WHY_NONE},
        {&usual, "ryg..", M, WHY_BAD_VALUE},
        {&usual, "rygbw", 2, WHY_BAD_VALUE},
        {&usual, "rygbw", -1, WHY_BAD_VALUE},
        {&usual, "rygbx", B, WHY_BAD_VALUE},
        {&usual, "rygb./....w", B, WHY_FLOATING},
        {&usual, "rrrrr/r....", B, WHY_COLOUR_USED_UP},
        {&usual, "ry.../b....", B, WHY_SECOND_IN_TRACK},
        {&stacked, "ry.../b....", B, WHY_NONE},
        {&usual, "ryg../bw...", M, WHY_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct make5_grid grid = grid_of(cases[i].grid);
        assert_int_equal(referee_make5_check(&grid, cases[i].turn, cases[i].rules, COLOURS),
                         cases[i].why);
    }
}

/* --- Against a second generator ------------------------------------------------------------------
 *
 * Tracks as texts from the bottom up; BREAKER's last disc is a capital letter while MAKER is to
 * move. All that may follow is listed, then searched. */

struct board {
    char track[RAMP_SIDE][RAMP_SIDE + 1];
};

struct outcome {
    struct board board;
    int turn, hands;
};

#define OUTCOMES_MAX 16384
struct outcomes {
    int count;
    struct outcome item[OUTCOMES_MAX];
};

static char lower(char disc)
{
    return (char)(disc >= 'A' && disc <= 'Z' ? disc - 'A' + 'a' : disc);
}

static void board_lower(struct board *board)
{
    for (int t = 0; t < RAMP_SIDE; t++)
        for (char *disc = board->track[t]; *disc != '\0'; disc++)
            *disc = lower(*disc);
}

static int board_count(const struct board *board, char colour)
{
    int count = 0;
    for (int t = 0; t < RAMP_SIDE; t++)
        for (const char *disc = board->track[t]; *disc != '\0'; disc++)
            count += colour == 0 || lower(*disc) == colour;
    return count;
}

static struct make5_grid board_grid(const struct board *board)
{
    struct make5_grid grid;
    memset(&grid, MAKE5_EMPTY, sizeof grid);
    for (int t = 0; t < RAMP_SIDE; t++)
        for (int r = 0; board->track[t][r] != '\0'; r++)
            grid.disc[r][t] = lower(board->track[t][r]);
    return grid;
}

static void list_add(struct outcomes *list, const struct board *board, int turn, int hands)
{
    assert_true(list->count < OUTCOMES_MAX);
    list->item[list->count++] = (struct outcome){*board, turn, hands};
}

static void list_all(struct outcomes *list, const struct board *board, int turn, int hands,
                     const struct make5_rules *rules);

static void list_drops(struct outcomes *list, const struct board *board, int hands,
                       const struct make5_rules *rules)
{
    for (const char *colour = COLOURS; *colour != '\0'; colour++)
        for (int t = 0; t < RAMP_SIDE; t++) {
            struct board next = *board;
            size_t height = strlen(next.track[t]);
            if (height == RAMP_SIDE || board_count(board, *colour) == 5)
                continue;
            board_lower(&next);
            next.track[t][height] = (char)(*colour - 'a' + 'A');
            next.track[t][height + 1] = '\0';
            list_add(list, &next, M, hands + 1);
            list_all(list, &next, M, hands + 1, rules);
        }
}

static void list_moves(struct outcomes *list, const struct board *board, int hands,
                       const struct make5_rules *rules)
{
    for (int from = 0; from < RAMP_SIDE; from++)
        for (size_t r = 0; r < strlen(board->track[from]); r++)
            for (int to = 0; to < RAMP_SIDE; to++) {
                struct board next = *board;
                char disc = next.track[from][r];
                if (rules->advanced && r != 0 && disc == lower(disc))
                    continue;
                if (from == to && (!rules->same_track || r + 1 == strlen(next.track[from])))
                    continue;
                memmove(next.track[from] + r, next.track[from] + r + 1,
                        strlen(next.track[from] + r));
                size_t height = strlen(next.track[to]);
                if (height == RAMP_SIDE)
                    continue;
                next.track[to][height] = disc;
                next.track[to][height + 1] = '\0';
                board_lower(&next);
                list_add(list, &next, B, hands + 1);
                list_all(list, &next, B, hands + 1, rules);
            }
}

static void list_all(struct outcomes *list, const struct board *board, int turn, int hands,
                     const struct make5_rules *rules)
{
    if (hands == 2)
        return;
    if (turn == M)
        list_moves(list, board, hands, rules);
    if (turn == B || hands == 0) /* in MAKER's turn after a pass; one turn brings one disc */
        list_drops(list, board, hands, rules);
}

/* What the rules of the game say of a grid: WHY_NONE, WHY_TURN_UNCLEAR, or WHY_OUT_OF_TURN for all
 * that is not legal. */
static enum why list_judge(const struct outcomes *list, const struct make5_grid *seen,
                           bool is_advanced, struct outcome *found)
{
    enum why why = WHY_OUT_OF_TURN;
    found->hands = 3;
    for (int i = 0; i < list->count; i++) {
        const struct outcome *item = &list->item[i];
        struct make5_grid grid = board_grid(&item->board);
        if (item->hands > found->hands || !referee_make5_same(&grid, seen))
            continue;
        if (item->hands < found->hands) {
            *found = *item;
            why = WHY_NONE;
        } else if (item->turn != found->turn ||
                   (is_advanced && item->turn == M &&
                    memcmp(&item->board, &found->board, sizeof item->board) != 0)) {
            why = WHY_TURN_UNCLEAR;
        }
    }
    return why;
}

static uint64_t dice;

static int throw(int sides)
{
    dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((dice >> 33) % (uint64_t)sides);
}

static struct make5_position board_position(const struct board *board, int turn)
{
    struct make5_position position;
    referee_make5_empty(&position);
    position.grid = board_grid(board);
    position.turn = (int8_t)turn;
    position.discs = (int8_t)board_count(board, 0);
    for (int t = 0; t < RAMP_SIDE; t++)
        for (int r = 0; board->track[t][r] != '\0'; r++)
            if (board->track[t][r] != lower(board->track[t][r])) {
                position.last[0] = (int8_t)r;
                position.last[1] = (int8_t)t;
                position.last_tracks = (uint8_t)(1U << t);
            }
    return position;
}

static void check_explained(const struct outcomes *list, const struct make5_position *before,
                            const struct make5_grid *seen, const struct make5_rules *rules,
                            int told[3])
{
    struct outcome right;
    struct make5_story story;
    if (referee_make5_same(&before->grid, seen))
        return;
    enum why why = list_judge(list, seen, rules->advanced, &right);
    referee_make5_explain(before, seen, rules, COLOURS, &story);
    told[why == WHY_NONE ? 0 : why == WHY_TURN_UNCLEAR ? 1 : 2]++;
    if (why != WHY_OUT_OF_TURN) {
        assert_string_equal(why_text(story.why), why_text(why));
    } else {
        assert_int_not_equal(story.why, WHY_NONE);
        assert_int_not_equal(story.why, WHY_TURN_UNCLEAR);
    }
    if (why != WHY_NONE)
        return;
    struct make5_position after = board_position(&right.board, right.turn);
    assert_true(referee_make5_same(&story.after.grid, seen));
    assert_int_equal(story.after.turn, right.turn);
    assert_int_equal(story.after.discs, after.discs);
    assert_int_equal(story.after.last_tracks != 0, right.turn == M);
    if (rules->advanced && right.turn == M) {
        assert_int_equal(story.after.last_tracks, after.last_tracks);
        assert_memory_equal(story.after.last, after.last, sizeof after.last);
    }
    assert_int_equal(story.action[story.count - 1].turn, right.turn);
}

/* Any change at all: some cells get other discs, or are emptied. */
static void grid_spoil(struct make5_grid *grid)
{
    for (int n = 1 + throw(3); n > 0; n--) {
        int a = throw(MAKE5_DISCS), b = throw(MAKE5_DISCS);
        char *one = &grid->disc[a / 5][a % 5], *other = &grid->disc[b / 5][b % 5], keep = *one;
        switch (throw(3)) {
        case 0:
            *one = *other;
            *other = keep;
            break;
        case 1:
            *one = (COLOURS ".")[throw(6)];
            break;
        default: { /* from any height of a track to the top of another */
            int from = throw(5), to = throw(5), row = throw(5);
            char disc = grid->disc[row][from];
            int height = referee_make5_height(grid, to);
            if (disc == MAKE5_EMPTY || height == RAMP_SIDE || from == to)
                break;
            for (int r = row; r < 4; r++)
                grid->disc[r][from] = grid->disc[r + 1][from];
            grid->disc[4][from] = MAKE5_EMPTY;
            grid->disc[height][to] = disc;
        }
        }
    }
}

/* One game of single actions; beside each position others that would be legal, and some not. */
static void play_beside(struct outcomes *list, const struct make5_rules *rules, int told[3])
{
    struct board board;
    memset(&board, 0, sizeof board);
    for (int t = 0; t < RAMP_SIDE; t++)
        board.track[t][0] = COLOURS[throw(5)];
    for (int turn = M; board_count(&board, 0) < MAKE5_DISCS || turn == M;) {
        struct make5_position before = board_position(&board, turn);
        list->count = 0;
        list_all(list, &board, turn, 0, rules);
        if (list->count == 0) /* all tracks full, and none may have its own disc back */
            break;
        for (int n = 0; n < 4; n++) {
            struct make5_grid seen = board_grid(&list->item[throw(list->count)].board);
            check_explained(list, &before, &seen, rules, told);
            seen = before.grid;
            grid_spoil(&seen);
            check_explained(list, &before, &seen, rules, told);
        }
        const struct outcome *next = &list->item[throw(list->count)];
        while (next->hands != 1)
            next = &list->item[throw(list->count)];
        struct make5_grid seen = board_grid(&next->board);
        check_explained(list, &before, &seen, rules, told);
        board = next->board;
        turn = next->turn;
    }
}

static void explanations_should_be_those_of_a_second_generator(void **context)
{
    (void)context;
    static struct outcomes list;
    const struct make5_rules strict = {
        .one_per_track = true, .same_track = false, .advanced = true};
    const struct make5_rules *all[] = {&usual, &french, &advanced, &strict};
    dice = 5;
    for (size_t i = 0; i < 4; i++) {
        int told[3] = {0, 0, 0};
        for (int game = 0; game < 15; game++)
            play_beside(&list, all[i], told);
        for (int kind = 0; kind < 3; kind++) /* the test has teeth */
            assert_true(told[kind] > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_action_should_be_understood),
        cmocka_unit_test(two_actions_should_be_understood_when_only_one_order_explains_them),
        cmocka_unit_test(a_change_that_leaves_the_turn_open_should_be_unclear),
        cmocka_unit_test(an_illegal_change_should_be_named),
        cmocka_unit_test(the_opening_should_fill_the_tracks_in_any_order),
        cmocka_unit_test(opening_last_should_be_the_disc_seen_last_or_any_that_came_with_it),
        cmocka_unit_test(last_should_follow_the_disc_that_breaker_placed),
        cmocka_unit_test(a_row_should_score_by_its_commonest_colour),
        cmocka_unit_test(legal_tracks_should_be_those_with_room),
        cmocka_unit_test(a_set_position_should_be_checked),
        cmocka_unit_test(explanations_should_be_those_of_a_second_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
