/* capture/still.c: any still picture to an upright frame. */
#include "capture/still.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calib/mark.h"
#include "capture/fault.h"
#include "capture/jpeg.h"
#include "capture/png.h"

/* A grey picture that was saved as a colour one has a chroma of 128 all over, but for the rounding
 * of conversions. A date or logo stamped on in colour does not make it a colour picture, while the
 * smallest layout that can be read takes more of it. */
#define GREY_SLACK 2        /* of 255 */
#define GREY_SHARE_MAX 5000 /* at most one chroma pixel in so many is off grey */

/* Photos take 2 to 30 MB; a 64 megapixel PNG of pure noise takes 200 MB. */
#define FILE_MAX_BYTES (256L * 1024 * 1024)

static const uint8_t png_signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/* Formats that people do send, to tell them what they sent. */
static const char *foreign_format(const uint8_t *bytes, size_t length)
{
    static const struct {
        const char *name;
        size_t at;
        const char *mark;
        size_t length;
    } formats[] = {
        {"GIF", 0, "GIF8", 4},      {"WebP", 8, "WEBP", 4},      {"TIFF", 0, "II*\0", 4},
        {"TIFF", 0, "MM\0*", 4},    {"BMP", 0, "BM", 2},         {"PDF", 0, "%PDF", 4},
        {"HEIC", 4, "ftypheic", 8}, {"HEIC", 4, "ftypheix", 8},  {"HEIC", 4, "ftypmif1", 8},
        {"AVIF", 4, "ftypavif", 8}, {"JPEG 2000", 4, "jP  ", 4}, {"JPEG XL", 4, "JXL ", 4},
    };

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (length >= formats[i].at + formats[i].length &&
            memcmp(bytes + formats[i].at, formats[i].mark, formats[i].length) == 0)
            return formats[i].name;
    return NULL;
}

static int refuse_format(const uint8_t *bytes, size_t length, struct capture_fault *fault)
{
    const char *name = foreign_format(bytes, length);

    if (name)
        return capture_fail(fault, CAPTURE_E_FORMAT,
                            "this is a %s file; save the picture as JPEG or PNG", name);
    return capture_fail(fault, CAPTURE_E_FORMAT, "neither a JPEG nor a PNG picture");
}

static int count_coloured(const uint8_t *row, int width)
{
    int coloured = 0;

    for (int x = 0; x < width; x++)
        coloured += row[x] < 128 - GREY_SLACK || row[x] > 128 + GREY_SLACK;
    return coloured;
}

/* A picture without any colour is told as such, however it was saved: what reads colours would
 * find the same one in every symbol. In a colour picture the first rows settle it. */
static void drop_grey_chroma(struct frame *frame)
{
    int width = (frame->width + (1 << frame->cx_shift) - 1) >> frame->cx_shift;
    int height = (frame->height + (1 << frame->cy_shift) - 1) >> frame->cy_shift;
    int64_t coloured = 0, most = (int64_t)width * height / GREY_SHARE_MAX;

    if (!frame->has_colour)
        return;
    for (int y = 0; y < height && coloured <= most; y++)
        coloured += count_coloured(frame->cb + (size_t)y * frame->c_stride, width) +
                    count_coloured(frame->cr + (size_t)y * frame->c_stride, width);
    if (coloured > most)
        return;
    frame->has_colour = false; /* the planes are one block, which starts at y */
    frame->cb = frame->cr = NULL;
    frame->c_stride = 0;
    frame->cx_shift = frame->cy_shift = 0;
}

static int turn_upright(struct frame **frame, int orientation, struct capture_fault *fault)
{
    struct frame *turned;

    if (orientation == 1)
        return CAPTURE_OK;
    turned = capture_frame_orient(*frame, orientation);
    capture_frame_destroy(frame);
    if (!turned)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory to turn the picture");
    *frame = turned;
    return CAPTURE_OK;
}

