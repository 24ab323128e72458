/* vision/inventory.c: see inventory.h. */
#include "vision/inventory.h"

#include <math.h>
#include <string.h>

#define IMPOSSIBLE (-1e6f) /* far below any sum of log likelihoods */
#define BLOCK_SETS (1 << BLOCKSET_BLOCKS_MAX)
/* A way with a reading that is barred in it: the other cells' scores, of either sign, add to it. */
#define RULED_OUT (IMPOSSIBLE / 2)
#define PAIRS_MAX BLOCKSET_BLOCKS_MAX
#define PAIRINGS_MAX 4096 /* ten cells in a block have some dozen; a bound for odd input */

struct way {
    float total;
    int first[PAIRS_MAX], second[PAIRS_MAX]; /* cells of each pair */
    int block[PAIRS_MAX], face[PAIRS_MAX], flip[PAIRS_MAX];
};

struct search {
    const struct blockset *set;
    int cells, pairs;
    const uint32_t *beside;
    const float (*score)[BLOCKSET_SYMBOLS_MAX];
    int face_symbol[BLOCKSET_BLOCKS_MAX][BLOCKSET_FACES_MAX][2];
    int barred_cell, barred_symbol; /* a reading that is not allowed, or -1 */
    int pairings;
    struct way now, best;
};

static float cell_score(const struct search *s, int cell, int symbol)
{
    return cell == s->barred_cell && symbol == s->barred_symbol ? IMPOSSIBLE
                                                                : s->score[cell][symbol];
}

/* The best face of a block on a pair. */
static float pair_score(const struct search *s, int pair, int block, int *face, int *flip)
{
    float best = 2 * IMPOSSIBLE;
    for (int f = 0; f < s->set->block[block].faces; f++)
        for (int t = 0; t < 2; t++) {
            float value = cell_score(s, s->now.first[pair], s->face_symbol[block][f][t]) +
                          cell_score(s, s->now.second[pair], s->face_symbol[block][f][1 - t]);
            if (value > best) {
                best = value;
                *face = f;
                *flip = t;
            }
        }
    return best;
}

/* How well each block fits each pair, and by which of its faces. */
struct fits {
    float score[PAIRS_MAX][BLOCKSET_BLOCKS_MAX];
    int face[PAIRS_MAX][BLOCKSET_BLOCKS_MAX], flip[PAIRS_MAX][BLOCKSET_BLOCKS_MAX];
};

/* The best sum over all ways of giving a block to each pair, by sets of blocks used: given[p][m]
 * is the block of pair p where the pairs 0..p use the set m. Returns the set that all pairs use
 * in the best way, 0 for none. */
static unsigned blocks_share(const struct search *s, const struct fits *fits, float *total,
                             signed char given[PAIRS_MAX][BLOCK_SETS])
{
    unsigned sets = 1u << s->set->blocks, best = 0;
    float sum[BLOCK_SETS] = {0};
    *total = -INFINITY;
    for (unsigned m = 1; m < sets; m++) {
        int p = __builtin_popcount(m) - 1;
        sum[m] = -INFINITY;
        for (int b = 0; p < s->pairs && b < s->set->blocks; b++) {
            float with = m >> b & 1 ? sum[m & ~(1u << b)] + fits->score[p][b] : -INFINITY;
            if (with > sum[m]) {
                sum[m] = with;
                given[p][m] = (signed char)b;
            }
        }
        if (p == s->pairs - 1 && sum[m] > *total) {
            *total = sum[m];
            best = m;
        }
    }
    return best;
}

/* Gives blocks to the pairs of one pairing, and keeps that when it is the best so far. */
static void pairing_assign(struct search *s)
{
    struct fits fits = {0};
    signed char given[PAIRS_MAX][BLOCK_SETS] = {0};
    float total;
    for (int p = 0; p < s->pairs; p++)
        for (int b = 0; b < s->set->blocks; b++)
            fits.score[p][b] = pair_score(s, p, b, &fits.face[p][b], &fits.flip[p][b]);
    unsigned used = blocks_share(s, &fits, &total, given);
    if (!used || total <= s->best.total)
        return;
    s->best = s->now;
    s->best.total = total;
    for (int p = s->pairs - 1; p >= 0; p--) {
        int b = given[p][used];
        s->best.block[p] = b;
        s->best.face[p] = fits.face[p][b];
        s->best.flip[p] = fits.flip[p][b];
        used &= ~(1u << b);
    }
}

/* Pairs the first free cell with each cell beside it, and so on. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the set has blocks */
static void pairings_try(struct search *s, uint32_t left, int pair)
{
    if (s->pairings >= PAIRINGS_MAX)
        return;
    if (!left) {
        s->pairings++;
        pairing_assign(s);
        return;
    }
    int cell = __builtin_ctz(left);
    uint32_t others = left & s->beside[cell] & ~(1u << cell);
    for (; others; others &= others - 1) {
        int other = __builtin_ctz(others);
        s->now.first[pair] = cell;
        s->now.second[pair] = other;
        pairings_try(s, left & ~(1u << cell) & ~(1u << other), pair + 1);
    }
}

static float ways_search(struct search *s, int barred_cell, int barred_symbol)
{
    s->barred_cell = barred_cell;
    s->barred_symbol = barred_symbol;
    s->pairings = 0;
    s->best.total = 10 * IMPOSSIBLE;
    pairings_try(s, (uint32_t)((1ull << s->cells) - 1), 0);
    return s->best.total;
}

static void way_read(const struct search *s, const struct way *way, int symbol[], int partner[],
                     int block[])
{
    for (int p = 0; p < s->pairs; p++) {
        const int *face = s->face_symbol[way->block[p]][way->face[p]];
        int a = way->first[p], b = way->second[p];
        symbol[a] = face[way->flip[p]];
        symbol[b] = face[1 - way->flip[p]];
        if (partner) {
            partner[a] = b;
            partner[b] = a;
            block[a] = block[b] = way->block[p];
        }
    }
}

bool vision_inventory_resolve(const struct blockset *set, int cells, const uint32_t *beside,
                              const float (*score)[BLOCKSET_SYMBOLS_MAX], struct inventory *out)
{
    struct search s = {
        .set = set, .cells = cells, .pairs = cells / 2, .beside = beside, .score = score};
    memset(out, 0, sizeof *out);
    if (cells < 2 || cells % 2 || s.pairs > set->blocks || cells > INVENTORY_CELLS_MAX)
        return false;
    for (int b = 0; b < set->blocks; b++)
        for (int f = 0; f < set->block[b].faces; f++)
            for (int k = 0; k < 2; k++)
                s.face_symbol[b][f][k] = calib_blockset_find(set, set->block[b].face[f][k]);
    out->total = ways_search(&s, -1, -1);
    if (out->total <= RULED_OUT)
        return false;
    way_read(&s, &s.best, out->symbol, out->partner, out->block);
    for (int i = 0; i < cells; i++) {
        float other = ways_search(&s, i, out->symbol[i]);
        int symbol[INVENTORY_CELLS_MAX] = {0};
        out->margin[i] = INVENTORY_NO_OTHER;
        out->second[i] = out->symbol[i];
        if (other <= RULED_OUT)
            continue;
        way_read(&s, &s.best, symbol, NULL, NULL);
        out->margin[i] = out->total - other;
        out->second[i] = symbol[i];
    }
    return true;
}
