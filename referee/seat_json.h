/* referee/seat_json.h: a seat's layout and a slot's card read from the form in which `read` prints
 * them (vision/layout_json.h writes it). */
#ifndef REFEREE_SEAT_JSON_H
#define REFEREE_SEAT_JSON_H

#include "calib/json.h"
#include "vision/layout.h"

/* The members of the object; see EVENTS.md for what may be left out. 0 or a negative calib_error.
 * *out was cleared by the caller. */
int referee_seat_read(const struct json_node *object, struct layout_seat *out);
int referee_slot_read(const struct json_node *object, struct layout_card *out);

#endif
