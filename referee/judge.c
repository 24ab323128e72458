/* referee/judge.c: compares a layout with a card. */
#include "referee/verdict.h"

#include <string.h>

/* Reasons that prove an incomplete layout wrong: blocks that are seen where they must not be. */
#define PROOFS                                                                                     \
    (REASON_BIT(REASON_NOT_ONE_GRID) | REASON_BIT(REASON_STANDING_BLOCK) |                         \
     REASON_BIT(REASON_BLOCK_APART) | REASON_BIT(REASON_EXTRA_BLOCK))

/* Reasons that say nothing against such a proof: a block that stands apart is apart whatever its
 * symbol. Every other reason is a doubt about the picture or the grid, and then nobody rules. */
#define HARMLESS REASON_BIT(REASON_UNSURE_SYMBOL)

/* Reasons with which even a complete layout is not ruled on: at the bounds of alignment the rules
 * say so themselves, and a picture that is old, moved or damaged never decides. */
#define DOUBTS                                                                                     \
    (REASON_BIT(REASON_HAND) | REASON_BIT(REASON_NOT_ALIGNED) | REASON_BIT(REASON_DAMAGED_FRAME) | \
     REASON_BIT(REASON_MAT_MOVED) | REASON_BIT(REASON_STALE))

const char *referee_ruling_name(enum ruling ruling)
{
    switch (ruling) {
    case RULING_MATCH:
        return "match";
    case RULING_NO_MATCH:
        return "no_match";
    case RULING_CANNOT_TELL:
        break;
    }
    return "cannot_tell";
}

/* The card laid over the layout: turned, then moved so that its first row and column come to
 * stand at (row, col) of the layout's grid. */
struct placing {
    struct grid card;
    int row, col;
};

static char placed_cell(const struct placing *placing, int row, int col)
{
    int r = row - placing->row, c = col - placing->col;
    if (r < 0 || c < 0 || r >= placing->card.rows || c >= placing->card.cols)
        return GRID_HOLE;
    return placing->card.cell[r][c];
}

/* Do all cells of the grid that were read with confidence agree with the card as it is placed? */
static bool placing_agrees(const struct layout_seat *seat, const struct placing *placing)
{
    for (int i = 0; i < seat->cells; i++) {
        const struct layout_cell *cell = &seat->cell[i];
        if (cell->confidence < JUDGE_CELL_MIN_PERMILLE || cell->row < 0 || cell->col < 0)
            continue;
        if (placed_cell(placing, cell->row, cell->col) != cell->symbol)
            return false;
    }
    return true;
}

/* A layout differs beyond doubt when its confident cells fit the card in no turn and at no
 * place: whatever the doubtful cells are, it cannot be the card. */
static bool differs_surely(const struct layout_seat *seat, const struct grid *card, int turns)
{
    int rows = 0, cols = 0;
    for (int i = 0; i < seat->cells; i++) {
        rows = seat->cell[i].row >= rows ? seat->cell[i].row + 1 : rows;
        cols = seat->cell[i].col >= cols ? seat->cell[i].col + 1 : cols;
    }
    for (int turn = 0; turn < turns; turn++) {
        struct placing p = {.card = calib_grid_turn(card, turn)};
        for (p.row = 1 - p.card.rows; p.row < rows; p.row++)
            for (p.col = 1 - p.card.cols; p.col < cols; p.col++)
                if (placing_agrees(seat, &p))
                    return false;
    }
    return true;
}

static bool all_cells_sure(const struct layout_seat *seat)
{
    for (int i = 0; i < seat->cells; i++)
        if (seat->cell[i].confidence < JUDGE_CELL_MIN_PERMILLE)
            return false;
    return true;
}

/* The cells and the grid of a complete seat say the same thing twice; a seat in which they do
 * not is a fault of the reader and decides nothing. */
