/* board OUT_DIR COUNT SEED BOARD WxH [frontal|partly]: pictures of a calibration board for
 * `tableref calibrate camera`, with the camera's truth.
 *
 * Writes OUT_DIR/b-NN.jpg and OUT_DIR/camera.json (a rig). BOARD is chess:9x6x25, tags:6x4x32 or
 * colours, or a mat's name; `frontal` tilts none of them, `partly` lets parts lie outside the picture. */
#include "calib/file.h"
#include "calib/rig.h"
#include "tests/draw/board.h"
#include "tests/draw/draw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "board: %s: %s\n", what, why);
    return 1;
}

struct loaded {
    struct board board;
    struct mat *mat; /* of the board, or a real one */
    struct blockset *set;
    struct cardstyle *style;
};

static int kit_load(struct loaded *kit, const char *name)
{
    struct calib_fault fault = {{0}, 0, {0}};
    if (calib_blockset_load("match-madness", NULL, &kit->set, &fault) != 0 ||
        calib_cardstyle_load(NULL, NULL, &kit->style, &fault) != 0) {
        return complain("kit", fault.text);
    }
    bool colours = strcmp(name, "colours") == 0;
    if ((colours ? calib_board_colours(kit->set, &kit->board)
                 : calib_board_named(name, &kit->board)) == CALIB_OK) {
        kit->mat = malloc(sizeof *kit->mat);
        if (kit->mat == NULL) {
            return complain(name, "no memory");
        }
        draw_board_mat(&kit->board, kit->mat);
    } else if (calib_mat_load(name, NULL, &kit->mat, &fault) != 0) {
        return complain(name, fault.text);
    } else {
        memcpy(kit->board.size_mm, kit->mat->size_mm, sizeof kit->board.size_mm);
    }
    return 0;
}

/* A webcam: wider than high, its centre a little off, bent inwards. */
static bool camera_make(const char *size, struct camera *camera)
{
    char *end;
    long width = strtol(size, &end, 10);
    long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || width < 64 || height < 64 || width > 8192 || height > 8192) {
        return false;
    }
    *camera = (struct camera){.width = (int)width, .height = (int)height};
    camera->fx = 0.83 * (double)width;
    camera->fy = camera->fx * 1.001;
    camera->cx = 0.5 * (double)(width - 1) + 0.009 * (double)width;
    camera->cy = 0.5 * (double)(height - 1) - 0.006 * (double)width;
    camera->dist[0] = -0.12;
    camera->dist[1] = 0.03;
    camera->dist[2] = 0.0004;
    camera->dist[3] = -0.0003;
    return true;
}

static int camera_write(const char *folder, const struct camera *camera)
{
    struct rig rig = {.camera = *camera};
    char path[4096], *text = NULL;
    snprintf(path, sizeof path, "%s/camera.json", folder);
    if (calib_rig_write(&rig, &text) != CALIB_OK) {
        return complain(path, "no memory");
    }
    int failed = calib_file_put(path, text, strlen(text), 0644, true);
    free(text);
    return failed ? complain(path, strerror(errno)) : 0;
}

static int view_write(const struct drawer *drawer, const struct draw_scene *scene,
                      const char *folder, int index)
{
    struct draw_picture picture;
    char path[4096];
    if (draw_picture(drawer, scene, &picture) != 0) {
        return complain(folder, "no memory");
    }
    snprintf(path, sizeof path, "%s/b-%02d.jpg", folder, index);
    int failed = calib_file_put(path, picture.jpeg, picture.jpeg_length, 0644, true);
    draw_picture_free(&picture);
    return failed ? complain(path, strerror(errno)) : 0;
}

static int views_draw(const struct loaded *kit, int argc, char **argv, struct draw_scene *scene)
{
    const struct draw_kit parts = {.mat = kit->mat, .set = kit->set, .style = kit->style,
                                   .board = &kit->board};
    struct draw_board_range held = {.tilt_deg = {12, 42}, .fill = {0.35, 0.6}};
    struct draw_range range = draw_range_usual();
    int count = (int)strtol(argv[2], NULL, 10), result = 0;
    struct drawer *drawer = draw_create(&parts);
    if (drawer == NULL) {
        return complain(argv[4], "cannot be drawn");
    }
    if (argc > 6 && strcmp(argv[6], "frontal") == 0) {
        held.tilt_deg[0] = held.tilt_deg[1] = 0.0;
    }
    held.partly = argc > 6 && strcmp(argv[6], "partly") == 0;
    range.glare = 0.0; /* a board that mirrors a lamp is put aside by whoever holds it */
    range.quality[0] = range.quality[0] < 80 ? 80 : range.quality[0];
    for (int i = 0; i < count && result == 0; i++) {
        scene->kit = parts;
        scene->seed = strtoull(argv[3], NULL, 10);
        draw_board_scene(scene, &kit->board, &held, &range, i, count);
        result = view_write(drawer, scene, argv[1], i);
    }
    draw_destroy(&drawer);
    return result;
}

int main(int argc, char **argv)
{
    struct loaded kit = {.mat = NULL};
    struct draw_scene *scene = calloc(1, sizeof *scene);
    int result = 2;
    if (scene == NULL || argc < 6 || argc > 7 || !camera_make(argv[5], &scene->camera)) {
        fprintf(stderr, "usage: board OUT_DIR COUNT SEED BOARD WxH [frontal|partly]\n");
        free(scene);
        return result;
    }
    result = kit_load(&kit, argv[4]);
    if (result == 0) {
        result = camera_write(argv[1], &scene->camera);
    }
    if (result == 0) {
        result = views_draw(&kit, argc, argv, scene);
    }
    calib_mat_destroy(&kit.mat);
    calib_blockset_destroy(&kit.set);
    calib_cardstyle_destroy(&kit.style);
    free(scene);
    return result;
}
