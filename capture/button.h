/* capture/button.h: buttons and pedals: devices of Linux's input layer, whose presses are claims.
 *
 * A press is dated by the kernel when its event comes in, on CLOCK_MONOTONIC: neither the program's
 * other work nor the machine's shifts it. A device is this program's alone while it is open, so
 * that a pedal that passes for a keyboard types into no terminal. One that is unplugged is tried
 * for again under its path; a stable one is in /dev/input/by-id or by-path. */
#ifndef CAPTURE_BUTTON_H
#define CAPTURE_BUTTON_H

#include "capture/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Codes of keys and buttons are below this (linux/input-event-codes.h). */
#define BUTTON_CODES 768
#define BUTTON_PATH_MAX 256
/* A contact bounces for some milliseconds, when it closes and when it opens; worn ones for 20.
 * Nobody presses a button twice within this. */
#define BUTTON_BOUNCE_NS 30000000
/* How far a press's time may be off: a USB device is asked every 8 or 10 ms, and most of them wait
 * for some ms themselves until a contact is quiet. */
#define BUTTON_ERROR_NS 15000000

struct button_press {
    int code;
    int64_t at_ns; /* CLOCK_MONOTONIC */
};

/* ---- from bytes to presses: no I/O ---- */

struct button_filter {
    bool lost; /* events were lost; nothing counts until the next report */
    bool down[BUTTON_CODES];
    int64_t edge_ns[BUTTON_CODES]; /* the last change, however brief */
    bool known[BUTTON_CODES];      /* there was one */
};

/* Takes what was read of a device: whole struct input_event. Presses are put into `out`, up to
 * `most` (more are left out: nobody has so many fingers). Neither repeats nor bounces are presses.
 * *resync: events were lost, and the keys' state must be asked for. Their count, or
 * CAPTURE_E_DAMAGED: the bytes end within an event. */
int capture_button_filter(struct button_filter *filter, const void *bytes, size_t length,
                          struct button_press *out, int most, bool *resync);

/* What is down now, as EVIOCGKEY gives it: a bit for each code. What was pressed meanwhile has no
 * time, so it is no press. */
void capture_button_filter_sync(struct button_filter *filter, const uint8_t *bits, size_t length);

/* ---- a device ---- */

/* The system's calls. Each returns a negative errno when it fails; tests have others. */
struct button_calls {
    int (*open)(void *context, const char *path);
    void (*close)(void *context, int file);
    int (*control)(void *context, int file, unsigned long request, void *argument);
    int64_t (*read)(void *context, int file, void *bytes, size_t size); /* -EAGAIN: nothing */
    void *context;
};
extern const struct button_calls capture_button_system;

struct button;

/* For a device of that path, which need not be there. NULL without memory, or when the path is too
 * long. `calls` are lent for its life. */
struct button *capture_button_create(const struct button_calls *calls, const char *path);
void capture_button_destroy(struct button **button);

enum button_change {
    BUTTON_SAME,
    BUTTON_CAME, /* it is here and taken */
    BUTTON_LOST, /* it is away, or cannot be taken; said once for each reason */
};

/* Tries to open it when it is not open. `fault` says of BUTTON_LOST what is wrong and what to do.
 */
enum button_change capture_button_look(struct button *button, struct capture_fault *fault);

/* To wait for; -1 while it is not open. */
int capture_button_file(const struct button *button);
const char *capture_button_path(const struct button *button);

/* The presses since the last call. One that is gone is closed: 0, and the next look says so. */
int capture_button_take(struct button *button, struct button_press *out, int most);

/* ---- what is here ---- */

enum button_why {
    BUTTON_USABLE = 0,
    BUTTON_ABSENT,
    BUTTON_NO_RIGHTS,
    BUTTON_NOT_INPUT, /* no device of the input layer */
    BUTTON_NO_KEYS,   /* one without a key */
    BUTTON_BUSY,      /* another program has taken it */
    BUTTON_FAILED
};
const char *capture_button_why_name(enum button_why why);

struct button_entry {
    char node[BUTTON_PATH_MAX];
    char by_id[BUTTON_PATH_MAX], by_path[BUTTON_PATH_MAX]; /* "" for none */
    char name[128];                                        /* "" unknown */
    int keys;                                              /* how many it has; 0 unknown */
    enum button_why why;
    struct capture_fault explained; /* "" when it is usable */
};

/* Looks at one device. Always fills *out. */
void capture_button_examine(const struct button_calls *calls, const char *node,
                            struct button_entry *out);

/* The nodes /dev/input/event*, in the order of their numbers, as paths that the caller frees with
 * capture_button_nodes_free. Their count, or CAPTURE_E_MEMORY. */
int capture_button_nodes(char ***out);
void capture_button_nodes_free(char ***nodes, int count);

#endif
