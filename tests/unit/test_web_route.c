/* What a request asks for, and whether it may; the pages' files; what is made of a body. */
#include "pubsub/web_route.h"

#include "pubsub/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#define TEXT(s) (const unsigned char *)(s), sizeof(s) - 1

static const struct web_asset assets[] = {
    {"board.html", TEXT("<meta name=\"build\" content=\"@BUILD@\">@")},
    {"board.js", TEXT("x")},
    {"claim.html", TEXT("")},
    {"notes.txt", TEXT("not a kind that is served")},
    {"operator.html", TEXT("")},
};

struct scene {
    struct web_site site;
    struct web_content content;
    struct web_facts facts;
};

static struct scene scene_of(const char *listen, const char *path)
{
    struct scene scene;
    memset(&scene, 0, sizeof scene);
    assert_true(pubsub_web_address_parse(listen, &scene.site.listen));
    scene.content.assets = assets;
    scene.content.asset_count = sizeof assets / sizeof *assets;
    scene.facts.method = "GET";
    scene.facts.path = path;
    scene.facts.host = listen;
    scene.facts.hosts = 1;
    scene.facts.at = scene.site.listen;
    return scene;
}

static struct web_ruling ruled(struct scene *scene)
{
    struct web_ruling ruling;
    scene->content.site = &scene->site;
    pubsub_web_route(&scene->content, &scene->facts, &ruling);
    assert_true((ruling.status == 200) == (ruling.why == NULL));
    return ruling;
}

static int status_of(const char *path)
{
    struct scene scene = scene_of("127.0.0.1:8080", path);
    return ruled(&scene).status;
}

static void pages_should_have_one_address_each(void **state)
{
    struct scene scene = scene_of("127.0.0.1:8080", "/");
    (void)state;
    assert_ptr_equal(ruled(&scene).asset, &assets[0]);
    scene.facts.path = "/assets/board.js";
    assert_ptr_equal(ruled(&scene).asset, &assets[1]);
    assert_int_equal(status_of("/operator"), 200);
    assert_int_equal(status_of("/claim"), 200);
    assert_int_equal(status_of("/assets/board.html"), 404);
    assert_int_equal(status_of("/assets/operator.html"), 404);
    assert_int_equal(status_of("/overlay"), 404); /* not among these */
}

static void pictures_should_be_asked_for_by_numbers_alone(void **state)
{
    struct scene scene = scene_of("127.0.0.1:8080", "/evidence/103-2.png");
    (void)state;
    struct web_ruling ruling = ruled(&scene);
    assert_int_equal(ruling.status, 200);
    assert_int_equal(ruling.route, WEB_EVIDENCE);
    assert_int_equal(ruling.event, 103);
    assert_int_equal(ruling.index, 2);
    scene.facts.method = "POST";
    assert_int_equal(ruled(&scene).status, 405);
    scene.facts.method = "HEAD";
    assert_int_equal(ruled(&scene).status, 200);
    scene.facts.origin = "http://elsewhere.example";
    assert_int_equal(ruled(&scene).status, 403);
    scene = scene_of("127.0.0.1:8080", "/finish/100.png");
    ruling = ruled(&scene);
    assert_int_equal(ruling.route, WEB_FINISH);
    assert_int_equal(ruling.event, 100);
    static const char *const none[] = {
        "/evidence/",
        "/evidence/103.png",
        "/evidence/103-.png",
        "/evidence/-1-0.png",
        "/evidence/103-0",
        "/evidence/103-0.png/",
        "/evidence/../1-0.png",
        "/evidence/1-0.png%00",
        "/evidence/1-0.jpg",
        "/evidence/1e3-0.png",
        "/evidence/1234567890123456-0.png",
        "/evidence/1-0-0.png",
        "/finish/",
        "/finish/x.png",
        "/finish/../journal.jsonl",
        "/finish/100.png.png",
        "/finish/1-0.png",
        "/evidence",
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(status_of(none[i]), 404);
    assert_int_equal(status_of("/api/finishes"), 403); /* without a key */
}

static void nothing_else_should_be_found(void **state)
{
    static const char *const paths[] = {
        "",
        "//",
        "/assets",
        "/assets/",
        "/assets//board.js",
        "/assets/../board.js",
        "/assets/board.js/",
        "/assets/board.js%00",
        "/assets/%62oard.js",
        "/assets/notes.txt",
        "/assets/BOARD.JS",
        "/../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/board.html",
        "/index.html",
        "/events/",
        "/api",
        "/api/",
        "/api/times",
        "/lang/",
        "/lang/e.json",
        "/lang/abcdefgh.json",
        "/lang/en.json.json",
        "/lang/../en.json",
        "/lang/EN.json",
        "board.js",
        "http://127.0.0.1:8080/",
        "*",
    };
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (status_of(paths[i]) != 404)
            fail_msg("\"%s\" was answered with %d", paths[i], status_of(paths[i]));
}

static void methods_should_be_those_that_are_meant(void **state)
{
    static const char *const wrong[] = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""};
    struct scene scene = scene_of("127.0.0.1:8080", "/");
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scene.facts.method = wrong[i];
        struct web_ruling ruling = ruled(&scene);
        assert_int_equal(ruling.status, 405);
        assert_string_equal(ruling.allow, "GET, HEAD");
    }
    scene.facts.method = "HEAD";
    assert_int_equal(ruled(&scene).status, 200);
    scene.facts.path = "/api/command";
    assert_int_equal(ruled(&scene).status, 405);
    assert_string_equal(ruled(&scene).allow, "POST");
}

