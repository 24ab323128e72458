/* The JPEG gate: what a picture is and where it ends, by its markers alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/jpeg.h"
#include "tests/unit/still_make.h"

#define SOF0 0xc0
#define SOF2 0xc2
#define DHT 0xc4
#define EOI 0xd9
#define SOS 0xda

static const struct recipe usual = {
    .width = 48, .height = 33, .space = JCS_YCbCr, .luma_h = 2, .luma_v = 2};

/* Inspects a copy of the exact size; the answer comes by its number and, in `info`, its facts. */
static int inspect(struct bytes jpeg, struct jpeg_info *info)
{
    struct bytes copy = bytes_copy(jpeg.data, jpeg.length);
    struct capture_fault fault = {{0}};
    int error = capture_jpeg_inspect(copy.data, copy.length, info, &fault);

    if (error)
        assert_true(fault.text[0] != '\0');
    bytes_free(&copy);
    return error;
}

static int inspect_and_free(struct bytes jpeg)
{
    struct jpeg_info info;
    int error = inspect(jpeg, &info);

    bytes_free(&jpeg);
    return error;
}

static int decode_and_free(struct bytes jpeg)
{
    struct frame *frame = NULL;
    struct capture_fault fault = {{0}};
    int error = capture_jpeg_decode(jpeg.data, jpeg.length, 1, &frame, NULL, &fault);

    assert_int_equal(error == CAPTURE_OK, frame != NULL);
    if (error)
        assert_true(fault.text[0] != '\0');
    capture_frame_destroy(&frame);
    bytes_free(&jpeg);
    return error;
}

/* The usual picture with byte `offset` of its `code` segment (from the marker's 0xff) changed. */
static struct bytes with_byte(const struct recipe *recipe, uint8_t code, size_t offset,
                              uint8_t value)
{
    struct bytes jpeg = make_jpeg(recipe);
    size_t at = bytes_find_marker(jpeg, code, 0);

    assert_true(at + offset < jpeg.length);
    jpeg.data[at + offset] = value;
    return jpeg;
}

static void should_say_what_a_picture_is(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;
    struct jpeg_info info;

    (void)state;
    recipe.restart_interval = 2;
    jpeg = make_jpeg(&recipe);
    assert_int_equal(inspect(jpeg, &info), CAPTURE_OK);
    assert_int_equal(info.width, 48);
    assert_int_equal(info.height, 33);
    assert_int_equal(info.precision_bits, 8);
    assert_int_equal(info.process, JPEG_BASELINE);
    assert_int_equal(info.component_count, 3);
    assert_int_equal(info.components[0].h, 2);
    assert_int_equal(info.components[0].v, 2);
    assert_int_equal(info.components[2].h, 1);
    assert_int_equal(info.scan_count, 1);
    assert_int_equal(info.restart_interval, 2);
    assert_int_equal(info.orientation, 1);
    assert_int_equal(info.missing_tables, 0);
    assert_int_equal(info.first_scan, bytes_find_marker(jpeg, SOS, 0));
    assert_int_equal(info.end, jpeg.length);
    assert_int_equal(info.junk_bytes, 0);
    bytes_free(&jpeg);
}

static void should_know_progressive_pictures_and_their_scans(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;
    struct jpeg_info info;

    (void)state;
    recipe.progressive = true;
    jpeg = make_jpeg(&recipe);
    assert_int_equal(inspect(jpeg, &info), CAPTURE_OK);
    assert_int_equal(info.process, JPEG_PROGRESSIVE);
    assert_int_equal(info.scan_count, 10);
    bytes_free(&jpeg);
}

static void should_find_the_true_end_before_whatever_follows(void **state)
{
    struct bytes jpeg = make_jpeg(&usual), other = make_jpeg(&usual);
    struct bytes tails[] = {{(uint8_t[]){0}, 1},
                            {(uint8_t[]){0, 0, 0, 0, 0, 0, 0, 0}, 8},
                            {(uint8_t[]){0xff, 0xd9}, 2},
                            {(uint8_t[]){1, 2, 0xff, 3, 0xff, 0xd9}, 6},
                            other};

    (void)state;
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        struct bytes longer = bytes_splice(jpeg, jpeg.length, 0, tails[i].data, tails[i].length);
        struct jpeg_info info;

        assert_int_equal(inspect(longer, &info), CAPTURE_OK);
        assert_int_equal(info.end, jpeg.length);
        assert_int_equal(decode_and_free(longer), CAPTURE_OK);
    }
    bytes_free(&other);
    bytes_free(&jpeg);
}

