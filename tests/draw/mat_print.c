#include "tests/draw/mat_print.h"

#include "calib/paint.h"
#include "calib/symbol.h"
#include "tests/draw/board.h"
#include "tests/draw/vec.h"

#include <cairo.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS_AIM 3000000.0 /* of the first level: 3 px/mm on A1, more on small mats */
#define PX_PER_MM_MAX 5.0
#define TONER 0.018 /* linear light from printed black, which is not quite black */

/* What is black: tags, and the squares of a chessboard. */
static int black_paint(cairo_t *page, const struct mat *mat, const struct board *board)
{
    if (board != NULL && board->kind == BOARD_CHESS) {
        cairo_save(page);
        cairo_translate(page, DRAW_BOARD_EDGE_MM, DRAW_BOARD_EDGE_MM);
        (void)calib_paint_board(page, board, NULL);
        cairo_restore(page);
    }
    return calib_paint_tags(page, mat->tag, mat->tags);
}

/* What the printer of the kit draws, at the first level's scale: what is black, or all else. NULL
 * when it cannot be drawn. */
static cairo_surface_t *raster_make(const struct mat_print *print, const struct mat *mat,
                                    const struct board *board, bool black)
{
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, print->width[0], print->height[0]);
    cairo_t *page = cairo_create(surface);
    int error = 0;
    cairo_set_source_rgb(page, 1.0, 1.0, 1.0);
    cairo_paint(page);
    cairo_scale(page, print->px_per_mm, print->px_per_mm);
    if (black) {
        error = black_paint(page, mat, board);
    } else if (board != NULL) {
        cairo_translate(page, DRAW_BOARD_EDGE_MM, DRAW_BOARD_EDGE_MM);
        (void)calib_paint_board(page, board, NULL);
    } else if (mat->seats > 0) { /* else it is a sheet of tags */
        calib_paint_mat_frames(page, mat);
    }
    bool drawn = error == 0 && cairo_status(page) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(page);
    cairo_surface_flush(surface);
    if (!drawn) {
        cairo_surface_destroy(surface);
        return NULL;
    }
    return surface;
}

static void pixel_of(cairo_surface_t *surface, int x, int y, uint8_t rgb[3])
{
    const unsigned char *row = cairo_image_surface_get_data(surface) +
                               (size_t)y * (size_t)cairo_image_surface_get_stride(surface);
    uint32_t value;
    memcpy(&value, row + 4 * (size_t)x, sizeof value);
    rgb[0] = (uint8_t)(value >> 16);
    rgb[1] = (uint8_t)(value >> 8);
    rgb[2] = (uint8_t)value;
}

/* Tags decide the pose: where their edges fall within a pixel counts in linear light, as toner. */
static int sheet_draw(const struct mat *mat, const struct board *board, struct mat_print *print)
{
    cairo_surface_t *frames = raster_make(print, mat, board, false);
    cairo_surface_t *black = raster_make(print, mat, board, true);
    int result = frames != NULL && black != NULL ? 0 : -1;
    for (int y = 0; y < print->height[0] && result == 0; y++) {
        for (int x = 0; x < print->width[0]; x++) {
            uint8_t *at = print->rgb[0] + 3 * ((size_t)y * (size_t)print->width[0] + (size_t)x);
            uint8_t light[3];
            pixel_of(frames, x, y, at);
            pixel_of(black, x, y, light);
            if (light[0] < 255) {
                double paper = light[0] / 255.0;
                memset(at, calib_linear_to_srgb(paper + (1.0 - paper) * TONER), 3);
            }
        }
    }
    cairo_surface_destroy(frames);
    cairo_surface_destroy(black);
    return result;
}

/* Mean of four pixels in linear light. */
static void level_halve(struct mat_print *print, int level, const double linear[256])
{
    int w = print->width[level], above = print->width[level - 1];
    for (int y = 0; y < print->height[level]; y++) {
        for (int x = 0; x < w; x++) {
            const uint8_t *from =
                print->rgb[level - 1] + 3 * ((size_t)(2 * y) * (size_t)above + (size_t)(2 * x));
            for (int k = 0; k < 3; k++) {
                double sum = linear[from[k]] + linear[from[k + 3]] + linear[from[k + 3 * above]] +
                             linear[from[k + 3 * above + 3]];
                print->rgb[level][3 * (y * w + x) + k] = calib_linear_to_srgb(sum / 4.0);
            }
        }
    }
}

static int levels_allocate(int width, int height, double px_per_mm, struct mat_print *print)
{
    print->px_per_mm = px_per_mm;
    for (int i = 0; i < MAT_PRINT_LEVELS; i++) {
        print->width[i] = i == 0 ? width : print->width[i - 1] / 2;
        print->height[i] = i == 0 ? height : print->height[i - 1] / 2;
        if (print->width[i] < 8 || print->height[i] < 8) {
            break;
        }
        size_t bytes = 3 * (size_t)print->width[i] * (size_t)print->height[i];
        print->rgb[i] = malloc(bytes);
        if (print->rgb[i] == NULL) {
            return -1;
        }
        memset(print->rgb[i], 255, bytes);
        print->levels++;
    }
    return print->levels > 0 ? 0 : -1;
}

static void levels_fill(struct mat_print *print)
{
    double linear[256];
    for (int i = 0; i < 256; i++) {
        linear[i] = calib_srgb_to_linear((unsigned char)i);
    }
    for (int i = 1; i < print->levels; i++) {
        level_halve(print, i, linear);
    }
}

int mat_print_draw(const struct mat *mat, const struct board *board, struct mat_print *print)
{
    double aim = sqrt(PIXELS_AIM / (mat->size_mm[0] * mat->size_mm[1]));
    double px_per_mm = fmin(aim, PX_PER_MM_MAX);
    memset(print, 0, sizeof *print);
    if (levels_allocate((int)ceil(mat->size_mm[0] * px_per_mm),
                        (int)ceil(mat->size_mm[1] * px_per_mm), px_per_mm, print) != 0) {
        return -1;
    }
    if (sheet_draw(mat, board, print) != 0) {
        return -1;
    }
    levels_fill(print);
    return 0;
}

/* A raster of the sheet in place of a drawn one: the same number of px to a mm both ways. */
int mat_print_take(const struct mat *mat, const uint8_t *rgb, int width, int height,
                   struct mat_print *print)
{
    memset(print, 0, sizeof *print);
    double px_per_mm = width / mat->size_mm[0];
    if (fabs(height / mat->size_mm[1] - px_per_mm) > 0.01 * px_per_mm ||
        levels_allocate(width, height, px_per_mm, print) != 0) {
        return -1;
    }
    memcpy(print->rgb[0], rgb, 3 * (size_t)width * (size_t)height);
    levels_fill(print);
    return 0;
}

void mat_print_free(struct mat_print *print)
{
    for (int i = 0; i < MAT_PRINT_LEVELS; i++) {
        free(print->rgb[i]);
        print->rgb[i] = NULL;
    }
    print->levels = 0;
}
