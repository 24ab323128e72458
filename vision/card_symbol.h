/* vision/card_symbol.h: how a printed symbol looks on a card, and how well a place fits it.
 * Private to vision.
 *
 * A cell of a card is small, so its raster is fixed: CARD_CELL_PX square, lined up with the
 * lattice that the card's edge gives. At a place the brightness is explained as
 * white * (rim and ink) + field * (field), both levels free: what remains tells the shape. The
 * ratio of both levels in each channel tells the colour, whatever the lamp; a veil of stray light
 * or an overdriven white moves it toward white, so it is compared with a way, not with a point. */
#ifndef VISION_CARD_SYMBOL_H
#define VISION_CARD_SYMBOL_H

#include "calib/blockset.h"
#include "calib/deck.h"

#include <stdbool.h>

#define CARD_CELL_PX 16
#define CARD_CELL_SAMPLES (CARD_CELL_PX * CARD_CELL_PX)
#define CARD_BLURS 5
#define CARD_VEILS 8

/* The way of a printed colour as ever more white is added: ratios to white, as gamma values. */
struct card_colour {
    float at[CARD_VEILS][3];
};

struct card_fit {
    int best, second;                     /* symbols; second is -1 in a set of one */
    float score[BLOCKSET_SYMBOLS_MAX];    /* log likelihood, shape and colour */
    float shape[BLOCKSET_SYMBOLS_MAX];    /* of the shape alone */
    float colour[BLOCKSET_SYMBOLS_MAX];   /* of the colour alone, 0 or below */
    float explained;                      /* by best: share of the brightness's variance, 0..1 */
    float depth;                          /* deviation of the brightness that best explains */
    float unexplained;                    /* mean square that best leaves */
    float mean, variance;                 /* of the brightness at the place */
    float level[BLOCKSET_SYMBOLS_MAX][2]; /* brightness of white and field under each symbol */
    int template[BLOCKSET_SYMBOLS_MAX];   /* which of the symbol's turns fitted best */
    float ratio[3];                       /* of best: field over white, in linear light */
};

struct card_symbols;
/* NULL for no memory. Both are lent. */
struct card_symbols *vision_card_symbols_create(const struct blockset *set,
                                                const struct cardstyle *style);
void vision_card_symbols_destroy(struct card_symbols **symbols);

/* The blur step for a cell that is that many picture pixels wide. */
int vision_card_symbols_blur(double px_per_cell);

/* Fits the symbols' shapes at a place of a raster: `luma` points at the place's first sample in
 * rows of `stride`. Leaves the colours alone: score is shape. */
void vision_card_fit_shape(const struct card_symbols *symbols, const float *luma, int stride,
                           int blur, struct card_fit *out);

/* What white looks like near a card, in sRGB values 0..1. */
struct card_white {
    float luma;    /* its brightness: what the luma of places is relative to */
    float code[3]; /* red, green, blue, as shares of its brightness */
};

/* Adds the colours to the shapes. `code` is the same place in interleaved sRGB values 0..1, in
 * rows of `stride` pixels. */
void vision_card_fit_colour(const struct card_symbols *symbols, const float *code, int stride,
                            const struct card_white *white, int blur, struct card_fit *fit);

/* The way of a printed colour, and the log likelihood (0 or below, bounded) that a ratio to white
 * was measured on it. */
void vision_card_colour_init(struct card_colour *colour, struct rgb8 print, struct rgb8 white);
float vision_card_colour_score(const struct card_colour *colour, const float ratio[3]);

#endif
