/* pubsub/wire.c: messages between processes, by ZeroMQ. */
#include "pubsub/wire.h"

#include "calib/mark.h"
#include "pubsub/address.h"
#include "pubsub/guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

/* What a peer may be behind, and what a restarted one finds waiting: the eyes' events must not be
 * lost. */
#define HIGH_WATER 4000
/* A reader so far behind is told that it missed something, and gets a snapshot. Messages are
 * shared, so all who do not read hold one copy each of these at most. */
#define HIGH_WATER_PUBLISHED 256
/* Answers for one who asks and does not read. */
#define HIGH_WATER_ANSWERS 8
/* A subscription is a topic. */
#define SUBSCRIPTION_MAX 1024
/* Enough to hand over what was sent; a peer that is gone does not hold up our end. */
#define LINGER_MS 1000
/* A dead connection is noticed in six seconds; a display says after two that nothing came. */
#define HEARTBEAT_MS 2000
#define HEARTBEAT_GIVEN_UP_MS 6000
/* Whoever says nothing after connecting holds a file of ours no longer than this. */
#define HANDSHAKE_MS 5000
#define AGAIN_MS 100
#define AGAIN_MOST_MS 2000
#define KEEPALIVE_IDLE_S 30
#define KEEPALIVE_EVERY_S 10
#define KEEPALIVE_TIMES 3
#define SAID_MS ((int64_t)60000)
#define SAID_MOST 6 /* as many lines as there are */
/* Without our guard's word nobody gets in. libzmq has it since 4.3, but shows it only to those who
 * build it with drafts; one that does not know the number refuses it, and then nothing is bound. */
#ifndef ZMQ_ZAP_ENFORCE_DOMAIN
#define ZMQ_ZAP_ENFORCE_DOMAIN 93
#endif
#define ZAP_ADDRESS "inproc://zeromq.zap.01"

/* Asks the guard for libzmq, in a thread of its own. */
struct zap {
    pthread_t thread;
    void *socket; /* the thread's */
    struct guard *guard;
};

struct wire {
    void *context;
    pthread_mutex_t lock; /* of what follows */
    struct zap *zap;
    unsigned monitors;
};

struct wire_socket {
    struct wire *wire;
    void *socket;
    void *monitor; /* NULL for ipc:// alone */
    enum wire_kind kind;
    bool bound, keys;
    char address[ADDRESS_MAX], own_key[Z85_KEY_TEXT];
    enum wire_trouble trouble; /* waits to be told */
    struct wire_fault text;
    struct said {
        struct wire_fault text;
        int64_t at_ms;
    } said[SAID_MOST];
    int said_next;
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

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- who is let in ---- */

static bool parts_follow(void *socket)
{
    int more = 0;
    size_t size = sizeof more;

    return zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &size) == 0 && more;
}

/* One part; its length, at most what there is room for; negative when the wire ends. */
static int zap_part(void *socket, char room[GUARD_PART_MAX])
{
    int got;

    while ((got = zmq_recv(socket, room, GUARD_PART_MAX - 1, 0)) < 0 && zmq_errno() == EINTR)
        ;
    if (got > GUARD_PART_MAX - 1)
        got = GUARD_PART_MAX - 1;
    room[got < 0 ? 0 : got] = 0;
    return got;
}

/* False when the wire ends. */
static bool zap_answer(struct zap *zap)
{
    struct guard_question question = {.parts = 0};
    char rest[GUARD_PART_MAX] = "", name[KEYS_NAME_MAX] = "";

    do {
        bool known = question.parts < GUARD_PARTS;
        int got = zap_part(zap->socket, known ? question.part[question.parts] : rest);
        if (got < 0)
            return false;
        if (known)
            question.length[question.parts] = got;
        question.parts++;
    } while (parts_follow(zap->socket));
    bool allowed = pubsub_guard_allows(zap->guard, &question, name);
    zmq_send(zap->socket, "1.0", 3, ZMQ_SNDMORE);
    zmq_send(zap->socket, question.part[GUARD_ID], (size_t)question.length[GUARD_ID], ZMQ_SNDMORE);
    zmq_send(zap->socket, allowed ? "200" : "400", 3, ZMQ_SNDMORE);
    zmq_send(zap->socket, "", 0, ZMQ_SNDMORE);
    zmq_send(zap->socket, name, strlen(name), ZMQ_SNDMORE);
    return zmq_send(zap->socket, "", 0, 0) >= 0 || zmq_errno() != ETERM;
}

