/* A match on record: said only when it is safe, and read again as the same bytes. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/record_scene.h"

#include "referee/decision_json.h"
#include "tests/stat/match_maker.h"

#define RANDOM_MATCHES 40
#define RANDOM_EVENTS 60

/* --- Writing and reading ------------------------------------------------------------------------
 */

static void record_should_say_nothing_that_the_journal_does_not_hold(void **state)
{
    struct scene *s = *state;

    s->check_disk = true;
    struct record *record = quick_record(s);
    assert_true(s->count > 6);
    assert_int_equal(undo(record, QUICK_WIN, true), REFEREE_OK);
    assert_true(s->voids > 0);
    assert_int_equal(overrule(record, QUICK_ERROR, RULING_MATCH), REFEREE_OK);
    referee_record_close(&record);
    assert_null(record);
    referee_record_close(&record);
    referee_record_close(NULL);
}

static void record_should_be_the_same_when_read_again(void **state)
{
    struct scene *s = *state;
    struct record *again = NULL;
    struct calib_fault fault;
    size_t words;

    struct record *record = quick_record(s);
    assert_int_equal(undo(record, QUICK_WIN, true), REFEREE_OK);
    assert_int_equal(undo(record, QUICK_WIN, false), REFEREE_OK);
    assert_int_equal(overrule(record, QUICK_ERROR, RULING_MATCH), REFEREE_OK);
    char head[DIGEST_TEXT_MAX];
    memcpy(head, referee_record_head(record), sizeof head);
    struct match_state now = *referee_record_state(record);
    referee_record_close(&record);

    assert_int_equal(referee_record_read(s->path, NULL, &again, &fault), REFEREE_OK);
    assert_true(scene_same(&now, referee_record_state(again)));
    assert_string_equal(head, referee_record_head(again));
    assert_string_equal(referee_record_header(again)->match, "final");
    const struct record_word *word = referee_record_words(again, &words);
    assert_int_equal(words, 3);
    assert_int_equal(word[0].kind, JOURNAL_UNDO);
    assert_int_equal(word[1].kind, JOURNAL_REDO);
    assert_int_equal(word[2].kind, JOURNAL_OVERRULE);
    assert_int_equal(word[2].act.ruling, RULING_MATCH);
    assert_string_equal(word[0].act.why, "wrong table");
    assert_int_equal(word[0].after, QUICK_EVENTS);
    referee_record_close(&again);
}

static void record_that_is_only_read_should_refuse_everything(void **state)
{
    struct scene *s = *state;
    struct record *record = quick_record(s), *again = NULL;
    struct calib_fault fault;
    struct event event = {.kind = EVENT_TICK, .t_ns = 99000000000};

    /* While its writer has it open. */
    assert_int_equal(referee_record_read(s->path, NULL, &again, &fault), REFEREE_OK);
    assert_int_equal(undo(again, QUICK_WIN, true), REFEREE_E_ARGUMENT);
    assert_int_equal(overrule(again, QUICK_ERROR, RULING_MATCH), REFEREE_E_ARGUMENT);
    assert_int_equal(referee_record_event(again, &event, &fault), REFEREE_E_ARGUMENT);
    assert_int_equal(referee_record_sync(again, &fault), REFEREE_E_ARGUMENT);
    referee_record_close(&again);
    assert_int_equal(referee_record_open(s->path, &s->header, &s->output, NULL, &again, &fault),
                     REFEREE_E_LOCKED);
    assert_null(again);
    referee_record_close(&record);
}

static void record_should_count_how_often_it_was_taken_up(void **state)
{
    struct scene *s = *state;

    struct record *record = quick_record(s);
    assert_int_equal(referee_record_epoch(record), 0);
    struct match_state now = *referee_record_state(record);
    referee_record_close(&record);
    for (int epoch = 1; epoch <= 3; epoch++) {
        said_clear(s);
        record = record_at(s, s->path);
        assert_int_equal(referee_record_epoch(record), epoch);
        assert_true(scene_same(&now, referee_record_state(record)));
        assert_int_equal(s->count, 0);
        referee_record_close(&record);
    }
}

