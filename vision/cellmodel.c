/* vision/cellmodel.c: see cellmodel.h. */
#include "vision/cellmodel.h"

#include "calib/symbol.h"
#include "vision/cellcolour.h"
#include "vision/celledge.h"
#include "vision/cellsteer.h"
#include "vision/four.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAW_SIDE 100    /* px a template is drawn at before it is blurred: 5 to a sample */
#define SPAN 0.92f       /* of the cell that samples cover: its last edge borders on the unknown */
#define SEEN_LEAST 0.45f /* share of trusted samples below which a cell counts as not seen */

/* Residuals of neighbouring samples hang together, so 400 samples are worth far fewer: a cell has
 * some 5 x 5 patches that blur and print let vary apart. Too low a number costs decided seats, too
 * high a one false confidence, which the drawn statistics count (wrong above 0.9). */
#define SAMPLES_EFFECTIVE 30.0f
/* Edges alone are part of each shape's evidence. Among some 1,500 drawn cells in glare and in bad
 * light, none was taken for another whose edges left a quarter more. */
#define EDGE_EVIDENCE 0.75f
/* What no model explains (bevels, lens, printing), as a share of the variance. */
#define UNEXPLAINED_FLOOR 0.02f
/* A colour within this (squared standard errors) fits: two of each of three channels. */
#define COLOUR_FITS 6.0f
/* A colour this far off says no more than that it is wrong: a bound on one term. */
#define COLOUR_TERM_MAX 40.0f

/* Standard deviation of each blur step, in cells. */
static const float blur_sigma[CELL_BLURS] = {0.012f, 0.03f, 0.05f, 0.08f};

struct cell_template {
    float field[CELL_SAMPLES]; /* share of field without ink */
    float ink[CELL_SAMPLES];
    float tone[CELL_SAMPLES]; /* whiteness that the print should show */
    /* sums over all samples, of products too: for cells every sample of which counts */
    float fields, inks, field_field, field_ink, ink_ink;
};

struct cell_model {
    int symbols;
    int quarters[CELL_SYMBOLS_MAX];   /* distinct quarter turns: 1, 2 or 4 */
    float field[CELL_SYMBOLS_MAX][3]; /* printed, relative to white */
    float ink[CELL_SYMBOLS_MAX][3];
    bool white_ink[CELL_SYMBOLS_MAX];
    float offset[CELL_SIDE];        /* of samples, in cells */
    struct cell_template *template; /* [symbol][quarter][blur] */
    struct edge_template *edge;     /* likewise */
    struct edge_frame every;        /* sample counts */
};

static int template_index(int symbol, int quarter, int blur)
{
    return (symbol * 4 + quarter) * CELL_BLURS + blur;
}

static struct cell_template *template_at(const struct cell_model *model, int symbol, int quarter,
                                         int blur)
{
    return model->template + template_index(symbol, quarter, blur);
}

/* How much each px of a line of a drawn cell counts in each of CELL_SIDE samples along it: a
 * Gauss around the sample's place. What lies beyond the edge counts as the edge's own px. */
struct sampling {
    float weight[CELL_SIDE][DRAW_SIDE];
    int first[CELL_SIDE], end[CELL_SIDE]; /* px with a weight */
};

static void sampling_fill(struct sampling *s, const float offset[CELL_SIDE], float sigma_cells)
{
    float sigma = sigma_cells * DRAW_SIDE;
    int reach = (int)ceilf(3 * sigma);
    memset(s, 0, sizeof *s);
    for (int i = 0; i < CELL_SIDE; i++) {
        float at = (offset[i] + 0.5f) * DRAW_SIDE - 0.5f, sum = 0;
        int middle = (int)lrintf(at);
        s->first[i] = middle > reach ? middle - reach : 0;
        s->end[i] = middle + reach < DRAW_SIDE ? middle + reach + 1 : DRAW_SIDE;
        for (int x = middle - reach; x <= middle + reach; x++) {
            float away = ((float)x - at) / sigma, weight = expf(-0.5f * away * away);
            s->weight[i][x < 0 ? 0 : x >= DRAW_SIDE ? DRAW_SIDE - 1 : x] += weight;
            sum += weight;
        }
        for (int x = 0; x < DRAW_SIDE; x++)
            s->weight[i][x] /= sum;
    }
}

