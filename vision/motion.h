/* vision/motion.h: did anything change in a part of the picture? On a picture at an eighth of its
 * size, luma alone, where a pixel is the mean of 64 and noise is low. */
#ifndef VISION_MOTION_H
#define VISION_MOTION_H

#include "capture/frame.h"
#include "vision/pose.h"

#include <stdint.h>

#define MOTION_SCALE 8

/* The pixels of the small picture that a rectangle of the mat takes up, from the sheet to the
 * blocks' tops. */
struct region {
    int pixels;
    uint32_t *pixel; /* places in a small picture without padding: y * width + x */
};

/* Makes it for rect_mm (x, y, width, height), made larger by margin_mm on all sides, between z = 0
 * and z = -height_mm. What lies outside the picture is left out; where the lens model ends before
 * the rectangle does, it is the whole picture. The caller gives it to vision_region_free.
 * VISION_E_MEMORY. */
int vision_region_make(struct region *region, const struct mat_pose *pose, const double rect_mm[4],
                       double height_mm, double margin_mm);
void vision_region_free(struct region *region);

/* A small picture, without padding. */
struct small {
    int width, height;
    uint8_t *y;
};

/* Copies a frame's luma; its buffer grows as needed (start from an all-zero struct).
 * VISION_E_MEMORY.
 */
int vision_small_take(struct small *small, const struct frame *frame);
void vision_small_free(struct small *small);

/* How two small pictures of one size differ as a whole: what a change of exposure or of the light
 * multiplies the first by to get the second (millionths); how much two pixels of what did not move
 * differ besides (tenths of a level); and by how much that factor differs from row to row, as
 * lamps on the mains do it under a shutter that runs down the picture (permille, between the
 * quarters of the rows). All by the median over tiles, so that less than half of the picture may
 * have changed; bands are seen only when both brighter and darker rows are a quarter each. */
#define SMALL_SAME_PPM 1000000
struct small_change {
    int gain_ppm; /* SMALL_SAME_PPM / 8 .. 8 * SMALL_SAME_PPM */
    int noise_level10;
    int bands_permille;
};
struct small_change vision_small_compare(const struct small *before, const struct small *now);

/* How many of a region's pixels differ by more than noise and exposure explain: between two small
 * pictures, or from the values that its pixels had (in their order). */
int vision_region_changed(const struct region *region, const struct small *before,
                          const struct small *now, struct small_change change);
int vision_region_changed_from(const struct region *region, const uint8_t *before,
                               const struct small *now, struct small_change change);

/* The level that so many permille of a small picture's pixels do not exceed. */
int vision_small_level(const struct small *small, int permille);

/* The values of a region's pixels, `region->pixels` bytes. */
void vision_region_values(const struct region *region, const struct small *small, uint8_t *out);

/* Is that many a motion? A finger's tip covers more. */
bool vision_region_moved(const struct region *region, int changed);

#endif
