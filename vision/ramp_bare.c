/* vision/ramp_bare.c: see ramp_bare.h. */
#include "vision/ramp_bare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Discs' edges are soft in the picture, and throw their colour on what is next to them, mm. */
#define HIDDEN_MARGIN_MM 2.5
/* Places across, of all, that must be seen. */
#define SEEN_LEAST 0.4
/* Pixels of a place across that are enough to say how it looks. */
#define SEEN_PX 3
/* Share of places that must have the groove's tint. */
#define TINT_SHARE 0.70
/* A mirrored lamp takes the groove's tint down to this share; a shadow in coloured light may
 * deepen it. */
#define PALEST 0.45f
#define DEEPEST 1.6f
/* The walls' light and dark must be there by at least this share of what they are elsewhere. A
 * hand has none. */
#define SLOPE_LEAST 0.4
#define SLOPE_MOST 2.0
/* Where floor and walls differ by less than this (logarithm of light) nothing is told by it. */
#define CONTRAST_LEAST 0.12
/* Lighter than the groove by more than this factor's logarithm: the light is no lamp's but that
 * of something pale; darker: no shadow's. */
#define LIGHTER 1.0
#define DARKER 2.2
/* Share of the places in the middle that must have the groove's tint: there are few. */
#define MIDDLE_SHARE 0.5
/* So much lighter or darker may the middle be against its sides than it is elsewhere (logarithm),
 * where a disc on edge would stand, and throws its shadow; and so much lighter than either side,
 * where a face would lie: shadows reach in from one. A white disc on light paint is not much lighter
 * than that. */
#define RIM_LIGHTER 0.3
#define RIM_DARKER 0.9
#define FACE_LIGHTER 0.2
#define LIFTS 3 /* heights at which a disc's outline is followed */

int vision_ramp_hidden_start(struct ramp_hidden *hidden, const struct ramp_sight *sight)
{
    const struct patch *patch = &sight->plane[RAMP_FLOOR].patch;
    int pixels = patch->width * patch->height;
    if (hidden->capacity < pixels) {
        uint8_t *px = realloc(hidden->px, (size_t)pixels);
        if (!px)
            return VISION_E_MEMORY;
        hidden->px = px;
        hidden->capacity = pixels;
    }
    memset(hidden->px, 0, (size_t)pixels);
    return VISION_OK;
}

void vision_ramp_hidden_free(struct ramp_hidden *hidden)
{
    free(hidden->px);
    memset(hidden, 0, sizeof *hidden);
}

/* Marks what lies within half_mm of the stretch between two places of the floor: a box's shadow on
 * it, or a round one. */
static void hidden_sweep(struct ramp_hidden *hidden, const struct ramp_sight *sight,
                         const double from_mm[2], const double to_mm[2], const double half_mm[2],
                         bool round)
{
    const struct ramp_plane *floor = &sight->plane[RAMP_FLOOR];
    double d[2] = {to_mm[0] - from_mm[0], to_mm[1] - from_mm[1]}, step = 1 / RAMP_PX_PER_MM;
    double length = d[0] * d[0] + d[1] * d[1];
    double low[2], high[2];
    for (int k = 0; k < 2; k++) {
        low[k] = fmin(from_mm[k], to_mm[k]) - half_mm[k];
        high[k] = fmax(from_mm[k], to_mm[k]) + half_mm[k];
    }
    for (double y = low[1]; y <= high[1]; y += step)
        for (double x = low[0]; x <= high[0]; x += step) {
            double px[2] = {x - from_mm[0], y - from_mm[1]};
            double along = length > 0 ? (px[0] * d[0] + px[1] * d[1]) / length : 0;
            along = fmin(1, fmax(0, along));
            double off[2] = {(px[0] - along * d[0]) / half_mm[0],
                             (px[1] - along * d[1]) / half_mm[1]};
            bool within = round ? hypot(off[0], off[1]) <= 1
                                : fabs(off[0]) <= 1 && fabs(off[1]) <= 1;
            int i = within ? vision_ramp_pixel(floor, x, y) : -1;
            if (i >= 0)
                hidden->px[i] = 1;
        }
}

