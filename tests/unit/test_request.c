/* Requests are read within bounds, done once, and no more of them than can be. */
#include "pubsub/access.h"
#include "pubsub/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KEY "4f0c1d2e3b4a59687786950413223140"
#define CLAIM                                                                                      \
    "{\"v\":1,\"id\":\"a-3\",\"key\":\"" KEY "\",\"do\":\"claim\",\"seat\":2,\"slot\":3,"          \
    "\"attempt\":56,\"ago_ns\":41000000,\"error_ns\":9000000,\"by\":\"phone\"}"

static enum request_error parse(const char *text, struct request *out)
{
    struct wire_fault fault = {.text = ""};
    enum request_error error = pubsub_request_parse(text, strlen(text), out, &fault);

    assert_int_equal(error != REQUEST_OK, fault.text[0] != 0);
    return error;
}

/* Is this refused, as a bad request, with that id known? */
static void bad(const char *text, const char *id)
{
    struct request request;

    assert_int_equal(parse(text, &request), REQUEST_E_BAD_REQUEST);
    assert_string_equal(request.id, id);
    pubsub_request_free(&request);
}

static void should_read_a_claim(void **state)
{
    struct request request;

    (void)state;
    assert_int_equal(parse(CLAIM, &request), REQUEST_OK);
    assert_string_equal(request.id, "a-3");
    assert_string_equal(request.key, KEY);
    assert_int_equal(request.what, REQUEST_CLAIM);
    assert_int_equal(request.epoch, 0);
    assert_int_equal(pubsub_request_whole(&request, "seat", -1), 2);
    assert_int_equal(pubsub_request_whole(&request, "claimed_t_ns", -1), -1);
    assert_true(pubsub_request_given(&request, "ago_ns"));
    assert_false(pubsub_request_given(&request, "claimed_t_ns"));
    assert_string_equal(pubsub_request_text(&request, "by"), "phone");
    pubsub_request_free(&request);
}

static void should_take_null_for_nothing(void **state)
{
    struct request request;

    (void)state;
    assert_int_equal(
        parse("{\"v\":1,\"id\":\"1\",\"do\":\"give_up\",\"seat\":null,\"slot\":null}", &request),
        REQUEST_OK);
    assert_false(pubsub_request_given(&request, "seat"));
    assert_int_equal(pubsub_request_whole(&request, "seat", 0), 0);
    pubsub_request_free(&request);
}

static void should_refuse_with_the_id_where_there_is_one(void **state)
{
    (void)state;
    bad("", "");
    bad("x", "");
    bad("[]", "");
    bad("{}", "");
    bad("{\"v\":1,\"do\":\"hello\"}", "");
    bad("{\"v\":1,\"id\":7,\"do\":\"hello\"}", "");
    bad("{\"v\":1,\"id\":\"\",\"do\":\"hello\"}", "");
    bad("{\"v\":1,\"id\":\"a b\",\"do\":\"hello\"}", "");
    bad("{\"v\":1,\"id\":\"a\\u0000b\",\"do\":\"hello\"}", "");
    bad("{\"v\":1,\"id\":\"01234567890123456789012345678901234567890123456789012345678901234\","
        "\"do\":\"hello\"}",
        "");
    bad("{\"v\":2,\"id\":\"a\",\"do\":\"hello\"}", "a");
    bad("{\"id\":\"a\",\"do\":\"hello\"}", "a");
    bad("{\"v\":1,\"id\":\"a\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":7}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"dance\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"hello\",\"key\":\"\xC3\xA5\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"hello\",\"epoch\":0}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"hello\",\"epoch\":\"1\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"hello\",\"do\":\"hello\"}", "");
}

static void should_check_members_by_name_and_kind(void **state)
{
    (void)state;
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"hello\",\"seat\":1}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"claim\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"claim\",\"seat\":null}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"claim\",\"seat\":\"1\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"claim\",\"seat\":1.5}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"claim\",\"seat\":1,\"slto\":3}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"claim\",\"seat\":1,\"t_ns\":3}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"claim\",\"seat\":1,\"source\":\"file\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"confirm\",\"cause\":1,\"agree\":\"yes\"}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"decide\",\"cause\":1,\"seats\":1}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"overrule\",\"event\":1}", "a");
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"pause\",\"why\":\"\\u0000\"}", "");
}

