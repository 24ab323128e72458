/* Finished texts, said in another language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/mo_make.h"

#include "pubsub/phrase.h"

static const struct mo_pair pairs[] = {
    MO_PAIR("", MO_HEADER),
    MO_PAIR("\"%s\" is missing", "\"%s\" saknas"),
    MO_PAIR("%d of %d cards (%c) cost %g %%", "%g %% för %d av %d kort (%c)"),
    MO_PAIR("%s: %s; it was left out", "%s: %s; den togs inte med"),
    MO_PAIR("%s: --%s %s: a whole number from %d to %d is needed",
            "%s: --%s %s: ett heltal från %d till %d behövs"),
    MO_PAIR("%s: cannot be started: %s", "%s: kan inte startas: %s"),
    MO_PAIR("%s: is not %s", "%2$s är inte %1$s"),
    MO_PAIR("No such file or directory", "Filen eller katalogen finns inte"),
    MO_PAIR("empty", "tom"),
    MO_PAIR("larger than %d bytes", "större än %d byte"),
    MO_PAIR("larger than %zu bytes", "större än %zu byte"),
};

static const char *said(const char *format, const char *text)
{
    static char out[512];
    uint8_t bytes[2048];
    struct catalogue *catalogue = NULL;
    size_t length = mo_make(pairs, sizeof pairs / sizeof pairs[0], false, bytes);

    assert_int_equal(pubsub_catalogue_create(bytes, length, &catalogue), PUBSUB_OK);
    pubsub_phrase_translate(catalogue, format, text, out, sizeof out);
    pubsub_catalogue_destroy(&catalogue);
    return out;
}

static void texts_should_be_found_by_their_message(void **state)
{
    (void)state;
    assert_string_equal(said(NULL, "No such file or directory"),
                        "Filen eller katalogen finns inte");
    assert_string_equal(said(NULL, "\"grid\" is missing"), "\"grid\" saknas");
    assert_string_equal(said(NULL, "larger than 4096 bytes"), "större än 4096 byte");
    assert_string_equal(said("%s: cannot be started: %s", "vision: cannot be started: x"),
                        "vision: kan inte startas: x");
}

static void values_should_be_said_too(void **state)
{
    (void)state;
    assert_string_equal(
        said("%s: %s; it was left out", "a.jpg: No such file or directory; it was left out"),
        "a.jpg: Filen eller katalogen finns inte; den togs inte med");
    assert_string_equal(said("%s: %s", "deck a.json:12: cards[3]: \"grid\" is missing"),
                        "deck a.json:12: cards[3]: \"grid\" saknas");
    assert_string_equal(said("%s", "mat: a b: No such file or directory"),
                        "mat: a b: Filen eller katalogen finns inte");
}

static void names_should_stay_as_they_are(void **state)
{
    (void)state;
    assert_string_equal(said("%s: cannot be started: %s", "empty: cannot be started: empty"),
                        "empty: kan inte startas: tom");
    assert_string_equal(said("\"%s\" is missing", "\"empty\" is missing"), "\"empty\" saknas");
}

static void numbers_and_order_should_be_kept(void **state)
{
    static const char format[] = "%s: --%s %s: a whole number from %d to %d is needed";

    (void)state;
    assert_string_equal(said(format, "run: --rounds x: a whole number from -1 to 99 is needed"),
                        "run: --rounds x: ett heltal från -1 till 99 behövs");
    assert_string_equal(said("%s: is not %s", "x: is not y"), "y är inte x");
    assert_string_equal(said("%s: not known %s", "x: not known y"), "x: not known y");
}

static void what_is_not_known_should_stay_english(void **state)
{
    (void)state;
    assert_string_equal(said(NULL, "nothing of the kind"), "nothing of the kind");
    assert_string_equal(said(NULL, "larger than many bytes"), "larger than many bytes");
    assert_string_equal(said("%s", ""), "");
    assert_string_equal(said(NULL, ": : : "), ": : : ");
}

static void matches_should_give_the_values(void **state)
{
    struct phrase_values values;

    (void)state;
    assert_true(pubsub_phrase_match("%d of %d cards (%c) cost %g %%",
                                    "3 of 12 cards (x) cost 2.5e+01 %", &values));
    assert_int_equal(values.count, 4);
    assert_int_equal(values.value[1].length, 2);
    assert_int_equal(values.value[2].at[0], 'x');
    assert_false(values.value[0].text);
    assert_true(pubsub_phrase_match("%s-%s!", "a-b-c!", &values));
    assert_int_equal(values.value[0].length, 1);
    assert_int_equal(values.value[1].length, 3);
    assert_true(pubsub_phrase_match("%.40s: %-8s|%5d", "x:         |    5", &values));
    assert_false(pubsub_phrase_match("%d!", "x!", &values));
    assert_false(pubsub_phrase_match("%s!", "x", &values));
    assert_true(pubsub_phrase_match("%.*s!", "12!", &values));
    assert_false(pubsub_phrase_match("%1$s", "12", &values));
    assert_false(pubsub_phrase_match("%", "", &values));
    assert_false(pubsub_phrase_match("%s%s%s%s%s%s%s%s%s%s%s%s%s", "", &values));
}

static void texts_should_be_cut_at_a_character(void **state)
{
    struct phrase_values values = {.count = 0};
    char out[7];

    (void)state;
    pubsub_phrase_fill("ååååååå", &values, out, sizeof out);
    assert_string_equal(out, "ååå");
    pubsub_phrase_fill("xåååå", &values, out, sizeof out);
    assert_string_equal(out, "xåå");
    pubsub_phrase_fill("%s%s", &values, out, sizeof out);
    assert_string_equal(out, "");
    pubsub_phrase_fill("x", &values, out, 1);
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_should_be_found_by_their_message),
        cmocka_unit_test(values_should_be_said_too),
        cmocka_unit_test(names_should_stay_as_they_are),
        cmocka_unit_test(numbers_and_order_should_be_kept),
        cmocka_unit_test(what_is_not_known_should_stay_english),
        cmocka_unit_test(matches_should_give_the_values),
        cmocka_unit_test(texts_should_be_cut_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