static void record_in_memory_should_hold_the_same_match(void **state)
{
    struct scene *s = *state;
    struct record *record = quick_record(s), *memory = record_at(s, NULL);

    for (size_t i = 0; i < QUICK_EVENTS; i++)
        assert_int_equal(put(memory, quick_match[i], 0), REFEREE_OK);
    assert_true(scene_same(referee_record_state(record), referee_record_state(memory)));
    assert_string_equal(referee_record_head(memory), "");
    assert_int_equal(undo(memory, QUICK_WIN, true), REFEREE_OK);
    assert_int_equal(referee_record_sync(memory, NULL), REFEREE_OK);
    referee_record_close(&memory);
    referee_record_close(&record);
}

/* --- What a dying process left ------------------------------------------------------------------
 */

/* Cut behind every line, and at every byte of the last ones: the decisions that are missing are put
 * on record and said, the same as they were, and those that stand there are not said again. */
#define CUT_BYTES 700

static void record_should_say_what_a_dying_process_could_not(void **state)
{
    struct scene *s = *state;
    size_t length, whole = 0;

    struct record *record = quick_record(s);
    assert_int_equal(undo(record, QUICK_WIN, true), REFEREE_OK);
    referee_record_close(&record);
    char *bytes = file_bytes(s->path, &length);
    char *all = s->said;
    s->said = NULL;
    for (size_t cut = 1; cut <= length; cut++) {
        if (bytes[cut - 1] == '\n')
            whole = cut;
        else if (cut + CUT_BYTES < length)
            continue;
        file_put(s->path, bytes, cut);
        said_clear(s);
        record = record_at(s, s->path);
        if (s->count > 0)
            assert_non_null(strstr(all, s->said));
        /* Nothing of the whole lines changed, and what was missing follows. */
        size_t longer;
        char *after = file_bytes(s->path, &longer);
        assert_memory_equal(after, bytes, whole);
        assert_true(longer > whole);
        free(after);
        referee_record_close(&record);
        int line;
        assert_int_equal(read_error(s->path, &line), REFEREE_OK);
    }
    free(all);
    free(bytes);
}

/* --- Journals that are not sound -----------------------------------------------------------------
 */

/* Copies a journal line by line into another, with a sound chain; `change` may alter a line. */
struct copy {
    struct journal *to;
    long number;      /* of the line that is changed */
    const char *body; /* in its place; NULL: it is left out; "": it is doubled */
    enum journal_kind kind;
};

static int line_copy(void *context, const struct journal_line *line)
{
    struct copy *copy = context;

    if (line->number != copy->number)
        return referee_journal_add(copy->to, line->kind, line->body, line->length);
    if (copy->body && copy->body[0] == 0) {
        referee_journal_add(copy->to, line->kind, line->body, line->length);
        return referee_journal_add(copy->to, line->kind, line->body, line->length);
    }
    return copy->body ? referee_journal_add(copy->to, copy->kind, copy->body, strlen(copy->body))
                      : 0;
}

static int copy_error(struct scene *s, long number, enum journal_kind kind, const char *body,
                      int *line)
{
    struct copy copy = {.number = number, .kind = kind, .body = body};

    unlink(s->other);
    assert_int_equal(referee_journal_open(s->other, NULL, NULL, NULL, &copy.to, NULL), 0);
    assert_int_equal(referee_journal_read(s->path, line_copy, &copy, NULL, NULL, NULL), 0);
    assert_int_equal(referee_journal_commit(copy.to, true, NULL), 0);
    referee_journal_close(&copy.to);
    return read_error(s->other, line);
}

#define DECISION_OTHER "{\"v\":1,\"seq\":2}"

