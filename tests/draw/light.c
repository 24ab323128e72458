#include "tests/draw/light.h"

#include "tests/draw/footprint.h"

#include <stdlib.h>
#include <string.h>

#define LAYERS 9
#define CELLS_AIM 30000.0 /* of the grid: 2.5 mm on a small mat, 5 on A1 */
#define STEP_MIN_MM 2.0
#define MARGIN_MM 60.0 /* of the grid around the mat; beyond, the edge goes on */

/* What a layer covers, summed from the top left, so that the mean over any box is four reads. */
struct layer {
    double height_mm;
    bool used;
    uint8_t *cover;
    uint32_t *sum; /* (w + 1) x (h + 1) */
};

struct draw_lights {
    const struct draw_scene *scene;
    double left, top, step;
    int w, h;
    struct layer layer[LAYERS];
    float *level[2];  /* light on the mat and on the tops, three to a place */
    float *open[2];   /* 0..1: how far the sky is seen from there */
    float *direct[2]; /* 0..1: how far the lamps are */
};

static void layers_heights(struct draw_lights *lights)
{
    static const double part[LAYERS] = {0.12, 0.35, 0.6, 0.88, 1.3, 1.8, 2.4, 3.1, 4.0};
    for (int i = 0; i < LAYERS; i++) {
        lights->layer[i].height_mm = part[i] * lights->scene->kit.set->height_mm;
    }
}

/* The grid's cells inside low..high, cut to the grid. */
static void cells_range(double low, double high, double origin, double step, int count, int *from,
                        int *to)
{
    *from = (int)draw_clamp(floor((low - origin) / step), 0.0, count);
    *to = (int)draw_clamp(ceil((high - origin) / step) + 1.0, 0.0, count);
}

static void cover_print(struct draw_lights *lights, const struct draw_footprint *print,
                        double bottom, double top)
{
    double reach = hypot(print->half[0], print->half[1]);
    int x0, x1, y0, y1;
    cells_range(print->center[0] - reach, print->center[0] + reach, lights->left, lights->step,
                lights->w, &x0, &x1);
    cells_range(print->center[1] - reach, print->center[1] + reach, lights->top, lights->step,
                lights->h, &y0, &y1);
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            double dx = lights->left + (x + 0.5) * lights->step - print->center[0];
            double dy = lights->top + (y + 0.5) * lights->step - print->center[1];
            /* Part of a cell at the edge, or shadows would jump with the grid. */
            double in[2], cover = 1.0;
            for (int k = 0; k < 2; k++) {
                in[k] = print->half[k] - fabs(dx * print->axis[k][0] + dy * print->axis[k][1]);
                cover *= draw_clamp(0.5 + in[k] / lights->step, 0.0, 1.0);
            }
            for (int i = 0; i < LAYERS && cover > 0.0; i++) {
                struct layer *layer = &lights->layer[i];
                if (layer->height_mm >= bottom && layer->height_mm < top) {
                    uint8_t *at = &layer->cover[y * lights->w + x];
                    double sum = *at + 255.0 * cover;
                    *at = (uint8_t)fmin(sum, 255.0);
                    layer->used = true;
                }
            }
        }
    }
}

static void cover_capsule(struct draw_lights *lights, const struct draw_part *part)
{
    double r = part->radius_mm, dx = part->b[0] - part->a[0], dy = part->b[1] - part->a[1];
    double square = dx * dx + dy * dy;
    int x0, x1, y0, y1;
    cells_range(fmin(part->a[0], part->b[0]) - r, fmax(part->a[0], part->b[0]) + r, lights->left,
                lights->step, lights->w, &x0, &x1);
    cells_range(fmin(part->a[1], part->b[1]) - r, fmax(part->a[1], part->b[1]) + r, lights->top,
                lights->step, lights->h, &y0, &y1);
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            double px = lights->left + (x + 0.5) * lights->step - part->a[0];
            double py = lights->top + (y + 0.5) * lights->step - part->a[1];
            double t = square > 0.0 ? draw_clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0.0;
            if (hypot(px - t * dx, py - t * dy) > r) {
                continue;
            }
            double height = -(part->a[2] + t * (part->b[2] - part->a[2]));
            for (int i = 0; i < LAYERS; i++) {
                /* Into the layers that it passes, at least the nearest one. */
                double next = i + 1 < LAYERS ? lights->layer[i + 1].height_mm : 1e9;
                double before = i > 0 ? lights->layer[i - 1].height_mm : -1e9;
                double at = lights->layer[i].height_mm;
                if (fabs(at - height) < r ||
                    (height >= (before + at) / 2.0 && height < (at + next) / 2.0)) {
                    lights->layer[i].cover[y * lights->w + x] = 255;
                    lights->layer[i].used = true;
                }
            }
        }
    }
}

