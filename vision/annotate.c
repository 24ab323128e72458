/* vision/annotate.c: draws what was read over the picture, by Cairo. */
#include "vision/annotate.h"

#include "vision/error.h"

#include <cairo/cairo.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cell must be this wide for its letters to be legible; smaller ones are drawn on an enlarged
 * picture, which stays under the size below. */
#define CELL_LEGIBLE_PX 46.0
#define SCALE_MOST 3
#define SIDE_MOST_PX 6000

#define BOXES_MAX (MAT_SEATS_MAX * LAYOUT_CELLS_MAX + MAT_SEATS_MAX + 3 * MAT_SLOTS_MAX)

struct box {
    double x, y, width, height;
};

struct canvas {
    const struct annotate_picture *picture;
    cairo_t *cairo;
    double scale;         /* canvas px to a picture px */
    double width, height; /* canvas px */
    double line_px, font_px;
    int boxes; /* what panels should not cover */
    struct box box[BOXES_MAX];
};

struct paint {
    double r, g, b;
};

/* Chosen to differ in brightness as well as in hue. */
static const struct paint white = {1, 1, 1}, black = {0, 0, 0};
static const struct paint paint_of_mark[] = {[ANNOTATE_PLAIN] = {1, 1, 1},
                                             [ANNOTATE_RIGHT] = {0.35, 1, 0.45},
                                             [ANNOTATE_WRONG] = {1, 0.45, 0.40},
                                             [ANNOTATE_DOUBT] = {1, 0.85, 0.25}};

static void set_paint(cairo_t *cairo, struct paint paint, double alpha)
{
    cairo_set_source_rgba(cairo, paint.r, paint.g, paint.b, alpha);
}

/* ---- geometry ---- */

/* Pixel centres are at whole numbers for us, at halves for Cairo. */
static void to_canvas(const struct canvas *canvas, double x_px, double y_px, double out[2])
{
    out[0] = (x_px + 0.5) * canvas->scale;
    out[1] = (y_px + 0.5) * canvas->scale;
}

static void corners_to_canvas(const struct canvas *canvas, const int32_t px10[4][2],
                              double out[4][2])
{
    for (int k = 0; k < 4; k++)
        to_canvas(canvas, px10[k][0] / 10.0, px10[k][1] / 10.0, out[k]);
}

static bool has_corners(const int32_t px10[4][2])
{
    for (int k = 1; k < 4; k++)
        if (px10[k][0] != px10[0][0] || px10[k][1] != px10[0][1])
            return true;
    return false;
}

static struct box box_around(const double quad[4][2])
{
    double x0 = quad[0][0], x1 = x0, y0 = quad[0][1], y1 = y0;
    for (int k = 1; k < 4; k++) {
        x0 = fmin(x0, quad[k][0]);
        x1 = fmax(x1, quad[k][0]);
        y0 = fmin(y0, quad[k][1]);
        y1 = fmax(y1, quad[k][1]);
    }
    return (struct box){x0, y0, x1 - x0, y1 - y0};
}

/* A rectangle of the mat, on the sheet's surface, as four canvas points. */
static bool rect_to_canvas(const struct canvas *canvas, const double rect_mm[4], double out[4][2])
{
    const struct annotate_picture *picture = canvas->picture;
    for (int k = 0; k < 4; k++) {
        double point[3] = {rect_mm[0] + (k == 1 || k == 2 ? rect_mm[2] : 0),
                           rect_mm[1] + (k >= 2 ? rect_mm[3] : 0), 0};
        double pixel[2];
        if (!calib_camera_project(&picture->pose->camera, &picture->pose->pose, point, pixel))
            return false;
        if (picture->layout->mirrored)
            pixel[0] = picture->frame->width - 1 - pixel[0];
        to_canvas(canvas, pixel[0], pixel[1], out[k]);
    }
    return true;
}

