/* The grid through the cells' centres, against exact places and against the drawer's own fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/draw/align.h"
#include "tests/draw/random.h"
#include "vision/lattice.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define WIDTH 35.0 /* of a block, mm */
#define PITCH_MAX 1.25
#define REACH 0.47 /* as the seat reader's: the rules' 0.45 and what measuring takes */
#define CELLS 10
#define DEG (M_PI / 180)

/* Five blocks, cells 2 i and 2 i + 1 each; the last one hangs on at the lower right. */
static const int shape[CELLS][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 2}, {1, 0},
                                    {1, 1}, {2, 0}, {3, 0}, {3, 1}, {3, 2}};
#define LAST 8 /* first cell of the last block */

struct stand {
    double x, y, turn_deg, pitch; /* pitch in widths */
};

static struct lattice_point point_at(const struct stand *s, double row, double col)
{
    double c = cos(s->turn_deg * DEG) * s->pitch * WIDTH,
           n = sin(s->turn_deg * DEG) * s->pitch * WIDTH;
    return (struct lattice_point){s->x + c * col - n * row, s->y + n * col + c * row,
                                  s->turn_deg * DEG, 1};
}

static void layout_make(const struct stand *s, struct lattice_point point[CELLS])
{
    for (int i = 0; i < CELLS; i++)
        point[i] = point_at(s, shape[i][0], shape[i][1]);
}

/* Moves the last block, in pitches along the rows and along the columns. */
static void block_move(const struct stand *s, double cols, double rows, struct lattice_point *point)
{
    for (int i = LAST; i < LAST + 2; i++) {
        double weight = point[i].weight;
        point[i] = point_at(s, shape[i][0] + rows, shape[i][1] + cols);
        point[i].weight = weight;
    }
}

static int fit(const struct lattice_point *point, int points, struct lattice *l)
{
    return vision_lattice_fit(point, points, WIDTH, PITCH_MAX, REACH, l);
}

static double largest_off(const struct lattice *l, int points)
{
    double most = 0;
    for (int i = 0; i < points; i++)
        most = fmax(most, l->on[i] ? l->off[i] : 1);
    return most;
}

/* Every place of the grid that is taken lies where its point does, no two points on one. */
static void assert_places(const struct lattice *l, const struct lattice_point *point, int points,
                          double within_mm)
{
    for (int i = 0; i < points; i++) {
        double xy[2];
        assert_true(l->on[i]);
        assert_in_range(l->row[i], 0, l->rows - 1);
        assert_in_range(l->col[i], 0, l->cols - 1);
        vision_lattice_at(l, l->row[i], l->col[i], xy);
        assert_true(hypot(xy[0] - point[i].x, xy[1] - point[i].y) <= within_mm);
        for (int j = 0; j < i; j++)
            assert_false(l->row[i] == l->row[j] && l->col[i] == l->col[j]);
    }
}

static void should_find_an_exact_grid_at_any_turn_and_pitch(void **state)
{
    (void)state;
    for (double pitch = 1.0; pitch < 1.26; pitch += 0.05)
        for (int turn = 0; turn <= 90; turn += 3) {
            struct lattice_point point[CELLS];
            struct lattice l;
            const struct stand s = {100 + turn, 200 - turn, turn, pitch};
            layout_make(&s, point);
            assert_int_equal(fit(point, CELLS, &l), CELLS);
            assert_places(&l, point, CELLS, 1e-6);
            assert_true(fabs(l.pitch - pitch * WIDTH) < 1e-6);
            assert_true(fabs(l.turn_rad) < M_PI_4 + 1e-9);
            assert_true(largest_off(&l, CELLS) < 1e-9);
            assert_true((l.rows == 4 && l.cols == 3) || (l.rows == 3 && l.cols == 4));
        }
}

/* The turn is that of the rows as they run across the picture: past 45 degrees they run down, and
 * what were columns are rows. */
