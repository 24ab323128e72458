/* capture/devices.c: what cameras are here. */
#include "capture/devices.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for any machine; more nodes are passed over. */
#define NODES_MAX 256

bool capture_devices_link(const char *folder, const char *node, char *out, size_t size)
{
    DIR *links = opendir(folder);
    char target[PATH_MAX], path[PATH_MAX], real[PATH_MAX];
    struct dirent *entry;

    out[0] = '\0';
    if (!realpath(node, target))
        target[0] = '\0';
    while (links && target[0] && !out[0] && (entry = readdir(links))) {
        if (entry->d_name[0] == '.')
            continue;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length > 0 && (size_t)length < size && realpath(path, real) &&
            strcmp(real, target) == 0)
            memcpy(out, path, (size_t)length + 1);
    }
    if (links)
        closedir(links);
    return out[0] != '\0';
}

/* "video12" gives 12, anything else -1. */
static int node_number(const char *name)
{
    int number = 0, digits = 0;

    if (strncmp(name, "video", 5) != 0)
        return -1;
    for (const char *c = name + 5; *c; c++, digits++) {
        if (!isdigit((unsigned char)*c) || digits == 6)
            return -1;
        number = number * 10 + (*c - '0');
    }
    return digits > 0 ? number : -1;
}

static int compare_numbers(const void *a, const void *b)
{
    int one, other;

    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return (one > other) - (one < other);
}

int capture_devices_nodes(char ***out)
{
    int numbers[NODES_MAX], count = 0, made = 0;
    DIR *folder = opendir("/dev");
    struct dirent *entry;

    *out = NULL;
    while (folder && count < NODES_MAX && (entry = readdir(folder))) {
        int number = node_number(entry->d_name);

        if (number >= 0)
            numbers[count++] = number;
    }
    if (folder)
        closedir(folder);
    if (count == 0)
        return 0;
    qsort(numbers, (size_t)count, sizeof numbers[0], compare_numbers);
    *out = calloc((size_t)count, sizeof **out);
    for (; *out && made < count; made++) {
        (*out)[made] = malloc(32);
        if (!(*out)[made])
            break;
        snprintf((*out)[made], 32, "/dev/video%d", numbers[made]);
    }
    if (*out && made == count)
        return count;
    capture_devices_nodes_free(out, made);
    return CAPTURE_E_MEMORY;
}

void capture_devices_nodes_free(char ***nodes, int count)
{
    for (int i = 0; *nodes && i < count; i++)
        free((*nodes)[i]);
    free(*nodes);
    *nodes = NULL;
}

/* Takes the device's buffers and gives them back, with a start in between: nothing less shows who
 * holds it and whether its bus has room. Its format stays as it is. */
static int try_start(const struct device *device, bool start)
{
    int count = 2, none = 0;
    int error = capture_v4l2_buffers_request(device, &count);

    if (error)
        return error;
    if (start) {
        /* Some drivers do not start before they have buffers; where these cannot be given (a
         * format of three planes was left set) the start may still tell. */
        for (int i = 0; i < count; i++)
            capture_v4l2_buffer_queue(device, DEVICE_PLANES_MAX, i);
        error = capture_v4l2_stream(device, true);
        capture_v4l2_stream(device, false);
    }
    capture_v4l2_buffers_request(device, &none);
    return error;
}

static enum device_why look_inside(struct device *device, bool start, struct device_entry *out,
                                   int *error)
{
    *error = capture_v4l2_about(device);
    if (*error)
        return capture_devices_why_of(*error);
    out->about = device->about;
    out->opened = true;
    if (device->about.role != DEVICE_CAMERA)
        return DEVICE_NO_CAMERA;
    *error = capture_devices_modes(device, &out->modes);
    if (*error && *error != -ENOTTY)
        return capture_devices_why_of(*error);
    if (!device->about.streaming)
        return DEVICE_NO_STREAMING;
    if (out->modes.count == 0)
        return DEVICE_NO_FORMAT;
    *error = try_start(device, start);
    if (*error == -EIO && strcmp(device->about.driver, "v4l2 loopback") == 0)
        return DEVICE_NOT_FED;
    return capture_devices_why_of(*error);
}

void capture_devices_look(const struct device_calls *calls, const char *node, bool start,
                          struct device_entry *out)
{
    struct device device = {.calls = calls};
    int error = 0;

    memset(out, 0, sizeof *out);
    snprintf(out->node, sizeof out->node, "%s", node);
    capture_devices_link("/dev/v4l/by-path", node, out->by_path, sizeof out->by_path);
    capture_devices_link("/dev/v4l/by-id", node, out->by_id, sizeof out->by_id);
    if (calls->place(calls->context, node, out->place, sizeof out->place) != 0)
        out->place[0] = '\0';
    device.fd = calls->open(calls->context, node);
    if (device.fd < 0) {
        error = device.fd;
        out->why = capture_devices_why_of(error);
    } else {
        out->why = look_inside(&device, start, out, &error);
        calls->close(calls->context, device.fd);
    }
    capture_devices_explain(node, out->opened ? &out->about : NULL, out->why, error,
                            &out->explained);
}
