/* Cards, both sides. */
#include "calib/paint.h"

#include <math.h>
#include <stdio.h>

#define ID_TEXT_MM 2.6
#define ID_INSET_MM 3.0    /* of the name, from the card's right edge */
#define ID_BASELINE_MM 1.6 /* and from its lower one */
#define BACK_FRAME_MM 3.0  /* the middle of the pale frame, from the edge */
#define BACK_STRIPE_MM 5.0
#define BLOCK_LINE 0.035 /* half of the line around a block, in cells */
static const struct rgb8 back_frame = {214, 210, 198};

static struct rgb8 mixed(struct rgb8 a, struct rgb8 b, double share_b)
{
    return (struct rgb8){(uint8_t)lround(a.r + (b.r - a.r) * share_b),
                         (uint8_t)lround(a.g + (b.g - a.g) * share_b),
                         (uint8_t)lround(a.b + (b.b - a.b) * share_b)};
}

/* As many as the level across the border, at the middle of each edge. */
static void ticks_paint(cairo_t *page, const struct cardstyle *style, int level)
{
    double half = style->size_mm / 2.0;

    calib_paint_colour(page, style->tick);
    for (int edge = 0; edge < 4; edge++) {
        cairo_save(page);
        cairo_translate(page, half, half);
        cairo_rotate(page, edge * M_PI_2);
        for (int i = 0; i < level; i++) {
            double at = (i - (level - 1) / 2.0) * style->tick_pitch_mm;
            cairo_rectangle(page, at - style->tick_width_mm / 2.0, style->tick_inset_mm - half,
                            style->tick_width_mm, style->border_mm - 2.0 * style->tick_inset_mm);
        }
        cairo_fill(page);
        cairo_restore(page);
    }
}

/* The card's name in the border, small, so that a person can call it; beside the ticks. */
static void id_paint(cairo_t *page, const struct cardstyle *style, int level, const char *id)
{
    double ticks = level * style->tick_pitch_mm / 2.0 + 1.0;
    double room = style->size_mm / 2.0 - ticks - ID_INSET_MM;
    double size = fmin(ID_TEXT_MM, 0.6 * style->border_mm);

    if (room > 0.0 && size > 0.0) {
        calib_paint_colour(page, style->tick);
        calib_paint_text(page, style->size_mm - ID_INSET_MM, style->size_mm - ID_BASELINE_MM, size,
                         1.0, room, false, id);
    }
}

void calib_paint_card(cairo_t *page, const struct cardstyle *style, const struct blockset *set,
                      const struct card *card, double x, double y, double size_mm)
{
    int level = card->level >= 1 && card->level <= CARD_LEVELS ? card->level : 1;
    double side = style->size_mm, border = style->border_mm;
    const double panel[4] = {border, border, side - 2.0 * border, side - 2.0 * border};
    const struct rgb8 white = {255, 255, 255};

    cairo_save(page);
    cairo_translate(page, x, y);
    cairo_scale(page, size_mm / side, size_mm / side); /* smaller, everything in proportion */
    calib_paint_colour(page, style->border[level]);
    cairo_rectangle(page, 0.0, 0.0, side, side);
    cairo_fill(page);
    calib_paint_colour(page, mixed(white, style->border[level], style->panel_mix));
    calib_paint_round(page, panel, style->corner_mm);
    cairo_fill(page);
    ticks_paint(page, style, level);
    id_paint(page, style, level, card->id);
    calib_paint_grid(page, set, &card->grid, style->rim,
                     (side - card->grid.cols * style->cell_mm) / 2.0,
                     (side - card->grid.rows * style->cell_mm) / 2.0, style->cell_mm);
    cairo_restore(page);
}

void calib_paint_solution(cairo_t *page, const struct blockset *set, const struct grid *grid,
                          const struct solution *solution, double x, double y, double cell_mm)
{
    cairo_save(page);
    calib_paint_grid(page, set, grid, set->rim, x, y, cell_mm);
    cairo_translate(page, x, y);
    cairo_scale(page, cell_mm, cell_mm);
    for (int i = 0; i < solution->lays; i++) {
        const uint8_t *a = solution->lay[i].first, *b = solution->lay[i].second;
        double left = a[1] < b[1] ? a[1] : b[1], top = a[0] < b[0] ? a[0] : b[0];
        const double rect[4] = {left + BLOCK_LINE, top + BLOCK_LINE,
                                (a[0] == b[0] ? 2.0 : 1.0) - 2.0 * BLOCK_LINE,
                                (a[0] == b[0] ? 1.0 : 2.0) - 2.0 * BLOCK_LINE};
        double middle_x = (a[1] + b[1] + 1) / 2.0, middle_y = (a[0] + b[0] + 1) / 2.0;
        char number[12];
        cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
        cairo_set_line_width(page, 2.0 * BLOCK_LINE);
        calib_paint_round(page, rect, 0.1);
        cairo_stroke(page);
        cairo_new_sub_path(page);
        cairo_arc(page, middle_x, middle_y, 0.17, 0.0, 2.0 * M_PI);
        cairo_fill(page);
        cairo_set_source_rgb(page, 1.0, 1.0, 1.0);
        (void)snprintf(number, sizeof number, "%d", set->block[solution->lay[i].block].number);
        calib_paint_text(page, middle_x, middle_y + 0.09, 0.26, 0.5, 0.0, true, number);
    }
    cairo_restore(page);
}

/* Stripes through the middle as well as anywhere else, and so that a half turn shows nothing. */
static void stripes_paint(cairo_t *page, double side, double bleed)
{
    double reach = side + 2.0 * bleed;

    cairo_set_line_width(page, BACK_STRIPE_MM / 3.0);
    for (double off = -ceil(reach / BACK_STRIPE_MM) * BACK_STRIPE_MM; off <= reach;
         off += BACK_STRIPE_MM) {
        cairo_move_to(page, side / 2.0 + off - reach, side / 2.0 - reach);
        cairo_line_to(page, side / 2.0 + off + reach, side / 2.0 + reach);
    }
    cairo_stroke(page);
}

void calib_paint_card_back(cairo_t *page, const struct cardstyle *style, double x, double y,
                           double size_mm, double bleed_mm)
{
    double side = style->size_mm, bleed = bleed_mm * side / size_mm, whole = side + 2.0 * bleed;
    const double frame[4] = {BACK_FRAME_MM, BACK_FRAME_MM, side - 2.0 * BACK_FRAME_MM,
                             side - 2.0 * BACK_FRAME_MM};
    const struct rgb8 white = {255, 255, 255};

    cairo_save(page);
    cairo_translate(page, x, y);
    cairo_scale(page, size_mm / side, size_mm / side);
    cairo_rectangle(page, -bleed, -bleed, whole, whole);
    cairo_clip(page);
    calib_paint_colour(page, style->back);
    cairo_paint(page);
    calib_paint_colour(page, mixed(style->back, white, 0.12)); /* far from any cell's field */
    stripes_paint(page, side, bleed);
    calib_paint_colour(page, back_frame);
    cairo_set_line_width(page, 1.0);
    calib_paint_round(page, frame, fmin(2.0, frame[2] / 4.0));
    cairo_stroke(page);
    cairo_restore(page);
}
