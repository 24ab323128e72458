/* tests/unit/end_picture.h: an end of a block as a test paints it into a patch. */
#ifndef TESTS_UNIT_END_PICTURE_H
#define TESTS_UNIT_END_PICTURE_H

#include "vision/pips.h"

#include <math.h>

#define PICTURE_SIDE 96
#define END_SIDE_PX 24.0f

struct end_picture {
    float rgb[PICTURE_SIDE * PICTURE_SIDE * 3];
    float whiteness[PICTURE_SIDE * PICTURE_SIDE];
    unsigned char flag[PICTURE_SIDE * PICTURE_SIDE];
};

struct end_paint {
    float x, y, turn_rad;
    int number;       /* of pips; 0: none */
    float field, pip; /* against white */
    float beyond;     /* what surrounds the end */
    float slope;      /* light that grows over the picture by this much: a mirrored window */
};

/* How light a point of the end is, in sides from its centre. */
static inline float end_light(const struct end_paint *paint, float u, float v)
{
    if (fabsf(u) > 0.5f || fabsf(v) > 0.5f)
        return paint->beyond;
    if (fabsf(u) > 0.44f || fabsf(v) > 0.44f)
        return 1;
    for (int i = 0; i < paint->number; i++) {
        const signed char *at = vision_pip_place[paint->number - 1][i];
        if (hypotf(u - 0.24f * (float)at[0], v - 0.24f * (float)at[1]) < 0.08f)
            return paint->pip;
    }
    return paint->field;
}

static inline void end_picture_paint(struct end_picture *picture, const struct end_paint *paint)
{
    enum { FINE = 4 };
    float c = cosf(paint->turn_rad) / END_SIDE_PX, s = sinf(paint->turn_rad) / END_SIDE_PX;
    for (int at = 0; at < PICTURE_SIDE * PICTURE_SIDE; at++) {
        float sum = 0;
        for (int k = 0; k < FINE * FINE; k++) {
            float x = (float)(at % PICTURE_SIDE) + ((float)(k % FINE) + 0.5f) / FINE - 0.5f;
            float y = (float)(at / PICTURE_SIDE) + ((float)k / FINE + 0.5f) / FINE - 0.5f;
            float dx = x - paint->x, dy = y - paint->y;
            sum += end_light(paint, dx * c + dy * s, dy * c - dx * s) +
                   paint->slope * x / PICTURE_SIDE;
        }
        picture->whiteness[at] = sum / (FINE * FINE);
        for (int k = 0; k < 3; k++)
            picture->rgb[at * 3 + k] = picture->whiteness[at] * 0.6f;
        picture->flag[at] = 0;
    }
}

#endif
