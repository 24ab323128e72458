/* referee/cmd_replay.h: a recording watched again. Program layer. */
#ifndef REFEREE_CMD_REPLAY_H
#define REFEREE_CMD_REPLAY_H

#include "referee/cmd_folder.h"
#include "referee/cmd_table.h"
#include "referee/record.h"

#include <stdio.h>

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

/* A moment of a match as --from and --to name it: "75", "1:15.5" or "1:02:03" of the match's time;
 * "event:12", when that was put on record; "card:3", "round:2", "ruling:4", when the so many-th
 * card came into play, that round was opened, the so many-th ruling was made. False after saying
 * what is wrong. */
bool cmd_replay_moment(const char *option, const char *text, const struct record *record,
                       int64_t *t_ns);

#define REPLAY_OPTIONS_MAX 64

/* What of a match is judged again, and what is asked: what if? */
struct replay_ask {
    const char *match;        /* the folder, or its journal */
    struct cmd_source source; /* what if: deck, set; NULL for those that were played with */
    const char *option[REPLAY_OPTIONS_MAX]; /* what if: "NAME=VALUE" of the rules */
    int option_count;
    bool what_if;               /* any of these was given */
    bool journal_only;          /* the pictures are not looked at */
    int64_t from_t_ns, to_t_ns; /* only that part is compared */
    FILE *lines; /* gets a line of JSON for each difference; with what_if for each decision */
};

struct replay_count {
    bool judged; /* else it could not be */
    long differences, layouts, verdicts;
    uint64_t pictures, missing, changed, lost;
};

/* Judges a match again. An exit status: CMD_DONE when all came out the same; what cannot be used is
 * said. */
int cmd_replay_judge(const struct replay_ask *ask, const struct record *record,
                     struct replay_count *count);

/* The match as it is asked for, in memory. False after saying what is wrong; the caller gives *made
 * to referee_record_close. */
bool cmd_replay_make(const struct replay_ask *ask, const struct record *record,
                     struct record **made);

/* How a replay is shown. Texts are NULL when not given. */
struct replay_show {
    int64_t from_t_ns, to_t_ns;
    int speed_permille; /* 0: as fast as can be */
    bool paused, once, text, no_scoreboard, what_if;
    const char *rundir, *table, *publish, *requests, *keys;
    const char *set, *mat; /* for the pages' drawings; NULL: the usual ones */
    const char *listen, *tls_cert, *tls_key;
    const char *host[CMD_HOSTS_MAX];
    int hosts;
};

/* Shows it on the pages of a scoreboard of its own, until it is over or ended. An exit status. */
int cmd_replay_show(const struct replay_show *show, const struct record *record);

#endif
