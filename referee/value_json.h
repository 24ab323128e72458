/* referee/value_json.h: the kinds of values that the formats of EVENTS.md are made of, read and
 * written. Of the program's JSON files only: the rules themselves know no JSON.
 *
 * Readers return 0 or a negative calib_error, with the fault telling line, path and what is wrong.
 * "Optional" means that the member may be missing or null, and *out is then as it was. */
#ifndef REFEREE_VALUE_JSON_H
#define REFEREE_VALUE_JSON_H

#include "calib/grid.h"
#include "calib/json.h"
#include "referee/event.h"
#include "vision/json_text.h"

#include <stdbool.h>
#include <stdint.h>

/* Whole numbers that every JSON reader holds exactly: 104 days of ns. */
#define JSON_EXACT_MAX ((int64_t)1 << 53)

/* A member that is there and not null. */
bool referee_json_given(const struct json_node *object, const char *key, struct json_node *member);

/* Refuses, by name, a key that is neither in `known` (ended by NULL) nor "note": a slip in a file
 * written by hand must not pass for silence. */
int referee_json_only(const struct json_node *object, const char *const *known);

/* A whole number in least..most; optional. */
int referee_json_whole(const struct json_node *object, const char *key, int64_t least, int64_t most,
                       int64_t *out);
/* The same for small ones. */
int referee_json_small(const struct json_node *object, const char *key, int least, int most,
                       int8_t *out);
int referee_json_bool(const struct json_node *object, const char *key, bool *out);

/* A time: member "<name>_ns", or "<name>_ms" instead; optional. What was seen before the match's
 * record began lies below 0. */
int referee_json_time(const struct json_node *object, const char *name, int64_t *out_ns);
/* The same of what cannot lie below 0: an event's own time, a span. */
int referee_json_span(const struct json_node *object, const char *name, int64_t *out_ns);

/* A number with so many decimals as a whole one: 0.997 with 3 is 997; optional. */
int referee_json_fixed(const struct json_node *object, const char *key, int decimals, int64_t least,
                       int64_t most, int64_t *out);

/* A text of up to size - 1 bytes, maybe empty, without control characters; optional. */
int referee_json_text(const struct json_node *object, const char *key, size_t size, char *out);
/* The same of at most PLAYER_NAME_CHARACTERS. */
#define PLAYER_NAME_CHARACTERS 60
int referee_json_name(const struct json_node *object, const char *key, char out[PLAYER_NAME_MAX]);
/* 64 lower-case hex digits; optional. */
int referee_json_digest(const struct json_node *object, const char *key, char out[DIGEST_TEXT_MAX]);
/* One printable character that is neither hole nor row's end; optional. */
int referee_json_label(const struct json_node *object, const char *key, char *out);
/* A pattern with at least one symbol; optional. */
int referee_json_grid(const struct json_node *object, const char *key, struct grid *out);
/* A list of words from vision/reason.h; optional. */
int referee_json_reasons(const struct json_node *object, const char *key, uint64_t *out);
/* A list of seats as bits (seat - 1). Must be there. */
int referee_json_seats(const struct json_node *object, const char *key, uint8_t *out);
/* Rows of a ramp from the bottom, at most RAMP_SIDE of RAMP_SIDE characters each. Must be there. */
int referee_json_rows(const struct json_node *object, const char *key,
                      char out[RAMP_SIDE][RAMP_SIDE]);

/* A word of a list: its place. */
struct word_list {
    int count;
    const char *(*word)(int place);
};
int referee_json_word(const struct json_node *object, const char *key, const struct word_list *list,
                      int *out);

/* Empty texts, numbers that are 0 and labels that are 0 are written as null: "none". */
void referee_write_text(struct json_text *out, const char *key, const char *text);
void referee_write_whole(struct json_text *out, const char *key, int64_t value);
void referee_write_label(struct json_text *out, const char *key, char label);
void referee_write_grid(struct json_text *out, const char *key, const struct grid *grid);
void referee_write_seats(struct json_text *out, const char *key, uint8_t seats);
void referee_write_rows(struct json_text *out, const char *key,
                        const char disc[RAMP_SIDE][RAMP_SIDE]);

/* A number up to JSON_EXACT_MAX as a number, above it as a text of digits. */
void referee_write_big(struct json_text *out, const char *key, uint64_t value);
int referee_json_big(const struct json_node *object, const char *key, uint64_t *out);

#endif
