/* calib/file.h: writing small files whole or not at all, for every room: keys, evidence, what lies
 * beside a match. Nothing here knows what they hold. */
#ifndef CALIB_FILE_H
#define CALIB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* All of the bytes to an open file, however the system cuts them. 0, or -1 with errno. */
int calib_bytes_write(int file, const void *bytes, size_t length);

/* A file of that mode: under another name in the same folder first, synced, then under its own, and
 * the folder synced. With `replace` it takes an older one's place; without, what is there stays,
 * and errno is EEXIST (file systems that know no links cannot tell two that write at once apart).
 * 0, or -1 with errno; then nothing of it is left. */
int calib_file_put(const char *path, const void *bytes, size_t length, mode_t mode, bool replace);

#endif
