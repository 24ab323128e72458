/* Any bytes to the parser of decks: it must refuse or accept, and neither crash nor leak. */
#include "calib/deck.h"

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
    struct deck *deck;
    int error = calib_deck_parse((const char *)data, size, "fuzz", &sink, &deck, &fault);

    if ((error == 0) != (deck != NULL) || (error && (fault.text[0] == 0 || fault.line < 0))) {
        abort();
    }
    if (deck) {
        int quarters;
        const struct card *card = calib_deck_find_grid(deck, &deck->card[0].grid, &quarters);
        if (card != &deck->card[0] || quarters != 0) {
            abort();
        }
    }
    calib_deck_destroy(&deck);
    return 0;
}
