/* referee/cmd_match_canvas.c: drawing of pictures of rulings, by Cairo and Pango. */
#include "referee/cmd_match_canvas.h"

#include "calib/symbol.h"
#include "vision/plane.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A margin around a seat: blocks over its edge are seen, too. */
#define MARGIN_MM 6.0
/* Beyond this a picture is only blown up. */
#define PX_PER_MM_MOST 4.0
#define SYMBOL_SAMPLES 4
/* Steps from linear light to sRGB: finer than a byte's at the dark end. */
#define LIGHTS 4096

/* They differ in brightness as well as in hue. */
const struct canvas_paint canvas_white = {1, 1, 1}, canvas_grey = {0.66, 0.69, 0.73},
                          canvas_good = {0.35, 1, 0.45}, canvas_bad = {1, 0.45, 0.40},
                          canvas_unsure = {1, 0.85, 0.25};

bool cmd_canvas_open(struct canvas *canvas, int width, int height)
{
    *canvas = (struct canvas){.width = width, .height = height};
    canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    canvas->cairo = cairo_create(canvas->surface);
    cairo_set_source_rgb(canvas->cairo, 0.086, 0.10, 0.12);
    cairo_paint(canvas->cairo);
    return cairo_status(canvas->cairo) == CAIRO_STATUS_SUCCESS;
}

void cmd_canvas_close(struct canvas *canvas)
{
    if (canvas->cairo)
        cairo_destroy(canvas->cairo);
    if (canvas->surface)
        cairo_surface_destroy(canvas->surface);
    *canvas = (struct canvas){.width = 0};
}

struct bytes {
    unsigned char *at;
    size_t length, room;
};

static cairo_status_t bytes_add(void *closure, const unsigned char *more, unsigned int length)
{
    struct bytes *bytes = closure;

    if (bytes->length + length > bytes->room) {
        size_t room = 2 * bytes->room + length + 65536;
        unsigned char *grown = realloc(bytes->at, room);
        if (!grown)
            return CAIRO_STATUS_NO_MEMORY;
        bytes->at = grown;
        bytes->room = room;
    }
    memcpy(bytes->at + bytes->length, more, length);
    bytes->length += length;
    return CAIRO_STATUS_SUCCESS;
}

bool cmd_canvas_png(struct canvas *canvas, unsigned char **bytes, size_t *length)
{
    struct bytes png = {.at = NULL};

    cairo_surface_flush(canvas->surface);
    if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS ||
        cairo_surface_write_to_png_stream(canvas->surface, bytes_add, &png) !=
            CAIRO_STATUS_SUCCESS) {
        free(png.at);
        return false;
    }
    *bytes = png.at;
    *length = png.length;
    return true;
}

static void paint_set(struct canvas *canvas, struct canvas_paint paint)
{
    cairo_set_source_rgb(canvas->cairo, paint.r, paint.g, paint.b);
}

static PangoLayout *text_layout(struct canvas *canvas, struct canvas_font font, const char *text)
{
    PangoLayout *layout = pango_cairo_create_layout(canvas->cairo);
    PangoFontDescription *face = pango_font_description_new();

    pango_font_description_set_family(face, "sans-serif");
    pango_font_description_set_absolute_size(face, font.size * PANGO_SCALE);
    pango_font_description_set_weight(face, font.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, face);
    pango_layout_set_text(layout, text, -1);
    pango_font_description_free(face);
    return layout;
}

double cmd_canvas_text(struct canvas *canvas, double x, double y, double width, int lines,
                       struct canvas_font font, const char *text)
{
    PangoLayout *layout = text_layout(canvas, font, text);
    int height = 0;

    pango_layout_set_width(layout, (int)(width * PANGO_SCALE));
    pango_layout_set_height(layout, -lines);
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
    /* A name of another direction still begins where the others do. */
    pango_layout_set_auto_dir(layout, FALSE);
    pango_layout_get_pixel_size(layout, NULL, &height);
    paint_set(canvas, font.paint);
    cairo_move_to(canvas->cairo, x, y);
    pango_cairo_show_layout(canvas->cairo, layout);
    g_object_unref(layout);
    return height;
}

