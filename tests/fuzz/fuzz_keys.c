/* Any bytes as a file of keys, and as an address: refused with words, or read; a key that was read
 * is written as the same text. */
#include "pubsub/address.h"
#include "pubsub/keys.h"
#include "tests/fuzz/fuzz_kit.h"

#include <stdlib.h>
#include <string.h>

static void keys_check(const char *text, size_t size)
{
    struct wire_fault fault = {.text = ""};
    struct keys_file file;
    char again[Z85_KEY_TEXT];
    uint8_t key[Z85_KEY_BYTES];

    if (pubsub_keys_parse(text, size, "a.key", &file, &fault) != PUBSUB_OK) {
        if (fault.text[0] == 0)
            abort();
        return;
    }
    pubsub_z85_print(file.public_key, again);
    if (!file.has_public || !pubsub_z85_parse(again, strlen(again), key) ||
        memcmp(key, file.public_key, sizeof key) != 0)
        abort();
}

static void address_check(const char *text, bool binding)
{
    struct wire_fault fault = {.text = ""};
    struct address address;

    if (pubsub_address_parse(text, binding, &address, &fault) != PUBSUB_OK) {
        if (fault.text[0] == 0)
            abort();
        return;
    }
    /* What libzmq would take for another form never passes. */
    if (strpbrk(text, ";@ \n") && address.reach != ADDRESS_FILE)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    keys_check(text, size);
    address_check(text, true);
    address_check(text, false);
    free(text);
    return 0;
}
