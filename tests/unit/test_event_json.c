#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "referee/event_json.h"
#include "referee/value_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"
#define PLAYERS "\"players\":[{\"seat\":1,\"name\":\"Ada\"},{\"seat\":2,\"name\":\"Bo\"}]"
#define SETUP "{\"t_ns\":0,\"event\":\"setup\",\"game\":\"quick-play\"," PLAYERS
#define GRID "x*#/x#*/o../++*"

struct parsed {
    struct event event;
    struct referee_cards *cards;
    struct calib_fault fault;
    int error;
};

static void parse(const char *line, struct parsed *out)
{
    memset(out, 0, sizeof *out);
    out->error = referee_event_parse(line, strlen(line), 7, &out->event, &out->cards, &out->fault);
}

/* Parses what must be right. */
static void read_line(const char *line, struct parsed *out)
{
    parse(line, out);
    if (out->error)
        fail_msg("%s\n%s", line, out->fault.text);
}

static char *written(const struct event *event)
{
    struct json_text json;
    vision_json_init(&json);
    referee_event_json(event, &json);
    assert_false(json.failed);
    return json.bytes;
}

static void should_give_the_same_event_back_that_it_wrote(void **state)
{
    static const char *const lines[] = {
        SETUP
        ",\"options\":{\"tie\":\"share\",\"rounds\":4},\"handicap\":[{\"seat\":2,\"delay_ms\":"
        "500}],\"slots\":[3,4],\"deck\":\"d\",\"digest\":\"" DIGEST "\",\"seed\":5}",
        "{\"t_ms\":1,\"event\":\"start\"}",
        "{\"t_ms\":1,\"event\":\"start\",\"countdown_ms\":0}",
        "{\"t_ms\":5,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"" GRID "\"}",
        "{\"t_ms\":5,\"event\":\"layout\",\"seat\":1,\"state\":\"incomplete\",\"cells\":[{\"row\":"
        "null,\"col\":null,\"symbol\":\"x\",\"center_px\":[-0.3,1e4]}],\"reasons\":[\"glare\"],"
        "\"first_t_ns\":-12,\"frame\":9,\"digest\":\"" DIGEST "\"}",
        "{\"t_ms\":5,\"event\":\"motion\",\"seat\":2}",
        "{\"t_ms\":5,\"event\":\"card\",\"slot\":3,\"state\":\"face_down\"}",
        "{\"t_ms\":5,\"event\":\"claim\",\"seat\":2,\"attempt\":16,\"error_ms\":3}",
        "{\"t_ms\":5,\"event\":\"health\",\"reasons\":[\"stale\",\"mat_moved\"]}",
        "{\"t_ms\":5,\"event\":\"decide\",\"cause\":16,\"seats\":[]}",
        "{\"t_ms\":5,\"event\":\"set_card\",\"id\":\"L1-01\"}",
        "{\"t_ms\":5,\"event\":\"discs\",\"state\":\"occluded\",\"reasons\":[\"hand\"]}",
        "{\"t_ms\":5,\"event\":\"set_discs\",\"rows_from_bottom\":[\"rygbw\"],\"turn\":\"maker\"}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct parsed once, twice;
        read_line(lines[i], &once);
        char *first = written(&once.event);
        read_line(first, &twice);
        char *second = written(&twice.event);
        assert_string_equal(first, second);
        assert_memory_equal(&once.event, &twice.event, sizeof once.event);
        free(first);
        free(second);
    }
}

