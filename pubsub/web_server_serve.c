/* pubsub/web_server_serve.c: requests: what is asked, and the answer to it. */
#include "pubsub/web_qr.h"
#include "pubsub/web_server_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is sent beyond the largest body is passed over up to this, so that the sender hears why it
 * was refused; then the connection ends. */
#define WASTE_MAX ((size_t)1 << 20)
#define KEY_HEADER "X-Tableref-Key"
#define JSON_TYPE "application/json"

struct web_request {
    struct web_server *server;
    struct MHD_Connection *connection;
    struct web_ruling ruling;
    char *body;
    size_t length, room, wasted;
    struct web_errand errand;
    bool sent; /* the errand was handed in */
};

/* ---- what is asked ---- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result host_count(void *count, enum MHD_ValueKind kind, const char *name,
                                  const char *value)
{
    (void)kind;
    (void)value;
    *(int *)count += strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0;
    return MHD_YES;
}

static void request_rule(struct web_request *request, const char *url, const char *method)
{
    struct MHD_Connection *connection = request->connection;
    const struct web_peer *peer = pubsub_web_peer_of(connection);
    struct web_facts facts = {
        .method = method,
        .path = url,
        .host = header(connection, MHD_HTTP_HEADER_HOST),
        .origin = header(connection, MHD_HTTP_HEADER_ORIGIN),
        .fetch_site = header(connection, "Sec-Fetch-Site"),
        .content_type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
        .key = header(connection, KEY_HEADER),
        .seat = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "seat"),
        .from = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "from"),
    };

    MHD_get_connection_values(connection, MHD_HEADER_KIND, host_count, &facts.hosts);
    if (peer)
        facts.at = peer->at;
    pubsub_web_route(&request->server->content, &facts, &request->ruling);
}

/* What the header says of its length; 0 when it says nothing. */
static uint64_t length_said(struct MHD_Connection *connection)
{
    const char *text = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);

    return text ? strtoull(text, NULL, 10) : 0;
}

/* Keys are looked at before anything of the body is taken. */
static void key_rule(struct web_request *request)
{
    const struct web_calls *calls = &request->server->options.calls;
    struct web_ruling *ruling = &request->ruling;
    bool seats = ruling->route == WEB_COMMAND;

    if (ruling->status != 200 || ruling->route < WEB_COMMAND)
        return;
    int whose = calls->whose(calls->context, header(request->connection, KEY_HEADER));
    if (whose == WEB_OPERATOR || (seats && whose != WEB_NOBODY))
        return;
    ruling->status = 403;
    ruling->why = "bad_key";
    ruling->text = seats ? "no such key" : "this needs the operator's key";
}

static void body_refuse(struct web_request *request)
{
    if (request->ruling.status != 200)
        return;
    request->ruling.status = 413;
    request->ruling.why = "too_large";
    request->ruling.text = "a request has at most 64 KiB";
}

/* False: the connection ends. */
static bool body_take(struct web_request *request, const char *bytes, size_t size)
{
    bool wanted = request->ruling.status == 200 && request->ruling.route == WEB_COMMAND;

    if (wanted && request->length + size > WEB_BODY_MAX)
        body_refuse(request);
    if (!wanted || request->ruling.status != 200) {
        request->wasted += size;
        return request->wasted <= WASTE_MAX;
    }
    if (request->length + size > request->room) {
        size_t room = request->length + size + 1024;
        char *grown = realloc(request->body, room);
        if (!grown)
            return false;
        request->body = grown;
        request->room = room;
    }
    memcpy(request->body + request->length, bytes, size);
    request->length += size;
    return true;
}

/* ---- errands ---- */

static void errand_wake(void *context)
{
    MHD_resume_connection(context);
}

/* The connection sleeps before the errand is seen by anybody: its wake cannot come too early. */
static enum MHD_Result errand_send(struct web_request *request, struct web_desk *desk)
{
    struct web_errand *errand = &request->errand;

    errand->wake = errand_wake;
    errand->context = request->connection;
    request->sent = true;
    MHD_suspend_connection(request->connection);
    if (!pubsub_web_desk_put(desk, errand)) {
        request->ruling.status = 429;
        pubsub_web_errand_finish(errand);
    }
    return MHD_YES;
}

static enum MHD_Result command_send(struct web_request *request)
{
    struct web_errand *errand = &request->errand;
    const char *key = header(request->connection, KEY_HEADER);

    errand->kind = WEB_ERRAND_ASK;
    int error = pubsub_web_command(request->body ? request->body : "", request->length, key,
                                   &errand->request);
    if (error == PUBSUB_E_ARGUMENT)
        return pubsub_web_reply_error(request->connection, 400, "bad_request",
                                      "the body must be a JSON object", NULL);
    if (error != PUBSUB_OK)
        return MHD_NO;
    errand->request_length = strlen(errand->request);
    return errand_send(request, request->server->options.asks);
}

static enum MHD_Result history_send(struct web_request *request)
{
    struct web_errand *errand = &request->errand;
    struct web_server *server = request->server;
    char id[64];

