/* capture/devices.h: what cameras are here, what they can do, and why one cannot be used. */
#ifndef CAPTURE_DEVICES_H
#define CAPTURE_DEVICES_H

#include "capture/v4l2.h"

/* ---- what a device can do ---- */

#define DEVICE_MODES_MAX 128 /* formats times sizes; cameras have 5 to 60 */
#define DEVICE_RATES_MAX 16

/* A format that is read, at a size. */
struct device_mode {
    uint32_t fourcc;
    enum picture_format format;
    int planes;
    struct device_size size;          /* all 0: the driver lists no sizes */
    int rate_count;                   /* 0: the driver lists no rates */
    int rate_milli[DEVICE_RATES_MAX]; /* thousandths of a picture a second, the fastest first */
};

struct device_modes {
    int count;
    struct device_mode mode[DEVICE_MODES_MAX];
    char others[64]; /* formats that are not read, as fourccs: "H264 RGB3" */
};

/* 0, or a negative errno when the device does not answer. */
int capture_devices_modes(const struct device *device, struct device_modes *out);

/* ---- why one cannot be used ---- */

enum device_why {
    DEVICE_USABLE = 0,
    DEVICE_ABSENT,
    DEVICE_NO_RIGHTS,
    DEVICE_NOT_VIDEO,    /* no V4L2 node */
    DEVICE_NO_CAMERA,    /* by its role: metadata, output and so on */
    DEVICE_NO_STREAMING, /* gives pictures by read() only */
    DEVICE_NO_FORMAT,    /* none that is read */
    DEVICE_BUSY,         /* another program holds it */
    DEVICE_NO_BANDWIDTH, /* its bus has no room beside other cameras */
    DEVICE_NOT_FED,      /* nothing feeds it: a loopback without its producer */
    DEVICE_FAILED        /* the driver says so, by another error */
};

/* "no_rights" and so on; for a role that is no camera "metadata", "output", "codec", "other". */
const char *capture_devices_why_name(enum device_why why, enum device_role role);

/* What a negative errno of opening, setting up or starting means. */
enum device_why capture_devices_why_of(int error);

/* One line for people: what is wrong with the node, who or what stands in the way, what to do.
 * `about` may be NULL where the device was not opened; `error` is a negative errno, or 0. */
void capture_devices_explain(const char *node, const struct device_about *about,
                             enum device_why why, int error, struct capture_fault *out);

/* ---- what is here ---- */

struct device_entry {
    char node[DEVICE_PATH_MAX];
    char by_path[DEVICE_PATH_MAX], by_id[DEVICE_PATH_MAX]; /* stable links; "" for none */
    char place[DEVICE_PATH_MAX];                           /* in the tree of buses; "" unknown */
    bool opened;                                           /* then `about` is filled */
    struct device_about about;
    struct device_modes modes;
    enum device_why why;
    struct capture_fault explained; /* unless it is usable */
};

/* Looks at one node. With `start` it is started for a moment, if nobody has it: only so a lack of
 * bandwidth shows (a camera's light may flash). Always fills *out. */
void capture_devices_look(const struct device_calls *calls, const char *node, bool start,
                          struct device_entry *out);

/* The nodes /dev/video*, in the order of their numbers, as paths that the caller frees with
 * capture_devices_nodes_free. Their count, or CAPTURE_E_MEMORY. None is 0. */
int capture_devices_nodes(char ***out);
void capture_devices_nodes_free(char ***nodes, int count);

/* The link to a node in /dev/v4l/by-path or /dev/v4l/by-id; false, and "", when there is none. */
bool capture_devices_link(const char *folder, const char *node, char *out, size_t size);

#endif
