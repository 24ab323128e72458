/* referee/make5.h: what make5*.c ask of each other: positions of the ramp, what may follow from
 * one, and why something does not.
 *
 * A ramp is seen only when it has come to rest, so a change may hold more than one action: MAKER
 * moves and BREAKER drops before the hands are gone. Such a change is explained by the fewest discs
 * that must have been in a hand; passes leave no trace and are put in where they are needed. */
#ifndef REFEREE_MAKE5_H
#define REFEREE_MAKE5_H

#include "referee/decision.h"

#include <stdbool.h>
#include <stdint.h>

#define MAKE5_DISCS (RAMP_SIDE * RAMP_SIDE)
#define MAKE5_OPENING RAMP_SIDE   /* discs that lie before MAKER's first move */
#define MAKE5_OF_COLOUR RAMP_SIDE /* discs of each colour */
#define MAKE5_EMPTY '.'
#define MAKE5_ACTIONS_MAX RAMP_SIDE /* of one change: the opening's discs may come all at once */

enum { MAKE5_BREAKER, MAKE5_MAKER };

/* [row from the bottom][track from the left] */
struct make5_grid {
    char disc[RAMP_SIDE][RAMP_SIDE];
};

struct make5_position {
    struct make5_grid grid;
    int8_t turn;
    int8_t discs;
    int8_t last[2];      /* row, track of the disc that BREAKER placed last; -1: not known */
    uint8_t last_tracks; /* MAKER's turn: bits of the tracks whose top disc may be that one */
};

struct make5_rules {
    bool one_per_track; /* the opening */
    bool same_track;    /* a disc may go back on top of its own track */
    bool advanced;      /* MAKER: the last disc or one of the bottom row */
    bool anywhere;      /* no rule of the game: discs may enter below others (to name a fault) */
};

/* Places are (row, track) from 0; -1 for none. */
struct make5_action {
    enum why kind; /* WHY_DROP, WHY_MOVE, WHY_PASS */
    char disc;     /* 0 for a pass */
    int8_t from[2], to[2];
    int8_t turn; /* whose it is after the action */
};

/* How one position became another, or why it cannot have. */
struct make5_story {
    enum why why; /* WHY_NONE: explained */
    int8_t count;
    struct make5_action action[MAKE5_ACTIONS_MAX];
    struct make5_position after;
};

/* --- make5_moves.c */

void referee_make5_empty(struct make5_position *position);
int referee_make5_height(const struct make5_grid *grid, int track);
int referee_make5_count(const struct make5_grid *grid, char colour);
bool referee_make5_same(const struct make5_grid *one, const struct make5_grid *other);
/* Nothing but these colours' discs and empty places. */
bool referee_make5_known(const struct make5_grid *grid, const char *colours);
/* A disc lies above an empty place. */
bool referee_make5_floats(const struct make5_grid *grid);

/* Explains the change by at most that many discs in a hand (1 or 2), in the fewest that do.
 * WHY_NONE; WHY_TURN_UNCLEAR when explanations of that number disagree on whose turn it is, or in
 * the advanced game on the disc that was placed last; WHY_OUT_OF_TURN when there are none. The
 * position is beyond the opening, the seen one another than it. */
enum why referee_make5_search(const struct make5_position *before, const struct make5_grid *seen,
                              const struct make5_rules *rules, int hands,
                              struct make5_story *story);

/* --- make5_why.c */

/* As above, for any position, with the most useful name for a change that is not legal: discs that
 * are too many, gone or changed before how they came, and those before who was to move. `colours`
 * are the discs'. */
void referee_make5_explain(const struct make5_position *before, const struct make5_grid *seen,
                           const struct make5_rules *rules, const char *colours,
                           struct make5_story *story);

/* WHY_NONE when a person may say that this lies there with that player to move; else what is wrong.
 * WHY_BAD_VALUE: a disc that is none, or MAKER to move before the opening is done. */
enum why referee_make5_check(const struct make5_grid *grid, int turn,
                             const struct make5_rules *rules, const char *colours);

/* Bits (track from 0) where BREAKER may drop; 0 in MAKER's turn. */
uint32_t referee_make5_legal(const struct make5_position *position,
                             const struct make5_rules *rules);

/* Points of a full ramp: 0 to 25. */
int referee_make5_points(const struct make5_grid *grid);

#endif
