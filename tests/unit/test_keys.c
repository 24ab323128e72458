/* Keys: made, loaded and refused; nothing is written over, no secret lies open. */
#include "pubsub/keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <cmocka.h>

struct scene {
    char folder[64], path[256];
    struct wire_fault fault;
    struct wire_keys *keys;
};

static int scene_open(void **state)
{
    struct scene *s = calloc(1, sizeof *s);

    *state = s;
    snprintf(s->folder, sizeof s->folder, "/tmp/test_keys.XXXXXX");
    return mkdtemp(s->folder) ? 0 : -1;
}

static int scene_close(void **state)
{
    struct scene *s = *state;
    static const char *const left[] = {"server.key",       "server.pub",    "tls.key",
                                       "tls.crt",          "hall.key",      "a.key",
                                       "allowed/hall.pub", "allowed/a.pub", "allowed"};

    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        snprintf(s->path, sizeof s->path, "%s/%s", s->folder, left[i]);
        if (unlink(s->path) != 0)
            rmdir(s->path);
    }
    /* Nothing else was left lying about. */
    int gone = rmdir(s->folder);
    pubsub_keys_destroy(&s->keys);
    free(s);
    return gone;
}

static const char *in(struct scene *s, const char *name)
{
    snprintf(s->path, sizeof s->path, "%s/%s", s->folder, name);
    return s->path;
}

