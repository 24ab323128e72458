/* From a source's picture to planes: raw formats and MJPEG, at every scale, without a byte read
 * beyond and without an allocation once it runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/jpeg.h"
#include "capture/picture.h"
#include "capture/png.h"
#include "capture/still.h"
#include "tests/unit/alloc_count.h"
#include "tests/unit/still_make.h"

static const int scales[] = {1, 2, 4, 8};

static int setup(void **state)
{
    *state = capture_decoder_create();
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    struct decoder *decoder = *state;

    capture_decoder_destroy(&decoder);
    capture_decoder_destroy(&decoder);
    return decoder != NULL;
}

static const struct frame *decode(struct decoder *decoder, const struct picture *picture, int scale,
                                  bool colour)
{
    const struct frame *frame = NULL;
    struct capture_fault fault;
    int error = capture_decoder_decode(decoder, picture, scale, colour, &frame, &fault);

    if (error)
        print_message("%s\n", fault.text);
    assert_int_equal(error, CAPTURE_OK);
    return frame;
}

static void assert_near(double value, double expected, double slack)
{
    if (value < expected - slack || value > expected + slack)
        fail_msg("%g is not within %g of %g", value, slack, expected);
}

static int refusal(struct decoder *decoder, const struct picture *picture, int scale)
{
    const struct frame *frame = NULL;
    struct capture_fault fault = {""};
    int error = capture_decoder_decode(decoder, picture, scale, true, &frame, &fault);

    assert_true(error < 0);
    assert_null(frame);
    assert_true(fault.text[0] != '\0');
    return error;
}

/* --- Raw pictures ----------------------------------------------------------------------------- */

/* A raw picture in a block of exactly its size, each sample of its own value by place and plane. */
struct raw {
    struct picture picture;
    struct bytes bytes, chroma;
};

/* Within studio range, so that nothing is cut off. */
static int luma_at(int x, int y)
{
    return 16 + (x * 7 + y * 13) % 220;
}

static int chroma_at(int plane, int x, int y)
{
    return 16 + (x * 11 + y * 5 + plane * 60) % 225;
}

static struct raw make_pairs(int width, int height, size_t stride, bool uyvy)
{
    size_t row = (size_t)(width + 1) / 2 * 4;
    struct raw raw = {.bytes = {NULL, stride * (size_t)(height - 1) + row}};

    raw.bytes.data = make_memory(raw.bytes.length);
    memset(raw.bytes.data, 1, raw.bytes.length);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < (width + 1) / 2 * 2; x++) {
            uint8_t *pair = raw.bytes.data + (size_t)y * stride + (size_t)(x / 2) * 4;

            pair[2 * (x % 2) + (uyvy ? 1 : 0)] = (uint8_t)luma_at(x, y);
            pair[uyvy ? 0 : 1] = (uint8_t)chroma_at(0, x / 2, y);
            pair[uyvy ? 2 : 3] = (uint8_t)chroma_at(1, x / 2, y);
        }
    raw.picture = (struct picture){.format = uyvy ? PICTURE_UYVY : PICTURE_YUYV,
                                   .width = width,
                                   .height = height,
                                   .bytes = raw.bytes.data,
                                   .length = raw.bytes.length,
                                   .stride = stride,
                                   .sequence = 77,
                                   .time_ns = 123456789};
    return raw;
}

static struct raw make_nv12(int width, int height, size_t stride, bool apart)
{
    size_t luma = stride * (size_t)height, rows = (size_t)(height + 1) / 2;
    size_t chroma = stride * (rows - 1) + (size_t)(width + 1) / 2 * 2;
    struct raw raw = {.bytes = {NULL, luma + (apart ? 0 : chroma)}};
    uint8_t *out;

    raw.bytes.data = make_memory(raw.bytes.length);
    memset(raw.bytes.data, 1, raw.bytes.length);
    if (apart)
        raw.chroma = (struct bytes){make_memory(chroma), chroma};
    out = apart ? raw.chroma.data : raw.bytes.data + luma;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            raw.bytes.data[(size_t)y * stride + (size_t)x] = (uint8_t)luma_at(x, y);
    for (int y = 0; y < (height + 1) / 2; y++)
        for (int x = 0; x < (width + 1) / 2 * 2; x++)
            out[(size_t)y * stride + (size_t)x] = (uint8_t)chroma_at(x % 2, x / 2, y);
    raw.picture = (struct picture){.format = PICTURE_NV12,
                                   .width = width,
                                   .height = height,
                                   .bytes = raw.bytes.data,
                                   .length = raw.bytes.length,
                                   .stride = stride,
                                   .chroma = raw.chroma.data,
                                   .chroma_length = raw.chroma.length};
    return raw;
}

