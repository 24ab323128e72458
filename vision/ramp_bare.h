/* vision/ramp_bare.h: is a stretch of a groove seen to be bare? Private to vision.
 *
 * It is when it looks across as the groove does elsewhere in the picture: the same tints, and the
 * same light and dark of floor and walls; under more or less light, paler under a lamp that is
 * mirrored, darker in a shadow. Skin has a groove's tint at times, but not its walls. What lies
 * behind a disc, as seen from the camera, is not looked at. */
#ifndef VISION_RAMP_BARE_H
#define VISION_RAMP_BARE_H

#include "vision/ramp_disc.h"
#include "vision/ramp_sight.h"

enum ramp_bareness {
    RAMP_IS_BARE,
    RAMP_NOT_SEEN, /* behind discs, or out of view */
    RAMP_IS_GLARE, /* a mirrored lamp drowns it */
    RAMP_NOT_BARE
};

/* Pixels of the floor that discs hide, with a margin; grows as needed (start all-zero). */
struct ramp_hidden {
    int capacity;
    uint8_t *px;
};

/* Nothing is hidden. VISION_E_MEMORY. */
int vision_ramp_hidden_start(struct ramp_hidden *hidden, const struct ramp_sight *sight);
/* Adds what a disc hides. */
void vision_ramp_hidden_add(struct ramp_hidden *hidden, const struct ramp_sight *sight,
                            const struct ramp_find *find);
void vision_ramp_hidden_free(struct ramp_hidden *hidden);

/* The stretch of a track (from 0) between two places y of the board. */
enum ramp_bareness vision_ramp_bare(const struct ramp_sight *sight,
                                    const struct ramp_hidden *hidden, int track, double from_mm,
                                    double to_mm);

#endif
