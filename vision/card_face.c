/* vision/card_face.c: see card_face.h. */
#include "vision/card_face.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a place must show. The template of the right symbol explains nine tenths of the variance of
 * the brightness in a good picture, of a wrong one about half. A symbol's brightness deviates by
 * 0.06 to 0.25 of white's, an overdriven one's by 0.04; bare panel's by noise only, of which a
 * template explains next to nothing. */
#define EXPLAINED_LEAST 0.60f
#define DEPTH_LEAST 0.03f
#define PANEL_DEPTH_MOST 0.03f
#define PANEL_SPREAD_MOST 0.08f /* of the panel's brightness */
#define PANEL_OFF_MOST 0.15f    /* shadows and lamps change a card's light slowly */

/* A section of ring or border that differs by this share from what the others let expect is not
 * the card's. */
#define SECTION_OFF 0.2f
#define SECTION_DARK 0.5f /* below this brightness a share would be less than noise and veils */
#define LIGHT_SPREAD 0.06 /* of the panel's brightness about its plane */

static int face_side(const struct cardstyle *style)
{
    double px = (style->size_mm + 2 * FACE_BORDER_MM) * CARD_CELL_PX / style->cell_mm;
    return 2 * (int)ceil(px / 2);
}

/* Cells in a row that fit within the border, with a ring of panel around them. */
static int face_line(const struct cardstyle *style)
{
    double room = style->size_mm - 2 * style->border_mm - 4;
    int cells = (int)floor(room / style->cell_mm);
    return cells < FACE_LINE_MAX ? cells : FACE_LINE_MAX;
}

bool vision_face_possible(const struct cardstyle *style)
{
    return style->size_mm > 0 && style->cell_mm > 0 && style->border_mm > 0 &&
           style->size_mm < 40 * style->cell_mm && face_side(style) <= FACE_SIDE_MAX &&
           face_line(style) >= 1;
}

struct face_ray {
    float x, y, du[2], dv[2]; /* patch px of the raster's first sample, and steps of a sample */
};

static struct face_ray face_ray(const struct face *face, const struct cardstyle *style,
                                const struct patch *patch, const struct card_square *square)
{
    double print = square->size_mm / style->size_mm; /* mm on the mat to a mm as designed */
    double step = print / face->px_per_mm * patch->px_per_mm;
    double first = (0.5 - face->side / 2.0) / face->px_per_mm * print, mm[2], x, y;
    double c = cos(square->turn_rad), s = sin(square->turn_rad);
    vision_card_square_to_mm(square, first, first, mm);
    vision_patch_from_mm(patch, mm, &x, &y);
    return (struct face_ray){(float)x,
                             (float)y,
                             {(float)(c * step), (float)(s * step)},
                             {(float)(-s * step), (float)(c * step)}};
}

void vision_face_init(struct face *face)
{
    for (int i = 0; i <= FACE_CODES; i++) {
        double x = (double)i / FACE_CODES;
        face->table[i] = (float)(x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055);
    }
}

static inline float face_code(const struct face *face, float linear)
{
    return face->table[linear <= 0   ? 0
                       : linear >= 1 ? FACE_CODES
                                     : (int)(linear * FACE_CODES + 0.5f)];
}

static inline void face_pixel(struct face *face, int at, const struct patch *patch, float x,
                              float y, const float inverse[4])
{
    float *out = face->rgb + 3 * at, *code = face->code + 3 * at;
    if (!(x >= 0 && y >= 0 && x < (float)(patch->width - 1) && y < (float)(patch->height - 1))) {
        face->flag[at] = PATCH_OUTSIDE;
        for (int c = 0; c < 3; c++)
            out[c] = code[c] = 0;
        face->luma[at] = 0;
        return;
    }
    int ix = (int)x, iy = (int)y, from = iy * patch->width + ix;
    float fx = x - (float)ix, fy = y - (float)iy;
    const float *a = patch->rgb + 3 * from, *b = a + 3 * patch->width;
    for (int c = 0; c < 3; c++) {
        float top = a[c] + fx * (a[c + 3] - a[c]), low = b[c] + fx * (b[c + 3] - b[c]);
        float linear = top + fy * (low - top);
        out[c] = linear * inverse[c];
        code[c] = face_code(face, linear);
    }
    face->luma[at] = (0.299f * code[0] + 0.587f * code[1] + 0.114f * code[2]) * inverse[3];
    face->flag[at] = patch->flag[from + (fx > 0.5f) + (fy > 0.5f ? patch->width : 0)];
}

