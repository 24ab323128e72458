/* calib/cmd_calibrate_places.c: see cmd_calibrate_places.h. */
#include "calib/cmd_calibrate_places.h"

#include "calib/cv.h"

#include <math.h>
#include <string.h>

#define SIDE_POINTS 6 /* a lens bends straight lines */
/* Webcams see some 60 degrees across. */
#define USUAL_FOCAL_SHARE 0.85

struct camera cmd_calibrate_usual_camera(int width, int height)
{
    struct camera camera = {.width = width, .height = height};

    camera.fx = camera.fy = USUAL_FOCAL_SHARE * width;
    camera.cx = 0.5 * (width - 1);
    camera.cy = 0.5 * (height - 1);
    return camera;
}

bool cmd_calibrate_corners(const struct mat *mat, const struct camera *camera,
                           const double px[4][2], struct calibrate_place *out)
{
    const double w = mat->size_mm[0], h = mat->size_mm[1];
    const double mm[4][2] = {{0, 0}, {w, 0}, {w, h}, {0, h}};
    struct pose poses[2];
    double center[3], sum = 0;
    int found = calib_cv_plane_poses(camera, mm, px, 4, poses);

    memset(out, 0, sizeof *out);
    for (int i = 0; i < found && !out->known; i++) {
        calib_pose_center(&poses[i], center);
        out->known = center[2] < 0; /* from below the table nobody looks */
        out->pose = poses[i];
    }
    out->camera = *camera;
    for (int i = 0; i < 4 && out->known; i++) {
        const double point[3] = {mm[i][0], mm[i][1], 0};
        double seen[2];
        out->known = calib_camera_project(camera, &out->pose, point, seen);
        sum += out->known ? (seen[0] - px[i][0]) * (seen[0] - px[i][0]) +
                                (seen[1] - px[i][1]) * (seen[1] - px[i][1])
                          : 0;
    }
    out->miss_px = sqrt(sum / 4);
    return out->known;
}

static void point_put(struct json_text *json, const struct calibrate_place *place, double x_mm,
                      double y_mm)
{
    const double point[3] = {x_mm, y_mm, 0};
    double px[2];

    if (calib_camera_project(&place->camera, &place->pose, point, px))
        cmd_calibrate_point(json, px);
}

static void rect_put(struct json_text *json, const char *key, const struct calibrate_place *place,
                     const double r[4], int side_points)
{
    static const int corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};

    vision_json_open(json, key, '[');
    for (int i = 0; i < 4 * side_points; i++) {
        const int *a = corner[i / side_points], *b = corner[i / side_points + 1];
        double along = (double)(i % side_points) / side_points;
        point_put(json, place, r[0] + r[2] * (a[0] + along * (b[0] - a[0])),
                  r[1] + r[3] * (a[1] + along * (b[1] - a[1])));
    }
    vision_json_close(json, ']');
}

static void line_put(struct json_text *json, const struct calibrate_place *place, const double a[2],
                     const double b[2])
{
    for (int i = 0; i < SIDE_POINTS; i++) {
        vision_json_open(json, NULL, '[');
        for (int k = i; k <= i + 1; k++)
            point_put(json, place, a[0] + (b[0] - a[0]) * k / SIDE_POINTS,
                      a[1] + (b[1] - a[1]) * k / SIDE_POINTS);
        vision_json_close(json, ']');
    }
}

static void grid_put(struct json_text *json, const struct calibrate_place *place,
                     const struct mat_seat *seat, double cell_mm)
{
    const double *r = seat->rect_mm;

    for (double x = cell_mm; x < r[2]; x += cell_mm)
        line_put(json, place, (const double[2]){r[0] + x, r[1]},
                 (const double[2]){r[0] + x, r[1] + r[3]});
    for (double y = cell_mm; y < r[3]; y += cell_mm)
        line_put(json, place, (const double[2]){r[0], r[1] + y},
                 (const double[2]){r[0] + r[2], r[1] + y});
}

static void item_put(struct json_text *json, const char *key, int number,
                     const struct calibrate_place *place, const double rect[4])
{
    vision_json_open(json, NULL, '{');
    vision_json_int(json, key, number);
    rect_put(json, "outline", place, rect, SIDE_POINTS);
    vision_json_close(json, '}');
}

void cmd_calibrate_places(struct json_text *json, const struct calibrate_place *place,
                          const struct mat *mat, double cell_mm)
{
    const double sheet[4] = {0, 0, mat->size_mm[0], mat->size_mm[1]};

    if (!place->known) {
        vision_json_null(json, "mat");
        return;
    }
    rect_put(json, "mat", place, sheet, 1);
    vision_json_open(json, "seats", '[');
    for (int i = 0; i < mat->seats; i++)
        item_put(json, "seat", mat->seat[i].seat, place, mat->seat[i].rect_mm);
    vision_json_close(json, ']');
    vision_json_open(json, "slots", '[');
    for (int i = 0; i < mat->slots; i++)
        item_put(json, "slot", mat->slot[i].slot, place, mat->slot[i].rect_mm);
    vision_json_close(json, ']');
    vision_json_open(json, "grid", '[');
    for (int i = 0; i < mat->seats; i++)
        grid_put(json, place, &mat->seat[i], cell_mm);
    vision_json_close(json, ']');
}
