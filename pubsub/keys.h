/* pubsub/keys.h: the CURVE keys of a table and of its displays, as files.
 *
 * A table's folder: server.key (secret, its owner's alone), server.pub, and in allowed/ a file
 * NAME.pub for each display that may come. What a display gets is one file, NAME.key: its own pair
 * and the table's public key. The files have the form of CZMQ's and pyzmq's certificates.
 *
 * Files are written whole or not at all, and never over others. A secret that others could read is
 * not used. */
#ifndef PUBSUB_KEYS_H
#define PUBSUB_KEYS_H

#include "pubsub/error.h"
#include "pubsub/z85.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEYS_NAME_MAX 33 /* of a display, with its 0: letters, digits, '-' and '_' */
#define KEYS_FILE_MAX 4096

struct wire_keys;

/* A table's, from its folder. PUBSUB_E_SYSTEM: something cannot be read; PUBSUB_E_ARGUMENT: a file
 * is not of that form, its halves do not belong together, or others may read the secret or write
 * the folder; PUBSUB_E_MEMORY. The fault names the file and what to do. The caller gives *out to
 * pubsub_keys_destroy, which wipes it. */
int pubsub_keys_table(const char *folder, struct wire_keys **out, struct wire_fault *fault);

/* A display's: its NAME.key, or a folder in which just one such file lies. Errors as above. */
int pubsub_keys_display(const char *path, struct wire_keys **out, struct wire_fault *fault);

void pubsub_keys_destroy(struct wire_keys **keys);

/* ---- what wire.c needs of them ---- */

bool pubsub_keys_of_table(const struct wire_keys *keys);
/* The folder or file they came from. Lent. */
const char *pubsub_keys_path(const struct wire_keys *keys);
/* 32 bytes each, lent. `server`: of the other end, a display's alone. */
const uint8_t *pubsub_keys_public(const struct wire_keys *keys);
const uint8_t *pubsub_keys_secret(const struct wire_keys *keys);
const uint8_t *pubsub_keys_server(const struct wire_keys *keys);

/* Who may come, as the folder allowed/ says now. It is read again when it has changed, and at least
 * every two seconds, so a key can be added or taken away while a table runs. */
struct keys_allowed;

/* NULL without memory. */
struct keys_allowed *pubsub_keys_allowed_create(const struct wire_keys *table);
void pubsub_keys_allowed_destroy(struct keys_allowed **allowed);
/* Is that display allowed? Its name. One thread at a time. */
bool pubsub_keys_allowed_find(struct keys_allowed *allowed, const uint8_t key[Z85_KEY_BYTES],
                              char name[KEYS_NAME_MAX]);

/* ---- files ---- */

/* What one file holds; a key that is not there is all zero and its bool false. */
struct keys_file {
    uint8_t public_key[Z85_KEY_BYTES], secret_key[Z85_KEY_BYTES], server_key[Z85_KEY_BYTES];
    bool has_public, has_secret, has_server;
};

/* Reads a file's text. PUBSUB_E_ARGUMENT with `fault`, which begins with `name`. */
int pubsub_keys_parse(const char *bytes, size_t length, const char *name, struct keys_file *out,
                      struct wire_fault *fault);

/* Makes a table's keys in that folder, which is made if it is not there. PUBSUB_E_IN_USE: it has
 * keys; _SYSTEM, _ARGUMENT. */
int pubsub_keys_make(const char *folder, struct wire_fault *fault);

/* A display's: allowed/NAME.pub, and NAME.key to be handed over; its path. PUBSUB_E_IN_USE: there
 * is one of that name; PUBSUB_E_ARGUMENT: the name does not fit; otherwise as pubsub_keys_table. */
int pubsub_keys_add(const char *folder, const char *name, char *path, size_t size,
                    struct wire_fault *fault);

/* Takes it away: it is not let in any more when it comes next. Who is in stays until the table ends
 * or the connection breaks. PUBSUB_E_ARGUMENT: there is none of that name; PUBSUB_E_SYSTEM. */
int pubsub_keys_remove(const char *folder, const char *name, struct wire_fault *fault);

/* One of those allowed, or the table's own (name "server"). */
struct keys_entry {
    char name[KEYS_NAME_MAX];
    char text[Z85_KEY_TEXT];
};

/* All of them by name, the table's own first; the caller frees *out. Errors as pubsub_keys_table,
 * and of a file in allowed/ that is not of that form. */
int pubsub_keys_list(const char *folder, struct keys_entry **out, size_t *count,
                     struct wire_fault *fault);

/* ---- TLS ---- */

#define KEYS_TLS_DAYS 730      /* two years */
#define KEYS_TLS_DAYS_MOST 825 /* browsers take none that holds longer */

struct keys_tls {
    char certificate[256], key[256]; /* paths */
    char names[1024];                /* those it stands for, with spaces between */
    char digest[96];                 /* SHA-256, as browsers show it */
    int64_t until_s;                 /* Unix time */
};

/* Makes tls.crt and tls.key in that folder: signed by itself, EC P-256, for so many days, for this
 * host's names and addresses and those of `more` (count of them). PUBSUB_E_IN_USE: there are some;
 * _SYSTEM, _ARGUMENT (a name that does not fit). */
int pubsub_keys_tls(const char *folder, char *const *more, int count, int days,
                    struct keys_tls *out, struct wire_fault *fault);

#endif
