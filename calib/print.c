/* Sheets: paper, feet, and pictures larger than one sheet. */
#include "calib/print_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME_MM 0.5 /* paper this near to a picture's size is its own sheet */
#define MARK_GAP_MM 1.0
#define MARK_MM 3.5
#define FOOT_INSET_MM 4.0 /* beside the lower cut marks */
#define MAP_MM 9.0

static const struct paper papers[] = {
    {"a4", {210, 297}},    {"letter", {215.9, 279.4}}, {"a3", {297, 420}},
    {"a2", {420, 594}},    {"a1", {594, 841}},         {"a0", {841, 1189}},
    {"a5", {148, 210}},    {"legal", {215.9, 355.6}},  {"tabloid", {279.4, 431.8}},
    {"whole", {0.0, 0.0}},
};

#define PAPERS (int)(sizeof papers / sizeof papers[0])

bool calib_paper_find(const char *name, struct paper *out)
{
    for (int i = 0; i < PAPERS; i++) {
        if (strcmp(name, papers[i].name) == 0) {
            *out = papers[i];
            return true;
        }
    }
    return false;
}

const char *calib_paper_name(int index)
{
    return index >= 0 && index < PAPERS ? papers[index].name : NULL;
}

static bool is_whole(const struct paper *paper)
{
    return !(paper->size_mm[0] > 0.0);
}

void calib_sheet_foot(cairo_t *page, const double page_mm[2], const struct sheet_name *name)
{
    double left = PRINT_MARGIN_MM + FOOT_INSET_MM;
    double top = page_mm[1] - PRINT_MARGIN_MM - PRINT_FOOT_MM + 1.5;
    double x = left + PAINT_RULER_WIDTH_MM + 4.0,
           room = page_mm[0] - PRINT_MARGIN_MM - (name->of > 1 ? MAP_MM + 2.0 : 0.0) - x;
    char part[64];

    calib_paint_ruler(page, left, top);
    if (room < 10.0) { /* a narrow sheet: the ruler matters more */
        return;
    }
    cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
    calib_paint_text(page, x, top + 2.6, 3.0, 0.0, room, true, name->what);
    if (name->of > 1) {
        (void)snprintf(part, sizeof part, "sheet %d of %d", name->number, name->of);
        calib_paint_text(page, x, top + 5.8, 2.6, 0.0, room, false, part);
    }
    if (name->hint) {
        calib_paint_text(page, x, top + 8.6, 2.1, 0.0, room, false, name->hint);
    }
}

/* The part of a sheet that takes pictures. */
static void content_of(const double page_mm[2], double content[4])
{
    content[0] = content[1] = PRINT_MARGIN_MM;
    content[2] = page_mm[0] - 2.0 * PRINT_MARGIN_MM;
    content[3] = page_mm[1] - 2.0 * PRINT_MARGIN_MM - PRINT_FOOT_MM;
}

static void page_lay(const struct paper *paper, bool across, double page_mm[2])
{
    page_mm[0] = paper->size_mm[across];
    page_mm[1] = paper->size_mm[!across];
}

/* ---- one picture ---- */

/* A sheet of the picture's own size; with a foot below it when it has no ruler of its own. */
static int whole_print(struct press *press, const struct sheet_picture *picture)
{
    const double *size = picture->size_mm;
    double edge = picture->ruled ? 0.0 : PRINT_MARGIN_MM;
    const double page_mm[2] = {fmax(size[0] + 2.0 * edge, picture->ruled ? 0.0 : 120.0),
                               size[1] + (picture->ruled ? 0.0 : 2.0 * edge + PRINT_FOOT_MM)};
    const struct sheet_name name = {picture->name, NULL, 1, 1};
    const double cut[4] = {edge, edge, size[0], size[1]};
    cairo_t *page = calib_press_page(press, page_mm[0], page_mm[1]);

    if (!page) {
        return CALIB_OK; /* the press says why when it is finished */
    }
    cairo_save(page);
    cairo_translate(page, edge, edge);
    int error = picture->paint(page, picture->what);
    cairo_restore(page);
    if (!picture->ruled) {
        calib_paint_cuts(page, cut, MARK_GAP_MM, MARK_MM);
        calib_sheet_foot(page, page_mm, &name);
    }
    return error;
}

