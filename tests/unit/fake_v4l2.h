/* tests/unit/fake_v4l2.h: a scripted device in the kernel's place, for the tests of cameras.
 *
 * It answers the ioctls as a driver does, keeps the books on its buffers (which must be queued
 * before they are filled, and come back once), and has a clock of its own that only waiting moves.
 * What it is made to do wrong stands in struct fake. */
#ifndef TESTS_FAKE_V4L2_H
#define TESTS_FAKE_V4L2_H

#include "capture/v4l2.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAKE_BUFFERS 32
#define FAKE_MODES 8
#define FAKE_SCRIPT 64
#define FAKE_START_NS 5000000000LL

struct fake_mode {
    uint32_t fourcc;
    int width, height; /* 0: sizes are not listed */
    int rates[3];      /* pictures a second; 0: no more */
    int planes;        /* 0: 1 */
};

/* How one picture differs from a good one. It is used for the given count of pictures. */
struct fake_picture {
    int count;
    bool error;           /* the driver's flag */
    bool empty;           /* nothing used */
    bool no_stamp_kind;   /* the flag that says which clock lacks */
    bool long_used;       /* more is used than the buffer holds */
    bool bad_index;       /* of a buffer that there is not */
    bool repeat_index;    /* of one that was not queued */
    long cut;             /* bytes that lack at the end */
    long stale;           /* old bytes behind it */
    int skip;             /* of the sequence, before it */
    int64_t stamp_add_ns; /* wrong by that */
    bool stamp_again;     /* the same as that of the last one */
    bool no_picture_head; /* not what a JPEG begins with */
    int brightness_add;   /* of raw pictures */
    int wait_ms;          /* it comes that much later */
};

struct fake_control {
    uint32_t id;
    int least, most, step, value;
    bool automatic_rules; /* cannot be set while its automatic is on (of exposure, white) */
    unsigned items;       /* of a menu: bits of those it has */
    bool deaf;            /* takes a value and keeps its own */
    int sets;             /* how often it was set */
};

struct fake {
    struct device_calls calls;

    /* what it is */
    const char *card, *driver, *bus;
    uint32_t caps;
    struct fake_mode modes[FAKE_MODES];
    int mode_count;
    uint32_t stride_add;   /* bytes more in each row than needed */
    bool stride_zero;      /* does not say */
    uint32_t field;        /* V4L2_FIELD_*; 0: none, progressive */
    int buffers_granted;   /* 0: as asked */
    bool no_rate;          /* no S_PARM */
    int real_rate;         /* it keeps to that one whatever is asked; 0: it does as asked */
    uint32_t other_fourcc; /* gives this one whatever is asked; 0: what is asked */
    struct fake_control controls[12];
    int control_count;
    bool dark_when_held; /* the picture turns dark when its exposure becomes manual */

    /* where it is */
    bool present;
    char node[32]; /* where it is now */
    bool placeless;

    /* pictures to come, then good ones without end */
    struct fake_picture script[FAKE_SCRIPT];
    int script_count, script_at;
    uint32_t sequence; /* of the next one */
    bool silent;       /* none come */
    int brightness;    /* of raw pictures, before anything else */
    uint8_t *jpeg;     /* the picture of MJPEG modes */
    size_t jpeg_length;

    /* errors: each a positive errno, given that many times */
    struct {
        unsigned long request; /* 0: of open */
        int error, times;
        int after; /* calls that go well before */
    } faults[8];
    int fault_count;
    int wait_fault; /* the next wait says so: DEVICE_FAULT or a negative errno */
    int interrupts; /* the next calls are interrupted, that many */

    /* what happened */
    int64_t now_ns;
    int opens, closes, maps, unmaps, starts, stops, waits, requests;
    int priority;
    bool open, streaming;
    uint32_t fourcc;
    int width, height, planes, rate;
    uint32_t stride, size;
    int buffer_count;
    struct {
        bool queued;
        uint8_t *bytes[2];
        size_t length[2];
        int mapped;
    } buffer[FAKE_BUFFERS];
    int order[FAKE_BUFFERS], order_count; /* queued ones, the oldest first */
    int64_t due_ns, last_stamp_ns;
    int misuses; /* a contract that was broken: queued twice, wrong type, and so on */
    char notices[4096];
};

/* An MJPEG webcam of one mode, 64x48 at 30, present at /dev/fake0. */
void fake_init(struct fake *fake);
void fake_free(struct fake *fake);

/* `count` pictures of that kind next. */
void fake_script(struct fake *fake, struct fake_picture picture);
/* The next `times` calls of `request` give this errno (0: of open). */
void fake_fail(struct fake *fake, unsigned long request, int error, int times);
/* It is unplugged: every call is ENODEV and its node is gone; and plugged in again as `node`. */
void fake_unplug(struct fake *fake);
void fake_plug(struct fake *fake, const char *node);

struct fake_control *fake_add_control(struct fake *fake, uint32_t id, int least, int most,
                                      int value);
struct fake_control *fake_control(struct fake *fake, uint32_t id);

/* For camera_wish: collects lines in fake->notices. */
void fake_notice(void *context, const char *text);

#endif
