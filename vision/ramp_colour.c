/* vision/ramp_colour.c: see ramp_colour.h. */
#include "vision/ramp_colour.h"

#include "calib/symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A colour this near to white (in tint) has no hue to speak of. */
#define HUELESS 0.45
/* Standard errors: of a colour without hue, in tint; of a hue, as an angle about white (14 degrees:
 * lamps of two kinds over one board shift hues by as much); of the distance from white as a share
 * of what is expected, below and above it, beyond what veils and cameras do to all colours. */
#define TINT_SIGMA 0.12
#define HUE_SIGMA 0.25
#define PALE_FREE 0.60
#define PALE_SIGMA 0.15
#define DEEP_FREE 1.25
#define DEEP_SIGMA 0.25
/* Darker than expected under the tags' light by more than a factor of 2.7 it may be another colour,
 * or lie under something; lighter by more than 2 it mirrors a lamp. */
#define DARK_FREE 1.0
#define LIGHT_FREE 0.7
#define LIGHT_SIGMA 0.3
/* What is 3.2 standard errors from every colour is as likely of none. */
#define NONE_DISTANCE 3.2
/* So far from the floor (logarithms of tint and light, added as squares) every colour must be, or a
 * disc of it may pass for a bare place: a white one on pale paint. */
#define TELLING_LEAST 0.6
#define SURE 900      /* permille */
#define BY_COUNT 950  /* the most that is believed of what the inventory says */
#define POSSIBLE 3.0  /* a distance within which a doubtful disc may be of a colour */
/* Direction of bulbs' tint against daylight's, and within how much of it (tangent). */
#define LAMP_A 0.42
#define LAMP_B 0.91
#define LAMP_NEAR 0.8
#define PALER_SHARE 0.7
#define PALER_LIGHT 0.1 /* logarithm */
#define PALE_LEAST 0.75
#define PALE_MOST 1.25

void vision_ramp_palette(const struct ramp *ramp, struct ramp_palette *out)
{
    memset(out, 0, sizeof *out);
    out->colours = ramp->colours;
    out->pale = 1;
    for (int i = 0; i < ramp->colours; i++) {
        const struct rgb8 *rgb = &ramp->colour[i].rgb;
        const float linear[3] = {(float)calib_srgb_to_linear(rgb->r),
                                 (float)calib_srgb_to_linear(rgb->g),
                                 (float)calib_srgb_to_linear(rgb->b)};
        out->tint[i] = vision_tint_of(linear);
    }
}

bool vision_ramp_telling(const struct ramp *ramp, const struct ramp_palette *palette,
                         const struct tint *floor)
{
    for (int i = 0; i < ramp->colours; i++) {
        const struct tint *colour = &palette->tint[i];
        double off = hypot((double)(colour->a - floor->a), (double)(colour->b - floor->b));
        if (hypot(off, (double)(colour->light - floor->light)) < TELLING_LEAST)
            return false;
    }
    return true;
}

static double beyond(double value, double limit)
{
    return value > limit ? value - limit : 0;
}

/* How unlike a colour a disc is, in standard errors. */
static double distance(const struct tint *colour, const struct tint *seen, double pale)
{
    double m = hypot((double)colour->a, (double)colour->b);
    double dark = (double)(colour->light - seen->light);
    double light = (beyond(-dark, LIGHT_FREE) + beyond(dark, DARK_FREE)) / LIGHT_SIGMA;
    if (m < HUELESS) {
        double off = hypot((double)(seen->a - colour->a), (double)(seen->b - colour->b));
        return hypot(off / TINT_SIGMA, light);
    }
    double far = hypot((double)seen->a, (double)seen->b) / (m * pale);
    double dot = (double)(seen->a * colour->a + seen->b * colour->b);
    double cross = (double)(seen->b * colour->a - seen->a * colour->b);
    double hue = fabs(atan2(cross, dot)) / HUE_SIGMA;
    double pales = beyond(PALE_FREE, far) / PALE_SIGMA, deep = beyond(far, DEEP_FREE) / DEEP_SIGMA;
    return hypot(hypot(hue, light), hypot(pales, deep));
}

/* The colour that is nearest among `allowed` (bits), the next, and how sure that is. */
static void name_one(const struct ramp *ramp, const struct ramp_palette *palette, unsigned allowed,
                     const struct tint *seen, struct ramp_disc *disc)
{
    double likely[RAMP_COLOURS_MAX], sum = exp(-NONE_DISTANCE * NONE_DISTANCE / 2);
    int best = -1, second = -1;
    double none = sum;
    for (int i = 0; i < palette->colours; i++) {
        double d = distance(&palette->tint[i], seen, (double)palette->pale);
        likely[i] = allowed & (1u << i) ? exp(-d * d / 2) : 0;
        sum += likely[i];
        if (best < 0 || likely[i] > likely[best]) {
            second = best;
            best = i;
        } else if (second < 0 || likely[i] > likely[second]) {
            second = i;
        }
    }
    disc->second = second >= 0 ? ramp->colour[second].label : 0;
    disc->colour = best >= 0 && likely[best] > none ? ramp->colour[best].label : 0;
    disc->confidence = disc->colour ? (int16_t)lrint(1000 * likely[best] / sum) : 0;
}

