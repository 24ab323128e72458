/* Beyond this machine only those with a key that is allowed are let in; both ends say what was
 * wrong; and whatever is sent to a port harms nobody. */
#include "pubsub/address.h"
#include "pubsub/keys.h"
#include "pubsub/wire.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

#include <cmocka.h>

#define MANY 200

struct scene {
    char folder[64], other[64], hall[256], stranger[256], address[ADDRESS_MAX];
    struct wire *wire; /* the table's */
    struct wire *far;  /* the displays' */
    struct wire_socket *pub, *sub;
    struct wire_keys *table, *display;
    struct wire_fault fault;
};

static int folder_make(char out[64])
{
    snprintf(out, 64, "/tmp/test_wire_keys.XXXXXX");
    return mkdtemp(out) ? 0 : -1;
}

static int scene_open(void **state)
{
    struct scene *s = calloc(1, sizeof *s);

    *state = s;
    if (folder_make(s->folder) != 0 || folder_make(s->other) != 0)
        return -1;
    s->wire = pubsub_wire_create();
    s->far = pubsub_wire_create();
    if (!s->wire || !s->far)
        return -1;
    return pubsub_keys_make(s->folder, &s->fault) | pubsub_keys_make(s->other, &s->fault) |
           pubsub_keys_add(s->folder, "hall", s->hall, sizeof s->hall, &s->fault) |
           pubsub_keys_add(s->other, "stranger", s->stranger, sizeof s->stranger, &s->fault) |
           pubsub_keys_table(s->folder, &s->table, &s->fault);
}

static void folder_remove(const char *folder)
{
    static const char *const names[] = {"server.key",           "server.pub", "hall.key",
                                        "stranger.key",         "mixed.key",  "allowed/hall.pub",
                                        "allowed/stranger.pub", "allowed",    ""};
    char path[128];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (unlink(path) != 0)
            rmdir(path);
    }
}

static int scene_close(void **state)
{
    struct scene *s = *state;

    pubsub_wire_close(&s->pub);
    pubsub_wire_close(&s->sub);
    pubsub_wire_destroy(&s->wire);
    pubsub_wire_destroy(&s->far);
    pubsub_keys_destroy(&s->table);
    pubsub_keys_destroy(&s->display);
    folder_remove(s->folder);
    folder_remove(s->other);
    free(s);
    return 0;
}

static void table_bind(struct scene *s, enum wire_kind kind, const char *address,
                       const struct wire_keys *keys)
{
    assert_int_equal(pubsub_wire_bind_keys(s->wire, kind, address, keys, &s->pub, &s->fault), 0);
    assert_int_equal(pubsub_wire_bound(s->pub, s->address, sizeof s->address), 0);
}

static void display_connect(struct scene *s, const char *key)
{
    if (key)
        assert_int_equal(pubsub_keys_display(key, &s->display, &s->fault), 0);
    assert_int_equal(
        pubsub_wire_connect_keys(s->far, WIRE_SUB, s->address, s->display, &s->sub, &s->fault), 0);
    assert_int_equal(pubsub_wire_subscribe(s->sub, "state."), 0);
}

/* Is something heard within so many tries of 10 ms? */
/* Of 10 ms each: long enough for a machine that does much else, as what must come ends the wait. */
#define TRIES 3000

static bool heard(struct scene *s, int tries)
{
    char room[64];

    for (int i = 0; i < tries; i++) {
        pubsub_wire_send(s->pub, NULL, "state.4 {}", 10, 0);
        if (pubsub_wire_receive(s->sub, NULL, room, sizeof room, 10) > 0)
            return true;
    }
    return false;
}

/* What that end says, with nothing heard meanwhile. */
static enum wire_trouble trouble_of(struct scene *s, struct wire_socket *socket)
{
    enum wire_trouble trouble = WIRE_QUIET;

    for (int i = 0; i < TRIES && trouble == WIRE_QUIET; i++) {
        assert_false(heard(s, 1));
        trouble = pubsub_wire_trouble(socket, &s->fault);
    }
    return trouble;
}

