/* A follower over real sockets: it joins late, heals, survives a restart, and asks. What it makes
 * of messages is tried at length in test_track.c. */
#include "pubsub/follow.h"
#include "pubsub/rundir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

#include <cmocka.h>

#define LARGE (WIRE_MESSAGE_MAX + 1024)

struct scene {
    char folder[64], run[80], publish[160], requests[160];
    struct rundir *rundir;
    struct wire *wire;
    struct wire_socket *pub, *rep;
    struct wire_fault fault;
    struct follow *follow;
    struct message_head head;
    uint64_t seq[MESSAGE_KINDS];
    int verdicts, voids, states, late, noted[FOLLOW_KEY + 1];
    char text[256];
};

static void hear_message(void *context, const struct message_head *head, const json_t *body,
                         bool late)
{
    struct scene *s = context;

    (void)body;
    s->verdicts += head->kind == MESSAGE_VERDICT;
    s->voids += head->kind == MESSAGE_VOID;
    s->states += head->kind == MESSAGE_STATE;
    s->late += late;
}

static void hear_note(void *context, enum follow_note what, const char *text)
{
    struct scene *s = context;

    s->noted[what]++;
    snprintf(s->text, sizeof s->text, "%s", text);
}

static int table_open(struct scene *s, const char *source)
{
    snprintf(s->head.source, sizeof s->head.source, "%s", source);
    s->head.epoch++;
    memset(s->seq, 0, sizeof s->seq);
    return pubsub_wire_bind(s->wire, WIRE_PUB, s->publish, &s->pub, &s->fault) |
           pubsub_wire_bind(s->wire, WIRE_REP, s->requests, &s->rep, &s->fault);
}

static void table_close(struct scene *s)
{
    pubsub_wire_close(&s->pub);
    pubsub_wire_close(&s->rep);
}

static int scene_open(void **state)
{
    struct scene *s = calloc(1, sizeof *s);

    if (!s)
        return -1;
    *state = s;
    snprintf(s->folder, sizeof s->folder, "/tmp/test_follow.XXXXXX");
    if (!mkdtemp(s->folder))
        return -1;
    snprintf(s->run, sizeof s->run, "%s/run", s->folder);
    snprintf(s->head.table, sizeof s->head.table, "4");
    snprintf(s->head.match, sizeof s->head.match, "final");
    if (pubsub_rundir_open(s->run, &s->rundir, &s->fault) != 0 ||
        pubsub_rundir_address(s->run, "publish", s->publish, sizeof s->publish) != 0 ||
        pubsub_rundir_address(s->run, "requests", s->requests, sizeof s->requests) != 0)
        return -1;
    s->wire = pubsub_wire_create();
    return s->wire ? table_open(s, "00c0ffee00c0ffee") : -1;
}

static int scene_close(void **state)
{
    struct scene *s = *state;
    char lock[96];

    pubsub_follow_close(&s->follow);
    table_close(s);
    pubsub_wire_destroy(&s->wire);
    pubsub_rundir_close(&s->rundir);
    snprintf(lock, sizeof lock, "%s/lock", s->run);
    int left = unlink(lock) + rmdir(s->run) + rmdir(s->folder);
    free(s);
    return left;
}

static void follow_begin(struct scene *s)
{
    struct follow_options options = {
        .publish = s->publish, .requests = s->requests, .table = "4", .kinds = ~0u};
    struct follow_sink sink = {hear_message, hear_note, s};

    assert_int_equal(pubsub_follow_open(s->wire, &options, &sink, &s->follow, &s->fault), 0);
}

static void say(struct scene *s, enum message_kind kind, const char *members)
{
    size_t length;
    char *text;

    s->head.kind = kind;
    s->head.seq = ++s->seq[kind];
    assert_int_equal(pubsub_message_make(&s->head, members, &text, &length), 0);
    pubsub_wire_send(s->pub, NULL, text, length, 0);
    free(text);
}

static void say_verdict(struct scene *s, int seq)
{
    char members[100];

    snprintf(members, sizeof members, "\"decision\":{\"seq\":%d,\"index\":0,\"decision\":\"win\"}",
             seq);
    say(s, MESSAGE_VERDICT, members);
}

