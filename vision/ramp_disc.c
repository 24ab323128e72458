/* vision/ramp_disc.c: see ramp_disc.h. */
#include "vision/ramp_disc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of a shape that is looked at: discs have rounded edges, and pictures are soft. */
#define FACE_INSIDE 0.86
#define CORE 0.70
#define RIM_HALF_WIDTH 0.60 /* of half the thickness */
#define RIM_HALF_LENGTH 0.5  /* of the radius, from the middle of the part that is surely seen */
/* Around a face; not where discs of one track touch each other. */
#define FACE_AROUND_FROM 1.08
#define FACE_AROUND_TO 1.26
#define SLANT_FROM 0.7 /* radians: sides, then between a disc and the next of its track */
#define SLANT_TO 1.1
#define RIM_PARTS 4 /* along it */
/* Beside a rim, mm. */
#define RIM_AROUND_FROM_MM 2.0
#define RIM_AROUND_TO_MM 6.0
/* Colours without a hue are told by their distance alone. */
#define HUELESS 0.45f
#define HUELESS_DARKER 0.5f /* what is darker than a white disc beside it is grey */
/* A disc is brightly lit on one flank and dark on the other. */
#define DARKER 1.3f
#define BRIGHTER 1.2f
/* The palest that a pixel of a disc's colour may be, as a share of the colour's own tint: under a
 * veil of mirrored light, and where it is darker by more than this (logarithm), as no veil is. */
#define PALEST 0.30f
#define PALEST_DARK 0.65f
#define VEIL_DARKER 0.5f
#define DEEPEST 1.7f
/* How far off the line from white to the colour a tint may be: what stands around throws its own
 * colour on a disc's flanks. */
#define ACROSS 0.15f
#define ACROSS_SHARE 0.20f
/* A pixel shows the colour purely with this share of its tint; veils leave less. */
#define PURE 0.55f
/* A disc's own colour is that of the part with the deepest tint, but for the very deepest. */
#define DEEP_FROM 0.60
#define DEEP_TO 0.90
/* What makes a disc of a find. Noise and glints take some of each part; of the outline the light
 * that a disc throws beside it. From the floor's colour a disc's differs in tint or is much
 * lighter: the logarithms of both, added as squares. */
#define BURNT_MOST 0.35
#define PURE_LEAST 0.5
#define WHOLE_LEAST 0.6
#define WORST_LEAST 0.25 /* of one part: glints have soft edges */
/* What has no hue may be anything under a lamp's image, which is never even; white discs are. */
#define HUELESS_WHOLE_LEAST 0.92
#define HUELESS_WORST_LEAST 0.70
#define OUTLINE_LEAST 0.5
#define RIM_OUTLINE_LEAST 0.75 /* a finger is half as wide again as a rim */
#define UNLIKE_LEAST 0.6
#define UNLIKE_LEAST_HUELESS 0.4
#define BARE_DISTANCE 0.3
#define BOARD_DISTANCE 0.4
#define BOARD_SLACK 4 /* px */
#define BOARD_ALIKE 0.5f
#define BARE_MOST 0.3 /* share that looks like the bare floor */
/* Parts of which more than half is seen and no glint. */
#define PARTS_LEAST 6
/* A glint is brighter than its disc by this factor's logarithm at least, and what it adds has this
 * tint at most: lamps, wood and walls are mirrored, no disc's colour. */
#define GLINT_LIGHTER 0.15f
#define GLINT_TINT 1.2f
/* So dark may the disc itself be there against its usual. */
#define GLINT_SHADE 0.7f
/* So much brighter or darker (logarithm) a disc is told from the groove by that alone. */
#define TELLING_LIGHT 0.8f
#define BODY_LAYERS 8
#define MAY_BE 0.33 /* share of a find that lies where another's body is */
#define STEPS 3 /* towards the middle */

static void stencil_add(struct ramp_spot *list, int *count, int dx, int dy, int part)
{
    if (*count < RAMP_STENCIL_MAX)
        list[(*count)++] = (struct ramp_spot){(int16_t)dx, (int16_t)dy, (uint8_t)part};
}

