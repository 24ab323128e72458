/* pubsub/message.c: what is published: topics and envelopes, made and read. */
#include "pubsub/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_CHARACTERS 32

/* What a message of a kind has of its own, and which of it must be an object. */
static const struct {
    const char *word;
    const char *member;
} kinds[MESSAGE_KINDS] = {
    [MESSAGE_VERDICT] = {"verdict", "decision"}, [MESSAGE_VOID] = {"void", "decision"},
    [MESSAGE_STATE] = {"state", "state"},        [MESSAGE_LAYOUT] = {"layout", "layout"},
    [MESSAGE_HEALTH] = {"health", "health"},
};

static int fail(struct wire_fault *fault, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct wire_fault *fault, int error, const char *format, ...)
{
    va_list arguments;

    if (!fault)
        return error;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return error;
}

const char *pubsub_message_kind_name(enum message_kind kind)
{
    return (unsigned)kind < MESSAGE_KINDS ? kinds[kind].word : NULL;
}

int pubsub_message_kind(const char *word, size_t length)
{
    for (int k = 0; k < MESSAGE_KINDS; k++)
        if (strlen(kinds[k].word) == length && memcmp(kinds[k].word, word, length) == 0)
            return k;
    return -1;
}

static bool name_fits(const char *name, size_t length)
{
    if (length < 1 || length > TABLE_CHARACTERS)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '_'))
            return false;
    }
    return true;
}

bool pubsub_message_table_fits(const char *name)
{
    return name_fits(name, strnlen(name, TABLE_CHARACTERS + 1));
}

bool pubsub_message_topic(enum message_kind kind, const char *table, char out[MESSAGE_TOPIC_MAX])
{
    if ((unsigned)kind >= MESSAGE_KINDS || !pubsub_message_table_fits(table))
        return false;
    int length = snprintf(out, MESSAGE_TOPIC_MAX, "%s.%s", kinds[kind].word, table);
    return length > 0 && length < MESSAGE_TOPIC_MAX;
}

static bool source_fits(const char *source)
{
    size_t digits = strspn(source, "0123456789abcdef");

    return digits == MESSAGE_SOURCE_MAX - 1 && source[digits] == 0;
}

static bool head_fits(const struct message_head *head)
{
    return (unsigned)head->kind < MESSAGE_KINDS && pubsub_message_table_fits(head->table) &&
           memchr(head->match, 0, sizeof head->match) && source_fits(head->source) &&
           head->epoch > 0 && head->seq > 0 && head->seq <= INT64_MAX;
}

/* A text as JSON, in its quotes; NULL when it is no UTF-8, or without memory. Freed by the caller.
 */
static char *text_quote(const char *text)
{
    json_t *value = json_string(text);
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;

    json_decref(value);
    return quoted;
}

static char *message_print(const struct message_head *head, const char *topic, const char *match,
                           const char *members, size_t *length)
{
    static const char form[] = "%s {\"v\":%d,\"table\":\"%s\",\"match\":%s,\"source\":\"%s\","
                               "\"epoch\":%lld,\"seq\":%llu,\"t_ns\":%lld,\"sent_ns\":%lld,%s}";
    /* Five numbers of at most 20 digits stand for their directives. */
    size_t room = sizeof form + strlen(topic) + strlen(head->table) + strlen(match) +
                  strlen(head->source) + strlen(members) + 5 * (size_t)21;
    char *text = malloc(room);

    if (!text)
        return NULL;
    int made = snprintf(text, room, form, topic, MESSAGE_VERSION, head->table, match, head->source,
                        (long long)head->epoch, (unsigned long long)head->seq,
                        (long long)head->t_ns, (long long)head->sent_ns, members);
    *length = made > 0 ? (size_t)made : 0;
    return text;
}

int pubsub_message_make(const struct message_head *head, const char *members, char **out,
                        size_t *length)
{
    char topic[MESSAGE_TOPIC_MAX];

    *out = NULL;
    *length = 0;
    if (!head_fits(head) || members[0] != '"' ||
        !pubsub_message_topic(head->kind, head->table, topic))
        return PUBSUB_E_ARGUMENT;
    char *match = text_quote(head->match);
    if (!match)
        return PUBSUB_E_ARGUMENT;
    *out = message_print(head, topic, match, members, length);
    free(match);
    return *out ? PUBSUB_OK : PUBSUB_E_MEMORY;
}

