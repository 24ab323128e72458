/* Who may ask the web server: addresses, Host and Origin. */
#include "pubsub/web_site.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct web_address at(const char *text)
{
    struct web_address address;
    assert_true(pubsub_web_address_parse(text, &address));
    return address;
}

static struct web_site site_of(const char *listen)
{
    struct web_site site = {.names = 0};
    site.listen = at(listen);
    return site;
}

static void addresses_should_be_read_and_written(void **state)
{
    static const char *const same[] = {"127.0.0.1:8080", "[::1]:8080", "0.0.0.0:0",
                                       "[2001:db8::7]:65535", "192.168.1.5:80"};
    char text[WEB_HOST_TEXT_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct web_address address = at(same[i]);
        pubsub_web_address_text(&address, text);
        assert_string_equal(text, same[i]);
    }
    struct web_address local = at("localhost:80");
    pubsub_web_address_text(&local, text);
    assert_string_equal(text, "127.0.0.1:80");
}

static void what_is_no_address_should_be_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        ":8080",
                                        "127.0.0.1",
                                        "127.0.0.1:",
                                        "127.0.0.1:65536",
                                        "::1:8080",
                                        "[::1]",
                                        "[::1]8080",
                                        "[::1",
                                        "[127.0.0.1]:80",
                                        "1.2.3:80",
                                        "table.example:80",
                                        "127.0.0.1:80 ",
                                        "127.0.0.1:-1",
                                        "127.0.0.1:+1",
                                        " 1.2.3.4:1",
                                        "[]:80",
                                        "127.0.0.1:8080x",
                                        "[fe80::1%lo]:1",
                                        "[::g]:1"};
    struct web_address address;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (pubsub_web_address_parse(wrong[i], &address))
            fail_msg("%s was taken", wrong[i]);
}

static void loopback_and_any_should_be_known(void **state)
{
    struct web_address address;
    (void)state;
    address = at("127.9.9.9:1");
    assert_true(pubsub_web_address_loopback(&address));
    address = at("[::1]:1");
    assert_true(pubsub_web_address_loopback(&address));
    address = at("[::ffff:127.0.0.1]:1");
    assert_true(pubsub_web_address_loopback(&address));
    address = at("[::]:1");
    assert_true(pubsub_web_address_any(&address));
    assert_false(pubsub_web_address_loopback(&address));
    address = at("10.0.0.1:1");
    assert_false(pubsub_web_address_loopback(&address));
    assert_false(pubsub_web_address_any(&address));
}

struct host_case {
    const char *listen, *local, *host;
    bool fits;
};

