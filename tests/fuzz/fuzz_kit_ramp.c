/* Any bytes to the parser of ramps: it must refuse or accept, and neither crash nor leak. */
#include "calib/ramp.h"
#include "tests/fuzz/fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    struct ramp *ramp;
    int error = calib_ramp_parse((const char *)data, size, "fuzz", &fuzz_sink, &ramp, &fault);

    fuzz_result_check(error, ramp, &fault);
    calib_ramp_destroy(&ramp);
    return 0;
}
