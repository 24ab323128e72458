/* tests/unit/test_tags.c: which tags are found and where their corners lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/draw/draw.h"
#include "tests/unit/tag_scene.h"
#include "vision/pose.h"

static struct tag_finder *finder;
static struct mat mat;

static int group_setup(void **state)
{
    (void)state;
    mat = scene_mat();
    finder = vision_tag_finder_create();
    return finder == NULL ? -1 : 0;
}

static int group_teardown(void **state)
{
    (void)state;
    vision_tag_finder_destroy(&finder);
    return finder == NULL ? 0 : -1;
}

static int scene_find(const struct scene *scene, struct sighting out[MAT_TAGS_MAX], bool *mirrored)
{
    struct frame *frame = scene_draw(scene);
    assert_non_null(frame);
    int found = vision_tags_find(finder, frame, scene->mat, out, mirrored);
    capture_frame_destroy(&frame);
    return found;
}

/* Largest distance of the firm corners from where the scene has them. */
static double sighting_miss(const struct scene *scene, const struct sighting *sighting)
{
    double corner[4][2], worst = 0;
    calib_mat_tag_corners(&mat.tag[sighting->id], corner);
    for (int i = 0; i < 4; i++) {
        double at[3] = {corner[i][0], corner[i][1], 0}, pixel[2];
        assert_true(calib_camera_project(&scene->camera, &scene->pose, at, pixel));
        double miss = hypot(pixel[0] - sighting->corner[i][0], pixel[1] - sighting->corner[i][1]);
        if (sighting->firm[i] && miss > worst)
            worst = miss;
    }
    return worst;
}

static void assert_all_true_tags(const struct scene *scene, const struct sighting *sighting,
                                 int found, int wanted, double tolerance_px)
{
    assert_int_equal(found, wanted);
    for (int i = 0; i < found; i++) {
        assert_in_range(sighting[i].id, 0, 5);
        assert_true(sighting_miss(scene, &sighting[i]) < tolerance_px);
        for (int j = 0; j < i; j++)
            assert_int_not_equal(sighting[i].id, sighting[j].id);
    }
}

static void should_find_all_tags_in_any_turn_with_exact_corners(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    bool mirrored = true;
    int found = scene_find(&scene, sighting, &mirrored);
    assert_false(mirrored);
    assert_all_true_tags(&scene, sighting, found, 6, 0.4);
    double sum = 0;
    for (int i = 0; i < found; i++) {
        sum += sighting_miss(&scene, &sighting[i]) / found;
        for (int j = 0; j < 4; j++)
            assert_true(sighting[i].firm[j]);
    }
    assert_true(sum < 0.25); /* the worst of four, on average */
}

static void should_find_tags_in_a_dim_and_noisy_picture(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    scene.light = 0.05;
    scene.noise = 8;
    int found = scene_find(&scene, sighting, NULL);
    assert_all_true_tags(&scene, sighting, found, 6, 1.0);
}

static void should_find_small_tags_in_a_far_view(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    scene.pose = scene_pose(430, 300, 1900, 12, 4, -10); /* tags of 25 px */
    int found = scene_find(&scene, sighting, NULL);
    assert_all_true_tags(&scene, sighting, found, 6, 0.8); /* modules of 3 px */
}

static void should_see_nothing_in_a_blank_picture(void **state)
{
    (void)state;
    struct sighting sighting[MAT_TAGS_MAX];
    bool mirrored = true;
    struct frame *frame = capture_frame_create(1280, 720, false, 0, 0);
    assert_non_null(frame);
    assert_int_equal(vision_tags_find(finder, frame, &mat, sighting, &mirrored), 0);
    assert_false(mirrored);
    capture_frame_destroy(&frame);
}

static void should_bear_pictures_of_any_size(void **state)
{
    (void)state;
    static const int size[][2] = {{1, 1},   {7, 7},   {10, 10}, {23, 400},
                                  {400, 5}, {24, 24}, {31, 31}, {8000, 30}};
    struct sighting sighting[MAT_TAGS_MAX];
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct frame *frame = capture_frame_create(size[i][0], size[i][1], false, 0, 0);
        assert_non_null(frame);
        for (int j = 0; j < size[i][0] * size[i][1]; j++)
            frame->y[(size_t)(j / size[i][0]) * frame->y_stride + (size_t)(j % size[i][0])] =
                (uint8_t)(j * 37 % 251);
        assert_int_equal(vision_tags_find(finder, frame, &mat, sighting, NULL), 0);
        capture_frame_destroy(&frame);
    }
}

