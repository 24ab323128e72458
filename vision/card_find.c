/* vision/card_find.c: see card_find.h. */
#include "vision/card_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COARSE_PX_PER_MM 0.5 /* a border band of 5 mm is two and a half pixels wide */
#define FINE_PX_PER_MM 1.1   /* 16 px to a cell of 15 mm, as in the raster of its face */
#define MARGIN_MM 12.0       /* a card hangs over by up to 8 mm, and a pose is off by up to 4 */
#define SIDE_MAX 512         /* px of a coarse patch */

/* Paper in shadow keeps its colour; printed panels are tinted by a fifth or more. */
#define PAPER_LEAST 0.70f
#define PAPER_SHADE_LEAST 0.42f
#define PAPER_TINT_MOST 0.15f
/* A card covers 0.6 of its slot or more, and with its panel in strong light for paper, its border
 * and cells still 0.3. So with this much paper in view there is none. */
#define PAPER_SHARE 0.75
#define PAPER_CLEAN 0.93

/* Sizes that are looked for, as shares of the slot. */
#define SLOT_SHARE_LEAST 0.79
#define SLOT_SHARE_MOST 0.985
#define OVER_MM 3.0 /* over the slot's edge, or by the pose's error, at no cost */
#define OVER_WEIGHT 0.8f
#define LINE_APART_MM 3.0 /* of two places that are guesses of their own */
#define TRIES 4           /* guesses that are looked at closely at most */
#define SIDES_LEAST 1.6   /* of a square's edge that must be seen */
#define SIDES_ENOUGH 3.4  /* that end the search */

#define EDGE_LEAST 0.05f /* whiteness to a coarse pixel; noise of a dim picture is 0.03 */
#define EDGE_MOST 0.30f  /* more says no more: one strong edge must not outvote a long one */
#define EDGES_MAX 16384
/* How far the slot's printed line reaches inward as an edge: half of its width, half of a coarse
 * pixel and the next pixel, over which slopes are taken. */
#define LINE_REACH_MM 4.0f

#define ANGLE_BINS 60   /* of 1.5 degrees, over a quarter turn */
#define ANGLES 3        /* best directions that are tried */
#define LINE_BINS 320   /* of 0.5 mm */
#define LINE_MIDDLE 160 /* the slot's centre */
#define LINE_STEP_MM 0.5

/* The library's calls mind numbers that are none; these may stand in inner loops. */
static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

struct edge {
    float x_mm, y_mm; /* from the slot's centre */
    float gx, gy;     /* whiteness to a pixel, toward the lighter side */
};

struct card_finder {
    struct patch coarse, fine;
    float *coarse_white, *fine_white;
    int coarse_room, fine_room;
    int edges;
    double outside, burnt, lit, paper; /* shares of the slot */
    double inside_mm;                  /* length of edges within its outline */
    struct edge edge[EDGES_MAX];
    float line[4][LINE_BINS], clear[4][LINE_BINS];
};

struct card_finder *vision_card_finder_create(void)
{
    return calloc(1, sizeof(struct card_finder));
}

void vision_card_finder_destroy(struct card_finder **finder)
{
    if (!finder || !*finder)
        return;
    vision_patch_free(&(*finder)->coarse);
    vision_patch_free(&(*finder)->fine);
    free((*finder)->coarse_white);
    free((*finder)->fine_white);
    free(*finder);
    *finder = NULL;
}

const struct patch *vision_card_finder_patch(const struct card_finder *finder)
{
    return &finder->fine;
}

double vision_card_finder_outside(const struct card_finder *finder)
{
    return finder->outside;
}

double vision_card_finder_burnt(const struct card_finder *finder)
{
    return finder->burnt;
}

double vision_card_finder_paper(const struct card_finder *finder)
{
    return finder->paper;
}

double vision_card_finder_lit(const struct card_finder *finder)
{
    return finder->lit;
}

double vision_card_finder_edges_mm(const struct card_finder *finder)
{
    return finder->inside_mm;
}

void vision_card_square_to_mm(const struct card_square *square, double u_mm, double v_mm,
                              double mm[2])
{
    double c = cos(square->turn_rad), s = sin(square->turn_rad);
    mm[0] = square->center_mm[0] + c * u_mm - s * v_mm;
    mm[1] = square->center_mm[1] + s * u_mm + c * v_mm;
}

