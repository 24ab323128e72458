/* vision/card_symbol.c: see card_symbol.h. */
#include "vision/card_symbol.h"

#include "calib/symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAW_SAMPLES 4
/* White of printed paper, as the rims and inks of the kit are given. */
static const struct rgb8 paper_white = {0xFA, 0xF9, 0xF6};

/* Softness of each step, as the deviation of a Gauss in cells. A lens and a sensor blur by some
 * 0.6 px: that is 0.025 of a cell of 25 px and 0.055 of one of 11; the rest is for soft focus
 * and movement. */
static const float blur_cells[CARD_BLURS] = {0.022f, 0.045f, 0.07f, 0.10f, 0.14f};

/* Places of a raster that hold independent news about a shape: neighbouring samples share their
 * blur and their misplacement, so far fewer than there are samples. */
#define SHAPE_NEWS 30.0f
/* Share of white that a perfect template would still miss: print, JPEG. */
#define SHAPE_FLOOR 0.02f
/* Share of the variance that even the right template misses where a cell is ten pixels wide:
 * sharpening and overdriven whites are not modelled. Less is not to be read into a difference. */
#define SHAPE_MISFIT 0.03f
/* Spread of a colour, in gamma values of its ratio to white: cameras process colours, prints
 * differ. Between the kit's closest two (red and orange) lies 0.35. */
#define COLOUR_SPREAD 0.10f
#define COLOUR_WORST 10.0f /* one odd colour must not outvote a clear shape */
#define SOFTER 1           /* steps of blur */
#define RATIO_LEAST 0.0015f

struct template
{
    int symbol;
    float luma_white[CARD_CELL_SAMPLES], field[CARD_CELL_SAMPLES]; /* each times the weight */
    float inverse[3]; /* of the normal equations of the brightness */
    float cross[4];   /* weighted sums of field times white: red, green, blue, brightness */
    float square;     /* and of field times field */
};

struct card_symbols {
    int symbols, templates; /* templates of one blur step */
    float weight[CARD_BLURS][CARD_CELL_SAMPLES], weights[CARD_BLURS];
    struct card_colour colour[BLOCKSET_SYMBOLS_MAX];
    struct template *template; /* [blur][template] */
};

/* Samples near the cell's edge show its neighbours, the more the softer the picture. */
static void weight_init(struct card_symbols *s, int blur)
{
    float reach_px = 1.2f * blur_cells[blur] * CARD_CELL_PX + 0.5f;
    for (int y = 0; y < CARD_CELL_PX; y++)
        for (int x = 0; x < CARD_CELL_PX; x++) {
            int dx = x < CARD_CELL_PX / 2 ? x : CARD_CELL_PX - 1 - x;
            int dy = y < CARD_CELL_PX / 2 ? y : CARD_CELL_PX - 1 - y;
            float w = ((float)(dx < dy ? dx : dy) + 0.2f) / reach_px;
            w = w > 1 ? 1 : w;
            s->weight[blur][y * CARD_CELL_PX + x] = w;
            s->weights[blur] += w;
        }
}

/* Blurs a cell's raster; what lies outside counts as `outside`. */
static void cell_blur(float *cell, float sigma_px, float outside)
{
    float kernel[2 * CARD_CELL_PX + 1] = {0}, sum = 0, row[CARD_CELL_PX];
    int reach = (int)ceilf(3 * sigma_px);
    if (reach > CARD_CELL_PX)
        reach = CARD_CELL_PX;
    for (int i = -reach; i <= reach; i++)
        sum += kernel[i + reach] = expf(-(float)(i * i) / (2 * sigma_px * sigma_px));
    for (int pass = 0; pass < 2; pass++) {
        int step = pass ? CARD_CELL_PX : 1, next = pass ? 1 : CARD_CELL_PX;
        for (int line = 0; line < CARD_CELL_PX; line++) {
            float *at = cell + line * next;
            for (int x = 0; x < CARD_CELL_PX; x++) {
                float value = 0;
                for (int i = -reach; i <= reach; i++) {
                    bool inside = x + i >= 0 && x + i < CARD_CELL_PX;
                    value += kernel[i + reach] * (inside ? at[(x + i) * step] : outside);
                }
                row[x] = value / sum;
            }
            for (int x = 0; x < CARD_CELL_PX; x++)
                at[x * step] = row[x];
        }
    }
}

/* Weighted sum of the products of two rasters. */
static float raster_product(const float *weight, const float *a, const float *b)
{
    float sum = 0;
    for (int i = 0; i < CARD_CELL_SAMPLES; i++)
        sum += weight[i] * a[i] * b[i];
    return sum;
}

