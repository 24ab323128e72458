/* photo OUT.jpg SEED RANGE MAT SET SHEET.png CARDS.png DPI CARD_MM [SLOT,X_MM,Y_MM,TURN_DEG]...:
 * what was printed, photographed.
 *
 * SHEET.png is the printed mat and CARDS.png a printed sheet of cards, both at DPI. For each slot
 * named, the card whose top-left lies at X_MM, Y_MM of CARDS.png is cut out, CARD_MM wide, and laid
 * into the slot's middle, turned clockwise. On that, blocks and light of the drawer, and nothing
 * held over it; nothing of the mat or the cards is drawn. RANGE is usual, hard or plain. */
#include "calib/paint.h"
#include "tests/draw/draw.h"
#include "tests/draw/vec.h"

#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct raster {
    int width, height;
    double px_per_mm;
    uint8_t *rgb;
};

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "photo: %s: %s\n", what, why);
    return 1;
}

static int raster_load(const char *path, double dpi, struct raster *out)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    out->width = cairo_image_surface_get_width(surface);
    out->height = cairo_image_surface_get_height(surface);
    out->px_per_mm = dpi / 25.4;
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    const unsigned char *data = cairo_image_surface_get_data(surface);
    out->rgb = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS && out->width > 0
                   ? malloc(3 * (size_t)out->width * (size_t)out->height)
                   : NULL;
    for (int y = 0; out->rgb != NULL && y < out->height; y++) {
        for (int x = 0; x < out->width; x++) {
            uint32_t value;
            uint8_t *at = out->rgb + 3 * ((size_t)y * (size_t)out->width + (size_t)x);
            memcpy(&value, data + (size_t)y * stride + 4 * (size_t)x, sizeof value);
            at[0] = (uint8_t)(value >> 16);
            at[1] = (uint8_t)(value >> 8);
            at[2] = (uint8_t)value;
        }
    }
    cairo_surface_destroy(surface);
    return out->rgb != NULL ? 0 : complain(path, "no PNG that can be read");
}

/* The nearest pixel at a place in mm: the rasters are finer than any picture of them. */
static const uint8_t *raster_at(const struct raster *raster, double x_mm, double y_mm)
{
    int x = (int)draw_clamp(x_mm * raster->px_per_mm, 0.0, raster->width - 1.0);
    int y = (int)draw_clamp(y_mm * raster->px_per_mm, 0.0, raster->height - 1.0);
    return raster->rgb + 3 * ((size_t)y * (size_t)raster->width + (size_t)x);
}

static int card_lay(struct raster *sheet, const struct raster *cards, const struct mat *mat,
                    const char *word, double card_mm)
{
    double place[4];
    const double *rect = NULL;
    if (sscanf(word, "%lf,%lf,%lf,%lf", &place[0], &place[1], &place[2], &place[3]) != 4) {
        return complain(word, "SLOT,X_MM,Y_MM,TURN_DEG is needed");
    }
    for (int i = 0; i < mat->slots; i++) {
        if (mat->slot[i].slot == (int)place[0]) {
            rect = mat->slot[i].rect_mm;
        }
    }
    if (rect == NULL) {
        return complain(word, "no slot of that number");
    }
    double c = cos(place[3] * DRAW_DEG), s = sin(place[3] * DRAW_DEG), half = card_mm / 2.0;
    for (int y = 0; y < sheet->height; y++) {
        for (int x = 0; x < sheet->width; x++) {
            double dx = (x + 0.5) / sheet->px_per_mm - rect[0] - rect[2] / 2.0;
            double dy = (y + 0.5) / sheet->px_per_mm - rect[1] - rect[3] / 2.0;
            double u = c * dx + s * dy, v = c * dy - s * dx;
            if (fabs(u) < half && fabs(v) < half) {
                memcpy(sheet->rgb + 3 * ((size_t)y * (size_t)sheet->width + (size_t)x),
                       raster_at(cards, place[1] + half + u, place[2] + half + v), 3);
            }
        }
    }
    return 0;
}

static bool range_named(const char *name, struct draw_range *range)
{
    bool usual = strcmp(name, "usual") == 0, hard = strcmp(name, "hard") == 0;
    *range = usual ? draw_range_usual() : hard ? draw_range_hard() : draw_range_plain();
    range->hand = 0.0;
    return usual || hard || strcmp(name, "plain") == 0;
}

static int photo_take(const struct draw_kit *kit, uint64_t seed, const struct draw_range *range,
                      const char *path)
{
    struct drawer *drawer = draw_create(kit);
    struct draw_scene *scene = malloc(sizeof *scene);
    struct draw_picture picture = {0};
    FILE *file = NULL;
    int result = -1;
    if (drawer == NULL || scene == NULL || draw_scene_random(kit, seed, range, scene) != 0) {
        goto out;
    }
    scene->cards = 0;
    if (scene->optics.quality <= 0) {
        scene->optics.quality = 95;
    }
    if (draw_picture(drawer, scene, &picture) != 0 || (file = fopen(path, "wb")) == NULL) {
        goto out;
    }
    result = fwrite(picture.jpeg, 1, picture.jpeg_length, file) == picture.jpeg_length ? 0 : -1;
    result = fclose(file) == 0 ? result : -1;
out:
    draw_picture_free(&picture);
    free(scene);
    draw_destroy(&drawer);
    return result == 0 ? 0 : complain(path, "cannot be drawn or written");
}

int main(int argc, char **argv)
{
    struct draw_range range;
    struct mat *mat = NULL;
    struct blockset *set = NULL;
    struct cardstyle *style = NULL;
    struct raster sheet = {.rgb = NULL}, cards = {.rgb = NULL};
    int result = 1;
    if (argc < 10 || !range_named(argv[3], &range)) {
        fprintf(stderr,
                "usage: photo OUT.jpg SEED usual|hard|plain MAT SET SHEET.png CARDS.png DPI "
                "CARD_MM [SLOT,X_MM,Y_MM,TURN_DEG]...\n");
        return 2;
    }
    double dpi = strtod(argv[8], NULL), card_mm = strtod(argv[9], NULL);
    if (calib_mat_load(argv[4], NULL, &mat, NULL) != 0 ||
        calib_blockset_load(argv[5], NULL, &set, NULL) != 0 ||
        calib_cardstyle_load(NULL, NULL, &style, NULL) != 0) {
        complain(argv[4], "this mat or set cannot be loaded");
        goto out;
    }
    if (raster_load(argv[6], dpi, &sheet) != 0 || raster_load(argv[7], dpi, &cards) != 0) {
        goto out;
    }
    result = 0;
    for (int i = 10; i < argc && result == 0; i++) {
        result = card_lay(&sheet, &cards, mat, argv[i], card_mm);
    }
    const struct draw_sheet lies = {sheet.width, sheet.height, sheet.rgb};
    const struct draw_kit kit = {.mat = mat, .set = set, .style = style, .sheet = &lies};
    if (result == 0) {
        result = photo_take(&kit, strtoull(argv[2], NULL, 10), &range, argv[1]);
    }
out:
    free(sheet.rgb);
    free(cards.rgb);
    calib_mat_destroy(&mat);
    calib_blockset_destroy(&set);
    calib_cardstyle_destroy(&style);
    return result;
}
