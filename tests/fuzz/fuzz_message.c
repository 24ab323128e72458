/* Any bytes as a message: it must be refused with words, or read; and what was read must make a
 * message that is read as the same. */
#include "pubsub/message.h"
#include "tests/fuzz/fuzz_kit.h"

#include <stdio.h>
#include <string.h>

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* Its own member alone. */
static char *members_of(const struct message_head *head, const json_t *body, size_t *length)
{
    static const char *const names[] = {"decision", "decision", "state", "layout", "health"};
    json_t *own = json_object_get(body, names[head->kind]);
    char *inner = json_dumps(own, JSON_COMPACT | JSON_ENCODE_ANY);

    check(inner != NULL);
    *length = strlen(inner) + 32;
    char *text = malloc(*length);
    check(text != NULL);
    snprintf(text, *length, "\"%s\":%s", names[head->kind], inner);
    free(inner);
    return text;
}

static void check_again(const struct message_head *head, const json_t *body)
{
    struct wire_fault fault = {.text = ""};
    struct message_head again;
    char *text = NULL;
    size_t length;
    json_t *other = NULL;
    char *members = members_of(head, body, &length);

    check(pubsub_message_make(head, members, &text, &length) == PUBSUB_OK);
    check(strlen(text) == length);
    check(pubsub_message_read(text, length, &again, &other, &fault) == PUBSUB_OK);
    char *twice = NULL;
    check(pubsub_message_make(&again, members, &twice, &length) == PUBSUB_OK);
    check(strcmp(text, twice) == 0);
    json_decref(other);
    free(twice);
    free(text);
    free(members);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_fault fault = {.text = ""};
    struct message_head head;
    json_t *body;

    int error = pubsub_message_read((const char *)data, size, &head, &body, &fault);
    check((error == PUBSUB_OK) == (body != NULL));
    check(error == PUBSUB_OK || fault.text[0] != 0);
    if (error == PUBSUB_OK)
        check_again(&head, body);
    json_decref(body);
    return 0;
}
