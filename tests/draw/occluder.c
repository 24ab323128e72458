/* What does not belong on the table: hands with their sleeves, and things. */
#include "tests/draw/scene.h"
#include "tests/draw/vec.h"

#include "calib/symbol.h"

#include <string.h>

/* Where a thing's own frame stands: x to the right of its reach, y along it, z up. */
struct thing_frame {
    struct draw_scene *scene;
    enum draw_thing thing;
    int seat;
    double origin[3], along[2], across[2];
    double pitch; /* rise along y */
    double size;
    double motion[2];
};

static void frame_point(const struct thing_frame *f, double x, double y, double z, double out[3])
{
    for (int k = 0; k < 2; k++) {
        out[k] = f->origin[k] + f->size * (f->across[k] * x + f->along[k] * y);
    }
    /* Never under the mat. */
    out[2] = fmin(f->origin[2] - f->size * (z + f->pitch * y), -3.0);
}

static struct draw_part *part_add(struct draw_scene *scene, enum draw_thing thing, int seat)
{
    if (scene->parts >= DRAW_PARTS_MAX) {
        return NULL;
    }
    struct draw_part *part = &scene->part[scene->parts++];
    memset(part, 0, sizeof *part);
    part->thing = thing;
    part->seat = seat;
    return part;
}

struct skin {
    float colour[3];
    double mottle, gloss;
};

/* A capsule between two places of the frame. */
static void frame_capsule(const struct thing_frame *f, const double a[3], const double b[3],
                          double radius, const struct skin *skin)
{
    struct draw_part *part = part_add(f->scene, f->thing, f->seat);
    if (part == NULL) {
        return;
    }
    part->shape = DRAW_CAPSULE;
    frame_point(f, a[0], a[1], a[2], part->a);
    frame_point(f, b[0], b[1], b[2], part->b);
    part->radius_mm = radius * f->size;
    memcpy(part->colour, skin->colour, sizeof part->colour);
    part->mottle = skin->mottle;
    part->gloss = skin->gloss;
    memcpy(part->motion_mm, f->motion, sizeof part->motion_mm);
}

/* A finger from its knuckle: three bones that bend down one after the other. */
static void hand_finger(const struct thing_frame *f, const double knuckle[3], double yaw_deg,
                        const double bone[3], double radius, double curl_deg,
                        const struct skin *skin, const struct skin *nail)
{
    double at[3] = {knuckle[0], knuckle[1], knuckle[2]}, bend = 0.3 * curl_deg;
    for (int i = 0; i < 3; i++) {
        double c = cos(bend * DRAW_DEG), s = sin(bend * DRAW_DEG);
        double to[3] = {at[0] + bone[i] * c * sin(yaw_deg * DRAW_DEG),
                        at[1] + bone[i] * c * cos(yaw_deg * DRAW_DEG), at[2] - bone[i] * s};
        frame_capsule(f, at, to, radius * (1.0 - 0.1 * i), skin);
        if (i == 2 && bend < 75.0) {
            double top[3] = {to[0], to[1], to[2] + 0.55 * radius};
            double root[3] = {0.6 * to[0] + 0.4 * at[0], 0.6 * to[1] + 0.4 * at[1],
                              0.6 * to[2] + 0.4 * at[2] + 0.55 * radius};
            frame_capsule(f, root, top, radius * 0.42, nail);
        }
        memcpy(at, to, sizeof at);
        bend += curl_deg;
    }
}

static void hand_arm(const struct thing_frame *f, bool bare, const struct skin *skin,
                     const struct skin *cloth)
{
    frame_capsule(f, (const double[3]){-13, -5, 0}, (const double[3]){-15, -150, 4}, 20, skin);
    frame_capsule(f, (const double[3]){13, -5, 0}, (const double[3]){15, -150, 4}, 20, skin);
    if (bare) {
        frame_capsule(f, (const double[3]){0, -140, 4}, (const double[3]){0, -520, 12}, 38, skin);
        return;
    }
    for (int i = 0; i < 6; i++) { /* folds */
        double y = -75.0 - 18.0 * i;
        frame_capsule(f, (const double[3]){-13, y, 2}, (const double[3]){13, y, 2},
                      28.0 + 2.0 * (i % 2), cloth);
    }
    frame_capsule(f, (const double[3]){0, -150, 4}, (const double[3]){0, -560, 12}, 46, cloth);
}