static void should_bear_the_largest_picture(void **state)
{
    (void)state;
    struct sighting sighting[MAT_TAGS_MAX];
    struct frame *frame = capture_frame_create(8000, 8000, false, 0, 0);
    assert_non_null(frame);
    assert_int_equal(vision_tags_find(finder, frame, &mat, sighting, NULL), 0);
    capture_frame_destroy(&frame);
}

static void should_say_when_the_picture_is_mirrored(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    bool mirrored = false;
    scene.mirrored = true;
    assert_int_equal(scene_find(&scene, sighting, &mirrored), 0);
    assert_true(mirrored);
}

static void should_ignore_ids_that_are_not_on_the_mat(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    scene.extras = 2;
    scene.extra[0] =
        (struct mat_tag){.id = 17, .center_mm = {300, 300}, .size_mm = 60, .turn_deg = 20};
    scene.extra[1] = (struct mat_tag){.id = 40, .center_mm = {500, 300}, .size_mm = 60};
    int found = scene_find(&scene, sighting, NULL);
    assert_all_true_tags(&scene, sighting, found, 6, 0.4);
}

static void should_tell_a_loose_copy_of_a_tag_from_the_mats_own(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    scene.extras = 2;
    scene.extra[0] =
        (struct mat_tag){.id = 2, .center_mm = {300, 320}, .size_mm = 48, .turn_deg = 0};
    scene.extra[1] =
        (struct mat_tag){.id = 4, .center_mm = {130, 297}, .size_mm = 48, .turn_deg = 270};
    int found = scene_find(&scene, sighting, NULL);
    assert_all_true_tags(&scene, sighting, found, 6, 0.4);
}

static void should_not_believe_a_loose_copy_where_the_true_tag_is_hidden(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    scene.extras = 1;
    scene.extra[0] =
        (struct mat_tag){.id = 2, .center_mm = {600, 450}, .size_mm = 48, .turn_deg = 0};
    scene.mat = &mat;
    scene.covers = 1;
    scene.cover[0][0] = 801;
    scene.cover[0][1] = 554;
    scene.cover[0][2] = 40;
    int found = scene_find(&scene, sighting, NULL);
    assert_all_true_tags(&scene, sighting, found, 5, 0.4);
}

static void should_prefer_the_mat_to_a_small_picture_of_it(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    scene.copy[0] = 200;
    scene.copy[1] = 130;
    scene.copy[2] = 0.5;
    int found = scene_find(&scene, sighting, NULL);
    assert_all_true_tags(&scene, sighting, found, 6, 0.4);
}

/* Three tags in a column at either end, and a lens that bends them: neither column can tell where
 * the other one is, but they are one mat's. */
static void should_take_both_ends_of_a_mat_under_a_wide_lens(void **state)
{
    (void)state;
    static const double r[9] = {0.981604254,   -0.190502791,  0.0127191093,
                                0.190189844,   0.981490616,   0.0224497943,
                                -0.0167604349, -0.0196177682, 0.99966706};
    struct mat small;
    struct sighting sighting[MAT_TAGS_MAX];
    draw_mat_small(&small);
    struct scene scene = scene_usual(&small);
    scene.camera = (struct camera){.width = 492,
                                   .height = 430,
                                   .fx = 306,
                                   .fy = 306,
                                   .cx = 245.5,
                                   .cy = 214.5,
                                   .dist = {-0.2418, 0.0573}};
    scene.pose = (struct pose){.t_mm = {-152.678, -173.102, 234.548}};
    memcpy(scene.pose.r, r, sizeof r);
    assert_int_equal(scene_find(&scene, sighting, NULL), 6);
}

static void should_see_a_mat_once_where_it_lies_once(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    assert_int_equal(scene_find(&scene, sighting, NULL), 6);
    assert_false(vision_tags_second(finder));
}

/* The picture beside itself, both halved so often that the first search misses some tags. */
static void should_see_a_second_mat_beside_the_first(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    struct frame *one = scene_draw(&scene);
    assert_non_null(one);
    for (int copies = 2; copies <= 4; copies++) {
        struct frame *row = capture_frame_create(one->width * copies, one->height, false, 0, 0);
        assert_non_null(row);
        for (int y = 0; y < one->height; y++)
            for (int k = 0; k < copies; k++)
                memcpy(row->y + (size_t)y * row->y_stride + (size_t)(k * one->width),
                       one->y + (size_t)y * one->y_stride, (size_t)one->width);
        assert_int_equal(vision_tags_find(finder, row, &mat, sighting, NULL), 0);
        assert_true(vision_tags_second(finder));
        capture_frame_destroy(&row);
    }
    capture_frame_destroy(&one);
}

