#include "tests/draw/truth.h"

#include "tests/draw/footprint.h"
#include "tests/draw/vec.h"

#include <string.h>

#define FOREIGN_SHARE 0.0003 /* of the seat's rectangle in the picture */
#define FOREIGN_PX 6.0       /* at least: less is not seen by anybody */
#define BURNT 250            /* every channel */

static bool to_pixel(const struct draw_scene *scene, double x, double y, double z, double pixel[2])
{
    const double point[3] = {x, y, z};
    if (calib_camera_project(&scene->camera, &scene->pose, point, pixel)) {
        return true;
    }
    pixel[0] = pixel[1] = -1e6; /* out of every picture */
    return false;
}

static double quad_area(double corner[4][2])
{
    double twice = 0.0;
    for (int i = 0; i < 4; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 4];
        twice += a[0] * b[1] - a[1] * b[0];
    }
    return fabs(twice) / 2.0;
}

static double quad_side(double corner[4][2])
{
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += hypot(corner[(i + 1) % 4][0] - corner[i][0], corner[(i + 1) % 4][1] - corner[i][1]);
    }
    return sum / 4.0;
}

static bool quad_holds(double corner[4][2], double x, double y)
{
    int left = 0, right = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 4];
        double side = (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        left += side >= 0.0;
        right += side <= 0.0;
    }
    return left == 4 || right == 4;
}

static double share_of(double seen, double corner[4][2])
{
    return fmin(1.0, seen / fmax(1.0, quad_area(corner)));
}

/* Share of the quad's pixels whose every channel is burnt out. */
static double quad_bleached(const struct draw_scene *scene, const uint8_t *rgb, double corner[4][2])
{
    int width = scene->camera.width, height = scene->camera.height, all = 0, burnt = 0;
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int i = 0; i < 8; i++) {
        low[i % 2] = fmin(low[i % 2], corner[i / 2][i % 2]);
        high[i % 2] = fmax(high[i % 2], corner[i / 2][i % 2]);
    }
    int left = (int)draw_clamp(ceil(low[0]), 0, width),
        right = (int)draw_clamp(floor(high[0]), -1, width - 1);
    int top = (int)draw_clamp(ceil(low[1]), 0, height),
        bottom = (int)draw_clamp(floor(high[1]), -1, height - 1);
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++) {
            if (quad_holds(corner, x, y)) {
                const uint8_t *p = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
                all++;
                burnt += p[0] >= BURNT && p[1] >= BURNT && p[2] >= BURNT;
            }
        }
    }
    return all > 0 ? (double)burnt / all : 0.0;
}

/* A cell on top of a block: half of its footprint at its height. */
static void cell_fill(const struct draw_scene *scene, const struct draw_seen *seen,
                      const uint8_t *rgb, int index, int half, struct draw_truth_cell *cell)
{
    static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const struct blockset *set = scene->kit.set;
    const struct draw_block *lies = &scene->block[index];
    struct draw_footprint print = draw_footprint_of(set, lies);
    double z = -draw_block_height(set, lies), quarter = print.half[0] / 2.0;
    double shift = half ? quarter : -quarter;
    memset(cell, 0, sizeof *cell);
    cell->symbol = set->block[lies->block].face[lies->face][half];
    cell->block = set->block[lies->block].number;
    cell->row = cell->col = -1;
    for (int k = 0; k < 2; k++) {
        cell->center_mm[k] = print.center[k] + shift * print.axis[0][k];
    }
    to_pixel(scene, cell->center_mm[0], cell->center_mm[1], z, cell->center_px);
    for (int i = 0; i < 4; i++) {
        double at[2];
        for (int k = 0; k < 2; k++) {
            at[k] = cell->center_mm[k] + sign[i][0] * quarter * print.axis[0][k] +
                    sign[i][1] * print.half[1] * print.axis[1][k];
        }
        to_pixel(scene, at[0], at[1], z, cell->corner_px[i]);
    }
    cell->side_px = quad_side(cell->corner_px);
    cell->visible = share_of(seen->top[index][half], cell->corner_px);
    cell->bleached = rgb != NULL ? quad_bleached(scene, rgb, cell->corner_px) : 0.0;
}

