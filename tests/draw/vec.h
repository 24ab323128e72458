/* tests/draw/vec.h: points and directions in the mat frame (x right, y down, z into the table). */
#ifndef DRAW_VEC_H
#define DRAW_VEC_H

#include <math.h>

struct vec {
    double x, y, z;
};

static inline struct vec vec_of(double x, double y, double z)
{
    return (struct vec){x, y, z};
}

static inline struct vec vec_add(struct vec a, struct vec b)
{
    return vec_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline struct vec vec_sub(struct vec a, struct vec b)
{
    return vec_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline struct vec vec_scale(struct vec a, double k)
{
    return vec_of(a.x * k, a.y * k, a.z * k);
}

/* a + b k */
static inline struct vec vec_along(struct vec a, struct vec b, double k)
{
    return vec_of(a.x + b.x * k, a.y + b.y * k, a.z + b.z * k);
}

static inline double vec_dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec vec_cross(struct vec a, struct vec b)
{
    return vec_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(struct vec a)
{
    return sqrt(vec_dot(a, a));
}

/* Length 1; the zero vector stays as it is. */
static inline struct vec vec_unit(struct vec a)
{
    double length = vec_length(a);
    return length > 0.0 ? vec_scale(a, 1.0 / length) : a;
}

static inline double draw_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

#define DRAW_PI 3.14159265358979323846
#define DRAW_DEG (DRAW_PI / 180.0) /* radians in a degree */

#endif
