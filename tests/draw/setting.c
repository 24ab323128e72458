/* The room: table, lamps and what the camera makes of them. */
#include "tests/draw/scene.h"
#include "tests/draw/vec.h"

#include "calib/symbol.h"

#include <string.h>

static double draw_from(struct draw_random *random, const double pair[2])
{
    return draw_random_range(random, pair[0], pair[1]);
}

/* Light of a black body at the three wavelengths in nm that stand for the camera's colours, with
 * green 1 and daylight of 6500 K white. The exponent makes up for a camera's filters being wider
 * than single lines but its colours being stretched afterwards: with it 2700 K comes out as red
 * as lamps of that kind do in photographs. */
static void kelvin_colour(double kelvin, double colour[3])
{
    static const double nm[3] = {620.0, 540.0, 440.0};
    double light[3];
    for (int i = 0; i < 3; i++) {
        double shorter = 1.4388e7 / nm[i]; /* second radiation constant, nm K */
        light[i] = (exp(shorter / 6500.0) - 1.0) / (exp(shorter / kelvin) - 1.0);
    }
    for (int i = 0; i < 3; i++) {
        colour[i] = pow(light[i] / light[1], 1.2);
    }
}

static double mired_mean(const double *kelvin, const double *share, int count)
{
    double mired = 0.0, total = 0.0;
    for (int i = 0; i < count; i++) {
        mired += share[i] * 1e6 / kelvin[i];
        total += share[i];
    }
    return 1e6 * total / mired;
}

static void colour_of(float out[3], int r, int g, int b)
{
    out[0] = (float)calib_srgb_to_linear((unsigned char)r);
    out[1] = (float)calib_srgb_to_linear((unsigned char)g);
    out[2] = (float)calib_srgb_to_linear((unsigned char)b);
}

static void table_choose(struct draw_scene *scene, struct draw_random *random)
{
    static const unsigned char look[][8] = {
        /* kind, two colours, size of the pattern */
        {DRAW_TABLE_WOOD, 188, 142, 92, 118, 76, 40, 120},
        {DRAW_TABLE_WOOD, 118, 78, 50, 60, 36, 22, 110},
        {DRAW_TABLE_WOOD, 222, 196, 158, 186, 150, 104, 150},
        {DRAW_TABLE_PLAIN, 228, 226, 220, 220, 218, 212, 60},
        {DRAW_TABLE_PLAIN, 42, 40, 42, 48, 46, 48, 60},
        {DRAW_TABLE_CLOTH, 44, 108, 60, 34, 88, 50, 3},
        {DRAW_TABLE_CLOTH, 128, 130, 134, 100, 102, 108, 3},
        {DRAW_TABLE_CLOTH, 150, 30, 36, 120, 20, 28, 3},
        {DRAW_TABLE_CHECK, 200, 40, 44, 240, 238, 232, 25},
        {DRAW_TABLE_CHECK, 40, 80, 150, 236, 236, 232, 35},
        {DRAW_TABLE_STONE, 150, 146, 140, 90, 88, 86, 30},
        {DRAW_TABLE_STONE, 214, 210, 204, 160, 150, 140, 60},
        {DRAW_TABLE_PLAIN, 235, 120, 40, 228, 112, 36, 80},
        {DRAW_TABLE_CLOTH, 30, 52, 110, 24, 40, 90, 3},
    };
    const unsigned char *chosen =
        look[draw_random_below(random, (int)(sizeof look / sizeof *look))];
    scene->table.kind = (enum draw_table_kind)chosen[0];
    colour_of(scene->table.colour[0], chosen[1], chosen[2], chosen[3]);
    colour_of(scene->table.colour[1], chosen[4], chosen[5], chosen[6]);
    scene->table.size_mm = chosen[7] * draw_random_range(random, 0.7, 1.4);
    scene->table.seed = (uint32_t)draw_random_bits(random);
    double shade = draw_random_range(random, 0.82, 0.92),
           warm = draw_random_range(random, -0.02, 0.04);
    double worn = draw_random_range(random, 0.80, 0.92),
           aged = draw_random_range(random, -0.01, 0.04);
    const double tint[3] = {0.3, 0.0, -1.0};
    for (int i = 0; i < 3; i++) {
        scene->mat_white[i] = shade * (1.0 + warm * tint[i]);
        scene->block_white[i] = worn * (1.0 + aged * tint[i]);
    }
    scene->end_grey = draw_random_range(random, 0.15, 0.3);
    scene->bevel_mm = draw_random_range(random, 0.02, 0.055) * scene->kit.set->width_mm;
}

