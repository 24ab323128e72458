/* vision/layout.h: what was read from one frame: the seats' layouts and the cards in their slots.
 *
 * Whole numbers only, so that the rules, the journal and every display hold the same bytes:
 * places in tenths of a pixel or millimetre, angles in tenths of a degree, confidences in
 * permille. A layout is a plain value of bounded size. */
#ifndef VISION_LAYOUT_H
#define VISION_LAYOUT_H

#include "calib/deck.h"
#include "calib/grid.h"
#include "calib/mat.h"
#include "vision/reason.h"

#include <stdbool.h>
#include <stdint.h>

/* The readers' promise: no cell and no card is wrong with a confidence above this. */
#define LAYOUT_SURE_PERMILLE 900

#define LAYOUT_CELLS_MAX 24 /* of a seat: ten, and what else was seen */

enum seat_state { SEAT_EMPTY, SEAT_COMPLETE, SEAT_INCOMPLETE, SEAT_OCCLUDED, SEAT_UNREADABLE };
enum slot_state { SLOT_EMPTY, SLOT_FACE_DOWN, SLOT_FACE_UP, SLOT_OCCLUDED, SLOT_UNREADABLE };

struct layout_cell {
    int8_t row, col;        /* from 0 in the seat's grid; -1 when on no grid */
    char symbol, second;    /* best and runner-up labels */
    int16_t confidence;     /* permille */
    int32_t center_px10[2]; /* of the cell's top, tenths of a pixel */
    int32_t center_mm10[2]; /* in the mat frame, tenths of a millimetre */
    int32_t corner_px10[4][2];
    int16_t turned_deg10; /* of the cell alone, in the mat frame, clockwise, -450 < t <= 450 */
};

struct layout_seat {
    int8_t seat;
    enum seat_state state;
    struct grid grid;     /* as the player sees it; rows = 0 unless complete */
    int16_t turned_deg10; /* clockwise from the seat's upright, -450 < t <= 450 */
    int16_t confidence;   /* permille: that state and grid are right */
    int8_t cells;
    struct layout_cell cell[LAYOUT_CELLS_MAX];
    uint64_t reasons; /* REASON_BIT()s */
};

struct layout_card {
    int8_t slot;
    enum slot_state state;
    char id[CARD_ID_MAX]; /* empty when it is not in the deck */
    int8_t level;         /* 0 when not read */
    struct grid grid;     /* as printed, upright by the deck; as it lies when not in the deck */
    int16_t turn_deg;     /* 0, 90, 180, 270 clockwise, of the card as it lies in the mat frame */
    int16_t confidence;   /* permille */
    int32_t corner_px10[4][2];
    uint64_t reasons;
};

struct layout {
    char mat[KIT_NAME_MAX];
    bool mirrored;            /* read with --mirrored */
    bool rig;                 /* the lens was given, not estimated */
    int16_t pose_error_px100; /* RMS of the tags' corners, hundredths of a pixel */
    int8_t tags;              /* that the pose rests on */
    int8_t seats, slots;
    struct layout_seat seat[MAT_SEATS_MAX];
    struct layout_card card[MAT_SLOTS_MAX];
    uint64_t warnings; /* REASON_BIT()s that concern the whole picture */
};

/* The words of the formats: "complete", "face_up" and so on. Never NULL. */
const char *vision_seat_state_name(enum seat_state state);
const char *vision_slot_state_name(enum slot_state state);

/* A mirrored picture is flipped before it is read; this turns the places on the flipped picture
 * (width px wide) into places on the picture as it was given. Millimetres stay. */
void vision_layout_mirror_px(struct layout *layout, int width);

#endif
