/* vision/seat_ends.h: blocks that stand on end; shared inside the seat reader. */
#ifndef VISION_SEAT_ENDS_H
#define VISION_SEAT_ENDS_H

#include "vision/seat_tops.h"

#define ENDS_NUMBERS 10 /* 0..9; ends show 1 to 6 pips */

/* Looks on the plane of the ends of standing blocks for their rim, field and pips, where neither
 * a lying block's body nor another end is. Only ends with a number of pips that `numbers` allows
 * count (those of blocks that do not lie there already). Writes at most `most` bodies; returns how many, or
 * VISION_E_MEMORY or _POSE. */
int vision_ends_find(struct seat_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct seat_sight *sight, const struct tops *tops,
                     const bool numbers[ENDS_NUMBERS], struct body_top *out, int most);

#endif
