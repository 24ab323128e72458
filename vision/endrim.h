/* vision/endrim.h: the rim of a block's end, where mirrored light leaves little else. Pure.
 *
 * What a glossy end mirrors changes smoothly over it, so the field may be of any light, but the
 * rim is still lighter than the field beside it, all round, by much the same; and once the smooth
 * part is taken away nothing but pips is left inside, where a symbol would show. */
#ifndef VISION_ENDRIM_H
#define VISION_ENDRIM_H

#include "vision/cellmodel.h"

struct end_rim {
    float depth; /* how much lighter the rim is than the field beside it, in whiteness */
    float share; /* of the steps across the edge, what an even rim explains, 0..1 */
    float least; /* depth of the side where it is least */
    float rough; /* what is not smooth between the pips' places, as a share of depth */
};

/* Moves a place, whose side is the whole end's, to where the rim is most even within a few px, and
 * measures it there. */
void vision_end_rim_settle(const float *whiteness, int width, int height, struct cell_place *place,
                           struct end_rim *out);

#endif