void vision_ramp_hidden_add(struct ramp_hidden *hidden, const struct ramp_sight *sight,
                            const struct ramp_find *find)
{
    const struct ramp *ramp = sight->ramp;
    double radius = ramp->disc_diameter_mm / 2, top = ramp->disc_thickness_mm, seen[2], foot[2];
    bool face = find->seen == RAMP_SEEN_FACE;
    double z = sight->plane[face ? RAMP_FACES : RAMP_RIDGES].z_mm;
    vision_ramp_displace(sight, find->at_mm, -z, 0, seen); /* it stands on the board there */
    foot[0] = find->at_mm[0];
    foot[1] = find->at_mm[1];
    if (face) {
        double half[2] = {radius + HIDDEN_MARGIN_MM, radius + HIDDEN_MARGIN_MM};
        hidden_sweep(hidden, sight, foot, seen, half, true);
        return;
    }
    for (int i = 0; i < LIFTS; i++) { /* the rim is widest at half its height */
        double height = 2 * radius * (i + 1) / LIFTS, rise = height - radius;
        double chord = i + 1 < LIFTS ? sqrt(radius * radius - rise * rise) : radius * 0.5;
        double half[2] = {top / 2 + HIDDEN_MARGIN_MM, chord + HIDDEN_MARGIN_MM}, at[2];
        vision_ramp_displace(sight, find->at_mm, height, 0, at);
        hidden_sweep(hidden, sight, foot, at, half, false);
    }
}

/* --- Across a groove -------------------------------------------------------------------------- */

/* What is seen of a stretch, for each place across. */
struct across {
    int places, seen, burnt;
    int count[2 * RAMP_PROFILE_MAX + 1];
    struct tint tint[2 * RAMP_PROFILE_MAX + 1];
};

static void across_take(const struct ramp_sight *sight, const struct ramp_hidden *hidden, int track,
                        double from_mm, double to_mm, struct across *out)
{
    const struct ramp_plane *floor = &sight->plane[RAMP_FLOOR];
    memset(out, 0, sizeof *out);
    out->places = 2 * sight->reach + 1;
    for (int j = 0; j < out->places; j++) {
        double x = sight->ramp->track_x_mm[track] + (j - sight->reach) / RAMP_PX_PER_MM;
        float sum[3] = {0, 0, 0};
        for (double y = from_mm; y < to_mm; y += 1 / RAMP_PX_PER_MM) {
            int i = vision_ramp_pixel(floor, x, y);
            if (i < 0 || floor->patch.flag[i] & PATCH_OUTSIDE || hidden->px[i] ||
                vision_ramp_over_tag(sight->ramp, x, y))
                continue;
            out->burnt += (floor->patch.flag[i] & PATCH_BURNT) != 0;
            for (int k = 0; k < 3; k++)
                sum[k] += floor->patch.rgb[(size_t)i * 3 + (size_t)k];
            out->count[j]++;
        }
        if (out->count[j] < SEEN_PX)
            continue;
        for (int k = 0; k < 3; k++)
            sum[k] /= (float)out->count[j];
        out->tint[j] = vision_tint_of(sum);
        out->seen++;
    }
}

static bool tint_fits(const struct tint *groove, const struct tint *seen)
{
    float m = hypotf(groove->a, groove->b);
    float da = seen->a - groove->a, db = seen->b - groove->b;
    if (hypotf(da, db) < 0.3f)
        return true;
    if (m < 0.3f)
        return false;
    float along = (seen->a * groove->a + seen->b * groove->b) / (m * m);
    float across = fabsf(seen->a * groove->b - seen->b * groove->a) / m;
    return along >= PALEST && along <= DEEPEST && across <= 0.15f + 0.1f * m;
}

/* By how much the light across follows the groove's, between two places: the slope of one on the
 * other, while the light may rise or fall evenly from side to side. False when the groove says
 * nothing there. */
static bool walls_slope(const struct ramp_sight *sight, const struct across *seen, int from, int to,
                        double *slope)
{
    double n = 0, sx = 0, sj = 0, sy = 0, sxx = 0, sxj = 0, sjj = 0, sxy = 0, sjy = 0;
    for (int j = from; j < to; j++) {
        if (seen->count[j] < SEEN_PX)
            continue;
        double x = (double)sight->groove[j].light, y = (double)seen->tint[j].light;
        double at = (double)(j - sight->reach) / sight->reach;
        n++, sx += x, sj += at, sy += y;
        sxx += x * x, sxj += x * at, sjj += at * at, sxy += x * y, sjy += at * y;
    }
    if (n < SEEN_LEAST * (to - from))
        return false;
    double cxx = sxx - sx * sx / n, cxj = sxj - sx * sj / n, cjj = sjj - sj * sj / n;
    double cxy = sxy - sx * sy / n, cjy = sjy - sj * sy / n;
    double left = cxx - (cjj > 0 ? cxj * cxj / cjj : 0); /* of the groove, beyond a slant */
    if (left < n * CONTRAST_LEAST * CONTRAST_LEAST)
        return false;
    *slope = (cxy - (cjj > 0 ? cxj * cjy / cjj : 0)) / left;
    return true;
}

