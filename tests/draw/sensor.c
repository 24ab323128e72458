#include "tests/draw/sensor.h"

#include "calib/symbol.h"
#include "tests/draw/vec.h"

#include <stdlib.h>
#include <string.h>

#define BLUR_REACH 8 /* px; kernels are cut there */
#define BLOOM_CELL 8 /* px: the wide glow is computed on a reduced picture */
#define TONE_STEPS 4096
#define TOPIC_NOISE 1000

struct sensing {
    const struct draw_scene *scene;
    int width, height;
    float *light; /* width x height x 3 */
    float *spare; /* the same size */
};

/* Mean of the pixels along one direction, weighted by a kernel of 2 reach + 1. */
static void blur_line(const float *in, float *out, int count, int stride, const float *kernel,
                      int reach)
{
    for (int i = 0; i < count; i++) {
        float sum[3] = {0, 0, 0};
        for (int j = -reach; j <= reach; j++) {
            int at = i + j < 0 ? 0 : i + j >= count ? count - 1 : i + j;
            const float *p = in + at * stride;
            float weight = kernel[j + reach];
            sum[0] += weight * p[0];
            sum[1] += weight * p[1];
            sum[2] += weight * p[2];
        }
        memcpy(out + i * stride, sum, sizeof sum);
    }
}

static int kernel_gauss(double sigma, float kernel[2 * BLUR_REACH + 1])
{
    int reach = (int)draw_clamp(ceil(3.0 * sigma), 1.0, BLUR_REACH);
    double total = 0.0;
    for (int j = -reach; j <= reach; j++) {
        total += exp(-j * j / (2.0 * sigma * sigma));
    }
    for (int j = -reach; j <= reach; j++) {
        kernel[j + reach] = (float)(exp(-j * j / (2.0 * sigma * sigma)) / total);
    }
    return reach;
}

static void blur_gauss(float *picture, float *spare, int width, int height, double sigma)
{
    float kernel[2 * BLUR_REACH + 1] = {0};
    if (sigma < 0.15) {
        return;
    }
    int reach = kernel_gauss(sigma, kernel);
    for (int y = 0; y < height; y++) {
        blur_line(picture + 3 * y * width, spare + 3 * y * width, width, 3, kernel, reach);
    }
    /* Down the columns row by row, so that memory is read in order. */
    for (int y = 0; y < height; y++) {
        float *out = picture + 3 * y * width;
        memset(out, 0, sizeof *out * 3 * (size_t)width);
        for (int j = -reach; j <= reach; j++) {
            int at = y + j < 0 ? 0 : y + j >= height ? height - 1 : y + j;
            const float *in = spare + 3 * at * width;
            float weight = kernel[j + reach];
            for (int i = 0; i < 3 * width; i++) {
                out[i] += weight * in[i];
            }
        }
    }
}

/* Mean over given places around each pixel: a disc out of focus, a line of movement. */
static void blur_places(struct sensing *s, const double (*place)[2], int places)
{
    memcpy(s->spare, s->light, sizeof *s->light * 3 * (size_t)s->width * (size_t)s->height);
    for (int y = 0; y < s->height; y++) {
        for (int x = 0; x < s->width; x++) {
            float sum[3] = {0, 0, 0};
            for (int i = 0; i < places; i++) {
                double at_x = draw_clamp(x + place[i][0], 0.0, s->width - 1.001);
                double at_y = draw_clamp(y + place[i][1], 0.0, s->height - 1.001);
                int left = (int)at_x, top = (int)at_y;
                float fx = (float)(at_x - left), fy = (float)(at_y - top);
                const float *p = s->spare + 3 * (top * s->width + left), *q = p + 3 * s->width;
                for (int k = 0; k < 3; k++) {
                    float upper = p[k] + (p[k + 3] - p[k]) * fx,
                          lower = q[k] + (q[k + 3] - q[k]) * fx;
                    sum[k] += upper + (lower - upper) * fy;
                }
            }
            for (int k = 0; k < 3; k++) {
                s->light[3 * (y * s->width + x) + k] = sum[k] / (float)places;
            }
        }
    }
}