/* Samples of a drawn cell, softened: first down its columns, then along what has become rows. */
static void raster_sample(const struct sampling *s, const float *restrict raster,
                          float out[CELL_SAMPLES])
{
    for (int j = 0; j < CELL_SIDE; j++) {
        float line[DRAW_SIDE] = {0};
        for (int y = s->first[j]; y < s->end[j]; y++)
            for (int x = 0; x < DRAW_SIDE; x++)
                line[x] += s->weight[j][y] * raster[y * DRAW_SIDE + x];
        for (int i = 0; i < CELL_SIDE; i++) {
            float sum = 0;
            for (int x = s->first[i]; x < s->end[i]; x++)
                sum += s->weight[i][x] * line[x];
            out[j * CELL_SIDE + i] = sum;
        }
    }
}

static float least_of(const float rgb[3])
{
    return fminf(rgb[0], fminf(rgb[1], rgb[2]));
}

/* The template of a print turned clockwise by quarters, from that of the upright print: the
 * samples' places turn into each other. */
static void template_fill(struct cell_model *model, int symbol, int quarter, int blur,
                          const float field[CELL_SAMPLES], const float ink[CELL_SAMPLES])
{
    struct cell_template *t = template_at(model, symbol, quarter, blur);
    float field_tone = least_of(model->field[symbol]), ink_tone = least_of(model->ink[symbol]);
    for (int j = 0; j < CELL_SIDE; j++)
        for (int i = 0; i < CELL_SIDE; i++) {
            int row = j, col = i, at = j * CELL_SIDE + i;
            for (int q = 0; q < quarter; q++) {
                int swap = col;
                col = row;
                row = CELL_SIDE - 1 - swap;
            }
            float covered = field[row * CELL_SIDE + col];
            t->ink[at] = ink[row * CELL_SIDE + col];
            t->field[at] = covered > t->ink[at] ? covered - t->ink[at] : 0;
            t->tone[at] = 1 - covered + t->field[at] * field_tone + t->ink[at] * ink_tone;
        }
    vision_edge_template(t->field, t->ink, &model->every, model->white_ink[symbol],
                         model->edge + template_index(symbol, quarter, blur));
    t->fields = t->inks = t->field_field = t->field_ink = t->ink_ink = 0;
    for (int i = 0; i < CELL_SAMPLES; i++) {
        t->fields += t->field[i];
        t->inks += t->ink[i];
        t->field_field += t->field[i] * t->field[i];
        t->field_ink += t->field[i] * t->ink[i];
        t->ink_ink += t->ink[i] * t->ink[i];
    }
}

static void symbol_colours(struct cell_model *model, const struct symbol *s, int symbol)
{
    const unsigned char bytes[2][3] = {{s->field.r, s->field.g, s->field.b},
                                       {s->ink.r, s->ink.g, s->ink.b}};
    for (int c = 0; c < 3; c++) {
        model->field[symbol][c] = (float)calib_srgb_to_linear(bytes[0][c]);
        model->ink[symbol][c] = (float)calib_srgb_to_linear(bytes[1][c]);
    }
    /* Ink within a fifth of white can't be told from it under a lamp: one level for both. */
    model->white_ink[symbol] = least_of(model->ink[symbol]) > 0.8f;
}

/* What making templates takes. */
struct drawing {
    struct sampling sampling[CELL_BLURS];
    float field[DRAW_SIDE * DRAW_SIDE], ink[DRAW_SIDE * DRAW_SIDE];
};

