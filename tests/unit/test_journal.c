/* The journal: whole batches or nothing, and a chain that shows every change. */
#include "referee/journal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define BYTES_MAX 8192

struct scene {
    char folder[64];
    char path[96];
    int visits, stop_at;
    enum journal_kind kinds[16];
    char last[128];
    char notice[300];
    struct calib_sink sink;
};

static void note_notice(void *context, const struct calib_fault *fault)
{
    struct scene *s = context;
    snprintf(s->notice, sizeof s->notice, "%d: %s", fault->line, fault->text);
}

static int note_line(void *context, const struct journal_line *line)
{
    struct scene *s = context;
    if (s->visits < 16)
        s->kinds[s->visits] = line->kind;
    s->visits++;
    assert_int_equal(line->number, s->visits);
    snprintf(s->last, sizeof s->last, "%.*s", (int)line->length, line->body);
    return s->visits == s->stop_at ? -99 : 0;
}

static int scene_open(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    snprintf(s->folder, sizeof s->folder, "/tmp/test_journal.XXXXXX");
    if (!mkdtemp(s->folder))
        return -1;
    snprintf(s->path, sizeof s->path, "%s/journal.jsonl", s->folder);
    s->sink = (struct calib_sink){.warn = note_notice, .context = s};
    *state = s;
    return 0;
}

static int scene_close(void **state)
{
    struct scene *s = *state;
    unlink(s->path);
    rmdir(s->folder);
    free(s);
    return 0;
}

static struct journal *journal_at(struct scene *s)
{
    struct journal *journal = NULL;
    struct calib_fault fault = {.line = 0};
    s->visits = 0;
    assert_int_equal(referee_journal_open(s->path, note_line, s, &s->sink, &journal, &fault), 0);
    assert_string_equal(fault.text, "");
    return journal;
}

static void add(struct journal *journal, enum journal_kind kind, const char *body)
{
    assert_int_equal(referee_journal_add(journal, kind, body, strlen(body)), REFEREE_OK);
}

static void commit(struct journal *journal, bool sync)
{
    struct calib_fault fault;
    assert_int_equal(referee_journal_commit(journal, sync, &fault), REFEREE_OK);
}

static size_t file_read(const char *path, char *bytes)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, BYTES_MAX, file);
    fclose(file);
    return length;
}

