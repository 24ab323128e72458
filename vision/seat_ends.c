/* vision/seat_ends.c: see seat_ends.h. */
#include "vision/seat_ends.h"

#include "vision/endfind.h"
#include "vision/pips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of an end's edge this is white, in sides; the rest of the way in is field. */
#define END_RIM 0.06
/* The cell model leaves out a cell's last edge (what it borders on is unknown). An end has most of
 * its white there, and its edge stands out against whatever lies below: so a model's cell is taken
 * larger than the end by as much. */
#define MODEL_SIDES (1 / 0.92)
#define PIP_RADIUS 0.085 /* of the field's side */
#define PIP_APART 0.27

/* Most of an end's variance must be rim, field and pips of one number. Squashed side faces and
 * other things at that height leave more than half of it. */
#define END_LEFT_MOST 0.5f
/* Without pips to be seen (too small, too dim) it must be all but a plain dark square. */
#define PLAIN_LEFT_MOST 0.33f
#define END_CONTRAST_LEAST 0.3f
/* Ends are no symbol of the set and their grey is any: strong colour speaks against one, but
 * for pips in the right places or next to nothing unexplained. */
#define END_CHROMA_MOST 0.45f
#define CLEAN_LEFT_MOST 0.2f
/* Near black, noise is as colourful as anything. */
#define CHROMA_LIGHT_LEAST 0.12f
/* Of a symbol of the set the same place must leave this much more. */
#define SYMBOL_WORSE 0.1f
/* Pips that explain this much of what their places show are seen, if they stand out against the
 * field by this share of the rim's (in soft pictures a pip keeps a tenth). */
#define PIPS_SHARE_LEAST 0.75f
#define PIPS_STRENGTH_LEAST 0.08f
/* A number that explains less than the best by no more than this may be the one. */
#define NUMBER_NEARLY 0.2f
/* A plain field varies less than this at the places of pips, in shares of the rim's height. */
#define PLAIN_SPREAD_MOST 0.15f

#define FINDS_MOST 16 /* places worth a second look: ends and odd corners between blocks */
#define REACH_PX 4.0f
#define REACH_RAD 0.2f
#define ROUNDS 3 /* of moving to a better place */
#define ROUND_GAIN 0.02f
/* A rim is little more than a pixel wide, so a place may get stuck beside it: others nearby are
 * tried too, unless the first is nothing like an end. */
#define STARTS 5
#define HOPELESS_LEFT 0.85f

int vision_ends_set(const struct blockset *set, struct blockset *ends)
{
    memset(ends, 0, sizeof *ends);
    ends->rim = 0.5 - (0.5 - END_RIM) / MODEL_SIDES;
    for (int b = 0; b < set->blocks && b < BLOCKSET_SYMBOLS_MAX; b++) {
        char path[512];
        int n = set->block[b].number, length = 0;
        if (n < 1 || n > PIPS_MOST)
            continue;
        struct symbol *s = &ends->symbol[ends->symbols];
        for (int i = 0; i < n; i++)
            length += snprintf(path + length, sizeof path - (size_t)length,
                               "M%.3f %.3fa%.3f %.3f 0 1 1 %.3f 0a%.3f %.3f 0 1 1 %.3f 0Z",
                               vision_pip_place[n - 1][i][0] * PIP_APART - PIP_RADIUS,
                               vision_pip_place[n - 1][i][1] * PIP_APART, PIP_RADIUS, PIP_RADIUS,
                               2 * PIP_RADIUS, PIP_RADIUS, PIP_RADIUS, -2 * PIP_RADIUS);
        s->label = (char)('0' + n);
        s->field = (struct rgb8){126, 128, 130};
        s->ink = (struct rgb8){250, 249, 246};
        int error = calib_shape_parse(path, (size_t)length, false, &s->shape, NULL);
        if (error)
            return error;
        ends->symbols++;
    }
    return 0;
}