static void should_bound_size_and_depth(void **state)
{
    struct request request;
    char *text = malloc(REQUEST_SIZE_MAX + 2);

    (void)state;
    assert_non_null(text);
    memset(text, ' ', REQUEST_SIZE_MAX + 2);
    assert_int_equal(pubsub_request_parse(text, REQUEST_SIZE_MAX + 1, &request, NULL),
                     REQUEST_E_TOO_LARGE);
    pubsub_request_free(&request);
    memset(text, '[', REQUEST_SIZE_MAX);
    assert_int_equal(pubsub_request_parse(text, REQUEST_SIZE_MAX, &request, NULL),
                     REQUEST_E_BAD_REQUEST);
    pubsub_request_free(&request);
    free(text);
    bad("{\"v\":1,\"id\":\"a\",\"do\":\"decide\",\"cause\":1,\"seats\":[[[[[[[[]]]]]]]]}", "");
    /* Brackets in a text are none. */
    assert_int_equal(
        parse("{\"v\":1,\"id\":\"a\",\"do\":\"pause\",\"why\":\"[[[[[[[[[\\\"[[[\"}", &request),
        REQUEST_OK);
    pubsub_request_free(&request);
}

static void should_name_everything_once(void **state)
{
    (void)state;
    for (int d = 0; d < REQUEST_DOS; d++) {
        const char *word = pubsub_request_name((enum request_do)d);
        assert_non_null(word);
        for (int other = 0; other < d; other++)
            assert_string_not_equal(word, pubsub_request_name((enum request_do)other));
        /* Whatever changes something takes a key. */
        if (pubsub_request_sort((enum request_do)d) != REQUEST_QUESTION)
            assert_int_not_equal(pubsub_request_right((enum request_do)d), REQUEST_ANYBODY);
    }
    assert_null(pubsub_request_name(REQUEST_DOS));
    assert_int_equal(pubsub_request_right(REQUEST_DOS), REQUEST_OPERATOR);
    for (int e = REQUEST_OK + 1; e < REQUEST_ERRORS; e++)
        assert_non_null(pubsub_request_error_name((enum request_error)e));
    assert_null(pubsub_request_error_name(REQUEST_OK));
}

/* ---- answers ---- */

static void should_make_answers_that_are_read_again(void **state)
{
    struct answer answer;
    char *text;
    size_t length;

    (void)state;
    assert_int_equal(pubsub_answer_make("a-2", "\"t_ns\":7", &text, &length), 0);
    assert_string_equal(text, "{\"v\":1,\"id\":\"a-2\",\"ok\":true,\"t_ns\":7}");
    assert_int_equal(length, strlen(text));
    assert_int_equal(pubsub_answer_parse(text, length, &answer, NULL), 0);
    assert_true(answer.ok);
    assert_string_equal(answer.id, "a-2");
    json_decref(answer.body);
    free(text);

    assert_int_equal(pubsub_answer_refuse("", REQUEST_E_BAD_KEY, "no \"key\"", "", &text, &length),
                     0);
    assert_string_equal(text, "{\"v\":1,\"id\":null,\"ok\":false,\"error\":\"bad_key\",\"text\":"
                              "\"no \\\"key\\\"\"}");
    assert_int_equal(pubsub_answer_parse(text, length, &answer, NULL), 0);
    assert_false(answer.ok);
    assert_int_equal(answer.error, REQUEST_E_BAD_KEY);
    assert_string_equal(answer.id, "");
    json_decref(answer.body);
    free(text);
}

