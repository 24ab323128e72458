/* tests/unit/tag_scene.h: draws a mat's tags through a known camera into a frame, for the tests of
 * tags and pose. The tags' pictures are libapriltag's own. */
#ifndef TESTS_UNIT_TAG_SCENE_H
#define TESTS_UNIT_TAG_SCENE_H

#include "calib/camera.h"
#include "calib/mat.h"
#include "calib/symbol.h"
#include "capture/frame.h"

#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_EXTRAS_MAX 8
#define SCENE_COVERS_MAX 8
#define SCENE_SUB 3 /* samples along each side of a pixel */

struct scene {
    struct camera camera;
    struct pose pose;
    const struct mat *mat;
    int extras;
    struct mat_tag extra[SCENE_EXTRAS_MAX]; /* further tags on the mat's plane */
    double
        copy[3]; /* x, y, scale of a small picture of the whole mat on the plane; scale 0: none */
    int covers;
    double cover[SCENE_COVERS_MAX][3]; /* grey discs over all: x, y, radius in mm */
    double light;                      /* linear light of white */
    int noise;                         /* luma steps, uniform, both ways */
    bool mirrored;
};

/* Four tags at the corners and two at the sides of an 841 x 594 sheet, in different turns. */
static inline struct mat scene_mat(void)
{
    static const double place[6][3] = {{40, 40, 180}, {801, 40, 180}, {801, 554, 0},
                                       {40, 554, 90}, {40, 297, 270}, {801, 297, 180}};
    struct mat mat = {.name = "test", .size_mm = {841, 594}, .tags = 6, .seats = 4};
    for (int i = 0; i < 6; i++)
        mat.tag[i] = (struct mat_tag){.id = i,
                                      .family = TAG_FAMILY_36H11,
                                      .center_mm = {place[i][0], place[i][1]},
                                      .size_mm = 48,
                                      .turn_deg = place[i][2]};
    for (int i = 0; i < 4; i++)
        mat.seat[i] = (struct mat_seat){.seat = i + 1,
                                        .up = {0, i < 2 ? 1 : -1},
                                        .rect_mm = {i % 2 ? 431 : 80, i < 2 ? 15 : 359, 330, 220}};
    return mat;
}

/* A camera that looks at a point of the mat (mm) from that distance, tilted by degrees about x and
 * y and turned about its own axis. */
static inline struct pose scene_pose(double at_x, double at_y, double distance, double tilt_x,
                                     double tilt_y, double turn)
{
    double a = tilt_x * M_PI / 180, b = tilt_y * M_PI / 180, c = turn * M_PI / 180;
    double x[9] = {1, 0, 0, 0, cos(a), -sin(a), 0, sin(a), cos(a)};
    double y[9] = {cos(b), 0, sin(b), 0, 1, 0, -sin(b), 0, cos(b)};
    double z[9] = {cos(c), -sin(c), 0, sin(c), cos(c), 0, 0, 0, 1};
    double xy[9];
    struct pose pose;
    for (int i = 0; i < 9; i++) {
        xy[i] = 0;
        for (int k = 0; k < 3; k++)
            xy[i] += x[i / 3 * 3 + k] * y[3 * k + i % 3];
    }
    for (int i = 0; i < 9; i++) {
        pose.r[i] = 0;
        for (int k = 0; k < 3; k++)
            pose.r[i] += z[i / 3 * 3 + k] * xy[3 * k + i % 3];
    }
    for (int i = 0; i < 3; i++)
        pose.t_mm[i] = (i == 2 ? distance : 0) - pose.r[3 * i] * at_x - pose.r[3 * i + 1] * at_y;
    return pose;
}

static inline struct scene scene_usual(const struct mat *mat)
{
    struct scene scene = {.mat = mat, .light = 0.5, .noise = 3};
    scene.camera = (struct camera){.width = 1280,
                                   .height = 720,
                                   .fx = 1010,
                                   .fy = 1010,
                                   .cx = 639.5,
                                   .cy = 359.5,
                                   .dist = {-0.12, 0.02, 0.0005, -0.0004, 0}};
    scene.pose = scene_pose(440, 320, 1060, 8, -5, 2);
    return scene;
}

/* Linear reflectance of a tag and its white frame at a mat point, or -1 outside. */
static inline double scene_tag_light(const image_u8_t *image, const struct mat_tag *tag,
                                     const double at[2])
{
    double dx = at[0] - tag->center_mm[0], dy = at[1] - tag->center_mm[1];
    if (fabs(dx) > tag->size_mm || fabs(dy) > tag->size_mm)
        return -1; /* the frame's corner lies at 0.88 sizes */
    double turn = -tag->turn_deg * M_PI / 180, module = tag->size_mm / 8;
    double u = (cos(turn) * dx - sin(turn) * dy) / module + 5;
    double v = (sin(turn) * dx + cos(turn) * dy) / module + 5;
    if (!(u >= 0) || !(v >= 0) || !(u < 10) || !(v < 10))
        return -1;
    return image->buf[(int)v * image->stride + (int)u] > 127 ? 0.9 : 0.04;
}

