/* pubsub/web_site.h: who may ask our web server: addresses, the Host and Origin of a request.
 *
 * A page of a stranger, opened in a browser on this machine, can send requests to our port; by DNS
 * rebinding it can even read the answers, for the browser then takes our address for the
 * stranger's name. So a request must name us in its Host as an address that it reached us at, or as
 * a name that the operator gave, and what came from another page is refused. Pure: no I/O. */
#ifndef PUBSUB_WEB_SITE_H
#define PUBSUB_WEB_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEB_NAME_MAX 254 /* a DNS name of 253 characters and a 0 */
#define WEB_NAMES_MAX 8
/* "[ffff:..]:65535" or a name with a port, and a 0. */
#define WEB_HOST_TEXT_MAX (WEB_NAME_MAX + 8)

struct web_address {
    bool v6;           /* an IPv4 address that IPv6 wraps counts as IPv4 */
    uint8_t bytes[16]; /* of IPv4 the first four */
    uint16_t port;
};

/* "127.0.0.1:8080", "[::1]:0", "localhost:8080" (the IPv4 one). False for anything else. */
bool pubsub_web_address_parse(const char *text, struct web_address *out);
/* The same form again. */
void pubsub_web_address_text(const struct web_address *address, char out[WEB_HOST_TEXT_MAX]);
bool pubsub_web_address_loopback(const struct web_address *address);
/* 0.0.0.0 or [::]: every address of the machine. */
bool pubsub_web_address_any(const struct web_address *address);
bool pubsub_web_address_same(const struct web_address *one, const struct web_address *other);

/* What we are called. */
struct web_site {
    struct web_address listen; /* with the port that was got */
    char name[WEB_NAMES_MAX][WEB_NAME_MAX];
    int names;
    bool tls;
};

/* Letters, digits, '-', '_' and '.', or an address without its port; 1 to 253 characters. False
 * when it is none, or there are too many. */
bool pubsub_web_site_name(struct web_site *site, const char *name);
/* Whether all who can reach us are on this machine. */
bool pubsub_web_site_local(const struct web_site *site);

/* Whether a Host header names us. `local` is the address that the connection came in at. The port
 * must be ours, but after a name that was given: there another program may stand before us. */
bool pubsub_web_host_fits(const struct web_site *site, const struct web_address *local,
                          const char *host);

/* Whether an Origin header is that of our own pages; `host` is the request's, which fits. */
bool pubsub_web_origin_fits(const struct web_site *site, const char *host, const char *origin);

#endif