static void table_should_let_in_whom_it_allows(void **state)
{
    struct scene *s = *state;

    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", s->table);
    display_connect(s, s->hall);
    assert_true(heard(s, TRIES));
    assert_int_equal(pubsub_wire_trouble(s->sub, &s->fault), WIRE_QUIET);
    assert_int_equal(pubsub_wire_trouble(s->pub, &s->fault), WIRE_QUIET);
    assert_false(pubsub_wire_refused(s->wire, &s->fault));
}

/* A stranger that knows the table's key: its own is not allowed. */
static void mixed_key(struct scene *s, char *path, size_t size)
{
    struct wire_keys *stranger = NULL;
    char public_text[Z85_KEY_TEXT], secret[Z85_KEY_TEXT], server[Z85_KEY_TEXT];

    assert_int_equal(pubsub_keys_display(s->stranger, &stranger, &s->fault), 0);
    pubsub_z85_print(pubsub_keys_public(stranger), public_text);
    pubsub_z85_print(pubsub_keys_secret(stranger), secret);
    pubsub_z85_print(pubsub_keys_public(s->table), server);
    pubsub_keys_destroy(&stranger);
    snprintf(path, size, "%s/mixed.key", s->other);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(file >= 0);
    dprintf(file, "curve\n public-key = \"%s\"\n secret-key = \"%s\"\ntable\n server = \"%s\"\n",
            public_text, secret, server);
    close(file);
}

static void both_ends_should_name_a_key_that_is_not_allowed(void **state)
{
    struct scene *s = *state;
    char path[256], key[Z85_KEY_TEXT];

    mixed_key(s, path, sizeof path);
    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", s->table);
    display_connect(s, path);
    pubsub_z85_print(pubsub_keys_public(s->display), key);
    assert_int_equal(trouble_of(s, s->sub), WIRE_TROUBLE_KEY);
    assert_non_null(strstr(s->fault.text, "it refuses our key"));
    assert_non_null(strstr(s->fault.text, key));
    assert_true(pubsub_wire_refused(s->wire, &s->fault));
    assert_non_null(strstr(s->fault.text, key));
    assert_non_null(strstr(s->fault.text, "127.0.0.1"));
    assert_false(pubsub_wire_refused(s->wire, &s->fault));
}

static void both_ends_should_name_a_table_that_is_another(void **state)
{
    struct scene *s = *state;

    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", s->table);
    display_connect(s, s->stranger);
    assert_int_equal(trouble_of(s, s->sub), WIRE_TROUBLE_KEY);
    assert_true(strstr(s->fault.text, "has another key than") ||
                strstr(s->fault.text, "has not the key"));
    assert_int_equal(trouble_of(s, s->pub), WIRE_TROUBLE_KEY);
    assert_non_null(strstr(s->fault.text, "another key than its own"));
}

static void both_ends_should_name_one_without_a_key(void **state)
{
    struct scene *s = *state;

    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", s->table);
    display_connect(s, NULL);
    assert_int_equal(trouble_of(s, s->sub), WIRE_TROUBLE_KEY);
    assert_non_null(strstr(s->fault.text, "only those who have a key"));
    assert_int_not_equal(trouble_of(s, s->pub), WIRE_QUIET);
    assert_true(strstr(s->fault.text, "without a key") || strstr(s->fault.text, "may have none"));
}

static void display_should_name_a_table_that_takes_no_keys(void **state)
{
    struct scene *s = *state;

    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", NULL);
    display_connect(s, s->hall);
    assert_int_equal(trouble_of(s, s->sub), WIRE_TROUBLE_KEY);
    /* By which end sees it first. */
    assert_true(strstr(s->fault.text, "it takes no keys") ||
                strstr(s->fault.text, "we hold, or none"));
}