static void a_host_should_be_an_address_that_was_reached(void **state)
{
    static const struct host_case cases[] = {
        {"127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1:8080", true},
        {"127.0.0.1:8080", "127.0.0.1:8080", "localhost:8080", true},
        {"127.0.0.1:8080", "127.0.0.1:8080", "LocalHost:8080", true},
        {"127.0.0.1:8080", "127.0.0.1:8080", "[::1]:8080", true},
        {"127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1:8081", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "evil.example:8080", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "localhost.evil.example:8080", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1.evil.example:8080", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "192.168.1.5:8080", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "localhost:8080:8080", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "user@localhost:8080", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "localhost:8080/", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", "", false},
        {"127.0.0.1:8080", "127.0.0.1:8080", ":8080", false},
        {"127.0.0.1:80", "127.0.0.1:80", "localhost", true},
        {"0.0.0.0:8080", "192.168.1.5:8080", "192.168.1.5:8080", true},
        {"0.0.0.0:8080", "192.168.1.5:8080", "localhost:8080", false},
        {"0.0.0.0:8080", "192.168.1.5:8080", "127.0.0.1:8080", false},
        {"0.0.0.0:8080", "192.168.1.5:8080", "192.168.1.6:8080", false},
        {"[::]:8080", "[2001:db8::7]:8080", "[2001:DB8:0::7]:8080", true},
        {"[::]:8080", "[::ffff:10.0.0.2]:8080", "10.0.0.2:8080", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct web_site site = site_of(cases[i].listen);
        const struct web_address local = at(cases[i].local);
        if (pubsub_web_host_fits(&site, &local, cases[i].host) != cases[i].fits)
            fail_msg("%s at %s", cases[i].host, cases[i].local);
    }
}

static void a_name_that_was_given_should_fit_with_any_port(void **state)
{
    struct web_site site = site_of("0.0.0.0:8080");
    const struct web_address local = at("192.168.1.5:8080");
    (void)state;
    assert_true(pubsub_web_site_name(&site, "table4.hall.example"));
    assert_true(pubsub_web_site_name(&site, "10.1.1.1"));
    assert_true(pubsub_web_site_name(&site, "2001:db8::9"));
    assert_true(pubsub_web_host_fits(&site, &local, "table4.hall.example:8080"));
    assert_true(pubsub_web_host_fits(&site, &local, "TABLE4.hall.example"));
    assert_true(pubsub_web_host_fits(&site, &local, "10.1.1.1:9000"));
    assert_true(pubsub_web_host_fits(&site, &local, "[2001:db8:0:0::9]:9000"));
    assert_false(pubsub_web_host_fits(&site, &local, "hall.example:8080"));
}

static void names_that_are_none_should_be_refused(void **state)
{
    struct web_site site = site_of("0.0.0.0:8080");
    char longest[300];
    (void)state;
    assert_false(pubsub_web_site_name(&site, ""));
    assert_false(pubsub_web_site_name(&site, "a b"));
    assert_false(pubsub_web_site_name(&site, "a:80"));
    assert_false(pubsub_web_site_name(&site, "http://a"));
    memset(longest, 'a', sizeof longest);
    longest[254] = 0;
    assert_false(pubsub_web_site_name(&site, longest));
    longest[253] = 0;
    assert_true(pubsub_web_site_name(&site, longest));
    for (int i = 1; i < WEB_NAMES_MAX; i++)
        assert_true(pubsub_web_site_name(&site, "a"));
    assert_false(pubsub_web_site_name(&site, "a"));
}

static void an_origin_should_be_our_own(void **state)
{
    struct web_site site = site_of("127.0.0.1:8080");
    static const char host[] = "localhost:8080";
    (void)state;
    assert_true(pubsub_web_origin_fits(&site, host, "http://localhost:8080"));
    assert_true(pubsub_web_origin_fits(&site, host, "HTTP://LOCALHOST:8080"));
    assert_false(pubsub_web_origin_fits(&site, host, "http://localhost:3000"));
    assert_false(pubsub_web_origin_fits(&site, host, "http://localhost"));
    assert_false(pubsub_web_origin_fits(&site, host, "https://localhost:8080"));
    assert_false(pubsub_web_origin_fits(&site, host, "http://127.0.0.1:8080"));
    assert_false(pubsub_web_origin_fits(&site, host, "http://localhost:8080/"));
    assert_false(pubsub_web_origin_fits(&site, host, "null"));
    assert_false(pubsub_web_origin_fits(&site, host, ""));
    site.tls = true;
    assert_true(pubsub_web_origin_fits(&site, host, "https://localhost:8080"));
    assert_false(pubsub_web_origin_fits(&site, host, "http://localhost:8080"));
    /* A program before us that speaks TLS. */
    site.tls = false;
    assert_true(pubsub_web_site_name(&site, "table.example"));
    assert_true(pubsub_web_origin_fits(&site, "table.example", "https://table.example"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_should_be_read_and_written),
        cmocka_unit_test(what_is_no_address_should_be_refused),
        cmocka_unit_test(loopback_and_any_should_be_known),
        cmocka_unit_test(a_host_should_be_an_address_that_was_reached),
        cmocka_unit_test(a_name_that_was_given_should_fit_with_any_port),
        cmocka_unit_test(names_that_are_none_should_be_refused),
        cmocka_unit_test(an_origin_should_be_our_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
