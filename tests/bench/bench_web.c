/* tests/bench/bench_web.c: a thousand displays at one scoreboard: bench_web PROGRAM FOLDER (neither
 * is used: the server runs in a child of this process, so that its memory is its own).
 *
 * The child serves and tells states of the size that a match has, some with a decision right
 * behind; each carries the time at which it was told. This process holds a thousand streams in one
 * thread, one of which reads nothing, and notes when each event came. Printed: how long that took
 * (median, 99 of 100, the longest, and as a ratio to one display alone), whether anybody missed
 * anything, and the child's memory. On a machine with few processors the clients' own work is part
 * of it. */
#define _GNU_SOURCE /* memmem */
#include "pubsub/web_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DISPLAYS 1000
#define STATES 40
#define STATE_BYTES 6000    /* a state of four players in mid-game */
#define DECISION_BYTES 3000 /* with its cells */
#define EVERY_MS 250
#define DECISION_EACH 4
#define GOAL_MS 200.0
#define ROOM 32768

struct display {
    int file;
    bool joined;
    int last; /* number of the last event */
    bool missed;
    char tail[64]; /* an event's beginning that came in two parts */
    size_t tailed;
};

struct bench {
    struct display display[DISPLAYS];
    int open, poll;
    double *delay_ms;
    size_t delays;
    char room[ROOM + 64];
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- the server ---- */

static int whose(void *context, const char *key)
{
    (void)context;
    (void)key;
    return WEB_NOBODY;
}

static bool seat_key(void *context, int seat, char *out, size_t size)
{
    (void)context;
    (void)seat;
    (void)out;
    (void)size;
    return false;
}

static bool time_none(void *context, int64_t *t_ns, int64_t *error_ns, int64_t *epoch)
{
    (void)context;
    *t_ns = *error_ns = *epoch = 0;
    return false;
}

/* {"~N~T~":"xxx.."}: number and time first, where a reader finds them without a parser. */
static void event_tell(struct web_hub *hub, bool decision, int number)
{
    static char data[STATE_BYTES + 64];
    const size_t bytes = decision ? DECISION_BYTES : STATE_BYTES;
    int head = snprintf(data, sizeof data, "{\"~%d~%lld~\":\"", number, (long long)now_ns());
    memset(data + head, 'x', bytes - (size_t)head - 2);
    memcpy(data + bytes - 2, "\"}", 3);
    const struct web_news news = {.event = decision ? "verdict" : "state",
                                  .data = data,
                                  .keep = decision ? WEB_DECISION : WEB_STATE,
                                  .seq = number,
                                  .epoch = 1};
    pubsub_web_hub_tell(hub, &news);
}

static long memory_kb(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kb = -1;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kb = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return kb;
}

/* Serves until it was told enough; a byte on `go` begins the telling. */
static int serve(int port_to, int go)
{
    struct web_options options = {.assets = pubsub_web_assets,
                                  .asset_count = pubsub_web_asset_count,
                                  .hub = pubsub_web_hub_create(),
                                  .asks = pubsub_web_desk_create(),
                                  .looks = pubsub_web_desk_create(),
                                  .calls = {whose, seat_key, time_none, NULL, NULL}};
    struct web_server *server = NULL;
    struct wire_fault fault;
    char text[64], byte;
    int number = 0;

    if (!options.hub || !options.asks || !options.looks ||
        !pubsub_web_address_parse("127.0.0.1:0", &options.listen) ||
        pubsub_web_server_start(&options, &server, &fault) != 0)
        return 1;
    pubsub_web_server_address(server, text, sizeof text);
    int port = (int)strtol(strrchr(text, ':') + 1, NULL, 10);
    if (write(port_to, &port, sizeof port) != sizeof port)
        return 1;
    while (read(go, &byte, 1) == 1) {
        for (int i = 0; i < STATES; i++) {
            event_tell(options.hub, false, number++);
            if (i % DECISION_EACH == 0)
                event_tell(options.hub, true, number++);
            usleep(EVERY_MS * 1000);
        }
        long kb = memory_kb();
        if (write(port_to, &kb, sizeof kb) != sizeof kb)
            return 1;
    }
    int64_t began_ns = now_ns();
    pubsub_web_server_stop(&server);
    long stop_ms = (long)((now_ns() - began_ns) / 1000000);
    return write(port_to, &stop_ms, sizeof stop_ms) != sizeof stop_ms;
}

/* ---- the displays ---- */

static int display_open(struct bench *bench, int port)
{
    struct display *display = &bench->display[bench->open];
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    char head[128];
    int length =
        snprintf(head, sizeof head, "GET /events HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", port);

    memset(display, 0, sizeof *display);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    display->last = -1;
    display->file = socket(AF_INET, SOCK_STREAM, 0);
    if (display->file < 0 || connect(display->file, (const struct sockaddr *)&at, sizeof at) != 0 ||
        send(display->file, head, (size_t)length, MSG_NOSIGNAL) != length)
        return -1;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = display};
    bench->open++;
    return epoll_ctl(bench->poll, EPOLL_CTL_ADD, display->file, &event);
}

/* An event's number and time, at "~". */
static void event_note(struct bench *bench, struct display *display, const char *at,
                       int64_t came_ns)
{
    char *end;
    int number = (int)strtol(at + 1, &end, 10);
    int64_t told_ns = *end == '~' ? strtoll(end + 1, &end, 10) : 0;

    if (told_ns == 0)
        return;
    display->missed |= display->last >= 0 && number != display->last + 1;
    display->last = number;
    if (display->joined)
        bench->delay_ms[bench->delays++] = (double)(came_ns - told_ns) / 1e6;
}

