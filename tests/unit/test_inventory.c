/* Doubt resolved by which blocks there are, against a search that tries everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/draw/random.h"
#include "vision/inventory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SURE 20.0f /* log likelihood between what a cell shows and anything else */

struct seen {
    int cells;
    uint32_t beside[INVENTORY_CELLS_MAX];
    float score[INVENTORY_CELLS_MAX][BLOCKSET_SYMBOLS_MAX];
};

static int set_open(void **state)
{
    struct blockset *set = NULL;
    struct calib_fault fault;
    int error = calib_blockset_load("match-madness", NULL, &set, &fault);
    *state = set;
    return error;
}

static int set_close(void **state)
{
    struct blockset *set = *state;
    calib_blockset_destroy(&set);
    return 0;
}

static void lay_beside(struct seen *seen, int a, int b)
{
    seen->beside[a] |= 1u << b;
    seen->beside[b] |= 1u << a;
}

static void cell_show(const struct blockset *set, struct seen *seen, int cell, char label)
{
    for (int s = 0; s < set->symbols; s++)
        seen->score[cell][s] = set->symbol[s].label == label ? 0 : -SURE;
}

/* Blocks lying apart, by what their two cells show without doubt: "xx oo +#". */
static struct seen blocks_apart(const struct blockset *set, const char *text)
{
    struct seen seen;
    memset(&seen, 0, sizeof seen);
    for (const char *p = text; *p; p++) {
        if (*p == ' ')
            continue;
        if (seen.cells % 2)
            lay_beside(&seen, seen.cells - 1, seen.cells);
        cell_show(set, &seen, seen.cells++, *p);
    }
    return seen;
}

static bool resolve(const struct blockset *set, const struct seen *seen, struct inventory *out)
{
    return vision_inventory_resolve(set, seen->cells, seen->beside,
                                    (const float(*)[BLOCKSET_SYMBOLS_MAX])seen->score, out);
}

static void assert_reads(const struct blockset *set, const struct inventory *found,
                         const char *text)
{
    int cell = 0;
    for (const char *p = text; *p; p++)
        if (*p != ' ')
            assert_int_equal(set->symbol[found->symbol[cell++]].label, *p);
}

/* Partners name each other and lie beside each other; no block lies twice; its faces fit. */
static void assert_sound(const struct blockset *set, const struct seen *seen,
                         const struct inventory *found)
{
    unsigned used = 0;
    for (int i = 0; i < seen->cells; i++) {
        int partner = found->partner[i], block = found->block[i];
        assert_in_range(partner, 0, seen->cells - 1);
        assert_int_equal(found->partner[partner], i);
        assert_true(seen->beside[i] >> partner & 1);
        assert_in_range(block, 0, set->blocks - 1);
        assert_int_equal(found->block[partner], block);
        bool face = false;
        for (int f = 0; f < set->block[block].faces; f++) {
            int a = calib_blockset_find(set, set->block[block].face[f][0]);
            int b = calib_blockset_find(set, set->block[block].face[f][1]);
            face |= (a == found->symbol[i] && b == found->symbol[partner]) ||
                    (b == found->symbol[i] && a == found->symbol[partner]);
        }
        assert_true(face);
        if (i < partner) {
            assert_false(used >> block & 1);
            used |= 1u << block;
        }
    }
}

static void should_read_what_is_seen_where_nothing_is_doubtful(void **state)
{
    const struct blockset *set = *state;
    static const char *const layout[] = {"xx oo ++ ## **", "o+ #+ xo o* #x", "*+ x* *x x+ xo"};
    for (int k = 0; k < 3; k++) {
        struct seen seen = blocks_apart(set, layout[k]);
        struct inventory found;
        assert_true(resolve(set, &seen, &found));
        assert_sound(set, &seen, &found);
        assert_reads(set, &found, layout[k]);
        assert_true(fabsf(found.total) < 1e-4f);
        for (int i = 0; i < 10; i++)
            assert_true(found.margin[i] >= SURE - 1e-3f);
    }
}

/* The doubles of five blocks: each has one only, so what lies beside "x" and is x
 * or o must be x. */
static void should_resolve_a_doubtful_cell_when_one_block_is_left_for_it(void **state)
{
    const struct blockset *set = *state;
    struct seen seen = blocks_apart(set, "xx oo ++ ## **");
    struct inventory found;
    int o = calib_blockset_find(set, 'o');
    seen.score[0][o] = 2.0f; /* looks even more like a ring */
    assert_true(resolve(set, &seen, &found));
    assert_sound(set, &seen, &found);
    assert_reads(set, &found, "xx oo ++ ## **");
    assert_int_equal(found.second[0], o);
    /* an "ox" needs block 3 or 5, which lie there with other faces: one of them were misread */
    assert_true(found.margin[0] > SURE - 3);
}

