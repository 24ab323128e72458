/* vision/watch_health.c: can the picture be trusted? */
#include "vision/watch_parts.h"

#define NS_PER_S 1000000000
/* Damaged pictures: two in a row, or more than three of the last 32 (one in ten), are no accident;
 * so many good ones in a row end it. */
#define DAMAGED_MOST 3
#define GOOD_AGAIN 5
/* Intervals without a picture after which what was seen is old. */
#define STALE_INTERVALS 3
/* After so many gaps in a row it is no gap but the rate, unless it is slower than this. */
#define GAPS_MOST 5
#define SLOWEST_NS NS_PER_S
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

int64_t vision_watch_interval_ns(const struct watch *watch)
{
    if (watch->interval_ns > 0)
        return watch->interval_ns;
    return watch->options.interval_ns > 0 ? watch->options.interval_ns : INTERVAL_NS;
}

/* A gap between two pictures is a time in which nothing was seen, whether or not anybody waited. */
static void gap_take(struct watch *watch)
{
    int64_t gap_ns = watch->t_ns - watch->last_t_ns, usual_ns = vision_watch_interval_ns(watch);
    if (watch->last_t_ns < 0)
        return;
    bool stale = gap_ns > STALE_INTERVALS * usual_ns;
    watch->gaps = stale ? watch->gaps + 1 : 0;
    if (stale) {
        watch->health |= REASON_BIT(REASON_STALE);
        vision_watch_health(watch, watch->last_t_ns + STALE_INTERVALS * usual_ns);
        watch->any_before = false;
    }
    /* Measured: exposure lowers a camera's rate below what it says. From the rate that it says on,
     * as pictures that waited in a queue come at once. */
    if (watch->gaps >= GAPS_MOST && gap_ns <= SLOWEST_NS)
        watch->interval_ns = gap_ns;
    else if (!stale && gap_ns > 0)
        watch->interval_ns = (7 * usual_ns + gap_ns) / 8;
}

void vision_watch_came(struct watch *watch)
{
    gap_take(watch);
    watch->last_t_ns = watch->t_ns;
}

void vision_watch_good(struct watch *watch)
{
    if (watch->first_t_ns < 0)
        watch->first_t_ns = watch->t_ns;
    vision_watch_came(watch);
    watch->damaged <<= 1;
    watch->good++;
    if (!watch->restarted)
        watch->health &= ~REASON_BIT(REASON_STALE);
    if (watch->good >= GOOD_AGAIN) {
        watch->health &= ~REASON_BIT(REASON_DAMAGED_FRAME);
        if (watch->good == GOOD_AGAIN)
            watch->damaged = 0;
    }
}

void vision_watch_health_forget(struct watch *watch)
{
    watch->first_t_ns = watch->last_t_ns = -1;
    watch->interval_ns = 0;
    watch->gaps = watch->good = 0;
    watch->damaged = 0;
}

void vision_watch_stale(struct watch *watch, int64_t now_ns)
{
    if (watch->last_t_ns >= 0 &&
        now_ns - watch->last_t_ns > STALE_INTERVALS * vision_watch_interval_ns(watch))
        watch->health |= REASON_BIT(REASON_STALE);
}
