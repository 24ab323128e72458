/* The drawer of the tests: its pictures and its truth must agree, or nothing built on it holds. */
#include "tests/draw/cast.h"
#include "tests/draw/draw.h"
#include "tests/draw/footprint.h"
#include "tests/draw/pattern.h"
#include "tests/draw/vec.h"

#include "calib/symbol.h"

#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>
#include <jansson.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct mat small;
    struct mat *table;
    struct blockset *set;
    struct deck *deck;
    struct cardstyle *style;
    struct draw_kit kit;   /* on the small mat */
    struct drawer *drawer; /* of that kit */
    struct draw_scene scene;
    struct draw_truth truth;
};

static int world_open(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct calib_fault fault;
    if (w == NULL || calib_mat_load("a1-four", NULL, &w->table, &fault) != 0 ||
        calib_blockset_load("match-madness", NULL, &w->set, &fault) != 0 ||
        calib_deck_load("fixture", NULL, &w->deck, &fault) != 0 ||
        calib_cardstyle_load(NULL, NULL, &w->style, &fault) != 0) {
        return -1;
    }
    draw_mat_small(&w->small);
    w->kit = (struct draw_kit){&w->small, w->set, w->deck, w->style, NULL, NULL};
    w->drawer = draw_create(&w->kit);
    *state = w;
    return w->drawer != NULL ? 0 : -1;
}

static int world_close(void **state)
{
    struct world *w = *state;
    draw_destroy(&w->drawer);
    calib_mat_destroy(&w->table);
    calib_blockset_destroy(&w->set);
    calib_deck_destroy(&w->deck);
    calib_cardstyle_destroy(&w->style);
    free(w);
    return 0;
}

static struct draw_range range_of(enum draw_kind kind)
{
    struct draw_range range = draw_range_plain();
    memset(range.kind, 0, sizeof range.kind);
    range.kind[kind] = 1;
    return range;
}

/* The truth of a scene as if everything were in view, without drawing it. */
static const struct draw_truth_seat *truth_unseen(struct world *w)
{
    struct draw_seen seen;
    memset(&seen, 0, sizeof seen);
    draw_truth_fill(&w->scene, &seen, NULL, &w->truth);
    for (int i = 0; i < w->truth.seat[0].cells; i++) {
        w->truth.seat[0].cell[i].visible = 1.0;
    }
    w->truth.seat[0].least_visible = 1.0;
    return &w->truth.seat[0];
}

static void should_draw_the_same_bytes_for_the_same_seed(void **state)
{
    struct world *w = *state;
    struct draw_range range = draw_range_hard();
    struct draw_picture one, two, other;
    assert_int_equal(draw_scene_random(&w->kit, 5, &range, &w->scene), 0);
    assert_int_equal(draw_picture(w->drawer, &w->scene, &one), 0);
    assert_int_equal(draw_scene_random(&w->kit, 5, &range, &w->scene), 0);
    assert_int_equal(draw_picture(w->drawer, &w->scene, &two), 0);
    assert_int_equal(draw_scene_random(&w->kit, 6, &range, &w->scene), 0);
    assert_int_equal(draw_picture(w->drawer, &w->scene, &other), 0);
    assert_int_equal(one.jpeg_length, two.jpeg_length);
    assert_memory_equal(one.jpeg, two.jpeg, one.jpeg_length);
    assert_memory_equal(one.truth, two.truth, sizeof *one.truth);
    assert_true(other.jpeg_length != one.jpeg_length ||
                memcmp(one.jpeg, other.jpeg, one.jpeg_length) != 0);
    draw_picture_free(&one);
    draw_picture_free(&two);
    draw_picture_free(&other);
}

/* Rays are interpolated between those of the lens model: they must still meet the mat where the
 * model puts its points into the picture. */
