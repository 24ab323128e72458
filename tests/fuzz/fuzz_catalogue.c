/* Any bytes as a catalogue: refused, or every message in it can be looked up, and texts said by it.
 */
#include "pubsub/catalogue.h"
#include "pubsub/phrase.h"
#include "tests/fuzz/fuzz_kit.h"

#include <stdlib.h>
#include <string.h>

static void entry_check(const struct catalogue *catalogue, size_t index)
{
    struct catalogue_entry entry;
    char out[64];

    pubsub_catalogue_entry(catalogue, index, &entry);
    const char *text = pubsub_catalogue_text(catalogue, entry.message);
    if (text != entry.text && !(text == NULL && (index == 0 || entry.text[0] == 0)))
        abort();
    for (unsigned long n = 0; n < 4; n++)
        pubsub_catalogue_text_n(catalogue, entry.message, n);
    if (index < 16)
        pubsub_phrase_translate(catalogue, NULL, entry.text, out, sizeof out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct catalogue *catalogue = NULL;

    if (pubsub_catalogue_create(data, size, &catalogue) == PUBSUB_OK)
        for (size_t i = 0; i < pubsub_catalogue_count(catalogue); i++)
            entry_check(catalogue, i);
    pubsub_catalogue_destroy(&catalogue);
    return 0;
}