static void hand_build(const struct thing_frame *f, bool left, double curl_deg, bool point,
                       bool bare, const struct skin *skin, const struct skin *nail,
                       const struct skin *cloth)
{
    static const double knuckle[4][3] = {{-29, 86, 0}, {-9, 92, 2}, {11, 89, 1}, {30, 79, -3}};
    static const double bone[4][3] = {{42, 25, 20}, {47, 29, 21}, {44, 27, 21}, {34, 20, 18}};
    static const double radius[4] = {9.2, 9.6, 9.0, 7.9};
    static const double yaw[4] = {-8, -2, 5, 13};
    double side = left ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) {
        double at[3] = {side * knuckle[i][0], knuckle[i][1], knuckle[i][2]};
        double root[3] = {side * (-20.0 + 13.0 * i), 6, 0};
        frame_capsule(f, root, at, 13.0, skin);
        hand_finger(f, at, side * yaw[i], bone[i], radius[i], point && i > 0 ? 60.0 : curl_deg,
                    skin, nail);
    }
    const double base[3] = {side * -22, 12, -4}, ball[3] = {side * -34, 40, -8};
    const double thumb[3] = {38, 30, 0.1};
    frame_capsule(f, base, ball, 15.0, skin);
    hand_finger(f, ball, side * -38.0, thumb, 11.0, 8.0, skin, nail);
    hand_arm(f, bare, skin, cloth);
}

static void colour_mix(float out[3], const double *a, const double *b, double t)
{
    for (int k = 0; k < 3; k++) {
        out[k] = (float)(a[k] + (b[k] - a[k]) * t);
    }
}

/* From the palest to the darkest skin, linear reflectance; now and then a glove. */
static void skin_choose(struct draw_random *random, struct skin *skin, struct skin *nail)
{
    static const double tone[6][3] = {{.80, .58, .48}, {.66, .42, .30}, {.50, .29, .19},
                                      {.32, .17, .10}, {.16, .08, .05}, {.06, .035, .027}};
    double at = draw_random_range(random, 0.0, 4.999);
    colour_mix(skin->colour, tone[(int)at], tone[(int)at + 1], at - (int)at);
    skin->mottle = 0.12;
    skin->gloss = 0.25;
    *nail = *skin;
    for (int k = 0; k < 3; k++) {
        static const double pale[3] = {.34, .24, .21};
        nail->colour[k] = (float)(0.6 * skin->colour[k] + pale[k]);
    }
    nail->gloss = 0.6;
    if (draw_random_chance(random, 0.05)) {
        for (int k = 0; k < 3; k++) {
            skin->colour[k] = (float)draw_random_range(random, 0.03, 0.8);
        }
        *nail = *skin;
    }
}

/* White, black and grey, which no hue tells from mat and tags, and any colour, the symbols'
 * among them. */
static void cloth_choose(struct draw_random *random, struct skin *cloth)
{
    double grey = draw_random_range(random, 0.02, 0.85);
    switch (draw_random_below(random, 4)) {
    case 0:
        cloth->colour[0] = cloth->colour[1] = cloth->colour[2] = (float)grey;
        break;
    case 1:
        cloth->colour[0] = cloth->colour[1] = cloth->colour[2] =
            draw_random_chance(random, 0.5) ? 0.88f : 0.015f;
        break;
    default:
        for (int k = 0; k < 3; k++) {
            double v = draw_random_range(random, 0.0, 1.0);
            cloth->colour[k] = (float)(0.02 + 0.7 * v * v);
        }
    }
    cloth->mottle = draw_random_range(random, 0.05, 0.3);
    cloth->gloss = 0.0;
}

static void thing_hand(struct thing_frame *f, struct draw_random *random)
{
    struct skin skin, nail, cloth;
    skin_choose(random, &skin, &nail);
    cloth_choose(random, &cloth);
    bool left = draw_random_chance(random, 0.5), point = draw_random_chance(random, 0.2);
    bool bare = draw_random_chance(random, 0.25);
    double curl = draw_random_pick(random, (const double[2]){1, 1}, 2) == 0
                      ? draw_random_range(random, 2.0, 12.0)
                      : draw_random_range(random, 15.0, 40.0);
    f->size = draw_random_range(random, 0.72, 1.08);  /* children play too */
    f->pitch = draw_random_range(random, -0.15, 0.0); /* the arm comes down to the table */
    if (draw_random_chance(random, 0.4)) {
        for (int k = 0; k < 2; k++) {
            f->motion[k] = draw_random_range(random, -6.0, 6.0);
        }
    }
    hand_build(f, left, point ? 4.0 : curl, point, bare, &skin, &nail, &cloth);
}

static void thing_cup(struct thing_frame *f, struct draw_random *random)
{
    struct skin china;
    cloth_choose(random, &china);
    china.mottle = 0.0;
    china.gloss = 0.8;
    double radius = draw_random_range(random, 33.0, 45.0),
           height = draw_random_range(random, 70.0, 110.0);
    for (int i = 0; i < 2; i++) {
        struct draw_part *part = part_add(f->scene, f->thing, f->seat);
        if (part == NULL) {
            return;
        }
        part->shape = DRAW_CYLINDER;
        part->a[0] = f->origin[0];
        part->a[1] = f->origin[1];
        part->a[2] = f->origin[2];
        part->b[2] = i == 0 ? height : height + 0.5; /* what is in it, nearly up to the brim */
        part->radius_mm = i == 0 ? radius : radius - 4.0;
        memcpy(part->colour, china.colour, sizeof part->colour);
        part->gloss = 0.8;
        if (i == 1) {
            const float coffee[3] = {0.05f, 0.02f, 0.01f};
            memcpy(part->colour, coffee, sizeof coffee);
        }
    }
    for (int i = 0; i < 3; i++) {
        double low = height * (0.3 + 0.2 * i);
        frame_capsule(f, (const double[3]){radius, 0, low},
                      (const double[3]){radius + 22.0, 0, low}, 5.0, &china);
    }
}