static void should_cast_rays_as_the_lens_projects(void **state)
{
    struct world *w = *state;
    struct draw_range range = draw_range_hard();
    for (uint64_t seed = 0; seed < 20; seed++) {
        assert_int_equal(draw_scene_random(&w->kit, seed, &range, &w->scene), 0);
        struct draw_cast *cast = draw_cast_create(&w->scene);
        assert_non_null(cast);
        for (int i = 0; i < 80; i++) {
            int col = i % 10, row = i / 10;
            double point[3] = {40.0 * col + 5.0, 37.0 * row + 3.0, 0.0}, pixel[2];
            struct vec ray, eye = draw_cast_eye(cast);
            assert_true(calib_camera_project(&w->scene.camera, &w->scene.pose, point, pixel));
            assert_true(draw_cast_ray(cast, pixel[0], pixel[1], &ray));
            struct vec met = vec_along(eye, ray, -eye.z / ray.z);
            double mm_per_px = -eye.z / w->scene.camera.fx;
            assert_true(hypot(met.x - point[0], met.y - point[1]) < 0.02 * mm_per_px);
        }
        draw_cast_destroy(&cast);
    }
}

/* Distance of a found tag's middle from the true one. libapriltag puts the middle of the first
 * pixel at 0.5. The middle, as the corners of any dark square on white move inward where a tone
 * curve brightens the mixed pixels at its edge: by 0.2 to 0.4 px in a sharp picture. */
static double tag_error(const struct draw_truth_tag *tag, double p[4][2])
{
    double off[2] = {0, 0};
    for (int i = 0; i < 8; i++) {
        off[i % 2] += (p[i / 2][i % 2] - 0.5 - tag->corner_px[i / 2][i % 2]) / 4.0;
    }
    return hypot(off[0], off[1]);
}

/* Do the found corners stand where they belong, in libapriltag's order from the bottom left? */
static bool tag_turned_right(const struct draw_truth_tag *tag, double p[4][2])
{
    for (int i = 0; i < 4;
         i++) { /* the kit's tags are turned by half: their bottom left is our top right */
        const double *corner = tag->corner_px[(5 - i) % 4];
        if (hypot(p[i][0] - 0.5 - corner[0], p[i][1] - 0.5 - corner[1]) > 1.0) {
            return false;
        }
    }
    return true;
}

/* How many of the truth's tags libapriltag finds in place, to `limit` px, and turned right. */
static int tags_found(const struct draw_picture *picture, double limit)
{
    apriltag_family_t *family = tag36h11_create();
    apriltag_detector_t *detector = apriltag_detector_create();
    apriltag_detector_add_family(detector, family);
    detector->quad_decimate = 1.0f;
    image_u8_t image = {.width = picture->frame->width,
                        .height = picture->frame->height,
                        .stride = (int32_t)picture->frame->y_stride,
                        .buf = picture->frame->y};
    zarray_t *found = apriltag_detector_detect(detector, &image);
    int good = 0;
    for (int i = 0; i < zarray_size(found); i++) {
        apriltag_detection_t *detection;
        zarray_get(found, i, &detection);
        for (int k = 0; k < picture->truth->tags; k++) {
            if (picture->truth->tag[k].id == detection->id) {
                good += tag_error(&picture->truth->tag[k], detection->p) < limit &&
                        tag_turned_right(&picture->truth->tag[k], detection->p);
            }
        }
    }
    apriltag_detections_destroy(found);
    apriltag_detector_destroy(detector);
    tag36h11_destroy(family);
    return good;
}

static void should_show_the_tags_where_the_truth_says(void **state)
{
    struct world *w = *state;
    struct draw_range range = draw_range_plain();
    struct draw_picture picture;
    for (uint64_t seed = 0; seed < 3; seed++) {
        const struct draw_range bent = {
            .tilt_deg = {20, 25}, .roll_deg = {-180, 180}, .k1 = {-0.1, -0.05}};
        if (seed > 0) { /* tilted, turned, through a bent lens */
            memcpy(range.tilt_deg, bent.tilt_deg, sizeof range.tilt_deg);
            memcpy(range.roll_deg, bent.roll_deg, sizeof range.roll_deg);
            memcpy(range.k1, bent.k1, sizeof range.k1);
        }
        assert_int_equal(draw_scene_random(&w->kit, seed, &range, &w->scene), 0);
        w->scene.optics.blur_px = 0.7; /* a picture without any blur misleads edge finders */
        assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
        assert_int_equal(tags_found(&picture, 0.3), 6);
        draw_picture_free(&picture);
    }
}