/* How a picture lies over sheets. */
struct tiling {
    double page_mm[2], content[4], step_mm[2], shift_mm[2];
    int cols, rows;
};

static int sheets_along(double size, double content, double overlap)
{
    return size <= content ? 1 : (int)ceil((size - overlap) / (content - overlap) - 1e-9);
}

static bool tiling_make(const struct sheet_picture *picture, const struct print_options *options,
                        bool across, struct tiling *out)
{
    page_lay(&options->paper, across, out->page_mm);
    content_of(out->page_mm, out->content);
    if (out->content[2] < 2.0 * options->overlap_mm + 20.0 ||
        out->content[3] < 2.0 * options->overlap_mm + 20.0) {
        return false;
    }
    out->cols = sheets_along(picture->size_mm[0], out->content[2], options->overlap_mm);
    out->rows = sheets_along(picture->size_mm[1], out->content[3], options->overlap_mm);
    for (int axis = 0; axis < 2; axis++) {
        double spare = out->content[2 + axis] - picture->size_mm[axis];
        out->step_mm[axis] = out->content[2 + axis] - options->overlap_mm;
        /* what needs one sheet that way lies in its middle */
        out->shift_mm[axis] = spare > 0.0 ? spare / 2.0 : 0.0;
    }
    return true;
}

/* Where this sheet lies among the others. */
static void map_paint(cairo_t *page, const struct tiling *tiling, int col, int row)
{
    double cell = MAP_MM / fmax(tiling->cols, tiling->rows);
    double left = tiling->page_mm[0] - PRINT_MARGIN_MM - tiling->cols * cell;
    double top = tiling->page_mm[1] - PRINT_MARGIN_MM - MAP_MM;

    cairo_save(page);
    cairo_set_line_width(page, 0.15);
    cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
    for (int i = 0; i < tiling->cols * tiling->rows; i++) {
        int at_col = i % tiling->cols, at_row = i / tiling->cols;
        cairo_rectangle(page, left + at_col * cell, top + at_row * cell, cell, cell);
    }
    cairo_stroke(page);
    cairo_rectangle(page, left + col * cell, top + row * cell, cell, cell);
    cairo_fill(page);
    cairo_restore(page);
}

/* Ticks in the margins where the strip begins that the next sheet has too. */
static void strips_paint(cairo_t *page, const struct tiling *tiling, const double cut[4], int col,
                         int row)
{
    cairo_save(page);
    cairo_set_source_rgb(page, 0.5, 0.5, 0.5);
    cairo_set_line_width(page, 0.15);
    if (col < tiling->cols - 1) {
        double x = tiling->content[0] + tiling->step_mm[0];
        cairo_move_to(page, x, cut[1] - MARK_GAP_MM);
        cairo_rel_line_to(page, 0.0, -MARK_MM / 2.0);
        cairo_move_to(page, x, cut[1] + cut[3] + MARK_GAP_MM / 2.0);
        cairo_rel_line_to(page, 0.0, MARK_GAP_MM);
    }
    if (row < tiling->rows - 1) {
        double y = tiling->content[1] + tiling->step_mm[1];
        cairo_move_to(page, cut[0] - MARK_GAP_MM, y);
        cairo_rel_line_to(page, -MARK_MM / 2.0, 0.0);
        cairo_move_to(page, cut[0] + cut[2] + MARK_GAP_MM, y);
        cairo_rel_line_to(page, MARK_MM / 2.0, 0.0);
    }
    cairo_stroke(page);
    cairo_restore(page);
}

static int tile_paint(cairo_t *page, const struct sheet_picture *picture,
                      const struct tiling *tiling, int col, int row)
{
    const double *content = tiling->content;
    double x = content[0] + tiling->shift_mm[0] - col * tiling->step_mm[0];
    double y = content[1] + tiling->shift_mm[1] - row * tiling->step_mm[1];
    double left = fmax(content[0], x), top = fmax(content[1], y);
    const double cut[4] = {left, top, fmin(content[0] + content[2], x + picture->size_mm[0]) - left,
                           fmin(content[1] + content[3], y + picture->size_mm[1]) - top};

    cairo_save(page);
    cairo_rectangle(page, cut[0], cut[1], cut[2], cut[3]);
    cairo_clip(page);
    cairo_translate(page, x, y);
    int error = picture->paint(page, picture->what);
    cairo_restore(page);
    calib_paint_cuts(page, cut, MARK_GAP_MM, MARK_MM);
    strips_paint(page, tiling, cut, col, row);
    return error;
}

