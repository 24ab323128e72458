/* vision/ramp_colour.h: which of the ramp's colours a disc has. Private to vision.
 *
 * Tints are compared, relative to the white of the tags, with those of the ramp's file; what is
 * seen of a picture's clear discs says how pale its colours are as a whole, so discs are compared
 * with each other, too. How many there are of each colour is known: where all of one lie in plain
 * sight, a disc that could be of that colour or of another is of the other. */
#ifndef VISION_RAMP_COLOUR_H
#define VISION_RAMP_COLOUR_H

#include "calib/ramp.h"
#include "vision/ramp_disc.h"
#include "vision/ramp_layout.h"

struct ramp_palette {
    int colours;
    struct tint tint[RAMP_COLOURS_MAX];
    float pale; /* how far this picture's colours are from white, as a share of the file's */
};

void vision_ramp_palette(const struct ramp *ramp, struct ramp_palette *out);

/* Can discs of every colour be told from a groove's floor that looks like that? */
bool vision_ramp_telling(const struct ramp *ramp, const struct ramp_palette *palette,
                         const struct tint *floor);

/* Names the discs' colours: fills colour, second and confidence of disc[i] from find[i]. A colour
 * is 0 where none is like it. Returns REASON_BIT()s: of a colour more are seen than there are. */
uint64_t vision_ramp_colours(const struct ramp *ramp, const struct ramp_palette *palette,
                             const struct ramp_find *find, int finds, struct ramp_disc *disc);

#endif
