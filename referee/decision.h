/* referee/decision.h: what the engine says to an event: rulings, and what follows from them. */
#ifndef REFEREE_DECISION_H
#define REFEREE_DECISION_H

#include "referee/event.h"

/* Of one event. A start of Total Madness turns five cards; a tick may rule on four claims, each
 * with a win, a card set aside, a card turned, and end the match. */
#define DECISIONS_MAX 48

enum decision_kind {
    DECISION_PHASE,     /* ready, countdown, play, over, abandoned; paused and resumed */
    DECISION_CARD,      /* a card comes into play: a new attempt; WHY_ALL_OUT: all are in again for
                           the same one */
    DECISION_VERDICT,   /* a seat's layout was ruled on */
    DECISION_ASKED,     /* that ruling waits for a person (policy confirm) */
    DECISION_WIN,       /* a card is won */
    DECISION_OUT,       /* a player is out for this card (Quick-Play) */
    DECISION_PENALTY,   /* Total Madness: a card is lost (WHY_LOST), owed from now on (WHY_OWED, no
                           card), or paid as it is won (WHY_OWED, that card) */
    DECISION_SET_ASIDE, /* a card leaves play with no winner */
    DECISION_TIE,       /* two or more were first */
    DECISION_REFUSED,   /* a claim or an act that falls on nothing: `why` says why */
    DECISION_FALSE_START,
    DECISION_HEALTH,  /* verdicts are frozen, or no longer */
    DECISION_MOVE,    /* Make 5: a drop, a move or a pass was understood (why: which), or a person
                         said what lies on the ramp (WHY_PERSON: no disc, no places) */
    DECISION_ILLEGAL, /* Make 5: a change that no legal move explains */
    DECISION_ROUND,   /* Make 5: a round begins (WHY_ROUND_OPENED, no points), or is over, with its
                         points (why it ended: WHY_MOVE, _PASS, _TIME, _PERSON); MAKER's seat */
    DECISION_END,     /* the match is over: ranks are in the state; `seats` came first */
    DECISION_KINDS
};

/* Why something was refused, set aside, illegal and so on. The word of WHY_X_Y is "x_y". */
enum why {
    WHY_NONE,
    /* refused */
    WHY_NO_MATCH, /* nothing is set up */
    WHY_ALREADY_SET_UP,
    WHY_BAD_SETUP, /* players, seats or options that do not go together */
    WHY_DECK_TOO_SMALL,
    WHY_NOT_STARTED,
    WHY_ALREADY_STARTED,
    WHY_PAUSED,
    WHY_NOT_PAUSED,
    WHY_MATCH_OVER,
    WHY_CLOCK_BACKWARD, /* an event's time lies before the one before it */
    WHY_UNKNOWN_SEAT,
    WHY_UNKNOWN_SLOT,
    WHY_NO_CARD_IN_PLAY,
    WHY_LATE,               /* the card it was made for is no longer in play */
    WHY_VOID,               /* made for an attempt that never was, or was undone */
    WHY_OUT,                /* that player is out for this card */
    WHY_BARRED,             /* false start: not the first card */
    WHY_BELOW_LEVEL,        /* handicap: a card of too low a level */
    WHY_ALREADY_CLAIMED,    /* that player's claim is being checked */
    WHY_MOVED_DURING_CHECK, /* freeze */
    WHY_CLAIMS_AUTO,        /* nobody claims */
    WHY_NOTHING_ASKED,      /* no ruling waits for a person */
    WHY_NOT_IN_THIS_GAME,
    WHY_CARD_USED,    /* that card was won or set aside before */
    WHY_CARD_DIFFERS, /* another card is in play in that slot */
    WHY_NOT_IN_DECK,
    WHY_DECK_EMPTY,
    WHY_BAD_VALUE,
    /* set aside */
    WHY_ALL_OUT,
    WHY_GIVEN_UP,
    WHY_TIME,
    WHY_PERSON, /* a person said so */
    WHY_TIED,   /* replay_card */
    WHY_OWED,
    WHY_LOST, /* the price of an error: a card won before */
    /* verdicts */
    WHY_MOVED_AFTER_CLAIM,
    WHY_NOT_SETTLED,
    /* Make 5 */
    WHY_DROP,
    WHY_MOVE,
    WHY_PASS,
    WHY_ROUND_OPENED,
    WHY_TOO_MANY_NEW,   /* more discs came than one turn brings */
    WHY_DISC_TAKEN,     /* a disc left the ramp */
    WHY_DISC_CHANGED,   /* a disc's colour changed in its place */
    WHY_COLOUR_USED_UP, /* more than five of a colour */
    WHY_FLOATING,       /* a disc above an empty place */
    WHY_NOT_FROM_TOP,   /* a disc that came between others */
    WHY_OUT_OF_TURN,
    WHY_NOT_THAT_DISC, /* advanced: neither the last disc nor one of the bottom row */
    WHY_SAME_TRACK,
    WHY_SECOND_IN_TRACK, /* opening: one disc to each track */
    WHY_TURN_UNCLEAR,    /* explained in two ways that leave different players to move */
    WHY_COUNT
};

