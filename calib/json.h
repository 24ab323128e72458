/* calib/json.h: reading the kit's JSON with Jansson, so that every fault names file, line and path.
 *
 * A `struct json_node` is a value with the way that led to it: nodes live on the reader's stack,
 * each pointing to the node above. From that way a fault makes its path ("seats[2].rect_mm"), and
 * its line by walking the text again (only when there is a fault: Jansson keeps no positions).
 * A function that returns int gives 0 (or a count) or a negative calib_error with the document's
 * fault filled. Nothing here opens a file. */
#ifndef CALIB_JSON_H
#define CALIB_JSON_H

#include "calib/blockset.h"
#include "calib/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define JSON_SIZE_MAX_MM 5000.0 /* no table is that large: a slip of units */

struct json_doc {
    const char *text; /* lent by the caller while the document is open */
    size_t length;
    const char *name;
    const struct calib_sink *sink;
    struct calib_fault *fault; /* may be NULL */
    json_t *root;
    int warnings;
};

struct json_node {
    struct json_doc *doc;
    const struct json_node *up; /* NULL for the root */
    const char *key;            /* in an object, else NULL */
    size_t index;               /* in an array */
    json_t *value;              /* borrowed from the document */
};

/* Parses `length` bytes; the text must be one JSON object. On success the caller gives the
 * document to calib_json_close; *root is its node. Errors: CALIB_E_SYNTAX, _SIZE, _MEMORY. */
int calib_json_open(struct json_doc *doc, const char *text, size_t length, const char *name,
                    const struct calib_sink *sink, struct calib_fault *fault,
                    struct json_node *root);
/* Gives back what the document holds; its nodes end with it. Once for each document opened. */
void calib_json_close(struct json_doc *doc);

/* CALIB_E_SYNTAX unless the root's "format" is `format`. */
int calib_json_format(const struct json_node *root, const char *format);

/* The line on which a node stands, from 1. */
int calib_json_line_at(const struct json_node *node);

/* Fills the document's fault with the node's line and path and the message; returns `error`. */
int calib_json_fault(const struct json_node *node, int error, const char *message, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills any fault (may be NULL) with one clean line of text; returns `error`. */
int calib_fault_set(struct calib_fault *fault, const char *file, int line, int error,
                    const char *message, ...) __attribute__((format(printf, 5, 6)));

/* Sends a warning about the node to the document's sink. */
void calib_json_warn(const struct json_node *node, const char *message, ...)
    __attribute__((format(printf, 2, 3)));

/* Warns of every key of the object that is neither in `known` (ends with NULL) nor "note",
 * "$schema" or "format". */
void calib_json_known(const struct json_node *object, const char *const *known);

/* A member of an object: false when it is not there. */
bool calib_json_maybe(const struct json_node *object, const char *key, struct json_node *member);

/* A member that must be there and of that kind. */
int calib_json_object(const struct json_node *object, const char *key, struct json_node *member);
/* The array's length, which must lie in least..most. */
int calib_json_array(const struct json_node *object, const char *key, size_t least, size_t most,
                     struct json_node *member);
/* Item of an array whose length is known, and which must be an object. */
int calib_json_item_object(const struct json_node *array, size_t index, struct json_node *item);
struct json_node calib_json_item(const struct json_node *array, size_t index);

/* A number in least..most. */
int calib_json_number(const struct json_node *object, const char *key, double least, double most,
                      double *out);
int calib_json_integer(const struct json_node *object, const char *key, int least, int most,
                       int *out);
/* A size in mm: above 0 and below JSON_SIZE_MAX_MM. */
int calib_json_size_mm(const struct json_node *object, const char *key, double *out);
/* Exactly `count` numbers, each in least..most. */
int calib_json_numbers(const struct json_node *object, const char *key, size_t count, double least,
                       double most, double *out);
int calib_json_numbers_of(const struct json_node *array, size_t count, double least, double most,
                          double *out);
/* A text of 1..size-1 bytes without control characters. */
int calib_json_text(const struct json_node *object, const char *key, size_t size, char *out);
int calib_json_text_of(const struct json_node *node, size_t size, char *out);
/* "#RRGGBB". */
int calib_json_colour(const struct json_node *object, const char *key, struct rgb8 *out);
/* The one character of a symbol or disc colour, which is `key`: 0x21..0x7e, not '.' or '/'. */
int calib_json_label(const struct json_node *node, const char *key, char *out);

#endif
