/* capture/picture.h: from an undecoded picture of a source to a frame.
 *
 * A decoder keeps its handles and buffers from picture to picture; one for each thread. Nothing is
 * converted: raw formats become planes, MJPEG is decoded to its own planes, at a smaller scale
 * where that is asked for. */
#ifndef CAPTURE_PICTURE_H
#define CAPTURE_PICTURE_H

#include "capture/frame.h"
#include "capture/source.h"

struct decoder;

/* NULL when there is no memory. */
struct decoder *capture_decoder_create(void);
void capture_decoder_destroy(struct decoder **decoder);

/* Decodes at 1/scale (1, 2, 4 or 8) of the picture's size, rounded up; with `colour` false only
 * luma. *out is the decoder's own frame of that scale and is lent until the next call with the same
 * scale; its sequence and time are the picture's. JPEG passes the gate: a picture with any warning
 * but extraneous bytes is CAPTURE_E_DAMAGED, as is one that the source calls damaged, that is empty
 * or that is raw and too short for its size. A progressive JPEG is for stills alone.
 *
 * From the second picture of a kind on, MJPEG and raw formats allocate nothing. Raw formats come
 * out in full range like everything else; at a smaller scale a pixel is the mean of those that it
 * covers. A picture without any colour has none in the frame either, however it was sent. Stills
 * are decoded as capture_still_decode() does it, anew for each call. */
int capture_decoder_decode(struct decoder *decoder, const struct picture *picture, int scale,
                           bool colour, const struct frame **out, struct capture_fault *fault);

#endif
