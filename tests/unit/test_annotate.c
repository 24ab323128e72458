#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/still.h"
#include "vision/annotate.h"
#include "vision/error.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
    unsigned char *at;
    size_t length, most; /* gives up beyond `most`; 0 for no limit */
};

static bool keep(void *context, const unsigned char *bytes, size_t length)
{
    struct bytes *out = context;
    if (out->most && out->length + length > out->most)
        return false;
    out->at = realloc(out->at, out->length + length);
    memcpy(out->at + out->length, bytes, length);
    out->length += length;
    return true;
}

/* A camera 1000 mm above the middle of a small mat, looking straight down. */
static const struct mat_pose pose = {
    .camera = {.width = 320, .height = 240, .fx = 400, .fy = 400, .cx = 159.5, .cy = 119.5},
    .pose = {.r = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .t_mm = {-300, -200, 1000}},
};

static struct mat mat_of_one_seat(void)
{
    struct mat mat;
    memset(&mat, 0, sizeof mat);
    mat.seats = mat.slots = 1;
    mat.seat[0] = (struct mat_seat){.seat = 1, .rect_mm = {50, 50, 500, 200}, .up = {0, -1}};
    mat.slot[0] = (struct mat_slot){.slot = 3, .rect_mm = {250, 270, 80, 80}};
    return mat;
}

static void put_cell(struct layout_seat *seat, int row, int col, int x, int y, int side,
                     int confidence)
{
    struct layout_cell *cell = &seat->cell[seat->cells++];
    *cell = (struct layout_cell){.row = (int8_t)row,
                                 .col = (int8_t)col,
                                 .symbol = 'x',
                                 .second = '+',
                                 .confidence = (int16_t)confidence,
                                 .center_px10 = {x * 10, y * 10}};
    for (int k = 0; k < 4; k++) {
        cell->corner_px10[k][0] = 10 * x + 5 * (k == 1 || k == 2 ? side : -side);
        cell->corner_px10[k][1] = 10 * y + 5 * (k >= 2 ? side : -side);
    }
}

static struct layout layout_of_two_cells(int side)
{
    struct layout layout;
    memset(&layout, 0, sizeof layout);
    layout.seats = layout.slots = 1;
    layout.seat[0].seat = 1;
    layout.seat[0].state = SEAT_INCOMPLETE;
    put_cell(&layout.seat[0], 0, 0, 120, 60, side, 990);
    put_cell(&layout.seat[0], 0, 1, 120 + side, 60, side, 600);
    layout.card[0].slot = 3;
    layout.card[0].state = SLOT_FACE_UP;
    return layout;
}

/* The annotated picture, decoded again; NULL for none. */
static struct frame *annotate(const struct frame *frame, const struct layout *layout,
                              const struct annotate_note *notes, int count)
{
    struct mat mat = mat_of_one_seat();
    struct annotate_picture picture = {frame, layout, &pose, &mat, notes, count, NULL};
    struct bytes bytes = {NULL, 0, 0};
    struct capture_fault fault;
    struct frame *out = NULL;
    assert_int_equal(vision_annotate(&picture, keep, &bytes), 0);
    assert_int_equal(capture_still_decode(bytes.at, bytes.length, &out, &fault), 0);
    free(bytes.at);
    return out;
}

static int differing(const struct frame *a, const struct frame *b)
{
    int count = 0;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            count += abs(a->y[(size_t)y * a->y_stride + (size_t)x] -
                         b->y[(size_t)y * b->y_stride + (size_t)x]) > 30;
    return count;
}

static struct frame *grey_frame(void)
{
    struct frame *frame = capture_frame_create(320, 240, true, 1, 1);
    assert_non_null(frame);
    for (int y = 0; y < frame->height; y++)
        memset(frame->y + (size_t)y * frame->y_stride, 128, (size_t)frame->width);
    return frame;
}

static void should_leave_a_picture_of_its_own_size_when_cells_are_large(void **state)
{
    (void)state;
    struct frame *frame = grey_frame();
    struct layout layout = layout_of_two_cells(60);
    struct frame *out = annotate(frame, &layout, NULL, 0);
    assert_int_equal(out->width, 320);
    assert_int_equal(out->height, 240);
    assert_true(differing(frame, out) > 500);
    capture_frame_destroy(&out);
    capture_frame_destroy(&frame);
}

static void should_enlarge_a_picture_whose_cells_are_too_small_for_letters(void **state)
{
    (void)state;
    struct frame *frame = grey_frame();
    struct layout layout = layout_of_two_cells(20);
    struct frame *out = annotate(frame, &layout, NULL, 0);
    assert_int_equal(out->width, 960);
    assert_int_equal(out->height, 720);
    capture_frame_destroy(&out);
    capture_frame_destroy(&frame);
}

