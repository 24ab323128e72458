/* pubsub/web_server.c: the web server's beginning and end. */
#include "pubsub/web_server.h"

#include "calib/mark.h"
#include "pubsub/web_listen.h"
#include "pubsub/web_server_parts.h"

#include <gnutls/gnutls.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Request line and headers of one request, and what is read and written of a body at a time. */
#define CONNECTION_BYTES ((size_t)16 << 10)
/* Without a byte for so long a connection ends; streams have one every second. */
#define SILENT_S 30
/* Ports that are tried after one that is in use, before any that is free. */
#define NEXT_PORTS 9
#define PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

static int fail(struct wire_fault *fault, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct wire_fault *fault, int error, const char *format, ...)
{
    va_list arguments;

    if (!fault)
        return error;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return error;
}

/* As asked for, or with another port where that is allowed. The socket, or a negative error. */
static int socket_open(const struct web_options *options, struct web_address *address,
                       struct wire_fault *fault)
{
    int file = PUBSUB_E_IN_USE;

    if (options->again && (options->next_free || options->listen.port == 0)) {
        *address = options->listen;
        address->port = options->again;
        file = pubsub_web_listen(address, NULL);
        if (file >= 0)
            return file;
        file = PUBSUB_E_IN_USE;
    }
    for (int i = 0; i <= NEXT_PORTS && file == PUBSUB_E_IN_USE; i++) {
        *address = options->listen;
        address->port = (uint16_t)(options->listen.port + i);
        file = pubsub_web_listen(address, fault);
        if (!options->next_free)
            return file;
    }
    if (file == PUBSUB_E_IN_USE) {
        *address = options->listen;
        address->port = 0;
        file = pubsub_web_listen(address, fault);
    }
    return file;
}

/* ---- TLS ---- */

/* libmicrohttpd would only say that it cannot start. */
static int tls_check(const struct web_options *options, struct wire_fault *fault)
{
    gnutls_certificate_credentials_t credentials;
    gnutls_datum_t cert = {NULL, 0}, key = {NULL, 0};
    union {
        const char *lent;
        unsigned char *given;
    } cert_text = {.lent = options->tls_cert}, key_text = {.lent = options->tls_key};

    if (!options->tls_cert != !options->tls_key)
        return fail(fault, PUBSUB_E_ARGUMENT, N_("a certificate and its key are needed, both"));
    if (!options->tls_cert)
        return PUBSUB_OK;
    if (gnutls_certificate_allocate_credentials(&credentials) != GNUTLS_E_SUCCESS)
        return fail(fault, PUBSUB_E_MEMORY, "out of memory");
    cert.data = cert_text.given;
    cert.size = (unsigned)strlen(options->tls_cert);
    key.data = key_text.given;
    key.size = (unsigned)strlen(options->tls_key);
    int error = gnutls_certificate_set_x509_key_mem(credentials, &cert, &key, GNUTLS_X509_FMT_PEM);
    gnutls_certificate_free_credentials(credentials);
    if (error != GNUTLS_E_SUCCESS)
        return fail(fault, PUBSUB_E_ARGUMENT, N_("the certificate and its key cannot be used: %s"),
                    gnutls_strerror(error));
    return PUBSUB_OK;
}

/* ---- beginning and end ---- */

/* Paths and numbers of ours need no escapes; what has one is nothing of ours. */
static size_t escapes_leave(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

static int daemon_start(struct web_server *server, int file, struct wire_fault *fault)
{
    const struct web_options *options = &server->options;
    unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem tls[] = {{MHD_OPTION_END, 0, NULL},
                                   {MHD_OPTION_END, 0, NULL},
                                   {MHD_OPTION_END, 0, NULL},
                                   {MHD_OPTION_END, 0, NULL}};
    union {
        const char *lent;
        void *given;
    } cert = {.lent = options->tls_cert}, key = {.lent = options->tls_key},
      priorities = {.lent = PRIORITIES};

    if (options->tls_cert) {
        flags |= MHD_USE_TLS;
        tls[0] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, cert.given};
        tls[1] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, key.given};
        tls[2] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, priorities.given};
    }
    server->daemon = MHD_start_daemon(
        flags, 0, pubsub_web_peer_accept, server, pubsub_web_serve, server,
        MHD_OPTION_LISTEN_SOCKET, file, MHD_OPTION_NOTIFY_COMPLETED, pubsub_web_served, server,
        MHD_OPTION_NOTIFY_CONNECTION, pubsub_web_peer_note, server, MHD_OPTION_UNESCAPE_CALLBACK,
        escapes_leave, NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_BYTES,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)options->connections, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SILENT_S, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
    if (server->daemon)
        return PUBSUB_OK;
    close(file);
    return fail(
        fault, PUBSUB_E_SYSTEM,
        N_("the web server cannot be started; more than %d files must be allowed (ulimit -n)"),
        options->connections);
}

