/* pubsub/catalogue.h: a catalogue of translations: the bytes of a gettext .mo file.
 *
 * Why not libintl: glibc reads catalogues only from files below a folder of locales, and only in a
 * locale that the machine has. The program is to speak eight languages uninstalled, as one file, on
 * a machine with no locale but C. So catalogues are written and compiled by gettext's tools, stand
 * inside the program, and are read here. Nothing in the bytes is trusted. No I/O. */
#ifndef PUBSUB_CATALOGUE_H
#define PUBSUB_CATALOGUE_H

#include "pubsub/error.h"

#include <stddef.h>

#define CATALOGUE_MESSAGES_MAX 65536

struct catalogue;

/* Reads it; the bytes are lent for the catalogue's life, and the caller destroys *out.
 * PUBSUB_E_ARGUMENT: no .mo file, one that is damaged, one that is not in UTF-8, or without a rule
 * for plurals; PUBSUB_E_MEMORY. */
int pubsub_catalogue_create(const void *bytes, size_t length, struct catalogue **out);
void pubsub_catalogue_destroy(struct catalogue **catalogue);

/* The translation of a message, lent; NULL when there is none. The header is no message. */
const char *pubsub_catalogue_text(const struct catalogue *catalogue, const char *message);
/* The same of a message in the singular that has a plural, for a number. */
const char *pubsub_catalogue_text_n(const struct catalogue *catalogue, const char *one,
                                    unsigned long n);

/* Going over all messages, in the order of their bytes; the first, of an empty text, is the header.
 */
size_t pubsub_catalogue_count(const struct catalogue *catalogue);
struct catalogue_entry {
    const char *message, *plural; /* plural: NULL for a message without */
    const char *text;             /* the first form; the others stand behind it, each with its 0 */
    int forms;
};
/* `index` is below the count. */
void pubsub_catalogue_entry(const struct catalogue *catalogue, size_t index,
                            struct catalogue_entry *out);

#endif
