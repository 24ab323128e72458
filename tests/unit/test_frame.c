/* Frames: geometry, turning upright, and the way to RGB and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/frame.h"
#include "tests/unit/still_make.h"

static int up(int size, int shift)
{
    return (size + (1 << shift) - 1) >> shift;
}

/* A frame in which every sample is different from its neighbours. */
static struct frame *busy_frame(int width, int height, bool has_colour, int cx_shift, int cy_shift)
{
    struct frame *frame = capture_frame_create(width, height, has_colour, cx_shift, cy_shift);

    assert_non_null(frame);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            frame->y[(size_t)y * frame->y_stride + (size_t)x] = (uint8_t)(7 * x + 31 * y);
    for (int y = 0; has_colour && y < up(height, cy_shift); y++)
        for (int x = 0; x < up(width, cx_shift); x++) {
            frame->cb[(size_t)y * frame->c_stride + (size_t)x] = (uint8_t)(11 * x + 53 * y);
            frame->cr[(size_t)y * frame->c_stride + (size_t)x] = (uint8_t)(200 - 13 * x - 17 * y);
        }
    return frame;
}

static uint8_t luma(const struct frame *frame, int x, int y)
{
    return frame->y[(size_t)y * frame->y_stride + (size_t)x];
}

static uint8_t blue(const struct frame *frame, int x, int y)
{
    return frame
        ->cb[(size_t)(y >> frame->cy_shift) * frame->c_stride + (size_t)(x >> frame->cx_shift)];
}

static uint8_t red(const struct frame *frame, int x, int y)
{
    return frame
        ->cr[(size_t)(y >> frame->cy_shift) * frame->c_stride + (size_t)(x >> frame->cx_shift)];
}

/* Where pixel (x, y) of a stored picture is shown, by EXIF's own words: which side of the shown
 * picture the stored row 0 and column 0 are. */
static void shown_at(int orientation, const struct frame *stored, int x, int y, int *to_x,
                     int *to_y)
{
    static const struct {
        char row, column; /* t, b, l, r */
    } sides[9] = {{0, 0},     {'t', 'l'}, {'t', 'r'}, {'b', 'r'}, {'b', 'l'},
                  {'l', 't'}, {'r', 't'}, {'r', 'b'}, {'l', 'b'}};
    int last_x = stored->width - 1, last_y = stored->height - 1;

    switch (sides[orientation].row) {
    case 't':
        *to_y = y;
        break;
    case 'b':
        *to_y = last_y - y;
        break;
    case 'l':
        *to_x = y;
        break;
    default:
        *to_x = last_y - y;
    }
    switch (sides[orientation].column) {
    case 't':
        *to_y = x;
        break;
    case 'b':
        *to_y = last_x - x;
        break;
    case 'l':
        *to_x = x;
        break;
    default:
        *to_x = last_x - x;
    }
}

static void check_turn(int width, int height, bool has_colour, int cx_shift, int cy_shift,
                       int orientation)
{
    struct frame *stored = busy_frame(width, height, has_colour, cx_shift, cy_shift);
    struct frame *shown = capture_frame_orient(stored, orientation);
    bool swapped = orientation >= 5;

    assert_non_null(shown);
    assert_int_equal(shown->width, swapped ? height : width);
    assert_int_equal(shown->height, swapped ? width : height);
    assert_int_equal(shown->has_colour, has_colour);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int to_x = -1, to_y = -1;

            shown_at(orientation, stored, x, y, &to_x, &to_y);
            assert_int_equal(luma(shown, to_x, to_y), luma(stored, x, y));
            if (!has_colour)
                continue;
            assert_int_equal(blue(shown, to_x, to_y), blue(stored, x, y));
            assert_int_equal(red(shown, to_x, to_y), red(stored, x, y));
        }
    capture_frame_destroy(&shown);
    capture_frame_destroy(&stored);
}

static void should_turn_all_eight_ways_in_every_sampling_and_odd_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 3}, {5, 4}, {8, 8}, {33, 70}, {67, 34}};

    (void)state;
    for (int orientation = 1; orientation <= 8; orientation++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            check_turn(sizes[i][0], sizes[i][1], false, 0, 0, orientation);
            for (int shifts = 0; shifts < 9; shifts++)
                check_turn(sizes[i][0], sizes[i][1], true, shifts % 3, shifts / 3, orientation);
        }
}

static void should_keep_chroma_small_where_it_divides(void **state)
{
    struct frame *frame = busy_frame(16, 8, true, 1, 0);
    struct frame *turned = capture_frame_orient(frame, 6);

    (void)state;
    assert_int_equal(turned->cx_shift, 0);
    assert_int_equal(turned->cy_shift, 1);
    capture_frame_destroy(&turned);
    capture_frame_destroy(&frame);
}

