/* calib/file.h: writing files whole or not at all, for every room: keys, evidence, what lies beside
 * a match. Nothing here knows what they hold. */
#ifndef CALIB_FILE_H
#define CALIB_FILE_H

#include <limits.h>
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

/* The same for what is too large to be in memory. Begin gives an open file to write to, end syncs
 * it, closes it and gives it its name; when end fails nothing of it is left. Drop takes it back.
 * 0, or -1 with errno. */
struct file_part {
    int file;
    char path[PATH_MAX], made[PATH_MAX];
};
int calib_file_begin(const char *path, mode_t mode, struct file_part *out);
int calib_file_end(struct file_part *part, bool replace);
void calib_file_drop(struct file_part *part);

#endif