/* What the search goes by, and what was seen at one place. */
struct ends_view {
    const struct seat_reader *reader;
    const struct seat_sight *sight;
    const struct tops *tops;
    const bool *numbers;
    const struct patch *patch;
    const float *whiteness;
};

struct end_look {
    struct cell_place place; /* its side is the model's */
    struct cell_fit fit;
    struct pips pips;
    struct body_top body;
};

static float chroma_of(const float ratio[3])
{
    float most = fmaxf(ratio[0], fmaxf(ratio[1], ratio[2]));
    float least = fminf(ratio[0], fminf(ratio[1], ratio[2]));
    return (most - least) / fmaxf(most, CHROMA_LIGHT_LEAST);
}

static bool pips_seen(const struct pips *pips)
{
    return pips->share[pips->best] > PIPS_SHARE_LEAST && pips->strength > PIPS_STRENGTH_LEAST;
}

/* Is it an end by its rim, its field and its pips? */
static bool end_convinces(const struct end_look *look)
{
    const struct cell_fit *fit = &look->fit;
    if (!fit->seen || fit->contrast < END_CONTRAST_LEAST)
        return false;
    if (pips_seen(&look->pips))
        return fit->unexplained < END_LEFT_MOST;
    return fit->unexplained < PLAIN_LEFT_MOST && look->pips.spread < PLAIN_SPREAD_MOST &&
           (fit->unexplained < CLEAN_LEFT_MOST ||
            chroma_of(fit->ratio[fit->best]) < END_CHROMA_MOST);
}

/* Where pips are seen, may they be of a block that does not lie in the seat? */
static bool number_fits(const struct ends_view *view, const struct pips *pips)
{
    if (!pips_seen(pips))
        return true;
    for (int n = 1; n <= PIPS_MOST; n++)
        if (view->numbers[n] && pips->share[n] > pips->share[pips->best] - NUMBER_NEARLY)
            return true;
    return false;
}

/* Does no symbol of the set explain the place nearly as well? The top of a block that lies there
 * looks much the same from the height of the ends. */
static bool no_symbol(const struct ends_view *view, const struct end_look *look)
{
    struct palette palette;
    struct cell_fit fit;
    struct cell_place place = look->place;
    place.side_px = SIGHT_CELL_PX;
    vision_palette_default(view->reader->model, &palette);
    vision_cell_fit(view->reader->model, &palette, view->patch, &place, view->sight->blur, false,
                    &fit);
    return !vision_fit_convinces(&fit) || fit.unexplained > look->fit.unexplained + SYMBOL_WORSE;
}

/* A standing block's foot can't be where another block stands. */
static bool foot_free(const struct body_top *end, const struct body_top *other, int others)
{
    for (int i = 0; i < others; i++) {
        double d[2];
        vision_top_offset(&other[i], end, d);
        if (fmax(fabs(d[0]), fabs(d[1])) < 0.8)
            return false;
    }
    return true;
}

/* May a block stand with its end's middle there? In the seat, or half over its line, and not in
 * the midst of a block that lies. */
static bool may_stand(const void *context, float x, float y)
{
    const struct ends_view *view = context;
    const double *r = view->sight->seat->rect_mm, width = view->reader->set->width_mm;
    double mm[2], over = width / 2;
    vision_patch_to_mm(view->patch, (double)x, (double)y, mm);
    if (mm[0] < r[0] - over || mm[0] > r[0] + r[2] + over || mm[1] < r[1] - over ||
        mm[1] > r[1] + r[3] + over)
        return false;
    for (int i = 0; i < view->tops->count; i++) {
        const double *at = view->tops->body[i].center_mm;
        if (hypot(at[0] - mm[0], at[1] - mm[1]) < 0.7 * width)
            return false;
    }
    return true;
}

