/* referee/cmd_match_case.h: one ruling of a recorded match with all that it rests on: the layout
 * that was judged, the card, and the picture, from the evidence or from the recording. Program
 * layer.
 *
 * The pages' server asks, too: what goes wrong is a text, in one line. Only what is wrong with the
 * kit's files is said on stderr; the text is then empty. */
#ifndef REFEREE_CMD_MATCH_CASE_H
#define REFEREE_CMD_MATCH_CASE_H

#include "capture/playback.h"
#include "referee/cmd_common.h"
#include "referee/cmd_folder.h"
#include "referee/record.h"

#include <limits.h>

/* A picture that was kept. */
#define CASE_PICTURE_MAX ((size_t)64 << 20)

struct case_fault {
    char text[PATH_MAX + 400];
};

/* False, for whoever fails. */
bool cmd_case_fail(struct case_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A match that was opened to be looked at. */
struct case_match {
    char folder[PATH_MAX];
    struct record *record;
    struct cmd_folder_about about;
    struct cmd_kit kit; /* its own, that lies in the folder */
};

/* The record alone, or with the kit, too. cmd_case_close in any case. */
bool cmd_case_open(const char *folder, bool kit, struct case_match *out, struct case_fault *fault);
void cmd_case_close(struct case_match *match);

/* Which ruling: that goes back to event `cause` (and is on `card`, when that is not NULL), or, with
 * `cause` 0, the one of the name (`seq`, `index`). */
struct case_wish {
    uint64_t cause;
    const char *card;
    uint64_t seq;
    int index;
};

struct match_case {
    struct decision decision;   /* the ruling as it stands now */
    struct event_layout layout; /* that was judged, as it is on record; no digest: none was */
    int64_t settled_t_ns;       /* when it was put on record */
    char name[PLAYER_NAME_MAX]; /* of the player; "" when nobody plays there */
    struct grid grid;           /* the card's, upright; no rows: it is not known */
    int level;
    int others; /* rulings that fit the wish besides this one */
};

bool cmd_case_find(const struct case_match *match, const struct case_wish *wish,
                   struct match_case *out, struct case_fault *fault);

/* {"event":..,"seat":..,..}: all that its picture says, without the closing brace. */
void cmd_case_json(const struct match_case *found, struct json_text *out);

/* The newest layout event before `before` of that seat and frame; false when there is none. */
bool cmd_case_layout(const struct record *record, int seat, uint64_t frame, uint64_t before,
                     struct event *out);

/* The picture that the ruling rests on, byte for byte as its digest says. */
struct case_picture {
    uint8_t *bytes; /* the caller frees them */
    size_t length;
    bool recorded;     /* it was taken from the recording */
    char evidence[64]; /* the evidence file's name in the folder */
    const char *lacks; /* what is wrong with that file: "missing" or "changed"; NULL: nothing */
};

bool cmd_case_picture(const char *folder, const struct match_case *found, struct case_picture *out,
                      struct case_fault *fault);

/* The name of that evidence file. */
void cmd_case_evidence(const struct decision *decision, char out[64]);

/* The picture of that frame as the recording has it, when its SHA-256 is `digest`: a copy that the
 * caller frees. NULL when the recording does not have it. */
uint8_t *cmd_case_recorded(const char *folder, uint64_t frame, const char *digest, size_t *length);

#endif
