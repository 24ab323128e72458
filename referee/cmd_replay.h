/* referee/cmd_replay.h: a recording watched again. Program layer. */
#ifndef REFEREE_CMD_REPLAY_H
#define REFEREE_CMD_REPLAY_H

#include "referee/cmd_folder.h"
#include "referee/event.h"

/* What the eyes told of a seat or slot, as an event in the eyes' time. */
struct rewatch_told {
    struct event event;
};

/* Everything that is told when a match's recording is watched again with its own kit. */
struct rewatch {
    struct rewatch_told *told;
    size_t count, room;
    uint64_t pictures, missing, changed, lost;
    bool failed; /* no memory */
};

/* Watches. False after saying what is wrong; cmd_rewatch_free in any case. */
bool cmd_rewatch(const char *folder, const struct cmd_folder_about *about,
                 const struct cmd_kit *kit, struct rewatch *out);
void cmd_rewatch_free(struct rewatch *rewatch);

#endif
