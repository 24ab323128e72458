/* The wire: messages arrive whole or not at all, and nobody's files or sockets are taken over. */
#include "pubsub/rundir.h"
#include "pubsub/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct scene {
    char folder[64], run[80], address[160];
    struct rundir *rundir;
    struct wire *wire;
    struct wire_socket *one, *other;
    struct wire_fault fault;
};

static int scene_open(void **state)
{
    struct scene *s = calloc(1, sizeof *s);
    if (!s)
        return -1;
    snprintf(s->folder, sizeof s->folder, "/tmp/test_wire.XXXXXX");
    if (!mkdtemp(s->folder))
        return -1;
    snprintf(s->run, sizeof s->run, "%s/run", s->folder);
    if (pubsub_rundir_open(s->run, &s->rundir, &s->fault) != 0 ||
        pubsub_rundir_address(s->run, "talk", s->address, sizeof s->address) != 0)
        return -1;
    s->wire = pubsub_wire_create();
    *state = s;
    return s->wire ? 0 : -1;
}

static int scene_close(void **state)
{
    struct scene *s = *state;
    pubsub_wire_close(&s->one);
    pubsub_wire_close(&s->other);
    pubsub_wire_destroy(&s->wire);
    pubsub_rundir_close(&s->rundir);
    char lock[96];
    snprintf(lock, sizeof lock, "%s/lock", s->run);
    int left = unlink(lock) + rmdir(s->run) + rmdir(s->folder);
    free(s);
    return left;
}

static void pair_open(struct scene *s, enum wire_kind one, enum wire_kind other)
{
    assert_int_equal(pubsub_wire_bind(s->wire, one, s->address, &s->one, &s->fault), 0);
    assert_int_equal(pubsub_wire_connect(s->wire, other, s->address, &s->other, &s->fault), 0);
}

static void wire_should_carry_messages_both_ways(void **state)
{
    struct scene *s = *state;
    struct wire_peer peer;
    char room[64];
    pair_open(s, WIRE_ROUTER, WIRE_DEALER);
    assert_int_equal(pubsub_wire_send(s->other, NULL, "event {}", 8, 1000), 0);
    assert_int_equal(pubsub_wire_receive(s->one, &peer, room, sizeof room, 2000), 8);
    assert_string_equal(room, "event {}");
    assert_true(peer.length > 0);
    assert_int_equal(pubsub_wire_send(s->one, &peer, "retell {}", 9, 1000), 0);
    assert_int_equal(pubsub_wire_receive(s->other, NULL, room, sizeof room, 2000), 9);
    assert_string_equal(room, "retell {}");
    assert_int_equal(pubsub_wire_receive(s->other, NULL, room, sizeof room, 0), PUBSUB_E_AGAIN);
}

static void wire_should_say_that_a_peer_is_gone(void **state)
{
    struct scene *s = *state;
    struct wire_peer nobody = {.name = "nobody", .length = 6};
    pair_open(s, WIRE_ROUTER, WIRE_DEALER);
    assert_int_equal(pubsub_wire_send(s->one, &nobody, "x", 1, 0), PUBSUB_E_SYSTEM);
}

static void wire_should_drop_what_does_not_fit_and_go_on(void **state)
{
    struct scene *s = *state;
    char room[9];
    pair_open(s, WIRE_ROUTER, WIRE_DEALER);
    pubsub_wire_send(s->other, NULL, "123456789", 9, 1000);
    pubsub_wire_send(s->other, NULL, "12345678", 8, 1000);
    assert_int_equal(pubsub_wire_receive(s->one, NULL, room, sizeof room, 2000), PUBSUB_E_SIZE);
    assert_int_equal(pubsub_wire_receive(s->one, NULL, room, sizeof room, 2000), 8);
    assert_string_equal(room, "12345678");
    char *large = calloc(1, WIRE_MESSAGE_MAX + 1);
    assert_non_null(large);
    assert_int_equal(pubsub_wire_send(s->other, NULL, large, WIRE_MESSAGE_MAX + 1, 0),
                     PUBSUB_E_SIZE);
    free(large);
}

static void wire_should_tell_listeners_what_they_asked_for(void **state)
{
    struct scene *s = *state;
    char room[64];
    pair_open(s, WIRE_PUB, WIRE_SUB);
    assert_int_equal(pubsub_wire_subscribe(s->other, "verdict."), 0);
    /* A subscription takes its time to get there: ask until the first one is heard. */
    int64_t got = PUBSUB_E_AGAIN;
    for (int i = 0; i < 100 && got == PUBSUB_E_AGAIN; i++) {
        pubsub_wire_send(s->one, NULL, "state.1 {}", 10, 0);
        pubsub_wire_send(s->one, NULL, "verdict.1 {}", 12, 0);
        got = pubsub_wire_receive(s->other, NULL, room, sizeof room, 50);
    }
    assert_int_equal(got, 12);
    assert_string_equal(room, "verdict.1 {}");
}