static void blur_defocus(struct sensing *s)
{
    double radius = s->scene->optics.defocus_px, place[13][2] = {{0, 0}};
    if (radius < 0.3) {
        return;
    }
    for (int i = 0; i < 12; i++) { /* two rings */
        double r = radius * (i < 4 ? 0.45 : 0.85),
               a = i < 4 ? i * DRAW_PI / 2.0 : i * DRAW_PI / 4.0;
        place[i + 1][0] = r * cos(a);
        place[i + 1][1] = r * sin(a);
    }
    blur_places(s, (const double(*)[2])place, 13);
}

static void blur_shake(struct sensing *s)
{
    double length = s->scene->optics.shake_px, a = s->scene->optics.shake_deg * DRAW_DEG,
           place[7][2];
    if (length < 0.3) {
        return;
    }
    for (int i = 0; i < 7; i++) {
        place[i][0] = length * ((i + 0.5) / 7.0 - 0.5) * cos(a);
        place[i][1] = length * ((i + 0.5) / 7.0 - 0.5) * sin(a);
    }
    blur_places(s, (const double(*)[2])place, 7);
}

/* Red is drawn a little larger, blue a little smaller. */
static void lens_aberration(struct sensing *s)
{
    double share = s->scene->optics.aberration, cx = s->scene->camera.cx, cy = s->scene->camera.cy;
    if (share <= 0.0) {
        return;
    }
    memcpy(s->spare, s->light, sizeof *s->light * 3 * (size_t)s->width * (size_t)s->height);
    for (int k = 0; k < 3; k += 2) {
        double scale = k == 0 ? 1.0 - share : 1.0 + share;
        for (int y = 0; y < s->height; y++) {
            double at_y = draw_clamp(cy + (y - cy) * scale, 0.0, s->height - 1.001);
            int top = (int)at_y;
            float fy = (float)(at_y - top);
            for (int x = 0; x < s->width; x++) {
                double at_x = draw_clamp(cx + (x - cx) * scale, 0.0, s->width - 1.001);
                int left = (int)at_x;
                float fx = (float)(at_x - left);
                const float *p = s->spare + 3 * (top * s->width + left) + k, *q = p + 3 * s->width;
                float upper = p[0] + (p[3] - p[0]) * fx, lower = q[0] + (q[3] - q[0]) * fx;
                s->light[3 * (y * s->width + x) + k] = upper + (lower - upper) * fy;
            }
        }
    }
}

static void glow_add(struct sensing *s, const float *small, int w, int h, double bloom, double veil)
{
    double mean[3] = {0, 0, 0};
    for (int i = 0; i < w * h; i++) {
        for (int k = 0; k < 3; k++) {
            mean[k] += (double)small[3 * i + k] / (w * h);
        }
    }
    for (int y = 0; y < s->height; y++) {
        double gy = draw_clamp((y + 0.5) / BLOOM_CELL - 0.5, 0.0, h - 1.001);
        int top = (int)gy;
        for (int x = 0; x < s->width; x++) {
            double gx = draw_clamp((x + 0.5) / BLOOM_CELL - 0.5, 0.0, w - 1.001);
            int left = (int)gx;
            const float *p = small + 3 * (top * w + left), *q = p + 3 * w;
            float *out = s->light + 3 * (y * s->width + x);
            for (int k = 0; k < 3; k++) {
                double upper = p[k] + ((double)p[k + 3] - p[k]) * (gx - left);
                double lower = q[k] + ((double)q[k + 3] - q[k]) * (gx - left);
                double glow = upper + (lower - upper) * (gy - top);
                out[k] = (float)((1.0 - bloom - veil) * out[k] + bloom * glow + veil * mean[k]);
            }
        }
    }
}

