/* vision/card_level.h: a card's level, from the ticks across its border and the border's colour.
 * Private to vision. */
#ifndef VISION_CARD_LEVEL_H
#define VISION_CARD_LEVEL_H

#include "vision/card_face.h"

struct level_reader {
    struct card_colour colour[CARD_LEVELS + 1]; /* of each level's border; [0] unused */
};

struct level_reading {
    int level;    /* 1..CARD_LEVELS, or 0 when ticks and colour do not settle it */
    float margin; /* log likelihood between it and the next */
    float score[CARD_LEVELS + 1];
    int by_ticks, by_colour; /* best by each alone */
    float ticks_margin, colour_margin;
};

void vision_level_init(struct level_reader *reader, const struct cardstyle *style);

/* `white`: level of white on this card (relative to the map's). px_per_mm: of the picture, to a
 * mm of the card as designed. */
void vision_level_read(const struct level_reader *reader, const struct cardstyle *style,
                       const struct patch *patch, const struct card_square *square,
                       const struct face_frame *frame, const float white[3], double px_per_mm,
                       struct level_reading *out);

#endif
