#include "tests/draw/ramp.h"

#include "calib/symbol.h"
#include "tests/draw/cast.h"

#include <stdio.h>
#include <string.h>

enum { TOPIC_RAMP_VIEW = 201, TOPIC_RAMP_DISCS, TOPIC_RAMP_LIGHT, TOPIC_RAMP_THING };

struct draw_ramp_range draw_ramp_range_usual(void)
{
    struct draw_ramp_range range = {
        .scene = draw_range_usual(),
        .kind = {[DRAW_RAMP_SETTLED] = 80,
                 [DRAW_RAMP_ROLLING] = 6,
                 [DRAW_RAMP_BETWEEN] = 6,
                 [DRAW_RAMP_MOVING] = 5,
                 [DRAW_RAMP_AFLOAT] = 3},
        .rim = 0.35,
        .foreign = 0.15,
        .from_above = 0.5,
        .shade = {0.9, 1.05},
        .jitter_mm = 0.6,
        .other_board = 0.2,
    };
    range.scene.cell_px[0] = 26;
    range.scene.cell_px[1] = 60;
    range.scene.tilt_deg[1] = 28;
    return range;
}

struct draw_ramp_range draw_ramp_range_hard(void)
{
    struct draw_ramp_range range = draw_ramp_range_usual();
    range.scene = draw_range_hard();
    range.scene.cell_px[0] = 20;
    range.scene.cell_px[1] = 50;
    range.scene.tilt_deg[1] = 38;
    range.foreign = 0.3;
    range.jitter_mm = 1.0;
    range.other_board = 0.4;
    return range;
}

void draw_ramp_mat(const struct ramp *ramp, struct mat *mat)
{
    double reach = ramp->disc_diameter_mm / 2;
    memset(mat, 0, sizeof *mat);
    snprintf(mat->name, sizeof mat->name, "%s", ramp->name);
    memcpy(mat->size_mm, ramp->board_mm, sizeof mat->size_mm);
    mat->tags = ramp->tags;
    memcpy(mat->tag, ramp->tag, sizeof mat->tag);
    mat->seats = 1;
    mat->seat[0] = (struct mat_seat){
        .seat = 1,
        .rect_mm = {ramp->track_x_mm[0] - reach, ramp->row_y_mm[ramp->rows - 1] - reach,
                    ramp->track_x_mm[ramp->tracks - 1] - ramp->track_x_mm[0] + 2 * reach,
                    ramp->row_y_mm[0] - ramp->row_y_mm[ramp->rows - 1] + 2 * reach},
        .up = {0, -1},
    };
}

/* --- The board --------------------------------------------------------------------------------- */

static void board_choose(const struct ramp *ramp, double other, struct draw_random *random,
                         struct draw_board *board)
{
    static const unsigned char look[][9] = {
        /* wood, wall, floor */
        {214, 176, 124, 150, 112, 70, 172, 132, 86}, {196, 154, 100, 128, 92, 56, 160, 120, 76},
        {226, 196, 150, 168, 130, 88, 196, 158, 110}, {118, 80, 52, 66, 42, 28, 92, 62, 40},
        {150, 150, 150, 84, 84, 86, 118, 118, 120},  {60, 62, 66, 30, 30, 32, 84, 86, 90},
        {238, 236, 230, 90, 90, 92, 140, 140, 142}};
    int light = 3, count = (int)(sizeof look / sizeof *look);
    int at = draw_random_chance(random, other) ? draw_random_below(random, count)
                                               : draw_random_below(random, light);
    float *const part[3] = {board->wood, board->wall, board->floor};
    memset(board, 0, sizeof *board);
    for (int i = 0; i < 9; i++) {
        part[i / 3][i % 3] = (float)calib_srgb_to_linear(look[at][i]);
    }
    board->tracks = ramp->tracks;
    memcpy(board->track_mm, ramp->track_x_mm, sizeof board->track_mm);
    double pitch = ramp->rows > 1 ? ramp->row_y_mm[0] - ramp->row_y_mm[1] : 40;
    board->top_mm = fmax(0, ramp->row_y_mm[ramp->rows - 1] - 2.8 * pitch);
    board->bottom_mm = ramp->row_y_mm[0] + ramp->disc_diameter_mm / 2 + 2;
    board->half_mm = ramp->disc_diameter_mm / 2 + 1;
    board->floor_half_mm = board->half_mm - draw_random_range(random, 2.0, 4.0);
    board->grain = draw_random_range(random, 0.05, 0.35);
    board->seed = (uint32_t)draw_random_bits(random);
}

