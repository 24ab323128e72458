/* pubsub/web_server_stream.c: the stream of events to one client. */
#include "pubsub/web_server_parts.h"

/* Only what is sent without a frame around it passes through a room of this size. */
#define BLOCK_BYTES 4096

/* The hub calls both under its lock, and a client reads in libmicrohttpd's thread, so its wake
 * always finds it asleep. */
static void client_rest(void *context)
{
    MHD_suspend_connection(context);
}

static void client_wake(void *context)
{
    MHD_resume_connection(context);
}

static ssize_t client_read(void *context, uint64_t at, char *out, size_t size)
{
    int64_t got = pubsub_web_client_read(context, out, size);

    (void)at;
    return got < 0 ? MHD_CONTENT_READER_END_OF_STREAM : (ssize_t)got;
}

static void client_free(void *context)
{
    struct web_client *client = context;

    pubsub_web_client_close(&client);
}

enum MHD_Result pubsub_web_stream(struct web_server *server, struct MHD_Connection *connection)
{
    const struct web_client_calls calls = {
        .rest = client_rest, .wake = client_wake, .context = connection};
    struct web_client *client = pubsub_web_client_open(server->options.hub, &calls);

    if (!client)
        return MHD_NO;
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, BLOCK_BYTES, client_read, client, client_free);
    if (!response) {
        pubsub_web_client_close(&client);
        return MHD_NO;
    }
    /* Some proxies gather what they pass on. */
    if (!pubsub_web_reply_guard(response) ||
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream") !=
            MHD_YES ||
        MHD_add_response_header(response, "X-Accel-Buffering", "no") != MHD_YES) {
        MHD_destroy_response(response);
        return MHD_NO;
    }
    return pubsub_web_reply(connection, MHD_HTTP_OK, response);
}
