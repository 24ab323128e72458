/* vision/seat.h: reads one seat: which cells lie there, on what grid, and whether that is all.
 *
 * In two steps, so that what one seat teaches about the light helps the others: first every seat
 * is looked at (vision_seat_look), then the table's palette is learnt from the cells that are
 * beyond doubt, then each seat is decided (vision_seat_decide).
 *
 * What always holds: a seat is `complete` only when every block's two cells were seen on one
 * grid; it is `incomplete` or `empty` only when the rest of the seat was seen to be bare mat, so
 * that nothing can hide there. Everything else is `occluded` or `unreadable`. */
#ifndef VISION_SEAT_H
#define VISION_SEAT_H

#include "calib/blockset.h"
#include "calib/mat.h"
#include "vision/cellmodel.h"
#include "vision/census.h"
#include "vision/layout.h"
#include "vision/plane.h"
#include "vision/pose.h"
#include "vision/table.h"
#include "vision/white.h"

struct seat_reader; /* templates of a set: shared by all seats of a reader */
struct seat_sight;  /* what was seen in one seat: its patch and cells */

struct seat_reader *vision_seat_reader_create(const struct blockset *set,
                                              const struct alignment *alignment);
void vision_seat_reader_destroy(struct seat_reader **reader);
const struct cell_model *vision_seat_model(const struct seat_reader *reader);

struct seat_sight *vision_seat_sight_create(void);
void vision_seat_sight_destroy(struct seat_sight **sight);

/* Looks at a seat. Errors: VISION_E_MEMORY, VISION_E_POSE. */
int vision_seat_look(struct seat_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct mat *mat, int seat_index, struct seat_sight *sight);

/* Gives the palette every cell of the seat that is beyond doubt. */
void vision_seat_teach(const struct seat_sight *sight, struct palette *palette);

/* Counts how far the colours of the seat's cells agree with their shapes. */
void vision_seat_census(const struct seat_reader *reader, const struct seat_sight *sight,
                        struct colour_census *census);

/* Decides. Errors as vision_seat_look. */
int vision_seat_decide(struct seat_reader *reader, const struct palette *palette,
                       const struct pyramid *pyramid, const struct white_map *white,
                       const struct mat_pose *pose, struct seat_sight *sight,
                       struct layout_seat *out);

#endif
