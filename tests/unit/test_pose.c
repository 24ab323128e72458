/* tests/unit/test_pose.c: from sightings to the camera's place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/tag_scene.h"
#include "vision/pose.h"

#define TOPS_Z_MM (-35.0)

/* Sightings as exact as the camera model, moved by a repeatable noise of that size, px. */
static int sightings_make(const struct scene *scene, unsigned tags, double noise_px,
                          struct sighting out[MAT_TAGS_MAX])
{
    unsigned random = 7;
    int count = 0;
    for (int i = 0; i < scene->mat->tags; i++) {
        double corner[4][2];
        if (!(tags >> i & 1))
            continue;
        struct sighting *sighting = &out[count++];
        memset(sighting, 0, sizeof *sighting);
        sighting->id = scene->mat->tag[i].id;
        sighting->margin = 80;
        calib_mat_tag_corners(&scene->mat->tag[i], corner);
        for (int j = 0; j < 4; j++) {
            double at[3] = {corner[j][0], corner[j][1], 0};
            assert_true(
                calib_camera_project(&scene->camera, &scene->pose, at, sighting->corner[j]));
            sighting->firm[j] = true;
            for (int k = 0; k < 2; k++) {
                random = random * 1664525u + 1013904223u;
                sighting->corner[j][k] += noise_px * ((random >> 8 & 0xffff) / 32768.0 - 1);
            }
        }
    }
    return count;
}

/* Largest error at the seats' middles on the plane of the tops, mm. */
static double seats_miss(const struct scene *scene, const struct mat_pose *found)
{
    double worst = 0;
    for (int i = 0; i < scene->mat->seats; i++) {
        const double *r = scene->mat->seat[i].rect_mm;
        double at[3] = {r[0] + r[2] / 2, r[1] + r[3] / 2, TOPS_Z_MM}, pixel[2], back[2];
        assert_true(calib_camera_project(&scene->camera, &scene->pose, at, pixel));
        assert_true(calib_camera_unproject(&found->camera, &found->pose, pixel, TOPS_Z_MM, back));
        worst = fmax(worst, hypot(back[0] - at[0], back[1] - at[1]));
    }
    return worst;
}

static struct rig rig_of(const struct scene *scene)
{
    struct rig rig = {.camera = scene->camera};
    return rig;
}

static void should_be_exact_with_the_rig_and_exact_corners(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x3f, 0, sighting);
    assert_int_equal(vision_pose_solve(sighting, count, &mat, &rig, 1280, 720, &pose), VISION_OK);
    assert_int_equal(pose.tags, 6);
    assert_int_equal(pose.sightings, 6);
    assert_false(pose.estimated);
    assert_false(pose.coarse);
    assert_true(pose.rms_px < 1e-4);
    assert_true(seats_miss(&scene, &pose) < 1e-3);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(pose.pose.r[i] - scene.pose.r[i]) < 1e-6);
}

static void should_estimate_lens_and_pose_without_a_rig(void **state)
{
    (void)state;
    static const double lens[][4] = {/* focal length, k1, distance, tilt */
                                     {1010, -0.12, 1060, 10},
                                     {620, -0.25, 700, 15},
                                     {800, -0.02, 850, 4},
                                     {1500, 0.03, 1700, 12}};
    struct mat mat = scene_mat();
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        struct scene scene = scene_usual(&mat);
        struct sighting sighting[MAT_TAGS_MAX];
        struct mat_pose pose;
        scene.camera.fx = scene.camera.fy = lens[i][0];
        memset(scene.camera.dist, 0, sizeof scene.camera.dist);
        scene.camera.dist[0] = lens[i][1];
        scene.pose = scene_pose(420, 300, lens[i][2], lens[i][3], -6, 3);
        int count = sightings_make(&scene, 0x3f, 0.2, sighting);
        assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose),
                         VISION_OK);
        assert_true(pose.estimated);
        assert_false(pose.coarse);
        assert_int_equal(pose.tags, 6);
        assert_true(seats_miss(&scene, &pose) < 2.0);
        /* What it says of its own error must cover the error, three times over at most. */
        double center[3], truth[3];
        calib_pose_center(&pose.pose, center);
        calib_pose_center(&scene.pose, truth);
        assert_true(fabs(pose.camera.fx / lens[i][0] - 1) < 3 * pose.focal_sigma);
        assert_true(fabs(center[2] - truth[2]) < 3 * pose.height_sigma_mm);
        assert_true(seats_miss(&scene, &pose) < 3 * pose.place_sigma_mm);
    }
}

