#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/print.h"
#include "calib/symbol.h"
#include "calib/tag_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DPI 127.0 /* five pixels to a millimetre: sheets' margins and steps are whole pixels */
#define PX_PER_MM 5

struct kit {
    struct mat *mat;
    struct blockset *set;
    struct deck *deck;
    struct ramp *ramp;
    struct cardstyle *style;
};

static int kit_setup(void **state)
{
    struct kit *kit = calloc(1, sizeof *kit);

    *state = kit;
    return !kit || calib_mat_load("a2-two", NULL, &kit->mat, NULL) ||
           calib_blockset_load("match-madness", NULL, &kit->set, NULL) ||
           calib_deck_load("fixture", NULL, &kit->deck, NULL) ||
           calib_ramp_load("make5", NULL, &kit->ramp, NULL) ||
           calib_cardstyle_load(NULL, NULL, &kit->style, NULL);
}

static int kit_teardown(void **state)
{
    struct kit *kit = *state;

    calib_mat_destroy(&kit->mat);
    calib_blockset_destroy(&kit->set);
    calib_deck_destroy(&kit->deck);
    calib_ramp_destroy(&kit->ramp);
    calib_cardstyle_destroy(&kit->style);
    free(kit);
    return 0;
}

/* ---- pages as pixels ---- */

struct bytes {
    const unsigned char *at;
    size_t left;
};

static cairo_status_t bytes_read(void *context, unsigned char *out, unsigned int length)
{
    struct bytes *bytes = context;

    if (bytes->left < length) {
        return CAIRO_STATUS_READ_ERROR;
    }
    memcpy(out, bytes->at, length);
    bytes->at += length;
    bytes->left -= length;
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *page_pixels(const struct press *press, int page)
{
    struct bytes bytes;

    bytes.at = calib_press_file(press, page, &bytes.left);
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(bytes_read, &bytes);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    return surface;
}

static uint32_t pixel(cairo_surface_t *page, int x, int y)
{
    uint32_t value = 0xffffff;

    if (x >= 0 && y >= 0 && x < cairo_image_surface_get_width(page) &&
        y < cairo_image_surface_get_height(page)) {
        memcpy(&value,
               cairo_image_surface_get_data(page) +
                   (size_t)y * (size_t)cairo_image_surface_get_stride(page) + 4 * (size_t)x,
               sizeof value);
    }
    return value & 0xffffff;
}

/* Share of pixels that differ by more than rounding, of a part of two pages. */
static double differing(cairo_surface_t *a, int ax, int ay, cairo_surface_t *b, int bx, int by,
                        int width, int height)
{
    int count = 0;

    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint32_t p = pixel(a, ax + x, ay + y), q = pixel(b, bx + x, by + y);
            int most = 0;
            for (int shift = 0; shift <= 16; shift += 8) {
                int off = abs((int)(p >> shift & 255) - (int)(q >> shift & 255));
                most = off > most ? off : most;
            }
            count += most > 8;
        }
    }
    return count / ((double)width * height);
}

static struct press *png_press(double dpi)
{
    const struct press_options options = {.format = PRESS_PNG, .dpi = dpi};
    struct press *press = calib_press_create(&options);

    assert_non_null(press);
    return press;
}

static struct print_options on_paper(const char *name)
{
    struct print_options options = {.overlap_mm = PRINT_OVERLAP_MM};

    assert_true(calib_paper_find(name, &options.paper));
    return options;
}

/* ---- mats ---- */

/* Is there a ruler with its zero and hundred where the foot has it? */
static bool foot_ruled(cairo_surface_t *sheet)
{
    int height = cairo_image_surface_get_height(sheet), found = 0;
    int left = (int)lround((PRINT_MARGIN_MM + 4.0 + PAINT_RULER_INSET_MM) * PX_PER_MM);
    int y =
        height - (int)lround((PRINT_MARGIN_MM + PRINT_FOOT_MM - 1.5 - PAINT_RULER_LINE_MM - 3.0) *
                             PX_PER_MM);

    for (int mm = 0; mm <= 100; mm += 10) {
        int x = left + mm * PX_PER_MM;
        uint32_t darkest = pixel(sheet, x, y) & 255, before = pixel(sheet, x - 1, y) & 255;
        found += (darkest < before ? darkest : before) < 200;
    }
    return found == 11;
}