void vision_square_axes(const struct card_square *square, const struct patch *patch, double print,
                        struct square_axes *axes)
{
    double c = cos(square->turn_rad), s = sin(square->turn_rad), x, y;
    float step = (float)(print * patch->px_per_mm);
    vision_patch_from_mm(patch, square->center_mm, &x, &y);
    axes->x = (float)x;
    axes->y = (float)y;
    axes->u[0] = axes->v[1] = (float)c * step;
    axes->u[1] = (float)s * step;
    axes->v[0] = -axes->u[1];
}

static int whiteness_reserve(float **white, int *room, int pixels)
{
    if (*room >= pixels)
        return VISION_OK;
    float *grown = realloc(*white, (size_t)pixels * sizeof *grown);
    if (!grown)
        return VISION_E_MEMORY;
    *white = grown;
    *room = pixels;
    return VISION_OK;
}

static int coarse_sample(struct card_finder *finder, const struct card_view *view)
{
    const double *r = view->rect_mm;
    const double rect[4] = {r[0] - MARGIN_MM, r[1] - MARGIN_MM, r[2] + 2 * MARGIN_MM,
                            r[3] + 2 * MARGIN_MM};
    struct patch *p = &finder->coarse;
    if (rect[2] * COARSE_PX_PER_MM > SIDE_MAX || rect[3] * COARSE_PX_PER_MM > SIDE_MAX)
        return VISION_E_ARGUMENT;
    int error =
        vision_patch_sample(p, view->pyramid, view->pose, rect, CARD_TOP_Z_MM, COARSE_PX_PER_MM);
    if (error)
        return error;
    error = whiteness_reserve(&finder->coarse_white, &finder->coarse_room, p->width * p->height);
    if (error)
        return error;
    vision_whiteness(view->white, p, finder->coarse_white);
    return VISION_OK;
}

/* Is a pixel paper, perhaps in shadow? */
static bool pixel_is_paper(const float *rgb, const float inverse[3], float least)
{
    if (least >= PAPER_LEAST)
        return true;
    if (least < PAPER_SHADE_LEAST)
        return false;
    float most = 0;
    for (int c = 0; c < 3; c++)
        most = fmaxf(most, rgb[c] * inverse[c]);
    return most - least < PAPER_TINT_MOST * most;
}

/* Share of the slot's inside that shows paper; counts what is burnt and what is out of view. */
static void paper_measure(struct card_finder *finder, const struct card_view *view)
{
    const struct patch *p = &finder->coarse;
    int border = (int)((MARGIN_MM + 3) * COARSE_PX_PER_MM); /* 3: within the slot's outline */
    float white[3], inverse[3];
    vision_white_at(view->white, view->rect_mm[0] + view->rect_mm[2] / 2,
                    view->rect_mm[1] + view->rect_mm[3] / 2, white);
    for (int c = 0; c < 3; c++)
        inverse[c] = 1 / white[c];
    int all = 0, seen = 0, paper = 0, lit = 0, burnt = 0;
    for (int y = border; y < p->height - border; y++)
        for (int x = border; x < p->width - border; x++) {
            int at = y * p->width + x;
            all++;
            if (p->flag[at] & PATCH_OUTSIDE)
                continue;
            seen++;
            burnt += (p->flag[at] & PATCH_BURNT) != 0;
            lit += finder->coarse_white[at] >= PAPER_LEAST;
            paper += pixel_is_paper(p->rgb + at * 3, inverse, finder->coarse_white[at]);
        }
    finder->outside = all ? 1 - (double)seen / all : 1;
    finder->burnt = seen ? (double)burnt / seen : 0;
    finder->lit = seen ? (double)lit / seen : 0;
    finder->paper = seen ? (double)paper / seen : 0;
}

static inline float clip_white(float w)
{
    return w > 1 ? 1 : w;
}

