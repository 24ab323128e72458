/* referee/cmd_match_entry.h: matches in a folder of matches: how each stands, how large it is, and
 * its removal. Program layer. */
#ifndef REFEREE_CMD_MATCH_ENTRY_H
#define REFEREE_CMD_MATCH_ENTRY_H

#include "referee/cmd_match_files.h"
#include "referee/cmd_match_scan.h"

/* Of a folder of matches; more are not looked at. */
#define MATCHES_MOST 100000

enum match_standing {
    MATCH_FINISHED,   /* over, or abandoned by a person */
    MATCH_UNFINISHED, /* its process is gone */
    MATCH_RUNNING,    /* a process writes it now */
    MATCH_DAMAGED     /* its journal cannot be trusted, or is empty */
};

struct match_entry {
    char path[PATH_MAX];
    enum match_standing standing;
    struct calib_fault fault; /* of a damaged one */
    struct match_scan scan;   /* not looked at when `sealed` */
    bool sealed;              /* how it stands was told by its seal */
    bool kept;                /* marked, so that it is not removed by itself */
    int64_t bytes, video_bytes;
    int64_t changed_s; /* when its journal was written last: seconds since 1970 */
};

/* "finished" and so on. */
const char *cmd_match_standing_name(enum match_standing standing);

/* Looks at one. `quick`: a match whose seal says that it is over, and whose journal is as long as
 * it was then, is not read. False when the folder is no match's, or is a symbolic link. */
bool cmd_match_entry_read(const char *folder, bool quick, struct match_entry *out);

/* All matches in a folder, in the order of their names; a false from the visitor ends it. False
 * with errno when the folder cannot be listed. */
typedef bool cmd_match_visit(void *context, const struct match_entry *entry);
bool cmd_match_each(const char *parent, bool quick, cmd_match_visit *visit, void *context);

/* "Ada, Bo"; as many whole names as fit. */
void cmd_match_players(const struct match_scan *scan, char *out, size_t size);

/* Where matches go when nothing is said: "~/.local/state/tableref/matches". */
bool cmd_matches_default(char out[PATH_MAX]);

enum match_remove {
    MATCH_REMOVE_VIDEO, /* videos and their index; rulings can still be shown by their evidence */
    MATCH_REMOVE_ALL
};

/* Removes that of a match. Not while a process writes it, not when a stranger lies in it (then
 * nothing is removed), never through a symbolic link. False after saying what is wrong. */
bool cmd_match_remove(const char *folder, enum match_remove what);

/* "1.2 GB" */
void cmd_match_size_text(int64_t bytes, char out[32]);

#endif
