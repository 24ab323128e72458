/* vision/foreign.c: see foreign.h. */
#include "vision/foreign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP 2 /* patch px: some 3 mm, a fifth of a finger */

/* Chroma, as the spread of the channels over the largest, each relative to white. Paper in the
 * shadow of one lamp and the light of another reaches about a third; skin starts at about 0.4. */
#define CHROMA_FOREIGN 0.38f
/* Chroma means nothing in the noise near black. */
#define CHROMA_LIGHT_LEAST 0.06f
/* Darker than this against white is no shadow: even a lone lamp leaves what the walls give back. */
#define DARK_FOREIGN 0.10f
/* Print (numbers, lines) and noise make smaller spots; a fingertip covers some 200 mm2. */
#define THING_LEAST_MM2 110.0
/* Bodies are taken this much larger: bevels, contact shadows and colour thrown on the mat. */
#define BODY_GROW_MM 3.0
/* The seat's printed line lies on its edge, and the pose may be off by some mm. */
#define EDGE_MM 7.0

/* What hides a cell beside a body lies within this of it: half of a cell. A hand, which comes in
 * over the seat's line, spoils both cells of a block when it covers a quarter of each; what lies
 * wholly within the seat is mostly shadow, or colour that blocks throw on the mat, unless a block
 * could lie under it. */
#define NEAR_SIDES 0.5
#define HAND_LEAST_MM2 600.0
#define LID_LEAST_MM2 2400.0

enum { KIND_NONE, KIND_FOREIGN, KIND_GLARE, KIND_VISITED, KIND_MASK = 3, NEAR = 4 };

struct thing_map {
    int width, height;
    uint8_t *cell; /* 0: mat or a body, else one of the kinds, or visited; and NEAR */
    int *stack;
};

static bool pixel_foreign(const float *rgb, const float white[3])
{
    float r = rgb[0] / white[0], g = rgb[1] / white[1], b = rgb[2] / white[2];
    float most = r > g ? r : g, least = r < g ? r : g;
    most = most > b ? most : b;
    least = least < b ? least : b;
    if (most < DARK_FOREIGN)
        return true;
    return most > CHROMA_LIGHT_LEAST && most - least > CHROMA_FOREIGN * most;
}

/* The seat as it lies on the mat, without the band of its printed line. */
static bool inside_seat(const struct seat_sight *sight, const double q_mm[2])
{
    double floor_mm[2];
    const double *r = sight->seat->rect_mm;
    vision_view_shift(&sight->view, q_mm, -sight->patch.z_mm, 0, floor_mm);
    return floor_mm[0] > r[0] + EDGE_MM && floor_mm[0] < r[0] + r[2] - EDGE_MM &&
           floor_mm[1] > r[1] + EDGE_MM && floor_mm[1] < r[1] + r[3] - EDGE_MM;
}

static bool is_covered(const struct seat_sight *sight, const struct body_top *top, int tops,
                       const double q_mm[2], double grow_mm)
{
    for (int i = 0; i < tops; i++)
        if (vision_body_covers(&sight->view, &top[i], -sight->patch.z_mm, q_mm, grow_mm))
            return true;
    return false;
}

/* The mark of what is foreign at a place: 0 where it is no part of the seat, or a body's. */
static uint8_t place_mark(const struct seat_sight *sight, const struct body_top *top, int tops,
                          const double q_mm[2], bool bright)
{
    if (!inside_seat(sight, q_mm) || is_covered(sight, top, tops, q_mm, BODY_GROW_MM))
        return KIND_NONE;
    if (bright)
        return KIND_GLARE;
    bool near = tops && is_covered(sight, top, tops, q_mm, NEAR_SIDES * top[0].side_mm);
    return near ? KIND_FOREIGN | NEAR : KIND_FOREIGN;
}

/* Marks what is foreign and what mirrors a lamp. */
static void things_mark(const struct seat_sight *sight, const struct white_map *white_map,
                        const struct body_top *top, int tops, struct thing_map *map)
{
    const struct patch *p = &sight->patch;
    enum { TILE = 8 };
    for (int y = 0; y < map->height; y++)
        for (int x0 = 0; x0 < map->width; x0 += TILE) {
            double mm[2];
            float white[3];
            int middle = x0 + TILE / 2;
            vision_patch_to_mm(p, middle * STEP, y * STEP, mm);
            vision_white_at(white_map, mm[0], mm[1], white);
            for (int x = x0; x < x0 + TILE && x < map->width; x++) {
                int at = y * STEP * p->width + x * STEP;
                uint8_t *cell = &map->cell[y * map->width + x];
                *cell = KIND_NONE;
                bool bright = p->flag[at] & PATCH_LAMP;
                if ((p->flag[at] & PATCH_OUTSIDE) ||
                    (!bright && !pixel_foreign(p->rgb + at * 3, white)))
                    continue;
                vision_patch_to_mm(p, x * STEP, y * STEP, mm);
                *cell = place_mark(sight, top, tops, mm, bright);
            }
        }
}

