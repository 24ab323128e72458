/* What a referee tells late comers is what a look at the whole past gives, whatever people took
 * back, put back or overruled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/loop_told.h"
#include "tests/unit/record_scene.h"

#include <jansson.h>

struct told_scene {
    struct told *told;
    struct record *record;
};

static void say(void *context, enum journal_kind kind, const struct decision *decision,
                const char *body, size_t length, const struct match_state *after)
{
    struct told_scene *s = context;

    (void)kind;
    (void)after;
    assert_true(loop_told_say(s->told, decision, body, length));
}

static void match_play(struct told_scene *s)
{
    const struct record_output output = {.say = say, .context = s};
    const struct record_header header = {.match = "told"};
    struct calib_fault fault = {.line = 0};
    struct event event;

    s->told = loop_told_create();
    assert_non_null(s->told);
    assert_int_equal(referee_record_open(NULL, &header, &output, NULL, &s->record, &fault), 0);
    for (size_t i = 0; i < QUICK_EVENTS; i++) {
        assert_int_equal(put(s->record, quick_match[i], 0), REFEREE_OK);
        uint64_t last = referee_history_last(referee_record_history(s->record));
        assert_true(referee_history_event(referee_record_history(s->record), last, &event));
        assert_true(loop_told_event(s->told, &event));
    }
}

static void scene_end(struct told_scene *s)
{
    loop_told_destroy(&s->told);
    assert_null(s->told);
    referee_record_close(&s->record);
}

static struct json_text decisions_text(const struct told *told, struct told_range range)
{
    struct json_text text;

    vision_json_init(&text);
    vision_json_open(&text, NULL, '{');
    loop_told_decisions(told, &range, &text);
    vision_json_close(&text, '}');
    assert_false(text.failed);
    return text;
}

static struct json_text history_text(const struct told_scene *s, const struct told *told,
                                     struct told_range range)
{
    struct json_text text;

    vision_json_init(&text);
    vision_json_open(&text, NULL, '{');
    loop_told_history(told, s->record, &range, &text);
    vision_json_close(&text, '}');
    assert_false(text.failed);
    return text;
}

static const struct told_range whole = {.most = 10000, .most_size = 1 << 24};

/* A list that is filled anew from the past says the same as the one that was kept. */
static void filled_same(const struct told_scene *s)
{
    struct told *anew = loop_told_create();
    assert_non_null(anew);
    assert_true(loop_told_fill(anew, s->record));
    struct json_text one = decisions_text(s->told, whole), other = decisions_text(anew, whole);
    assert_string_equal(one.bytes, other.bytes);
    vision_json_free(&one);
    vision_json_free(&other);
    one = history_text(s, s->told, whole);
    other = history_text(s, anew, whole);
    assert_string_equal(one.bytes, other.bytes);
    vision_json_free(&one);
    vision_json_free(&other);
    loop_told_destroy(&anew);
}

static void should_tell_what_stands_after_any_change_of_the_past(void **state)
{
    struct told_scene s;
    unsigned draw = 12345;
    unsigned changes = 0;

    (void)state;
    match_play(&s);
    filled_same(&s);
    for (int i = 0; i < 600; i++) {
        draw = draw * 1103515245u + 12345u;
        uint64_t seq = 1 + (draw >> 16) % referee_history_last(referee_record_history(s.record));
        draw = draw * 1103515245u + 12345u;
        int kind = (int)((draw >> 16) % 5);
        int error = kind < 2 ? undo(s.record, seq, kind == 0)
                             : overrule(s.record, seq, (enum ruling)(kind - 2));
        changes += error == REFEREE_OK;
        assert_true(error != REFEREE_OK || loop_told_word(s.told, seq));
        assert_true(error == REFEREE_OK || error == REFEREE_E_UNKNOWN);
        filled_same(&s);
    }
    assert_in_range(changes, 20, 600);
    scene_end(&s);
}

static json_t *parsed(struct json_text text)
{
    json_t *root = json_loads(text.bytes, JSON_REJECT_DUPLICATES, NULL);

    assert_non_null(root);
    vision_json_free(&text);
    return root;
}

static size_t count_of(const json_t *root, const char *key)
{
    return json_array_size(json_object_get(root, key));
}

static json_int_t seq_of(const json_t *root, size_t place)
{
    return json_integer_value(
        json_object_get(json_array_get(json_object_get(root, "decisions"), place), "seq"));
}

static void should_keep_to_the_range(void **state)
{
    struct told_scene s;

    (void)state;
    match_play(&s);
    json_t *all = parsed(decisions_text(s.told, whole));
    size_t count = count_of(all, "decisions");
    assert_true(count > 6);
    assert_true(json_is_false(json_object_get(all, "more")));

    struct told_range range = whole;
    range.most = 3;
    json_t *part = parsed(decisions_text(s.told, range));
    assert_int_equal(count_of(part, "decisions"), 3);
    assert_int_equal(seq_of(part, 0), seq_of(all, 0));
    assert_true(json_is_true(json_object_get(part, "more")));
    json_decref(part);

    range.newest = true;
    part = parsed(decisions_text(s.told, range));
    assert_int_equal(count_of(part, "decisions"), 3);
    assert_int_equal(seq_of(part, 2), seq_of(all, count - 1));
    assert_true(json_is_true(json_object_get(part, "more")));
    json_decref(part);

    /* No more than there is room for. */
    range.most = 10000;
    range.most_size = 400;
    struct json_text text = decisions_text(s.told, range);
    assert_true(text.length < 450);
    part = parsed(text);
    assert_int_equal(seq_of(part, count_of(part, "decisions") - 1), seq_of(all, count - 1));
    json_decref(part);

    range = whole;
    range.from = (uint64_t)seq_of(all, count - 1);
    part = parsed(decisions_text(s.told, range));
    assert_int_equal(seq_of(part, 0), range.from);
    json_decref(part);
    range.from++;
    part = parsed(decisions_text(s.told, range));
    assert_int_equal(count_of(part, "decisions"), 0);
    json_decref(part);
    json_decref(all);
    scene_end(&s);
}

static void should_tell_people_of_their_acts(void **state)
{
    struct told_scene s;
    uint64_t claim = 0;

    (void)state;
    match_play(&s);
    json_t *before = parsed(history_text(&s, s.told, whole));
    json_t *entries = json_object_get(before, "entries"), *entry;
    size_t i;
    json_array_foreach(entries, i, entry)
    {
        const char *kind = json_string_value(json_object_get(entry, "kind"));
        assert_string_not_equal(kind, "tick");
        if (claim == 0 && strcmp(kind, "claim") == 0 && count_of(entry, "decisions") > 0)
            claim = (uint64_t)json_integer_value(json_object_get(entry, "event"));
    }
    assert_true(claim > 0);
    json_decref(before);

    assert_int_equal(undo(s.record, claim, true), REFEREE_OK);
    struct told_range range = whole;
    range.from = claim;
    range.most = 1;
    json_t *after = parsed(history_text(&s, s.told, range));
    assert_int_equal(count_of(after, "entries"), 1);
    entry = json_array_get(json_object_get(after, "entries"), 0);
    assert_int_equal(json_integer_value(json_object_get(entry, "event")), claim);
    assert_true(json_is_true(json_object_get(entry, "undone")));
    assert_int_equal(count_of(entry, "decisions"), 0);
    assert_int_equal(count_of(entry, "words"), 1);
    json_decref(after);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_tell_what_stands_after_any_change_of_the_past),
        cmocka_unit_test(should_keep_to_the_range),
        cmocka_unit_test(should_tell_people_of_their_acts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
