/* referee/rules.c: the table of options, and which of them go together. Pure. */
#include "referee/rules.h"

#include "referee/state.h"

#include <string.h>

#define DELAY_MAX_MS 600000 /* ten minutes: longer than any card takes */

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const rotations[] = {"any", "seat", NULL};
static const char *const cards[] = {"virtual", "printed", NULL};
static const char *const claims[] = {"auto", "called", NULL};
static const char *const all_outs[] = {"set_aside", "reopen", NULL};
static const char *const ties[] = {"review", "replay_card", "share", NULL};
static const char *const pauses[] = {"clock", "freeze", NULL};
static const char *const false_starts[] = {"warn", "bar_first_card", "ignore", NULL};
static const char *const policies[] = {"accept", "confirm", "log", NULL};
static const char *const openings[] = {"one_per_track", "free", NULL};
static const char *const same_tracks[] = {"allowed", "forbidden", NULL};

#define WORDS(list) list, 0, (int32_t)(sizeof(list) / sizeof(list)[0]) - 2

static const struct rule_option table[OPTION_COUNT] = {
    [OPTION_ROTATION] = {"rotation", WORDS(rotations), ROTATE_ANY},
    [OPTION_CARDS] = {"cards", WORDS(cards), CARDS_VIRTUAL},
    [OPTION_ROUNDS] = {"rounds", NULL, 0, MATCH_CARDS_MAX, 0},
    [OPTION_CLAIMS] = {"claims", WORDS(claims), CLAIMS_AUTO},
    [OPTION_CLAIM_WINDOW] = {"claim_window", NULL, 0, 60000, 3000},
    /* A key or button on this machine: one poll of the bus and the program's own delay. */
    [OPTION_CLAIM_ERROR] = {"claim_error", NULL, 0, 10000, 20},
    [OPTION_FRAME_INTERVAL] = {"frame_interval", NULL, 1000, 10000000, 33333},
    /* Two could be one blurred and one late frame; three show rest at any usual rate. */
    [OPTION_SETTLE_FRAMES] = {"settle_frames", NULL, 1, 100, 3},
    [OPTION_ALL_OUT] = {"all_out", WORDS(all_outs), ALL_OUT_SET_ASIDE},
    [OPTION_TIE] = {"tie", WORDS(ties), TIE_REVIEW},
    [OPTION_PAUSE_ON_CLAIM] = {"pause_on_claim", WORDS(pauses), PAUSE_CLOCK},
    [OPTION_FALSE_START] = {"false_start", WORDS(false_starts), FALSE_START_WARN},
    [OPTION_COUNTDOWN] = {"countdown", NULL, 0, 60000, 3000},
    [OPTION_CARD_TIME] = {"card_time", NULL, 0, 86400, 0},
    [OPTION_OWN_STACKS] = {"own_stacks", WORDS(no_yes), 0},
    [OPTION_POLICY_MATCH] = {"policy_match", WORDS(policies), POLICY_ACCEPT},
    [OPTION_POLICY_ERROR] = {"policy_error", WORDS(policies), POLICY_ACCEPT},
    [OPTION_OPENING] = {"opening", WORDS(openings), OPENING_ONE_PER_TRACK},
    [OPTION_SAME_TRACK] = {"same_track", WORDS(same_tracks), SAME_TRACK_ALLOWED},
    [OPTION_ADVANCED] = {"advanced", WORDS(no_yes), 0},
    [OPTION_LAST_MOVE_TIME] = {"last_move_time", NULL, 0, 3600, 30},
    [OPTION_ALIGN_FREE] = {"align_free", NULL, 0, 500, 300},
    [OPTION_ALIGN_DOUBT] = {"align_doubt", NULL, 0, 500, 450},
    [OPTION_TURN_FREE] = {"turn_free", NULL, 0, 45, 12},
    [OPTION_TURN_DOUBT] = {"turn_doubt", NULL, 0, 45, 20},
    [OPTION_APART] = {"apart", NULL, 100, 2000, 500},
};

const struct rule_option *referee_option(enum option option)
{
    return (unsigned)option < OPTION_COUNT ? &table[option] : NULL;
}

enum option referee_option_find(const char *name)
{
    int at = 0;
    while (at < OPTION_COUNT && strcmp(table[at].name, name) != 0)
        at++;
    return (enum option)at;
}

void referee_rules_default(struct rules *rules)
{
    memset(rules, 0, sizeof *rules);
    for (int i = 0; i < OPTION_COUNT; i++)
        rules->value[i] = table[i].usual;
}

/* Digits only, at most nine of them; -1 when it is anything else. */
static int32_t number_of(const char *text)
{
    int32_t number = 0;
    size_t length = strnlen(text, 10);
    if (length == 0 || length > 9)
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

int referee_rules_set(struct rules *rules, enum option option, const char *text)
{
    const struct rule_option *line = referee_option(option);
    if (!line)
        return 0;
    if (!line->words) {
        int32_t number = number_of(text);
        if (number < line->least || number > line->most)
            return 0;
        rules->value[option] = number;
        return 1;
    }
    for (int i = 0; line->words[i]; i++)
        if (strcmp(line->words[i], text) == 0) {
            rules->value[option] = i;
            return 1;
        }
    return 0;
}

/* A level's pile that nobody may win from would keep the match from ending. */
static bool handicaps_fit(const struct rules *rules, enum game game, int players)
{
    int lowest = CARD_LEVELS;
    for (int i = 0; i < players; i++) {
        const struct handicap *handicap = &rules->handicap[i];
        if (handicap->min_level < 0 || handicap->min_level > CARD_LEVELS ||
            handicap->delay_ms < 0 || handicap->delay_ms > DELAY_MAX_MS)
            return false;
        if (handicap->min_level < lowest)
            lowest = handicap->min_level;
    }
    return game != GAME_TOTAL_MADNESS || lowest <= 1;
}

static bool rounds_fit(const struct rules *rules, enum game game, int players)
{
    int32_t rounds = rules->value[OPTION_ROUNDS];
    if (game == GAME_MAKE5)
        return rounds <= MAKE5_ROUNDS_MAX;
    if (game == GAME_QUICK_PLAY && rules->value[OPTION_OWN_STACKS])
        return rounds * players <= MATCH_CARDS_MAX;
    return true;
}

const char *referee_rules_check(const struct rules *rules, enum game game, int players)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (rules->value[i] < table[i].least || rules->value[i] > table[i].most)
            return table[i].name;
    if (players < 1 || players > PLAYERS_MAX || (game == GAME_MAKE5 && players != 2))
        return "players";
    if (rules->value[OPTION_OWN_STACKS] && game != GAME_QUICK_PLAY)
        return table[OPTION_OWN_STACKS].name;
    if (rules->value[OPTION_ALIGN_FREE] > rules->value[OPTION_ALIGN_DOUBT])
        return table[OPTION_ALIGN_FREE].name;
    if (rules->value[OPTION_TURN_FREE] > rules->value[OPTION_TURN_DOUBT])
        return table[OPTION_TURN_FREE].name;
    if (!rounds_fit(rules, game, players))
        return table[OPTION_ROUNDS].name;
    return handicaps_fit(rules, game, players) ? NULL : "handicap";
}