/* A seat as the reader may give it, with numbers at their ends. */
static void should_read_all_that_a_reader_can_say(void **state)
{
    struct event event;
    struct parsed again;

    (void)state;
    memset(&event, 0, sizeof event);
    event.seq = (uint64_t)1 << 53;
    event.t_ns = (int64_t)1 << 53;
    event.kind = EVENT_LAYOUT;
    struct layout_seat *seat = &event.layout.seat;
    seat->seat = 99;
    seat->state = SEAT_INCOMPLETE;
    seat->turned_deg10 = 450;
    seat->confidence = 1000;
    seat->cells = LAYOUT_CELLS_MAX;
    for (int i = 0; i < LAYOUT_CELLS_MAX; i++) {
        struct layout_cell *cell = &seat->cell[i]; /* by members: padding stays 0 */
        cell->row = cell->col = (int8_t)(i % 2 ? 9 : -1);
        cell->symbol = (char)(i % 3 ? '~' : 0);
        cell->second = (char)(i % 5 ? '"' : 0);
        cell->confidence = (int16_t)(i * 41);
        cell->center_px10[0] = INT32_MIN + i;
        cell->center_px10[1] = INT32_MAX - i;
        cell->center_mm10[0] = -i;
        cell->center_mm10[1] = i * 7777;
    }
    seat->reasons = (REASON_BIT(REASON_COUNT) - 1) & ~REASON_BIT(0);
    event.layout.first_t_ns = -event.t_ns;
    event.layout.moved_t_ns = -1;
    char *line = written(&event);
    read_line(line, &again);
    assert_memory_equal(&event, &again.event, sizeof event);
    free(line);
}

static void should_take_the_next_number_when_a_line_has_none(void **state)
{
    struct parsed p;
    (void)state;
    read_line("{\"t_ns\":5,\"event\":\"tick\"}", &p);
    assert_int_equal(p.event.seq, 7);
    read_line("{\"seq\":70,\"t_ns\":5,\"event\":\"tick\"}", &p);
    assert_int_equal(p.event.seq, 70);
}

static void should_read_times_in_ms_too(void **state)
{
    struct parsed p;
    (void)state;
    read_line("{\"t_ms\":5,\"event\":\"tick\",\"seen_t_ms\":4}", &p);
    assert_int_equal(p.event.t_ns, 5000000);
    assert_int_equal(p.event.seen_t_ns, 4000000);
    read_line("{\"t_ms\":5,\"event\":\"claim\",\"seat\":1,\"claimed_t_ms\":3,\"error_ms\":2}", &p);
    assert_int_equal(p.event.claim.claimed_t_ns, 3000000);
    assert_int_equal(p.event.claim.error_ns, 2000000);
}

static void should_take_the_events_own_time_for_times_not_given(void **state)
{
    struct parsed p;
    (void)state;
    read_line("{\"t_ns\":5,\"event\":\"tick\"}", &p);
    assert_int_equal(p.event.seen_t_ns, 5);
    read_line("{\"t_ns\":5,\"event\":\"claim\",\"seat\":1}", &p);
    assert_int_equal(p.event.claim.claimed_t_ns, 5);
    read_line("{\"t_ns\":5,\"event\":\"motion\",\"seat\":1,\"blocks\":true}", &p);
    assert_int_equal(p.event.motion.at_t_ns, 5);
    assert_true(p.event.motion.blocks);
    read_line("{\"t_ns\":5,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\"}", &p);
    assert_int_equal(p.event.layout.first_t_ns, 5);
    assert_int_equal(p.event.layout.moved_t_ns, 5);
    read_line("{\"t_ns\":5,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"first_t_ns\":3}",
              &p);
    assert_int_equal(p.event.layout.moved_t_ns, 3);
}

static void should_make_the_cells_of_a_grid_as_sure_as_the_seat(void **state)
{
    struct parsed p;
    (void)state;
    read_line("{\"t_ns\":5,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"...."
              "/.x*./.o..\",\"confidence\":0.95}",
              &p);
    const struct layout_seat *seat = &p.event.layout.seat;
    assert_int_equal(seat->cells, 3);
    assert_int_equal(seat->grid.rows, 2); /* holes at the edge are nothing */
    assert_int_equal(seat->cell[1].row, 0);
    assert_int_equal(seat->cell[1].col, 1);
    assert_int_equal(seat->cell[1].symbol, '*');
    assert_int_equal(seat->cell[2].row, 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seat->cell[i].confidence, 950);
}

