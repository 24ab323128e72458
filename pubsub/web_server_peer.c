/* pubsub/web_server_peer.c: connections: who may open one, and how long they may take. */
#include "pubsub/web_listen.h"
#include "pubsub/web_server_parts.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* To say what it wants, with its body. Also how long one that is kept open may be idle. */
#define REQUEST_MS 20000
/* Whoever has no word for so long, when all places are taken, gives its own to one who comes. A
 * browser says at once what it wants; one whose kept connection is ended opens another. So
 * connections that are opened and say nothing, however many, keep no display out. */
#define IDLE_MS 2000
/* libmicrohttpd itself stops listening at its limit; we never let it come to that. */
#define SPARE 4
/* What the kernel holds for a peer that does not read (it takes twice that): some seconds of
 * states, so that a short stumble costs nothing, and a thousand of them stay within reason. */
#define SEND_ROOM_BYTES (96 << 10)
/* A peer that is gone without a word is known as such after this, not after the system's quarter of
 * an hour. */
#define GONE_MS 20000

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One machine may have a whole /64 of IPv6 to itself: it counts as one. */
static bool same_machine(const struct web_address *one, const struct web_address *other)
{
    return one->v6 == other->v6 && memcmp(one->bytes, other->bytes, one->v6 ? 8 : 4) == 0;
}

/* The one that has been idle longest; of that machine, unless that is NULL. NULL: none is idle. */
static struct web_peer *idle_oldest(const struct web_server *server, const struct web_address *from)
{
    struct web_peer *oldest = NULL;
    int64_t before_ms = now_ms() - IDLE_MS;

    for (struct web_peer *peer = server->peers; peer; peer = peer->after)
        if (!peer->serving && !peer->closing && peer->since_ms < before_ms &&
            (!from || same_machine(&peer->from, from)) &&
            (!oldest || peer->since_ms < oldest->since_ms))
            oldest = peer;
    return oldest;
}

/* Whether there is a place for one more, if need be that of one who is idle. With the lock. */
static bool place_make(const struct web_server *server, const struct web_address *from)
{
    bool own = pubsub_web_address_loopback(from);
    int most = server->options.connections - (own ? SPARE : WEB_CONNECTIONS_OWN);
    int open = 0, all = 0;

    for (const struct web_peer *peer = server->peers; peer; peer = peer->after) {
        open += !peer->closing && same_machine(&peer->from, from);
        all += !peer->closing;
    }
    bool each = !own && open >= server->options.connections_each;
    if (!each && all < most)
        return true;
    struct web_peer *idle = idle_oldest(server, each ? from : NULL);
    if (!idle)
        return false;
    idle->closing = true;
    shutdown(idle->file, SHUT_RDWR);
    return true;
}

enum MHD_Result pubsub_web_peer_accept(void *context, const struct sockaddr *from, socklen_t length)
{
    struct web_server *server = context;
    struct web_address address;

    (void)length;
    if (!pubsub_web_address_from(from, &address))
        return MHD_NO;
    pthread_mutex_lock(&server->lock);
    bool fits = place_make(server, &address);
    pthread_mutex_unlock(&server->lock);
    return fits ? MHD_YES : MHD_NO;
}

static void file_set(int file)
{
    const int room = SEND_ROOM_BYTES, gone_ms = GONE_MS;

    /* What cannot be set stays as the system has it. */
    (void)setsockopt(file, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    (void)setsockopt(file, IPPROTO_TCP, TCP_USER_TIMEOUT, &gone_ms, sizeof gone_ms);
}

static void peer_open(struct web_server *server, struct MHD_Connection *connection, void **out)
{
    const union MHD_ConnectionInfo *file =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *from =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct sockaddr_storage at;
    socklen_t length = sizeof at;
    struct web_peer *peer = calloc(1, sizeof *peer);

    *out = peer;
    if (!peer || !file || !from)
        return; /* without one, every request is refused */
    peer->file = file->connect_fd;
    peer->since_ms = now_ms();
    pubsub_web_address_from(from->client_addr, &peer->from);
    if (getsockname(peer->file, (struct sockaddr *)&at, &length) == 0)
        pubsub_web_address_from((const struct sockaddr *)&at, &peer->at);
    file_set(peer->file);
    pthread_mutex_lock(&server->lock);
    peer->after = server->peers;
    if (server->peers)
        server->peers->before = peer;
    server->peers = peer;
    pthread_mutex_unlock(&server->lock);
}

static void peer_close(struct web_server *server, struct web_peer *peer)
{
    pthread_mutex_lock(&server->lock);
    if (peer->before)
        peer->before->after = peer->after;
    else if (server->peers == peer)
        server->peers = peer->after;
    if (peer->after)
        peer->after->before = peer->before;
    pthread_mutex_unlock(&server->lock);
    free(peer);
}

void pubsub_web_peer_note(void *context, struct MHD_Connection *connection, void **peer,
                          enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        peer_open(context, connection, peer);
    } else if (*peer) {
        peer_close(context, *peer);
        *peer = NULL;
    }
}

struct web_peer *pubsub_web_peer_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

void pubsub_web_peer_serving(struct web_server *server, struct MHD_Connection *connection,
                             bool serving)
{
    struct web_peer *peer = pubsub_web_peer_of(connection);

    if (!peer)
        return;
    pthread_mutex_lock(&server->lock);
    peer->serving = serving;
    peer->since_ms = now_ms();
    pthread_mutex_unlock(&server->lock);
}

/* libmicrohttpd's own time counts from the last byte, so one byte now and then would hold a
 * connection for ever. It closes a file only after it told us, so the file is still that one. */
void pubsub_web_server_look(struct web_server *server)
{
    const int64_t now = now_ms();

    pthread_mutex_lock(&server->lock);
    for (struct web_peer *peer = server->peers; peer; peer = peer->after)
        if (!peer->serving && now - peer->since_ms > REQUEST_MS)
            shutdown(peer->file, SHUT_RDWR);
    pthread_mutex_unlock(&server->lock);
}
