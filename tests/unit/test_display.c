/* What a display knows of a match, and what it shows of that on screens of many sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/display_scene.h"

#include <locale.h>

#define SETUP(game, players, options, slots)                                                       \
    "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"" game "\",\"players\":[" players                  \
    "],\"options\":{" options "},\"slots\":[" slots "],\"seed\":2,\"cards\":["                     \
    "{\"id\":\"L1-05\",\"level\":1,\"grid\":\"xx+*/#*#o/+*..\"},"                                  \
    "{\"id\":\"L4-02\",\"level\":4,\"grid\":\"*+x./#x#./++x*\"}]}\n"
#define FOUR                                                                                       \
    "{\"seat\":1,\"name\":\"Ada Lindqvist\"},{\"seat\":2,\"name\":\"Bartholomew Ng\"},"            \
    "{\"seat\":3,\"name\":\"Čeněk Dvořák\"},{\"seat\":4,\"name\":\"Zoë Østergård\"}"
#define QUICK                                                                                      \
    SETUP("quick-play", FOUR, "\"claims\":\"called\",\"rounds\":2", "3")                           \
    "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":3000}\n"
#define COMPLETE(t_ms, seat, grid)                                                                 \
    "{\"t_ms\":" t_ms ",\"event\":\"layout\",\"seat\":" seat                                       \
    ",\"state\":\"complete\",\"grid\":\"" grid "\"}\n"
#define CLAIM(t_ms, seat) "{\"t_ms\":" t_ms ",\"event\":\"claim\",\"seat\":" seat "}\n"
#define TICK(t_ms) "{\"t_ms\":" t_ms ",\"event\":\"tick\"}\n"

/* Ada takes the first card; Bartholomew errs on the second by a wrong symbol. */
#define PLAYED                                                                                     \
    TICK("3000")                                                                                   \
    COMPLETE("21000", "1", "xx+*/#*#o/+*..")                                                       \
    CLAIM("21500", "1")                                                                            \
    TICK("21600")                                                                                  \
    TICK("22500")                                                                                  \
    COMPLETE("34000", "3", "*+x./#x#./++x*")                                                       \
    "{\"t_ms\":38000,\"event\":\"layout\",\"seat\":4,\"state\":\"occluded\","                      \
    "\"reasons\":[\"hand\"]}\n" COMPLETE("40000", "2", "*+x./#o#./++x*") CLAIM("41000", "2")       \
        TICK("41100") TICK("42000")

#define TOLD(scene, rows, cols, later_ms) scene_show(scene, rows, cols, false, later_ms)

static int setup(void **state)
{
    *state = scene_open();
    return 0;
}

static int teardown(void **state)
{
    scene_close(*state);
    return 0;
}

static void assert_shows(const char *text, const char *wanted)
{
    if (!strstr(text, wanted))
        fail_msg("\"%s\" is not in:\n%s", wanted, text);
}

static void assert_lacks(const char *text, const char *unwanted)
{
    if (strstr(text, unwanted))
        fail_msg("\"%s\" is in:\n%s", unwanted, text);
}

static void should_show_everything_on_the_smallest_screen(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    assert_string_equal(TOLD(s, 12, 40, 200),
        "Quick-Play Game · Table 4 · final\n"
        " In play                Card 2 of 2 0:39\n"
        "★ ✿ ✕     1  Ada Lindqvist             1\n"
        "■ ✕ ■     2  Bartholomew … ✗ Out for … 0\n"
        "✿ ✿ ✕ ★   3  Čeněk Dvořák              0\n"
        "          4  Zoë Østergård             0\n"
        "1✕ ✕ ✿ ★  2★ ✿ ✕    3★ ✿ ✕    4Covered\n"
        " ■ ★ ■ ○   ■ ○!■     ■ ✕ ■\n"
        " ✿ ★       ✿ ✿ ✕ ★   ✿ ✿ ✕ ★\n"
        "\n"
        " ✗  Bartholomew Ng: no match\n"
        "    a symbol is wrong · out for this ca…\n");
}

