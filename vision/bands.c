/* vision/bands.c: bands of light that stand still in the picture. */
#include "vision/bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The paper is looked at in so many strips side by side, of at least so many pixels of the small
 * picture: in a small one in fewer. */
#define STRIPS 8
#define STRIP_PX 8
/* Rows are taken together until there are at most so many: of 1080 there are 135 in the small
 * picture; finer ones would bring nothing. */
#define ROWS_MAX 256
/* Of a strip's pixels in a row so many in a hundred are darker than what is taken for paper: blocks
 * and lines cover part of most rows, all of few. */
#define PAPER_PERCENT 80
#define ROW_PIXELS_LEAST 5
#define ROW_PIXELS_MAX 1024
/* Darker is no paper that can be measured; from 250 on a sensor cuts off, level. */
#define LEVEL_LEAST 24
#define LEVEL_MOST 249
/* A row whose strip differs by more than this from what its strip is like is covered (natural
 * logarithm: by half); and by more than so many times the middle one of the differences. */
#define COVERED_LN 0.45
#define COVERED_TIMES 4.0
/* Rows with paper in them: of the picture's, so that a wave can be told from a slope; of the
 * strip's. */
#define ROWS_SHARE 0.4
#define STRIP_SHARE 0.6
#define STRIPS_LEAST 3
#define TELLING_SHARE 0.6 /* of the strips there are */
/* Bands in a picture: a rolling shutter takes from 10 ms to all of an interval, up to 67 ms, for
 * flicker of 100 and 120 Hz; fewer than so many on the paper cannot be told from a lamp at one
 * side. */
#define WAVES_LEAST 1.5
#define WAVES_MOST 9.0
#define WAVES_STEP 0.125
/* Its height, and what share of what a strip's rows differ by it explains at least; how far a strip's
 * wave may be from the mean one, of its height; strips that must agree. */
#define HEIGHT_LEAST_PERMILLE 20
#define EXPLAINED_LEAST 0.5
#define STRIP_OFF_MOST 0.5
#define AGREE_SHARE 0.75

/* A strip's rows: how much brighter than the strip's own slope each is (natural logarithm). */
struct strip {
    int rows, first, last; /* rows that count; where they begin and end */
    bool counts[ROWS_MAX];
    double level[ROWS_MAX];
    double power; /* of the levels: sum of squares */
};

struct wave {
    double cosine, sine;
};

/* ---- rows ---- */

/* The value that PAPER_PERCENT of the values do not exceed. */
static int percentile(const uint8_t *values, int count)
{
    int number[256] = {0}, below = 0, level = 0;
    for (int i = 0; i < count; i++)
        number[values[i]]++;
    while (level < 255 && 100 * (below += number[level]) < PAPER_PERCENT * count)
        level++;
    return level;
}

struct row_values {
    int count;
    uint8_t value[ROW_PIXELS_MAX];
};

static void row_end(struct row_values values[STRIPS], int row, struct strip strip[STRIPS])
{
    for (int s = 0; s < STRIPS; s++) {
        if (values[s].count >= ROW_PIXELS_LEAST) {
            int level = percentile(values[s].value, values[s].count);
            if (level >= LEVEL_LEAST && level <= LEVEL_MOST) {
                strip[s].counts[row] = true;
                strip[s].level[row] = log(level);
            }
        }
        values[s].count = 0;
    }
}

/* The paper's left and right edge over all rows. */
static void paper_sides(const struct region *paper, int width, int side[2])
{
    side[0] = width;
    side[1] = 0;
    for (int i = 0; i < paper->pixels; i++) {
        int x = (int)(paper->pixel[i] % (uint32_t)width);
        side[0] = x < side[0] ? x : side[0];
        side[1] = x > side[1] ? x : side[1];
    }
}

