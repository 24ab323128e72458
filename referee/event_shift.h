/* referee/event_shift.h: events from one clock to another. */
#ifndef REFEREE_EVENT_SHIFT_H
#define REFEREE_EVENT_SHIFT_H

#include "referee/event.h"

/* Adds by_ns to every time in the event. Times that would overflow stay at the bound. */
void referee_event_shift(struct event *event, int64_t by_ns);

#endif
