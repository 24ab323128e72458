/* vision/card.h: reads the pattern card in a slot of the mat.
 *
 * What always holds: a grid is given only when every symbol that cards of this set have was seen,
 * each without doubt, or when what was seen without doubt leaves one card of the deck and no
 * more, and the level agrees. The deck never overrules what was seen. Otherwise the slot is
 * `occluded` (something lies over it) or `unreadable`, with reasons. */
#ifndef VISION_CARD_H
#define VISION_CARD_H

#include "calib/blockset.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "vision/error.h"
#include "vision/layout.h"
#include "vision/plane.h"
#include "vision/white.h"

/* A reader with its templates and buffers; one for each thread. Set, style and deck are lent for
 * the reader's life; deck may be NULL. NULL when there is no memory. */
struct card_reader;
struct card_reader *vision_card_reader_create(const struct blockset *set,
                                              const struct cardstyle *style,
                                              const struct deck *deck);
void vision_card_reader_destroy(struct card_reader **reader);

/* Reads slot number `slot_index` (from 0) of the mat into *out. The pose may be off by some
 * millimetres: the card is found in the picture itself. A card that lies exactly between two
 * quarter turns is given the nearer one.
 * 0, or VISION_E_MEMORY, VISION_E_POSE (the slot is behind the camera), VISION_E_ARGUMENT. */
int vision_card_read(struct card_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct mat *mat, int slot_index, struct layout_card *out);

#endif
