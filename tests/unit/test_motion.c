/* What counts as a change in a part of the small picture, and what does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vision/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 240 /* px of the small picture: of 1080p */
#define HEIGHT 135

struct world {
    struct small before, now;
    struct region region; /* a seat of 60 x 50 small pixels */
    uint32_t random;
};

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return -1;
    w->before = (struct small){WIDTH, HEIGHT, calloc(WIDTH * HEIGHT, 1)};
    w->now = (struct small){WIDTH, HEIGHT, calloc(WIDTH * HEIGHT, 1)};
    w->region.pixel = calloc(60 * 50, sizeof *w->region.pixel);
    if (!w->before.y || !w->now.y || !w->region.pixel)
        return -1;
    for (int y = 40; y < 90; y++)
        for (int x = 90; x < 150; x++)
            w->region.pixel[w->region.pixels++] = (uint32_t)(y * WIDTH + x);
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;
    vision_region_free(&w->region);
    vision_small_free(&w->before);
    vision_small_free(&w->now);
    free(w);
    return 0;
}

static double noise(struct world *w, double levels)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        w->random = w->random * 1664525u + 1013904223u;
        sum += (double)(w->random >> 16) / 65536.0 - 0.5;
    }
    return 2 * levels * sum;
}

/* A table that is not all alike. */
static double table_level(int x, int y)
{
    return 140 + 60 * sin(x * 0.31) * cos(y * 0.23);
}

static uint8_t byte(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : lround(value));
}

static void paint(struct world *w, struct small *small, double gain, double levels)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            small->y[y * WIDTH + x] = byte(gain * table_level(x, y) + noise(w, levels));
}

static struct world *start(void **state)
{
    struct world *w = *state;
    w->random = 1;
    paint(w, &w->before, 1, 0);
    paint(w, &w->now, 1, 0);
    return w;
}

static bool moved(struct world *w)
{
    struct small_change change = vision_small_compare(&w->before, &w->now);
    uint8_t values[60 * 50];
    int changed = vision_region_changed(&w->region, &w->before, &w->now, change);
    vision_region_values(&w->region, &w->before, values);
    assert_int_equal(changed, vision_region_changed_from(&w->region, values, &w->now, change));
    return vision_region_moved(&w->region, changed);
}

/* Something that is darker by `levels`, side x side small pixels. */
static void put(struct world *w, int side, double levels)
{
    for (int y = 60; y < 60 + side; y++)
        for (int x = 110; x < 110 + side; x++)
            w->now.y[y * WIDTH + x] = byte(w->now.y[y * WIDTH + x] - levels);
}

static void should_see_nothing_in_the_same_picture(void **state)
{
    struct world *w = start(state);
    struct small_change change = vision_small_compare(&w->before, &w->now);
    assert_int_equal(change.gain_ppm, SMALL_SAME_PPM);
    assert_int_equal(change.noise_level10, 0);
    assert_int_equal(change.bands_permille, 0);
    assert_false(moved(w));
}

static void should_see_a_finger(void **state)
{
    struct world *w = start(state);
    put(w, 3, 25);
    assert_true(moved(w));
}

static void should_see_a_finger_through_noise_and_a_change_of_light(void **state)
{
    struct world *w = start(state);
    paint(w, &w->now, 0.9, 1);
    put(w, 4, 40);
    assert_true(moved(w));
}

static void should_not_see_noise(void **state)
{
    struct world *w = start(state);
    for (int i = 0; i < 50; i++) {
        paint(w, &w->before, 1, 1.5);
        paint(w, &w->now, 1, 1.5);
        assert_false(moved(w));
    }
}

static void should_not_see_a_change_of_exposure(void **state)
{
    struct world *w = start(state);
    for (double gain = 0.5; gain < 1.2; gain += 0.05) {
        paint(w, &w->now, gain, 0.5);
        struct small_change change = vision_small_compare(&w->before, &w->now);
        assert_true(fabs(change.gain_ppm / 1e6 - gain) < 0.01);
        assert_false(moved(w));
    }
}

static void should_not_see_what_the_sensor_cuts_off(void **state)
{
    struct world *w = start(state);
    paint(w, &w->before, 1.5, 0);
    assert_false(moved(w)); /* darker than cut off */
    struct small kept = w->before;
    w->before = w->now;
    w->now = kept;
    assert_false(moved(w));
}

static void should_measure_the_light_with_half_of_the_picture_covered(void **state)
{
    struct world *w = start(state);
    paint(w, &w->now, 0.8, 0.5);
    for (int y = 0; y < HEIGHT; y++)
        memset(w->now.y + y * WIDTH, 40, WIDTH * 2 / 5);
    struct small_change change = vision_small_compare(&w->before, &w->now);
    assert_true(fabs(change.gain_ppm / 1e6 - 0.8) < 0.01);
    assert_true(change.noise_level10 < 30);
}

/* Errors of the light must have no preferred side: whoever multiplies them would run away. */
static void should_not_lean_to_a_side_in_noise(void **state)
{
    struct world *w = start(state);
    double sum = 0;
    for (int i = 0; i < 200; i++) {
        paint(w, &w->before, 1, 1.2);
        paint(w, &w->now, 1, 1.2);
        sum += vision_small_compare(&w->before, &w->now).gain_ppm / 1e6 - 1;
    }
    assert_true(fabs(sum / 200) < 0.0001);
}

