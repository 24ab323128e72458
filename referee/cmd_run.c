/* referee/cmd_run.c: `tableref run`: referees a table. It starts the processes that do it, watches
 * them, and starts again what dies. */
#include "pubsub/loop_scoreboard.h"
#include "pubsub/rundir.h"
#include "referee/cmd_listen.h"
#include "referee/cmd_match_entry.h"
#include "referee/cmd_pages.h"
#include "referee/cmd_table.h"
#include "referee/loop_keys.h"
#include "referee/loop_referee.h"
#include "vision/loop_vision.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A process that dies is started again after this, and after twice as long each time that it lives
 * for less than a minute, up to the most: what cannot run must not keep the machine busy. */
#define AGAIN_MS 200
#define AGAIN_MOST_MS 10000
#define SHORT_LIFE_S 60
/* A recording that fails as often as this is not going to end well. */
#define TRIES_MOST 5
/* What was told to end and does not is ended. */
#define END_S 10
#define ARGUMENTS_MOST 512
#define LOOK_MS 20

static const struct cmd_option options[] = {
    CMD_TABLE_OPTIONS,
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "run",
    .arguments = "(--camera DEV | --video FILE | --images DIR)",
    .about =
        "Referees a table: watches it, judges, keeps the match on record, and prints a line of\n"
        "JSON for each decision. One run is one table.",
    .options = options,
};

struct child {
    const char *verb; /* of this program */
    pid_t process;    /* 0: not running */
    bool done;        /* ended well, or not to be started */
    bool aside;       /* the match goes on without it */
    int status;
    int tries;
    int64_t started_ms, again_ms; /* when it may be started again */
    int wait_ms;
};

enum { REFEREE, VISION, SCOREBOARD, BUTTONS, CHILDREN };

struct run {
    const struct cmd_table *table;
    bool begun;       /* the match is under way */
    bool told;        /* where it is on record */
    bool pages_told;  /* where the operator's page is */
    char *unfinished; /* lines about matches that lie beside this one; owned */
    struct access_keys keys;
    int argc;
    char **argv; /* run's own */
    struct child child[CHILDREN];
    bool failed;
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool live(const struct run *run)
{
    return run->table->camera != NULL;
}

/* ---- folders ---- */

/* Makes a folder and those above it. */
static bool folders_make(const char *path)
{
    char part[PATH_MAX];

    for (size_t i = 1; i < sizeof part; i++) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0755) != 0 && errno != EEXIST) {
            cmd_error("%s: %s", part, strerror(errno));
            return false;
        }
        if (path[i] == 0)
            return true;
    }
    return false;
}

/* "~/.local/state/tableref/matches/2026-11-30T18-05-09-1234": where a match goes when nothing is
 * said. */
static bool record_default(char out[PATH_MAX])
{
    char matches[PATH_MAX], date[32] = "";
    time_t now = time(NULL);
    struct tm parts;

    if (gmtime_r(&now, &parts))
        strftime(date, sizeof date, "%Y-%m-%dT%H-%M-%S", &parts);
    if (!cmd_matches_default(matches))
        return false;
    int length = snprintf(out, PATH_MAX, "%s/%s-%ld", matches, date, (long)getpid());
    return length > 0 && length < PATH_MAX;
}

/* ---- processes ---- */

/* The child ends when we do, however that is. */
static void child_become(const struct run *run, const char *word)
{
    char *argument[ARGUMENTS_MOST + 8];
    char program[] = "/proc/self/exe", name[] = "tableref", rundir[] = "--rundir",
         record[] = "--record";
    char word_copy[32], rundir_path[PATH_MAX], record_path[PATH_MAX];
    int count = 0;

    snprintf(word_copy, sizeof word_copy, "%s", word);
    snprintf(rundir_path, sizeof rundir_path, "%s", run->table->rundir);
    snprintf(record_path, sizeof record_path, "%s", run->table->record);
    argument[count++] = name;
    argument[count++] = word_copy;
    for (int i = 1; i < run->argc && i < ARGUMENTS_MOST; i++)
        argument[count++] = run->argv[i];
    argument[count++] = rundir;
    argument[count++] = rundir_path;
    argument[count++] = record;
    argument[count++] = record_path;
    argument[count] = NULL;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    execv(program, argument);
    cmd_error("%s: cannot be started: %s", word, strerror(errno));
    _exit(127);
}