static void wire_should_wait_for_sockets_and_files(void **state)
{
    struct scene *s = *state;
    int pipes[2], files[2] = {-1, -1};
    assert_int_equal(pipe(pipes), 0);
    files[1] = pipes[0];
    pair_open(s, WIRE_ROUTER, WIRE_DEALER);
    struct wire_socket *sockets[2] = {NULL, s->one};
    assert_int_equal(pubsub_wire_wait(sockets, 2, files, 2, 0), 0);
    assert_int_equal(write(pipes[1], "x", 1), 1);
    assert_int_equal(pubsub_wire_wait(sockets, 2, files, 2, 1000), 1 << 9);
    char byte;
    assert_int_equal(read(pipes[0], &byte, 1), 1);
    pubsub_wire_send(s->other, NULL, "x", 1, 1000);
    assert_int_equal(pubsub_wire_wait(sockets, 2, files, 2, 5000), 1 << 1);
    assert_int_equal(write(pipes[1], "x", 1), 1);
    assert_int_equal(pubsub_wire_wait(sockets, 2, files, 2, 1000), 1 << 1 | 1 << 9);
    close(pipes[0]);
    close(pipes[1]);
}

static void wire_should_stay_on_this_machine(void **state)
{
    static const char *const outside[] = {
        "tcp://0.0.0.0:5555", "tcp://*:5555",      "tcp://10.0.0.1:5555", "tcp://[::]:5555",
        "ipc://here",         "udp://127.0.0.1:1", "tcp://127.0.0.10:1",  ""};
    struct scene *s = *state;
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        assert_int_equal(pubsub_wire_bind(s->wire, WIRE_PUB, outside[i], &s->one, &s->fault),
                         PUBSUB_E_ADDRESS);
        assert_null(s->one);
    }
    assert_int_equal(pubsub_wire_bind(s->wire, WIRE_PUB, "tcp://127.0.0.1:*", &s->one, &s->fault),
                     0);
}

static void rundir_should_be_held_by_one_process(void **state)
{
    struct scene *s = *state;
    pid_t child = fork();
    if (child == 0) {
        struct rundir *second;
        struct wire_fault fault;
        char number[32];
        snprintf(number, sizeof number, "process %ld", (long)getppid());
        _exit(pubsub_rundir_open(s->run, &second, &fault) == PUBSUB_E_IN_USE &&
                      strstr(fault.text, number)
                  ? 0
                  : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(pubsub_rundir_look(s->run, &s->fault), 0);
    pubsub_rundir_close(&s->rundir);
    assert_int_equal(pubsub_rundir_look(s->run, &s->fault), PUBSUB_E_SYSTEM);
    assert_int_equal(pubsub_rundir_open(s->run, &s->rundir, &s->fault), 0);
}

static void rundir_should_take_away_sockets_and_nothing_else(void **state)
{
    struct scene *s = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/journal", s->run);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    pair_open(s, WIRE_ROUTER, WIRE_DEALER);
    pubsub_wire_close(&s->one);
    pubsub_wire_close(&s->other);
    pubsub_rundir_close(&s->rundir);
    assert_int_equal(pubsub_rundir_open(s->run, &s->rundir, &s->fault), 0);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(s->address + strlen("ipc://"), F_OK), 0);
    unlink(path);
}

static void rundir_should_refuse_folders_that_others_can_write(void **state)
{
    struct scene *s = *state;
    struct rundir *other;
    char path[128];
    snprintf(path, sizeof path, "%s/open", s->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, 0777), 0);
    assert_int_equal(pubsub_rundir_open(path, &other, &s->fault), PUBSUB_E_ADDRESS);
    assert_null(other);
    rmdir(path);
    memset(path, 'a', sizeof path - 1);
    path[0] = '/';
    path[sizeof path - 1] = 0;
    assert_int_not_equal(pubsub_rundir_open(path, &other, &s->fault), 0);
    char address[200];
    assert_int_equal(pubsub_rundir_address("run", "talk", address, sizeof address),
                     PUBSUB_E_ADDRESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wire_should_carry_messages_both_ways, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(wire_should_say_that_a_peer_is_gone, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(wire_should_drop_what_does_not_fit_and_go_on, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(wire_should_tell_listeners_what_they_asked_for, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(wire_should_wait_for_sockets_and_files, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(wire_should_stay_on_this_machine, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(rundir_should_be_held_by_one_process, scene_open,
                                        scene_close),
        cmocka_unit_test_setup_teardown(rundir_should_take_away_sockets_and_nothing_else,
                                        scene_open, scene_close),
        cmocka_unit_test_setup_teardown(rundir_should_refuse_folders_that_others_can_write,
                                        scene_open, scene_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
