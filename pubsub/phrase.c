/* pubsub/phrase.c: texts held against the formats of messages. */
#include "pubsub/phrase.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Values within values: "X: Y; it was left out", where Y was made from a message with a value. */
#define DEPTH_MAX 4
#define VALUE_MAX 1024

/* ---- formats ---- */

struct conversion {
    char kind;     /* 's', 'c', 'd' for all whole numbers, 'x', 'g'; '%' for %%; 0: unusable */
    int position;  /* from 1; 0: the next */
    size_t length; /* of what stands in the format */
};

static char kind_of(char letter)
{
    switch (letter) {
    case 's':
    case 'c':
    case '%':
        return letter;
    case 'd':
    case 'i':
    case 'u':
        return 'd';
    case 'x':
    case 'X':
        return 'x';
    case 'g':
    case 'f':
    case 'e':
        return 'g';
    default:
        return 0;
    }
}

/* `at` is at a '%'. */
static struct conversion conversion_read(const char *at)
{
    struct conversion out = {.kind = 0};
    const char *from = at++;
    size_t digits = strspn(at, "0123456789");

    if (digits > 0 && digits < 3 && at[digits] == '$') {
        for (size_t i = 0; i < digits; i++)
            out.position = 10 * out.position + (at[i] - '0');
        at += digits + 1;
    }
    at += strspn(at, "-+ #0123456789.*");
    at += strspn(at, "hlzjt");
    out.kind = kind_of(*at);
    out.length = (size_t)(at - from) + (*at != 0);
    return out;
}

/* How many bytes at the text's beginning a value of a kind may have: from `least` to the result;
 * below `least`: none fits. A number is what looks like one, as far as it goes. */
static size_t value_most(char kind, const char *text, size_t *least)
{
    size_t length = 0;

    *least = kind == 's' ? 0 : 1;
    if (kind == 's')
        return strlen(text);
    if (kind == 'c')
        return *text != 0;
    while (*text == ' ') /* of a width */
        text++, length++;
    if (kind == 'x')
        return length + strspn(text, "0123456789abcdefABCDEF");
    if (*text == '-' || *text == '+')
        text++, length++;
    if (!isdigit((unsigned char)*text))
        return 0;
    return length + strspn(text, kind == 'd' ? "0123456789" : "0123456789.e+-");
}

struct match {
    const char *format, *text; /* what is left of both */
    int count;
    /* Where the last value of free length ends; longer ones are tried when what follows fails. */
    const char *again_format, *again_text;
    int again;
};

/* Goes back to the last %s and gives it one more byte. */
static bool match_again(struct match *match, struct phrase_values *out)
{
    if (!match->again_format || *match->again_text == 0)
        return false;
    match->again_text++;
    match->count = match->again;
    out->value[match->count - 1].length++;
    match->format = match->again_format;
    match->text = match->again_text;
    return true;
}

static bool value_take(struct match *match, const struct conversion *conversion,
                       struct phrase_values *out)
{
    size_t least, most = value_most(conversion->kind, match->text, &least);

    if (most < least || match->count == PHRASE_VALUES_MAX)
        return false;
    size_t length = conversion->kind == 's' ? 0 : most;
    out->value[match->count].at = match->text;
    out->value[match->count].length = length;
    out->value[match->count].text = conversion->kind == 's';
    match->count++;
    match->format += conversion->length;
    match->text += length;
    if (conversion->kind == 's') {
        match->again_format = match->format;
        match->again_text = match->text;
        match->again = match->count;
    }
    return true;
}

bool pubsub_phrase_match(const char *format, const char *text, struct phrase_values *out)
{
    struct match match = {.format = format, .text = text};

    out->count = 0;
    for (;;) {
        struct conversion next = {.kind = '%', .length = 1};
        bool fits = false;
        if (*match.format == 0 && *match.text == 0)
            break;
        if (*match.format == '%')
            next = conversion_read(match.format);
        if (next.kind == 0 || next.position > 0)
            return false;
        if (next.kind == '%')
            fits = *match.format != 0 && *match.text == *match.format;
        else
            fits = value_take(&match, &next, out);
        if (fits && next.kind == '%') {
            match.format += next.length;
            match.text++;
        }
        if (!fits && !match_again(&match, out))
            return false;
    }
    out->count = match.count;
    return true;
}

/* ---- writing ---- */

struct out {
    char *at;
    size_t left; /* with the closing 0 */
};

static void put(struct out *out, const char *bytes, size_t length)
{
    if (out->left == 0)
        return;
    if (length >= out->left) {
        length = out->left - 1;
        while (length > 0 && ((unsigned char)bytes[length] & 0xC0) == 0x80)
            length--;
        out->left = length + 1;
    }
    memcpy(out->at, bytes, length);
    out->at += length;
    out->left -= length;
    *out->at = 0;
}