static void *zap_run(void *context)
{
    struct zap *zap = context;

    while (zap_answer(zap))
        ;
    zmq_close(zap->socket);
    return NULL;
}

/* Signals are for the threads of the program. */
static bool zap_thread(struct zap *zap)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&zap->thread, NULL, zap_run, zap);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

/* Bound before the first address with keys, and ends only with the wire. */
static struct zap *zap_create(void *context, const struct wire_keys *keys)
{
    struct zap *zap = calloc(1, sizeof *zap);

    if (!zap)
        return NULL;
    zap->guard = pubsub_guard_create(keys);
    zap->socket = zmq_socket(context, ZMQ_REP);
    if (zap->guard && zap->socket && zmq_bind(zap->socket, ZAP_ADDRESS) == 0 && zap_thread(zap))
        return zap;
    if (zap->socket)
        zmq_close(zap->socket);
    pubsub_guard_destroy(&zap->guard);
    free(zap);
    return NULL;
}

/* One for the whole wire. */
static int zap_want(struct wire *wire, const struct wire_keys *keys, struct wire_fault *fault)
{
    int error = PUBSUB_OK;

    pthread_mutex_lock(&wire->lock);
    if (!wire->zap)
        wire->zap = zap_create(wire->context, keys);
    if (!wire->zap)
        error = fail(fault, PUBSUB_E_SYSTEM, "nobody can watch who comes: %s", strerror(errno));
    else if (strcmp(pubsub_guard_path(wire->zap->guard), pubsub_keys_path(keys)) != 0)
        error = fail(fault, PUBSUB_E_ARGUMENT, "%.100s: the keys of %.100s are in use",
                     pubsub_keys_path(keys), pubsub_guard_path(wire->zap->guard));
    pthread_mutex_unlock(&wire->lock);
    return error;
}

bool pubsub_wire_refused(struct wire *wire, struct wire_fault *out)
{
    pthread_mutex_lock(&wire->lock);
    struct zap *zap = wire->zap;
    pthread_mutex_unlock(&wire->lock);
    return zap && pubsub_guard_refused(zap->guard, out);
}

/* ---- the wire ---- */

struct wire *pubsub_wire_create(void)
{
    struct wire *wire = calloc(1, sizeof *wire);

    if (wire && !(wire->context = zmq_ctx_new())) {
        free(wire);
        return NULL;
    }
    if (wire)
        pthread_mutex_init(&wire->lock, NULL);
    return wire;
}

void pubsub_wire_destroy(struct wire **wire)
{
    if (!wire || !*wire)
        return;
    zmq_ctx_shutdown((*wire)->context);
    if ((*wire)->zap) {
        pthread_join((*wire)->zap->thread, NULL);
        pubsub_guard_destroy(&(*wire)->zap->guard);
        free((*wire)->zap);
    }
    while (zmq_ctx_term((*wire)->context) != 0 && errno == EINTR)
        ;
    pthread_mutex_destroy(&(*wire)->lock);
    free(*wire);
    *wire = NULL;
}

/* ---- options ---- */

static int zmq_kind(enum wire_kind kind)
{
    static const int kinds[] = {
        [WIRE_PUB] = ZMQ_PUB,       [WIRE_SUB] = ZMQ_SUB, [WIRE_DEALER] = ZMQ_DEALER,
        [WIRE_ROUTER] = ZMQ_ROUTER, [WIRE_REQ] = ZMQ_REQ, [WIRE_REP] = ZMQ_REP};

    return kinds[kind];
}

static bool set_int(void *socket, int option, int value)
{
    return zmq_setsockopt(socket, option, &value, sizeof value) == 0;
}

static bool set_most(void *socket, size_t bytes)
{
    const int64_t largest = (int64_t)bytes;

    return zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &largest, sizeof largest) == 0;
}

