/* pubsub/web_asset.h: the pages' files, which stand inside the program. The table is written by
 * calib/embed.sh from pubsub/web when the program is built. No I/O. */
#ifndef PUBSUB_WEB_ASSET_H
#define PUBSUB_WEB_ASSET_H

#include <stddef.h>
#include <stdint.h>

#define WEB_BUILD_MAX 17 /* 16 hexadecimal digits and a 0 */
/* What a page has in place of the build's digest: <meta name="build" content="@BUILD@">. */
#define WEB_BUILD_MARK "@BUILD@"

struct web_asset {
    const char *name; /* "board.html": no folders */
    const unsigned char *bytes;
    size_t length;
};

extern const struct web_asset pubsub_web_assets[];
extern const size_t pubsub_web_asset_count;

/* The file of exactly that name, or NULL. */
const struct web_asset *pubsub_web_asset_find(const struct web_asset *assets, size_t count,
                                              const char *name);

/* "text/html; charset=utf-8" and so on, by the name's ending; NULL for a kind that is not served.
 */
const char *pubsub_web_asset_type(const char *name);

/* The digest of these files and of the program's version: another one means that a page that is
 * open is an old one. */
void pubsub_web_build(const struct web_asset *assets, size_t count, const char *version,
                      char out[WEB_BUILD_MAX]);

/* The file with every mark replaced by the digest, which the caller frees; NULL: no memory. */
char *pubsub_web_asset_stamped(const struct web_asset *asset, const char build[WEB_BUILD_MAX],
                               size_t *length);

#endif
