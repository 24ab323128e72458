/* tests/bench/bench_tables.c: four tables on two processors: bench_tables PROGRAM FOLDER.
 *
 * Prints, and says where a goal is missed. Four processes, each the eyes of a table as `vision` is
 * (decoding, watching, reading), take frames of 1080p MJPEG at 30 a second in real time, on two
 * processors. On one table at a time a thing moves over every seat, and then what it left is read;
 * on the others nothing moves; each has its turn. Printed: the share of the two processors' time
 * that they used, which a busy machine changes little, and how many frames were done later than an
 * interval after they came, which it does change. */
#define _GNU_SOURCE /* sets of processors */
#include "tests/bench/frames.h"
#include "vision/watch.h"

#include <sched.h>
#include <time.h>

#define TABLES 4
#define PROCESSORS 2
#define NS_PER_S 1000000000LL
#define TURN_FRAMES 90 /* three seconds for each table: a second of it with a thing that moves */
#define TURN_MOVING 30
#define LEAD_FRAMES 30 /* until everything on the table has been read once */
#define COUNTED (TABLES * TURN_FRAMES)
#define BEGIN_NS (NS_PER_S / 2) /* until all processes are there */

struct report {
    int64_t cpu_ns, latest_ns;
    int late, layouts, reads;
};

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

static void count_layout(void *context, const struct layout_seat *seat, int64_t first_t_ns,
                         int64_t moved_t_ns, uint64_t frame)
{
    struct report *report = context;
    (void)seat;
    (void)first_t_ns;
    (void)moved_t_ns;
    (void)frame;
    report->layouts++;
}

/* Which frame a table sees: in its turn a thing goes to and fro first. */
static const struct jpeg *frame_of(const struct jpeg frames[ALL], int table, int number)
{
    int turn = number - LEAD_FRAMES - table * TURN_FRAMES;
    bool moving = turn >= 0 && turn < TURN_MOVING;
    return &frames[(moving ? MOVING : STILL) + number % FRAMES];
}

static int table_look(struct watch *watch, const struct jpeg frames[ALL], int table,
                      int64_t begin_ns, struct report *report)
{
    struct watch_counts counts;
    int64_t cpu_ns = 0;
    for (int i = 0; i < LEAD_FRAMES + COUNTED; i++) {
        const struct jpeg *jpeg = frame_of(frames, table, i);
        /* Cameras are not in step. */
        int64_t due_ns = begin_ns + i * (int64_t)INTERVAL_NS + table * INTERVAL_NS / TABLES;
        const struct picture picture = {.format = PICTURE_MJPEG,
                                        .bytes = jpeg->bytes,
                                        .length = jpeg->length,
                                        .time_ns = due_ns,
                                        .sequence = (uint64_t)i};
        if (i == LEAD_FRAMES)
            cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        sleep_until(due_ns);
        if (vision_watch_picture(watch, &picture) != 0)
            return -1;
        int64_t late_ns = clock_ns(CLOCK_MONOTONIC) - due_ns;
        if (i < LEAD_FRAMES)
            continue;
        report->late += late_ns > INTERVAL_NS;
        report->latest_ns = late_ns > report->latest_ns ? late_ns : report->latest_ns;
    }
    report->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
    vision_watch_counts(watch, &counts);
    report->reads = (int)counts.full_reads;
    return 0;
}

/* A table's process: its report goes to the pipe. */
static int table_run(const struct kit *kit, const struct jpeg frames[ALL], int table,
                     int64_t begin_ns, int to)
{
    const struct alignment alignment = vision_alignment_defaults();
    const struct watch_options options = {
        .settle_frames = 3, .interval_ns = INTERVAL_NS, .live = true};
    struct report report = {.cpu_ns = 0};
    const struct watch_sink sink = {.layout = count_layout, .context = &report};
    struct watch *watch = vision_watch_create(&kit->lent, &alignment, &options, &sink);
    int error = watch ? table_look(watch, frames, table, begin_ns, &report) : -1;
    vision_watch_destroy(&watch);
    return error ? error : write_all(to, &report, sizeof report);
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

static int tables_run(const struct kit *kit, const struct jpeg frames[ALL],
                      struct report report[TABLES])
{
    int ends[TABLES][2], error = 0;
    pid_t child[TABLES] = {0};
    int64_t begin_ns = clock_ns(CLOCK_MONOTONIC) + BEGIN_NS;
    for (int i = 0; i < TABLES && !error; i++) {
        if (pipe(ends[i]) != 0)
            return -1;
        child[i] = fork();
        if (child[i] == 0)
            _exit(table_run(kit, frames, i, begin_ns, ends[i][1]) != 0);
        close(ends[i][1]);
        error = child[i] < 0;
    }
    for (int i = 0; i < TABLES && child[i] > 0; i++) {
        if (read_all(ends[i][0], &report[i], sizeof report[i]) != 0)
            error = -1;
        close(ends[i][0]);
        waitpid(child[i], NULL, 0);
    }
    return error;
}

static void report_print(const struct report report[TABLES], int processors)
{
    int64_t cpu_ns = 0, latest_ns = 0, all_ns = COUNTED * (int64_t)INTERVAL_NS * processors;
    int late = 0, layouts = 0;
    for (int i = 0; i < TABLES; i++) {
        cpu_ns += report[i].cpu_ns;
        late += report[i].late;
        layouts += report[i].layouts;
        latest_ns = report[i].latest_ns > latest_ns ? report[i].latest_ns : latest_ns;
    }
    double share = (double)cpu_ns / (double)all_ns;
    printf(
        "bench_tables: %d tables at 30 frames a second, one moving at a time: %.2f of the time of "
        "%d processors%s; %d of %d frames done later than an interval, the latest after %.1f ms; "
        "%d layouts told\n",
        TABLES, share, processors, share > 1 ? ", ABOVE THE GOAL" : "", late, TABLES * COUNTED,
        (double)latest_ns / 1e6, layouts);
}

int main(int argc, char **argv)
{
    static struct report report[TABLES];
    struct jpeg frames[ALL] = {{NULL, 0}};
    struct kit kit;
    char path[1024];
    int error = -1, processors = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: bench_tables PROGRAM FOLDER\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/%s", argv[2], names[0]);
    if (kit_open(&kit) == 0 && frames_load(path, frames) == 0 &&
        (processors = processors_take()) > 0)
        error = tables_run(&kit, frames, report);
    if (error)
        fprintf(stderr, "bench_tables: %s cannot be used\n", path);
    else
        report_print(report, processors);
    for (int i = 0; i < ALL; i++)
        free(frames[i].bytes);
    kit_close(&kit);
    return error != 0;
}
