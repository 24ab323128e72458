/* vision/truth.h: what is known of a picture (format "tableref-truth/1"): the camera it was taken
 * with, what lies in every seat and slot, and which verdicts are right. */
#ifndef VISION_TRUTH_H
#define VISION_TRUTH_H

#include "calib/deck.h"
#include "calib/error.h"
#include "calib/grid.h"
#include "calib/mat.h"
#include "calib/rig.h"
#include "vision/layout.h"

#include <stdbool.h>
#include <stddef.h>

#define TRUTH_WORD_MAX 24

struct truth_cell {
    char symbol;
    double center_px[2];
    double side_px;           /* mean length of its four sides on the picture */
    double visible, bleached; /* shares of its face, 0..1 */
};

/* The verdicts that are right for a seat against one card. */
struct truth_allowed {
    char card[CARD_ID_MAX];
    bool match, no_match, cannot_tell;
};

struct truth_seat {
    int seat;
    char scene[TRUTH_WORD_MAX]; /* what it was made to be: match, near, sloppy, ... */
    bool hand;                  /* something of a hand or arm is inside the seat's rectangle */
    struct grid grid;           /* no rows when it is not one grid of ten */
    double turned_deg;
    double least_visible, most_bleached;
    int cells;
    struct truth_cell cell[LAYOUT_CELLS_MAX];
    int allowed_count;
    struct truth_allowed allowed[MAT_SLOTS_MAX];
};

struct truth_card {
    int slot;
    bool face_up;
    char id[CARD_ID_MAX]; /* empty when it lies face down, or is in no deck */
    int level;            /* 0 when it lies face down */
    double visible;       /* share in view, 0..1 */
};

struct truth {
    bool ramp; /* a picture of a ramp: nothing below is filled */
    char mat[KIT_NAME_MAX], set[KIT_NAME_MAX], deck[KIT_NAME_MAX];
    struct rig *rig;
    int seats, cards;
    struct truth_seat seat[MAT_SEATS_MAX];
    struct truth_card card[MAT_SLOTS_MAX];
};

/* JSON of `length` bytes; `name` is how the text is called in faults. The caller owns *out.
 * Errors: CALIB_E_SYNTAX, _VALUE, _SIZE, _MEMORY with `fault` (may be NULL) filled. */
int vision_truth_parse(const char *json, size_t length, const char *name, struct truth **out,
                       struct calib_fault *fault);
void vision_truth_destroy(struct truth **truth);

/* "In full view", as decided seats are counted: every cell of it can be read by a fair reader. */
bool vision_truth_full_view(const struct truth_seat *seat);
bool vision_truth_in_view(const struct truth_cell *cell);

#endif
