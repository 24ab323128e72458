/* pubsub/wire.c: messages between processes, by ZeroMQ. */
#include "pubsub/wire.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

/* What a slow listener may be behind, and what a restarted peer finds waiting. */
#define HIGH_WATER 4000
/* Enough to hand over what was sent; a peer that is gone does not hold up our end. */
#define LINGER_MS 1000

struct wire {
    void *context;
};

struct wire_socket {
    void *socket;
    enum wire_kind kind;
};

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

struct wire *pubsub_wire_create(void)
{
    struct wire *wire = calloc(1, sizeof *wire);

    if (wire && !(wire->context = zmq_ctx_new())) {
        free(wire);
        return NULL;
    }
    if (wire)
        zmq_ctx_set(wire->context, ZMQ_IPV6, 1);
    return wire;
}

void pubsub_wire_destroy(struct wire **wire)
{
    if (!wire || !*wire)
        return;
    while (zmq_ctx_term((*wire)->context) != 0 && errno == EINTR)
        ;
    free(*wire);
    *wire = NULL;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Nobody gets in from outside: only what stays on this machine. */
static bool address_local(const char *address)
{
    return begins(address, "ipc:///") || begins(address, "tcp://127.0.0.1:") ||
           begins(address, "tcp://[::1]:") || begins(address, "tcp://localhost:");
}

static int zmq_kind(enum wire_kind kind)
{
    static const int kinds[] = {
        [WIRE_PUB] = ZMQ_PUB,       [WIRE_SUB] = ZMQ_SUB, [WIRE_DEALER] = ZMQ_DEALER,
        [WIRE_ROUTER] = ZMQ_ROUTER, [WIRE_REQ] = ZMQ_REQ, [WIRE_REP] = ZMQ_REP};

    return kinds[kind];
}

static void set_int(void *socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof value);
}

static void options_set(void *socket, enum wire_kind kind)
{
    const int64_t largest = (int64_t)WIRE_MESSAGE_MAX;

    set_int(socket, ZMQ_LINGER, LINGER_MS);
    set_int(socket, ZMQ_SNDHWM, HIGH_WATER);
    set_int(socket, ZMQ_RCVHWM, HIGH_WATER);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &largest, sizeof largest);
    /* A message for a peer that is not there must be known as such, not vanish. */
    if (kind == WIRE_ROUTER)
        set_int(socket, ZMQ_ROUTER_MANDATORY, 1);
    if (kind == WIRE_REQ) {
        set_int(socket, ZMQ_REQ_RELAXED, 1);
        set_int(socket, ZMQ_REQ_CORRELATE, 1);
    }
}

static int socket_open(struct wire *wire, enum wire_kind kind, const char *address,
                       int (*attach)(void *, const char *), struct wire_socket **out,
                       struct wire_fault *fault)
{
    *out = NULL;
    if (!address_local(address))
        return fail(fault, PUBSUB_E_ADDRESS,
                    "%s: only ipc:// and addresses of this machine are open without keys", address);
    struct wire_socket *made = calloc(1, sizeof *made);
    if (!made)
        return fail(fault, PUBSUB_E_MEMORY, "out of memory");
    made->kind = kind;
    made->socket = zmq_socket(wire->context, zmq_kind(kind));
    if (made->socket)
        options_set(made->socket, kind);
    if (!made->socket || attach(made->socket, address) != 0) {
        int number = zmq_errno();
        pubsub_wire_close(&made);
        return fail(fault, number == EADDRINUSE ? PUBSUB_E_IN_USE : PUBSUB_E_SYSTEM, "%s: %s",
                    address, zmq_strerror(number));
    }
    *out = made;
    return PUBSUB_OK;
}

int pubsub_wire_bind(struct wire *wire, enum wire_kind kind, const char *address,
                     struct wire_socket **out, struct wire_fault *fault)
{
    return socket_open(wire, kind, address, zmq_bind, out, fault);
}

int pubsub_wire_connect(struct wire *wire, enum wire_kind kind, const char *address,
                        struct wire_socket **out, struct wire_fault *fault)
{
    return socket_open(wire, kind, address, zmq_connect, out, fault);
}

void pubsub_wire_close(struct wire_socket **socket)
{
    if (!socket || !*socket)
        return;
    if ((*socket)->socket)
        zmq_close((*socket)->socket);
    free(*socket);
    *socket = NULL;
}

