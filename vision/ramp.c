/* vision/ramp.c: see ramp.h. */
#include "vision/ramp.h"

#include "calib/symbol.h"
#include "vision/fitness.h"
#include "vision/ramp_bare.h"
#include "vision/ramp_colour.h"
#include "vision/ramp_disc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As for a table (table.c): beyond these a picture says too little. */
#define JPEG_STEP_MOST 140
#define BLACK_MOST 0.4
/* A disc lies in its row when its middle is within this share of the rows' distance of it; beyond,
 * it could as well be stuck on its way. */
#define IN_ROW 0.25
/* And in its track within this share of the tracks' distance. */
#define IN_TRACK 0.2
/* A stretch of groove that is looked at as one, mm: a finger is wider. */
#define STRETCH_MM 12.0
/* Rougher than this, as a share of a disc's radius, places of discs are not told apart from places
 * between them. */
#define ROUGH_SHARE 0.5
/* And rougher than this none is settled. */
#define ROUGH_SHARE_WHOLE 0.45
#define TAGS_LEAST 3
/* Share of what is seen where a ridge would be that must look like the board for there to be none. */
#define BOARD_LEAST 0.6
#define RIDGE_OUTLINE_LEAST 0.3 /* and of an outline: wood beside a track is lit, but has none */
/* Fewer picture pixels than this across a disc, and its outline is lost. */
#define DISC_PX_LEAST 12.0
#define RIM_PX_LEAST 9.0 /* across a disc on edge: chroma has half of them */
/* What is seen of one kind, faces or rims, must outweigh the other by this factor; a find so far
 * from its track's middle, as a share of the tracks' distance, weighs nothing. */
#define SEEN_RATIO 1.5
#define OFF_SHARE 0.1
/* So much of a face must lie within what a disc on edge would hide for that to be one. */
#define WITHIN_LEAST 0.8
#define SURE 900 /* permille; LAYOUT_SURE_PERMILLE's meaning for discs */

struct ramp_reader {
    const struct ramp *ramp;
    const struct rig *rig;
    struct mat mat;
    struct tag_finder *finder;
    struct pyramid *pyramid;
    struct ramp_sight *sight;
    struct ramp_hidden hidden;
    struct ramp_palette palette;
    struct ramp_stencil stencil[2]; /* by what is seen */
    struct ramp_find look[2][RAMP_ROWS_MAX][RAMP_TRACKS_MAX];
};

void vision_ramp_mat(const struct ramp *ramp, struct mat *mat)
{
    double reach = ramp->disc_diameter_mm / 2;
    double left = ramp->track_x_mm[0] - reach;
    double right = ramp->track_x_mm[ramp->tracks - 1] + reach;
    double top = ramp->row_y_mm[ramp->rows - 1] - reach, bottom = ramp->row_y_mm[0] + reach;
    memset(mat, 0, sizeof *mat);
    memcpy(mat->name, ramp->name, sizeof mat->name);
    memcpy(mat->size_mm, ramp->board_mm, sizeof mat->size_mm);
    mat->tags = ramp->tags;
    memcpy(mat->tag, ramp->tag, sizeof mat->tag);
    mat->seats = 1;
    mat->seat[0] = (struct mat_seat){
        .seat = 1, .rect_mm = {left, top, right - left, bottom - top}, .up = {0, -1}};
}

struct ramp_reader *vision_ramp_create(const struct ramp *ramp, const struct rig *rig)
{
    struct ramp_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->ramp = ramp;
    reader->rig = rig;
    vision_ramp_mat(ramp, &reader->mat);
    vision_ramp_palette(ramp, &reader->palette);
    for (int seen = 0; seen < 2; seen++)
        vision_ramp_stencil(ramp, (enum ramp_seen)seen, &reader->stencil[seen]);
    reader->finder = vision_tag_finder_create();
    reader->pyramid = vision_pyramid_create();
    reader->sight = vision_ramp_sight_create(ramp);
    if (!reader->finder || !reader->pyramid || !reader->sight)
        vision_ramp_destroy(&reader);
    return reader;
}

void vision_ramp_destroy(struct ramp_reader **reader)
{
    if (!reader || !*reader)
        return;
    vision_ramp_hidden_free(&(*reader)->hidden);
    vision_ramp_sight_destroy(&(*reader)->sight);
    vision_pyramid_destroy(&(*reader)->pyramid);
    vision_tag_finder_destroy(&(*reader)->finder);
    free(*reader);
    *reader = NULL;
}

