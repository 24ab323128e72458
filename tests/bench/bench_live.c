/* bench_live PROGRAM FIXTURES: how long after the first frame of a layout that matches is the
 * verdict out? The recorded clip is played as a live camera would send it, at 30 pictures a second,
 * to the eyes in this process and the referee in its own; the time runs from that frame's capture
 * to the line on the referee's standard output, which it writes when the journal has been synced.
 * The goal is as many frame intervals as a layout takes to settle, and 20 ms. Machines differ: the
 * figure is printed with the goal beside it and fails nothing. */
#include "calib/blockset.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "capture/source.h"
#include "vision/loop_vision.h"

#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000LL
#define RATE 30
#define SETTLE_FRAMES 3
#define GOAL_MS (1000.0 * SETTLE_FRAMES / RATE + 20)
#define RUNS 100 /* the fewest of which the 99th percentile says something */
#define PICTURES_MOST 400
/* Of the clip: from a second before the layout that matches, which lies there from picture 83 on,
 * until its verdict is out. */
#define PICTURES_FIRST 50
#define PICTURES_LAST 92

/* The clip's pictures, sent out in real time. */
struct player {
    struct picture picture[PICTURES_MOST];
    int count, next;
    int64_t begin_ns;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int player_next(void *context, int timeout_ms, struct picture *out,
                       struct capture_fault *fault)
{
    struct player *player = context;
    int64_t due_ns = player->begin_ns + player->next * NS_PER_S / RATE, wait_ns;

    (void)fault;
    if (player->next == player->count)
        return CAPTURE_END;
    wait_ns = due_ns - now_ns();
    if (wait_ns > timeout_ms * 1000000LL)
        wait_ns = timeout_ms * 1000000LL;
    if (wait_ns > 0) {
        struct timespec time = {.tv_sec = wait_ns / NS_PER_S, .tv_nsec = wait_ns % NS_PER_S};
        nanosleep(&time, NULL);
    }
    if (now_ns() < due_ns)
        return CAPTURE_NOTHING;
    *out = player->picture[player->next];
    out->time_ns = due_ns;
    out->arrived_ns = now_ns();
    out->sequence = (uint64_t)player->next++;
    return CAPTURE_PICTURE;
}

static void player_about(const void *context, struct source_about *out)
{
    const struct player *player = context;

    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "clip");
    out->width = player->picture[0].width;
    out->height = player->picture[0].height;
    out->interval_ns = NS_PER_S / RATE;
    out->live = true;
}

static void player_destroy(void *context)
{
    (void)context;
}

static const struct source_kind player_kind = {
    .next = player_next, .about = player_about, .destroy = player_destroy};

static int player_load(struct player *player, const char *path)
{
    struct capture_fault fault = {.text = ""};
    struct source *source = NULL;
    struct picture picture;

    memset(player, 0, sizeof *player);
    if (capture_video_open(path, &source, &fault) < 0) {
        fprintf(stderr, "bench_live: %s: %s\n", path, fault.text);
        return -1;
    }
    for (int i = 0; i <= PICTURES_LAST && player->count < PICTURES_MOST &&
                    capture_source_next(source, 1000, &picture, &fault) == CAPTURE_PICTURE;
         i++) {
        uint8_t *copy = i >= PICTURES_FIRST ? malloc(picture.length) : NULL;
        if (!copy) {
            capture_source_release(source, &picture);
            continue;
        }
        memcpy(copy, picture.bytes, picture.length);
        player->picture[player->count] = picture;
        player->picture[player->count++].bytes = copy;
        capture_source_release(source, &picture);
    }
    capture_source_destroy(&source);
    return player->count > 0 ? 0 : -1;
}

/* ---- the referee's process, and its lines ---- */

struct referee {
    pid_t process;
    FILE *lines;
    int64_t begin_ns; /* the match's time 0 */
    double delay_ms;  /* of the win; below 0: there was none */
};

