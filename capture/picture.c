/* capture/picture.c: a source's picture to a frame that is kept. */
#include "capture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "capture/fault.h"
#include "capture/picture_parts.h"
#include "capture/still.h"

#define SCALES 4
#define ROW_ALIGN ((size_t)64) /* a cache line, and eight of the largest blocks */
/* As with stills: rounding leaves chroma within 2 of 128, and a date stamped on in colour makes no
 * colour picture, while the smallest layout that can be read has more coloured pixels. */
#define GREY_SLACK 2        /* of 255 */
#define GREY_SHARE_MAX 5000 /* at most one chroma pixel in so many is off grey */

struct decoder {
    struct mjpeg_decoder *mjpeg;
    struct ranges ranges;
    struct kept_frame frames[SCALES]; /* for 1, 2, 4, 8 */
};

static size_t row_bytes(int width)
{
    return ((size_t)width + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
}

static int shifted_up(int size, int shift)
{
    return (size + (1 << shift) - 1) >> shift;
}

static int block_fit(struct kept_frame *kept, size_t bytes)
{
    if (bytes <= kept->capacity)
        return CAPTURE_OK;
    free(kept->block);
    kept->block = aligned_alloc(ROW_ALIGN, bytes);
    kept->capacity = kept->block ? bytes : 0;
    return kept->block ? CAPTURE_OK : CAPTURE_E_MEMORY;
}

int capture_kept_shape(struct kept_frame *kept, int width, int height, bool has_colour,
                       int cx_shift, int cy_shift)
{
    struct frame frame = {.width = width, .height = height, .has_colour = has_colour};
    size_t y_size, c_size = 0;

    kept->frame = (struct frame){.width = 0};
    if (width <= 0 || height <= 0 || width > CAPTURE_SIDE_MAX_PX || height > CAPTURE_SIDE_MAX_PX ||
        (int64_t)width * height > CAPTURE_PIXELS_MAX)
        return CAPTURE_E_SIZE;
    frame.y_stride = row_bytes(width);
    y_size = frame.y_stride * ((size_t)height + MCU_ROWS_MAX);
    if (has_colour) {
        frame.cx_shift = cx_shift;
        frame.cy_shift = cy_shift;
        frame.c_stride = row_bytes(shifted_up(width, cx_shift));
        c_size = frame.c_stride * ((size_t)shifted_up(height, cy_shift) + MCU_ROWS_MAX);
    }
    if (block_fit(kept, y_size + 2 * c_size) != CAPTURE_OK)
        return CAPTURE_E_MEMORY;
    frame.y = kept->block;
    if (has_colour) {
        frame.cb = frame.y + y_size;
        frame.cr = frame.cb + c_size;
    }
    kept->frame = frame;
    return CAPTURE_OK;
}

void capture_kept_free(struct kept_frame *kept)
{
    free(kept->block);
    *kept = (struct kept_frame){.block = NULL};
}

struct decoder *capture_decoder_create(void)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);

    if (!decoder)
        return NULL;
    capture_ranges_make(&decoder->ranges);
    decoder->mjpeg = capture_mjpeg_create();
    if (!decoder->mjpeg)
        capture_decoder_destroy(&decoder);
    return decoder;
}

void capture_decoder_destroy(struct decoder **decoder)
{
    if (!decoder || !*decoder)
        return;
    capture_mjpeg_destroy(&(*decoder)->mjpeg);
    for (int i = 0; i < SCALES; i++)
        capture_kept_free(&(*decoder)->frames[i]);
    free(*decoder);
    *decoder = NULL;
}

/* Exactly what `read` makes of the file, then smaller: where it is turned by EXIF, a smaller
 * picture's odd edge would else come to lie on the wrong side. Recordings of stills are no place
 * where time matters. */
static int decode_still(const struct picture *picture, int scale, bool colour,
                        struct kept_frame *out, struct capture_fault *fault)
{
    struct frame *frame = NULL;
    struct planes planes;
    int error = capture_still_decode(picture->bytes, picture->length, &frame, fault);

    if (error)
        return error;
    capture_planes_of(frame, &planes);
    error = capture_planes_reduce(&planes, scale, colour, NULL, out);
    out->frame.step = frame->step;
    out->frame.extraneous_bytes = frame->extraneous_bytes;
    capture_frame_destroy(&frame);
    if (error)
        return capture_fail(fault, error, "not enough memory for the picture");
    return CAPTURE_OK;
}

static int decode_kind(struct decoder *decoder, const struct picture *picture, int scale,
                       bool colour, struct kept_frame *out, struct capture_fault *fault)
{
    switch (picture->format) {
    case PICTURE_MJPEG:
        return capture_mjpeg_decode(decoder->mjpeg, picture, scale, colour, out, fault);
    case PICTURE_STILL:
        return decode_still(picture, scale, colour, out, fault);
    case PICTURE_YUYV:
    case PICTURE_UYVY:
    case PICTURE_NV12:
    case PICTURE_GREY:
        return capture_raw_decode(picture, scale, colour, &decoder->ranges, out, fault);
    default:
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "a picture of an unknown format");
    }
}

static int count_coloured(const uint8_t *row, int width)
{
    int coloured = 0;

    for (int x = 0; x < width; x++)
        coloured += row[x] < 128 - GREY_SLACK || row[x] > 128 + GREY_SLACK;
    return coloured;
}

/* Cameras for the dark send grey in a colour format: told so, as what reads colours would find the
 * same one in every symbol. In a colour picture the first rows settle it. */
static void drop_grey_chroma(struct frame *frame)
{
    int width = shifted_up(frame->width, frame->cx_shift);
    int height = shifted_up(frame->height, frame->cy_shift);
    int64_t coloured = 0, most = (int64_t)width * height / GREY_SHARE_MAX;

    for (int y = 0; frame->has_colour && y < height; y++) {
        coloured += count_coloured(frame->cb + (size_t)y * frame->c_stride, width) +
                    count_coloured(frame->cr + (size_t)y * frame->c_stride, width);
        if (coloured > most)
            return;
    }
    frame->has_colour = false;
    frame->cb = frame->cr = NULL;
    frame->c_stride = 0;
    frame->cx_shift = frame->cy_shift = 0;
}

static int scale_index(int scale)
{
    for (int i = 0; i < SCALES; i++)
        if (scale == 1 << i)
            return i;
    return -1;
}

int capture_decoder_decode(struct decoder *decoder, const struct picture *picture, int scale,
                           bool colour, const struct frame **out, struct capture_fault *fault)
{
    int index = scale_index(scale), error;
    struct kept_frame *kept;

    if (out)
        *out = NULL;
    if (!decoder || !picture || !out || index < 0)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no picture, or no place or scale for it");
    if (!picture->bytes || picture->length == 0)
        return capture_fail(fault, CAPTURE_E_DAMAGED, "the picture is empty");
    if (picture->damaged)
        return capture_fail(fault, CAPTURE_E_DAMAGED, "the picture came damaged from its source");
    kept = &decoder->frames[index];
    error = decode_kind(decoder, picture, scale, colour, kept, fault);
    if (error)
        return error;
    drop_grey_chroma(&kept->frame);
    kept->frame.sequence = picture->sequence;
    kept->frame.time_ns = picture->time_ns;
    *out = &kept->frame;
    return CAPTURE_OK;
}