/* --- Discs ------------------------------------------------------------------------------------ */

/* What a place says for faces and for rims. At a slant a face may look like a rim where its edge
 * lies, and the flat side of a disc on edge like a face: but a face is larger than what a disc on
 * edge there would hide, and what is not itself lies off its middle. */
static void place_weigh(const struct ramp_reader *reader, int row, int track, double weight[2])
{
    const struct ramp_find *face = &reader->look[RAMP_SEEN_FACE][row][track];
    const struct ramp_find *rim = &reader->look[RAMP_SEEN_RIM][row][track];
    double most = OFF_SHARE * reader->sight->spacing_mm;
    double faces = vision_ramp_find_is(face) ? fmax(0, 1 - fabs(face->moved_mm[0]) / most) : 0;
    double rims = vision_ramp_find_is(rim) ? fmax(0, 1 - fabs(rim->moved_mm[0]) / most) : 0;
    if (vision_ramp_find_is(face) && vision_ramp_find_is(rim)) {
        const double foot[2] = {reader->ramp->track_x_mm[track], reader->ramp->row_y_mm[row]};
        if (vision_ramp_within(reader->sight, &reader->stencil[RAMP_SEEN_FACE], face, foot) <
            WITHIN_LEAST)
            rims = 0;
    }
    weight[RAMP_SEEN_FACE] += faces;
    weight[RAMP_SEEN_RIM] += rims;
}

/* Looks for a disc in every place, as a face and as a rim, and says which of the two this picture
 * shows; *clear: and that it is not the other. */
static enum ramp_seen places_look(struct ramp_reader *reader, bool *clear)
{
    const struct ramp *ramp = reader->ramp;
    double weight[2] = {0, 0};
    for (int seen = 0; seen < 2; seen++)
        for (int r = 0; r < ramp->rows; r++)
            for (int t = 0; t < ramp->tracks; t++) {
                const double at[2] = {ramp->track_x_mm[t], ramp->row_y_mm[r]};
                vision_ramp_look(reader->sight, &reader->stencil[seen], at,
                                 &reader->look[seen][r][t]);
            }
    for (int r = 0; r < ramp->rows; r++)
        for (int t = 0; t < ramp->tracks; t++)
            place_weigh(reader, r, t, weight);
    double faces = weight[RAMP_SEEN_FACE], rims = weight[RAMP_SEEN_RIM];
    *clear = fmax(faces, rims) >= SEEN_RATIO * fmin(faces, rims);
    if (faces + rims <= 0)
        return ramp->seen;
    return faces > rims ? RAMP_SEEN_FACE : RAMP_SEEN_RIM;
}

static bool in_place(const struct ramp_sight *sight, const struct ramp_find *find)
{
    return fabs(find->moved_mm[0]) <= IN_TRACK * sight->spacing_mm &&
           fabs(find->moved_mm[1]) <= IN_ROW * sight->pitch_mm;
}

/* What was found of a picture's discs. */
struct harvest {
    int finds;
    struct ramp_find find[RAMP_DISCS_MAX]; /* in places, row by row */
    int8_t row[RAMP_DISCS_MAX], track[RAMP_DISCS_MAX];
    bool taken[RAMP_ROWS_MAX][RAMP_TRACKS_MAX];
    uint64_t reasons;
};

/* Is what was found in a place perhaps the body of a disc in another? */
static bool stands_alone(const struct ramp_reader *reader, enum ramp_seen seen, int row, int track)
{
    const struct ramp *ramp = reader->ramp;
    const struct ramp_find *find = &reader->look[seen][row][track];
    for (int r = 0; r < ramp->rows; r++)
        for (int t = 0; t < ramp->tracks; t++) {
            const struct ramp_find *other = &reader->look[seen][r][t];
            if ((r != row || t != track) && vision_ramp_find_is(other) &&
                vision_ramp_may_be(reader->sight, &reader->stencil[seen], find, other))
                return false;
        }
    return true;
}

