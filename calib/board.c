#include "calib/board.h"

#include <stdio.h>
#include <string.h>

#define TAG_LAST 586         /* the family has 587 codes */
#define TAG_TURN_DEG 180.0   /* as on the kit's mats */
#define TAG_EDGE (1.0 / 8.0) /* white around a tag, of its side: one module */
#define TAG_PITCH (1.0 + 2.5 / 8.0)
#define COLOURS_WIDTH_MM 250.0 /* fits A4 and Letter */
#define COLOURS_TAG_MM 32.0
#define COLOURS_COLS 6
#define PATCH_MM 24.0
#define PATCH_PITCH_MM 26.0

static bool side_possible(int side, int least, int most)
{
    return side >= least && side <= most;
}

int calib_board_chess(int cols, int rows, double square_mm, struct board *board)
{
    memset(board, 0, sizeof *board);
    if (!side_possible(cols, 3, BOARD_SIDE_MAX - 1) ||
        !side_possible(rows, 3, BOARD_SIDE_MAX - 1) || (cols + rows) % 2 == 0 ||
        !(square_mm >= 2.0 && square_mm <= 200.0)) {
        return CALIB_E_VALUE;
    }
    board->kind = BOARD_CHESS;
    board->cols = cols;
    board->rows = rows;
    board->square_mm = square_mm;
    board->size_mm[0] = (cols + 1) * square_mm;
    board->size_mm[1] = (rows + 1) * square_mm;
    (void)snprintf(board->name, sizeof board->name, "chess:%dx%dx%g", cols, rows, square_mm);
    return CALIB_OK;
}

void calib_board_corner(const struct board *board, int col, int row, double xy_mm[2])
{
    xy_mm[0] = (col + 1) * board->square_mm;
    xy_mm[1] = (row + 1) * board->square_mm;
}

static void tag_add(struct board *board, int id, double x, double y, double size_mm)
{
    board->tag[board->tags++] =
        (struct mat_tag){id, TAG_FAMILY_36H11, {x, y}, size_mm, TAG_TURN_DEG};
}

int calib_board_tags(int cols, int rows, double tag_mm, int first, struct board *board)
{
    memset(board, 0, sizeof *board);
    if (!side_possible(cols, 1, BOARD_SIDE_MAX) || !side_possible(rows, 1, BOARD_SIDE_MAX) ||
        cols * rows > BOARD_TAGS_MAX || first < 0 || first > TAG_LAST - cols * rows + 1 ||
        !(tag_mm >= 5.0 && tag_mm <= 200.0)) {
        return CALIB_E_VALUE;
    }
    double edge = tag_mm * (TAG_EDGE + 0.5), pitch = tag_mm * TAG_PITCH;
    board->kind = BOARD_TAGS;
    board->cols = cols;
    board->rows = rows;
    board->square_mm = tag_mm;
    board->size_mm[0] = (cols - 1) * pitch + 2.0 * edge;
    board->size_mm[1] = (rows - 1) * pitch + 2.0 * edge;
    for (int i = 0; i < cols * rows; i++) {
        int col = i % cols, row = i / cols;
        tag_add(board, first + i, edge + col * pitch, edge + row * pitch, tag_mm);
    }
    if (first == BOARD_TAG_FIRST) {
        (void)snprintf(board->name, sizeof board->name, "tags:%dx%dx%g", cols, rows, tag_mm);
    } else {
        (void)snprintf(board->name, sizeof board->name, "tags:%dx%dx%g:%d", cols, rows, tag_mm,
                       first);
    }
    return CALIB_OK;
}

/* The patch at a place of the columns and rows between the tags. */
static struct board_patch *patch_add(struct board *board, int col, int row)
{
    struct board_patch *patch = &board->patch[board->patches++];
    double left = (COLOURS_WIDTH_MM - COLOURS_COLS * PATCH_PITCH_MM) / 2.0;
    double inset = (PATCH_PITCH_MM - PATCH_MM) / 2.0;

    *patch = (struct board_patch){.rect_mm = {left + col * PATCH_PITCH_MM + inset,
                                              row * PATCH_PITCH_MM + inset, PATCH_MM, PATCH_MM},
                                  .symbol = -1};
    return patch;
}

