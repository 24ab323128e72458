#include "tests/draw/mat_print.h"

#include "calib/symbol.h"
#include "tests/draw/board.h"
#include "tests/draw/vec.h"

#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>

#include <stdlib.h>
#include <string.h>

#define PIXELS_AIM 3000000.0 /* of the first level: 3 px/mm on A1, more on small mats */
#define PX_PER_MM_MAX 5.0
#define TAG_RAYS 5 /* squared: rays to a pixel of a tag */

static const uint8_t seat_colour[4][3] = {
    {200, 56, 46}, {32, 102, 176}, {48, 144, 80}, {196, 138, 0}};

/* A stroke or an outline, by its distance from a point in mm. */
struct ink {
    uint8_t rgb[3];
    double half_mm; /* half the width of the stroke */
};

static void ink_lay(struct mat_print *print, int x, int y, const struct ink *ink, double distance)
{
    double cover = draw_clamp(0.5 + (ink->half_mm - distance) * print->px_per_mm, 0.0, 1.0);
    uint8_t *at = print->rgb[0] + 3 * ((size_t)y * (size_t)print->width[0] + (size_t)x);
    for (int k = 0; k < 3; k++) {
        at[k] = (uint8_t)lround(at[k] + (ink->rgb[k] - at[k]) * cover);
    }
}

/* Distance from the outline of a rounded rectangle. */
static double outline_distance(const double rect[4], double corner, double x, double y)
{
    double dx = fabs(x - rect[0] - rect[2] / 2.0) - rect[2] / 2.0 + corner;
    double dy = fabs(y - rect[1] - rect[3] / 2.0) - rect[3] / 2.0 + corner;
    double outside = hypot(fmax(dx, 0.0), fmax(dy, 0.0));
    return fabs(outside + fmin(fmax(dx, dy), 0.0) - corner);
}

static int clip(double value, int limit)
{
    return (int)draw_clamp(value, 0.0, limit);
}

static void outline_draw(struct mat_print *print, const double rect[4], double corner,
                         const struct ink *ink)
{
    double p = print->px_per_mm, edge = ink->half_mm + 1.0;
    int left = clip((rect[0] - edge) * p, print->width[0]);
    int right = clip((rect[0] + rect[2] + edge) * p, print->width[0]);
    int top = clip((rect[1] - edge) * p, print->height[0]);
    int bottom = clip((rect[1] + rect[3] + edge) * p, print->height[0]);
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            ink_lay(print, x, y, ink, outline_distance(rect, corner, (x + 0.5) / p, (y + 0.5) / p));
        }
    }
}

static double stroke_distance(double x, double y, const double a[2], const double b[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1];
    double t = ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy);
    t = draw_clamp(t, 0.0, 1.0);
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

/* The seat's number in seven strokes, upright for its player, in the corner at the player's left.
 */
static void number_draw(struct mat_print *print, const struct mat_seat *seat, const struct ink *ink)
{
    static const double stroke[7][2][2] = {{{0, 0}, {4, 0}}, {{4, 0}, {4, 4}}, {{4, 4}, {4, 8}},
                                           {{0, 8}, {4, 8}}, {{0, 4}, {0, 8}}, {{0, 0}, {0, 4}},
                                           {{0, 4}, {4, 4}}};
    static const uint8_t lit[10] = {0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F};
    double right[2] = {-seat->up[1], seat->up[0]}, down[2] = {-seat->up[0], -seat->up[1]};
    double across = fabs(right[0]) * seat->rect_mm[2] + fabs(right[1]) * seat->rect_mm[3];
    double along = fabs(right[1]) * seat->rect_mm[2] + fabs(right[0]) * seat->rect_mm[3];
    double origin[2];
    for (int k = 0; k < 2; k++) {
        double middle = seat->rect_mm[k] + seat->rect_mm[k + 2] / 2.0;
        origin[k] = middle + right[k] * (5.0 - across / 2.0) + down[k] * (along / 2.0 - 13.0);
    }
    double p = print->px_per_mm;
    int left = clip((origin[0] - 12.0) * p, print->width[0]),
        end = clip((origin[0] + 12.0) * p, print->width[0]);
    int top = clip((origin[1] - 12.0) * p, print->height[0]),
        bottom = clip((origin[1] + 12.0) * p, print->height[0]);
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < end; x++) {
            double dx = (x + 0.5) / p - origin[0], dy = (y + 0.5) / p - origin[1], least = 99.0;
            double u = dx * right[0] + dy * right[1], v = dx * down[0] + dy * down[1];
            for (int i = 0; i < 7; i++) {
                if (lit[seat->seat % 10] >> i & 1) {
                    least = fmin(least, stroke_distance(u, v, stroke[i][0], stroke[i][1]));
                }
            }
            ink_lay(print, x, y, ink, least);
        }
    }
}

