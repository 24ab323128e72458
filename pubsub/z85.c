/* pubsub/z85.c: 32 bytes as 40 printable characters. */
#include "pubsub/z85.h"

#include <string.h>

/* Four bytes are five digits of this base. */
#define BASE 85
#define GROUP_BYTES 4
#define GROUP_DIGITS 5

static const char digits[] =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

void pubsub_z85_print(const uint8_t bytes[Z85_KEY_BYTES], char out[Z85_KEY_TEXT])
{
    for (int group = 0; group < Z85_KEY_BYTES / GROUP_BYTES; group++) {
        const uint8_t *from = bytes + group * GROUP_BYTES;
        uint32_t value = (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 |
                         (uint32_t)from[2] << 8 | (uint32_t)from[3];
        for (int i = GROUP_DIGITS - 1; i >= 0; i--, value /= BASE)
            out[group * GROUP_DIGITS + i] = digits[value % BASE];
    }
    out[Z85_KEY_TEXT - 1] = 0;
}

bool pubsub_z85_parse(const char *text, size_t length, uint8_t out[Z85_KEY_BYTES])
{
    if (length != Z85_KEY_TEXT - 1)
        return false;
    for (int group = 0; group < Z85_KEY_BYTES / GROUP_BYTES; group++) {
        uint64_t value = 0;
        for (int i = 0; i < GROUP_DIGITS; i++) {
            char wanted = text[group * GROUP_DIGITS + i];
            const char *digit = wanted ? strchr(digits, wanted) : NULL;
            if (!digit)
                return false;
            value = value * BASE + (uint64_t)(digit - digits);
        }
        if (value > UINT32_MAX)
            return false;
        for (int i = 0; i < GROUP_BYTES; i++)
            out[group * GROUP_BYTES + i] = (uint8_t)(value >> (24 - 8 * i));
    }
    return true;
}
