/* tests/draw/cast.h: what a ray from the camera meets first. */
#ifndef DRAW_CAST_H
#define DRAW_CAST_H

#include "tests/draw/scene.h"
#include "tests/draw/vec.h"

enum draw_hit_kind { HIT_NONE, HIT_TABLE, HIT_MAT, HIT_CARD, HIT_BLOCK, HIT_PART };

/* Faces of a block, outward along its own axes. */
enum draw_face { FACE_TOP, FACE_FRONT, FACE_BOTTOM, FACE_BACK, FACE_END_FIRST, FACE_END_SECOND };

struct draw_hit {
    enum draw_hit_kind kind;
    int index;       /* of the block, card or part */
    double distance; /* along the ray */
    struct vec point, normal;
    enum draw_face face; /* of a block */
    double u, v;         /* on that face, in mm from its middle, u along the block */
};

/* A scene made ready for rays. */
struct draw_cast;

/* NULL when there is no memory. The scene is lent. */
struct draw_cast *draw_cast_create(const struct draw_scene *scene);
void draw_cast_destroy(struct draw_cast **cast);

/* The ray of a place in the picture, unit length. False where the lens shows nothing. */
bool draw_cast_ray(const struct draw_cast *cast, double x, double y, struct vec *ray);
struct vec draw_cast_eye(const struct draw_cast *cast);

/* What the pixel (column, row) sees along a ray through it, at a moment -0.5..0.5 of the time
 * that the shutter is open. */
void draw_cast_first(const struct draw_cast *cast, int column, int row, struct vec ray,
                     double moment, struct draw_hit *hit);

/* May something that moves be seen in this pixel? */
bool draw_cast_moves(const struct draw_cast *cast, int column, int row);

#endif
