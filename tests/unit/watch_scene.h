/* tests/unit/watch_scene.h: a drawn table of one seat and one slot over time. A picture is drawn
 * once for each thing that can lie there; every frame is one of them with a light, a noise and a
 * time of its own, compressed as a camera does it. What the watch tells is written down. */
#ifndef TESTS_UNIT_WATCH_SCENE_H
#define TESTS_UNIT_WATCH_SCENE_H

#include "tests/draw/sensor.h"
#include "tests/unit/seat_scene.h"
#include "vision/watch.h"

#include <stdio.h>

#define WATCH_INTERVAL_NS 33000000LL
#define WATCH_TOLD_MAX 4000
#define WATCH_CELL_PX 30.0
#define WATCH_TILT_DEG 6.0

enum watch_base {
    BASE_EMPTY,  /* bare seat, a card */
    BASE_HALF,   /* two blocks */
    BASE_BUILT,  /* the usual layout */
    BASE_HAND,   /* a hand over it */
    BASE_HAND_2, /* elsewhere over it */
    BASE_OTHER,  /* one block lies elsewhere */
    BASE_NO_CARD,
    BASE_CARD_2,  /* another card */
    BASE_KNOCK,   /* the usual layout, the camera knocked by KNOCK_MM */
    BASE_SHOVE,   /* by SHOVE_MM */
    BASE_TAGS,    /* the usual layout, sheets of paper over two thirds of the tags */
    BASE_COVER,   /* over all of them */
    BASE_COVER_2, /* the same, and one block lies elsewhere */
    BASE_OUT,     /* the usual layout, half of it out of the picture */
    BASES
};
#define KNOCK_MM 2.0
#define SHOVE_MM 20.0
#define OUT_MM 170.0

enum told_kind { TOLD_LAYOUT, TOLD_MOTION, TOLD_CARD, TOLD_HEALTH, TOLD_SEEN, TOLD_KINDS };

struct told {
    enum told_kind kind;
    int state;              /* of a seat or slot; of motion: blocks */
    char id[GRID_TEXT_MAX]; /* a layout's or card's grid */
    int64_t t_ns;           /* first, at, or the event's own */
    int64_t moved_t_ns, unseen_ns;
    uint64_t frame, health;
};

struct watch_world {
    struct seat_world *table;
    struct table_kit kit;
    struct rig rig;
    int width, height;
    uint8_t *base[BASES];
    uint8_t *rgb; /* the frame that is being made */
    struct draw_optics optics;
    struct watch *watch;
    struct told told[WATCH_TOLD_MAX];
    int count;
    /* the next frame */
    int64_t t_ns;
    uint64_t sequence;
    double noise;      /* levels, about a standard deviation */
    double gain;       /* of every sample */
    double tint;       /* red up, blue down: share */
    double bands;      /* share up and down; */
    double band_phase; /* it grows from frame to frame by band_step */
    double band_step;
    double bands_over; /* so many over the picture's height */
    bool damaged, mirrored;
    uint32_t random;
};

/* ---- what is told ---- */

static inline struct told *told_new(struct watch_world *w, enum told_kind kind)
{
    struct told *told = &w->told[w->count < WATCH_TOLD_MAX - 1 ? w->count++ : w->count];
    memset(told, 0, sizeof *told);
    told->kind = kind;
    return told;
}

static inline void told_layout(void *context, const struct layout_seat *seat, int64_t first_t_ns,
                               int64_t moved_t_ns, uint64_t frame)
{
    struct told *told = told_new(context, TOLD_LAYOUT);
    told->state = (int)seat->state;
    told->t_ns = first_t_ns;
    told->moved_t_ns = moved_t_ns;
    told->frame = frame;
    if (seat->state == SEAT_COMPLETE)
        calib_grid_format(&seat->grid, told->id);
}

static inline void told_motion(void *context, int seat, bool blocks, int64_t at_t_ns,
                               int64_t unseen_ns)
{
    struct told *told = told_new(context, TOLD_MOTION);
    (void)seat;
    told->state = blocks;
    told->t_ns = at_t_ns;
    told->unseen_ns = unseen_ns;
}

static inline void told_card(void *context, const struct layout_card *card, int64_t first_t_ns)
{
    struct told *told = told_new(context, TOLD_CARD);
    told->state = (int)card->state;
    told->t_ns = first_t_ns;
    if (card->state == SLOT_FACE_UP)
        calib_grid_format(&card->grid, told->id);
}

