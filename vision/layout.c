/* vision/layout.c: names of the states, and the layout of a picture that was mirrored back. */
#include "vision/layout.h"

const char *vision_seat_state_name(enum seat_state state)
{
    switch (state) {
    case SEAT_EMPTY:
        return "empty";
    case SEAT_COMPLETE:
        return "complete";
    case SEAT_INCOMPLETE:
        return "incomplete";
    case SEAT_OCCLUDED:
        return "occluded";
    case SEAT_UNREADABLE:
        break;
    }
    return "unreadable";
}

const char *vision_slot_state_name(enum slot_state state)
{
    switch (state) {
    case SLOT_EMPTY:
        return "empty";
    case SLOT_FACE_DOWN:
        return "face_down";
    case SLOT_FACE_UP:
        return "face_up";
    case SLOT_OCCLUDED:
        return "occluded";
    case SLOT_UNREADABLE:
        break;
    }
    return "unreadable";
}

/* Pixel centres are at whole numbers, so the mirror of 0 is width - 1. */
static int32_t mirror_px10(int32_t x_px10, int width)
{
    return (width - 1) * 10 - x_px10;
}

void vision_layout_mirror_px(struct layout *layout, int width)
{
    for (int s = 0; s < layout->seats && s < MAT_SEATS_MAX; s++) {
        struct layout_seat *seat = &layout->seat[s];
        for (int c = 0; c < seat->cells && c < LAYOUT_CELLS_MAX; c++) {
            struct layout_cell *cell = &seat->cell[c];
            cell->center_px10[0] = mirror_px10(cell->center_px10[0], width);
            for (int k = 0; k < 4; k++)
                cell->corner_px10[k][0] = mirror_px10(cell->corner_px10[k][0], width);
        }
    }
    for (int s = 0; s < layout->slots && s < MAT_SLOTS_MAX; s++)
        for (int k = 0; k < 4; k++)
            layout->card[s].corner_px10[k][0] =
                mirror_px10(layout->card[s].corner_px10[k][0], width);
}
