/* calib/file.c: files that are written whole or not at all. */
#include "calib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int calib_bytes_write(int file, const void *bytes, size_t length)
{
    const char *at = bytes;

    while (length > 0) {
        ssize_t put = write(file, at, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            errno = put < 0 ? errno : ENOSPC;
            return -1;
        }
        at += put;
        length -= (size_t)put;
    }
    return 0;
}

/* A link, unlike a rename, never takes another file's place. Some file systems have none; there two
 * that write the same file at once are not told apart. */
static int name_give(const char *from, const char *path, bool replace)
{
    if (replace)
        return rename(from, path);
    if (link(from, path) == 0)
        return unlink(from);
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return -1;
    if (access(path, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, path);
}

/* So that the name outlives a loss of power, too. */
static void folder_sync(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;

    memcpy(folder, slash ? path : ".", slash ? length : 1);
    folder[slash ? length : 1] = 0;
    int file = open(folder[0] ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

int calib_file_put(const char *path, const void *bytes, size_t length, mode_t mode, bool replace)
{
    char made[PATH_MAX];

    if (snprintf(made, sizeof made, "%s.new-XXXXXX", path) >= (int)sizeof made) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int file = mkstemp(made);
    if (file < 0)
        return -1;
    bool done = fcntl(file, F_SETFD, FD_CLOEXEC) == 0 && fchmod(file, mode) == 0 &&
                calib_bytes_write(file, bytes, length) == 0 && fsync(file) == 0;
    int why = errno;
    if (close(file) != 0 && done) {
        why = errno;
        done = false;
    }
    if (done && name_give(made, path, replace) != 0) {
        why = errno;
        done = false;
    }
    if (done) {
        folder_sync(path);
        return 0;
    }
    unlink(made);
    errno = why;
    return -1;
}
