/* tests/v4l2/press_main.c: a button out of a program, by uinput. Its words come from standard
 * input, a line each; ending it unplugs the button.
 *
 *   press NAME
 *     down CODE, up CODE    an event of that key, with its report; prints between which times it
 *                           was written, on CLOCK_MONOTONIC, in ns
 *     repeat CODE           as a keyboard's that is held down
 *     sleep MS
 *
 * Prints the node first. */
#include <dirent.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int fail(const char *what)
{
    perror(what);
    return 1;
}

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int event_write(int file, int type, int code, int value)
{
    struct input_event event;

    memset(&event, 0, sizeof event);
    event.type = (uint16_t)type;
    event.code = (uint16_t)code;
    event.value = value;
    return write(file, &event, sizeof event) == (ssize_t)sizeof event ? 0 : -1;
}

static int key_write(int file, int code, int value)
{
    int64_t before_ns = now_ns();

    if (event_write(file, EV_KEY, code, value) != 0 ||
        event_write(file, EV_SYN, SYN_REPORT, 0) != 0)
        return -1;
    printf("%lld %lld\n", (long long)before_ns, (long long)now_ns());
    fflush(stdout);
    return 0;
}

static int line_do(int file, const char *line)
{
    char word[16] = "";
    const char *rest = strchr(line, ' ');
    int number = rest ? (int)strtol(rest, NULL, 10) : 0;

    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " \n"), line);
    if (strcmp(word, "down") == 0)
        return key_write(file, number, 1);
    if (strcmp(word, "up") == 0)
        return key_write(file, number, 0);
    if (strcmp(word, "repeat") == 0)
        return key_write(file, number, 2);
    if (strcmp(word, "sleep") == 0)
        return usleep((useconds_t)number * 1000);
    return -1;
}

static int device_make(int file, const char *name)
{
    struct uinput_setup setup;

    memset(&setup, 0, sizeof setup);
    setup.id.bustype = BUS_USB;
    setup.id.vendor = 0x1234;
    setup.id.product = 0x5678;
    snprintf(setup.name, sizeof setup.name, "%s", name);
    if (ioctl(file, UI_SET_EVBIT, EV_KEY) != 0 || ioctl(file, UI_SET_EVBIT, EV_REP) != 0)
        return -1;
    for (int code = KEY_1; code <= KEY_B; code++)
        if (ioctl(file, UI_SET_KEYBIT, code) != 0)
            return -1;
    return ioctl(file, UI_DEV_SETUP, &setup) != 0 || ioctl(file, UI_DEV_CREATE) != 0 ? -1 : 0;
}

/* "eventN" in the folder of the device in /sys. */
static int node_print(int file)
{
    char name[64] = "", path[128];
    const struct dirent *entry;
    DIR *folder;

    if (ioctl(file, UI_GET_SYSNAME(sizeof name - 1), name) < 0)
        return -1;
    snprintf(path, sizeof path, "/sys/devices/virtual/input/%s", name);
    folder = opendir(path);
    while (folder && (entry = readdir(folder)))
        if (strncmp(entry->d_name, "event", 5) == 0)
            printf("/dev/input/%s\n", entry->d_name);
    if (folder)
        closedir(folder);
    return fflush(stdout);
}

int main(int argc, char **argv)
{
    char line[64];
    int file = argc == 2 ? open("/dev/uinput", O_WRONLY | O_CLOEXEC) : -1;

    if (file < 0)
        return fail("/dev/uinput");
    if (device_make(file, argv[1]) != 0 || node_print(file) != 0)
        return fail("uinput");
    while (fgets(line, sizeof line, stdin))
        if (line_do(file, line) != 0)
            return fail(line);
    return 0;
}
