/* referee/EVENTS.md against the code: examples and tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/decision_json.h"
#include "referee/event_json.h"
#include "referee/record_json.h"
#include "referee/state_json.h"
#include "tests/unit/match_sample.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE "referee/EVENTS.md"

enum { LINE_SIZE = 8192, ROWS_MAX = 100 };

/* The page's lines, one after the other, with where each stands. */
struct page {
    FILE *stream;
    char line[LINE_SIZE];
    char section[64]; /* "## Events" */
    char part[64];    /* "### By hand"; empty above the first */
    bool example;     /* within a block of JSON */
};

static void page_open(struct page *page)
{
    memset(page, 0, sizeof *page);
    page->stream = fopen(PAGE, "r");
    assert_non_null(page->stream);
}

static void heading_take(struct page *page)
{
    if (strncmp(page->line, "## ", 3) == 0) {
        snprintf(page->section, sizeof page->section, "%.63s", page->line + 3);
        page->part[0] = 0;
    } else if (strncmp(page->line, "### ", 4) == 0) {
        snprintf(page->part, sizeof page->part, "%.63s", page->line + 4);
    }
}

/* The next line of text, example or table; false at the end, which closes the page. */
static bool page_next(struct page *page)
{
    while (fgets(page->line, sizeof page->line, page->stream)) {
        size_t length = strlen(page->line);
        assert_true(length > 0 && page->line[length - 1] == '\n');
        page->line[length - 1] = 0;
        if (strncmp(page->line, "```", 3) == 0)
            page->example = strcmp(page->line, "```json") == 0;
        else
            return heading_take(page), true;
    }
    fclose(page->stream);
    return false;
}

static bool page_example(const struct page *page, const char *section)
{
    return page->example && strcmp(page->section, section) == 0;
}

/* The table of a section: the word in each row's first column. Returns their number. */
static int table_read(const char *section, char word[ROWS_MAX][32])
{
    struct page page;
    int rows = 0;

    page_open(&page);
    while (page_next(&page)) {
        char *end = strncmp(page.line, "| `", 3) == 0 ? strchr(page.line + 3, '`') : NULL;
        if (!end || strcmp(page.section, section) != 0)
            continue;
        assert_true(rows < ROWS_MAX);
        *end = 0;
        snprintf(word[rows++], 32, "%.31s", page.line + 3);
        assert_true(strlen(end + 1) > 10); /* a meaning stands beside it */
    }
    return rows;
}

/* Each word once and in the code's order. */
static void table_check(const char *section, int count, const char *(*word_of)(int))
{
    char word[ROWS_MAX][32];

    assert_int_equal(table_read(section, word), count);
    for (int i = 0; i < count; i++)
        assert_string_equal(word[i], word_of(i));
}

static const char *event_word(int i)
{
    return referee_event_name((enum event_kind)i);
}
static const char *decision_word(int i)
{
    return referee_decision_name((enum decision_kind)i);
}
static const char *why_word(int i)
{
    return referee_why_name((enum why)i);
}
static const char *phase_word(int i)
{
    return referee_phase_name((enum phase)i);
}

static void should_tell_the_meaning_of_every_word(void **state)
{
    (void)state;
    table_check("Events", EVENT_KINDS, event_word);
    table_check("Decisions", DECISION_KINDS, decision_word);
    table_check("Why", WHY_COUNT, why_word);
    table_check("Phases", PHASE_ABANDONED + 1, phase_word);
}

/* "| `tie` | `review`, `replay_card`, `share` | `review` |" */
static void option_row(const struct rule_option *option, char *row, size_t size)
{
    size_t at = (size_t)snprintf(row, size, "| `%s` | ", option->name);
    if (!option->words) {
        snprintf(row + at, size - at, "%d to %d | %d | ", (int)option->least, (int)option->most,
                 (int)option->usual);
        return;
    }
    for (int i = 0; option->words[i]; i++)
        at += (size_t)snprintf(row + at, size - at, "%s`%s`", i ? ", " : "", option->words[i]);
    snprintf(row + at, size - at, " | `%s` | ", option->words[option->usual]);
}

static void should_list_every_option_with_its_bounds_and_default(void **state)
{
    struct page page;
    int found = 0;

    (void)state;
    page_open(&page);
    while (page_next(&page)) {
        char row[512];
        if (strcmp(page.section, "Options") != 0 || strncmp(page.line, "| `", 3) != 0)
            continue;
        assert_true(found < OPTION_COUNT);
        option_row(referee_option((enum option)found++), row, sizeof row);
        if (strncmp(page.line, row, strlen(row)) != 0)
            fail_msg("%s\nshould begin with\n%s", page.line, row);
    }
    assert_int_equal(found, OPTION_COUNT);
}