void vision_face_sample(struct face *face, const struct cardstyle *style, const struct patch *patch,
                        const struct card_square *square, const float white[3])
{
    face->side = face_side(style);
    face->px_per_mm = CARD_CELL_PX / style->cell_mm;
    struct face_ray ray = face_ray(face, style, patch, square);
    float code[3];
    for (int c = 0; c < 3; c++)
        code[c] = face_code(face, white[c]);
    face->near.luma = 0.299f * code[0] + 0.587f * code[1] + 0.114f * code[2];
    for (int c = 0; c < 3; c++)
        face->near.code[c] = code[c] / face->near.luma;
    const float inverse[4] = {1 / white[0], 1 / white[1], 1 / white[2], 1 / face->near.luma};
    for (int y = 0; y < face->side; y++)
        for (int x = 0; x < face->side; x++)
            face_pixel(face, y * face->side + x, patch,
                       ray.x + (float)x * ray.du[0] + (float)y * ray.dv[0],
                       ray.y + (float)x * ray.du[1] + (float)y * ray.dv[1], inverse);
}

static int face_index(const struct face *face, double mm)
{
    int at = (int)lround(mm * face->px_per_mm + face->side / 2.0 - 0.5);
    return at < 0 ? 0 : at >= face->side ? face->side - 1 : at;
}

void vision_face_mean(const struct face *face, double u0, double v0, double u1, double v1,
                      struct face_section *out)
{
    int x0 = face_index(face, fmin(u0, u1)), x1 = face_index(face, fmax(u0, u1));
    int y0 = face_index(face, fmin(v0, v1)), y1 = face_index(face, fmax(v0, v1));
    float sum[3] = {0, 0, 0}, luma = 0, squares = 0;
    int seen = 0, burnt = 0, all = (x1 - x0 + 1) * (y1 - y0 + 1);
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            int at = y * face->side + x;
            if (face->flag[at] & PATCH_OUTSIDE)
                continue;
            seen++;
            burnt += (face->flag[at] & PATCH_BURNT) != 0;
            for (int c = 0; c < 3; c++)
                sum[c] += face->rgb[3 * at + c];
            luma += face->luma[at];
            squares += face->luma[at] * face->luma[at];
        }
    float inverse = seen ? 1 / (float)seen : 0;
    for (int c = 0; c < 3; c++)
        out->rgb[c] = sum[c] * inverse;
    out->luma = luma * inverse;
    out->spread = sqrtf(fmaxf(squares * inverse - out->luma * out->luma, 0));
    out->burnt = (float)burnt * inverse;
    out->outside = 1 - (float)seen / (float)all;
}

/* A rectangle beside a side: from `near` to `far` mm outward of the centre, and along it. */
static void side_mean(const struct face *face, int side, double near, double far, double from,
                      double to, struct face_section *out)
{
    switch (side) {
    case 0:
        vision_face_mean(face, near, from, far, to, out);
        break;
    case 1:
        vision_face_mean(face, -to, near, -from, far, out);
        break;
    case 2:
        vision_face_mean(face, -far, -to, -near, -from, out);
        break;
    default:
        vision_face_mean(face, from, -far, to, -near, out);
        break;
    }
}

static int float_compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void sections_median(struct face_section section[4][FACE_SECTIONS], float rgb[3],
                            float *luma)
{
    for (int c = 0; c < 4; c++) {
        float value[4 * FACE_SECTIONS] = {0};
        int count = 0;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < FACE_SECTIONS; i++)
                if (section[k][i].outside < 0.5f)
                    value[count++] = c < 3 ? section[k][i].rgb[c] : section[k][i].luma;
        qsort(value, (size_t)count, sizeof *value, float_compare);
        float median = count ? (value[(count - 1) / 2] + value[count / 2]) / 2 : 0;
        if (c < 3)
            rgb[c] = median;
        else
            *luma = median;
    }
}

