#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calib/blockset.h"
#include "tests/unit/kit_text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

static const char set_text[] =
    "{\n"
    " \"format\": \"tableref-set/1\",\n"
    " \"name\": \"small\",\n"
    " \"rim\": 0.07,\n"
    " \"block\": {\"length_mm\": 70, \"width_mm\": 35, \"height_mm\": 30},\n"
    " \"symbols\": {\n"
    "  \"*\": {\"name\": \"star\", \"shape\": \"star12\",\n"
    "        \"field\": \"#2E7D32\", \"ink\": \"#FAF9F6\"},\n"
    "  \"t\": {\"shape\": \"M0-.3L.3 .3h-.6z\",\n"
    "        \"field\": \"#2e7d32\", \"ink\": \"#000000\"}\n"
    " },\n"
    " \"blocks\": [\n"
    "  {\"number\": 1, \"faces\": [\"**\", \"t*\"]},\n"
    "  {\"number\": 2, \"faces\": [\"*t\"]}\n"
    " ]\n"
    "}\n";

static int parse(const char *text, struct blockset **set, struct calib_fault *fault)
{
    return calib_blockset_parse(text, strlen(text), "my-set.json", NULL, set, fault);
}

static void should_read_a_set(void **state)
{
    struct blockset *set;
    struct calib_fault fault;

    (void)state;
    assert_int_equal(parse(set_text, &set, &fault), 0);
    assert_string_equal(set->name, "small");
    assert_int_equal(set->symbols, 2);
    assert_int_equal(set->symbol[0].label, '*');
    assert_string_equal(set->symbol[0].name, "star");
    assert_int_equal(set->symbol[0].field.r, 0x2e);
    assert_int_equal(set->symbol[1].field.b, 0x32);
    assert_string_equal(set->symbol[1].name, "t");
    assert_int_equal(set->symbol[1].shape.contours, 1);
    assert_int_equal(set->blocks, 2);
    assert_int_equal(set->block[0].faces, 2);
    assert_memory_equal(set->block[0].face[1], "t*", 2);
    assert_true(fabs(set->height_mm - 30.0) < 1e-9);
    assert_int_equal(calib_blockset_cells(set), 4);
    assert_int_equal(calib_blockset_find(set, 't'), 1);
    assert_int_equal(calib_blockset_find(set, '?'), -1);
    calib_blockset_destroy(&set);
    assert_null(set);
    calib_blockset_destroy(&set);
    calib_blockset_destroy(NULL);
}

static void should_load_what_is_built_in(void **state)
{
    static const char *const names[] = {"match-madness", "matching-talent", "harbour"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct warned warned = {0};
        struct calib_sink sink = {warned_take, &warned};
        struct calib_fault fault;
        struct blockset *set;
        assert_int_equal(calib_blockset_load(names[i], &sink, &set, &fault), 0);
        assert_int_equal(warned.count, 0);
        assert_string_equal(set->name, names[i]);
        assert_int_equal(calib_blockset_cells(set), 10);
        for (int s = 0; s < set->symbols; s++) { /* every published symbol is the same all round */
            int turn_deg = calib_shape_symmetry(&set->symbol[s].shape);
            assert_true(i == 2 || turn_deg == 90);
        }
        calib_blockset_destroy(&set);
    }
}

