/* The JPEG decoder: exactly libjpeg's samples, in planes; and never a damaged picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/jpeg.h"
#include "tests/unit/still_make.h"

#define SOS 0xda

static const struct recipe usual = {
    .width = 70, .height = 52, .space = JCS_YCbCr, .luma_h = 2, .luma_v = 2};

/* libjpeg's own decoding to interleaved samples, chroma replicated: what the planes must hold. */
static uint8_t *reference(struct bytes jpeg, int denominator, J_COLOR_SPACE space, int *width,
                          int *height)
{
    struct jpeg_decompress_struct libjpeg;
    struct jpeg_error_mgr errors;
    uint8_t *out;
    size_t row_bytes;

    libjpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&libjpeg);
    jpeg_mem_src(&libjpeg, jpeg.data, jpeg.length);
    jpeg_read_header(&libjpeg, TRUE);
    libjpeg.out_color_space = space;
    libjpeg.do_fancy_upsampling = FALSE;
    libjpeg.scale_num = 1;
    libjpeg.scale_denom = (unsigned)denominator;
    jpeg_start_decompress(&libjpeg);
    *width = (int)libjpeg.output_width;
    *height = (int)libjpeg.output_height;
    row_bytes = (size_t)*width * (size_t)libjpeg.output_components;
    out = make_memory(row_bytes * (size_t)*height);
    while (libjpeg.output_scanline < libjpeg.output_height) {
        JSAMPROW row = out + row_bytes * libjpeg.output_scanline;

        jpeg_read_scanlines(&libjpeg, &row, 1);
    }
    jpeg_finish_decompress(&libjpeg);
    jpeg_destroy_decompress(&libjpeg);
    return out;
}

static struct frame *decode(struct bytes jpeg, int denominator)
{
    struct bytes copy = bytes_copy(jpeg.data, jpeg.length);
    struct frame *frame = NULL;
    struct capture_fault fault = {{0}};

    if (capture_jpeg_decode(copy.data, copy.length, denominator, &frame, NULL, &fault))
        fail_msg("%s", fault.text);
    bytes_free(&copy);
    assert_non_null(frame);
    assert_int_equal(frame->extraneous_bytes, 0);
    return frame;
}

static int decode_error(struct bytes jpeg)
{
    struct bytes copy = bytes_copy(jpeg.data, jpeg.length);
    struct frame *frame = NULL;
    struct capture_fault fault = {{0}};
    int error = capture_jpeg_decode(copy.data, copy.length, 1, &frame, NULL, &fault);

    assert_int_equal(error == CAPTURE_OK, frame != NULL);
    assert_int_equal(error != CAPTURE_OK, fault.text[0] != '\0');
    capture_frame_destroy(&frame);
    bytes_free(&copy);
    return error;
}

static int decode_error_and_free(struct bytes jpeg)
{
    int error = decode_error(jpeg);

    bytes_free(&jpeg);
    return error;
}

static void check_samples(struct bytes jpeg, int denominator)
{
    struct frame *frame = decode(jpeg, denominator);
    int width, height;
    uint8_t *want = reference(jpeg, denominator, JCS_YCbCr, &width, &height);
    const uint8_t *at = want;

    assert_true(frame->has_colour);
    assert_int_equal(frame->width, width);
    assert_int_equal(frame->height, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, at += 3) {
            size_t chroma =
                (size_t)(y >> frame->cy_shift) * frame->c_stride + (size_t)(x >> frame->cx_shift);

            assert_int_equal(frame->y[(size_t)y * frame->y_stride + (size_t)x], at[0]);
            assert_int_equal(frame->cb[chroma], at[1]);
            assert_int_equal(frame->cr[chroma], at[2]);
        }
    free(want);
    capture_frame_destroy(&frame);
}

/* Sampling factors of luma and chroma, and the shifts that a frame gives them. */
static const struct {
    int luma_h, luma_v, other_h, other_v, cx_shift, cy_shift;
} samplings[] = {
    {1, 1, 1, 1, 0, 0}, /* 4:4:4 */
    {2, 1, 1, 1, 1, 0}, /* 4:2:2 */
    {2, 2, 1, 1, 1, 1}, /* 4:2:0 */
    {1, 2, 1, 1, 0, 1}, /* 4:4:0 */
    {4, 1, 1, 1, 2, 0}, /* 4:1:1 */
    {4, 2, 1, 1, 2, 1}, /* 4:1:0 */
    {1, 4, 1, 1, 0, 2}, {2, 2, 2, 1, 0, 1},
    {2, 1, 2, 1, 0, 0}, {1, 1, 2, 2, 0, 0}, /* more chroma than luma: spread */
    {1, 2, 2, 1, 0, 0},                     /* each finer one way: spread */
};