static struct raw make_grey(int width, int height, size_t stride)
{
    struct raw raw = {.bytes = {NULL, stride * (size_t)(height - 1) + (size_t)width}};

    raw.bytes.data = make_memory(raw.bytes.length);
    memset(raw.bytes.data, 1, raw.bytes.length);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            raw.bytes.data[(size_t)y * stride + (size_t)x] = (uint8_t)luma_at(x, y);
    raw.picture = (struct picture){.format = PICTURE_GREY,
                                   .width = width,
                                   .height = height,
                                   .bytes = raw.bytes.data,
                                   .length = raw.bytes.length,
                                   .stride = stride};
    return raw;
}

static void raw_free(struct raw *raw)
{
    bytes_free(&raw->bytes);
    bytes_free(&raw->chroma);
}

static double expand(double value, bool chroma)
{
    double full = chroma ? 128 + (value - 128) * 255 / 224 : (value - 16) * 255 / 219;

    return full < 0 ? 0 : full > 255 ? 255 : full;
}

/* The mean of the samples that one of ours covers: boxes of across x down, cut at width x height
 * samples. plane -1: luma. */
static double mean_at(int plane, int x, int y, int across, int down, int width, int height)
{
    double sum = 0;
    int count = 0;

    for (int v = y * down; v < (y + 1) * down && v < height; v++)
        for (int u = x * across; u < (x + 1) * across && u < width; u++, count++)
            sum += plane < 0 ? luma_at(u, v) : chroma_at(plane, u, v);
    return sum / count;
}

/* Rounded twice: in the mean, which the wider range then stretches, and in the range. */
#define RAW_SLACK (0.5 * 255 / 219 + 0.5 + 1e-9)

static void check_chroma(const struct frame *frame, const struct raw *raw, int scale, int cx,
                         int cy)
{
    int width = (raw->picture.width + (1 << cx) - 1) >> cx;
    int height = (raw->picture.height + (1 << cy) - 1) >> cy;
    int across = scale >> cx ? scale >> cx : 1, down = scale >> cy ? scale >> cy : 1;
    int columns = (frame->width + (1 << frame->cx_shift) - 1) >> frame->cx_shift;
    int rows = (frame->height + (1 << frame->cy_shift) - 1) >> frame->cy_shift;

    assert_true(frame->has_colour);
    assert_int_equal(frame->cx_shift, scale >> cx ? 0 : cx);
    assert_int_equal(frame->cy_shift, scale >> cy ? 0 : cy);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            size_t at = (size_t)y * frame->c_stride + (size_t)x;

            assert_near(frame->cb[at], expand(mean_at(0, x, y, across, down, width, height), true),
                        RAW_SLACK);
            assert_near(frame->cr[at], expand(mean_at(1, x, y, across, down, width, height), true),
                        RAW_SLACK);
        }
}

/* cx, cy: the format's own chroma shifts; -1: it has none. */
static void check_raw(struct decoder *decoder, struct raw *raw, int cx, int cy)
{
    int width = raw->picture.width, height = raw->picture.height;

    for (size_t i = 0; i < 4; i++) {
        int scale = scales[i];
        const struct frame *frame = decode(decoder, &raw->picture, scale, true);

        assert_int_equal(frame->width, (width + scale - 1) / scale);
        assert_int_equal(frame->height, (height + scale - 1) / scale);
        assert_int_equal(frame->sequence, raw->picture.sequence);
        assert_int_equal(frame->time_ns, raw->picture.time_ns);
        for (int y = 0; y < frame->height; y++)
            for (int x = 0; x < frame->width; x++) {
                double mean = mean_at(-1, x, y, scale, scale, width, height);

                assert_near(frame->y[(size_t)y * frame->y_stride + (size_t)x],
                            cx < 0 ? mean : expand(mean, false), RAW_SLACK);
            }
        if (cx >= 0)
            check_chroma(frame, raw, scale, cx, cy);
        frame = decode(decoder, &raw->picture, scale, false);
        assert_false(frame->has_colour);
        assert_null(frame->cb);
        assert_null(frame->cr);
    }
    raw_free(raw);
}

