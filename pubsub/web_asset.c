/* pubsub/web_asset.c: the pages' files. */
#include "pubsub/web_asset.h"

#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *ending, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".wav", "audio/wav"},
    {".ogg", "audio/ogg"},
};

const struct web_asset *pubsub_web_asset_find(const struct web_asset *assets, size_t count,
                                              const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(assets[i].name, name) == 0)
            return &assets[i];
    return NULL;
}

const char *pubsub_web_asset_type(const char *name)
{
    const char *ending = strrchr(name, '.');

    for (size_t i = 0; ending && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].ending, ending) == 0)
            return types[i].type;
    return NULL;
}

/* A length before each text, so that nothing can move from one into the next. */
static void digest_add(crypto_hash_sha256_state *state, const void *bytes, size_t length)
{
    const uint64_t size = length;

    crypto_hash_sha256_update(state, (const unsigned char *)&size, sizeof size);
    crypto_hash_sha256_update(state, bytes, length);
}

void pubsub_web_build(const struct web_asset *assets, size_t count, const char *version,
                      char out[WEB_BUILD_MAX])
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    digest_add(&state, version, strlen(version));
    for (size_t i = 0; i < count; i++) {
        digest_add(&state, assets[i].name, strlen(assets[i].name));
        digest_add(&state, assets[i].bytes, assets[i].length);
    }
    crypto_hash_sha256_final(&state, digest);
    sodium_bin2hex(out, WEB_BUILD_MAX, digest, (WEB_BUILD_MAX - 1) / 2);
}

/* The first mark, or NULL. */
static const unsigned char *mark_find(const unsigned char *from, const unsigned char *end)
{
    const size_t mark = sizeof WEB_BUILD_MARK - 1;

    while (from < end && (from = memchr(from, WEB_BUILD_MARK[0], (size_t)(end - from)))) {
        if ((size_t)(end - from) >= mark && memcmp(from, WEB_BUILD_MARK, mark) == 0)
            return from;
        from++;
    }
    return NULL;
}

char *pubsub_web_asset_stamped(const struct web_asset *asset, const char build[WEB_BUILD_MAX],
                               size_t *length)
{
    const size_t mark = sizeof WEB_BUILD_MARK - 1, stamp = WEB_BUILD_MAX - 1;
    const unsigned char *from = asset->bytes, *end = asset->bytes + asset->length, *found;
    size_t marks = 0;

    while ((found = mark_find(from, end))) {
        marks++;
        from = found + mark;
    }
    char *out = malloc(asset->length + marks * (stamp - mark) + 1), *to = out;
    if (!out)
        return NULL;
    from = asset->bytes;
    while ((found = mark_find(from, end))) {
        memcpy(to, from, (size_t)(found - from));
        to += found - from;
        memcpy(to, build, stamp);
        to += stamp;
        from = found + mark;
    }
    memcpy(to, from, (size_t)(end - from));
    to += end - from;
    *to = 0;
    *length = (size_t)(to - out);
    return out;
}