static void face_stencil(double radius, double spacing, struct ramp_stencil *out)
{
    int reach = (int)ceil(radius * FACE_AROUND_TO);
    for (int pass = 0; pass < 2; pass++) /* the core first */
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double r = hypot(x, y) / radius;
                int part = (int)floor((atan2(y, x) / M_PI + 1) * RAMP_PARTS / 2);
                if (r <= FACE_INSIDE && (r <= CORE) == (pass == 0))
                    stencil_add(out->in, &out->inside, x, y, part < RAMP_PARTS ? part : 0);
                bool around = r >= FACE_AROUND_FROM && r <= FACE_AROUND_TO &&
                              fabs((double)x) < spacing / 2 + 2;
                double off = atan2(abs(y), abs(x)); /* from the way to the next track */
                if (pass == 0 && around && off < SLANT_TO)
                    stencil_add(out->out, &out->outside, x, y,
                                (x > 0) + (off < SLANT_FROM ? 0 : y < 0 ? 2 : 4));
            }
}

static void rim_stencil(double half_width, double half_length, double around, double to,
                        struct ramp_stencil *out)
{
    int wide = (int)ceil(to), high = (int)ceil(half_length);
    for (int pass = 0; pass < 2; pass++)
        for (int y = -high; y <= high; y++)
            for (int x = -wide; x <= wide; x++) {
                double across = fabs((double)x), along = fabs((double)y);
                if (along > half_length)
                    continue;
                int part = (y + high) * RIM_PARTS / (2 * high + 1);
                bool core = along <= CORE * half_length && across <= CORE * half_width;
                if (across <= half_width && core == (pass == 0))
                    stencil_add(out->in, &out->inside, x, y, part);
                if (pass == 0 && across >= around && across <= to)
                    stencil_add(out->out, &out->outside, x, y, x < 0 ? 0 : 1);
            }
}

static void core_count(double half_x, double half_y, bool round, struct ramp_stencil *out)
{
    for (int i = 0; i < out->inside; i++) {
        double x = out->in[i].dx / half_x, y = out->in[i].dy / half_y;
        if (round ? hypot(x, y) <= CORE : fabs(x) <= CORE && fabs(y) <= CORE)
            out->core++;
    }
}

void vision_ramp_stencil(const struct ramp *ramp, enum ramp_seen seen, struct ramp_stencil *out)
{
    double px = RAMP_PX_PER_MM, radius = ramp->disc_diameter_mm / 2 * px;
    double spacing = ramp->tracks > 1 ? (ramp->track_x_mm[1] - ramp->track_x_mm[0]) * px
                                      : 4 * radius;
    memset(out, 0, sizeof *out);
    out->seen = seen;
    out->plane = seen == RAMP_SEEN_FACE ? RAMP_FACES : RAMP_RIDGES;
    out->half_mm[0] = seen == RAMP_SEEN_FACE ? radius / px : ramp->disc_thickness_mm / 2;
    out->half_mm[1] = radius / px;
    if (seen == RAMP_SEEN_FACE) {
        face_stencil(radius, spacing, out);
        core_count(radius, radius, true, out);
    } else {
        double half = ramp->disc_thickness_mm / 2 * px, wide = half * RIM_HALF_WIDTH;
        double length = radius * RIM_HALF_LENGTH;
        rim_stencil(wide, length, half + RIM_AROUND_FROM_MM * px, half + RIM_AROUND_TO_MM * px,
                    out);
        core_count(wide, length, false, out);
    }
}

/* --- Looking ---------------------------------------------------------------------------------- */

/* Is that pixel of a disc's colour? A veil of light that the disc mirrors makes it paler, and
 * brighter at the same time; a flank may be darker. */
