/* capture/camera_test.c: "test:WxH", a picture that moves, in real time, without a camera. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "capture/camera.h"
#include "capture/fault.h"

#define NS_PER_S 1000000000LL

#define RATE_USUAL 30
#define RATE_MOST 240
#define SIDE_LEAST_PX 32 /* so that each of its 16 marks has a column */
#define SLOTS 6          /* as many as of a camera */

struct test_camera {
    int width, height;
    enum picture_format format;
    size_t stride, size; /* bytes */
    int timer;
    int64_t started_ns, interval_ns;
    uint64_t sequence;
    struct {
        uint8_t *bytes;
        bool lent;
    } slots[SLOTS];
};

struct test_colour {
    uint8_t y, cb, cr;
};

/* White, yellow, cyan, green, magenta, red, blue, black: bars of 75 % in studio range. */
static const struct test_colour bars[8] = {
    {180, 128, 128}, {162, 44, 142}, {131, 156, 44}, {112, 72, 58},
    {84, 184, 198},  {65, 100, 212}, {35, 212, 114}, {16, 128, 128},
};
static const struct test_colour white = {235, 128, 128}, black = {16, 128, 128};

/* ---- drawing ---- */

static void fill_pairs(const struct test_camera *camera, uint8_t *row, int x, int width,
                       struct test_colour colour)
{
    bool luma_first = camera->format == PICTURE_YUYV;
    uint8_t pair[4] = {colour.y, colour.cb, colour.y, colour.cr};

    if (!luma_first) {
        pair[0] = colour.cb;
        pair[1] = pair[3] = colour.y;
        pair[2] = colour.cr;
    }
    for (int i = x / 2; i < (x + width) / 2; i++)
        memcpy(row + (size_t)i * 4, pair, sizeof pair);
}

/* A rectangle; all four are even. */
static void fill(const struct test_camera *camera, uint8_t *bytes, int x, int y, int width,
                 int height, struct test_colour colour)
{
    uint8_t *chroma = bytes + camera->stride * (size_t)camera->height;

    for (int row = y; row < y + height; row++) {
        uint8_t *at = bytes + (size_t)row * camera->stride;

        if (camera->format == PICTURE_YUYV || camera->format == PICTURE_UYVY)
            fill_pairs(camera, at, x, width, colour);
        else
            memset(at + x, colour.y, (size_t)width);
        if (camera->format != PICTURE_NV12 || row % 2 != 0)
            continue;
        at = chroma + (size_t)(row / 2) * camera->stride;
        for (int i = x; i < x + width; i += 2) {
            at[i] = colour.cb;
            at[i + 1] = colour.cr;
        }
    }
}

static int even(int value)
{
    return value & ~1;
}

/* Bars, a white square that walks over them, and below them the picture's number, the highest of
 * its 16 bits at the left. */
static void draw(const struct test_camera *camera, uint8_t *bytes, uint64_t number)
{
    int width = camera->width, height = camera->height;
    int foot = even(height / 8), side = even(height / 6), path = width - side;
    int x = even((int)(number * 4 % (uint64_t)path));

    for (int i = 0; i < 8; i++) {
        int left = even(width * i / 8);

        fill(camera, bytes, left, 0, even(width * (i + 1) / 8) - left, height - foot, bars[i]);
    }
    fill(camera, bytes, x, even(height / 3), side, side, white);
    for (int i = 0; i < 16; i++) {
        int left = even(width * i / 16);

        fill(camera, bytes, left, height - foot, even(width * (i + 1) / 16) - left, foot,
             number >> (15 - i) & 1 ? white : black);
    }
}

/* ---- the source ---- */

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* How many pictures came due, after waiting for one. */
static uint64_t wait_due(const struct test_camera *camera, int timeout_ms)
{
    struct pollfd one = {.fd = camera->timer, .events = POLLIN};
    uint64_t due = 0;

    if (poll(&one, 1, timeout_ms > 0 ? timeout_ms : 0) != 1 ||
        read(camera->timer, &due, sizeof due) != (ssize_t)sizeof due)
        return 0;
    return due;
}

static int test_next(void *context, int timeout_ms, struct picture *out,
                     struct capture_fault *fault)
{
    struct test_camera *camera = context;
    uint64_t due;
    int slot = 0;

    while (slot < SLOTS && camera->slots[slot].lent)
        slot++;
    if (slot == SLOTS)
        return capture_fail(fault, CAPTURE_E_ARGUMENT,
                            "all pictures of the test source are lent; release one");
    due = wait_due(camera, timeout_ms);
    if (due == 0)
        return CAPTURE_NOTHING;
    camera->sequence += due;
    draw(camera, camera->slots[slot].bytes, camera->sequence);
    camera->slots[slot].lent = true;
    out->format = camera->format;
    out->width = camera->width;
    out->height = camera->height;
    out->bytes = camera->slots[slot].bytes;
    out->length = camera->size;
    out->stride = camera->stride;
    out->sequence = camera->sequence;
    out->lost = due - 1;
    out->time_ns = camera->started_ns + (int64_t)camera->sequence * camera->interval_ns;
    out->arrived_ns = now_ns();
    out->slot = slot;
    return CAPTURE_PICTURE;
}

