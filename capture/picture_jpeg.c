/* capture/picture_jpeg.c: MJPEG, by one libjpeg handle that is kept. */
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "capture/fault.h"
#include "capture/jpeg.h"
#include "capture/picture_arena.h"
#include "capture/picture_parts.h"

/* Only a picture in several scans takes whole planes of coefficients: the largest that passes the
 * gate needs 64 megapixels x 3 components x 2 bytes. */
#define DECODER_MEMORY_MAX_BYTES (512L * 1024 * 1024)
#define PLANES 3

struct mjpeg_decoder {
    struct arena arena; /* first: the handle's client_data is read as either */
    struct jpeg_decompress_struct libjpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr bytes;
    jmp_buf escape;
    char text[JMSG_LENGTH_MAX];
    int fatal_code;  /* libjpeg's number of what ended the decoding; 0: nothing did */
    long extraneous; /* warnings that do no harm */
    bool header_read;
    bool unusual;               /* the picture is for capture_jpeg_decode() */
    struct jpeg_reader *reader; /* for the eighth */
    struct capture_fault doubt; /* what the reader had against the picture; "": nothing */
};

/* libjpeg's default would end the process. */
__attribute__((noreturn)) static void on_error(j_common_ptr libjpeg)
{
    struct mjpeg_decoder *decoder = libjpeg->client_data;

    decoder->fatal_code = libjpeg->err->msg_code;
    libjpeg->err->format_message(libjpeg, decoder->text);
    longjmp(decoder->escape, 1);
}

/* Sorts by kind and never prints: a camera with stray bytes warns in every frame. The first
 * warning of damage ends the decoding, as the picture will not be used. */
static void on_message(j_common_ptr libjpeg, int level)
{
    struct mjpeg_decoder *decoder = libjpeg->client_data;

    if (level >= 0)
        return;
    if (libjpeg->err->msg_code != JWRN_EXTRANEOUS_DATA)
        on_error(libjpeg);
    decoder->extraneous++;
}

/* All bytes are there from the start. */
static void source_start(j_decompress_ptr libjpeg)
{
    (void)libjpeg;
}

static void source_end(j_decompress_ptr libjpeg)
{
    (void)libjpeg;
}

/* A picture that asks for more than it has is cut off. */
static boolean source_more(j_decompress_ptr libjpeg)
{
    ERREXIT(libjpeg, JERR_INPUT_EOF);
    return FALSE;
}

