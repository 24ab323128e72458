/* Boards for calibration, and the sheet of a ramp. */
#include "calib/paint.h"

#include <math.h>
#include <stdio.h>

#define RAMP_LINE_MM 0.4
#define PLACE_LINE_MM 0.3
#define TRACK_NUMBER_MM 7.0
static const struct rgb8 frame_grey = {150, 150, 146};
static const struct rgb8 place_grey = {215, 215, 212}; /* far paler than any disc */

static void chess_paint(cairo_t *page, const struct board *board)
{
    double side = board->square_mm;

    cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
    for (int row = 0; row <= board->rows; row++) {
        for (int col = row % 2; col <= board->cols; col += 2) {
            cairo_rectangle(page, col * side, row * side, side, side);
        }
    }
    cairo_fill(page);
}

static void patches_paint(cairo_t *page, const struct board *board, const struct blockset *set)
{
    for (int i = 0; i < board->patches; i++) {
        const struct board_patch *patch = &board->patch[i];
        const double *r = patch->rect_mm;
        if (patch->drawn) {
            if (set && patch->symbol >= 0 && patch->symbol < set->symbols) {
                calib_paint_cell(page, &set->symbol[patch->symbol], set->rim, r[0], r[1], r[2]);
            }
            continue;
        }
        calib_paint_colour(page, patch->rgb);
        cairo_rectangle(page, r[0], r[1], r[2], r[3]);
        cairo_fill_preserve(page);
        /* the white one is paper, and shows by its frame */
        calib_paint_colour(page, frame_grey);
        cairo_set_line_width(page, 0.1);
        cairo_stroke(page);
    }
}

int calib_paint_board(cairo_t *page, const struct board *board, const struct blockset *set)
{
    cairo_save(page);
    if (board->kind == BOARD_CHESS) {
        chess_paint(page, board);
    } else if (board->kind == BOARD_COLOURS) {
        patches_paint(page, board, set);
    }
    cairo_restore(page);
    return calib_paint_tags(page, board->tag, board->tags);
}

/* Lines between the tracks, from one disc above the top row to one below the bottom row. */
static void tracks_paint(cairo_t *page, const struct ramp *ramp)
{
    double pitch =
        ramp->tracks > 1 ? ramp->track_x_mm[1] - ramp->track_x_mm[0] : 1.2 * ramp->disc_diameter_mm;
    double reach = 0.6 * ramp->disc_diameter_mm;
    double top = ramp->row_y_mm[ramp->rows - 1] - reach, bottom = ramp->row_y_mm[0] + reach;

    calib_paint_colour(page, frame_grey);
    cairo_set_line_width(page, RAMP_LINE_MM);
    for (int i = 0; i <= ramp->tracks; i++) {
        double x = i == 0              ? ramp->track_x_mm[0] - pitch / 2.0
                   : i == ramp->tracks ? ramp->track_x_mm[i - 1] + pitch / 2.0
                                       : (ramp->track_x_mm[i - 1] + ramp->track_x_mm[i]) / 2.0;
        cairo_move_to(page, x, top);
        cairo_line_to(page, x, bottom);
    }
    cairo_move_to(page, ramp->track_x_mm[0] - pitch / 2.0, bottom);
    cairo_line_to(page, ramp->track_x_mm[ramp->tracks - 1] + pitch / 2.0, bottom);
    cairo_stroke(page);
    for (int i = 0; i < ramp->tracks; i++) {
        char number[12];
        (void)snprintf(number, sizeof number, "%d", i + 1);
        calib_paint_text(page, ramp->track_x_mm[i], bottom + TRACK_NUMBER_MM, TRACK_NUMBER_MM, 0.5,
                         0.0, true, number);
    }
}

static void places_paint(cairo_t *page, const struct ramp *ramp)
{
    double width = ramp->disc_diameter_mm;
    double height = ramp->seen == RAMP_SEEN_RIM ? ramp->disc_thickness_mm : width;

    calib_paint_colour(page, place_grey);
    cairo_set_line_width(page, PLACE_LINE_MM);
    for (int row = 0; row < ramp->rows; row++) {
        for (int track = 0; track < ramp->tracks; track++) {
            const double rect[4] = {ramp->track_x_mm[track] - width / 2.0,
                                    ramp->row_y_mm[row] - height / 2.0, width, height};
            calib_paint_round(page, rect, fmin(width, height) / 2.0);
        }
    }
    cairo_stroke(page);
}

int calib_paint_ramp(cairo_t *page, const struct ramp *ramp)
{
    const double sheet[4] = {RAMP_LINE_MM / 2.0, RAMP_LINE_MM / 2.0,
                             ramp->board_mm[0] - RAMP_LINE_MM, ramp->board_mm[1] - RAMP_LINE_MM};

    cairo_save(page);
    calib_paint_colour(page, frame_grey);
    cairo_set_line_width(page, RAMP_LINE_MM);
    cairo_rectangle(page, sheet[0], sheet[1], sheet[2], sheet[3]);
    cairo_stroke(page);
    tracks_paint(page, ramp);
    places_paint(page, ramp);
    cairo_restore(page);
    return calib_paint_tags(page, ramp->tag, ramp->tags);
}