static void edges_collect(struct card_finder *finder, const struct card_view *view)
{
    const struct patch *p = &finder->coarse;
    const float *w = finder->coarse_white;
    int width = p->width;
    float half_w = (float)(view->rect_mm[2] / 2 + MARGIN_MM);
    float half_h = (float)(view->rect_mm[3] / 2 + MARGIN_MM);
    float step = (float)(1 / COARSE_PX_PER_MM);
    finder->edges = 0;
    for (int y = 1; y + 1 < p->height; y++)
        for (int x = 1; x + 1 < width; x++) {
            int at = y * width + x;
            if (p->flag[at] & PATCH_OUTSIDE || finder->edges == EDGES_MAX)
                continue;
            const float *a = w + at - width, *b = w + at, *c = w + at + width;
            float nw = clip_white(a[-1]), n = clip_white(a[0]), ne = clip_white(a[1]);
            float sw = clip_white(c[-1]), s = clip_white(c[0]), se = clip_white(c[1]);
            float gx = (ne + 2 * clip_white(b[1]) + se - nw - 2 * clip_white(b[-1]) - sw) / 8;
            float gy = (sw + 2 * s + se - nw - 2 * n - ne) / 8;
            if (gx * gx + gy * gy < EDGE_LEAST * EDGE_LEAST)
                continue;
            finder->edge[finder->edges++] = (struct edge){
                ((float)x + 0.5f) * step - half_w, ((float)y + 0.5f) * step - half_h, gx, gy};
        }
}

/* Within the printed outline of the slot, by that much? */
static bool edge_inside(const struct edge *edge, const struct card_view *view, float inset_mm)
{
    return fabsf(edge->x_mm) <= (float)view->rect_mm[2] / 2 - inset_mm &&
           fabsf(edge->y_mm) <= (float)view->rect_mm[3] / 2 - inset_mm;
}

static void edges_measure_inside(struct card_finder *finder, const struct card_view *view)
{
    int inside = 0;
    for (int i = 0; i < finder->edges; i++)
        inside += edge_inside(&finder->edge[i], view, LINE_REACH_MM);
    finder->inside_mm = inside / COARSE_PX_PER_MM / 2; /* an edge is two pixels wide */
}

/* The most frequent directions of edges, up to quarter turns; returns how many. */
static int angles_find(const struct card_finder *finder, const struct card_view *view,
                       double angle_rad[ANGLES])
{
    float bin[ANGLE_BINS] = {0}, smooth[ANGLE_BINS];
    /* the printed outlines of slot and seats, which always lie straight, are left out */
    for (int i = 0; i < finder->edges; i++) {
        const struct edge *e = &finder->edge[i];
        if (!edge_inside(e, view, 3))
            continue;
        float turn = atan2f(e->gy, e->gx) * (float)(ANGLE_BINS / M_PI_2) + 4 * ANGLE_BINS;
        int whole = (int)turn;
        float part = turn - (float)whole, weight = fminf(hypotf(e->gx, e->gy), EDGE_MOST);
        bin[whole % ANGLE_BINS] += weight * (1 - part);
        bin[(whole + 1) % ANGLE_BINS] += weight * part;
    }
    for (int i = 0; i < ANGLE_BINS; i++)
        smooth[i] = 2 * bin[i] + bin[(i + 1) % ANGLE_BINS] + bin[(i + ANGLE_BINS - 1) % ANGLE_BINS];
    int found = 0;
    while (found < ANGLES) {
        int best = 0;
        for (int i = 1; i < ANGLE_BINS; i++)
            if (smooth[i] > smooth[best])
                best = i;
        if (smooth[best] <= 0)
            break;
        float l = smooth[(best + ANGLE_BINS - 1) % ANGLE_BINS], r = smooth[(best + 1) % ANGLE_BINS];
        float bend = 2 * smooth[best] - fmaxf(l, 0) - fmaxf(r, 0);
        double at =
            best + (bend > 0 ? (double)(fmaxf(r, 0) - fmaxf(l, 0)) / (2 * (double)bend) : 0);
        double angle = at * M_PI_2 / ANGLE_BINS;
        angle_rad[found++] = angle >= M_PI_4 ? angle - M_PI_2 : angle;
        for (int i = -4; i <= 4; i++) /* 6 degrees to either side: the same direction */
            smooth[(best + i + ANGLE_BINS) % ANGLE_BINS] = -1;
    }
    return found;
}

static void line_vote(float *line, float at_mm, float weight)
{
    float place = at_mm / (float)LINE_STEP_MM + LINE_MIDDLE;
    int whole = (int)place;
    if (place < 0 || whole + 1 >= LINE_BINS)
        return;
    float part = place - (float)whole;
    line[whole] += weight * (1 - part);
    line[whole + 1] += weight * part;
}

/* Sums votes over the 2 mm that an edge is blurred over, and takes away the votes for an edge of
 * the other kind just inside: a printed line is dark for a millimetre or two, a border for five. */