/* A lamp in a direction seen from the mat's middle. */
static void lamp_place(const struct draw_scene *scene, struct draw_lamp *lamp, double azimuth_deg,
                       double height_deg, double distance_mm)
{
    double flat = distance_mm * cos(height_deg * DRAW_DEG);
    lamp->place_mm[0] = scene->kit.mat->size_mm[0] / 2.0 + flat * cos(azimuth_deg * DRAW_DEG);
    lamp->place_mm[1] = scene->kit.mat->size_mm[1] / 2.0 + flat * sin(azimuth_deg * DRAW_DEG);
    lamp->place_mm[2] = -distance_mm * sin(height_deg * DRAW_DEG);
}

/* A lamp that the camera sees mirrored in the tops: of a block, or somewhere in a seat. */
static void lamp_mirror(const struct draw_scene *scene, struct draw_lamp *lamp,
                        struct draw_random *random)
{
    const struct mat *mat = scene->kit.mat;
    const double *rect = mat->seat[draw_random_below(random, mat->seats)].rect_mm;
    double eye[3], spot[2], height = draw_random_range(random, 500.0, 1500.0);
    calib_pose_center(&scene->pose, eye);
    double top = -scene->kit.set->height_mm;
    int block = draw_random_below(random, scene->blocks);
    for (int k = 0; k < 2; k++) {
        spot[k] = rect[k] + rect[k + 2] * draw_random_range(random, 0.2, 0.8);
        if (scene->blocks > 0) {
            double reach = scene->kit.set->width_mm;
            spot[k] =
                scene->block[block].center_mm[k] + reach * draw_random_range(random, -1.0, 1.0);
        }
        lamp->place_mm[k] = spot[k] + (spot[k] - eye[k]) * height / (top - eye[2]);
    }
    lamp->place_mm[2] = top - height;
}

static void lamp_choose(struct draw_scene *scene, struct draw_lamp *lamp, bool mirrored,
                        struct draw_random *random)
{
    lamp->near = draw_random_chance(random, 0.75);
    if (mirrored) {
        lamp_mirror(scene, lamp, random);
        lamp->radius_mm = draw_random_range(random, 20.0, 110.0);
        return;
    }
    bool window = draw_random_chance(random, 0.5);
    lamp_place(scene, lamp, draw_random_range(random, 0.0, 360.0),
               window ? draw_random_range(random, 25.0, 55.0)
                      : draw_random_range(random, 50.0, 88.0),
               window ? draw_random_range(random, 1200.0, 2200.0)
                      : draw_random_range(random, 700.0, 1700.0));
    lamp->radius_mm =
        window ? draw_random_range(random, 300.0, 600.0) : draw_random_range(random, 30.0, 120.0);
}

/* Makes the light on the mat's middle 1 in green and gives the camera its idea of the white. */
static void light_balance(struct draw_scene *scene, double kelvin, double error,
                          struct draw_random *random)
{
    struct draw_light *light = &scene->light;
    double total = light->ambient[1], seen[3];
    for (int i = 0; i < light->lamps; i++) {
        const double *at = light->lamp[i].place_mm;
        double dx = at[0] - scene->kit.mat->size_mm[0] / 2.0;
        double dy = at[1] - scene->kit.mat->size_mm[1] / 2.0;
        total += light->lamp[i].colour[1] * -at[2] / sqrt(dx * dx + dy * dy + at[2] * at[2]);
    }
    for (int k = 0; k < 3; k++) {
        light->ambient[k] = (float)(light->ambient[k] / total);
        for (int i = 0; i < light->lamps; i++) {
            light->lamp[i].colour[k] = (float)(light->lamp[i].colour[k] / total);
        }
    }
    kelvin_colour(draw_clamp(kelvin * exp2(error), 2300.0, 12000.0), seen);
    for (int k = 0; k < 3; k++) {
        double slip = k == 1 || error == 0.0 ? 0.0 : 0.03 * draw_random_normal(random);
        scene->optics.balance[k] = (1.0 + draw_clamp(slip, -0.1, 0.1)) / seen[k];
    }
}

