/* Any bytes to the parser of certificates: it must refuse or accept, and neither crash nor leak. */
#include "calib/certificate.h"
#include "tests/fuzz/fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    struct certificate certificate;
    int error = calib_certificate_parse((const char *)data, size, "fuzz", &certificate, &fault);

    fuzz_result_check(error, error ? NULL : &certificate, &fault);
    return 0;
}
