/* vision/board_find.c: see board_find.h. */
#include "vision/board_find.h"

#include "calib/cv.h"

#include <stdlib.h>
#include <string.h>

static void points_add(struct board_points *out, const struct mat_tag *tag,
                       const struct sighting *sighting)
{
    double corner_mm[4][2];

    calib_mat_tag_corners(tag, corner_mm);
    for (int i = 0; i < 4; i++) {
        if (!sighting->firm[i] || out->count == BOARD_POINTS_MAX)
            continue;
        memcpy(out->point_mm[out->count], corner_mm[i], sizeof corner_mm[i]);
        memcpy(out->pixel[out->count], sighting->corner[i], sizeof sighting->corner[i]);
        out->count++;
    }
    out->tags++;
}

/* Adds the corners of those of the mat's tags that are seen. */
static int tags_add(struct tag_finder *finder, const struct frame *frame, const struct mat *mat,
                    bool *mirrored, struct board_points *out)
{
    struct sighting sighting[MAT_TAGS_MAX];
    int found = vision_tags_find(finder, frame, mat, sighting, mirrored);

    for (int i = 0; i < found; i++)
        for (int j = 0; j < mat->tags; j++)
            if (mat->tag[j].id == sighting[i].id)
                points_add(out, &mat->tag[j], &sighting[i]);
    return found < 0 ? found : 0;
}

static int points_enough(struct board_points *out, int error, bool mirrored)
{
    if (error < 0)
        return error;
    if (out->tags == 0 && mirrored)
        return VISION_E_MIRRORED;
    if (out->tags < BOARD_TAGS_LEAST)
        out->count = 0;
    return out->count;
}

int vision_board_find_mat(struct tag_finder *finder, const struct frame *frame,
                          const struct mat *mat, struct board_points *out)
{
    bool mirrored = false;

    if (finder == NULL || frame == NULL || mat == NULL || out == NULL)
        return VISION_E_ARGUMENT;
    out->count = out->tags = 0;
    int error = tags_add(finder, frame, mat, &mirrored, out);
    return points_enough(out, error, mirrored);
}

/* A board may have more tags than a mat: they are looked for as so many mats on one sheet. */
static int tags_find(struct tag_finder *finder, const struct frame *frame,
                     const struct board *board, struct board_points *out)
{
    struct mat *sheet = calloc(1, sizeof *sheet);
    bool mirrored = false, any_mirrored = false;
    int error = sheet == NULL ? VISION_E_MEMORY : 0;

    for (int first = 0; first < board->tags && error == 0; first += MAT_TAGS_MAX) {
        int left = board->tags - first;
        sheet->tags = left < MAT_TAGS_MAX ? left : MAT_TAGS_MAX;
        memcpy(sheet->size_mm, board->size_mm, sizeof sheet->size_mm);
        memcpy(sheet->tag, board->tag + first, (size_t)sheet->tags * sizeof *sheet->tag);
        error = tags_add(finder, frame, sheet, &mirrored, out);
        any_mirrored = any_mirrored || mirrored;
    }
    free(sheet);
    return points_enough(out, error, any_mirrored);
}

static int chess_find(const struct frame *frame, const struct board *board, bool thorough,
                      struct board_points *out)
{
    const struct cv_grey grey = {frame->y, frame->width, frame->height, frame->y_stride};
    int error = calib_cv_chessboard(&grey, board->cols, board->rows, thorough, out->pixel);

    if (error == CALIB_E_GEOMETRY)
        return 0;
    if (error != CALIB_OK)
        return error == CALIB_E_MEMORY ? VISION_E_MEMORY : VISION_E_ARGUMENT;
    for (int i = 0; i < board->cols * board->rows; i++)
        calib_board_corner(board, i % board->cols, i / board->cols, out->point_mm[i]);
    out->count = board->cols * board->rows;
    return out->count;
}

int vision_board_find(struct tag_finder *finder, const struct frame *frame,
                      const struct board *board, bool thorough, struct board_points *out)
{
    if (finder == NULL || frame == NULL || board == NULL || out == NULL)
        return VISION_E_ARGUMENT;
    out->count = out->tags = 0;
    switch (board->kind) {
    case BOARD_CHESS:
        return chess_find(frame, board, thorough, out);
    case BOARD_TAGS:
        return tags_find(finder, frame, board, out);
    default:
        return VISION_E_ARGUMENT;
    }
}