static void should_be_sure_when_nothing_else_is_said(void **state)
{
    struct parsed p;
    (void)state;
    read_line("{\"t_ns\":5,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"x\"}",
              &p);
    assert_int_equal(p.event.layout.seat.confidence, 1000);
    assert_int_equal(p.event.layout.seat.cell[0].confidence, 1000);
    read_line("{\"t_ns\":5,\"event\":\"card\",\"slot\":3,\"state\":\"face_up\",\"grid\":\"x\"}",
              &p);
    assert_int_equal(p.event.card.card.confidence, 1000);
}

static void should_give_options_not_named_their_defaults(void **state)
{
    struct parsed p;
    struct rules usual;
    (void)state;
    referee_rules_default(&usual);
    usual.value[OPTION_TIE] = TIE_SHARE;
    usual.value[OPTION_ROUNDS] = 4;
    usual.handicap[1].min_level = 3;
    read_line(SETUP ",\"options\":{\"tie\":\"share\",\"rounds\":4},\"handicap\":[{\"seat\":2,"
                    "\"min_level\":3}]}",
              &p);
    assert_memory_equal(&p.event.setup.rules, &usual, sizeof usual);
    assert_int_equal(p.event.setup.players, 2);
    assert_string_equal(p.event.setup.name[1], "Bo");
}

static void should_own_the_cards_that_a_setup_lists(void **state)
{
    struct parsed p;
    (void)state;
    read_line(SETUP ",\"cards\":[{\"id\":\"A\",\"level\":5,\"grid\":\"x\"},{\"id\":\"B\",\"level\":"
                    "1,\"grid\":\"" GRID "\"}]}",
              &p);
    assert_non_null(p.cards);
    assert_int_equal(p.event.setup.card_count, 2);
    assert_string_equal(p.event.setup.cards[1].id, "B");
    assert_int_equal(p.event.setup.cards[0].level, 5);
    assert_int_equal(p.event.setup.cards[1].grid.rows, 4);
    referee_cards_destroy(&p.cards);
    assert_null(p.cards);
    referee_cards_destroy(&p.cards);
    referee_cards_destroy(NULL);
    read_line(SETUP "}", &p);
    assert_null(p.cards);
    assert_null(p.event.setup.cards);
}

static void seed_check(const char *seed, uint64_t value, const char *as_written)
{
    char line[512], member[64];
    struct parsed p;
    snprintf(line, sizeof line, SETUP ",\"seed\":%s}", seed);
    read_line(line, &p);
    assert_true(p.event.setup.seed == value);
    char *out = written(&p.event);
    snprintf(member, sizeof member, "\"seed\":%s,", as_written);
    assert_non_null(strstr(out, member));
    free(out);
}

static void should_keep_every_seed_exactly(void **state)
{
    (void)state;
    seed_check("0", 0, "0");
    seed_check("9007199254740992", (uint64_t)1 << 53, "9007199254740992");
    seed_check("\"9007199254740993\"", ((uint64_t)1 << 53) + 1, "\"9007199254740993\"");
    seed_check("\"18446744073709551615\"", UINT64_MAX, "\"18446744073709551615\"");
    seed_check("\"7\"", 7, "7");
}

/* A name of so many characters, each the same UTF-8 text. */
static int name_error(const char *character, int count, struct parsed *out)
{
    char line[1024] = "{\"t_ns\":5,\"event\":\"name\",\"seat\":1,\"name\":\"";
    size_t at = strlen(line);
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(line + at, sizeof line - at, "%s", character);
    snprintf(line + at, sizeof line - at, "\"}");
    parse(line, out);
    return out->error;
}

static void should_take_names_of_any_script_up_to_sixty_characters(void **state)
{
    struct parsed p;
    (void)state;
    assert_int_equal(name_error("\xF0\x9F\x8E\xB2", PLAYER_NAME_CHARACTERS, &p), 0);
    assert_int_equal(strlen(p.event.act.name), PLAYER_NAME_MAX - 1);
    assert_int_equal(name_error("\xE7\x8E\x8B", PLAYER_NAME_CHARACTERS, &p), 0);
    assert_int_equal(name_error("\\u00e9", PLAYER_NAME_CHARACTERS, &p), 0);
    assert_int_equal(name_error("", 0, &p), 0);
    assert_true(name_error("a", PLAYER_NAME_CHARACTERS + 1, &p) < 0);
    assert_non_null(strstr(p.fault.text, "60 characters"));
    assert_true(name_error("\xF0\x9F\x8E\xB2", PLAYER_NAME_CHARACTERS + 1, &p) < 0);
}