/* Where on the card a ring's section lies, in mm. */
static void section_center(const struct cardstyle *style, int side, int index, double *u, double *v)
{
    double across = style->size_mm / 2 - style->border_mm - 2;
    double along = across * ((2.0 * index + 1) / FACE_SECTIONS - 1);
    static const double normal[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    *u = normal[side][0] * across - normal[side][1] * along;
    *v = normal[side][1] * across + normal[side][0] * along;
}

/* A plane through the brightness of the ring; what lies over it and glare weigh little. As the
 * sections lie evenly about the centre, the three sums are nearly apart from each other: rounds
 * with weights make up for what is not. */
static void frame_light(const struct cardstyle *style, struct face_frame *frame)
{
    float *light = frame->light;
    light[0] = frame->panel_luma;
    light[1] = light[2] = 0;
    for (int round = 0; round < 8; round++) {
        double n = 0, uu = 0, vv = 0, miss = 0, by_u = 0, by_v = 0;
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < FACE_SECTIONS; i++) {
                const struct face_section *s = &frame->ring[k][i];
                double u, v;
                section_center(style, k, i, &u, &v);
                double off = (double)(s->luma - vision_face_panel(frame, u, v));
                double scaled = off / (LIGHT_SPREAD * (double)frame->panel_luma + 1e-6);
                double w =
                    s->outside > 0.5f ? 0 : 1 / ((1 + scaled * scaled) * (1 + scaled * scaled));
                n += w;
                uu += w * u * u;
                vv += w * v * v;
                miss += w * off;
                by_u += w * off * u;
                by_v += w * off * v;
            }
        if (n < 3 || uu <= 0 || vv <= 0)
            return;
        light[0] += (float)(miss / n);
        light[1] += (float)(by_u / uu);
        light[2] += (float)(by_v / vv);
    }
}

void vision_face_frame(const struct face *face, const struct cardstyle *style,
                       struct face_frame *frame)
{
    double half = style->size_mm / 2, inner = half - style->border_mm;
    double cells = face_line(style) * style->cell_mm / 2;
    double ring_far = inner - 0.9, ring_near = fmax(inner - 4, cells + 0.6);
    double ticks = (CARD_LEVELS / 2.0 + 0.5) * style->tick_pitch_mm;
    double end = half - fmax(style->corner_mm, style->border_mm);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < FACE_SECTIONS; i++) {
            double a = ring_far * (2.0 * i / FACE_SECTIONS - 1);
            side_mean(face, k, ring_near, ring_far, a, a + 2 * ring_far / FACE_SECTIONS,
                      &frame->ring[k][i]);
            int half_of = i < FACE_SECTIONS / 2 ? -1 : 1; /* before or after the ticks */
            double length = (end - ticks) / (FACE_SECTIONS / 2.0);
            double from =
                half_of < 0 ? -end + i * length : ticks + (i - FACE_SECTIONS / 2.0) * length;
            side_mean(face, k, half - 0.75 * style->border_mm, half - 0.3 * style->border_mm, from,
                      from + length, &frame->border[k][i]);
        }
    sections_median(frame->ring, frame->panel, &frame->panel_luma);
    sections_median(frame->border, frame->border_rgb, &frame->border_luma);
    frame_light(style, frame);
}

static bool section_differs(const struct face_section *section, const float rgb[3], float luma,
                            float light)
{
    if (section->outside > 0.5f)
        return true;
    float here = luma * light; /* a share of light in sRGB values; in linear light it is steeper */
    if (fabsf(section->luma - here) > SECTION_OFF * fmaxf(here, SECTION_DARK))
        return true;
    float linear = powf(fmaxf(light, 0.05f), 2.2f);
    for (int c = 0; c < 3; c++) {
        float expected = rgb[c] * linear;
        if (fabsf(section->rgb[c] - expected) >
            2 * SECTION_OFF * fmaxf(fmaxf(here, SECTION_DARK), expected))
            return true;
    }
    return false;
}

float vision_face_foreign(const struct face_frame *frame, const struct cardstyle *style,
                          float *glare)
{
    int differs = 0, bright = 0;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < FACE_SECTIONS; i++) {
            const struct face_section *ring = &frame->ring[k][i], *border = &frame->border[k][i];
            double u, v;
            section_center(style, k, i, &u, &v);
            float light = vision_face_panel(frame, u, v) / fmaxf(frame->panel_luma, 0.01f);
            bool light_out = ring->burnt > 0.5f || border->burnt > 0.5f;
            bright += light_out;
            differs += !light_out && section_differs(ring, frame->panel, frame->panel_luma, light);
            differs +=
                !light_out && section_differs(border, frame->border_rgb, frame->border_luma, light);
        }
    *glare = (float)bright / (4 * FACE_SECTIONS);
    return (float)differs / (8 * FACE_SECTIONS);
}

/* The first raster px of the places of a lattice with that many in a row. */
static int lattice_first(const struct face *face, int line)
{
    return face->side / 2 - line * CARD_CELL_PX / 2;
}

/* Mean square about the panel's own level; slow changes of light are allowed. */
static float panel_left(const struct card_fit *fit, float panel)
{
    float off = fmaxf(fabsf(fit->mean - panel) - 0.5f * PANEL_OFF_MOST * panel, 0);
    return fit->variance + off * off;
}

