/* The coded data of a JPEG, to the last bit: nothing good refused, silent damage found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/jpeg.h"
#include "capture/still.h"
#include "tests/unit/still_make.h"

#define SOF0 0xc0
#define DHT 0xc4
#define SOS 0xda

static const struct recipe usual = {
    .width = 70, .height = 64, .space = JCS_YCbCr, .luma_h = 2, .luma_v = 2};

static int verify(struct bytes jpeg)
{
    struct bytes copy = bytes_copy(jpeg.data, jpeg.length);
    struct jpeg_info info;
    struct capture_fault fault = {{0}};
    int error;

    assert_int_equal(capture_jpeg_inspect(copy.data, copy.length, &info, &fault), CAPTURE_OK);
    error = capture_jpeg_verify(copy.data, &info, &fault);
    assert_int_equal(error != CAPTURE_OK, fault.text[0] != '\0');
    bytes_free(&copy);
    return error;
}

static int verify_and_free(struct bytes jpeg)
{
    int error = verify(jpeg);

    bytes_free(&jpeg);
    return error;
}

static void should_pass_good_pictures_of_every_kind(void **state)
{
    static const int factors[][4] = {{1, 1, 1, 1}, {2, 1, 1, 1}, {2, 2, 1, 1}, {4, 1, 1, 1},
                                     {1, 2, 1, 1}, {2, 2, 2, 1}, {1, 1, 2, 2}};
    static const J_COLOR_SPACE spaces[] = {JCS_YCbCr, JCS_RGB, JCS_GRAYSCALE};

    (void)state;
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
        for (int variant = 0; variant < 24; variant++) {
            struct recipe recipe = {.width = variant % 2 ? 65 : 16,
                                    .height = variant % 4 > 1 ? 31 : 1,
                                    .space = spaces[variant / 8],
                                    .luma_h = factors[i][0],
                                    .luma_v = factors[i][1],
                                    .other_h = factors[i][2],
                                    .other_v = factors[i][3],
                                    .restart_interval = variant % 3,
                                    .separate_scans = variant % 8 > 3};

            assert_int_equal(verify_and_free(make_jpeg(&recipe)), CAPTURE_OK);
        }
}

static void should_pass_pictures_without_tables(void **state)
{
    struct bytes jpeg = make_jpeg(&usual), less;

    (void)state;
    while (bytes_find_marker(jpeg, DHT, 0) < jpeg.length) {
        less = bytes_drop_segment(jpeg, DHT, 0);
        bytes_free(&jpeg);
        jpeg = less;
    }
    assert_int_equal(verify_and_free(jpeg), CAPTURE_OK);
}

static void should_pass_filling_before_markers(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;
    size_t at;

    (void)state;
    recipe.restart_interval = 3;
    jpeg = make_jpeg(&recipe);
    at = bytes_find_marker(jpeg, 0xd1, 0);
    assert_int_equal(verify_and_free(bytes_splice(jpeg, at, 0, "\0\0\0\0\0\0\0\0\0\0\0\0", 12)),
                     CAPTURE_OK);
    assert_int_equal(verify_and_free(bytes_splice(jpeg, at, 0, "\377\0\377\0", 4)), CAPTURE_OK);
    assert_int_equal(verify_and_free(bytes_splice(jpeg, at, 0, "\377\377\377", 3)), CAPTURE_OK);
    assert_int_equal(verify_and_free(bytes_splice(jpeg, jpeg.length - 2, 0, "\0\0\0", 3)),
                     CAPTURE_OK);
    assert_int_equal(verify_and_free(bytes_splice(jpeg, at, 0, "\1\2\3", 3)), CAPTURE_E_DAMAGED);
    bytes_free(&jpeg);
}

/* More blocks in the data than in the picture: libjpeg at most counts extraneous bytes. */
static void should_find_data_left_over_that_libjpeg_passes(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);
    struct frame *frame = NULL;
    struct capture_fault fault = {{0}};

    (void)state;
    jpeg.data[bytes_find_marker(jpeg, SOF0, 0) + 6] = 48; /* the height: one row of MCUs less */
    assert_int_equal(capture_jpeg_decode(jpeg.data, jpeg.length, 1, &frame, NULL, &fault),
                     CAPTURE_OK);
    capture_frame_destroy(&frame);
    assert_int_equal(verify(jpeg), CAPTURE_E_DAMAGED);
    assert_int_equal(capture_still_decode(jpeg.data, jpeg.length, &frame, &fault),
                     CAPTURE_E_DAMAGED);
    assert_null(frame);
    bytes_free(&jpeg);
}

static void should_find_data_that_ends_early(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);

    (void)state;
    jpeg.data[bytes_find_marker(jpeg, SOF0, 0) + 6] = 80;
    assert_int_equal(verify_and_free(jpeg), CAPTURE_E_DAMAGED);
}

static void should_find_restart_markers_out_of_order(void **state)
{
    struct recipe recipe = usual;
    struct bytes jpeg;

    (void)state;
    recipe.restart_interval = 3;
    jpeg = make_jpeg(&recipe);
    jpeg.data[bytes_find_marker(jpeg, 0xd1, 0) + 1] = 0xd2;
    assert_int_equal(verify_and_free(jpeg), CAPTURE_E_DAMAGED);
}

/* Never worse than libjpeg alone: what it refuses among single changed bytes may pass here, but
 * nothing crashes, and the share found is well above none. */
static void should_find_part_of_the_changes_that_libjpeg_passes(void **state)
{
    struct bytes jpeg = make_jpeg(&usual);
    size_t scan = bytes_find_marker(jpeg, SOS, 0) + 14;
    int silent = 0, found = 0;

    (void)state;
    for (size_t i = scan; i + 6 < jpeg.length; i += 2) {
        struct bytes cut = bytes_splice(jpeg, i, 4, NULL, 0);
        struct frame *frame = NULL;
        struct jpeg_info info;

        if (capture_jpeg_decode(cut.data, cut.length, 1, &frame, &info, NULL) == CAPTURE_OK) {
            silent++;
            found += capture_jpeg_verify(cut.data, &info, NULL) != CAPTURE_OK;
        }
        capture_frame_destroy(&frame);
        bytes_free(&cut);
    }
    assert_true(silent > 0);
    assert_true(found * 10 >=
                silent); /* on photographs 16 % of cuts of 2 bytes, 54 % of cuts of 64 */
    bytes_free(&jpeg);
}

static void should_let_progressive_pictures_through(void **state)
{
    struct recipe recipe = usual;

    (void)state;
    recipe.progressive = true;
    assert_int_equal(verify_and_free(make_jpeg(&recipe)), CAPTURE_OK);
    assert_int_equal(capture_jpeg_verify(NULL, NULL, NULL), CAPTURE_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_pass_good_pictures_of_every_kind),
        cmocka_unit_test(should_pass_pictures_without_tables),
        cmocka_unit_test(should_pass_filling_before_markers),
        cmocka_unit_test(should_find_data_left_over_that_libjpeg_passes),
        cmocka_unit_test(should_find_data_that_ends_early),
        cmocka_unit_test(should_find_restart_markers_out_of_order),
        cmocka_unit_test(should_find_part_of_the_changes_that_libjpeg_passes),
        cmocka_unit_test(should_let_progressive_pictures_through),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
