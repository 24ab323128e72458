/* Any bytes to the parser of ramps: it must refuse or accept, and neither crash nor leak. */
#include "calib/ramp.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(void *context, const struct calib_fault *fault)
{
    (void)context;
    if (fault->text[0] == 0 || fault->line < 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct calib_sink sink = {take, NULL};
    struct calib_fault fault = {.line = -1};
    struct ramp *ramp;
    int error = calib_ramp_parse((const char *)data, size, "fuzz", &sink, &ramp, &fault);

    if ((error == 0) != (ramp != NULL) || (error && (fault.text[0] == 0 || fault.line < 0))) {
        abort();
    }
    calib_ramp_destroy(&ramp);
    return 0;
}