static int tiles_print(struct press *press, const struct sheet_picture *picture,
                       const struct tiling *tiling)
{
    int sheets = tiling->cols * tiling->rows;

    for (int i = 0; i < sheets; i++) {
        int col = i % tiling->cols, row = i / tiling->cols;
        const struct sheet_name name = {
            picture->name,
            sheets > 1
                ? "cut at the corner marks; right and below a strip goes under the next sheet"
                : NULL,
            i + 1, sheets};
        cairo_t *page = calib_press_page(press, tiling->page_mm[0], tiling->page_mm[1]);
        if (!page) {
            return CALIB_OK;
        }
        int error = tile_paint(page, picture, tiling, col, row);
        if (error) {
            return error;
        }
        calib_sheet_foot(page, tiling->page_mm, &name);
        if (sheets > 1) {
            map_paint(page, tiling, col, row);
        }
    }
    return CALIB_OK;
}

static bool is_sheet_of(const struct paper *paper, const double size_mm[2])
{
    double a = paper->size_mm[0], b = paper->size_mm[1];

    return (fabs(a - size_mm[0]) < SAME_MM && fabs(b - size_mm[1]) < SAME_MM) ||
           (fabs(b - size_mm[0]) < SAME_MM && fabs(a - size_mm[1]) < SAME_MM);
}

int calib_sheet_print(struct press *press, const struct sheet_picture *picture,
                      const struct print_options *options)
{
    struct tiling upright, across;

    if (is_whole(&options->paper) ||
        (picture->ruled && is_sheet_of(&options->paper, picture->size_mm))) {
        return whole_print(press, picture);
    }
    if (!(options->overlap_mm >= 0.0 && options->overlap_mm <= PRINT_OVERLAP_MAX_MM) ||
        !tiling_make(picture, options, false, &upright) ||
        !tiling_make(picture, options, true, &across)) {
        return CALIB_E_GEOMETRY;
    }
    bool fewer = across.cols * across.rows < upright.cols * upright.rows;
    return tiles_print(press, picture, fewer ? &across : &upright);
}

/* ---- many things ---- */

static bool array_make(const double page_mm[2], const double size_mm[2], double gap_mm,
                       struct print_array *out)
{
    double content[4];

    content_of(page_mm, content);
    for (int axis = 0; axis < 2; axis++) {
        int count = (int)floor((content[2 + axis] + gap_mm) / (size_mm[axis] + gap_mm) + 1e-9);
        double used = count * (size_mm[axis] + gap_mm) - gap_mm;
        if (count < 1) {
            return false;
        }
        *(axis == 0 ? &out->cols : &out->rows) = count;
        out->page_mm[axis] = page_mm[axis];
        out->pitch_mm[axis] = size_mm[axis] + gap_mm;
        out->origin_mm[axis] = content[axis] + (content[2 + axis] - used) / 2.0;
    }
    return true;
}

int calib_print_array(const struct paper *paper, const double size_mm[2], double gap_mm,
                      struct print_array *out)
{
    struct print_array across;
    double page_mm[2];

    page_lay(paper, false, page_mm);
    bool fits = array_make(page_mm, size_mm, gap_mm, out);
    page_lay(paper, true, page_mm);
    if (array_make(page_mm, size_mm, gap_mm, &across) &&
        (!fits || across.cols * across.rows > out->cols * out->rows)) {
        *out = across;
        fits = true;
    }
    return fits ? CALIB_OK : CALIB_E_GEOMETRY;
}

void calib_array_place(const struct print_array *array, int index, double place_mm[2])
{
    int col = index % array->cols, row = index / array->cols;

    place_mm[0] = array->origin_mm[0] + col * array->pitch_mm[0];
    place_mm[1] = array->origin_mm[1] + row * array->pitch_mm[1];
}