static void child_start(struct run *run, struct child *child)
{
    fflush(stdout);
    child->process = fork();
    if (child->process == 0)
        child_become(run, child->verb);
    child->started_ms = now_ms();
    child->tries++;
    if (child->process < 0) {
        cmd_error("%s: cannot be started: %s", child->verb, strerror(errno));
        child->process = 0;
        child->again_ms = now_ms() + AGAIN_MOST_MS;
    }
}

static void child_died(struct run *run, struct child *child, int status)
{
    bool exited = WIFEXITED(status);
    bool brief = now_ms() - child->started_ms < SHORT_LIFE_S * 1000;

    child->process = 0;
    child->status = exited ? WEXITSTATUS(status) : CMD_UNUSABLE;
    child->done = exited && child->status == CMD_DONE;
    if (child->done || cmd_stopped || run->failed || (exited && child->status == VISION_AGAIN))
        return;
    /* What it could not use at its start it will not be able to use again. */
    if (exited && brief && child->tries == 1 && child->status != CMD_DONE) {
        child->done = child->aside;
        run->failed = !child->aside;
        return;
    }
    if (!live(run) && !child->aside && child->tries >= TRIES_MOST) {
        cmd_error("%s: ended unexpectedly for the %dth time; giving up", child->verb, child->tries);
        run->failed = true;
        return;
    }
    child->wait_ms = !brief || child->wait_ms == 0 ? AGAIN_MS : 2 * child->wait_ms;
    if (child->wait_ms > AGAIN_MOST_MS)
        child->wait_ms = AGAIN_MOST_MS;
    child->again_ms = now_ms() + child->wait_ms;
    if (exited)
        cmd_error("%s: ended with status %d; it is started again", child->verb, child->status);
    else
        cmd_error("%s: was ended by signal %d; it is started again", child->verb, WTERMSIG(status));
}

static void children_reap(struct run *run)
{
    int status;

    for (int c = 0; c < CHILDREN; c++) {
        struct child *child = &run->child[c];
        if (child->process > 0 && waitpid(child->process, &status, WNOHANG) == child->process)
            child_died(run, child, status);
    }
}

/* The scoreboard comes when there is a match to show, claims when there is one to make them on. */
static void children_start(struct run *run)
{
    for (int c = 0; c < CHILDREN; c++) {
        struct child *child = &run->child[c];
        if (child->process == 0 && !child->done && now_ms() >= child->again_ms &&
            ((c != SCOREBOARD && c != BUTTONS) || run->begun))
            child_start(run, child);
    }
}

static int children_alive(const struct run *run)
{
    int alive = 0;

    for (int c = 0; c < CHILDREN; c++)
        alive += run->child[c].process > 0;
    return alive;
}

static void children_tell(const struct run *run, int number)
{
    for (int c = 0; c < CHILDREN; c++)
        if (run->child[c].process > 0)
            kill(run->child[c].process, number);
}

static void nap(void)
{
    const struct timespec time = {.tv_nsec = LOOK_MS * 1000000};

    nanosleep(&time, NULL);
}

/* Tells them to end and waits until they have written everything. */
static void children_end(struct run *run)
{
    int64_t until_ms = now_ms() + END_S * 1000;

    children_tell(run, SIGTERM);
    while (children_alive(run) > 0) {
        children_reap(run);
        if (now_ms() > until_ms)
            children_tell(run, SIGKILL);
        nap();
    }
}

static void begun_path(const struct run *run, char out[PATH_MAX + 16])
{
    snprintf(out, PATH_MAX + 16, "%s/" REFEREE_BEGUN_FILE, run->table->rundir);
}

/* Matches beside this one that broke off, a line each. */
static void unfinished_tell(const struct run *run)
{
    for (const char *line = run->unfinished; line && *line;) {
        int length = (int)strcspn(line, "\n");
        cmd_error("%.*s", length, line);
        line += length + (line[length] == '\n');
    }
}

