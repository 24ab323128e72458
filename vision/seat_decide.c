/* vision/seat_decide.c: from tops to a seat's state; see seat.h. */
#include "vision/seat.h"

#include "vision/foreign.h"
#include "vision/seat_ends.h"
#include "vision/seat_tops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A symbol this likely on a cell's own evidence is clearly seen: the inventory does not overrule
 * it. */
#define CLEAR 0.97
/* Where it counts only that blocks lie there, a symbol need not be beyond doubt, just likely. */
#define ANY_SYMBOL 0.7
/* A cell that leaves more than this is read, but could be a side face or half covered. */
#define CLEAR_LEFT_MOST 0.45f
/* Loss of score below which an explanation without a block is as good as one with it. */
#define SPARE_LOSS_MOST 2.0f
/* What a clearly seen cell that contradicts the inventory may claim: either it is misread or the
 * blocks are not of one set, and a ruling should not rest on it. */
#define CONTRADICTED 0.85
/* A cell that leaves more than this may be no cell; and what it may then claim. */
#define CELL_LEFT_MOST 0.46f
/* In a clear picture less will do: this many times what the seat's cells commonly leave, though
 * not under the second number, which gradients and print make up to. */
#define CELL_LEFT_COMMON 4.0f
#define CELL_LEFT_LEAST 0.33f
/* Of edges, of which one in 200 places that are no cells leaves less than half. */
#define CELL_LEFT_GLARE_MOST 0.48f
/* With white at the sensor's limit mirrored light cannot be told from it, and may have filled a
 * ring: then a symbol must explain more. Of full light, mean of the channels: marking glare takes
 * a quarter more than white. */
#define WHITE_FULL 0.8f
#define WHITE_FULL_LEFT_MOST 0.28f
/* Less has to be explained where all of a layout's cells are seen and its blocks leave this cell no
 * other symbol, by this likelihood: then it counts only that it is a cell at all. */
#define WHITE_FULL_FORCED_MOST 0.40f
#define FORCED 0.95
/* And no other that the colour allows (by no more squared standard errors than these) may explain
 * nearly as much: petals round a lamp's image come within a third of a star. */
#define WHITE_FULL_OTHERS 1.4f
#define COLOUR_ALLOWS 4.0f
/* One whose colour fits better may not leave less than this many times as much: light in the middle
 * of a shape makes another of it, but its colour stays. */
#define WHITE_FULL_BETTER 2.0f
/* A colour this far off says little: then no other that the colour allows may explain nearly as
 * much, by shape. A small `#` in poor light left a fifth more than the petals that it was taken
 * for. */
#define COLOUR_SILENT 2.0f
#define SHAPE_NEARLY 1.25f
/* Without mirrored light, for one whose colour fits better: as WHITE_FULL_OTHERS. So near come
 * petals, a square and a star in small, soft cells, and then the colour has been right against the
 * shape. */
#define NEAR_AS_MUCH 1.4f
#define DOUBTED 0.85
/* A cell too many that leaves no more than this, or of its edges, is a cell. */
#define FACT_LEFT_MOST 0.3f
#define FACT_LEFT_GLARE_MOST 0.42f
/* A cell that leaves more than this, or more of its edges, may be no cell at all: of places that
 * are none one in a hundred leaves less, and the grid makes us look at a dozen. */
#define ANY_LEFT_MOST 0.55f
#define ANY_LEFT_GLARE_MOST 0.55f
/* Nothing is surer than this. */
#define SUREST 0.999
/* Under this many picture pixels to a cell the symbols' points are smaller than a pixel. */
#define CELL_LEAST_PX 12.0
/* Share of the seat outside the picture that may hide a cell (a cell is 1.7 % of a seat). */
#define OUTSIDE_MOST 0.01
/* Mirrored light outside the blocks that could drown a cell's field. */
#define GLARE_MOST_MM2 400.0
/* A block that stands beyond doubt proves the layout wrong, whatever the others are: but not where
 * so much is unexplained that a hand may be at work, whose fingertips cover this much. */
#define STANDING_FOREIGN_MOST_MM2 600.0
/* A seat with fewer of something foreign than this is bare mat. */
#define BARE_MOST_MM2 110.0
/* In a seat in which nothing was read the smallest strip may be of a block that peeps out from
 * under a sheet as white as the mat. Noise makes specks of two or three mm, 7 mm2. */
