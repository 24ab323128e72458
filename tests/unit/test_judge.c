#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/verdict.h"

#include <string.h>

#define CARD "x*+/x+o/o../++x" /* ten cells, no turn and no mirror of it is itself */

static struct grid grid_of(const char *text)
{
    struct grid grid;
    assert_int_equal(calib_grid_parse(text, strlen(text), &grid), 0);
    return grid;
}

/* A complete seat with that grid, every cell at that confidence. */
static struct layout_seat seat_with(const struct grid *grid, int confidence)
{
    struct layout_seat seat;
    memset(&seat, 0, sizeof seat);
    seat.seat = 2;
    seat.state = SEAT_COMPLETE;
    seat.grid = *grid;
    seat.confidence = 980;
    for (int r = 0; r < grid->rows; r++)
        for (int c = 0; c < grid->cols; c++) {
            if (grid->cell[r][c] == GRID_HOLE)
                continue;
            struct layout_cell *cell = &seat.cell[seat.cells++];
            cell->row = (int8_t)r;
            cell->col = (int8_t)c;
            cell->symbol = grid->cell[r][c];
            cell->confidence = (int16_t)confidence;
        }
    return seat;
}

static struct layout_seat seat_of(const char *text)
{
    struct grid grid = grid_of(text);
    return seat_with(&grid, 990);
}

static struct layout_seat seat_in(enum seat_state state, uint64_t reasons)
{
    struct layout_seat seat;
    memset(&seat, 0, sizeof seat);
    seat.seat = 1;
    seat.state = state;
    seat.reasons = reasons;
    seat.confidence = 970;
    return seat;
}

static void set_cell(struct layout_seat *seat, int index, char symbol, int confidence)
{
    struct layout_cell *cell = &seat->cell[index];
    cell->symbol = symbol;
    cell->confidence = (int16_t)confidence;
    seat->grid.cell[cell->row][cell->col] = symbol;
}

static struct verdict judge(const struct layout_seat *seat, const char *card)
{
    struct grid grid = grid_of(card);
    struct verdict verdict;
    referee_judge(seat, "L1-01", &grid, ROTATION_ANY, &verdict);
    return verdict;
}

static void should_match_in_every_quarter_turn_and_say_which(void **state)
{
    (void)state;
    struct grid card = grid_of(CARD);
    for (int turn = 0; turn < 4; turn++) {
        struct grid turned = calib_grid_turn(&card, turn);
        struct layout_seat seat = seat_with(&turned, 990);
        struct verdict verdict = judge(&seat, CARD);
        assert_int_equal(verdict.ruling, RULING_MATCH);
        assert_int_equal(verdict.turn_deg, turn * 90);
        assert_int_equal(verdict.reasons, 0);
        assert_int_equal(verdict.wrong_cells, 0);
        assert_int_equal(verdict.confidence, 980);
        assert_int_equal(verdict.seat, 2);
        assert_string_equal(verdict.card, "L1-01");
    }
}

static void should_take_only_the_seats_own_upright_when_the_rules_say_so(void **state)
{
    (void)state;
    struct grid card = grid_of(CARD), turned = calib_grid_turn(&card, 1);
    struct layout_seat upright = seat_with(&card, 990), aside = seat_with(&turned, 990);
    struct verdict verdict;
    referee_judge(&upright, "", &card, ROTATION_SEAT, &verdict);
    assert_int_equal(verdict.ruling, RULING_MATCH);
    referee_judge(&aside, "", &card, ROTATION_SEAT, &verdict);
    assert_int_equal(verdict.ruling, RULING_NO_MATCH);
}

static void should_refuse_a_mirror_image_and_name_it(void **state)
{
    (void)state;
    struct grid card = grid_of(CARD), mirrored = calib_grid_mirror(&card);
    for (int turn = 0; turn < 4; turn++) {
        struct grid turned = calib_grid_turn(&mirrored, turn);
        struct layout_seat seat = seat_with(&turned, 990);
        struct verdict verdict = judge(&seat, CARD);
        assert_int_equal(verdict.ruling, RULING_NO_MATCH);
        assert_true(verdict.reasons & REASON_BIT(REASON_MIRROR_IMAGE));
    }
}

static void should_match_a_card_that_is_its_own_mirror_image(void **state)
{
    (void)state;
    struct grid card = grid_of("x*x/+o+/x*x/.+."), mirrored = calib_grid_mirror(&card);
    struct layout_seat seat = seat_with(&mirrored, 990);
    assert_int_equal(judge(&seat, "x*x/+o+/x*x/.+.").ruling, RULING_MATCH);
}

