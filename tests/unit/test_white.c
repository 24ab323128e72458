/* What white looks like, on sheets of paper under lamps whose light is known everywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/symbol.h"
#include "tests/unit/tag_scene.h"
#include "vision/white.h"

#include <math.h>
#include <stdlib.h>

#define PX_PER_MM 0.8
#define SHEET_W 600
#define SHEET_H 400

struct world {
    struct pyramid *pyramid;
    struct white_map *map;
    struct patch patch;
    struct mat mat;
    struct mat_pose pose;
    struct frame *frame;
    float *whiteness;
};

/* Light on the sheet, and what lies on it. */
struct sheet {
    double lamp[3];    /* that white sends back at the left edge, linear */
    double fall;       /* share lost towards the right edge */
    double dark;       /* share of the sheet under dark squares, 50 mm from each to the next */
    bool layout;       /* twelve cells in the middle: 35 mm, with a white shape of 14 mm on each */
    double spot_mm[3]; /* x, y, radius of a mirrored lamp; none at radius 0 */
    double saturated;  /* radius of a red disc in the middle; 0: none */
};

static int world_open(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return -1;
    w->pyramid = vision_pyramid_create();
    w->map = vision_white_create();
    w->mat.size_mm[0] = SHEET_W;
    w->mat.size_mm[1] = SHEET_H;
    w->pose.camera = (struct camera){
        .width = 520, .height = 360, .fx = 800, .fy = 800, .cx = 259.5, .cy = 179.5};
    w->pose.pose = scene_pose(SHEET_W / 2.0, SHEET_H / 2.0, 800 / PX_PER_MM, 0, 0, 0);
    w->frame = capture_frame_create(520, 360, true, 0, 0);
    return w->pyramid && w->map && w->frame ? 0 : -1;
}

static int world_close(void **state)
{
    struct world *w = *state;
    vision_pyramid_destroy(&w->pyramid);
    vision_white_destroy(&w->map);
    assert_null(w->map);
    vision_white_destroy(&w->map);
    capture_frame_destroy(&w->frame);
    vision_patch_free(&w->patch);
    free(w->whiteness);
    free(w);
    return 0;
}

static void light_at(const struct sheet *s, double x, double rgb[3])
{
    for (int c = 0; c < 3; c++)
        rgb[c] = s->lamp[c] * (1 - s->fall * x / SHEET_W);
}

static bool layout_dark(double x, double y)
{
    double u = x - SHEET_W / 2.0 + 70, v = y - SHEET_H / 2.0 + 52.5;
    if (u < 0 || v < 0 || u > 140 || v > 105)
        return false;
    double edge = fmax(fabs(fmod(u, 35) - 17.5), fabs(fmod(v, 35) - 17.5));
    return edge < 15 && edge > 7;
}

static void sheet_at(const struct sheet *s, double x, double y, double rgb[3])
{
    light_at(s, x, rgb);
    double tone = 0.97;
    if (x < 0 || y < 0 || x > SHEET_W || y > SHEET_H)
        tone = 0.05;
    else if (fmod(x, 50) < 50 * sqrt(s->dark) && fmod(y, 50) < 50 * sqrt(s->dark))
        tone = 0.06;
    if (s->layout && layout_dark(x, y))
        tone = 0.06;
    for (int c = 0; c < 3; c++)
        rgb[c] *= tone;
    if (hypot(x - SHEET_W / 2.0, y - SHEET_H / 2.0) < s->saturated)
        rgb[1] *= 0.05, rgb[2] *= 0.06;
    if (hypot(x - s->spot_mm[0], y - s->spot_mm[1]) < s->spot_mm[2])
        rgb[0] = rgb[1] = rgb[2] = 1;
}

static void sheet_take(struct world *w, const struct sheet *s)
{
    for (int i = 0; i < 520 * 360; i++) {
        const double pixel[2] = {i % 520, i / 520};
        double at[2], rgb[3];
        assert_true(calib_camera_unproject(&w->pose.camera, &w->pose.pose, pixel, 0, at));
        sheet_at(s, at[0], at[1], rgb);
        struct capture_ycc ycc =
            capture_rgb_to_ycc(calib_linear_to_srgb(rgb[0]), calib_linear_to_srgb(rgb[1]),
                               calib_linear_to_srgb(rgb[2]));
        w->frame->y[(size_t)(i / 520) * w->frame->y_stride + (size_t)(i % 520)] = ycc.y;
        w->frame->cb[(size_t)(i / 520) * w->frame->c_stride + (size_t)(i % 520)] = ycc.cb;
        w->frame->cr[(size_t)(i / 520) * w->frame->c_stride + (size_t)(i % 520)] = ycc.cr;
    }
    assert_int_equal(vision_pyramid_build(w->pyramid, w->frame), 0);
    assert_int_equal(vision_white_build(w->map, w->pyramid, &w->pose, &w->mat), 0);
}