static void end_fill(const struct draw_scene *scene, const struct draw_seen *seen, int index,
                     struct draw_truth_end *end)
{
    const struct draw_block *stands = &scene->block[index];
    struct draw_footprint print = draw_footprint_of(scene->kit.set, stands);
    double corner[4][2];
    draw_footprint_corners(&print, corner);
    end->block = scene->kit.set->block[stands->block].number;
    for (int i = 0; i < 4; i++) {
        to_pixel(scene, corner[i][0], corner[i][1], -draw_block_height(scene->kit.set, stands),
                 end->corner_px[i]);
    }
    end->visible = share_of(seen->end[index], end->corner_px);
}

/* Blocks of the seat: their cells, their ends, how far each is from the others. */
static void seat_blocks(const struct draw_scene *scene, const struct draw_seen *seen,
                        const uint8_t *rgb, int index, struct draw_truth_seat *seat,
                        struct align_block lying[DRAW_SEAT_BLOCKS_MAX], int *count)
{
    for (int i = 0; i < scene->blocks; i++) {
        const struct draw_block *block = &scene->block[i];
        double nearest = 1e9;
        if (block->seat != index || seat->ends + *count >= DRAW_SEAT_BLOCKS_MAX) {
            continue;
        }
        struct draw_footprint own = draw_footprint_of(scene->kit.set, block);
        for (int j = 0; j < scene->blocks; j++) {
            if (j != i && scene->block[j].seat == index) {
                struct draw_footprint other = draw_footprint_of(scene->kit.set, &scene->block[j]);
                nearest = fmin(nearest, draw_footprint_distance(&own, &other));
            }
        }
        seat->apart = fmax(seat->apart, nearest / scene->kit.set->width_mm);
        if (block->standing) {
            end_fill(scene, seen, i, &seat->end[seat->ends++]);
            continue;
        }
        lying[*count].turn_deg = block->turn_deg;
        for (int half = 0; half < 2; half++) {
            struct draw_truth_cell *cell = &seat->cell[seat->cells++];
            cell_fill(scene, seen, rgb, i, half, cell);
            memcpy(lying[*count].cell[half], cell->center_mm, sizeof cell->center_mm);
        }
        ++*count;
    }
}

/* Turns the fit so that its rows lie nearest to the player's, and gives each cell its place. */
static void seat_places(const struct align_fit *fit, const double up[2],
                        struct draw_truth_seat *seat)
{
    double right_deg = atan2(up[0], -up[1]) / DRAW_DEG;
    double turned = fit->turn_deg - right_deg, quarters = ceil(turned / 90.0 - 0.5);
    int turns = ((int)quarters % 4 + 4) % 4, low[2] = {9999, 9999};
    seat->turned_deg = turned - 90.0 * quarters;
    for (int i = 0; i < seat->cells; i++) {
        struct draw_truth_cell *cell = &seat->cell[i];
        int row = fit->place[i][0], col = fit->place[i][1];
        double along = fit->offset[i][0], down = fit->offset[i][1];
        for (int q = 0; q < turns; q++) { /* a quarter turn clockwise */
            int keep = row;
            double kept = along;
            row = col;
            col = -keep;
            along = -down;
            down = kept;
        }
        cell->row = row;
        cell->col = col;
        cell->offset[0] = along;
        cell->offset[1] = down;
        cell->turn_deg = fit->block_deg[i / 2];
        low[0] = row < low[0] ? row : low[0];
        low[1] = col < low[1] ? col : low[1];
    }
    for (int i = 0; i < seat->cells; i++) {
        seat->cell[i].row -= low[0];
        seat->cell[i].col -= low[1];
    }
}

