/* tests/stat/paper.c: see paper.h. */
#include "tests/stat/paper.h"

#include "tests/draw/random.h"

#include <math.h>

#define CELLS_LEAST 4  /* fewer are no layout */
#define OVER 0.65      /* sides from a cell's centre to where paper that hides it ends: half, and what
                          is seen of the block's side */
#define RING_FROM 3.0  /* px outside of the paper, where the white is that it is to look like */
#define RING_TO 18.0
#define WHITE_PART 0.7 /* of the ring's pixels, by their light: print and shadow lie below */
#define FALL 0.06      /* light lost over 300 px, to the right */
#define GRAIN 2.5      /* standard deviation, of 255 */
#define SOFT_PX 0.8    /* of its edge */

/* A rectangle in a frame that is turned against the picture's. */
struct sheet {
    double c, s;
    double lo[2], hi[2];
};

static void sheet_from_px(const struct sheet *sheet, double x, double y, double at[2])
{
    at[0] = sheet->c * x + sheet->s * y;
    at[1] = sheet->c * y - sheet->s * x;
}

/* How far outside of the sheet a place is, px; negative inside. */
static double sheet_outside(const struct sheet *sheet, double x, double y)
{
    double at[2], out = -1e9;
    sheet_from_px(sheet, x, y, at);
    for (int k = 0; k < 2; k++)
        out = fmax(out, fmax(sheet->lo[k] - at[k], at[k] - sheet->hi[k]));
    return out;
}

static void sheet_take_in(struct sheet *sheet, const struct truth_cell *cell)
{
    double at[2], over = OVER * cell->side_px;
    sheet_from_px(sheet, cell->center_px[0], cell->center_px[1], at);
    for (int k = 0; k < 2; k++) {
        sheet->lo[k] = fmin(sheet->lo[k], at[k] - over);
        sheet->hi[k] = fmax(sheet->hi[k], at[k] + over);
    }
}

/* Some cell and the one nearest to it. */
static void sheet_take_pair(struct sheet *sheet, const struct truth_seat *seat,
                            struct draw_random *random)
{
    int first = draw_random_below(random, seat->cells), nearest = first;
    double least = 1e9;
    for (int i = 0; i < seat->cells; i++) {
        const double *a = seat->cell[first].center_px, *b = seat->cell[i].center_px;
        double apart = hypot(a[0] - b[0], a[1] - b[1]);
        if (i == first || apart >= least)
            continue;
        least = apart;
        nearest = i;
    }
    sheet_take_in(sheet, &seat->cell[first]);
    sheet_take_in(sheet, &seat->cell[nearest]);
}

static struct sheet sheet_choose(const struct truth_seat *seat, enum degrade_kind kind,
                                 struct draw_random *random)
{
    const double *a = seat->cell[0].center_px, *b = seat->cell[1].center_px;
    double turn = atan2(b[1] - a[1], b[0] - a[0]); /* mostly along the layout */
    if (draw_random_chance(random, 0.3))
        turn = draw_random_range(random, 0, M_PI);
    struct sheet sheet = {cos(turn), sin(turn), {1e9, 1e9}, {-1e9, -1e9}};
    double side = seat->cell[0].side_px;
    int axis = draw_random_below(random, 2);
    if (kind == DEGRADE_BLOCK) {
        sheet_take_pair(&sheet, seat, random);
        return sheet;
    }
    for (int i = 0; i < seat->cells; i++)
        sheet_take_in(&sheet, &seat->cell[i]);
    double lo = sheet.lo[axis], hi = sheet.hi[axis];
    if (kind == DEGRADE_HALF) {
        double cut = (lo + hi) / 2 + draw_random_range(random, -0.4, 0.4) * side;
        *(draw_random_chance(random, 0.5) ? &sheet.lo[axis] : &sheet.hi[axis]) = cut;
    } else {
        double at = draw_random_range(random, lo, hi);
        sheet.lo[axis] = at - draw_random_range(random, 0.22, 0.7) * side;
        sheet.hi[axis] = at + draw_random_range(random, 0.22, 0.7) * side;
    }
    return sheet;
}

struct box {
    int x0, y0, x1, y1;
};