static inline void told_health(void *context, uint64_t reasons, int64_t t_ns)
{
    struct told *told = told_new(context, TOLD_HEALTH);
    told->health = reasons;
    told->t_ns = t_ns;
}

static inline void told_seen(void *context, uint64_t frame, int64_t t_ns)
{
    struct told *told = told_new(context, TOLD_SEEN);
    told->frame = frame;
    told->t_ns = t_ns;
}

/* How many of a kind since entry `from`; the last of them in *last (may be NULL). */
static inline int told_count(const struct watch_world *w, int from, enum told_kind kind,
                             const struct told **last)
{
    int count = 0;
    for (int i = from; i < w->count; i++)
        if (w->told[i].kind == kind) {
            count++;
            if (last)
                *last = &w->told[i];
        }
    return count;
}

/* ---- pictures ---- */

static inline void scene_cover(struct watch_world *w, uint8_t *rgb, int tags)
{
    const struct draw_truth *truth = w->table->picture.truth;
    for (int i = 0; i < tags && i < truth->tags; i++) {
        const double(*corner)[2] = truth->tag[i].corner_px;
        double low[2] = {1e9, 1e9}, high[2] = {0, 0};
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 2; c++) {
                low[c] = fmin(low[c], corner[k][c] - 4);
                high[c] = fmax(high[c], corner[k][c] + 4);
            }
        for (int y = (int)fmax(low[1], 0); y < (int)high[1] && y < w->height; y++)
            for (int x = (int)fmax(low[0], 0); x < (int)high[0] && x < w->width; x++)
                memcpy(rgb + 3 * ((size_t)y * (size_t)w->width + (size_t)x), "\xc8\x96\x78", 3);
    }
}

static inline void scene_set(struct watch_world *w, enum watch_base base)
{
    struct draw_scene *scene = &w->table->scene;
    if (base == BASE_EMPTY)
        scene->blocks = 0;
    if (base == BASE_HALF)
        scene->blocks = 2;
    if (base == BASE_HAND || base == BASE_HAND_2) {
        scene->seed += base;
        draw_scene_thing(scene, 0, DRAW_THING_HAND, true,
                         &(struct draw_random){.state = 77u + base});
    }
    if (base == BASE_OTHER || base == BASE_COVER_2) {
        struct draw_block *block = &scene->block[SEAT_LOOSE];
        block->center_mm[1] += 60;
    }
    if (base == BASE_NO_CARD)
        scene->cards = 0;
    if (base == BASE_CARD_2)
        calib_grid_parse(SEAT_GRID, strlen(SEAT_GRID), &scene->card[0].card.grid);
    if (base == BASE_KNOCK || base == BASE_SHOVE) {
        scene->pose.t_mm[0] += base == BASE_KNOCK ? KNOCK_MM : SHOVE_MM * 0.8;
        scene->pose.t_mm[1] += base == BASE_KNOCK ? 0 : SHOVE_MM * 0.6;
    }
    if (base == BASE_OUT)
        scene->pose.t_mm[0] += OUT_MM;
}

/* Draws a base when it is first wanted. */
static inline const uint8_t *scene_base(struct watch_world *w, enum watch_base base)
{
    struct seat_world *table = w->table;
    if (w->base[base])
        return w->base[base];
    if (seat_scene_start(table, 3, WATCH_CELL_PX, WATCH_TILT_DEG) != 0)
        return NULL;
    table->scene.optics.noise = 0;
    scene_set(w, base);
    if (seat_scene_draw(table) != 0)
        return NULL;
    size_t length = 3 * (size_t)table->picture.frame->width * (size_t)table->picture.frame->height;
    w->width = table->picture.frame->width;
    w->height = table->picture.frame->height;
    w->optics = table->scene.optics;
    w->optics.quality = 88;
    w->base[base] = malloc(length);
    if (w->base[base]) {
        memcpy(w->base[base], table->picture.rgb, length);
        if (base == BASE_TAGS)
            scene_cover(w, w->base[base], 4);
        if (base == BASE_COVER || base == BASE_COVER_2)
            scene_cover(w, w->base[base], MAT_TAGS_MAX);
    }
    return w->base[base];
}

static inline double noise_next(struct watch_world *w)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        w->random = w->random * 1664525u + 1013904223u;
        sum += (double)(w->random >> 16) / 65536.0 - 0.5;
    }
    return 2 * sum; /* of three even ones: a standard deviation of one */
}

