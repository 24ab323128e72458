/* What is put on record: nothing that could not be read again, and nothing half done when the disk
 * is full. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/record_scene.h"

/* --- What must not be written -------------------------------------------------------------------
 */

static void same_as(struct scene *s, const struct record *record, const struct match_state *state,
                    const char *bytes, size_t length, int count)
{
    size_t now;
    char *after = file_bytes(s->path, &now);

    assert_int_equal(now, length);
    assert_memory_equal(after, bytes, length);
    free(after);
    assert_true(scene_same(state, referee_record_state(record)));
    assert_int_equal(s->count, count);
}

static void record_should_refuse_texts_that_could_not_be_read_again(void **state)
{
    static const char *const texts[] = {"a\tb", "a\nb", "\x7f",
                                        /* ten bytes that are no UTF-8 become thirty */
                                        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
    struct scene *s = *state;
    struct record *record = quick_record(s);
    struct match_state before = *referee_record_state(record);
    struct calib_fault fault;
    size_t length;
    char *bytes = file_bytes(s->path, &length);
    int count = s->count;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct record_act act = {.event = QUICK_WIN};
        snprintf(act.by, sizeof act.by, "%s", texts[i]);
        assert_int_equal(referee_record_undo(record, &act, true, &fault), REFEREE_E_ARGUMENT);
        assert_true(fault.text[0] != 0);
        same_as(s, record, &before, bytes, length, count);
        struct event event = {.kind = EVENT_PAUSE, .t_ns = before.t_ns};
        snprintf(event.act.by, sizeof event.act.by, "%s", texts[i]);
        assert_int_equal(referee_record_event(record, &event, &fault), REFEREE_E_ARGUMENT);
        assert_int_equal(event.seq, 0);
        same_as(s, record, &before, bytes, length, count);
    }
    struct event late = {.kind = EVENT_TICK, .t_ns = before.t_ns, .seq = ((uint64_t)1 << 53) + 1};
    assert_int_equal(referee_record_event(record, &late, &fault), REFEREE_E_ARGUMENT);
    struct event never = {.kind = EVENT_TICK, .t_ns = ((int64_t)1 << 53) + 1};
    assert_int_equal(referee_record_event(record, &never, &fault), REFEREE_E_ARGUMENT);
    struct event old = {.kind = EVENT_TICK, .t_ns = before.t_ns, .seq = QUICK_EVENTS};
    assert_int_equal(referee_record_event(record, &old, &fault), REFEREE_E_ARGUMENT);
    same_as(s, record, &before, bytes, length, count);
    free(bytes);
    /* Nor does such a refusal pause the match. */
    assert_int_equal(put(record, "{\"t_ms\":17000,\"event\":\"tick\"}", 0), REFEREE_OK);
    assert_false(referee_record_state(record)->paused);
    referee_record_close(&record);
    snprintf(s->header.match, sizeof s->header.match, "a\tb");
    assert_int_equal(referee_record_open(s->other, &s->header, &s->output, NULL, &record, &fault),
                     REFEREE_E_ARGUMENT);
    assert_null(record);
}

/* --- A full disk --------------------------------------------------------------------------------
 */

static void disk_bound(size_t bytes)
{
    struct rlimit bound;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &bound), 0);
    bound.rlim_cur = bytes ? (rlim_t)bytes : bound.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &bound), 0);
}

static void event_that_was_not_written_should_not_have_happened(void **state)
{
    struct scene *s = *state;
    struct calib_fault fault;
    size_t length;

    struct record *record = record_at(s, s->path);
    for (size_t i = 0; i < QUICK_ASIDE - 1; i++)
        assert_int_equal(put(record, quick_match[i], 0), REFEREE_OK);
    struct match_state before = *referee_record_state(record);
    char *bytes = file_bytes(s->path, &length);
    int count = s->count;
    for (size_t more = 0; more < 400; more += 50) {
        struct event aside = {.kind = EVENT_SET_ASIDE, .t_ns = 16000000000};
        disk_bound(length + more);
        int error = referee_record_event(record, &aside, &fault);
        disk_bound(0);
        assert_int_equal(error, REFEREE_E_WRITE);
        assert_int_equal(aside.seq, 0);
        assert_true(fault.text[0] != 0);
        same_as(s, record, &before, bytes, length, count);
    }
    /* The next one finds play paused, and a person resumes. */
    assert_int_equal(put(record, quick_match[QUICK_ASIDE - 1], 0), REFEREE_OK);
    assert_true(referee_record_state(record)->paused);
    struct event pause;
    assert_true(referee_history_event(referee_record_history(record), QUICK_ASIDE, &pause));
    assert_int_equal(pause.kind, EVENT_PAUSE);
    assert_string_equal(pause.act.by, "journal");
    assert_int_equal(referee_history_last(referee_record_history(record)), QUICK_ASIDE + 1);
    assert_int_equal(put(record, "{\"t_ms\":17000,\"event\":\"resume\",\"by\":\"desk\"}", 0), 0);
    assert_int_equal(put(record, "{\"t_ms\":17500,\"event\":\"tick\"}", 0), REFEREE_OK);
    assert_false(referee_record_state(record)->paused);
    struct match_state now = *referee_record_state(record);
    referee_record_close(&record);
    record = record_at(s, s->path);
    assert_true(scene_same(&now, referee_record_state(record)));
    referee_record_close(&record);
    free(bytes);
}