static void file_write(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* A header, an event, and a batch of an event with two decisions. */
static void journal_fill(struct scene *s)
{
    struct journal *journal = journal_at(s);
    add(journal, JOURNAL_HEADER, "{\"a\":1}");
    add(journal, JOURNAL_EVENT, "{\"b\":2}");
    commit(journal, true);
    add(journal, JOURNAL_EVENT, "{\"c\":3}");
    add(journal, JOURNAL_DECISION, "{\"d\":4}");
    add(journal, JOURNAL_DECISION, "{\"e\":{}}");
    commit(journal, false);
    referee_journal_close(&journal);
}

static void journal_should_give_back_what_was_committed(void **state)
{
    struct scene *s = *state;
    journal_fill(s);
    struct journal *journal = journal_at(s);
    assert_int_equal(s->visits, 5);
    assert_int_equal(s->kinds[0], JOURNAL_HEADER);
    assert_int_equal(s->kinds[2], JOURNAL_EVENT);
    assert_int_equal(s->kinds[4], JOURNAL_DECISION);
    assert_string_equal(s->last, "{\"e\":{}}");
    assert_int_equal(referee_journal_lines(journal), 5);
    char head[DIGEST_TEXT_MAX];
    assert_int_equal(referee_journal_read(s->path, NULL, NULL, NULL, head, NULL), 0);
    assert_string_equal(head, referee_journal_head(journal));
    referee_journal_close(&journal);
}

static void journal_should_hold_the_chain_as_documented(void **state)
{
    struct scene *s = *state;
    char bytes[BYTES_MAX];
    struct journal *journal = journal_at(s);
    add(journal, JOURNAL_HEADER, "{\"a\":1}");
    commit(journal, true);
    referee_journal_close(&journal);
    size_t length = file_read(s->path, bytes);
    const char *line =
        "{\"prev\":\"0000000000000000000000000000000000000000000000000000000000000000\","
        "\"kind\":\"header\",\"body\":{\"a\":1}}\n";
    assert_int_equal(length, strlen(line));
    assert_memory_equal(bytes, line, length);
}

static void journal_should_be_locked_against_a_second_writer(void **state)
{
    struct scene *s = *state;
    struct journal *journal = journal_at(s), *second = NULL;
    struct calib_fault fault;
    assert_int_equal(referee_journal_open(s->path, NULL, NULL, NULL, &second, &fault),
                     REFEREE_E_LOCKED);
    assert_null(second);
    referee_journal_close(&journal);
}

/* Cut at every byte: whole lines stay, the rest is dropped with a notice, and writing goes on. */
static void journal_should_drop_a_torn_tail_at_any_byte(void **state)
{
    struct scene *s = *state;
    char bytes[BYTES_MAX];
    journal_fill(s);
    size_t length = file_read(s->path, bytes);
    for (size_t cut = 0; cut <= length; cut++) {
        int whole = 0;
        for (size_t i = 0; i < cut; i++)
            whole += bytes[i] == '\n';
        bool torn = cut > 0 && bytes[cut - 1] != '\n';
        file_write(s->path, bytes, cut);
        s->notice[0] = 0;
        struct journal *journal = journal_at(s);
        assert_int_equal(s->visits, whole);
        assert_int_equal(s->notice[0] != 0, torn);
        add(journal, whole == 0 ? JOURNAL_HEADER : JOURNAL_EVENT, "{\"on\":1}");
        commit(journal, true);
        referee_journal_close(&journal);
        s->visits = 0;
        assert_int_equal(referee_journal_read(s->path, note_line, s, NULL, NULL, NULL), 0);
        assert_int_equal(s->visits, whole + 1);
    }
}

/* After a power cut a file may be longer than what arrived: the rest reads as zeros. */
static void journal_should_drop_a_tail_of_zeros(void **state)
{
    struct scene *s = *state;
    char bytes[BYTES_MAX];
    journal_fill(s);
    size_t length = file_read(s->path, bytes);
    memset(bytes + length, 0, 300);
    file_write(s->path, bytes, length + 300);
    struct journal *journal = journal_at(s);
    assert_int_equal(s->visits, 5);
    assert_non_null(strstr(s->notice, "300 bytes"));
    referee_journal_close(&journal);
}

/* Any byte of any line but the last changed: refused, and the line named is that one or, where only
 * the chain shows it, the next. The last line's own change is shown by the head. */
static void journal_should_refuse_a_changed_byte_and_name_the_line(void **state)
{
    struct scene *s = *state;
    char bytes[BYTES_MAX], head[DIGEST_TEXT_MAX], changed_head[DIGEST_TEXT_MAX];
    journal_fill(s);
    size_t length = file_read(s->path, bytes);
    assert_int_equal(referee_journal_read(s->path, NULL, NULL, NULL, head, NULL), 0);
    int line = 1;
    for (size_t i = 0; i < length; i++) {
        char kept = bytes[i];
        bytes[i] = (char)(kept ^ 1);
        file_write(s->path, bytes, length);
        struct calib_fault fault = {.line = 0};
        int error = referee_journal_read(s->path, NULL, NULL, NULL, changed_head, &fault);
        if (line < 5 || error != 0) {
            assert_true(error == REFEREE_E_CHAIN || error == REFEREE_E_SYNTAX);
            assert_in_range(fault.line, line, line + 1);
        } else {
            assert_string_not_equal(head, changed_head);
        }
        bytes[i] = kept;
        line += kept == '\n';
    }
}

static void journal_should_refuse_a_line_lost_or_doubled(void **state)
{
    struct scene *s = *state;
    char bytes[BYTES_MAX], changed[BYTES_MAX];
    struct calib_fault fault;
    journal_fill(s);
    size_t length = file_read(s->path, bytes);
    size_t first = (size_t)(strchr(bytes, '\n') - bytes) + 1;
    size_t second = (size_t)(strchr(bytes + first, '\n') - bytes) + 1;
    memcpy(changed, bytes, first);
    memcpy(changed + first, bytes + second, length - second);
    file_write(s->path, changed, length - (second - first));
    assert_int_equal(referee_journal_read(s->path, NULL, NULL, NULL, NULL, &fault),
                     REFEREE_E_CHAIN);
    assert_int_equal(fault.line, 2);
    memcpy(changed, bytes, second);
    memcpy(changed + second, bytes + first, length - first);
    file_write(s->path, changed, length + second - first);
    assert_int_equal(referee_journal_read(s->path, NULL, NULL, NULL, NULL, &fault),
                     REFEREE_E_CHAIN);
    assert_int_equal(fault.line, 3);
}

static void journal_should_refuse_bodies_that_are_no_line(void **state)
{
    struct scene *s = *state;
    struct journal *journal = journal_at(s);
    assert_int_equal(referee_journal_add(journal, JOURNAL_EVENT, "{\n}", 3), REFEREE_E_ARGUMENT);
    assert_int_equal(referee_journal_add(journal, JOURNAL_EVENT, "[]", 2), REFEREE_E_ARGUMENT);
    assert_int_equal(referee_journal_add(journal, JOURNAL_EVENT, "{\0}", 3), REFEREE_E_ARGUMENT);
    assert_int_equal(referee_journal_add(journal, JOURNAL_KINDS, "{}", 2), REFEREE_E_ARGUMENT);
    assert_int_equal(referee_journal_lines(journal), 0);
    referee_journal_close(&journal);
}

static void journal_should_forget_a_dropped_batch(void **state)
{
    struct scene *s = *state;
    struct journal *journal = journal_at(s);
    add(journal, JOURNAL_HEADER, "{}");
    commit(journal, false);
    add(journal, JOURNAL_EVENT, "{\"gone\":1}");
    referee_journal_drop(journal);
    add(journal, JOURNAL_EVENT, "{\"kept\":1}");
    commit(journal, true);
    referee_journal_close(&journal);
    journal = journal_at(s);
    assert_int_equal(s->visits, 2);
    assert_string_equal(s->last, "{\"kept\":1}");
    referee_journal_close(&journal);
}

/* A bound on the file's size stands for a full disk: the write ends in the middle of a line. */
static void journal_should_undo_a_write_that_does_not_fit(void **state)
{
    struct scene *s = *state;
    char before[BYTES_MAX], after[BYTES_MAX];
    struct calib_fault fault = {.line = 0};
    struct rlimit kept, bound;
    journal_fill(s);
    size_t length = file_read(s->path, before);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    for (size_t more = 0; more < 100; more += 7) {
        struct journal *journal = journal_at(s);
        char head[DIGEST_TEXT_MAX];
        memcpy(head, referee_journal_head(journal), sizeof head);
        bound = kept;
        bound.rlim_cur = length + more;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &bound), 0);
        add(journal, JOURNAL_EVENT, "{\"too\":\"much\"}");
        int error = referee_journal_commit(journal, true, &fault);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
        assert_int_equal(error, REFEREE_E_WRITE);
        assert_int_equal(fault.line, 6);
        assert_string_equal(head, referee_journal_head(journal));
        assert_int_equal(file_read(s->path, after), length);
        assert_memory_equal(before, after, length);
        referee_journal_close(&journal);
    }
    /* And it goes on as soon as there is room. */
    struct journal *journal = journal_at(s);
    bound = kept;
    bound.rlim_cur = length;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &bound), 0);
    add(journal, JOURNAL_EVENT, "{\"lost\":1}");
    assert_int_equal(referee_journal_commit(journal, true, &fault), REFEREE_E_WRITE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
    add(journal, JOURNAL_EVENT, "{\"kept\":1}");
    commit(journal, true);
    referee_journal_close(&journal);
    journal = journal_at(s);
    assert_int_equal(s->visits, 6);
    assert_string_equal(s->last, "{\"kept\":1}");
    referee_journal_close(&journal);
}

