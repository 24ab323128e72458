/* calib/cmd_deck.h: the parts of `tableref deck`. Program layer: no library includes this. */
#ifndef CALIB_CMD_DECK_H
#define CALIB_CMD_DECK_H

#include "calib/deck_proof.h"
#include "referee/cmd_common.h"

#include <stdbool.h>

/* Each has its word as argv[0], and returns an exit status. */
int cmd_deck_make(int argc, char **argv);
int cmd_deck_check(int argc, char **argv);
int cmd_deck_solve(int argc, char **argv);

/* Their options, for the help of the whole. */
extern const struct cmd_verb cmd_deck_make_verb, cmd_deck_check_verb, cmd_deck_solve_verb;

/* A set by its name or NULL for the usual one; a deck likewise, or the set's own. False after
 * saying what is wrong; the caller owns what was loaded. */
bool cmd_deck_set_load(const char *verb, const char *name, struct blockset **set);
bool cmd_deck_load(const char *verb, const char *name, const struct blockset *set,
                   struct deck **deck);

/* What a deck's cards are like, by levels and in all. */
#define DECK_BINS_MAX 16

struct deck_summary {
    int cards, faults;
    struct {
        int cards, least, most;                                         /* points */
        long points, tilings, solutions, misleading, alike, neighbours; /* sums */
    } level[CARD_LEVELS + 1];
    bool rising; /* each level's mean points are above those of the level before */
    int bins, bin_from, bin_width;
    int bin[DECK_BINS_MAX][CARD_LEVELS + 1]; /* cards, by level */
};

void cmd_deck_summarise(const struct deck *deck, const struct card_proof *proof,
                        struct deck_summary *out);

/* Its members, within an object that is open. */
void cmd_deck_summary_json(struct json_text *json, const struct deck_summary *summary);
/* For people, with a histogram in bars. */
void cmd_deck_summary_text(const struct deck *deck, const struct deck_summary *summary);

#endif
