/* capture/frame_index.h: frames.idx, the list of what a recording holds.
 *
 * Matroska keeps milliseconds and numbers nothing, so beside a recording lies a text that has a line
 * for each frame: its number, its exact time, where it lies, and its digest. Each line ends in a
 * check over itself and all lines before it, so that a changed byte is noticed wherever it is.
 *
 *   tableref-frames/1 CHECK
 *   start TIME_NS INTERVAL_NS CHECK                   a process began to record (again)
 *   restart CHECK                                     the camera was opened again
 *   frame SEQUENCE TIME_NS SEGMENT PLACE LENGTH DIGEST CHECK
 *   passed SEQUENCE TIME_NS SEGMENT PLACE LENGTH DIGEST CHECK
 *   lost COUNT CHECK                                  so many were not kept since the line before
 *
 * A frame that was passed over is kept like any other, but nobody looked at it: whoever watched was
 * late, and went on to a newer one. SEGMENT is the number of the video file (video-0001.mkv is 1), PLACE the frame's among that file's
 * pictures, from 0; LENGTH in bytes and DIGEST (BLAKE2b, 256 bits) are of the picture as it is
 * stored; CHECK is 16 hexadecimal digits of BLAKE2b over the check before it and the line up to it.
 * BLAKE2b and not SHA-256, because every frame of four cameras passes it. No I/O here. */
#ifndef CAPTURE_FRAME_INDEX_H
#define CAPTURE_FRAME_INDEX_H

#include "capture/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_DIGEST_MAX 65 /* 64 hexadecimal digits and a 0 */
#define FRAME_CHECK_MAX 17
#define FRAME_LINE_MAX 256

enum frame_line_kind {
    FRAME_LINE_HEADER,
    FRAME_LINE_START,
    FRAME_LINE_RESTART,
    FRAME_LINE_FRAME,
    FRAME_LINE_LOST
};

struct frame_line {
    enum frame_line_kind kind;
    int64_t time_ns;     /* start, frame */
    int64_t interval_ns; /* start: between pictures, as the source said; 0: not known */
    uint64_t sequence;   /* frame */
    bool passed;         /* frame: nobody looked at it */
    int segment;       /* frame: from 1 */
    int64_t place;     /* frame: from 0 */
    size_t length;     /* frame: bytes */
    char digest[FRAME_DIGEST_MAX];
    uint64_t lost; /* lost */
};

/* Lets the digest use what this processor has for it: three times as fast. To be called before there are
 * many; without it digests are the same. */
void capture_frame_digest_begin(void);

/* The digest of a stored picture as it stands in a line. */
void capture_frame_digest(const void *bytes, size_t length, char out[FRAME_DIGEST_MAX]);

/* Writes a line with its newline to `out` and moves `check` on, which is "" before the header.
 * Returns its length. */
size_t capture_frame_line_write(const struct frame_line *line, char check[FRAME_CHECK_MAX],
                                char out[FRAME_LINE_MAX]);

/* Reads the line that begins at bytes[0], moves `check` on and says how long it was with its
 * newline. CAPTURE_E_EMPTY: nothing is left. CAPTURE_E_DAMAGED with `fault`: it breaks off (the last
 * line of a recording that was cut), is no such line, or its check is another; then the rest of the
 * index cannot be trusted. */
int capture_frame_line_read(const char *bytes, size_t length, char check[FRAME_CHECK_MAX],
                            struct frame_line *out, size_t *used, struct capture_fault *fault);

#endif
