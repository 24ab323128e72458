/* tests/draw/render.h: from a scene to the light on the sensor, and what was seen of it. */
#ifndef DRAW_RENDER_H
#define DRAW_RENDER_H

#include "tests/draw/scene.h"
#include "tests/draw/surface.h"

/* What rays met, in pixels. */
struct draw_seen {
    double top[DRAW_BLOCKS_MAX][2]; /* of the two cells on top of a lying block */
    double end[DRAW_BLOCKS_MAX];    /* of the upper end of a standing one */
    double card[MAT_SLOTS_MAX];     /* by index of the scene's card */
    double foreign[MAT_SEATS_MAX];  /* of things that cover the seat's rectangle, on the mat's
                                       plane or on the tops' */
};

/* Light on the sensor behind an ideal lens, in linear RGB, row by row: width x height x 3, the
 * lit paper in the mat's middle near scene->optics.white. `light` is the caller's. Returns 0, or
 * -1 when there is no memory. */
int draw_render(const struct draw_scene *scene, const struct draw_surface *surface, float *light,
                struct draw_seen *seen);

#endif
