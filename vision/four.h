/* vision/four.h: four samples at once, with GCC's vectors; private to the cell model. */
#ifndef VISION_FOUR_H
#define VISION_FOUR_H

#include <string.h>

typedef float four __attribute__((vector_size(16)));

static inline four four_load(const float *from)
{
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline float four_sum(four value)
{
    return value[0] + value[1] + (value[2] + value[3]);
}

#endif
