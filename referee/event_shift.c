/* referee/event_shift.c: events from one clock to another. */
#include "referee/event_shift.h"

static void shift(int64_t *t_ns, int64_t by_ns)
{
    if (by_ns > 0 && *t_ns > INT64_MAX - by_ns)
        *t_ns = INT64_MAX;
    else if (by_ns < 0 && *t_ns < INT64_MIN - by_ns)
        *t_ns = INT64_MIN;
    else
        *t_ns += by_ns;
}

void referee_event_shift(struct event *event, int64_t by_ns)
{
    shift(&event->t_ns, by_ns);
    switch (event->kind) {
    case EVENT_LAYOUT:
        shift(&event->layout.first_t_ns, by_ns);
        shift(&event->layout.moved_t_ns, by_ns);
        break;
    case EVENT_MOTION:
        shift(&event->motion.at_t_ns, by_ns);
        break;
    case EVENT_CARD:
        shift(&event->card.first_t_ns, by_ns);
        break;
    case EVENT_CLAIM:
        shift(&event->claim.claimed_t_ns, by_ns);
        break;
    case EVENT_TICK:
        shift(&event->seen_t_ns, by_ns);
        break;
    case EVENT_DISCS:
    case EVENT_SET_DISCS:
        shift(&event->discs.first_t_ns, by_ns);
        break;
    default:
        break;
    }
}