static void say_state(struct scene *s)
{
    char members[200];

    snprintf(
        members, sizeof members,
        "\"state\":{},\"heads\":{\"verdict\":%d,\"void\":0,\"state\":0,\"layout\":0,\"health\":0}",
        (int)s->seq[MESSAGE_VERDICT]);
    say(s, MESSAGE_STATE, members);
}

/* A snapshot's text, which has as many decisions as the table said verdicts. The caller frees it.
 */
static char *snapshot_make(const struct scene *s, const char *request, size_t padding,
                           size_t *length)
{
    size_t size = 8192 + padding, used;
    char *text = malloc(size);
    const char *id = strstr(request, "\"id\":");

    assert_non_null(text);
    assert_non_null(id);
    used = (size_t)snprintf(text, size,
                            "{\"v\":1,%.*s,\"ok\":true,\"table\":\"4\",\"match\":\"final\","
                            "\"source\":\"%s\",\"epoch\":%d,\"state\":{},\"padding\":\"%*s\","
                            "\"heads\":{\"verdict\":%d,\"void\":%d,\"state\":%d,\"layout\":0,"
                            "\"health\":0},\"decisions\":[",
                            (int)strcspn(id, ","), id, s->head.source, (int)s->head.epoch,
                            (int)padding, "", (int)s->seq[MESSAGE_VERDICT],
                            (int)s->seq[MESSAGE_VOID], (int)s->seq[MESSAGE_STATE]);
    for (int i = 1; i <= (int)s->seq[MESSAGE_VERDICT]; i++)
        used += (size_t)snprintf(text + used, size - used,
                                 "%s{\"seq\":%d,\"index\":0,\"decision\":\"win\"}",
                                 i > 1 ? "," : "", i);
    used += (size_t)snprintf(text + used, size - used, "]}");
    *length = used;
    return text;
}

static void table_answer(struct scene *s)
{
    char request[256];
    size_t length;

    while (s->rep && pubsub_wire_receive(s->rep, NULL, request, sizeof request, 0) > 0) {
        if (strstr(request, "time")) {
            pubsub_wire_send(s->rep, NULL, request, strlen(request), 0);
            continue;
        }
        char *text = snapshot_make(s, request, 0, &length);
        pubsub_wire_send(s->rep, NULL, text, length, 0);
        free(text);
    }
}

/* Both sides, until that holds, for 20 s at most. */
static bool until(struct scene *s, const int *what, int least)
{
    for (int i = 0; i < 2000 && *what < least; i++) {
        table_answer(s);
        assert_true(pubsub_follow_turn(s->follow, NULL, 0, 10) >= 0);
    }
    return *what >= least;
}

static bool until_states(struct scene *s, int more)
{
    int wanted = s->states + more;

    for (int i = 0; i < 200 && s->states < wanted; i++) {
        int next = s->states + 1;
        say_state(s);
        for (int turn = 0; turn < 10 && s->states < next; turn++) {
            table_answer(s);
            assert_true(pubsub_follow_turn(s->follow, NULL, 0, 10) >= 0);
        }
    }
    return s->states >= wanted;
}

static void follower_should_join_late_and_go_on(void **state)
{
    struct scene *s = *state;

    say_verdict(s, 1);
    say_verdict(s, 2);
    follow_begin(s);
    assert_true(until(s, &s->noted[FOLLOW_JOINED], 1));
    assert_int_equal(s->verdicts, 2);
    assert_true(until_states(s, 2));
    say_verdict(s, 3);
    assert_true(until(s, &s->verdicts, 3));
    assert_int_equal(s->noted[FOLLOW_GAP], 0);
}

static void follower_should_heal_a_gap(void **state)
{
    struct scene *s = *state;

    follow_begin(s);
    assert_true(until(s, &s->noted[FOLLOW_JOINED], 1));
    assert_true(until_states(s, 2));
    s->seq[MESSAGE_VERDICT]++;
    say_state(s);
    assert_true(until(s, &s->verdicts, 1));
    assert_int_equal(s->noted[FOLLOW_GAP], 1);
    assert_int_equal(s->noted[FOLLOW_JOINED], 2);
}