#define SPECK_MOST_MM2 15.0

/* Measuring errors of a side face's centre against the body it belongs to. */
#define SIDE_GROW_MM 2.0

struct decision {
    const struct seat_reader *reader;
    const struct seat_sight *sight;
    struct tops tops;
    struct inventory inventory;
    bool paired; /* the inventory explains the tops as blocks */
    int symbol[TOPS_MAX], second[TOPS_MAX];
    double confidence[TOPS_MAX];
    double symbol_sure[TOPS_MAX]; /* that it is this symbol, if it is a cell at all */
    struct foreign foreign;
    int standing;       /* blocks on end */
    bool standing_sure; /* one of them beyond doubt, whatever else is seen */
    int whole;          /* cells of a whole layout */
    bool doubtful;      /* one of the tops may be no cell */
    bool surplus;       /* something lies there that may be a cell, and is on no block's side */
};

static double quarter_wrap(double rad)
{
    return rad - M_PI_2 * floor(rad / M_PI_2 + 0.5);
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* How likely the best symbol of a cell is on its own evidence. */
static double own_likelihood(const struct cell_fit *fit, int symbols)
{
    double sum = 0;
    for (int k = 0; k < symbols; k++)
        sum += exp((double)(fit->score[k] - fit->score[fit->best]));
    return 1 / sum;
}

static const struct cell_fit *fit_of(const struct decision *d, int top)
{
    return &d->sight->cell[d->tops.cell[top]].fit;
}

/* May one of the tops be no cell at all? */
static bool any_doubtful(const struct decision *d)
{
    for (int i = 0; i < d->tops.count; i++) {
        const struct cell_fit *fit = fit_of(d, i);
        if (fit->unexplained > (fit->through_glare ? ANY_LEFT_GLARE_MOST : ANY_LEFT_MOST))
            return true;
    }
    return false;
}

static void label_settle(struct decision *d, int top)
{
    const struct cell_fit *fit = fit_of(d, top);
    double own = own_likelihood(fit, d->reader->set->symbols);
    d->symbol[top] = fit->best;
    d->second[top] = fit->second;
    d->confidence[top] = own;
    if (!d->paired)
        return;
    double joint = logistic((double)d->inventory.margin[top]);
    bool agrees = d->inventory.symbol[top] == fit->best;
    if (!agrees && (own >= CLEAR || d->doubtful)) { /* of a false cell blocks can't be made */
        d->confidence[top] = fmin(own, CONTRADICTED);
        return;
    }
    d->symbol[top] = d->inventory.symbol[top];
    d->confidence[top] = joint;
    if (!agrees)
        d->second[top] = fit->best;
    else if (d->inventory.second[top] != d->symbol[top])
        d->second[top] = d->inventory.second[top];
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* What the seat's cells commonly leave unexplained: the picture's softness and noise. */
static float common_left(const struct decision *d)
{
    float left[TOPS_MAX] = {0};
    int n = d->tops.count;
    for (int i = 0; i < n; i++)
        left[i] = fit_of(d, i)->unexplained;
    qsort(left, (size_t)n, sizeof *left, compare_floats);
    return n ? left[n / 2] : 0;
}

static bool white_is_full(const float rgb[3])
{
    float sum = 0;
    for (int c = 0; c < 3; c++)
        sum += rgb[c] < 1 ? rgb[c] : 1;
    return sum > 3 * WHITE_FULL;
}

/* Does some other symbol, in a colour that is as possible, explain nearly as much? */
static bool has_rival(const struct cell_fit *fit, int symbol, int symbols)
{
    for (int k = 0; k < symbols; k++) {
        float more = fit->off[k] < fit->off[symbol] ? WHITE_FULL_BETTER : WHITE_FULL_OTHERS;
        if (k != symbol && fit->left[k] < more * fit->left[symbol] &&
            fit->off[k] < fit->off[symbol] + COLOUR_ALLOWS)
            return true;
    }
    return false;
}

/* Does a symbol whose colour fits better explain nearly as much? Where cells are small and soft,
 * shapes come near each other, and the likeliest one alone is no proof against the colour. */
static bool colour_says_other(const struct cell_fit *fit, int symbol, int symbols)
{
    for (int k = 0; k < symbols; k++)
        if (k != symbol && fit->off[k] < fit->off[symbol] &&
            fit->left[k] < NEAR_AS_MUCH * fit->left[symbol])
            return true;
    return false;
}

/* Neither shape nor colour says so by itself: another shape explains more, and the colour is off.
 * Light that fills a red ring leaves a red square, the likeliest of which is an orange one. */
static bool neither_says(const struct cell_fit *fit, int symbol, int symbols)
{
    for (int k = 0; k < symbols; k++)
        if (fit->left[k] < fit->left[symbol] && fit->off[symbol] > COLOUR_ALLOWS)
            return true;
    return false;
}

/* A colour that says little and a shape that another one comes near. */
static bool none_speaks(const struct cell_fit *fit, int symbol, int symbols)
{
    for (int k = 0; k < symbols && fit->off[symbol] > COLOUR_SILENT; k++)
        if (k != symbol && fit->left[k] < SHAPE_NEARLY * fit->left[symbol] &&
            fit->off[k] < fit->off[symbol] + COLOUR_ALLOWS)
            return true;
    return false;
}

/* Is it the blocks that say which symbol it is? */
static bool forced(const struct decision *d, int top)
{
    return d->paired && d->tops.count == d->whole && d->symbol_sure[top] >= FORCED;
}

/* Where white is at the sensor's limit. */
static bool white_full_believed(const struct decision *d, int top)
{
    const struct cell_fit *fit = fit_of(d, top);
    int symbol = d->symbol[top];
    float most = forced(d, top) ? WHITE_FULL_FORCED_MOST : WHITE_FULL_LEFT_MOST;
    return fit->left[symbol] <= most && !has_rival(fit, symbol, d->reader->set->symbols);
}

/* How sure it is that there is a cell of the set at all, whatever its symbol: what the grid or a
 * neighbour made us look for may be found in anything if looked for long enough, and a cell half
 * covered, or of some other print, is not to be made into the likeliest of ours. */
static double cell_likelihood(const struct decision *d, int top, float common)
{
    const struct cell_fit *fit = fit_of(d, top);
    int symbol = d->symbol[top];
    float left = fit->left[symbol]; /* of what it is taken for, be it the blocks that say so */
    float usual =
        CELL_LEFT_COMMON * common > CELL_LEFT_LEAST ? CELL_LEFT_COMMON * common : CELL_LEFT_LEAST;
    /* no more for mirrored light: a lamp's image makes stars of rings, and edges are tried there */
    float most = usual < CELL_LEFT_MOST ? usual : CELL_LEFT_MOST;
    if (white_is_full(fit->white[symbol]))
        return white_full_believed(d, top) ? SUREST : DOUBTED;
    if (fit->through_glare)
        most = CELL_LEFT_GLARE_MOST;
    int symbols = d->reader->set->symbols;
    if (colour_says_other(fit, symbol, symbols) || neither_says(fit, symbol, symbols) ||
        none_speaks(fit, symbol, symbols))
        return DOUBTED;
    return left <= most ? SUREST : DOUBTED;
}

static void labels_settle(struct decision *d)
{
    uint32_t beside[TOPS_MAX];
    float score[TOPS_MAX][BLOCKSET_SYMBOLS_MAX];
    int n = d->tops.count;
    for (int i = 0; i < n; i++)
        memcpy(score[i], fit_of(d, i)->score, sizeof score[i]);
    d->doubtful = any_doubtful(d);
    vision_tops_beside(d->reader, &d->tops, beside);
    d->paired = n <= d->whole && vision_inventory_resolve(
                                     d->reader->set, n, beside,
                                     (const float(*)[BLOCKSET_SYMBOLS_MAX])score, &d->inventory);
    /* no blocks of the set: one cell at least is a mistake, and none is given the benefit of doubt
     */
    float common = d->paired ? common_left(d) : 0;
    for (int i = 0; i < n; i++) {
        label_settle(d, i);
        d->symbol_sure[i] = fmin(d->confidence[i], SUREST);
        d->confidence[i] = fmin(d->confidence[i], cell_likelihood(d, i, common));
    }
}

/* Largest turn of a block against the grid: by the line through its two cells where they are
 * known, which is steadier than either cell's own turn. */
static double turn_off(const struct decision *d, int top)
{
    if (!d->paired)
        return fabs(d->tops.lattice.turn_off_rad[top]);
    const double *a = d->tops.body[top].center_mm;
    const double *b = d->tops.body[d->inventory.partner[top]].center_mm;
    return fabs(quarter_wrap(atan2(b[1] - a[1], b[0] - a[0]) - d->tops.lattice.turn_rad));
}

enum alignment_state { ALIGNED, ALIGN_DOUBT, ALIGN_OFF };

/* Measuring errors of a place (pitches) and of a turn (degrees): a bound is passed for sure only
 * by more than that. */
#define PLACE_ERROR 0.02
#define TURN_ERROR_DEG 1.5
/* So near the bound for lying on the grid, some layouts lie on a second grid as well, turned by
 * some degrees and with other rows: which of the two is meant nobody can say. */
#define SECOND_GRID_PITCH 0.05

static enum alignment_state alignment_of(const struct decision *d)
{
    const struct alignment *a = &d->reader->alignment;
    enum alignment_state state = ALIGNED;
    if (d->tops.lattice.count < d->tops.count && !d->tops.fits_all)
        return ALIGN_OFF;
    if (d->tops.lattice.count < d->tops.count)
        state = ALIGN_DOUBT;
    for (int i = 0; i < d->tops.count; i++) {
        double off = d->tops.lattice.on[i] ? d->tops.lattice.off[i] : d->tops.all_off;
        double turn = turn_off(d, i) * 180 / M_PI;
        if (off > a->center_off + PLACE_ERROR || turn > a->turn_off_deg + TURN_ERROR_DEG)
            return ALIGN_OFF;
        if (off > a->center_on - SECOND_GRID_PITCH || turn > a->turn_on_deg)
            state = ALIGN_DOUBT;
    }
    return state;
}

/* Room between two tops, in block widths: negative when they overlap along both axes. */
static double room_between(const struct body_top *a, const struct body_top *b)
{
    double d[2], e[2];
    vision_top_offset(a, b, d);
    vision_top_offset(b, a, e);
    return fmax(fmax(fabs(d[0]), fabs(d[1])), fmax(fabs(e[0]), fabs(e[1]))) - 1;
}

/* A block whose edge is further than the bound from every other block's. For sure: by more than
 * the error of measuring. */
static bool has_block_apart(const struct decision *d)
{
    for (int i = 0; i < d->tops.count && d->paired; i++) {
        int partner = d->inventory.partner[i];
        double room = 1e9;
        for (int j = 0; j < d->tops.count; j++)
            if (j != i && j != partner)
                room = fmin(room, fmin(room_between(&d->tops.body[i], &d->tops.body[j]),
                                       room_between(&d->tops.body[partner], &d->tops.body[j])));
        if (room > d->reader->alignment.apart + 2 * PLACE_ERROR)
            return true;
    }
    return false;
}

static void state_set(struct layout_seat *out, enum seat_state state, uint64_t reasons)
{
    out->state = state;
    out->reasons |= reasons;
}

/* Every top is the cell of a block of the set, read without doubt, and of each block one cell at
 * least stands for itself: where a block has one cell it has the other beside it. */
static bool all_clear(const struct decision *d)
{
    for (int i = 0; i < d->tops.count; i++) {
        if (!d->paired || d->symbol_sure[i] < ANY_SYMBOL)
            return false;
        float own = fit_of(d, i)->unexplained;
        float other = fit_of(d, d->inventory.partner[i])->unexplained;
        if (own > CLEAR_LEFT_MOST && other > CLEAR_LEFT_MOST)
            return false;
    }
    return true;
}

/* Mirrored light beside a whole layout that may be all there is to see of a block too many: half of
 * the top of one that drowns in it. */
static double glare_block_mm2(const struct decision *d)
{
    return d->reader->set->width_mm * d->reader->set->width_mm;
}

/* All blocks are seen, lying: does their grid make a layout? */
static void whole_decide(const struct decision *d, struct layout_seat *out)
{
    bool apart = has_block_apart(d);
    enum alignment_state state = apart ? ALIGN_OFF : alignment_of(d);
    if (!d->paired) /* these cells can't be the tops of the set's blocks: one is a mistake */
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_UNSURE_SYMBOL));
    else if (d->surplus && state != ALIGN_OFF) /* a block too many, perhaps */
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_EXTRA_BLOCK));
    else if (state != ALIGN_OFF && d->foreign.glare_mm2 > glare_block_mm2(d))
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_GLARE));
    else if (state == ALIGNED && d->foreign.touches) /* it may hide a block too many */
        state_set(out, SEAT_OCCLUDED, REASON_BIT(REASON_HAND));
    else if (state == ALIGNED && d->doubtful) /* its shape may be another */
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_UNSURE_SYMBOL));
    else if (state == ALIGNED)
        state_set(out, SEAT_COMPLETE, 0);
    else if (state == ALIGN_DOUBT)
        state_set(out, SEAT_INCOMPLETE, REASON_BIT(REASON_NOT_ALIGNED));
    else if (!all_clear(d)) /* a side face may pass for a top, and the top be hidden */
        state_set(out, d->foreign.total_mm2 > 0 ? SEAT_OCCLUDED : SEAT_UNREADABLE,
                  REASON_BIT(d->foreign.total_mm2 > 0 ? REASON_HAND : REASON_UNSURE_SYMBOL));
    else
        state_set(out, SEAT_INCOMPLETE,
                  REASON_BIT(REASON_NOT_ONE_GRID) | (apart ? REASON_BIT(REASON_BLOCK_APART) : 0));
}