/* Said once it is under way: a run that cannot begin says why, and nothing else. */
static void record_tell(struct run *run)
{
    if (run->told || run->failed || !run->begun)
        return;
    run->told = true;
    unfinished_tell(run);
    cmd_error("on record in %s", run->table->record);
}

static int run_watch(struct run *run)
{
    int status = CMD_DONE;

    char begun[PATH_MAX + 16];

    begun_path(run, begun);
    unlink(begun); /* of a run that died */
    while (!cmd_stopped && !run->failed &&
           !(run->child[REFEREE].done && (run->child[VISION].done || live(run)))) {
        run->begun = run->begun || access(begun, F_OK) == 0;
        children_start(run);
        nap();
        children_reap(run);
        record_tell(run);
        if (!run->pages_told && run->child[SCOREBOARD].process > 0)
            run->pages_told = cmd_pages_tell(run->table->rundir, &run->keys);
    }
    children_end(run);
    run->begun = run->begun || access(begun, F_OK) == 0;
    unlink(begun);
    record_tell(run);
    for (int c = 0; c < CHILDREN; c++)
        if (run->failed && !run->child[c].aside && run->child[c].status > status)
            status = run->child[c].status;
    return run->failed && status == CMD_DONE ? CMD_UNUSABLE : status;
}

/* An address that was asked for must be free; else the scoreboard finds one for itself. */
static bool listen_check(const struct run *run)
{
    return !run->table->listen || cmd_listen_check(&verb, run->table->listen);
}

static int run_table(struct cmd_table *table, int argc, char **argv)
{
    struct run run = {
        .table = table,
        .argc = argc,
        .argv = argv,
        .child = {[REFEREE] = {.verb = "referee"},
                  [VISION] = {.verb = "vision"},
                  [SCOREBOARD] = {.verb = "scoreboard", .aside = true},
                  [BUTTONS] = {.verb = "buttons",
                               .aside = true,
                               .done = table->buttons == 0 && !table->claim_keys}},
    };
    struct wire_fault fault = {.text = ""};
    struct rundir *rundir = NULL;
    bool own_rundir = table->rundir[0] == 0;

    if ((table->record[0] == 0 && !record_default(table->record)) ||
        (own_rundir && !cmd_pages_rundir("tableref-", table->rundir))) {
        cmd_error("%s: no folder is to be had; give --record and --rundir", verb.name);
        return CMD_UNUSABLE;
    }
    if (!folders_make(table->record))
        return CMD_UNUSABLE;
    if (pubsub_rundir_open(table->rundir, &rundir, &fault) != PUBSUB_OK) {
        cmd_error("%s", fault.text);
        return CMD_UNUSABLE;
    }
    cmd_stop_on_signals();
    run.unfinished = cmd_retain(table->record, &table->retain);
    run.child[SCOREBOARD].done = table->no_scoreboard;
    int status = loop_keys_make(table->rundir, &table->game.setup.setup, &run.keys) &&
                         (run.child[SCOREBOARD].done || listen_check(&run))
                     ? run_watch(&run)
                     : CMD_UNUSABLE;
    free(run.unfinished);
    loop_keys_remove(table->rundir);
    pubsub_rundir_close(&rundir);
    return status;
}

int cmd_run(int argc, char **argv)
{
    struct cmd_table table;
    struct cmd_kit kit;
    int status;

    if (argc > ARGUMENTS_MOST) {
        cmd_error("%s: more than %d arguments", verb.name, ARGUMENTS_MOST);
        return CMD_WRONG_USE;
    }
    if (!cmd_table_take(&verb, argc, argv, &table, &status)) {
        cmd_table_free(&table);
        return status;
    }
    /* What is wrong with the game or the kit is said once, before anything is started. */
    bool well =
        cmd_kit_load(&table.source, &kit) && cmd_game_finish(&table.game, &kit, table.source.deck);
    cmd_kit_free(&kit);
    status = well ? run_table(&table, argc, argv) : CMD_UNUSABLE;
    cmd_table_free(&table);
    return status;
}