static void should_give_rows_and_columns_by_the_nearest_quarter_turn(void **state)
{
    (void)state;
    struct lattice_point point[CELLS];
    struct lattice l;
    layout_make(&(struct stand){0, 0, 40, 1.05}, point);
    assert_int_equal(fit(point, CELLS, &l), CELLS);
    assert_true(fabs(l.turn_rad - 40 * DEG) < 1e-9);
    for (int i = 0; i < CELLS; i++) {
        assert_int_equal(l.row[i], shape[i][0]);
        assert_int_equal(l.col[i], shape[i][1]);
    }
    layout_make(&(struct stand){0, 0, 50, 1.05}, point); /* clockwise: r, c to c, 3 - r */
    assert_int_equal(fit(point, CELLS, &l), CELLS);
    assert_true(fabs(l.turn_rad + 40 * DEG) < 1e-9);
    for (int i = 0; i < CELLS; i++) {
        assert_int_equal(l.row[i], shape[i][1]);
        assert_int_equal(l.col[i], 3 - shape[i][0]);
    }
}

static void should_not_care_about_quarter_turns_of_single_cells(void **state)
{
    (void)state;
    struct lattice_point point[CELLS];
    struct lattice upright, turned;
    layout_make(&(struct stand){10, 20, 17, 1.04}, point);
    assert_int_equal(fit(point, CELLS, &upright), CELLS);
    for (int i = 0; i < CELLS; i++)
        point[i].turn_rad += (i % 4 - 1) * M_PI_2;
    assert_int_equal(fit(point, CELLS, &turned), CELLS);
    assert_true(fabs(turned.turn_rad - upright.turn_rad) < 1e-9);
    for (int i = 0; i < CELLS; i++) {
        assert_int_equal(turned.row[i], upright.row[i]);
        assert_int_equal(turned.col[i], upright.col[i]);
        assert_true(fabs(turned.turn_off_rad[i]) < 1e-9);
    }
}

static void should_bear_jitter(void **state)
{
    (void)state;
    struct draw_random random = draw_random_seed(7, 1);
    for (int k = 0; k < 200; k++) {
        const struct stand s = {50, 60, draw_random_range(&random, -180, 180),
                                draw_random_range(&random, 1.01, 1.2)};
        struct lattice_point point[CELLS];
        struct lattice l;
        double most = 0;
        layout_make(&s, point);
        for (int i = 0; i < CELLS; i++) { /* up to a tenth of a width along both */
            double dx = draw_random_range(&random, -3.5, 3.5),
                   dy = draw_random_range(&random, -3.5, 3.5);
            point[i].x += dx;
            point[i].y += dy;
            point[i].turn_rad += draw_random_range(&random, -5, 5) * DEG;
            most = fmax(most, hypot(dx, dy));
        }
        assert_int_equal(fit(point, CELLS, &l), CELLS);
        assert_places(&l, point, CELLS, 2 * most);
        assert_true(largest_off(&l, CELLS) > 0.005);
        assert_true(fabs(l.pitch / WIDTH - s.pitch) < 0.06);
    }
}

/* Ten cells in the drawer's form: block i holds cells 2 i and 2 i + 1. */
static void blocks_of(const struct lattice_point *point, struct align_block block[CELLS / 2])
{
    for (int i = 0; i < CELLS / 2; i++) {
        const struct lattice_point *p = point + 2 * i;
        block[i] = (struct align_block){{{p[0].x, p[0].y}, {p[1].x, p[1].y}},
                                        atan2(p[1].y - p[0].y, p[1].x - p[0].x) / DEG};
    }
}

