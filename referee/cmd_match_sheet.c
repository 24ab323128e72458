/* referee/cmd_match_sheet.c: the picture that shows a ruling. */
#include "referee/cmd_match_sheet.h"

#include "capture/still.h"
#include "referee/cmd_match_canvas.h"
#include "referee/cmd_text.h"
#include "referee/cmd_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHEET_WIDTH 1200
#define PAD 20.0
/* A picture of a whole seat is mostly wide and low; a square one is as high as this. */
#define VIEW_HEIGHT_MOST 620.0
#define SIDE 250.0 /* of the drawn card and the drawn layout */
#define BELOW 330.0
#define NS_PER_MS 1000000

/* One sheet as it is drawn. */
struct sheet {
    const struct case_match *match;
    const struct match_case *found;
    const struct case_picture *picture;
    struct canvas canvas;
    struct canvas_view view; /* without a picture: the mat was not found again */
    struct frame *frame;
    double y; /* where what comes next begins */
};

static struct canvas_paint ruling_paint(enum ruling ruling)
{
    return ruling == RULING_MATCH      ? canvas_good
           : ruling == RULING_NO_MATCH ? canvas_bad
                                       : canvas_unsure;
}

/* ---- the picture ---- */

bool cmd_sheet_frame(const struct case_match *match, struct tag_finder *finder,
                     const uint8_t *bytes, size_t length, struct frame **frame,
                     struct mat_pose *pose, bool *known)
{
    *frame = NULL;
    *known = false;
    if (capture_still_decode(bytes, length, frame, NULL) != CAPTURE_OK)
        return false;
    if (match->about.mirrored) {
        struct frame *flipped = capture_frame_orient(*frame, 2);
        capture_frame_destroy(frame);
        *frame = flipped;
    }
    if (!*frame)
        return false;
    *known = finder &&
             vision_pose_find(finder, *frame, match->kit.mat, match->kit.rig, pose) == VISION_OK;
    return true;
}

const struct mat_seat *cmd_sheet_seat(const struct case_match *match, int seat)
{
    for (int i = 0; i < match->kit.mat->seats; i++)
        if (match->kit.mat->seat[i].seat == seat)
            return &match->kit.mat->seat[i];
    return NULL;
}

/* What the seat looks like. Where the mat is not found again the picture is not shown, and that is
 * said: a place guessed at would show a wrong one. */
static bool view_make(struct sheet *sheet, struct case_fault *fault)
{
    const struct mat_seat *seat = cmd_sheet_seat(sheet->match, sheet->found->decision.seat);
    struct tag_finder *finder = vision_tag_finder_create();
    struct mat_pose pose;
    bool known = false;
    bool well = finder && cmd_sheet_frame(sheet->match, finder, sheet->picture->bytes,
                                          sheet->picture->length, &sheet->frame, &pose, &known);

    if (!well)
        cmd_case_fail(fault, "%s: the picture of event %" PRIu64 " cannot be decoded",
                      sheet->match->folder, sheet->found->decision.cause);
    else if (known && seat)
        cmd_canvas_view(sheet->frame, &pose, seat, sheet->match->kit.set->height_mm,
                        SHEET_WIDTH - 2 * PAD, VIEW_HEIGHT_MOST, &sheet->view);
    vision_tag_finder_destroy(&finder);
    return well;
}

static bool cell_wrong(const struct verdict *verdict, const struct layout_cell *cell)
{
    for (int i = 0; i < verdict->wrong_cells; i++)
        if (cell->row >= 0 && verdict->wrong[i][0] == cell->row &&
            verdict->wrong[i][1] == cell->col)
            return true;
    return false;
}

static void cell_draw(struct sheet *sheet, const struct layout_cell *cell)
{
    const struct layout_seat *seat = &sheet->found->layout.seat;
    double side = sheet->match->kit.set->width_mm * sheet->view.px_per_mm, at[2];
    bool doubtful = cell->confidence < LAYOUT_SURE_PERMILLE;
    struct canvas_font font = {side * 0.30, true, doubtful ? canvas_unsure : canvas_white};
    char text[24];

    cmd_canvas_view_point(&sheet->view, cell->center_mm10[0] / 10.0, cell->center_mm10[1] / 10.0,
                          at);
    at[0] += PAD;
    at[1] += sheet->y;
    if (cell_wrong(&sheet->found->decision.verdict, cell))
        cmd_canvas_wrong(&sheet->canvas, at[0], at[1], side, seat->turned_deg10 / 10.0, true);
    else
        cmd_canvas_cell(&sheet->canvas, at[0], at[1], side, seat->turned_deg10 / 10.0, doubtful);
    if (doubtful && cell->second)
        snprintf(text, sizeof text, cmd_text("%c or %c?"), cell->symbol, cell->second);
    else
        snprintf(text, sizeof text, "%c", cell->symbol);
    cmd_canvas_label(&sheet->canvas, at[0], at[1] - side * 0.28, font, text);
    font = (struct canvas_font){fmax(9, side * 0.19), false, canvas_white};
    snprintf(text, sizeof text, "%d.%03d", cell->confidence / 1000, cell->confidence % 1000);
    cmd_canvas_label(&sheet->canvas, at[0], at[1] + side * 0.33, font, text);
}

