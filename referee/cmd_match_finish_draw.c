/* referee/cmd_match_finish_draw.c: the picture of a photo finish. */
#include "referee/cmd_match_canvas.h"
#include "referee/cmd_match_finish.h"
#include "referee/cmd_match_sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 3 /* frames before the first and after the last that counts */
#define ROWS_MAX (FINISH_INTERVALS + 2 * AROUND + 2)
#define PAD 16.0
#define LABEL_WIDTH 150.0
#define ROW_HEIGHT 170.0
#define COLUMN_WIDTH 400.0
#define HEAD_HEIGHT 170.0
/* Around the blocks: a hand that places the last one is seen. */
#define AROUND_MM 30.0
#define NS_PER_MS 1000000.0

struct strip {
    const struct case_match *match;
    const struct finish *finish;
    struct canvas canvas;
    struct tag_finder *finder;
    struct mat_pose pose; /* of the first frame that shows the mat: it lies still meanwhile */
    bool known;
    struct mat_seat part[PLAYERS_MAX]; /* what is cut out of each seat */
    uint64_t first;                    /* frame of the first row */
    int rows;
    int shown;
    int64_t zero_ns; /* the recording's time of the first frame that counts; -1: not met yet */
    struct case_fault *fault;
};

/* ---- what is shown ---- */

/* Frames near the first that counts; a later claim's frame may lie beyond. */
static void rows_choose(struct strip *strip)
{
    const struct finish *finish = strip->finish;
    uint64_t least = finish->arrival[0].layout.frame, most = least;

    for (int i = 1; i < finish->arrivals; i++) {
        uint64_t frame = finish->arrival[i].layout.frame;
        least = frame < least ? frame : least;
        most = frame > most ? frame : most;
    }
    strip->first = least > AROUND ? least - AROUND : 0;
    uint64_t rows = most + AROUND - strip->first + 1;
    strip->rows = rows < ROWS_MAX ? (int)rows : ROWS_MAX;
}

static double clamp(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

/* The part of a seat in which the layout lies; all of it when its places are not on record. */
static bool part_choose(struct strip *strip, int index)
{
    const struct finish_arrival *arrival = &strip->finish->arrival[index];
    const struct mat_seat *seat = cmd_sheet_seat(strip->match, arrival->seat);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};

    if (!seat)
        return cmd_case_fail(strip->fault, "%s: the mat has no seat %d", strip->match->folder,
                             arrival->seat);
    strip->part[index] = *seat;
    for (int c = 0; c < arrival->layout.seat.cells; c++)
        for (int axis = 0; axis < 2; axis++) {
            double mm = arrival->layout.seat.cell[c].center_mm10[axis] / 10.0;
            low[axis] = fmin(low[axis], mm - AROUND_MM);
            high[axis] = fmax(high[axis], mm + AROUND_MM);
        }
    for (int axis = 0; axis < 2 && high[axis] > low[axis] + 2 * AROUND_MM; axis++) {
        double start = seat->rect_mm[axis], end = start + seat->rect_mm[axis + 2];
        double from = clamp(low[axis], start, end), to = clamp(high[axis], start, end);
        if (to <= from)
            continue;
        strip->part[index].rect_mm[axis] = from;
        strip->part[index].rect_mm[axis + 2] = to - from;
    }
    return true;
}

static double row_y(const struct strip *strip, uint64_t frame)
{
    return HEAD_HEIGHT + (double)(frame - strip->first) * (ROW_HEIGHT + 6);
}

static double column_x(int index)
{
    return PAD + LABEL_WIDTH + index * (COLUMN_WIDTH + 12);
}

/* ---- drawing ---- */

