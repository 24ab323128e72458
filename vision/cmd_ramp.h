/* vision/cmd_ramp.h: `read --ramp`: pictures of a ramp to where its discs lie. Program layer. */
#ifndef VISION_CMD_RAMP_H
#define VISION_CMD_RAMP_H

#include "calib/ramp.h"
#include "referee/cmd_common.h"
#include "vision/ramp.h"

/* A picture of a ramp and what was read of it. */
struct cmd_ramp_picture {
    struct frame *frame; /* as given; NULL when it could not be decoded */
    bool ok;
    enum reason reason; /* why not, unless ok */
    struct ramp_layout layout;
    struct mat_pose pose; /* of the picture as it was read, after flipping */
};

/* As cmd_picture_read and cmd_picture_free. */
bool cmd_ramp_picture_read(struct ramp_reader *reader, const char *path, bool mirrored,
                           struct cmd_ramp_picture *out);
void cmd_ramp_picture_free(struct cmd_ramp_picture *picture);

/* Reads each picture and prints a line for it; the program's status. */
int cmd_ramp_read(const char *ramp, const struct cmd_source *source, char **paths, int count);

#endif