/* Four floats at once: the places' sums are most of the work. May stand at any address. */
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));

static inline float four_sum(four v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static float raster_dot(const float *a, const float *b)
{
    four sum[2] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int i = 0; i < CARD_CELL_SAMPLES; i += 8) {
        sum[0] += *(const four *)(a + i) * *(const four *)(b + i);
        sum[1] += *(const four *)(a + i + 4) * *(const four *)(b + i + 4);
    }
    return four_sum(sum[0] + sum[1]);
}

static void normal_invert(float aa, float af, float ff, float inverse[3])
{
    float det = aa * ff - af * af;
    if (det < 1e-5f * (aa * ff + 1)) /* a symbol without rim and ink: its levels are not known */
        det = INFINITY;
    inverse[0] = ff / det;
    inverse[1] = -af / det;
    inverse[2] = aa / det;
}

/* Ink as a share of white, in sRGB values: red, green, blue, brightness. */
static void ink_ratios(const struct symbol *symbol, float ratio[4])
{
    ratio[0] = (float)symbol->ink.r / (float)paper_white.r;
    ratio[1] = (float)symbol->ink.g / (float)paper_white.g;
    ratio[2] = (float)symbol->ink.b / (float)paper_white.b;
    ratio[3] = 0.299f * ratio[0] + 0.587f * ratio[1] + 0.114f * ratio[2];
}

static void template_init(const float *weight, struct template *t, const struct symbol *symbol,
                          const float *field, const float *ink, float sigma_px)
{
    float only_field[CARD_CELL_SAMPLES], only_ink[CARD_CELL_SAMPLES], white[CARD_CELL_SAMPLES];
    float ratio[4];
    for (int i = 0; i < CARD_CELL_SAMPLES; i++) {
        only_ink[i] = ink[i];
        only_field[i] = field[i] - ink[i];
    }
    cell_blur(only_field, sigma_px, 0);
    cell_blur(only_ink, sigma_px, 0);
    ink_ratios(symbol, ratio);
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < CARD_CELL_SAMPLES; i++)
            white[i] = 1 - only_field[i] - only_ink[i] + only_ink[i] * ratio[c];
        t->cross[c] = raster_product(weight, only_field, white);
    }
    t->square = raster_product(weight, only_field, only_field) + 1e-6f;
    normal_invert(raster_product(weight, white, white), t->cross[3], t->square, t->inverse);
    for (int i = 0; i < CARD_CELL_SAMPLES; i++) {
        t->luma_white[i] = white[i] * weight[i];
        t->field[i] = only_field[i] * weight[i];
    }
}

static void cell_turn(const float *from, float *to)
{
    for (int y = 0; y < CARD_CELL_PX; y++)
        for (int x = 0; x < CARD_CELL_PX; x++)
            to[x * CARD_CELL_PX + CARD_CELL_PX - 1 - y] = from[y * CARD_CELL_PX + x];
}

static void symbol_init(struct card_symbols *s, const struct symbol *symbol, int index, double rim,
                        int turns, int first)
{
    float field[CARD_CELL_SAMPLES], ink[CARD_CELL_SAMPLES], turned[CARD_CELL_SAMPLES];
    calib_symbol_draw(symbol, rim, CARD_CELL_PX, DRAW_SAMPLES, field, ink);
    for (int turn = 0; turn < turns; turn++) {
        for (int blur = 0; blur < CARD_BLURS; blur++) {
            struct template *t = &s->template[blur * s->templates + first + turn];
            t->symbol = index;
            template_init(s->weight[blur], t, symbol, field, ink, blur_cells[blur] * CARD_CELL_PX);
        }
        cell_turn(ink, turned);
        memcpy(ink, turned, sizeof ink);
    }
}

struct card_symbols *vision_card_symbols_create(const struct blockset *set,
                                                const struct cardstyle *style)
{
    struct card_symbols *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    int turns[BLOCKSET_SYMBOLS_MAX];
    for (int i = 0; i < set->symbols; i++)
        s->templates += turns[i] = calib_shape_symmetry(&set->symbol[i].shape) / 90;
    s->template = calloc((size_t)(s->templates * CARD_BLURS) + 1, sizeof *s->template);
    if (!s->template) {
        vision_card_symbols_destroy(&s);
        return NULL;
    }
    s->symbols = set->symbols;
    for (int blur = 0; blur < CARD_BLURS; blur++)
        weight_init(s, blur);
    for (int i = 0, first = 0; i < set->symbols; first += turns[i++]) {
        symbol_init(s, &set->symbol[i], i, style->rim, turns[i], first);
        vision_card_colour_init(&s->colour[i], set->symbol[i].field, paper_white);
    }
    return s;
}

