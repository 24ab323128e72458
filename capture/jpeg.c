/* capture/jpeg.c: JPEG to planes, by libjpeg-turbo, without colour conversion. */
#include "capture/jpeg.h"

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "capture/fault.h"

/* The largest picture that passes the gate needs 64 megapixels x 3 components x 2 bytes = 384 MB
 * of coefficients when it is progressive. */
#define DECODER_MEMORY_MAX_BYTES (512L * 1024 * 1024)
#define ROWS_MAX 32 /* a component's rows in one row of MCUs: 4 blocks of 8 at most */
#define PLANES 3

/* A component. libjpeg forgets what it knew of it when it finishes, so all of it is kept here. */
struct plane {
    uint8_t *data;
    size_t stride;
    int width, height;
    int across, down;           /* its samples per MCU, 1..32 */
    int most_across, most_down; /* the picture's pixels per MCU */
};

struct decode {
    struct jpeg_decompress_struct libjpeg;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    char text[JMSG_LENGTH_MAX];
    int fatal_code;  /* libjpeg's number of what ended the decoding; 0: nothing did */
    long extraneous; /* warnings that do no harm */
    bool header_read;
    bool spread;                 /* struct frame cannot say this sampling: planes are loose */
    struct frame *frame;         /* what comes out */
    struct plane planes[PLANES]; /* where libjpeg writes: the frame's own, or in `loose` */
    uint8_t *loose;              /* planes to be spread to the frame afterwards */
    uint8_t *spare_row;          /* for block rows below the picture */
    int step;               /* as in struct frame */
};

/* libjpeg's default would end the process. */
__attribute__((noreturn)) static void on_error(j_common_ptr libjpeg)
{
    struct decode *decode = libjpeg->client_data;

    decode->fatal_code = libjpeg->err->msg_code;
    libjpeg->err->format_message(libjpeg, decode->text);
    longjmp(decode->escape, 1);
}

/* Sorts by kind and never prints: a camera with stray bytes warns in every frame. The first
 * warning of damage ends the decoding, as the picture will not be used. */
static void on_message(j_common_ptr libjpeg, int level)
{
    struct decode *decode = libjpeg->client_data;

    if (level >= 0)
        return;
    libjpeg->err->num_warnings++;
    if (libjpeg->err->msg_code != JWRN_EXTRANEOUS_DATA)
        on_error(libjpeg);
    decode->extraneous++;
}

/* How many luma pixels go to one of this component's along one axis, as a power of two; -1 when
 * struct frame cannot say it. `most` and `own` are samples per MCU. */
static int shift_of(int most, int own)
{
    for (int shift = 0; shift <= 2; shift++)
        if (own << shift == most)
            return shift;
    return -1;
}

static int samples_across(const struct jpeg_decompress_struct *libjpeg, int i)
{
    return libjpeg->comp_info[i].h_samp_factor * libjpeg->comp_info[i].DCT_scaled_size;
}

static int samples_down(const struct jpeg_decompress_struct *libjpeg, int i)
{
    return libjpeg->comp_info[i].v_samp_factor * libjpeg->comp_info[i].DCT_scaled_size;
}

static bool same_sampling(const struct jpeg_decompress_struct *libjpeg, int i, int j)
{
    return samples_across(libjpeg, i) == samples_across(libjpeg, j) &&
           samples_down(libjpeg, i) == samples_down(libjpeg, j);
}

static bool is_full(const struct jpeg_decompress_struct *libjpeg, int i)
{
    return libjpeg->comp_info[i].downsampled_width == libjpeg->output_width &&
           libjpeg->comp_info[i].downsampled_height == libjpeg->output_height;
}

/* The chroma's shifts if struct frame can say this sampling. RGB has to be converted pixel by
 * pixel, so there only full planes will do. */
static bool find_shifts(const struct jpeg_decompress_struct *libjpeg, int *cx_shift, int *cy_shift)
{
    if (!is_full(libjpeg, 0) || !same_sampling(libjpeg, 1, 2))
        return false;
    *cx_shift = shift_of(samples_across(libjpeg, 0), samples_across(libjpeg, 1));
    *cy_shift = shift_of(samples_down(libjpeg, 0), samples_down(libjpeg, 1));
    if (*cx_shift < 0 || *cy_shift < 0)
        return false;
    return libjpeg->jpeg_color_space != JCS_RGB || (*cx_shift == 0 && *cy_shift == 0);
}

/* Rows of whole blocks: libjpeg writes all of a block that reaches over the right edge. */
static size_t block_row_bytes(const struct jpeg_decompress_struct *libjpeg, int i)
{
    return (size_t)libjpeg->comp_info[i].width_in_blocks *
           (size_t)libjpeg->comp_info[i].DCT_scaled_size;
}

