/* referee/cmd_match_entry.c: matches in a folder of matches. */
#include "referee/cmd_match_entry.h"

#include "calib/file.h"
#include "referee/cmd_common.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

const char *cmd_match_standing_name(enum match_standing standing)
{
    static const char *const names[] = {[MATCH_FINISHED] = N_("finished"),
                                        [MATCH_UNFINISHED] = N_("unfinished"),
                                        [MATCH_RUNNING] = N_("running"),
                                        [MATCH_DAMAGED] = N_("damaged")};

    return names[standing];
}

/* ---- one ---- */

static void files_measure(struct match_entry *out, const struct match_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct match_file *file = &files->item[i];
        out->bytes += file->size;
        if (file->kind == MATCH_FILE_VIDEO || file->kind == MATCH_FILE_INDEX)
            out->video_bytes += file->size;
        out->kept = out->kept || file->kind == MATCH_FILE_KEPT;
        if (file->kind == MATCH_FILE_JOURNAL)
            out->changed_s = file->changed_s;
    }
}

static bool sealed_over(const char *folder, int64_t journal_bytes)
{
    struct match_seal seal;

    return cmd_match_seal_read(folder, &seal) == 1 && seal.over && seal.bytes == journal_bytes;
}

static void standing_find(struct match_entry *out, bool running, bool quick, int64_t journal_bytes)
{
    char journal[PATH_MAX + 16];

    if (quick && !running && sealed_over(out->path, journal_bytes)) {
        out->sealed = true;
        out->standing = MATCH_FINISHED;
        return;
    }
    snprintf(journal, sizeof journal, "%s/" MATCH_JOURNAL, out->path);
    int error = cmd_match_scan(journal, &out->scan, &out->fault);
    bool over = out->scan.phase == PHASE_OVER || out->scan.phase == PHASE_ABANDONED;
    out->standing = running               ? MATCH_RUNNING
                    : error != REFEREE_OK ? MATCH_DAMAGED
                    : over                ? MATCH_FINISHED
                                          : MATCH_UNFINISHED;
    if (error != REFEREE_OK && out->fault.text[0] == 0)
        snprintf(out->fault.text, sizeof out->fault.text, "%s",
                 out->scan.lines == 0 ? N_("nothing is on record") : referee_strerror(error));
}

bool cmd_match_entry_read(const char *folder, bool quick, struct match_entry *out)
{
    struct match_files files = {.item = NULL};
    size_t length = strlen(folder);

    memset(out, 0, sizeof *out);
    if (length >= sizeof out->path - 32)
        return false;
    memcpy(out->path, folder, length + 1);
    int file = cmd_match_open(folder);
    bool well = file >= 0 && cmd_match_files_read(file, &files);
    if (well) {
        files_measure(out, &files);
        standing_find(out, cmd_match_running(file), quick, files.item[0].size);
    }
    cmd_match_files_free(&files);
    if (file >= 0)
        close(file);
    return well;
}

void cmd_match_players(const struct match_scan *scan, char *out, size_t size)
{
    size_t used = 0;

    out[0] = 0;
    for (int i = 0; i < scan->players; i++) {
        size_t length = strlen(scan->player[i]) + (used > 0 ? 2 : 0);
        if (used + length >= size)
            return;
        used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "",
                                 scan->player[i]);
    }
}

/* ---- all ---- */

