/* pubsub/PROTOCOL.md against the code: every example is one that the program makes or takes, and
 * the tables have all that the code has. */
#include "pubsub/message.h"
#include "pubsub/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PAGE "pubsub/PROTOCOL.md"

enum { LINE_SIZE = 8192, ROWS_MAX = 100 };

struct page {
    FILE *stream;
    char line[LINE_SIZE];
    char section[64];
    char column[32]; /* the first of the table that the line is in */
    bool example;
};

static void page_open(struct page *page)
{
    memset(page, 0, sizeof *page);
    page->stream = fopen(PAGE, "r");
    assert_non_null(page->stream);
}

/* "| kind | when |": the first line of a table names its columns. */
static void table_take(struct page *page)
{
    if (page->line[0] != '|')
        page->column[0] = 0;
    else if (page->column[0] == 0)
        snprintf(page->column, sizeof page->column, "%.*s", (int)strcspn(page->line + 2, "|") - 1,
                 page->line + 2);
}

static bool page_next(struct page *page)
{
    while (fgets(page->line, sizeof page->line, page->stream)) {
        size_t length = strlen(page->line);
        assert_true(length > 0 && page->line[length - 1] == '\n');
        page->line[length - 1] = 0;
        if (strncmp(page->line, "```", 3) == 0) {
            page->example = strcmp(page->line, "```json") == 0;
            continue;
        }
        if (strncmp(page->line, "## ", 3) == 0)
            snprintf(page->section, sizeof page->section, "%.63s", page->line + 3);
        table_take(page);
        return true;
    }
    fclose(page->stream);
    return false;
}

/* Is this a row of the table with that first column, and not its head? */
static bool row_of(const struct page *page, const char *section, const char *column)
{
    return strcmp(page->section, section) == 0 && strcmp(page->column, column) == 0 &&
           strncmp(page->line, "| `", 3) == 0 && strncmp(page->line + 2, column, 4) != 0;
}

/* The next word in `these` before `end`; NULL behind the last one. */
static const char *word_next(const char **at, const char *end, char out[64])
{
    const char *begin = strchr(*at, '`');
    const char *close = begin ? strchr(begin + 1, '`') : NULL;

    if (!close || close > end)
        return NULL;
    snprintf(out, 64, "%.*s", (int)(close - begin - 1), begin + 1);
    *at = close + 1;
    return out;
}

static const char *column_end(const char *row)
{
    const char *bar = strchr(row, '|');
    return bar ? bar : row + strlen(row);
}

static void words_check(const char *section, const char *column, int first, int count,
                        const char *(*word_of)(int))
{
    struct page page;
    char word[64];
    int found = first;

    page_open(&page);
    while (page_next(&page)) {
        const char *at = page.line + 2;
        if (!row_of(&page, section, column))
            continue;
        assert_true(found < count);
        assert_string_equal(word_next(&at, column_end(at), word), word_of(found));
        assert_true(strlen(column_end(at)) > 10); /* a meaning stands beside it */
        found++;
    }
    assert_int_equal(found, count);
}

static const char *kind_word(int kind)
{
    return pubsub_message_kind_name((enum message_kind)kind);
}
static const char *error_word(int error)
{
    return pubsub_request_error_name((enum request_error)error);
}

static void should_tell_every_kind_and_every_error(void **state)
{
    (void)state;
    words_check("Published", "kind", 0, MESSAGE_KINDS, kind_word);
    words_check("Asked", "error", REQUEST_OK + 1, REQUEST_ERRORS, error_word);
}

/* ---- what can be asked ---- */

static int what_find(const char *word)
{
    for (int d = 0; d < REQUEST_DOS; d++)
        if (strcmp(word, pubsub_request_name((enum request_do)d)) == 0)
            return d;
    fail_msg("nothing can \"%s\"", word);
    return -1;
}

static bool member_in(enum request_do what, const char *word)
{
    const char *member;

    for (int i = 0; (member = pubsub_request_member(what, i)); i++)
        if (strcmp(member, word) == 0)
            return true;
    return false;
}

/* The members that a row tells are those that the code takes, but for by and why, which stand above
 * the table. */
static void members_check(enum request_do what, const char *column)
{
    const char *end = column_end(column), *at = column, *member;
    char word[64];
    int told = 0, known = 0;

    while (word_next(&at, end, word)) {
        assert_true(member_in(what, word));
        told++;
    }
    for (int i = 0; (member = pubsub_request_member(what, i)); i++)
        known += strcmp(member, "by") != 0 && strcmp(member, "why") != 0;
    assert_int_equal(told, known);
}

static void right_check(enum request_do what, const char *column)
{
    static const char *const words[] = {[REQUEST_SEAT] = " that seat's, or the operator's |",
                                        [REQUEST_MAKER] = " MAKER's seat's, or the operator's |",
                                        [REQUEST_OPERATOR] = " the operator's |"};

    assert_int_not_equal(pubsub_request_right(what), REQUEST_ANYBODY);
    assert_string_equal(column, words[pubsub_request_right(what)]);
}

