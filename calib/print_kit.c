/* What the kit is printed on: mats, tags, boards, ramps, cards, blocks. */
#include "calib/print_sheet.h"

#include <math.h>
#include <stdio.h>

#define NAME_MAX_BYTES (KIT_NAME_MAX + 64)
#define TAG_LABEL_MM 8.0
#define TAG_GAP_MM 6.0
#define NET_GAP_MM 4.0
#define CUT_GAP_MM 0.4
#define CUT_MM 1.4 /* of cards: the marks of two neighbours share a gap */
#define PLAN_TEXT_MM 3.0
#define SOLUTION_CELL_MM 12.0
#define SOLUTION_COLS 4

/* Cards and nets have to lie on some sheet. */
static struct paper paper_real(const struct print_options *options)
{
    struct paper paper = options->paper;

    if (!(paper.size_mm[0] > 0.0)) {
        (void)calib_paper_find("a4", &paper);
    }
    return paper;
}

/* ---- pictures of one piece ---- */

static int mat_paint(cairo_t *page, const void *what)
{
    return calib_paint_mat(page, what);
}

int calib_print_mat(struct press *press, const struct mat *mat, const struct print_options *options)
{
    char name[NAME_MAX_BYTES];
    double place[2];
    const struct sheet_picture picture = {name,
                                          {mat->size_mm[0], mat->size_mm[1]},
                                          calib_paint_mat_ruler(mat, place),
                                          mat_paint,
                                          mat};

    (void)snprintf(name, sizeof name, "mat %s", mat->name);
    return calib_sheet_print(press, &picture, options);
}

struct board_sheet {
    const struct board *board;
    const struct blockset *set;
};

static int board_paint(cairo_t *page, const void *what)
{
    const struct board_sheet *sheet = what;

    return calib_paint_board(page, sheet->board, sheet->set);
}

int calib_print_board(struct press *press, const struct board *board, const struct blockset *set,
                      const struct print_options *options)
{
    char name[NAME_MAX_BYTES];
    const struct board_sheet sheet = {board, set};
    const struct sheet_picture picture = {
        name, {board->size_mm[0], board->size_mm[1]}, false, board_paint, &sheet};

    (void)snprintf(name, sizeof name, "board %s", board->name);
    return calib_sheet_print(press, &picture, options);
}

static int ramp_paint(cairo_t *page, const void *what)
{
    return calib_paint_ramp(page, what);
}

int calib_print_ramp(struct press *press, const struct ramp *ramp,
                     const struct print_options *options)
{
    char name[NAME_MAX_BYTES];
    const struct sheet_picture picture = {
        name, {ramp->board_mm[0], ramp->board_mm[1]}, false, ramp_paint, ramp};

    if (ramp->tilt_deg > 0.0) {
        (void)snprintf(name, sizeof name, "ramp %s, tilted by %g degrees", ramp->name,
                       ramp->tilt_deg);
    } else {
        (void)snprintf(name, sizeof name, "ramp %s, lies flat", ramp->name);
    }
    return calib_sheet_print(press, &picture, options);
}

/* ---- tags alone ---- */

static int tag_sheet(cairo_t *page, const struct mat *mat, const struct print_array *array,
                     int first, double edge_mm)
{
    for (int i = 0; i < array->cols * array->rows && first + i < mat->tags; i++) {
        const struct mat_tag *tag = &mat->tag[first + i];
        struct mat_tag here = *tag;
        double place[2], side = tag->size_mm * 10.0 / 8.0;
        char label[96];
        calib_array_place(array, i, place);
        here.center_mm[0] = place[0] + edge_mm / 2.0;
        here.center_mm[1] = place[1] + edge_mm / 2.0;
        int error = calib_paint_tags(page, &here, 1);
        if (error) {
            return error;
        }
        const double cut[4] = {here.center_mm[0] - side / 2.0, here.center_mm[1] - side / 2.0, side,
                               side};
        calib_paint_cuts(page, cut, CUT_GAP_MM, CUT_MM);
        (void)snprintf(label, sizeof label, "tag %d, centre at %g, %g mm", tag->id,
                       tag->center_mm[0], tag->center_mm[1]);
        cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
        calib_paint_text(page, here.center_mm[0], cut[1] + side + 4.5, PLAN_TEXT_MM, 0.5, edge_mm,
                         false, label);
    }
    return CALIB_OK;
}