/* The drawer fits the grid of the truth by least squares, with code of its own. */
static void should_measure_a_block_out_of_place_as_the_truth_does(void **state)
{
    (void)state;
    static const double shift[] = {0.0, 0.1, 0.2, 0.29, 0.37, 0.45};
    double before = -1;
    for (size_t k = 0; k < sizeof shift / sizeof *shift; k++) {
        struct lattice_point point[CELLS];
        struct align_block block[CELLS / 2];
        struct align_fit truth;
        struct lattice l;
        const struct stand s = {150, 120, 12, 1.08};
        layout_make(&s, point);
        block_move(&s, shift[k], 0, point);
        blocks_of(point, block);
        draw_align_fit(block, CELLS / 2, WIDTH, 2, &truth);
        assert_true(truth.found);
        assert_int_equal(fit(point, CELLS, &l), CELLS);
        assert_true(fabs(largest_off(&l, CELLS) - truth.off_pitch) < 0.02);
        assert_true(largest_off(&l, CELLS) > before); /* further out is worse */
        before = largest_off(&l, CELLS);
    }
    assert_true(before > 0.2); /* the others give way by half */
}

/* With all trust in the others, the block is off by just what it was moved. */
static void should_take_in_a_block_up_to_the_reach_and_no_further(void **state)
{
    (void)state;
    static const double shift[] = {0.29, 0.37, 0.44, 0.5};
    static const int on[] = {10, 10, 10, 8};
    for (int k = 0; k < 4; k++) {
        struct lattice_point point[CELLS];
        struct lattice l;
        const struct stand s = {80, 90, -20, 1.06};
        layout_make(&s, point);
        point[LAST].weight = point[LAST + 1].weight = 1e-4;
        block_move(&s, 0, shift[k], point);
        assert_int_equal(fit(point, CELLS, &l), on[k]);
        assert_int_equal(l.on[LAST] + l.on[LAST + 1], on[k] == CELLS ? 2 : 0);
        assert_true(fabs(l.off[LAST] - shift[k]) < 0.01);
        assert_true(fabs(l.off[LAST + 1] - shift[k]) < 0.01);
    }
}

static void should_keep_the_pitch_within_its_bounds(void **state)
{
    (void)state;
    struct lattice_point point[CELLS];
    struct lattice l;
    layout_make(&(struct stand){0, 0, 5, 1.25}, point);
    assert_int_equal(fit(point, CELLS, &l), CELLS);
    assert_true(largest_off(&l, CELLS) < 1e-6);
    layout_make(&(struct stand){0, 0, 5, 1.4}, point); /* places of 1.25 cannot meet these */
    fit(point, CELLS, &l);
    assert_true(l.pitch <= PITCH_MAX * WIDTH + 1e-9);
    assert_true(largest_off(&l, CELLS) > 0.15);
    layout_make(&(struct stand){0, 0, 5, 0.98}, point); /* blocks that touch, scale off by 2 % */
    assert_int_equal(fit(point, CELLS, &l), CELLS);
    assert_true(largest_off(&l, CELLS) < 1e-6);
    layout_make(&(struct stand){0, 0, 5, 0.85}, point); /* hard blocks cannot lie like that */
    fit(point, CELLS, &l);
    assert_true(l.pitch >= 0.95 * WIDTH);
    assert_true(largest_off(&l, CELLS) > 0.1);
    layout_make(&(struct stand){0, 0, 5, 1.1}, point); /* a narrower bound, as an option */
    vision_lattice_fit(point, CELLS, WIDTH, 1.05, REACH, &l);
    assert_true(l.pitch <= 1.05 * WIDTH + 1e-9 && largest_off(&l, CELLS) > 0.04);
}

static void should_lay_ten_cells_in_a_line(void **state)
{
    (void)state;
    for (int turn = -90; turn <= 90; turn += 7) {
        struct lattice_point point[CELLS];
        struct lattice l;
        const struct stand s = {300, 300, turn, 1.03};
        for (int i = 0; i < CELLS; i++)
            point[i] = point_at(&s, 0, i);
        assert_int_equal(fit(point, CELLS, &l), CELLS);
        assert_places(&l, point, CELLS, 1e-6);
        assert_int_equal(l.rows * l.cols, CELLS);
        assert_int_equal(l.rows == 1 ? l.cols : l.rows, CELLS);
        assert_int_equal(l.rows == 1, turn > -45 && turn < 45);
    }
}

