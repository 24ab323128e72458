/* vision/ramp_disc.h: is there a disc at this place of a track? Private to vision.
 *
 * A disc is a whole shape of one colour: a circle on the plane of the faces, or on the plane of the
 * ridges the strip that is seen of a disc on edge; and around it, wherever its own wall cannot be
 * seen, something else. Parts of it that a finger covers are of another colour, and a hand that
 * covers it whole has no such outline. */
#ifndef VISION_RAMP_DISC_H
#define VISION_RAMP_DISC_H

#include "vision/ramp_sight.h"

#define RAMP_STENCIL_MAX 4096
#define RAMP_PARTS 8
#define RAMP_SIDES 6

struct ramp_spot {
    int16_t dx, dy; /* px from the middle */
    uint8_t part;   /* of the shape; of its surroundings: which side */
};

/* What belongs to a disc, and what lies around it, in pixels of its plane. */
struct ramp_stencil {
    enum ramp_seen seen;
    int plane; /* of the sight's */
    double half_mm[2]; /* of the whole shape, x and y */
    int inside, core, outside; /* `core`: the first so many of inside, clear of the edge */
    struct ramp_spot in[RAMP_STENCIL_MAX], out[RAMP_STENCIL_MAX];
};

void vision_ramp_stencil(const struct ramp *ramp, enum ramp_seen seen, struct ramp_stencil *out);

struct ramp_find {
    enum ramp_seen seen;
    double at_mm[2];   /* of its middle */
    double moved_mm[2]; /* from where it was looked for */
    struct tint tint;  /* of its colour, without its highlights */
    float rgb[3];      /* the same, relative to white */
    double worst;      /* least share of a part that is of that colour */
    double whole;      /* and the least but one */
    int parts;         /* that are seen, and no glint */
    double outline;    /* least share of a side that is of another */
    double unlike_groove; /* how far its colour is from the bare floor's */
    double pure;       /* share of it that shows its colour without a veil */
    double bare;       /* share of it that looks like the bare floor of a groove */
    double board;      /* share of it that looks like any of the board */
    double burnt;      /* share of it that is a mirrored lamp */
    bool in_view;
};

/* Looks for a disc near a place of the board, and moves to its middle. *out is filled in any case;
 * vision_ramp_find_is says whether it is one. */
void vision_ramp_look(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                      const double at_mm[2], struct ramp_find *out);
/* The share of what was looked at that the body of a disc on edge at that place would hide. */
double vision_ramp_within(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                          const struct ramp_find *find, const double foot_mm[2]);
/* Could a find be no disc of its own but the body of another, of the same colour, behind which the
 * camera sees it? Faces never are. */
bool vision_ramp_may_be(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                        const struct ramp_find *find, const struct ramp_find *other);
bool vision_ramp_find_is(const struct ramp_find *find);

#endif