static bool tint_same(const struct tint *disc, const struct tint *px)
{
    float m = hypotf(disc->a, disc->b), lighter = px->light - disc->light;
    if (lighter < -DARKER || lighter > BRIGHTER)
        return false;
    if (m < HUELESS)
        return hypotf(px->a - disc->a, px->b - disc->b) <= 0.35f;
    float along = (px->a * disc->a + px->b * disc->b) / (m * m);
    float across = fabsf(px->a * disc->b - px->b * disc->a) / m;
    float least = lighter < -VEIL_DARKER ? PALEST_DARK : PALEST;
    return along >= least && along <= DEEPEST && across <= ACROSS + ACROSS_SHARE * m;
}

static bool tint_pure(const struct tint *disc, const struct tint *px)
{
    float m = hypotf(disc->a, disc->b);
    return m < HUELESS || px->a * disc->a + px->b * disc->b >= PURE * m * m;
}

/* The same for what lies around a disc: no veil makes the board look like it, nor a flank. */
static bool tint_alike(const struct tint *disc, const struct tint *px)
{
    bool hueless = hypotf(disc->a, disc->b) < HUELESS;
    return tint_same(disc, px) && tint_pure(disc, px) &&
           (!hueless || px->light > disc->light - HUELESS_DARKER);
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median(float *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare_floats);
    return count ? value[count / 2] : 0;
}

/* Where on a stencil's plane the middle of what is looked at is seen, of a disc that stands or lies
 * at a place. A face lies on its plane. Of a rim the far side is hidden by its own ridge, the near
 * side by its neighbour: what is surely seen lies half-way from the ridge to the side that faces
 * the camera. */
static void stencil_middle(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                           const double at_mm[2], double middle_mm[2])
{
    double radius = stencil->half_mm[1], z = sight->plane[stencil->plane].z_mm;
    memcpy(middle_mm, at_mm, 2 * sizeof *middle_mm);
    if (stencil->seen == RAMP_SEEN_FACE)
        return;
    double slant = atan2(sight->eye_mm[1] - at_mm[1], -sight->eye_mm[2] - radius) / 2, lifted[2];
    const double point[2] = {at_mm[0], at_mm[1] + radius * sin(slant)};
    vision_ramp_displace(sight, point, radius * (1 + cos(slant)), z, lifted);
    middle_mm[1] = lifted[1];
}

/* The pixel of a spot around a place; -1 outside the plane or the picture. */
static int spot_pixel(const struct ramp_plane *plane, const double at_mm[2],
                      const struct ramp_spot *spot)
{
    int i = vision_ramp_pixel(plane, at_mm[0] + spot->dx / RAMP_PX_PER_MM,
                              at_mm[1] + spot->dy / RAMP_PX_PER_MM);
    return i < 0 || plane->patch.flag[i] & PATCH_OUTSIDE ? -1 : i;
}

static bool mirrors(const struct ramp_plane *plane, int i)
{
    return (plane->patch.flag[i] & PATCH_BURNT) != 0;
}

/* Does a disc of that colour (relative to white) mirror a lamp there, or what stands around? Then
 * it is brighter, and what is brighter of it has no strong colour. */
static bool glint(const struct ramp_plane *plane, const struct ramp_find *find, int i)
{
    const float *rgb = plane->patch.rgb + (size_t)i * 3;
    float more[3];
    if (mirrors(plane, i))
        return true;
    if (plane->tint[i].light < find->tint.light + GLINT_LIGHTER)
        return false;
    for (int k = 0; k < 3; k++)
        more[k] = fmaxf(0, rgb[k] - GLINT_SHADE * find->rgb[k]);
    struct tint veil = vision_tint_of(more);
    return hypotf(veil.a, veil.b) < GLINT_TINT;
}

struct core_px {
    float depth; /* of its tint */
    int pixel;
};

static int compare_depth(const void *a, const void *b)
{
    const struct core_px *x = a, *y = b;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

/* The median of some of the core's pixels. */
static void core_median(const struct ramp_plane *plane, const struct core_px *px, int count,
                        struct ramp_find *find)
{
    float value[RAMP_STENCIL_MAX];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < count; i++)
            value[i] = plane->patch.rgb[(size_t)px[i].pixel * 3 + (size_t)k];
        find->rgb[k] = median(value, count);
    }
    find->tint = vision_tint_of(find->rgb);
}

