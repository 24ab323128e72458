/* calib/deck.h: pattern cards (format "tableref-deck/1") and how they look
 * (format "tableref-cardstyle/1"). */
#ifndef CALIB_DECK_H
#define CALIB_DECK_H

#include "calib/blockset.h"
#include "calib/error.h"
#include "calib/grid.h"

#define CARD_ID_MAX 32
#define DECK_CARDS_MAX 20000
#define CARD_LEVELS 5

struct card {
    char id[CARD_ID_MAX];
    int level; /* 1..5 */
    struct grid grid;
};

struct deck {
    char name[KIT_NAME_MAX];
    char set[KIT_NAME_MAX]; /* name of the set it was made for */
    int cards;
    struct card *card;
};

/* As calib_blockset_parse, _load and _destroy. */
int calib_deck_parse(const char *json, size_t length, const char *name,
                     const struct calib_sink *sink, struct deck **out, struct calib_fault *fault);
int calib_deck_load(const char *name, const struct calib_sink *sink, struct deck **out,
                    struct calib_fault *fault);
void calib_deck_destroy(struct deck **deck);

/* Does every card fit the set: its symbols only, as many cells as a whole layout has, and no grid
 * twice, in whatever turn? CALIB_E_VALUE with the first card at fault named (`fault` may be NULL;
 * its file is the deck's name, its line 0). Says nothing on whether a card can be built: for that
 * see calib/solve.h. */
int calib_deck_check(const struct deck *deck, const struct blockset *set,
                     struct calib_fault *fault);

/* The card with that id, or NULL. Lent until the deck is destroyed. */
const struct card *calib_deck_find(const struct deck *deck, const char *id);

/* The card whose grid equals `grid` in some turn (see calib_grid_quarters; the turn from the
 * card's upright to `grid` goes to *quarters), or NULL. Lent. */
const struct card *calib_deck_find_grid(const struct deck *deck, const struct grid *grid,
                                        int *quarters);

struct cardstyle {
    char name[KIT_NAME_MAX];
    double size_mm, border_mm, corner_mm, cell_mm;
    double rim; /* white edge of a cell, in cells */
    double tick_width_mm, tick_pitch_mm, tick_inset_mm;
    struct rgb8 tick;
    struct rgb8 border[CARD_LEVELS + 1]; /* by level; [0] unused */
    double panel_mix;                    /* share of the border's colour in the panel, 0..1 */
    struct rgb8 back;
};

/* As calib_blockset_parse. */
int calib_cardstyle_parse(const char *json, size_t length, const char *name,
                          const struct calib_sink *sink, struct cardstyle **out,
                          struct calib_fault *fault);
/* As calib_blockset_load; NULL or "tableref" for the built-in style. */
int calib_cardstyle_load(const char *name, const struct calib_sink *sink, struct cardstyle **out,
                         struct calib_fault *fault);
/* As calib_blockset_destroy. */
void calib_cardstyle_destroy(struct cardstyle **style);

#endif