static bool options_set(void *socket, enum wire_kind kind)
{
    bool done = set_int(socket, ZMQ_LINGER, LINGER_MS) && set_most(socket, WIRE_MESSAGE_MAX) &&
                set_int(socket, ZMQ_SNDHWM, kind == WIRE_PUB ? HIGH_WATER_PUBLISHED : HIGH_WATER) &&
                set_int(socket, ZMQ_RCVHWM, HIGH_WATER) &&
                set_int(socket, ZMQ_RECONNECT_IVL, AGAIN_MS) &&
                set_int(socket, ZMQ_RECONNECT_IVL_MAX, AGAIN_MOST_MS) &&
                set_int(socket, ZMQ_HANDSHAKE_IVL, HANDSHAKE_MS);

    /* A message for a peer that is not there must be known as such, not vanish. */
    if (kind == WIRE_ROUTER)
        done = done && set_int(socket, ZMQ_ROUTER_MANDATORY, 1);
    if (kind == WIRE_REQ)
        done = done && set_int(socket, ZMQ_REQ_RELAXED, 1) && set_int(socket, ZMQ_REQ_CORRELATE, 1);
    return done;
}

/* What holds for the next address alone: libzmq copies the options as it binds or connects. */
static bool options_near(const struct wire_socket *socket)
{
    void *it = socket->socket;

    return set_int(it, ZMQ_IPV6, 0) && set_int(it, ZMQ_HEARTBEAT_IVL, 0) &&
           set_int(it, ZMQ_TCP_KEEPALIVE, -1) && set_most(it, WIRE_MESSAGE_MAX);
}

static bool options_tcp(const struct wire_socket *socket, bool binding, bool six)
{
    void *it = socket->socket;
    bool done = set_int(it, ZMQ_IPV6, six) && set_int(it, ZMQ_HEARTBEAT_IVL, HEARTBEAT_MS) &&
                set_int(it, ZMQ_HEARTBEAT_TIMEOUT, HEARTBEAT_GIVEN_UP_MS) &&
                set_int(it, ZMQ_HEARTBEAT_TTL, HEARTBEAT_GIVEN_UP_MS) &&
                set_int(it, ZMQ_TCP_KEEPALIVE, 1) &&
                set_int(it, ZMQ_TCP_KEEPALIVE_IDLE, KEEPALIVE_IDLE_S) &&
                set_int(it, ZMQ_TCP_KEEPALIVE_INTVL, KEEPALIVE_EVERY_S) &&
                set_int(it, ZMQ_TCP_KEEPALIVE_CNT, KEEPALIVE_TIMES);

    if (binding && socket->kind == WIRE_PUB)
        done = done && set_most(it, SUBSCRIPTION_MAX);
    if (binding && (socket->kind == WIRE_REP || socket->kind == WIRE_ROUTER))
        done = done && set_most(it, WIRE_REQUEST_MAX) &&
               set_int(it, ZMQ_SNDHWM, HIGH_WATER_ANSWERS) &&
               set_int(it, ZMQ_RCVHWM, HIGH_WATER_ANSWERS);
    return done;
}

static bool set_key(void *socket, int option, const uint8_t *key)
{
    return zmq_setsockopt(socket, option, key, Z85_KEY_BYTES) == 0;
}

static bool options_keys(struct wire_socket *socket, bool binding, const struct wire_keys *keys)
{
    void *it = socket->socket;

    socket->keys = keys != NULL;
    if (!keys)
        return true;
    pubsub_z85_print(pubsub_keys_public(keys), socket->own_key);
    if (binding)
        return set_int(it, ZMQ_CURVE_SERVER, 1) &&
               set_key(it, ZMQ_CURVE_SECRETKEY, pubsub_keys_secret(keys)) &&
               zmq_setsockopt(it, ZMQ_ZAP_DOMAIN, GUARD_DOMAIN, strlen(GUARD_DOMAIN)) == 0 &&
               set_int(it, ZMQ_ZAP_ENFORCE_DOMAIN, 1);
    return set_key(it, ZMQ_CURVE_SERVERKEY, pubsub_keys_server(keys)) &&
           set_key(it, ZMQ_CURVE_PUBLICKEY, pubsub_keys_public(keys)) &&
           set_key(it, ZMQ_CURVE_SECRETKEY, pubsub_keys_secret(keys));
}

/* ---- what went wrong with connections ---- */

#define FAILED_EVENTS                                                                              \
    (ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |                  \
     ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)

/* libzmq waits for room when the events are not read; with no bound it never does. They are read
 * with every call that the socket's owner makes. */
