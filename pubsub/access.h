/* pubsub/access.h: the keys of a run: the operator's, and each seat's (see PROTOCOL.md). No I/O.
 *
 * A key is 128 random bits as 32 hexadecimal digits. Comparing takes the same time whatever it
 * finds. */
#ifndef PUBSUB_ACCESS_H
#define PUBSUB_ACCESS_H

#include "pubsub/error.h"

#include <stdbool.h>
#include <stddef.h>

#define ACCESS_KEY_DIGITS 32
#define ACCESS_SEATS_MAX 8
#define ACCESS_TEXT_MAX 1024 /* keys.json is never longer */
#define ACCESS_FILE "keys.json"

struct access_seat {
    int seat;
    char key[ACCESS_KEY_DIGITS + 1];
};

struct access_keys {
    char operator_key[ACCESS_KEY_DIGITS + 1];
    int seats;
    struct access_seat seat[ACCESS_SEATS_MAX];
};

/* What keys.json holds. PUBSUB_E_ARGUMENT with `fault`: it is not of that form. */
int pubsub_access_parse(const char *bytes, size_t length, struct access_keys *out,
                        struct wire_fault *fault);
/* The same as text, closed by a newline. PUBSUB_E_ARGUMENT when it holds no such keys. */
int pubsub_access_print(const struct access_keys *keys, char out[ACCESS_TEXT_MAX]);

/* Whose key is this? ACCESS_NOBODY, ACCESS_OPERATOR, or the number of a seat. */
enum { ACCESS_NOBODY = 0, ACCESS_OPERATOR = -1 };
int pubsub_access_whose(const struct access_keys *keys, const char *key);

/* The key of a seat; NULL when there is none. Lent. */
const char *pubsub_access_seat(const struct access_keys *keys, int seat);

#endif