/* Moves a place to the end near it. */
static void end_settle(const struct ends_view *view, struct cell_place *place, struct cell_fit *fit)
{
    const struct cell_model *model = view->reader->end_model;
    struct palette palette;
    vision_palette_default(model, &palette);
    vision_cell_fit(model, &palette, view->patch, place, view->sight->blur, false, fit);
    for (int round = 0; round < ROUNDS; round++) {
        float before = fit->unexplained;
        vision_cell_refine(model, view->patch, view->whiteness, fit->best, fit->quarter[fit->best],
                           view->sight->blur, REACH_PX, REACH_RAD, place);
        vision_cell_fit(model, &palette, view->patch, place, view->sight->blur, false, fit);
        if (fit->unexplained > before - ROUND_GAIN)
            break;
    }
}

static void end_look(const struct ends_view *view, const struct cell_place *place,
                     struct end_look *look)
{
    static const float start[STARTS][2] = {{0, 0}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}};
    struct cell_place whole;
    look->fit.unexplained = 2;
    for (int i = 0; i < STARTS && look->fit.unexplained > CLEAN_LEFT_MOST; i++) {
        struct cell_place at = *place;
        struct cell_fit fit;
        at.x += start[i][0];
        at.y += start[i][1];
        at.side_px = (float)(SIGHT_CELL_PX * MODEL_SIDES);
        end_settle(view, &at, &fit);
        if (fit.unexplained < look->fit.unexplained) {
            look->place = at;
            look->fit = fit;
        }
        if (fit.unexplained > HOPELESS_LEFT)
            break;
    }
    whole = look->place;
    whole.side_px = SIGHT_CELL_PX;
    vision_pips_measure(view->patch, &whole, &look->pips);
    look->body = (struct body_top){.turn_rad = (double)whole.turn_rad,
                                   .side_mm = view->reader->set->width_mm,
                                   .height_mm = view->reader->set->length_mm};
    vision_patch_to_mm(view->patch, (double)whole.x, (double)whole.y, look->body.center_mm);
}

static int ends_search(const struct ends_view *view, struct body_top *out, int most)
{
    struct candidate find[FINDS_MOST];
    int finds = vision_ends_scan(view->whiteness, view->patch->width, view->patch->height,
                                 SIGHT_CELL_PX, may_stand, view, find, FINDS_MOST),
        count = 0;
    for (int i = 0; i < finds && count < most; i++) {
        struct end_look look;
        end_look(view, &find[i].place, &look);
        if (end_convinces(&look) && number_fits(view, &look.pips) &&
            foot_free(&look.body, view->tops->body, view->tops->count) &&
            foot_free(&look.body, out, count) && no_symbol(view, &look))
            out[count++] = look.body;
    }
    return count;
}

int vision_ends_find(struct seat_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct seat_sight *sight, const struct tops *tops,
                     const bool numbers[ENDS_NUMBERS], struct body_top *out, int most)
{
    const double *r = sight->seat->rect_mm, m = SIGHT_MARGIN_CELLS * reader->set->width_mm;
    const double rect[4] = {r[0] - m, r[1] - m, r[2] + 2 * m, r[3] + 2 * m};
    struct patch patch = {0};
    float *whiteness = NULL;
    if (reader->ends->symbols == 0) /* a set that does not say what its ends look like */
        return 0;
    int result = vision_patch_sample(&patch, pyramid, pose, rect, -reader->set->length_mm,
                                     SIGHT_CELL_PX / reader->set->width_mm);
    if (result)
        goto done;
    whiteness = malloc((size_t)patch.width * (size_t)patch.height * sizeof *whiteness);
    if (!whiteness) {
        result = VISION_E_MEMORY;
        goto done;
    }
    vision_whiteness(white, &patch, whiteness);
    const struct ends_view view = {reader, sight, tops, numbers, &patch, whiteness};
    result = ends_search(&view, out, most);
done:
    free(whiteness);
    vision_patch_free(&patch);
    return result;
}