static void should_lay_a_mat_over_sheets_that_join_to_the_whole(void **state)
{
    const struct kit *kit = *state;
    struct print_options whole = on_paper("whole"), a4 = on_paper("a4");
    struct press *one = png_press(DPI), *many = png_press(DPI);

    assert_int_equal(calib_print_mat(one, kit->mat, &whole), 0);
    assert_int_equal(calib_press_finish(one), 0);
    assert_int_equal(calib_press_files(one), 1);
    assert_int_equal(calib_print_mat(many, kit->mat, &a4), 0);
    assert_int_equal(calib_press_finish(many), 0);
    cairo_surface_t *mat = page_pixels(one, 0);
    assert_int_equal(cairo_image_surface_get_width(mat), 594 * PX_PER_MM);
    /* A4 upright takes 194 x 270 of it: 4 x 2 sheets; across, 281 x 183: 3 x 3. */
    assert_int_equal(calib_press_files(many), 8);
    for (int i = 0; i < 8; i++) {
        cairo_surface_t *sheet = page_pixels(many, i);
        int left = i % 4 * 184 * PX_PER_MM, top = i / 4 * 260 * PX_PER_MM, edge = 8 * PX_PER_MM;
        /* the last sheets end with the mat; that way they are no wider than it */
        int width = i % 4 == 3 ? (594 - 3 * 184) * PX_PER_MM : 194 * PX_PER_MM;
        int height = i / 4 == 1 ? (420 - 260) * PX_PER_MM : 270 * PX_PER_MM;
        assert_int_equal(cairo_image_surface_get_width(sheet), 210 * PX_PER_MM);
        assert_true(differing(sheet, edge, edge, mat, left, top, width, height) < 0.0005);
        /* the control: a millimetre beside it, it is another picture */
        assert_true(differing(sheet, edge, edge, mat, left + PX_PER_MM, top, width, height) >
                    0.0005);
        assert_true(foot_ruled(sheet));
        cairo_surface_destroy(sheet);
    }
    cairo_surface_destroy(mat);
    calib_press_destroy(&one);
    calib_press_destroy(&many);
}

static void should_have_a_ruler_on_every_sheet(void **state)
{
    const struct kit *kit = *state;
    struct print_options letter = on_paper("letter");
    struct press *press = png_press(DPI);
    struct deck deck = *kit->deck;
    struct board board;

    letter.duplex = PRINT_DUPLEX_NONE;
    deck.cards = 7;
    assert_int_equal(calib_print_mat_tags(press, kit->mat, &letter), 0);
    assert_int_equal(calib_print_cards(press, &deck, kit->set, kit->style, &letter), 0);
    assert_int_equal(calib_print_blocks(press, kit->set, &letter), 0);
    assert_int_equal(calib_print_ramp(press, kit->ramp, &letter), 0);
    assert_int_equal(calib_board_named("chess", &board), 0);
    assert_int_equal(calib_print_board(press, &board, NULL, &letter), 0);
    assert_int_equal(calib_board_named("tags", &board), 0);
    assert_int_equal(calib_print_board(press, &board, NULL, &letter), 0);
    assert_int_equal(calib_board_colours(kit->set, &board), 0);
    assert_int_equal(calib_print_board(press, &board, kit->set, &letter), 0);
    assert_int_equal(calib_press_finish(press), 0);
    assert_int_equal(calib_press_files(press), 2 + 2 + 5 + 4 + 3);
    for (int i = 0; i < calib_press_files(press); i++) {
        cairo_surface_t *sheet = page_pixels(press, i);
        assert_true(foot_ruled(sheet));
        cairo_surface_destroy(sheet);
    }
    calib_press_destroy(&press);
}

static void should_find_room_for_the_ruler_or_make_some(void **state)
{
    const struct kit *kit = *state;
    struct print_options whole = on_paper("whole");
    struct mat full = *kit->mat, *four;
    double place[2];

    assert_true(calib_paint_mat_ruler(kit->mat, place));
    assert_true(place[1] > 406.0 && place[1] + PAINT_RULER_HEIGHT_MM < 420.0);
    assert_int_equal(calib_mat_load("a1-four", NULL, &four, NULL), 0);
    assert_true(calib_paint_mat_ruler(four, place));
    calib_mat_destroy(&four);
    full.seats = 1;
    memcpy(full.seat[0].rect_mm, (double[4]){0.0, 0.0, 594.0, 420.0}, sizeof full.seat[0].rect_mm);
    assert_false(calib_paint_mat_ruler(&full, place));
    struct press *press = png_press(DPI);
    assert_int_equal(calib_print_mat(press, &full, &whole), 0);
    assert_int_equal(calib_press_finish(press), 0);
    cairo_surface_t *sheet = page_pixels(press, 0);
    assert_true(cairo_image_surface_get_height(sheet) > (420 + 10) * PX_PER_MM);
    assert_true(foot_ruled(sheet));
    cairo_surface_destroy(sheet);
    calib_press_destroy(&press);
}

