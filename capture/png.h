/* capture/png.h: PNG pictures in, and out for people to look at. */
#ifndef CAPTURE_PNG_H
#define CAPTURE_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "capture/error.h"
#include "capture/frame.h"

/* Bytes to a frame as it is stored; `orientation` (may be NULL) gets 1..8 from its eXIf chunk, 1
 * if there is none. What is transparent lies on white. The caller owns the frame. */
int capture_png_decode(const uint8_t *bytes, size_t length, struct frame **out, int *orientation,
                       struct capture_fault *fault);

/* Writes width x height x 3 bytes of RGB as a PNG, under another name first, so that `path` is
 * either as it was or whole. */
int capture_png_write(const char *path, const uint8_t *rgb, int width, int height,
                      struct capture_fault *fault);

#endif
