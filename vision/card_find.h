/* vision/card_find.h: where in its slot a card lies. Private to vision.
 *
 * A card is a square that is darker than paper along its whole edge, in at least one channel: a
 * border band in a strong colour, or a dark back. So the square is found on whiteness (see
 * white.h), where even a yellow band under a yellow lamp is dark, from edges that grow lighter
 * outward: first roughly by votes for four lines, then to a small part of a pixel by fitting a
 * square to many places along its edge. */
#ifndef VISION_CARD_FIND_H
#define VISION_CARD_FIND_H

#include "vision/plane.h"
#include "vision/white.h"

struct card_square {
    double center_mm[2]; /* in the mat frame */
    double turn_rad;     /* clockwise, within an eighth of a turn */
    double size_mm;
    double seen[4]; /* share of each side that was found: right, bottom, left, top of the
                     * card as it lies */
    double rms_mm;  /* of the places along the edge */
};

enum card_find {
    CARD_FIND_PAPER,  /* nothing but paper: no card can lie there */
    CARD_FIND_SQUARE, /* a square of a card's size */
    CARD_FIND_THING   /* something else covers the slot */
};

struct card_view {
    const struct pyramid *pyramid;
    const struct white_map *white;
    const struct mat_pose *pose;
    const double *rect_mm; /* of the slot */
    double size_mm;        /* of a card as designed */
};

struct card_finder;
struct card_finder *vision_card_finder_create(void);
void vision_card_finder_destroy(struct card_finder **finder);

/* Looks into a slot. On CARD_FIND_SQUARE fills *square. Errors: VISION_E_MEMORY, VISION_E_POSE
 * and VISION_E_ARGUMENT. */
int vision_card_find(struct card_finder *finder, const struct card_view *view,
                     struct card_square *square);

/* The fine patch of the last square that was found, lent until the next call. */
const struct patch *vision_card_finder_patch(const struct card_finder *finder);

/* How much of the slot lay outside the picture in the last call, how much was burnt out, and how
 * much showed paper, perhaps in shadow. */
double vision_card_finder_outside(const struct card_finder *finder);
double vision_card_finder_burnt(const struct card_finder *finder);
double vision_card_finder_paper(const struct card_finder *finder);
/* And how much showed paper in full light; and the length of edges within the slot's outline. */
double vision_card_finder_lit(const struct card_finder *finder);
double vision_card_finder_edges_mm(const struct card_finder *finder);

/* A card's own place, in mm from its centre, right and down as it lies, to the mat's frame. */
void vision_card_square_to_mm(const struct card_square *square, double u_mm, double v_mm,
                              double mm[2]);

/* The way from a card's own place to pixels of a patch. */
struct square_axes {
    float x, y;       /* of the centre */
    float u[2], v[2]; /* steps to a mm right and down as the card lies */
};

/* `print`: mm on the mat to a mm of the places that will be asked for. */
void vision_square_axes(const struct card_square *square, const struct patch *patch, double print,
                        struct square_axes *axes);

static inline void vision_square_axes_at(const struct square_axes *axes, float u_mm, float v_mm,
                                         float *x, float *y)
{
    *x = axes->x + u_mm * axes->u[0] + v_mm * axes->v[0];
    *y = axes->y + u_mm * axes->u[1] + v_mm * axes->v[1];
}

/* Cards for small mats are printed at this share of the design. */
#define CARD_SMALL_PRINT 0.925
#define CARD_TOP_Z_MM (-0.5) /* cards are 0.3 to 1 mm thick */

#endif
