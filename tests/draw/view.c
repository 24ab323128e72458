/* Where the camera stands. */
#include "tests/draw/scene.h"
#include "tests/draw/vec.h"

#include <string.h>

#define EDGE_PX 4.0 /* between the mat and the picture's edge */
#define FIT_ROUNDS 80

struct viewing {
    struct draw_scene *scene;
    double tilt, azimuth, roll; /* radians */
    double half_view;           /* radians, from the middle to the left or right edge */
    double px_per_mm;           /* in the middle, on the blocks' tops */
    double look_mm[2];
};

static double draw_from(struct draw_random *random, const double pair[2])
{
    return draw_random_range(random, pair[0], pair[1]);
}

/* A picture of that width and half that many degrees each side, lens included. */
static void view_lens(struct viewing *v, double width, double height)
{
    struct camera *camera = &v->scene->camera;
    double x = tan(v->half_view), r2 = x * x;
    double stretch = 1.0 + r2 * (camera->dist[0] + r2 * camera->dist[1]);
    camera->width = (int)width;
    camera->height = (int)height;
    camera->fx = camera->fy = width / 2.0 / (x * stretch);
    camera->cx = (width - 1.0) / 2.0;
    camera->cy = (height - 1.0) / 2.0;
}

static void view_pose(struct viewing *v)
{
    struct draw_scene *scene = v->scene;
    double distance = scene->camera.fx / v->px_per_mm;
    struct vec target = vec_of(v->look_mm[0], v->look_mm[1], -scene->kit.set->height_mm);
    struct vec toward =
        vec_of(sin(v->tilt) * cos(v->azimuth), sin(v->tilt) * sin(v->azimuth), -cos(v->tilt));
    struct vec eye = vec_along(target, toward, distance);
    struct vec ahead = vec_scale(toward, -1.0);
    struct vec right = vec_unit(vec_cross(vec_of(0, 1, 0), ahead));
    struct vec down = vec_cross(ahead, right);
    struct vec r = vec_along(vec_scale(right, cos(v->roll)), down, sin(v->roll));
    struct vec d = vec_along(vec_scale(down, cos(v->roll)), right, -sin(v->roll));
    const struct vec row[3] = {r, d, ahead};
    for (int i = 0; i < 3; i++) {
        scene->pose.r[3 * i] = row[i].x;
        scene->pose.r[3 * i + 1] = row[i].y;
        scene->pose.r[3 * i + 2] = row[i].z;
        scene->pose.t_mm[i] = -vec_dot(row[i], eye);
    }
}

/* Half sizes of the picture that the whole mat needs around the principal point, blocks on its
 * edge included. False when part of it cannot be seen at all. */
static bool view_needs(const struct viewing *v, double half[2])
{
    const struct draw_scene *scene = v->scene;
    const double *size = scene->kit.mat->size_mm;
    half[0] = half[1] = 0.0;
    for (int i = 0; i < 48; i++) { /* around the edge, as a bent lens bends it outward or inward */
        double t = (i % 12) / 12.0, z = 0.0, pixel[2];
        const double edge[4][2] = {{t, 0}, {1, t}, {1 - t, 1}, {0, 1 - t}};
        const double point[3] = {edge[i / 12][0] * size[0], edge[i / 12][1] * size[1], z};
        if (!calib_camera_project(&scene->camera, &scene->pose, point, pixel)) {
            return false;
        }
        half[0] = fmax(half[0], fabs(pixel[0] - scene->camera.cx) + EDGE_PX);
        half[1] = fmax(half[1], fabs(pixel[1] - scene->camera.cy) + EDGE_PX);
    }
    return true;
}

/* Grows the picture until it holds the mat. */
static void view_fit_picture(struct viewing *v)
{
    double width = v->scene->kit.mat->size_mm[0] * v->px_per_mm, height = width, half[2];
    for (int i = 0; i < FIT_ROUNDS; i++) {
        view_lens(v, width, height);
        view_pose(v);
        if (!view_needs(v, half)) {
            v->tilt *= 0.9;
            v->half_view *= 0.98;
            continue;
        }
        double w = 2.0 * ceil(half[0] + 0.5), h = 2.0 * ceil(half[1] + 0.5);
        /* A camera's picture is wider than high, or the view would not be what was asked for. */
        w = fmax(w, h);
        if (w <= width && h <= height && w > width * 0.985) {
            break;
        }
        width = w;
        height = h;
    }
    view_lens(v, width, height);
    view_pose(v);
}

/* Moves the camera back until the picture holds the mat. */
static void view_fit_distance(struct viewing *v, double width, double height)
{
    double half[2];
    for (int i = 0; i < FIT_ROUNDS; i++) {
        view_lens(v, width, height);
        view_pose(v);
        if (view_needs(v, half) && 2.0 * half[0] < width && 2.0 * half[1] < height) {
            return;
        }
        v->px_per_mm *= 0.97;
    }
}

void draw_scene_view(struct draw_scene *scene, const struct draw_range *range,
                     struct draw_random *random)
{
    struct viewing v = {.scene = scene};
    double k1 = draw_from(random, range->k1), share = draw_random_range(random, 0.8, 1.4);
    memset(&scene->camera, 0, sizeof scene->camera);
    scene->camera.dist[0] = k1;
    scene->camera.dist[1] = k1 < 0.0 ? k1 * k1 * share : 0.0; /* keeps the lens from folding over */
    if (range->k1[0] < range->k1[1]) { /* a lens that is not ideal is not quite straight either */
        scene->camera.dist[2] = 0.0004 * draw_random_normal(random);
        scene->camera.dist[3] = 0.0004 * draw_random_normal(random);
    }
    v.tilt = draw_from(random, range->tilt_deg) * DRAW_DEG;
    v.azimuth = draw_random_range(random, 0.0, 2.0 * DRAW_PI);
    v.roll = draw_from(random, range->roll_deg) * DRAW_DEG;
    v.half_view = draw_from(random, range->view_deg) / 2.0 * DRAW_DEG;
    v.px_per_mm = draw_from(random, range->cell_px) / scene->kit.set->width_mm;
    for (int k = 0; k < 2; k++) {
        double size = scene->kit.mat->size_mm[k];
        v.look_mm[k] = size * (0.5 + draw_random_range(random, -0.03, 0.03));
    }
    if (range->width_px > 0 && range->height_px > 0) {
        view_fit_distance(&v, range->width_px, range->height_px);
    } else {
        view_fit_picture(&v);
    }
}