static void record_should_name_the_line_that_comes_out_otherwise(void **state)
{
    struct scene *s = *state;
    int line;

    /* Lines: header, set-up, phase ready, start, phase play, card, ... */
    struct record *record = quick_record(s);
    referee_record_close(&record);
    assert_int_equal(copy_error(s, 0, JOURNAL_EVENT, NULL, &line), REFEREE_OK);
    assert_int_equal(copy_error(s, 5, JOURNAL_DECISION, DECISION_OTHER, &line), REFEREE_E_DIFFERS);
    assert_int_equal(line, 5);
    assert_int_equal(copy_error(s, 5, JOURNAL_VOID, "{\"seq\":2,\"index\":0}", &line),
                     REFEREE_E_DIFFERS);
    assert_int_equal(line, 5);
    assert_int_equal(copy_error(s, 6, JOURNAL_DECISION, NULL, &line), REFEREE_E_DIFFERS);
    assert_int_equal(line, 6);
    assert_int_equal(copy_error(s, 6, JOURNAL_DECISION, "", &line), REFEREE_E_DIFFERS);
    assert_int_equal(line, 7);
    assert_int_equal(copy_error(s, 4, JOURNAL_EVENT, NULL, &line), REFEREE_E_DIFFERS);
    assert_int_equal(line, 4);
}

