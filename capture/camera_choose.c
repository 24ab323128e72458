/* capture/camera_choose.c: which of a camera's formats and sizes is taken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calib/mark.h"
#include "capture/camera.h"
#include "capture/fault.h"

#define USUAL_RATE 30
#define USUAL_WIDTH_PX 1920
#define USUAL_HEIGHT_PX 1080

/* A layout counts when it read the same over three pictures: below this that takes longer than a
 * fast player needs for the next move. Raw formats over USB 2 have 5 at full size, 30 at 640x480.
 */
#define RATE_MILLI_LEAST 15000

struct candidate {
    struct camera_choice choice;
    int rate_milli; /* the fitting one; 0: not known */
};

static int asked_rate(const struct camera_wish *wish)
{
    return wish->rate > 0 ? wish->rate : USUAL_RATE;
}

/* Of a mode's rates the nearest to what is asked for. */
static int nearest_rate(const struct device_mode *mode, int rate)
{
    int best = 0;

    for (int i = 0; i < mode->rate_count; i++)
        if (best == 0 || abs(mode->rate_milli[i] - rate * 1000) < abs(best - rate * 1000))
            best = mode->rate_milli[i];
    return best;
}

static bool side_fits(int asked, int least, int most, int step)
{
    return asked >= least && asked <= most && (asked - least) % step == 0;
}

/* The size that is taken of a range: the asked one, or the largest up to the usual. */
static int side_of_range(int asked, int least, int most, int step, int usual)
{
    int side = most < usual ? most : usual;

    if (asked > 0)
        return asked;
    return side <= least ? least : least + (side - least) / step * step;
}

/* False when the mode cannot have the size that is asked for. */
static bool take_size(const struct device_mode *mode, const struct camera_wish *wish,
                      struct camera_choice *choice)
{
    const struct device_size *size = &mode->size;

    choice->width = size->width > 0 ? size->width : wish->width;
    choice->height = size->height > 0 ? size->height : wish->height;
    if (size->stepped) {
        choice->width = side_of_range(wish->width, size->width, size->width_max, size->width_step,
                                      USUAL_WIDTH_PX);
        choice->height = side_of_range(wish->height, size->height, size->height_max,
                                       size->height_step, USUAL_HEIGHT_PX);
        return side_fits(choice->width, size->width, size->width_max, size->width_step) &&
               side_fits(choice->height, size->height, size->height_max, size->height_step);
    }
    return (wish->width == 0 || choice->width == wish->width) &&
           (wish->height == 0 || choice->height == wish->height);
}

static bool is_usual(const struct camera_choice *choice)
{
    return choice->width <= USUAL_WIDTH_PX && choice->height <= USUAL_HEIGHT_PX;
}

static bool is_fast(const struct candidate *candidate)
{
    int least = candidate->choice.rate * 1000;

    if (least > RATE_MILLI_LEAST)
        least = RATE_MILLI_LEAST;
    return candidate->rate_milli == 0 || candidate->rate_milli >= least - least / 20;
}

/* What is above 0 speaks for b, below for a; the first that speaks decides. */
static int compare_candidates(const void *first, const void *second)
{
    const struct candidate *a = first, *b = second;
    const struct camera_choice *one = &a->choice, *other = &b->choice;
    int64_t area_a = (int64_t)one->width * one->height;
    int64_t area_b = (int64_t)other->width * other->height;
    int asked = one->rate * 1000, by;

    by = (one->format != PICTURE_MJPEG) - (other->format != PICTURE_MJPEG);
    if (!by)
        by = (one->format == PICTURE_GREY) - (other->format == PICTURE_GREY);
    if (!by)
        by = is_fast(b) - is_fast(a);
    if (!by)
        by = is_usual(other) - is_usual(one);
    if (!by && is_usual(one))
        by = (area_a < area_b) - (area_a > area_b);
    else if (!by)
        by = (area_a > area_b) - (area_a < area_b);
    if (!by)
        by = abs(a->rate_milli - asked) - abs(b->rate_milli - asked);
    return by ? by : (int)one->format - (int)other->format;
}

static int refuse(const struct device_modes *modes, const struct camera_wish *wish,
                  struct capture_fault *fault)
{
    char list[160] = "", size[32] = "";
    size_t used = 0;

    for (int i = 0; i < modes->count && used + 24 < sizeof list; i++) {
        const struct device_mode *mode = &modes->mode[i];
        int length = snprintf(list + used, sizeof list - used, "%s%s %dx%d%s", used ? ", " : "",
                              capture_picture_format_name(mode->format), mode->size.width,
                              mode->size.height, mode->size.stepped ? N_(" and up") : "");
        used += length > 0 ? (size_t)length : 0;
    }
    if (wish->width > 0 || wish->height > 0)
        snprintf(size, sizeof size, " of %dx%d", wish->width, wish->height);
    if (modes->count == 0)
        capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                     "the camera has none of the formats MJPEG, YUYV, UYVY, NV12, grey; it has %s",
                     modes->others[0] ? modes->others : N_("none at all"));
    else
        capture_fail(fault, CAPTURE_E_UNSUPPORTED, "the camera has no %s%s; it has %s",
                     wish->format >= 0
                         ? capture_picture_format_name((enum picture_format)wish->format)
                         : "picture",
                     size, list);
    return 0;
}

int capture_camera_choose(const struct device_modes *modes, const struct camera_wish *wish,
                          struct camera_choice out[CAMERA_CHOICES_MAX], struct capture_fault *fault)
{
    struct candidate candidates[DEVICE_MODES_MAX];
    int count = 0;

    for (int i = 0; i < modes->count; i++) {
        const struct device_mode *mode = &modes->mode[i];
        struct candidate *candidate = &candidates[count];

        if (wish->format >= 0 && (int)mode->format != wish->format)
            continue;
        memset(candidate, 0, sizeof *candidate);
        candidate->choice = (struct camera_choice){.fourcc = mode->fourcc,
                                                   .format = mode->format,
                                                   .planes = mode->planes,
                                                   .rate = asked_rate(wish)};
        candidate->rate_milli = nearest_rate(mode, asked_rate(wish));
        if (take_size(mode, wish, &candidate->choice))
            count++;
    }
    if (count == 0)
        return refuse(modes, wish, fault);
    qsort(candidates, (size_t)count, sizeof candidates[0], compare_candidates);
    if (count > CAMERA_CHOICES_MAX)
        count = CAMERA_CHOICES_MAX;
    for (int i = 0; i < count; i++)
        out[i] = candidates[i].choice;
    return count;
}
