/* vision/tag_edge.c: a tag's corners at full resolution: where the four edges of its black square
 * cross.
 *
 * Along each side, profiles are taken across the edge. In each the edge lies at the centroid of
 * the gradient, which blur and sharpening that are the same on both sides do not move. A line is
 * then fitted to the places of one side, robustly: a finger, a fold or glare on part of it is left
 * out, and a side with too little left is called covered.
 *
 * Black is never quite as large as it was drawn: ink runs, bright light bleeds into the dark, and
 * a camera's gamma makes a blurred edge lean one way, in all by half a pixel and more. The edges
 * between the modules inside the tag show by how much, since the drawing says where they belong:
 * every black edge moves the same way, while the corners moved all of the inside with them. */
#include "vision/tag.h"

#include "calib/cv.h"

#include <math.h>
#include <string.h>

#define PROFILES_MAX 40 /* along a side */
#define SIDE_ENDS 0.10  /* share of a side left out at each corner, where two edges mix */
#define PROFILE_STEP_PX 0.5
#define PROFILE_STEPS_MAX 64
#define REACH_FURTHEST_PX (0.5 * PROFILE_STEPS_MAX * PROFILE_STEP_PX - 1)
/* How far a profile reaches, in modules of the tag: the black border and the white margin around
 * it are one module wide each. First the steepest place is looked for far enough to make up for
 * corners from a reduced picture; the centroid then stays so near that a blurred neighbour weighs
 * little. */
#define REACH_FIRST_MODULES 0.85
#define REACH_MODULES 0.55
#define REACH_MIN_PX 2.0
#define REACH_FINAL_PX 4.0 /* once the edge is known: wider only gathers noise */
/* White must be brighter than black by this many steps of luma: above the noise of a profile. */
#define EDGE_CONTRAST_MIN 8.0
/* Something grey that lies close to the tag draws edges towards itself; it also takes from their
 * contrast. Lamps change a side's contrast by less than this. */
#define CONTRAST_SHARE 0.75
/* The share of the places that are at least as good as the one taken for the measure. */
#define CONTRAST_RANK 0.2
#define LINE_INLIER_PX 0.35 /* twice the scatter of single profiles under usual noise */
#define LINE_SHARE_MIN 0.4  /* of a side's profiles that must lie on its line */
#define LINE_PROFILES_MIN 4
#define REFINE_ROUNDS 3
/* Ink spread is not measured under this size of module, px: the edges of both sides mix. */
#define SPREAD_MODULE_MIN_PX 3.5
#define SPREAD_PLACES_MIN 30
#define SPREAD_PLACES_MAX 512
#define SPREAD_MAX_PX 1.5

struct line {
    double point[2], along[2]; /* along is a unit vector */
    bool firm;
};

struct edge_place {
    double at[2];
    double contrast; /* white less black, luma */
};

static bool samples_at(const struct frame *frame, double x, double y)
{
    return x >= 0 && y >= 0 && x < frame->width - 1 && y < frame->height - 1;
}

/* Where samples_at() is true. */
static inline double sample(const struct frame *frame, double x, double y)
{
    int ix = (int)x, iy = (int)y;
    double fx = x - ix, fy = y - iy;
    const uint8_t *row = frame->y + (size_t)iy * frame->y_stride + ix;
    const uint8_t *next = row + frame->y_stride;
    double upper = row[0] + fx * (row[1] - row[0]), lower = next[0] + fx * (next[1] - next[0]);
    return upper + fy * (lower - upper);
}

/* Light along `out` (a unit vector) through `at`, from -reach to +reach. Returns the number of
 * steps, 0 where the profile leaves the picture. */
