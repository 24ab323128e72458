/* All events of a match and the state that they lead to: undo and overrule are that state without,
 * or otherwise with, an event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/history_scene.h"

#include "tests/stat/match_maker.h"

#define RANDOM_EVENTS 45
#define RANDOM_MATCHES 12

/* What a change of the past told. */
struct told {
    int pairs, gone, come, wins_gone, wins_come;
    uint64_t first, last;
    int stop; /* what the visitor returns */
};

static int note_pair(void *context, const struct history_pair *pair)
{
    struct told *told = context;
    const struct decisions *any = pair->gone->count ? pair->gone : pair->come;

    told->pairs++;
    told->gone += pair->gone->count;
    told->come += pair->come->count;
    for (int i = 0; i < pair->gone->count; i++)
        told->wins_gone += pair->gone->item[i].kind == DECISION_WIN;
    for (int i = 0; i < pair->come->count; i++)
        told->wins_come += pair->come->item[i].kind == DECISION_WIN;
    assert_true(any->count > 0);
    assert_true(any->item[0].seq > told->last);
    if (told->first == 0)
        told->first = any->item[0].seq;
    told->last = any->item[0].seq;
    return told->stop;
}

static void history_should_refuse_a_seq_that_does_not_rise(void **state)
{
    struct history *history = scene_history(0);
    struct decisions said;
    struct event event = {.seq = QUICK_EVENTS, .t_ns = 0, .kind = EVENT_TICK};

    (void)state;
    struct match_state before = *referee_history_state(history);
    assert_int_equal(referee_history_step(history, &event, &said), REFEREE_E_ARGUMENT);
    assert_true(scene_same(&before, referee_history_state(history)));
    assert_int_equal(referee_history_last(history), QUICK_EVENTS);
    referee_history_destroy(&history);
    assert_null(history);
    referee_history_destroy(&history);
    referee_history_destroy(NULL);
}

static void history_should_keep_a_set_up_s_cards_of_its_own(void **state)
{
    struct history *history = referee_history_create();
    struct referee_cards *cards;
    struct decisions said;
    struct event event, kept;

    (void)state;
    scene_event(quick_match[0], 1, &event, &cards);
    assert_int_equal(referee_history_step(history, &event, &said), REFEREE_OK);
    referee_cards_destroy(&cards);
    assert_true(referee_history_event(history, 1, &kept));
    assert_int_equal(kept.setup.card_count, 3);
    assert_string_equal(kept.setup.cards[0].id, "L4-01");
    assert_false(referee_history_event(history, 2, &kept));
    referee_history_destroy(&history);
}

static void undo_should_leave_the_match_as_if_the_event_had_never_come(void **state)
{
    (void)state;
    for (uint64_t seq = 2; seq <= QUICK_EVENTS; seq++) {
        struct history *history = scene_history(0), *without = scene_history(seq);
        struct match_state first = *referee_history_state(history);
        int error = referee_history_undo(history, seq, true, NULL, NULL);
        if (error == REFEREE_OK) {
            assert_true(scene_same(referee_history_state(history), referee_history_state(without)));
            assert_true(referee_history_undone(history, seq));
            assert_int_equal(referee_history_undo(history, seq, false, NULL, NULL), REFEREE_OK);
        }
        assert_true(scene_same(&first, referee_history_state(history)));
        assert_false(referee_history_undone(history, seq));
        referee_history_destroy(&history);
        referee_history_destroy(&without);
    }
}

static void undo_should_refuse_what_cannot_be_taken_back(void **state)
{
    struct history *history = scene_history(0);

    (void)state;
    assert_int_equal(referee_history_undo(history, 99, true, NULL, NULL), REFEREE_E_UNKNOWN);
    assert_int_equal(referee_history_undo(history, 0, true, NULL, NULL), REFEREE_E_UNKNOWN);
    assert_int_equal(referee_history_undo(history, 1, true, NULL, NULL), REFEREE_E_UNKNOWN);
    assert_int_equal(referee_history_undo(history, QUICK_WIN, false, NULL, NULL),
                     REFEREE_E_UNKNOWN);
    /* Nothing goes back to Bo's layout: his claim is the cause. */
    assert_int_equal(referee_history_undo(history, 3, true, NULL, NULL), REFEREE_E_UNKNOWN);
    assert_int_equal(referee_history_undo(history, QUICK_WIN, true, NULL, NULL), REFEREE_OK);
    assert_int_equal(referee_history_undo(history, QUICK_WIN, true, NULL, NULL), REFEREE_E_UNKNOWN);
    referee_history_destroy(&history);
}

static void undo_should_tell_what_goes_and_what_comes_from_that_event_on(void **state)
{
    struct history *history = scene_history(0);
    struct told told = {.pairs = 0};

    (void)state;
    assert_int_equal(referee_history_undo(history, QUICK_WIN, true, note_pair, &told), REFEREE_OK);
    assert_int_equal(told.wins_gone, 1);
    assert_int_equal(told.wins_come, 0);
    assert_true(told.first >= QUICK_WIN);
    struct told again = {.pairs = 0};
    assert_int_equal(referee_history_undo(history, QUICK_WIN, false, note_pair, &again),
                     REFEREE_OK);
    assert_int_equal(again.gone, told.come);
    assert_int_equal(again.come, told.gone);
    referee_history_destroy(&history);
}