static void should_read_its_events_and_write_the_same_bytes(void **state)
{
    bool seen[EVENT_KINDS] = {false};
    struct page page;
    int by_hand = 0;

    (void)state;
    page_open(&page);
    while (page_next(&page)) {
        struct event event;
        struct referee_cards *cards;
        struct calib_fault fault = {.line = 0};
        struct json_text json;
        if (!page_example(&page, "Events"))
            continue;
        if (referee_event_parse(page.line, strlen(page.line), 1, &event, &cards, &fault))
            fail_msg("%s\n%s", page.line, fault.text);
        vision_json_init(&json);
        referee_event_json(&event, &json);
        assert_false(json.failed);
        if (strcmp(page.part, "By hand") == 0)
            by_hand++;
        else
            assert_string_equal(json.bytes, page.line);
        seen[event.kind] = true;
        vision_json_free(&json);
        referee_cards_destroy(&cards);
    }
    assert_true(by_hand > 0);
    for (int i = 0; i < EVENT_KINDS; i++)
        if (!seen[i])
            fail_msg("no example of %s", event_word(i));
}

static int decision_kind_of(const char *line)
{
    for (int i = 0; i < DECISION_KINDS; i++) {
        char member[64];
        snprintf(member, sizeof member, "\"decision\":\"%s\"", decision_word(i));
        if (strstr(line, member))
            return i;
    }
    return DECISION_KINDS;
}

static void should_show_decisions_as_they_are_written(void **state)
{
    static struct match_state match, make5;
    bool seen[DECISION_KINDS] = {false};
    struct page page;

    (void)state;
    sample_match(&match);
    sample_make5(&make5);
    page_open(&page);
    while (page_next(&page)) {
        struct decision decision;
        struct json_text json;
        if (!page_example(&page, "Decisions"))
            continue;
        int kind = decision_kind_of(page.line);
        assert_true(kind < DECISION_KINDS);
        sample_decision((enum decision_kind)kind, &decision);
        vision_json_init(&json);
        referee_decision_json(&decision,
                              sample_is_make5((enum decision_kind)kind) ? &make5 : &match, &json);
        assert_string_equal(json.bytes, page.line);
        seen[kind] = true;
        vision_json_free(&json);
    }
    for (int i = 0; i < DECISION_KINDS; i++)
        if (!seen[i])
            fail_msg("no example of %s", decision_word(i));
}

static void should_show_states_as_they_are_written(void **state)
{
    static struct match_state match[2];
    struct page page;
    int shown = 0;

    (void)state;
    sample_match(&match[0]);
    sample_make5(&match[1]);
    page_open(&page);
    while (page_next(&page)) {
        struct json_text json;
        if (!page_example(&page, "State"))
            continue;
        assert_true(shown < 2);
        vision_json_init(&json);
        referee_state_json(&match[shown++], &json);
        assert_string_equal(json.bytes, page.line);
        vision_json_free(&json);
    }
    assert_int_equal(shown, 2);
}

/* What the program reads back of the journal's own bodies. */
static int body_parse(const char *kind, const char *body)
{
    struct record_header header;
    struct record_act act;
    struct calib_fault fault;
    size_t length = strlen(body);

    if (strcmp(kind, "header") == 0)
        return referee_header_parse(body, length, &header, &fault);
    if (strcmp(kind, "void") == 0 || strcmp(kind, "restart") == 0)
        return 0;
    return referee_record_act_parse(body, length, strcmp(kind, "overrule") == 0, &act, &fault);
}

static const char *journal_word(int i)
{
    return referee_journal_kind_name((enum journal_kind)i);
}

static void should_show_the_bodies_of_a_journal(void **state)
{
    struct page page;
    int shown = 0;

    (void)state;
    table_check("The journal", JOURNAL_KINDS, journal_word);
    page_open(&page);
    while (page_next(&page)) {
        if (!page_example(&page, "The journal"))
            continue;
        json_t *line = json_loads(page.line, JSON_REJECT_DUPLICATES, NULL);
        char *body = json_dumps(json_object_get(line, "body"), JSON_COMPACT);
        assert_non_null(body);
        assert_int_equal(body_parse(json_string_value(json_object_get(line, "kind")), body), 0);
        free(body);
        json_decref(line);
        shown++;
    }
    assert_int_equal(shown, JOURNAL_KINDS - 2); /* events and decisions are shown above */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_tell_the_meaning_of_every_word),
        cmocka_unit_test(should_list_every_option_with_its_bounds_and_default),
        cmocka_unit_test(should_read_its_events_and_write_the_same_bytes),
        cmocka_unit_test(should_show_decisions_as_they_are_written),
        cmocka_unit_test(should_show_states_as_they_are_written),
        cmocka_unit_test(should_show_the_bodies_of_a_journal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
