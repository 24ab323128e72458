/* calib/press.h: pages on paper, as the bytes of PDF, SVG or PNG files.
 *
 *     struct press *press = calib_press_create(&options);
 *     cairo_t *page = calib_press_page(press, 210, 297);     (lent until the next page)
 *     ... draw in millimetres, origin at the page's top-left, x right, y down ...
 *     if (calib_press_finish(press) == 0) ... calib_press_file(press, 0, &length) ...
 *     calib_press_destroy(&press);
 *
 * The same drawing gives the same bytes: no date but one that is given. (Cairo counts the parts of
 * SVGs on within a process: there it holds from run to run.) Nothing here opens a file;
 * a page that could not be drawn shows at the latest in calib_press_finish. */
#ifndef CALIB_PRESS_H
#define CALIB_PRESS_H

#include "calib/error.h"

#include <cairo.h>
#include <stddef.h>

#define PRESS_DPI_MIN 30.0
#define PRESS_DPI_MAX 1200.0
#define PRESS_PIXELS_MAX 120e6 /* of one PNG page: A1 at 380 dpi; four bytes each */
#define PRESS_PAGES_MAX 20000

enum press_format { PRESS_PDF = 0, PRESS_SVG = 1, PRESS_PNG = 2 };

struct press_options {
    enum press_format format;
    double dpi;        /* of PNG; the others have no pixels */
    const char *title; /* of a PDF, in UTF-8; NULL for none */
    const char *date;  /* of a PDF, "2026-01-31T12:00:00Z"; NULL for none */
};

struct press;

/* NULL when there is no memory. */
struct press *calib_press_create(const struct press_options *options);

/* A new page. NULL when it cannot be had: too many, too large, no memory; calib_press_finish says
 * which. */
cairo_t *calib_press_page(struct press *press, double width_mm, double height_mm);

/* No page comes after. CALIB_E_SIZE for a PNG page beyond PRESS_PIXELS_MAX or too many pages,
 * CALIB_E_VALUE when something drawn was refused by Cairo, CALIB_E_MEMORY. */
int calib_press_finish(struct press *press);

/* Pages that were begun. */
int calib_press_pages(const struct press *press);

/* Files that were made: one of PDF, else one a page. */
int calib_press_files(const struct press *press);

/* The bytes of one, from 0; lent until the press is destroyed. */
const unsigned char *calib_press_file(const struct press *press, int file, size_t *length);

void calib_press_destroy(struct press **press);

#endif
