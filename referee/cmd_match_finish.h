/* referee/cmd_match_finish.h: photo finishes: cards that two or more seats had within ten frame
 * intervals of each other, found from the journal, and a picture of each from the recording.
 * Program layer. */
#ifndef REFEREE_CMD_MATCH_FINISH_H
#define REFEREE_CMD_MATCH_FINISH_H

#include "referee/cmd_match_case.h"

#define FINISH_INTERVALS 10
/* Of a match; who plays more cards has other records to look at. */
#define FINISHES_MAX 1000

/* A seat's layout that is right for the card. */
struct finish_arrival {
    int8_t seat;
    char name[PLAYER_NAME_MAX];
    struct event_layout layout; /* its frame is the one that counts */
    int64_t claimed_t_ns;       /* when they called; -1: they did not */
    bool won;
};

struct finish {
    uint64_t event; /* the win's (or tie's) cause, as `match show` has it */
    char card[CARD_ID_MAX];
    int level;
    int64_t interval_ns;
    int arrivals; /* at least two, the first one first */
    struct finish_arrival arrival[PLAYERS_MAX];
};

/* All of a match, in the order of time; the caller frees *out. False for no memory. */
bool cmd_finish_find(const struct record *record, struct finish **out, size_t *count);

/* Seats side by side, a row for each frame from a few before the first that counts to a few after
 * the last: a PNG, which the caller frees. `match` with its kit. False, with the reason, when the
 * recording has none of those frames. */
bool cmd_finish_draw(const struct case_match *match, const struct finish *finish,
                     unsigned char **png, size_t *length, struct case_fault *fault);

/* {"event":..,"card":..,"level":..,"interval_ns":..,"seats":[{"seat":..,"player":..,"frame":..,
 * "captured_t_ns":..,"claimed_t_ns":..,"won":..},..]}, without the closing brace. */
void cmd_finish_json(const struct finish *finish, struct json_text *out);

#endif
