/* referee/cmd_build.c: which build of the program this is. */
#include "referee/cmd_build.h"

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

void cmd_build_find(char out[CMD_BUILD_MAX])
{
    unsigned char bytes[65536], hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state sum;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ssize_t got;

    crypto_hash_sha256_init(&sum);
    while (file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0)
        crypto_hash_sha256_update(&sum, bytes, (size_t)got);
    crypto_hash_sha256_final(&sum, hash);
    if (file >= 0)
        close(file);
    sodium_bin2hex(out, CMD_BUILD_MAX, hash, 8);
}
