/* capture/button_filter.c: from the input layer's events to presses. No I/O. */
#include "capture/button.h"

#include <linux/input.h>
#include <string.h>

#define NS_PER_S 1000000000
#define NS_PER_US 1000

_Static_assert(BUTTON_CODES == KEY_CNT, "all keys that the kernel knows");

/* Seconds and microseconds from the device; what makes no time is none. */
static int64_t event_ns(const struct input_event *event)
{
    int64_t s = event->input_event_sec, us = event->input_event_usec;

    if (s < 0 || s > INT64_MAX / NS_PER_S / 2 || us < 0 || us >= NS_PER_S / NS_PER_US)
        return 0;
    return s * NS_PER_S + us * NS_PER_US;
}

/* A key goes down or up. True: that is a press. */
static bool edge_take(struct button_filter *filter, int code, bool down, int64_t at_ns)
{
    /* A change that lies in the future is of another clock, and says nothing of this one. */
    bool bounce = filter->known[code] && at_ns >= filter->edge_ns[code] &&
                  at_ns - filter->edge_ns[code] < BUTTON_BOUNCE_NS;
    bool press = down && !filter->down[code] && !bounce;

    filter->down[code] = down;
    filter->edge_ns[code] = at_ns;
    filter->known[code] = true;
    return press;
}

int capture_button_filter(struct button_filter *filter, const void *bytes, size_t length,
                          struct button_press *out, int most, bool *resync)
{
    struct input_event event;
    int count = 0;

    *resync = false;
    for (size_t at = 0; length - at >= sizeof event; at += sizeof event) {
        memcpy(&event, (const char *)bytes + at, sizeof event);
        if (event.type == EV_SYN) {
            /* The report that lost events ends is not whole either. */
            *resync = *resync || (filter->lost && event.code == SYN_REPORT);
            filter->lost = event.code == SYN_DROPPED || (filter->lost && event.code != SYN_REPORT);
        } else if (event.type == EV_KEY && event.code < BUTTON_CODES && !filter->lost &&
                   (event.value == 0 || event.value == 1)) {
            int64_t at_ns = event_ns(&event);
            if (edge_take(filter, event.code, event.value == 1, at_ns) && count < most)
                out[count++] = (struct button_press){.code = event.code, .at_ns = at_ns};
        }
    }
    return length % sizeof event == 0 ? count : CAPTURE_E_DAMAGED;
}

void capture_button_filter_sync(struct button_filter *filter, const uint8_t *bits, size_t length)
{
    for (int code = 0; code < BUTTON_CODES; code++)
        filter->down[code] = (size_t)code / 8 < length && (bits[code / 8] >> (code % 8)) & 1;
}