void vision_card_symbols_destroy(struct card_symbols **symbols)
{
    if (!symbols || !*symbols)
        return;
    free((*symbols)->template);
    free(*symbols);
    *symbols = NULL;
}

int vision_card_symbols_blur(double px_per_cell)
{
    double want = 0.6 / px_per_cell;
    int best = 0;
    for (int i = 1; i < CARD_BLURS; i++)
        if (fabs((double)blur_cells[i] - want) < fabs((double)blur_cells[best] - want))
            best = i;
    return best;
}

static float gamma_of(float ratio)
{
    return sqrtf(fmaxf(ratio, RATIO_LEAST)); /* near enough to what cameras do, and quick */
}

void vision_card_colour_init(struct card_colour *colour, struct rgb8 print, struct rgb8 white)
{
    const uint8_t p[3] = {print.r, print.g, print.b}, w[3] = {white.r, white.g, white.b};
    for (int c = 0; c < 3; c++) {
        float ratio = (float)(calib_srgb_to_linear(p[c]) / calib_srgb_to_linear(w[c]));
        for (int i = 0; i < CARD_VEILS; i++) {
            float veil = 0.6f * (float)(i * i) / ((CARD_VEILS - 1) * (CARD_VEILS - 1));
            colour->at[i][c] = gamma_of(ratio + veil * (1 - ratio));
        }
    }
}

float vision_card_colour_score(const struct card_colour *colour, const float ratio[3])
{
    float at[3], least = INFINITY;
    for (int c = 0; c < 3; c++)
        at[c] = gamma_of(ratio[c]);
    for (int i = 0; i < CARD_VEILS; i++) {
        float squares = 0, white = 0;
        for (int c = 0; c < 3; c++) {
            float miss = at[c] - colour->at[i][c];
            squares += miss * miss;
            white = fmaxf(white, 1 - colour->at[i][c]);
        }
        /* under a veil all colours come together, so the same miss says more */
        float full = 0;
        for (int c = 0; c < 3; c++)
            full = fmaxf(full, 1 - colour->at[0][c]);
        float shrink = full > 0 ? white / full : 1;
        least = fminf(least, squares / fmaxf(shrink * shrink, 0.1f));
    }
    float score = least / (2 * COLOUR_SPREAD * COLOUR_SPREAD);
    return -fminf(score, COLOUR_WORST);
}

static void levels_solve(const float inverse[3], float by_white, float by_field, float *white,
                         float *field)
{
    *white = inverse[0] * by_white + inverse[1] * by_field;
    *field = inverse[1] * by_white + inverse[2] * by_field;
}

/* Copies a place and sums it up. */
static void place_take(const float *weight, float weights, const float *luma, int stride,
                       float sample[CARD_CELL_SAMPLES], struct card_fit *out, float *squares)
{
    float weighted[CARD_CELL_SAMPLES];
    for (int y = 0; y < CARD_CELL_PX; y++)
        memcpy(sample + y * CARD_CELL_PX, luma + y * stride, CARD_CELL_PX * sizeof *sample);
    for (int i = 0; i < CARD_CELL_SAMPLES; i++)
        weighted[i] = weight[i] * sample[i];
    *squares = raster_dot(weighted, sample);
    out->mean = raster_dot(weight, sample) / weights;
    out->variance = fmaxf(*squares / weights - out->mean * out->mean, 0);
}

/* Log likelihoods from what each symbol leaves of the place's variance. */
static void shape_score(const struct card_symbols *s, const float *least, struct card_fit *out)
{
    float floor =
        SHAPE_FLOOR * out->mean * SHAPE_FLOOR * out->mean + SHAPE_MISFIT * out->variance + 1e-9f;
    out->second = -1;
    for (int i = 0; i < s->symbols; i++) {
        out->score[i] = out->shape[i] =
            -SHAPE_NEWS / 2 * logf((least[i] + floor) / (out->variance + floor));
        if (least[i] < least[out->best])
            out->best = i;
    }
    out->unexplained = least[out->best];
    out->explained = out->variance > 0 ? 1 - out->unexplained / out->variance : 0;
    out->depth = sqrtf(fmaxf(out->variance - out->unexplained, 0));
}