static void one_host_that_names_us_should_be_needed(void **state)
{
    struct scene scene = scene_of("127.0.0.1:8080", "/");
    (void)state;
    scene.facts.host = "evil.example:8080";
    assert_int_equal(ruled(&scene).status, 403);
    assert_string_equal(ruled(&scene).why, "bad_host");
    scene.facts.host = NULL;
    scene.facts.hosts = 0;
    assert_int_equal(ruled(&scene).status, 400);
    scene.facts.host = "127.0.0.1:8080";
    scene.facts.hosts = 2;
    assert_int_equal(ruled(&scene).status, 400);
}

static void pages_from_elsewhere_should_be_refused(void **state)
{
    struct scene scene = scene_of("127.0.0.1:8080", "/events");
    (void)state;
    assert_int_equal(ruled(&scene).status, 200);
    scene.facts.origin = "http://evil.example";
    assert_int_equal(ruled(&scene).status, 403);
    assert_string_equal(ruled(&scene).why, "bad_origin");
    scene.facts.origin = NULL;
    scene.facts.fetch_site = "cross-site";
    assert_int_equal(ruled(&scene).status, 403);
    scene.facts.fetch_site = "same-site";
    assert_int_equal(ruled(&scene).status, 403);
    scene.facts.fetch_site = "same-origin";
    assert_int_equal(ruled(&scene).status, 200);
    scene.facts.fetch_site = "none";
    assert_int_equal(ruled(&scene).status, 200);
    /* A link from elsewhere to the board is one that people may follow. */
    scene.facts.path = "/";
    scene.facts.fetch_site = "cross-site";
    assert_int_equal(ruled(&scene).status, 200);
    scene.facts.origin = "null";
    assert_int_equal(ruled(&scene).status, 403);
}

static void acts_should_need_a_key_and_json(void **state)
{
    struct scene scene = scene_of("127.0.0.1:8080", "/api/command");
    (void)state;
    scene.facts.method = "POST";
    scene.facts.content_type = "application/json";
    assert_string_equal(ruled(&scene).why, "bad_key");
    scene.facts.key = "k";
    assert_int_equal(ruled(&scene).status, 200);
    scene.facts.content_type = "application/json; charset=utf-8";
    assert_int_equal(ruled(&scene).status, 200);
    static const char *const wrong[] = {"text/plain", "application/x-www-form-urlencoded",
                                        "multipart/form-data", "application/jsonp", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scene.facts.content_type = wrong[i];
        assert_int_equal(ruled(&scene).status, 415);
    }
    scene.facts.content_type = NULL;
    assert_int_equal(ruled(&scene).status, 415);
}

