/* referee/cmd_match_canvas.h: what pictures of rulings are drawn with: texts in any script (Pango
 * chooses fonts that have the letters), symbols, cards, and a seat as it is seen from above with
 * its player's side down. Program layer. All lengths are pixels unless they say other. */
#ifndef REFEREE_CMD_MATCH_CANVAS_H
#define REFEREE_CMD_MATCH_CANVAS_H

#include "calib/blockset.h"
#include "calib/deck.h"
#include "calib/grid.h"
#include "calib/mat.h"
#include "capture/frame.h"
#include "vision/pose.h"

#include <cairo/cairo.h>
#include <stdbool.h>
#include <stddef.h>

struct canvas_paint {
    double r, g, b;
};

extern const struct canvas_paint canvas_white, canvas_grey, canvas_good, canvas_bad, canvas_unsure;

struct canvas {
    cairo_surface_t *surface;
    cairo_t *cairo;
    int width, height;
};

/* A dark sheet; false for no memory. cmd_canvas_close in any case. */
bool cmd_canvas_open(struct canvas *canvas, int width, int height);
void cmd_canvas_close(struct canvas *canvas);

/* The sheet as a PNG, which the caller frees; false for no memory. */
bool cmd_canvas_png(struct canvas *canvas, unsigned char **bytes, size_t *length);

/* A text of UTF-8 from its top left on, wrapped to `width` and cut, with "...", at `lines` lines.
 * Returns its height. */
struct canvas_font {
    double size;
    bool bold;
    struct canvas_paint paint;
};
double cmd_canvas_text(struct canvas *canvas, double x, double y, double width, int lines,
                       struct canvas_font font, const char *text);

/* A short text in the middle of a dark strip around (x, y). */
void cmd_canvas_label(struct canvas *canvas, double x, double y, struct canvas_font font,
                      const char *text);

void cmd_canvas_box(struct canvas *canvas, double x, double y, double width, double height,
                    struct canvas_paint paint, double line);

/* The place of a grid's cell, from its top left corner. */
struct canvas_grid {
    const struct blockset *set;
    const struct grid *grid;
    double x, y, cell;
};
/* Its symbols, as on cards; holes stay dark. */
void cmd_canvas_grid(struct canvas *canvas, const struct canvas_grid *what);
/* A card with such a grid in its middle: `x`, `y` and `side` are the card's, `what` gets the grid's
 * place. */
void cmd_canvas_card(struct canvas *canvas, const struct cardstyle *style, int level, double side,
                     struct canvas_grid *what);
/* A cell as it was read: a frame, dashed where it is doubtful. (x, y) its middle; turned clockwise.
 */
void cmd_canvas_cell(struct canvas *canvas, double x, double y, double side, double turned_deg,
                     bool doubtful);
/* A cell that is wrong: a thick dashed frame, and a cross where it need not be seen under it. */
void cmd_canvas_wrong(struct canvas *canvas, double x, double y, double side, double turned_deg,
                      bool crossed);

/* A seat from above. */
struct canvas_view {
    cairo_surface_t *picture; /* NULL: it could not be made */
    double px_per_mm;
    double middle_mm[2];  /* of the seat, in the mat frame */
    double turn_rad;      /* clockwise, from the mat frame to the player's upright */
    double width, height; /* of the picture, as the player has it */
};

/* The seat on the plane of the blocks' tops, as large as fits into width x height. The
 * frame is the one that the pose was found in. */
bool cmd_canvas_view(const struct frame *frame, const struct mat_pose *pose,
                     const struct mat_seat *seat, double tops_mm, double width, double height,
                     struct canvas_view *out);
void cmd_canvas_view_free(struct canvas_view *view);
/* Where a place of the mat lies in it. */
void cmd_canvas_view_point(const struct canvas_view *view, double x_mm, double y_mm, double out[2]);
/* Paints it with its top left corner there. */
void cmd_canvas_view_paint(struct canvas *canvas, const struct canvas_view *view, double x,
                           double y);

#endif
