/* tests/bench/bench_record.c: what recording costs, and how fast a match replays: bench_record
 * PROGRAM FOLDER.
 *
 * Prints, and says where a goal is missed. First four processes, each the recording of a table as
 * `vision` has it, take frames of 1080p MJPEG at 30 a second in real time, and do nothing else with
 * them: the time of processors that they used is what recording adds. Then a match of such frames,
 * in which things move and layouts come and go, is refereed by the program, and judged again by
 * `replay` on two processors. */
#define _GNU_SOURCE /* sets of processors */
#include "tests/bench/frames.h"
#include "vision/loop_record.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#define TABLES 4
#define PROCESSORS 2
#define NS_PER_S 1000000000LL
#define RECORDED 180 /* six seconds of each table */
#define BEGIN_NS (NS_PER_S / 2)
/* The match: a thing moves for a second, then nothing for four, again and again. */
#define PLAYED 900
#define TURN_FRAMES 150
#define TURN_MOVING 30
#define COST_MOST 0.10 /* of a processor, for all tables */
#define SPEED_LEAST 4.0

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void sleep_until(int64_t due_ns)
{
    struct timespec due = {.tv_sec = due_ns / NS_PER_S, .tv_nsec = due_ns % NS_PER_S};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) != 0)
        ;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

static void folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const struct jpeg *frame_of(const struct jpeg frames[ALL], int number)
{
    bool moving = number % TURN_FRAMES < TURN_MOVING;
    return &frames[(moving ? MOVING : STILL) + number % FRAMES];
}

/* ---- recording ---- */

static struct eyes_record *record_open(const char *folder, bool live, bool patient)
{
    struct recorder_options options = {.folder = folder,
                                       .title = "bench",
                                       .width = 1920,
                                       .height = 1080,
                                       .interval_ns = INTERVAL_NS,
                                       .space_bytes = 1,
                                       .patient = patient};
    const struct eyes_record_options eyes = {
        .recorder = &options, .settle_frames = 3, .live = live};
    struct capture_fault fault = {.text = ""};
    struct eyes_record *record = NULL;
    if (loop_record_open(&eyes, &record, &fault) != CAPTURE_OK)
        fprintf(stderr, "bench_record: %s\n", fault.text);
    return record;
}

/* In the form in which pictures are kept, as the eyes bring them to it. */
static void frames_record(struct eyes_record *record, const struct jpeg frames[ALL], int count,
                          int64_t begin_ns)
{
    for (int i = 0; i < count; i++) {
        const struct jpeg *jpeg = frame_of(frames, i);
        struct picture picture = {.format = PICTURE_MJPEG,
                                  .width = 1920,
                                  .height = 1080,
                                  .bytes = jpeg->bytes,
                                  .length = jpeg->length,
                                  .time_ns =
                                      (begin_ns > 0 ? begin_ns : 0) + i * (int64_t)INTERVAL_NS,
                                  .sequence = (uint64_t)i};
        struct picture out;
        if (begin_ns > 0)
            sleep_until(picture.time_ns);
        loop_record_take(record, &picture, &out);
        loop_record_done(record, false);
    }
}

static int table_run(const char *top, const struct jpeg frames[ALL], int table, int64_t begin_ns,
                     int to)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/table-%d", top, table);
    struct eyes_record *record =
        mkdir(folder, 0700) == 0 ? record_open(folder, false, false) : NULL;
    if (!record)
        return -1;
    int64_t cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    frames_record(record, frames, RECORDED, begin_ns + table * INTERVAL_NS / TABLES);
    loop_record_close(&record);
    cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
    return write_all(to, &cpu_ns, sizeof cpu_ns);
}

static int tables_run(const char *top, const struct jpeg frames[ALL], int64_t *cpu_ns)
{
    int64_t begin_ns = clock_ns(CLOCK_MONOTONIC) + BEGIN_NS, one_ns;
    int ends[TABLES][2], error = 0;
    pid_t child[TABLES] = {0};
    for (int i = 0; i < TABLES && !error; i++) {
        if (pipe(ends[i]) != 0)
            return -1;
        child[i] = fork();
        if (child[i] == 0)
            _exit(table_run(top, frames, i, begin_ns, ends[i][1]) != 0);
        close(ends[i][1]);
        error = child[i] < 0;
    }
    *cpu_ns = 0;
    for (int i = 0; i < TABLES && child[i] > 0; i++) {
        if (read_all(ends[i][0], &one_ns, sizeof one_ns) != 0)
            error = -1;
        else
            *cpu_ns += one_ns;
        close(ends[i][0]);
        waitpid(child[i], NULL, 0);
    }
    return error;
}

