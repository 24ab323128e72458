/* pubsub/wire.h: messages between processes, by ZeroMQ: the one place that knows it.
 *
 * A socket belongs to one thread. Messages are single parts of at most the size that a receiver
 * gives room for. A call that a signal interrupts goes on; only pubsub_wire_wait returns. Nothing
 * waits for ever: every wait has a time. A process that has a wire does not fork.
 *
 * Addresses are those of pubsub/address.h. What other machines can reach takes keys (CURVE), and
 * only from those whom the table's folder allows: a thread of the wire's own (ZAP) looks that up at
 * every connection, and without it nobody is let in. Connections over TCP are watched by
 * heartbeats, so an end that is gone without a word is noticed within some seconds. */
#ifndef PUBSUB_WIRE_H
#define PUBSUB_WIRE_H

#include "pubsub/error.h"
#include "pubsub/keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_MESSAGE_MAX ((size_t)4 << 20)
#define WIRE_REQUEST_MAX ((size_t)128 << 10) /* to what is bound over tcp */
#define WIRE_PEER_MAX 64
#define WIRE_WAIT_MOST 8 /* sockets, and files, of one pubsub_wire_wait */

enum wire_kind {
    WIRE_PUB,    /* to whoever listens; never waits, drops for the slow */
    WIRE_SUB,    /* listens; see pubsub_wire_subscribe */
    WIRE_DEALER, /* one end of a lasting connection: sends wait for room, nothing is dropped */
    WIRE_ROUTER, /* its other end, for many peers */
    WIRE_REQ,    /* asks */
    WIRE_REP     /* answers */
};

struct wire;        /* a process's connection to ZeroMQ */
struct wire_socket; /* lent nowhere; close before the wire */

/* NULL when there is no memory. */
struct wire *pubsub_wire_create(void);
/* All sockets are closed before. Ends within a second, whether or not everything was delivered. */
void pubsub_wire_destroy(struct wire **wire);

/* Binds or connects. Addresses: ipc:// in a folder of pubsub/rundir.h, tcp:// on this machine
 * (127.0.0.1, [::1], localhost); any other is PUBSUB_E_ADDRESS. localhost binds both of its
 * addresses (where there are two) and connects to the one that answers. PUBSUB_E_IN_USE,
 * PUBSUB_E_SYSTEM, PUBSUB_E_MEMORY.
 *
 * What an address that is bound over tcp takes is small, for anybody may send there: requests of
 * WIRE_REQUEST_MAX to REP and ROUTER, subscriptions to PUB. A larger one ends its connection. */
int pubsub_wire_bind(struct wire *wire, enum wire_kind kind, const char *address,
                     struct wire_socket **out, struct wire_fault *fault);
int pubsub_wire_connect(struct wire *wire, enum wire_kind kind, const char *address,
                        struct wire_socket **out, struct wire_fault *fault);

/* The same with keys: a table's to bind, a display's to connect (else PUBSUB_E_ARGUMENT); NULL:
 * none. With keys any tcp:// address will do, and all of them use the keys, those of this machine
 * too; ipc:// is as it is. `keys` are copied. All that is bound on one wire takes its keys from one
 * folder: another is PUBSUB_E_ARGUMENT. */
int pubsub_wire_bind_keys(struct wire *wire, enum wire_kind kind, const char *address,
                          const struct wire_keys *keys, struct wire_socket **out,
                          struct wire_fault *fault);
int pubsub_wire_connect_keys(struct wire *wire, enum wire_kind kind, const char *address,
                             const struct wire_keys *keys, struct wire_socket **out,
                             struct wire_fault *fault);

/* One more address for a socket that is bound; those with keys come last (else PUBSUB_E_ARGUMENT).
 * Errors as above; the socket stays as it was. */
int pubsub_wire_bind_also(struct wire_socket *socket, const char *address,
                          const struct wire_keys *keys, struct wire_fault *fault);

/* The address that was bound last, with its port where "*" had been given. PUBSUB_E_SIZE. */
int pubsub_wire_bound(const struct wire_socket *socket, char *out, size_t size);

void pubsub_wire_close(struct wire_socket **socket);

enum wire_trouble {
    WIRE_QUIET,
    WIRE_TROUBLE_KEY,  /* keys were missing, refused, or those of another */
    WIRE_TROUBLE_OTHER /* somebody there speaks no ZeroMQ */
};

/* What went wrong with connections since the last call, as a line for people; the same one at most
 * once a minute. Only of tcp:// addresses. libzmq gives up a connection that its other end refused:
 * whoever wants it still closes the socket after some seconds and connects anew. */
enum wire_trouble pubsub_wire_trouble(struct wire_socket *socket, struct wire_fault *out);

/* Whom the table's keys kept out: a line with the key and where it came from; the same key from the
 * same place at most once a minute. False: nobody. Any thread may call it. */
bool pubsub_wire_refused(struct wire *wire, struct wire_fault *out);

/* What a listener wants: topics that begin so. */
int pubsub_wire_subscribe(struct wire_socket *socket, const char *beginning);

/* A peer of a ROUTER socket. */
struct wire_peer {
    uint8_t name[WIRE_PEER_MAX];
    size_t length; /* 0: none */
};

/* Sends within timeout_ms (0: now or not): PUBSUB_OK or PUBSUB_E_AGAIN, _SIZE, _SYSTEM. `peer` is
 * for ROUTER sockets, else NULL; a peer that is gone is PUBSUB_E_SYSTEM. */
int pubsub_wire_send(struct wire_socket *socket, const struct wire_peer *peer, const void *bytes,
                     size_t length, int timeout_ms);

/* Receives into `room` of that size: the message's length, or PUBSUB_E_AGAIN, _SIZE (it was too
 * large, or not one part, and is gone), _SYSTEM. The text is closed by a 0 that the length does not
 * count, so it takes one byte of the room. `peer` (may be NULL) gets who sent it. */
int64_t pubsub_wire_receive(struct wire_socket *socket, struct wire_peer *peer, char *room,
                            size_t size, int timeout_ms);

/* Waits until one of up to 8 sockets (NULL entries are passed over) or files (-1 likewise) can be
 * read, or timeout_ms is over. A set of bits: socket i is bit i, file i is bit 8 + i; 0: none;
 * negative: PUBSUB_E_SYSTEM. A signal ends the wait early with 0. */
int pubsub_wire_wait(struct wire_socket *const *sockets, int socket_count, const int *files,
                     int file_count, int timeout_ms);

#endif