static void should_show_it_on_an_ordinary_screen(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    assert_string_equal(TOLD(s, 24, 80, 200),
        "Quick-Play Game · Table 4 · final                      In play  Card 2 of 2 0:39\n"
        "────────────────────────────────────────────────────────────────────────────────\n"
        "Level 4                   1  Ada Lindqvist                            1 ✕ ✕ ✿ ★\n"
        "                                                                        ■ ★ ■ ○\n"
        "★★★★★ ✿✿✿✿✿ ✕✕✕✕✕                                                       ✿ ★\n"
        "★★★★★ ✿✿✿✿✿ ✕✕✕✕✕\n"
        "★★★★★ ✿✿✿✿✿ ✕✕✕✕✕         2  Bartholomew Ng                           0 ★ ✿ ✕\n"
        "■■■■■ ✕✕✕✕✕ ■■■■■            ✗ Out for this card                        ■ ○!■\n"
        "■■■■■ ✕✕✕✕✕ ■■■■■                                                       ✿ ✿ ✕ ★\n"
        "■■■■■ ✕✕✕✕✕ ■■■■■\n"
        "✿✿✿✿✿ ✿✿✿✿✿ ✕✕✕✕✕ ★★★★★   3  Čeněk Dvořák                             0 ★ ✿ ✕\n"
        "✿✿✿✿✿ ✿✿✿✿✿ ✕✕✕✕✕ ★★★★★                                                 ■ ✕ ■\n"
        "✿✿✿✿✿ ✿✿✿✿✿ ✕✕✕✕✕ ★★★★★                                                 ✿ ✿ ✕ ★\n"
        "\n"
        "                          4  Zoë Østergård                            0 Covered\n"
        "\n"
        "\n"
        "\n"
        "────────────────────────────────────────────────────────────────────────────────\n"
        " ✗  Bartholomew Ng: no match                                            ★ ✿ ✕\n"
        "    a symbol is wrong · out for this card                               ■ ○!■\n"
        "                                                                        ✿ ✿ ✕ ★\n"
        "\n"
        "q: quit\n");
}

static void should_show_it_in_ascii(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    assert_string_equal(scene_show(s, 24, 80, true, 200),
        "Quick-Play Game - Table 4 - final                      In play  Card 2 of 2 0:39\n"
        "--------------------------------------------------------------------------------\n"
        "Level 4                   1  Ada Lindqvist                            1 x x + *\n"
        "                                                                        # * # o\n"
        "***** +++++ xxxxx                                                       + *\n"
        "***** +++++ xxxxx\n"
        "***** +++++ xxxxx         2  Bartholomew Ng                           0 * + x\n"
        "##### xxxxx #####            X Out for this card                        # o!#\n"
        "##### xxxxx #####                                                       + + x *\n"
        "##### xxxxx #####\n"
        "+++++ +++++ xxxxx *****   3  ?en?k Dvo?""?k                             0 * + x\n"
        "+++++ +++++ xxxxx *****                                                 # x #\n"
        "+++++ +++++ xxxxx *****                                                 + + x *\n"
        "\n"
        "                          4  Zo? ?sterg?rd                            0 Covered\n"
        "\n"
        "\n"
        "\n"
        "--------------------------------------------------------------------------------\n"
        " X  Bartholomew Ng: no match                                            * + x\n"
        "    a symbol is wrong - out for this card                               # o!#\n"
        "                                                                        + + x *\n"
        "\n"
        "q: quit\n");
}

/* Where there is room symbols have their own shapes, names large scores, and rulings pictures. */
static void should_show_more_on_a_large_screen(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    const char *text = TOLD(s, 60, 200, 200);
    assert_shows(text, "▗▄█████▄▖");
    assert_shows(text, " █ ");
    assert_shows(text, "!○! ■■■");
}

static void should_count_down_and_hide_the_cards_until_then(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK);
    const char *text = TOLD(s, 24, 80, 100);
    assert_shows(text, "Get ready");
    assert_shows(text, "to come");
    assert_lacks(text, "Level");
    assert_shows(text, "███"); /* a 3 */
    assert_int_equal(pubsub_display_cue(s->display, s->now_ns), DISPLAY_CUE_COUNT);
    assert_int_equal(pubsub_display_cue(s->display, s->now_ns), DISPLAY_CUE_NONE);
    assert_int_equal(pubsub_display_cue(s->display, s->now_ns + 1500000000), DISPLAY_CUE_COUNT);
    assert_true(pubsub_display_runs(s->display));
    scene_events(s, TICK("3000"));
    assert_int_equal(pubsub_display_cue(s->display, s->now_ns), DISPLAY_CUE_START);
    assert_shows(TOLD(s, 24, 80, 100), "Level 1");
}

