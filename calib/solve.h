/* calib/solve.h: can a card be built with one set of blocks? */
#ifndef CALIB_SOLVE_H
#define CALIB_SOLVE_H

#include "calib/blockset.h"
#include "calib/grid.h"

/* In how many ways the grid can be built with every block of the set used once: ways of laying
 * blocks over the cells, times ways of choosing which block lies where. Counting stops at
 * `most`; 1 asks only whether it can be. 0 also when the cells are not as many as the set's. */
int calib_solve_count(const struct blockset *set, const struct grid *grid, int most);

#endif
