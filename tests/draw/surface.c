#include "tests/draw/surface.h"

#include "calib/symbol.h"
#include "tests/draw/mat_print.h"
#include "tests/draw/vec.h"

#include <stdlib.h>
#include <string.h>

#define CELL_LEVELS 5
#define CELL_SIDE 128 /* px, of the first level: finer than any cell in a picture */
#define CARD_CORNER_MM 3.0

/* A symbol at several sizes: bytes of coverage, ink after field. */
struct cell_map {
    uint8_t *field[CELL_LEVELS], *ink[CELL_LEVELS];
};

struct draw_surface {
    struct draw_kit kit;
    struct mat_print print;
    struct cell_map block[BLOCKSET_SYMBOLS_MAX], card[BLOCKSET_SYMBOLS_MAX];
    float linear[256];
    float field[BLOCKSET_SYMBOLS_MAX][3], ink[BLOCKSET_SYMBOLS_MAX][3];
};

static int cell_side(int level)
{
    return CELL_SIDE >> level;
}

static int cell_draw(struct cell_map *map, const struct symbol *symbol, double rim)
{
    size_t most = (size_t)CELL_SIDE * CELL_SIDE;
    float *cover = malloc(2 * most * sizeof *cover);
    if (cover == NULL) {
        return -1;
    }
    int result = 0;
    for (int level = 0; level < CELL_LEVELS && result == 0; level++) {
        size_t count = (size_t)cell_side(level) * (size_t)cell_side(level);
        map->field[level] = malloc(2 * count);
        if (map->field[level] == NULL) {
            result = -1;
            break;
        }
        map->ink[level] = map->field[level] + count;
        calib_symbol_draw(symbol, rim, cell_side(level), 4, cover, cover + most);
        for (size_t i = 0; i < count; i++) {
            map->field[level][i] = (uint8_t)lroundf(cover[i] * 255.0f);
            map->ink[level][i] = (uint8_t)lroundf(cover[most + i] * 255.0f);
        }
    }
    free(cover);
    return result;
}

static void rgb_linear(struct rgb8 rgb, float out[3])
{
    out[0] = (float)calib_srgb_to_linear(rgb.r);
    out[1] = (float)calib_srgb_to_linear(rgb.g);
    out[2] = (float)calib_srgb_to_linear(rgb.b);
}

static int surface_fill(struct draw_surface *surface)
{
    const struct blockset *set = surface->kit.set;
    for (int i = 0; i < 256; i++) {
        surface->linear[i] = (float)calib_srgb_to_linear((unsigned char)i);
    }
    for (int i = 0; i < set->symbols; i++) {
        rgb_linear(set->symbol[i].field, surface->field[i]);
        rgb_linear(set->symbol[i].ink, surface->ink[i]);
        if (cell_draw(&surface->block[i], &set->symbol[i], set->rim) != 0 ||
            cell_draw(&surface->card[i], &set->symbol[i], surface->kit.style->rim) != 0) {
            return -1;
        }
    }
    const struct draw_sheet *sheet = surface->kit.sheet;
    return sheet != NULL ? mat_print_take(surface->kit.mat, sheet->rgb, sheet->width, sheet->height,
                                          &surface->print)
                         : mat_print_draw(surface->kit.mat, surface->kit.board, &surface->print);
}

struct draw_surface *draw_surface_create(const struct draw_kit *kit)
{
    struct draw_surface *surface = calloc(1, sizeof *surface);
    if (surface == NULL) {
        return NULL;
    }
    surface->kit = *kit;
    if (surface_fill(surface) != 0) {
        draw_surface_destroy(&surface);
    }
    return surface;
}

void draw_surface_destroy(struct draw_surface **surface)
{
    if (surface == NULL || *surface == NULL) {
        return;
    }
    for (int i = 0; i < BLOCKSET_SYMBOLS_MAX; i++) {
        for (int level = 0; level < CELL_LEVELS; level++) {
            free((*surface)->block[i].field[level]);
            free((*surface)->card[i].field[level]);
        }
    }
    mat_print_free(&(*surface)->print);
    free(*surface);
    *surface = NULL;
}

