/* capture/jpeg_encode.c: frames to JPEG, by libjpeg-turbo. */
#include "capture/jpeg_encode.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "capture/fault.h"

struct encode {
    struct jpeg_compress_struct libjpeg;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    char text[JMSG_LENGTH_MAX];
    uint8_t *row; /* interleaved */
    unsigned char *bytes;
    unsigned long length;
};

/* libjpeg's default would end the process. */
__attribute__((noreturn)) static void on_failure(j_common_ptr libjpeg)
{
    struct encode *encode = libjpeg->client_data;

    libjpeg->err->format_message(libjpeg, encode->text);
    longjmp(encode->escape, 1);
}

static void on_warning(j_common_ptr libjpeg, int level)
{
    (void)libjpeg;
    (void)level;
}

/* Chroma is repeated to full resolution; libjpeg's mean over equal values gives them back. */
static void row_fill(uint8_t *row, const struct frame *frame, int y)
{
    const uint8_t *luma = frame->y + (size_t)y * frame->y_stride;

    if (!frame->has_colour) {
        memcpy(row, luma, (size_t)frame->width);
        return;
    }
    const uint8_t *cb = frame->cb + (size_t)(y >> frame->cy_shift) * frame->c_stride;
    const uint8_t *cr = frame->cr + (size_t)(y >> frame->cy_shift) * frame->c_stride;
    for (int x = 0; x < frame->width; x++) {
        row[3 * x] = luma[x];
        row[3 * x + 1] = cb[x >> frame->cx_shift];
        row[3 * x + 2] = cr[x >> frame->cx_shift];
    }
}

static void set_up(struct encode *encode, const struct frame *frame, int quality)
{
    struct jpeg_compress_struct *libjpeg = &encode->libjpeg;

    libjpeg->image_width = (JDIMENSION)frame->width;
    libjpeg->image_height = (JDIMENSION)frame->height;
    libjpeg->input_components = frame->has_colour ? 3 : 1;
    libjpeg->in_color_space = frame->has_colour ? JCS_YCbCr : JCS_GRAYSCALE;
    jpeg_set_defaults(libjpeg);
    jpeg_set_quality(libjpeg, quality, TRUE);
    libjpeg->dct_method = JDCT_ISLOW; /* the same numbers on every machine */
    if (frame->has_colour) {
        libjpeg->comp_info[0].h_samp_factor = frame->cx_shift > 0 ? 2 : 1;
        libjpeg->comp_info[0].v_samp_factor = frame->cy_shift > 0 ? 2 : 1;
    }
}

/* All that may call on_failure(): it comes back here. */
static int encode_guarded(struct encode *encode, const struct frame *frame, int quality)
{
    if (setjmp(encode->escape) != 0)
        return CAPTURE_E_DECODER;
    jpeg_create_compress(&encode->libjpeg);
    jpeg_mem_dest(&encode->libjpeg, &encode->bytes, &encode->length);
    set_up(encode, frame, quality);
    jpeg_start_compress(&encode->libjpeg, TRUE);
    for (int y = 0; y < frame->height; y++) {
        JSAMPROW row = encode->row;
        row_fill(encode->row, frame, y);
        jpeg_write_scanlines(&encode->libjpeg, &row, 1);
    }
    jpeg_finish_compress(&encode->libjpeg);
    return CAPTURE_OK;
}

int capture_jpeg_encode(const struct frame *frame, int quality, uint8_t **out, size_t *out_length,
                        struct capture_fault *fault)
{
    if (!frame || !out || !out_length || quality < 1 || quality > 100 || frame->width < 1 ||
        frame->height < 1 || frame->width > JPEG_MAX_DIMENSION ||
        frame->height > JPEG_MAX_DIMENSION)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no frame that a JPEG can hold");
    struct encode *encode = calloc(1, sizeof *encode);
    if (encode)
        encode->row = malloc((size_t)frame->width * 3);
    if (!encode || !encode->row) {
        free(encode);
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for a JPEG");
    }
    encode->libjpeg.err = jpeg_std_error(&encode->errors);
    encode->libjpeg.client_data = encode;
    encode->errors.error_exit = on_failure;
    encode->errors.emit_message = on_warning;
    int error = encode_guarded(encode, frame, quality);
    if (error == CAPTURE_OK) {
        *out = encode->bytes;
        *out_length = encode->length;
    } else {
        free(encode->bytes);
        capture_fail(fault, error, "the frame cannot be written as a JPEG: %s", encode->text);
    }
    jpeg_destroy_compress(&encode->libjpeg);
    free(encode->row);
    free(encode);
    return error;
}