/* --- Discs ------------------------------------------------------------------------------------- */

static void disc_add(struct draw_ramp *out, struct draw_scene *scene,
                     const struct draw_ramp_range *range, int row, int track, double y, int colour,
                     struct draw_random *random)
{
    const struct ramp *ramp = out->ramp;
    struct draw_part *part = &scene->part[scene->parts];
    struct draw_ramp_disc *disc = &out->disc[out->discs++];
    const struct rgb8 *rgb = &ramp->colour[colour].rgb;
    bool face = out->seen == RAMP_SEEN_FACE;
    double thick = ramp->disc_thickness_mm, radius = ramp->disc_diameter_mm / 2;
    double shade = draw_random_range(random, range->shade[0], range->shade[1]);
    memset(part, 0, sizeof *part);
    *disc = (struct draw_ramp_disc){.row = row, .track = track, .colour = colour,
                                    .part = scene->parts++};
    disc->center_mm[0] = ramp->track_x_mm[track] + range->jitter_mm * draw_random_normal(random);
    disc->center_mm[1] = y + range->jitter_mm * draw_random_normal(random);
    disc->center_mm[2] = face ? -thick / 2 : -radius;
    memcpy(part->a, disc->center_mm, sizeof part->a);
    part->thing = DRAW_THING_DISC;
    part->shape = face ? DRAW_CYLINDER : DRAW_WHEEL;
    if (face) {
        part->a[2] = 0;
        part->b[2] = thick;
    } else {
        part->b[0] = thick / 2;
    }
    part->radius_mm = radius;
    part->colour[0] = (float)(shade * calib_srgb_to_linear(rgb->r));
    part->colour[1] = (float)(shade * calib_srgb_to_linear(rgb->g));
    part->colour[2] = (float)(shade * calib_srgb_to_linear(rgb->b));
    part->gloss = draw_random_range(random, range->scene.gloss[0], range->scene.gloss[1]) * 0.8;
    part->dome = draw_random_range(random, 0.0, 0.5);
}

/* How high each track is filled, and with what. */
static void discs_choose(const struct ramp *ramp, struct draw_random *random,
                         char place[RAMP_ROWS_MAX][RAMP_TRACKS_MAX])
{
    int bag[RAMP_ROWS_MAX * RAMP_TRACKS_MAX], left = 0, height[RAMP_TRACKS_MAX] = {0};
    int places = ramp->rows * ramp->tracks, each = ramp->each > 0 ? ramp->each : places;
    for (int i = 0; i < ramp->colours * each && left < places; i++) {
        bag[left++] = i / each;
    }
    memset(place, '.', sizeof(char[RAMP_ROWS_MAX][RAMP_TRACKS_MAX]));
    int count = draw_random_pick(random, (const double[4]){1, 2, 4, 2}, 4);
    count = count == 0   ? draw_random_below(random, ramp->tracks)
            : count == 1 ? ramp->tracks
            : count == 2 ? ramp->tracks + draw_random_below(random, places - ramp->tracks)
                         : places;
    while (count > 0 && left > 0) {
        int track = draw_random_below(random, ramp->tracks), at = draw_random_below(random, left);
        if (height[track] >= ramp->rows) {
            continue;
        }
        place[height[track]++][track] = ramp->colour[bag[at]].label;
        bag[at] = bag[--left];
        count--;
    }
}

static int colour_of(const struct ramp *ramp, char label)
{
    for (int i = 0; i < ramp->colours; i++) {
        if (ramp->colour[i].label == label) {
            return i;
        }
    }
    return -1;
}

static void discs_put(struct draw_ramp *out, struct draw_scene *scene,
                      const struct draw_ramp_range *range, struct draw_random *random)
{
    const struct ramp *ramp = out->ramp;
    for (int r = 0; r < ramp->rows; r++) {
        for (int t = 0; t < ramp->tracks; t++) {
            int colour = colour_of(ramp, out->place[r][t]);
            if (colour >= 0) {
                disc_add(out, scene, range, r, t, ramp->row_y_mm[r], colour, random);
            }
        }
    }
}

