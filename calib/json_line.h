/* calib/json_line.h: the line of a value in a JSON text that Jansson has accepted. */
#ifndef CALIB_JSON_LINE_H
#define CALIB_JSON_LINE_H

#include <stddef.h>

#define JSON_WAY_MAX 16 /* no format of the kit nests deeper than 6 */

struct json_step {
    const char *key; /* of an object's member, or NULL: */
    size_t index;    /* of an array's item */
};

/* Line, from 1, of the byte at `at`. */
int calib_json_line_of(const char *text, size_t at);

/* Line, from 1, where the value stands that the steps lead to from the root; where they lead
 * nowhere, the line of the last value they reached. */
int calib_json_line(const char *text, size_t length, const struct json_step *step, size_t steps);

#endif