/* The mat, as small as the sheet, and what to measure. */
static int plan_print(struct press *press, const struct mat *mat, const struct paper *paper,
                      const struct sheet_name *name)
{
    const double page_mm[2] = {paper->size_mm[1], paper->size_mm[0]};
    double top = PRINT_MARGIN_MM + 12.0, room[2];
    cairo_t *page = calib_press_page(press, page_mm[0], page_mm[1]);

    if (!page) {
        return CALIB_OK;
    }
    room[0] = page_mm[0] - 2.0 * PRINT_MARGIN_MM;
    room[1] = page_mm[1] - top - 2.0 * PRINT_MARGIN_MM - PRINT_FOOT_MM;
    double scale = fmin(room[0] / mat->size_mm[0], room[1] / mat->size_mm[1]);
    calib_paint_text(page, PRINT_MARGIN_MM, PRINT_MARGIN_MM + 4.0, 4.0, 0.0, room[0], true,
                     "Where the tags go: glue each flat, its name towards you as you read this");
    calib_paint_text(
        page, PRINT_MARGIN_MM, PRINT_MARGIN_MM + 9.0, PLAN_TEXT_MM, 0.0, room[0], false,
        "Centres are in mm from the top-left corner of this frame: the first number to "
        "the right, the second down.");
    cairo_save(page);
    cairo_translate(page, PRINT_MARGIN_MM, top);
    cairo_scale(page, scale, scale);
    int error = calib_paint_mat(page, mat);
    cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
    cairo_set_line_width(page, 0.3 / scale);
    cairo_rectangle(page, 0.0, 0.0, mat->size_mm[0], mat->size_mm[1]);
    cairo_stroke(page);
    for (int i = 0; i < mat->tags && !error; i++) {
        const struct mat_tag *tag = &mat->tag[i];
        char label[64];
        (void)snprintf(label, sizeof label, "%d: %g, %g", tag->id, tag->center_mm[0],
                       tag->center_mm[1]);
        calib_paint_text(page, tag->center_mm[0], tag->center_mm[1] + tag->size_mm * 0.68 + 3.0,
                         2.6 / scale, 0.5, 0.0, false, label);
    }
    cairo_restore(page);
    calib_sheet_foot(page, page_mm, name);
    return error;
}

int calib_print_mat_tags(struct press *press, const struct mat *mat,
                         const struct print_options *options)
{
    struct paper paper = paper_real(options);
    struct print_array array;
    char what[NAME_MAX_BYTES];
    double largest = 0.0;

    for (int i = 0; i < mat->tags; i++) {
        largest = fmax(largest, mat->tag[i].size_mm * 10.0 / 8.0);
    }
    const double size_mm[2] = {largest, largest + TAG_LABEL_MM};
    int error = calib_print_array(&paper, size_mm, TAG_GAP_MM, &array);
    if (error) {
        return error;
    }
    int each = array.cols * array.rows, sheets = (mat->tags + each - 1) / each + 1;
    (void)snprintf(what, sizeof what, "tags of mat %s", mat->name);
    for (int i = 0; i + 1 < sheets && !error; i++) {
        const struct sheet_name name = {what, "cut at the marks: the white edge belongs to the tag",
                                        i + 1, sheets};
        cairo_t *page = calib_press_page(press, array.page_mm[0], array.page_mm[1]);
        if (!page) {
            return CALIB_OK;
        }
        error = tag_sheet(page, mat, &array, i * each, largest);
        calib_sheet_foot(page, array.page_mm, &name);
    }
    const struct sheet_name name = {what, NULL, sheets, sheets};
    return error ? error : plan_print(press, mat, &paper, &name);
}

/* ---- cards ---- */

struct card_sheets {
    const struct deck *deck;
    const struct blockset *set;
    const struct cardstyle *style;
    const struct print_options *options;
    struct print_array array;
    double card_mm;
};

static void fronts_paint(cairo_t *page, const struct card_sheets *sheets, int first)
{
    int each = sheets->array.cols * sheets->array.rows;

    for (int i = 0; i < each && first + i < sheets->deck->cards; i++) {
        double place[2];
        calib_array_place(&sheets->array, i, place);
        const double cut[4] = {place[0], place[1], sheets->card_mm, sheets->card_mm};
        calib_paint_card(page, sheets->style, sheets->set, &sheets->deck->card[first + i], place[0],
                         place[1], sheets->card_mm);
        calib_paint_cuts(page, cut, CUT_GAP_MM, CUT_MM);
    }
}

/* Behind each front its back: the sheet is seen mirrored about the edge it is turned over. */
static void backs_paint(cairo_t *page, const struct card_sheets *sheets, int first)
{
    const struct print_array *array = &sheets->array;
    int each = array->cols * array->rows;
    bool upright = array->page_mm[1] >= array->page_mm[0];
    bool sideways = upright == (sheets->options->duplex == PRINT_DUPLEX_LONG);

    for (int i = 0; i < each && first + i < sheets->deck->cards; i++) {
        double place[2];
        int axis = sideways ? 0 : 1;
        calib_array_place(array, i, place);
        place[axis] = array->page_mm[axis] - place[axis] - sheets->card_mm;
        calib_paint_card_back(page, sheets->style, place[0], place[1], sheets->card_mm,
                              PRINT_CARD_BLEED_MM);
    }
}

