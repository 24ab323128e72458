/* pubsub/wire.h: messages between processes, by ZeroMQ: the one place that knows it.
 *
 * A socket belongs to one thread. Messages are single parts of at most the size that a receiver
 * gives room for. A call that a signal interrupts goes on; only
 * pubsub_wire_wait returns. Nothing waits for ever: every wait has a time. */
#ifndef PUBSUB_WIRE_H
#define PUBSUB_WIRE_H

#include "pubsub/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_MESSAGE_MAX ((size_t)4 << 20)
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
/* Closes within a second, whether or not everything was delivered. */
void pubsub_wire_destroy(struct wire **wire);

/* Binds or connects. Addresses: ipc:// in a folder of pubsub/rundir.h, tcp:// on this machine
 * (127.0.0.1, [::1], localhost); any other is PUBSUB_E_ADDRESS. PUBSUB_E_IN_USE, PUBSUB_E_SYSTEM.
 */
int pubsub_wire_bind(struct wire *wire, enum wire_kind kind, const char *address,
                     struct wire_socket **out, struct wire_fault *fault);
int pubsub_wire_connect(struct wire *wire, enum wire_kind kind, const char *address,
                        struct wire_socket **out, struct wire_fault *fault);
void pubsub_wire_close(struct wire_socket **socket);

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
