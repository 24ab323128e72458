/* referee/words.c: the words by which formats call games, events, decisions and reasons. Pure. */
#include "referee/decision.h"
#include "referee/event.h"
#include "referee/rules.h"

#include <string.h>

static const char *const games[GAME_COUNT] = {
    [GAME_QUICK_PLAY] = "quick-play",
    [GAME_TOTAL_MADNESS] = "total-madness",
    [GAME_MAKE5] = "make5",
};

static const char *const events[] = {
    [EVENT_SETUP] = "setup",         [EVENT_START] = "start",         [EVENT_LAYOUT] = "layout",
    [EVENT_MOTION] = "motion",       [EVENT_CARD] = "card",           [EVENT_CLAIM] = "claim",
    [EVENT_TICK] = "tick",           [EVENT_PAUSE] = "pause",         [EVENT_RESUME] = "resume",
    [EVENT_HEALTH] = "health",       [EVENT_GIVE_UP] = "give_up",     [EVENT_CONFIRM] = "confirm",
    [EVENT_DECIDE] = "decide",       [EVENT_SET_CARD] = "set_card",   [EVENT_AWARD] = "award",
    [EVENT_PENALISE] = "penalise",   [EVENT_SET_ASIDE] = "set_aside", [EVENT_ABANDON] = "abandon",
    [EVENT_NAME] = "name",           [EVENT_DISCS] = "discs",         [EVENT_PASS] = "pass",
    [EVENT_SET_DISCS] = "set_discs",
};

static const char *const kinds[] = {
    [DECISION_PHASE] = "phase",
    [DECISION_CARD] = "card",
    [DECISION_VERDICT] = "verdict",
    [DECISION_ASKED] = "asked",
    [DECISION_WIN] = "win",
    [DECISION_OUT] = "out",
    [DECISION_PENALTY] = "penalty",
    [DECISION_SET_ASIDE] = "set_aside",
    [DECISION_TIE] = "tie",
    [DECISION_REFUSED] = "refused",
    [DECISION_FALSE_START] = "false_start",
    [DECISION_HEALTH] = "health",
    [DECISION_MOVE] = "move",
    [DECISION_ILLEGAL] = "illegal",
    [DECISION_ROUND] = "round",
    [DECISION_END] = "end",
};

static const char *const whys[] = {
    [WHY_NONE] = "none",
    [WHY_NO_MATCH] = "no_match",
    [WHY_ALREADY_SET_UP] = "already_set_up",
    [WHY_BAD_SETUP] = "bad_setup",
    [WHY_DECK_TOO_SMALL] = "deck_too_small",
    [WHY_NOT_STARTED] = "not_started",
    [WHY_ALREADY_STARTED] = "already_started",
    [WHY_PAUSED] = "paused",
    [WHY_NOT_PAUSED] = "not_paused",
    [WHY_MATCH_OVER] = "match_over",
    [WHY_CLOCK_BACKWARD] = "clock_backward",
    [WHY_UNKNOWN_SEAT] = "unknown_seat",
    [WHY_UNKNOWN_SLOT] = "unknown_slot",
    [WHY_NO_CARD_IN_PLAY] = "no_card_in_play",
    [WHY_LATE] = "late",
    [WHY_VOID] = "void",
    [WHY_OUT] = "out",
    [WHY_BARRED] = "barred",
    [WHY_BELOW_LEVEL] = "below_level",
    [WHY_ALREADY_CLAIMED] = "already_claimed",
    [WHY_MOVED_DURING_CHECK] = "moved_during_check",
    [WHY_CLAIMS_AUTO] = "claims_auto",
    [WHY_NOTHING_ASKED] = "nothing_asked",
    [WHY_NOT_IN_THIS_GAME] = "not_in_this_game",
    [WHY_CARD_USED] = "card_used",
    [WHY_CARD_DIFFERS] = "card_differs",
    [WHY_NOT_IN_DECK] = "not_in_deck",
    [WHY_DECK_EMPTY] = "deck_empty",
    [WHY_BAD_VALUE] = "bad_value",
    [WHY_ALL_OUT] = "all_out",
    [WHY_GIVEN_UP] = "given_up",
    [WHY_TIME] = "time",
    [WHY_PERSON] = "person",
    [WHY_TIED] = "tied",
    [WHY_OWED] = "owed",
    [WHY_LOST] = "lost",
    [WHY_MOVED_AFTER_CLAIM] = "moved_after_claim",
    [WHY_NOT_SETTLED] = "not_settled",
    [WHY_DROP] = "drop",
    [WHY_MOVE] = "move",
    [WHY_PASS] = "pass",
    [WHY_ROUND_OPENED] = "round_opened",
    [WHY_TOO_MANY_NEW] = "too_many_new",
    [WHY_DISC_TAKEN] = "disc_taken",
    [WHY_DISC_CHANGED] = "disc_changed",
    [WHY_COLOUR_USED_UP] = "colour_used_up",
    [WHY_FLOATING] = "floating",
    [WHY_NOT_FROM_TOP] = "not_from_top",
    [WHY_OUT_OF_TURN] = "out_of_turn",
    [WHY_NOT_THAT_DISC] = "not_that_disc",
    [WHY_SAME_TRACK] = "same_track",
    [WHY_SECOND_IN_TRACK] = "second_in_track",
    [WHY_TURN_UNCLEAR] = "turn_unclear",
};

static const char *const phases[] = {
    [PHASE_NONE] = "none", [PHASE_READY] = "ready", [PHASE_COUNTDOWN] = "countdown",
    [PHASE_PLAY] = "play", [PHASE_OVER] = "over",   [PHASE_ABANDONED] = "abandoned",
};

/* A list that lacks a word, or has one too many, does not compile. */
#define WORDS(list) (sizeof(list) / sizeof(list)[0])
_Static_assert(WORDS(events) == EVENT_KINDS, "each kind of event has a word");
_Static_assert(WORDS(kinds) == DECISION_KINDS, "each kind of decision has a word");
_Static_assert(WORDS(whys) == WHY_COUNT, "each reason has a word");
_Static_assert(WORDS(phases) == PHASE_ABANDONED + 1, "each phase has a word");

static const char *word_of(const char *const *words, size_t count, unsigned number)
{
    return number < count && words[number] ? words[number] : "unknown";
}

static size_t word_find(const char *const *words, size_t count, const char *word)
{
    size_t at = 0;
    while (at < count && strcmp(words[at], word) != 0)
        at++;
    return at;
}

const char *referee_game_name(enum game game)
{
    return word_of(games, WORDS(games), (unsigned)game);
}

enum game referee_game_find(const char *name)
{
    return (enum game)word_find(games, WORDS(games), name);
}

const char *referee_event_name(enum event_kind kind)
{
    return word_of(events, WORDS(events), (unsigned)kind);
}

enum event_kind referee_event_find(const char *name)
{
    return (enum event_kind)word_find(events, WORDS(events), name);
}

const char *referee_decision_name(enum decision_kind kind)
{
    return word_of(kinds, WORDS(kinds), (unsigned)kind);
}

const char *referee_why_name(enum why why)
{
    return word_of(whys, WORDS(whys), (unsigned)why);
}

const char *referee_phase_name(enum phase phase)
{
    return word_of(phases, WORDS(phases), (unsigned)phase);
}