static void symbol_templates(struct cell_model *model, const struct blockset *set, int symbol,
                             struct drawing *drawing)
{
    const struct symbol *s = &set->symbol[symbol];
    int symmetry = calib_shape_symmetry(&s->shape);
    model->quarters[symbol] = symmetry <= 90 ? 1 : symmetry <= 180 ? 2 : 4;
    symbol_colours(model, s, symbol);
    calib_symbol_draw(s, set->rim, DRAW_SIDE, 3, drawing->field, drawing->ink);
    for (int blur = 0; blur < CELL_BLURS; blur++) {
        float field[CELL_SAMPLES], ink[CELL_SAMPLES];
        raster_sample(&drawing->sampling[blur], drawing->field, field);
        raster_sample(&drawing->sampling[blur], drawing->ink, ink);
        for (int q = 0; q < model->quarters[symbol]; q++)
            template_fill(model, symbol, q, blur, field, ink);
    }
}

struct cell_model *vision_cell_model_create(const struct blockset *set)
{
    struct cell_model *model = calloc(1, sizeof *model);
    struct drawing *drawing = malloc(sizeof *drawing);
    if (!model || !drawing)
        goto fail;
    model->symbols = set->symbols;
    model->template = calloc((size_t)set->symbols * 4 * CELL_BLURS, sizeof *model->template);
    model->edge = calloc((size_t)set->symbols * 4 * CELL_BLURS, sizeof *model->edge);
    if (!model->template || !model->edge)
        goto fail;
    for (int i = 0; i < CELL_SIDE; i++)
        model->offset[i] = (((float)i + 0.5f) / CELL_SIDE - 0.5f) * SPAN;
    vision_edge_frame(NULL, &model->every);
    for (int blur = 0; blur < CELL_BLURS; blur++)
        sampling_fill(&drawing->sampling[blur], model->offset, blur_sigma[blur]);
    for (int s = 0; s < set->symbols; s++)
        symbol_templates(model, set, s, drawing);
    free(drawing);
    return model;
fail:
    free(drawing);
    vision_cell_model_destroy(&model);
    return NULL;
}

void vision_cell_model_destroy(struct cell_model **model)
{
    if (!model || !*model)
        return;
    free((*model)->template);
    free((*model)->edge);
    free(*model);
    *model = NULL;
}

int vision_cell_model_symbols(const struct cell_model *model)
{
    return model->symbols;
}

void vision_palette_default(const struct cell_model *model, struct palette *palette)
{
    vision_palette_print(model->field, model->symbols, palette);
}

int vision_cell_blur(double px_per_cell)
{
    /* A lens and the making of pixels, demosaicing and JPEG together spread a point over about
     * one pixel (standard deviation); resampling to the patch adds some. */
    double sigma = 1.1 / px_per_cell + 0.008;
    int best = 0;
    for (int b = 1; b < CELL_BLURS; b++)
        if (fabs((double)blur_sigma[b] - sigma) < fabs((double)blur_sigma[best] - sigma))
            best = b;
    return best;
}

struct cell_samples {
    float rgb[3][CELL_SAMPLES];
    float weight[CELL_SAMPLES]; /* 1 where the sample counts, else 0 */
    float inside[CELL_SAMPLES]; /* 1 inside the picture */
    float total;                /* of the weights */
    int outside, glare;
};

/* The three channels, and one more that goes unused, between a px and those right and below. */
static inline four px_between(const float *a, int width, float fx, float fy)
{
    const float *b = a + width * 3;
    four left = four_load(a), low = four_load(b);
    four top = left + fx * (four_load(a + 3) - left);
    low += fx * (four_load(b + 3) - low);
    return top + fy * (low - top);
}

/* A sample at (x, y), which lies in the patch with a px to the right and below. */
static inline void sample_take(const struct patch *patch, float x, float y, int at,
                               struct cell_samples *s)
{
    int ix = (int)x, iy = (int)y, p = iy * patch->width + ix;
    if (patch->flag[p] & PATCH_OUTSIDE) {
        s->outside++;
        s->rgb[0][at] = s->rgb[1][at] = s->rgb[2][at] = s->inside[at] = s->weight[at] = 0;
        return;
    }
    four px = px_between(patch->rgb + p * 3, patch->width, x - (float)ix, y - (float)iy);
    bool glare = patch->flag[p] & PATCH_GLARE;
    s->rgb[0][at] = px[0];
    s->rgb[1][at] = px[1];
    s->rgb[2][at] = px[2];
    s->inside[at] = 1;
    s->weight[at] = glare ? 0 : 1;
    s->glare += glare;
}

