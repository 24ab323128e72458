/* capture/exif.c: the orientation out of an EXIF block, and nothing else of it. */
#include "capture/exif.h"

#include <stdbool.h>

#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT 3
#define TYPE_LONG 4 /* not what the standard asks for, but some writers do */
#define ENTRY_BYTES 12

struct tiff {
    const uint8_t *bytes;
    size_t length;
    bool big_endian;
};

/* `count` (2 or 4) bytes at `at`, which the caller has checked to be inside. */
static uint32_t tiff_number(const struct tiff *tiff, size_t at, size_t count)
{
    uint32_t value = 0;

    for (size_t i = 0; i < count; i++)
        value = value << 8 | tiff->bytes[tiff->big_endian ? at + i : at + count - 1 - i];
    return value;
}

static bool tiff_open(struct tiff *tiff)
{
    const uint8_t *bytes = tiff->bytes;

    if (tiff->length < 8)
        return false;
    if (bytes[0] == 'M' && bytes[1] == 'M')
        tiff->big_endian = true;
    else if (bytes[0] != 'I' || bytes[1] != 'I')
        return false;
    return tiff_number(tiff, 2, 2) == 42;
}

static int entry_orientation(const struct tiff *tiff, size_t at)
{
    uint32_t type = tiff_number(tiff, at + 2, 2), count = tiff_number(tiff, at + 4, 4);
    uint32_t value;

    if (count != 1 || (type != TYPE_SHORT && type != TYPE_LONG))
        return 1;
    value = tiff_number(tiff, at + 8, type == TYPE_SHORT ? 2 : 4);
    return value >= 1 && value <= 8 ? (int)value : 1;
}

int capture_exif_orientation(const uint8_t *bytes, size_t length)
{
    struct tiff tiff = {bytes, length, false};
    size_t at, entries;

    if (!bytes || !tiff_open(&tiff))
        return 1;
    at = tiff_number(&tiff, 4, 4);
    if (at > length - 2)
        return 1;
    entries = tiff_number(&tiff, at, 2);
    at += 2;
    for (size_t i = 0; i < entries && length - at >= ENTRY_BYTES; i++, at += ENTRY_BYTES)
        if (tiff_number(&tiff, at, 2) == TAG_ORIENTATION)
            return entry_orientation(&tiff, at);
    return 1;
}