/* Where a coordinate falls between two pixels of `side`. */
static int between(double at, int side, double *part)
{
    at = draw_clamp(at - 0.5, 0.0, side - 1.0);
    int low = (int)at;
    if (low > side - 2) {
        low = side - 2;
    }
    *part = at - low;
    return low;
}

/* Is a place of the sheet within a tag's square or the white around it? */
static bool near_tag(const struct mat *mat, double x, double y)
{
    for (int i = 0; i < mat->tags; i++) {
        double half = mat->tag[i].size_mm * 0.625; /* a module of white on each side */
        if (fabs(x - mat->tag[i].center_mm[0]) < half &&
            fabs(y - mat->tag[i].center_mm[1]) < half) {
            return true;
        }
    }
    return false;
}

/* A ramp's board at a place: wood, or of a groove its wall or floor, with softened edges. */
static void board_colour(const struct draw_board *board, double x, double y, double px_mm,
                         float out[3])
{
    double in = -1e9, soft = fmax(px_mm, 0.6);
    for (int i = 0; i < board->tracks; i++) {
        in = fmax(in, board->half_mm - fabs(x - board->track_mm[i]));
    }
    in = fmin(in, fmin(y - board->top_mm, board->bottom_mm - y));
    double groove = draw_clamp(in / soft + 0.5, 0.0, 1.0);
    double wall = board->half_mm - board->floor_half_mm;
    double floor = draw_clamp((in - wall) / soft + 0.5, 0.0, 1.0);
    double fibre = draw_noise(x, y / 14.0, 0.8, board->seed) - 0.5;
    double cloud = draw_noise(x, y, 40.0, board->seed + 1) - 0.5;
    double shade = 1.0 + board->grain * (fibre + cloud);
    for (int k = 0; k < 3; k++) {
        double deep = board->wall[k] + (board->floor[k] - board->wall[k]) * floor;
        out[k] = (float)(shade * (board->wood[k] + (deep - board->wood[k]) * groove));
    }
}

static void paper_colour(const struct draw_surface *surface, const struct draw_scene *scene,
                         double x, double y, double px_mm, float out[3])
{
    const struct mat_print *print = &surface->print;
    double scale = print->px_per_mm, size = px_mm * scale, fx, fy;
    int level = 0;
    while (size > 1.5 && level < print->levels - 1) {
        size /= 2.0;
        scale /= 2.0;
        level++;
    }
    int w = print->width[level];
    int left = between(x * scale, w, &fx), top = between(y * scale, print->height[level], &fy);
    const uint8_t *at = print->rgb[level] + 3 * ((size_t)top * (size_t)w + (size_t)left);
    for (int k = 0; k < 3; k++) {
        double a = surface->linear[at[k]], b = surface->linear[at[k + 3]];
        double c = surface->linear[at[k + 3 * w]], d = surface->linear[at[k + 3 * w + 3]];
        double upper = a + (b - a) * fx, lower = c + (d - c) * fx;
        out[k] = (float)((upper + (lower - upper) * fy) * scene->mat_white[k]);
    }
}

void draw_surface_mat(const struct draw_surface *surface, const struct draw_scene *scene, double x,
                      double y, double px_mm, float out[3])
{
    if (scene->board == NULL || near_tag(scene->kit.mat, x, y)) {
        paper_colour(surface, scene, x, y, px_mm, out);
    } else {
        board_colour(scene->board, x, y, px_mm, out);
    }
}

static double map_at(const uint8_t *map, int side, int left, int top, double fx, double fy)
{
    const uint8_t *at = map + top * side + left;
    double upper = at[0] + (at[1] - at[0]) * fx;
    double lower = at[side] + (at[side + 1] - at[side]) * fx;
    return (upper + (lower - upper) * fy) / 255.0;
}

static void cell_colour(const struct draw_surface *surface, const struct cell_map *map, int symbol,
                        double u, double v, double cell_px, const double white[3], float out[3])
{
    int level = 0;
    while (level < CELL_LEVELS - 1 && cell_side(level) > 1.5 * cell_px) {
        level++;
    }
    int side = cell_side(level);
    double fx, fy;
    int left = between((u + 0.5) * side, side, &fx), top = between((v + 0.5) * side, side, &fy);
    double field = map_at(map->field[level], side, left, top, fx, fy);
    double ink = map_at(map->ink[level], side, left, top, fx, fy);
    for (int k = 0; k < 3; k++) {
        /* The white of the symbol is the block's own or printed on it: both age alike. */
        double own = surface->ink[symbol][k] > 0.9f ? white[k] : surface->ink[symbol][k];
        out[k] = (float)(white[k] * (1.0 - field) + surface->field[symbol][k] * (field - ink) +
                         own * ink);
    }
}