static void should_cross_a_wrong_cell(void **state)
{
    (void)state;
    struct frame *frame = grey_frame();
    struct layout layout = layout_of_two_cells(60);
    struct annotate_note note = {
        .seat = 1, .mark = ANNOTATE_WRONG, .lines = 1, .line = {"NO MATCH"}};
    struct frame *plain = annotate(frame, &layout, &note, 1);
    note.crossed = 1;
    note.cross[0][1] = 0;
    struct frame *crossed = annotate(frame, &layout, &note, 1);
    assert_true(differing(plain, crossed) > 100);
    note.cross[0][1] = 7; /* no such cell: nothing is crossed */
    struct frame *other = annotate(frame, &layout, &note, 1);
    assert_int_equal(differing(plain, other), 0);
    capture_frame_destroy(&plain);
    capture_frame_destroy(&crossed);
    capture_frame_destroy(&other);
    capture_frame_destroy(&frame);
}

static void should_write_a_verdict_into_the_picture(void **state)
{
    (void)state;
    struct frame *frame = grey_frame();
    struct layout layout = layout_of_two_cells(60);
    struct annotate_note right = {
        .seat = 1, .mark = ANNOTATE_RIGHT, .lines = 1, .line = {"MATCH L1-01"}};
    struct annotate_note wrong = {
        .seat = 1, .mark = ANNOTATE_WRONG, .lines = 2, .line = {"NO MATCH L1-01", "wrong_symbol"}};
    struct frame *a = annotate(frame, &layout, &right, 1);
    struct frame *b = annotate(frame, &layout, &wrong, 1);
    struct frame *none = annotate(frame, &layout, NULL, 0);
    assert_true(differing(a, b) > 50);
    assert_true(differing(a, none) > 50);
    capture_frame_destroy(&a);
    capture_frame_destroy(&b);
    capture_frame_destroy(&none);
    capture_frame_destroy(&frame);
}

static void should_draw_nothing_outside_a_small_or_empty_picture(void **state)
{
    (void)state;
    struct frame *frame = capture_frame_create(5, 3, false, 0, 0);
    struct layout layout;
    memset(&layout, 0, sizeof layout);
    struct frame *out = annotate(frame, &layout, NULL, 0);
    assert_int_equal(out->width, 5);
    assert_int_equal(out->height, 3);
    capture_frame_destroy(&out);
    capture_frame_destroy(&frame);
}

static void should_take_a_layout_full_to_its_bounds(void **state)
{
    (void)state;
    struct frame *frame = grey_frame();
    struct layout layout;
    memset(&layout, 0, sizeof layout);
    layout.seats = MAT_SEATS_MAX;
    layout.slots = MAT_SLOTS_MAX;
    layout.warnings = UINT64_MAX;
    for (int s = 0; s < MAT_SEATS_MAX; s++) {
        layout.seat[s].seat = 1;
        layout.seat[s].reasons = UINT64_MAX;
        for (int c = 0; c < LAYOUT_CELLS_MAX; c++)
            put_cell(&layout.seat[s], c, c, 10 * c, 10 * s, 60, 500);
    }
    for (int s = 0; s < MAT_SLOTS_MAX; s++) {
        layout.card[s].slot = 3;
        layout.card[s].state = SLOT_UNREADABLE;
        layout.card[s].reasons = UINT64_MAX;
    }
    struct frame *out = annotate(frame, &layout, NULL, 0);
    assert_non_null(out);
    capture_frame_destroy(&out);
    capture_frame_destroy(&frame);
}

static void should_say_when_the_picture_could_not_be_written(void **state)
{
    (void)state;
    struct frame *frame = grey_frame();
    struct layout layout = layout_of_two_cells(60);
    struct mat mat = mat_of_one_seat();
    struct annotate_picture picture = {frame, &layout, &pose, &mat, NULL, 0, NULL};
    struct bytes full = {NULL, 0, 20};
    assert_int_equal(vision_annotate(&picture, keep, &full), VISION_E_ARGUMENT);
    free(full.at);
    capture_frame_destroy(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_leave_a_picture_of_its_own_size_when_cells_are_large),
        cmocka_unit_test(should_enlarge_a_picture_whose_cells_are_too_small_for_letters),
        cmocka_unit_test(should_cross_a_wrong_cell),
        cmocka_unit_test(should_write_a_verdict_into_the_picture),
        cmocka_unit_test(should_draw_nothing_outside_a_small_or_empty_picture),
        cmocka_unit_test(should_take_a_layout_full_to_its_bounds),
        cmocka_unit_test(should_say_when_the_picture_could_not_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