static int decode_jpeg(const uint8_t *bytes, size_t length, struct frame **out, int *orientation,
                       struct capture_fault *fault)
{
    struct jpeg_info info;
    int error = capture_jpeg_inspect(bytes, length, &info, fault);

    if (!error)
        error = capture_jpeg_verify(bytes, &info, fault);
    if (!error)
        error = capture_jpeg_decode(bytes, length, 1, out, &info, fault);
    *orientation = info.orientation;
    return error;
}

int capture_still_decode(const uint8_t *bytes, size_t length, struct frame **out,
                         struct capture_fault *fault)
{
    int error, orientation = 1;

    if (!out || (!bytes && length > 0))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no picture was given");
    *out = NULL;
    if (length == 0)
        return capture_fail(fault, CAPTURE_E_EMPTY, "the picture is empty");
    if (length >= 2 && bytes[0] == 0xff && bytes[1] == 0xd8) {
        error = decode_jpeg(bytes, length, out, &orientation, fault);
    } else if (length >= sizeof png_signature &&
               memcmp(bytes, png_signature, sizeof png_signature) == 0) {
        error = capture_png_decode(bytes, length, out, &orientation, fault);
    } else {
        return refuse_format(bytes, length, fault);
    }
    if (error)
        return error;
    drop_grey_chroma(*out);
    return turn_upright(out, orientation, fault);
}

/* Opens only what is a file: a named pipe would hang, a device is a camera and has its own way
 * in. Non-blocking, as opening a pipe already waits. */
static int open_file(const char *path, int *fd, size_t *size, struct capture_fault *fault)
{
    struct stat status;
    const char *kind;

    do
        *fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    while (*fd < 0 && errno == EINTR);
    if (*fd < 0)
        return capture_fail(fault, CAPTURE_E_OPEN, "cannot be opened: %s", strerror(errno));
    if (fstat(*fd, &status) != 0)
        return capture_fail(fault, CAPTURE_E_OPEN, "cannot be read: %s", strerror(errno));
    if (!S_ISREG(status.st_mode)) {
        kind = S_ISDIR(status.st_mode)                              ? "a directory"
               : S_ISFIFO(status.st_mode)                           ? N_("a named pipe")
               : S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) ? "a device"
                                                                    : N_("something else");
        return capture_fail(fault, CAPTURE_E_OPEN, "is %s, not a picture file", kind);
    }
    if (status.st_size > FILE_MAX_BYTES)
        return capture_fail(fault, CAPTURE_E_SIZE, "the file has %lld MB; at most %ld MB are read",
                            (long long)status.st_size / (1024 * 1024),
                            FILE_MAX_BYTES / (1024 * 1024));
    *size = (size_t)status.st_size;
    return CAPTURE_OK;
}

/* A file that shrinks meanwhile gives fewer bytes; one that grows is cut at `size`. */
static int read_fully(int fd, uint8_t *bytes, size_t size, size_t *length,
                      struct capture_fault *fault)
{
    *length = 0;
    while (*length < size) {
        ssize_t got = read(fd, bytes + *length, size - *length);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return capture_fail(fault, CAPTURE_E_OPEN, "cannot be read: %s", strerror(errno));
        if (got == 0)
            break;
        *length += (size_t)got;
    }
    return CAPTURE_OK;
}

int capture_still_read(const char *path, struct frame **out, struct capture_fault *fault)
{
    uint8_t *bytes = NULL;
    size_t size = 0, length = 0;
    int fd = -1, error;

    if (!path || !out)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no picture was named");
    *out = NULL;
    error = open_file(path, &fd, &size, fault);
    if (error)
        goto done;
    bytes = malloc(size > 0 ? size : 1);
    if (!bytes) {
        error = capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the file");
        goto done;
    }
    error = read_fully(fd, bytes, size, &length, fault);
    if (!error)
        error = capture_still_decode(bytes, length, out, fault);
done:
    free(bytes);
    if (fd >= 0)
        close(fd);
    return error;
}
