/* vision/inventory.h: which blocks can lie there: the set's inventory (each block once, its
 * faces known) used to resolve doubt. Pure.
 *
 * Cells pair up into blocks in every possible way, and blocks and faces are given to the pairs so
 * that the cells' scores add up best. A cell's margin is what would be lost by reading it as
 * anything else, with every other cell free to change as well: doubt that the inventory resolves
 * shows as a large margin. */
#ifndef VISION_INVENTORY_H
#define VISION_INVENTORY_H

#include "calib/blockset.h"

#include <stdbool.h>
#include <stdint.h>

#define INVENTORY_CELLS_MAX (2 * BLOCKSET_BLOCKS_MAX)

struct inventory {
    float total;                       /* sum of scores of the best way */
    int symbol[INVENTORY_CELLS_MAX];   /* by it */
    int second[INVENTORY_CELLS_MAX];   /* the best other symbol of each cell */
    float margin[INVENTORY_CELLS_MAX]; /* total minus the best with another symbol there;
                                          large when no other way exists */
    int partner[INVENTORY_CELLS_MAX];  /* the other cell of its block */
    int block[INVENTORY_CELLS_MAX];    /* index of its block */
};

#define INVENTORY_NO_OTHER 1000.0f /* margin where nothing else is possible */

/* `beside[i]` has bit j set when cells i and j may be the two cells of one block. `score[i][s]` is
 * the log likelihood of symbol s in cell i. False when the cells can't be blocks of the set (an
 * odd number, no pairing, too many). */
bool vision_inventory_resolve(const struct blockset *set, int cells, const uint32_t *beside,
                              const float (*score)[BLOCKSET_SYMBOLS_MAX], struct inventory *out);

#endif
