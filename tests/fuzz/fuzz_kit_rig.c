/* Any bytes to the parser of rigs: it must refuse or accept, and neither crash nor leak. */
#include "calib/rig.h"
#include "tests/fuzz/fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    struct rig *rig;
    int error = calib_rig_parse((const char *)data, size, "fuzz", &fuzz_sink, &rig, &fault);

    fuzz_result_check(error, rig, &fault);
    calib_rig_destroy(&rig);
    return 0;
}
