/* vision/cmd_verify_pool.c: workers: processes of their own, so that a picture that brings one down
 * brings down nothing else. */
#include "calib/file.h"
#include "referee/cmd_common.h"
#include "vision/cmd_verify_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS_MOST 256
#define LOOK_MS 200
/* The longest line is that of a match in which everything differs. */
#define LINE_MOST ((size_t)256 << 20)
/* Of what a worker said of one thing. */
#define SAID_MOST 16384

struct process {
    pid_t id;     /* 0: not running */
    int to, from; /* numbers go in, lines come out */
    int said;     /* what it writes to stderr */
    int number;   /* what it is at; -1: nothing */
    char *line;
    size_t length, room;
};

struct pool {
    const struct verify_how *how;
    const struct verify_list *list;
    const struct verify_pool_sink *sink;
    struct process process[WORKERS_MOST];
    int workers;
    bool stop, failed;
};

/* ---- within a worker ---- */

static int said_file = -1;
static char said_text[SAID_MOST];

/* A file that is fd 2 of a worker: read, and emptied. Its parent does so when it died. */
static const char *said_take(int file, char text[SAID_MOST])
{
    ssize_t got = pread(file, text, SAID_MOST - 1, 0);

    text[got > 0 ? got : 0] = 0;
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        text[0] = 0;
    return text;
}

static const char *said_own(void)
{
    fflush(stderr);
    return said_take(said_file, said_text);
}

/* Until its parent has nothing more. */
static void work(const struct pool *pool, int in, int out)
{
    struct verify_worker *worker = verify_worker_create(pool->how, pool->list);
    struct json_text line;
    int number;

    while (worker && read(in, &number, sizeof number) == sizeof number) {
        vision_json_init(&line);
        verify_worker_do(worker, number, said_own, &line);
        vision_json_raw(&line, "\n");
        bool sent = !line.failed && calib_bytes_write(out, line.bytes, line.length) == 0;
        vision_json_free(&line);
        if (!sent)
            break;
    }
    verify_worker_destroy(&worker);
}

/* It lives no longer than its parent, and leaves interrupts to it. */
static void become(const struct pool *pool, const struct process *process, int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    for (int i = 0; i < pool->workers; i++)
        if (pool->process[i].id > 0) {
            close(pool->process[i].to);
            close(pool->process[i].from);
        }
    said_file = process->said;
    dup2(process->said, STDERR_FILENO);
    work(pool, in, out);
    _exit(0);
}

/* ---- workers ---- */

static void process_close(struct process *process)
{
    if (process->id <= 0)
        return;
    close(process->to);
    close(process->from);
    close(process->said);
    free(process->line);
    *process = (struct process){.number = -1};
}

/* A file without a name; -1: there is none. */
static int scratch_open(void)
{
    FILE *scratch = tmpfile();
    int file = scratch ? dup(fileno(scratch)) : -1;

    if (scratch)
        fclose(scratch);
    return file;
}

static bool process_start(struct pool *pool, struct process *process)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};

    *process = (struct process){.number = -1};
    process->said = scratch_open();
    bool well = process->said >= 0 && pipe(to) == 0 && pipe(from) == 0;
    fflush(stdout);
    pid_t id = well ? fork() : -1;
    if (id == 0) {
        close(to[1]);
        close(from[0]);
        become(pool, process, to[0], from[1]);
    }
    if (id < 0) {
        cmd_error("verify: a worker cannot be started: %s", strerror(errno));
        int *const files[] = {&to[0], &to[1], &from[0], &from[1], &process->said};
        for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
            if (*files[i] >= 0)
                close(*files[i]);
        return false;
    }
    close(to[0]);
    close(from[1]);
    process->id = id;
    process->to = to[1];
    process->from = from[0];
    return true;
}

