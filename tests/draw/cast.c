#include "tests/draw/cast.h"

#include "tests/draw/footprint.h"

#include <stdlib.h>
#include <string.h>

#define TILE_PX 16
#define LATTICE_PX 4 /* rays between are interpolated: under 0.01 px from true */
#define MARCH_STEPS 16
#define MARCH_END_MM 0.02
#define FAR_MM 1e9

/* A rounded box in its own axes, or a capsule, or a cylinder. */
struct object {
    enum draw_hit_kind kind;
    enum draw_part_shape shape;
    int index;
    struct vec center, axis[3], half; /* box */
    struct vec a, b;                  /* capsule, cylinder (b.z: height) */
    double radius, dome;
    struct vec motion;
};

struct draw_cast {
    const struct draw_scene *scene;
    struct vec eye;
    int objects;
    struct object object[DRAW_BLOCKS_MAX + DRAW_PARTS_MAX];
    int tiles_x, tiles_y;
    int *tile_start; /* tiles + 1 */
    short *tile_object;
    bool *tile_moves;
    int lattice_x, lattice_y;
    float *lattice; /* x, y of the undistorted ray; NAN where there is none */
};

static void object_block(const struct draw_scene *scene, int index, struct object *object)
{
    const struct blockset *set = scene->kit.set;
    const struct draw_block *block = &scene->block[index];
    double c = cos(block->turn_deg * DRAW_DEG), s = sin(block->turn_deg * DRAW_DEG);
    struct vec along = block->standing ? vec_of(0, 0, -1) : vec_of(c, s, 0);
    struct vec face = block->standing ? vec_of(c, s, 0) : vec_of(0, 0, -1);
    memset(object, 0, sizeof *object);
    object->kind = HIT_BLOCK;
    object->shape = DRAW_BOX;
    object->index = index;
    object->axis[0] = along;
    object->axis[2] = vec_scale(face, -1.0);
    object->axis[1] = vec_cross(object->axis[2], along);
    object->half = vec_of(set->length_mm / 2.0, set->width_mm / 2.0, set->height_mm / 2.0);
    object->center =
        vec_of(block->center_mm[0], block->center_mm[1], -draw_block_height(set, block) / 2.0);
    object->radius = scene->bevel_mm;
}

static void object_part(const struct draw_scene *scene, int index, struct object *object)
{
    const struct draw_part *part = &scene->part[index];
    double c = cos(part->turn_deg * DRAW_DEG), s = sin(part->turn_deg * DRAW_DEG);
    memset(object, 0, sizeof *object);
    object->kind = HIT_PART;
    object->shape = part->shape;
    object->index = index;
    object->a = vec_of(part->a[0], part->a[1], part->a[2]);
    object->b = vec_of(part->b[0], part->b[1], part->b[2]);
    object->radius = part->radius_mm;
    object->center = object->a;
    object->half = object->b;
    object->axis[0] = vec_of(c, s, 0);
    object->axis[1] = vec_of(-s, c, 0);
    object->axis[2] = vec_of(0, 0, 1);
    object->dome = part->dome;
    object->motion = vec_of(part->motion_mm[0], part->motion_mm[1], 0);
}

