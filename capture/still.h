/* capture/still.h: the one way in for still pictures: JPEG and PNG, turned upright by EXIF. */
#ifndef CAPTURE_STILL_H
#define CAPTURE_STILL_H

#include "capture/error.h"
#include "capture/frame.h"

/* Bytes to an upright frame that the caller owns; it has no colour where the picture is grey,
 * however that was saved. `fault` is filled on every error. */
int capture_still_decode(const uint8_t *bytes, size_t length, struct frame **out,
                         struct capture_fault *fault);

/* The same from a file, which must be an ordinary one: pipes and devices are refused. */
int capture_still_read(const char *path, struct frame **out, struct capture_fault *fault);

#endif
