/* vision/cellfind.c: see cellfind.h. */
#include "vision/cellfind.h"

#include "vision/four.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURNS                                                                                      \
    9                 /* over a quarter: steps of 10 degrees, 5 at most from the truth, which      \
                         moves a corner by a twentieth of a cell */
#define STRIDE 2      /* px between places tried; places are refined afterwards */
#define SIDE_POINTS 4 /* samples along each side of a ring */
#define RING_POINTS (4 * SIDE_POINTS)
#define GATE_LEAST 0.12f  /* mean darkness over a cell under which no field can lie there */
#define SCORE_LEAST 0.10f /* rim over field: half of what a cell shows under heavy veil */
#define APART 0.55f       /* cells: two tops can't be nearer than one, two faces of one block can */

/* Whiteness in whole numbers: a ring's 16 points add up within 16 bits. */
#define WHITE_ONE 1023
/* A score of 1, in the sums over the points of both rings. */
#define SCORE_ONE (WHITE_ONE * RING_POINTS)

/* Eight neighbouring places, STRIDE apart, are scored at once. */
#define LANES 8
typedef int16_t lanes __attribute__((vector_size(2 * LANES)));

struct cell_finder {
    float rim_at, field_at; /* half sides of the rings, in cells */
    uint32_t *darkness;     /* integral image, (width + 1) * (height + 1); wraps round, which
                               differences do not mind */
    int16_t *white;         /* even columns of all rows, then the odd ones: what eight places see
                               at one offset lies side by side */
    int16_t *score, *turn;  /* of the best turn, by place */
    int32_t *row;           /* whiteness of one row */
    size_t capacity;
};

/* What a search works on. */
struct search {
    int width, height; /* of the patch */
    int half;          /* length of a row of even or odd columns */
    int odd;           /* from the even columns to the odd ones */
    int margin, gate;  /* px from a place to the edge; half side of the square that must be dark */
    int cols, rows;    /* places */
    int stride;        /* of rows of places, with an empty place at either end */
};

struct cell_finder *vision_cell_finder_create(const struct blockset *set)
{
    struct cell_finder *finder = calloc(1, sizeof *finder);
    if (!finder)
        return NULL;
    /* The rim's ring runs along the middle of the rim. The field's ring runs as far inside the
     * field's edge as the ink's reach allows: printed inks stay within 0.42 of the field. */
    finder->rim_at = 0.5f - (float)set->rim * 0.5f;
    finder->field_at = 0.5f - (float)set->rim - 0.035f;
    return finder;
}

void vision_cell_finder_destroy(struct cell_finder **finder)
{
    if (!finder || !*finder)
        return;
    free((*finder)->darkness);
    free((*finder)->white);
    free((*finder)->score);
    free((*finder)->turn);
    free((*finder)->row);
    free(*finder);
    *finder = NULL;
}

static struct search search_plan(int width, int height, float side_px)
{
    struct search s = {.width = width, .height = height, .half = (width + 1) / 2};
    s.odd = s.half * height;
    s.margin = (int)ceilf(side_px * 0.72f); /* half of a cell's diagonal */
    s.gate = (int)(side_px * 0.4f);
    s.cols = (width - 2 * s.margin + STRIDE - 1) / STRIDE;
    s.rows = (height - 2 * s.margin + STRIDE - 1) / STRIDE;
    s.cols = s.cols > 0 ? s.cols : 0;
    s.rows = s.rows > 0 ? s.rows : 0;
    s.stride = (s.cols + LANES - 1) / LANES * LANES + 2;
    return s;
}

static int finder_reserve(struct cell_finder *finder, const struct search *s)
{
    size_t pixels = (size_t)(s->width + LANES) * (size_t)(s->height + 1);
    size_t places = (size_t)s->stride * (size_t)(s->rows + 2);
    size_t need = (pixels > places ? pixels : places) + 2 * LANES;
    if (finder->capacity >= need)
        return VISION_OK;
    uint32_t *darkness = realloc(finder->darkness, need * sizeof *darkness);
    if (darkness)
        finder->darkness = darkness;
    int16_t *white = realloc(finder->white, need * sizeof *white);
    if (white)
        finder->white = white;
    int16_t *score = realloc(finder->score, need * sizeof *score);
    if (score)
        finder->score = score;
    int16_t *turn = realloc(finder->turn, need * sizeof *turn);
    if (turn)
        finder->turn = turn;
    int32_t *row = realloc(finder->row, need * sizeof *row);
    if (row)
        finder->row = row;
    if (!darkness || !white || !score || !turn || !row)
        return VISION_E_MEMORY;
    finder->capacity = need;
    return VISION_OK;
}

