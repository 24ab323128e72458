/* referee/cmd_folder.h: what lies in a match's folder beside the journal and the pictures, so that
 * it can be judged again anywhere: the kit's very files (kit/set.json, mat.json, deck.json,
 * rig.json) and how the table was watched (match.json). Program layer.
 *
 *   {"format":"tableref-match/1","program":"..","source":"..","live":true,"mirrored":false,
 *    "settle_frames":3} */
#ifndef REFEREE_CMD_FOLDER_H
#define REFEREE_CMD_FOLDER_H

#include "capture/recorder.h"
#include "referee/cmd_common.h"

#include <limits.h>

enum { FOLDER_SET, FOLDER_MAT, FOLDER_DECK, FOLDER_RIG, FOLDER_FILES };

/* The files' bytes; NULL for what the match has not. */
struct cmd_folder_kit {
    char *bytes[FOLDER_FILES];
    size_t length[FOLDER_FILES];
};

struct cmd_folder_about {
    char source[128];
    bool live, mirrored;
    int settle_frames;
};

/* Reads the files that the options name, or their defaults. False after saying what is wrong;
 * cmd_folder_kit_free in any case. */
bool cmd_folder_kit_read(const struct cmd_source *source, const struct cmd_kit *kit,
                         struct cmd_folder_kit *out);
void cmd_folder_kit_free(struct cmd_folder_kit *kit);

/* As attachments of a recording; lent from `kit`. */
void cmd_folder_attach(const struct cmd_folder_kit *kit, struct recorder_options *options);

/* Writes what is not there yet; what is there stays (a match that is taken up again). False after
 * saying what is wrong. */
bool cmd_folder_write(const char *folder, const struct cmd_folder_kit *kit,
                      const struct cmd_folder_about *about);

/* How the table was watched. False after saying what is wrong. */
bool cmd_folder_about_read(const char *folder, struct cmd_folder_about *out);

/* "kit/set.json" and so on. */
const char *cmd_folder_file(int file);

/* That file's path in the folder when it is there, else "". */
void cmd_folder_path(const char *folder, int file, char out[PATH_MAX]);

#endif