static void table_should_take_and_drop_keys_while_it_runs(void **state)
{
    struct scene *s = *state;
    char allowed[128], away[128];

    snprintf(allowed, sizeof allowed, "%s/allowed/hall.pub", s->folder);
    snprintf(away, sizeof away, "%s/allowed/stranger.pub", s->other);
    assert_int_equal(rename(allowed, away), 0);
    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", s->table);
    display_connect(s, s->hall);
    assert_int_equal(trouble_of(s, s->sub), WIRE_TROUBLE_KEY);
    pubsub_wire_close(&s->sub);
    assert_int_equal(rename(away, allowed), 0);
    display_connect(s, NULL);
    assert_true(heard(s, TRIES));
    pubsub_wire_close(&s->sub);
    assert_int_equal(rename(allowed, away), 0);
    display_connect(s, NULL);
    assert_int_equal(trouble_of(s, s->sub), WIRE_TROUBLE_KEY);
}

static void wire_should_refuse_what_others_reach_without_keys(void **state)
{
    static const char *const far[] = {"tcp://*:5556",
                                      "tcp://0.0.0.0:5556",
                                      "tcp://[::]:5556",
                                      "tcp://192.0.2.1:5556",
                                      "tcp://eth0:5556",
                                      "tcp://localhost.example:5556",
                                      "tcp://127.0.0.1.example:5556",
                                      "tcp://[::1%eth0]:5556"};
    static const char *const no_address[] = {"tcp://127.0.0.1:0;192.0.2.1:5556",
                                             "tcp://127.0.0.1:1@2:3",
                                             "tcp://127.0.0.1",
                                             "tcp://",
                                             "tcp://127.0.0.1:70000",
                                             "tcp://127.0.0.1:5556/",
                                             "tcp://::1:5556",
                                             "ipc://relative",
                                             "ipc://@abstract",
                                             "inproc://x",
                                             "pgm://eth0;239.0.0.1:1",
                                             "udp://127.0.0.1:1",
                                             "ws://*:80",
                                             "tcp://[127.0.0.1]:5556",
                                             "tcp://[]:1",
                                             "tcp://:1",
                                             ""};
    struct scene *s = *state;

    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        assert_int_equal(pubsub_wire_bind(s->wire, WIRE_PUB, far[i], &s->pub, &s->fault),
                         PUBSUB_E_ADDRESS);
        assert_int_equal(pubsub_wire_connect(s->wire, WIRE_SUB, far[i], &s->sub, &s->fault),
                         PUBSUB_E_ADDRESS);
    }
    for (size_t i = 0; i < sizeof no_address / sizeof no_address[0]; i++)
        assert_int_equal(
            pubsub_wire_bind_keys(s->wire, WIRE_PUB, no_address[i], s->table, &s->pub, &s->fault),
            PUBSUB_E_ADDRESS);
    /* Each end with the other's kind of keys. */
    assert_int_equal(pubsub_wire_connect_keys(s->wire, WIRE_SUB, "tcp://127.0.0.1:1", s->table,
                                              &s->sub, &s->fault),
                     PUBSUB_E_ARGUMENT);
    assert_int_equal(pubsub_wire_bind_keys(s->wire, WIRE_PUB, "tcp://no-such-if:5556", s->table,
                                           &s->pub, &s->fault),
                     PUBSUB_E_SYSTEM);
    assert_non_null(strstr(s->fault.text, "interface"));
}