static int names_take(struct web_server *server, struct wire_fault *fault)
{
    const struct web_options *options = &server->options;

    server->site.tls = options->tls_cert != NULL;
    for (int i = 0; i < options->name_count; i++)
        if (!pubsub_web_site_name(&server->site, options->names[i]))
            return fail(fault, PUBSUB_E_ADDRESS,
                        N_("%.100s: no name of a host (%d at most, without a port)"),
                        options->names[i], WEB_NAMES_MAX);
    return PUBSUB_OK;
}

static void server_free(struct web_server *server)
{
    pubsub_web_shown_free(server);
    pubsub_web_reply_pages_free(server);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

static int server_open(struct web_server *server, struct wire_fault *fault)
{
    const struct web_options *options = &server->options;
    int error = names_take(server, fault);

    if (error == PUBSUB_OK)
        error = tls_check(options, fault);
    if (error == PUBSUB_OK && !pubsub_web_reply_pages(server))
        error = fail(fault, PUBSUB_E_MEMORY, "out of memory");
    if (error != PUBSUB_OK)
        return error;
    int file = socket_open(options, &server->site.listen, fault);
    return file < 0 ? file : daemon_start(server, file, fault);
}

int pubsub_web_server_start(const struct web_options *options, struct web_server **out,
                            struct wire_fault *fault)
{
    struct web_server *server = calloc(1, sizeof *server);

    *out = NULL;
    if (!server || pthread_mutex_init(&server->lock, NULL) != 0) {
        free(server);
        return fail(fault, PUBSUB_E_MEMORY, "out of memory");
    }
    server->options = *options;
    if (server->options.connections <= 0)
        server->options.connections = WEB_CONNECTIONS;
    if (server->options.connections_each <= 0)
        server->options.connections_each = WEB_CONNECTIONS_EACH;
    server->content = (struct web_content){
        .site = &server->site, .assets = options->assets, .asset_count = options->asset_count};
    int error = server_open(server, fault);
    if (error != PUBSUB_OK) {
        server_free(server);
        return error;
    }
    *out = server;
    return PUBSUB_OK;
}

void pubsub_web_server_stop(struct web_server **server)
{
    if (!server || !*server)
        return;
    const struct web_options *options = &(*server)->options;
    /* Nothing may sleep when libmicrohttpd stops: streams end, errands are given back. */
    pubsub_web_hub_stop(options->hub);
    pubsub_web_desk_close(options->asks);
    pubsub_web_desk_close(options->looks);
    if (options->shows)
        pubsub_web_desk_close(options->shows);
    MHD_stop_daemon((*server)->daemon);
    server_free(*server);
    *server = NULL;
}

/* ---- what it is called ---- */

/* The first IPv4 address under which others may reach this machine. */
static bool outward_find(struct web_address *out)
{
    struct ifaddrs *all;
    bool found = false;

    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *one = all; one && !found; one = one->ifa_next)
        found = one->ifa_addr && one->ifa_addr->sa_family == AF_INET &&
                (one->ifa_flags & (IFF_UP | IFF_LOOPBACK)) == IFF_UP &&
                pubsub_web_address_from(one->ifa_addr, out);
    freeifaddrs(all);
    return found;
}

static void place_print(const struct web_server *server, const struct web_address *address,
                        char *out, size_t size)
{
    char text[WEB_HOST_TEXT_MAX];

    pubsub_web_address_text(address, text);
    snprintf(out, size, "%s://%s", server->site.tls ? "https" : "http", text);
}

void pubsub_web_server_address(const struct web_server *server, char *out, size_t size)
{
    static const struct web_address loopback = {.bytes = {127, 0, 0, 1}};
    struct web_address address = server->site.listen;

    if (pubsub_web_address_any(&address)) {
        address = loopback;
        address.port = server->site.listen.port;
    }
    place_print(server, &address, out, size);
}

void pubsub_web_server_public(const struct web_server *server, char *out, size_t size)
{
    struct web_address address = server->site.listen;
    const char *name = server->site.name[0];

    if (server->site.names > 0) {
        snprintf(out, size, strchr(name, ':') ? "%s://[%s]:%u" : "%s://%s:%u",
                 server->site.tls ? "https" : "http", name, address.port);
    } else if (pubsub_web_address_any(&address) && outward_find(&address)) {
        address.port = server->site.listen.port;
        place_print(server, &address, out, size);
    } else {
        pubsub_web_server_address(server, out, size);
    }
}

bool pubsub_web_server_keyed(const struct web_server *server)
{
    return server->site.tls || pubsub_web_site_local(&server->site);
}

bool pubsub_web_server_keyed_here(const struct web_server *server)
{
    return pubsub_web_server_keyed(server) || pubsub_web_address_any(&server->site.listen);
}
