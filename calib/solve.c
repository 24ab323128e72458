#include "calib/solve.h"

#include <string.h>

/* The cells of a grid, row by row, as bits, with each one's neighbours at the right and below. */
struct cells {
    int count;
    uint8_t place[SOLVE_CELLS_MAX][2];
    int8_t next[SOLVE_CELLS_MAX][2]; /* -1 for none */
};

/* The first cell still open is covered by a block that goes on to the right or below: so every way
 * is met once. The depth of the search is the number of blocks, at most BLOCKSET_BLOCKS_MAX: so the
 * recursion is bounded, whatever the grid. */
struct search {
    const struct blockset *set;
    struct cells cells;
    /* blocks that can lie over a cell and its neighbour at the right or below, as bits */
    uint8_t fit[SOLVE_CELLS_MAX][2];
    char label[SOLVE_CELLS_MAX];
    struct solution laid;
    int found, most;
    bool (*take)(void *context, const struct solution *solution);
    void *context;
};

static bool cells_find(const struct grid *grid, struct cells *cells)
{
    int8_t index[GRID_SIDE_MAX + 1][GRID_SIDE_MAX + 1];

    memset(index, -1, sizeof index);
    cells->count = 0;
    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            if (grid->cell[row][col] == GRID_HOLE) {
                continue;
            }
            if (cells->count == SOLVE_CELLS_MAX) {
                return false;
            }
            cells->place[cells->count][0] = (uint8_t)row;
            cells->place[cells->count][1] = (uint8_t)col;
            index[row][col] = (int8_t)cells->count++;
        }
    }
    for (int i = 0; i < cells->count; i++) {
        cells->next[i][0] = index[cells->place[i][0]][cells->place[i][1] + 1];
        cells->next[i][1] = index[cells->place[i][0] + 1][cells->place[i][1]];
    }
    return true;
}

/* The face of the block that shows the two labels, in this order or the other; -1 for none. */
static int block_face(const struct block *block, char a, char b)
{
    for (int i = 0; i < block->faces; i++) {
        const char *face = block->face[i];
        if ((face[0] == a && face[1] == b) || (face[0] == b && face[1] == a)) {
            return i;
        }
    }
    return -1;
}

static void fits_find(struct search *search)
{
    const struct blockset *set = search->set;

    for (int i = 0; i < search->cells.count; i++) {
        for (int way = 0; way < 2; way++) {
            int other = search->cells.next[i][way];
            search->fit[i][way] = 0;
            for (int block = 0; block < set->blocks && other >= 0; block++) {
                if (block_face(&set->block[block], search->label[i], search->label[other]) >= 0) {
                    search->fit[i][way] |= (uint8_t)(1u << block);
                }
            }
        }
    }
}

static void lay_set(struct search *search, int at, int block, int first, int second)
{
    struct solve_lay *lay = &search->laid.lay[at];
    char a = search->label[first], b = search->label[second];
    int face = block_face(&search->set->block[block], a, b);

    if (search->set->block[block].face[face][0] != a) {
        int other = first;
        first = second;
        second = other;
    }
    lay->block = (uint8_t)block;
    lay->face = (uint8_t)face;
    memcpy(lay->first, search->cells.place[first], sizeof lay->first);
    memcpy(lay->second, search->cells.place[second], sizeof lay->second);
}

static void solution_found(struct search *search)
{
    search->found++;
    search->laid.lays = search->set->blocks;
    if (search->take && !search->take(search->context, &search->laid)) {
        search->most = search->found;
    }
}

/* `open` are cells, `free` blocks, as bits; as many blocks as pairs of cells are left. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void search_on(struct search *search, unsigned open, unsigned free)
{
    if (open == 0) {
        solution_found(search);
        return;
    }
    int cell = __builtin_ctz(open);
    for (int way = 0; way < 2; way++) {
        int other = search->cells.next[cell][way];
        if (other < 0 || (open >> other & 1u) == 0) {
            continue;
        }
        unsigned left = open & ~(1u << cell | 1u << other);
        for (unsigned fit = search->fit[cell][way] & free; fit != 0 && search->found < search->most;
             fit &= fit - 1) {
            int block = __builtin_ctz(fit);
            lay_set(search, search->set->blocks - __builtin_popcount(free), block, cell, other);
            search_on(search, left, free & ~(1u << block));
        }
    }
}

int calib_solve(const struct blockset *set, const struct grid *grid, int most,
                bool (*take)(void *context, const struct solution *solution), void *context)
{
    struct search search = {.set = set, .most = most, .take = take, .context = context};

    if (most < 1 || !cells_find(grid, &search.cells) || search.cells.count == 0 ||
        search.cells.count != calib_blockset_cells(set)) {
        return 0;
    }
    for (int i = 0; i < search.cells.count; i++) {
        search.label[i] = grid->cell[search.cells.place[i][0]][search.cells.place[i][1]];
    }
    fits_find(&search);
    search_on(&search, (1u << search.cells.count) - 1, (1u << set->blocks) - 1);
    return search.found;
}

int calib_solve_count(const struct blockset *set, const struct grid *grid, int most)
{
    return calib_solve(set, grid, most, NULL, NULL);
}

/* Ways to cover the cells of `open`, each time from its first: at most half as deep as there are.
 */
/* NOLINTNEXTLINE(misc-no-recursion) */
static int tilings_count(const struct cells *cells, unsigned open)
{
    int count = 0;

    if (open == 0) {
        return 1;
    }
    int cell = __builtin_ctz(open);
    for (int way = 0; way < 2; way++) {
        int other = cells->next[cell][way];
        if (other >= 0 && (open >> other & 1u) != 0) {
            count += tilings_count(cells, open & ~(1u << cell | 1u << other));
        }
    }
    return count;
}

int calib_solve_tilings(const struct grid *grid)
{
    struct cells cells;

    if (!cells_find(grid, &cells) || cells.count == 0) {
        return 0;
    }
    return tilings_count(&cells, (1u << cells.count) - 1);
}