void cmd_canvas_label(struct canvas *canvas, double x, double y, struct canvas_font font,
                      const char *text)
{
    PangoLayout *layout = text_layout(canvas, font, text);
    int width = 0, height = 0;

    pango_layout_get_pixel_size(layout, &width, &height);
    cairo_set_source_rgba(canvas->cairo, 0, 0, 0, 0.75);
    cairo_rectangle(canvas->cairo, x - width / 2.0 - 2, y - height / 2.0, width + 4.0, height);
    cairo_fill(canvas->cairo);
    paint_set(canvas, font.paint);
    cairo_move_to(canvas->cairo, x - width / 2.0, y - height / 2.0);
    pango_cairo_show_layout(canvas->cairo, layout);
    g_object_unref(layout);
}

void cmd_canvas_box(struct canvas *canvas, double x, double y, double width, double height,
                    struct canvas_paint paint, double line)
{
    paint_set(canvas, paint);
    cairo_set_line_width(canvas->cairo, line);
    cairo_rectangle(canvas->cairo, x, y, width, height);
    cairo_stroke(canvas->cairo);
}

/* ---- symbols and cards ---- */

static double mix(uint8_t one, uint8_t other, double field, double ink)
{
    return (1 - field) + (field - ink) * calib_srgb_to_linear(one) +
           ink * calib_srgb_to_linear(other);
}

static void symbol_pixels(const struct symbol *symbol, const float *field, const float *ink,
                          int side, cairo_surface_t *surface)
{
    unsigned char *bytes = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);

    cairo_surface_flush(surface);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            double f = (double)field[y * side + x], i = (double)ink[y * side + x];
            uint32_t r = calib_linear_to_srgb(mix(symbol->field.r, symbol->ink.r, f, i)),
                     g = calib_linear_to_srgb(mix(symbol->field.g, symbol->ink.g, f, i)),
                     b = calib_linear_to_srgb(mix(symbol->field.b, symbol->ink.b, f, i));
            uint32_t pixel = r << 16 | g << 8 | b;
            memcpy(bytes + (size_t)y * stride + (size_t)x * 4, &pixel, 4);
        }
    cairo_surface_mark_dirty(surface);
}

static void symbol_paint(struct canvas *canvas, const struct blockset *set, char label, double x,
                         double y, int side)
{
    int index = calib_blockset_find(set, label);
    size_t pixels = (size_t)side * (size_t)side;
    float *field = malloc(2 * pixels * sizeof *field);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, side, side);

    if (index >= 0 && field && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
        const struct symbol *symbol = &set->symbol[index];
        calib_symbol_draw(symbol, set->rim, side, SYMBOL_SAMPLES, field, field + pixels);
        symbol_pixels(symbol, field, field + pixels, side, surface);
        cairo_set_source_surface(canvas->cairo, surface, x, y);
        cairo_paint(canvas->cairo);
    }
    cairo_surface_destroy(surface);
    free(field);
}

void cmd_canvas_grid(struct canvas *canvas, const struct canvas_grid *what)
{
    int side = (int)what->cell;

    for (int row = 0; row < what->grid->rows; row++)
        for (int col = 0; col < what->grid->cols; col++)
            if (what->grid->cell[row][col] != GRID_HOLE)
                symbol_paint(canvas, what->set, what->grid->cell[row][col],
                             floor(what->x + col * side), floor(what->y + row * side), side);
}

void cmd_canvas_card(struct canvas *canvas, const struct cardstyle *style, int level, double side,
                     struct canvas_grid *what)
{
    const struct rgb8 *border = &style->border[level >= 1 && level <= CARD_LEVELS ? level : 1];
    const double mm = side / style->size_mm, edge = style->border_mm * mm;
    const double r = border->r / 255.0, g = border->g / 255.0, b = border->b / 255.0;
    const double panel = style->panel_mix;
    int longest = what->grid->rows > what->grid->cols ? what->grid->rows : what->grid->cols;