/* A box around the object: eight corners. */
static void object_corners(const struct object *object, struct vec corner[8])
{
    struct vec low = object->a, high = object->a,
               r = vec_of(object->radius, object->radius, object->radius);
    if (object->shape == DRAW_CAPSULE) {
        low = vec_of(fmin(object->a.x, object->b.x), fmin(object->a.y, object->b.y),
                     fmin(object->a.z, object->b.z));
        high = vec_of(fmax(object->a.x, object->b.x), fmax(object->a.y, object->b.y),
                      fmax(object->a.z, object->b.z));
        low = vec_sub(low, r);
        high = vec_add(high, r);
    } else if (object->shape == DRAW_CYLINDER) {
        low = vec_of(low.x - r.x, low.y - r.y, low.z - object->b.z);
        high = vec_of(high.x + r.x, high.y + r.y, high.z);
    } else if (object->shape == DRAW_WHEEL) {
        r.x = object->b.x;
        low = vec_sub(low, r);
        high = vec_add(high, r);
    }
    for (int i = 0; i < 8; i++) {
        if (object->shape == DRAW_BOX) {
            struct vec at = vec_along(object->center, object->axis[0],
                                      i & 1 ? object->half.x : -object->half.x);
            at = vec_along(at, object->axis[1], i & 2 ? object->half.y : -object->half.y);
            corner[i] = vec_along(at, object->axis[2], i & 4 ? object->half.z : -object->half.z);
        } else {
            corner[i] =
                vec_of(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
        }
    }
}

struct span {
    int left, top, right, bottom; /* tiles, inclusive */
};

/* Tiles that the object may be seen in. */
static struct span object_span(const struct draw_cast *cast, const struct object *object)
{
    struct span all = {0, 0, cast->tiles_x - 1, cast->tiles_y - 1};
    double low[2] = {FAR_MM, FAR_MM}, high[2] = {-FAR_MM, -FAR_MM};
    struct vec corner[8];
    object_corners(object, corner);
    for (int i = 0; i < 16; i++) {
        struct vec at = vec_along(corner[i % 8], object->motion, i < 8 ? -0.5 : 0.5);
        double pixel[2], point[3] = {at.x, at.y, at.z};
        if (!calib_camera_project(&cast->scene->camera, &cast->scene->pose, point, pixel)) {
            return all;
        }
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], pixel[k]);
            high[k] = fmax(high[k], pixel[k]);
        }
    }
    /* Straight edges bend in the picture by a few pixels. */
    struct span span = {
        (int)floor(draw_clamp((low[0] - 4.0) / TILE_PX, 0, cast->tiles_x)),
        (int)floor(draw_clamp((low[1] - 4.0) / TILE_PX, 0, cast->tiles_y)),
        (int)floor(draw_clamp((high[0] + 4.0) / TILE_PX, -1, cast->tiles_x - 1)),
        (int)floor(draw_clamp((high[1] + 4.0) / TILE_PX, -1, cast->tiles_y - 1)),
    };
    return span;
}

static int tiles_fill(struct draw_cast *cast)
{
    int tiles = cast->tiles_x * cast->tiles_y;
    size_t total = 0;
    struct span *span = malloc(sizeof *span * (size_t)(cast->objects + 1));
    cast->tile_start = calloc((size_t)tiles + 1, sizeof *cast->tile_start);
    cast->tile_moves = calloc((size_t)tiles, sizeof *cast->tile_moves);
    if (span == NULL || cast->tile_start == NULL || cast->tile_moves == NULL) {
        free(span);
        return -1;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < cast->objects; i++) {
            const struct object *object = &cast->object[i];
            if (pass == 0) {
                span[i] = object_span(cast, object);
            }
            for (int y = span[i].top; y <= span[i].bottom; y++) {
                for (int x = span[i].left; x <= span[i].right; x++) {
                    int tile = y * cast->tiles_x + x;
                    if (pass == 0) {
                        cast->tile_start[tile + 1]++;
                        total++;
                        cast->tile_moves[tile] |=
                            object->motion.x != 0.0 || object->motion.y != 0.0;
                    } else {
                        cast->tile_object[cast->tile_start[tile]++] = (short)i;
                    }
                }
            }
        }
        if (pass == 0) {
            for (int t = 0; t < tiles; t++) {
                cast->tile_start[t + 1] += cast->tile_start[t];
            }
            cast->tile_object = malloc(sizeof *cast->tile_object * (total + 1));
            if (cast->tile_object == NULL) {
                free(span);
                return -1;
            }
        }
    }
    /* Filling moved each start to the next tile's. */
    memmove(cast->tile_start + 1, cast->tile_start, sizeof *cast->tile_start * (size_t)tiles);
    cast->tile_start[0] = 0;
    free(span);
    return 0;
}

static int lattice_fill(struct draw_cast *cast)
{
    const struct camera *camera = &cast->scene->camera;
    cast->lattice_x = camera->width / LATTICE_PX + 3;
    cast->lattice_y = camera->height / LATTICE_PX + 3;
    cast->lattice =
        malloc(sizeof *cast->lattice * 2 * (size_t)cast->lattice_x * (size_t)cast->lattice_y);
    if (cast->lattice == NULL) {
        return -1;
    }
    for (int y = 0; y < cast->lattice_y; y++) {
        for (int x = 0; x < cast->lattice_x; x++) {
            double pixel[2] = {(x - 1) * LATTICE_PX, (y - 1) * LATTICE_PX}, ray[2];
            float *out = cast->lattice + 2 * (y * cast->lattice_x + x);
            bool seen = calib_camera_undistort(camera, pixel, ray);
            out[0] = seen ? (float)ray[0] : NAN;
            out[1] = seen ? (float)ray[1] : NAN;
        }
    }
    return 0;
}

