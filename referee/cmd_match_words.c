/* referee/cmd_match_words.c: reasons as words for people. */
#include "referee/cmd_match_words.h"

#include <stdio.h>
#include <string.h>

static const char *const words[REASON_COUNT] = {
    [REASON_HAND] = "a hand or something else is over the layout",
    [REASON_GLARE] = "glare hides a symbol",
    [REASON_BLUR] = "the picture is not sharp",
    [REASON_DARK] = "it is too dark",
    [REASON_NO_COLOUR] = "the picture has no colour",
    [REASON_TOO_SMALL] = "the camera is too far away",
    [REASON_OUT_OF_VIEW] = "part of it is out of the camera’s view",
    [REASON_COARSE_POSE] = "too few of the mat’s tags are seen",
    [REASON_DAMAGED_FRAME] = "the picture is damaged",
    [REASON_NO_MAT] = "the mat is not seen",
    [REASON_MIRRORED] = "the picture is mirrored",
    [REASON_MAT_MOVED] = "the mat or the camera was moved",
    [REASON_STALE] = "no new picture comes",
    [REASON_NOT_ALIGNED] = "the blocks are not quite in line",
    [REASON_NOT_ONE_GRID] = "the blocks are not on one grid",
    [REASON_WRONG_SYMBOL] = "a symbol is wrong",
    [REASON_WRONG_SHAPE] = "the outline is wrong",
    [REASON_MIRROR_IMAGE] = "it is the mirror image",
    [REASON_STANDING_BLOCK] = "a block stands on end",
    [REASON_BLOCK_APART] = "a block lies apart",
    [REASON_MISSING_BLOCK] = "a block is missing",
    [REASON_EXTRA_BLOCK] = "there is a block too many",
    [REASON_UNSURE_SYMBOL] = "a symbol cannot be told for sure",
    [REASON_UNKNOWN_THING] = "something unknown lies there",
    [REASON_NO_CARD] = "there is no card to compare with",
    [REASON_CARD_UNREADABLE] = "the card cannot be read",
    [REASON_UNREADABLE_FILE] = "the file cannot be read",
    [REASON_EMPTY_FILE] = "the file is empty",
    [REASON_NOT_A_PICTURE] = "the file is no picture",
    [REASON_TOO_LARGE] = "the picture is too large",
    [REASON_UNSUPPORTED] = "this kind of picture is not read",
    [REASON_RIG_SIZE] = "the camera was calibrated at another size",
    [REASON_BAD_POSE] = "the tags seen fit no camera",
    [REASON_INTERNAL] = "a fault in the program",
    [REASON_SEVERAL_CARDS] = "more than one card lies face up",
    [REASON_RIG_LENS] = "the calibration is of another lens",
    [REASON_COMPRESSED] = "the picture is compressed too much",
    [REASON_MOVED_AFTER_CLAIM] = "blocks were moved after the claim",
    [REASON_NOT_SETTLED] = "nothing came to rest in time",
    [REASON_LOW_CONTRAST] = "the picture has too little contrast",
    [REASON_FALSE_COLOUR] = "the colours are not those of the blocks",
    [REASON_LIGHT_CHANGING] = "the light is changing",
    [REASON_BANDING] = "the lamps flicker",
    [REASON_SECOND_MAT] = "two mats are in the picture",
};

const char *cmd_reason_words(enum reason reason)
{
    return (unsigned)reason < REASON_COUNT && words[reason] ? words[reason] : "unknown";
}

void cmd_reasons_words(uint64_t reasons, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (unsigned r = 0; r < REASON_COUNT; r++) {
        if (!(reasons & REASON_BIT(r)))
            continue;
        size_t length = strlen(cmd_reason_words((enum reason)r)) + (used > 0 ? 2 : 0);
        if (used + length >= size)
            return;
        snprintf(text + used, size - used, "%s%s", used > 0 ? "; " : "",
                 cmd_reason_words((enum reason)r));
        used += length;
    }
}

const char *cmd_ruling_words(enum ruling ruling)
{
    static const char *const rulings[] = {[RULING_MATCH] = "MATCH",
                                          [RULING_NO_MATCH] = "NO MATCH",
                                          [RULING_CANNOT_TELL] = "CANNOT TELL"};

    return rulings[ruling];
}