static void keys_should_not_leave_the_machine_in_the_clear(void **state)
{
    static const char *const keyed[] = {"/operator",    "/claim",       "/api/picture",
                                        "/api/outline", "/api/history", "/api/qr"};
    struct scene scene = scene_of("192.168.1.5:8080", "/");
    (void)state;
    scene.facts.key = "k";
    scene.facts.seat = "1";
    assert_int_equal(ruled(&scene).status, 200);
    for (size_t i = 0; i < sizeof keyed / sizeof *keyed; i++) {
        scene.facts.path = keyed[i];
        scene.site.tls = false;
        struct web_ruling ruling = ruled(&scene);
        assert_int_equal(ruling.status, 403);
        assert_string_equal(ruling.why, "not_here");
        assert_true((ruling.route == WEB_DENIED) == (i < 2));
        scene.site.tls = true;
        assert_int_equal(ruled(&scene).status, 200);
    }
    scene.facts.path = "/api/command";
    scene.facts.method = "POST";
    scene.facts.content_type = "application/json";
    scene.site.tls = false;
    assert_string_equal(ruled(&scene).why, "not_here");
    scene.facts.path = "/api/time";
    scene.facts.method = "GET";
    assert_int_equal(ruled(&scene).status, 200);
    /* All addresses are listened at, and this came in at the machine's own. */
    scene = scene_of("0.0.0.0:8080", "/operator");
    assert_true(pubsub_web_address_parse("127.0.0.1:8080", &scene.facts.at));
    scene.facts.host = "127.0.0.1:8080";
    assert_int_equal(ruled(&scene).status, 200);
}

static void numbers_of_a_query_should_be_numbers(void **state)
{
    static const char *const wrong[] = {
        "", "x", "-1", "+1", "1 ", "1x", "0x1", "1.0", "9999999999999999"};
    struct scene scene = scene_of("127.0.0.1:8080", "/api/history");
    (void)state;
    scene.facts.key = "k";
    assert_int_equal(ruled(&scene).status, 200);
    scene.facts.from = "123";
    assert_int_equal(ruled(&scene).from, 123);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scene.facts.from = wrong[i];
        assert_int_equal(ruled(&scene).status, 400);
    }
    scene.facts.path = "/api/qr";
    assert_int_equal(ruled(&scene).status, 400);
    scene.facts.seat = "0";
    assert_int_equal(ruled(&scene).status, 400);
    scene.facts.seat = "100";
    assert_int_equal(ruled(&scene).status, 400);
    scene.facts.seat = "4294967297";
    assert_int_equal(ruled(&scene).status, 400);
    scene.facts.seat = "2";
    assert_int_equal(ruled(&scene).seat, 2);
}

static void languages_should_be_named_by_their_codes(void **state)
{
    struct scene scene = scene_of("127.0.0.1:8080", "/lang/sv.json");
    (void)state;
    struct web_ruling ruling = ruled(&scene);
    assert_int_equal(ruling.route, WEB_LANG);
    assert_string_equal(ruling.lang, "sv");
}

static void a_body_should_become_a_request(void **state)
{
    static const char body[] = "{\"id\":\"a\",\"do\":\"pause\",\"v\":7,\"key\":\"mine\"}";
    char *made;
    (void)state;
    assert_int_equal(pubsub_web_command(body, sizeof body - 1, "theirs", &made), 0);
    json_t *root = json_loads(made, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "v")), 1);
    assert_string_equal(json_string_value(json_object_get(root, "key")), "theirs");
    assert_string_equal(json_string_value(json_object_get(root, "do")), "pause");
    assert_null(strchr(made, '\n'));
    json_decref(root);
    free(made);
}

static void what_is_no_object_should_become_none(void **state)
{
    static const char *const wrong[] = {
        "", "[]", "7", "\"x\"", "{", "{}x", "{\"a\":1,\"a\":2}", "{\"a\":\"\xFF\"}"};
    char *made;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(pubsub_web_command(wrong[i], strlen(wrong[i]), "k", &made),
                         PUBSUB_E_ARGUMENT);
        assert_null(made);
    }
    assert_int_equal(pubsub_web_command("{}", 2, "\xFF", &made), PUBSUB_E_ARGUMENT);
    assert_null(made);
}

static int status_for(const char *answer)
{
    return pubsub_web_status(answer, strlen(answer));
}