/* The top disc of a track that has one; its number, or -1. */
static int top_disc(const struct draw_ramp *out, int track)
{
    int top = -1;
    for (int i = 0; i < out->discs; i++) {
        if (out->disc[i].track == track && (top < 0 || out->disc[i].row > out->disc[top].row)) {
            top = i;
        }
    }
    return top;
}

/* Moves a disc up the board by so much; it is then in no row. */
static void disc_lift(struct draw_ramp *out, struct draw_scene *scene, int disc, double up_mm)
{
    struct draw_ramp_disc *d = &out->disc[disc];
    d->center_mm[1] -= up_mm;
    scene->part[d->part].a[1] -= up_mm;
    out->place[d->row][d->track] = '.';
    d->row = -1;
}

static void discs_disturb(struct draw_ramp *out, struct draw_scene *scene,
                          const struct draw_ramp_range *range, struct draw_random *random)
{
    const struct ramp *ramp = out->ramp;
    double pitch = ramp->rows > 1 ? ramp->row_y_mm[0] - ramp->row_y_mm[1] : 40;
    int track = draw_random_below(random, ramp->tracks), top = top_disc(out, track);
    if (out->kind == DRAW_RAMP_SETTLED || (top < 0 && out->kind != DRAW_RAMP_ROLLING)) {
        out->kind = DRAW_RAMP_SETTLED;
    } else if (out->kind == DRAW_RAMP_ROLLING) {
        double y = ramp->row_y_mm[ramp->rows - 1] - pitch * draw_random_range(random, 0.9, 1.7);
        disc_add(out, scene, range, -1, track, y, draw_random_below(random, ramp->colours),
                 random);
        scene->part[out->disc[out->discs - 1].part].motion_mm[1] =
            draw_random_range(random, 0, 25);
    } else if (out->kind == DRAW_RAMP_BETWEEN) {
        disc_lift(out, scene, top, pitch * draw_random_range(random, 0.4, 0.6));
    } else if (out->kind == DRAW_RAMP_MOVING) {
        scene->part[out->disc[top].part].motion_mm[1] = draw_random_range(random, 15, 60);
        disc_lift(out, scene, top, pitch * draw_random_range(random, 0.4, 0.8));
    } else if (out->disc[top].row + 1 < ramp->rows) {
        struct draw_ramp_disc *d = &out->disc[top];
        int row = d->row + 1;
        char label = out->place[d->row][track];
        disc_lift(out, scene, top, pitch);
        d->row = row;
        out->place[row][track] = label;
    } else {
        out->kind = DRAW_RAMP_SETTLED;
    }
}

/* --- Scenes ------------------------------------------------------------------------------------ */

static int scene_start(const struct draw_kit *kit, const struct ramp *ramp, uint64_t seed,
                       const struct draw_ramp_range *range, struct draw_ramp *out,
                       struct draw_scene *scene)
{
    struct draw_random random = draw_random_seed(seed, TOPIC_RAMP_DISCS);
    if (kit->set == NULL || ramp->tracks > DRAW_TRACKS_MAX) {
        return -1;
    }
    memset(scene, 0, sizeof *scene);
    out->ramp = ramp;
    out->discs = 0;
    out->foreign = false;
    out->seen = draw_random_chance(&random, range->rim) ? RAMP_SEEN_RIM : RAMP_SEEN_FACE;
    draw_ramp_mat(ramp, &out->mat);
    out->set = *kit->set;
    out->set.width_mm = ramp->disc_diameter_mm;
    out->set.height_mm =
        out->seen == RAMP_SEEN_FACE ? ramp->disc_thickness_mm : ramp->disc_diameter_mm;
    scene->kit = *kit;
    scene->kit.mat = &out->mat;
    scene->kit.set = &out->set;
    scene->board = &out->board;
    scene->seed = seed;
    random = draw_random_seed(seed, TOPIC_RAMP_VIEW);
    draw_scene_view(scene, &range->scene, &random);
    board_choose(ramp, range->other_board, &random, &out->board);
    return 0;
}

