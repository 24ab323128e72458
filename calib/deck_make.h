/* calib/deck_make.h: making decks: cards grown at random from a set's blocks, so that each can be
 * built, no two alike in any turn, sorted into levels by calib/difficulty.h.
 *
 * Many more cards are grown than are asked for. Four bounds of points divide them into five parts
 * about as large; a card's level is the part that its points lie in; of each part as many cards are
 * taken as are asked for, evenly spread over it, easiest first. The same set, plan and seed make
 * the same deck on every machine. */
#ifndef CALIB_DECK_MAKE_H
#define CALIB_DECK_MAKE_H

#include "calib/deck.h"
#include "calib/difficulty.h"

#include <stddef.h>
#include <stdint.h>

#define DECK_EACH_MAX (DECK_CARDS_MAX / CARD_LEVELS)
#define DECK_SIDE_USUAL 4

struct deck_plan {
    const char *name; /* of the deck */
    int each;         /* cards of each level */
    int side;         /* a card has at most so many rows and columns */
    uint64_t seed;
};

/* Least points of each level's cards, by which they were sorted; [0] unused, [1] is 0. */
struct deck_bounds {
    int least[CARD_LEVELS + 1];
};

/* A deck by the plan. The caller owns *out and gives it to calib_deck_destroy. CALIB_E_VALUE for a
 * plan out of bounds, CALIB_E_GEOMETRY when no so many different cards were found (`fault` says how
 * many, and what to change), CALIB_E_MEMORY. `fault` may be NULL. */
int calib_deck_make(const struct blockset *set, const struct deck_plan *plan, struct deck **out,
                    struct deck_bounds *bounds, struct calib_fault *fault);

/* The deck as JSON that calib_deck_parse reads, with a closing 0 that *length does not count; the
 * caller frees it. NULL when there is no memory. */
char *calib_deck_text(const struct deck *deck, size_t *length);

#endif