static void should_not_be_misled_by_a_thumbnail(void **state)
{
    struct recipe recipe = usual;
    struct bytes thumbnail = make_jpeg(&usual), jpeg;
    struct jpeg_info info;

    (void)state;
    recipe.width = 100;
    recipe.app1 = thumbnail.data;
    recipe.app1_length = thumbnail.length;
    jpeg = make_jpeg(&recipe);
    assert_int_equal(inspect(jpeg, &info), CAPTURE_OK);
    assert_int_equal(info.width, 100);
    assert_int_equal(info.end, jpeg.length);
    assert_true(bytes_find_marker(jpeg, EOI, 1) < jpeg.length);
    bytes_free(&jpeg);
    bytes_free(&thumbnail);
}

static void should_refuse_a_picture_cut_anywhere(void **state)
{
    struct recipe recipes[] = {usual, usual, usual};

    (void)state;
    recipes[1].progressive = true;
    recipes[2].restart_interval = 1;
    for (size_t i = 0; i < 3; i++) {
        struct bytes jpeg = make_jpeg(&recipes[i]);

        for (size_t length = 0; length < jpeg.length; length++) {
            struct jpeg_info info;

            assert_int_not_equal(inspect((struct bytes){jpeg.data, length}, &info), CAPTURE_OK);
            assert_int_equal(info.end, 0);
        }
        bytes_free(&jpeg);
    }
}

static void should_refuse_a_picture_cut_and_followed_by_the_next(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);
    size_t cut = bytes_find_marker(jpeg, SOS, 0) + 100;

    (void)state;
    assert_int_equal(
        inspect_and_free(bytes_splice(jpeg, cut, jpeg.length - cut, jpeg.data, jpeg.length)),
        CAPTURE_E_DAMAGED);
    bytes_free(&jpeg);
}

static void should_pass_over_junk_between_segments(void **state)
{
    struct bytes jpeg = make_jpeg(&usual), junk;
    struct jpeg_info info;

    (void)state;
    junk = bytes_splice(jpeg, bytes_find_marker(jpeg, SOF0, 0), 0, "\1\2\377\0\3", 5);
    assert_int_equal(inspect(junk, &info), CAPTURE_OK);
    assert_int_equal(info.junk_bytes, 5);
    assert_int_equal(decode_and_free(junk), CAPTURE_OK);
    /* Fill bytes before a marker are not even junk. */
    junk = bytes_splice(jpeg, bytes_find_marker(jpeg, SOF0, 0), 0, "\377\377\377", 3);
    assert_int_equal(inspect(junk, &info), CAPTURE_OK);
    assert_int_equal(info.junk_bytes, 0);
    assert_int_equal(decode_and_free(junk), CAPTURE_OK);
    bytes_free(&jpeg);
}

static void should_refuse_what_is_no_jpeg(void **state)
{
    struct jpeg_info info;
    struct capture_fault fault;

    (void)state;
    assert_int_equal(capture_jpeg_inspect(NULL, 0, &info, &fault), CAPTURE_E_EMPTY);
    assert_int_equal(capture_jpeg_inspect(NULL, 5, &info, &fault), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_jpeg_inspect(NULL, 0, NULL, NULL), CAPTURE_E_ARGUMENT);
    assert_int_equal(inspect((struct bytes){(uint8_t[]){0xff}, 1}, &info), CAPTURE_E_FORMAT);
    assert_int_equal(inspect((struct bytes){(uint8_t[]){0xa8, 0x0a, 0xff, 0xd8}, 4}, &info),
                     CAPTURE_E_FORMAT);
    assert_int_equal(inspect((struct bytes){(uint8_t[]){0xff, 0xd8}, 2}, &info), CAPTURE_E_DAMAGED);
}

static void should_refuse_pictures_without_frame_or_scan(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);
    size_t scan = bytes_find_marker(jpeg, SOS, 0);

    (void)state;
    assert_int_equal(inspect_and_free(bytes_copy((const uint8_t *)"\377\330\377\331", 4)),
                     CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(bytes_drop_segment(jpeg, SOF0, 0)), CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(bytes_splice(jpeg, scan, jpeg.length - 2 - scan, NULL, 0)),
                     CAPTURE_E_HEADER);
    bytes_free(&jpeg);
}

static void should_refuse_two_frame_headers(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);
    size_t at = bytes_find_marker(jpeg, SOF0, 0);

    (void)state;
    assert_int_equal(inspect_and_free(bytes_splice(jpeg, at, 0, jpeg.data + at, 19)),
                     CAPTURE_E_DAMAGED);
    bytes_free(&jpeg);
}