static double mean_side(const double quad[4][2])
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += hypot(quad[k][0] - quad[(k + 1) % 4][0], quad[k][1] - quad[(k + 1) % 4][1]);
    return sum / 4;
}

static void keep_clear(struct canvas *canvas, struct box box)
{
    if (canvas->boxes < BOXES_MAX)
        canvas->box[canvas->boxes++] = box;
}

/* ---- strokes ---- */

static void trace(cairo_t *cairo, const double quad[4][2])
{
    cairo_new_path(cairo);
    for (int k = 0; k < 4; k++)
        cairo_line_to(cairo, quad[k][0], quad[k][1]);
    cairo_close_path(cairo);
}

/* Light on a darker edge: seen on every ground. */
static void stroke_both(const struct canvas *canvas, double width, struct paint paint)
{
    cairo_t *cairo = canvas->cairo;
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(cairo, width * 2.2);
    set_paint(cairo, black, 0.85);
    cairo_stroke_preserve(cairo);
    cairo_set_line_width(cairo, width);
    set_paint(cairo, paint, 1);
    cairo_stroke(cairo);
}

static void outline(const struct canvas *canvas, const double quad[4][2], double width,
                    struct paint paint, bool dashed)
{
    double dash[2] = {canvas->line_px * 4, canvas->line_px * 4};
    trace(canvas->cairo, quad);
    cairo_set_dash(canvas->cairo, dash, dashed ? 2 : 0, 0);
    stroke_both(canvas, width, paint);
    cairo_set_dash(canvas->cairo, dash, 0, 0);
}

static void cross_out(const struct canvas *canvas, const double quad[4][2])
{
    cairo_t *cairo = canvas->cairo;
    cairo_new_path(cairo);
    for (int k = 0; k < 2; k++) {
        cairo_move_to(cairo, quad[k][0], quad[k][1]);
        cairo_line_to(cairo, quad[k + 2][0], quad[k + 2][1]);
    }
    stroke_both(canvas, canvas->line_px * 2, paint_of_mark[ANNOTATE_WRONG]);
}

/* ---- text ---- */

static double text_width(const struct canvas *canvas, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(canvas->cairo, text, &extents);
    return extents.x_advance;
}

static void fill_box(const struct canvas *canvas, struct box box, double alpha)
{
    set_paint(canvas->cairo, black, alpha);
    cairo_rectangle(canvas->cairo, box.x, box.y, box.width, box.height);
    cairo_fill(canvas->cairo);
}

/* One line of text in the middle of a dark strip around (x, y). */
static void strip(const struct canvas *canvas, double x, double y, const char *text, double font,
                  struct paint paint)
{
    cairo_set_font_size(canvas->cairo, font);
    double width = text_width(canvas, text), height = font * 1.15;
    fill_box(canvas, (struct box){x - width / 2 - 2, y - height / 2, width + 4, height}, 0.72);
    set_paint(canvas->cairo, paint, 1);
    cairo_move_to(canvas->cairo, x - width / 2, y + font * 0.36);
    cairo_show_text(canvas->cairo, text);
}

static double overlap(struct box a, struct box b)
{
    double width = fmin(a.x + a.width, b.x + b.width) - fmax(a.x, b.x);
    double height = fmin(a.y + a.height, b.y + b.height) - fmax(a.y, b.y);
    return width > 0 && height > 0 ? width * height : 0;
}

/* Where a panel of that size covers least of what was drawn: tried at the corners and the middles
 * of the sides of `around`, inside and outside. */
static struct box place_panel(const struct canvas *canvas, struct box around, double width,
                              double height)
{
    const double xs[] = {around.x, around.x + around.width - width,
                         around.x + (around.width - width) / 2, around.x - width,
                         around.x + around.width};
    const double ys[] = {around.y, around.y + around.height - height,
                         around.y + (around.height - height) / 2, around.y - height,
                         around.y + around.height};
    struct box best = {0, 0, width, height};
    double least = INFINITY;
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 5; k++) {
            struct box box = {fmax(0, fmin(xs[k], canvas->width - width)),
                              fmax(0, fmin(ys[i], canvas->height - height)), width, height};
            double covered = 0;
            for (int b = 0; b < canvas->boxes; b++)
                covered += overlap(box, canvas->box[b]);
            if (covered < least) {
                least = covered;
                best = box;
            }
        }
    return best;
}

