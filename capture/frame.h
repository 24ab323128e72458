/* capture/frame.h: a picture as the rest of the program sees it.
 *
 * Planes of 8-bit luma and chroma (full range BT.601, as in JPEG), chroma at its own
 * resolution, so that nothing is converted before it is needed: JPEG, YUYV and NV12 all give
 * this. Pixel centres are at whole numbers; chroma is sited in the middle of the luma pixels it
 * covers (as in JPEG), so the chroma of luma x lies at (x + 0.5) / 2^cx_shift - 0.5.
 *
 * What always holds: y has height rows of y_stride >= width bytes; if has_colour, cb and cr have
 * ceil(height / 2^cy_shift) rows of c_stride >= ceil(width / 2^cx_shift) bytes; otherwise both
 * are NULL and the picture says nothing about colour. */
#ifndef CAPTURE_FRAME_H
#define CAPTURE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAPTURE_SIDE_MAX_PX 65535 /* what JPEG can say; keeps a stride of a thin picture harmless  \
                                   */
#define CAPTURE_PIXELS_MAX (64L * 1000 * 1000) /* 64 megapixels */

struct frame {
    int width, height; /* px */
    bool has_colour;
    int cx_shift, cy_shift; /* 0..2: log2 of luma pixels to a chroma pixel */
    uint8_t *y, *cb, *cr;
    size_t y_stride, c_stride; /* bytes from row to row */
    uint64_t sequence;         /* of the source; 0 for a still */
    int64_t time_ns;           /* capture time, CLOCK_MONOTONIC; 0 for a still */
    int extraneous_bytes;      /* harmless warnings that the decoder counted */
    int step;                  /* of JPEG's luma: mean of its 64 quantiser steps; 0 when none */
};

/* An all-zero frame with planes of that geometry (chroma 128). NULL when there is no memory or
 * the size is out of bounds. The caller owns it. */
struct frame *capture_frame_create(int width, int height, bool has_colour, int cx_shift,
                                   int cy_shift);
/* The same for those who write every px: what its planes hold is anything. */
struct frame *capture_frame_create_bare(int width, int height, bool has_colour, int cx_shift,
                                        int cy_shift);
/* Frees and sets *frame to NULL; NULL and pointer to NULL are allowed. */
void capture_frame_destroy(struct frame **frame);

/* A new frame turned by an EXIF orientation 1..8, or mirrored left to right (orientation 2);
 * any other number counts as 1. Chroma that does not divide evenly where it is flipped is spread
 * to full resolution first. The caller owns it; NULL for no memory. */
struct frame *capture_frame_orient(const struct frame *frame, int orientation);

/* Writes width x height x 3 bytes of RGB (converted, chroma replicated) to `rgb`, which the
 * caller owns and which holds at least that much. */
void capture_frame_to_rgb(const struct frame *frame, uint8_t *rgb);

/* A frame from interleaved RGB (4:4:4). The caller owns it; NULL for no memory or bad size. */
struct frame *capture_frame_from_rgb(const uint8_t *rgb, int width, int height);

/* One pixel of RGB (0..255 each) in full range BT.601. */
struct capture_ycc {
    uint8_t y, cb, cr;
};
struct capture_ycc capture_rgb_to_ycc(int r, int g, int b);

#endif