/* Four samples that lie in the patch and in the picture. */
static inline void four_samples_take(const struct patch *patch, const struct four_places *p, int at,
                                     struct cell_samples *s)
{
    four px[4];
    for (int k = 0; k < 4; k++)
        px[k] = px_between(patch->rgb + p->at[k] * 3, patch->width, p->fx[k], p->fy[k]);
    four a = __builtin_shufflevector(px[0], px[1], 0, 4, 1, 5); /* r0 r1 g0 g1 */
    four b = __builtin_shufflevector(px[2], px[3], 0, 4, 1, 5);
    four c = __builtin_shufflevector(px[0], px[1], 2, 6, 3, 7); /* b0 b1 */
    four d = __builtin_shufflevector(px[2], px[3], 2, 6, 3, 7);
    four_store(s->rgb[0] + at, __builtin_shufflevector(a, b, 0, 1, 4, 5));
    four_store(s->rgb[1] + at, __builtin_shufflevector(a, b, 2, 3, 6, 7));
    four_store(s->rgb[2] + at, __builtin_shufflevector(c, d, 0, 1, 4, 5));
}

/* Samples of a cell that lies in the patch with all its corners, as nearly all do. */
static void cell_sample_inside(const struct cell_model *model, const struct patch *patch,
                               const struct cell_place *place, float ax, float ay,
                               struct cell_samples *s)
{
    const four one = {1, 1, 1, 1};
    for (int at = 0; at < CELL_SAMPLES; at += 4) {
        four u = four_load(model->offset + at % CELL_SIDE);
        float v = model->offset[at / CELL_SIDE];
        four x = place->x + u * ax - v * ay, y = place->y + u * ay + v * ax;
        struct four_places p = four_places_of(patch->width, x, y);
        const uint8_t *flag = patch->flag;
        if ((flag[p.at[0]] | flag[p.at[1]] | flag[p.at[2]] | flag[p.at[3]]) &
            (PATCH_OUTSIDE | PATCH_GLARE)) {
            for (int k = 0; k < 4; k++)
                sample_take(patch, x[k], y[k], at + k, s);
            continue;
        }
        four_samples_take(patch, &p, at, s);
        four_store(s->inside + at, one);
        four_store(s->weight + at, one);
    }
}

/* Samples of a cell that reaches over the patch's edge. */
static void cell_sample_careful(const struct cell_model *model, const struct patch *patch,
                                const struct cell_place *place, float ax, float ay,
                                struct cell_samples *s)
{
    memset(s->rgb, 0, sizeof s->rgb);
    memset(s->weight, 0, sizeof s->weight);
    memset(s->inside, 0, sizeof s->inside);
    for (int at = 0; at < CELL_SAMPLES; at++) {
        float u = model->offset[at % CELL_SIDE], v = model->offset[at / CELL_SIDE];
        float x = place->x + u * ax - v * ay, y = place->y + u * ay + v * ax;
        if (x >= 0 && y >= 0 && x < (float)patch->width - 1 && y < (float)patch->height - 1)
            sample_take(patch, x, y, at, s);
        else
            s->outside++;
    }
}

static void cell_sample(const struct cell_model *model, const struct patch *patch,
                        const struct cell_place *place, struct cell_samples *s)
{
    float ax = cosf(place->turn_rad) * place->side_px, ay = sinf(place->turn_rad) * place->side_px;
    float reach = (fabsf(ax) + fabsf(ay)) / 2;
    s->outside = s->glare = 0;
    if (place->x >= reach && place->y >= reach && place->x + reach < (float)patch->width - 1 &&
        place->y + reach < (float)patch->height - 1)
        cell_sample_inside(model, patch, place, ax, ay, s);
    else
        cell_sample_careful(model, patch, place, ax, ay, s);
    s->total = (float)(CELL_SAMPLES - s->outside - s->glare);
}