static void picture_draw(struct sheet *sheet)
{
    const struct layout_seat *seat = &sheet->found->layout.seat;
    const struct canvas_font font = {20, false, canvas_unsure};

    if (!sheet->view.picture) {
        sheet->y +=
            12 + cmd_canvas_text(&sheet->canvas, PAD, sheet->y, SHEET_WIDTH - 2 * PAD, 2, font,
                                 cmd_text("The mat is not found again in the picture: the seat "
                                          "cannot be cut out of it."));
        return;
    }
    cmd_canvas_view_paint(&sheet->canvas, &sheet->view, PAD, sheet->y);
    for (int i = 0; i < seat->cells && i < LAYOUT_CELLS_MAX; i++)
        cell_draw(sheet, &seat->cell[i]);
    sheet->y += sheet->view.height + 16;
}

/* ---- drawings beside it ---- */

static void wrongs_draw(struct sheet *sheet, const struct canvas_grid *what)
{
    const struct verdict *verdict = &sheet->found->decision.verdict;

    for (int i = 0; i < verdict->wrong_cells; i++)
        if (verdict->wrong[i][0] < what->grid->rows && verdict->wrong[i][1] < what->grid->cols)
            cmd_canvas_wrong(&sheet->canvas,
                             floor(what->x) + (verdict->wrong[i][1] + 0.5) * what->cell,
                             floor(what->y) + (verdict->wrong[i][0] + 0.5) * what->cell,
                             what->cell * 0.94, 0, false);
}

static void layout_draw(struct sheet *sheet, double x)
{
    const struct layout_seat *seat = &sheet->found->layout.seat;
    const struct canvas_font font = {18, true, canvas_white}, small = {16, false, canvas_grey};
    struct canvas_grid what = {sheet->match->kit.set, &seat->grid, x, sheet->y + 34, 0};
    int longest = seat->grid.rows > seat->grid.cols ? seat->grid.rows : seat->grid.cols;
    char text[160];

    cmd_canvas_text(&sheet->canvas, x, sheet->y, SIDE, 1, font, cmd_text("As it was read"));
    if (longest > 0) {
        what.cell = floor(fmin(SIDE / longest, SIDE * 0.1875));
        cmd_canvas_grid(&sheet->canvas, &what);
        wrongs_draw(sheet, &what);
        return;
    }
    snprintf(text, sizeof text, cmd_text("%s: no grid of blocks to draw"),
             cmd_word_place(vision_seat_state_name(seat->state)));
    cmd_canvas_text(&sheet->canvas, x, sheet->y + 34, SIDE, 4, small, text);
}

/* Turned as the layout is, so that both can be compared at a glance. */
static void card_draw(struct sheet *sheet, double x)
{
    const struct match_case *found = sheet->found;
    const struct canvas_font font = {18, true, canvas_white}, small = {16, false, canvas_grey};
    int turn = found->decision.verdict.turn_deg;
    struct grid grid = calib_grid_turn(&found->grid, turn / 90);
    struct canvas_grid what = {sheet->match->kit.set, &grid, x, sheet->y + 34, 0};
    char text[160];

    snprintf(text, sizeof text,
             found->decision.card[0] ? cmd_text("Card %s") : cmd_text("Card %s (not in the deck)"),
             found->decision.card[0] ? found->decision.card : "?");
    cmd_canvas_text(&sheet->canvas, x, sheet->y, SIDE, 1, font, text);
    if (grid.rows == 0) {
        cmd_canvas_text(&sheet->canvas, x, sheet->y + 34, SIDE, 4, small,
                        cmd_text("there was no card to compare with"));
        return;
    }
    cmd_canvas_card(&sheet->canvas, sheet->match->kit.style, found->level, SIDE, &what);
    wrongs_draw(sheet, &what);
    if (turn)
        snprintf(text, sizeof text, cmd_text("level %d; shown turned by %d°, as it was built"),
                 found->level, turn);
    else
        snprintf(text, sizeof text, cmd_text("level %d; upright"), found->level);
    cmd_canvas_text(&sheet->canvas, x, sheet->y + 34 + SIDE + 6, SIDE, 2, small, text);
}

/* ---- words ---- */

