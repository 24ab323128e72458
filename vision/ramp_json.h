/* vision/ramp_json.h: what was read of a ramp as JSON. */
#ifndef VISION_RAMP_JSON_H
#define VISION_RAMP_JSON_H

#include "vision/json_text.h"
#include "vision/ramp_layout.h"

/* The line that `read --ramp` prints for a picture. Rows and tracks count from 1 there. */
void vision_ramp_json(const struct ramp_layout *layout, const char *image, struct json_text *out);

/* Its members from "state" on, into an object that is open. */
void vision_ramp_members(const struct ramp_layout *layout, struct json_text *out);

#endif
