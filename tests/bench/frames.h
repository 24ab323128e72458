/* tests/bench/frames.h: what the benchmarks of the watch share: pictures of the fixtures (1080p,
 * the mat of four seats and five slots) made into frames as a camera would send them, with noise of
 * their own, compressed to 300 to 500 kB; and the kit that lies on the table. */
#ifndef TESTS_BENCH_FRAMES_H
#define TESTS_BENCH_FRAMES_H

#include "capture/still.h"
#include "tests/draw/sensor.h"
#include "vision/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of a scene, shown again and again: nothing moves; a thing moves over every seat; a thing lies
 * over one seat in ONE. */
#define FRAMES 6
enum { STILL, MOVING = FRAMES, ONE = 2 * FRAMES, ALL };
#define LENGTH_LEAST 300000 /* bytes */
#define LENGTH_MOST 500000
#define INTERVAL_NS 33333333
#define NOISE_LEVELS 2.0
#define THING_PX 90

#define PICTURES 3
static const char *const names[PICTURES] = {"a1-004.jpg", "a1-009.jpg", "a1-016.jpg"};

struct jpeg {
    uint8_t *bytes;
    size_t length;
};

static inline double noise_next(uint32_t *random)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        *random = *random * 1664525u + 1013904223u;
        sum += (double)(*random >> 16) / 65536.0 - 0.5;
    }
    return 2 * sum;
}

/* Dark things over the seats, which the truth's middle of every seat is near enough for: the
 * picture's quarters. They go to and fro. */
static inline bool thing_covers(const struct frame *frame, int x, int y, int step)
{
    int away = 40 * (step % 2), seats = step < MOVING ? 0 : step < ONE ? 4 : 1;
    for (int i = 0; i < seats; i++) {
        int at_x = frame->width * (i % 2 ? 3 : 1) / 4 + away;
        int at_y = frame->height * (i / 2 ? 3 : 1) / 4 + away;
        if (abs(x - at_x) < THING_PX && abs(y - at_y) < THING_PX)
            return true;
    }
    return false;
}

static inline int frame_make(const struct frame *frame, const uint8_t *rgb, uint8_t *out, int step,
                             struct jpeg *jpeg)
{
    struct draw_optics optics = {.quality = 95, .cx_shift = 1, .cy_shift = 0};
    uint32_t random = (uint32_t)step + 1;
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            size_t at = 3 * ((size_t)y * (size_t)frame->width + (size_t)x);
            bool thing = thing_covers(frame, x, y, step);
            double noise = NOISE_LEVELS * noise_next(&random);
            for (int c = 0; c < 3; c++) {
                double value = (thing ? 70 : rgb[at + (size_t)c]) + noise;
                out[at + (size_t)c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
            }
        }
    for (; optics.quality > 40; optics.quality -= 3) {
        if (draw_jpeg_encode(&optics, out, frame->width, frame->height, &jpeg->bytes,
                             &jpeg->length) != 0)
            return -1;
        if (jpeg->length <= LENGTH_MOST)
            return jpeg->length >= LENGTH_LEAST ? 0 : -1;
        free(jpeg->bytes);
    }
    return -1;
}

static inline int write_all(int to, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    while (length > 0) {
        ssize_t wrote = write(to, at, length);
        if (wrote <= 0)
            return -1;
        at += wrote;
        length -= (size_t)wrote;
    }
    return 0;
}

static inline int read_all(int from, void *bytes, size_t length)
{
    uint8_t *at = bytes;
    while (length > 0) {
        ssize_t got = read(from, at, length);
        if (got <= 0)
            return -1;
        at += got;
        length -= (size_t)got;
    }
    return 0;
}

/* All frames of a picture to a pipe, each after its length. */
static inline int frames_write(const char *path, int to)
{
    struct frame *frame = NULL;
    struct capture_fault fault;
    if (capture_still_read(path, &frame, &fault) != 0)
        return -1;
    size_t bytes = 3 * (size_t)frame->width * (size_t)frame->height;
    uint8_t *rgb = malloc(bytes), *out = malloc(bytes);
    int error = rgb && out ? 0 : -1;
    if (!error)
        capture_frame_to_rgb(frame, rgb);
    for (int i = 0; i < ALL && !error; i++) {
        struct jpeg jpeg = {NULL, 0};
        error = frame_make(frame, rgb, out, i, &jpeg);
        if (!error)
            error = write_all(to, &jpeg.length, sizeof jpeg.length) ||
                    write_all(to, jpeg.bytes, jpeg.length);
        free(jpeg.bytes);
    }
    free(rgb);
    free(out);
    capture_frame_destroy(&frame);
    return error;
}

/* In a child, so that its memory is not counted. */
static inline int frames_load(const char *path, struct jpeg frames[ALL])
{
    int ends[2], status = 0, error = 0;
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(frames_write(path, ends[1]) != 0);
    }
    close(ends[1]);
    for (int i = 0; i < ALL && !error && child > 0; i++) {
        error = read_all(ends[0], &frames[i].length, sizeof frames[i].length);
        if (error || frames[i].length > LENGTH_MOST)
            return -1;
        frames[i].bytes = malloc(frames[i].length);
        error = frames[i].bytes ? read_all(ends[0], frames[i].bytes, frames[i].length) : -1;
    }
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        return -1;
    return error;
}

/* ---- the kit ---- */

struct kit {
    struct mat *mat;
    struct blockset *set;
    struct deck *deck;
    struct cardstyle *style;
    struct table_kit lent;
};

static inline void kit_close(struct kit *kit)
{
    calib_cardstyle_destroy(&kit->style);
    calib_deck_destroy(&kit->deck);
    calib_blockset_destroy(&kit->set);
    calib_mat_destroy(&kit->mat);
}

static inline int kit_open(struct kit *kit)
{
    memset(kit, 0, sizeof *kit);
    if (calib_mat_load("a1-four", NULL, &kit->mat, NULL) != 0 ||
        calib_blockset_load("match-madness", NULL, &kit->set, NULL) != 0 ||
        calib_deck_load("fixture", NULL, &kit->deck, NULL) != 0 ||
        calib_cardstyle_load(NULL, NULL, &kit->style, NULL) != 0) {
        fprintf(stderr, "the kit cannot be loaded\n");
        return -1;
    }
    kit->lent = (struct table_kit){
        .mat = kit->mat, .set = kit->set, .deck = kit->deck, .style = kit->style};
    return 0;
}

#endif