int pubsub_wire_subscribe(struct wire_socket *socket, const char *beginning)
{
    return zmq_setsockopt(socket->socket, ZMQ_SUBSCRIBE, beginning, strlen(beginning)) == 0
               ? PUBSUB_OK
               : PUBSUB_E_ARGUMENT;
}

static int part_send(const struct wire_socket *socket, const void *bytes, size_t length, int flags)
{
    while (zmq_send(socket->socket, bytes, length, flags) < 0)
        if (zmq_errno() != EINTR)
            return zmq_errno() == EAGAIN ? PUBSUB_E_AGAIN : PUBSUB_E_SYSTEM;
    return PUBSUB_OK;
}

int pubsub_wire_send(struct wire_socket *socket, const struct wire_peer *peer, const void *bytes,
                     size_t length, int timeout_ms)
{
    int error = PUBSUB_OK;

    if ((socket->kind == WIRE_ROUTER) != (peer != NULL))
        return PUBSUB_E_ARGUMENT;
    if (length > WIRE_MESSAGE_MAX)
        return PUBSUB_E_SIZE;
    set_int(socket->socket, ZMQ_SNDTIMEO, timeout_ms);
    if (peer)
        error = part_send(socket, peer->name, peer->length, ZMQ_SNDMORE);
    return error == PUBSUB_OK ? part_send(socket, bytes, length, 0) : error;
}

/* The rest of a message of several parts goes unread. True when there was any. */
static bool rest_drop(const struct wire_socket *socket)
{
    int more = 0;
    size_t size = sizeof more;
    bool any = false;
    char byte;

    while (zmq_getsockopt(socket->socket, ZMQ_RCVMORE, &more, &size) == 0 && more) {
        any = true;
        if (zmq_recv(socket->socket, &byte, 1, ZMQ_DONTWAIT) < 0 && zmq_errno() != EINTR)
            break;
    }
    return any;
}

static int64_t part_receive(const struct wire_socket *socket, void *room, size_t size)
{
    int got;

    while ((got = zmq_recv(socket->socket, room, size, 0)) < 0)
        if (zmq_errno() != EINTR)
            return zmq_errno() == EAGAIN ? PUBSUB_E_AGAIN : PUBSUB_E_SYSTEM;
    return got;
}

int64_t pubsub_wire_receive(struct wire_socket *socket, struct wire_peer *peer, char *room,
                            size_t size, int timeout_ms)
{
    struct wire_peer from = {.length = 0};

    if (size < 1)
        return PUBSUB_E_ARGUMENT;
    set_int(socket->socket, ZMQ_RCVTIMEO, timeout_ms);
    if (socket->kind == WIRE_ROUTER) {
        int64_t named = part_receive(socket, from.name, sizeof from.name);
        if (named < 0)
            return named;
        if ((size_t)named > sizeof from.name) {
            rest_drop(socket);
            return PUBSUB_E_SIZE;
        }
        from.length = (size_t)named;
    }
    int64_t got = part_receive(socket, room, size - 1);
    if (got < 0)
        return got;
    bool several = rest_drop(socket);
    if (several || (size_t)got > size - 1)
        return PUBSUB_E_SIZE;
    room[got] = 0;
    if (peer)
        *peer = from;
    return got;
}

int pubsub_wire_wait(struct wire_socket *const *sockets, int socket_count, const int *files,
                     int file_count, int timeout_ms)
{
    zmq_pollitem_t item[2 * WIRE_WAIT_MOST] = {{.socket = NULL}};
    int bit[2 * WIRE_WAIT_MOST], items = 0, ready = 0;

    if (socket_count > WIRE_WAIT_MOST || file_count > WIRE_WAIT_MOST)
        return PUBSUB_E_ARGUMENT;
    for (int i = 0; i < socket_count; i++)
        if (sockets[i]) {
            item[items] = (zmq_pollitem_t){.socket = sockets[i]->socket, .events = ZMQ_POLLIN};
            bit[items++] = 1 << i;
        }
    for (int i = 0; i < file_count; i++)
        if (files[i] >= 0) {
            item[items] = (zmq_pollitem_t){.fd = files[i], .events = ZMQ_POLLIN};
            bit[items++] = 1 << (WIRE_WAIT_MOST + i);
        }
    if (zmq_poll(item, items, timeout_ms) < 0)
        return zmq_errno() == EINTR ? 0 : PUBSUB_E_SYSTEM;
    for (int i = 0; i < items; i++)
        if (item[i].revents)
            ready |= bit[i];
    return ready;
}
