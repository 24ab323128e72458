/* tests/stat/degrade.c: see degrade.h. */
#include "tests/stat/degrade.h"

#include "tests/draw/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPOTS 6
#define STREAKS 5
#define BLUR_REACH 12 /* px: three sigma of the softest */

static const char *const names[DEGRADE_KINDS] = {
    [DEGRADE_NONE] = "nothing",     [DEGRADE_BLUR] = "blur",
    [DEGRADE_GAIN] = "gain",        [DEGRADE_CONTRAST] = "contrast",
    [DEGRADE_NOISE] = "noise",      [DEGRADE_QUALITY] = "quality",
    [DEGRADE_SATURATION] = "saturation", [DEGRADE_HUE] = "hue",
    [DEGRADE_RED] = "red",          [DEGRADE_GREEN] = "green",
    [DEGRADE_BLUE] = "blue",        [DEGRADE_GAMMA] = "gamma",
    [DEGRADE_SHADOW] = "shadow",    [DEGRADE_STREAKS] = "streaks",
    [DEGRADE_SPOTS] = "spots",      [DEGRADE_HALF] = "half",
    [DEGRADE_BLOCK] = "block",      [DEGRADE_STRIP] = "strip",
    [DEGRADE_LEFT] = "left",        [DEGRADE_RIGHT] = "right",
    [DEGRADE_TOP] = "top",          [DEGRADE_BOTTOM] = "bottom",
    [DEGRADE_WIDER] = "wider",      [DEGRADE_HIGHER] = "higher",
    [DEGRADE_SCALE] = "scale",      [DEGRADE_TURN] = "turn",
};

const char *degrade_name(enum degrade_kind kind)
{
    return names[kind];
}

static uint8_t byte_of(double value)
{
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

/* Blurs along one direction: `step` bytes to the next of `count` samples. */
static void line_blur(const float *kernel, int reach, uint8_t *line, int count, size_t step,
                      float *copy)
{
    for (int i = 0; i < count; i++)
        copy[i] = line[(size_t)i * step];
    for (int i = 0; i < count; i++) {
        float sum = 0;
        for (int k = -reach; k <= reach; k++) {
            int at = i + k < 0 ? 0 : i + k >= count ? count - 1 : i + k;
            sum += kernel[k + reach] * copy[at];
        }
        line[(size_t)i * step] = byte_of((double)sum);
    }
}

static int picture_blur(struct degrade_picture *p, double sigma_px)
{
    float kernel[2 * BLUR_REACH + 1], sum = 0;
    int reach = (int)fmin(ceil(3 * sigma_px), BLUR_REACH);
    int longest = p->width > p->height ? p->width : p->height;
    float *copy = malloc((size_t)longest * sizeof *copy);
    if (!copy)
        return -1;
    for (int k = -reach; k <= reach; k++)
        sum += kernel[k + reach] = (float)exp(-k * k / (2 * sigma_px * sigma_px));
    for (int k = 0; k <= 2 * reach; k++)
        kernel[k] /= sum;
    size_t row = 3 * (size_t)p->width;
    for (int c = 0; c < 3; c++) {
        for (int y = 0; y < p->height; y++)
            line_blur(kernel, reach, p->rgb + (size_t)y * row + c, p->width, 3, copy);
        for (int x = 0; x < p->width; x++)
            line_blur(kernel, reach, p->rgb + 3 * (size_t)x + c, p->height, row, copy);
    }
    free(copy);
    return 0;
}

/* A bell from four even numbers, of deviation 1. */
static double noise_next(uint32_t *seed)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        sum += (double)(*seed >> 8) / (1 << 24) - 0.5;
    }
    return sum * 1.7320508;
}

/* A turn about the grey axis, in the values as they are stored. */
static void pixel_turn_hue(const double from[3], double degrees, double to[3])
{
    double c = cos(degrees * M_PI / 180), s = sin(degrees * M_PI / 180) / sqrt(3);
    double mean = (from[0] + from[1] + from[2]) / 3;
    for (int i = 0; i < 3; i++)
        to[i] = mean + c * (from[i] - mean) + s * (from[(i + 2) % 3] - from[(i + 1) % 3]);
}

/* What happens to a value of one channel; the same everywhere. */
static double value_change(double value, int channel, struct degrade_step step)
{
    if (step.kind == DEGRADE_GAIN || (int)step.kind == DEGRADE_RED + channel)
        return value * step.value;
    if (step.kind == DEGRADE_CONTRAST)
        return 128 + (value - 128) * step.value;
    if (step.kind == DEGRADE_GAMMA)
        return 255 * pow(value / 255, step.value);
    return value;
}

