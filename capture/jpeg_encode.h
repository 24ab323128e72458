/* capture/jpeg_encode.h: frames to JPEG, for cameras that send raw pictures: for the recording, for
 * evidence and for showing. */
#ifndef CAPTURE_JPEG_ENCODE_H
#define CAPTURE_JPEG_ENCODE_H

#include "capture/error.h"
#include "capture/frame.h"

/* What raw pictures are kept with: the quality at which a symbol's edges lose less than the noise of
 * a camera takes from them anyway. */
#define CAPTURE_JPEG_KEPT_QUALITY 92

/* A baseline JPEG of the frame, its chroma at the resolution that the frame has (in one step of two
 * at the most; finer than that it is averaged), without conversion of colours. `quality` is
 * libjpeg's, 1 to 100. The same frame gives the same bytes. The caller frees *out.
 * CAPTURE_E_ARGUMENT, CAPTURE_E_MEMORY, CAPTURE_E_DECODER with `fault` filled. */
int capture_jpeg_encode(const struct frame *frame, int quality, uint8_t **out, size_t *out_length,
                        struct capture_fault *fault);

#endif