static int discs_take(struct ramp_reader *reader, enum ramp_seen seen, struct harvest *out)
{
    const struct ramp *ramp = reader->ramp;
    int error = vision_ramp_hidden_start(&reader->hidden, reader->sight);
    for (int r = 0; r < ramp->rows && !error; r++)
        for (int t = 0; t < ramp->tracks; t++) {
            const struct ramp_find *find = &reader->look[seen][r][t];
            if (!vision_ramp_find_is(find))
                continue;
            if (!stands_alone(reader, seen, r, t)) {
                out->reasons |= REASON_BIT(REASON_UNKNOWN_THING);
                continue;
            }
            vision_ramp_hidden_add(&reader->hidden, reader->sight, find);
            if (!in_place(reader->sight, find)) {
                out->reasons |= REASON_BIT(REASON_BETWEEN_ROWS);
                continue;
            }
            out->taken[r][t] = true;
            out->row[out->finds] = (int8_t)r;
            out->track[out->finds] = (int8_t)t;
            out->find[out->finds++] = *find;
        }
    return error;
}

static void disc_fill(const struct ramp_reader *reader, const struct ramp_find *find, int row,
                      int track, struct ramp_disc *disc)
{
    const struct ramp_sight *sight = reader->sight;
    const struct ramp_plane *plane = &sight->plane[reader->stencil[find->seen].plane];
    const double at[3] = {find->at_mm[0], find->at_mm[1], plane->z_mm};
    double px[2];
    disc->row = (int8_t)row;
    disc->track = (int8_t)track;
    if (calib_camera_project(&sight->pose->camera, &sight->pose->pose, at, px))
        for (int k = 0; k < 2; k++)
            disc->center_px10[k] = (int32_t)lrint(px[k] * 10);
    double scale = vision_plane_scale(sight->pose, at[0], at[1], at[2]);
    disc->radius_px10 = (int32_t)lrint(scale * reader->ramp->disc_diameter_mm / 2 * 10);
    for (int k = 0; k < 3; k++)
        disc->rgb[k] = calib_linear_to_srgb(fmin(1, fmax(0, (double)find->rgb[k])));
}

static void discs_name(const struct ramp_reader *reader, struct harvest *harvest,
                       struct ramp_layout *out)
{
    harvest->reasons |= vision_ramp_colours(reader->ramp, &reader->palette, harvest->find,
                                            harvest->finds, out->disc);
    out->discs = (int16_t)harvest->finds;
    for (int i = 0; i < harvest->finds; i++) {
        struct ramp_disc *disc = &out->disc[i];
        disc_fill(reader, &harvest->find[i], harvest->row[i], harvest->track[i], disc);
        if (disc->colour && disc->confidence >= SURE)
            out->place[disc->row][disc->track] = disc->colour;
        else
            harvest->reasons |= REASON_BIT(REASON_UNSURE_COLOUR);
    }
}

/* --- Bare grooves ----------------------------------------------------------------------------- */

/* The worst of the stretches between two places of a track; not seen only when none is. */
static enum ramp_bareness bareness(const struct ramp_reader *reader, int track, double from_mm,
                                   double to_mm)
{
    int stretches = (int)fmax(1, round((to_mm - from_mm) / STRETCH_MM));
    enum ramp_bareness worst = RAMP_NOT_SEEN;
    for (int i = 0; i < stretches; i++) {
        double step = (to_mm - from_mm) / stretches, from = from_mm + i * step;
        enum ramp_bareness is =
            vision_ramp_bare(reader->sight, &reader->hidden, track, from, from + step);
        if (is != RAMP_NOT_SEEN && (worst == RAMP_NOT_SEEN || is > worst))
            worst = is;
    }
    return worst;
}

/* Why a place is not told. */
static enum reason untold_reason(const struct ramp_reader *reader, enum ramp_seen seen, int row,
                                 int track, enum ramp_bareness is)
{
    const struct ramp_find *find = &reader->look[seen][row][track];
    if (!find->in_view)
        return REASON_OUT_OF_VIEW;
    return is == RAMP_IS_GLARE || find->burnt >= 0.5 ? REASON_GLARE : REASON_HAND;
}

/* Where discs stand on edge the floor of a place may be seen before its disc: what is seen where the
 * disc's ridge would be has to be board, too, or the body of a disc in another place. */
static bool ridge_clear(const struct ramp_reader *reader, int row, int track)
{
    const struct ramp_find *find = &reader->look[RAMP_SEEN_RIM][row][track];
    return find->board >= BOARD_LEAST || find->outline < RIDGE_OUTLINE_LEAST ||
           !in_place(reader->sight, find) || !stands_alone(reader, RAMP_SEEN_RIM, row, track);
}