static void should_take_only_the_larger_of_two_groups(void **state)
{
    (void)state;
    struct lattice_point point[CELLS];
    struct lattice l;
    const struct stand s = {0, 0, 8, 1.02};
    for (int i = 0; i < CELLS; i++) /* six cells, and four of them three places away */
        point[i] = point_at(&s, i / 2, i % 2 + (i < 6 ? 0 : 4));
    assert_int_equal(fit(point, CELLS, &l), 6);
    for (int i = 0; i < CELLS; i++)
        assert_int_equal(l.on[i], i < 6);
    /* but all of them could lie on one grid, unless one group is moved; then a turn of the grid
     * takes up part of it */
    assert_true(vision_lattice_stretch(point, CELLS, WIDTH, PITCH_MAX, &l) < 1e-3);
    for (int i = 6; i < CELLS; i++)
        point[i] = point_at(&s, i / 2 + 0.48, i % 2 + 4);
    assert_int_equal(fit(point, CELLS, &l), 6);
    assert_true(vision_lattice_stretch(point, CELLS, WIDTH, PITCH_MAX, &l) > 0.05);
}

static void should_join_groups_that_meet_at_a_corner(void **state)
{
    (void)state;
    struct lattice_point point[CELLS];
    struct lattice l;
    const struct stand s = {0, 0, 0, 1.02};
    for (int i = 0; i < CELLS; i++)
        point[i] = point_at(&s, i / 2, i % 2 + (i < 6 ? 0 : 2));
    assert_int_equal(fit(point, CELLS, &l), CELLS);
    assert_int_equal(l.rows, 5);
    assert_int_equal(l.cols, 4);
    for (int i = 6; i < CELLS; i++) /* a place further: no longer */
        point[i] = point_at(&s, i / 2, i % 2 + 3);
    assert_int_equal(fit(point, CELLS, &l), 6);
}

/* Half a pitch along its own length: each of its cells lies between two places. */
static void should_stretch_for_a_block_just_between_two_places(void **state)
{
    (void)state;
    for (int k = -3; k <= 3; k++) {
        struct lattice_point point[CELLS];
        struct lattice l;
        const struct stand s = {70, 30, 0, 1.02};
        layout_make(&s, point);
        block_move(&s, 0.5 + k * 1e-4, 0, point);
        fit(point, CELLS, &l);
        double stretch = vision_lattice_stretch(point, CELLS, WIDTH, PITCH_MAX, &l);
        assert_true(stretch > 0.15 && stretch < 0.3);
    }
}

/* Between "on the grid" and "off it": the least largest distance that any grid leaves. */
static void should_stretch_a_grid_to_the_least_largest_distance(void **state)
{
    (void)state;
    for (double shift = 0; shift < 0.49; shift += 0.08) {
        struct lattice_point point[CELLS];
        struct lattice l;
        const struct stand s = {40, 40, 3, 1.1};
        layout_make(&s, point);
        block_move(&s, 0, shift, point);
        fit(point, CELLS, &l);
        double stretch = vision_lattice_stretch(point, CELLS, WIDTH, PITCH_MAX, &l);
        assert_true(stretch <= fmax(largest_off(&l, CELLS), 1e-6));
        assert_true(stretch <= shift * 0.72 + 1e-6);
        assert_true(stretch >= shift * 0.2);
    }
}

static void should_never_give_one_place_to_two_cells(void **state)
{
    (void)state;
    struct lattice_point point[CELLS];
    struct lattice l;
    const struct stand s = {40, 40, 3, 1.1};
    layout_make(&s, point);
    point[LAST + 1] = point_at(&s, 2.9, 1.1); /* on top of the cell before it */
    assert_int_equal(fit(point, CELLS, &l), CELLS - 1);
    assert_int_equal(l.on[LAST] + l.on[LAST + 1], 1);
    assert_true(vision_lattice_stretch(point, CELLS, WIDTH, PITCH_MAX, &l) >= 1);
}

