/* Topics and envelopes: what is made is read again, and nothing else is. */
#include "pubsub/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct message_head head_sample(void)
{
    return (struct message_head){.kind = MESSAGE_VOID,
                                 .table = "4",
                                 .match = "final",
                                 .source = "00c0ffee00c0ffee",
                                 .epoch = 2,
                                 .seq = 7,
                                 .t_ns = 9800000000,
                                 .sent_ns = 41230000000};
}

static const char sample[] =
    "void.4 "
    "{\"v\":1,\"table\":\"4\",\"match\":\"final\",\"source\":\"00c0ffee00c0ffee\",\"epoch\":2,"
    "\"seq\":7,\"t_ns\":9800000000,\"sent_ns\":41230000000,\"decision\":{\"seq\":12,\"index\":0}}";

static void should_make_what_the_page_shows(void **state)
{
    struct message_head head = head_sample();
    char *text;
    size_t length;

    (void)state;
    assert_int_equal(
        pubsub_message_make(&head, "\"decision\":{\"seq\":12,\"index\":0}", &text, &length), 0);
    assert_string_equal(text, sample);
    assert_int_equal(length, strlen(sample));
    free(text);
}

static void should_read_what_it_makes(void **state)
{
    struct message_head head = head_sample(), again;
    struct wire_fault fault = {.text = ""};
    char *text;
    size_t length;
    json_t *body;

    (void)state;
    snprintf(head.match, sizeof head.match, "%s", "Fin\"al\\ \xC3\xA5\xF0\x9F\x8F\x86");
    for (int k = 0; k < MESSAGE_KINDS; k++) {
        char members[64];
        head.kind = (enum message_kind)k;
        snprintf(members, sizeof members, "\"%s\":{}",
                 k <= MESSAGE_VOID ? "decision" : pubsub_message_kind_name(head.kind));
        assert_int_equal(pubsub_message_make(&head, members, &text, &length), 0);
        assert_int_equal(pubsub_message_read(text, length, &again, &body, &fault), 0);
        assert_int_equal(again.kind, k);
        assert_string_equal(again.table, head.table);
        assert_string_equal(again.match, head.match);
        assert_string_equal(again.source, head.source);
        assert_int_equal(again.epoch, head.epoch);
        assert_int_equal(again.seq, head.seq);
        assert_int_equal(again.t_ns, head.t_ns);
        assert_int_equal(again.sent_ns, head.sent_ns);
        json_decref(body);
        free(text);
    }
}

static void should_refuse_to_make_what_could_not_be_read(void **state)
{
    char *text;
    size_t length;
    struct message_head head = head_sample();

    (void)state;
    head.seq = 0;
    assert_int_equal(pubsub_message_make(&head, "\"decision\":{}", &text, &length),
                     PUBSUB_E_ARGUMENT);
    head = head_sample();
    head.epoch = 0;
    assert_int_equal(pubsub_message_make(&head, "\"decision\":{}", &text, &length),
                     PUBSUB_E_ARGUMENT);
    head = head_sample();
    snprintf(head.table, sizeof head.table, "a.b");
    assert_int_equal(pubsub_message_make(&head, "\"decision\":{}", &text, &length),
                     PUBSUB_E_ARGUMENT);
    head = head_sample();
    snprintf(head.source, sizeof head.source, "00C0FFEE00C0FFEE");
    assert_int_equal(pubsub_message_make(&head, "\"decision\":{}", &text, &length),
                     PUBSUB_E_ARGUMENT);
    head = head_sample();
    snprintf(head.match, sizeof head.match, "\xff");
    assert_int_equal(pubsub_message_make(&head, "\"decision\":{}", &text, &length),
                     PUBSUB_E_ARGUMENT);
    head = head_sample();
    assert_int_equal(pubsub_message_make(&head, "", &text, &length), PUBSUB_E_ARGUMENT);
    assert_null(text);
}

