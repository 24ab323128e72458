/* capture/system.c: what cameras ask of the system, as it is. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "capture/v4l2.h"

#define VIDEO_MAJOR 81 /* of all V4L2 nodes */
#define CLASS_FOLDER "/sys/class/video4linux"

static int system_open(void *context, const char *path)
{
    struct stat status;
    int fd;

    (void)context;
    if (stat(path, &status) != 0)
        return -errno;
    /* Opening another kind of device may do something to it, and a pipe would wait. */
    if (!S_ISCHR(status.st_mode) || major(status.st_rdev) != VIDEO_MAJOR)
        return -ENOTTY;
    do
        fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

static void system_close(void *context, int fd)
{
    (void)context;
    close(fd);
}

static int system_control(void *context, int fd, unsigned long request, void *argument)
{
    (void)context;
    return ioctl(fd, request, argument) == -1 ? -errno : 0;
}

static void *system_map(void *context, int fd, size_t length, int64_t offset)
{
    /* Writable too: some drivers map nothing else. */
    void *start = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);

    (void)context;
    return start == MAP_FAILED ? NULL : start;
}

static void system_unmap(void *context, void *start, size_t length)
{
    (void)context;
    munmap(start, length);
}

static int system_wait(void *context, int fd, int timeout_ms)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    int ready = poll(&one, fd < 0 ? 0 : 1, timeout_ms);
    int result = 0;

    (void)context;
    if (ready < 0)
        return -errno;
    if (ready > 0 && one.revents & POLLIN)
        result |= DEVICE_READY;
    if (ready > 0 && one.revents & (POLLERR | POLLHUP | POLLNVAL))
        result |= DEVICE_FAULT;
    return result;
}

static int64_t system_now_ns(void *context)
{
    struct timespec now;

    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A line of one of the files that describe a node; "" when there is none. */
static void read_attribute(const char *name, const char *attribute, char *out, size_t size)
{
    char path[PATH_MAX];
    FILE *file;

    snprintf(path, sizeof path, CLASS_FOLDER "/%s/%s", name, attribute);
    file = fopen(path, "re");
    if (!file || !fgets(out, (int)size, file))
        out[0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (file)
        fclose(file);
}

/* The place of the node with that name in the class's folder: where its device hangs in the tree of
 * buses, the node's number there, and what it calls itself, as some drivers give all their nodes
 * the same number. A device without a parent (a virtual one) is its own place. */
static int place_of_name(const char *name, char *out, size_t size)
{
    char path[PATH_MAX], real[PATH_MAX], index[16], title[64];
    int length;

    snprintf(path, sizeof path, CLASS_FOLDER "/%s/device", name);
    if (!realpath(path, real)) {
        snprintf(path, sizeof path, CLASS_FOLDER "/%s", name);
        if (!realpath(path, real))
            return -ENOENT;
    }
    read_attribute(name, "index", index, sizeof index);
    read_attribute(name, "name", title, sizeof title);
    length = snprintf(out, size, "%s#%s %s", real, index, title);
    return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

static int system_place(void *context, const char *node, char *out, size_t size)
{
    char real[PATH_MAX];
    const char *slash;

    (void)context;
    if (!realpath(node, real))
        return -errno;
    slash = strrchr(real, '/');
    return place_of_name(slash ? slash + 1 : real, out, size);
}

static int system_find(void *context, const char *place, char *out, size_t size)
{
    DIR *folder = opendir(CLASS_FOLDER);
    struct dirent *entry;
    int result = -ENOENT;

    (void)context;
    while (folder && result == -ENOENT && (entry = readdir(folder))) {
        char here[PATH_MAX];

        if (entry->d_name[0] == '.' || place_of_name(entry->d_name, here, sizeof here) != 0 ||
            strcmp(here, place) != 0)
            continue;
        int length = snprintf(out, size, "/dev/%s", entry->d_name);
        result = length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
    }
    if (folder)
        closedir(folder);
    return result;
}

const struct device_calls capture_system_calls = {
    .open = system_open,
    .close = system_close,
    .control = system_control,
    .map = system_map,
    .unmap = system_unmap,
    .wait = system_wait,
    .now_ns = system_now_ns,
    .place = system_place,
    .find = system_find,
};