enum phase { PHASE_NONE, PHASE_READY, PHASE_COUNTDOWN, PHASE_PLAY, PHASE_OVER, PHASE_ABANDONED };

/* One thing said. Fields that a kind has no use for are 0. */
struct decision {
    uint64_t seq; /* of the event that brought it out; (seq, index) is its name */
    int8_t index; /* within that event, from 0 */
    int64_t t_ns; /* of that event */
    enum decision_kind kind;
    enum why why;
    uint64_t cause; /* seq of the claim, layout or act that it goes back to: what undo takes */
    uint64_t attempt;
    int8_t seat;   /* 0: none */
    uint8_t seats; /* bits (seat - 1): winners of a shared card, those tied */
    int8_t slot;
    int8_t level;
    char card[CARD_ID_MAX];
    struct verdict verdict; /* verdict, asked: the ruling that counts */
    bool forced;            /* a person overruled; `was` is what the engine had ruled */
    enum ruling was;
    int8_t policy;  /* verdict: POLICY_ACCEPT, _CONFIRM or _LOG */
    uint64_t frame; /* verdict: of the layout that was judged; 0: none */
    char digest[DIGEST_TEXT_MAX];
    int64_t at_t_ns;             /* verdict, win: when it was claimed, or first seen to match */
    char source[EVENT_WORD_MAX]; /* verdict: where the claim came from; empty for a layout */
    int64_t claim_error_ns;      /* verdict: how far the claim's clock may be off */
    int64_t margin_ns; /* win: before the next claim on the same card; -1: there was none */
    int64_t error_ns;  /* win, tie: of that margin: both clocks and a frame interval */
    int64_t took_ns;   /* win, set_aside: on the match's clock since the card came into play */
    enum phase phase;  /* phase */
    bool paused;
    uint64_t reasons;                /* health, illegal */
    int8_t round, points;            /* Make 5 */
    char disc;                       /* move: its colour */
    int8_t from[2], to[2];           /* move: row, track from 1; 0: from the bag, or a pass */
    char seen[RAMP_SIDE][RAMP_SIDE]; /* illegal: the position that was seen */
    uint32_t
        legal_tracks; /* illegal: bits (track - 1) where BREAKER may drop, 0 when it is MAKER */
    int8_t turn;      /* move, illegal: 0 BREAKER, 1 MAKER to move (after it, for a move) */
};

struct decisions {
    int count;
    struct decision item[DECISIONS_MAX];
};

/* "verdict", "late" and so on; "unknown" outside. */
const char *referee_decision_name(enum decision_kind kind);
const char *referee_why_name(enum why why);
const char *referee_phase_name(enum phase phase);

#endif