/* The cells' grid; false when it is longer than a grid can be. */
static bool seat_grid(const struct draw_truth_seat *seat, struct grid *grid)
{
    int rows = 0, cols = 0;
    for (int i = 0; i < seat->cells; i++) {
        rows = seat->cell[i].row >= rows ? seat->cell[i].row + 1 : rows;
        cols = seat->cell[i].col >= cols ? seat->cell[i].col + 1 : cols;
    }
    calib_grid_clear(grid, 0, 0);
    if (rows < 1 || rows > GRID_SIDE_MAX || cols > GRID_SIDE_MAX) {
        return false;
    }
    calib_grid_clear(grid, rows, cols);
    for (int i = 0; i < seat->cells; i++) {
        grid->cell[seat->cell[i].row][seat->cell[i].col] = seat->cell[i].symbol;
    }
    return true;
}

/* The best grid by least squares, and the classes that this and other honest fits give. */
static void seat_align(const struct draw_scene *scene, int index, const struct align_block *lying,
                       int count, struct draw_truth_seat *seat)
{
    static const double power[3] = {2.0, 1.2, 4.0};
    const struct blockset *set = scene->kit.set;
    struct align_fit fit;
    struct grid grid = {0};
    seat->classes = ALIGN_OFF;
    if (count != set->blocks || seat->ends > 0) {
        return;
    }
    seat->classes = 0;
    bool differ = false;
    for (int i = 2; i >= 0; i--) { /* least squares last: its places are the truth's */
        struct grid before = grid;
        draw_align_fit(lying, count, set->width_mm, power[i], &fit);
        seat->classes |= draw_align_classes(&fit, TRUTH_TOLERANCE_PITCH, TRUTH_TOLERANCE_DEG);
        seat_places(&fit, scene->kit.mat->seat[index].up, seat);
        bool whole = fit.found && seat_grid(seat, &grid);
        if (!whole) {
            calib_grid_clear(&grid, 0, 0);
        }
        differ |= i < 2 && (before.rows != grid.rows || calib_grid_quarters(&before, &grid) < 0);
    }
    if (differ && seat->classes != ALIGN_OFF) {
        seat->classes |= ALIGN_DOUBTFUL | ALIGN_OFF;
    }
    seat->pitch_mm = fit.pitch_mm;
    seat->off_pitch = fit.off_pitch;
    seat->off_deg = fit.off_deg;
    if (seat->apart > ALIGN_APART - TRUTH_TOLERANCE_APART) {
        bool surely = seat->apart > ALIGN_APART + TRUTH_TOLERANCE_APART;
        seat->classes = surely ? ALIGN_OFF : seat->classes | ALIGN_OFF;
    }
    if (seat->classes != ALIGN_OFF) {
        seat->grid = grid;
    }
}

static double seat_area(const struct draw_scene *scene, int index)
{
    const double *rect = scene->kit.mat->seat[index].rect_mm;
    double corner[4][2];
    for (int i = 0; i < 4; i++) {
        to_pixel(scene, rect[0] + (i == 1 || i == 2 ? rect[2] : 0.0),
                 rect[1] + (i >= 2 ? rect[3] : 0.0), 0.0, corner[i]);
    }
    return quad_area(corner);
}

static void seat_fill(const struct draw_scene *scene, const struct draw_seen *seen,
                      const uint8_t *rgb, int index, struct draw_truth_seat *seat)
{
    struct align_block lying[DRAW_SEAT_BLOCKS_MAX];
    int count = 0;
    memset(seat, 0, sizeof *seat);
    seat->seat = scene->kit.mat->seat[index].seat;
    seat->kind = scene->kind[index];
    seat->change = scene->change[index];
    seat->foreign =
        seen->foreign[index] > fmax(FOREIGN_PX, FOREIGN_SHARE * seat_area(scene, index));
    seat->least_visible = 1.0;
    seat_blocks(scene, seen, rgb, index, seat, lying, &count);
    for (int i = 0; i < seat->cells; i++) {
        seat->least_visible = fmin(seat->least_visible, seat->cell[i].visible);
        seat->most_bleached = fmax(seat->most_bleached, seat->cell[i].bleached);
    }
    seat_align(scene, index, lying, count, seat);
    if (seat->grid.rows == 0) {
        for (int i = 0; i < seat->cells; i++) {
            seat->cell[i].row = seat->cell[i].col = -1;
        }
    }
}

