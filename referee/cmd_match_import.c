/* referee/cmd_match_import.c: `tableref match import`, and archives for export and verify. */
#include "referee/cmd_match_import.h"

#include "referee/cmd_match.h"
#include "referee/cmd_match_archive.h"
#include "referee/cmd_match_files.h"
#include "referee/cmd_match_verify.h"
#include "referee/cmd_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const struct cmd_option options[] = {{NULL, NULL, 0, NULL}};

static const struct cmd_verb verb = {
    .name = "match import",
    .arguments = "ARCHIVE DIR",
    .about =
        "Unpacks a match that `tableref match export --archive` made into the new folder DIR, and\n"
        "says whether everything in it is what was put there, as verify does. An archive that\n"
        "holds anything but a match is refused, and nothing of it is left.",
    .options = options,
};

/* ---- export ---- */

static void sound_note(void *context, const char *part, const char *state, const char *text)
{
    (void)context;
    (void)part;
    (void)state;
    (void)text;
}

int cmd_match_archive(const char *folder, const char *file)
{
    struct case_fault fault = {.text = ""};
    struct archive_digest digest;
    struct json_text json;

    if (!cmd_archive_write(folder, file, &digest, &fault)) {
        cmd_error("%s", fault.text);
        return CMD_UNUSABLE;
    }
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "archive", file);
    vision_json_int(&json, "files", digest.files);
    vision_json_int(&json, "bytes", digest.bytes);
    vision_json_string(&json, "sha256", digest.sha256);
    vision_json_bool(&json, "sound", cmd_match_check(folder, sound_note, NULL) == 0);
    vision_json_close(&json, '}');
    return cmd_print(&json) ? cmd_finish(CMD_DONE) : CMD_UNUSABLE;
}

/* ---- unpacking ---- */

/* Removes what was unpacked, which is nobody's yet. */
static void folder_remove(const char *path)
{
    struct match_files files = {.item = NULL};
    int folder = cmd_match_open(path);

    if (folder < 0)
        return;
    cmd_match_files_read(folder, &files);
    for (size_t i = 0; i < files.count; i++)
        unlinkat(folder, files.item[i].name, 0);
    unlinkat(folder, "evidence", AT_REMOVEDIR);
    unlinkat(folder, "kit", AT_REMOVEDIR);
    cmd_match_files_free(&files);
    close(folder);
    rmdir(path);
}

static bool room_there(const char *file, const char *path)
{
    struct statvfs disk;
    struct stat about;

    if (stat(file, &about) != 0 || statvfs(path, &disk) != 0 ||
        (uint64_t)disk.f_bavail * disk.f_frsize > (uint64_t)about.st_size)
        return true; /* or what is wrong will show */
    cmd_error("%s: unpacking takes %lld MB, which are not free in %s", file,
              (long long)(about.st_size >> 20), path);
    return false;
}

/* The archive's own line, before those of its parts. */
static bool digest_print(const struct archive_digest *digest)
{
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "part", "archive");
    vision_json_string(&json, "state", "sound");
    vision_json_int(&json, "files", digest->files);
    vision_json_int(&json, "bytes", digest->bytes);
    vision_json_string(&json, "sha256", digest->sha256);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

/* Into a folder that was just made. *unpacked: all of it is there. */
static int unpack_verify(const char *file, const char *path, bool *unpacked)
{
    struct case_fault fault = {.text = ""};
    struct archive_digest digest;
    int folder = room_there(file, path) ? cmd_match_open(path) : -1;

    cmd_stop_on_signals();
    *unpacked = folder >= 0 && cmd_archive_unpack(file, folder, &cmd_stopped, &digest, &fault);
    if (fault.text[0])
        cmd_error("%s", fault.text);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
    return *unpacked && digest_print(&digest) ? cmd_match_verify(path) : CMD_UNUSABLE;
}

int cmd_match_verify_archive(const char *file)
{
    const char *where = getenv("TMPDIR");
    char path[PATH_MAX];
    bool unpacked;

    /* Videos are large, and /tmp is memory on many machines. */
    snprintf(path, sizeof path, "%s/tableref-verify-XXXXXX",
             where && where[0] == '/' ? where : "/var/tmp");
    if (!mkdtemp(path)) {
        cmd_error("%s: %s; TMPDIR names another place", path, strerror(errno));
        return CMD_UNUSABLE;
    }
    int status = unpack_verify(file, path, &unpacked);
    folder_remove(path);
    return status;
}

static int import(int argc, char **argv)
{
    const char *value;
    int first = 0, key = cmd_options_next(&verb, argc, argv, &first, &value);
    bool unpacked;

    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_END && first + 2 != argc)
        cmd_error("%s: ARCHIVE DIR is needed, and nothing more; see tableref %s --help", verb.name,
                  verb.name);
    if (key != CMD_OPTION_END || first + 2 != argc)
        return CMD_WRONG_USE;
    const char *path = argv[first + 1];
    if (mkdir(path, 0755) != 0) {
        cmd_error("%s: %s; a new folder is needed", path, strerror(errno));
        return CMD_UNUSABLE;
    }
    int status = unpack_verify(argv[first], path, &unpacked);
    if (!unpacked)
        folder_remove(path);
    return status;
}

const struct cmd_match_word cmd_match_import = {&verb, import};
