#include "calib/press.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MM_PER_INCH 25.4
#define PT_PER_MM (72.0 / MM_PER_INCH)
#define SIDE_MAX_MM 5000.0 /* as of the kit's sheets */
#define BYTES_FIRST ((size_t)65536)
/* Where the first chunk of every PNG, of fixed length, ends: signature and IHDR. */
#define PNG_HEAD ((size_t)33)

struct press_file {
    unsigned char *bytes;
    size_t length, room;
};

struct press {
    struct press_options options;
    int error;                /* the first */
    cairo_surface_t *surface; /* of the page being drawn; of all of a PDF */
    cairo_t *page;
    int pages, files;
    struct press_file *file;
};

static void press_fail(struct press *press, int error)
{
    press->error = press->error ? press->error : error;
}

static void status_take(struct press *press, cairo_status_t status)
{
    if (status == CAIRO_STATUS_NO_MEMORY) {
        press_fail(press, CALIB_E_MEMORY);
    } else if (status != CAIRO_STATUS_SUCCESS) {
        press_fail(press, CALIB_E_VALUE);
    }
}

static cairo_status_t bytes_take(void *context, const unsigned char *bytes, unsigned int length)
{
    struct press *press = context;
    struct press_file *file = &press->file[press->files - 1];

    if (file->room - file->length < length) {
        size_t room = file->room ? 2 * file->room : BYTES_FIRST;
        while (room - file->length < length) {
            room *= 2;
        }
        unsigned char *grown = realloc(file->bytes, room);
        if (!grown) {
            return CAIRO_STATUS_NO_MEMORY;
        }
        file->bytes = grown;
        file->room = room;
    }
    memcpy(file->bytes + file->length, bytes, length);
    file->length += length;
    return CAIRO_STATUS_SUCCESS;
}

struct press *calib_press_create(const struct press_options *options)
{
    struct press *press = calloc(1, sizeof *press);

    if (press) {
        press->options = *options;
    }
    return press;
}

static bool file_begin(struct press *press)
{
    struct press_file *grown =
        realloc(press->file, (size_t)(press->files + 1) * sizeof *press->file);

    if (!grown) {
        press_fail(press, CALIB_E_MEMORY);
        return false;
    }
    press->file = grown;
    press->file[press->files++] = (struct press_file){NULL, 0, 0};
    return true;
}

/* How finely a printer is told to print the file: the chunk pHYs, behind the header. */
static void png_density_put(struct press *press)
{
    struct press_file *file = &press->file[press->files - 1];
    unsigned char chunk[21] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
    png_uint_32 per_metre = (png_uint_32)lround(press->options.dpi * 1000.0 / MM_PER_INCH);

    png_save_uint_32(chunk + 8, per_metre);
    png_save_uint_32(chunk + 12, per_metre);
    chunk[16] = 1; /* metres */
    png_save_uint_32(chunk + 17, (png_uint_32)crc32(0, chunk + 4, 13));
    if (file->length < PNG_HEAD || bytes_take(press, chunk, sizeof chunk) != CAIRO_STATUS_SUCCESS) {
        press_fail(press, CALIB_E_MEMORY);
        return;
    }
    memmove(file->bytes + PNG_HEAD + sizeof chunk, file->bytes + PNG_HEAD,
            file->length - PNG_HEAD - sizeof chunk);
    memcpy(file->bytes + PNG_HEAD, chunk, sizeof chunk);
}

/* Ends the page that is being drawn, and with it the file unless it is a PDF. */
static void page_end(struct press *press)
{
    if (!press->page) {
        return;
    }
    if (press->options.format == PRESS_PDF) {
        cairo_show_page(press->page);
    }
    status_take(press, cairo_status(press->page));
    cairo_destroy(press->page);
    press->page = NULL;
    if (press->options.format == PRESS_PDF) {
        return;
    }
    if (press->options.format == PRESS_PNG && !press->error) {
        status_take(press, cairo_surface_write_to_png_stream(press->surface, bytes_take, press));
        png_density_put(press);
    }
    cairo_surface_finish(press->surface);
    status_take(press, cairo_surface_status(press->surface));
    cairo_surface_destroy(press->surface);
    press->surface = NULL;
}

