/* referee/verdict.h: the ruling on one seat against one card. Pure: whole numbers, no I/O, no
 * allocation, no globals that can be written.
 *
 * A verdict is only as good as what it rests on: cells that were read with too little confidence
 * neither prove a match nor a mistake (see JUDGE_CELL_MIN_PERMILLE). */
#ifndef REFEREE_VERDICT_H
#define REFEREE_VERDICT_H

#include "calib/grid.h"
#include "vision/layout.h"

/* A cell below this proves nothing. */
#define JUDGE_CELL_MIN_PERMILLE LAYOUT_SURE_PERMILLE

/* A card that was read with less than this is not compared with: a wrong card makes ten right
 * cells wrong. */
#define JUDGE_CARD_MIN_PERMILLE LAYOUT_SURE_PERMILLE

enum ruling { RULING_MATCH, RULING_NO_MATCH, RULING_CANNOT_TELL };

struct verdict {
    int8_t seat;
    char card[CARD_ID_MAX]; /* may be empty: a card that is not in the deck */
    enum ruling ruling;
    uint64_t reasons; /* REASON_BIT()s; 0 for a match */
    int8_t wrong_cells;
    int8_t wrong[LAYOUT_CELLS_MAX][2]; /* row, col in the layout's grid, row by row */
    int16_t turn_deg;   /* clockwise from the card's upright to the layout as the player sees
                           it; for no_match that of the nearest comparison, else 0 */
    int16_t confidence; /* permille */
};

/* May a layout be turned against the card, or must it stand as its player sees the card? */
enum rotation { ROTATION_ANY, ROTATION_SEAT };

/* Rules on a seat. `grid` is the card's, upright; `id` its name or "".
 *   complete    match, no_match, or cannot_tell (unsure_symbol) when doubtful cells could turn it
 *   incomplete  no_match with the seat's reasons; cannot_tell when they leave a doubt
 *   empty       no_match, missing_block
 *   others      cannot_tell with the seat's reasons
 * An empty `grid` is no card: cannot_tell, no_card. */
void referee_judge(const struct layout_seat *seat, const char *id, const struct grid *grid,
                   enum rotation rotation, struct verdict *out);

/* What a seat gets when there is no card to compare with: cannot_tell for these reasons. */
void referee_judge_nothing(const struct layout_seat *seat, uint64_t reasons, struct verdict *out);

/* "match", "no_match", "cannot_tell". */
const char *referee_ruling_name(enum ruling ruling);

#endif
