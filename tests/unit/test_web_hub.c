/* What the pages are told: framing, what a late comer hears, and clients of every speed. */
#include "pubsub/web_hub.h"

#include "pubsub/error.h"
#include "pubsub/web_event.h"
#include "pubsub/web_news.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A client as the server would have it: what it read, whether it sleeps. */
struct reader {
    struct web_client *client;
    bool asleep;
    int wakes;
    char *text;
    size_t length;
};

static void reader_rest(void *context)
{
    struct reader *reader = context;
    assert_false(reader->asleep);
    reader->asleep = true;
}

static void reader_wake(void *context)
{
    struct reader *reader = context;
    assert_true(reader->asleep);
    reader->asleep = false;
    reader->wakes++;
}

static void reader_open(struct web_hub *hub, struct reader *reader)
{
    const struct web_client_calls calls = {reader_rest, reader_wake, reader};
    memset(reader, 0, sizeof *reader);
    reader->client = pubsub_web_client_open(hub, &calls);
    assert_non_null(reader->client);
}

/* Reads until it sleeps or ends, in parts of `size`; what came is in `text`. */
static int64_t reader_read(struct reader *reader, size_t size)
{
    char part[4096];
    int64_t got;
    free(reader->text);
    reader->text = calloc(1, 1);
    reader->length = 0;
    while (!reader->asleep && (got = pubsub_web_client_read(reader->client, part, size)) != 0) {
        if (got < 0)
            return -1;
        assert_true((size_t)got <= size);
        reader->text = realloc(reader->text, reader->length + (size_t)got + 1);
        memcpy(reader->text + reader->length, part, (size_t)got);
        reader->length += (size_t)got;
        reader->text[reader->length] = 0;
    }
    return 0;
}

static void reader_close(struct reader *reader)
{
    pubsub_web_client_close(&reader->client);
    assert_null(reader->client);
    free(reader->text);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

static void tell(struct web_hub *hub, enum web_keep keep, const char *event, const char *data)
{
    const struct web_news news = {.event = event, .data = data, .keep = keep, .epoch = 1};
    assert_int_equal(pubsub_web_hub_tell(hub, &news), PUBSUB_OK);
}

static void decision_tell(struct web_hub *hub, int64_t seq, int index)
{
    char data[64];
    snprintf(data, sizeof data, "{\"d\":\"%d/%d\"}", (int)seq, index);
    const struct web_news news = {.event = "verdict",
                                  .data = data,
                                  .keep = WEB_DECISION,
                                  .seq = seq,
                                  .index = index,
                                  .epoch = 1};
    assert_int_equal(pubsub_web_hub_tell(hub, &news), PUBSUB_OK);
}

static void an_event_should_be_framed(void **state)
{
    (void)state;
    struct web_event *event = pubsub_web_event_make("state", "{\"a\":1}", false, 2, 7);
    assert_non_null(event);
    assert_string_equal(event->bytes, "id: 2-7\nevent: state\ndata: {\"a\":1}\n\n");
    assert_int_equal(event->length, strlen(event->bytes));
    pubsub_web_event_drop(&event);
    assert_null(event);
}

static void lines_in_data_should_stay_data(void **state)
{
    (void)state;
    /* A name can hold no line, but a file of the kit has some. */
    struct web_event *event = pubsub_web_event_make("kit", "{\n\"a\":\r\n1\r\r}", false, 1, 1);
    assert_non_null(event);
    assert_string_equal(event->bytes, "id: 1-1\nevent: kit\ndata: {\ndata: \"a\":\ndata: 1\ndata: "
                                      "\ndata: }\n\n");
    assert_int_equal(event->length, strlen(event->bytes));
    pubsub_web_event_drop(&event);
}

static void a_late_event_should_say_so(void **state)
{
    (void)state;
    struct web_event *event = pubsub_web_event_make("state", "{\"a\":1}", true, 1, 1);
    assert_string_equal(event->bytes, "id: 1-1\nevent: state\ndata: {\"late\":true,\"a\":1}\n\n");
    pubsub_web_event_drop(&event);
    event = pubsub_web_event_make("state", "{ }", true, 1, 1);
    assert_string_equal(event->bytes, "id: 1-1\nevent: state\ndata: {\"late\":true }\n\n");
    pubsub_web_event_drop(&event);
}

static void a_late_comer_should_hear_what_stands(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    tell(hub, WEB_HELLO, "hello", "{\"h\":1}");
    tell(hub, WEB_KIT, "kit", "{\"k\":1}");
    tell(hub, WEB_STATE, "state", "{\"s\":1}");
    tell(hub, WEB_STATE, "state", "{\"s\":2}");
    decision_tell(hub, 5, 0);
    decision_tell(hub, 6, 0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, sizeof(char[100])), 0);
    assert_string_equal(reader.text,
                        "id: 1-0\nevent: hello\ndata: {\"h\":1}\n\n"
                        "id: 1-1\nevent: kit\ndata: {\"k\":1}\n\n"
                        "id: 1-3\nevent: state\ndata: {\"late\":true,\"s\":2}\n\n"
                        "id: 1-4\nevent: verdict\ndata: {\"late\":true,\"d\":\"5/0\"}\n\n"
                        "id: 1-5\nevent: verdict\ndata: {\"late\":true,\"d\":\"6/0\"}\n\n"
                        "id: 1-6\nevent: joined\ndata: {}\n\n");
    assert_true(reader.asleep);
    tell(hub, WEB_STATE, "state", "{\"s\":3}");
    assert_int_equal(reader.wakes, 1);
    assert_int_equal(reader_read(&reader, 7), 0);
    assert_string_equal(reader.text, "id: 1-6\nevent: state\ndata: {\"s\":3}\n\n");
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
    assert_null(hub);
}

