/* Fuzzes the index of frames: any bytes give lines or a fault, never more than there is; and a line
 * that is read is written again as the same bytes. */
#include "capture/frame_index.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char check[FRAME_CHECK_MAX] = "", before[FRAME_CHECK_MAX], text[FRAME_LINE_MAX];
    struct capture_fault fault;
    struct frame_line line;
    size_t at = 0, used = 0;
    char *bytes = malloc(size + 1); /* of its very size, so that a step beyond is seen */

    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    memcpy(before, check, sizeof before);
    while (capture_frame_line_read(bytes + at, size - at, check, &line, &used, &fault) ==
           CAPTURE_OK) {
        size_t length = capture_frame_line_write(&line, before, text);
        /* Numbers may be written in more than one way (leading zeros); the check tells. */
        if (used == 0 || used > size - at || length > sizeof text)
            abort();
        at += used;
        memcpy(before, check, sizeof before);
    }
    free(bytes);
    return 0;
}
