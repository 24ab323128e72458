#include "tests/draw/draw.h"

#include "tests/draw/sensor.h"
#include "tests/draw/surface.h"

#include <stdlib.h>
#include <string.h>

struct drawer {
    struct draw_surface *surface;
};

struct drawer *draw_create(const struct draw_kit *kit)
{
    struct drawer *drawer = calloc(1, sizeof *drawer);
    if (drawer == NULL) {
        return NULL;
    }
    drawer->surface = draw_surface_create(kit);
    if (drawer->surface == NULL) {
        draw_destroy(&drawer);
    }
    return drawer;
}

void draw_destroy(struct drawer **drawer)
{
    if (drawer == NULL || *drawer == NULL) {
        return;
    }
    draw_surface_destroy(&(*drawer)->surface);
    free(*drawer);
    *drawer = NULL;
}

static int picture_compress(const struct draw_scene *scene, struct draw_picture *out)
{
    int width = scene->camera.width, height = scene->camera.height;
    if (scene->optics.quality <= 0) {
        out->frame = capture_frame_from_rgb(out->rgb, width, height);
        return out->frame != NULL ? 0 : -1;
    }
    if (draw_jpeg_encode(&scene->optics, out->rgb, width, height, &out->jpeg, &out->jpeg_length) !=
        0) {
        return -1;
    }
    out->frame = draw_jpeg_frame(out->jpeg, out->jpeg_length);
    return out->frame != NULL ? 0 : -1;
}

int draw_picture(const struct drawer *drawer, const struct draw_scene *scene,
                 struct draw_picture *out)
{
    struct draw_seen seen;
    int result = -1;
    memset(out, 0, sizeof *out);
    if (scene->camera.width < 16 || scene->camera.height < 16) {
        return -1;
    }
    size_t count = 3 * (size_t)scene->camera.width * (size_t)scene->camera.height;
    float *light = malloc(count * sizeof *light);
    out->rgb = malloc(count);
    out->truth = calloc(1, sizeof *out->truth);
    if (light == NULL || out->rgb == NULL || out->truth == NULL) {
        goto out;
    }
    if (draw_render(scene, drawer->surface, light, &seen) != 0 ||
        draw_sense(scene, light, out->rgb) != 0) {
        goto out;
    }
    draw_truth_fill(scene, &seen, out->rgb, out->truth);
    result = picture_compress(scene, out);
out:
    free(light);
    if (result != 0) {
        draw_picture_free(out);
    }
    return result;
}

void draw_picture_free(struct draw_picture *picture)
{
    capture_frame_destroy(&picture->frame);
    free(picture->rgb);
    free(picture->jpeg);
    free(picture->truth);
    memset(picture, 0, sizeof *picture);
}
