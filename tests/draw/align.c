#include "tests/draw/align.h"

#include "tests/draw/vec.h"

#include <string.h>

#define REFITS 12
#define PITCH_STARTS 6

/* Angle to the nearest quarter turn, -45 < a <= 45. */
static double quarter_rest(double deg)
{
    double rest = deg - 90.0 * floor(deg / 90.0);
    return rest > 45.0 ? rest - 90.0 : rest;
}

struct aligning {
    const struct align_block *block;
    int cells;
    double width_mm, power;
};

static const double *cell_at(const struct aligning *a, int i)
{
    return a->block[i / 2].cell[i % 2];
}

/* Nearest places, offsets from them, the largest. */
static void fit_measure(const struct aligning *a, struct align_fit *fit)
{
    double c = cos(fit->turn_deg * DRAW_DEG), s = sin(fit->turn_deg * DRAW_DEG);
    fit->off_pitch = fit->off_deg = 0.0;
    fit->found = true;
    for (int i = 0; i < a->cells; i++) {
        double dx = cell_at(a, i)[0] - fit->origin[0], dy = cell_at(a, i)[1] - fit->origin[1];
        double along = (c * dx + s * dy) / fit->pitch_mm, down = (c * dy - s * dx) / fit->pitch_mm;
        fit->place[i][1] = (int)lround(along);
        fit->place[i][0] = (int)lround(down);
        fit->offset[i][0] = along - fit->place[i][1];
        fit->offset[i][1] = down - fit->place[i][0];
        fit->off_pitch =
            fmax(fit->off_pitch, fmax(fabs(fit->offset[i][0]), fabs(fit->offset[i][1])));
        for (int j = 0; j < i; j++) {
            if (fit->place[j][0] == fit->place[i][0] && fit->place[j][1] == fit->place[i][1]) {
                fit->found = false;
            }
        }
    }
    for (int i = 0; i < a->cells / 2; i++) {
        fit->block_deg[i] = quarter_rest(a->block[i].turn_deg - fit->turn_deg);
        fit->off_deg = fmax(fit->off_deg, fabs(fit->block_deg[i]));
    }
}

/* One weighted step of the fit to the places as they are: a similarity (turn, pitch, origin) in
 * closed form; the pitch is then held between its bounds. */
static void fit_step(const struct aligning *a, struct align_fit *fit)
{
    double weight[ALIGN_CELLS_MAX], total = 0.0, p[2] = {0, 0}, q[2] = {0, 0};
    for (int i = 0; i < a->cells; i++) {
        double off = hypot(fit->offset[i][0], fit->offset[i][1]);
        weight[i] = pow(fmax(off, 0.02), a->power - 2.0);
        total += weight[i];
        p[0] += weight[i] * fit->place[i][1];
        p[1] += weight[i] * fit->place[i][0];
        q[0] += weight[i] * cell_at(a, i)[0];
        q[1] += weight[i] * cell_at(a, i)[1];
    }
    for (int k = 0; k < 2; k++) {
        p[k] /= total;
        q[k] /= total;
    }
    double dot = 0.0, cross = 0.0, square = 0.0;
    for (int i = 0; i < a->cells; i++) {
        double px = fit->place[i][1] - p[0], py = fit->place[i][0] - p[1];
        double qx = cell_at(a, i)[0] - q[0], qy = cell_at(a, i)[1] - q[1];
        dot += weight[i] * (px * qx + py * qy);
        cross += weight[i] * (px * qy - py * qx);
        square += weight[i] * (px * px + py * py);
    }
    if (square <= 0.0) {
        return;
    }
    double turn = atan2(cross, dot);
    fit->turn_deg = turn / DRAW_DEG;
    fit->pitch_mm =
        draw_clamp(hypot(dot, cross) / square, a->width_mm, a->width_mm * ALIGN_PITCH_MAX);
    double c = cos(turn) * fit->pitch_mm, s = sin(turn) * fit->pitch_mm;
    fit->origin[0] = q[0] - c * p[0] + s * p[1];
    fit->origin[1] = q[1] - s * p[0] - c * p[1];
}

/* Share of the outer bounds that is used up; above 1 the layout is off the grid. */
static double fit_badness(const struct align_fit *fit)
{
    double bad = fmax(fit->off_pitch / ALIGN_CENTER_OFF, fit->off_deg / ALIGN_TURN_OFF_DEG);
    return fit->found ? bad : bad + 10.0;
}

/* Places and fit in turn, until both stay; on an awkward layout they may never. */
static void fit_refine(const struct aligning *a, struct align_fit *fit)
{
    fit_measure(a, fit);
    for (int i = 0; i < REFITS; i++) {
        fit_step(a, fit);
        fit_measure(a, fit);
    }
}

void draw_align_fit(const struct align_block *block, int blocks, double width_mm, double power,
                    struct align_fit *fit)
{
    struct aligning a = {block, 2 * blocks, width_mm, power};
    struct align_fit best = {.off_pitch = 1e6};
    memset(fit, 0, sizeof *fit);
    if (blocks < 1) {
        return;
    }
    for (int i = 0; i < blocks * PITCH_STARTS; i++) {
        const struct align_block *from = &block[i / PITCH_STARTS];
        double step = (ALIGN_PITCH_MAX - 1.0) / (PITCH_STARTS - 1.0);
        struct align_fit trial = {.turn_deg = from->turn_deg};
        trial.pitch_mm = width_mm * (1.0 + step * (i % PITCH_STARTS));
        memcpy(trial.origin, from->cell[0], sizeof trial.origin);
        fit_refine(&a, &trial);
        if (fit_badness(&trial) < fit_badness(&best)) {
            best = trial;
        }
    }
    *fit = best;
}

unsigned draw_align_classes(const struct align_fit *fit, double tolerance_pitch,
                            double tolerance_deg)
{
    unsigned classes = 0;
    if (!fit->found) {
        return ALIGN_OFF;
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        double pitch = fit->off_pitch + sign * tolerance_pitch,
               deg = fit->off_deg + sign * tolerance_deg;
        if (pitch > ALIGN_CENTER_OFF || deg > ALIGN_TURN_OFF_DEG) {
            classes |= ALIGN_OFF;
        } else if (pitch > ALIGN_CENTER_ON || deg > ALIGN_TURN_ON_DEG) {
            classes |= ALIGN_DOUBTFUL;
        } else {
            classes |= ALIGN_ON;
        }
    }
    return classes;
}
