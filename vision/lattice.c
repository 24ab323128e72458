/* vision/lattice.c: see lattice.h. */
#include "vision/lattice.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The pose's scale may be off by some per cent when the camera was estimated, so a pitch a little
 * under one block width is still possible in the picture. */
#define PITCH_LEAST 0.96
/* Blocks pushed together by hand stand about this far apart. */
#define PITCH_START 1.03
/* A cell turned by more than this is no neighbour to grow by (rules: 20 degrees is off). */
#define TURN_REACH_RAD (25 * M_PI / 180)

/* Points between two places (within a quarter pitch of half way) are tried on both. */
#define PLACE_NUDGE 0.25

/* x = ox + a * col - b * row, y = oy + b * col + a * row */
struct similarity {
    double ox, oy, a, b;
};

static double quarter_wrap(double rad)
{
    return rad - M_PI_2 * floor(rad / M_PI_2 + 0.5);
}

/* The grid through the points that have a place, by least squares; the pitch is held within
 * least..most. Two points at different places at least. */
static struct similarity similarity_fit(const struct lattice_point *p, const struct lattice *l,
                                        int points, double least, double most)
{
    double w = 0, mx = 0, my = 0, mc = 0, mr = 0;
    for (int i = 0; i < points; i++)
        if (l->on[i]) {
            w += p[i].weight;
            mx += p[i].weight * p[i].x;
            my += p[i].weight * p[i].y;
            mc += p[i].weight * l->col[i];
            mr += p[i].weight * l->row[i];
        }
    mx /= w, my /= w, mc /= w, mr /= w;
    double na = 0, nb = 0, d = 0;
    for (int i = 0; i < points; i++)
        if (l->on[i]) {
            double x = p[i].x - mx, y = p[i].y - my, c = l->col[i] - mc, r = l->row[i] - mr;
            na += p[i].weight * (c * x + r * y);
            nb += p[i].weight * (c * y - r * x);
            d += p[i].weight * (c * c + r * r);
        }
    struct similarity s = {0, 0, na / d, nb / d};
    double pitch = hypot(s.a, s.b);
    double bound = pitch < least ? least : pitch > most ? most : pitch;
    if (pitch > 0) {
        s.a *= bound / pitch;
        s.b *= bound / pitch;
    }
    s.ox = mx - s.a * mc + s.b * mr;
    s.oy = my - s.b * mc - s.a * mr;
    return s;
}

/* Where a point lies on the grid, in pitches. */
static void similarity_inverse(const struct similarity *s, double x, double y, double *col,
                               double *row)
{
    double d = s->a * s->a + s->b * s->b, dx = x - s->ox, dy = y - s->oy;
    *col = (dx * s->a + dy * s->b) / d;
    *row = (dy * s->a - dx * s->b) / d;
}

/* Is the place free, and beside one that is taken? By a side or, with `corners`, by a corner. */
static bool place_joins(const struct lattice *l, int points, int row, int col, bool corners)
{
    bool beside = false;
    for (int i = 0; i < points; i++) {
        if (!l->on[i])
            continue;
        int down = l->row[i] > row ? l->row[i] - row : row - l->row[i];
        int across = l->col[i] > col ? l->col[i] - col : col - l->col[i];
        if (down + across == 0)
            return false;
        beside |= down + across == 1 || (corners && down == 1 && across == 1);
    }
    return beside;
}

/* Takes in the point that fits best next to those already on the grid; false when none does. */
static bool lattice_grow(const struct lattice_point *p, int points, const struct similarity *s,
                         double reach, bool corners, struct lattice *l)
{
    double best = reach;
    int chosen = -1, row = 0, col = 0;
    for (int i = 0; i < points; i++) {
        if (l->on[i])
            continue;
        double c, r;
        similarity_inverse(s, p[i].x, p[i].y, &c, &r);
        int ci = (int)lrint(c), ri = (int)lrint(r);
        double off = fmax(fabs(c - ci), fabs(r - ri));
        if (off >= best || fabs(quarter_wrap(p[i].turn_rad - atan2(s->b, s->a))) > TURN_REACH_RAD ||
            !place_joins(l, points, ri, ci, corners))
            continue;
        best = off;
        chosen = i;
        row = ri;
        col = ci;
    }
    if (chosen < 0)
        return false;
    l->on[chosen] = 1;
    l->row[chosen] = row;
    l->col[chosen] = col;
    l->count++;
    return true;
}

/* Fills every point's distances from the grid, with the nearest place for those that have none;
 * returns the sum of squares of those that have one. */
static double lattice_measure(const struct lattice_point *p, int points, const struct similarity *s,
                              struct lattice *l)
{
    double sum = 0;
    for (int i = 0; i < points; i++) {
        double c, r;
        similarity_inverse(s, p[i].x, p[i].y, &c, &r);
        if (!l->on[i]) {
            l->row[i] = (int)lrint(r);
            l->col[i] = (int)lrint(c);
        }
        l->off[i] = fmax(fabs(c - l->col[i]), fabs(r - l->row[i]));
        l->turn_off_rad[i] = quarter_wrap(p[i].turn_rad - atan2(s->b, s->a));
        if (l->on[i])
            sum += l->off[i] * l->off[i];
    }
    return sum;
}

