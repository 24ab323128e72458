/* calib/tags.h: reading the "tags" that mats and ramps share. */
#ifndef CALIB_TAGS_H
#define CALIB_TAGS_H

#include "calib/json.h"
#include "calib/mat.h"

/* The object's list "tags": 1..MAT_TAGS_MAX of different ids, each whole on a sheet of size_mm.
 * Returns their number. */
int calib_tags_read(const struct json_node *object, const double size_mm[2],
                    struct mat_tag tag[MAT_TAGS_MAX]);

#endif