static int cards_print(struct press *press, const struct card_sheets *sheets, const char *what)
{
    int each = sheets->array.cols * sheets->array.rows;
    int count = (sheets->deck->cards + each - 1) / each;

    for (int i = 0; i < count; i++) {
        const struct sheet_name name = {what, "cut at the marks", i + 1, count};
        cairo_t *page = calib_press_page(press, sheets->array.page_mm[0], sheets->array.page_mm[1]);
        if (!page) {
            return CALIB_OK;
        }
        fronts_paint(page, sheets, i * each);
        calib_sheet_foot(page, sheets->array.page_mm, &name);
        if (sheets->options->duplex == PRINT_DUPLEX_NONE) {
            continue;
        }
        page = calib_press_page(press, sheets->array.page_mm[0], sheets->array.page_mm[1]);
        if (!page) {
            return CALIB_OK;
        }
        backs_paint(page, sheets, i * each);
    }
    return CALIB_OK;
}

int calib_print_cards(struct press *press, const struct deck *deck, const struct blockset *set,
                      const struct cardstyle *style, const struct print_options *options)
{
    struct card_sheets sheets = {.deck = deck, .set = set, .style = style, .options = options};
    struct paper paper = paper_real(options);
    char what[NAME_MAX_BYTES];

    sheets.card_mm = options->card_mm > 0.0 ? options->card_mm : style->size_mm;
    const double size_mm[2] = {sheets.card_mm, sheets.card_mm};
    int error = calib_print_array(&paper, size_mm, PRINT_CARD_GAP_MM, &sheets.array);
    (void)snprintf(what, sizeof what, "cards of deck %s, %g mm", deck->name, sheets.card_mm);
    return error ? error : cards_print(press, &sheets, what);
}

/* ---- blocks ---- */

int calib_print_blocks(struct press *press, const struct blockset *set,
                       const struct print_options *options)
{
    struct paper paper = paper_real(options);
    struct print_array array;
    char what[NAME_MAX_BYTES];
    double size_mm[2];

    calib_paint_net_size(set, size_mm);
    int error = calib_print_array(&paper, size_mm, NET_GAP_MM, &array);
    if (error) {
        return error;
    }
    int each = array.cols * array.rows, sheets = (set->blocks + each - 1) / each;
    (void)snprintf(what, sizeof what, "blocks of set %s", set->name);
    for (int i = 0; i < sheets; i++) {
        const struct sheet_name name = {
            what, "cut along the outline, fold at the fine lines, glue the flaps inside", i + 1,
            sheets};
        cairo_t *page = calib_press_page(press, array.page_mm[0], array.page_mm[1]);
        if (!page) {
            return CALIB_OK;
        }
        for (int j = 0; j < each && i * each + j < set->blocks; j++) {
            double place[2];
            calib_array_place(&array, j, place);
            calib_paint_net(page, set, &set->block[i * each + j], place[0], place[1]);
        }
        calib_sheet_foot(page, array.page_mm, &name);
    }
    return CALIB_OK;
}

/* ---- ways to build a card ---- */

int calib_print_solutions(struct press *press, const struct blockset *set, const char *name,
                          const struct grid *grid, const struct solution *solution, int solutions)
{
    const double edge = PRINT_MARGIN_MM, head = 8.0, gap = SOLUTION_CELL_MM;
    double width = grid->cols * SOLUTION_CELL_MM, height = grid->rows * SOLUTION_CELL_MM;
    int cols = solutions < SOLUTION_COLS ? solutions : SOLUTION_COLS;
    int rows = cols > 0 ? (solutions + cols - 1) / cols : 0;
    double page_mm[2] = {fmax(cols * (width + gap) - gap, 80.0) + 2.0 * edge,
                         rows * (height + gap) + head + 2.0 * edge};
    char title[CARD_ID_MAX + 64];
    cairo_t *page = calib_press_page(press, page_mm[0], page_mm[1]);

    if (!page) {
        return CALIB_OK;
    }
    (void)snprintf(title, sizeof title, "%s: %d %s", name, solutions,
                   solutions == 1 ? "way to build it" : "ways to build it");
    calib_paint_text(page, edge, edge + 4.0, 4.0, 0.0, page_mm[0] - 2.0 * edge, true, title);
    for (int i = 0; i < solutions; i++) {
        int col = i % cols, row = i / cols;
        calib_paint_solution(page, set, grid, &solution[i], edge + col * (width + gap),
                             edge + head + row * (height + gap), SOLUTION_CELL_MM);
    }
    return CALIB_OK;
}
