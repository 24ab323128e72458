/* vision/layout_json.h: the fixed JSON of a layout. */
#ifndef VISION_LAYOUT_JSON_H
#define VISION_LAYOUT_JSON_H

#include "vision/json_text.h"
#include "vision/layout.h"

/* One object, without a newline: what was read from the picture called `image`. */
void vision_layout_json(const struct layout *layout, const char *image, struct json_text *out);

/* The members of one seat's or one slot's object, in the same form, for whoever has opened it: what
 * `read` prints of a seat and what a journal holds of it are the same text. */
void vision_layout_seat_members(const struct layout_seat *seat, struct json_text *out);
void vision_layout_card_members(const struct layout_card *card, struct json_text *out);

/* One object for a picture that could not be used. */
void vision_refusal_json(const char *image, enum reason reason, struct json_text *out);

#endif
