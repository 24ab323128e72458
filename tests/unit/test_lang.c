/* Languages: which one is meant, and the catalogues that stand in the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pubsub/lang.h"

#include <jansson.h>

static const char *of(const char *language, const char *lc_all, const char *lc_messages,
                      const char *lang)
{
    const struct lang_wishes wishes = {language, lc_all, lc_messages, lang};

    return pubsub_lang_choose(&wishes)->code;
}

static void environment_should_choose_as_gettext_has_it(void **state)
{
    (void)state;
    assert_string_equal(of(NULL, NULL, NULL, NULL), "en");
    assert_string_equal(of(NULL, NULL, NULL, "sv_SE.UTF-8"), "sv");
    assert_string_equal(of(NULL, NULL, NULL, "C.UTF-8"), "en");
    assert_string_equal(of(NULL, NULL, "de_AT", "sv_SE.UTF-8"), "de");
    assert_string_equal(of(NULL, "fr_CA@x", "de_AT", "sv_SE.UTF-8"), "fr");
    assert_string_equal(of(NULL, "", "", "fi"), "fi");
    assert_string_equal(of(NULL, "C", "de_AT", "sv_SE.UTF-8"), "en");
    assert_string_equal(of("es", NULL, NULL, "sv_SE.UTF-8"), "es");
    assert_string_equal(of("pl:da:sv", NULL, NULL, "en_GB.UTF-8"), "da");
    assert_string_equal(of("pl::x", NULL, NULL, "nb_NO.UTF-8"), "nb");
    assert_string_equal(of("es", "C", NULL, "sv_SE.UTF-8"), "en");
    assert_string_equal(of("es", NULL, NULL, NULL), "en");
    assert_string_equal(of("es", "C.UTF-8", NULL, NULL), "es");
    assert_string_equal(of(NULL, NULL, NULL, "pl_PL.UTF-8"), "en");
}

static void locales_should_be_known_by_their_names(void **state)
{
    static const char *const names[][2] = {
        {"no_NO", "nb"},
        {"nn_NO.UTF-8", "nb"},
        {"POSIX", "en"},
        {"en_US", "en"},
        {"da", "da"},
        {"pl_PL", NULL},
        {"svenska", NULL},
        {"", NULL},
        {"SV", NULL},
        {"_SE", NULL},
        {"a-very-long-name", NULL},
        {"sv-SE", "sv"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct lang *lang = pubsub_lang_of_locale(names[i][0]);
        if (!names[i][1])
            assert_null(lang);
        else
            assert_string_equal(lang->code, names[i][1]);
    }
    assert_null(pubsub_lang_find("no"));
    assert_non_null(pubsub_lang_find("nb"));
}

static void every_language_should_have_its_catalogue(void **state)
{
    (void)state;
    for (int i = 0; i < LANG_COUNT; i++) {
        struct catalogue *catalogue = NULL;
        assert_int_equal(pubsub_lang_open(&pubsub_langs[i], &catalogue), PUBSUB_OK);
        assert_true((catalogue != NULL) == (i > 0)); /* English needs none */
        pubsub_catalogue_destroy(&catalogue);
    }
}

static void pages_should_get_theirs_as_json(void **state)
{
    (void)state;
    for (int i = 0; i < LANG_COUNT; i++) {
        char *bytes = NULL;
        size_t length = 0;
        assert_int_equal(pubsub_lang_json(&pubsub_langs[i], &bytes, &length), PUBSUB_OK);
        json_t *root = json_loadb(bytes, length, 0, NULL);
        assert_string_equal(json_string_value(json_object_get(root, "lang")), pubsub_langs[i].code);
        assert_string_equal(json_string_value(json_object_get(root, "name")), pubsub_langs[i].name);
        assert_true(json_is_object(json_object_get(root, "strings")));
        json_decref(root);
        free(bytes);
    }
}

static void a_language_without_a_catalogue_should_be_said(void **state)
{
    static const struct lang none = {"pl", "Polski", ','};
    struct catalogue *catalogue;
    char *bytes;
    size_t length;

    (void)state;
    assert_int_equal(pubsub_lang_open(&none, &catalogue), PUBSUB_E_ARGUMENT);
    assert_null(catalogue);
    assert_int_equal(pubsub_lang_json(&none, &bytes, &length), PUBSUB_E_ARGUMENT);
    assert_null(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environment_should_choose_as_gettext_has_it),
        cmocka_unit_test(locales_should_be_known_by_their_names),
        cmocka_unit_test(every_language_should_have_its_catalogue),
        cmocka_unit_test(pages_should_get_theirs_as_json),
        cmocka_unit_test(a_language_without_a_catalogue_should_be_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