static void lines_clear(struct card_finder *finder)
{
    const int thin = (int)(3.0 / LINE_STEP_MM);
    for (int k = 0; k < 4; k++) {
        const float *rise = finder->line[k], *fall = finder->line[(k + 2) % 4];
        int inward = k < 2 ? -1 : 1;
        for (int i = thin; i + thin < LINE_BINS; i++) {
            float sum = rise[i - 1] + 2 * rise[i] + rise[i + 1], away = 0;
            for (int j = 1; j <= thin; j++)
                away += fall[i + inward * j];
            finder->clear[k][i] = larger(sum - 2 * away, 0);
        }
    }
}

/* Votes for the lines of the four sides of a square turned by `turn`: edges that grow lighter to
 * the right, down, left and up, by their place across the line. */
static void lines_vote(struct card_finder *finder, double turn)
{
    float c = (float)cos(turn), s = (float)sin(turn);
    memset(finder->line, 0, sizeof finder->line);
    for (int i = 0; i < finder->edges; i++) {
        const struct edge *e = &finder->edge[i];
        float gu = c * e->gx + s * e->gy, gv = c * e->gy - s * e->gx;
        float u = c * e->x_mm + s * e->y_mm, v = c * e->y_mm - s * e->x_mm;
        /* a sixth of a turn and more away from the line's direction is no edge of it */
        if (fabsf(gu) > 2 * fabsf(gv))
            line_vote(finder->line[gu > 0 ? 0 : 2], u, smaller(fabsf(gu), EDGE_MOST));
        else if (fabsf(gv) > 2 * fabsf(gu))
            line_vote(finder->line[gv > 0 ? 1 : 3], v, smaller(fabsf(gv), EDGE_MOST));
    }
    lines_clear(finder);
}

/* Best place of two lines `size` apart, at most MARGIN_MM off the slot's centre and not within
 * LINE_APART_MM of `avoid_mm` (which may be NAN). A card that lies more than a little over the
 * slot's edge is less likely than a printed line there. */
static float pair_best(const float *low, const float *high, double size_mm, double slot_mm,
                       double avoid_mm, double *center_mm)
{
    int half = (int)lround(size_mm / 2 / LINE_STEP_MM), reach = (int)(MARGIN_MM / LINE_STEP_MM);
    double slack_mm = (slot_mm - size_mm) / 2 + OVER_MM;
    float best = -1;
    for (int i = -reach; i <= reach; i++) {
        int a = LINE_MIDDLE + i - half, b = LINE_MIDDLE + i + half;
        double center = i * LINE_STEP_MM;
        if (a < 0 || b >= LINE_BINS || fabs(center - avoid_mm) < LINE_APART_MM)
            continue;
        float sum = low[a] + high[b];
        if (fabs(center) > slack_mm)
            sum *= OVER_WEIGHT;
        if (sum > best) {
            best = sum;
            *center_mm = center;
        }
    }
    return best;
}

/* A square before it is looked at closely. */
struct guess {
    float votes;
    double turn_rad, size_mm, u_mm, v_mm; /* of its centre, in its own directions */
};

/* The square of the finder's votes that does not lie at avoid_u, avoid_v, with most of them. */
static struct guess guess_best(const struct card_finder *finder, const struct card_view *view,
                               double turn, double avoid_u, double avoid_v)
{
    double slot = fmin(view->rect_mm[2], view->rect_mm[3]);
    struct guess best = {0, turn, 0, 0, 0};
    for (double size = SLOT_SHARE_LEAST * slot; size <= SLOT_SHARE_MOST * slot;
         size += 2 * LINE_STEP_MM) {
        double u = 0, v = 0;
        float sum = pair_best(finder->clear[2], finder->clear[0], size, slot, avoid_u, &u) +
                    pair_best(finder->clear[3], finder->clear[1], size, slot, avoid_v, &v);
        /* the slot's own outline, which only other sizes can be taken for, is a faint line */
        double off =
            fmin(fabs(size - view->size_mm), fabs(size - CARD_SMALL_PRINT * view->size_mm));
        if (off > 2)
            sum *= 0.85f;
        if (sum > best.votes)
            best = (struct guess){sum, turn, size, u, v};
    }
    return best;
}

static int guess_compare(const void *a, const void *b)
{
    float x = ((const struct guess *)a)->votes, y = ((const struct guess *)b)->votes;
    return (x < y) - (x > y);
}