static void should_name_file_line_and_place_of_a_fault(void **state)
{
    static const struct bad_text bad[] = {
        {"\"*t\"", "\"*q\"", CALIB_E_VALUE, 14,
         "blocks[1].faces[0]: \"q\" is no symbol of this set; use one of *t"},
        {"\"*t\"", "\"*\"", CALIB_E_VALUE, 14, "blocks[1].faces[0]: a face is a text of two"},
        {"\"*t\"", "7", CALIB_E_VALUE, 14, "blocks[1].faces[0]"},
        {"\"*t\"", "\"*\xc3\xa4\"", CALIB_E_VALUE, 14, "blocks[1].faces[0]"},
        {"[\"*t\"]", "[]", CALIB_E_VALUE, 14, "blocks[1].faces: 0 entries"},
        {"[\"*t\"]", "[\"*t\",\"*t\",\"*t\",\"*t\",\"*t\"]", CALIB_E_SIZE, 14, "at most 4"},
        {"\"number\": 2", "\"number\": 1", CALIB_E_VALUE, 14, "blocks[1]: a second block"},
        {"\"number\": 2", "\"number\": 0", CALIB_E_VALUE, 14, "blocks[1].number: 0 is not in"},
        {"\"number\": 2", "\"number\": 1.5", CALIB_E_VALUE, 14, "whole number"},
        {"\"number\": 2, ", "", CALIB_E_VALUE, 14, "blocks[1]: \"number\" is missing"},
        {"{\"number\": 2", "3, {\"number\": 2", CALIB_E_VALUE, 14, "blocks[1]: an object"},
        {"0.07", "0.4", CALIB_E_VALUE, 4, "rim: 0.4 is not in 0 to 0.25"},
        {"0.07", "\"0.07\"", CALIB_E_VALUE, 4, "rim: a number is wanted"},
        {"0.07", "1e999", CALIB_E_SYNTAX, 4, "not JSON"},
        {"0.07", "NaN", CALIB_E_SYNTAX, 4, "not JSON"},
        {"\"length_mm\": 70", "\"length_mm\": 7000", CALIB_E_VALUE, 5, "block.length_mm"},
        {"70, \"width_mm\": 35", "2, \"width_mm\": 1", CALIB_E_VALUE, 5, "at least 2 mm"},
        {"\"length_mm\": 70", "\"length_mm\": 0", CALIB_E_VALUE, 5, "block.length_mm"},
        {"\"length_mm\": 70", "\"length_mm\": 60", CALIB_E_VALUE, 5, "not twice"},
        {"\"height_mm\": 30", "\"height_mm\": -30", CALIB_E_VALUE, 5, "block.height_mm"},
        {"star12", "star13", CALIB_E_VALUE, 7, "symbols.*.shape: \"star13\" is no shape"},
        {"L.3 .3h", "L.3 x3h", CALIB_E_VALUE, 9, "symbols.t.shape: no shape: a number"},
        {"\"#2E7D32\"", "\"green\"", CALIB_E_VALUE, 8, "symbols.*.field: \"green\" is no colour"},
        {"\"#2E7D32\"", "\"#2E7D3\"", CALIB_E_VALUE, 8, "no colour"},
        {"\"#2E7D32\"", "\"#2E7D3G\"", CALIB_E_VALUE, 8, "no colour"},
        {"#2E7D32", "#FAF9F6", CALIB_E_VALUE, 7, "same colour"},
        {"\"t\": {", "\"tt\": {", CALIB_E_VALUE, 9, "symbols.tt: a label is one"},
        {"\"t\": {", "\".\": {", CALIB_E_VALUE, 9, "symbols..: a label is one"},
        {"\"t\": {", "\"/\": {", CALIB_E_VALUE, 9, "a label is one"},
        {"\"t\": {", "\"*\": {", CALIB_E_SYNTAX, 9, "duplicate"},
        {"\"star\"", "\"\"", CALIB_E_VALUE, 7, "symbols.*.name: empty"},
        {"\"star\"", "\"a\\nb\"", CALIB_E_VALUE, 7, "control character"},
        {"\"star\"", "\"a\\u0000b\"", CALIB_E_SYNTAX, 7, "not JSON"},
        {"tableref-set/1", "tableref-mat/1", CALIB_E_SYNTAX, 2, "format: \"tableref-mat/1\" where"},
        {" \"format\": \"tableref-set/1\",\n", "", CALIB_E_SYNTAX, 1, "no \"format\""},
        {"\"name\": \"small\",", "", CALIB_E_VALUE, 1, "\"name\" is missing"},
        {"\"blocks\": [", "\"blocks\": [,", CALIB_E_SYNTAX, 12, "not JSON"},
        {"]}\n ]\n}\n", "]}\n ]\n}\n}", CALIB_E_SYNTAX, 17, "not JSON"},
        {"]}\n ]\n}\n", "]}\n ]\n", CALIB_E_SYNTAX, 0, "not JSON"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *text = text_change(set_text, bad[i].from, bad[i].to);
        struct calib_fault fault = {.line = -1};
        struct blockset *set;
        int error = parse(text, &set, &fault);
        fault_expect(&fault, error, bad[i].error, bad[i].line, bad[i].says);
        assert_string_equal(fault.file, "my-set.json");
        assert_null(set);
        assert_int_equal(parse(text, &set, NULL), bad[i].error); /* a fault is not a must */
        free(text);
    }
}

static void should_find_lines_behind_escaped_keys_and_long_names(void **state)
{
    struct calib_fault fault;
    struct blockset *set;
    char *text = text_change(set_text, "\"rim\": 0.07", "\"\\u0072im\"\n:\n0.7");
    char *more =
        text_change(set_text, "\"name\": \"small\"", "\"a]}\\\"{\": [\"]\", {}],\"name\": 5");

    (void)state;
    fault_expect(&fault, parse(text, &set, &fault), CALIB_E_VALUE, 6, "rim: 0.7");
    fault_expect(&fault, parse(more, &set, &fault), CALIB_E_VALUE, 3, "name: a text");
    free(text);
    free(more);
}

static void should_warn_of_unknown_keys_and_go_on(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned}, mute = {NULL, NULL};
    struct blockset *set;
    char *text = text_change(set_text, "\"number\": 2",
                             "\"note\": \"n\", \"$schema\": 1, \"colour\\n\": 3, \"number\": 2");

    (void)state;
    assert_int_equal(calib_blockset_parse(text, strlen(text), "s", &sink, &set, NULL), 0);
    calib_blockset_destroy(&set);
    assert_int_equal(warned.count, 1);
    assert_string_equal(warned.last.text, "blocks[1].colour?: unknown key, not used");
    assert_int_equal(warned.last.line, 14);
    assert_int_equal(calib_blockset_parse(text, strlen(text), "s", &mute, &set, NULL), 0);
    calib_blockset_destroy(&set);
    free(text);
}