void vision_card_fit_shape(const struct card_symbols *symbols, const float *luma, int stride,
                           int blur, struct card_fit *out)
{
    const struct card_symbols *s = symbols;
    float sample[CARD_CELL_SAMPLES], squares, least[BLOCKSET_SYMBOLS_MAX];
    memset(out, 0, sizeof *out);
    place_take(s->weight[blur], s->weights[blur], luma, stride, sample, out, &squares);
    for (int i = 0; i < s->symbols; i++) {
        least[i] = out->variance;
        out->level[i][0] = out->level[i][1] = out->mean;
        out->template[i] = -1;
    }
    for (int i = 0; i < s->templates; i++) {
        const struct template *t = &s->template[blur * s->templates + i];
        float by_white = raster_dot(t->luma_white, sample), white, field;
        float by_field = raster_dot(t->field, sample);
        levels_solve(t->inverse, by_white, by_field, &white, &field);
        float left = (squares - white * by_white - field * by_field) / s->weights[blur];
        if (field < white && left < least[t->symbol]) {
            least[t->symbol] = fmaxf(left, 0);
            out->level[t->symbol][0] = white;
            out->level[t->symbol][1] = field;
            out->template[t->symbol] = i;
        }
    }
    shape_score(s, least, out);
}

static float code_to_linear(float code)
{
    return code <= 0.04045f ? fmaxf(code, 0) / 12.92f : powf((code + 0.055f) / 1.055f, 2.4f);
}

/* What each channel of a place differs by from its brightness. */
static void place_tint(const float *code, int stride, float tint[3][CARD_CELL_SAMPLES])
{
    for (int y = 0; y < CARD_CELL_PX; y++)
        for (int x = 0; x < CARD_CELL_PX; x++) {
            const float *p = code + 3 * (y * stride + x);
            float bright = 0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2]; /* as JPEG has it */
            for (int c = 0; c < 3; c++)
                tint[c][y * CARD_CELL_PX + x] = p[c] - bright;
        }
}

/* Ratios of field to white in each channel, in linear light, under one template. Cameras keep
 * less detail of colour than of brightness, and they part both in sRGB values: so there the tint
 * is fitted with a softer template, and with the colour that white has near the card, as the
 * white within a small cell keeps no colour of its own. */
static void colour_ratios(const struct template *soft, float tint[3][CARD_CELL_SAMPLES],
                          const struct card_white *near, const float level[2], float ratio[3])
{
    float white = level[0] * near->luma, field = level[1] * near->luma;
    for (int c = 0; c < 3; c++) {
        float of_white = white * (near->code[c] * soft->cross[c] - soft->cross[3]);
        float shift = (raster_dot(soft->field, tint[c]) - of_white) / soft->square;
        float below = code_to_linear(white * near->code[c]);
        ratio[c] = below > 0 ? fminf(code_to_linear(field + shift) / below, 1.2f) : 1.2f;
    }
}

static void fit_rank(const struct card_symbols *s, struct card_fit *fit)
{
    fit->best = 0;
    for (int i = 1; i < s->symbols; i++)
        if (fit->score[i] > fit->score[fit->best])
            fit->best = i;
    fit->second = -1;
    for (int i = 0; i < s->symbols; i++)
        if (i != fit->best && (fit->second < 0 || fit->score[i] > fit->score[fit->second]))
            fit->second = i;
}

void vision_card_fit_colour(const struct card_symbols *symbols, const float *code, int stride,
                            const struct card_white *white, int blur, struct card_fit *fit)
{
    const struct card_symbols *s = symbols;
    int softer = blur + SOFTER < CARD_BLURS ? blur + SOFTER : CARD_BLURS - 1;
    float tint[3][CARD_CELL_SAMPLES], ratios[BLOCKSET_SYMBOLS_MAX][3];
    place_tint(code, stride, tint);
    for (int i = 0; i < s->symbols; i++) {
        memset(ratios[i], 0, sizeof ratios[i]);
        fit->colour[i] = -COLOUR_WORST;
        if (fit->template[i] >= 0) {
            const struct template *soft = &s->template[softer * s->templates + fit->template[i]];
            colour_ratios(soft, tint, white, fit->level[i], ratios[i]);
            fit->colour[i] = vision_card_colour_score(&s->colour[i], ratios[i]);
        }
        fit->score[i] = fit->shape[i] + fit->colour[i];
    }
    fit_rank(s, fit);
    memcpy(fit->ratio, ratios[fit->best], sizeof fit->ratio);
}
