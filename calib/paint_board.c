/* Boards for calibration, and the sheet of a ramp. */
#include "calib/paint.h"

#include <math.h>
#include <stdio.h>

#define RAMP_LINE_MM 0.4
#define TRACK_NUMBER_MM 7.0
static const struct rgb8 frame_grey = {150, 150, 146};
/* A track is a dark grey band with darker edges, alike all the way down, as a groove in wood is: what
 * is bare is told from that, and discs of every colour, white ones too, differ from it. */
#define TRACK_EDGE_MM 3.0
#define TRACK_ABOVE_ROWS 2.8 /* rows' distances above the top row, for discs on their way */
static const struct rgb8 track_grey = {140, 140, 142};
static const struct rgb8 edge_grey = {90, 90, 92};

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

static void band_paint(cairo_t *page, struct rgb8 colour, double x, double half, double top,
                       double bottom)
{
    calib_paint_colour(page, colour);
    cairo_rectangle(page, x - half, top, 2.0 * half, bottom - top);
    cairo_fill(page);
}

static void tracks_paint(cairo_t *page, const struct ramp *ramp)
{
    double radius = ramp->disc_diameter_mm / 2.0, half = radius + 1.0;
    double pitch =
        ramp->rows > 1 ? ramp->row_y_mm[0] - ramp->row_y_mm[1] : ramp->disc_diameter_mm;
    double top = fmax(0.0, ramp->row_y_mm[ramp->rows - 1] - TRACK_ABOVE_ROWS * pitch);
    double bottom = ramp->row_y_mm[0] + radius + 2.0;

    for (int i = 0; i < ramp->tracks; i++) {
        char number[12];
        band_paint(page, edge_grey, ramp->track_x_mm[i], half, top, bottom);
        band_paint(page, track_grey, ramp->track_x_mm[i], half - TRACK_EDGE_MM, top, bottom);
        calib_paint_colour(page, frame_grey);
        (void)snprintf(number, sizeof number, "%d", i + 1);
        calib_paint_text(page, ramp->track_x_mm[i], bottom + TRACK_NUMBER_MM, TRACK_NUMBER_MM, 0.5,
                         0.0, true, number);
    }
}

/* Tags need white around them where a track runs below one. */
static void tag_ground_paint(cairo_t *page, const struct mat_tag *tag)
{
    double side = tag->size_mm * 1.25; /* a module on each side */

    cairo_set_source_rgb(page, 1.0, 1.0, 1.0);
    cairo_rectangle(page, tag->center_mm[0] - side / 2.0, tag->center_mm[1] - side / 2.0, side, side);
    cairo_fill(page);
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
    for (int i = 0; i < ramp->tags; i++) {
        tag_ground_paint(page, &ramp->tag[i]);
    }
    cairo_restore(page);
    return calib_paint_tags(page, ramp->tag, ramp->tags);
}
