/* pubsub/display_grid.c: cards, layouts and ramps in characters. */
#include "pubsub/display_parts.h"

#include "calib/symbol.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* From this on a cell has room for its symbol's own shape. */
#define SHAPE_COLS 8
#define GRID_SIDE_MAX 10
#define DIGITS 5 /* rows of a large figure */

/* A character is about twice as high as it is wide. */
static const struct scale scales[] = {{12, 6}, {10, 5}, {8, 4}, {6, 3}, {4, 2}, {2, 1}, {1, 1}};

#define SCALES (sizeof scales / sizeof scales[0])

struct scale pubsub_display_scale(int across, int down, int cols, int rows)
{
    for (size_t i = 0; i < SCALES; i++)
        if (scales[i].cols * across <= cols && scales[i].rows * down <= rows)
            return scales[i];
    return scales[SCALES - 1];
}

/* ---- symbols ---- */

/* The nearest sign that fonts have, by the symbol's name; else its letter. */
static wchar_t sign_of(const struct symbol *symbol)
{
    static const struct {
        const char *name;
        wchar_t sign;
    } signs[] = {
        {"star", L'★'},   {"petals", L'✿'},  {"saltire", L'✕'}, {"ring", L'○'},
        {"square", L'■'}, {"diamond", L'◆'}, {"cross", L'✚'},   {"sail", L'▲'},
        {"jetty", L'≡'},  {"buoy", L'●'},    {"net", L'◇'},
    };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strcmp(signs[i].name, symbol->name) == 0)
            return signs[i].sign;
    return (wchar_t)symbol->label;
}

/* Which of a character's four quarters the symbol's ink covers, as bits: top left, top right,
 * bottom left, bottom right. The cell is `inner` by `rows` characters. */
static int quarters(const struct symbol *symbol, int inner, int rows, int x, int y)
{
    int bits = 0;

    for (int q = 0; q < 4; q++) {
        int right = q & 1, lower = q >> 1;
        double u = (2 * x + right + 0.5) / (2.0 * inner) - 0.5;
        double v = (2 * y + lower + 0.5) / (2.0 * rows) - 0.5;
        /* A little larger than it is printed: the rim that a card has is blank here anyway. */
        if (calib_symbol_at(symbol, 0, u * 0.92, v * 0.92) == 2)
            bits |= 1 << q;
    }
    return bits;
}

static wchar_t quarters_sign(int bits)
{
    static const wchar_t signs[16] = L" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█";

    return signs[bits];
}

static void shape_put(struct screen *screen, int row, int col, struct scale scale,
                      const struct symbol *symbol, unsigned look)
{
    int inner = scale.cols - 1;

    for (int y = 0; y < scale.rows; y++)
        for (int x = 0; x < inner; x++) {
            int bits = quarters(symbol, inner, scale.rows, x, y);
            wchar_t sign = quarters_sign(bits);
            if (screen->ascii)
                sign = bits ? (wchar_t)symbol->label : L' ';
            pubsub_screen_fill(screen, row + y, col + x, 1, look, sign);
        }
}

/* The edges of a wrong cell. In the smallest there is room for one mark only. */
static void wrong_put(struct screen *screen, int row, int col, struct scale scale, unsigned look)
{
    for (int y = 0; y < scale.rows; y++) {
        if (scale.cols > 2)
            pubsub_screen_fill(screen, row + y, col, 1, look, L'!');
        pubsub_screen_fill(screen, row + y, col + scale.cols - (scale.cols > 2 ? 2 : 1), 1, look,
                           L'!');
    }
}

static void cell_put(const struct display *display, struct screen *screen, int row, int col,
                     struct scale scale, char label, bool wrong)
{
    const struct blockset *set = display->kit.set;
    int index = set ? calib_blockset_find(set, label) : -1;
    int inner = scale.cols > 1 ? scale.cols - 1 : 1;
    unsigned look = index >= 0 ? PAINT_SYMBOL + (unsigned)index : PAINT_PLAIN;

    if (wrong)
        look = PAINT_BAD | LOOK_REVERSE | LOOK_BOLD;
    if (index >= 0 && scale.cols >= SHAPE_COLS)
        shape_put(screen, row, col, scale, &set->symbol[index], look);
    else
        for (int y = 0; y < scale.rows; y++)
            pubsub_screen_fill(screen, row + y, col, inner, look,
                               index < 0 || screen->ascii ? (wchar_t)(unsigned char)label
                                                          : sign_of(&set->symbol[index]));
    if (wrong)
        wrong_put(screen, row, col, scale, look);
}