/* Guesses, best first: for each direction the best, and those that differ from it in one place. */
static int guesses_make(struct card_finder *finder, const struct card_view *view,
                        struct guess guess[3 * ANGLES])
{
    double angle[ANGLES];
    int angles = angles_find(finder, view, angle), guesses = 0;
    for (int i = 0; i < angles; i++) {
        lines_vote(finder, angle[i]);
        struct guess best = guess_best(finder, view, angle[i], (double)NAN, (double)NAN);
        guess[guesses++] = best;
        guess[guesses++] = guess_best(finder, view, angle[i], best.u_mm, (double)NAN);
        guess[guesses++] = guess_best(finder, view, angle[i], (double)NAN, best.v_mm);
    }
    qsort(guess, (size_t)guesses, sizeof *guess, guess_compare);
    while (guesses > 0 && guess[guesses - 1].votes <= 0)
        guesses--;
    return guesses;
}

static struct card_square guess_square(const struct guess *guess, const struct card_view *view)
{
    struct card_square square = {{0, 0}, guess->turn_rad, guess->size_mm, {0, 0, 0, 0}, 0};
    double c = cos(guess->turn_rad), s = sin(guess->turn_rad);
    square.center_mm[0] =
        view->rect_mm[0] + view->rect_mm[2] / 2 + c * guess->u_mm - s * guess->v_mm;
    square.center_mm[1] =
        view->rect_mm[1] + view->rect_mm[3] / 2 + s * guess->u_mm + c * guess->v_mm;
    return square;
}

static int fine_sample(struct card_finder *finder, const struct card_view *view,
                       const struct card_square *square)
{
    double reach = square->size_mm / 2 + 2; /* half a side, and where edges are looked for */
    double half = reach * (fabs(cos(square->turn_rad)) + fabs(sin(square->turn_rad))) + 3;
    const double rect[4] = {square->center_mm[0] - half, square->center_mm[1] - half, 2 * half,
                            2 * half};
    int error = vision_patch_sample(&finder->fine, view->pyramid, view->pose, rect, CARD_TOP_Z_MM,
                                    FINE_PX_PER_MM);
    if (error)
        return error;
    int pixels = finder->fine.width * finder->fine.height;
    error = whiteness_reserve(&finder->fine_white, &finder->fine_room, pixels);
    if (error)
        return error;
    vision_whiteness(view->white, &finder->fine, finder->fine_white);
    return VISION_OK;
}

/* Whiteness of the fine patch at one of its places; below 0 where there is none. */
static inline float fine_at(const struct card_finder *finder, float x, float y)
{
    const struct patch *p = &finder->fine;
    if (!(x >= 0 && y >= 0 && x < (float)(p->width - 1) && y < (float)(p->height - 1)))
        return -1;
    int ix = (int)x, iy = (int)y, at = iy * p->width + ix;
    if ((p->flag[at] | p->flag[at + p->width + 1]) & PATCH_OUTSIDE)
        return -1;
    float fx = x - (float)ix, fy = y - (float)iy;
    const float *w = finder->fine_white + at;
    float a = w[0] + fx * (w[1] - w[0]);
    float b = w[p->width] + fx * (w[p->width + 1] - w[p->width]);
    return clip_white(a + fy * (b - a));
}

#define SIDE_PLACES 18 /* along a side */
#define PROFILE 25     /* samples across it */
#define PROFILE_STEP_MM 0.35
#define CONTRAST_LEAST 0.22f /* paper to border; noise and shadows stay below */

/* Where along a profile, in steps from its start, whiteness rises from a card to paper: half way
 * up its strongest rise. Below 0 when there is none. */
static float profile_rise(const float *profile, int count)
{
    int steep = -1;
    float most = 0;
    for (int i = 1; i + 2 < count; i++) {
        float rise = profile[i + 1] + profile[i + 2] - profile[i] - profile[i - 1];
        if (rise > most) {
            most = rise;
            steep = i;
        }
    }
    if (steep < 0)
        return -1;
    int reach = (int)(2.0 / PROFILE_STEP_MM);
    int first = steep > reach ? steep - reach : 0;
    int last = steep + 1 + reach < count ? steep + 1 + reach : count - 1;
    float low = profile[steep], high = profile[steep + 1];
    for (int i = first; i <= last; i++) {
        if (i <= steep)
            low = smaller(low, profile[i]);
        else
            high = larger(high, profile[i]);
    }
    if (high - low < CONTRAST_LEAST)
        return -1;
    float half = (low + high) / 2;
    for (int i = first; i < last; i++)
        if (profile[i] < half && profile[i + 1] >= half && abs(i - steep) <= reach)
            return (float)i + (half - profile[i]) / (profile[i + 1] - profile[i]);
    return -1;
}

