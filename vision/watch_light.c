/* vision/watch_light.c: the light over the table, and the camera's automatics. */
#include "vision/watch_parts.h"

#include "vision/error.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000
/* A change of the light by more than this within about a second, and a picture without any. */
#define LIGHT_MOST_PPM 80000
#define LIGHT_STEADY_PPM 10000
/* So long one picture is what the light is measured against. */
#define ANCHOR_NS (10 * (int64_t)NS_PER_S)
/* The mat is the brightest large thing in a picture: a twentieth of it is white paper. Below the
 * first level that is a hundredth of full light, of which a sensor's noise leaves no colours, and
 * often no tags (at 36 most tables can still be read, at 23 none); from the second on it is bright
 * enough again. */
#define BRIGHT_PERMILLE 950
#define DARK_LEVEL 26
#define LIT_LEVEL 30
/* Bands whose brightest and darkest rows differ by what would count as a motion on white paper:
 * half of the rows of a wave lie beyond 0.7 of its height, so that 16 between the quarters of the
 * rows are 23 in all, five levels of 230. */
#define BANDS_PERMILLE 16
/* An arm that moves across the whole picture may look like bands once or twice: so many of the
 * last eight pictures are no accident, and without one of them it is over. */
#define BANDS_LEAST 4
#define BANDS_LAST 0xff
/* Bands that stand still are looked for so often, and in every picture in which something is read or
 * while they are there: their number of looks in a row that makes them, or their end. */
#define STANDING_EVERY_NS (NS_PER_S / 2)
#define STANDING_LOOKS 2
#define STANDING_OVER 5
/* The paper's colour turns by more than this within about a second (levels of cb or cr, 1/256): the
 * balance of a bulb against that of daylight is forty. Measures that differ by less are alike. */
#define BALANCE_MOST (5 * 256)
#define BALANCE_STEADY (3 * 256 / 2)
/* Fewer points than that of white paper are no measure: three tags' margins. */
#define WHITE_LEAST (3 * WHITE_POINTS / 2)

/* ---- brightness ---- */

static int anchor_take(struct watch *watch)
{
    const struct small *now = &watch->now;
    size_t pixels = (size_t)now->width * (size_t)now->height;
    uint8_t *copy = realloc(watch->anchor.y, pixels);
    if (!copy)
        return VISION_E_MEMORY;
    watch->anchor.y = copy;
    watch->anchor.width = now->width;
    watch->anchor.height = now->height;
    memcpy(copy, now->y, pixels);
    watch->anchor_t_ns = watch->t_ns;
    watch->anchor_light = watch->light;
    return VISION_OK;
}

int vision_watch_level(struct watch *watch)
{
    if (watch->anchor.width != watch->now.width || watch->anchor.height != watch->now.height)
        return anchor_take(watch);
    int64_t gain = vision_small_compare(&watch->anchor, &watch->now).gain_ppm;
    int64_t light = watch->anchor_light / 1000 * gain / (SMALL_SAME_PPM / 1000);
    /* A level that has run to where it cannot be told in these steps is begun anew: what was told
     * before is then seen to have changed, and read again. */
    watch->light = light < LIGHT_START / 1000 || light > 1000 * LIGHT_START ? LIGHT_START : light;
    int64_t since_ns = watch->t_ns - watch->anchor_t_ns;
    return since_ns < 0 || since_ns > ANCHOR_NS ? anchor_take(watch) : VISION_OK;
}

struct small_change vision_watch_since(const struct watch *watch, const struct part *part)
{
    struct small_change since = watch->change;
    int64_t gain = watch->light / 1000 * SMALL_SAME_PPM / (part->light / 1000);
    int64_t least = SMALL_SAME_PPM / 8, most = 8 * (int64_t)SMALL_SAME_PPM;
    since.gain_ppm = (int)(gain < least ? least : gain > most ? most : gain);
    return since;
}

void vision_watch_light_forget(struct watch *watch)
{
    watch->anchor.width = 0;
    watch->light = LIGHT_START;
    watch->light_ppm = 0;
    watch->steady = watch->lit = 0;
    watch->banded = 0;
    watch->standing = 0;
    watch->stood_t_ns = -1;
    watch->white_t_ns = -1;
    watch->white_steady = -1;
}

static void brightness_look(struct watch *watch)
{
    const uint64_t bit = REASON_BIT(REASON_LIGHT_CHANGING);
    int64_t forget = NS_PER_S / vision_watch_interval_ns(watch);
    int change = watch->change.gain_ppm - SMALL_SAME_PPM;
    if (forget < 2)
        forget = 2;
    watch->light_ppm += change - watch->light_ppm / forget;
    watch->steady = abs(change) < LIGHT_STEADY_PPM ? watch->steady + 1 : 0;
    if (llabs(watch->light_ppm) > LIGHT_MOST_PPM)
        watch->health |= bit;
    if (watch->steady < watch->options.settle_frames || !(watch->health & bit))
        return;
    watch->light_ppm = 0;
    if (watch->white_steady < 0)
        watch->health &= ~bit;
}

static void darkness_look(struct watch *watch)
{
    int level = vision_small_level(&watch->now, BRIGHT_PERMILLE);
    watch->lit = level >= LIT_LEVEL ? watch->lit + 1 : 0;
    if (level < DARK_LEVEL)
        watch->health |= REASON_BIT(REASON_DARK);
    else if (watch->lit >= watch->options.settle_frames)
        watch->health &= ~REASON_BIT(REASON_DARK);
}

