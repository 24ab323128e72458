/* capture/camera.c: a camera as a source: waits for pictures, lends them, and opens the camera
 * again by itself when it was away. */
#include "capture/camera.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/mark.h"
#include "capture/fault.h"

#define NS_PER_MS 1000000LL

/* A camera that is only just plugged in, or that another program has just left, may fail once. */
#define FIRST_TRIES 3
#define FIRST_WAIT_MS 150

/* A camera that is away is looked for that often, which costs next to nothing; trying to open one
 * that is there but fails costs it something, so the time between tries doubles. */
#define LOOK_NS (200 * NS_PER_MS)
#define WAIT_MOST_NS (5000 * NS_PER_MS)

/* Without a picture for that long a stream is dead, whatever the driver says: USB resets and
 * loopbacks without a producer look like that. The first picture after a start takes some cameras
 * two seconds; later ones may be waiting for a lamp (an exposure of half a second). */
#define DEAD_FIRST_NS (6000 * NS_PER_MS)
#define DEAD_NS (2500 * NS_PER_MS)

/* Rates are said to be low when they are by more than that, twice in a row. */
#define SLOW_PERCENT 130
/* A stamp or two that are wrong are none of a clock's own: so many in a row are. */
#define CLOCK_PICTURES 30

static int64_t now_of(const struct live_camera *camera)
{
    return camera->device.calls->now_ns(camera->device.calls->context);
}

static void wait_until(const struct live_camera *camera, int64_t until_ns)
{
    int64_t left = until_ns - now_of(camera);

    if (left > 0)
        camera->device.calls->wait(camera->device.calls->context, -1,
                                   (int)((left + NS_PER_MS - 1) / NS_PER_MS));
}

void capture_camera_notice(const struct live_camera *camera, const char *format, ...)
{
    char text[512], line[700];
    va_list list;

    if (!camera->wish.notice)
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(line, sizeof line, "%s: %s", camera->name, text);
    camera->wish.notice(camera->wish.notice_context, line);
}

/* ---- away, and back ---- */

static int64_t longer_wait(int64_t wait_ns)
{
    return wait_ns > WAIT_MOST_NS / 2 ? WAIT_MOST_NS : wait_ns * 2;
}

/* Closes all. Said once until a picture comes again. */
static void go_away(struct live_camera *camera, const char *why)
{
    capture_camera_stop(camera);
    capture_fail(&camera->away, 0, "the camera is away: %s", why);
    if (!camera->away_said)
        capture_camera_notice(camera, "away: %s; it is opened again by itself", why);
    camera->away_said = true;
    camera->absent = false;
    /* After a start that brought no picture the next one comes later. */
    camera->wait_ns = camera->wait_ns == 0 ? LOOK_NS : longer_wait(camera->wait_ns);
    camera->look_ns = now_of(camera);
    camera->try_ns = camera->look_ns + camera->wait_ns;
}

static void go_away_by(struct live_camera *camera, int error)
{
    char text[128];

    if (error == -EPROTO) {
        go_away(camera, N_("its driver gave a buffer that it did not have"));
    } else if (capture_devices_why_of(error) == DEVICE_ABSENT) {
        go_away(camera, N_("it was unplugged"));
    } else {
        snprintf(text, sizeof text, N_("its driver failed: %s"), strerror(-error));
        go_away(camera, text);
    }
}

/* Where is it now? False: nowhere. */
static bool look_for(struct live_camera *camera)
{
    const struct device_calls *calls = camera->device.calls;
    char node[DEVICE_PATH_MAX];

    if (camera->place[0] == '\0')
        return true; /* only trying to open its name shows */
    if (calls->find(calls->context, camera->place, node, sizeof node) != 0)
        return false;
    snprintf(camera->node, sizeof camera->node, "%s", node);
    return true;
}

