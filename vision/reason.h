/* vision/reason.h: the one list of short words that say why something was read, ruled or refused
 * as it was. Translated only for people; the words themselves are part of the formats.
 *
 * The word of REASON_X_Y is "x_y". New ones go at the end: a journal may hold their numbers. */
#ifndef VISION_REASON_H
#define VISION_REASON_H

#include <stddef.h>
#include <stdint.h>

enum reason {
    REASON_HAND,          /* something foreign over or against the layout */
    REASON_GLARE,         /* burnt-out pixels hide a symbol */
    REASON_BLUR,          /* too soft to read */
    REASON_DARK,          /* too dark or too noisy to read */
    REASON_NO_COLOUR,     /* a grey picture, or nearly */
    REASON_TOO_SMALL,     /* too few pixels to a cell */
    REASON_OUT_OF_VIEW,   /* part of the seat or slot lies outside the picture */
    REASON_COARSE_POSE,   /* too few tags for a full reading */
    REASON_DAMAGED_FRAME, /* the picture is damaged */
    REASON_NO_MAT,
    REASON_MIRRORED,
    REASON_MAT_MOVED,
    REASON_STALE,
    REASON_NOT_ALIGNED, /* near the bounds of one grid: neither on it nor off it */
    REASON_NOT_ONE_GRID,
    REASON_WRONG_SYMBOL,
    REASON_WRONG_SHAPE, /* the outline differs from the card's */
    REASON_MIRROR_IMAGE,
    REASON_STANDING_BLOCK,
    REASON_BLOCK_APART,
    REASON_MISSING_BLOCK,
    REASON_EXTRA_BLOCK,
    REASON_UNSURE_SYMBOL, /* a cell's two best symbols are too close */
    REASON_UNKNOWN_THING, /* something in the seat or slot that could not be explained */
    REASON_NO_CARD,       /* no card to compare with */
    REASON_CARD_UNREADABLE,
    /* why a whole picture could not be used */
    REASON_UNREADABLE_FILE, /* there is no such file, or it cannot be opened or read */
    REASON_EMPTY_FILE,      /* a file of no bytes */
    REASON_NOT_A_PICTURE,   /* neither JPEG nor PNG */
    REASON_TOO_LARGE,       /* more pixels than are taken in */
    REASON_UNSUPPORTED,     /* a kind of JPEG or PNG that is not read */
    REASON_RIG_SIZE,        /* the rig was made for another resolution */
    REASON_BAD_POSE,        /* the tags that were seen fit no camera */
    REASON_INTERNAL,        /* out of memory, or a fault of the program itself */
    /* why there is nothing to compare with */
    REASON_SEVERAL_CARDS, /* more than one card lies face up and none was named */
    /* why a whole picture could not be used, continued: numbers are kept */
    REASON_RIG_LENS, /* the rig's lens is not this picture's */
    /* of a seat, continued */
    REASON_COMPRESSED, /* a JPEG squeezed so hard that symbols may be artefacts */
    /* why a claim could not be judged */
    REASON_MOVED_AFTER_CLAIM, /* blocks moved, or could have moved unseen, after the claim */
    REASON_NOT_SETTLED,       /* nothing came to rest in the seat in time */
    /* of a whole picture: none of its seats and slots is read */
    REASON_LOW_CONTRAST, /* black is not much darker than white */
    REASON_FALSE_COLOUR, /* symbols' colours are not those of the set */
    /* of the picture over time */
    REASON_LIGHT_CHANGING, /* exposure, white balance or the light changes */
    REASON_BANDING,        /* lamps on the mains show as bands that run over the picture */
    /* of a whole picture, continued */
    REASON_SECOND_MAT, /* the mat is seen twice: as a reason neither is read, as a warning the one
                        * that is clearly larger is */
    /* of a ramp */
    REASON_ROLLING,       /* a disc above the rows: it rolls, or is stuck there */
    REASON_BETWEEN_ROWS,  /* a disc that lies in no row */
    REASON_FLOATING,      /* a disc over an empty place */
    REASON_UNSURE_COLOUR, /* a disc that could be of more than one colour, or is of none */
    REASON_DISC_COUNT,    /* more discs of a colour than there are */
    REASON_COUNT
};

/* A set of reasons is a uint64_t of these bits. */
#define REASON_BIT(reason) ((uint64_t)1 << (reason))

/* "not_aligned" and so on; "unknown" for a number outside the list. */
const char *vision_reason_name(enum reason reason);

/* The words of a set of reasons, in the list's order, with `between` between them, cut to the
 * `size` bytes of `text` (1 at least, with the closing 0). */
void vision_reasons_text(uint64_t reasons, const char *between, char *text, size_t size);

#endif