static struct recipe sampled(size_t i, int width, int height)
{
    return (struct recipe){.width = width,
                           .height = height,
                           .space = JCS_YCbCr,
                           .luma_h = samplings[i].luma_h,
                           .luma_v = samplings[i].luma_v,
                           .other_h = samplings[i].other_h,
                           .other_v = samplings[i].other_v};
}

static void should_give_exact_samples_in_every_sampling_size_and_scale(void **state)
{
    static const int sizes[][2] = {{1, 1},   {2, 1},   {7, 9},   {16, 8},  {17, 16},
                                   {31, 31}, {33, 33}, {40, 65}, {65, 130}};

    (void)state;
    for (size_t i = 0; i < sizeof samplings / sizeof samplings[0]; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            struct recipe recipe = sampled(i, sizes[k][0], sizes[k][1]);
            struct bytes jpeg = make_jpeg(&recipe);

            for (int denominator = 1; denominator <= 8; denominator *= 2)
                check_samples(jpeg, denominator);
            bytes_free(&jpeg);
        }
}

static void should_keep_the_chroma_at_its_own_resolution(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samplings / sizeof samplings[0]; i++) {
        struct recipe recipe = sampled(i, 45, 37);
        struct bytes jpeg = make_jpeg(&recipe);
        struct frame *frame = decode(jpeg, 1);

        assert_int_equal(frame->cx_shift, samplings[i].cx_shift);
        assert_int_equal(frame->cy_shift, samplings[i].cy_shift);
        capture_frame_destroy(&frame);
        bytes_free(&jpeg);
    }
}

static void should_read_progressive_and_separate_scans_exactly(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;

    (void)state;
    recipe.progressive = true;
    jpeg = make_jpeg(&recipe);
    for (int denominator = 1; denominator <= 8; denominator *= 2)
        check_samples(jpeg, denominator);
    bytes_free(&jpeg);
    recipe.progressive = false;
    recipe.separate_scans = true;
    jpeg = make_jpeg(&recipe);
    check_samples(jpeg, 1);
    bytes_free(&jpeg);
}

static void should_read_restart_markers(void **state)
{
    struct recipe recipe = usual;

    (void)state;
    recipe.width = recipe.height = 33;
    for (recipe.restart_interval = 1; recipe.restart_interval < 5; recipe.restart_interval++) {
        struct bytes jpeg = make_jpeg(&recipe);

        check_samples(jpeg, 1);
        check_samples(jpeg, 4);
        bytes_free(&jpeg);
    }
}

static void should_say_no_colour_of_a_grey_picture(void **state)
{
    /* Sampling factors of a single component mean nothing, whatever they say. */
    static const int factors[][2] = {{1, 1}, {2, 2}, {4, 1}, {1, 3}};

    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (int denominator = 1; denominator <= 8; denominator *= 2) {
            struct recipe recipe = {.width = 37,
                                    .height = 21,
                                    .space = JCS_GRAYSCALE,
                                    .luma_h = factors[i][0],
                                    .luma_v = factors[i][1]};
            struct bytes jpeg = make_jpeg(&recipe);
            struct frame *frame = decode(jpeg, denominator);
            int width, height;
            uint8_t *want = reference(jpeg, denominator, JCS_GRAYSCALE, &width, &height);

            assert_false(frame->has_colour);
            assert_null(frame->cb);
            assert_null(frame->cr);
            assert_int_equal(frame->width, width);
            assert_int_equal(frame->height, height);
            for (int y = 0; y < height; y++)
                assert_memory_equal(frame->y + (size_t)y * frame->y_stride,
                                    want + (size_t)y * (size_t)width, (size_t)width);
            free(want);
            capture_frame_destroy(&frame);
            bytes_free(&jpeg);
        }
}

