/* What a block's body hides on the plane of the tops, against points of the block and sight lines
 * through a real lens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/draw/random.h"
#include "tests/unit/tag_scene.h"
#include "vision/body.h"

#include <math.h>

#define TOP_MM 35.0
#define SIDE_MM 35.0

static struct mat_pose pose_random(struct draw_random *random)
{
    struct mat_pose pose;
    memset(&pose, 0, sizeof pose);
    pose.camera = (struct camera){.width = 1280,
                                  .height = 720,
                                  .fx = 1010,
                                  .fy = 1005,
                                  .cx = 640,
                                  .cy = 355,
                                  .dist = {-0.12, 0.02, 0.0005, -0.0004, 0}};
    pose.pose = scene_pose(420, 300, draw_random_range(random, 700, 1400),
                           draw_random_range(random, -22, 22), draw_random_range(random, -22, 22),
                           draw_random_range(random, -180, 180));
    return pose;
}

static struct body_top top_random(struct draw_random *random)
{
    return (struct body_top){
        {draw_random_range(random, 150, 700), draw_random_range(random, 120, 480)},
        draw_random_range(random, -M_PI, M_PI),
        SIDE_MM,
        TOP_MM};
}

/* Where a point of space is seen, on the plane at a height. */
static bool seen_on_plane(const struct mat_pose *pose, const double point[3], double height_mm,
                          double out[2])
{
    double pixel[2];
    return calib_camera_project(&pose->camera, &pose->pose, point, pixel) &&
           calib_camera_unproject(&pose->camera, &pose->pose, pixel, -height_mm, out);
}

static void should_take_the_camera_s_place_from_the_pose(void **state)
{
    (void)state;
    struct draw_random random = draw_random_seed(1, 1);
    for (int k = 0; k < 20; k++) {
        struct mat_pose pose = pose_random(&random);
        struct camera_view view = vision_view_from_pose(&pose);
        double eye[3];
        calib_pose_center(&pose.pose, eye);
        assert_true(fabs(view.nadir_mm[0] - eye[0]) < 1e-9 &&
                    fabs(view.nadir_mm[1] - eye[1]) < 1e-9);
        assert_true(view.height_mm > 0 && fabs(view.height_mm + eye[2]) < 1e-9);
    }
}

static void should_shift_points_between_planes_as_the_lens_shows_them(void **state)
{
    (void)state;
    struct draw_random random = draw_random_seed(2, 1);
    for (int k = 0; k < 500; k++) {
        struct mat_pose pose = pose_random(&random);
        struct camera_view view = vision_view_from_pose(&pose);
        double from = draw_random_range(&random, 0, 70), to = draw_random_range(&random, 0, 70);
        const double point[3] = {draw_random_range(&random, 200, 640),
                                 draw_random_range(&random, 150, 450), -from};
        double want[2], got[2], back[2];
        if (!seen_on_plane(&pose, point, to, want))
            continue;
        vision_view_shift(&view, point, from, to, got);
        assert_true(hypot(got[0] - want[0], got[1] - want[1]) < 1e-3);
        vision_view_shift(&view, got, to, from, back);
        assert_true(hypot(back[0] - point[0], back[1] - point[1]) < 1e-9);
    }
}

static void should_show_high_things_further_from_the_camera_s_foot(void **state)
{
    (void)state;
    const struct camera_view view = {{100, 50}, 1000};
    const double at[2] = {400, 450};
    double out[2];
    vision_view_shift(&view, at, 35, 0, out);
    assert_true(hypot(out[0] - 100, out[1] - 50) > 500);
    vision_view_shift(&view, at, 0, 35, out);
    assert_true(hypot(out[0] - 100, out[1] - 50) < 500);
    vision_view_shift(&view, view.nadir_mm, 0, 70, out); /* right under it nothing moves */
    assert_true(hypot(out[0] - 100, out[1] - 50) < 1e-12);
}

/* Every point of the block, top, sides and inside, is seen at a place that the body covers. */
static void should_cover_wherever_a_point_of_the_block_is_seen(void **state)
{
    (void)state;
    struct draw_random random = draw_random_seed(3, 1);
    int tried = 0;
    for (int k = 0; k < 3000; k++) {
        struct mat_pose pose = pose_random(&random);
        struct camera_view view = vision_view_from_pose(&pose);
        struct body_top top = top_random(&random);
        double u = draw_random_range(&random, -0.499, 0.499) * SIDE_MM;
        double v = draw_random_range(&random, -0.499, 0.499) * SIDE_MM;
        double c = cos(top.turn_rad), s = sin(top.turn_rad), q[2];
        double plane =
            draw_random_chance(&random, 0.5) ? TOP_MM : draw_random_range(&random, 0, 70);
        const double point[3] = {top.center_mm[0] + c * u - s * v, top.center_mm[1] + s * u + c * v,
                                 -draw_random_range(&random, 0.01, TOP_MM - 0.01)};
        if (!seen_on_plane(&pose, point, plane, q))
            continue;
        tried++;
        assert_true(vision_body_covers(&view, &top, plane, q, 0));
    }
    assert_true(tried > 2000);
}

/* Does the sight line through q meet the block, by small steps along it? Within `near` mm of the
 * block's surface the steps cannot say. */