/* A place on the edge of the square: how far outward of the square's side it lies, and where
 * along the side. */
struct edge_place {
    int side;
    double along_mm, out_mm, weight;
};

static const double side_normal[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

static bool edge_measure(const struct card_finder *finder, const struct square_axes *axes,
                         double half_mm, int side, double along_mm, double reach_mm, double *out_mm)
{
    const float n[2] = {(float)side_normal[side][0], (float)side_normal[side][1]};
    int count = 2 * (int)(reach_mm / PROFILE_STEP_MM) + 1;
    if (count > PROFILE)
        count = PROFILE;
    int middle = count / 2;
    float profile[PROFILE], along = (float)along_mm;
    for (int i = 0; i < count; i++) {
        float across = (float)(half_mm + (i - middle) * PROFILE_STEP_MM), x, y;
        vision_square_axes_at(axes, n[0] * across - n[1] * along, n[1] * across + n[0] * along, &x,
                              &y);
        profile[i] = fine_at(finder, x, y);
        if (profile[i] < 0)
            return false;
    }
    float at = profile_rise(profile, count);
    if (at < 0)
        return false;
    *out_mm = ((double)at - middle) * PROFILE_STEP_MM;
    return true;
}

static int edges_measure(const struct card_finder *finder, const struct card_square *square,
                         double reach_mm, struct edge_place place[4 * SIDE_PLACES])
{
    int places = 0;
    double half = 0.44 * square->size_mm; /* short of the rounded corners */
    struct square_axes axes;
    vision_square_axes(square, &finder->fine, 1, &axes);
    for (int side = 0; side < 4; side++)
        for (int i = 0; i < SIDE_PLACES; i++) {
            double along = half * (2.0 * i / (SIDE_PLACES - 1) - 1), out;
            if (edge_measure(finder, &axes, square->size_mm / 2, side, along, reach_mm, &out))
                place[places++] = (struct edge_place){side, along, out, 1};
        }
    return places;
}

/* Solves the symmetric 4 x 4 system a x = b in place by Gauss with pivots. */
static bool solve_four(double a[4][5])
{
    for (int k = 0; k < 4; k++) {
        int pivot = k;
        for (int i = k + 1; i < 4; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (fabs(a[pivot][k]) < 1e-9)
            return false;
        for (int j = 0; j < 5; j++) {
            double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int i = 0; i < 4; i++) {
            if (i == k)
                continue;
            double f = a[i][k] / a[k][k];
            for (int j = k; j < 5; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    return true;
}

/* Least squares for shift (in the square's own frame), turn (counter-clockwise) and half size from
 * what the places miss: a place `along` a side with normal n moves outward by
 * n . shift + turn * along + half size. */
static bool square_step(const struct edge_place *place, int places, double prior_mm, double step[4])
{
    double a[4][5] = {{0}};
    for (int i = 0; i < places; i++) {
        const double *n = side_normal[place[i].side];
        const double row[4] = {n[0], n[1], place[i].along_mm, 1};
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++)
                a[j][k] += place[i].weight * row[j] * row[k];
            a[j][4] += place[i].weight * row[j] * place[i].out_mm;
        }
    }
    a[3][3] += 0.5; /* a weak pull to the size that cards are printed at, for a hidden side */
    a[3][4] += 0.5 * prior_mm;
    if (!solve_four(a))
        return false;
    for (int j = 0; j < 4; j++)
        step[j] = a[j][4] / a[j][j];
    return true;
}

static double place_miss(const struct edge_place *place, const double step[4])
{
    const double *n = side_normal[place->side];
    return place->out_mm - (n[0] * step[0] + n[1] * step[1] + place->along_mm * step[2] + step[3]);
}

/* Fits the square to the places, weighing down those that miss by more than `scale_mm`. */
static bool square_fit(struct card_square *square, struct edge_place *place, int places,
                       double scale_mm, double prior_mm)
{
    double step[4] = {0, 0, 0, 0};
    for (int round = 0; round < 6; round++) {
        if (!square_step(place, places, prior_mm, step))
            return false;
        for (int i = 0; i < places; i++) {
            double miss = place_miss(&place[i], step) / scale_mm;
            place[i].weight = 1 / ((1 + miss * miss) * (1 + miss * miss));
        }
    }
    double c = cos(square->turn_rad), s = sin(square->turn_rad);
    square->center_mm[0] += c * step[0] - s * step[1];
    square->center_mm[1] += s * step[0] + c * step[1];
    square->turn_rad -= step[2] > 0.2 ? 0.2 : step[2] < -0.2 ? -0.2 : step[2];
    square->size_mm += 2 * step[3];
    double squares = 0;
    int inside = 0, count[4] = {0, 0, 0, 0};
    for (int i = 0; i < places; i++) {
        double miss = place_miss(&place[i], step);
        if (fabs(miss) > 2 * scale_mm)
            continue;
        squares += miss * miss;
        inside++;
        count[place[i].side]++;
    }
    square->rms_mm = inside ? sqrt(squares / inside) : 0;
    for (int k = 0; k < 4; k++)
        square->seen[k] = (double)count[k] / SIDE_PLACES;
    return inside >= SIDE_PLACES;
}

/* Half of what a square's size misses of the nearest size that cards are printed at. */
static double size_prior(const struct card_square *square, const struct card_view *view)
{
    double full = view->size_mm - square->size_mm,
           small = CARD_SMALL_PRINT * view->size_mm - square->size_mm;
    double miss = fabs(full) < fabs(small) ? full : small;
    return fabs(miss) < 3 ? miss / 2 : 0;
}

static bool square_refine(const struct card_finder *finder, const struct card_view *view,
                          struct card_square *square)
{
    static const double reach_mm[3] = {4.2, 2.8, 2.1}, scale_mm[3] = {1.5, 0.6, 0.4};
    for (int round = 0; round < 3; round++) {
        struct edge_place place[4 * SIDE_PLACES];
        int places = edges_measure(finder, square, reach_mm[round], place);
        if (places < SIDE_PLACES ||
            !square_fit(square, place, places, scale_mm[round], size_prior(square, view)))
            return false;
    }
    return true;
}

/* How much of the edge of a square of a card's size was seen, in sides; 0 when it is none. */
static double square_seen(const struct card_square *square, const struct card_view *view)
{
    double slot = fmin(view->rect_mm[2], view->rect_mm[3]), sum = 0;
    int good = 0;
    if (square->size_mm < (SLOT_SHARE_LEAST - 0.02) * slot || square->size_mm > 1.01 * slot)
        return 0;
    for (int k = 0; k < 4; k++) {
        good += square->seen[k] >= 0.5;
        sum += square->seen[k];
    }
    return good >= 2 && sum >= SIDES_LEAST ? sum : 0;
}

/* Looks closely at the guesses until one shows nearly all its edge; else the best of them. */
static int guesses_try(struct card_finder *finder, const struct card_view *view,
                       const struct guess *guess, int guesses, struct card_square *square)
{
    double best = 0;
    int taken = -1;
    for (int i = 0; i < guesses && i < TRIES && best < SIDES_ENOUGH; i++) {
        struct card_square candidate = guess_square(&guess[i], view);
        int error = fine_sample(finder, view, &candidate);
        if (error)
            return error;
        double seen = 0;
        if (square_refine(finder, view, &candidate))
            seen = square_seen(&candidate, view);
        if (seen <= best)
            continue;
        best = seen;
        taken = i;
        *square = candidate;
    }
    if (taken < 0)
        return finder->paper >= PAPER_SHARE ? CARD_FIND_PAPER : CARD_FIND_THING;
    if (best < SIDES_ENOUGH) { /* another one was looked at since */
        int error = fine_sample(finder, view, square);
        if (error)
            return error;
    }
    return CARD_FIND_SQUARE;
}

int vision_card_find(struct card_finder *finder, const struct card_view *view,
                     struct card_square *square)
{
    struct guess guess[3 * ANGLES];
    memset(square, 0, sizeof *square);
    int error = coarse_sample(finder, view);
    if (error)
        return error;
    paper_measure(finder, view);
    finder->inside_mm = 0;
    if (finder->lit >= PAPER_CLEAN)
        return CARD_FIND_PAPER;
    edges_collect(finder, view);
    edges_measure_inside(finder, view);
    int guesses = guesses_make(finder, view, guess);
    return guesses_try(finder, view, guess, guesses, square);
}
