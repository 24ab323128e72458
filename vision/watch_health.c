/* vision/watch_health.c: can the picture be trusted? */
#include "vision/watch_parts.h"

#include <stdlib.h>

#define NS_PER_S 1000000000
/* Damaged pictures: two in a row, or more than three of the last 32 (one in ten), are no accident;
 * so many good ones in a row end it. */
#define DAMAGED_MOST 3
#define GOOD_AGAIN 5
/* Intervals without a picture after which what was seen is old. */
#define STALE_INTERVALS 3
/* A change of the light by more than this within about a second, and a picture without any. */
#define LIGHT_MOST_PERMILLE 80
#define LIGHT_STEADY_PERMILLE 10
/* Until the pictures' own times say otherwise: 15 a second. */
#define INTERVAL_NS (NS_PER_S / 15)

void vision_watch_health(struct watch *watch, int64_t t_ns)
{
    if (watch->health == watch->told_health)
        return;
    bool well = watch->health == 0;
    watch->told_health = watch->health;
    vision_watch_forget(watch);
    if (watch->sink.health)
        watch->sink.health(watch->sink.context, watch->health, t_ns);
    if (well)
        watch->any_before = watch->any_before && watch->at.known;
}

void vision_watch_damaged(struct watch *watch)
{
    watch->counts.damaged++;
    watch->damaged = watch->damaged << 1 | 1;
    watch->good = 0;
    if ((watch->damaged & 3) == 3 || __builtin_popcount(watch->damaged) > DAMAGED_MOST)
        watch->health |= REASON_BIT(REASON_DAMAGED_FRAME);
}

static int64_t interval(const struct watch *watch)
{
    if (watch->interval_ns > 0)
        return watch->interval_ns;
    return watch->options.interval_ns > 0 ? watch->options.interval_ns : INTERVAL_NS;
}

/* A gap between two pictures is a time in which nothing was seen, whether or not anybody waited. */
static void gap_take(struct watch *watch)
{
    int64_t gap = watch->t_ns - watch->last_t_ns;
    if (watch->last_t_ns < 0)
        return;
    if (gap > STALE_INTERVALS * interval(watch)) {
        watch->health |= REASON_BIT(REASON_STALE);
        vision_watch_health(watch, watch->last_t_ns + STALE_INTERVALS * interval(watch));
        watch->any_before = false;
    } else if (gap > 0) {
        /* Measured: exposure lowers a camera's rate below what it says. */
        watch->interval_ns = watch->interval_ns > 0 ? (7 * watch->interval_ns + gap) / 8 : gap;
    }
}

void vision_watch_good(struct watch *watch)
{
    if (watch->first_t_ns < 0)
        watch->first_t_ns = watch->t_ns;
    gap_take(watch);
    watch->last_t_ns = watch->t_ns;
    watch->damaged <<= 1;
    watch->good++;
    watch->health &= ~REASON_BIT(REASON_STALE);
    if (watch->good >= GOOD_AGAIN) {
        watch->health &= ~REASON_BIT(REASON_DAMAGED_FRAME);
        if (watch->good == GOOD_AGAIN)
            watch->damaged = 0;
    }
}

void vision_watch_stale(struct watch *watch, int64_t now_ns)
{
    if (watch->last_t_ns >= 0 && now_ns - watch->last_t_ns > STALE_INTERVALS * interval(watch))
        watch->health |= REASON_BIT(REASON_STALE);
}

void vision_watch_light(struct watch *watch)
{
    int64_t forget = NS_PER_S / interval(watch);
    int change = watch->change.gain_permille - 1000;
    if (forget < 2)
        forget = 2;
    watch->light_permille += change - watch->light_permille / forget;
    watch->steady = abs(change) < LIGHT_STEADY_PERMILLE ? watch->steady + 1 : 0;
    if (llabs(watch->light_permille) > LIGHT_MOST_PERMILLE)
        watch->health |= REASON_BIT(REASON_LIGHT_CHANGING);
    if (watch->steady < watch->options.settle_frames)
        return;
    if (watch->health & REASON_BIT(REASON_LIGHT_CHANGING))
        watch->light_permille = 0;
    watch->health &= ~REASON_BIT(REASON_LIGHT_CHANGING);
}
