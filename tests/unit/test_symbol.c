#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/symbol.h"

#include <math.h>
#include <string.h>

static struct symbol square_symbol(void)
{
    static const char path[] = "M-.25-.25h.5v.5h-.5z";
    struct symbol symbol = {.label = 's'};

    assert_int_equal(calib_shape_parse(path, strlen(path), false, &symbol.shape, NULL), 0);
    return symbol;
}

static double linear_formula(double value)
{
    double c = value / 255.0;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void should_draw_rim_field_and_ink_to_scale(void **state)
{
    struct symbol symbol = square_symbol();
    float field[40 * 40], ink[40 * 40];
    double fields = 0.0, inks = 0.0;

    (void)state;
    calib_symbol_draw(&symbol, 0.1, 40, 8, field, ink);
    for (int i = 0; i < 40 * 40; i++) {
        assert_true(field[i] >= 0.0f && field[i] <= 1.0f && ink[i] <= field[i]);
        fields += (double)field[i] / 1600.0;
        inks += (double)ink[i] / 1600.0;
    }
    /* a field of 0.8 cell without its rounded corners; ink of half the field's side */
    assert_true(fabs(fields - (0.64 - (4.0 - M_PI) * 0.05 * 0.05)) < 2e-4);
    assert_true(fabs(inks - 0.16) < 1e-6);
    assert_true(field[3 * 40 + 20] < 1e-6f && field[4 * 40 + 20] > 1.0f - 1e-6f);
    assert_true(ink[11 * 40 + 20] < 1e-6f && ink[12 * 40 + 20] > 1.0f - 1e-6f);
}

static void should_draw_the_mean_of_its_points(void **state)
{
    struct symbol symbol = square_symbol();
    const int side = 23, samples = 3;
    float field[23 * 23], ink[23 * 23];
    static const char path[] = "M-.4-.1L.1-.4L.4 .3Q0 .5-.3 .3z";

    (void)state;
    assert_int_equal(calib_shape_parse(path, strlen(path), false, &symbol.shape, NULL), 0);
    calib_symbol_draw(&symbol, 0.07, side, samples, field, ink);
    for (int row = 0; row < side; row++) {
        for (int col = 0; col < side; col++) {
            int fields = 0, inks = 0;
            for (int i = 0; i < samples * samples; i++) {
                int x = col * samples + i % samples, y = row * samples + i / samples;
                double u = (x + 0.5) / (side * samples) - 0.5;
                double v = (y + 0.5) / (side * samples) - 0.5;
                int at = calib_symbol_at(&symbol, 0.07, u, v);
                fields += at > 0;
                inks += at == 2;
            }
            assert_true(fabs((double)field[row * side + col] - fields / 9.0) < 1e-5);
            assert_true(fabs((double)ink[row * side + col] - inks / 9.0) < 1e-5);
        }
    }
}

static void should_draw_nothing_for_a_senseless_rim(void **state)
{
    struct symbol symbol = square_symbol();
    float field[16] = {9}, ink[16] = {9};

    (void)state;
    calib_symbol_draw(&symbol, 0.5, 4, 1, field, ink);
    assert_true(fabsf(field[0]) < 1e-9f && fabsf(ink[0]) < 1e-9f);
    assert_int_equal(calib_symbol_at(&symbol, (double)NAN, 0.0, 0.0), 0);
}

static void should_tell_rim_field_and_ink_of_a_point(void **state)
{
    struct symbol symbol = square_symbol();

    (void)state;
    assert_int_equal(calib_symbol_at(&symbol, 0.1, 0.0, 0.0), 2);
    assert_int_equal(calib_symbol_at(&symbol, 0.1, 0.19, 0.0), 2);
    assert_int_equal(calib_symbol_at(&symbol, 0.1, 0.21, 0.0), 1);
    assert_int_equal(calib_symbol_at(&symbol, 0.1, 0.39, 0.0), 1);
    assert_int_equal(calib_symbol_at(&symbol, 0.1, 0.41, 0.0), 0);
    assert_int_equal(calib_symbol_at(&symbol, 0.1, 0.395, 0.395), 0); /* the corner is round */
    assert_int_equal(calib_symbol_at(&symbol, 0.1, 0.38, 0.38), 1);
}

static void should_turn_every_byte_to_light_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < 256; i++) {
        double linear = calib_srgb_to_linear((unsigned char)i);
        assert_true(fabs(linear - linear_formula(i)) < 1e-12);
        assert_int_equal(calib_linear_to_srgb(linear), i);
        if (i < 255) { /* rounded at the half, exactly */
            double half = linear_formula(i + 0.5);
            assert_int_equal(calib_linear_to_srgb(half - 1e-9), i);
            assert_int_equal(calib_linear_to_srgb(half + 1e-9), i + 1);
        }
    }
    assert_int_equal(calib_linear_to_srgb(-1.0), 0);
    assert_int_equal(calib_linear_to_srgb(2.0), 255);
    assert_int_equal(calib_linear_to_srgb((double)NAN), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_draw_rim_field_and_ink_to_scale),
        cmocka_unit_test(should_draw_the_mean_of_its_points),
        cmocka_unit_test(should_draw_nothing_for_a_senseless_rim),
        cmocka_unit_test(should_tell_rim_field_and_ink_of_a_point),
        cmocka_unit_test(should_turn_every_byte_to_light_and_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
