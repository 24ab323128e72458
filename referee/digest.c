/* referee/digest.c: SHA-256 as text. */
#include "referee/digest.h"

#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>

_Static_assert(DIGEST_TEXT_MAX == 2 * crypto_hash_sha256_BYTES + 1, "two digits a byte");

void referee_digest(const void *bytes, size_t length, char text[DIGEST_TEXT_MAX])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, bytes, length);
    sodium_bin2hex(text, DIGEST_TEXT_MAX, hash, sizeof hash);
}
