#include "calib/deck_make.h"

#include "calib/json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL_LEAST 500 /* cards grown, so that bounds of levels do not hang on chance */
#define POOL_FACTOR 3  /* and of as many as are asked for */
#define GROWTHS_MAX 4  /* times that the pool is doubled when a level has too few */
/* Growths without a new card, in pools, after which there are no more to be found. */
#define BARREN_MAX 30
#define FIELD                                                                                      \
    (2 * GRID_SIDE_MAX + 2) /* side of the board on which a card grows from the middle             \
                             */

/* ---- chance ---- */

/* SplitMix64: small, and the same everywhere. */
static uint64_t chance_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 0..count-1; for the small counts here the remainder favours none noticeably. */
static int chance_below(uint64_t *state, int count)
{
    return (int)(chance_next(state) % (uint64_t)count);
}

/* ---- growing a card ---- */

struct growth {
    char cell[FIELD][FIELD];
    int low[2], high[2]; /* of what is laid; low > high: nothing */
    int side;
};

struct spot {
    int row, col;
    bool below; /* the second cell lies below the first, else at its right */
};

static bool spot_open(const struct growth *growth, int row, int col)
{
    return row >= 1 && col >= 1 && row < FIELD - 1 && col < FIELD - 1 &&
           growth->cell[row][col] == GRID_HOLE;
}

static bool has_neighbour(const struct growth *growth, int row, int col)
{
    return growth->cell[row - 1][col] != GRID_HOLE || growth->cell[row + 1][col] != GRID_HOLE ||
           growth->cell[row][col - 1] != GRID_HOLE || growth->cell[row][col + 1] != GRID_HOLE;
}

static bool spot_fits(const struct growth *growth, const struct spot *spot)
{
    int row = spot->row + spot->below, col = spot->col + !spot->below;

    if (!spot_open(growth, spot->row, spot->col) || !spot_open(growth, row, col)) {
        return false;
    }
    if (growth->low[0] > growth->high[0]) {
        return spot->row == FIELD / 2 && spot->col == FIELD / 2;
    }
    int top = spot->row < growth->low[0] ? spot->row : growth->low[0];
    int left = spot->col < growth->low[1] ? spot->col : growth->low[1];
    int bottom = row > growth->high[0] ? row : growth->high[0];
    int right = col > growth->high[1] ? col : growth->high[1];
    return bottom - top < growth->side && right - left < growth->side &&
           (has_neighbour(growth, spot->row, spot->col) || has_neighbour(growth, row, col));
}

static int spots_find(const struct growth *growth, struct spot spot[2 * FIELD * FIELD])
{
    int count = 0;

    for (int row = 1; row < FIELD - 1; row++) {
        for (int col = 1; col < FIELD - 1; col++) {
            for (int below = 0; below < 2; below++) {
                spot[count] = (struct spot){row, col, below != 0};
                count += spot_fits(growth, &spot[count]);
            }
        }
    }
    return count;
}

static void spot_fill(struct growth *growth, const struct spot *spot, const char face[2],
                      bool turned)
{
    int row = spot->row + spot->below, col = spot->col + !spot->below;
    const int cells[2][2] = {{spot->row, spot->col}, {row, col}};

    for (int i = 0; i < 2; i++) {
        growth->cell[cells[i][0]][cells[i][1]] = face[turned ? 1 - i : i];
        for (int axis = 0; axis < 2; axis++) {
            int at = cells[i][axis];
            growth->low[axis] = at < growth->low[axis] ? at : growth->low[axis];
            growth->high[axis] = at > growth->high[axis] ? at : growth->high[axis];
        }
    }
}

static void growth_grid(const struct growth *growth, struct grid *grid)
{
    int rows = growth->high[0] - growth->low[0] + 1, cols = growth->high[1] - growth->low[1] + 1;

    calib_grid_clear(grid, rows, cols);
    for (int row = 0; row < rows; row++) {
        for (int col = 0; col < cols; col++) {
            grid->cell[row][col] = growth->cell[growth->low[0] + row][growth->low[1] + col];
        }
    }
}