static inline double scene_plane_light(const struct scene *scene, image_u8_t *const *image,
                                       const double at[2])
{
    for (int i = 0; i < scene->covers; i++)
        if (hypot(at[0] - scene->cover[i][0], at[1] - scene->cover[i][1]) < scene->cover[i][2])
            return 0.3;
    double scale = scene->copy[2];
    if (scale > 0) {
        double in[2] = {(at[0] - scene->copy[0]) / scale, (at[1] - scene->copy[1]) / scale};
        if (in[0] >= 0 && in[1] >= 0 && in[0] < scene->mat->size_mm[0] &&
            in[1] < scene->mat->size_mm[1]) {
            for (int i = 0; i < scene->mat->tags; i++) {
                double light =
                    scene_tag_light(image[scene->mat->tag[i].id], &scene->mat->tag[i], in);
                if (light >= 0)
                    return light;
            }
            return 0.8;
        }
    }
    for (int i = 0; i < scene->extras; i++) {
        double light = scene_tag_light(image[scene->extra[i].id], &scene->extra[i], at);
        if (light >= 0)
            return light;
    }
    if (at[0] < 0 || at[1] < 0 || at[0] > scene->mat->size_mm[0] || at[1] > scene->mat->size_mm[1])
        return 0.08;
    for (int i = 0; i < scene->mat->tags; i++) {
        double light = scene_tag_light(image[scene->mat->tag[i].id], &scene->mat->tag[i], at);
        if (light >= 0)
            return light;
    }
    return 0.85;
}

/* Mat places of pixel corners, (width + 1) x (height + 1) pairs. */
static inline void scene_places(const struct scene *scene, double *place)
{
    int columns = scene->camera.width + 1;
    for (int row = 0; row <= scene->camera.height; row++)
        for (int column = 0; column < columns; column++) {
            double *at = &place[2 * (row * columns + column)];
            double pixel[2] = {column - 0.5, row - 0.5};
            if (!calib_camera_unproject(&scene->camera, &scene->pose, pixel, 0, at))
                at[0] = at[1] = -1e6;
        }
}

static inline double scene_pixel_light(const struct scene *scene, image_u8_t *const *image,
                                       const double *place, int row, int column)
{
    size_t columns = (size_t)scene->camera.width + 1;
    const double *a = &place[2 * ((size_t)row * columns + (size_t)column)];
    const double *b = a + 2 * columns;
    double sum = 0;
    for (int i = 0; i < SCENE_SUB * SCENE_SUB; i++) {
        double x = (i % SCENE_SUB + 0.5) / SCENE_SUB, y = (i / SCENE_SUB + 0.5) / SCENE_SUB, at[2];
        for (int k = 0; k < 2; k++)
            at[k] = (1 - y) * ((1 - x) * a[k] + x * a[2 + k]) + y * ((1 - x) * b[k] + x * b[2 + k]);
        sum += scene_plane_light(scene, image, at);
    }
    return sum / (SCENE_SUB * SCENE_SUB);
}

/* A 3 x 3 blur (1 2 1) of linear light: what a lens does. */
static inline double scene_blur(const double *light, int width, int height, int row, int column)
{
    static const double weight[3] = {0.25, 0.5, 0.25};
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        int y = row + i / 3 - 1, x = column + i % 3 - 1;
        y = y < 0 ? 0 : y >= height ? height - 1 : y;
        x = x < 0 ? 0 : x >= width ? width - 1 : x;
        sum += weight[i / 3] * weight[i % 3] * light[(size_t)y * (size_t)width + (size_t)x];
    }
    return sum;
}

/* The caller owns the frame; NULL when there is no memory. */
static inline struct frame *scene_draw(const struct scene *scene)
{
    int width = scene->camera.width, height = scene->camera.height;
    size_t pixels = (size_t)width * (size_t)height;
    double *place = malloc(2 * ((size_t)width + 1) * ((size_t)height + 1) * sizeof *place);
    double *light = malloc(pixels * sizeof *light);
    struct frame *frame = capture_frame_create(width, height, false, 0, 0);
    apriltag_family_t *family = tag36h11_create();
    image_u8_t *image[64];
    unsigned random = 12345;
    for (int i = 0; i < 64; i++)
        image[i] = apriltag_to_image(family, i);
    if (place != NULL && light != NULL && frame != NULL) {
        scene_places(scene, place);
        for (size_t i = 0; i < pixels; i++)
            light[i] =
                scene->light * scene_pixel_light(scene, image, place, (int)(i / (size_t)width),
                                                 (int)(i % (size_t)width));
        for (int row = 0; row < height; row++)
            for (int column = 0; column < width; column++) {
                int value = calib_linear_to_srgb(scene_blur(light, width, height, row, column));
                random = random * 1664525u + 1013904223u;
                value += (int)(random >> 16) % (2 * scene->noise + 1) - scene->noise;
                int to = scene->mirrored ? width - 1 - column : column;
                frame->y[(size_t)row * frame->y_stride + (size_t)to] =
                    (uint8_t)(value < 0     ? 0
                              : value > 255 ? 255
                                            : value);
            }
    }
    for (int i = 0; i < 64; i++) {
        free(image[i]->buf);
        free(image[i]);
    }
    tag36h11_destroy(family);
    free(place);
    free(light);
    return frame;
}

#endif