static bool seat_consistent(const struct layout_seat *seat)
{
    if (seat->grid.rows == 0 || seat->grid.rows > GRID_SIDE_MAX || seat->grid.cols == 0 ||
        seat->grid.cols > GRID_SIDE_MAX || seat->cells < 0 || seat->cells > LAYOUT_CELLS_MAX)
        return false;
    struct grid trimmed = seat->grid;
    calib_grid_trim(&trimmed);
    if (!calib_grid_equal(&trimmed, &seat->grid))
        return false;
    bool seen[GRID_SIDE_MAX][GRID_SIDE_MAX] = {{false}};
    for (int i = 0; i < seat->cells; i++) {
        const struct layout_cell *cell = &seat->cell[i];
        if (cell->row < 0 || cell->col < 0 || cell->row >= seat->grid.rows ||
            cell->col >= seat->grid.cols || seen[cell->row][cell->col] ||
            seat->grid.cell[cell->row][cell->col] != cell->symbol || cell->symbol == GRID_HOLE)
            return false;
        seen[cell->row][cell->col] = true;
    }
    return calib_grid_count(&seat->grid) == seat->cells;
}

static bool same_outline(const struct grid *a, const struct grid *b)
{
    if (a->rows != b->rows || a->cols != b->cols)
        return false;
    for (int r = 0; r < a->rows; r++)
        for (int c = 0; c < a->cols; c++)
            if ((a->cell[r][c] == GRID_HOLE) != (b->cell[r][c] == GRID_HOLE))
                return false;
    return true;
}

/* Places of the layout's grid where the card has something else, and places of the card that
 * lie outside the layout's grid (they count, but have no row and column to name). */
static int count_wrong(const struct grid *layout, const struct placing *placing)
{
    int wrong = calib_grid_count(&placing->card);
    for (int r = 0; r < layout->rows; r++)
        for (int c = 0; c < layout->cols; c++) {
            char card = placed_cell(placing, r, c);
            wrong -= card != GRID_HOLE;
            wrong += card != layout->cell[r][c];
        }
    return wrong;
}

static void list_wrong(const struct grid *layout, const struct placing *placing,
                       struct verdict *out)
{
    out->wrong_cells = 0;
    for (int r = 0; r < layout->rows; r++)
        for (int c = 0; c < layout->cols; c++)
            if (layout->cell[r][c] != GRID_HOLE && out->wrong_cells < LAYOUT_CELLS_MAX &&
                placed_cell(placing, r, c) != layout->cell[r][c]) {
                out->wrong[out->wrong_cells][0] = (int8_t)r;
                out->wrong[out->wrong_cells][1] = (int8_t)c;
                out->wrong_cells++;
            }
}

/* The placing with the fewest wrong places, the least turn first. `outline`: only those in which
 * the outlines agree. False when there is none. */
static bool nearest_placing(const struct grid *layout, const struct grid *card, int turns,
                            bool outline, struct placing *best, int *best_turn)
{
    int fewest = -1;
    for (int turn = 0; turn < turns; turn++) {
        struct placing p = {.card = calib_grid_turn(card, turn)};
        if (outline && !same_outline(&p.card, layout))
            continue;
        int reach_rows = outline ? 0 : p.card.rows - 1, reach_cols = outline ? 0 : p.card.cols - 1;
        int end_row = outline ? 1 : layout->rows, end_col = outline ? 1 : layout->cols;
        for (p.row = -reach_rows; p.row < end_row; p.row++)
            for (p.col = -reach_cols; p.col < end_col; p.col++) {
                int wrong = count_wrong(layout, &p);
                if (fewest >= 0 && wrong >= fewest)
                    continue;
                fewest = wrong;
                *best = p;
                *best_turn = turn;
            }
    }
    return fewest >= 0;
}

static bool matches(const struct grid *layout, const struct grid *card, int turns, int *turn)
{
    for (*turn = 0; *turn < turns; ++*turn) {
        struct grid turned = calib_grid_turn(card, *turn);
        if (calib_grid_equal(layout, &turned))
            return true;
    }
    return false;
}

