#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/deck.h"
#include "tests/unit/kit_text.h"

#include <math.h>

static int parse(const char *text, struct cardstyle **style, struct calib_fault *fault)
{
    return calib_cardstyle_parse(text, strlen(text), "style.json", NULL, style, fault);
}

static void should_read_the_style_that_is_built_in(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    struct cardstyle *style;

    (void)state;
    assert_int_equal(calib_cardstyle_load(NULL, &sink, &style, NULL), 0);
    assert_int_equal(warned.count, 0);
    assert_true(fabs(style->size_mm - 80.0) < 1e-9 && fabs(style->rim - 0.045) < 1e-9);
    assert_true(fabs(style->tick_pitch_mm - 3.2) < 1e-9);
    assert_int_equal(style->border[5].b, 0x8e);
    assert_int_equal(style->border[1].r, 0x3f);
    assert_int_equal(style->tick.r, 255);
    assert_int_equal(style->back.b, 0x4a);
    assert_true(fabs(style->panel_mix - 0.28) < 1e-9);
    calib_cardstyle_destroy(&style);
    assert_null(style);
    calib_cardstyle_destroy(&style);
}

static void should_read_a_style_by_its_path(void **state)
{
    struct cardstyle *style;
    struct calib_fault fault;

    (void)state;
    assert_int_equal(calib_cardstyle_load("calib/kit/cardstyle.json", NULL, &style, NULL), 0);
    calib_cardstyle_destroy(&style);
    int error = calib_cardstyle_load("no-such-style.json", NULL, &style, &fault);
    fault_expect(&fault, error, CALIB_E_OPEN, 0, "No such file");
}

static void mix_is(const char *panel, double mix, int warnings)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    char *good = kit_text("cardstyle.json");
    char *text = text_change(
        good, "\"the border's colour mixed with white, 28 parts of colour in 100\"", panel);
    struct cardstyle *style;

    assert_int_equal(calib_cardstyle_parse(text, strlen(text), "s", &sink, &style, NULL), 0);
    assert_true(fabs(style->panel_mix - mix) < 1e-9);
    assert_int_equal(warned.count, warnings);
    calib_cardstyle_destroy(&style);
    free(text);
    free(good);
}

static void should_read_the_panels_share_as_number_or_words(void **state)
{
    (void)state;
    mix_is("0.5", 0.5, 0);
    mix_is("\"mixed, 5 parts of colour in 100\"", 0.05, 0);
    mix_is("\"pale\"", 0.28, 1);
    mix_is("\"many parts of colour in 100\"", 0.28, 1);
    mix_is("\"99999999999 parts of colour in 100\"", 0.28, 1);
}

static void should_name_line_and_place_of_a_fault(void **state)
{
    static const struct bad_text bad[] = {
        {"\"size_mm\": 80", "\"size_mm\": 0", CALIB_E_VALUE, 4, "size_mm: 0 mm is no size"},
        {"\"border_mm\": 5", "\"border_mm\": 50", CALIB_E_VALUE, 5, "border_mm: 50 is not in"},
        {"\"cell_mm\": 15", "\"cell_mm\": 90", CALIB_E_VALUE, 1, "larger than the card"},
        {"\"rim\": 0.045", "\"rim\": 0.3", CALIB_E_VALUE, 8, "rim"},
        {"\"inset_mm\": 0.8", "\"inset_mm\": 8", CALIB_E_VALUE, 12, "ticks.inset_mm"},
        {"#FFFFFF", "white", CALIB_E_VALUE, 13, "ticks.colour: \"white\""},
        {"#B3202C", "#B3202", CALIB_E_VALUE, 27, "levels.4.border"},
        {"\"4\": {", "\"6\": {", CALIB_E_VALUE, 16, "levels: \"4\" is missing"},
        {"28 parts", "128 parts", CALIB_E_VALUE, 0, "128 parts of 100"},
        {"\"back\": {", "\"front\": {", CALIB_E_VALUE, 1, "\"back\" is missing"},
    };
    char *good = kit_text("cardstyle.json");

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = text_change(good, bad[i].from, bad[i].to);
        struct calib_fault fault = {.line = -1};
        struct cardstyle *style;
        fault_expect(&fault, parse(text, &style, &fault), bad[i].error, bad[i].line, bad[i].says);
        assert_null(style);
        free(text);
    }
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_the_style_that_is_built_in),
        cmocka_unit_test(should_read_a_style_by_its_path),
        cmocka_unit_test(should_read_the_panels_share_as_number_or_words),
        cmocka_unit_test(should_name_line_and_place_of_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
