/* tests/unit/test_card.c: reading pattern cards, on pictures that are drawn here through a camera
 * that is known (card_scene.h). */
#include "tests/unit/card_scene.h"

#include "vision/card.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct bench {
    struct mat *mat, *small_mat;
    struct cardstyle *style;
    struct blockset *set, *harbour;
    struct deck *deck, *harbour_deck;
    struct card_reader *reader, *deckless, *harbour_reader;
    struct pyramid *pyramid;
    struct white_map *white;
};

static int bench_create(void **state)
{
    static struct bench b;
    struct calib_fault fault;
    if (calib_mat_load("a1-four", NULL, &b.mat, &fault) ||
        calib_mat_load("a2-two", NULL, &b.small_mat, &fault) ||
        calib_cardstyle_load(NULL, NULL, &b.style, &fault) ||
        calib_blockset_load("match-madness", NULL, &b.set, &fault) ||
        calib_blockset_load("harbour", NULL, &b.harbour, &fault) ||
        calib_deck_load("fixture", NULL, &b.deck, &fault) ||
        calib_deck_load("harbour", NULL, &b.harbour_deck, &fault))
        return -1;
    b.reader = vision_card_reader_create(b.set, b.style, b.deck);
    b.deckless = vision_card_reader_create(b.set, b.style, NULL);
    b.harbour_reader = vision_card_reader_create(b.harbour, b.style, b.harbour_deck);
    b.pyramid = vision_pyramid_create();
    b.white = vision_white_create();
    *state = &b;
    return b.reader && b.deckless && b.harbour_reader && b.pyramid && b.white ? 0 : -1;
}

static int bench_destroy(void **state)
{
    struct bench *b = *state;
    vision_card_reader_destroy(&b->reader);
    vision_card_reader_destroy(&b->deckless);
    vision_card_reader_destroy(&b->harbour_reader);
    vision_pyramid_destroy(&b->pyramid);
    vision_white_destroy(&b->white);
    calib_deck_destroy(&b->deck);
    calib_deck_destroy(&b->harbour_deck);
    calib_blockset_destroy(&b->set);
    calib_blockset_destroy(&b->harbour);
    calib_cardstyle_destroy(&b->style);
    calib_mat_destroy(&b->mat);
    calib_mat_destroy(&b->small_mat);
    return 0;
}

static void read_with_pose(struct bench *b, struct card_reader *reader,
                           const struct card_scene *scene, const struct mat_pose *pose,
                           struct layout_card *out)
{
    struct frame *frame = card_scene_draw(scene);
    assert_non_null(frame);
    assert_int_equal(vision_pyramid_build(b->pyramid, frame), 0);
    assert_int_equal(vision_white_build(b->white, b->pyramid, pose, scene->mat), 0);
    assert_int_equal(
        vision_card_read(reader, b->pyramid, b->white, pose, scene->mat, scene->slot, out), 0);
    assert_int_equal(out->slot, scene->mat->slot[scene->slot].slot);
    capture_frame_destroy(&frame);
}

static struct layout_card read_scene(struct bench *b, struct card_reader *reader,
                                     const struct card_scene *scene)
{
    struct mat_pose pose = card_scene_pose(scene);
    struct layout_card out;
    read_with_pose(b, reader, scene, &pose, &out);
    return out;
}

static struct card_scene scene_of(const struct bench *b, const struct card *card)
{
    struct card_scene scene = card_scene_start(b->mat, b->set, b->style);
    scene.grid = card->grid;
    scene.level = card->level;
    return scene;
}

static void assert_card(const struct layout_card *out, const struct card *card, int turn_deg)
{
    assert_int_equal(out->state, SLOT_FACE_UP);
    assert_string_equal(out->id, card->id);
    assert_int_equal(out->level, card->level);
    assert_int_equal(out->turn_deg, turn_deg);
    assert_true(calib_grid_equal(&out->grid, &card->grid));
    assert_int_equal(out->reasons, 0);
    assert_in_range(out->confidence, 900, 999);
}

/* Whatever is said of a slot, it must not be a wrong card. */
static void assert_not_wrong(const struct layout_card *out, const struct card *card)
{
    assert_int_not_equal(out->state, SLOT_EMPTY);
    assert_int_not_equal(out->state, SLOT_FACE_DOWN);
    if (out->state == SLOT_FACE_UP)
        assert_string_equal(out->id, card->id);
    else
        assert_int_not_equal(out->reasons, 0);
}