static void follower_should_survive_a_restart(void **state)
{
    struct scene *s = *state;

    follow_begin(s);
    say_verdict(s, 1);
    assert_true(until(s, &s->verdicts, 1));
    assert_true(until_states(s, 2));
    table_close(s);
    assert_true(until(s, &s->noted[FOLLOW_STALE], 1));
    assert_int_equal(table_open(s, "0000000000000002"), 0);
    say_verdict(s, 1);
    say_verdict(s, 2);
    assert_true(until_states(s, 3));
    assert_true(until(s, &s->noted[FOLLOW_BACK], 1));
    assert_int_equal(s->verdicts, 2);
    assert_int_equal(s->noted[FOLLOW_TWO], 0);
}

/* Our own wire sends nothing so large: the table is played by a bare socket. */
static void follower_should_get_over_a_snapshot_that_is_too_large(void **state)
{
    struct scene *s = *state;
    void *context = zmq_ctx_new(), *bare = zmq_socket(context, ZMQ_REP);
    char request[256] = "";
    size_t length;

    /* An address of its own: the other socket may take its file away as it closes. */
    assert_int_equal(pubsub_rundir_address(s->run, "bare", s->requests, sizeof s->requests), 0);
    assert_int_equal(zmq_bind(bare, s->requests), 0);
    follow_begin(s);
    for (int i = 0, asked = 0; i < 1000 && s->noted[FOLLOW_JOINED] == 0; i++) {
        assert_true(pubsub_follow_turn(s->follow, NULL, 0, 10) >= 0);
        if (zmq_recv(bare, request, sizeof request - 1, ZMQ_DONTWAIT) < 0)
            continue;
        char *text = snapshot_make(s, request, asked++ < 2 ? LARGE : LARGE / 2, &length);
        zmq_send(bare, text, length, 0);
        free(text);
    }
    assert_int_equal(s->noted[FOLLOW_JOINED], 1);
    assert_true(s->noted[FOLLOW_STALE] <= 1);
    zmq_close(bare);
    zmq_ctx_term(context);
}

static void follower_should_ask_until_there_is_an_answer(void **state)
{
    struct scene *s = *state;
    const char *text;
    size_t length;

    follow_begin(s);
    /* Nobody answers while this waits. */
    assert_int_equal(pubsub_follow_ask(s->follow, "{\"do\":\"time\"}", 13, 100, &text, &length),
                     PUBSUB_E_AGAIN);
    assert_null(text);
    table_answer(s);
    /* What was answered when nobody waited any longer is no answer to the next request. */
    assert_int_equal(pubsub_follow_ask(s->follow, "{\"do\":\"time\"}", 13, 100, &text, &length),
                     PUBSUB_E_AGAIN);
}

static void follower_should_watch_files_besides(void **state)
{
    struct scene *s = *state;
    int files[2];

    follow_begin(s);
    assert_int_equal(pipe(files), 0);
    assert_int_equal(pubsub_follow_turn(s->follow, files, 1, 0), 0);
    assert_int_equal(write(files[1], "x", 1), 1);
    assert_int_equal(pubsub_follow_turn(s->follow, files, 1, 1000) & 1, 1);
    close(files[0]);
    close(files[1]);
}

static void follower_should_refuse_what_it_cannot_use(void **state)
{
    struct scene *s = *state;
    struct follow_options options = {
        .publish = "tcp://203.0.113.1:5555", .requests = s->requests, .kinds = ~0u};
    struct follow_sink sink = {.message = NULL};

    assert_int_equal(pubsub_follow_open(s->wire, &options, &sink, &s->follow, &s->fault),
                     PUBSUB_E_ADDRESS);
    options.publish = s->publish;
    options.table = "no such name";
    assert_int_equal(pubsub_follow_open(s->wire, &options, &sink, &s->follow, &s->fault),
                     PUBSUB_E_ARGUMENT);
}

#define IN_SCENE(name) cmocka_unit_test_setup_teardown(name, scene_open, scene_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCENE(follower_should_join_late_and_go_on),
        IN_SCENE(follower_should_heal_a_gap),
        IN_SCENE(follower_should_survive_a_restart),
        IN_SCENE(follower_should_get_over_a_snapshot_that_is_too_large),
        IN_SCENE(follower_should_ask_until_there_is_an_answer),
        IN_SCENE(follower_should_watch_files_besides),
        IN_SCENE(follower_should_refuse_what_it_cannot_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
