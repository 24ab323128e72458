/* tests/bench/bench_watch.c: what watching a table costs: bench_watch PROGRAM FOLDER.
 *
 * Prints, and says where a goal is missed. From pictures of the folder (1080p, the mat of four
 * seats and five slots) a child makes frames as a camera would send them: noise of their own,
 * compressed to 300 to 500 kB. Each is decoded in full to RGB with libjpeg-turbo and looked at by
 * the watch, in turn, so that a busy machine falls on both alike: a table on which nothing moves,
 * and one on which a thing moves over every seat in every frame. CPU time of the process; a scene's
 * ratio is that of the sums, the searches for the tags that are made every few seconds included.
 * Besides: what the frames cost in which seats are read, and the process's peak memory. */
#include "tests/bench/frames.h"
#include "vision/watch.h"

#include <time.h>

#include <jpeglib.h>

#define GOAL_STILL 0.65
#define GOAL_MOVING 1.0
#define GOAL_MEMORY_KB (64 * 1024)
#define SETTLE_ROUNDS 4
#define ROUNDS 40 /* 240 frames, eight seconds: a search or two for tags */

/* ---- measuring ---- */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A broken picture ends the program, which is right for a benchmark over good ones. */
static void decode_rgb(const struct jpeg *from)
{
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    JSAMPLE *row;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, from->bytes, from->length);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_RGB;
    jpeg_start_decompress(&jpeg);
    row = malloc((size_t)jpeg.output_width * 3);
    while (row && jpeg.output_scanline < jpeg.output_height)
        jpeg_read_scanlines(&jpeg, &row, 1);
    if (row)
        jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    free(row);
}

struct seen {
    int layouts, cards;
    unsigned moved; /* seats, a bit each */
    uint64_t health;
};

static void seen_layout(void *context, const struct layout_seat *seat, int64_t first_t_ns,
                        int64_t moved_t_ns, uint64_t frame)
{
    struct seen *seen = context;
    (void)seat;
    (void)first_t_ns;
    (void)moved_t_ns;
    (void)frame;
    seen->layouts++;
}

static void seen_motion(void *context, int seat, bool blocks, int64_t at_t_ns, int64_t unseen_ns)
{
    struct seen *seen = context;
    (void)blocks;
    (void)at_t_ns;
    (void)unseen_ns;
    seen->moved |= 1u << seat;
}

static void seen_card(void *context, const struct layout_card *card, int64_t first_t_ns)
{
    struct seen *seen = context;
    (void)card;
    (void)first_t_ns;
    seen->cards++;
}

static void seen_health(void *context, uint64_t reasons, int64_t t_ns)
{
    struct seen *seen = context;
    (void)t_ns;
    seen->health |= reasons;
}

struct bench {
    struct watch *watch;
    struct seen seen;
    int64_t t_ns;
    uint64_t sequence;
    double rgb, look;             /* seconds, of all frames */
    double read[FRAMES * ROUNDS]; /* ratio of each frame in which something was read */
    int reads;
};

static int look(struct bench *bench, const struct jpeg *jpeg)
{
    struct picture picture = {.format = PICTURE_MJPEG,
                              .bytes = jpeg->bytes,
                              .length = jpeg->length,
                              .time_ns = bench->t_ns,
                              .sequence = bench->sequence++};
    struct watch_counts before, after;
    double start = cpu_seconds(), decoded;
    bench->t_ns += INTERVAL_NS;
    decode_rgb(jpeg);
    decoded = cpu_seconds();
    vision_watch_counts(bench->watch, &before);
    int error = vision_watch_picture(bench->watch, &picture);
    double looked = cpu_seconds();
    vision_watch_counts(bench->watch, &after);
    bench->rgb += decoded - start;
    bench->look += looked - decoded;
    if (after.full_reads > before.full_reads &&
        bench->reads < (int)(sizeof bench->read / sizeof *bench->read))
        bench->read[bench->reads++] = (looked - decoded) / (decoded - start);
    return error;
}