static int profile_take(const struct frame *frame, const double at[2], const double out[2],
                        double reach, double light[PROFILE_STEPS_MAX + 1])
{
    int steps = (int)(2 * reach / PROFILE_STEP_PX + 0.5);
    if (steps > PROFILE_STEPS_MAX)
        steps = PROFILE_STEPS_MAX;
    double end = 0.5 * steps * PROFILE_STEP_PX; /* what lies between the ends is there too */
    if (!samples_at(frame, at[0] - end * out[0], at[1] - end * out[1]) ||
        !samples_at(frame, at[0] + end * out[0], at[1] + end * out[1]))
        return 0;
    for (int i = 0; i <= steps; i++) {
        double d = i * PROFILE_STEP_PX - end;
        light[i] = sample(frame, at[0] + d * out[0], at[1] + d * out[1]);
    }
    return steps;
}

/* Where within `search` px light rises most over two pixels, as a distance along `out`. */
static bool profile_search(const struct frame *frame, const double at[2], const double out[2],
                           double search, double *distance)
{
    double light[PROFILE_STEPS_MAX + 1] = {0}, best = 0;
    int span = (int)(1 / PROFILE_STEP_PX);
    int steps = profile_take(frame, at, out, search + 1, light);
    for (int i = span; i <= steps - span; i++)
        if (light[i + span] - light[i - span] > best) {
            best = light[i + span] - light[i - span];
            *distance = (i - 0.5 * steps) * PROFILE_STEP_PX;
        }
    return best > 0;
}

/* How far to look along a profile, px. */
struct reach {
    double search; /* for the steepest place; 0 when the edge is known already */
    double near;   /* then around it, for the centroid */
};

/* The edge on the profile through `at` along the outward unit vector `out`. False where there is
 * none from dark to bright. */
static bool profile_edge(const struct frame *frame, const double at[2], const double out[2],
                         struct reach reach, struct edge_place *place)
{
    double light[PROFILE_STEPS_MAX + 1], found = 0;
    if (reach.search > 0 && !profile_search(frame, at, out, reach.search, &found))
        return false;
    double middle[2] = {at[0] + found * out[0], at[1] + found * out[1]};
    int steps = profile_take(frame, middle, out, reach.near, light);
    /* Falls are noise or something that lies there; counting them negative keeps the centroid of
     * pure noise where it is. */
    double sum = 0, moment = 0, bumps = 0;
    for (int i = 0; i < steps; i++) {
        double rise = light[i + 1] - light[i];
        double d = (i + 0.5 - 0.5 * steps) * PROFILE_STEP_PX;
        sum += rise;
        moment += rise * d;
        bumps += fabs(rise);
    }
    if (sum < EDGE_CONTRAST_MIN || sum < 0.5 * bumps)
        return false;
    double shift = moment / sum;
    if (!(fabs(shift) < reach.near))
        return false;
    place->at[0] = middle[0] + shift * out[0];
    place->at[1] = middle[1] + shift * out[1];
    place->contrast = sum;
    return true;
}

static double line_distance(const struct line *line, const double at[2])
{
    return (at[0] - line->point[0]) * -line->along[1] + (at[1] - line->point[1]) * line->along[0];
}

static int line_count(const struct edge_place *place, int places, double limit,
                      const struct line *line)
{
    int on = 0;
    for (int i = 0; i < places; i++)
        on += fabs(line_distance(line, place[i].at)) < limit;
    return on;
}

/* Line through the places that lie within `limit` of *line (total least squares). Returns how
 * many they were; *line is only changed when there are two at least. */
static int line_fit(const struct edge_place *place, int places, double limit, struct line *line)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    int n = 0;
    for (int i = 0; i < places; i++) {
        if (fabs(line_distance(line, place[i].at)) > limit)
            continue;
        double x = place[i].at[0] - line->point[0], y = place[i].at[1] - line->point[1];
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
        n++;
    }
    if (n < 2)
        return n;
    sx /= n;
    sy /= n;
    double a = sxx / n - sx * sx, b = sxy / n - sx * sy, c = syy / n - sy * sy;
    double angle = 0.5 * atan2(2 * b, a - c);
    double along[2] = {cos(angle), sin(angle)};
    if (along[0] * line->along[0] + along[1] * line->along[1] < 0) {
        along[0] = -along[0];
        along[1] = -along[1];
    }
    line->point[0] += sx;
    line->point[1] += sy;
    memcpy(line->along, along, sizeof along);
    return n;
}