static bool monitor_open(struct wire_socket *socket)
{
    char address[64];

    if (socket->monitor)
        return true;
    pthread_mutex_lock(&socket->wire->lock);
    snprintf(address, sizeof address, "inproc://monitor-%u", ++socket->wire->monitors);
    pthread_mutex_unlock(&socket->wire->lock);
    if (zmq_socket_monitor(socket->socket, address, FAILED_EVENTS) != 0)
        return false;
    socket->monitor = zmq_socket(socket->wire->context, ZMQ_PAIR);
    return socket->monitor && set_int(socket->monitor, ZMQ_RCVHWM, 0) &&
           set_int(socket->monitor, ZMQ_LINGER, 0) && zmq_connect(socket->monitor, address) == 0;
}

static enum wire_trouble trouble_client(const struct wire_socket *socket, int event, uint32_t value,
                                        struct wire_fault *text)
{
    const char *why = NULL;

    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH) {
        fail(text, 0,
             "%s: it refuses our key %s; tableref keys add, there, makes one that it takes",
             socket->address, socket->own_key);
        return WIRE_TROUBLE_KEY;
    }
    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL)
        why = N_("it broke off as keys were exchanged: it has another key than the one we hold, or "
                 "none");
    else if (value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
        why = socket->keys ? N_("it takes no keys") : N_("it takes only those who have a key");
    else if (socket->keys)
        why = N_("it has not the key that we know the table by");
    else
        why = N_("what answers there is no table");
    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL && !socket->keys)
        return WIRE_QUIET;
    fail(text, 0, "%s: %s", socket->address, why);
    return socket->keys || value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH ? WIRE_TROUBLE_KEY
                                                                               : WIRE_TROUBLE_OTHER;
}

/* Whom the guard refused is told by pubsub_wire_refused. Of two that do not agree, the one that
 * sees it first hangs up, and the other one only sees that. */