static void should_drop_a_tag_that_was_moved(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    for (int moved = 0; moved < 6; moved++)
        for (int with = 0; with < 2; with++) {
            struct sighting sighting[MAT_TAGS_MAX];
            struct mat_pose pose;
            int count = sightings_make(&scene, 0x3f, 0.15, sighting);
            for (int i = 0; i < 4; i++) {
                sighting[moved].corner[i][0] += 9;
                sighting[moved].corner[i][1] -= 6;
            }
            assert_int_equal(
                vision_pose_solve(sighting, count, &mat, with ? &rig : NULL, 1280, 720, &pose),
                VISION_OK);
            assert_int_equal(pose.tags, 5);
            assert_true(pose.rms_px < 0.3);
            assert_true(seats_miss(&scene, &pose) < (with ? 0.5 : 4.0));
        }
}

static void should_leave_out_corners_that_are_not_firm(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x3f, 0, sighting);
    sighting[2].firm[0] = sighting[2].firm[1] = false;
    sighting[2].corner[0][0] += 20;
    sighting[2].corner[1][1] += 20;
    assert_int_equal(vision_pose_solve(sighting, count, &mat, &rig, 1280, 720, &pose), VISION_OK);
    assert_int_equal(pose.tags, 6);
    assert_true(seats_miss(&scene, &pose) < 1e-3);
}

static void should_give_a_coarse_pose_from_any_two_tags(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++)
            for (int with = 0; with < 2; with++) {
                struct sighting sighting[MAT_TAGS_MAX];
                struct mat_pose pose;
                int count = sightings_make(&scene, 1u << a | 1u << b, 0.1, sighting);
                assert_int_equal(
                    vision_pose_solve(sighting, count, &mat, with ? &rig : NULL, 1280, 720, &pose),
                    VISION_OK);
                assert_true(pose.coarse);
                assert_int_equal(pose.tags, 2);
                assert_true(seats_miss(&scene, &pose) < (with ? 15 : 60));
            }
}

static void should_find_only_a_far_seat_rough(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x3f, 0.5, sighting);
    int far = mat.seats++, rough = 0;
    for (double away_mm = 300; away_mm <= 3000; away_mm += 300) {
        mat.seat[far] = (struct mat_seat){
            .seat = far + 1, .rect_mm = {841 + away_mm, 187, 330, 220}, .up = {0, -1}};
        assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose),
                         VISION_OK);
        assert_false(pose.coarse);
        for (int i = 0; i < far; i++)
            assert_false(pose.seat_coarse[i]);
        rough += pose.seat_coarse[far];
    }
    assert_true(rough > 0);
}

static void should_trust_three_tags_only_with_a_rig(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x0d, 0.1, sighting);
    assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose), VISION_OK);
    assert_true(pose.coarse);
    assert_int_equal(vision_pose_solve(sighting, count, &mat, &rig, 1280, 720, &pose), VISION_OK);
    assert_false(pose.coarse);
    assert_true(seats_miss(&scene, &pose) < 1.0);
}

static void should_need_two_tags_of_the_mat(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    assert_int_equal(vision_pose_solve(NULL, 0, &mat, NULL, 1280, 720, &pose), VISION_E_NO_MAT);
    int count = sightings_make(&scene, 0x04, 0, sighting);
    assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose),
                     VISION_E_NO_MAT);
    count = sightings_make(&scene, 0x07, 0, sighting);
    sighting[0].id = 77;
    sighting[1].id = 78;
    assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose),
                     VISION_E_NO_MAT);
}

static void should_refuse_a_rig_of_another_resolution(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x3f, 0, sighting);
    rig.camera.width = 1920;
    rig.camera.height = 1080;
    assert_int_equal(vision_pose_solve(sighting, count, &mat, &rig, 1280, 720, &pose),
                     VISION_E_RIG_SIZE);
}

