/* referee/verdict.h: the ruling on one seat against one card. Pure: whole numbers, no I/O. */
#ifndef REFEREE_VERDICT_H
#define REFEREE_VERDICT_H

#include "calib/grid.h"
#include "vision/layout.h"

enum ruling { RULING_MATCH, RULING_NO_MATCH, RULING_CANNOT_TELL };

struct verdict {
    int8_t seat;
    char card[CARD_ID_MAX];  /* may be empty: a card that is not in the deck */
    enum ruling ruling;
    uint64_t reasons;        /* REASON_BIT()s */
    int8_t wrong_cells;
    int8_t wrong[LAYOUT_CELLS_MAX][2]; /* row, col in the layout's grid */
    int16_t turn_deg;        /* clockwise from the card's upright to the layout as the player sees it */
    int16_t confidence;      /* permille */
};

/* rules.md "rotation" */
enum rotation { ROTATION_ANY, ROTATION_SEAT };

/* Rules on a seat. `grid` is the card's, upright; `id` its name or "". */
void referee_judge(const struct layout_seat *seat, const char *id, const struct grid *grid,
                   enum rotation rotation, struct verdict *out);

/* "match", "no_match", "cannot_tell". */
const char *referee_ruling_name(enum ruling ruling);

#endif
