/* Whatever a device of the input layer gives: presses are dated and counted, and nothing else. */
#include "capture/button.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct button_filter filter;
    struct button_press press[16];
    bool resync;

    memset(&filter, 0, sizeof filter);
    for (int turn = 0; turn < 2; turn++) {
        int count = capture_button_filter(&filter, data, size, press, 16, &resync);
        if (count > 16 || (count < 0 && count != CAPTURE_E_DAMAGED))
            abort();
        for (int i = 0; i < count; i++)
            if (press[i].code < 0 || press[i].code >= BUTTON_CODES || press[i].at_ns < 0)
                abort();
        capture_button_filter_sync(&filter, data, size);
    }
    return 0;
}