/* The map's largest error against the light, as a share of it. Not at the very edge of the sheet,
 * where half of what is near is no paper. */
static double map_error(const struct world *w, const struct sheet *s)
{
    double worst = 0;
    for (int y = 60; y <= SHEET_H - 60; y += 20)
        for (int x = 60; x <= SHEET_W - 60; x += 20) {
            double want[3];
            float got[3];
            light_at(s, x, want);
            vision_white_at(w->map, x, y, got);
            for (int c = 0; c < 3; c++)
                worst = fmax(worst, fabs((double)got[c] / want[c] - 1));
        }
    return worst;
}

static void should_follow_the_lamp_s_colour_and_how_it_falls_off(void **state)
{
    struct world *w = *state;
    static const struct sheet sheet[] = {{.lamp = {0.7, 0.7, 0.7}},
                                         {.lamp = {0.9, 0.6, 0.25}, .fall = 0.6},
                                         {.lamp = {0.3, 0.4, 0.6}, .fall = 0.4},
                                         {.lamp = {0.06, 0.06, 0.05}, .fall = 0.5}};
    for (int k = 0; k < 4; k++) {
        sheet_take(w, &sheet[k]);
        assert_true(map_error(w, &sheet[k]) < 0.15);
        struct sheet other = sheet[(k + 1) % 4];
        assert_true(map_error(w, &other) > 0.25);
    }
}

static void should_not_mind_blocks_and_print_on_the_paper(void **state)
{
    struct world *w = *state;
    const struct sheet sheet[] = {{.lamp = {0.8, 0.65, 0.4}, .fall = 0.4, .dark = 0.12},
                                  {.lamp = {0.8, 0.65, 0.4}, .fall = 0.4, .dark = 0.24},
                                  {.lamp = {0.8, 0.65, 0.4}, .fall = 0.4, .layout = true},
                                  {.lamp = {0.2, 0.3, 0.5}, .fall = 0.5, .layout = true}};
    for (int k = 0; k < 4; k++) {
        sheet_take(w, &sheet[k]);
        assert_true(map_error(w, &sheet[k]) < 0.15);
    }
}

static void should_not_take_a_mirrored_lamp_for_white(void **state)
{
    struct world *w = *state;
    const struct sheet sheet = {.lamp = {0.4, 0.3, 0.2}, .spot_mm = {300, 200, 25}};
    sheet_take(w, &sheet);
    assert_true(map_error(w, &sheet) < 0.15);
}

static void should_give_some_white_everywhere(void **state)
{
    struct world *w = *state;
    const struct sheet dark = {.lamp = {0, 0, 0}};
    float rgb[3];
    sheet_take(w, &dark);
    for (int y = -500; y < 1000; y += 50)
        for (int x = -500; x < 1500; x += 50) {
            vision_white_at(w->map, x, y, rgb);
            for (int c = 0; c < 3; c++)
                assert_true(rgb[c] > 0 && rgb[c] < 0.1f);
        }
}

static void should_use_what_is_in_view_where_nothing_else_is_known(void **state)
{
    struct world *w = *state;
    const struct sheet sheet = {.lamp = {0.7, 0.6, 0.5}};
    struct mat_pose before = w->pose;
    float rgb[3];
    w->pose.pose.t_mm[0] += 300; /* only the sheet's left half is in the picture */
    sheet_take(w, &sheet);
    vision_white_at(w->map, 550, 200, rgb);
    w->pose = before;
    assert_true(fabsf(rgb[0] - 0.68f) < 0.15f && fabsf(rgb[2] - 0.48f) < 0.15f);
}

static void whiteness_take(struct world *w)
{
    const double rect[4] = {150, 100, 300, 200};
    assert_int_equal(vision_patch_sample(&w->patch, w->pyramid, &w->pose, rect, 0, 0.7), 0);
    free(w->whiteness);
    w->whiteness = calloc((size_t)w->patch.width * (size_t)w->patch.height, sizeof *w->whiteness);
    assert_non_null(w->whiteness);
    vision_whiteness(w->map, &w->patch, w->whiteness);
}