/* The frame's picture, before compression. */
static inline void frame_make(struct watch_world *w, const uint8_t *base)
{
    for (int y = 0; y < w->height; y++) {
        double row = w->gain * (1 + w->bands * sin(w->band_phase + 2 * M_PI * w->bands_over * y / w->height));
        for (int x = 0; x < w->width; x++) {
            int from = w->mirrored ? w->width - 1 - x : x;
            const uint8_t *in = base + 3 * ((size_t)y * (size_t)w->width + (size_t)from);
            uint8_t *out = w->rgb + 3 * ((size_t)y * (size_t)w->width + (size_t)x);
            double noise = w->noise > 0 ? w->noise * noise_next(w) : 0;
            for (int c = 0; c < 3; c++) {
                double value = in[c] * row * (1 + w->tint * (1 - c)) + noise;
                out[c] = (uint8_t)draw_clamp(value + 0.5, 0, 255);
            }
        }
    }
    w->band_phase += w->band_step;
}

/* Shows `frames` frames of a base, an interval apart. Returns the time of the first of them; -1
 * when something fails. */
static inline int64_t show(struct watch_world *w, enum watch_base which, int frames)
{
    const uint8_t *base = scene_base(w, which);
    int64_t first = w->t_ns;
    if (!base)
        return -1;
    if (!w->rgb)
        w->rgb = malloc(3 * (size_t)w->width * (size_t)w->height);
    for (int i = 0; i < frames && w->rgb; i++) {
        struct picture picture = {.format = PICTURE_MJPEG, .width = w->width, .height = w->height};
        uint8_t *jpeg = NULL;
        size_t length = 0;
        frame_make(w, base);
        if (draw_jpeg_encode(&w->optics, w->rgb, w->width, w->height, &jpeg, &length) != 0)
            return -1;
        picture.bytes = jpeg;
        picture.length = w->damaged ? length / 2 : length;
        picture.time_ns = picture.arrived_ns = w->t_ns;
        picture.sequence = w->sequence++;
        int error = vision_watch_picture(w->watch, &picture);
        w->t_ns += WATCH_INTERVAL_NS;
        free(jpeg);
        if (error)
            return -1;
    }
    return first;
}

/* ---- the world ---- */

/* A new watch, nothing told yet. With `lens` the camera is known. */
static inline int world_watch(struct watch_world *w, struct watch_options options, bool lens)
{
    const struct alignment alignment = vision_alignment_defaults();
    const struct watch_sink sink = {.layout = told_layout,
                                    .motion = told_motion,
                                    .card = told_card,
                                    .health = told_health,
                                    .seen = told_seen,
                                    .context = w};
    if (!scene_base(w, BASE_BUILT))
        return -1;
    memset(&w->rig, 0, sizeof w->rig);
    w->rig.camera = w->table->scene.camera;
    w->kit.rig = lens ? &w->rig : NULL;
    vision_watch_destroy(&w->watch);
    w->watch = vision_watch_create(&w->kit, &alignment, &options, &sink);
    w->count = 0;
    w->t_ns = 5000000000;
    w->sequence = 100;
    w->noise = 1.5;
    w->gain = 1;
    w->tint = w->bands = w->band_phase = 0;
    w->band_step = 1.0;
    w->bands_over = 1.43;
    w->damaged = w->mirrored = false;
    w->random = 1;
    return w->watch ? 0 : -1;
}

static inline struct watch_options world_options(void)
{
    return (struct watch_options){.settle_frames = 3, .interval_ns = WATCH_INTERVAL_NS};
}

static inline void world_close(struct watch_world **world)
{
    struct watch_world *w = *world;
    if (!w)
        return;
    vision_watch_destroy(&w->watch);
    for (int i = 0; i < BASES; i++)
        free(w->base[i]);
    free(w->rgb);
    seat_world_close(&w->table);
    free(w);
    *world = NULL;
}

static inline struct watch_world *world_open(void)
{
    struct watch_world *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->table = seat_world_open("match-madness", "fixture");
    if (!w->table) {
        world_close(&w);
        return NULL;
    }
    w->kit = (struct table_kit){.mat = &w->table->mat,
                                .set = w->table->set,
                                .deck = w->table->deck,
                                .style = w->table->style};
    return w;
}

#endif