struct thing {
    int pixels;
    double sum[2];
    bool edge, near;
};

static bool at_edge(const struct seat_sight *sight, int x, int y)
{
    double mm[2], floor_mm[2];
    const double *r = sight->seat->rect_mm;
    vision_patch_to_mm(&sight->patch, x * STEP, y * STEP, mm);
    vision_view_shift(&sight->view, mm, -sight->patch.z_mm, 0, floor_mm);
    double band = EDGE_MM + 6;
    return floor_mm[0] < r[0] + band || floor_mm[0] > r[0] + r[2] - band ||
           floor_mm[1] < r[1] + band || floor_mm[1] > r[1] + r[3] - band;
}

static struct thing thing_flood(const struct seat_sight *sight, struct thing_map *map, int start)
{
    struct thing thing = {.near = map->cell[start] & NEAR};
    uint8_t kind = map->cell[start] & KIND_MASK;
    int depth = 0;
    map->stack[depth++] = start;
    map->cell[start] = KIND_VISITED;
    while (depth) {
        int at = map->stack[--depth], x = at % map->width, y = at / map->width;
        thing.pixels++;
        thing.sum[0] += x;
        thing.sum[1] += y;
        thing.edge |= at_edge(sight, x, y);
        const int next[4][2] = {{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}};
        for (int k = 0; k < 4; k++) {
            if (next[k][0] < 0 || next[k][1] < 0 || next[k][0] >= map->width ||
                next[k][1] >= map->height)
                continue;
            int to = next[k][1] * map->width + next[k][0];
            if ((map->cell[to] & KIND_MASK) == kind) {
                thing.near |= (map->cell[to] & NEAR) != 0;
                map->cell[to] = KIND_VISITED;
                map->stack[depth++] = to;
            }
        }
    }
    return thing;
}

static void things_measure(const struct seat_sight *sight, struct thing_map *map, double pixel_mm2,
                           struct foreign *out)
{
    for (int i = 0; i < map->width * map->height; i++) {
        uint8_t kind = map->cell[i] & KIND_MASK;
        if (kind == KIND_NONE || kind == KIND_VISITED)
            continue;
        struct thing thing = thing_flood(sight, map, i);
        double area = thing.pixels * pixel_mm2, at_mm[2];
        vision_patch_to_mm(&sight->patch, thing.sum[0] / thing.pixels * STEP,
                           thing.sum[1] / thing.pixels * STEP, at_mm);
        if (area >= THING_LEAST_MM2 && out->places < FOREIGN_PLACES_MAX)
            memcpy(out->place_mm[out->places++], at_mm, sizeof at_mm);
        if (kind == KIND_GLARE) {
            out->glare_mm2 = area > out->glare_mm2 ? area : out->glare_mm2;
            continue;
        }
        if (area >= THING_LEAST_MM2) {
            out->total_mm2 += area;
            out->touches |= thing.near && area >= (thing.edge ? HAND_LEAST_MM2 : LID_LEAST_MM2);
        }
        if (area > out->largest_mm2) {
            out->largest_mm2 = area;
            out->reaches_edge = thing.edge;
            memcpy(out->center_mm, at_mm, sizeof at_mm);
        }
    }
}

int vision_foreign_find(const struct seat_sight *sight, const struct white_map *white,
                        const struct body_top *top, int tops, struct foreign *out)
{
    struct thing_map map = {.width = (sight->patch.width + STEP - 1) / STEP,
                            .height = (sight->patch.height + STEP - 1) / STEP};
    size_t pixels = (size_t)map.width * (size_t)map.height;
    memset(out, 0, sizeof *out);
    map.cell = calloc(pixels, sizeof *map.cell);
    map.stack = malloc(pixels * sizeof *map.stack);
    int error = map.cell && map.stack ? VISION_OK : VISION_E_MEMORY;
    if (!error) {
        double pixel_mm2 = STEP * STEP / (sight->patch.px_per_mm * sight->patch.px_per_mm);
        things_mark(sight, white, top, tops, &map);
        things_measure(sight, &map, pixel_mm2, out);
    }
    free(map.cell);
    free(map.stack);
    return error;
}
