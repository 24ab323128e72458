/* capture/devices_why.c: why a camera cannot be used, in words that say what to do. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calib/mark.h"
#include "capture/devices.h"
#include "capture/fault.h"

const char *capture_devices_why_name(enum device_why why, enum device_role role)
{
    static const char *const names[] = {
        [DEVICE_USABLE] = "usable",
        [DEVICE_ABSENT] = "absent",
        [DEVICE_NO_RIGHTS] = "no_rights",
        [DEVICE_NOT_VIDEO] = "not_video",
        [DEVICE_NO_STREAMING] = "no_streaming",
        [DEVICE_NO_FORMAT] = "no_format",
        [DEVICE_BUSY] = "busy",
        [DEVICE_NO_BANDWIDTH] = "no_bandwidth",
        [DEVICE_NOT_FED] = "not_fed",
        [DEVICE_FAILED] = "failed",
    };
    static const char *const roles[] = {
        [DEVICE_CAMERA] = "camera", [DEVICE_METADATA] = "metadata", [DEVICE_OUTPUT] = "output",
        [DEVICE_CODEC] = "codec",   [DEVICE_OTHER] = "other",
    };

    if (why == DEVICE_NO_CAMERA)
        return (unsigned)role < sizeof roles / sizeof roles[0] ? roles[role] : "other";
    return (unsigned)why < sizeof names / sizeof names[0] ? names[why] : "failed";
}

enum device_why capture_devices_why_of(int error)
{
    switch (error) {
    case 0:
        return DEVICE_USABLE;
    case -ENOENT:
    case -ENODEV:
    case -ENXIO:
        return DEVICE_ABSENT;
    case -EACCES:
    case -EPERM:
        return DEVICE_NO_RIGHTS;
    case -ENOTTY:
    case -ENOTDIR:
    case -ELOOP:
        return DEVICE_NOT_VIDEO;
    case -EBUSY:
        return DEVICE_BUSY;
    case -ENOSPC:
        return DEVICE_NO_BANDWIDTH;
    default:
        return DEVICE_FAILED;
    }
}

/* ---- who stands in the way ---- */

static bool all_digits(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isdigit((unsigned char)*c))
            return false;
    return *text != '\0';
}

/* Does the process have the node open? Others' processes show nothing without their rights. */
static bool process_holds(const char *pid, const struct stat *node)
{
    char path[PATH_MAX];
    struct dirent *entry;
    bool found = false;
    DIR *folder;

    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    folder = opendir(path);
    while (folder && !found && (entry = readdir(folder))) {
        struct stat open_file;

        found = all_digits(entry->d_name) &&
                fstatat(dirfd(folder), entry->d_name, &open_file, 0) == 0 &&
                S_ISCHR(open_file.st_mode) && open_file.st_rdev == node->st_rdev;
    }
    if (folder)
        closedir(folder);
    return found;
}

static void process_name(const char *pid, char *out, size_t size)
{
    char path[PATH_MAX];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%s/comm", pid);
    file = fopen(path, "re");
    if (!file || !fgets(out, (int)size, file))
        snprintf(out, size, "a program");
    out[strcspn(out, "\n")] = '\0';
    if (file)
        fclose(file);
}

/* "cheese (process 812)", and more of them after ", ". False when none is seen. */
static bool holders_of(const char *node, char *out, size_t size)
{
    struct stat status;
    struct dirent *entry;
    size_t used = 0;
    DIR *folder;

    out[0] = '\0';
    if (stat(node, &status) != 0 || !S_ISCHR(status.st_mode))
        return false;
    folder = opendir("/proc");
    while (folder && used + 40 < size && (entry = readdir(folder))) {
        char name[32];

        if (!all_digits(entry->d_name) || strtol(entry->d_name, NULL, 10) == (long)getpid() ||
            !process_holds(entry->d_name, &status))
            continue;
        process_name(entry->d_name, name, sizeof name);
        int length = snprintf(out + used, size - used, "%s%s (process %.10s)", used ? ", " : "",
                              name, entry->d_name);
        used += length > 0 ? (size_t)length : 0;
    }
    if (folder)
        closedir(folder);
    return out[0] != '\0';
}

/* The part of a place that names its USB bus: "/usb2/" gives 2. -1: on none. */
static long usb_bus_of(const char *place)
{
    const char *at = strstr(place, "/usb");

    while (at && !isdigit((unsigned char)at[4]))
        at = strstr(at + 4, "/usb");
    return at ? strtol(at + 4, NULL, 10) : -1;
}

