/* measure PAGE.png DPI X_MM Y_MM across|down LENGTH_MM: where a line over a rendered page passes
 * between light and dark, in mm from X_MM, Y_MM along it, one a line; between pixels to a tenth.
 *
 * Half of the way from paper to ink counts, as a ruler's reader sees it. */
#include <cairo.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Luma 0..255 of a pixel; paper beside the page. */
static double luma_at(cairo_surface_t *page, int x, int y)
{
    if (x < 0 || y < 0 || x >= cairo_image_surface_get_width(page) ||
        y >= cairo_image_surface_get_height(page)) {
        return 255.0;
    }
    const unsigned char *at = cairo_image_surface_get_data(page) +
                              (size_t)y * (size_t)cairo_image_surface_get_stride(page) +
                              4 * (size_t)x;
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return 0.299 * (value >> 16 & 255) + 0.587 * (value >> 8 & 255) + 0.114 * (value & 255);
}

static void line_measure(cairo_surface_t *page, double px_per_mm, double x_mm, double y_mm,
                         bool down, double length_mm)
{
    int count = (int)(length_mm * px_per_mm);
    int x = (int)floor(x_mm * px_per_mm), y = (int)floor(y_mm * px_per_mm);
    double start = down ? y_mm * px_per_mm - y : x_mm * px_per_mm - x, before = 0.0;
    for (int i = 0; i <= count; i++) {
        double luma = luma_at(page, down ? x : x + i, down ? y + i : y) - 127.5;
        if (i > 0 && (luma < 0.0) != (before < 0.0)) {
            /* from the middle of one pixel to that of the next */
            double at = i - 0.5 + before / (before - luma) - start;
            printf("%.3f\n", at / px_per_mm);
        }
        before = luma;
    }
}

int main(int argc, char **argv)
{
    if (argc != 7 || (strcmp(argv[5], "across") != 0 && strcmp(argv[5], "down") != 0)) {
        fprintf(stderr, "usage: measure PAGE.png DPI X_MM Y_MM across|down LENGTH_MM\n");
        return 2;
    }
    cairo_surface_t *page = cairo_image_surface_create_from_png(argv[1]);
    if (cairo_surface_status(page) != CAIRO_STATUS_SUCCESS) {
        fprintf(stderr, "measure: %s: no PNG that can be read\n", argv[1]);
        cairo_surface_destroy(page);
        return 1;
    }
    line_measure(page, strtod(argv[2], NULL) / 25.4, strtod(argv[3], NULL), strtod(argv[4], NULL),
                 strcmp(argv[5], "down") == 0, strtod(argv[6], NULL));
    cairo_surface_destroy(page);
    return 0;
}