static void should_run_the_clock_only_while_it_is_told_to(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    assert_shows(TOLD(s, 24, 80, 0), "0:39");
    assert_shows(TOLD(s, 24, 80, 1500), "0:40");
    pubsub_display_link(s->display, DISPLAY_LINK_STALE, "nobody answers", s->now_ns);
    const char *text = TOLD(s, 24, 80, 7500);
    assert_shows(text, "0:39");
    assert_shows(text, "! No signal · 7 s");
    assert_shows(text, "nobody answers");
    assert_shows(TOLD(s, 12, 40, 7500), "! No signal");
    pubsub_display_link(s->display, DISPLAY_LINK_WELL, NULL, s->now_ns);
    scene_events(s, "{\"t_ms\":43000,\"event\":\"pause\",\"by\":\"desk\"}\n");
    text = TOLD(s, 24, 80, 5000);
    assert_shows(text, "0:40");
    assert_shows(text, "Paused");
    assert_false(pubsub_display_runs(s->display));
}

static void should_say_that_nothing_was_heard_yet(void **state)
{
    struct scene *s = *state;
    assert_shows(TOLD(s, 24, 80, 0), "No signal yet");
    pubsub_display_link(s->display, DISPLAY_LINK_KEY, "it refuses our key", s->now_ns);
    assert_shows(TOLD(s, 12, 40, 0), "it refuses our key");
    assert_int_equal(pubsub_display_seat(s->display, 0), 0);
    assert_int_equal(pubsub_display_cue(s->display, s->now_ns), DISPLAY_CUE_NONE);
}

static void should_say_when_pictures_cannot_be_trusted(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED
                 "{\"t_ms\":43000,\"event\":\"health\",\"reasons\":[\"mat_moved\"]}\n");
    assert_shows(TOLD(s, 24, 100, 0), "! the mat or the camera was moved");
    assert_shows(TOLD(s, 24, 80, 0), "Rulings frozen");
    scene_tell(s, MESSAGE_HEALTH, "\"health\":{\"reasons\":[],\"recorder\":\"disk full\",\"record\":null}",
               false);
    scene_events(s, "{\"t_ms\":44000,\"event\":\"health\",\"reasons\":[]}\n");
    assert_shows(TOLD(s, 24, 100, 0), "disk full");
}

static void should_never_pass_a_replay_off_as_a_match(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    scene_state_with(s, 42000000000,
                     ",\"replay\":{\"from_t_ns\":0,\"to_t_ns\":9,\"speed_permille\":2000,"
                     "\"paused\":false,\"what_if\":true}");
    assert_shows(TOLD(s, 24, 80, 0), " Replay, not as it was played");
    assert_shows(TOLD(s, 12, 40, 0), " Replay, not as it");
    /* Its clock goes at its speed. */
    assert_shows(TOLD(s, 24, 100, 0), "0:39");
    assert_shows(TOLD(s, 24, 100, 1500), "0:42");
    scene_state(s, 42000000000);
    assert_lacks(TOLD(s, 24, 80, 0), "Replay");
}

static void should_take_back_what_no_longer_stands(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    assert_shows(TOLD(s, 24, 80, 0), "Bartholomew Ng: no match");
    char members[96];
    uint64_t last = referee_history_last(s->history);
    /* The verdict was brought out by the tick before the last one. */
    for (uint64_t seq = last - 2; seq <= last; seq++) {
        snprintf(members, sizeof members, "\"decision\":{\"seq\":%d,\"index\":0}", (int)seq);
        scene_tell(s, MESSAGE_VOID, members, false);
    }
    const char *text = TOLD(s, 24, 80, 0);
    assert_shows(text, "A ruling was taken back");
    /* Nor does its mark stay. */
    assert_lacks(text, "○!");
}