static void should_warn_of_a_symbol_that_is_on_no_block(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    struct blockset *set;
    char *text = text_change(set_text, "\"t*\"]", "\"**\"]"), *all = text_change(text, "*t", "**");

    (void)state;
    assert_int_equal(calib_blockset_parse(all, strlen(all), "s", &sink, &set, NULL), 0);
    assert_int_equal(warned.count, 1);
    assert_non_null(strstr(warned.last.text, "\"t\" is on no block"));
    calib_blockset_destroy(&set);
    free(text);
    free(all);
}

static void should_not_flood_the_sink(void **state)
{
    struct warned warned = {0};
    struct calib_sink sink = {warned_take, &warned};
    struct blockset *set;
    char keys[100 * 12] = "";
    size_t at = 0;

    (void)state;
    for (int i = 0; i < 100; i++) {
        at += (size_t)snprintf(keys + at, sizeof keys - at, "\"k%d\":1,", i);
    }
    snprintf(keys + at, sizeof keys - at, "\"rim\"");
    char *text = text_change(set_text, "\"rim\"", keys);
    assert_int_equal(calib_blockset_parse(text, strlen(text), "s", &sink, &set, NULL), 0);
    assert_int_equal(warned.count, 21);
    calib_blockset_destroy(&set);
    free(text);
}

static void should_refuse_bombs_and_binaries(void **state)
{
    const size_t depth = 100000, large = KIT_FILE_MAX + 1;
    struct calib_fault fault;
    struct blockset *set;
    char *text = malloc(large);

    (void)state;
    assert_non_null(text);
    memset(text, '[', large);
    int error = calib_blockset_parse(text, depth, "deep", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SYNTAX, 1, "not JSON");
    memset(text, ' ', large);
    error = calib_blockset_parse(text, large, "large", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SIZE, 0, "larger than 16 MB");
    free(text);
    error = calib_blockset_parse("{}\n\0", 4, "nul", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SYNTAX, 2, "zero byte");
    error = calib_blockset_parse("\xef\xbb\xbf{}", 5, "bom", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SYNTAX, 1, "byte-order mark");
    error = calib_blockset_parse("", 0, "empty", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SYNTAX, 1, "not JSON");
    error = calib_blockset_parse("\n[]", 3, "list", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SYNTAX, 2, "an object in {}");
    error = calib_blockset_parse("{\"format\":\"\xff\"}", 14, "utf8", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SYNTAX, 1, "not JSON");
}

static void should_say_what_cannot_be_loaded(void **state)
{
    struct calib_fault fault;
    struct blockset *set;

    (void)state;
    int error = calib_blockset_load("madness", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_UNKNOWN, 0, "use one of harbour match-madness");
    assert_string_equal(fault.file, "madness");
    error = calib_blockset_load("tests/no-such-set.json", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_OPEN, 0, "No such file");
    error = calib_blockset_load("tests/", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_OPEN, 0, "");
    error = calib_blockset_load("/dev/zero", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SIZE, 0, "larger than 16 MB");
    error = calib_blockset_load("/dev/null", NULL, &set, &fault);
    fault_expect(&fault, error, CALIB_E_SYNTAX, 1, "not JSON");
    assert_null(set);
}

