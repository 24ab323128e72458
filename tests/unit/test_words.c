#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/decision.h"
#include "referee/event.h"

#include <string.h>

static const char *event_word(int i)
{
    return referee_event_name((enum event_kind)i);
}
static const char *decision_word(int i)
{
    return referee_decision_name((enum decision_kind)i);
}
static const char *why_word(int i)
{
    return referee_why_name((enum why)i);
}
static const char *phase_word(int i)
{
    return referee_phase_name((enum phase)i);
}
static const char *game_word(int i)
{
    return referee_game_name((enum game)i);
}

static const struct {
    int count;
    const char *(*word)(int);
} lists[] = {{EVENT_KINDS, event_word},
             {DECISION_KINDS, decision_word},
             {WHY_COUNT, why_word},
             {PHASE_ABANDONED + 1, phase_word},
             {GAME_COUNT, game_word}};

enum { LISTS = sizeof lists / sizeof lists[0] };

static void should_have_a_word_of_its_own_for_everything(void **state)
{
    (void)state;
    for (int l = 0; l < LISTS; l++)
        for (int i = 0; i < lists[l].count; i++) {
            assert_string_not_equal(lists[l].word(i), "unknown");
            for (int j = 0; j < i; j++)
                assert_string_not_equal(lists[l].word(i), lists[l].word(j));
        }
}

static void should_call_what_is_in_no_list_unknown(void **state)
{
    (void)state;
    for (int l = 0; l < LISTS; l++) {
        assert_string_equal(lists[l].word(lists[l].count), "unknown");
        assert_string_equal(lists[l].word(-1), "unknown");
    }
}

static void should_find_what_it_names(void **state)
{
    (void)state;
    for (int i = 0; i < EVENT_KINDS; i++)
        assert_int_equal(referee_event_find(event_word(i)), i);
    for (int i = 0; i < GAME_COUNT; i++)
        assert_int_equal(referee_game_find(game_word(i)), i);
    assert_int_equal(referee_event_find("tock"), EVENT_KINDS);
    assert_int_equal(referee_event_find(""), EVENT_KINDS);
    assert_int_equal(referee_game_find("quick_play"), GAME_COUNT);
}

static void should_keep_the_words_that_are_relied_on_from_outside(void **state)
{
    (void)state;
    assert_string_equal(referee_game_name(GAME_QUICK_PLAY), "quick-play");
    assert_string_equal(referee_game_name(GAME_TOTAL_MADNESS), "total-madness");
    assert_string_equal(referee_game_name(GAME_MAKE5), "make5");
    assert_string_equal(referee_event_name(EVENT_SET_ASIDE), "set_aside");
    assert_string_equal(referee_decision_name(DECISION_FALSE_START), "false_start");
    assert_string_equal(referee_why_name(WHY_MOVED_AFTER_CLAIM), "moved_after_claim");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_have_a_word_of_its_own_for_everything),
        cmocka_unit_test(should_call_what_is_in_no_list_unknown),
        cmocka_unit_test(should_find_what_it_names),
        cmocka_unit_test(should_keep_the_words_that_are_relied_on_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