static void title_draw(struct strip *strip)
{
    const struct finish *finish = strip->finish;
    const struct finish_arrival *one = &finish->arrival[0], *two = &finish->arrival[1];
    double ms = (double)(two->layout.first_t_ns - one->layout.first_t_ns) / NS_PER_MS;
    char text[PLAYER_NAME_MAX + 200];

    snprintf(text, sizeof text, cmd_text("Photo finish: card %s, level %d, event %llu"),
             finish->card[0] ? finish->card : "?", finish->level,
             (unsigned long long)finish->event);
    cmd_canvas_text(&strip->canvas, PAD, PAD, strip->canvas.width - 2 * PAD, 1,
                    (struct canvas_font){26, true, canvas_white}, text);
    snprintf(text, sizeof text,
             cmd_text("seat %d before seat %d by %.1f ms; a frame interval is %.1f ms. Framed "
                      "twice, with the word COUNTS: the first frame that shows the layout."),
             one->seat, two->seat, ms, (double)finish->interval_ns / NS_PER_MS);
    cmd_canvas_text(&strip->canvas, PAD, PAD + 36, strip->canvas.width - 2 * PAD, 2,
                    (struct canvas_font){16, false, canvas_grey}, text);
    for (int i = 0; i < finish->arrivals; i++) {
        snprintf(text, sizeof text,
                 finish->arrival[i].won ? cmd_text("%s (seat %d): has the card")
                                        : cmd_text("%s (seat %d)"),
                 finish->arrival[i].name, finish->arrival[i].seat);
        cmd_canvas_text(&strip->canvas, column_x(i), HEAD_HEIGHT - 60, COLUMN_WIDTH, 1,
                        (struct canvas_font){22, true, canvas_white}, text);
        if (finish->arrival[i].claimed_t_ns >= 0) {
            snprintf(text, sizeof text, cmd_text("called at %.3f s"),
                     (double)finish->arrival[i].claimed_t_ns / 1e9);
            cmd_canvas_text(&strip->canvas, column_x(i), HEAD_HEIGHT - 30, COLUMN_WIDTH, 1,
                            (struct canvas_font){16, false, canvas_grey}, text);
        }
    }
}

static void label_draw(struct strip *strip, const struct frame_line *line)
{
    int64_t t_ns = line->time_ns - strip->zero_ns + strip->finish->arrival[0].layout.first_t_ns;
    double y = row_y(strip, line->sequence);
    char text[96];

    snprintf(text, sizeof text, "%+.1f ms", (double)(line->time_ns - strip->zero_ns) / NS_PER_MS);
    cmd_canvas_text(&strip->canvas, PAD, y + 8, LABEL_WIDTH - 8, 1,
                    (struct canvas_font){20, true, canvas_white}, text);
    snprintf(text, sizeof text, cmd_text("%.3f s\npicture %llu"), (double)t_ns / 1e9,
             (unsigned long long)line->sequence);
    cmd_canvas_text(&strip->canvas, PAD, y + 36, LABEL_WIDTH - 8, 2,
                    (struct canvas_font){15, false, canvas_grey}, text);
}

static void cell_draw(struct strip *strip, const struct frame *frame, int index, uint64_t sequence)
{
    const struct finish_arrival *arrival = &strip->finish->arrival[index];
    struct canvas_view view;
    double x = column_x(index), y = row_y(strip, sequence);

    if (cmd_canvas_view(frame, &strip->pose, &strip->part[index], strip->match->kit.set->height_mm,
                        COLUMN_WIDTH, ROW_HEIGHT, &view))
        cmd_canvas_view_paint(&strip->canvas, &view, x, y);
    if (arrival->layout.frame == sequence) {
        cmd_canvas_box(&strip->canvas, x + 2, y + 2, view.width - 4, view.height - 4, canvas_good,
                       4);
        cmd_canvas_box(&strip->canvas, x + 9, y + 9, view.width - 18, view.height - 18, canvas_good,
                       2);
        cmd_canvas_label(&strip->canvas, x + view.width / 2, y + view.height - 16,
                         (struct canvas_font){18, true, canvas_good}, cmd_text("COUNTS"));
    }
    cmd_canvas_view_free(&view);
}

static void row_draw(struct strip *strip, const struct playback_item *item)
{
    struct frame *frame = NULL;
    struct mat_pose pose;
    bool known = false;

    label_draw(strip, &item->line);
    if (item->state != PLAYBACK_SOUND ||
        !cmd_sheet_frame(strip->match, strip->known ? NULL : strip->finder, item->picture.bytes,
                         item->picture.length, &frame, &pose, &known)) {
        cmd_canvas_text(&strip->canvas, column_x(0), row_y(strip, item->line.sequence) + 8,
                        COLUMN_WIDTH, 2, (struct canvas_font){16, false, canvas_unsure},
                        cmd_text("this picture is not in the recording"));
        return;
    }
    if (known && !strip->known) {
        strip->pose = pose;
        strip->known = true;
    }
    for (int i = 0; strip->known && i < strip->finish->arrivals; i++)
        cell_draw(strip, frame, i, item->line.sequence);
    strip->shown += strip->known;
    capture_frame_destroy(&frame);
}