/* The tag's own picture at a place of the mat: 0..255, or -1 outside it. */
static int tag_at(const struct mat_tag *tag, const apriltag_family_t *family,
                  const image_u8_t *image, double x, double y)
{
    double c = cos(tag->turn_deg * DRAW_DEG), s = sin(tag->turn_deg * DRAW_DEG);
    double dx = x - tag->center_mm[0], dy = y - tag->center_mm[1];
    double module = tag->size_mm / family->width_at_border;
    int column = (int)floor((c * dx + s * dy) / module + image->width / 2.0);
    int row = (int)floor((c * dy - s * dx) / module + image->height / 2.0);
    if (column < 0 || row < 0 || column >= image->width || row >= image->height) {
        return -1;
    }
    return image->buf[row * image->stride + column];
}

static void tag_draw(struct mat_print *print, const struct mat_tag *tag,
                     const apriltag_family_t *family, const image_u8_t *image)
{
    double p = print->px_per_mm, reach = tag->size_mm; /* half of it times 10/8 and the root of 2 */
    int left = clip((tag->center_mm[0] - reach) * p, print->width[0]);
    int right = clip((tag->center_mm[0] + reach) * p, print->width[0]);
    int top = clip((tag->center_mm[1] - reach) * p, print->height[0]);
    int bottom = clip((tag->center_mm[1] + reach) * p, print->height[0]);
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            double light = 0.0, covered = 0.0;
            for (int i = 0; i < TAG_RAYS * TAG_RAYS; i++) {
                int column = i % TAG_RAYS, line = i / TAG_RAYS;
                double at_x = (x + (column + 0.5) / TAG_RAYS) / p;
                double at_y = (y + (line + 0.5) / TAG_RAYS) / p;
                int value = tag_at(tag, family, image, at_x, at_y);
                if (value >= 0) {
                    light += value > 127 ? 1.0 : 0.018; /* toner is not quite black */
                    covered += 1.0;
                }
            }
            if (covered > 0.0) {
                light = (light + TAG_RAYS * TAG_RAYS - covered) / (TAG_RAYS * TAG_RAYS);
                memset(print->rgb[0] + 3 * ((size_t)y * (size_t)print->width[0] + (size_t)x),
                       calib_linear_to_srgb(light), 3);
            }
        }
    }
}

static int tags_draw(const struct mat *mat, struct mat_print *print)
{
    int result = 0;
    apriltag_family_t *family = tag36h11_create();
    if (family == NULL) {
        return -1;
    }
    for (int i = 0; i < mat->tags && result == 0; i++) {
        if (mat->tag[i].id < 0 || mat->tag[i].id >= (int)family->ncodes) {
            result = -1;
            break;
        }
        image_u8_t *image = apriltag_to_image(family, mat->tag[i].id);
        if (image == NULL) {
            result = -1;
            break;
        }
        tag_draw(print, &mat->tag[i], family, image);
        /* What image_u8_destroy does; that lies in a further library, which nothing else needs. */
        free(image->buf);
        free(image);
    }
    tag36h11_destroy(family);
    return result;
}

/* Share of the px from x on that lies within [from, to), all in px. */
static double px_share(double x, double from, double to)
{
    return draw_clamp(fmin(x + 1.0, to) - fmax(x, from), 0.0, 1.0);
}

