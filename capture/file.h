/* capture/file.h: ordinary files, opened for reading; for the files of this room. */
#ifndef CAPTURE_FILE_H
#define CAPTURE_FILE_H

#include "capture/error.h"
#include "capture/source.h"

#include <stddef.h>
#include <stdint.h>

/* Opens what is an ordinary file: a named pipe would hang, a device is a camera and has its own way
 * in. The caller closes *fd. */
int capture_file_open(const char *path, int *fd, int64_t *size, struct capture_fault *fault);

/* Up to `size` bytes from where the file stands; fewer when it ends before. */
int capture_file_read(int fd, uint8_t *bytes, size_t size, size_t *length,
                      struct capture_fault *fault);

/* A recorded source's name (the path's last part) and place (the path), cut to their room. */
void capture_file_about(const char *path, struct source_about *about);

#endif
