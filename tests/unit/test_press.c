#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/paint.h"
#include "calib/press.h"

#include <stdlib.h>
#include <string.h>

static void mark_paint(cairo_t *page)
{
    calib_paint_ruler(page, 10.0, 10.0);
    cairo_rectangle(page, 20.0, 20.0, 5.0, 5.0);
    cairo_fill(page);
}

static struct press *pages_make(const struct press_options *options, int pages)
{
    struct press *press = calib_press_create(options);

    assert_non_null(press);
    for (int i = 0; i < pages; i++) {
        cairo_t *page = calib_press_page(press, 120.0, 80.0);
        assert_non_null(page);
        mark_paint(page);
    }
    assert_int_equal(calib_press_finish(press), 0);
    assert_int_equal(calib_press_pages(press), pages);
    return press;
}

static bool has(const struct press *press, int file, const char *word)
{
    size_t length, size = strlen(word);
    const unsigned char *bytes = calib_press_file(press, file, &length);

    for (size_t i = 0; i + size <= length; i++) {
        if (memcmp(bytes + i, word, size) == 0) {
            return true;
        }
    }
    return false;
}

static void should_give_the_same_bytes_for_the_same_pages(void **state)
{
    (void)state;
    for (int format = PRESS_PDF; format <= PRESS_PNG; format += PRESS_PNG - PRESS_PDF) {
        struct press_options options = {.format = (enum press_format)format, .dpi = 100.0};
        struct press *a = pages_make(&options, 3), *b = pages_make(&options, 3);
        assert_int_equal(calib_press_files(a), format == PRESS_PDF ? 1 : 3);
        assert_int_equal(calib_press_files(b), calib_press_files(a));
        for (int i = 0; i < calib_press_files(a); i++) {
            size_t length, other;
            const unsigned char *one = calib_press_file(a, i, &length);
            const unsigned char *two = calib_press_file(b, i, &other);
            assert_int_equal(length, other);
            assert_true(length > 100);
            assert_memory_equal(one, two, length);
        }
        calib_press_destroy(&a);
        calib_press_destroy(&b);
        assert_null(a);
    }
}

static void should_note_a_date_only_when_one_is_given(void **state)
{
    struct press_options options = {.format = PRESS_PDF};

    (void)state;
    struct press *press = pages_make(&options, 1);
    assert_true(has(press, 0, "%PDF-"));
    assert_false(has(press, 0, "/CreationDate"));
    calib_press_destroy(&press);
    options.date = "2026-01-31T12:00:00Z";
    press = pages_make(&options, 1);
    assert_true(has(press, 0, "/CreationDate (20260131120000"));
    calib_press_destroy(&press);
}

static void should_say_how_large_a_page_is(void **state)
{
    struct press_options options = {.format = PRESS_SVG, .dpi = 254.0};

    (void)state;
    struct press *press = pages_make(&options, 1);
    assert_true(has(press, 0, "width=\"120mm\""));
    assert_true(has(press, 0, "height=\"80mm\""));
    calib_press_destroy(&press);
    options.format = PRESS_PNG;
    press = pages_make(&options, 1);
    size_t length;
    const unsigned char *png = calib_press_file(press, 0, &length);
    const unsigned char size[8] = {0, 0, 1200 >> 8, 1200 & 255, 0, 0, 800 >> 8, 800 & 255};
    assert_memory_equal(png + 16, size, 8);
    /* 10000 px to a metre, both ways, right behind the header */
    const unsigned char density[21] = {0,    0, 0, 9,    'p',  'H', 'Y', 's', 0, 0, 0x27,
                                       0x10, 0, 0, 0x27, 0x10, 1,   0,   0,   0, 0};
    assert_memory_equal(png + 33, density, 17);
    calib_press_destroy(&press);
}

static void should_refuse_pages_that_cannot_be(void **state)
{
    static const struct {
        double dpi, width_mm, height_mm;
    } bad[] = {{300, 0, 100}, {300, 100, 6000}, {1200, 841, 594}, {10, 100, 100}, {2000, 10, 10}};
    struct press *press;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct press_options options = {.format = PRESS_PNG, .dpi = bad[i].dpi};
        press = calib_press_create(&options);
        assert_null(calib_press_page(press, bad[i].width_mm, bad[i].height_mm));
        assert_int_equal(calib_press_finish(press), CALIB_E_SIZE);
        calib_press_destroy(&press);
    }
}

static void should_show_any_bytes_as_text(void **state)
{
    static const char *const texts[] = {
        "\xff\xfe",         "a\x01\x1b[31mb", "\xc0\xaf", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xe2\x82",       "",         "\xe2\x82\xac"};
    struct press_options options = {.format = PRESS_PDF};
    struct press *press = calib_press_create(&options);
    char longest[2000];

    (void)state;
    cairo_t *page = calib_press_page(press, 100.0, 100.0);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        calib_paint_text(page, 10.0, 10.0, 3.0, 0.5, 20.0, false, texts[i]);
        assert_int_equal(cairo_status(page), CAIRO_STATUS_SUCCESS);
    }
    memset(longest, 0xc3, sizeof longest);
    for (size_t i = 1; i < sizeof longest; i += 2) {
        longest[i] = (char)0xa9;
    }
    longest[sizeof longest - 1] = 0;
    calib_paint_text(page, 10.0, 10.0, 3.0, 0.5, 20.0, false, longest);
    assert_int_equal(cairo_status(page), CAIRO_STATUS_SUCCESS);
    assert_int_equal(calib_press_finish(press), 0);
    calib_press_destroy(&press);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_give_the_same_bytes_for_the_same_pages),
        cmocka_unit_test(should_note_a_date_only_when_one_is_given),
        cmocka_unit_test(should_say_how_large_a_page_is),
        cmocka_unit_test(should_refuse_pages_that_cannot_be),
        cmocka_unit_test(should_show_any_bytes_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