/* Are the groove's floor and walls seen, on one side of it at least? A shadow that ends on a wall
 * spoils the other. */
static bool walls_fit(const struct ramp_sight *sight, const struct across *seen)
{
    bool told = false;
    for (int side = 0; side < 3; side++) { /* both sides, the left, the right */
        double slope;
        int from = side == 2 ? sight->reach : 0;
        int to = side == 1 ? sight->reach + 1 : seen->places;
        if (!walls_slope(sight, seen, from, to, &slope))
            continue;
        told = true;
        if (slope >= SLOPE_LEAST && slope <= SLOPE_MOST)
            return true;
    }
    return !told;
}

/* The part of a groove's width: its middle, `half_mm` to each side, or what lies left or right of
 * it. */
struct part {
    int count, fits;
    double over; /* mean light, against that of the groove elsewhere */
};

static void parts_take(const struct ramp_sight *sight, const struct across *seen, double half_mm,
                       struct part part[3])
{
    memset(part, 0, 3 * sizeof *part);
    for (int j = 0; j < seen->places; j++) {
        double off = (j - sight->reach) / RAMP_PX_PER_MM;
        struct part *at = &part[fabs(off) <= half_mm ? 1 : off < 0 ? 0 : 2];
        if (seen->count[j] < SEEN_PX)
            continue;
        at->over += (double)(seen->tint[j].light - sight->groove[j].light);
        at->fits += tint_fits(&sight->groove[j], &seen->tint[j]);
        at->count++;
    }
    for (int i = 0; i < 3; i++)
        part[i].over /= part[i].count > 0 ? part[i].count : 1;
}

/* Is enough of the middle seen to say that no disc stands there? */
static bool middle_seen(const struct ramp_sight *sight, const struct across *seen)
{
    double half = sight->ramp->disc_thickness_mm / 2 * RAMP_PX_PER_MM;
    int all = 0, count = 0;
    for (int j = 0; j < seen->places; j++) {
        if (abs(j - sight->reach) > half)
            continue;
        all++;
        count += seen->count[j] >= SEEN_PX;
    }
    return count >= MIDDLE_SHARE * all;
}

/* Does nothing stand or lie in the middle of the groove, where discs do? What is seen of it has the
 * groove's tints, and is not lighter than its sides, or darker as a disc on edge may be. */
static bool middle_fits(const struct ramp_sight *sight, const struct across *seen)
{
    const struct ramp *ramp = sight->ramp;
    struct part rim[3], face[3];
    parts_take(sight, seen, ramp->disc_thickness_mm / 2, rim);
    parts_take(sight, seen, ramp->disc_diameter_mm / 2 - 1, face);
    if (rim[1].fits < MIDDLE_SHARE * rim[1].count)
        return false;
    if (rim[0].count && rim[1].count && rim[2].count) {
        double left = rim[1].over - rim[0].over, right = rim[1].over - rim[2].over;
        if ((left + right) / 2 > RIM_LIGHTER || (left + right) / 2 < -RIM_DARKER)
            return false;
    }
    return !face[0].count || !face[2].count ||
           fmin(face[1].over - face[0].over, face[1].over - face[2].over) < FACE_LIGHTER;
}

enum ramp_bareness vision_ramp_bare(const struct ramp_sight *sight,
                                    const struct ramp_hidden *hidden, int track, double from_mm,
                                    double to_mm)
{
    struct across seen;
    int pixels = 0, fits = 0;
    double lighter = 0;
    across_take(sight, hidden, track, from_mm, to_mm, &seen);
    if (seen.seen < SEEN_LEAST * seen.places)
        return RAMP_NOT_SEEN;
    for (int j = 0; j < seen.places; j++) {
        pixels += seen.count[j];
        if (seen.count[j] < SEEN_PX)
            continue;
        fits += tint_fits(&sight->groove[j], &seen.tint[j]);
        lighter += (double)(seen.tint[j].light - sight->groove[j].light) / seen.seen;
    }
    if (4 * seen.burnt > pixels)
        return RAMP_IS_GLARE;
    if (fits < TINT_SHARE * seen.seen || lighter > LIGHTER || lighter < -DARKER)
        return RAMP_NOT_BARE;
    if (!middle_fits(sight, &seen))
        return RAMP_NOT_BARE;
    if (!walls_fit(sight, &seen))
        return RAMP_NOT_BARE;
    return middle_seen(sight, &seen) ? RAMP_IS_BARE : RAMP_NOT_SEEN;
}
