/* Paper nets of blocks. */
#include "calib/paint.h"

#include <math.h>

#define FLAP_MM 8.0
#define FLAP_SLANT_MM 4.0
#define OUTLINE_MM 0.2
#define FOLD_MM 0.1
#define END_INSET 0.06 /* of the grey field of an end, in widths of the block */
#define PIP_RADIUS 0.075
#define PIP_PITCH 0.24
#define PIPS_MAX 9
static const struct rgb8 end_grey = {126, 128, 130};
static const struct rgb8 line_grey = {150, 150, 150}; /* faint: it stays visible on an edge */

/* A net is a column of four faces, "height" across the odd ones: top, front, bottom, back. */
static double face_height(const struct blockset *set, int face)
{
    return face % 2 == 0 ? set->width_mm : set->height_mm;
}

void calib_paint_net_size(const struct blockset *set, double size_mm[2])
{
    size_mm[0] = set->length_mm + 2.0 * (set->height_mm + FLAP_MM);
    size_mm[1] = FLAP_MM + 2.0 * (set->width_mm + set->height_mm) + FLAP_MM;
}

/* A flap beside the line from a to b, on its right hand as one goes. */
static void flap_path(cairo_t *page, double ax, double ay, double bx, double by)
{
    double length = hypot(bx - ax, by - ay), ux = (bx - ax) / length, uy = (by - ay) / length;
    double slant = fmin(FLAP_SLANT_MM, length / 4.0);

    cairo_move_to(page, ax, ay);
    cairo_line_to(page, ax + slant * ux + FLAP_MM * uy, ay + slant * uy - FLAP_MM * ux);
    cairo_line_to(page, bx - slant * ux + FLAP_MM * uy, by - slant * uy - FLAP_MM * ux);
    cairo_line_to(page, bx, by);
}

/* 1 to 9 as on a die: the middle one when odd, then opposite pairs. */
static void pips_paint(cairo_t *page, int number)
{
    static const signed char place[4][2] = {{-1, -1}, {1, -1}, {-1, 0}, {0, -1}};

    number = number < 0 ? 0 : number > PIPS_MAX ? PIPS_MAX : number;
    for (int i = 0; i < number; i++) {
        int pair = i - number % 2, sign = pair % 2 == 0 ? 1 : -1;
        const signed char *at = place[pair < 0 ? 0 : pair / 2];
        double x = pair < 0 ? 0.0 : sign * at[0] * PIP_PITCH;
        double y = pair < 0 ? 0.0 : sign * at[1] * PIP_PITCH;
        cairo_new_sub_path(page);
        cairo_arc(page, x, y, PIP_RADIUS, 0.0, 2.0 * M_PI);
    }
    cairo_fill(page);
}

static void end_paint(cairo_t *page, int number, double x, double y, double width, double height)
{
    const double field[4] = {END_INSET - 0.5, END_INSET - 0.5, 1.0 - 2.0 * END_INSET,
                             1.0 - 2.0 * END_INSET};

    cairo_save(page);
    cairo_translate(page, x + width / 2.0, y + height / 2.0);
    cairo_scale(page, width, height);
    calib_paint_colour(page, end_grey);
    calib_paint_round(page, field, 0.05);
    cairo_fill(page);
    cairo_set_source_rgb(page, 1.0, 1.0, 1.0);
    pips_paint(page, number);
    cairo_restore(page);
}

static void faces_paint(cairo_t *page, const struct blockset *set, const struct block *block,
                        double x, double y)
{
    double cell = set->length_mm / 2.0;

    for (int face = 0; face < BLOCKSET_FACES_MAX; face++) {
        double height = face_height(set, face);
        for (int i = 0; i < 2 && face < block->faces; i++) {
            int symbol = calib_blockset_find(set, block->face[face][i]);
            cairo_save(page); /* a cell is square but on a block that is not */
            cairo_translate(page, x + i * cell, y);
            cairo_scale(page, 1.0, height / cell);
            if (symbol >= 0) {
                calib_paint_cell(page, &set->symbol[symbol], set->rim, 0.0, 0.0, cell);
            }
            cairo_restore(page);
        }
        y += height;
    }
}

/* Where to cut: flaps above, below and around the ends, and the ends beside the first face. */
static void outline_path(cairo_t *page, const struct blockset *set, double left, double top)
{
    double right = left + set->length_mm, low = top + set->width_mm;
    double bottom = top + 2.0 * (set->width_mm + set->height_mm);
    double h = set->height_mm;

    flap_path(page, right, bottom, left, bottom);
    cairo_move_to(page, left, bottom);
    cairo_line_to(page, left, low);
    flap_path(page, left, low, left - h, low);
    flap_path(page, left - h, low, left - h, top);
    flap_path(page, left - h, top, left, top);
    cairo_move_to(page, left, top);
    cairo_line_to(page, right, top);
    flap_path(page, right, top, right + h, top);
    flap_path(page, right + h, top, right + h, low);
    flap_path(page, right + h, low, right, low);
    cairo_move_to(page, right, low);
    cairo_line_to(page, right, bottom);
}

static void folds_path(cairo_t *page, const struct blockset *set, double left, double top)
{
    double h = set->height_mm, y = top;

    for (int face = 0; face < BLOCKSET_FACES_MAX; face++) {
        y += face_height(set, face);
        cairo_move_to(page, left, y);
        cairo_rel_line_to(page, set->length_mm, 0.0);
    }
    for (int side = 0; side < 2; side++) {
        double x = side == 0 ? left : left + set->length_mm, out = side == 0 ? -h : h;
        cairo_move_to(page, x, top);
        cairo_rel_line_to(page, 0.0, set->width_mm);
        cairo_move_to(page, x + out, top);
        cairo_rel_line_to(page, 0.0, set->width_mm);
        for (int edge = 0; edge < 2; edge++) {
            cairo_move_to(page, x, top + edge * set->width_mm);
            cairo_rel_line_to(page, out, 0.0);
        }
    }
}

void calib_paint_net(cairo_t *page, const struct blockset *set, const struct block *block, double x,
                     double y)
{
    double left = x + FLAP_MM + set->height_mm, top = y + FLAP_MM;

    cairo_save(page);
    faces_paint(page, set, block, left, top);
    end_paint(page, block->number, left - set->height_mm, top, set->height_mm, set->width_mm);
    end_paint(page, block->number, left + set->length_mm, top, set->height_mm, set->width_mm);
    calib_paint_colour(page, line_grey);
    cairo_set_line_width(page, FOLD_MM);
    folds_path(page, set, left, top);
    cairo_stroke(page);
    cairo_set_line_width(page, OUTLINE_MM);
    outline_path(page, set, left, top);
    cairo_stroke(page);
    cairo_restore(page);
}
