/* What all drawn things share: colours, letters, outlines, rulers, cells. */
#include "calib/paint.h"

#include "calib/symbol.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 256
#define RULER_TEXT_MM 2.4
#define RULER_NUMBER_MM 1.9
#define RULER_WORDS "print at 100 %: from 0 to 100 must be 100 mm"
/* Ink as light as this is left out: the paper is whiter, and a printer makes grey dots of it. */
#define PAPER_LEAST 0xf0

void calib_paint_colour(cairo_t *page, struct rgb8 rgb)
{
    cairo_set_source_rgb(page, rgb.r / 255.0, rgb.g / 255.0, rgb.b / 255.0);
}

/* Bytes of the UTF-8 sequence at `at`, or 0 when it is none or a control character. */
static int utf8_length(const unsigned char *at)
{
    int length = at[0] < 0x80   ? 1
                 : at[0] < 0xc2 ? 0
                 : at[0] < 0xe0 ? 2
                 : at[0] < 0xf0 ? 3
                 : at[0] < 0xf5 ? 4
                                : 0;

    if (at[0] < 0x20 || at[0] == 0x7f) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    bool beyond = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f);
    return overlong || beyond ? 0 : length;
}

static void text_clean(const char *text, char out[TEXT_MAX])
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0;

    while (*at) {
        int length = utf8_length(at);
        if (used + (length > 0 ? (size_t)length : 1) >= TEXT_MAX) {
            break;
        }
        if (length == 0) {
            out[used++] = '?';
            at++;
        }
        for (int i = 0; i < length; i++) {
            out[used++] = (char)*at++;
        }
    }
    out[used] = 0;
}

void calib_paint_text(cairo_t *page, double x, double y, double size_mm, double align,
                      double width_mm, bool bold, const char *text)
{
    char clean[TEXT_MAX];
    cairo_text_extents_t extents;

    text_clean(text, clean);
    cairo_save(page);
    cairo_select_font_face(page, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(page, size_mm);
    cairo_text_extents(page, clean, &extents);
    if (width_mm > 0.0 && extents.x_advance > width_mm) {
        cairo_set_font_size(page, size_mm * width_mm / extents.x_advance);
        cairo_text_extents(page, clean, &extents);
    }
    cairo_move_to(page, x - align * extents.x_advance, y);
    cairo_show_text(page, clean);
    cairo_new_path(page);
    cairo_restore(page);
}

void calib_paint_round(cairo_t *page, const double rect_mm[4], double corner_mm)
{
    double left = rect_mm[0] + corner_mm, right = rect_mm[0] + rect_mm[2] - corner_mm;
    double top = rect_mm[1] + corner_mm, bottom = rect_mm[1] + rect_mm[3] - corner_mm;

    cairo_new_sub_path(page);
    cairo_arc(page, right, top, corner_mm, -M_PI_2, 0.0);
    cairo_arc(page, right, bottom, corner_mm, 0.0, M_PI_2);
    cairo_arc(page, left, bottom, corner_mm, M_PI_2, M_PI);
    cairo_arc(page, left, top, corner_mm, M_PI, 3.0 * M_PI_2);
    cairo_close_path(page);
}

void calib_paint_ruler(cairo_t *page, double x, double y)
{
    double zero = x + PAINT_RULER_INSET_MM, edge = y + PAINT_RULER_LINE_MM;
    char number[8];

    cairo_save(page);
    cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
    calib_paint_text(page, zero + PAINT_RULER_MM / 2.0, y + 2.2, RULER_TEXT_MM, 0.5, PAINT_RULER_MM,
                     false, RULER_WORDS);
    cairo_set_line_width(page, 0.2);
    cairo_move_to(page, zero, edge);
    cairo_line_to(page, zero + PAINT_RULER_MM, edge);
    for (int mm = 0; mm <= (int)PAINT_RULER_MM; mm++) {
        cairo_move_to(page, zero + mm, edge);
        cairo_line_to(page, zero + mm, edge + (mm % 10 == 0 ? 3.4 : mm % 5 == 0 ? 2.4 : 1.5));
    }
    cairo_stroke(page);
    for (int mm = 0; mm <= (int)PAINT_RULER_MM; mm += 10) {
        (void)snprintf(number, sizeof number, "%d", mm);
        calib_paint_text(page, zero + mm, edge - 0.6, RULER_NUMBER_MM, 0.5, 0.0, false, number);
    }
    cairo_restore(page);
}

void calib_paint_cuts(cairo_t *page, const double rect_mm[4], double gap_mm, double length_mm)
{
    cairo_save(page);
    cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
    cairo_set_line_width(page, 0.15);
    for (int i = 0; i < 4; i++) {
        double x = rect_mm[0] + (i % 2) * rect_mm[2],
               y = rect_mm[1] + (i / 2 != 0 ? rect_mm[3] : 0.0);
        double across = i % 2 != 0 ? 1.0 : -1.0, down = i / 2 != 0 ? 1.0 : -1.0;
        cairo_move_to(page, x + across * gap_mm, y);
        cairo_rel_line_to(page, across * length_mm, 0.0);
        cairo_move_to(page, x, y + down * gap_mm);
        cairo_rel_line_to(page, 0.0, down * length_mm);
    }
    cairo_stroke(page);
    cairo_restore(page);
}

static void shape_path(cairo_t *page, const struct shape *shape)
{
    for (int i = 0; i < shape->contours; i++) {
        for (int point = shape->start[i]; point < shape->start[i + 1]; point++) {
            double x = (double)shape->x[point], y = (double)shape->y[point];
            if (point == shape->start[i]) {
                cairo_move_to(page, x, y);
            } else {
                cairo_line_to(page, x, y);
            }
        }
        cairo_close_path(page);
    }
}

static bool is_paper(struct rgb8 rgb)
{
    return rgb.r >= PAPER_LEAST && rgb.g >= PAPER_LEAST && rgb.b >= PAPER_LEAST;
}

void calib_paint_cell(cairo_t *page, const struct symbol *symbol, double rim, double x, double y,
                      double side_mm)
{
    double field = 1.0 - 2.0 * rim;
    const double rect[4] = {rim - 0.5, rim - 0.5, field, field};
    const struct rgb8 white = {255, 255, 255};

    cairo_save(page);
    cairo_translate(page, x + side_mm / 2.0, y + side_mm / 2.0);
    cairo_scale(page, side_mm, side_mm);
    calib_paint_colour(page, white);
    cairo_rectangle(page, -0.5, -0.5, 1.0, 1.0);
    cairo_fill(page);
    calib_paint_colour(page, symbol->field);
    calib_paint_round(page, rect, SYMBOL_FIELD_CORNER_CELLS);
    cairo_fill(page);
    calib_paint_colour(page, is_paper(symbol->ink) ? white : symbol->ink);
    cairo_set_fill_rule(page, symbol->shape.even_odd ? CAIRO_FILL_RULE_EVEN_ODD
                                                     : CAIRO_FILL_RULE_WINDING);
    cairo_scale(page, field, field);
    shape_path(page, &symbol->shape);
    cairo_fill(page);
    cairo_restore(page);
}

void calib_paint_grid(cairo_t *page, const struct blockset *set, const struct grid *grid,
                      double rim, double x, double y, double cell_mm)
{
    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            int symbol = calib_blockset_find(set, grid->cell[row][col]);
            if (symbol >= 0) {
                calib_paint_cell(page, &set->symbol[symbol], rim, x + col * cell_mm,
                                 y + row * cell_mm, cell_mm);
            }
        }
    }
}