/* The colour of the core, mirrored lamps left out, and where it has a hue what a veil makes pale.
 * False when too little of it is left. */
static bool core_colour(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                        struct ramp_find *find)
{
    const struct ramp_plane *plane = &sight->plane[stencil->plane];
    struct core_px px[RAMP_STENCIL_MAX];
    double middle[2];
    int count = 0, seen = 0;
    stencil_middle(sight, stencil, find->at_mm, middle);
    for (int s = 0; s < stencil->core; s++) {
        int i = spot_pixel(plane, middle, &stencil->in[s]);
        if (i < 0)
            continue;
        seen++;
        if (!mirrors(plane, i))
            px[count++] = (struct core_px){hypotf(plane->tint[i].a, plane->tint[i].b), i};
    }
    find->in_view = 10 * seen > 9 * stencil->core;
    if (4 * count < stencil->core)
        return false;
    qsort(px, (size_t)count, sizeof *px, compare_depth);
    int from = (int)(DEEP_FROM * count), to = (int)(DEEP_TO * count);
    core_median(plane, px + from, to - from > 0 ? to - from : 1, find);
    if (hypotf(find->tint.a, find->tint.b) < HUELESS)
        core_median(plane, px, count, find);
    return true;
}

/* Which place across a groove is seen through that place of a plane: an index of the profile. */
static int groove_place(const struct ramp_sight *sight, const struct ramp_plane *plane,
                        const double at_mm[2])
{
    double floor[2];
    vision_ramp_displace(sight, at_mm, -plane->z_mm, 0, floor);
    double x = fmod(floor[0] - sight->ramp->track_x_mm[0] + 10 * sight->spacing_mm,
                    sight->spacing_mm);
    int across = (int)lround((x > sight->spacing_mm / 2 ? x - sight->spacing_mm : x) *
                             RAMP_PX_PER_MM);
    across = across < -sight->reach ? -sight->reach : across > sight->reach ? sight->reach : across;
    return across + sight->reach;
}

/* Is a pixel beside a disc more like the groove that should be seen there than like the disc? The
 * groove may lie in the disc's shadow. */
static bool like_groove(const struct ramp_sight *sight, const struct ramp_plane *plane,
                        const double at_mm[2], const struct tint *disc, const struct tint *px)
{
    const struct tint *groove = &sight->groove[groove_place(sight, plane, at_mm)];
    float between = disc->light - groove->light, over = px->light - groove->light;
    if (fabsf(between) > TELLING_LIGHT) /* brightness has the sharper edges in a picture */
        return between > 0 ? over < between / 2 : over > between / 2;
    if (over > TELLING_LIGHT / 2)
        return false;
    float light = fmaxf(0, over); /* a shadow costs nothing */
    float to_groove = hypotf(hypotf(px->a - groove->a, px->b - groove->b), light);
    float to_disc = hypotf(hypotf(px->a - disc->a, px->b - disc->b), px->light - disc->light);
    return to_groove < to_disc;
}

/* Moves to the middle of what is of the disc's colour near it. */
static void move_to_middle(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                           struct ramp_find *find)
{
    const struct ramp_plane *plane = &sight->plane[stencil->plane];
    bool rim = stencil->seen == RAMP_SEEN_RIM;
    /* No wider than a face: its wall has its colour, too, and is seen on one side of it. */
    double half[2] = {stencil->half_mm[0] * (rim ? 1.15 : 1), stencil->half_mm[1] * (rim ? 0.3 : 1)};
    double sum[2] = {0, 0}, middle[2];
    int count = 0;
    stencil_middle(sight, stencil, find->at_mm, middle);
    for (double y = -half[1]; y <= half[1]; y += 1 / RAMP_PX_PER_MM)
        for (double x = -half[0]; x <= half[0]; x += 1 / RAMP_PX_PER_MM) {
            const double at[2] = {middle[0] + x, middle[1] + y};
            int i = vision_ramp_pixel(plane, at[0], at[1]);
            if ((!rim && hypot(x, y) > half[0]) || i < 0 || plane->patch.flag[i] & PATCH_OUTSIDE)
                continue;
            const struct tint *px = &plane->tint[i];
            bool is_disc = mirrors(plane, i) || (tint_same(&find->tint, px) &&
                                                 !like_groove(sight, plane, at, &find->tint, px));
            if (!is_disc)
                continue;
            sum[0] += x;
            sum[1] += y;
            count++;
        }
    /* Of a rim both ends may be hidden: along its track it is in this place, or none is. */
    for (int k = 0; count > 0 && k < (rim ? 1 : 2); k++)
        find->at_mm[k] += sum[k] / count;
}

