/* The whole table from a drawn frame: pose, seats and cards in one layout, what is held back and
 * why, and rulings by the rules' alignment and rotation from end to end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/verdict.h"
#include "tests/unit/seat_scene.h"

#define CELL_PX 28.0
#define TILT_DEG 6.0

struct world {
    struct seat_world *table; /* the drawer's parts of it */
    struct table_kit kit;
    struct rig rig;
    struct table_reader *reader;
    struct layout layout;
};

static struct table_reader *reader_open(const struct table_kit *kit)
{
    struct alignment alignment = vision_alignment_defaults();
    return vision_table_create(kit, &alignment);
}

static int world_open(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    if (!w)
        return -1;
    w->table = seat_world_open("match-madness", "fixture");
    if (!w->table)
        return -1;
    w->kit = (struct table_kit){.mat = &w->table->mat,
                                .set = w->table->set,
                                .deck = w->table->deck,
                                .style = w->table->style};
    w->reader = reader_open(&w->kit);
    return w->reader ? 0 : -1;
}

static int world_close(void **state)
{
    struct world *w = *state;
    vision_table_destroy(&w->reader);
    assert_null(w->reader);
    vision_table_destroy(&w->reader);
    seat_world_close(&w->table);
    free(w);
    return 0;
}

static struct draw_scene *start(struct world *w)
{
    assert_int_equal(seat_scene_start(w->table, 3, CELL_PX, TILT_DEG), 0);
    return &w->table->scene;
}

static const struct frame *draw(struct world *w)
{
    assert_int_equal(seat_scene_draw(w->table), 0);
    return w->table->picture.frame;
}

static int read_table(struct world *w)
{
    return vision_table_read(w->reader, draw(w), false, &w->layout, NULL);
}

static void assert_grid(const struct grid *grid, const char *text)
{
    char found[GRID_TEXT_MAX];
    calib_grid_format(grid, found);
    assert_string_equal(found, text);
}

/* Nothing may be ruled on: every seat and slot is unreadable and says why. */
static void assert_held_back(const struct layout *layout, enum reason reason)
{
    assert_true(layout->warnings & REASON_BIT(reason));
    assert_int_equal(layout->seats, 1);
    assert_int_equal(layout->slots, 1);
    assert_int_equal(layout->seat[0].state, SEAT_UNREADABLE);
    assert_int_equal(layout->seat[0].grid.rows, 0);
    assert_true(layout->seat[0].reasons == REASON_BIT(reason));
    assert_int_equal(layout->card[0].state, SLOT_UNREADABLE);
    assert_true(layout->card[0].reasons == REASON_BIT(reason));
    assert_int_equal(layout->card[0].id[0], 0);
}

static void should_read_seats_and_cards_of_a_table(void **state)
{
    struct world *w = *state;
    struct mat_pose pose;
    const struct draw_scene *scene = start(w);
    assert_int_equal(vision_table_read(w->reader, draw(w), false, &w->layout, &pose), 0);
    const struct layout *l = &w->layout;
    assert_string_equal(l->mat, "draw-one");
    assert_false(l->mirrored || l->rig);
    assert_true(l->warnings == 0);
    assert_int_equal(l->tags, 6);
    assert_int_equal(pose.tags, 6);
    assert_true(l->pose_error_px100 < 60);
    assert_int_equal(l->seat[0].seat, 1);
    assert_int_equal(l->seat[0].state, SEAT_COMPLETE);
    assert_grid(&l->seat[0].grid, SEAT_GRID);
    assert_int_equal(l->card[0].slot, 1);
    assert_int_equal(l->card[0].state, SLOT_FACE_UP);
    assert_int_equal(scene->cards, 1);
    /* a card that is in no deck: its grid as it lies */
    assert_true(calib_grid_quarters(&l->card[0].grid, &scene->card[0].card.grid) >= 0);
    for (int i = 0; i < l->seat[0].cells; i++)
        assert_true(l->seat[0].cell[i].confidence > 950);
}

static void should_read_the_same_with_the_true_lens(void **state)
{
    struct world *w = *state;
    struct table_kit kit = w->kit;
    struct layout with;
    start(w);
    assert_int_equal(read_table(w), 0);
    memset(&w->rig, 0, sizeof w->rig);
    w->rig.camera = w->table->scene.camera;
    kit.rig = &w->rig;
    struct table_reader *reader = reader_open(&kit);
    assert_non_null(reader);
    assert_int_equal(vision_table_read(reader, w->table->picture.frame, false, &with, NULL), 0);
    assert_true(with.rig);
    assert_grid(&with.seat[0].grid, SEAT_GRID);
    assert_int_equal(with.card[0].state, w->layout.card[0].state);
    w->rig.camera.width *= 2; /* a rig of another camera */
    assert_int_equal(vision_table_read(reader, w->table->picture.frame, false, &with, NULL),
                     VISION_E_RIG_SIZE);
    assert_int_equal(with.seat[0].state, SEAT_UNREADABLE);
    vision_table_destroy(&reader);
}