/* Where a mirrored window veils most of a cell, evenly, the cell can be read through the veil
 * (levels are free); where a lamp's image covers less than that, the rest is read. */
static void veil_accept(struct cell_samples *s)
{
    if (s->total >= SEEN_LEAST * CELL_SAMPLES)
        return;
    s->total = 0;
    for (int i = 0; i < CELL_SAMPLES; i++) {
        s->weight[i] = s->inside[i];
        s->total += s->weight[i];
    }
}

/* Weighted sums of the samples that no template changes. */
struct cell_moments {
    float sum[3], square[3];
    float variance; /* of all channels together, times the weight */
};

static void moments_take(const struct cell_samples *s, struct cell_moments *m)
{
    m->variance = 0;
    for (int c = 0; c < 3; c++) {
        four sum = {0}, square = {0};
        for (int i = 0; i < CELL_SAMPLES; i += 4) {
            four x = four_load(s->rgb[c] + i), wx = four_load(s->weight + i) * x;
            sum += wx;
            square += wx * x;
        }
        m->sum[c] = four_sum(sum);
        m->square[c] = four_sum(square);
        m->variance += m->square[c] - m->sum[c] * m->sum[c] / s->total;
    }
}

/* Least squares of one channel on two known coverages a (white) and f (field).
 * Returns the unexplained sum of squares. */
static float levels_solve(float aa, float af, float ff, float ax, float fx, float xx, float *white,
                          float *field)
{
    float det = aa * ff - af * af;
    if (det < 1e-6f * aa * ff + 1e-12f) {
        *white = *field = aa > 0 ? ax / aa : 0;
        return xx;
    }
    *white = (ax * ff - fx * af) / det;
    *field = (fx * aa - ax * af) / det;
    return fmaxf(xx - *white * ax - *field * fx, 0);
}

/* Weighted sums of a template's coverages: with themselves and with the channels. */
struct cover_sums {
    float field, ink, field_field, field_ink, ink_ink;
    float field_x[3], ink_x[3];
};

/* A coverage with the channels. */
static void channels_take(const float *cover, const struct cell_samples *s, bool plain,
                          float out[3])
{
    four red = {0}, green = {0}, blue = {0};
    for (int i = 0; i < CELL_SAMPLES; i += 4) {
        four wf = four_load(cover + i);
        if (!plain)
            wf *= four_load(s->weight + i);
        red += wf * four_load(s->rgb[0] + i);
        green += wf * four_load(s->rgb[1] + i);
        blue += wf * four_load(s->rgb[2] + i);
    }
    out[0] = four_sum(red);
    out[1] = four_sum(green);
    out[2] = four_sum(blue);
}

/* Where every sample counts, what the channels have no part in is known beforehand. */
static void cover_take(const struct cell_template *t, const struct cell_samples *s, bool with_ink,
                       struct cover_sums *out)
{
    bool plain = s->total >= CELL_SAMPLES - 0.5f;
    *out = (struct cover_sums){.field = t->fields,
                               .ink = t->inks,
                               .field_field = t->field_field,
                               .field_ink = t->field_ink,
                               .ink_ink = t->ink_ink};
    channels_take(t->field, s, plain, out->field_x);
    if (with_ink)
        channels_take(t->ink, s, plain, out->ink_x);
    if (plain)
        return;
    four field = {0}, ink = {0}, field_field = {0}, field_ink = {0}, ink_ink = {0};
    for (int i = 0; i < CELL_SAMPLES; i += 4) {
        four w = four_load(s->weight + i), f = four_load(t->field + i), k = four_load(t->ink + i);
        four wf = w * f, wk = w * k;
        field += wf;
        ink += wk;
        field_field += wf * f;
        field_ink += wf * k;
        ink_ink += wk * k;
    }
    out->field = four_sum(field);
    out->ink = four_sum(ink);
    out->field_field = four_sum(field_field);
    out->field_ink = four_sum(field_ink);
    out->ink_ink = four_sum(ink_ink);
}

/* Unexplained sum of squares of a template over the three channels, with white's and the field's
 * levels. White covers what field and ink leave, and of the ink its share: 1 - field - lack * ink.
 */