static void undo_should_be_made_though_its_visitor_fails(void **state)
{
    struct history *history = scene_history(0), *without = scene_history(QUICK_WIN);
    struct told told = {.stop = REFEREE_E_MEMORY};

    (void)state;
    assert_int_equal(referee_history_undo(history, QUICK_WIN, true, note_pair, &told),
                     REFEREE_E_MEMORY);
    assert_int_equal(told.pairs, 1);
    assert_true(scene_same(referee_history_state(history), referee_history_state(without)));
    struct event_forced none = {.set = false};
    referee_history_restore(history, QUICK_WIN, false, &none);
    struct history *all = scene_history(0);
    assert_true(scene_same(referee_history_state(history), referee_history_state(all)));
    referee_history_destroy(&history);
    referee_history_destroy(&without);
    referee_history_destroy(&all);
}

static void overrule_should_make_a_win_of_an_error_and_back(void **state)
{
    struct history *history = scene_history(0);
    struct match_state first = *referee_history_state(history);
    struct event_forced match = {.set = true, .ruling = RULING_MATCH}, none = {.set = false};
    struct event event;

    (void)state;
    assert_int_equal(first.player[1].cards, 0);
    assert_int_equal(referee_history_overrule(history, QUICK_ERROR, &match, NULL, NULL),
                     REFEREE_OK);
    assert_int_equal(referee_history_state(history)->player[1].cards, 1);
    assert_int_equal(referee_history_state(history)->player[1].errors, 0);
    assert_true(referee_history_event(history, QUICK_ERROR, &event));
    assert_true(event.forced.set);
    assert_int_equal(event.forced.ruling, RULING_MATCH);
    assert_int_equal(referee_history_overrule(history, QUICK_ERROR, &none, NULL, NULL), REFEREE_OK);
    assert_true(scene_same(&first, referee_history_state(history)));
    referee_history_destroy(&history);
}

static void overrule_should_refuse_what_no_verdict_goes_back_to(void **state)
{
    struct history *history = scene_history(0);
    struct event_forced match = {.set = true, .ruling = RULING_MATCH};

    (void)state;
    const uint64_t seqs[] = {0, 1, QUICK_START, 3, QUICK_TICK, QUICK_ASIDE, 99};
    for (size_t i = 0; i < sizeof seqs / sizeof seqs[0]; i++)
        assert_int_equal(referee_history_overrule(history, seqs[i], &match, NULL, NULL),
                         REFEREE_E_UNKNOWN);
    assert_int_equal(referee_history_undo(history, QUICK_ERROR, true, NULL, NULL), REFEREE_OK);
    assert_int_equal(referee_history_overrule(history, QUICK_ERROR, &match, NULL, NULL),
                     REFEREE_E_UNKNOWN);
    referee_history_destroy(&history);
}

/* With claims `auto` a layout that a person says does not match leaves no verdict behind; it must
 * be possible all the same to say that it does. */
static void overrule_should_be_possible_again_where_it_left_no_verdict(void **state)
{
    static const char *const lines[] = {
        "{\"t_ms\":0,\"event\":\"setup\",\"game\":\"quick-play\",\"players\":[{\"seat\":1}],"
        "\"options\":{\"rounds\":2},\"slots\":[3],\"seed\":7,\"cards\":[{\"id\":\"L1-02\","
        "\"level\":1,\"grid\":\"xx/oo/++/##/**\"},{\"id\":\"L1-03\",\"level\":1,\"grid\":\"xx/oo/"
        "++/##/xx\"}]}",
        "{\"t_ms\":0,\"event\":\"start\",\"countdown_ms\":0}",
        "{\"t_ms\":5000,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"xx/oo/++/"
        "##/**\"}",
        "{\"t_ms\":9000,\"event\":\"tick\"}",
        "{\"t_ms\":11000,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"xx/oo/"
        "++/##/xx\"}",
        "{\"t_ms\":15000,\"event\":\"tick\"}",
    };
    struct history *history = referee_history_create();
    struct event_forced no = {.set = true, .ruling = RULING_NO_MATCH},
                        yes = {.set = true, .ruling = RULING_MATCH};

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        scene_step(history, lines[i]);
    int won = referee_history_state(history)->player[0].cards;
    assert_true(won > 0);
    uint64_t cause = referee_history_overrule(history, 3, &no, NULL, NULL) == REFEREE_OK ? 3 : 5;
    assert_int_equal(referee_history_overrule(history, cause, &no, NULL, NULL), REFEREE_OK);
    assert_true(referee_history_state(history)->player[0].cards < won);
    assert_int_equal(referee_history_overrule(history, cause, &yes, NULL, NULL), REFEREE_OK);
    assert_int_equal(referee_history_state(history)->player[0].cards, won);
    referee_history_destroy(&history);
}

