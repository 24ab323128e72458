/* tests/fuzz/fuzz_kit.h: what the fuzzers of the kit's parsers ask of every parser: it must refuse
 * or accept, say why it refuses, and neither crash nor leak. */
#ifndef TESTS_FUZZ_KIT_H
#define TESTS_FUZZ_KIT_H

#include "calib/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A fault as it is before a parser was called: nothing is told yet. */
#define FUZZ_FAULT                                                                                 \
    {                                                                                              \
        .line = -1                                                                                 \
    }

/* A fault or warning must have words, and no line below 0. */
static inline void fuzz_fault_check(void *context, const struct calib_fault *fault)
{
    (void)context;
    if (fault->text[0] == 0 || fault->line < 0) {
        abort();
    }
}

/* The sink for warnings; they are checked alike. */
static const struct calib_sink fuzz_sink = {fuzz_fault_check, NULL};

/* What a parser returned, and what it made: one or the other, and never an error without words. */
static inline void fuzz_result_check(int error, const void *made, const struct calib_fault *fault)
{
    if ((error == 0) != (made != NULL)) {
        abort();
    }
    if (error) {
        fuzz_fault_check(NULL, fault);
    }
}

#endif
