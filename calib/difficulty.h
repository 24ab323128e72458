/* calib/difficulty.h: how hard a card is to build, in points.
 *
 * A card is hard when it does not show where one block ends and the next begins, when blocks that
 * seem to fit do not, and when symbols are taken for each other:
 *
 *     + 2 for each way to divide its outline into pairs of cells, up to 30
 *     - 3 for each way to build it beyond the first, up to 20
 *     + 4 for each misleading pair: neighbouring cells that some block of the set shows, but that
 *         lie under one block in no way to build the card
 *     + 2 for each cell whose look-alike is on the card, too: symbols whose shapes are much the
 *         same when one is turned, or whose colours are near in hue
 *     + 2 for each neighbourhood of two cells beyond a tree's: a compact outline tells less
 *
 * Whole numbers only, so the same on every machine. */
#ifndef CALIB_DIFFICULTY_H
#define CALIB_DIFFICULTY_H

#include "calib/blockset.h"
#include "calib/grid.h"

#include <stdbool.h>

#define DIFFICULTY_TILINGS_MAX 30
#define DIFFICULTY_SOLUTIONS_MAX 20
#define DIFFICULTY_COUNT_MAX 100000 /* ways to build a card are counted up to here */

struct difficulty {
    int tilings;    /* ways to divide the outline */
    int solutions;  /* ways to build it; 0: it cannot be built */
    int misleading; /* pairs */
    int alike;      /* cells */
    int neighbours; /* pairs of cells side by side or one above the other */
    int points;     /* of all that; not below 0 */
};

/* Which symbols of a set are taken for each other. */
struct alikes {
    bool alike[BLOCKSET_SYMBOLS_MAX][BLOCKSET_SYMBOLS_MAX];
};

/* Looks at the symbols' drawings: once for a set, some milliseconds. */
void calib_alikes_find(const struct blockset *set, struct alikes *out);

/* Measures a card. `alikes` is the set's. */
void calib_difficulty(const struct blockset *set, const struct alikes *alikes,
                      const struct grid *grid, struct difficulty *out);

#endif