/* Says in what the layout differs. */
static void explain(const struct grid *layout, const struct grid *card, int turns,
                    struct verdict *out)
{
    struct grid mirrored = calib_grid_mirror(layout);
    struct placing best = {.row = 0};
    int turn = 0;
    if (matches(&mirrored, card, turns, &turn))
        out->reasons |= REASON_BIT(REASON_MIRROR_IMAGE);
    if (nearest_placing(layout, card, turns, true, &best, &turn)) {
        out->reasons |= REASON_BIT(REASON_WRONG_SYMBOL);
    } else {
        out->reasons |= REASON_BIT(REASON_WRONG_SHAPE);
        nearest_placing(layout, card, turns, false, &best, &turn);
    }
    out->turn_deg = (int16_t)(turn * 90);
    list_wrong(layout, &best, out);
}

/* `card` is trimmed, and so is the grid of a consistent seat. */
static void judge_complete(const struct layout_seat *seat, const struct grid *card, int turns,
                           struct verdict *out)
{
    int turn = 0;
    if (!seat_consistent(seat)) {
        out->reasons = REASON_BIT(REASON_INTERNAL);
        return;
    }
    if (seat->reasons & DOUBTS) {
        out->reasons = seat->reasons & DOUBTS;
        return;
    }
    if (matches(&seat->grid, card, turns, &turn)) {
        out->turn_deg = (int16_t)(turn * 90);
        if (all_cells_sure(seat))
            out->ruling = RULING_MATCH;
        else
            out->reasons = REASON_BIT(REASON_UNSURE_SYMBOL);
        return;
    }
    if (!differs_surely(seat, card, turns)) {
        out->reasons = REASON_BIT(REASON_UNSURE_SYMBOL);
        return;
    }
    out->ruling = RULING_NO_MATCH;
    explain(&seat->grid, card, turns, out);
}

/* A block that is not seen may be hidden under something as white as the mat: unlike a block seen
 * in the wrong place it proves nothing by itself, but the cells that are seen may. */
static void judge_incomplete(const struct layout_seat *seat, const struct grid *card, int turns,
                             struct verdict *out)
{
    const uint64_t missing = REASON_BIT(REASON_MISSING_BLOCK);
    if (seat->reasons & ~(PROOFS | HARMLESS | missing))
        return;
    if ((seat->reasons & PROOFS) ||
        ((seat->reasons & missing) && differs_surely(seat, card, turns)))
        out->ruling = RULING_NO_MATCH;
}

void referee_judge_nothing(const struct layout_seat *seat, uint64_t reasons, struct verdict *out)
{
    memset(out, 0, sizeof *out);
    out->seat = seat->seat;
    out->ruling = RULING_CANNOT_TELL;
    out->reasons = reasons;
    out->confidence = seat->confidence;
}

void referee_judge(const struct layout_seat *seat, const char *id, const struct grid *grid,
                   enum rotation rotation, struct verdict *out)
{
    int turns = rotation == ROTATION_SEAT ? 1 : 4;
    struct grid card = *grid;
    referee_judge_nothing(seat, seat->reasons, out);
    for (size_t i = 0; id && id[i] && i + 1 < sizeof out->card; i++)
        out->card[i] = id[i];
    calib_grid_trim(&card);
    if (calib_grid_count(&card) == 0) {
        out->reasons = REASON_BIT(REASON_NO_CARD);
        return;
    }
    switch (seat->state) {
    case SEAT_COMPLETE:
        out->reasons = 0;
        judge_complete(seat, &card, turns, out);
        break;
    case SEAT_INCOMPLETE:
        judge_incomplete(seat, &card, turns, out);
        break;
    case SEAT_EMPTY:
        out->ruling = RULING_NO_MATCH;
        out->reasons = REASON_BIT(REASON_MISSING_BLOCK);
        break;
    case SEAT_OCCLUDED:
    case SEAT_UNREADABLE:
        break;
    }
}