/* The x's are never looked at; what may be cut in two is kept for the next part. */
static void display_read(struct bench *bench, struct display *display)
{
    memcpy(bench->room, display->tail, display->tailed);
    ssize_t got =
        recv(display->file, bench->room + display->tailed, ROOM - display->tailed, MSG_DONTWAIT);
    int64_t came_ns = now_ns();

    if (got <= 0)
        return;
    size_t length = display->tailed + (size_t)got, at = 0;
    bench->room[length] = 0;
    display->tailed = 0;
    while (at < length) {
        char *mark = memchr(bench->room + at, '~', length - at);
        if (!mark)
            break;
        char *second = strchr(mark + 1, '~'), *third = second ? strchr(second + 1, '~') : NULL;
        if (!third) {
            display->tailed = (size_t)(bench->room + length - mark);
            memcpy(display->tail, mark, display->tailed);
            return;
        }
        event_note(bench, display, mark, came_ns);
        at = (size_t)(third + 1 - bench->room);
    }
    if (!display->joined && memmem(bench->room, length, "event: joined", 13))
        display->joined = true;
}

static void displays_read(struct bench *bench, int timeout_ms)
{
    struct epoll_event event[256];
    int count = epoll_wait(bench->poll, event, 256, timeout_ms);

    for (int i = 0; i < count; i++)
        display_read(bench, event[i].data.ptr);
}

static int joined(const struct bench *bench)
{
    int count = 0;
    for (int i = 0; i < bench->open; i++)
        count += bench->display[i].joined;
    return count;
}

static int compare(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* One telling to all that are open. The median delay, or -1. */
static double round_run(struct bench *bench, int from_server, int go, bool stuck)
{
    const int told = STATES + STATES / DECISION_EACH;
    int hearers = bench->open - stuck, whole = 0;
    int64_t until_ns = now_ns() + (int64_t)(STATES * EVERY_MS + 5000) * 1000000;
    long kb = -1;

    bench->delays = 0;
    if (write(go, "g", 1) != 1)
        return -1;
    while (now_ns() < until_ns && bench->delays < (size_t)told * (size_t)hearers)
        displays_read(bench, 100);
    for (int i = 0; i < hearers; i++)
        whole += bench->display[i].joined && !bench->display[i].missed;
    qsort(bench->delay_ms, bench->delays, sizeof *bench->delay_ms, compare);
    if (bench->delays == 0 || read(from_server, &kb, sizeof kb) != sizeof kb)
        return -1;
    double median = bench->delay_ms[bench->delays / 2],
           longest = bench->delay_ms[bench->delays - 1];
    printf("  %d displays%s: %zu of %zu events came, %d of %d displays missed nothing\n",
           bench->open, stuck ? ", one stuck" : "", bench->delays, (size_t)told * (size_t)hearers,
           whole, hearers);
    printf("    told to received: median %.2f ms, 99 of 100 under %.2f ms, longest %.2f ms%s\n",
           median, bench->delay_ms[bench->delays * 99 / 100], longest,
           longest > GOAL_MS ? ", ABOVE THE GOAL" : "");
    printf("    the server's memory at most %.1f MB\n", (double)kb / 1024);
    return median;
}

static int bench_run(struct bench *bench, int from_server, int go)
{
    int port = 0;
    long stop_ms = -1;

    if (read(from_server, &port, sizeof port) != sizeof port || display_open(bench, port) != 0)
        return 1;
    while (!bench->display[0].joined)
        displays_read(bench, 100);
    double one = round_run(bench, from_server, go, false);
    int64_t began_ns = now_ns();
    while (bench->open < DISPLAYS)
        if (display_open(bench, port) != 0)
            return 1;
    /* The last one stays open and is never read. */
    struct display *stuck = &bench->display[DISPLAYS - 1];
    epoll_ctl(bench->poll, EPOLL_CTL_DEL, stuck->file, NULL);
    while (joined(bench) < DISPLAYS - 1 && now_ns() - began_ns < (int64_t)30000000000)
        displays_read(bench, 100);
    printf("  %d displays joined in %.0f ms\n", joined(bench), (double)(now_ns() - began_ns) / 1e6);
    /* A snapshot's numbers have gaps; from here on there may be none. */
    for (int i = 0; i < DISPLAYS; i++) {
        bench->display[i].last = -1;
        bench->display[i].missed = false;
    }
    double all = round_run(bench, from_server, go, true);
    if (one > 0 && all > 0)
        printf("    ratio of the medians, all to one: %.1f\n", all / one);
    close(go);
    if (read(from_server, &stop_ms, sizeof stop_ms) == sizeof stop_ms)
        printf("  stopped with all of them connected in %ld ms\n", stop_ms);
    return one > 0 && all > 0 ? 0 : 1;
}

int main(void)
{
    struct rlimit files = {0, 0};
    int from[2], to[2], status = 0;
    struct bench *bench = calloc(1, sizeof *bench);

    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &files);
    if (!bench || pipe(from) != 0 || pipe(to) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        close(to[1]);
        close(from[0]);
        _exit(serve(from[1], to[0]));
    }
    close(to[0]);
    close(from[1]);
    bench->delay_ms = malloc((size_t)DISPLAYS * STATES * 2 * sizeof *bench->delay_ms);
    bench->poll = epoll_create1(EPOLL_CLOEXEC);
    printf("Web displays, a state of %d kB every %d ms, every %dth with a decision:\n",
           STATE_BYTES / 1000, EVERY_MS, DECISION_EACH);
    fflush(stdout);
    int failed = child < 0 || !bench->delay_ms || bench_run(bench, from[0], to[1]);
    if (failed && child > 0)
        kill(child, SIGTERM);
    if (child > 0)
        waitpid(child, &status, 0);
    free(bench->delay_ms);
    free(bench);
    return failed || status != 0;
}