/* ---- grids ---- */

void pubsub_display_grid_size(const char *grid, int *across, int *down)
{
    int col = 0;

    *across = 0;
    *down = 1;
    for (; *grid; grid++) {
        col = *grid == '/' ? 0 : col + 1;
        *down += *grid == '/';
        if (col > *across)
            *across = col;
    }
}

static bool is_wrong(const json_t *wrong, int row, int col)
{
    for (size_t i = 0; i < json_array_size(wrong); i++) {
        const json_t *place = json_array_get(wrong, i);
        if (json_integer_value(json_array_get(place, 0)) == row &&
            json_integer_value(json_array_get(place, 1)) == col)
            return true;
    }
    return false;
}

/* Layouts may be longer than cards are: a smaller scale then; false when none is small enough. */
static bool scale_fit(const struct box *box, const char *grid, struct scale *scale)
{
    int across, down;

    pubsub_display_grid_size(grid, &across, &down);
    if (across * scale->cols > box->cols || down * scale->rows > box->rows)
        *scale = pubsub_display_scale(across, down, box->cols, box->rows);
    return across * scale->cols <= box->cols && down * scale->rows <= box->rows;
}

void pubsub_display_grid(const struct display *display, struct screen *screen,
                         const struct box *box, struct scale scale, const char *grid,
                         const json_t *wrong)
{
    int y = 0, x = 0;

    if (!scale_fit(box, grid, &scale)) {
        pubsub_screen_put(screen, box->row, box->col, box->cols, PAINT_PLAIN, grid);
        return;
    }
    for (; *grid; grid++) {
        if (*grid == '/') {
            y++;
            x = 0;
            continue;
        }
        /* A hole may be wrong, too: a cell is missing there. */
        bool bad = is_wrong(wrong, y, x);
        if (*grid != '.' || bad)
            cell_put(display, screen, box->row + y * scale.rows, box->col + x * scale.cols, scale,
                     *grid == '.' ? ' ' : *grid, bad);
        x++;
    }
}

/* ---- what lies on no grid ---- */

/* Where a cell lies, in cells, as the player of that seat sees it: `up` points to the top. */
struct spot {
    double x, y;
};

static bool spot_of(const struct mat *mat, int64_t seat, double pitch_mm, const json_t *cell,
                    struct spot *out)
{
    const json_t *center = json_object_get(cell, "center_mm");
    double x = json_number_value(json_array_get(center, 0)) / pitch_mm;
    double y = json_number_value(json_array_get(center, 1)) / pitch_mm;

    for (int i = 0; mat && json_array_size(center) == 2 && i < mat->seats; i++)
        if (mat->seat[i].seat == seat) {
            const double *up = mat->seat[i].up;
            *out = (struct spot){-up[1] * x + up[0] * y, -up[0] * x - up[1] * y};
            return true;
        }
    return false;
}

bool pubsub_display_cells(const struct display *display, struct screen *screen,
                          const struct box *box, struct scale scale, const json_t *reading)
{
    const json_t *cells = json_object_get(reading, "cells");
    int64_t seat = pubsub_display_whole(reading, "seat");
    double pitch_mm = display->kit.set ? display->kit.set->width_mm : 1;
    struct spot corner = {1e9, 1e9}, spot;
    bool any = false;

    for (size_t i = 0; i < json_array_size(cells); i++)
        if (spot_of(display->kit.mat, seat, pitch_mm, json_array_get(cells, i), &spot)) {
            corner.x = spot.x < corner.x ? spot.x : corner.x;
            corner.y = spot.y < corner.y ? spot.y : corner.y;
            any = true;
        }
    for (size_t i = 0; any && i < json_array_size(cells); i++) {
        const json_t *cell = json_array_get(cells, i);
        if (!spot_of(display->kit.mat, seat, pitch_mm, cell, &spot))
            continue;
        double col = (spot.x - corner.x) * scale.cols, row = (spot.y - corner.y) * scale.rows;
        /* One that lies apart may fall outside of what there is room for. */
        if (col < box->cols - scale.cols + 1 && row < box->rows - scale.rows + 0.5)
            cell_put(display, screen, box->row + (int)(row + 0.5), box->col + (int)(col + 0.5),
                     scale, pubsub_display_text(cell, "symbol")[0], false);
    }
    return any;
}

