/* capture/png.c: PNG by libpng, bounded, and without what a reader of blocks has no use for. */
#include "capture/png.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "calib/mark.h"
#include "capture/exif.h"
#include "capture/fault.h"

#define SIGNATURE_BYTES 8
#define HEADER_BYTES 33      /* signature, and IHDR with its length and CRC */
#define CHUNK_FRAME_BYTES 12 /* length, name and CRC around a chunk's content */
/* Of the chunks that are kept, only the picture data is longer than a palette, and that is read
 * by pieces; but libpng holds those that it passes over to this limit too, and colour profiles
 * and texts of some megabytes are in use. */
#define CHUNK_MAX_BYTES (32 * 1024 * 1024)
#define CHUNKS_MAX 16

struct png_job {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t length, at;
    char text[128];
    bool no_memory;
    struct frame *frame;
    uint8_t *rows; /* one row, or all of them when interlaced */
    int channels;  /* 1 grey, 2 with alpha, 3 RGB, 4 with alpha */
};

static void on_error(png_structp png, png_const_charp text)
{
    struct png_job *job = png_get_error_ptr(png);

    snprintf(job->text, sizeof job->text, "%s", text);
    png_longjmp(png, 1);
}

/* What libpng only warns about is in chunks that do not change the pixels. */
static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static png_voidp on_malloc(png_structp png, png_alloc_size_t size)
{
    struct png_job *job = png_get_mem_ptr(png);
    void *memory = malloc(size);

    if (!memory)
        job->no_memory = true;
    return memory;
}

