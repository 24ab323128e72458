/* capture/file.c: opening and reading ordinary files. */
#include "capture/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calib/mark.h"
#include "capture/fault.h"

static const char *kind_of(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a directory";
    if (S_ISFIFO(mode))
        return N_("a named pipe");
    if (S_ISCHR(mode) || S_ISBLK(mode))
        return "a device";
    return N_("something else");
}

int capture_file_open(const char *path, int *fd, int64_t *size, struct capture_fault *fault)
{
    struct stat status;

    do /* non-blocking, as opening a pipe already waits */
        *fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    while (*fd < 0 && errno == EINTR);
    if (*fd < 0)
        return capture_fail(fault, CAPTURE_E_OPEN, "cannot be opened: %s", strerror(errno));
    if (fstat(*fd, &status) != 0)
        (void)capture_fail(fault, CAPTURE_E_OPEN, "cannot be read: %s", strerror(errno));
    else if (!S_ISREG(status.st_mode))
        (void)capture_fail(fault, CAPTURE_E_OPEN, "is %s, not an ordinary file",
                           kind_of(status.st_mode));
    else {
        *size = status.st_size;
        return CAPTURE_OK;
    }
    close(*fd);
    *fd = -1;
    return CAPTURE_E_OPEN;
}

int capture_file_read(int fd, uint8_t *bytes, size_t size, size_t *length,
                      struct capture_fault *fault)
{
    *length = 0;
    while (*length < size) {
        ssize_t got = read(fd, bytes + *length, size - *length);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return capture_fail(fault, CAPTURE_E_OPEN, "cannot be read: %s", strerror(errno));
        if (got == 0)
            break;
        *length += (size_t)got;
    }
    return CAPTURE_OK;
}

static void copy_cut(char *out, size_t room, const char *text)
{
    size_t length = strnlen(text, room - 1);

    memcpy(out, text, length);
    out[length] = '\0';
}

void capture_file_about(const char *path, struct source_about *about)
{
    const char *last = strrchr(path, '/');

    copy_cut(about->name, sizeof about->name, last && last[1] ? last + 1 : path);
    copy_cut(about->place, sizeof about->place, path);
}
