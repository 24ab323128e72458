/* tests/draw/light.h: how much light falls where.
 *
 * Shadows are made on a grid over the mat: everything that stands or hangs over it is cut into
 * layers by height, each lamp throws every layer onto the mat and onto the plane of the blocks'
 * tops, blurred by the lamp's size and the layer's height. Light from everywhere is kept away by
 * what stands near: the dark at the foot of a block and in the gaps between. */
#ifndef DRAW_LIGHT_H
#define DRAW_LIGHT_H

#include "tests/draw/scene.h"
#include "tests/draw/vec.h"

struct draw_lights;

/* NULL when there is no memory. The scene is lent. */
struct draw_lights *draw_lights_create(const struct draw_scene *scene);
void draw_lights_destroy(struct draw_lights **lights);

/* Light on a level surface at (x, y): on the mat, or on the blocks' tops. */
void draw_lights_level(const struct draw_lights *lights, bool tops, double x, double y,
                       float out[3]);

/* Light on a surface that faces any way, at a point over the mat: of a block, or of something
 * foreign (which must not lie in its own shadow). */
void draw_lights_any(const struct draw_lights *lights, struct vec point, struct vec normal,
                     bool foreign, float out[3]);

/* Light that a glossy surface mirrors into the eye; gloss 0..1. */
void draw_lights_gloss(const struct draw_lights *lights, struct vec point, struct vec normal,
                       struct vec ray, double gloss, float out[3]);

#endif