    snprintf(id, sizeof id, "web-%s-%" PRIu64, server->options.source, ++server->asked);
    json_t *root = json_pack("{s:i,s:s,s:s,s:s,s:I}", "v", 1, "id", id, "key",
                             header(request->connection, KEY_HEADER), "do", "history", "from",
                             (json_int_t)request->ruling.from);
    errand->kind = WEB_ERRAND_ASK;
    errand->request = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (!errand->request)
        return MHD_NO;
    errand->request_length = strlen(errand->request);
    return errand_send(request, server->options.asks);
}

static enum MHD_Result ask_answer(struct web_request *request)
{
    struct web_errand *errand = &request->errand;

    if (!errand->answer)
        return pubsub_web_reply_error(request->connection, 503, "no_answer",
                                      "the referee does not answer", NULL);
    char *body = errand->answer;
    int status = pubsub_web_status(body, errand->answer_length);
    errand->answer = NULL;
    return pubsub_web_reply(
        request->connection, status,
        pubsub_web_reply_make(body, errand->answer_length, MHD_RESPMEM_MUST_FREE, JSON_TYPE));
}

/* A picture from the record, or the list of those there are. */
static enum MHD_Result show_send(struct web_request *request)
{
    struct web_errand *errand = &request->errand;
    struct web_server *server = request->server;
    const struct web_ruling *ruling = &request->ruling;
    char what[64];

    if (!server->options.shows)
        return pubsub_web_reply_error(request->connection, 404, "not_found",
                                      "there is no record to show it from", NULL);
    if (ruling->route == WEB_EVIDENCE)
        snprintf(what, sizeof what, "evidence %" PRId64 " %" PRId64, ruling->event, ruling->index);
    else if (ruling->route == WEB_FINISH)
        snprintf(what, sizeof what, "finish %" PRId64, ruling->event);
    else
        snprintf(what, sizeof what, "finishes");
    struct MHD_Response *shown = pubsub_web_shown_find(server, what);
    if (shown)
        return MHD_queue_response(request->connection, MHD_HTTP_OK, shown);
    errand->kind = WEB_ERRAND_SHOW;
    errand->request = strdup(what);
    if (!errand->request)
        return MHD_NO;
    errand->request_length = strlen(what);
    return errand_send(request, server->options.shows);
}

static struct MHD_Response *picture_make(struct web_errand *errand)
{
    json_t *outline = json_loadb(errand->answer, errand->answer_length, 0, NULL);
    char frame[32];
    unsigned char *picture = errand->picture;

    snprintf(frame, sizeof frame, "%" JSON_INTEGER_FORMAT,
             json_integer_value(json_object_get(outline, "frame")));
    json_decref(outline);
    errand->picture = NULL;
    struct MHD_Response *response =
        pubsub_web_reply_make(picture, errand->picture_length, MHD_RESPMEM_MUST_FREE, "image/jpeg");
    if (response && MHD_add_response_header(response, "X-Tableref-Frame", frame) != MHD_YES) {
        MHD_destroy_response(response);
        response = NULL;
    }
    return response;
}

static enum MHD_Result look_answer(struct web_request *request)
{
    struct web_errand *errand = &request->errand;

    if (!errand->answer)
        return pubsub_web_reply_error(request->connection, 503, "no_answer",
                                      "the eyes do not answer", NULL);
    if (request->ruling.route == WEB_PICTURE && !errand->picture)
        return pubsub_web_reply_error(request->connection, 503, "no_picture",
                                      "the eyes have seen nothing yet", NULL);
    if (request->ruling.route == WEB_PICTURE)
        return pubsub_web_reply(request->connection, 200, picture_make(errand));
    char *body = errand->answer;
    errand->answer = NULL;
    return pubsub_web_reply(
        request->connection, 200,
        pubsub_web_reply_make(body, errand->answer_length, MHD_RESPMEM_MUST_FREE, JSON_TYPE));
}

static enum MHD_Result errand_answer(struct web_request *request)
{
    if (request->ruling.status == 429)
        return pubsub_web_reply_error(request->connection, 429, "too_many",
                                      "more is asked than can be answered; try again", NULL);
    if (request->errand.kind == WEB_ERRAND_LOOK)
        return look_answer(request);
    if (request->errand.kind == WEB_ERRAND_SHOW)
        return pubsub_web_shown_reply(request->server, request->connection, &request->errand);
    return ask_answer(request);
}

/* ---- what is answered at once ---- */

static enum MHD_Result time_answer(struct web_request *request)
{
    const struct web_calls *calls = &request->server->options.calls;
    int64_t t_ns, error_ns, epoch;
    char text[128];

    if (!calls->time(calls->context, &t_ns, &error_ns, &epoch))
        return pubsub_web_reply_error(request->connection, 503, "no_answer",
                                      "the referee does not answer", NULL);
    int length = snprintf(text, sizeof text,
                          "{\"t_ns\":%" PRId64 ",\"error_ns\":%" PRId64 ",\"epoch\":%" PRId64 "}",
                          t_ns, error_ns, epoch);
    return pubsub_web_reply(
        request->connection, 200,
        pubsub_web_reply_make(text, (size_t)length, MHD_RESPMEM_MUST_COPY, JSON_TYPE));
}

