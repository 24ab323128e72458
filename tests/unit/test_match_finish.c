/* Photo finishes: found where two seats had a card within ten frames, and nowhere else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/cmd_match_finish.h"
#include "tests/unit/record_scene.h"

#define INTERVAL_MS 40
#define DIGEST "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
#define RIGHT "x*#/x#*/o../++*"

static struct record *begin(const char *options)
{
    struct record_header header = {.match = "final"};
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    char text[700];

    assert_int_equal(referee_record_open(NULL, &header, NULL, NULL, &record, &fault), REFEREE_OK);
    snprintf(
        text, sizeof text,
        "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"quick-play\",\"players\":[{\"seat\":1,"
        "\"name\":\"Ada\"},{\"seat\":2,\"name\":\"Bo\"},{\"seat\":3,\"name\":\"Cy\"}],"
        "\"options\":{\"rounds\":2,\"frame_interval\":%d%s},\"slots\":[3],\"seed\":7,\"cards\":"
        "[{\"id\":\"A\",\"level\":4,\"grid\":\"" RIGHT "\"},{\"id\":\"B\",\"level\":1,"
        "\"grid\":\"xx/oo/++/##/**\"}]}",
        INTERVAL_MS * 1000, options);
    assert_int_equal(put(record, text, 0), REFEREE_OK);
    assert_int_equal(put(record, "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":0}", 0),
                     REFEREE_OK);
    return record;
}

/* Seen at t_ms, told three frames later. */
static void layout(struct record *record, int seat, int t_ms, const char *grid, bool kept)
{
    char text[400];

    snprintf(text, sizeof text,
             "{\"t_ms\":%d,\"event\":\"layout\",\"seat\":%d,\"state\":\"complete\",\"grid\":\"%s\","
             "\"first_t_ms\":%d,\"frame\":%d,\"digest\":%s%s%s}",
             t_ms + 3 * INTERVAL_MS, seat, grid, t_ms, t_ms / INTERVAL_MS, kept ? "\"" : "",
             kept ? DIGEST : "null", kept ? "\"" : "");
    assert_int_equal(put(record, text, 0), REFEREE_OK);
}

static void tick(struct record *record, int t_ms)
{
    char text[100];

    snprintf(text, sizeof text, "{\"t_ms\":%d,\"event\":\"tick\"}", t_ms);
    assert_int_equal(put(record, text, 0), REFEREE_OK);
}

/* The card that came first is A or B, by the seed: what is right is read from the state. */
static void right(const struct record *record, char out[GRID_TEXT_MAX])
{
    const struct match_state *state = referee_record_state(record);

    assert_true(state->pile[0].top >= 0);
    calib_grid_format(&state->card[state->pile[0].top].card.grid, out);
}

static struct finish *found(const struct record *record, size_t expected)
{
    struct finish *list = NULL;
    size_t count = 99;

    assert_true(cmd_finish_find(record, &list, &count));
    assert_int_equal(count, expected);
    return list;
}

static void none(struct record **record)
{
    struct finish *list = found(*record, 0);

    free(list);
    referee_record_close(record);
}

/* Seat 1 at 8000, seat 2 so many ms later. */
static struct record *two(const char *options, int later_ms, bool kept)
{
    struct record *record = begin(options);
    char grid[GRID_TEXT_MAX];

    right(record, grid);
    layout(record, 1, 8000, grid, true);
    if (later_ms < 3 * INTERVAL_MS) {
        layout(record, 2, 8000 + later_ms, grid, kept);
        tick(record, 9000);
    } else {
        tick(record, 8000 + 3 * INTERVAL_MS);
        layout(record, 2, 8000 + later_ms, grid, kept);
        tick(record, 9500);
    }
    return record;
}

static void test_near(void **state)
{
    (void)state;
    const int later_ms[] = {3 * INTERVAL_MS, 5 * INTERVAL_MS, 10 * INTERVAL_MS};

    for (size_t i = 0; i < 3; i++) {
        struct record *record = two("", later_ms[i], true);
        struct finish *list = found(record, 1);
        assert_int_equal(list->arrivals, 2);
        assert_int_equal(list->arrival[0].seat, 1);
        assert_int_equal(list->arrival[1].seat, 2);
        assert_true(list->arrival[0].won && !list->arrival[1].won);
        assert_string_equal(list->arrival[1].name, "Bo");
        assert_int_equal(list->arrival[1].layout.frame, (8000 + later_ms[i]) / INTERVAL_MS);
        assert_int_equal(list->arrival[1].claimed_t_ns, -1);
        assert_int_equal(list->interval_ns, (int64_t)INTERVAL_MS * 1000000);
        free(list);
        referee_record_close(&record);
    }
}

static void test_not_near(void **state)
{
    struct record *record = two("", 11 * INTERVAL_MS, true);
    (void)state;

    none(&record);
    record = two("", 5 * INTERVAL_MS, false); /* no picture was kept */
    none(&record);
    record = begin("");
    char grid[GRID_TEXT_MAX];
    right(record, grid);
    layout(record, 1, 8000, grid, true);
    layout(record, 2, 8040, "x+#/x#+/o../+*x", true); /* near, but wrong */
    tick(record, 9000);
    none(&record);
}

/* A win that is taken back is no finish; put back it is. */
static void test_undone(void **state)
{
    struct record *record = two("", 5 * INTERVAL_MS, true);
    struct finish *list = found(record, 1);
    struct record_act act = {.event = list->event};
    (void)state;

    free(list);
    assert_int_equal(referee_record_undo(record, &act, true, NULL), REFEREE_OK);
    size_t count = 0;
    assert_true(cmd_finish_find(record, &list, &count));
    for (size_t i = 0; i < count; i++)
        assert_int_not_equal(list[i].event, act.event);
    free(list);
    assert_int_equal(referee_record_undo(record, &act, false, NULL), REFEREE_OK);
    free(found(record, 1));
    referee_record_close(&record);
}

/* Called: by whom and when stands beside; two calls in ten frames are near however the layouts lay.
 */
static void test_called(void **state)
{
    struct record *record = begin(",\"claims\":\"called\"");
    char grid[GRID_TEXT_MAX];
    (void)state;

    right(record, grid);
    layout(record, 2, 6000, grid, true);
    layout(record, 1, 8000, grid, true);
    assert_int_equal(put(record, "{\"t_ms\":8200,\"event\":\"claim\",\"seat\":1}", 0), REFEREE_OK);
    assert_int_equal(put(record, "{\"t_ms\":8300,\"event\":\"claim\",\"seat\":2}", 0), REFEREE_OK);
    tick(record, 9000);
    struct finish *list = found(record, 1);
    assert_int_equal(list->arrivals, 2);
    assert_int_equal(list->arrival[0].seat, 2);
    assert_true(list->arrival[1].won);
    assert_int_equal(list->arrival[0].claimed_t_ns, 8300000000);
    assert_int_equal(list->arrival[1].claimed_t_ns, 8200000000);
    free(list);
    referee_record_close(&record);
}

/* Two at the same time tie: one finish, that a person has still to decide. */
static void test_tie(void **state)
{
    struct record *record = two("", 0, true);
    struct finish *list = found(record, 1);
    (void)state;

    assert_int_equal(list->arrivals, 2);
    assert_false(list->arrival[0].won || list->arrival[1].won);
    free(list);
    referee_record_close(&record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near),   cmocka_unit_test(test_not_near),
        cmocka_unit_test(test_undone), cmocka_unit_test(test_called),
        cmocka_unit_test(test_tie),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