static struct plane describe_plane(const struct jpeg_decompress_struct *libjpeg, int i)
{
    return (struct plane){
        .width = (int)libjpeg->comp_info[i].downsampled_width,
        .height = (int)libjpeg->comp_info[i].downsampled_height,
        .across = samples_across(libjpeg, i),
        .down = samples_down(libjpeg, i),
        .most_across = libjpeg->max_h_samp_factor * libjpeg->min_DCT_scaled_size,
        .most_down = libjpeg->max_v_samp_factor * libjpeg->min_DCT_scaled_size,
    };
}

static int use_loose_planes(struct decode *decode)
{
    struct jpeg_decompress_struct *libjpeg = &decode->libjpeg;
    size_t total = 0, at = 0;

    for (int i = 0; i < libjpeg->num_components; i++)
        total += block_row_bytes(libjpeg, i) * libjpeg->comp_info[i].downsampled_height;
    decode->loose = malloc(total);
    if (!decode->loose)
        return CAPTURE_E_MEMORY;
    for (int i = 0; i < libjpeg->num_components; i++) {
        struct plane *plane = &decode->planes[i];

        plane->data = decode->loose + at;
        plane->stride = block_row_bytes(libjpeg, i);
        at += plane->stride * (size_t)plane->height;
    }
    return CAPTURE_OK;
}

static void use_frame_planes(struct decode *decode)
{
    struct frame *frame = decode->frame;

    decode->planes[0].data = frame->y;
    decode->planes[1].data = frame->cb;
    decode->planes[2].data = frame->cr;
    decode->planes[0].stride = frame->y_stride;
    decode->planes[1].stride = decode->planes[2].stride = frame->c_stride;
}

static int make_planes(struct decode *decode)
{
    struct jpeg_decompress_struct *libjpeg = &decode->libjpeg;
    bool has_colour = libjpeg->num_components == PLANES;
    int cx_shift = 0, cy_shift = 0;
    size_t widest = 0;

    decode->spread = has_colour && !find_shifts(libjpeg, &cx_shift, &cy_shift);
    if (decode->spread)
        cx_shift = cy_shift = 0;
    /* libjpeg writes every row, or the frame is not handed out */
    decode->frame =
        capture_frame_create_bare((int)libjpeg->output_width, (int)libjpeg->output_height,
                                  has_colour, cx_shift, cy_shift);
    for (int i = 0; i < libjpeg->num_components; i++) {
        decode->planes[i] = describe_plane(libjpeg, i);
        if (block_row_bytes(libjpeg, i) > widest)
            widest = block_row_bytes(libjpeg, i);
    }
    decode->spare_row = malloc(widest);
    if (!decode->frame || !decode->spare_row)
        return CAPTURE_E_MEMORY;
    if (decode->spread)
        return use_loose_planes(decode);
    use_frame_planes(decode);
    return CAPTURE_OK;
}

static void read_planes(struct decode *decode)
{
    struct jpeg_decompress_struct *libjpeg = &decode->libjpeg;
    JSAMPROW rows[PLANES][ROWS_MAX];
    JSAMPARRAY planes[PLANES] = {rows[0], rows[1], rows[2]};
    JDIMENSION lines = (JDIMENSION)(libjpeg->max_v_samp_factor * libjpeg->min_DCT_scaled_size);

    for (int block_row = 0; libjpeg->output_scanline < libjpeg->output_height; block_row++) {
        for (int i = 0; i < libjpeg->num_components; i++) {
            const struct plane *plane = &decode->planes[i];
            int count = plane->down, first = block_row * count;

            for (int k = 0; k < count; k++)
                rows[i][k] = first + k < plane->height
                                 ? plane->data + (size_t)(first + k) * plane->stride
                                 : decode->spare_row;
        }
        jpeg_read_raw_data(libjpeg, planes, lines);
    }
}

/* Each pixel takes the sample that covers its middle. */
static void spread_plane(const struct plane *from, uint8_t *out, size_t stride, int width,
                         int height)
{
    for (int y = 0; y < height; y++) {
        int row = (2 * y + 1) * from->down / (2 * from->most_down);
        const uint8_t *in = from->data + (size_t)row * from->stride;

        for (int x = 0; x < width; x++)
            out[(size_t)y * stride + (size_t)x] =
                in[(2 * x + 1) * from->across / (2 * from->most_across)];
    }
}

static void spread_planes(const struct plane planes[PLANES], struct frame *frame)
{
    spread_plane(&planes[0], frame->y, frame->y_stride, frame->width, frame->height);
    spread_plane(&planes[1], frame->cb, frame->c_stride, frame->width, frame->height);
    spread_plane(&planes[2], frame->cr, frame->c_stride, frame->width, frame->height);
}