static enum MHD_Result lang_answer(struct web_request *request)
{
    const struct web_calls *calls = &request->server->options.calls;
    const char *bytes;
    size_t length;

    if (!calls->lang || !calls->lang(calls->context, request->ruling.lang, &bytes, &length))
        return pubsub_web_reply_error(request->connection, 404, "not_found",
                                      "there is no such language", NULL);
    return pubsub_web_reply(
        request->connection, 200,
        pubsub_web_reply_make(bytes, length, MHD_RESPMEM_PERSISTENT, JSON_TYPE));
}

static enum MHD_Result qr_answer(struct web_request *request)
{
    const struct web_calls *calls = &request->server->options.calls;
    char key[128], place[WEB_HOST_TEXT_MAX + 16], text[WEB_HOST_TEXT_MAX + 256];
    char *svg = NULL;
    size_t length = 0;

    if (!calls->seat_key(calls->context, request->ruling.seat, key, sizeof key))
        return pubsub_web_reply_error(request->connection, 404, "not_found", "nobody plays there",
                                      NULL);
    pubsub_web_server_public(request->server, place, sizeof place);
    snprintf(text, sizeof text, "%s/claim?seat=%d#%s", place, request->ruling.seat, key);
    svg = pubsub_web_qr_svg(text, &length);
    sodium_memzero(key, sizeof key);
    sodium_memzero(text, sizeof text);
    return pubsub_web_reply(
        request->connection, 200,
        svg ? pubsub_web_reply_make(svg, length, MHD_RESPMEM_MUST_FREE, "image/svg+xml") : NULL);
}

static enum MHD_Result asset_answer(const struct web_request *request)
{
    const struct web_server *server = request->server;
    ptrdiff_t place = request->ruling.asset - server->options.assets;

    return MHD_queue_response(request->connection, MHD_HTTP_OK, server->asset[place]);
}

static enum MHD_Result refusal_answer(const struct web_request *request)
{
    const struct web_ruling *ruling = &request->ruling;

    if (ruling->route == WEB_DENIED)
        return MHD_queue_response(request->connection, (unsigned)ruling->status,
                                  request->server->denied);
    return pubsub_web_reply_error(request->connection, ruling->status, ruling->why, ruling->text,
                                  ruling->allow);
}

static enum MHD_Result request_answer(struct web_request *request)
{
    if (request->ruling.status != 200)
        return refusal_answer(request);
    switch (request->ruling.route) {
    case WEB_ASSET:
        return asset_answer(request);
    case WEB_LANG:
        return lang_answer(request);
    case WEB_EVENTS:
        return pubsub_web_stream(request->server, request->connection);
    case WEB_TIME:
        return time_answer(request);
    case WEB_COMMAND:
        return command_send(request);
    case WEB_HISTORY:
        return history_send(request);
    case WEB_PICTURE:
    case WEB_OUTLINE:
        request->errand.kind = WEB_ERRAND_LOOK;
        return errand_send(request, request->server->options.looks);
    case WEB_EVIDENCE:
    case WEB_FINISH:
    case WEB_FINISHES:
        return show_send(request);
    case WEB_QR:
        return qr_answer(request);
    default:
        return refusal_answer(request);
    }
}

/* ---- the callbacks ---- */

static enum MHD_Result request_begin(struct web_server *server, struct MHD_Connection *connection,
                                     const char *url, const char *method, void **out)
{
    struct web_request *request = calloc(1, sizeof *request);

    if (!request || !pubsub_web_peer_of(connection)) {
        free(request);
        return MHD_NO;
    }
    *out = request;
    request->server = server;
    request->connection = connection;
    request_rule(request, url, method);
    key_rule(request);
    if (length_said(connection) > WEB_BODY_MAX)
        body_refuse(request);
    /* A body that is not wanted need not be sent at all. */
    if (request->ruling.status != 200 && strcmp(method, "POST") == 0) {
        pubsub_web_peer_serving(server, connection, true);
        return refusal_answer(request);
    }
    return MHD_YES;
}

enum MHD_Result pubsub_web_serve(void *context, struct MHD_Connection *connection, const char *url,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_size, void **place)
{
    struct web_server *server = context;
    struct web_request *request = *place;

    (void)version;
    if (!request)
        return request_begin(server, connection, url, method, place);
    if (*upload_size > 0) {
        bool taken = body_take(request, upload, *upload_size);
        *upload_size = 0;
        return taken ? MHD_YES : MHD_NO;
    }
    if (!request->sent) {
        pubsub_web_peer_serving(server, connection, true);
        return request_answer(request);
    }
    return request->errand.done ? errand_answer(request) : MHD_YES;
}

void pubsub_web_served(void *context, struct MHD_Connection *connection, void **place,
                       enum MHD_RequestTerminationCode code)
{
    struct web_request *request = *place;

    (void)code;
    if (!request)
        return;
    pubsub_web_peer_serving(context, connection, false);
    pubsub_web_errand_clear(&request->errand);
    free(request->body);
    free(request);
    *place = NULL;
}