static void should_leave_a_doubtful_cell_doubtful_when_two_blocks_could_lie_there(void **state)
{
    const struct blockset *set = *state;
    struct seen seen = blocks_apart(set, "xx oo ##"); /* blocks 3 and 5 are still free */
    struct inventory found;
    int o = calib_blockset_find(set, 'o');
    seen.score[0][o] = -0.5f;
    assert_true(resolve(set, &seen, &found));
    assert_reads(set, &found, "xx oo ##");
    assert_int_equal(found.second[0], o);
    assert_true(fabsf(found.margin[0] - 0.5f) < 1e-3f);
    assert_true(found.margin[1] >= SURE - 1e-3f);
    seen.score[0][o] = 0.5f; /* and the better one is taken */
    assert_true(resolve(set, &seen, &found));
    assert_reads(set, &found, "ox oo ##");
    assert_true(fabsf(found.margin[0] - 0.5f) < 1e-3f);
}

/* "+o" is on blocks 1 and 4. */
static void should_take_a_pair_as_often_as_there_are_blocks_with_it(void **state)
{
    const struct blockset *set = *state;
    struct seen twice = blocks_apart(set, "+o o+ ++"), thrice = blocks_apart(set, "+o o+ +o");
    struct inventory found;
    assert_true(resolve(set, &twice, &found));
    assert_sound(set, &twice, &found);
    assert_reads(set, &found, "+o o+ ++");
    assert_int_equal(set->block[found.block[0]].number + set->block[found.block[2]].number, 5);
    assert_true(
        resolve(set, &thrice, &found)); /* one cell at least is read against what it shows */
    assert_sound(set, &thrice, &found);
    assert_true(found.total <= -SURE + 1e-3f);
}

static void should_read_eight_cells_of_four_blocks(void **state)
{
    const struct blockset *set = *state;
    struct seen seen = blocks_apart(set, "xx oo ++ ##");
    struct inventory found;
    assert_true(resolve(set, &seen, &found));
    assert_sound(set, &seen, &found);
    assert_reads(set, &found, "xx oo ++ ##");
    for (int i = 0; i < 8; i++)
        assert_int_not_equal(set->block[found.block[i]].number, 5);
}

/* Four cells in a square: side by side, or one above the other. */
static void should_choose_the_pairing_that_blocks_can_have(void **state)
{
    const struct blockset *set = *state;
    struct seen seen = blocks_apart(set, "xx ++");
    struct inventory found;
    lay_beside(&seen, 0, 2);
    lay_beside(&seen, 1, 3);
    assert_true(resolve(set, &seen, &found)); /* "x+" is on one block only: not twice */
    assert_sound(set, &seen, &found);
    assert_int_equal(found.partner[0], 1);
    seen = blocks_apart(set, "+* #x"); /* "+*" and "#x", or "+#" and "*x": both can be */
    lay_beside(&seen, 0, 2);
    lay_beside(&seen, 1, 3);
    assert_true(resolve(set, &seen, &found));
    assert_reads(set, &found, "+* #x");
    seen.beside[0] &= ~(1u << 1); /* now the first way is barred */
    seen.beside[1] &= ~(1u << 0);
    assert_true(resolve(set, &seen, &found));
    assert_sound(set, &seen, &found);
    assert_int_equal(found.partner[0], 2);
    assert_true(fabsf(found.total) < 1e-4f);
}

static void should_refuse_cells_that_cannot_be_blocks(void **state)
{
    const struct blockset *set = *state;
    struct seen seen = blocks_apart(set, "xx oo ++ ## **");
    struct inventory found;
    assert_true(resolve(set, &seen, &found));
    for (int cells = 1; cells < 10; cells += 2) { /* odd */
        seen.cells = cells;
        assert_false(resolve(set, &seen, &found));
    }
    seen.cells = 0;
    assert_false(resolve(set, &seen, &found));
    seen.cells = 12; /* a block more than the set has */
    lay_beside(&seen, 10, 11);
    assert_false(resolve(set, &seen, &found));
    seen.cells = INVENTORY_CELLS_MAX + 2;
    assert_false(resolve(set, &seen, &found));
    seen = blocks_apart(set, "xx oo ++ ## **");
    seen.beside[4] = seen.beside[5] = 0; /* two cells with no partner */
    assert_false(resolve(set, &seen, &found));
    seen = blocks_apart(set, "xx oo");
    memset(seen.beside, 0, sizeof seen.beside);
    for (int i = 1; i < 4; i++) /* three that want the same partner */
        lay_beside(&seen, 0, i);
    assert_false(resolve(set, &seen, &found));
}

static void should_say_so_when_nothing_else_is_possible(void **state)
{
    struct blockset one = *(const struct blockset *)*state;
    struct inventory found;
    one.blocks = 1;
    one.block[0].faces = 1; /* "xx" */
    for (int sign = -1; sign <= 1;
         sign++) { /* likelihoods are relative: any constant may be added */
        struct seen seen = blocks_apart(&one, "x#");
        for (int s = 0; s < one.symbols; s++) {
            seen.score[0][s] += 40.0f * (float)sign;
            seen.score[1][s] += 40.0f * (float)sign;
        }
        assert_true(resolve(&one, &seen, &found));
        assert_reads(&one, &found, "xx");
        for (int i = 0; i < 2; i++) {
            assert_float_equal(found.margin[i], INVENTORY_NO_OTHER, 1e-3);
            assert_int_equal(found.second[i], found.symbol[i]);
        }
    }
}