/* Light that scatters in the lens: a glow around what is bright, and a veil over everything. */
static int lens_glow(struct sensing *s)
{
    double bloom = s->scene->optics.bloom, veil = s->scene->optics.veil;
    if (bloom <= 0.0 && veil <= 0.0) {
        return 0;
    }
    int w = (s->width + BLOOM_CELL - 1) / BLOOM_CELL + 1,
        h = (s->height + BLOOM_CELL - 1) / BLOOM_CELL + 1;
    float *small = calloc(2 * 3 * (size_t)w * (size_t)h, sizeof *small);
    if (small == NULL) {
        return -1;
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int px = x * BLOOM_CELL + BLOOM_CELL / 2, py = y * BLOOM_CELL + BLOOM_CELL / 2;
            float sum[3] = {0, 0, 0};
            for (int i = 0; i < 16; i++) { /* every second pixel of the cell */
                int ix = px - 4 + 2 * (i % 4), iy = py - 4 + 2 * (i / 4);
                ix = ix >= s->width ? s->width - 1 : ix;
                iy = iy >= s->height ? s->height - 1 : iy;
                const float *p = s->light + 3 * (iy * s->width + ix);
                for (int k = 0; k < 3; k++) {
                    sum[k] += fminf(p[k], 8.0f) / 16.0f;
                }
            }
            memcpy(small + 3 * (y * w + x), sum, sizeof sum);
        }
    }
    float *spare = small + 3 * (size_t)w * (size_t)h;
    blur_gauss(small, spare, w, h, 2.5);
    blur_gauss(small, spare, w, h, 2.5);
    glow_add(s, small, w, h, bloom, veil);
    free(small);
    return 0;
}

static void lens_vignette(struct sensing *s)
{
    const struct draw_optics *optics = &s->scene->optics;
    double reach = (double)s->width * s->width / 4.0 + (double)s->height * s->height / 4.0;
    for (int y = 0; y < s->height; y++) {
        for (int x = 0; x < s->width; x++) {
            double dx = x - s->width / 2.0, dy = y - s->height / 2.0;
            double left = 1.0 - optics->vignette * (dx * dx + dy * dy) / reach;
            float *out = s->light + 3 * (y * s->width + x);
            for (int k = 0; k < 3; k++) {
                out[k] *= (float)(left * optics->balance[k]);
            }
        }
    }
}

/* Four rough normals from one draw: sums of four 16-bit numbers; noise needs no better tails. */
static void rough_normals(struct draw_random *random, float out[4])
{
    uint64_t a = draw_random_bits(random), b = draw_random_bits(random);
    for (int i = 0; i < 4; i++) {
        uint64_t bits = i < 2 ? a >> 32 * i : b >> 32 * (i - 2);
        int sum = (int)(bits & 0xFF) + (int)(bits >> 8 & 0xFF) + (int)(bits >> 16 & 0xFF) +
                  (int)(bits >> 24 & 0xFF);
        out[i] = (float)(sum - 510) * (1.0f / 147.8f); /* of four bytes the deviation is 147.8 */
    }
}

static void noise_row(struct sensing *s, int y, struct draw_random *random, float *fine,
                      const float *coarse)
{
    double amount = s->scene->optics.noise;
    for (int i = 0; i < 3 * s->width + 9; i += 4) {
        rough_normals(random, fine + i);
    }
    float *light = s->light + 3 * y * s->width;
    for (int i = 0; i < 3 * s->width; i++) {
        /* Shot noise of a small sensor, and what reading it adds. */
        float deviation = sqrtf(fmaxf(light[i], 0.0f) * 1.6e-4f + 6e-6f) * (float)amount;
        /* Demosaicing mixes neighbours: partly the pixel's own, partly shared with those beside
         * it and with a patch of two by two. */
        float own = 0.66f * fine[i + 3] + 0.33f * (fine[i] + fine[i + 6]);
        float shared = coarse[i / 6 * 3 + i % 3];
        light[i] += deviation * (0.9f * own + 0.45f * shared);
    }
}

