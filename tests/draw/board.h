/* tests/draw/board.h: pictures of a calibration board, held before the camera at all places and
 * tilts. A board is drawn as a mat that has only its tags, or its squares, with white around. */
#ifndef DRAW_BOARD_H
#define DRAW_BOARD_H

#include "calib/board.h"
#include "tests/draw/scene.h"

#define DRAW_BOARD_EDGE_MM 20.0 /* white around the board on its sheet */

/* The sheet of a board: its tags in the frame of the sheet. Of a chessboard no tags; its squares
 * come by struct draw_kit's `board`. */
void draw_board_mat(const struct board *board, struct mat *mat);

/* How boards are held. */
struct draw_board_range {
    double tilt_deg[2];
    double fill[2]; /* of the picture's width */
    bool partly;    /* parts may lie outside the picture */
};

/* A scene in which scene->camera, which is set beforehand as are kit and seed, sees the board:
 * number `index` of `count` lies elsewhere in the picture and tilted to another side than the
 * others. Light and optics by `range`. */
void draw_board_scene(struct draw_scene *scene, const struct board *board,
                      const struct draw_board_range *held, const struct draw_range *range,
                      int index, int count);

#endif