static void should_refuse_what_is_no_answer(void **state)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"v\":1,\"id\":\"a\"}",
        "{\"v\":2,\"id\":\"a\",\"ok\":true}",
        "{\"v\":1,\"ok\":true}",
        "{\"v\":1,\"id\":\"a\",\"ok\":1}",
        "{\"v\":1,\"id\":\"a\",\"ok\":false}",
        "{\"v\":1,\"id\":\"a\",\"ok\":false,\"error\":\"bad_key\"}"};
    struct wire_fault fault = {.text = ""};
    struct answer answer;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fault.text[0] = 0;
        assert_int_equal(pubsub_answer_parse(texts[i], strlen(texts[i]), &answer, &fault),
                         PUBSUB_E_ARGUMENT);
        assert_null(answer.body);
        assert_true(fault.text[0] != 0);
    }
}

/* ---- what was done already ---- */

struct memory_scene {
    struct request_memory *memory;
    const char *answer;
    size_t length;
};

static enum request_seen look(struct memory_scene *s, const char *text)
{
    struct request request;

    s->answer = NULL;
    assert_int_equal(parse(text, &request), REQUEST_OK);
    enum request_seen seen = pubsub_memory_find(s->memory, &request, &s->answer, &s->length);
    pubsub_request_free(&request);
    return seen;
}

static void keep(struct memory_scene *s, const char *text, const char *answer, size_t length)
{
    struct request request;

    assert_int_equal(parse(text, &request), REQUEST_OK);
    assert_int_equal(pubsub_memory_keep(s->memory, &request, answer, length), 0);
    pubsub_request_free(&request);
}

#define ACT(id, key, rest)                                                                         \
    "{\"v\":1,\"id\":\"" id "\",\"key\":\"" key "\",\"do\":\"claim\",\"seat\":1" rest "}"

static void should_remember_what_was_done(void **state)
{
    struct memory_scene s = {.memory = pubsub_memory_create()};

    (void)state;
    assert_int_equal(look(&s, ACT("1", "k", ",\"ago_ns\":5")), REQUEST_NEW);
    keep(&s, ACT("1", "k", ",\"ago_ns\":5"), "yes", 3);
    /* Sent again, it is longer ago. */
    assert_int_equal(look(&s, ACT("1", "k", ",\"ago_ns\":9000,\"error_ns\":7")), REQUEST_AGAIN);
    assert_string_equal(s.answer, "yes");
    assert_int_equal(s.length, 3);
    /* Another's act of that id is another act; one's own of that id is a slip. */
    assert_int_equal(look(&s, ACT("1", "m", ",\"ago_ns\":5")), REQUEST_NEW);
    assert_int_equal(look(&s, ACT("1", "k", ",\"slot\":2")), REQUEST_OTHER);
    assert_int_equal(look(&s, ACT("2", "k", ",\"ago_ns\":5")), REQUEST_NEW);
    pubsub_memory_destroy(&s.memory);
    assert_null(s.memory);
}

static void should_forget_the_oldest(void **state)
{
    struct memory_scene s = {.memory = pubsub_memory_create()};
    char text[128];

    (void)state;
    for (int i = 0; i <= REQUEST_MEMORY_ACTS; i++) {
        snprintf(text, sizeof text, "{\"v\":1,\"id\":\"%d\",\"do\":\"pause\"}", i);
        keep(&s, text, text, strlen(text));
    }
    assert_int_equal(look(&s, "{\"v\":1,\"id\":\"0\",\"do\":\"pause\"}"), REQUEST_NEW);
    assert_int_equal(look(&s, "{\"v\":1,\"id\":\"1\",\"do\":\"pause\"}"), REQUEST_AGAIN);
    assert_int_equal(look(&s, text), REQUEST_AGAIN);
    assert_string_equal(s.answer, text);
    pubsub_memory_destroy(&s.memory);
}

