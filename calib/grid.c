#include "calib/grid.h"

#include "calib/error.h"

#include <string.h>

void calib_grid_clear(struct grid *grid, int rows, int cols)
{
    rows = rows < 0 ? 0 : rows > GRID_SIDE_MAX ? GRID_SIDE_MAX : rows;
    cols = cols < 0 ? 0 : cols > GRID_SIDE_MAX ? GRID_SIDE_MAX : cols;
    if (rows == 0 || cols == 0) {
        rows = cols = 0;
    }
    grid->rows = (unsigned char)rows;
    grid->cols = (unsigned char)cols;
    memset(grid->cell, GRID_HOLE, sizeof grid->cell);
}

int calib_grid_parse(const char *text, size_t length, struct grid *grid)
{
    struct grid read;
    size_t row = 0, col = 0, cols = 0;

    calib_grid_clear(grid, 0, 0);
    calib_grid_clear(&read, 0, 0);
    for (size_t i = 0; i <= length; i++) {
        if (i == length || text[i] == '/') {
            if (col == 0 || (row > 0 && col != cols)) {
                return CALIB_E_VALUE;
            }
            cols = col;
            col = 0;
            row++;
        } else if (text[i] < 0x21 || text[i] > 0x7e || row >= GRID_SIDE_MAX ||
                   col >= GRID_SIDE_MAX) {
            return CALIB_E_VALUE;
        } else {
            read.cell[row][col++] = text[i];
        }
    }
    read.rows = (unsigned char)row;
    read.cols = (unsigned char)cols;
    *grid = read;
    return CALIB_OK;
}

size_t calib_grid_format(const struct grid *grid, char text[GRID_TEXT_MAX])
{
    size_t length = 0;

    for (int row = 0; row < grid->rows && row < GRID_SIDE_MAX; row++) {
        if (row > 0) {
            text[length++] = '/';
        }
        for (int col = 0; col < grid->cols && col < GRID_SIDE_MAX; col++) {
            text[length++] = grid->cell[row][col];
        }
    }
    text[length] = 0;
    return length;
}

int calib_grid_count(const struct grid *grid)
{
    int count = 0;

    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            count += grid->cell[row][col] != GRID_HOLE;
        }
    }
    return count;
}

void calib_grid_trim(struct grid *grid)
{
    int top = GRID_SIDE_MAX, bottom = -1, left = GRID_SIDE_MAX, right = -1;
    struct grid trimmed;

    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            if (grid->cell[row][col] == GRID_HOLE) {
                continue;
            }
            top = row < top ? row : top;
            bottom = row > bottom ? row : bottom;
            left = col < left ? col : left;
            right = col > right ? col : right;
        }
    }
    calib_grid_clear(&trimmed, bottom - top + 1, right - left + 1);
    for (int row = 0; row < trimmed.rows; row++) {
        for (int col = 0; col < trimmed.cols; col++) {
            trimmed.cell[row][col] = grid->cell[top + row][left + col];
        }
    }
    *grid = trimmed;
}

static struct grid grid_turn_once(const struct grid *grid)
{
    struct grid turned;

    calib_grid_clear(&turned, grid->cols, grid->rows);
    for (int row = 0; row < turned.rows; row++) {
        for (int col = 0; col < turned.cols; col++) {
            turned.cell[row][col] = grid->cell[grid->rows - 1 - col][row];
        }
    }
    return turned;
}

struct grid calib_grid_turn(const struct grid *grid, int quarters)
{
    struct grid turned = *grid;

    /* & 3 also brings negative numbers to 0..3: two's complement is what gcc guarantees */
    for (int i = quarters & 3; i > 0; i--) {
        turned = grid_turn_once(&turned);
    }
    return turned;
}

struct grid calib_grid_mirror(const struct grid *grid)
{
    struct grid mirrored;

    calib_grid_clear(&mirrored, grid->rows, grid->cols);
    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            mirrored.cell[row][col] = grid->cell[row][grid->cols - 1 - col];
        }
    }
    return mirrored;
}

bool calib_grid_equal(const struct grid *a, const struct grid *b)
{
    if (a->rows != b->rows || a->cols != b->cols) {
        return false;
    }
    for (int row = 0; row < a->rows; row++) {
        if (memcmp(a->cell[row], b->cell[row], a->cols) != 0) {
            return false;
        }
    }
    return true;
}

int calib_grid_quarters(const struct grid *from, const struct grid *to)
{
    struct grid turned = *from, goal = *to;

    calib_grid_trim(&turned);
    calib_grid_trim(&goal);
    for (int quarters = 0; quarters < 4; quarters++) {
        if (calib_grid_equal(&turned, &goal)) {
            return quarters;
        }
        turned = grid_turn_once(&turned);
    }
    return -1;
}

struct grid calib_grid_upright(const struct grid *grid)
{
    char text[GRID_TEXT_MAX], least[GRID_TEXT_MAX];
    struct grid turned = *grid, out;

    calib_grid_trim(&turned);
    out = turned;
    calib_grid_format(&out, least);
    for (int turn = 1; turn < 4; turn++) {
        turned = calib_grid_turn(&turned, 1);
        calib_grid_format(&turned, text);
        if (strcmp(text, least) < 0) {
            memcpy(least, text, sizeof text);
            out = turned;
        }
    }
    return out;
}