static void should_read_every_card_of_the_deck_in_some_turn(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < b->deck->cards; i++) {
        const struct card *card = &b->deck->card[i];
        struct card_scene scene = scene_of(b, card);
        int quarters = i % 4;
        scene.turn_deg = 90 * quarters + 3 * (i % 9) - 12;
        scene.offset_mm[0] = i % 5 - 2;
        scene.offset_mm[1] = 2 - i % 3;
        scene.tilt_deg = 4 * (i % 5) - 8;
        scene.slot = i % 5;
        scene.seed = (uint32_t)i + 1;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_card(&out, card, 90 * quarters);
    }
}

static void should_read_a_card_in_all_four_turns(void **state)
{
    struct bench *b = *state;
    const struct card *card = &b->deck->card[4];
    for (int quarters = 0; quarters < 4; quarters++) {
        struct card_scene scene = scene_of(b, card);
        scene.turn_deg = 90 * quarters;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_card(&out, card, 90 * quarters);
    }
}

static void should_give_the_corners_from_the_printed_top_left_on(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[0]);
    scene.turn_deg = 94;
    scene.tilt_deg = 12;
    struct mat_pose pose = card_scene_pose(&scene);
    struct layout_card out = read_scene(b, b->reader, &scene);
    static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const double *rect = b->mat->slot[scene.slot].rect_mm;
    double c = cos(94 * M_PI / 180), s = sin(94 * M_PI / 180);
    for (int i = 0; i < 4; i++) {
        double u = sign[i][0] * 40, v = sign[i][1] * 40, px[2];
        const double at[3] = {rect[0] + rect[2] / 2 + c * u - s * v,
                              rect[1] + rect[3] / 2 + s * u + c * v, SCENE_CARD_Z_MM};
        assert_true(calib_camera_project(&pose.camera, &pose.pose, at, px));
        assert_true(fabs(px[0] - out.corner_px10[i][0] / 10.0) < 1.0); /* 0.6 mm */
        assert_true(fabs(px[1] - out.corner_px10[i][1] / 10.0) < 1.0);
    }
}

static void should_read_small_noisy_cards(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < 5; i++) {
        const struct card *card = &b->deck->card[3 * i];
        struct card_scene scene = scene_of(b, card);
        scene.px_per_mm = 0.85; /* cells of 13 px */
        scene.width = 240;
        scene.height = 200;
        scene.noise = 5;
        scene.softness_px = 1.4;
        scene.turn_deg = 7 - 3 * i;
        scene.lamp[0] = 0.3f;
        scene.lamp[1] = 0.25f;
        scene.lamp[2] = 0.18f;
        scene.seed = (uint32_t)i + 40;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_card(&out, card, 0);
    }
}

static void should_find_a_yellow_border_under_a_yellow_lamp(void **state)
{
    struct bench *b = *state;
    const struct card *card = &b->deck->card[3];
    assert_int_equal(card->level, 2);
    struct card_scene scene = scene_of(b, card);
    scene.lamp[0] = 0.8f;
    scene.lamp[1] = 0.55f;
    scene.lamp[2] = 0.2f;
    scene.turn_deg = 174;
    struct layout_card out = read_scene(b, b->reader, &scene);
    assert_card(&out, card, 180);
}

static void should_read_a_card_that_is_printed_smaller(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < 3; i++) {
        const struct card *card = &b->deck->card[i];
        struct card_scene scene = scene_of(b, card);
        scene.mat = b->small_mat;
        scene.size_mm = 74;
        scene.offset_mm[0] = 3 - 3 * i;
        scene.turn_deg = 270 + 5 * i;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_card(&out, card, 270);
    }
}

static void should_read_with_a_pose_that_is_off_by_four_millimetres(void **state)
{
    struct bench *b = *state;
    const struct card *card = &b->deck->card[9];
    for (int i = 0; i < 4; i++) {
        struct card_scene scene = scene_of(b, card);
        struct mat_pose pose = card_scene_pose(&scene);
        struct layout_card out;
        scene.offset_mm[0] = 5;
        pose.pose.t_mm[i / 2] += i % 2 ? 4 : -4;
        read_with_pose(b, b->reader, &scene, &pose, &out);
        assert_card(&out, card, 0);
    }
}