static void a_decision_that_is_void_should_not_be_told_later(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    const struct web_news gone = {
        .event = "void", .data = "{}", .keep = WEB_VOID, .seq = 5, .index = 1, .epoch = 1};
    struct reader reader;
    (void)state;
    decision_tell(hub, 5, 0);
    decision_tell(hub, 5, 1);
    decision_tell(hub, 5, 1); /* put back: told once */
    assert_int_equal(pubsub_web_hub_tell(hub, &gone), 0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_int_equal(count_of(reader.text, "event: verdict"), 1);
    assert_non_null(strstr(reader.text, "5/0"));
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

static void the_last_decisions_should_be_kept(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    for (int i = 0; i < 3 * WEB_KEPT_DECISIONS; i++)
        decision_tell(hub, i, 0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_int_equal(count_of(reader.text, "event: verdict"), WEB_KEPT_DECISIONS);
    assert_non_null(strstr(reader.text, "\"299/0\""));
    assert_null(strstr(reader.text, "\"199/0\""));
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

static void another_match_should_begin_with_nothing(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    tell(hub, WEB_KIT, "kit", "{}");
    tell(hub, WEB_STATE, "state", "{}");
    decision_tell(hub, 1, 0);
    pubsub_web_hub_forget(hub);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_int_equal(count_of(reader.text, "event: "), 2); /* kit and joined */
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

static void a_lost_link_should_be_told_to_late_comers_while_it_lasts(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    assert_int_equal(pubsub_web_news_link(hub, 1, false, 2300), 0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_non_null(strstr(reader.text, "event: link\ndata: {\"ok\":false,\"age_ms\":2300}"));
    reader_close(&reader);
    assert_int_equal(pubsub_web_news_link(hub, 1, true, 0), 0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_null(strstr(reader.text, "link"));
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

/* The number of the newest event of a text. */
static long newest(const char *text)
{
    long number = -1;
    for (const char *at = text; (at = strstr(at, "id: 1-")); at++)
        number = strtol(at + 6, NULL, 10);
    return number;
}

static void a_client_that_stumbles_should_miss_nothing(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    for (int i = 0; i < WEB_RING_EVENTS; i++)
        tell(hub, WEB_STATE, "state", "{\"s\":1}");
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_int_equal(count_of(reader.text, "event: state"), WEB_RING_EVENTS);
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

static void a_client_that_falls_behind_should_get_a_snapshot(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct web_hub_counts counts;
    struct reader slow, quick;
    char data[64];
    (void)state;
    tell(hub, WEB_HELLO, "hello", "{}");
    reader_open(hub, &slow);
    reader_open(hub, &quick);
    assert_int_equal(reader_read(&slow, 4096), 0);
    for (int i = 0; i < 2 * WEB_RING_EVENTS; i++) {
        snprintf(data, sizeof data, "{\"s\":%d}", i);
        tell(hub, WEB_STATE, "state", data);
        assert_int_equal(reader_read(&quick, 4096), 0);
    }
    assert_int_equal(newest(quick.text), 2 * WEB_RING_EVENTS);
    assert_int_equal(reader_read(&slow, 100), 0);
    /* Only what stands, without a second greeting, then the end of the snapshot. */
    assert_int_equal(count_of(slow.text, "event: "), 2);
    snprintf(data, sizeof data, "{\"late\":true,\"s\":%d}", 2 * WEB_RING_EVENTS - 1);
    assert_non_null(strstr(slow.text, data));
    assert_non_null(strstr(slow.text, "event: joined"));
    pubsub_web_hub_counts(hub, &counts);
    assert_int_equal(counts.clients, 2);
    assert_int_equal(counts.behind, 1);
    tell(hub, WEB_STATE, "state", "{\"s\":-1}");
    assert_int_equal(reader_read(&slow, 4096), 0);
    assert_int_equal(count_of(slow.text, "event: "), 1);
    reader_close(&slow);
    reader_close(&quick);
    pubsub_web_hub_destroy(&hub);
}

static void the_ring_should_stay_within_its_bytes(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct web_hub_counts counts;
    const size_t large = (size_t)300 << 10;
    char *data = malloc(large);
    (void)state;
    assert_non_null(data);
    memset(data, ' ', large);
    data[0] = '{';
    data[large - 2] = '}';
    data[large - 1] = 0;
    for (int i = 0; i < 100; i++) {
        tell(hub, WEB_PASSING, "layout", data);
        pubsub_web_hub_counts(hub, &counts);
        assert_true(counts.ring_bytes <= WEB_RING_BYTES);
    }
    assert_true(counts.ring_bytes > WEB_RING_BYTES / 2);
    free(data);
    pubsub_web_hub_destroy(&hub);
}

/* What the ring has let go must stay whole for the one who is in the middle of it. */
static void an_event_half_sent_should_stay_whole(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    char part[20];
    (void)state;
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    tell(hub, WEB_STATE, "state", "{\"first\":\"of them all\"}");
    assert_int_equal(pubsub_web_client_read(reader.client, part, sizeof part), sizeof part);
    for (int i = 0; i < 3 * WEB_RING_EVENTS; i++)
        tell(hub, WEB_STATE, "state", "{}");
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_non_null(strstr(reader.text, ": {\"first\":\"of them all\"}\n\nid: "));
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

static void a_stop_should_end_every_client(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader one, other;
    (void)state;
    reader_open(hub, &one);
    reader_open(hub, &other);
    assert_int_equal(reader_read(&one, 4096), 0);
    pubsub_web_hub_stop(hub);
    assert_int_equal(one.wakes, 1);
    assert_int_equal(reader_read(&one, 4096), -1);
    assert_int_equal(reader_read(&other, 4096), -1);
    assert_false(other.asleep);
    reader_close(&one);
    reader_close(&other);
    pubsub_web_hub_destroy(&hub);
}

static void what_is_no_object_should_be_refused(void **state)
{
    static const char *const wrong[] = {"", "{", "[]", "7", " {}"};
    struct web_hub *hub = pubsub_web_hub_create();
    struct web_news news = {.event = "state", .keep = WEB_STATE};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        news.data = wrong[i];
        assert_int_equal(pubsub_web_hub_tell(hub, &news), PUBSUB_E_ARGUMENT);
    }
    news.data = "{}";
    news.number = 128;
    assert_int_equal(pubsub_web_hub_tell(hub, &news), PUBSUB_E_ARGUMENT);
    pubsub_web_hub_destroy(&hub);
}

/* ---- messages ---- */

static int message_tell(struct web_hub *hub, enum message_kind kind, const char *body, bool late)
{
    const struct message_head head = {.kind = kind, .table = "4", .match = "m", .epoch = 3};
    json_t *root = json_loads(body, 0, NULL);
    assert_non_null(root);
    int error = pubsub_web_news_message(hub, &head, root, late);
    json_decref(root);
    return error;
}

static void messages_should_be_told_as_they_came(void **state)
{
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_int_equal(message_tell(hub, MESSAGE_STATE, "{\"state\":{\"x\":0.997}}", false), 0);
    assert_int_equal(
        message_tell(hub, MESSAGE_VERDICT,
                     "{\"decision\":{\"seq\":12,\"index\":0,\"name\":\"<svg/onload=x>\\n\"}}",
                     true),
        0);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_string_equal(reader.text,
                        "id: 3-0\nevent: state\ndata: {\"state\":{\"x\":0.997}}\n\n"
                        "id: 3-1\nevent: verdict\ndata: {\"late\":true,\"decision\":{\"seq\":12,"
                        "\"index\":0,\"name\":\"<svg/onload=x>\\n\"}}\n\n");
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

static void layouts_should_be_kept_by_seat_and_slot(void **state)
{
    static const char seat[] = "{\"layout\":{\"settled\":%s,\"seat\":{\"seat\":3},\"slot\":null}}";
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    char text[128];
    (void)state;
    snprintf(text, sizeof text, seat, "false");
    assert_int_equal(message_tell(hub, MESSAGE_LAYOUT, text, false), 0);
    snprintf(text, sizeof text, seat, "true");
    assert_int_equal(message_tell(hub, MESSAGE_LAYOUT, text, false), 0);
    assert_int_equal(
        message_tell(hub, MESSAGE_LAYOUT,
                     "{\"layout\":{\"settled\":true,\"seat\":null,\"slot\":{\"slot\":3}}}", false),
        0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_int_equal(count_of(reader.text, "event: layout"), 2);
    assert_null(strstr(reader.text, "\"settled\":false"));
    reader_close(&reader);
    assert_int_equal(message_tell(hub, MESSAGE_LAYOUT, "{\"layout\":{}}", false),
                     PUBSUB_E_ARGUMENT);
    assert_int_equal(
        message_tell(hub, MESSAGE_LAYOUT, "{\"layout\":{\"seat\":{\"seat\":64}}}", false),
        PUBSUB_E_ARGUMENT);
    assert_int_equal(
        message_tell(hub, MESSAGE_LAYOUT, "{\"layout\":{\"seat\":{\"seat\":-1}}}", false),
        PUBSUB_E_ARGUMENT);
    assert_int_equal(message_tell(hub, MESSAGE_VERDICT, "{\"decision\":{\"seq\":1}}", false),
                     PUBSUB_E_ARGUMENT);
    pubsub_web_hub_destroy(&hub);
}

static void a_greeting_should_say_who_speaks(void **state)
{
    static const char *const langs[] = {"en", "sv"};
    const struct web_greeting greeting = {.build = "b",
                                          .table = "4",
                                          .langs = langs,
                                          .lang_count = 2,
                                          .lang = "sv",
                                          .keyed = true,
                                          .epoch = 2};
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    assert_int_equal(pubsub_web_news_hello(hub, &greeting), 0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_non_null(
        strstr(reader.text,
               "data: {\"build\":\"b\",\"table\":\"4\",\"match\":null,\"langs\":[\"en\",\"sv\"],"
               "\"lang\":\"sv\",\"recording\":false,\"keyed\":true,\"epoch\":2}\n"));
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

static void a_kit_should_be_whole_or_refused(void **state)
{
    const struct web_kit_part parts[] = {{"set", "{\"rim\":\n0.07}", 13}, {"ramp", NULL, 0}};
    const struct web_kit_part wrong[] = {{"set", "{", 1}};
    struct web_hub *hub = pubsub_web_hub_create();
    struct reader reader;
    (void)state;
    assert_int_equal(pubsub_web_news_kit(hub, wrong, 1), PUBSUB_E_ARGUMENT);
    assert_int_equal(pubsub_web_news_kit(hub, parts, 2), 0);
    reader_open(hub, &reader);
    assert_int_equal(reader_read(&reader, 4096), 0);
    assert_non_null(strstr(reader.text, "data: {\"set\":{\"rim\":0.07},\"ramp\":null}\n\n"));
    reader_close(&reader);
    pubsub_web_hub_destroy(&hub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_should_be_framed),
        cmocka_unit_test(lines_in_data_should_stay_data),
        cmocka_unit_test(a_late_event_should_say_so),
        cmocka_unit_test(a_late_comer_should_hear_what_stands),
        cmocka_unit_test(a_decision_that_is_void_should_not_be_told_later),
        cmocka_unit_test(the_last_decisions_should_be_kept),
        cmocka_unit_test(another_match_should_begin_with_nothing),
        cmocka_unit_test(a_lost_link_should_be_told_to_late_comers_while_it_lasts),
        cmocka_unit_test(a_client_that_stumbles_should_miss_nothing),
        cmocka_unit_test(a_client_that_falls_behind_should_get_a_snapshot),
        cmocka_unit_test(the_ring_should_stay_within_its_bytes),
        cmocka_unit_test(an_event_half_sent_should_stay_whole),
        cmocka_unit_test(a_stop_should_end_every_client),
        cmocka_unit_test(what_is_no_object_should_be_refused),
        cmocka_unit_test(messages_should_be_told_as_they_came),
        cmocka_unit_test(layouts_should_be_kept_by_seat_and_slot),
        cmocka_unit_test(a_greeting_should_say_who_speaks),
        cmocka_unit_test(a_kit_should_be_whole_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
