/* vision/cellmodel.h: what a cell of a set looks like, and how well a place of a patch fits it.
 *
 * A cell is a white rim, a coloured field and an inked shape. At a place, each channel of the
 * picture is explained as white * (rim and ink) + field * (field): the two levels are solved for,
 * so neither lamp nor exposure matters. What remains unexplained tells the shape; the ratio of
 * the field's level to the white's tells the colour, and cancels the lamp because both come from
 * the same cell. Shape and colour are weighed together, as neither is safe alone. */
#ifndef VISION_CELLMODEL_H
#define VISION_CELLMODEL_H

#include "calib/blockset.h"
#include "vision/plane.h"

#include <stdbool.h>

#define CELL_SIDE 20 /* samples along a cell's edge */
#define CELL_SAMPLES (CELL_SIDE * CELL_SIDE)
#define CELL_BLURS 4
#define CELL_SYMBOLS_MAX BLOCKSET_SYMBOLS_MAX

/* Where a cell is thought to lie in a patch. */
struct cell_place {
    float x, y;     /* centre, patch px */
    float turn_rad; /* clockwise */
    float side_px;
};

/* How each symbol's colours look in this picture: the field's level as a share of white's. */
struct palette {
    float field[CELL_SYMBOLS_MAX][3];
    float weight[CELL_SYMBOLS_MAX];     /* of the cells it was learnt from */
    float printed[CELL_SYMBOLS_MAX][3]; /* before anything was learnt */
    float drift; /* how far what was learnt lies off print, in squared standard errors, on average:
                    a symbol that was not seen yet may lie as far off */
    float spread; /* how many times larger the squared distances of right colours are in this
                     picture than supposed, 1 or more (see census.h) */
};

struct cell_fit {
    int best, second;                 /* symbols */
    float score[CELL_SYMBOLS_MAX];    /* log likelihood, up to a constant of the cell */
    float left[CELL_SYMBOLS_MAX];     /* share of the cell's variance that each leaves, 0..1 */
    float unexplained;                /* best's */
    float off[CELL_SYMBOLS_MAX]; /* squared distance of each symbol's colour from its palette, in
                                    standard errors */
    float colour_error;               /* of best: distance in its palette, in standard errors */
    float ratio[CELL_SYMBOLS_MAX][3]; /* field over white, as measured under each symbol */
    float white[CELL_SYMBOLS_MAX][3]; /* level of white, linear, under each symbol */
    float contrast;                /* of the field against white in the strongest channel, 0..1 */
    float burnt;                   /* share of samples that were not trusted */
    int quarter[CELL_SYMBOLS_MAX]; /* quarter turns at which each symbol fitted best */
    bool seen;                     /* enough trusted samples inside the picture */
    bool through_glare;            /* explained only by its edges, as through mirrored light */
};

struct cell_model;

/* Templates of every symbol of the set. NULL for no memory. The set is lent. */
struct cell_model *vision_cell_model_create(const struct blockset *set);
void vision_cell_model_destroy(struct cell_model **model);

int vision_cell_model_symbols(const struct cell_model *model);

/* The palette that the set's printed colours give under any white light. */
void vision_palette_default(const struct cell_model *model, struct palette *palette);

/* Takes in a cell that was read without doubt. */
void vision_palette_learn(struct palette *palette, const struct cell_fit *fit);

/* Fits every symbol at a place; samples marked as glare (see white.h) are left out.
 * blur: 0 .. CELL_BLURS-1, from sharp to soft. through_glare: a cell that stays unexplained is
 * tried by its edges alone, which light mirrored on it leaves; what is left is then of these. */
void vision_cell_fit(const struct cell_model *model, const struct palette *palette,
                     const struct patch *patch, const struct cell_place *place, int blur,
                     bool through_glare, struct cell_fit *out);

/* Weighs shape and colour anew, with a palette that has learnt meanwhile. */
void vision_cell_rescore(const struct cell_model *model, const struct palette *palette,
                         struct cell_fit *fit);

/* Moves a place to where `symbol` fits the whiteness best (within reach_px and reach_rad), and
 * returns the share of variance left unexplained there. */
float vision_cell_refine(const struct cell_model *model, const struct patch *patch,
                         const float *whiteness, int symbol, int quarter, int blur, float reach_px,
                         float reach_rad, struct cell_place *place);

/* The blur step for a picture with that many picture pixels to a cell. */
int vision_cell_blur(double px_per_cell);

#endif