static void should_give_the_same_bytes_from_any_reader_at_any_time(void **state)
{
    struct world *w = *state;
    struct layout first, second, between;
    struct table_reader *other = reader_open(&w->kit);
    assert_non_null(other);
    start(w);
    assert_int_equal(read_table(w), 0);
    first = w->layout;
    memset(&second, 0xa5, sizeof second);
    assert_int_equal(vision_table_read(other, w->table->picture.frame, false, &second, NULL), 0);
    assert_memory_equal(&first, &second, sizeof first);
    w->table->scene.blocks = 3; /* another picture in between */
    w->table->scene.cards = 0;
    assert_int_equal(read_table(w), 0);
    between = w->layout;
    assert_memory_not_equal(&first, &between, sizeof first);
    start(w);
    assert_int_equal(read_table(w), 0);
    assert_memory_equal(&first, &w->layout, sizeof first);
    vision_table_destroy(&other);
}

static void should_find_an_empty_table_empty(void **state)
{
    struct world *w = *state;
    struct draw_scene *scene = start(w);
    scene->blocks = scene->cards = 0;
    assert_int_equal(read_table(w), 0);
    assert_true(w->layout.warnings == 0);
    assert_int_equal(w->layout.seat[0].state, SEAT_EMPTY);
    assert_int_equal(w->layout.seat[0].cells, 0);
    assert_int_equal(w->layout.card[0].state, SLOT_EMPTY);
}

static void should_hold_everything_back_without_colour(void **state)
{
    struct world *w = *state;
    start(w);
    const struct frame *colour = draw(w);
    struct frame *grey = capture_frame_create(colour->width, colour->height, false, 0, 0);
    assert_non_null(grey);
    for (int y = 0; y < grey->height; y++)
        memcpy(grey->y + (size_t)y * grey->y_stride, colour->y + (size_t)y * colour->y_stride,
               (size_t)grey->width);
    assert_int_equal(vision_table_read(w->reader, grey, false, &w->layout, NULL), 0);
    assert_held_back(&w->layout, REASON_NO_COLOUR);
    assert_int_equal(w->layout.tags, 6); /* the tags are black and white anyway */
    capture_frame_destroy(&grey);
}

/* Chroma of the whole picture scaled, and turned by some degrees. */
static void chroma_change(struct frame *frame, double scale, double degrees)
{
    double c = scale * cos(degrees * M_PI / 180), s = scale * sin(degrees * M_PI / 180);
    int rows = (frame->height + (1 << frame->cy_shift) - 1) >> frame->cy_shift;
    int columns = (frame->width + (1 << frame->cx_shift) - 1) >> frame->cx_shift;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            uint8_t *cb = frame->cb + (size_t)y * frame->c_stride + x;
            uint8_t *cr = frame->cr + (size_t)y * frame->c_stride + x;
            double u = *cb - 128, v = *cr - 128;
            *cb = (uint8_t)lrint(fmin(fmax(128 + c * u - s * v, 0), 255));
            *cr = (uint8_t)lrint(fmin(fmax(128 + s * u + c * v, 0), 255));
        }
}

static void should_hold_everything_back_when_colours_do_not_go_with_shapes(void **state)
{
    struct world *w = *state;
    static const struct {
        double scale, degrees;
        enum reason reason;
    } change[] = {{0.15, 0, REASON_NO_COLOUR},
                  {0.25, 0, REASON_NO_COLOUR},
                  {1, 90, REASON_FALSE_COLOUR},
                  {1, 180, REASON_FALSE_COLOUR}};
    for (size_t i = 0; i < sizeof change / sizeof change[0]; i++) {
        start(w);
        draw(w);
        struct frame *frame = w->table->picture.frame;
        chroma_change(frame, change[i].scale, change[i].degrees);
        assert_int_equal(vision_table_read(w->reader, frame, false, &w->layout, NULL), 0);
        assert_held_back(&w->layout, change[i].reason);
    }
}

