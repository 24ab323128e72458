/* What was decided, as lines for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/history_scene.h"

#include "referee/cmd_timeline.h"

static char *timeline(const struct history *history)
{
    struct json_text out;

    vision_json_init(&out);
    cmd_timeline_text(history, &out);
    assert_false(out.failed);
    return out.bytes;
}

static void has(const char *text, const char *line)
{
    if (!strstr(text, line))
        print_message("# no \"%s\" in\n%s\n", line, text);
    assert_non_null(strstr(text, line));
}

static void timeline_should_tell_cause_time_and_what(void **state)
{
    struct history *history = scene_history(0);

    (void)state;
    char *text = timeline(history);
    has(text,
        "     4     12.000 s  verdict      Bo (seat 2)  card L1-02, level 1  No match: the ");
    has(text, "     4     12.000 s  out          Bo (seat 2)");
    has(text,
        "     7     15.000 s  win          Ada (seat 1)  card L1-02, level 1  after 13.200 s");
    has(text, "set aside    card L1-03, level 1  by a person’s word\n");
    has(text, "play         In play\n");
    free(text);
    referee_history_destroy(&history);
}

static void timeline_should_tell_only_what_stands(void **state)
{
    struct history *history = scene_history(0);

    (void)state;
    assert_int_equal(referee_history_undo(history, QUICK_WIN, true, NULL, NULL), REFEREE_OK);
    char *text = timeline(history);
    assert_null(strstr(text, "win "));
    free(text);
    struct event_forced match = {.set = true, .ruling = RULING_MATCH};
    assert_int_equal(referee_history_overrule(history, QUICK_ERROR, &match, NULL, NULL),
                     REFEREE_OK);
    text = timeline(history);
    has(text, "Match (a person overruled; it was: No match)");
    has(text, "win          Bo (seat 2)");
    free(text);
    referee_history_destroy(&history);
}

static void timeline_should_tell_margins_ties_and_health(void **state)
{
    static const char *const lines[] = {
        "{\"t_ms\":20000,\"event\":\"health\",\"reasons\":[\"mat_moved\"]}",
        "{\"t_ms\":21000,\"event\":\"health\",\"reasons\":[]}",
        "{\"t_ms\":30000,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"x*#/x#*/"
        "o../++*\"}",
        "{\"t_ms\":30000,\"event\":\"layout\",\"seat\":2,\"state\":\"complete\",\"grid\":\"x*#/x#*/"
        "o../++*\"}",
        "{\"t_ms\":30100,\"event\":\"claim\",\"seat\":1}",
        "{\"t_ms\":30100,\"event\":\"claim\",\"seat\":2}",
        "{\"t_ms\":36000,\"event\":\"tick\"}",
    };
    struct history *history = scene_history(0);

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        scene_step(history, lines[i]);
    char *text = timeline(history);
    has(text, "table        the mat or the camera was moved");
    has(text, "table        all is well");
    has(text, "tie          Ada (seat 1)  Bo (seat 2)");
    free(text);
    referee_history_destroy(&history);
}

static void timeline_of_make5_should_tell_discs_and_places(void **state)
{
    static const char *const lines[] = {
        "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"make5\",\"players\":[{\"seat\":1,\"name\":"
        "\"Ada\"},{\"seat\":2,\"name\":\"Bo\"}],\"options\":{\"rounds\":1},\"colours\":\"rygbw\"}",
        "{\"t_ms\":0,\"event\":\"start\"}",
        "{\"t_ms\":9000,\"event\":\"discs\",\"state\":\"complete\",\"rows_from_bottom\":[\".y...\"]"
        "}",
        "{\"t_ms\":9500,\"event\":\"discs\",\"state\":\"complete\",\"rows_from_bottom\":[\".y...\","
        "\"....w\",\".r...\"]}",
    };
    struct history *history = referee_history_create();

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        scene_step(history, lines[i]);
    char *text = timeline(history);
    has(text, "round 1, 0 points  the round begins");
    has(text, "disc y: the bag -> row 1, track 2");
    has(text, "illegal");
    free(text);
    referee_history_destroy(&history);
}

static void act_should_be_told_with_who_and_why(void **state)
{
    struct record_act act = {.event = 12, .ruling = RULING_NO_MATCH};
    struct json_text out;

    (void)state;
    vision_json_init(&out);
    cmd_timeline_act(JOURNAL_UNDO, &act, &out);
    memcpy(act.by, "desk", 5);
    memcpy(act.why, "glare", 6);
    cmd_timeline_act(JOURNAL_OVERRULE, &act, &out);
    assert_string_equal(out.bytes,
                        "event 12 was taken back\n"
                        "event 12 was overruled: No match (desk): glare\n");
    vision_json_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timeline_should_tell_cause_time_and_what),
        cmocka_unit_test(timeline_should_tell_only_what_stands),
        cmocka_unit_test(timeline_should_tell_margins_ties_and_health),
        cmocka_unit_test(timeline_of_make5_should_tell_discs_and_places),
        cmocka_unit_test(act_should_be_told_with_who_and_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
