/* tests/stat/degrade.h: what happens to pictures between a table and the reader: soft lenses, wrong
 * exposure, lost colour, other white, hard compression, shadows, lamps, paper, cropping and turning. */
#ifndef STAT_DEGRADE_H
#define STAT_DEGRADE_H

#include <stdint.h>

enum degrade_kind {
    DEGRADE_NONE,
    DEGRADE_BLUR,       /* sigma, px */
    DEGRADE_GAIN,       /* of all values, clipped at 255 */
    DEGRADE_CONTRAST,   /* of all values about the middle */
    DEGRADE_NOISE,      /* standard deviation, of 255 */
    DEGRADE_QUALITY,    /* of JPEG */
    DEGRADE_SATURATION, /* 0 grey, 1 as it was */
    DEGRADE_HUE,        /* degrees about the grey axis */
    DEGRADE_RED,        /* gain of one channel */
    DEGRADE_GREEN,
    DEGRADE_BLUE,
    DEGRADE_GAMMA, /* exponent of values */
    /* These chance draws; the value tells one draw from another. */
    DEGRADE_SHADOW,  /* one side of the picture lies in it */
    DEGRADE_STREAKS, /* of mirrored light */
    DEGRADE_SPOTS,   /* of coloured light */
    DEGRADE_HALF,    /* white paper over half of every layout; see paper.h */
    DEGRADE_BLOCK,   /* over two cells side by side */
    DEGRADE_STRIP,   /* a strip of it */
    DEGRADE_LEFT,    /* share of the picture that is cut away there */
    DEGRADE_RIGHT,
    DEGRADE_TOP,
    DEGRADE_BOTTOM,
    DEGRADE_WIDER, /* factor */
    DEGRADE_HIGHER,
    DEGRADE_SCALE,
    DEGRADE_TURN, /* clockwise degrees, of quarter turns */
    DEGRADE_KINDS
};

struct degrade_step {
    enum degrade_kind kind;
    double value;
};

/* A picture of RGB, and where its pixels came from: old = map * (new, 1). */
struct degrade_picture {
    int width, height;
    uint8_t *rgb; /* owned; free() */
};

/* Makes *out from *from; leaves the laying of paper to paper_lay. Where a pixel at (x, y) went: forward[0] = {a, b, c}: a x + b y + c.
 * 0, or -1 for no memory. */
int degrade_apply(const struct degrade_picture *from, struct degrade_step step, uint32_t seed,
                  struct degrade_picture *out, double forward[2][3]);

const char *degrade_name(enum degrade_kind kind);

#endif