static void panel(struct canvas *canvas, struct box around, const char text[][ANNOTATE_TEXT_MAX],
                  int lines, int strong, enum annotate_mark mark)
{
    double font = canvas->font_px, pad = font * 0.35, width = 0;
    cairo_set_font_size(canvas->cairo, font);
    for (int i = 0; i < lines; i++)
        width = fmax(width, text_width(canvas, text[i]));
    struct box box = place_panel(canvas, around, width + 2 * pad, font * 1.25 * lines + 2 * pad);
    fill_box(canvas, box, 0.78);
    for (int i = 0; i < lines; i++) {
        set_paint(canvas->cairo, i == strong ? paint_of_mark[mark] : white, 1);
        cairo_move_to(canvas->cairo, box.x + pad, box.y + pad + font * (1.25 * i + 0.95));
        cairo_show_text(canvas->cairo, text[i]);
    }
    keep_clear(canvas, box);
}

/* ---- what is drawn ---- */

static const struct annotate_note *note_of(const struct canvas *canvas, int seat)
{
    for (int i = 0; canvas->picture->notes && i < canvas->picture->note_count; i++)
        if (canvas->picture->notes[i].seat == seat)
            return &canvas->picture->notes[i];
    return NULL;
}

static bool is_crossed(const struct annotate_note *note, const struct layout_cell *cell)
{
    for (int i = 0; note && i < note->crossed; i++)
        if (cell->row >= 0 && note->cross[i][0] == cell->row && note->cross[i][1] == cell->col)
            return true;
    return false;
}

static void draw_cell(struct canvas *canvas, const struct layout_cell *cell, bool crossed)
{
    double quad[4][2], middle[2];
    char text[24];
    /* Shown with its runner-up; nor does the ruling rest on it. */
    bool doubtful = cell->confidence < LAYOUT_SURE_PERMILLE;
    corners_to_canvas(canvas, cell->corner_px10, quad);
    to_canvas(canvas, cell->center_px10[0] / 10.0, cell->center_px10[1] / 10.0, middle);
    struct box box = box_around(quad);
    double side = mean_side(quad);
    outline(canvas, quad, canvas->line_px,
            paint_of_mark[doubtful ? ANNOTATE_DOUBT : ANNOTATE_PLAIN], doubtful);
    if (crossed)
        cross_out(canvas, quad);
    if (doubtful && cell->second)
        snprintf(text, sizeof text, "%c or %c?", cell->symbol, cell->second);
    else
        snprintf(text, sizeof text, "%c", cell->symbol);
    strip(canvas, middle[0], middle[1] - side * 0.30, text, side * (doubtful ? 0.26 : 0.34),
          paint_of_mark[doubtful ? ANNOTATE_DOUBT : ANNOTATE_PLAIN]);
    snprintf(text, sizeof text, "%d.%03d", cell->confidence / 1000, cell->confidence % 1000);
    strip(canvas, middle[0], middle[1] + side * 0.33, text, side * 0.24, white);
    keep_clear(canvas, box);
}

static void draw_seat_cells(struct canvas *canvas, const struct layout_seat *seat)
{
    const struct annotate_note *note = note_of(canvas, seat->seat);
    for (int c = 0; c < seat->cells && c < LAYOUT_CELLS_MAX; c++)
        draw_cell(canvas, &seat->cell[c], is_crossed(note, &seat->cell[c]));
}

