/* tests/draw/truth.h: what is true about a drawn table, and which rulings on it are right.
 *
 * The truth looks at where the blocks are, never at what the scene was made to be. For each seat
 * it searches the square grid that fits the cells of the lying blocks best (pitch between 1.0 and
 * 1.25 block widths, any turn), by least squares and also by fits that heed outliers less and
 * more: the rules say only "fit", so where honest fits disagree, each ruling that one of them
 * gives is allowed.
 *
 * Rulings against a card (rules "alignment" with the published bounds). The layout is `one` when
 * exactly the set's number of blocks lie in the seat, none stands, and every cell has a place of
 * its own on the grid.
 *   - Not that number of blocks, or one stands, or one lies apart (further than half a width from
 *     every other): no_match.
 *   - Every cell within 0.30 pitch of its place and every block within 12 degrees: match when the
 *     grid is the card's in some quarter turn, else no_match.
 *   - Any cell between 0.30 and 0.45, or any block between 12 and 20 degrees: the rules say
 *     cannot_tell. A match is then wrong; a no_match is right only when the cells do not give
 *     the card's pattern anyway.
 *   - Any cell beyond 0.45 or block beyond 20 degrees: no_match.
 *   - Within a tolerance of a bound (TRUTH_TOLERANCE_*) the rulings of both its sides are allowed,
 *     and cannot_tell.
 * Then what the camera cannot see:
 *   - Any cell of a matching layout seen by less than TRUTH_HIDDEN of its face: only cannot_tell,
 *     as nobody can know. Where the layout does not match, no_match stays right.
 *   - Something foreign in the seat, a cell less than 0.85 visible or more than 0.35 bleached:
 *     cannot_tell is allowed too.
 *   - In an empty seat without anything foreign: no_match.
 * cannot_tell is never a wrong ruling; that it is not in `allowed` says that a good reader decides.
 * What `allowed` does not weigh is the picture's quality (noise, blur, darkness, cells of few
 * pixels): choose the range of scenes for that. */
#ifndef DRAW_TRUTH_H
#define DRAW_TRUTH_H

#include "calib/camera.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "tests/draw/align.h"
#include "tests/draw/render.h"
#include "tests/draw/scene.h"

#include <stdbool.h>
#include <stdio.h>

#define TRUTH_CELLS_MAX (2 * DRAW_SEAT_BLOCKS_MAX)
#define TRUTH_TOLERANCE_PITCH 0.06 /* a pixel at the smallest cells that are asked for */
#define TRUTH_TOLERANCE_DEG 2.5
#define TRUTH_TOLERANCE_APART 0.12 /* block widths */
#define TRUTH_HIDDEN 0.4
#define TRUTH_VISIBLE 0.85
#define TRUTH_BLEACHED 0.35

/* Rulings as bits. */
enum draw_ruling { DRAW_RULE_MATCH = 1, DRAW_RULE_NO_MATCH = 2, DRAW_RULE_CANNOT_TELL = 4 };

struct draw_truth_cell {
    char symbol;
    int block;           /* its number, as its pips show */
    int row, col;        /* on the seat's grid; -1 without one */
    double center_mm[2]; /* on the plane of the tops */
    double center_px[2];
    double corner_px[4][2];
    double side_px;   /* mean length of its edges in the picture */
    double offset[2]; /* from its place, in pitches, along the grid's rows and columns */
    double turn_deg;  /* of its block against the grid, -45..45 */
    double visible;   /* share of the face that the camera sees */
    double bleached;  /* share of its pixels that are burnt out (all of 250 or more) */
};

struct draw_truth_end { /* of a standing block */
    int block;
    double corner_px[4][2];
    double visible;
};

struct draw_truth_seat {
    int seat;
    enum draw_kind kind;
    enum draw_change change;
    bool foreign;      /* something that is no block covers part of the seat's rectangle */
    struct grid grid;  /* as the player sees it; rows 0 when it is not one grid of all cells */
    double turned_deg; /* clockwise as the player sees it, -45 < t <= 45 */
    double pitch_mm;
    double off_pitch; /* largest offset along either axis, by least squares */
    double off_deg;   /* largest turn of a block against the grid */
    double apart;     /* largest distance of a block from the nearest other, in block widths */
    unsigned classes; /* DRAW_ALIGN bits that honest fits give, tolerance included */
    double least_visible, most_bleached;
    int cells, ends;
    struct draw_truth_cell cell[TRUTH_CELLS_MAX];
    struct draw_truth_end end[DRAW_SEAT_BLOCKS_MAX];
    unsigned allowed[MAT_SLOTS_MAX]; /* by index of the truth's cards; 0 for cards face down */
};

struct draw_truth_card {
    int slot;
    bool face_up;
    struct card card;
    double visible;
    double corner_px[4][2]; /* the card's own bottom left, bottom right, top right, top left */
};

struct draw_truth_tag {
    int id;
    double corner_px[4][2];
};

struct draw_truth {
    struct camera camera;
    struct pose pose;
    double cell_px; /* mean side of a cell in the picture; 0 without cells */
    int tags, cards, seats;
    struct draw_truth_tag tag[MAT_TAGS_MAX];
    struct draw_truth_card card[MAT_SLOTS_MAX];
    struct draw_truth_seat seat[MAT_SEATS_MAX];
};

/* Fills *truth from a scene, what rays saw of it, and its picture before compression (width x
 * height x 3; NULL: nothing counts as bleached). */
void draw_truth_fill(const struct draw_scene *scene, const struct draw_seen *seen,
                     const uint8_t *rgb, struct draw_truth *truth);

/* The rulings that are right for a seat against any grid; see above. */
unsigned draw_truth_allowed(const struct draw_truth_seat *seat, const struct grid *card);

/* Writes the truth of the picture `image` as "tableref-truth/1" JSON. 0, or -1 when writing
 * fails. */
int draw_truth_write_json(const struct draw_scene *scene, const struct draw_truth *truth,
                          const char *image, FILE *out);

#endif