/* A box lying at a height over the mat. */
static void thing_box(const struct thing_frame *f, const double size[3], double height,
                      double radius, const struct skin *skin)
{
    struct draw_part *part = part_add(f->scene, f->thing, f->seat);
    if (part == NULL) {
        return;
    }
    part->shape = DRAW_BOX;
    part->a[0] = f->origin[0];
    part->a[1] = f->origin[1];
    part->a[2] = -height - size[2] / 2.0;
    for (int k = 0; k < 3; k++) {
        part->b[k] = size[k] / 2.0;
    }
    part->radius_mm = fmin(radius, part->b[2] * 0.9);
    part->turn_deg = atan2(f->along[1], f->along[0]) / DRAW_DEG;
    memcpy(part->colour, skin->colour, sizeof part->colour);
    part->mottle = skin->mottle;
    part->gloss = skin->gloss;
}

static void thing_other(struct thing_frame *f, double rest, struct draw_random *random)
{
    struct skin skin;
    cloth_choose(random, &skin);
    skin.mottle = 0.0;
    skin.gloss = 0.6;
    if (f->thing == DRAW_THING_PEN) {
        f->origin[2] = -rest - 5.0;
        frame_capsule(f, (const double[3]){0, -65, 0}, (const double[3]){0, 65, 0}, 4.5, &skin);
    } else if (f->thing == DRAW_THING_PHONE) {
        const struct skin dark = {{0.02f, 0.02f, 0.022f}, 0.0, 1.0};
        thing_box(f, (const double[3]){152, 74, 8}, rest, 3.0, &dark);
    } else if (f->thing == DRAW_THING_PAPER) {
        const struct skin sheet = {{0.86f, 0.86f, 0.84f}, 0.02, 0.05};
        thing_box(f,
                  (const double[3]){draw_random_range(random, 80, 210),
                                    draw_random_range(random, 60, 148), 0.4},
                  rest, 0.1, &sheet);
    } else {
        double side = draw_random_range(random, 15.0, 45.0);
        skin.gloss = 0.4;
        thing_box(f, (const double[3]){side * draw_random_range(random, 1.0, 2.2), side, side},
                  rest, 1.0, &skin);
    }
}

/* The middle of what a seat's blocks cover, or of the seat. */
static void seat_middle(const struct draw_scene *scene, int seat, double middle[2])
{
    const double *rect = scene->kit.mat->seat[seat].rect_mm;
    double sum[2] = {0.0, 0.0};
    int count = 0;
    for (int i = 0; i < scene->blocks; i++) {
        if (scene->block[i].seat == seat) {
            sum[0] += scene->block[i].center_mm[0];
            sum[1] += scene->block[i].center_mm[1];
            count++;
        }
    }
    for (int k = 0; k < 2; k++) {
        middle[k] = count > 0 ? sum[k] / count : rect[k] + rect[k + 2] / 2.0;
    }
}

void draw_scene_thing(struct draw_scene *scene, int seat, enum draw_thing thing, bool over,
                      struct draw_random *random)
{
    const struct mat_seat *place = &scene->kit.mat->seat[seat];
    struct thing_frame f = {.scene = scene, .thing = thing, .seat = seat, .size = 1.0};
    double height = scene->kit.set->height_mm, middle[2];
    bool hand = thing == DRAW_THING_HAND;
    /* A hand reaches in from the player's side; other things lie as they fall. */
    double way =
        atan2(place->up[1], place->up[0]) / DRAW_DEG +
        (hand ? draw_random_range(random, -35.0, 35.0) : draw_random_range(random, 0.0, 360.0));
    f.along[0] = cos(way * DRAW_DEG);
    f.along[1] = sin(way * DRAW_DEG);
    f.across[0] = -f.along[1];
    f.across[1] = f.along[0];
    seat_middle(scene, seat, middle);
    /* The wrist stands back from what the fingers reach: over the blocks, or short of them. */
    double back = !hand  ? 0.0
                  : over ? draw_random_range(random, 40.0, 190.0)
                         : draw_random_range(random, 230.0, 330.0);
    double aside =
        over ? draw_random_range(random, -60.0, 60.0) : draw_random_range(random, 90.0, 150.0);
    if (draw_random_chance(random, 0.5)) {
        aside = -aside;
    }
    for (int k = 0; k < 2; k++) {
        f.origin[k] = middle[k] - back * f.along[k] + aside * f.across[k];
    }
    f.origin[2] = -(height + draw_random_range(random, 14.0, 60.0));
    if (hand) {
        thing_hand(&f, random);
    } else if (thing == DRAW_THING_CUP) {
        f.origin[2] = over ? -height : 0.0;
        thing_cup(&f, random);
    } else if (thing != DRAW_THING_NONE) {
        thing_other(&f, over ? height : 0.0, random);
    }
}
