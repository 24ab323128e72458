/* Any bytes as a recording: whatever comes out lies in memory, in times that rise, and it ends. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/picture.h"
#include "capture/source.h"

#define PICTURES_MAX 200 /* more is the same code for more time */
#define PIXELS_MAX (300L * 300)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
    if (!holds)
        abort();
}

/* A file that lies in memory, by a name under which it can be opened. */
static int make_file(const uint8_t *data, size_t size, char path[64])
{
    int fd = memfd_create("fuzz_video", MFD_CLOEXEC);

    check(fd >= 0);
    check(size == 0 || write(fd, data, size) == (ssize_t)size);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static void look_at(struct decoder *decoder, const struct picture *picture)
{
    const struct frame *frame = NULL;
    unsigned sum = 0;

    check(picture->bytes != NULL && picture->length > 0);
    for (size_t i = 0; i < picture->length; i++)
        sum += picture->bytes[i];
    check(sum <= 255u * picture->length);
    if ((long)picture->width * picture->height <= PIXELS_MAX)
        (void)capture_decoder_decode(decoder, picture, 8, true, &frame, NULL);
}

static void play(struct source *source)
{
    struct decoder *decoder = capture_decoder_create();
    struct capture_fault fault = {""};
    struct picture picture;
    int64_t last_ns = -1;
    int got = CAPTURE_PICTURE;

    check(decoder != NULL);
    for (int i = 0; i < PICTURES_MAX && got == CAPTURE_PICTURE; i++) {
        got = capture_source_next(source, 0, &picture, &fault);
        check(got == CAPTURE_PICTURE || got == CAPTURE_END || (got < 0 && fault.text[0]));
        if (got != CAPTURE_PICTURE)
            break;
        check(picture.time_ns > last_ns);
        last_ns = picture.time_ns;
        look_at(decoder, &picture);
        capture_source_release(source, &picture);
    }
    if (got < 0) /* over is over */
        check(capture_source_next(source, 0, &picture, NULL) == CAPTURE_END);
    capture_decoder_destroy(&decoder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct capture_fault fault = {""};
    struct source *source = NULL;
    char path[64];
    int fd = make_file(data, size, path);
    int error = capture_video_open(path, &source, &fault);

    check((error == CAPTURE_OK) == (source != NULL));
    check(error == CAPTURE_OK || fault.text[0]);
    if (source)
        play(source);
    capture_source_destroy(&source);
    close(fd);
    return 0;
}