/* Steps of grey that lie about evenly apart to the eye. */
static void greys_add(struct board *board)
{
    static const uint8_t grey[COLOURS_COLS] = {255, 210, 165, 118, 72, 0};

    for (int i = 0; i < COLOURS_COLS; i++) {
        patch_add(board, i, 0)->rgb = (struct rgb8){grey[i], grey[i], grey[i]};
    }
}

int calib_board_colours(const struct blockset *set, struct board *board)
{
    int rows_each = (set->symbols + COLOURS_COLS - 1) / COLOURS_COLS;

    memset(board, 0, sizeof *board);
    board->kind = BOARD_COLOURS;
    board->square_mm = PATCH_MM;
    board->cols = COLOURS_COLS;
    board->rows = 1 + 2 * rows_each;
    board->size_mm[0] = COLOURS_WIDTH_MM;
    /* never so low that the tags of a side touch */
    board->size_mm[1] = board->rows * PATCH_PITCH_MM;
    if (board->size_mm[1] < 3.0 * COLOURS_TAG_MM) {
        board->size_mm[1] = 3.0 * COLOURS_TAG_MM;
    }
    greys_add(board);
    for (int i = 0; i < 2 * set->symbols; i++) {
        int symbol = i % set->symbols, drawn = i / set->symbols;
        struct board_patch *patch =
            patch_add(board, symbol % COLOURS_COLS, 1 + drawn * rows_each + symbol / COLOURS_COLS);
        patch->symbol = symbol;
        patch->drawn = drawn != 0;
        patch->rgb = set->symbol[symbol].field;
    }
    for (int i = 0; i < 4; i++) { /* clockwise from the top-left, as on the kit's mats */
        double edge = COLOURS_TAG_MM * (TAG_EDGE + 0.5);
        bool right = i == 1 || i == 2, below = i >= 2;
        tag_add(board, BOARD_COLOURS_TAG + i, right ? board->size_mm[0] - edge : edge,
                below ? board->size_mm[1] - edge : edge, COLOURS_TAG_MM);
    }
    (void)snprintf(board->name, sizeof board->name, "colours:%.50s", set->name);
    return CALIB_OK;
}

/* The number at *at, which moves behind it; -1 when there is none. An own reader: strtod takes
 * signs, spaces, "inf" and a locale's comma. */
static double number_take(const char **at)
{
    const char *p = *at;
    double value = 0.0, part = 1.0;

    if (*p < '0' || *p > '9') {
        return -1.0;
    }
    for (; *p >= '0' && *p <= '9' && value < 1e6; p++) {
        value = 10.0 * value + (*p - '0');
    }
    if (*p == '.') {
        for (p++; *p >= '0' && *p <= '9' && part > 1e-6; p++) {
            part /= 10.0;
            value += part * (*p - '0');
        }
    }
    *at = p;
    return value;
}

/* "6x4x32" and, where there may be a fourth number, ":100" at *at into number[]. */
static bool numbers_take(const char *at, const char *between, double *number)
{
    for (int i = 0; i < 3; i++) {
        if (i > 0 && *at++ != between[i - 1]) {
            return false;
        }
        if ((number[i] = number_take(&at)) < 0.0) {
            return false;
        }
    }
    if (*at && between[2] && *at == between[2]) {
        at++;
        number[3] = number_take(&at);
    }
    bool whole =
        number[0] == (int)number[0] && number[1] == (int)number[1] && number[3] == (int)number[3];
    return *at == 0 && whole && number[3] >= 0.0;
}

int calib_board_named(const char *name, struct board *board)
{
    double number[4] = {0.0, 0.0, 0.0, BOARD_TAG_FIRST};

    memset(board, 0, sizeof *board);
    name = strcmp(name, "chess") == 0  ? BOARD_DEFAULT_CHESS
           : strcmp(name, "tags") == 0 ? BOARD_DEFAULT_TAGS
                                       : name;
    if (strncmp(name, "chess:", 6) == 0 && numbers_take(name + 6, "xx", number)) {
        return calib_board_chess((int)number[0], (int)number[1], number[2], board);
    }
    if (strncmp(name, "tags:", 5) == 0 && numbers_take(name + 5, "xx:", number)) {
        return calib_board_tags((int)number[0], (int)number[1], number[2], (int)number[3], board);
    }
    return CALIB_E_SYNTAX;
}
