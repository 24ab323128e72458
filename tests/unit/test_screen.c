/* A screen of cells: what texts become on it, whatever they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pubsub/screen.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char *line(const struct screen *screen, int row)
{
    static char text[4096];

    pubsub_screen_line(screen, row, text, sizeof text);
    return text;
}

/* What a text becomes on a row of so many columns. */
static const char *put(const char *text, int cols, bool ascii)
{
    static char out[4096];
    struct screen *screen = pubsub_screen_create(1, cols, ascii);

    assert_non_null(screen);
    int used = pubsub_screen_put(screen, 0, 0, cols, PAINT_PLAIN, text);
    assert_true(used <= cols);
    pubsub_screen_line(screen, 0, out, sizeof out);
    pubsub_screen_destroy(&screen);
    return out;
}

static void should_show_letters_of_any_language(void **state)
{
    (void)state;
    assert_string_equal(put("Čeněk Ærø", 20, false), "Čeněk Ærø");
    assert_string_equal(put("田中さん", 20, false), "田中さん");
    assert_string_equal(put("e\xcc\x81t\xc3\xa9", 20, false), "e\xcc\x81t\xc3\xa9");
    assert_string_equal(put("", 20, false), "");
}

static void should_cut_by_columns_and_say_so(void **state)
{
    (void)state;
    assert_string_equal(put("Bartholomew", 11, false), "Bartholomew");
    assert_string_equal(put("Bartholomew", 10, false), "Bartholom…");
    assert_string_equal(put("Bartholomew", 1, false), "…");
    /* Two columns each: none is cut in half. */
    assert_string_equal(put("田中さん", 8, false), "田中さん");
    assert_string_equal(put("田中さん", 7, false), "田中さ…");
    assert_string_equal(put("田中さん", 6, false), "田中…");
    assert_string_equal(put("a🦊🎲", 4, false), "a🦊…");
    assert_string_equal(put("Bartholomew", 10, true), "Bartholom~");
}