static int dot_skip(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

bool cmd_match_each(const char *parent, bool quick, cmd_match_visit *visit, void *context)
{
    struct match_entry *entry = malloc(sizeof *entry);
    struct dirent **list = NULL;
    char path[PATH_MAX];
    bool going = entry != NULL;
    int count = entry ? scandir(parent, &list, dot_skip, alphasort) : -1;

    for (int i = 0; i < count; i++) {
        int length =
            snprintf(path, sizeof path, "%s%s%s", parent,
                     parent[0] && parent[strlen(parent) - 1] == '/' ? "" : "/", list[i]->d_name);
        if (going && i < MATCHES_MOST && length > 0 && length < PATH_MAX - 32 &&
            cmd_match_entry_read(path, quick, entry))
            going = visit(context, entry);
        free(list[i]);
    }
    int error = errno;
    free(list);
    free(entry);
    errno = error;
    return count >= 0;
}

bool cmd_matches_default(char out[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;

    if (state && state[0] == '/')
        length = snprintf(out, PATH_MAX, "%s/tableref/matches", state);
    else
        length = snprintf(out, PATH_MAX, "%s/.local/state/tableref/matches",
                          home && home[0] == '/' ? home : "/tmp");
    return length > 0 && length < PATH_MAX;
}

void cmd_match_size_text(int64_t bytes, char out[32])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double size = (double)bytes / 1000;
    int unit = 0;

    while (size >= 999.95 && unit < 3) {
        size /= 1000;
        unit++;
    }
    snprintf(out, 32, "%.1f %s", size, units[unit]);
}

/* ---- removal ---- */

/* The journal's lock, so that no process begins to write meanwhile. -1 after saying why not. */
static int journal_lock(int folder, const char *path)
{
    int file = openat(folder, MATCH_JOURNAL, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    if (file >= 0 && errno == EWOULDBLOCK)
        cmd_error("%s: the match is on: end it first; nothing was removed", path);
    else
        cmd_error("%s/" MATCH_JOURNAL N_(": %s; nothing was removed"), path, strerror(errno));
    if (file >= 0)
        close(file);
    return -1;
}

static bool file_goes(const struct match_file *file, enum match_remove what)
{
    return what == MATCH_REMOVE_ALL || file->kind == MATCH_FILE_VIDEO ||
           file->kind == MATCH_FILE_INDEX;
}

/* Backward: the journal goes last. */
static bool files_remove(int folder, const char *path, const struct match_files *files,
                         enum match_remove what)
{
    for (size_t i = files->count; i-- > 0;) {
        const struct match_file *file = &files->item[i];
        if (i == 0 && what == MATCH_REMOVE_ALL) {
            unlinkat(folder, "evidence", AT_REMOVEDIR);
            unlinkat(folder, "kit", AT_REMOVEDIR);
        }
        if (file_goes(file, what) && unlinkat(folder, file->name, 0) != 0 && errno != ENOENT) {
            cmd_error("%s/%s: cannot be removed: %s; some of the match is left", path, file->name,
                      strerror(errno));
            return false;
        }
    }
    fsync(folder);
    return true;
}

/* So that who looks for the pictures later knows why there are none. */
static void gone_note(const char *folder)
{
    char path[PATH_MAX + 16], date[64];
    time_t now = time(NULL);
    struct tm parts;

    if (!gmtime_r(&now, &parts) || strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ\n", &parts) == 0)
        return;
    snprintf(path, sizeof path, "%s/" MATCH_GONE, folder);
    calib_file_put(path, date, strlen(date), 0644, true);
}

static bool folder_remove(const char *path)
{
    if (rmdir(path) == 0)
        return true;
    cmd_error("%s: the match is removed, its folder cannot be: %s", path, strerror(errno));
    return false;
}

bool cmd_match_remove(const char *folder, enum match_remove what)
{
    struct match_files files = {.item = NULL};
    const struct match_file *stranger = NULL;
    int file = cmd_match_open(folder), lock = -1;
    bool well = false;

    if (file < 0)
        cmd_error("%s: %s; nothing was removed", folder,
                  errno == ELOOP || errno == ENOTDIR ? N_("is no folder, or a symbolic link")
                                                     : strerror(errno));
    else if (!cmd_match_files_read(file, &files))
        cmd_error(
            "%s: is no match's folder, for it has no " MATCH_JOURNAL N_("; nothing was removed"),
            folder);
    else if (what == MATCH_REMOVE_ALL && (stranger = cmd_match_stranger(&files)))
        cmd_error("%s: holds %s, which no match has; nothing was removed", folder, stranger->name);
    else if ((lock = journal_lock(file, folder)) >= 0) {
        if (what == MATCH_REMOVE_VIDEO)
            gone_note(folder);
        well = files_remove(file, folder, &files, what) &&
               (what != MATCH_REMOVE_ALL || folder_remove(folder));
    }
    if (lock >= 0)
        close(lock);
    cmd_match_files_free(&files);
    if (file >= 0)
        close(file);
    return well;
}
