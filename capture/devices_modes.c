/* capture/devices_modes.c: what a device can do. No list of a driver's is taken to end by itself.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/devices.h"

#define FORMATS_MAX 256
#define SIZES_MAX 64
#define INTERVALS_MAX 32

#define USUAL_WIDTH_PX 1920
#define USUAL_HEIGHT_PX 1080

static void note_rate(struct device_mode *mode, int64_t interval_ns)
{
    int rate, at = 0;

    if (interval_ns <= 0 || mode->rate_count == DEVICE_RATES_MAX)
        return;
    if (interval_ns < 1000000) /* over 1000 pictures a second: a range that begins at nothing */
        interval_ns = 1000000;
    rate = (int)((1000000000000 + interval_ns / 2) / interval_ns);
    while (at < mode->rate_count && mode->rate_milli[at] > rate)
        at++;
    if (at < mode->rate_count && mode->rate_milli[at] == rate)
        return;
    memmove(mode->rate_milli + at + 1, mode->rate_milli + at,
            (size_t)(mode->rate_count - at) * sizeof mode->rate_milli[0]);
    mode->rate_milli[at] = rate;
    mode->rate_count++;
}

/* For a range of sizes the rates are those of the one that would be taken. */
static int usual_side(int least, int most, int step, int usual)
{
    int side = most < usual ? most : usual;

    return side <= least ? least : least + (side - least) / step * step;
}

static void find_rates(const struct device *device, struct device_mode *mode)
{
    const struct device_size *size = &mode->size;
    int width = size->width, height = size->height;

    if (size->stepped) {
        width = usual_side(width, size->width_max, size->width_step, USUAL_WIDTH_PX);
        height = usual_side(height, size->height_max, size->height_step, USUAL_HEIGHT_PX);
    }
    for (int i = 0; i < INTERVALS_MAX; i++) {
        struct device_interval interval;

        if (capture_v4l2_interval_at(device, mode->fourcc, width, height, i, &interval) != 0)
            break;
        note_rate(mode, interval.least_ns);
        note_rate(mode, interval.most_ns);
    }
}

static void find_sizes(const struct device *device, const struct device_format *format,
                       struct device_modes *out)
{
    for (int i = 0; i < SIZES_MAX && out->count < DEVICE_MODES_MAX; i++) {
        struct device_mode *mode = &out->mode[out->count];
        int error;

        memset(mode, 0, sizeof *mode);
        mode->fourcc = format->fourcc;
        mode->format = (enum picture_format)format->format;
        mode->planes = format->planes;
        error = capture_v4l2_size_at(device, format->fourcc, i, &mode->size);
        if (error && i > 0)
            return;
        out->count++;
        if (error) /* this driver lists no sizes: it takes what it likes when asked */
            return;
        find_rates(device, mode);
    }
}

static void note_other(struct device_modes *modes, uint32_t fourcc)
{
    char text[5];
    size_t used = strlen(modes->others);

    capture_v4l2_fourcc_text(fourcc, text);
    if (used + 6 < sizeof modes->others && !strstr(modes->others, text))
        snprintf(modes->others + used, sizeof modes->others - used, "%s%s", used > 0 ? " " : "",
                 text);
}

int capture_devices_modes(const struct device *device, struct device_modes *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < FORMATS_MAX; i++) {
        struct device_format format;
        int error = capture_v4l2_format_at(device, i, &format);

        if (error == -EINVAL)
            break;
        if (error)
            return error;
        /* A picture in two buffers is for multi-planar devices only. */
        if (format.format < 0 || (format.planes > 1 && !device->about.multi_planar))
            note_other(out, format.fourcc);
        else
            find_sizes(device, &format, out);
    }
    return 0;
}
