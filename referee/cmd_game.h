/* referee/cmd_game.h: the options that say what is played, and the set-up event that they make.
 * Program layer: no library includes this. */
#ifndef REFEREE_CMD_GAME_H
#define REFEREE_CMD_GAME_H

#include "referee/cmd_common.h"
#include "referee/event.h"

enum {
    CMD_KEY_GAME = 200,
    CMD_KEY_PLAYERS,
    CMD_KEY_CLAIMS,
    CMD_KEY_ROUNDS,
    CMD_KEY_OPTION,
    CMD_KEY_SEED,
    CMD_KEY_ADVANCED,
    CMD_KEY_VIRTUAL,
    CMD_KEY_CLAIMS_FROM
};

/* Their entries for a verb's list. */
#define CMD_GAME_OPTIONS                                                                           \
    {"game", "NAME", CMD_KEY_GAME, "quick-play (the usual), total-madness or make5"},              \
        {"players", "A,B,..", CMD_KEY_PLAYERS, "their names, by seat (Player 1, ..)"},             \
        {"claims", "HOW", CMD_KEY_CLAIMS, "auto (the usual): the first match wins; or called"},    \
        {"rounds", "N", CMD_KEY_ROUNDS, "cards of Quick-Play (10), rounds of Make 5 (6)"},         \
        {"advanced", NULL, CMD_KEY_ADVANCED, "Make 5's harder rules"},                             \
        {"virtual", NULL, CMD_KEY_VIRTUAL, "cards are dealt and shown by the program"},            \
        {"seed", "N", CMD_KEY_SEED, "of that deal (a new one each time)"},                         \
        {"option", "NAME=VALUE", CMD_KEY_OPTION, "any option of the rules, see EVENTS.md"},        \
    {                                                                                              \
        "claims-from", "FILE", CMD_KEY_CLAIMS_FROM,                                                \
            "claims, a line of JSON each, by recorded time"                                        \
    }

/* A claim of --claims-from: {"t_ms":3600,"seat":2,"slot":3}. */
struct game_claim {
    int64_t t_ms;
    int seat, slot; /* slot 0: none named */
    int line;       /* of the file: the order of claims of one time */
};

struct cmd_game {
    const struct cmd_verb *verb;
    struct event setup; /* its cards are lent by the kit's deck once cmd_game_finish was called */
    const char *players;
    bool seeded;
    const char *claims_from;
    struct game_claim *claim; /* owned */
    int claims;
};

/* A line of such a file. False with `fault` filled. */
bool cmd_claim_parse(const char *text, size_t length, struct game_claim *out,
                     struct calib_fault *fault);

/* "NAME=VALUE", an option of the rules; false after saying what is wrong. */
bool cmd_option_set(const struct cmd_verb *verb, struct rules *rules, const char *text);

void cmd_game_begin(const struct cmd_verb *verb, struct cmd_game *game);

/* Takes one of those options: 1 taken, 0 another's key, -1 wrong (said so). */
int cmd_game_take(struct cmd_game *game, int key, const char *value);

/* Completes the set-up from what lies on the table (`deck` is what --deck said, or NULL) and reads
 * the claims. False after saying what
 * is wrong. cmd_game_free in any case. */
bool cmd_game_finish(struct cmd_game *game, const struct cmd_kit *kit, const char *deck);
void cmd_game_free(struct cmd_game *game);

#endif
