/* Bands of light that stand still, in drawn small pictures of a white sheet on a dark table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vision/bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 240 /* px of the small picture: of 1080p */
#define HEIGHT 135
/* The sheet, and how its sides lean: the camera is not straight. */
#define LEFT 30
#define RIGHT 210
#define TOP 8
#define BOTTOM 128
#define PAPER 190.0

struct world {
    struct small small;
    struct region paper;
    double level[HEIGHT][WIDTH];
    uint32_t random;
};

static bool on_sheet(int x, int y)
{
    int lean = (y - TOP) / 12;
    return y >= TOP && y < BOTTOM && x >= LEFT + lean && x < RIGHT - lean;
}

static int setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return -1;
    w->small = (struct small){WIDTH, HEIGHT, calloc(WIDTH * HEIGHT, 1)};
    w->paper.pixel = calloc(WIDTH * HEIGHT, sizeof *w->paper.pixel);
    return w->small.y && w->paper.pixel ? 0 : -1;
}

static int teardown(void **state)
{
    struct world *w = *state;
    vision_small_free(&w->small);
    vision_region_free(&w->paper);
    free(w);
    return 0;
}

/* A sheet under a lamp at one corner, with two rows of blocks and cards, on a dark table. */
static struct world *start(void **state)
{
    struct world *w = *state;
    w->random = 1;
    w->paper.pixels = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double lamp = 1 - 0.25 * hypot(x - 60.0, y - 20.0) / WIDTH;
            bool block = (y / 30 % 2 == 1) && (x % 40 > 12);
            w->level[y][x] = lamp * (!on_sheet(x, y) ? 50 : block ? 90 : PAPER);
            if (on_sheet(x, y))
                w->paper.pixel[w->paper.pixels++] = (uint32_t)(y * WIDTH + x);
        }
    return w;
}

static double noise(struct world *w)
{
    w->random = w->random * 1664525u + 1013904223u;
    return (double)(w->random >> 16) / 65536.0 - 0.5;
}

static struct bands find(struct world *w)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            double value = w->level[y][x] + 2 * noise(w);
            w->small.y[y * WIDTH + x] =
                (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
        }
    return vision_bands_find(&w->paper, &w->small);
}

/* A wave of the light over the rows, turned by `slant` rows over the width, from column `from` on. */
static void wave(struct world *w, double height, double waves, double phase, double slant, int from)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = from; x < WIDTH; x++) {
            double row = y + slant * x / WIDTH;
            w->level[y][x] *= 1 + height * sin(2 * M_PI * waves * row / HEIGHT + phase);
        }
}

static void should_find_bands_of_any_width_and_phase(void **state)
{
    for (double waves = 2; waves < 7; waves += 0.7)
        for (double phase = 0; phase < 6; phase += 1.3) {
            struct world *w = start(state);
            wave(w, 0.06, waves, phase, 0, 0);
            struct bands bands = find(w);
            assert_in_range(bands.height_permille, 45, 75);
            assert_true(fabs(bands.rows_px - HEIGHT / waves) < 0.15 * HEIGHT / waves);
        }
}

static void should_find_none_in_plain_light(void **state)
{
    struct world *w = start(state);
    assert_int_equal(find(w).height_permille, 0);
    assert_int_equal(find(w).rows_px, 0);
}

static void should_leave_alone_bands_that_do_no_harm(void **state)
{
    struct world *w = start(state);
    wave(w, 0.01, 3, 0, 0, 0);
    assert_int_equal(find(w).height_permille, 0);
}

static void should_not_take_printed_stripes_for_bands(void **state)
{
    /* over part of the sheet, however dark */
    struct world *w = start(state);
    wave(w, 0.2, 4, 0, 0, WIDTH / 2);
    assert_int_equal(find(w).height_permille, 0);
    /* lines over all of it, as of a ruled sheet */
    w = start(state);
    for (int y = 0; y < HEIGHT; y += 12)
        for (int x = 0; x < WIDTH; x++)
            w->level[y][x] *= 0.8;
    assert_int_equal(find(w).height_permille, 0);
}

static void should_not_take_shadows_for_bands(void **state)
{
    /* of blinds: at a slant, as no window stands square to a camera */
    struct world *w = start(state);
    wave(w, 0.15, 4, 0, 40, 0);
    assert_int_equal(find(w).height_permille, 0);
    /* of an arm over the table */
    w = start(state);
    for (int y = 50; y < 80; y++)
        for (int x = 0; x < WIDTH; x++)
            w->level[y][x] *= 0.6;
    assert_int_equal(find(w).height_permille, 0);
    /* of a lamp at the side: half a wave */
    w = start(state);
    wave(w, 0.3, 0.5, 0, 0, 0);
    assert_int_equal(find(w).height_permille, 0);
}

static void should_say_nothing_where_there_is_no_paper_to_tell_by(void **state)
{
    struct world *w = start(state);
    wave(w, 0.2, 3, 0, 0, 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            w->level[y][x] *= y > 40 ? 0.05 : 1;
    assert_int_equal(find(w).height_permille, 0);
    w->paper.pixels = 0;
    assert_int_equal(find(w).height_permille, 0);
    w = start(state); /* all cut off by the sensor */
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            w->level[y][x] = 300;
    assert_int_equal(find(w).height_permille, 0);
}

static void should_find_bands_in_pictures_of_many_rows(void **state)
{
    enum { WIDE = 1024, HIGH = 600 };
    struct world *w = *state;
    struct small small = {WIDE, HIGH, malloc((size_t)WIDE * HIGH)};
    struct region paper = {0, malloc((size_t)WIDE * HIGH * sizeof *paper.pixel)};
    (void)w;
    assert_non_null(small.y);
    assert_non_null(paper.pixel);
    for (int i = 0; i < WIDE * HIGH; i++) {
        double row = sin(2 * M_PI * 3 * (i / WIDE) / HIGH);
        small.y[i] = (uint8_t)(180 * (1 + 0.08 * row));
        paper.pixel[paper.pixels++] = (uint32_t)i;
    }
    struct bands bands = vision_bands_find(&paper, &small);
    assert_in_range(bands.height_permille, 70, 90);
    assert_in_range(bands.rows_px, 190, 210);
    vision_small_free(&small);
    vision_region_free(&paper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_bands_of_any_width_and_phase),
        cmocka_unit_test(should_find_none_in_plain_light),
        cmocka_unit_test(should_leave_alone_bands_that_do_no_harm),
        cmocka_unit_test(should_not_take_printed_stripes_for_bands),
        cmocka_unit_test(should_not_take_shadows_for_bands),
        cmocka_unit_test(should_say_nothing_where_there_is_no_paper_to_tell_by),
        cmocka_unit_test(should_find_bands_in_pictures_of_many_rows),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
