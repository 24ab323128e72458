/* vision/tag.h: what the files of the tag finder share. Private to vision. */
#ifndef VISION_TAG_H
#define VISION_TAG_H

#include "calib/mat.h"
#include "capture/frame.h"

#include <stdbool.h>

/* More sightings than any honest picture has: each of the mat's tags and as many strangers. */
#define TAG_CANDIDATES_MAX (2 * MAT_TAGS_MAX)

#define TAG_MODULES 8 /* of tag36h11's black square, its border included */

/* A tag that libapriltag believes to see, with the place its id has on the mat. Corners are in
 * px of the frame, our convention, in the order of calib_mat_tag_corners. */
struct tag_candidate {
    int id;
    int index;             /* in mat->tag */
    int hamming;
    double margin;
    double corner[4][2];
    bool firm[4];          /* see struct sighting */
    double corner_mm[4][2];
    int own[4];            /* which corner is libapriltag's first, second.. (from the tag's own
                            * bottom-left, counter-clockwise) */
    bool white[TAG_MODULES][TAG_MODULES]; /* its drawing: the black square's modules, own picture */
    double rough_px;       /* how far the corner may be off before it is refined */
};

/* Mean side, px. */
double vision_tag_side(const double corner[4][2]);

/* Moves the corners to where the four edges of the black square cross, at full resolution, and
 * says which of them are firm. Returns how many. */
int vision_tag_refine(const struct frame *frame, struct tag_candidate *tag);

/* Keeps the candidates that agree with each other about one plane and whose id stands once, in
 * place; returns how many. *second (may be NULL): is there another plane with some of the same
 * ids? Where neither is clearly the mat none is kept. */
int vision_tags_trust(struct tag_candidate *tag, int tags, bool *second);

/* Homography mat (mm) to picture (px) of the candidates, roughly right also in bent pictures.
 * False when they determine none. */
bool vision_tags_homography(const struct tag_candidate *tag, int tags, double h[9]);

/* Point through a homography. False at or beyond its horizon. */
bool vision_homography_apply(const double h[9], const double from[2], double to[2]);

#endif