static void should_name_the_wrong_cells_of_the_nearest_turn(void **state)
{
    (void)state;
    struct grid card = grid_of(CARD), turned = calib_grid_turn(&card, 3);
    struct layout_seat seat = seat_with(&turned, 990);
    set_cell(&seat, 4, seat.cell[4].symbol == '#' ? 'o' : '#', 990);
    struct verdict verdict = judge(&seat, CARD);
    assert_int_equal(verdict.ruling, RULING_NO_MATCH);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_WRONG_SYMBOL));
    assert_int_equal(verdict.turn_deg, 270);
    assert_int_equal(verdict.wrong_cells, 1);
    assert_int_equal(verdict.wrong[0][0], seat.cell[4].row);
    assert_int_equal(verdict.wrong[0][1], seat.cell[4].col);
}

static void should_say_wrong_shape_only_when_no_turn_has_the_outline(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of("x*+/x+o/.o./++x"); /* one cell moved aside */
    struct verdict verdict = judge(&seat, CARD);
    assert_int_equal(verdict.ruling, RULING_NO_MATCH);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_WRONG_SHAPE));
    assert_int_equal(verdict.wrong_cells, 1);
    assert_int_equal(verdict.wrong[0][0], 2);
    assert_int_equal(verdict.wrong[0][1], 1);
}

static void should_stay_in_bounds_with_lines_of_ten(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of("x*+x+oo++x");
    assert_int_equal(judge(&seat, CARD).ruling, RULING_NO_MATCH);
    assert_int_equal(judge(&seat, "x/+/+/o/o/+/x/+/*/x").ruling, RULING_MATCH);
    assert_int_equal(judge(&seat, "x/*/+/x/+/o/o/+/+/x").turn_deg, 270);
}

static void should_not_match_on_a_doubtful_cell(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of(CARD);
    seat.cell[3].confidence = JUDGE_CELL_MIN_PERMILLE - 1;
    struct verdict verdict = judge(&seat, CARD);
    assert_int_equal(verdict.ruling, RULING_CANNOT_TELL);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_UNSURE_SYMBOL));
    seat.cell[3].confidence = JUDGE_CELL_MIN_PERMILLE;
    assert_int_equal(judge(&seat, CARD).ruling, RULING_MATCH);
}

static void should_not_refuse_on_doubtful_cells_alone(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of(CARD);
    set_cell(&seat, 0, '#', 700);
    struct verdict verdict = judge(&seat, CARD);
    assert_int_equal(verdict.ruling, RULING_CANNOT_TELL);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_UNSURE_SYMBOL));
    set_cell(&seat, 9, '#', 990);
    assert_int_equal(judge(&seat, CARD).ruling, RULING_NO_MATCH);
}

static void should_not_refuse_when_only_a_doubtful_cell_makes_the_shape_wrong(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of("x*+/x+o/.o./++x");
    for (int i = 0; i < seat.cells; i++)
        if (seat.cell[i].row == 2)
            seat.cell[i].confidence = 500;
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
}

static uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Ten connected cells would be likelier cards, but the ruling must hold for any ten. */
static struct grid random_card(uint32_t *seed)
{
    struct grid grid;
    calib_grid_clear(&grid, 4, 4);
    for (int placed = 0; placed < 10;) {
        uint32_t at = random_next(seed) % 16;
        if (grid.cell[at / 4][at % 4] == GRID_HOLE) {
            grid.cell[at / 4][at % 4] = "x*+#o"[random_next(seed) % 5];
            placed++;
        }
    }
    calib_grid_trim(&grid);
    return grid;
}

/* What a reader gets wrong with little confidence must never turn a verdict round. */
static void should_never_be_wrong_because_of_doubtful_cells(void **state)
{
    (void)state;
    uint32_t seed = 12345;
    for (int n = 0; n < 4000; n++) {
        struct grid card = random_card(&seed);
        struct grid built = calib_grid_turn(&card, (int)(random_next(&seed) % 4));
        struct layout_seat seat = seat_with(&built, 950);
        struct verdict verdict;
        uint32_t doubts = random_next(&seed) % 5;
        for (uint32_t d = 0; d < doubts; d++)
            set_cell(&seat, (int)(random_next(&seed) % 10), "x*+#o"[random_next(&seed) % 5],
                     (int)(random_next(&seed) % JUDGE_CELL_MIN_PERMILLE));
        referee_judge(&seat, "", &card, ROTATION_ANY, &verdict);
        assert_int_not_equal(verdict.ruling, RULING_NO_MATCH);
    }
}