static void record_should_refuse_lines_it_does_not_know(void **state)
{
    struct scene *s = *state;
    int line;

    struct record *record = quick_record(s);
    referee_record_close(&record);
    static const struct {
        enum journal_kind kind;
        const char *body;
    } bad[] = {
        {JOURNAL_EVENT, "{}"},
        {JOURNAL_EVENT, "{\"v\":1,\"t_ns\":0,\"event\":\"tick\"}"}, /* no number */
        {JOURNAL_EVENT, "{\"v\":1,\"seq\":1,\"t_ns\":0,\"event\":\"tick\"}"},
        {JOURNAL_EVENT, "{\"v\":1,\"seq\":7,\"t_ns\":0,\"event\":\"tock\"}"},
        {JOURNAL_UNDO, "{}"},
        {JOURNAL_UNDO, "{\"event\":-1}"},
        {JOURNAL_UNDO, "{\"event\":1.5}"},
        {JOURNAL_OVERRULE, "{\"event\":1}"},
        {JOURNAL_OVERRULE, "{\"event\":1,\"ruling\":\"maybe\"}"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(copy_error(s, 4, bad[i].kind, bad[i].body, &line), REFEREE_E_SYNTAX);
        assert_int_equal(line, 4);
    }
    assert_int_equal(
        copy_error(s, 4, JOURNAL_UNDO, "{\"event\":99,\"by\":\"\",\"why\":\"\"}", &line),
        REFEREE_E_UNKNOWN);
    assert_int_equal(line, 4);
}

#define HEADER_TEXT(rules)                                                                         \
    "{\"format\":\"tableref-journal/1\",\"rules\":" rules ",\"program\":\"\",\"match\":\"\","      \
    "\"table\":\"\",\"made\":\"\",\"digests\":{}}"

static void record_should_refuse_other_rules_and_no_header(void **state)
{
    struct scene *s = *state;
    struct record *record = quick_record(s);
    struct calib_fault fault;
    size_t before, after;
    int line;

    referee_record_close(&record);
    assert_int_equal(copy_error(s, 1, JOURNAL_HEADER, HEADER_TEXT("1"), &line), REFEREE_OK);
    assert_int_equal(copy_error(s, 1, JOURNAL_HEADER, HEADER_TEXT("2"), &line), REFEREE_E_VERSION);
    assert_int_equal(line, 1);
    /* Nor is it written to. */
    char *bytes = file_bytes(s->other, &before);
    assert_int_equal(referee_record_open(s->other, &s->header, &s->output, NULL, &record, &fault),
                     REFEREE_E_VERSION);
    char *same = file_bytes(s->other, &after);
    assert_int_equal(before, after);
    assert_memory_equal(bytes, same, before);
    free(bytes);
    free(same);
    assert_int_equal(copy_error(s, 1, JOURNAL_HEADER, "{\"format\":\"other/1\"}", &line),
                     REFEREE_E_SYNTAX);
    file_put(s->other, "", 0);
    assert_int_equal(read_error(s->other, &line), REFEREE_E_SYNTAX);
    unlink(s->other);
    assert_int_equal(read_error(s->other, &line), REFEREE_E_OPEN);
}

/* --- What an undo changes without taking it away ------------------------------------------------
 */

#define CARDS_OF(level)                                                                            \
    "{\"id\":\"L" #level "-01\",\"level\":" #level ",\"grid\":\"xx/oo/++/##/**\"},"                \
    "{\"id\":\"L" #level "-02\",\"level\":" #level ",\"grid\":\"xx/oo/++/##/xx\"}"

/* Bo gets one card, Ada all others; without Bo's award the card is set aside by the same events.
 * The end comes by the same event with the same winner, but its points are others. */
static void end_should_be_said_anew_when_only_its_points_change(void **state)
{
    struct scene *s = *state;
    struct record *record = record_at(s, s->path);
    char text[160];

    assert_int_equal(
        put(record,
            "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"total-madness\",\"players\":[{\"seat\":1,"
            "\"name\":\"Ada\"},{\"seat\":2,\"name\":\"Bo\"}],\"slots\":[1,2,3,4,5],"
            "\"cards\":[" CARDS_OF(1) "," CARDS_OF(2) "," CARDS_OF(3) "," CARDS_OF(4) "," CARDS_OF(
                5) "]}",
            0),
        0);
    assert_int_equal(put(record, quick_match[QUICK_START - 1], 0), 0);
    assert_int_equal(put(record, "{\"t_ms\":1000,\"event\":\"award\",\"seat\":2,\"slot\":1}", 0),
                     0);
    assert_int_equal(put(record, "{\"t_ms\":1000,\"event\":\"award\",\"seat\":1,\"slot\":1}", 0),
                     0);
    assert_int_equal(put(record, "{\"t_ms\":1000,\"event\":\"set_aside\",\"slot\":1}", 0), 0);
    for (int i = 0; i < 8; i++) {
        snprintf(text, sizeof text, "{\"t_ms\":2000,\"event\":\"award\",\"seat\":1,\"slot\":%d}",
                 2 + i / 2);
        assert_int_equal(put(record, text, 0), 0);
    }
    assert_int_equal(referee_record_state(record)->phase, PHASE_OVER);
    said_clear(s);
    assert_int_equal(undo(record, 3, true), REFEREE_OK);
    assert_int_equal(referee_record_state(record)->phase, PHASE_OVER);
    assert_int_equal(referee_record_state(record)->player[1].points, 0);
    assert_non_null(strstr(s->said, "\"decision\":\"end\""));
    assert_non_null(strstr(s->said, "{\"seq\":13,\"index\":"));
    referee_record_close(&record);
}

/* Members that its kind does not have are not on record, so nothing may follow from them. */
static void event_should_be_ruled_on_as_it_is_written(void **state)
{
    struct scene *s = *state;
    struct record *record = quick_record(s);
    struct calib_fault fault;
    struct event event = {.kind = EVENT_DECIDE, .t_ns = 17000000000};
    int line;

    event.act.seat = 2;
    event.act.slot = 3;
    event.act.cause = 16;
    assert_int_equal(referee_record_event(record, &event, &fault), REFEREE_OK);
    referee_record_close(&record);
    assert_int_equal(read_error(s->path, &line), REFEREE_OK);
}

/* --- Random matches -----------------------------------------------------------------------------
 */

struct random_match {
    struct match_maker maker;
    struct decisions said;
    struct history *history; /* the same match, folded without a record */
    struct match_state state;
};

static int note_causes(void *context, const struct event *event, const struct decisions *decisions,
                       const struct match_state *after)
{
    struct random_match *match = context;

    (void)event;
    (void)after;
    maker_hear(&match->maker, decisions);
    return 0;
}

static void random_act(struct random_match *match, struct record *record)
{
    uint64_t seq = match->maker.cause[maker_dice(&match->maker, 64)];
    enum ruling ruling = (enum ruling)maker_dice(&match->maker, 3);
    struct event_forced forced = {.set = true, .ruling = ruling};

    switch (maker_dice(&match->maker, 3)) {
    case 0:
        assert_int_equal(undo(record, seq, true),
                         referee_history_undo(match->history, seq, true, NULL, NULL));
        break;
    case 1:
        assert_int_equal(undo(record, seq, false),
                         referee_history_undo(match->history, seq, false, NULL, NULL));
        break;
    default:
        assert_int_equal(overrule(record, seq, ruling),
                         referee_history_overrule(match->history, seq, &forced, NULL, NULL));
    }
}

static void random_play(struct scene *s, struct random_match *match, uint64_t seed)
{
    struct record *record = record_at(s, s->path);
    struct calib_fault fault;
    struct event event;

    maker_begin(&match->maker, seed);
    for (int i = 0; i < RANDOM_EVENTS; i++) {
        maker_event(&match->maker, referee_record_state(record), &event);
        /* What the format cannot hold has not happened; what it holds is what counts. */
        int error = referee_record_event(record, &event, &fault);
        match->said.count = 0;
        if (error == REFEREE_OK) {
            assert_true(referee_history_event(referee_record_history(record), event.seq, &event));
            assert_int_equal(referee_history_step(match->history, &event, &match->said),
                             REFEREE_OK);
        } else {
            assert_int_equal(error, REFEREE_E_ARGUMENT);
        }
        maker_hear(&match->maker, &match->said);
        if (maker_dice(&match->maker, 12) == 0)
            random_act(match, record);
        assert_true(
            scene_same(referee_record_state(record), referee_history_state(match->history)));
    }
    match->state = *referee_record_state(record);
    referee_record_close(&record);
}

static void random_match_should_be_read_again_as_the_same_bytes(void **state)
{
    struct scene *s = *state;
    struct random_match *match = calloc(1, sizeof *match);
    size_t words, acts = 0;

    assert_non_null(match);
    for (uint64_t seed = 1; seed <= RANDOM_MATCHES; seed++) {
        struct record *again = NULL;
        struct calib_fault fault = {.line = 0};
        size_t before, after;
        unlink(s->path);
        memset(match, 0, sizeof *match);
        match->history = referee_history_create();
        random_play(s, match, seed);
        char *bytes = file_bytes(s->path, &before);
        assert_int_equal(referee_record_read(s->path, NULL, &again, &fault), REFEREE_OK);
        assert_true(scene_same(&match->state, referee_record_state(again)));
        (void)referee_record_words(again, &words);
        acts += words;
        assert_int_equal(referee_history_replay(referee_record_history(again), note_causes, match),
                         0);
        referee_record_close(&again);
        /* Taken up again it says nothing, and only its restart follows. */
        said_clear(s);
        again = record_at(s, s->path);
        assert_int_equal(s->count, 0);
        assert_true(scene_same(&match->state, referee_record_state(again)));
        referee_record_close(&again);
        char *longer = file_bytes(s->path, &after);
        assert_memory_equal(bytes, longer, before);
        assert_non_null(strstr(longer + before, "\"kind\":\"restart\""));
        free(bytes);
        free(longer);
        referee_history_destroy(&match->history);
    }
    assert_true(acts > RANDOM_MATCHES / 2);
    free(match);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(record_should_say_nothing_that_the_journal_does_not_hold),
        TEST(record_should_be_the_same_when_read_again),
        TEST(record_that_is_only_read_should_refuse_everything),
        TEST(record_should_count_how_often_it_was_taken_up),
        TEST(record_in_memory_should_hold_the_same_match),
        TEST(record_should_say_what_a_dying_process_could_not),
        TEST(record_should_name_the_line_that_comes_out_otherwise),
        TEST(record_should_refuse_lines_it_does_not_know),
        TEST(record_should_refuse_other_rules_and_no_header),
        TEST(end_should_be_said_anew_when_only_its_points_change),
        TEST(event_should_be_ruled_on_as_it_is_written),
        TEST(random_match_should_be_read_again_as_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
