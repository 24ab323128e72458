/* vision/table.h: reads a whole table: from a frame to a layout. */
#ifndef VISION_TABLE_H
#define VISION_TABLE_H

#include "calib/blockset.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "calib/rig.h"
#include "capture/frame.h"
#include "vision/layout.h"
#include "vision/pose.h"

/* What lies on the table. All lent for the reader's life. rig and deck may be NULL; without a
 * style no card is read and every slot stays unreadable. */
struct table_kit {
    const struct mat *mat;
    const struct blockset *set;
    const struct deck *deck;
    const struct cardstyle *style;
    const struct rig *rig;
};

/* What counts as one grid. Up to an `_on` bound a cell is on the grid, beyond an `_off` bound it
 * is not, and between them nobody rules. */
struct alignment {
    double pitch_max;                 /* in block widths; the least is 1 */
    double center_on, center_off;     /* distance of a cell from its place, in pitches */
    double turn_on_deg, turn_off_deg; /* of a cell against the grid */
    double apart;                     /* gap between blocks' edges that is too wide, block widths */
};

/* The published bounds. */
struct alignment vision_alignment_defaults(void);

/* A reader: templates, detector, buffers. One for each thread. NULL for no memory; the caller
 * gives it to vision_table_destroy, which sets *reader to NULL. */
struct table_reader;
struct table_reader *vision_table_create(const struct table_kit *kit,
                                         const struct alignment *alignment);
void vision_table_destroy(struct table_reader **reader);

/* Reads a frame. `mirrored`: the frame was mirrored back by the caller (recorded in the layout).
 * 0, or VISION_E_MEMORY or the errors of vision_pose_find, when *out decides nothing. The pose that
 * was used goes to *pose when not NULL. */
int vision_table_read(struct table_reader *reader, const struct frame *frame, bool mirrored,
                      struct layout *out, struct mat_pose *pose);

/* The two halves of it, for who looks at picture after picture: the pose, with the errors of
 * vision_pose_find; and the seats and slots (bits by index in the mat) at a pose that is known.
 * What is not asked for is unreadable in *out, without a reason. VISION_E_MEMORY. */
int vision_table_pose(struct table_reader *reader, const struct frame *frame,
                      struct mat_pose *pose);
int vision_table_read_part(struct table_reader *reader, const struct frame *frame, bool mirrored,
                           const struct mat_pose *pose, unsigned seats, unsigned slots,
                           struct layout *out);

#endif