    cairo_set_source_rgb(canvas->cairo, r, g, b);
    cairo_rectangle(canvas->cairo, what->x, what->y, side, side);
    cairo_fill(canvas->cairo);
    cairo_set_source_rgb(canvas->cairo, 1 - panel + panel * r, 1 - panel + panel * g,
                         1 - panel + panel * b);
    cairo_rectangle(canvas->cairo, what->x + edge, what->y + edge, side - 2 * edge,
                    side - 2 * edge);
    cairo_fill(canvas->cairo);
    what->cell = floor(fmin(style->cell_mm * mm, (side - 3 * edge) / (longest > 0 ? longest : 1)));
    what->x += (side - what->cell * what->grid->cols) / 2;
    what->y += (side - what->cell * what->grid->rows) / 2;
    cmd_canvas_grid(canvas, what);
}

/* Light on a darker edge: seen on every ground. */
static void stroke_both(struct canvas *canvas, struct canvas_paint paint, double line, double dash)
{
    cairo_t *cairo = canvas->cairo;
    const double dashes[2] = {dash, dash / 2};

    cairo_set_source_rgba(cairo, 0, 0, 0, 0.85);
    cairo_set_line_width(cairo, 2.2 * line);
    cairo_stroke_preserve(cairo);
    paint_set(canvas, paint);
    cairo_set_line_width(cairo, line);
    cairo_set_dash(cairo, dashes, dash > 0 ? 2 : 0, 0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, dashes, 0, 0);
}

static void square_begin(struct canvas *canvas, double x, double y, double turned_deg)
{
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, x, y);
    cairo_rotate(canvas->cairo, turned_deg * G_PI / 180);
    cairo_new_path(canvas->cairo);
}

void cmd_canvas_cell(struct canvas *canvas, double x, double y, double side, double turned_deg,
                     bool doubtful)
{
    square_begin(canvas, x, y, turned_deg);
    cairo_rectangle(canvas->cairo, -side / 2, -side / 2, side, side);
    stroke_both(canvas, doubtful ? canvas_unsure : canvas_white, fmax(1.5, side / 36),
                doubtful ? side / 6 : 0);
    cairo_restore(canvas->cairo);
}

void cmd_canvas_wrong(struct canvas *canvas, double x, double y, double side, double turned_deg,
                      bool crossed)
{
    const double half = side / 2, line = fmax(2.5, side / 14);

    square_begin(canvas, x, y, turned_deg);
    cairo_rectangle(canvas->cairo, -half, -half, side, side);
    stroke_both(canvas, canvas_bad, line, side / 5);
    if (crossed) {
        cairo_move_to(canvas->cairo, -half, -half);
        cairo_line_to(canvas->cairo, half, half);
        cairo_move_to(canvas->cairo, half, -half);
        cairo_line_to(canvas->cairo, -half, half);
        stroke_both(canvas, canvas_bad, line, 0);
    }
    cairo_restore(canvas->cairo);
}

/* ---- a seat from above ---- */

static void lights_fill(uint8_t lights[LIGHTS + 1])
{
    for (int i = 0; i <= LIGHTS; i++)
        lights[i] = calib_linear_to_srgb((double)i / LIGHTS);
}

static uint32_t light_byte(const uint8_t lights[LIGHTS + 1], float value)
{
    double v = (double)value * LIGHTS;

    return lights[v < 0 ? 0 : v > LIGHTS ? LIGHTS : (int)(v + 0.5)];
}