static void cover_part(struct draw_lights *lights, const struct draw_part *part)
{
    struct draw_footprint print = {.center = {part->a[0], part->a[1]}, .axis = {{1, 0}, {0, 1}}};
    if (part->shape == DRAW_CAPSULE) {
        cover_capsule(lights, part);
    } else if (part->shape == DRAW_CYLINDER) {
        print.half[0] = print.half[1] =
            0.9 * part->radius_mm; /* a square of its size: soft enough */
        cover_print(lights, &print, -part->a[2], part->b[2] - part->a[2]);
    } else if (part->shape == DRAW_WHEEL) {
        print.half[0] = part->b[0];
        print.half[1] = 0.8 * part->radius_mm;
        cover_print(lights, &print, -part->a[2] - part->radius_mm, -part->a[2] + part->radius_mm);
    } else {
        double c = cos(part->turn_deg * DRAW_DEG), s = sin(part->turn_deg * DRAW_DEG);
        print.axis[0][0] = print.axis[1][1] = c;
        print.axis[0][1] = s;
        print.axis[1][0] = -s;
        print.half[0] = part->b[0];
        print.half[1] = part->b[1];
        /* A sheet lies between two layers: it counts for the one under its top. */
        cover_print(lights, &print, -part->a[2] - fmax(part->b[2], 6.0),
                    -part->a[2] + fmax(part->b[2], 6.0));
    }
}

static void layer_sum(struct draw_lights *lights, struct layer *layer)
{
    int w = lights->w + 1;
    for (int y = 0; y < lights->h; y++) {
        uint32_t row = 0;
        for (int x = 0; x < lights->w; x++) {
            row += layer->cover[y * lights->w + x];
            layer->sum[(y + 1) * w + x + 1] = layer->sum[y * w + x + 1] + row;
        }
    }
}

static double sum_at(const struct draw_lights *lights, const struct layer *layer, double x,
                     double y)
{
    int w = lights->w + 1;
    x = draw_clamp(x, 0.0, lights->w - 0.001);
    y = draw_clamp(y, 0.0, lights->h - 0.001);
    int left = (int)x, top = (int)y;
    const uint32_t *at = layer->sum + top * w + left;
    double a = at[0], b = at[1], c = at[w], d = at[w + 1];
    double upper = a + (b - a) * (x - left), lower = c + (d - c) * (x - left);
    return upper + (lower - upper) * (y - top);
}

/* Share of the box of that half size around (x, y) mm that the layer covers. */
static double layer_share(const struct draw_lights *lights, const struct layer *layer, double x,
                          double y, double half)
{
    double gx = (x - lights->left) / lights->step, gy = (y - lights->top) / lights->step;
    double r = fmax(half / lights->step, 0.5);
    if (gx + r < 0.0 || gy + r < 0.0 || gx - r > lights->w || gy - r > lights->h) {
        return 0.0;
    }
    double sum = sum_at(lights, layer, gx + r, gy + r) - sum_at(lights, layer, gx - r, gy + r) -
                 sum_at(lights, layer, gx + r, gy - r) + sum_at(lights, layer, gx - r, gy - r);
    return draw_clamp(sum / (255.0 * 4.0 * r * r), 0.0, 1.0);
}