static void should_refuse_the_rig_of_another_lens(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x3f, 0.15, sighting);
    rig.camera.dist[0] = 0.25;
    assert_int_equal(vision_pose_solve(sighting, count, &mat, &rig, 1280, 720, &pose),
                     VISION_E_RIG_LENS);
    rig = rig_of(&scene);
    rig.camera.fx = rig.camera.fy = 2000;
    assert_int_equal(vision_pose_solve(sighting, count, &mat, &rig, 1280, 720, &pose),
                     VISION_E_RIG_LENS);
}

static void should_refuse_tags_that_fit_no_camera(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x3f, 30, sighting);
    assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose),
                     VISION_E_POSE);
    assert_int_equal(vision_pose_solve(sighting, count, &mat, &rig, 1280, 720, &pose),
                     VISION_E_POSE);
}

static void should_survive_corners_that_determine_nothing(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct sighting sighting[MAT_TAGS_MAX];
    struct mat_pose pose;
    int count = sightings_make(&scene, 0x3f, 0, sighting);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 4; j++)
            sighting[i].corner[j][0] = sighting[i].corner[j][1] = 100;
    assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose),
                     VISION_E_POSE);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 4; j++)
            sighting[i].corner[j][0] = NAN;
    assert_int_equal(vision_pose_solve(sighting, count, &mat, NULL, 1280, 720, &pose),
                     VISION_E_POSE);
}

/* The whole way from a drawn picture. */
static int find_drawn(const struct scene *scene, const struct rig *rig, struct mat_pose *pose)
{
    struct tag_finder *finder = vision_tag_finder_create();
    struct frame *frame = scene_draw(scene);
    assert_non_null(finder);
    assert_non_null(frame);
    int result = vision_pose_find(finder, frame, scene->mat, rig, pose);
    capture_frame_destroy(&frame);
    vision_tag_finder_destroy(&finder);
    assert_null(finder);
    return result;
}

static void should_find_the_pose_in_a_drawn_picture(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct mat_pose pose;
    assert_int_equal(find_drawn(&scene, &rig, &pose), VISION_OK);
    assert_int_equal(pose.tags, 6);
    assert_true(seats_miss(&scene, &pose) < 0.3);
    assert_int_equal(find_drawn(&scene, NULL, &pose), VISION_OK);
    assert_true(seats_miss(&scene, &pose) < 2.0);
}

static void should_say_what_a_drawn_picture_lacks(void **state)
{
    (void)state;
    struct mat mat = scene_mat();
    struct scene scene = scene_usual(&mat);
    struct rig rig = rig_of(&scene);
    struct mat_pose pose;
    scene.mirrored = true;
    assert_int_equal(find_drawn(&scene, &rig, &pose), VISION_E_MIRRORED);
    scene.mirrored = false;
    scene.covers = 1;
    scene.cover[0][0] = 420;
    scene.cover[0][1] = 300;
    scene.cover[0][2] = 2000;
    assert_int_equal(find_drawn(&scene, &rig, &pose), VISION_E_NO_MAT);
    rig.camera.width = 640;
    assert_int_equal(find_drawn(&scene, &rig, &pose), VISION_E_RIG_SIZE);
}

static void should_name_every_error(void **state)
{
    (void)state;
    for (int i = VISION_OK; i >= VISION_E_RIG_LENS; i--)
        assert_string_not_equal(vision_strerror(i), vision_strerror(-1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_be_exact_with_the_rig_and_exact_corners),
        cmocka_unit_test(should_estimate_lens_and_pose_without_a_rig),
        cmocka_unit_test(should_drop_a_tag_that_was_moved),
        cmocka_unit_test(should_leave_out_corners_that_are_not_firm),
        cmocka_unit_test(should_give_a_coarse_pose_from_any_two_tags),
        cmocka_unit_test(should_find_only_a_far_seat_rough),
        cmocka_unit_test(should_trust_three_tags_only_with_a_rig),
        cmocka_unit_test(should_need_two_tags_of_the_mat),
        cmocka_unit_test(should_refuse_a_rig_of_another_resolution),
        cmocka_unit_test(should_refuse_the_rig_of_another_lens),
        cmocka_unit_test(should_refuse_tags_that_fit_no_camera),
        cmocka_unit_test(should_survive_corners_that_determine_nothing),
        cmocka_unit_test(should_find_the_pose_in_a_drawn_picture),
        cmocka_unit_test(should_say_what_a_drawn_picture_lacks),
        cmocka_unit_test(should_name_every_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
