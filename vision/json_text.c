/* vision/json_text.c: writing JSON with exact formats. */
#include "vision/json_text.h"

#include "vision/reason.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vision_json_init(struct json_text *json)
{
    *json = (struct json_text){0};
}

void vision_json_free(struct json_text *json)
{
    free(json->bytes);
    *json = (struct json_text){0};
}

static void put_bytes(struct json_text *json, const char *bytes, size_t length)
{
    if (json->failed)
        return;
    if (length >= SIZE_MAX / 4 || json->length >= SIZE_MAX / 4) {
        json->failed = true;
        return;
    }
    size_t need = json->length + length + 1;
    if (need > json->capacity) {
        size_t capacity = need * 2 + 256;
        char *grown = realloc(json->bytes, capacity);
        if (!grown) {
            json->failed = true;
            return;
        }
        json->bytes = grown;
        json->capacity = capacity;
    }
    memcpy(json->bytes + json->length, bytes, length);
    json->length += length;
    json->bytes[json->length] = 0;
}

static void put_text(struct json_text *json, const char *text)
{
    put_bytes(json, text, strlen(text));
}

void vision_json_raw(struct json_text *json, const char *text)
{
    put_text(json, text);
}

/* What stands before every value: the comma and the key. */
static void put_lead(struct json_text *json, const char *key)
{
    if (json->comma)
        put_text(json, ",");
    if (key) {
        put_text(json, "\"");
        put_text(json, key);
        put_text(json, "\":");
    }
    json->comma = true;
}

void vision_json_open(struct json_text *json, const char *key, char bracket)
{
    put_lead(json, key);
    put_bytes(json, &bracket, 1);
    json->comma = false;
}

void vision_json_close(struct json_text *json, char bracket)
{
    put_bytes(json, &bracket, 1);
    json->comma = true;
}

void vision_json_null(struct json_text *json, const char *key)
{
    put_lead(json, key);
    put_text(json, "null");
}

void vision_json_bool(struct json_text *json, const char *key, bool value)
{
    put_lead(json, key);
    put_text(json, value ? "true" : "false");
}

void vision_json_int(struct json_text *json, const char *key, int64_t value)
{
    vision_json_fixed(json, key, value, 0);
}

void vision_json_fixed(struct json_text *json, const char *key, int64_t value, int decimals)
{
    char text[48];
    uint64_t unit = 1;
    int places = decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
    for (int i = 0; i < places; i++)
        unit *= 10;
    uint64_t size = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
    const char *sign = value < 0 ? "-" : "";
    if (places == 0)
        snprintf(text, sizeof text, "%s%llu", sign, (unsigned long long)size);
    else
        snprintf(text, sizeof text, "%s%llu.%0*llu", sign, (unsigned long long)(size / unit),
                 places, (unsigned long long)(size % unit));
    put_lead(json, key);
    put_text(json, text);
}

/* Length of the UTF-8 character at `text` (closed by a 0), or 0 when it is not one: overlong
 * forms, surrogates and what lies beyond U+10FFFF are refused. */
static size_t utf8_length(const unsigned char *text)
{
    unsigned char c = text[0];
    if (c < 0x80)
        return 1;
    size_t length = 0;
    if (c >= 0xC2 && c <= 0xDF)
        length = 2;
    else if ((c & 0xF0) == 0xE0)
        length = 3;
    else if (c >= 0xF0 && c <= 0xF4)
        length = 4;
    unsigned char least = 0x80, most = 0xBF; /* of the second byte */
    if (c == 0xE0)
        least = 0xA0;
    if (c == 0xED)
        most = 0x9F;
    if (c == 0xF0)
        least = 0x90;
    if (c == 0xF4)
        most = 0x8F;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < least || text[i] > most)
            return 0;
        least = 0x80;
        most = 0xBF;
    }
    return length;
}

static void put_character(struct json_text *json, unsigned char c)
{
    char text[8];
    if (c == '"' || c == '\\')
        snprintf(text, sizeof text, "\\%c", c);
    else if (c < 0x20 || c == 0x7F)
        snprintf(text, sizeof text, "\\u%04x", c);
    else
        snprintf(text, sizeof text, "%c", c);
    put_text(json, text);
}

void vision_json_string(struct json_text *json, const char *key, const char *text)
{
    if (!text) {
        vision_json_null(json, key);
        return;
    }
    put_lead(json, key);
    put_text(json, "\"");
    for (size_t i = 0; text[i];) {
        size_t length = utf8_length((const unsigned char *)text + i);
        if (length == 0)
            put_text(json, "\xEF\xBF\xBD");
        else if (length == 1)
            put_character(json, (unsigned char)text[i]);
        else
            put_bytes(json, text + i, length);
        i += length ? length : 1;
    }
    put_text(json, "\"");
}

void vision_json_reasons(struct json_text *json, const char *key, uint64_t reasons)
{
    vision_json_open(json, key, '[');
    for (unsigned r = 0; r < REASON_COUNT; r++)
        if (reasons & REASON_BIT(r))
            vision_json_string(json, NULL, vision_reason_name((enum reason)r));
    vision_json_close(json, ']');
}