static void draw_seat_panel(struct canvas *canvas, const struct layout_seat *seat)
{
    const struct mat *mat = canvas->picture->mat;
    const struct annotate_note *note = note_of(canvas, seat->seat);
    char text[ANNOTATE_LINES_MAX + 2][ANNOTATE_TEXT_MAX] = {{0}};
    double quad[4][2];
    int lines = 0;
    for (int i = 0; i < mat->seats; i++) {
        if (mat->seat[i].seat != seat->seat || !rect_to_canvas(canvas, mat->seat[i].rect_mm, quad))
            continue;
        outline(canvas, quad, canvas->line_px * 1.5, white, false);
        snprintf(text[lines++], ANNOTATE_TEXT_MAX, "seat %d: %s %d.%03d", seat->seat,
                 vision_seat_state_name(seat->state), seat->confidence / 1000,
                 seat->confidence % 1000);
        if (note)
            for (int n = 0; n < note->lines && n < ANNOTATE_LINES_MAX; n++)
                memcpy(text[lines++], note->line[n], ANNOTATE_TEXT_MAX);
        else if (seat->reasons)
            vision_reasons_text(seat->reasons, ", ", text[lines++], ANNOTATE_TEXT_MAX);
        panel(canvas, box_around(quad), (const char(*)[ANNOTATE_TEXT_MAX])text, lines, 1,
              note ? note->mark : ANNOTATE_PLAIN);
    }
}

static void describe_card(const struct layout_card *card, char text[2][ANNOTATE_TEXT_MAX])
{
    if (card->state == SLOT_FACE_UP)
        snprintf(text[0], ANNOTATE_TEXT_MAX, "slot %d: %s, level %d, %d.%03d", card->slot,
                 card->id[0] ? card->id : "not in the deck", card->level, card->confidence / 1000,
                 card->confidence % 1000);
    else
        snprintf(text[0], ANNOTATE_TEXT_MAX, "slot %d: %s", card->slot,
                 vision_slot_state_name(card->state));
    vision_reasons_text(card->reasons, ", ", text[1], ANNOTATE_TEXT_MAX);
}

static void draw_card(struct canvas *canvas, const struct layout_card *card)
{
    const struct mat *mat = canvas->picture->mat;
    char text[2][ANNOTATE_TEXT_MAX] = {{0}};
    double quad[4][2];
    bool found = has_corners(card->corner_px10);
    if (card->state == SLOT_EMPTY)
        return; /* nothing lies there: nothing to show */
    if (found)
        corners_to_canvas(canvas, card->corner_px10, quad);
    for (int i = 0; !found && i < mat->slots; i++)
        found =
            mat->slot[i].slot == card->slot && rect_to_canvas(canvas, mat->slot[i].rect_mm, quad);
    if (!found)
        return;
    outline(canvas, quad, canvas->line_px * 1.5, white, card->state != SLOT_FACE_UP);
    keep_clear(canvas, box_around(quad));
    describe_card(card, text);
    panel(canvas, box_around(quad), (const char(*)[ANNOTATE_TEXT_MAX])text, text[1][0] ? 2 : 1, -1,
          ANNOTATE_PLAIN);
}

static void draw_footer(struct canvas *canvas)
{
    const struct layout *layout = canvas->picture->layout;
    char text[2][ANNOTATE_TEXT_MAX] = {{0}};
    struct box bottom = {0, canvas->height, canvas->width, 0};
    snprintf(text[0], ANNOTATE_TEXT_MAX, "mat %s, %d tags, lens %s%s", layout->mat, layout->tags,
             layout->rig ? "given" : "estimated", layout->mirrored ? ", mirrored" : "");
    vision_reasons_text(layout->warnings, ", ", text[1], ANNOTATE_TEXT_MAX);
    panel(canvas, bottom, (const char(*)[ANNOTATE_TEXT_MAX])text, text[1][0] ? 2 : 1, -1,
          ANNOTATE_PLAIN);
}