static void should_read_yuyv_and_uyvy(void **state)
{
    struct raw tight = make_pairs(32, 16, 64, false), padded = make_pairs(38, 19, 128, false);
    struct raw uyvy = make_pairs(38, 19, 80, true), odd = make_pairs(37, 9, 76, false);

    check_raw(*state, &tight, 1, 0);
    check_raw(*state, &padded, 1, 0);
    check_raw(*state, &uyvy, 1, 0);
    check_raw(*state, &odd, 1, 0);
}

static void should_read_nv12_in_both_layouts(void **state)
{
    struct raw tight = make_nv12(32, 16, 32, false), apart = make_nv12(32, 16, 32, true);
    struct raw padded = make_nv12(38, 19, 64, false), odd = make_nv12(37, 21, 38, true);

    check_raw(*state, &tight, 1, 1);
    check_raw(*state, &apart, 1, 1);
    check_raw(*state, &padded, 1, 1);
    check_raw(*state, &odd, 1, 1);
}

static void should_read_grey_as_it_is(void **state)
{
    struct raw tight = make_grey(32, 16, 32), padded = make_grey(33, 17, 64);

    check_raw(*state, &tight, -1, -1);
    check_raw(*state, &padded, -1, -1);
}

static void should_leave_full_range_as_it_is(void **state)
{
    struct raw raw = make_pairs(16, 4, 32, false);
    const struct frame *frame;

    raw.picture.full_range = true;
    frame = decode(*state, &raw.picture, 1, true);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 16; x++) {
            assert_int_equal(frame->y[(size_t)y * frame->y_stride + (size_t)x], luma_at(x, y));
            assert_int_equal(frame->cr[(size_t)y * frame->c_stride + (size_t)x / 2],
                             chroma_at(1, x / 2, y));
        }
    raw_free(&raw);
}

/* Black, white, the ends of chroma, and what lies beyond. */
static void should_expand_studio_range(void **state)
{
    static const uint8_t bytes[] = {16, 16, 235, 240, 0, 0, 255, 255, 126, 128, 126, 128};
    struct picture picture = {.format = PICTURE_YUYV,
                              .width = 6,
                              .height = 1,
                              .bytes = bytes,
                              .length = sizeof bytes,
                              .stride = sizeof bytes};
    const struct frame *frame = decode(*state, &picture, 1, true);
    static const uint8_t y[6] = {0, 255, 0, 255, 128, 128}, cb[3] = {0, 0, 128},
                         cr[3] = {255, 255, 128};

    assert_memory_equal(frame->y, y, 6);
    assert_in_range(frame->cb[0], 0, 1);
    assert_memory_equal(frame->cb + 1, cb + 1, 2);
    assert_memory_equal(frame->cr, cr, 3);
}

static void should_refuse_short_raw_pictures(void **state)
{
    struct raw raws[] = {make_pairs(16, 8, 40, false), make_nv12(16, 8, 20, false),
                         make_nv12(16, 8, 20, true), make_grey(16, 8, 20)};

    for (size_t i = 0; i < 4; i++) {
        struct picture *picture = &raws[i].picture;
        size_t *shortest = picture->chroma ? &picture->chroma_length : &picture->length;

        (void)decode(*state, picture, 1, true);
        --*shortest;
        assert_int_equal(refusal(*state, picture, 1), CAPTURE_E_DAMAGED);
        assert_int_equal(refusal(*state, picture, 8), CAPTURE_E_DAMAGED);
        ++*shortest;
        picture->stride = 1;
        assert_int_equal(refusal(*state, picture, 1), CAPTURE_E_DAMAGED);
        picture->stride = SIZE_MAX;
        assert_int_equal(refusal(*state, picture, 1), CAPTURE_E_DAMAGED);
        picture->stride = 40;
        picture->height = 1 << 30;
        assert_int_equal(refusal(*state, picture, 1), CAPTURE_E_DAMAGED);
        picture->height = 0;
        assert_int_equal(refusal(*state, picture, 1), CAPTURE_E_DAMAGED);
        raw_free(&raws[i]);
    }
}

/* --- MJPEG ------------------------------------------------------------------------------------ */

