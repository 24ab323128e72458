/* referee/event.h: what happens at a table, one thing at a time. EVENTS.md has the same as JSON.
 *
 * An event carries all that judging it takes: the engine has no clock, no dice and no camera. Its
 * time is that at which it was put on record; times of what was seen or claimed lie within it, on
 * the same clock (ns, monotonic, 0 where the match's record begins). */
#ifndef REFEREE_EVENT_H
#define REFEREE_EVENT_H

#include "calib/deck.h"
#include "referee/rules.h"
#include "referee/verdict.h"
#include "vision/layout.h"

#include <stdbool.h>
#include <stdint.h>

#define PLAYER_NAME_MAX 241 /* 60 characters of four bytes, and the closing 0 */
#define EVENT_TEXT_MAX 161  /* a reason that a person gave */
#define EVENT_WORD_MAX 32   /* who acted, where a claim came from */
#define DIGEST_TEXT_MAX 65  /* SHA-256 as hex */
#define PILES_MAX 5
#define RAMP_SIDE 5 /* tracks, and discs that a track holds */

enum event_kind {
    EVENT_SETUP,  /* a match begins: game, players, options, cards */
    EVENT_START,  /* the count of three begins (Make 5: the next round may begin) */
    EVENT_LAYOUT, /* a seat's layout has settled, or is known to be hidden */
    EVENT_MOTION, /* something moved in a seat: hands, or blocks */
    EVENT_CARD,   /* a card in its slot has settled (printed cards) */
    EVENT_CLAIM,  /* MATCH! */
    EVENT_TICK,   /* time passes: every frame up to seen_t_ns has been looked at */
    EVENT_PAUSE,
    EVENT_RESUME,
    EVENT_HEALTH,    /* the picture can, or cannot, be trusted */
    EVENT_GIVE_UP,   /* a player (0: a person, for all) gives up the card in play */
    EVENT_CONFIRM,   /* a person agrees, or not, with a ruling that waits for it */
    EVENT_DECIDE,    /* a person says who wins a tie */
    EVENT_SET_CARD,  /* a person says which card lies in a slot */
    EVENT_AWARD,     /* a person gives a card in play to a player */
    EVENT_PENALISE,  /* a person makes an error's cost fall on a player */
    EVENT_SET_ASIDE, /* a person sets a card in play aside */
    EVENT_ABANDON,   /* a person ends the match without a result */
    EVENT_NAME,      /* a person corrects a player's name */
    EVENT_DISCS,     /* Make 5: the ramp has settled */
    EVENT_PASS,      /* Make 5: MAKER passes by a signal */
    EVENT_SET_DISCS, /* Make 5: a person says what lies on the ramp, and whose turn it is */
    EVENT_KINDS
};

struct event_setup {
    enum game game;
    int8_t players;
    int8_t seat[PLAYERS_MAX]; /* the mat's number of each player's seat; Make 5: 1, 2 */
    char name[PLAYERS_MAX][PLAYER_NAME_MAX];
    struct rules rules;
    int8_t slot[PILES_MAX]; /* the mat's slots of the piles: the first for Quick-Play, five for
                               Total Madness by level */
    char deck[KIT_NAME_MAX];
    char digest[DIGEST_TEXT_MAX]; /* of the deck's file */
    uint64_t seed;                /* of the shuffle */
    const struct card *cards;     /* the whole deck, lent while the event is stepped over; may be
                                     NULL with printed cards and in Make 5 */
    int32_t card_count;
    char colours[RAMP_SIDE + 1]; /* Make 5: the discs' colours, "rygbw" */
};

struct event_layout {
    struct layout_seat seat;
    int64_t first_t_ns; /* capture of the first frame that shows it */
    int64_t moved_t_ns; /* the last time at which its blocks, not only hands, were seen to move */
    uint64_t frame;     /* sequence number of that first frame */
    char digest[DIGEST_TEXT_MAX]; /* of the stored frame; may be empty */
};

struct event_motion {
    int8_t seat;
    bool blocks; /* else only hands */
    int64_t at_t_ns;
    int64_t unseen_ns; /* nothing was looked at for so long before that; less than a frame interval
                          (0: not said) counts as one */
};

struct event_card {
    struct layout_card card;
    int64_t first_t_ns;
};

struct event_claim {
    int8_t seat;
    int8_t slot;          /* 0: none named */
    uint64_t attempt;     /* that the source showed; 0: the one in play at claimed_t_ns */
    int64_t claimed_t_ns; /* on the match's clock, not after the event's time */
    int64_t error_ns;     /* of the source's clock */
    char source[EVENT_WORD_MAX];
};

/* A person's act. `by` and `why` may be empty. */
struct event_act {
    int8_t seat;      /* award, penalise, give_up, name; else 0 */
    int8_t slot;      /* of the card; 0: the only one in play (for own stacks: that seat's) */
    uint64_t cause;   /* confirm: the claim or layout that was ruled on; decide: the attempt */
    bool agree;       /* confirm */
    uint8_t seats;    /* decide: bit (seat - 1) of each winner; 0: nobody, play goes on */
    struct card card; /* set_card */
    char by[EVENT_WORD_MAX];
    char why[EVENT_TEXT_MAX];
    char name[PLAYER_NAME_MAX]; /* name */
};

struct event_discs {
    bool complete; /* every place was read; else a hand or doubt is over the ramp: no position */
    char disc[RAMP_SIDE][RAMP_SIDE]; /* [row from the bottom][track from the left]; '.' empty */
    uint64_t reasons;
    int64_t first_t_ns;
    uint64_t frame;
    int8_t turn; /* set_discs: 0 BREAKER, 1 MAKER to move next */
    char by[EVENT_WORD_MAX];
    char why[EVENT_TEXT_MAX];
};

/* What a person overruled: set by the fold over the journal (history.h), never by a source. The
 * verdict that this event causes is then this ruling. */
struct event_forced {
    bool set;
    enum ruling ruling;
};

struct event {
    uint64_t seq; /* above 0, rising; gaps are allowed (what was undone leaves them) */
    int64_t t_ns; /* never below that of the event before */
    enum event_kind kind;
    struct event_forced forced;
    union {
        struct event_setup setup;
        int32_t countdown_ms; /* start: -1 for the option's */
        struct event_layout layout;
        struct event_motion motion;
        struct event_card card;
        struct event_claim claim;
        int64_t seen_t_ns;    /* tick */
        uint64_t health;      /* REASON_BIT()s of what is wrong; 0: all is well */
        struct event_act act; /* give_up .. name, pause, resume, pass (by, why) */
        struct event_discs discs;
    };
};

/* "setup", "start", ... ; "unknown" outside. And back: EVENT_KINDS when there is none. */
const char *referee_event_name(enum event_kind kind);
enum event_kind referee_event_find(const char *name);

#endif
