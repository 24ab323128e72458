/* pubsub/rundir.c: a run's own folder. */
#include "pubsub/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct rundir {
    int folder; /* open folder */
    int lock;
};

static int fail(struct wire_fault *fault, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct wire_fault *fault, int error, const char *format, ...)
{
    va_list arguments;

    if (!fault)
        return error;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return error;
}

static int folder_open(const char *path, struct wire_fault *fault)
{
    struct stat info;

    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return fail(fault, errno == ENOENT ? PUBSUB_E_SYSTEM : PUBSUB_E_ADDRESS, "%s: %s", path,
                    strerror(errno));
    if (fstat(folder, &info) != 0 || info.st_uid != geteuid() || (info.st_mode & 022)) {
        close(folder);
        return fail(fault, PUBSUB_E_ADDRESS,
                    "%s: a folder of this user's that nobody else can write is needed", path);
    }
    return folder;
}

/* Who holds the lock wrote its number there. */
static int in_use(int lock, const char *path, struct wire_fault *fault)
{
    char text[32] = "";
    ssize_t length = pread(lock, text, sizeof text - 1, 0);

    while (length > 0 && (text[length - 1] < '0' || text[length - 1] > '9'))
        text[--length] = 0;
    return fail(fault, PUBSUB_E_IN_USE,
                "%s: another run holds it%s%s; end it, or give another folder", path,
                length > 0 ? ", process " : "", text);
}

static int lock_take(struct rundir *rundir, const char *path, struct wire_fault *fault)
{
    rundir->lock = openat(rundir->folder, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (rundir->lock < 0)
        return fail(fault, PUBSUB_E_SYSTEM, "%s/lock: %s", path, strerror(errno));
    if (flock(rundir->lock, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
                   ? in_use(rundir->lock, path, fault)
                   : fail(fault, PUBSUB_E_SYSTEM, "%s/lock: %s", path, strerror(errno));
    if (ftruncate(rundir->lock, 0) != 0 || dprintf(rundir->lock, "%ld\n", (long)getpid()) < 0)
        return fail(fault, PUBSUB_E_SYSTEM, "%s/lock: %s", path, strerror(errno));
    return PUBSUB_OK;
}

/* Only sockets: whatever else lies there is not ours to remove. */
static void sockets_remove(const struct rundir *rundir)
{
    int copy = openat(rundir->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *entry;
    struct stat info;

    if (!folder) {
        if (copy >= 0)
            close(copy);
        return;
    }
    while ((entry = readdir(folder)))
        if (fstatat(rundir->folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISSOCK(info.st_mode))
            unlinkat(rundir->folder, entry->d_name, 0);
    closedir(folder);
}

int pubsub_rundir_open(const char *path, struct rundir **out, struct wire_fault *fault)
{
    *out = NULL;
    if (strlen(path) > RUNDIR_PATH_MAX)
        return fail(fault, PUBSUB_E_ADDRESS, "%.80s..: a path of at most %d bytes is needed", path,
                    RUNDIR_PATH_MAX);
    struct rundir *rundir = calloc(1, sizeof *rundir);
    if (!rundir)
        return fail(fault, PUBSUB_E_MEMORY, "out of memory");
    rundir->lock = -1;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        free(rundir);
        return fail(fault, PUBSUB_E_SYSTEM, "%s: %s", path, strerror(errno));
    }
    int error = rundir->folder = folder_open(path, fault);
    if (error >= 0)
        error = lock_take(rundir, path, fault);
    if (error < 0) {
        if (rundir->lock >= 0)
            close(rundir->lock);
        if (rundir->folder >= 0)
            close(rundir->folder);
        free(rundir);
        return error;
    }
    sockets_remove(rundir);
    *out = rundir;
    return PUBSUB_OK;
}

void pubsub_rundir_close(struct rundir **rundir)
{
    if (!rundir || !*rundir)
        return;
    sockets_remove(*rundir);
    /* The lock's file stays: taken away, it could be held by one process and made anew by another.
     */
    close((*rundir)->lock);
    close((*rundir)->folder);
    free(*rundir);
    *rundir = NULL;
}

int pubsub_rundir_look(const char *path, struct wire_fault *fault)
{
    int folder = folder_open(path, fault);

    if (folder < 0)
        return folder;
    int lock = openat(folder, "lock", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    bool held = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (lock >= 0)
        close(lock);
    close(folder);
    return held ? PUBSUB_OK : fail(fault, PUBSUB_E_SYSTEM, "%s: no run holds this folder", path);
}

/* ---- finding one ---- */

#define NAME_BEGINS "tableref-"

struct found {
    int count;
    char first[RUNDIR_PATH_MAX + 1];
    char names[160]; /* as many as fit */
};

static void found_add(struct found *found, const char *path)
{
    size_t used = strlen(found->names);

    if (found->count++ == 0)
        snprintf(found->first, sizeof found->first, "%s", path);
    if (used + strlen(path) + 2 < sizeof found->names)
        snprintf(found->names + used, sizeof found->names - used, "%s%s", used ? " " : "", path);
}

static void find_under(const char *parent, struct found *found)
{
    DIR *folder = opendir(parent);
    struct dirent *entry;
    char path[RUNDIR_PATH_MAX + 1];

    while (folder && (entry = readdir(folder))) {
        if (strncmp(entry->d_name, NAME_BEGINS, strlen(NAME_BEGINS)) != 0)
            continue;
        int length = snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
        if (length > 0 && (size_t)length < sizeof path &&
            pubsub_rundir_look(path, NULL) == PUBSUB_OK)
            found_add(found, path);
    }
    if (folder)
        closedir(folder);
}

int pubsub_rundir_find(const char *runtime, char *out, size_t size, struct wire_fault *fault)
{
    struct found found = {.count = 0};

    if (runtime && runtime[0] == '/' && strcmp(runtime, "/tmp") != 0)
        find_under(runtime, &found);
    find_under("/tmp", &found);
    if (found.count == 0)
        return fail(fault, PUBSUB_E_ADDRESS, "no run of yours is under way; give --rundir");
    if (found.count > 1)
        return fail(fault, PUBSUB_E_ADDRESS, "%d runs are under way, give --rundir: %s",
                    found.count, found.names);
    if ((size_t)snprintf(out, size, "%s", found.first) >= size)
        return fail(fault, PUBSUB_E_ADDRESS, "%s: too long a path", found.first);
    return PUBSUB_OK;
}

int pubsub_rundir_address(const char *path, const char *name, char *out, size_t size)
{
    char whole[256];
    int length;

    /* A socket's address must mean the same from every process. */
    if (path[0] == '/')
        length = snprintf(whole, sizeof whole, "ipc://%s/%s", path, name);
    else
        length = -1;
    if (length < 0 || (size_t)length >= size || (size_t)length >= sizeof whole)
        return PUBSUB_E_ADDRESS;
    memcpy(out, whole, (size_t)length + 1);
    return PUBSUB_OK;
}