static struct picture picture_of(struct bytes jpeg)
{
    return (struct picture){.format = PICTURE_MJPEG,
                            .bytes = jpeg.data,
                            .length = jpeg.length,
                            .sequence = 5,
                            .time_ns = 6};
}

static void check_same_plane(const uint8_t *a, size_t a_stride, const uint8_t *b, size_t b_stride,
                             int width, int height)
{
    for (int y = 0; y < height; y++)
        assert_memory_equal(a + (size_t)y * a_stride, b + (size_t)y * b_stride, (size_t)width);
}

static void check_same(const struct frame *a, const struct frame *b, bool colour)
{
    int columns = (b->width + (1 << b->cx_shift) - 1) >> b->cx_shift;
    int rows = (b->height + (1 << b->cy_shift) - 1) >> b->cy_shift;

    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->extraneous_bytes, b->extraneous_bytes);
    check_same_plane(a->y, a->y_stride, b->y, b->y_stride, b->width, b->height);
    assert_int_equal(a->has_colour, colour && b->has_colour);
    if (!a->has_colour)
        return;
    assert_int_equal(a->cx_shift, b->cx_shift);
    assert_int_equal(a->cy_shift, b->cy_shift);
    check_same_plane(a->cb, a->c_stride, b->cb, b->c_stride, columns, rows);
    check_same_plane(a->cr, a->c_stride, b->cr, b->c_stride, columns, rows);
}

/* At an eighth, chroma is the means of its blocks, which may be coarser than what libjpeg makes:
 * then each is near the mean of those that it covers (each of which was rounded). */
static void check_eighth(const struct frame *frame, const struct frame *expected,
                         const struct recipe *recipe)
{
    int x_shift = frame->cx_shift - expected->cx_shift,
        y_shift = frame->cy_shift - expected->cy_shift;

    assert_int_equal(frame->step, expected->step);
    check_same_plane(frame->y, frame->y_stride, expected->y, expected->y_stride, expected->width,
                     expected->height);
    assert_true(frame->has_colour && x_shift >= 0 && y_shift >= 0);
    /* Whole blocks: those at the edges are filled up beyond the picture. */
    for (int y = 0; y < recipe->height >> (3 + frame->cy_shift); y++)
        for (int x = 0; x < recipe->width >> (3 + frame->cx_shift); x++) {
            int sum = 0, count = 1 << (x_shift + y_shift);

            for (int k = 0; k < count; k++)
                sum += expected->cr[(size_t)((y << y_shift) + (k >> x_shift)) * expected->c_stride +
                                    (size_t)((x << x_shift) + (k & ((1 << x_shift) - 1)))];
            assert_near(frame->cr[(size_t)y * frame->c_stride + (size_t)x], sum / (double)count, 1);
        }
}

/* Every sampling and kind, at odd sizes, comes out as the decoder of single pictures makes it. */
static void should_decode_jpeg_as_ever(void **state)
{
    static const struct recipe recipes[] = {
        {64, 48, JCS_YCbCr, .luma_h = 2, .luma_v = 1},
        {101, 67, JCS_YCbCr, .luma_h = 2, .luma_v = 1},
        {101, 67, JCS_YCbCr, .luma_h = 2, .luma_v = 2},
        {101, 67, JCS_YCbCr, .luma_h = 1, .luma_v = 1},
        {33, 31, JCS_YCbCr, .luma_h = 4, .luma_v = 1},
        {33, 31, JCS_YCbCr, .luma_h = 1, .luma_v = 2, .restart_interval = 2},
        {33, 31, JCS_YCbCr, .luma_h = 4, .luma_v = 2, .restart_interval = 3},
        {1, 1, JCS_YCbCr, .luma_h = 2, .luma_v = 2},
        {57, 43, JCS_GRAYSCALE, .luma_h = 1},
        {57, 43, JCS_GRAYSCALE, .luma_h = 2, .luma_v = 2},
        {57, 43, JCS_RGB, .luma_h = 1},
        {57, 43, JCS_YCbCr, .luma_h = 2, .luma_v = 2, .separate_scans = true},
        {57, 43, JCS_YCbCr, .luma_h = 3, .luma_v = 1},
        {57, 43, JCS_YCbCr, .luma_h = 1, .other_h = 2},
    };

    for (size_t k = 0; k < sizeof recipes / sizeof recipes[0]; k++) {
        struct bytes jpeg = make_jpeg(&recipes[k]);
        struct picture picture = picture_of(jpeg);

        for (size_t i = 0; i < 4; i++) {
            struct frame *expected = NULL;

            assert_int_equal(
                capture_jpeg_decode(jpeg.data, jpeg.length, scales[i], &expected, NULL, NULL),
                CAPTURE_OK);
            if (scales[i] == 8 && expected->has_colour)
                check_eighth(decode(*state, &picture, 8, true), expected, &recipes[k]);
            else
                check_same(decode(*state, &picture, scales[i], true), expected, true);
            check_same(decode(*state, &picture, scales[i], false), expected, false);
            capture_frame_destroy(&expected);
        }
        bytes_free(&jpeg);
    }
}

