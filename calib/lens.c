/* calib/lens.c: see lens.h. */
#include "calib/lens.h"

#include "calib/cv.h"
#include "calib/mark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A picture is left out when its residual is this many times the median picture's, and above
 * DROP_PX at all: corners that are found right differ by less than twofold from picture to
 * picture. One that was found wrong, or blurred by motion, or whose board was bent, stands out. */
#define DROP_RATIO 3.0
#define DROP_PX 0.3
#define DROP_SHARE                                                                                 \
    4 /* a quarter of the pictures at most: beyond that it is not the picture's fault */
/* k3 is kept where it is known to be something: twice its standard error. It bends only the
 * outermost part of a picture, and a wrong one bends it wildly. */
#define K3_SIGMAS 2.0
/* Beyond this uncertainty the lens has too many numbers for its pictures. */
#define CENTRE_SIGMA_SHARE 0.02 /* of the width */
#define FOCAL_SIGMA_MOST 0.02   /* of itself */

struct points {
    char name[LENS_NAME_MAX];
    int count;
    double (*mm)[2], (*px)[2];
};

struct lens {
    int width, height;
    int views;
    struct points view[LENS_VIEWS_MAX];
};

struct lens *calib_lens_create(int width, int height)
{
    struct lens *lens = width > 0 && height > 0 ? calloc(1, sizeof *lens) : NULL;

    if (lens) {
        lens->width = width;
        lens->height = height;
    }
    return lens;
}

void calib_lens_destroy(struct lens **lens)
{
    if (!lens || !*lens) {
        return;
    }
    for (int i = 0; i < (*lens)->views; i++) {
        free((*lens)->view[i].mm);
        free((*lens)->view[i].px);
    }
    free(*lens);
    *lens = NULL;
}

int calib_lens_views(const struct lens *lens)
{
    return lens->views;
}

int calib_lens_add(struct lens *lens, const char *name, const double (*point_mm)[2],
                   const double (*pixel)[2], int points)
{
    double h[9];

    if (points < 4) {
        return CALIB_E_GEOMETRY;
    }
    if (lens->views == LENS_VIEWS_MAX || points > LENS_POINTS_MAX) {
        return CALIB_E_SIZE;
    }
    int error = calib_cv_homography(point_mm, pixel, (size_t)points, h);
    if (error) {
        return error;
    }
    struct points *view = &lens->view[lens->views];
    size_t bytes = (size_t)points * sizeof *view->mm;
    view->mm = malloc(bytes);
    view->px = malloc(bytes);
    if (!view->mm || !view->px) {
        free(view->mm);
        free(view->px);
        return CALIB_E_MEMORY;
    }
    memcpy(view->mm, point_mm, bytes);
    memcpy(view->px, pixel, bytes);
    view->count = points;
    (void)snprintf(view->name, sizeof view->name, "%s", name);
    return lens->views++;
}

/* ---- where points were ---- */

static int field_of(double at, int side_px, int fields)
{
    int field = (int)floor((at + 0.5) * fields / side_px);

    return field < 0 ? 0 : field >= fields ? fields - 1 : field;
}

static void fields_count(const struct lens *lens, const double (*px)[2], int points,
                         int field[LENS_FIELD_ROWS][LENS_FIELD_COLS])
{
    for (int i = 0; i < points; i++) {
        int col = field_of(px[i][0], lens->width, LENS_FIELD_COLS);
        int row = field_of(px[i][1], lens->height, LENS_FIELD_ROWS);
        field[row][col]++;
    }
}

void calib_lens_cover(const struct lens *lens, struct lens_result *out)
{
    int covered = 0;

    memset(out->field, 0, sizeof out->field);
    for (int i = 0; i < lens->views; i++) {
        if (out->views == 0 || out->view[i].used) {
            fields_count(lens, (const double(*)[2])lens->view[i].px, lens->view[i].count,
                         out->field);
        }
    }
    for (int i = 0; i < LENS_FIELD_ROWS * LENS_FIELD_COLS; i++) {
        covered += out->field[i / LENS_FIELD_COLS][i % LENS_FIELD_COLS] > 0;
    }
    out->covered = (double)covered / (LENS_FIELD_ROWS * LENS_FIELD_COLS);
    const int right = LENS_FIELD_COLS - 1, below = LENS_FIELD_ROWS - 1;
    const int corner[4][2] = {{0, 0}, {0, right}, {below, right}, {below, 0}};
    for (int i = 0; i < 4; i++) {
        out->corner_seen[i] = out->field[corner[i][0]][corner[i][1]] > 0;
    }
}

/* Centre and size of what is seen, and how much it is foreshortened: enough to tell positions of a
 * board apart without knowing the lens. */