/* The light of a lamp on a surface at a point that faces it, and the way to it. */
static double lamp_reach(const struct draw_scene *scene, const struct draw_lamp *lamp,
                         struct vec point, struct vec *way)
{
    struct vec middle =
        vec_of(scene->kit.mat->size_mm[0] / 2.0, scene->kit.mat->size_mm[1] / 2.0, 0);
    struct vec place = vec_of(lamp->place_mm[0], lamp->place_mm[1], lamp->place_mm[2]);
    struct vec from_middle = vec_sub(place, middle), from_point = vec_sub(place, point);
    if (!lamp->near) {
        *way = vec_unit(from_middle);
        return 1.0;
    }
    double square = vec_dot(from_point, from_point);
    *way = vec_scale(from_point, 1.0 / sqrt(square));
    return vec_dot(from_middle, from_middle) / square;
}

/* Share of the lamp that a level place sees. */
static double lamp_seen(const struct draw_lights *lights, const struct draw_lamp *lamp,
                        struct vec point, struct vec way)
{
    double distance =
        lamp->near ? vec_length(vec_sub(
                         vec_of(lamp->place_mm[0], lamp->place_mm[1], lamp->place_mm[2]), point))
                   : 1500.0;
    double hidden = 0.0;
    for (int i = 0; i < LAYERS; i++) {
        const struct layer *layer = &lights->layer[i];
        double rise = layer->height_mm + point.z; /* z is negative over the mat */
        if (!layer->used || rise <= 0.0 || way.z > -0.05) {
            continue;
        }
        double along = rise / -way.z,
               blur = lamp->radius_mm / distance * along + 0.4 * lights->step;
        double share =
            layer_share(lights, layer, point.x + way.x * along, point.y + way.y * along, blur);
        hidden = fmax(hidden, share);
    }
    return 1.0 - hidden;
}

/* Share of the sky that a level place sees: each layer hides what it covers of a box about as
 * wide as it is high over the place. */
static double sky_seen(const struct draw_lights *lights, struct vec point)
{
    double hidden = 0.0;
    for (int i = 0; i < LAYERS; i++) {
        const struct layer *layer = &lights->layer[i];
        double rise = layer->height_mm + point.z;
        if (layer->used && rise > 0.0) {
            hidden =
                fmax(hidden, layer_share(lights, layer, point.x, point.y, fmax(1.1 * rise, 3.0)));
        }
    }
    return 1.0 - 0.85 * hidden;
}

static void level_at(struct draw_lights *lights, int x, int y, int tops)
{
    const struct draw_scene *scene = lights->scene;
    struct vec point = vec_of(lights->left + x * lights->step, lights->top + y * lights->step,
                              tops ? -scene->kit.set->height_mm : 0.0);
    int at = y * lights->w + x;
    double open = sky_seen(lights, point), all = 0.0, seen = 0.0, sum[3];
    for (int k = 0; k < 3; k++) {
        sum[k] = scene->light.ambient[k] * open;
    }
    for (int i = 0; i < scene->light.lamps; i++) {
        const struct draw_lamp *lamp = &scene->light.lamp[i];
        struct vec way;
        double reach = lamp_reach(scene, lamp, point, &way) * fmax(-way.z, 0.0);
        double share = lamp_seen(lights, lamp, point, way);
        for (int k = 0; k < 3; k++) {
            sum[k] += (double)lamp->colour[k] * reach * share;
        }
        all += reach * lamp->colour[1];
        seen += reach * lamp->colour[1] * share;
    }
    for (int k = 0; k < 3; k++) {
        lights->level[tops][3 * at + k] = (float)sum[k];
    }
    lights->open[tops][at] = (float)open;
    lights->direct[tops][at] = (float)(all > 0.0 ? seen / all : 1.0);
}

