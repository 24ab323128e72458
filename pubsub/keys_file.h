/* pubsub/keys_file.h: files of keys: read with care, written whole or not at all. For keys*.c. */
#ifndef PUBSUB_KEYS_FILE_H
#define PUBSUB_KEYS_FILE_H

#include "pubsub/keys.h"

#include <limits.h>
#include <sys/types.h>

/* Fills the fault's line and gives back the error. */
int pubsub_keys_fail(struct wire_fault *fault, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "folder/name". PUBSUB_E_ARGUMENT when it is too long. */
int pubsub_keys_join(const char *folder, const char *name, char out[PATH_MAX],
                     struct wire_fault *fault);

/* Reads and parses one. `secret`: it must hold one, and nobody else may read it. */
int pubsub_keys_load(const char *path, bool secret, struct keys_file *out,
                     struct wire_fault *fault);

/* Writes a new file in `folder` and syncs both. PUBSUB_E_IN_USE when there is one of that name. */
int pubsub_keys_write(const char *folder, const char *name, mode_t mode, const char *text,
                      size_t length, struct wire_fault *fault);

/* Is the folder there, and nobody else's to write? */
int pubsub_keys_folder(const char *path, struct wire_fault *fault);

/* Makes a folder of ours alone, if it is not there, and looks at it. */
int pubsub_keys_folder_make(const char *path, struct wire_fault *fault);

/* The display's name when that is the name of a file of its ("NAME.pub"). */
bool pubsub_keys_file_name(const char *file, const char *ending, char name[KEYS_NAME_MAX]);

#endif