static cairo_surface_t *patch_surface(const struct patch *patch)
{
    uint8_t lights[LIGHTS + 1];
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, patch->width, patch->height);

    if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(surface);
        return NULL;
    }
    lights_fill(lights);
    cairo_surface_flush(surface);
    unsigned char *bytes = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (int y = 0; y < patch->height; y++)
        for (int x = 0; x < patch->width; x++) {
            size_t place = (size_t)y * (size_t)patch->width + (size_t)x;
            const float *rgb = patch->rgb + 3 * place;
            uint32_t pixel = patch->flag[place] & PATCH_OUTSIDE
                                 ? 0x303030
                                 : light_byte(lights, rgb[0]) << 16 |
                                       light_byte(lights, rgb[1]) << 8 | light_byte(lights, rgb[2]);
            memcpy(bytes + (size_t)y * stride + (size_t)x * 4, &pixel, 4);
        }
    cairo_surface_mark_dirty(surface);
    return surface;
}

/* Seats' uprights are quarter turns on every mat of ours; any other is shown unturned cut. */
static void view_measure(const struct mat_seat *seat, double width, double height,
                         const double rect_mm[4], struct canvas_view *out)
{
    out->turn_rad = atan2(-1, 0) - atan2(seat->up[1], seat->up[0]);
    double c = fabs(cos(out->turn_rad)), s = fabs(sin(out->turn_rad));
    double wide = c * rect_mm[2] + s * rect_mm[3], high = s * rect_mm[2] + c * rect_mm[3];

    out->px_per_mm = fmin(PX_PER_MM_MOST, fmin(width / wide, height / high));
    out->width = wide * out->px_per_mm;
    out->height = high * out->px_per_mm;
    out->middle_mm[0] = seat->rect_mm[0] + seat->rect_mm[2] / 2;
    out->middle_mm[1] = seat->rect_mm[1] + seat->rect_mm[3] / 2;
}

bool cmd_canvas_view(const struct frame *frame, const struct mat_pose *pose,
                     const struct mat_seat *seat, double tops_mm, double width, double height,
                     struct canvas_view *out)
{
    const double rect_mm[4] = {seat->rect_mm[0] - MARGIN_MM, seat->rect_mm[1] - MARGIN_MM,
                               seat->rect_mm[2] + 2 * MARGIN_MM, seat->rect_mm[3] + 2 * MARGIN_MM};
    struct pyramid *pyramid = vision_pyramid_create();
    struct patch patch = {.width = 0};

    *out = (struct canvas_view){.picture = NULL};
    view_measure(seat, width, height, rect_mm, out);
    if (pyramid && vision_pyramid_build(pyramid, frame) == 0 &&
        vision_patch_sample(&patch, pyramid, pose, rect_mm, -tops_mm, out->px_per_mm) == 0)
        out->picture = patch_surface(&patch);
    vision_patch_free(&patch);
    vision_pyramid_destroy(&pyramid);
    return out->picture != NULL;
}

void cmd_canvas_view_free(struct canvas_view *view)
{
    if (view->picture)
        cairo_surface_destroy(view->picture);
    view->picture = NULL;
}

void cmd_canvas_view_point(const struct canvas_view *view, double x_mm, double y_mm, double out[2])
{
    double x = (x_mm - view->middle_mm[0]) * view->px_per_mm;
    double y = (y_mm - view->middle_mm[1]) * view->px_per_mm;

    out[0] = view->width / 2 + x * cos(view->turn_rad) - y * sin(view->turn_rad);
    out[1] = view->height / 2 + x * sin(view->turn_rad) + y * cos(view->turn_rad);
}

void cmd_canvas_view_paint(struct canvas *canvas, const struct canvas_view *view, double x,
                           double y)
{
    double wide = cairo_image_surface_get_width(view->picture);
    double high = cairo_image_surface_get_height(view->picture);
    cairo_t *cairo = canvas->cairo;

    cairo_save(cairo);
    cairo_rectangle(cairo, x, y, view->width, view->height);
    cairo_clip(cairo);
    cairo_translate(cairo, x + view->width / 2, y + view->height / 2);
    cairo_rotate(cairo, view->turn_rad);
    cairo_set_source_surface(cairo, view->picture, -wide / 2, -high / 2);
    cairo_paint(cairo);
    cairo_restore(cairo);
}