static void draw_disc(struct canvas *canvas, const struct ramp_disc *disc)
{
    double middle[2], radius = disc->radius_px10 / 10.0 * canvas->scale;
    bool doubtful = disc->confidence < LAYOUT_SURE_PERMILLE;
    enum annotate_mark mark = doubtful ? ANNOTATE_DOUBT : ANNOTATE_PLAIN;
    double dash[2] = {canvas->line_px * 4, canvas->line_px * 4};
    char text[24];
    to_canvas(canvas, disc->center_px10[0] / 10.0, disc->center_px10[1] / 10.0, middle);
    cairo_new_path(canvas->cairo);
    cairo_arc(canvas->cairo, middle[0], middle[1], radius, 0, 2 * M_PI);
    cairo_set_dash(canvas->cairo, dash, doubtful ? 2 : 0, 0);
    stroke_both(canvas, canvas->line_px, paint_of_mark[mark]);
    cairo_set_dash(canvas->cairo, dash, 0, 0);
    if (doubtful)
        snprintf(text, sizeof text, "%c or %c?", disc->colour ? disc->colour : RAMP_UNTOLD,
                 disc->second ? disc->second : RAMP_UNTOLD);
    else
        snprintf(text, sizeof text, "%c", disc->colour);
    strip(canvas, middle[0], middle[1], text, radius * (doubtful ? 0.5 : 0.7),
          paint_of_mark[mark]);
    keep_clear(canvas, (struct box){middle[0] - radius, middle[1] - radius, 2 * radius,
                                    2 * radius});
}

/* The rows as they lie, the top one first. */
static void draw_ramp(struct canvas *canvas, const struct ramp_layout *ramp)
{
    char text[RAMP_ROWS_MAX + 3][ANNOTATE_TEXT_MAX] = {{0}};
    struct box whole = {0, 0, canvas->width, canvas->height};
    int lines = 0;
    for (int i = 0; i < ramp->discs && i < RAMP_DISCS_MAX; i++)
        draw_disc(canvas, &ramp->disc[i]);
    snprintf(text[lines++], ANNOTATE_TEXT_MAX, "ramp %s: %s %d.%03d", ramp->ramp,
             vision_ramp_state_name(ramp->state), ramp->confidence / 1000,
             ramp->confidence % 1000);
    for (int r = ramp->rows - 1; r >= 0; r--)
        snprintf(text[lines++], ANNOTATE_TEXT_MAX, "%.*s", ramp->tracks, ramp->place[r]);
    if (ramp->reasons)
        vision_reasons_text(ramp->reasons, ", ", text[lines++], ANNOTATE_TEXT_MAX);
    panel(canvas, whole, (const char(*)[ANNOTATE_TEXT_MAX])text, lines, 0, ANNOTATE_PLAIN);
}

static void draw_all(struct canvas *canvas)
{
    const struct layout *layout = canvas->picture->layout;
    cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_BOLD);
    if (canvas->picture->ramp) {
        draw_ramp(canvas, canvas->picture->ramp);
        return;
    }
    for (int s = 0; s < layout->seats && s < MAT_SEATS_MAX; s++)
        draw_seat_cells(canvas, &layout->seat[s]);
    for (int s = 0; s < layout->slots && s < MAT_SLOTS_MAX; s++)
        draw_card(canvas, &layout->card[s]);
    for (int s = 0; s < layout->seats && s < MAT_SEATS_MAX; s++)
        draw_seat_panel(canvas, &layout->seat[s]);
    draw_footer(canvas);
}

/* ---- the surface ---- */

/* Mean side of the cells on the picture; 0 when none was read. */
static double mean_side_px(const struct layout *layout)
{
    double sum = 0;
    int count = 0;
    for (int s = 0; s < layout->seats && s < MAT_SEATS_MAX; s++)
        for (int c = 0; c < layout->seat[s].cells && c < LAYOUT_CELLS_MAX; c++) {
            const int32_t(*corner)[2] = layout->seat[s].cell[c].corner_px10;
            sum += hypot(corner[1][0] - corner[0][0], corner[1][1] - corner[0][1]) / 10;
            count++;
        }
    return count ? sum / count : 0;
}