/* One look, and one try when it is time. */
static void try_again(struct live_camera *camera)
{
    int64_t now = now_of(camera);
    struct capture_fault fault = {{0}};
    bool passing;

    camera->look_ns = now + LOOK_NS;
    if (!look_for(camera)) {
        camera->absent = true;
        return;
    }
    if (camera->absent) { /* plugged in again: at once */
        camera->absent = false;
        camera->wait_ns = LOOK_NS;
        camera->try_ns = now;
    }
    if (now < camera->try_ns)
        return;
    if (capture_camera_start(camera, &passing, &fault) == 0)
        return;
    capture_fail(&camera->away, 0, "the camera is away: %s", fault.text);
    camera->wait_ns = longer_wait(camera->wait_ns);
    camera->try_ns = now_of(camera) + camera->wait_ns;
}

/* ---- warming up ---- */

static bool find_means(struct live_camera *camera, const struct picture *picture,
                       struct camera_means *out)
{
    const struct frame *frame = NULL;
    int64_t y = 0, cb = 0, cr = 0, pixels, spots;
    int c_width, c_height;

    if (picture->damaged ||
        capture_decoder_decode(camera->decoder, picture, 8, true, &frame, NULL) != 0)
        return false;
    *out = (struct camera_means){0, 128 * 16, 128 * 16};
    pixels = (int64_t)frame->width * frame->height;
    for (int row = 0; row < frame->height; row++)
        for (int x = 0; x < frame->width; x++)
            y += frame->y[(size_t)row * frame->y_stride + (size_t)x];
    out->y = (int)(y * 16 / pixels);
    if (!frame->has_colour)
        return true;
    c_width = (frame->width + (1 << frame->cx_shift) - 1) >> frame->cx_shift;
    c_height = (frame->height + (1 << frame->cy_shift) - 1) >> frame->cy_shift;
    spots = (int64_t)c_width * c_height;
    for (int row = 0; row < c_height; row++)
        for (int x = 0; x < c_width; x++) {
            cb += frame->cb[(size_t)row * frame->c_stride + (size_t)x];
            cr += frame->cr[(size_t)row * frame->c_stride + (size_t)x];
        }
    out->cb = (int)(cb * 16 / spots);
    out->cr = (int)(cr * 16 / spots);
    return true;
}

static void settle_again(struct live_camera *camera, enum camera_phase phase)
{
    memset(&camera->warmth, 0, sizeof camera->warmth);
    camera->phase = phase;
}

/* The automatics have come to rest: hold them, and see whether the picture stays as it was. */
static void begin_holding(struct live_camera *camera)
{
    if (!capture_camera_controls_running(camera)) {
        camera->phase = CAMERA_RUNNING;
        return;
    }
    camera->before = capture_camera_warm_means(&camera->warmth);
    capture_camera_controls_hold(camera);
    settle_again(camera, CAMERA_HOLDING);
}

static void end_holding(struct live_camera *camera)
{
    struct camera_means after = capture_camera_warm_means(&camera->warmth);
    bool light = capture_camera_light_differs(&camera->before, &after);
    bool colour = capture_camera_colour_differs(&camera->before, &after);

    light = light && camera->held.exposure;
    colour = colour && camera->held.white;
    if (!light && !colour) {
        camera->phase = CAMERA_RUNNING;
        return;
    }
    capture_camera_controls_let_go(camera, light, colour);
    settle_again(camera, CAMERA_SETTLING);
}

/* A picture of the time before any are given. */
static void warm_up(struct live_camera *camera, const struct picture *picture, int64_t arrived_ns)
{
    struct camera_means means;
    bool good = find_means(camera, picture, &means);
    enum camera_warm warm = capture_camera_warm(&camera->warmth, good ? &means : NULL, arrived_ns);

    if (warm == CAMERA_WARM_NOT_YET)
        return;
    if (warm == CAMERA_WARM_LATE && camera->phase == CAMERA_SETTLING)
        capture_camera_notice(camera, "brightness or colour still change after the start");
    if (camera->phase == CAMERA_SETTLING)
        begin_holding(camera);
    else
        end_holding(camera);
}

/* ---- pictures ---- */

