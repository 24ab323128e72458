#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/mat_plan.h"
#include "calib/paint.h"
#include "tests/unit/kit_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    double at[4];
};

static bool apart(const struct box *a, const struct box *b)
{
    return a->at[0] + a->at[2] <= b->at[0] + 1e-9 || b->at[0] + b->at[2] <= a->at[0] + 1e-9 ||
           a->at[1] + a->at[3] <= b->at[1] + 1e-9 || b->at[1] + b->at[3] <= a->at[1] + 1e-9;
}

/* Everything on the mat: seats, slots, tags with their white edges. */
static int boxes_of(const struct mat *mat, struct box *box)
{
    int count = 0;

    for (int i = 0; i < mat->seats; i++) {
        memcpy(box[count++].at, mat->seat[i].rect_mm, sizeof box->at);
    }
    for (int i = 0; i < mat->slots; i++) {
        memcpy(box[count++].at, mat->slot[i].rect_mm, sizeof box->at);
    }
    for (int i = 0; i < mat->tags; i++) {
        double side = mat->tag[i].size_mm * 10.0 / 8.0;
        box[count++] = (struct box){{mat->tag[i].center_mm[0] - side / 2.0,
                                     mat->tag[i].center_mm[1] - side / 2.0, side, side}};
    }
    return count;
}

static void mat_checked(const struct mat *mat, const struct mat_plan *plan)
{
    struct box box[64];
    int count = boxes_of(mat, box);

    assert_int_equal(mat->seats, plan->seats);
    assert_int_equal(mat->slots, plan->slots);
    assert_int_equal(mat->tags, 6);
    for (int i = 0; i < count; i++) {
        assert_true(box[i].at[0] >= 0.0 && box[i].at[1] >= 0.0);
        assert_true(box[i].at[0] + box[i].at[2] <= plan->size_mm[0] + 1e-9);
        assert_true(box[i].at[1] + box[i].at[3] <= plan->size_mm[1] + 1e-9);
        for (int j = 0; j < i; j++) {
            assert_true(apart(&box[i], &box[j]));
        }
    }
    for (int i = 0; i < mat->seats; i++) {
        assert_true(mat->seat[i].rect_mm[2] >= MAT_PLAN_SEAT_CELLS * plan->block_mm - 0.5);
        assert_true(mat->seat[i].rect_mm[3] >= MAT_PLAN_DEPTH_CELLS * plan->block_mm - 0.5);
        /* away from the player, who sits at the nearer long side */
        bool far = mat->seat[i].rect_mm[1] + mat->seat[i].rect_mm[3] / 2.0 < plan->size_mm[1] / 2.0;
        assert_true(plan->seats == 1 || (mat->seat[i].up[1] > 0.0) == far);
    }
    assert_true(mat->tag[0].size_mm >= plan->block_mm);
}

/* The text is read as what was written, without a warning. */
static void text_checked(const struct mat *mat)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    struct mat *again;
    size_t length;
    char *text = calib_mat_text(mat, "a note", &length);

    assert_non_null(text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(calib_mat_parse(text, length, "mat.json", &sink, &again, NULL), 0);
    assert_int_equal(warned.count, 0);
    assert_string_equal(again->name, mat->name);
    assert_int_equal(again->tags, mat->tags);
    assert_int_equal(again->seats, mat->seats);
    assert_int_equal(again->slots, mat->slots);
    for (int i = 0; i < mat->seats; i++) {
        for (int k = 0; k < 4; k++) {
            assert_true(fabs(again->seat[i].rect_mm[k] - mat->seat[i].rect_mm[k]) < 1e-4);
        }
    }
    if (mat->slots > 0) {
        assert_int_equal(again->quick_play_slot, mat->quick_play_slot);
    }
    calib_mat_destroy(&again);
    free(text);
}

