/* Any bytes as a JPEG: the gate, the tables and the decoder, at every scale. */
#include <stdint.h>
#include <stdlib.h>

#include "capture/jpeg.h"

/* Larger ones are the same code for more time. */
#define PIXELS_MAX (1000L * 1000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
    if (!holds)
        abort();
}

static void fuzz_tables(const uint8_t *data, const struct jpeg_info *info)
{
    size_t room = info->end + CAPTURE_JPEG_TABLES_BYTES, length = 0;
    uint8_t *out = malloc(room);
    struct jpeg_info again;

    if (!out)
        return;
    check(capture_jpeg_with_tables(data, info, out, room, &length) == CAPTURE_OK);
    check(length >= info->end && length <= room);
    /* With its tables the picture is as good as before, and lacks none. */
    check(capture_jpeg_inspect(out, length, &again, NULL) == CAPTURE_OK);
    check(again.missing_tables == 0 && again.end == length);
    free(out);
}

static void fuzz_samples(const struct frame *frame)
{
    unsigned sum = 0;

    for (int y = 0; y < frame->height; y++)
        sum += frame->y[(size_t)y * frame->y_stride + (size_t)frame->width - 1];
    check(sum <= 255u * (unsigned)frame->height);
    check(frame->has_colour == (frame->cb != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct jpeg_info info;
    struct capture_fault fault;

    if (capture_jpeg_inspect(data, size, &info, &fault) != CAPTURE_OK)
        return 0;
    check(info.end <= size && info.first_scan < info.end);
    fuzz_tables(data, &info);
    (void)capture_jpeg_verify(data, &info, &fault);
    if ((long)info.width * info.height > PIXELS_MAX)
        return 0;
    for (int denominator = 1; denominator <= 8; denominator *= 2) {
        struct frame *frame = NULL;
        int error = capture_jpeg_decode(data, size, denominator, &frame, NULL, &fault);

        check((error == CAPTURE_OK) == (frame != NULL));
        if (frame)
            fuzz_samples(frame);
        capture_frame_destroy(&frame);
    }
    return 0;
}
