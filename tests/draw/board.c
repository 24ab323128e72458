/* Boards held before a camera. */
#include "tests/draw/board.h"

#include "tests/draw/vec.h"

#include <stdio.h>
#include <string.h>

#define HOLD_TRIES 60
#define EDGE_PX 6.0
#define TOPIC_BOARD 900 /* beside those of scene.c */

void draw_board_mat(const struct board *board, struct mat *mat)
{
    memset(mat, 0, sizeof *mat);
    (void)snprintf(mat->name, sizeof mat->name, "board");
    for (int k = 0; k < 2; k++) {
        mat->size_mm[k] = board->size_mm[k] + 2.0 * DRAW_BOARD_EDGE_MM;
    }
    mat->tags = board->tags < MAT_TAGS_MAX ? board->tags : MAT_TAGS_MAX;
    for (int i = 0; i < mat->tags; i++) {
        mat->tag[i] = board->tag[i];
        mat->tag[i].center_mm[0] += DRAW_BOARD_EDGE_MM;
        mat->tag[i].center_mm[1] += DRAW_BOARD_EDGE_MM;
    }
}

/* Looks at the sheet's middle from `distance`, so that it is seen in direction `ray`, the sheet
 * tilted by `tilt` about an axis at `azimuth`, and turned by `roll`. */
static void hold(struct draw_scene *scene, const double ray[2], double distance, double tilt,
                 double azimuth, double roll)
{
    const double *size = scene->kit.mat->size_mm;
    struct vec axis = vec_of(cos(azimuth), sin(azimuth), 0.0);
    struct vec middle = vec_of(size[0] / 2.0, size[1] / 2.0, 0.0);
    struct vec at = vec_of(ray[0] * distance, ray[1] * distance, distance);

    for (int column = 0; column < 3; column++) {
        struct vec e = vec_of(column == 0, column == 1, column == 2);
        struct vec turned = vec_of(cos(roll) * e.x - sin(roll) * e.y,
                                   sin(roll) * e.x + cos(roll) * e.y, e.z);
        struct vec along = vec_scale(axis, vec_dot(axis, turned) * (1.0 - cos(tilt)));
        struct vec across = vec_scale(vec_cross(axis, turned), sin(tilt));
        struct vec r = vec_along(vec_along(along, across, 1.0), turned, cos(tilt));
        scene->pose.r[column] = r.x;
        scene->pose.r[3 + column] = r.y;
        scene->pose.r[6 + column] = r.z;
    }
    const double target[3] = {at.x, at.y, at.z};
    for (int i = 0; i < 3; i++) {
        const double *r = scene->pose.r + 3 * i;
        scene->pose.t_mm[i] = target[i] - r[0] * middle.x - r[1] * middle.y;
    }
}

/* Does the whole board lie in the picture? */
static bool held_whole(const struct draw_scene *scene)
{
    const double *size = scene->kit.mat->size_mm;

    for (int i = 0; i < 4; i++) {
        const double inner = DRAW_BOARD_EDGE_MM / 2.0; /* some of its white has to be seen, too */
        const double point[3] = {i & 1 ? size[0] - inner : inner, i & 2 ? size[1] - inner : inner,
                                 0.0};
        double px[2];
        if (!calib_camera_project(&scene->camera, &scene->pose, point, px) || px[0] < EDGE_PX ||
            px[1] < EDGE_PX || px[0] > scene->camera.width - EDGE_PX ||
            px[1] > scene->camera.height - EDGE_PX) {
            return false;
        }
    }
    return true;
}

void draw_board_scene(struct draw_scene *scene, const struct board *board,
                      const struct draw_board_range *held, const struct draw_range *range,
                      int index, int count)
{
    const struct camera *camera = &scene->camera;
    struct draw_random random = draw_random_seed(scene->seed, TOPIC_BOARD + (uint64_t)index);
    /* Places go round the picture, and once through its middle. */
    double round = 2.0 * DRAW_PI * index / count, out = index == 0 ? 0.0 : 1.0;
    double tilt = draw_random_range(&random, held->tilt_deg[0], held->tilt_deg[1]) * DRAW_DEG;
    double azimuth = round * 5.0 + draw_random_range(&random, -0.4, 0.4);
    double roll = draw_random_range(&random, -0.3, 0.3);
    double fill = draw_random_range(&random, held->fill[0], held->fill[1]);
    double distance = camera->fx * (board->size_mm[0]) / (fill * camera->width);

    for (int i = 0; i < HOLD_TRIES; i++) {
        const double px[2] = {camera->cx + out * 0.5 * camera->width * cos(round),
                              camera->cy + out * 0.5 * camera->height * sin(round)};
        double ray[2];
        if (calib_camera_undistort(camera, px, ray)) {
            hold(scene, ray, distance, tilt, azimuth, roll);
            if (held_whole(scene) || (held->partly && out < 0.75)) {
                break;
            }
        }
        out *= 0.95; /* towards the middle; and back, once it is there */
        if (out < 0.05) {
            distance *= 1.03;
        }
    }
    draw_scene_light(scene, range, &random);
}