static void places_bare(const struct ramp_reader *reader, enum ramp_seen seen,
                        struct harvest *harvest, struct ramp_layout *out)
{
    const struct ramp *ramp = reader->ramp;
    double half = 0.45 * reader->sight->pitch_mm; /* the last ends short of the groove's end */
    for (int r = 0; r < ramp->rows; r++)
        for (int t = 0; t < ramp->tracks; t++) {
            if (harvest->taken[r][t])
                continue;
            double y = ramp->row_y_mm[r];
            enum ramp_bareness is = bareness(reader, t, y - half, y + half);
            if (is == RAMP_IS_BARE && seen == RAMP_SEEN_RIM && !ridge_clear(reader, r, t))
                is = RAMP_NOT_BARE;
            if (is == RAMP_IS_BARE)
                out->place[r][t] = RAMP_BARE;
            else if (!(harvest->reasons & REASON_BIT(REASON_BETWEEN_ROWS)))
                harvest->reasons |= REASON_BIT(untold_reason(reader, seen, r, t, is));
        }
}

/* Above the rows discs only roll through, and hands let them go. */
static void approach_bare(const struct ramp_reader *reader, enum ramp_seen seen,
                          struct harvest *harvest)
{
    const struct ramp *ramp = reader->ramp;
    const double *approach = reader->sight->approach_mm;
    double step = reader->sight->pitch_mm / 2;
    for (int t = 0; t < ramp->tracks; t++) {
        enum ramp_bareness is = bareness(reader, t, approach[0], approach[1]);
        bool rolls = false;
        if (is != RAMP_NOT_BARE)
            continue;
        for (double y = approach[0] + step; y < approach[1] && !rolls; y += step) {
            struct ramp_find find;
            const double at[2] = {ramp->track_x_mm[t], y};
            vision_ramp_look(reader->sight, &reader->stencil[seen], at, &find);
            rolls = vision_ramp_find_is(&find);
        }
        harvest->reasons |= REASON_BIT(rolls ? REASON_ROLLING : REASON_HAND);
    }
}

/* --- The whole -------------------------------------------------------------------------------- */

static void layout_start(const struct ramp_reader *reader, bool mirrored, struct ramp_layout *out)
{
    const struct ramp *ramp = reader->ramp;
    memset(out, 0, sizeof *out);
    memcpy(out->ramp, ramp->name, sizeof out->ramp);
    out->mirrored = mirrored;
    out->rig = reader->rig != NULL;
    out->seen = ramp->seen;
    out->state = RAMP_UNREADABLE;
    out->rows = (int8_t)ramp->rows;
    out->tracks = (int8_t)ramp->tracks;
    memset(out->place, RAMP_UNTOLD, sizeof out->place);
}

/* A disc over a bare place: nothing holds it there, so it is none, or none at rest. */
static void discs_afloat(struct ramp_layout *layout)
{
    for (int i = 0; i < layout->discs; i++) {
        struct ramp_disc *disc = &layout->disc[i];
        bool held = true;
        for (int r = 0; r < disc->row; r++)
            held = held && layout->place[r][disc->track] != RAMP_BARE;
        if (held)
            continue;
        disc->confidence = disc->confidence < SURE / 2 ? disc->confidence : SURE / 2;
        layout->place[disc->row][disc->track] = RAMP_UNTOLD;
        layout->reasons |= REASON_BIT(REASON_FLOATING);
    }
}

/* Whether faces or rims are seen, or where, is not clear: then no disc is. */
static void discs_doubt(struct ramp_layout *layout)
{
    for (int i = 0; i < layout->discs; i++) {
        struct ramp_disc *disc = &layout->disc[i];
        disc->confidence = disc->confidence < SURE / 2 ? disc->confidence : SURE / 2;
        layout->place[disc->row][disc->track] = RAMP_UNTOLD;
    }
}

static bool all_told(const struct ramp_layout *layout)
{
    for (int r = 0; r < layout->rows; r++)
        for (int t = 0; t < layout->tracks; t++)
            if (layout->place[r][t] == RAMP_UNTOLD)
                return false;
    return true;
}

static void layout_end(struct ramp_layout *out)
{
    const uint64_t astray = REASON_BIT(REASON_ROLLING) | REASON_BIT(REASON_BETWEEN_ROWS) |
                            REASON_BIT(REASON_FLOATING);
    if (out->reasons & REASON_BIT(REASON_HAND))
        out->state = RAMP_OCCLUDED;
    else if (out->reasons & astray)
        out->state = RAMP_INCOMPLETE;
    else if (all_told(out) && out->reasons == 0)
        out->state = RAMP_COMPLETE;
    if (out->state != RAMP_COMPLETE)
        return;
    out->confidence = 999;
    for (int i = 0; i < out->discs; i++)
        if (out->disc[i].confidence < out->confidence)
            out->confidence = out->disc[i].confidence;
}