static void should_refuse_control_characters_in_names(void **state)
{
    static const char *const bad[] = {"\\u0007", "\\n",     "\\u007f",
                                      "\\u0085", "\\u009f", "\xC2\x9B"};
    struct parsed p;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_true(name_error(bad[i], 1, &p) < 0);
        assert_non_null(strstr(p.fault.text, "control"));
    }
    assert_int_equal(name_error("\xC2\xA0", 1, &p), 0); /* a space that does not break */
    assert_true(name_error("\xC0\x80", 1, &p) < 0);     /* not UTF-8 */
}

static const struct {
    const char *line, *says;
} wrong[] = {
    {"", "not JSON"},
    {"[]", "object"},
    {"{\"t_ns\":1}", "\"event\" is missing"},
    {"{\"t_ns\":1,\"event\":\"tock\"}", "\"tock\" is no event"},
    {"{\"t_ns\":1,\"event\":5}", "is no event"},
    {"{\"event\":\"tick\"}", "neither \"t_ns\" nor \"t_ms\""},
    {"{\"t_ns\":1,\"t_ms\":1,\"event\":\"tick\"}", "given twice"},
    {"{\"t_ns\":-1,\"event\":\"tick\"}", "t_ns: -1 is not in"},
    {"{\"t_ns\":1.5,\"event\":\"tick\"}", "whole number"},
    {"{\"t_ns\":9007199254740993,\"event\":\"tick\"}", "is not in"},
    {"{\"t_ms\":9007199255,\"event\":\"tick\"}", "is not in"},
    {"{\"v\":2,\"t_ns\":1,\"event\":\"tick\"}", "v: 2 is not in 1 to 1"},
    {"{\"seq\":0,\"t_ns\":1,\"event\":\"tick\"}", "seq: 0"},
    {"{\"t_ns\":1,\"event\":\"tick\",\"seen_t_n\":1}", "seen_t_n: no such member"},
    {"{\"t_ns\":1,\"event\":\"tick\",\"forced\":\"match\"}", "no such member"},
    {"{\"t_ns\":1,\"t_ns\":2,\"event\":\"tick\"}", "not JSON"},
    {"{\"t_ns\":1,\"event\":\"claim\"}", "\"seat\" is missing"},
    {"{\"t_ns\":1,\"event\":\"claim\",\"seat\":0}", "seat: 0 is not in 1 to 99"},
    {"{\"t_ns\":1,\"event\":\"claim\",\"seat\":1,\"error_ns\":-1}", "error_ns: -1"},
    {"{\"t_ns\":1,\"event\":\"claim\",\"seat\":1,\"slot\":-3}", "slot: -3"},
    {"{\"t_ns\":1,\"event\":\"claim\",\"seat\":1,\"source\":\"a very long word for a phone, "
     "isn't\"}",
     "source: longer than 31 bytes"},
    {"{\"t_ns\":1,\"event\":\"motion\",\"seat\":1,\"blocks\":1}", "true or false"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1}", "\"state\" is missing"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"full\"}", "\"full\" is no state"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\"}", "has a \"grid\""},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"xx/x\"}",
     "is no grid"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"..\"}",
     "holes only"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"complete\",\"grid\":\"xxxxxxxxxx/"
     "xxxxxxxxxx/xxxxxxxxxx\"}",
     "more than 24 cells"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"confidence\":1.1}",
     "1.1 is not in 0 to 1"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"turned_deg\":-45}",
     "turned_deg: -45 is not in"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"digest\":\"abc\"}",
     "digest: no SHA-256"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"reasons\":[\"rain\"]}",
     "reasons[0]: \"rain\" is no reason"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"cells\":[{\"row\":1}]}",
     "a row without a column"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"cells\":[{\"row\":10,"
     "\"col\":1}]}",
     "row: 10 is not in 0 to 9"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"cells\":[{\"symbol\":\"./"
     "\"}]}",
     "one printable character"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"cells\":[{\"center_px\":[1]"
     "}]}",
     "at least 2"},
    {"{\"t_ns\":1,\"event\":\"layout\",\"seat\":1,\"state\":\"empty\",\"cells\":[{\"center_px\":[1,"
     "1e300]}]}",
     "no number of a place"},
    {"{\"t_ns\":1,\"event\":\"card\",\"slot\":3,\"state\":\"face_up\",\"turn\":45}", "turn: 0, 90"},
    {"{\"t_ns\":1,\"event\":\"card\",\"slot\":3,\"state\":\"face_up\",\"level\":6}", "level: 6"},
    {"{\"t_ns\":1,\"event\":\"confirm\",\"cause\":3}", "\"agree\" is missing"},
    {"{\"t_ns\":1,\"event\":\"confirm\",\"agree\":true}", "\"cause\" is missing"},
    {"{\"t_ns\":1,\"event\":\"decide\",\"cause\":3,\"seats\":[9]}", "seats[0]: no seat"},
    {"{\"t_ns\":1,\"event\":\"set_card\",\"slot\":3}", "neither \"id\" nor \"grid\""},
    {"{\"t_ns\":1,\"event\":\"award\",\"slot\":3}", "\"seat\" is missing"},
    {"{\"t_ns\":1,\"event\":\"name\",\"seat\":3}", "\"name\" is missing"},
    {"{\"t_ns\":1,\"event\":\"health\",\"reasons\":\"hand\"}", "a list"},
    {"{\"t_ns\":1,\"event\":\"discs\"}", "\"state\" is missing"},
    {"{\"t_ns\":1,\"event\":\"discs\",\"state\":\"complete\"}", "\"rows_from_bottom\" is missing"},
    {"{\"t_ns\":1,\"event\":\"discs\",\"state\":\"empty\"}", "\"empty\" is no state"},
    {"{\"t_ns\":1,\"event\":\"discs\",\"state\":\"complete\",\"rows_from_bottom\":[\"rygb\"]}",
     "a row of 5 discs"},
    {"{\"t_ns\":1,\"event\":\"set_discs\",\"rows_from_bottom\":[],\"turn\":\"mine\"}",
     "\"mine\" is no turn"},
    {"{\"t_ns\":0,\"event\":\"setup\"," PLAYERS "}", "\"game\" is missing"},
    {"{\"t_ns\":0,\"event\":\"setup\",\"game\":\"chess\"," PLAYERS "}", "\"chess\" is no game"},
    {"{\"t_ns\":0,\"event\":\"setup\",\"game\":\"quick-play\"}", "\"players\" is missing"},
    {"{\"t_ns\":0,\"event\":\"setup\",\"game\":\"quick-play\",\"players\":[]}", "at least 1"},
    {"{\"t_ns\":0,\"event\":\"setup\",\"game\":\"quick-play\",\"players\":[{\"seat\":9}]}",
     "players[0].seat: 9"},
    {SETUP ",\"options\":{\"tied\":\"share\"}}", "options.tied: no such option"},
    {SETUP ",\"options\":{\"tie\":\"split\"}}", "\"split\" is no word"},
    {SETUP ",\"options\":{\"tie\":1}}", "is no word"},
    {SETUP ",\"options\":{\"rounds\":\"3\"}}", "whole number"},
    {SETUP ",\"options\":{\"rounds\":201}}", "201 is not in 0 to 200"},
    {SETUP ",\"options\":[]}", "an object"},
    {SETUP ",\"handicap\":[{\"seat\":4}]}", "nobody plays at seat 4"},
    {SETUP ",\"slots\":[1,2,3,4,5,6]}", "at most 5"},
    {SETUP ",\"slots\":[0]}", "no slot"},
    {SETUP ",\"seed\":9007199254740993}", "seed: "},
    {SETUP ",\"seed\":\"18446744073709551616\"}", "no whole number of 64 bits"},
    {SETUP ",\"seed\":\"-1\"}", "no whole number of 64 bits"},
    {SETUP ",\"seed\":\"\"}", "no whole number of 64 bits"},
    {SETUP ",\"cards\":[]}", "at least 1"},
    {SETUP ",\"cards\":[{\"id\":\"A\",\"level\":1}]}", "\"grid\" is missing"},
    {SETUP ",\"cards\":[{\"id\":\"A\",\"level\":1,\"grid\":\"x\"},{\"id\":\"B\",\"level\":7}]}",
     "cards[1].level: 7"},
    {SETUP ",\"colours\":\"rygbr\"}", "5 different characters"},
    {SETUP ",\"colours\":\"rygb\"}", "5 different characters"},
};

