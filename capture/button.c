/* capture/button.c: a button as a device. */
#include "capture/button_parts.h"

#include "capture/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define INPUT_MAJOR 13
#define EVENTS_AT_ONCE 64
#define BITS_BYTES (BUTTON_CODES / 8)

struct button {
    const struct button_calls *calls;
    char path[BUTTON_PATH_MAX];
    int file;  /* -1: not open */
    int error; /* why not, as it was said last; 0: nothing was said */
    struct button_filter filter;
};

/* ---- the system ---- */

static int system_open(void *context, const char *path)
{
    struct stat status;
    int file;

    (void)context;
    if (stat(path, &status) != 0)
        return -errno;
    /* Opening another kind of device may do something to it, and a pipe would wait. */
    if (!S_ISCHR(status.st_mode) || major(status.st_rdev) != INPUT_MAJOR)
        return -ENOTTY;
    do
        file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    while (file < 0 && errno == EINTR);
    return file < 0 ? -errno : file;
}

static void system_close(void *context, int file)
{
    (void)context;
    close(file);
}

static int system_control(void *context, int file, unsigned long request, void *argument)
{
    (void)context;
    int result = ioctl(file, request, argument);
    return result == -1 ? -errno : result;
}

static int64_t system_read(void *context, int file, void *bytes, size_t size)
{
    (void)context;
    ssize_t got = read(file, bytes, size);
    return got < 0 ? -errno : got;
}

const struct button_calls capture_button_system = {
    .open = system_open,
    .close = system_close,
    .control = system_control,
    .read = system_read,
};

/* ---- taking a device ---- */

static int keys_count(const uint8_t *bits)
{
    int count = 0;

    for (int code = 0; code < BUTTON_CODES; code++)
        count += (bits[code / 8] >> (code % 8)) & 1;
    return count;
}

/* The number that EVIOCGRAB and EVIOCSCLOCKID take: one by value, one by its place. */
static int grab(const struct button_calls *calls, int file, bool take)
{
    union {
        long number;
        void *argument;
    } word = {.number = take};

    return calls->control(calls->context, file, EVIOCGRAB, word.argument);
}

/* Opened, with the kernel's monotonic times, for us alone: its file, or a negative errno. */
static int device_take(const struct button_calls *calls, const char *path, uint8_t *held, int *keys)
{
    uint8_t bits[BITS_BYTES] = {0};
    int clock = CLOCK_MONOTONIC;
    int file = calls->open(calls->context, path);

    if (file < 0)
        return file;
    int error = calls->control(calls->context, file, EVIOCGBIT(EV_KEY, sizeof bits), bits);
    *keys = error < 0 ? 0 : keys_count(bits);
    if (error >= 0)
        error = *keys > 0 ? calls->control(calls->context, file, EVIOCSCLOCKID, &clock) : -ENODATA;
    if (error >= 0)
        error = grab(calls, file, true);
    if (error >= 0)
        error = calls->control(calls->context, file, EVIOCGKEY(BITS_BYTES), held);
    if (error >= 0)
        return file;
    calls->close(calls->context, file);
    return error;
}

static enum button_why why_of(int error)
{
    switch (error) {
    case -ENOENT:
    case -ENODEV:
    case -ENXIO:
        return BUTTON_ABSENT;
    case -EACCES:
    case -EPERM:
        return BUTTON_NO_RIGHTS;
    case -ENOTTY:
    case -EINVAL:
        return BUTTON_NOT_INPUT;
    case -ENODATA:
        return BUTTON_NO_KEYS;
    case -EBUSY:
        return BUTTON_BUSY;
    default:
        return error < 0 ? BUTTON_FAILED : BUTTON_USABLE;
    }
}

const char *capture_button_why_name(enum button_why why)
{
    static const char *const names[] = {
        [BUTTON_USABLE] = "usable",       [BUTTON_ABSENT] = "absent",
        [BUTTON_NO_RIGHTS] = "no_rights", [BUTTON_NOT_INPUT] = "not_input",
        [BUTTON_NO_KEYS] = "no_keys",     [BUTTON_BUSY] = "busy",
        [BUTTON_FAILED] = "failed"};

    return (unsigned)why <= BUTTON_FAILED ? names[why] : "failed";
}

