/* tests/unit/mo_make.h: the bytes of a gettext .mo file, for tests. */
#ifndef TESTS_UNIT_MO_MAKE_H
#define TESTS_UNIT_MO_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MO_HEADER                                                                                  \
    "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"

/* Zeros within a text: its length counts. */
struct mo_pair {
    const char *message;
    size_t message_length;
    const char *text;
    size_t text_length;
};
#define MO_PAIR(message, text)                                                                     \
    {                                                                                              \
        message, sizeof(message) - 1, text, sizeof(text) - 1                                       \
    }

static void mo_number(uint8_t *at, size_t number, bool high_first)
{
    for (int i = 0; i < 4; i++)
        at[high_first ? 3 - i : i] = (uint8_t)(number >> (8 * i));
}

static size_t mo_text(uint8_t *bytes, size_t entry, size_t at, const char *text, size_t length,
                      bool high_first)
{
    mo_number(bytes + entry, length, high_first);
    mo_number(bytes + entry + 4, at, high_first);
    memcpy(bytes + at, text, length);
    bytes[at + length] = 0;
    return at + length + 1;
}

/* The pairs stand in the order of their messages, the header first. The file's length. */
static size_t mo_make(const struct mo_pair *pair, size_t count, bool high_first, uint8_t *bytes)
{
    const size_t messages = 28, texts = messages + 8 * count;
    size_t at = texts + 8 * count;
    const size_t head[7] = {0x950412deU, 0, count, messages, texts, 0, 0};

    for (int i = 0; i < 7; i++)
        mo_number(bytes + 4 * i, head[i], high_first);
    for (size_t i = 0; i < count; i++)
        at = mo_text(bytes, messages + 8 * i, at, pair[i].message, pair[i].message_length,
                     high_first);
    for (size_t i = 0; i < count; i++)
        at = mo_text(bytes, texts + 8 * i, at, pair[i].text, pair[i].text_length, high_first);
    return at;
}

#endif