static void test_release(void *context, const struct picture *picture)
{
    struct test_camera *camera = context;

    if (picture->slot >= 0 && picture->slot < SLOTS)
        camera->slots[picture->slot].lent = false;
}

static void test_about(const void *context, struct source_about *out)
{
    const struct test_camera *camera = context;

    snprintf(out->name, sizeof out->name, "test picture");
    snprintf(out->place, sizeof out->place, "test:%dx%d", camera->width, camera->height);
    out->format = camera->format;
    out->width = camera->width;
    out->height = camera->height;
    out->interval_ns = camera->interval_ns;
    out->live = true;
    out->state = SOURCE_RUNNING;
    out->starts = 1;
}

static int test_poll_file(const void *context)
{
    return ((const struct test_camera *)context)->timer;
}

static void test_destroy(void *context)
{
    struct test_camera *camera = context;

    if (!camera)
        return;
    for (int i = 0; i < SLOTS; i++)
        free(camera->slots[i].bytes);
    if (camera->timer >= 0)
        close(camera->timer);
    free(camera);
}

static const struct source_kind test_kind = {
    .next = test_next,
    .release = test_release,
    .about = test_about,
    .poll_file = test_poll_file,
    .destroy = test_destroy,
};

static bool parse_size(const char *device, int *width, int *height)
{
    char *end;
    long w = strtol(device + strlen("test:"), &end, 10), h;

    if (*end != 'x')
        return false;
    h = strtol(end + 1, &end, 10);
    *width = (int)w;
    *height = (int)h;
    return *end == '\0' && w >= SIDE_LEAST_PX && w <= CAPTURE_SIDE_MAX_PX && h >= SIDE_LEAST_PX &&
           h <= CAPTURE_SIDE_MAX_PX && w * h <= CAPTURE_PIXELS_MAX && w % 2 == 0 && h % 2 == 0 &&
           w >= h / 3;
}

static void choose_geometry(struct test_camera *camera)
{
    size_t width = (size_t)camera->width, height = (size_t)camera->height;

    switch (camera->format) {
    case PICTURE_NV12:
        camera->stride = width;
        camera->size = width * height * 3 / 2;
        break;
    case PICTURE_GREY:
        camera->stride = width;
        camera->size = width * height;
        break;
    default:
        camera->stride = 2 * width;
        camera->size = 2 * width * height;
        break;
    }
}

/* The clock starts when all is ready. */
static bool start_clock(struct test_camera *camera)
{
    struct timespec interval = {camera->interval_ns / NS_PER_S, camera->interval_ns % NS_PER_S};
    struct itimerspec setting = {interval, interval};

    camera->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    camera->started_ns = now_ns();
    return camera->timer >= 0 && timerfd_settime(camera->timer, 0, &setting, NULL) == 0;
}

int capture_camera_test_open(const char *device, const struct camera_wish *wish,
                             struct source **out, struct capture_fault *fault)
{
    struct test_camera *camera;
    int width = 0, height = 0, rate;
    bool ready = true;

    if (!device || !wish || !out || strncmp(device, "test:", 5) != 0)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no test source was named");
    *out = NULL;
    if (!parse_size(device, &width, &height))
        return capture_fail(fault, CAPTURE_E_OPEN,
                            "a test source is test:WxH with even sides from %d on, such as "
                            "test:1280x720",
                            SIDE_LEAST_PX);
    if (wish->format == PICTURE_MJPEG || wish->format >= PICTURE_STILL)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "the test source gives yuyv, uyvy, nv12 and grey");
    camera = calloc(1, sizeof *camera);
    if (!camera)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the test source");
    rate = wish->rate > 0 ? wish->rate : RATE_USUAL;
    camera->interval_ns = NS_PER_S / (rate < RATE_MOST ? rate : RATE_MOST);
    camera->width = width;
    camera->height = height;
    camera->format = wish->format < 0 ? PICTURE_YUYV : (enum picture_format)wish->format;
    camera->timer = -1;
    choose_geometry(camera);
    for (int i = 0; i < SLOTS; i++) {
        camera->slots[i].bytes = malloc(camera->size);
        ready = ready && camera->slots[i].bytes;
    }
    if (!ready || !start_clock(camera)) {
        int error = ready ? capture_fail(fault, CAPTURE_E_OPEN, "no clock: %s", strerror(errno))
                          : capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory");

        test_destroy(camera);
        return error;
    }
    *out = capture_source_create(&test_kind, camera);
    return *out ? CAPTURE_OK : capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory");
}