/* ---- the ramp ---- */

static unsigned disc_look(const struct display *display, char label)
{
    const struct ramp *ramp = display->kit.ramp;

    for (int i = 0; ramp && i < ramp->colours && i < PAINTS - PAINT_DISC; i++)
        if (ramp->colour[i].label == label)
            return PAINT_DISC + (unsigned)i;
    return PAINT_PLAIN;
}

/* A disc is its colour's letter; the one that was placed last stands between marks, or is a capital
 * where there is no room for them. */
static void disc_put(const struct display *display, struct screen *screen, int row, int col,
                     struct scale scale, char label, bool last)
{
    unsigned look = disc_look(display, label);
    int inner = scale.cols > 1 ? scale.cols - 1 : 1;
    wchar_t sign = (wchar_t)(unsigned char)label;

    if (label == '.')
        sign = screen->ascii ? L'.' : L'·';
    for (int y = 0; y < scale.rows; y++) {
        if (label == '.' && y > 0)
            break;
        pubsub_screen_fill(screen, row + y, label == '.' ? col + inner / 2 : col,
                           label == '.' ? 1 : inner, look | (last ? LOOK_BOLD : 0), sign);
        if (last)
            pubsub_screen_fill(screen, row + y, col + inner, scale.cols > 1, LOOK_BOLD, L'<');
    }
}

static void ramp_row_put(const struct display *display, struct screen *screen, int row, int col,
                         struct scale scale, const json_t *make5, int place)
{
    const char *discs = json_string_value(
        json_array_get(json_object_get(make5, "rows_from_bottom"), (size_t)place));
    const json_t *last = json_object_get(make5, "last");
    int64_t points =
        json_integer_value(json_array_get(json_object_get(make5, "points_by_row"), (size_t)place));
    char text[24];

    for (int track = 0; discs && discs[track] && track < GRID_SIDE_MAX; track++)
        disc_put(display, screen, row, col + track * scale.cols, scale, discs[track],
                 json_integer_value(json_array_get(last, 0)) == place + 1 &&
                     json_integer_value(json_array_get(last, 1)) == track + 1);
    snprintf(text, sizeof text, "%" PRId64, points);
    pubsub_screen_put(screen, row, col + 5 * scale.cols + 1, 3,
                      points ? LOOK_BOLD : (unsigned)PAINT_QUIET, text);
}

void pubsub_display_ramp(const struct display *display, struct screen *screen,
                         const struct box *box, const json_t *make5)
{
    int rows = (int)json_array_size(json_object_get(make5, "rows_from_bottom"));
    struct scale scale = pubsub_display_scale(5, rows > 0 ? rows : 1, box->cols - 4, box->rows - 1);
    char number[8];

    if (rows > GRID_SIDE_MAX)
        rows = GRID_SIDE_MAX;
    for (int i = 0; i < rows; i++)
        ramp_row_put(display, screen, box->row + (rows - 1 - i) * scale.rows, box->col, scale,
                     make5, i);
    for (int track = 1; track <= 5 && rows > 0; track++) {
        snprintf(number, sizeof number, "%d", track);
        pubsub_screen_put(screen, box->row + rows * scale.rows,
                          box->col + (track - 1) * scale.cols + (scale.cols - 1) / 2, 1,
                          PAINT_QUIET, number);
    }
}

/* ---- large figures ---- */

void pubsub_display_digits(struct screen *screen, int row, int col, unsigned look, int64_t number)
{
    /* Three columns by five rows, a bit each, from the top left. */
    static const unsigned short shapes[10] = {075557, 026227, 071747, 071717, 055711,
                                              074717, 074757, 071111, 075757, 075717};
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, number);
    for (const char *c = text; *c; c++, col += 4)
        for (int bit = 0; bit < 3 * DIGITS && *c >= '0' && *c <= '9'; bit++)
            if (shapes[*c - '0'] & (1 << (14 - bit)))
                pubsub_screen_fill(screen, row + bit / 3, col + bit % 3, 1, look,
                                   screen->ascii ? L'#' : L'█');
}
