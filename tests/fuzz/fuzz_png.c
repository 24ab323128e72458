/* Any bytes as a PNG, by the way that all still pictures come in: as they are, and with their
 * checksums put right, as nothing would get beyond those otherwise. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture/png.h"
#include "capture/still.h"

#define PIXELS_MAX (1000L * 1000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* By the header as it stands, to leave out what only takes time. */
static int is_large(const uint8_t *data, size_t size)
{
    uint64_t width = 0, height = 0;

    if (size < 24)
        return 0;
    for (int i = 0; i < 4; i++) {
        width = width << 8 | data[16 + i];
        height = height << 8 | data[20 + i];
    }
    /* Far too large ones are let in: they must be refused. */
    return width * height > PIXELS_MAX && width * height <= (uint64_t)CAPTURE_PIXELS_MAX;
}

static uint32_t checksum(const uint8_t *bytes, size_t length)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

static void mend(uint8_t *bytes, size_t length)
{
    size_t at = 8, size;

    while (at <= length && length - at >= 12) {
        size = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 |
               bytes[at + 3];
        if (size > length - at - 12)
            return;
        for (int i = 0; i < 4; i++)
            bytes[at + 8 + size + (size_t)i] =
                (uint8_t)(checksum(bytes + at + 4, size + 4) >> (24 - 8 * i));
        at += size + 12;
    }
}

static void decode(const uint8_t *data, size_t size)
{
    struct frame *frame = NULL;
    struct capture_fault fault;
    int orientation = 0;

    if (capture_png_decode(data, size, &frame, &orientation, &fault) == CAPTURE_OK) {
        if (!frame || orientation < 1 || orientation > 8)
            abort();
        capture_frame_destroy(&frame);
        (void)capture_still_decode(data, size, &frame, &fault);
    } else if (frame) {
        abort();
    }
    capture_frame_destroy(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *mended;

    if (is_large(data, size))
        return 0;
    decode(data, size);
    mended = malloc(size > 0 ? size : 1);
    if (!mended)
        return 0;
    if (size > 0)
        memcpy(mended, data, size);
    mend(mended, size);
    decode(mended, size);
    free(mended);
    return 0;
}
