/* pubsub/address.c: addresses of the wire. */
#include "pubsub/address.h"

#include "calib/mark.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IPC "ipc://"
#define TCP "tcp://"
/* sockaddr_un's path with its 0. */
#define PATH_SIZE 108
#define PORT_MOST 65535

static const char name_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
/* Of an IPv6 address with the link that it is on. */
static const char six_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:.%-_";

static int refuse(struct wire_fault *fault, const char *text, const char *why)
{
    if (fault)
        snprintf(fault->text, sizeof fault->text, "%.120s: %s", text, why);
    return PUBSUB_E_ADDRESS;
}

static int file_parse(const char *text, struct address *out, struct wire_fault *fault)
{
    const char *path = text + strlen(IPC);

    out->reach = ADDRESS_FILE;
    if (path[0] != '/' || strlen(path) >= PATH_SIZE)
        return refuse(fault, text, "a full path of at most 107 bytes is needed");
    snprintf(out->host, sizeof out->host, "%s", path);
    return PUBSUB_OK;
}

/* The port behind the last colon; -1: none. */
static int port_parse(const char *text, bool binding)
{
    long port = 0;

    if (binding && (strcmp(text, "*") == 0 || strcmp(text, "0") == 0))
        return 0;
    if (text[0] == 0 || text[0] == '0' || strlen(text) > 5 ||
        strspn(text, "0123456789") != strlen(text))
        return -1;
    port = strtol(text, NULL, 10);
    return port <= PORT_MOST ? (int)port : -1;
}

static bool host_parse(const char *host, size_t length, bool binding, struct address *out)
{
    out->six = length > 2 && host[0] == '[' && host[length - 1] == ']';
    if (out->six)
        host++, length -= 2;
    if (length < 1 || length >= sizeof out->host)
        return false;
    memcpy(out->host, host, length);
    out->host[length] = 0;
    if (binding && !out->six && strcmp(out->host, "*") == 0)
        return true;
    return strspn(out->host, out->six ? six_letters : name_letters) == length &&
           (!out->six || strchr(out->host, ':'));
}

static bool host_here(const struct address *address)
{
    if (address->six)
        return strcmp(address->host, "::1") == 0;
    return strcmp(address->host, "127.0.0.1") == 0 || strcmp(address->host, "localhost") == 0;
}

int pubsub_address_parse(const char *text, bool binding, struct address *out,
                         struct wire_fault *fault)
{
    memset(out, 0, sizeof *out);
    if (strlen(text) >= ADDRESS_MAX)
        return refuse(fault, text, "too long an address");
    if (strncmp(text, IPC, strlen(IPC)) == 0)
        return file_parse(text, out, fault);
    if (strncmp(text, TCP, strlen(TCP)) != 0)
        return refuse(fault, text, "an address begins with tcp:// or ipc://");
    const char *host = text + strlen(TCP), *colon = strrchr(host, ':');
    if (!colon || (out->port = port_parse(colon + 1, binding)) < 0)
        return refuse(fault, text,
                      binding ? "a port is needed at its end: 1 to 65535, or * for any"
                              : N_("a port is needed at its end: 1 to 65535"));
    if (!host_parse(host, (size_t)(colon - host), binding, out))
        return refuse(fault, text,
                      "a host's name or address is needed, an IPv6 address in brackets");
    out->reach = host_here(out) ? ADDRESS_HERE : ADDRESS_FAR;
    return PUBSUB_OK;
}