struct draw_cast *draw_cast_create(const struct draw_scene *scene)
{
    struct draw_cast *cast = calloc(1, sizeof *cast);
    double eye[3];
    if (cast == NULL) {
        return NULL;
    }
    cast->scene = scene;
    calib_pose_center(&scene->pose, eye);
    cast->eye = vec_of(eye[0], eye[1], eye[2]);
    for (int i = 0; i < scene->blocks; i++) {
        object_block(scene, i, &cast->object[cast->objects++]);
    }
    for (int i = 0; i < scene->parts; i++) {
        object_part(scene, i, &cast->object[cast->objects++]);
    }
    cast->tiles_x = (scene->camera.width + TILE_PX - 1) / TILE_PX;
    cast->tiles_y = (scene->camera.height + TILE_PX - 1) / TILE_PX;
    if (tiles_fill(cast) != 0 || lattice_fill(cast) != 0) {
        draw_cast_destroy(&cast);
    }
    return cast;
}

void draw_cast_destroy(struct draw_cast **cast)
{
    if (cast == NULL || *cast == NULL) {
        return;
    }
    free((*cast)->tile_start);
    free((*cast)->tile_object);
    free((*cast)->tile_moves);
    free((*cast)->lattice);
    free(*cast);
    *cast = NULL;
}

struct vec draw_cast_eye(const struct draw_cast *cast)
{
    return cast->eye;
}

bool draw_cast_ray(const struct draw_cast *cast, double x, double y, struct vec *ray)
{
    double gx = x / LATTICE_PX + 1.0, gy = y / LATTICE_PX + 1.0, xy[2];
    int left = (int)gx, top = (int)gy;
    gx -= left;
    gy -= top;
    const float *at = cast->lattice + 2 * (top * cast->lattice_x + left);
    const float *below = at + 2 * cast->lattice_x;
    for (int k = 0; k < 2; k++) {
        double upper = (double)at[k] + ((double)at[k + 2] - (double)at[k]) * gx;
        double lower = (double)below[k] + ((double)below[k + 2] - (double)below[k]) * gx;
        xy[k] = upper + (lower - upper) * gy;
    }
    if (isnan(xy[0]) || isnan(xy[1])) {
        return false;
    }
    const double *r = cast->scene->pose.r;
    struct vec world =
        vec_of(r[0] * xy[0] + r[3] * xy[1] + r[6], r[1] * xy[0] + r[4] * xy[1] + r[7],
               r[2] * xy[0] + r[5] * xy[1] + r[8]);
    *ray = vec_unit(world);
    return true;
}

static int tile_of(const struct draw_cast *cast, int column, int row)
{
    return row / TILE_PX * cast->tiles_x + column / TILE_PX;
}

bool draw_cast_moves(const struct draw_cast *cast, int column, int row)
{
    return cast->tile_moves[tile_of(cast, column, row)];
}

static double excess(double value, double core)
{
    double over = fabs(value) - core;
    return over > 0.0 ? copysign(over, value) : 0.0;
}

/* Vector from the box's core (the box less its rounding) to p; zero inside the core. */
static struct vec core_excess(struct vec p, struct vec core)
{
    return vec_of(excess(p.x, core.x), excess(p.y, core.y), excess(p.z, core.z));
}

/* Entry of a ray into a sharp box around the origin. */
static bool slab_enter(struct vec o, struct vec d, struct vec half, double *enter, double *leave)
{
    const double from[3] = {o.x, o.y, o.z}, way[3] = {d.x, d.y, d.z},
                 size[3] = {half.x, half.y, half.z};
    *enter = 0.0;
    *leave = FAR_MM;
    for (int k = 0; k < 3; k++) {
        if (fabs(way[k]) < 1e-12) {
            if (fabs(from[k]) > size[k]) {
                return false;
            }
            continue;
        }
        double a = (-size[k] - from[k]) / way[k], b = (size[k] - from[k]) / way[k];
        *enter = fmax(*enter, fmin(a, b));
        *leave = fmin(*leave, fmax(a, b));
    }
    return *enter < *leave;
}

/* Rounded box: from the sharp box's entry on, steps by the distance to the rounded one. */
static bool box_meet(const struct object *object, struct vec o, struct vec d, double *t,
                     struct vec *point, struct vec *normal)
{
    double leave, r = object->radius;
    if (!slab_enter(o, d, object->half, t, &leave)) {
        return false;
    }
    struct vec core = vec_of(object->half.x - r, object->half.y - r, object->half.z - r);
    for (int i = 0; i < MARCH_STEPS; i++) {
        *point = vec_along(o, d, *t);
        struct vec out = core_excess(*point, core);
        double distance = vec_length(out) - r;
        if (distance < MARCH_END_MM) {
            *normal = vec_unit(out);
            return true;
        }
        *t += distance;
        if (*t > leave) {
            return false;
        }
    }
    return false;
}