static void should_hear_new_rulings_and_no_old_ones(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    assert_int_equal(pubsub_display_cue(s->display, s->now_ns), DISPLAY_CUE_ERROR);
    scene_event(s, "{\"t_ms\":43000,\"event\":\"claim\",\"seat\":3}", true);
    scene_event(s, "{\"t_ms\":44000,\"event\":\"tick\"}", true);
    assert_int_equal(pubsub_display_cue(s->display, s->now_ns), DISPLAY_CUE_NONE);
}

static void should_forget_a_match_when_another_begins(void **state)
{
    struct scene *s = *state;
    scene_events(s, QUICK PLAYED);
    memcpy(s->head.match, "next", 5);
    s->head.kind = MESSAGE_HEALTH;
    scene_tell(s, MESSAGE_HEALTH, "\"health\":{\"reasons\":[],\"recorder\":null,\"record\":null}", false);
    const char *text = TOLD(s, 24, 80, 0);
    assert_lacks(text, "Ada");
    assert_lacks(text, "no match");
    assert_shows(text, "No match yet");
}

#define TWO "{\"seat\":1,\"name\":\"Ada\"},{\"seat\":2,\"name\":\"Bo\"}"
static void should_show_how_it_ended(void **state)
{
    struct scene *s = *state;
    scene_events(s, SETUP("quick-play", TWO, "\"claims\":\"called\",\"rounds\":2", "3")
                 "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":0}\n"
                 COMPLETE("9000", "1", "xx+*/#*#o/+*..") CLAIM("9500", "1") TICK("9700") TICK("10500")
                 COMPLETE("19000", "2", "*+x./#x#./++x*") CLAIM("19500", "2") TICK("19700")
                 TICK("20500"));
    scene_tell(s, MESSAGE_HEALTH,
               "\"health\":{\"reasons\":[],\"recorder\":null,\"record\":\"60303ae22b998861bce3b28f33"
               "eec1be758a213c86c93c076dbe9f558c11c752\"}",
               false);
    assert_string_equal(TOLD(s, 12, 40, 0),
        "Quick-Play Game · Table 4 · final\n"
        " Match over             Card 2 of 2 0:19\n"
        "Final table\n"
        "Rank  Player        Points  Cards Errors\n"
        "1     Bo                 1      1      0\n"
        "2     Ada                1      1      0\n"
        "Match clock: 0:19\n"
        "Record: 60303ae2 2b998861 bce3b28f\n"
        "        33eec1be 758a213c 86c93c07\n"
        "        6dbe9f55 8c11c752\n"
        " ✓  Bo wins the match\n"
        "\n");
    const char *text = TOLD(s, 24, 100, 0);
    assert_shows(text, "Match over");
    assert_shows(text, "Bo wins the match");
    assert_shows(text, "L5     L4     L3");
    assert_shows(text, "60303ae2 2b998861 bce3b28f 33eec1be 758a213c 86c93c07 6dbe9f55 8c11c752");
}

static void should_show_five_piles_and_who_owes(void **state)
{
    struct scene *s = *state;
    scene_events(
        s,
        "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"total-madness\",\"players\":[" TWO "],"
        "\"options\":{\"claims\":\"called\"},\"slots\":[1,2,3,4,5],\"seed\":7,\"cards\":["
        "{\"id\":\"A\",\"level\":1,\"grid\":\"xx/oo/++/##/**\"},{\"id\":\"B\",\"level\":1,\"grid\":\"xx/oo/++/**/##\"},"
        "{\"id\":\"C\",\"level\":2,\"grid\":\"xx/oo/##/++/**\"},{\"id\":\"D\",\"level\":2,\"grid\":\"xx/oo/##/**/++\"},"
        "{\"id\":\"E\",\"level\":3,\"grid\":\"xx/oo/**/##/++\"},{\"id\":\"F\",\"level\":3,\"grid\":\"xx/oo/**/++/##\"},"
        "{\"id\":\"G\",\"level\":4,\"grid\":\"xx/##/++/oo/**\"},{\"id\":\"H\",\"level\":4,\"grid\":\"xx/##/++/**/oo\"},"
        "{\"id\":\"I\",\"level\":5,\"grid\":\"xx/**/++/##/oo\"},{\"id\":\"J\",\"level\":5,\"grid\":\"xx/**/++/oo/##\"}]}\n"
        "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":0}\n"
        COMPLETE("9000", "1", "oo/xx/++/##/**")
        "{\"t_ms\":9500,\"event\":\"claim\",\"seat\":1,\"slot\":1}\n" TICK("9700") TICK("13500"));
    const char *text = TOLD(s, 24, 100, 0);
    assert_shows(text, "▼ Owes a card");
    assert_shows(text, "10 cards left");
    assert_shows(text, "Level 1");
    assert_shows(text, "Level 5");
    assert_shows(scene_show(s, 24, 80, true, 0), "v Owes a card");
    assert_shows(TOLD(s, 12, 40, 0), "L1   L2   L3   L4   L5");
}