static int record_bench(const char *top, const struct jpeg frames[ALL])
{
    int64_t cpu_ns = 0;
    if (tables_run(top, frames, &cpu_ns) != 0)
        return -1;
    double share = (double)cpu_ns / (double)(RECORDED * (int64_t)INTERVAL_NS);
    printf("bench_record: recording %d tables of 1080p at 30 frames a second adds %.3f of a "
           "processor%s\n",
           TABLES, share, share > COST_MOST ? ", ABOVE THE GOAL" : "");
    return 0;
}

/* ---- replaying ---- */

static int program_run(char *const arguments[], int64_t *wall_ns, int64_t *cpu_ns)
{
    struct rusage used;
    int status;
    int64_t began_ns = clock_ns(CLOCK_MONOTONIC);
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execv(arguments[0], arguments);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return -1;
    *wall_ns = clock_ns(CLOCK_MONOTONIC) - began_ns;
    *cpu_ns = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * NS_PER_S +
              (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000LL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A film of the frames, and the match that the program makes of it. */
static int match_make(char *program, const char *top, const struct jpeg frames[ALL])
{
    char folder[PATH_MAX], film[PATH_MAX + 20], match[PATH_MAX], rundir[PATH_MAX];
    int64_t wall_ns, cpu_ns;
    snprintf(folder, sizeof folder, "%s/film", top);
    snprintf(film, sizeof film, "%s/video-0001.mkv", folder);
    snprintf(match, sizeof match, "%s/match", top);
    snprintf(rundir, sizeof rundir, "%s/run", top);
    struct eyes_record *record = mkdir(folder, 0700) == 0 ? record_open(folder, false, true) : NULL;
    if (!record)
        return -1;
    frames_record(record, frames, PLAYED, 0);
    loop_record_close(&record);
    char words[][32] = {"run", "--mat",   "a1-four",  "--deck",   "fixture",        "--seed",
                        "1",   "--video", "--record", "--rundir", "--no-scoreboard"};
    char *const arguments[] = {program,  words[0], words[1],  words[2], words[3], words[4],
                               words[5], words[6], words[7],  film,     words[8], match,
                               words[9], rundir,   words[10], NULL};
    return program_run(arguments, &wall_ns, &cpu_ns);
}

static int replay_bench(char *program, const char *top, const struct jpeg frames[ALL])
{
    char verb[] = "replay", match[PATH_MAX];
    char *const arguments[] = {program, verb, match, NULL};
    int64_t wall_ns, cpu_ns;
    snprintf(match, sizeof match, "%s/match", top);
    if (match_make(program, top, frames) != 0 || program_run(arguments, &wall_ns, &cpu_ns) != 0)
        return -1;
    /* Of a machine that does other things, too, the time on the wall says little. */
    double goal = PLAYED * (double)INTERVAL_NS / (double)cpu_ns,
           speed = PLAYED * (double)INTERVAL_NS / (double)wall_ns;
    printf(
        "bench_record: a match of %d s at 1080p, 30 frames a second, replays %.1f times as fast as "
        "it was played (%.1f by the wall's clock), with %.1f ms of a processor a frame%s\n",
        (int)(PLAYED * (int64_t)INTERVAL_NS / NS_PER_S), goal, speed, (double)cpu_ns / PLAYED / 1e6,
        goal < SPEED_LEAST ? ", BELOW THE GOAL" : "");
    return 0;
}

static int processors_take(void)
{
    cpu_set_t all, two;
    int taken = 0;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return 0;
    CPU_ZERO(&two);
    for (size_t i = 0; i < CPU_SETSIZE && taken < PROCESSORS; i++)
        if (CPU_ISSET(i, &all)) {
            CPU_SET(i, &two);
            taken++;
        }
    return sched_setaffinity(0, sizeof two, &two) == 0 ? taken : 0;
}

int main(int argc, char **argv)
{
    struct jpeg frames[ALL] = {{NULL, 0}};
    char path[1024], top[] = "/var/tmp/bench_record.XXXXXX";
    if (argc != 3) {
        fprintf(stderr, "usage: bench_record PROGRAM FOLDER\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/%s", argv[2], names[0]);
    int error = !mkdtemp(top) || processors_take() < 1 || frames_load(path, frames) != 0;
    if (!error)
        error = record_bench(top, frames) != 0 || replay_bench(argv[1], top, frames) != 0;
    if (error)
        fprintf(stderr, "bench_record: %s or %s cannot be used\n", path, top);
    folder_remove(top);
    for (int i = 0; i < ALL; i++)
        free(frames[i].bytes);
    return error != 0;
}
