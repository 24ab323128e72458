/* Any bytes to the parser of card styles: it must refuse or accept, and neither crash nor leak. */
#include "calib/deck.h"
#include "tests/fuzz/fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    struct cardstyle *cardstyle;
    int error =
        calib_cardstyle_parse((const char *)data, size, "fuzz", &fuzz_sink, &cardstyle, &fault);

    fuzz_result_check(error, cardstyle, &fault);
    calib_cardstyle_destroy(&cardstyle);
    return 0;
}