static void should_hold_everything_back_without_contrast(void **state)
{
    struct world *w = *state;
    start(w);
    draw(w);
    struct frame *frame = w->table->picture.frame;
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            uint8_t *p = frame->y + (size_t)y * frame->y_stride + x;
            *p = (uint8_t)(128 + (*p - 128) / 4);
        }
    chroma_change(frame, 0.25, 0);
    assert_int_equal(vision_table_read(w->reader, frame, false, &w->layout, NULL), 0);
    assert_held_back(&w->layout, REASON_LOW_CONTRAST);
}

/* A reader that knows only some of the tags of the mat that lies there. */
static int read_with_tags(struct world *w, const int *which, int tags)
{
    struct mat mat = w->table->mat;
    struct table_kit kit = w->kit;
    mat.tags = tags;
    for (int i = 0; i < tags; i++)
        mat.tag[i] = w->table->mat.tag[which[i]];
    kit.mat = &mat;
    struct table_reader *reader = reader_open(&kit);
    assert_non_null(reader);
    int error = vision_table_read(reader, w->table->picture.frame, false, &w->layout, NULL);
    vision_table_destroy(&reader);
    return error;
}

static void should_hold_everything_back_on_a_coarse_pose(void **state)
{
    struct world *w = *state;
    static const int which[6] = {0, 5, 1, 4, 2, 3}; /* the corners first */
    start(w);
    draw(w);
    assert_int_equal(read_with_tags(w, which, 2), 0);
    assert_held_back(&w->layout, REASON_COARSE_POSE);
    assert_int_equal(w->layout.tags, 2);
    assert_int_equal(read_with_tags(w, which, 6), 0); /* with all of them nothing is */
    assert_int_equal(w->layout.seat[0].state, SEAT_COMPLETE);
}

static void should_refuse_a_picture_without_the_mat(void **state)
{
    struct world *w = *state;
    static const int which[1] = {0};
    start(w);
    draw(w);
    assert_int_equal(read_with_tags(w, which, 1), VISION_E_NO_MAT);
    assert_int_equal(w->layout.seat[0].state, SEAT_UNREADABLE);
    assert_int_equal(w->layout.card[0].state, SLOT_UNREADABLE);
    struct frame *blank = capture_frame_create(640, 480, true, 1, 1);
    assert_non_null(blank);
    for (int level = 0; level < 256; level += 85) {
        memset(blank->y, level, blank->y_stride * 480);
        assert_int_equal(vision_table_read(w->reader, blank, false, &w->layout, NULL),
                         VISION_E_NO_MAT);
        assert_int_equal(w->layout.seats, 1);
        assert_int_equal(w->layout.seat[0].seat, 1);
        assert_int_equal(w->layout.seat[0].state, SEAT_UNREADABLE);
        assert_int_equal(w->layout.card[0].state, SLOT_UNREADABLE);
    }
    capture_frame_destroy(&blank);
}

static void should_refuse_a_mirrored_picture_and_read_it_turned_back(void **state)
{
    struct world *w = *state;
    struct layout straight;
    start(w);
    assert_int_equal(read_table(w), 0);
    straight = w->layout;
    struct frame *mirrored = capture_frame_orient(w->table->picture.frame, 2);
    struct frame *back = mirrored ? capture_frame_orient(mirrored, 2) : NULL;
    assert_non_null(back);
    assert_int_equal(vision_table_read(w->reader, mirrored, false, &w->layout, NULL),
                     VISION_E_MIRRORED);
    assert_int_equal(w->layout.seat[0].state, SEAT_UNREADABLE);
    assert_int_equal(vision_table_read(w->reader, back, true, &w->layout, NULL), 0);
    assert_true(w->layout.mirrored && !straight.mirrored);
    assert_grid(&w->layout.seat[0].grid, SEAT_GRID);
    capture_frame_destroy(&mirrored);
    capture_frame_destroy(&back);
}

static void should_not_rule_on_a_seat_that_is_partly_out_of_view(void **state)
{
    struct world *w = *state;
    for (int blocks = 0; blocks <= SEAT_BLOCKS; blocks += SEAT_BLOCKS) {
        struct draw_scene *scene = start(w);
        scene->blocks = blocks;
        scene->camera.cy += 70 * CELL_PX / 35; /* the lower 70 mm of the seat */
        int error = read_table(w);
        const struct layout_seat *seat = &w->layout.seat[0];
        assert_true(error == 0 || error == VISION_E_NO_MAT || error == VISION_E_POSE);
        assert_true(seat->state == SEAT_UNREADABLE || seat->state == SEAT_OCCLUDED);
        if (blocks == 0 && !error)
            assert_true(seat->reasons &
                        (REASON_BIT(REASON_OUT_OF_VIEW) | REASON_BIT(REASON_COARSE_POSE)));
    }
}