/* Height is at 5 and 6, width at 7 and 8 from the marker on. */
static struct bytes with_size(unsigned width, unsigned height)
{
    struct bytes jpeg = with_byte(&usual, SOF0, 5, (uint8_t)(height >> 8));
    size_t at = bytes_find_marker(jpeg, SOF0, 0);

    jpeg.data[at + 6] = (uint8_t)height;
    jpeg.data[at + 7] = (uint8_t)(width >> 8);
    jpeg.data[at + 8] = (uint8_t)width;
    return jpeg;
}

static void should_refuse_impossible_and_huge_sizes_by_the_header(void **state)
{
    (void)state;
    assert_int_equal(inspect_and_free(with_size(48, 0)), CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(with_size(0, 33)), CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(with_size(65535, 65535)), CAPTURE_E_SIZE);
    assert_int_equal(inspect_and_free(with_size(8001, 8000)), CAPTURE_E_SIZE);
    assert_int_equal(inspect_and_free(with_size(8000, 8000)), CAPTURE_OK);
    assert_int_equal(decode_and_free(with_size(65535, 65535)), CAPTURE_E_SIZE);
}

static void refused_by_name(struct bytes jpeg, const char *name)
{
    struct jpeg_info info;
    struct capture_fault fault = {{0}};

    assert_int_equal(capture_jpeg_inspect(jpeg.data, jpeg.length, &info, &fault),
                     CAPTURE_E_UNSUPPORTED);
    assert_non_null(strstr(fault.text, name));
    assert_int_equal(decode_and_free(jpeg), CAPTURE_E_UNSUPPORTED);
}

static void should_refuse_by_name_what_is_not_supported(void **state)
{
    struct recipe cmyk = usual;

    (void)state;
    cmyk.space = JCS_CMYK;
    refused_by_name(make_jpeg(&cmyk), "CMYK");
    cmyk.space = JCS_YCbCr;
    refused_by_name(with_byte(&usual, SOF0, 1, 0xc3), "lossless");
    refused_by_name(with_byte(&usual, SOF0, 1, 0xc5), "hierarchical");
    refused_by_name(with_byte(&usual, SOF0, 1, 0xc9), "arithmetic");
    refused_by_name(with_byte(&usual, SOF0, 1, 0xca), "arithmetic");
    refused_by_name(with_byte(&usual, SOF0, 1, 0xcb), "arithmetic");
    refused_by_name(with_byte(&usual, SOF0, 4, 12), "12-bit");
    refused_by_name(with_byte(&usual, SOF0, 4, 16), "8 bits");
}

static void should_refuse_headers_that_contradict_themselves(void **state)
{
    (void)state;
    assert_int_equal(inspect_and_free(with_byte(&usual, SOF0, 3, 18)), CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(with_byte(&usual, SOF0, 9, 2)), CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(with_byte(&usual, SOF0, 11, 0x52)), CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(with_byte(&usual, SOF0, 11, 0x20)), CAPTURE_E_HEADER);
    assert_int_equal(inspect_and_free(with_byte(&usual, SOS, 4, 5)), CAPTURE_E_DAMAGED);
    assert_int_equal(inspect_and_free(with_byte(&usual, SOS, 5, 99)), CAPTURE_E_DAMAGED);
    assert_int_equal(inspect_and_free(with_byte(&usual, SOS, 6, 0x44)), CAPTURE_E_DAMAGED);
    assert_int_equal(inspect_and_free(with_byte(&usual, SOS, 6, 0x33)), CAPTURE_E_DAMAGED);
    assert_int_equal(inspect_and_free(with_byte(&usual, DHT, 3, 1)), CAPTURE_E_DAMAGED);
    assert_int_equal(inspect_and_free(with_byte(&usual, DHT, 4, 0x22)), CAPTURE_E_DAMAGED);
    assert_int_equal(inspect_and_free(with_byte(&usual, DHT, 6, 255)), CAPTURE_E_DAMAGED);
}

