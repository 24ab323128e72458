/* vision/ramp_layout.c: see ramp_layout.h. */
#include "vision/ramp_layout.h"

const char *vision_ramp_state_name(enum ramp_seen_state state)
{
    switch (state) {
    case RAMP_COMPLETE:
        return "complete";
    case RAMP_INCOMPLETE:
        return "incomplete";
    case RAMP_OCCLUDED:
        return "occluded";
    case RAMP_UNREADABLE:
        return "unreadable";
    }
    return "unreadable";
}

void vision_ramp_mirror_px(struct ramp_layout *layout, int width)
{
    for (int i = 0; i < layout->discs; i++)
        layout->disc[i].center_px10[0] = 10 * (width - 1) - layout->disc[i].center_px10[0];
}
