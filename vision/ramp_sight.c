/* vision/ramp_sight.c: see ramp_sight.h. */
#include "vision/ramp_sight.h"

#include "vision/tag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A dark channel is mostly noise and veil: below this share of the sum it says no more. */
#define SHARE_LEAST 0.04f
/* The stretch above the top row that is taken for the look of a bare groove, in rows. Discs come
 * to rest below it. */
#define APPROACH_ROWS 2.0
/* White is the mean of these parts, in order of brightness, of a tag's square, of which about half
 * is white: above it lie glints. */
#define WHITE_FROM 0.80
#define WHITE_TO 0.95
#define WHITE_PX_MAX 4096

struct ramp_sight *vision_ramp_sight_create(const struct ramp *ramp)
{
    struct ramp_sight *sight = calloc(1, sizeof *sight);
    if (!sight)
        return NULL;
    sight->ramp = ramp;
    int rows = ramp->rows, tracks = ramp->tracks;
    double disc = ramp->disc_diameter_mm;
    sight->pitch_mm =
        rows > 1 ? (ramp->row_y_mm[0] - ramp->row_y_mm[rows - 1]) / (rows - 1) : disc;
    sight->spacing_mm =
        tracks > 1 ? (ramp->track_x_mm[tracks - 1] - ramp->track_x_mm[0]) / (tracks - 1) : disc;
    sight->reach = (int)fmin(RAMP_PROFILE_MAX, sight->spacing_mm / 2 * RAMP_PX_PER_MM);
    sight->approach_mm[1] = ramp->row_y_mm[rows - 1] - sight->pitch_mm / 2;
    sight->approach_mm[0] = fmax(0, sight->approach_mm[1] - APPROACH_ROWS * sight->pitch_mm);
    sight->left_mm = fmax(0, ramp->track_x_mm[0] - sight->spacing_mm);
    sight->right_mm = fmin(ramp->board_mm[0], ramp->track_x_mm[tracks - 1] + sight->spacing_mm);
    sight->bottom_mm = fmin(ramp->board_mm[1], ramp->row_y_mm[0] + disc);
    sight->plane[RAMP_FLOOR].z_mm = 0;
    sight->plane[RAMP_FACES].z_mm = -ramp->disc_thickness_mm;
    /* a ridge is round: what is looked at of it lies a little below its highest line */
    sight->plane[RAMP_RIDGES].z_mm = -0.95 * disc;
    return sight;
}

void vision_ramp_sight_destroy(struct ramp_sight **sight)
{
    if (!sight || !*sight)
        return;
    for (int i = 0; i < RAMP_PLANES; i++) {
        vision_patch_free(&(*sight)->plane[i].patch);
        free((*sight)->plane[i].tint);
    }
    free(*sight);
    *sight = NULL;
}

struct tint vision_tint_of(const float rgb[3])
{
    float sum = rgb[0] + rgb[1] + rgb[2] + 1e-4f, share[3];
    for (int i = 0; i < 3; i++)
        share[i] = logf(rgb[i] / sum + SHARE_LEAST);
    return (struct tint){share[0] - share[1], (share[0] + share[1]) / 2 - share[2],
                         logf(sum / 3)};
}

bool vision_ramp_over_tag(const struct ramp *ramp, double x_mm, double y_mm)
{
    for (int i = 0; i < ramp->tags; i++) {
        const struct mat_tag *tag = &ramp->tag[i];
        double half = tag->size_mm * (0.5 + 1.5 / TAG_MODULES);
        if (fabs(x_mm - tag->center_mm[0]) < half && fabs(y_mm - tag->center_mm[1]) < half)
            return true;
    }
    return false;
}

int vision_ramp_pixel(const struct ramp_plane *plane, double x_mm, double y_mm)
{
    double at[2] = {x_mm, y_mm}, x, y;
    vision_patch_from_mm(&plane->patch, at, &x, &y);
    long column = lround(x), row = lround(y);
    if (column < 0 || row < 0 || column >= plane->patch.width || row >= plane->patch.height)
        return -1;
    return (int)(row * plane->patch.width + column);
}

void vision_ramp_displace(const struct ramp_sight *sight, const double xy_mm[2], double above_mm,
                          double z_mm, double out_mm[2])
{
    double height = -sight->eye_mm[2];
    double along = (height + z_mm) / (height - above_mm);
    for (int i = 0; i < 2; i++)
        out_mm[i] = sight->eye_mm[i] + (xy_mm[i] - sight->eye_mm[i]) * along;
}