/* How far a disc's colour is from that of the grooves' floor, under any light. */
static double floor_distance(const struct ramp_sight *sight, const struct tint *disc)
{
    const struct tint *floor = &sight->groove[sight->reach];
    return hypot(hypot((double)(disc->a - floor->a), (double)(disc->b - floor->b)),
                 fmax(0, (double)(disc->light - floor->light)));
}

/* Is that the look of the board where it would be seen through that place of a plane, in any shadow?
 * A pose is right to a few millimetres. */
static bool board_like(const struct ramp_sight *sight, const struct ramp_plane *plane,
                       const double at_mm[2], const struct tint *px)
{
    int across = groove_place(sight, plane, at_mm), last = 2 * sight->reach;
    int from = across > BOARD_SLACK ? across - BOARD_SLACK : 0;
    for (int j = from; j <= across + BOARD_SLACK && j <= last; j++) {
        const struct tint *board = &sight->groove[j];
        if (hypotf(hypotf(px->a - board->a, px->b - board->b), fmaxf(0, px->light - board->light)) <
            BOARD_DISTANCE)
            return true;
    }
    return false;
}

/* Is the board there, below a place of a plane, a tag or the white around it? */
static bool over_tag(const struct ramp_sight *sight, const struct ramp_plane *plane,
                     const double at_mm[2])
{
    double floor[2];
    vision_ramp_displace(sight, at_mm, -plane->z_mm, 0, floor);
    return vision_ramp_over_tag(sight->ramp, floor[0], floor[1]);
}

static void measure_inside(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                           struct ramp_find *find)
{
    const struct ramp_plane *plane = &sight->plane[stencil->plane];
    double middle[2];
    int same[RAMP_PARTS] = {0}, all[RAMP_PARTS] = {0}, whole[RAMP_PARTS] = {0};
    int burnt = 0, pure = 0, bare = 0, board = 0, seen = 0;
    bool hueless = hypotf(find->tint.a, find->tint.b) < HUELESS;
    stencil_middle(sight, stencil, find->at_mm, middle);
    for (int s = 0; s < stencil->inside; s++) {
        const struct ramp_spot *spot = &stencil->in[s];
        int i = spot_pixel(plane, middle, spot);
        if (i < 0)
            continue;
        seen++;
        whole[spot->part]++;
        const double at[2] = {middle[0] + spot->dx / RAMP_PX_PER_MM,
                              middle[1] + spot->dy / RAMP_PX_PER_MM};
        bool is_same = tint_same(&find->tint, &plane->tint[i]) &&
                       !(hueless && over_tag(sight, plane, at)); /* paper, or a white disc? */
        if (!is_same && glint(plane, find, i)) {
            burnt++;
            continue;
        }
        all[spot->part]++;
        same[spot->part] += is_same;
        board += board_like(sight, plane, at, &plane->tint[i]);
        bare += floor_distance(sight, &plane->tint[i]) < BARE_DISTANCE;
        pure += is_same && tint_pure(&find->tint, &plane->tint[i]);
    }
    find->burnt = seen ? (double)burnt / seen : 1;
    find->pure = seen ? (double)pure / seen : 0;
    find->bare = seen ? (double)bare / seen : 1;
    find->board = seen ? (double)board / seen : 0;
    find->whole = find->worst = 1;
    for (int p = 0; p < RAMP_PARTS; p++)
        if (2 * all[p] > whole[p]) {
            double share = (double)same[p] / all[p];
            find->whole = fmin(find->whole, fmax(find->worst, share));
            find->worst = fmin(find->worst, share);
            find->parts++;
        }
}