static void should_not_grow_by_cells_that_are_turned(void **state)
{
    (void)state;
    for (int turn = 0; turn <= 45; turn += 5) {
        struct lattice_point point[CELLS];
        struct lattice l;
        layout_make(&(struct stand){40, 40, 3, 1.1}, point);
        point[LAST].turn_rad += turn * DEG;
        point[LAST + 1].turn_rad += turn * DEG;
        int count = fit(point, CELLS, &l);
        assert_int_equal(count, turn < 25 ? CELLS : turn > 25 ? CELLS - 2 : count);
        assert_true(fabs(fabs(l.turn_off_rad[LAST]) - turn * DEG) < 1e-6);
    }
}

static void should_find_nothing_in_nothing_and_one_in_one(void **state)
{
    (void)state;
    struct lattice_point point[2] = {{5, 6, 0.3, 1}, {5 + 3 * WIDTH, 6, 0.3, 1}};
    struct lattice l;
    assert_int_equal(fit(point, 0, &l), 0);
    assert_int_equal(l.rows, 0);
    assert_int_equal(fit(point, 1, &l), 1);
    assert_int_equal(l.rows * l.cols, 1);
    assert_true(vision_lattice_stretch(point, 1, WIDTH, PITCH_MAX, &l) >= 1);
    assert_int_equal(fit(point, 2, &l), 1); /* too far apart */
    point[1].x = 5 + cos(0.3) * WIDTH * 1.1;
    point[1].y = 6 + sin(0.3) * WIDTH * 1.1;
    assert_int_equal(fit(point, 2, &l), 2);
}

static void should_look_at_no_more_points_than_there_is_room_for(void **state)
{
    (void)state;
    struct lattice_point point[LATTICE_POINTS_MAX + 6];
    struct lattice l;
    const struct stand s = {0, 0, 0, 1.05};
    for (int i = 0; i < LATTICE_POINTS_MAX + 6; i++)
        point[i] = point_at(&s, i / 8, i % 8);
    assert_int_equal(fit(point, LATTICE_POINTS_MAX + 6, &l), LATTICE_POINTS_MAX);
    assert_int_equal(l.rows, LATTICE_POINTS_MAX / 8);
    assert_true(vision_lattice_stretch(point, LATTICE_POINTS_MAX + 6, WIDTH, PITCH_MAX, &l) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_an_exact_grid_at_any_turn_and_pitch),
        cmocka_unit_test(should_give_rows_and_columns_by_the_nearest_quarter_turn),
        cmocka_unit_test(should_not_care_about_quarter_turns_of_single_cells),
        cmocka_unit_test(should_bear_jitter),
        cmocka_unit_test(should_measure_a_block_out_of_place_as_the_truth_does),
        cmocka_unit_test(should_take_in_a_block_up_to_the_reach_and_no_further),
        cmocka_unit_test(should_keep_the_pitch_within_its_bounds),
        cmocka_unit_test(should_lay_ten_cells_in_a_line),
        cmocka_unit_test(should_take_only_the_larger_of_two_groups),
        cmocka_unit_test(should_join_groups_that_meet_at_a_corner),
        cmocka_unit_test(should_stretch_for_a_block_just_between_two_places),
        cmocka_unit_test(should_stretch_a_grid_to_the_least_largest_distance),
        cmocka_unit_test(should_never_give_one_place_to_two_cells),
        cmocka_unit_test(should_not_grow_by_cells_that_are_turned),
        cmocka_unit_test(should_find_nothing_in_nothing_and_one_in_one),
        cmocka_unit_test(should_look_at_no_more_points_than_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