static void source_skip(j_decompress_ptr libjpeg, long count)
{
    struct jpeg_source_mgr *source = libjpeg->src;

    if (count <= 0)
        return;
    if ((size_t)count > source->bytes_in_buffer)
        ERREXIT(libjpeg, JERR_INPUT_EOF);
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

static const struct jpeg_source_mgr memory_source = {
    .init_source = source_start,
    .fill_input_buffer = source_more,
    .skip_input_data = source_skip,
    .resync_to_restart = jpeg_resync_to_restart,
    .term_source = source_end,
};

static int create_guarded(struct mjpeg_decoder *decoder)
{
    if (setjmp(decoder->escape) != 0)
        return CAPTURE_E_MEMORY;
    jpeg_create_decompress(&decoder->libjpeg);
    decoder->libjpeg.mem->max_memory_to_use = DECODER_MEMORY_MAX_BYTES;
    capture_arena_attach(&decoder->arena, &decoder->libjpeg);
    return CAPTURE_OK;
}

struct mjpeg_decoder *capture_mjpeg_create(void)
{
    struct mjpeg_decoder *decoder = calloc(1, sizeof *decoder);

    if (!decoder)
        return NULL;
    decoder->libjpeg.err = jpeg_std_error(&decoder->errors);
    decoder->libjpeg.client_data = decoder;
    decoder->errors.error_exit = on_error;
    decoder->errors.emit_message = on_message;
    decoder->reader = capture_jpeg_reader_create();
    if (create_guarded(decoder) != CAPTURE_OK || !decoder->reader)
        capture_mjpeg_destroy(&decoder);
    return decoder;
}

void capture_mjpeg_destroy(struct mjpeg_decoder **decoder)
{
    if (!decoder || !*decoder)
        return;
    jpeg_destroy_decompress(&(*decoder)->libjpeg);
    capture_arena_free(&(*decoder)->arena);
    capture_jpeg_reader_destroy(&(*decoder)->reader);
    free(*decoder);
    *decoder = NULL;
}

static int samples_across(const struct jpeg_decompress_struct *libjpeg, int i)
{
    return libjpeg->comp_info[i].h_samp_factor * libjpeg->comp_info[i].DCT_scaled_size;
}

static int samples_down(const struct jpeg_decompress_struct *libjpeg, int i)
{
    return libjpeg->comp_info[i].v_samp_factor * libjpeg->comp_info[i].DCT_scaled_size;
}

/* `most` samples to `own` as a power of two, -1 when struct frame cannot say it. */
static int shift_of(int most, int own)
{
    for (int shift = 0; shift <= 2; shift++)
        if (own << shift == most)
            return shift;
    return -1;
}

struct shifts {
    int x, y; /* negative: there are none */
};

static struct shifts find_shifts(const struct jpeg_decompress_struct *libjpeg)
{
    const jpeg_component_info *parts = libjpeg->comp_info;
    const struct shifts none = {-1, -1};

    if (parts[0].downsampled_width != libjpeg->output_width ||
        parts[0].downsampled_height != libjpeg->output_height)
        return none;
    if (libjpeg->num_components == 1)
        return (struct shifts){0, 0};
    if (samples_across(libjpeg, 1) != samples_across(libjpeg, 2) ||
        samples_down(libjpeg, 1) != samples_down(libjpeg, 2))
        return none;
    return (struct shifts){shift_of(samples_across(libjpeg, 0), samples_across(libjpeg, 1)),
                           shift_of(samples_down(libjpeg, 0), samples_down(libjpeg, 1))};
}

/* Mean of the 64 steps that luma was quantised by. The tables go when the picture is finished. */
static int step_of(const JQUANT_TBL *table)
{
    int sum = 0;

    for (int i = 0; table && i < DCTSIZE2; i++)
        sum += table->quantval[i];
    return sum / DCTSIZE2;
}

/* A component that is not needed is read over: its codes are walked, nothing is stored of it and
 * nothing transformed. */
static void skip_chroma(struct jpeg_decompress_struct *libjpeg)
{
    for (int i = 1; i < libjpeg->num_components; i++)
        libjpeg->comp_info[i].component_needed = FALSE;
}

static void read_rows(struct mjpeg_decoder *decoder, const struct frame *frame)
{
    struct jpeg_decompress_struct *libjpeg = &decoder->libjpeg;
    uint8_t *const data[PLANES] = {frame->y, frame->cb, frame->cr};
    const size_t stride[PLANES] = {frame->y_stride, frame->c_stride, frame->c_stride};
    JSAMPROW rows[PLANES][MCU_ROWS_MAX];
    JSAMPARRAY planes[PLANES] = {rows[0], rows[1], rows[2]};
    JDIMENSION lines = (JDIMENSION)(libjpeg->max_v_samp_factor * libjpeg->min_DCT_scaled_size);
    int wanted = frame->has_colour ? PLANES : 1;

    for (size_t mcu_row = 0; libjpeg->output_scanline < libjpeg->output_height; mcu_row++) {
        for (int i = 0; i < wanted; i++) {
            size_t count = (size_t)samples_down(libjpeg, i);

            for (size_t k = 0; k < count; k++)
                rows[i][k] = data[i] + (mcu_row * count + k) * stride[i];
        }
        jpeg_read_raw_data(libjpeg, planes, lines);
    }
}

static int read_header(struct mjpeg_decoder *decoder, int scale)
{
    struct jpeg_decompress_struct *libjpeg = &decoder->libjpeg;

    jpeg_read_header(libjpeg, TRUE);
    decoder->header_read = true;
    if (libjpeg->jpeg_color_space != JCS_YCbCr && libjpeg->jpeg_color_space != JCS_GRAYSCALE)
        return 1;
    libjpeg->out_color_space = libjpeg->jpeg_color_space;
    libjpeg->raw_data_out = TRUE;
    libjpeg->scale_num = 1;
    libjpeg->scale_denom = (unsigned)scale;
    libjpeg->do_block_smoothing = FALSE; /* only ever hides missing scans */
    jpeg_calc_output_dimensions(libjpeg);
    return 0;
}

/* The chroma's shifts against luma as the file has them; at an eighth a sample is a block. */
static struct shifts find_block_shifts(const struct jpeg_decompress_struct *libjpeg)
{
    const jpeg_component_info *parts = libjpeg->comp_info;
    const struct shifts none = {-1, -1};

    if (parts[0].h_samp_factor != libjpeg->max_h_samp_factor ||
        parts[0].v_samp_factor != libjpeg->max_v_samp_factor)
        return none;
    if (libjpeg->num_components == 1)
        return (struct shifts){0, 0};
    if (parts[1].h_samp_factor != parts[2].h_samp_factor ||
        parts[1].v_samp_factor != parts[2].v_samp_factor)
        return none;
    return (struct shifts){shift_of(parts[0].h_samp_factor, parts[1].h_samp_factor),
                           shift_of(parts[0].v_samp_factor, parts[1].v_samp_factor)};
}

/* Without its quantisers a picture is for libjpeg to refuse. */
static bool has_quantisers(const struct jpeg_decompress_struct *libjpeg)
{
    for (int i = 0; i < libjpeg->num_components; i++) {
        int slot = libjpeg->comp_info[i].quant_tbl_no;

        if (slot < 0 || slot >= NUM_QUANT_TBLS || !libjpeg->quant_tbl_ptrs[slot])
            return false;
    }
    return true;
}

/* An eighth of the size is each block's mean, for which nothing has to be transformed: reading the
 * codes is enough, and our reader takes four fifths of what libjpeg takes for that. It also sees
 * more damage. True: the picture is in `out`. What it objects to, libjpeg decides: stray bytes are
 * harmless. The header has been read. */
static bool read_eighth(struct mjpeg_decoder *decoder, const uint8_t *bytes,
                        const struct jpeg_info *info, bool colour, struct kept_frame *out)
{
    const struct jpeg_decompress_struct *libjpeg = &decoder->libjpeg;
    struct shifts shifts = find_block_shifts(libjpeg);
    struct frame *frame = &out->frame;
    bool has_colour = colour && libjpeg->num_components == PLANES;
    struct jpeg_eighth planes[PLANES];

    if (info->scan_count != 1 || shifts.x < 0 || shifts.y < 0 || !has_quantisers(libjpeg) ||
        capture_kept_shape(out, (int)libjpeg->output_width, (int)libjpeg->output_height, has_colour,
                           shifts.x, shifts.y) != CAPTURE_OK)
        return false;
    memset(planes, 0, sizeof planes); /* of no size: nothing is kept */
    planes[0] = (struct jpeg_eighth){frame->y, frame->y_stride, frame->width, frame->height};
    if (has_colour) {
        int width = (frame->width + (1 << shifts.x) - 1) >> shifts.x;
        int height = (frame->height + (1 << shifts.y) - 1) >> shifts.y;

        planes[1] = (struct jpeg_eighth){frame->cb, frame->c_stride, width, height};
        planes[2] = (struct jpeg_eighth){frame->cr, frame->c_stride, width, height};
    }
    if (capture_jpeg_eighth(decoder->reader, bytes, info, planes, &decoder->doubt) != CAPTURE_OK)
        return false;
    frame->step = step_of(libjpeg->quant_tbl_ptrs[libjpeg->comp_info[0].quant_tbl_no]);
    return true;
}

/* All that may call on_error(): it comes back here. */
static int decode_guarded(struct mjpeg_decoder *decoder, const uint8_t *bytes,
                          const struct jpeg_info *info, int scale, bool colour,
                          struct kept_frame *out)
{
    struct jpeg_decompress_struct *libjpeg = &decoder->libjpeg;
    struct shifts shifts;
    int error;

    if (setjmp(decoder->escape) != 0)
        return CAPTURE_E_DECODER;
    decoder->unusual = read_header(decoder, scale) != 0;
    if (decoder->unusual)
        return CAPTURE_OK;
    if (scale == 8 && read_eighth(decoder, bytes, info, colour, out))
        return CAPTURE_OK;
    shifts = find_shifts(libjpeg);
    decoder->unusual = shifts.x < 0 || shifts.y < 0;
    if (decoder->unusual)
        return CAPTURE_OK;
    colour = colour && libjpeg->num_components == PLANES;
    error = capture_kept_shape(out, (int)libjpeg->output_width, (int)libjpeg->output_height, colour,
                               shifts.x, shifts.y);
    if (error)
        return error;
    if (!colour)
        skip_chroma(libjpeg);
    jpeg_start_decompress(libjpeg);
    read_rows(decoder, &out->frame);
    out->frame.step = step_of(libjpeg->comp_info[0].quant_table);
    jpeg_finish_decompress(libjpeg);
    out->frame.extraneous_bytes =
        (int)(decoder->extraneous < INT_MAX ? decoder->extraneous : INT_MAX);
    return CAPTURE_OK;
}

static int explain(const struct mjpeg_decoder *decoder, struct capture_fault *fault)
{
    switch (decoder->fatal_code) {
    case 0:
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the JPEG");
    case JERR_NOT_COMPILED:
    case JERR_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_BAD_MCU_SIZE:
        return capture_fail(fault, CAPTURE_E_DECODER, "the JPEG cannot be decoded: %s",
                            decoder->text);
    default:
        return capture_fail(fault, decoder->header_read ? CAPTURE_E_DAMAGED : CAPTURE_E_HEADER,
                            "the JPEG is damaged: %s", decoder->text);
    }
}

static int decode_unusual(const struct picture *picture, const struct jpeg_info *info, int scale,
                          bool colour, struct kept_frame *out, struct capture_fault *fault)
{
    struct frame *frame = NULL;
    int error = capture_jpeg_decode(picture->bytes, info->end, scale, &frame, NULL, fault);
    struct planes planes;

    if (error)
        return error;
    capture_planes_of(frame, &planes);
    error = capture_planes_reduce(&planes, 1, colour, NULL, out);
    out->frame.step = frame->step;
    out->frame.extraneous_bytes = frame->extraneous_bytes;
    capture_frame_destroy(&frame);
    if (error)
        return capture_fail(fault, error, "not enough memory for the JPEG");
    return CAPTURE_OK;
}

int capture_mjpeg_decode(struct mjpeg_decoder *decoder, const struct picture *picture, int scale,
                         bool colour, struct kept_frame *out, struct capture_fault *fault)
{
    struct jpeg_info info;
    int error = capture_jpeg_inspect(picture->bytes, picture->length, &info, fault);

    if (error)
        return error;
    if (info.process == JPEG_PROGRESSIVE)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "a progressive JPEG is not supported in a moving picture");
    decoder->fatal_code = 0;
    decoder->extraneous = 0;
    decoder->header_read = false;
    capture_arena_reset(&decoder->arena, &decoder->libjpeg);
    decoder->bytes = memory_source;
    decoder->bytes.next_input_byte = picture->bytes;
    decoder->bytes.bytes_in_buffer = info.end;
    decoder->libjpeg.src = &decoder->bytes;
    decoder->doubt.text[0] = '\0';
    error = decode_guarded(decoder, picture->bytes, &info, scale, colour, out);
    jpeg_abort_decompress(&decoder->libjpeg); /* at rest again, however it went */
    if (error)
        return explain(decoder, fault);
    if (decoder->unusual)
        return decode_unusual(picture, &info, scale, colour, out, fault);
    /* Damage that libjpeg passed without a word. */
    if (decoder->doubt.text[0] && out->frame.extraneous_bytes == 0)
        return capture_fail(fault, CAPTURE_E_DAMAGED, "%s", decoder->doubt.text);
    return CAPTURE_OK;
}
