/* pubsub/web_listen.c: listening. */
#include "pubsub/web_listen.h"

#include "calib/mark.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections that wait to be accepted: a hall that comes back at once after a restart. */
#define BACKLOG 1024

bool pubsub_web_address_from(const struct sockaddr *from, struct web_address *out)
{
    static const uint8_t wrap[12] = {[10] = 0xFF, [11] = 0xFF};
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    memset(out, 0, sizeof *out);
    if (from->sa_family == AF_INET) {
        memcpy(&v4, from, sizeof v4);
        memcpy(out->bytes, &v4.sin_addr, 4);
        out->port = ntohs(v4.sin_port);
        return true;
    }
    if (from->sa_family != AF_INET6)
        return false;
    memcpy(&v6, from, sizeof v6);
    out->port = ntohs(v6.sin6_port);
    out->v6 = memcmp(&v6.sin6_addr, wrap, sizeof wrap) != 0;
    memcpy(out->bytes, (const uint8_t *)&v6.sin6_addr + (out->v6 ? 0 : 12), out->v6 ? 16 : 4);
    return true;
}

static socklen_t address_fill(const struct web_address *address, struct sockaddr_storage *out)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(address->port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(address->port)};

    memset(out, 0, sizeof *out);
    if (address->v6) {
        memcpy(&v6.sin6_addr, address->bytes, 16);
        memcpy(out, &v6, sizeof v6);
        return sizeof v6;
    }
    memcpy(&v4.sin_addr, address->bytes, 4);
    memcpy(out, &v4, sizeof v4);
    return sizeof v4;
}

/* The socket, or a negative errno. */
static int socket_listen(struct web_address *address)
{
    struct sockaddr_storage place;
    socklen_t length = address_fill(address, &place);
    const int yes = 1;
    int file = socket(place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (file < 0)
        return -errno;
    /* A server that is started again takes its port back at once. */
    (void)setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(file, (const struct sockaddr *)&place, length) != 0 || listen(file, BACKLOG) != 0) {
        int number = errno;
        close(file);
        return -number;
    }
    length = sizeof place;
    struct web_address got;
    if (getsockname(file, (struct sockaddr *)&place, &length) == 0 &&
        pubsub_web_address_from((const struct sockaddr *)&place, &got))
        address->port = got.port;
    return file;
}

static int listen_fault(const struct web_address *address, int number, struct wire_fault *fault)
{
    const char *why = strerror(number);
    char text[WEB_HOST_TEXT_MAX];
    int error = PUBSUB_E_SYSTEM;

    if (number == EADDRINUSE) {
        why = N_("another program listens there; give another port, or 0 for any");
        error = PUBSUB_E_IN_USE;
    } else if (number == EADDRNOTAVAIL || number == EAFNOSUPPORT) {
        why = N_("this machine has no such address");
        error = PUBSUB_E_ADDRESS;
    } else if (number == EACCES) {
        why = N_("ports below 1024 are not for everybody");
        error = PUBSUB_E_ADDRESS;
    }
    pubsub_web_address_text(address, text);
    if (fault)
        snprintf(fault->text, sizeof fault->text, "%.64s: %s", text, why);
    return error;
}

int pubsub_web_listen(struct web_address *address, struct wire_fault *fault)
{
    int file = socket_listen(address);

    return file < 0 ? listen_fault(address, -file, fault) : file;
}