static int16_t permille(double value)
{
    return (int16_t)lrint(fmin(fmax(value, 0), 1) * 1000);
}

/* Can the cells be shared out into pairs, each the two cells of a block? */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are pairs */
static bool cells_pair(const uint32_t *beside, uint32_t left)
{
    if (!left)
        return true;
    int cell = __builtin_ctz(left);
    left &= left - 1;
    for (uint32_t others = left & beside[cell]; others; others &= others - 1)
        if (cells_pair(beside, left & ~(others & -others)))
            return true;
    return false;
}

/* Is a top surely one, of whatever symbol? In mirrored light it may then have rivals. */
static bool surely_cell(const struct decision *d, int top)
{
    const struct cell_fit *fit = fit_of(d, top);
    if (white_is_full(fit->white[d->symbol[top]]))
        return fit->left[d->symbol[top]] <= WHITE_FULL_FORCED_MOST;
    return permille(cell_likelihood(d, top, 0)) >= LAYOUT_SURE_PERMILLE;
}

/* More clear cells than a layout has (tops_trim took away what was not clear): a whole block too
 * many can be ruled on, a single cell too many is a mistake somewhere. Each cell must stand for
 * itself, as a false one would do harm here, and have the other cell of its block beside it. That
 * one is a cell, but of either of two symbols, changes nothing: false blocks have two false cells.
 */