static enum wire_trouble trouble_server(const struct wire_socket *socket, int event, uint32_t value,
                                        struct wire_fault *text)
{
    if (event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL && socket->keys) {
        fail(text, 0, "%s: somebody broke off before keys were exchanged, and may have none",
             socket->address);
        return WIRE_TROUBLE_OTHER;
    }
    if (event != ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL)
        return WIRE_QUIET;
    if (socket->keys && value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
        fail(text, 0, "%s: somebody came without a key", socket->address);
    else if (socket->keys && value == ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC)
        fail(text, 0, "%s: somebody knows this table by another key than its own, %s",
             socket->address, socket->own_key);
    else {
        fail(text, 0, "%s: somebody speaks no ZeroMQ there", socket->address);
        return WIRE_TROUBLE_OTHER;
    }
    return WIRE_TROUBLE_KEY;
}

static void trouble_note(struct wire_socket *socket, int event, uint32_t value)
{
    struct wire_fault text = {.text = ""};
    enum wire_trouble trouble = socket->bound ? trouble_server(socket, event, value, &text)
                                              : trouble_client(socket, event, value, &text);

    /* Rubbish does not push out what matters. */
    if (trouble == WIRE_QUIET ||
        (socket->trouble == WIRE_TROUBLE_KEY && trouble == WIRE_TROUBLE_OTHER))
        return;
    for (int i = 0; i < SAID_MOST; i++)
        if (strcmp(text.text, socket->said[i].text.text) == 0 &&
            now_ms() - socket->said[i].at_ms < SAID_MS)
            return;
    socket->trouble = trouble;
    socket->text = text;
}

/* Each event is two parts: its number and value, and the address. */
static void monitor_read(struct wire_socket *socket)
{
    char part[GUARD_PART_MAX];
    uint16_t event;
    uint32_t value;

    while (socket->monitor) {
        int got = zmq_recv(socket->monitor, part, sizeof part, ZMQ_DONTWAIT);
        if (got < 0)
            return;
        bool whole = got == (int)(sizeof event + sizeof value);
        if (whole) {
            memcpy(&event, part, sizeof event);
            memcpy(&value, part + sizeof event, sizeof value);
        }
        while (parts_follow(socket->monitor))
            zmq_recv(socket->monitor, part, sizeof part, 0);
        if (whole)
            trouble_note(socket, event, value);
    }
}

enum wire_trouble pubsub_wire_trouble(struct wire_socket *socket, struct wire_fault *out)
{
    monitor_read(socket);
    enum wire_trouble trouble = socket->trouble;
    if (trouble == WIRE_QUIET)
        return WIRE_QUIET;
    struct said *said = &socket->said[socket->said_next];
    socket->said_next = (socket->said_next + 1) % SAID_MOST;
    *out = said->text = socket->text;
    said->at_ms = now_ms();
    socket->trouble = WIRE_QUIET;
    return trouble;
}

/* ---- sockets ---- */

static int attach_fail(struct wire_fault *fault, const char *address, bool binding)
{
    int number = zmq_errno();

    if (number == ENODEV && binding)
        return fail(fault, PUBSUB_E_SYSTEM,
                    "%s: no address and no network interface of this machine", address);
    return fail(fault, number == EADDRINUSE ? PUBSUB_E_IN_USE : PUBSUB_E_SYSTEM, "%s: %s", address,
                zmq_strerror(number));
}

static int one_bind(struct wire_socket *socket, const char *text, bool six, const char *given,
                    struct wire_fault *fault)
{
    if (!options_tcp(socket, true, six) || zmq_bind(socket->socket, text) != 0)
        return attach_fail(fault, given, true);
    return PUBSUB_OK;
}

/* Both of localhost's addresses on one port. A machine may have but one of them. */
static int localhost_bind(struct wire_socket *socket, const struct address *address,
                          const char *given, struct wire_fault *fault)
{
    char text[ADDRESS_MAX], bound[ADDRESS_MAX];
    struct address first;

    snprintf(text, sizeof text, address->port ? "tcp://127.0.0.1:%d" : "tcp://127.0.0.1:*",
             address->port);
    int error = one_bind(socket, text, false, given, fault);
    if (error == PUBSUB_OK)
        error = pubsub_wire_bound(socket, bound, sizeof bound);
    if (error == PUBSUB_OK)
        error = pubsub_address_parse(bound, false, &first, fault);
    if (error != PUBSUB_OK)
        return error;
    snprintf(text, sizeof text, "tcp://[::1]:%d", first.port);
    if (options_tcp(socket, true, true) && zmq_bind(socket->socket, text) != 0 &&
        zmq_errno() == EADDRINUSE)
        return attach_fail(fault, given, true);
    return PUBSUB_OK;
}

static int address_bind(struct wire_socket *socket, const struct address *address, const char *text,
                        struct wire_fault *fault)
{
    if (address->reach == ADDRESS_FILE)
        return options_near(socket) && zmq_bind(socket->socket, text) == 0
                   ? PUBSUB_OK
                   : attach_fail(fault, text, true);
    if (strcmp(address->host, "localhost") == 0)
        return localhost_bind(socket, address, text, fault);
    return one_bind(socket, text, address->six || strcmp(address->host, "*") == 0, text, fault);
}

static int address_connect(struct wire_socket *socket, const struct address *address,
                           const char *text, struct wire_fault *fault)
{
    char here[ADDRESS_MAX];
    bool six = address->six;

    if (address->reach == ADDRESS_FILE) {
        if (options_near(socket) && zmq_connect(socket->socket, text) == 0)
            return PUBSUB_OK;
        return attach_fail(fault, text, false);
    }
    if (!six && strcmp(address->host, "localhost") == 0) {
        six = !pubsub_address_loopback_answers(false, address->port) &&
              pubsub_address_loopback_answers(true, address->port);
        snprintf(here, sizeof here, six ? "tcp://[::1]:%d" : "tcp://127.0.0.1:%d", address->port);
    } else {
        snprintf(here, sizeof here, "%s", text);
        six = six || pubsub_address_name_is_six(address->host);
    }
    return options_tcp(socket, false, six) && zmq_connect(socket->socket, here) == 0
               ? PUBSUB_OK
               : attach_fail(fault, text, false);
}

/* May that address be used with those keys? */
static int address_check(struct wire *wire, const struct address *address, const char *text,
                         bool binding, const struct wire_keys *keys, struct wire_fault *fault)
{
    if (keys && pubsub_keys_of_table(keys) != binding)
        return fail(fault, PUBSUB_E_ARGUMENT, "%s: %s keys are needed", text,
                    binding ? "a table's" : "a display's");
    if (address->reach == ADDRESS_FAR && !keys)
        return fail(fault, PUBSUB_E_ADDRESS,
                    "%s: only ipc:// and addresses of this machine are open without keys", text);
    return keys && binding && address->reach != ADDRESS_FILE ? zap_want(wire, keys, fault)
                                                             : PUBSUB_OK;
}

static int attach(struct wire_socket *socket, const char *text, bool binding,
                  const struct wire_keys *keys, struct wire_fault *fault)
{
    struct address address;
    int error = pubsub_address_parse(text, binding, &address, fault);

    if (error == PUBSUB_OK)
        error = address_check(socket->wire, &address, text, binding, keys, fault);
    if (error != PUBSUB_OK)
        return error;
    bool tcp = address.reach != ADDRESS_FILE;
    /* libzmq has no way back. */
    if (socket->keys && !(tcp && keys))
        return fail(fault, PUBSUB_E_ARGUMENT, "%s: addresses with keys come last", text);
    socket->bound = binding;
    if (tcp || !socket->address[0])
        snprintf(socket->address, sizeof socket->address, "%s", text);
    if ((tcp && !monitor_open(socket)) || !options_keys(socket, binding, tcp ? keys : NULL))
        return attach_fail(fault, text, false);
    return binding ? address_bind(socket, &address, text, fault)
                   : address_connect(socket, &address, text, fault);
}

static int socket_open(struct wire *wire, enum wire_kind kind, const char *address, bool binding,
                       const struct wire_keys *keys, struct wire_socket **out,
                       struct wire_fault *fault)
{
    *out = NULL;
    struct wire_socket *made = calloc(1, sizeof *made);
    if (!made)
        return fail(fault, PUBSUB_E_MEMORY, "out of memory");
    made->wire = wire;
    made->kind = kind;
    made->socket = zmq_socket(wire->context, zmq_kind(kind));
    int error = made->socket && options_set(made->socket, kind)
                    ? attach(made, address, binding, keys, fault)
                    : attach_fail(fault, address, false);
    if (error != PUBSUB_OK)
        pubsub_wire_close(&made);
    *out = made;
    return error;
}

int pubsub_wire_bind_keys(struct wire *wire, enum wire_kind kind, const char *address,
                          const struct wire_keys *keys, struct wire_socket **out,
                          struct wire_fault *fault)
{
    return socket_open(wire, kind, address, true, keys, out, fault);
}

int pubsub_wire_connect_keys(struct wire *wire, enum wire_kind kind, const char *address,
                             const struct wire_keys *keys, struct wire_socket **out,
                             struct wire_fault *fault)
{
    return socket_open(wire, kind, address, false, keys, out, fault);
}

int pubsub_wire_bind(struct wire *wire, enum wire_kind kind, const char *address,
                     struct wire_socket **out, struct wire_fault *fault)
{
    return socket_open(wire, kind, address, true, NULL, out, fault);
}

int pubsub_wire_connect(struct wire *wire, enum wire_kind kind, const char *address,
                        struct wire_socket **out, struct wire_fault *fault)
{
    return socket_open(wire, kind, address, false, NULL, out, fault);
}

int pubsub_wire_bind_also(struct wire_socket *socket, const char *address,
                          const struct wire_keys *keys, struct wire_fault *fault)
{
    return attach(socket, address, true, keys, fault);
}

int pubsub_wire_bound(const struct wire_socket *socket, char *out, size_t size)
{
    return zmq_getsockopt(socket->socket, ZMQ_LAST_ENDPOINT, out, &size) == 0 ? PUBSUB_OK
                                                                              : PUBSUB_E_SIZE;
}

/* The events end first: libzmq would wait to tell them to somebody who is gone. */
void pubsub_wire_close(struct wire_socket **socket)
{
    if (!socket || !*socket)
        return;
    if ((*socket)->monitor) {
        zmq_socket_monitor((*socket)->socket, NULL, 0);
        zmq_close((*socket)->monitor);
    }
    if ((*socket)->socket)
        zmq_close((*socket)->socket);
    free(*socket);
    *socket = NULL;
}

/* ---- messages ---- */

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

    monitor_read(socket);
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
    bool any = false;
    char byte;

    while (parts_follow(socket->socket)) {
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

    monitor_read(socket);
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
