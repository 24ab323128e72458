/* vision/watch_parts.h: what the files of the watch share: its state, its seats and slots. */
#ifndef VISION_WATCH_PARTS_H
#define VISION_WATCH_PARTS_H

#include "vision/motion.h"
#include "vision/settle.h"
#include "vision/watch.h"

/* A seat or a slot over time. */
struct part {
    struct region region;
    uint8_t *reference;  /* the region's values when it was last told */
    int64_t gain_ppm;    /* of the light since then */
    bool told;           /* what lies there is known, and nothing changed since */
    bool read;           /* there is a reading since it came to rest */
    int reads;           /* how many */
    int64_t motion_t_ns; /* of the last picture with motion in it; -1: none was seen */
    struct settle settle;
};

struct watched_seat {
    struct part part;
    struct layout_seat last; /* the last reading */
    struct layout_seat open; /* the last one told that was not hidden */
    bool any_open;
    int64_t moved_t_ns; /* when its blocks last moved, as far as is known */
};

struct watched_slot {
    struct part part;
    struct layout_card last;
};

/* Where the camera stands, and whether it still does. */
struct watched_pose {
    bool known;
    struct mat_pose pose;
    struct mat_pose next; /* a pose that differs, or the first one, until it rests */
    int rested;           /* pictures over which `next` was the same */
    int64_t searched_t_ns;
    struct part tag[MAT_TAGS_MAX]; /* by index in the mat; told: it was in view */
};

struct watch {
    struct table_kit kit;
    struct watch_options options;
    struct watch_sink sink;
    struct decoder *decoder;
    struct table_reader *reader;
    struct watched_pose at;
    struct watched_seat seat[MAT_SEATS_MAX];
    struct watched_slot slot[MAT_SLOTS_MAX];
    struct small before, now;
    bool any_before;
    int64_t before_t_ns;
    uint64_t before_frame;
    struct small_change change; /* from `before` to `now` */
    /* the picture that is being looked at */
    const struct picture *picture;
    const struct frame *full; /* decoded in full and upright, or NULL */
    struct frame *flipped;    /* owns it when the pictures are mirrored */
    int64_t t_ns;
    uint64_t frame;
    /* health */
    uint64_t health, told_health;
    int64_t first_t_ns, last_t_ns; /* of good pictures; -1: none yet */
    int64_t interval_ns;
    uint32_t damaged;       /* the last 32 pictures, a bit each */
    int good;               /* pictures in a row */
    int64_t light_permille; /* how much the light changed within about a second */
    int steady;             /* pictures in a row without a change of the light */
    struct watch_counts counts;
};

/* The picture at full size, decoded once. VISION_E_MEMORY; any other error is a damaged picture. */
int vision_watch_full(struct watch *watch);

/* --- watch_parts.c: seats and slots -------------------------------------------------------------
 */

/* Regions of seats, slots and tags for the pose that is now known. */
int vision_watch_regions(struct watch *watch);
void vision_watch_parts_free(struct watch *watch);
/* Nothing that was told is known any more. */
void vision_watch_forget(struct watch *watch);
/* Looks at every seat and slot, reads those that must be, and tells what settled. */
int vision_watch_parts(struct watch *watch);

/* --- watch_pose.c: where the camera stands
 * -------------------------------------------------------- */

/* Finds the pose, or checks it: cheaply, and in full when there is reason to. Sets and clears
 * REASON_NO_MAT and REASON_MAT_MOVED in the health. */
int vision_watch_pose(struct watch *watch);

/* --- watch_health.c
 * ---------------------------------------------------------------------------------
 */

/* A picture came, good or damaged; time passed without one. */
void vision_watch_good(struct watch *watch);
void vision_watch_damaged(struct watch *watch);
void vision_watch_light(struct watch *watch);
void vision_watch_stale(struct watch *watch, int64_t now_ns);
/* Tells the health if it has changed; when it is well again, everything is told anew. */
void vision_watch_health(struct watch *watch, int64_t t_ns);

#endif