static void notice_rate(struct live_camera *camera)
{
    const struct camera_stamps *stamps = &camera->stamps;
    int64_t asked = camera->asked_ns ? camera->asked_ns : 1000 * NS_PER_MS / camera->choice.rate;
    bool slow = stamps->interval_ns * 100 > asked * SLOW_PERCENT;

    if (stamps->interval_ns == 0 || (uint64_t)stamps->window_ns == camera->slow_seen)
        return;
    camera->slow_seen = (uint64_t)stamps->window_ns;
    camera->slow_windows = slow ? camera->slow_windows + 1 : 0;
    if (slow && camera->slow_windows >= 2 && !camera->slow_said) {
        camera->slow_said = true;
        capture_camera_notice(
            camera,
            "gives %.1f pictures a second instead of %.1f: too little light, or a "
            "busy bus",
            1e9 / (double)stamps->interval_ns, 1e9 / (double)asked);
    } else if (!slow && camera->slow_said) {
        camera->slow_said = false;
        capture_camera_notice(camera, "gives %.1f pictures a second again",
                              1e9 / (double)stamps->interval_ns);
    }
}

/* People judge by a camera's times: that they are only those of arrival is said. */
static void notice_clock(struct live_camera *camera, bool doubtful)
{
    camera->clock_run = doubtful != camera->clock_said ? camera->clock_run + 1 : 0;
    if (camera->clock_run < CLOCK_PICTURES)
        return;
    camera->clock_run = 0;
    camera->clock_said = doubtful;
    if (doubtful)
        capture_camera_notice(camera, "its pictures' stamps are of no clock that can be used; their "
                                      "times are those of their arrival");
    else
        capture_camera_notice(camera, "its pictures' stamps can be used again");
}

static void notice_back(struct live_camera *camera)
{
    camera->wait_ns = 0;
    if (camera->away_said)
        capture_camera_notice(camera, "is back, at %s", camera->node);
    camera->away_said = false;
}

/* A buffer came back. CAPTURE_PICTURE when it is lent; CAPTURE_NOTHING when it went to warming up,
 * or the driver broke its contract and the camera is away. */
static int take_filled(struct live_camera *camera, const struct device_filled *filled,
                       struct picture *out)
{
    struct camera_buffers *buffers = camera->buffers;
    int64_t arrived_ns = now_of(camera);
    bool give = camera->phase == CAMERA_RUNNING;
    struct camera_buffer *buffer;

    if (!capture_camera_picture(camera, filled, out)) {
        go_away_by(camera, -EPROTO);
        return CAPTURE_NOTHING;
    }
    buffer = &buffers->buffer[filled->index];
    buffer->queued = false;
    buffers->queued--;
    camera->picture_ns = arrived_ns;
    camera->picture_came = true;
    capture_camera_stamp(&camera->stamps, filled, arrived_ns, give ? out : NULL);
    notice_rate(camera);
    if (give) {
        if (!out->damaged)
            notice_back(camera);
        notice_clock(camera, out->time_doubtful);
        buffer->lent = true;
        buffers->lent++;
        return CAPTURE_PICTURE;
    }
    warm_up(camera, out, arrived_ns);
    camera->broken = capture_camera_buffer_queue(&camera->device, buffers, (int)filled->index);
    return CAPTURE_NOTHING;
}

static int64_t dead_at(const struct live_camera *camera)
{
    int64_t interval = camera->stamps.interval_ns;

    return camera->picture_ns + (camera->picture_came ? DEAD_NS + 5 * interval : DEAD_FIRST_NS);
}

/* Waits for the driver, no longer than `until_ns`, and takes what it has. CAPTURE_PICTURE, or
 * CAPTURE_NOTHING: look again. *interrupted: a signal came. */
