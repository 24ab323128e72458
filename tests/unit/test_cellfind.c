/* Places where a cell may lie, found on printed patches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/patch_scene.h"
#include "vision/cellfind.h"

#define SIDE 24
#define WIDTH 260
#define HEIGHT 200
#define NEAR_PX 3.0

struct world {
    struct blockset *set;
    struct cell_finder *finder;
    struct patch patch;
    float whiteness[WIDTH * HEIGHT];
    struct candidate found[CANDIDATES_MAX];
};

static int world_open(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct calib_fault fault;
    *state = w;
    if (!w || calib_blockset_load("match-madness", NULL, &w->set, &fault) != 0)
        return -1;
    w->finder = vision_cell_finder_create(w->set);
    return w->finder ? 0 : -1;
}

static int world_close(void **state)
{
    struct world *w = *state;
    vision_cell_finder_destroy(&w->finder);
    assert_null(w->finder);
    vision_cell_finder_destroy(&w->finder);
    calib_blockset_destroy(&w->set);
    vision_patch_free(&w->patch);
    free(w);
    return 0;
}

/* Ten cells, touching in blocks and rows, turned as one. */
static struct patch_scene scene_of(const struct world *w, double turn_rad, double gap_px)
{
    static const int place[10][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {1, 0},
                                     {1, 1}, {2, 0}, {3, 0}, {3, 1}, {3, 2}};
    struct patch_scene s = patch_scene_start(w->set, WIDTH, HEIGHT);
    double c = cos(turn_rad) * (SIDE + gap_px), n = sin(turn_rad) * (SIDE + gap_px);
    for (int i = 0; i < 10; i++) {
        double col = place[i][1] - 1, row = place[i][0] - 1.5;
        s.cell[s.cells++] = (struct patch_cell){i % w->set->symbols, 130 + c * col - n * row,
                                                100 + n * col + c * row, turn_rad, SIDE};
    }
    return s;
}

static int find(struct world *w, const struct patch_scene *s)
{
    assert_true(patch_scene_draw(s, &w->patch));
    patch_scene_whiteness(s, &w->patch, w->whiteness);
    return vision_cells_find(w->finder, w->whiteness, s->width, s->height, SIDE, w->found);
}

/* The candidate at a cell, or NULL; its turn within the finder's steps. */
static const struct candidate *candidate_at(const struct world *w, int count,
                                            const struct patch_cell *cell)
{
    for (int i = 0; i < count; i++) {
        const struct cell_place *p = &w->found[i].place;
        double off = (double)p->turn_rad - cell->turn_rad;
        off -= M_PI_2 * floor(off / M_PI_2 + 0.5);
        if (hypot((double)p->x - cell->x, (double)p->y - cell->y) < NEAR_PX && fabs(off) < 0.2)
            return &w->found[i];
    }
    return NULL;
}

static int cells_found(const struct world *w, int count, const struct patch_scene *s)
{
    int found = 0;
    for (int i = 0; i < s->cells; i++)
        found += candidate_at(w, count, &s->cell[i]) != NULL;
    return found;
}

static void assert_in_order(const struct world *w, int count)
{
    for (int i = 0; i < count; i++) {
        assert_true(w->found[i].score > 0 && w->found[i].score <= 1);
        assert_true(i == 0 || w->found[i].score <= w->found[i - 1].score);
        for (int j = 0; j < i; j++)
            assert_true(hypotf(w->found[i].place.x - w->found[j].place.x,
                               w->found[i].place.y - w->found[j].place.y) > 0.5f * SIDE);
    }
}

static void should_find_every_cell_at_any_turn(void **state)
{
    struct world *w = *state;
    for (int turn = 0; turn < 90; turn += 9) {
        struct patch_scene s = scene_of(w, turn * M_PI / 180, 0.5);
        int count = find(w, &s);
        assert_int_equal(cells_found(w, count, &s), 10);
        assert_in_order(w, count);
        assert_true(w->found[0].score > 0.3f);
    }
}

static void should_find_cells_that_touch_in_a_soft_and_noisy_picture(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0.3, 0);
    s.soft_px = 3;
    s.noise = 0.03f;
    int count = find(w, &s);
    assert_int_equal(cells_found(w, count, &s), 10);
}