/* Against an independent comparison: two cards are alike exactly when a turn makes them equal. */
static void should_decide_every_pair_of_cards_rightly(void **state)
{
    (void)state;
    uint32_t seed = 777;
    for (int n = 0; n < 4000; n++) {
        struct grid card = random_card(&seed), built = card;
        struct verdict verdict;
        if (n % 2) /* a near miss: two neighbours exchanged, often equal by chance */
            for (int c = 0; c + 1 < built.cols; c += 2) {
                char kept = built.cell[1][c];
                built.cell[1][c] = built.cell[1][c + 1];
                built.cell[1][c + 1] = kept;
            }
        calib_grid_trim(&built);
        struct layout_seat seat = seat_with(&built, 950);
        referee_judge(&seat, "", &card, ROTATION_ANY, &verdict);
        bool same = calib_grid_quarters(&card, &built) >= 0;
        assert_int_equal(verdict.ruling, same ? RULING_MATCH : RULING_NO_MATCH);
        if (!same && (verdict.reasons & REASON_BIT(REASON_WRONG_SYMBOL)))
            assert_true(verdict.wrong_cells > 0);
    }
}

static void should_refuse_an_incomplete_layout_with_its_reasons(void **state)
{
    (void)state;
    static const enum reason proofs[] = {REASON_NOT_ONE_GRID, REASON_STANDING_BLOCK,
                                         REASON_BLOCK_APART, REASON_EXTRA_BLOCK};
    for (size_t i = 0; i < sizeof proofs / sizeof proofs[0]; i++) {
        uint64_t reasons = REASON_BIT(proofs[i]);
        struct layout_seat seat = seat_in(SEAT_INCOMPLETE, reasons);
        struct verdict verdict = judge(&seat, CARD);
        assert_int_equal(verdict.ruling, RULING_NO_MATCH);
        assert_int_equal(verdict.reasons, reasons);
        assert_int_equal(verdict.confidence, 970);
    }
}

/* A block that is not seen may be hidden: only cells that contradict the card decide. */
static void should_rule_on_a_missing_block_only_by_what_is_seen(void **state)
{
    (void)state;
    struct grid card;
    assert_int_equal(calib_grid_parse(CARD, strlen(CARD), &card), 0);
    struct layout_seat seat = seat_with(&card, 990);
    seat.state = SEAT_INCOMPLETE;
    seat.reasons = REASON_BIT(REASON_MISSING_BLOCK);
    seat.grid.rows = seat.grid.cols = 0;
    seat.cells = (int8_t)(seat.cells - 2); /* what is left agrees with the card */
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
    for (int i = 0; i < seat.cells; i++) /* five of a kind are on no card */
        seat.cell[i].symbol = '#';
    assert_int_equal(judge(&seat, CARD).ruling, RULING_NO_MATCH);
    for (int i = 0; i < seat.cells; i++) /* but not when none of them is sure */
        seat.cell[i].confidence = 500;
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
}

static void should_not_rule_on_an_incomplete_layout_that_leaves_a_doubt(void **state)
{
    (void)state;
    struct layout_seat bare = seat_in(SEAT_INCOMPLETE, 0);
    assert_int_equal(judge(&bare, CARD).ruling, RULING_CANNOT_TELL);
    struct layout_seat near = seat_in(SEAT_INCOMPLETE, REASON_BIT(REASON_NOT_ALIGNED));
    struct verdict verdict = judge(&near, CARD);
    assert_int_equal(verdict.ruling, RULING_CANNOT_TELL);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_NOT_ALIGNED));
    struct layout_seat both =
        seat_in(SEAT_INCOMPLETE, REASON_BIT(REASON_MISSING_BLOCK) | REASON_BIT(REASON_GLARE));
    assert_int_equal(judge(&both, CARD).ruling, RULING_CANNOT_TELL);
}

static void should_refuse_an_empty_seat(void **state)
{
    (void)state;
    struct layout_seat seat = seat_in(SEAT_EMPTY, 0);
    struct verdict verdict = judge(&seat, CARD);
    assert_int_equal(verdict.ruling, RULING_NO_MATCH);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_MISSING_BLOCK));
}

static void should_not_rule_on_what_was_not_seen(void **state)
{
    (void)state;
    struct layout_seat hidden = seat_in(SEAT_OCCLUDED, REASON_BIT(REASON_HAND));
    struct layout_seat dark = seat_in(SEAT_UNREADABLE, REASON_BIT(REASON_DARK));
    assert_int_equal(judge(&hidden, CARD).ruling, RULING_CANNOT_TELL);
    assert_int_equal(judge(&hidden, CARD).reasons, REASON_BIT(REASON_HAND));
    assert_int_equal(judge(&dark, CARD).reasons, REASON_BIT(REASON_DARK));
}