static bool capsule_meet(const struct object *object, struct vec o, struct vec d, double *t,
                         struct vec *normal)
{
    struct vec ba = vec_sub(object->b, object->a), oa = vec_sub(o, object->a);
    double baba = vec_dot(ba, ba), bard = vec_dot(ba, d), baoa = vec_dot(ba, oa);
    double rdoa = vec_dot(d, oa), oaoa = vec_dot(oa, oa), r2 = object->radius * object->radius;
    double a = baba - bard * bard, b = baba * rdoa - baoa * bard;
    double c = baba * oaoa - baoa * baoa - r2 * baba, h = b * b - a * c;
    if (h < 0.0 || baba <= 0.0) {
        return false;
    }
    double along = -1.0;
    if (a > 1e-9) {
        *t = (-b - sqrt(h)) / a;
        along = baoa + *t * bard;
    }
    if (along <= 0.0 || along >= baba) { /* the round ends */
        struct vec end = (a > 1e-9 ? along <= 0.0 : bard > 0.0) ? oa : vec_sub(o, object->b);
        double q = vec_dot(d, end), e = q * q - vec_dot(end, end) + r2;
        if (e < 0.0) {
            return false;
        }
        *t = -q - sqrt(e);
        along = draw_clamp(baoa + *t * bard, 0.0, baba);
    }
    struct vec at = vec_along(o, d, *t);
    *normal = vec_scale(vec_sub(at, vec_along(object->a, ba, along / baba)), 1.0 / object->radius);
    return *t > 0.0;
}

/* Upright cylinder, seen from above or from the side. */
static bool cylinder_meet(const struct object *object, struct vec o, struct vec d, double *t,
                          struct vec *normal)
{
    double lid = object->a.z - object->b.z, x = o.x - object->a.x, y = o.y - object->a.y;
    double r2 = object->radius * object->radius;
    if (d.z > 1e-9) {
        *t = (lid - o.z) / d.z;
        double px = x + *t * d.x, py = y + *t * d.y;
        if (*t > 0.0 && px * px + py * py <= r2) {
            double bend = object->dome / object->radius;
            *normal = vec_unit(vec_of(bend * px, bend * py, -1));
            return true;
        }
    }
    double a = d.x * d.x + d.y * d.y, b = x * d.x + y * d.y, c = x * x + y * y - r2,
           h = b * b - a * c;
    if (a < 1e-12 || h < 0.0) {
        return false;
    }
    *t = (-b - sqrt(h)) / a;
    double z = o.z + *t * d.z;
    if (*t <= 0.0 || z < lid || z > object->a.z) {
        return false;
    }
    *normal = vec_of((x + *t * d.x) / object->radius, (y + *t * d.y) / object->radius, 0);
    return true;
}

/* A lying cylinder: its two flat sides, then its rim. */
static bool wheel_meet(const struct object *object, struct vec o, struct vec d, double *t,
                       struct vec *normal)
{
    double x = o.x - object->a.x, y = o.y - object->a.y, z = o.z - object->a.z;
    double r2 = object->radius * object->radius, half = object->b.x;
    double side = d.x > 0.0 ? -half : half; /* the one that the ray comes from */
    if (fabs(d.x) > 1e-9) {
        *t = (side - x) / d.x;
        double py = y + *t * d.y, pz = z + *t * d.z;
        if (*t > 0.0 && py * py + pz * pz <= r2) {
            *normal = vec_of(d.x > 0.0 ? -1 : 1, 0, 0);
            return true;
        }
    }
    double a = d.y * d.y + d.z * d.z, b = y * d.y + z * d.z, c = y * y + z * z - r2,
           h = b * b - a * c;
    if (a < 1e-12 || h < 0.0) {
        return false;
    }
    *t = (-b - sqrt(h)) / a;
    double across = x + *t * d.x;
    if (*t <= 0.0 || fabs(across) > half) {
        return false;
    }
    *normal = vec_unit(vec_of(object->dome * across / half, (y + *t * d.y) / object->radius,
                              (z + *t * d.z) / object->radius));
    return true;
}

/* Which face of a block a point is on, by its normal, and where on it. */
static void block_face(struct vec p, struct vec n, struct draw_hit *hit)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    if (x > y && x > z) {
        hit->face = n.x < 0.0 ? FACE_END_FIRST : FACE_END_SECOND;
        hit->u = p.y;
        hit->v = p.z;
    } else if (y > z) {
        hit->face = n.y > 0.0 ? FACE_FRONT : FACE_BACK;
        hit->u = p.x;
        hit->v = n.y > 0.0 ? p.z : -p.z;
    } else {
        hit->face = n.z < 0.0 ? FACE_TOP : FACE_BOTTOM;
        hit->u = p.x;
        hit->v = n.z < 0.0 ? p.y : -p.y;
    }
}