int draw_ramp_place(const struct draw_kit *kit, const struct ramp *ramp, uint64_t seed,
                    const struct draw_ramp_range *range, struct draw_ramp *out,
                    struct draw_scene *scene)
{
    struct draw_random random = draw_random_seed(seed, TOPIC_RAMP_DISCS + 100);
    if (scene_start(kit, ramp, seed, range, out, scene) != 0) {
        return -1;
    }
    out->kind = DRAW_RAMP_SETTLED;
    discs_put(out, scene, range, &random);
    random = draw_random_seed(seed, TOPIC_RAMP_LIGHT);
    draw_scene_light(scene, &range->scene, &random);
    return 0;
}

int draw_ramp_random(const struct draw_kit *kit, const struct ramp *ramp, uint64_t seed,
                     const struct draw_ramp_range *range, struct draw_ramp *out,
                     struct draw_scene *scene)
{
    struct draw_random random = draw_random_seed(seed, TOPIC_RAMP_DISCS + 200);
    discs_choose(ramp, &random, out->place);
    if (draw_ramp_place(kit, ramp, seed, range, out, scene) != 0) {
        return -1;
    }
    out->kind = (enum draw_ramp_kind)draw_random_pick(&random, range->kind, DRAW_RAMP_KINDS);
    discs_disturb(out, scene, range, &random);
    random = draw_random_seed(seed, TOPIC_RAMP_THING);
    if (draw_random_chance(&random, range->foreign)) {
        enum draw_thing thing =
            (enum draw_thing)draw_random_pick(&random, range->scene.thing, DRAW_THINGS);
        if (draw_random_chance(&random, range->from_above)) {
            out->mat.seat[0].up[1] = 1;
        }
        draw_scene_thing(scene, 0, thing, draw_random_chance(&random, range->scene.hand_over),
                         &random);
        out->foreign = true;
    }
    return 0;
}

/* --- Truth ------------------------------------------------------------------------------------- */

struct looking {
    const struct draw_scene *scene;
    const struct draw_cast *cast;
    const uint8_t *rgb;
};

/* What the camera sees where a point should be: the part's number, -1 for none, -2 out of view.
 * *px: the pixel. */
static int part_at(const struct looking *l, const double point[3], int *px)
{
    double at[2];
    struct vec ray;
    struct draw_hit hit = {.kind = HIT_NONE};
    const struct camera *camera = &l->scene->camera;
    if (!calib_camera_project(camera, &l->scene->pose, point, at)) {
        return -2;
    }
    int column = (int)lround(at[0]), row = (int)lround(at[1]);
    if (column < 0 || row < 0 || column >= camera->width || row >= camera->height ||
        !draw_cast_ray(l->cast, at[0], at[1], &ray)) {
        return -2;
    }
    draw_cast_first(l->cast, column, row, ray, 0, &hit);
    *px = row * camera->width + column;
    return hit.kind == HIT_PART ? hit.index : -1;
}

static bool foreign_part(const struct draw_scene *scene, int part)
{
    return part >= 0 && scene->part[part].thing != DRAW_THING_DISC;
}

#define ACROSS 9 /* samples across a disc or a place, and down */

static int down(int sample)
{
    return sample / ACROSS;
}

/* A place of a disc's surface that a camera above would see; false beyond its outline. */
static bool disc_point(const struct draw_ramp *ramp, const struct draw_ramp_disc *disc, double u,
                       double v, double point[3])
{
    double radius = ramp->ramp->disc_diameter_mm / 2, thick = ramp->ramp->disc_thickness_mm;
    memcpy(point, disc->center_mm, 3 * sizeof *point);
    if (ramp->seen == RAMP_SEEN_FACE) {
        point[0] += u * radius * 0.95;
        point[1] += v * radius * 0.95;
        point[2] = -thick;
        return u * u + v * v <= 1;
    }
    point[0] += u * thick * 0.45;
    point[1] += v * radius * 0.5;
    point[2] -= radius * sqrt(1 - 0.25 * v * v);
    return true;
}

static double depth_of(const double c[3])
{
    double most = fmax(c[0], fmax(c[1], c[2])), least = fmin(c[0], fmin(c[1], c[2]));
    return most > 0 ? 1 - least / most : 0;
}

/* Is nothing, or little, left of a disc's colour in that pixel: burnt out, or under a veil? */
static bool washed(const uint8_t rgb[3], const float colour[3])
{
    double own[3], seen[3];
    for (int k = 0; k < 3; k++) {
        own[k] = (double)colour[k];
        seen[k] = calib_srgb_to_linear(rgb[k]);
    }
    bool burnt = rgb[0] >= 250 && rgb[1] >= 250 && rgb[2] >= 250;
    return burnt || (depth_of(own) > 0.5 && depth_of(seen) < 0.5 * depth_of(own));
}

