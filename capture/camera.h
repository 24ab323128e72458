/* capture/camera.h: what the files behind capture_camera_open() share.
 *
 * A camera is in one of two states: streaming, or away (its fd is -1). Whatever goes wrong while it
 * streams ends in capture_camera_stop(), which closes all; being away is over when
 * capture_camera_start() has come through. Buffers that are still lent then stay mapped until they
 * are released. */
#ifndef CAPTURE_CAMERA_H
#define CAPTURE_CAMERA_H

#include "capture/devices.h"
#include "capture/picture.h"
#include "capture/source.h"
#include "capture/v4l2.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- which format and size (camera_choose.c) ---- */

struct camera_choice {
    uint32_t fourcc;
    enum picture_format format;
    int planes;
    int width, height; /* px; 0: whatever the driver has */
    int rate;          /* pictures a second to ask for */
};

#define CAMERA_CHOICES_MAX 8

/* What fits the wish, the best first; their number. None: `fault` says what there is. */
int capture_camera_choose(const struct device_modes *modes, const struct camera_wish *wish,
                          struct camera_choice out[CAMERA_CHOICES_MAX],
                          struct capture_fault *fault);

/* ---- times and numbers of pictures (camera_stamps.c) ---- */

struct camera_stamps {
    bool running;          /* a picture came since the start */
    uint32_t raw_sequence; /* of the last one */
    int64_t raw_ns;
    int64_t started_ns, arrived_ns;
    uint64_t given; /* sequence of the last picture given; over all starts */
    uint64_t lost;  /* since then */
    int64_t given_ns;
    int64_t window_ns; /* where the measuring of the rate began; 0: not yet */
    uint64_t window_pictures;
    int64_t interval_ns; /* as measured; 0: not yet */
};

void capture_camera_stamps_start(struct camera_stamps *stamps, int64_t now_ns);

/* Takes note of a picture; when it is to be given, fills its sequence, lost, times. */
void capture_camera_stamp(struct camera_stamps *stamps, const struct device_filled *filled,
                          int64_t arrived_ns, struct picture *given);

/* ---- warming up (camera_warm.c) ---- */

#define CAMERA_STILL_PICTURES 8

/* Means over a picture, in sixteenths of a level. */
struct camera_means {
    int y, cb, cr;
};

struct camera_warmth {
    int seen, kept;
    int64_t first_ns;
    struct camera_means ring[CAMERA_STILL_PICTURES];
};

enum camera_warm { CAMERA_WARM_NOT_YET, CAMERA_WARM_STILL, CAMERA_WARM_LATE };

/* Takes the means of one more picture (NULL: it was damaged): do they stand still by now? LATE:
 * they do not, but the time for it is over. */
enum camera_warm capture_camera_warm(struct camera_warmth *warmth, const struct camera_means *means,
                                     int64_t now_ns);

/* The mean of the last ones. */
struct camera_means capture_camera_warm_means(const struct camera_warmth *warmth);

/* Differ two pictures by more than lets pass for the same light: in brightness, in colour? */
bool capture_camera_light_differs(const struct camera_means *a, const struct camera_means *b);
bool capture_camera_colour_differs(const struct camera_means *a, const struct camera_means *b);

/* ---- buffers (camera_buffers.c) ---- */

#define CAMERA_BUFFERS_MAX 32 /* what V4L2 grants at most */

struct camera_buffer {
    void *start[DEVICE_PLANES_MAX];
    size_t length[DEVICE_PLANES_MAX];
    bool queued, lent;
};

struct camera_buffers {
    struct camera_buffers *next; /* an older set with pictures still lent */
    unsigned generation;
    int count, planes, queued, lent;
    struct camera_buffer buffer[CAMERA_BUFFERS_MAX];
};

/* Asks for buffers and maps them all. 0 or a negative errno (-ENOBUFS: fewer were granted than
 * will do; *granted says how many). *out is the caller's in any case. */
int capture_camera_buffers_create(const struct device *device, int planes,
                                  struct camera_buffers **out, int *granted);
void capture_camera_buffers_destroy(const struct device_calls *calls,
                                    struct camera_buffers **buffers);

int capture_camera_buffer_queue(const struct device *device, struct camera_buffers *buffers,
                                int index);

/* ---- controls (camera_controls.c) ---- */

/* What the automatics had come to when they were switched off; -1: the camera does not say. */
struct camera_held {
    bool exposure, white;           /* they are held */
    bool exposure_free, white_free; /* they cannot be: the picture changed when they were */
    int exposure_100us, gain, white_k;
};

struct live_camera;

/* After each start: mains, fixed values with their automatics off, automatics on for the rest. */
void capture_camera_controls_start(struct live_camera *camera);
/* Is there an automatic to hold? */
bool capture_camera_controls_running(const struct live_camera *camera);
/* Holds what the automatics have come to; lets go again what does not hold. */
void capture_camera_controls_hold(struct live_camera *camera);
void capture_camera_controls_let_go(struct live_camera *camera, bool exposure, bool white);

/* ---- the camera itself ---- */

enum camera_phase { CAMERA_SETTLING, CAMERA_HOLDING, CAMERA_RUNNING };

struct live_camera {
    struct camera_wish wish;
    char name[128];              /* what was asked for */
    char node[DEVICE_PATH_MAX];  /* where it is now */
    char place[DEVICE_PATH_MAX]; /* where it is found again; "": by its name only */
    char shown_place[128];

    struct device device; /* fd -1: away */
    bool known;           /* it was started once: from then on it must be the same */
    struct device_about first_about;
    struct camera_choice choice;
    struct device_geometry geometry;
    int64_t asked_ns; /* between pictures, as granted; 0: not known */
    struct camera_buffers *buffers, *retired;
    unsigned starts;

    struct camera_stamps stamps;
    struct decoder *decoder; /* for warming up */
    enum camera_phase phase;
    struct camera_warmth warmth;
    struct camera_means before; /* the automatics were held */
    struct camera_held held;

    int broken;         /* a negative errno from a call that could not tell; the next one does */
    int64_t picture_ns; /* when the last one arrived, or the start */
    bool picture_came;  /* since the start */
    int slow_windows;   /* measurements in a row under the rate */
    uint64_t slow_seen; /* the window that was looked at last */
    bool slow_said;
    int clock_run; /* pictures in a row whose stamps are doubtful (or, once that was said, are not) */
    bool clock_said;

    bool away_said;
    bool absent; /* looked for and not there */
    int64_t look_ns, try_ns, wait_ns;
    struct capture_fault away; /* why */
};

/* One line for people who run the table; "NAME: " is put before it. */
void capture_camera_notice(const struct live_camera *camera, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Opens, sets up and starts the camera at its node (camera_start.c). On an error all is closed
 * again, and *passing says that another try may help. */
int capture_camera_start(struct live_camera *camera, bool *passing, struct capture_fault *fault);
void capture_camera_stop(struct live_camera *camera);

/* A buffer that came back, as a picture (camera_picture.c). False: the driver broke its contract.
 */
bool capture_camera_picture(const struct live_camera *camera, const struct device_filled *filled,
                            struct picture *out);

/* As capture_camera_open(), with something in the system's place. */
int capture_camera_open_on(const struct device_calls *calls, const char *device,
                           const struct camera_wish *wish, struct source **out,
                           struct capture_fault *fault);

/* "test:WxH" (camera_test.c). */
int capture_camera_test_open(const char *device, const struct camera_wish *wish,
                             struct source **out, struct capture_fault *fault);

#endif