/* Gives it something to do; with nothing left it ends. */
static void process_feed(struct pool *pool, struct process *process)
{
    int number = pool->stop ? -1 : pool->sink->next(pool->sink->context);

    process->number = number;
    if (number >= 0 && write(process->to, &number, sizeof number) == sizeof number)
        return;
    if (number < 0) {
        int status;
        close(process->to);
        process->to = open("/dev/null", O_WRONLY | O_CLOEXEC);
        waitpid(process->id, &status, 0);
        process_close(process);
    }
}

/* It ended by itself: what it was at is named, and another goes on. */
static void process_died(struct pool *pool, struct process *process)
{
    char how[64], text[SAID_MOST];
    int status = 0, number = process->number;

    waitpid(process->id, &status, 0);
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "signal %d", WTERMSIG(status));
    else
        snprintf(how, sizeof how, "status %d", WEXITSTATUS(status));
    said_take(process->said, text);
    process_close(process);
    if (number >= 0 && !pool->sink->crashed(pool->sink->context, number, how, text))
        pool->stop = true;
    if (!pool->stop && process_start(pool, process))
        process_feed(pool, process);
}

/* Takes what came; whole lines are told. */
static void process_read(struct pool *pool, struct process *process)
{
    if (process->length + 65536 > process->room) {
        size_t room = 2 * process->room + 131072;
        char *grown = room <= LINE_MOST ? realloc(process->line, room) : NULL;
        if (!grown) {
            cmd_error("out of memory");
            pool->stop = pool->failed = true;
            return;
        }
        process->line = grown;
        process->room = room;
    }
    ssize_t got = read(process->from, process->line + process->length, 65536);
    if (got <= 0) {
        process_died(pool, process);
        return;
    }
    process->length += (size_t)got;
    if (process->line[process->length - 1] != '\n')
        return; /* one thing at a time: a newline is the end of it */
    process->line[process->length - 1] = 0;
    if (!pool->sink->done(pool->sink->context, process->number, process->line, process->length - 1))
        pool->stop = true;
    process->length = 0;
    process_feed(pool, process);
}

static int running(const struct pool *pool, struct pollfd file[WORKERS_MOST], int at[WORKERS_MOST])
{
    int count = 0;

    for (int i = 0; i < pool->workers; i++)
        if (pool->process[i].id > 0) {
            at[count] = i;
            file[count++] = (struct pollfd){.fd = pool->process[i].from, .events = POLLIN};
        }
    return count;
}

static void all_end(struct pool *pool)
{
    int status;

    for (int i = 0; i < pool->workers; i++)
        if (pool->process[i].id > 0) {
            kill(pool->process[i].id, SIGKILL);
            waitpid(pool->process[i].id, &status, 0);
            process_close(&pool->process[i]);
        }
}

bool verify_pool_run(int workers, const struct verify_how *how, const struct verify_list *list,
                     const struct verify_pool_sink *sink, const volatile bool *stop)
{
    struct pool *pool = calloc(1, sizeof *pool);
    struct pollfd file[WORKERS_MOST];
    int at[WORKERS_MOST], count, started = 0;

    if (!pool) {
        cmd_error("out of memory");
        return false;
    }
    *pool = (struct pool){.how = how, .list = list, .sink = sink};
    signal(SIGPIPE, SIG_IGN); /* a worker that died is seen by what it no longer sends */
    for (; pool->workers < workers && pool->workers < WORKERS_MOST; pool->workers++) {
        struct process *process = &pool->process[pool->workers];
        if (!process_start(pool, process))
            break;
        started++;
        process_feed(pool, process);
    }
    while (!*stop && !pool->stop && (count = running(pool, file, at)) > 0) {
        if (poll(file, (nfds_t)count, LOOK_MS) > 0)
            for (int i = 0; i < count; i++)
                if (file[i].revents)
                    process_read(pool, &pool->process[at[i]]);
        sink->look(sink->context);
    }
    all_end(pool);
    bool well = started > 0 && !pool->failed;
    free(pool);
    return well;
}