void draw_surface_cell(const struct draw_surface *surface, int symbol, double u, double v,
                       double cell_px, const double white[3], float out[3])
{
    cell_colour(surface, &surface->block[symbol], symbol, u, v, cell_px, white, out);
}

void draw_surface_end(const struct draw_scene *scene, int pips, double u, double v, float out[3])
{
    static const signed char place[5][2] = {{-1, -1}, {1, 1}, {1, -1}, {-1, 1}, {0, 0}};
    bool white = fabs(u) > 0.44 || fabs(v) > 0.44;
    for (int i = 0; i < 5 && !white; i++) {
        /* Odd numbers have the middle one; the others come in pairs. */
        bool shown = i == 4 ? pips % 2 == 1 : i < pips - pips % 2;
        white = shown && hypot(u - 0.24 * place[i][0], v - 0.24 * place[i][1]) < 0.075;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = (float)(white ? scene->block_white[k] : scene->end_grey);
    }
}

/* Is the point on one of the card's level marks? x along the edge, depth from it. */
static bool card_tick(const struct cardstyle *style, int level, double x, double depth,
                      double border)
{
    if (depth < style->tick_inset_mm || depth > border - style->tick_inset_mm) {
        return false;
    }
    for (int i = 0; i < level; i++) {
        double at = (i - (level - 1) / 2.0) * style->tick_pitch_mm;
        if (fabs(x - at) < style->tick_width_mm / 2.0) {
            return true;
        }
    }
    return false;
}

static int card_back(const struct cardstyle *style, double x, double y, double half, float out[3])
{
    double edge = half - fmax(fabs(x), fabs(y));
    bool frame = edge > 2.5 && edge < 3.5;
    rgb_linear(frame ? (struct rgb8){214, 210, 198} : style->back, out);
    if (!frame && (int)floor((x - y) / 5.0 + 1000.0) % 2 == 0) {
        for (int k = 0; k < 3; k++) {
            out[k] = out[k] * 1.6f + 0.01f;
        }
    }
    return frame ? 2 : 1;
}

static int card_cell(const struct draw_surface *surface, const struct draw_card *card, double x,
                     double y, double px_mm, float out[3])
{
    static const double white[3] = {0.94, 0.94, 0.93};
    const struct grid *grid = &card->card.grid;
    double cell = surface->kit.style->cell_mm;
    double col = x / cell + grid->cols / 2.0, row = y / cell + grid->rows / 2.0;
    int c = (int)floor(col), r = (int)floor(row);
    if (c < 0 || r < 0 || c >= grid->cols || r >= grid->rows || grid->cell[r][c] == GRID_HOLE) {
        return -1;
    }
    int symbol = calib_blockset_find(surface->kit.set, grid->cell[r][c]);
    if (symbol < 0) {
        return -1;
    }
    cell_colour(surface, &surface->card[symbol], symbol, col - c - 0.5, row - r - 0.5, cell / px_mm,
                white, out);
    return 10 + r * GRID_SIDE_MAX + c;
}