static void should_lay_out_mats_in_which_nothing_overlaps(void **state)
{
    static const double sheets[][2] = {{841, 594}, {594, 420}, {1189, 841}, {420, 297}, {900, 500}};
    static const double blocks[] = {15.0, 20.0, 30.0, 35.0, 50.0};
    int made = 0, refused = 0;

    (void)state;
    for (int i = 0; i < 5 * 5 * MAT_SEATS_MAX * 8; i++) {
        struct mat_plan plan = {.name = "planned",
                                .size_mm = {sheets[i % 5][0], sheets[i % 5][1]},
                                .block_mm = blocks[i / 5 % 5],
                                .seats = 1 + i / 25 % MAT_SEATS_MAX,
                                .slots = i / 200,
                                .card_mm = 60.0,
                                .tag_first = 40,
                                .view_deg = 65.0};
        struct calib_fault fault;
        struct mat mat;
        double place[2];
        int error = calib_mat_plan(&plan, &mat, &fault);
        if (error) {
            assert_int_equal(error, CALIB_E_GEOMETRY);
            refused++;
            continue;
        }
        made++;
        mat_checked(&mat, &plan);
        text_checked(&mat);
        assert_true(calib_paint_mat_ruler(&mat, place));
    }
    assert_true(made > 300 && refused > 300);
}

static void should_say_how_large_a_sheet_would_have_to_be(void **state)
{
    struct mat_plan plan = {.name = "small",
                            .size_mm = {420, 297},
                            .block_mm = 35,
                            .seats = 4,
                            .slots = 5,
                            .card_mm = 80,
                            .tag_first = 40,
                            .view_deg = 65};
    struct calib_fault fault;
    struct mat mat;
    double size[2];

    (void)state;
    assert_int_equal(calib_mat_plan(&plan, &mat, &fault), CALIB_E_GEOMETRY);
    const char *said = strstr(fault.text, "a sheet of ");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "a sheet of %lf x %lf mm", &size[0], &size[1]), 2);
    memcpy(plan.size_mm, size, sizeof size);
    assert_int_equal(calib_mat_plan(&plan, &mat, &fault), 0);
    mat_checked(&mat, &plan);
    for (int axis = 0; axis < 2; axis++) { /* and not a millimetre less */
        memcpy(plan.size_mm, size, sizeof size);
        plan.size_mm[axis] -= 1.5;
        assert_int_equal(calib_mat_plan(&plan, &mat, &fault), CALIB_E_GEOMETRY);
    }
}

static void should_refuse_numbers_out_of_bounds(void **state)
{
    const struct mat_plan good = {.name = "good",
                                  .size_mm = {841, 594},
                                  .block_mm = 35,
                                  .seats = 4,
                                  .slots = 5,
                                  .card_mm = 80,
                                  .tag_first = 40,
                                  .view_deg = 65};
    struct mat_plan bad[8];
    struct mat mat;

    (void)state;
    for (int i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].seats = 0;
    bad[1].seats = MAT_SEATS_MAX + 1;
    bad[2].slots = MAT_SLOTS_MAX + 1;
    bad[3].tag_first = 582;
    bad[4].block_mm = 1.0;
    bad[5].card_mm = 1e9;
    bad[6].size_mm[0] = NAN;
    bad[7].size_mm[1] = 1e9;
    assert_int_equal(calib_mat_plan(&good, &mat, NULL), 0);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(calib_mat_plan(&bad[i], &mat, NULL), CALIB_E_VALUE);
    }
}

static void should_say_what_camera_a_mat_takes(void **state)
{
    struct mat_camera camera[MAT_CAMERAS_MAX];
    struct mat *mat;

    (void)state;
    assert_int_equal(calib_mat_load("a1-four", NULL, &mat, NULL), 0);
    int cameras = calib_mat_cameras(mat, 35.0, 65.0, camera);
    assert_true(cameras > 3);
    for (int i = 0; i < cameras; i++) {
        double across = 2.0 * camera[i].height_mm * tan(65.0 * M_PI / 360.0);
        double down = across * camera[i].height_px / camera[i].width_px;
        assert_true(across > 841.0 && down > 594.0);
        assert_true(camera[i].cell_px >= 25.0);
        assert_true(fabs(camera[i].cell_px - 35.0 * camera[i].width_px / across) < 1e-6);
    }
    /* blocks of 4 mm on that sheet: none that one can buy */
    assert_int_equal(calib_mat_cameras(mat, 4.0, 65.0, camera), 0);
    assert_true(camera[0].width_px > 3840 && camera[0].cell_px >= 25.0 - 1e-6);
    calib_mat_destroy(&mat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_lay_out_mats_in_which_nothing_overlaps),
        cmocka_unit_test(should_say_how_large_a_sheet_would_have_to_be),
        cmocka_unit_test(should_refuse_numbers_out_of_bounds),
        cmocka_unit_test(should_say_what_camera_a_mat_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