static void should_allow_for_light_that_falls_off_over_the_card(void **state)
{
    struct bench *b = *state;
    const struct card *card = &b->deck->card[11];
    struct card_scene scene = scene_of(b, card);
    scene.fall = 0.6f;
    struct layout_card out = read_scene(b, b->reader, &scene);
    assert_card(&out, card, 0);
}

static void should_read_symbols_that_look_the_same_only_after_a_whole_turn(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < 8; i++) {
        const struct card *card = &b->harbour_deck->card[i];
        struct card_scene scene = card_scene_start(b->mat, b->harbour, b->style);
        scene.grid = card->grid;
        scene.level = card->level;
        scene.turn_deg = 90 * (i % 4) - 4;
        struct layout_card out = read_scene(b, b->harbour_reader, &scene);
        assert_card(&out, card, 90 * (i % 4));
    }
}

static void should_give_the_grid_as_it_lies_of_a_card_that_is_not_in_the_deck(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[0]);
    static const char text[] = "+x.x/#o*#/.o*x";
    assert_int_equal(calib_grid_parse(text, sizeof text - 1, &scene.grid), 0);
    scene.level = 3;
    for (int quarters = 0; quarters < 4; quarters++) {
        scene.turn_deg = 90 * quarters + 6;
        struct layout_card out = read_scene(b, b->reader, &scene);
        struct grid lies = calib_grid_turn(&scene.grid, quarters);
        assert_int_equal(out.state, SLOT_FACE_UP);
        assert_string_equal(out.id, "");
        assert_int_equal(out.level, 3);
        assert_int_equal(out.turn_deg, 0);
        assert_true(calib_grid_equal(&out.grid, &lies));
    }
}

static void should_read_a_grid_without_any_deck(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[7]);
    scene.turn_deg = 85;
    struct layout_card out = read_scene(b, b->deckless, &scene);
    struct grid lies = calib_grid_turn(&scene.grid, 1);
    assert_int_equal(out.state, SLOT_FACE_UP);
    assert_string_equal(out.id, "");
    assert_int_equal(out.level, b->deck->card[7].level);
    assert_true(calib_grid_equal(&out.grid, &lies));
}

static void should_not_take_a_near_miss_for_a_card_of_the_deck(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < 8; i++) {
        struct card_scene scene = scene_of(b, &b->deck->card[i]);
        int row = i % scene.grid.rows, col = 0;
        while (scene.grid.cell[row][col] == GRID_HOLE)
            col++;
        scene.grid.cell[row][col] = scene.grid.cell[row][col] == '+' ? 'x' : '+';
        scene.px_per_mm = i < 4 ? 1.6 : 0.9;
        scene.width = i < 4 ? 320 : 200;
        scene.height = i < 4 ? 280 : 170;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_string_equal(out.id, "");
        if (i < 4)
            assert_int_equal(out.state, SLOT_FACE_UP);
        if (out.state == SLOT_FACE_UP)
            assert_true(calib_grid_equal(&out.grid, &scene.grid));
    }
}

static void should_not_name_a_card_whose_level_is_another(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < 5; i++) {
        struct card_scene scene = scene_of(b, &b->deck->card[3 * i]);
        scene.level = scene.level % 5 + 1;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_int_equal(out.state, SLOT_UNREADABLE);
        assert_string_equal(out.id, "");
    }
}

static void should_say_that_a_blank_slot_is_empty(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < 4; i++) {
        struct card_scene scene = card_scene_start(i % 2 ? b->small_mat : b->mat, b->set, b->style);
        scene.empty = true;
        scene.lamp[0] = scene.lamp[1] = scene.lamp[2] = i < 2 ? 0.9f : 0.1f;
        scene.fall = i < 2 ? 0 : 0.6f;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_int_equal(out.state, SLOT_EMPTY);
        assert_int_equal(out.reasons, 0);
        assert_int_equal(out.grid.rows, 0);
    }
}

static void should_tell_a_back(void **state)
{
    struct bench *b = *state;
    for (int i = 0; i < 6; i++) {
        struct card_scene scene = card_scene_start(b->mat, b->set, b->style);
        scene.back = true;
        scene.turn_deg = 20 * i - 40;
        scene.px_per_mm = 0.7 + 0.2 * i;
        scene.width = (int)(150 * scene.px_per_mm) * 2;
        scene.height = (int)(120 * scene.px_per_mm) * 2;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_int_equal(out.state, SLOT_FACE_DOWN);
        assert_string_equal(out.id, "");
    }
}

