/* The orientation of a picture, from EXIF that may be broken in any way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/exif.h"
#include "tests/unit/still_make.h"

#define TIFF 6 /* where the TIFF block starts, after "Exif\0\0" */

static int orientation_of(const uint8_t *tiff, size_t length)
{
    struct bytes copy = bytes_copy(tiff, length);
    int orientation = capture_exif_orientation(copy.data, copy.length);

    bytes_free(&copy);
    return orientation;
}

static void should_read_all_orientations_in_both_byte_orders(void **state)
{
    uint8_t exif[32];

    (void)state;
    for (int big = 0; big < 2; big++)
        for (uint16_t orientation = 1; orientation <= 8; orientation++) {
            make_exif(exif, big, orientation);
            assert_int_equal(orientation_of(exif + TIFF, 32 - TIFF), orientation);
        }
}

static void should_take_numbers_out_of_range_as_upright(void **state)
{
    static const uint16_t wrong[] = {0, 9, 90, 256 + 6, 65535};
    uint8_t exif[32];

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        make_exif(exif, i % 2, wrong[i]);
        assert_int_equal(orientation_of(exif + TIFF, 32 - TIFF), 1);
    }
}

static void should_take_every_cut_as_upright(void **state)
{
    uint8_t exif[32];

    (void)state;
    for (int big = 0; big < 2; big++) {
        make_exif(exif, big, 6);
        /* The last four bytes are the offset of a next directory, which nobody needs. */
        for (size_t length = 0; length < 22; length++)
            assert_int_equal(orientation_of(exif + TIFF, length), 1);
        assert_int_equal(orientation_of(exif + TIFF, 22), 6);
    }
}

/* Sets one byte of the TIFF block and reads it. */
static int orientation_with(size_t at, uint8_t value)
{
    uint8_t exif[32];

    make_exif(exif, true, 6);
    exif[TIFF + at] = value;
    return orientation_of(exif + TIFF, 32 - TIFF);
}

static void should_take_broken_fields_as_upright(void **state)
{
    (void)state;
    assert_int_equal(orientation_with(0, 'X'), 1); /* byte order */
    assert_int_equal(orientation_with(1, 'I'), 1);
    assert_int_equal(orientation_with(3, 43), 1);    /* magic number */
    assert_int_equal(orientation_with(4, 0xff), 1);  /* directory far outside */
    assert_int_equal(orientation_with(7, 25), 1);    /* directory begins with the last byte */
    assert_int_equal(orientation_with(11, 0x13), 1); /* another tag */
    assert_int_equal(orientation_with(13, 2), 1);    /* text */
    assert_int_equal(orientation_with(17, 2), 1);    /* two of them */
    assert_int_equal(orientation_with(8, 0xff), 6);  /* says more entries than there are */
}

static void should_read_it_after_other_entries_and_as_a_long(void **state)
{
    static const uint8_t tiff[] = {
        'I',  'I',  42,   0, 10, 0, 0,   0, 0xaa, 0xaa, /* two bytes of nothing before the directory
                                                         */
        2,    0,    0x0f, 1, 2,  0, 200, 0, 0,    0,    0xff, 0xff,
        0xff, 0xff, /* maker, outside the block */
        0x12, 1,    4,    0, 1,  0, 0,   0, 8,    0,    0,    0,
    };

    (void)state;
    assert_int_equal(orientation_of(tiff, sizeof tiff), 8);
}

static void should_take_nothing_as_upright(void **state)
{
    (void)state;
    assert_int_equal(capture_exif_orientation(NULL, 0), 1);
    assert_int_equal(capture_exif_orientation(NULL, 100), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_all_orientations_in_both_byte_orders),
        cmocka_unit_test(should_take_numbers_out_of_range_as_upright),
        cmocka_unit_test(should_take_every_cut_as_upright),
        cmocka_unit_test(should_take_broken_fields_as_upright),
        cmocka_unit_test(should_read_it_after_other_entries_and_as_a_long),
        cmocka_unit_test(should_take_nothing_as_upright),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