static void should_bound_what_it_remembers(void **state)
{
    struct memory_scene s = {.memory = pubsub_memory_create()};
    size_t length = REQUEST_MEMORY_BYTES / 2;
    char *answer = calloc(1, REQUEST_MEMORY_BYTES + 1);
    struct request request;

    (void)state;
    assert_non_null(answer);
    keep(&s, "{\"v\":1,\"id\":\"1\",\"do\":\"pause\"}", answer, length);
    keep(&s, "{\"v\":1,\"id\":\"2\",\"do\":\"pause\"}", answer, length);
    keep(&s, "{\"v\":1,\"id\":\"3\",\"do\":\"pause\"}", answer, 1);
    assert_int_equal(look(&s, "{\"v\":1,\"id\":\"1\",\"do\":\"pause\"}"), REQUEST_NEW);
    assert_int_equal(look(&s, "{\"v\":1,\"id\":\"2\",\"do\":\"pause\"}"), REQUEST_AGAIN);
    assert_int_equal(parse("{\"v\":1,\"id\":\"4\",\"do\":\"pause\"}", &request), REQUEST_OK);
    assert_int_equal(pubsub_memory_keep(s.memory, &request, answer, REQUEST_MEMORY_BYTES + 1),
                     PUBSUB_E_MEMORY);
    pubsub_request_free(&request);
    assert_int_equal(look(&s, "{\"v\":1,\"id\":\"3\",\"do\":\"pause\"}"), REQUEST_AGAIN);
    pubsub_memory_destroy(&s.memory);
    free(answer);
}

/* ---- how many a second ---- */

static int taken(struct request_bucket *bucket, int tries, int64_t now_ns)
{
    int got = 0;

    for (int i = 0; i < tries; i++)
        got += pubsub_bucket_take(bucket, 1, now_ns);
    return got;
}

static void should_let_so_many_through_a_second(void **state)
{
    const int64_t s = 1000000000;
    struct request_bucket bucket = {.per_s = 50};
    int64_t now_ns = 123 * s;
    int got = 0;

    (void)state;
    assert_int_equal(taken(&bucket, 80, now_ns), 50);
    assert_int_equal(taken(&bucket, 80, now_ns), 0);
    assert_int_equal(taken(&bucket, 80, now_ns + s / 10), 5);
    /* A rest of an hour saves no more than a second's worth. */
    assert_int_equal(taken(&bucket, 80, now_ns + 3600 * s), 50);
    now_ns += 3600 * s;
    for (int i = 0; i < 1000; i++)
        got += taken(&bucket, 1, now_ns + i * (s / 100));
    assert_in_range(got, 498, 500);
}

static void should_let_a_dear_one_wait_and_time_stand(void **state)
{
    struct request_bucket bucket = {.per_s = 10};

    (void)state;
    assert_true(pubsub_bucket_take(&bucket, 8, 1000));
    assert_false(pubsub_bucket_take(&bucket, 4, 1000));
    assert_true(pubsub_bucket_take(&bucket, 2, 1000));
    assert_false(pubsub_bucket_take(&bucket, 1, 0)); /* backward: no time has passed */
    assert_false(pubsub_bucket_take(&bucket, 1, INT64_MIN / 4));
}

/* ---- keys ---- */

#define SEAT_KEY "00112233445566778899aabbccddeeff"
#define KEYS                                                                                       \
    "{\"operator\":\"" KEY "\",\"seats\":[{\"seat\":1,\"key\":\"" SEAT_KEY "\"},"                  \
    "{\"seat\":3,\"key\":\"ffffffffffffffffffffffffffffffff\"}]}\n"

/* A long answer is paid for afterwards, so that the next ones wait. */
static void should_let_what_is_owed_be_waited_for(void **state)
{
    const int64_t s = 1000000000;
    struct request_bucket bucket = {.per_s = 10};
    (void)state;
    assert_int_equal(taken(&bucket, 20, s), 10);
    pubsub_bucket_owe(&bucket, 20);
    assert_int_equal(taken(&bucket, 20, 2 * s), 0);
    assert_int_equal(taken(&bucket, 20, 3 * s), 0);
    assert_int_equal(taken(&bucket, 20, 3 * s + s / 2), 5);
    pubsub_bucket_owe(&bucket, SIZE_MAX);
    assert_int_equal(taken(&bucket, 20, 60 * s), 0);
    assert_int_equal(taken(&bucket, 20, 3600 * s), 10);
}

