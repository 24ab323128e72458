/* vision/settle.c: when is a reading settled? */
#include "vision/settle.h"

#include <stdlib.h>
#include <string.h>

static bool near(const struct layout_cell *a, const struct layout_cell *b)
{
    return abs(a->center_mm10[0] - b->center_mm10[0]) <= SETTLE_SAME_MM10 &&
           abs(a->center_mm10[1] - b->center_mm10[1]) <= SETTLE_SAME_MM10;
}

/* Each cell of one has its like in the other: they may be listed in another order. */
static bool cells_same(const struct layout_seat *a, const struct layout_seat *b)
{
    if (a->cells != b->cells)
        return false;
    for (int i = 0; i < a->cells; i++) {
        int j = 0;
        while (j < b->cells &&
               !(near(&a->cell[i], &b->cell[j]) && a->cell[i].symbol == b->cell[j].symbol))
            j++;
        if (j == b->cells)
            return false;
    }
    return true;
}

static bool readable(const struct layout_seat *seat)
{
    return seat->state == SEAT_COMPLETE || seat->state == SEAT_INCOMPLETE ||
           seat->state == SEAT_EMPTY;
}

bool vision_settle_same_blocks(const struct layout_seat *a, const struct layout_seat *b)
{
    if (!readable(a) || a->state != b->state)
        return false;
    if (a->state == SEAT_COMPLETE && (!calib_grid_equal(&a->grid, &b->grid) ||
                                      abs(a->turned_deg10 - b->turned_deg10) > SETTLE_SAME_DEG10))
        return false;
    return cells_same(a, b);
}

bool vision_settle_same_seat(const struct layout_seat *a, const struct layout_seat *b)
{
    return a->state == b->state && (!readable(a) || vision_settle_same_blocks(a, b));
}

bool vision_settle_same_card(const struct layout_card *a, const struct layout_card *b)
{
    if (a->state != b->state)
        return false;
    return a->state != SLOT_FACE_UP || (strcmp(a->id, b->id) == 0 && a->level == b->level &&
                                        calib_grid_equal(&a->grid, &b->grid));
}

bool vision_settle_add(struct settle *settle, bool same, int need, int64_t t_ns, uint64_t frame)
{
    if (settle->count == 0 || !same)
        *settle = (struct settle){.count = 0, .first_t_ns = t_ns, .frame = frame};
    settle->count++;
    return settle->count >= need;
}