/* The symbol whose field is nearest in colour to the picture at the cell's four corners, inside
 * the rim and outside every shape. */
static char cell_looks_like(const struct world *w, const struct draw_picture *picture,
                            const struct draw_truth_cell *cell)
{
    double sum[3] = {0, 0, 0}, least = 1e9;
    char best = 0;
    for (int i = 0; i < 4; i++) {
        double x = cell->center_px[0] + 0.76 * (cell->corner_px[i][0] - cell->center_px[0]);
        double y = cell->center_px[1] + 0.76 * (cell->corner_px[i][1] - cell->center_px[1]);
        const uint8_t *p = picture->rgb + 3 * ((size_t)lround(y) * (size_t)picture->frame->width +
                                               (size_t)lround(x));
        for (int k = 0; k < 3; k++) {
            sum[k] += calib_srgb_to_linear(p[k]);
        }
    }
    for (int s = 0; s < w->set->symbols; s++) {
        const struct rgb8 field = w->set->symbol[s].field;
        const double want[3] = {calib_srgb_to_linear(field.r), calib_srgb_to_linear(field.g),
                                calib_srgb_to_linear(field.b)};
        double dot = 0.0, a = 0.0, b = 0.0;
        for (int k = 0; k < 3; k++) {
            dot += want[k] * sum[k];
            a += want[k] * want[k];
            b += sum[k] * sum[k];
        }
        double off = 1.0 - dot / sqrt(a * b);
        if (off < least) {
            least = off;
            best = w->set->symbol[s].label;
        }
    }
    return best;
}

static void should_show_each_symbol_where_the_truth_says(void **state)
{
    struct world *w = *state;
    struct draw_range range = draw_range_plain();
    range.any_angle = 1.0;
    range.tilt_deg[1] = 20.0;
    range.roll_deg[1] = 360.0;
    for (uint64_t seed = 10; seed < 16; seed++) {
        struct draw_picture picture;
        assert_int_equal(draw_scene_random(&w->kit, seed, &range, &w->scene), 0);
        assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
        const struct draw_truth_seat *seat = &picture.truth->seat[0];
        assert_int_equal(seat->cells, 10);
        for (int i = 0; i < seat->cells; i++) {
            assert_true(seat->cell[i].visible > 0.85 && seat->cell[i].visible <= 1.0);
            assert_int_equal(cell_looks_like(w, &picture, &seat->cell[i]), seat->cell[i].symbol);
            assert_int_equal(seat->grid.cell[seat->cell[i].row][seat->cell[i].col],
                             seat->cell[i].symbol);
        }
        draw_picture_free(&picture);
    }
}

static void should_keep_what_was_built_in_view_and_free_of_overlap(void **state)
{
    struct world *w = *state;
    struct draw_range range = draw_range_hard();
    for (uint64_t seed = 0; seed < 400; seed++) {
        double away[2];
        assert_int_equal(draw_scene_random(&w->kit, seed, &range, &w->scene), 0);
        truth_unseen(w);
        for (int i = 0; i < w->truth.tags * 4; i++) {
            const double *corner = w->truth.tag[i / 4].corner_px[i % 4];
            assert_true(corner[0] > 0 && corner[0] < w->scene.camera.width - 1);
            assert_true(corner[1] > 0 && corner[1] < w->scene.camera.height - 1);
        }
        for (int i = 0; i < w->scene.blocks; i++) {
            for (int k = 0; k < i; k++) {
                struct draw_footprint a = draw_footprint_of(w->set, &w->scene.block[i]);
                struct draw_footprint b = draw_footprint_of(w->set, &w->scene.block[k]);
                assert_true(draw_footprint_overlap(&a, &b, away) < 0.5);
            }
        }
    }
}