static bool fit_is_symbol(const struct card_fit *fit)
{
    return fit->explained >= EXPLAINED_LEAST && fit->depth >= DEPTH_LEAST;
}

/* What all pixels beside the lattice's places miss of the panel, and how many they are. */
static float margin_left(const struct face *face, int first_x, int first_y, int cols, int rows,
                         int line, const struct face_frame *frame)
{
    int low = lattice_first(face, line), high = low + line * CARD_CELL_PX;
    float sum = 0;
    for (int y = low; y < high; y++)
        for (int x = low; x < high; x++) {
            if (x >= first_x && x < first_x + cols * CARD_CELL_PX && y >= first_y &&
                y < first_y + rows * CARD_CELL_PX)
                continue;
            double u = (x - face->side / 2.0) / face->px_per_mm,
                   v = (y - face->side / 2.0) / face->px_per_mm;
            float panel = vision_face_panel(frame, u, v);
            float off = face->luma[y * face->side + x] - panel;
            off = fabsf(off) - 0.5f * PANEL_OFF_MOST * panel;
            sum += off > 0 ? off * off : 0;
        }
    return sum;
}

/* Brightness of bare panel at the place that begins at a raster pixel. */
static float panel_at(const struct face *face, const struct face_frame *frame, int x, int y)
{
    double half = CARD_CELL_PX / 2.0 - face->side / 2.0;
    return vision_face_panel(frame, (x + half) / face->px_per_mm, (y + half) / face->px_per_mm);
}

static void lattice_fit(const struct face *face, const struct card_symbols *symbols,
                        const struct face_frame *frame, int line, int rows, int cols, int blur,
                        struct face_places *out)
{
    int first_x = lattice_first(face, cols), first_y = lattice_first(face, rows);
    int all = line * line * CARD_CELL_SAMPLES;
    out->rows = rows;
    out->cols = cols;
    out->blur = blur;
    float sum = margin_left(face, first_x, first_y, cols, rows, line, frame);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            struct place *place = &out->place[r * cols + c];
            const float *luma =
                face->luma + (first_y + r * CARD_CELL_PX) * face->side + first_x + c * CARD_CELL_PX;
            vision_card_fit_shape(symbols, luma, face->side, blur, &place->fit);
            float as_panel =
                panel_left(&place->fit, panel_at(face, frame, first_x + c * CARD_CELL_PX,
                                                 first_y + r * CARD_CELL_PX));
            sum += CARD_CELL_SAMPLES * fminf(place->fit.unexplained, as_panel);
        }
    out->left = sum / (float)all;
}

/* What the symbols of a lattice leave unexplained at another blur. */
static float blur_left(const struct face *face, const struct card_symbols *symbols,
                       const struct face_places *lattice, int blur)
{
    int first_x = lattice_first(face, lattice->cols), first_y = lattice_first(face, lattice->rows);
    float sum = 0;
    for (int i = 0; i < lattice->rows * lattice->cols; i++) {
        if (!fit_is_symbol(&lattice->place[i].fit))
            continue;
        struct card_fit fit;
        int x = first_x + i % lattice->cols * CARD_CELL_PX;
        int y = first_y + i / lattice->cols * CARD_CELL_PX;
        vision_card_fit_shape(symbols, face->luma + y * face->side + x, face->side, blur, &fit);
        sum += fit.unexplained;
    }
    return sum;
}

/* The blur that fits the picture: from the first guess downhill. */
static int blur_choose(const struct face *face, const struct card_symbols *symbols,
                       const struct face_places *lattice)
{
    int best = lattice->blur;
    float least = blur_left(face, symbols, lattice, best);
    for (int way = -1; way <= 1; way += 2)
        for (int blur = lattice->blur + way; blur >= 0 && blur < CARD_BLURS; blur += way) {
            float left = blur_left(face, symbols, lattice, blur);
            if (left >= least)
                break;
            least = left;
            best = blur;
        }
    return best;
}

static void place_count(const struct face *face, int x0, int y0, struct place *place)
{
    int burnt = 0, outside = 0;
    for (int y = y0; y < y0 + CARD_CELL_PX; y++)
        for (int x = x0; x < x0 + CARD_CELL_PX; x++) {
            burnt += (face->flag[y * face->side + x] & PATCH_BURNT) != 0;
            outside += (face->flag[y * face->side + x] & PATCH_OUTSIDE) != 0;
        }
    place->burnt = (float)burnt / CARD_CELL_SAMPLES;
    place->outside = (float)outside / CARD_CELL_SAMPLES;
}

