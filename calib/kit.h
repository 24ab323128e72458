/* calib/kit.h: the kit's files, which stand inside the program, and files beside them.
 *
 * A built-in is called by its path under calib/kit: "sets/match-madness.json". The table itself
 * is written by calib/embed.sh when the program is built. */
#ifndef CALIB_KIT_H
#define CALIB_KIT_H

#include "calib/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Larger files are refused unread: a deck of 20000 cards takes under 2 MB. */
#define KIT_FILE_MAX ((size_t)16 << 20)

struct kit_file {
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

extern const struct kit_file calib_kit_files[];
extern const size_t calib_kit_count;

/* The built-in of that path, or NULL. */
const struct kit_file *calib_kit_find(const char *path);

/* True when `name` means a file and no built-in: anything with '/' or ending in ".json". */
bool calib_kit_is_path(const char *name);

/* A built-in of a folder ("sets", "mats", "decks", "ramps") by its plain name ("match-madness"),
 * or a file by its path. Gives the bytes, with a closing 0 that `length` does not count, which
 * the caller frees with free(). Errors: CALIB_E_OPEN, _UNKNOWN (the fault lists the names there
 * are), _SIZE, _MEMORY with `fault` (may be NULL) filled. */
int calib_kit_read(const char *folder, const char *name, char **bytes, size_t *length,
                   struct calib_fault *fault);

#endif