/* Four whole numbers of whiteness. */
static inline four_whole whole_white(four value)
{
    const four none = {0}, one = none + 1;
    four_whole above = value > none; /* all bits set */
    four clamped = four_least((four)((four_whole)value & above), one);
    return __builtin_convertvector(clamped * WHITE_ONE + 0.5f, four_whole);
}

/* Under a veil of mirrored light even fields come near to white, and white lies above 1. There,
 * whiteness is taken relative to the brightest that is seen around, over about two cells. */
#define SHEEN_BLOCK_PX 16
#define SHEEN_BLOCKS_MAX 128
/* White against the mean of a layout under a veil: fields cover half of it. */
#define SHEEN_OVER_MEAN 1.25f

struct sheen {
    int cols, rows;
    float mean[SHEEN_BLOCKS_MAX][SHEEN_BLOCKS_MAX];
    float scale[SHEEN_BLOCKS_MAX][SHEEN_BLOCKS_MAX]; /* of whiteness: 1 but under a veil */
};

static void sheen_means(const struct search *s, const float *whiteness, struct sheen *sheen)
{
    sheen->cols = (s->width + SHEEN_BLOCK_PX - 1) / SHEEN_BLOCK_PX;
    sheen->rows = (s->height + SHEEN_BLOCK_PX - 1) / SHEEN_BLOCK_PX;
    sheen->cols = sheen->cols < SHEEN_BLOCKS_MAX ? sheen->cols : SHEEN_BLOCKS_MAX;
    sheen->rows = sheen->rows < SHEEN_BLOCKS_MAX ? sheen->rows : SHEEN_BLOCKS_MAX;
    for (int j = 0; j < sheen->rows; j++)
        for (int i = 0; i < sheen->cols; i++) {
            float sum = 0;
            int count = 0;
            for (int y = j * SHEEN_BLOCK_PX; y < (j + 1) * SHEEN_BLOCK_PX && y < s->height; y += 2)
                for (int x = i * SHEEN_BLOCK_PX; x < (i + 1) * SHEEN_BLOCK_PX && x < s->width;
                     x += 2, count++)
                    sum += whiteness[y * s->width + x];
            sheen->mean[j][i] = count ? sum / (float)count : 0;
        }
}

static float sheen_scale(const struct sheen *sheen, int col, int row)
{
    float most = 0;
    for (int j = row - 1; j <= row + 1; j++)
        for (int i = col - 1; i <= col + 1; i++)
            if (i >= 0 && j >= 0 && i < sheen->cols && j < sheen->rows)
                most = sheen->mean[j][i] > most ? sheen->mean[j][i] : most;
    float level = SHEEN_OVER_MEAN * most;
    return level > SHEEN_OVER_MEAN ? 1 / level : 1; /* paper in full light has a mean of 1 */
}

static void sheen_scales(struct sheen *sheen)
{
    for (int j = 0; j < sheen->rows; j++)
        for (int i = 0; i < sheen->cols; i++)
            sheen->scale[j][i] = sheen_scale(sheen, i, j);
}

/* A row of whole numbers, in fours; what follows the last px has room and may be anything. */
static void row_take(const struct search *s, const struct sheen *sheen, int y,
                     const float *whiteness, int32_t *whole)
{
    int row = y / SHEEN_BLOCK_PX;
    for (int x0 = 0; x0 < s->width; x0 += SHEEN_BLOCK_PX) {
        int col = x0 / SHEEN_BLOCK_PX, x = x0;
        int end = x0 + SHEEN_BLOCK_PX < s->width ? x0 + SHEEN_BLOCK_PX : s->width;
        float scale = sheen->scale[row < sheen->rows ? row : sheen->rows - 1]
                                  [col < sheen->cols ? col : sheen->cols - 1];
        for (; x + 4 <= end; x += 4) {
            four_whole four_px = whole_white(four_load(whiteness + x) * scale);
            memcpy(whole + x, &four_px, sizeof four_px);
        }
        for (; x < end; x++) {
            const four one_px = {whiteness[x] * scale};
            whole[x] = whole_white(one_px)[0];
        }
    }
}