static enum place_kind place_judge(const struct card_fit *fit, float panel)
{
    if (fit_is_symbol(fit))
        return PLACE_SYMBOL;
    float spread = sqrtf(fit->variance);
    bool flat = fit->depth < PANEL_DEPTH_MOST * panel && spread < PANEL_SPREAD_MOST * panel;
    if (flat && fabsf(fit->mean - panel) < PANEL_OFF_MOST * panel)
        return PLACE_PANEL;
    return PLACE_UNKNOWN;
}

static void places_finish(const struct face *face, const struct card_symbols *symbols,
                          const struct face_frame *frame, struct face_places *out)
{
    int first_x = lattice_first(face, out->cols), first_y = lattice_first(face, out->rows);
    for (int i = 0; i < out->rows * out->cols; i++) {
        struct place *place = &out->place[i];
        int x = first_x + i % out->cols * CARD_CELL_PX, y = first_y + i / out->cols * CARD_CELL_PX;
        int at = y * face->side + x;
        vision_card_fit_shape(symbols, face->luma + at, face->side, out->blur, &place->fit);
        place_count(face, x, y, place);
        place->kind = place->outside > 0.02f
                          ? PLACE_UNKNOWN
                          : place_judge(&place->fit, panel_at(face, frame, x, y));
        place->margin = 0;
        if (place->kind == PLACE_PANEL)
            continue;
        struct card_fit *fit = &place->fit;
        vision_card_fit_colour(symbols, face->code + 3 * at, face->side, &face->near, out->blur,
                               fit);
        place->margin = fit->second < 0 ? 20 : fit->score[fit->best] - fit->score[fit->second];
    }
}

void vision_face_read(const struct face *face, const struct cardstyle *style,
                      const struct card_symbols *symbols, const struct face_frame *frame,
                      double px_per_cell, struct face_places *out)
{
    int line = face_line(style), blur = vision_card_symbols_blur(px_per_cell);
    struct face_places candidate;
    out->left = INFINITY;
    for (int parity = 0; parity < 4; parity++) {
        int rows = line - (parity & 1), cols = line - (parity >> 1);
        if (rows < 1 || cols < 1)
            continue;
        lattice_fit(face, symbols, frame, line, rows, cols, blur, &candidate);
        if (candidate.left < out->left)
            *out = candidate;
    }
    out->blur = blur_choose(face, symbols, out);
    places_finish(face, symbols, frame, out);
}

/* Brightness along the depth of a side, from its edge inward, by half millimetres. */
#define DEPTH_STEPS 18

static void depth_profile(const struct face *face, const struct cardstyle *style, int side,
                          float profile[DEPTH_STEPS])
{
    double half = style->size_mm / 2, ticks = (CARD_LEVELS / 2.0 + 0.5) * style->tick_pitch_mm;
    double end = half - 8; /* clear of the next side's frame */
    int low = face_index(face, ticks), high = face_index(face, end);
    for (int d = 0; d < DEPTH_STEPS; d++) {
        double deep = (half - 0.5 * (d + 0.5)) * face->px_per_mm + face->side / 2.0 - 0.5;
        int whole = (int)deep;
        float part = (float)(deep - whole), sum = 0;
        int count = 0;
        for (int way = 0; way < 2; way++)
            for (int t = low; t <= high; t++) {
                int along = way ? t : face->side - 1 - t;
                int near = side < 2 ? whole : face->side - 1 - whole;
                int next = near + (side < 2 ? 1 : -1);
                int a = side % 2 ? near * face->side + along : along * face->side + near;
                int b = side % 2 ? next * face->side + along : along * face->side + next;
                sum += face->luma[a] + part * (face->luma[b] - face->luma[a]);
                count++;
            }
        profile[d] = count ? sum / (float)count : 0;
    }
}

int vision_face_back_sides(const struct face *face, const struct cardstyle *style)
{
    int sides = 0;
    for (int side = 0; side < 4; side++) {
        float profile[DEPTH_STEPS], best = 0;
        depth_profile(face, style, side, profile);
        for (int i = 3; i + 3 < DEPTH_STEPS; i++) {
            float before = profile[i], after = profile[i];
            for (int j = i > 6 ? i - 6 : 0; j < i; j++)
                before = fminf(before, profile[j]);
            for (int j = i + 1; j < DEPTH_STEPS && j <= i + 6; j++)
                after = fminf(after, profile[j]);
            float rise = profile[i] - fmaxf(before, after);
            best = fmaxf(best, rise);
        }
        sides += best > 0.06f;
    }
    return sides;
}