static void should_call_a_half_covered_card_occluded(void **state)
{
    struct bench *b = *state;
    const struct card *card = &b->deck->card[6];
    static const double at[4][2] = {{40, 0}, {0, 42}, {-38, -10}, {10, -40}};
    for (int i = 0; i < 4; i++) {
        struct card_scene scene = scene_of(b, card);
        scene.blot = (struct scene_blot){{at[i][0], at[i][1]}, 38, {0.7f, 0.42f, 0.32f}};
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_int_equal(out.state, SLOT_OCCLUDED);
        assert_true(out.reasons & REASON_BIT(REASON_HAND));
        assert_int_equal(out.grid.rows, 0);
    }
}

static void should_call_a_slot_under_a_foreign_thing_occluded(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = card_scene_start(b->mat, b->set, b->style);
    scene.empty = true;
    scene.blot = (struct scene_blot){{5, 0}, 60, {0.6f, 0.35f, 0.25f}};
    struct layout_card out = read_scene(b, b->reader, &scene);
    assert_int_equal(out.state, SLOT_OCCLUDED);
}

static void should_never_be_wrong_about_a_covered_symbol(void **state)
{
    struct bench *b = *state;
    static const float colour[4][3] = {
        {0.7f, 0.42f, 0.32f}, {3, 3, 3}, {0.02f, 0.2f, 0.03f}, {0.6f, 0.6f, 0.6f}};
    for (int i = 0; i < 16; i++) {
        const struct card *card = &b->deck->card[i % b->deck->cards];
        struct card_scene scene = scene_of(b, card);
        scene.blot.radius_mm = 6 + i % 3 * 6;
        scene.blot.at_mm[0] = (i * 7) % 61 - 30;
        scene.blot.at_mm[1] = (i * 13) % 61 - 30;
        memcpy(scene.blot.rgb, colour[i % 4], sizeof scene.blot.rgb);
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_not_wrong(&out, card);
        out = read_scene(b, b->deckless, &scene);
        assert_int_not_equal(out.state, SLOT_EMPTY);
        if (out.state == SLOT_FACE_UP)
            assert_true(calib_grid_equal(&out.grid, &card->grid));
    }
}

static void should_give_glare_as_the_reason_when_it_bleaches_symbols(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[0]);
    scene.blot = (struct scene_blot){{2, 3}, 24, {4, 4, 4}};
    struct layout_card out = read_scene(b, b->reader, &scene);
    assert_int_equal(out.state, SLOT_UNREADABLE);
    assert_true(out.reasons & REASON_BIT(REASON_GLARE));
}

static void should_refuse_cells_of_a_few_pixels(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[0]);
    scene.px_per_mm = 0.35;
    scene.width = 160;
    scene.height = 140;
    struct layout_card out = read_scene(b, b->reader, &scene);
    assert_int_equal(out.state, SLOT_UNREADABLE);
    assert_true(out.reasons & REASON_BIT(REASON_TOO_SMALL));
}

static void should_say_when_a_slot_is_not_all_in_view(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[0]);
    scene.width = 100; /* 63 of 96 mm */
    struct layout_card out = read_scene(b, b->reader, &scene);
    assert_int_equal(out.state, SLOT_UNREADABLE);
    assert_true(out.reasons & REASON_BIT(REASON_OUT_OF_VIEW));
}

static void should_see_no_card_in_a_picture_of_nothing(void **state)
{
    struct bench *b = *state;
    static const float level[3] = {0, 0.2f, 5};
    for (int i = 0; i < 3; i++) {
        struct card_scene scene = card_scene_start(b->mat, b->set, b->style);
        scene.empty = true;
        scene.blot = (struct scene_blot){{0, 0}, 1000, {level[i], level[i], level[i]}};
        scene.noise = 6;
        struct layout_card out = read_scene(b, b->reader, &scene);
        assert_int_not_equal(out.state, SLOT_FACE_UP);
        assert_int_not_equal(out.state, SLOT_FACE_DOWN);
    }
}

