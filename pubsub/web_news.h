/* pubsub/web_news.h: a table's messages as what the pages are told. */
#ifndef PUBSUB_WEB_NEWS_H
#define PUBSUB_WEB_NEWS_H

#include "pubsub/message.h"
#include "pubsub/web_hub.h"

/* Tells the hub a message as it came. PUBSUB_E_ARGUMENT: its own member is not what PROTOCOL.md
 * says; PUBSUB_E_MEMORY. */
int pubsub_web_news_message(struct web_hub *hub, const struct message_head *head,
                            const json_t *body, bool late);

/* The link to the referee: well, or nothing was heard of it for so long. */
int pubsub_web_news_link(struct web_hub *hub, int64_t epoch, bool well, int64_t age_ms);

/* What a client is greeted with. */
struct web_greeting {
    char build[32];
    const char *table, *match; /* NULL: not known yet */
    const char *const *langs;
    size_t lang_count;
    const char *lang;
    bool recording, keyed;
    int64_t epoch;
};
int pubsub_web_news_hello(struct web_hub *hub, const struct web_greeting *greeting);

/* A file of the kit: its name among the kit's members, and its text. */
struct web_kit_part {
    const char *member;
    const char *bytes; /* NULL: there is none, and the member is null */
    size_t length;
};
/* {"set":{..},"shapes":{..},..}. PUBSUB_E_ARGUMENT: a part is no JSON. */
int pubsub_web_news_kit(struct web_hub *hub, const struct web_kit_part *parts, size_t count);

#endif
