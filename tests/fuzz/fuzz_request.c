/* Any bytes as a request, as an answer and as keys: refused with words, or read within bounds; what
 * is remembered of a request is found again. */
#include "pubsub/access.h"
#include "pubsub/request.h"
#include "tests/fuzz/fuzz_kit.h"

#include <string.h>

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_memory(const struct request *request)
{
    struct request_memory *memory = pubsub_memory_create();
    const char *answer = NULL;
    size_t length = 0;

    check(memory != NULL);
    check(pubsub_memory_find(memory, request, &answer, &length) == REQUEST_NEW);
    check(pubsub_memory_keep(memory, request, "answer", 6) == PUBSUB_OK);
    check(pubsub_memory_find(memory, request, &answer, &length) == REQUEST_AGAIN);
    check(length == 6 && strcmp(answer, "answer") == 0);
    pubsub_memory_destroy(&memory);
}

static void check_request(const char *bytes, size_t size)
{
    struct wire_fault fault = {.text = ""};
    struct request request;
    char *text;
    size_t length;

    enum request_error error = pubsub_request_parse(bytes, size, &request, &fault);
    check((error == REQUEST_OK) == (fault.text[0] == 0));
    check(strlen(request.id) < REQUEST_ID_MAX && strlen(request.key) < REQUEST_KEY_MAX);
    if (error == REQUEST_OK) {
        check(request.id[0] != 0 && pubsub_request_name(request.what) != NULL);
        check_memory(&request);
    } else {
        struct answer answer;
        check(pubsub_answer_refuse(request.id, error, fault.text, "", &text, &length) == PUBSUB_OK);
        check(pubsub_answer_parse(text, length, &answer, NULL) == PUBSUB_OK);
        check(answer.error == error && strcmp(answer.id, request.id) == 0);
        json_decref(answer.body);
        free(text);
    }
    pubsub_request_free(&request);
}

static void check_answer(const char *bytes, size_t size)
{
    struct wire_fault fault = {.text = ""};
    struct answer answer;

    int error = pubsub_answer_parse(bytes, size, &answer, &fault);
    check((error == PUBSUB_OK) == (answer.body != NULL));
    check(error == PUBSUB_OK || fault.text[0] != 0);
    json_decref(answer.body);
}

static void check_keys(const char *bytes, size_t size)
{
    struct wire_fault fault = {.text = ""};
    struct access_keys keys, again;
    char text[ACCESS_TEXT_MAX], twice[ACCESS_TEXT_MAX];

    if (pubsub_access_parse(bytes, size, &keys, &fault) != PUBSUB_OK) {
        check(fault.text[0] != 0);
        return;
    }
    check(pubsub_access_print(&keys, text) == PUBSUB_OK);
    check(pubsub_access_parse(text, strlen(text), &again, &fault) == PUBSUB_OK);
    check(pubsub_access_print(&again, twice) == PUBSUB_OK && strcmp(text, twice) == 0);
    check(pubsub_access_whose(&keys, keys.operator_key) == ACCESS_OPERATOR);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_request((const char *)data, size);
    check_answer((const char *)data, size);
    check_keys((const char *)data, size);
    return 0;
}