static int lights_allocate(struct draw_lights *lights)
{
    const double *size = lights->scene->kit.mat->size_mm;
    double width = size[0] + 2.0 * MARGIN_MM, height = size[1] + 2.0 * MARGIN_MM;
    lights->step = fmax(sqrt(width * height / CELLS_AIM), STEP_MIN_MM);
    lights->left = lights->top = -MARGIN_MM;
    lights->w = (int)ceil(width / lights->step);
    lights->h = (int)ceil(height / lights->step);
    size_t cells = (size_t)lights->w * (size_t)lights->h;
    for (int i = 0; i < LAYERS; i++) {
        lights->layer[i].cover = calloc(cells, 1);
        lights->layer[i].sum =
            calloc((size_t)(lights->w + 1) * (size_t)(lights->h + 1), sizeof(uint32_t));
        if (lights->layer[i].cover == NULL || lights->layer[i].sum == NULL) {
            return -1;
        }
    }
    for (int i = 0; i < 2; i++) {
        lights->level[i] = malloc(3 * cells * sizeof(float));
        lights->open[i] = malloc(cells * sizeof(float));
        lights->direct[i] = malloc(cells * sizeof(float));
        if (lights->level[i] == NULL || lights->open[i] == NULL || lights->direct[i] == NULL) {
            return -1;
        }
    }
    return 0;
}

struct draw_lights *draw_lights_create(const struct draw_scene *scene)
{
    struct draw_lights *lights = calloc(1, sizeof *lights);
    if (lights == NULL) {
        return NULL;
    }
    lights->scene = scene;
    if (lights_allocate(lights) != 0) {
        draw_lights_destroy(&lights);
        return NULL;
    }
    layers_heights(lights);
    for (int i = 0; i < scene->blocks; i++) {
        struct draw_footprint print = draw_footprint_of(scene->kit.set, &scene->block[i]);
        cover_print(lights, &print, 0.0, draw_block_height(scene->kit.set, &scene->block[i]));
    }
    for (int i = 0; i < scene->parts; i++) {
        cover_part(lights, &scene->part[i]);
    }
    for (int i = 0; i < LAYERS; i++) {
        layer_sum(lights, &lights->layer[i]);
    }
    for (int y = 0; y < lights->h; y++) {
        for (int x = 0; x < lights->w; x++) {
            level_at(lights, x, y, 0);
            level_at(lights, x, y, 1);
        }
    }
    return lights;
}

void draw_lights_destroy(struct draw_lights **lights)
{
    if (lights == NULL || *lights == NULL) {
        return;
    }
    for (int i = 0; i < LAYERS; i++) {
        free((*lights)->layer[i].cover);
        free((*lights)->layer[i].sum);
    }
    for (int i = 0; i < 2; i++) {
        free((*lights)->level[i]);
        free((*lights)->open[i]);
        free((*lights)->direct[i]);
    }
    free(*lights);
    *lights = NULL;
}

/* Place on the grid and the parts between its four neighbours. */
static int grid_place(const struct draw_lights *lights, double x, double y, double *fx, double *fy)
{
    double gx = draw_clamp((x - lights->left) / lights->step, 0.0, lights->w - 1.001);
    double gy = draw_clamp((y - lights->top) / lights->step, 0.0, lights->h - 1.001);
    int left = (int)gx, top = (int)gy;
    *fx = gx - left;
    *fy = gy - top;
    return top * lights->w + left;
}

static double grid_mean(const float *at, int across, int down, double fx, double fy)
{
    double a = at[0], b = at[across], c = at[down], d = at[down + across];
    double upper = a + (b - a) * fx, lower = c + (d - c) * fx;
    return upper + (lower - upper) * fy;
}

void draw_lights_level(const struct draw_lights *lights, bool tops, double x, double y,
                       float out[3])
{
    double fx, fy;
    const float *at = lights->level[tops] + 3 * grid_place(lights, x, y, &fx, &fy);
    for (int k = 0; k < 3; k++) {
        out[k] = (float)grid_mean(at + k, 3, 3 * lights->w, fx, fy);
    }
}

/* How much of sky and lamps a surface sees, by what the places on the mat and on the tops' plane
 * in front of it see. */