static void should_rule_as_the_kind_of_scene_demands(void **state)
{
    struct world *w = *state;
    static const enum draw_kind no_match[] = {DRAW_NEAR, DRAW_PARTIAL, DRAW_STANDING, DRAW_EMPTY,
                                              DRAW_EXTRA};
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct draw_range range = range_of(DRAW_MATCH);
        assert_int_equal(draw_scene_random(&w->kit, seed, &range, &w->scene), 0);
        const struct draw_truth_seat *seat = truth_unseen(w);
        assert_int_equal(draw_truth_allowed(seat, &w->scene.card[0].card.grid), DRAW_RULE_MATCH);
        for (size_t i = 0; i < sizeof no_match / sizeof *no_match; i++) {
            range = range_of(no_match[i]);
            assert_int_equal(draw_scene_random(&w->kit, seed, &range, &w->scene), 0);
            seat = truth_unseen(w);
            assert_int_equal(draw_truth_allowed(seat, &w->scene.card[0].card.grid),
                             DRAW_RULE_NO_MATCH);
        }
    }
}

/* Five blocks in two columns, upright, on a grid of the width. */
static void scene_tower(struct world *w)
{
    struct draw_range range = range_of(DRAW_EMPTY);
    assert_int_equal(draw_scene_random(&w->kit, 1, &range, &w->scene), 0);
    for (int i = 0; i < 5; i++) {
        struct draw_block *block = &w->scene.block[w->scene.blocks++];
        memset(block, 0, sizeof *block);
        block->block = i;
        block->center_mm[0] = i < 3 ? 140.0 : 210.5;
        block->center_mm[1] = 150.0 + 35.5 * (i % 3);
    }
}

static unsigned tower_classes(struct world *w, int block, double shift_mm, double turn_deg)
{
    scene_tower(w);
    w->scene.block[block].center_mm[0] += shift_mm;
    w->scene.block[block].turn_deg += turn_deg;
    return truth_unseen(w)->classes;
}

static void should_tell_how_well_a_layout_is_aligned(void **state)
{
    struct world *w = *state;
    assert_int_equal(tower_classes(w, 0, 0.0, 0.0), ALIGN_ON);
    assert_true(w->truth.seat[0].off_pitch < 0.05);
    assert_int_equal(tower_classes(w, 0, -5.0, 0.0), ALIGN_ON);
    /* A third to nearly half a pitch: never clearly on. */
    assert_true(tower_classes(w, 0, -14.0, 0.0) & (ALIGN_DOUBTFUL | ALIGN_OFF));
    assert_int_equal(tower_classes(w, 2, 0.0, 7.0), ALIGN_ON);
    assert_true(tower_classes(w, 2, 0.0, 18.5) & ALIGN_DOUBTFUL);
    assert_false(tower_classes(w, 2, 0.0, 18.5) & ALIGN_ON);
    assert_true(tower_classes(w, 2, 0.0, 32.0) & ALIGN_OFF);
    assert_false(tower_classes(w, 2, 0.0, 32.0) & ALIGN_ON);
    /* A whole pitch away is a place of the grid again; further, the block lies apart. */
    assert_int_equal(tower_classes(w, 4, 35.5, 0.0), ALIGN_ON);
    assert_int_equal(tower_classes(w, 4, 71.0, 0.0) & ALIGN_ON, ALIGN_ON);
    assert_int_equal(tower_classes(w, 4, 36.5 * 3, 0.0), ALIGN_OFF);
}

static void should_measure_offset_and_turn_of_a_known_grid(void **state)
{
    struct world *w = *state;
    struct align_block block[5];
    struct align_fit fit;
    scene_tower(w);
    double c = cos(30.0 * DRAW_DEG), s = sin(30.0 * DRAW_DEG);
    for (int i = 0; i < 5; i++) {
        block[i].turn_deg = 30.0 + (i == 3 ? 10.0 : 0.0);
        for (int half = 0; half < 2; half++) { /* pitch 40 mm, turned by 30 degrees */
            int col = 2 * (i / 3) + half, row = i % 3;
            double x = 40.0 * col, y = 40.0 * row;
            block[i].cell[half][0] = 7.0 + c * x - s * y;
            block[i].cell[half][1] = -3.0 + s * x + c * y;
        }
    }
    draw_align_fit(block, 5, 35.0, 2.0, &fit);
    assert_true(fit.found);
    assert_true(fabs(fit.pitch_mm - 40.0) < 1e-6 && fit.off_pitch < 1e-6);
    assert_true(fabs(fit.off_deg - 10.0) < 1e-6);
}