static void on_free(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void on_read(png_structp png, png_bytep out, size_t count)
{
    struct png_job *job = png_get_io_ptr(png);

    if (count > job->length - job->at)
        png_error(png, N_("cut off"));
    memcpy(out, job->bytes + job->at, count);
    job->at += count;
}

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Before libpng is asked for anything. */
static int check_header(const uint8_t *bytes, size_t length, struct capture_fault *fault)
{
    uint32_t width, height;

    if (length == 0)
        return capture_fail(fault, CAPTURE_E_EMPTY, "the picture is empty");
    if (png_sig_cmp(bytes, 0, length < SIGNATURE_BYTES ? length : SIGNATURE_BYTES) != 0)
        return capture_fail(fault, CAPTURE_E_FORMAT, "the picture does not start as a PNG does");
    if (length < HEADER_BYTES)
        return capture_fail(fault, CAPTURE_E_DAMAGED, "the PNG is damaged: cut off in its header");
    if (read_u32(bytes + 8) != 13 || memcmp(bytes + 12, "IHDR", 4) != 0)
        return capture_fail(fault, CAPTURE_E_HEADER, "the PNG does not start with its header");
    width = read_u32(bytes + 16);
    height = read_u32(bytes + 20);
    if (width == 0 || height == 0)
        return capture_fail(fault, CAPTURE_E_HEADER, "the PNG gives a size of 0");
    if (width > CAPTURE_SIDE_MAX_PX || height > CAPTURE_SIDE_MAX_PX ||
        (uint64_t)width * height > (uint64_t)CAPTURE_PIXELS_MAX)
        return capture_fail(fault, CAPTURE_E_SIZE,
                            "the PNG claims %lu x %lu pixels; at most %ld megapixels are read",
                            (unsigned long)width, (unsigned long)height,
                            CAPTURE_PIXELS_MAX / 1000000);
    return CAPTURE_OK;
}

static int job_fault(const struct png_job *job, bool header_read, struct capture_fault *fault)
{
    if (job->no_memory)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the PNG");
    return capture_fail(fault, header_read ? CAPTURE_E_DAMAGED : CAPTURE_E_HEADER,
                        "the PNG is damaged: %s", job->text);
}

/* Colour profiles, gamma, texts and the like are passed over by libpng, still with their CRC
 * checked: the pixels are read as they are (nearly every PNG is sRGB, as JPEG is), colour is judged
 * against references in the same picture, and these chunks are where decoders break. EXIF is among
 * them: libpng's own writer puts it in twice, and its reader complains. read_orientation() sees to
 * it. */
static void set_limits(struct png_job *job)
{
    static const png_byte skipped[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0"
                                      "sBIT\0sCAL\0sPLT\0sRGB\0tEXt\0tIME\0zTXt";

    png_set_user_limits(job->png, CAPTURE_SIDE_MAX_PX, CAPTURE_SIDE_MAX_PX);
    png_set_chunk_malloc_max(job->png, CHUNK_MAX_BYTES);
    png_set_chunk_cache_max(job->png, CHUNKS_MAX);
    png_set_keep_unknown_chunks(job->png, PNG_HANDLE_CHUNK_NEVER, skipped,
                                (int)(sizeof skipped / 5));
    png_set_crc_action(job->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    /* With what can be harmless passed over, what is left to complain about is damage. */
    png_set_benign_errors(job->png, 0);
}

/* To 8 bits, 1 to 4 channels, palette and small depths spread out. */
static void set_transforms(struct png_job *job)
{
    png_set_expand(job->png);
    png_set_scale_16(job->png);
    png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    job->channels = png_get_channels(job->png, job->info);
}

/* On white, as paper is: drawn and scanned cards with a transparent ground are printed so. In
 * the picture's own coding, as viewers do it. */
static int on_white(int value, int alpha)
{
    return (value * alpha + 255 * (255 - alpha) + 127) / 255;
}

static void take_row(struct png_job *job, const uint8_t *in, int y)
{
    struct frame *frame = job->frame;
    uint8_t *luma = frame->y + (size_t)y * frame->y_stride;
    size_t chroma = (size_t)y * frame->c_stride;
    bool has_alpha = job->channels == 2 || job->channels == 4;

    for (int x = 0; x < frame->width; x++, in += job->channels) {
        int alpha = has_alpha ? in[job->channels - 1] : 255;
        struct capture_ycc pixel;

        if (!frame->has_colour) {
            luma[x] = (uint8_t)on_white(in[0], alpha);
            continue;
        }
        pixel = capture_rgb_to_ycc(on_white(in[0], alpha), on_white(in[1], alpha),
                                   on_white(in[2], alpha));
        luma[x] = pixel.y;
        frame->cb[chroma + (size_t)x] = pixel.cb;
        frame->cr[chroma + (size_t)x] = pixel.cr;
    }
}

static bool make_room(struct png_job *job)
{
    int width = (int)png_get_image_width(job->png, job->info);
    int height = (int)png_get_image_height(job->png, job->info);
    bool interlaced = png_get_interlace_type(job->png, job->info) != PNG_INTERLACE_NONE;

    job->frame = capture_frame_create(width, height, job->channels >= 3, 0, 0);
    job->rows = png_malloc_warn(job->png, png_get_rowbytes(job->png, job->info) *
                                              (interlaced ? (size_t)height : 1));
    job->no_memory = !job->frame || !job->rows;
    return !job->no_memory;
}

static void read_interlaced(struct png_job *job)
{
    size_t row_bytes = png_get_rowbytes(job->png, job->info);

    memset(job->rows, 0, row_bytes * (size_t)job->frame->height);
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
        for (int y = 0; y < job->frame->height; y++)
            png_read_row(job->png, job->rows + row_bytes * (size_t)y, NULL);
    for (int y = 0; y < job->frame->height; y++)
        take_row(job, job->rows + row_bytes * (size_t)y, y);
}

static void read_rows(struct png_job *job)
{
    if (png_get_interlace_type(job->png, job->info) != PNG_INTERLACE_NONE) {
        read_interlaced(job);
        return;
    }
    for (int y = 0; y < job->frame->height; y++) {
        png_read_row(job->png, job->rows, NULL);
        take_row(job, job->rows, y);
    }
}

/* From the first eXIf chunk. libpng has been through all chunks before; lengths are checked here
 * all the same. */
static int read_orientation(const uint8_t *bytes, size_t length)
{
    size_t at = SIGNATURE_BYTES;

    while (length - at >= CHUNK_FRAME_BYTES) {
        size_t size = read_u32(bytes + at);

        if (size > length - at - CHUNK_FRAME_BYTES || memcmp(bytes + at + 4, "IEND", 4) == 0)
            break;
        if (memcmp(bytes + at + 4, "eXIf", 4) == 0)
            return capture_exif_orientation(bytes + at + 8, size);
        at += size + CHUNK_FRAME_BYTES;
    }
    return 1;
}

/* All that may call on_error(): it comes back here. */
static int read_guarded(struct png_job *job, struct capture_fault *fault)
{
    volatile bool header_read = false;

    if (setjmp(png_jmpbuf(job->png)) != 0)
        return job_fault(job, header_read, fault);
    set_limits(job);
    png_set_read_fn(job->png, job, on_read);
    png_read_info(job->png, job->info);
    header_read = true;
    set_transforms(job);
    if (!make_room(job))
        return job_fault(job, true, fault);
    read_rows(job);
    png_read_end(job->png, job->info);
    return CAPTURE_OK;
}

int capture_png_decode(const uint8_t *bytes, size_t length, struct frame **out, int *orientation,
                       struct capture_fault *fault)
{
    struct png_job job = {.bytes = bytes, .length = length};
    int error;

    if (!out || (!bytes && length > 0))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no picture was given");
    *out = NULL;
    if (orientation)
        *orientation = 1;
    error = check_header(bytes, length, fault);
    if (error)
        return error;
    job.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning, &job,
                                       on_malloc, on_free);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    if (job.info)
        error = read_guarded(&job, fault);
    else
        error = capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the PNG");
    if (!error) {
        *out = job.frame;
        job.frame = NULL;
        if (orientation)
            *orientation = read_orientation(bytes, length);
    }
    if (job.rows)
        png_free(job.png, job.rows);
    png_destroy_read_struct(&job.png, &job.info, NULL);
    capture_frame_destroy(&job.frame);
    return error;
}
