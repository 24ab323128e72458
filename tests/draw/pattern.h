/* tests/draw/pattern.h: which block lies where in a pattern. */
#ifndef DRAW_PATTERN_H
#define DRAW_PATTERN_H

#include "calib/blockset.h"
#include "calib/grid.h"
#include "tests/draw/random.h"
#include "tests/draw/scene.h"

#include <stdbool.h>

/* A block on the cells first (its face's first symbol) and second; rows and columns. */
struct draw_lay {
    int block, face;
    int first[2], second[2];
};

struct draw_pattern {
    int lays;
    struct draw_lay lay[BLOCKSET_BLOCKS_MAX];
};

/* The pattern's cells as a grid, trimmed. False when it is longer than a grid can be. */
bool draw_pattern_grid(const struct blockset *set, const struct draw_pattern *pattern,
                       struct grid *grid);

/* A random pattern of all blocks, each beside another, no longer than side_max cells. */
bool draw_pattern_random(const struct blockset *set, int side_max, struct draw_random *random,
                         struct draw_pattern *pattern);

/* One of the ways to build a grid from the blocks, chosen at random. False when there is none. */
bool draw_pattern_solve(const struct blockset *set, const struct grid *grid,
                        struct draw_random *random, struct draw_pattern *pattern);

/* A near miss: changes the pattern so that its grid differs from what it was in every quarter
 * turn. Returns how, or DRAW_CHANGE_NONE when no change was found. */
enum draw_change draw_pattern_change(const struct blockset *set, struct draw_random *random,
                                     struct draw_pattern *pattern);

#endif