static void should_weigh_doubt_and_hidden_cells_in_its_rulings(void **state)
{
    struct world *w = *state;
    struct grid other;
    scene_tower(w);
    struct draw_truth_seat seat = *truth_unseen(w);
    const struct grid own = seat.grid, turned = calib_grid_turn(&own, 1),
                      mirrored = calib_grid_mirror(&own);
    assert_int_equal(calib_grid_parse("x", 1, &other), 0);
    assert_int_equal(draw_truth_allowed(&seat, &own), DRAW_RULE_MATCH);
    assert_int_equal(draw_truth_allowed(&seat, &turned), DRAW_RULE_MATCH);
    assert_int_equal(draw_truth_allowed(&seat, &mirrored), DRAW_RULE_NO_MATCH);
    assert_int_equal(draw_truth_allowed(&seat, &other), DRAW_RULE_NO_MATCH);
    seat.foreign = true;
    assert_int_equal(draw_truth_allowed(&seat, &own), DRAW_RULE_MATCH | DRAW_RULE_CANNOT_TELL);
    seat.least_visible = 0.2;
    assert_int_equal(draw_truth_allowed(&seat, &own), DRAW_RULE_CANNOT_TELL);
    assert_int_equal(draw_truth_allowed(&seat, &other), DRAW_RULE_NO_MATCH | DRAW_RULE_CANNOT_TELL);
    seat.foreign = false;
    seat.least_visible = 1.0;
    seat.most_bleached = 0.5;
    assert_int_equal(draw_truth_allowed(&seat, &own), DRAW_RULE_MATCH | DRAW_RULE_CANNOT_TELL);
    seat.most_bleached = 0.0;
    seat.classes = ALIGN_DOUBTFUL;
    assert_int_equal(draw_truth_allowed(&seat, &own), DRAW_RULE_CANNOT_TELL);
    assert_int_equal(draw_truth_allowed(&seat, &other), DRAW_RULE_CANNOT_TELL | DRAW_RULE_NO_MATCH);
    seat.classes = ALIGN_OFF;
    assert_int_equal(draw_truth_allowed(&seat, &own), DRAW_RULE_NO_MATCH);
}

static void should_see_less_of_a_cell_under_a_hand_and_outside_the_picture(void **state)
{
    struct world *w = *state;
    struct draw_picture picture;
    scene_tower(w);
    struct draw_part *part = &w->scene.part[w->scene.parts++];
    memset(part, 0, sizeof *part);
    part->shape = DRAW_CAPSULE; /* over the first cell of block 1 */
    part->thing = DRAW_THING_HAND;
    part->a[0] = part->b[0] = w->scene.block[0].center_mm[0] - 17.5;
    part->a[1] = w->scene.block[0].center_mm[1] - 30.0;
    part->b[1] = w->scene.block[0].center_mm[1] + 10.0;
    part->a[2] = part->b[2] = -50.0;
    part->radius_mm = 9.0;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    assert_true(picture.truth->seat[0].foreign);
    assert_true(picture.truth->seat[0].cell[0].visible < 0.75);
    assert_true(picture.truth->seat[0].cell[6].visible > 0.9);
    draw_picture_free(&picture);

    scene_tower(w);
    w->scene.camera.cx -= w->scene.camera.width * 0.45; /* looks past the left column */
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    assert_false(picture.truth->seat[0].foreign);
    assert_true(picture.truth->seat[0].least_visible < 0.1);
    draw_picture_free(&picture);
}

/* Mean of a picture's green over a small square around a place given in shares of an end's sides.
 */
static double end_green(const struct draw_picture *picture, const struct draw_truth_end *end,
                        double u, double v)
{
    double px[2], sum = 0;
    for (int k = 0; k < 2; k++)
        px[k] = (1 - v) * ((1 - u) * end->corner_px[0][k] + u * end->corner_px[1][k]) +
                v * ((1 - u) * end->corner_px[3][k] + u * end->corner_px[2][k]);
    for (int k = 0; k < 9; k++) {
        int x = (int)lrint(px[0]) + k % 3 - 1, y = (int)lrint(px[1]) + k / 3 - 1;
        sum += picture->rgb[((size_t)y * (size_t)picture->frame->width + (size_t)x) * 3 + 1];
    }
    return sum / 9;
}

