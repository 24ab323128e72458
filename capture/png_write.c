/* capture/png_write.c: pictures out, for people to look at. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include "calib/mark.h"
#include "capture/fault.h"
#include "capture/png.h"

#define LEVEL 3 /* of zlib: a third of the default's time for a tenth more bytes */

struct output {
    png_structp png;
    png_infop info;
    int fd;
    int write_errno; /* why a write failed; 0: none did */
    char text[128];
};

static void on_error(png_structp png, png_const_charp text)
{
    struct output *output = png_get_error_ptr(png);

    snprintf(output->text, sizeof output->text, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void on_write(png_structp png, png_bytep bytes, size_t count)
{
    struct output *output = png_get_io_ptr(png);

    while (count > 0) {
        ssize_t put = write(output->fd, bytes, count);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            output->write_errno = put < 0 ? errno : EIO;
            png_error(png, N_("write failed"));
        }
        bytes += put;
        count -= (size_t)put;
    }
}

static void on_flush(png_structp png)
{
    (void)png;
}

/* All that may call on_error(): it comes back here. */
static int write_guarded(struct output *output, const uint8_t *rgb, int width, int height)
{
    if (setjmp(png_jmpbuf(output->png)) != 0)
        return output->write_errno ? CAPTURE_E_OPEN : CAPTURE_E_MEMORY;
    png_set_write_fn(output->png, output, on_write, on_flush);
    png_set_compression_level(output->png, LEVEL);
    png_set_IHDR(output->png, output->info, (png_uint_32)width, (png_uint_32)height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(output->png, output->info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(output->png, output->info);
    for (int y = 0; y < height; y++)
        png_write_row(output->png, rgb + (size_t)y * (size_t)width * 3);
    png_write_end(output->png, output->info);
    return CAPTURE_OK;
}

static int write_png(struct output *output, const uint8_t *rgb, int width, int height)
{
    int error = CAPTURE_E_MEMORY;

    output->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, output, on_error, on_warning);
    output->info = output->png ? png_create_info_struct(output->png) : NULL;
    if (output->info)
        error = write_guarded(output, rgb, width, height);
    png_destroy_write_struct(&output->png, &output->info);
    return error;
}

/* mkstemp() makes files for the owner only; a picture is for whom the umask says. The umask
 * cannot be read without changing it for all threads, so the file is opened as any other. */
static int open_beside(const char *path, char *name, size_t capacity)
{
    for (unsigned try = 0; try < 100; try++) {
        int length = snprintf(name, capacity, "%s.%ld.%u.tmp", path, (long)getpid(), try);
        int fd;

        if (length < 0 || (size_t)length >= capacity) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int fail_errno(struct capture_fault *fault, const char *what, int number)
{
    return capture_fail(fault, CAPTURE_E_OPEN, "%s: %s", what, strerror(number));
}

int capture_png_write(const char *path, const uint8_t *rgb, int width, int height,
                      struct capture_fault *fault)
{
    struct output output = {.fd = -1};
    char name[PATH_MAX];
    int error;

    if (!path || !rgb || width < 1 || height < 1 || width > CAPTURE_SIDE_MAX_PX ||
        height > CAPTURE_SIDE_MAX_PX || (int64_t)width * height > CAPTURE_PIXELS_MAX)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no picture to write, or no place for it");
    output.fd = open_beside(path, name, sizeof name);
    if (output.fd < 0)
        return fail_errno(fault, N_("the picture cannot be created"), errno);
    error = write_png(&output, rgb, width, height);
    if (error == CAPTURE_E_OPEN)
        fail_errno(fault, N_("the picture cannot be written"), output.write_errno);
    else if (error)
        capture_fail(fault, error, "the picture cannot be written: %s", output.text);
    /* Network file systems say only now that the disk is full. */
    if (close(output.fd) != 0 && !error)
        error = fail_errno(fault, N_("the picture cannot be written"), errno);
    if (!error && rename(name, path) != 0)
        error = fail_errno(fault, N_("the picture cannot be put in place"), errno);
    if (error)
        unlink(name);
    return error;
}
