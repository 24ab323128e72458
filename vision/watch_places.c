/* vision/watch_places.c: where things are in the picture, for showing. */
#include "vision/watch_parts.h"

#include <string.h>

static void seat_place(const struct watched_seat *seat, int number, struct layout_seat *out,
                       bool *settled)
{
    *settled = seat->part.told;
    if (seat->part.reads > 0 || seat->part.told)
        *out = seat->last;
    else
        *out = (struct layout_seat){.state = SEAT_UNREADABLE};
    out->seat = (int8_t)number;
}

static void slot_place(const struct watched_slot *slot, int number, struct layout_card *out,
                       bool *settled)
{
    *settled = slot->part.told;
    if (slot->part.reads > 0 || slot->part.told)
        *out = slot->last;
    else
        *out = (struct layout_card){.state = SLOT_UNREADABLE};
    out->slot = (int8_t)number;
}

void vision_watch_places(const struct watch *watch, struct watch_places *out)
{
    const struct mat *mat = watch->kit.mat;

    memset(out, 0, sizeof *out);
    out->known = watch->at.known;
    if (!out->known)
        return;
    out->pose = watch->at.pose;
    out->lost = watch->at.lost_t_ns >= 0;
    out->light_differs = watch->light_differs;
    out->layout.mirrored = watch->options.mirrored;
    out->layout.seats = (int8_t)mat->seats;
    out->layout.slots = (int8_t)mat->slots;
    for (int i = 0; i < mat->seats; i++)
        seat_place(&watch->seat[i], mat->seat[i].seat, &out->layout.seat[i], &out->seat_settled[i]);
    for (int i = 0; i < mat->slots; i++)
        slot_place(&watch->slot[i], mat->slot[i].slot, &out->layout.card[i], &out->slot_settled[i]);
}
