/* pubsub/web_news.c: a table's messages as what the pages are told. */
#include "pubsub/web_news.h"

#include <stdlib.h>
#include <string.h>

/* Numbers are written as short as they were: no file and no message has more digits. */
#define DUMP (JSON_COMPACT | JSON_REAL_PRECISION(15))
/* Slots stand behind the seats among the places of layouts. */
#define SLOTS_FROM 64

static int hub_tell(struct web_hub *hub, struct web_news *news, const json_t *body)
{
    char *text = body ? json_dumps(body, DUMP) : NULL;

    if (!text)
        return PUBSUB_E_MEMORY;
    news->data = text;
    int error = pubsub_web_hub_tell(hub, news);
    free(text);
    return error;
}

/* Its own, and gives it up. */
static int hub_tell_own(struct web_hub *hub, struct web_news *news, json_t *body)
{
    int error = hub_tell(hub, news, body);

    json_decref(body);
    return error;
}

static bool decision_name(const json_t *body, struct web_news *news)
{
    const json_t *decision = json_object_get(body, "decision");
    const json_t *seq = json_object_get(decision, "seq"),
                 *index = json_object_get(decision, "index");

    news->seq = json_integer_value(seq);
    news->index = (int)json_integer_value(index);
    return json_is_integer(seq) && json_is_integer(index);
}

/* One of the two is null. */
static bool layout_name(const json_t *body, struct web_news *news)
{
    const json_t *layout = json_object_get(body, "layout");
    const json_t *seat = json_object_get(json_object_get(layout, "seat"), "seat");
    const json_t *slot = json_object_get(json_object_get(layout, "slot"), "slot");
    json_int_t number = json_integer_value(seat ? seat : slot);

    if (number < 0 || number >= SLOTS_FROM || (!seat && !slot))
        return false;
    news->number = (int)number + (seat ? 0 : SLOTS_FROM);
    return true;
}

int pubsub_web_news_message(struct web_hub *hub, const struct message_head *head,
                            const json_t *body, bool late)
{
    struct web_news news = {
        .event = pubsub_message_kind_name(head->kind), .late = late, .epoch = head->epoch};
    bool well = news.event != NULL;

    switch (head->kind) {
    case MESSAGE_VERDICT:
        news.keep = WEB_DECISION;
        well = well && decision_name(body, &news);
        break;
    case MESSAGE_VOID:
        news.keep = WEB_VOID;
        well = well && decision_name(body, &news);
        break;
    case MESSAGE_STATE:
        news.keep = WEB_STATE;
        break;
    case MESSAGE_LAYOUT:
        news.keep = WEB_LAYOUT;
        well = well && layout_name(body, &news);
        break;
    case MESSAGE_HEALTH:
        news.keep = WEB_HEALTH;
        break;
    default:
        return PUBSUB_E_ARGUMENT;
    }
    return well ? hub_tell(hub, &news, body) : PUBSUB_E_ARGUMENT;
}

int pubsub_web_news_link(struct web_hub *hub, int64_t epoch, bool well, int64_t age_ms)
{
    struct web_news news = {.event = "link", .keep = WEB_LINK, .number = well, .epoch = epoch};

    return hub_tell_own(hub, &news,
                        well ? json_pack("{s:b}", "ok", 1)
                             : json_pack("{s:b,s:I}", "ok", 0, "age_ms", (json_int_t)age_ms));
}

int pubsub_web_news_hello(struct web_hub *hub, const struct web_greeting *greeting)
{
    struct web_news news = {.event = "hello", .keep = WEB_HELLO, .epoch = greeting->epoch};
    json_t *langs = json_array();

    for (size_t i = 0; i < greeting->lang_count; i++)
        json_array_append_new(langs, json_string(greeting->langs[i]));
    return hub_tell_own(hub, &news,
                        json_pack("{s:s,s:s?,s:s?,s:o,s:s,s:b,s:b,s:I}", "build", greeting->build,
                                  "table", greeting->table, "match", greeting->match, "langs",
                                  langs, "lang", greeting->lang, "recording", greeting->recording,
                                  "keyed", greeting->keyed, "epoch", (json_int_t)greeting->epoch));
}

int pubsub_web_news_kit(struct web_hub *hub, const struct web_kit_part *parts, size_t count)
{
    struct web_news news = {.event = "kit", .keep = WEB_KIT};
    json_t *kit = json_object();

    for (size_t i = 0; i < count; i++) {
        json_t *part =
            parts[i].bytes ? json_loadb(parts[i].bytes, parts[i].length, 0, NULL) : json_null();
        if (!part) {
            json_decref(kit);
            return PUBSUB_E_ARGUMENT;
        }
        json_object_set_new(kit, parts[i].member, part);
    }
    return hub_tell_own(hub, &news, kit);
}
