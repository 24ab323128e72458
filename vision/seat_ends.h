/* vision/seat_ends.h: blocks that stand on end; shared inside the seat reader. */
#ifndef VISION_SEAT_ENDS_H
#define VISION_SEAT_ENDS_H

#include "vision/seat_tops.h"

#define ENDS_NUMBERS 10 /* 0..9; ends show 1 to 6 pips */

/* The ends of a set's blocks with their pips, as a set of its own whose cells are a little larger
 * than the ends. Errors: those of calib_shape_parse. */
int vision_ends_set(const struct blockset *set, struct blockset *ends);

struct standing {
    struct body_top body;
    bool sure; /* could be nothing else */
};

/* Looks on the plane of the ends of standing blocks for their rim, field and pips, where no
 * other block has its foot. Ends whose pips are seen count only with a number that `numbers` allows
 * (those of blocks that do not lie there already). Writes at most `most`; returns how many,
 * or VISION_E_MEMORY or _POSE. */
int vision_ends_find(struct seat_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct seat_sight *sight, const struct tops *tops,
                     const bool numbers[ENDS_NUMBERS], struct standing *out, int most);

/* Is what was taken for a top but a symbol on the side of a standing block? */
bool vision_standing_shows(const struct seat_sight *sight, const struct standing *end,
                           const struct tops *tops, int top);

#endif