static void should_read_pictures_coded_as_rgb(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;
    struct frame *frame;
    int width, height;
    uint8_t *want, *rgb;

    (void)state;
    recipe.space = JCS_RGB;
    for (recipe.luma_h = 1; recipe.luma_h <= 2; recipe.luma_h++) {
        recipe.luma_v = recipe.luma_h;
        jpeg = make_jpeg(&recipe);
        frame = decode(jpeg, 1);
        want = reference(jpeg, 1, JCS_RGB, &width, &height);
        rgb = make_memory((size_t)width * (size_t)height * 3);
        capture_frame_to_rgb(frame, rgb);
        for (int i = 0; i < width * height * 3; i++)
            assert_in_range(rgb[i] - want[i] + 2, 0, 4); /* 2: to YCbCr and back */
        free(rgb);
        free(want);
        capture_frame_destroy(&frame);
        bytes_free(&jpeg);
    }
}

static void write_ramps(struct jpeg_compress_struct *jpeg)
{
    uint8_t samples[3][24];
    JSAMPROW rows[3][8];
    JSAMPARRAY planes[3] = {rows[0], rows[1], rows[2]};

    for (int c = 0; c < 3; c++) {
        for (int x = 0; x < 24; x++) /* the same ramp, stepped by its own number of samples */
            samples[c][x] = (uint8_t)(c == 0 ? 20 + 8 * x : 24 + 12 * x);
        for (int y = 0; y < 8; y++)
            rows[c][y] = samples[c];
    }
    jpeg_write_raw_data(jpeg, planes, 8);
}

/* Three luma samples to two of chroma, which no shift says: written as raw planes. */
static struct bytes make_uneven(void)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *data = NULL;
    unsigned long length = 0;
    struct bytes copy;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &data, &length);
    jpeg.image_width = 24;
    jpeg.image_height = 8;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_YCbCr;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    for (int c = 0; c < 3; c++) {
        jpeg.comp_info[c].h_samp_factor = c == 0 ? 3 : 2;
        jpeg.comp_info[c].v_samp_factor = 1;
    }
    jpeg.raw_data_in = TRUE;
    jpeg_start_compress(&jpeg, TRUE);
    write_ramps(&jpeg);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    copy = bytes_copy(data, length);
    free(data);
    return copy;
}

static void should_spread_sampling_that_no_shift_says(void **state)
{
    struct bytes jpeg = make_uneven();
    struct frame *frame = decode(jpeg, 1);

    (void)state;
    assert_int_equal(frame->cx_shift, 0);
    assert_int_equal(frame->cy_shift, 0);
    for (int x = 0; x < 24; x++) {
        int want = 24 + 12 * ((2 * x + 1) * 2 / 6); /* the sample over the pixel's middle */

        assert_in_range(frame->y[x] - (20 + 8 * x) + 2, 0, 4);
        assert_in_range(frame->cb[x] - want + 2, 0, 4);
        assert_in_range(frame->cr[x] - want + 2, 0, 4);
    }
    capture_frame_destroy(&frame);
    bytes_free(&jpeg);
}

static void should_accept_and_count_extraneous_bytes(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg, longer;
    struct frame *frame = NULL;
    size_t at;

    (void)state;
    recipe.restart_interval = 3;
    jpeg = make_jpeg(&recipe);
    at = bytes_find_marker(jpeg, 0xd1, 0);
    assert_true(at < jpeg.length);
    longer = bytes_splice(jpeg, at, 0, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    assert_int_equal(capture_jpeg_decode(longer.data, longer.length, 1, &frame, NULL, NULL),
                     CAPTURE_OK);
    assert_int_equal(frame->extraneous_bytes, 1);
    capture_frame_destroy(&frame);
    bytes_free(&longer);
    longer = bytes_splice(jpeg, jpeg.length, 0, "\0", 1);
    assert_int_equal(decode_error_and_free(longer), CAPTURE_OK);
    bytes_free(&jpeg);
}

static void should_refuse_lost_and_repeated_restart_intervals(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;
    size_t first, second;

    (void)state;
    recipe.restart_interval = 3;
    jpeg = make_jpeg(&recipe);
    first = bytes_find_marker(jpeg, 0xd1, 0);
    second = bytes_find_marker(jpeg, 0xd2, 0);
    assert_true(first < second && second < jpeg.length);
    assert_int_equal(decode_error_and_free(bytes_splice(jpeg, first, second - first, NULL, 0)),
                     CAPTURE_E_DAMAGED);
    assert_int_equal(
        decode_error_and_free(bytes_splice(jpeg, second, 0, jpeg.data + first, second - first)),
        CAPTURE_E_DAMAGED);
    bytes_free(&jpeg);
}

static void should_refuse_data_cut_out_of_the_scan(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);
    size_t scan = bytes_find_marker(jpeg, SOS, 0) + 14, data = jpeg.length - 2 - scan;

    (void)state;
    assert_true(data > 400);
    for (size_t cut = data / 4; cut < data; cut += data / 4)
        assert_int_equal(decode_error_and_free(bytes_splice(jpeg, scan + data - cut, cut, NULL, 0)),
                         CAPTURE_E_DAMAGED);
    bytes_free(&jpeg);
}

