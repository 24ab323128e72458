/* Pieces of a plane sampled from a frame whose every pixel is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/symbol.h"
#include "tests/draw/random.h"
#include "tests/unit/tag_scene.h"
#include "vision/plane.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH 640
#define HEIGHT 480

struct world {
    struct pyramid *pyramid;
    struct patch patch;
};

static int world_open(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    if (w)
        w->pyramid = vision_pyramid_create();
    return w && w->pyramid ? 0 : -1;
}

static int world_close(void **state)
{
    struct world *w = *state;
    vision_pyramid_destroy(&w->pyramid);
    assert_null(w->pyramid);
    vision_pyramid_destroy(&w->pyramid);
    vision_patch_free(&w->patch);
    assert_null(w->patch.rgb);
    free(w);
    return 0;
}

/* A tilted camera with a bent lens, its middle over (300, 220) mm. */
static struct mat_pose pose_tilted(double distance_mm)
{
    struct mat_pose pose;
    memset(&pose, 0, sizeof pose);
    pose.camera = (struct camera){.width = WIDTH,
                                  .height = HEIGHT,
                                  .fx = 520,
                                  .fy = 524,
                                  .cx = 322,
                                  .cy = 236,
                                  .dist = {-0.11, 0.02, 0.001, -0.0005, 0}};
    pose.pose = scene_pose(300, 220, distance_mm, 14, -9, 25);
    return pose;
}

/* Smooth values for luma and chroma at a place of the picture. */
static double luma_at(double x, double y)
{
    return 120 + 50 * sin(x / 60) + 40 * cos(y / 45);
}

static double chroma_at(double x, double y, int which)
{
    return 128 + (which ? 22 : -18) * sin(x / 80 + which) * cos(y / 70);
}

static struct frame *frame_smooth(int cx_shift, int cy_shift)
{
    struct frame *frame = capture_frame_create(WIDTH, HEIGHT, true, cx_shift, cy_shift);
    assert_non_null(frame);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            frame->y[(size_t)y * frame->y_stride + (size_t)x] = (uint8_t)lrint(luma_at(x, y));
    for (int y = 0; y < HEIGHT >> cy_shift; y++)
        for (int x = 0; x < WIDTH >> cx_shift; x++) {
            double px = (x + 0.5) * (1 << cx_shift) - 0.5, py = (y + 0.5) * (1 << cy_shift) - 0.5;
            size_t at = (size_t)y * frame->c_stride + (size_t)x;
            frame->cb[at] = (uint8_t)lrint(chroma_at(px, py, 0));
            frame->cr[at] = (uint8_t)lrint(chroma_at(px, py, 1));
        }
    return frame;
}

static double linear_of(double byte)
{
    double v = fmin(fmax(byte, 0), 255) / 255;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static void colour_at(const double pixel[2], double rgb[3])
{
    double luma = luma_at(pixel[0], pixel[1]), cb = chroma_at(pixel[0], pixel[1], 0) - 128;
    double cr = chroma_at(pixel[0], pixel[1], 1) - 128;
    rgb[0] = linear_of(luma + 1.402 * cr);
    rgb[1] = linear_of(luma - 0.344136 * cb - 0.714136 * cr);
    rgb[2] = linear_of(luma + 1.772 * cb);
}

/* The largest difference of a patch from the colours that the lens model says. */
static double patch_error(const struct patch *patch, const struct mat_pose *pose)
{
    double worst = 0;
    for (int i = 0; i < patch->width * patch->height; i++) {
        double at[3] = {0, 0, patch->z_mm}, pixel[2], want[3];
        vision_patch_to_mm(patch, i % patch->width, i / patch->width, at);
        if (patch->flag[i] & PATCH_OUTSIDE ||
            !calib_camera_project(&pose->camera, &pose->pose, at, pixel))
            continue;
        colour_at(pixel, want);
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs((double)patch->rgb[3 * i + c] - want[c]));
    }
    return worst;
}

static void should_show_what_the_lens_puts_there(void **state)
{
    struct world *w = *state;
    static const double rect[][4] = {{220, 160, 150, 120}, {100, 60, 90, 60}, {380, 300, 101, 33}};
    static const double z[] = {0, -35, -70};
    for (int shift = 0; shift < 3; shift++) {
        struct frame *frame = frame_smooth(shift > 0, shift > 1);
        struct mat_pose pose = pose_tilted(700);
        assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
        for (int k = 0; k < 9; k++) {
            assert_int_equal(
                vision_patch_sample(&w->patch, w->pyramid, &pose, rect[k % 3], z[k / 3], 24.0 / 35),
                0);
            assert_true(patch_error(&w->patch, &pose) < 0.012); /* a byte or two */
            struct mat_pose off = pose;
            off.pose.t_mm[0] += 30;
            assert_true(patch_error(&w->patch, &off) > 0.02);
        }
        capture_frame_destroy(&frame);
    }
}