static void should_show_the_ramp(void **state)
{
    struct scene *s = *state;
    scene_events(
        s, "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"make5\",\"players\":[" TWO "],"
           "\"options\":{\"rounds\":2},\"colours\":\"rygbw\"}\n"
           "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":0}\n"
           "{\"t_ms\":1000,\"event\":\"discs\",\"state\":\"complete\",\"rows_from_bottom\":[\"r....\"]}\n"
           "{\"t_ms\":2000,\"event\":\"discs\",\"state\":\"complete\",\"rows_from_bottom\":[\"rr...\"]}\n"
           "{\"t_ms\":3000,\"event\":\"discs\",\"state\":\"complete\",\"rows_from_bottom\":[\"rrr..\"]}\n");
    assert_string_equal(TOLD(s, 12, 40, 0),
        "Make 5 · Table 4 · final\n"
        " In play               Round 1 of 2 0:03\n"
        "· · · · ·  0    This round: 3 points\n"
        "· · · · ·  0    Breaker to move\n"
        "· · · · ·  0    1  Ada                 0\n"
        "· · · · ·  0       Maker\n"
        "r r r<· ·  3\n"
        "1 2 3 4 5       2  Bo                  0\n"
        "                   ▶ Breaker\n"
        "\n"
        " -  Bo drops red into track 3\n"
        "    a disc was placed\n");
    const char *text = TOLD(s, 30, 100, 0);
    assert_shows(text, "This round: 3 points");
    assert_shows(text, "▶ Breaker");
    assert_shows(text, "drops red into track 3");
}

static void should_show_what_each_round_brought(void **state)
{
    struct scene *s = *state;
    scene_events(
        s, "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"make5\",\"players\":[" TWO "],"
           "\"options\":{\"rounds\":2},\"colours\":\"rygbw\"}\n"
           "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":0}\n"
           "{\"t_ms\":1000,\"event\":\"set_discs\",\"rows_from_bottom\":[\"rygbw\",\"rygbw\",\"rygbw\","
           "\"rygbw\",\"rrrrr\"],\"turn\":\"maker\",\"by\":\"desk\"}\n"
           "{\"t_ms\":2000,\"event\":\"abandon\",\"by\":\"desk\"}\n");
    assert_shows(TOLD(s, 24, 80, 0), "Match abandoned");
    /* As it is published when two are over. */
    scene_tell(s, MESSAGE_STATE,
               "\"state\":{\"phase\":\"over\",\"game\":\"make5\",\"paused\":false,\"health\":[],\"players\":["
               "{\"seat\":1,\"name\":\"Ada\",\"rank\":1,\"points\":11},{\"seat\":2,\"name\":\"Bo\",\"rank\":2,"
               "\"points\":3}],\"make5\":{\"round\":2,\"rounds\":[{\"round\":1,\"maker\":1,\"points\":11},"
               "{\"round\":2,\"maker\":2,\"points\":3}]},\"options\":{\"rounds\":2}},\"clocks\":{\"t_ns\":0,"
               "\"clock_ns\":0,\"clock_runs\":false,\"start_t_ns\":null}",
               false);
    assert_shows(TOLD(s, 24, 80, 0), "Round 1: Ada 11   Round 2: Bo 3");
}