/* ---- reading ---- */

/* Topic and the place where the object begins. */
static int topic_read(const char *bytes, size_t length, struct message_head *head, size_t *object,
                      struct wire_fault *fault)
{
    size_t most = length < MESSAGE_TOPIC_MAX ? length : MESSAGE_TOPIC_MAX;
    const char *space = memchr(bytes, ' ', most);
    const char *dot = space ? memchr(bytes, '.', (size_t)(space - bytes)) : NULL;

    if (!dot)
        return fail(fault, PUBSUB_E_ARGUMENT, "a message without a topic");
    int kind = pubsub_message_kind(bytes, (size_t)(dot - bytes));
    size_t name = (size_t)(space - dot) - 1;
    if (kind < 0)
        return fail(fault, PUBSUB_E_ARGUMENT, "a topic of an unknown kind");
    if (!name_fits(dot + 1, name))
        return fail(fault, PUBSUB_E_ARGUMENT, "a topic whose table's name does not fit");
    head->kind = (enum message_kind)kind;
    memcpy(head->table, dot + 1, name);
    *object = (size_t)(space - bytes) + 1;
    return PUBSUB_OK;
}

static bool whole_read(const json_t *root, const char *key, int64_t least, int64_t *out)
{
    const json_t *value = json_object_get(root, key);

    *out = json_integer_value(value);
    return json_is_integer(value) && *out >= least;
}

static bool text_read(const json_t *root, const char *key, char *out, size_t size)
{
    const json_t *value = json_object_get(root, key);
    size_t length = json_string_length(value);

    /* Jansson lets no 0 into a text. */
    if (!json_is_string(value) || length >= size)
        return false;
    memcpy(out, json_string_value(value), length + 1);
    return true;
}

/* The name of what is missing or wrong; NULL when the envelope is whole. */
static const char *envelope_read(const json_t *root, struct message_head *head)
{
    char table[MESSAGE_NAME_MAX];
    int64_t version, seq;

    if (!whole_read(root, "v", MESSAGE_VERSION, &version) || version != MESSAGE_VERSION)
        return "v";
    if (!text_read(root, "table", table, sizeof table) || strcmp(table, head->table) != 0)
        return "table";
    if (!text_read(root, "match", head->match, sizeof head->match))
        return "match";
    if (!text_read(root, "source", head->source, sizeof head->source) || !source_fits(head->source))
        return "source";
    if (!whole_read(root, "epoch", 1, &head->epoch))
        return "epoch";
    if (!whole_read(root, "seq", 1, &seq))
        return "seq";
    head->seq = (uint64_t)seq;
    if (!whole_read(root, "t_ns", INT64_MIN, &head->t_ns))
        return "t_ns";
    if (!whole_read(root, "sent_ns", INT64_MIN, &head->sent_ns))
        return "sent_ns";
    return json_is_object(json_object_get(root, kinds[head->kind].member))
               ? NULL
               : kinds[head->kind].member;
}

int pubsub_message_read(const char *bytes, size_t length, struct message_head *head, json_t **body,
                        struct wire_fault *fault)
{
    json_error_t wrong;
    size_t object = 0;

    *body = NULL;
    memset(head, 0, sizeof *head);
    int error = topic_read(bytes, length, head, &object, fault);
    if (error != PUBSUB_OK)
        return error;
    json_t *root = json_loadb(bytes + object, length - object, JSON_REJECT_DUPLICATES, &wrong);
    if (!root)
        return json_error_code(&wrong) == json_error_out_of_memory
                   ? fail(fault, PUBSUB_E_MEMORY, "out of memory")
                   : fail(fault, PUBSUB_E_ARGUMENT, "a message that is no JSON: %.160s",
                          wrong.text);
    const char *lacks = json_is_object(root) ? envelope_read(root, head) : "object";
    if (lacks) {
        json_decref(root);
        return fail(fault, PUBSUB_E_ARGUMENT, "a message whose \"%s\" is missing or wrong", lacks);
    }
    *body = root;
    return PUBSUB_OK;
}
