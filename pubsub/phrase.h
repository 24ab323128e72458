/* pubsub/phrase.h: says a finished English text in another language, by finding which message it
 * was made from.
 *
 * Libraries say what is wrong as a line of English, values filled in (struct calib_fault and its
 * like), and know of no language. Here such a line is held against the catalogue's messages: it was
 * made from the one that has most of its letters, and the values are what stands between. Values
 * may be made from messages themselves ("%s: %s; it was left out"). What fits no message stays as
 * it is. Pure: no I/O, no memory from the heap. */
#ifndef PUBSUB_PHRASE_H
#define PUBSUB_PHRASE_H

#include "pubsub/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

#define PHRASE_VALUES_MAX 12

/* The values in a text that printf made from a format. */
struct phrase_values {
    int count;
    struct {
        const char *at; /* in the text */
        size_t length;
        bool text; /* of a %s */
    } value[PHRASE_VALUES_MAX];
};

/* Whether printf could have made `text` from `format`; then *out has the values, the shortest that
 * fit. False for formats with "%2$s" or more values than fit. */
bool pubsub_phrase_match(const char *format, const char *text, struct phrase_values *out);

/* Fills a translated format with values; "%2$s" takes the second. Cut to `size` (1 at least), at a
 * character's end. */
void pubsub_phrase_fill(const char *format, const struct phrase_values *values, char *out,
                        size_t size);

/* `text`, made from `format` (NULL: from whichever message it is), in the catalogue's language; as
 * it is where that has no words for it. Cut to `size` (1 at least). */
void pubsub_phrase_translate(const struct catalogue *catalogue, const char *format,
                             const char *text, char *out, size_t size);

#endif
