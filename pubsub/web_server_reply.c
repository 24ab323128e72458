/* pubsub/web_server_reply.c: answers and their headers. */
#include "pubsub/web_server_parts.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *value;
} guards[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
     "connect-src 'self'; media-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
     "form-action 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"},
};

/* No style of its own: the policy forbids it. */
static const char denied_page[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Not "
    "here</title></head>\n"
    "<body><h1>This page carries a key</h1>\n"
    "<p>Keys do not leave the table's machine in the clear, and this address is open to others. "
    "Open the page on that machine, or start the scoreboard with <code>--tls-cert</code> and "
    "<code>--tls-key</code> (<code>tableref keys tls DIR</code> makes both).</p></body></html>\n";

bool pubsub_web_reply_guard(struct MHD_Response *response)
{
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++)
        if (MHD_add_response_header(response, guards[i].name, guards[i].value) != MHD_YES)
            return false;
    return true;
}

struct MHD_Response *pubsub_web_reply_make(const void *bytes, size_t length,
                                           enum MHD_ResponseMemoryMode mode, const char *type)
{
    /* The library takes what it will not write by a pointer that could be written by. */
    union {
        const void *lent;
        void *given;
    } buffer = {.lent = bytes};
    struct MHD_Response *response = MHD_create_response_from_buffer(length, buffer.given, mode);

    if (!response) {
        if (mode == MHD_RESPMEM_MUST_FREE)
            free(buffer.given);
        return NULL;
    }
    if (!pubsub_web_reply_guard(response) ||
        (type &&
         MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) != MHD_YES)) {
        MHD_destroy_response(response);
        return NULL;
    }
    return response;
}

enum MHD_Result pubsub_web_reply(struct MHD_Connection *connection, int status,
                                 struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result pubsub_web_reply_error(struct MHD_Connection *connection, int status,
                                       const char *why, const char *text, const char *allow)
{
    json_t *root =
        json_pack("{s:i,s:b,s:s,s:s}", "v", 1, "ok", 0, "error", why, "text", text ? text : "");
    char *body = root ? json_dumps(root, JSON_COMPACT) : NULL;
    struct MHD_Response *response = NULL;

    json_decref(root);
    if (body)
        response =
            pubsub_web_reply_make(body, strlen(body), MHD_RESPMEM_MUST_FREE, "application/json");
    if (response && allow &&
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, allow) != MHD_YES) {
        MHD_destroy_response(response);
        response = NULL;
    }
    return pubsub_web_reply(connection, status, response);
}

static struct MHD_Response *page_make(const struct web_server *server,
                                      const struct web_asset *asset)
{
    const char *type = pubsub_web_asset_type(asset->name);
    size_t length;

    if (!type || strncmp(type, "text/html", 9) != 0)
        return pubsub_web_reply_make(asset->bytes, asset->length, MHD_RESPMEM_PERSISTENT, type);
    char *page = pubsub_web_asset_stamped(asset, server->options.build, &length);
    return page ? pubsub_web_reply_make(page, length, MHD_RESPMEM_MUST_FREE, type) : NULL;
}

bool pubsub_web_reply_pages(struct web_server *server)
{
    const size_t count = server->options.asset_count;

    server->asset = calloc(count + 1, sizeof(struct MHD_Response *));
    server->denied = pubsub_web_reply_make(denied_page, sizeof denied_page - 1,
                                           MHD_RESPMEM_PERSISTENT, "text/html; charset=utf-8");
    for (size_t i = 0; server->asset && i < count; i++) {
        server->asset[i] = page_make(server, &server->options.assets[i]);
        if (!server->asset[i])
            return false;
    }
    return server->asset && server->denied;
}

void pubsub_web_reply_pages_free(struct web_server *server)
{
    for (size_t i = 0; server->asset && i < server->options.asset_count; i++)
        if (server->asset[i])
            MHD_destroy_response(server->asset[i]);
    if (server->denied)
        MHD_destroy_response(server->denied);
    free(server->asset);
    server->asset = NULL;
    server->denied = NULL;
}