static void should_not_rule_on_a_complete_layout_at_the_bounds_of_alignment(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of(CARD);
    seat.reasons = REASON_BIT(REASON_NOT_ALIGNED);
    struct verdict verdict = judge(&seat, CARD);
    assert_int_equal(verdict.ruling, RULING_CANNOT_TELL);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_NOT_ALIGNED));
}

static void should_not_rule_without_a_card(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of(CARD);
    struct grid none;
    struct verdict verdict;
    calib_grid_clear(&none, 0, 0);
    referee_judge(&seat, "", &none, ROTATION_ANY, &verdict);
    assert_int_equal(verdict.ruling, RULING_CANNOT_TELL);
    assert_int_equal(verdict.reasons, REASON_BIT(REASON_NO_CARD));
    referee_judge_nothing(&seat, REASON_BIT(REASON_CARD_UNREADABLE), &verdict);
    assert_int_equal(verdict.ruling, RULING_CANNOT_TELL);
    assert_int_equal(verdict.seat, 2);
}

static void should_not_rule_on_a_seat_that_contradicts_itself(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of(CARD);
    seat.cell[2].symbol = 'o'; /* the grid says another */
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
    seat = seat_of(CARD);
    seat.cell[2].row = 9;
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
    seat = seat_of(CARD);
    seat.cells--;
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
    seat = seat_of(CARD);
    seat.cells = 127;
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
    seat = seat_of("x*+./x+o./o.../++x."); /* a column of holes at the edge */
    assert_int_equal(judge(&seat, CARD).ruling, RULING_CANNOT_TELL);
}

static void should_cut_an_id_that_is_too_long(void **state)
{
    (void)state;
    struct layout_seat seat = seat_of(CARD);
    struct grid card = grid_of(CARD);
    struct verdict verdict;
    referee_judge(&seat, "an-id-that-is-longer-than-the-32-bytes-there-are", &card, ROTATION_ANY,
                  &verdict);
    assert_int_equal(strlen(verdict.card), CARD_ID_MAX - 1);
}

static void should_name_the_rulings(void **state)
{
    (void)state;
    assert_string_equal(referee_ruling_name(RULING_MATCH), "match");
    assert_string_equal(referee_ruling_name(RULING_NO_MATCH), "no_match");
    assert_string_equal(referee_ruling_name(RULING_CANNOT_TELL), "cannot_tell");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_match_in_every_quarter_turn_and_say_which),
        cmocka_unit_test(should_take_only_the_seats_own_upright_when_the_rules_say_so),
        cmocka_unit_test(should_refuse_a_mirror_image_and_name_it),
        cmocka_unit_test(should_match_a_card_that_is_its_own_mirror_image),
        cmocka_unit_test(should_name_the_wrong_cells_of_the_nearest_turn),
        cmocka_unit_test(should_say_wrong_shape_only_when_no_turn_has_the_outline),
        cmocka_unit_test(should_stay_in_bounds_with_lines_of_ten),
        cmocka_unit_test(should_not_match_on_a_doubtful_cell),
        cmocka_unit_test(should_not_refuse_on_doubtful_cells_alone),
        cmocka_unit_test(should_not_refuse_when_only_a_doubtful_cell_makes_the_shape_wrong),
        cmocka_unit_test(should_never_be_wrong_because_of_doubtful_cells),
        cmocka_unit_test(should_decide_every_pair_of_cards_rightly),
        cmocka_unit_test(should_refuse_an_incomplete_layout_with_its_reasons),
        cmocka_unit_test(should_rule_on_a_missing_block_only_by_what_is_seen),
        cmocka_unit_test(should_not_rule_on_an_incomplete_layout_that_leaves_a_doubt),
        cmocka_unit_test(should_refuse_an_empty_seat),
        cmocka_unit_test(should_not_rule_on_what_was_not_seen),
        cmocka_unit_test(should_not_rule_on_a_complete_layout_at_the_bounds_of_alignment),
        cmocka_unit_test(should_not_rule_without_a_card),
        cmocka_unit_test(should_not_rule_on_a_seat_that_contradicts_itself),
        cmocka_unit_test(should_cut_an_id_that_is_too_long),
        cmocka_unit_test(should_name_the_rulings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