static void surplus_decide(const struct decision *d, struct layout_seat *out)
{
    uint32_t beside[TOPS_MAX];
    int unsure = 0;
    vision_tops_beside(d->reader, &d->tops, beside);
    bool clear = cells_pair(beside, (uint32_t)((1ull << d->tops.count) - 1));
    for (int i = 0; i < d->tops.count; i++) {
        unsure += permille(d->confidence[i]) < LAYOUT_SURE_PERMILLE;
        clear = clear && surely_cell(d, i) && d->symbol_sure[i] >= ANY_SYMBOL &&
                vision_fit_convinces(fit_of(d, i));
    }
    clear = clear && unsure <= 1;
    state_set(out, clear ? SEAT_INCOMPLETE : SEAT_UNREADABLE, REASON_BIT(REASON_EXTRA_BLOCK));
}

static void part_decide(const struct decision *d, struct layout_seat *out)
{
    const struct foreign *f = &d->foreign;
    bool every = d->standing && d->tops.count + 2 * d->standing == d->whole && all_clear(d);
    /* a shaded hole between blocks looks like a plain end, and then a block is hidden elsewhere */
    if (every && d->standing_sure)
        state_set(out, SEAT_INCOMPLETE, REASON_BIT(REASON_STANDING_BLOCK)); /* every block seen */
    else if (d->standing_sure && f->total_mm2 < STANDING_FOREIGN_MOST_MM2)
        state_set(out, SEAT_INCOMPLETE,
                  REASON_BIT(REASON_STANDING_BLOCK) | REASON_BIT(REASON_UNSURE_SYMBOL));
    else if (f->total_mm2 > 0 && f->reaches_edge)
        state_set(out, SEAT_OCCLUDED, REASON_BIT(REASON_HAND));
    else if (f->total_mm2 > 0)
        state_set(out, f->glare_mm2 > 0 ? SEAT_UNREADABLE : SEAT_OCCLUDED,
                  REASON_BIT(f->glare_mm2 > 0 ? REASON_GLARE : REASON_UNKNOWN_THING));
    else if (d->sight->outside > OUTSIDE_MOST)
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_OUT_OF_VIEW));
    else if (f->glare_mm2 > GLARE_MOST_MM2)
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_GLARE));
    else if (d->tops.count == 0 && d->standing == 0 && f->largest_mm2 > SPECK_MOST_MM2)
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_UNKNOWN_THING));
    else if (d->tops.count == 0 && d->standing == 0)
        state_set(out, SEAT_EMPTY, 0);
    else if (d->tops.count % 2 || !d->paired || /* blocks show two cells each: one is not seen */
             (d->standing && !d->standing_sure))
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_UNSURE_SYMBOL));
    else {
        bool short_of = d->tops.count + 2 * d->standing < d->whole;
        state_set(out, SEAT_INCOMPLETE,
                  (d->standing ? REASON_BIT(REASON_STANDING_BLOCK) : 0) |
                      (short_of ? REASON_BIT(REASON_MISSING_BLOCK) : 0));
    }
}

