/* capture/camera_warm.c: the first pictures after a start, until they can be judged. Webcams begin
 * with cut-off pictures, then dark or burnt-out ones, until exposure and white balance have found
 * their place: some are right after 2, others after 25. */
#include <stdlib.h>
#include <string.h>

#include "capture/camera.h"

/* Never judged, however they look: partial pictures, and those left over from another start. */
#define FIRST_PICTURES 3

/* Longer than webcams take; then the table itself changes (people build already), and waiting on
 * would be for nothing. */
#define LATE_NS 4000000000LL

/* Still: over the last pictures, brightness keeps within 3 % and a level, which is noise and a
 * hand at the edge; colour within two levels, a fifth of what a change of lamp makes. In
 * sixteenths of a level. */
#define STILL_LIGHT(mean) ((mean)*3 / 100 + 16)
#define STILL_COLOUR 32

/* The same light before and after the automatics were held: within 8 % and two levels, within four
 * levels of colour. A camera that falls back to a value of its own is off by much more, or it does
 * not matter. */
#define SAME_LIGHT(mean) ((mean)*8 / 100 + 32)
#define SAME_COLOUR 64

enum camera_warm capture_camera_warm(struct camera_warmth *warmth, const struct camera_means *means,
                                     int64_t now_ns)
{
    struct camera_means least, most;

    if (warmth->seen == 0)
        warmth->first_ns = now_ns;
    warmth->seen++;
    if (means && warmth->seen > FIRST_PICTURES) {
        warmth->ring[warmth->kept % CAMERA_STILL_PICTURES] = *means;
        warmth->kept++;
    }
    if (now_ns - warmth->first_ns >= LATE_NS && warmth->seen > FIRST_PICTURES)
        return CAMERA_WARM_LATE;
    if (warmth->kept < CAMERA_STILL_PICTURES)
        return CAMERA_WARM_NOT_YET;
    least = most = warmth->ring[0];
    for (int i = 1; i < CAMERA_STILL_PICTURES; i++) {
        const struct camera_means *one = &warmth->ring[i];

        least.y = one->y < least.y ? one->y : least.y;
        least.cb = one->cb < least.cb ? one->cb : least.cb;
        least.cr = one->cr < least.cr ? one->cr : least.cr;
        most.y = one->y > most.y ? one->y : most.y;
        most.cb = one->cb > most.cb ? one->cb : most.cb;
        most.cr = one->cr > most.cr ? one->cr : most.cr;
    }
    return most.y - least.y <= STILL_LIGHT(most.y) && most.cb - least.cb <= STILL_COLOUR &&
                   most.cr - least.cr <= STILL_COLOUR
               ? CAMERA_WARM_STILL
               : CAMERA_WARM_NOT_YET;
}

struct camera_means capture_camera_warm_means(const struct camera_warmth *warmth)
{
    int count = warmth->kept < CAMERA_STILL_PICTURES ? warmth->kept : CAMERA_STILL_PICTURES;
    struct camera_means sum = {0, 0, 0};

    for (int i = 0; i < count; i++) {
        sum.y += warmth->ring[i].y;
        sum.cb += warmth->ring[i].cb;
        sum.cr += warmth->ring[i].cr;
    }
    if (count > 0)
        sum = (struct camera_means){sum.y / count, sum.cb / count, sum.cr / count};
    return sum;
}

bool capture_camera_light_differs(const struct camera_means *a, const struct camera_means *b)
{
    int most = a->y > b->y ? a->y : b->y;

    return abs(a->y - b->y) > SAME_LIGHT(most);
}

bool capture_camera_colour_differs(const struct camera_means *a, const struct camera_means *b)
{
    return abs(a->cb - b->cb) > SAME_COLOUR || abs(a->cr - b->cr) > SAME_COLOUR;
}
