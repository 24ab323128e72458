#include "calib/difficulty.h"

#include "calib/solve.h"

#include <math.h>
#include <string.h>

#define RAYS 72 /* from a shape's centre, 5 degrees apart */
#define RAY_POINTS 60
#define RAY_REACH 0.55 /* of a field's side: a little beyond its edge */
/* How far two shapes' shares along the rays differ, each in its own mean, when one is turned: of
 * the published games' symbols petals and saltire, which players take for each other, 0.09; the
 * next pairs 0.11 and more. */
#define SHAPE_ALIKE 0.10
/* Of the published games' fields red lies 30 degrees from orange and 35 from purple, the next pair
 * 65: those three are the ones that players confuse in a warm light. */
#define HUE_ALIKE_DEG 40.0
#define HUE_LEAST_CHROMA 30 /* of 255: greyer, a field has no hue */

/* The share of each ray that the shape covers, in units of their mean. */
static void profile_take(const struct shape *shape, double share[RAYS])
{
    double sum = 0.0;

    for (int i = 0; i < RAYS; i++) {
        double turn = 2.0 * M_PI * i / RAYS;
        int covered = 0;
        for (int k = 0; k < RAY_POINTS; k++) {
            double r = RAY_REACH * (k + 0.5) / RAY_POINTS;
            covered += calib_shape_covers(shape, r * cos(turn), r * sin(turn));
        }
        share[i] = covered;
        sum += covered;
    }
    for (int i = 0; i < RAYS && sum > 0.0; i++) {
        share[i] *= RAYS / sum;
    }
}

static bool profiles_alike(const double a[RAYS], const double b[RAYS])
{
    for (int turn = 0; turn < RAYS; turn++) {
        double sum = 0.0;
        for (int i = 0; i < RAYS; i++) {
            double apart = a[i] - b[(i + turn) % RAYS];
            sum += apart * apart;
        }
        if (sum < RAYS * SHAPE_ALIKE * SHAPE_ALIKE) {
            return true;
        }
    }
    return false;
}

/* In degrees, or negative for a grey. */
static double hue_of(struct rgb8 rgb)
{
    double x = rgb.r - (rgb.g + rgb.b) / 2.0, y = (rgb.g - rgb.b) * sqrt(3.0) / 2.0;
    double hue = atan2(y, x) * 180.0 / M_PI;

    if (hypot(x, y) < HUE_LEAST_CHROMA) {
        return -1.0;
    }
    return hue < 0.0 ? hue + 360.0 : hue;
}

static bool hues_alike(struct rgb8 a, struct rgb8 b)
{
    double p = hue_of(a), q = hue_of(b), apart = fabs(p - q);

    return p >= 0.0 && q >= 0.0 && fmin(apart, 360.0 - apart) < HUE_ALIKE_DEG;
}

void calib_alikes_find(const struct blockset *set, struct alikes *out)
{
    double share[BLOCKSET_SYMBOLS_MAX][RAYS];

    memset(out, 0, sizeof *out);
    for (int i = 0; i < set->symbols; i++) {
        profile_take(&set->symbol[i].shape, share[i]);
        for (int j = 0; j < i; j++) {
            const struct symbol *a = &set->symbol[i], *b = &set->symbol[j];
            out->alike[i][j] = out->alike[j][i] =
                hues_alike(a->field, b->field) || profiles_alike(share[i], share[j]);
        }
    }
}

/* Pairs as bits: of a cell and the one at its right, or below. */
struct pairs {
    bool pair[GRID_SIDE_MAX][GRID_SIDE_MAX][2];
};

static bool pairs_take(void *context, const struct solution *solution)
{
    struct pairs *used = context;

    for (int i = 0; i < solution->lays; i++) {
        const uint8_t *a = solution->lay[i].first, *b = solution->lay[i].second;
        bool below = a[1] == b[1];
        bool first = below ? a[0] < b[0] : a[1] < b[1];
        const uint8_t *from = first ? a : b;
        used->pair[from[0]][from[1]][below] = true;
    }
    return true;
}

static bool set_shows(const struct blockset *set, char a, char b)
{
    for (int i = 0; i < set->blocks; i++) {
        for (int j = 0; j < set->block[i].faces; j++) {
            const char *face = set->block[i].face[j];
            if ((face[0] == a && face[1] == b) || (face[0] == b && face[1] == a)) {
                return true;
            }
        }
    }
    return false;
}

static void pairs_count(const struct blockset *set, const struct grid *grid,
                        const struct pairs *used, struct difficulty *out)
{
    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            for (int below = 0; below < 2; below++) {
                int other_row = row + below, other_col = col + !below;
                if (other_row >= grid->rows || other_col >= grid->cols) {
                    continue;
                }
                char a = grid->cell[row][col], b = grid->cell[other_row][other_col];
                if (a == GRID_HOLE || b == GRID_HOLE) {
                    continue;
                }
                out->neighbours++;
                out->misleading += !used->pair[row][col][below] && set_shows(set, a, b);
            }
        }
    }
}

static int alike_count(const struct blockset *set, const struct alikes *alikes,
                       const struct grid *grid)
{
    int of[BLOCKSET_SYMBOLS_MAX] = {0}, cells = 0;

    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            int symbol = calib_blockset_find(set, grid->cell[row][col]);
            if (symbol >= 0) {
                of[symbol]++;
            }
        }
    }
    for (int i = 0; i < set->symbols; i++) {
        bool met = false;
        for (int j = 0; j < set->symbols; j++) {
            met = met || (alikes->alike[i][j] && of[j] > 0);
        }
        cells += met ? of[i] : 0;
    }
    return cells;
}

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

void calib_difficulty(const struct blockset *set, const struct alikes *alikes,
                      const struct grid *grid, struct difficulty *out)
{
    struct pairs used;
    int cells = calib_grid_count(grid);

    memset(&used, 0, sizeof used);
    memset(out, 0, sizeof *out);
    out->tilings = calib_solve_tilings(grid);
    out->solutions = calib_solve(set, grid, DIFFICULTY_COUNT_MAX, pairs_take, &used);
    out->alike = alike_count(set, alikes, grid);
    pairs_count(set, grid, &used, out);
    int tree = cells - 1, beyond = out->neighbours > tree ? out->neighbours - tree : 0;
    int points = 2 * at_most(out->tilings, DIFFICULTY_TILINGS_MAX) + 4 * out->misleading +
                 2 * out->alike + 2 * beyond;
    if (out->solutions > 1) {
        points -= 3 * at_most(out->solutions - 1, DIFFICULTY_SOLUTIONS_MAX);
    }
    out->points = points > 0 ? points : 0;
}