unsigned draw_truth_allowed(const struct draw_truth_seat *seat, const struct grid *card)
{
    bool same = seat->grid.rows > 0 && calib_grid_quarters(card, &seat->grid) >= 0;
    bool several = (seat->classes & (seat->classes - 1)) != 0;
    unsigned rule = several ? DRAW_RULE_CANNOT_TELL : 0;
    if (seat->classes & ALIGN_ON) {
        rule |= same ? DRAW_RULE_MATCH : DRAW_RULE_NO_MATCH;
    }
    if (seat->classes & ALIGN_DOUBTFUL) {
        rule |= same ? DRAW_RULE_CANNOT_TELL : DRAW_RULE_CANNOT_TELL | DRAW_RULE_NO_MATCH;
    }
    if (seat->classes & ALIGN_OFF) {
        rule |= DRAW_RULE_NO_MATCH;
    }
    if (same && seat->least_visible < TRUTH_HIDDEN) {
        rule = (rule & ~(unsigned)DRAW_RULE_MATCH) | DRAW_RULE_CANNOT_TELL;
    }
    if (seat->foreign || seat->least_visible < TRUTH_VISIBLE ||
        seat->most_bleached > TRUTH_BLEACHED) {
        rule |= DRAW_RULE_CANNOT_TELL;
    }
    return rule;
}

static void card_fill(const struct draw_scene *scene, const struct draw_seen *seen, int index,
                      struct draw_truth_card *out)
{
    static const double sign[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    const struct draw_card *card = &scene->card[index];
    double c = cos(card->turn_deg * DRAW_DEG), s = sin(card->turn_deg * DRAW_DEG),
           half = card->size_mm / 2.0;
    out->slot = scene->kit.mat->slot[card->slot].slot;
    out->face_up = card->face_up;
    out->card = card->card;
    for (int i = 0; i < 4; i++) {
        double x = sign[i][0] * half, y = sign[i][1] * half;
        to_pixel(scene, card->center_mm[0] + c * x - s * y, card->center_mm[1] + s * x + c * y,
                 -DRAW_CARD_MM, out->corner_px[i]);
    }
    out->visible = share_of(seen->card[index], out->corner_px);
}

static void tags_fill(const struct draw_scene *scene, struct draw_truth *truth)
{
    const struct mat *mat = scene->kit.mat;
    truth->tags = mat->tags;
    for (int i = 0; i < mat->tags; i++) {
        double corner[4][2];
        calib_mat_tag_corners(&mat->tag[i], corner);
        truth->tag[i].id = mat->tag[i].id;
        for (int k = 0; k < 4; k++) {
            to_pixel(scene, corner[k][0], corner[k][1], 0.0, truth->tag[i].corner_px[k]);
        }
    }
}

void draw_truth_fill(const struct draw_scene *scene, const struct draw_seen *seen,
                     const uint8_t *rgb, struct draw_truth *truth)
{
    double side = 0.0;
    int cells = 0;
    memset(truth, 0, sizeof *truth);
    truth->camera = scene->camera;
    truth->pose = scene->pose;
    tags_fill(scene, truth);
    truth->cards = scene->cards;
    for (int i = 0; i < scene->cards; i++) {
        card_fill(scene, seen, i, &truth->card[i]);
    }
    truth->seats = scene->kit.mat->seats;
    for (int i = 0; i < truth->seats; i++) {
        struct draw_truth_seat *seat = &truth->seat[i];
        seat_fill(scene, seen, rgb, i, seat);
        for (int k = 0; k < truth->cards; k++) {
            const struct draw_truth_card *card = &truth->card[k];
            seat->allowed[k] = card->face_up ? draw_truth_allowed(seat, &card->card.grid) : 0;
        }
        for (int k = 0; k < seat->cells; k++, cells++) {
            side += seat->cell[k].side_px;
        }
    }
    truth->cell_px = cells > 0 ? side / cells : 0.0;
}
