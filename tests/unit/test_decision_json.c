#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/decision_json.h"
#include "tests/unit/match_sample.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* As JSON, read back; the caller gives it to json_decref. */
static json_t *decision_object(const struct decision *decision, const struct match_state *after)
{
    struct json_text json;
    vision_json_init(&json);
    referee_decision_json(decision, after, &json);
    assert_false(json.failed);
    assert_null(strchr(json.bytes, '\n'));
    json_t *object = json_loads(json.bytes, JSON_REJECT_DUPLICATES, NULL);
    assert_true(json_is_object(object));
    vision_json_free(&json);
    return object;
}

static void should_write_an_object_for_every_kind_with_and_without_a_state(void **state)
{
    static struct match_state match;
    (void)state;
    sample_match(&match);
    for (int k = 0; k < DECISION_KINDS; k++) {
        struct decision decision;
        sample_decision((enum decision_kind)k, &decision);
        json_t *with = decision_object(&decision, &match);
        json_t *without = decision_object(&decision, NULL);
        assert_string_equal(json_string_value(json_object_get(with, "decision")),
                            referee_decision_name((enum decision_kind)k));
        assert_int_equal(json_object_size(with), json_object_size(without));
        json_decref(with);
        json_decref(without);
    }
}

/* Every field at its largest: no kind may read past what it has. */
static void should_bear_any_numbers(void **state)
{
    static struct match_state match;
    (void)state;
    memset(&match, 0x7f, sizeof match);
    for (int p = 0; p < PLAYERS_MAX; p++) {
        memset(match.player[p].name, 0, sizeof match.player[p].name);
        memset(match.view[p].digest, 0, sizeof match.view[p].digest);
        match.view[p].known = match.view[p].still = true;
        match.view[p].layout.grid.rows = 0;
    }
    for (int k = 0; k <= DECISION_KINDS; k++) {
        struct decision decision;
        memset(&decision, 0x7f, sizeof decision);
        decision.kind = (enum decision_kind)k;
        decision.forced = decision.paused = true;
        memset(decision.card, 0, sizeof decision.card);
        memset(decision.verdict.card, 0, sizeof decision.verdict.card);
        memset(decision.digest, 0, sizeof decision.digest);
        memset(decision.source, 0, sizeof decision.source);
        json_decref(decision_object(&decision, &match));
    }
}

static bool has_layout(const struct decision *decision, const struct match_state *after)
{
    json_t *object = decision_object(decision, after);
    bool has = json_is_object(json_object_get(object, "layout"));
    assert_true(has == json_is_integer(json_object_get(object, "first_t_ns")));
    json_decref(object);
    return has;
}

static void should_show_only_the_layout_that_was_judged(void **state)
{
    static struct match_state match;
    struct decision decision;
    (void)state;
    sample_match(&match);
    sample_decision(DECISION_VERDICT, &decision);
    assert_true(has_layout(&decision, &match));
    assert_false(has_layout(&decision, NULL));
    match.view[0].frame++; /* built on meanwhile */
    assert_false(has_layout(&decision, &match));
    match.view[0].frame--;
    match.view[0].digest[0] = '0';
    assert_false(has_layout(&decision, &match));
    match.view[0].digest[0] = SAMPLE_DIGEST[0];
    match.view[0].known = false; /* the picture was lost */
    assert_false(has_layout(&decision, &match));
    match.view[0].known = true;
    decision.seat = 2;
    assert_false(has_layout(&decision, &match));
}

static void should_not_take_layouts_without_frames_for_the_same(void **state)
{
    static struct match_state match;
    struct decision decision;
    (void)state;
    sample_match(&match);
    sample_decision(DECISION_VERDICT, &decision);
    decision.frame = match.view[0].frame = 0;
    assert_false(has_layout(&decision, &match));
}

static void should_name_a_single_winner_in_its_list_of_seats(void **state)
{
    struct decision decision;
    (void)state;
    sample_decision(DECISION_WIN, &decision);
    decision.seats = 0;
    decision.seat = 8;
    json_t *object = decision_object(&decision, NULL);
    const json_t *seats = json_object_get(object, "seats");
    assert_int_equal(json_array_size(seats), 1);
    assert_int_equal(json_integer_value(json_array_get(seats, 0)), 8);
    json_decref(object);
}

static void should_say_when_there_was_no_next_claim(void **state)
{
    struct decision decision;
    (void)state;
    sample_decision(DECISION_WIN, &decision);
    decision.margin_ns = -1;
    json_t *object = decision_object(&decision, NULL);
    assert_true(json_is_null(json_object_get(object, "margin_ns")));
    json_decref(object);
}

static void should_escape_names(void **state)
{
    static struct match_state match;
    struct decision decision;
    (void)state;
    sample_match(&match);
    memcpy(match.player[0].name, "\"</script>\\", sizeof "\"</script>\\");
    sample_decision(DECISION_VERDICT, &decision);
    json_t *object = decision_object(&decision, &match);
    assert_string_equal(json_string_value(json_object_get(object, "name")), "\"</script>\\");
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_write_an_object_for_every_kind_with_and_without_a_state),
        cmocka_unit_test(should_bear_any_numbers),
        cmocka_unit_test(should_show_only_the_layout_that_was_judged),
        cmocka_unit_test(should_not_take_layouts_without_frames_for_the_same),
        cmocka_unit_test(should_name_a_single_winner_in_its_list_of_seats),
        cmocka_unit_test(should_say_when_there_was_no_next_claim),
        cmocka_unit_test(should_escape_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