static int sensor_noise(struct sensing *s)
{
    if (s->scene->optics.noise <= 0.0) {
        return 0;
    }
    struct draw_random random = draw_random_seed(s->scene->seed, TOPIC_NOISE);
    size_t count = 3 * (size_t)s->width + 16;
    float *fine = calloc(2 * count, sizeof *fine);
    if (fine == NULL) {
        return -1;
    }
    float *coarse = fine + count;
    for (int y = 0; y < s->height; y++) {
        if (y % 2 == 0) {
            for (int i = 0; i < 3 * (s->width / 2 + 1); i += 4) {
                rough_normals(&random, coarse + i);
            }
        }
        noise_row(s, y, &random, fine, coarse);
    }
    free(fine);
    return 0;
}

/* Tone curve: linear light to 0..1 of sRGB, with a soft shoulder and contrast around the middle. */
static void tone_fill(const struct draw_optics *optics, float tone[TONE_STEPS + 1], double most)
{
    for (int i = 0; i <= TONE_STEPS; i++) {
        double x = most * i / TONE_STEPS, k = optics->shoulder;
        if (k < 1.0 && x > k) {
            x = k + (1.0 - k) * tanh((x - k) / (1.25 - k));
        }
        x = draw_clamp(x, 0.0, 1.0);
        double y = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
        y += optics->contrast * 2.0 * (y - 0.5) * y * (1.0 - y);
        tone[i] = (float)draw_clamp(y, 0.0, 1.0);
    }
}

static void tone_apply(struct sensing *s)
{
    const double most = 1.6; /* by then every shoulder has reached white to half a step */
    float tone[TONE_STEPS + 1], saturation = (float)s->scene->optics.saturation;
    tone_fill(&s->scene->optics, tone, most);
    for (int i = 0; i < s->width * s->height; i++) {
        float *p = s->light + 3 * i, y[3], grey = 0.0f;
        for (int k = 0; k < 3; k++) {
            double at = draw_clamp(p[k] / most, 0.0, 0.99999) * TONE_STEPS;
            int low = (int)at;
            y[k] = tone[low] + (tone[low + 1] - tone[low]) * (float)(at - low);
            grey += y[k] / 3.0f;
        }
        for (int k = 0; k < 3; k++) {
            p[k] = grey + (y[k] - grey) * saturation;
        }
    }
}

static void sharpen_apply(struct sensing *s)
{
    float amount = (float)s->scene->optics.sharpen;
    if (amount <= 0.0f) {
        return;
    }
    size_t count = 3 * (size_t)s->width * (size_t)s->height;
    float *soft = malloc(count * sizeof *soft);
    if (soft == NULL) { /* a picture without a halo is a picture too */
        return;
    }
    memcpy(soft, s->light, count * sizeof *soft);
    blur_gauss(soft, s->spare, s->width, s->height, 1.1);
    for (size_t i = 0; i < count; i++) {
        s->light[i] += amount * (s->light[i] - soft[i]);
    }
    free(soft);
}

int draw_sense(const struct draw_scene *scene, float *light, uint8_t *rgb)
{
    size_t count = 3 * (size_t)scene->camera.width * (size_t)scene->camera.height;
    struct sensing s = {.scene = scene,
                        .width = scene->camera.width,
                        .height = scene->camera.height,
                        .light = light,
                        .spare = calloc(count, sizeof(float))};
    int result = -1;
    if (s.spare == NULL) {
        return -1;
    }
    lens_aberration(&s);
    blur_defocus(&s);
    blur_shake(&s);
    blur_gauss(s.light, s.spare, s.width, s.height, scene->optics.blur_px);
    if (lens_glow(&s) != 0) {
        goto out;
    }
    lens_vignette(&s);
    if (sensor_noise(&s) != 0) {
        goto out;
    }
    tone_apply(&s);
    sharpen_apply(&s);
    for (size_t i = 0; i < count; i++) {
        rgb[i] = (uint8_t)(fminf(fmaxf(s.light[i], 0.0f), 1.0f) * 255.0f + 0.5f);
    }
    result = 0;
out:
    free(s.spare);
    return result;
}