static void should_say_the_same_of_places_both_ways(void **state)
{
    struct world *w = *state;
    struct frame *frame = frame_smooth(1, 1);
    struct mat_pose pose = pose_tilted(700);
    const double rect[4] = {100, 50, 33.3, 21.7};
    double mm[2], back[2];
    assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
    assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, -35, 2), 0);
    assert_int_equal(w->patch.width, 67);
    assert_int_equal(w->patch.height, 44);
    vision_patch_to_mm(&w->patch, -0.5, -0.5, mm); /* the edge of the first pixel */
    assert_true(fabs(mm[0] - 100) < 1e-9 && fabs(mm[1] - 50) < 1e-9);
    vision_patch_to_mm(&w->patch, 12.5, 7, mm);
    vision_patch_from_mm(&w->patch, mm, &back[0], &back[1]);
    assert_true(fabs(back[0] - 12.5) < 1e-9 && fabs(back[1] - 7) < 1e-9);
    capture_frame_destroy(&frame);
}

/* A chessboard of single pixels: from far away it is grey, and nothing else. */
static void should_not_make_patterns_of_details_too_fine(void **state)
{
    struct world *w = *state;
    struct frame *frame = capture_frame_create(WIDTH, HEIGHT, true, 1, 1);
    struct mat_pose pose = pose_tilted(700);
    const double rect[4] = {200, 120, 200, 200};
    assert_non_null(frame);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        frame->y[(size_t)(i / WIDTH) * frame->y_stride + (size_t)(i % WIDTH)] =
            (i % WIDTH + i / WIDTH) % 2 ? 200 : 40;
    assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
    for (double scale = 0.05; scale < 0.3; scale *= 1.4) {
        assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, 0, scale), 0);
        for (int i = 0; i < w->patch.width * w->patch.height; i++)
            assert_true(fabs((double)w->patch.rgb[3 * i] - linear_of(120)) < 0.01);
    }
    assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, 0, 3), 0);
    float least = 1, most = 0; /* from near by it is there */
    for (int i = 0; i < w->patch.width * w->patch.height; i++) {
        least = fminf(least, w->patch.rgb[3 * i]);
        most = fmaxf(most, w->patch.rgb[3 * i]);
    }
    assert_true(least < 0.05f && most > 0.5f);
    capture_frame_destroy(&frame);
}

static void should_mark_what_lies_outside_the_picture(void **state)
{
    struct world *w = *state;
    struct frame *frame = frame_smooth(1, 0);
    struct mat_pose pose = pose_tilted(700);
    const double rect[4] = {-100, -100, 800, 700};
    int outside = 0, inside = 0;
    assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
    assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, 0, 0.4), 0);
    for (int i = 0; i < w->patch.width * w->patch.height; i++) {
        double at[3] = {0, 0, 0}, pixel[2];
        vision_patch_to_mm(&w->patch, i % w->patch.width, i / w->patch.width, at);
        bool seen = calib_camera_project(&pose.camera, &pose.pose, at, pixel);
        double room =
            seen ? fmin(fmin(pixel[0], pixel[1]), fmin(WIDTH - 1 - pixel[0], HEIGHT - 1 - pixel[1]))
                 : -9;
        bool marked = w->patch.flag[i] & PATCH_OUTSIDE;
        if (fabs(room + 0.5) > 0.2) /* the picture ends half a pixel beyond the last centres */
            assert_int_equal(marked, room < -0.5);
        outside += marked;
        inside += !marked;
        if (marked)
            assert_true(fabsf(w->patch.rgb[3 * i]) < 1e-9f);
    }
    assert_true(outside > 1000 && inside > 1000);
    capture_frame_destroy(&frame);
}

static void should_mark_what_is_burnt_out(void **state)
{
    struct world *w = *state;
    struct frame *frame = capture_frame_create(WIDTH, HEIGHT, true, 1, 1);
    struct mat_pose pose = pose_tilted(700);
    const double rect[4] = {280, 200, 40, 40};
    static const uint8_t luma[] = {255, 252, 240, 128};
    for (int k = 0; k < 4; k++) {
        memset(frame->y, luma[k], frame->y_stride * HEIGHT);
        assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
        assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, 0, 1), 0);
        for (int i = 0; i < w->patch.width * w->patch.height; i++)
            assert_int_equal(w->patch.flag[i], k < 2 ? PATCH_BURNT : 0);
    }
    memset(frame->y, 255, frame->y_stride * HEIGHT);
    memset(frame->cb, 60, frame->c_stride * HEIGHT / 2); /* bright yellow: blue is not burnt */
    assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
    assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, 0, 1), 0);
    assert_int_equal(w->patch.flag[0], 0);
    assert_true(w->patch.rgb[2] < w->patch.rgb[0]);
    capture_frame_destroy(&frame);
}

