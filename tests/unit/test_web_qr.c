/* Codes for phones: the picture shows exactly the code's modules, with white around it. */
#include "pubsub/web_qr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <qrencode.h>

#define SIDE_MAX 200
#define QUIET 4

/* The picture's dark squares; its side. */
static int svg_draw(const char *svg, char dark[SIDE_MAX][SIDE_MAX])
{
    int side = 0, other = 0, x, y, width, back, used;
    memset(dark, 0, SIDE_MAX * sizeof dark[0]);
    const char *box = strstr(svg, "viewBox=\"0 0 ");
    assert_non_null(box);
    assert_int_equal(sscanf(box, "viewBox=\"0 0 %d %d\"", &side, &other), 2);
    assert_int_equal(side, other);
    assert_true(side < SIDE_MAX);
    const char *at = strstr(svg, " d=\"");
    assert_non_null(at);
    at += 4;
    while (sscanf(at, "M%d %dh%dv1h-%dz%n", &x, &y, &width, &back, &used) == 4) {
        assert_int_equal(width, back);
        assert_true(x >= QUIET && y >= QUIET && width > 0 && x + width <= side - QUIET &&
                    y < side - QUIET);
        memset(&dark[y][x], 1, (size_t)width);
        at += used;
    }
    assert_string_equal(at, "\"/></svg>");
    return side;
}

static void a_code_should_be_drawn_as_it_is(void **state)
{
    static const char *const texts[] = {
        "x", "http://192.168.1.5:8080/claim?seat=2#4f0c1d2e3b4a59687786950413223140",
        "https://table4.hall.example:65535/claim?seat=12#4f0c1d2e3b4a59687786950413223140"};
    static char dark[SIDE_MAX][SIDE_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = 0;
        char *svg = pubsub_web_qr_svg(texts[i], &length);
        QRcode *code = QRcode_encodeString8bit(texts[i], 0, QR_ECLEVEL_M);
        assert_non_null(svg);
        assert_non_null(code);
        assert_int_equal(length, strlen(svg));
        assert_int_equal(svg_draw(svg, dark), code->width + 2 * QUIET);
        for (int y = 0; y < code->width; y++)
            for (int x = 0; x < code->width; x++)
                assert_int_equal(dark[y + QUIET][x + QUIET], code->data[y * code->width + x] & 1);
        QRcode_free(code);
        free(svg);
    }
}

static void the_longest_text_should_fit_and_a_longer_one_not(void **state)
{
    char text[WEB_QR_TEXT_MAX + 2];
    size_t length;
    (void)state;
    memset(text, 'x', sizeof text);
    text[WEB_QR_TEXT_MAX] = 0;
    char *svg = pubsub_web_qr_svg(text, &length);
    assert_non_null(svg);
    assert_int_equal(length, strlen(svg));
    free(svg);
    text[WEB_QR_TEXT_MAX] = 'x';
    text[WEB_QR_TEXT_MAX + 1] = 0;
    assert_null(pubsub_web_qr_svg(text, &length));
    assert_null(pubsub_web_qr_svg("", &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_code_should_be_drawn_as_it_is),
        cmocka_unit_test(the_longest_text_should_fit_and_a_longer_one_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