static void journal_should_stop_where_its_visitor_does(void **state)
{
    struct scene *s = *state;
    struct journal *journal = NULL;
    journal_fill(s);
    s->visits = 0;
    s->stop_at = 3;
    assert_int_equal(referee_journal_open(s->path, note_line, s, NULL, &journal, NULL), -99);
    assert_null(journal);
    assert_int_equal(s->visits, 3);
}

static void journal_should_refuse_what_is_no_ordinary_file(void **state)
{
    struct scene *s = *state;
    struct journal *journal = NULL;
    assert_int_equal(referee_journal_open(s->folder, NULL, NULL, NULL, &journal, NULL),
                     REFEREE_E_OPEN);
    assert_int_equal(referee_journal_open("/dev/null", NULL, NULL, NULL, &journal, NULL),
                     REFEREE_E_OPEN);
    assert_int_equal(referee_journal_read("/nowhere/journal", NULL, NULL, NULL, NULL, NULL),
                     REFEREE_E_OPEN);
    assert_null(journal);
    assert_int_equal(mkfifo(s->path, 0600), 0); /* it must not be waited at */
    assert_int_equal(referee_journal_read(s->path, NULL, NULL, NULL, NULL, NULL), REFEREE_E_OPEN);
    assert_int_equal(referee_journal_open(s->path, NULL, NULL, NULL, &journal, NULL),
                     REFEREE_E_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(journal_should_give_back_what_was_committed, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_hold_the_chain_as_documented, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_be_locked_against_a_second_writer,
                                        scene_open, scene_close),
        cmocka_unit_test_setup_teardown(journal_should_drop_a_torn_tail_at_any_byte, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_drop_a_tail_of_zeros, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_refuse_a_changed_byte_and_name_the_line,
                                        scene_open, scene_close),
        cmocka_unit_test_setup_teardown(journal_should_refuse_a_line_lost_or_doubled, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_refuse_bodies_that_are_no_line, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_forget_a_dropped_batch, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_undo_a_write_that_does_not_fit, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_stop_where_its_visitor_does, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(journal_should_refuse_what_is_no_ordinary_file, scene_open,
                                        scene_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
