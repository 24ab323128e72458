/* vision/ramp_sight.h: what a picture shows of a ramp, made ready for comparing. Private to vision.
 *
 * Three planes of the board are looked at: its floor, the discs' faces and the ridges of discs on
 * edge. Light differs in colour and falls off over a board, so every pixel is taken relative to
 * the white of the tags near it, and kept as a tint (which shade and brightness leave alone) and a
 * brightness. Grooves look alike all the way down, so the picture itself says what a bare one looks
 * like: across its width, from the stretch above the top row where discs only roll through. */
#ifndef VISION_RAMP_SIGHT_H
#define VISION_RAMP_SIGHT_H

#include "calib/ramp.h"
#include "vision/plane.h"

#include <stdbool.h>

/* Patches have this many pixels to a millimetre: a disc is 32 mm wide, and what has to be seen are
 * its colour, its outline to a millimetre or two, and the groove's walls. */
#define RAMP_PX_PER_MM 1.0
#define RAMP_PROFILE_MAX 128 /* half the widest distance of tracks, mm, both ways */

/* A colour: the tint as logarithms of ratios (red to green; both to blue), 0 0 for white, and the
 * logarithm of the brightness, 0 for paper. */
struct tint {
    float a, b, light;
};

struct ramp_plane {
    double z_mm;
    struct patch patch; /* rgb relative to white */
    struct tint *tint;  /* width x height of the patch */
    int capacity;
};

enum { RAMP_FLOOR, RAMP_FACES, RAMP_RIDGES, RAMP_PLANES };

struct ramp_sight {
    const struct ramp *ramp;
    const struct mat_pose *pose;
    double eye_mm[3];
    double pitch_mm;             /* of the rows */
    double spacing_mm;           /* of the tracks */
    double approach_mm[2];       /* y of the stretch above the top row: from, to */
    double left_mm, right_mm, bottom_mm; /* of what is looked at */
    double px_per_mm;            /* of the picture, in the middle */
    int whites;                  /* tags whose white was measured */
    double white_mm[MAT_TAGS_MAX][2];
    float white[MAT_TAGS_MAX][3];
    struct ramp_plane plane[RAMP_PLANES];
    int reach;                              /* of the profile: px each way from the middle */
    struct tint groove[2 * RAMP_PROFILE_MAX + 1]; /* a bare groove across */
    double contrast;                        /* of its brightness across: standard deviation */
};

struct ramp_sight *vision_ramp_sight_create(const struct ramp *ramp);
void vision_ramp_sight_destroy(struct ramp_sight **sight);

/* Looks at a picture; the pose is lent until the next one. VISION_E_MEMORY, VISION_E_POSE. */
int vision_ramp_sight_take(struct ramp_sight *sight, const struct pyramid *pyramid,
                           const struct mat_pose *pose);

/* The tint of a colour relative to white (linear light). */
struct tint vision_tint_of(const float rgb[3]);

/* Is a place of the board within a tag or the white around it? */
bool vision_ramp_over_tag(const struct ramp *ramp, double x_mm, double y_mm);

/* Index of a place's pixel in a plane; -1 outside it. */
int vision_ramp_pixel(const struct ramp_plane *plane, double x_mm, double y_mm);

/* Where a point at height above_mm over the board hides a plane: by how much a place (x, y) at that
 * height is seen displaced on the plane at z_mm. */
void vision_ramp_displace(const struct ramp_sight *sight, const double xy_mm[2], double above_mm,
                          double z_mm, double out_mm[2]);

#endif
