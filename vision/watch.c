/* vision/watch.c: watches a table over time. */
#include "vision/watch.h"

#include "vision/error.h"
#include "vision/watch_parts.h"

#include <stdlib.h>
#include <string.h>

#define SETTLE_MOST 30

struct watch *vision_watch_create(const struct table_kit *kit, const struct alignment *alignment,
                                  const struct watch_options *options,
                                  const struct watch_sink *sink)
{
    struct watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return NULL;
    watch->kit = *kit;
    watch->options = *options;
    if (watch->options.settle_frames < 1)
        watch->options.settle_frames = 1;
    if (watch->options.settle_frames > SETTLE_MOST)
        watch->options.settle_frames = SETTLE_MOST;
    if (sink)
        watch->sink = *sink;
    vision_watch_health_forget(watch);
    vision_watch_pose_forget(watch);
    vision_watch_light_forget(watch);
    watch->decoder = capture_decoder_create();
    watch->reader = vision_table_create(kit, alignment);
    if (!watch->decoder || !watch->reader)
        vision_watch_destroy(&watch);
    return watch;
}

void vision_watch_destroy(struct watch **watch)
{
    if (!watch || !*watch)
        return;
    struct watch *w = *watch;
    vision_watch_parts_free(w);
    vision_small_free(&w->before);
    vision_small_free(&w->now);
    vision_small_free(&w->anchor);
    capture_frame_destroy(&w->flipped);
    vision_table_destroy(&w->reader);
    capture_decoder_destroy(&w->decoder);
    free(w);
    *watch = NULL;
}

/* A picture that the decoder refuses is damaged; only memory is an error. */
static int decode(struct watch *watch, int scale, bool colour, const struct frame **out)
{
    int error = capture_decoder_decode(watch->decoder, watch->picture, scale, colour, out, NULL);
    if (error == CAPTURE_E_MEMORY)
        return VISION_E_MEMORY;
    return error < 0 ? VISION_E_ARGUMENT : VISION_OK;
}

int vision_watch_full(struct watch *watch)
{
    const struct frame *frame;
    if (watch->full)
        return VISION_OK;
    int error = decode(watch, 1, true, &frame);
    if (error)
        return error;
    if (watch->options.mirrored) {
        capture_frame_destroy(&watch->flipped);
        if (!(watch->flipped = capture_frame_orient(frame, 2)))
            return VISION_E_MEMORY;
        frame = watch->flipped;
    }
    watch->full = frame;
    return VISION_OK;
}

static void small_mirror(struct small *small)
{
    for (int y = 0; y < small->height; y++) {
        uint8_t *row = small->y + (size_t)y * (size_t)small->width;
        for (int a = 0, b = small->width - 1; a < b; a++, b--) {
            uint8_t kept = row[a];
            row[a] = row[b];
            row[b] = kept;
        }
    }
}

static int small_look(struct watch *watch)
{
    const struct frame *frame;
    int error = decode(watch, MOTION_SCALE, false, &frame);
    if (!error)
        error = vision_small_take(&watch->now, frame);
    if (!error && watch->options.mirrored)
        small_mirror(&watch->now);
    if (error)
        return error;
    /* Another size is another picture: what lay where in the old one is not known of it. */
    if (watch->before.width > 0 &&
        (watch->before.width != watch->now.width || watch->before.height != watch->now.height)) {
        watch->any_before = false;
        vision_watch_pose_forget(watch);
        watch->white_t_ns = -1;
        watch->anchor.width = 0;
        watch->health |= REASON_BIT(REASON_MAT_MOVED);
    }
    watch->change = (struct small_change){.gain_ppm = SMALL_SAME_PPM};
    if (watch->any_before)
        watch->change = vision_small_compare(&watch->before, &watch->now);
    return vision_watch_level(watch);
}

/* `now` becomes `before`. */
static void small_swap(struct watch *watch)
{
    struct small kept = watch->before;
    watch->before = watch->now;
    watch->now = kept;
    watch->any_before = true;
    watch->before_t_ns = watch->t_ns;
    watch->before_frame = watch->frame;
}

/* Everything that one good picture brings. */
static int picture_look(struct watch *watch)
{
    vision_watch_good(watch);
    vision_watch_light(watch);
    int error = vision_watch_pose(watch);
    if (!error)
        error = vision_watch_balance(watch);
    if (error)
        return error;
    vision_watch_health(watch, watch->t_ns);
    return watch->health || !watch->at.known ? VISION_OK : vision_watch_parts(watch);
}

int vision_watch_picture(struct watch *watch, const struct picture *picture)
{
    watch->picture = picture;
    watch->full = NULL;
    watch->t_ns = picture->time_ns;
    watch->frame = picture->sequence;
    watch->counts.pictures++;
    int error = picture->damaged ? VISION_E_ARGUMENT : small_look(watch);
    if (!error) {
        error = picture_look(watch);
        if (!error)
            vision_watch_colours(watch);
        small_swap(watch);
    }
    watch->picture = NULL;
    watch->full = NULL;
    if (error == VISION_E_MEMORY)
        return error;
    if (error) {
        vision_watch_damaged(watch);
        vision_watch_health(watch, watch->t_ns);
        return VISION_OK;
    }
    if (watch->sink.seen)
        watch->sink.seen(watch->sink.context, watch->frame, vision_watch_seen_ns(watch));
    return VISION_OK;
}

void vision_watch_passed(struct watch *watch, const struct picture *picture)
{
    watch->t_ns = picture->time_ns;
    if (picture->damaged)
        vision_watch_damaged(watch);
    else
        vision_watch_came(watch);
    vision_watch_health(watch, watch->t_ns);
}

void vision_watch_nothing(struct watch *watch, int64_t now_ns)
{
    if (!watch->options.live)
        return;
    vision_watch_stale(watch, now_ns);
    vision_watch_health(watch, now_ns);
}

void vision_watch_restart(struct watch *watch)
{
    /* Before the first good picture nothing is known that could be wrong. */
    watch->restarted = watch->restarted || watch->first_t_ns >= 0;
    watch->any_before = false;
    vision_watch_pose_forget(watch);
    vision_watch_light_forget(watch);
    vision_watch_health_forget(watch);
    watch->health = watch->restarted ? REASON_BIT(REASON_STALE) : 0;
    vision_watch_forget(watch);
    vision_watch_health(watch, watch->t_ns);
}

void vision_watch_retell(struct watch *watch)
{
    watch->told_health = watch->health;
    if (watch->sink.health)
        watch->sink.health(watch->sink.context, watch->health, watch->t_ns);
    if (!watch->health && watch->at.known)
        vision_watch_parts_retell(watch);
}

void vision_watch_counts(const struct watch *watch, struct watch_counts *out)
{
    *out = watch->counts;
}