static int patch_index(const struct world *w, double x_mm, double y_mm)
{
    const double mm[2] = {x_mm, y_mm};
    double x, y;
    vision_patch_from_mm(&w->patch, mm, &x, &y);
    return (int)lrint(y) * w->patch.width + (int)lrint(x);
}

static int marks_count(const struct world *w, unsigned mark)
{
    int count = 0;
    for (int i = 0; i < w->patch.width * w->patch.height; i++)
        count += (w->patch.flag[i] & mark) != 0;
    return count;
}

static void should_call_paper_white_and_colour_not(void **state)
{
    struct world *w = *state;
    static const double lamp[][3] = {{0.7, 0.7, 0.7}, {0.9, 0.5, 0.2}, {0.1, 0.12, 0.2}};
    for (int k = 0; k < 3; k++) {
        struct sheet sheet = {.saturated = 20};
        memcpy(sheet.lamp, lamp[k], sizeof sheet.lamp);
        sheet_take(w, &sheet);
        whiteness_take(w);
        assert_true(w->whiteness[patch_index(w, 300, 200)] < 0.12f);
        for (int x = 170; x < 260; x += 10)
            assert_true(fabsf(w->whiteness[patch_index(w, x, 150)] - 1) < 0.12f);
        assert_int_equal(marks_count(w, PATCH_GLARE), 0);
    }
}

static void should_mark_a_mirrored_lamp_and_what_is_close_to_it(void **state)
{
    struct world *w = *state;
    const struct sheet sheet = {.lamp = {0.5, 0.4, 0.3}, .spot_mm = {320, 220, 15}};
    sheet_take(w, &sheet);
    whiteness_take(w);
    for (int i = 0; i < w->patch.width * w->patch.height; i++) {
        double mm[2];
        vision_patch_to_mm(&w->patch, i % w->patch.width, i / w->patch.width, mm);
        double away = hypot(mm[0] - 320, mm[1] - 220);
        if (away < 16 || away > 24) /* two patch px of 1.4 mm, and as much along the diagonal */
            assert_int_equal((w->patch.flag[i] & PATCH_GLARE) != 0, away < 16);
        if (away < 15 || away > 24)
            assert_int_equal((w->patch.flag[i] & PATCH_LAMP) != 0, away < 15);
    }
    const struct sheet without = {.lamp = {0.5, 0.4, 0.3}};
    sheet_take(w, &without);
    whiteness_take(w);
    assert_int_equal(marks_count(w, PATCH_GLARE), 0);
}

/* A sensor's noise lights single pixels as much as a lamp would; only what holds together is one.
 */
static void should_not_take_noise_for_mirrored_lamps(void **state)
{
    struct world *w = *state;
    const struct sheet dull = {.lamp = {0.3, 0.3, 0.3}};
    uint32_t random = 1;
    sheet_take(w, &dull);
    for (int i = 0; i < 520 * 360; i++) {
        uint8_t *y = w->frame->y + (size_t)(i / 520) * w->frame->y_stride + (size_t)(i % 520);
        random = random * 1664525u + 1013904223u;
        if (random >> 28 == 0) /* one in sixteen */
            *y = (uint8_t)(*y + 34);
    }
    assert_int_equal(vision_pyramid_build(w->pyramid, w->frame), 0);
    assert_int_equal(vision_white_build(w->map, w->pyramid, &w->pose, &w->mat), 0);
    whiteness_take(w);
    int bright = 0, all = w->patch.width * w->patch.height;
    for (int i = 0; i < all; i++)
        bright += w->whiteness[i] > 1.25f;
    assert_true(bright > all / 50); /* the noise is there */
    assert_true(marks_count(w, PATCH_GLARE) > all / 50);
    assert_true(marks_count(w, PATCH_LAMP) < all / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_follow_the_lamp_s_colour_and_how_it_falls_off),
        cmocka_unit_test(should_not_mind_blocks_and_print_on_the_paper),
        cmocka_unit_test(should_not_take_a_mirrored_lamp_for_white),
        cmocka_unit_test(should_give_some_white_everywhere),
        cmocka_unit_test(should_use_what_is_in_view_where_nothing_else_is_known),
        cmocka_unit_test(should_call_paper_white_and_colour_not),
        cmocka_unit_test(should_mark_a_mirrored_lamp_and_what_is_close_to_it),
        cmocka_unit_test(should_not_take_noise_for_mirrored_lamps),
    };
    return cmocka_run_group_tests(tests, world_open, world_close);
}