static void values_change(struct degrade_picture *p, struct degrade_step step)
{
    uint8_t table[3][256];
    size_t bytes = 3 * (size_t)p->width * (size_t)p->height;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 256; i++)
            table[c][i] = byte_of(value_change(i, c, step));
    for (size_t i = 0; i < bytes; i++)
        p->rgb[i] = table[i % 3][p->rgb[i]];
}

static void pixels_change(struct degrade_picture *picture, struct degrade_step step, uint32_t seed)
{
    uint8_t *p = picture->rgb;
    for (long i = (long)picture->width * picture->height; i > 0; i--, p += 3) {
        double from[3] = {p[0], p[1], p[2]}, to[3];
        double grey = 0.299 * from[0] + 0.587 * from[1] + 0.114 * from[2];
        if (step.kind == DEGRADE_HUE)
            pixel_turn_hue(from, step.value, to);
        for (int c = 0; c < 3; c++) {
            if (step.kind == DEGRADE_NOISE)
                to[c] = from[c] + step.value * noise_next(&seed);
            else if (step.kind == DEGRADE_SATURATION)
                to[c] = grey + (from[c] - grey) * step.value;
            p[c] = byte_of(to[c]);
        }
    }
}

/* A spot or streak of light, or the edge of a shadow. */
struct gleam {
    double at[2], c, s;   /* its middle, and the way it points */
    double wide, narrow;  /* how far it reaches, px */
    double strength[3];   /* of spots by channel */
};

static int gleams_choose(const struct degrade_picture *p, enum degrade_kind kind,
                         struct draw_random *random, struct gleam gleam[SPOTS])
{
    int count = kind == DEGRADE_SHADOW ? 1 : kind == DEGRADE_STREAKS ? STREAKS : SPOTS;
    double w = p->width;
    for (int i = 0; i < count; i++) {
        struct gleam *g = &gleam[i];
        double way = draw_random_range(random, 0, 2 * M_PI);
        g->c = cos(way);
        g->s = sin(way);
        g->at[0] = draw_random_range(random, 0, w);
        g->at[1] = draw_random_range(random, 0, p->height);
        g->wide = draw_random_range(random, 0.05, 0.2) * w;
        g->narrow = draw_random_range(random, 0.004, 0.02) * w;
        for (int k = 0; k < 3; k++)
            g->strength[k] = draw_random_range(random, 0.45, 1.3) - 1;
    }
    if (kind == DEGRADE_STREAKS)
        for (int i = 0; i < count; i++)
            gleam[i].strength[0] = draw_random_range(random, 0.3, 1.5);
    return count;
}

/* Linear light of one channel at a place. */
static double gleam_change(const struct gleam *g, enum degrade_kind kind, double light, int x, int y,
                           int channel)
{
    double u = g->c * (x - g->at[0]) + g->s * (y - g->at[1]);
    double v = g->c * (y - g->at[1]) - g->s * (x - g->at[0]);
    if (kind == DEGRADE_SHADOW) /* from hard to soft, and from pale to deep */
        return light * (1 - (0.6 + 0.2 * g->strength[0]) / (1 + exp(-u / g->narrow)));
    if (kind == DEGRADE_STREAKS)
        return light +
               g->strength[0] * exp(-u * u / (g->wide * g->wide) - v * v / (g->narrow * g->narrow));
    double round = g->wide * g->wide / 2;
    return light * (1 + g->strength[channel] * exp(-(u * u + v * v) / round));
}

static void light_change(struct degrade_picture *p, struct degrade_step step, uint32_t seed)
{
    struct draw_random random = draw_random_seed(seed, (uint64_t)step.value);
    struct gleam gleam[SPOTS];
    int count = gleams_choose(p, step.kind, &random, gleam);
    double linear[256];
    uint8_t *px = p->rgb;
    for (int i = 0; i < 256; i++)
        linear[i] = pow(i / 255.0, 2.2);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++, px += 3)
            for (int k = 0; k < 3; k++) {
                double light = linear[px[k]];
                for (int i = 0; i < count; i++)
                    light = gleam_change(&gleam[i], step.kind, light, x, y, k);
                px[k] = byte_of(255 * pow(light, 1 / 2.2));
            }
}

