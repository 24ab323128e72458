/* Any bytes to the parser of decks: it must refuse or accept, and neither crash nor leak. */
#include "calib/deck.h"
#include "tests/fuzz/fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calib_fault fault = FUZZ_FAULT;
    struct deck *deck;
    int error = calib_deck_parse((const char *)data, size, "fuzz", &fuzz_sink, &deck, &fault);

    fuzz_result_check(error, deck, &fault);
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