static struct vec to_axes(const struct object *object, struct vec v)
{
    return vec_of(vec_dot(v, object->axis[0]), vec_dot(v, object->axis[1]),
                  vec_dot(v, object->axis[2]));
}

static struct vec from_axes(const struct object *object, struct vec v)
{
    struct vec out = vec_scale(object->axis[0], v.x);
    return vec_along(vec_along(out, object->axis[1], v.y), object->axis[2], v.z);
}

static void object_meet(const struct object *object, struct vec eye, struct vec ray, double moment,
                        struct draw_hit *hit)
{
    struct vec from = vec_along(eye, object->motion, -moment);
    struct vec normal = {0, 0, 0}, point = {0, 0, 0};
    double t = 0.0;
    bool met;
    if (object->shape == DRAW_BOX) {
        met = box_meet(object, to_axes(object, vec_sub(from, object->center)), to_axes(object, ray),
                       &t, &point, &normal);
    } else if (object->shape == DRAW_CAPSULE) {
        met = capsule_meet(object, from, ray, &t, &normal);
    } else if (object->shape == DRAW_WHEEL) {
        met = wheel_meet(object, from, ray, &t, &normal);
    } else {
        met = cylinder_meet(object, from, ray, &t, &normal);
    }
    if (!met || t >= hit->distance) {
        return;
    }
    hit->kind = object->kind;
    hit->index = object->index;
    hit->distance = t;
    hit->point = vec_along(eye, ray, t);
    hit->normal = normal;
    if (object->shape == DRAW_BOX) {
        if (object->kind == HIT_BLOCK) {
            block_face(point, normal, hit);
        }
        hit->normal = from_axes(object, normal);
    }
}

static void card_meet(const struct draw_cast *cast, struct vec ray, struct draw_hit *hit)
{
    double t = (-DRAW_CARD_MM - cast->eye.z) / ray.z;
    if (t >= hit->distance) {
        return;
    }
    struct vec at = vec_along(cast->eye, ray, t);
    for (int i = 0; i < cast->scene->cards; i++) {
        const struct draw_card *card = &cast->scene->card[i];
        double dx = at.x - card->center_mm[0], dy = at.y - card->center_mm[1];
        if (fabs(dx) + fabs(dy) > 1.5 * card->size_mm) {
            continue;
        }
        double c = cos(card->turn_deg * DRAW_DEG), s = sin(card->turn_deg * DRAW_DEG);
        double x = c * dx + s * dy, y = c * dy - s * dx, half = card->size_mm / 2.0,
               corner = 0.04 * card->size_mm;
        double ox = fabs(x) - half + corner, oy = fabs(y) - half + corner;
        if (ox > corner || oy > corner || (ox > 0.0 && oy > 0.0 && hypot(ox, oy) > corner)) {
            continue;
        }
        hit->kind = HIT_CARD;
        hit->index = i;
        hit->distance = t;
        hit->point = at;
        hit->normal = vec_of(0, 0, -1);
        hit->u = x;
        hit->v = y;
    }
}

static void ground_meet(const struct draw_cast *cast, struct vec ray, struct draw_hit *hit)
{
    const double *size = cast->scene->kit.mat->size_mm;
    double t = -cast->eye.z / ray.z;
    if (t >= hit->distance) {
        return;
    }
    struct vec at = vec_along(cast->eye, ray, t);
    bool mat = at.x >= 0.0 && at.y >= 0.0 && at.x <= size[0] && at.y <= size[1];
    hit->kind = mat ? HIT_MAT : HIT_TABLE;
    hit->index = 0;
    hit->distance = t;
    hit->point = at;
    hit->normal = vec_of(0, 0, -1);
}

void draw_cast_first(const struct draw_cast *cast, int column, int row, struct vec ray,
                     double moment, struct draw_hit *hit)
{
    int tile = tile_of(cast, column, row);
    hit->kind = HIT_NONE;
    hit->distance = FAR_MM;
    for (int i = cast->tile_start[tile]; i < cast->tile_start[tile + 1]; i++) {
        object_meet(&cast->object[cast->tile_object[i]], cast->eye, ray, moment, hit);
    }
    if (ray.z > 1e-6) {
        card_meet(cast, ray, hit);
        ground_meet(cast, ray, hit);
    }
}