static void should_know_names_of_tables(void **state)
{
    char topic[MESSAGE_TOPIC_MAX];

    (void)state;
    assert_true(pubsub_message_table_fits("1"));
    assert_true(pubsub_message_table_fits("Hall-2_table-12"));
    assert_true(pubsub_message_table_fits("12345678901234567890123456789012"));
    assert_false(pubsub_message_table_fits("123456789012345678901234567890123"));
    assert_false(pubsub_message_table_fits(""));
    assert_false(pubsub_message_table_fits("a b"));
    assert_false(pubsub_message_table_fits("a.b"));
    assert_false(pubsub_message_table_fits("\xC3\xA5"));
    assert_true(pubsub_message_topic(MESSAGE_VERDICT, "12345678901234567890123456789012", topic));
    assert_string_equal(topic, "verdict.12345678901234567890123456789012");
    assert_false(pubsub_message_topic(MESSAGE_KINDS, "1", topic));
    assert_false(pubsub_message_topic(MESSAGE_STATE, "", topic));
}

static void should_know_kinds(void **state)
{
    (void)state;
    for (int k = 0; k < MESSAGE_KINDS; k++) {
        const char *word = pubsub_message_kind_name((enum message_kind)k);
        assert_int_equal(pubsub_message_kind(word, strlen(word)), k);
        assert_int_equal(pubsub_message_kind(word, strlen(word) - 1), -1);
    }
    assert_null(pubsub_message_kind_name(MESSAGE_KINDS));
    assert_int_equal(pubsub_message_kind("", 0), -1);
}

/* The sample with one text in place of another. */
static void refused_changed(const char *from, const char *to)
{
    struct wire_fault fault = {.text = ""};
    struct message_head head;
    json_t *body = (json_t *)&head;
    char text[512];
    const char *at = strstr(sample, from);

    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - sample), sample, to, at + strlen(from));
    assert_int_equal(pubsub_message_read(text, strlen(text), &head, &body, &fault),
                     PUBSUB_E_ARGUMENT);
    assert_null(body);
    assert_true(fault.text[0] != 0);
}

static void should_refuse_what_is_no_message(void **state)
{
    (void)state;
    refused_changed("\"v\":1", "\"v\":2");
    refused_changed("\"v\":1,", "");
    refused_changed("\"v\":1", "\"v\":\"1\"");
    refused_changed("\"table\":\"4\"", "\"table\":\"5\"");
    refused_changed("\"table\":\"4\"", "\"table\":4");
    refused_changed("\"final\"", "null");
    refused_changed("\"final\"", "\"fi\\u0000nal\"");
    refused_changed("\"final\"",
                    "\"0123456789012345678901234567890123456789012345678901234567890123456789\"");
    refused_changed("\"00c0ffee00c0ffee\"", "\"c0ffee\"");
    refused_changed("\"epoch\":2", "\"epoch\":0");
    refused_changed("\"seq\":7", "\"seq\":0");
    refused_changed("\"seq\":7", "\"seq\":7.5");
    refused_changed("\"seq\":7", "\"seq\":99999999999999999999");
    refused_changed("\"t_ns\":9800000000,", "");
    refused_changed("\"sent_ns\":41230000000", "\"sent_ns\":null");
    refused_changed("{\"seq\":12,\"index\":0}", "[]");
    refused_changed("\"decision\"", "\"state\"");
    refused_changed("void.4 ", "");
    refused_changed("void.4", "void");
    refused_changed("void.4", "void.");
    refused_changed("void.4", "nothing.4");
    refused_changed("}}", "}");
    refused_changed("}}", "}} x");
    refused_changed("\"v\":1", "\"v\":1,\"v\":1");
}

static void should_read_no_further_than_it_is_told(void **state)
{
    struct wire_fault fault = {.text = ""};
    struct message_head head;
    json_t *body;

    (void)state;
    for (size_t length = 0; length < strlen(sample); length++) {
        char *part = malloc(length ? length : 1);
        assert_non_null(part);
        memcpy(part, sample, length);
        assert_int_equal(pubsub_message_read(part, length, &head, &body, &fault),
                         PUBSUB_E_ARGUMENT);
        free(part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_make_what_the_page_shows),
        cmocka_unit_test(should_read_what_it_makes),
        cmocka_unit_test(should_refuse_to_make_what_could_not_be_read),
        cmocka_unit_test(should_know_names_of_tables),
        cmocka_unit_test(should_know_kinds),
        cmocka_unit_test(should_refuse_what_is_no_message),
        cmocka_unit_test(should_read_no_further_than_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
