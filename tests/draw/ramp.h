/* tests/draw/ramp.h: scenes of a ramp with discs, and what is true about them.
 *
 * A ramp's scene is a table's whose sheet is the board and whose discs are parts: everything else
 * (camera, lamps, hands, the sensor) is the same drawer. The truth is where the discs were put and
 * how much of each the camera sees, found by rays of the drawer's own. */
#ifndef DRAW_RAMP_H
#define DRAW_RAMP_H

#include "calib/ramp.h"
#include "tests/draw/draw.h"

#define DRAW_DISCS_MAX (RAMP_ROWS_MAX * RAMP_TRACKS_MAX + 2)

/* What a ramp was made to be. */
enum draw_ramp_kind {
    DRAW_RAMP_SETTLED,
    DRAW_RAMP_ROLLING, /* a disc above the rows */
    DRAW_RAMP_BETWEEN, /* the top disc of a track lies between two rows */
    DRAW_RAMP_MOVING,  /* the top disc of a track moves while the shutter is open */
    DRAW_RAMP_AFLOAT,  /* a disc over an empty place */
    DRAW_RAMP_KINDS
};

struct draw_ramp_disc {
    int row, track; /* from 0; row -1: in none */
    int colour;     /* index in the ramp's */
    int part;       /* in the scene */
    double center_mm[3];
    double visible; /* share of what the camera would see of it alone */
    double bleached; /* share of that which is burnt out or has lost its colour */
};

struct draw_ramp {
    const struct ramp *ramp; /* lent */
    enum ramp_seen seen;
    enum draw_ramp_kind kind;
    struct mat mat; /* the board as the drawer's sheet */
    struct blockset set; /* gives the drawer its sizes only */
    struct draw_board board;
    bool foreign; /* something else lies or hangs there */
    int discs;
    struct draw_ramp_disc disc[DRAW_DISCS_MAX];
    char place[RAMP_ROWS_MAX][RAMP_TRACKS_MAX]; /* labels, '.' for none */
    double bare[RAMP_ROWS_MAX][RAMP_TRACKS_MAX]; /* share of an empty place's floor not under
                                                  * something foreign */
    double open; /* the same over all tracks above the top row */
    int tags;    /* of which nothing is covered, and that lie in the picture */
};

struct draw_ramp_range {
    struct draw_range scene;        /* cell_px: pixels across a disc */
    double kind[DRAW_RAMP_KINDS];   /* weights */
    double rim;                     /* probability of discs on edge */
    double foreign;                 /* probability of something else */
    double from_above;              /* of these, hands that come from the head of the ramp */
    double shade[2];                /* factor of discs' colours from their file's */
    double jitter_mm;
    double other_board;             /* probability of a board that is no light wood */
};

struct draw_ramp_range draw_ramp_range_usual(void);
struct draw_ramp_range draw_ramp_range_hard(void);

/* The board as a sheet, for a drawer: draw_create's kit has it as its mat. */
void draw_ramp_mat(const struct ramp *ramp, struct mat *mat);

/* A random ramp and its scene; the same for the same kit, seed and range. `kit` is the drawer's
 * own, whose mat is that of draw_ramp_mat. *out is lent to the scene. -1 when the kit is of no use.
 */
int draw_ramp_random(const struct draw_kit *kit, const struct ramp *ramp, uint64_t seed,
                     const struct draw_ramp_range *range, struct draw_ramp *out,
                     struct draw_scene *scene);
/* The scene of discs that are given (out->place filled, labels of the ramp), nothing foreign. */
int draw_ramp_place(const struct draw_kit *kit, const struct ramp *ramp, uint64_t seed,
                    const struct draw_ramp_range *range, struct draw_ramp *out,
                    struct draw_scene *scene);

/* Fills in what is seen of each disc. `rgb`: the picture before compression. 0, or -1 for no
 * memory. */
int draw_ramp_truth(struct draw_ramp *ramp, const struct draw_scene *scene, const uint8_t *rgb);

/* Can a good reader be asked to read all of it? Everything is in plain sight and lies where discs
 * lie. */
bool draw_ramp_readable(const struct draw_ramp *ramp, const struct draw_scene *scene);

#endif