/* What makes all of a picture brighter is no band: a camera's curve lifts dark rows otherwise. */
static void bands_look(struct watch *watch)
{
    int gain_permille = abs(watch->change.gain_ppm - SMALL_SAME_PPM) / 1000;
    bool bands = watch->change.bands_permille > BANDS_PERMILLE &&
                 watch->change.bands_permille > gain_permille;
    watch->banded = watch->banded << 1 | bands;
    uint32_t last = watch->banded & BANDS_LAST;
    if (__builtin_popcount(last) >= BANDS_LEAST)
        watch->health |= REASON_BIT(REASON_BANDING);
    else if (last == 0 && (watch->standing == 0 || watch->standing <= -STANDING_OVER))
        watch->health &= ~REASON_BIT(REASON_BANDING);
}

void vision_watch_standing(struct watch *watch)
{
    /* One look is enough where one reading is: what lay there in the picture before counts, too. */
    int enough = watch->options.settle_frames > STANDING_LOOKS ? STANDING_LOOKS : 1;
    if (!watch->at.known || watch->stood_t_ns == watch->t_ns)
        return;
    watch->stood_t_ns = watch->t_ns;
    if (vision_bands_find(&watch->paper, &watch->now).height_permille > 0)
        watch->standing = watch->standing > 0 ? watch->standing + 1 : 1;
    else
        watch->standing = watch->standing < 0 ? watch->standing - 1 : -1;
    if (watch->standing >= enough)
        watch->health |= REASON_BIT(REASON_BANDING);
}

static void standing_look(struct watch *watch)
{
    int64_t since_ns = watch->t_ns - watch->stood_t_ns;
    if (watch->standing > 0 || (watch->health & REASON_BIT(REASON_BANDING)) ||
        watch->stood_t_ns < 0 || since_ns < 0 || since_ns >= STANDING_EVERY_NS)
        vision_watch_standing(watch);
}

void vision_watch_light(struct watch *watch)
{
    brightness_look(watch);
    darkness_look(watch);
    standing_look(watch);
    bands_look(watch);
}

/* ---- white balance ---- */

static int compare_bytes(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

bool vision_watch_white(const struct watch *watch, int out[3])
{
    const struct frame *frame = watch->full;
    uint8_t value[3][MAT_TAGS_MAX * WHITE_POINTS];
    int count = 0;
    for (int i = 0; i < watch->kit.mat->tags; i++) {
        const struct white_points *white = &watch->at.white[i];
        if (!watch->at.tag[i].told || watch->at.disturbed[i])
            continue;
        for (int k = 0; k < white->count; k++) {
            size_t x = (size_t)white->px[k][0], y = (size_t)white->px[k][1];
            size_t at = (y >> frame->cy_shift) * frame->c_stride + (x >> frame->cx_shift);
            value[0][count] = frame->y[y * frame->y_stride + x];
            value[1][count] = frame->cb[at];
            value[2][count++] = frame->cr[at];
        }
    }
    if (count < WHITE_LEAST)
        return false;
    for (int c = 0; c < 3; c++) {
        qsort(value[c], (size_t)count, 1, compare_bytes);
        out[c] = 256 * value[c][count / 2];
    }
    return true;
}

static int difference(const int a[2], const int b[2])
{
    int x = abs(a[0] - b[0]), y = abs(a[1] - b[1]);
    return x > y ? x : y;
}

/* It changes until measures in a row are alike. */
static void balance_settle(struct watch *watch, const int white[2])
{
    bool alike = difference(white, watch->white_level) < BALANCE_STEADY;
    memcpy(watch->white_level, white, sizeof watch->white_level);
    watch->white_steady = alike ? watch->white_steady + 1 : 0;
    if (watch->white_steady < watch->options.settle_frames)
        return;
    watch->white_steady = -1;
    if (watch->steady >= watch->options.settle_frames)
        watch->health &= ~REASON_BIT(REASON_LIGHT_CHANGING);
}

static void balance_look(struct watch *watch, const int white[2])
{
    int64_t since_ns = watch->t_ns - watch->white_t_ns;
    if (watch->white_t_ns < 0 || since_ns < 0)
        memcpy(watch->white_level, white, sizeof watch->white_level);
    if (watch->white_steady >= 0) {
        balance_settle(watch, white);
    } else if (difference(white, watch->white_level) > BALANCE_MOST) {
        watch->health |= REASON_BIT(REASON_LIGHT_CHANGING);
        watch->white_steady = 0;
        memcpy(watch->white_level, white, sizeof watch->white_level);
    } else {
        int64_t share = since_ns < NS_PER_S ? since_ns : NS_PER_S;
        for (int c = 0; c < 2; c++)
            watch->white_level[c] += (int)((white[c] - watch->white_level[c]) * share / NS_PER_S);
    }
    watch->white_t_ns = watch->t_ns;
}

int vision_watch_balance(struct watch *watch)
{
    int ycc[3], error = VISION_OK;
    if (!watch->at.known || (!watch->full && watch->white_steady < 0))
        return VISION_OK;
    error = vision_watch_full(watch);
    if (error)
        return error;
    if (watch->full->width != watch->at.pose.camera.width ||
        watch->full->height != watch->at.pose.camera.height)
        return VISION_OK;
    if (watch->full->has_colour && vision_watch_white(watch, ycc)) {
        balance_look(watch, ycc + 1);
    } else if (watch->white_steady >= 0) {
        /* Nothing is left to tell it by; what is read next has whites of its own. */
        watch->white_steady = -1;
        watch->white_t_ns = -1;
        watch->health &= ~REASON_BIT(REASON_LIGHT_CHANGING);
    }
    return VISION_OK;
}