static void should_tell_all_that_can_be_asked(void **state)
{
    bool told[REQUEST_DOS] = {false};
    struct page page;
    char word[64];

    (void)state;
    page_open(&page);
    while (page_next(&page)) {
        const char *at = page.line + 2, *end = column_end(at), *second = end + 1;
        if (!row_of(&page, "Asked", "`do`"))
            continue;
        while (word_next(&at, end, word)) {
            int what = what_find(word);
            assert_false(told[what]);
            told[what] = true;
            if (pubsub_request_sort((enum request_do)what) == REQUEST_QUESTION)
                continue;
            members_check((enum request_do)what, second);
            right_check((enum request_do)what, column_end(second) + 1);
        }
    }
    for (int d = 0; d < REQUEST_DOS; d++)
        assert_true(told[d]);
}

/* What an act may have besides: by, and why but for two. */
static void should_let_people_say_who_they_are_and_why(void **state)
{
    (void)state;
    for (int d = 0; d < REQUEST_DOS; d++) {
        bool act = pubsub_request_sort((enum request_do)d) != REQUEST_QUESTION;
        assert_int_equal(member_in((enum request_do)d, "by"), act);
        assert_int_equal(member_in((enum request_do)d, "why"),
                         act && d != REQUEST_CLAIM && d != REQUEST_START);
    }
}

/* ---- examples ---- */

/* A message is made anew of its head and its own member: the same bytes must come out. */
static void message_check(const char *line)
{
    struct wire_fault fault = {.text = ""};
    struct message_head head;
    const char *own = strstr(line, "\"sent_ns\":");
    char members[LINE_SIZE], *again;
    size_t length;
    json_t *body;

    if (pubsub_message_read(line, strlen(line), &head, &body, &fault) != PUBSUB_OK)
        fail_msg("%s: %s", line, fault.text);
    json_decref(body);
    assert_non_null(own);
    own += strcspn(own, ",") + 1;
    snprintf(members, sizeof members, "%.*s", (int)strlen(own) - 1, own);
    assert_int_equal(pubsub_message_make(&head, members, &again, &length), 0);
    assert_string_equal(again, line);
    free(again);
}

static void should_show_messages_that_are_made_so(void **state)
{
    bool shown[MESSAGE_KINDS] = {false};
    struct page page;

    (void)state;
    page_open(&page);
    while (page_next(&page)) {
        if (!page.example || strcmp(page.section, "Published") != 0)
            continue;
        message_check(page.line);
        int kind = pubsub_message_kind(page.line, strcspn(page.line, "."));
        shown[kind] = true;
    }
    /* A state is long, and shown in EVENTS.md. */
    for (int k = 0; k < MESSAGE_KINDS; k++)
        assert_true(shown[k] || k == MESSAGE_STATE);
}

static void request_check(const char *line)
{
    struct wire_fault fault = {.text = ""};
    struct request request;

    if (pubsub_request_parse(line, strlen(line), &request, &fault) != REQUEST_OK)
        fail_msg("%s: %s", line, fault.text);
    pubsub_request_free(&request);
}

/* What stands in an answer behind its own members. */
static const char *answer_rest(const char *line, bool ok)
{
    const char *at = strstr(line, ok ? "\"ok\":true" : "\"text\":\"");

    assert_non_null(at);
    at = ok ? at + strlen("\"ok\":true") : strchr(at + strlen("\"text\":\""), '"') + 1;
    return *at == ',' ? at + 1 : at;
}

static void answer_check(const char *line)
{
    struct wire_fault fault = {.text = ""};
    struct answer answer;
    char members[LINE_SIZE], *again;
    size_t length;

    if (pubsub_answer_parse(line, strlen(line), &answer, &fault) != PUBSUB_OK)
        fail_msg("%s: %s", line, fault.text);
    const char *rest = answer_rest(line, answer.ok);
    snprintf(members, sizeof members, "%.*s", (int)strlen(rest) - 1, rest);
    if (answer.ok)
        assert_int_equal(pubsub_answer_make(answer.id, members, &again, &length), 0);
    else
        assert_int_equal(
            pubsub_answer_refuse(answer.id, answer.error,
                                 json_string_value(json_object_get(answer.body, "text")), members,
                                 &again, &length),
            0);
    assert_string_equal(again, line);
    json_decref(answer.body);
    free(again);
}

static void should_show_requests_and_answers_that_are_taken(void **state)
{
    struct page page;
    int requests = 0, answers = 0;

    (void)state;
    page_open(&page);
    while (page_next(&page)) {
        if (!page.example || strcmp(page.section, "Asked") != 0)
            continue;
        if (strstr(page.line, "\"do\":") && !strstr(page.line, "\"ok\":")) {
            request_check(page.line);
            requests++;
        } else {
            answer_check(page.line);
            answers++;
        }
    }
    assert_true(requests >= 4 && answers >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_tell_every_kind_and_every_error),
        cmocka_unit_test(should_tell_all_that_can_be_asked),
        cmocka_unit_test(should_let_people_say_who_they_are_and_why),
        cmocka_unit_test(should_show_messages_that_are_made_so),
        cmocka_unit_test(should_show_requests_and_answers_that_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