/* The squares of a chessboard, the first one black, each to the very edge of its own. */
static void squares_draw(const struct board *board, struct mat_print *print)
{
    double p = print->px_per_mm, side = board->square_mm * p;
    for (int i = 0; i < (board->cols + 1) * (board->rows + 1); i++) {
        int col = i % (board->cols + 1), row = i / (board->cols + 1);
        double left = DRAW_BOARD_EDGE_MM * p + col * side;
        double top = DRAW_BOARD_EDGE_MM * p + row * side;
        if ((col + row) % 2 != 0) {
            continue;
        }
        for (int y = (int)top; y < top + side && y < print->height[0]; y++) {
            for (int x = (int)left; x < left + side && x < print->width[0]; x++) {
                uint8_t *at = print->rgb[0] + 3 * ((size_t)y * (size_t)print->width[0] + (size_t)x);
                double dark = px_share(x, left, left + side) * px_share(y, top, top + side);
                double light = calib_srgb_to_linear(at[0]) - 0.982 * dark; /* as toner is */
                memset(at, calib_linear_to_srgb(light), 3);
            }
        }
    }
}

/* The plain patches of a card of colours. */
static void patches_draw(const struct board *board, struct mat_print *print)
{
    double p = print->px_per_mm;
    for (int i = 0; i < board->patches; i++) {
        const struct board_patch *patch = &board->patch[i];
        const uint8_t rgb[3] = {patch->rgb.r, patch->rgb.g, patch->rgb.b};
        int left = (int)((patch->rect_mm[0] + DRAW_BOARD_EDGE_MM) * p);
        int top = (int)((patch->rect_mm[1] + DRAW_BOARD_EDGE_MM) * p);
        for (int y = top; !patch->drawn && y < top + patch->rect_mm[3] * p; y++) {
            for (int x = left; x < left + patch->rect_mm[2] * p; x++) {
                memcpy(print->rgb[0] + 3 * ((size_t)y * (size_t)print->width[0] + (size_t)x), rgb,
                       3);
            }
        }
    }
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

static int levels_allocate(const struct mat *mat, struct mat_print *print)
{
    double aim = sqrt(PIXELS_AIM / (mat->size_mm[0] * mat->size_mm[1]));
    print->px_per_mm = fmin(aim, PX_PER_MM_MAX);
    for (int i = 0; i < MAT_PRINT_LEVELS; i++) {
        print->width[i] =
            i == 0 ? (int)ceil(mat->size_mm[0] * print->px_per_mm) : print->width[i - 1] / 2;
        print->height[i] =
            i == 0 ? (int)ceil(mat->size_mm[1] * print->px_per_mm) : print->height[i - 1] / 2;
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

int mat_print_draw(const struct mat *mat, const struct board *board, struct mat_print *print)
{
    memset(print, 0, sizeof *print);
    if (levels_allocate(mat, print) != 0) {
        return -1;
    }
    for (int i = 0; i < mat->slots; i++) {
        const struct ink grey = {{150, 150, 146}, 0.4};
        outline_draw(print, mat->slot[i].rect_mm, 5.0, &grey);
    }
    for (int i = 0; i < mat->seats; i++) {
        struct ink ink = {.half_mm = 0.75};
        memcpy(ink.rgb, seat_colour[i % 4], sizeof ink.rgb);
        outline_draw(print, mat->seat[i].rect_mm, 6.0, &ink);
        number_draw(print, &mat->seat[i], &ink);
    }
    if (tags_draw(mat, print) != 0) {
        return -1;
    }
    if (board != NULL && board->kind == BOARD_CHESS) {
        squares_draw(board, print);
    } else if (board != NULL && board->kind == BOARD_COLOURS) {
        patches_draw(board, print);
    }
    double linear[256];
    for (int i = 0; i < 256; i++) {
        linear[i] = calib_srgb_to_linear((unsigned char)i);
    }
    for (int i = 1; i < print->levels; i++) {
        level_halve(print, i, linear);
    }
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
