/* calib/solve.h: how a card can be built with one set of blocks: exact cover. Cells and blocks are
 * what is to be covered, each exactly once, by blocks lying over two neighbouring cells.
 *
 * A way to build a card is where each block lies. Blocks that show the same pair on two faces lie
 * there in one way; the first such face is told. */
#ifndef CALIB_SOLVE_H
#define CALIB_SOLVE_H

#include "calib/blockset.h"
#include "calib/grid.h"

#include <stdbool.h>
#include <stdint.h>

#define SOLVE_CELLS_MAX (2 * BLOCKSET_BLOCKS_MAX)

struct solve_lay {
    uint8_t block;     /* index in the set */
    uint8_t face;      /* of that block */
    uint8_t first[2];  /* row, column of the face's first symbol */
    uint8_t second[2]; /* and of its second */
};

struct solution {
    int lays; /* as many as the set has blocks */
    struct solve_lay lay[BLOCKSET_BLOCKS_MAX];
};

/* Every way to build the grid, each given to `take` (lent for the call) until it returns false or
 * `most` were found. Returns how many were given. 0 also when the cells are not as many as the
 * set's, or not all of its symbols. The order depends on nothing but set and grid. */
int calib_solve(const struct blockset *set, const struct grid *grid, int most,
                bool (*take)(void *context, const struct solution *solution), void *context);

/* In how many ways; counting stops at `most`, and 1 asks only whether it can be. */
int calib_solve_count(const struct blockset *set, const struct grid *grid, int most);

/* In how many ways pairs of neighbouring cells cover the grid, whatever they show. 0 also for more
 * than SOLVE_CELLS_MAX cells. */
int calib_solve_tilings(const struct grid *grid);

#endif
