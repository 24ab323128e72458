/* calib/cmd_calibrate_places.h: the mat over the picture: where it was found, or where a person says
 * that its corners are. Program layer. */
#ifndef CALIB_CMD_CALIBRATE_PLACES_H
#define CALIB_CMD_CALIBRATE_PLACES_H

#include "calib/cmd_calibrate.h"

struct calibrate_place {
    bool known;
    struct camera camera;
    struct pose pose;
    double miss_px; /* of corners that were moved by hand: from where a camera would see them */
};

/* The pose in which the mat's corners (top-left, top-right, bottom-right, bottom-left) are seen at
 * px, by that camera. False when there is none: corners in another order, or on a line. */
bool cmd_calibrate_corners(const struct mat *mat, const struct camera *camera,
                           const double px[4][2], struct calibrate_place *out);

/* A camera of which nothing is known but the size of its pictures. */
struct camera cmd_calibrate_usual_camera(int width, int height);

/* Members of an outline: "mat" (its four corners, or null), "seats", "slots" and "grid", lines a
 * cell apart over each seat. */
void cmd_calibrate_places(struct json_text *json, const struct calibrate_place *place,
                          const struct mat *mat, double cell_mm);

#endif