/* ---- the recording ---- */

static bool row_wanted(const struct strip *strip, const struct frame_line *line)
{
    return line->kind == FRAME_LINE_FRAME && line->sequence >= strip->first &&
           line->sequence < strip->first + (uint64_t)strip->rows;
}

/* The time that all others are shown against: in a first pass over the index alone. */
static bool zero_find(struct strip *strip)
{
    struct capture_fault inner = {.text = ""};
    struct playback *playback = NULL;
    struct playback_item item;

    strip->zero_ns = -1;
    if (capture_playback_open(strip->match->folder, &playback, &inner) != CAPTURE_OK)
        return cmd_case_fail(strip->fault, "%s: there is no recording to show it from: %s",
                             strip->match->folder, inner.text);
    while (strip->zero_ns < 0 && capture_playback_line(playback, &item, &inner) == CAPTURE_PICTURE)
        if (item.line.kind == FRAME_LINE_FRAME &&
            item.line.sequence == strip->finish->arrival[0].layout.frame)
            strip->zero_ns = item.line.time_ns;
    capture_playback_close(&playback);
    return strip->zero_ns >= 0 ||
           cmd_case_fail(strip->fault, "%s: the recording has no frame %" PRIu64,
                         strip->match->folder, strip->finish->arrival[0].layout.frame);
}

static bool rows_draw(struct strip *strip)
{
    struct capture_fault inner = {.text = ""};
    struct playback *playback = NULL;
    struct playback_item item;

    if (capture_playback_open(strip->match->folder, &playback, &inner) != CAPTURE_OK)
        return cmd_case_fail(strip->fault, "%s: %s", strip->match->folder, inner.text);
    while (capture_playback_line(playback, &item, &inner) == CAPTURE_PICTURE) {
        if (!row_wanted(strip, &item.line))
            continue;
        capture_playback_picture(playback, &item);
        row_draw(strip, &item);
        if (item.line.sequence + 1 == strip->first + (uint64_t)strip->rows)
            break;
    }
    capture_playback_close(&playback);
    return strip->shown > 0 ||
           cmd_case_fail(strip->fault,
                         "%s: none of the pictures around frame %" PRIu64
                         " can be shown from the recording",
                         strip->match->folder, strip->finish->arrival[0].layout.frame);
}

static bool strip_paint(struct strip *strip)
{
    int width = (int)(column_x(strip->finish->arrivals) + PAD);

    if (!zero_find(strip))
        return false;
    if (!cmd_canvas_open(&strip->canvas, width > 900 ? width : 900,
                         (int)(HEAD_HEIGHT + strip->rows * (ROW_HEIGHT + 6) + PAD)))
        return cmd_case_fail(strip->fault, "out of memory");
    title_draw(strip);
    return rows_draw(strip);
}

bool cmd_finish_draw(const struct case_match *match, const struct finish *finish,
                     unsigned char **png, size_t *length, struct case_fault *fault)
{
    struct strip *strip = calloc(1, sizeof *strip);
    bool well = strip != NULL;

    if (!strip)
        return cmd_case_fail(fault, "out of memory");
    strip->match = match;
    strip->finish = finish;
    strip->fault = fault;
    strip->finder = vision_tag_finder_create();
    if (!strip->finder)
        well = cmd_case_fail(fault, "out of memory");
    for (int i = 0; well && i < finish->arrivals; i++)
        well = part_choose(strip, i);
    rows_choose(strip);
    well = well && strip_paint(strip);
    if (well && !cmd_canvas_png(&strip->canvas, png, length))
        well = cmd_case_fail(fault, "out of memory");
    cmd_canvas_close(&strip->canvas);
    vision_tag_finder_destroy(&strip->finder);
    free(strip);
    return well;
}