static void a_full_disk_before_the_start_should_pause_nothing(void **state)
{
    struct scene *s = *state;
    struct calib_fault fault;
    size_t length;

    struct record *record = record_at(s, s->path);
    assert_int_equal(put(record, quick_match[0], 0), REFEREE_OK);
    char *bytes = file_bytes(s->path, &length);
    struct event start = {.kind = EVENT_START, .countdown_ms = 0};
    disk_bound(length + 10);
    assert_int_equal(referee_record_event(record, &start, &fault), REFEREE_E_WRITE);
    disk_bound(0);
    assert_int_equal(referee_record_event(record, &start, &fault), REFEREE_OK);
    assert_int_equal(start.seq, QUICK_START);
    assert_int_equal(referee_record_state(record)->phase, PHASE_PLAY);
    assert_false(referee_record_state(record)->paused);
    free(bytes);
    referee_record_close(&record);
}

static void act_that_was_not_written_should_not_have_happened(void **state)
{
    struct scene *s = *state;
    struct record *record = quick_record(s);

    /* One event undone and one overruled beforehand, so that putting back is tried, too. */
    assert_int_equal(undo(record, QUICK_ASIDE, true), REFEREE_OK);
    assert_int_equal(overrule(record, QUICK_ERROR, RULING_CANNOT_TELL), REFEREE_OK);
    for (int act = 0; act < 4; act++) {
        struct match_state before = *referee_record_state(record);
        size_t length, words, after;
        char *bytes = file_bytes(s->path, &length);
        int count = s->count;
        (void)referee_record_words(record, &words);
        disk_bound(length + 100);
        int error = act == 0   ? undo(record, QUICK_WIN, true)
                    : act == 1 ? undo(record, QUICK_ASIDE, false)
                    : act == 2 ? overrule(record, QUICK_ERROR, RULING_MATCH)
                               : overrule(record, QUICK_WIN, RULING_NO_MATCH);
        disk_bound(0);
        assert_int_equal(error, REFEREE_E_WRITE);
        same_as(s, record, &before, bytes, length, count);
        (void)referee_record_words(record, &after);
        assert_int_equal(words, after);
        free(bytes);
    }
    assert_true(referee_history_undone(referee_record_history(record), QUICK_ASIDE));
    assert_int_equal(undo(record, QUICK_WIN, true), REFEREE_OK);
    referee_record_close(&record);
    int line;
    assert_int_equal(read_error(s->path, &line), REFEREE_OK);
}

/* --- Lines of an events file ---------------------------------------------------------------------
 */

static int act_line(const char *text, enum journal_kind *kind, struct record_act *act)
{
    struct calib_fault fault = {.line = 0};

    int result = referee_act_line_parse(text, strlen(text), kind, act, &fault);
    assert_int_equal(result < 0, fault.text[0] != 0);
    return result;
}

static void act_lines_should_be_read_and_slips_refused(void **state)
{
    enum journal_kind kind;
    struct record_act act;

    (void)state;
    assert_int_equal(act_line("{\"t_ms\":0,\"event\":\"tick\"}", &kind, &act), 0);
    assert_int_equal(act_line("{\"act\":\"undo\",\"event\":12}", &kind, &act), 1);
    assert_int_equal(kind, JOURNAL_UNDO);
    assert_int_equal(act.event, 12);
    assert_int_equal(
        act_line("{\"act\":\"overrule\",\"event\":3,\"ruling\":\"cannot_tell\",\"by\":\"\",\"why\":"
                 "\"glare\"}",
                 &kind, &act),
        1);
    assert_int_equal(act.ruling, RULING_CANNOT_TELL);
    assert_string_equal(act.why, "glare");
    static const char *const bad[] = {
        "{\"act\":\"undone\",\"event\":1}",
        "{\"act\":7,\"event\":1}",
        "{\"act\":\"undo\"}",
        "{\"act\":\"undo\",\"event\":0}",
        "{\"act\":\"undo\",\"event\":\"1\"}",
        "{\"act\":\"undo\",\"event\":9007199254740993}",
        "{\"act\":\"undo\",\"event\":1,\"ruling\":\"match\"}",
        "{\"act\":\"undo\",\"event\":1,\"reason\":\"x\"}",
        "{\"act\":\"overrule\",\"event\":1}",
        "{\"act\":\"overrule\",\"event\":1,\"ruling\":\"yes\"}",
        "{\"act\":\"redo\",\"event\":1,\"by\":7}",
        "{\"act\":\"redo\",\"event\":1,\"by\":\"a\\tb\"}",
        "{\"act\":\"redo\",\"event\":1,\"by\":\"more than thirty-one bytes of text\"}",
        "[]",
        "{",
        "",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_true(act_line(bad[i], &kind, &act) < 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(record_should_refuse_texts_that_could_not_be_read_again),
        TEST(event_that_was_not_written_should_not_have_happened),
        TEST(a_full_disk_before_the_start_should_pause_nothing),
        TEST(act_that_was_not_written_should_not_have_happened),
        TEST(act_lines_should_be_read_and_slips_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
