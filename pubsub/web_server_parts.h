/* pubsub/web_server_parts.h: what the files of the web server share. For web_server*.c only. */
#ifndef PUBSUB_WEB_SERVER_PARTS_H
#define PUBSUB_WEB_SERVER_PARTS_H

#include "pubsub/web_route.h"
#include "pubsub/web_server.h"

#include <microhttpd.h>
#include <pthread.h>

/* A connection, from its opening to its end. */
struct web_peer {
    struct web_peer *before, *after;
    int file;
    struct web_address from, at;
    int64_t since_ms; /* it was opened, or its last request was answered */
    bool closing;     /* its place was given to another */
    bool serving;     /* an answer is on its way, an errand is done for it, or it streams */
};

/* Pictures that many displays ask for in the same moment are kept for that long, and sent to all
 * from the same bytes. */
#define WEB_SHOWN_MOST 4
struct web_shown {
    char what[64]; /* the errand's request; "": none */
    struct MHD_Response *response;
    int64_t made_ms;
};

struct web_server {
    struct web_options options;
    struct web_site site;
    struct web_content content;
    struct MHD_Daemon *daemon;
    struct MHD_Response **asset; /* one for each, with the build's digest in it */
    struct MHD_Response *denied;
    pthread_mutex_t lock; /* over the peers */
    struct web_peer *peers;
    uint64_t asked; /* for the ids of what we ask */
    struct web_shown shown[WEB_SHOWN_MOST];
};

/* ---- web_server_reply.c ---- */

/* With the headers that every answer has. NULL `type`: none. NULL: no memory. */
struct MHD_Response *pubsub_web_reply_make(const void *bytes, size_t length,
                                           enum MHD_ResponseMemoryMode mode, const char *type);
/* The headers that every answer has, put on one that was made otherwise. False: no memory. */
bool pubsub_web_reply_guard(struct MHD_Response *response);
/* Queues it and gives it up; NULL ends the connection. */
enum MHD_Result pubsub_web_reply(struct MHD_Connection *connection, int status,
                                 struct MHD_Response *response);
/* {"v":1,"ok":false,"error":why,"text":text} */
enum MHD_Result pubsub_web_reply_error(struct MHD_Connection *connection, int status,
                                       const char *why, const char *text, const char *allow);
/* The responses that are made once. False: no memory. */
bool pubsub_web_reply_pages(struct web_server *server);
void pubsub_web_reply_pages_free(struct web_server *server);

/* ---- web_server_shown.c ---- */

/* The picture or list of that name, when it was made a moment ago; NULL: it has to be made. Lent.
 */
struct MHD_Response *pubsub_web_shown_find(struct web_server *server, const char *what);
/* What was made: sent, and kept for a moment when it is a picture. */
enum MHD_Result pubsub_web_shown_reply(struct web_server *server, struct MHD_Connection *connection,
                                       struct web_errand *errand);
void pubsub_web_shown_free(struct web_server *server);

/* ---- web_server_stream.c ---- */

enum MHD_Result pubsub_web_stream(struct web_server *server, struct MHD_Connection *connection);

/* ---- web_server_serve.c: libmicrohttpd's callbacks ---- */

enum MHD_Result pubsub_web_serve(void *context, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_size, void **place);
void pubsub_web_served(void *context, struct MHD_Connection *connection, void **place,
                       enum MHD_RequestTerminationCode code);

/* ---- web_server_peer.c ---- */

enum MHD_Result pubsub_web_peer_accept(void *context, const struct sockaddr *from,
                                       socklen_t length);
void pubsub_web_peer_note(void *context, struct MHD_Connection *connection, void **peer,
                          enum MHD_ConnectionNotificationCode code);
struct web_peer *pubsub_web_peer_of(struct MHD_Connection *connection);
/* An answer is on its way, or it is done. */
void pubsub_web_peer_serving(struct web_server *server, struct MHD_Connection *connection,
                             bool serving);

#endif
