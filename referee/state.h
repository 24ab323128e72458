/* referee/state.h: all that the engine knows of a match: a plain value of bounded size, to be
 * copied, compared and printed. Everything in it follows from the events alone.
 *
 * What always holds (referee_state_check):
 * - every card that was dealt is in exactly one place: in the stack, in play, won, or set aside;
 * - a player owes at most one card;
 * - at most one claim of each player is being checked;
 * - in Quick-Play a player who is out for a card does not win it, unless all were let in again or a
 *   person gave it to them. */
#ifndef REFEREE_STATE_H
#define REFEREE_STATE_H

#include "referee/decision.h"
#include "referee/event.h"

#define MATCH_CARDS_MAX 200
#define MAKE5_ROUNDS_MAX 30

enum card_place { CARD_IN_STACK, CARD_IN_PLAY, CARD_WON, CARD_SET_ASIDE, CARD_SPARE };

/* A card that was dealt. Printed cards come here when they are first seen: in the stack while they
 * cannot come into play yet (before the start, in a pause, under the card in play). */
struct match_card {
    struct card card;
    int8_t place;      /* enum card_place */
    int8_t pile;       /* index of its pile */
    uint8_t holders;   /* won: bits by player */
    int16_t won_order; /* from 1, over the whole match; 0 unless won */
    int64_t took_ns;   /* won or set aside: on the match's clock, since it came into play */
    uint64_t attempt;  /* its last one */
};

/* Where cards come into play, one at a time. */
struct pile {
    int8_t slot;           /* the mat's; 0 for none */
    int8_t owner;          /* player index with own stacks, else -1 */
    int16_t top;           /* index of the card in play; -1: none */
    int16_t left;          /* cards still to come */
    uint64_t attempt;      /* seq of the event that opened it * 8 + pile index; 0: none is open */
    uint64_t last_attempt; /* the one before it; 0: none */
    int64_t opened_t_ns;
    int64_t opened_clock_ns;
    uint8_t out;          /* bits by player: erred on this card (Quick-Play) */
    uint8_t gave_up;      /* bits by player */
    uint64_t gave_up_seq; /* of the event by which the last of them did */
    bool differs; /* printed: another card lies in its slot than the one in play, and that was said
                   */
};

struct player {
    int8_t seat;
    char name[PLAYER_NAME_MAX];
    bool owes;   /* one card: the next one won is set aside at once */
    bool barred; /* false start: cannot win the first card */
    bool started_early;
    bool void_claim; /* freeze: moved during a check; the next claim is void */
    int16_t claims, errors, false_starts;
    int16_t lost;  /* cards set aside for errors */
    int16_t cards; /* held now */
    int16_t by_level[CARD_LEVELS + 1];
    int32_t points; /* Quick-Play: cards; Make 5: the rounds' points as MAKER */
    int64_t
        finished_clock_ns; /* own stacks: when the last card of the pile was gone; -1: not yet */
    int8_t rank;           /* from 1; equal ranks are a shared place; 0 while the match is on */
};

/* What is known of a seat. */
struct seat_view {
    bool known;   /* a layout was seen since the match began or the picture came back */
    bool still;   /* nothing has moved since */
    uint64_t seq; /* of the event that brought it */
    struct event_forced forced;
    struct layout_seat layout;
    int64_t first_t_ns;  /* while not known: no layout is older than this */
    int64_t moved_t_ns;  /* while not known: since when nothing was seen */
    int64_t motion_t_ns; /* the last motion of blocks that was reported, or could not be seen; -1:
                            none */
    int64_t stirred_t_ns; /* while not still: until when it was */
    uint64_t tried[PILES_MAX]; /* auto: attempts that this layout was compared with */
    uint8_t taken;             /* auto: bits by pile of those that it made a claim on */
    uint64_t frame;
    char digest[DIGEST_TEXT_MAX];
};

enum claim_stage {
    CLAIM_NONE,
    CLAIM_WAITING, /* for its turn, or for its layout to settle */
    CLAIM_MATCHED, /* held until nobody earlier can come */
    CLAIM_ASKING,  /* a person must agree */
    CLAIM_TIED     /* a person must decide */
};

