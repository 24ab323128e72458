/* Any bytes as an EXIF block. */
#include <stdint.h>
#include <stdlib.h>

#include "capture/exif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int orientation = capture_exif_orientation(data, size);

    if (orientation < 1 || orientation > 8)
        abort();
    return 0;
}