void pubsub_phrase_fill(const char *format, const struct phrase_values *values, char *out,
                        size_t size)
{
    struct out to = {out, size};
    int next = 0;

    *out = 0;
    while (*format) {
        size_t plain = strcspn(format, "%");
        put(&to, format, plain);
        format += plain;
        if (*format == 0)
            break;
        struct conversion conversion = conversion_read(format);
        format += conversion.length;
        if (conversion.kind == '%') {
            put(&to, "%", 1);
            continue;
        }
        int index = conversion.position > 0 ? conversion.position - 1 : next++;
        if (index < values->count)
            put(&to, values->value[index].at, values->value[index].length);
    }
}

/* ---- translating ---- */

/* How much of a format is letters of its own: "%s: %s" says nothing of where a text comes from. */
static int letters_own(const char *format)
{
    int letters = 0;

    while (*format)
        if (*format == '%') {
            format += conversion_read(format).length;
        } else {
            letters += isalpha((unsigned char)*format) != 0;
            format++;
        }
    return letters;
}

/* The translation of the message that the text was made from, with its values; NULL: of none. */
static const char *message_find(const struct catalogue *catalogue, const char *text,
                                struct phrase_values *values)
{
    const char *found = pubsub_catalogue_text(catalogue, text);
    int most = 2; /* a message of fewer letters is found in anything */

    values->count = 0;
    if (found && strchr(text, '%') == NULL)
        return found;
    found = NULL;
    for (size_t i = 1; i < pubsub_catalogue_count(catalogue); i++) {
        struct phrase_values tried;
        struct catalogue_entry entry;
        pubsub_catalogue_entry(catalogue, i, &entry);
        if (!strchr(entry.message, '%') || entry.text[0] == 0)
            continue;
        int letters = letters_own(entry.message);
        if (letters > most && pubsub_phrase_match(entry.message, text, &tried)) {
            most = letters;
            *values = tried;
            found = entry.text;
        }
    }
    return found;
}

static void translate(const struct catalogue *catalogue, const char *format, const char *text,
                      int depth, char *out, size_t size);

/* What stands behind a "name: " of a line that is no message as a whole.
 * NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX deep. */
static void tail_translate(const struct catalogue *catalogue, const char *text, int depth,
                           char *out, size_t size)
{
    struct out to = {out, size};
    char tail[VALUE_MAX];
    struct phrase_values values;

    *out = 0;
    for (const char *at = strstr(text, ": "); at; at = strstr(at + 2, ": ")) {
        if (!message_find(catalogue, at + 2, &values))
            continue;
        translate(catalogue, NULL, at + 2, depth, tail, sizeof tail);
        put(&to, text, (size_t)(at + 2 - text));
        put(&to, tail, strlen(tail));
        return;
    }
    put(&to, text, strlen(text));
}

/* A single word is the name of something, unless it stands behind a colon.
 * NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX deep. */
static void values_translate(const struct catalogue *catalogue, const char *whole,
                             struct phrase_values *values, int depth,
                             char words[PHRASE_VALUES_MAX][VALUE_MAX])
{
    char text[VALUE_MAX];

    for (int i = 0; i < values->count; i++) {
        if (!values->value[i].text || values->value[i].length >= sizeof text)
            continue;
        memcpy(text, values->value[i].at, values->value[i].length);
        text[values->value[i].length] = 0;
        if (!strchr(text, ' ') &&
            (values->value[i].at - whole < 2 || values->value[i].at[-2] != ':'))
            continue;
        translate(catalogue, NULL, text, depth, words[i], VALUE_MAX);
        values->value[i].at = words[i];
        values->value[i].length = strlen(words[i]);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MAX deep. */
static void translate(const struct catalogue *catalogue, const char *format, const char *text,
                      int depth, char *out, size_t size)
{
    char words[PHRASE_VALUES_MAX][VALUE_MAX];
    struct phrase_values values = {.count = 0};
    const char *own = format ? pubsub_catalogue_text(catalogue, format) : NULL;

    if (format && pubsub_phrase_match(format, text, &values))
        own = own ? own : format;
    else
        own = depth < DEPTH_MAX ? message_find(catalogue, text, &values) : NULL;
    if (own) {
        values_translate(catalogue, text, &values, depth + 1, words);
        pubsub_phrase_fill(own, &values, out, size);
    } else if (depth < DEPTH_MAX) {
        tail_translate(catalogue, text, depth + 1, out, size);
    } else {
        struct out to = {out, size};
        *out = 0;
        put(&to, text, strlen(text));
    }
}

void pubsub_phrase_translate(const struct catalogue *catalogue, const char *format,
                             const char *text, char *out, size_t size)
{
    translate(catalogue, format, text, 0, out, size);
}