static void disc_measure(const struct looking *l, const struct draw_ramp *ramp,
                         struct draw_ramp_disc *disc)
{
    int all = 0, seen = 0, burnt = 0, px = 0;
    for (int i = 0; i < ACROSS * ACROSS; i++) {
        double point[3];
        if (!disc_point(ramp, disc, i % ACROSS * 2.0 / (ACROSS - 1) - 1,
                        down(i) * 2.0 / (ACROSS - 1) - 1, point)) {
            continue;
        }
        all++;
        if (part_at(l, point, &px) != disc->part) {
            continue;
        }
        seen++;
        const uint8_t *rgb = l->rgb + 3 * (size_t)px;
        burnt += washed(rgb, l->scene->part[disc->part].colour);
    }
    disc->visible = (double)seen / all;
    disc->bleached = seen > 0 ? (double)burnt / seen : 0;
}

/* Share of a rectangle of the board that nothing foreign hides. */
static double rect_open(const struct looking *l, double left, double top, double width,
                        double height)
{
    int open = 0, px;
    for (int i = 0; i < ACROSS * ACROSS; i++) {
        const double point[3] = {left + width * (i % ACROSS) / (ACROSS - 1),
                                 top + height * down(i) / (ACROSS - 1), 0};
        int part = part_at(l, point, &px);
        open += part != -2 && !foreign_part(l->scene, part);
    }
    return (double)open / (ACROSS * ACROSS);
}

static void places_measure(const struct looking *l, struct draw_ramp *ramp)
{
    const struct ramp *r = ramp->ramp;
    double half = r->disc_diameter_mm / 2, top = r->row_y_mm[r->rows - 1] - half;
    for (int row = 0; row < r->rows; row++) {
        for (int t = 0; t < r->tracks; t++) {
            ramp->bare[row][t] = rect_open(l, r->track_x_mm[t] - half, r->row_y_mm[row] - half,
                                           2 * half, 2 * half);
        }
    }
    ramp->open = rect_open(l, r->track_x_mm[0] - half, ramp->board.top_mm,
                           r->track_x_mm[r->tracks - 1] - r->track_x_mm[0] + 2 * half,
                           top - ramp->board.top_mm);
    ramp->tags = 0;
    for (int i = 0; i < r->tags; i++) {
        double side = r->tag[i].size_mm * 1.25;
        ramp->tags += rect_open(l, r->tag[i].center_mm[0] - side / 2,
                                r->tag[i].center_mm[1] - side / 2, side, side) >= 1;
    }
}

int draw_ramp_truth(struct draw_ramp *ramp, const struct draw_scene *scene, const uint8_t *rgb)
{
    struct draw_cast *cast = draw_cast_create(scene);
    struct looking l = {scene, cast, rgb};
    if (cast == NULL) {
        return -1;
    }
    for (int i = 0; i < ramp->discs; i++) {
        disc_measure(&l, ramp, &ramp->disc[i]);
    }
    places_measure(&l, ramp);
    draw_cast_destroy(&cast);
    return 0;
}

#define VISIBLE_LEAST 0.97
#define BLEACHED_MOST 0.2
#define OPEN_LEAST 0.999
#define TAGS_LEAST 4

bool draw_ramp_readable(const struct draw_ramp *ramp, const struct draw_scene *scene)
{
    const struct ramp *r = ramp->ramp;
    if (ramp->kind != DRAW_RAMP_SETTLED || ramp->open < OPEN_LEAST || ramp->tags < TAGS_LEAST) {
        return false;
    }
    for (int i = 0; i < ramp->discs; i++) {
        if (ramp->disc[i].visible < VISIBLE_LEAST || ramp->disc[i].bleached > BLEACHED_MOST) {
            return false;
        }
    }
    for (int row = 0; row < r->rows; row++) {
        for (int t = 0; t < r->tracks; t++) {
            if (ramp->bare[row][t] < OPEN_LEAST) {
                return false;
            }
        }
    }
    return scene->optics.quality == 0 || scene->optics.quality >= 40;
}