/* Pixels about the sheet, within the picture. */
static struct box sheet_box(const struct degrade_picture *p, const struct sheet *sheet)
{
    double lo[2] = {1e9, 1e9}, hi[2] = {-1e9, -1e9};
    for (int k = 0; k < 4; k++) {
        double u = k & 1 ? sheet->hi[0] : sheet->lo[0], v = k & 2 ? sheet->hi[1] : sheet->lo[1];
        const double at[2] = {sheet->c * u - sheet->s * v, sheet->s * u + sheet->c * v};
        for (int i = 0; i < 2; i++) {
            lo[i] = fmin(lo[i], at[i] - RING_TO);
            hi[i] = fmax(hi[i], at[i] + RING_TO);
        }
    }
    return (struct box){(int)fmax(lo[0], 0), (int)fmax(lo[1], 0), (int)fmin(hi[0], p->width - 1),
                        (int)fmin(hi[1], p->height - 1)};
}

static uint8_t *pixel_at(const struct degrade_picture *p, int x, int y)
{
    return p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
}

/* The mean colour of the lightest part of what lies around the sheet. False where nothing does. */
static bool white_around(const struct degrade_picture *p, const struct sheet *sheet, struct box box,
                         double white[3])
{
    long by_light[766] = {0}, sum[766][3] = {{0}}, count = 0, taken = 0;
    for (int y = box.y0; y <= box.y1; y++)
        for (int x = box.x0; x <= box.x1; x++) {
            double out = sheet_outside(sheet, x, y);
            const uint8_t *px = pixel_at(p, x, y);
            if (out < RING_FROM || out > RING_TO)
                continue;
            count++;
            by_light[px[0] + px[1] + px[2]]++;
            for (int k = 0; k < 3; k++)
                sum[px[0] + px[1] + px[2]][k] += px[k];
        }
    white[0] = white[1] = white[2] = 0;
    for (int light = 765; light >= 0 && taken < (long)((1 - WHITE_PART) * (double)count); light--) {
        taken += by_light[light];
        for (int k = 0; k < 3; k++)
            white[k] += (double)sum[light][k];
    }
    for (int k = 0; k < 3; k++)
        white[k] /= taken ? (double)taken : 1;
    return taken > 0;
}

static void sheet_paint(const struct degrade_picture *p, const struct sheet *sheet,
                        struct draw_random *random)
{
    struct box box = sheet_box(p, sheet);
    double white[3], middle = (box.x0 + box.x1) / 2.0;
    if (!white_around(p, sheet, box, white))
        return;
    for (int y = box.y0; y <= box.y1; y++)
        for (int x = box.x0; x <= box.x1; x++) {
            double share = 0.5 - sheet_outside(sheet, x, y) / (2 * SOFT_PX);
            double light = 1 - FALL * (x - middle) / 300;
            uint8_t *px = pixel_at(p, x, y);
            share = fmin(fmax(share, 0), 1);
            for (int k = 0; k < 3 && share > 0; k++) {
                double paper = white[k] * light + GRAIN * draw_random_normal(random);
                double value = px[k] + share * (paper - px[k]);
                px[k] = (uint8_t)lrint(fmin(fmax(value, 0), 255));
            }
        }
}

static void cells_hide(const struct sheet *sheet, struct truth_seat *seat)
{
    for (int i = 0; i < seat->cells; i++) {
        struct truth_cell *cell = &seat->cell[i];
        if (sheet_outside(sheet, cell->center_px[0], cell->center_px[1]) < cell->side_px / 2)
            cell->visible = seat->least_visible = 0;
    }
}

/* A card whose slot's middle lies under the paper may be gone, and then its slot looks empty. */
static void cards_hide(const struct sheet *sheet, const struct mat *mat, struct truth *truth)
{
    for (int i = 0; i < truth->cards; i++)
        for (int k = 0; k < mat->slots; k++) {
            const double *r = mat->slot[k].rect_mm;
            const double middle[3] = {r[0] + r[2] / 2, r[1] + r[3] / 2, 0};
            double px[2];
            if (mat->slot[k].slot == truth->card[i].slot &&
                calib_camera_project(&truth->rig->camera, &truth->rig->pose, middle, px) &&
                sheet_outside(sheet, px[0], px[1]) < 0)
                truth->card[i].visible = 0;
        }
}

void paper_lay(struct degrade_picture *picture, struct degrade_step step, uint32_t seed,
               const struct mat *mat, struct truth *truth)
{
    struct draw_random random = draw_random_seed(seed, (uint64_t)step.value);
    for (int s = 0; s < truth->seats; s++) {
        struct truth_seat *seat = &truth->seat[s];
        if (seat->cells < CELLS_LEAST)
            continue;
        struct sheet sheet = sheet_choose(seat, step.kind, &random);
        sheet_paint(picture, &sheet, &random);
        cells_hide(&sheet, seat);
        cards_hide(&sheet, mat, truth);
    }
}