static void put(struct scene *s, const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(in(s, name), "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(s->path, mode);
}

static mode_t mode_of(struct scene *s, const char *name)
{
    struct stat info;

    assert_int_equal(stat(in(s, name), &info), 0);
    return info.st_mode & 0777;
}

static void z85_should_be_that_of_zeromq(void **state)
{
    uint8_t bytes[Z85_KEY_BYTES], back[Z85_KEY_BYTES];
    char ours[Z85_KEY_TEXT], theirs[Z85_KEY_TEXT];
    uint32_t dice = 1;

    (void)state;
    for (int round = 0; round < 1000; round++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = round == 0 ? 0xff : (uint8_t)((dice = dice * 1664525u + 1013904223u) >> 24);
        pubsub_z85_print(bytes, ours);
        assert_non_null(zmq_z85_encode(theirs, bytes, sizeof bytes));
        assert_string_equal(ours, theirs);
        assert_true(pubsub_z85_parse(ours, strlen(ours), back));
        assert_memory_equal(bytes, back, sizeof bytes);
    }
}

static void z85_should_refuse_what_is_no_key(void **state)
{
    static const char *const wrong[] = {
        "", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7x",
        "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]y\"7", "#####>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"};
    uint8_t key[Z85_KEY_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(pubsub_z85_parse(wrong[i], strlen(wrong[i]), key));
    assert_true(pubsub_z85_parse("rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7", 40, key));
}

static void keys_should_be_made_once_and_loaded(void **state)
{
    struct scene *s = *state;

    assert_int_equal(pubsub_keys_make(s->folder, &s->fault), 0);
    assert_int_equal(mode_of(s, "server.key"), 0600);
    assert_int_equal(mode_of(s, "server.pub"), 0644);
    assert_int_equal(pubsub_keys_make(s->folder, &s->fault), PUBSUB_E_IN_USE);
    assert_non_null(strstr(s->fault.text, "server.key"));
    assert_int_equal(pubsub_keys_table(s->folder, &s->keys, &s->fault), 0);
    assert_true(pubsub_keys_of_table(s->keys));
}

static void keys_of_displays_should_be_added_listed_and_taken_away(void **state)
{
    struct scene *s = *state;
    struct keys_entry *entry;
    size_t count;
    char path[256], name[KEYS_NAME_MAX];
    uint8_t key[Z85_KEY_BYTES];

    assert_int_equal(pubsub_keys_make(s->folder, &s->fault), 0);
    assert_int_equal(pubsub_keys_add(s->folder, "hall", path, sizeof path, &s->fault), 0);
    assert_string_equal(path, in(s, "hall.key"));
    assert_int_equal(mode_of(s, "hall.key"), 0600);
    assert_int_equal(pubsub_keys_add(s->folder, "hall", path, sizeof path, &s->fault),
                     PUBSUB_E_IN_USE);
    assert_int_equal(pubsub_keys_add(s->folder, "a", path, sizeof path, &s->fault), 0);
    assert_int_equal(pubsub_keys_list(s->folder, &entry, &count, &s->fault), 0);
    assert_int_equal(count, 3);
    assert_string_equal(entry[0].name, "server");
    assert_string_equal(entry[1].name, "a");
    assert_string_equal(entry[2].name, "hall");
    assert_true(pubsub_z85_parse(entry[2].text, 40, key));
    free(entry);

    assert_int_equal(pubsub_keys_table(s->folder, &s->keys, &s->fault), 0);
    struct keys_allowed *allowed = pubsub_keys_allowed_create(s->keys);
    assert_non_null(allowed);
    assert_true(pubsub_keys_allowed_find(allowed, key, name));
    assert_string_equal(name, "hall");
    assert_int_equal(pubsub_keys_remove(s->folder, "hall", &s->fault), 0);
    assert_false(pubsub_keys_allowed_find(allowed, key, name));
    assert_int_equal(pubsub_keys_remove(s->folder, "hall", &s->fault), PUBSUB_E_ARGUMENT);
    /* A folder that others can write allows nobody. */
    assert_int_equal(chmod(in(s, "allowed"), 0777), 0);
    assert_false(pubsub_keys_allowed_find(allowed, key, name));
    pubsub_keys_allowed_destroy(&allowed);
}

static void keys_should_know_displays_by_a_file_or_its_folder(void **state)
{
    struct scene *s = *state;
    char path[256];

    assert_int_equal(pubsub_keys_make(s->folder, &s->fault), 0);
    assert_int_equal(pubsub_keys_display(s->folder, &s->keys, &s->fault), PUBSUB_E_ARGUMENT);
    assert_non_null(strstr(s->fault.text, "no display's key"));
    assert_int_equal(pubsub_keys_add(s->folder, "hall", path, sizeof path, &s->fault), 0);
    assert_int_equal(pubsub_keys_display(s->folder, &s->keys, &s->fault), 0);
    assert_false(pubsub_keys_of_table(s->keys));
    pubsub_keys_destroy(&s->keys);
    assert_int_equal(pubsub_keys_add(s->folder, "a", path, sizeof path, &s->fault), 0);
    assert_int_equal(pubsub_keys_display(s->folder, &s->keys, &s->fault), PUBSUB_E_ARGUMENT);
    assert_int_equal(pubsub_keys_display(path, &s->keys, &s->fault), 0);
    pubsub_keys_destroy(&s->keys);
    /* A table's own file is no display's. */
    assert_int_equal(pubsub_keys_display(in(s, "server.key"), &s->keys, &s->fault),
                     PUBSUB_E_ARGUMENT);
}

static void keys_should_refuse_names_that_are_paths(void **state)
{
    static const char *const wrong[] = {"",     "..",     "a/b",
                                        "../a", "server", "a b",
                                        "-\n",  "a.b",    "abcdefghijklmnopqrstuvwxyz0123456789"};
    struct scene *s = *state;
    char path[256];

    assert_int_equal(pubsub_keys_make(s->folder, &s->fault), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(pubsub_keys_add(s->folder, wrong[i], path, sizeof path, &s->fault),
                         PUBSUB_E_ARGUMENT);
        assert_int_equal(pubsub_keys_remove(s->folder, wrong[i], &s->fault), PUBSUB_E_ARGUMENT);
    }
}

static void keys_should_refuse_a_secret_that_others_can_read(void **state)
{
    struct scene *s = *state;

    assert_int_equal(pubsub_keys_make(s->folder, &s->fault), 0);
    assert_int_equal(chmod(in(s, "server.key"), 0640), 0);
    assert_int_equal(pubsub_keys_table(s->folder, &s->keys, &s->fault), PUBSUB_E_ARGUMENT);
    assert_non_null(strstr(s->fault.text, "server.key: others may read"));
    assert_int_equal(chmod(in(s, "server.key"), 0600), 0);
    assert_int_equal(chmod(s->folder, 0777), 0);
    assert_int_equal(pubsub_keys_table(s->folder, &s->keys, &s->fault), PUBSUB_E_ARGUMENT);
}

static void keys_should_name_the_file_that_is_wrong(void **state)
{
    static const char good[] = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "no public-key"},
        {"curve\n public-key = \"short\"\n", "public-key is no key"},
        {"curve\n secret-key = \"%s\"\n", "no public-key"},
        {"public-key = \"%s\"\n", "no secret-key"},
        {"public-key = \"%s\"\npublic-key = \"%s\"\n", "twice"},
        {"public-key = \"%s\"\nsecret-key = \"%s\"\n", "does not belong"},
        {"public-key = \"%s\n", "no public-key"},
        {"# public-key = \"%s\"\n", "no public-key"},
    };
    struct scene *s = *state;
    char text[256];

    assert_int_equal(mkdir(in(s, "allowed"), 0700), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *percent = strstr(wrong[i].text, "%s");
        const char *second = percent ? strstr(percent + 2, "%s") : NULL;
        snprintf(text, sizeof text, "%.*s%s%.*s%s%s",
                 percent ? (int)(percent - wrong[i].text) : (int)strlen(wrong[i].text),
                 wrong[i].text, percent ? good : "",
                 second    ? (int)(second - percent - 2)
                 : percent ? (int)strlen(percent + 2)
                           : 0,
                 percent ? percent + 2 : "", second ? good : "", second ? second + 2 : "");
        put(s, "server.key", text, 0600);
        assert_int_equal(pubsub_keys_table(s->folder, &s->keys, &s->fault), PUBSUB_E_ARGUMENT);
        assert_non_null(strstr(s->fault.text, "server.key: "));
        assert_non_null(strstr(s->fault.text, wrong[i].says));
    }
    assert_int_equal(unlink(in(s, "server.key")), 0);
    assert_int_equal(pubsub_keys_table(s->folder, &s->keys, &s->fault), PUBSUB_E_SYSTEM);
    assert_non_null(strstr(s->fault.text, "tableref keys"));
}

