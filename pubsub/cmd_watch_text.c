/* pubsub/cmd_watch_text.c: a table's messages as lines for people. */
#include "pubsub/cmd_watch_text.h"

#include <stdio.h>
#include <string.h>

#define NS_PER_S 1000000000

/* What comes from elsewhere goes to a terminal: no control characters, also none of two bytes. */
static void put(struct json_text *out, const char *text)
{
    char safe[512];
    size_t length = 0;

    for (const char *c = text; *c && length < sizeof safe - 2; c++) {
        unsigned char byte = (unsigned char)*c, next = (unsigned char)c[1];
        bool control = byte < 0x20 || byte == 0x7f;
        if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
            control = true;
            c++;
        }
        safe[length++] = control ? '?' : (char)byte;
    }
    safe[length] = 0;
    vision_json_raw(out, safe);
}

static void put_word(struct json_text *out, const json_t *object, const char *key)
{
    const char *word = json_string_value(json_object_get(object, key));

    if (!word || !word[0])
        return;
    put(out, " ");
    put(out, word);
}

static void put_number(struct json_text *out, const char *before, const json_t *object,
                       const char *key)
{
    const json_t *value = json_object_get(object, key);
    char text[64];

    if (!json_is_integer(value))
        return;
    snprintf(text, sizeof text, "%s%lld", before, (long long)json_integer_value(value));
    put(out, text);
}

/* Minutes, seconds and tenths. */
static void put_time(struct json_text *out, int64_t t_ns)
{
    int64_t tenths = (t_ns < 0 ? 0 : t_ns) / (NS_PER_S / 10);
    char text[64];

    snprintf(text, sizeof text, "%lld:%02d.%d", (long long)(tenths / 600), (int)(tenths / 10 % 60),
             (int)(tenths % 10));
    put(out, text);
}

static void put_list(struct json_text *out, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (!word)
            continue;
        put(out, i ? ", " : ": ");
        put(out, word);
    }
}

static void decision_put(struct json_text *out, const json_t *own)
{
    put_word(out, own, "decision");
    put_word(out, own, "phase");
    put_number(out, " seat ", own, "seat");
    put_word(out, own, "name");
    put_word(out, own, "card");
    put_word(out, own, "verdict");
    put_word(out, own, "why");
    put_number(out, " points ", own, "points");
    put_list(out, json_object_get(own, "reasons"));
}

static void void_put(struct json_text *out, const json_t *own)
{
    put_number(out, " no longer stands: ", own, "seq");
    put_number(out, ".", own, "index");
}

static void state_put(struct json_text *out, const json_t *body)
{
    const json_t *state = json_object_get(body, "state");
    const json_t *players = json_object_get(state, "players");
    const json_t *clock = json_object_get(json_object_get(body, "clocks"), "clock_ns");

    put_word(out, state, "game");
    put_word(out, state, "phase");
    if (json_is_true(json_object_get(state, "paused")))
        put(out, " (paused)");
    put(out, " clock ");
    put_time(out, json_integer_value(clock));
    for (size_t i = 0; i < json_array_size(players); i++) {
        const json_t *player = json_array_get(players, i);
        put(out, i ? "," : ":");
        put_word(out, player, "name");
        put_number(out, " ", player, "points");
    }
}

static void layout_put(struct json_text *out, const json_t *layout)
{
    const json_t *seat = json_object_get(layout, "seat"), *slot = json_object_get(layout, "slot");
    const json_t *own = json_is_object(seat) ? seat : slot;

    put_number(out, " seat ", seat, "seat");
    put_number(out, " slot ", slot, "slot");
    put_word(out, own, "state");
    put_word(out, own, "id");
    put_word(out, own, "grid");
    put_list(out, json_object_get(own, "reasons"));
}

static void health_put(struct json_text *out, const json_t *health)
{
    const json_t *reasons = json_object_get(health, "reasons");

    put(out, json_array_size(reasons) > 0 ? " picture" : " picture good");
    put_list(out, reasons);
    if (json_is_string(json_object_get(health, "recorder")))
        put(out, "; recorder:");
    put_word(out, health, "recorder");
}

void cmd_watch_text(const struct message_head *head, const json_t *body, struct json_text *out)
{
    const json_t *own = json_object_get(
        body, head->kind == MESSAGE_VOID ? "decision" : pubsub_message_kind_name(head->kind));

    /* What was only read on the way is not worth a line. */
    if (head->kind == MESSAGE_LAYOUT && !json_is_true(json_object_get(own, "settled")))
        return;
    if (json_is_object(json_object_get(body, "replay")))
        put(out, "REPLAY ");
    put(out, head->table);
    put(out, " ");
    put_time(out, head->t_ns);
    switch (head->kind) {
    case MESSAGE_VERDICT:
        decision_put(out, json_object_get(body, "decision"));
        break;
    case MESSAGE_VOID:
        void_put(out, own);
        break;
    case MESSAGE_STATE:
        state_put(out, body);
        break;
    case MESSAGE_LAYOUT:
        layout_put(out, own);
        break;
    default:
        health_put(out, own);
    }
}