static void should_let_nothing_through_that_a_terminal_obeys(void **state)
{
    static const char *const evil[] = {
        "\x1b[2J\x1b]0;owned\a", "a\rb\nc\td\be", "\x7f\x01\x1f", "\xc2\x9b" "31m", "\xc2\x85",
        "\xe2\x80\xae" "abc", "\xe2\x81\xa6" "abc\xe2\x81\xa9", "\xff\xfe\x80", "\xc0\xaf",
        "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x80\xa8", "\xf3\xa0\x81\xa1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof evil / sizeof evil[0]; i++)
        for (int ascii = 0; ascii < 2; ascii++) {
            const char *shown = put(evil[i], 40, ascii);
            for (const char *c = shown; *c; c++) {
                unsigned char byte = (unsigned char)*c;
                assert_true(byte >= 0x20 && byte != 0x7f);
                assert_false(byte == 0xc2 && (unsigned char)c[1] < 0xa0);
                assert_true(!ascii || byte < 0x7f);
            }
            assert_null(strstr(shown, "\xe2\x80\xae"));
            assert_null(strstr(shown, "\xe2\x81\xa6"));
        }
    /* Each of them leaves a sign of its own, so two names do not look alike for it. */
    assert_string_equal(put("a\x1b" "b", 9, false), "a\xef\xbf\xbd" "b");
    assert_string_equal(put("a\xff" "b", 9, false), "a\xef\xbf\xbd" "b");
}

static void should_leave_out_what_terminals_disagree_about(void **state)
{
    (void)state;
    /* A family, a red heart, a waving hand of a skin tone. */
    assert_string_equal(put("👩\xe2\x80\x8d👦", 9, false), "👩👦");
    assert_string_equal(put("❤\xef\xb8\x8f", 9, false), "❤");
    assert_string_equal(put("👋🏽!", 9, false), "👋!");
}

static void should_bound_the_marks_on_a_character(void **state)
{
    char text[256] = "Z";
    (void)state;
    for (int i = 0; i < 60; i++)
        memcpy(text + 1 + 2 * i, "\xcc\x81", 3);
    assert_string_equal(put(text, 9, false), "Z\xcc\x81\xcc\x81\xcc\x81");
    /* A mark with nothing to lie on. */
    assert_string_equal(put("\xcc\x81" "a", 9, false), " \xcc\x81" "a");
}

static void should_keep_columns_behind_writing_from_right_to_left(void **state)
{
    struct screen *screen = pubsub_screen_create(1, 12, false);
    (void)state;
    assert_int_equal(pubsub_screen_put(screen, 0, 0, 8, PAINT_PLAIN, "שלום"), 4);
    pubsub_screen_put_right(screen, 0, 12, 3, PAINT_PLAIN, "3");
    /* LEFT-TO-RIGHT MARK stands in the name's last cell. */
    assert_string_equal(line(screen, 0), "שלום\xe2\x80\x8e       3");
    pubsub_screen_destroy(&screen);
}

static void should_never_leave_half_of_a_character(void **state)
{
    struct screen *screen = pubsub_screen_create(1, 6, false);
    (void)state;
    pubsub_screen_put(screen, 0, 0, 6, PAINT_PLAIN, "田中田");
    pubsub_screen_put(screen, 0, 1, 1, PAINT_PLAIN, "x");
    assert_string_equal(line(screen, 0), " x中田");
    pubsub_screen_put(screen, 0, 2, 1, PAINT_PLAIN, "y");
    assert_string_equal(line(screen, 0), " xy 田");
    pubsub_screen_put(screen, 0, 3, 2, PAINT_PLAIN, "木");
    assert_string_equal(line(screen, 0), " xy木");
    pubsub_screen_destroy(&screen);
}

static void should_pass_over_places_outside(void **state)
{
    struct screen *screen = pubsub_screen_create(2, 4, false);
    (void)state;
    assert_int_equal(pubsub_screen_put(screen, 2, 0, 4, PAINT_PLAIN, "a"), 0);
    assert_int_equal(pubsub_screen_put(screen, -1, 0, 4, PAINT_PLAIN, "a"), 0);
    assert_int_equal(pubsub_screen_put(screen, 0, 4, 4, PAINT_PLAIN, "a"), 0);
    assert_int_equal(pubsub_screen_put(screen, 0, -1, 4, PAINT_PLAIN, "a"), 0);
    assert_int_equal(pubsub_screen_put(screen, 0, 0, 0, PAINT_PLAIN, "a"), 0);
    assert_int_equal(pubsub_screen_put(screen, 0, 0, -3, PAINT_PLAIN, "a"), 0);
    pubsub_screen_fill(screen, 0, -2, 100, PAINT_PLAIN, L'-');
    pubsub_screen_fill(screen, 7, 0, 4, PAINT_PLAIN, L'-');
    assert_string_equal(line(screen, 0), "----");
    assert_string_equal(line(screen, 1), "");
    assert_string_equal(line(screen, 5), "");
    pubsub_screen_destroy(&screen);
    assert_null(pubsub_screen_create(0, 4, false));
    assert_null(pubsub_screen_create(4, SCREEN_COLS_MAX + 1, false));
    pubsub_screen_destroy(NULL);
}

/* Every cell of a screen is one character, or half of one, whatever was put. */
static void should_hold_for_bytes_of_any_kind(void **state)
{
    unsigned seed = 1;
    char text[64];
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct screen *screen = pubsub_screen_create(2, 1 + i % 30, i & 1);
        for (int put = 0; put < 4; put++) {
            for (size_t b = 0; b < sizeof text - 1; b++) {
                seed = seed * 1103515245u + 12345u;
                text[b] = (char)(seed >> 16);
            }
            text[(seed >> 8) % sizeof text] = 0;
            text[sizeof text - 1] = 0;
            pubsub_screen_put(screen, put & 1, (int)(seed >> 20) % 30, (int)(seed >> 4) % 40, 0,
                              text);
        }
        for (int at = 0; at < screen->rows * screen->cols; at++) {
            const wchar_t *cell = screen->cell[at].text;
            assert_true(cell[0] == 0 ? at % screen->cols > 0 : cell[0] >= 0x20);
            assert_true(cell[SCREEN_CELL_MAX - 1] == 0);
        }
        pubsub_screen_destroy(&screen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_show_letters_of_any_language),
        cmocka_unit_test(should_cut_by_columns_and_say_so),
        cmocka_unit_test(should_let_nothing_through_that_a_terminal_obeys),
        cmocka_unit_test(should_leave_out_what_terminals_disagree_about),
        cmocka_unit_test(should_bound_the_marks_on_a_character),
        cmocka_unit_test(should_keep_columns_behind_writing_from_right_to_left),
        cmocka_unit_test(should_never_leave_half_of_a_character),
        cmocka_unit_test(should_pass_over_places_outside),
        cmocka_unit_test(should_hold_for_bytes_of_any_kind),
    };
    /* Widths are a locale's matter. */
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
