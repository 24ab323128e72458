/* pubsub/cmd_watch_text.c: a table's messages as lines for people. */
#include "pubsub/cmd_watch_text.h"

#include "referee/cmd_text.h"
#include "referee/cmd_words.h"

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

static const char *as_it_is(const char *word)
{
    return word;
}

/* The word under `key` as `text_of` gives it, after a space. */
static void put_text(struct json_text *out, const json_t *object, const char *key,
                     const char *(*text_of)(const char *word))
{
    const char *word = json_string_value(json_object_get(object, key));

    if (!word || !word[0])
        return;
    put(out, " ");
    put(out, text_of(word));
}

static void put_word(struct json_text *out, const json_t *object, const char *key)
{
    put_text(out, object, key, as_it_is);
}

/* A number behind what it is. */
static void put_number(struct json_text *out, const char *before, const json_t *object,
                       const char *key)
{
    const json_t *value = json_object_get(object, key);
    char text[160];

    if (!json_is_integer(value))
        return;
    snprintf(text, sizeof text, "%s%lld", before, (long long)json_integer_value(value));
    put(out, text);
}

static void put_named(struct json_text *out, const char *name, const json_t *object,
                      const char *key)
{
    char before[128];

    snprintf(before, sizeof before, " %s ", name);
    put_number(out, before, object, key);
}

/* Minutes, seconds and tenths. */
static void put_time(struct json_text *out, int64_t t_ns)
{
    int64_t tenths = (t_ns < 0 ? 0 : t_ns) / (NS_PER_S / 10);
    char text[64];

    snprintf(text, sizeof text, "%lld:%02d%c%d", (long long)(tenths / 600), (int)(tenths / 10 % 60),
             cmd_lang()->point, (int)(tenths % 10));
    put(out, text);
}

static void put_list(struct json_text *out, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (!word)
            continue;
        put(out, i ? "; " : ": ");
        put(out, cmd_word_reason(word));
    }
}

static void decision_put(struct json_text *out, const json_t *own)
{
    put_text(out, own, "decision", cmd_word_decision);
    put_text(out, own, "phase", cmd_word_phase);
    put_named(out, cmd_text("seat"), own, "seat");
    put_word(out, own, "name");
    put_word(out, own, "card");
    put_text(out, own, "verdict", cmd_word_ruling);
    put_text(out, own, "why", cmd_word_why);
    put_named(out, cmd_text("points"), own, "points");
    put_list(out, json_object_get(own, "reasons"));
}

static void void_put(struct json_text *out, const json_t *own)
{
    put(out, " ");
    put(out, cmd_text("no longer stands"));
    put_number(out, ": ", own, "seq");
    put_number(out, ".", own, "index");
}

static void state_put(struct json_text *out, const json_t *body)
{
    const json_t *state = json_object_get(body, "state");
    const json_t *players = json_object_get(state, "players");
    const json_t *clock = json_object_get(json_object_get(body, "clocks"), "clock_ns");

    put_text(out, state, "game", cmd_word_game);
    put_text(out, state, "phase", cmd_word_phase);
    if (json_is_true(json_object_get(state, "paused"))) {
        put(out, ", ");
        put(out, cmd_text("paused"));
    }
    put(out, " ");
    put(out, cmd_text("clock"));
    put(out, " ");
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

    put_named(out, cmd_text("seat"), seat, "seat");
    put_named(out, cmd_text("pile"), slot, "slot");
    put_text(out, own, "state", cmd_word_place);
    put_word(out, own, "id");
    put_word(out, own, "grid");
    put_list(out, json_object_get(own, "reasons"));
}

static void health_put(struct json_text *out, const json_t *health)
{
    const json_t *reasons = json_object_get(health, "reasons");

    put(out, " ");
    put(out, json_array_size(reasons) > 0 ? cmd_text("picture") : cmd_text("the picture is good"));
    put_list(out, reasons);
    if (!json_is_string(json_object_get(health, "recorder")))
        return;
    put(out, "; ");
    put(out, cmd_text("recording"));
    put(out, ":");
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
