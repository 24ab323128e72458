/* calib/board.h: what a camera is shown to be calibrated: a chessboard, a board of our own tags, a
 * card of colours. `kit print` prints them, `calibrate` looks for them; this is what both know.
 *
 * Board frame, in millimetres, as a mat's: origin at the board's top-left, x right, y down. The
 * board ends where its outermost squares, or the white edges of its outermost tags, do; on a sheet
 * there is white around it. Everything here is a plain value; nothing is owned. */
#ifndef CALIB_BOARD_H
#define CALIB_BOARD_H

#include "calib/blockset.h"
#include "calib/mat.h"

#define BOARD_SIDE_MAX 32 /* squares or tags to a side */
#define BOARD_TAGS_MAX 128
#define BOARD_PATCHES_MAX 64
#define BOARD_TAG_FIRST 100  /* of a board of tags; mats and ramps have lower ids */
#define BOARD_COLOURS_TAG 96 /* first of the four of a card of colours */
#define BOARD_DEFAULT_CHESS "chess:9x6x25"
#define BOARD_DEFAULT_TAGS "tags:6x4x32"

enum board_kind {
    BOARD_CHESS = 0,  /* squares; the corners between them are what is found */
    BOARD_TAGS = 1,   /* tags in rows: may be partly in view */
    BOARD_COLOURS = 2 /* patches between four tags */
};

struct board_patch {
    double rect_mm[4]; /* x, y, width, height */
    int symbol;        /* index in the set, or -1 for a grey */
    bool drawn;        /* a whole cell, with the white rim and the symbol; else plain colour */
    struct rgb8 rgb;   /* of the patch, or of the cell's field */
};

struct board {
    char name[KIT_NAME_MAX]; /* what calib_board_named makes the same board of; of a card of
                                colours "colours:" and the set's name */
    enum board_kind kind;
    double size_mm[2];
    int cols, rows;   /* corners between the squares, or tags */
    double square_mm; /* side of a square, or of a tag's black edge */
    int tags;
    struct mat_tag tag[BOARD_TAGS_MAX]; /* in the board frame, row by row; corners by
                                           calib_mat_tag_corners */
    int patches;
    struct board_patch patch[BOARD_PATCHES_MAX];
};

/* The chessboard with cols x rows inner corners of squares of that size; the square at the top-left
 * is black. One side must be even and one odd, or a half turn looks the same. CALIB_E_VALUE when
 * not, or when a side has under 3 or over BOARD_SIDE_MAX - 1 corners, or squares under 2 or over
 * 200 mm. */
int calib_board_chess(int cols, int rows, double square_mm, struct board *board);

/* The inner corner of that column and row, both from 0, of a chessboard. */
void calib_board_corner(const struct board *board, int col, int row, double xy_mm[2]);

/* cols x rows tags (tag36h11, as the kit's, turn 180) of that side, their ids rising from `first`
 * row by row. Between two tags lie two and a half of their modules. CALIB_E_VALUE for under 1 or
 * over BOARD_SIDE_MAX to a side, over BOARD_TAGS_MAX in all, ids beyond the family, a side under 5
 * or over 200 mm. */
int calib_board_tags(int cols, int rows, double tag_mm, int first, struct board *board);

/* A card of a set's colours: a row of six greys from white to black, a plain patch of each symbol's
 * field, and each symbol as a cell of a block, between four tags. A patch is 24 mm wide. */
int calib_board_colours(const struct blockset *set, struct board *board);

/* A board by the words printed on it: "chess:9x6x25" (inner corners, mm), "tags:6x4x32" or
 * "tags:6x4x32:100" (tags, mm, first id); "chess" and "tags" alone are the defaults above.
 * CALIB_E_SYNTAX for other words, CALIB_E_VALUE as above. */
int calib_board_named(const char *name, struct board *board);

#endif
