/* Where the blocks of a seat lie. */
#include "tests/draw/footprint.h"
#include "tests/draw/pattern.h"
#include "tests/draw/vec.h"

#include <string.h>

#define PLACE_TRIES 80
#define LOOSE_TRIES 300
#define SETTLE_ROUNDS 30 /* pushes of overlapping blocks; ten blocks settle in a few */

struct seating {
    struct draw_scene *scene;
    const struct draw_range *range;
    struct draw_random *random;
    int seat;
    int first; /* of the seat's blocks in the scene */
};

static double draw_from(struct draw_random *random, const double pair[2])
{
    return draw_random_range(random, pair[0], pair[1]);
}

static struct draw_block *block_add(struct seating *s, int block, int face)
{
    struct draw_scene *scene = s->scene;
    if (scene->blocks >= DRAW_BLOCKS_MAX) {
        return NULL;
    }
    struct draw_block *added = &scene->block[scene->blocks++];
    memset(added, 0, sizeof *added);
    added->seat = s->seat;
    added->block = block;
    added->face = face;
    added->gloss = draw_from(s->random, s->range->gloss);
    for (int k = 0; k < 2; k++) {
        added->lean[k] = 0.006 * draw_random_normal(s->random); /* a third of a degree */
    }
    return added;
}

/* A pattern on the mat: the middle of its grid, the turn of its rows, its pitch. */
struct stand {
    double center[2], turn_deg, pitch_mm;
    double middle[2]; /* row and column of the middle */
};

static void stand_cell(const struct stand *stand, const int cell[2], double xy[2])
{
    double c = cos(stand->turn_deg * DRAW_DEG), s = sin(stand->turn_deg * DRAW_DEG);
    double across = (cell[1] - stand->middle[1]) * stand->pitch_mm;
    double down = (cell[0] - stand->middle[0]) * stand->pitch_mm;
    xy[0] = stand->center[0] + c * across - s * down;
    xy[1] = stand->center[1] + s * across + c * down;
}

static void stand_middle(struct stand *stand, const struct draw_pattern *pattern)
{
    int low[2] = {99, 99}, high[2] = {-99, -99};
    for (int i = 0; i < pattern->lays; i++) {
        for (int k = 0; k < 4; k++) {
            int value = k < 2 ? pattern->lay[i].first[k] : pattern->lay[i].second[k - 2];
            low[k % 2] = value < low[k % 2] ? value : low[k % 2];
            high[k % 2] = value > high[k % 2] ? value : high[k % 2];
        }
    }
    for (int k = 0; k < 2; k++) {
        stand->middle[k] = (low[k] + high[k]) / 2.0;
    }
}

static void lay_place(const struct stand *stand, const struct draw_lay *lay,
                      struct draw_block *block)
{
    double a[2], b[2];
    stand_cell(stand, lay->first, a);
    stand_cell(stand, lay->second, b);
    block->center_mm[0] = (a[0] + b[0]) / 2.0;
    block->center_mm[1] = (a[1] + b[1]) / 2.0;
    block->turn_deg = atan2(b[1] - a[1], b[0] - a[0]) / DRAW_DEG;
}

/* Is every corner of the block inside the seat, or outside by no more than slack? */
static bool block_inside(const struct seating *s, const struct draw_block *block, double slack)
{
    const double *rect = s->scene->kit.mat->seat[s->seat].rect_mm;
    struct draw_footprint print = draw_footprint_of(s->scene->kit.set, block);
    double corner[4][2];
    draw_footprint_corners(&print, corner);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            if (corner[i][k] < rect[k] - slack || corner[i][k] > rect[k] + rect[k + 2] + slack) {
                return false;
            }
        }
    }
    return true;
}

static void seat_upright(const struct mat_seat *seat, double *turn_deg, double center[2])
{
    /* The player's right hand is a quarter turn clockwise from up. */
    *turn_deg = atan2(seat->up[0], -seat->up[1]) / DRAW_DEG;
    center[0] = seat->rect_mm[0] + seat->rect_mm[2] / 2.0;
    center[1] = seat->rect_mm[1] + seat->rect_mm[3] / 2.0;
}

/* Finds place and turn for a pattern inside the seat. The slack grows when nothing fits, as
 * players build over the line when they must. */
static void stand_find(struct seating *s, const struct draw_pattern *pattern, struct stand *stand)
{
    const struct mat_seat *seat = &s->scene->kit.mat->seat[s->seat];
    double upright, center[2];
    seat_upright(seat, &upright, center);
    bool any = draw_random_chance(s->random, s->range->any_angle);
    stand_middle(stand, pattern);
    for (int i = 0; i < PLACE_TRIES; i++) {
        static const double quarter[4] = {0.7, 0.1, 0.1, 0.1}; /* most build as they sit */
        double turn = any ? draw_random_range(s->random, 0.0, 360.0)
                          : draw_from(s->random, s->range->turn_deg) +
                                90.0 * draw_random_pick(s->random, quarter, 4);
        double spread = i < PLACE_TRIES / 2 ? 0.5 : 0.15;
        stand->turn_deg = upright + turn;
        for (int k = 0; k < 2; k++) {
            double half = seat->rect_mm[k + 2] * spread;
            stand->center[k] = center[k] + draw_random_range(s->random, -half, half);
        }
        bool inside = true;
        for (int k = 0; k < pattern->lays && inside; k++) {
            struct draw_block trial = {0};
            lay_place(stand, &pattern->lay[k], &trial);
            inside = block_inside(s, &trial, i < PLACE_TRIES / 2 ? 0.0 : 8.0);
        }
        if (inside) {
            return;
        }
    }
    stand->turn_deg = upright;
    memcpy(stand->center, center, sizeof center);
}

