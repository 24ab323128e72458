/* vision/settle.h: when is a reading settled? Pure.
 *
 * A layout or a card counts when it reads the same over a number of frames in a row; its time is
 * that of the first of them. */
#ifndef VISION_SETTLE_H
#define VISION_SETTLE_H

#include "vision/layout.h"

/* Readings of blocks that lie still differ by less: a tenth of a cell, and twice what a cell's own
 * turn is measured to. */
#define SETTLE_SAME_MM10 35
#define SETTLE_SAME_DEG10 50

struct settle {
    int count; /* readings in a row that are the same; 0: none yet */
    int64_t first_t_ns;
    uint64_t frame;
};

/* Do two readings of a seat say the same? Its state; of a complete one the grid and where each cell
 * lies; of an incomplete one the cells that were read, with their places. Of a seat that is hidden
 * or cannot be read nothing more: what is seen of it means nothing. */
bool vision_settle_same_seat(const struct layout_seat *a, const struct layout_seat *b);

/* Do they show blocks in the same places? As above, for two that are complete, incomplete or empty;
 * false otherwise: what is hidden may have moved. */
bool vision_settle_same_blocks(const struct layout_seat *a, const struct layout_seat *b);

/* Its state, and of a face-up card its id, level and grid. */
bool vision_settle_same_card(const struct layout_card *a, const struct layout_card *b);

/* Takes one more reading: `same` as the one before it? True once it is settled, that is from the
 * `need`th of a row on. */
bool vision_settle_add(struct settle *settle, bool same, int need, int64_t t_ns, uint64_t frame);

#endif
