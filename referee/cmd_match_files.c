/* referee/cmd_match_files.c: the files of a match's folder. */
#include "referee/cmd_match_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EVIDENCE "evidence"
#define KIT "kit"

/* ---- names ---- */

static size_t digits_at(const char *text)
{
    return strspn(text, "0123456789");
}

/* video-0001.mkv and on; from the 10000th it has more digits. */
static bool is_video(const char *name)
{
    if (strncmp(name, "video-", 6) != 0)
        return false;
    size_t digits = digits_at(name + 6);
    return digits >= 4 && digits <= 9 && strcmp(name + 6 + digits, ".mkv") == 0;
}

/* evidence/000123-seat2.jpg */
static bool is_evidence(const char *name)
{
    if (strncmp(name, EVIDENCE "/", 9) != 0)
        return false;
    size_t digits = digits_at(name + 9);
    const char *rest = name + 9 + digits;
    if (digits < 6 || digits > 20 || strncmp(rest, "-seat", 5) != 0)
        return false;
    size_t seat = digits_at(rest + 5);
    return seat >= 1 && seat <= 2 && strcmp(rest + 5 + seat, ".jpg") == 0;
}

static enum match_file_kind whole_kind(const char *name)
{
    static const struct {
        const char *name;
        enum match_file_kind kind;
    } ours[] = {
        {MATCH_JOURNAL, MATCH_FILE_JOURNAL}, {MATCH_SEAL, MATCH_FILE_SEAL},
        {"match.json", MATCH_FILE_ABOUT},    {"frames.idx", MATCH_FILE_INDEX},
        {MATCH_KEPT, MATCH_FILE_KEPT},       {MATCH_GONE, MATCH_FILE_GONE},
        {KIT "/set.json", MATCH_FILE_KIT},   {KIT "/mat.json", MATCH_FILE_KIT},
        {KIT "/deck.json", MATCH_FILE_KIT},  {KIT "/rig.json", MATCH_FILE_KIT},
    };

    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(name, ours[i].name) == 0)
            return ours[i].kind;
    if (is_video(name))
        return MATCH_FILE_VIDEO;
    return is_evidence(name) ? MATCH_FILE_EVIDENCE : MATCH_FILE_STRANGER;
}

/* calib_file_put's, beside any of ours. */
static bool is_piece(const char *name)
{
    char whole[MATCH_NAME_MAX];
    size_t length = strlen(name);

    if (length < 12 || length >= sizeof whole || strncmp(name + length - 11, ".new-", 5) != 0 ||
        strchr(name + length - 6, '/') || strchr(name + length - 6, '.'))
        return false;
    memcpy(whole, name, length - 11);
    whole[length - 11] = 0;
    return whole_kind(whole) != MATCH_FILE_STRANGER;
}

enum match_file_kind cmd_match_file_kind(const char *name)
{
    return is_piece(name) ? MATCH_FILE_PIECE : whole_kind(name);
}

/* ---- the list ---- */

static void file_add(struct match_files *files, const char *room, const char *name,
                     const struct stat *about)
{
    if (files->count == files->room) {
        size_t more = files->room > 0 ? 2 * files->room : 64;
        struct match_file *grown =
            more <= 2 * (size_t)MATCH_FILES_MAX ? realloc(files->item, more * sizeof *grown) : NULL;
        files->failed = files->failed || !grown;
        if (!grown)
            return;
        files->item = grown;
        files->room = more;
    }
    struct match_file *file = &files->item[files->count++];
    int length = snprintf(file->name, sizeof file->name, "%s%s%s", room, room[0] ? "/" : "", name);
    bool fits = length > 0 && (size_t)length < sizeof file->name;
    file->kind =
        fits && S_ISREG(about->st_mode) ? cmd_match_file_kind(file->name) : MATCH_FILE_STRANGER;
    file->size = about->st_size;
    file->changed_s = about->st_mtime;
}

/* Rooms of a match's folder that have files of their own. */
static const char *const rooms[] = {EVIDENCE, KIT};
#define ROOMS (sizeof rooms / sizeof rooms[0])

static size_t room_find(const char *name)
{
    size_t i = 0;

    while (i < ROOMS && strcmp(name, rooms[i]) != 0)
        i++;
    return i;
}

/* Takes `folder`, which is closed with the listing. Of the folder itself (room "") the rooms in it
 * are noted in `inner`, not listed. */
static void room_list(struct match_files *files, int folder, const char *room, bool inner[ROOMS])
{
    DIR *listing = folder < 0 ? NULL : fdopendir(folder);
    const struct dirent *entry;
    struct stat about;

    if (!listing) {
        files->failed = true;
        if (folder >= 0)
            close(folder);
        return;
    }
    while (!files->failed && (entry = readdir(listing))) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        size_t known = room[0] == 0 && S_ISDIR(about.st_mode) ? room_find(name) : ROOMS;
        if (known < ROOMS)
            inner[known] = true;
        else
            file_add(files, room, name, &about);
    }
    closedir(listing);
}

static int file_order(const void *one, const void *other)
{
    const struct match_file *a = one, *b = other;

    return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind)
                              : strcmp(a->name, b->name);
}

bool cmd_match_files_read(int folder, struct match_files *out)
{
    bool inner[ROOMS] = {false};

    memset(out, 0, sizeof *out);
    /* Opened anew: a copy of `folder` would share its place in the listing. */
    room_list(out, openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", inner);
    for (size_t i = 0; i < ROOMS && !out->failed; i++)
        if (inner[i])
            room_list(out,
                      openat(folder, rooms[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                      rooms[i], inner);
    if (out->failed)
        return false;
    if (out->count > 0)
        qsort(out->item, out->count, sizeof *out->item, file_order);
    errno = ENOTDIR;
    return out->count > 0 && out->item[0].kind == MATCH_FILE_JOURNAL;
}

void cmd_match_files_free(struct match_files *files)
{
    free(files->item);
    memset(files, 0, sizeof *files);
}

const struct match_file *cmd_match_stranger(const struct match_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->item[i].kind == MATCH_FILE_STRANGER)
            return &files->item[i];
    return NULL;
}

/* ---- the folder ---- */

int cmd_match_open(const char *folder)
{
    char path[PATH_MAX];
    size_t length = strlen(folder);

    if (length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(path, folder, length + 1);
    /* "link/" would be followed. */
    while (length > 1 && path[length - 1] == '/')
        path[--length] = 0;
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* "1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF". Taking the lock to see whether it can be had
 * would shut out a process that begins at that moment. Devices have several numbers on some file
 * systems: the file's own is enough. */
bool cmd_match_running(int folder)
{
    struct stat about;
    char line[256];
    bool found = false;
    FILE *locks = fopen("/proc/locks", "re");

    if (locks && fstatat(folder, MATCH_JOURNAL, &about, AT_SYMLINK_NOFOLLOW) == 0)
        while (!found && fgets(line, sizeof line, locks)) {
            const char *place = strrchr(line, ':');
            found = place && strstr(line, " FLOCK ") && strstr(line, " WRITE ") &&
                    strtoull(place + 1, NULL, 10) == (unsigned long long)about.st_ino;
        }
    if (locks)
        fclose(locks);
    return found;
}
