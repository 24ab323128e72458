/* referee/setup_json.h: a match's set-up and its options as JSON; see EVENTS.md. */
#ifndef REFEREE_SETUP_JSON_H
#define REFEREE_SETUP_JSON_H

#include "calib/json.h"
#include "referee/event_json.h"

/* The members of a set-up, from the object that also holds the event's own; *cards as in
 * referee_event_parse. 0 or a negative calib_error. */
int referee_setup_read(const struct json_node *root, struct event_setup *out,
                       struct referee_cards **cards);
void referee_setup_write(const struct event_setup *setup, struct json_text *out);

/* {"rotation":"any",..}: all of them, or only those that differ from the game's own. */
void referee_options_write(struct json_text *out, const char *key, const struct rules *rules,
                           bool all);

/* {"id":..,"level":..,"grid":..}, and its three members alone. */
void referee_card_write(struct json_text *out, const char *key, const struct card *card);
void referee_card_members(struct json_text *out, const struct card *card);

#endif