/* Where old places go, and the new size. */
static void geometry_of(const struct degrade_picture *from, struct degrade_step step,
                        struct degrade_picture *out, double f[2][3])
{
    double w = from->width, h = from->height, v = step.value;
    const double same[2][3] = {{1, 0, 0}, {0, 1, 0}};
    memcpy(f, same, sizeof same);
    out->width = from->width;
    out->height = from->height;
    if (step.kind == DEGRADE_LEFT || step.kind == DEGRADE_RIGHT)
        out->width = (int)(w * (1 - v));
    if (step.kind == DEGRADE_TOP || step.kind == DEGRADE_BOTTOM)
        out->height = (int)(h * (1 - v));
    if (step.kind == DEGRADE_LEFT)
        f[0][2] = out->width - w;
    if (step.kind == DEGRADE_TOP)
        f[1][2] = out->height - h;
    double sx = step.kind == DEGRADE_WIDER || step.kind == DEGRADE_SCALE ? v : 1;
    double sy = step.kind == DEGRADE_HIGHER || step.kind == DEGRADE_SCALE ? v : 1;
    if (sx != 1 || sy != 1) {
        out->width = (int)(w * sx);
        out->height = (int)(h * sy);
        f[0][0] = sx;
        f[1][1] = sy;
        f[0][2] = (sx - 1) / 2; /* pixel centres stand at whole numbers */
        f[1][2] = (sy - 1) / 2;
    }
    if (step.kind == DEGRADE_TURN) {
        int quarters = (int)lround(v / 90) & 3;
        const double turned[4][2][3] = {{{1, 0, 0}, {0, 1, 0}},
                                        {{0, -1, h - 1}, {1, 0, 0}},
                                        {{-1, 0, w - 1}, {0, -1, h - 1}},
                                        {{0, 1, 0}, {-1, 0, w - 1}}};
        memcpy(f, turned[quarters], sizeof turned[quarters]);
        out->width = quarters % 2 ? from->height : from->width;
        out->height = quarters % 2 ? from->width : from->height;
    }
}

/* Mean of the old pixels under a new one, with shares of those at its edges. */
static void pixel_resample(const struct degrade_picture *from, const double at[2], double half_x,
                           double half_y, uint8_t *to)
{
    double sum[3] = {0, 0, 0}, weights = 0;
    for (int y = (int)floor(at[1] - half_y + 0.5); y <= (int)floor(at[1] + half_y + 0.5); y++)
        for (int x = (int)floor(at[0] - half_x + 0.5); x <= (int)floor(at[0] + half_x + 0.5); x++) {
            double wx = fmin(x + 0.5, at[0] + half_x) - fmax(x - 0.5, at[0] - half_x);
            double wy = fmin(y + 0.5, at[1] + half_y) - fmax(y - 0.5, at[1] - half_y);
            if (wx <= 0 || wy <= 0)
                continue;
            int cx = x < 0 ? 0 : x >= from->width ? from->width - 1 : x;
            int cy = y < 0 ? 0 : y >= from->height ? from->height - 1 : y;
            const uint8_t *p = from->rgb + 3 * ((size_t)cy * (size_t)from->width + (size_t)cx);
            for (int c = 0; c < 3; c++)
                sum[c] += wx * wy * p[c];
            weights += wx * wy;
        }
    for (int c = 0; c < 3; c++)
        to[c] = byte_of(weights > 0 ? sum[c] / weights : 0);
}

static void picture_resample(const struct degrade_picture *from, double f[2][3],
                             struct degrade_picture *out)
{
    double det = f[0][0] * f[1][1] - f[0][1] * f[1][0];
    double half_x = fmax(0.5, 0.5 * fabs(f[1][1] / det)), half_y = fmax(0.5, 0.5 * fabs(f[0][0] / det));
    uint8_t *to = out->rgb;
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++, to += 3) {
            double u = x - f[0][2], v = y - f[1][2];
            const double at[2] = {(f[1][1] * u - f[0][1] * v) / det,
                                  (f[0][0] * v - f[1][0] * u) / det};
            pixel_resample(from, at, half_x, half_y, to);
        }
}

int degrade_apply(const struct degrade_picture *from, struct degrade_step step, uint32_t seed,
                  struct degrade_picture *out, double forward[2][3])
{
    geometry_of(from, step, out, forward);
    size_t bytes = 3 * (size_t)out->width * (size_t)out->height;
    out->rgb = malloc(bytes);
    if (!out->rgb)
        return -1;
    if (step.kind >= DEGRADE_LEFT) {
        picture_resample(from, forward, out);
        return 0;
    }
    memcpy(out->rgb, from->rgb, bytes);
    if (step.kind == DEGRADE_BLUR)
        return picture_blur(out, step.value);
    if (step.kind == DEGRADE_NOISE || step.kind == DEGRADE_SATURATION || step.kind == DEGRADE_HUE)
        pixels_change(out, step, seed);
    else if (step.kind >= DEGRADE_SHADOW && step.kind <= DEGRADE_SPOTS)
        light_change(out, step, seed);
    else
        values_change(out, step);
    return 0;
}