static void should_refuse_a_scan_overwritten_by_noise(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;
    size_t scan;
    unsigned seed = 1;

    (void)state;
    recipe.width = recipe.height = 200;
    jpeg = make_jpeg(&recipe);
    scan = bytes_find_marker(jpeg, SOS, 0) + 14;
    assert_true(jpeg.length > scan + 1500);
    for (size_t i = 0; i < 1000; i++) {
        seed = seed * 1103515245 + 12345;
        jpeg.data[scan + 200 + i] = (uint8_t)(seed >> 16 & 0x7f); /* no markers */
    }
    assert_int_equal(decode_error_and_free(jpeg), CAPTURE_E_DAMAGED);
}

static void should_refuse_broken_tables(void **state)
{
    struct bytes jpeg = make_jpeg(&usual), less;

    (void)state;
    less = bytes_drop_segment(jpeg, 0xdb, 0); /* a quantisation table */
    assert_int_equal(decode_error_and_free(less), CAPTURE_E_DAMAGED);
    jpeg.data[bytes_find_marker(jpeg, 0xc4, 0) + 5] = 16; /* 16 codes of one bit */
    assert_int_not_equal(decode_error_and_free(jpeg), CAPTURE_OK);
}

static void should_refuse_wrong_arguments(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);
    static const int wrong[] = {0, 3, 16, -1};
    struct frame *frame = NULL;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(capture_jpeg_decode(jpeg.data, jpeg.length, wrong[i], &frame, NULL, NULL),
                         CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_jpeg_decode(jpeg.data, jpeg.length, 1, NULL, NULL, NULL),
                     CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_jpeg_decode(NULL, 0, 1, &frame, NULL, NULL), CAPTURE_E_EMPTY);
    bytes_free(&jpeg);
}

/* Nearly nothing but a header that claims the most pixels allowed: must end soon, damaged. */
static void should_give_up_at_the_first_damage(void **state)
{
    struct recipe recipe = usual;

    (void)state;
    for (int progressive = 0; progressive < 2; progressive++) {
        struct bytes jpeg;
        size_t at;

        recipe.progressive = progressive;
        jpeg = make_jpeg(&recipe);
        at = bytes_find_marker(jpeg, progressive ? 0xc2 : 0xc0, 0);
        memcpy(jpeg.data + at + 5, (uint8_t[]){8000 >> 8, 8000 & 255, 8000 >> 8, 8000 & 255}, 4);
        assert_int_equal(decode_error_and_free(jpeg), CAPTURE_E_DAMAGED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_give_exact_samples_in_every_sampling_size_and_scale),
        cmocka_unit_test(should_keep_the_chroma_at_its_own_resolution),
        cmocka_unit_test(should_read_progressive_and_separate_scans_exactly),
        cmocka_unit_test(should_read_restart_markers),
        cmocka_unit_test(should_say_no_colour_of_a_grey_picture),
        cmocka_unit_test(should_read_pictures_coded_as_rgb),
        cmocka_unit_test(should_spread_sampling_that_no_shift_says),
        cmocka_unit_test(should_accept_and_count_extraneous_bytes),
        cmocka_unit_test(should_refuse_lost_and_repeated_restart_intervals),
        cmocka_unit_test(should_refuse_data_cut_out_of_the_scan),
        cmocka_unit_test(should_refuse_a_scan_overwritten_by_noise),
        cmocka_unit_test(should_refuse_broken_tables),
        cmocka_unit_test(should_refuse_wrong_arguments),
        cmocka_unit_test(should_give_up_at_the_first_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