/* Cairo notes the time by itself unless it is told another; what is no date leaves it out. */
static void pdf_describe(struct press *press)
{
    cairo_pdf_surface_set_metadata(press->surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                   press->options.date ? press->options.date : "");
    if (press->options.title) {
        cairo_pdf_surface_set_metadata(press->surface, CAIRO_PDF_METADATA_TITLE,
                                       press->options.title);
    }
}

static void surface_make(struct press *press, double width_mm, double height_mm)
{
    double width_pt = width_mm * PT_PER_MM, height_pt = height_mm * PT_PER_MM;
    double px_per_mm = press->options.dpi / MM_PER_INCH;

    switch (press->options.format) {
    case PRESS_PDF:
        if (!press->surface) {
            press->surface =
                cairo_pdf_surface_create_for_stream(bytes_take, press, width_pt, height_pt);
            pdf_describe(press);
        }
        cairo_pdf_surface_set_size(press->surface, width_pt, height_pt);
        break;
    case PRESS_SVG:
        press->surface =
            cairo_svg_surface_create_for_stream(bytes_take, press, width_mm, height_mm);
        cairo_svg_surface_set_document_unit(press->surface, CAIRO_SVG_UNIT_MM);
        break;
    case PRESS_PNG:
        press->surface =
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)lround(width_mm * px_per_mm),
                                       (int)lround(height_mm * px_per_mm));
        break;
    }
}

static void page_prepare(struct press *press)
{
    cairo_font_options_t *font = cairo_font_options_create();
    double scale = press->options.format == PRESS_PDF   ? PT_PER_MM
                   : press->options.format == PRESS_SVG ? 1.0
                                                        : press->options.dpi / MM_PER_INCH;

    /* letters as wide on every kind of page */
    cairo_font_options_set_hint_style(font, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(font, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(font, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(press->page, font);
    cairo_font_options_destroy(font);
    if (press->options.format == PRESS_PNG) {
        cairo_set_source_rgb(press->page, 1.0, 1.0, 1.0);
        cairo_paint(press->page);
    }
    cairo_scale(press->page, scale, scale);
    cairo_set_source_rgb(press->page, 0.0, 0.0, 0.0);
}

static bool page_possible(const struct press *press, double width_mm, double height_mm)
{
    double px_per_mm = press->options.dpi / MM_PER_INCH;

    return press->pages < PRESS_PAGES_MAX && width_mm >= 1.0 && height_mm >= 1.0 &&
           width_mm <= SIDE_MAX_MM && height_mm <= SIDE_MAX_MM &&
           (press->options.format != PRESS_PNG ||
            (press->options.dpi >= PRESS_DPI_MIN && press->options.dpi <= PRESS_DPI_MAX &&
             width_mm * height_mm * px_per_mm * px_per_mm <= PRESS_PIXELS_MAX));
}

cairo_t *calib_press_page(struct press *press, double width_mm, double height_mm)
{
    page_end(press);
    if (!page_possible(press, width_mm, height_mm)) {
        press_fail(press, CALIB_E_SIZE);
    }
    if (press->error) {
        return NULL;
    }
    if ((press->options.format != PRESS_PDF || press->files == 0) && !file_begin(press)) {
        return NULL;
    }
    surface_make(press, width_mm, height_mm);
    status_take(press, cairo_surface_status(press->surface));
    if (press->error) {
        return NULL;
    }
    press->page = cairo_create(press->surface);
    press->pages++;
    page_prepare(press);
    return press->page;
}

int calib_press_finish(struct press *press)
{
    page_end(press);
    if (press->surface) {
        cairo_surface_finish(press->surface);
        status_take(press, cairo_surface_status(press->surface));
        cairo_surface_destroy(press->surface);
        press->surface = NULL;
    }
    return press->error;
}

int calib_press_pages(const struct press *press)
{
    return press->pages;
}

int calib_press_files(const struct press *press)
{
    return press->files;
}

const unsigned char *calib_press_file(const struct press *press, int file, size_t *length)
{
    *length = press->file[file].length;
    return press->file[file].bytes;
}

void calib_press_destroy(struct press **press)
{
    if (!press || !*press) {
        return;
    }
    (void)calib_press_finish(*press);
    for (int i = 0; i < (*press)->files; i++) {
        free((*press)->file[i].bytes);
    }
    free((*press)->file);
    free(*press);
    *press = NULL;
}
