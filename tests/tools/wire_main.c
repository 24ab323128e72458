/* tests/tools/wire_main.c: a bare end of the wire, for the tests of commands.
 *
 *   wire listen ADDRESS SECONDS [BEGINNING]   prints each message that comes, a line each
 *   wire ask ADDRESS REQUEST...               asks, and prints the answers, a line each; "-" stands
 *                                             for the lines of standard input
 *   wire when ADDRESS T_NS REQUEST...         the same once the match's time is that, for at most a
 *                                             minute
 *   wire keys DIR NAME                        makes a table's keys there, and a display's; prints
 * the display's file WIRE_KEYS in the environment is such a file: the keys to connect with. */
#include "pubsub/keys.h"
#include "pubsub/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int say(const char *text)
{
    fprintf(stderr, "wire: %s\n", text);
    return 1;
}

static int listen_to(struct wire_socket *socket, char *room, const char *beginning, double seconds)
{
    int64_t until_ms = now_ms() + (int64_t)(seconds * 1000), left_ms;

    pubsub_wire_subscribe(socket, beginning);
    while ((left_ms = until_ms - now_ms()) > 0)
        if (pubsub_wire_receive(socket, NULL, room, WIRE_MESSAGE_MAX + 1, (int)left_ms) > 0) {
            puts(room);
            fflush(stdout);
        }
    return 0;
}

static int ask(struct wire_socket *socket, char *room, const char *request)
{
    int64_t length = -1;

    if (pubsub_wire_send(socket, NULL, request, strlen(request), 1000) == PUBSUB_OK)
        length = pubsub_wire_receive(socket, NULL, room, WIRE_MESSAGE_MAX + 1, 5000);
    if (length < 0)
        return say("no answer");
    fwrite(room, 1, (size_t)length, stdout);
    putchar('\n');
    fflush(stdout);
    return 0;
}

static int ask_lines(struct wire_socket *socket, char *room)
{
    static char line[1 << 20];
    int status = 0;

    while (status == 0 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        status = ask(socket, room, line);
    }
    return status;
}

/* The match's time in an answer, or -1. */
static int64_t time_of(const char *answer)
{
    const char *at = strstr(answer, "\"t_ns\":");

    return at ? strtoll(at + strlen("\"t_ns\":"), NULL, 10) : -1;
}

/* A table that does not answer, or has not begun, is asked again. */
static int wait_for(struct wire_socket *socket, char *room, int64_t t_ns)
{
    static const char question[] = "{\"v\":1,\"id\":\"when\",\"do\":\"time\"}";
    const struct timespec nap = {.tv_nsec = 20000000};
    int64_t until_ms = now_ms() + 60000;

    while (now_ms() < until_ms) {
        if (pubsub_wire_send(socket, NULL, question, sizeof question - 1, 1000) == PUBSUB_OK &&
            pubsub_wire_receive(socket, NULL, room, WIRE_MESSAGE_MAX + 1, 1000) > 0 &&
            time_of(room) >= t_ns)
            return 0;
        nanosleep(&nap, NULL);
    }
    return say("that time did not come");
}

static int ask_all(struct wire_socket *socket, char *room, char **request, int count)
{
    int status = 0;

    for (int i = 0; i < count && status == 0; i++)
        status =
            strcmp(request[i], "-") == 0 ? ask_lines(socket, room) : ask(socket, room, request[i]);
    return status;
}

static int keys_make(const char *folder, const char *name)
{
    struct wire_fault fault = {.text = ""};
    char path[512];

    if (pubsub_keys_make(folder, &fault) != PUBSUB_OK ||
        pubsub_keys_add(folder, name, path, sizeof path, &fault) != PUBSUB_OK)
        return say(fault.text);
    puts(path);
    return 0;
}

static int socket_open(struct wire *wire, bool listens, const char *address,
                       struct wire_socket **out, struct wire_fault *fault)
{
    const char *path = getenv("WIRE_KEYS");
    struct wire_keys *keys = NULL;
    int error = path ? pubsub_keys_display(path, &keys, fault) : PUBSUB_OK;

    if (error == PUBSUB_OK)
        error = pubsub_wire_connect_keys(wire, listens ? WIRE_SUB : WIRE_REQ, address, keys, out,
                                         fault);
    pubsub_keys_destroy(&keys);
    return error;
}

int main(int argc, char **argv)
{
    struct wire_fault fault = {.text = ""};
    struct wire_socket *socket = NULL;
    struct wire *wire = pubsub_wire_create();
    char *room = malloc(WIRE_MESSAGE_MAX + 1);
    bool listens = argc > 3 && strcmp(argv[1], "listen") == 0;
    int status = 0;

    if (!wire || !room || argc < 4)
        status =
            say("usage: wire listen ADDRESS SECONDS [BEGINNING] | wire ask ADDRESS REQUEST...");
    else if (strcmp(argv[1], "keys") == 0) {
        status = keys_make(argv[2], argv[3]);
    } else if (socket_open(wire, listens, argv[2], &socket, &fault) != PUBSUB_OK) {
        status = say(fault.text);
    } else if (listens) {
        status = listen_to(socket, room, argc > 4 ? argv[4] : "", strtod(argv[3], NULL));
    } else if (strcmp(argv[1], "when") == 0) {
        status = wait_for(socket, room, strtoll(argv[3], NULL, 10));
        if (status == 0)
            status = ask_all(socket, room, argv + 4, argc - 4);
    } else {
        status = ask_all(socket, room, argv + 3, argc - 3);
    }
    pubsub_wire_close(&socket);
    pubsub_wire_destroy(&wire);
    free(room);
    return status;
}