/* --- Rulings from end to end --------------------------------------------------------------------
 */

static struct verdict judge(const struct world *w, const char *card, enum rotation rotation)
{
    struct grid grid;
    struct verdict verdict;
    assert_int_equal(calib_grid_parse(card, strlen(card), &grid), 0);
    referee_judge(&w->layout.seat[0], "X-01", &grid, rotation, &verdict);
    return verdict;
}

static void should_match_the_card_in_every_quarter_turn_by_the_rotation_rule(void **state)
{
    struct world *w = *state;
    for (int quarter = 0; quarter < 4; quarter++) {
        struct seat_stand stand = seat_stand_usual();
        struct draw_scene *scene = start(w);
        stand.turn_deg = 90 * quarter + 7;
        seat_lay(scene, &stand);
        assert_int_equal(read_table(w), 0);
        struct verdict any = judge(w, SEAT_GRID, ROTATION_ANY);
        struct verdict seat = judge(w, SEAT_GRID, ROTATION_SEAT);
        struct verdict other = judge(w, "+o*/++x/#../#xo", ROTATION_ANY);
        assert_int_equal(any.ruling, RULING_MATCH);
        assert_int_equal(any.turn_deg, 90 * quarter);
        assert_int_equal(seat.ruling, quarter ? RULING_NO_MATCH : RULING_MATCH);
        assert_int_equal(other.ruling, RULING_NO_MATCH);
    }
}

static unsigned ruling_bit(enum ruling ruling)
{
    return ruling == RULING_MATCH      ? DRAW_RULE_MATCH
           : ruling == RULING_NO_MATCH ? DRAW_RULE_NO_MATCH
                                       : DRAW_RULE_CANNOT_TELL;
}

/* One block out of place ever further, or turned ever further: the rulings that the rules allow. */
static void should_rule_by_the_bounds_of_alignment(void **state)
{
    struct world *w = *state;
    struct grid card;
    int ruled[4] = {0};
    assert_int_equal(calib_grid_parse(SEAT_GRID, strlen(SEAT_GRID), &card), 0);
    for (int k = 0; k < 14; k++) {
        struct draw_scene *scene = start(w);
        struct draw_block *block = &scene->block[SEAT_LOOSE];
        for (int i = 0; i < SEAT_BLOCKS; i++)
            scene->block[i].center_mm[1] -= 16; /* room below */
        if (k < 8)
            block->center_mm[1] += 35 * 0.12 * k;
        else {
            block->center_mm[0] += 8;
            block->center_mm[1] += 4;
            block->turn_deg += 6.5 * (k - 8);
        }
        assert_int_equal(read_table(w), 0);
        struct verdict verdict = judge(w, SEAT_GRID, ROTATION_ANY);
        unsigned allowed = draw_truth_allowed(seat_truth(w->table), &card) | DRAW_RULE_CANNOT_TELL;
        assert_true(allowed & ruling_bit(verdict.ruling));
        ruled[verdict.ruling]++;
        assert_true(k > 0 || verdict.ruling == RULING_MATCH);
    }
    assert_true(ruled[RULING_MATCH] >= 3);
    assert_true(ruled[RULING_NO_MATCH] >= 1);
    assert_true(ruled[RULING_CANNOT_TELL] >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_seats_and_cards_of_a_table),
        cmocka_unit_test(should_read_the_same_with_the_true_lens),
        cmocka_unit_test(should_give_the_same_bytes_from_any_reader_at_any_time),
        cmocka_unit_test(should_find_an_empty_table_empty),
        cmocka_unit_test(should_hold_everything_back_without_colour),
        cmocka_unit_test(should_hold_everything_back_when_colours_do_not_go_with_shapes),
        cmocka_unit_test(should_hold_everything_back_without_contrast),
        cmocka_unit_test(should_hold_everything_back_on_a_coarse_pose),
        cmocka_unit_test(should_refuse_a_picture_without_the_mat),
        cmocka_unit_test(should_refuse_a_mirrored_picture_and_read_it_turned_back),
        cmocka_unit_test(should_not_rule_on_a_seat_that_is_partly_out_of_view),
        cmocka_unit_test(should_match_the_card_in_every_quarter_turn_by_the_rotation_rule),
        cmocka_unit_test(should_rule_by_the_bounds_of_alignment),
    };
    return cmocka_run_group_tests(tests, world_open, world_close);
}
