/* tests/bench/bench_read.c: what reading a picture costs: bench_read PROGRAM FOLDER.
 *
 * Prints, and says where the goal is missed. For each picture with truth in the folder, in one process and in turn,
 * so that a busy machine falls on all alike: decoding its JPEG in full to RGB with libjpeg-turbo,
 * reading it with the true camera as rig, reading it without. CPU time of this process, the
 * median of ROUNDS; then, by size of picture, the median over the pictures of the ratio of
 * reading to decoding. Where the kernel lets us count instructions, the same with those: they do
 * not depend on the load at all. Last, the peak memory of `PROGRAM read` on the largest
 * pictures. */
#include "calib/deck.h"
#include "calib/mat.h"
#include "calib/rig.h"
#include "capture/still.h"
#include "vision/table.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jpeglib.h>

#define ROUNDS 5
#define GOAL_HEIGHT 1080 /* pictures of this height are to be read in .. */
#define GOAL_RATIO 4.0   /* .. so many times what decoding takes, with a rig and without */
#define PICTURES_MAX 500
#define PATH_BYTES 1024

struct cost {
    double seconds, instructions; /* instructions: 0 where they cannot be counted */
};

enum { DECODE, WITH_RIG, WITHOUT_RIG, WAYS };

struct result {
    int width, height;
    double seconds;                    /* of the decoding */
    double ratio[WAYS], counted[WAYS]; /* to the decoding; counted in instructions */
};

struct picture {
    unsigned char *bytes;
    size_t length;
    struct mat *mat;
    struct blockset *set;
    struct deck *deck;
    struct cardstyle *style;
    struct rig *rig;
};

static int counter = -1; /* of instructions, or -1 */

static void counter_open(void)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof attr);
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static struct cost cost_now(void)
{
    struct cost now = {0, 0};
    struct timespec t;
    long long count = 0;

    if (counter >= 0 && read(counter, &count, sizeof count) == (ssize_t)sizeof count)
        now.instructions = (double)count;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    now.seconds = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    return now;
}

static struct cost cost_since(struct cost start)
{
    struct cost now = cost_now();

    now.seconds -= start.seconds;
    now.instructions -= start.instructions;
    return now;
}

/* The measure of all: libjpeg-turbo as everybody uses it. A broken picture ends the program,
 * which is right for a benchmark over good ones. */
static void decode_rgb(const struct picture *picture)
{
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    JSAMPLE *rgb;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, picture->bytes, picture->length);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_RGB;
    jpeg_start_decompress(&jpeg);
    rgb = malloc((size_t)jpeg.output_width * jpeg.output_height * 3);
    while (rgb && jpeg.output_scanline < jpeg.output_height) {
        JSAMPLE *row = rgb + (size_t)jpeg.output_scanline * jpeg.output_width * 3;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    if (rgb)
        jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    free(rgb);
}

static int read_picture(struct table_reader *reader, const struct picture *picture,
                        struct result *result)
{
    struct capture_fault fault;
    struct frame *frame = NULL;
    struct layout layout;
    int error = capture_still_decode(picture->bytes, picture->length, &frame, &fault);

    if (error) {
        fprintf(stderr, "bench_read: %s\n", fault.text);
        return error;
    }
    result->width = frame->width;
    result->height = frame->height;
    vision_table_read(reader, frame, false, &layout, NULL);
    capture_frame_destroy(&frame);
    return 0;
}

static unsigned char *load_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    long size;

    if (file && !fseek(file, 0, SEEK_END) && (size = ftell(file)) > 0 &&
        !fseek(file, 0, SEEK_SET)) {
        bytes = malloc((size_t)size);
        *length = bytes ? fread(bytes, 1, (size_t)size, file) : 0;
    }
    if (file)
        fclose(file);
    return bytes;
}

