/* vision/error.c: the errors of this room in words. */
#include "vision/error.h"

const char *vision_strerror(int error)
{
    switch (error) {
    case VISION_OK:
        return "no error";
    case VISION_E_ARGUMENT:
        return "a caller broke the contract of the function";
    case VISION_E_MEMORY:
        return "no memory";
    case VISION_E_RIG_SIZE:
        return "the rig was made for another resolution";
    case VISION_E_NO_MAT:
        return "too few of the mat's tags are seen";
    case VISION_E_MIRRORED:
        return "the picture is mirrored";
    case VISION_E_TWO_MATS:
        return "the mat is seen twice";
    case VISION_E_POSE:
        return "the tags fit no camera: the mat is bent, or they are not one mat's";
    case VISION_E_RIG_LENS:
        return "the rig's lens does not fit this picture: it is another camera's, or it was "
               "refocused";
    default:
        return "unknown error";
    }
}