struct outline {
    double x, y, side;
    double shape[3]; /* second moments, of the side */
    double skew[2];  /* third ones: what is nearer looks larger, which tells a tilt from its mirror */
};

static struct outline outline_of(const double (*px)[2], int points)
{
    struct outline out = {0};
    double xx = 0, xy = 0, yy = 0;

    for (int i = 0; i < points; i++) {
        out.x += px[i][0] / points;
        out.y += px[i][1] / points;
    }
    for (int i = 0; i < points; i++) {
        xx += (px[i][0] - out.x) * (px[i][0] - out.x) / points;
        xy += (px[i][0] - out.x) * (px[i][1] - out.y) / points;
        yy += (px[i][1] - out.y) * (px[i][1] - out.y) / points;
        out.skew[0] += pow(px[i][0] - out.x, 3) / points;
        out.skew[1] += pow(px[i][1] - out.y, 3) / points;
    }
    out.side = sqrt(xx + yy);
    if (out.side > 0) {
        out.shape[0] = xx / (xx + yy);
        out.shape[1] = xy / (xx + yy);
        out.shape[2] = yy / (xx + yy);
        out.skew[0] /= pow(out.side, 3);
        out.skew[1] /= pow(out.side, 3);
    }
    return out;
}

/* Moved by a third of its size, a sixth nearer or farther, or turned so that its outline changed by
 * a tenth (about ten degrees). */
static bool outline_differs(const struct outline *a, const struct outline *b)
{
    double moved = hypot(a->x - b->x, a->y - b->y) / fmax(a->side, b->side);
    double grown = fabs(log(fmax(a->side, 1e-9) / fmax(b->side, 1e-9)));
    double turned = fabs(a->shape[0] - b->shape[0]) + fabs(a->shape[1] - b->shape[1]) +
                    fabs(a->shape[2] - b->shape[2]);

    double tilted = hypot(a->skew[0] - b->skew[0], a->skew[1] - b->skew[1]);

    return moved > 0.33 || grown > 0.17 || turned > 0.1 || tilted > 0.05;
}

bool calib_lens_new(const struct lens *lens, const double (*pixel)[2], int points)
{
    struct lens_result seen = {.views = 0};
    int field[LENS_FIELD_ROWS][LENS_FIELD_COLS] = {{0}};
    struct outline now = outline_of(pixel, points);
    bool differs = true, fresh = false;

    calib_lens_cover(lens, &seen);
    fields_count(lens, pixel, points, field);
    for (int i = 0; i < LENS_FIELD_ROWS * LENS_FIELD_COLS; i++) {
        const int row = i / LENS_FIELD_COLS, col = i % LENS_FIELD_COLS;
        fresh = fresh || (field[row][col] > 0 && seen.field[row][col] == 0);
    }
    for (int i = 0; i < lens->views && differs; i++) {
        struct outline then = outline_of((const double(*)[2])lens->view[i].px, lens->view[i].count);
        differs = outline_differs(&now, &then);
    }
    return lens->views < LENS_VIEWS_MAX && (fresh || differs);
}

/* ---- solving ---- */

static const unsigned model_holds[] = {
    [LENS_FULL] = 0,
    [LENS_NO_K3] = CALIB_CV_HOLD_K3,
    [LENS_PLAIN] = CALIB_CV_HOLD_K3 | CALIB_CV_HOLD_K2 | CALIB_CV_HOLD_SKEWED |
                   CALIB_CV_HOLD_CENTRE | CALIB_CV_HOLD_ASPECT,
};

/* What a solution of the used views gives, in their order. */
struct solving {
    struct cv_view view[LENS_VIEWS_MAX];
    struct pose pose[LENS_VIEWS_MAX];
    double rms_px[LENS_VIEWS_MAX];
    int index[LENS_VIEWS_MAX]; /* of the lens's views */
    int count;
};

