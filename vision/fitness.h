/* vision/fitness.h: may a picture be ruled on at all? Private to vision.
 *
 * The mat brings its own measure: its tags are printed in the blackest black and the whitest white
 * that there is. Where their black is not much darker than their white, a hand or a veil of light
 * lies over the picture, or its contrast was taken away, and then things that are printed light are
 * no longer told from paper. */
#ifndef VISION_FITNESS_H
#define VISION_FITNESS_H

#include "calib/mat.h"
#include "capture/frame.h"
#include "vision/pose.h"

struct fitness {
    int tags;     /* that were measured */
    double black; /* the tags' black as a share of their white, linear light: median over tags */
    double white; /* their white, linear light, 1 at the sensor's limit: median */
};

/* Measures the tags that the pose rests on. */
void vision_fitness_measure(const struct frame *frame, const struct mat_pose *pose,
                            struct fitness *out);

#endif