/* Rows and columns from 0, the columns' axis within 45 degrees of x. */
static void lattice_settle(const struct similarity *fit, int points, struct lattice *l)
{
    struct similarity s = *fit;
    int turns = (int)lrint(atan2(s.b, s.a) / M_PI_2) & 3;
    for (int t = 0; t < turns; t++) { /* turn the axes back by a quarter */
        struct similarity q = {s.ox, s.oy, s.b, -s.a};
        for (int i = 0; i < points; i++) {
            int col = l->col[i];
            l->col[i] = -l->row[i];
            l->row[i] = col;
        }
        s = q;
    }
    int least_row = 1000, least_col = 1000, most_row = -1000, most_col = -1000;
    for (int i = 0; i < points; i++)
        if (l->on[i]) {
            least_row = l->row[i] < least_row ? l->row[i] : least_row;
            least_col = l->col[i] < least_col ? l->col[i] : least_col;
            most_row = l->row[i] > most_row ? l->row[i] : most_row;
            most_col = l->col[i] > most_col ? l->col[i] : most_col;
        }
    for (int i = 0; i < points; i++) {
        l->row[i] -= least_row;
        l->col[i] -= least_col;
    }
    l->rows = most_row - least_row + 1;
    l->cols = most_col - least_col + 1;
    l->origin[0] = s.ox + s.a * least_col - s.b * least_row;
    l->origin[1] = s.oy + s.b * least_col + s.a * least_row;
    l->turn_rad = atan2(s.b, s.a);
    l->pitch = hypot(s.a, s.b);
}

int vision_lattice_fit(const struct lattice_point *point, int points, double width,
                       double pitch_max, double reach, struct lattice *out)
{
    double best_sum = 0;
    memset(out, 0, sizeof *out);
    if (points > LATTICE_POINTS_MAX)
        points = LATTICE_POINTS_MAX;
    for (int seed = 0; seed < points; seed++) {
        struct lattice l = {.count = 1};
        double turn = quarter_wrap(point[seed].turn_rad), pitch = width * PITCH_START;
        struct similarity s = {point[seed].x, point[seed].y, pitch * cos(turn), pitch * sin(turn)};
        l.on[seed] = 1;
        /* Sides first: a step across a corner goes further, so the grid should be known by then. */
        while (lattice_grow(point, points, &s, reach, false, &l) ||
               lattice_grow(point, points, &s, reach, true, &l))
            s = similarity_fit(point, &l, points, width * PITCH_LEAST, width * pitch_max);
        double sum = lattice_measure(point, points, &s, &l);
        if (l.count > out->count || (l.count == out->count && sum < best_sum)) {
            lattice_settle(&s, points, &l);
            best_sum = sum;
            *out = l;
        }
    }
    return out->count;
}

static bool places_distinct(const struct lattice *l, int points)
{
    for (int i = 0; i < points; i++)
        for (int j = i + 1; j < points; j++)
            if (l->row[i] == l->row[j] && l->col[i] == l->col[j])
                return false;
    return true;
}

/* The largest distance that is left when every point keeps its place: the points that lie furthest
 * weigh more each time, towards the least largest distance. */
static double places_stretch(const struct lattice_point *point, int points, double least,
                             double most, struct lattice *l)
{
    struct lattice_point p[LATTICE_POINTS_MAX];
    double largest = 1;
    memcpy(p, point, (size_t)points * sizeof *p);
    for (int round = 0; round < 12; round++) {
        struct similarity s = similarity_fit(p, l, points, least, most);
        double off = 0;
        lattice_measure(p, points, &s, l);
        for (int i = 0; i < points; i++) {
            off = fmax(off, l->off[i]);
            p[i].weight *= 0.5 + l->off[i] * 3;
        }
        largest = fmin(largest, off);
    }
    return largest;
}

/* Gives the points off the grid the places nearest to where they lie after a nudge (pitches). */
static void places_give(const struct lattice_point *point, int points, const struct lattice *start,
                        double right, double down, struct lattice *l)
{
    struct similarity s = {start->origin[0], start->origin[1], start->pitch * cos(start->turn_rad),
                           start->pitch * sin(start->turn_rad)};
    *l = *start;
    for (int i = 0; i < points; i++) {
        double col, row;
        if (start->on[i])
            continue;
        similarity_inverse(&s, point[i].x, point[i].y, &col, &row);
        l->row[i] = (int)lrint(row + down);
        l->col[i] = (int)lrint(col + right);
        l->on[i] = 1;
    }
}

double vision_lattice_stretch(const struct lattice_point *point, int points, double width,
                              double pitch_max, const struct lattice *start)
{
    double largest = 1;
    if (points > LATTICE_POINTS_MAX || points < 2 || start->count < 1)
        return largest;
    /* A block half a pitch off lies between two places for each of its cells: nudged either way
     * its cells go the same way. */
    for (int k = 0; k < 9; k++) {
        struct lattice l;
        int right = k % 3 - 1, down = k / 3 - 1;
        places_give(point, points, start, right * PLACE_NUDGE, down * PLACE_NUDGE, &l);
        if (places_distinct(&l, points))
            largest = fmin(
                largest, places_stretch(point, points, width * PITCH_LEAST, width * pitch_max, &l));
    }
    return largest;
}

void vision_lattice_at(const struct lattice *lattice, int row, int col, double xy[2])
{
    double c = cos(lattice->turn_rad) * lattice->pitch, s = sin(lattice->turn_rad) * lattice->pitch;
    xy[0] = lattice->origin[0] + c * col - s * row;
    xy[1] = lattice->origin[1] + s * col + c * row;
}