static float template_solve(const struct cell_template *t, const float ink[3], bool white_ink,
                            const struct cell_samples *s, const struct cell_moments *m,
                            float white[3], float field[3])
{
    struct cover_sums k;
    float rest = 0;
    cover_take(t, s, !white_ink, &k);
    for (int c = 0; c < 3; c++) {
        float lack = white_ink ? 0 : 1 - ink[c];
        float aa = s->total - 2 * (k.field + lack * k.ink) + k.field_field +
                   lack * (2 * k.field_ink + lack * k.ink_ink);
        float af = k.field - k.field_field - lack * k.field_ink;
        float ax = m->sum[c] - k.field_x[c] - lack * k.ink_x[c];
        rest += levels_solve(aa, af, k.field_field, ax, k.field_x[c], m->square[c], &white[c],
                             &field[c]);
    }
    return rest;
}

static void symbol_keep(struct cell_fit *out, int symbol, int quarter, float left,
                        const float white[3], const float field[3])
{
    out->left[symbol] = left;
    out->quarter[symbol] = quarter;
    for (int c = 0; c < 3; c++) {
        float ratio = white[c] > 1e-4f ? field[c] / white[c] : 1;
        out->white[symbol][c] = white[c];
        out->ratio[symbol][c] = ratio < 0 ? 0 : ratio > 2 ? 2 : ratio;
    }
}

static void symbol_fit(const struct cell_model *model, int symbol, int blur,
                       const struct cell_samples *s, const struct cell_moments *m,
                       struct cell_fit *out)
{
    float variance = fmaxf(m->variance, 1e-9f);
    out->left[symbol] = 2;
    for (int q = 0; q < model->quarters[symbol]; q++) {
        float white[3], field[3];
        float left = template_solve(template_at(model, symbol, q, blur), model->ink[symbol],
                                    model->white_ink[symbol], s, m, white, field) /
                     variance;
        if (left < out->left[symbol])
            symbol_keep(out, symbol, q, left, white, field);
    }
}

void vision_cell_rescore(const struct cell_model *model, const struct palette *palette,
                         struct cell_fit *fit)
{
    float best = -1e9f, second = -1e9f, least = 1;
    fit->best = fit->second = 0;
    for (int k = 0; k < model->symbols; k++)
        least = fminf(least, fit->left[k]);
    /* What even the best leaves is no noise but something unknown (glare, a shadow's edge), and
     * might as well speak for one symbol as for another: the shapes then say less. */
    float samples = SAMPLES_EFFECTIVE * (1 - least) * (1 - least);
    if (fit->through_glare)
        samples *= EDGE_EVIDENCE;
    float *off = fit->off, least_off = 1e9f;
    for (int k = 0; k < model->symbols; k++) {
        off[k] =
            vision_palette_width(palette, k) *
            vision_colour_distance(fit->ratio[k], fit->white[k], palette->field[k], fit->burnt);
        least_off = off[k] < least_off ? off[k] : least_off;
    }
    /* Where no symbol's colour fits, colours are worse than supposed and say less. */
    float trust = least_off > COLOUR_FITS ? COLOUR_FITS / least_off : 1;
    for (int k = 0; k < model->symbols; k++) {
        float colour = trust * off[k];
        float shape = samples / 2 * logf(fit->left[k] + UNEXPLAINED_FLOOR);
        fit->score[k] = -shape - fminf(colour, COLOUR_TERM_MAX) / 2;
        if (fit->score[k] > best) {
            second = best;
            fit->second = fit->best;
            best = fit->score[k];
            fit->best = k;
            fit->unexplained = fit->left[k];
            fit->colour_error = sqrtf(off[k]);
        } else if (fit->score[k] > second) {
            second = fit->score[k];
            fit->second = k;
        }
    }
    fit->contrast = 1 - least_of(fit->ratio[fit->best]);
}

static float least_left(const struct cell_model *model, const struct cell_fit *fit)
{
    float least = 1;
    for (int k = 0; k < model->symbols; k++)
        least = fit->left[k] < least ? fit->left[k] : least;
    return least;
}