/* --- Against trying everything --------------------------------------------------------------- */

struct trial {
    const struct blockset *set;
    const struct seen *seen;
    int symbol[INVENTORY_CELLS_MAX];
    float total;                                              /* of the best so far */
    float without[INVENTORY_CELLS_MAX][BLOCKSET_SYMBOLS_MAX]; /* best that reads a cell so */
};

static void trial_end(struct trial *t)
{
    float sum = 0;
    for (int i = 0; i < t->seen->cells; i++)
        sum += t->seen->score[i][t->symbol[i]];
    t->total = fmaxf(t->total, sum);
    for (int i = 0; i < t->seen->cells; i++)
        t->without[i][t->symbol[i]] = fmaxf(t->without[i][t->symbol[i]], sum);
}

static void trial_go(struct trial *t, unsigned cells_left, unsigned blocks_left)
{
    if (!cells_left) {
        trial_end(t);
        return;
    }
    int a = __builtin_ctz(cells_left);
    for (int b = a + 1; b < t->seen->cells; b++) {
        if (!(cells_left >> b & 1) || !(t->seen->beside[a] >> b & 1))
            continue;
        for (int k = 0; k < t->set->blocks; k++) {
            const struct block *block = &t->set->block[k];
            for (int f = 0; f < 2 * block->faces && (blocks_left >> k & 1); f++) {
                t->symbol[a] = calib_blockset_find(t->set, block->face[f / 2][f % 2]);
                t->symbol[b] = calib_blockset_find(t->set, block->face[f / 2][1 - f % 2]);
                trial_go(t, cells_left & ~(1u << a) & ~(1u << b), blocks_left & ~(1u << k));
            }
        }
    }
}

static struct seen seen_random(const struct blockset *set, struct draw_random *random)
{
    struct seen seen;
    memset(&seen, 0, sizeof seen);
    seen.cells = 2 + 2 * draw_random_below(random, 3);
    for (int i = 0; i < seen.cells; i++)
        for (int s = 0; s < set->symbols; s++)
            seen.score[i][s] = (float)draw_random_range(random, -10, 10);
    for (int i = 0; i < seen.cells; i++)
        for (int j = 0; j < i; j++)
            if (draw_random_chance(random, 0.6))
                lay_beside(&seen, i, j);
    return seen;
}

static void should_find_the_best_way_and_what_each_other_reading_costs(void **state)
{
    const struct blockset *set = *state;
    struct draw_random random = draw_random_seed(3, 1);
    int possible = 0;
    for (int k = 0; k < 120; k++) {
        struct seen seen = seen_random(set, &random);
        struct trial trial = {.set = set, .seen = &seen, .total = -1e9f};
        struct inventory found;
        for (int i = 0; i < seen.cells; i++)
            for (int s = 0; s < set->symbols; s++)
                trial.without[i][s] = -1e9f;
        trial_go(&trial, (1u << seen.cells) - 1, (1u << set->blocks) - 1);
        assert_int_equal(resolve(set, &seen, &found), trial.total > -1e8f);
        if (trial.total < -1e8f)
            continue;
        possible++;
        assert_sound(set, &seen, &found);
        assert_float_equal(found.total, trial.total, 1e-3);
        for (int i = 0; i < seen.cells; i++) {
            float other = -1e9f;
            for (int s = 0; s < set->symbols; s++)
                if (s != found.symbol[i])
                    other = fmaxf(other, trial.without[i][s]);
            assert_float_equal(found.margin[i], found.total - other, 1e-3);
            assert_float_equal(trial.without[i][found.second[i]], other, 1e-3);
        }
    }
    assert_true(possible > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_what_is_seen_where_nothing_is_doubtful),
        cmocka_unit_test(should_resolve_a_doubtful_cell_when_one_block_is_left_for_it),
        cmocka_unit_test(should_leave_a_doubtful_cell_doubtful_when_two_blocks_could_lie_there),
        cmocka_unit_test(should_take_a_pair_as_often_as_there_are_blocks_with_it),
        cmocka_unit_test(should_read_eight_cells_of_four_blocks),
        cmocka_unit_test(should_choose_the_pairing_that_blocks_can_have),
        cmocka_unit_test(should_refuse_cells_that_cannot_be_blocks),
        cmocka_unit_test(should_say_so_when_nothing_else_is_possible),
        cmocka_unit_test(should_find_the_best_way_and_what_each_other_reading_costs),
    };
    return cmocka_run_group_tests(tests, set_open, set_close);
}
