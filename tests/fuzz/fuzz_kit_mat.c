/* Any bytes to the parser of mats: it must refuse or accept, and neither crash nor leak. */
#include "calib/mat.h"
#include "tests/fuzz/fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    struct mat *mat;
    int error = calib_mat_parse((const char *)data, size, "fuzz", &fuzz_sink, &mat, &fault);

    fuzz_result_check(error, mat, &fault);
    calib_mat_destroy(&mat);
    return 0;
}
