/* referee/cmd_replay_show.c: a replay on the pages of a scoreboard of its own. */
#include "pubsub/loop_scoreboard.h"
#include "pubsub/rundir.h"
#include "referee/cmd_pages.h"
#include "referee/cmd_replay.h"
#include "referee/loop_keys.h"
#include "referee/loop_replay.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Its words, each option's value, and the closing NULL. */
#define ARGUMENTS_MAX (2 * CMD_HOSTS_MAX + 16)
/* What was told to end and does not is ended. */
#define END_S 10
/* A scoreboard that died is started again, not more often than this. */
#define AGAIN_S 2

struct pages {
    const struct replay_show *show;
    const char *rundir;
    struct access_keys keys;
    pid_t process;   /* 0: not running */
    time_t again_at; /* 0: not to be started */
    bool told;
};

static time_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* exec wants texts that it may change, and changes none. */
static void argument_add(char **argument, int *count, const char *name, const char *value)
{
    union {
        const char *given;
        char *taken;
    } both[2] = {{.given = name}, {.given = value}};

    for (int i = 0; i < 2 && both[1].given && *count < ARGUMENTS_MAX - 1; i++)
        argument[(*count)++] = both[i].taken;
    argument[*count] = NULL;
}

/* The child ends when we do, however that is. */
static void scoreboard_become(const struct pages *pages)
{
    const struct replay_show *show = pages->show;
    char *argument[ARGUMENTS_MAX];
    int count = 0;

    argument_add(argument, &count, "tableref", "scoreboard");
    argument_add(argument, &count, "--rundir", pages->rundir);
    argument_add(argument, &count, "--set", show->set);
    argument_add(argument, &count, "--mat", show->mat);
    argument_add(argument, &count, "--listen", show->listen);
    argument_add(argument, &count, "--tls-cert", show->tls_cert);
    argument_add(argument, &count, "--tls-key", show->tls_key);
    for (int i = 0; i < show->hosts; i++)
        argument_add(argument, &count, "--host", show->host[i]);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    execv("/proc/self/exe", argument);
    cmd_error("scoreboard: cannot be started: %s", strerror(errno));
    _exit(127);
}

/* Without its pages a replay goes on; one that cannot begin has said why. */
static void scoreboard_died(struct pages *pages, int status)
{
    pages->process = 0;
    pages->again_at = WIFEXITED(status) ? 0 : now_s() + AGAIN_S;
    if (!WIFEXITED(status))
        cmd_error("scoreboard: was ended by signal %d; it is started again", WTERMSIG(status));
}

static void pages_look(void *context)
{
    struct pages *pages = context;
    int status;

    if (pages->process > 0 && waitpid(pages->process, &status, WNOHANG) == pages->process)
        scoreboard_died(pages, status);
    if (pages->process == 0 && pages->again_at > 0 && now_s() >= pages->again_at) {
        fflush(stdout);
        pages->process = fork();
        if (pages->process == 0)
            scoreboard_become(pages);
        pages->again_at = now_s() + AGAIN_S;
        if (pages->process < 0) {
            cmd_error("scoreboard: cannot be started: %s", strerror(errno));
            pages->process = 0;
        }
    }
    if (!pages->told && pages->process > 0)
        pages->told = cmd_pages_tell(pages->rundir, &pages->keys);
}

static void pages_end(struct pages *pages)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    time_t until = now_s() + END_S;
    int status;

    if (pages->process <= 0)
        return;
    kill(pages->process, SIGTERM);
    while (waitpid(pages->process, &status, WNOHANG) == 0) {
        if (now_s() > until)
            kill(pages->process, SIGKILL);
        nanosleep(&nap, NULL);
    }
}

static int replay_run(const struct replay_show *show, const char *rundir,
                      const struct record *record)
{
    struct pages pages = {
        .show = show, .rundir = rundir, .again_at = show->no_scoreboard ? 0 : now_s()};
    const struct replay_service service = {.rundir = rundir,
                                           .table = show->table,
                                           .publish = show->publish,
                                           .requests = show->requests,
                                           .keys = show->keys,
                                           .record = record,
                                           .from_t_ns = show->from_t_ns,
                                           .to_t_ns = show->to_t_ns,
                                           .speed_permille = show->speed_permille,
                                           .paused = show->paused,
                                           .what_if = show->what_if,
                                           .text = show->text,
                                           .once = show->once,
                                           .look = pages_look,
                                           .context = &pages};
    struct event event;

    if (!referee_history_event(referee_record_history(record), 1, &event) ||
        event.kind != EVENT_SETUP) {
        cmd_error("replay: the match was never set up: there is nothing to show");
        return CMD_UNUSABLE;
    }
    if (!loop_keys_make(rundir, &event.setup, &pages.keys))
        return CMD_UNUSABLE;
    cmd_error("a replay, in %s", rundir);
    int status = loop_replay_run(&service, &cmd_stopped);
    pages_end(&pages);
    loop_keys_remove(rundir);
    return status;
}

/* An address that was asked for must be free; else the scoreboard finds one for itself. */
int cmd_replay_show(const struct replay_show *show, const struct record *record)
{
    struct wire_fault fault = {.text = ""};
    struct rundir *lock = NULL;
    char rundir[PATH_MAX];

    /* Not found by whoever looks for the one table that plays here. */
    if (!show->rundir && !cmd_pages_rundir("replay-tableref-", rundir)) {
        cmd_error("replay: no folder for its sockets is to be had; give --rundir");
        return CMD_UNUSABLE;
    }
    if (pubsub_rundir_open(show->rundir ? show->rundir : rundir, &lock, &fault) != PUBSUB_OK) {
        cmd_error("%s", fault.text);
        return CMD_UNUSABLE;
    }
    cmd_stop_on_signals();
    int status = replay_run(show, show->rundir ? show->rundir : rundir, record);
    pubsub_rundir_close(&lock);
    return status;
}