static void should_refuse_what_is_wrong_by_name(void **state)
{
    static const struct event nothing;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct parsed p;
        parse(wrong[i].line, &p);
        if (!p.error || !strstr(p.fault.text, wrong[i].says))
            fail_msg("%s\nsays \"%s\", not \"%s\"", wrong[i].line, p.fault.text, wrong[i].says);
        assert_null(p.cards);
        assert_memory_equal(&p.event, &nothing, sizeof nothing);
    }
}

static void should_name_the_line_that_is_wrong(void **state)
{
    struct parsed p;
    (void)state;
    parse("{\"t_ns\":1,\n\"event\":\"claim\",\n\"seat\":0}", &p);
    assert_int_equal(p.fault.line, 3);
}

static void should_refuse_a_line_that_is_cut_anywhere(void **state)
{
    static const char line[] = SETUP ",\"cards\":[{\"id\":\"A\",\"level\":5,\"grid\":\"x\"}]}";
    (void)state;
    for (size_t length = 0; length + 1 < sizeof line; length++) {
        struct event event;
        struct referee_cards *cards;
        assert_true(referee_event_parse(line, length, 1, &event, &cards, NULL) < 0);
        assert_null(cards);
    }
}

static void should_take_a_note_and_forget_it(void **state)
{
    struct parsed p;
    (void)state;
    read_line("{\"t_ns\":5,\"event\":\"pause\",\"note\":[1,2],\"by\":\"desk\"}", &p);
    char *line = written(&p.event);
    assert_string_equal(
        line, "{\"v\":1,\"seq\":7,\"t_ns\":5,\"event\":\"pause\",\"by\":\"desk\",\"why\":null}");
    free(line);
}