/* Blocks are hard: pushes apart those that jitter made overlap. */
static void seat_settle(struct seating *s)
{
    struct draw_scene *scene = s->scene;
    for (int round = 0; round < SETTLE_ROUNDS; round++) {
        bool pushed = false;
        for (int i = s->first; i < scene->blocks; i++) {
            for (int j = i + 1; j < scene->blocks; j++) {
                struct draw_footprint a = draw_footprint_of(scene->kit.set, &scene->block[i]);
                struct draw_footprint b = draw_footprint_of(scene->kit.set, &scene->block[j]);
                double away[2], depth = draw_footprint_overlap(&a, &b, away);
                if (depth <= 0.0) {
                    continue;
                }
                pushed = true;
                for (int k = 0; k < 2; k++) {
                    scene->block[i].center_mm[k] -= away[k] * (depth / 2.0 + 0.02);
                    scene->block[j].center_mm[k] += away[k] * (depth / 2.0 + 0.02);
                }
            }
        }
        if (!pushed) {
            return;
        }
    }
}

static void seat_jitter(struct seating *s)
{
    double place = draw_from(s->random, s->range->jitter_mm);
    double turn = draw_from(s->random, s->range->jitter_deg);
    for (int i = s->first; i < s->scene->blocks; i++) {
        struct draw_block *block = &s->scene->block[i];
        for (int k = 0; k < 2; k++) {
            block->center_mm[k] += place * draw_random_normal(s->random);
        }
        block->turn_deg += turn * draw_random_normal(s->random);
    }
    seat_settle(s);
}

/* How far block i is from every other of the seat. */
static double block_clear(const struct seating *s, int i)
{
    double least = 1e9;
    for (int j = s->first; j < s->scene->blocks; j++) {
        if (j != i) {
            struct draw_footprint a = draw_footprint_of(s->scene->kit.set, &s->scene->block[i]);
            struct draw_footprint b = draw_footprint_of(s->scene->kit.set, &s->scene->block[j]);
            double distance = draw_footprint_distance(&a, &b);
            least = distance < least ? distance : least;
        }
    }
    return least;
}

/* Throws block i to a free place at least `clear` mm from the others. False when there is none:
 * it stays where it was. */
static bool block_throw(struct seating *s, int i, double clear)
{
    const double *rect = s->scene->kit.mat->seat[s->seat].rect_mm;
    struct draw_block *block = &s->scene->block[i], before = *block;
    for (int t = 0; t < LOOSE_TRIES; t++) {
        for (int k = 0; k < 2; k++) {
            block->center_mm[k] = draw_random_range(s->random, rect[k], rect[k] + rect[k + 2]);
        }
        block->turn_deg = draw_random_range(s->random, 0.0, 360.0);
        if (block_inside(s, block, 0.0) && block_clear(s, i) >= clear) {
            return true;
        }
    }
    *block = before;
    return false;
}

static void block_remove(struct seating *s, int i)
{
    s->scene->block[i] = s->scene->block[--s->scene->blocks];
}

static int block_any(struct seating *s)
{
    return s->first + draw_random_below(s->random, s->scene->blocks - s->first);
}

static void seat_partial(struct seating *s)
{
    int count = draw_random_chance(s->random, 0.3) ? 2 : 1;
    for (int k = 0; k < count && s->scene->blocks > s->first; k++) {
        int i = block_any(s);
        double clear = s->scene->kit.set->width_mm * draw_random_range(s->random, 0.6, 1.0);
        if (draw_random_chance(s->random, 0.4) || !block_throw(s, i, clear)) {
            block_remove(s, i);
        }
    }
}

static void seat_scatter(struct seating *s)
{
    double clear = draw_random_range(s->random, 0.0, 12.0);
    for (int i = s->first; i < s->scene->blocks; i++) {
        struct draw_block *block = &s->scene->block[i];
        const struct block *kind = &s->scene->kit.set->block[block->block];
        block->face = draw_random_below(s->random, kind->faces);
        if (!block_throw(s, i, clear)) {
            block_remove(s, i--);
        }
    }
}

static void seat_stand_up(struct seating *s)
{
    int count = draw_random_chance(s->random, 0.15) ? 2 : 1;
    for (int k = 0; k < count; k++) {
        struct draw_block *block = &s->scene->block[block_any(s)];
        double c = cos(block->turn_deg * DRAW_DEG), w = sin(block->turn_deg * DRAW_DEG);
        /* On the place of one of its cells, or between them. */
        double shift = draw_random_range(s->random, -0.25, 0.25) * s->scene->kit.set->length_mm;
        if (!block->standing) {
            block->standing = true;
            block->center_mm[0] += c * shift;
            block->center_mm[1] += w * shift;
        }
    }
}