/* Is that place of the plane where the disc's own wall is seen, below its face or ridge? */
static bool own_wall(const struct ramp_stencil *stencil, const double at_mm[2],
                     const double foot_mm[2], double x, double y)
{
    double dx = foot_mm[0] - at_mm[0], dy = foot_mm[1] - at_mm[1], margin = 1.0;
    if (stencil->seen == RAMP_SEEN_RIM) {
        double half = stencil->half_mm[0] + margin;
        return x > fmin(0, dx) - half && x < fmax(0, dx) + half;
    }
    double length = dx * dx + dy * dy;
    double along = length > 0 ? fmin(1, fmax(0, (x * dx + y * dy) / length)) : 0;
    return hypot(x - along * dx, y - along * dy) < stencil->half_mm[0] + margin;
}

/* Could a disc in one of the places around hide the board there? */
static bool next_disc(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                      const struct ramp_find *find, const double at_mm[2])
{
    const struct ramp_plane *plane = &sight->plane[stencil->plane];
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            double next[2] = {find->at_mm[0] + j * sight->spacing_mm,
                              find->at_mm[1] + i * sight->pitch_mm},
                   foot[2];
            if (i == 0 && j == 0)
                continue;
            vision_ramp_displace(sight, next, 0, plane->z_mm, foot);
            if (own_wall(stencil, next, foot, at_mm[0] - next[0], at_mm[1] - next[1]))
                return true;
        }
    return false;
}

/* Is the board that should be seen there itself like the disc, as white paper is like a white one?
 * Then nothing is told by it. */
static bool board_alike(const struct ramp_sight *sight, const struct ramp_plane *plane,
                        const double at_mm[2], const struct tint *disc)
{
    const struct tint *board = &sight->groove[groove_place(sight, plane, at_mm)];
    const struct ramp *ramp = sight->ramp;
    double floor[2], radius = ramp->disc_diameter_mm / 2;
    vision_ramp_displace(sight, at_mm, -plane->z_mm, 0, floor);
    /* beside all tracks the board may be anything: mostly white paper or wood */
    if (hypotf(disc->a, disc->b) < HUELESS && (floor[0] < ramp->track_x_mm[0] - radius ||
                                               floor[0] > ramp->track_x_mm[ramp->tracks - 1] + radius))
        return true;
    return hypotf(hypotf(board->a - disc->a, board->b - disc->b), board->light - disc->light) <
           BOARD_ALIKE;
}

static void measure_outside(const struct ramp_sight *sight, const struct ramp_plane *plane,
                            const struct ramp_stencil *stencil, struct ramp_find *find)
{
    bool hueless = hypotf(find->tint.a, find->tint.b) < HUELESS;
    double foot[2], middle[2];
    int other[RAMP_SIDES] = {0}, all[RAMP_SIDES] = {0}, sides = 0;
    vision_ramp_displace(sight, find->at_mm, 0, plane->z_mm, foot);
    stencil_middle(sight, stencil, find->at_mm, middle);
    for (int s = 0; s < stencil->outside; s++) {
        const struct ramp_spot *spot = &stencil->out[s];
        double x = spot->dx / RAMP_PX_PER_MM, y = spot->dy / RAMP_PX_PER_MM;
        const double at[2] = {middle[0] + x, middle[1] + y};
        int i = spot_pixel(plane, middle, spot);
        if (i < 0 || own_wall(stencil, find->at_mm, foot, x, y) ||
            (hueless && over_tag(sight, plane, at)))
            continue;
        bool is_other = !mirrors(plane, i) &&
                        (!tint_alike(&find->tint, &plane->tint[i]) ||
                         like_groove(sight, plane, at, &find->tint, &plane->tint[i]));
        if (!is_other && (board_alike(sight, plane, at, &find->tint) ||
                          next_disc(sight, stencil, find, at)))
            continue;
        all[spot->part]++;
        other[spot->part] += is_other;
    }
    find->outline = 1;
    for (int p = 0; p < RAMP_SIDES; p++) {
        if (all[p] < 8)
            continue;
        sides++;
        find->outline = fmin(find->outline, (double)other[p] / all[p]);
    }
    if (sides == 0)
        find->outline = 0;
}

