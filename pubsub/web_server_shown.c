/* pubsub/web_server_shown.c: pictures from the record, sent to many at once. */
#include "pubsub/web_server_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A ruling may be taken back or changed: then another picture has its name. */
#define FRESH_MS 2000

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void shown_drop(struct web_shown *shown)
{
    if (shown->response)
        MHD_destroy_response(shown->response);
    memset(shown, 0, sizeof *shown);
}

struct MHD_Response *pubsub_web_shown_find(struct web_server *server, const char *what)
{
    for (int i = 0; i < WEB_SHOWN_MOST; i++) {
        struct web_shown *shown = &server->shown[i];
        if (shown->response && now_ms() - shown->made_ms > FRESH_MS)
            shown_drop(shown);
        if (shown->response && strcmp(shown->what, what) == 0)
            return shown->response;
    }
    return NULL;
}

/* In the place of the oldest. */
static void shown_keep(struct web_server *server, const char *what, struct MHD_Response *response)
{
    struct web_shown *oldest = &server->shown[0];

    for (int i = 1; i < WEB_SHOWN_MOST; i++)
        if (server->shown[i].made_ms < oldest->made_ms)
            oldest = &server->shown[i];
    if (strlen(what) >= sizeof oldest->what) {
        MHD_destroy_response(response);
        return;
    }
    shown_drop(oldest);
    memcpy(oldest->what, what, strlen(what) + 1);
    oldest->response = response;
    oldest->made_ms = now_ms();
}

enum MHD_Result pubsub_web_shown_reply(struct web_server *server, struct MHD_Connection *connection,
                                       struct web_errand *errand)
{
    struct MHD_Response *response;

    if (errand->picture) {
        response = pubsub_web_reply_make(errand->picture, errand->picture_length,
                                         MHD_RESPMEM_MUST_FREE, "image/png");
        errand->picture = NULL;
        if (!response)
            return MHD_NO;
        enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
        shown_keep(server, errand->request, response);
        return result;
    }
    if (!errand->answer)
        return pubsub_web_reply_error(connection, 503, "no_answer", "nobody draws it", NULL);
    char *body = errand->answer;
    int status = strstr(body, "\"ok\":true") ? 200 : 404;
    errand->answer = NULL;
    return pubsub_web_reply(connection, status,
                            pubsub_web_reply_make(body, errand->answer_length,
                                                  MHD_RESPMEM_MUST_FREE, "application/json"));
}

void pubsub_web_shown_free(struct web_server *server)
{
    for (int i = 0; i < WEB_SHOWN_MOST; i++)
        shown_drop(&server->shown[i]);
}
