/* referee/loop_keys.c: the file of a run's keys. */
#include "referee/loop_keys.h"

#include "calib/file.h"
#include "referee/cmd_common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool path_make(const char *rundir, const char *tail, char out[PATH_MAX])
{
    int length = snprintf(out, PATH_MAX, "%s/" ACCESS_FILE "%s", rundir, tail);

    if (length > 0 && length < PATH_MAX)
        return true;
    cmd_error("%s: the path is too long", rundir);
    return false;
}

static void key_draw(char out[ACCESS_KEY_DIGITS + 1])
{
    unsigned char bytes[ACCESS_KEY_DIGITS / 2];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(out, ACCESS_KEY_DIGITS + 1, bytes, sizeof bytes);
}

static bool keys_draw(const struct event_setup *setup, struct access_keys *out)
{
    memset(out, 0, sizeof *out);
    if (sodium_init() < 0) {
        cmd_error("the system gives no random numbers");
        return false;
    }
    key_draw(out->operator_key);
    for (int i = 0; i < setup->players && i < PLAYERS_MAX; i++) {
        out->seat[i].seat = setup->seat[i];
        key_draw(out->seat[i].key);
        out->seats = i + 1;
    }
    return true;
}

bool loop_keys_make(const char *rundir, const struct event_setup *setup, struct access_keys *out)
{
    char path[PATH_MAX], text[ACCESS_TEXT_MAX];

    if (!path_make(rundir, "", path) || !keys_draw(setup, out))
        return false;
    if (pubsub_access_print(out, text) != PUBSUB_OK) {
        cmd_error("%s: more seats than keys are kept for", path);
        return false;
    }
    bool well = calib_file_put(path, text, strlen(text), 0600, true) == 0;
    if (!well)
        cmd_error("%s: %s", path, strerror(errno));
    sodium_memzero(text, sizeof text);
    return well;
}

/* -1: there is none; else the bytes read, with *ours false for a file that others may read. */
static ssize_t file_read(const char *path, char text[ACCESS_TEXT_MAX], bool *ours)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

    *ours = true;
    if (file < 0)
        return errno == ENOENT ? -1 : 0;
    *ours = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
            (info.st_mode & 077) == 0;
    ssize_t got = *ours ? read(file, text, ACCESS_TEXT_MAX - 1) : 0;
    close(file);
    return got < 0 ? 0 : got;
}

bool loop_keys_load(const char *rundir, const struct event_setup *setup, struct access_keys *out)
{
    char path[PATH_MAX], text[ACCESS_TEXT_MAX];
    struct wire_fault fault = {.text = ""};
    bool ours;

    if (!path_make(rundir, "", path))
        return false;
    ssize_t got = file_read(path, text, &ours);
    if (got < 0)
        return loop_keys_make(rundir, setup, out);
    bool well = ours && pubsub_access_parse(text, (size_t)got, out, &fault) == PUBSUB_OK;
    if (!well)
        cmd_error("%s: %s; remove it, and new keys are drawn", path,
                  ours ? fault.text
                       : N_("a file that others may read, or that is not this user's"));
    sodium_memzero(text, sizeof text);
    return well;
}

void loop_keys_remove(const char *rundir)
{
    char path[PATH_MAX];

    if (path_make(rundir, "", path))
        unlink(path);
}
