/* pubsub/catalogue.c: gettext's .mo files. Format: "The Format of GNU MO Files" in its manual: a
 * head of seven numbers, a table of messages in the order of their bytes and one of translations,
 * each entry a length and a place; every text has a 0 behind it, and plurals one between. */
#include "pubsub/catalogue.h"

#include "pubsub/plural.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x950412deU
#define HEAD_BYTES 28
#define ENTRY_BYTES 8

struct text {
    const char *bytes;
    size_t length; /* without the closing 0; more zeros may stand within */
};

struct entry {
    struct text message, text;
};

struct catalogue {
    const uint8_t *bytes;
    size_t length;
    bool swapped; /* numbers have their high byte first */
    struct plural plural;
    size_t count;
    struct entry entry[];
};

static uint32_t number_at(const struct catalogue *catalogue, size_t place)
{
    const uint8_t *b = catalogue->bytes + place;

    if (catalogue->swapped)
        return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

/* The text that an entry of a table names; false when it does not lie within the bytes. */
static bool text_at(const struct catalogue *catalogue, size_t place, struct text *out)
{
    size_t length = number_at(catalogue, place), at = number_at(catalogue, place + 4);

    if (at >= catalogue->length || length >= catalogue->length - at ||
        catalogue->bytes[at + length] != 0)
        return false;
    out->bytes = (const char *)catalogue->bytes + at;
    out->length = length;
    return true;
}

static int forms_of(const struct text *text)
{
    int forms = 1;

    for (size_t i = 0; i < text->length; i++)
        forms += text->bytes[i] == 0;
    return forms;
}

/* A message has one text, or a plural and a text for each form. */
static bool entry_fits(const struct catalogue *catalogue, const struct entry *entry)
{
    int messages = forms_of(&entry->message), texts = forms_of(&entry->text);

    return (messages == 1 && texts == 1) || (messages == 2 && texts == catalogue->plural.forms);
}

static bool entries_read(struct catalogue *catalogue, size_t messages, size_t texts)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        struct entry *entry = &catalogue->entry[i];
        if (!text_at(catalogue, messages + i * ENTRY_BYTES, &entry->message) ||
            !text_at(catalogue, texts + i * ENTRY_BYTES, &entry->text))
            return false;
        if (i > 0 && strcmp(entry[-1].message.bytes, entry->message.bytes) >= 0)
            return false;
    }
    return true;
}

/* The header is the translation of the empty text, so it comes first. */
static bool header_read(struct catalogue *catalogue)
{
    if (catalogue->count == 0 || catalogue->entry[0].message.length != 0)
        return false;
    const char *header = catalogue->entry[0].text.bytes;
    return strstr(header, "charset=UTF-8") && pubsub_plural_parse(header, &catalogue->plural);
}

/* Whether a table of so many entries lies within the bytes. */
static bool table_fits(size_t length, size_t place, size_t count)
{
    return place <= length && count <= (length - place) / ENTRY_BYTES;
}

static int head_read(const uint8_t *bytes, size_t length, struct catalogue *head, size_t *messages,
                     size_t *texts)
{
    head->bytes = bytes;
    head->length = length;
    if (length < HEAD_BYTES)
        return PUBSUB_E_ARGUMENT;
    head->swapped = number_at(head, 0) != MAGIC;
    if (number_at(head, 0) != MAGIC || number_at(head, 4) >> 16 > 1)
        return PUBSUB_E_ARGUMENT;
    head->count = number_at(head, 8);
    *messages = number_at(head, 12);
    *texts = number_at(head, 16);
    if (head->count > CATALOGUE_MESSAGES_MAX || !table_fits(length, *messages, head->count) ||
        !table_fits(length, *texts, head->count))
        return PUBSUB_E_ARGUMENT;
    return PUBSUB_OK;
}

int pubsub_catalogue_create(const void *bytes, size_t length, struct catalogue **out)
{
    struct catalogue head = {.count = 0};
    size_t messages = 0, texts = 0;
    int error = head_read(bytes, length, &head, &messages, &texts);

    *out = NULL;
    if (error != PUBSUB_OK)
        return error;
    struct catalogue *catalogue = malloc(sizeof *catalogue + head.count * sizeof *catalogue->entry);
    if (!catalogue)
        return PUBSUB_E_MEMORY;
    *catalogue = head;
    bool well = entries_read(catalogue, messages, texts) && header_read(catalogue);
    for (size_t i = 0; well && i < catalogue->count; i++)
        well = entry_fits(catalogue, &catalogue->entry[i]);
    if (!well) {
        free(catalogue);
        return PUBSUB_E_ARGUMENT;
    }
    *out = catalogue;
    return PUBSUB_OK;
}

void pubsub_catalogue_destroy(struct catalogue **catalogue)
{
    free(*catalogue);
    *catalogue = NULL;
}

static const struct entry *entry_find(const struct catalogue *catalogue, const char *message)
{
    size_t low = 1, high = catalogue->count; /* the header is no message */

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(message, catalogue->entry[middle].message.bytes);
        if (order == 0)
            return &catalogue->entry[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *pubsub_catalogue_text(const struct catalogue *catalogue, const char *message)
{
    const struct entry *entry = entry_find(catalogue, message);

    return entry && entry->text.bytes[0] ? entry->text.bytes : NULL;
}

const char *pubsub_catalogue_text_n(const struct catalogue *catalogue, const char *one,
                                    unsigned long n)
{
    const struct entry *entry = entry_find(catalogue, one);

    if (!entry)
        return NULL;
    const char *text = entry->text.bytes;
    if (forms_of(&entry->message) == 2)
        for (int form = pubsub_plural_form(&catalogue->plural, n); form > 0; form--)
            text += strlen(text) + 1;
    return *text ? text : NULL;
}

size_t pubsub_catalogue_count(const struct catalogue *catalogue)
{
    return catalogue->count;
}

void pubsub_catalogue_entry(const struct catalogue *catalogue, size_t index,
                            struct catalogue_entry *out)
{
    const struct entry *entry = &catalogue->entry[index];

    out->message = entry->message.bytes;
    out->forms = forms_of(&entry->text);
    out->plural = forms_of(&entry->message) == 2 ? out->message + strlen(out->message) + 1 : NULL;
    out->text = entry->text.bytes;
}
