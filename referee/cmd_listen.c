/* referee/cmd_listen.c: where the scoreboard's pages are to be had. */
#include "referee/cmd_listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT_FIRST 8080
#define PORTS_TRIED 100

/* "[::1]:8080" as "::1" and "8080". */
static bool address_split(const char *address, char host[CMD_LISTEN_MAX], char port[8])
{
    const char *colon = strrchr(address, ':');
    bool bracket = address[0] == '[';
    size_t length = colon ? (size_t)(colon - address) : 0;
    char *end;

    if (length == 0 || length >= CMD_LISTEN_MAX || strlen(colon + 1) > 5 || !colon[1])
        return false;
    long number = strtol(colon + 1, &end, 10);
    if (*end || number < 0 || number > 65535 || colon[1] == '-' || colon[1] == '+')
        return false;
    if (bracket && (length < 3 || address[length - 1] != ']'))
        return false;
    memcpy(host, address + bracket, length - 2 * (size_t)bracket);
    host[length - 2 * (size_t)bracket] = 0;
    snprintf(port, 8, "%ld", number);
    return bracket || !strchr(host, ':');
}

/* 0, or why nobody can listen there. A program that ended a moment ago is no reason. */
static int bind_try(const struct addrinfo *at)
{
    int one = 1, number = 0;
    int file = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (file < 0)
        return errno;
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(file, at->ai_addr, at->ai_addrlen) != 0 || listen(file, 1) != 0)
        number = errno;
    close(file);
    return number;
}

/* NULL: it can be listened at; else why not. */
static const char *address_try(const char *host, const char *port)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;

    int error = getaddrinfo(host, port, &hints, &found);
    if (error != 0)
        return gai_strerror(error);
    int number = bind_try(found);
    freeaddrinfo(found);
    return number ? strerror(number) : NULL;
}

bool cmd_listen_check(const struct cmd_verb *verb, const char *address, char out[CMD_LISTEN_MAX])
{
    char host[CMD_LISTEN_MAX], port[8];
    const char *why;

    if (!address_split(address, host, port)) {
        cmd_error("%s: --listen %s: like 127.0.0.1:8080 or [::1]:8080 is needed", verb->name,
                  address);
        return false;
    }
    if ((why = address_try(host, port))) {
        cmd_error("%s: --listen %s: %s", verb->name, address, why);
        return false;
    }
    snprintf(out, CMD_LISTEN_MAX, "%s", address);
    return true;
}

bool cmd_listen_default(char out[CMD_LISTEN_MAX])
{
    char port[8];

    for (int p = PORT_FIRST; p < PORT_FIRST + PORTS_TRIED; p++) {
        snprintf(port, sizeof port, "%d", p);
        snprintf(out, CMD_LISTEN_MAX, "127.0.0.1:%s", port);
        if (!address_try("127.0.0.1", port))
            return true;
    }
    out[0] = 0;
    cmd_error("no port from %d to %d is free on 127.0.0.1: there is no scoreboard", PORT_FIRST,
              PORT_FIRST + PORTS_TRIED - 1);
    return false;
}
