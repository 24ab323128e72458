/* calib/shape_kit.h: the built-in shapes (format "tableref-shapes/1") by name. */
#ifndef CALIB_SHAPE_KIT_H
#define CALIB_SHAPE_KIT_H

#include "calib/json.h"
#include "calib/shape.h"

/* The built-in shapes, opened: the caller closes *doc with calib_json_close. Errors: those of
 * calib_json_open, and CALIB_E_UNKNOWN, with `fault` (may be NULL) filled. */
int calib_shapes_open(struct json_doc *doc, struct json_node *shapes, struct calib_fault *fault);

/* The shape that the value at `node` stands for: a name among `shapes`, the path itself, or
 * {"path":.., "fill_rule":"nonzero"|"evenodd"}. Errors: CALIB_E_VALUE, CALIB_E_SIZE. */
int calib_shape_read(const struct json_node *node, const struct json_node *shapes,
                     struct shape *shape);

#endif
