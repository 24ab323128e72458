/* Plural rules: those of gettext's manual against the same in C; what is no rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pubsub/plural.h"

#define NUMBERS 1300

static unsigned long germanic(unsigned long n)
{
    return n != 1;
}

static unsigned long french(unsigned long n)
{
    return n > 1;
}

static unsigned long polish(unsigned long n)
{
    return n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 >= 20) ? 1 : 2;
}

static unsigned long slovenian(unsigned long n)
{
    return n % 100 == 1 ? 0 : n % 100 == 2 ? 1 : n % 100 == 3 || n % 100 == 4 ? 2 : 3;
}

static unsigned long arabic(unsigned long n)
{
    return n == 0                          ? 0
           : n == 1                        ? 1
           : n == 2                        ? 2
           : n % 100 >= 3 && n % 100 <= 10 ? 3
           : n % 100 >= 11                 ? 4
                                           : 5;
}

static unsigned long sums(unsigned long n)
{
    return (unsigned long)(!(n - 2 * 3 + 1 < 4) + (n / 5 == 2));
}

static void rules_should_give_what_they_give_in_c(void **state)
{
    static const struct {
        const char *text;
        unsigned long (*rule)(unsigned long n);
        int forms;
    } rules[] = {
        {"nplurals=2; plural=n != 1;", germanic, 2},
        {"Plural-Forms: nplurals=2; plural=(n > 1);\n", french, 2},
        {"nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;",
         polish, 3},
        {"nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);",
         slovenian, 4},
        {"nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : "
         "n%100>=11 ? 4 : 5;",
         arabic, 6},
        {"nplurals=3; plural=!(n - 2 * 3 + 1 < 4) + (n / 5 == 2);", sums, 3},
    };
    struct plural plural;

    (void)state;
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        assert_true(pubsub_plural_parse(rules[r].text, &plural));
        assert_int_equal(plural.forms, rules[r].forms);
        for (unsigned long n = 0; n < NUMBERS; n++)
            assert_int_equal(pubsub_plural_form(&plural, n), rules[r].rule(n));
    }
}

static void what_is_no_rule_should_be_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        "plural=n != 1;",
        "nplurals=2; n != 1;",
        "nplurals=0; plural=0;",
        "nplurals=7; plural=0;",
        "nplurals=12; plural=0;",
        "nplurals=2; plural=;",
        "nplurals=2; plural=n !=;",
        "nplurals=2; plural=n n;",
        "nplurals=2; plural=(n;",
        "nplurals=2; plural=n);",
        "nplurals=2; plural=n ? 1;",
        "nplurals=2; plural=n : 1;",
        "nplurals=2; plural=(n ? 1) : 2;",
        "nplurals=2; plural=n ? (1 : 2);",
        "nplurals=2; plural=m;",
        "nplurals=2; plural=n & 1;",
        "nplurals=2; plural=99999999999999999999;",
    };
    struct plural plural;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (pubsub_plural_parse(wrong[i], &plural))
            fail_msg("\"%s\" is no rule", wrong[i]);
}

static void a_rule_should_never_name_a_form_that_is_not(void **state)
{
    struct plural plural;

    (void)state;
    assert_true(pubsub_plural_parse("nplurals=2; plural=n;", &plural));
    assert_int_equal(pubsub_plural_form(&plural, 1), 1);
    assert_int_equal(pubsub_plural_form(&plural, 2), 0);
    assert_true(pubsub_plural_parse("nplurals=2; plural=n / 0 + n % 0;", &plural));
    assert_int_equal(pubsub_plural_form(&plural, 9), 0);
}

static void a_rule_longer_than_any_should_be_refused(void **state)
{
    char text[2 * PLURAL_STEPS_MAX + 64] = "nplurals=2; plural=";
    struct plural plural;

    (void)state;
    for (int i = 0; i < PLURAL_STEPS_MAX; i++)
        strcat(text, "(");
    strcat(text, "(n");
    assert_false(pubsub_plural_parse(text, &plural));
    snprintf(text, sizeof text, "nplurals=2; plural=n");
    for (int i = 0; i < PLURAL_STEPS_MAX / 2; i++)
        strcat(text, "+n");
    assert_false(pubsub_plural_parse(text, &plural));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_should_give_what_they_give_in_c),
        cmocka_unit_test(what_is_no_rule_should_be_refused),
        cmocka_unit_test(a_rule_should_never_name_a_form_that_is_not),
        cmocka_unit_test(a_rule_longer_than_any_should_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