static void any_seen(const struct draw_lights *lights, int at, double fx, double fy, double high,
                     double up, bool foreign, double *open, double *direct)
{
    double seen[2][2];
    for (int i = 0; i < 2; i++) {
        seen[i][0] = grid_mean(lights->open[i] + at, 1, lights->w, fx, fy);
        seen[i][1] = grid_mean(lights->direct[i] + at, 1, lights->w, fx, fy);
    }
    *open = seen[0][0] + (seen[1][0] - seen[0][0]) * high;
    *direct = seen[0][1] + (seen[1][1] - seen[0][1]) * high;
    if (foreign) { /* a hand is itself what hides the places under it */
        double own = fmax(0.8 * high, up);
        *open = seen[0][0] + (1.0 - seen[0][0]) * own;
        *direct = seen[0][1] + (1.0 - seen[0][1]) * own;
    }
}

void draw_lights_any(const struct draw_lights *lights, struct vec point, struct vec normal,
                     bool foreign, float out[3])
{
    const struct draw_scene *scene = lights->scene;
    double fx, fy, open = 0.0, direct = 0.0, high = -point.z / scene->kit.set->height_mm;
    int at = grid_place(lights, point.x + 5.0 * normal.x, point.y + 5.0 * normal.y, &fx, &fy);
    /* over the tops' plane, where a standing block is, nothing is known beforehand: on that plane a
     * place under its end lies in the block */
    bool over = high > 1.01 && !foreign;
    struct vec before = vec_add(point, vec_scale(normal, 2.0));
    if (over)
        open = sky_seen(lights, before);
    else
        any_seen(lights, at, fx, fy, fmin(high, 1.0), fmax(-normal.z, 0.0), foreign, &open,
                 &direct);
    double sky = (1.0 - normal.z) / 2.0, ground = 0.45 * (1.0 + normal.z) / 2.0;
    for (int k = 0; k < 3; k++) {
        double back = grid_mean(lights->level[0] + 3 * at + k, 3, 3 * lights->w, fx, fy);
        out[k] = (float)(scene->light.ambient[k] * sky * open + ground * back * open);
    }
    for (int i = 0; i < scene->light.lamps; i++) {
        const struct draw_lamp *lamp = &scene->light.lamp[i];
        struct vec way;
        double reach = lamp_reach(scene, lamp, point, &way);
        double facing = fmax(vec_dot(way, normal), 0.0);
        if (over)
            direct = facing > 0.0 ? lamp_seen(lights, lamp, before, way) : 0.0;
        for (int k = 0; k < 3; k++) {
            out[k] += (float)((double)lamp->colour[k] * reach * facing * direct);
        }
    }
}

void draw_lights_gloss(const struct draw_lights *lights, struct vec point, struct vec normal,
                       struct vec ray, double gloss, float out[3])
{
    const struct draw_scene *scene = lights->scene;
    double sharp = 20.0 * pow(500.0, gloss); /* exponent of the lobe: 20 satin .. 10000 mirror */
    out[0] = out[1] = out[2] = 0.0f;
    for (int i = 0; i < scene->light.lamps; i++) {
        const struct draw_lamp *lamp = &scene->light.lamp[i];
        struct vec way;
        double reach = lamp_reach(scene, lamp, point, &way), facing = vec_dot(way, normal);
        if (facing <= 0.0) {
            continue;
        }
        struct vec half = vec_unit(vec_sub(way, ray));
        double distance =
            lamp->near
                ? vec_length(vec_sub(
                      vec_of(lamp->place_mm[0], lamp->place_mm[1], lamp->place_mm[2]), point))
                : 1500.0;
        double size = lamp->radius_mm / distance;
        /* A lamp is no point: its image is as wide as itself. */
        double exponent = 1.0 / (1.0 / sharp + size * size / 8.0);
        double off = exponent * (1.0 - vec_dot(half, normal));
        if (off > 14.0) {
            continue;
        }
        double grazing = 1.0 - draw_clamp(-vec_dot(ray, half), 0.0, 1.0);
        double mirror = 0.04 + 0.96 * grazing * grazing * grazing * grazing * grazing;
        double strength =
            mirror * (exponent + 2.0) / 8.0 * exp(-off) * reach * fmin(facing * 4.0, 1.0);
        for (int k = 0; k < 3; k++) {
            out[k] += (float)(strength * lamp->colour[k]);
        }
    }
}
