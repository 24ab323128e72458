/* vision/pips.h: which number of pips the end of a block shows. Pure.
 *
 * Pips are a few pixels wide and often grey where they are printed white, so each of the nine
 * places where a pip may be is compared with what lies just around it: that minds neither lamp,
 * shadow nor smooth mirrored light. */
#ifndef VISION_PIPS_H
#define VISION_PIPS_H

#include "vision/cellmodel.h"

#define PIPS_MOST 6 /* as on dice */

/* Places of the pips of each number, as on dice: thirds of a face right of and below its centre. */
extern const signed char vision_pip_place[PIPS_MOST][PIPS_MOST][2];

struct pips {
    float share[PIPS_MOST + 1]; /* by number: share of what the nine places show that its pips
                                   explain, 0..1 */
    int best;                   /* number */
    float strength;             /* how much lighter the best number's pips are than the field, as a
                                   share of what the field lies below the rim */
    float spread;               /* standard deviation of what else the places show, likewise */
};

/* Measures an end at `place`, whose side is the whole end's. */
void vision_pips_measure(const struct patch *patch, const struct cell_place *place,
                         struct pips *out);

#endif