/* Pixels of a region come row by row. How many strips there are. */
static int strips_take(const struct region *paper, const struct small *small, int step,
                       struct strip strip[STRIPS])
{
    struct row_values values[STRIPS];
    int side[2], row = 0;
    paper_sides(paper, small->width, side);
    int width = side[1] - side[0] + 1, strips = width / STRIP_PX;
    strips = strips < 1 ? 1 : strips > STRIPS ? STRIPS : strips;
    for (int s = 0; s < STRIPS; s++)
        values[s].count = 0;
    for (int i = 0; i < paper->pixels; i++) {
        uint32_t at = paper->pixel[i];
        int y = (int)(at / (uint32_t)small->width) / step;
        int s = ((int)(at % (uint32_t)small->width) - side[0]) * strips / width;
        if (y != row)
            row_end(values, row, strip);
        row = y;
        if (values[s].count < ROW_PIXELS_MAX)
            values[s].value[values[s].count++] = small->y[at];
    }
    row_end(values, row, strip);
    return strips;
}

/* ---- a strip's own slope ---- */

static int compare_double(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Solves for a parabola by least squares over the rows that count; false when they do not tell. */
static bool parabola_fit(const struct strip *strip, double out[3])
{
    double sum[5] = {0}, side[3] = {0}, m[3][4];
    for (int y = strip->first; y <= strip->last; y++) {
        double t = (2.0 * y - strip->first - strip->last) / (strip->last - strip->first), power = 1;
        if (!strip->counts[y])
            continue;
        for (int k = 0; k < 5; k++, power *= t) {
            sum[k] += power;
            if (k < 3)
                side[k] += power * strip->level[y];
        }
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            m[r][c] = sum[r + c];
        m[r][3] = side[r];
    }
    for (int p = 0; p < 3; p++) {
        if (m[p][p] < 1e-9)
            return false;
        for (int r = 0; r < 3; r++)
            for (int c = 3; r != p && c >= p; c--)
                m[r][c] -= m[p][c] * m[r][p] / m[p][p];
    }
    for (int r = 0; r < 3; r++)
        out[r] = m[r][3] / m[r][r];
    return true;
}

static void strip_bounds(struct strip *strip)
{
    strip->rows = 0;
    strip->first = ROWS_MAX;
    strip->last = -1;
    for (int y = 0; y < ROWS_MAX; y++)
        if (strip->counts[y]) {
            strip->rows++;
            strip->first = y < strip->first ? y : strip->first;
            strip->last = y;
        }
}

/* Rows that differ from the middle one by more than paper does are covered. */
static void covered_drop(struct strip *strip)
{
    double value[ROWS_MAX];
    int count = 0;
    for (int y = strip->first; y <= strip->last; y++)
        if (strip->counts[y])
            value[count++] = strip->level[y];
    qsort(value, (size_t)count, sizeof *value, compare_double);
    double middle = value[count / 2];
    for (int y = strip->first; y <= strip->last; y++)
        strip->counts[y] = strip->counts[y] && fabs(strip->level[y] - middle) <= COVERED_LN;
    strip_bounds(strip);
}

/* Levels become what is above or below the parabola; rows that are far off are dropped. */
static bool slope_take(struct strip *strip)
{
    double off[ROWS_MAX], fit[3];
    int count = 0;
    if (strip->last - strip->first < 2 || !parabola_fit(strip, fit))
        return false;
    for (int y = strip->first; y <= strip->last; y++) {
        double t = (2.0 * y - strip->first - strip->last) / (strip->last - strip->first);
        strip->level[y] -= fit[0] + t * (fit[1] + t * fit[2]);
        if (strip->counts[y])
            off[count++] = fabs(strip->level[y]);
    }
    qsort(off, (size_t)count, sizeof *off, compare_double);
    for (int y = strip->first; y <= strip->last; y++)
        strip->counts[y] =
            strip->counts[y] && fabs(strip->level[y]) <= COVERED_TIMES * off[count / 2];
    return true;
}

/* False when it tells nothing. */
static bool strip_level(struct strip *strip, int rows)
{
    strip_bounds(strip);
    if (strip->rows < ROWS_SHARE * rows)
        return false;
    covered_drop(strip);
    for (int i = 0; i < 3; i++) {
        if (strip->rows < ROWS_SHARE * rows || !slope_take(strip))
            return false;
        strip_bounds(strip);
    }
    if (strip->rows < ROWS_SHARE * rows ||
        strip->rows < STRIP_SHARE * (strip->last - strip->first + 1))
        return false;
    strip->power = 0;
    for (int y = strip->first; y <= strip->last; y++)
        if (strip->counts[y])
            strip->power += strip->level[y] * strip->level[y];
    return true;
}

/* ---- the wave ---- */

/* The wave of `turn` radians a row in a strip, by least squares; *explained: of its power. */
static struct wave strip_wave(const struct strip *strip, double turn, double *explained)
{
    double cc = 0, cs = 0, ss = 0, c = 0, s = 0, x = 1, y = 0;
    const double step_x = cos(turn), step_y = sin(turn);
    for (int row = 0; row <= strip->last; row++) {
        if (strip->counts[row]) {
            cc += x * x;
            cs += x * y;
            ss += y * y;
            c += x * strip->level[row];
            s += y * strip->level[row];
        }
        double turned = x * step_x - y * step_y;
        y = x * step_y + y * step_x;
        x = turned;
    }
    double det = cc * ss - cs * cs;
    struct wave wave = {0, 0};
    if (det > 1e-9)
        wave = (struct wave){(c * ss - s * cs) / det, (s * cc - c * cs) / det};
    *explained = wave.cosine * c + wave.sine * s;
    return wave;
}

/* The number of waves in `rows` rows that explains most in all strips together. */
static double waves_best(const struct strip *strip, const bool *tells, int rows)
{
    double best = 0, most = -1;
    for (double waves = WAVES_LEAST; waves <= WAVES_MOST; waves += WAVES_STEP) {
        double sum = 0, explained;
        for (int s = 0; s < STRIPS; s++) {
            /* So many on the paper itself. */
            if (!tells[s] ||
                waves * (strip[s].last - strip[s].first + 1) < WAVES_LEAST * rows)
                continue;
            strip_wave(&strip[s], 2 * M_PI * waves / rows, &explained);
            sum += explained;
        }
        if (sum > most) {
            most = sum;
            best = waves;
        }
    }
    return best;
}

/* The mean wave's height, if the strips agree on it; else 0. */
static double wave_agreed(const struct strip *strip, const bool *tells, double turn)
{
    struct wave wave[STRIPS], mean = {0, 0};
    double explained, sum = 0, power = 0;
    int count = 0, agree = 0;
    for (int s = 0; s < STRIPS; s++) {
        if (!tells[s])
            continue;
        wave[s] = strip_wave(&strip[s], turn, &explained);
        mean.cosine += wave[s].cosine;
        mean.sine += wave[s].sine;
        sum += explained;
        power += strip[s].power;
        count++;
    }
    mean.cosine /= count;
    mean.sine /= count;
    double height = hypot(mean.cosine, mean.sine);
    for (int s = 0; s < STRIPS; s++)
        agree += tells[s] && hypot(wave[s].cosine - mean.cosine, wave[s].sine - mean.sine) <=
                                 STRIP_OFF_MOST * height;
    return sum >= EXPLAINED_LEAST * power && agree >= AGREE_SHARE * count ? height : 0;
}

struct bands vision_bands_find(const struct region *paper, const struct small *small)
{
    static const struct bands none = {0, 0};
    struct strip strip[STRIPS];
    bool tells[STRIPS];
    int step = (small->height + ROWS_MAX - 1) / ROWS_MAX, telling = 0;
    if (paper->pixels == 0 || small->width < STRIPS || small->height < 1)
        return none;
    int rows = (small->height + step - 1) / step;
    memset(strip, 0, sizeof strip);
    int strips = strips_take(paper, small, step, strip);
    for (int s = 0; s < STRIPS; s++)
        telling += tells[s] = strip_level(&strip[s], rows);
    if (telling < STRIPS_LEAST || telling < TELLING_SHARE * strips)
        return none;
    double waves = waves_best(strip, tells, rows);
    if (waves <= 0)
        return none;
    double height = wave_agreed(strip, tells, 2 * M_PI * waves / rows);
    if (1000 * height < HEIGHT_LEAST_PERMILLE)
        return none;
    return (struct bands){.height_permille = (int)lrint(1000 * height),
                          .rows_px = (int)lrint(step * rows / waves)};
}