static void publisher_should_be_heard_at_several_addresses(void **state)
{
    struct scene *s = *state;
    char near[160];

    snprintf(near, sizeof near, "ipc://%s/publish", s->folder);
    table_bind(s, WIRE_PUB, near, NULL);
    snprintf(s->address, sizeof s->address, "%s", near);
    display_connect(s, NULL);
    assert_true(heard(s, TRIES));
    pubsub_wire_close(&s->sub);
    assert_int_equal(pubsub_wire_bind_also(s->pub, "tcp://*:*", s->table, &s->fault), 0);
    display_connect(s, NULL);
    assert_true(heard(s, TRIES));
    pubsub_wire_close(&s->sub);
    assert_int_equal(pubsub_wire_bound(s->pub, s->address, sizeof s->address), 0);
    char *port = strdup(strrchr(s->address, ':'));
    snprintf(s->address, sizeof s->address, "tcp://127.0.0.1%s", port);
    free(port);
    display_connect(s, s->hall);
    assert_true(heard(s, TRIES));
    pubsub_wire_close(&s->sub);
    pubsub_keys_destroy(&s->display);
    display_connect(s, NULL);
    assert_int_equal(trouble_of(s, s->sub), WIRE_TROUBLE_KEY);
    assert_int_equal(pubsub_wire_bind_also(s->pub, "tcp://127.0.0.1:*", NULL, &s->fault),
                     PUBSUB_E_ARGUMENT);
}

static void localhost_should_be_either_address(void **state)
{
    static const char *const bound[] = {"tcp://127.0.0.1:*", "tcp://[::1]:*", "tcp://localhost:*"};
    static const char *const called[] = {"localhost", "127.0.0.1", "[::1]"};
    struct scene *s = *state;

    for (int b = 0; b < 3; b++)
        for (int c = 0; c < 3; c++) {
            if (b < 2 && c == 2 - b)
                continue; /* there nobody listens */
            table_bind(s, WIRE_PUB, bound[b], NULL);
            char *port = strdup(strrchr(s->address, ':'));
            snprintf(s->address, sizeof s->address, "tcp://%s%s", called[c], port);
            free(port);
            display_connect(s, NULL);
            assert_true(heard(s, TRIES));
            pubsub_wire_close(&s->sub);
            pubsub_wire_close(&s->pub);
        }
}

#define FILES 1024

/* Which files stay open in a program that is started from this one? */
static void files_left_open(bool open_file[FILES])
{
    for (int file = 0; file < FILES; file++) {
        int flags = fcntl(file, F_GETFD);
        open_file[file] = flags >= 0 && !(flags & FD_CLOEXEC);
    }
}

static void files_should_close_when_a_program_is_started(void **state)
{
    struct scene *s = *state;
    bool before[FILES], after[FILES];

    /* Whoever started the test may have left some of its own. */
    pubsub_wire_destroy(&s->wire);
    pubsub_wire_destroy(&s->far);
    files_left_open(before);
    s->wire = pubsub_wire_create();
    s->far = pubsub_wire_create();
    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", s->table);
    display_connect(s, s->hall);
    assert_true(heard(s, TRIES));
    files_left_open(after);
    assert_memory_equal(before, after, sizeof before);
}

/* ---- attacks ---- */

static int port_of(const struct scene *s)
{
    return (int)strtol(strrchr(s->address, ':') + 1, NULL, 10);
}

static int plain_connect(const struct scene *s)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port_of(s))};
    struct timeval wait = {.tv_usec = 20000};
    int it = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(it, (struct sockaddr *)&to, sizeof to), 0);
    setsockopt(it, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    return it;
}

static uint32_t draw(uint32_t *dice)
{
    return (*dice = *dice * 1664525u + 1013904223u) >> 8;
}

/* A greeting of ZMTP 3.1, for CURVE or NULL, then whatever follows, partly spoilt. */
static void greeting_make(uint32_t *dice, uint8_t out[128])
{
    static const uint8_t start[12] = {0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 1};

    memset(out, 0, 128);
    memcpy(out, start, sizeof start);
    snprintf((char *)out + 12, 6, "%s", draw(dice) & 1 ? "CURVE" : "NULL");
    for (int i = 64; i < 128; i++)
        out[i] = (uint8_t)draw(dice);
    if (draw(dice) & 1)
        memcpy(out + 64, "\x04\x20\x05HELLO", 8);
    for (uint32_t spoilt = draw(dice) % 4; spoilt > 0; spoilt--)
        out[draw(dice) % 128] ^= (uint8_t)draw(dice);
}

