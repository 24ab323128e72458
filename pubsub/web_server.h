/* pubsub/web_server.h: the web server of a table: pages, events, and the ways to act (see
 * PROTOCOL.md, "The pages' server"). By libmicrohttpd, in one thread of its own; libmicrohttpd and
 * GnuTLS are known to the web_server*.c files alone.
 *
 * It asks nobody: events come from a hub that others tell, errands go to desks that others work at,
 * keys and times come by the functions of its options. Keys stand in no address and in no line that
 * it says. */
#ifndef PUBSUB_WEB_SERVER_H
#define PUBSUB_WEB_SERVER_H

#include "pubsub/error.h"
#include "pubsub/web_asset.h"
#include "pubsub/web_desk.h"
#include "pubsub/web_hub.h"
#include "pubsub/web_site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thousand displays, and some room for who operates the table. */
#define WEB_CONNECTIONS 1100
/* From one address beyond this machine: a hall behind one router fits, and one phone that opens
 * connections for ever does not shut out the others. */
#define WEB_CONNECTIONS_EACH 256

/* Of all, those that only this machine may take: its operator gets in, however full the hall is. When
 * all are taken, one that has said nothing for two seconds gives way. */
#define WEB_CONNECTIONS_OWN 20

#define WEB_NOBODY 0
#define WEB_OPERATOR (-1)

/* What the server asks of the program; called from its thread, so they must be quick. */
struct web_calls {
    /* Whose key is it: WEB_NOBODY, WEB_OPERATOR, or a seat's number. */
    int (*whose)(void *context, const char *key);
    /* That seat's key, for its QR code; false: there is none. */
    bool (*seat_key)(void *context, int seat, char *out, size_t size);
    /* The match's time; false: it is not known. */
    bool (*time)(void *context, int64_t *t_ns, int64_t *error_ns, int64_t *epoch);
    /* The catalogue of a language as JSON, lent for ever; false: there is none. May be NULL. */
    bool (*lang)(void *context, const char *code, const char **bytes, size_t *length);
    void *context;
};

struct web_options {
    struct web_address listen; /* port 0: any that is free */
    bool next_free;            /* when the port is in use, another is taken */
    uint16_t again;            /* where another port would do: the one to try first; 0: none */
    const char *const *names;  /* further names that we are called by */
    int name_count;
    const char *tls_cert, *tls_key; /* PEM texts; both or neither */
    const struct web_asset *assets; /* lent for the server's life, as are hub and desks */
    size_t asset_count;
    char build[WEB_BUILD_MAX];
    struct web_hub *hub;
    struct web_desk *asks, *looks;
    struct web_desk *shows; /* NULL: there is no record to show rulings from */
    char source[17]; /* hexadecimal digits that no other process has: for the ids of what we ask */
    struct web_calls calls;
    int connections, connections_each; /* 0: as above */
};

struct web_server;

/* Listens and answers from now on. PUBSUB_E_IN_USE: another program has the port; PUBSUB_E_ADDRESS:
 * no address of this machine, a name that is none, or one that may not be listened at;
 * PUBSUB_E_ARGUMENT: certificate and key do not go together; PUBSUB_E_MEMORY, _SYSTEM. With
 * `fault`. */
int pubsub_web_server_start(const struct web_options *options, struct web_server **out,
                            struct wire_fault *fault);

/* Stops the hub and closes the desks, ends every connection, and waits for the thread. Who works
 * at the desks must have finished what they took, or finish it meanwhile within a second. */
void pubsub_web_server_stop(struct web_server **server);

/* Once a second or so: ends connections that take longer than they may to say what they want. */
void pubsub_web_server_look(struct web_server *server);

/* "http://127.0.0.1:8080", as people type it on this machine. */
void pubsub_web_server_address(const struct web_server *server, char *out, size_t size);
/* The same as phones reach it: the first name that was given, or an address of this machine. */
void pubsub_web_server_public(const struct web_server *server, char *out, size_t size);
/* Whether pages with a key may be opened from everywhere that reaches us: only this machine does,
 * or we speak TLS. */
bool pubsub_web_server_keyed(const struct web_server *server);
/* Whether they may be opened on this machine, at pubsub_web_server_address. */
bool pubsub_web_server_keyed_here(const struct web_server *server);

#endif
