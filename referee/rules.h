/* referee/rules.h: the games and their options. Pure: whole numbers, no I/O, no allocation.
 *
 * Every option is one whole number with a name, so that set-up, configuration, journal, tests and
 * help all read the same table: a word stands for its place in the option's list of words, a number
 * for itself. What an option means is told in EVENTS.md; the sheets' own rules are the defaults. */
#ifndef REFEREE_RULES_H
#define REFEREE_RULES_H

#include <stddef.h>
#include <stdint.h>

/* Changes whenever the same events would give other bytes. Journals carry it. */
#define RULES_VERSION 1

#define PLAYERS_MAX 4

enum game { GAME_QUICK_PLAY, GAME_TOTAL_MADNESS, GAME_MAKE5, GAME_COUNT };

enum option {
    OPTION_ROTATION,       /* any | seat: may a layout be turned against its card? */
    OPTION_CARDS,          /* virtual | printed: dealt by the engine, or read by the camera */
    OPTION_ROUNDS,         /* Quick-Play: cards; own stacks: cards of each; Make 5: rounds. 0: the
                              game's own (10 cards; 6 rounds) */
    OPTION_CLAIMS,         /* auto | called */
    OPTION_CLAIM_WINDOW,   /* ms in which a claimed layout must settle */
    OPTION_CLAIM_ERROR,    /* ms: the largest clock error of the sources of claims in use */
    OPTION_FRAME_INTERVAL, /* us between frames */
    OPTION_SETTLE_FRAMES,  /* frames that must read alike */
    OPTION_ALL_OUT,        /* set_aside | reopen */
    OPTION_TIE,            /* review | replay_card | share */
    OPTION_PAUSE_ON_CLAIM, /* clock | freeze */
    OPTION_FALSE_START,    /* warn | bar_first_card | ignore */
    OPTION_COUNTDOWN,      /* ms from the start event to the start signal */
    OPTION_CARD_TIME,      /* s after which a card is set aside; 0: never */
    OPTION_OWN_STACKS,     /* no | yes (Quick-Play): a pile for each player */
    OPTION_POLICY_MATCH,   /* accept | confirm | log */
    OPTION_POLICY_ERROR,   /* accept | confirm | log: for no_match on a claim */
    OPTION_OPENING,        /* one_per_track | free (Make 5) */
    OPTION_SAME_TRACK,     /* allowed | forbidden (Make 5) */
    OPTION_ADVANCED,       /* no | yes (Make 5) */
    OPTION_LAST_MOVE_TIME, /* s for MAKER's last move (Make 5); 0: only a signal ends it */
    OPTION_ALIGN_FREE,     /* permille of a pitch: on the grid (the reader's bounds, on record) */
    OPTION_ALIGN_DOUBT,    /* permille of a pitch: off the grid beyond it */
    OPTION_TURN_FREE,      /* degrees: not turned */
    OPTION_TURN_DOUBT,     /* degrees: off the grid beyond it */
    OPTION_APART,          /* permille of a block's width: apart beyond it */
    OPTION_COUNT
};

/* The words' places in their lists. */
enum { ROTATE_ANY, ROTATE_SEAT };
enum { CARDS_VIRTUAL, CARDS_PRINTED };
enum { CLAIMS_AUTO, CLAIMS_CALLED };
enum { ALL_OUT_SET_ASIDE, ALL_OUT_REOPEN };
enum { TIE_REVIEW, TIE_REPLAY_CARD, TIE_SHARE };
enum { PAUSE_CLOCK, PAUSE_FREEZE };
enum { FALSE_START_WARN, FALSE_START_BAR_FIRST_CARD, FALSE_START_IGNORE };
enum { POLICY_ACCEPT, POLICY_CONFIRM, POLICY_LOG };
enum { OPENING_ONE_PER_TRACK, OPENING_FREE };
enum { SAME_TRACK_ALLOWED, SAME_TRACK_FORBIDDEN };

/* What one player is given up against the others. */
struct handicap {
    int8_t min_level; /* only cards from this level up count; 0 or 1: all */
    int32_t delay_ms; /* a win counts only so long after it was made */
};

struct rules {
    int32_t value[OPTION_COUNT];
    struct handicap handicap[PLAYERS_MAX]; /* by player, in the order of set-up */
};

/* One line of the table. */
struct rule_option {
    const char *name;
    const char *const *words; /* ended by NULL; NULL for a number */
    int32_t least, most;      /* of a number; for words 0 and their count - 1 */
    int32_t usual;            /* the default */
};

/* The table's line; never NULL for an option below OPTION_COUNT, else NULL. */
const struct rule_option *referee_option(enum option option);

/* The option of that name, or OPTION_COUNT. */
enum option referee_option_find(const char *name);

/* All defaults, no handicap. */
void referee_rules_default(struct rules *rules);

/* Sets an option from text: one of its words, or a whole number within its bounds. 0 when it is
 * neither, and the rules are unchanged; else 1. */
int referee_rules_set(struct rules *rules, enum option option, const char *text);

/* The first option that is out of its bounds or clashes with another for this game and number of
 * players, as a name (lent); NULL when all is well. Own stacks need Quick-Play; ALIGN_FREE must not
 * be above ALIGN_DOUBT, nor TURN_FREE above TURN_DOUBT; dealt cards must not exceed
 * MATCH_CARDS_MAX. */
const char *referee_rules_check(const struct rules *rules, enum game game, int players);

/* "quick-play", "total-madness", "make5". */
const char *referee_game_name(enum game game);
/* The game of that name, or GAME_COUNT. */
enum game referee_game_find(const char *name);

#endif
