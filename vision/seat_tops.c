/* vision/seat_tops.c: see seat_tops.h. */
#include "vision/seat_tops.h"

#include <math.h>
#include <string.h>

/* Two squares of side one that do not overlap: turned alike, their centres are at least one apart
 * along an axis; turned otherwise, 0.85 (the circle in one touches a corner of the other). The rest
 * is room for the pose's error. A side face lies nearer to its own top: at half a width and half
 * of what is seen of the side. */
#define NEAREST_ALIKE 0.90
#define NEAREST_TURNED 0.80
#define ALIKE_RAD (12 * M_PI / 180)
/* Where the top's own side would be seen (a block beside it would hide that side), a side face is
 * the likelier thing up to this distance. */
#define NEAREST_BEHIND 0.96
#define BEHIND_INSET_MM (-3.0)

/* With the grid telling where and how a cell must lie, less has to be shown by the cell itself:
 * half a cell may drown in glare. */
#define EXPECTED_LEFT_MOST 0.72f
#define EXPECTED_LEFT_GLARE_MOST 0.65f /* of edges; one place in 20 that are no tops leaves 0.7 */
#define EXPECTED_CONTRAST_LEAST 0.4f
#define EXPECTED_VEIL 0.75f /* share of the contrast that a veil over all of it may take */
#define EXPECTED_REACH_PX 3.5f
#define EXPECTED_REACH_RAD 0.12f
/* Thin outlines, a ring's, no longer cover each other a tenth of a cell off, and leave no slope to
 * move along: where the place shows print at all, it is started from around as well. */
#define START_OFF_PX 2.4f
#define START_REACH_PX 2.0f
#define PRINT_WHITENESS 0.75f   /* below: in no light of its surroundings bare paper or rim */
#define PRINT_SHARE_LEAST 0.25f /* of the middle of a cell; symbols have half or more */

/* Around something unexplained, which may be half of a cell or two of them: a net of starts that
 * leaves no place within half a cell, and no turn, out of reach. */
#define SEEK_STEP_PX 8.0f
#define SEEK_REACH_PX 4.0f
#define SEEK_TURNS 4
#define SEEK_REACH_RAD 0.2f

/* Tops that leave more than this are fitted once more, from around. */
#define POLISH_LEFT 0.25f
#define POLISH_STEP_PX 2.0f

/* The two cells of a block lie exactly one width apart along its axis; measured with some error. */
#define PARTNER_OFF_WIDTHS 0.16
#define PARTNER_TURN_RAD (12 * M_PI / 180)

static double quarter_wrap(double rad)
{
    return rad - M_PI_2 * floor(rad / M_PI_2 + 0.5);
}

void vision_top_offset(const struct body_top *from, const struct body_top *to, double offset[2])
{
    double c = cos(from->turn_rad), s = sin(from->turn_rad);
    double dx = (to->center_mm[0] - from->center_mm[0]) / from->side_mm;
    double dy = (to->center_mm[1] - from->center_mm[1]) / from->side_mm;
    offset[0] = c * dx + s * dy;
    offset[1] = c * dy - s * dx;
}

static struct body_top body_of(const struct seat_reader *reader, const struct sight_cell *cell)
{
    return (struct body_top){{cell->mm[0], cell->mm[1]},
                             (double)cell->place.turn_rad,
                             reader->set->width_mm,
                             reader->set->height_mm};
}

static bool too_near(const struct seat_sight *sight, const struct body_top *top,
                     const struct body_top *other)
{
    double d[2];
    vision_top_offset(top, other, d);
    double apart = fmax(fabs(d[0]), fabs(d[1]));
    if (fabs(quarter_wrap(top->turn_rad - other->turn_rad)) > ALIKE_RAD)
        return apart < NEAREST_TURNED;
    return apart < NEAREST_ALIKE ||
           (apart < NEAREST_BEHIND && vision_body_covers(&sight->view, top, top->height_mm,
                                                         other->center_mm, BEHIND_INSET_MM));
}

static bool top_possible(const struct seat_sight *sight, const struct tops *tops,
                         const struct body_top *body)
{
    for (int i = 0; i < tops->count; i++)
        if (too_near(sight, &tops->body[i], body))
            return false;
    return true;
}

static void top_add(struct seat_sight *sight, struct tops *tops, int cell,
                    const struct body_top *body)
{
    sight->cell[cell].top = true;
    tops->cell[tops->count] = cell;
    tops->body[tops->count++] = *body;
}

