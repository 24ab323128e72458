/* vision/inventory.c: see inventory.h. */
#include "vision/inventory.h"

#include <string.h>

#define IMPOSSIBLE -1e6f
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

/* Gives blocks to the pairs of one pairing: best sum over all choices, by sets of blocks used. */
static void pairing_assign(struct search *s)
{
    enum { SETS = 1 << BLOCKSET_BLOCKS_MAX };
    static const float worst = 10 * IMPOSSIBLE;
    float score[PAIRS_MAX][BLOCKSET_BLOCKS_MAX];
    int face[PAIRS_MAX][BLOCKSET_BLOCKS_MAX], flip[PAIRS_MAX][BLOCKSET_BLOCKS_MAX];
    float sum[SETS];
    signed char given[PAIRS_MAX][SETS];
    int blocks = s->set->blocks, sets = 1 << blocks;
    for (int p = 0; p < s->pairs; p++)
        for (int b = 0; b < blocks; b++)
            score[p][b] = pair_score(s, p, b, &face[p][b], &flip[p][b]);
    for (int m = 0; m < sets; m++)
        sum[m] = m ? worst : 0;
    for (int p = 0; p < s->pairs; p++)
        for (int m = sets - 1; m >= 0; m--) { /* larger sets first: each comes from a smaller */
            float best = worst;
            given[p][m] = -1;
            for (int b = 0; b < blocks; b++)
                if (m >> b & 1 && __builtin_popcount((unsigned)m) == p + 1 &&
                    sum[m & ~(1 << b)] + score[p][b] > best) {
                    best = sum[m & ~(1 << b)] + score[p][b];
                    given[p][m] = (signed char)b;
                }
            if (__builtin_popcount((unsigned)m) == p + 1)
                sum[m] = best;
        }
    int chosen = -1;
    for (int m = 0; m < sets; m++)
        if (__builtin_popcount((unsigned)m) == s->pairs && (chosen < 0 || sum[m] > sum[chosen]))
            chosen = m;
    if (chosen < 0 || sum[chosen] <= s->best.total)
        return;
    s->best = s->now;
    s->best.total = sum[chosen];
    for (int p = s->pairs - 1, m = chosen; p >= 0; p--) {
        int b = given[p][m];
        s->best.block[p] = b;
        s->best.face[p] = face[p][b];
        s->best.flip[p] = flip[p][b];
        m &= ~(1 << b);
    }
}

/* Pairs the first free cell with each cell beside it, and so on. */
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
    struct search s = {.set = set, .cells = cells, .pairs = cells / 2, .beside = beside,
                       .score = score};
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
        int symbol[INVENTORY_CELLS_MAX];
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
