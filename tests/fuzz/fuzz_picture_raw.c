/* Any bytes as a raw picture of any size: decoded from exactly the bytes that are there, or
 * refused. The first eight bytes say what the picture claims to be. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/picture.h"

#define HEADER_BYTES 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int holds)
{
    if (!holds)
        abort();
}

/* A copy of its own, so that the sanitizer sees what reads beyond. */
static uint8_t *copy(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(size > 0 ? size : 1);

    check(bytes != NULL);
    if (size > 0)
        memcpy(bytes, data, size);
    return bytes;
}

static void decode(struct decoder *decoder, const struct picture *picture, bool colour)
{
    for (int scale = 1; scale <= 8; scale *= 2) {
        const struct frame *frame = NULL;
        struct capture_fault fault = {""};
        int error = capture_decoder_decode(decoder, picture, scale, colour, &frame, &fault);

        check((error == CAPTURE_OK) == (frame != NULL));
        check(error == CAPTURE_OK || fault.text[0]);
        if (!frame)
            continue;
        check(frame->width == (picture->width + scale - 1) / scale);
        check(frame->height == (picture->height + scale - 1) / scale);
        check(frame->has_colour == (frame->cb != NULL) && (colour || !frame->has_colour));
    }
}

/* Size 0..255 x 0..255, stride up to 1023 or far beyond everything, chroma apart or not. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum picture_format formats[] = {PICTURE_YUYV, PICTURE_UYVY, PICTURE_NV12,
                                                  PICTURE_GREY};
    struct decoder *decoder;
    uint8_t *bytes, *chroma = NULL;
    struct picture picture;
    size_t length, split;

    if (size < HEADER_BYTES)
        return 0;
    length = size - HEADER_BYTES;
    split = data[6] & 1 ? length * data[5] / 255 : length;
    bytes = copy(data + HEADER_BYTES, split);
    if (data[6] & 1)
        chroma = copy(data + HEADER_BYTES + split, length - split);
    picture = (struct picture){.format = formats[data[0] & 3],
                               .width = data[1],
                               .height = data[2],
                               .bytes = bytes,
                               .length = split,
                               .stride = (size_t)data[3] | (size_t)(data[4] & 3) << 8,
                               .chroma = chroma,
                               .chroma_length = length - split,
                               .full_range = data[6] & 2};
    if (data[4] & 128)
        picture.stride = SIZE_MAX - picture.stride;
    decoder = capture_decoder_create();
    check(decoder != NULL);
    decode(decoder, &picture, data[6] & 4);
    capture_decoder_destroy(&decoder);
    free(chroma);
    free(bytes);
    return 0;
}
