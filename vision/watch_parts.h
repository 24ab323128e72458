/* vision/watch_parts.h: what the files of the watch share: its state, its seats and slots. */
#ifndef VISION_WATCH_PARTS_H
#define VISION_WATCH_PARTS_H

#include "vision/bands.h"
#include "vision/motion.h"
#include "vision/settle.h"
#include "vision/watch.h"

/* A seat or a slot over time. */
struct part {
    struct region region;
    uint8_t *reference;  /* the region's values when it was last told */
    int64_t light;       /* the light's level then */
    bool told;           /* what lies there is known, and nothing changed since */
    bool read;           /* there is a reading since it came to rest */
    int reads;           /* how many */
    int rests;           /* pictures for which a restless part was let be */
    int64_t motion_t_ns; /* of the last picture with motion in it; -1: none was seen */
    int64_t unseen_ns;   /* from the picture before that one to it; 0: not known */
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

/* Pixels at full size that show a tag's white margin. */
#define WHITE_POINTS 12
struct white_points {
    int count;
    int16_t px[WHITE_POINTS][2];
};

/* Where the camera stands, and whether it still does. */
struct watched_pose {
    bool known;
    struct mat_pose pose;
    struct mat_pose next; /* a pose that differs, or the first one, until it rests */
    int rested;           /* pictures over which `next` was the same */
    int64_t searched_t_ns;
    int64_t lost_t_ns; /* known, but its tags were not found since then; -1: they were */
    struct part tag[MAT_TAGS_MAX];           /* by index in the mat; told: it was in view */
    bool disturbed[MAT_TAGS_MAX];            /* it looks otherwise than when it was found */
    struct white_points white[MAT_TAGS_MAX]; /* of the paper around it */
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
    struct region paper; /* the sheet */
    struct small before, now;
    bool any_before;
    int64_t before_t_ns;
    uint64_t before_frame;
    struct small_change change; /* from `before` to `now` */
    struct small anchor;        /* a picture of up to ANCHOR_NS ago; width 0: none */
    int64_t anchor_t_ns, anchor_light;
    int64_t light; /* its level now, of LIGHT_START at the first picture */
    /* the picture that is being looked at */
    const struct picture *picture;
    const struct frame *full; /* decoded in full and upright, or NULL */
    struct frame *flipped;    /* owns it when the pictures are mirrored */
    int64_t t_ns;
    uint64_t frame;
    /* health */
    uint64_t health, told_health;
    int64_t first_t_ns, last_t_ns; /* of good pictures; -1: none yet */
    bool restarted;                /* and the table was not found since: what was told is old */
    int64_t interval_ns;
    int gaps;           /* pictures in a row that came after a gap */
    uint32_t damaged;   /* the last 32 pictures, a bit each */
    int good;           /* pictures in a row */
    int64_t light_ppm;  /* how much the light changed within about a second */
    int steady;         /* pictures in a row without a change of the light */
    uint32_t banded;    /* the last 32 pictures, a bit each: bands that run */
    int standing;       /* looks in a row that found standing bands; below 0: that found none */
    int64_t stood_t_ns; /* of the last such look; -1: none yet */
    int lit;            /* pictures in a row that are not too dark */
    int white_level[2]; /* the paper's cb and cr, 1/256 level, over about a second */
    int64_t white_t_ns; /* of the last measure of it; -1: none yet */
    int white_steady;   /* measures in a row that are alike, while it changes; else -1 */
    int colours_looks;   /* measures in a row that say otherwise than what was told */
    bool light_differs;  /* from the rig's colours, as was told */
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
/* Up to when everything was looked at and told: see `seen` in vision/watch.h. */
int64_t vision_watch_seen_ns(const struct watch *watch);
/* Tells what is known of them anew. */
void vision_watch_parts_retell(struct watch *watch);

/* --- watch_pose.c: where the camera stands ------------------------------------------------------
 */

/* Where the camera stands is not known any more. */
void vision_watch_pose_forget(struct watch *watch);

/* Finds the pose, or checks it: cheaply, and in full when there is reason to. Sets and clears
 * REASON_MAT_MOVED in the health, and REASON_NO_MAT and the other reasons for which no pose is
 * found. */
int vision_watch_pose(struct watch *watch);

/* Where in the picture the white margins of the tags lie. */
void vision_watch_white_place(struct watch *watch);

/* --- watch_light.c: the light and the camera's automatics ---------------------------------------
 */

/* As if no picture had come yet. */
void vision_watch_light_forget(struct watch *watch);

#define LIGHT_START (1000 * (int64_t)SMALL_SAME_PPM)

/* Measures the light's level: against one picture for a while, as a product of every picture's
 * change would run away with the noise. VISION_E_MEMORY. */
int vision_watch_level(struct watch *watch);
/* What changed as a whole since a part's reference. */
struct small_change vision_watch_since(const struct watch *watch, const struct part *part);
/* Sets and clears REASON_DARK, REASON_BANDING and, of brightness, REASON_LIGHT_CHANGING. */
void vision_watch_light(struct watch *watch);
/* Looks for bands that stand still, whether or not it is time to; before a seat is read. */
void vision_watch_standing(struct watch *watch);
/* The same of white balance, on the full picture, if there is one; decodes it while the balance
 * changes. */
int vision_watch_balance(struct watch *watch);

/* The medians of the paper's y, cb and cr around tags over which nothing lies, 1/256 level. False
 * when too little of it is seen. Needs the full picture. */
bool vision_watch_white(const struct watch *watch, int out[3]);
/* Compares white with the rig's colours, on the full picture if there is one. */
void vision_watch_colours(struct watch *watch);

/* --- watch_health.c -----------------------------------------------------------------------------
 */

/* Pictures are so far apart, as far as is known. */
int64_t vision_watch_interval_ns(const struct watch *watch);
/* A picture came, to be passed over, good, or damaged; time passed without one. */
void vision_watch_came(struct watch *watch);
void vision_watch_good(struct watch *watch);
void vision_watch_damaged(struct watch *watch);
void vision_watch_stale(struct watch *watch, int64_t now_ns);
void vision_watch_health_forget(struct watch *watch);
/* Tells the health if it has changed; when it is well again, everything is told anew. */
void vision_watch_health(struct watch *watch, int64_t t_ns);

#endif