/* Most places on one line through two of them, then a fit to those: half of a side may lie under
 * something that has an edge of its own. */
static void line_robust(const struct edge_place *place, int places, struct line *line)
{
    int best = 0;
    struct line start = *line, plain = *line;
    /* Nearly always nothing is in the way, and all places lie on the plain fit. */
    line_fit(place, places, INFINITY, &plain);
    if (line_count(place, places, LINE_INLIER_PX, &plain) >= 0.9 * places) {
        line_fit(place, places, 1.5 * LINE_INLIER_PX, &plain);
        *line = plain;
        return;
    }
    for (int i = 0; i < places; i++)
        for (int j = i + places / 4 + 1; j < places; j++) {
            double dx = place[j].at[0] - place[i].at[0], dy = place[j].at[1] - place[i].at[1];
            double length = hypot(dx, dy);
            if (!(length > 0))
                continue;
            struct line try = {{place[i].at[0], place[i].at[1]}, {dx / length, dy / length}, false};
            int on = line_count(place, places, LINE_INLIER_PX, &try);
            if (on > best) {
                best = on;
                *line = try;
            }
        }
    for (int i = 0; i < 3; i++)
        line_fit(place, places, 1.5 * LINE_INLIER_PX, line);
    if (line->along[0] * start.along[0] + line->along[1] * start.along[1] < 0) {
        line->along[0] = -line->along[0];
        line->along[1] = -line->along[1];
    }
}

/* Drops the places whose contrast is poor beside that of the side's good ones; returns how many
 * are left. */
static int places_choose(struct edge_place *place, int places)
{
    double sorted[PROFILES_MAX];
    int kept = 0;
    for (int i = 0; i < places; i++) {
        int j = i;
        for (; j > 0 && sorted[j - 1] < place[i].contrast; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = place[i].contrast;
    }
    for (int i = 0; i < places; i++)
        if (place[i].contrast >= CONTRAST_SHARE * sorted[(int)(CONTRAST_RANK * places)])
            place[kept++] = place[i];
    return kept;
}

/* The line of the edge from corner a to b; `outward` is +1 or -1: which side of a->b is outside.
 * Without enough of the edge in sight the line is a-b itself, not firm. */
static struct line side_line(const struct frame *frame, const double a[2], const double b[2],
                             double outward, struct reach reach)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    struct line line = {{a[0], a[1]}, {dx / length, dy / length}, false};
    double out[2] = {outward * -line.along[1], outward * line.along[0]};
    struct edge_place place[PROFILES_MAX];
    int wanted = (int)(length * (1 - 2 * SIDE_ENDS)), places = 0;
    wanted = wanted > PROFILES_MAX ? PROFILES_MAX : wanted < 6 ? 6 : wanted;
    for (int i = 0; i < wanted; i++) {
        double share = SIDE_ENDS + (1 - 2 * SIDE_ENDS) * (i + 0.5) / wanted;
        double at[2] = {a[0] + share * dx, a[1] + share * dy};
        places += profile_edge(frame, at, out, reach, &place[places]);
    }
    places = places_choose(place, places);
    if (places < LINE_PROFILES_MIN)
        return line;
    struct line fitted = line;
    line_robust(place, places, &fitted);
    int on = line_count(place, places, 2 * LINE_INLIER_PX, &fitted);
    /* 0.98: a side turns by less than 11 degrees in refining; more is another edge. */
    double turn = fitted.along[0] * line.along[0] + fitted.along[1] * line.along[1];
    if (on < LINE_PROFILES_MIN || on < LINE_SHARE_MIN * wanted || turn < 0.98)
        return line;
    fitted.firm = true;
    return fitted;
}