static void should_keep_where_a_frame_came_from_when_turned(void **state)
{
    struct frame *frame = busy_frame(5, 3, true, 1, 1), *turned;

    (void)state;
    frame->sequence = 77;
    frame->time_ns = 123456789;
    frame->extraneous_bytes = 4;
    turned = capture_frame_orient(frame, 3); /* 5 is odd: by way of a spread copy */
    assert_int_equal(turned->sequence, 77);
    assert_int_equal(turned->time_ns, 123456789);
    assert_int_equal(turned->extraneous_bytes, 4);
    capture_frame_destroy(&turned);
    capture_frame_destroy(&frame);
}

static void should_take_unknown_orientations_as_upright(void **state)
{
    static const int wrong[] = {0, 9, -1, 1000};
    struct frame *frame = busy_frame(4, 3, false, 0, 0);

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct frame *turned = capture_frame_orient(frame, wrong[i]);

        assert_int_equal(luma(turned, 3, 0), luma(frame, 3, 0));
        capture_frame_destroy(&turned);
    }
    assert_null(capture_frame_orient(NULL, 1));
    capture_frame_destroy(&frame);
}

static void should_refuse_sizes_out_of_bounds(void **state)
{
    (void)state;
    assert_null(capture_frame_create(0, 10, true, 0, 0));
    assert_null(capture_frame_create(10, 0, true, 0, 0));
    assert_null(capture_frame_create(-1, 10, true, 0, 0));
    assert_null(capture_frame_create(65535, 65535, true, 0, 0));
    assert_null(capture_frame_create(8001, 8000, true, 0, 0));
    assert_null(capture_frame_create(1, 65536, false, 0, 0));
    assert_null(capture_frame_create(10, 10, true, 3, 0));
    assert_null(capture_frame_create(10, 10, true, 0, -1));
}

static void should_start_black_without_colour_cast(void **state)
{
    struct frame *frame = capture_frame_create(3, 3, true, 1, 1);
    uint8_t rgb[27];

    (void)state;
    memset(rgb, 9, sizeof rgb);
    capture_frame_to_rgb(frame, rgb);
    for (size_t i = 0; i < sizeof rgb; i++)
        assert_int_equal(rgb[i], 0);
    capture_frame_destroy(&frame);
    assert_null(frame);
    capture_frame_destroy(&frame);
    capture_frame_destroy(NULL);
}

static void should_give_back_the_rgb_it_was_made_from(void **state)
{
    enum { SIDE = 64 };
    uint8_t *rgb = make_memory(SIDE * SIDE * 3), *back = make_memory(SIDE * SIDE * 3);
    struct frame *frame;

    (void)state;
    for (int i = 0; i < SIDE * SIDE * 3; i++) /* all corners of the cube and much between */
        rgb[i] = (uint8_t)(i < 24 ? (i / 3 >> (i % 3) & 1) * 255
                                  : (int)((unsigned)i * 2654435761u >> 20));
    frame = capture_frame_from_rgb(rgb, SIDE, SIDE);
    capture_frame_to_rgb(frame, back);
    for (int i = 0; i < SIDE * SIDE * 3; i++)
        assert_in_range(back[i] - rgb[i] + 2, 0, 4); /* 2: both ways round to whole steps */
    capture_frame_destroy(&frame);
    free(back);
    free(rgb);
}

static void should_keep_grey_exactly_grey(void **state)
{
    (void)state;
    for (int level = 0; level < 256; level++) {
        struct capture_ycc pixel = capture_rgb_to_ycc(level, level, level);

        assert_int_equal(pixel.y, level);
        assert_int_equal(pixel.cb, 128);
        assert_int_equal(pixel.cr, 128);
    }
}

static void should_reach_but_not_pass_the_ends_of_chroma(void **state)
{
    (void)state;
    assert_int_equal(capture_rgb_to_ycc(0, 0, 255).cb, 255);
    assert_int_equal(capture_rgb_to_ycc(255, 0, 0).cr, 255);
    assert_in_range(capture_rgb_to_ycc(255, 255, 0).cb, 0, 1); /* 0.5 by the formula */
    assert_in_range(capture_rgb_to_ycc(0, 255, 255).cr, 0, 1);
}

static void should_make_grey_rgb_of_a_frame_without_colour(void **state)
{
    struct frame *frame = busy_frame(3, 2, false, 0, 0);
    uint8_t rgb[18];

    (void)state;
    capture_frame_to_rgb(frame, rgb);
    for (int i = 0; i < 18; i++)
        assert_int_equal(rgb[i], luma(frame, i / 3 % 3, i / 9));
    capture_frame_destroy(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_turn_all_eight_ways_in_every_sampling_and_odd_sizes),
        cmocka_unit_test(should_keep_chroma_small_where_it_divides),
        cmocka_unit_test(should_keep_where_a_frame_came_from_when_turned),
        cmocka_unit_test(should_take_unknown_orientations_as_upright),
        cmocka_unit_test(should_refuse_sizes_out_of_bounds),
        cmocka_unit_test(should_start_black_without_colour_cast),
        cmocka_unit_test(should_give_back_the_rgb_it_was_made_from),
        cmocka_unit_test(should_keep_grey_exactly_grey),
        cmocka_unit_test(should_reach_but_not_pass_the_ends_of_chroma),
        cmocka_unit_test(should_make_grey_rgb_of_a_frame_without_colour),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
