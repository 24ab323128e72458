/* tests/fuzz/fuzz_truth.c: whatever bytes a truth file holds, the parser refuses or takes them. */
#include "vision/truth.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = {.line = 0};
    struct truth *truth = NULL;
    if (vision_truth_parse((const char *)data, size, "fuzz", &truth, &fault) == 0)
        for (int i = 0; i < truth->seats; i++)
            (void)vision_truth_full_view(&truth->seat[i]);
    vision_truth_destroy(&truth);
    return 0;
}
