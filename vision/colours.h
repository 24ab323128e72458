/* vision/colours.h: how a set's colours look to this camera in this light: from the blocks on the
 * table, or from the printed card of colours (calib/board.h). */
#ifndef VISION_COLOURS_H
#define VISION_COLOURS_H

#include "calib/board.h"
#include "calib/rig.h"
#include "vision/table.h"

/* Colours are gathered over pictures. NULL for no memory; the kit is lent for its life. */
struct colours;
struct colours *vision_colours_create(const struct table_kit *kit);
void vision_colours_destroy(struct colours **colours);

/* Looks at the blocks on the table; or, with a board of colours (lent), at that in place of the mat:
 * its patches of plain colour. 0, or why the mat or the board was not found: the errors of
 * vision_table_read. */
int vision_colours_add(struct colours *colours, const struct frame *frame,
                       const struct board *board);

/* What was seen so far: the median of each symbol. How many of the set's symbols were seen; only
 * those are in *out, whose `known` is set when it is all of them. `made` is the caller's. */
int vision_colours_result(const struct colours *colours, struct rig_colours *out);

#endif
