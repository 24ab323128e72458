#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/deck.h"
#include "calib/solve.h"

#include <stdlib.h>
#include <string.h>

/* ---- by brute force: every block in its turn, at every place, in every direction ---- */

struct force {
    const struct blockset *set;
    const struct grid *grid;
    int cover[GRID_SIDE_MAX][GRID_SIDE_MAX]; /* block + 1 */
    int found;
    char seen[512][GRID_TEXT_MAX]; /* ways that were met, as block numbers */
};

static void force_note(struct force *force)
{
    struct grid way = *force->grid;
    char text[GRID_TEXT_MAX];

    for (int row = 0; row < way.rows; row++) {
        for (int col = 0; col < way.cols; col++) {
            if (way.cell[row][col] != GRID_HOLE) {
                if (force->cover[row][col] == 0) {
                    return; /* a cell that no block covers */
                }
                way.cell[row][col] = (char)('0' + force->cover[row][col]);
            }
        }
    }
    calib_grid_format(&way, text);
    for (int i = 0; i < force->found; i++) {
        if (strcmp(force->seen[i], text) == 0) {
            return; /* the same two faces, or a pair of one symbol turned */
        }
    }
    assert_true(force->found < 512);
    memcpy(force->seen[force->found++], text, sizeof text);
}

static void force_block(struct force *force, int block);

static void force_lay(struct force *force, int block, const char *face, int row, int col, int down,
                      int right)
{
    int other_row = row + down, other_col = col + right;

    if (other_row < 0 || other_col < 0 || other_row >= force->grid->rows ||
        other_col >= force->grid->cols || force->cover[row][col] != 0 ||
        force->cover[other_row][other_col] != 0 || force->grid->cell[row][col] != face[0] ||
        force->grid->cell[other_row][other_col] != face[1]) {
        return;
    }
    force->cover[row][col] = force->cover[other_row][other_col] = block + 1;
    force_block(force, block + 1);
    force->cover[row][col] = force->cover[other_row][other_col] = 0;
}

