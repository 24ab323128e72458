#include "tests/draw/render.h"

#include "tests/draw/cast.h"
#include "tests/draw/footprint.h"
#include "tests/draw/light.h"

#include <stdlib.h>
#include <string.h>

struct rendering {
    const struct draw_scene *scene;
    const struct draw_surface *surface;
    struct draw_cast *cast;
    struct draw_lights *lights;
    struct draw_seen *seen;
    int width, height;
    float *light;
    uint32_t *id; /* what each pixel's middle shows: changes where there is an edge */
};

static uint32_t id_of(const struct draw_hit *hit, int part)
{
    return (uint32_t)hit->kind << 24 | (uint32_t)(hit->index & 0xFFFF) << 8 |
           (uint32_t)(part & 0xFF);
}

static double pixel_mm(const struct rendering *r, const struct draw_hit *hit)
{
    return hit->distance / r->scene->camera.fx;
}

/* Reflectance of a block's face. */
static void block_colour(const struct rendering *r, const struct draw_hit *hit, float out[3])
{
    const struct draw_scene *scene = r->scene;
    const struct blockset *set = scene->kit.set;
    const struct draw_block *lies = &scene->block[hit->index];
    const struct block *block = &set->block[lies->block];
    if (hit->face >= FACE_END_FIRST) {
        draw_surface_end(scene, block->number, hit->u / set->width_mm, hit->v / set->height_mm,
                         out);
        return;
    }
    int face = (lies->face + (int)hit->face) % BLOCKSET_FACES_MAX;
    double cell = set->length_mm / 2.0;
    double across =
        hit->face == FACE_TOP || hit->face == FACE_BOTTOM ? set->width_mm : set->height_mm;
    int half = hit->u > 0.0;
    double u = hit->u / cell + (half ? -0.5 : 0.5), v = hit->v / across;
    int symbol = face < block->faces ? calib_blockset_find(set, block->face[face][half]) : -1;
    if (symbol < 0) { /* a face without symbols is white */
        for (int k = 0; k < 3; k++) {
            out[k] = (float)scene->block_white[k];
        }
        return;
    }
    draw_surface_cell(r->surface, symbol, u, v, cell / pixel_mm(r, hit), scene->block_white, out);
}

static void gloss_add(const struct rendering *r, const struct draw_hit *hit, struct vec normal,
                      struct vec ray, double gloss, double share, float light[3])
{
    float mirrored[3];
    draw_lights_gloss(r->lights, hit->point, normal, ray, gloss, mirrored);
    for (int k = 0; k < 3; k++) {
        light[k] += (float)(share * mirrored[k]);
    }
}

static void block_light(const struct rendering *r, const struct draw_hit *hit, struct vec ray,
                        float out[3])
{
    const struct draw_block *block = &r->scene->block[hit->index];
    float colour[3], light[3];
    block_colour(r, hit, colour);
    bool level = hit->normal.z < -0.9999 && !block->standing;
    if (level) {
        draw_lights_level(r->lights, true, hit->point.x, hit->point.y, light);
    } else {
        draw_lights_any(r->lights, hit->point, hit->normal, false, light);
    }
    for (int k = 0; k < 3; k++) {
        out[k] = colour[k] * light[k];
    }
    struct vec normal = vec_unit(vec_add(hit->normal, vec_of(block->lean[0], block->lean[1], 0)));
    gloss_add(r, hit, normal, ray, block->gloss, 1.0, out);
}

static void part_light(const struct rendering *r, const struct draw_hit *hit, struct vec ray,
                       float out[3])
{
    const struct draw_part *part = &r->scene->part[hit->index];
    float light[3];
    draw_lights_any(r->lights, hit->point, hit->normal, true, light);
    double mottle = 1.0;
    if (part->mottle > 0.0) {
        double x = hit->point.x + hit->point.z, y = hit->point.y - 0.7 * hit->point.z;
        mottle += part->mottle * (draw_noise(x, y, 5.0, 77) + draw_noise(x, y, 1.3, 78) - 1.0);
    }
    for (int k = 0; k < 3; k++) {
        out[k] = (float)(part->colour[k] * light[k] * mottle);
    }
    if (part->gloss > 0.0) {
        gloss_add(r, hit, hit->normal, ray, part->gloss, 0.7, out);
    }
}

/* Light from what was met, and which part of it that is. */
static int hit_light(const struct rendering *r, const struct draw_hit *hit, struct vec ray,
                     float out[3])
{
    const struct draw_scene *scene = r->scene;
    float light[3];
    int part = 0;
    switch (hit->kind) {
    case HIT_BLOCK:
        block_light(r, hit, ray, out);
        return (int)hit->face * 2 + (hit->u > 0.0);
    case HIT_PART:
        part_light(r, hit, ray, out);
        return 0;
    case HIT_CARD:
        part = draw_surface_card(r->surface, scene, &scene->card[hit->index], hit->u, hit->v,
                                 pixel_mm(r, hit), out);
        break;
    case HIT_MAT:
        draw_surface_mat(r->surface, scene, hit->point.x, hit->point.y, pixel_mm(r, hit), out);
        break;
    case HIT_TABLE:
        draw_surface_table(&scene->table, hit->point.x, hit->point.y, out);
        break;
    case HIT_NONE:
        out[0] = out[1] = out[2] = 0.02f; /* the room */
        return 0;
    }
    draw_lights_level(r->lights, false, hit->point.x, hit->point.y, light);
    for (int k = 0; k < 3; k++) {
        out[k] *= light[k];
    }
    if (hit->kind != HIT_TABLE) { /* paper has a satin sheen, cards are varnished */
        gloss_add(r, hit, hit->normal, ray, hit->kind == HIT_CARD ? 0.3 : 0.05, 0.35, out);
    }
    return part;
}

