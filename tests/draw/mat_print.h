/* tests/draw/mat_print.h: the mat as a raster, in sRGB bytes relative to its paper: drawn by what
 * prints it (calib/paint.h), or taken from a print. */
#ifndef DRAW_MAT_PRINT_H
#define DRAW_MAT_PRINT_H

#include "calib/board.h"
#include "calib/mat.h"

#include <stdint.h>

#define MAT_PRINT_LEVELS 7

struct mat_print {
    double px_per_mm; /* of the first level; each further one has half of it */
    int levels;
    int width[MAT_PRINT_LEVELS], height[MAT_PRINT_LEVELS];
    uint8_t *rgb[MAT_PRINT_LEVELS];
};

/* The mat, and the squares of a chessboard on it (board.h) unless `board` is NULL. 0, or -1 when
 * there is no memory or a tag is not in its family. Free with mat_print_free, also after a
 * failure. */
int mat_print_draw(const struct mat *mat, const struct board *board, struct mat_print *print);
/* A raster of the whole sheet, three bytes a pixel, lent: -1 also when its sides are not in the
 * mat's proportion. */
int mat_print_take(const struct mat *mat, const uint8_t *rgb, int width, int height,
                   struct mat_print *print);
void mat_print_free(struct mat_print *print);

#endif