static int take_one(struct live_camera *camera, int64_t until_ns, struct picture *out,
                    bool *interrupted)
{
    const struct device_calls *calls = camera->device.calls;
    int64_t now = now_of(camera), dead = dead_at(camera);
    int64_t left = (until_ns < dead ? until_ns : dead) - now;
    struct device_filled filled;
    int events, error;

    events = calls->wait(calls->context, camera->device.fd,
                         left > 0 ? (int)((left + NS_PER_MS - 1) / NS_PER_MS) : 0);
    if (events == -EINTR) {
        *interrupted = true;
        return CAPTURE_NOTHING;
    }
    if (events == 0) {
        if (now_of(camera) >= dead)
            go_away(camera, N_("no picture has come for seconds"));
        return CAPTURE_NOTHING;
    }
    if (events < 0) {
        go_away_by(camera, events);
        return CAPTURE_NOTHING;
    }
    error = capture_v4l2_buffer_dequeue(&camera->device, camera->buffers->planes, &filled);
    if (error == 0)
        return take_filled(camera, &filled, out);
    if (error != -EAGAIN)
        go_away_by(camera, error);
    else if (events & DEVICE_FAULT)
        go_away_by(camera, -EIO);
    else
        wait_until(camera, now_of(camera) + NS_PER_MS); /* nothing there after all: no busy loop */
    return CAPTURE_NOTHING;
}

static void tell_nothing(const struct live_camera *camera, struct capture_fault *fault)
{
    if (camera->device.fd < 0)
        capture_fail(fault, 0, "%s", camera->away.text);
    else if (camera->phase != CAMERA_RUNNING)
        capture_fail(fault, 0, "the camera is warming up");
    else
        capture_fail(fault, 0, "no picture came");
}

