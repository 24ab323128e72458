/* vision/board_find.h: the points of a flat board in a picture: corners of a chessboard, corners of
 * a board's tags or of the mat's own. What calib/lens.h is fed with. */
#ifndef VISION_BOARD_FIND_H
#define VISION_BOARD_FIND_H

#include "calib/board.h"
#include "calib/mat.h"
#include "capture/frame.h"
#include "vision/error.h"
#include "vision/pose.h"

#include <stdbool.h>

#define BOARD_POINTS_MAX 1024 /* a chessboard of 31 x 31, or 128 tags */
/* Fewer of a board's tags say too little about a lens; a chessboard is seen whole or not at all. */
#define BOARD_TAGS_LEAST 3

struct board_points {
    int count;
    int tags; /* of which the points are corners; 0 for a chessboard */
    double point_mm[BOARD_POINTS_MAX][2]; /* in the board's or the mat's frame */
    double pixel[BOARD_POINTS_MAX][2];
};

/* The board's points in the picture; of a board of tags those that are seen, which need not be all.
 * Returns their number, 0 when the board is not seen (or too little of it). `thorough`: a
 * chessboard is looked for again in a slower way when it is not found at once.
 * VISION_E_MIRRORED (tags only: a chessboard does not tell), VISION_E_MEMORY, VISION_E_ARGUMENT (a
 * board of another kind). */
int vision_board_find(struct tag_finder *finder, const struct frame *frame,
                      const struct board *board, bool thorough, struct board_points *out);

/* The same of the tags of a mat. */
int vision_board_find_mat(struct tag_finder *finder, const struct frame *frame,
                          const struct mat *mat, struct board_points *out);

#endif
