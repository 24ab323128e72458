#include "tests/draw/pattern.h"

#define TRIES 200       /* of random building; one in three succeeds for the published sets */
#define NEAR_SIDE_MAX 5 /* cells: a near miss may be longer than a card, as players' are */
#define FIELD (4 * BLOCKSET_BLOCKS_MAX + 2) /* side of the board on which patterns grow */

static const int step[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

static void swap_ints(int *a, int *b)
{
    int keep = *a;
    *a = *b;
    *b = keep;
}

/* 0..count-1 in random order */
static void shuffle(struct draw_random *random, int *order, int count)
{
    for (int i = 0; i < count; i++) {
        order[i] = i;
    }
    for (int i = count - 1; i > 0; i--) {
        swap_ints(&order[i], &order[draw_random_below(random, i + 1)]);
    }
}

struct bounds {
    int low[2], high[2];
};

static struct bounds pattern_bounds(const struct draw_pattern *pattern)
{
    struct bounds bounds = {{FIELD, FIELD}, {-FIELD, -FIELD}};
    for (int i = 0; i < pattern->lays; i++) {
        const int *cell[2] = {pattern->lay[i].first, pattern->lay[i].second};
        for (int k = 0; k < 4; k++) {
            int value = cell[k / 2][k % 2];
            if (value < bounds.low[k % 2]) {
                bounds.low[k % 2] = value;
            }
            if (value > bounds.high[k % 2]) {
                bounds.high[k % 2] = value;
            }
        }
    }
    return bounds;
}

bool draw_pattern_grid(const struct blockset *set, const struct draw_pattern *pattern,
                       struct grid *grid)
{
    struct bounds bounds = pattern_bounds(pattern);
    int rows = bounds.high[0] - bounds.low[0] + 1, cols = bounds.high[1] - bounds.low[1] + 1;
    if (rows < 1 || cols < 1 || rows > GRID_SIDE_MAX || cols > GRID_SIDE_MAX) {
        return false;
    }
    calib_grid_clear(grid, rows, cols);
    for (int i = 0; i < pattern->lays; i++) {
        const struct draw_lay *lay = &pattern->lay[i];
        const char *face = set->block[lay->block].face[lay->face];
        grid->cell[lay->first[0] - bounds.low[0]][lay->first[1] - bounds.low[1]] = face[0];
        grid->cell[lay->second[0] - bounds.low[0]][lay->second[1] - bounds.low[1]] = face[1];
    }
    return true;
}

/* Which lay covers the cell, or -1. `skip` is not looked at. */
static int pattern_at(const struct draw_pattern *pattern, int row, int col, int skip)
{
    for (int i = 0; i < pattern->lays; i++) {
        const struct draw_lay *lay = &pattern->lay[i];
        if (i != skip && ((lay->first[0] == row && lay->first[1] == col) ||
                          (lay->second[0] == row && lay->second[1] == col))) {
            return i;
        }
    }
    return -1;
}

static bool pattern_beside(const struct draw_pattern *pattern, const int cell[2], int skip)
{
    for (int d = 0; d < 4; d++) {
        if (pattern_at(pattern, cell[0] + step[d][0], cell[1] + step[d][1], skip) >= 0) {
            return true;
        }
    }
    return false;
}

/* Can `lay` stand beside the others (without lay `skip`) inside side_max cells? */
static bool lay_fits(const struct draw_pattern *pattern, const struct draw_lay *lay, int skip,
                     int side_max)
{
    if (pattern_at(pattern, lay->first[0], lay->first[1], skip) >= 0 ||
        pattern_at(pattern, lay->second[0], lay->second[1], skip) >= 0) {
        return false;
    }
    bool alone = pattern->lays == (skip >= 0 ? 1 : 0);
    if (!alone && !pattern_beside(pattern, lay->first, skip) &&
        !pattern_beside(pattern, lay->second, skip)) {
        return false;
    }
    struct draw_pattern with = *pattern;
    if (skip >= 0) {
        with.lay[skip] = *lay;
    } else {
        with.lay[with.lays++] = *lay;
    }
    struct bounds bounds = pattern_bounds(&with);
    return bounds.high[0] - bounds.low[0] < side_max && bounds.high[1] - bounds.low[1] < side_max;
}

static bool pattern_grow(const struct blockset *set, int block, int side_max,
                         struct draw_random *random, struct draw_pattern *pattern)
{
    for (int i = 0; i < TRIES; i++) {
        struct draw_lay lay = {.block = block};
        int d = draw_random_below(random, 4);
        lay.face = draw_random_below(random, set->block[block].faces);
        lay.first[0] = draw_random_below(random, 2 * side_max + 1) - side_max;
        lay.first[1] = draw_random_below(random, 2 * side_max + 1) - side_max;
        lay.second[0] = lay.first[0] + step[d][0];
        lay.second[1] = lay.first[1] + step[d][1];
        if (lay_fits(pattern, &lay, -1, side_max)) {
            pattern->lay[pattern->lays++] = lay;
            return true;
        }
    }
    return false;
}

bool draw_pattern_random(const struct blockset *set, int side_max, struct draw_random *random,
                         struct draw_pattern *pattern)
{
    int order[BLOCKSET_BLOCKS_MAX];
    for (int i = 0; i < TRIES; i++) {
        pattern->lays = 0;
        shuffle(random, order, set->blocks);
        for (int k = 0; k < set->blocks; k++) {
            if (!pattern_grow(set, order[k], side_max, random, pattern)) {
                break;
            }
        }
        if (pattern->lays == set->blocks) {
            return true;
        }
    }
    return false;
}

struct solving {
    const struct blockset *set;
    const struct grid *grid;
    struct draw_random *random;
    bool covered[GRID_SIDE_MAX][GRID_SIDE_MAX];
    bool used[BLOCKSET_BLOCKS_MAX];
    struct draw_pattern *pattern;
};

static bool solve_rest(struct solving *s);

/* Tries every unused block on the two cells, in random order. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the set has blocks */
static bool solve_pair(struct solving *s, const int a[2], const int b[2])
{
    int order[BLOCKSET_BLOCKS_MAX * BLOCKSET_FACES_MAX * 2];
    int count = s->set->blocks * BLOCKSET_FACES_MAX * 2;
    char first = s->grid->cell[a[0]][a[1]], second = s->grid->cell[b[0]][b[1]];
    shuffle(s->random, order, count);
    s->covered[a[0]][a[1]] = s->covered[b[0]][b[1]] = true;
    for (int i = 0; i < count; i++) {
        int block = order[i] / (BLOCKSET_FACES_MAX * 2), face = order[i] / 2 % BLOCKSET_FACES_MAX;
        bool turned = order[i] % 2 == 1;
        if (s->used[block] || face >= s->set->block[block].faces) {
            continue;
        }
        const char *pair = s->set->block[block].face[face];
        if (pair[turned] != first || pair[!turned] != second) {
            continue;
        }
        const int *head = turned ? b : a, *tail = turned ? a : b;
        s->used[block] = true;
        s->pattern->lay[s->pattern->lays++] =
            (struct draw_lay){block, face, {head[0], head[1]}, {tail[0], tail[1]}};
        if (solve_rest(s)) {
            return true;
        }
        s->pattern->lays--;
        s->used[block] = false;
    }
    s->covered[a[0]][a[1]] = s->covered[b[0]][b[1]] = false;
    return false;
}

static bool solve_open(const struct solving *s, int row, int col)
{
    return row < s->grid->rows && col < s->grid->cols && !s->covered[row][col] &&
           s->grid->cell[row][col] != GRID_HOLE;
}

/* The first cell that is left must be covered with its right or lower neighbour. */
static bool solve_rest(struct solving *s) /* NOLINT(misc-no-recursion) */
{
    for (int row = 0; row < s->grid->rows; row++) {
        for (int col = 0; col < s->grid->cols; col++) {
            if (!solve_open(s, row, col)) {
                continue;
            }
            int here[2] = {row, col};
            int flip = draw_random_below(s->random, 2);
            for (int k = 0; k < 2; k++) {
                int d = k ^ flip, there[2] = {row + step[d][0], col + step[d][1]};
                if (solve_open(s, there[0], there[1]) && solve_pair(s, here, there)) {
                    return true;
                }
            }
            return false;
        }
    }
    return true;
}

bool draw_pattern_solve(const struct blockset *set, const struct grid *grid,
                        struct draw_random *random, struct draw_pattern *pattern)
{
    struct solving s = {.set = set, .grid = grid, .random = random, .pattern = pattern};
    pattern->lays = 0;
    if (calib_grid_count(grid) != 2 * set->blocks) {
        return false;
    }
    return solve_rest(&s);
}

static void lay_turn(struct draw_lay *lay)
{
    swap_ints(&lay->first[0], &lay->second[0]);
    swap_ints(&lay->first[1], &lay->second[1]);
}

static void change_mirror(struct draw_pattern *pattern)
{
    for (int i = 0; i < pattern->lays; i++) {
        pattern->lay[i].first[1] = -pattern->lay[i].first[1];
        pattern->lay[i].second[1] = -pattern->lay[i].second[1];
    }
}

static void change_swap(struct draw_random *random, struct draw_pattern *pattern)
{
    int a = draw_random_below(random, pattern->lays), b = draw_random_below(random, pattern->lays);
    swap_ints(&pattern->lay[a].block, &pattern->lay[b].block);
    swap_ints(&pattern->lay[a].face, &pattern->lay[b].face);
}

static void change_shift(struct draw_random *random, struct draw_pattern *pattern)
{
    int i = draw_random_below(random, pattern->lays), d = draw_random_below(random, 4);
    struct draw_lay lay = pattern->lay[i];
    for (int k = 0; k < 2; k++) {
        lay.first[k] += step[d][k];
        lay.second[k] += step[d][k];
    }
    if (lay_fits(pattern, &lay, i, NEAR_SIDE_MAX)) {
        pattern->lay[i] = lay;
    }
}

enum draw_change draw_pattern_change(const struct blockset *set, struct draw_random *random,
                                     struct draw_pattern *pattern)
{
    struct grid before, after;
    if (pattern->lays < 1 || !draw_pattern_grid(set, pattern, &before)) {
        return DRAW_CHANGE_NONE;
    }
    for (int i = 0; i < TRIES; i++) {
        struct draw_pattern changed = *pattern;
        struct draw_lay *lay = &changed.lay[draw_random_below(random, changed.lays)];
        enum draw_change change =
            (enum draw_change)(DRAW_CHANGE_FLIP + draw_random_below(random, 5));
        switch (change) {
        case DRAW_CHANGE_FLIP:
            lay_turn(lay);
            break;
        case DRAW_CHANGE_FACE:
            lay->face = draw_random_below(random, set->block[lay->block].faces);
            break;
        case DRAW_CHANGE_MIRROR:
            change_mirror(&changed);
            break;
        case DRAW_CHANGE_SHIFT:
            change_shift(random, &changed);
            break;
        case DRAW_CHANGE_SWAP:
        case DRAW_CHANGE_NONE:
            change_swap(random, &changed);
            break;
        }
        if (draw_pattern_grid(set, &changed, &after) && calib_grid_quarters(&before, &after) < 0) {
            *pattern = changed;
            return change;
        }
    }
    return DRAW_CHANGE_NONE;
}