static void should_sample_grey_pictures_as_grey(void **state)
{
    struct world *w = *state;
    struct frame *frame = capture_frame_create(WIDTH, HEIGHT, false, 0, 0);
    struct mat_pose pose = pose_tilted(700);
    const double rect[4] = {280, 200, 40, 40};
    memset(frame->y, 99, frame->y_stride * HEIGHT);
    assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
    assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, 0, 1), 0);
    for (int i = 0; i < w->patch.width * w->patch.height * 3; i++)
        assert_true(fabs((double)w->patch.rgb[i] - linear_of(99)) < 1e-3);
    capture_frame_destroy(&frame);
}

static void should_take_frames_of_any_size_one_after_the_other(void **state)
{
    struct world *w = *state;
    static const int size[][2] = {{640, 480}, {33, 17}, {1001, 701}, {17, 40}, {64, 64}};
    struct draw_random random = draw_random_seed(8, 1);
    for (int k = 0; k < 15; k++) {
        int width = size[k % 5][0], height = size[k % 5][1];
        struct frame *frame = capture_frame_create(width, height, true, k / 5, k / 5 > 1);
        struct mat_pose pose = pose_tilted(700);
        const double rect[4] = {-50, -50, 700, 600};
        pose.camera.width = width;
        pose.camera.height = height;
        pose.camera.cx = width / 2.0;
        pose.camera.cy = height / 2.0;
        pose.camera.fx = pose.camera.fy = width;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                frame->y[(size_t)y * frame->y_stride + (size_t)x] =
                    (uint8_t)draw_random_below(&random, 256);
        assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
        for (double scale = 0.02; scale < 0.9; scale *= 3)
            assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect, -20, scale),
                             0);
        capture_frame_destroy(&frame);
    }
}

static void should_refuse_patches_without_a_size(void **state)
{
    struct world *w = *state;
    struct frame *frame = frame_smooth(1, 1);
    struct mat_pose pose = pose_tilted(700);
    static const double rect[][4] = {
        {0, 0, 0, 10}, {0, 0, 10, -1}, {0, 0, 1e6, 10}, {0, 0, 10, 1e6}};
    assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
    for (int k = 0; k < 4; k++)
        assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &pose, rect[k], 0, 1),
                         VISION_E_ARGUMENT);
    capture_frame_destroy(&frame);
}

static void should_show_nothing_of_a_plane_behind_the_camera(void **state)
{
    struct world *w = *state;
    struct frame *frame = frame_smooth(1, 1);
    struct mat_pose pose = pose_tilted(700);
    const double rect[4] = {200, 120, 200, 200};
    assert_int_equal(vision_pyramid_build(w->pyramid, frame), 0);
    int error = vision_patch_sample(&w->patch, w->pyramid, &pose, rect, -1500, 0.3);
    for (int i = 0; !error && i < w->patch.width * w->patch.height; i++)
        assert_int_equal(w->patch.flag[i], PATCH_OUTSIDE);
    assert_true(error == VISION_OK || error == VISION_E_POSE);
    assert_true(vision_plane_scale(&pose, 300, 220, -1500) <= 0);
    capture_frame_destroy(&frame);
}

static void should_tell_the_picture_s_pixels_to_a_millimetre(void **state)
{
    (void)state;
    struct mat_pose pose = pose_tilted(700);
    memset(pose.camera.dist, 0, sizeof pose.camera.dist);
    pose.pose = scene_pose(300, 220, 700, 0, 0, 0);
    assert_true(fabs(vision_plane_scale(&pose, 300, 220, 0) - 520.0 / 700) < 1e-6);
    assert_true(fabs(vision_plane_scale(&pose, 100, 50, -35) - 520.0 / 665) < 1e-6);
    pose.pose = scene_pose(300, 220, 700, 40, 0, 0); /* foreshortened one way: the smaller counts */
    assert_true(fabs(vision_plane_scale(&pose, 300, 220, 0) - cos(40 * M_PI / 180) * 524 / 700) <
                2e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_show_what_the_lens_puts_there),
        cmocka_unit_test(should_say_the_same_of_places_both_ways),
        cmocka_unit_test(should_not_make_patterns_of_details_too_fine),
        cmocka_unit_test(should_mark_what_lies_outside_the_picture),
        cmocka_unit_test(should_mark_what_is_burnt_out),
        cmocka_unit_test(should_sample_grey_pictures_as_grey),
        cmocka_unit_test(should_take_frames_of_any_size_one_after_the_other),
        cmocka_unit_test(should_refuse_patches_without_a_size),
        cmocka_unit_test(should_show_nothing_of_a_plane_behind_the_camera),
        cmocka_unit_test(should_tell_the_picture_s_pixels_to_a_millimetre),
    };
    return cmocka_run_group_tests(tests, world_open, world_close);
}