/* --- White ------------------------------------------------------------------------------------ */

struct lit {
    float sum;
    int pixel;
};

static int compare_lit(const void *a, const void *b)
{
    const struct lit *x = a, *y = b;
    return (x->sum > y->sum) - (x->sum < y->sum);
}

/* White of what lies in a patch over a tag; false when most of it is out of view or burnt. */
static bool white_take(const struct patch *patch, float white[3])
{
    struct lit lit[WHITE_PX_MAX];
    int count = 0, burnt = 0, all = patch->width * patch->height;
    for (int i = 0; i < all && count < WHITE_PX_MAX; i++) {
        const float *rgb = patch->rgb + (size_t)i * 3;
        if (patch->flag[i] & PATCH_OUTSIDE)
            continue;
        burnt += (patch->flag[i] & PATCH_BURNT) != 0;
        lit[count++] = (struct lit){rgb[0] + rgb[1] + rgb[2], i};
    }
    if (2 * count < all || 4 * burnt > count)
        return false;
    qsort(lit, (size_t)count, sizeof *lit, compare_lit);
    int from = (int)(WHITE_FROM * count), to = (int)(WHITE_TO * count);
    float sum[3] = {0, 0, 0};
    for (int i = from; i < to; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += patch->rgb[(size_t)lit[i].pixel * 3 + (size_t)k];
    for (int k = 0; k < 3; k++) {
        white[k] = to > from ? sum[k] / (float)(to - from) : 0;
        if (white[k] < 1e-4f)
            return false;
    }
    return true;
}

static int whites_take(struct ramp_sight *sight, const struct pyramid *pyramid)
{
    const struct ramp *ramp = sight->ramp;
    struct patch patch = {.width = 0};
    int error = VISION_OK;
    sight->whites = 0;
    for (int i = 0; i < sight->pose->sightings && !error; i++)
        for (int j = 0; j < ramp->tags && !error; j++) {
            const struct mat_tag *tag = &ramp->tag[j];
            if (tag->id != sight->pose->sighting[i].id || sight->whites == MAT_TAGS_MAX)
                continue;
            double side = tag->size_mm, px = fmin(2.0, 60 / side);
            const double rect[4] = {tag->center_mm[0] - side / 2, tag->center_mm[1] - side / 2,
                                    side, side};
            error = vision_patch_sample(&patch, pyramid, sight->pose, rect, 0, px);
            if (!error && white_take(&patch, sight->white[sight->whites]))
                memcpy(sight->white_mm[sight->whites++], tag->center_mm, sizeof tag->center_mm);
        }
    vision_patch_free(&patch);
    return error;
}

/* White at a place, from the tags by their nearness: lamps differ slowly over a board. */
static void white_at(const struct ramp_sight *sight, const double at_mm[2], float white[3])
{
    double sum[3] = {0, 0, 0}, all = 0;
    for (int i = 0; i < sight->whites; i++) {
        double dx = at_mm[0] - sight->white_mm[i][0], dy = at_mm[1] - sight->white_mm[i][1];
        double weight = 1 / (dx * dx + dy * dy + 100);
        all += weight;
        for (int k = 0; k < 3; k++)
            sum[k] += weight * (double)sight->white[i][k];
    }
    for (int k = 0; k < 3; k++)
        white[k] = all > 0 ? (float)(sum[k] / all) : 1;
}

/* --- Planes ----------------------------------------------------------------------------------- */

#define WHITE_STEP 8 /* px between places at which white is worked out */

static void plane_whiten(const struct ramp_sight *sight, struct ramp_plane *plane)
{
    struct patch *patch = &plane->patch;
    for (int y = 0; y < patch->height; y++)
        for (int x0 = 0; x0 < patch->width; x0 += WHITE_STEP) {
            double at[2];
            float white[3];
            vision_patch_to_mm(patch, x0 + WHITE_STEP * 0.5, y, at);
            white_at(sight, at, white);
            for (int x = x0; x < x0 + WHITE_STEP && x < patch->width; x++) {
                size_t i = (size_t)y * (size_t)patch->width + (size_t)x;
                float *rgb = patch->rgb + i * 3;
                for (int k = 0; k < 3; k++)
                    rgb[k] /= white[k];
                plane->tint[i] = vision_tint_of(rgb);
            }
        }
}

static int plane_take(struct ramp_sight *sight, const struct pyramid *pyramid,
                      struct ramp_plane *plane)
{
    const double top = sight->approach_mm[0];
    const double rect[4] = {sight->left_mm, top, sight->right_mm - sight->left_mm,
                            sight->bottom_mm - top};
    int error = vision_patch_sample(&plane->patch, pyramid, sight->pose, rect, plane->z_mm,
                                    RAMP_PX_PER_MM);
    if (error)
        return error;
    int pixels = plane->patch.width * plane->patch.height;
    if (plane->capacity < pixels) {
        struct tint *tint = realloc(plane->tint, (size_t)pixels * sizeof *tint);
        if (!tint)
            return VISION_E_MEMORY;
        plane->tint = tint;
        plane->capacity = pixels;
    }
    plane_whiten(sight, plane);
    return VISION_OK;
}

/* --- The look of a groove --------------------------------------------------------------------- */

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median(float *value, int count)
{
    if (count == 0)
        return 0;
    qsort(value, (size_t)count, sizeof *value, compare_floats);
    return value[count / 2];
}

#define APPROACH_MAX 512 /* px */

/* One track's look at one place across, over the stretch above the top row. False when tags or the
 * picture's edge take it all. */
static bool groove_across(const struct ramp_sight *sight, int track, int across, struct tint *out)
{
    const struct ramp_plane *floor = &sight->plane[RAMP_FLOOR];
    double x = sight->ramp->track_x_mm[track] + across / RAMP_PX_PER_MM;
    float a[APPROACH_MAX], b[APPROACH_MAX], light[APPROACH_MAX];
    int count = 0;
    for (double y = sight->approach_mm[0] + 1; y < sight->approach_mm[1] && count < APPROACH_MAX;
         y += 1 / RAMP_PX_PER_MM) {
        int i = vision_ramp_pixel(floor, x, y);
        if (i < 0 || floor->patch.flag[i] & (PATCH_OUTSIDE | PATCH_BURNT) ||
            vision_ramp_over_tag(sight->ramp, x, y))
            continue;
        a[count] = floor->tint[i].a;
        b[count] = floor->tint[i].b;
        light[count++] = floor->tint[i].light;
    }
    *out = (struct tint){median(a, count), median(b, count), median(light, count)};
    return count > 0;
}

/* The median over the tracks: one of them may be covered, or a disc rolls down it. */
static void groove_learn(struct ramp_sight *sight)
{
    int tracks = sight->ramp->tracks, places = 2 * sight->reach + 1;
    double sum = 0, square = 0;
    for (int j = 0; j < places; j++) {
        float a[RAMP_TRACKS_MAX], b[RAMP_TRACKS_MAX], light[RAMP_TRACKS_MAX];
        int seen = 0;
        for (int t = 0; t < tracks; t++) {
            struct tint tint;
            if (!groove_across(sight, t, j - sight->reach, &tint))
                continue;
            a[seen] = tint.a;
            b[seen] = tint.b;
            light[seen++] = tint.light;
        }
        struct tint *out = &sight->groove[j];
        *out = (struct tint){median(a, seen), median(b, seen), median(light, seen)};
        sum += (double)out->light;
        square += (double)out->light * (double)out->light;
    }
    double mean = sum / places;
    sight->contrast = sqrt(fmax(0, square / places - mean * mean));
}

int vision_ramp_sight_take(struct ramp_sight *sight, const struct pyramid *pyramid,
                           const struct mat_pose *pose)
{
    const struct ramp *ramp = sight->ramp;
    sight->pose = pose;
    calib_pose_center(&pose->pose, sight->eye_mm);
    sight->px_per_mm =
        vision_plane_scale(pose, ramp->board_mm[0] / 2, ramp->row_y_mm[ramp->rows / 2], 0);
    /* From below a disc's upper edge nothing of a board is told. */
    if (!(-sight->eye_mm[2] > 2 * ramp->disc_diameter_mm))
        return VISION_E_POSE;
    int error = whites_take(sight, pyramid);
    for (int i = 0; i < RAMP_PLANES && !error; i++)
        error = plane_take(sight, pyramid, &sight->plane[i]);
    if (!error)
        groove_learn(sight);
    return error;
}