static void port_should_survive_rubbish(void **state)
{
    static const char http[] = "GET / HTTP/1.1\r\nHost: table\r\n\r\n";
    struct scene *s = *state;
    uint8_t bytes[128];
    uint32_t dice = 5;
    char room[64];
    int other = 0;

    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", s->table);
    display_connect(s, s->hall);
    assert_true(heard(s, TRIES));
    for (int i = 0; i < 300; i++) {
        int it = plain_connect(s);
        if (i % 10 == 0) {
            assert_true(send(it, http, sizeof http - 1, MSG_NOSIGNAL) > 0);
        } else {
            greeting_make(&dice, bytes);
            send(it, bytes, draw(&dice) % sizeof bytes + 1, MSG_NOSIGNAL);
        }
        if (i % 50 == 0)
            recv(it, room, sizeof room, 0);
        close(it);
        other += pubsub_wire_trouble(s->pub, &s->fault) == WIRE_TROUBLE_OTHER;
    }
    assert_true(heard(s, 100));
    for (int i = 0; i < 100 && other == 0; i++, usleep(10000))
        other += pubsub_wire_trouble(s->pub, &s->fault) == WIRE_TROUBLE_OTHER;
    /* It is said, and not three hundred times. */
    assert_in_range(other, 1, 4);
    pubsub_wire_close(&s->sub);
    display_connect(s, NULL);
    assert_true(heard(s, TRIES));
}

/* Our own wire sends no such thing. */
static void answerer_should_end_a_connection_that_sends_too_much(void **state)
{
    struct scene *s = *state;
    void *context = zmq_ctx_new(), *bare = zmq_socket(context, ZMQ_DEALER);
    static char large[WIRE_REQUEST_MAX + 4096];
    char room[64];
    int linger = 0, wait = 2000;

    zmq_setsockopt(bare, ZMQ_LINGER, &linger, sizeof linger);
    zmq_setsockopt(bare, ZMQ_RCVTIMEO, &wait, sizeof wait);
    table_bind(s, WIRE_REP, "tcp://127.0.0.1:*", NULL);
    assert_int_equal(zmq_connect(bare, s->address), 0);
    zmq_send(bare, "", 0, ZMQ_SNDMORE);
    assert_true(zmq_send(bare, large, sizeof large, 0) > 0);
    assert_int_equal(pubsub_wire_receive(s->pub, NULL, room, sizeof room, 300), PUBSUB_E_AGAIN);
    zmq_close(bare);
    /* Others are answered. */
    bare = zmq_socket(context, ZMQ_DEALER);
    zmq_setsockopt(bare, ZMQ_LINGER, &linger, sizeof linger);
    zmq_setsockopt(bare, ZMQ_RCVTIMEO, &wait, sizeof wait);
    assert_int_equal(zmq_connect(bare, s->address), 0);
    zmq_send(bare, "", 0, ZMQ_SNDMORE);
    zmq_send(bare, "{}", 2, 0);
    assert_int_equal(pubsub_wire_receive(s->pub, NULL, room, sizeof room, 3000), 2);
    assert_int_equal(pubsub_wire_send(s->pub, NULL, "{}", 2, 1000), 0);
    assert_int_equal(zmq_recv(bare, room, sizeof room, 0), 0);
    assert_int_equal(zmq_recv(bare, room, sizeof room, 0), 2);
    zmq_close(bare);
    zmq_ctx_term(context);
}

/* The sanitizers' own heap, in a build that has it. */
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

