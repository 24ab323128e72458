/* tests/bench/bench_decode.c: what taking in a picture costs: bench_decode PROGRAM FOLDER.
 *
 * Prints, judges nothing. The folder's 1080p JPEGs of 300 to 500 kB stand for a camera's MJPEG.
 * Each is decoded in one process and in turn, so that a busy machine falls on all ways alike: in
 * full to RGB by libjpeg-turbo, as everybody does it, and by the decoder of capture/ at each scale
 * with and without colour; besides, what the gate costs alone, and reading the coded data to the
 * last bit. CPU time, the median of ROUNDS; then the median over the pictures of the ratio to RGB.
 * The same size as YUYV and NV12, from memory, for cameras that send that. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>

#include "capture/jpeg.h"
#include "capture/picture.h"

#define ROUNDS 9
#define PICTURES_MAX 100
#define LENGTH_LEAST 300000 /* bytes, as in the measure that is asked for */
#define LENGTH_MOST 500000
#define HEIGHT 1080 /* px */
#define WIDTH 1920

/* From DECODE on: scale 1, 2, 4, 8, each without and with colour. */
enum { RGB, GATE, VERIFY, DECODE, WAYS = DECODE + 8 };

struct jpeg {
    uint8_t *bytes;
    size_t length;
};

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
    JSAMPLE *rgb;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, from->bytes, from->length);
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

static int run(int way, struct decoder *decoder, const struct jpeg *jpeg)
{
    struct picture picture = {
        .format = PICTURE_MJPEG, .bytes = jpeg->bytes, .length = jpeg->length};
    const struct frame *frame;
    struct jpeg_info info;
    int error;

    if (way == RGB) {
        decode_rgb(jpeg);
        return 0;
    }
    if (way >= DECODE)
        return capture_decoder_decode(decoder, &picture, 1 << (way - DECODE) / 2,
                                      (way - DECODE) % 2, &frame, NULL);
    error = capture_jpeg_inspect(jpeg->bytes, jpeg->length, &info, NULL);
    return way == VERIFY && !error ? capture_jpeg_verify(jpeg->bytes, &info, NULL) : error;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Seconds of each way for one picture. */
static int measure(struct decoder *decoder, const struct jpeg *jpeg, double seconds[WAYS])
{
    double rounds[WAYS][ROUNDS];

    for (int round = -1; round < ROUNDS; round++) /* the first one warms up */
        for (int way = 0; way < WAYS; way++) {
            double start = cpu_seconds();

            if (run(way, decoder, jpeg) != 0)
                return -1;
            if (round >= 0)
                rounds[way][round] = cpu_seconds() - start;
        }
    for (int way = 0; way < WAYS; way++)
        seconds[way] = median(rounds[way], ROUNDS);
    return 0;
}

static uint8_t *load_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(LENGTH_MOST + 1);

    *length = file && bytes ? fread(bytes, 1, LENGTH_MOST + 1, file) : 0;
    if (file)
        fclose(file);
    return bytes;
}

static bool is_wanted(const struct jpeg *jpeg)
{
    struct jpeg_info info;

    return jpeg->length >= LENGTH_LEAST && jpeg->length <= LENGTH_MOST &&
           capture_jpeg_inspect(jpeg->bytes, jpeg->length, &info, NULL) == CAPTURE_OK &&
           info.height == HEIGHT;
}

static int load_pictures(const char *folder, struct jpeg pictures[PICTURES_MAX])
{
    struct dirent **entries = NULL;
    int count = 0, found = scandir(folder, &entries, NULL, alphasort);

    for (int i = 0; i < found; i++) {
        const char *end = strrchr(entries[i]->d_name, '.');
        char path[4096];

        if (end && strcmp(end, ".jpg") == 0 && count < PICTURES_MAX) {
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            pictures[count].bytes = load_file(path, &pictures[count].length);
            if (is_wanted(&pictures[count]))
                count++;
            else
                free(pictures[count].bytes);
        }
        free(entries[i]);
    }
    free(entries);
    return count;
}

static void print_ratios(double ratios[WAYS][PICTURES_MAX], const double *rgb_seconds, int count)
{
    double rgb[PICTURES_MAX];

    memcpy(rgb, rgb_seconds, (size_t)count * sizeof *rgb);
    printf("%d pictures of 1080p, %d to %d kB: RGB by libjpeg-turbo %.1f ms = 1.00 (CPU time, "
           "median)\n",
           count, LENGTH_LEAST / 1000, LENGTH_MOST / 1000, median(rgb, count) * 1e3);
    printf("  the gate %.3f, coded data read to the last bit %.2f\n", median(ratios[GATE], count),
           median(ratios[VERIFY], count));
    for (int i = 0; i < 4; i++)
        printf("  at 1/%d: luma %.2f, with colour %.2f\n", 1 << i,
               median(ratios[DECODE + 2 * i], count), median(ratios[DECODE + 2 * i + 1], count));
}

static int bench_jpeg(struct decoder *decoder, const char *folder)
{
    static struct jpeg pictures[PICTURES_MAX];
    static double ratios[WAYS][PICTURES_MAX], rgb[PICTURES_MAX];
    double seconds[WAYS];
    int count = load_pictures(folder, pictures), failed = count == 0;

    for (int i = 0; i < count && !failed; i++) {
        failed = measure(decoder, &pictures[i], seconds) != 0;
        rgb[i] = seconds[RGB];
        for (int way = 0; way < WAYS && !failed; way++)
            ratios[way][i] = seconds[way] / seconds[RGB];
    }
    if (!failed)
        print_ratios(ratios, rgb, count);
    for (int i = 0; i < count; i++)
        free(pictures[i].bytes);
    return failed;
}

/* What the bytes say does not change what these cost. */
static int bench_raw(struct decoder *decoder, enum picture_format format, size_t stride,
                     size_t length)
{
    uint8_t *bytes = malloc(length);
    struct picture picture = {.format = format,
                              .width = WIDTH,
                              .height = HEIGHT,
                              .bytes = bytes,
                              .length = length,
                              .stride = stride};
    int error = bytes ? 0 : -1;

    for (size_t i = 0; i < length && !error; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 4096);
    printf("%s of 1080p:", capture_picture_format_name(format));
    for (int way = 0; way < 8 && !error; way++) {
        double rounds[ROUNDS];
        const struct frame *frame;

        for (int round = 0; round < ROUNDS && !error; round++) {
            double start = cpu_seconds();

            error = capture_decoder_decode(decoder, &picture, 1 << way / 2, way % 2, &frame, NULL);
            rounds[round] = cpu_seconds() - start;
        }
        if (way % 2 == 0)
            printf(" 1/%d: luma %.1f", 1 << way / 2, median(rounds, ROUNDS) * 1e3);
        else
            printf(", with colour %.1f;", median(rounds, ROUNDS) * 1e3);
    }
    printf(" ms\n");
    free(bytes);
    return error;
}

int main(int argc, char **argv)
{
    struct decoder *decoder = capture_decoder_create();
    int failed;

    if (argc != 3 || !decoder) {
        fprintf(stderr, "usage: bench_decode PROGRAM FOLDER\n");
        return 2;
    }
    failed = bench_jpeg(decoder, argv[2]);
    failed |= bench_raw(decoder, PICTURE_YUYV, 2 * WIDTH, (size_t)2 * WIDTH * HEIGHT);
    failed |= bench_raw(decoder, PICTURE_NV12, WIDTH, (size_t)WIDTH * HEIGHT * 3 / 2);
    capture_decoder_destroy(&decoder);
    return failed;
}