static double line_room(const struct mat_pose *pose, const struct body_top *top, const double at[3])
{
    double pixel[2], least = 1e9;
    if (!calib_camera_project(&pose->camera, &pose->pose, at, pixel))
        return NAN;
    for (double h = 0; h <= TOP_MM; h += 0.25) {
        double p[2];
        if (!calib_camera_unproject(&pose->camera, &pose->pose, pixel, -h, p))
            return NAN;
        double dx = p[0] - top->center_mm[0], dy = p[1] - top->center_mm[1];
        double c = cos(top->turn_rad), s = sin(top->turn_rad);
        least = fmin(least, fmax(fabs(c * dx + s * dy), fabs(c * dy - s * dx)));
    }
    return least - SIDE_MM / 2;
}

static void should_cover_just_where_the_sight_line_meets_the_block(void **state)
{
    (void)state;
    struct draw_random random = draw_random_seed(4, 1);
    int covered = 0, clear = 0;
    for (int k = 0; k < 1500; k++) {
        struct mat_pose pose = pose_random(&random);
        struct camera_view view = vision_view_from_pose(&pose);
        struct body_top top = top_random(&random);
        double grow = draw_random_chance(&random, 0.5) ? 0 : draw_random_range(&random, -3, 6);
        const double at[3] = {top.center_mm[0] + draw_random_range(&random, -45, 45),
                              top.center_mm[1] + draw_random_range(&random, -45, 45), -TOP_MM};
        double room = line_room(&pose, &top, at) - grow;
        if (isnan(room) || fabs(room) < 0.1)
            continue;
        assert_int_equal(vision_body_covers(&view, &top, TOP_MM, at, grow), room < 0);
        covered += room < 0;
        clear += room > 0;
    }
    assert_true(covered > 300 && clear > 300);
}

static void should_reach_toward_the_camera_and_not_away_from_it(void **state)
{
    (void)state;
    const struct camera_view view = {{0, 0}, 1000};
    const struct body_top top = {{400, 0}, 0, SIDE_MM, TOP_MM};
    double foot = 400 - SIDE_MM / 2 - (400 - SIDE_MM / 2) * TOP_MM / 1000; /* by hand: k = 0.965 */
    const double cases[][2] = {{400, 0},   {foot + 0.1, 0}, {foot - 0.1, 0}, {417.4, 0},
                               {417.6, 0}, {400, 17.4},     {400, 17.6}};
    const bool want[] = {true, true, false, true, false, true, false};
    for (int i = 0; i < 7; i++) {
        assert_int_equal(vision_body_covers(&view, &top, TOP_MM, cases[i], 0), want[i]);
        assert_true(want[i] || vision_body_covers(&view, &top, TOP_MM, cases[i], 0.5));
    }
}

/* The end of a standing block is as wide as a lying one's top, and twice as high. */
static void should_sweep_further_under_a_standing_block(void **state)
{
    (void)state;
    const struct camera_view view = {{0, 0}, 1000};
    const struct body_top lying = {{400, 0}, 0, SIDE_MM, TOP_MM};
    const struct body_top standing = {{400, 0}, 0, SIDE_MM, 2 * TOP_MM};
    double beyond[2];
    const double edge[2] = {400 + SIDE_MM / 2 - 0.2, 0};
    vision_view_shift(&view, edge, 2 * TOP_MM, TOP_MM, beyond); /* its upper edge, seen below */
    assert_true(beyond[0] > 400 + SIDE_MM / 2);
    assert_true(vision_body_covers(&view, &standing, TOP_MM, beyond, 0));
    assert_false(vision_body_covers(&view, &lying, TOP_MM, beyond, 0));
}

static void should_cover_no_more_than_the_square_right_under_the_camera(void **state)
{
    (void)state;
    const struct camera_view view = {{200, 200}, 900};
    const struct body_top top = {{200, 200}, 0.3, SIDE_MM, TOP_MM};
    for (int i = 0; i < 64; i++) {
        double a = i * M_PI / 32, c = cos(a), s = sin(a),
               reach = SIDE_MM / 2 / fmax(fabs(c), fabs(s));
        double turned[2] = {cos(a + 0.3), sin(a + 0.3)};
        const double in[2] = {200 + turned[0] * (reach - 0.01), 200 + turned[1] * (reach - 0.01)};
        const double out[2] = {200 + turned[0] * (reach + 0.01), 200 + turned[1] * (reach + 0.01)};
        assert_true(vision_body_covers(&view, &top, TOP_MM, in, 0));
        assert_false(vision_body_covers(&view, &top, TOP_MM, out, 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_take_the_camera_s_place_from_the_pose),
        cmocka_unit_test(should_shift_points_between_planes_as_the_lens_shows_them),
        cmocka_unit_test(should_show_high_things_further_from_the_camera_s_foot),
        cmocka_unit_test(should_cover_wherever_a_point_of_the_block_is_seen),
        cmocka_unit_test(should_cover_just_where_the_sight_line_meets_the_block),
        cmocka_unit_test(should_reach_toward_the_camera_and_not_away_from_it),
        cmocka_unit_test(should_sweep_further_under_a_standing_block),
        cmocka_unit_test(should_cover_no_more_than_the_square_right_under_the_camera),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