static int model_solve(const struct lens *lens, struct solving *solving, struct lens_result *out)
{
    solving->count = 0;
    for (int i = 0; i < lens->views; i++) {
        if (out->view[i].used) {
            const struct points *view = &lens->view[i];
            solving->index[solving->count] = i;
            solving->view[solving->count++] = (struct cv_view){
                (const double(*)[2])view->mm, (const double(*)[2])view->px, (size_t)view->count};
        }
    }
    int error = calib_cv_calibrate(solving->view, (size_t)solving->count, lens->width, lens->height,
                                   model_holds[out->model], &out->camera, out->sigma, solving->pose,
                                   solving->rms_px, &out->rms_px);
    for (int i = 0; i < solving->count && !error; i++) {
        struct lens_view *view = &out->view[solving->index[i]];
        view->rms_px = solving->rms_px[i];
        view->pose = solving->pose[i];
    }
    out->used = solving->count;
    out->focal_sigma = fmax(out->sigma[0] / out->camera.fx, out->sigma[1] / out->camera.fy);
    return error;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The view to leave out next, or -1. */
static int view_worst(const struct lens *lens, const struct lens_result *result)
{
    double sorted[LENS_VIEWS_MAX], most = 0.0;
    int count = 0, worst = -1;

    for (int i = 0; i < lens->views; i++) {
        if (!result->view[i].used) {
            continue;
        }
        sorted[count++] = result->view[i].rms_px;
        if (result->view[i].rms_px > most) {
            most = result->view[i].rms_px;
            worst = i;
        }
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    bool may = count > LENS_VIEWS_LEAST && (lens->views - count + 1) * DROP_SHARE <= lens->views;
    return may && most > DROP_PX && most > DROP_RATIO * sorted[count / 2] ? worst : -1;
}

/* Does what was fitted stand on its own feet? */
static bool model_stands(const struct lens_result *result)
{
    const struct camera *camera = &result->camera;
    double centre = fmax(result->sigma[2], result->sigma[3]);
    bool sure =
        centre < CENTRE_SIGMA_SHARE * camera->width && result->focal_sigma < FOCAL_SIGMA_MOST;

    switch (result->model) {
    case LENS_FULL:
        return sure && fabs(camera->dist[4]) > K3_SIGMAS * result->sigma[8];
    case LENS_NO_K3:
        return sure;
    default:
        return true;
    }
}

static double tilt_deg(const struct pose *pose)
{
    return acos(fmin(fabs(pose->r[8]), 1.0)) * (180.0 / M_PI);
}

static void result_describe(struct lens_result *out)
{
    bool first = true;

    for (int i = 0; i < out->views; i++) {
        struct lens_view *view = &out->view[i];
        view->tilt_deg = tilt_deg(&view->pose);
        view->distance_mm =
            sqrt(view->pose.t_mm[0] * view->pose.t_mm[0] + view->pose.t_mm[1] * view->pose.t_mm[1] +
                 view->pose.t_mm[2] * view->pose.t_mm[2]);
        if (view->used) {
            out->tilt_least_deg =
                first ? view->tilt_deg : fmin(out->tilt_least_deg, view->tilt_deg);
            out->tilt_most_deg = fmax(out->tilt_most_deg, view->tilt_deg);
            first = false;
        }
    }
}

/* ---- what there is to say against it ---- */

#define PICTURES_GOOD 10   /* what OpenCV's manual asks for */
#define TILT_GOOD_DEG 15.0 /* below it, sine and cosine of the tilt hide in the corners' error */
#define TILTED_GOOD 3      /* pictures that are tilted so */
#define COVER_GOOD 0.6     /* of the fields: the outer third counts for half of them */
#define FOCAL_SIGMA_GOOD 0.005
#define RESIDUAL_GOOD_PX 0.7 /* corners are found to a tenth or two of that */
#define CENTRE_GOOD 0.08     /* of the width, from the middle: a cropped picture has it elsewhere */
#define ASPECT_GOOD 0.01     /* pixels of today's sensors are square; paper may be stretched */

static unsigned warnings_of(const struct lens_result *out)
{
    const struct camera *c = &out->camera;
    unsigned bits = 0;
    int tilted = 0, corners = 0;
    double off = hypot(c->cx - 0.5 * (c->width - 1), c->cy - 0.5 * (c->height - 1));

    for (int i = 0; i < out->views; i++) {
        tilted += out->view[i].used && out->view[i].tilt_deg >= TILT_GOOD_DEG;
    }
    for (int i = 0; i < 4; i++) {
        corners += out->corner_seen[i];
    }
    const bool found[LENS_WARNINGS] = {
        [LENS_FEW_PICTURES] = out->used < PICTURES_GOOD,
        [LENS_ALL_FRONTAL] = tilted < TILTED_GOOD,
        [LENS_CORNERS_EMPTY] = corners < 4,
        [LENS_AREA_EMPTY] = out->covered < COVER_GOOD,
        [LENS_PICTURE_DROPPED] = out->used < out->views,
        [LENS_K3_HELD] = out->model == LENS_NO_K3,
        [LENS_SIMPLE] = out->model == LENS_PLAIN,
        [LENS_FOCAL_OPEN] = !(out->focal_sigma < FOCAL_SIGMA_GOOD),
        [LENS_RESIDUAL_LARGE] = !(out->rms_px < RESIDUAL_GOOD_PX),
        [LENS_CENTRE_FAR] = !(off < CENTRE_GOOD * c->width),
        [LENS_ASPECT_ODD] = !(fabs(c->fx / c->fy - 1.0) < ASPECT_GOOD),
    };
    for (int i = 0; i < LENS_WARNINGS; i++) {
        bits |= found[i] ? LENS_WARNING_BIT(i) : 0;
    }
    return bits;
}

/* One model with pictures left out as needed. */
static int model_settle(const struct lens *lens, struct solving *solving, struct lens_result *out)
{
    int error, worst;

    while (!(error = model_solve(lens, solving, out)) && (worst = view_worst(lens, out)) >= 0) {
        out->view[worst].used = false;
    }
    return error;
}

int calib_lens_solve(const struct lens *lens, struct lens_result *out)
{
    int error = CALIB_E_GEOMETRY;

    memset(out, 0, sizeof *out);
    if (lens->views < LENS_VIEWS_LEAST) {
        return error;
    }
    struct solving *solving = malloc(sizeof *solving);
    if (!solving) {
        return CALIB_E_MEMORY;
    }
    out->views = lens->views;
    for (int i = 0; i < lens->views; i++) {
        memcpy(out->view[i].name, lens->view[i].name, sizeof out->view[i].name);
        out->view[i].points = lens->view[i].count;
        out->view[i].used = true;
    }
    for (out->model = LENS_FULL; out->model <= LENS_PLAIN; out->model++) {
        error = model_settle(lens, solving, out);
        if (!error && model_stands(out)) {
            break;
        }
    }
    free(solving);
    if (error) {
        return error;
    }
    result_describe(out);
    calib_lens_cover(lens, out);
    out->warnings = warnings_of(out);
    /* From straight ahead a longer lens farther off looks the same, and the fit's own standard
     * error does not know how far it is from the truth. */
    if (out->warnings & LENS_WARNING_BIT(LENS_ALL_FRONTAL)) {
        out->focal_sigma = INFINITY;
        out->warnings |= LENS_WARNING_BIT(LENS_FOCAL_OPEN);
    }
    return CALIB_OK;
}

/* ---- words ---- */

static const struct {
    const char *word, *text;
} warning_says[LENS_WARNINGS] = {
    [LENS_FEW_PICTURES] = {"few_pictures", N_("few pictures; take ten or more")},
    [LENS_ALL_FRONTAL] =
        {"all_frontal", N_("nearly all pictures look straight at the board, which leaves the focal "
                           "length open; tilt it by 20 to 40 degrees in some")},
    [LENS_CORNERS_EMPTY] = {"corners_empty",
                            N_("the board was never in some corners of the picture, where the lens "
                               "bends most; hold it there, too")},
    [LENS_AREA_EMPTY] =
        {"area_empty", N_("large parts of the picture never showed the board; move it all over the "
                          "picture")},
    [LENS_PICTURE_DROPPED] = {"picture_dropped",
                              N_("a picture that fits far worse than the others was left out: "
                                 "probably blurred, or the board was bent")},
    [LENS_K3_HELD] =
        {"k3_held", N_("the pictures do not determine k3; it was left at 0, which is right for all "
                       "but wide lenses")},
    [LENS_SIMPLE] = {"simple_lens",
                     N_("the pictures determine too little: only focal length and k1 were fitted")},
    [LENS_FOCAL_OPEN] = {"focal_open",
                         N_("the focal length is not known to half a per cent; take more pictures, "
                            "with the board tilted and near")},
    [LENS_RESIDUAL_LARGE] =
        {"residual_large",
         N_("points lie far from where the lens puts them; look that the board is "
            "flat, held still, and as large as was said")},
    [LENS_CENTRE_FAR] =
        {"centre_far",
         N_("the lens's centre is far from the picture's: the picture may be cropped, "
            "or the pictures say too little")},
    [LENS_ASPECT_ODD] = {"aspect_odd",
                         N_("pixels do not come out square: the board may be printed stretched, or "
                            "the picture may be")},
};

const char *calib_lens_warning_word(enum lens_warning warning)
{
    return (unsigned)warning < LENS_WARNINGS ? warning_says[warning].word : "unknown";
}

const char *calib_lens_warning_text(enum lens_warning warning)
{
    return (unsigned)warning < LENS_WARNINGS ? warning_says[warning].text : "unknown";
}

const char *calib_lens_model_word(enum lens_model model)
{
    static const char *const words[] = {
        [LENS_FULL] = "full", [LENS_NO_K3] = "no_k3", [LENS_PLAIN] = "plain"};

    return (unsigned)model < sizeof words / sizeof *words ? words[model] : "unknown";
}
