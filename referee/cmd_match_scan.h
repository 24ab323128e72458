/* referee/cmd_match_scan.h: what a match is and how far it came, from its journal, without judging
 * it again: hundreds of matches are looked at when a table starts. Program layer.
 *
 * journal.seal says, when a process was done with a match, how far the journal went then:
 *   {"format":"tableref-seal/1","bytes":..,"lines":..,"head":"..","about":"..","over":true}
 * `head` is the digest of its last line, which no later line holds yet; `about` that of match.json
 * (null: there is none). A match whose process died has an older one, or none. */
#ifndef REFEREE_CMD_MATCH_SCAN_H
#define REFEREE_CMD_MATCH_SCAN_H

#include "referee/record.h"
#include "referee/state.h"

#include <stdbool.h>
#include <stdint.h>

struct match_scan {
    struct record_header header;
    int players; /* 0 before the set-up */
    char player[PLAYERS_MAX][PLAYER_NAME_MAX];
    enum phase phase; /* none: nothing was set up */
    long lines;
    int64_t bytes; /* of whole lines */
    bool torn;
    char head[DIGEST_TEXT_MAX];
};

/* Reads the journal and its chain. A negative referee_error with the line named. */
int cmd_match_scan(const char *journal, struct match_scan *out, struct calib_fault *fault);

struct match_seal {
    int64_t bytes;
    long lines;
    char head[DIGEST_TEXT_MAX], about[DIGEST_TEXT_MAX]; /* `about` may be "" */
    bool over;
};

/* Seals a match's folder, when `journal` is the journal of one: scans it and writes the seal. False
 * when it could not; a match is as well without, it only shows less. */
bool cmd_match_seal(const char *journal);

/* 1 with the seal, 0 when there is none, -1 for one that is none. */
int cmd_match_seal_read(const char *folder, struct match_seal *out);

/* Is what the seal says of the journal true of the file: that many bytes and lines of it, and that
 * head? What was added behind them is no matter. */
bool cmd_match_seal_fits(const char *folder, const struct match_seal *seal);

/* The digest of match.json, "" when there is none. */
void cmd_match_about_digest(const char *folder, char out[DIGEST_TEXT_MAX]);

#endif