/* What makes a picture unfit before anything on it is read: a reason, or REASON_COUNT. */
static enum reason unfit(const struct ramp_reader *reader, const struct frame *frame,
                         const struct mat_pose *pose)
{
    const struct ramp *ramp = reader->ramp;
    struct fitness fitness;
    if (!frame->has_colour)
        return REASON_NO_COLOUR;
    vision_fitness_measure(frame, pose, &fitness);
    if (fitness.tags > 0 && fitness.black > BLACK_MOST)
        return REASON_LOW_CONTRAST;
    if (frame->step > JPEG_STEP_MOST)
        return REASON_COMPRESSED;
    if (pose->place_sigma_mm > ROUGH_SHARE * ramp->disc_diameter_mm / 2)
        return REASON_COARSE_POSE;
    double scale = vision_plane_scale(pose, ramp->board_mm[0] / 2, ramp->row_y_mm[0], 0);
    return scale * ramp->disc_diameter_mm < DISC_PX_LEAST ? REASON_TOO_SMALL : REASON_COUNT;
}

/* Is the pose too rough to rule on? Unlike a mat's, a ramp's own tracks and discs show whether it is
 * right: none would be where it should. So tags need not prove each other. */
static bool rough(const struct ramp_reader *reader, const struct mat_pose *pose)
{
    double radius = reader->ramp->disc_diameter_mm / 2;
    return pose->twin || pose->tags < TAGS_LEAST || pose->place_sigma_mm <= 0 ||
           pose->place_sigma_mm > ROUGH_SHARE_WHOLE * radius;
}

int vision_ramp_pose(struct ramp_reader *reader, const struct frame *frame, struct mat_pose *pose)
{
    return vision_pose_find(reader->finder, frame, &reader->mat, reader->rig, pose);
}

int vision_ramp_read_at(struct ramp_reader *reader, const struct frame *frame, bool mirrored,
                        const struct mat_pose *pose, struct ramp_layout *out)
{
    struct harvest harvest = {.finds = 0};
    layout_start(reader, mirrored, out);
    out->tags = (int8_t)pose->tags;
    out->pose_error_px100 = (int16_t)lrint(fmin(pose->rms_px, 300) * 100);
    enum reason reason = unfit(reader, frame, pose);
    if (reason != REASON_COUNT) {
        out->reasons = REASON_BIT(reason);
        return VISION_OK;
    }
    int error = vision_pyramid_build(reader->pyramid, frame);
    if (!error)
        error = vision_ramp_sight_take(reader->sight, reader->pyramid, pose);
    if (error)
        return error;
    bool clear;
    if (!vision_ramp_telling(reader->ramp, &reader->palette,
                             &reader->sight->groove[reader->sight->reach])) {
        out->reasons = REASON_BIT(REASON_LOW_CONTRAST);
        return VISION_OK;
    }
    enum ramp_seen seen = places_look(reader, &clear);
    if ((error = discs_take(reader, seen, &harvest)))
        return error;
    out->seen = seen;
    discs_name(reader, &harvest, out);
    places_bare(reader, seen, &harvest, out);
    approach_bare(reader, seen, &harvest);
    out->reasons = harvest.reasons;
    if (!clear)
        out->reasons |= REASON_BIT(REASON_UNKNOWN_THING);
    bool thin = seen == RAMP_SEEN_RIM && reader->sight->px_per_mm * reader->ramp->disc_thickness_mm <
                                             RIM_PX_LEAST;
    if (thin && out->discs > 0)
        out->reasons |= REASON_BIT(REASON_TOO_SMALL);
    if (!clear || thin || pose->tags < TAGS_LEAST)
        discs_doubt(out);
    discs_afloat(out);
    if (rough(reader, pose))
        out->reasons |= REASON_BIT(REASON_COARSE_POSE);
    layout_end(out);
    return VISION_OK;
}

int vision_ramp_read(struct ramp_reader *reader, const struct frame *frame, bool mirrored,
                     struct ramp_layout *out, struct mat_pose *pose)
{
    struct mat_pose found;
    layout_start(reader, mirrored, out);
    int error = vision_ramp_pose(reader, frame, &found);
    if (error)
        return error;
    if (pose)
        *pose = found;
    return vision_ramp_read_at(reader, frame, mirrored, &found, out);
}