static int colour_index(const struct ramp *ramp, char label)
{
    for (int i = 0; i < ramp->colours; i++)
        if (ramp->colour[i].label == label)
            return i;
    return -1;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How pale the colours of this picture are: the median over its discs that are clear already. */
static float pale_measure(const struct ramp *ramp, const struct ramp_palette *palette,
                          const struct ramp_find *find, int finds, const struct ramp_disc *disc)
{
    double value[RAMP_DISCS_MAX];
    int count = 0;
    for (int i = 0; i < finds; i++) {
        int c = colour_index(ramp, disc[i].colour);
        if (c < 0 || disc[i].confidence < SURE)
            continue;
        double m = hypot((double)palette->tint[c].a, (double)palette->tint[c].b);
        if (m >= HUELESS)
            value[count++] = hypot((double)find[i].tint.a, (double)find[i].tint.b) / m;
    }
    if (count < 2)
        return 1;
    qsort(value, (size_t)count, sizeof *value, compare_doubles);
    return (float)fmin(PALE_MOST, fmax(PALE_LEAST, value[count / 2]));
}

/* Lamps' own tints, warm or cold, lie along one line: only colours near it may be a lamp's. */
static bool lamp_like(const struct tint *tint)
{
    double along = fabs(LAMP_A * (double)tint->a + LAMP_B * (double)tint->b);
    double across = fabs(LAMP_A * (double)tint->b - LAMP_B * (double)tint->a);
    return across < LAMP_NEAR * along;
}

/* Under a broad image of a lamp a disc of another colour may look like a pale one of this: paler than
 * the others of its colour in the picture, and brighter. Then it is doubted. */
static void doubt_the_pale(const struct ramp *ramp, const struct ramp_find *find, int finds,
                           struct ramp_disc *disc)
{
    bool pale[RAMP_DISCS_MAX] = {false};
    for (int i = 0; i < finds; i++) {
        double depth[RAMP_DISCS_MAX], light[RAMP_DISCS_MAX];
        double own = hypot((double)find[i].tint.a, (double)find[i].tint.b);
        int others = 0;
        for (int j = 0; j < finds; j++) {
            if (j == i || disc[j].colour != disc[i].colour || disc[j].confidence < SURE)
                continue;
            depth[others] = hypot((double)find[j].tint.a, (double)find[j].tint.b);
            light[others++] = (double)find[j].tint.light;
        }
        if (others < 1 || colour_index(ramp, disc[i].colour) < 0)
            continue;
        qsort(depth, (size_t)others, sizeof *depth, compare_doubles);
        qsort(light, (size_t)others, sizeof *light, compare_doubles);
        pale[i] = lamp_like(&find[i].tint) && depth[others / 2] >= HUELESS && own < PALER_SHARE * depth[others / 2] &&
                  (double)find[i].tint.light > light[others / 2] + PALER_LIGHT;
    }
    for (int i = 0; i < finds; i++)
        if (pale[i] && disc[i].confidence > SURE / 2)
            disc[i].confidence = SURE / 2;
}

/* Of each colour, how many are seen beyond doubt. */
static void count_sure(const struct ramp *ramp, const struct ramp_disc *disc, int discs,
                       int count[RAMP_COLOURS_MAX])
{
    memset(count, 0, sizeof(int) * RAMP_COLOURS_MAX);
    for (int i = 0; i < discs; i++) {
        int c = colour_index(ramp, disc[i].colour);
        if (c >= 0 && disc[i].confidence >= SURE)
            count[c]++;
    }
}

/* A doubtful disc is of a colour of which some are left, if of those it may have there is one. */
static void resolve_by_count(const struct ramp *ramp, const struct ramp_palette *palette,
                             const struct ramp_find *find, int finds, struct ramp_disc *disc)
{
    int count[RAMP_COLOURS_MAX];
    unsigned left = 0;
    count_sure(ramp, disc, finds, count);
    for (int c = 0; c < ramp->colours; c++)
        if (count[c] < ramp->each)
            left |= 1u << c;
    for (int i = 0; i < finds; i++) {
        struct ramp_disc named = disc[i];
        if (disc[i].confidence >= SURE || !disc[i].colour)
            continue;
        name_one(ramp, palette, left, &find[i].tint, &named);
        int c = colour_index(ramp, named.colour);
        if (c < 0 || distance(&palette->tint[c], &find[i].tint, (double)palette->pale) > POSSIBLE)
            continue;
        named.second = named.colour == disc[i].colour ? disc[i].second : disc[i].colour;
        if (named.confidence > BY_COUNT)
            named.confidence = BY_COUNT;
        disc[i] = named;
    }
}

uint64_t vision_ramp_colours(const struct ramp *ramp, const struct ramp_palette *palette,
                             const struct ramp_find *find, int finds, struct ramp_disc *disc)
{
    struct ramp_palette here = *palette;
    unsigned all = ramp->colours < 32 ? (1u << ramp->colours) - 1 : ~0u;
    int count[RAMP_COLOURS_MAX];
    uint64_t reasons = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < finds; i++)
            name_one(ramp, &here, all, &find[i].tint, &disc[i]);
        here.pale = pass == 0 ? pale_measure(ramp, &here, find, finds, disc) : here.pale;
    }
    if (ramp->each > 0)
        resolve_by_count(ramp, &here, find, finds, disc);
    doubt_the_pale(ramp, find, finds, disc);
    count_sure(ramp, disc, finds, count);
    for (int i = 0; ramp->each > 0 && i < finds; i++) {
        int c = colour_index(ramp, disc[i].colour);
        if (c >= 0 && count[c] > ramp->each) { /* one of them is not what it seems */
            disc[i].confidence = disc[i].confidence < SURE / 2 ? disc[i].confidence : SURE / 2;
            reasons |= REASON_BIT(REASON_DISC_COUNT);
        }
    }
    return reasons;
}