static void should_read_and_write_keys(void **state)
{
    struct access_keys keys;
    char text[ACCESS_TEXT_MAX];

    (void)state;
    assert_int_equal(pubsub_access_parse(KEYS, strlen(KEYS), &keys, NULL), 0);
    assert_int_equal(pubsub_access_print(&keys, text), 0);
    assert_string_equal(text, KEYS);
    assert_string_equal(pubsub_access_seat(&keys, 1), SEAT_KEY);
    assert_null(pubsub_access_seat(&keys, 2));
}

static void should_know_whose_a_key_is(void **state)
{
    struct access_keys keys;

    (void)state;
    assert_int_equal(pubsub_access_parse(KEYS, strlen(KEYS), &keys, NULL), 0);
    assert_int_equal(pubsub_access_whose(&keys, KEY), ACCESS_OPERATOR);
    assert_int_equal(pubsub_access_whose(&keys, SEAT_KEY), 1);
    assert_int_equal(pubsub_access_whose(&keys, "ffffffffffffffffffffffffffffffff"), 3);
    assert_int_equal(pubsub_access_whose(&keys, "fffffffffffffffffffffffffffffff0"), ACCESS_NOBODY);
    assert_int_equal(pubsub_access_whose(&keys, ""), ACCESS_NOBODY);
    assert_int_equal(pubsub_access_whose(&keys, NULL), ACCESS_NOBODY);
    assert_int_equal(pubsub_access_whose(&keys, KEY "0"), ACCESS_NOBODY);
    /* Keys that are not there are nobody's. */
    memset(&keys, 0, sizeof keys);
    assert_int_equal(pubsub_access_whose(&keys, ""), ACCESS_NOBODY);
}

static void should_refuse_what_are_no_keys(void **state)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "{\"operator\":\"" KEY "\"}",
        "{\"operator\":\"" KEY "\",\"seats\":{}}",
        "{\"operator\":\"short\",\"seats\":[]}",
        "{\"operator\":\"4F0C1D2E3B4A59687786950413223140\",\"seats\":[]}",
        "{\"operator\":\"" KEY "\",\"seats\":[1]}",
        "{\"operator\":\"" KEY "\",\"seats\":[{\"seat\":0,\"key\":\"" KEY "\"}]}",
        "{\"operator\":\"" KEY "\",\"seats\":[{\"seat\":1}]}",
        "{\"operator\":\"" KEY "\",\"seats\":[{\"seat\":1,\"key\":\"" KEY "\"},{\"seat\":1,\"key\":"
        "\"" KEY "\"}]}"};
    struct wire_fault fault = {.text = ""};
    struct access_keys keys;
    char text[ACCESS_TEXT_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fault.text[0] = 0;
        assert_int_equal(pubsub_access_parse(texts[i], strlen(texts[i]), &keys, &fault),
                         PUBSUB_E_ARGUMENT);
        assert_true(fault.text[0] != 0);
    }
    memset(&keys, 0, sizeof keys);
    assert_int_equal(pubsub_access_print(&keys, text), PUBSUB_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_a_claim),
        cmocka_unit_test(should_take_null_for_nothing),
        cmocka_unit_test(should_refuse_with_the_id_where_there_is_one),
        cmocka_unit_test(should_check_members_by_name_and_kind),
        cmocka_unit_test(should_bound_size_and_depth),
        cmocka_unit_test(should_name_everything_once),
        cmocka_unit_test(should_make_answers_that_are_read_again),
        cmocka_unit_test(should_refuse_what_is_no_answer),
        cmocka_unit_test(should_remember_what_was_done),
        cmocka_unit_test(should_forget_the_oldest),
        cmocka_unit_test(should_bound_what_it_remembers),
        cmocka_unit_test(should_let_so_many_through_a_second),
        cmocka_unit_test(should_let_a_dear_one_wait_and_time_stand),
        cmocka_unit_test(should_let_what_is_owed_be_waited_for),
        cmocka_unit_test(should_read_and_write_keys),
        cmocka_unit_test(should_know_whose_a_key_is),
        cmocka_unit_test(should_refuse_what_are_no_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
