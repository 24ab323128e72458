/* vision/watch_colours.c: is the light what the rig's colours were taken in? */
#include "vision/watch_parts.h"

#include "calib/symbol.h"

#include <math.h>

/* A cloud or a person beside the lamp passes; so many measures in a row do not. */
#define COLOURS_LOOKS 5

/* Full range BT.601, 1/256 level, to linear light 0..1. */
static void linear_of(const int ycc[3], double rgb[3])
{
    double y = ycc[0] / 256.0, cb = ycc[1] / 256.0 - 128.0, cr = ycc[2] / 256.0 - 128.0;
    const double value[3] = {y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr, y + 1.772 * cb};

    for (int k = 0; k < 3; k++)
        rgb[k] = calib_srgb_to_linear((unsigned char)lround(fmin(fmax(value[k], 0.0), 255.0)));
}

void vision_watch_colours(struct watch *watch)
{
    const struct rig *rig = watch->kit.rig;
    double white[3];
    int ycc[3];

    if (!rig || !rig->colours.known || !watch->at.known || !watch->full ||
        !watch->full->has_colour || watch->full->width != watch->at.pose.camera.width ||
        watch->full->height != watch->at.pose.camera.height || !vision_watch_white(watch, ycc))
        return;
    linear_of(ycc, white);
    bool differs = calib_rig_light_differs(&rig->colours, white);
    watch->colours_looks = differs != watch->light_differs ? watch->colours_looks + 1 : 0;
    if (watch->colours_looks < COLOURS_LOOKS)
        return;
    watch->colours_looks = 0;
    watch->light_differs = differs;
    if (watch->sink.light)
        watch->sink.light(watch->sink.context, differs, watch->t_ns);
}