static void explain(const char *path, int error, struct capture_fault *out)
{
    switch (why_of(error)) {
    case BUTTON_USABLE:
        out->text[0] = 0;
        break;
    case BUTTON_ABSENT:
        capture_fail(out, 0, "%.150s: no such button is plugged in", path);
        break;
    case BUTTON_NO_RIGHTS:
        capture_fail(out, 0,
                     "%.150s: this user may not read it; add it to the group input (usermod -aG "
                     "input NAME, then log in again)",
                     path);
        break;
    case BUTTON_NOT_INPUT:
        capture_fail(out, 0, "%.150s: no device of the input layer; see tableref devices", path);
        break;
    case BUTTON_NO_KEYS:
        capture_fail(out, 0, "%.150s: this device has no key or button", path);
        break;
    case BUTTON_BUSY:
        capture_fail(out, 0, "%.150s: another program has taken it for itself; end that one", path);
        break;
    default:
        capture_fail(out, 0, "%.150s: %s", path, strerror(-error));
    }
}

/* ---- a button ---- */

struct button *capture_button_create(const struct button_calls *calls, const char *path)
{
    struct button *button = strlen(path) < BUTTON_PATH_MAX ? calloc(1, sizeof *button) : NULL;

    if (!button)
        return NULL;
    button->calls = calls;
    button->file = -1;
    snprintf(button->path, sizeof button->path, "%s", path);
    return button;
}

static void device_leave(struct button *button)
{
    if (button->file < 0)
        return;
    grab(button->calls, button->file, false);
    button->calls->close(button->calls->context, button->file);
    button->file = -1;
}

void capture_button_destroy(struct button **button)
{
    if (!button || !*button)
        return;
    device_leave(*button);
    free(*button);
    *button = NULL;
}

enum button_change capture_button_look(struct button *button, struct capture_fault *fault)
{
    uint8_t held[BITS_BYTES] = {0};
    int keys;

    if (button->file >= 0)
        return BUTTON_SAME;
    int file = device_take(button->calls, button->path, held, &keys);
    if (file < 0) {
        bool said = button->error == file;
        button->error = file;
        explain(button->path, file, fault);
        return said ? BUTTON_SAME : BUTTON_LOST;
    }
    button->file = file;
    button->error = 0;
    /* What is held down while it is plugged in was not pressed now. */
    memset(&button->filter, 0, sizeof button->filter);
    capture_button_filter_sync(&button->filter, held, sizeof held);
    return BUTTON_CAME;
}

int capture_button_file(const struct button *button)
{
    return button->file;
}

const char *capture_button_path(const struct button *button)
{
    return button->path;
}

int capture_button_take(struct button *button, struct button_press *out, int most)
{
    struct input_event events[EVENTS_AT_ONCE];
    const struct button_calls *calls = button->calls;
    uint8_t held[BITS_BYTES] = {0};
    int count = 0;
    bool resync;

    while (button->file >= 0) {
        int64_t got = calls->read(calls->context, button->file, events, sizeof events);
        if (got == -EAGAIN || got == -EINTR)
            break;
        int more = got <= 0 ? CAPTURE_E_DAMAGED
                            : capture_button_filter(&button->filter, events, (size_t)got,
                                                    out + count, most - count, &resync);
        if (more < 0) {
            device_leave(button);
            break;
        }
        count += more;
        if (resync &&
            calls->control(calls->context, button->file, EVIOCGKEY(BITS_BYTES), held) >= 0)
            capture_button_filter_sync(&button->filter, held, sizeof held);
    }
    return count;
}

/* ---- what is here ---- */

void capture_button_explain(const char *node, int error, struct button_entry *out)
{
    out->why = why_of(error);
    explain(node, error, &out->explained);
}

int capture_button_try(const struct button_calls *calls, const char *node, struct button_entry *out)
{
    uint8_t held[BITS_BYTES];
    int file = device_take(calls, node, held, &out->keys);

    if (file < 0)
        return file;
    (void)calls->control(calls->context, file, EVIOCGNAME(sizeof out->name - 1), out->name);
    grab(calls, file, false);
    calls->close(calls->context, file);
    return 0;
}