static int referee_start(struct referee *referee, const char *program, const char *folder)
{
    char rundir[256], record[256];
    int pipes[2];

    snprintf(rundir, sizeof rundir, "%s/run", folder);
    snprintf(record, sizeof record, "%s/match", folder);
    if (mkdir(rundir, 0700) != 0 || mkdir(record, 0700) != 0 || pipe(pipes) != 0)
        return -1;
    referee->process = fork();
    if (referee->process == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        close(pipes[0]);
        execl(program, program, "referee", "--rundir", rundir, "--record", record, "--camera",
              "none", "--mat", "a2-two", "--deck", "fixture", "--rounds", "1", "--option",
              "countdown=0", "--start-after", "0", (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    referee->lines = fdopen(pipes[0], "r");
    referee->delay_ms = -1;
    return referee->process > 0 && referee->lines ? 0 : -1;
}

static void *lines_hear(void *context)
{
    struct referee *referee = context;
    char line[65536];

    while (fgets(line, sizeof line, referee->lines)) {
        int64_t heard_ns = now_ns();
        json_t *decision = json_loads(line, 0, NULL);
        const char *kind = json_string_value(json_object_get(decision, "decision"));
        if (kind && strcmp(kind, "win") == 0)
            referee->delay_ms = (double)(heard_ns - referee->begin_ns -
                                         json_integer_value(json_object_get(decision, "at_t_ns"))) /
                                1e6;
        json_decref(decision);
    }
    return NULL;
}

static void folder_clear(const char *folder)
{
    char command[512];

    snprintf(command, sizeof command, "%s", folder);
    pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", command, (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

/* One round of the clip; its delay in ms, or below 0. */
static double round_play(const char *program, struct player *player, const struct table_kit *kit)
{
    char folder[] = "/tmp/bench_live.XXXXXX", rundir[64];
    struct referee referee = {.process = 0};
    const volatile bool stop = false;
    pthread_t hearer;

    if (!mkdtemp(folder) || referee_start(&referee, program, folder) != 0)
        return -1;
    snprintf(rundir, sizeof rundir, "%s/run", folder);
    usleep(300000); /* until the referee listens: what comes before is no part of the measure */
    player->next = 0;
    player->begin_ns = referee.begin_ns = now_ns() + 50 * 1000000LL;
    pthread_create(&hearer, NULL, lines_hear, &referee);
    struct vision_service service = {.rundir = rundir,
                                     .kit = kit,
                                     .source = capture_source_create(&player_kind, player),
                                     .settle_frames = SETTLE_FRAMES};
    loop_vision_run(&service, &stop);
    capture_source_destroy(&service.source);
    kill(referee.process, SIGTERM);
    waitpid(referee.process, NULL, 0);
    pthread_join(hearer, NULL);
    fclose(referee.lines);
    folder_clear(folder);
    return referee.delay_ms;
}

static int compare_double(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;

    return (one > other) - (one < other);
}

static void runs_print(double *delay, int count)
{
    qsort(delay, (size_t)count, sizeof *delay, compare_double);
    double worst = delay[count - 1], most = delay[(99 * count + 99) / 100 - 1];
    printf("bench_live: from the first matching frame to the verdict, %d rounds at %d pictures a "
           "second: median %.1f ms, 99th percentile %.1f ms, worst %.1f ms; goal %.0f ms (%d "
           "intervals "
           "and 20 ms)%s\n",
           count, RATE, delay[count / 2], most, worst, GOAL_MS, SETTLE_FRAMES,
           most > GOAL_MS ? ": ABOVE THE GOAL" : "");
}

int main(int argc, char **argv)
{
    static struct player player;
    struct table_kit kit = {.mat = NULL};
    struct mat *mat = NULL;
    struct blockset *set = NULL;
    struct deck *deck = NULL;
    struct cardstyle *style = NULL;
    double delay[RUNS];
    char clip[256];
    int won = 0;

    snprintf(clip, sizeof clip, "%s/clip/round.mkv", argc > 2 ? argv[2] : "fixtures");
    if (argc < 3 || player_load(&player, clip) != 0 || calib_mat_load("a2-two", NULL, &mat, NULL) ||
        calib_blockset_load("match-madness", NULL, &set, NULL) ||
        calib_deck_load("fixture", NULL, &deck, NULL) ||
        calib_cardstyle_load(NULL, NULL, &style, NULL)) {
        fprintf(stderr, "bench_live: use: bench_live PROGRAM FIXTURES\n");
        return 1;
    }
    kit = (struct table_kit){.mat = mat, .set = set, .deck = deck, .style = style};
    for (int i = 0; i < RUNS; i++) {
        double one = round_play(argv[1], &player, &kit);
        if (one >= 0)
            delay[won++] = one;
    }
    if (won > 0)
        runs_print(delay, won);
    /* A machine that is busy with other things loses pictures, and what is stale decides nothing.
     */
    if (won < RUNS)
        printf("bench_live: %d of %d rounds were not won: pictures came too late\n", RUNS - won,
               RUNS);
    for (int i = 0; i < player.count; i++)
        free((void *)(uintptr_t)player.picture[i].bytes);
    calib_cardstyle_destroy(&style);
    calib_deck_destroy(&deck);
    calib_blockset_destroy(&set);
    calib_mat_destroy(&mat);
    return won > 0 ? 0 : 1;
}
