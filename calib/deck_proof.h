/* calib/deck_proof.h: is a deck sound? Every card can be built, none is there twice. */
#ifndef CALIB_DECK_PROOF_H
#define CALIB_DECK_PROOF_H

#include "calib/deck.h"
#include "calib/difficulty.h"

enum card_fault {
    CARD_SOUND = 0,
    CARD_STRANGE_SYMBOL, /* one that the set has not */
    CARD_CELLS,          /* not as many as a whole layout has */
    CARD_IMPOSSIBLE,     /* no way to build it with one set of blocks */
    CARD_DOUBLED         /* an earlier card is the same in some turn */
};

struct card_proof {
    enum card_fault fault;
    int same_as; /* index of the first card of this grid in some turn; its own where it is that */
    struct difficulty difficulty;
};

/* Looks at every card: proof[i] is of card i. Returns how many have a fault, or CALIB_E_MEMORY. */
int calib_deck_prove(const struct deck *deck, const struct blockset *set, struct card_proof *proof);

/* "sound", "strange_symbol", "cells", "impossible", "doubled". */
const char *calib_card_fault_name(enum card_fault fault);

#endif