static int scene_look(struct bench *bench, const struct jpeg *frames, int rounds)
{
    int error = 0;
    bench->rgb = bench->look = 0;
    bench->reads = 0;
    for (int round = 0; round < rounds && !error; round++)
        for (int i = 0; i < FRAMES && !error; i++)
            error = look(bench, &frames[i]);
    return error;
}

static int compare_doubles(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void judge(const char *what, double value, double goal)
{
    printf("  %s %.2f%s\n", what, value, value > goal ? ", ABOVE THE GOAL" : "");
}

static void print_read(struct bench *bench, const char *what)
{
    qsort(bench->read, (size_t)bench->reads, sizeof *bench->read, compare_doubles);
    if (bench->reads)
        printf("  a frame in which %s %.2f\n", what, bench->read[bench->reads / 2]);
}

/* A thing goes over one seat, again and again, and what it left there is read. */
static int one_look(struct bench *bench, const struct jpeg *frames)
{
    int error = 0;
    bench->reads = 0;
    for (int round = 0; round < SETTLE_ROUNDS && !error; round++) {
        error = look(bench, &frames[ONE]);
        for (int i = 0; i < FRAMES && !error; i++)
            error = look(bench, &frames[STILL + i]);
    }
    print_read(bench, "one seat is read");
    return error;
}

static int scenes_look(struct bench *bench, const struct jpeg *frames)
{
    int error = scene_look(bench, frames + STILL, SETTLE_ROUNDS);
    print_read(bench, "all seats and slots are read");
    if (!error)
        error = one_look(bench, frames);
    if (!error)
        error = scene_look(bench, frames + STILL, ROUNDS);
    if (error)
        return error;
    judge("a still table", bench->look / bench->rgb, GOAL_STILL);
    printf("    %d layouts and %d cards told, %d frames read meanwhile\n", bench->seen.layouts,
           bench->seen.cards, bench->reads);
    bench->seen.moved = 0;
    error = scene_look(bench, frames + MOVING, ROUNDS);
    judge("all seats moving", bench->look / bench->rgb, GOAL_MOVING);
    printf("    %d seats moved, %d frames read meanwhile%s\n",
           __builtin_popcount(bench->seen.moved), bench->reads,
           bench->seen.health ? ", HEALTH WAS BAD" : "");
    return error;
}

static int picture_bench(const struct kit *kit, const char *path)
{
    struct jpeg frames[ALL] = {{NULL, 0}};
    const struct alignment alignment = vision_alignment_defaults();
    const struct watch_options options = {.settle_frames = 3, .interval_ns = INTERVAL_NS};
    static struct bench bench;
    const struct watch_sink sink = {.layout = seen_layout,
                                    .motion = seen_motion,
                                    .card = seen_card,
                                    .health = seen_health,
                                    .context = &bench.seen};
    memset(&bench, 0, sizeof bench);
    int error = frames_load(path, frames);
    if (!error && !(bench.watch = vision_watch_create(&kit->lent, &alignment, &options, &sink)))
        error = -1;
    if (!error) {
        printf("%s, about %zu kB: of a full decode to RGB\n", path, frames[0].length / 1000);
        error = scenes_look(&bench, frames);
    }
    vision_watch_destroy(&bench.watch);
    for (int i = 0; i < ALL; i++)
        free(frames[i].bytes);
    return error;
}

static long peak_kb(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kb = -1;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld", &kb) == 1)
            break;
    if (file)
        fclose(file);
    return kb;
}

int main(int argc, char **argv)
{
    struct kit kit;
    int failed = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: bench_watch PROGRAM FOLDER\n");
        return 2;
    }
    if (kit_open(&kit) != 0) {
        kit_close(&kit);
        return 1;
    }
    for (size_t i = 0; i < PICTURES && !failed; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", argv[2], names[i]);
        failed = picture_bench(&kit, path) != 0;
        if (failed)
            fprintf(stderr, "bench_watch: %s cannot be used\n", path);
    }
    printf("peak memory %.1f MB%s\n", (double)peak_kb() / 1024,
           peak_kb() > GOAL_MEMORY_KB ? ", ABOVE THE GOAL" : "");
    kit_close(&kit);
    return failed;
}