static void cell_write(const struct decision *d, const struct mat_pose *pose, int top,
                       struct layout_cell *out)
{
    const struct blockset *set = d->reader->set;
    const struct body_top *body = &d->tops.body[top];
    double c = cos(body->turn_rad) * body->side_mm / 2, s = sin(body->turn_rad) * body->side_mm / 2;
    static const double corner[5][2] = {{0, 0}, {-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    out->symbol = set->symbol[d->symbol[top]].label;
    out->second = set->symbol[d->second[top]].label;
    out->confidence = permille(d->confidence[top]);
    out->row = out->col = -1;
    out->turned_deg10 = (int16_t)lrint(quarter_wrap(body->turn_rad) * 1800 / M_PI);
    for (int k = 0; k < 5; k++) {
        double at[3] = {body->center_mm[0] + corner[k][0] * c - corner[k][1] * s,
                        body->center_mm[1] + corner[k][0] * s + corner[k][1] * c, -body->height_mm};
        double px[2] = {-1, -1};
        calib_camera_project(&pose->camera, &pose->pose, at, px);
        for (int i = 0; i < 2; i++) {
            int32_t *to = k ? &out->corner_px10[k - 1][i] : &out->center_px10[i];
            *to = (int32_t)lrint(px[i] * 10);
            if (k == 0)
                out->center_mm10[i] = (int32_t)lrint(at[i] * 10);
        }
    }
}

/* Rows and columns as the seat's player sees them, and the grid when it is complete. */
static void grid_write(const struct decision *d, struct layout_seat *out)
{
    const struct lattice *l = &d->tops.lattice;
    const double *up = d->sight->seat->up;
    if (l->count == 0 || l->rows > GRID_SIDE_MAX || l->cols > GRID_SIDE_MAX)
        return;
    double right = atan2(up[0], -up[1]); /* right is up turned clockwise by a quarter */
    double against = l->turn_rad - right;
    int quarters = (int)lrint(against / M_PI_2);
    out->turned_deg10 = (int16_t)lrint((against - quarters * M_PI_2) * 1800 / M_PI);
    if (out->turned_deg10 <= -450)
        out->turned_deg10 = (int16_t)(out->turned_deg10 + 900), quarters--;
    struct grid grid;
    calib_grid_clear(&grid, l->rows, l->cols);
    for (int i = 0; i < d->tops.count; i++) {
        if (!l->on[i])
            continue;
        int row = l->row[i], col = l->col[i], rows = l->rows, cols = l->cols;
        grid.cell[row][col] = out->cell[i].symbol;
        for (int q = quarters & 3; q > 0; q--) { /* clockwise: row r, column c to c, rows-1-r */
            int swap = row;
            row = col;
            col = rows - 1 - swap;
            swap = rows;
            rows = cols;
            cols = swap;
        }
        out->cell[i].row = (int8_t)row;
        out->cell[i].col = (int8_t)col;
    }
    if (out->state == SEAT_COMPLETE)
        out->grid = calib_grid_turn(&grid, quarters);
}

static void seat_write(const struct decision *d, const struct mat_pose *pose,
                       struct layout_seat *out)
{
    double least = SUREST;
    out->cells = (int8_t)(d->tops.count < LAYOUT_CELLS_MAX ? d->tops.count : LAYOUT_CELLS_MAX);
    for (int i = 0; i < out->cells; i++) {
        cell_write(d, pose, i, &out->cell[i]);
        least = fmin(least, d->confidence[i]);
    }
    grid_write(d, out);
    if (out->state == SEAT_EMPTY || (out->state == SEAT_INCOMPLETE && d->tops.count < d->whole))
        /* specks too small to count as things take up to a tenth */
        least = 1 - 0.1 * d->foreign.largest_mm2 / BARE_MOST_MM2;
    out->confidence = permille(least);
}

/* Is a place that was taken for a top on the side of a block that stays? */
static bool side_of_block(const struct decision *d, const struct body_top *body)
{
    for (int i = 0; i < d->tops.count; i++)
        if (vision_body_covers(&d->sight->view, &d->tops.body[i], d->tops.body[i].height_mm,
                               body->center_mm, SIDE_GROW_MM))
            return true;
    return false;
}

/* More tops than a whole layout has: the least convincing are not tops. Where no block's side
 * explains them, they may be a block too many all the same. Returns how many were left out. */
static int tops_trim(struct decision *d)
{
    struct body_top left_out[TOPS_MAX];
    int count = 0;
    while (d->tops.count > d->whole) {
        int worst = 0;
        for (int i = 1; i < d->tops.count; i++)
            if (fit_of(d, i)->unexplained > fit_of(d, worst)->unexplained)
                worst = i;
        if (fit_of(d, worst)->unexplained <
            (fit_of(d, worst)->through_glare ? FACT_LEFT_GLARE_MOST : FACT_LEFT_MOST))
            break; /* a clear cell too many is a fact, not a mistake */
        left_out[count++] = d->tops.body[worst];
        d->tops.count--;
        d->tops.cell[worst] = d->tops.cell[d->tops.count];
        d->tops.body[worst] = d->tops.body[d->tops.count];
    }
    for (int i = 0; i < count; i++)
        d->surplus |= !side_of_block(d, &left_out[i]);
    return count;
}

/* Can the tops be explained without one of the set's blocks, as well as with all? */
static bool block_spare(const struct decision *d, struct blockset *others, int block)
{
    uint32_t beside[TOPS_MAX];
    float score[TOPS_MAX][BLOCKSET_SYMBOLS_MAX];
    struct inventory inventory;
    *others = *d->reader->set;
    others->block[block] = others->block[--others->blocks];
    for (int i = 0; i < d->tops.count; i++)
        memcpy(score[i], fit_of(d, i)->score, sizeof score[i]);
    vision_tops_beside(d->reader, &d->tops, beside);
    return vision_inventory_resolve(others, d->tops.count, beside,
                                    (const float(*)[BLOCKSET_SYMBOLS_MAX])score, &inventory) &&
           inventory.total > d->inventory.total - SPARE_LOSS_MOST;
}

/* Numbers of the blocks that may be missing among those that lie there: pairs of symbols stand on
 * more than one block, so it may be any of several. VISION_E_MEMORY. */
static int numbers_left(const struct decision *d, bool numbers[ENDS_NUMBERS])
{
    const struct blockset *set = d->reader->set;
    struct blockset *others = malloc(sizeof *others);
    if (!others)
        return VISION_E_MEMORY;
    memset(numbers, 0, ENDS_NUMBERS * sizeof *numbers);
    for (int b = 0; b < set->blocks; b++)
        if (set->block[b].number >= 0 && set->block[b].number < ENDS_NUMBERS)
            numbers[set->block[b].number] =
                !d->paired || d->tops.count >= d->whole || block_spare(d, others, b);
    free(others);
    return VISION_OK;
}

/* Looks for tops where something unexplained lies: print that mirrored light or a turn hid from
 * the finder. */
static int tops_seek(struct decision *d, const struct palette *palette, struct seat_sight *sight,
                     const struct white_map *white)
{
    int before = d->tops.count;
    int error = vision_foreign_find(sight, white, d->tops.body, d->tops.count, &d->foreign);
    for (int i = 0; i < d->foreign.places && !error; i++) {
        const double *at = d->foreign.place_mm[i];
        enum seek_find find = vision_tops_seek(d->reader, palette, sight, &d->tops, at);
        /* beside a whole layout a block too many would change the ruling */
        if (find == SEEK_NOTHING && d->tops.count >= d->whole)
            find = vision_tops_seek_beside(d->reader, palette, sight, &d->tops, at);
        d->surplus |= find == SEEK_PERHAPS;
    }
    if (error || d->tops.count == before)
        return error;
    vision_tops_complete(d->reader, palette, sight, &d->tops);
    return vision_foreign_find(sight, white, d->tops.body, d->tops.count, &d->foreign);
}

/* Is there reason to look for blocks on end? Fewer cells than a layout has, or cells that can't all
 * be tops: the sides of a standing block show symbols too. */
static bool standing_likely(const struct decision *d)
{
    if (d->tops.count < d->whole)
        return d->tops.count > 0 || d->foreign.total_mm2 > 0;
    bool doubt = !d->paired || d->doubtful || d->surplus;
    for (int i = 0; i < d->tops.count; i++)
        doubt |= permille(d->confidence[i]) < LAYOUT_SURE_PERMILLE;
    return doubt;
}

/* Takes away the tops that are sides of standing blocks. */
static void sides_drop(struct decision *d, const struct standing *end, int ends)
{
    int kept = 0;
    for (int i = 0; i < d->tops.count; i++) {
        bool side = false;
        for (int k = 0; k < ends; k++)
            side |= vision_standing_shows(d->sight, &end[k], &d->tops, i);
        if (side)
            continue;
        d->tops.cell[kept] = d->tops.cell[i];
        d->tops.body[kept++] = d->tops.body[i];
    }
    if (kept == d->tops.count)
        return;
    d->tops.count = kept;
    vision_tops_fit(d->reader, d->sight, &d->tops);
    labels_settle(d);
}

/* Looks for blocks on end, and what then is still foreign. Errors as vision_ends_find. */
static int standing_look(struct decision *d, struct seat_reader *reader,
                         const struct pyramid *pyramid, const struct white_map *white,
                         const struct mat_pose *pose)
{
    struct standing end[BLOCKSET_BLOCKS_MAX];
    struct body_top body[TOPS_MAX + BLOCKSET_BLOCKS_MAX];
    bool numbers[ENDS_NUMBERS];
    int most = d->tops.count < d->whole ? (d->whole - d->tops.count + 1) / 2 : 1;
    int error = numbers_left(d, numbers);
    if (error)
        return error;
    int ends = vision_ends_find(reader, pyramid, white, pose, d->sight, &d->tops, numbers, end,
                                most < reader->set->blocks ? most : reader->set->blocks);
    if (ends <= 0)
        return ends;
    sides_drop(d, end, ends);
    d->standing = ends;
    memcpy(body, d->tops.body, (size_t)d->tops.count * sizeof *body);
    for (int k = 0; k < ends; k++) {
        body[d->tops.count + k] = end[k].body;
        d->standing_sure |= end[k].sure;
    }
    return vision_foreign_find(d->sight, white, body, d->tops.count + ends, &d->foreign);
}

int vision_seat_decide(struct seat_reader *reader, const struct palette *palette,
                       const struct pyramid *pyramid, const struct white_map *white,
                       const struct mat_pose *pose, struct seat_sight *sight,
                       struct layout_seat *out)
{
    struct decision d = {.reader = reader, .sight = sight};
    memset(out, 0, sizeof *out);
    out->seat = (int8_t)sight->seat->seat;
    d.whole = calib_blockset_cells(reader->set);
    vision_tops_choose(reader, palette, sight, &d.tops);
    vision_tops_complete(reader, palette, sight, &d.tops);
    int error = tops_seek(&d, palette, sight, white);
    vision_tops_polish(reader, palette, sight, &d.tops);
    if (tops_trim(&d) && !error)
        error = vision_foreign_find(sight, white, d.tops.body, d.tops.count, &d.foreign);
    vision_tops_fit(reader, sight, &d.tops);
    labels_settle(&d);
    if (!error && standing_likely(&d))
        error = standing_look(&d, reader, pyramid, white, pose);
    if (error)
        return error;
    if (sight->px_per_cell < CELL_LEAST_PX)
        state_set(out, SEAT_UNREADABLE, REASON_BIT(REASON_TOO_SMALL));
    else if (d.tops.count < d.whole || d.standing_sure)
        part_decide(&d, out);
    else if (d.tops.count > d.whole)
        surplus_decide(&d, out);
    else
        whole_decide(&d, out);
    seat_write(&d, pose, out);
    return VISION_OK;
}