/* A claim, or with claims `auto` a layout that matches, until it is settled. */
struct claim {
    int8_t stage;
    bool automatic;
    int8_t pile;      /* -1: none named, any card in play that matches */
    uint64_t seq;     /* of the event */
    uint64_t attempt; /* 0 while pile is -1 */
    int64_t claimed_t_ns;
    int64_t order_t_ns; /* with the handicap's delay: what decides who was first */
    int64_t error_ns;
    char source[EVENT_WORD_MAX]; /* where it came from; empty for a layout */
    struct event_forced forced;
    struct verdict verdict; /* once judged; before that its seat is 0 */
    bool was_forced;
    int8_t was; /* enum ruling: before it was forced */
    uint64_t frame;
    char digest[DIGEST_TEXT_MAX];
};

/* Make 5. What comes to rest in a pause counts from when play goes on. What is seen while the
 * picture is not to be trusted counts for nothing: the next position that settles after it is
 * compared with the last legal one. */
struct ramp_state {
    char disc[RAMP_SIDE][RAMP_SIDE]; /* the last legal position: [row from the bottom][track];
                                        between two rounds the finished one's */
    int8_t round;                    /* from 1; 0: the match has not begun */
    int8_t maker;                    /* player index */
    int8_t turn;                     /* 0 BREAKER, 1 MAKER */
    bool open;                       /* the round is being played */
    bool clearing; /* it was opened while the last one's discs (in `seen`) lay on the ramp: until
                      something else is seen there nothing counts */
    bool illegal;  /* what lies there is no legal position: play rests */
    bool covered;  /* what lies there now is not known: a hand, a doubt, or it settled unused */
    bool rested;   /* `rest` came to rest in a pause, and nothing else was seen since */
    int8_t discs;
    int8_t last[2]; /* row, track (from 0) of the disc that BREAKER placed last; -1: not known */
    uint8_t last_tracks; /* MAKER's turn: bits (track from 0) whose top disc may be that one */
    int16_t why;         /* enum why: of what is illegal */
    char seen[RAMP_SIDE][RAMP_SIDE]; /* the illegal position that was told last */
    char rest[RAMP_SIDE][RAMP_SIDE];
    int64_t move_clock_ns;    /* on the match's clock: since when MAKER's last move may be made; a
                                 time in which the ramp was illegal moves it on */
    int64_t illegal_clock_ns; /* since when it is illegal */
    int8_t points[MAKE5_ROUNDS_MAX]; /* of each finished round */
    int8_t makers[MAKE5_ROUNDS_MAX];
    char colours[RAMP_SIDE + 1];
};

struct match_state {
    uint64_t seq; /* of the last event that was stepped over */
    int64_t t_ns;
    int64_t seen_t_ns; /* every frame up to here has been looked at */
    enum phase phase;
    enum game game;
    int8_t players, piles;
    struct rules rules;
    char deck[KIT_NAME_MAX];
    char digest[DIGEST_TEXT_MAX];
    uint64_t seed;
    bool paused;
    uint64_t health;            /* REASON_BIT()s; not 0: verdicts are frozen */
    int64_t started_t_ns;       /* the start signal; while PHASE_COUNTDOWN the one to come */
    int64_t countdown_ns;       /* how long the count before it was; 0: there was none */
    int64_t stopped_since_t_ns; /* paused or frozen; -1: the clock runs */
    int64_t stopped_ns;         /* all that the match's clock has stood still */
    int64_t stop_t_ns[2];       /* from when to when it last stood still; both 0: never */
    int64_t paused_t_ns[2];     /* from when to when play was last paused; both 0: never */
    int64_t ended_t_ns;
    struct player player[PLAYERS_MAX];
    struct pile pile[PILES_MAX];
    struct seat_view view[PLAYERS_MAX]; /* by player */
    struct claim claim[PLAYERS_MAX];    /* by player */
    int16_t cards;                      /* dealt so far, in card[] */
    int16_t dealt;  /* that the match has in all: card[] and, printed, those still to come */
    int16_t spares; /* in card[] behind the dealt ones: virtual cards for those that are replayed */
    int16_t wins;   /* so far: the last won_order */
    struct match_card card[MATCH_CARDS_MAX];
    struct ramp_state ramp;
};

/* Small enough to be kept for every table of a hall, and to be copied before each step. */
_Static_assert(sizeof(struct match_state) < 65536, "a state is under 64 KiB");

/* The match's own clock: ns since the start signal without what was paused or frozen; 0 before. */
int64_t referee_state_clock_ns(const struct match_state *state);

/* What that clock showed at a time not after the state's own; exact back to the last but one time
 * that it stood still. */
int64_t referee_state_clock_at_ns(const struct match_state *state, int64_t t_ns);

/* NULL when all that must always hold does; else what does not, in a few words. */
const char *referee_state_check(const struct match_state *state);

#endif
