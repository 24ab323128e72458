/* Catalogues: gettext's .mo files, sound and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/mo_make.h"

#include "pubsub/catalogue.h"

static const struct mo_pair pairs[] = {
    MO_PAIR("", MO_HEADER),
    MO_PAIR("Card", "Kort"),
    MO_PAIR("Round", ""),
    MO_PAIR("{n} card\0{n} cards", "{n} kort\0{n} korten"),
};
#define PAIRS (sizeof pairs / sizeof pairs[0])

/* The bytes stand at the end of a block of their own, where a sanitizer sees one byte too many. */
static int create(const uint8_t *bytes, size_t length, struct catalogue **out, uint8_t **kept)
{
    *kept = malloc(length ? length : 1);
    assert_non_null(*kept);
    memcpy(*kept, bytes, length);
    return pubsub_catalogue_create(*kept, length, out);
}

static bool taken(const uint8_t *bytes, size_t length)
{
    struct catalogue *catalogue = NULL;
    struct catalogue_entry entry;
    uint8_t *kept;
    int error = create(bytes, length, &catalogue, &kept);

    assert_true(error == PUBSUB_OK || error == PUBSUB_E_ARGUMENT);
    assert_true((error == PUBSUB_OK) == (catalogue != NULL));
    for (size_t i = 0; catalogue && i < pubsub_catalogue_count(catalogue); i++) {
        pubsub_catalogue_entry(catalogue, i, &entry);
        pubsub_catalogue_text_n(catalogue, entry.message, i);
    }
    pubsub_catalogue_destroy(&catalogue);
    free(kept);
    return error == PUBSUB_OK;
}

static void messages_should_be_found_in_both_orders_of_bytes(void **state)
{
    uint8_t bytes[1024], *kept;

    (void)state;
    for (int high_first = 0; high_first < 2; high_first++) {
        struct catalogue *catalogue = NULL;
        size_t length = mo_make(pairs, PAIRS, high_first, bytes);
        assert_int_equal(create(bytes, length, &catalogue, &kept), PUBSUB_OK);
        assert_string_equal(pubsub_catalogue_text(catalogue, "Card"), "Kort");
        assert_null(pubsub_catalogue_text(catalogue, "Cards"));
        assert_null(pubsub_catalogue_text(catalogue, "Round")); /* not translated */
        assert_string_equal(pubsub_catalogue_text_n(catalogue, "{n} card", 1), "{n} kort");
        assert_string_equal(pubsub_catalogue_text_n(catalogue, "{n} card", 0), "{n} korten");
        assert_string_equal(pubsub_catalogue_text_n(catalogue, "Card", 5), "Kort");
        assert_null(pubsub_catalogue_text_n(catalogue, "none", 5));
        pubsub_catalogue_destroy(&catalogue);
        free(kept);
    }
}

static void entries_should_be_gone_over(void **state)
{
    uint8_t bytes[1024];
    struct catalogue *catalogue = NULL;
    struct catalogue_entry entry;
    size_t length = mo_make(pairs, PAIRS, false, bytes);

    (void)state;
    assert_int_equal(pubsub_catalogue_create(bytes, length, &catalogue), PUBSUB_OK);
    assert_int_equal(pubsub_catalogue_count(catalogue), PAIRS);
    pubsub_catalogue_entry(catalogue, 1, &entry);
    assert_string_equal(entry.message, "Card");
    assert_null(entry.plural);
    assert_int_equal(entry.forms, 1);
    pubsub_catalogue_entry(catalogue, 3, &entry);
    assert_string_equal(entry.plural, "{n} cards");
    assert_int_equal(entry.forms, 2);
    assert_string_equal(entry.text + strlen(entry.text) + 1, "{n} korten");
    pubsub_catalogue_destroy(&catalogue);
    assert_null(catalogue);
}

static void what_is_no_catalogue_should_be_refused(void **state)
{
    static const struct mo_pair no_header[] = {MO_PAIR("Card", "Kort")};
    static const struct mo_pair latin[] = {MO_PAIR("",
                                                   "Content-Type: text/plain; charset=ISO-8859-1\n"
                                                   "Plural-Forms: nplurals=2; plural=(n != 1);\n")};
    static const struct mo_pair no_rule[] = {MO_PAIR("", "charset=UTF-8\n")};
    static const struct mo_pair unsorted[] = {MO_PAIR("", MO_HEADER), MO_PAIR("b", "1"),
                                              MO_PAIR("a", "2")};
    static const struct mo_pair twice[] = {MO_PAIR("", MO_HEADER), MO_PAIR("a", "1"),
                                           MO_PAIR("a", "2")};
    static const struct mo_pair forms[] = {MO_PAIR("", MO_HEADER), MO_PAIR("a\0as", "1")};
    static const struct mo_pair more[] = {MO_PAIR("", MO_HEADER), MO_PAIR("a", "1\0002")};
    uint8_t bytes[1024] = {0};

    (void)state;
    assert_false(taken(bytes, 0));
    assert_false(taken(bytes, 28));
    assert_false(taken((const uint8_t *)"no catalogue, but long enough for one", 37));
    assert_false(taken(bytes, mo_make(no_header, 1, false, bytes)));
    assert_false(taken(bytes, mo_make(latin, 1, false, bytes)));
    assert_false(taken(bytes, mo_make(no_rule, 1, false, bytes)));
    assert_false(taken(bytes, mo_make(unsorted, 3, false, bytes)));
    assert_false(taken(bytes, mo_make(twice, 3, false, bytes)));
    assert_false(taken(bytes, mo_make(forms, 2, false, bytes)));
    assert_false(taken(bytes, mo_make(more, 2, false, bytes)));
    assert_true(taken(bytes, mo_make(pairs, PAIRS, false, bytes)));
}

static void every_cut_should_be_refused(void **state)
{
    uint8_t bytes[1024];
    size_t length = mo_make(pairs, PAIRS, false, bytes);

    (void)state;
    for (size_t cut = 0; cut < length; cut++)
        assert_false(taken(bytes, cut));
}

/* Every byte of the head and the tables, set to values at the bounds: nothing outside is read. */
static void every_wrong_byte_should_be_survived(void **state)
{
    static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
    uint8_t bytes[1024];
    size_t length = mo_make(pairs, PAIRS, false, bytes);
    int refused = 0;

    (void)state;
    for (size_t at = 0; at < 28 + 16 * PAIRS; at++)
        for (size_t v = 0; v < sizeof values; v++) {
            uint8_t was = bytes[at];
            bytes[at] = values[v];
            refused += !taken(bytes, length);
            bytes[at] = was;
        }
    assert_true(refused > 100);
    assert_true(taken(bytes, length));
}

static void more_messages_than_bytes_should_be_refused(void **state)
{
    uint8_t bytes[1024];
    size_t length = mo_make(pairs, PAIRS, false, bytes);

    (void)state;
    for (size_t count = PAIRS + 1; count < 0x100000000; count *= 3) {
        mo_number(bytes + 8, count, false);
        assert_false(taken(bytes, length));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_should_be_found_in_both_orders_of_bytes),
        cmocka_unit_test(entries_should_be_gone_over),
        cmocka_unit_test(what_is_no_catalogue_should_be_refused),
        cmocka_unit_test(every_cut_should_be_refused),
        cmocka_unit_test(every_wrong_byte_should_be_survived),
        cmocka_unit_test(more_messages_than_bytes_should_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
