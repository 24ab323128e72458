/* pubsub/web_site.c: addresses, Host and Origin. */
#include "pubsub/web_site.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PORT_MAX 65535
#define PORT_HTTP 80
#define PORT_HTTPS 443

/* A host and the port behind it, or -1. */
struct host {
    char name[WEB_NAME_MAX];
    bool literal; /* an address, not a name */
    struct web_address address;
    int port;
};

static bool character_fits(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

static bool name_fits(const char *name)
{
    size_t length = strlen(name);

    if (length == 0 || length >= WEB_NAME_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!character_fits(name[i]))
            return false;
    return true;
}

/* ":8080" or nothing; false for anything else. */
static bool port_parse(const char *text, int *port)
{
    int number = 0;

    *port = -1;
    if (*text == 0)
        return true;
    if (*text++ != ':' || *text == 0)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        number = 10 * number + (*text - '0');
        if (number > PORT_MAX)
            return false;
    }
    *port = number;
    return true;
}

/* IPv6 wraps IPv4 addresses where one socket hears both. */
static void address_unwrap(struct web_address *address)
{
    static const uint8_t wrap[12] = {[10] = 0xFF, [11] = 0xFF};

    if (!address->v6 || memcmp(address->bytes, wrap, sizeof wrap) != 0)
        return;
    memmove(address->bytes, address->bytes + 12, 4);
    memset(address->bytes + 4, 0, 12);
    address->v6 = false;
}

static bool literal_parse(const char *text, bool v6, struct web_address *out)
{
    memset(out, 0, sizeof *out);
    out->v6 = v6;
    if (inet_pton(v6 ? AF_INET6 : AF_INET, text, out->bytes) != 1)
        return false;
    address_unwrap(out);
    return true;
}

static bool host_parse(const char *text, struct host *out)
{
    bool v6 = text[0] == '[';
    const char *begin = text + v6;
    size_t length = strcspn(begin, v6 ? "]" : ":");

    if (length == 0 || length >= sizeof out->name || (v6 && begin[length] != ']'))
        return false;
    memcpy(out->name, begin, length);
    out->name[length] = 0;
    out->literal = literal_parse(out->name, v6, &out->address);
    return (out->literal || (!v6 && name_fits(out->name))) &&
           port_parse(begin + length + v6, &out->port);
}

bool pubsub_web_address_parse(const char *text, struct web_address *out)
{
    struct host host;

    if (!host_parse(text, &host) || host.port < 0)
        return false;
    if (!host.literal && strcasecmp(host.name, "localhost") == 0)
        host.literal = literal_parse("127.0.0.1", false, &host.address);
    *out = host.address;
    out->port = (uint16_t)host.port;
    return host.literal;
}

void pubsub_web_address_text(const struct web_address *address, char out[WEB_HOST_TEXT_MAX])
{
    char literal[INET6_ADDRSTRLEN] = "";

    inet_ntop(address->v6 ? AF_INET6 : AF_INET, address->bytes, literal, sizeof literal);
    snprintf(out, WEB_HOST_TEXT_MAX, address->v6 ? "[%s]:%u" : "%s:%u", literal, address->port);
}

bool pubsub_web_address_loopback(const struct web_address *address)
{
    static const uint8_t one[16] = {[15] = 1};

    return address->v6 ? memcmp(address->bytes, one, sizeof one) == 0 : address->bytes[0] == 127;
}

bool pubsub_web_address_any(const struct web_address *address)
{
    static const uint8_t zero[16] = {0};

    return memcmp(address->bytes, zero, sizeof zero) == 0;
}

bool pubsub_web_address_same(const struct web_address *one, const struct web_address *other)
{
    return one->v6 == other->v6 && memcmp(one->bytes, other->bytes, sizeof one->bytes) == 0;
}

bool pubsub_web_site_name(struct web_site *site, const char *name)
{
    struct web_address address;

    if (site->names >= WEB_NAMES_MAX || strlen(name) >= WEB_NAME_MAX ||
        (!name_fits(name) && !literal_parse(name, true, &address)))
        return false;
    snprintf(site->name[site->names++], WEB_NAME_MAX, "%s", name);
    return true;
}

bool pubsub_web_site_local(const struct web_site *site)
{
    return pubsub_web_address_loopback(&site->listen);
}

static bool named(const struct web_site *site, const struct host *host)
{
    struct web_address given;

    for (int i = 0; i < site->names; i++) {
        if (strcasecmp(site->name[i], host->name) == 0)
            return true;
        if (host->literal && literal_parse(site->name[i], host->address.v6, &given) &&
            pubsub_web_address_same(&given, &host->address))
            return true;
    }
    return false;
}

static bool port_ours(const struct web_site *site, const struct host *host)
{
    int implied = site->tls ? PORT_HTTPS : PORT_HTTP;

    return (host->port < 0 ? implied : host->port) == site->listen.port;
}

bool pubsub_web_host_fits(const struct web_site *site, const struct web_address *local,
                          const char *text)
{
    struct web_address reached = *local;
    struct host host;

    address_unwrap(&reached);
    if (!host_parse(text, &host))
        return false;
    if (named(site, &host))
        return true;
    if (!port_ours(site, &host))
        return false;
    if (pubsub_web_address_loopback(&reached))
        return host.literal ? pubsub_web_address_loopback(&host.address)
                            : strcasecmp(host.name, "localhost") == 0;
    return host.literal && pubsub_web_address_same(&host.address, &reached);
}

bool pubsub_web_origin_fits(const struct web_site *site, const char *host, const char *origin)
{
    static const char plain[] = "http://", secure[] = "https://";
    struct host parsed;

    /* A program that stands before us may speak TLS for us, under a name that was given. */
    if (strncasecmp(origin, secure, sizeof secure - 1) == 0 &&
        (site->tls || (host_parse(host, &parsed) && named(site, &parsed))))
        origin += sizeof secure - 1;
    else if (strncasecmp(origin, plain, sizeof plain - 1) == 0 && !site->tls)
        origin += sizeof plain - 1;
    else
        return false;
    return strcasecmp(origin, host) == 0;
}
