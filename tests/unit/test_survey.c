/* tests/unit/test_survey.c: a real picture looked over; a blank one, one in pieces, and colours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/deck.h"
#include "capture/still.h"
#include "vision/board_find.h"
#include "vision/colours.h"
#include "vision/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE "fixtures/a1-003.jpg"

struct world {
    struct mat *mat;
    struct blockset *set;
    struct cardstyle *style;
    struct frame *frame;
    struct table_kit kit;
};

static int world_open(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct capture_fault fault;
    if (w == NULL || calib_mat_load("a1-four", NULL, &w->mat, NULL) != 0 ||
        calib_blockset_load("match-madness", NULL, &w->set, NULL) != 0 ||
        calib_cardstyle_load(NULL, NULL, &w->style, NULL) != 0 ||
        capture_still_read(PICTURE, &w->frame, &fault) != 0)
        return -1;
    w->kit = (struct table_kit){.mat = w->mat, .set = w->set, .style = w->style};
    *state = w;
    return 0;
}

static int world_close(void **state)
{
    struct world *w = *state;
    calib_mat_destroy(&w->mat);
    calib_blockset_destroy(&w->set);
    calib_cardstyle_destroy(&w->style);
    capture_frame_destroy(&w->frame);
    free(w);
    return 0;
}

static void should_look_a_table_over(void **state)
{
    struct world *w = *state;
    struct survey *survey = vision_survey_create(&w->kit);
    struct certificate c = {.width = 0};
    double white[3];
    assert_non_null(survey);
    assert_null(vision_survey_pose(survey));
    assert_false(vision_survey_white(survey, white));
    assert_int_equal(vision_survey_add(survey, w->frame, 0, 5), VISION_OK);
    assert_int_equal(vision_survey_add(survey, w->frame, 100000000, 2), VISION_OK);
    vision_survey_result(survey, &c);
    assert_int_equal(c.pictures, 2);
    assert_int_equal(c.placed, 2);
    assert_int_equal(c.tags_seen, 6);
    assert_int_equal(c.seats, 4);
    assert_int_equal(c.lost, 2); /* what was lost before the first one is none of ours */
    assert_true(fabs(c.rate - 10) < 0.01);
    assert_true(c.seat[0].in_view && c.seat[0].cell_px > 45 && c.seat[0].sigma_mm < 1);
    assert_true(c.edge_px > 2 && c.edge_px < 7);
    assert_int_equal(c.size_by, CERTIFICATE_SIZE_BLOCKS);
    assert_true(fabs(c.print_scale - 1) < 0.006);
    assert_true(fabs(c.tag_scale - 1) < 0.01);
    assert_true(c.white_least > 80 && c.white_most < 200 && c.burnt_share < 0.01);
    assert_true(vision_survey_white(survey, white) && white[0] > 0.05 && white[0] < 1);
    calib_certificate_rule(&c);
    assert_true(c.ready);
    vision_survey_destroy(&survey);
    assert_null(survey);
    vision_survey_destroy(&survey);
}

static void should_find_nothing_in_a_blank_picture(void **state)
{
    struct world *w = *state;
    struct survey *survey = vision_survey_create(&w->kit);
    struct colours *colours = vision_colours_create(&w->kit);
    struct frame *blank = capture_frame_create(320, 200, true, 1, 1);
    struct certificate c = {.width = 0};
    struct rig_colours found;
    assert_non_null(blank);
    assert_int_equal(vision_survey_add(survey, blank, -1, 0), VISION_E_NO_MAT);
    vision_survey_result(survey, &c);
    calib_certificate_rule(&c);
    assert_int_equal(c.placed, 0);
    assert_false(c.ready);
    assert_true((c.faults & CERTIFICATE_BIT(CERTIFICATE_NO_MAT)) != 0);
    assert_int_equal(vision_colours_add(colours, blank, NULL), VISION_E_NO_MAT);
    assert_int_equal(vision_colours_result(colours, &found), 0);
    assert_false(found.known);
    capture_frame_destroy(&blank);
    vision_survey_destroy(&survey);
    vision_colours_destroy(&colours);
}

static void should_not_be_spoilt_by_one_picture_in_two(void **state)
{
    struct world *w = *state;
    struct survey *survey = vision_survey_create(&w->kit);
    struct frame *blank = capture_frame_create(320, 200, true, 1, 1);
    struct certificate c = {.width = 0};
    vision_survey_add(survey, blank, -1, 0);
    assert_int_equal(vision_survey_add(survey, w->frame, -1, 0), VISION_OK);
    vision_survey_result(survey, &c);
    calib_certificate_rule(&c);
    assert_true(c.ready);
    capture_frame_destroy(&blank);
    vision_survey_destroy(&survey);
}

static void should_see_the_sets_colours(void **state)
{
    struct world *w = *state;
    struct colours *colours = vision_colours_create(&w->kit);
    struct board card;
    struct rig_colours found;
    assert_int_equal(vision_colours_add(colours, w->frame, NULL), VISION_OK);
    assert_int_equal(vision_colours_result(colours, &found), w->set->symbols);
    assert_true(found.known);
    assert_string_equal(found.set, "match-madness");
    for (int i = 0; i < found.symbols; i++)
        for (int k = 0; k < 3; k++)
            assert_true(found.symbol[i].ratio[k] > 0 && found.symbol[i].ratio[k] < 1.5);
    assert_true(calib_rig_colours_apart(&found, NULL) > RIG_COLOURS_APART);
    assert_int_equal(calib_board_chess(9, 6, 25, &card), 0);
    assert_int_equal(vision_colours_add(colours, w->frame, &card), VISION_E_ARGUMENT);
    vision_colours_destroy(&colours);
    vision_colours_destroy(&colours);
}

static void should_find_the_mats_points_and_no_boards(void **state)
{
    struct world *w = *state;
    struct tag_finder *finder = vision_tag_finder_create();
    struct board_points *points = calloc(1, sizeof *points);
    struct board board;
    assert_non_null(points);
    int found = vision_board_find_mat(finder, w->frame, w->mat, points);
    assert_int_equal(found, points->count);
    assert_true(points->tags >= 5 && points->count > 3 * points->tags);
    assert_int_equal(calib_board_named("tags:8x6x20", &board), 0); /* more than a mat may have */
    assert_int_equal(vision_board_find(finder, w->frame, &board, false, points), 0);
    assert_int_equal(calib_board_named("chess", &board), 0);
    assert_int_equal(vision_board_find(finder, w->frame, &board, false, points), 0);
    assert_int_equal(calib_board_colours(w->set, &board), 0);
    assert_int_equal(vision_board_find(finder, w->frame, &board, false, points),
                     VISION_E_ARGUMENT);
    assert_int_equal(vision_board_find(NULL, w->frame, &board, false, points), VISION_E_ARGUMENT);
    free(points);
    vision_tag_finder_destroy(&finder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_look_a_table_over),
        cmocka_unit_test(should_find_nothing_in_a_blank_picture),
        cmocka_unit_test(should_not_be_spoilt_by_one_picture_in_two),
        cmocka_unit_test(should_see_the_sets_colours),
        cmocka_unit_test(should_find_the_mats_points_and_no_boards),
    };
    return cmocka_run_group_tests(tests, world_open, world_close);
}