/* The end of a standing block lies open to the light: its pips are as white as its rim, its field
 * even. */
static void should_light_the_ends_of_standing_blocks(void **state)
{
    struct world *w = *state;
    struct draw_picture picture;
    scene_tower(w);
    w->scene.block[4].standing = true;
    w->scene.block[4].center_mm[0] = 270.0;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    assert_int_equal(picture.truth->seat[0].ends, 1);
    const struct draw_truth_end *end = &picture.truth->seat[0].end[0];
    double middle = end_green(&picture, end, 0.5, 0.5); /* number 5 has a pip there */
    double field = end_green(&picture, end, 0.5, 0.2), other = end_green(&picture, end, 0.2, 0.5);
    double rim = end_green(&picture, end, 0.5, 0.03);
    assert_true(middle > field + 60 && fabs(middle - rim) < 30 && fabs(field - other) < 15);
    draw_picture_free(&picture);
}

static void should_bleach_what_the_exposure_burns(void **state)
{
    struct world *w = *state;
    struct draw_picture picture;
    scene_tower(w);
    w->scene.optics.white = 0.5;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    assert_true(picture.truth->seat[0].most_bleached < 0.02);
    draw_picture_free(&picture);
    w->scene.optics.white = 300.0;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    assert_true(picture.truth->seat[0].most_bleached > 0.9);
    draw_picture_free(&picture);
}

static void should_build_cards_from_the_blocks(void **state)
{
    struct world *w = *state;
    struct draw_random random = draw_random_seed(3, 3);
    struct draw_pattern pattern;
    struct grid grid;
    for (int i = 0; i < w->deck->cards; i++) {
        const struct grid *card = &w->deck->card[i].grid;
        assert_true(draw_pattern_solve(w->set, card, &random, &pattern));
        assert_true(draw_pattern_grid(w->set, &pattern, &grid));
        assert_true(calib_grid_equal(&grid, card));
        assert_int_not_equal(draw_pattern_change(w->set, &random, &pattern), DRAW_CHANGE_NONE);
        assert_true(draw_pattern_grid(w->set, &pattern, &grid));
        assert_int_equal(calib_grid_quarters(&grid, card), -1);
    }
    for (int i = 0; i < 50; i++) {
        assert_true(draw_pattern_random(w->set, 4, &random, &pattern));
        assert_true(draw_pattern_grid(w->set, &pattern, &grid));
        assert_int_equal(calib_grid_count(&grid), 10);
        assert_true(grid.rows <= 4 && grid.cols <= 4);
        assert_true(draw_pattern_solve(w->set, &grid, &random, &pattern));
    }
    assert_int_equal(calib_grid_parse("xxxxxxxxxx", 10, &grid), 0);
    assert_false(draw_pattern_solve(w->set, &grid, &random, &pattern));
}

static void should_give_a_frame_like_a_camera(void **state)
{
    struct world *w = *state;
    struct draw_range range = draw_range_usual();
    struct draw_picture picture;
    assert_int_equal(draw_scene_random(&w->kit, 21, &range, &w->scene), 0);
    w->scene.optics.quality = 92;
    w->scene.optics.cx_shift = w->scene.optics.cy_shift = 1;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    const struct frame *frame = picture.frame;
    assert_true(frame->has_colour && frame->cx_shift == 1 && frame->cy_shift == 1);
    assert_int_equal(frame->width, w->scene.camera.width);
    double off = 0.0;
    for (int y = 0; y < frame->height; y++) {
        for (int x = 0; x < frame->width; x++) {
            const uint8_t *p = picture.rgb + 3 * (y * frame->width + x);
            double luma = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
            off += fabs(luma - frame->y[(size_t)y * frame->y_stride + (size_t)x]);
        }
    }
    assert_true(off / (frame->width * frame->height) < 4.0);
    draw_picture_free(&picture);
    w->scene.optics.quality = 0;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    assert_null(picture.jpeg);
    assert_int_equal(picture.frame->cx_shift, 0);
    draw_picture_free(&picture);
}