static void should_keep_a_frame_for_each_scale(void **state)
{
    struct bytes jpeg = make_jpeg(&(struct recipe){64, 48, JCS_YCbCr, .luma_h = 2});
    struct picture picture = picture_of(jpeg);
    const struct frame *whole = decode(*state, &picture, 1, true);
    const struct frame *half = decode(*state, &picture, 2, false);

    assert_int_equal(whole->width, 64);
    assert_true(whole->has_colour);
    assert_int_equal(half->width, 32);
    assert_int_equal(whole->sequence, 5);
    assert_int_equal(half->time_ns, 6);
    bytes_free(&jpeg);
}

/* A picture without its tables must not be read with those of the one before. */
static void should_carry_no_table_from_picture_to_picture(void **state)
{
    struct recipe recipe = {64, 48, JCS_YCbCr, .luma_h = 2};
    struct bytes jpeg = make_jpeg(&recipe), other = bytes_copy(jpeg.data, jpeg.length);
    struct bytes bare = bytes_drop_segment(jpeg, 0xdb, 0),
                 no_huffman = bytes_drop_segment(jpeg, 0xc4, 0);
    size_t huffman = bytes_find_marker(other, 0xc4, 0);
    struct picture picture = picture_of(jpeg);
    struct frame *expected = NULL;

    (void)decode(*state, &picture, 1, true);
    picture = picture_of(bare);
    assert_true(refusal(*state, &picture, 1) != CAPTURE_OK);

    /* The same table of DC codes with two of its values swapped: to be decoded otherwise, if at
     * all; the next one, which lacks that table, by the standard's. */
    other.data[huffman + 5 + 16] ^= 1;
    other.data[huffman + 5 + 17] ^= 1;
    picture = picture_of(other);
    (void)capture_decoder_decode(*state, &picture, 1, true, &(const struct frame *){NULL}, NULL);
    picture = picture_of(no_huffman);
    assert_int_equal(capture_jpeg_decode(jpeg.data, jpeg.length, 1, &expected, NULL, NULL),
                     CAPTURE_OK);
    check_same(decode(*state, &picture, 1, true), expected, true);
    capture_frame_destroy(&expected);
    bytes_free(&no_huffman);
    bytes_free(&bare);
    bytes_free(&other);
    bytes_free(&jpeg);
}

static void should_refuse_damaged_jpeg_and_go_on(void **state)
{
    struct bytes jpeg = make_jpeg(&(struct recipe){96, 64, JCS_YCbCr, .luma_h = 2, .luma_v = 2});
    size_t scan = bytes_find_marker(jpeg, 0xda, 0);
    struct bytes gap = bytes_splice(jpeg, scan + 100, 300, NULL, 0);
    struct picture whole = picture_of(jpeg), cut = picture_of(jpeg), holed = picture_of(gap);

    cut.length /= 2;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(refusal(*state, &cut, scales[i]), CAPTURE_E_DAMAGED);
        assert_int_equal(refusal(*state, &holed, scales[i]), CAPTURE_E_DAMAGED);
        (void)decode(*state, &whole, scales[i], true);
    }
    bytes_free(&gap);
    bytes_free(&jpeg);
}

