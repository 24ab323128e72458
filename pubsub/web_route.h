/* pubsub/web_route.h: what a request asks for, and whether it may. Pure: no I/O, no clock. */
#ifndef PUBSUB_WEB_ROUTE_H
#define PUBSUB_WEB_ROUTE_H

#include "pubsub/web_asset.h"
#include "pubsub/web_site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bodies are requests of PROTOCOL.md. */
#define WEB_BODY_MAX ((size_t)64 << 10)
#define WEB_LANG_MAX 8

enum web_route {
    WEB_ASSET,  /* a page or one of its files */
    WEB_DENIED, /* a page that needs a key, which this address must not carry: a page says why */
    WEB_LANG,
    WEB_EVENTS,
    WEB_TIME,
    WEB_EVIDENCE, /* the picture of a ruling */
    WEB_FINISH,   /* the picture of a photo finish */
    WEB_COMMAND,
    WEB_PICTURE,
    WEB_OUTLINE,
    WEB_HISTORY,
    WEB_QR,
    WEB_FINISHES /* which photo finishes there are */
};

/* What is known of a request before its body. Texts are lent; NULL: the header is not there. */
struct web_facts {
    const char *method;
    const char *path; /* as sent, without the query, escapes as they are */
    const char *host, *origin, *fetch_site, *content_type, *key;
    int hosts;             /* how many Host headers there are */
    const char *seat;      /* of the query */
    const char *from;      /* of the query */
    struct web_address at; /* where the connection came in */
};

struct web_content {
    const struct web_site *site;
    const struct web_asset *assets;
    size_t asset_count;
};

/* What is to be done. */
struct web_ruling {
    int status;      /* 200: go on; else answer so */
    const char *why; /* a word of PROTOCOL.md, when it is not 200 */
    const char *text;
    const char *allow; /* for 405 */
    enum web_route route;
    const struct web_asset *asset; /* WEB_ASSET */
    char lang[WEB_LANG_MAX];       /* WEB_LANG */
    int seat;                      /* WEB_QR */
    int64_t from;                  /* WEB_HISTORY */
    int64_t event, index;          /* WEB_EVIDENCE: a decision's name; WEB_FINISH: the event */
};

void pubsub_web_route(const struct web_content *content, const struct web_facts *facts,
                      struct web_ruling *out);

/* The request for the referee's socket that a body makes: the body's object with `v` and the key.
 * The caller frees *out. PUBSUB_E_ARGUMENT: no JSON object; PUBSUB_E_MEMORY. */
int pubsub_web_command(const char *body, size_t length, const char *key, char **out);

/* The status that fits an answer of the request socket. */
int pubsub_web_status(const char *answer, size_t length);

#endif