static void should_see_bands_and_not_a_change_of_light_or_an_arm(void **state)
{
    struct world *w = start(state);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            w->now.y[y * WIDTH + x] =
                byte(table_level(x, y) * (1 + 0.03 * sin(0.14 * y)) + noise(w, 1));
    assert_true(vision_small_compare(&w->before, &w->now).bands_permille > 25);
    paint(w, &w->now, 0.8, 1);
    assert_true(vision_small_compare(&w->before, &w->now).bands_permille < 8);
    paint(w, &w->now, 1, 1);
    for (int y = 50; y < 70; y++)
        memset(w->now.y + y * WIDTH, 60, WIDTH);
    assert_true(vision_small_compare(&w->before, &w->now).bands_permille < 8);
    /* in the dark there are no rows to compare */
    memset(w->before.y, 5, WIDTH * HEIGHT);
    assert_int_equal(vision_small_compare(&w->before, &w->now).bands_permille, 0);
}

static void should_tell_levels(void **state)
{
    struct world *w = start(state);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        w->now.y[i] = (uint8_t)(i % 100);
    assert_int_equal(vision_small_level(&w->now, 500), 49);
    assert_int_equal(vision_small_level(&w->now, 950), 94);
    assert_int_equal(vision_small_level(&w->now, 1000), 99);
    assert_int_equal(vision_small_level(&w->now, 0), 0);
}

/* A camera straight above the mat, 1 px to the mm. */
static struct mat_pose above(double k1)
{
    struct mat_pose pose;
    memset(&pose, 0, sizeof pose);
    pose.camera = (struct camera){.width = 800,
                                  .height = 600,
                                  .fx = 1000,
                                  .fy = 1000,
                                  .cx = 399.5,
                                  .cy = 299.5,
                                  .dist = {k1, 0, 0, 0, 0}};
    pose.pose = (struct pose){{1, 0, 0, 0, 1, 0, 0, 0, 1}, {-400, -300, 1000}};
    return pose;
}

static void should_take_the_pixels_of_a_rectangle(void **state)
{
    const struct mat_pose pose = above(0);
    const double rect[4] = {200, 160, 240, 160};
    struct region region;
    (void)state;
    assert_int_equal(vision_region_make(&region, &pose, rect, 0, 0), 0);
    assert_true(abs(region.pixels - 30 * 20) <= 50);
    for (int i = 0; i < region.pixels; i++) {
        int x = (int)(region.pixel[i] % 100), y = (int)(region.pixel[i] / 100);
        assert_true(x >= 24 && x <= 55 && y >= 19 && y <= 40);
    }
    vision_region_free(&region);
    /* blocks' tops lie further out */
    struct region low, high;
    const double corner[4] = {20, 20, 160, 160};
    assert_int_equal(vision_region_make(&low, &pose, corner, 0, 0), 0);
    assert_int_equal(vision_region_make(&high, &pose, corner, 35, 0), 0);
    assert_true(high.pixels > low.pixels);
    vision_region_free(&low);
    vision_region_free(&high);
}

static void should_leave_out_what_is_not_in_the_picture(void **state)
{
    const struct mat_pose pose = above(0);
    const double half[4] = {-120, 160, 240, 160}, none[4] = {-500, 160, 240, 160};
    struct region region;
    (void)state;
    assert_int_equal(vision_region_make(&region, &pose, half, 0, 0), 0);
    assert_true(abs(region.pixels - 15 * 20) <= 40);
    for (int i = 0; i < region.pixels; i++)
        assert_true(region.pixel[i] < 100 * 75);
    vision_region_free(&region);
    assert_int_equal(vision_region_make(&region, &pose, none, 0, 0), 0);
    assert_int_equal(region.pixels, 0);
    assert_false(vision_region_moved(&region, 0));
    vision_region_free(&region);
}

static void should_watch_everything_where_the_lens_ends_early(void **state)
{
    const struct mat_pose pose = above(-3);
    const double rect[4] = {0, 0, 240, 160};
    struct region region;
    (void)state;
    assert_int_equal(vision_region_make(&region, &pose, rect, 0, 0), 0);
    assert_int_equal(region.pixels, 100 * 75);
    vision_region_free(&region);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_see_nothing_in_the_same_picture),
        cmocka_unit_test(should_see_a_finger),
        cmocka_unit_test(should_see_a_finger_through_noise_and_a_change_of_light),
        cmocka_unit_test(should_not_see_noise),
        cmocka_unit_test(should_not_see_a_change_of_exposure),
        cmocka_unit_test(should_not_see_what_the_sensor_cuts_off),
        cmocka_unit_test(should_measure_the_light_with_half_of_the_picture_covered),
        cmocka_unit_test(should_not_lean_to_a_side_in_noise),
        cmocka_unit_test(should_see_bands_and_not_a_change_of_light_or_an_arm),
        cmocka_unit_test(should_tell_levels),
        cmocka_unit_test(should_take_the_pixels_of_a_rectangle),
        cmocka_unit_test(should_leave_out_what_is_not_in_the_picture),
        cmocka_unit_test(should_watch_everything_where_the_lens_ends_early),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
