/* vision/card_face.h: what is printed on a card whose square was found. Private to vision.
 *
 * The card is turned upright (as it lies) into a raster on which a cell is CARD_CELL_PX wide and
 * colours are ratios to the white of the map. Around the cells there is always a ring of bare
 * panel: it gives the panel's colour, and shows where something lies over the card. */
#ifndef VISION_CARD_FACE_H
#define VISION_CARD_FACE_H

#include "vision/card_find.h"
#include "vision/card_symbol.h"

#define FACE_SIDE_MAX 176  /* px of the raster */
#define FACE_BORDER_MM 0.5 /* around the card, in the raster */
#define FACE_LINE_MAX 5    /* cells in a row at most */
#define FACE_PLACES_MAX (FACE_LINE_MAX * FACE_LINE_MAX)
#define FACE_SECTIONS 4 /* a side of ring or border is looked at in so many sections */

#define FACE_CODES 4096 /* linear light to sRGB values by table */

struct face {
    float table[FACE_CODES + 1];
    int side;               /* px */
    double px_per_mm;       /* of the card as designed */
    struct card_white near; /* white of the map: what rgb and luma are relative to */
    float rgb[FACE_SIDE_MAX * FACE_SIDE_MAX * 3];  /* linear light */
    float code[FACE_SIDE_MAX * FACE_SIDE_MAX * 3]; /* sRGB values 0..1, as the camera gave them */
    float luma[FACE_SIDE_MAX * FACE_SIDE_MAX];     /* brightness of code, relative to white's */
    uint8_t flag[FACE_SIDE_MAX * FACE_SIDE_MAX];   /* of patches, see plane.h */
};

struct face_section {
    float rgb[3], luma, spread; /* mean, and deviation of the brightness */
    float outside, burnt;       /* shares */
};

/* Ring of bare panel, border band (without its ticks), and what lies around the card. */
struct face_frame {
    struct face_section ring[4][FACE_SECTIONS], border[4][FACE_SECTIONS];
    float panel[3], panel_luma; /* medians over the ring */
    float light[3]; /* brightness of the panel: in the centre, and how it grows for a mm right and
                     * down: a lamp close by, or a shadow */
    float border_rgb[3], border_luma; /* medians over the border */
};

enum place_kind { PLACE_PANEL, PLACE_SYMBOL, PLACE_UNKNOWN };

struct place {
    enum place_kind kind;
    struct card_fit fit;
    float burnt, outside; /* shares */
    float margin;         /* log likelihood between best and second, of a symbol */
};

struct face_places {
    int rows, cols; /* of the lattice of places, not of the pattern */
    int blur;
    float left;                          /* mean square that this lattice leaves unexplained */
    struct place place[FACE_PLACES_MAX]; /* [row * cols + col] */
};

void vision_face_init(struct face *face);

/* Can cards of that style be read at all? */
bool vision_face_possible(const struct cardstyle *style);

/* Fills the raster. The square's patch is lent. */
void vision_face_sample(struct face *face, const struct cardstyle *style, const struct patch *patch,
                        const struct card_square *square, const float white[3]);

void vision_face_frame(const struct face *face, const struct cardstyle *style,
                       struct face_frame *frame);

/* Reads the places of the lattice that explains the raster best. */
void vision_face_read(const struct face *face, const struct cardstyle *style,
                      const struct card_symbols *symbols, const struct face_frame *frame,
                      double px_per_cell, struct face_places *out);

/* How many sides show a back's pale frame: a line that is lighter than both its sides. */
int vision_face_back_sides(const struct face *face, const struct cardstyle *style);

/* Brightness of bare panel at a place of the card, mm from its centre. */
static inline float vision_face_panel(const struct face_frame *frame, double u_mm, double v_mm)
{
    return frame->light[0] + frame->light[1] * (float)u_mm + frame->light[2] * (float)v_mm;
}

/* Share of ring and border that does not look like the rest of it; burnt out sections count as
 * glare instead. */
float vision_face_foreign(const struct face_frame *frame, const struct cardstyle *style,
                          float *glare);

/* Mean colour of a rectangle of the raster, in mm of the card as designed, from its centre. */
void vision_face_mean(const struct face *face, double u0, double v0, double u1, double v1,
                      struct face_section *out);

#endif