/* Damage that libjpeg passes without a word is seen at an eighth, where everything is read. */
static void should_see_silent_damage_at_an_eighth(void **state)
{
    struct bytes jpeg = make_jpeg(&(struct recipe){96, 64, JCS_YCbCr, .luma_h = 2, .luma_v = 2});
    size_t end = bytes_find_marker(jpeg, 0xd9, 0);
    struct bytes more = bytes_splice(jpeg, end, 0, "\x12\x34", 2);
    struct picture picture = picture_of(more);
    struct frame *frame = NULL;

    assert_int_equal(capture_jpeg_decode(more.data, more.length, 8, &frame, NULL, NULL),
                     CAPTURE_OK);
    assert_int_equal(frame->extraneous_bytes, 0);
    assert_int_equal(refusal(*state, &picture, 8), CAPTURE_E_DAMAGED);
    capture_frame_destroy(&frame);
    bytes_free(&more);
    bytes_free(&jpeg);
}

static void should_count_extraneous_bytes_and_accept(void **state)
{
    struct bytes jpeg = make_jpeg(&(struct recipe){96, 64, JCS_YCbCr, .restart_interval = 4});
    size_t restart = bytes_find_marker(jpeg, 0xd1, 0);
    struct bytes stray = bytes_splice(jpeg, restart, 0, "\1\2\3", 3);
    struct picture picture = picture_of(stray);

    assert_true(decode(*state, &picture, 1, true)->extraneous_bytes > 0);
    assert_true(decode(*state, &picture, 8, true)->extraneous_bytes > 0);
    bytes_free(&stray);
    bytes_free(&jpeg);
}

static void should_refuse_what_is_no_moving_picture(void **state)
{
    struct bytes jpeg = make_jpeg(&(struct recipe){32, 32, JCS_YCbCr, .progressive = true});
    struct bytes cmyk = make_jpeg(&(struct recipe){32, 32, JCS_CMYK, .luma_h = 1});
    struct picture picture = picture_of(jpeg);

    assert_int_equal(refusal(*state, &picture, 1), CAPTURE_E_UNSUPPORTED);
    picture.format = PICTURE_STILL;
    assert_int_equal(decode(*state, &picture, 1, true)->width, 32);
    picture = picture_of(cmyk);
    assert_int_equal(refusal(*state, &picture, 1), CAPTURE_E_UNSUPPORTED);
    bytes_free(&cmyk);
    bytes_free(&jpeg);
}

static void should_refuse_wrong_calls_and_damaged_pictures(void **state)
{
    struct bytes jpeg = make_jpeg(&(struct recipe){32, 32, JCS_YCbCr, .luma_h = 1});
    struct picture picture = picture_of(jpeg);
    const struct frame *frame;

    assert_int_equal(refusal(*state, &picture, 0), CAPTURE_E_ARGUMENT);
    assert_int_equal(refusal(*state, &picture, 3), CAPTURE_E_ARGUMENT);
    assert_int_equal(refusal(*state, &picture, 16), CAPTURE_E_ARGUMENT);
    assert_int_equal(refusal(*state, &picture, -1), CAPTURE_E_ARGUMENT);
    assert_int_equal(refusal(NULL, &picture, 1), CAPTURE_E_ARGUMENT);
    assert_int_equal(refusal(*state, NULL, 1), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_decoder_decode(*state, &picture, 1, true, NULL, NULL),
                     CAPTURE_E_ARGUMENT);
    picture.damaged = true;
    assert_int_equal(refusal(*state, &picture, 1), CAPTURE_E_DAMAGED);
    picture.damaged = false;
    picture.length = 0;
    assert_int_equal(refusal(*state, &picture, 1), CAPTURE_E_DAMAGED);
    picture = picture_of(jpeg);
    picture.format = PICTURE_FORMATS;
    assert_int_equal(capture_decoder_decode(*state, &picture, 1, true, &frame, NULL),
                     CAPTURE_E_ARGUMENT);
    bytes_free(&jpeg);
}

/* --- Stills, grey, and memory ----------------------------------------------------------------- */