/* The planes hold red, green and blue. */
static void convert_planes(struct frame *frame)
{
    for (int y = 0; y < frame->height; y++) {
        uint8_t *red = frame->y + (size_t)y * frame->y_stride;
        uint8_t *green = frame->cb + (size_t)y * frame->c_stride;
        uint8_t *blue = frame->cr + (size_t)y * frame->c_stride;

        for (int x = 0; x < frame->width; x++) {
            struct capture_ycc pixel = capture_rgb_to_ycc(red[x], green[x], blue[x]);

            red[x] = pixel.y;
            green[x] = pixel.cb;
            blue[x] = pixel.cr;
        }
    }
}

static int fatal_error(const struct decode *decode, struct capture_fault *fault)
{
    switch (decode->fatal_code) {
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
                            decode->text);
    default:
        return capture_fail(fault, decode->header_read ? CAPTURE_E_DAMAGED : CAPTURE_E_HEADER,
                            "the JPEG is damaged: %s", decode->text);
    }
}

static int read_header(struct decode *decode, int scale_denominator, struct capture_fault *fault)
{
    struct jpeg_decompress_struct *libjpeg = &decode->libjpeg;

    jpeg_read_header(libjpeg, TRUE);
    decode->header_read = true;
    if (libjpeg->jpeg_color_space != JCS_YCbCr && libjpeg->jpeg_color_space != JCS_RGB &&
        libjpeg->jpeg_color_space != JCS_GRAYSCALE)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "a JPEG that is neither grey, YCbCr nor RGB is not supported");
    libjpeg->out_color_space = libjpeg->jpeg_color_space;
    libjpeg->raw_data_out = TRUE;
    libjpeg->scale_num = 1;
    libjpeg->scale_denom = (unsigned)scale_denominator;
    libjpeg->do_block_smoothing = FALSE; /* only ever hides missing scans */
    jpeg_calc_output_dimensions(libjpeg);
    return CAPTURE_OK;
}

/* Mean step of the quantiser of the first component, 0 when the header names none. */
static int luma_step(const struct jpeg_decompress_struct *libjpeg)
{
    int sum = 0;
    if (libjpeg->comp_info == NULL || libjpeg->comp_info[0].quant_table == NULL)
        return 0;
    for (int i = 0; i < DCTSIZE2; i++)
        sum += libjpeg->comp_info[0].quant_table->quantval[i];
    return sum / DCTSIZE2;
}

/* All that may call on_error(): it comes back here. */
static int decode_guarded(struct decode *decode, const uint8_t *bytes, size_t length,
                          int scale_denominator, struct capture_fault *fault)
{
    struct jpeg_decompress_struct *libjpeg = &decode->libjpeg;
    int error;

    if (setjmp(decode->escape) != 0)
        return fatal_error(decode, fault);
    jpeg_create_decompress(libjpeg);
    libjpeg->mem->max_memory_to_use = DECODER_MEMORY_MAX_BYTES;
    jpeg_mem_src(libjpeg, bytes, length);
    error = read_header(decode, scale_denominator, fault);
    if (error)
        return error;
    if (make_planes(decode) != CAPTURE_OK)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the JPEG");
    jpeg_start_decompress(libjpeg);
    read_planes(decode);
    decode->step = luma_step(libjpeg); /* its tables go with the next line */
    jpeg_finish_decompress(libjpeg);
    return CAPTURE_OK;
}

static struct frame *take_frame(struct decode *decode)
{
    struct frame *frame = decode->frame;

    if (decode->spread)
        spread_planes(decode->planes, frame);
    if (decode->libjpeg.jpeg_color_space == JCS_RGB)
        convert_planes(frame);
    frame->extraneous_bytes = (int)(decode->extraneous < INT_MAX ? decode->extraneous : INT_MAX);
    frame->step = decode->step;
    decode->frame = NULL;
    return frame;
}

int capture_jpeg_decode(const uint8_t *bytes, size_t length, int scale_denominator,
                        struct frame **out, struct jpeg_info *info, struct capture_fault *fault)
{
    struct decode decode = {.fatal_code = 0};
    struct jpeg_info own;
    int error;

    if (!out || (scale_denominator != 1 && scale_denominator != 2 && scale_denominator != 4 &&
                 scale_denominator != 8))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no place or scale for the picture");
    *out = NULL;
    info = info ? info : &own;
    error = capture_jpeg_inspect(bytes, length, info, fault);
    if (error)
        return error;
    decode.libjpeg.err = jpeg_std_error(&decode.errors);
    decode.libjpeg.client_data = &decode;
    decode.errors.error_exit = on_error;
    decode.errors.emit_message = on_message;
    error = decode_guarded(&decode, bytes, info->end, scale_denominator, fault);
    if (!error)
        *out = take_frame(&decode);
    jpeg_destroy_decompress(&decode.libjpeg);
    capture_frame_destroy(&decode.frame);
    free(decode.loose);
    free(decode.spare_row);
    return error;
}
