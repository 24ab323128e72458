/* vision/error.h: what can go wrong in vision. A picture that shows nothing usable is no error:
 * it is a layout with reasons. */
#ifndef VISION_ERROR_H
#define VISION_ERROR_H

enum vision_error {
    VISION_OK = 0,
    VISION_E_ARGUMENT = -1,
    VISION_E_MEMORY = -2,
    VISION_E_RIG_SIZE = -3, /* the rig was made for another resolution */
    VISION_E_NO_MAT = -4,   /* too few of the mat's tags for any reading */
    VISION_E_MIRRORED = -5, /* the tags are seen in a mirror */
    VISION_E_POSE = -6,     /* tags that fit no camera */
    VISION_E_TWO_MATS = -8, /* the mat is seen twice, and neither is clearly the nearer one */
    VISION_E_RIG_LENS = -7  /* the rig's lens does not fit the picture, though its tags agree
                             * about some other lens */
};

/* A short sentence for one of the numbers above; never NULL. */
const char *vision_strerror(int error);

#endif
