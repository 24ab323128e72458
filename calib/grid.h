/* calib/grid.h: the pattern of a card or a layout: symbols and holes on a square grid.
 *
 * The text form (fixed) has rows divided by '/', '.' for a hole and a set's
 * one-character label for a symbol: "x+#/x#+/o../+ox". Rows of unequal length are refused.
 * A grid is a plain value: copy it, compare it with calib_grid_equal. */
#ifndef CALIB_GRID_H
#define CALIB_GRID_H

#include <stdbool.h>
#include <stddef.h>

#define GRID_SIDE_MAX 10                                        /* a line of ten cells */
#define GRID_TEXT_MAX (GRID_SIDE_MAX * (GRID_SIDE_MAX + 1) + 1) /* with the closing 0 */
#define GRID_HOLE '.'

struct grid {
    unsigned char rows, cols;                /* both 0 for no grid */
    char cell[GRID_SIDE_MAX][GRID_SIDE_MAX]; /* [row][col]; GRID_HOLE outside and for holes */
};

/* Empty grid of the given size, all holes. rows and cols are cut at GRID_SIDE_MAX. */
void calib_grid_clear(struct grid *grid, int rows, int cols);

/* Text of `length` bytes to a grid. CALIB_E_VALUE when it is not one (empty, ragged,
 * too large, characters outside 0x21..0x7e). */
int calib_grid_parse(const char *text, size_t length, struct grid *grid);

/* Grid to text with a closing 0; the empty grid gives "". Returns its length. */
size_t calib_grid_format(const struct grid *grid, char text[GRID_TEXT_MAX]);

/* Cells that are not holes. */
int calib_grid_count(const struct grid *grid);

/* Removes rows and columns of holes at the edges. */
void calib_grid_trim(struct grid *grid);

/* `quarters` quarter turns clockwise (any whole number, also negative). */
struct grid calib_grid_turn(const struct grid *grid, int quarters);

/* Left and right exchanged. */
struct grid calib_grid_mirror(const struct grid *grid);

/* The same size and the same cells. */
bool calib_grid_equal(const struct grid *a, const struct grid *b);

/* The same grid, trimmed, in the turn whose text sorts first: two grids are alike in some turn when
 * these are equal. */
struct grid calib_grid_upright(const struct grid *grid);

/* The least number 0..3 of clockwise quarter turns that makes `from` equal `to`
 * (both trimmed first), or -1 when none does. */
int calib_grid_quarters(const struct grid *from, const struct grid *to);

#endif