static void should_refuse_pictures_that_lack_scans(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;
    size_t last, at;

    (void)state;
    recipe.progressive = true;
    jpeg = make_jpeg(&recipe);
    for (int scan = 0; scan < 10; scan++) { /* the tables before each stay, they do no harm */
        at = bytes_find_marker(jpeg, SOS, scan);
        last = at + 2;
        while (jpeg.data[last] != 0xff ||
               (jpeg.data[last + 1] != DHT && jpeg.data[last + 1] != SOS &&
                jpeg.data[last + 1] != EOI))
            last++;
        /* A scan that is refined later is not missed by the markers; the decoder notices. */
        assert_int_not_equal(decode_and_free(bytes_splice(jpeg, at, last - at, NULL, 0)),
                             CAPTURE_OK);
    }
    bytes_free(&jpeg);
    recipe.progressive = false;
    recipe.separate_scans = true;
    jpeg = make_jpeg(&recipe);
    assert_int_equal(decode_and_free(bytes_copy(jpeg.data, jpeg.length)), CAPTURE_OK);
    at = bytes_find_marker(jpeg, SOS, 2);
    assert_int_equal(inspect_and_free(bytes_splice(jpeg, at, jpeg.length - 2 - at, NULL, 0)),
                     CAPTURE_E_DAMAGED);
    bytes_free(&jpeg);
}

static void should_refuse_more_scans_than_any_encoder_writes(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg, longer;
    size_t at, size;

    (void)state;
    recipe.separate_scans = true;
    jpeg = make_jpeg(&recipe);
    at = bytes_find_marker(jpeg, SOS, 2);
    size = jpeg.length - 2 - at;
    for (int i = 0; i < 98; i++) {
        longer = bytes_splice(jpeg, at, 0, jpeg.data + at, size);
        bytes_free(&jpeg);
        jpeg = longer;
    }
    assert_int_equal(inspect_and_free(jpeg), CAPTURE_E_UNSUPPORTED);
}

/* The usual picture without its Huffman tables, as many cameras send it. libjpeg's encoder uses
 * the standard ones. */
static struct bytes without_tables(void)
{
    struct bytes jpeg = make_jpeg(&usual), less;

    while (bytes_find_marker(jpeg, DHT, 0) < jpeg.length) {
        less = bytes_drop_segment(jpeg, DHT, 0);
        bytes_free(&jpeg);
        jpeg = less;
    }
    return jpeg;
}

static struct bytes add_tables(struct bytes jpeg)
{
    struct jpeg_info info;
    struct bytes out = {NULL, 0};

    assert_int_equal(capture_jpeg_inspect(jpeg.data, jpeg.length, &info, NULL), CAPTURE_OK);
    out.data = make_memory(info.end + CAPTURE_JPEG_TABLES_BYTES);
    assert_int_equal(capture_jpeg_with_tables(jpeg.data, &info, out.data,
                                              info.end + CAPTURE_JPEG_TABLES_BYTES, &out.length),
                     CAPTURE_OK);
    return out;
}

static void check_same_picture(struct bytes one, struct bytes two)
{
    struct frame *a = NULL, *b = NULL;

    assert_int_equal(capture_jpeg_decode(one.data, one.length, 1, &a, NULL, NULL), CAPTURE_OK);
    assert_int_equal(capture_jpeg_decode(two.data, two.length, 1, &b, NULL, NULL), CAPTURE_OK);
    assert_int_equal(a->width, b->width);
    for (int y = 0; y < a->height; y++)
        assert_memory_equal(a->y + (size_t)y * a->y_stride, b->y + (size_t)y * b->y_stride,
                            (size_t)a->width);
    capture_frame_destroy(&a);
    capture_frame_destroy(&b);
}

static void should_add_the_standard_tables_once_where_they_are_missing(void **state)
{
    struct bytes whole = make_jpeg(&usual), bare = without_tables(), filled, again;
    struct jpeg_info info;

    (void)state;
    assert_int_equal(inspect(bare, &info), CAPTURE_OK);
    assert_int_equal(info.missing_tables, 0x33);
    filled = add_tables(bare);
    assert_int_equal(filled.length, bare.length + CAPTURE_JPEG_TABLES_BYTES);
    assert_int_equal(inspect(filled, &info), CAPTURE_OK);
    assert_int_equal(info.missing_tables, 0);
    again = add_tables(filled);
    assert_int_equal(again.length, filled.length);
    assert_memory_equal(again.data, filled.data, filled.length);
    check_same_picture(whole, bare);
    check_same_picture(whole, filled);
    bytes_free(&whole);
    bytes_free(&bare);
    bytes_free(&filled);
    bytes_free(&again);
}