static void should_load_a_file_by_its_path(void **state)
{
    struct blockset *set, *built_in;

    (void)state;
    assert_int_equal(calib_blockset_load("calib/kit/sets/harbour.json", NULL, &set, NULL), 0);
    assert_int_equal(calib_blockset_load("harbour", NULL, &built_in, NULL), 0);
    assert_memory_equal(set, built_in, sizeof *set);
    calib_blockset_destroy(&set);
    calib_blockset_destroy(&built_in);
}

static void should_survive_any_cut_and_any_changed_byte(void **state)
{
    size_t length = strlen(set_text);
    char *text = malloc(length);
    struct blockset *set;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < length; i++) {
        memcpy(text, set_text, length);
        if (i + 1 < length) { /* the text is whole at its last brace */
            assert_int_not_equal(calib_blockset_parse(text, i, "cut", NULL, &set, NULL), 0);
        }
        for (int change = 1; change < 256; change <<= 1) {
            text[i] = (char)(set_text[i] ^ change);
            if (calib_blockset_parse(text, length, "changed", NULL, &set, NULL) == 0) {
                calib_blockset_destroy(&set);
            }
        }
    }
    free(text);
}

static int allocations_left;

static void *failing_malloc(size_t size)
{
    return allocations_left-- > 0 ? malloc(size) : NULL;
}

/* Each of Jansson's allocations fails in turn: there must be an error, no set and no leak. */
static void should_end_cleanly_when_memory_runs_out(void **state)
{
    int error = -1, tries = 0;

    (void)state;
    json_set_alloc_funcs(failing_malloc, free);
    while (error) {
        struct calib_fault fault = {.text = ""};
        struct blockset *set;
        allocations_left = tries++;
        error = parse(set_text, &set, &fault);
        if (error) {
            assert_null(set);
            assert_true(fault.text[0] != 0);
        }
        calib_blockset_destroy(&set);
    }
    json_set_alloc_funcs(malloc, free);
    assert_true(tries > 100); /* that there is something to fail */
}

/* A set of two symbols with these shapes and fields. */
static int parse_pair(const char *shape, const char *field, struct calib_fault *fault)
{
    static const char form[] =
        "{\"format\": \"tableref-set/1\", \"name\": \"pair\", \"rim\": 0.07,\n"
        " \"block\": {\"length_mm\": 70, \"width_mm\": 35, \"height_mm\": 30},\n"
        " \"symbols\": {\n"
        "  \"a\": {\"shape\": \"M0-.3L.3 .3h-.6z\", \"field\": \"#206030\", \"ink\": "
        "\"#FAF9F6\"},\n"
        "  \"b\": {\"shape\": \"%s\", \"field\": \"%s\", \"ink\": \"#FFFFFA\"}\n"
        " },\n"
        " \"blocks\": [{\"number\": 1, \"faces\": [\"ab\"]}]}";
    char text[1024];
    struct blockset *set;

    snprintf(text, sizeof text, form, shape, field);
    int error = parse(text, &set, fault);
    calib_blockset_destroy(&set);
    return error;
}

static void should_refuse_symbols_that_nobody_could_tell_apart(void **state)
{
    static const char *const alike[] = {"M0-.3L.3 .3h-.6z", "M0-.301L.3 .3h-.6z",
                                        "M-.3 0L.3-.3v.6z", "M0 .3L.3-.3h-.6z"};
    struct calib_fault fault;

    (void)state;
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++) {
        fault_expect(&fault, parse_pair(alike[i], "#226231", &fault), CALIB_E_VALUE, 5,
                     "looks like symbol \"a\"");
    }
    assert_int_equal(parse_pair("M0-.3L.3 .3h-.6z", "#206080", &fault), CALIB_OK);
    assert_int_equal(parse_pair("M0-.2L.2 .2h-.4z", "#206030", &fault), CALIB_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_refuse_symbols_that_nobody_could_tell_apart),
        cmocka_unit_test(should_read_a_set),
        cmocka_unit_test(should_load_what_is_built_in),
        cmocka_unit_test(should_name_file_line_and_place_of_a_fault),
        cmocka_unit_test(should_find_lines_behind_escaped_keys_and_long_names),
        cmocka_unit_test(should_warn_of_unknown_keys_and_go_on),
        cmocka_unit_test(should_warn_of_a_symbol_that_is_on_no_block),
        cmocka_unit_test(should_not_flood_the_sink),
        cmocka_unit_test(should_refuse_bombs_and_binaries),
        cmocka_unit_test(should_say_what_cannot_be_loaded),
        cmocka_unit_test(should_load_a_file_by_its_path),
        cmocka_unit_test(should_end_cleanly_when_memory_runs_out),
        cmocka_unit_test(should_survive_any_cut_and_any_changed_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