/* Layouts on the way there lie on no grid: each cell where it is. */
static void should_draw_what_lies_on_no_grid(void **state)
{
    struct scene *s = *state;
    struct mat *mat = NULL;
    assert_int_equal(calib_mat_load("a1-four", NULL, &mat, NULL), 0);
    const struct display_kit kit = {.set = s->set, .mat = mat};
    pubsub_display_destroy(&s->display);
    s->display = pubsub_display_create(&kit);
    scene_events(s, QUICK TICK("3000"));
    scene_tell(s, MESSAGE_LAYOUT,
               "\"layout\":{\"settled\":false,\"seat\":{\"seat\":1,\"state\":\"incomplete\",\"grid\":null,"
               "\"turned_deg\":0,\"confidence\":0.9,\"cells\":["
               "{\"row\":null,\"col\":null,\"symbol\":\"x\",\"confidence\":0.9,\"second\":\"+\","
               "\"center_px\":[0,0],\"center_mm\":[100,100]},"
               "{\"row\":null,\"col\":null,\"symbol\":\"o\",\"confidence\":0.9,\"second\":\"+\","
               "\"center_px\":[0,0],\"center_mm\":[135,170]}],\"reasons\":[]},\"slot\":null}",
               false);
    const char *text = TOLD(s, 24, 80, 0);
    assert_lacks(text, "Building");
    assert_shows(text, " ✕\n");
    calib_mat_destroy(&mat);
}

static void should_fit_every_size_and_every_name(void **state)
{
    static const char *const names[] = {
        "Wolfeschlegelsteinhausenbergerdorff von und zu der Hohenau IV",
        "🦊🎲👩\xe2\x80\x8d👦 Fox",
        "שָׁלוֹם בן־דוד",
        "Z\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85",
    };
    struct scene *s = *state;
    char line[4096];
    scene_events(s, QUICK PLAYED);
    for (int seat = 1; seat <= 4; seat++) {
        snprintf(line, sizeof line,
                 "{\"t_ms\":43000,\"event\":\"name\",\"seat\":%d,\"name\":\"%.200s\",\"by\":\"desk\"}", seat,
                 seat == 1 ? names[0] + 1 : names[seat - 1]);
        scene_event(s, line, false);
    }
    for (int rows = 1; rows <= 60; rows += rows < 26 ? 1 : 9)
        for (int cols = 1; cols <= 200; cols += cols < 84 ? 1 : 23)
            scene_show(s, rows, cols, (rows + cols) & 1, 100);
    const char *text = TOLD(s, 24, 80, 0);
    assert_shows(text, "olfeschlegelsteinh");
    assert_shows(text, "…");
    assert_shows(text, "🦊🎲👩👦 Fox");
    assert_shows(text, "Z\xcc\x81\xcc\x82\xcc\x83");
    assert_shows(TOLD(s, 5, 30, 0), "40x12 at least");
}

static const char *swedish(const char *one, const char *many, int64_t n)
{
    (void)many;
    (void)n;
    return strcmp(one, "{name}: no match") == 0 ? "{name}: stämmer inte" : one;
}

static void should_speak_the_displays_language(void **state)
{
    struct scene *s = *state;
    const struct display_kit kit = {.set = s->set, .words = {.say = swedish}};
    pubsub_display_destroy(&s->display);
    s->display = pubsub_display_create(&kit);
    scene_events(s, QUICK PLAYED);
    assert_shows(TOLD(s, 24, 80, 0), "Bartholomew Ng: stämmer inte");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(should_show_everything_on_the_smallest_screen),
        TEST(should_show_it_on_an_ordinary_screen),
        TEST(should_show_it_in_ascii),
        TEST(should_show_more_on_a_large_screen),
        TEST(should_count_down_and_hide_the_cards_until_then),
        TEST(should_run_the_clock_only_while_it_is_told_to),
        TEST(should_say_that_nothing_was_heard_yet),
        TEST(should_say_when_pictures_cannot_be_trusted),
        TEST(should_never_pass_a_replay_off_as_a_match),
        TEST(should_take_back_what_no_longer_stands),
        TEST(should_hear_new_rulings_and_no_old_ones),
        TEST(should_forget_a_match_when_another_begins),
        TEST(should_show_how_it_ended),
        TEST(should_show_five_piles_and_who_owes),
        TEST(should_show_the_ramp),
        TEST(should_show_what_each_round_brought),
        TEST(should_draw_what_lies_on_no_grid),
        TEST(should_fit_every_size_and_every_name),
        TEST(should_speak_the_displays_language),
    };
    /* Widths are a locale's matter. */
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