/* Turned by EXIF before it is made smaller, so that the odd edge lies where it belongs. */
static void should_turn_stills_upright_at_every_scale(void **state)
{
    for (uint16_t orientation = 1; orientation <= 8; orientation++) {
        uint8_t exif[32];
        struct recipe recipe = {37,           21,
                                JCS_YCbCr,    .luma_h = 2,
                                .app1 = exif, .app1_length = make_exif(exif, false, orientation)};
        struct bytes jpeg = make_jpeg(&recipe);
        struct picture picture = picture_of(jpeg);
        struct frame *upright = NULL;

        picture.format = PICTURE_STILL;
        assert_int_equal(capture_still_decode(jpeg.data, jpeg.length, &upright, NULL), CAPTURE_OK);
        check_same(decode(*state, &picture, 1, true), upright, true);
        for (size_t i = 1; i < 4; i++) {
            const struct frame *small = decode(*state, &picture, scales[i], true);
            unsigned sum = 0;

            assert_int_equal(small->width, (upright->width + scales[i] - 1) / scales[i]);
            for (int y = 0; y < scales[i]; y++)
                for (int x = 0; x < scales[i]; x++)
                    sum += upright->y[(size_t)y * upright->y_stride + (size_t)x];
            assert_near(small->y[0], sum / (double)(scales[i] * scales[i]), 0.5);
        }
        capture_frame_destroy(&upright);
        bytes_free(&jpeg);
    }
}

/* A camera for the dark: colour formats, all grey. */
static void should_find_no_colour_where_there_is_none(void **state)
{
    struct raw raw = make_pairs(64, 32, 128, false);
    const struct frame *frame;

    for (size_t i = 1; i < raw.bytes.length; i += 2)
        raw.bytes.data[i] = (uint8_t)(127 + i / 2 % 3);
    frame = decode(*state, &raw.picture, 1, true);
    assert_false(frame->has_colour);
    assert_null(frame->cb);
    /* A few coloured pixels are a date; a patch is a picture. */
    for (size_t i = 1; i < 32; i += 2)
        raw.bytes.data[128 * 20 + i] = 90;
    frame = decode(*state, &raw.picture, 1, true);
    assert_true(frame->has_colour);
    raw_free(&raw);
}

static void decode_everything(struct decoder *decoder, const struct picture *pictures, int count)
{
    const struct frame *frame;

    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < 4; i++) {
            (void)capture_decoder_decode(decoder, &pictures[k], scales[i], false, &frame, NULL);
            (void)capture_decoder_decode(decoder, &pictures[k], scales[i], true, &frame, NULL);
        }
}

static void should_allocate_nothing_once_it_runs(void **state)
{
    struct bytes wide = make_jpeg(&(struct recipe){640, 480, JCS_YCbCr, .luma_h = 2});
    struct bytes small = make_jpeg(&(struct recipe){320, 200, JCS_YCbCr, .luma_h = 2, .luma_v = 2});
    struct raw yuyv = make_pairs(320, 240, 640, false), nv12 = make_nv12(320, 240, 320, true);
    struct picture pictures[] = {picture_of(wide), picture_of(small), yuyv.picture, nv12.picture,
                                 picture_of(wide)};
    long before;

    pictures[4].length /= 2; /* nor does a damaged one */
    decode_everything(*state, pictures, 5);
    before = alloc_count();
    decode_everything(*state, pictures, 5);
    decode_everything(*state, pictures, 5);
    assert_int_equal(alloc_count() - before, 0);
    /* The count does count. */
    free(make_memory(10));
    assert_true(alloc_count() > before);
    raw_free(&nv12);
    raw_free(&yuyv);
    bytes_free(&small);
    bytes_free(&wide);
}

#define WITH_DECODER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DECODER(should_read_yuyv_and_uyvy),
        WITH_DECODER(should_read_nv12_in_both_layouts),
        WITH_DECODER(should_read_grey_as_it_is),
        WITH_DECODER(should_leave_full_range_as_it_is),
        WITH_DECODER(should_expand_studio_range),
        WITH_DECODER(should_refuse_short_raw_pictures),
        WITH_DECODER(should_decode_jpeg_as_ever),
        WITH_DECODER(should_keep_a_frame_for_each_scale),
        WITH_DECODER(should_carry_no_table_from_picture_to_picture),
        WITH_DECODER(should_refuse_damaged_jpeg_and_go_on),
        WITH_DECODER(should_see_silent_damage_at_an_eighth),
        WITH_DECODER(should_count_extraneous_bytes_and_accept),
        WITH_DECODER(should_refuse_what_is_no_moving_picture),
        WITH_DECODER(should_refuse_wrong_calls_and_damaged_pictures),
        WITH_DECODER(should_turn_stills_upright_at_every_scale),
        WITH_DECODER(should_find_no_colour_where_there_is_none),
        WITH_DECODER(should_allocate_nothing_once_it_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