/* Indices of the convincing cells, best explained first. */
static int cells_rank(const struct seat_sight *sight, int order[SIGHT_CELLS_MAX])
{
    int count = 0;
    for (int i = 0; i < sight->cells; i++) {
        if (!vision_fit_convinces(&sight->cell[i].fit))
            continue;
        int at = count++;
        while (at > 0 &&
               sight->cell[order[at - 1]].fit.unexplained > sight->cell[i].fit.unexplained) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    return count;
}

/* Does the centre lie in the seat, or no more than half a block outside it? */
static bool near_seat(const struct seat_reader *reader, const struct seat_sight *sight,
                      const double mm[2])
{
    const double *r = sight->seat->rect_mm, over = reader->set->width_mm / 2;
    return mm[0] > r[0] - over && mm[0] < r[0] + r[2] + over && mm[1] > r[1] - over &&
           mm[1] < r[1] + r[3] + over;
}

void vision_tops_choose(const struct seat_reader *reader, const struct palette *palette,
                        struct seat_sight *sight, struct tops *tops)
{
    int order[SIGHT_CELLS_MAX];
    memset(tops, 0, sizeof *tops);
    for (int i = 0; i < sight->cells; i++) {
        vision_cell_rescore(reader->model, palette, &sight->cell[i].fit);
        sight->cell[i].top = false;
    }
    int count = cells_rank(sight, order);
    for (int k = 0; k < count && tops->count < TOPS_MAX; k++) {
        const struct sight_cell *cell = &sight->cell[order[k]];
        struct body_top body = body_of(reader, cell);
        if (near_seat(reader, sight, cell->mm) && top_possible(sight, tops, &body))
            top_add(sight, tops, order[k], &body);
    }
    vision_tops_fit(reader, sight, tops);
}

/* How far a place is to be trusted: cells with glare are located less well. */
static double place_weight(const struct cell_fit *fit)
{
    return 1 / (0.05 + (double)fit->unexplained);
}

static int points_fill(const struct seat_sight *sight, const struct tops *tops,
                       struct lattice_point point[TOPS_MAX])
{
    for (int i = 0; i < tops->count; i++) {
        const struct sight_cell *cell = &sight->cell[tops->cell[i]];
        point[i] = (struct lattice_point){cell->mm[0], cell->mm[1], (double)cell->place.turn_rad,
                                          place_weight(&cell->fit)};
    }
    return tops->count;
}

void vision_tops_fit(const struct seat_reader *reader, const struct seat_sight *sight,
                     struct tops *tops)
{
    struct lattice_point point[TOPS_MAX];
    int points = points_fill(sight, tops, point);
    tops->fits_all = true;
    tops->all_off = 0;
    /* A little beyond the rules' bound, so that measuring error can't make `off` of `doubtful`. */
    vision_lattice_fit(point, points, reader->set->width_mm, reader->alignment.pitch_max,
                       reader->alignment.center_off + 0.02, &tops->lattice);
    if (tops->lattice.count == points)
        return;
    tops->all_off = vision_lattice_stretch(point, points, reader->set->width_mm,
                                           reader->alignment.pitch_max, &tops->lattice);
    tops->fits_all = tops->all_off < reader->alignment.center_off + 0.02;
}

/* Is there print at a place, or bare mat? */
static bool place_printed(const struct seat_sight *sight, const struct cell_place *place)
{
    const struct patch *p = &sight->patch;
    int reach = (int)(place->side_px * 0.3f), dark = 0, all = 0;
    for (int y = (int)place->y - reach; y <= (int)place->y + reach; y += 2)
        for (int x = (int)place->x - reach; x <= (int)place->x + reach; x += 2) {
            if (x < 0 || y < 0 || x >= p->width || y >= p->height)
                continue;
            dark += sight->whiteness[y * p->width + x] < PRINT_WHITENESS;
            all++;
        }
    return (float)dark > PRINT_SHARE_LEAST * (float)all;
}

/* Fits at an expected place, and from around it where it shows print but no symbol yet. */
static void place_fit(const struct seat_reader *reader, const struct palette *palette,
                      const struct seat_sight *sight, struct cell_place *place,
                      struct cell_fit *fit)
{
    const struct cell_place start = *place;
    vision_sight_fit(reader, palette, sight, place, EXPECTED_REACH_PX, EXPECTED_REACH_RAD, fit);
    if (fit->unexplained < EXPECTED_LEFT_MOST || !place_printed(sight, &start))
        return;
    for (int k = 0; k < 9; k++) {
        struct cell_place trial = start;
        struct cell_fit found;
        if (k == 4) /* the place itself */
            continue;
        int right = k % 3 - 1, down = k / 3 - 1;
        trial.x += START_OFF_PX * (float)right;
        trial.y += START_OFF_PX * (float)down;
        vision_sight_fit(reader, palette, sight, &trial, START_REACH_PX, EXPECTED_REACH_RAD,
                         &found);
        if (found.unexplained < fit->unexplained) {
            *fit = found;
            *place = trial;
        }
    }
}

/* Is a cell at an expected place good enough for a top that a block may have? */
static bool cell_expected(const struct seat_reader *reader, const struct seat_sight *sight,
                          const struct tops *tops, const struct sight_cell *cell)
{
    const struct cell_fit *fit = &cell->fit;
    struct body_top body = body_of(reader, cell);
    float left = fit->through_glare ? EXPECTED_LEFT_GLARE_MOST : EXPECTED_LEFT_MOST;
    return fit->seen && fit->unexplained < left &&
           fit->contrast > EXPECTED_CONTRAST_LEAST * (1 - EXPECTED_VEIL * fit->burnt) &&
           fit->colour_error < vision_fit_colour_bound(fit) && near_seat(reader, sight, cell->mm) &&
           top_possible(sight, tops, &body);
}

/* Looks for a top at an expected place; true when there is one that a block may have. */
static bool place_look(const struct seat_reader *reader, const struct palette *palette,
                       const struct seat_sight *sight, const struct tops *tops,
                       const double at_mm[2], double turn_rad, struct sight_cell *cell)
{
    double px[2];
    memset(cell, 0, sizeof *cell);
    vision_patch_from_mm(&sight->patch, at_mm, &px[0], &px[1]);
    cell->place = (struct cell_place){(float)px[0], (float)px[1], (float)turn_rad, SIGHT_CELL_PX};
    place_fit(reader, palette, sight, &cell->place, &cell->fit);
    vision_patch_to_mm(&sight->patch, (double)cell->place.x, (double)cell->place.y, cell->mm);
    return cell_expected(reader, sight, tops, cell);
}

static void cell_keep(const struct seat_reader *reader, struct seat_sight *sight, struct tops *tops,
                      const struct sight_cell *cell)
{
    struct body_top body = body_of(reader, cell);
    if (sight->cells >= SIGHT_CELLS_MAX || tops->count >= TOPS_MAX)
        return;
    sight->cell[sight->cells] = *cell;
    top_add(sight, tops, sight->cells++, &body);
    vision_tops_fit(reader, sight, tops);
}

static bool place_free(const struct tops *tops, int row, int col, bool *beside)
{
    const struct lattice *l = &tops->lattice;
    *beside = false;
    for (int i = 0; i < tops->count; i++) {
        if (!l->on[i])
            continue;
        int d = (l->row[i] > row ? l->row[i] - row : row - l->row[i]) +
                (l->col[i] > col ? l->col[i] - col : col - l->col[i]);
        if (d == 0)
            return false;
        *beside |= d == 1;
    }
    return true;
}

/* Does a place belong to a top already? */
static bool place_taken(const struct tops *tops, const double at_mm[2])
{
    for (int i = 0; i < tops->count; i++) {
        const struct body_top *top = &tops->body[i];
        if (hypot(top->center_mm[0] - at_mm[0], top->center_mm[1] - at_mm[1]) < top->side_mm / 2)
            return true;
    }
    return false;
}

/* The best fit around a place, at any turn. False when there is none that may be a cell. */
static bool around_look(const struct seat_reader *reader, const struct palette *palette,
                        const struct seat_sight *sight, const struct tops *tops,
                        const double at_mm[2], bool printed, struct sight_cell *best)
{
    double px[2];
    bool have = false;
    vision_patch_from_mm(&sight->patch, at_mm, &px[0], &px[1]);
    for (int k = 0; k < 9 * SEEK_TURNS; k++) {
        struct sight_cell found = {.top = false};
        int right = k % 3 - 1, down = k / 3 % 3 - 1, turn = k / 9;
        found.place = (struct cell_place){
            (float)px[0] + SEEK_STEP_PX * (float)right, (float)px[1] + SEEK_STEP_PX * (float)down,
            (float)(tops->lattice.turn_rad + M_PI_2 / SEEK_TURNS * turn), SIGHT_CELL_PX};
        vision_patch_to_mm(&sight->patch, (double)found.place.x, (double)found.place.y, found.mm);
        if (printed && (place_taken(tops, found.mm) || !place_printed(sight, &found.place)))
            continue;
        vision_sight_fit(reader, palette, sight, &found.place, SEEK_REACH_PX, SEEK_REACH_RAD,
                         &found.fit);
        vision_patch_to_mm(&sight->patch, (double)found.place.x, (double)found.place.y, found.mm);
        if (cell_expected(reader, sight, tops, &found) &&
            (!have || found.fit.unexplained < best->fit.unexplained)) {
            *best = found;
            have = true;
        }
    }
    return have;
}

static enum seek_find seek_keep(const struct seat_reader *reader, struct seat_sight *sight,
                                struct tops *tops, const struct sight_cell *best)
{
    int before = tops->count;
    if (!vision_fit_convinces(&best->fit))
        return SEEK_PERHAPS;
    cell_keep(reader, sight, tops, best);
    return tops->count > before ? SEEK_TOP : SEEK_PERHAPS;
}

enum seek_find vision_tops_seek(const struct seat_reader *reader, const struct palette *palette,
                                struct seat_sight *sight, struct tops *tops, const double at_mm[2])
{
    struct sight_cell best = {.top = false};
    if (!around_look(reader, palette, sight, tops, at_mm, false, &best))
        return SEEK_NOTHING;
    return seek_keep(reader, sight, tops, &best);
}

enum seek_find vision_tops_seek_beside(const struct seat_reader *reader,
                                       const struct palette *palette, struct seat_sight *sight,
                                       struct tops *tops, const double at_mm[2])
{
    struct sight_cell best = {.top = false}, found;
    bool have = false;
    for (int k = 0; k < 9; k++) {
        int column = k % 3 - 1, row = k / 3 - 1;
        const double beside[2] = {at_mm[0] + reader->set->width_mm * column,
                                  at_mm[1] + reader->set->width_mm * row};
        if (k != 4 && around_look(reader, palette, sight, tops, beside, true, &found) &&
            (!have || found.fit.unexplained < best.fit.unexplained)) {
            best = found;
            have = true;
        }
    }
    return have ? seek_keep(reader, sight, tops, &best) : SEEK_NOTHING;
}

/* Fits a top anew from where its grid and its neighbourhood would have it: the finder's turn may be
 * a third of a quarter off, and its place a tenth of a cell, where mirrored light blurs them. */
static void top_polish(const struct seat_reader *reader, const struct palette *palette,
                       const struct seat_sight *sight, double turn_rad, struct sight_cell *cell)
{
    static const float off[6][2] = {{0, 0}, {0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const struct cell_place start = cell->place;
    for (int k = 0; k < 6; k++) {
        struct cell_place trial = start;
        struct cell_fit found;
        trial.x += POLISH_STEP_PX * off[k][0];
        trial.y += POLISH_STEP_PX * off[k][1];
        if (k == 1) /* by quarter turns, the nearest to its own */
            trial.turn_rad -= (float)quarter_wrap((double)start.turn_rad - turn_rad);
        vision_sight_fit(reader, palette, sight, &trial, POLISH_STEP_PX, EXPECTED_REACH_RAD,
                         &found);
        if (!found.seen || found.unexplained >= cell->fit.unexplained)
            continue;
        cell->fit = found;
        cell->place = trial;
        vision_patch_to_mm(&sight->patch, (double)trial.x, (double)trial.y, cell->mm);
    }
}

void vision_tops_polish(const struct seat_reader *reader, const struct palette *palette,
                        struct seat_sight *sight, struct tops *tops)
{
    for (int i = 0; i < tops->count; i++) {
        struct sight_cell *cell = &sight->cell[tops->cell[i]], better = *cell;
        if (cell->fit.unexplained < POLISH_LEFT)
            continue;
        top_polish(reader, palette, sight, tops->lattice.turn_rad, &better);
        struct body_top body = body_of(reader, &better);
        bool possible = true;
        for (int k = 0; k < tops->count; k++)
            possible &= k == i || !too_near(sight, &tops->body[k], &body);
        if (!possible)
            continue;
        *cell = better;
        tops->body[i] = body;
    }
}

/* The best explained of two finds, into *best. */
static bool find_better(struct sight_cell *best, const struct sight_cell *found, bool have)
{
    if (!have || found->fit.unexplained < best->fit.unexplained)
        *best = *found;
    return true;
}

/* The best top on a free place next to the grid's. */
static bool grid_look(const struct seat_reader *reader, const struct palette *palette,
                      const struct seat_sight *sight, const struct tops *tops,
                      struct sight_cell *best)
{
    bool have = false;
    if (tops->lattice.count < 2) /* one cell does not make a grid */
        return false;
    for (int row = -1; row <= tops->lattice.rows; row++)
        for (int col = -1; col <= tops->lattice.cols; col++) {
            struct sight_cell found;
            bool beside;
            double xy[2];
            if (!place_free(tops, row, col, &beside) || !beside)
                continue;
            vision_lattice_at(&tops->lattice, row, col, xy);
            if (place_look(reader, palette, sight, tops, xy, tops->lattice.turn_rad, &found))
                have = find_better(best, &found, have);
        }
    return have;
}

/* Tops of groups that hold together but have an odd number: blocks have two cells each, so one of
 * the group is not seen. */
static uint32_t tops_odd(const struct tops *tops, const uint32_t beside[TOPS_MAX])
{
    uint32_t odd = 0, seen = 0;
    for (int i = 0; i < tops->count; i++) {
        uint32_t group = 1u << i, before = 0;
        if (seen & group)
            continue;
        while (group != before) {
            before = group;
            for (uint32_t left = group; left; left &= left - 1)
                group |= beside[__builtin_ctz(left)];
        }
        seen |= group;
        odd |= __builtin_popcount(group) % 2 ? group : 0;
    }
    return odd;
}

/* The best top that can be the other cell of a block of which only one was seen: where one is
 * expected, or where it stands for itself. */
static bool partner_look(const struct seat_reader *reader, const struct palette *palette,
                         const struct seat_sight *sight, const struct tops *tops, bool expected,
                         struct sight_cell *best)
{
    uint32_t beside[TOPS_MAX];
    bool have = false;
    vision_tops_beside(reader, tops, beside);
    uint32_t odd = tops_odd(tops, beside);
    for (int i = 0; i < tops->count; i++) {
        const struct body_top *top = &tops->body[i];
        for (int side = 0; side < 4 && (odd >> i & 1); side++) {
            struct sight_cell found;
            double turn = top->turn_rad + side * M_PI_2;
            const double at[2] = {top->center_mm[0] + cos(turn) * top->side_mm,
                                  top->center_mm[1] + sin(turn) * top->side_mm};
            if (!place_taken(tops, at) &&
                place_look(reader, palette, sight, tops, at, top->turn_rad, &found) &&
                (expected || vision_fit_convinces(&found.fit)))
                have = find_better(best, &found, have);
        }
    }
    return have;
}

void vision_tops_complete(const struct seat_reader *reader, const struct palette *palette,
                          struct seat_sight *sight, struct tops *tops)
{
    int whole = calib_blockset_cells(reader->set);
    while (tops->count < TOPS_MAX) { /* beyond a whole layout only what makes its blocks whole */
        struct sight_cell best;
        bool short_of = tops->count < whole;
        if (!(short_of && grid_look(reader, palette, sight, tops, &best)) &&
            !partner_look(reader, palette, sight, tops, short_of, &best))
            return;
        int before = tops->count;
        cell_keep(reader, sight, tops, &best);
        if (tops->count == before)
            return;
    }
}

void vision_tops_beside(const struct seat_reader *reader, const struct tops *tops,
                        uint32_t beside[TOPS_MAX])
{
    (void)reader;
    memset(beside, 0, TOPS_MAX * sizeof *beside);
    for (int i = 0; i < tops->count; i++)
        for (int j = i + 1; j < tops->count; j++) {
            double d[2], e[2];
            vision_top_offset(&tops->body[i], &tops->body[j], d);
            vision_top_offset(&tops->body[j], &tops->body[i], e);
            double turn = quarter_wrap(tops->body[i].turn_rad - tops->body[j].turn_rad);
            double along = fmax(fabs(d[0]), fabs(d[1]));
            double across = fmax(fmin(fabs(d[0]), fabs(d[1])), fmin(fabs(e[0]), fabs(e[1])));
            if (fabs(along - 1) < PARTNER_OFF_WIDTHS && across < PARTNER_OFF_WIDTHS * 2 &&
                fabs(turn) < PARTNER_TURN_RAD) {
                beside[i] |= 1u << j;
                beside[j] |= 1u << i;
            }
        }
}
