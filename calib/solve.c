#include "calib/solve.h"

#include <stdbool.h>

/* The first block free shows where it lies by the first cell still open: so every way of laying
 * is met once. The depth of the search is the number of blocks, at most BLOCKSET_BLOCKS_MAX: so
 * the recursion is bounded, whatever the grid. */
struct search {
    const struct blockset *set;
    struct grid open;
    unsigned used; /* bit i: block i is laid */
    int found, most;
};

static void search_cell(struct search *search, int laid);

/* Does one of the block's faces show the two labels, in this order or the other? */
static bool block_shows(const struct block *block, char a, char b)
{
    for (int i = 0; i < block->faces; i++) {
        const char *face = block->face[i];
        if ((face[0] == a && face[1] == b) || (face[0] == b && face[1] == a)) {
            return true;
        }
    }
    return false;
}

/* Lays each free block that fits over two cells, and goes on from there. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void search_pair(struct search *search, int laid, char *first, char *second)
{
    char a = *first, b = *second;

    if (b == GRID_HOLE) {
        return;
    }
    *first = *second = GRID_HOLE;
    for (int i = 0; i < search->set->blocks && search->found < search->most; i++) {
        if ((search->used >> i & 1u) == 0 && block_shows(&search->set->block[i], a, b)) {
            search->used |= 1u << i;
            search_cell(search, laid + 1);
            search->used &= ~(1u << i);
        }
    }
    *first = a;
    *second = b;
}

static void search_cell(struct search *search, int laid) /* NOLINT(misc-no-recursion) */
{
    struct grid *open = &search->open;

    if (laid == search->set->blocks) {
        search->found++;
        return;
    }
    for (int row = 0; row < open->rows; row++) {
        for (int col = 0; col < open->cols; col++) {
            char *cell = &open->cell[row][col];
            if (*cell == GRID_HOLE) {
                continue;
            }
            if (col + 1 < open->cols) {
                search_pair(search, laid, cell, &open->cell[row][col + 1]);
            }
            if (row + 1 < open->rows) {
                search_pair(search, laid, cell, &open->cell[row + 1][col]);
            }
            return; /* the first open cell must be covered by one of these */
        }
    }
}

int calib_solve_count(const struct blockset *set, const struct grid *grid, int most)
{
    struct search search = {.set = set, .open = *grid, .most = most};

    if (most < 1 || calib_grid_count(grid) != calib_blockset_cells(set)) {
        return 0;
    }
    search_cell(&search, 0);
    return search.found;
}
