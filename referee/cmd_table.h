/* referee/cmd_table.h: the options of one table, which `run` and the processes that it starts
 * share. Program layer: no library includes this. */
#ifndef REFEREE_CMD_TABLE_H
#define REFEREE_CMD_TABLE_H

#include "capture/source.h"
#include "pubsub/loop_buttons.h"
#include "referee/cmd_common.h"
#include "referee/cmd_config.h"
#include "referee/cmd_game.h"
#include "referee/cmd_retain.h"

#include <limits.h>

enum {
    CMD_KEY_CAMERA = 230,
    CMD_KEY_VIDEO,
    CMD_KEY_IMAGES,
    CMD_KEY_RATE,
    CMD_KEY_SIZE,
    CMD_KEY_MAINS,
    CMD_KEY_PACED,
    CMD_KEY_RECORD,
    CMD_KEY_RUNDIR,
    CMD_KEY_TEXT,
    CMD_KEY_START_AFTER,
    CMD_KEY_CONFIG,
    CMD_KEY_TABLE,
    CMD_KEY_PUBLISH,
    CMD_KEY_REQUESTS,
    CMD_KEY_KEYS,
    CMD_KEY_LISTEN,
    CMD_KEY_NO_SCOREBOARD,
    CMD_KEY_HOST,
    CMD_KEY_TLS_CERT,
    CMD_KEY_TLS_KEY,
    CMD_KEY_NO_RECORD,
    CMD_KEY_BUTTON,
    CMD_KEY_CLAIM_KEYS,
    CMD_KEY_KEEP_DAYS,
    CMD_KEY_KEEP_GIB,
    CMD_KEY_EXPIRE,
    CMD_KEY_CERTIFICATE
};

#define CMD_HOSTS_MAX 8

#define CMD_TABLE_OPTIONS                                                                          \
    {"camera", "DEV", CMD_KEY_CAMERA, "watch a camera: a device, see tableref devices"},           \
        {"video", "FILE", CMD_KEY_VIDEO, "watch a recorded video"},                                \
        {"images", "DIR", CMD_KEY_IMAGES, "watch a folder of pictures, in their numbers' order"},  \
        {"size", "WxH", CMD_KEY_SIZE, "the camera's pictures (the largest up to 1920x1080)"},      \
        {"rate", "N", CMD_KEY_RATE, "pictures a second: of the camera (30), of --images (15)"},    \
        {"mains", "HZ", CMD_KEY_MAINS, "50 or 60: the lamps' flicker, for the camera"},            \
        {"paced", NULL, CMD_KEY_PACED, "watch a recording no faster than it was made"},            \
        {"start-after", "S", CMD_KEY_START_AFTER,                                                  \
         "live: begin the count after so many seconds (at a line on standard input)"},             \
        {"record", "DIR", CMD_KEY_RECORD, "the match's folder (a new one under the user's)"},      \
        {"no-record", NULL, CMD_KEY_NO_RECORD, "keep the journal, but no pictures"},               \
        {"keep-days", "N", CMD_KEY_KEEP_DAYS,                                                      \
         "at the start, remove videos of finished matches beside it that are older"},              \
        {"keep-gib", "N", CMD_KEY_KEEP_GIB, "the same, oldest first, until N GiB are left"},       \
        {"expire", "WORD", CMD_KEY_EXPIRE, "what of them is removed: video (usual), or match"},    \
        {"rundir", "DIR", CMD_KEY_RUNDIR, "the run's own folder, for its sockets"},                \
        {"table", "NAME", CMD_KEY_TABLE, "the table's name, for displays (1)"},                    \
        {"listen", "ADDR:PORT", CMD_KEY_LISTEN,                                                    \
         "where the scoreboard's pages are (127.0.0.1:8080, or a free port above)"},               \
        {"host", "NAME", CMD_KEY_HOST, "another name of the scoreboard; may be repeated"},         \
        {"tls-cert", "FILE", CMD_KEY_TLS_CERT, "the scoreboard's certificate: PEM"},               \
        {"tls-key", "FILE", CMD_KEY_TLS_KEY, "and its key"},                                       \
        {"no-scoreboard", NULL, CMD_KEY_NO_SCOREBOARD, "no pages"},                                \
        {"publish", "ADDR", CMD_KEY_PUBLISH, "publish at this address, too: tcp://.."},            \
        {"requests", "ADDR", CMD_KEY_REQUESTS, "answer requests at this address, too"},            \
        {"keys", "DIR", CMD_KEY_KEYS, "the table's keys for such addresses, see tableref keys"},   \
        {"button", "DEVICE=SEAT[:CODE]", CMD_KEY_BUTTON,                                           \
         "a button or pedal that claims for a seat, by one of its keys; may be repeated"},          \
        {"claim-keys", "KEYS", CMD_KEY_CLAIM_KEYS,                                                 \
         "keys in this terminal that claim: 1234 for the first four players"},                     \
        {"text", NULL, CMD_KEY_TEXT, "print decisions as lines for people, not as JSON"},          \
        {"config", "FILE", CMD_KEY_CONFIG, "options from a file; those given besides go first"},   \
        {"mat", "NAME", CMD_KEY_MAT, "the printed mat (a1-four)"},                                 \
        {"set", "NAME", CMD_KEY_SET, "the blocks (match-madness)"},                                \
        {"deck", "NAME", CMD_KEY_DECK, "the cards (the set's own, if the kit has one; or none)"},  \
        {"rig", "FILE", CMD_KEY_RIG, "what calibration found of the camera"},                      \
        {"certificate", "FILE", CMD_KEY_CERTIFICATE, "what calibrate table found: is it still so?"},  \
        {"mirrored", NULL, CMD_KEY_MIRRORED, "the pictures are mirrored: flip them first"},        \
        CMD_GAME_OPTIONS

struct cmd_table {
    const struct cmd_verb *verb;
    struct cmd_source source;
    struct cmd_game game;
    const char *camera, *video, *images, *certificate;
    struct camera_wish wish;
    bool paced, text;
    int start_after;                                /* seconds; -1: not given */
    const char *name;                               /* of the table */
    const char *listen, *publish, *requests, *keys; /* NULL when not given */
    bool no_scoreboard, no_record;
    const char *host[CMD_HOSTS_MAX]; /* names of the scoreboard */
    int hosts;
    const char *tls_cert, *tls_key;
    struct retain_wish retain;
    struct button_map button[BUTTONS_MOST];
    char *button_text[BUTTONS_MOST]; /* what their paths point to; owned */
    int buttons;
    const char *claim_keys; /* NULL: none */
    char record[PATH_MAX], rundir[PATH_MAX];
    struct cmd_config config; /* the options of --config; owned */
};

/* Reads the options of such a verb, --config's first. Arguments besides options are refused. 1, or
 * 0 with *status set: the verb ends with it (help was printed, or what is wrong was said).
 * cmd_table_free in any case. */
int cmd_table_take(const struct cmd_verb *verb, int argc, char **argv, struct cmd_table *table,
                   int *status);
/* The same for a verb that watches nothing: a source may be given, and need not. */
int cmd_table_read(const struct cmd_verb *verb, int argc, char **argv, struct cmd_table *table,
                   int *status);
void cmd_table_free(struct cmd_table *table);

/* Opens the source that was asked for; says what is wrong. */
struct source *cmd_table_source(const struct cmd_table *table);

/* The two processes, for which `run` starts this program again with its own options. */
int cmd_referee_serve(int argc, char **argv);

/* True once the process was told to end. */
extern volatile bool cmd_stopped;
/* From now on SIGINT and SIGTERM set it. */
void cmd_stop_on_signals(void);

#endif