/* The first other camera on the same bus that a program has open, for people. */
static bool neighbour_of(const char *node, char *out, size_t size)
{
    const struct device_calls *calls = &capture_system_calls;
    char place[DEVICE_PATH_MAX], other[DEVICE_PATH_MAX], holders[96];
    char **nodes = NULL;
    bool found = false;
    int count;
    long bus;

    if (calls->place(calls->context, node, place, sizeof place) != 0)
        return false;
    bus = usb_bus_of(place);
    count = capture_devices_nodes(&nodes);
    for (int i = 0; bus >= 0 && i < count && !found; i++) {
        if (calls->place(calls->context, nodes[i], other, sizeof other) != 0 ||
            usb_bus_of(other) != bus || strcmp(other, place) == 0 ||
            !holders_of(nodes[i], holders, sizeof holders))
            continue;
        snprintf(out, size, N_("%s, open in %s"), nodes[i], holders);
        found = true;
    }
    capture_devices_nodes_free(&nodes, count);
    return found;
}

/* ---- in words ---- */

static void explain_rights(const char *node, struct capture_fault *out)
{
    struct stat status;
    struct group group, *found = NULL;
    char memory[4096];

    if (stat(node, &status) == 0)
        getgrgid_r(status.st_gid, &group, memory, sizeof memory, &found);
    if (found && (status.st_mode & (S_IRGRP | S_IWGRP)) == (S_IRGRP | S_IWGRP) &&
        status.st_gid != 0)
        capture_fail(out, 0,
                     "no rights to this camera: it belongs to the group %.32s; run "
                     "\"sudo usermod -aG %.32s $USER\" and log in again",
                     found->gr_name, found->gr_name);
    else
        capture_fail(out, 0,
                     "no rights to this camera, and no group has any; look at \"ls -l %.100s\"",
                     node);
}

static void explain_role(enum device_role role, struct capture_fault *out)
{
    static const char *const texts[] = {
        [DEVICE_METADATA] = N_("gives notes about pictures (a metadata node); take its other node"),
        [DEVICE_OUTPUT] = N_("takes pictures and gives none (an output)"),
        [DEVICE_CODEC] = N_("converts pictures of others (a codec) and is no camera"),
        [DEVICE_OTHER] = N_("gives no pictures (radio, teletext or the like)"),
    };

    if ((unsigned)role < sizeof texts / sizeof texts[0] && texts[role])
        capture_fail(out, 0, "%s", texts[role]);
}

static void explain_busy(const char *node, struct capture_fault *out)
{
    char holders[128];

    if (holders_of(node, holders, sizeof holders))
        capture_fail(out, 0, "the camera is in use by %s; end that first", holders);
    else
        capture_fail(out, 0, "the camera is in use by another program; end that first");
}

static void explain_bandwidth(const char *node, struct capture_fault *out)
{
    char neighbour[160];

    if (neighbour_of(node, neighbour, sizeof neighbour))
        capture_fail(out, 0,
                     "no bandwidth left on its USB bus (beside %s); choose MJPEG, a smaller size "
                     "or rate, or plug it into another port",
                     neighbour);
    else
        capture_fail(out, 0,
                     "no bandwidth left on its USB bus; choose MJPEG, a smaller size or "
                     "rate, or plug it into a port of another bus");
}

void capture_devices_explain(const char *node, const struct device_about *about,
                             enum device_why why, int error, struct capture_fault *out)
{
    out->text[0] = '\0';
    switch (why) {
    case DEVICE_USABLE:
        break;
    case DEVICE_ABSENT:
        capture_fail(out, 0, "no camera is there (%s); plug it in", strerror(-error));
        break;
    case DEVICE_NO_RIGHTS:
        explain_rights(node, out);
        break;
    case DEVICE_NOT_VIDEO:
        capture_fail(out, 0, "is no video device; \"tableref devices\" lists those that are");
        break;
    case DEVICE_NO_CAMERA:
        explain_role(about ? about->role : DEVICE_OTHER, out);
        break;
    case DEVICE_NO_STREAMING:
        capture_fail(out, 0, "gives pictures by read() only, which is not supported");
        break;
    case DEVICE_NO_FORMAT:
        capture_fail(out, 0,
                     "gives none of the formats that are read (MJPEG, YUYV, UYVY, NV12, "
                     "grey)");
        break;
    case DEVICE_BUSY:
        explain_busy(node, out);
        break;
    case DEVICE_NO_BANDWIDTH:
        explain_bandwidth(node, out);
        break;
    case DEVICE_NOT_FED:
        capture_fail(out, 0, "no program feeds this loopback device; start its producer first");
        break;
    case DEVICE_FAILED:
        capture_fail(out, 0, "the driver failed: %s; unplug the camera and plug it in again",
                     strerror(-error));
        break;
    }
}