static void should_find_nothing_on_an_empty_mat(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0, 0.5);
    assert_true(find(w, &s) >= 10);
    s.cells = 0;
    assert_int_equal(find(w, &s), 0);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        w->whiteness[i] = 0; /* in the dark */
    assert_int_equal(vision_cells_find(w->finder, w->whiteness, WIDTH, HEIGHT, SIDE, w->found), 0);
}

static void should_score_a_shadow_s_edge_below_any_cell(void **state)
{
    struct world *w = *state;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        w->whiteness[i] = i % WIDTH < 130 ? 0.35f : 0.95f;
    int count = vision_cells_find(w->finder, w->whiteness, WIDTH, HEIGHT, SIDE, w->found);
    assert_true(count == 0 || w->found[0].score < 0.16f); /* which the seat reader asks for */
}

static void should_miss_just_the_cell_that_is_taken_away(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0.2, 0.5);
    struct patch_cell gone = s.cell[9];
    int count = find(w, &s);
    assert_non_null(candidate_at(w, count, &gone));
    s.cells = 9;
    count = find(w, &s);
    assert_int_equal(cells_found(w, count, &s), 9);
    assert_null(candidate_at(w, count, &gone));
}

static void should_find_a_cell_that_lost_a_side_to_glare(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0, 3);
    const struct patch_cell *cell = &s.cell[9];
    assert_true(patch_scene_draw(&s, &w->patch));
    patch_scene_whiteness(&s, &w->patch, w->whiteness);
    for (int y = (int)cell->y - SIDE / 2; y <= (int)cell->y + SIDE / 2; y++)
        for (int x = (int)cell->x + SIDE / 4; x <= (int)cell->x + SIDE / 2 + 3; x++)
            w->whiteness[y * WIDTH + x] = 1;
    int count = vision_cells_find(w->finder, w->whiteness, WIDTH, HEIGHT, SIDE, w->found);
    assert_int_equal(cells_found(w, count, &s), 10);
}

/* A veil of mirrored light over all of a layout: white lies above 1, fields near it. */
static void should_find_cells_under_a_veil(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0.1, 0.5);
    assert_true(patch_scene_draw(&s, &w->patch));
    patch_scene_whiteness(&s, &w->patch, w->whiteness);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        w->whiteness[i] += 0.9f;
    int count = vision_cells_find(w->finder, w->whiteness, WIDTH, HEIGHT, SIDE, w->found);
    assert_int_equal(cells_found(w, count, &s), 10);
}

static void should_stay_in_bounds_when_a_patch_is_full_or_tiny(void **state)
{
    struct world *w = *state;
    struct draw_random random = draw_random_seed(5, 1);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        w->whiteness[i] = (float)draw_random_range(&random, -1, 3);
    int count = vision_cells_find(w->finder, w->whiteness, WIDTH, HEIGHT, SIDE, w->found);
    assert_in_range(count, 0, CANDIDATES_MAX);
    assert_in_order(w, count);
    for (int i = 0; i < WIDTH * HEIGHT; i++) /* rims as a net: a candidate in every mesh */
        w->whiteness[i] = i % WIDTH % 24 < 3 || i / WIDTH % 24 < 3 ? 1 : 0;
    count = vision_cells_find(w->finder, w->whiteness, WIDTH, HEIGHT, SIDE, w->found);
    assert_int_equal(count, CANDIDATES_MAX);
    assert_in_order(w, count);
    for (int side = 1; side < 60; side++) {
        count = vision_cells_find(w->finder, w->whiteness, side, 61 - side, SIDE, w->found);
        assert_in_range(count, 0, CANDIDATES_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_every_cell_at_any_turn),
        cmocka_unit_test(should_find_cells_that_touch_in_a_soft_and_noisy_picture),
        cmocka_unit_test(should_find_nothing_on_an_empty_mat),
        cmocka_unit_test(should_score_a_shadow_s_edge_below_any_cell),
        cmocka_unit_test(should_miss_just_the_cell_that_is_taken_away),
        cmocka_unit_test(should_find_a_cell_that_lost_a_side_to_glare),
        cmocka_unit_test(should_find_cells_under_a_veil),
        cmocka_unit_test(should_stay_in_bounds_when_a_patch_is_full_or_tiny),
    };
    return cmocka_run_group_tests(tests, world_open, world_close);
}
