/* calib/paint.h: the kit's things drawn with Cairo, in millimetres: for print, and for whatever
 * else shows them. The page's own transformation says how large a millimetre is.
 *
 * All of these leave the context as they found it, with nothing on its path. Origins are top-left,
 * x right, y down. */
#ifndef CALIB_PAINT_H
#define CALIB_PAINT_H

#include "calib/blockset.h"
#include "calib/board.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "calib/ramp.h"
#include "calib/solve.h"

#include <cairo.h>
#include <stdbool.h>

/* A ruler with the words "print at 100 %" above it takes this much room. */
#define PAINT_RULER_WIDTH_MM 104.0
#define PAINT_RULER_HEIGHT_MM 9.0
#define PAINT_RULER_MM 100.0
#define PAINT_RULER_INSET_MM 2.0 /* of its zero, from the left of that room */
#define PAINT_RULER_LINE_MM 5.4  /* of its edge, from the top of it */

void calib_paint_colour(cairo_t *page, struct rgb8 rgb);

/* A line of UTF-8 with its baseline's left end (align 0), middle (0.5) or right end (1) at x, y;
 * `size_mm` is that of the letters' body. Wider than `width_mm` (0: any) it is made smaller.
 * Control characters, and what is no UTF-8, are shown as "?". */
void calib_paint_text(cairo_t *page, double x, double y, double size_mm, double align,
                      double width_mm, bool bold, const char *text);

void calib_paint_round(cairo_t *page, const double rect_mm[4], double corner_mm);

/* The ruler in the room whose top-left is x, y: black, ticks from its edge downwards. */
void calib_paint_ruler(cairo_t *page, double x, double y);

/* Short lines outside the corners of a rectangle: where to cut. From `gap` to `gap + length`. */
void calib_paint_cuts(cairo_t *page, const double rect_mm[4], double gap_mm, double length_mm);

/* A symbol in a cell of that side at x, y: as calib_symbol_draw draws it. */
void calib_paint_cell(cairo_t *page, const struct symbol *symbol, double rim, double x, double y,
                      double side_mm);

/* A grid of cells; holes, and what is no symbol of the set, stay free. */
void calib_paint_grid(cairo_t *page, const struct blockset *set, const struct grid *grid,
                      double rim, double x, double y, double cell_mm);

/* A way to build a grid: its cells, a line around each block, the block's number on it. */
void calib_paint_solution(cairo_t *page, const struct blockset *set, const struct grid *grid,
                          const struct solution *solution, double x, double y, double cell_mm);

/* Tags with their white edges. CALIB_E_VALUE for an id that is not in the family. */
int calib_paint_tags(cairo_t *page, const struct mat_tag *tag, int tags);

/* A mat's sheet without its tags: frames of seats and slots, numbers, and where there is room for
 * it a ruler. */
void calib_paint_mat_frames(cairo_t *page, const struct mat *mat);
/* The whole sheet. As calib_paint_tags. */
int calib_paint_mat(cairo_t *page, const struct mat *mat);
/* Where on the mat its ruler lies (the top-left of the room it takes); false when nowhere. */
bool calib_paint_mat_ruler(const struct mat *mat, double place_mm[2]);

/* A card's face or back with its top-left at x, y, `size_mm` wide. `bleed_mm`: how far a back goes
 * on beyond its edge, so that a cut beside the line shows no white. */
void calib_paint_card(cairo_t *page, const struct cardstyle *style, const struct blockset *set,
                      const struct card *card, double x, double y, double size_mm);
void calib_paint_card_back(cairo_t *page, const struct cardstyle *style, double x, double y,
                           double size_mm, double bleed_mm);

/* How large the paper net of a set's block is. */
void calib_paint_net_size(const struct blockset *set, double size_mm[2]);
/* A net: four long faces one below the other, both ends beside the first, flaps to glue. */
void calib_paint_net(cairo_t *page, const struct blockset *set, const struct block *block, double x,
                     double y);

/* A board for calibration, its top-left at 0, 0. `set` is needed for a card of colours (the one
 * that it was made for), else it may be NULL. As calib_paint_tags. */
int calib_paint_board(cairo_t *page, const struct board *board, const struct blockset *set);

/* A ramp's sheet: tracks and tags. As calib_paint_tags. */
int calib_paint_ramp(cairo_t *page, const struct ramp *ramp);

#endif
