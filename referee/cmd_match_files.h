/* referee/cmd_match_files.h: the files of a match's folder, by their names alone. What is removed,
 * put into an archive or taken out of one is only what a match's folder has; anything else in it is
 * a stranger, and stops all three. Program layer. */
#ifndef REFEREE_CMD_MATCH_FILES_H
#define REFEREE_CMD_MATCH_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "evidence/" and the longest name in it. */
#define MATCH_NAME_MAX 96
/* A ruling a second for a week; more is no match. */
#define MATCH_FILES_MAX 700000

/* In this order files are put into an archive, and removed backward: as long as anything is left,
 * what is left can be told for a match. */
enum match_file_kind {
    MATCH_FILE_JOURNAL,
    MATCH_FILE_SEAL,
    MATCH_FILE_ABOUT,
    MATCH_FILE_KIT,
    MATCH_FILE_EVIDENCE,
    MATCH_FILE_INDEX,
    MATCH_FILE_GONE, /* says when its videos were removed */
    MATCH_FILE_VIDEO,
    MATCH_FILE_KEPT,  /* an empty file: this match is not removed by itself */
    MATCH_FILE_PIECE, /* that was not whole yet when its process died: "NAME.new-XXXXXX" */
    MATCH_FILE_STRANGER
};

#define MATCH_JOURNAL "journal.jsonl"
#define MATCH_SEAL "journal.seal"
#define MATCH_KEPT "kept"
#define MATCH_GONE "video.removed"

struct match_file {
    enum match_file_kind kind;
    char name[MATCH_NAME_MAX]; /* in the folder: "kit/set.json" */
    int64_t size, changed_s;   /* bytes; when it was written last */
};

struct match_files {
    struct match_file *item; /* by kind, then by name */
    size_t count, room;
    bool failed;
};

/* What that name stands for. */
enum match_file_kind cmd_match_file_kind(const char *name);

/* All files under an open folder, in it and in evidence/ and kit/. What is no ordinary file is a
 * stranger, as is a name that is too long. False with errno (ENOTDIR: it is no match, for it has no
 * journal); cmd_match_files_free in any case. */
bool cmd_match_files_read(int folder, struct match_files *out);
void cmd_match_files_free(struct match_files *files);

/* The first stranger, or NULL. */
const struct match_file *cmd_match_stranger(const struct match_files *files);

/* Opens a match's folder, never through a symbolic link at its end. -1 with errno. */
int cmd_match_open(const char *folder);

/* Does a process write this match's journal now? Looked up, so that nothing is disturbed. */
bool cmd_match_running(int folder);

#endif