static void should_believe_neither_of_two_like_mats(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    /* A smaller print lies on the mat, all tags of both in view. */
    scene.copy[0] = 90;
    scene.copy[1] = 70;
    scene.copy[2] = 0.8;
    assert_int_equal(scene_find(&scene, sighting, NULL), 0);
    assert_true(vision_tags_second(finder));
}

static void should_use_neither_of_two_when_only_they_could_decide(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    static const double hidden[4][2] = {{801, 40}, {801, 554}, {40, 297}, {801, 297}};
    scene.covers = 4;
    for (int i = 0; i < 4; i++) {
        scene.cover[i][0] = hidden[i][0];
        scene.cover[i][1] = hidden[i][1];
        scene.cover[i][2] = 45;
    }
    scene.extras = 1; /* a second tag 0; only tag 3 is left beside them */
    scene.extra[0] =
        (struct mat_tag){.id = 0, .center_mm = {400, 300}, .size_mm = 48, .turn_deg = 180};
    int found = scene_find(&scene, sighting, NULL);
    for (int i = 0; i < found; i++)
        assert_int_not_equal(sighting[i].id, 0);
}

static void should_keep_its_corners_beside_a_hand(void **state)
{
    (void)state;
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    /* Over the white frame of one tag, over a corner of another, over half of a third. */
    static const double hand[3][3] = {{40, 83, 18}, {835, 8, 20}, {801, 580, 30}};
    scene.covers = 3;
    memcpy(scene.cover, hand, sizeof hand);
    int found = scene_find(&scene, sighting, NULL);
    assert_true(found >= 4);
    for (int i = 0; i < found; i++)
        assert_true(sighting_miss(&scene, &sighting[i]) < 0.6);
}

static void should_not_use_a_tag_cut_by_the_pictures_edge(void **state)
{
    (void)state;
    struct sighting sighting[MAT_TAGS_MAX];
    /* The left tags slide out of view step by step. */
    for (int step = 0; step < 8; step++) {
        struct scene scene = scene_usual(&mat);
        scene.pose = scene_pose(640 + 12 * step, 320, 1060, 0, 0, 0);
        int found = scene_find(&scene, sighting, NULL);
        assert_true(found >= 3);
        for (int i = 0; i < found; i++)
            assert_true(sighting_miss(&scene, &sighting[i]) < 0.5);
    }
}

static void should_refuse_a_broken_contract(void **state)
{
    (void)state;
    struct sighting sighting[MAT_TAGS_MAX];
    assert_int_equal(vision_tags_find(finder, NULL, &mat, sighting, NULL), VISION_E_ARGUMENT);
    struct tag_finder *none = NULL;
    vision_tag_finder_destroy(&none);
    vision_tag_finder_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_all_tags_in_any_turn_with_exact_corners),
        cmocka_unit_test(should_find_tags_in_a_dim_and_noisy_picture),
        cmocka_unit_test(should_find_small_tags_in_a_far_view),
        cmocka_unit_test(should_see_nothing_in_a_blank_picture),
        cmocka_unit_test(should_bear_pictures_of_any_size),
        cmocka_unit_test(should_bear_the_largest_picture),
        cmocka_unit_test(should_say_when_the_picture_is_mirrored),
        cmocka_unit_test(should_ignore_ids_that_are_not_on_the_mat),
        cmocka_unit_test(should_tell_a_loose_copy_of_a_tag_from_the_mats_own),
        cmocka_unit_test(should_not_believe_a_loose_copy_where_the_true_tag_is_hidden),
        cmocka_unit_test(should_prefer_the_mat_to_a_small_picture_of_it),
        cmocka_unit_test(should_take_both_ends_of_a_mat_under_a_wide_lens),
        cmocka_unit_test(should_see_a_mat_once_where_it_lies_once),
        cmocka_unit_test(should_see_a_second_mat_beside_the_first),
        cmocka_unit_test(should_believe_neither_of_two_like_mats),
        cmocka_unit_test(should_use_neither_of_two_when_only_they_could_decide),
        cmocka_unit_test(should_keep_its_corners_beside_a_hand),
        cmocka_unit_test(should_not_use_a_tag_cut_by_the_pictures_edge),
        cmocka_unit_test(should_refuse_a_broken_contract),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
