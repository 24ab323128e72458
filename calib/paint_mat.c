/* A mat's sheet. */
#include "calib/paint.h"
#include "calib/tag_picture.h"

#include <math.h>
#include <stdio.h>

#define SEAT_LINE_MM 1.5
#define SEAT_CORNER_MM 6.0
#define SEAT_NUMBER_MM 10.0
#define SEAT_NUMBER_INSET_MM 4.0
#define SLOT_LINE_MM 0.8
#define SLOT_CORNER_MM 5.0
#define RULER_STEP_MM 2.0
#define EDGE_LEAST_MM 1.5 /* of a sheet that has no more room than that */

static const struct rgb8 seat_colour[4] = {
    {200, 56, 46}, {32, 102, 176}, {48, 144, 80}, {196, 138, 0}};
static const struct rgb8 slot_colour = {150, 150, 146};

/* The modules of a row are drawn as runs: edges between black neighbours would show as hairlines.
 */
static void tag_modules(cairo_t *page, const struct tag_picture *picture)
{
    for (int row = 0; row < TAG_PICTURE_SIDE; row++) {
        for (int col = 0; col < TAG_PICTURE_SIDE; col++) {
            int end = col;
            while (end < TAG_PICTURE_SIDE && !picture->white[row][end]) {
                end++;
            }
            if (end > col) {
                cairo_rectangle(page, col, row, end - col, 1.0);
                col = end;
            }
        }
    }
}

static void tag_paint(cairo_t *page, const struct mat_tag *tag, const struct tag_picture *picture)
{
    double module = tag->size_mm / TAG_PICTURE_BORDER;

    cairo_save(page);
    cairo_translate(page, tag->center_mm[0], tag->center_mm[1]);
    cairo_rotate(page, tag->turn_deg * M_PI / 180.0);
    cairo_scale(page, module, module);
    cairo_translate(page, -TAG_PICTURE_SIDE / 2.0, -TAG_PICTURE_SIDE / 2.0);
    cairo_set_source_rgb(page, 1.0, 1.0, 1.0);
    cairo_rectangle(page, 0.0, 0.0, TAG_PICTURE_SIDE, TAG_PICTURE_SIDE);
    cairo_fill(page);
    cairo_set_source_rgb(page, 0.0, 0.0, 0.0);
    tag_modules(page, picture);
    cairo_fill(page);
    cairo_restore(page);
}

int calib_paint_tags(cairo_t *page, const struct mat_tag *tag, int tags)
{
    for (int i = 0; i < tags; i++) {
        struct tag_picture picture;
        int error = calib_tag_pictures(&tag[i].id, 1, &picture);
        if (error) {
            return error;
        }
        tag_paint(page, &tag[i], &picture);
    }
    return CALIB_OK;
}

/* The seat's number, upright for its player, in the corner at the player's left. */
static void seat_number(cairo_t *page, const struct mat_seat *seat)
{
    double turned = atan2(seat->up[0], -seat->up[1]);
    double across = fabs(seat->up[1]) * seat->rect_mm[2] + fabs(seat->up[0]) * seat->rect_mm[3];
    double along = fabs(seat->up[0]) * seat->rect_mm[2] + fabs(seat->up[1]) * seat->rect_mm[3];
    char number[12];

    (void)snprintf(number, sizeof number, "%d", seat->seat);
    cairo_save(page);
    cairo_translate(page, seat->rect_mm[0] + seat->rect_mm[2] / 2.0,
                    seat->rect_mm[1] + seat->rect_mm[3] / 2.0);
    cairo_rotate(page, turned);
    calib_paint_text(page, SEAT_NUMBER_INSET_MM - across / 2.0, along / 2.0 - SEAT_NUMBER_INSET_MM,
                     SEAT_NUMBER_MM, 0.0, 0.0, true, number);
    cairo_restore(page);
}

static bool apart(const double a[4], const double b[4])
{
    return a[0] + a[2] <= b[0] || b[0] + b[2] <= a[0] || a[1] + a[3] <= b[1] || b[1] + b[3] <= a[1];
}

static bool place_free(const struct mat *mat, const double place[4])
{
    for (int i = 0; i < mat->seats; i++) {
        double half = SEAT_LINE_MM / 2.0;
        const double *r = mat->seat[i].rect_mm;
        const double frame[4] = {r[0] - half, r[1] - half, r[2] + 2.0 * half, r[3] + 2.0 * half};
        if (!apart(frame, place)) {
            return false;
        }
    }
    for (int i = 0; i < mat->slots; i++) {
        if (!apart(mat->slot[i].rect_mm, place)) {
            return false;
        }
    }
    for (int i = 0; i < mat->tags; i++) {
        /* turned by any angle, with two modules of white around it */
        double reach = mat->tag[i].size_mm * 0.75 * M_SQRT2;
        const double *c = mat->tag[i].center_mm;
        const double frame[4] = {c[0] - reach, c[1] - reach, 2.0 * reach, 2.0 * reach};
        if (!apart(frame, place)) {
            return false;
        }
    }
    return true;
}

/* Below, then above, as near to the middle as it goes, and away from the edge, which many printers
 * leave white, where there is room. */
bool calib_paint_mat_ruler(const struct mat *mat, double place_mm[2])
{
    static const double inset[] = {5.0, 3.5, EDGE_LEAST_MM};
    double w = mat->size_mm[0], h = mat->size_mm[1];
    double middle = (w - PAINT_RULER_WIDTH_MM) / 2.0;

    for (int i = 0; i < 6; i++) {
        double edge = inset[i / 2];
        double y = i % 2 == 0 ? h - edge - PAINT_RULER_HEIGHT_MM : edge;
        for (double off = 0.0; off <= middle - edge; off += RULER_STEP_MM) {
            for (int side = -1; side <= 1; side += 2) {
                double x = middle + side * off;
                const double place[4] = {x, y, PAINT_RULER_WIDTH_MM, PAINT_RULER_HEIGHT_MM};
                if (place_free(mat, place) && y >= 0.0 && y + PAINT_RULER_HEIGHT_MM <= h) {
                    place_mm[0] = x;
                    place_mm[1] = y;
                    return true;
                }
            }
        }
    }
    return false;
}

void calib_paint_mat_frames(cairo_t *page, const struct mat *mat)
{
    double place[2];

    cairo_save(page);
    cairo_set_line_width(page, SLOT_LINE_MM);
    calib_paint_colour(page, slot_colour);
    for (int i = 0; i < mat->slots; i++) {
        calib_paint_round(page, mat->slot[i].rect_mm, SLOT_CORNER_MM);
        cairo_stroke(page);
    }
    cairo_set_line_width(page, SEAT_LINE_MM);
    for (int i = 0; i < mat->seats; i++) {
        calib_paint_colour(page, seat_colour[i % 4]);
        calib_paint_round(page, mat->seat[i].rect_mm, SEAT_CORNER_MM);
        cairo_stroke(page);
        seat_number(page, &mat->seat[i]);
    }
    if (calib_paint_mat_ruler(mat, place)) {
        calib_paint_ruler(page, place[0], place[1]);
    }
    cairo_restore(page);
}

int calib_paint_mat(cairo_t *page, const struct mat *mat)
{
    calib_paint_mat_frames(page, mat);
    return calib_paint_tags(page, mat->tag, mat->tags);
}