static void should_write_what_is_no_event_as_null(void **state)
{
    struct event event;
    (void)state;
    memset(&event, 0, sizeof event);
    event.kind = EVENT_KINDS;
    char *line = written(&event);
    assert_string_equal(line, "null");
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_give_the_same_event_back_that_it_wrote),
        cmocka_unit_test(should_read_all_that_a_reader_can_say),
        cmocka_unit_test(should_take_the_next_number_when_a_line_has_none),
        cmocka_unit_test(should_read_times_in_ms_too),
        cmocka_unit_test(should_take_the_events_own_time_for_times_not_given),
        cmocka_unit_test(should_make_the_cells_of_a_grid_as_sure_as_the_seat),
        cmocka_unit_test(should_be_sure_when_nothing_else_is_said),
        cmocka_unit_test(should_give_options_not_named_their_defaults),
        cmocka_unit_test(should_own_the_cards_that_a_setup_lists),
        cmocka_unit_test(should_keep_every_seed_exactly),
        cmocka_unit_test(should_take_names_of_any_script_up_to_sixty_characters),
        cmocka_unit_test(should_refuse_control_characters_in_names),
        cmocka_unit_test(should_refuse_what_is_wrong_by_name),
        cmocka_unit_test(should_name_the_line_that_is_wrong),
        cmocka_unit_test(should_refuse_a_line_that_is_cut_anywhere),
        cmocka_unit_test(should_take_a_note_and_forget_it),
        cmocka_unit_test(should_write_what_is_no_event_as_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