static void force_block(struct force *force, int block)
{
    static const int way[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

    if (block == force->set->blocks) {
        force_note(force);
        return;
    }
    for (int face = 0; face < force->set->block[block].faces; face++) {
        for (int row = 0; row < force->grid->rows; row++) {
            for (int col = 0; col < force->grid->cols; col++) {
                for (int d = 0; d < 4; d++) {
                    force_lay(force, block, force->set->block[block].face[face], row, col,
                              way[d][0], way[d][1]);
                }
            }
        }
    }
}

/* ---- what the solver finds, in the same form ---- */

struct ways {
    const struct blockset *set;
    const struct grid *grid;
    int count;
    char seen[512][GRID_TEXT_MAX];
};

static bool way_take(void *context, const struct solution *solution)
{
    struct ways *ways = context;
    struct grid way;

    assert_int_equal(solution->lays, ways->set->blocks);
    calib_grid_clear(&way, ways->grid->rows, ways->grid->cols);
    for (int i = 0; i < solution->lays; i++) {
        const struct solve_lay *lay = &solution->lay[i];
        const char *face = ways->set->block[lay->block].face[lay->face];
        const uint8_t *cell[2] = {lay->first, lay->second};
        for (int k = 0; k < 2; k++) {
            /* the face shows what the card does, there */
            assert_int_equal(ways->grid->cell[cell[k][0]][cell[k][1]], face[k]);
            assert_int_equal(way.cell[cell[k][0]][cell[k][1]], GRID_HOLE);
            way.cell[cell[k][0]][cell[k][1]] = (char)('1' + lay->block);
        }
        assert_int_equal(abs(lay->first[0] - lay->second[0]) + abs(lay->first[1] - lay->second[1]),
                         1);
    }
    assert_true(ways->count < 512);
    calib_grid_format(&way, ways->seen[ways->count++]);
    return true;
}

static int text_order(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int compared(const struct blockset *set, const struct grid *grid)
{
    static struct force force;
    static struct ways ways;

    memset(&force, 0, sizeof force);
    memset(&ways, 0, sizeof ways);
    force.set = ways.set = set;
    force.grid = ways.grid = grid;
    force_block(&force, 0);
    int found = calib_solve(set, grid, 512, way_take, &ways);
    assert_int_equal(found, force.found);
    assert_int_equal(found, ways.count);
    assert_int_equal(calib_solve_count(set, grid, 512), found);
    qsort(force.seen, (size_t)found, sizeof force.seen[0], text_order);
    qsort(ways.seen, (size_t)found, sizeof ways.seen[0], text_order);
    for (int i = 0; i < found; i++) {
        assert_string_equal(force.seen[i], ways.seen[i]);
    }
    return found;
}

static uint32_t chance(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Small sets of two symbols and few faces, so that there are many ways, and none. */
static void set_random(struct blockset *set, uint32_t *state)
{
    static const char labels[3] = "xo";

    memset(set, 0, sizeof *set);
    set->symbols = 2;
    set->symbol[0].label = 'x';
    set->symbol[1].label = 'o';
    set->blocks = 1 + (int)(chance(state) % 4);
    for (int i = 0; i < set->blocks; i++) {
        set->block[i].number = i + 1;
        set->block[i].faces = 1 + (int)(chance(state) % 2);
        for (int j = 0; j < set->block[i].faces; j++) {
            set->block[i].face[j][0] = labels[chance(state) % 2];
            set->block[i].face[j][1] = labels[chance(state) % 2];
        }
    }
}

static void grid_random(int cells, struct grid *grid, uint32_t *state)
{
    calib_grid_clear(grid, 3, 3);
    while (calib_grid_count(grid) < cells) {
        grid->cell[chance(state) % 3][chance(state) % 3] = "xo"[chance(state) % 2];
    }
    calib_grid_trim(grid);
}

static void should_find_what_brute_force_finds(void **state)
{
    static struct blockset set;
    uint32_t seed = 1;
    int none = 0, one = 0, more = 0;

    (void)state;
    for (int i = 0; i < 4000; i++) {
        struct grid grid;
        set_random(&set, &seed);
        grid_random(2 * set.blocks, &grid, &seed);
        int found = compared(&set, &grid);
        none += found == 0;
        one += found == 1;
        more += found > 1;
    }
    assert_true(none > 500 && one > 50 && more > 50); /* else little was compared */
}

static void should_find_what_brute_force_finds_for_the_kit(void **state)
{
    struct blockset *set;
    struct deck *deck;

    (void)state;
    assert_int_equal(calib_blockset_load("match-madness", NULL, &set, NULL), 0);
    assert_int_equal(calib_deck_load("fixture", NULL, &deck, NULL), 0);
    for (int i = 0; i < deck->cards; i++) {
        struct grid grid = deck->card[i].grid;
        assert_true(compared(set, &grid) >= 1);
        char *cell = &grid.cell[0][0]; /* and a card that is spoiled at one place */
        while (*cell == GRID_HOLE) {
            cell++;
        }
        *cell = *cell == 'x' ? 'o' : 'x';
        (void)compared(set, &grid);
    }
    calib_deck_destroy(&deck);
    calib_blockset_destroy(&set);
}

static bool one_take(void *context, const struct solution *solution)
{
    (void)solution;
    ++*(int *)context;
    return false;
}

static void should_stop_when_told(void **state)
{
    struct blockset *set;
    struct grid grid;
    int taken = 0;

    (void)state;
    assert_int_equal(calib_blockset_load("match-madness", NULL, &set, NULL), 0);
    assert_int_equal(calib_grid_parse("+o*./*#*+/..+o/..+.", 19, &grid), 0);
    int all = calib_solve_count(set, &grid, 100);
    assert_true(all > 1);
    assert_int_equal(calib_solve_count(set, &grid, all - 1), all - 1);
    assert_int_equal(calib_solve(set, &grid, 100, one_take, &taken), 1);
    assert_int_equal(taken, 1);
    calib_blockset_destroy(&set);
}

static void should_count_the_tilings_of_outlines(void **state)
{
    /* rectangles of 2 x n have as many as Fibonacci says; 4 x 4 has 36 */
    static const struct {
        const char *grid;
        int tilings;
    } cases[] = {{"xx", 1},
                 {"x/x", 1},
                 {"xx/xx", 2},
                 {"xxx/xxx", 3},
                 {"xxxx/xxxx", 5},
                 {"xxxxx/xxxxx", 8},
                 {"xxxx/xxxx/xxxx/xxxx", 36},
                 {"x", 0},
                 {"x.x", 0},
                 {"xx./.xx", 1},
                 {".x./xxx", 0},
                 {"xxx/x.x/xxx", 2},
                 {"xxxxxx/xxxxxx/xxxxxx", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct grid grid;
        assert_int_equal(calib_grid_parse(cases[i].grid, strlen(cases[i].grid), &grid), 0);
        assert_int_equal(calib_solve_tilings(&grid), cases[i].tilings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_find_what_brute_force_finds),
        cmocka_unit_test(should_find_what_brute_force_finds_for_the_kit),
        cmocka_unit_test(should_stop_when_told),
        cmocka_unit_test(should_count_the_tilings_of_outlines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