static void unstep_should_take_back_the_newest_event(void **state)
{
    struct history *history = scene_history(QUICK_ASIDE);
    struct match_state before = *referee_history_state(history);

    (void)state;
    scene_step(history, quick_match[QUICK_ASIDE - 1]);
    assert_false(scene_same(&before, referee_history_state(history)));
    referee_history_unstep(history);
    assert_true(scene_same(&before, referee_history_state(history)));
    assert_int_equal(referee_history_last(history), QUICK_ASIDE - 1);
    for (size_t i = 0; i < QUICK_EVENTS + 3; i++)
        referee_history_unstep(history);
    struct match_state clear;
    referee_state_clear(&clear);
    assert_true(scene_same(&clear, referee_history_state(history)));
    referee_history_destroy(&history);
}

static int count_event(void *context, const struct event *event, const struct decisions *decisions,
                       const struct match_state *after)
{
    int *count = context;

    assert_int_equal(after->seq, event->seq);
    assert_true(decisions->count >= 0);
    assert_int_not_equal(event->seq, QUICK_WIN);
    return ++*count == 5 ? -77 : 0;
}

static void replay_should_visit_what_counts_until_its_visitor_ends_it(void **state)
{
    struct history *history = scene_history(0);
    int count = 0;

    (void)state;
    assert_int_equal(referee_history_undo(history, QUICK_WIN, true, NULL, NULL), REFEREE_OK);
    assert_int_equal(referee_history_replay(history, count_event, &count), -77);
    assert_int_equal(count, 5);
    assert_int_equal(referee_history_replay(history, count_event, &count), REFEREE_OK);
    assert_int_equal(count, 5 + (int)QUICK_EVENTS - 1);
    referee_history_destroy(&history);
}

/* --- Random matches ----------------------------------------------------------------------------
 */

struct match {
    struct match_maker maker;
    struct event event[RANDOM_EVENTS];
    struct match_state state;
    struct decisions said;
};

static void match_play(struct match *match, uint64_t seed)
{
    memset(match, 0, sizeof *match);
    maker_begin(&match->maker, seed);
    referee_state_clear(&match->state);
    for (int i = 0; i < RANDOM_EVENTS; i++) {
        maker_event(&match->maker, &match->state, &match->event[i]);
        referee_step(&match->state, &match->event[i], &match->said);
        maker_hear(&match->maker, &match->said);
    }
}

static void match_fold(struct match *match, uint64_t a, uint64_t b, struct match_state *out)
{
    referee_state_clear(out);
    for (int i = 0; i < RANDOM_EVENTS; i++)
        if (match->event[i].seq != a && match->event[i].seq != b)
            referee_step(out, &match->event[i], &match->said);
}

/* Of any two events, undone in this order, the state is that without both; put back in the same
 * order it is the first one again. */
static void undo_should_hold_for_all_pairs_of_events(void **state)
{
    struct match *match = calloc(1, sizeof *match);
    struct match_state expected;
    int pairs = 0;

    (void)state;
    assert_non_null(match);
    for (uint64_t seed = 1; seed <= RANDOM_MATCHES; seed++) {
        match_play(match, seed);
        struct history *history = referee_history_create();
        for (int i = 0; i < RANDOM_EVENTS; i++)
            assert_int_equal(referee_history_step(history, &match->event[i], &match->said), 0);
        for (uint64_t a = 2; a <= RANDOM_EVENTS; a++) {
            if (referee_history_undo(history, a, true, NULL, NULL) != REFEREE_OK)
                continue;
            for (uint64_t b = 2; b <= RANDOM_EVENTS; b += 1 + seed % 3) {
                if (referee_history_undo(history, b, true, NULL, NULL) != REFEREE_OK)
                    continue;
                pairs++;
                match_fold(match, a, b, &expected);
                assert_true(scene_same(&expected, referee_history_state(history)));
                assert_null(referee_state_check(&expected));
                assert_int_equal(referee_history_undo(history, b, false, NULL, NULL), 0);
            }
            assert_int_equal(referee_history_undo(history, a, false, NULL, NULL), REFEREE_OK);
        }
        assert_true(scene_same(&match->state, referee_history_state(history)));
        referee_history_destroy(&history);
    }
    assert_true(pairs > 500);
    free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(history_should_refuse_a_seq_that_does_not_rise),
        cmocka_unit_test(history_should_keep_a_set_up_s_cards_of_its_own),
        cmocka_unit_test(undo_should_leave_the_match_as_if_the_event_had_never_come),
        cmocka_unit_test(undo_should_refuse_what_cannot_be_taken_back),
        cmocka_unit_test(undo_should_tell_what_goes_and_what_comes_from_that_event_on),
        cmocka_unit_test(undo_should_be_made_though_its_visitor_fails),
        cmocka_unit_test(overrule_should_make_a_win_of_an_error_and_back),
        cmocka_unit_test(overrule_should_refuse_what_no_verdict_goes_back_to),
        cmocka_unit_test(overrule_should_be_possible_again_where_it_left_no_verdict),
        cmocka_unit_test(unstep_should_take_back_the_newest_event),
        cmocka_unit_test(replay_should_visit_what_counts_until_its_visitor_ends_it),
        cmocka_unit_test(undo_should_hold_for_all_pairs_of_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