/* Shifts and turns a block or two as far as the range says, where they do not hit the others. */
static void seat_sloppy(struct seating *s, double pitch_mm)
{
    int count = draw_random_chance(s->random, 0.25) ? 2 : 1;
    for (int k = 0; k < count; k++) {
        int i = block_any(s);
        struct draw_block *block = &s->scene->block[i], before = *block;
        int how = draw_random_below(s->random, 3); /* shifted, turned, both */
        for (int t = 0; t < LOOSE_TRIES; t++) {
            double shift = draw_from(s->random, s->range->sloppy_pitch) * pitch_mm;
            double turn = draw_from(s->random, s->range->sloppy_deg);
            double way = draw_random_below(s->random, 8) * 45.0 + before.turn_deg;
            double away = how == 1 ? draw_random_range(s->random, 0.0, 0.2) * pitch_mm : shift;
            *block = before;
            block->center_mm[0] += away * cos(way * DRAW_DEG);
            block->center_mm[1] += away * sin(way * DRAW_DEG);
            if (how > 0) {
                block->turn_deg += draw_random_chance(s->random, 0.5) ? turn : -turn;
            }
            if (block_clear(s, i) > 0.0) {
                break;
            }
            *block = before;
        }
    }
}

static void seat_extra(struct seating *s, const struct stand *stand,
                       const struct draw_pattern *pattern)
{
    const struct blockset *set = s->scene->kit.set;
    int which = draw_random_below(s->random, set->blocks);
    int face = draw_random_below(s->random, set->block[which].faces);
    struct draw_block *extra = block_add(s, which, face);
    if (extra == NULL) {
        return;
    }
    int i = s->scene->blocks - 1;
    if (draw_random_chance(s->random, 0.5) && block_throw(s, i, set->width_mm * 0.2)) {
        return;
    }
    for (int t = 0; t < LOOSE_TRIES; t++) {
        struct draw_lay lay = pattern->lay[draw_random_below(s->random, pattern->lays)];
        int row = draw_random_below(s->random, 5) - 2, col = draw_random_below(s->random, 5) - 2;
        lay.first[0] += row, lay.second[0] += row;
        lay.first[1] += col, lay.second[1] += col;
        lay_place(stand, &lay, extra);
        if (block_clear(s, i) > 0.0 && block_inside(s, extra, 6.0)) {
            return;
        }
    }
    block_remove(s, i);
}

/* Pattern and grid of a seat: the card's, or changed, or any when the blocks cannot build it. */
static bool seat_pattern(struct seating *s, enum draw_kind kind, const struct grid *card,
                         struct draw_pattern *pattern)
{
    const struct blockset *set = s->scene->kit.set;
    if (card == NULL || !draw_pattern_solve(set, card, s->random, pattern)) {
        if (!draw_pattern_random(set, s->range->card_side_max, s->random, pattern)) {
            return false;
        }
    }
    bool near = kind == DRAW_NEAR || (kind == DRAW_SLOPPY && draw_random_chance(s->random, 0.25));
    if (near) {
        s->scene->change[s->seat] = draw_pattern_change(set, s->random, pattern);
    }
    return true;
}

void draw_scene_seat(struct draw_scene *scene, const struct draw_range *range, int seat,
                     enum draw_kind kind, const struct grid *card, struct draw_random *random)
{
    struct seating s = {scene, range, random, seat, scene->blocks};
    struct draw_pattern pattern;
    struct stand stand;
    scene->kind[seat] = kind;
    scene->change[seat] = DRAW_CHANGE_NONE;
    if (kind == DRAW_EMPTY || !seat_pattern(&s, kind, card, &pattern)) {
        scene->kind[seat] = DRAW_EMPTY;
        return;
    }
    double width = scene->kit.set->width_mm, gap = draw_from(random, range->gap_mm);
    if (kind == DRAW_SLOPPY) {
        gap += draw_random_range(random, 0.0, 0.15) * width; /* room to be out of place */
    }
    stand.pitch_mm = width + gap;
    stand_find(&s, &pattern, &stand);
    for (int i = 0; i < pattern.lays; i++) {
        struct draw_block *block = block_add(&s, pattern.lay[i].block, pattern.lay[i].face);
        if (block != NULL) {
            lay_place(&stand, &pattern.lay[i], block);
        }
    }
    if (scene->blocks == s.first) {
        return;
    }
    seat_jitter(&s);
    if (kind == DRAW_PARTIAL) {
        seat_partial(&s);
    } else if (kind == DRAW_SCATTER) {
        seat_scatter(&s);
    } else if (kind == DRAW_STANDING) {
        seat_stand_up(&s);
    } else if (kind == DRAW_SLOPPY) {
        seat_sloppy(&s, stand.pitch_mm);
    } else if (kind == DRAW_EXTRA) {
        seat_extra(&s, &stand, &pattern);
    }
}