static int camera_next(void *context, int timeout_ms, struct picture *out,
                       struct capture_fault *fault)
{
    struct live_camera *camera = context;
    int64_t until_ns = now_of(camera) + (timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;
    bool interrupted = false, over = false;

    /* One round more after the time is over, so that a picture that waits is given even then. */
    while (!interrupted && !over) {
        over = now_of(camera) >= until_ns;
        if (camera->device.fd >= 0 && camera->broken) {
            go_away_by(camera, camera->broken);
        } else if (camera->device.fd >= 0) {
            if (camera->buffers->queued == 0)
                return capture_fail(fault, CAPTURE_E_ARGUMENT,
                                    "all pictures of the camera are lent; release one");
            if (take_one(camera, until_ns, out, &interrupted) == CAPTURE_PICTURE)
                return CAPTURE_PICTURE;
        } else if (now_of(camera) >= camera->look_ns) {
            try_again(camera);
        } else if (!over) {
            wait_until(camera, camera->look_ns < until_ns ? camera->look_ns : until_ns);
            /* Whoever is to end must not wait for a camera that is away. */
            interrupted =
                now_of(camera) < (camera->look_ns < until_ns ? camera->look_ns : until_ns);
        }
    }
    tell_nothing(camera, fault);
    return CAPTURE_NOTHING;
}

static void camera_release(void *context, const struct picture *picture)
{
    struct live_camera *camera = context;
    struct camera_buffers **at = &camera->retired, *set = camera->buffers;
    unsigned generation = (unsigned)picture->slot / CAMERA_BUFFERS_MAX;
    int index = (int)((unsigned)picture->slot % CAMERA_BUFFERS_MAX);

    if (!set || set->generation != generation) {
        while (*at && (*at)->generation != generation)
            at = &(*at)->next;
        set = *at;
    }
    if (!set || index >= set->count || !set->buffer[index].lent)
        return;
    set->buffer[index].lent = false;
    set->lent--;
    if (set == camera->buffers) {
        int error = capture_camera_buffer_queue(&camera->device, set, index);

        if (error)
            camera->broken = error;
    } else if (set->lent == 0) {
        *at = set->next;
        capture_camera_buffers_destroy(camera->device.calls, &set);
    }
}

static void camera_about(const void *context, struct source_about *out)
{
    const struct live_camera *camera = context;

    snprintf(out->name, sizeof out->name, "%s", camera->first_about.card);
    snprintf(out->place, sizeof out->place, "%s", camera->shown_place);
    out->format = camera->choice.format;
    out->width = camera->geometry.width;
    out->height = camera->geometry.height;
    out->interval_ns = camera->stamps.interval_ns ? camera->stamps.interval_ns : camera->asked_ns;
    out->live = true;
    out->state = camera->device.fd < 0             ? SOURCE_AWAY
                 : camera->phase != CAMERA_RUNNING ? SOURCE_WARMING_UP
                                                   : SOURCE_RUNNING;
    out->starts = camera->starts;
}

static int camera_poll_file(const void *context)
{
    return ((const struct live_camera *)context)->device.fd;
}

static void camera_destroy(void *context)
{
    struct live_camera *camera = context;

    if (!camera)
        return;
    capture_camera_stop(camera);
    while (camera->retired) {
        struct camera_buffers *set = camera->retired;

        camera->retired = set->next;
        capture_camera_buffers_destroy(camera->device.calls, &set);
    }
    capture_decoder_destroy(&camera->decoder);
    free(camera);
}

static const struct source_kind camera_kind = {
    .next = camera_next,
    .release = camera_release,
    .about = camera_about,
    .poll_file = camera_poll_file,
    .destroy = camera_destroy,
};

/* ---- opening ---- */

/* Where it will be found again. A stable link that was asked for may lead to another camera once
 * this one is gone (twins without a serial number do that), so it is the socket that counts. */
static void note_place(struct live_camera *camera)
{
    const struct device_calls *calls = camera->device.calls;
    char link[DEVICE_PATH_MAX];

    if (calls->place(calls->context, camera->node, camera->place, sizeof camera->place) != 0)
        camera->place[0] = '\0';
    const char *shown = camera->place[0] ? camera->place : camera->node;
    if (capture_devices_link("/dev/v4l/by-path", camera->node, link, sizeof link) &&
        strlen(link) < sizeof camera->shown_place)
        shown = link;
    snprintf(camera->shown_place, sizeof camera->shown_place, "%.*s",
             (int)sizeof camera->shown_place - 1, shown);
}

static int start_first(struct live_camera *camera, struct capture_fault *fault)
{
    bool passing = true;
    int error = CAPTURE_E_OPEN;

    for (int i = 0; i < FIRST_TRIES && error && passing; i++) {
        if (i > 0)
            wait_until(camera, now_of(camera) + FIRST_WAIT_MS * NS_PER_MS);
        error = capture_camera_start(camera, &passing, fault);
    }
    return error;
}

int capture_camera_open_on(const struct device_calls *calls, const char *device,
                           const struct camera_wish *wish, struct source **out,
                           struct capture_fault *fault)
{
    struct live_camera *camera;
    int error;

    if (!device || !wish || !out)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no camera was named");
    *out = NULL;
    if (strlen(device) >= sizeof camera->node)
        return capture_fail(fault, CAPTURE_E_OPEN, "the camera's path is too long");
    camera = calloc(1, sizeof *camera);
    if (!camera)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for a camera");
    camera->wish = *wish;
    camera->device = (struct device){.calls = calls, .fd = -1};
    camera->held = (struct camera_held){.exposure_100us = -1, .gain = -1, .white_k = -1};
    snprintf(camera->name, sizeof camera->name, "%.*s", (int)sizeof camera->name - 1, device);
    snprintf(camera->node, sizeof camera->node, "%s", device);
    camera->decoder = capture_decoder_create();
    note_place(camera);
    error = camera->decoder ? start_first(camera, fault)
                            : capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory");
    if (error) {
        camera_destroy(camera);
        return error;
    }
    *out = capture_source_create(&camera_kind, camera);
    return *out ? CAPTURE_OK : capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory");
}

int capture_camera_open(const char *device, const struct camera_wish *wish, struct source **out,
                        struct capture_fault *fault)
{
    if (device && strncmp(device, "test:", 5) == 0)
        return capture_camera_test_open(device, wish, out, fault);
    return capture_camera_open_on(&capture_system_calls, device, wish, out, fault);
}
