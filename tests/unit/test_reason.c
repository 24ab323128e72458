#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vision/layout.h"
#include "vision/reason.h"

#include <string.h>

static void should_have_a_word_of_its_own_for_every_reason(void **state)
{
    (void)state;
    for (unsigned a = 0; a < REASON_COUNT; a++) {
        const char *word = vision_reason_name((enum reason)a);
        assert_string_not_equal(word, "unknown");
        assert_int_equal(strspn(word, "abcdefghijklmnopqrstuvwxyz_"), strlen(word));
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(word, vision_reason_name((enum reason)b));
    }
}

/* Relied on from outside. */
static void should_keep_the_published_words(void **state)
{
    (void)state;
    assert_string_equal(vision_reason_name(REASON_HAND), "hand");
    assert_string_equal(vision_reason_name(REASON_GLARE), "glare");
    assert_string_equal(vision_reason_name(REASON_BLUR), "blur");
    assert_string_equal(vision_reason_name(REASON_DAMAGED_FRAME), "damaged_frame");
    assert_string_equal(vision_reason_name(REASON_NO_MAT), "no_mat");
    assert_string_equal(vision_reason_name(REASON_MIRRORED), "mirrored");
    assert_string_equal(vision_reason_name(REASON_MAT_MOVED), "mat_moved");
    assert_string_equal(vision_reason_name(REASON_STALE), "stale");
    assert_string_equal(vision_reason_name(REASON_NOT_ALIGNED), "not_aligned");
    assert_string_equal(vision_reason_name(REASON_NOT_ONE_GRID), "not_one_grid");
    assert_string_equal(vision_reason_name(REASON_WRONG_SYMBOL), "wrong_symbol");
    assert_string_equal(vision_reason_name(REASON_WRONG_SHAPE), "wrong_shape");
    assert_string_equal(vision_reason_name(REASON_MIRROR_IMAGE), "mirror_image");
    assert_string_equal(vision_reason_name(REASON_STANDING_BLOCK), "standing_block");
    assert_string_equal(vision_reason_name(REASON_BLOCK_APART), "block_apart");
    assert_string_equal(vision_reason_name(REASON_MISSING_BLOCK), "missing_block");
}

static void should_not_run_out_of_the_list(void **state)
{
    (void)state;
    assert_string_equal(vision_reason_name(REASON_COUNT), "unknown");
    assert_string_equal(vision_reason_name((enum reason)1000), "unknown");
}

static void should_name_the_states(void **state)
{
    (void)state;
    assert_string_equal(vision_seat_state_name(SEAT_EMPTY), "empty");
    assert_string_equal(vision_seat_state_name(SEAT_COMPLETE), "complete");
    assert_string_equal(vision_seat_state_name(SEAT_INCOMPLETE), "incomplete");
    assert_string_equal(vision_seat_state_name(SEAT_OCCLUDED), "occluded");
    assert_string_equal(vision_seat_state_name(SEAT_UNREADABLE), "unreadable");
    assert_string_equal(vision_slot_state_name(SLOT_EMPTY), "empty");
    assert_string_equal(vision_slot_state_name(SLOT_FACE_DOWN), "face_down");
    assert_string_equal(vision_slot_state_name(SLOT_FACE_UP), "face_up");
    assert_string_equal(vision_slot_state_name(SLOT_OCCLUDED), "occluded");
    assert_string_equal(vision_slot_state_name(SLOT_UNREADABLE), "unreadable");
}

static void should_list_the_words_of_a_set_in_the_lists_order(void **state)
{
    (void)state;
    char text[32] = "old";
    vision_reasons_text(0, ", ", text, sizeof text);
    assert_string_equal(text, "");
    vision_reasons_text(REASON_BIT(REASON_BLUR) | REASON_BIT(REASON_HAND), ", ", text, sizeof text);
    assert_string_equal(text, "hand, blur");
}

static void should_cut_the_words_of_a_set_to_the_room_there_is(void **state)
{
    (void)state;
    char text[8] = "xxxxxx|";
    vision_reasons_text(~(uint64_t)0, " ", text, 7);
    assert_string_equal(text, "hand g");
    assert_int_equal(text[7], 0);
    vision_reasons_text(~(uint64_t)0, " ", text, 1);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_have_a_word_of_its_own_for_every_reason),
        cmocka_unit_test(should_keep_the_published_words),
        cmocka_unit_test(should_not_run_out_of_the_list),
        cmocka_unit_test(should_name_the_states),
        cmocka_unit_test(should_list_the_words_of_a_set_in_the_lists_order),
        cmocka_unit_test(should_cut_the_words_of_a_set_to_the_room_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