static void keys_should_pass_over_files_that_allow_nobody(void **state)
{
    struct scene *s = *state;
    uint8_t key[Z85_KEY_BYTES];
    char name[KEYS_NAME_MAX];

    assert_int_equal(pubsub_keys_make(s->folder, &s->fault), 0);
    put(s, "allowed/a.pub", "rubbish", 0644);
    put(s, "allowed/hall.pub", "public-key = \"rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7\"\r\n",
        0644);
    assert_true(pubsub_z85_parse("rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7", 40, key));
    assert_int_equal(pubsub_keys_table(s->folder, &s->keys, &s->fault), 0);
    struct keys_allowed *allowed = pubsub_keys_allowed_create(s->keys);
    assert_true(pubsub_keys_allowed_find(allowed, key, name));
    assert_string_equal(name, "hall");
    memset(key, 0, sizeof key);
    assert_false(pubsub_keys_allowed_find(allowed, key, name));
    pubsub_keys_allowed_destroy(&allowed);
}

static void tls_should_be_made_once_for_this_host(void **state)
{
    struct scene *s = *state;
    struct keys_tls tls;
    char more[] = "table4.example", *names[] = {more}, wrong[] = "a/b", *bad[] = {wrong};

    assert_int_equal(pubsub_keys_tls(s->folder, bad, 1, 30, &tls, &s->fault), PUBSUB_E_ARGUMENT);
    assert_int_equal(pubsub_keys_tls(s->folder, names, 1, 30, &tls, &s->fault), 0);
    assert_string_equal(tls.key, in(s, "tls.key"));
    assert_int_equal(mode_of(s, "tls.key"), 0600);
    assert_int_equal(mode_of(s, "tls.crt"), 0644);
    assert_int_equal(strncmp(tls.names, "table4.example ", 15), 0);
    assert_non_null(strstr(tls.names, "localhost 127.0.0.1 ::1"));
    assert_int_equal(strlen(tls.digest), 95);
    assert_int_equal(pubsub_keys_tls(s->folder, names, 1, 30, &tls, &s->fault), PUBSUB_E_IN_USE);
}

#define IN_SCENE(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(z85_should_be_that_of_zeromq),
        cmocka_unit_test(z85_should_refuse_what_is_no_key),
        IN_SCENE(keys_should_be_made_once_and_loaded),
        IN_SCENE(keys_of_displays_should_be_added_listed_and_taken_away),
        IN_SCENE(keys_should_know_displays_by_a_file_or_its_folder),
        IN_SCENE(keys_should_refuse_names_that_are_paths),
        IN_SCENE(keys_should_refuse_a_secret_that_others_can_read),
        IN_SCENE(keys_should_name_the_file_that_is_wrong),
        IN_SCENE(keys_should_pass_over_files_that_allow_nobody),
        IN_SCENE(tls_should_be_made_once_for_this_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
