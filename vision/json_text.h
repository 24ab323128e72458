/* vision/json_text.h: JSON as text with exact number formats, into memory.
 *
 * What is printed must be the same bytes on every machine, so numbers are whole and printed with
 * a fixed count of decimals. Commas are set by themselves. Errors are kept: after the first one
 * (no memory) calls do nothing, and the text is not to be used. Nothing here does I/O. */
#ifndef VISION_JSON_TEXT_H
#define VISION_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_text {
    char *bytes; /* with a closing 0 once anything was written */
    size_t length, capacity;
    bool failed; /* there was no memory */
    bool comma;  /* a comma is due before the next value */
};

void vision_json_init(struct json_text *json);
void vision_json_free(struct json_text *json);

/* `key` is NULL inside arrays and at the top. Keys are plain words and are not escaped. */
void vision_json_open(struct json_text *json, const char *key, char bracket); /* '{' or '[' */
void vision_json_close(struct json_text *json, char bracket);                 /* '}' or ']' */
void vision_json_null(struct json_text *json, const char *key);
void vision_json_bool(struct json_text *json, const char *key, bool value);
void vision_json_int(struct json_text *json, const char *key, int64_t value);

/* value / 10^decimals with exactly that many decimals; 0..6. */
void vision_json_fixed(struct json_text *json, const char *key, int64_t value, int decimals);

/* Bytes that are not UTF-8 come out as U+FFFD, one for each; NULL comes out as null. */
void vision_json_string(struct json_text *json, const char *key, const char *text);

/* Text as it is, for lines that are no JSON. */
void vision_json_raw(struct json_text *json, const char *text);

/* An array of the words of a set of reasons, in the list's order. */
void vision_json_reasons(struct json_text *json, const char *key, uint64_t reasons);

#endif