static void should_print_a_mat_on_its_own_paper_as_one_sheet(void **state)
{
    const struct kit *kit = *state;
    struct print_options a2 = on_paper("a2");
    struct press *press = png_press(50.0);

    assert_int_equal(calib_print_mat(press, kit->mat, &a2), 0);
    assert_int_equal(calib_press_finish(press), 0);
    assert_int_equal(calib_press_files(press), 1);
    calib_press_destroy(&press);
}

static void should_refuse_paper_that_takes_nothing(void **state)
{
    const struct kit *kit = *state;
    struct print_options options = on_paper("a5");
    struct press *press = png_press(50.0);

    options.card_mm = 200.0;
    assert_int_equal(calib_print_cards(press, kit->deck, kit->set, kit->style, &options),
                     CALIB_E_GEOMETRY);
    options.overlap_mm = PRINT_OVERLAP_MAX_MM;
    assert_int_equal(calib_print_mat(press, kit->mat, &options), CALIB_E_GEOMETRY);
    options.overlap_mm = -1.0;
    assert_int_equal(calib_print_mat(press, kit->mat, &options), CALIB_E_GEOMETRY);
    calib_press_destroy(&press);
}

/* ---- cards ---- */

/* Is the pixel of a sheet at that place (mm) near to a colour? */
static bool near(cairo_surface_t *sheet, double x_mm, double y_mm, struct rgb8 rgb)
{
    uint32_t is = pixel(sheet, (int)(x_mm * PX_PER_MM), (int)(y_mm * PX_PER_MM));

    return abs((int)(is >> 16) - rgb.r) < 12 && abs((int)(is >> 8 & 255) - rgb.g) < 12 &&
           abs((int)(is & 255) - rgb.b) < 12;
}

/* One card: which corner of the sheet its front and its back lie in. */
static void backs_checked(const struct kit *kit, enum print_duplex duplex, bool sideways)
{
    struct print_options a4 = on_paper("a4");
    struct press *press = png_press(DPI);
    struct deck deck = *kit->deck;
    struct print_array array;

    deck.cards = 1;
    a4.duplex = duplex;
    assert_int_equal(calib_print_cards(press, &deck, kit->set, kit->style, &a4), 0);
    assert_int_equal(calib_press_finish(press), 0);
    assert_int_equal(calib_press_files(press), 2);
    assert_int_equal(
        calib_print_array(&a4.paper, (double[2]){80.0, 80.0}, PRINT_CARD_GAP_MM, &array), 0);
    double x = array.origin_mm[0] + 40.0, y = array.origin_mm[1] + 1.0;
    cairo_surface_t *front = page_pixels(press, 0), *back = page_pixels(press, 1);
    assert_true(near(front, x - 20.0, y, kit->style->border[1]));
    /* seen from behind, the same place of the sheet */
    double back_x = sideways ? 210.0 - x : x, back_y = sideways ? y : 297.0 - y;
    assert_false(near(back, back_x, back_y, (struct rgb8){255, 255, 255}));
    assert_true(near(back, sideways ? x : 210.0 - x, sideways ? 297.0 - y : y,
                     (struct rgb8){255, 255, 255}));
    cairo_surface_destroy(front);
    cairo_surface_destroy(back);
    calib_press_destroy(&press);
}

static void should_lay_each_back_behind_its_front(void **state)
{
    backs_checked(*state, PRINT_DUPLEX_LONG, true);
    backs_checked(*state, PRINT_DUPLEX_SHORT, false);
}

static void should_print_every_card_once(void **state)
{
    const struct kit *kit = *state;
    struct print_options a4 = on_paper("a4");
    struct press *press = png_press(DPI);
    struct print_array array;
    int seen = 0;

    a4.duplex = PRINT_DUPLEX_NONE;
    assert_int_equal(calib_print_cards(press, kit->deck, kit->set, kit->style, &a4), 0);
    assert_int_equal(calib_press_finish(press), 0);
    assert_int_equal(
        calib_print_array(&a4.paper, (double[2]){80.0, 80.0}, PRINT_CARD_GAP_MM, &array), 0);
    assert_int_equal(calib_press_files(press), (15 + 5) / 6);
    for (int i = 0; i < calib_press_files(press); i++) {
        cairo_surface_t *sheet = page_pixels(press, i);
        for (int j = 0; j < 6; j++) {
            double x = array.origin_mm[0] + j % 2 * 84.0 + 10.0;
            double y = array.origin_mm[1] + j / 2 * 84.0 + 1.0;
            int card = 6 * i + j;
            bool is =
                card < 15 && near(sheet, x, y, kit->style->border[kit->deck->card[card].level]);
            assert_int_equal(is, card < 15);
            seen += is;
        }
        cairo_surface_destroy(sheet);
    }
    assert_int_equal(seen, 15);
    calib_press_destroy(&press);
}