/* Lays every block, in random order, beside what lies already. False when one finds no spot. */
static bool card_grow(const struct blockset *set, int side, uint64_t *chance, struct grid *grid)
{
    struct spot spot[2 * FIELD * FIELD];
    struct growth growth = {.low = {FIELD, FIELD}, .high = {-1, -1}, .side = side};
    int order[BLOCKSET_BLOCKS_MAX] = {0};

    memset(growth.cell, GRID_HOLE, sizeof growth.cell);
    for (int i = 0; i < set->blocks; i++) {
        int other = chance_below(chance, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (int i = 0; i < set->blocks; i++) {
        const struct block *block = &set->block[order[i]];
        int spots = spots_find(&growth, spot);
        if (spots == 0) {
            return false;
        }
        const struct spot *chosen = &spot[chance_below(chance, spots)];
        const char *face = block->face[chance_below(chance, block->faces)];
        spot_fill(&growth, chosen, face, chance_below(chance, 2) != 0);
    }
    growth_grid(&growth, grid);
    return true;
}

/* ---- the pool ---- */

struct candidate {
    struct grid grid;
    char upright[GRID_TEXT_MAX]; /* text in the turn that sorts first: tells two apart */
    int points;
};

/* Candidates, no two alike; a table of their places by a digest of their text finds a double. */
struct pool {
    struct candidate *candidate;
    int count, room;
    int *table; /* 0: free, else a candidate's number + 1 */
    size_t slots;
};

static uint64_t text_digest(const char *text) /* FNV-1a */
{
    uint64_t digest = 0xcbf29ce484222325u;

    for (; *text; text++) {
        digest = (digest ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return digest;
}

/* The slot of that text, or the free one where it would go: the table is never over half full. */
static size_t slot_find(const struct pool *pool, const char *text)
{
    size_t slot = (size_t)(text_digest(text) % pool->slots);

    while (pool->table[slot] != 0 &&
           strcmp(pool->candidate[pool->table[slot] - 1].upright, text) != 0) {
        slot = (slot + 1) % pool->slots;
    }
    return slot;
}

static bool pool_resize(struct pool *pool, int room)
{
    struct candidate *grown = realloc(pool->candidate, (size_t)room * sizeof *grown);

    if (!grown) {
        return false;
    }
    pool->candidate = grown;
    size_t slots = 2 * (size_t)room + 1;
    int *table = calloc(slots, sizeof *table);
    if (!table) {
        return false;
    }
    free(pool->table);
    pool->table = table;
    pool->slots = slots;
    pool->room = room;
    for (int i = 0; i < pool->count; i++) {
        pool->table[slot_find(pool, pool->candidate[i].upright)] = i + 1;
    }
    return true;
}

/* Grows cards until the pool is full or they only repeat themselves. */
static void pool_fill(struct pool *pool, const struct blockset *set, const struct alikes *alikes,
                      int side, uint64_t *chance)
{
    long barren = 0, barren_max = (long)BARREN_MAX * pool->room;

    while (pool->count < pool->room && barren < barren_max) {
        struct candidate *next = &pool->candidate[pool->count];
        struct difficulty difficulty;
        barren++;
        if (!card_grow(set, side, chance, &next->grid)) {
            continue;
        }
        struct grid upright = calib_grid_upright(&next->grid);
        calib_grid_format(&upright, next->upright);
        size_t slot = slot_find(pool, next->upright);
        if (pool->table[slot] != 0) {
            continue;
        }
        calib_difficulty(set, alikes, &next->grid, &difficulty);
        next->points = difficulty.points;
        pool->table[slot] = ++pool->count;
        barren = 0;
    }
}

static int candidate_order(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;

    return p->points != q->points ? (p->points > q->points) - (p->points < q->points)
                                  : strcmp(p->upright, q->upright);
}

/* ---- levels ---- */

/* Of a sorted pool: bounds by fifths, each above the one before. */
static void bounds_find(const struct pool *pool, struct deck_bounds *bounds)
{
    memset(bounds, 0, sizeof *bounds);
    for (int level = 2; level <= CARD_LEVELS; level++) {
        int at = (int)((long)pool->count * (level - 1) / CARD_LEVELS);
        int points = pool->candidate[at].points, before = bounds->least[level - 1];
        bounds->least[level] = points > before ? points : before + 1;
    }
}

/* Where a level's candidates begin in the sorted pool. */
static int level_begin(const struct pool *pool, const struct deck_bounds *bounds, int level)
{
    int begin = 0;

    if (level > CARD_LEVELS) {
        return pool->count;
    }
    while (begin < pool->count && pool->candidate[begin].points < bounds->least[level]) {
        begin++;
    }
    return begin;
}

static int least_of_levels(const struct pool *pool, const struct deck_bounds *bounds)
{
    int least = pool->count;

    for (int level = 1; level <= CARD_LEVELS; level++) {
        int count = level_begin(pool, bounds, level + 1) - level_begin(pool, bounds, level);
        least = count < least ? count : least;
    }
    return least;
}

/* Sorts the pool for its bounds; sorting moves what the table points to, so it is made anew. */
static int pool_sort(struct pool *pool, struct deck_bounds *bounds)
{
    qsort(pool->candidate, (size_t)pool->count, sizeof *pool->candidate, candidate_order);
    bounds_find(pool, bounds);
    return least_of_levels(pool, bounds);
}

static int digits_of(int number)
{
    return number < 100 ? 2 : number < 1000 ? 3 : 4;
}

static void cards_take(const struct pool *pool, const struct deck_bounds *bounds,
                       const struct deck_plan *plan, struct deck *deck)
{
    int digits = digits_of(plan->each);

    for (int level = 1; level <= CARD_LEVELS; level++) {
        int begin = level_begin(pool, bounds, level);
        int count = level_begin(pool, bounds, level + 1) - begin;
        for (int i = 0; i < plan->each; i++) {
            struct card *card = &deck->card[deck->cards++];
            int at = begin + (int)((2L * i + 1) * count / (2L * plan->each));
            card->level = level;
            card->grid = pool->candidate[at].grid;
            (void)snprintf(card->id, sizeof card->id, "L%d-%0*d", level, digits, i + 1);
        }
    }
}

static struct deck *deck_create(const struct blockset *set, const struct deck_plan *plan)
{
    struct deck *deck = calloc(1, sizeof *deck);

    if (!deck) {
        return NULL;
    }
    deck->card = calloc((size_t)(CARD_LEVELS * plan->each), sizeof *deck->card);
    if (!deck->card) {
        calib_deck_destroy(&deck);
        return NULL;
    }
    (void)snprintf(deck->name, sizeof deck->name, "%s", plan->name);
    (void)snprintf(deck->set, sizeof deck->set, "%s", set->name);
    return deck;
}

/* A pool with enough of every level. */
static int pool_make(struct pool *pool, const struct blockset *set, const struct deck_plan *plan,
                     struct deck_bounds *bounds, struct calib_fault *fault)
{
    struct alikes alikes;
    uint64_t chance = plan->seed;
    int wanted = POOL_FACTOR * CARD_LEVELS * plan->each, enough = 0;

    wanted = wanted > POOL_LEAST ? wanted : POOL_LEAST;
    calib_alikes_find(set, &alikes);
    for (int growth = 0; growth < GROWTHS_MAX && enough < plan->each; growth++) {
        if (!pool_resize(pool, wanted)) {
            (void)calib_fault_set(fault, plan->name, 0, CALIB_E_MEMORY, "out of memory");
            return CALIB_E_MEMORY;
        }
        pool_fill(pool, set, &alikes, plan->side, &chance);
        if (pool->count > 0) {
            enough = pool_sort(pool, bounds);
        }
        if (pool->count < pool->room) {
            break; /* no more are to be found */
        }
        wanted *= 2;
    }
    if (enough >= plan->each) {
        return CALIB_OK;
    }
    (void)calib_fault_set(fault, plan->name, 0, CALIB_E_GEOMETRY,
                          "of %d different cards found there are only %d of some level, not %d; "
                          "ask for fewer cards, or allow more rows and columns",
                          pool->count, enough, plan->each);
    return CALIB_E_GEOMETRY;
}

int calib_deck_make(const struct blockset *set, const struct deck_plan *plan, struct deck **out,
                    struct deck_bounds *bounds, struct calib_fault *fault)
{
    struct pool pool = {.count = 0};
    struct deck *deck = NULL;
    int error;

    *out = NULL;
    if (plan->each < 1 || plan->each > DECK_EACH_MAX || plan->side < 1 ||
        plan->side > GRID_SIDE_MAX) {
        return calib_fault_set(fault, plan->name, 0, CALIB_E_VALUE,
                               "1 to %d cards of each level, of 1 to %d rows and columns",
                               DECK_EACH_MAX, GRID_SIDE_MAX);
    }
    error = pool_make(&pool, set, plan, bounds, fault);
    if (!error && !(deck = deck_create(set, plan))) {
        error = calib_fault_set(fault, plan->name, 0, CALIB_E_MEMORY, "out of memory");
    }
    if (!error) {
        cards_take(&pool, bounds, plan, deck);
        *out = deck;
    }
    free(pool.candidate);
    free(pool.table);
    return error;
}

/* ---- as text ---- */

char *calib_deck_text(const struct deck *deck, size_t *length)
{
    json_t *cards = json_array();
    json_t *root = json_pack("{s:s, s:s, s:s, s:o}", "format", "tableref-deck/1", "name",
                             deck->name, "set", deck->set, "cards", cards);
    char text[GRID_TEXT_MAX], *out = NULL;
    bool well = root != NULL;

    for (int i = 0; i < deck->cards && well; i++) {
        const struct card *card = &deck->card[i];
        calib_grid_format(&card->grid, text);
        well = json_array_append_new(cards, json_pack("{s:s, s:i, s:s}", "id", card->id, "level",
                                                      card->level, "grid", text)) == 0;
    }
    if (well) {
        out = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    }
    json_decref(root);
    *length = out ? strlen(out) : 0;
    return out;
}
