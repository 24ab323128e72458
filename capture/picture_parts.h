/* capture/picture_parts.h: what the files behind capture/picture.h share.
 *
 * A frame that a decoder keeps owns one block, which only ever grows: from the second picture of a
 * kind on nothing is allocated. The block lies in whole MCUs, so that decoders may write all of the
 * blocks that reach over an edge. */
#ifndef CAPTURE_PICTURE_PARTS_H
#define CAPTURE_PICTURE_PARTS_H

#include "capture/frame.h"
#include "capture/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Frames that are kept (picture.c) --- */

struct kept_frame {
    struct frame frame; /* its planes lie in `block`; never for capture_frame_destroy() */
    uint8_t *block;
    size_t capacity; /* bytes */
};

/* Gives the frame that geometry; what its planes hold is left to chance, what else it says is 0.
 * Rows are whole cache lines, and MCU_ROWS_MAX rows more than the height can be written. */
#define MCU_ROWS_MAX 32
int capture_kept_shape(struct kept_frame *kept, int width, int height, bool has_colour,
                       int cx_shift, int cy_shift);
void capture_kept_free(struct kept_frame *kept);

/* --- Raw pictures (picture_raw.c) --- */

/* Bytes that one row of a raw format takes at least; 0 for other formats. */
size_t capture_raw_row_bytes(enum picture_format format, int width);

/* Not empty and, of a raw format, with every byte there that its size and stride call for. */
bool capture_picture_is_whole(const struct picture *picture);

/* Samples somewhere in memory: sample x, y lies at data + y * stride + x * step. */
struct samples {
    const uint8_t *data;
    size_t step, stride;
};

/* Where a picture's planes lie, at full size, with their chroma's shifts. */
struct planes {
    int width, height; /* px */
    bool has_colour;
    int cx_shift, cy_shift;
    struct samples y, cb, cr;
};

/* From 16..235 and 16..240 to 0..255, by value. */
struct ranges {
    uint8_t luma[256], chroma[256];
};
void capture_ranges_make(struct ranges *ranges);

/* Those of a frame. */
void capture_planes_of(const struct frame *frame, struct planes *planes);

/* Planes to a kept frame at 1/scale, each pixel the mean of those that it covers; through `ranges`
 * where that is not NULL. */
int capture_planes_reduce(const struct planes *from, int scale, bool colour,
                          const struct ranges *ranges, struct kept_frame *out);

/* A whole raw picture likewise. */
int capture_raw_decode(const struct picture *picture, int scale, bool colour,
                       const struct ranges *ranges, struct kept_frame *out,
                       struct capture_fault *fault);

/* --- MJPEG (picture_jpeg.c) --- */

struct mjpeg_decoder;

struct mjpeg_decoder *capture_mjpeg_create(void);
void capture_mjpeg_destroy(struct mjpeg_decoder **decoder);

/* A JPEG of a moving picture to a kept frame. What comes once in a lifetime (RGB, samplings that
 * struct frame cannot say) is decoded by capture_jpeg_decode(), which allocates. */
int capture_mjpeg_decode(struct mjpeg_decoder *decoder, const struct picture *picture, int scale,
                         bool colour, struct kept_frame *out, struct capture_fault *fault);

#endif
