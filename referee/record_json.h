/* referee/record_json.h: the bodies of a journal's own lines as JSON; EVENTS.md shows them. */
#ifndef REFEREE_RECORD_JSON_H
#define REFEREE_RECORD_JSON_H

#include "calib/error.h"
#include "referee/record.h"
#include "vision/json_text.h"

/* {"format":"tableref-journal/1","rules":1,"match":..,..} */
void referee_header_json(const struct record_header *header, struct json_text *out);
/* CALIB_E_* with `fault` filled (file and line are the caller's to fill). */
int referee_header_parse(const char *json, size_t length, struct record_header *out,
                         struct calib_fault *fault);

/* {"event":12,"by":..,"why":..}, with "ruling" when `overrule`. */
void referee_record_act_json(const struct record_act *act, bool overrule, struct json_text *out);
int referee_record_act_parse(const char *json, size_t length, bool overrule, struct record_act *out,
                             struct calib_fault *fault);

/* A line of an events file that is no event but a person's word on the past:
 * {"act":"undo"|"redo"|"overrule","event":12,..}. 1 when it is one, with *kind and *out filled; 0
 * when it is none; a negative calib_error with `fault` filled. */
int referee_act_line_parse(const char *json, size_t length, enum journal_kind *kind,
                           struct record_act *out, struct calib_fault *fault);

/* {"seq":..,"index":..} */
void referee_void_json(const struct decision *gone, struct json_text *out);

#endif
