/* vision/plane.h: a piece of a plane of the mat, seen from straight above, in linear light.
 *
 * Everything is read on rectified patches: a cell of any seat has the same size and shape on the
 * plane of the tops, wherever the camera stands. A pyramid of the frame's planes (each level
 * half of the one before, box filtered) keeps the sampling free of aliasing. */
#ifndef VISION_PLANE_H
#define VISION_PLANE_H

#include "capture/frame.h"
#include "vision/pose.h"

#include <stdint.h>

#define PYRAMID_LEVELS 5

/* Level 0 lends the frame's own planes, the others are owned. Grows its buffers as needed. */
struct pyramid;
struct pyramid *vision_pyramid_create(void);
void vision_pyramid_destroy(struct pyramid **pyramid);
/* Builds the levels; the frame is lent until the next call. VISION_E_MEMORY. */
int vision_pyramid_build(struct pyramid *pyramid, const struct frame *frame);

/* Flags of a patch's pixels. */
#define PATCH_OUTSIDE 1u /* beyond the picture: its colour means nothing */
#define PATCH_BURNT 2u   /* at or near the sensor's limit: its colour is not to be trusted */
#define PATCH_GLARE 4u   /* mirrors a lamp, or lies next to where one is mirrored (white.h) */
#define PATCH_LAMP 8u    /* the same, where noise alone can't have made it seem so */

struct patch {
    int width, height;
    double px_per_mm;
    double origin_mm[2]; /* mat place of the centre of pixel (0, 0) */
    double z_mm;         /* of the plane; tops are negative */
    float *rgb;          /* linear 0..1, interleaved, width * height * 3, and one to read over */
    uint8_t *flag;       /* width * height */
    int capacity;        /* pixels that rgb and flag have room for */
};

/* Samples rect_mm (x, y, width, height) of the plane z_mm into `patch`, whose buffers grow as
 * needed (start from an all-zero struct; vision_patch_free at the end).
 * Errors: VISION_E_MEMORY, VISION_E_POSE (the plane lies behind the camera). */
int vision_patch_sample(struct patch *patch, const struct pyramid *pyramid,
                        const struct mat_pose *pose, const double rect_mm[4], double z_mm,
                        double px_per_mm);
void vision_patch_free(struct patch *patch);

/* Patch pixel to mat mm and back (on the patch's own plane). */
static inline void vision_patch_to_mm(const struct patch *patch, double x, double y, double mm[2])
{
    mm[0] = patch->origin_mm[0] + x / patch->px_per_mm;
    mm[1] = patch->origin_mm[1] + y / patch->px_per_mm;
}

static inline void vision_patch_from_mm(const struct patch *patch, const double mm[2], double *x,
                                        double *y)
{
    *x = (mm[0] - patch->origin_mm[0]) * patch->px_per_mm;
    *y = (mm[1] - patch->origin_mm[1]) * patch->px_per_mm;
}

/* Picture pixels to a millimetre at a place of the plane (the smaller of both directions);
 * 0 when it is not in view. */
double vision_plane_scale(const struct mat_pose *pose, double x_mm, double y_mm, double z_mm);

#endif
