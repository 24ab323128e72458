/* Real compression, so that its artefacts are true. */
#include "tests/draw/sensor.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct jpeg_trap {
    struct jpeg_error_mgr manager;
    jmp_buf jump;
};

static void trap_exit(j_common_ptr info)
{
    struct jpeg_trap *trap = (struct jpeg_trap *)(void *)info->err;
    longjmp(trap->jump, 1);
}

static void trap_quiet(j_common_ptr info)
{
    (void)info;
}

static struct jpeg_error_mgr *trap_set(struct jpeg_trap *trap)
{
    struct jpeg_error_mgr *manager = jpeg_std_error(&trap->manager);
    manager->error_exit = trap_exit;
    manager->output_message = trap_quiet;
    return manager;
}

/* Writes what is ready to be compressed; the buffer is the caller's even after a failure. */
static int encode_rows(struct jpeg_compress_struct *info, struct jpeg_trap *trap,
                       const struct draw_optics *optics, const uint8_t *rgb, uint8_t *row)
{
    if (setjmp(trap->jump)) {
        return -1;
    }
    info->input_components = 3;
    info->in_color_space = JCS_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, optics->quality, TRUE);
    info->comp_info[0].h_samp_factor = 1 << optics->cx_shift;
    info->comp_info[0].v_samp_factor = 1 << optics->cy_shift;
    jpeg_start_compress(info, TRUE);
    size_t bytes = 3 * (size_t)info->image_width;
    while (info->next_scanline < info->image_height) {
        JSAMPROW rows[1] = {row};
        memcpy(row, rgb + bytes * info->next_scanline, bytes);
        jpeg_write_scanlines(info, rows, 1);
    }
    jpeg_finish_compress(info);
    return 0;
}

int draw_jpeg_encode(const struct draw_optics *optics, const uint8_t *rgb, int width, int height,
                     uint8_t **jpeg, size_t *length)
{
    struct jpeg_compress_struct info;
    struct jpeg_trap trap;
    unsigned char *buffer = NULL;
    unsigned long size = 0;
    volatile int result = -1; /* outlives a longjmp */
    uint8_t *row = malloc(3 * (size_t)width);
    *jpeg = NULL;
    *length = 0;
    if (row == NULL) {
        return -1;
    }
    memset(&info, 0, sizeof info);
    info.err = trap_set(&trap);
    if (setjmp(trap.jump) == 0) {
        jpeg_create_compress(&info);
        jpeg_mem_dest(&info, &buffer, &size);
        info.image_width = (JDIMENSION)width;
        info.image_height = (JDIMENSION)height;
        result = encode_rows(&info, &trap, optics, rgb, row);
    }
    jpeg_destroy_compress(&info);
    free(row);
    if (result != 0) {
        free(buffer);
        return -1;
    }
    *jpeg = buffer;
    *length = size;
    return 0;
}

static void plane_copy(uint8_t *to, size_t stride, size_t width, const uint8_t *from)
{
    memcpy(to, from, width < stride ? width : stride);
}

/* Reads the planes block row by block row; libjpeg pads them to whole blocks. */
static void planes_read(struct jpeg_decompress_struct *info, struct frame *frame, uint8_t *padded,
                        size_t wide)
{
    int lines = info->max_v_samp_factor * DCTSIZE;
    JSAMPROW row[3][2 * DCTSIZE];
    JSAMPARRAY plane[3] = {row[0], row[1], row[2]};
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < lines; i++) {
            row[c][i] = padded + ((size_t)(c * lines + i)) * wide;
        }
    }
    int chroma_rows = (frame->height + (1 << frame->cy_shift) - 1) >> frame->cy_shift;
    int chroma_width = (frame->width + (1 << frame->cx_shift) - 1) >> frame->cx_shift;
    while (info->output_scanline < info->output_height) {
        int top = (int)info->output_scanline;
        jpeg_read_raw_data(info, plane, (JDIMENSION)lines);
        for (int i = 0; i < lines && top + i < frame->height; i++) {
            plane_copy(frame->y + (size_t)(top + i) * frame->y_stride, frame->y_stride,
                       (size_t)frame->width, row[0][i]);
        }
        for (int i = 0; i < DCTSIZE; i++) {
            int at = (top >> frame->cy_shift) + i;
            if (at < chroma_rows) {
                plane_copy(frame->cb + (size_t)at * frame->c_stride, frame->c_stride,
                           (size_t)chroma_width, row[1][i]);
                plane_copy(frame->cr + (size_t)at * frame->c_stride, frame->c_stride,
                           (size_t)chroma_width, row[2][i]);
            }
        }
    }
}

/* Header first, then planes: *frame and *padded belong to the caller. */
static int decode_planes(struct jpeg_decompress_struct *info, struct jpeg_trap *trap,
                         struct frame **frame, uint8_t **padded)
{
    if (setjmp(trap->jump)) {
        return -1;
    }
    jpeg_read_header(info, TRUE);
    info->raw_data_out = TRUE;
    info->do_fancy_upsampling = FALSE;
    info->out_color_space = JCS_YCbCr;
    jpeg_start_decompress(info);
    int h = info->max_h_samp_factor, v = info->max_v_samp_factor;
    if (info->num_components != 3 || h > 2 || v > 2) {
        return -1;
    }
    *frame =
        capture_frame_create((int)info->output_width, (int)info->output_height, true, h - 1, v - 1);
    size_t wide = ((size_t)info->output_width / 16 + 2) * 16;
    *padded = malloc(3 * 2 * DCTSIZE * wide);
    if (*frame == NULL || *padded == NULL) {
        return -1;
    }
    planes_read(info, *frame, *padded, wide);
    jpeg_finish_decompress(info);
    return 0;
}

struct frame *draw_jpeg_frame(const uint8_t *jpeg, size_t length)
{
    struct jpeg_decompress_struct info;
    struct jpeg_trap trap;
    struct frame *frame = NULL;
    uint8_t *padded = NULL;
    volatile int result = -1; /* outlives a longjmp */
    memset(&info, 0, sizeof info);
    info.err = trap_set(&trap);
    if (setjmp(trap.jump) == 0) {
        jpeg_create_decompress(&info);
        jpeg_mem_src(&info, jpeg, (unsigned long)length);
        result = decode_planes(&info, &trap, &frame, &padded);
    }
    jpeg_destroy_decompress(&info);
    free(padded);
    if (result != 0) {
        capture_frame_destroy(&frame);
    }
    return frame;
}
