/* Any bytes to the parser of sets: it must refuse or accept, and neither crash nor leak. */
#include "calib/blockset.h"
#include "calib/symbol.h"
#include "tests/fuzz/fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    struct blockset *blockset;
    int error =
        calib_blockset_parse((const char *)data, size, "fuzz", &fuzz_sink, &blockset, &fault);

    fuzz_result_check(error, blockset, &fault);
    for (int i = 0; blockset && i < blockset->symbols; i++) {
        float field[8 * 8], ink[8 * 8];
        calib_symbol_draw(&blockset->symbol[i], blockset->rim, 8, 2, field, ink);
    }
    calib_blockset_destroy(&blockset);
    return 0;
}
