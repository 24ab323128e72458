/* tests/unit/seat_scene.h: drawn tables of one seat on which tests lay blocks as they like, and the
 * seat reader run on them with the true pose. */
#ifndef TESTS_UNIT_SEAT_SCENE_H
#define TESTS_UNIT_SEAT_SCENE_H

#include "tests/draw/draw.h"
#include "tests/draw/vec.h"
#include "vision/seat.h"
#include "vision/table.h"

#include <stdlib.h>
#include <string.h>

/* A kit on the drawer's small mat, and the parts of a reader. */
struct seat_world {
    struct mat mat;
    struct blockset *set;
    struct deck *deck;
    struct cardstyle *style;
    struct draw_kit kit;
    struct drawer *drawer;
    struct draw_scene scene;
    struct draw_picture picture;
    struct mat_pose pose;
    struct pyramid *pyramid;
    struct white_map *white;
    struct seat_reader *reader;
    struct seat_sight *sight;
    struct palette palette;
    struct layout_seat seat; /* what was read last */
};

static inline void seat_world_close(struct seat_world **world)
{
    struct seat_world *w = *world;
    if (w == NULL)
        return;
    draw_picture_free(&w->picture);
    vision_seat_sight_destroy(&w->sight);
    vision_seat_reader_destroy(&w->reader);
    vision_white_destroy(&w->white);
    vision_pyramid_destroy(&w->pyramid);
    draw_destroy(&w->drawer);
    calib_cardstyle_destroy(&w->style);
    calib_deck_destroy(&w->deck);
    calib_blockset_destroy(&w->set);
    free(w);
    *world = NULL;
}

/* NULL when something fails. */
static inline struct seat_world *seat_world_open(const char *set, const char *deck)
{
    struct seat_world *w = calloc(1, sizeof *w);
    struct alignment alignment = vision_alignment_defaults();
    struct calib_fault fault;
    if (w == NULL)
        return NULL;
    draw_mat_small(&w->mat);
    if (calib_blockset_load(set, NULL, &w->set, &fault) == 0 &&
        calib_deck_load(deck, NULL, &w->deck, &fault) == 0 &&
        calib_cardstyle_load(NULL, NULL, &w->style, &fault) == 0) {
        w->kit = (struct draw_kit){&w->mat, w->set, w->deck, w->style, NULL, NULL};
        w->drawer = draw_create(&w->kit);
        w->pyramid = vision_pyramid_create();
        w->white = vision_white_create();
        w->reader = vision_seat_reader_create(w->set, &alignment);
        w->sight = vision_seat_sight_create();
    }
    if (!w->drawer || !w->pyramid || !w->white || !w->reader || !w->sight)
        seat_world_close(&w);
    return w;
}

/* A layout of match-madness that is itself in no other turn or mirror. */
#define SEAT_GRID "+o*/++x/#../#ox"
#define SEAT_BLOCKS 5
#define SEAT_LOOSE 4 /* the block with one neighbour at its end: the lower right one */

struct seat_stand {
    double center_mm[2]; /* of the four by three places */
    double turn_deg, pitch_mm;
};

static inline struct seat_stand seat_stand_usual(void)
{
    return (struct seat_stand){{192, 198}, 0, 35.4};
}

/* Lays the five blocks; they are scene->block[0..4]. */
static inline void seat_lay(struct draw_scene *scene, const struct seat_stand *stand)
{
    static const struct {
        int block, face, first[2], second[2];
    } lay[SEAT_BLOCKS] = {{0, 1, {0, 0}, {0, 1}},
                          {1, 2, {0, 2}, {1, 2}},
                          {2, 0, {1, 0}, {1, 1}},
                          {3, 0, {2, 0}, {3, 0}},
                          {4, 1, {3, 1}, {3, 2}}};
    double c = cos(stand->turn_deg * DRAW_DEG) * stand->pitch_mm;
    double s = sin(stand->turn_deg * DRAW_DEG) * stand->pitch_mm;
    scene->blocks = SEAT_BLOCKS;
    for (int i = 0; i < SEAT_BLOCKS; i++) {
        double row = (lay[i].first[0] + lay[i].second[0]) / 2.0 - 1.5;
        double col = (lay[i].first[1] + lay[i].second[1]) / 2.0 - 1;
        scene->block[i] = (struct draw_block){
            .block = lay[i].block,
            .face = lay[i].face,
            .gloss = 0.1,
            .center_mm = {stand->center_mm[0] + c * col - s * row,
                          stand->center_mm[1] + s * col + c * row},
            .turn_deg = stand->turn_deg + (lay[i].second[0] > lay[i].first[0] ? 90 : 0)};
    }
}

/* A range for an empty table: no things, even light, cells of cell_px, tilted. */
static inline struct draw_range seat_range(double cell_px, double tilt_deg)
{
    struct draw_range range = draw_range_plain();
    memset(range.kind, 0, sizeof range.kind);
    range.kind[DRAW_EMPTY] = 1;
    range.cell_px[0] = range.cell_px[1] = cell_px;
    range.tilt_deg[0] = range.tilt_deg[1] = tilt_deg;
    range.noise[0] = range.noise[1] = 0.5;
    range.blur_px[0] = range.blur_px[1] = 0.5;
    return range;
}

/* An empty table, then the usual layout on it. 0 or -1. */
static inline int seat_scene_start(struct seat_world *w, uint64_t seed, double cell_px,
                                   double tilt_deg)
{
    struct draw_range range = seat_range(cell_px, tilt_deg);
    struct seat_stand stand = seat_stand_usual();
    if (draw_scene_random(&w->kit, seed, &range, &w->scene) != 0)
        return -1;
    seat_lay(&w->scene, &stand);
    return 0;
}

static inline int seat_scene_draw(struct seat_world *w)
{
    draw_picture_free(&w->picture);
    return draw_picture(w->drawer, &w->scene, &w->picture);
}

/* Looks at the picture with the pose that it was drawn with. 0 or an error. */
static inline int seat_scene_look(struct seat_world *w, struct palette *palette)
{
    memset(&w->pose, 0, sizeof w->pose);
    w->pose.camera = w->scene.camera;
    w->pose.pose = w->scene.pose;
    w->pose.tags = w->mat.tags;
    int error = vision_pyramid_build(w->pyramid, w->picture.frame);
    if (!error)
        error = vision_white_build(w->white, w->pyramid, &w->pose, &w->mat);
    if (!error)
        error = vision_seat_look(w->reader, w->pyramid, w->white, &w->pose, &w->mat, 0, w->sight);
    vision_palette_default(vision_seat_model(w->reader), palette);
    return error;
}

static inline int seat_scene_decide(struct seat_world *w)
{
    return vision_seat_decide(w->reader, &w->palette, w->pyramid, w->white, &w->pose, w->sight,
                              &w->seat);
}

/* Draws the scene and reads its seat into w->seat. */
static inline int seat_scene_read(struct seat_world *w)
{
    int error = seat_scene_draw(w);
    if (!error)
        error = seat_scene_look(w, &w->palette);
    if (error)
        return error;
    vision_seat_teach(w->sight, &w->palette);
    return seat_scene_decide(w);
}

/* The truth about the seat of the picture that was drawn last. */
static inline const struct draw_truth_seat *seat_truth(const struct seat_world *w)
{
    return &w->picture.truth->seat[0];
}

#endif
