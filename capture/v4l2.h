/* capture/v4l2.h: V4L2 in types of this room's own, one thin call for each thing that is asked of a
 * device. v4l2.c is the one file that knows the kernel's header.
 *
 * Everything goes through a small table of functions, so that tests can put a scripted device in
 * the kernel's place. Calls that can fail return 0 (or a count) or a negative errno: what an error
 * means is for camera*.c and devices.c to say, as it differs by call. Nothing here waits but
 * `wait`; a call that a signal interrupted is made again. */
#ifndef CAPTURE_V4L2_H
#define CAPTURE_V4L2_H

#include "capture/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEVICE_PATH_MAX 256
#define DEVICE_PLANES_MAX 2 /* NV12 with its chroma in a buffer of its own */

/* What is asked of the system. `context` is the table's own. */
struct device_calls {
    void *context;
    /* Non-blocking, for reading and writing. The descriptor, or a negative errno; what is no
     * V4L2 node is -ENOTTY and is not opened. */
    int (*open)(void *context, const char *path);
    void (*close)(void *context, int fd);
    int (*control)(void *context, int fd, unsigned long request, void *argument);
    void *(*map)(void *context, int fd, size_t length, int64_t offset); /* NULL: it failed */
    void (*unmap)(void *context, void *start, size_t length);
    /* DEVICE_READY, DEVICE_FAULT, 0 when the time is over, or a negative errno (-EINTR too: whoever
     * waits may want to look why). With an fd of -1 it only waits. */
    int (*wait)(void *context, int fd, int timeout_ms);
    int64_t (*now_ns)(void *context); /* CLOCK_MONOTONIC */
    /* The place of a node: the socket it is plugged into and its number there, which stay the same
     * over replugging. And back: the node that is at a place now. -ENOENT when there is none. */
    int (*place)(void *context, const char *node, char *out, size_t size);
    int (*find)(void *context, const char *place, char *out, size_t size);
};

enum { DEVICE_READY = 1, DEVICE_FAULT = 2 };

/* The system itself (system.c). */
extern const struct device_calls capture_system_calls;

enum device_role {
    DEVICE_CAMERA,
    DEVICE_METADATA, /* of a camera, beside its pictures */
    DEVICE_OUTPUT,   /* takes pictures */
    DEVICE_CODEC,    /* memory to memory */
    DEVICE_OTHER     /* radio, teletext and the like */
};

struct device_about {
    char driver[20], card[36], bus[36];
    enum device_role role;
    bool multi_planar; /* only that kind of calls works */
    bool streaming;    /* gives buffers to map; else read() only */
};

struct device {
    const struct device_calls *calls;
    int fd;
    struct device_about about;
};

/* Fills `about` of a device whose calls and fd are set. */
int capture_v4l2_about(struct device *device);

struct device_format {
    uint32_t fourcc;
    int format; /* enum picture_format, or -1: none of those that are read */
    int planes; /* buffers for a picture */
};

/* The index-th format; -EINVAL behind the last. */
int capture_v4l2_format_at(const struct device *device, int index, struct device_format *out);

/* "MJPG"; what does not print becomes '.'. */
void capture_v4l2_fourcc_text(uint32_t fourcc, char out[5]);

/* A size, or all those between two by steps. */
struct device_size {
    bool stepped;
    int width, height;         /* of one; else the least */
    int width_max, height_max; /* only when stepped */
    int width_step, height_step;
};

int capture_v4l2_size_at(const struct device *device, uint32_t fourcc, int index,
                         struct device_size *out);

/* Times between pictures that a size has: one, or all between two. */
struct device_interval {
    int64_t least_ns, most_ns; /* alike for one */
};

int capture_v4l2_interval_at(const struct device *device, uint32_t fourcc, int width, int height,
                             int index, struct device_interval *out);

/* How pictures lie in memory. */
struct device_geometry {
    uint32_t fourcc;
    int width, height;
    int planes;
    uint32_t stride[DEVICE_PLANES_MAX]; /* bytes from row to row; 0: the driver does not say */
    uint32_t size[DEVICE_PLANES_MAX];   /* bytes of a whole picture, at most */
    bool interlaced;
    bool full_range; /* luma uses 0..255 */
};

/* Asks for fourcc, width and height; *geometry gets what the driver made of them. */
int capture_v4l2_format_set(const struct device *device, struct device_geometry *geometry);

/* Asks for so many pictures a second and tells what was granted; *interval_ns is 0 where the driver
 * does not say. -ENOTTY where a device has no rate to set. */
int capture_v4l2_rate_set(const struct device *device, int rate, int64_t *interval_ns);

/* Asks for *count buffers that can be mapped, or frees them all with 0; *count gets what was
 * granted. */
int capture_v4l2_buffers_request(const struct device *device, int *count);

struct device_span {
    size_t length;
    int64_t offset; /* for `map` */
};

int capture_v4l2_buffer_span(const struct device *device, int planes, int index,
                             struct device_span out[DEVICE_PLANES_MAX]);
int capture_v4l2_buffer_queue(const struct device *device, int planes, int index);

/* A buffer as it comes back. */
struct device_filled {
    unsigned index;
    uint32_t sequence;
    size_t used[DEVICE_PLANES_MAX];  /* bytes, from the buffer's start: not to be trusted */
    size_t start[DEVICE_PLANES_MAX]; /* where the picture begins in it: nor this */
    bool error;                      /* the driver's own flag */
    bool monotonic;                  /* the stamp is of CLOCK_MONOTONIC */
    int64_t stamp_ns;                /* INT64_MAX when it does not fit */
};

int capture_v4l2_buffer_dequeue(const struct device *device, int planes, struct device_filled *out);
int capture_v4l2_stream(const struct device *device, bool on);

/* Known by number: names have changed with kernels. */
enum device_control {
    CONTROL_EXPOSURE_AUTO,  /* a menu: DEVICE_EXPOSURE_* */
    CONTROL_EXPOSURE_100US, /* the time */
    CONTROL_EXPOSURE_SLOWS, /* may the automatic lower the rate? */
    CONTROL_GAIN_AUTO,
    CONTROL_GAIN,
    CONTROL_WHITE_AUTO,
    CONTROL_WHITE_K,
    CONTROL_FOCUS_AUTO,
    CONTROL_FOCUS,
    CONTROL_MAINS, /* a menu: 0 none, 1: 50 Hz, 2: 60 Hz, 3 automatic */
    DEVICE_CONTROLS
};

enum {
    DEVICE_EXPOSURE_AUTO = 0,
    DEVICE_EXPOSURE_MANUAL = 1,
    DEVICE_EXPOSURE_APERTURE = 3 /* time automatic, aperture not: what webcams have */
};

/* For people. */
const char *capture_v4l2_control_name(enum device_control which);

struct device_range {
    int least, most, step;
    bool fixed; /* read only, or disabled */
};

/* -EINVAL when the device has no such control. */
int capture_v4l2_control_range(const struct device *device, enum device_control which,
                               struct device_range *out);
/* Has a menu that item? */
bool capture_v4l2_control_has_item(const struct device *device, enum device_control which,
                                   int item);
int capture_v4l2_control_get(const struct device *device, enum device_control which, int *value);
int capture_v4l2_control_set(const struct device *device, enum device_control which, int value);

/* Others may look, but not change format or controls, while this device is open. */
int capture_v4l2_priority_raise(const struct device *device);

#endif