static void picture_free(struct picture *picture)
{
    free(picture->bytes);
    calib_mat_destroy(&picture->mat);
    calib_blockset_destroy(&picture->set);
    calib_deck_destroy(&picture->deck);
    calib_cardstyle_destroy(&picture->style);
    calib_rig_destroy(&picture->rig);
}

static const char *truth_text(const json_t *truth, const char *key)
{
    const char *text = json_string_value(json_object_get(truth, key));

    return text ? text : "";
}

/* "x.truth.json" and "x.jpg" beside it. */
static int picture_load(const char *truth_path, struct picture *picture)
{
    char path[PATH_BYTES];
    struct calib_fault fault = {"", 0, "not a truth file"};
    json_t *truth = json_load_file(truth_path, 0, NULL);
    char *camera = NULL;
    int stem = (int)(strlen(truth_path) - strlen(".truth.json"));
    int error = -1;

    memset(picture, 0, sizeof *picture);
    snprintf(path, sizeof path, "%.*s.jpg", stem, truth_path);
    picture->bytes = load_file(path, &picture->length);
    if (truth)
        camera = json_dumps(json_object_get(truth, "camera"), 0);
    if (picture->bytes && camera &&
        !calib_rig_parse(camera, strlen(camera), truth_path, NULL, &picture->rig, &fault) &&
        !calib_mat_load(truth_text(truth, "mat"), NULL, &picture->mat, &fault) &&
        !calib_blockset_load(truth_text(truth, "set"), NULL, &picture->set, &fault) &&
        !calib_deck_load(truth_text(truth, "deck"), NULL, &picture->deck, &fault))
        error = calib_cardstyle_load(NULL, NULL, &picture->style, &fault);
    if (error)
        fprintf(stderr, "bench_read: %s: %s\n", truth_path, fault.text);
    free(camera);
    json_decref(truth);
    return error;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    if (count == 0)
        return 0;
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Medians over the rounds, as ratios to decoding. */
static void summarise(struct cost cost[WAYS][ROUNDS], struct result *result)
{
    double seconds[WAYS], counted[WAYS];

    for (int way = 0; way < WAYS; way++) {
        double s[ROUNDS], n[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            s[i] = cost[way][i].seconds;
            n[i] = cost[way][i].instructions;
        }
        seconds[way] = median(s, ROUNDS);
        counted[way] = median(n, ROUNDS);
    }
    result->seconds = seconds[DECODE];
    for (int way = 0; way < WAYS; way++) {
        result->ratio[way] = seconds[way] / seconds[DECODE];
        result->counted[way] = counted[DECODE] > 0 ? counted[way] / counted[DECODE] : 0;
    }
}

static int measure(const char *truth_path, struct result *result)
{
    struct picture picture;
    struct table_reader *reader[WAYS] = {NULL, NULL, NULL};
    struct cost cost[WAYS][ROUNDS];
    int error = picture_load(truth_path, &picture);

    for (int way = WITH_RIG; way < WAYS && !error; way++) {
        struct table_kit kit = {picture.mat, picture.set, picture.deck, picture.style,
                                way == WITH_RIG ? picture.rig : NULL};
        struct alignment alignment = vision_alignment_defaults();
        reader[way] = vision_table_create(&kit, &alignment);
        error = reader[way] ? 0 : -1;
    }
    for (int round = 0; round < ROUNDS && !error; round++)
        for (int way = 0; way < WAYS && !error; way++) {
            struct cost start = cost_now();
            if (way == DECODE)
                decode_rgb(&picture);
            else
                error = read_picture(reader[way], &picture, result);
            cost[way][round] = cost_since(start);
        }
    if (!error)
        summarise(cost, result);
    for (int way = WITH_RIG; way < WAYS; way++)
        vision_table_destroy(&reader[way]);
    picture_free(&picture);
    return error;
}

/* One line for all pictures of a height. */
static void print_height(const struct result *results, int count, int height)
{
    double seconds[PICTURES_MAX], ratio[WAYS][PICTURES_MAX], counted[WAYS][PICTURES_MAX];
    int n = 0, width = 0;

    for (int i = 0; i < count; i++) {
        if (results[i].height != height)
            continue;
        width = results[i].width;
        seconds[n] = results[i].seconds;
        for (int way = 0; way < WAYS; way++) {
            ratio[way][n] = results[i].ratio[way];
            counted[way][n] = results[i].counted[way];
        }
        n++;
    }
    if (n == 0)
        return;
    printf("%dx%d, %d pictures: decoding to RGB %.1f ms = 1.00; reading with the rig %.2f, "
           "without %.2f\n",
           width, height, n, median(seconds, n) * 1e3, median(ratio[WITH_RIG], n),
           median(ratio[WITHOUT_RIG], n));
    for (int way = WITH_RIG; way < WAYS && height == GOAL_HEIGHT; way++)
        if (median(ratio[way], n) > GOAL_RATIO)
            printf("  ABOVE THE GOAL %s rig: at most %.2f is asked for\n",
                   way == WITH_RIG ? "with the" : "without a", GOAL_RATIO);
    if (counter >= 0)
        printf("  by instructions: with the rig %.2f, without %.2f\n", median(counted[WITH_RIG], n),
               median(counted[WITHOUT_RIG], n));
}

/* Peak memory (VmHWM, KiB) of `program read picture`. Called while this process is still small:
 * the kernel counts what the child held before it became the program. */
static long peak_memory(const char *program, const char *picture)
{
    struct rusage usage;
    int status, null;
    pid_t child = fork();

    if (child == 0) {
        null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (null >= 0)
            dup2(null, STDOUT_FILENO);
        execl(program, program, "read", picture, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
        return -1;
    return usage.ru_maxrss;
}

/* Is it of a ramp? Those have no seats and are read otherwise. */
static bool is_ramp(const char *truth_path)
{
    json_t *truth = json_load_file(truth_path, 0, NULL);
    bool ramp = json_object_get(truth, "ramp") != NULL;

    json_decref(truth);
    return ramp;
}

/* Names of the truth files, sorted; how many. */
static int list_truths(const char *folder, char names[PICTURES_MAX][PATH_BYTES])
{
    DIR *dir = opendir(folder);
    int count = 0;

    for (struct dirent *entry; dir && count < PICTURES_MAX && (entry = readdir(dir));) {
        const char *end = strstr(entry->d_name, ".truth.json");
        if (!end || end[strlen(".truth.json")])
            continue;
        snprintf(names[count], PATH_BYTES, "%s/%s", folder, entry->d_name);
        count += !is_ramp(names[count]);
    }
    if (dir)
        closedir(dir);
    qsort(names, (size_t)count, PATH_BYTES, (int (*)(const void *, const void *))strcmp);
    return count;
}

static void print_memory(const char *program, const char *folder)
{
    static const char *const pictures[] = {"a1-001.jpg", "x-000.jpg"};
    char path[PATH_BYTES];

    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, pictures[i]);
        long peak = peak_memory(program, path);
        if (peak < 0)
            printf("peak memory of %s read %s: could not be measured\n", program, path);
        else
            printf("peak memory of %s read %s: %.1f MiB\n", program, path, (double)peak / 1024);
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static char names[PICTURES_MAX][PATH_BYTES];
    static struct result results[PICTURES_MAX];
    int count, done = 0;

    if (argc != 3) {
        fprintf(stderr, "usage: bench_read PROGRAM FOLDER\n");
        return 2;
    }
    print_memory(argv[1], argv[2]);
    counter_open();
    count = list_truths(argv[2], names);
    for (int i = 0; i < count; i++)
        if (!measure(names[i], &results[done]))
            done++;
    printf("CPU time, median over the pictures, %d rounds each:\n", ROUNDS);
    print_height(results, done, 1080);
    print_height(results, done, 720);
    if (counter < 0)
        printf("(instructions cannot be counted here)\n");
    return done > 0 && done == count ? 0 : 1;
}
