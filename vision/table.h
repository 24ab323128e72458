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

/* What lies on the table. All lent for the reader's life; rig and deck may be NULL. */
struct table_kit {
    const struct mat *mat;
    const struct blockset *set;
    const struct deck *deck;
    const struct cardstyle *style;
    const struct rig *rig;
};

/* The bounds of rules.md "alignment"; vision_alignment_defaults() gives the published ones. */
struct alignment {
    double pitch_max;           /* 1.25 block widths */
    double center_on, center_off; /* 0.30 and 0.45 of a pitch */
    double turn_on_deg, turn_off_deg; /* 12 and 20 */
    double apart;               /* 0.5 block widths from edge to edge */
};
struct alignment vision_alignment_defaults(void);

/* A reader: templates, detector, buffers. One for each thread. NULL for no memory. */
struct table_reader;
struct table_reader *vision_table_create(const struct table_kit *kit,
                                         const struct alignment *alignment);
void vision_table_destroy(struct table_reader **reader);

/* Reads a frame. `mirrored`: the frame was mirrored back by the caller (recorded in the layout).
 * 0, or the errors of vision_pose_find with *out holding what is known. The pose that was used
 * goes to *pose when not NULL. */
int vision_table_read(struct table_reader *reader, const struct frame *frame, bool mirrored,
                      struct layout *out, struct mat_pose *pose);

#endif