static int choose_scale(const struct annotate_picture *picture)
{
    const struct ramp_layout *ramp = picture->ramp;
    double side = ramp ? (ramp->discs ? ramp->disc[0].radius_px10 / 5.0 : 0)
                       : mean_side_px(picture->layout);
    int longest = picture->frame->width > picture->frame->height ? picture->frame->width
                                                                 : picture->frame->height;
    int scale = 1;
    while (side > 0 && side * scale < CELL_LEGIBLE_PX && scale < SCALE_MOST &&
           longest * (scale + 1) <= SIDE_MOST_PX)
        scale++;
    return scale;
}

/* The frame as a Cairo surface of its own size; NULL for no memory. */
static cairo_surface_t *surface_of_frame(const struct frame *frame)
{
    size_t width = (size_t)frame->width, height = (size_t)frame->height;
    uint8_t *rgb = malloc(width * height * 3);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, frame->width, frame->height);
    if (!rgb || cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
        free(rgb);
        cairo_surface_destroy(surface);
        return NULL;
    }
    capture_frame_to_rgb(frame, rgb);
    cairo_surface_flush(surface);
    unsigned char *bytes = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const uint8_t *p = rgb + (y * width + x) * 3;
            uint32_t pixel = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
            memcpy(bytes + y * stride + x * 4, &pixel, 4);
        }
    cairo_surface_mark_dirty(surface);
    free(rgb);
    return surface;
}

struct stream {
    annotate_write *write;
    void *context;
};

static cairo_status_t write_stream(void *closure, const unsigned char *bytes, unsigned int length)
{
    const struct stream *stream = closure;
    return stream->write(stream->context, bytes, length) ? CAIRO_STATUS_SUCCESS
                                                         : CAIRO_STATUS_WRITE_ERROR;
}

/* Paints the frame, enlarged, and everything on it. */
static void paint_canvas(struct canvas *canvas, cairo_surface_t *frame)
{
    cairo_save(canvas->cairo);
    cairo_scale(canvas->cairo, canvas->scale, canvas->scale);
    cairo_set_source_surface(canvas->cairo, frame, 0, 0);
    cairo_paint(canvas->cairo);
    cairo_restore(canvas->cairo);
    draw_all(canvas);
}

int vision_annotate(const struct annotate_picture *picture, annotate_write *write, void *context)
{
    int scale = choose_scale(picture), result = VISION_E_MEMORY;
    struct stream stream = {write, context};
    struct canvas *canvas = calloc(1, sizeof *canvas);
    cairo_surface_t *frame = surface_of_frame(picture->frame), *surface = NULL;
    if (!canvas || !frame)
        goto done;
    canvas->picture = picture;
    canvas->scale = scale;
    canvas->width = (double)picture->frame->width * scale;
    canvas->height = (double)picture->frame->height * scale;
    canvas->line_px = fmax(1.5, canvas->width / 1100);
    canvas->font_px = fmax(13, canvas->width / 95);
    surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture->frame->width * scale,
                                         picture->frame->height * scale);
    canvas->cairo = cairo_create(surface);
    paint_canvas(canvas, frame);
    if (cairo_status(canvas->cairo) == CAIRO_STATUS_SUCCESS) {
        cairo_status_t status = cairo_surface_write_to_png_stream(surface, write_stream, &stream);
        if (status == CAIRO_STATUS_SUCCESS)
            result = VISION_OK;
        else if (status == CAIRO_STATUS_WRITE_ERROR)
            result = VISION_E_ARGUMENT;
    }
    cairo_destroy(canvas->cairo);
done:
    cairo_surface_destroy(surface);
    cairo_surface_destroy(frame);
    free(canvas);
    return result;
}
