/* Any bytes to the parser of sets: it must refuse or accept, and neither crash nor leak. */
#include "calib/blockset.h"
#include "calib/symbol.h"

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
    struct blockset *blockset;
    int error = calib_blockset_parse((const char *)data, size, "fuzz", &sink, &blockset, &fault);

    if ((error == 0) != (blockset != NULL) || (error && (fault.text[0] == 0 || fault.line < 0))) {
        abort();
    }
    for (int i = 0; blockset && i < blockset->symbols; i++) {
        float field[8 * 8], ink[8 * 8];
        calib_symbol_draw(&blockset->symbol[i], blockset->rim, 8, 2, field, ink);
    }
    calib_blockset_destroy(&blockset);
    return 0;
}
