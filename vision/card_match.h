/* vision/card_match.h: from the places of a card to its grid, and to a card of the deck.
 * Private to vision. */
#ifndef VISION_CARD_MATCH_H
#define VISION_CARD_MATCH_H

#include "calib/blockset.h"
#include "calib/deck.h"
#include "vision/card_face.h"
#include "vision/card_level.h"

struct card_match {
    const struct card *card; /* of the deck, or NULL */
    int quarters;            /* clockwise, from its upright to how it lies */
    struct grid grid;        /* as it lies */
    int confidence;          /* permille */
};

/* False when the reading leaves doubt. `cells`: symbols that a card has. */
bool vision_card_match(const struct face_places *places, const struct level_reading *level,
                       const struct blockset *set, const struct deck *deck, int cells,
                       struct card_match *out);

#endif
