/* Any bytes as an event: it must be refused with words, or taken; and what was taken must be
 * written as a line that is taken again and written as the same bytes. */
#include "referee/event_json.h"
#include "tests/fuzz/fuzz_kit.h"

#include <string.h>

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_again(const struct json_text *first)
{
    struct event event;
    struct referee_cards *cards;
    struct calib_fault fault = FUZZ_FAULT;
    struct json_text second;

    check(referee_event_parse(first->bytes, first->length, 1, &event, &cards, &fault) == 0);
    vision_json_init(&second);
    referee_event_json(&event, &second);
    check(!second.failed && second.length == first->length &&
          memcmp(second.bytes, first->bytes, first->length) == 0);
    vision_json_free(&second);
    referee_cards_destroy(&cards);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct event event;
    struct referee_cards *cards;
    struct calib_fault fault = FUZZ_FAULT;
    struct json_text json;

    int error = referee_event_parse((const char *)data, size, 1, &event, &cards, &fault);
    fuzz_result_check(error, error ? NULL : &event, &fault);
    if (error) {
        check(!cards);
        return 0;
    }
    vision_json_init(&json);
    referee_event_json(&event, &json);
    check(!json.failed);
    check_again(&json);
    vision_json_free(&json);
    referee_cards_destroy(&cards);
    return 0;
}