int draw_surface_card(const struct draw_surface *surface, const struct draw_scene *scene,
                      const struct draw_card *card, double x, double y, double px_mm, float out[3])
{
    const struct cardstyle *style = surface->kit.style;
    (void)scene;
    /* A card printed smaller has everything in proportion. */
    double scale = style->size_mm / card->size_mm, half = style->size_mm / 2.0;
    x *= scale;
    y *= scale;
    if (!card->face_up) {
        return card_back(style, x, y, half, out);
    }
    int level = card->card.level >= 1 && card->card.level <= CARD_LEVELS ? card->card.level : 1;
    rgb_linear(style->border[level], out);
    double inner = half - style->border_mm, corner = style->corner_mm;
    double dx = fabs(x) - inner + corner, dy = fabs(y) - inner + corner;
    if (hypot(fmax(dx, 0.0), fmax(dy, 0.0)) + fmin(fmax(dx, dy), 0.0) > corner) {
        double depth = half - fmax(fabs(x), fabs(y)), along = fabs(x) > fabs(y) ? y : x;
        if (card_tick(style, level, along, depth, style->border_mm)) {
            rgb_linear(style->tick, out);
            return 3;
        }
        return 4;
    }
    int part = card_cell(surface, card, x, y, px_mm * scale, out);
    if (part < 0) {
        const struct rgb8 *border = &style->border[level];
        double mix = style->panel_mix;
        rgb_linear((struct rgb8){(uint8_t)lround(255.0 - (255 - border->r) * mix),
                                 (uint8_t)lround(255.0 - (255 - border->g) * mix),
                                 (uint8_t)lround(255.0 - (255 - border->b) * mix)},
                   out);
        return 5;
    }
    return part;
}

double draw_noise(double x, double y, double size_mm, uint32_t seed)
{
    double gx = x / size_mm, gy = y / size_mm, fx = gx - floor(gx), fy = gy - floor(gy);
    uint32_t ix = (uint32_t)(int32_t)floor(gx), iy = (uint32_t)(int32_t)floor(gy);
    fx = fx * fx * (3.0 - 2.0 * fx);
    fy = fy * fy * (3.0 - 2.0 * fy);
    double a = draw_hash(ix, iy, seed) & 0xFFFF, b = draw_hash(ix + 1, iy, seed) & 0xFFFF;
    double c = draw_hash(ix, iy + 1, seed) & 0xFFFF, d = draw_hash(ix + 1, iy + 1, seed) & 0xFFFF;
    double upper = a + (b - a) * fx, lower = c + (d - c) * fx;
    return (upper + (lower - upper) * fy) / 65535.0;
}

static double wood_dark(const struct draw_table *table, double x, double y)
{
    double plank = floor(y / table->size_mm), in = y / table->size_mm - plank;
    uint32_t seed = table->seed + (uint32_t)(int32_t)plank;
    double bend = draw_noise(x / 12.0, y, 30.0, seed) * 50.0;
    double ring = (y + bend) / 8.5;
    ring -= floor(ring);
    double fibre = draw_noise(x / 30.0, y, 0.9, seed + 7);
    double seam = in < 0.008 || in > 0.992 ? 0.6 : 0.0;
    return draw_clamp(0.1 + 0.45 * ring * ring + 0.4 * fibre + seam, 0.0, 1.3);
}

void draw_surface_table(const struct draw_table *table, double x, double y, float out[3])
{
    double t = 0.0, shade = 1.0, size = table->size_mm;
    switch (table->kind) {
    case DRAW_TABLE_WOOD:
        t = wood_dark(table, x, y);
        break;
    case DRAW_TABLE_CLOTH:
        t = draw_noise(x, y, 0.9, table->seed) * draw_noise(x * 3.0, y, size, table->seed + 1) *
            1.5;
        shade = 0.9 + 0.2 * draw_noise(x, y, 60.0, table->seed + 2);
        break;
    case DRAW_TABLE_CHECK:
        t = ((int)floor(x / size + 4096.0) % 2 + (int)floor(y / size + 4096.0) % 2) / 2.0;
        shade = 0.9 + 0.15 * draw_noise(x, y, 1.2, table->seed);
        break;
    case DRAW_TABLE_STONE:
        t = 0.5 * draw_noise(x, y, size, table->seed) +
            0.3 * draw_noise(x, y, size / 4.0, table->seed + 1) +
            0.2 * draw_noise(x, y, 2.0, table->seed + 2);
        break;
    case DRAW_TABLE_PLAIN:
    case DRAW_TABLES:
        t = draw_noise(x, y, size, table->seed);
        break;
    }
    for (int k = 0; k < 3; k++) {
        double colour =
            table->colour[0][k] + (table->colour[1][k] - table->colour[0][k]) * fmin(t, 1.0);
        out[k] = (float)(colour * shade * (t > 1.0 ? 2.0 - t : 1.0));
    }
}