void vision_ramp_look(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                      const double at_mm[2], struct ramp_find *out)
{
    const struct ramp_plane *plane = &sight->plane[stencil->plane];
    memset(out, 0, sizeof *out);
    out->seen = stencil->seen;
    memcpy(out->at_mm, at_mm, sizeof out->at_mm);
    out->burnt = 1;
    for (int step = 0; step < STEPS; step++) {
        if (!core_colour(sight, stencil, out))
            return;
        move_to_middle(sight, stencil, out);
    }
    if (!core_colour(sight, stencil, out))
        return;
    for (int k = 0; k < 2; k++)
        out->moved_mm[k] = out->at_mm[k] - at_mm[k];
    measure_inside(sight, stencil, out);
    measure_outside(sight, plane, stencil, out);
    out->unlike_groove = floor_distance(sight, &out->tint);
}

/* Does the body of a disc on edge hide that place of a plane? */
static bool body_covers(const struct ramp_sight *sight, const double foot_mm[2], double z_mm,
                        const double at_mm[2])
{
    double radius = sight->ramp->disc_diameter_mm / 2, half = sight->ramp->disc_thickness_mm / 2;
    for (int i = 0; i <= BODY_LAYERS; i++) {
        double height = 2 * radius * i / BODY_LAYERS, rise = height - radius, seen[2];
        double chord = sqrt(fmax(0, radius * radius - rise * rise));
        vision_ramp_displace(sight, foot_mm, height, z_mm, seen);
        if (fabs(at_mm[0] - seen[0]) <= half && fabs(at_mm[1] - seen[1]) <= chord)
            return true;
    }
    return false;
}

double vision_ramp_within(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                          const struct ramp_find *find, const double foot_mm[2])
{
    const struct ramp_plane *plane = &sight->plane[stencil->plane];
    double middle[2];
    int covered = 0;
    stencil_middle(sight, stencil, find->at_mm, middle);
    for (int s = 0; s < stencil->inside; s++) {
        const double at[2] = {middle[0] + stencil->in[s].dx / RAMP_PX_PER_MM,
                              middle[1] + stencil->in[s].dy / RAMP_PX_PER_MM};
        covered += body_covers(sight, foot_mm, plane->z_mm, at);
    }
    return stencil->inside > 0 ? (double)covered / stencil->inside : 0;
}

bool vision_ramp_may_be(const struct ramp_sight *sight, const struct ramp_stencil *stencil,
                        const struct ramp_find *find, const struct ramp_find *other)
{
    return stencil->seen == RAMP_SEEN_RIM && tint_same(&other->tint, &find->tint) &&
           vision_ramp_within(sight, stencil, find, other->at_mm) > MAY_BE;
}

bool vision_ramp_find_is(const struct ramp_find *find)
{
    int parts = find->seen == RAMP_SEEN_RIM ? RIM_PARTS - 1 : PARTS_LEAST;
    bool hueless = hypotf(find->tint.a, find->tint.b) < HUELESS;
    if (hueless && (find->whole < HUELESS_WHOLE_LEAST || find->worst < HUELESS_WORST_LEAST))
        return false;
    return find->in_view && find->parts >= parts && find->burnt < BURNT_MOST &&
           find->pure > PURE_LEAST && find->whole > WHOLE_LEAST &&
           find->worst > WORST_LEAST &&
           find->outline > (find->seen == RAMP_SEEN_RIM ? RIM_OUTLINE_LEAST : OUTLINE_LEAST) && find->bare < BARE_MOST &&
           find->unlike_groove > (hueless ? UNLIKE_LEAST_HUELESS : UNLIKE_LEAST);
}