static bool lines_cross(const struct line *a, const struct line *b, double at[2])
{
    double det = a->along[0] * b->along[1] - a->along[1] * b->along[0];
    if (!(fabs(det) > 0.1)) /* under 6 degrees: no corner of a square that could be read */
        return false;
    double dx = b->point[0] - a->point[0], dy = b->point[1] - a->point[1];
    double along = (dx * b->along[1] - dy * b->along[0]) / det;
    at[0] = a->point[0] + along * a->along[0];
    at[1] = a->point[1] + along * a->along[1];
    return true;
}

double vision_tag_side(const double corner[4][2])
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 4];
        sum += hypot(b[0] - a[0], b[1] - a[1]) / 4;
    }
    return sum;
}

static double corners_area(const double corner[4][2])
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 4];
        sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    return sum;
}

/* Corners where the lines cross; those that would jump further than `limit` stay and are not
 * firm. Returns how many are firm. */
static int corners_cross(const struct line line[4], double limit, struct tag_candidate *tag)
{
    int firm = 0;
    for (int i = 0; i < 4; i++) {
        const struct line *before = &line[(i + 3) % 4], *after = &line[i];
        double at[2];
        tag->firm[i] = false;
        if (!lines_cross(before, after, at))
            continue;
        if (hypot(at[0] - tag->corner[i][0], at[1] - tag->corner[i][1]) > limit)
            continue;
        memcpy(tag->corner[i], at, sizeof at);
        tag->firm[i] = before->firm && after->firm;
        firm += tag->firm[i];
    }
    return firm;
}