/* Does something over the mat cover a seat's rectangle, as the camera sees it? */
static void foreign_count(const struct rendering *r, struct vec ray, double weight)
{
    const struct mat *mat = r->scene->kit.mat;
    struct vec eye = draw_cast_eye(r->cast);
    for (int i = 0; i < mat->seats; i++) {
        const double *rect = mat->seat[i].rect_mm;
        for (int plane = 0; plane < 2; plane++) {
            double z = plane == 0 ? 0.0 : -r->scene->kit.set->height_mm;
            double t = ray.z > 1e-6 ? (z - eye.z) / ray.z : 0.0;
            double x = eye.x + t * ray.x - rect[0], y = eye.y + t * ray.y - rect[1];
            if (x >= 0.0 && y >= 0.0 && x <= rect[2] && y <= rect[3]) {
                r->seen->foreign[i] += weight;
                break;
            }
        }
    }
}

static void seen_count(const struct rendering *r, const struct draw_hit *hit, struct vec ray,
                       double weight)
{
    if (hit->kind == HIT_BLOCK) {
        bool standing = r->scene->block[hit->index].standing;
        if (standing && hit->normal.z < -0.7) {
            r->seen->end[hit->index] += weight;
        } else if (!standing && hit->face == FACE_TOP) {
            r->seen->top[hit->index][hit->u > 0.0] += weight;
        }
    } else if (hit->kind == HIT_CARD) {
        r->seen->card[hit->index] += weight;
    } else if (hit->kind == HIT_PART) {
        foreign_count(r, ray, weight);
    }
}

static uint32_t sample(const struct rendering *r, int column, int row, double dx, double dy,
                       double moment, double weight, float out[3])
{
    struct draw_hit hit = {.kind = HIT_NONE};
    struct vec ray;
    if (!draw_cast_ray(r->cast, column + dx, row + dy, &ray)) {
        out[0] = out[1] = out[2] = 0.0f;
        return 0;
    }
    draw_cast_first(r->cast, column, row, ray, moment, &hit);
    int part = hit_light(r, &hit, ray, out);
    if (weight > 0.0) {
        seen_count(r, &hit, ray, weight);
    }
    return id_of(&hit, part);
}

static bool pixel_edge(const struct rendering *r, int column, int row)
{
    uint32_t own = r->id[row * r->width + column];
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int x = column + dx, y = row + dy;
            if (x >= 0 && y >= 0 && x < r->width && y < r->height &&
                r->id[y * r->width + x] != own) {
                return true;
            }
        }
    }
    return false;
}

/* Rays over the pixel's area, each at its own moment. */
static void pixel_refine(const struct rendering *r, int column, int row, int side)
{
    float *out = r->light + 3 * (row * r->width + column), one[3], sum[3] = {0, 0, 0};
    int count = side * side;
    uint32_t hash = draw_hash((uint32_t)column, (uint32_t)row, (uint32_t)r->scene->seed);
    for (int i = 0; i < count; i++) {
        int across = i % side, down = i / side;
        double dx = (across + 0.5) / side - 0.5, dy = (down + 0.5) / side - 0.5;
        /* The order of moments is mixed, or movement would show as a slant. */
        double moment =
            ((i * 7 + (int)(hash >> 8 & 15)) % count + (hash & 0xFF) / 256.0) / count - 0.5;
        sample(r, column, row, dx, dy, moment, 1.0 / count, one);
        for (int k = 0; k < 3; k++) {
            sum[k] += one[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        out[k] = sum[k] / (float)count;
    }
}

static void render_pixels(const struct rendering *r)
{
    int side = r->scene->optics.samples >= 16  ? 4
               : r->scene->optics.samples >= 9 ? 3
               : r->scene->optics.samples >= 4 ? 2
                                               : 1;
    for (int row = 0; row < r->height; row++) {
        for (int column = 0; column < r->width; column++) {
            int at = row * r->width + column;
            r->id[at] = sample(r, column, row, 0, 0, 0, 0, r->light + 3 * at);
        }
    }
    for (int row = 0; row < r->height; row++) {
        for (int column = 0; column < r->width; column++) {
            float spare[3];
            if (side > 1 && draw_cast_moves(r->cast, column, row)) {
                pixel_refine(r, column, row, side + 1);
            } else if (side > 1 && pixel_edge(r, column, row)) {
                pixel_refine(r, column, row, side);
            } else {
                uint32_t kind = r->id[row * r->width + column] >> 24;
                if (kind == HIT_BLOCK || kind == HIT_PART || kind == HIT_CARD) {
                    sample(r, column, row, 0, 0, 0, 1.0, spare);
                }
            }
        }
    }
}

int draw_render(const struct draw_scene *scene, const struct draw_surface *surface, float *light,
                struct draw_seen *seen)
{
    struct rendering r = {.scene = scene,
                          .surface = surface,
                          .seen = seen,
                          .light = light,
                          .width = scene->camera.width,
                          .height = scene->camera.height};
    int result = -1;
    memset(seen, 0, sizeof *seen);
    size_t pixels = (size_t)r.width * (size_t)r.height;
    r.id = malloc(pixels * sizeof *r.id);
    r.cast = draw_cast_create(scene);
    r.lights = draw_lights_create(scene);
    if (r.id == NULL || r.cast == NULL || r.lights == NULL) {
        goto out;
    }
    render_pixels(&r);
    for (size_t i = 0; i < 3 * pixels; i++) {
        light[i] *= (float)(scene->optics.white / scene->mat_white[1]);
    }
    result = 0;
out:
    draw_lights_destroy(&r.lights);
    draw_cast_destroy(&r.cast);
    free(r.id);
    return result;
}
