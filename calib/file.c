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

int calib_file_begin(const char *path, mode_t mode, struct file_part *out)
{
    if (snprintf(out->path, sizeof out->path, "%s", path) >= (int)sizeof out->path ||
        snprintf(out->made, sizeof out->made, "%s.new-XXXXXX", path) >= (int)sizeof out->made) {
        errno = ENAMETOOLONG;
        return -1;
    }
    out->file = mkstemp(out->made);
    if (out->file < 0)
        return -1;
    if (fcntl(out->file, F_SETFD, FD_CLOEXEC) == 0 && fchmod(out->file, mode) == 0)
        return 0;
    calib_file_drop(out);
    return -1;
}

void calib_file_drop(struct file_part *part)
{
    int why = errno;

    close(part->file);
    unlink(part->made);
    errno = why;
}

int calib_file_end(struct file_part *part, bool replace)
{
    if (fsync(part->file) != 0) {
        calib_file_drop(part);
        return -1;
    }
    if (close(part->file) == 0 && name_give(part->made, part->path, replace) == 0) {
        folder_sync(part->path);
        return 0;
    }
    int why = errno;
    unlink(part->made);
    errno = why;
    return -1;
}

int calib_file_put(const char *path, const void *bytes, size_t length, mode_t mode, bool replace)
{
    struct file_part part = {.file = -1};

    if (calib_file_begin(path, mode, &part) != 0)
        return -1;
    if (calib_bytes_write(part.file, bytes, length) == 0)
        return calib_file_end(&part, replace);
    calib_file_drop(&part);
    return -1;
}
