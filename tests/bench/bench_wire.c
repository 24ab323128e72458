/* bench_wire: how long a published message is on its way to 200 subscribers on one machine.
 * Arguments are ignored.
 *
 * A publisher in this process, subscribers in another (as many sockets, one loop), messages of a
 * state's size, twenty a second. The time runs from the send to the receipt in each subscriber. A
 * figure of a shared machine proves little, so each stands beside that of one subscriber, measured
 * in the same run. The goal is printed and fails nothing; a message that was lost does. */
#include "pubsub/wire.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#define NS_PER_MS 1000000.0
#define GOAL_MS 200.0
#define SUBSCRIBERS 200
#define MESSAGES 60
#define LENGTH 4000
#define EVERY_US 50000
#define JOIN_US 2000000 /* until all subscriptions stand; two hundred take some tenths of it */
#define QUIET_MS 3000   /* after the last one nothing more comes */

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int delay_compare(const void *one, const void *other)
{
    int64_t first = *(const int64_t *)one, second = *(const int64_t *)other;

    return (first > second) - (first < second);
}

/* Every delay of every subscriber, until all have come or nothing does. */
static size_t delays_take(void *const *sockets, int count, int64_t *delay, size_t most)
{
    zmq_pollitem_t items[SUBSCRIBERS];
    char room[LENGTH];
    size_t taken = 0;

    for (int i = 0; i < count; i++)
        items[i] = (zmq_pollitem_t){.socket = sockets[i], .events = ZMQ_POLLIN};
    while (taken < most && zmq_poll(items, count, JOIN_US / 1000 + QUIET_MS) > 0)
        for (int i = 0; i < count; i++)
            while (taken < most && zmq_recv(sockets[i], room, sizeof room, ZMQ_DONTWAIT) > 0)
                delay[taken++] = now_ns() - strtoll(room + strlen("state.4 "), NULL, 10);
    return taken;
}

/* In a process of its own. Its status: 0, or 1 when something was lost. */
static int listen_in(const char *address, int count, int report)
{
    static int64_t delay[SUBSCRIBERS * MESSAGES];
    size_t most = (size_t)count * MESSAGES;
    void *context = zmq_ctx_new(), *sockets[SUBSCRIBERS];
    double figures[3];

    for (int i = 0; i < count; i++) {
        sockets[i] = zmq_socket(context, ZMQ_SUB);
        zmq_setsockopt(sockets[i], ZMQ_SUBSCRIBE, "state.4 ", 8);
        if (zmq_connect(sockets[i], address) != 0)
            return 1;
    }
    size_t taken = delays_take(sockets, count, delay, most);
    qsort(delay, taken, sizeof delay[0], delay_compare);
    if (taken == 0)
        return 1;
    figures[0] = (double)delay[taken / 2] / NS_PER_MS;
    figures[1] = (double)delay[taken * 99 / 100] / NS_PER_MS;
    figures[2] = (double)delay[taken - 1] / NS_PER_MS;
    return write(report, figures, sizeof figures) != sizeof figures || taken < most;
}

static void publish(struct wire_socket *socket)
{
    char message[LENGTH];

    memset(message, 'x', sizeof message);
    usleep(JOIN_US);
    for (int i = 0; i < MESSAGES; i++) {
        int length = snprintf(message, sizeof message, "state.4 %lld", (long long)now_ns());
        message[length] = ' ';
        pubsub_wire_send(socket, NULL, message, sizeof message, 0);
        usleep(EVERY_US);
    }
}

/* Median, 99th percentile and longest in ms. The listeners start before this process has a wire. */
static int measure(const char *address, int count, double figures[3])
{
    struct wire_socket *socket = NULL;
    struct wire_fault fault = {.text = ""};
    int report[2], status = 1;

    if (pipe(report) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0)
        _exit(listen_in(address, count, report[1]));
    struct wire *wire = child > 0 ? pubsub_wire_create() : NULL;
    if (wire && pubsub_wire_bind(wire, WIRE_PUB, address, &socket, &fault) == PUBSUB_OK)
        publish(socket);
    else if (child > 0)
        kill(child, SIGKILL);
    if (child > 0)
        waitpid(child, &status, 0);
    pubsub_wire_close(&socket);
    pubsub_wire_destroy(&wire);
    close(report[1]);
    bool whole = read(report[0], figures, 3 * sizeof figures[0]) == 3 * (ssize_t)sizeof figures[0];
    close(report[0]);
    if (status != 0 || !whole)
        fprintf(stderr, "bench_wire: %d subscribers: not all heard everything %s\n", count,
                fault.text);
    return status != 0 || !whole;
}

int main(void)
{
    static const char *const names[] = {"median", "99th percentile", "longest"};
    char folder[] = "/tmp/bench_wire.XXXXXX", one_address[64], many_address[64];
    double one[3], many[3];

    if (!mkdtemp(folder))
        return 1;
    snprintf(one_address, sizeof one_address, "ipc://%s/one", folder);
    snprintf(many_address, sizeof many_address, "ipc://%s/many", folder);
    int failed = measure(one_address, 1, one) || measure(many_address, SUBSCRIBERS, many);
    rmdir(folder);
    if (failed)
        return 1;
    printf("published to received, %d subscribers on this machine, %d messages of %d bytes, none "
           "lost:\n",
           SUBSCRIBERS, MESSAGES, LENGTH);
    for (int i = 0; i < 3; i++)
        printf("  %-16s %8.2f ms  (%.1f times that of one; goal %.0f ms)\n", names[i], many[i],
               one[i] > 0 ? many[i] / one[i] : 0.0, GOAL_MS);
    return 0;
}