static void should_write_its_truth_as_the_fixtures_do(void **state)
{
    struct world *w = *state;
    struct draw_range range = range_of(DRAW_MATCH);
    char *text = NULL;
    size_t length = 0;
    range.from_deck = 1.0;
    assert_int_equal(draw_scene_random(&w->kit, 4, &range, &w->scene), 0);
    truth_unseen(w);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(draw_truth_write_json(&w->scene, &w->truth, "a.jpg", out), 0);
    assert_int_equal(fclose(out), 0);
    json_t *root = json_loadb(text, length, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "format")), "tableref-truth/1");
    json_t *seat = json_array_get(json_object_get(root, "seats"), 0);
    json_t *card = json_array_get(json_object_get(root, "cards"), 0);
    assert_int_equal(json_array_size(json_object_get(seat, "cells")), 10);
    assert_true(json_is_string(json_object_get(seat, "grid")));
    const char *id = json_string_value(json_object_get(card, "card"));
    assert_non_null(id);
    json_t *allowed = json_object_get(json_object_get(seat, "allowed"), id);
    assert_true(json_array_size(allowed) >= 1);
    assert_int_equal(json_array_size(json_object_get(json_object_get(root, "camera"), "R")), 3);
    json_decref(root);
    free(text);
}

static void should_draw_a_whole_table(void **state)
{
    struct world *w = *state;
    struct draw_kit kit = w->kit;
    kit.mat = w->table;
    struct draw_range range = draw_range_usual();
    struct draw_picture picture;
    struct drawer *drawer = draw_create(&kit);
    assert_non_null(drawer);
    range.width_px = 1280;
    range.height_px = 720;
    range.all_slots = 1.0;
    assert_int_equal(draw_scene_random(&kit, 2, &range, &w->scene), 0);
    assert_int_equal(draw_picture(drawer, &w->scene, &picture), 0);
    assert_int_equal(picture.frame->width, 1280);
    assert_int_equal(picture.truth->seats, 4);
    assert_int_equal(picture.truth->cards, 5);
    assert_true(tags_found(&picture, 0.5) >= 4);
    draw_picture_free(&picture);
    draw_destroy(&drawer);
}

static void should_draw_numbers_evenly(void **state)
{
    struct draw_random random = draw_random_seed(1, 1), other = draw_random_seed(1, 2);
    double sum = 0.0, square = 0.0;
    int count[5] = {0};
    (void)state;
    assert_true(draw_random_bits(&random) != draw_random_bits(&other));
    for (int i = 0; i < 20000; i++) {
        double n = draw_random_normal(&random);
        sum += n;
        square += n * n;
        count[draw_random_below(&random, 5)]++;
    }
    assert_true(fabs(sum / 20000) < 0.03 && fabs(square / 20000 - 1.0) < 0.04);
    for (int i = 0; i < 5; i++) {
        assert_true(count[i] > 3700 && count[i] < 4300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_draw_numbers_evenly),
        cmocka_unit_test(should_build_cards_from_the_blocks),
        cmocka_unit_test(should_draw_the_same_bytes_for_the_same_seed),
        cmocka_unit_test(should_cast_rays_as_the_lens_projects),
        cmocka_unit_test(should_show_the_tags_where_the_truth_says),
        cmocka_unit_test(should_show_each_symbol_where_the_truth_says),
        cmocka_unit_test(should_keep_what_was_built_in_view_and_free_of_overlap),
        cmocka_unit_test(should_rule_as_the_kind_of_scene_demands),
        cmocka_unit_test(should_tell_how_well_a_layout_is_aligned),
        cmocka_unit_test(should_measure_offset_and_turn_of_a_known_grid),
        cmocka_unit_test(should_weigh_doubt_and_hidden_cells_in_its_rulings),
        cmocka_unit_test(should_see_less_of_a_cell_under_a_hand_and_outside_the_picture),
        cmocka_unit_test(should_bleach_what_the_exposure_burns),
        cmocka_unit_test(should_light_the_ends_of_standing_blocks),
        cmocka_unit_test(should_give_a_frame_like_a_camera),
        cmocka_unit_test(should_write_its_truth_as_the_fixtures_do),
        cmocka_unit_test(should_draw_a_whole_table),
    };
    return cmocka_run_group_tests_name("draw", tests, world_open, world_close);
}