static void answers_should_have_their_status(void **state)
{
    (void)state;
    assert_int_equal(status_for("{\"ok\":true}"), 200);
    assert_int_equal(status_for("{\"ok\":false,\"error\":\"refused\"}"), 200);
    assert_int_equal(status_for("{\"ok\":false,\"error\":\"not_written\"}"), 200);
    assert_int_equal(status_for("{\"ok\":false,\"error\":\"bad_key\"}"), 403);
    assert_int_equal(status_for("{\"ok\":false,\"error\":\"bad_request\"}"), 400);
    assert_int_equal(status_for("{\"ok\":false,\"error\":\"too_large\"}"), 413);
    assert_int_equal(status_for("{\"ok\":false,\"error\":\"too_many\"}"), 429);
    assert_int_equal(status_for("nonsense"), 503);
}

static void files_should_have_their_types(void **state)
{
    (void)state;
    assert_string_equal(pubsub_web_asset_type("a.html"), "text/html; charset=utf-8");
    assert_string_equal(pubsub_web_asset_type("a.min.js"), "text/javascript; charset=utf-8");
    assert_null(pubsub_web_asset_type("a.txt"));
    assert_null(pubsub_web_asset_type("html"));
    assert_null(pubsub_web_asset_type(""));
}

static void a_build_should_differ_when_anything_does(void **state)
{
    struct web_asset other[sizeof assets / sizeof *assets];
    const size_t count = sizeof assets / sizeof *assets;
    char one[WEB_BUILD_MAX], two[WEB_BUILD_MAX];
    (void)state;
    pubsub_web_build(assets, count, "1", one);
    pubsub_web_build(assets, count, "1", two);
    assert_string_equal(one, two);
    assert_int_equal(strspn(one, "0123456789abcdef"), 16);
    pubsub_web_build(assets, count, "2", two);
    assert_string_not_equal(one, two);
    memcpy(other, assets, sizeof other);
    other[1].bytes = (const unsigned char *)"y";
    pubsub_web_build(other, count, "1", two);
    assert_string_not_equal(one, two);
    pubsub_web_build(assets, count - 1, "1", two);
    assert_string_not_equal(one, two);
}

static void a_page_should_carry_its_build(void **state)
{
    size_t length;
    (void)state;
    char *page = pubsub_web_asset_stamped(&assets[0], "0123456789abcdef", &length);
    assert_non_null(page);
    assert_string_equal(page, "<meta name=\"build\" content=\"0123456789abcdef\">@");
    assert_int_equal(length, strlen(page));
    free(page);
    page = pubsub_web_asset_stamped(&assets[2], "0123456789abcdef", &length);
    assert_non_null(page);
    assert_int_equal(length, 0);
    free(page);
}

static void the_embedded_pages_should_be_whole(void **state)
{
    static const char *const pages[] = {"board.html", "overlay.html", "operator.html", "claim.html",
                                        "icon.svg"};
    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const struct web_asset *asset =
            pubsub_web_asset_find(pubsub_web_assets, pubsub_web_asset_count, pages[i]);
        if (!asset)
            fail_msg("%s is not there", pages[i]);
        assert_true(asset->length > 0);
    }
    for (size_t i = 0; i < pubsub_web_asset_count; i++)
        assert_non_null(pubsub_web_asset_type(pubsub_web_assets[i].name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_should_have_one_address_each),
        cmocka_unit_test(pictures_should_be_asked_for_by_numbers_alone),
        cmocka_unit_test(nothing_else_should_be_found),
        cmocka_unit_test(methods_should_be_those_that_are_meant),
        cmocka_unit_test(one_host_that_names_us_should_be_needed),
        cmocka_unit_test(pages_from_elsewhere_should_be_refused),
        cmocka_unit_test(acts_should_need_a_key_and_json),
        cmocka_unit_test(keys_should_not_leave_the_machine_in_the_clear),
        cmocka_unit_test(numbers_of_a_query_should_be_numbers),
        cmocka_unit_test(languages_should_be_named_by_their_codes),
        cmocka_unit_test(a_body_should_become_a_request),
        cmocka_unit_test(what_is_no_object_should_become_none),
        cmocka_unit_test(answers_should_have_their_status),
        cmocka_unit_test(files_should_have_their_types),
        cmocka_unit_test(a_build_should_differ_when_anything_does),
        cmocka_unit_test(a_page_should_carry_its_build),
        cmocka_unit_test(the_embedded_pages_should_be_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