static void white_take(struct cell_finder *finder, const struct search *s, const float *whiteness)
{
    int stride = s->width + 1;
    struct sheen sheen;
    memset(finder->darkness, 0, (size_t)stride * sizeof *finder->darkness);
    sheen_means(s, whiteness, &sheen);
    sheen_scales(&sheen);
    for (int y = 0; y < s->height; y++) {
        const uint32_t *above = finder->darkness + (size_t)y * (size_t)stride;
        uint32_t *sum = finder->darkness + (size_t)(y + 1) * (size_t)stride, row = 0;
        int16_t *even = finder->white + (size_t)y * (size_t)s->half, *odd = even + s->odd;
        const int32_t *whole = finder->row;
        row_take(s, &sheen, y, whiteness + (size_t)y * (size_t)s->width, finder->row);
        sum[0] = 0;
        for (int x = 0; x < s->width; x++) {
            row += (uint32_t)(WHITE_ONE - whole[x]);
            sum[x + 1] = above[x + 1] + row;
        }
        for (int x = 0; x < s->width; x += 2)
            even[x / 2] = (int16_t)whole[x];
        for (int x = 1; x < s->width; x += 2)
            odd[x / 2] = (int16_t)whole[x];
    }
    /* eight places at once may look a little beyond the last row's end */
    memset(finder->white + 2 * (size_t)s->odd, 0, LANES * sizeof *finder->white);
}

/* For each of eight places from (x, y) on: all bits set where it is dark enough for a field. */
static lanes dark_gate(const struct cell_finder *finder, const struct search *s, int col, int x,
                       int y)
{
    const int g = s->gate, stride = s->width + 1;
    const uint32_t *upper = finder->darkness + (size_t)(y - g) * (size_t)stride;
    const uint32_t *lower = finder->darkness + (size_t)(y + g) * (size_t)stride;
    const uint32_t least = (uint32_t)(GATE_LEAST * WHITE_ONE * (float)(4 * g * g));
    lanes gate = {0};
    for (int i = 0; i < LANES && col + i < s->cols; i++) {
        int from = x + STRIDE * i - g, to = x + STRIDE * i + g;
        if (lower[to] - lower[from] - upper[to] + upper[from] >= least)
            gate[i] = -1;
    }
    return gate;
}

/* From a place to a ring's points, in finder->white; for places at an even or odd x as the
 * search has them. */
struct ring_offsets {
    int rim[TURNS][RING_POINTS], field[TURNS][RING_POINTS];
};

/* Point `i` of side `side` of a ring, in cells before turning. */
static void ring_point(float half, int side, int i, float *u, float *v)
{
    float along = (((float)i + 0.5f) / SIDE_POINTS - 0.5f) * 2 * half * 0.85f;
    *u = side == 0 ? along : side == 1 ? half : side == 2 ? -along : -half;
    *v = side == 0 ? -half : side == 1 ? along : side == 2 ? half : -along;
}

static int ring_offset(const struct search *s, float half, int k, float turn, float side_px)
{
    float u, v;
    ring_point(half, k / SIDE_POINTS, k % SIDE_POINTS, &u, &v);
    int x = (int)lrintf((u * cosf(turn) - v * sinf(turn)) * side_px) + s->margin;
    int y = (int)lrintf((u * sinf(turn) + v * cosf(turn)) * side_px) + s->margin;
    return y * s->half + x / 2 + (x & 1 ? s->odd : 0);
}

static void offsets_fill(const struct cell_finder *finder, const struct search *s, float side_px,
                         struct ring_offsets *offsets)
{
    for (int t = 0; t < TURNS; t++)
        for (int k = 0; k < RING_POINTS; k++) {
            float turn = (float)t * (float)M_PI_2 / TURNS;
            offsets->rim[t][k] = ring_offset(s, finder->rim_at, k, turn, side_px);
            offsets->field[t][k] = ring_offset(s, finder->field_at, k, turn, side_px);
        }
}

