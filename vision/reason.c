/* vision/reason.c: the words of the reasons. */
#include "vision/reason.h"

#include <stdio.h>
#include <string.h>

static const char *const names[REASON_COUNT] = {
    [REASON_HAND] = "hand",
    [REASON_GLARE] = "glare",
    [REASON_BLUR] = "blur",
    [REASON_DARK] = "dark",
    [REASON_NO_COLOUR] = "no_colour",
    [REASON_TOO_SMALL] = "too_small",
    [REASON_OUT_OF_VIEW] = "out_of_view",
    [REASON_COARSE_POSE] = "coarse_pose",
    [REASON_DAMAGED_FRAME] = "damaged_frame",
    [REASON_NO_MAT] = "no_mat",
    [REASON_MIRRORED] = "mirrored",
    [REASON_MAT_MOVED] = "mat_moved",
    [REASON_STALE] = "stale",
    [REASON_NOT_ALIGNED] = "not_aligned",
    [REASON_NOT_ONE_GRID] = "not_one_grid",
    [REASON_WRONG_SYMBOL] = "wrong_symbol",
    [REASON_WRONG_SHAPE] = "wrong_shape",
    [REASON_MIRROR_IMAGE] = "mirror_image",
    [REASON_STANDING_BLOCK] = "standing_block",
    [REASON_BLOCK_APART] = "block_apart",
    [REASON_MISSING_BLOCK] = "missing_block",
    [REASON_EXTRA_BLOCK] = "extra_block",
    [REASON_UNSURE_SYMBOL] = "unsure_symbol",
    [REASON_UNKNOWN_THING] = "unknown_thing",
    [REASON_NO_CARD] = "no_card",
    [REASON_CARD_UNREADABLE] = "card_unreadable",
    [REASON_UNREADABLE_FILE] = "unreadable_file",
    [REASON_EMPTY_FILE] = "empty_file",
    [REASON_NOT_A_PICTURE] = "not_a_picture",
    [REASON_TOO_LARGE] = "too_large",
    [REASON_UNSUPPORTED] = "unsupported",
    [REASON_RIG_SIZE] = "rig_size",
    [REASON_BAD_POSE] = "bad_pose",
    [REASON_INTERNAL] = "internal",
    [REASON_SEVERAL_CARDS] = "several_cards",
    [REASON_RIG_LENS] = "rig_lens",
    [REASON_COMPRESSED] = "compressed",
    [REASON_MOVED_AFTER_CLAIM] = "moved_after_claim",
    [REASON_NOT_SETTLED] = "not_settled",
    [REASON_LOW_CONTRAST] = "low_contrast",
    [REASON_FALSE_COLOUR] = "false_colour",
    [REASON_LIGHT_CHANGING] = "light_changing",
    [REASON_BANDING] = "banding",
    [REASON_SECOND_MAT] = "second_mat",
    [REASON_ROLLING] = "rolling",
    [REASON_BETWEEN_ROWS] = "between_rows",
    [REASON_FLOATING] = "floating",
    [REASON_UNSURE_COLOUR] = "unsure_colour",
    [REASON_DISC_COUNT] = "disc_count",
};

_Static_assert(REASON_COUNT <= 64, "a set of reasons is 64 bits");

const char *vision_reason_name(enum reason reason)
{
    if ((unsigned)reason >= REASON_COUNT || !names[reason])
        return "unknown";
    return names[reason];
}

void vision_reasons_text(uint64_t reasons, const char *between, char *text, size_t size)
{
    text[0] = 0;
    for (unsigned r = 0; r < REASON_COUNT; r++) {
        size_t used = strlen(text);
        if (reasons & REASON_BIT(r))
            snprintf(text + used, size - used, "%s%s", used ? between : "",
                     vision_reason_name((enum reason)r));
    }
}