/* Homography from a tag's own square (-1..1, x right, y down in libapriltag's picture of it). */
static bool own_homography(const struct tag_candidate *tag, double h[9])
{
    static const double own[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    double to[4][2];
    for (int i = 0; i < 4; i++)
        memcpy(to[i], tag->corner[tag->own[i]], sizeof to[i]);
    return calib_cv_homography(own, (const double(*)[2])to, 4, h) == 0;
}

struct spread_place {
    double shift; /* px towards the white side from where the corners put the edge */
    double lever; /* shift for one px of spread */
};

/* The edge between two modules at `from` and `to` (centres, in modules from the tag's middle),
 * black and white; `share` is where along it, -0.5..0.5. */
static bool spread_measure(const struct frame *frame, const double h[9], const double black[2],
                           const double white[2], double share, struct reach reach,
                           struct spread_place *place)
{
    double half = TAG_MODULES / 2.0, a[2], b[2], at[2];
    double step[2] = {white[0] - black[0], white[1] - black[1]};
    double edge[2] = {black[0] + step[0] / 2 + share * step[1],
                      black[1] + step[1] / 2 + share * step[0]};
    double along[2] = {edge[0] + 0.5 * step[1], edge[1] + 0.5 * step[0]};
    double edge_own[2] = {edge[0] / half, edge[1] / half};
    double along_own[2] = {along[0] / half, along[1] / half};
    double white_own[2] = {white[0] / half, white[1] / half};
    if (!vision_homography_apply(h, edge_own, at) || !vision_homography_apply(h, along_own, a) ||
        !vision_homography_apply(h, white_own, b))
        return false;
    /* Across the edge as it is seen, towards white. */
    double dx = a[0] - at[0], dy = a[1] - at[1], length = hypot(dx, dy);
    double sign = (b[0] - at[0]) * -dy + (b[1] - at[1]) * dx > 0 ? 1 : -1;
    double out[2] = {sign * -dy / length, sign * dx / length};
    struct edge_place edge_at;
    if (!(length > 0) || !profile_edge(frame, at, out, reach, &edge_at))
        return false;
    place->shift = (edge_at.at[0] - at[0]) * out[0] + (edge_at.at[1] - at[1]) * out[1];
    /* Spread by d, black ends d further towards white; the corners, d further out, already
     * carry the edge along by its share of the way from the middle. */
    place->lever = 1 - (edge_own[0] * step[0] + edge_own[1] * step[1]);
    return true;
}

/* Least squares for the spread among the places that agree with the last estimate. */
static double spread_solve(const struct spread_place *place, int places)
{
    double spread = 0, limit = INFINITY;
    for (int round = 0; round < 4; round++) {
        double up = 0, down = 0;
        for (int i = 0; i < places; i++) {
            if (fabs(place[i].shift - spread * place[i].lever) > limit)
                continue;
            up += place[i].shift * place[i].lever;
            down += place[i].lever * place[i].lever;
        }
        if (down > 0)
            spread = up / down;
        limit = 3 * LINE_INLIER_PX / (round + 1);
    }
    return spread;
}

/* How far black reaches beyond where it was drawn, px; 0 when the tag is too small to say. */
static double spread_find(const struct frame *frame, const struct tag_candidate *tag, double module,
                          struct reach reach)
{
    struct spread_place place[SPREAD_PLACES_MAX];
    double h[9];
    int places = 0;
    if (module < SPREAD_MODULE_MIN_PX || !own_homography(tag, h))
        return 0;
    for (int row = 0; row < TAG_MODULES; row++)
        for (int col = 0; col < TAG_MODULES; col++)
            for (int way = 0; way < 2; way++) {
                int row2 = row + way, col2 = col + 1 - way;
                if (row2 == TAG_MODULES || col2 == TAG_MODULES ||
                    tag->white[row][col] == tag->white[row2][col2])
                    continue;
                double one[2] = {col + 0.5 - TAG_MODULES / 2.0, row + 0.5 - TAG_MODULES / 2.0};
                double two[2] = {col2 + 0.5 - TAG_MODULES / 2.0, row2 + 0.5 - TAG_MODULES / 2.0};
                bool first = tag->white[row][col];
                for (int i = -1; i <= 1 && places < SPREAD_PLACES_MAX; i++)
                    places += spread_measure(frame, h, first ? two : one, first ? one : two,
                                             0.2 * i, reach, &place[places]);
            }
    if (places < SPREAD_PLACES_MIN)
        return 0;
    double spread = spread_solve(place, places);
    return fabs(spread) < SPREAD_MAX_PX ? spread : 0;
}

int vision_tag_refine(const struct frame *frame, struct tag_candidate *tag)
{
    double corners[4][2], module = vision_tag_side((const double(*)[2])tag->corner) / TAG_MODULES;
    double near = fmin(fmax(REACH_MODULES * module, REACH_MIN_PX), REACH_FINAL_PX);
    double search = fmax(fmin(REACH_FIRST_MODULES * module, 1.5 * tag->rough_px), REACH_MIN_PX);
    struct reach reach = {fmin(search, REACH_FURTHEST_PX), near};
    double limit = fmax(1.5 * tag->rough_px, 2);
    double outward = corners_area((const double(*)[2])tag->corner) > 0 ? -1 : 1;
    struct line line[4];
    int firm = 0;
    if (!(module > 0))
        return 0;
    for (int i = 0; i < REFINE_ROUNDS; i++) {
        memcpy(corners, tag->corner, sizeof corners);
        for (int j = 0; j < 4; j++)
            line[j] = side_line(frame, corners[j], corners[(j + 1) % 4], outward, reach);
        firm = corners_cross(line, limit, tag);
        if (i + 2 >= REFINE_ROUNDS)
            reach.search = 0;
    }
    if (firm < 4)
        return firm; /* the inside can't be told from a scale that is not known */
    double spread = spread_find(frame, tag, module, reach);
    for (int i = 0; i < 4; i++) {
        line[i].point[0] -= spread * outward * -line[i].along[1];
        line[i].point[1] -= spread * outward * line[i].along[0];
    }
    return corners_cross(line, 4 * SPREAD_MAX_PX, tag);
}