static inline lanes lanes_load(const int16_t *from)
{
    lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void lanes_store(int16_t *to, lanes value)
{
    memcpy(to, &value, sizeof value);
}

/* How much whiter the rim's ring is than the field's, for eight places; `white` belongs to the
 * first of them. */
static inline lanes places_measure(const int16_t *white, const int *rim, const int *field)
{
    lanes sum = {0};
    for (int k = 0; k < RING_POINTS; k++)
        sum += lanes_load(white + rim[k]) - lanes_load(white + field[k]);
    return sum;
}

static void places_score(struct cell_finder *finder, const struct search *s,
                         const struct ring_offsets *offsets, int row)
{
    int y = s->margin + row * STRIDE;
    size_t out = (size_t)(row + 1) * (size_t)s->stride + 1;
    for (int col = 0; col < s->cols; col += LANES, out += LANES) {
        lanes gate = dark_gate(finder, s, col, s->margin + col * STRIDE, y);
        lanes best = {0}, turn = {0};
        uint64_t any[2];
        memcpy(any, &gate, sizeof any);
        if (!(any[0] | any[1]))
            continue;
        const int16_t *white = finder->white + (size_t)(row * STRIDE) * (size_t)s->half + col;
        for (int t = 0; t < TURNS; t++) {
            lanes score = places_measure(white, offsets->rim[t], offsets->field[t]) & gate;
            lanes better = score > best;
            best = (score & better) | (best & ~better);
            turn = ((int16_t)t & better) | (turn & ~better);
        }
        lanes_store(finder->score + out, best);
        lanes_store(finder->turn + out, turn);
    }
}

static bool place_peaks(const struct cell_finder *finder, const struct search *s, size_t at)
{
    const int16_t *own = finder->score + at;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            int other = own[j * s->stride + i];
            if (other > *own || (other == *own && (j < 0 || (j == 0 && i < 0))))
                return false;
        }
    return true;
}

/* Inserts into the list, best first; the worst falls off a full one. */
static int candidate_insert(struct candidate *list, int count, const struct candidate *c, int most)
{
    int at = count;
    while (at > 0 && list[at - 1].score < c->score)
        at--;
    if (at >= most)
        return count;
    int last = count < most ? count : most - 1;
    memmove(list + at + 1, list + at, (size_t)(last - at) * sizeof *list);
    list[at] = *c;
    return count < most ? count + 1 : most;
}

#define PEAKS_MAX 256

static int peaks_collect(const struct cell_finder *finder, const struct search *s, float side_px,
                         struct candidate peak[PEAKS_MAX])
{
    const int least = (int)(SCORE_LEAST * SCORE_ONE);
    int peaks = 0;
    for (int row = 0; row < s->rows; row++)
        for (int col = 0; col < s->cols; col++) {
            size_t at = (size_t)(row + 1) * (size_t)s->stride + (size_t)col + 1;
            if (finder->score[at] < least || !place_peaks(finder, s, at))
                continue;
            const struct candidate c = {{(float)(s->margin + col * STRIDE),
                                         (float)(s->margin + row * STRIDE),
                                         (float)finder->turn[at] * (float)M_PI_2 / TURNS, side_px},
                                        (float)finder->score[at] / SCORE_ONE};
            peaks = candidate_insert(peak, peaks, &c, PEAKS_MAX);
        }
    return peaks;
}

static bool candidate_apart(const struct candidate *c, const struct candidate *list, int count)
{
    float apart = APART * c->place.side_px;
    for (int k = 0; k < count; k++) {
        float dx = c->place.x - list[k].place.x, dy = c->place.y - list[k].place.y;
        if (dx * dx + dy * dy <= apart * apart)
            return false;
    }
    return true;
}

int vision_cells_find(struct cell_finder *finder, const float *whiteness, int width, int height,
                      float side_px, struct candidate out[CANDIDATES_MAX])
{
    struct candidate peak[PEAKS_MAX];
    struct ring_offsets offsets;
    struct search search = search_plan(width, height, side_px);
    int count = 0;
    if (finder_reserve(finder, &search))
        return VISION_E_MEMORY;
    white_take(finder, &search, whiteness);
    offsets_fill(finder, &search, side_px, &offsets);
    memset(finder->score, 0,
           (size_t)search.stride * (size_t)(search.rows + 2) * sizeof *finder->score);
    for (int row = 0; row < search.rows; row++)
        places_score(finder, &search, &offsets, row);
    int peaks = peaks_collect(finder, &search, side_px, peak);
    for (int i = 0; i < peaks && count < CANDIDATES_MAX; i++)
        if (candidate_apart(&peak[i], out, count))
            out[count++] = peak[i];
    return count;
}