static void should_not_guess_symbols_in_a_grey_picture(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[5]);
    struct frame *frame = card_scene_draw(&scene);
    struct mat_pose pose = card_scene_pose(&scene);
    struct layout_card out;
    assert_non_null(frame);
    frame->has_colour = false; /* its planes stay allocated with the frame */
    assert_int_equal(vision_pyramid_build(b->pyramid, frame), 0);
    assert_int_equal(vision_white_build(b->white, b->pyramid, &pose, b->mat), 0);
    assert_int_equal(vision_card_read(b->reader, b->pyramid, b->white, &pose, b->mat, 2, &out), 0);
    assert_int_equal(out.state, SLOT_UNREADABLE);
    assert_true(out.reasons & REASON_BIT(REASON_NO_COLOUR));
    capture_frame_destroy(&frame);
}

static void should_refuse_a_slot_that_the_mat_does_not_have(void **state)
{
    struct bench *b = *state;
    struct card_scene scene = scene_of(b, &b->deck->card[0]);
    struct mat_pose pose = card_scene_pose(&scene);
    struct layout_card out;
    assert_int_equal(vision_card_read(b->reader, b->pyramid, b->white, &pose, b->mat, -1, &out),
                     VISION_E_ARGUMENT);
    assert_int_equal(
        vision_card_read(b->reader, b->pyramid, b->white, &pose, b->mat, b->mat->slots, &out),
        VISION_E_ARGUMENT);
}

static void should_refuse_a_style_that_no_raster_holds(void **state)
{
    struct bench *b = *state;
    struct cardstyle style = *b->style;
    struct card_scene scene = scene_of(b, &b->deck->card[0]);
    struct mat_pose pose = card_scene_pose(&scene);
    struct layout_card out;
    style.cell_mm = 1;
    struct card_reader *reader = vision_card_reader_create(b->set, &style, NULL);
    assert_non_null(reader);
    assert_int_equal(vision_card_read(reader, b->pyramid, b->white, &pose, b->mat, 0, &out),
                     VISION_E_ARGUMENT);
    vision_card_reader_destroy(&reader);
    assert_null(reader);
    vision_card_reader_destroy(&reader);
    vision_card_reader_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_every_card_of_the_deck_in_some_turn),
        cmocka_unit_test(should_read_a_card_in_all_four_turns),
        cmocka_unit_test(should_give_the_corners_from_the_printed_top_left_on),
        cmocka_unit_test(should_read_small_noisy_cards),
        cmocka_unit_test(should_find_a_yellow_border_under_a_yellow_lamp),
        cmocka_unit_test(should_read_a_card_that_is_printed_smaller),
        cmocka_unit_test(should_read_with_a_pose_that_is_off_by_four_millimetres),
        cmocka_unit_test(should_allow_for_light_that_falls_off_over_the_card),
        cmocka_unit_test(should_read_symbols_that_look_the_same_only_after_a_whole_turn),
        cmocka_unit_test(should_give_the_grid_as_it_lies_of_a_card_that_is_not_in_the_deck),
        cmocka_unit_test(should_read_a_grid_without_any_deck),
        cmocka_unit_test(should_not_take_a_near_miss_for_a_card_of_the_deck),
        cmocka_unit_test(should_not_name_a_card_whose_level_is_another),
        cmocka_unit_test(should_say_that_a_blank_slot_is_empty),
        cmocka_unit_test(should_tell_a_back),
        cmocka_unit_test(should_call_a_half_covered_card_occluded),
        cmocka_unit_test(should_call_a_slot_under_a_foreign_thing_occluded),
        cmocka_unit_test(should_never_be_wrong_about_a_covered_symbol),
        cmocka_unit_test(should_give_glare_as_the_reason_when_it_bleaches_symbols),
        cmocka_unit_test(should_refuse_cells_of_a_few_pixels),
        cmocka_unit_test(should_say_when_a_slot_is_not_all_in_view),
        cmocka_unit_test(should_see_no_card_in_a_picture_of_nothing),
        cmocka_unit_test(should_not_guess_symbols_in_a_grey_picture),
        cmocka_unit_test(should_refuse_a_slot_that_the_mat_does_not_have),
        cmocka_unit_test(should_refuse_a_style_that_no_raster_holds),
    };
    return cmocka_run_group_tests(tests, bench_create, bench_destroy);
}