static void light_choose(struct draw_scene *scene, const struct draw_range *range,
                         struct draw_random *random)
{
    struct draw_light *light = &scene->light;
    double kelvin[DRAW_LAMPS_MAX + 1] = {0}, share[DRAW_LAMPS_MAX + 1] = {0}, colour[3];
    double ambient = draw_from(random, range->ambient);
    int lamps = 1 + draw_random_pick(random, (const double[3]){5, 3, 1}, 3);
    bool glare = draw_random_chance(random, range->glare);
    light->lamps = lamps + (glare ? 1 + draw_random_below(random, 2) : 0);
    for (int i = 0; i < light->lamps; i++) {
        struct draw_lamp *lamp = &light->lamp[i];
        lamp_choose(scene, lamp, i >= lamps, random);
        kelvin[i] = draw_from(random, range->kelvin);
        share[i] = (1.0 - ambient) / lamps * draw_random_range(random, 0.4, 1.0);
        kelvin_colour(kelvin[i], colour);
        for (int k = 0; k < 3; k++) {
            lamp->colour[k] = (float)(share[i] * colour[k]);
        }
    }
    /* Walls send back what the first lamp gives, or it is the sky. */
    kelvin[light->lamps] =
        draw_random_chance(random, 0.5) ? kelvin[0] : draw_from(random, range->kelvin);
    share[light->lamps] = ambient;
    kelvin_colour(kelvin[light->lamps], colour);
    for (int k = 0; k < 3; k++) {
        light->ambient[k] = (float)(ambient * colour[k]);
    }
    light_balance(scene, mired_mean(kelvin, share, light->lamps + 1),
                  draw_from(random, range->balance_error), random);
}

void draw_scene_light(struct draw_scene *scene, const struct draw_range *range,
                      struct draw_random *random)
{
    struct draw_optics *optics = &scene->optics;
    memset(&scene->light, 0, sizeof scene->light);
    memset(optics, 0, sizeof *optics);
    table_choose(scene, random);
    light_choose(scene, range, random);
    /* Exposures in equal steps of stops: dark rooms are as common as burning ones. */
    optics->white = exp2(draw_random_range(random, log2(range->white[0]), log2(range->white[1])));
    optics->vignette = draw_from(random, range->vignette);
    optics->blur_px = draw_from(random, range->blur_px);
    optics->defocus_px = draw_from(random, range->defocus_px);
    optics->shake_px = draw_from(random, range->shake_px) * draw_random_range(random, 0.0, 1.0);
    optics->shake_deg = draw_random_range(random, 0.0, 180.0);
    optics->aberration = range->blur_px[1] > 0.0 ? draw_random_range(random, 0.0, 0.0008) : 0.0;
    optics->bloom = draw_from(random, range->bloom);
    optics->veil = draw_from(random, range->veil);
    optics->noise = draw_from(random, range->noise);
    optics->shoulder = range->contrast[1] > 0.0 ? draw_random_range(random, 0.6, 1.0) : 1.0;
    optics->contrast = draw_from(random, range->contrast);
    optics->saturation = draw_from(random, range->saturation);
    optics->sharpen = draw_from(random, range->sharpen);
    optics->quality =
        range->quality[0] + draw_random_below(random, range->quality[1] - range->quality[0] + 1);
    optics->cx_shift = 1;
    optics->cy_shift = draw_random_chance(random, range->half_chroma) ? 1 : 0;
    optics->samples = range->samples;
}
