/* vision/ramp.h: reads a ramp: from a frame to where its discs lie.
 *
 * Nothing is said of a place that was not seen. A disc is one when a whole round face (or, of one
 * that stands in its groove, a whole rim) of one colour is seen with its outline against the
 * board; a place is bare when the groove is seen there as it looks in the rest of the picture.
 * All else is neither, and then the ramp as a whole is not complete. */
#ifndef VISION_RAMP_H
#define VISION_RAMP_H

#include "calib/ramp.h"
#include "calib/rig.h"
#include "capture/frame.h"
#include "vision/pose.h"
#include "vision/ramp_layout.h"

/* A reader and its buffers; one for each thread. The ramp and the rig (may be NULL) are lent for
 * its life. NULL for no memory. vision_ramp_destroy sets *reader to NULL. */
struct ramp_reader;
struct ramp_reader *vision_ramp_create(const struct ramp *ramp, const struct rig *rig);
void vision_ramp_destroy(struct ramp_reader **reader);

/* The board as a mat, for whoever needs a pose or a part of the picture: the ramp's tags, and one
 * seat, 1, over all places of discs. Board and mat frame are the same. */
void vision_ramp_mat(const struct ramp *ramp, struct mat *mat);

/* Reads a frame. `mirrored`: the caller flipped it. 0, VISION_E_MEMORY, or an error of
 * vision_pose_find, when *out says nothing. The pose goes to *pose when that is not NULL. */
int vision_ramp_read(struct ramp_reader *reader, const struct frame *frame, bool mirrored,
                     struct ramp_layout *out, struct mat_pose *pose);

/* The two halves of it, for who looks at picture after picture. */
int vision_ramp_pose(struct ramp_reader *reader, const struct frame *frame, struct mat_pose *pose);
int vision_ramp_read_at(struct ramp_reader *reader, const struct frame *frame, bool mirrored,
                        const struct mat_pose *pose, struct ramp_layout *out);

#endif