/* ---- symbols and tags ---- */

static void should_paint_symbols_as_templates_have_them(void **state)
{
    enum { SIDE = 96 };
    const struct kit *kit = *state;
    static float field[SIDE * SIDE], ink[SIDE * SIDE];

    for (int i = 0; i < kit->set->symbols; i++) {
        struct symbol symbol = kit->set->symbol[i];
        double most = 0.0, sum = 0.0;
        symbol.field = (struct rgb8){0, 0, 0};
        symbol.ink = (struct rgb8){255, 255, 255};
        cairo_surface_t *cell = cairo_image_surface_create(CAIRO_FORMAT_RGB24, SIDE, SIDE);
        cairo_t *page = cairo_create(cell);
        calib_paint_cell(page, &symbol, kit->set->rim, 0.0, 0.0, SIDE);
        assert_int_equal(cairo_status(page), CAIRO_STATUS_SUCCESS);
        cairo_destroy(page);
        calib_symbol_draw(&symbol, kit->set->rim, SIDE, 8, field, ink);
        for (int at = 0; at < SIDE * SIDE; at++) {
            double is = (pixel(cell, at % SIDE, at / SIDE) & 255) / 255.0;
            double wanted = 1.0 - (double)field[at] + (double)ink[at];
            most = fmax(most, fabs(is - wanted));
            sum += fabs(is - wanted);
        }
        cairo_surface_destroy(cell);
        assert_true(most < 0.25); /* two ways of counting the share of an edge's pixel */
        assert_true(sum / (SIDE * SIDE) < 0.004);
    }
}

static void should_know_the_pictures_of_tags(void **state)
{
    const int ids[2] = {0, 586}, bad[1] = {587};
    struct tag_picture picture[2];

    (void)state;
    assert_int_equal(calib_tag_pictures(ids, 2, picture), 0);
    for (int i = 0; i < TAG_PICTURE_SIDE; i++) {
        assert_true(picture[0].white[0][i] && picture[0].white[i][9]);
        assert_true(i == 0 || i == 9 || !picture[0].white[1][i]);
    }
    assert_memory_not_equal(&picture[0], &picture[1], sizeof picture[0]);
    assert_int_equal(calib_tag_pictures(bad, 1, picture), CALIB_E_VALUE);
}

static void should_show_a_blocks_number_on_both_ends_of_its_net(void **state)
{
    enum { PX = 10 };
    const struct kit *kit = *state;
    struct blockset set = *kit->set;
    double size_mm[2];

    calib_paint_net_size(&set, size_mm);
    for (int number = 1; number <= 9; number++) {
        struct block block = set.block[0];
        int white[2] = {0, 0};
        block.number = number;
        cairo_surface_t *surface = cairo_image_surface_create(
            CAIRO_FORMAT_RGB24, (int)(size_mm[0] * PX), (int)(size_mm[1] * PX));
        cairo_t *page = cairo_create(surface);
        cairo_scale(page, PX, PX);
        calib_paint_net(page, &set, &block, 0.0, 0.0);
        cairo_destroy(page);
        for (int side = 0; side < 2; side++) { /* an end's inside, 28 mm of 35 */
            double left = (side == 0 ? 8.0 : 8.0 + 35.0 + 70.0) + 3.5, top = 8.0 + 3.5;
            for (int y = 0; y < 280; y++) {
                for (int x = 0; x < 280; x++) {
                    white[side] +=
                        pixel(surface, (int)(left * PX) + x, (int)(top * PX) + y) == 0xffffff;
                }
            }
            double pips = white[side] / (M_PI * pow(0.075 * 35.0 * PX, 2.0));
            assert_int_equal(lround(pips), number);
        }
        cairo_surface_destroy(surface);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_lay_a_mat_over_sheets_that_join_to_the_whole),
        cmocka_unit_test(should_have_a_ruler_on_every_sheet),
        cmocka_unit_test(should_find_room_for_the_ruler_or_make_some),
        cmocka_unit_test(should_print_a_mat_on_its_own_paper_as_one_sheet),
        cmocka_unit_test(should_refuse_paper_that_takes_nothing),
        cmocka_unit_test(should_lay_each_back_behind_its_front),
        cmocka_unit_test(should_print_every_card_once),
        cmocka_unit_test(should_paint_symbols_as_templates_have_them),
        cmocka_unit_test(should_know_the_pictures_of_tags),
        cmocka_unit_test(should_show_a_blocks_number_on_both_ends_of_its_net),
    };
    return cmocka_run_group_tests(tests, kit_setup, kit_teardown);
}