static void should_add_only_the_table_that_is_missing(void **state)
{
    struct bytes whole = make_jpeg(&usual);

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct bytes less = bytes_drop_segment(whole, DHT, i), filled = add_tables(less);
        struct jpeg_info info;
        size_t at, size;

        assert_int_equal(inspect(less, &info), CAPTURE_OK);
        assert_int_equal(__builtin_popcount(info.missing_tables), 1);
        /* It comes last before the scan, and is what libjpeg's own encoder writes. */
        at = bytes_find_marker(whole, DHT, i);
        size = 2 + ((size_t)whole.data[at + 2] << 8 | whole.data[at + 3]);
        assert_int_equal(filled.length, whole.length);
        assert_memory_equal(filled.data + bytes_find_marker(filled, SOS, 0) - size, whole.data + at,
                            size);
        check_same_picture(whole, filled);
        bytes_free(&less);
        bytes_free(&filled);
    }
    bytes_free(&whole);
}

static void should_cut_at_the_true_end_when_adding_tables(void **state)
{
    struct bytes bare = without_tables();
    struct bytes padded = bytes_splice(bare, bare.length, 0, "\0\0\377\331\0", 5);
    struct bytes filled = add_tables(padded);

    (void)state;
    assert_int_equal(filled.length, bare.length + CAPTURE_JPEG_TABLES_BYTES);
    bytes_free(&filled);
    bytes_free(&padded);
    bytes_free(&bare);
}

static void should_not_write_beyond_the_room_for_tables(void **state)
{
    struct bytes bare = without_tables();
    struct jpeg_info info;
    uint8_t *out = make_memory(bare.length + CAPTURE_JPEG_TABLES_BYTES);
    size_t length;

    (void)state;
    assert_int_equal(inspect(bare, &info), CAPTURE_OK);
    assert_int_equal(capture_jpeg_with_tables(bare.data, &info, out,
                                              bare.length + CAPTURE_JPEG_TABLES_BYTES - 1, &length),
                     CAPTURE_E_ARGUMENT);
    info.end = 0;
    assert_int_equal(capture_jpeg_with_tables(bare.data, &info, out, SIZE_MAX, &length),
                     CAPTURE_E_ARGUMENT);
    free(out);
    bytes_free(&bare);
}

static void should_read_the_orientation_and_survive_broken_exif(void **state)
{
    struct recipe recipe = usual;
    uint8_t exif[32];
    struct jpeg_info info;

    (void)state;
    for (uint16_t orientation = 1; orientation <= 8; orientation++) {
        struct bytes jpeg;

        recipe.app1 = exif;
        recipe.app1_length = make_exif(exif, orientation % 2, orientation);
        jpeg = make_jpeg(&recipe);
        assert_int_equal(inspect(jpeg, &info), CAPTURE_OK);
        assert_int_equal(info.orientation, orientation);
        bytes_free(&jpeg);
    }
    for (size_t length = 0; length < 28; length++) {
        struct bytes jpeg;

        recipe.app1_length = length;
        jpeg = make_jpeg(&recipe);
        assert_int_equal(inspect(jpeg, &info), CAPTURE_OK);
        assert_int_equal(info.orientation, 1);
        bytes_free(&jpeg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_say_what_a_picture_is),
        cmocka_unit_test(should_know_progressive_pictures_and_their_scans),
        cmocka_unit_test(should_find_the_true_end_before_whatever_follows),
        cmocka_unit_test(should_not_be_misled_by_a_thumbnail),
        cmocka_unit_test(should_refuse_a_picture_cut_anywhere),
        cmocka_unit_test(should_refuse_a_picture_cut_and_followed_by_the_next),
        cmocka_unit_test(should_pass_over_junk_between_segments),
        cmocka_unit_test(should_refuse_what_is_no_jpeg),
        cmocka_unit_test(should_refuse_pictures_without_frame_or_scan),
        cmocka_unit_test(should_refuse_two_frame_headers),
        cmocka_unit_test(should_refuse_impossible_and_huge_sizes_by_the_header),
        cmocka_unit_test(should_refuse_by_name_what_is_not_supported),
        cmocka_unit_test(should_refuse_headers_that_contradict_themselves),
        cmocka_unit_test(should_refuse_pictures_that_lack_scans),
        cmocka_unit_test(should_refuse_more_scans_than_any_encoder_writes),
        cmocka_unit_test(should_add_the_standard_tables_once_where_they_are_missing),
        cmocka_unit_test(should_add_only_the_table_that_is_missing),
        cmocka_unit_test(should_cut_at_the_true_end_when_adding_tables),
        cmocka_unit_test(should_not_write_beyond_the_room_for_tables),
        cmocka_unit_test(should_read_the_orientation_and_survive_broken_exif),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