/* Heap and mapped blocks together; libzmq's queues lie there. */
static size_t memory_used(void)
{
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

static void publisher_should_hold_little_for_who_never_reads(void **state)
{
    enum { STUCK = 8, LENGTH = 20000, MESSAGES = 4000 };
    static char message[LENGTH] = "state.4 {}";
    struct scene *s = *state;
    int stuck[STUCK];
    static const uint8_t greeting[64] = {0xff, 0,    0, 0, 0,   0,   0,   0,
                                         1,    0x7f, 3, 0, 'N', 'U', 'L', 'L'};
    static const uint8_t ready[] = {4,   25,  5,   'R', 'E', 'A', 'D', 'Y', 11,
                                    'S', 'o', 'c', 'k', 'e', 't', '-', 'T', 'y',
                                    'p', 'e', 0,   0,   0,   3,   'S', 'U', 'B'};
    static const uint8_t all[] = {0, 1, 1};

    table_bind(s, WIRE_PUB, "tcp://127.0.0.1:*", NULL);
    for (int i = 0; i < STUCK; i++) {
        stuck[i] = plain_connect(s);
        send(stuck[i], greeting, sizeof greeting, MSG_NOSIGNAL);
        send(stuck[i], ready, sizeof ready, MSG_NOSIGNAL);
        send(stuck[i], all, sizeof all, MSG_NOSIGNAL);
    }
    display_connect(s, NULL);
    assert_true(heard(s, TRIES));
    size_t before = memory_used(), most = 0;
    for (int i = 0; i < MESSAGES; i++) {
        char room[64];
        assert_int_equal(pubsub_wire_send(s->pub, NULL, message, LENGTH, 0), 0);
        pubsub_wire_receive(s->sub, NULL, room, sizeof room, i % 50 == 0 ? 5 : 0);
        size_t used = memory_used();
        if (used > before && used - before > most)
            most = used - before;
    }
    /* One copy of what lies within the bound, and as much again on its way to the one who reads. */
    assert_in_range(most, LENGTH, 3 * 256 * LENGTH + (4 << 20));
    assert_true(heard(s, TRIES));
    for (int i = 0; i < STUCK; i++)
        close(stuck[i]);
}

static void subscribers_should_all_have_the_last_state(void **state)
{
    struct scene *s = *state;
    struct wire_socket *many[MANY] = {NULL};
    bool has[MANY] = {false};
    char near[160], room[64];
    int having = 0;

    snprintf(near, sizeof near, "ipc://%s/publish", s->folder);
    table_bind(s, WIRE_PUB, near, NULL);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(pubsub_wire_connect(s->far, WIRE_SUB, near, &many[i], &s->fault), 0);
        assert_int_equal(pubsub_wire_subscribe(many[i], "state.4 "), 0);
    }
    /* Whoever comes late hears the next one. */
    for (int round = 0; round < 200 && having < MANY; round++) {
        pubsub_wire_send(s->pub, NULL, "state.4 {\"last\":1}", 18, 0);
        usleep(20000);
        for (int i = 0; i < MANY; i++)
            while (pubsub_wire_receive(many[i], NULL, room, sizeof room, 0) > 0)
                if (!has[i] && strstr(room, "last"))
                    has[i] = true, having++;
    }
    assert_int_equal(having, MANY);
    for (int i = 0; i < MANY; i++)
        pubsub_wire_close(&many[i]);
}

#define IN_SCENE(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCENE(table_should_let_in_whom_it_allows),
        IN_SCENE(both_ends_should_name_a_key_that_is_not_allowed),
        IN_SCENE(both_ends_should_name_a_table_that_is_another),
        IN_SCENE(both_ends_should_name_one_without_a_key),
        IN_SCENE(display_should_name_a_table_that_takes_no_keys),
        IN_SCENE(table_should_take_and_drop_keys_while_it_runs),
        IN_SCENE(wire_should_refuse_what_others_reach_without_keys),
        IN_SCENE(publisher_should_be_heard_at_several_addresses),
        IN_SCENE(localhost_should_be_either_address),
        IN_SCENE(files_should_close_when_a_program_is_started),
        IN_SCENE(port_should_survive_rubbish),
        IN_SCENE(answerer_should_end_a_connection_that_sends_too_much),
        IN_SCENE(publisher_should_hold_little_for_who_never_reads),
        IN_SCENE(subscribers_should_all_have_the_last_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
