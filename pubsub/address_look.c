/* pubsub/address_look.c: what this machine and its name service know of an address. */
#include "pubsub/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

/* Loopback answers at once, or refuses. */
#define PROBE_MS 50

bool pubsub_address_loopback_answers(bool six, int port)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 other = {.sin6_family = AF_INET6,
                                 .sin6_port = htons((uint16_t)port),
                                 .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int error = ECONNREFUSED;
    socklen_t size = sizeof error;
    int probe = socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct pollfd wait = {.fd = probe, .events = POLLOUT};

    if (probe < 0)
        return false;
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = six ? connect(probe, (const struct sockaddr *)&other, sizeof other)
                   : connect(probe, (const struct sockaddr *)&four, sizeof four);
    if (made == 0)
        error = 0;
    else if (errno == EINPROGRESS && poll(&wait, 1, PROBE_MS) == 1)
        getsockopt(probe, SOL_SOCKET, SO_ERROR, &error, &size);
    close(probe);
    return error == 0;
}

bool pubsub_address_name_is_six(const char *host)
{
    struct addrinfo want = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *all = NULL;
    bool four = false, six = false;

    if (getaddrinfo(host, NULL, &want, &all) != 0)
        return false;
    for (const struct addrinfo *at = all; at; at = at->ai_next) {
        four |= at->ai_family == AF_INET;
        six |= at->ai_family == AF_INET6;
    }
    freeaddrinfo(all);
    return six && !four;
}