static void fact(struct sheet *sheet, double x, double *y, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void fact(struct sheet *sheet, double x, double *y, const char *format, ...)
{
    const struct canvas_font font = {16, false, canvas_white};
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    *y += 5 + cmd_canvas_text(&sheet->canvas, x, *y, SHEET_WIDTH - PAD - x, 3, font, text);
}

/* "12.345 s", in the match's time. */
static const char *time_text(int64_t t_ns, char out[32])
{
    int64_t ms = t_ns / NS_PER_MS;

    snprintf(out, 32, "%s%" PRId64 "%c%03" PRId64 " s", ms < 0 ? "-" : "",
             (ms < 0 ? -ms : ms) / 1000, cmd_lang()->point, (ms < 0 ? -ms : ms) % 1000);
    return out;
}

static void facts_draw(struct sheet *sheet, double x)
{
    const struct record_header *header = referee_record_header(sheet->match->record);
    const struct decision *decision = &sheet->found->decision;
    const struct event_layout *layout = &sheet->found->layout;
    const struct canvas_font tiny = {14, false, canvas_white};
    char one[32], two[32], three[32], four[32];
    double y = sheet->y;

    if (header->table[0])
        fact(sheet, x, &y, cmd_text("Match %s, table %s, on record since %s"), header->match,
             header->table, header->made);
    else
        fact(sheet, x, &y, cmd_text("Match %s, on record since %s"), header->match, header->made);
    fact(sheet, x, &y,
         decision->forced ? cmd_text("Ruling of event %llu, by a person's word at %s")
                          : cmd_text("Ruling of event %llu, claimed or first seen at %s"),
         (unsigned long long)decision->cause, time_text(decision->at_t_ns, one));
    fact(sheet, x, &y, cmd_text("Picture taken at %s, settled at %s, ruling published at %s"),
         time_text(layout->first_t_ns, two), time_text(sheet->found->settled_t_ns, three),
         time_text(decision->t_ns, four));
    fact(sheet, x, &y, cmd_text("Picture %llu, SHA-256:"), (unsigned long long)decision->frame);
    y +=
        5 + cmd_canvas_text(&sheet->canvas, x, y, SHEET_WIDTH - PAD - x, 2, tiny, decision->digest);
    if (sheet->picture->recorded)
        fact(sheet, x, &y,
             cmd_text("The evidence file is %s: this is the recording's picture, with that same "
                      "SHA-256."),
             cmd_text(sheet->picture->lacks));
    else
        fact(sheet, x, &y, cmd_text("From %s, which has that SHA-256."), sheet->picture->evidence);
    fact(sheet, x, &y,
         cmd_text("Confidence of the ruling %d%c%03d. A dashed yellow cell is doubtful, a crossed "
                  "red one is wrong."),
         decision->verdict.confidence / 1000, cmd_lang()->point,
         decision->verdict.confidence % 1000);
}

static void title_draw(struct sheet *sheet)
{
    const struct match_case *found = sheet->found;
    const struct decision *decision = &found->decision;
    enum ruling ruling = decision->verdict.ruling;
    char text[PLAYER_NAME_MAX + 64], reasons[400];

    snprintf(text, sizeof text, cmd_text("%s (seat %d)"),
             found->name[0] ? found->name : cmd_text("Nobody"), decision->seat);
    sheet->y += cmd_canvas_text(&sheet->canvas, PAD, sheet->y, SHEET_WIDTH - 2 * PAD, 1,
                                (struct canvas_font){30, true, canvas_white}, text);
    sheet->y += cmd_canvas_text(&sheet->canvas, PAD, sheet->y, SHEET_WIDTH - 2 * PAD, 1,
                                (struct canvas_font){30, true, ruling_paint(ruling)},
                                cmd_word_ruling(referee_ruling_name(ruling)));
    cmd_words_reasons(decision->verdict.reasons, "; ", reasons, sizeof reasons);
    if (reasons[0])
        sheet->y += cmd_canvas_text(&sheet->canvas, PAD, sheet->y, SHEET_WIDTH - 2 * PAD, 2,
                                    (struct canvas_font){20, false, canvas_white}, reasons);
    if (decision->forced) {
        snprintf(text, sizeof text, cmd_text("A person ruled so; the program had ruled: %s"),
                 cmd_word_ruling(referee_ruling_name(decision->was)));
        sheet->y += cmd_canvas_text(&sheet->canvas, PAD, sheet->y, SHEET_WIDTH - 2 * PAD, 1,
                                    (struct canvas_font){20, false, canvas_unsure}, text);
    }
    sheet->y += 12;
}

static bool sheet_paint(struct sheet *sheet, struct case_fault *fault)
{
    double high = sheet->view.picture ? sheet->view.height : 60;

    if (!cmd_canvas_open(&sheet->canvas, SHEET_WIDTH, (int)(high + BELOW + 180)))
        return cmd_case_fail(fault, "out of memory");
    sheet->y = PAD;
    title_draw(sheet);
    picture_draw(sheet);
    layout_draw(sheet, PAD);
    card_draw(sheet, PAD + SIDE + 30);
    facts_draw(sheet, PAD + 2 * (SIDE + 30));
    return true;
}

bool cmd_sheet_draw(const struct case_match *match, const struct match_case *found,
                    const struct case_picture *picture, unsigned char **png, size_t *length,
                    struct case_fault *fault)
{
    struct sheet sheet = {.match = match, .found = found, .picture = picture};
    bool well = view_make(&sheet, fault) && sheet_paint(&sheet, fault);

    if (well && !cmd_canvas_png(&sheet.canvas, png, length))
        well = cmd_case_fail(fault, "out of memory");
    cmd_canvas_view_free(&sheet.view);
    cmd_canvas_close(&sheet.canvas);
    capture_frame_destroy(&sheet.frame);
    return well;
}