_Static_assert(CELL_SIDE == EDGE_SIDE, "edges are taken of the same samples");

/* A cell that leaves more than this is tried by its edges. */
#define EDGE_TRY_LEFT 0.12f
/* They must leave this much less to be believed: they hold less of the cell. Of a cell that is not
 * explained otherwise (what is left over the second number) they need only leave less. */
#define EDGE_WORTH 0.75f
#define EDGE_ALONE_LEFT 0.45f
/* Where only edges explain a cell, half of it may as well be veiled. */
#define EDGE_BURNT 0.5f

/* Explains a cell by its edges among the samples that count in the frame. */
static void edge_fit(const struct cell_model *model, int blur, const struct cell_samples *s,
                     const struct edge_frame *frame, struct cell_fit *out)
{
    const float *const channel[3] = {s->rgb[0], s->rgb[1], s->rgb[2]};
    struct edge_template room;
    struct edge_cell cell;
    vision_edge_cell(channel, frame, &cell);
    for (int k = 0; k < model->symbols; k++) {
        out->left[k] = 2;
        for (int q = 0; q < model->quarters[k]; q++) {
            float white[3] = {0}, field[3] = {0};
            const struct edge_template *t = model->edge + template_index(k, q, blur);
            if (frame != &model->every) {
                const struct cell_template *cover = template_at(model, k, q, blur);
                vision_edge_template(cover->field, cover->ink, frame, model->white_ink[k], &room);
                t = &room;
            }
            float left =
                vision_edge_solve(&cell, t, model->white_ink[k], model->ink[k], white, field);
            if (left < out->left[k])
                symbol_keep(out, k, q, left, white, field);
        }
    }
}

/* Explains a cell by its edges where that explains more: without the samples that are marked as
 * glare, or with all. */
static void edge_try(const struct cell_model *model, int blur, const struct cell_samples *s,
                     struct cell_fit *out)
{
    struct cell_fit trial = *out;
    float whole = least_left(model, out);
    edge_fit(model, blur, s, &model->every, &trial);
    if (s->total < CELL_SAMPLES - 0.5f) {
        struct cell_fit other = *out;
        struct edge_frame counted;
        vision_edge_frame(s->weight, &counted);
        edge_fit(model, blur, s, &counted, &other);
        if (least_left(model, &other) < EDGE_WORTH * least_left(model, &trial))
            trial = other;
    }
    if (least_left(model, &trial) >= (whole > EDGE_ALONE_LEFT ? whole : EDGE_WORTH * whole))
        return;
    trial.through_glare = true;
    trial.burnt = fmaxf(trial.burnt, EDGE_BURNT);
    *out = trial;
}

void vision_cell_fit(const struct cell_model *model, const struct palette *palette,
                     const struct patch *patch, const struct cell_place *place, int blur,
                     bool through_glare, struct cell_fit *out)
{
    struct cell_samples samples;
    struct cell_moments moments;
    memset(out, 0, sizeof *out);
    cell_sample(model, patch, place, &samples);
    out->burnt = (float)samples.glare / CELL_SAMPLES;
    veil_accept(&samples);
    out->seen = samples.total >= SEEN_LEAST * CELL_SAMPLES && samples.outside == 0;
    for (int k = 0; k < model->symbols; k++)
        out->left[k] = 1;
    if (samples.total >= 16) {
        moments_take(&samples, &moments);
        for (int k = 0; k < model->symbols; k++)
            symbol_fit(model, k, blur, &samples, &moments, out);
        if (through_glare && samples.outside == 0 && least_left(model, out) > EDGE_TRY_LEFT)
            edge_try(model, blur, &samples, out);
    }
    vision_cell_rescore(model, palette, out);
}

float vision_cell_refine(const struct cell_model *model, const struct patch *patch,
                         const float *whiteness, int symbol, int quarter, int blur, float reach_px,
                         float reach_rad, struct cell_place *place)
{
    return vision_cell_steer(model->offset, template_at(model, symbol, quarter, blur)->tone, patch,
                             whiteness, reach_px, reach_rad, place);
}
